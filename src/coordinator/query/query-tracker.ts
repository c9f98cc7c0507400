/**
 * All queries that the coordinator knows, live and ended: looks them up, fails those that run too long or whose client has gone, and
 * forgets old ones. Ended queries whose client has yet to fetch the end, and those that no client waits for, are bounded in number and
 * bytes (lifetime/unclaimed.ts, lifetime/history.ts). One timer is set to the next deadline, none when there is nothing to watch. Adding,
 * ending and forgetting a query cost the logarithm of the number of queries; a sweep costs what it removes.
 */
import type { Clock, MonotonicNanos, Timer } from "../../ports/clock.ts";
import type { CounterSums } from "../../protocol/counter-sums.ts";
import { RecentIds } from "../../protocol/recent-ids.ts";
import { formatTimestamp } from "../../protocol/timestamp.ts";
import type { CoordinatorConfig } from "../context.ts";
import { History } from "../lifetime/history.ts";
import { IndexedHeap } from "../lifetime/indexed-heap.ts";
import { settledBytes, waitingBytes } from "../lifetime/retained-bytes.ts";
import { Unclaimed } from "../lifetime/unclaimed.ts";
import type { Query } from "./query.ts";
import { queryTotals, totalsOfQuery } from "./query-statistics.ts";

/** Ids of forgotten queries that are still known. */
const forgottenIdsMax = 10_000;
/** Deadlines within this time share one sweep, in milliseconds. */
const sweepDelayMsMin = 10;

/** What becomes of an ended query. Each happens at most once. */
export interface QueryLifeListener {
  /** Its client has not come for the end: rows and the last response are dropped. */
  readonly onExpired: () => void;
  readonly onForgotten: () => void;
}

/** Ended queries that are kept. */
export interface KeptQueries {
  readonly unclaimed: number;
  readonly unclaimedBytes: number;
  readonly history: number;
  readonly historyBytes: number;
}

/** Keeps ended queries beyond the memory. */
export interface Archive {
  /** The query has ended and its numbers no longer change. */
  add(query: Query): void;
  forgotten(queryId: string): void;
}

/** Since the start of the coordinator. None of the numbers ever falls. */
export interface QueryCounts {
  readonly finishedQueries: number;
  readonly failedQueries: number;
  /** Read by the scans of all queries, running ones included. */
  readonly processedRows: number;
  readonly processedBytes: number;
}

interface QueryEnd {
  /** Position among the ends of all queries. */
  readonly ordinal: number;
  /** What the query takes as long as it is kept, without what waits for its client. */
  readonly bytes: number;
}

export class QueryTracker {
  readonly #clock: Clock;
  readonly #config: CoordinatorConfig;
  /** Queries in order of creation. */
  readonly #queries = new Map<string, Query>();
  readonly #live = new Set<Query>();
  /** When to look at a query again whose time may run out: live and unclaimed ones. */
  readonly #deadlines = new IndexedHeap<Query>();
  readonly #unclaimed = new Unclaimed();
  readonly #history: History;
  readonly #archive: Archive | undefined;
  readonly #ends = new Map<Query, QueryEnd>();
  #endCount = 0;
  #failedCount = 0;
  /** Queries whose numbers may still grow: live ones, and ended ones whose tasks have yet to end. */
  readonly #unsettled = new Set<Query>();
  #settledRows = 0;
  #settledBytes = 0;
  readonly #listeners = new Map<Query, QueryLifeListener>();
  readonly #forgottenIds = new RecentIds(forgottenIdsMax);
  #timer: Timer | undefined;
  #timerNanos = 0;
  #closed = false;

  /** `archive`: where the queries go that have ended, if they are kept beyond the memory. */
  constructor(clock: Clock, config: CoordinatorConfig, archive?: Archive) {
    this.#clock = clock;
    this.#config = config;
    this.#archive = archive;
    this.#history = new History(config);
  }

  get(id: string): Query | undefined {
    return this.#queries.get(id);
  }

