/**
 * The last operator of a task encodes pages into frames of the output buffer. TaskOutputOperator gives each page to one buffer, to all of
 * them (broadcast) or to each in turn (round-robin). PartitionedOutputOperator distributes the rows by a hash of their keys. Small pages
 * are combined first, so that a frame is worth its request. Where frames are cut depends on rows and bytes alone.
 */
import { type InputLayout, openInput } from "../../expressions/columns.ts";
import { buildKernel, i32, i64 } from "../../../codegen/builder.ts";
import type { Kernel } from "../../../codegen/ir.ts";
import { encodePage } from "../../../page/serde.ts";
import type { Address } from "../../../memory/memory.ts";
import type { Frame } from "../../../page/frame.ts";
import type { Page } from "../../../page/page.ts";
import { pageRowsMax } from "../../../page/page.ts";
import { physicalType, type Type } from "../../../types/type.ts";
import { emitKeyHash } from "../../hash-table/key-hash.ts";
import { KernelByLayout, PageArguments } from "../kernel-cache.ts";
import { BaseOperator, type OperatorContext } from "../operator.ts";
import type { OutputBuffer } from "../../exchange/output-buffer.ts";
import { selectColumns, slicePage } from "../pages.ts";
import { RowStore } from "../../hash-table/row-store.ts";

const frameRowsMinEarly = 16;
/** A frame has at most this many times the rows for which a page waits. */
const frameRowsFactor = 8;

/** Rows collected for one buffer. */
class FrameWriter {
  readonly #store: RowStore;
  readonly #emit: (frame: Frame) => void;
  readonly #context: OperatorContext;
  /** True without string columns; strings would be copied once more. */
  readonly #isFixed: boolean;
  /** A page with fewer rows waits for more. */
  readonly #rowsMin: number;
  readonly #bytesMin: number;
  readonly #isPlain: boolean;

  constructor(context: OperatorContext, types: readonly Type[], emit: (frame: Frame) => void) {
    this.#context = context;
    this.#emit = emit;
    const { points } = context.services.ports;
    this.#rowsMin = points.fires("page-cut-early") ? frameRowsMinEarly : context.memory.knobs.value("frame-rows");
    this.#bytesMin = context.memory.knobs.value("frame-bytes");
    this.#isPlain = points.fires("page-without-dictionary");
    this.#isFixed = types.every((type) => physicalType(type) !== "bytes");
    this.#store = new RowStore({ runtime: context.services.runtime, memory: context.memory, types });
  }

