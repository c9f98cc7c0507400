/**
 * A tree of random streams, one per decision site. A stream is found by its path (`net/link(w1->c)/delay`), so a site that is switched off
 * leaves every other draw in place. Integers only: probabilities are ratios, times are nanoseconds.
 */
import seedrandom from "seedrandom";
import { type Random, type RandomStream, uniformInt, uniformText } from "../../src/ports/random.ts";

export class Stream implements RandomStream {
  readonly #next: () => number;
  /** Draws made so far; part of what a trace may show. */
  draws = 0;

  constructor(seed: string) {
    const generator = seedrandom.xor128(seed);
    this.#next = () => {
      this.draws++;
      return generator.int32() >>> 0;
    };
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

export class StreamTree {
  readonly #path: string;
  readonly #known: Map<string, Stream>;

  private constructor(path: string, known: Map<string, Stream>) {
    this.#path = path;
    this.#known = known;
  }

  static root(seed: string): StreamTree {
    return new StreamTree(`orrery/${seed}`, new Map());
  }

  child(name: string): StreamTree {
    return new StreamTree(`${this.#path}/${name}`, this.#known);
  }

  /** The same path gives the same stream object, so draws go on where they were. */
  stream(name: string): Stream {
    const path = `${this.#path}/${name}`;
    const known = this.#known.get(path);
    if (known !== undefined) {
      return known;
    }
    const stream = new Stream(path);
    this.#known.set(path, stream);
    return stream;
  }

  /** As the Random port of a node. */
  asRandom(): Random {
    return { stream: (name) => this.stream(name) };
  }
}
