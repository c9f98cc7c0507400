/**
 * Observes a run: receives every message on the network, every state transition and every outcome, and dispatches them to the oracles. Only
 * this module knows which oracle receives what; the run knows only this module.
 */
import { durationProperty, numberProperty, recoversQueries, recoversTables, sizeProperty } from "../properties.ts";
import type { HttpRequest, HttpResponse } from "../../src/ports/network.ts";
import { decodeUtf8 } from "../../src/types/utf8.ts";
import type { OrreryNode } from "../../src/node.ts";
import { readBody } from "./protocol/bodies.ts";
import { nodeMemoryBytes, type SharedState } from "../shared.ts";
import { Coverage } from "../coverage/coverage.ts";
import { SimulatedNetwork } from "../world/network.ts";
import { nanosPerMs, type World } from "../world/world.ts";
import type { PlannedStatement, RunPlan } from "../plan.ts";
import { BeatsByUri } from "./membership/beats-by-uri.ts";
import { DecayOracle, type Heartbeat, type NodeDocument } from "./membership/decay.ts";
import { ClosingOracle } from "./protocol/closings.ts";
import { AttemptOracle } from "./results/attempts.ts";
import { DataPlaneOracle } from "./results/data-plane.ts";
import { replayTask } from "./results/task-replay.ts";
import { DeletionOracle } from "./protocol/deletions.ts";
import { DeliveryOracle } from "./protocol/delivery.ts";
import { DocumentOracle } from "./protocol/documents.ts";
import { Facts } from "./facts.ts";
import { type Circumstances, type Outcome, ResultsOracle } from "./results/results.ts";
import { LastAskedOracle } from "./protocol/last-asked.ts";
import { LimitsOracle } from "./resources/limits.ts";
import { LowMemoryOracle } from "./resources/low-memory.ts";
import { LivelockOracle } from "./liveness/livelock.ts";
import { MembershipOracle } from "./membership/membership.ts";
import { PromptnessOracle } from "./liveness/promptness.ts";
import { RetryOracle } from "./liveness/retries.ts";
import { QueryLifeOracle, type StatementDocument } from "./liveness/query-life.ts";
import { checkRelations, type Relation, relationsOfRun, statementsOf } from "./results/relations.ts";
import { ResourceOracle } from "./resources/resources.ts";
import { StatisticsOracle } from "./results/counter-sums.ts";
import { StateOracle } from "./membership/states.ts";
import { SessionOracle, shownIn } from "./results/sessions.ts";
import { HistoryOracle } from "./resources/history.ts";
import { SegmentOracle } from "./protocol/segments.ts";
import { StatementChainOracle } from "./protocol/statement-chain.ts";
import { TableOracle } from "./results/tables.ts";
import { TaskEndOracle } from "./liveness/task-ends.ts";
import { TaskOracle } from "./membership/tasks.ts";
import type { ModelContext } from "./models/model.ts";
import { TurnBook } from "./models/query/start-turns.ts";
import { Models } from "./models/models.ts";
import { type FailureKind, ofOneCoordinator, type Verdict, type Violation } from "./violation.ts";
import { type MadeAnswer, observed, type Observed } from "./protocol/wire.ts";
import type { Carried, Ending } from "../user.ts";
import { withoutDraws } from "../workload/volatile.ts";

export interface CheckersOptions extends Pick<ModelContext, "localNanos" | "files" | "fileBytes"> {
  readonly plan: RunPlan;
  readonly world: World;
  readonly references: ReadonlyMap<string, Outcome>;
  /** All heartbeats so far, as the network carried them. */
  readonly heartbeats: readonly Heartbeat[];
  /** Whether a fault has started, or the links have lost or reset a message. */
  readonly troubled: () => boolean;
  readonly coordinatorCrashes: () => number;
  /** The node that currently runs at a place. */
  readonly node: (name: string) => OrreryNode | undefined;
  /** Current speed of a place's clock, in its nanoseconds per nanosecond of the world. */
  readonly clockRate: (name: string) => number;
  /** One in this many tasks is replayed after the run and its pages compared; 1 replays all. */
  readonly oneTaskIn?: number | undefined;
}

/** One in this many tasks of a seed is replayed; tasks with several sources come first. */
const usualTaskIn = 18;