  write(page: Page): void {
    if (page.positionCount >= this.#rowsMin && (!this.#isFixed || isFlat(page))) {
      // Flushed first, to keep the order of the rows.
      this.flush();
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
    const options = { isPlain: this.#isPlain, pool: services.frames };
    const rowsMax = this.#rowsMin * frameRowsFactor;
    for (let from = 0; from < page.positionCount; from += rowsMax) {
      const rows = Math.min(rowsMax, page.positionCount - from);
      const part = rows === page.positionCount ? page : slicePage(page, from, rows);
      this.#emit(encodePage(memory.linear, part, options));
    }
  }
}

function isFlat({ selection, columns }: Page): boolean {
  return selection === 0 && columns.every(({ ids }) => ids === 0);
}

export interface TaskOutputOptions {
  readonly context: OperatorContext;
  readonly buffer: OutputBuffer;
  readonly types: readonly Type[];
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
    this.#writer = new FrameWriter(options.context, options.types, (frame) => this.#emit(frame));
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

export interface PartitionedOutputOptions {
  readonly context: OperatorContext;
  readonly buffer: OutputBuffer;
  readonly types: readonly Type[];
  readonly channels: readonly number[];
  /** Columns of the incoming pages whose values determine the partition. */
  readonly keyChannels: readonly number[];
}

/** The partition of a row depends only on the values and types of its keys and on the number of partitions. */
export class PartitionedOutputOperator extends BaseOperator {
  readonly #options: PartitionedOutputOptions;
  readonly #writers: readonly FrameWriter[];
  readonly #kernels: KernelByLayout;
  readonly #keyArguments: PageArguments;
  /** One u32 per partition: end of its rows in #rows after the kernel has run. */
  readonly #ends: Address;
  /** One u32 per position: partition numbers, then row numbers ordered by partition. */
  readonly #partitions: Address;
  readonly #rows: Address;

  constructor(options: PartitionedOutputOptions) {
    super(options.context);
    const { context, buffer, types } = options;
    const { memory, services } = context;
    this.#options = options;
    this.#writers = Array.from(
      { length: buffer.partitionCount },
      (_, partition) => new FrameWriter(context, types, (frame) => buffer.add(partition, frame)),
    );
    this.#kernels = new KernelByLayout(services.runtime, "partition", partitionKernel);
    this.#keyArguments = new PageArguments(memory, options.keyChannels.length);
    this.#ends = memory.allocate(4 * buffer.partitionCount);
    this.#partitions = memory.allocate(4 * pageRowsMax);
    this.#rows = memory.allocate(4 * pageRowsMax);
  }

  get needsInput(): boolean {
    return !this.finishing && this.#options.buffer.blocked() === undefined;
  }

  get isFinished(): boolean {
    return this.finishing || this.#options.buffer.isFinished;
  }

  addInput(page: Page): void {
    const { keyChannels, channels, buffer } = this.#options;
    const keys = selectColumns(page, keyChannels);
    this.#kernels.for(keys)(this.#keyArguments.write(keys), buffer.partitionCount, this.#ends, this.#partitions, this.#rows);
    const { u32 } = this.context.memory.linear;
    const columns = selectColumns(page, channels).columns;
    let start = 0;
    for (let partition = 0; partition < this.#writers.length; partition++) {
      const end = u32[(this.#ends >>> 2) + partition] as number;
      if (end > start) {
        (this.#writers[partition] as FrameWriter).write({ positionCount: end - start, selection: this.#rows + 4 * start, columns });
      }
      start = end;
    }
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

/** Parameters: key page arguments, number of partitions, ends, partition of each position, row numbers by partition. A counting sort. */
function partitionKernel(name: string, layout: InputLayout): Kernel {
  return buildKernel(name, (kernel) => {
    kernel.entry({ params: ["i32", "i32", "i32", "i32", "i32"] }, (b, params) => {
      const [pageArguments, partitionCount, ends, partitions, rows] = params;
      const input = openInput(b, pageArguments, layout);
      const four = i32.const(2);
      b.fillBytes(ends, i32.const(0), i32.shl(partitionCount, four));
      b.forRange(i32.const(0), input.positionCount, (position) => {
        const row = input.row(position);
        const hash = emitKeyHash(
          b,
          layout.columns.map((_, index) => input.column(index, row)),
        );
        // The upper half of the hash: hash tables in the consumer use the lower bits.
        const scaled = i64.mul(i64.shrU(hash, i64.const(32n)), i64.extendI32U(partitionCount));
        const partition = b.temp(i32.wrapI64(i64.shrU(scaled, i64.const(32n))));
        const count = b.temp(i32.add(ends, i32.shl(partition, four)));
        b.store("i32.store", i32.add(partitions, i32.shl(position, four)), partition);
        b.store("i32.store", count, i32.add(i32.load(count), i32.const(1)));
      });
      const start = b.local("i32", i32.const(0));
      b.forRange(i32.const(0), partitionCount, (partition) => {
        const at = b.temp(i32.add(ends, i32.shl(partition, four)));
        const count = b.temp(i32.load(at));
        b.store("i32.store", at, start);
        b.set(start, i32.add(start, count));
      });
      b.forRange(i32.const(0), input.positionCount, (position) => {
        const at = b.temp(i32.add(ends, i32.shl(i32.load(i32.add(partitions, i32.shl(position, four))), four)));
        const place = b.temp(i32.load(at));
        b.store("i32.store", i32.add(rows, i32.shl(place, four)), input.row(position));
        b.store("i32.store", at, i32.add(place, i32.const(1)));
      });
    });
  });
}
