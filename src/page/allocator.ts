/**
 * A node's linear memory: one WebAssembly memory of fixed size, one allocator, a tree of contexts that account for it. Blocks up to 8 KiB come
 * from slabs of equal blocks, larger ones from spans of 4 KiB units; both give their memory back at once. The same calls always give
 * the same addresses. Called by node.ts (once) and, through MemoryContext, by everything that holds rows.
 */
import { assert } from "../protocol/errors.ts";
import { type LinearMemory, type MemoryContext, MemoryLimitExceeded, type WasmMemory } from "./memory.ts";
import type { Address } from "./page.ts";
import { SpanAllocator, spanUnitBytes } from "./spans.ts";
import { Views } from "./views.ts";
import { createMemory, wasmPageBytes } from "./webassembly.ts";

/** 4 GiB less one WebAssembly page: the last address still fits u32 with room to over-read. */
export const linearMemoryBytesMax = 65535 * wasmPageBytes;

/**
 * In front of every block: u32 previous and next block of its context, u32 slab number or `spanFlag` | units, u32 number of the context (0: free).
 */
const headerBytes = 16;
const spanFlag = 0x8000_0000;
const slabBlockBytesMax = 8192;
const limitless = Number.MAX_SAFE_INTEGER;

/** 32 to 128 in steps of 16, then four sizes per doubling. */
const slabClasses: readonly number[] = Object.freeze(slabBlockSizes());
const slabClassOf: Uint8Array = slabClassTable();

function slabBlockSizes(): number[] {
  const sizes = [32, 48, 64, 80, 96, 112, 128];
  for (let base = 128; base < slabBlockBytesMax; base *= 2) {
    sizes.push(base * 1.25, base * 1.5, base * 1.75, base * 2);
  }
  return sizes;
}

function slabClassTable(): Uint8Array {
  const table = new Uint8Array(slabBlockBytesMax / 16 + 1);
  let sizeClass = 0;
  for (let index = 0; index < table.length; index++) {
    if (index * 16 > (slabClasses[sizeClass] as number)) {
      sizeClass++;
    }
    table[index] = sizeClass;
  }
  return table;
}

function slabUnits(blockBytes: number): number {
  return blockBytes <= 512 ? 4 : 16;
}

interface Slab {
  readonly number: number;
  sizeClass: number;
  start: Address;
  end: Address;
  /** Blocks from here on were never handed out. */
  fresh: Address;
  /** Header address of the first freed block; each holds the next in its first word. */
  freed: Address;
  used: number;
  next: Slab | undefined;
  previous: Slab | undefined;
}

export interface NodeMemoryOptions {
  /** A multiple of 64 KiB. */
  readonly sizeBytes: number;
  /** Of the root context, whose name is `node`; the size when absent. */
  readonly limitBytes?: number;
  /** A memory of exactly `sizeBytes` to use again; the caller has zeroed it up to the former `highWaterBytes`. */
  readonly wasm?: WasmMemory;
}

export interface NodeMemory {
  readonly linear: LinearMemory;
  readonly root: MemoryContext;
  /** No byte at or above this address was ever handed out. Blocks of 4 MiB and more lie at the far end: then it is the whole memory. */
  readonly highWaterBytes: number;
}

export function createNodeMemory(options: NodeMemoryOptions): NodeMemory {
  const { sizeBytes } = options;
  assert(
    sizeBytes % wasmPageBytes === 0 && sizeBytes > 0 && sizeBytes <= linearMemoryBytesMax,
    "linear memory is 1 to 65535 pages of 64 KiB",
  );
  const linear = new Views(options.wasm ?? createMemory(sizeBytes));
  assert(linear.u8.length === sizeBytes, "a memory that is used again has the size asked for");
  const blocks = new BlockAllocator(linear);
  const root = new Context({ name: "node", blocks, limitBytes: options.limitBytes ?? sizeBytes, parent: undefined });
  return {
    linear,
    root,
    get highWaterBytes() {
      return blocks.highWaterBytes;
    },
  };
}

