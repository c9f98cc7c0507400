/**
 * A server of PostgreSQL that answers what a real one answered when it was recorded. The protocol is that of "Frontend/Backend Protocol" in
 * the documentation of PostgreSQL.
 */
import type { Random } from "../../random.ts";
import { drawByteEdit, edited } from "../bytes.ts";
import { oddBytes, oddCounts, oddLengths, oddValues } from "./odd-values.ts";
import { type Recorded, RecordedAnswers } from "./recorded.ts";
import type { WireConnection, WireProtocol } from "./wire-server.ts";

export interface PostgresqlMessage {
  /** A letter; empty for the answer to a request for TLS, which is a byte. */
  readonly type: string;
  readonly payload: Buffer;
}

const sslCode = 80_877_103;
const startupCode = 196_608;
const authentications = [0, 3, 5, 7, 10, 11, 12, 99] as const;
const types = "RSKZTDCEN123nsGHWIAVdct\0X";

export class PostgresqlProtocol implements WireProtocol<PostgresqlMessage> {
  readonly #recorded: RecordedAnswers;

  constructor(recorded: Recorded) {
    this.#recorded = new RecordedAnswers(recorded);
  }

  accept(connection: WireConnection<PostgresqlMessage>): (bytes: Buffer) => void {
    const session = new Session(connection, this.#recorded);
    return (bytes) => session.take(bytes);
  }

  frame({ type, payload }: PostgresqlMessage): Buffer {
    if (type === "") {
      return payload;
    }
    const framed = Buffer.alloc(5 + payload.length, type, "latin1");
    framed.writeInt32BE(payload.length + 4, 1);
    payload.copy(framed, 5);
    return framed;
  }

  alter(random: Random, message: PostgresqlMessage): PostgresqlMessage {
    const { payload, type } = message;
    if (random.chance(10)) {
      return { type: random.pick(Array.from(types)), payload };
    }
    if (random.chance(5)) {
      return { type, payload: payload.subarray(0, random.below(payload.length + 1)) };
    }
    switch (type) {
      case "":
        return {
          type,
          payload: Buffer.from(random.pick(["S", "E", "N", "X", "NN", "SS", "S\x15\x03\x01\x00\x02\x02\x28", "ESFATAL\0\0"]), "latin1"),
        };
      case "D":
        return { type, payload: alteredRow(random, payload) };
      case "T":
        return { type, payload: alteredFields(random, payload) };
      case "R":
        return { type, payload: authentication(random) };
      case "Z":
        return { type, payload: Buffer.from(random.pick(["I", "T", "E", "\0", "", "II"])) };
      default:
        return {
          type,
          payload: payload.length === 0 ? random.pick(oddValues) : Buffer.from(edited(payload, drawByteEdit(random, payload))),
        };
    }
  }

  other(random: Random): PostgresqlMessage {
    const type = random.pick(Array.from(types));
    switch (type) {
      case "R":
        return { type, payload: authentication(random) };
      case "E":
      case "N":
        return { type, payload: errorFields(random) };
      case "D":
        return { type, payload: rowOf(Array.from({ length: random.below(4) }, () => random.pick(oddValues))) };
      default:
        return { type, payload: random.pick([...oddValues, ...oddBytes, Buffer.alloc(0)]) };
    }
  }

  large({ payload, type }: PostgresqlMessage): PostgresqlMessage {
    return type === "D" ? { type, payload: rowOf(valuesOf(payload).map(() => Buffer.alloc(1_000_000, "x"))) } : { type, payload };
  }

  lie(random: Random, framed: Buffer): Buffer {
    if (framed.length >= 5) {
      framed.writeInt32BE(random.chance(30) ? framed.length - 1 + random.pick([-4, -1, 1, 4]) : random.pick(oddLengths), 1);
    }
    return framed;
  }
}

function authentication(random: Random): Buffer {
  const payload = Buffer.alloc(4);
  payload.writeInt32BE(random.pick(authentications));
  const rest = ["", "salt", "SCRAM-SHA-256\0\0", "SCRAM-SHA-256-PLUS\0\0", "r=x,s=c2FsdA==,i=2000000000", "v=AAAA", "e=other-error", "\0"];
  return Buffer.concat([payload, Buffer.from(random.pick(rest))]);
}

function errorFields(random: Random): Buffer {
  const fields = ["SERROR", "C42P01", 'Mrelation "x" does not exist', "M", "", "Ddetail", "P7", "Z", `M${"x".repeat(100_000)}`];
  const chosen = fields.filter(() => random.chance(50)).map((field) => `${field}\0`);
  return Buffer.from(chosen.join("") + random.pick(["\0", "", "\0\0"]));
}

/** NULL is undefined. */
function valuesOf(payload: Buffer): (Buffer | undefined)[] {
  const values: (Buffer | undefined)[] = [];
  let at = 2;
  for (let left = payload.readInt16BE(0); left > 0; left--) {
    const length = payload.readInt32BE(at);
    values.push(length < 0 ? undefined : payload.subarray(at + 4, at + 4 + length));
    at += 4 + Math.max(0, length);
  }
  return values;
}

function rowOf(values: readonly (Buffer | undefined)[]): Buffer {
  const count = Buffer.alloc(2);
  count.writeInt16BE(values.length);
  const parts = values.map((value) => {
    const length = Buffer.alloc(4);
    length.writeInt32BE(value?.length ?? -1);
    return Buffer.concat([length, value ?? Buffer.alloc(0)]);
  });
  return Buffer.concat([count, ...parts]);
}

function alteredRow(random: Random, payload: Buffer): Buffer {
  const values = valuesOf(payload);
  const at = random.below(Math.max(1, values.length));
  switch (random.below(8)) {
    case 0:
      return rowOf(values.filter((_, index) => index !== at));
    case 1:
      return rowOf([...values, random.pick(oddValues)]);
    case 2: {
      const altered = Buffer.from(payload);
      altered.writeInt16BE(random.pick(oddCounts), 0);
      return altered;
    }
    case 3: {
      const altered = Buffer.from(payload);
      if (altered.length >= 6) {
        altered.writeInt32BE(random.pick(oddLengths), 2);
      }
      return altered;
    }
    case 4:
      return rowOf(values.map(() => undefined));
    default:
      return rowOf(values.map((value, index) => (index === at ? random.pick(random.chance(10) ? oddBytes : oddValues) : value)));
  }
}

function alteredFields(random: Random, payload: Buffer): Buffer {
  const altered = Buffer.from(payload);
  if (random.chance(30)) {
    altered.writeInt16BE(random.pick(oddCounts), 0);
    return altered;
  }
  const end = altered.indexOf(0, 2);
  if (end < 0 || random.chance(40)) {
    return Buffer.from(edited(altered, drawByteEdit(random, altered)));
  }
  const [place, bytes] = random.pick([
    [1, 4],
    [5, 2],
    [7, 4],
    [11, 2],
    [13, 4],
    [17, 2],
  ] as const);
  if (bytes === 4) {
    altered.writeInt32BE(random.pick([...oddLengths, 16, 23, 25, 1009, 1700]), end + place);
  } else {
    altered.writeInt16BE(random.pick(oddCounts), end + place);
  }
  return altered;
}

const none = Buffer.alloc(0);

class Session {
  readonly #connection: WireConnection<PostgresqlMessage>;
  readonly #recorded: RecordedAnswers;
  #bytes: Buffer = none;
  #hasBegun = false;
  /** What the portal returns. */
  #portal: readonly PostgresqlMessage[] = [];
  #rows: PostgresqlMessage[] = [];

