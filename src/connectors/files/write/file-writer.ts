/**
 * A file that is written: rows go in, bytes come out.
 */
import type { Page } from "../../../page/page.ts";

/** Rows of a page: `index(ids)[k]` is the place of the k-th row's value in a column with these ids; undefined if that is k. */
export interface RowIndex {
  index(ids: number): Uint32Array | undefined;
}

export interface FileWriter {
  readonly rows: number;
  /** Bytes of the file so far, about. */
  readonly fileBytes: number;
  /** Bytes that `flush` would let go. */
  readonly heldBytes: number;
  /** Bytes that `take` would return. */
  readonly takenBytes: number;
  /** Rows [from, to) of `rows`. */
  append(page: Page, rows: RowIndex, from: number, to: number): void;
  flush(): void;
  /** Ends the file: what is left to take is its end. */
  finish(): void;
  /** The next bytes of the file. */
  take(): Uint8Array;
  /** Gives back what it has reserved. Idempotent. */
  close(): void;
}

/** Some rows of a page, by their positions. */
export class SomeRows implements RowIndex {
  readonly #all: RowIndex;
  readonly #positions: Uint32Array;
  readonly #indexes = new Map<number, Uint32Array>();

  constructor(all: RowIndex, positions: Uint32Array) {
    this.#all = all;
    this.#positions = positions;
  }

  index(ids: number): Uint32Array {
    const known = this.#indexes.get(ids);
    if (known !== undefined) {
      return known;
    }
    const all = this.#all.index(ids);
    const index = all === undefined ? this.#positions : this.#positions.map((position) => all[position] as number);
    this.#indexes.set(ids, index);
    return index;
  }
}
