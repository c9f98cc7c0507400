/**
 * One run: builds the world of a plan, starts users and faults, and evaluates the oracles. The first phase tests safety under faults, the
 * second liveness of the healed cluster; in the last one the cluster is idle and must release everything.
 */
import type { PointName } from "../src/ports/points.ts";
import { Cluster } from "./cluster.ts";
import { type FaultReport, Faults } from "./faults/faults.ts";
import { calmTwin, checkGoodput, type Goodput, isRecovered, LoadUser } from "./goodput.ts";
import { SimulatedClock } from "./world/clock.ts";
import { calmLink } from "./world/fates.ts";
import { type Sabotage, SimulatedNetwork } from "./world/network.ts";
import { StreamTree } from "./world/streams.ts";
import { TrapError, Traps } from "./world/traps.ts";
import type { Branch, Checkpoints, TraceExtras, TraceSink } from "./world/world.ts";
import { drain, Incarnation, nanosPerSecond, World } from "./world/world.ts";
import { checkExpectations } from "./checkers/results/expectations.ts";
import { Checkers } from "./checkers/checkers.ts";
import type { Outcome } from "./checkers/results/results.ts";
import { calmPlan, TwinResults } from "./checkers/results/cluster-twin.ts";
import { likelyReferences } from "./checkers/results/tables.ts";
import type { Violation } from "./checkers/violation.ts";
import type { GoodputProbe, PlannedStatement, RunPlan } from "./plan.ts";
import { noWork, type RunResult, type WorkCounters } from "./result.ts";
import { SharedState } from "./shared.ts";
import { type Carried, type Ending, User } from "./user.ts";
import { questionsOf } from "./workload/sessions.ts";
import { kindOf, workloadCatalog } from "./workload/workload.ts";

export interface RunOptions {
  readonly trace?: TraceSink | undefined;
  /** Additional content of the trace. */
  readonly traceExtras?: TraceExtras | undefined;
  readonly checkpoints?: Checkpoints | undefined;
  /** From an event on, draws differ from those of the seed. */
  readonly branch?: Branch | undefined;
  /** Immutable state shared between the runs of one process. */
  readonly shared?: SharedState;
  /** Makes nodes misbehave, to test that the oracles detect it. The reference run is not affected. */
  readonly sabotage?: Sabotage | undefined;
  /** Stops the run at the first violation for which this holds. */
  readonly stopAt?: ((violation: Violation) => boolean) | undefined;
  /** One in this many tasks is replayed after the run and its pages compared. By default a few a run; 1 means all. */
  readonly oneTaskIn?: number | undefined;
  /** Stops the run after this many events and evaluates it as if its time were over. */
  readonly eventsMax?: number | undefined;
  /** Wraps the run itself, without the reference runs before and after it. */
  readonly around?: ((run: () => Promise<void>) => Promise<void>) | undefined;
}

/** Maximum time from the heal until the whole cluster is in use again. */
const convergenceNanos = 60 * nanosPerSecond;
/** Pause between two attempts of the probe statement. */
const probePauseNanos = nanosPerSecond;
/** Maximum time from the last statement until everything is released: longer than any time-out that cleans up after a lost peer. */
const quiescenceNanos = 1500 * nanosPerSecond;
/** Maximum time until the last statements of the load end. */
const loadEndNanos = 60 * nanosPerSecond;
/** Interval at which the operator reads the nodes' resources. */
const watchNanos = 5 * nanosPerSecond;
/** Fault points after which a node may be declared failed. */
const troublingPoints: readonly PointName[] = ["heartbeat-skipped", "heartbeat-impatient", "announcement-skipped"];
const eventsMax = 20_000_000;

export async function runPlan(plan: RunPlan, options: RunOptions): Promise<RunResult> {
  const shared = options.shared ?? new SharedState();
  shared.forgetOldReferences();
  const startedMs = performance.now();
  await addReferences(plan, shared);
  const calmGoodput = plan.goodput === undefined ? undefined : await goodputOfTwin(plan, plan.goodput, shared);
  const traps = new Traps();
  const run = new Run(plan, shared, { ...options, traps, calmGoodput, references: shared.referencesOf(plan.schema) });
  try {
    await (options.around ?? ((itself) => itself()))(() => run.toTheEnd());
  } finally {
    traps.release();
  }
  if (run.isStopped) {
    return run.result(performance.now() - startedMs);
  }
  for (let missing = run.missingReferences(); missing.length > 0; missing = run.missingReferences()) {
    await addOutcomes(missing, plan, shared);
  }
  run.checkTables();
  const twin = run.twin.plan();
  if (twin !== undefined) {
    run.compareWithTwin(await outcomesOf(twin, shared));
  }
  await run.runTasksAgain(shared);
  return run.result(performance.now() - startedMs);
}

