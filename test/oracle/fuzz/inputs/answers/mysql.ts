/**
 * A server of MariaDB that answers what a real one answered when it was recorded. The protocol is that of "Client/Server Protocol" in the
 * documentation of MySQL.
 */
import type { Random } from "../../random.ts";
import { drawByteEdit, edited } from "../bytes.ts";
import { oddBytes, oddValues } from "./odd-values.ts";
import { type Recorded, RecordedAnswers } from "./recorded.ts";
import type { WireConnection, WireProtocol } from "./wire-server.ts";

/** The payload of a packet. */
export interface MysqlMessage {
  readonly payload: Buffer;
}

const comQuit = 1;
const comQuery = 3;
const headerBytes = 4;
const okPacket = Buffer.from("00000002000000", "hex");
/** OK, EOF, an error, a file that the server wants, requests for authentication, lengths of numbers, NULL. */
const firstBytes = [0x00, 0xfe, 0xff, 0xfb, 0xfc, 0xfd, 0x01, 0x02] as const;
const oddPackets: readonly Buffer[] = [
  okPacket,
  Buffer.from("fe00000200", "hex"),
  Buffer.from("fe00000a00", "hex"),
  Buffer.from("ff", "hex"),
  Buffer.concat([Buffer.from("ff2804", "hex"), Buffer.from("#42000wrong")]),
  Buffer.concat([Buffer.from("ff2804", "hex"), Buffer.from("no state")]),
  Buffer.concat([Buffer.of(0xfb), Buffer.from("/etc/passwd")]),
  Buffer.concat([Buffer.of(0xfe), Buffer.from("mysql_clear_password\0")]),
  Buffer.concat([Buffer.of(0xfe), Buffer.from("mysql_native_password\0aaaaaaaaaaaaaaaaaaaa\0")]),
  Buffer.concat([Buffer.of(0xfe), Buffer.from("caching_sha2_password\0aaaaaaaaaaaaaaaaaaaa\0")]),
  Buffer.concat([Buffer.of(0xfe), Buffer.from("sha256_password\0aaaaaaaaaaaaaaaaaaaa\0")]),
  Buffer.concat([Buffer.of(0xfe), Buffer.from("toString\0x")]),
  Buffer.from("0103", "hex"),
  Buffer.from("0104", "hex"),
  Buffer.of(1),
  Buffer.of(0xfc, 0xff, 0xff),
  Buffer.of(0xfd, 0xff, 0xff, 0xff),
  Buffer.of(0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f),
  Buffer.alloc(0),
];

export class MysqlProtocol implements WireProtocol<MysqlMessage> {
  readonly #recorded: RecordedAnswers;

  constructor(recorded: Recorded) {
    this.#recorded = new RecordedAnswers(recorded);
  }

  accept(connection: WireConnection<MysqlMessage>): (bytes: Buffer) => void {
    const session = new Session(connection, this.#recorded);
    return (bytes) => session.take(bytes);
  }

  frame({ payload }: MysqlMessage, connection: WireConnection<MysqlMessage>): Buffer {
    const framed = Buffer.alloc(headerBytes + payload.length);
    framed.writeUIntLE(payload.length, 0, 3);
    framed[3] = connection.sequence++ & 0xff;
    payload.copy(framed, headerBytes);
    return framed;
  }

  alter(random: Random, { payload }: MysqlMessage): MysqlMessage {
    switch (random.below(6)) {
      case 0:
        return { payload: Buffer.concat([Buffer.of(random.pick(firstBytes)), payload.subarray(1)]) };
      case 1:
        return { payload: payload.subarray(0, random.below(payload.length + 1)) };
      case 2:
        return { payload: withValue(random, payload) };
      case 3:
        return { payload: Buffer.concat([payload, random.pick(oddValues)]) };
      default:
        return payload.length === 0 ? this.other(random) : { payload: Buffer.from(edited(payload, drawByteEdit(random, payload))) };
    }
  }

  other(random: Random): MysqlMessage {
    return { payload: random.pick([...oddPackets, ...oddPackets, ...oddBytes]) };
  }

  large({ payload }: MysqlMessage): MysqlMessage {
    const text = Buffer.alloc(1_000_000, "x");
    const length = Buffer.alloc(4, 0xfd);
    length.writeUIntLE(text.length, 1, 3);
    return { payload: Buffer.concat([length, text, payload]) };
  }

  lie(random: Random, framed: Buffer): Buffer {
    if (random.chance(30)) {
      framed[3] = random.below(256);
    } else {
      framed.writeUIntLE(
        random.pick([0, 1, framed.length - 5, framed.length - 3, 0xffffff, 0xfffffe, 65_536].map((one) => Math.max(0, one))),
        0,
        3,
      );
    }
    return framed;
  }
}

/** A row of texts with another one; other packets that begin like one are altered as well. */
function withValue(random: Random, payload: Buffer): Buffer {
  const values: Buffer[] = [];
  for (let at = 0; at < payload.length; ) {
    const length = (payload[at] as number) < 0xfb ? (payload[at] as number) : 0;
    values.push(payload.subarray(at, at + 1 + length));
    at += 1 + length;
  }
  const value = random.pick(random.chance(10) ? oddBytes : oddValues);
  const length =
    value.length < 0xfb ? Buffer.of(value.length) : Buffer.of(0xfd, value.length & 0xff, (value.length >> 8) & 0xff, value.length >> 16);
  values.splice(random.below(Math.max(1, values.length)), random.below(2), Buffer.concat([length, value]));
  return Buffer.concat(values);
}

class Session {
  readonly #connection: WireConnection<MysqlMessage>;
  readonly #recorded: RecordedAnswers;
  #bytes: Buffer = Buffer.alloc(0);
  #hasBegun = false;

  constructor(connection: WireConnection<MysqlMessage>, recorded: RecordedAnswers) {
    this.#connection = connection;
    this.#recorded = recorded;
    connection.send({ payload: recorded.greeting[0]?.payload ?? okPacket });
  }

  take(bytes: Buffer): void {
    this.#bytes = Buffer.concat([this.#bytes, bytes]);
    while (this.#bytes.length >= headerBytes) {
      const length = this.#bytes.readUIntLE(0, 3) + headerBytes;
      if (this.#bytes.length < length) {
        return;
      }
      const packet = this.#bytes.subarray(0, length);
      this.#bytes = this.#bytes.subarray(length);
      this.#connection.sequence = (packet[3] as number) + 1;
      this.#answer(packet.subarray(headerBytes));
    }
  }

  #answer(payload: Buffer): void {
    if (!this.#hasBegun) {
      this.#hasBegun = true;
      this.#connection.send({ payload: okPacket });
    } else if (payload[0] === comQuery) {
      for (const message of this.#recorded.to(payload.toString("utf8", 1))) {
        this.#connection.send(message);
      }
    } else if (payload[0] === comQuit) {
      this.#connection.end();
    } else if (payload.length > 0) {
      this.#connection.send({ payload: okPacket });
    }
  }
}