/** Number of responses between two inspections of the nodes' state. */
const lookEvery = 64;
const endedTask = /^(?:FINISHED|CANCELED|ABORTED|FAILED)$/;
/** Number of responses between two progress checks of one node: blocked producers and starving consumers. */
const progressEvery = 4;
/** Number of heartbeats per node between two checks of the coordinator's counters. */
const lookAtBeatsEvery = 6;
/**
 * Maximum number of nodes per inspection; a larger cluster is inspected in turns. What looks at all nodes at once, or at a list of them,
 * takes one inspection in as many as it takes turns: messages grow with the nodes, so the cost would be quadratic.
 */
const lookedAtMax = 32;

export class Checkers implements Verdict {
  readonly violations: Violation[] = [];
  /** Number of invariant evaluations that held, by oracle. */
  readonly checks: Record<string, number> = {};
  /** Counters that a scenario's expectations can refer to. */
  readonly counters: Record<string, number> = {};
  readonly #options: CheckersOptions;
  readonly #chain: StatementChainOracle;
  readonly #states = new StateOracle(this);
  readonly #tasks = new TaskOracle(this, (place) => this.#facts.livesOf(place));
  readonly #decay: DecayOracle;
  readonly #beatsByUri = new BeatsByUri();
  readonly #results: ResultsOracle;
  readonly #sessions = new SessionOracle(this, () => this.#facts.mayForget(this.#options.plan.coordinator.name));
  readonly #tables: TableOracle;
  readonly #facts: Facts;
  readonly #delivery = new DeliveryOracle(this, {
    incarnations: (place) => this.#facts.livesOf(place),
    taskState: (place, taskId) => this.#options.node(place)?.taskState(taskId),
  });
  readonly #livelock: LivelockOracle;
  readonly #deletions: DeletionOracle;
  readonly #taskEnds: TaskEndOracle;
  readonly #documents = new DocumentOracle(this);
  readonly #statistics = new StatisticsOracle(this, this.#delivery);
  readonly #resources = new ResourceOracle(this);
  readonly #limits: LimitsOracle;
  readonly #lowMemory: LowMemoryOracle;
  readonly #membership: MembershipOracle;
  readonly #promptness: PromptnessOracle;
  readonly #closings: ClosingOracle;
  readonly #lastAsked: LastAskedOracle;
  readonly #queryLife: QueryLifeOracle;
  readonly #retries: RetryOracle;
  readonly #segments: SegmentOracle;
  readonly #history: HistoryOracle;
  readonly #coverage: Coverage;
  readonly #dataPlane: DataPlaneOracle;
  readonly #attempts: AttemptOracle;
  readonly #models: Models;
  /** Queries whose clients have polled. */
  readonly #heard = new Set<string>();
  /** Users of the queries of a plan with rules of access control: another user may end them. */
  readonly #owners = new Map<string, string>();
  readonly #sqlOf = new Map<string, string>();
  #answers = 0;
  #beats = 0;
  #related: readonly Relation[] | undefined;
  #looks = 0;
  /** Number of nodes inspected so far. */
  #looked = 0;
  #watched = 0;
  readonly #queryBytesMax: number;

  constructor(options: CheckersOptions) {
    this.#options = options;
    const { plan, world } = options;
    const coordinator = plan.coordinator.name;
    const workers = plan.workers.map(({ name }) => name);
    this.#queryBytesMax = sizeProperty(plan.properties, "query.max-memory-per-node");
    this.#facts = new Facts(options.clockRate);
    this.#decay = new DecayOracle(this, durationProperty(plan.properties, "failure-detector.expiration-grace-interval") * nanosPerMs);
    this.#membership = new MembershipOracle(this, {
      coordinator,
      properties: plan.properties,
      facts: this.#facts,
      uriOf: SimulatedNetwork.uriOf,
      view: () => options.node(coordinator)?.cluster,
    });
    const nodes = { facts: this.#facts, coordinator, workers, node: options.node, hasRemote: plan.remote !== undefined };
    this.#queryLife = new QueryLifeOracle({
      ...nodes,
      verdict: this,
      world,
      statistics: this.#statistics,
      hasRunAgain: (queryId, incarnation) => this.#retries.hasRunAgain(queryId, incarnation),
      taskTimeoutMs: durationProperty(plan.properties, "task.client.timeout"),
      historyMax: numberProperty(plan.properties, "query.max-history"),
      expireAgeMs: durationProperty(plan.properties, "query.min-expire-age"),
      clientTimeoutMs: durationProperty(plan.properties, "query.client.timeout"),
    });
    const sessions = new Map(plan.users.map(({ name, session = {} }) => [name, session]));
    const sessionOf = (user: string): Readonly<Record<string, string>> => sessions.get(user) ?? {};
    const isTroubled = (): boolean => this.#facts.anyTrouble() || this.#facts.hitSince(coordinator, 0);
    const ofPlan = { verdict: this, properties: plan.properties, isTroubled };
    this.#lowMemory = new LowMemoryOracle({ ...ofPlan, ...nodes, localNanos: options.localNanos });
    this.#limits = new LimitsOracle({ ...ofPlan, sessionOf, nodeCount: plan.workers.length + 1 });
    const isGone = (worker: string): boolean => options.node(coordinator)?.cluster?.isGone(SimulatedNetwork.uriOf(worker)) !== false;
    this.#retries = new RetryOracle({
      ...nodes,
      verdict: this,
      world,
      properties: plan.properties,
      sessionOf,
      isGone,
      count: (counter) => this.count(counter, 1),
      hasStandby: plan.standby !== undefined,
    });
    this.#closings = new ClosingOracle(this, this.#facts);
    this.#lastAsked = new LastAskedOracle({
      verdict: this,
      facts: this.#facts,
      clientTimeoutMs: durationProperty(plan.properties, "task.client.timeout"),
    });
    this.#promptness = new PromptnessOracle({
      verdict: this,
      facts: this.#facts,
      coordinator,
      activeWorkers: () => options.node(coordinator)?.cluster?.activeWorkers().length,
      requiredWorkers: numberProperty(plan.properties, "query-manager.required-workers"),
      // A coordinator also has queries to end, so its tasks alone say nothing.
      liveTasks: (worker) =>
        worker === coordinator
          ? undefined
          : options
              .node(worker)
              ?.accounts()
              .tasks.filter(({ state }) => !endedTask.test(state)).length,
      turns: new TurnBook(plan, () => options.localNanos(coordinator)),
      partsToCopy: () => options.node(coordinator)?.leftovers().partsToCopy ?? 0,
      // The model of admission judges resource groups.
      runningMax: plan.resourceGroups === undefined ? numberProperty(plan.properties, "query.max-concurrent-queries") : 0,
      clientTimeoutMs: durationProperty(plan.properties, "query.client.timeout"),
    });
    this.#livelock = new LivelockOracle(this, world);
    this.#deletions = new DeletionOracle({ verdict: this, world, facts: this.#facts, coordinator, isGone });
    this.#taskEnds = new TaskEndOracle({ verdict: this, world, facts: this.#facts, coordinator, isGone });
    this.#segments = new SegmentOracle({
      verdict: this,
      coordinator,
      properties: plan.properties,
      spooledBytes: () => options.node(coordinator)?.leftovers().spooledBytes,
      localNanos: options.localNanos,
      isLeaving: () => options.node(coordinator)?.state === "SHUTTING_DOWN",
      incarnations: (place) => this.#facts.livesOf(place),
    });
    const diskMayFail = plan.faults.some((fault) => /disk|reads|wiped/.test(fault.kind));
    this.#history = new HistoryOracle(this, coordinator, { properties: plan.properties, diskMayFail });
    this.#coverage = new Coverage({ coordinator, node: options.node, nowNanos: () => world.nowNanos });
    this.#attempts = new AttemptOracle(this, this.#facts, coordinator);
    this.#dataPlane = new DataPlaneOracle({
      delivery: this.#delivery,
      incarnations: (place) => this.#facts.livesOf(place),
      seed: plan.seed,
      oneIn: options.oneTaskIn ?? usualTaskIn,
    });
    const { node, troubled, localNanos, files, fileBytes } = options;
    const views = { nowNanos: () => world.nowNanos, localNanos, files, fileBytes, node, troubled };
    this.#models = new Models(this, { plan, facts: this.#facts, ...views });
    world.watcher = (place, kind, detail) => this.#note(place, kind, detail);
    const transactions = this.#sessions;
    const circumstances: Circumstances = {
      troubled: options.troubled,
      causes: { facts: this.#facts, transactions, plan, sessionOf, coordinator, nodeMemoryBytes, nowNanos: () => world.nowNanos },
    };
    this.#chain = new StatementChainOracle(this, circumstances);
    this.#results = new ResultsOracle(this, options.references, circumstances);
    this.#tables = new TableOracle(this, circumstances);
  }

  #note(place: string, kind: string, detail: string): void {
    this.#facts.note(place, kind, detail, this.#options.world.nowNanos);
    // The other checkers know one cluster.
    if (place === this.#options.plan.remote?.name) {
      this.#retries.noteElsewhere(detail);
      return;
    }
    this.#membership.note(place, kind, detail, this.#options.world.nowNanos);
    this.#coverage.note(place, kind, detail);
    this.#livelock.note(place, kind, detail);
    this.#retries.note(place, kind, detail);
    this.#history.note(place, kind, detail);
    this.#deletions.note(place, kind, detail);
    this.#taskEnds.note(place, kind, detail);
    this.#closings.note(place, kind, detail);
    this.#delivery.note(place, kind, detail, this.#options.world.nowNanos);
    this.#tasks.note(place, kind, detail);
    this.#lastAsked.note(place, kind, detail, this.#options.world.nowNanos);
    this.#promptness.note(place, kind, detail, this.#options.world.nowNanos);
    this.#limits.note(kind, detail);
    this.#lowMemory.note(place, kind, detail, this.#options.world.nowNanos);
    this.#models.note(place, kind, detail);
    if (kind === "submit") {
      this.#sqlOf.set(place, detail);
    }
  }

  violate(kind: FailureKind, oracle: string, sentence: string, stack?: string): void {
    const { plan, world } = this.#options;
    if (plan.standby !== undefined && ofOneCoordinator.has(oracle)) {
      return;
    }
    world.note("world", "violation", `${kind} ${oracle} ${sentence}`);
    this.violations.push({
      kind,
      oracle,
      sentence,
      atNanos: world.nowNanos,
      event: world.events,
      ...(stack === undefined ? {} : { stack }),
    });
  }

  held(oracle: string): void {
    this.checks[oracle] = (this.checks[oracle] ?? 0) + 1;
  }

  count(name: string, by: number): void {
    this.counters[name] = (this.counters[name] ?? 0) + by;
  }

  /** Replays the recorded tasks, each in a world of its own. */
  async runTasksAgain(shared: SharedState): Promise<void> {
    if (this.violations.length > 0) {
      return;
    }
    for (const { task, sources } of this.#dataPlane.recorded()) {
      const difference = await replayTask({ task, sources, plan: this.#options.plan, shared });
      if (difference === undefined) {
        this.held("data-plane");
      } else {
        this.violate("nondeterminism", "data-plane", `${task.taskId} ${difference}`);
      }
    }
  }

  /** Coverage goals and pairs that the run reached. */
  get coverage(): readonly string[] {
    return this.#coverage.hits;
  }

  get taskCount(): number {
    return this.#tasks.tasks;
  }

  get pageCount(): number {
    return this.#tasks.pages;
  }

  /** Handles a state transition. `place` is a node's name, `life` the number of its incarnation. */
  observeTransition(
    place: string,
    incarnation: number,
    change: { readonly kind: string; readonly id: string; readonly from: string; readonly to: string },
  ): void {
    const { kind, id, from, to } = change;
    this.#options.world.note(place, kind, `${id} ${from} -> ${to}`);
    this.#states.observe(`${place}#${incarnation}`, change, kind === "stage" && this.#retries.mayBeginAgain(id));
    this.#coverage.observeTransition(kind, id, to);
    if (kind === "query") {
      this.#queryLife.observeTransition(incarnation, id, to);
      if (to === "FINISHED" || to === "FAILED") {
        this.#taskEnds.queryEnded(id);
        this.#history.queryEnded(id);
        this.#lowMemory.queryEnded(id);
        this.#segments.queryEnded(id, to);
      }
      this.#promptness.observeTransition(incarnation, id, to, this.#options.world.nowNanos);
    } else if (kind === "task" && endedTask.test(to)) {
      this.#lowMemory.taskEnded(id);
    } else if (kind === "stage") {
      this.#retries.observeStage(id, from);
      this.#taskEnds.observeStage(id, to);
      this.#membership.observeStage(id, to, this.#options.world.nowNanos);
    }
    this.#models.observeTransition(place, incarnation, change);
    this.count(`${kind} ${to}`, 1);
  }

  observeAnswer(made: MadeAnswer): void {
    const { nowNanos, events: event } = this.#options.world;
    const answer = observed(made, { nowNanos, event });
    const { to, request, response } = answer;
    this.#noteFacts(answer);
    this.#tasks.observe(answer);
    this.#delivery.observe(answer);
    this.#dataPlane.observe(answer);
    this.#attempts.observe(answer);
    this.#checkStatus(to, request, response);
    this.#checkNodes(to, request.url, response);
    this.#documents.observe(answer);
    this.#statistics.observe(answer);
    this.#lowMemory.observe(answer);
    this.#membership.observe(answer);
    this.#queryLife.observe(answer);
    this.#segments.observe(answer);
    this.#promptness.observe(answer);
    this.#closings.observe(answer);
    this.#lastAsked.observe(answer);
    this.#resources.checkPeak(answer, this.#queryBytesMax);
    this.#models.observe(answer);
    if (this.#answers % progressEvery === 0) {
      this.#lookAtProgress();
    }
    this.#coverage.observe(answer);
    if (this.#answers++ % lookEvery === 0) {
      this.#look();
    }
    if (answer.path === "/v1/status" && this.#beats++ % (lookAtBeatsEvery * this.#options.plan.workers.length) === 0) {
      const { node, plan } = this.#options;
      this.#checkBeats(node(plan.coordinator.name)?.cluster?.nodeDocuments("all") ?? []);
    }
  }

  /** Checks the nodes in turn. */
  #lookAtProgress(): void {
    const { plan, node } = this.#options;
    const { name } = plan.workers[this.#watched++ % plan.workers.length] ?? plan.coordinator;
    const tasks = node(name)?.accounts().tasks ?? [];
    this.#resources.checkProgress(name, tasks);
  }

  /** Inspects the state inside the nodes. */
  #look(): void {
    const { plan, world, node } = this.#options;
    const count = plan.workers.length + 1;
    if (this.#looks++ % Math.ceil(count / lookedAtMax) === 0) {
      this.#membership.checkActive(world.nowNanos);
      this.#models.look();
    }
    this.#queryLife.checkHistory();
    this.#history.look(node(plan.coordinator.name));
    for (let left = Math.min(count, lookedAtMax); left > 0; left--) {
      const { name } = plan.workers[(this.#looked++ % count) - 1] ?? plan.coordinator;
      const accounts = node(name)?.accounts();
      if (accounts !== undefined) {
        this.#coverage.look(name, accounts.tasks);
        this.#resources.check(name, accounts);
      }
    }
  }

  /** Records facts that may later explain an error. */
  #noteFacts(answer: Observed): void {
    const { from, to, path, task, request, response, nowNanos } = answer;
    const { plan } = this.#options;
    if (task !== undefined && response.status >= 300) {
      this.#facts.refused(to, { from, status: response.status, nowNanos });
    }
    const isSubmission = request.method === "PUT" || (request.method === "POST" && path === "/v1/statement");
    if (plan.access !== undefined && isSubmission && path.startsWith("/v1/statement") && response.status === 200) {
      this.#owners.set(String((answer.json() as { readonly id?: unknown }).id), from);
    }
    if (request.method === "DELETE" && (path.startsWith("/v1/statement/") || path.startsWith("/v1/query/"))) {
      const id = path.split("/")[3] ?? "";
      if (response.status !== 403) {
        this.#facts.canceled(id, this.#owners.get(id) ?? from);
      }
    } else if (request.method === "DELETE" && path.startsWith("/v1/stage/")) {
      this.#facts.stageEnded(path.split("/")[3]?.split(".")[0] ?? "", from);
    }
  }

  /** Ids of queries, as anybody may learn them from logs. */
  get heardOf(): readonly string[] {
    return [...this.#heard];
  }

  /** Handles a response as the user's client receives it, after the network. */
  observeClientAnswer(user: string, request: HttpRequest, response: HttpResponse): void {
    const id = /\/v1\/statement\/([^/?]+)\//.exec(request.url)?.[1];
    if (id !== undefined) {
      this.#heard.add(id);
    }
    this.#chain.observe(user, request, response);
    this.#models.observeClient(user, request, response);
    if (response.status === 200 && /\/v1\/statement/.test(request.url) && request.method !== "DELETE") {
      const token = /\/(\d+)(?:\?|$)/.exec(request.url)?.[1] ?? "submission";
      const document = readBody(response.body).json() as StatementDocument;
      this.#queryLife.observeClient(user, this.#sqlOf.get(user) ?? "", document, token);
      this.#limits.observe(user, document);
      const { error, id } = document as StatementDocument & { readonly error?: { readonly errorName: string; readonly message: string } };
      if (error !== undefined) {
        this.#retries.observeFailure({ queryId: id, user, sql: this.#sqlOf.get(user) ?? "", ...error });
      }
    }
  }

  /** Handles a deliberate probe of a user; `allowed` lists the accepted status codes. */
  observeProbe(user: string, question: string, status: number | string, allowed: readonly (number | string)[]): void {
    const queryId = /\/v1\/statement\/([^/\s]+)/.exec(question)?.[1] ?? "";
    // For a forgotten query, a request for rows is answered with "not found"; a resubmission of its statement is answered with 410, because
    // it is not run again.
    const toldForgotten = question.includes(" PUT ") ? 410 : 404;
    const isGone =
      (status === toldForgotten && this.#queryLife.mayBeForgotten(queryId)) || (status === 410 && this.#queryLife.mayHaveExpired(queryId));
    // A restarted coordinator knows nothing of earlier requests, and takes a submission for a new one unless its journal says otherwise.
    const others = question.includes(" PUT ") ? [200, ...(recoversQueries(this.#options.plan.properties) ? [410] : [])] : [404];
    const isNew = this.#options.coordinatorCrashes() > 0 && others.includes(status as number);
    if (allowed.includes(status) || isGone || isNew) {
      this.held("probes");
    } else {
      this.violate("safety", "probes", `${user} asked ${question} and was answered ${status}, not ${allowed.join(" or ")}`);
    }
  }

  /** Number of the coordinator's ends that have lost a table, if it is in memory. */
  #tableLosses(table: string): number {
    const isKept = !table.startsWith("memory.") || recoversTables(this.#options.plan.properties);
    return isKept ? 0 : this.#options.coordinatorCrashes();
  }

  observeEnd(user: string, statement: PlannedStatement, ending: Ending, carried: Carried): void {
    const { granting, restricted, sql, step, shared, sessionStep, volatile } = statement;
    this.#models.endStatement(user, statement, ending);
    const ofSession = sessionStep === undefined || ending.kind !== "outcome" ? undefined : this.#expected(statement, carried);
    if (step !== undefined) {
      this.#tables.observe({ user, step, ending, crashes: this.#tableLosses(step.table) });
    }
    if (ending.kind === "unanswered") {
      this.#results.checkUnanswered(user, sql, ending.message);
    } else if (ending.kind === "outcome") {
      this.#checkCount(user, sql, ending.outcome);
    }
    if (sessionStep !== undefined) {
      this.#sessions.observe({ user, step: sessionStep, ending, ...carried });
    }
    if (ending.kind !== "outcome" || step !== undefined || shared !== undefined) {
      return;
    }
    if (granting !== undefined) {
      this.#results.checkRights(user, sql, ending.outcome);
      return;
    }
    if (restricted !== undefined && "denied" in restricted) {
      this.#results.checkDenied(user, sql, ending.outcome, restricted.denied);
      return;
    }
    const outcome = volatile === undefined ? ending.outcome : withoutDrawsOf(ending.outcome);
    const judged = volatile?.isPaired === true ? volatile.equivalent : sql;
    const check = ending.isCut === true ? "checkCut" : "check";
    this.#results[check](user, judged, outcome, ofSession ?? this.#expected(statement, carried));
  }

  /** Expected outcome of a statement without faults, for a client with this session. */
  #expected({ catalogStep, restricted, sql, sessionStep, volatile }: PlannedStatement, { before }: Carried): Outcome | undefined {
    const { references } = this.#options;
    if (restricted !== undefined) {
      return "equivalent" in restricted ? references.get(restricted.equivalent) : undefined;
    }
    if (volatile !== undefined) {
      return references.get(volatile.equivalent);
    }
    if (catalogStep !== undefined) {
      return "equivalent" in catalogStep
        ? references.get(catalogStep.equivalent)
        : { kind: "rows", rows: [[true]], shape: `result boolean; ${catalogStep.updateType} ` };
    }
    if (sessionStep === undefined) {
      return references.get(sql);
    }
    const expected = this.#sessions.expected(sessionStep, before);
    if ("outcome" in expected) {
      return expected.outcome;
    }
    const known = references.get(expected.sql);
    return known !== undefined && sessionStep.kind === "show" ? shownIn(known, before) : known;
  }

  /** A write reports its row count both as its only row and as its update count. */
  #checkCount(user: string, sql: string, outcome: Outcome): void {
    const said = outcome.kind === "rows" ? /; (?:INSERT|CREATE TABLE) (\d+)$/.exec(outcome.shape ?? "")?.[1] : undefined;
    const [row] = outcome.kind === "rows" ? outcome.rows : [];
    if (said !== undefined && Array.isArray(row) && String(row[0]) !== said) {
      this.violate(
        "wrong-result",
        "results",
        `${user} was told ${said} rows as the update count and ${String(row[0])} as the result: ${sql}`,
      );
    }
  }

  /** Statements whose reference rows the checker of tables needs in addition to those that exist. */
  missingReferences(): readonly string[] {
    const { references } = this.#options;
    const related = statementsOf(this.#relations()).filter((sql) => !references.has(sql));
    return [...this.#tables.missing(references), ...related];
  }

  checkTables(): void {
    this.#tables.check(this.#options.references);
    checkRelations(this.#relations(), this.#options.references, this);
    if (this.violations.length === 0) {
      this.#models.end();
    }
  }

  /** Relations for one statement of the run, in some runs. */
  #relations(): readonly Relation[] {
    const statements = this.#options.plan.users.flatMap(({ statements: all }) =>
      all.flatMap(({ granting, restricted, sql, step, shared, sessionStep, volatile }) =>
        (step ?? shared ?? granting ?? sessionStep ?? restricted ?? volatile) === undefined ? [sql] : [],
      ),
    );
    this.#related ??= relationsOfRun(statements);
    return this.#related;
  }

  /** A node may reject a request, but a 500 is a bug of the engine, except for a segment that its disk does not give back. */
  #checkStatus(place: string, request: HttpRequest, response: HttpResponse): void {
    const isLost = request.url.startsWith("/v1/spooled/download/") && this.#facts.diskFailed(place);
    if (response.status === 500 && !isLost) {
      this.violate("crash", "answers", `${place} answered ${request.method} ${request.url} with 500 ${decodeUtf8(response.body)}`);
    } else {
      this.held("answers");
    }
  }

  /** Compares the counters of the node resource, as the coordinator sends them, with the heartbeats that crossed the network. */
  #checkNodes(place: string, url: string, response: HttpResponse): void {
    const failed = url === "/v1/node/failed";
    if (place !== this.#options.plan.coordinator.name || response.status !== 200 || !(failed || url === "/v1/node")) {
      return;
    }
    const nodes = readBody(response.body).exactJson() as unknown as readonly NodeDocument[];
    this.count("listed as failed", failed ? nodes.length : 0);
    this.#checkBeats(nodes);
  }

  #checkBeats(nodes: readonly NodeDocument[]): void {
    if (nodes.length === 0) {
      return;
    }
    const beats = this.#beatsByUri.of(this.#options.heartbeats);
    for (const node of nodes) {
      this.#decay.check(node, beats.get(node.uri.replace(/\/$/, "")) ?? [], this.#options.world.nowNanos);
    }
  }
}

/** Names and types of the columns are not compared. */
function withoutDrawsOf(outcome: Outcome): Outcome {
  return outcome.kind === "rows" ? { kind: "rows", rows: withoutDraws(outcome.rows) } : outcome;
}
