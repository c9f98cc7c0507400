/**
 * The journal of queries whose clients may still ask for rows, on the coordinator's disk. The next incarnation reads it and goes on with
 * them. Records are appended before the answer that depends on them leaves, and synced soon after it: the death of the process loses
 * nothing, the death of the machine at most the last moments. An incarnation writes files of its own, and removes those of former ones once
 * it has written their queries anew.
 */
import { type KnobName, knobOf, type Knobs } from "../../ports/knobs.ts";
import type { Clock, Timer } from "../../ports/clock.ts";
import type { Log } from "../../ports/ports.ts";
import { type OwnedStorage, StorageError } from "../../ports/storage.ts";
import type { JournaledFailure, Position, RoutedPosition } from "../../protocol/documents/query-journal.ts";
import { messageOf } from "../../protocol/errors.ts";
import { RecentIds } from "../../protocol/recent-ids.ts";
import { joinBytes } from "../../types/bytes.ts";
import {
  type JournaledQuery,
  type JournaledTransaction,
  type JournalFile,
  journalLine,
  queryRecord,
  readJournal,
  withPosition,
} from "./journal-records.ts";

/** The directory of the journal in a node's storage, inside the one of the query history. */
export const journalFolder = "query-history/journal";

/** Bytes of the queries in the journal; more of them are not recorded and end with the coordinator. */
const journaledBytesMax = 64 * 1024 * 1024;

/** Random bits that are recorded for a query, at most. One with more of them ends with the coordinator once its client has rows. */
const drawnMax = 1000;

/** Ids that clients have chosen for queries that are over: none of them runs again. */
const chosenOverMax = 1000;

export interface QueryJournalOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly storage: OwnedStorage;
  readonly incarnation: string;
  readonly knobs?: Knobs | undefined;
}

/** Called when the journal says that these queries are over: no incarnation goes on with them. */
export type OnOver = (ids: readonly string[]) => void;

export class QueryJournal {
  readonly #options: QueryJournalOptions;
  readonly #began: string;
  readonly #live = new Map<string, { query: JournaledQuery; readonly bytes: number }>();
  readonly #transactions = new Map<string, { transaction: JournaledTransaction; readonly bytes: number }>();
  /** Transactions that queries have ended, by query. */
  readonly #endings = new Map<string, string>();
  #liveBytes = 0;
  #loading: Promise<Recovered> | undefined;
  #waiting: Uint8Array[] = [];
  /** The next write; undefined if no line waits. */
  #writing: Promise<void> | undefined;
  #disk: Promise<void> = Promise.resolve();
  #syncTimer: Timer | undefined;
  #overTimer: Timer | undefined;
  /** Ids of queries that are over, until the journal says so. */
  #over: string[] = [];
  readonly #chosenOver = new RecentIds(chosenOverMax);
  #onOver: OnOver = () => undefined;
  #file = 0;
  #fileBytes = 0;
  /** The file does not hold all records, or ends in the middle of one. */
  #isBroken = false;
  /** The file has all queries of former owners. */
  #isComplete = false;
  #closed = false;

  constructor(options: QueryJournalOptions) {
    this.#options = options;
    this.#began = String(options.clock.wallMillis()).padStart(15, "0");
  }

