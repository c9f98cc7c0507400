/**
 * One attempt to run a query whose tasks have their places: creates the tasks, reads the rows of the root stage, ends stages that nobody
 * reads any more, and finishes the query when its rows are complete. What becomes of the query when a stage has failed is decided by
 * query-attempts.ts. An attempt gives back everything that it holds on this node.
 */
import { knobOf } from "../../ports/knobs.ts";
import type { FailureInfo } from "../../execution/task/api.ts";
import { toFailure } from "../../execution/driver/failure.ts";
import { isEndedTask } from "../../execution/task/state.ts";
import type { MemoryContext } from "../../memory/memory.ts";
import type { PlannedQuery } from "../../planner/planned.ts";
import { sleep } from "../../ports/clock.ts";
import { assert } from "../../protocol/errors.ts";
import type { CoordinatorContext } from "../context.ts";
import { isSymptom } from "../query/failure.ts";
import type { ResourceWatch } from "../limits/resource-watch.ts";
import type { StagePlacement } from "./placement.ts";
import type { Query } from "../query/query.ts";
import { QueryExecution } from "../query/query-execution.ts";
import { GivenRows } from "../results/given-rows.ts";
import { ResultBuffer } from "../results/result-buffer.ts";
import { targetResultBytes } from "../results/result-size.ts";
import { chainRulesOf } from "../results/chain-rules.ts";
import { RootTask } from "./root-task.ts";
import { FixedRow } from "../results/rows.ts";
import { parametricDatetime } from "../query/session.ts";
import { Stage } from "./stage.ts";
import { TaskFactory } from "./task-factory.ts";
import { TaskRecovery, type TaskRecoveryOptions } from "./task-recovery.ts";

/** Longest wait for the final counters of the tasks when a query ends, in milliseconds. */
const settleWaitMs = 500;
/** EXPLAIN ANALYZE prints them, and waits longer. */
const analyzeWaitMs = 10_000;

export interface QuerySchedulerOptions {
  readonly context: CoordinatorContext;
  readonly query: Query;
  /** By stage, in the order of the fragments. */
  readonly placements: readonly StagePlacement[];
  readonly analyze: PlannedQuery["analyze"];
  /** 0 for the first one. */
  readonly attempt: number;
  /** Of all attempts. */
  readonly watch: ResourceWatch | undefined;
  /** Rows that the client has from former attempts and gets from this one. */
  readonly given: GivenRows;
  /** Defined if lost tasks run again one by one. */
  readonly recovery: Pick<TaskRecoveryOptions, "nextAttempt" | "retry" | "suspects"> | undefined;
  /**
   * The attempt has failed. Called at most once; it has yet to be abandoned, or its query to be failed. `isLasting`: another attempt would
   * fail too.
   */
  readonly onFailed: (failure: FailureInfo, isLasting: boolean) => void;
  /** Its rows do not begin with those that the client has. */
  readonly onOtherRows: () => void;
  /** A moment at which the fault point may give the attempt up. */
  readonly onProgress: () => void;
}

export class QueryScheduler {
  readonly #options: QuerySchedulerOptions;
  readonly #context: CoordinatorContext;
  readonly #query: Query;
  readonly #analyze: PlannedQuery["analyze"];
  readonly #memory: MemoryContext;
  readonly #resultMemory: MemoryContext;
  readonly #results: ResultBuffer;
  readonly #watch: ResourceWatch | undefined;
  readonly #execution: QueryExecution;
  /** A stage with several consumers is created once. */
  readonly #creations = new Map<Stage, Promise<boolean>>();
  /** The root stage has all the input that it needs. */
  #hasInput = false;
  #rootEnded = false;
  /** The attempt has failed, or has all its rows: what its stages do is of no consequence. */
  #over = false;
  #hasFailed = false;
  #isReleased = false;
  #isCommitting = false;
  #isAbandoned = false;
  #symptom: FailureInfo | undefined;
  #recovery: TaskRecovery | undefined;

