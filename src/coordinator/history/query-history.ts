/**
 * The history of queries on the node's disk: what has ended and was written survives a restart, once. Ended queries are written in batches
 * behind their clients' backs. A segment is two files that only grow: the details of its queries, and an index with a line for each, which
 * is written after its detail is safe. An incarnation writes segments of its own and never appends to those of another. The index is kept
 * in memory; details are read when they are asked for.
 */
import { type KnobName, knobOf, type Knobs } from "../../ports/knobs.ts";
import type { Clock, Timer } from "../../ports/clock.ts";
import type { Log } from "../../ports/ports.ts";
import { type Storage, StorageError } from "../../ports/storage.ts";
import type { QueryInfo } from "../../protocol/documents/query.ts";
import { compressLz4, decompressLz4 } from "../../protocol/lz4.ts";
import { messageOf } from "../../protocol/errors.ts";
import { joinBytes } from "../../types/bytes.ts";
import { crc32 } from "../../types/crc32.ts";
import { decodeUtf8, encodeUtf8 } from "../../types/utf8.ts";
import { QueryInMemory } from "../listing/query-row.ts";
import type { Query } from "../query/query.ts";
import { detailForHistory } from "./history-detail.ts";
import { EntryReader, recordText } from "./history-entry.ts";
import { type HistoryBounds, HistoryIndex } from "./history-index.ts";
import { recordLine, recordTexts } from "../../types/record-lines.ts";

/** Queries that wait to be written while the disk does not work; more are left out. */
const pendingMax = 1000;
/** Lines of a segment that are read in one slice. */
const sliceLines = 200;

export interface QueryHistoryOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly storage: Storage;
  readonly incarnation: string;
  readonly bounds: HistoryBounds;
  readonly knobs?: Knobs | undefined;
}

interface Segment {
  readonly name: string;
  readonly startMillis: number;
  detailBytes: number;
  bytes: number;
  count: number;
}

export class QueryHistory {
  readonly #options: QueryHistoryOptions;
  readonly #index: HistoryIndex;
  readonly #reader = new EntryReader();
  #pending: Query[] = [];
  #leftOut = 0;
  #segment: Segment | undefined;
  #segmentCount = 0;
  #timer: Timer | undefined;
  #loadTimer: Timer | undefined;
  #loading: Promise<void> | undefined;
  #isLoaded = false;
  #writing: Promise<void> | undefined;
  #closed = false;

  constructor(options: QueryHistoryOptions) {
    this.#options = options;
    this.#index = new HistoryIndex(options.bounds);
  }

  #knob(name: KnobName): number {
    return knobOf(this.#options, name);
  }

  /** The index of all queries that are on the disk. */
  get index(): HistoryIndex {
    return this.#index;
  }

  /** Ids in the order of their ends; undefined before all were read. */
  ids(): readonly string[] | undefined {
    return this.#isLoaded ? [...this.#index.entries()].map(({ id }) => id) : undefined;
  }

  /** The node has started. What earlier incarnations have written must not delay its first queries. */
  loadLater(): void {
    this.#loadTimer = this.#options.clock.timer("query-history-load", this.#knob("history-load-ms"), () => void this.load());
  }

  /** Reads what earlier incarnations have written. Nothing is written before, and answers about ended queries wait for it. */
  load(): Promise<void> {
    this.#loadTimer?.cancel();
    this.#loading ??= this.#load();
    return this.#loading;
  }

