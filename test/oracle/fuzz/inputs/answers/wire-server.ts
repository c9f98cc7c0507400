/**
 * A server on a socket whose messages are altered on their way: left out, repeated, changed in their fields and lengths, cut off, followed
 * by the end of the connection, by silence or by more of the same without an end. A silent server keeps its connections open.
 */
import { createServer, type AddressInfo, type Server, type Socket } from "node:net";
import type { Random } from "../../random.ts";
import { drawByteEdit, edited } from "../bytes.ts";
import { type AnswerEdit, EditScript } from "./edits.ts";

/** One protocol: how messages become bytes, and what can be wrong with them. */
export interface WireProtocol<Message> {
  /** Greets a client and answers it; the returned function gets its bytes. */
  accept(connection: WireConnection<Message>): (bytes: Buffer) => void;
  frame(message: Message, connection: WireConnection<Message>): Buffer;
  /** The message with another field, count, length or type. */
  alter(random: Random, message: Message): Message;
  /** A message of another kind. */
  other(random: Random): Message;
  /** A large message of the kind, if it can be large. */
  large(message: Message): Message;
  /** Its bytes with a wrong length before them. */
  lie(random: Random, framed: Buffer): Buffer;
}

const endlessBytesMax = 400 * 1024 * 1024;
const smallEndlessBytesMax = 16 * 1024 * 1024;
const idleMs = 100;

export class WireConnection<Message> {
  readonly #server: WireServer<Message>;
  readonly #socket: Socket;
  #held: Buffer | undefined;
  #isSilent = false;
  /** Number of the next message, for protocols that count them. */
  sequence = 0;

  constructor(server: WireServer<Message>, socket: Socket) {
    this.#server = server;
    this.#socket = socket;
  }

  send(message: Message): void {
    if (this.#isSilent) {
      return;
    }
    this.#server.touch();
    const { protocol, script } = this.#server;
    const random = script.next();
    if (random === undefined) {
      this.#write(protocol.frame(message, this));
      return;
    }
    const kind = random.below(27);
    if (kind < 9) {
      this.#write(protocol.frame(protocol.alter(random, message), this));
    } else if (kind < 11) {
      const framed = protocol.frame(message, this);
      this.#write(Buffer.from(edited(framed, drawByteEdit(random, framed))));
    } else if (kind < 13) {
      this.#write(protocol.lie(random, protocol.frame(message, this)));
    } else if (kind < 15) {
      this.#write(protocol.frame(protocol.other(random), this));
      this.#write(protocol.frame(message, this));
    } else {
      this.#disturb(random, message, kind);
    }
  }

  #disturb(random: Random, message: Message, kind: number): void {
    const { protocol } = this.#server;
    switch (kind) {
      case 15:
        // Left out.
        return;
      case 16:
      case 17: {
        for (let left = random.pick([2, 2, 3, 2000]); left > 0; left--) {
          this.#write(protocol.frame(message, this));
        }
        return;
      }
      case 18:
        this.#held = protocol.frame(message, this);
        return;
      case 19: {
        const framed = protocol.frame(message, this);
        this.#write(framed.subarray(0, random.below(framed.length)));
        return this.#leave(random);
      }
      case 20:
        this.#write(protocol.frame(message, this));
        return this.#leave(random);
      case 21: {
        for (const byte of protocol.frame(message, this)) {
          this.#write(Buffer.of(byte));
        }
        return;
      }
      case 22:
        return this.#leave(random);
      case 23:
        return this.#repeatForever(random.chance(30) ? protocol.large(message) : message);
      default: {
        // A part, and then nothing more. The connection stays open until the client closes it.
        const framed = protocol.frame(message, this);
        this.#write(framed.subarray(0, random.below(framed.length)));
        this.#isSilent = true;
        this.#server.leaveOpen(this.#socket);
      }
    }
  }

  /** Closes, resets, or says nothing more. */
  #leave(random: Random): void {
    this.#isSilent = true;
    const way = random.below(4);
    if (way === 0) {
      this.#socket.resetAndDestroy();
    } else if (way < 3) {
      this.#socket.end();
    }
  }

  #repeatForever(message: Message): void {
    this.#isSilent = true;
    const one = this.#server.protocol.frame(message, this);
    const bytesMax = one.length > 10_000 ? endlessBytesMax : smallEndlessBytesMax;
    const chunk = Buffer.concat(Array.from({ length: Math.max(1, Math.ceil(65_536 / one.length)) }, () => one));
    let sent = 0;
    const more = (): void => {
      while (sent < bytesMax && !this.#socket.destroyed) {
        sent += chunk.length;
        this.#server.touch();
        if (!this.#socket.write(chunk)) {
          this.#socket.once("drain", more);
          return;
        }
      }
    };
    more();
  }

  #write(bytes: Buffer): void {
    if (this.#socket.writable) {
      this.#socket.write(bytes);
      if (this.#held !== undefined) {
        this.#socket.write(this.#held);
        this.#held = undefined;
      }
    }
  }

  end(): void {
    this.#socket.end();
  }
}

export class WireServer<Message> {
  readonly protocol: WireProtocol<Message>;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  /** Those of them that say nothing more. */
  readonly #silent = new Set<Socket>();
  #last = 0;
  script = new EditScript([]);

  constructor(protocol: WireProtocol<Message>) {
    this.protocol = protocol;
    this.#server = createServer({ allowHalfOpen: true }, (socket) => this.#accept(socket));
  }

  async listen(): Promise<number> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    return (this.#server.address() as AddressInfo).port;
  }

  begin(edits: readonly AnswerEdit[]): void {
    this.script = new EditScript(edits);
    this.touch();
  }

  get sent(): number {
    return this.script.sent;
  }

  /** Ends all connections but those that are silent. Resolves when their ends have been seen. */
  async quiet(): Promise<void> {
    this.script = new EditScript([]);
    await endAll([...this.#sockets].filter((socket) => !this.#silent.has(socket)));
  }

  /** A silent connection is the client's to close. */
  leaveOpen(socket: Socket): void {
    this.#silent.add(socket);
  }

  /** Silent connections that the client has not closed. A byte more tells one that is closed from one whose client has ended its side. */
  kept(): number {
    for (const socket of this.#silent) {
      if (socket.readableEnded) {
        socket.write(Buffer.of(0));
      }
    }
    return this.#silent.size;
  }

  touch(): void {
    this.#last = performance.now();
  }

  /** Whether nothing has come or gone for a while. */
  get isIdle(): boolean {
    return performance.now() - this.#last > idleMs;
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    await endAll([...this.#sockets]);
    await closed;
  }

  #accept(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on("error", () => undefined);
    socket.on("close", () => {
      this.#sockets.delete(socket);
      this.#silent.delete(socket);
    });
    socket.on("end", () => {
      if (!this.#silent.has(socket)) {
        socket.end();
      }
    });
    const take = this.protocol.accept(new WireConnection(this, socket));
    socket.on("data", (bytes: Buffer) => {
      this.touch();
      take(bytes);
    });
  }
}

async function endAll(sockets: readonly Socket[]): Promise<void> {
  const closed = sockets.map((socket) => new Promise((resolve) => socket.once("close", resolve)));
  for (const socket of sockets) {
    socket.destroy();
  }
  await Promise.all(closed);
}
