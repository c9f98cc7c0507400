/**
 * The index of the query history in memory, in the order in which the queries ended, bounded by number, age and bytes of memory, and with
 * the bytes of the files bounded by whole segments. What falls out of it is gone: a segment without entries is removed from the disk.
 */
import type { HistoryEntry } from "./history-entry.ts";

/** Memory of all entries. */
const indexBytesMax = 64 * 1024 * 1024;

export interface HistoryBounds {
  /** query-history.max-count */
  readonly countMax: number;
  /** query-history.max-size, of all files together. */
  readonly bytesMax: number;
  /** query-history.max-age */
  readonly ageMaxMs: number;
}

interface SegmentUse {
  entries: number;
  bytes: number;
}

export class HistoryIndex {
  readonly #bounds: HistoryBounds;
  readonly #entries = new Map<string, HistoryEntry>();
  /** By base name, oldest first. */
  readonly #segments = new Map<string, SegmentUse>();
  #bytes = 0;
  #fileBytes = 0;

  constructor(bounds: HistoryBounds) {
    this.#bounds = bounds;
  }

  get count(): number {
    return this.#entries.size;
  }

  /** Memory of the entries, an estimate. */
  get bytes(): number {
    return this.#bytes;
  }

  get fileBytes(): number {
    return this.#fileBytes;
  }

  find(id: string): HistoryEntry | undefined {
    return this.#entries.get(id);
  }

  entries(): IterableIterator<HistoryEntry> {
    return this.#entries.values();
  }

  /** The last entry of an id counts: a batch may have been written twice, and a client may choose an id again. */
  add(entry: HistoryEntry): void {
    this.#remove(this.#entries.get(entry.id));
    this.#entries.set(entry.id, entry);
    this.#bytes += entry.bytes;
    this.#use(entry.segment).entries += 1;
  }

  /** Bytes written to the files of a segment, or found there. */
  grow(segment: string, bytes: number): void {
    this.#use(segment).bytes += bytes;
    this.#fileBytes += bytes;
  }

  /** Applies the bounds and returns the segments to remove. `open`: the segment that is written, which stays. */
  evict(nowMillis: number, open: string | undefined): readonly string[] {
    const { ageMaxMs, bytesMax, countMax } = this.#bounds;
    for (const entry of this.#entries.values()) {
      const isOld = entry.endMillis < nowMillis - ageMaxMs;
      if (!isOld && this.count <= countMax && this.#bytes <= indexBytesMax) {
        break;
      }
      this.#remove(entry);
    }
    const removed: string[] = [];
    for (const [segment, use] of this.#segments) {
      if (segment !== open && (use.entries === 0 || this.#fileBytes > bytesMax)) {
        this.#dropSegment(segment, use);
        removed.push(segment);
      }
    }
    return removed;
  }

  #dropSegment(segment: string, { bytes, entries }: SegmentUse): void {
    for (const entry of entries === 0 ? [] : this.#entries.values()) {
      if (entry.segment === segment) {
        this.#remove(entry);
      }
    }
    this.#segments.delete(segment);
    this.#fileBytes -= bytes;
  }

  #remove(entry: HistoryEntry | undefined): void {
    if (entry !== undefined) {
      this.#entries.delete(entry.id);
      this.#bytes -= entry.bytes;
      this.#use(entry.segment).entries -= 1;
    }
  }

  #use(segment: string): SegmentUse {
    const known = this.#segments.get(segment);
    if (known !== undefined) {
      return known;
    }
    const use = { entries: 0, bytes: 0 };
    this.#segments.set(segment, use);
    return use;
  }
}
