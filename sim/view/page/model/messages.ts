/**
 * Messages and their legs: transfers between lanes, and their fates.
 */
import type { Columns } from "./format.ts";

export const fates = ["arrived", "lost", "reset", "cut", "refused", "truncated", "duplicated", "never-answered"] as const;
export type Fate = (typeof fates)[number];

/** Legs in columns, ordered by their start. */
export interface Legs {
  readonly count: number;
  readonly message: Uint32Array;
  /** Entries at both ends; `last` is -1 if nothing arrived. */
  readonly first: Uint32Array;
  readonly last: Int32Array;
  readonly fromPlace: Uint16Array;
  readonly toPlace: Uint16Array;
  /** Times in nanoseconds. For a leg that never arrives, `to` is the time at which it would have. */
  readonly from: Float64Array;
  readonly to: Float64Array;
  /** Index into `fates`. */
  readonly fate: Uint8Array;
  readonly isAnswer: Uint8Array;
}

export interface Messages {
  readonly count: number;
  /** Dense number of the message by entry; -1 for none. */
  readonly ofEntry: Int32Array;
  /** Id of the message in the trace. */
  readonly id: Uint32Array;
  /** Index into the columns' heads. */
  readonly head: Uint32Array;
  /** Entries of message m: `entries[start[m]]` up to `entries[start[m + 1]]`. */
  readonly start: Uint32Array;
  readonly entries: Uint32Array;
  readonly legs: Legs;
  /** Label by head. */
  readonly labels: readonly string[];
  readonly category: Uint8Array;
}

/** Index into the model's categories. */
function categoryOf(label: string): number {
  if (label.startsWith("statement")) {
    return 0;
  }
  if (label.startsWith("task")) {
    return 1;
  }
  if (label.startsWith("exchange")) {
    return 2;
  }
  return /^(heartbeat|announcement|withdrawal)/.test(label) ? 3 : 4;
}

export function messagesOf(columns: Columns): Messages {
  const ofEntry = new Int32Array(columns.count).fill(-1);
  const numbers = new Map<number, number>();
  const ids: number[] = [];
  const heads: number[] = [];
  for (let index = 0; index < columns.count; index++) {
    const id = columns.message[index] ?? -1;
    if (id >= 0) {
      let number = numbers.get(id);
      if (number === undefined) {
        number = ids.push(id) - 1;
        heads.push(columns.head[index] ?? 0);
        numbers.set(id, number);
      }
      ofEntry[index] = number;
    }
  }
  const start = new Uint32Array(ids.length + 1);
  for (const number of ofEntry) {
    if (number >= 0) {
      start[number + 1] = (start[number + 1] ?? 0) + 1;
    }
  }
  for (let number = 0; number < ids.length; number++) {
    start[number + 1] = (start[number + 1] ?? 0) + (start[number] ?? 0);
  }
  const entries = new Uint32Array(start[ids.length] ?? 0);
  const next = start.slice();
  for (let index = 0; index < columns.count; index++) {
    const number = ofEntry[index] ?? -1;
    if (number >= 0) {
      const slot = next[number] ?? 0;
      entries[slot] = index;
      next[number] = slot + 1;
    }
  }
  const labels = columns.heads.map((head) => head.slice(head.indexOf(" ") + 1));
  const base = {
    count: ids.length,
    ofEntry,
    id: Uint32Array.from(ids),
    head: Uint32Array.from(heads),
    start,
    entries,
    labels,
    category: Uint8Array.from(labels, categoryOf),
  };
  return { ...base, legs: legsOf(columns, base) };
}

interface Leg {
  message: number;
  first: number;
  last: number;
  to: string;
  fate: Fate;
  isAnswer: boolean;
}

