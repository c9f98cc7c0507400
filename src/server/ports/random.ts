/**
 * Random streams from the operating system's generator. Slugs, transaction ids, query ids and incarnations of nodes are secrets or must be unique, so nobody may be able
 * to predict the next one from those seen. A generator with a seed, however good its statistics, does not promise that; the simulator has one of its own.
 */
import { randomFillSync } from "node:crypto";
import { type Random, type RandomStream, uniformInt, uniformText } from "../../ports/random.ts";

/** Fills the words with bits that cannot be predicted. */
export type Entropy = (words: Uint32Array) => void;

/** Words fetched at once: a system call for each draw would cost more than the draw. */
const wordsAtOnce = 1024;

export class SystemRandom implements Random {
  readonly #entropy: Entropy;
  readonly #words = new Uint32Array(wordsAtOnce);
  #used = wordsAtOnce;
  /** Every stream draws from the same words: no draw says anything about another. */
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
    // A word that was handed out must not be found in the memory of the process.
    this.#words[this.#used] = 0;
    this.#used++;
    return word;
  }
}
