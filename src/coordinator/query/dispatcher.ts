/**
 * The life of a query from submission to its plan: length, syntax, slot, workers, plan. A plan with stages goes on to query-starter.ts;
 * data definition and changes of the session are carried out here. query-tracker.ts can end a query at any moment. Every way to an end
 * gives the slot back.
 */
import { toFailure } from "../../execution/driver/failure.ts";
import type { PlanContext } from "../../planner/context.ts";
import type { PlannedQuery, PlannedStatement } from "../../planner/planned.ts";
import { queryPriority, stageCountMax } from "../../planner/session-properties.ts";
import { runDataDefinition } from "../../planner/statements/definition/data-definition.ts";
import { type MonotonicNanos, sleep } from "../../ports/clock.ts";
import { Signal } from "../../ports/signal.ts";
import { assert, type ErrorName, QueryError, stackOf } from "../../protocol/errors.ts";
import { redactedStatement } from "../../sql/redaction.ts";
import { createQueryIds, type QueryIds } from "../../protocol/query-id.ts";
import { formatDuration } from "../../protocol/units.ts";
import { limitsOf, type QueryLimits, queryLimits } from "../limits/query-limits.ts";
import { checkStageCount } from "../limits/stage-count.ts";
import { ResourceGroups } from "../groups/resource-groups.ts";
import type { Usage } from "../groups/resource-group.ts";
import { StartTurns } from "../groups/start-turns.ts";
import { groupsOf, type GroupsSpecification, singleGroup } from "../groups/specification.ts";
import { LowMemoryKiller } from "../limits/low-memory-killer.ts";
import { clusterMemoryBytes } from "../groups/group-document.ts";
import type { CoordinatorConfig, CoordinatorContext } from "../context.ts";
import type { Planner, Prepared } from "./planner.ts";
import { Query } from "./query.ts";
import { QueryEvents } from "../events/query-events.ts";
import { queryTotals } from "./query-statistics.ts";
import type { QueryStarter } from "./query-starter.ts";
import { type Archive, QueryTracker } from "./query-tracker.ts";
import type { WaitFacts } from "./query-wait.ts";
import type { QueryJournal } from "../recovery/query-journal.ts";
import { answerAgain, type FormerStatement, formerStatement, isUndone } from "../recovery/former-statements.ts";
import { lost, type Resumption } from "../recovery/resumption.ts";
import { CountRow, noRows, TrueRow } from "../results/rows.ts";
import type { QuerySession, SessionEffects } from "./session.ts";
import { changeSession } from "./session-changes.ts";
import type { QueryRouting } from "../routing/query-routing.ts";
import { type StatementPath, StatementRouter } from "../routing/statement-router.ts";
import { BIGINT, BOOLEAN } from "../../types/type.ts";

interface Acted {
  /** Rows that have changed, of a statement that changes rows. */
  readonly rows?: number | undefined;
  readonly effects: SessionEffects;
}

export interface Submission {
  /** Id and slug that the client chose (PUT). If absent, the dispatcher generates them. */
  readonly chosen?: { readonly id: string; readonly slug: string };
  readonly sql: string;
  readonly session: QuerySession;
  /** Defined if a former incarnation of the coordinator has begun the query. */
  readonly resumption?: Resumption;
}

/** Where queries are kept beyond the memory. */
export interface QueryStores {
  readonly archive?: Archive | undefined;
  readonly journal?: QueryJournal | undefined;
}

/** A worker that cannot be reached abandons its tasks by itself when no requests arrive. */
const closeWaitMs = 1000;
const admittedLateMs = 300;
/** Characters of a statement that is parsed in one slice: some milliseconds. */
const parsedAtOnce = 65_536;

export class Dispatcher {
  readonly tracker: QueryTracker;
  readonly #context: CoordinatorContext;
  readonly #planner: Planner;
  readonly #starter: QueryStarter;
  readonly groups: ResourceGroups;
  readonly #killer: LowMemoryKiller;
  readonly #ids: QueryIds;
  readonly #events: QueryEvents;
  readonly #usualLimits: QueryLimits;
  readonly #journal: QueryJournal | undefined;
  readonly #router: StatementRouter;
  readonly #turns: StartTurns;
  #count = 0;
  #closed = false;

