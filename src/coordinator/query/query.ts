/**
 * One query: its properties, state, times, and the listeners of its changes. It makes no decisions: the dispatcher drives it, and the
 * statement and query resources read it.
 */
import type { FailureInfo } from "../../execution/task/api.ts";
import type { Clock, MonotonicNanos, WallMillis } from "../../ports/clock.ts";
import { Signal } from "../../ports/signal.ts";
import type { PlanEstimates } from "../../planner/explain/plan-estimates.ts";
import type { ResultColumn } from "../../planner/planned.ts";
import type { StateMachine } from "../../protocol/state-machine.ts";
import type { StatementStats } from "../../protocol/documents/statement.ts";
import { addWarnings, type Warning } from "../../protocol/documents/warnings.ts";
import type { TransitionHook } from "../context.ts";
import type { GroupPath } from "../groups/specification.ts";
import type { QueryLimits } from "../limits/query-limits.ts";
import { GivenRows } from "../results/given-rows.ts";
import type { Resumption } from "../recovery/resumption.ts";
import type { QueryExecution } from "./query-execution.ts";
import type { ResultRows } from "../results/rows.ts";
import type { Routed } from "../routing/routed.ts";
import type { QuerySession, SessionEffects } from "./session.ts";
import { initialStatistics } from "./query-statistics.ts";
import { type QueryState, queryStateMachine } from "./states.ts";
import type { Transaction } from "./transactions.ts";

export interface QueryOptions {
  readonly id: string;
  readonly slug: string;
  readonly sql: string;
  readonly session: QuerySession;
  readonly limits: QueryLimits;
  readonly clock: Clock;
  /** Query ordinal; rotates worker placement. */
  readonly number: number;
  readonly hook: TransitionHook | undefined;
  /** Defined if a former incarnation of the coordinator has begun the query. */
  readonly resumption?: Resumption | undefined;
}

/** Monotonic times at which the query entered its states. */
interface QueryTimes {
  planningStart?: MonotonicNanos;
  planningEnd?: MonotonicNanos;
  end?: MonotonicNanos;
}

export class Query {
  readonly id: string;
  readonly slug: string;
  readonly sql: string;
  readonly number: number;
  readonly createMillis: WallMillis;
  readonly createNanos: MonotonicNanos;
  readonly changed: Signal = new Signal();
  readonly resumption: Resumption | undefined;
  /** Rows that the client has. */
  readonly given: GivenRows;
  /** Resolves when the journal has the query; undefined if it is not recorded. */
  recorded: Promise<void> | undefined;
  /** Resolves when the journal has its failure; undefined if it has not failed, or is not recorded. */
  failureRecorded: Promise<void> | undefined;
  readonly #clock: Clock;
  readonly #machine: StateMachine<QueryState>;
  readonly #times: QueryTimes = {};
  #session: QuerySession;
  #limits: QueryLimits;
  #onExecution: () => void = () => undefined;
  #endCallbacks: (() => void)[] = [];
  #failure: FailureInfo | undefined;
  #heartbeatNanos: MonotonicNanos;
  #heartbeatMillis: WallMillis;
  /** Answers that are being made for its client. */
  #answers = 0;
  #executionStartMillis: WallMillis | undefined;
  #endMillis: WallMillis | undefined;
  #firstRowNanos: MonotonicNanos | undefined;
  /** Known once the statement has been parsed; undefined if no selector fits. */
  groupPath: GroupPath | undefined;
  /** Known after planning. */
  columns: readonly ResultColumn[] | undefined;
  updateType: string | undefined;
  /** The optimizer's estimates by plan node; known when the query starts. */
  estimates: PlanEstimates | undefined;
  /** Warnings from planning. */
  planWarnings: readonly Warning[] = [];
  /** In which its statement runs; known once planning has begun. */
  transaction: Transaction | undefined;
  /** Changes that the statement makes to the client's session. */
  effects: SessionEffects = {};
  /** Of the attempt that runs, or of the last one. */
  execution: QueryExecution | undefined;
  /** Of attempts that were given up; their tasks may still end. */
  formerExecutions: readonly QueryExecution[] = [];
  /** Random bits of its plan, each of 64 bits. A plan that is made once more has the same ones. */
  readonly drawn: bigint[];
  /** While the query waits to run again: the failure of its last attempt. */
  retriesAfter: FailureInfo | undefined;
  /** Called with each report of a task that waits for memory. */
  onMemoryWait: (() => void) | undefined;
  /** Defined if another cluster runs the query. */
  routed: Routed | undefined;
  /** Statistics at the moment when the query began to run; the first response shows them, whatever has happened since. */
  initialStatistics: StatementStats | undefined;
  results: ResultRows | undefined;
  /** Of the response that is kept for a client that asks again. */
  servedBytes = 0;
  /** Tables whose splits are being listed, by scan. */
  readonly unlistedTables: Map<string, string> = new Map<string, string>();
  /** Its client did not come for the end in time: the rows are gone. */
  resultsExpired = false;
  /** The client has fetched the last document or has cancelled the query. */
  released = false;
  /** The query has ended and so have its tasks: its numbers no longer change. */
  settled = false;
  /** The coordinator does not have the query in memory any more. */
  forgotten = false;

  constructor(options: QueryOptions) {
    this.id = options.id;
    this.slug = options.slug;
    this.sql = options.sql;
    this.#session = options.session;
    this.number = options.number;
    this.#limits = options.limits;
    this.#clock = options.clock;
    this.#machine = queryStateMachine(options.id, options.hook);
    this.resumption = options.resumption;
    this.given = new GivenRows(options.resumption?.given);
    this.drawn = [...(options.resumption?.drawn ?? [])];
    this.createMillis = options.clock.wallMillis();
    this.createNanos = options.clock.monotonicNanos();
    this.#heartbeatMillis = this.createMillis;
    this.#heartbeatNanos = this.createNanos;
  }

