/**
 * A node's linear memory: one WebAssembly memory of fixed size, one allocator, and a tree of contexts for accounting. Blocks up to 8 KiB
 * come from slabs of equal blocks, larger ones from spans of 4 KiB units; both are released immediately. The same sequence of calls always
 * returns the same addresses. A node has one instance; all other code allocates through MemoryContext.
 */
import { defaultKnobs, type Knobs } from "../ports/knobs.ts";
import { assert } from "../protocol/errors.ts";
import { type LinearMemory, type MemoryContext, MemoryLimitExceeded, type WasmMemory, type Address } from "./memory.ts";
import { bufferHeadroom, spillHeadroom } from "./headroom.ts";
import { BlockAllocator, headerBytes, slabBlockBytesMax } from "./blocks.ts";
import { Views } from "./views.ts";
import { createMemory, wasmPageBytes } from "./webassembly.ts";

/** 4 GiB minus one WebAssembly page, so that reads past the last block still have u32 addresses. */
const linearMemoryBytesMax = 65535 * wasmPageBytes;

/** The nearest possible size of a memory: whole WebAssembly pages, at least one. */
export function linearMemorySize(bytes: number): number {
  return Math.max(wasmPageBytes, Math.min(linearMemoryBytesMax, Math.floor(bytes / wasmPageBytes) * wasmPageBytes));
}

const limitless = Number.MAX_SAFE_INTEGER;

export interface NodeMemoryOptions {
  /** A multiple of 64 KiB. */
  readonly sizeBytes: number;
  /** Limit of the root context, `node`; defaults to the size. */
  readonly limitBytes?: number;
  /** An existing memory of exactly `sizeBytes` to reuse; the caller must have zeroed it up to its former `highWaterBytes`. */
  readonly wasm?: WasmMemory;
  readonly knobs?: Knobs | undefined;
}

export interface NodeMemory {
  readonly linear: LinearMemory;
  readonly root: MemoryContext;
  /**
   * No byte at or above this address was ever allocated. Blocks of 4 MiB and more are allocated from the far end; once there is one, this
   * is the whole memory.
   */
  readonly highWaterBytes: number;
  /** Bytes of all allocated blocks and their slabs. */
  readonly usedBytes: number;
  /** Upper bound of resident bytes: everything allocated since the memory was new, in steps of 1 MiB. */
  readonly residentBytes: number;
  /** Number of allocations since the memory was new. */
  readonly allocations: number;
  /**
   * Moves the blocks in use to a new memory at the same addresses, so that the operating system gets the rest back. No view or kernel of
   * the old memory may be in use. A memory supplied by the caller is not replaced; what is not in use is zero again.
   */
  renew(): void;
}

export function createNodeMemory(options: NodeMemoryOptions): NodeMemory {
  const { sizeBytes, knobs = defaultKnobs } = options;
  assert(
    sizeBytes % wasmPageBytes === 0 && sizeBytes > 0 && sizeBytes <= linearMemoryBytesMax,
    "linear memory is 1 to 65535 pages of 64 KiB",
  );
  const linear = new Views(options.wasm ?? createMemory(sizeBytes));
  assert(linear.u8.length === sizeBytes, "a memory that is used again has the size asked for");
  const blocks = new BlockAllocator(linear);
  const root = new Context({ name: "node", blocks, limitBytes: options.limitBytes ?? sizeBytes, parent: undefined, knobs });
  return {
    linear,
    root,
    get highWaterBytes() {
      return blocks.highWaterBytes;
    },
    get usedBytes() {
      return blocks.usedBytes;
    },
    get residentBytes() {
      return blocks.residentBytes;
    },
    get allocations() {
      return blocks.allocations;
    },
    renew: () => {
      if (options.wasm === undefined) {
        blocks.moveTo(createMemory(sizeBytes));
      } else {
        blocks.clearUnused();
      }
    },
  };
}

interface ContextOptions {
  readonly name: string;
  readonly blocks: BlockAllocator;
  readonly limitBytes: number;
  readonly parent: Context | undefined;
  readonly knobs: Knobs;
}

class Context implements MemoryContext {
  readonly name: string;
  readonly linear: LinearMemory;
  readonly knobs: Knobs;
  readonly #blocks: BlockAllocator;
  readonly #limitBytes: number;
  /** What operators reach before they spill. */
  readonly #spillLimitBytes: number;
  /** What buffers grow to. */
  readonly #bufferLimitBytes: number;
  readonly #parent: Context | undefined;
  /** This context and its ancestors up to the root. */
  readonly #upward: readonly Context[];
  readonly #children = new Set<Context>();
  readonly #number: number;
  /** Header of the newest block of this context; the blocks form a linked list. */
  #newest: Address = 0;
  /** Bytes outside linear memory reserved by this context itself. */
  #outsideBytes = 0;
  #reservedBytes = 0;
  #peakBytes = 0;
  #closed = false;

  constructor(options: ContextOptions) {
    this.name = options.name;
    this.linear = options.blocks.linear;
    this.knobs = options.knobs;
    this.#blocks = options.blocks;
    this.#limitBytes = options.limitBytes;
    this.#spillLimitBytes = this.#limitBytes - spillHeadroom(this.#limitBytes, this.knobs);
    this.#bufferLimitBytes = this.#limitBytes - bufferHeadroom(this.#limitBytes, this.knobs);
    this.#parent = options.parent;
    this.#upward = options.parent === undefined ? [this] : [this, ...options.parent.#upward];
    this.#number = options.blocks.nextContextNumber();
  }

  get #u32(): Uint32Array {
    return this.linear.u32;
  }

  get reservedBytes(): number {
    return this.#reservedBytes;
  }

  get peakBytes(): number {
    return this.#peakBytes;
  }

  get availableBytes(): number {
    let least = limitless;
    for (const context of this.#upward) {
      least = Math.min(least, context.#limitBytes - context.#reservedBytes);
    }
    return least;
  }

  get bufferRoomBytes(): number {
    let least = limitless;
    for (const context of this.#upward) {
      least = Math.min(least, context.#bufferLimitBytes - context.#reservedBytes);
    }
    return least;
  }

  nearLimit(bytes: number): MemoryContext | undefined {
    return this.#upward.find((context) => context.#reservedBytes + bytes > context.#spillLimitBytes);
  }

  isWithin(other: MemoryContext): boolean {
    return this.#upward.includes(other as Context);
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
    const child = new Context({ name, blocks: this.#blocks, limitBytes, parent: this, knobs: this.knobs });
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
