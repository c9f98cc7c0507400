/**
 * Blocks of a node's linear memory. Blocks up to 8 KiB come from slabs of equal blocks, larger ones from spans of 4 KiB units; both are
 * released immediately. The same sequence of calls always returns the same addresses. Internal to the allocator.
 */
import { assert } from "../protocol/errors.ts";
import type { WasmMemory, Address } from "./memory.ts";
import { SpanAllocator, spanChunkBytes, spanUnitBytes } from "./spans.ts";
import type { Views } from "./views.ts";

/**
 * Before every block: u32 previous and u32 next block of its context, u32 slab number or `spanFlag` | units, u32 context number (0: free).
 */
export const headerBytes = 16;
const spanFlag = 0x8000_0000;
export const slabBlockBytesMax = 8192;

/** 32 to 128 bytes in steps of 16, then four sizes per doubling. */
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
  /** Blocks from here on were never allocated. */
  fresh: Address;
  /** Header address of the first free block; the first word of each free block links to the next. */
  freed: Address;
  used: number;
  next: Slab | undefined;
  previous: Slab | undefined;
}

/** First unit of the spans: unit 0 is unused, so that address 0 is invalid. */
const unitsStart = 1;

/** Allocates blocks by header address, independent of contexts and limits. */
export class BlockAllocator {
  readonly #spans: SpanAllocator;
  readonly #slabs: Slab[] = [];
  readonly #slabsUnused: Slab[] = [];
  /** Slabs with free blocks by size class, the most recently freed first. */
  readonly #withRoom: (Slab | undefined)[] = slabClasses.map(() => undefined);
  #contexts = 0;
  #allocations = 0;

  constructor(readonly linear: Views) {
    const units = linear.sizeBytes / spanUnitBytes;
    // Unit 0 is unused, so that address 0 is invalid; the last unit keeps the bytes after every block readable.
    this.#spans = new SpanAllocator(unitsStart, units - 1);
  }

  get #u32(): Uint32Array {
    return this.linear.u32;
  }

  get usedBytes(): number {
    return this.#spans.usedUnits * spanUnitBytes;
  }

  /** Blocks that were allocated since the memory was new. */
  get allocations(): number {
    return this.#allocations;
  }

  get residentBytes(): number {
    return this.#spans.touchedChunks * spanChunkBytes;
  }

  moveTo(wasm: WasmMemory): void {
    const from = this.linear.u8;
    this.linear.replace(wasm);
    const to = this.linear.u8;
    this.#spans.forEachUsed(unitsStart, (start, end) => {
      to.set(from.subarray(start * spanUnitBytes, end * spanUnitBytes), start * spanUnitBytes);
    });
    this.#spans.forgetTouched(unitsStart);
  }

  /** Makes the memory as it was when it was new, except for the blocks in use. */
  clearUnused(): void {
    let unused = unitsStart;
    const clear = (end: number): void => void this.linear.u8.fill(0, unused * spanUnitBytes, end * spanUnitBytes);
    this.#spans.forEachUsed(unitsStart, (start, end) => {
      clear(start);
      unused = end;
    });
    clear(this.#spans.highWaterUnits);
    this.#spans.forgetTouched(unitsStart);
  }

  get highWaterBytes(): number {
    return this.#spans.highWaterUnits * spanUnitBytes;
  }

  nextContextNumber(): number {
    this.#contexts++;
    assert(this.#contexts < 0xffff_ffff, "a node's memory contexts are numbered in 32 bits");
    return this.#contexts;
  }

  /** Size of the block for `bytes` bytes, including its header. */
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

  /** Allocates a block of a size returned by `blockBytes`, or returns 0 if memory is full. Sets only the third word of the header. */
  take(blockBytes: number): Address {
    this.#allocations++;
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

  /** Grows a span in place; false if it must move. */
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