/** Throughput of the load in a window without faults. The twin run is not checked; only that number is used. */
async function goodputOfTwin(plan: RunPlan, probe: GoodputProbe, shared: SharedState): Promise<number> {
  const twin = new Run(calmTwin(plan, probe, calmLink), shared, {});
  await twin.toTheEnd();
  return twin.goodput ?? 0;
}

const probeStatement = "SELECT orderstatus, count(*) FROM orders GROUP BY orderstatus";

/** Computes expected rows: the same statements in sequence on one worker with calm links. */
async function addReferences(plan: RunPlan, shared: SharedState): Promise<void> {
  const place = { catalog: workloadCatalog, schema: plan.schema };
  const fixed = plan.users.flatMap((user) => user.statements.flatMap((statement) => questionsOf(statement, place)));
  const tables = plan.users.flatMap((user) => likelyReferences(user.statements.flatMap(({ step }) => (step === undefined ? [] : [step]))));
  const crowds = plan.faults.flatMap((fault) => (fault.kind === "crowd" ? [fault.sql] : []));
  await addOutcomes([...fixed, ...tables, ...crowds, probeStatement], plan, shared);
}

async function addOutcomes(wanted: readonly string[], plan: RunPlan, shared: SharedState): Promise<void> {
  const references = shared.referencesOf(plan.schema);
  const statements = [...new Set(wanted)].filter((sql) => !references.has(sql));
  if (statements.length === 0) {
    return;
  }
  const planned: PlannedStatement[] = statements.map((sql) => ({ sql, behaviour: { kind: "reads-all" }, thinkNanos: 0 }));
  const reference = calmPlan({
    seed: `reference/${plan.seed}`,
    workerCount: 1,
    properties: {},
    schema: plan.schema,
    // A configuration that no drawn run uses. If rows depend on the boundaries or the encoding of a table's pages, they differ here.
    splitsPerNode: 3,
    points: { "page-without-dictionary": 1_000, "partial-aggregation-flushes-early": 1_000 },
    users: [{ name: "u1", startNanos: 0, statements: planned }],
  });
  for (const [sql, outcome] of await outcomesOf(reference, shared)) {
    shared.addReference({ schema: plan.schema, sql, outcome });
  }
}

/** Runs a plan without checks; the last outcome of each statement. */
export function outcomesOf(plan: RunPlan, shared: SharedState): Promise<ReadonlyMap<string, Outcome>> {
  return new Run(plan, shared, {}).outcomes();
}

class Run {
  readonly #plan: RunPlan;
  readonly #world: World;
  readonly #cluster: Cluster;
  readonly #checkers: Checkers;
  /** False in the reference run and in a calm twin. */
  readonly #checked: boolean;
  readonly #options: RunOptions;
  readonly #calmGoodput: number | undefined;
  readonly #faults: FaultReport[] = [];
  readonly #outcomes = new Map<string, Outcome>();
  readonly twin: TwinResults;
  readonly #openStatements = new Map<string, string>();
  readonly #work: WorkCounters = noWork();
  #faulting: Faults | undefined;
  #peakReservedBytes = 0;
  #usersLeft = 0;
  #crowds = 0;
  #loadUsersLeft = 0;
  #loadFinished = 0;
  #loadCounted: number | undefined;
  #goodput: Goodput | undefined;

