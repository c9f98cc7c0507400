/**
 * One query: its facts, its state, its times, and whoever waits for a change of it. It decides nothing: dispatcher.ts drives it, the statement and query resources
 * read it.
 */
import type { FailureInfo } from "../../execution/task/api.ts";
import type { Clock, MonotonicNanos, WallMillis } from "../../ports/clock.ts";
import { Signal } from "../../ports/signal.ts";
import type { ResultColumn } from "../../planner/planned.ts";
import type { StateMachine } from "../../protocol/state-machine.ts";
import type { StatementStats } from "../../protocol/documents/statement.ts";
import { addWarnings, type Warning } from "../../protocol/documents/warnings.ts";
import type { TransitionHook } from "../context.ts";
import type { QueryLimits } from "../limits/query-limits.ts";
import type { QueryExecution } from "./query-execution.ts";
import type { ResultRows } from "../results/rows.ts";
import type { QuerySession, SessionEffects } from "./session.ts";
import { statementStatistics } from "./query-statistics.ts";
import { type QueryState, queryStateMachine } from "./states.ts";
import type { Transaction } from "./transactions.ts";

export interface QueryOptions {
  readonly id: string;
  readonly slug: string;
  readonly sql: string;
  readonly session: QuerySession;
  readonly limits: QueryLimits;
  readonly clock: Clock;
  /** The how-manieth query of this coordinator; turns the list of workers. */
  readonly number: number;
  readonly hook: TransitionHook | undefined;
}

/** Monotonic instants of the states that were reached. */
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
  readonly #clock: Clock;
  readonly #machine: StateMachine<QueryState>;
  readonly #times: QueryTimes = {};
  #session: QuerySession;
  #limits: QueryLimits;
  #endCallbacks: (() => void)[] = [];
  #failure: FailureInfo | undefined;
  #heartbeatNanos: MonotonicNanos;
  #heartbeatMillis: WallMillis;
  #executionStartMillis: WallMillis | undefined;
  #endMillis: WallMillis | undefined;
  /** Known once planning is over. */
  columns: readonly ResultColumn[] | undefined;
  updateType: string | undefined;
  /** Of its plan. */
  planWarnings: readonly Warning[] = [];
  /** In which its statement runs; known once planning has begun. */
  transaction: Transaction | undefined;
  /** What the statement changes in the client's session. */
  effects: SessionEffects = {};
  execution: QueryExecution | undefined;
  /** As they were when the query began to run: the first response shows them, whatever has happened since. */
  initialStatistics: StatementStats | undefined;
  results: ResultRows | undefined;
  /** Of the response that is kept for a client that asks again. */
  servedBytes = 0;
  /** Its client did not come for the end in time: the rows are gone. */
  resultsExpired = false;
  /** Its client has the last document, or has cancelled it: nobody waits for anything of it. */
  released = false;

  constructor(options: QueryOptions) {
    this.id = options.id;
    this.slug = options.slug;
    this.sql = options.sql;
    this.#session = options.session;
    this.number = options.number;
    this.#limits = options.limits;
    this.#clock = options.clock;
    this.#machine = queryStateMachine(options.id, options.hook);
    this.createMillis = options.clock.wallMillis();
    this.createNanos = options.clock.monotonicNanos();
    this.#heartbeatMillis = this.createMillis;
    this.#heartbeatNanos = this.createNanos;
  }

  /** Without the prepared statements once it has ended: clients send all they have with each statement, and nothing asks for them any more. */
  get session(): QuerySession {
    return this.#session;
  }

  /** What its texts take. */
  get textBytes(): number {
    const prepared = Object.entries(this.#session.preparedStatements);
    return 2 * prepared.reduce((sum, [name, sql]) => sum + name.length + sql.length, this.sql.length);
  }

  /** The least of what the configuration and its session allow. */
  get limits(): QueryLimits {
    return this.#limits;
  }

  /** WITH SESSION: from here on these go before the properties of the client's session. `limits` are those of all properties. */
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

  get lastHeartbeatMillis(): WallMillis {
    return this.#heartbeatMillis;
  }

  get lastHeartbeatNanos(): MonotonicNanos {
    return this.#heartbeatNanos;
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

  get elapsedNanos(): number {
    return (this.#times.end ?? this.#clock.monotonicNanos()) - this.createNanos;
  }

  get queuedNanos(): number {
    return (this.#times.planningStart ?? this.#times.end ?? this.#clock.monotonicNanos()) - this.createNanos;
  }

  /** When it began to run. */
  get executionStartNanos(): MonotonicNanos | undefined {
    return this.#times.planningEnd;
  }

  get analysisNanos(): number {
    const start = this.#times.planningStart;
    return start === undefined ? 0 : (this.#times.planningEnd ?? this.#times.end ?? this.#clock.monotonicNanos()) - start;
  }

  /** What its plan is warned of, and what its tasks had to leave out, as far as it is known. */
  get warnings(): readonly Warning[] {
    const tasks = this.execution?.stages.flatMap((stage) => stage.tasks) ?? [];
    return tasks.reduce<readonly Warning[]>((all, task) => addWarnings(all, task.warnings), this.planWarnings);
  }

  /** The client has shown itself. */
  heartbeat(): void {
    this.#heartbeatNanos = this.#clock.monotonicNanos();
    this.#heartbeatMillis = this.#clock.wallMillis();
  }

  to(next: Exclude<QueryState, "FAILED">): void {
    this.#machine.to(next);
    if (next === "PLANNING") {
      this.#times.planningStart = this.#clock.monotonicNanos();
    } else if (next === "STARTING" || next === "RUNNING") {
      this.#times.planningEnd ??= this.#clock.monotonicNanos();
      this.#executionStartMillis ??= this.#clock.wallMillis();
    }
    if (next === "RUNNING") {
      this.initialStatistics = statementStatistics(this);
    }
    this.#afterTransition();
  }

  /** The first failure wins; an ended query does not change. */
  fail(failure: FailureInfo): void {
    if (this.done) {
      return;
    }
    this.#failure = failure;
    this.#machine.to("FAILED");
    this.#afterTransition();
  }

  /** Calls back once, at the end or at once when it has ended; in the order of registration. */
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
