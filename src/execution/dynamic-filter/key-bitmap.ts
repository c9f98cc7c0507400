/**
 * Bitmaps of the build side's keys, small enough to stay in the cache. They drop probe rows without a match before the hash table or any
 * other column is touched.
 *
 * - KeyBitmap: one bit per integer of a narrow range.
 * - KeyHashes: a Bloom filter with two bits of the hash per key, for all other keys. It has false positives.
 * - keySpan: no bits, where only the ends of a range are known.
 */
import { type InputLayout, openInput } from "../expressions/columns.ts";
import type { Value } from "../../functions/runtime/value.ts";
import { buildKernel, type CodeBuilder, i32, i64, select } from "../../codegen/builder.ts";
import type { Expr, Kernel } from "../../codegen/ir.ts";
import type { KernelRuntime } from "../../codegen/runtime.ts";
import type { MemoryContext, Address } from "../../memory/memory.ts";
import type { Knobs } from "../../ports/knobs.ts";
import { type Page, pageRowsMax } from "../../page/page.ts";
import { emitKeyHash } from "../hash-table/key-hash.ts";
import { KernelByLayout, PageArguments } from "../operators/kernel-cache.ts";
import { selectColumns } from "../operators/pages.ts";

/**
 * Limits of a bitmap, in bits: at most `bitsPerRowMax` a row, but a minimum is always allowed; never more than `bitsMax` (8 MB).
 */
const bitsPerRowMax = 512;
const bitsMax = 1 << 26;
/** Longest range, in keys, for which a filter of many rows has a byte a key: reading one takes fewer steps while all are in the cache. */
const bytesMax = 32_768;
/** Bits per key of a hash bitmap, where there is room. With fewer than `hashBitsPerRowMin`, too many keys share both bits with others. */
const hashBitsPerRow = 16;
const hashBitsPerRowMin = 6;

export interface KeyRange {
  readonly min: bigint;
  readonly max: bigint;
}

export function isWorthBitmap({ min, max }: KeyRange, rows: number, knobs: Knobs): boolean {
  return max - min < BigInt(Math.min(bitsMax, Math.max(knobs.value("bitmap-bits"), bitsPerRowMax * rows)));
}

export function isWorthHashes(rows: number): boolean {
  return rows * hashBitsPerRowMin <= bitsMax;
}

/** A set of keys for a KeyFilter: the kind of kernel, and the kernel's second and third argument. */
export interface KeySet {
  readonly kind: "bitmap" | "hashes" | "span";
  readonly address: Address;
  readonly min: bigint;
  readonly count: number;
}

/** All integers of a range. The kernel takes the lower and upper half of its length in place of the address and the number of bits. */
export function keySpan({ min, max }: KeyRange): KeySet {
  const span = BigInt.asUintN(64, max - min);
  return { kind: "span", address: Number(BigInt.asIntN(32, span >> 32n)), min, count: Number(BigInt.asIntN(32, span)) };
}

export class KeyBitmap implements KeySet {
  readonly kind = "bitmap";
  readonly min: bigint;
  /** Number of bits. The bit after the last one is never set. */
  readonly count: number;
  readonly address: Address;
  readonly #kernels: KernelByLayout;
  readonly #arguments: PageArguments;

  constructor(runtime: KernelRuntime, memory: MemoryContext, { min, max }: KeyRange) {
    this.min = min;
    this.count = Number(max - min) + 1;
    // Whole words.
    this.address = memory.allocateZeroed(4 * ((this.count >>> 5) + 1));
    this.#kernels = new KernelByLayout(runtime, "key-bitmap", fillKernel);
    this.#arguments = new PageArguments(memory, 1);
  }

  /** `keys` is one flat column. Its keys from `first` to `end` lie in the range. */
  add(keys: Page, first: number, end: number): void {
    this.#kernels.for(keys)(this.#arguments.write(keys), this.address, this.min, first, end);
  }
}

export class KeyHashes implements KeySet {
  readonly kind = "hashes";
  readonly min = 0n;
  /** Number of bits, a power of two. */
  readonly count: number;
  readonly address: Address;
  readonly #kernels: KernelByLayout;
  readonly #arguments: PageArguments;

  constructor(runtime: KernelRuntime, memory: MemoryContext, rows: number) {
    let count = memory.knobs.value("hash-bitmap-bits");
    while (count < Math.min(bitsMax, rows * hashBitsPerRow)) {
      count *= 2;
    }
    this.count = count;
    this.address = memory.allocateZeroed(count >>> 3);
    this.#kernels = new KernelByLayout(runtime, "key-hashes", fillHashesKernel);
    this.#arguments = new PageArguments(memory, 1);
  }