  /** True if a query of this id has ended and was evicted: a repeated submission must not run the query a second time. */
  wasForgotten(id: string): boolean {
    return this.#forgottenIds.has(id);
  }

  all(): readonly Query[] {
    return [...this.#queries.values()];
  }

  live(): readonly Query[] {
    return [...this.#live];
  }

  get liveCount(): number {
    return this.#live.size;
  }

  get kept(): KeptQueries {
    return {
      unclaimed: this.#unclaimed.count,
      unclaimedBytes: this.#unclaimed.bytes,
      history: this.#history.count,
      historyBytes: this.#history.bytes,
    };
  }

  counts(): QueryCounts {
    const inputs = [...this.#unsettled].flatMap(inputsOf);
    return {
      finishedQueries: this.#endCount - this.#failedCount,
      failedQueries: this.#failedCount,
      processedRows: inputs.reduce((sum, { rawInputPositions }) => sum + rawInputPositions, this.#settledRows),
      processedBytes: inputs.reduce((sum, { rawInputBytes }) => sum + rawInputBytes, this.#settledBytes),
    };
  }

  add(query: Query): void {
    this.#queries.set(query.id, query);
    this.#live.add(query);
    this.#unsettled.add(query);
    const now = this.#clock.monotonicNanos();
    this.#deadlines.set(query, this.#deadline(query));
    query.onExecution(() => this.limitsChanged(query));
    query.onEnd(() => {
      this.#ended(query);
      void this.#settle(query);
    });
    this.#arm(now);
  }

  /** The client has fetched the last document or has cancelled the query. */
  release(query: Query): void {
    if (!query.released) {
      query.released = true;
      if (query.done) {
        this.#remember(query);
      }
    }
  }

  /** The limits of a running query have changed, or one more counts. */
  limitsChanged(query: Query): void {
    const now = this.#clock.monotonicNanos();
    this.#deadlines.set(query, this.#deadline(query));
    this.#arm(now);
  }

  /** One listener a query. */
  listen(query: Query, listener: QueryLifeListener): void {
    this.#listeners.set(query, listener);
  }

  close(): void {
    this.#closed = true;
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  #ended(query: Query): void {
    this.#live.delete(query);
    this.#failedCount += query.state === "FAILED" ? 1 : 0;
    const bytes = settledBytes(query);
    this.#ends.set(query, { ordinal: this.#endCount++, bytes });
    if (query.released) {
      this.#remember(query);
      return;
    }
    for (const dropped of this.#unclaimed.add(query, bytes + waitingBytes(query))) {
      this.#expire(dropped);
    }
    const now = this.#clock.monotonicNanos();
    if (!query.resultsExpired) {
      this.#deadlines.set(query, this.#clientDeadline(query));
    }
    this.#arm(now);
  }

  /** The scheduler ends the tasks of an ended query; this waits until their last numbers are known or given up. */
  async #settle(query: Query): Promise<void> {
    // The scheduler learns of the end after the tracker, and decides how the tasks end.
    await Promise.resolve();
    await Promise.all(query.executions.map((execution) => execution.ended("abort")));
    this.#settled(query);
  }

  /** Ended queries whose tasks have not answered are taken as they are: the coordinator closes. */
  settleAll(): void {
    for (const query of this.#unsettled) {
      if (query.done) {
        this.#settled(query);
      }
    }
  }

  #settled(query: Query): void {
    if (query.settled) {
      return;
    }
    query.settled = true;
    this.#unsettled.delete(query);
    this.#archive?.add(query);
    for (const input of inputsOf(query)) {
      this.#settledRows += input.rawInputPositions;
      this.#settledBytes += input.rawInputBytes;
    }
  }

  /** No client waits for the query any more: moves it to the history, from which it can be evicted. */
  #remember(query: Query): void {
    const end = this.#ends.get(query);
    if (end === undefined) {
      // It was forgotten while an answer to its client was being made.
      return;
    }
    this.#deadlines.delete(query);
    this.#unclaimed.delete(query);
    this.#history.add(query, { endOrdinal: end.ordinal, bytes: end.bytes + waitingBytes(query) });
    const now = this.#clock.monotonicNanos();
    this.#forget(now);
    this.#arm(now);
  }

  #expire(query: Query): void {
    query.results?.close();
    query.resultsExpired = true;
    this.#listeners.get(query)?.onExpired();
    this.#remember(query);
  }

  #sweep(): void {
    const now = this.#clock.monotonicNanos();
    for (let query = this.#deadlines.take(now); query !== undefined; query = this.#deadlines.take(now)) {
      if (!query.done) {
        this.#enforce(query, now);
      } else if (now >= this.#clientDeadline(query)) {
        this.#expire(query);
      }
      if (!query.done) {
        this.#deadlines.set(query, this.#deadline(query));
      } else if (!query.released && !query.resultsExpired) {
        this.#deadlines.set(query, this.#clientDeadline(query));
      }
    }
    this.#forget(now);
    this.#arm(now);
  }

