/**
 * A node's linear memory and the accounting over it. One allocator a node; contexts form a tree (node, pool, query, task, operator)
 * and each byte is charged to every context up to the root, so limits are exact. Implementation: memory/allocator.ts.
 */

/** Byte offset in the node's linear memory; 0 is "none", never a valid address of data. */
export type Address = number;

/** The little of the WebAssembly API that the engine uses (it is not in lib ES2023). */
export interface WasmMemory {
  readonly buffer: ArrayBufferLike;
}

/**
 * Views over one fixed-size memory: it never grows, so the views never detach. Untouched pages cost no resident memory. Between two tasks the views may become those of
 * another memory with the same content (NodeMemory.renew): what lives longer than a task reads them from this object each time.
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
  /** Bytes charged to this context and all below it. */
  readonly reservedBytes: number;
  readonly peakBytes: number;
  /**
   * At least `bytes` (> 0) bytes, 16-byte aligned, content undefined, 16 readable bytes behind the end.
   * Throws MemoryLimitExceeded when a context on the way up is at its limit or the node's memory is full.
   */
  allocate(bytes: number): Address;
  /** Like allocate, all zero. */
  allocateZeroed(bytes: number): Address;
  /** Moves a block to a new size, keeping the content; the old address is void. */
  reallocate(address: Address, bytes: number): Address;
  /** `address` must come from this very context. */
  free(address: Address): void;
  /** Usable size of a block of this context. */
  sizeOf(address: Address): number;
  /** Charges bytes that lie outside linear memory (wire frames). Throws like allocate. */
  reserve(bytes: number): void;
  release(bytes: number): void;
  /** A context below this one; `limitBytes` bounds what it and those below may hold. */
  child(name: string, limitBytes?: number): MemoryContext;
  /** Frees all blocks and reservations of this context and those below. Idempotent; using it afterwards is an assertion. */
  close(): void;
}

/** Thrown by allocate and reserve; the operator that catches the driver's failure names itself in the SQL error. */
export class MemoryLimitExceeded extends Error {
  override readonly name = "MemoryLimitExceeded";
  constructor(
    /** The context whose limit was hit: `query`, `node`. */
    readonly context: string,
    readonly limitBytes: number,
    readonly requestedBytes: number,
  ) {
    super(`memory limit of ${context} exceeded: ${limitBytes}B`);
  }
}
