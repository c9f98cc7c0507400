/** Named streams from one seed: each stream is its own generator, so a draw in one never moves another. */
import seedrandom from "seedrandom";
import type { Random, RandomStream } from "../ports/random.ts";

class SeededStream implements RandomStream {
  readonly #generator: () => number;

  constructor(seed: string) {
    const generator = seedrandom.xor4096(seed);
    this.#generator = () => generator.int32() >>> 0;
  }

  nextInt(bound: number): number {
    if (!Number.isInteger(bound) || bound < 1 || bound > 2 ** 32) {
      throw new RangeError(`bound ${bound} is not in [1, 2^32]`);
    }
    // Rejection keeps the draw uniform: the tail that does not fill a whole round is drawn again.
    const fair = 2 ** 32 - (2 ** 32 % bound);
    let drawn = this.#generator();
    while (drawn >= fair) {
      drawn = this.#generator();
    }
    return drawn % bound;
  }

  nextText(length: number, alphabet: string): string {
    let text = "";
    for (let index = 0; index < length; index++) {
      text += alphabet.charAt(this.nextInt(alphabet.length));
    }
    return text;
  }
}

export class SeededRandom implements Random {
  readonly #seed: string;
  readonly #streams = new Map<string, RandomStream>();

  constructor(seed: string) {
    this.#seed = seed;
  }

  stream(name: string): RandomStream {
    const known = this.#streams.get(name);
    if (known !== undefined) {
      return known;
    }
    const stream = new SeededStream(`${this.#seed}/${name}`);
    this.#streams.set(name, stream);
    return stream;
  }
}
