/**
 * All queries that are known, living and ended: looks them up, fails those that run too long or whose client has gone, and forgets old ones. One whose client is still
 * to come for rows is not forgotten, however many have ended since, but what such queries hold together has a bound. One timer, set to the next deadline, none when
 * there is nothing to watch. What it costs to add, end or forget a query does not depend on how many others there are.
 */
import type { Clock, MonotonicNanos, Timer } from "../../ports/clock.ts";
import { assert } from "../../protocol/errors.ts";
import { RecentIds } from "../../protocol/recent-ids.ts";
import { formatTimestamp } from "../../protocol/timestamp.ts";
import type { CoordinatorConfig } from "../context.ts";
import { IndexedHeap } from "../lifetime/indexed-heap.ts";
import { Unclaimed } from "../lifetime/unclaimed.ts";
import type { Query } from "./query.ts";

/** However young they are, more ended queries that nobody waits for than this many times query.max-history are not kept. */
const historyFactorMax = 3;
/** Of so many queries that are forgotten their ids are still known. */
const forgottenIdsMax = 10_000;
/** Deadlines that are nearly the same share a look. */
const sweepDelayMsMin = 10;

export class QueryTracker {
  readonly #clock: Clock;
  readonly #config: CoordinatorConfig;
  /** In order of creation. */
  readonly #queries = new Map<string, Query>();
  /** When to look at queries again whose time may run out: those that live, and those that have ended and whose client is to come. */
  readonly #deadlines = new IndexedHeap<Query>();
  /** Ended queries whose client is to come. */
  readonly #unclaimed = new Unclaimed();
  /** Ended queries that nobody waits for, by the ordinals of their ends. */
  readonly #history = new IndexedHeap<Query>();
  readonly #endOrdinals = new Map<Query, number>();
  #endCount = 0;
  readonly #forgetCallbacks = new Map<string, () => void>();
  readonly #forgottenIds = new RecentIds(forgottenIdsMax);
  #liveCount = 0;
  #timer: Timer | undefined;
  #timerNanos = 0;
  #closed = false;

  constructor(clock: Clock, config: CoordinatorConfig) {
    this.#clock = clock;
    this.#config = config;
  }

  get(id: string): Query | undefined {
    return this.#queries.get(id);
  }

  /** A query of that id has ended, and nothing else is known of it: a submission that is repeated now must not run a second time. */
  wasForgotten(id: string): boolean {
    return this.#forgottenIds.has(id);
  }

  all(): readonly Query[] {
    return [...this.#queries.values()];
  }

  live(): readonly Query[] {
    return this.all().filter((query) => !query.done);
  }

  get liveCount(): number {
    return this.#liveCount;
  }

  add(query: Query): void {
    this.#queries.set(query.id, query);
    this.#liveCount += 1;
    const now = this.#clock.monotonicNanos();
    this.#deadlines.set(query, this.#deadline(query, now));
    query.onEnd(() => this.#ended(query));
    this.#arm(now);
  }

  /** Its client has the last document, or wants none any more. */
  release(query: Query): void {
    if (!query.released) {
      query.released = true;
      if (query.done) {
        this.#remember(query);
      }
    }
  }

  /** A query that lives has come to know other limits of its own. */
  limitsChanged(query: Query): void {
    const now = this.#clock.monotonicNanos();
    this.#deadlines.set(query, this.#deadline(query, now));
    this.#arm(now);
  }

  /** Calls back when the query is forgotten. One callback a query. */
  onForget(query: Query, callback: () => void): void {
    this.#forgetCallbacks.set(query.id, callback);
  }

  close(): void {
    this.#closed = true;
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  #ended(query: Query): void {
    this.#liveCount -= 1;
    this.#endOrdinals.set(query, this.#endCount++);
    if (query.released) {
      this.#remember(query);
      return;
    }
    for (const dropped of this.#unclaimed.add(query)) {
      this.#expire(dropped);
    }
    const now = this.#clock.monotonicNanos();
    if (!query.resultsExpired) {
      this.#deadlines.set(query, this.#clientDeadline(query));
    }
    this.#arm(now);
  }

  /** Nobody waits for it any more: it is history, and forgotten when there is too much of that. */
  #remember(query: Query): void {
    this.#deadlines.delete(query);
    this.#unclaimed.delete(query);
    this.#history.set(query, this.#endOrdinals.get(query) ?? 0);
    const now = this.#clock.monotonicNanos();
    this.#forget(now);
    this.#arm(now);
  }

  #expire(query: Query): void {
    query.results?.close();
    query.resultsExpired = true;
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
        this.#deadlines.set(query, this.#deadline(query, now));
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
    } else if (now >= this.#executionDeadline(query, now)) {
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
    const { historyMax } = this.#config;
    while (this.#history.size > historyMax * historyFactorMax || now >= this.#historyNanos()) {
      const oldest = this.#history.take(Number.POSITIVE_INFINITY);
      assert(oldest !== undefined, "there is too much history only where there is some");
      this.#endOrdinals.delete(oldest);
      oldest.results?.close();
      this.#queries.delete(oldest.id);
      this.#forgottenIds.add(oldest.id);
      this.#forgetCallbacks.get(oldest.id)?.();
      this.#forgetCallbacks.delete(oldest.id);
    }
  }

  #arm(now: MonotonicNanos): void {
    const next = Math.min(this.#deadlines.firstKey, this.#historyNanos());
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

  /** When the oldest of the history may be forgotten, if there is too much of it. */
  #historyNanos(): number {
    const { expireAgeMinMs, historyMax } = this.#config;
    const oldest = this.#history.first;
    return oldest === undefined || this.#history.size <= historyMax
      ? Number.POSITIVE_INFINITY
      : (oldest.endNanos ?? 0) + expireAgeMinMs * 1e6;
  }

  /** When a query that lives is to be looked at next: not later than one of its limits is reached. */
  #deadline(query: Query, now: MonotonicNanos): number {
    return Math.min(this.#runDeadline(query), this.#executionDeadline(query, now), this.#clientDeadline(query));
  }

  #runDeadline(query: Query): number {
    return query.createNanos + query.limits.runMs * 1e6;
  }

  /** At the earliest: it may begin to run at any moment from `now` on. */
  #executionDeadline(query: Query, now: MonotonicNanos): number {
    return (query.executionStartNanos ?? now) + query.limits.executionMs * 1e6;
  }

  #clientDeadline(query: Query): number {
    return query.lastHeartbeatNanos + this.#config.clientTimeoutMs * 1e6;
  }
}
