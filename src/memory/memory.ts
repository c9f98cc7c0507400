/**
 * A node's linear memory and its accounting. A node has one allocator. Contexts form a tree (node, pool, query, task, operator), and each
 * byte is charged to every context up to the root, so limits are exact. Implementation: memory/allocator.ts.
 */

import type { Knobs } from "../ports/knobs.ts";

/** Byte offset in the node's linear memory; 0 means none and is never a valid address. */
export type Address = number;

/** The part of the WebAssembly API that the engine uses; lib ES2023 does not declare it. */
export interface WasmMemory {
  readonly buffer: ArrayBufferLike;
}

/**
 * Views over one memory of fixed size: it never grows, so views never detach. Untouched pages cost no resident memory. Between two tasks
 * the views may be replaced by those of another memory with the same content (NodeMemory.renew); objects that outlive a task must read the
 * views from this object each time.
 */
export interface LinearMemory {
  readonly wasm: WasmMemory;
  readonly sizeBytes: number;
  readonly u8: Uint8Array;
  readonly i8: Int8Array;
  readonly i16: Int16Array;
  readonly u16: Uint16Array;
  readonly i32: Int32Array;
  readonly u32: Uint32Array;
  readonly i64: BigInt64Array;
  readonly f32: Float32Array;
  readonly f64: Float64Array;
  readonly view: DataView;
}

export interface MemoryContext {
  readonly name: string;
  readonly linear: LinearMemory;
  /** Bounds of what is kept in the memory: sizes of pages and tables, and their growth. */
  readonly knobs: Knobs;
  /** Bytes charged to this context and its descendants. */
  readonly reservedBytes: number;
  readonly peakBytes: number;
  /** Bytes that this context and its ancestors still allow. */
  readonly availableBytes: number;
  /** Bytes that this context and its ancestors allow beside the part of their limits that buffers leave free; negative if it is used. */
  readonly bufferRoomBytes: number;
  /** This context or the nearest ancestor where so many more bytes would use the part of its limit that operators leave free. */
  nearLimit(bytes: number): MemoryContext | undefined;
  /** Whether it is the other context or a descendant of it. */
  isWithin(other: MemoryContext): boolean;
  /**
   * Allocates at least `bytes` (> 0) bytes: 16-byte aligned, content undefined, with 16 readable bytes after the end. Throws
   * MemoryLimitExceeded if this context or an ancestor is at its limit, or the node's memory is full.
   */
  allocate(bytes: number): Address;
  /** As allocate, zero-filled. */
  allocateZeroed(bytes: number): Address;
  /** Moves a block to a new size and keeps its content; the old address becomes invalid. */
  reallocate(address: Address, bytes: number): Address;
  /** `address` must be a block of this context. */
  free(address: Address): void;
  /** Usable size of a block of this context, in bytes. */
  sizeOf(address: Address): number;
  /** Charges bytes outside linear memory (wire frames). Throws like allocate. */
  reserve(bytes: number): void;
  release(bytes: number): void;
  /** A child context; `limitBytes` bounds the bytes of the child and its descendants. */
  child(name: string, limitBytes?: number): MemoryContext;
  /** Frees all blocks and reservations of this context and its descendants. Idempotent; using it afterwards is an assertion. */
  close(): void;
}

/** Thrown by allocate and reserve; the operator that handles the driver's failure adds its name to the SQL error. */
export class MemoryLimitExceeded extends Error {
  override readonly name = "MemoryLimitExceeded";
  constructor(
    /** Name of the context whose limit was reached: `query`, `node`. */
    readonly context: string,
    readonly limitBytes: number,
    readonly requestedBytes: number,
  ) {
    super(`memory limit of ${context} exceeded: ${limitBytes}B`);
  }
}