  /** `keys` is one flat column. Returns how many of its keys are not NULL. */
  add(keys: Page, first: number, end: number): number {
    return Number(this.#kernels.for(keys)(this.#arguments.write(keys), this.address, this.count, first, end));
  }
}

/** Keeps the rows of probe pages whose key may be in the set. */
export class KeyFilter {
  readonly #set: KeySet;
  readonly #keyChannel: number;
  readonly #kernels: KernelByLayout;
  readonly #arguments: PageArguments;
  readonly #selection: Address;
  /** Number of rows after which a filter that keeps more than three quarters of them is switched off: it costs more than it saves. */
  readonly #judgedRows: number;
  readonly #memory: MemoryContext;
  /** A byte for each bit of a short bitmap: 4 if it is set. 0 until as many rows as it has bits were filtered. */
  #bytes: Address = 0;
  #rows = 0;
  #kept = 0;

  constructor(
    set: KeySet,
    options: {
      readonly runtime: KernelRuntime;
      readonly memory: MemoryContext;
      readonly keyChannel: number;
    },
  ) {
    const { runtime, memory, keyChannel } = options;
    this.#set = set;
    this.#keyChannel = keyChannel;
    this.#kernels = new KernelByLayout(runtime, "key-filter", filterKernel);
    this.#arguments = new PageArguments(memory, 1);
    this.#memory = memory;
    this.#selection = memory.allocate(4 * pageRowsMax);
    this.#judgedRows = memory.knobs.value("filter-judged-rows");
  }