  /**
   * Without prepared statements once the query has ended: clients send all of theirs with each statement, and no document needs them after
   * the end.
   */
  get session(): QuerySession {
    return this.#session;
  }

  /** Bytes of the query's texts. */
  get textBytes(): number {
    const prepared = Object.entries(this.#session.preparedStatements);
    return 2 * prepared.reduce((sum, [name, sql]) => sum + name.length + sql.length, this.sql.length);
  }

  /** The minimum of what the configuration and the session allow. */
  get limits(): QueryLimits {
    return this.#limits;
  }

  /**
   * WITH SESSION: from here on these override the properties of the client's session. `limits` are computed from all properties together.
   */
  overrideProperties(properties: Readonly<Record<string, string>>, limits: QueryLimits): void {
    this.#session = { ...this.#session, properties };
    this.#limits = limits;
  }

  get state(): QueryState {
    return this.#machine.state;
  }

  get done(): boolean {
    return this.#machine.ended;
  }

  get failure(): FailureInfo | undefined {
    return this.#failure;
  }

  /** Of all attempts. */
  get executions(): readonly QueryExecution[] {
    return this.execution === undefined ? this.formerExecutions : [...this.formerExecutions, this.execution];
  }

  /** How often the query has begun to run; 0 if it has no stages. */
  get attempts(): number {
    return this.executions.length;
  }

  get lastHeartbeatMillis(): WallMillis {
    return this.#heartbeatMillis;
  }

  /** A client that waits for an answer is not silent: now, while one is being made. */
  get lastHeartbeatNanos(): MonotonicNanos {
    return this.#answers > 0 ? this.#clock.monotonicNanos() : this.#heartbeatNanos;
  }

  get executionStartMillis(): WallMillis | undefined {
    return this.#executionStartMillis;
  }

  get endMillis(): WallMillis | undefined {
    return this.#endMillis;
  }

  get endNanos(): MonotonicNanos | undefined {
    return this.#times.end;
  }

  /** Time at which the first rows reached the coordinator. */
  get firstRowNanos(): MonotonicNanos | undefined {
    return this.#firstRowNanos;
  }

  /** Rows have arrived. */
  hasRows(): void {
    this.#firstRowNanos ??= this.#clock.monotonicNanos();
  }

  get elapsedNanos(): number {
    return (this.#times.end ?? this.#clock.monotonicNanos()) - this.createNanos;
  }

  get queuedNanos(): number {
    return (this.#times.planningStart ?? this.#times.end ?? this.#clock.monotonicNanos()) - this.createNanos;
  }

  /** Time at which the query began to execute. */
  get executionStartNanos(): MonotonicNanos | undefined {
    return this.#times.planningEnd;
  }

  get analysisNanos(): number {
    const start = this.#times.planningStart;
    return start === undefined ? 0 : (this.#times.planningEnd ?? this.#times.end ?? this.#clock.monotonicNanos()) - start;
  }

  /** Warnings of the planner, of canceled stages and of the tasks, as far as they are known. */
  get warnings(): readonly Warning[] {
    const { cutWarnings = [], tasks = [] } = this.execution ?? {};
    return tasks.reduce<readonly Warning[]>((all, task) => addWarnings(all, task.warnings), addWarnings(this.planWarnings, cutWarnings));
  }

  /** Records that the client is alive. */
  heartbeat(): void {
    this.#heartbeatNanos = this.#clock.monotonicNanos();
    this.#heartbeatMillis = this.#clock.wallMillis();
  }

  /** The client's time-out counts from the answer, which may wait for a disk. */
  async awaited<Answer>(answer: Promise<Answer>): Promise<Answer> {
    this.#answers++;
    try {
      return await answer;
    } finally {
      this.#answers--;
      this.heartbeat();
    }
  }

  to(next: Exclude<QueryState, "FAILED">): void {
    this.#machine.to(next);
    if (next === "PLANNING") {
      this.#times.planningStart = this.#clock.monotonicNanos();
    } else if (next === "STARTING" || next === "RUNNING") {
      this.#startExecution();
    }
    if (next === "RUNNING") {
      this.initialStatistics = initialStatistics(this);
    }
    this.#afterTransition();
  }

  #startExecution(): void {
    if (this.#times.planningEnd === undefined) {
      this.#times.planningEnd = this.#clock.monotonicNanos();
      this.#executionStartMillis = this.#clock.wallMillis();
      this.#onExecution();
    }
  }

  /** The first failure wins. No effect on an ended query. */
  fail(failure: FailureInfo): void {
    if (this.done) {
      return;
    }
    this.#failure = failure;
    this.#machine.to("FAILED");
    this.#afterTransition();
  }

  /** Calls `callback` when the query begins to execute. One callback a query. */
  onExecution(callback: () => void): void {
    this.#onExecution = callback;
  }

  /** Calls `callback` once, at the end of the query, or immediately if it has ended. Callbacks run in order of registration. */
  onEnd(callback: () => void): void {
    if (this.done) {
      callback();
    } else {
      this.#endCallbacks.push(callback);
    }
  }

  #afterTransition(): void {
    if (this.done) {
      this.#session = { ...this.#session, preparedStatements: {} };
      this.#times.end = this.#clock.monotonicNanos();
      this.#endMillis = this.#clock.wallMillis();
      const callbacks = this.#endCallbacks;
      this.#endCallbacks = [];
      for (const callback of callbacks) {
        callback();
      }
    }
    this.changed.fire();
  }
}
