/**
 * The parts of a table that are read one by one. A table may have very many, and a query may read few of them: each is made when it is
 * asked for.
 */
import type { Json } from "../table-metadata.ts";

export interface Split {
  readonly payload: Json;
  /** Ids of the nodes that have its rows; absent: no node is better than another. Any node must be able to read it. */
  readonly nodes?: readonly string[];
  /** Splits of one group are read by one task: group g by task g mod D, if the scan has D tasks. Absent: the index of the split. */
  readonly group?: number;
  /** Estimated rows. The number of tasks of the scan depends on them, so they must not depend on the cluster. */
  readonly rows?: number;
  /** Size, if the rows are not known. */
  readonly bytes?: number;
}

/** The splits of a table in their order. An array is such a list. */
export interface SplitList extends Iterable<Split> {
  readonly length: number;
  at(index: number): Split | undefined;
}

/** Splits that are computed from their index and may be read on any node. */
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

  /** Every `step`th split, from `first` on. */
  everyNth(first: number, step: number): ComputedSplits {
    return new ComputedSplits(Math.max(0, Math.ceil((this.length - first) / step)), (index) => this.#make(first + index * step));
  }

  *[Symbol.iterator](): Iterator<Split> {
    for (let index = 0; index < this.length; index++) {
      yield this.#make(index);
    }
  }
}
