/**
 * Stores result segments in the node's storage until the client acknowledges them, the query fails, or they expire. The total size is
 * bounded. A segment's name cannot be guessed. One timer is set to the next expiry.
 */
import { removeUntilGone } from "../../../execution/spill/spill-folder.ts";
import { type Checksum, checksumOfBytes } from "../../../page/checksum.ts";
import type { Clock, Timer } from "../../../ports/clock.ts";
import type { Log } from "../../../ports/ports.ts";
import { hexDigits, type Random } from "../../../ports/random.ts";
import { type Storage, StorageError } from "../../../ports/storage.ts";
import { messageOf } from "../../../protocol/errors.ts";

export interface SegmentStoreOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** A directory of this incarnation of the node; the next incarnation deletes it. */
  readonly storage: Storage;
  /** protocol.spooling.maximum-storage-size */
  readonly bytesMax: number;
  /** fs.segment.ttl */
  readonly ttlMs: number;
}

interface StoredSegment {
  readonly queryId: string;
  readonly byteCount: number;
  readonly checksum: Checksum;
  readonly expiresNanos: number;
}

export interface SegmentName {
  readonly id: string;
  /** Wall time in epoch milliseconds, for display only. */
  readonly expiresMillis: number;
}

/** Number of read attempts: a disk may return wrong bytes occasionally. */
const readsMax = 3;

export class SegmentStore {
  readonly #options: SegmentStoreOptions;
  /** Segments in order of expiry. */
  readonly #segments = new Map<string, StoredSegment>();
  /** Segments whose files are being written. */
  readonly #writing = new Set<string>();
  /** Ids of segments by query. */
  readonly #idsOf = new Map<string, Set<string>>();
  #byteCount = 0;
  #timer: Timer | undefined;
  #closed = false;

  constructor(options: SegmentStoreOptions) {
    this.#options = options;
  }

  /** Bytes of all stored segments. */
  get byteCount(): number {
    return this.#byteCount;
  }

  /** Stores a segment. Returns undefined if there is no room or the disk fails. */
  async put(queryId: string, bytes: Uint8Array): Promise<SegmentName | undefined> {
    const { bytesMax, clock, log, random, storage, ttlMs } = this.#options;
    if (this.#closed || this.#byteCount + bytes.length > bytesMax) {
      return undefined;
    }
    const id = random.stream("segment-ids").nextText(32, hexDigits);
    const expiresNanos = clock.monotonicNanos() + ttlMs * 1e6;
    this.#byteCount += bytes.length;
    this.#segments.set(id, { queryId, byteCount: bytes.length, checksum: checksumOfBytes(bytes), expiresNanos });
    this.#idsOf.set(queryId, (this.#idsOf.get(queryId) ?? new Set()).add(id));
    this.#arm();
    this.#writing.add(id);
    try {
      await storage.write(id, bytes);
      this.#writing.delete(id);
    } catch (error) {
      this.#writing.delete(id);
      this.#drop(id);
      log.warn("segment-not-written", { queryId, message: messageOf(error) });
      return undefined;
    }
    if (!this.#segments.has(id)) {
      // The segment was dropped during the write.
      this.#remove(id);
    }
    return { id, expiresMillis: clock.wallMillis() + ttlMs };
  }

  /**
   * Returns undefined if the segment is unknown or was dropped. Throws StorageError if the disk does not return the bytes that were
   * written.
   */
  async read(id: string): Promise<Uint8Array | undefined> {
    const segment = this.#segments.get(id);
    if (segment === undefined) {
      return undefined;
    }
    const { queryId, byteCount, checksum } = segment;
    let problem = new StorageError("IO", id, "the segment has other bytes than were written");
    for (let turn = 0; turn < readsMax; turn++) {
      try {
        const bytes = await this.#options.storage.read(id, 0, byteCount);
        const found = checksumOfBytes(bytes);
        if (bytes.length === byteCount && found.low === checksum.low && found.high === checksum.high) {
          return bytes;
        }
      } catch (error) {
        if (!(error instanceof StorageError)) {
          throw error;
        }
        problem = error;
      }
      if (!this.#segments.has(id)) {
        return undefined;
      }
    }
    this.#options.log.warn("segment-not-read", { queryId, message: problem.message });
    throw problem;
  }

  /** The client has the segment. No effect for an unknown segment. */
  acknowledge(id: string): void {
    this.#drop(id);
  }

  /** The query failed: its client gets the failure and needs no rows. */
  dropQuery(queryId: string): void {
    for (const id of this.#idsOf.get(queryId) ?? []) {
      this.#drop(id);
    }
  }

  close(): void {
    this.#closed = true;
    this.#timer?.cancel();
    for (const id of this.#segments.keys()) {
      this.#drop(id);
    }
  }

  #drop(id: string): void {
    const segment = this.#segments.get(id);
    if (segment !== undefined) {
      const ids = this.#idsOf.get(segment.queryId);
      ids?.delete(id);
      if (ids?.size === 0) {
        this.#idsOf.delete(segment.queryId);
      }
      this.#segments.delete(id);
      this.#byteCount -= segment.byteCount;
      this.#remove(id);
      this.#arm();
    }
  }

  /** A file that is being written is removed after the write: it would come back otherwise. */
  #remove(id: string): void {
    const { clock, storage } = this.#options;
    if (!this.#writing.has(id)) {
      void removeUntilGone(storage, clock, id);
    }
  }

  #arm(): void {
    const [first] = this.#segments.values();
    if (first === undefined || this.#closed) {
      this.#timer?.cancel();
      this.#timer = undefined;
      return;
    }
    if (this.#timer === undefined) {
      const { clock } = this.#options;
      const delayMs = Math.max(1, Math.ceil((first.expiresNanos - clock.monotonicNanos()) / 1e6));
      this.#timer = clock.timer("segment-expiry", delayMs, () => this.#expire());
    }
  }

  #expire(): void {
    this.#timer = undefined;
    const now = this.#options.clock.monotonicNanos();
    for (const [id, { expiresNanos }] of this.#segments) {
      if (expiresNanos > now) {
        break;
      }
      this.#drop(id);
    }
    this.#arm();
  }
}