  constructor(options: QuerySchedulerOptions) {
    const { analyze, context, placements, query } = options;
    const root = placements[0]?.fragment;
    assert(root !== undefined, "a plan has a root fragment");
    this.#options = options;
    this.#context = context;
    this.#query = query;
    this.#analyze = analyze;
    this.#memory = context.memories.enter(query.id);
    this.#resultMemory = this.#memory.child("result rows");
    this.#results = new ResultBuffer({
      types: root.outputTypes,
      clock: context.ports.clock,
      memory: this.#resultMemory,
      cells: { parametricDatetime: parametricDatetime(query.session) },
      holdsLastPage: !chainRulesOf(query.session.family).endsEmpty,
      // EXPLAIN ANALYZE drops the rows.
      given: analyze === undefined ? options.given : new GivenRows(),
      onChange: () => this.#resultsChanged(),
      isCut: () => this.#execution.isCut,
      onOtherRows: options.onOtherRows,
      onFailure: (error) => this.#fail(toFailure(error, "result rows")),
    });
    this.#watch = options.watch;
    const stages = placements.map(
      ({ fragment }) =>
        new Stage({
          queryId: query.id,
          fragment,
          hook: context.onTransition,
          onEnd: (stage, failure) => this.#stageEnded(stage, failure),
        }),
    );
    this.#execution = new QueryExecution(stages, context.ports.knobs);
  }

  /** The rows of a write may have become visible. */
  get isCommitting(): boolean {
    return this.#isCommitting;
  }

  get execution(): QueryExecution {
    return this.#execution;
  }

  /** The query is STARTING or runs again; afterwards it is RUNNING. Makes all tasks at once and begins to create them on their nodes. */
  start(placements: readonly StagePlacement[]): void {
    const query = this.#query;
    query.execution = this.#execution;
    query.results = this.#analyze === undefined ? this.#results : undefined;
    query.onEnd(() => {
      if (query.state === "FAILED") {
        this.#abort();
      }
    });
    const factory = this.#factoryOf(placements, this.#options.attempt);
    const recovery = this.#recoveryOf(placements);
    this.#recovery = recovery;
    this.#execution.stages.forEach((stage, index) => {
      const placement = placements[index];
      assert(placement !== undefined, "a stage has its placement");
      stage.schedule(
        placement.tasks.map((task, number) => {
          const onChange = this.#changeOf(stage, number);
          const isRoot = stage === this.#execution.root;
          return isRoot
            ? factory.createRoot(placement, { task, number, onChange })
            : (recovery?.create(index, number) ?? factory.create(placement, { task, number, onChange }));
        }),
      );
    });
    this.#create(this.#execution.root).catch((error: unknown) => this.#fail(toFailure(error)));
    if (query.state === "STARTING") {
      query.to("RUNNING");
    } else {
      query.changed.fire();
    }
  }

  #factoryOf(placements: readonly StagePlacement[], attempt: number): TaskFactory {
    return new TaskFactory({
      context: this.#context,
      query: this.#query,
      placements,
      memory: this.#memory,
      attempt,
      retriesTasks: this.#options.recovery !== undefined,
      onCommit: () => {
        this.#isCommitting = true;
      },
      onInputReceived: () => this.#inputReceived(),
    });
  }

  #recoveryOf(placements: readonly StagePlacement[]): TaskRecovery | undefined {
    const { attempt, recovery } = this.#options;
    const { stages } = this.#execution;
    return (
      recovery &&
      new TaskRecovery({
        ...recovery,
        context: this.#context,
        queryId: this.#query.id,
        placements,
        firstAttempt: attempt,
        factoryOf: (places, number) => this.#factoryOf(places, number),
        root: () => this.#rootTask,
        onChange: (stage, number) => this.#taskChanged(stages[stage] as Stage, number),
        isNeeded: () => !this.#over && this.#needsStages,
        isCut: () => this.#execution.isCut,
        onGivenUp: (failure, isLasting) => this.#fail(failure, isLasting),
      })
    );
  }

  get #rootTask(): RootTask | undefined {
    const [task] = this.#execution.root.tasks;
    return task instanceof RootTask ? task : undefined;
  }

  /** Another attempt takes over: aborts all tasks and drops the rows that no client has. */
  abandon(): void {
    this.#isAbandoned = true;
    this.#abort();
  }

  /** The first failure of the attempt decides. */
  #fail(failure: FailureInfo, isLasting = false): void {
    if (!this.#hasFailed && !this.#isReleased) {
      this.#hasFailed = true;
      this.#options.onFailed(failure, isLasting);
    }
  }

  #createOnce(stage: Stage): Promise<boolean> {
    const known = this.#creations.get(stage);
    const creation = known ?? this.#create(stage);
    this.#creations.set(stage, creation);
    return creation;
  }

  /** Creates the tasks of a stage and of the stages below it, all at once: a task waits for the tasks that it reads. */
  async #create(stage: Stage): Promise<boolean> {
    const creation = this.#inTurn(this.#execution.childrenOf(stage), (child) => this.#createOnce(child));
    // The first response shows the query as it was before.
    await Promise.resolve();
    for (const task of stage.tasks) {
      task.prepare?.();
    }
    const started = await this.#inTurn(stage.tasks, (task) => task.start());
    if (!started.includes(false) && !this.#over && stage === this.#execution.root) {
      const execution = this.#rootTask?.execution;
      assert(execution !== undefined, "the root task runs in this process");
      void this.#results.read(execution);
    }
    const children = await creation;
    return !started.includes(false) && !children.includes(false) && !this.#over;
  }

  /** Creates all items concurrently, or one after the other if the fault point fires. */
  async #inTurn<T>(items: readonly T[], create: (item: T) => Promise<boolean>): Promise<readonly boolean[]> {
    if (!this.#context.ports.points.fires("tasks-created-one-by-one")) {
      return Promise.all(items.map(create));
    }
    const created: boolean[] = [];
    for (const item of items) {
      created.push(await create(item));
    }
    return created;
  }

  /** Made here, so that it does not keep what `start` was given: the lists of splits can be long. */
  #changeOf(stage: Stage, number: number): () => void {
    return () => this.#taskChanged(stage, number);
  }

  #taskChanged(stage: Stage, number: number): void {
    const task = stage.tasks[number];
    if (task !== undefined && !this.#isAbandoned) {
      this.#watch?.taskChanged(task);
      if (task.waitsForMemory) {
        this.#query.onMemoryWait?.();
      }
    }
    if (!this.#over) {
      this.#execution.filters.taskChanged(stage);
    }
    if (stage.state === "FINISHED" && task?.state === "FAILED" && task.failure !== undefined && this.#needsStages && !this.#over) {
      // It has run again for a reader that was lost.
      this.#stageFailed(task.failure);
    }
    stage.taskChanged(number);
    if (!this.#over) {
      this.#options.onProgress();
    }
  }

  #stageEnded(stage: Stage, failure: FailureInfo | undefined): void {
    if (this.#over) {
      return;
    }
    if (stage.state === "FAILED") {
      if (stage === this.#execution.root || this.#needsStages) {
        this.#stageFailed(failure);
      }
      return;
    }
    const execution = this.#execution;
    const unread = execution.childrenOf(stage).filter((child) => execution.readersOf(child).every((reader) => reader.done));
    for (const task of unread.flatMap((child) => child.tasks)) {
      // No consumer reads the task any more: end it if it runs, and delete it.
      void task.end("cancel");
    }
    if (stage === execution.root) {
      this.#rootEnded = true;
      this.#finishWhenDrained();
    }
  }

  /** The other stages are over. Their tasks are deleted, and tell their last numbers, while the root task makes the last rows. */
  #inputReceived(): void {
    this.#hasInput = true;
    for (const task of this.#execution.stages.slice(1).flatMap((stage) => stage.tasks)) {
      void task.end("cancel");
    }
  }

  /** False once the root stage has all the input that it needs: no loss of another stage changes the rows. */
  get #needsStages(): boolean {
    return !this.#hasInput && !this.#rootEnded && !this.#isCommitting;
  }

  #stageFailed(failure: FailureInfo | undefined): void {
    assert(failure !== undefined, "a failed stage has a cause");
    if (!isSymptom(failure) || this.#execution.tasks.every((task) => isEndedTask(task.state))) {
      this.#fail(failure);
      return;
    }
    if (this.#symptom === undefined) {
      this.#symptom = failure;
      void this.#failLater(failure);
    }
  }

  /** A reader fails before the coordinator has heard what became of the node that it read from. */
  async #failLater(failure: FailureInfo): Promise<void> {
    const { cluster, ports } = this.#context;
    await sleep(ports.clock, "failure-root-cause", knobOf(ports, "root-cause-ms"));
    if (!this.#over && this.#needsStages) {
      const gone = failure.remoteHost !== undefined && cluster.isGone(failure.remoteHost);
      this.#fail(gone ? { ...failure, errorName: "REMOTE_HOST_GONE" } : failure);
    }
  }

  #resultsChanged(): void {
    if (this.#results.availableBytes > 0) {
      this.#query.hasRows();
    }
    if (this.#analyze !== undefined) {
      while (this.#results.takeRows(targetResultBytes) !== undefined) {}
    }
    this.#query.changed.fire();
    this.#finishWhenDrained();
    if (!this.#over) {
      this.#options.onProgress();
    }
  }

  #finishWhenDrained(): void {
    if (this.#rootEnded && this.#results.complete && this.#query.state === "RUNNING") {
      void this.#finish();
    }
  }

  /** All rows have arrived: collects the final counters, releases everything, and finishes the query. */
  async #finish(): Promise<void> {
    const query = this.#query;
    try {
      query.to("FINISHING");
      await this.#settle();
      if (!query.done) {
        this.#results.detach();
        this.#leaveMemory();
        if (this.#analyze !== undefined) {
          const text = this.#analyze((id) => this.#execution.stage(id)?.tasks.flatMap((task) => task.document ?? []) ?? []);
          query.results = new FixedRow([text]);
        }
        query.to("FINISHED");
      }
    } catch (error) {
      query.fail(toFailure(error));
    }
  }

  /** Ends and forgets all tasks; resolves when their last numbers are known, or it has waited long enough. */
  async #settle(): Promise<void> {
    const { ports } = this.#context;
    const usualMs = ports.points.fires("query-ends-without-last-numbers") ? 0 : settleWaitMs;
    const waitMs = this.#analyze !== undefined ? analyzeWaitMs : usualMs;
    this.#over = true;
    this.#recovery?.close();
    let settled = false;
    const everything = this.#execution.ended("cancel").then(() => {
      settled = true;
    });
    if (waitMs > 0) {
      await new Promise<void>((resolve) => {
        const timer = ports.clock.timer("query-settle", waitMs, resolve);
        const done = (): void => {
          timer.cancel();
          resolve();
        };
        void everything.then(done);
        // A query that is cancelled meanwhile leaves no timer.
        this.#query.onEnd(done);
      });
    }
    if (!settled) {
      // A node that does not answer keeps its tasks until it abandons them; the coordinator already has all rows.
      this.#abortStages();
    }
  }

  /** The query or the attempt has failed: aborts all tasks. */
  #abort(): void {
    if (this.#isReleased) {
      return;
    }
    this.#isReleased = true;
    this.#over = true;
    this.#recovery?.close();
    this.#abortStages();
    void this.#execution.ended("abort");
    this.#results.close();
    // The failure may come from code that still uses the memory of a task.
    void Promise.resolve().then(() => this.#leaveMemory());
  }

  #abortStages(): void {
    for (const stage of this.#execution.stages) {
      stage.abort();
    }
  }

  #leaveMemory(): void {
    this.#resultMemory.close();
    this.#context.memories.leave(this.#query.id);
  }
}
