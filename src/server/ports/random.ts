/**
 * Random streams from the operating system's generator. Slugs, transaction ids, query ids and incarnations are secrets or must be unique,
 * so they must be unpredictable from earlier values. A seeded generator does not guarantee that, however good its statistics; only the
 * simulator uses one.
 */
import { randomFillSync } from "node:crypto";
import { type Random, type RandomStream, uniformInt, uniformText } from "../../ports/random.ts";

/** Fills the words with unpredictable bits. */
export type Entropy = (words: Uint32Array) => void;

/** Words per system call; one call per draw would cost more than the draw. */
const wordsAtOnce = 1024;

export class SystemRandom implements Random {
  readonly #entropy: Entropy;
  readonly #words = new Uint32Array(wordsAtOnce);
  #used = wordsAtOnce;
  /** All streams share the same words: draws are independent of each other. */
  readonly #stream: RandomStream;

  constructor(entropy: Entropy = (words) => void randomFillSync(words)) {
    this.#entropy = entropy;
    const next = (): number => this.#next();
    this.#stream = {
      nextInt: (bound) => uniformInt(next, bound),
      nextText: (length, alphabet) => uniformText(next, length, alphabet),
    };
  }

  stream(_name: string): RandomStream {
    return this.#stream;
  }

  #next(): number {
    if (this.#used === wordsAtOnce) {
      this.#entropy(this.#words);
      this.#used = 0;
    }
    const word = this.#words[this.#used] as number;
    // A word that was handed out must not stay in the process's memory.
    this.#words[this.#used] = 0;
    this.#used++;
    return word;
  }
}
