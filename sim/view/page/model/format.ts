/**
 * The encoding of a run inside the page: entries as columns of variable-length integers over a table of texts, which compresses well.
 * Written by the simulator (pack) and read by the page (unpack). Knows neither files nor the DOM.
 */
import { joinBytes } from "../../../../src/types/bytes.ts";

/** One entry of a trace, as in the trace file. */
export interface Entry {
  readonly atNanos: number;
  readonly event: number;
  readonly parent: number;
  readonly place: string;
  readonly kind: string;
  readonly detail: string;
}

/** Entries in columns. `texts[text[i]]` is the detail without the part that names the message. */
export interface Columns {
  readonly count: number;
  readonly places: readonly string[];
  readonly kinds: readonly string[];
  /** Message heads: `c>w1 task-update`. */
  readonly heads: readonly string[];
  readonly texts: readonly string[];
  readonly at: Float64Array;
  readonly event: Uint32Array;
  readonly parent: Uint32Array;
  readonly place: Uint16Array;
  readonly kind: Uint8Array;
  /** Number of the message; -1 for entries without one. */
  readonly message: Int32Array;
  readonly head: Uint32Array;
  readonly text: Uint32Array;
}

/** Facts of a run besides its entries. */
export interface RunFacts {
  /** Name: `seed 42`, or the trace file. */
  readonly name: string;
  readonly planText: string;
  /** Result of the run as text; empty if only a trace is available. */
  readonly resultText: string;
  readonly fingerprint: string;
  readonly events: number;
  /** Names of users in the plan; their lanes come first. */
  readonly users: readonly string[];
  readonly coordinators: readonly string[];
  readonly workers: readonly string[];
  /** What a node is called in its lane, instead of a worker. */
  readonly nodeWord?: string;
}

const messagePattern = /^m(\d+) (\S+>\S+ \S+)(?: ([^]*))?$/;

class Writer {
  #bytes = new Uint8Array(1 << 16);
  #length = 0;

  /** Writes an integer from 0 to 2^53. */
  uint(value: number): void {
    if (this.#length + 16 > this.#bytes.length) {
      const grown = new Uint8Array(this.#bytes.length * 2);
      grown.set(this.#bytes);
      this.#bytes = grown;
    }
    let rest = value;
    while (rest >= 128) {
      this.#bytes[this.#length++] = (rest % 128) + 128;
      rest = Math.floor(rest / 128);
    }
    this.#bytes[this.#length++] = rest;
  }

  int(value: number): void {
    this.uint(value < 0 ? -2 * value - 1 : 2 * value);
  }

  done(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }
}

class Reader {
  #offset = 0;

  constructor(readonly bytes: Uint8Array) {}

  uint(): number {
    let value = 0;
    let factor = 1;
    for (;;) {
      const byte = this.bytes[this.#offset++];
      if (byte === undefined) {
        throw new Error("the run's data ends too early");
      }
      value += (byte & 127) * factor;
      if (byte < 128) {
        return value;
      }
      factor *= 128;
    }
  }

  int(): number {
    const value = this.uint();
    return value % 2 === 1 ? -(value + 1) / 2 : value / 2;
  }

  take(length: number): Uint8Array {
    const taken = this.bytes.subarray(this.#offset, this.#offset + length);
    this.#offset += length;
    return taken;
  }
}

class Table {
  readonly texts: string[] = [];
  readonly #numbers = new Map<string, number>();

  numberOf(text: string): number {
    const known = this.#numbers.get(text);
    if (known !== undefined) {
      return known;
    }
    this.#numbers.set(text, this.texts.length);
    return this.texts.push(text) - 1;
  }
}

export function pack(entries: readonly Entry[]): Uint8Array {
  const places = new Table();
  const kinds = new Table();
  const heads = new Table();
  const texts = new Table();
  const columns = Array.from({ length: 7 }, () => new Writer()) as [Writer, Writer, Writer, Writer, Writer, Writer, Writer];
  const [at, event, parent, place, kind, message, text] = columns;
  let lastAt = 0;
  let lastEvent = 0;
  let lastMessage = 0;
  for (const entry of entries) {
    at.int(entry.atNanos - lastAt);
    event.int(entry.event - lastEvent);
    parent.int(entry.event - entry.parent);
    place.uint(places.numberOf(entry.place));
    kind.uint(kinds.numberOf(entry.kind));
    const about = messagePattern.exec(entry.detail);
    const number = about === null ? -1 : Number(about[1]);
    // A detail is encoded as a message only if decoding restores it exactly.
    const rest = about?.[3] ?? "";
    const isMessage = about !== null && number < 2 ** 31 && `m${number} ${about[2]}${rest === "" ? "" : ` ${rest}`}` === entry.detail;
    if (isMessage) {
      message.uint(1 + heads.numberOf(about[2] ?? ""));
      message.int(number - lastMessage);
      lastMessage = number;
    } else {
      message.uint(0);
    }
    const known = texts.texts.length;
    // 0 for a new text, otherwise the distance to its index.
    text.uint(known - texts.numberOf(isMessage ? rest : entry.detail));
    lastAt = entry.atNanos;
    lastEvent = entry.event;
  }
  const parts = columns.map((column) => column.done());
  const tables = new TextEncoder().encode(
    JSON.stringify({ places: places.texts, kinds: kinds.texts, heads: heads.texts, texts: texts.texts }),
  );
  const lengths = new Writer();
  lengths.uint(entries.length);
  for (const part of [tables, ...parts]) {
    lengths.uint(part.length);
  }
  return joinBytes([lengths.done(), tables, ...parts]);
}

export function unpack(bytes: Uint8Array): Columns {
  const reader = new Reader(bytes);
  const count = reader.uint();
  const lengths = Array.from({ length: 8 }, () => reader.uint());
  const [tableBytes, ...parts] = lengths.map((length) => reader.take(length));
  const tables = JSON.parse(new TextDecoder().decode(tableBytes)) as Pick<Columns, "places" | "kinds" | "heads" | "texts">;
  const [at, event, parent, place, kind, message, text] = parts.map((part) => new Reader(part)) as [
    Reader,
    Reader,
    Reader,
    Reader,
    Reader,
    Reader,
    Reader,
  ];
  const columns: Columns = {
    count,
    ...tables,
    at: new Float64Array(count),
    event: new Uint32Array(count),
    parent: new Uint32Array(count),
    place: new Uint16Array(count),
    kind: new Uint8Array(count),
    message: new Int32Array(count).fill(-1),
    head: new Uint32Array(count),
    text: new Uint32Array(count),
  };
  let lastAt = 0;
  let lastEvent = 0;
  let lastMessage = 0;
  let known = 0;
  for (let index = 0; index < count; index++) {
    lastAt += at.int();
    lastEvent += event.int();
    columns.at[index] = lastAt;
    columns.event[index] = lastEvent;
    columns.parent[index] = lastEvent - parent.int();
    columns.place[index] = place.uint();
    columns.kind[index] = kind.uint();
    const head = message.uint();
    if (head > 0) {
      lastMessage += message.int();
      columns.message[index] = lastMessage;
      columns.head[index] = head - 1;
    }
    const back = text.uint();
    columns.text[index] = known - back;
    known += back === 0 ? 1 : 0;
  }
  return columns;
}

/** The detail as in the trace. */
export function detailOf(columns: Columns, index: number): string {
  const text = columns.texts[columns.text[index] ?? 0] ?? "";
  const message = columns.message[index] ?? -1;
  if (message < 0) {
    return text;
  }
  return `m${message} ${columns.heads[columns.head[index] ?? 0] ?? ""}${text === "" ? "" : ` ${text}`}`;
}
