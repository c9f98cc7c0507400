/**
 * Distributes the positions of a page over partitions by a hash of their keys. The order of the rows of a partition is kept. The partition
 * of a row depends only on the values and types of its keys, on the number of partitions and on the level.
 */
import { type InputLayout, openInput } from "../expressions/columns.ts";
import { buildKernel, type CodeBuilder, i32, i64 } from "../../codegen/builder.ts";
import type { Expr, Kernel } from "../../codegen/ir.ts";
import type { KernelRuntime } from "../../codegen/runtime.ts";
import type { Address, MemoryContext } from "../../memory/memory.ts";
import { type Column, type Page, pageRowsMax } from "../../page/page.ts";
import { KernelByLayout, PageArguments } from "../operators/kernel-cache.ts";
import { emitKeyHash } from "./key-hash.ts";

export interface RowPartitionerOptions {
  readonly runtime: KernelRuntime;
  readonly memory: MemoryContext;
  readonly keyCount: number;
  readonly partitionCount: number;
  /**
   * 0: the partitions of an exchange. Rows of one partition of a level are spread over all partitions of each other level, and over all
   * slots of a hash table.
   */
  readonly level: number;
}

export class RowPartitioner {
  readonly #options: RowPartitionerOptions;
  readonly #kernels: KernelByLayout;
  readonly #arguments: PageArguments;
  /** One u32 per partition: end of its rows in #rows after the kernel has run. */
  readonly #ends: Address;
  /** One u32 per position: partition numbers, then row numbers ordered by partition. */
  readonly #partitions: Address;
  readonly #rows: Address;

  constructor(options: RowPartitionerOptions) {
    const { runtime, memory, keyCount, partitionCount, level } = options;
    this.#options = options;
    this.#kernels = new KernelByLayout(runtime, level === 0 ? "partition" : "partition-mixed", (name, layout) =>
      partitionKernel(name, layout, level > 0),
    );
    this.#arguments = new PageArguments(memory, keyCount);
    this.#ends = memory.allocate(4 * partitionCount);
    this.#partitions = memory.allocate(4 * pageRowsMax);
    this.#rows = memory.allocate(4 * pageRowsMax);
  }

  /** Calls back for each partition that has rows, with a page of `columns`. `keys` and `columns` are columns of the same page. */
  split(keys: Page, columns: readonly Column[], callback: (partition: number, page: Page) => void): void {
    const { partitionCount, level, memory } = this.#options;
    this.#kernels.for(keys)(this.#arguments.write(keys), partitionCount, this.#ends, this.#partitions, this.#rows, level);
    const { u32 } = memory.linear;
    let start = 0;
    for (let partition = 0; partition < partitionCount; partition++) {
      const end = u32[(this.#ends >>> 2) + partition] as number;
      if (end > start) {
        callback(partition, { positionCount: end - start, selection: this.#rows + 4 * start, columns });
      }
      start = end;
    }
  }

  /** Frees its memory. Must be called before the memory context closes, at most once. */
  close(): void {
    for (const address of [this.#arguments.address, this.#ends, this.#partitions, this.#rows]) {
      this.#options.memory.free(address);
    }
  }
}

const levelFactor = 0x9e3779b97f4a7c15n;
const mixFactor = 0xff51afd7ed558ccdn;

/** Mixes the level into a hash, so that all bits of the hash have an effect on the upper half (MurmurHash3's finalizer). */
function emitMixed(b: CodeBuilder, hash: Expr, level: Expr): Expr {
  const salted = b.temp(i64.xor(hash, i64.mul(i64.extendI32U(level), i64.const(BigInt.asIntN(64, levelFactor)))));
  const once = b.temp(i64.mul(i64.xor(salted, i64.shrU(salted, i64.const(33n))), i64.const(BigInt.asIntN(64, mixFactor))));
  return b.temp(i64.mul(i64.xor(once, i64.shrU(once, i64.const(33n))), i64.const(BigInt.asIntN(64, levelFactor))));
}

/**
 * Parameters: key page arguments, number of partitions, ends, partition of each position, row numbers by partition, level. A counting sort.
 */
function partitionKernel(name: string, layout: InputLayout, mixes: boolean): Kernel {
  return buildKernel(name, (kernel) => {
    kernel.entry({ params: ["i32", "i32", "i32", "i32", "i32", "i32"] }, (b, params) => {
      const [pageArguments, partitionCount, ends, partitions, rows, level] = params;
      const input = openInput(b, pageArguments, layout);
      const four = i32.const(2);
      b.fillBytes(ends, i32.const(0), i32.shl(partitionCount, four));
      b.forRange(i32.const(0), input.positionCount, (position) => {
        const row = input.row(position);
        const own = emitKeyHash(
          b,
          layout.columns.map((_, index) => input.column(index, row)),
        );
        const hash = mixes ? emitMixed(b, own, level) : own;
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
