/**
 * Compares two runs of one seed: first the digests, then the entries.
 */
import type { VerifyAnswer } from "./child.ts";

/** The interval between the last equal checkpoint and the first different one. */
export interface Apart {
  readonly lastSameEvent: number;
  /** Undefined before the first checkpoint. */
  readonly lastSameDigest: string | undefined;
  readonly firstDifferentEvent: number;
}

/** Returns undefined if all digests and the end are equal. */
export function partedBetween(a: VerifyAnswer, b: VerifyAnswer): Apart | undefined {
  let same = 0;
  while (same < Math.min(a.checkpoints.length, b.checkpoints.length) && a.checkpoints[same]?.[1] === b.checkpoints[same]?.[1]) {
    same++;
  }
  const atEnd = a.events === b.events && a.fingerprint === b.fingerprint;
  if (same === a.checkpoints.length && same === b.checkpoints.length && atEnd) {
    return undefined;
  }
  const [lastSameEvent, lastSameDigest] = a.checkpoints[same - 1] ?? [0, undefined];
  const ends = [a.checkpoints[same]?.[0] ?? a.events, b.checkpoints[same]?.[0] ?? b.events];
  return { lastSameEvent, lastSameDigest, firstDifferentEvent: Math.max(...ends) };
}

/** The first difference of two texts, with its context in each. */
export interface TextDifference {
  readonly index: number;
  readonly a: string;
  readonly b: string;
}

const around = 60;

export function firstTextDifference(a: string, b: string): TextDifference | undefined {
  if (a === b) {
    return undefined;
  }
  let index = 0;
  while (index < a.length && a[index] === b[index]) {
    index++;
  }
  const excerpt = (text: string): string => {
    const from = Math.max(0, index - around);
    const to = Math.min(text.length, index + around);
    return `${from > 0 ? "..." : ""}${printable(text.slice(from, to))}${to < text.length ? "..." : ""}`;
  };
  return { index, a: excerpt(a), b: excerpt(b) };
}

/** Pages are bytes; unprintable characters are shown by their number. */
function printable(text: string): string {
  let shown = "";
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    shown += code >= 32 && code < 127 ? character : `\\x${code.toString(16).padStart(2, "0")}`;
  }
  return shown;
}

export interface WindowEntry {
  readonly atNanos: number;
  readonly event: number;
  readonly place: string;
  readonly kind: string;
  readonly detail: string;
}

function parseEntry(line: string): WindowEntry {
  const [atNanos, event, , place, kind, detail] = JSON.parse(line) as [number, number, number, string, string, string];
  return { atNanos, event, place, kind, detail };
}

export interface EntryDifference {
  readonly a: WindowEntry | undefined;
  readonly b: WindowEntry | undefined;
  /** The last common entry. */
  readonly before: WindowEntry | undefined;
}

/** The first entry that differs at its index. */
export function firstEntryDifference(a: readonly string[], b: readonly string[]): EntryDifference | undefined {
  for (let index = 0; index < Math.max(a.length, b.length); index++) {
    const [one, other] = [a[index], b[index]];
    if (one !== other) {
      const before = a[index - 1];
      return {
        a: one === undefined ? undefined : parseEntry(one),
        b: other === undefined ? undefined : parseEntry(other),
        before: before === undefined ? undefined : parseEntry(before),
      };
    }
  }
  return undefined;
}

export function describeEntry(entry: WindowEntry | undefined): string {
  return entry === undefined
    ? "none: the run has ended"
    : `event ${entry.event} t=${(entry.atNanos / 1e9).toFixed(9)} ${entry.place} ${entry.kind} ${printable(entry.detail)}`;
}
