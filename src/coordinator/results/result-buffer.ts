/**
 * Buffer of result rows between the root task and the client. Reads the root task's output, renders each page at once and keeps it until a
 * response takes it (row-chunks.ts).
 */
import type { TaskExecution } from "../../execution/task/api.ts";
import type { MemoryContext } from "../../memory/memory.ts";
import type { Clock } from "../../ports/clock.ts";
import { type Frame, releaseAll } from "../../page/frame.ts";
import type { Page } from "../../page/page.ts";
import { decodePage } from "../../page/serde.ts";
import type { Type } from "../../types/type.ts";
import type { CellOptions } from "./cells/cell-writers.ts";
import { GivenRows } from "./given-rows.ts";
import { ResultWriter } from "./result-writer.ts";
import { RowChunks } from "./row-chunks.ts";
import type { ResultRows, TakenRows } from "./rows.ts";

export interface ResultBufferOptions {
  readonly types: readonly Type[];
  readonly clock: Clock;
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

/** The rows do not begin with those that the client has. */
class OtherRows extends Error {}

export class ResultBuffer implements ResultRows {
  readonly #options: ResultBufferOptions;
  readonly #writer: ResultWriter;
  /** One chunk per page. */
  readonly #chunks: RowChunks;
  #rowCount = 0;
  /** Rows that were skipped so far; undefined once all that the client has were. */
  #skipped: GivenRows | undefined;

  constructor(options: ResultBufferOptions) {
    this.#options = options;
    this.#writer = new ResultWriter(options.types, options.memory.linear, options.cells);
    this.#chunks = new RowChunks({ memory: options.memory, holdsLast: options.holdsLastPage, given: options.given });
    this.#skipped = options.given.rowCount > 0 ? new GivenRows() : undefined;
  }

  get complete(): boolean {
    return this.#chunks.complete;
  }

  get isWhole(): boolean {
    return this.#chunks.isWhole;
  }

  /** Rows that have arrived so far. */
  get rowCount(): number {
    return this.#rowCount;
  }

  get availableBytes(): number {
    return this.#chunks.availableBytes;
  }

  get isFull(): boolean {
    return this.#chunks.isFull;
  }

  want(bytes: number): void {
    this.#chunks.want(bytes);
  }

  /** Reads the single output buffer of the root task to its end. */
  async read(task: TaskExecution): Promise<void> {
    const { knobs } = this.#options.memory;
    let token = 0;
    try {
      while (!this.#chunks.isClosed) {
        const result = await task.readBuffer({
          bufferId: 0,
          token,
          bytesMax: knobs.value("result-read-bytes"),
          waitMs: knobs.value("result-read-ms"),
        });
        if (this.#chunks.isClosed) {
          releaseAll(result.frames);
          return;
        }
        await this.#takeAll(result.frames);
        if (this.#chunks.isClosed) {
          return;
        }
        if (result.complete && this.#skipped !== undefined && !this.#options.isCut()) {
          throw new OtherRows();
        }
        token = result.nextToken;
        task.acknowledgeBuffer(0, token);
        if (result.complete) {
          this.#chunks.finish();
          task.destroyBuffer(0);
          this.#options.onChange();
          return;
        }
        if (result.frames.length > 0) {
          this.#options.onChange();
        }
        await this.#chunks.waitForRoom();
      }
    } catch (error) {
      if (!this.#chunks.isClosed) {
        if (error instanceof OtherRows) {
          this.#options.onOtherRows();
        } else {
          this.#options.onFailure(error);
        }
      }
    }
  }

  takeRows(bytesMax: number): TakenRows | undefined {
    return this.#chunks.takeRows(bytesMax);
  }

  /** Stops reading and releases the accounted memory. */
  detach(): void {
    this.#chunks.detach();
    this.#writer.release();
  }

  /** Stops reading and drops the rows. */
  close(): void {
    this.#chunks.close();
    this.#writer.release();
  }

  async #takeAll(frames: readonly Frame[]): Promise<void> {
    try {
      for (const frame of frames) {
        await this.#take(frame);
        if (this.#chunks.isClosed) {
          return;
        }
      }
    } finally {
      releaseAll(frames);
    }
  }

  /** In slices. If the buffer is closed meanwhile, its memory context frees the page. */
  async #take(frame: Frame): Promise<void> {
    const { clock, memory, types } = this.#options;
    const { page, blockAddress } = decodePage(memory.linear, frame, types, memory);
    const skipped = this.#skip(page);
    const sliceRows = Math.max(1, Math.floor(memory.knobs.value("result-slice-cells") / Math.max(1, types.length)));
    for (let first = skipped; first < page.positionCount; first += sliceRows) {
      if (first > skipped) {
        await clock.turn(sliceRows);
        if (this.#chunks.isClosed) {
          return;
        }
      }
      this.#writer.append(page, first, Math.min(page.positionCount, first + sliceRows));
    }
    memory.free(blockAddress);
    const rowCount = page.positionCount - skipped;
    this.#rowCount += page.positionCount;
    const rows = this.#writer.take();
    if (rows !== undefined) {
      this.#chunks.push(rows, rowCount);
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
}
