/** Where a statement's rows wait for the client: result-buffer.ts for queries, this file for the one row of statements that only do something. */
import { encodeUtf8 } from "../../types/utf8.ts";

/** Rows as a JSON array of arrays, without spaces. */
export interface TakenRows {
  readonly json: Uint8Array;
  readonly rowCount: number;
}

export interface ResultRows {
  /** All rows of the result are here. */
  readonly complete: boolean;
  /** Bytes that a response may take now. */
  readonly availableBytes: number;
  /** A response wants this many bytes. */
  want(bytes: number): void;
  /** Available rows; undefined when there is none. */
  takeRows(bytesMax: number): TakenRows | undefined;
  /** Drops the rows. */
  close(): void;
}

/** A row that is there at once. */
export class FixedRow implements ResultRows {
  #rows: Uint8Array | undefined;
  readonly complete = true;

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

/** `[[true]]`: how data definition and session statements end. */
export class TrueRow extends FixedRow {
  constructor() {
    super([true]);
  }
}