function legsOf(columns: Columns, messages: Omit<Messages, "legs">): Legs {
  const legs: Leg[] = [];
  const ends = columns.heads.map((head) => /^(\S+)>(\S+) /.exec(head));
  for (let message = 0; message < messages.count; message++) {
    const head = messages.head[message] ?? 0;
    legsOfMessage(
      columns,
      messages.entries.subarray(messages.start[message], messages.start[message + 1]),
      { message, from: ends[head]?.[1] ?? "", to: ends[head]?.[2] ?? "" },
      legs,
    );
  }
  return inColumns(columns, legs);
}

/** Walks the entries of a message in order. */
function legsOfMessage(
  columns: Columns,
  entries: Uint32Array,
  names: { readonly message: number; readonly from: string; readonly to: string },
  legs: Leg[],
): void {
  const { message, from, to } = names;
  let request = -1;
  let refusal = -1;
  let served = 0;
  const answers: number[] = [];
  const there = (first: number, last: number, fate: Fate): void => {
    legs.push({ message, first, last, to, fate, isAnswer: false });
  };
  const back = (first: number | undefined, last: number, fate: Fate): void => {
    if (first !== undefined) {
      legs.push({ message, first, last, to: from, fate, isAnswer: true });
    }
  };
  for (const index of entries) {
    const kind = columns.kinds[columns.kind[index] ?? 0] ?? "";
    const atReceiver = columns.places[columns.place[index] ?? 0] === to && from !== to;
    switch (kind) {
      case "request":
        request = index;
        break;
      case "serve":
        there(request === -1 ? index : request, index, served++ === 0 ? "arrived" : "duplicated");
        break;
      case "respond":
        answers.push(index);
        break;
      case "answer":
        back(answers.shift(), index, "arrived");
        break;
      case "lost":
      case "reset":
        there(index, -1, kind);
        break;
      case "never-answered":
        there(request === -1 ? index : request, index, kind);
        break;
      case "turned-away":
        there(request === -1 ? index : request, index, "refused");
        break;
      case "refused":
        there(request === -1 ? index : request, index, "refused");
        refusal = index;
        break;
      case "cut":
        if (atReceiver) {
          there(request === -1 ? index : request, index, "cut");
        } else {
          back(answers.shift(), index, "cut");
        }
        break;
      // The leg begins with the entry of its fate, which has the time of the response, so that a search for lost messages finds it.
      case "answer-lost":
      case "answer-reset":
      case "truncated":
        answers.shift();
        back(index, -1, kind === "truncated" ? kind : kind === "answer-lost" ? "lost" : "reset");
        break;
      case "network-error":
        if (refusal !== -1) {
          back(refusal, index, "refused");
          refusal = -1;
        }
        break;
      default:
        break;
    }
  }
}

function inColumns(columns: Columns, legs: Leg[]): Legs {
  const at = (index: number): number => columns.at[index] ?? 0;
  const times = legs.filter(({ last, fate }) => last !== -1 && fate === "arrived").map((leg) => at(leg.last) - at(leg.first));
  times.sort((a, b) => a - b);
  const usualNanos = times[times.length >> 1] ?? 1_000_000;
  legs.sort((a, b) => a.first - b.first);
  const numbers = new Map(columns.places.map((name, number) => [name, number]));
  return {
    count: legs.length,
    message: Uint32Array.from(legs, (leg) => leg.message),
    first: Uint32Array.from(legs, (leg) => leg.first),
    last: Int32Array.from(legs, (leg) => leg.last),
    fromPlace: Uint16Array.from(legs, (leg) => columns.place[leg.first] ?? 0),
    // A place without entries has no lane; the leg ends where it began.
    toPlace: Uint16Array.from(legs, (leg) => numbers.get(leg.to) ?? columns.place[leg.first] ?? 0),
    from: Float64Array.from(legs, (leg) => at(leg.first)),
    to: Float64Array.from(legs, (leg) => (leg.last === -1 ? at(leg.first) + usualNanos : at(leg.last))),
    fate: Uint8Array.from(legs, (leg) => fates.indexOf(leg.fate)),
    isAnswer: Uint8Array.from(legs, (leg) => (leg.isAnswer ? 1 : 0)),
  };
}
