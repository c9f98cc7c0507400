/**
 * The bound of a PARTIAL step: it gives its groups out once they take so many bytes. Where that is must be the same whether the groups are
 * in memory or on disk, so it is a function of the rows alone. Distinct hashes of keys stand for groups: the bits of a bitmap count them
 * without the groups. Groups in memory are an upper bound, so the bitmap is made only when they come near.
 */
import { type InputLayout, openInput } from "../../expressions/columns.ts";
import { buildKernel, i32, i64, select } from "../../../codegen/builder.ts";
import type { Expr, Kernel } from "../../../codegen/ir.ts";
import type { KernelRuntime } from "../../../codegen/runtime.ts";
import type { Address, MemoryContext } from "../../../memory/memory.ts";
import type { Page } from "../../../page/page.ts";
import { isBytes, physicalType, physicalWidth, type Type } from "../../../types/type.ts";
import { emitKeyHash } from "../../hash-table/key-hash.ts";
import { KernelByLayout, PageArguments } from "../kernel-cache.ts";
import { slicePage } from "../pages.ts";

/** Bytes of a group in the tables: its hash, its slots, and the part of its arrays that is spare. */
const tableBytes = 48;
/** Of the bitmap; as many as the bound has groups, or up to twice as many. Groups that share a bit are made up for by a factor. */
const bitsMin = 64;

export interface GroupBoundOptions {
  readonly runtime: KernelRuntime;
  readonly memory: MemoryContext;
  readonly keyTypes: readonly Type[];
  /** Bytes of the states of a group. */
  readonly recordBytes: number;
  readonly bytesMax: number;
}

export class GroupBound {
  readonly #memory: MemoryContext;
  readonly #bytesMax: number;
  readonly #groupBytes: number;
  readonly #hasStrings: boolean;
  readonly #bits: number;
  /** Groups of the bound for each of the bits that they are expected to set, at least 1. */
  readonly #factor: number;
  readonly #arguments: PageArguments;
  /** u32 new bits, u32 bytes of the strings of their keys. */
  readonly #counts: Address;
  readonly #kernels: KernelByLayout;
  #bitmap: Address = 0;
  /** Groups that are in the bitmap. */
  #marked = 0;
  #distinct = 0;
  #stringBytes = 0;

  constructor({ runtime, memory, keyTypes, recordBytes, bytesMax }: GroupBoundOptions) {
    this.#memory = memory;
    this.#bytesMax = bytesMax;
    this.#groupBytes = recordBytes + keyTypes.reduce((sum, type) => sum + physicalWidth(physicalType(type)) + 1, tableBytes);
    this.#hasStrings = keyTypes.some(isBytes);
    const groupsMax = Math.max(1, bytesMax / this.#groupBytes);
    this.#bits = Math.max(bitsMin, 2 ** Math.ceil(Math.log2(groupsMax)));
    this.#factor = groupsMax / this.#bits / -Math.expm1(-groupsMax / this.#bits);
    this.#arguments = new PageArguments(memory, keyTypes.length);
    this.#counts = memory.allocate(8);
    this.#kernels = new KernelByLayout(runtime, "mark-groups", markKernel);
  }

  /**
   * Whether the groups take more. `keys` has the keys of all groups in order of first appearance; `stateBytes` is what their states have
   * beside the records.
   */
  isReachedBy(keys: Page, stateBytes: number): boolean {
    // The strings of keys in memory are a part of what the operator has reserved.
    const stringBytesMost = this.#hasStrings ? this.#memory.reservedBytes : 0;
    if (this.#bitmap === 0 && this.#bytesOf(keys.positionCount, stringBytesMost) + stateBytes <= this.#bytesMax) {
      return false;
    }
    this.markGroups(keys);
    return this.#markedBytes + stateBytes > this.#bytesMax;
  }

  /** Whether what was marked takes more. */
  get isReached(): boolean {
    return this.#markedBytes > this.#bytesMax;
  }

  get #markedBytes(): number {
    return this.#bytesOf(this.#distinct, this.#stringBytes);
  }

  /** Never falls with either. */
  #bytesOf(bits: number, stringBytes: number): number {
    return (bits * this.#groupBytes + stringBytes) * this.#factor;
  }

  /** The keys of all groups in order of first appearance; those that were marked before are skipped. */
  markGroups(keys: Page): void {
    const marked = this.#marked;
    if (keys.positionCount > marked) {
      this.#marked = keys.positionCount;
      this.markRows(slicePage(keys, marked, keys.positionCount - marked));
    }
  }

  /** The keys of rows that follow. */
  markRows(keys: Page): void {
    if (this.#bitmap === 0) {
      this.#bitmap = this.#memory.allocateZeroed(this.#bits / 8);
    }
    this.#kernels.for(keys)(this.#arguments.write(keys), this.#bitmap, this.#bits - 1, this.#counts);
    const { u32 } = this.#memory.linear;
    this.#distinct += u32[this.#counts >>> 2] as number;
    this.#stringBytes += u32[(this.#counts >>> 2) + 1] as number;
  }

  /** Begins again without groups. */
  reset(): void {
    if (this.#bitmap !== 0) {
      this.#memory.free(this.#bitmap);
      this.#bitmap = 0;
    }
    this.#marked = 0;
    this.#distinct = 0;
    this.#stringBytes = 0;
  }

  /** Frees its memory. Must be called before the memory context closes, at most once. */
  close(): void {
    this.reset();
    this.#memory.free(this.#arguments.address);
    this.#memory.free(this.#counts);
  }
}

const mixFactor = BigInt.asIntN(64, 0x9e3779b97f4a7c15n);

/** Parameters: page arguments of keys, bitmap, number of its bits less one, target of the counts. */
function markKernel(name: string, layout: InputLayout): Kernel {
  return buildKernel(name, (kernel) => {
    kernel.entry({ params: ["i32", "i32", "i32", "i32"] }, (b, [pageArguments, bitmap, mask, counts]) => {
      const input = openInput(b, pageArguments, layout);
      const distinct = b.local("i32", i32.const(0));
      const bytes = b.local("i32", i32.const(0));
      b.forRange(i32.const(0), input.positionCount, (position) => {
        const row = input.row(position);
        const values = layout.columns.map((_, index) => input.column(index, row));
        const hash = i64.mul(emitKeyHash(b, values), i64.const(mixFactor));
        const bit = b.temp(i32.and(i32.wrapI64(i64.shrU(hash, i64.const(32n))), mask));
        const word = b.temp(i32.add(bitmap, i32.shl(i32.shrU(bit, i32.const(5)), i32.const(2))));
        const one = b.temp(i32.shl(i32.const(1), i32.and(bit, i32.const(31))));
        const before = b.temp(i32.load(word));
        b.if_(i32.eqz(i32.and(before, one)), () => {
          b.store("i32.store", word, i32.or(before, one));
          b.set(distinct, i32.add(distinct, i32.const(1)));
          for (const { type, isNull, parts } of values) {
            if (isBytes(type)) {
              const length = parts[1] as Expr;
              b.set(bytes, i32.add(bytes, isNull === undefined ? length : select(isNull, i32.const(0), length)));
            }
          }
        });
      });
      b.store("i32.store", counts, distinct);
      b.store("i32.store", counts, bytes, 4);
    });
  });
}
