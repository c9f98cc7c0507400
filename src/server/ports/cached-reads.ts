/**
 * Reads of bytes that the system has in its cache, without the pool of threads: to hand a read over and to be woken takes longer than to
 * copy. Whether bytes are in the cache shows in the time that it takes to read some of them. Bytes that take longer are left to the pool,
 * and so are the next reads, for the node does nothing else while it waits for a disk. So are reads beyond a number of bytes in one turn of
 * the event loop: who reads a whole file in a loop lets others work in between.
 */
import { readSync } from "node:fs";

/** Read at once. The cache gives them in some 30 microseconds. */
const pieceBytes = 262_144;
/** A piece that takes longer did not come from the cache, or the thread did not run meanwhile. */
const slowMs = 1;
/** Reads that are left to the pool after a slow one: so many at first, and twice as many after each that is slow again. */
const pausedReadsMin = 4;
const pausedReadsMax = 256;
/** Read in one turn of the event loop; about a millisecond. */
const turnBytesMax = 8_388_608;

export interface CachedReadsOptions {
  readonly nowMs: () => number;
  readonly read: (file: number, target: Uint8Array, position: number) => number;
  /** Calls back in the next turn of the event loop. */
  readonly onNextTurn: (callback: () => void) => void;
}

const real: CachedReadsOptions = {
  nowMs: () => performance.now(),
  read: (file, target, position) => readSync(file, target, 0, target.length, position),
  onNextTurn: setImmediate,
};

export class CachedReads {
  readonly #options: CachedReadsOptions;
  #pausedReads = 0;
  #nextPause = pausedReadsMin;
  /** Read in this turn. */
  #turnBytes = 0;

  constructor(options: CachedReadsOptions = real) {
    this.#options = options;
  }

  /** Returns how many bytes of the target it has filled from its beginning on. Throws the errors of the file. */
  fill(file: number, target: Uint8Array, position: number): number {
    if (this.#pausedReads > 0) {
      this.#pausedReads--;
      return 0;
    }
    const { nowMs, read, onNextTurn } = this.#options;
    if (this.#turnBytes > turnBytesMax) {
      return 0;
    }
    if (this.#turnBytes === 0 && target.length > 0) {
      onNextTurn(() => {
        this.#turnBytes = 0;
      });
    }
    this.#turnBytes += target.length;
    for (let filled = 0; filled < target.length; ) {
      const before = nowMs();
      const bytes = read(file, target.subarray(filled, filled + pieceBytes), position + filled);
      filled += bytes;
      if (nowMs() - before > slowMs) {
        this.#pausedReads = this.#nextPause;
        this.#nextPause = Math.min(this.#nextPause * 2, pausedReadsMax);
        return filled;
      }
      if (bytes === 0) {
        return filled;
      }
    }
    this.#nextPause = pausedReadsMin;
    return target.length;
  }
}
