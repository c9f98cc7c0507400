/**
 * The last operator of a task encodes pages into frames of the output buffer. TaskOutputOperator gives each page to one buffer, to all of
 * them (broadcast) or to each in turn (round-robin). PartitionedOutputOperator distributes the rows by a hash of their keys. Small pages
 * are combined first, so that a frame is worth its request. Where frames are cut depends on rows and bytes alone.
 */
import { encodePage } from "../../../page/serde.ts";
import type { StringCopier } from "../../../page/gather.ts";
import type { Frame } from "../../../page/frame.ts";
import type { Page } from "../../../page/page.ts";
import { physicalType, type Type } from "../../../types/type.ts";
import { BaseOperator, type OperatorContext } from "../operator.ts";
import type { OutputBuffer } from "../../exchange/output-buffer.ts";
import { selectColumns, slicePage } from "../pages.ts";
import { RowPartitioner } from "../../hash-table/row-partitioner.ts";
import { RowStore } from "../../hash-table/row-store.ts";
import { KernelStringCopier } from "./string-copier.ts";

const frameRowsMinEarly = 16;
/** A page of as many columns waits for no rows: to collect them, each column would have a block of memory of its own. */
const wideColumnsMin = 1_000;
/** A frame has at most this many times the rows for which a page waits. */
const frameRowsFactor = 8;

interface FrameOptions {
  readonly context: OperatorContext;
  readonly types: readonly Type[];
  /** Frames keep no dictionaries, because their rows may come from a join that spills, and that has none. */
  readonly isPlain: boolean;
}

/** Rows collected for one buffer. */
class FrameWriter {
  readonly #store: RowStore;
  readonly #emit: (frame: Frame) => void;
  readonly #context: OperatorContext;
  /** True without string columns; strings would be copied once more. */
  readonly #isFixed: boolean;
  readonly #isWide: boolean;
  /** A page with fewer rows waits for more. */
  readonly #rowsMin: number;
  readonly #bytesMin: number;
  readonly #isPlain: boolean;
  readonly #copier: StringCopier;

  constructor({ context, types, isPlain }: FrameOptions, copier: StringCopier, emit: (frame: Frame) => void) {
    this.#context = context;
    this.#emit = emit;
    const { points } = context.services.ports;
    this.#rowsMin = points.fires("page-cut-early") ? frameRowsMinEarly : context.memory.knobs.value("frame-rows");
    this.#bytesMin = context.memory.knobs.value("frame-bytes");
    this.#isPlain = isPlain || points.fires("page-without-dictionary");
    this.#isWide = types.length >= wideColumnsMin;
    this.#isFixed = types.every((type) => physicalType(type) !== "bytes");
    this.#store = new RowStore({ runtime: context.services.runtime, memory: context.memory, types });
    this.#copier = copier;
  }

  /** Frames do not depend on the layout of the page: a join gives other layouts when it has spilled. */
  write(page: Page): void {
    if (this.#isWide || (page.positionCount >= this.#rowsMin && !this.#isFixed)) {
      // Flushed first, to keep the order of the rows.
      this.flush();
      this.#encode(page);
      return;
    }
    if (page.positionCount >= this.#rowsMin && this.#store.rowCount === 0 && isFlat(page)) {
      // The same frames as below, without a copy.
      this.#encode(page);
      return;
    }
    // A kernel gathers the selected rows of a page, which are then copied as a whole.
    this.#store.append(page);
    if (this.#store.rowCount >= this.#rowsMin || this.#store.dataBytes >= this.#bytesMin) {
      this.flush();
    }
  }

  flush(): void {
    if (this.#store.rowCount > 0) {
      this.#encode(this.#store.page());
      this.#store.reset();
    }
  }

  close(): void {
    this.#store.close();
  }

