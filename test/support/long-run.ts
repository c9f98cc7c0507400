/**
 * Builds a long run from a short one by repeating its entries, each time with new times, events, messages and queries.
 */
import type { Entry } from "../../sim/view/page/model/format.ts";

export function repeatEntries(entries: readonly Entry[], countMin: number): readonly Entry[] {
  const last = entries.at(-1);
  if (last === undefined) {
    return [];
  }
  const messages = entries.reduce((most, { detail }) => Math.max(most, Number(/^m(\d+) /.exec(detail)?.[1] ?? 0)), 0);
  // Faults that are not healed within the run would accumulate over the repetitions.
  const open = new Map<string, Entry>();
  for (const entry of entries) {
    if (entry.kind === "fault") {
      open.set(entry.detail, entry);
    } else if (entry.kind === "heal") {
      open.delete(entry.detail);
    }
  }
  const heals = [...open.values()].map((fault) => ({
    ...fault,
    kind: "heal",
    atNanos: last.atNanos,
    event: last.event,
    parent: fault.event,
  }));
  const long: Entry[] = [];
  for (let round = 0; long.length < countMin; round++) {
    for (const entry of [...entries, ...heals]) {
      long.push({
        atNanos: entry.atNanos + round * last.atNanos,
        event: entry.event + round * last.event,
        parent: entry.parent === 0 ? round * last.event : entry.parent + round * last.event,
        place: entry.place,
        kind: entry.kind,
        detail: entry.detail
          .replace(/^m(\d+) /, (_, id: string) => `m${Number(id) + round * messages} `)
          .replace(/(\d{8}_\d{6}_)(\d{5})(_[a-z0-9]{5})/g, (_, head: string, number: string, tail: string) => {
            return `${head}${String((Number(number) + round * 100) % 100_000).padStart(5, "0")}${tail}`;
          }),
      });
    }
  }
  return long;
}
