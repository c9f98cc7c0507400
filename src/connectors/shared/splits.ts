/** The splits of a table in their order. A table may have very many, and a query may want few of them: each is made when somebody asks for it. */
import type { Split } from "../spi.ts";

/** An array is one. */
export interface SplitList extends Iterable<Split> {
  readonly length: number;
  at(index: number): Split | undefined;
}

/** Splits that follow from their index and may be read anywhere. */
export class ComputedSplits implements SplitList {
  readonly length: number;
  readonly #make: (index: number) => Split;

  constructor(length: number, make: (index: number) => Split) {
    this.length = length;
    this.#make = make;
  }

  at(index: number): Split | undefined {
    return index >= 0 && index < this.length ? this.#make(index) : undefined;
  }

  /** Of every `step` splits one, from `first` on. */
  everyNth(first: number, step: number): ComputedSplits {
    return new ComputedSplits(Math.max(0, Math.ceil((this.length - first) / step)), (index) => this.#make(first + index * step));
  }

  *[Symbol.iterator](): Iterator<Split> {
    for (let index = 0; index < this.length; index++) {
      yield this.#make(index);
    }
  }
}