  #enforce(query: Query, now: MonotonicNanos): void {
    if (now >= this.#runDeadline(query)) {
      query.fail({
        errorName: "EXCEEDED_TIME_LIMIT",
        message: `Query exceeded maximum time limit of ${query.limits.texts.runMs}`,
      });
    } else if (now >= this.#executionDeadline(query)) {
      query.fail({
        errorName: "EXCEEDED_TIME_LIMIT",
        message: `Query exceeded the maximum execution time limit of ${query.limits.texts.executionMs}`,
      });
    } else if (now >= this.#clientDeadline(query)) {
      query.fail({
        errorName: "ABANDONED_QUERY",
        message: `Query ${query.id} has not been accessed since ${formatTimestamp(query.lastHeartbeatMillis)}: currentTime ${formatTimestamp(this.#clock.wallMillis())}`,
      });
    }
  }

  #forget(now: MonotonicNanos): void {
    for (let oldest = this.#history.take(now); oldest !== undefined; oldest = this.#history.take(now)) {
      this.#ends.delete(oldest);
      oldest.results?.close();
      oldest.forgotten = true;
      this.#archive?.forgotten(oldest.id);
      this.#queries.delete(oldest.id);
      this.#forgottenIds.add(oldest.id);
      this.#listeners.get(oldest)?.onForgotten();
      this.#listeners.delete(oldest);
    }
  }

  #arm(now: MonotonicNanos): void {
    const next = Math.min(this.#deadlines.firstKey, this.#history.nextNanos);
    if (this.#closed || (this.#timer !== undefined && this.#timerNanos <= next && next < Number.POSITIVE_INFINITY)) {
      return;
    }
    this.#timer?.cancel();
    this.#timer = undefined;
    if (next < Number.POSITIVE_INFINITY) {
      const delayMs = Math.max(sweepDelayMsMin, Math.ceil((next - now) / 1e6));
      this.#timerNanos = next;
      this.#timer = this.#clock.timer("query-enforcement", delayMs, () => {
        this.#timer = undefined;
        this.#sweep();
      });
    }
  }

  /** The next time to check a running query; not later than the time at which it reaches one of its limits. */
  #deadline(query: Query): number {
    return Math.min(this.#runDeadline(query), this.#executionDeadline(query), this.#clientDeadline(query));
  }

  #runDeadline(query: Query): number {
    return query.createNanos + query.limits.runMs * 1e6;
  }

  /** None before the query begins to execute. */
  #executionDeadline({ executionStartNanos, limits }: Query): number {
    return executionStartNanos === undefined ? Number.POSITIVE_INFINITY : executionStartNanos + limits.executionMs * 1e6;
  }

  #clientDeadline(query: Query): number {
    return query.lastHeartbeatNanos + this.#config.clientTimeoutMs * 1e6;
  }
}

/** What its attempts have read, or its run on another cluster. */
function inputsOf(query: Query): readonly CounterSums[] {
  return query.routed === undefined ? query.executions.map((execution) => queryTotals(execution).input) : [totalsOfQuery(query).input];
}
