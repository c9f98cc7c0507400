/**
 * Buffer of result rows between the root task and the client. Reads the root task's output, renders each page at once and keeps it until a
 * response takes it. Reading pauses while the rows of a whole response are buffered. If the final response must carry rows, the last page
 * is held back until the end is known.
 */
import type { TaskExecution } from "../../execution/task/api.ts";
import type { MemoryContext } from "../../memory/memory.ts";
import { type Frame, releaseAll } from "../../page/frame.ts";
import type { Page } from "../../page/page.ts";
import { decodePage } from "../../page/serde.ts";
import { Signal } from "../../ports/signal.ts";
import type { Type } from "../../types/type.ts";
import type { CellOptions } from "./cells/cell-writers.ts";
import { GivenRows } from "./given-rows.ts";
import { ResultWriter } from "./result-writer.ts";
import type { ResultRows, TakenRows } from "./rows.ts";

export interface ResultBufferOptions {
  readonly types: readonly Type[];
  readonly memory: MemoryContext;
  readonly cells: CellOptions;
  /** True if the last response must carry rows. */
  readonly holdsLastPage: boolean;
  /** Rows that the client already has. The buffer skips them, and adds those that it gives out. */
  readonly given: GivenRows;
  /** Called after every change that a waiting response could depend on. */
  readonly onChange: () => void;
  /** Whether a stage was ended early: the rows may then end before those that the client has, and it gets no more. */
  readonly isCut: () => boolean;
  /** Called if the rows do not begin with those that the client has. */
  readonly onOtherRows: () => void;
  readonly onFailure: (error: unknown) => void;
}

/** Target size of the rendered rows that are buffered beyond the current response, in bytes. */
export const targetResultBytes: number = 1024 * 1024;
/** Upper bound of a client's targetResultSize, in bytes. */
export const targetResultBytesMax: number = 16 * 1024 * 1024;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const comma = 0x2c;

/** The rows do not begin with those that the client has. */
class OtherRows extends Error {}

interface Chunk {
  /** JSON rows without the outer brackets. */
  readonly rows: Uint8Array;
  readonly rowCount: number;
}

export class ResultBuffer implements ResultRows {
  readonly #options: ResultBufferOptions;
  readonly #writer: ResultWriter;
  readonly #room = new Signal();
  /** Rendered rows, one chunk per page. */
  #chunks: Chunk[] = [];
  #bytes = 0;
  readonly #aheadBytesMax: number;
  #wantedBytes: number;
  #complete = false;
  #closed = false;
  #charged = true;
  #rowCount = 0;
  /** Rows that were skipped so far; undefined once all that the client has were. */
  #skipped: GivenRows | undefined;

  constructor(options: ResultBufferOptions) {
    this.#options = options;
    this.#writer = new ResultWriter(options.types, options.memory.linear, options.cells);
    this.#aheadBytesMax = Math.min(targetResultBytesMax, options.memory.knobs.value("result-buffer-bytes"));
    this.#wantedBytes = Math.min(targetResultBytes, this.#aheadBytesMax);
    this.#skipped = options.given.rowCount > 0 ? new GivenRows() : undefined;
  }

  /** True if all rows of the result have arrived. */
  get complete(): boolean {
    return this.#complete;
  }

  /** Rows that have arrived so far. */
  get rowCount(): number {
    return this.#rowCount;
  }

  /** Bytes that a response can take now. */
  get availableBytes(): number {
    const held = this.#holdsLast ? (this.#chunks.at(-1)?.rows.length ?? 0) : 0;
    return this.#bytes - held;
  }

  get isFull(): boolean {
    return !this.#complete && this.availableBytes >= this.#wantedBytes;
  }

