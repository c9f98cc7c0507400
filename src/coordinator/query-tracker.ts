/**
 * All queries that are known, living and ended: looks them up, fails those that run too long or whose client has gone, and forgets old ones. One whose client is still
 * to come for rows is not forgotten, however many have ended since. One timer, set to the next deadline, none when there is nothing to watch.
 */
import type { Clock, MonotonicNanos, Timer } from "../ports/clock.ts";
import { RecentIds } from "../protocol/recent-ids.ts";
import { formatTimestamp } from "../protocol/timestamp.ts";
import { formatDuration } from "../protocol/units.ts";
import type { CoordinatorConfig } from "./context.ts";
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
  /** In order of their end. */
  #ended: Query[] = [];
  readonly #forgetCallbacks = new Map<string, () => void>();
  readonly #forgottenIds = new RecentIds(forgottenIdsMax);
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

  add(query: Query): void {
    this.#queries.set(query.id, query);
    query.onEnd(() => {
      this.#ended.push(query);
      this.#sweep();
    });
    this.#sweep();
  }

  /** Its client has the last document, or wants none any more. */
  release(query: Query): void {
    if (!query.released) {
      query.released = true;
      this.#sweep();
    }
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

  #sweep(): void {
    if (this.#closed) {
      return;
    }
    const now = this.#clock.monotonicNanos();
    this.#forget(now);
    for (const query of this.live()) {
      this.#enforce(query, now);
    }
    this.#arm(now);
  }

  #enforce(query: Query, now: MonotonicNanos): void {
    if (now >= this.#runDeadline(query)) {
      query.fail({
        errorName: "EXCEEDED_TIME_LIMIT",
        message: `Query exceeded maximum time limit of ${formatDuration(this.#runLimitNanos(query))}`,
      });
    } else if (now >= this.#executionDeadline(query, now)) {
      query.fail({
        errorName: "EXCEEDED_TIME_LIMIT",
        message: `Query exceeded the maximum execution time limit of ${formatDuration(this.#executionLimitNanos(query))}`,
      });
    } else if (now >= this.#clientDeadline(query)) {
      query.fail({
        errorName: "ABANDONED_QUERY",
        message: `Query ${query.id} has not been accessed since ${formatTimestamp(query.lastHeartbeatMillis)}: currentTime ${formatTimestamp(this.#clock.wallMillis())}`,
      });
    }
  }

  #forget(now: MonotonicNanos): void {
    for (const query of this.#ended) {
      if (now >= this.#clientDeadline(query)) {
        query.results?.close();
        query.resultsExpired = true;
      }
    }
    const { historyMax } = this.#config;
    const over = this.#over();
    while (over.length > historyMax && (over.length > historyMax * historyFactorMax || now >= this.#expiry(over[0]))) {
      const oldest = over.shift();
      if (oldest !== undefined) {
        this.#ended = this.#ended.filter((query) => query !== oldest);
        oldest.results?.close();
        this.#queries.delete(oldest.id);
        this.#forgottenIds.add(oldest.id);
        this.#forgetCallbacks.get(oldest.id)?.();
        this.#forgetCallbacks.delete(oldest.id);
      }
    }
  }

  /** Those that have ended and that nobody waits for, in order of their end. */
  #over(): Query[] {
    return this.#ended.filter((query) => query.released || query.resultsExpired);
  }

  #arm(now: MonotonicNanos): void {
    const deadlines = this.live().flatMap((query) => [
      this.#runDeadline(query),
      this.#executionDeadline(query, now),
      this.#clientDeadline(query),
    ]);
    const over = this.#over();
    if (over.length > this.#config.historyMax) {
      deadlines.push(this.#expiry(over[0]));
    }
    if (this.#ended.length > this.#config.historyMax) {
      const awaited = this.#ended.filter((query) => !query.released && !query.resultsExpired);
      deadlines.push(...awaited.map((query) => this.#clientDeadline(query)));
    }
    const next = deadlines.reduce((least, deadline) => Math.min(least, deadline), Number.POSITIVE_INFINITY);
    if (this.#timer !== undefined && this.#timerNanos <= next && next < Number.POSITIVE_INFINITY) {
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

  #runDeadline(query: Query): number {
    return query.createNanos + this.#runLimitNanos(query);
  }

  #runLimitNanos(query: Query): number {
    return Math.min(this.#config.queryMaxRunTimeMs, query.limits.runMs) * 1e6;
  }

  /** At the earliest: it may begin to run at any moment from `now` on. */
  #executionDeadline(query: Query, now: MonotonicNanos): number {
    return (query.executionStartNanos ?? now) + this.#executionLimitNanos(query);
  }

  #executionLimitNanos(query: Query): number {
    return Math.min(this.#config.queryMaxExecutionTimeMs, query.limits.executionMs) * 1e6;
  }

  #clientDeadline(query: Query): number {
    return query.lastHeartbeatNanos + this.#config.clientTimeoutMs * 1e6;
  }

  #expiry(query: Query | undefined): number {
    return (query?.endNanos ?? 0) + this.#config.expireAgeMinMs * 1e6;
  }
}
