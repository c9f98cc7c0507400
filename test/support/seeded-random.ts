/**
 * Named random streams from one seed. Each stream is an independent generator, so draws in one do not affect another.
 */
import seedrandom from "seedrandom";
import { type Random, type RandomStream, uniformInt, uniformText } from "../../src/ports/random.ts";

class SeededStream implements RandomStream {
  readonly #generator: () => number;

  constructor(seed: string) {
    const generator = seedrandom.xor4096(seed);
    this.#generator = () => generator.int32() >>> 0;
  }

  nextInt(bound: number): number {
    return uniformInt(this.#generator, bound);
  }

  nextText(length: number, alphabet: string): string {
    return uniformText(this.#generator, length, alphabet);
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
