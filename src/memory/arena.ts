/**
 * Bump allocation of many small objects with a common lifetime: strings that a kernel makes, entries of a hash table. The cursor is in
 * linear memory, so kernels allocate inline (codegen/arena.ts) and call the host only when a chunk is exhausted.
 */
import { assert } from "../protocol/errors.ts";
import type { MemoryContext, Address } from "./memory.ts";

/** Alignment of every allocation; sizes are rounded up to it. */
export const arenaAlignmentBytes = 8;
/** Offset in the control block. */
export const arenaCursorOffset = 0;
export const arenaLimitOffset = 4;

const controlBlockBytes = 16;
const chunkGrowthBytesMax = 1024 * 1024;

/** The arenas of a node by control block address; the host function `arena.grow` finds the kernel's arena here. */
export class ArenaRegistry {
  #arenas = new Map<Address, Arena>();

  create(context: MemoryContext, chunkBytes: number = context.knobs.value("arena-bytes")): Arena {
    return new Arena(context, this, chunkBytes);
  }

  add(arena: Arena): void {
    this.#arenas.set(arena.controlBlock, arena);
  }

  remove(arena: Arena): void {
    // If the arena's context was closed first, another arena may have the address by now.
    if (this.#arenas.get(arena.controlBlock) === arena) {
      this.#arenas.delete(arena.controlBlock);
      if (this.#arenas.size === 0) {
        // A map that is used on keeps its former entries until a full collection (docs/performance.md, "Warm-up").
        this.#arenas = new Map();
      }
    }
  }

  /** Implements the host function `arena.grow`. */
  grow(controlBlock: Address, bytes: number): Address {
    const arena = this.#arenas.get(controlBlock);
    assert(arena !== undefined, `no arena at address ${controlBlock}`);
    return arena.grow(bytes);
  }
}

export class Arena {
  /** u32 cursor, u32 limit, 8 bytes unused. */
  readonly controlBlock: Address;
  readonly #context: MemoryContext;
  readonly #registry: ArenaRegistry | undefined;
  readonly #chunks: Address[] = [];
  readonly #chunkBytesFirst: number;
  #chunkBytes: number;
  #closed = false;

  /** Without a registry the arena cannot be used by kernels. */
  constructor(context: MemoryContext, registry?: ArenaRegistry, chunkBytes: number = context.knobs.value("arena-bytes")) {
    this.#context = context;
    this.#registry = registry;
    this.#chunkBytesFirst = chunkBytes;
    this.#chunkBytes = chunkBytes;
    this.controlBlock = context.allocateZeroed(controlBlockBytes);
    registry?.add(this);
  }

  get #u32(): Uint32Array {
    return this.#context.linear.u32;
  }

  /** 8-byte aligned; content undefined. Valid until reset or close. */
  allocate(bytes: number): Address {
    const size = Math.ceil(bytes / arenaAlignmentBytes) * arenaAlignmentBytes;
    const word = this.controlBlock >>> 2;
    const cursor = this.#u32[word] as number;
    if ((this.#u32[word + 1] as number) - cursor < size) {
      return this.grow(size);
    }
    this.#u32[word] = cursor + size;
    return cursor;
  }

  /** Allocates `bytes` at the start of a new chunk. */
  grow(bytes: number): Address {
    assert(!this.#closed, "the arena is closed");
    const size = Math.max(arenaAlignmentBytes, Math.ceil(bytes / arenaAlignmentBytes) * arenaAlignmentBytes);
    const chunk = this.#context.allocate(Math.max(size, this.#chunkBytes));
    this.#chunks.push(chunk);
    this.#chunkBytes = Math.max(this.#chunkBytes, Math.min(this.#chunkBytes * 2, chunkGrowthBytesMax));
    this.#point(chunk, size);
    return chunk;
  }

  /** Discards all allocations and keeps the first chunk. */
  reset(): void {
    const first = this.#chunks[0];
    if (first === undefined) {
      return;
    }
    for (let index = this.#chunks.length - 1; index > 0; index--) {
      this.#context.free(this.#chunks[index] as Address);
    }
    this.#chunks.length = 1;
    this.#chunkBytes = this.#chunkBytesFirst;
    this.#point(first, 0);
  }

  /** Discards all allocations and frees their memory. */
  clear(): void {
    this.#freeChunks();
    this.#chunks.length = 0;
    this.#chunkBytes = this.#chunkBytesFirst;
    this.#u32.fill(0, this.controlBlock >>> 2, (this.controlBlock >>> 2) + 2);
  }

  /** Discards the allocations since the cursor of the control block had this value. */
  rewind(cursor: Address): void {
    for (let last = this.#chunks.length - 1; last > 0; last--) {
      const chunk = this.#chunks[last] as Address;
      if (cursor >= chunk && cursor <= chunk + this.#context.sizeOf(chunk)) {
        return this.#point(chunk, cursor - chunk);
      }
      this.#context.free(chunk);
      this.#chunks.length = last;
    }
    const first = this.#chunks[0];
    if (first !== undefined) {
      // Without a chunk the cursor was 0.
      this.#point(first, cursor === 0 ? 0 : cursor - first);
    }
  }

  /** Idempotent. Must be called before the context closes. */
  close(): void {
    if (this.#closed) {
      return;
    }
    this.#closed = true;
    this.#freeChunks();
    this.#registry?.remove(this);
    this.#context.free(this.controlBlock);
  }

  #freeChunks(): void {
    for (const chunk of this.#chunks) {
      this.#context.free(chunk);
    }
  }

  #point(chunk: Address, usedBytes: number): void {
    const word = this.controlBlock >>> 2;
    this.#u32[word] = chunk + usedBytes;
    const usable = this.#context.sizeOf(chunk);
    this.#u32[word + 1] = chunk + usable - (usable % arenaAlignmentBytes);
  }
}