  constructor(context: CoordinatorContext, planner: Planner, starter: QueryStarter, stores: QueryStores = {}) {
    const { config, ports } = context;
    this.#context = context;
    this.#planner = planner;
    this.#starter = starter;
    this.tracker = new QueryTracker(ports.clock, config, stores.archive);
    this.groups = new ResourceGroups({
      specification: specificationOf(context),
      clock: ports.clock,
      random: ports.random.stream("resource-groups"),
      memoryBytes: () => clusterMemoryBytes(context),
    });
    this.#killer = new LowMemoryKiller({
      ports,
      config: config.lowMemoryKiller ?? { policy: "none", delayMs: 0 },
      queries: () => this.tracker.live(),
      isGone: (uri) => context.cluster.isGone(uri),
    });
    // Tasks in this process report nothing.
    context.memories.sharing.memoryQueue.onWait = () => this.#killer.noticed();
    this.#ids = createQueryIds(ports.clock, ports.random);
    this.#events = new QueryEvents(context);
    this.#usualLimits = queryLimits(config, {});
    this.#journal = stores.journal;
    this.#router = new StatementRouter(context, stores.journal);
    this.#turns = new StartTurns(ports);
  }

  get runningCount(): number {
    return this.groups.runningCount;
  }

  get queuedCount(): number {
    return this.groups.queuedCount;
  }

  /** Holds for statements that are admitted from now on. */
  replaceRouting(routing: QueryRouting | undefined): void {
    this.#router.routing = routing;
  }

  /** What the waits of queries depend on, at this moment. */
  waitFacts(): WaitFacts {
    const { cluster, config, ports } = this.#context;
    return {
      nowNanos: ports.clock.monotonicNanos(),
      place: (id) => this.groups.place(id),
      turn: (id) => this.#turns.place(id),
      activeWorkers: cluster.activeCount,
      requiredWorkers: config.requiredWorkers,
    };
  }

  /** Never throws: an error in the statement fails the query. */
  submit(submission: Submission): Query {
    const { config, ports, onTransition, traceQuery } = this.#context;
    const { chosen, resumption, sql } = submission;
    const id = chosen?.id ?? this.#ids.nextQueryId();
    const traceParent = traceQuery?.({ queryId: id, parent: submission.session.traceParent });
    const session = traceParent === undefined ? submission.session : { ...submission.session, traceParent };
    const query = new Query({
      id,
      slug: chosen?.slug ?? this.#ids.nextSlug(),
      sql: redactedStatement(sql.slice(0, config.queryLengthMax)),
      session,
      limits: limitsOf(config, this.#usualLimits, session.properties),
      clock: ports.clock,
      number: this.#count++,
      hook: onTransition,
      resumption,
    });
    query.onMemoryWait = () => this.#killer.noticed();
    this.tracker.add(query);
    query.onEnd(() => {
      query.failureRecorded = query.failure === undefined ? undefined : this.#journal?.fail(query.id, query.failure);
      this.#turns.leave(query.id);
      this.groups.leave(query.id);
    });
    this.#events.watch(query);
    this.#record(query, submission);
    try {
      this.#enter(query, sql);
    } catch (error) {
      query.fail(toFailure(error));
    }
    return query;
  }

  /** Ends every query. Resolves when the workers have been notified, or after `closeWaitMs`. */
  async close(): Promise<void> {
    this.#closed = true;
    const live = this.tracker.live();
    for (const query of live) {
      query.fail({ errorName: "SERVER_SHUTTING_DOWN", message: "Server is shutting down" });
    }
    this.tracker.close();
    this.groups.close();
    this.#turns.close();
    this.#killer.close();
    const routed = live.flatMap((query) => query.routed ?? []);
    const ends = [
      ...live.flatMap((query) => query.executions.map((execution) => execution.ended("abort"))),
      ...routed.map(({ ended }) => ended),
    ];
    if (ends.length > 0) {
      const told = new Signal();
      void Promise.all(ends).then(() => told.fire());
      await told.wait({ clock: this.#context.ports.clock, label: "coordinator-close", waitMs: closeWaitMs });
    }
    for (const one of routed) {
      one.giveUp();
    }
  }

  /** In the journal, unless it is there already, or has secrets that must not be on a disk. */
  #record(query: Query, { chosen, sql }: Submission): void {
    const { id, resumption, session, slug } = query;
    if (this.#journal !== undefined && resumption === undefined && Object.keys(session.extraCredentials).length === 0) {
      const isAbridged = query.sql !== sql;
      query.recorded = this.#journal.begin({
        id,
        slug,
        sql: query.sql,
        session,
        lives: 0,
        isAbridged,
        isChosen: chosen !== undefined,
        positions: [],
      });
    }
  }

  #enter(query: Query, sql: string): void {
    const { queryLengthMax } = this.#context.config;
    this.#select(query, sql, undefined);
    if (this.#closed) {
      throw new QueryError("SERVER_SHUTTING_DOWN", "Server is shutting down");
    }
    if (sql.length > queryLengthMax) {
      throw new QueryError("QUERY_TEXT_TOO_LARGE", `Query text length (${sql.length}) exceeds the maximum length (${queryLengthMax})`);
    }
    if (query.resumption?.failure !== undefined) {
      query.fail(query.resumption.failure);
      return;
    }
    const inTurns = this.#prepareInTurns(sql);
    if (inTurns === undefined) {
      this.#queue(query, sql, this.#planner.prepare(sql));
    } else {
      void this.#enterInTurns(query, sql, inTurns);
    }
  }

  /** Undefined for a statement that is parsed at once. */
  #prepareInTurns(sql: string): Promise<Prepared> | undefined {
    return sql.length <= parsedAtOnce ? undefined : this.#planner.prepareInTurns?.(sql, () => this.#context.ports.clock.turn(parsedAtOnce));
  }

  /** Never rejects. */
  async #enterInTurns(query: Query, sql: string, parsing: Promise<Prepared>): Promise<void> {
    try {
      const prepared = await parsing;
      if (!query.done) {
        this.#queue(query, sql, prepared);
      }
    } catch (error) {
      query.fail(toFailure(error));
    }
  }

  #queue(query: Query, sql: string, parsed: Prepared): void {
    let prepared: Prepared | undefined = parsed;
    if (prepared.queryType !== undefined) {
      this.#select(query, sql, prepared.queryType);
    }
    this.groups.enter(
      {
        id: query.id,
        bytes: query.textBytes,
        priority: queryPriority(query.session.properties),
        isResumed: query.resumption !== undefined,
        usage: () => usageOf(query),
        admitted: () => void this.#admit(query, prepared, sql),
      },
      query.groupPath,
    );
    // A queued query keeps only its text: the syntax tree of a long statement is many times larger.
    prepared = undefined;
  }

  /** Never rejects. `kept` is undefined if the query has waited. */
  async #admit(query: Query, kept: Prepared | undefined, sql: string): Promise<void> {
    try {
      const inTurns = kept === undefined ? this.#prepareInTurns(sql) : undefined;
      const prepared = inTurns === undefined ? (kept ?? this.#planner.prepare(sql)) : await inTurns;
      await this.#run(query, prepared, sql);
    } catch (error) {
      query.fail(toFailure(error));
    }
  }

  /** Also a statement that is not valid belongs to a group, by what else is known of it. */
  #select(query: Query, sql: string, queryType: Prepared["queryType"]): void {
    const { session } = query;
    query.groupPath = this.groups.select({
      user: session.user,
      userGroups: this.#context.groupsOf(session.user),
      principal: session.principal,
      source: session.source ?? "",
      clientTags: session.clientTags,
      queryType,
      sql,
      resourceEstimates: session.resourceEstimates,
    });
  }

  async #run(query: Query, prepared: Prepared, sql: string): Promise<void> {
    try {
      const { clock, points } = this.#context.ports;
      if (points.fires("query-admitted-late")) {
        await sleep(clock, "query-admitted-late", admittedLateMs);
      }
      if (query.done) {
        return;
      }
      const path = this.#router.path(query, prepared, sql);
      if (path.cluster !== undefined) {
        query.to("PLANNING");
        await this.#router.send(path, path.cluster);
        return;
      }
      await this.#waitToStart(query);
      if (query.done) {
        return;
      }
      query.to("PLANNING");
      const former = query.resumption === undefined ? undefined : await this.#formerStatement(query, prepared);
      if (query.resumption?.hasAll === true || typeof former === "object") {
        await this.#answerAgain(query, prepared, former);
      } else {
        await this.#planAndStart(path, former);
      }
    } catch (error) {
      if (!(error instanceof QueryError)) {
        // An internal error: the client gets its message, the log gets the stack.
        const stack = stackOf(error);
        this.#context.ports.log.error("query-failed-unexpectedly", { queryId: query.id, stack });
      }
      query.fail(toFailure(error));
    }
  }

  /** From here on the query has its memory on this node, which the tasks that run here share. */
  async #planAndStart(path: StatementPath, former: FormerStatement): Promise<void> {
    const { memories, transactions } = this.#context;
    const {
      prepared: { isConditional, plan },
      query,
    } = path;
    const memory = memories.enter(query.id);
    try {
      const planned = await this.#router.planned(path, memory);
      if (!("kind" in planned)) {
        await this.#router.send(path, planned);
        return;
      }
      if (query.drawn.length > (query.resumption?.drawn.length ?? 0)) {
        this.#journal?.draw(query.id, query.drawn);
      }
      if (query.resumption !== undefined && !isUndone(planned, former, (name) => this.#context.connector(name).metadata)) {
        query.fail(lost("what it has done is not known"));
      }
      if (query.done) {
        return;
      }
      const second = isConditional === true ? () => plan(query, memory) : undefined;
      switch (planned.kind) {
        case "query":
          await withSecondPlan(planned, second, (now) => this.#start(query, now));
          return;
        case "dataDefinition":
          await this.#act(query, planned.updateType, async () => {
            const context = {
              catalogs: this.#catalogs(),
              catalogStore: this.#context.catalogStore,
              statement: { queryId: query.id, updateType: planned.updateType },
              query: { id: query.id, onEnd: (callback: () => void) => query.onEnd(callback) },
            };
            const rows = await withSecondPlan(planned, second, ({ definition }) => runDataDefinition(definition, context));
            return { rows, effects: {} };
          });
          return;
        case "session":
          await this.#act(query, planned.updateType, async () => ({ effects: await changeSession(planned.change, query, transactions) }));
      }
    } finally {
      memories.leave(query.id);
    }
  }

  /** Only statements that change something are recorded. */
  async #formerStatement({ id }: Query, { queryType }: Prepared): Promise<FormerStatement> {
    const { catalogs, connector } = this.#context;
    const reads = queryType === "SELECT" || queryType === "DESCRIBE";
    return reads
      ? undefined
      : formerStatement(
          id,
          catalogs().map((name) => connector(name).metadata),
        );
  }

  /** A former incarnation has carried the statement out: the client gets what it has not got. */
  async #answerAgain(query: Query, prepared: Prepared, former: FormerStatement): Promise<void> {
    const hasAll = query.resumption?.hasAll === true;
    if (typeof former !== "object") {
      await this.#describe(query, prepared);
      query.results = noRows();
    } else if (prepared.queryType === "EXPLAIN" && !hasAll) {
      throw new QueryError("SERVER_STARTING_UP", lost("the counters of its tasks are gone").message);
    } else {
      const { columns, results } = answerAgain(former, { given: query.given, hasAll });
      query.columns = columns;
      query.updateType = former.updateType;
      query.results = results;
    }
    if (!query.done) {
      query.to("RUNNING");
      query.to("FINISHING");
      query.to("FINISHED");
    }
  }

  /** The columns of a statement that has run, if they can still be known. */
  async #describe(query: Query, { plan }: Prepared): Promise<void> {
    const { memories } = this.#context;
    const memory = memories.enter(query.id);
    try {
      const planned = await plan(query, memory);
      query.columns = planned.kind === "query" ? planned.columns : [{ name: "result", type: BOOLEAN }];
      query.updateType = planned.updateType;
    } catch (error) {
      if (!(error instanceof QueryError)) {
        throw error;
      }
    } finally {
      memories.leave(query.id);
    }
  }

  #catalogs(): PlanContext["catalogs"] {
    const { catalogs, connector } = this.#context;
    return { names: catalogs, connector: (name) => (catalogs().includes(name) ? connector(name) : undefined) };
  }

  async #start(query: Query, planned: PlannedQuery): Promise<void> {
    const { config } = this.#context;
    const properties = { ...query.session.properties, ...planned.sessionProperties };
    const warning = checkStageCount(planned.plan.fragments.length, {
      countMax: stageCountMax(properties) ?? config.queryMaxStageCount,
      warningThreshold: config.stageCountWarningThreshold,
    });
    query.planWarnings = warning === undefined ? [] : [warning];
    if (planned.sessionProperties !== undefined) {
      query.overrideProperties(properties, queryLimits(config, properties));
      this.tracker.limitsChanged(query);
    }
    await this.#starter.start(query, planned);
  }

  /** A statement without stages: data definition, a change of rows at their source, or a change of the client's session. */
  async #act(query: Query, updateType: string, run: () => Promise<Acted>): Promise<void> {
    query.columns = [{ name: "result", type: BOOLEAN }];
    query.updateType = updateType;
    query.to("RUNNING");
    const { rows, effects } = await run();
    query.effects = effects;
    if (!query.done) {
      if (rows !== undefined) {
        query.columns = [{ name: "rows", type: BIGINT }];
      }
      query.results = rows === undefined ? new TrueRow() : new CountRow(rows);
      query.to("FINISHING");
      query.to("FINISHED");
    }
  }

  /** Resolves when there are enough workers and the query has its turn, or when it has ended. */
  async #waitToStart(query: Query): Promise<void> {
    const { cluster, config, ports } = this.#context;
    const enough = (): boolean => cluster.activeCount >= config.requiredWorkers;
    let waitedSince: MonotonicNanos | undefined;
    for (;;) {
      if (!enough()) {
        waitedSince ??= ports.clock.monotonicNanos();
        await this.#waitForWorkers(query, waitedSince);
      }
      const turn = query.done ? undefined : this.#turns.enter(query.id);
      if (turn === undefined) {
        return;
      }
      await turn;
      if (query.done || enough()) {
        return;
      }
      // Workers have left while the query waited for its turn. It waits for them without keeping others from theirs.
      this.#turns.leave(query.id);
    }
  }

  /**
   * Waits for the required number of workers. A cluster that has lost all workers fails the query soon; a cluster that was never complete
   * is still starting and is given more time, from `began` on.
   */
  async #waitForWorkers(query: Query, began: MonotonicNanos): Promise<void> {
    const { cluster, config, ports, hasBeenReady } = this.#context;
    const count = (): number => cluster.activeCount;
    const enough = (): boolean => count() >= config.requiredWorkers;
    const lost = (): boolean => count() === 0 && hasBeenReady();
    if (query.state !== "WAITING_FOR_RESOURCES") {
      query.to("WAITING_FOR_RESOURCES");
    }
    const news = new Signal();
    const stop = cluster.onChange(() => news.fire());
    query.onEnd(() => news.fire());
    const elapsedMs = (since: MonotonicNanos): number => (ports.clock.monotonicNanos() - since) / 1e6;
    try {
      while (!query.done && !enough()) {
        const wasLost = lost();
        const leftMs = config.requiredWorkersMaxWaitMs - elapsedMs(began);
        const waitMs = wasLost ? Math.min(leftMs, config.noWorkersMaxWaitMs) : leftMs;
        const hasNews = (): boolean => query.done || enough() || lost() !== wasLost;
        if (await news.waitUntil(hasNews, { clock: ports.clock, label: "required-workers", waitMs })) {
          continue;
        }
        throw wasLost && waitMs < leftMs ? noNodes() : tooFewWorkers(config, count());
      }
    } finally {
      stop();
    }
  }
}