/** Blocks by the address of their header; knows nothing of contexts and limits. */
class BlockAllocator {
  readonly #u32: Uint32Array;
  readonly #spans: SpanAllocator;
  readonly #slabs: Slab[] = [];
  readonly #slabsUnused: Slab[] = [];
  /** Per size class the slabs with room, the most recently freed first. */
  readonly #withRoom: (Slab | undefined)[] = slabClasses.map(() => undefined);
  #contexts = 0;

  constructor(readonly linear: LinearMemory) {
    this.#u32 = linear.u32;
    const units = linear.sizeBytes / spanUnitBytes;
    // Unit 0 keeps address 0 invalid, the last one keeps the bytes behind every block readable.
    this.#spans = new SpanAllocator(1, units - 1);
  }

  get highWaterBytes(): number {
    return this.#spans.highWaterUnits * spanUnitBytes;
  }

  nextContextNumber(): number {
    this.#contexts++;
    assert(this.#contexts < 0xffff_ffff, "a node's memory contexts are numbered in 32 bits");
    return this.#contexts;
  }

  /** What a block for `bytes` bytes takes, header included. */
  blockBytes(bytes: number): number {
    const gross = bytes + headerBytes;
    return gross <= slabBlockBytesMax
      ? (slabClasses[slabClassOf[(gross + 15) >>> 4] as number] as number)
      : Math.ceil(gross / spanUnitBytes) * spanUnitBytes;
  }

  blockBytesOf(header: Address): number {
    const origin = this.#u32[(header >>> 2) + 2] as number;
    if (origin >= spanFlag) {
      return (origin - spanFlag) * spanUnitBytes;
    }
    return slabClasses[(this.#slabs[origin] as Slab).sizeClass] as number;
  }

  /** A block of a size that `blockBytes` gave, or 0 when memory is full. Only the third word of its header is set. */
  take(blockBytes: number): Address {
    if (blockBytes <= slabBlockBytesMax) {
      return this.#takeFromSlab(slabClassOf[blockBytes >>> 4] as number);
    }
    const units = blockBytes / spanUnitBytes;
    const header = this.#spans.allocate(units) * spanUnitBytes;
    if (header !== 0) {
      this.#u32[(header >>> 2) + 2] = spanFlag + units;
    }
    return header;
  }

  giveBack(header: Address): void {
    const origin = this.#u32[(header >>> 2) + 2] as number;
    if (origin >= spanFlag) {
      this.#spans.free(header / spanUnitBytes, origin - spanFlag);
    } else {
      this.#giveBackToSlab(this.#slabs[origin] as Slab, header);
    }
  }

  /** Grows a span where it is; false when it must move. */
  extend(header: Address, blockBytes: number): boolean {
    const word = (header >>> 2) + 2;
    const origin = this.#u32[word] as number;
    if (origin < spanFlag) {
      return false;
    }
    const units = origin - spanFlag;
    const wanted = blockBytes / spanUnitBytes;
    if (!this.#spans.extend(header / spanUnitBytes, units, wanted - units)) {
      return false;
    }
    this.#u32[word] = spanFlag + wanted;
    return true;
  }

  #takeFromSlab(sizeClass: number): Address {
    const slab = this.#withRoom[sizeClass] ?? this.#openSlab(sizeClass);
    if (slab === undefined) {
      return 0;
    }
    const blockBytes = slabClasses[sizeClass] as number;
    let header = slab.freed;
    if (header !== 0) {
      slab.freed = this.#u32[header >>> 2] as number;
    } else {
      header = slab.fresh;
      slab.fresh += blockBytes;
    }
    slab.used++;
    if (slab.freed === 0 && slab.fresh + blockBytes > slab.end) {
      this.#unlink(slab);
    }
    this.#u32[(header >>> 2) + 2] = slab.number;
    return header;
  }

  #giveBackToSlab(slab: Slab, header: Address): void {
    const blockBytes = slabClasses[slab.sizeClass] as number;
    const wasFull = slab.freed === 0 && slab.fresh + blockBytes > slab.end;
    slab.used--;
    if (slab.used === 0) {
      if (!wasFull) {
        this.#unlink(slab);
      }
      this.#spans.free(slab.start / spanUnitBytes, slabUnits(blockBytes));
      this.#slabsUnused.push(slab);
      return;
    }
    this.#u32[header >>> 2] = slab.freed;
    slab.freed = header;
    if (wasFull) {
      this.#link(slab);
    }
  }

  #openSlab(sizeClass: number): Slab | undefined {
    const blockBytes = slabClasses[sizeClass] as number;
    const start = this.#spans.allocate(slabUnits(blockBytes)) * spanUnitBytes;
    if (start === 0) {
      return undefined;
    }
    let slab = this.#slabsUnused.pop();
    if (slab === undefined) {
      slab = {
        number: this.#slabs.length,
        sizeClass,
        start,
        end: 0,
        fresh: start,
        freed: 0,
        used: 0,
        next: undefined,
        previous: undefined,
      };
      this.#slabs.push(slab);
    }
    slab.sizeClass = sizeClass;
    slab.start = start;
    slab.end = start + slabUnits(blockBytes) * spanUnitBytes;
    slab.fresh = start;
    slab.freed = 0;
    this.#link(slab);
    return slab;
  }

