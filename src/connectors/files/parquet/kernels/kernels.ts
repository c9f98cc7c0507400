/**
 * The decoders of Parquet as functions over linear memory. Each is a kernel, built when it is first used.
 */
import type { Kernel, KernelValue } from "../../../../codegen/ir.ts";
import type { KernelRuntime } from "../../../../codegen/runtime.ts";
import type { Address, LinearMemory } from "../../../../memory/memory.ts";
import { DecompressedPages } from "../decompressed-pages.ts";
import { lz4Kernel, snappyKernel, snappyTable } from "./blocks.ts";
import { runsKernel, type RunTarget } from "./runs.ts";
import {
  bitsKernel,
  countKernel,
  deltasKernel,
  gatherKernel,
  joinBytesKernel,
  spreadIdsKernel,
  spreadKernel,
  stringsKernel,
  type ValueWidth,
  widenKernel,
} from "./values.ts";
import { zstdKernel } from "./zstd.ts";
import { zstdConstants, zstdConstantsAt } from "./zstd-scratch.ts";

/** Bytes [at, end). */
interface ByteRange {
  readonly at: Address;
  readonly end: Address;
}

/** Memory that a kernel may write to. */
interface Scratch {
  readonly linear: LinearMemory;
  readonly scratch: Address;
}

/** Rows with a value are those whose level, one byte a row, is `present`. */
interface Levels {
  readonly address: Address;
  readonly present: number;
  readonly rows: number;
}

export class ParquetKernels {
  /** What its decoders of whole pages have given out. */
  readonly pages = new DecompressedPages();
  readonly #runtime: KernelRuntime;
  /** Written to a scratch area for each page that is decompressed. */
  readonly #snappyTable = snappyTable();
  readonly #zstdConstants = zstdConstants();

  constructor(runtime: KernelRuntime) {
    this.#runtime = runtime;
  }

  /** False if the input is damaged or does not fill the output. The scratch area has `snappyTableBytes`. */
  decompressSnappy(input: ByteRange, output: ByteRange, { linear, scratch }: Scratch): boolean {
    linear.u8.set(this.#snappyTable, scratch);
    return this.#run("snappy", snappyKernel, input.at, input.end, output.at, output.end, scratch) === 1;
  }

  /** A block of LZ4 whose output begins at `to`, behind what it may repeat. Returns the address after it; 0 if it is damaged. */
  decompressLz4(input: ByteRange, output: ByteRange, to: Address): Address {
    return this.#address("lz4", lz4Kernel, input.at, input.end, output.at, output.end, to);
  }

  /** As `decompressSnappy`. The scratch area has `zstdScratchBytes`. */
  decompressZstd(input: ByteRange, output: ByteRange, { linear, scratch }: Scratch): boolean {
    linear.u8.set(this.#zstdConstants, scratch + zstdConstantsAt);
    return this.#run("zstd", zstdKernel, input.at, input.end, output.at, output.end, scratch) === 1;
  }

  /** Address after the last run; 0 if the bytes are damaged. `limit` is the first value that is too large, at most 2^31 - 1. */
  readRuns(
    input: ByteRange,
    runs: { readonly bitWidth: number; readonly count: number; readonly target: Address; readonly kind: RunTarget; readonly limit: number },
  ): Address {
    const { bitWidth, count, target, kind, limit } = runs;
    return this.#address(`runs ${bitWidth} ${kind}`, () => runsKernel(bitWidth, kind), input.at, input.end, count, target, limit);
  }

  /** Number of values used. */
  spread(levels: Levels, width: ValueWidth, values: { readonly from: Address; readonly to: Address; readonly nulls: Address }): number {
    const { address, present, rows } = levels;
    return this.#address(`spread ${width}`, () => spreadKernel(width), address, present, rows, values.from, values.to, values.nulls);
  }

  /** Number of ids used. */
  spreadIds(levels: Levels, ids: { readonly from: Address; readonly to: Address; readonly nullEntry: number }): number {
    const { address, present, rows } = levels;
    return this.#address("spread ids", spreadIdsKernel, address, present, rows, ids.from, ids.to, ids.nullEntry);
  }

  countPresent({ address, present, rows }: Levels): number {
    return this.#address("count", countKernel, address, present, rows);
  }

  gather(width: ValueWidth, from: { readonly ids: Address; readonly count: number; readonly dictionary: Address }, to: Address): void {
    this.#run(`gather ${width}`, () => gatherKernel(width), from.ids, from.count, from.dictionary, to);
  }

  /** Address after the last string; 0 if one reaches beyond the input. */
  readStrings({ at, end }: ByteRange, count: number, target: Address): Address {
    return this.#address("strings", stringsKernel, at, end, count, target);
  }

  /** Address after the last value; 0 if the bytes are damaged or hold another number of values. */
  readDeltas({ at, end }: ByteRange, width: 4 | 8, values: { readonly count: number; readonly target: Address }): Address {
    return this.#address(`deltas ${width}`, () => deltasKernel(width), at, end, values.count, values.target);
  }

  widen(isSigned: boolean, from: Address, values: { readonly count: number; readonly target: Address }): void {
    this.#run(`widen ${isSigned}`, () => widenKernel(isSigned), from, values.count, values.target);
  }

  readBits(from: Address, values: { readonly count: number; readonly target: Address }): void {
    this.#run("bits", bitsKernel, from, values.count, values.target);
  }

  joinBytes(width: number, from: Address, values: { readonly count: number; readonly target: Address }): void {
    this.#run(`join bytes ${width}`, () => joinBytesKernel(width), from, values.count, values.target);
  }

  #address(name: string, build: () => Kernel, ...args: readonly number[]): number {
    return (this.#run(name, build, ...args) as number) >>> 0;
  }

  #run(name: string, build: () => Kernel, ...args: readonly number[]): KernelValue | undefined {
    return this.#runtime.load(`parquet ${name}`, build)(...args);
  }
}
