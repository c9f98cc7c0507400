import { type RandomStream, uniformInt, uniformText } from "../../src/ports/random.ts";

/** Draws from a source of uniform 32-bit numbers. */
export class RandomDraws implements RandomStream {
  readonly #next: () => number;

  constructor(next: () => number) {
    this.#next = next;
  }

  nextInt(bound: number): number {
    return uniformInt(this.#next, bound);
  }

  nextText(length: number, alphabet: string): string {
    return uniformText(this.#next, length, alphabet);
  }

  /** Uniform in [low, high], both integers; the span may exceed 32 bits. */
  between(low: number, high: number): number {
    const span = high - low + 1;
    if (span <= 2 ** 32) {
      return low + this.nextInt(span);
    }
    const upper = Math.floor(span / 2 ** 20);
    return Math.min(high, low + this.nextInt(upper) * 2 ** 20 + this.nextInt(2 ** 20));
  }

  /** True in `parts` of `whole` cases. A ratio of 0 draws all the same, so that a changed ratio moves nothing else. */
  chance(parts: number, whole: number): boolean {
    return this.nextInt(whole) < parts;
  }

  pick<T>(items: readonly T[]): T {
    const item = items[this.nextInt(items.length)];
    if (item === undefined) {
      throw new RangeError("nothing to pick from");
    }
    return item;
  }

  shuffle<T>(items: readonly T[]): T[] {
    const shuffled = [...items];
    for (let index = shuffled.length - 1; index > 0; index--) {
      const other = this.nextInt(index + 1);
      const held = shuffled[index] as T;
      shuffled[index] = shuffled[other] as T;
      shuffled[other] = held;
    }
    return shuffled;
  }
}