  /** Never rejects: without a disk there is no history. */
  async #load(): Promise<void> {
    const { log } = this.#options;
    try {
      for (const name of await this.#segmentNames()) {
        await this.#loadSegment(name);
      }
      await this.#evict();
      log.info("query-history-loaded", { queries: this.#index.count, bytes: this.#index.fileBytes });
    } catch (error) {
      if (!(error instanceof StorageError && error.kind === "NOT_FOUND")) {
        log.warn("query-history-not-read", { error: messageOf(error) });
      }
    }
    this.#isLoaded = true;
  }

  /** The query has ended and its numbers no longer change. */
  add(query: Query): void {
    if (this.#pending.length >= pendingMax || this.#closed) {
      this.#leftOut += 1;
      return;
    }
    this.#pending.push(query);
    this.#schedule(this.#knob("history-write-ms"));
  }

  /** The query is in memory no more, so lists show it from here. */
  forgotten(queryId: string): void {
    const entry = this.#index.find(queryId);
    if (entry !== undefined) {
      entry.isInMemory = false;
    }
  }

  /** The detail document as it was written, without addresses. Undefined if it is unknown or cannot be read. */
  async detail(queryId: string): Promise<QueryInfo | undefined> {
    await this.load();
    const entry = this.#index.find(queryId);
    if (entry === undefined) {
      return undefined;
    }
    const { checksum, length, offset, rawLength } = entry.detail;
    try {
      const bytes = await this.#options.storage.read(detailPath(entry.segment), offset, length);
      if (bytes.length !== length || crc32(bytes) !== checksum) {
        throw new StorageError("IO", detailPath(entry.segment), "the record does not have its checksum");
      }
      return JSON.parse(decodeUtf8(decompressLz4(bytes, rawLength))) as QueryInfo;
    } catch (error) {
      this.#options.log.warn("query-history-not-read", { queryId, error: messageOf(error) });
      return undefined;
    }
  }

  /** Writes what waits. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#timer?.cancel();
    this.#timer = undefined;
    await this.load();
    await this.#writing;
    while (this.#pending.length > 0 && (await this.#writeBatch())) {}
  }

  #schedule(delayMs: number): void {
    if (this.#timer === undefined && this.#writing === undefined && !this.#closed) {
      this.#timer = this.#options.clock.timer("query-history", delayMs, () => {
        this.#timer = undefined;
        this.#writing = this.#write();
      });
    }
  }

  async #write(): Promise<void> {
    await this.load();
    const isWritten = await this.#writeBatch();
    this.#writing = undefined;
    if (this.#pending.length > 0) {
      this.#schedule(this.#knob(isWritten ? "history-write-ms" : "history-again-ms"));
    }
  }

  /** Returns false if the disk refused the batch, which then waits for the next try. */
  async #writeBatch(): Promise<boolean> {
    const batch = this.#pending.slice(0, this.#knob("history-batch"));
    const segment = this.#openSegment();
    const { log, storage } = this.#options;
    try {
      const rows = batch.map((query) => new QueryInMemory(query, noFacts));
      const details = batch.map((query) => encodeUtf8(detailForHistory(query)));
      const blocks = details.map((detail) => compressLz4(detail));
      let offset = segment.detailBytes;
      const texts = rows.map((row, index) => {
        const [block, detail] = [blocks[index] as Uint8Array, details[index] as Uint8Array];
        const place = { offset, length: block.length, rawLength: detail.length, checksum: crc32(block) };
        offset += block.length;
        return recordText(row, place);
      });
      await storage.append(detailPath(segment.name), joinBytes(blocks));
      await storage.sync(detailPath(segment.name));
      const lines = joinBytes(texts.map(recordLine));
      await storage.append(indexPath(segment.name), lines);
      await storage.sync(indexPath(segment.name));
      const bytes = offset - segment.detailBytes + lines.length;
      segment.detailBytes = offset;
      this.#pending = this.#pending.slice(batch.length);
      this.#written(segment, { batch, texts, bytes });
      await this.#evict();
      return true;
    } catch (error) {
      // Nothing is known about the end of these files any more.
      this.#segment = undefined;
      log.warn("query-history-not-written", { queries: this.#pending.length, leftOut: this.#leftOut, error: messageOf(error) });
      return false;
    }
  }

  #written(segment: Segment, batch: { readonly batch: readonly Query[]; readonly texts: readonly string[]; readonly bytes: number }): void {
    segment.bytes += batch.bytes;
    segment.count += batch.texts.length;
    this.#index.grow(segment.name, batch.bytes);
    batch.texts.forEach((text, index) => {
      const query = batch.batch[index] as Query;
      const entry = this.#reader.read(text, { segment: segment.name, ordinal: query.number });
      if (entry !== undefined) {
        entry.isInMemory = !query.forgotten;
        this.#index.add(entry);
      }
    });
  }

  /** A segment has at most its share of every bound, so that removing one keeps most of the history. */
  #openSegment(): Segment {
    const { bounds, clock, incarnation } = this.#options;
    const now = clock.wallMillis();
    const open = this.#segment;
    // The oldest segment is removed as a whole, so its share is the part of the history that can be missing.
    const segmentsPerHistory = this.#knob("history-segments");
    if (
      open !== undefined &&
      open.bytes < bounds.bytesMax / segmentsPerHistory &&
      open.count < bounds.countMax / segmentsPerHistory &&
      now - open.startMillis < bounds.ageMaxMs / segmentsPerHistory
    ) {
      return open;
    }
    const name = `${String(now).padStart(15, "0")}-${incarnation}-${String(this.#segmentCount++).padStart(6, "0")}`;
    this.#segment = { name, startMillis: now, detailBytes: 0, bytes: 0, count: 0 };
    return this.#segment;
  }

  async #evict(): Promise<void> {
    const { clock, log, storage } = this.#options;
    for (const name of this.#index.evict(clock.wallMillis(), this.#segment?.name)) {
      try {
        // The index goes first: a line must never be there without its detail.
        await storage.remove(indexPath(name));
        await storage.remove(detailPath(name));
      } catch (error) {
        log.warn("query-history-not-removed", { segment: name, error: messageOf(error) });
      }
    }
  }

  async #segmentNames(): Promise<readonly string[]> {
    const files = await this.#options.storage.list("");
    return files.flatMap(({ name }) => (name.endsWith(indexEnding) ? [name.slice(0, -indexEnding.length)] : []));
  }

  async #loadSegment(name: string): Promise<void> {
    const { log, storage } = this.#options;
    try {
      const { sizeBytes } = await storage.stat(indexPath(name));
      const detail = await storage.stat(detailPath(name));
      const bytes = await storage.read(indexPath(name), 0, sizeBytes);
      this.#index.grow(name, sizeBytes + detail.sizeBytes);
      let [dropped, lines] = [0, 0];
      for (const text of recordTexts(bytes)) {
        const entry = text === undefined ? undefined : this.#reader.read(text, { segment: name });
        if (entry === undefined) {
          dropped += 1;
        } else {
          this.#index.add(entry);
        }
        lines += 1;
        if (lines % sliceLines === 0) {
          await this.#options.clock.turn(sliceLines);
        }
      }
      if (dropped > 0) {
        log.warn("query-history-records-dropped", { segment: name, records: dropped });
      }
    } catch (error) {
      log.warn("query-history-not-read", { segment: name, error: messageOf(error) });
    }
  }
}

const indexEnding = ".index";

function indexPath(segment: string): string {
  return `${segment}${indexEnding}`;
}

function detailPath(segment: string): string {
  return `${segment}.detail`;
}

/** An ended query waits for nothing. */
function noFacts(): never {
  throw new TypeError("a query that has ended waits for nothing");
}
