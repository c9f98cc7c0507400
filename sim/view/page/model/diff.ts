/**
 * Compares two runs. Entries are paired by content, not by time: the k-th entry with the same kind, place and words. Messages and queries
 * are identified by their order of appearance instead of their ids. A pair at different times is shifted.
 */
import type { Run } from "./model.ts";

export interface Side {
  /** By entry: 0 for the same, 1 for one that only this run has, 2 for a shifted one. */
  readonly status: Uint8Array;
  /** Index of the paired entry in the other run; -1 for none. */
  readonly partner: Int32Array;
}

export interface Difference {
  readonly a: Side;
  readonly b: Side;
  /** The first entry that differs from the other run, by time; -1 if a side has none. */
  readonly firstA: number;
  readonly firstB: number;
  /** Time in nanoseconds; undefined if the runs are equal. */
  readonly atNanos: number | undefined;
  readonly counts: { readonly same: number; readonly onlyA: number; readonly onlyB: number; readonly shifted: number };
}

const idPattern = /\d{8}_\d{6}_\d{5}_[a-z0-9]{5}/g;

/** The compared text, by entry. */
function keysOf(run: Run): readonly string[] {
  const { columns, messages } = run;
  const queryNumbers = new Map(run.queries.map((id, number) => [id, number]));
  const texts = columns.texts.map((text) =>
    text
      .replace(idPattern, (id) => `#q${queryNumbers.get(id) ?? "?"}`)
      // Slugs and instance ids are drawn for each incarnation and need not be equal in two runs.
      .replace(/slug=\w+/g, "slug=?"),
  );
  const ordinals = new Map<number, number>();
  const ordinal = new Uint32Array(messages.count);
  for (let message = 0; message < messages.count; message++) {
    const head = messages.head[message] ?? 0;
    const next = (ordinals.get(head) ?? 0) + 1;
    ordinals.set(head, next);
    ordinal[message] = next;
  }
  return Array.from({ length: columns.count }, (_, index) => {
    const message = messages.ofEntry[index] ?? -1;
    const name = message === -1 ? "" : `${columns.heads[columns.head[index] ?? 0]} #${ordinal[message]} `;
    return `${columns.places[columns.place[index] ?? 0]}|${columns.kinds[columns.kind[index] ?? 0]}|${name}${texts[columns.text[index] ?? 0]}`;
  });
}

export function differenceOf(a: Run, b: Run): Difference {
  const sideA: Side = { status: new Uint8Array(a.columns.count).fill(1), partner: new Int32Array(a.columns.count).fill(-1) };
  const sideB: Side = { status: new Uint8Array(b.columns.count).fill(1), partner: new Int32Array(b.columns.count).fill(-1) };
  const waiting = new Map<string, { readonly indexes: number[]; next: number }>();
  keysOf(b).forEach((key, index) => {
    const same = waiting.get(key);
    if (same === undefined) {
      waiting.set(key, { indexes: [index], next: 0 });
    } else {
      same.indexes.push(index);
    }
  });
  let same = 0;
  let shifted = 0;
  keysOf(a).forEach((key, index) => {
    const queue = waiting.get(key);
    const partner = queue?.indexes[queue.next] ?? -1;
    if (queue !== undefined && partner !== -1) {
      queue.next++;
      const status = a.columns.at[index] === b.columns.at[partner] ? 0 : 2;
      sideA.status[index] = status;
      sideA.partner[index] = partner;
      sideB.status[partner] = status;
      sideB.partner[partner] = index;
      same += status === 0 ? 1 : 0;
      shifted += status === 2 ? 1 : 0;
    }
  });
  const firstA = sideA.status.findIndex((status) => status !== 0);
  const firstB = sideB.status.findIndex((status) => status !== 0);
  const times = [firstA === -1 ? undefined : a.columns.at[firstA], firstB === -1 ? undefined : b.columns.at[firstB]].filter(
    (time) => time !== undefined,
  );
  return {
    a: sideA,
    b: sideB,
    firstA,
    firstB,
    atNanos: times.length === 0 ? undefined : Math.min(...times),
    counts: { same, shifted, onlyA: a.columns.count - same - shifted, onlyB: b.columns.count - same - shifted },
  };
}
