/**
 * Causes and effects of entries. The cause of an entry is the entry before it in the same event. The cause of an event's first entry is the
 * last entry of the event that scheduled it; if that event wrote nothing (a message in flight), it is the previous step of the message.
 * Happens-before is larger: the causes, and the order of events at every place.
 */
import type { Columns } from "./format.ts";
import type { Messages } from "./messages.ts";

/** Possible previous steps of a message, latest first. */
const stepBefore: Readonly<Record<string, readonly string[]>> = {
  serve: ["duplicated", "request"],
  refused: ["request"],
  cut: ["respond", "request"],
  answer: ["respond"],
  "network-error": ["timed-out", "aborted", "refused", "answer-reset", "truncated", "reset", "request"],
};

export function causesOf(columns: Columns, messages: Messages): Int32Array {
  const { count, event, parent, place, kind, kinds } = columns;
  const lastEvent = event.reduce((most, number) => (number > most ? number : most), 0);
  const lastOfEvent = new Int32Array(lastEvent + 1).fill(-1);
  const cause = new Int32Array(count).fill(-1);
  const violation = kinds.indexOf("violation");
  for (let index = 0; index < count; index++) {
    const number = event[index] ?? 0;
    const before = lastOfEvent[number] ?? -1;
    if (before !== -1 && (number !== 0 || place[before] === place[index])) {
      cause[index] = before;
    } else if (number !== 0) {
      const scheduler = parent[index] ?? 0;
      const known = scheduler === 0 ? -1 : (lastOfEvent[scheduler] ?? -1);
      cause[index] = stepCause(index, messages, kinds, kind) ?? (known === -1 && scheduler === 0 ? startOf(columns, index) : known);
    }
    // A violation causes nothing.
    if (kind[index] !== violation) {
      lastOfEvent[number] = index;
    }
  }
  return cause;
}

/** Entries without a causing event come from the entries of event 0; the one at the same place is meant. */
function startOf({ place, event }: Columns, index: number): number {
  for (let first = 0; event[first] === 0; first++) {
    if (place[first] === place[index]) {
      return first;
    }
  }
  return -1;
}

function stepCause(index: number, messages: Messages, kinds: readonly string[], kind: Uint8Array): number | undefined {
  const message = messages.ofEntry[index] ?? -1;
  const wanted = stepBefore[kinds[kind[index] ?? 0] ?? ""];
  if (message === -1 || wanted === undefined) {
    return undefined;
  }
  const entries = messages.entries.subarray(messages.start[message], messages.start[message + 1]);
  for (let slot = entries.indexOf(index) - 1; slot >= 0; slot--) {
    const candidate = entries[slot] ?? 0;
    if (wanted.includes(kinds[kind[candidate] ?? 0] ?? "")) {
      return candidate;
    }
  }
  return undefined;
}

/** Indexes from the entry back to the start of its chain, the entry itself first. */
export function chainOf(cause: Int32Array, index: number): readonly number[] {
  const chain: number[] = [];
  for (let at = index; at >= 0; at = cause[at] ?? -1) {
    chain.push(at);
  }
  return chain;
}

/** All direct and indirect effects of the entry, in order, at most `most`. */
export function effectsOf(cause: Int32Array, index: number, most: number): readonly number[] {
  const reached = new Uint8Array(cause.length);
  reached[index] = 1;
  const effects: number[] = [];
  // A cause has a smaller index than its effects.
  for (let later = index + 1; later < cause.length && effects.length < most; later++) {
    const from = cause[later] ?? -1;
    if (from >= 0 && reached[from] === 1) {
      reached[later] = 1;
      effects.push(later);
    }
  }
  return effects;
}

/** By place: entries up to `past` happened before the entry, entries from `future` on after it; those between are concurrent. */
export interface Cone {
  readonly past: Int32Array;
  readonly future: Int32Array;
}

export function coneOf({ columns, cause }: { readonly columns: Columns; readonly cause: Int32Array }, index: number): Cone {
  const { count, place, places } = columns;
  const past = new Int32Array(places.length).fill(-1);
  const future = new Int32Array(places.length).fill(count);
  // Backwards: an entry is in the past if it is before the frontier of its place; its cause is then included.
  past[place[index] ?? 0] = index;
  for (let at = index; at >= 0; at--) {
    const from = cause[at] ?? -1;
    if (from >= 0 && at <= (past[place[at] ?? 0] ?? -1)) {
      const there = place[from] ?? 0;
      past[there] = Math.max(past[there] ?? -1, from);
    }
  }
  future[place[index] ?? 0] = index;
  for (let at = index + 1; at < count; at++) {
    const here = place[at] ?? 0;
    const from = cause[at] ?? -1;
    if (from >= 0 && from >= (future[place[from] ?? 0] ?? count)) {
      future[here] = Math.min(future[here] ?? count, at);
    }
  }
  return { past, future };
}