  /** Queries of former incarnations, in the order of their begins. Never rejects: without a disk nothing is recovered. */
  async load(): Promise<readonly JournaledQuery[]> {
    return (await this.#recovered()).queries;
  }

  /** Open transactions of former incarnations, in the order of their begins. Never rejects. */
  async openTransactions(): Promise<readonly JournaledTransaction[]> {
    return (await this.#recovered()).transactions;
  }

  set onOver(callback: OnOver) {
    this.#onOver = callback;
  }

  /** A query has been admitted. Resolves when the record is written, or cannot be. */
  begin(query: JournaledQuery): Promise<void> {
    const line = journalLine(queryRecord(query));
    if (this.#closed) {
      // An orderly shutdown ends all queries.
      return Promise.resolve();
    }
    if (this.#liveBytes + line.length > journaledBytesMax) {
      this.#options.log.warn("query-not-in-journal", { queryId: query.id });
      return Promise.resolve();
    }
    this.#live.set(query.id, { query, bytes: line.length });
    this.#liveBytes += line.length;
    return this.#append(line);
  }

  /** A document is about to be sent. Resolves when the record is written, or cannot be. */
  give(id: string, position: Position): Promise<void> {
    const live = this.#live.get(id);
    if (live === undefined) {
      return Promise.resolve();
    }
    live.query = withPosition(live.query, position);
    return this.#append(journalLine({ kind: "given", id, ...position }));
  }

  /** The plan of the query has drawn these bits; the next incarnation plans it with the same ones, as its rows depend on them. */
  draw(id: string, drawn: readonly bigint[]): void {
    const live = this.#live.get(id);
    if (live !== undefined && drawn.length <= drawnMax) {
      live.query = { ...live.query, drawn: drawn.map(String) };
      void this.#append(journalLine({ kind: "drawn", id, drawn: drawn.map(String) }));
    }
  }

  /** The cluster that runs the query is about to be asked for more rows. Resolves when the record is written, or cannot be. */
  route(id: string, routed: RoutedPosition): Promise<void> {
    const live = this.#live.get(id);
    if (live === undefined) {
      return Promise.resolve();
    }
    live.query = { ...live.query, routed };
    return this.#append(journalLine({ kind: "routed", id, routed }));
  }

  /**
   * The query has failed, and does not run again in another incarnation: whoever asks for it gets this failure. Resolves when the record is
   * written, or cannot be.
   */
  fail(id: string, failure: JournaledFailure): Promise<void> {
    const live = this.#live.get(id);
    if (live === undefined) {
      return Promise.resolve();
    }
    live.query = { ...live.query, failure };
    return this.#append(journalLine({ kind: "failed", id, failure }));
  }

  /** Resolves when the record is written, or cannot be. */
  beginTransaction(transaction: JournaledTransaction): Promise<void> {
    if (this.#closed) {
      return Promise.resolve();
    }
    const line = journalLine({ kind: "transaction", ...transaction });
    this.#transactions.set(transaction.id, { transaction, bytes: line.length });
    this.#liveBytes += line.length;
    return this.#append(line);
  }

  /** The failure of a query has aborted the transaction. Resolves when the record is written, or cannot be. */
  abortTransaction(id: string, by: string): Promise<void> {
    const open = this.#transactions.get(id);
    if (open === undefined) {
      return Promise.resolve();
    }
    open.transaction = { ...open.transaction, abortedBy: by };
    return this.#append(journalLine({ kind: "aborted", id, by }));
  }

  /** A query has ended the transaction. That is written when the query is over: until then the next incarnation may run it again. */
  endTransaction(id: string, by?: string): void {
    if (by !== undefined && this.#live.has(by) && !this.#closed) {
      this.#endings.set(by, id);
      return;
    }
    const open = this.#transactions.get(id);
    if (open !== undefined) {
      this.#transactions.delete(id);
      this.#liveBytes -= open.bytes;
      void this.#append(journalLine({ kind: "ended", id }));
    }
  }

  /**
   * The client asks no more. That is written late: until then a client whose last answer was lost can ask the next incarnation for it.
   */
  end(id: string): void {
    const live = this.#live.get(id);
    if (live === undefined || this.#closed) {
      return;
    }
    this.#over.push(id);
    this.#overIfChosen(live.query);
    this.#overTimer ??= this.#options.clock.timer("query-journal-over", this.#knob("journal-over-ms"), () => {
      this.#overTimer = undefined;
      void this.#writeOver();
    });
  }

  /**
   * Whether the id is that of a query which is over, here or in a former incarnation. A client that has chosen it and got no answer submits
   * it once more: the statement must not run again then.
   */
  async wasOver(id: string): Promise<boolean> {
    await this.#recovered();
    return this.#chosenOver.has(id);
  }