  get #holdsLast(): boolean {
    return this.#options.holdsLastPage && !this.#complete;
  }

  /** Sets the size that the next response wants, in bytes. */
  want(bytes: number): void {
    this.#wantedBytes = Math.min(Math.max(bytes, 1), this.#aheadBytesMax);
    this.#room.fire();
  }

  /** Reads the single output buffer of the root task to its end. */
  async read(task: TaskExecution): Promise<void> {
    const { knobs } = this.#options.memory;
    let token = 0;
    try {
      while (!this.#closed) {
        const result = await task.readBuffer({
          bufferId: 0,
          token,
          bytesMax: knobs.value("result-read-bytes"),
          waitMs: knobs.value("result-read-ms"),
        });
        if (this.#closed) {
          releaseAll(result.frames);
          return;
        }
        this.#takeAll(result.frames);
        if (result.complete && this.#skipped !== undefined && !this.#options.isCut()) {
          throw new OtherRows();
        }
        token = result.nextToken;
        task.acknowledgeBuffer(0, token);
        if (result.complete) {
          this.#complete = true;
          task.destroyBuffer(0);
          this.#options.onChange();
          return;
        }
        if (result.frames.length > 0) {
          this.#options.onChange();
        }
        await this.#waitForRoom();
      }
    } catch (error) {
      if (!this.#closed) {
        if (error instanceof OtherRows) {
          this.#options.onOtherRows();
        } else {
          this.#options.onFailure(error);
        }
      }
    }
  }

  /** Takes whole pages until at least `bytesMax` bytes are taken. */
  takeRows(bytesMax: number): TakenRows | undefined {
    const count = this.#holdsLast ? this.#chunks.length - 1 : this.#chunks.length;
    let taken = 0;
    let bytes = 0;
    while (taken < count && (taken === 0 || bytes < bytesMax)) {
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
    this.#bytes -= bytes;
    if (this.#charged) {
      this.#options.memory.release(bytes);
    }
    this.#room.fire();
    return { json: join(chunks, bytes), rowCount: chunks.reduce((sum, { rowCount }) => sum + rowCount, 0) };
  }

  /**
   * The query has ended and its memory context is about to close. Stops reading and releases the accounted memory; buffered rows (at most
   * one response) stay available.
   */
  detach(): void {
    this.#closed = true;
    if (this.#charged) {
      this.#charged = false;
      this.#options.memory.release(this.#bytes);
    }
    this.#writer.release();
    this.#room.fire();
  }

  /** Stops reading and drops the rows. */
  close(): void {
    this.detach();
    this.#chunks = [];
    this.#bytes = 0;
  }

  #takeAll(frames: readonly Frame[]): void {
    try {
      for (const frame of frames) {
        this.#take(frame);
      }
    } finally {
      releaseAll(frames);
    }
  }

  #take(frame: Frame): void {
    const { memory, types } = this.#options;
    const { page, blockAddress } = decodePage(memory.linear, frame, types, memory);
    const skipped = this.#skip(page);
    this.#writer.append(page, skipped);
    memory.free(blockAddress);
    const rowCount = page.positionCount - skipped;
    this.#rowCount += page.positionCount;
    const rows = this.#writer.take();
    if (rows !== undefined) {
      this.#options.memory.reserve(rows.length);
      this.#chunks.push({ rows, rowCount });
      this.#bytes += rows.length;
    }
  }

  /** Returns the number of rows at the start of the page that the client already has. */
  #skip(page: Page): number {
    const skipped = this.#skipped;
    const { given } = this.#options;
    if (skipped === undefined) {
      return 0;
    }
    const count = Math.min(page.positionCount, given.rowCount - skipped.rowCount);
    this.#writer.append(page, 0, count);
    skipped.add(this.#writer.take() ?? new Uint8Array(0), count);
    if (skipped.rowCount === given.rowCount) {
      this.#skipped = undefined;
      if (!skipped.equals(given)) {
        throw new OtherRows();
      }
    }
    return count;
  }

  async #waitForRoom(): Promise<void> {
    while (!this.#closed && this.availableBytes >= this.#wantedBytes) {
      await this.#room.next();
    }
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