  #encode(page: Page): void {
    const { memory, services } = this.#context;
    const options = { isPlain: this.#isPlain, pool: services.frames, copier: this.#copier };
    const rowsMax = this.#rowsMin * frameRowsFactor;
    for (let from = 0; from < page.positionCount; from += rowsMax) {
      const rows = Math.min(rowsMax, page.positionCount - from);
      const part = rows === page.positionCount ? page : slicePage(page, from, rows);
      this.#emit(encodePage(memory.linear, part, options));
    }
  }
}

function copierOf({ memory, services }: OperatorContext): StringCopier {
  return new KernelStringCopier(services.runtime, memory);
}

function isFlat({ selection, columns }: Page): boolean {
  return selection === 0 && columns.every(({ ids }) => ids === 0);
}

export interface TaskOutputOptions extends FrameOptions {
  readonly buffer: OutputBuffer;
  /** Columns of the incoming pages, in output order. */
  readonly channels: readonly number[];
  /** Frame k goes to partition k modulo the number of partitions. */
  readonly roundRobin: boolean;
}

export class TaskOutputOperator extends BaseOperator {
  readonly #options: TaskOutputOptions;
  readonly #writer: FrameWriter;
  #frames = 0;

  constructor(options: TaskOutputOptions) {
    super(options.context);
    this.#options = options;
    this.#writer = new FrameWriter(options, copierOf(options.context), (frame) => this.#emit(frame));
  }

  get needsInput(): boolean {
    return !this.finishing && this.#options.buffer.blocked() === undefined;
  }

  get isFinished(): boolean {
    return this.finishing || this.#options.buffer.isFinished;
  }

  addInput(page: Page): void {
    this.#writer.write(selectColumns(page, this.#options.channels));
  }

  getOutput(): undefined {
    return undefined;
  }

  override finish(): void {
    this.#writer.flush();
    this.finishing = true;
  }

  override blocked(): Promise<void> | undefined {
    return this.finishing ? undefined : this.#options.buffer.blocked();
  }

  override close(): void {
    this.#writer.close();
  }

  #emit(frame: Frame): void {
    const { buffer, roundRobin } = this.#options;
    buffer.add(roundRobin ? this.#frames % buffer.partitionCount : 0, frame);
    this.#frames++;
  }
}

export interface PartitionedOutputOptions extends FrameOptions {
  readonly buffer: OutputBuffer;
  readonly channels: readonly number[];
  /** Columns of the incoming pages whose values determine the partition. */
  readonly keyChannels: readonly number[];
}

export class PartitionedOutputOperator extends BaseOperator {
  readonly #options: PartitionedOutputOptions;
  readonly #writers: readonly FrameWriter[];
  readonly #partitioner: RowPartitioner;

  constructor(options: PartitionedOutputOptions) {
    super(options.context);
    const { context, buffer } = options;
    const { memory, services } = context;
    this.#options = options;
    const copier = copierOf(context);
    this.#writers = Array.from(
      { length: buffer.partitionCount },
      (_, partition) => new FrameWriter(options, copier, (frame) => buffer.add(partition, frame)),
    );
    this.#partitioner = new RowPartitioner({
      runtime: services.runtime,
      memory,
      keyCount: options.keyChannels.length,
      partitionCount: buffer.partitionCount,
      level: 0,
    });
  }

  get needsInput(): boolean {
    return !this.finishing && this.#options.buffer.blocked() === undefined;
  }

  get isFinished(): boolean {
    return this.finishing || this.#options.buffer.isFinished;
  }

  addInput(page: Page): void {
    const { keyChannels, channels } = this.#options;
    this.#partitioner.split(selectColumns(page, keyChannels), selectColumns(page, channels).columns, (partition, rows) =>
      (this.#writers[partition] as FrameWriter).write(rows),
    );
  }

  getOutput(): undefined {
    return undefined;
  }

  override finish(): void {
    for (const writer of this.#writers) {
      writer.flush();
    }
    this.finishing = true;
  }

  override blocked(): Promise<void> | undefined {
    return this.finishing ? undefined : this.#options.buffer.blocked();
  }

  override close(): void {
    for (const writer of this.#writers) {
      writer.close();
    }
  }
}