  #link(slab: Slab): void {
    const head = this.#withRoom[slab.sizeClass];
    slab.next = head;
    slab.previous = undefined;
    if (head !== undefined) {
      head.previous = slab;
    }
    this.#withRoom[slab.sizeClass] = slab;
  }

  #unlink(slab: Slab): void {
    if (slab.previous === undefined) {
      this.#withRoom[slab.sizeClass] = slab.next;
    } else {
      slab.previous.next = slab.next;
    }
    if (slab.next !== undefined) {
      slab.next.previous = slab.previous;
    }
    slab.next = undefined;
    slab.previous = undefined;
  }
}

interface ContextOptions {
  readonly name: string;
  readonly blocks: BlockAllocator;
  readonly limitBytes: number;
  readonly parent: Context | undefined;
}

class Context implements MemoryContext {
  readonly name: string;
  readonly linear: LinearMemory;
  readonly #blocks: BlockAllocator;
  readonly #u32: Uint32Array;
  readonly #limitBytes: number;
  readonly #parent: Context | undefined;
  /** This context and all above it, up to the root. */
  readonly #upward: readonly Context[];
  readonly #children = new Set<Context>();
  readonly #number: number;
  /** Header of the newest block of this context; the others hang on it. */
  #newest: Address = 0;
  /** Bytes outside linear memory that this very context holds. */
  #outsideBytes = 0;
  #reservedBytes = 0;
  #peakBytes = 0;
  #closed = false;

  constructor(options: ContextOptions) {
    this.name = options.name;
    this.linear = options.blocks.linear;
    this.#blocks = options.blocks;
    this.#u32 = this.linear.u32;
    this.#limitBytes = options.limitBytes;
    this.#parent = options.parent;
    this.#upward = options.parent === undefined ? [this] : [this, ...options.parent.#upward];
    this.#number = options.blocks.nextContextNumber();
  }

  get reservedBytes(): number {
    return this.#reservedBytes;
  }

  get peakBytes(): number {
    return this.#peakBytes;
  }