/** What another statement may do between the plan and the run of a statement with IF [NOT] EXISTS. */
const overtaken: ReadonlySet<ErrorName> = new Set([
  "ALREADY_EXISTS",
  "CATALOG_NOT_FOUND",
  "COLUMN_ALREADY_EXISTS",
  "COLUMN_NOT_FOUND",
  "NOT_FOUND",
  "ROLE_NOT_FOUND",
  "SCHEMA_ALREADY_EXISTS",
  "SCHEMA_NOT_FOUND",
  "TABLE_ALREADY_EXISTS",
  "TABLE_NOT_FOUND",
]);

/** Runs a plan. If another statement was faster, a second plan says what IF [NOT] EXISTS makes of the statement now. */
async function withSecondPlan<P extends PlannedStatement, R>(
  plan: P,
  second: (() => Promise<PlannedStatement>) | undefined,
  run: (plan: P) => Promise<R>,
): Promise<R> {
  try {
    return await run(plan);
  } catch (error) {
    if (second === undefined || !(error instanceof QueryError) || !overtaken.has(error.errorName)) {
      throw error;
    }
    const now = await second();
    assert(now.kind === plan.kind, "plans of one statement are of one kind");
    return run(now as P);
  }
}

function specificationOf({ config, resourceGroups }: CoordinatorContext): GroupsSpecification {
  return resourceGroups === undefined ? singleGroup(config.concurrentQueriesMax, config.queuedQueriesMax) : groupsOf(resourceGroups);
}

/** What its tasks hold and have used, as last reported. */
function usageOf({ execution, formerExecutions }: Query): Usage {
  const now = queryTotals(execution).all;
  const all = [now, ...formerExecutions.map((one) => queryTotals(one).all)];
  return {
    memoryBytes: now.memoryReservationBytes,
    cpuNanos: all.reduce((sum, { cpuNanos }) => sum + cpuNanos, 0),
    scanBytes: all.reduce((sum, { physicalInputBytes }) => sum + physicalInputBytes, 0),
  };
}

function noNodes(): QueryError {
  return new QueryError("NO_NODES_AVAILABLE", "No nodes available to run query");
}

function tooFewWorkers({ requiredWorkers, requiredWorkersMaxWaitMs }: CoordinatorConfig, count: number): QueryError {
  const waited = formatDuration(requiredWorkersMaxWaitMs * 1e6);
  return new QueryError(
    "GENERIC_INSUFFICIENT_RESOURCES",
    `Insufficient active worker nodes. Waited ${waited} for at least ${requiredWorkers} workers, but only ${count} workers are active`,
  );
}
