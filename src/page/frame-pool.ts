/**
 * Memory for the frames of a node, which other nodes of the process can read without a copy. It is shared memory, because the collector
 * counts ArrayBuffers and collects the whole heap for them, and it is freed explicitly (docs/decisions/0068-frames-are-lent.md).
 *
 * The pool has a bound. Beyond it, and for small frames, a frame has an ArrayBuffer of its own. Which of the two a frame has changes no
 * byte of it.
 */
import { type MemoryContext, MemoryLimitExceeded } from "../memory/memory.ts";
import { SpanAllocator, spanChunkBytes, spanUnitBytes } from "../memory/spans.ts";
import { Frame } from "./frame.ts";
import { GatherTarget } from "./gather.ts";

/** The pool takes at most this part of the node's memory. */
const memoryShare = 16;
/** A browser gives shared memory to isolated pages only. */
const hasSharedMemory = typeof SharedArrayBuffer === "function";
/** Unit 0 stays unused: the allocator's addresses begin at 1. */
const firstUnit = 1;

/** A frame whose bytes are to be written: `target` from `start` on. */
export interface FrameSpace {
  readonly frame: Frame;
  readonly target: GatherTarget;
  readonly start: number;
}

export interface FramePoolMeasures {
  /** Bytes of frames that are not freed. */
  readonly usedBytes: number;
  /** Upper bound of the machine's memory that the pool occupies. */
  readonly residentBytes: number;
  readonly pooledFrames: number;
  /** Frames outside of the pool: small ones, and those that found it full. */
  readonly heapFrames: number;
}

export interface FramePoolOptions {
  /** The pool reserves what it occupies. */
  readonly memory: MemoryContext;
  /** Frames can be lent to other nodes; otherwise none is pooled. */
  readonly lends: () => boolean;
}

export class FramePool {
  readonly #options: FramePoolOptions;
  readonly #bytesMax: number;
  readonly #frameBytesMin: number;
  #arena: Arena | undefined;
  #pooledFrames = 0;
  #heapFrames = 0;

  constructor(options: FramePoolOptions) {
    const { knobs, linear } = options.memory;
    this.#options = options;
    const bytesMax = Math.min(knobs.value("frame-pool-bytes"), Math.floor(linear.sizeBytes / memoryShare));
    this.#bytesMax = hasSharedMemory ? bytesMax : 0;
    this.#frameBytesMin = knobs.value("pooled-frame-bytes");
  }

  /** Space for a frame of `bytes` bytes, a multiple of 8. Its content is undefined. */
  allocate(bytes: number): FrameSpace {
    const space = bytes >= this.#frameBytesMin && this.#options.lends() ? this.#usedArena()?.allocate(bytes) : undefined;
    if (space === undefined) {
      this.#heapFrames++;
      return heapSpace(bytes);
    }
    this.#pooledFrames++;
    return space;
  }

  /** Gives the memory back to the machine. Frames that are in use keep theirs. */
  trim(): void {
    this.#arena?.close();
    this.#arena = undefined;
  }

  /** Bytes that `trim` gives back. */
  get unusedBytes(): number {
    return this.#arena === undefined ? 0 : this.#arena.residentBytes - this.#arena.usedBytes;
  }

  measures(): FramePoolMeasures {
    return {
      usedBytes: this.#arena?.usedBytes ?? 0,
      residentBytes: this.#arena?.residentBytes ?? 0,
      pooledFrames: this.#pooledFrames,
      heapFrames: this.#heapFrames,
    };
  }

  #usedArena(): Arena | undefined {
    const units = Math.floor(this.#bytesMax / spanUnitBytes);
    if (this.#arena === undefined && units > firstUnit) {
      this.#arena = new Arena(units, this.#options.memory);
    }
    return this.#arena;
  }
}

/** A frame with an ArrayBuffer of its own. */
export function heapSpace(bytes: number): FrameSpace {
  const target = new GatherTarget(new ArrayBuffer(bytes));
  return { frame: new Frame(target.u8), target, start: 0 };
}

/** One block of shared memory; pages that were never touched occupy none. */
class Arena {
  readonly #target: GatherTarget;
  readonly #spans: SpanAllocator;
  readonly #memory: MemoryContext;
  #reservedBytes = 0;
  #isClosed = false;

  constructor(units: number, memory: MemoryContext) {
    this.#target = new GatherTarget(new SharedArrayBuffer(units * spanUnitBytes));
    this.#spans = new SpanAllocator(firstUnit, units);
    this.#memory = memory;
  }

  get usedBytes(): number {
    return this.#spans.usedUnits * spanUnitBytes;
  }

  get residentBytes(): number {
    return this.#spans.touchedChunks * spanChunkBytes;
  }

  /** Undefined if the pool or the node's memory has no room. */
  allocate(bytes: number): FrameSpace | undefined {
    const units = Math.ceil(bytes / spanUnitBytes);
    const first = this.#spans.allocate(units);
    if (first === 0) {
      return undefined;
    }
    if (!this.#reserve()) {
      this.#spans.free(first, units);
      return undefined;
    }
    const start = first * spanUnitBytes;
    const free = (): void => {
      // A reader that still has a view of the bytes finds no frame.
      this.#target.u32[start / 4] = 0;
      this.#spans.free(first, units);
    };
    return { frame: new Frame(this.#target.u8.subarray(start, start + bytes), { onFreed: free }), target: this.#target, start };
  }

  close(): void {
    if (!this.#isClosed) {
      this.#isClosed = true;
      this.#memory.release(this.#reservedBytes);
    }
  }

  /** Reserves what is touched beyond the reservation. False if the node's memory has no room. */
  #reserve(): boolean {
    const more = this.residentBytes - this.#reservedBytes;
    if (more === 0) {
      return true;
    }
    try {
      this.#memory.reserve(more);
    } catch (error) {
      if (error instanceof MemoryLimitExceeded) {
        return false;
      }
      throw error;
    }
    this.#reservedBytes += more;
    return true;
  }
}