  allocate(bytes: number): Address {
    assert(bytes > 0 && Number.isSafeInteger(bytes), `an allocation has a size above 0, not ${bytes}`);
    this.#assertOpen();
    const blockBytes = this.#blocks.blockBytes(bytes);
    this.#checkLimits(blockBytes, bytes);
    const header = this.#blocks.take(blockBytes);
    if (header === 0) {
      throw new MemoryLimitExceeded((this.#upward.at(-1) as Context).name, this.linear.sizeBytes, bytes);
    }
    this.#charge(blockBytes);
    this.#link(header);
    return header + headerBytes;
  }

  allocateZeroed(bytes: number): Address {
    const address = this.allocate(bytes);
    this.linear.u8.fill(0, address, address + bytes);
    return address;
  }

  reallocate(address: Address, bytes: number): Address {
    const usable = this.sizeOf(address);
    const blockBytes = this.#blocks.blockBytes(bytes);
    const had = usable + headerBytes;
    if (blockBytes === had) {
      return address;
    }
    if (blockBytes > had && blockBytes > slabBlockBytesMax) {
      this.#checkLimits(blockBytes - had, bytes);
      if (this.#blocks.extend(address - headerBytes, blockBytes)) {
        this.#charge(blockBytes - had);
        return address;
      }
    }
    const moved = this.allocate(bytes);
    this.linear.u8.copyWithin(moved, address, address + Math.min(usable, bytes));
    this.free(address);
    return moved;
  }

  free(address: Address): void {
    const header = this.#headerOf(address);
    const blockBytes = this.#blocks.blockBytesOf(header);
    this.#unlink(header);
    this.#blocks.giveBack(header);
    this.#discharge(blockBytes);
  }

  sizeOf(address: Address): number {
    return this.#blocks.blockBytesOf(this.#headerOf(address)) - headerBytes;
  }

  reserve(bytes: number): void {
    assert(bytes >= 0 && Number.isSafeInteger(bytes), `a reservation has a size, not ${bytes}`);
    this.#assertOpen();
    this.#checkLimits(bytes, bytes);
    this.#outsideBytes += bytes;
    this.#charge(bytes);
  }

  release(bytes: number): void {
    assert(bytes >= 0 && bytes <= this.#outsideBytes, `${this.name} releases ${bytes}B of ${this.#outsideBytes}B reserved`);
    this.#outsideBytes -= bytes;
    this.#discharge(bytes);
  }

  child(name: string, limitBytes: number = limitless): MemoryContext {
    this.#assertOpen();
    const child = new Context({ name, blocks: this.#blocks, limitBytes, parent: this });
    this.#children.add(child);
    return child;
  }

  close(): void {
    if (this.#closed) {
      return;
    }
    for (const child of this.#children) {
      child.close();
    }
    while (this.#newest !== 0) {
      this.free(this.#newest + headerBytes);
    }
    this.release(this.#outsideBytes);
    assert(this.#reservedBytes === 0, `memory context ${this.name} closes with ${this.#reservedBytes}B unaccounted for`);
    this.#closed = true;
    if (this.#parent !== undefined) {
      this.#parent.#children.delete(this);
    }
  }

  #assertOpen(): void {
    assert(!this.#closed, `memory context ${this.name} is closed`);
  }

  #checkLimits(blockBytes: number, requestedBytes: number): void {
    for (const context of this.#upward) {
      if (context.#reservedBytes + blockBytes > context.#limitBytes) {
        throw new MemoryLimitExceeded(context.name, context.#limitBytes, requestedBytes);
      }
    }
  }

  #charge(bytes: number): void {
    for (const context of this.#upward) {
      context.#reservedBytes += bytes;
      if (context.#reservedBytes > context.#peakBytes) {
        context.#peakBytes = context.#reservedBytes;
      }
    }
  }

  #discharge(bytes: number): void {
    for (const context of this.#upward) {
      context.#reservedBytes -= bytes;
    }
  }

  #headerOf(address: Address): Address {
    const header = address - headerBytes;
    assert(
      header > 0 && header % 16 === 0 && address < this.linear.sizeBytes && this.#u32[(header >>> 2) + 3] === this.#number,
      `address ${address} is no live block of memory context ${this.name}`,
    );
    return header;
  }

  #link(header: Address): void {
    const word = header >>> 2;
    this.#u32[word] = 0;
    this.#u32[word + 1] = this.#newest;
    this.#u32[word + 3] = this.#number;
    if (this.#newest !== 0) {
      this.#u32[this.#newest >>> 2] = header;
    }
    this.#newest = header;
  }

  #unlink(header: Address): void {
    const word = header >>> 2;
    const newer = this.#u32[word] as number;
    const older = this.#u32[word + 1] as number;
    this.#u32[word + 3] = 0;
    if (newer === 0) {
      this.#newest = older;
    } else {
      this.#u32[(newer >>> 2) + 1] = older;
    }
    if (older !== 0) {
      this.#u32[older >>> 2] = newer;
    }
  }
}
