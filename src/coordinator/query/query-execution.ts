/**
 * The stages of one running query: creates their tasks from the leaves up, follows them, ends children when their consumer ends, and reports the query's
 * end. Made by the dispatcher once placement is known; it owns every task of the query.
 */
import type { FailureInfo, TaskExecution } from "../../execution/task/api.ts";
import { toFailure } from "../../execution/driver/failure.ts";
import { sleep } from "../../ports/clock.ts";
import type { Ports } from "../../ports/ports.ts";
import { assert } from "../../protocol/errors.ts";
import type { TransitionHook } from "../context.ts";
import { StageFilters } from "../scheduler/dynamic-filters.ts";
import { isSymptom } from "./failure.ts";
import type { StagePlacement, TaskPlacement } from "../scheduler/placement.ts";
import { sourceFragmentsOf } from "../../planner/fragmenter/fragment-walk.ts";
import { Stage } from "../scheduler/stage.ts";
import { isEndedTask } from "../../execution/task/state.ts";
import type { StageTask } from "../scheduler/stage-task.ts";

export interface QueryExecutionOptions {
  readonly queryId: string;
  readonly stages: readonly StagePlacement[];
  readonly ports: Ports;
  readonly hook: TransitionHook | undefined;
  /** Whether the node at an address is known to be gone. */
  readonly isGone: (uri: string) => boolean;
  /** Makes the coordinator's end of a task; nothing is sent before its start. */
  readonly makeTask: (stage: StagePlacement, task: TaskPlacement, number: number, onChange: () => void) => StageTask;
  /** The root task runs: its output can be read. */
  readonly onRootStarted: (root: TaskExecution) => void;
  /** The root stage has given all its rows; the query may finish. */
  readonly onFinished: () => void;
  readonly onFailed: (failure: FailureInfo) => void;
  /** A task may have reported something. */
  readonly onTaskChanged: (task: StageTask) => void;
  /** Something that a status could show has changed. */
  readonly onChange: () => void;
}

/** The coordinator's own task. */
export interface RootTaskHandle extends StageTask {
  readonly execution: TaskExecution | undefined;
}

/** How long a reader's complaint waits for the failure that caused it. */
const rootCauseWaitMs = 500;

export class QueryExecution {
  readonly #options: QueryExecutionOptions;
  readonly stages: readonly Stage[];
  /** What each stage reads, and by which stages it is read, in their order. */
  readonly #children = new Map<Stage, readonly Stage[]>();
  readonly #readers = new Map<Stage, readonly Stage[]>();
  /** A stage that several read is created once. */
  readonly #creations = new Map<Stage, Promise<boolean>>();
  readonly #filters: StageFilters;
  #over = false;
  #symptom: FailureInfo | undefined;

  constructor(options: QueryExecutionOptions) {
    this.#options = options;
    this.stages = options.stages.map(
      (placement) =>
        new Stage({
          queryId: options.queryId,
          fragment: placement.fragment,
          hook: options.hook,
          onEnd: (stage, failure) => this.#stageEnded(stage, failure),
        }),
    );
    this.#filters = new StageFilters(this.stages);
    for (const stage of this.stages) {
      const children = sourceFragmentsOf(stage.fragment).flatMap((id) => this.stage(id) ?? []);
      this.#children.set(stage, children);
      for (const child of children) {
        this.#readers.set(child, [...this.#readersOf(child), stage]);
      }
    }
  }

  get root(): Stage {
    const root = this.stages[0];
    assert(root !== undefined && root.fragment.id === 0, "a query has a stage 0");
    return root;
  }

