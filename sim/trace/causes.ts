/**
 * The causes of a trace entry: the first entry of its event, the event that scheduled that one, and earlier entries of the same message. An
 * entry without a path to another did not happen before it in Lamport's sense, except through the state of a node.
 */
import type { TraceEntry } from "../world/world.ts";
import { type Message, messageOf } from "./messages.ts";

export class Causes {
  readonly #entries: readonly TraceEntry[];
  readonly #places = new Map<TraceEntry, number>();
  /** Index of the first entry of each event. */
  readonly #firstOf = new Map<number, number>();
  readonly #lives = new Map<number, TraceEntry[]>();
  readonly #messages = new Map<TraceEntry, Message>();

  constructor(entries: readonly TraceEntry[]) {
    this.#entries = entries;
    for (const [index, entry] of entries.entries()) {
      this.#places.set(entry, index);
      if (!this.#firstOf.has(entry.event)) {
        this.#firstOf.set(entry.event, index);
      }
      const message = messageOf(entry);
      if (message !== undefined) {
        this.#messages.set(entry, message);
        const life = this.#lives.get(message.id);
        if (life === undefined) {
          this.#lives.set(message.id, [entry]);
        } else {
          life.push(entry);
        }
      }
    }
  }

  get entries(): readonly TraceEntry[] {
    return this.#entries;
  }

  messageOf(entry: TraceEntry): Message | undefined {
    return this.#messages.get(entry);
  }

  /** All entries of a message, in order. */
  lifeOf(id: number): readonly TraceEntry[] {
    return this.#lives.get(id) ?? [];
  }

  /** Most important cause first; following the first causes leads to the beginning of the run. */
  causesOf(entry: TraceEntry): readonly TraceEntry[] {
    const index = this.#places.get(entry);
    if (index === undefined) {
      return [];
    }
    const causes = new Set<TraceEntry>();
    const firstIndex = this.#firstOf.get(entry.event) ?? index;
    if (firstIndex < index) {
      causes.add(this.#entries[firstIndex] as TraceEntry);
    }
    const message = this.#messages.get(entry);
    const life = message === undefined ? [] : this.lifeOf(message.id);
    const earlier = life[life.indexOf(entry) - 1];
    if (earlier !== undefined) {
      causes.add(earlier);
    }
    // Event 0 is the beginning and has no cause.
    const parentIndex = firstIndex < index || entry.event === 0 ? undefined : this.#firstOf.get(entry.parent);
    if (parentIndex !== undefined && parentIndex < index) {
      causes.add(this.#entries[parentIndex] as TraceEntry);
    }
    causes.delete(entry);
    return [...causes];
  }

  /** The path from the beginning to an entry along the first causes, ordered by time. */
  pathTo(entry: TraceEntry): readonly TraceEntry[] {
    const path = [entry];
    for (let cause = this.causesOf(entry)[0]; cause !== undefined; cause = this.causesOf(cause)[0]) {
      path.push(cause);
    }
    return path.reverse();
  }

  /** All direct and indirect causes of the entry, ordered by time. */
  sliceTo(entry: TraceEntry): readonly TraceEntry[] {
    const seen = new Set<TraceEntry>([entry]);
    const left = [entry];
    for (let next = left.pop(); next !== undefined; next = left.pop()) {
      for (const cause of this.causesOf(next)) {
        if (!seen.has(cause)) {
          seen.add(cause);
          left.push(cause);
        }
      }
    }
    return [...seen].sort((a, b) => (this.#places.get(a) ?? 0) - (this.#places.get(b) ?? 0));
  }
}

/** The last entry about a violation of the oracle: `kind oracle sentence`. */
export function violationIn(entries: readonly TraceEntry[], oracle: string): TraceEntry | undefined {
  const violations = entries.filter(({ kind }) => kind === "violation");
  return violations.find(({ detail }) => detail.split(" ")[1] === oracle) ?? violations[0];
}
