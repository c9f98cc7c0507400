import { type RandomStream, uniformInt, uniformText } from "../../src/ports/random.ts";

/** One random draw, recorded to explain why two runs diverged. */
export interface Draw {
  /** Path of the stream, and the name within it for draws by name: `net c>w1 task-update #3 request`. */
  readonly site: string;
  /** Reason for the draw: `latency`. */
  readonly reason: string;
  /** Range or ratio of the draw: `20000..500000`, `3 in 10000`. */
  readonly of: string;
  readonly value: string;
}

/** Optional listener for draws; one per tree of streams. */
export interface DrawLog {
  onDraw: ((draw: Draw) => void) | undefined;
}

/** Draws from a source of uniform 32-bit numbers. Each draw carries its reason, which costs nothing without a listener. */
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

  /** Uniform integer in [low, high]. The span may exceed 32 bits. */
  between(low: number, high: number, reason = "span"): number {
    const value = this.#between(low, high);
    this.#log?.onDraw?.({ site: this.#site, reason, of: `${low}..${high}`, value: String(value) });
    return value;
  }

  /** True with probability `parts` / `whole`. A ratio of 0 still draws, so that changing the ratio does not shift later draws. */
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
