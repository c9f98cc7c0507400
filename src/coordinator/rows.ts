/** Where a statement's rows wait for the client: result-buffer.ts for queries, this file for the one row of statements that only do something. */
import { encodeUtf8 } from "../types/utf8.ts";

export interface ResultRows {
  /** All rows of the result are here. */
  readonly complete: boolean;
  /** Bytes that a response may take now. */
  readonly availableBytes: number;
  /** A response wants this many bytes. */
  want(bytes: number): void;
  /** The available rows as a JSON array; undefined when there is none. */
  takeRows(bytesMax: number): Uint8Array | undefined;
  /** Drops the rows. */
  close(): void;
}

/** A result that is there at once. */
export class FixedRows implements ResultRows {
  #rows: Uint8Array | undefined;
  readonly complete = true;

  /** `rows`: a JSON array of rows. */
  constructor(rows: string) {
    this.#rows = encodeUtf8(rows);
  }

  get availableBytes(): number {
    return this.#rows?.length ?? 0;
  }

  want(): void {}

  takeRows(): Uint8Array | undefined {
    const rows = this.#rows;
    this.#rows = undefined;
    return rows;
  }

  close(): void {
    this.#rows = undefined;
  }
}

/** `[[true]]`: how data definition and session statements end. */
export class TrueRow extends FixedRows {
  constructor() {
    super("[[true]]");
  }
}
