import { type RandomStream, uniformInt, uniformText } from "../../src/ports/random.ts";

/** One random draw, for people who ask why two runs parted. */
export interface Draw {
  /** Path of the stream, and the name within it where draws go by name: `net c>w1 task-update #3 request`. */
  readonly site: string;
  /** Why it was made: `latency`. */
  readonly reason: string;
  /** What it was drawn from: `20000..500000`, `3 in 10000`. */
  readonly of: string;
  readonly value: string;
}

/** Where draws are told, if anywhere: one of each tree of streams. */
export interface DrawLog {
  onDraw: ((draw: Draw) => void) | undefined;
}

/** Draws from a source of uniform 32-bit numbers. Each says its reason, which costs nothing while nobody listens. */
export class RandomDraws implements RandomStream {
  readonly #next: () => number;
  readonly #log: DrawLog | undefined;
  readonly #site: string;

  constructor(next: () => number, told?: { readonly log: DrawLog; readonly site: string }) {
    this.#next = next;
    this.#log = told?.log;
    this.#site = told?.site ?? "";
  }

  nextInt(bound: number, reason = "number"): number {
    const value = uniformInt(this.#next, bound);
    this.#log?.onDraw?.({ site: this.#site, reason, of: `0..${bound - 1}`, value: String(value) });
    return value;
  }

  nextText(length: number, alphabet: string, reason = "text"): string {
    const value = uniformText(this.#next, length, alphabet);
    this.#log?.onDraw?.({ site: this.#site, reason, of: `${length} letters`, value });
    return value;
  }

  /** Uniform in [low, high], both integers; the span may exceed 32 bits. */
  between(low: number, high: number, reason = "span"): number {
    const value = this.#between(low, high);
    this.#log?.onDraw?.({ site: this.#site, reason, of: `${low}..${high}`, value: String(value) });
    return value;
  }

  /** True in `parts` of `whole` cases. A ratio of 0 draws all the same, so that a changed ratio moves nothing else. */
  chance(parts: number, whole: number, reason = "chance"): boolean {
    const value = uniformInt(this.#next, whole) < parts;
    this.#log?.onDraw?.({ site: this.#site, reason, of: `${parts} in ${whole}`, value: value ? "yes" : "no" });
    return value;
  }

  pick<T>(items: readonly T[], reason = "pick"): T {
    const index = uniformInt(this.#next, items.length);
    const item = items[index];
    if (item === undefined) {
      throw new RangeError("nothing to pick from");
    }
    this.#log?.onDraw?.({ site: this.#site, reason, of: `${items.length} things`, value: tellItem(item, index) });
    return item;
  }

  shuffle<T>(items: readonly T[], reason = "shuffle"): T[] {
    const shuffled = [...items];
    for (let index = shuffled.length - 1; index > 0; index--) {
      const other = uniformInt(this.#next, index + 1);
      const held = shuffled[index] as T;
      shuffled[index] = shuffled[other] as T;
      shuffled[other] = held;
    }
    this.#log?.onDraw?.({ site: this.#site, reason, of: `${items.length} things`, value: shuffled.map(tellItem).join(",") });
    return shuffled;
  }

  #between(low: number, high: number): number {
    const span = high - low + 1;
    if (span <= 2 ** 32) {
      return low + uniformInt(this.#next, span);
    }
    const upper = Math.floor(span / 2 ** 20);
    return Math.min(high, low + uniformInt(this.#next, upper) * 2 ** 20 + uniformInt(this.#next, 2 ** 20));
  }
}

function tellItem(item: unknown, index: number): string {
  return typeof item === "string" || typeof item === "number" ? String(item) : `#${index}`;
}