  /** Chooses all tasks at once and begins to create them. */
  start(): void {
    const { makeTask, stages } = this.#options;
    this.stages.forEach((stage, index) => {
      const placement = stages[index];
      assert(placement !== undefined, "a stage has its placement");
      stage.schedule(placement.tasks.map((task, number) => makeTask(placement, task, number, () => this.#taskChanged(stage, number))));
    });
    this.#create(this.root).catch((error: unknown) => this.#options.onFailed(toFailure(error)));
  }

  stage(number: number): Stage | undefined {
    return this.stages.find((stage) => stage.fragment.id === number);
  }

  /** The stages that it reads. */
  childrenOf(stage: Stage): readonly Stage[] {
    return this.#children.get(stage) ?? [];
  }

  /** Of the stages that it reads, those that no stage before it reads: so documents show each stage, and its numbers, once. */
  subStagesOf(stage: Stage): readonly Stage[] {
    return this.childrenOf(stage).filter((child) => this.#readersOf(child)[0] === stage);
  }

  /** Ends a stage that is still read: the query goes on with the rows it has. */
  cancelStage(stage: Stage): void {
    if (!stage.done) {
      for (const task of stage.tasks) {
        task.finishEarly();
      }
    }
  }

  /** The query has failed: nothing of it may go on. */
  abort(): void {
    this.#over = true;
    for (const stage of this.stages) {
      stage.abort();
    }
    void this.ended("abort");
  }

  /** All its tasks are ended and forgotten by their nodes, as far as these can be reached. */
  async ended(kind: "cancel" | "abort"): Promise<void> {
    await Promise.all(this.#tasks().map((task) => task.end(kind)));
  }

  /** Ends and forgets all tasks; resolves when their last numbers are known, or after `waitMs`. */
  async settle(waitMs: number): Promise<void> {
    this.#over = true;
    let settled = false;
    const everything = this.ended("cancel").then(() => {
      settled = true;
    });
    if (waitMs > 0) {
      await new Promise<void>((resolve) => {
        const timer = this.#options.ports.clock.timer("query-settle", waitMs, resolve);
        void everything.then(() => {
          timer.cancel();
          resolve();
        });
      });
    }
    if (!settled) {
      // A node that does not answer keeps its tasks until they are abandoned; the rows are all here.
      for (const stage of this.stages) {
        stage.abort();
      }
    }
  }

  #tasks(): readonly StageTask[] {
    return this.stages.flatMap((stage) => stage.tasks);
  }

  #readersOf(child: Stage): readonly Stage[] {
    return this.#readers.get(child) ?? [];
  }

  #createOnce(stage: Stage): Promise<boolean> {
    const known = this.#creations.get(stage);
    const creation = known ?? this.#create(stage);
    this.#creations.set(stage, creation);
    return creation;
  }

  /** Sources first: a task must find the tasks it reads. Siblings are created together. */
  async #create(stage: Stage): Promise<boolean> {
    const creation = this.#inTurn(this.childrenOf(stage), (child) => this.#createOnce(child));
    // Whoever started the query first looks at it as it was before.
    await Promise.resolve();
    for (const task of stage.tasks) {
      task.prepare?.();
    }
    const children = await creation;
    if (this.#over || children.includes(false)) {
      return false;
    }
    const started = await this.#inTurn(stage.tasks, (task) => task.start());
    const created = !started.includes(false) && !this.#over;
    if (created && stage === this.root) {
      const task = stage.tasks[0] as RootTaskHandle;
      assert(task.execution !== undefined, "the root task runs in this process");
      this.#options.onRootStarted(task.execution);
    }
    return created;
  }

  /** All at once; where a point asks for it, one after the other. */
  async #inTurn<T>(items: readonly T[], create: (item: T) => Promise<boolean>): Promise<readonly boolean[]> {
    if (!this.#options.ports.points.fires("tasks-created-one-by-one")) {
      return Promise.all(items.map(create));
    }
    const created: boolean[] = [];
    for (const item of items) {
      created.push(await create(item));
    }
    return created;
  }

  #taskChanged(stage: Stage, number: number): void {
    const task = stage.tasks[number];
    if (task !== undefined) {
      this.#options.onTaskChanged(task);
    }
    if (!this.#over) {
      this.#filters.taskChanged(stage);
    }
    stage.taskChanged();
    this.#options.onChange();
  }

  #stageEnded(stage: Stage, failure: FailureInfo | undefined): void {
    if (this.#over) {
      return;
    }
    if (stage.state === "FAILED") {
      this.#stageFailed(failure);
      return;
    }
    const unread = this.childrenOf(stage).filter((child) => this.#readersOf(child).every((reader) => reader.done));
    for (const task of unread.flatMap((child) => child.tasks)) {
      // Nobody reads it any more: it is ended if it lives, and forgotten.
      void task.end("cancel");
    }
    if (stage === this.root) {
      this.#options.onFinished();
    }
  }

  #stageFailed(failure: FailureInfo | undefined): void {
    assert(failure !== undefined, "a failed stage has a cause");
    if (!isSymptom(failure) || this.stages.every((stage) => stage.tasks.every((task) => isEndedTask(task.state)))) {
      this.#options.onFailed(failure);
      return;
    }
    if (this.#symptom === undefined) {
      this.#symptom = failure;
      void this.#failLater(failure);
    }
  }

  /** A reader complains before the coordinator has heard what became of the node that it read from. */
  async #failLater(failure: FailureInfo): Promise<void> {
    await sleep(this.#options.ports.clock, "failure-root-cause", rootCauseWaitMs);
    if (!this.#over) {
      const gone = failure.remoteHost !== undefined && this.#options.isGone(failure.remoteHost);
      this.#options.onFailed(gone ? { ...failure, errorName: "REMOTE_HOST_GONE" } : failure);
    }
  }
}
