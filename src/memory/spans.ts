/**
 * Free spans of a node's memory in units of 4 KiB: segregated good fit (eight bins per doubling) with immediate coalescing. All bookkeeping
 * is outside the linear memory. Internal to the allocator.
 */
import { assert } from "../protocol/errors.ts";

export const spanUnitBytes = 4096;
/** Use since the memory was fresh is tracked in chunks of 1 MiB. */
const chunkShift = 8;
export const spanChunkBytes: number = spanUnitBytes << chunkShift;

const binsPerDoubling = 8;
const binCount = 160;
/** Number of spans of the request's own bin that are probed before a larger bin is split. */
const ownBinProbesMax = 8;
const none = -1;
/**
 * Spans from this size on, in units, are taken from the far end of free memory, so that small long-lived spans do not fragment that area.
 */
const largeUnits = 1024;

function binOf(units: number): number {
  if (units < binsPerDoubling) {
    return units;
  }
  const doubling = 31 - Math.clz32(units);
  return (doubling - 2) * binsPerDoubling + ((units >>> (doubling - 3)) & 7);
}

export class SpanAllocator {
  /** At the first and last unit of a free span its length; 0 at both ends of a span in use. */
  readonly #freeUnits: Uint32Array;
  readonly #next: Int32Array;
  readonly #previous: Int32Array;
  readonly #heads = new Int32Array(binCount).fill(none);
  readonly #unitsEnd: number;
  #highWaterUnits: number;
  #usedUnits = 0;
  /** One byte per chunk: 1 if part of it was in use since the memory was fresh. */
  readonly #touched: Uint8Array;
  #touchedChunks = 0;

  /** Manages the units from `unitsStart` (inclusive) to `unitsEnd` (exclusive). */
  constructor(unitsStart: number, unitsEnd: number) {
    assert(unitsStart > 0 && unitsStart < unitsEnd, "a span allocator needs memory behind unit 0");
    this.#unitsEnd = unitsEnd;
    this.#freeUnits = new Uint32Array(unitsEnd + 1);
    this.#next = new Int32Array(unitsEnd);
    this.#previous = new Int32Array(unitsEnd);
    this.#highWaterUnits = unitsStart;
    this.#touched = new Uint8Array((unitsEnd >>> chunkShift) + 1);
    this.#insert(unitsStart, unitsEnd - unitsStart);
  }

  /** One past the last unit that was ever in use. */
  get highWaterUnits(): number {
    return this.#highWaterUnits;
  }

  get usedUnits(): number {
    return this.#usedUnits;
  }

  /** Number of chunks of which any unit was in use since the memory was fresh. */
  get touchedChunks(): number {
    return this.#touchedChunks;
  }

  /** Calls back for every run of units in use, with its first unit and the unit after its last. */
  forEachUsed(unitsStart: number, callback: (start: number, end: number) => void): void {
    let start = unitsStart;
    let unit = unitsStart;
    while (unit < this.#unitsEnd) {
      const free = this.#freeUnits[unit] as number;
      if (free === 0) {
        unit++;
        continue;
      }
      if (unit > start) {
        callback(start, unit);
      }
      unit += free;
      start = unit;
    }
    if (unit > start) {
      callback(start, unit);
    }
  }

  /** Marks the memory as fresh except for the units in use. */
  forgetTouched(unitsStart: number): void {
    this.#touched.fill(0);
    this.#touchedChunks = 0;
    this.forEachUsed(unitsStart, (start, end) => this.#touch(start, end));
  }

  /** First unit of a new span, or 0 if no free span is long enough. */
  allocate(units: number): number {
    const start = this.#find(units);
    if (start === none) {
      return 0;
    }
    const length = this.#freeUnits[start] as number;
    this.#remove(start, length);
    const rest = length - units;
    const taken = units < largeUnits ? start : start + rest;
    if (rest > 0) {
      this.#insert(taken === start ? start + units : start, rest);
    }
    this.#usedUnits += units;
    this.#markUsed(taken, taken + units);
    return taken;
  }

  free(start: number, units: number): void {
    this.#usedUnits -= units;
    let spanStart = start;
    let length = units;
    const before = this.#freeUnits[start - 1] as number;
    if (before > 0) {
      spanStart -= before;
      length += before;
      this.#remove(spanStart, before);
    }
    const after = start + units < this.#unitsEnd ? (this.#freeUnits[start + units] as number) : 0;
    if (after > 0) {
      this.#remove(start + units, after);
      length += after;
    }
    this.#insert(spanStart, length);
  }

  /** Extends a span in use by the `more` units after it; false if they are not free. */
  extend(start: number, units: number, more: number): boolean {
    const behind = start + units;
    const after = behind < this.#unitsEnd ? (this.#freeUnits[behind] as number) : 0;
    if (after < more) {
      return false;
    }
    this.#remove(behind, after);
    if (after > more) {
      this.#insert(behind + more, after - more);
    }
    this.#usedUnits += more;
    this.#markUsed(behind, behind + more);
    return true;
  }

  #markUsed(start: number, end: number): void {
    if (end > this.#highWaterUnits) {
      this.#highWaterUnits = end;
    }
    this.#touch(start, end);
  }

  #touch(start: number, end: number): void {
    for (let chunk = start >>> chunkShift; chunk <= (end - 1) >>> chunkShift; chunk++) {
      if (this.#touched[chunk] === 0) {
        this.#touched[chunk] = 1;
        this.#touchedChunks++;
      }
    }
  }

  #find(units: number): number {
    const own = binOf(units);
    const close = this.#bestOfBin(own, units, ownBinProbesMax);
    if (close !== none) {
      return close;
    }
    for (let bin = own + 1; bin < binCount; bin++) {
      const head = this.#heads[bin] as number;
      if (head !== none) {
        return head;
      }
    }
    return this.#bestOfBin(own, units, Number.MAX_SAFE_INTEGER);
  }

  #bestOfBin(bin: number, units: number, probesMax: number): number {
    let best = none;
    let bestLength = 0;
    let probes = 0;
    for (let start = this.#heads[bin] as number; start !== none && probes < probesMax; start = this.#next[start] as number) {
      const length = this.#freeUnits[start] as number;
      if (length === units) {
        return start;
      }
      if (length > units && (best === none || length < bestLength)) {
        best = start;
        bestLength = length;
      }
      probes++;
    }
    return best;
  }

  #insert(start: number, length: number): void {
    const bin = binOf(length);
    const head = this.#heads[bin] as number;
    this.#freeUnits[start] = length;
    this.#freeUnits[start + length - 1] = length;
    this.#next[start] = head;
    this.#previous[start] = none;
    if (head !== none) {
      this.#previous[head] = start;
    }
    this.#heads[bin] = start;
  }

  #remove(start: number, length: number): void {
    const next = this.#next[start] as number;
    const previous = this.#previous[start] as number;
    if (previous === none) {
      this.#heads[binOf(length)] = next;
    } else {
      this.#next[previous] = next;
    }
    if (next !== none) {
      this.#previous[next] = previous;
    }
    this.#freeUnits[start] = 0;
    this.#freeUnits[start + length - 1] = 0;
  }
}
