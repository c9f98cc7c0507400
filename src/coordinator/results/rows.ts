/**
 * The result rows of a statement: result-buffer.ts for queries with tasks, and the classes here for rows that are known at once.
 */
import { encodeUtf8 } from "../../types/utf8.ts";
import type { GivenRows } from "./given-rows.ts";

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
  /** True if no more rows come before the client has those that are available. */
  readonly isWhole: boolean;
  /** Sets the size that the next response wants, in bytes. The client has what was taken before. */
  want(bytes: number): void;
  /** Takes available rows; undefined if there are none. */
  takeRows(bytesMax: number): TakenRows | undefined;
  /** Drops the rows. */
  close(): void;
}

/** Rows that are available at once and are given out at once. */
export class FixedRows implements ResultRows {
  #rows: TakenRows | undefined;
  readonly #given: GivenRows | undefined;
  readonly complete = true;
  readonly isFull = false;
  readonly isWhole = true;

  /** `given`: of the client, which has none of these rows yet. */
  constructor(rows: TakenRows, given?: GivenRows) {
    this.#rows = rows.rowCount === 0 ? undefined : rows;
    this.#given = given;
  }

  get availableBytes(): number {
    return this.#rows?.json.length ?? 0;
  }

  want(): void {}

  takeRows(): TakenRows | undefined {
    const rows = this.#rows;
    this.#rows = undefined;
    if (rows !== undefined) {
      this.#given?.add(rows.json.subarray(1, -1), rows.rowCount);
    }
    return rows;
  }

  close(): void {
    this.#rows = undefined;
  }
}

export function noRows(): ResultRows {
  return new FixedRows({ json: encodeUtf8("[]"), rowCount: 0 });
}

/** A single row that is available at once. */
export class FixedRow extends FixedRows {
  constructor(cells: readonly (string | number | boolean)[]) {
    super({ json: encodeUtf8(JSON.stringify([cells])), rowCount: 1 });
  }
}

/** `[[true]]`: the result of data definition and session statements. */
export class TrueRow extends FixedRow {
  constructor() {
    super([true]);
  }
}

/** `[[3]]`: the number of rows that a statement has changed at their source. */
export class CountRow extends FixedRow {
  constructor(rows: number) {
    super([rows]);
  }
}
