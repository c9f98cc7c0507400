/**
 * The result rows of a statement: result-buffer.ts for queries, and the classes here for statements with one fixed row.
 */
import { encodeUtf8 } from "../../types/utf8.ts";

/** Rows as a JSON array of arrays, without spaces. */
export interface TakenRows {
  readonly json: Uint8Array;
  readonly rowCount: number;
}

export interface ResultRows {
  /** True if all rows of the result have arrived. */
  readonly complete: boolean;
  /** Bytes that a response can take now. */
  readonly availableBytes: number;
  /** True if reading pauses until the client takes rows. */
  readonly isFull: boolean;
  /** Sets the size that the next response wants, in bytes. */
  want(bytes: number): void;
  /** Takes available rows; undefined if there are none. */
  takeRows(bytesMax: number): TakenRows | undefined;
  /** Drops the rows. */
  close(): void;
}

/** A single row that is available at once. */
export class FixedRow implements ResultRows {
  #rows: Uint8Array | undefined;
  readonly complete = true;
  readonly isFull = false;

  constructor(cells: readonly (string | boolean)[]) {
    this.#rows = encodeUtf8(JSON.stringify([cells]));
  }

  get availableBytes(): number {
    return this.#rows?.length ?? 0;
  }

  want(): void {}

  takeRows(): TakenRows | undefined {
    const json = this.#rows;
    this.#rows = undefined;
    return json === undefined ? undefined : { json, rowCount: 1 };
  }

  close(): void {
    this.#rows = undefined;
  }
}

/** `[[true]]`: the result of data definition and session statements. */
export class TrueRow extends FixedRow {
  constructor() {
    super([true]);
  }
}