  constructor(
    plan: RunPlan,
    shared: SharedState,
    options: RunOptions & {
      readonly traps?: Traps;
      readonly references?: ReadonlyMap<string, Outcome>;
      /** Statements of the load that the calm twin finished in its window. */
      readonly calmGoodput?: number | undefined;
    },
  ) {
    this.#plan = plan;
    this.twin = new TwinResults(plan);
    this.#checked = options.references !== undefined;
    this.#options = options;
    this.#calmGoodput = options.calmGoodput;
    this.#world = new World({ ...options, streams: StreamTree.root(plan.seed) });
    this.#cluster = new Cluster(this.#world, {
      plan,
      shared,
      hooks: {
        onTransition: (place, incarnation, change) => {
          this.#checkers.observeTransition(place, incarnation, change);
          if (change.to === "PLANNING") {
            this.#faulting?.moment("planned");
          }
        },
        onCrowd: (users, sql) => this.#addCrowd(users, sql),
        onTwoOwners: (sentence) => this.#checkers.violate("safety", "lease", sentence),
        onStartFailure: (place, error) => this.#checkers.violate("crash", "start", `${place} does not start: ${String(error)}`),
      },
    });
    this.#checkers = new Checkers({
      plan,
      world: this.#world,
      references: options.references ?? new Map(),
      heartbeats: this.#cluster.heartbeats,
      troubled: () => this.#isTroubled(),
      node: (name) => this.#cluster.node(name),
      clockRate: (name) => this.#cluster.clockRate(name),
      ...this.#cluster.views,
      oneTaskIn: options.oneTaskIn,
      coordinatorCrashes: () => this.#coordinatorCrashes,
    });
    this.#cluster.network.sabotage = options.sabotage;
    if (this.#checked) {
      this.#cluster.network.observer = (answer) => {
        this.#checkers.observeAnswer(answer);
        this.#faulting?.poke();
      };
    } else {
      this.#world.watcher = undefined;
    }
  }

  get #coordinatorCrashes(): number {
    return this.#cluster.endsOf(this.#plan.coordinator.name);
  }

  /** All counters that a scenario's expectations may refer to. */
  #allCounters(): Readonly<Record<string, number>> {
    const { kinds: _, failed, ...work } = this.#work;
    const counters: Record<string, number> = { ...this.#checkers.counters, ...work, ...this.#cluster.counters };
    counters["failed"] = Object.values(failed).reduce((sum, count) => sum + count, 0);
    for (const [error, count] of Object.entries(failed)) {
      counters[`failed ${error}`] = count;
    }
    for (const { kind, landed } of this.#faults) {
      counters[`landed ${kind}`] = (counters[`landed ${kind}`] ?? 0) + (landed ? 1 : 0);
    }
    for (const [oracle, count] of Object.entries(this.#checkers.checks)) {
      counters[`checked ${oracle}`] = count;
    }
    for (const [point, count] of this.#cluster.firedPoints) {
      counters[`point ${point}`] = count;
    }
    counters["load finished"] = this.#loadFinished;
    counters["spills"] = this.#cluster.spills;
    counters["peakReservedBytes"] = this.#peakReservedBytes;
    return counters;
  }

  /** Outcomes of a reference run. */
  async outcomes(): Promise<ReadonlyMap<string, Outcome>> {
    this.#startAll();
    await this.#runUntil(() => this.#usersLeft === 0, this.#plan.livenessNanos);
    await this.#closeAll();
    return this.#outcomes;
  }

  async toTheEnd(): Promise<void> {
    const stray = (error: unknown): void => {
      this.#world.failure ??= error instanceof Error ? error : new Error(String(error));
    };
    process.on("unhandledRejection", stray);
    try {
      await this.#phases();
    } catch (error) {
      if (error instanceof TrapError) {
        this.#checkers.violate("nondeterminism", "traps", error.message, error.stack);
      } else {
        const { message, stack } = error instanceof Error ? error : new Error(String(error));
        this.#checkers.violate("crash", "engine", message, stack);
      }
    } finally {
      await this.#closeAll();
      process.off("unhandledRejection", stray);
    }
  }

  /** Statements of the load that finished in the window; undefined if the run ended before. */
  get goodput(): number | undefined {
    return this.#loadCounted;
  }

  missingReferences(): readonly string[] {
    return this.#checkers.missingReferences();
  }

  runTasksAgain(shared: SharedState): Promise<void> {
    return this.#checkers.runTasksAgain(shared);
  }

  compareWithTwin(outcomes: ReadonlyMap<string, Outcome>): void {
    this.twin.compare(outcomes, this.#checkers);
  }

  checkTables(): void {
    this.#checkers.checkTables();
  }

  result(realMs: number): RunResult {
    this.#work.tasks = this.#checkers.taskCount;
    this.#work.pages = this.#checkers.pageCount;
    return {
      plan: this.#plan,
      work: this.#work,
      faults: this.#faults,
      violations: this.#checkers.violations,
      checks: this.#checkers.checks,
      simulatedNanos: this.#world.nowNanos,
      realMs,
      events: this.#world.events,
      messages: { ...this.#cluster.network.counters },
      requestsByLabel: this.#cluster.network.requestsByLabel(),
      fingerprint: this.#world.fingerprint.digest(),
      spills: this.#cluster.spills,
      ...(this.#goodput === undefined ? {} : { goodput: this.#goodput }),
      points: Object.fromEntries(this.#cluster.firedPoints),
      coverage: this.#checkers.coverage,
      fates: this.#cluster.network.fates,
    };
  }

  async #phases(): Promise<void> {
    const { healNanos, livenessNanos } = this.#plan;
    this.#startAll();
    this.#faulting = new Faults({
      faults: this.#plan.faults,
      healNanos,
      stage: { world: this.#world, network: this.#cluster.network, target: this.#cluster },
      onReport: (report) => this.#faults.push(report),
    });
    this.#watchNodes();
    const load = this.#startLoad();
    this.#world.at(healNanos, "heal", () => {
      this.#cluster.faulty = false;
      this.#world.note("world", "healed", "");
    });
    await this.#measureLoad(load);
    const done = await this.#runUntil(() => this.#usersLeft === 0 && this.#world.nowNanos >= healNanos, healNanos + livenessNanos);
    if (this.isStopped) {
      return;
    }
    if (!done) {
      const open = [...[...this.#openStatements].map((one) => one.join(": ")), `after ${this.#world.events} events`].join("; ");
      this.#checkers.violate("liveness", "every-statement-ends", `${livenessNanos / 1e9} s after the heal these have not ended: ${open}`);
      return;
    }
    await this.#converge();
    if (!this.#checked) {
      return;
    }
    await this.#beQuiet();
    if (this.#work.finished === 0 || this.#work.rows === 0) {
      this.#checkers.violate("vacuous", "useful-work", "no statement finished with rows: this run proves nothing");
    }
    if (this.#plan.expect !== undefined) {
      checkExpectations(this.#plan.expect, this.#allCounters(), this.#checkers);
    }
  }

  /** Whether a fault has started, or the links have lost or reset a message. */
  #isTroubled(): boolean {
    const { lost, reset, truncated, neverAnswered, timedOut } = this.#cluster.network.counters;
    const fired = troublingPoints.some((point) => this.#cluster.firedPoints.has(point));
    return fired || this.#faults.length > 0 || lost + reset + truncated + neverAnswered + timedOut > 0;
  }

  /** Simulates an operator who reads the nodes and their tasks every few seconds, regardless of faults. */
  #watchNodes(): void {
    const coordinator = SimulatedNetwork.uriOf(this.#plan.coordinator.name);
    const operator = this.#cluster.operator("operator");
    const look = (): void => {
      if (this.#world.nowNanos < this.#plan.healNanos) {
        const tasks = this.#cluster.workerNames.map((name) => `${SimulatedNetwork.uriOf(name)}/v1/task`);
        const urls = [...["node", "node/failed", "info", "query"].map((path) => `${coordinator}/v1/${path}`), ...tasks];
        urls.forEach((url) => operator.look(url));
        this.#world.at(this.#world.nowNanos + watchNanos, "watch", look);
      }
    };
    this.#world.at(watchNanos, "watch", look);
  }

  #startAll(): void {
    for (const name of this.#cluster.names) {
      this.#cluster.start(name);
    }
    this.#usersLeft = this.#plan.users.length;
    for (const planned of this.#plan.users) {
      this.#startUser(planned);
    }
  }

  #addCrowd(users: number, sql: string): void {
    this.#usersLeft += users;
    this.#crowds++;
    for (let index = 0; index < users; index++) {
      const statement: PlannedStatement = { sql, behaviour: { kind: "reads-all" }, thinkNanos: 0 };
      this.#startUser({ name: `x${this.#crowds}n${index + 1}`, startNanos: 0, statements: [statement] });
    }
  }

  #startLoad(): readonly LoadUser[] {
    const probe = this.#plan.goodput;
    return Array.from({ length: probe?.users ?? 0 }, (_, index) => {
      const name = `load${index + 1}`;
      const incarnation = new Incarnation(name, 1);
      const user = new LoadUser({
        name,
        network: this.#cluster.network.attach(incarnation),
        clock: this.#userClock(incarnation),
        server: SimulatedNetwork.uriOf(this.#plan.coordinator.name),
        catalog: workloadCatalog,
        schema: this.#plan.schema,
        probe: probe as GoodputProbe,
        onFinished: () => this.#loadFinished++,
      });
      this.#loadUsersLeft++;
      user.live().then(
        () => this.#loadUsersLeft--,
        (error: unknown) => {
          this.#loadUsersLeft--;
          this.#checkers.violate("crash", "client", error instanceof Error ? (error.stack ?? error.message) : String(error));
        },
      );
      return user;
    });
  }

  /** Measures windows until the load reaches the calm twin's throughput. The users are load too, so recovery starts when they are done. */
  async #measureLoad(load: readonly LoadUser[]): Promise<void> {
    const { goodput: probe, healNanos, livenessNanos } = this.#plan;
    if (probe === undefined || !(await this.#passUntil(healNanos))) {
      return;
    }
    const calm = this.#calmGoodput ?? 0;
    let recoveredNanos = healNanos + probe.recoveryNanos;
    let finished: number;
    let passed: boolean;
    do {
      const before = this.#loadFinished;
      passed = await this.#passUntil(this.#world.nowNanos + probe.windowNanos);
      finished = this.#loadFinished - before;
      if (this.#usersLeft > 0) {
        recoveredNanos = Math.min(this.#world.nowNanos, healNanos + livenessNanos) + probe.recoveryNanos;
      }
    } while (passed && !isRecovered(finished, calm) && this.#world.nowNanos < recoveredNanos + probe.windowNanos);
    this.#loadCounted = finished;
    if (!this.#checked) {
      return;
    }
    if (this.#calmGoodput !== undefined) {
      this.#goodput = { finished, calm };
      checkGoodput(this.#goodput, probe, this.#checkers);
    }
    for (const user of load) {
      user.stop();
    }
    await this.#runUntil(() => this.#loadUsersLeft === 0, this.#world.nowNanos + loadEndNanos);
  }

  /** Runs until that time; returns false if the run stopped before. */
  async #passUntil(atNanos: number): Promise<boolean> {
    let passed = false;
    this.#world.at(atNanos, "pass", () => {
      passed = true;
    });
    await this.#runUntil(() => passed, atNanos);
    return passed;
  }

  #userClock(incarnation: Incarnation): SimulatedClock {
    return new SimulatedClock(this.#world, incarnation, { offsetMs: () => 0, driftPpm: () => 0, nanosPerWorkUnit: 0, slowness: () => 1 });
  }

  #startUser(planned: RunPlan["users"][number]): void {
    const incarnation = new Incarnation(planned.name, 1);
    const user = new User({
      planned,
      network: this.#cluster.network.attach(incarnation),
      clock: this.#userClock(incarnation),
      server: SimulatedNetwork.uriOf(this.#plan.coordinator.name),
      catalog: workloadCatalog,
      schema: this.#plan.schema,
      hooks: {
        onSubmit: (name, sql) => {
          this.#work.submitted++;
          const kind = kindOf(sql);
          this.#work.kinds[kind] = (this.#work.kinds[kind] ?? 0) + 1;
          this.#openStatements.set(name, sql);
          this.#world.note(name, "submit", sql);
        },
        onPoll: () => {
          this.#work.polls++;
          if (this.#plan.expect !== undefined) {
            this.#peakReservedBytes = Math.max(this.#peakReservedBytes, this.#cluster.reservedBytesMax);
          }
        },
        heardOf: () => this.#checkers.heardOf,
        onAnswer: (name, request, response) => {
          if (this.#checked) {
            this.#checkers.observeClientAnswer(name, request, response);
            this.#faulting?.clientAnswered(response.body);
          }
        },
        onEnd: (name, statement, ending, carried) => this.#onEnd(name, statement, ending, carried),
        onProbe: (name, question, status, allowed) => this.#checkers.observeProbe(name, question, status, allowed),
      },
    });
    user.live().then(
      () => this.#usersLeft--,
      (error: unknown) => {
        this.#usersLeft--;
        const { message, stack } = error instanceof Error ? error : new Error(String(error));
        this.#checkers.violate("crash", "client", message, stack);
      },
    );
  }

  #onEnd(name: string, statement: PlannedStatement, ending: Ending, carried: Carried): void {
    this.#openStatements.delete(name);
    this.#world.note(name, "end", this.#countEnding(statement.sql, ending));
    if (this.#checked) {
      this.#checkers.observeEnd(name, statement, ending, carried);
      if (ending.kind === "outcome" && ending.isCut !== true) {
        this.twin.add(name, statement, ending.outcome);
      }
    }
  }

  /** Counts and describes the outcome. */
  #countEnding(sql: string, ending: Ending): string {
    const work = this.#work;
    switch (ending.kind) {
      case "canceled":
      case "vanished":
        work[ending.kind]++;
        return ending.kind;
      case "unanswered":
        work.unanswered++;
        return `unanswered: ${ending.message}`;
      case "outcome":
        break;
    }
    const { outcome } = ending;
    this.#outcomes.set(sql, outcome);
    if (outcome.kind === "rows") {
      work.finished++;
      work.rows += outcome.rows.length;
      return `${outcome.rows.length} rows`;
    }
    work.failed[outcome.errorName] = (work.failed[outcome.errorName] ?? 0) + 1;
    return `${outcome.errorName} ${outcome.message}`;
  }

  /** Workers that must be healthy after the heal. */
  get #core(): readonly string[] {
    return this.#plan.core ?? this.#cluster.workerNames;
  }

  /** Checks that every worker is used again, and that a statement on all of them returns the correct rows. */
  async #converge(): Promise<void> {
    const deadline = this.#world.nowNanos + convergenceNanos;
    const coordinator = this.#plan.coordinator.name;
    const active = (): readonly string[] => (this.#cluster.node(coordinator)?.cluster?.activeWorkers() ?? []).map(({ nodeId }) => nodeId);
    const whole = (): boolean => {
      const ids = active();
      return ids.length === this.#core.length && ids.every((id) => this.#core.includes(id));
    };
    if (!(await this.#runUntil(whole, deadline))) {
      this.#checkers.violate(
        "liveness",
        "convergence",
        `${convergenceNanos / 1e9} s after the last statement {${active().join(",")}} are the active workers, not {${this.#core.join(",")}}`,
      );
      return;
    }
    this.#checkers.held("convergence");
    const answeredBy = this.#world.nowNanos + convergenceNanos;
    // The view of the members may be stale for a moment. A declared error is acceptable; a later attempt must return the rows.
    for (let probe = 1; this.#world.nowNanos < answeredBy && !this.isStopped; probe++) {
      this.#usersLeft = 1;
      const statements: readonly PlannedStatement[] = [{ sql: probeStatement, behaviour: { kind: "reads-all" }, thinkNanos: 0 }];
      this.#startUser({ name: `probe${probe}`, startNanos: 0, statements });
      const ended = await this.#runUntil(() => this.#usersLeft === 0, answeredBy);
      if (this.#outcomes.get(probeStatement)?.kind === "rows") {
        this.#checkers.held("convergence");
        return;
      }
      if (!ended || !(await this.#passUntil(this.#world.nowNanos + probePauseNanos))) {
        break;
      }
    }
    if (!this.isStopped) {
      this.#checkers.violate("liveness", "convergence", "a whole and calm cluster does not answer a plain query");
    }
  }

  async #beQuiet(): Promise<void> {
    const left = (): readonly string[] => this.#cluster.left(this.#core);
    const silentNanos = this.#world.nowNanos + (this.#plan.silenceNanos ?? 0);
    let asked = 0;
    // Checked only now and then, because it is slow. A leftover that has gone does not come back.
    const quiet = (): boolean => asked++ % 32 === 0 && this.#world.nowNanos >= silentNanos && left().length === 0;
    if (!(await this.#runUntil(quiet, this.#world.nowNanos + quiescenceNanos)) && left().length > 0) {
      this.#checkers.violate(
        "leak",
        "quiescence",
        `${quiescenceNanos / 1e9} s after the last statement these are left: ${left().slice(0, 20).join("; ")}`,
      );
      return;
    }
    this.#checkers.held("quiescence");
  }

  /** Whether the violation at which the run was to stop has been found. */
  get isStopped(): boolean {
    return this.#options.stopAt !== undefined && this.#checkers.violations.some(this.#options.stopAt);
  }

  #runUntil(done: () => boolean, untilNanos: number): Promise<boolean> {
    return this.#world.run({ untilNanos, eventsMax: this.#options.eventsMax ?? eventsMax, done: () => this.isStopped || done() });
  }

  /** Stops the nodes, so that nothing of this run stays in the process. */
  async #closeAll(): Promise<void> {
    await drain();
    this.#cluster.close();
  }
}
