/**
 * Runs a query, and runs it again when nodes that it needs are lost (retry-policy QUERY): the same plan with the same splits, task by task,
 * on the nodes that live. The client gets each row once: rows that it has are skipped, and must be the same.
 */
import type { FailureInfo } from "../../execution/task/api.ts";
import { toFailure } from "../../execution/driver/failure.ts";
import type { PlanFragment } from "../../planner/fragmenter/fragment.ts";
import type { PlannedQuery } from "../../planner/planned.ts";
import { retryPolicy, speculativeExecution } from "../../planner/session-properties.ts";
import { Signal } from "../../ports/signal.ts";
import type { CoordinatorContext, WorkerNode } from "../context.ts";
import { clusterMemoryBytes } from "../groups/group-document.ts";
import { type ResourceWatch, resourceWatch } from "../limits/resource-watch.ts";
import type { Query } from "../query/query.ts";
import { otherRows, restarted } from "../recovery/resumption.ts";
import type { StagePlacement } from "./placement.ts";
import { QueryScheduler, type QuerySchedulerOptions } from "./query-scheduler.ts";
import { lostRows, reassign, renumbered } from "./reassignment.ts";
import { isLoss, retryDelayMs, type RetryConfig } from "./retry-policy.ts";

/** Attempts that the fault point gives up: one at any moment, one whose rows the client has in part. They do not count as lost. */
const forcedMax = 2;

const givenUp: FailureInfo = Object.freeze({ errorName: "REMOTE_TASK_ERROR", message: "The query was run again" });

export interface QueryAttemptsOptions {
  readonly context: CoordinatorContext;
  readonly query: Query;
  /** Of the first attempt, by stage, in the order of the fragments. */
  readonly placements: readonly StagePlacement[];
  readonly analyze: PlannedQuery["analyze"];
  /** The fragments of the next attempt. Undefined if the query cannot run again, because its connector cannot restart a write. */
  readonly restart: (() => Promise<readonly PlanFragment[]>) | undefined;
}

export class QueryAttempts {
  readonly #options: QueryAttemptsOptions;
  readonly #retry: RetryConfig;
  /** Of all attempts, from the first on in which the nodes have memory enough to exceed a limit. */
  #watch: ResourceWatch | undefined;
  /** Incarnation of each node that has failed the query, by its address. */
  readonly #suspects = new Map<string, string>();
  /** The attempt that runs; undefined between two. */
  #current: QueryScheduler | undefined;
  /** Placement of the first attempt, kept as long as the query may run again. */
  #placements: readonly StagePlacement[] | undefined;
  #attempt: number;
  #lost = 0;
  #forced = 0;
  #firstLoss: FailureInfo | undefined;

  constructor(options: QueryAttemptsOptions) {
    const { context, query, placements, restart } = options;
    const { retry } = context.config;
    this.#options = options;
    this.#attempt = query.resumption?.attempt ?? 0;
    const { properties } = query.session;
    const policy = retryPolicy(properties) ?? retry.policy;
    this.#retry = { ...retry, policy, speculates: speculativeExecution(properties) ?? retry.speculates };
    this.#placements = this.#retry.policy === "NONE" || restart === undefined ? undefined : placements;
  }

  /** The query is STARTING; afterwards it is RUNNING. */
  start(): void {
    const { placements, query } = this.#options;
    const attempt = { queryId: query.id, attempt: this.#attempt };
    this.#begin(placements.map((placement) => renumbered(placement, attempt)));
    query.onEnd(() => {
      this.#placements = undefined;
    });
  }

  #begin(placements: readonly StagePlacement[]): void {
    const { analyze, context, query } = this.#options;
    this.#watch ??= resourceWatch(query.limits, clusterMemoryBytes(context), (failure) => query.fail(failure));
    const current = new QueryScheduler({
      context,
      query,
      placements,
      analyze,
      attempt: this.#attempt,
      watch: this.#watch,
      given: query.given,
      recovery: this.#recovery,
      onFailed: (failure, isLasting) => this.#failed(failure, isLasting),
      onOtherRows: () => this.#otherRows(),
      onProgress: () => this.#giveUpIfForced(),
    });
    this.#current = current;
    query.retriesAfter = undefined;
    current.start(placements);
  }

  /** How lost tasks of an attempt run again. */
  get #recovery(): QuerySchedulerOptions["recovery"] {
    return this.#retry.policy === "TASK"
      ? {
          retry: this.#retry,
          nextAttempt: () => {
            this.#attempt += 1;
            return this.#attempt;
          },
          suspects: { add: (uri) => this.#suspect(uri), includes: (worker) => this.#isSuspect(worker) },
        }
      : undefined;
  }

