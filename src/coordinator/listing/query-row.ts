/**
 * One row of the query list: what lists filter, sort and show. A row of a query in memory computes its sums when they are first needed and
 * keeps them, so that a list which sorts by user costs nothing per task.
 */
import { type CounterSums, ofQuery } from "../../protocol/counter-sums.ts";
import type { BasicQueryInfo } from "../../protocol/documents/query.ts";
import type { ErrorName } from "../../protocol/errors.ts";
import { isQueryScheduled, totalsOfQuery } from "../query/query-statistics.ts";
import type { Query } from "../query/query.ts";
import { type QueryWait, type WaitFacts, waitOf } from "../query/query-wait.ts";
import { sessionDocument } from "../query/session-document.ts";
import type { QueryState } from "../query/states.ts";

export interface QueryRow {
  readonly id: string;
  /** Position in the order of creation. Negative for queries of earlier incarnations of the coordinator. */
  readonly ordinal: number;
  readonly state: QueryState;
  readonly user: string;
  readonly source: string | undefined;
  /** Names from the root to the group. */
  readonly resourceGroupId: readonly string[];
  readonly errorName: ErrorName | undefined;
  readonly updateType: string | undefined;
  /** The beginning of the statement, or all of it. */
  readonly text: string;
  /** Length of the whole statement, in characters. */
  readonly textLength: number;
  /** Epoch milliseconds, as all times of a row. */
  readonly createMillis: number;
  readonly executionStartMillis: number | undefined;
  readonly lastHeartbeatMillis: number;
  readonly endMillis: number | undefined;
  readonly queuedNanos: number;
  readonly analysisNanos: number;
  readonly elapsedNanos: number;
  readonly scheduled: boolean;
  readonly sums: CounterSums;
  /** One of the sums. */
  sum(name: keyof CounterSums): number;
  readonly session: BasicQueryInfo["session"];
  /** Undefined for a query that has ended. */
  readonly wait: QueryWait | undefined;
}

/** The row of a query that the coordinator has in memory. */
export class QueryInMemory implements QueryRow {
  readonly query: Query;
  readonly #waitFacts: () => WaitFacts;
  #sums: CounterSums | undefined;

  constructor(query: Query, waitFacts: () => WaitFacts) {
    this.query = query;
    this.#waitFacts = waitFacts;
  }

  get id(): string {
    return this.query.id;
  }

  get ordinal(): number {
    return this.query.number;
  }

  get state(): QueryState {
    return this.query.state;
  }

  get user(): string {
    return this.query.session.user;
  }

  get source(): string | undefined {
    return this.query.session.source;
  }

  get resourceGroupId(): readonly string[] {
    return this.query.groupPath?.id ?? [];
  }

  get errorName(): ErrorName | undefined {
    return this.query.failure?.errorName;
  }

  get updateType(): string | undefined {
    return this.query.updateType;
  }

  get text(): string {
    return this.query.sql;
  }

  get textLength(): number {
    return this.query.sql.length;
  }

  get createMillis(): number {
    return this.query.createMillis;
  }

  get executionStartMillis(): number | undefined {
    return this.query.executionStartMillis;
  }

  get lastHeartbeatMillis(): number {
    return this.query.lastHeartbeatMillis;
  }

  get endMillis(): number | undefined {
    return this.query.endMillis;
  }

  get queuedNanos(): number {
    return this.query.queuedNanos;
  }

  get analysisNanos(): number {
    return this.query.analysisNanos;
  }

  get elapsedNanos(): number {
    return this.query.elapsedNanos;
  }

  get scheduled(): boolean {
    return isQueryScheduled(this.query);
  }

  get sums(): CounterSums {
    this.#sums ??= sumsOf(this.query);
    return this.#sums;
  }

  sum(name: keyof CounterSums): number {
    return this.sums[name];
  }

  get session(): BasicQueryInfo["session"] {
    return sessionDocument(this.query);
  }

  get wait(): QueryWait | undefined {
    return this.query.done ? undefined : waitOf(this.query, this.#waitFacts());
  }
}

/** A query that has ended reserves no memory. */
function sumsOf(query: Query): CounterSums {
  const sums = ofQuery(totalsOfQuery(query));
  return query.done ? { ...sums, memoryReservationBytes: 0, systemMemoryBytes: 0 } : sums;
}