  #overIfChosen({ id, isChosen }: JournaledQuery): void {
    if (isChosen === true) {
      this.#chosenOver.add(id);
    }
  }

  /** An orderly shutdown has ended all queries, and told their clients. Transactions stay, and ids that no statement may have. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#overTimer?.cancel();
    this.#syncTimer?.cancel();
    await this.#loading;
    for (const { query } of this.#live.values()) {
      this.#overIfChosen(query);
    }
    this.#live.clear();
    for (const id of this.#endings.values()) {
      this.#transactions.delete(id);
    }
    await this.#exclusively(() => (this.#transactions.size + this.#chosenOver.size > 0 ? this.#rewrite() : this.#remove(this.#path)));
  }

  #recovered(): Promise<Recovered> {
    // A node that ended before it began has nothing to recover: the files may be those of another process, whose port it wanted.
    this.#loading ??= this.#closed ? Promise.resolve(nothing) : this.#load();
    return this.#loading;
  }

  #knob(name: KnobName): number {
    return knobOf(this.#options, name);
  }

  /** With an epoch once this coordinator is the owner of the directory; until then nothing is written. */
  get #name(): string {
    const { incarnation, storage } = this.#options;
    return `${storage.epoch > 0 ? epochText(storage.epoch) : this.#began}-${incarnation}`;
  }

  get #path(): string {
    return `${this.#name}-${String(this.#file).padStart(6, "0")}.journal`;
  }

  async #load(): Promise<Recovered> {
    const { log, storage } = this.#options;
    try {
      const names = (await storage.list("")).filter(({ name }) => name.endsWith(".journal") && !name.startsWith(this.#name));
      const files: JournalFile[] = [];
      for (const { name, sizeBytes } of names) {
        files.push({ epoch: epochOf(name), bytes: await storage.read(name, 0, sizeBytes) });
      }
      if (this.#closed) {
        return nothing;
      }
      const { badCount, chosenOver, queries, transactions } = readJournal(files);
      if (badCount > 0) {
        log.warn("query-journal-records-dropped", { records: badCount });
      }
      const recovered = [...queries.values()].map((query) => ({ ...query, lives: query.lives + 1 }));
      await Promise.all(recovered.map((query) => this.begin(query)));
      await Promise.all([...transactions.values()].map((transaction) => this.beginTransaction(transaction)));
      for (const id of chosenOver.slice(-chosenOverMax)) {
        this.#chosenOver.add(id);
      }
      await Promise.all([...this.#chosenOver].map((id) => this.#append(overLine(id))));
      this.#isComplete = storage.epoch > 0;
      await Promise.all(this.#isComplete ? [this.#append(completeLine)] : []);
      await this.#exclusively(() => this.#sync());
      for (const { name } of names) {
        await this.#remove(name);
      }
      log.info("query-journal-loaded", { queries: recovered.length });
      return { queries: recovered, transactions: [...transactions.values()] };
    } catch (error) {
      if (!(error instanceof StorageError && error.kind === "NOT_FOUND")) {
        log.warn("query-journal-not-read", { error: messageOf(error) });
      }
      return nothing;
    }
  }

  /** Lines that come while the disk is busy are written together. Never rejects. */
  #append(line: Uint8Array): Promise<void> {
    this.#waiting.push(line);
    this.#writing ??= this.#exclusively(() => {
      this.#writing = undefined;
      return this.#write();
    });
    return this.#writing;
  }

  /** One operation of the disk after the other. */
  #exclusively(work: () => Promise<void>): Promise<void> {
    this.#disk = this.#disk.then(work);
    return this.#disk;
  }

  async #write(): Promise<void> {
    const lines = this.#waiting;
    this.#waiting = [];
    try {
      if (this.#isBroken || this.#fileBytes > this.#knob("journal-file-bytes") + 2 * this.#liveBytes) {
        await this.#beginFile();
      } else {
        const bytes = joinBytes(lines);
        await this.#options.storage.append(this.#path, bytes);
        this.#fileBytes += bytes.length;
      }
      this.#syncLater();
    } catch (error) {
      // Nothing is known about the end of the file any more.
      this.#isBroken = true;
      this.#options.log.warn("query-journal-not-written", { records: lines.length, error: messageOf(error) });
    }
  }

  /** A new file with the queries that are not over replaces the present one. */
  async #beginFile(): Promise<void> {
    const former = this.#path;
    const { storage } = this.#options;
    this.#isBroken = true;
    this.#file += 1;
    const queries = [...this.#live.values()].map(({ query }) => journalLine(queryRecord(query)));
    const transactions = [...this.#transactions.values()].map(({ transaction }) => journalLine({ kind: "transaction", ...transaction }));
    const over = [...this.#chosenOver].map(overLine);
    const bytes = joinBytes([...queries, ...transactions, ...over, ...(this.#isComplete ? [completeLine] : [])]);
    await storage.append(this.#path, bytes);
    await storage.sync(this.#path);
    this.#fileBytes = bytes.length;
    this.#isBroken = false;
    await this.#remove(former);
  }

  async #rewrite(): Promise<void> {
    try {
      await this.#beginFile();
    } catch (error) {
      this.#options.log.warn("query-journal-not-written", { records: this.#transactions.size, error: messageOf(error) });
    }
  }

  async #remove(path: string): Promise<void> {
    try {
      await this.#options.storage.remove(path);
    } catch (error) {
      this.#options.log.warn("query-journal-not-removed", { path, error: messageOf(error) });
    }
  }

  #syncLater(): void {
    if (!this.#closed) {
      this.#syncTimer ??= this.#options.clock.timer("query-journal-sync", this.#knob("journal-sync-ms"), () => {
        this.#syncTimer = undefined;
        void this.#exclusively(() => this.#sync());
      });
    }
  }

  async #sync(): Promise<void> {
    if (this.#fileBytes > 0) {
      try {
        await this.#options.storage.sync(this.#path);
      } catch (error) {
        this.#options.log.warn("query-journal-not-synced", { error: messageOf(error) });
      }
    }
  }

  async #writeOver(): Promise<void> {
    const ids = this.#over;
    this.#over = [];
    await Promise.all(
      ids.map((id) => {
        this.#liveBytes -= this.#live.get(id)?.bytes ?? 0;
        this.#live.delete(id);
        const transaction = this.#endings.get(id);
        this.#endings.delete(id);
        if (transaction !== undefined) {
          this.endTransaction(transaction);
        }
        return this.#append(this.#chosenOver.has(id) ? overLine(id) : journalLine({ kind: "over", id }));
      }),
    );
    this.#onOver(ids);
  }
}

/** Of a query whose client has chosen the id. */
function overLine(id: string): Uint8Array {
  return journalLine({ kind: "over", id, isChosen: true });
}

interface Recovered {
  readonly queries: readonly JournaledQuery[];
  readonly transactions: readonly JournaledTransaction[];
}

const nothing: Recovered = { queries: [], transactions: [] };
const completeLine = journalLine({ kind: "complete" });
const epochDigits = 10;

function epochText(epoch: number): string {
  return String(epoch).padStart(epochDigits, "0");
}

/** 0 for a file of a coordinator without a lease, whose name begins with its start in milliseconds. */
function epochOf(name: string): number {
  const [first = ""] = name.split("-");
  return first.length === epochDigits ? Number(first) : 0;
}