  #isSuspect({ incarnation, uri }: WorkerNode): boolean {
    return this.#suspects.get(uri) === incarnation;
  }

  #failed(failure: FailureInfo, isLasting = false): void {
    const { context, query } = this.#options;
    if (query.done) {
      return;
    }
    const lasting = isLasting ? "attempts" : undefined;
    const reason = isLoss(failure) ? (lasting ?? this.#whyNotAgain()) : "no loss";
    if (reason !== undefined) {
      context.ports.log.info("query-not-run-again", { queryId: query.id, attempt: this.#attempt, errorName: failure.errorName, reason });
      query.fail(reason === "attempts" ? this.#lastingLoss(failure) : failure);
      return;
    }
    this.#firstLoss ??= failure;
    this.#suspect(failure.remoteHost);
    this.#lost += 1;
    const delayMs = retryDelayMs(this.#retry, this.#lost);
    context.ports.log.info("query-attempt-lost", { queryId: query.id, attempt: this.#attempt, errorName: failure.errorName, delayMs });
    this.#runAgain(failure, delayMs);
  }

  /** Rows that no living node has had are lost, whatever the query noticed first. */
  #lastingLoss(failure: FailureInfo): FailureInfo {
    const rows = lostRows(this.#placements ?? [], this.#workers());
    return rows === undefined ? (this.#firstLoss ?? failure) : toFailure(rows);
  }

  /** Undefined if the query may run again. */
  #whyNotAgain(): "policy" | "committing" | "cut" | "attempts" | undefined {
    const current = this.#current;
    if (this.#placements === undefined) {
      return "policy";
    }
    if (current?.isCommitting === true) {
      // The rows of the write may be visible.
      return "committing";
    }
    if (current?.execution.isCut === true) {
      // The rows depend on when the user has cancelled a stage.
      return "cut";
    }
    return this.#lost >= this.#retry.attemptsMax ? "attempts" : undefined;
  }

  #giveUpIfForced(): void {
    const { context, query } = this.#options;
    const { points } = context.ports;
    const reason = this.#whyNotAgain();
    const isSpent = this.#forced >= (query.given.rowCount > 0 ? forcedMax : forcedMax - 1);
    if (query.state !== "RUNNING" || isSpent || (reason !== undefined && reason !== "attempts")) {
      return;
    }
    if (points.fires("query-runs-again")) {
      this.#forced += 1;
      context.ports.log.info("query-attempt-given-up", { queryId: query.id, attempt: this.#attempt });
      this.#runAgain({ errorName: "REMOTE_TASK_ERROR", message: "The attempt was given up" }, 0);
    }
  }

  #suspect(uri: string | undefined): void {
    const placed = (this.#placements ?? []).flatMap(({ tasks }) => tasks.map((task) => task.node));
    const node = [...this.#workers(), ...placed].find((worker) => worker.uri === uri);
    if (node !== undefined) {
      this.#suspects.set(node.uri, node.incarnation);
    }
  }

  #runAgain(failure: FailureInfo, delayMs: number): void {
    const { query } = this.#options;
    const former = this.#current;
    this.#current = undefined;
    this.#watch?.nextAttempt();
    if (former !== undefined) {
      query.formerExecutions = [...query.formerExecutions, former.execution];
      former.abandon();
    }
    query.retriesAfter = failure;
    query.changed.fire();
    this.#beginLater(delayMs).catch((error: unknown) => this.#failed(toFailure(error)));
  }

  /** Throws NO_NODES_AVAILABLE if the tasks have no place. */
  async #beginLater(delayMs: number): Promise<void> {
    const { context, query, restart } = this.#options;
    const { clock } = context.ports;
    await query.changed.waitUntil(() => query.done, { clock, label: "query-retry-delay", waitMs: Math.max(1, delayMs) });
    await this.#waitForWorker();
    if (query.done || this.#placements === undefined || restart === undefined) {
      return;
    }
    const attempt = this.#attempt + 1;
    const placements = this.#placements;
    const before = placements.map(({ fragment }) => fragment);
    const places = (): readonly StagePlacement[] =>
      reassign({
        queryId: query.id,
        placements,
        attempt,
        workers: this.#workers(),
        isSuspect: (worker: WorkerNode) => this.#isSuspect(worker),
        fragments: before,
      });
    const rows = lostRows(placements, this.#workers());
    if (rows !== undefined) {
      // The node may come back with them: another attempt finds out.
      this.#failed({ errorName: "NO_NODES_AVAILABLE", message: rows.message });
      return;
    }
    // A write restarts only if its tasks have places. Until it has, a worker may leave.
    places();
    const fragments = await restart();
    if (query.state !== "RUNNING") {
      return;
    }
    const now = places();
    this.#attempt = attempt;
    this.#begin(now.map((placement, index) => ({ ...placement, fragment: fragments[index] ?? placement.fragment })));
  }

  /** Ends the query with its first loss if the cluster stays without workers for node-scheduler.allowed-no-matching-node-period. */
  async #waitForWorker(): Promise<void> {
    const { context, query } = this.#options;
    const news = new Signal();
    const stop = context.cluster.onChange(() => news.fire());
    query.onEnd(() => news.fire());
    const isOver = (): boolean => query.done || this.#workers().length > 0;
    const waitMs = context.config.noWorkersMaxWaitMs;
    try {
      if (!(await news.waitUntil(isOver, { clock: context.ports.clock, label: "query-retry-workers", waitMs }))) {
        query.fail(this.#lastingLoss({ errorName: "NO_NODES_AVAILABLE", message: "No nodes available to run query" }));
      }
    } finally {
      stop();
    }
  }

  #workers(): readonly WorkerNode[] {
    return this.#options.context.cluster.activeWorkers();
  }

  /** What the statement reads has changed since its first rows were returned, or its user has ended a stage. */
  #otherRows(): void {
    const { context, query } = this.#options;
    const cause = this.#firstLoss ?? (query.resumption === undefined ? givenUp : restarted);
    const isCut = this.#current?.execution.isCut === true;
    const reason = isCut ? "cut" : "changed";
    context.ports.log.info("query-not-run-again", { queryId: query.id, attempt: this.#attempt, errorName: cause.errorName, reason });
    query.fail(otherRows(cause, isCut));
  }
}
