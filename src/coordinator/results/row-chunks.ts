/**
 * Rendered rows between their source and the client. The source pauses while the rows of a whole response are here, or, in step with the
 * client, until the client has all rows. If the final response must carry rows, the last chunk is held back until the end is known.
 */
import { bufferBound } from "../../memory/headroom.ts";
import type { MemoryContext } from "../../memory/memory.ts";
import { Signal } from "../../ports/signal.ts";
import type { GivenRows } from "./given-rows.ts";
import { targetResultBytes, targetResultBytesMax } from "./result-size.ts";
import type { ResultRows, TakenRows } from "./rows.ts";

export interface RowChunksOptions {
  /** The rows are charged to it. */
  readonly memory: MemoryContext;
  /** True if the last response must carry rows. */
  readonly holdsLast: boolean;
  /** Those that are taken are added. */
  readonly given: GivenRows;
  /** Defined if the source is in step with the client. Takes whole rows until at least `bytes` are taken. */
  readonly divide?: (rows: Uint8Array, until: { readonly bytes: number }) => Chunk & { readonly rest: Uint8Array };
}

interface Chunk {
  /** JSON rows without the outer brackets. */
  readonly rows: Uint8Array;
  readonly rowCount: number;
}

const openBracket = 0x5b;
const closeBracket = 0x5d;
const comma = 0x2c;

export class RowChunks implements ResultRows {
  readonly #options: RowChunksOptions;
  readonly #room = new Signal();
  #chunks: Chunk[] = [];
  #bytes = 0;
  readonly #aheadBytesMax: number;
  #wantedBytes: number;
  #complete = false;
  #closed = false;
  #charged = true;
  /** The client has what was taken. */
  #acknowledged = true;

  constructor(options: RowChunksOptions) {
    this.#options = options;
    this.#aheadBytesMax = Math.min(targetResultBytesMax, options.memory.knobs.value("result-buffer-bytes"));
    this.#wantedBytes = Math.min(targetResultBytes, this.#aheadBytesMax);
  }

  get complete(): boolean {
    return this.#complete;
  }

  /** No more rows are accepted. */
  get isClosed(): boolean {
    return this.#closed;
  }

  get availableBytes(): number {
    return this.#bytes - (this.held?.length ?? 0);
  }

  get isFull(): boolean {
    return !this.#complete && !this.#hasRoom;
  }

  get isWhole(): boolean {
    return this.#complete || this.#options.divide !== undefined || !this.#hasRoom;
  }

  get #hasRoom(): boolean {
    return this.#options.divide === undefined
      ? this.availableBytes < bufferBound(this.#options.memory, this.#wantedBytes)
      : this.#acknowledged && this.availableBytes === 0;
  }

  /** The chunk that is held back. */
  get held(): Uint8Array | undefined {
    return this.#holdsLast ? this.#chunks.at(-1)?.rows : undefined;
  }

  get #holdsLast(): boolean {
    return this.#options.holdsLast && !this.#complete;
  }

  want(bytes: number): void {
    this.#wantedBytes = Math.min(Math.max(bytes, 1), this.#aheadBytesMax);
    this.#acknowledged = true;
    this.#room.fire();
  }

  /** Throws if the query's memory has no room. */
  push(rows: Uint8Array, rowCount: number): void {
    this.#options.memory.reserve(rows.length);
    this.#chunks.push({ rows, rowCount });
    this.#bytes += rows.length;
  }

  /** All rows have been pushed. */
  finish(): void {
    this.#complete = true;
  }

  /** Resolves when the source should go on. */
  async waitForRoom(): Promise<void> {
    while (!this.#closed && !this.#hasRoom) {
      await this.#room.next();
    }
  }

  /** Takes chunks until at least `bytesMax` bytes are taken. */
  takeRows(bytesMax: number): TakenRows | undefined {
    const count = this.#holdsLast ? this.#chunks.length - 1 : this.#chunks.length;
    let taken = 0;
    let bytes = 0;
    while (taken < count && (taken === 0 || bytes < bytesMax)) {
      this.#divide(taken, bytesMax - bytes);
      bytes += this.#chunks[taken]?.rows.length ?? 0;
      taken += 1;
    }
    if (taken === 0) {
      return undefined;
    }
    const chunks = this.#chunks.splice(0, taken);
    for (const { rows, rowCount } of chunks) {
      this.#options.given.add(rows, rowCount);
    }
    this.#acknowledged = false;
    this.#release(bytes);
    this.#room.fire();
    return { json: join(chunks, bytes), rowCount: chunks.reduce((sum, { rowCount }) => sum + rowCount, 0) };
  }

  /** Makes two of a chunk with more rows than a response wants. */
  #divide(index: number, bytes: number): void {
    const chunk = this.#chunks[index];
    const { divide } = this.#options;
    if (chunk === undefined || divide === undefined || chunk.rows.length <= bytes) {
      return;
    }
    const { rest, ...first } = divide(chunk.rows, { bytes });
    if (rest.length > 0) {
      this.#chunks.splice(index, 1, first, { rows: rest, rowCount: chunk.rowCount - first.rowCount });
      this.#release(chunk.rows.length - first.rows.length - rest.length);
    }
  }

  #release(bytes: number): void {
    this.#bytes -= bytes;
    if (this.#charged) {
      this.#options.memory.release(bytes);
    }
  }

  /** Drops the rows that are here; others may follow. */
  clear(): void {
    this.#release(this.#bytes);
    this.#chunks = [];
  }

  /**
   * The query has ended and its memory context is about to close. Releases the accounted memory; buffered rows (at most one response) stay
   * available.
   */
  detach(): void {
    this.#closed = true;
    if (this.#charged) {
      this.#charged = false;
      this.#options.memory.release(this.#bytes);
    }
    this.#room.fire();
  }

  /** Drops the rows. */
  close(): void {
    this.detach();
    this.clear();
  }
}

function join(chunks: readonly Chunk[], bytes: number): Uint8Array {
  const joined = new Uint8Array(bytes + chunks.length + 1);
  let at = 0;
  joined[at++] = openBracket;
  for (const { rows } of chunks) {
    if (at > 1) {
      joined[at++] = comma;
    }
    joined.set(rows, at);
    at += rows.length;
  }
  joined[at++] = closeBracket;
  return joined;
}
