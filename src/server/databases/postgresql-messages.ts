/**
 * Messages of a server of PostgreSQL, checked before the client library reads them, which trusts their lengths and counts: an exception in
 * it would end the process, and a text without its end would keep it busy. "Message Formats" in the documentation of PostgreSQL.
 */
import { EventEmitter } from "node:events";
import type { Readable } from "node:stream";
import { AnswerError } from "./unexpected-answers.ts";

/** Bytes of a message, at most: a field of PostgreSQL has up to 1 GB, and a text of this process half of that. */
const messageBytesMax = 268_435_456;
/** Bytes of a message of a type that is always short, as PostgreSQL's own client has it (libpq, fe-protocol3.c). */
const shortBytesMax = 30_000;
/** Bytes of the rows that a client has asked for at once. */
const rowsBytesMax = 536_870_912;
const headerBytes = 5;
const code = (letter: string): number => letter.charCodeAt(0);
const longTypes: ReadonlySet<number> = new Set(Array.from("TDdVENAt").map(code));
const dataRow = code("D");
const fieldBytes = 18;
/** Kinds of AuthenticationRequest that the library knows. */
const authentications: ReadonlySet<number> = new Set([0, 3, 5, 10, 11, 12]);

type Check = (body: Buffer, columns: number) => string | undefined;

/** Strings that end in a zero byte, and nothing after them. */
function strings(body: Buffer, start: number, count: number): string | undefined {
  let at = start;
  for (let left = count; left > 0; left--) {
    at = body.indexOf(0, at) + 1;
    if (at === 0) {
      return "a string has no end";
    }
  }
  return at === body.length ? undefined : "it has a wrong length";
}

function length(bytes: number): Check {
  return (body) => (body.length === bytes ? undefined : "it has a wrong length");
}

/** Fields of a letter and a string each, and a zero byte. */
function checkFields(body: Buffer): string | undefined {
  for (let at = 0; at < body.length; ) {
    if (body[at] === 0) {
      return at === body.length - 1 ? undefined : "it has a wrong length";
    }
    at = body.indexOf(0, at + 1) + 1;
    if (at === 0) {
      return "a string has no end";
    }
  }
  return "it has no end";
}

function checkRow(body: Buffer, columns: number): string | undefined {
  const count = body.length < 2 ? -1 : body.readInt16BE(0);
  if (count !== columns) {
    return `it has ${count} values for ${columns} columns`;
  }
  let at = 2;
  for (let left = count; left > 0; left--) {
    if (at + 4 > body.length) {
      return "it has a wrong length";
    }
    const bytes = body.readInt32BE(at);
    if (bytes < -1) {
      return "a value has a negative length";
    }
    at += 4 + Math.max(0, bytes);
  }
  return at === body.length ? undefined : "it has a wrong length";
}

function checkDescription(body: Buffer): string | undefined {
  const count = body.length < 2 ? -1 : body.readInt16BE(0);
  let at = 2;
  for (let left = count; left > 0; left--) {
    const end = body.indexOf(0, at);
    if (end < 0) {
      return "a string has no end";
    }
    at = end + 1 + fieldBytes;
  }
  return count >= 0 && at === body.length ? undefined : "it has a wrong length";
}

function checkAuthentication(body: Buffer): string | undefined {
  const kind = body.length < 4 ? -1 : body.readInt32BE(0);
  if (!authentications.has(kind)) {
    return `it asks for authentication of the unknown kind ${kind}`;
  }
  switch (kind) {
    case 5:
      return length(8)(body, 0);
    case 10:
      return body.length > 4 && body[body.length - 1] === 0 && body[body.length - 2] === 0 ? undefined : "it has no end";
    case 11:
    case 12:
      return undefined;
    default:
      return length(4)(body, 0);
  }
}

/** COPY, in which no statement of the connector reads or writes. */
const refused: Check = () => "it was not asked for";