  /** The result is valid until the next call. */
  apply(page: Page): Page {
    if (this.#rows >= this.#judgedRows && this.#kept * 4 > this.#rows * 3) {
      return page;
    }
    const { min, count } = this.#set;
    const { address, kind } = this.#read();
    const keys = selectColumns(page, [this.#keyChannel]);
    const kept = Number(this.#kernels.for(keys, kind)(this.#arguments.write(keys), address, min, count, this.#selection));
    this.#rows += page.positionCount;
    this.#kept += kept;
    return kept === page.positionCount ? page : { ...page, positionCount: kept, selection: this.#selection };
  }

  /** What the kernel reads. */
  #read(): { readonly address: Address; readonly kind: KeySet["kind"] | "bytes" } {
    if (this.#bytes === 0 && this.#set.kind === "bitmap" && this.#set.count <= bytesMax && this.#rows >= this.#set.count) {
      this.#bytes = bytesOfBits(this.#memory, this.#set);
    }
    return this.#bytes === 0 ? this.#set : { address: this.#bytes, kind: "bytes" };
  }
}

/** Writes a byte for each of the bits, and for the one after the last: 4 if it is set. */
function bytesOfBits(memory: MemoryContext, { address, count }: KeySet): Address {
  const bytes = memory.allocate(count + 1);
  const { u8 } = memory.linear;
  for (let place = 0; place <= count; place++) {
    u8[bytes + place] = (((u8[address + (place >>> 3)] as number) >>> (place & 7)) & 1) * wordBytes;
  }
  return bytes;
}

/** The only part of an integer value, as an i64. */
export function emitWide({ parts }: Value): Expr {
  const value = parts[0] as Expr;
  return value.type === "i64" ? value : i64.extendI32S(value);
}

/** Offset of a key from `min`, as an unsigned i64. A key outside of the range gives an offset outside of the range, on either side. */
export function emitPlace(key: Value, min: Expr): Expr {
  return i64.sub(emitWide(key), min);
}

function emitBit(b: CodeBuilder, bitmap: Expr, place: Expr): { readonly byte: Expr; readonly shift: Expr } {
  return { byte: b.temp(i32.add(bitmap, i32.shrU(place, i32.const(3)))), shift: i32.and(place, i32.const(7)) };
}

function emitSetBit(b: CodeBuilder, bitmap: Expr, place: Expr): void {
  const { byte, shift } = emitBit(b, bitmap, place);
  b.store("i32.store8", byte, i32.or(i32.load8u(byte), i32.shl(i32.const(1), shift)));
}

/** i32 0 or 1. */
function emitIsSet(b: CodeBuilder, bitmap: Expr, place: Expr): Expr {
  const { byte, shift } = emitBit(b, bitmap, place);
  return i32.and(i32.shrU(i32.load8u(byte), shift), i32.const(1));
}

/** The two bit positions of a key. `mask` is the number of bits - 1. */
function emitHashPlaces(b: CodeBuilder, key: Value, mask: Expr): readonly [Expr, Expr] {
  const hash = b.temp(emitKeyHash(b, [{ ...key, isNull: undefined }]));
  const upper = i32.wrapI64(i64.shrU(hash, i64.const(32n)));
  return [b.temp(i32.and(i32.wrapI64(hash), mask)), b.temp(i32.and(upper, mask))];
}

/** Parameters: key page arguments, bitmap, smallest key, first row, end row (exclusive). */
function fillKernel(name: string, layout: InputLayout): Kernel {
  return buildKernel(name, (kernel) => {
    kernel.entry({ params: ["i32", "i32", "i64", "i32", "i32"] }, (b, params) => {
      const [pageArguments, bitmap, min, first, end] = params;
      const input = openInput(b, pageArguments, layout);
      b.forRange(first, end, (row, next) => {
        const key = input.column(0, row);
        if (key.isNull !== undefined) {
          b.break_(next, key.isNull);
        }
        emitSetBit(b, bitmap, b.temp(i32.wrapI64(emitPlace(key, min))));
      });
    });
  });
}

/** Parameters: key page arguments, bits, number of bits, first row, end row (exclusive). Returns the number of keys that are not NULL. */
function fillHashesKernel(name: string, layout: InputLayout): Kernel {
  return buildKernel(name, (kernel) => {
    kernel.entry({ params: ["i32", "i32", "i32", "i32", "i32"], result: "i32" }, (b, params) => {
      const [pageArguments, bits, count, first, end] = params;
      const input = openInput(b, pageArguments, layout);
      const mask = b.local("i32", i32.sub(count, i32.const(1)));
      const keys = b.local("i32", i32.const(0));
      b.forRange(first, end, (row, next) => {
        const key = input.column(0, row);
        if (key.isNull !== undefined) {
          b.break_(next, key.isNull);
        }
        const [one, other] = emitHashPlaces(b, key, mask);
        emitSetBit(b, bits, one);
        emitSetBit(b, bits, other);
        b.set(keys, i32.add(keys, i32.const(1)));
      });
      b.return_(keys);
    });
  });
}

/**
 * Parameters: key page arguments, set, smallest key, bits, selection. Returns the number of rows selected. The selection may be the page's
 * own: the kernel never writes ahead of its reads.
 */
function filterKernel(name: string, layout: InputLayout, kind: string): Kernel {
  return buildKernel(name, (kernel) => {
    kernel.entry({ params: ["i32", "i32", "i64", "i32", "i32"], result: "i32" }, (b, params) => {
      const [pageArguments, set, min, count, selection] = params;
      const input = openInput(b, pageArguments, layout);
      const next = b.local("i32", selection);
      const bits = b.local("i64", i64.extendI32U(count));
      const span = b.local("i64", i64.or(i64.shl(i64.extendI32U(set), i64.const(32n)), bits));
      const mask = b.local("i32", i32.sub(count, i32.const(1)));
      b.forRangeByFours(input.positionCount, (position) => {
        const row = b.temp(input.row(position));
        const key = input.column(0, row);
        const kept = emitKeptBytes(b, kind, { set, key, min, bits, span, mask });
        b.store("i32.store", next, row);
        b.set(next, i32.add(next, key.isNull === undefined ? kept : i32.mul(kept, i32.eqz(key.isNull))));
      });
      b.return_(i32.shrU(i32.sub(next, selection), i32.const(2)));
    });
  });
}

interface FilterLocals {
  readonly set: Expr;
  readonly key: Value;
  readonly min: Expr;
  readonly bits: Expr;
  readonly span: Expr;
  readonly mask: Expr;
}

/** Bytes of a row number, by which the selection grows. */
const wordBytes = 4;

/** i32: bytes of a row number if the set may have the key, otherwise 0. */
function emitKeptBytes(b: CodeBuilder, kind: string, { bits, key, mask, min, set, span }: FilterLocals): Expr {
  switch (kind) {
    case "hashes":
      return i32.shl(emitHasHash(b, { set, key, mask }), i32.const(2));
    case "span":
      return i32.shl(i64.leU(emitPlace(key, min), span), i32.const(2));
    default: {
      // A key out of the range reads what follows the last one, which is never set.
      const offset = b.temp(emitPlace(key, min));
      const place = b.temp(i32.wrapI64(select(i64.ltU(offset, bits), offset, bits)));
      return kind === "bytes" ? b.temp(i32.load8u(i32.add(set, place))) : i32.shl(emitIsSet(b, set, place), i32.const(2));
    }
  }
}

/** Under a NULL the hash is that of arbitrary bytes. The caller ignores the result for NULLs. */
function emitHasHash(b: CodeBuilder, at: { readonly set: Expr; readonly key: Value; readonly mask: Expr }): Expr {
  const [one, other] = emitHashPlaces(b, at.key, at.mask);
  return b.temp(i32.and(emitIsSet(b, at.set, one), emitIsSet(b, at.set, other)));
}