  constructor(connection: WireConnection<PostgresqlMessage>, recorded: RecordedAnswers) {
    this.#connection = connection;
    this.#recorded = recorded;
  }

  take(bytes: Buffer): void {
    this.#bytes = Buffer.concat([this.#bytes, bytes]);
    for (;;) {
      const headerBytes = this.#hasBegun ? 5 : 4;
      if (this.#bytes.length < headerBytes) {
        return;
      }
      const length = this.#bytes.readInt32BE(headerBytes - 4) + headerBytes - 4;
      if (this.#bytes.length < length) {
        return;
      }
      const message = this.#bytes.subarray(0, length);
      this.#bytes = this.#bytes.subarray(length);
      if (this.#hasBegun) {
        this.#answer(message.toString("latin1", 0, 1), message.subarray(5));
      } else {
        this.#start(message.readInt32BE(4));
      }
    }
  }

  #send(type: string, payload: Buffer | string = none): void {
    this.#connection.send({ type, payload: typeof payload === "string" ? Buffer.from(payload) : payload });
  }

  #start(code: number): void {
    if (code === sslCode) {
      this.#send("", "N");
    } else if (code === startupCode) {
      this.#hasBegun = true;
      this.#forward(this.#recorded.greeting);
      this.#send("Z", "I");
    } else {
      this.#connection.end();
    }
  }

  #forward(messages: readonly PostgresqlMessage[]): void {
    for (const message of messages) {
      this.#connection.send(message);
    }
  }

  #answer(type: string, payload: Buffer): void {
    switch (type) {
      case "Q":
        this.#forward(this.#recorded.to(payload.toString("utf8", 0, payload.length - 1)));
        return this.#send("Z", "I");
      case "P": {
        const start = payload.indexOf(0) + 1;
        this.#portal = this.#recorded.to(payload.toString("utf8", start, payload.indexOf(0, start)));
        this.#rows = this.#portal.filter((message) => message.type === "D");
        const error = this.#portal.find((message) => message.type === "E");
        return error === undefined ? this.#send("1") : this.#connection.send(error);
      }
      case "B":
        return this.#send("2");
      case "D": {
        const description = this.#portal.find((message) => message.type === "T");
        return description === undefined ? this.#send("n") : this.#connection.send(description);
      }
      case "E": {
        const count = payload.readInt32BE(payload.indexOf(0) + 1);
        this.#forward(this.#rows.splice(0, count === 0 ? this.#rows.length : count));
        return this.#rows.length > 0 ? this.#send("s") : this.#send("C", "SELECT 1\0");
      }
      case "C":
        return this.#send("3");
      case "S":
        return this.#send("Z", "I");
      case "X":
        return this.#connection.end();
      default:
    }
  }
}