const checks: ReadonlyMap<number, Check> = new Map(
  (
    [
      ["1", length(0)],
      ["2", length(0)],
      ["3", length(0)],
      ["n", length(0)],
      ["s", length(0)],
      ["I", length(0)],
      ["Z", length(1)],
      ["K", length(8)],
      ["R", checkAuthentication],
      ["S", (body) => strings(body, 0, 2)],
      ["C", (body) => strings(body, 0, 1)],
      ["A", (body) => (body.length < 4 ? "it has a wrong length" : strings(body, 4, 2))],
      ["E", checkFields],
      ["N", checkFields],
      ["D", checkRow],
      ["T", checkDescription],
      ["t", (body) => (body.length >= 2 && body.length === 2 + 4 * body.readInt16BE(0) ? undefined : "it has a wrong length")],
      ["G", refused],
      ["H", refused],
      ["W", refused],
      ["d", refused],
      ["c", refused],
    ] as const satisfies readonly (readonly [string, Check])[]
  ).map(([letter, check]) => [code(letter), check]),
);

/** A stream of whole and well-formed messages. The stream below is destroyed with the reason when there is another one. */
export class PostgresqlMessages extends EventEmitter {
  readonly #stream: Readable;
  /** Begins of a message whose end has not come. */
  #chunks: Buffer[] = [];
  #chunkBytes = 0;
  /** Bytes with which the message is whole. */
  #wantedBytes = headerBytes;
  #columns = 0;
  #rowBytes = 0;

  constructor(stream: Readable) {
    super();
    this.#stream = stream;
    stream.on("data", (bytes: Buffer) => this.#take(bytes));
    stream.on("end", () => this.emit("end"));
  }

  /** The next rows are others than those before. */
  beginRows(): void {
    this.#rowBytes = 0;
  }

  #take(bytes: Buffer): void {
    if (this.#stream.destroyed) {
      return;
    }
    this.#chunks.push(bytes);
    this.#chunkBytes += bytes.length;
    if (this.#chunkBytes < this.#wantedBytes) {
      return;
    }
    const all = this.#chunks.length === 1 ? bytes : Buffer.concat(this.#chunks);
    try {
      const end = this.#wholeMessages(all);
      const rest = all.subarray(end);
      this.#chunks = rest.length === 0 ? [] : [rest];
      this.#chunkBytes = rest.length;
      if (end > 0) {
        this.emit("data", all.subarray(0, end));
      }
    } catch (error) {
      this.#chunks = [];
      this.#stream.destroy(error as Error);
    }
  }

  /** Returns where the last whole message ends. Throws an Error for one that is not well-formed. */
  #wholeMessages(bytes: Buffer): number {
    let at = 0;
    this.#wantedBytes = headerBytes;
    while (at + headerBytes <= bytes.length) {
      const type = bytes[at] as number;
      const size = bytes.readUInt32BE(at + 1);
      const check = checks.get(type);
      const sizeMax = longTypes.has(type) ? messageBytesMax : shortBytesMax;
      if (check === undefined || size < 4 || size > sizeMax) {
        throw violation(type, check === undefined ? "its type is unknown" : `its length is ${size} bytes`);
      }
      const end = at + 1 + size;
      if (end > bytes.length) {
        this.#wantedBytes = 1 + size;
        return at;
      }
      const wrong = check(bytes.subarray(at + headerBytes, end), this.#columns);
      if (wrong !== undefined) {
        throw violation(type, wrong);
      }
      this.#note(type, bytes, at);
      at = end;
    }
    return at;
  }

  #note(type: number, bytes: Buffer, at: number): void {
    if (type === dataRow) {
      this.#rowBytes += bytes.readUInt32BE(at + 1);
      if (this.#rowBytes > rowsBytesMax) {
        throw new AnswerError(`the server sent more than ${rowsBytesMax} bytes of rows at once`);
      }
    } else if (type === code("T")) {
      this.#columns = bytes.readInt16BE(at + headerBytes);
    }
  }
}

function violation(type: number, wrong: string): Error {
  const shown = type > 32 && type < 127 ? `'${String.fromCharCode(type)}'` : String(type);
  return new AnswerError(`the server sent a malformed message of type ${shown}: ${wrong}`);
}
