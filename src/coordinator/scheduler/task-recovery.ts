/**
 * Runs lost tasks of one attempt again (retry-policy TASK). A task produces the same pages with the same numbers wherever it runs, so its
 * consumers go on at the page that they have reached. What a lost task has read from a living one is produced again too, unless that one
 * still has all of it: up the lineage, to the tables. Where this cannot help, the whole query runs again (query-attempts.ts).
 */
import type { FailureInfo, ReplacedSource } from "../../execution/task/api.ts";
import { toFailure } from "../../execution/driver/failure.ts";
import type { PlanFragment } from "../../planner/fragmenter/fragment.ts";
import { writes } from "../../planner/fragmenter/fragment-walk.ts";
import { assert, type ErrorName } from "../../protocol/errors.ts";
import { visitPlan } from "../../planner/plan/plan-tree.ts";
import { sleep } from "../../ports/clock.ts";
import type { CoordinatorContext, WorkerNode } from "../context.ts";
import { consumersOf, remoteLocations, type StagePlacement, type TaskPlacement, taskId } from "./placement.ts";
import { loadsOf, nodesOf } from "./reassignment.ts";
import { RetriedTask } from "./retried-task.ts";
import { type Candidate, Speculation } from "./speculation.ts";
import { isLoss, retryDelayMs, type RetryConfig } from "./retry-policy.ts";
import type { RootTask } from "./root-task.ts";
import type { TaskFactory } from "./task-factory.ts";

/** Times that lost tasks of one attempt are run again, at most: each has numbers of its own for the tasks. */
const roundsMax = 40;
/** Longest wait for the end of a task whose next run is about to begin, in milliseconds. */
const endWaitMs = 1000;

/** Second runs of one attempt, at most: each has a number of its own for the task. */
const secondRunsMax = 8;
/** The process that ran the task has ended, or another one has taken its place. */
const processEnds: ReadonlySet<ErrorName> = new Set<ErrorName>(["REMOTE_HOST_GONE", "REMOTE_TASK_MISMATCH"]);

/** Nodes that have failed the query. They get tasks only if no other worker can run them. */
export interface Suspects {
  add(uri: string | undefined): void;
  includes(worker: WorkerNode): boolean;
}

export interface TaskRecoveryOptions {
  readonly context: CoordinatorContext;
  readonly queryId: string;
  readonly retry: RetryConfig;
  readonly placements: readonly StagePlacement[];
  /** Number of the query's attempt. */
  readonly firstAttempt: number;
  readonly suspects: Suspects;
  /** The number of the next round; no attempt of the query has it. */
  readonly nextAttempt: () => number;
  /** Makes tasks whose sources are at these places. */
  readonly factoryOf: (placements: readonly StagePlacement[], attempt: number) => TaskFactory;
  readonly root: () => RootTask | undefined;
  /** Called after every change of a task: position of its stage, and its number there. */
  readonly onChange: (stage: number, number: number) => void;
  /** Whether the query still needs the stages. */
  readonly isNeeded: () => boolean;
  /** Its user has ended a stage: its rows depend on when that was. */
  readonly isCut: () => boolean;
  /** The tasks cannot be run again, so their failure is that of the attempt. `isLasting`: the query must not run again either. */
  readonly onGivenUp: (failure: FailureInfo, isLasting: boolean) => void;
}

interface Position extends Candidate {
  readonly stage: number;
  readonly number: number;
  readonly task: RetriedTask;
}

interface SecondRun {
  readonly placement: TaskPlacement;
  readonly attempt: number;
}

export class TaskRecovery {
  readonly #options: TaskRecoveryOptions;
  /** Where the current run of each task is. */
  #placements: readonly StagePlacement[];
  /** By stage; none for stage 0, whose task runs in this process. */
  readonly #positions: Position[][];
  readonly #lost = new Map<Position, FailureInfo>();
  /** How often each task was lost, where not only what reads it was. */
  readonly #losses = new Map<Position, number>();
  readonly #first: TaskFactory;
  /** By stage; undefined for a stage whose tasks get no second runs. */
  readonly #speculations: readonly (Speculation<Position> | undefined)[];
  readonly #seconds = new Map<Position, SecondRun>();
  #secondRuns = 0;
  #rounds = 0;
  #isRunning = false;

  constructor(options: TaskRecoveryOptions) {
    this.#options = options;
    this.#placements = options.placements;
    this.#positions = options.placements.map(() => []);
    this.#first = options.factoryOf(options.placements, options.firstAttempt);
    this.#speculations = options.placements.map((placement, stage) => this.#speculationOf(placement, stage));
  }

  #speculationOf({ fragment, tasks }: StagePlacement, stage: number): Speculation<Position> | undefined {
    const { context, retry } = this.#options;
    const { ports } = context;
    const isEligible = stage > 0 && tasks.length > 1 && fragment.partitioning !== "COORDINATOR" && !writes(fragment) && !reads(fragment);
    return retry.speculates === true && isEligible
      ? new Speculation({
          ports,
          candidates: this.#positions[stage] as Position[],
          isAllowed: () => !this.#isRunning && this.#options.isNeeded() && !this.#options.isCut(),
          begin: (position) => this.#beginSecond(position),
          keep: (position) => this.#keepSecond(position),
        })
      : undefined;
  }

  /** The attempt is over. */
  close(): void {
    for (const speculation of this.#speculations) {
      speculation?.close();
    }
  }

  /** The task of a stage other than 0 in its first run. */
  create(stage: number, number: number): RetriedTask {
    const placement = this.#placements[stage] as StagePlacement;
    const task = placement.tasks[number] as TaskPlacement;
    const retried = new RetriedTask((onChange) => this.#first.create(placement, { task, number, onChange }), {
      onFailed: (failure) => this.#failed(position, failure),
      onChange: () => {
        this.#speculations[stage]?.changed(position);
        this.#options.onChange(stage, number);
      },
      onSecondChange: () => this.#speculations[stage]?.changed(position),
    });
    const position: Position = { stage, number, task: retried };
    this.#positions[stage]?.push(position);
    this.#speculations[stage]?.started(position);
    return retried;
  }

  /** Runs the task on another worker too. */
  #beginSecond(position: Position): void {
    const { context, factoryOf, nextAttempt, queryId, suspects } = this.#options;
    const { number, stage, task } = position;
    const { network } = context.ports;
    if (network.lendsTo?.(task.nodeUri) ?? network.lends === true) {
      // Pages that were lent have no checksums, by which a reader could go on with those of another run.
      return;
    }
    const placement = this.#placements[stage] as StagePlacement;
    const current = placement.tasks[number] as TaskPlacement;
    const isSuspect = (worker: WorkerNode): boolean => suspects.includes(worker);
    const workers = context.cluster.activeWorkers().filter((worker) => worker.uri !== current.node.uri && !isSuspect(worker));
    let node: WorkerNode | undefined;
    try {
      [node] = nodesOf({ fragment: placement.fragment, tasks: [current] }, { workers, isSuspect }, this.#loads(new Set()));
    } catch {
      // Only its own worker has its rows.
    }
    if (node === undefined || this.#secondRuns >= secondRunsMax) {
      return;
    }
    this.#secondRuns += 1;
    const attempt = nextAttempt();
    const next = { ...current, node, taskId: taskId(queryId, placement.fragment.id, attempt * placement.tasks.length + number) };
    this.#seconds.set(position, { placement: next, attempt });
    context.ports.log.info("task-runs-again", { taskId: next.taskId, former: task.taskId, nodeId: node.nodeId, speculative: true });
    void task.runBeside((onChange) => factoryOf(this.#placements, attempt).create(placement, { task: next, number, onChange }));
  }

  /** The consumers go on with the second run, as if the first one had been lost. */
  #keepSecond(position: Position): void {
    const { number, stage, task } = position;
    const second = this.#seconds.get(position);
    assert(second !== undefined, "a second run has its place");
    const former = this.#placements;
    this.#placements = former.map((placement, index) =>
      index === stage ? { ...placement, tasks: placement.tasks.with(number, second.placement) } : placement,
    );
    this.#options.context.ports.log.info("task-replaced", { taskId: second.placement.taskId, former: task.taskId });
    const leaves = consumersOf(this.#placements[stage] as StagePlacement).filter((consumer) => this.#hasEnded(consumer));
    task.keepSecond();
    task.leaveBuffers(leaves.map(({ bufferId }) => bufferId));
    this.#tellConsumers(former, new Set([position]));
    this.#options.onChange(stage, number);
  }

  /** True if the task will run again. */
  #failed(position: Position, failure: FailureInfo): boolean {
    // A task whose pages are others than those of its former run says so by this error; so would the next one.
    const isOther = failure.errorName === "REMOTE_TASK_ERROR" && position.task.runs > 1;
    if (!isLoss(failure) || isOther || this.#options.isCut() || !this.#options.isNeeded()) {
      return false;
    }
    const { context, queryId, suspects } = this.#options;
    context.ports.log.info("task-lost", { taskId: position.task.taskId, queryId, errorName: failure.errorName });
    suspects.add(failure.remoteHost);
    this.#lost.set(position, failure);
    // A node that leaves is not the fault of its tasks.
    const counts = failure.errorName === "SERVER_SHUTTING_DOWN" ? 0 : 1;
    this.#losses.set(position, (this.#losses.get(position) ?? 0) + counts);
    if (!this.#isRunning) {
      this.#isRunning = true;
      this.#recover().catch((error: unknown) => this.#giveUp(toFailure(error)));
    }
    return true;
  }

  async #recover(): Promise<void> {
    const { context, retry } = this.#options;
    try {
      while (this.#lost.size > 0) {
        this.#rounds += 1;
        // Other tasks of a lost node are found lost meanwhile.
        await sleep(context.ports.clock, "task-retry-delay", Math.max(1, this.#delayMs(retry)));
        if (!this.#options.isNeeded()) {
          return;
        }
        if (!(await this.#runLost())) {
          return;
        }
      }
    } finally {
      this.#isRunning = false;
    }
  }

  /** Nothing is gained by waiting for a process that has ended, unless its tasks are what ends it. */
  #delayMs(retry: RetryConfig): number {
    const losses = this.#lossesOf(this.#lost.keys());
    const isEnded = [...this.#lost.values()].every(({ errorName }) => processEnds.has(errorName));
    return losses <= 1 && isEnded ? 0 : retryDelayMs(retry, losses);
  }

  #lossesOf(positions: Iterable<Position>): number {
    return Math.max(1, ...Array.from(positions, (position) => this.#losses.get(position) ?? 0));
  }

  /** False if the attempt is given up. */
  async #runLost(): Promise<boolean> {
    const failures = new Map(this.#lost);
    this.#lost.clear();
    // One that nobody reads any more is left alone, unless a reader runs again.
    const again = await this.#lineageOf([...failures.keys()].filter(({ task }) => !task.isEnding));
    if (!this.#options.isNeeded()) {
      return false;
    }
    if (again.size === 0) {
      return true;
    }
    const [first] = failures.values();
    const reason = this.#whyNot(again) ?? this.#place(again);
    if (reason !== undefined && first !== undefined) {
      const { context, queryId } = this.#options;
      context.ports.log.info("tasks-not-run-again", { queryId, errorName: first.errorName, reason });
      this.#giveUp(first, reason === "attempts");
      return false;
    }
    return true;
  }

  #whyNot(again: ReadonlySet<Position>): "cut" | "writes" | "attempts" | "rounds" | undefined {
    if (this.#options.isCut()) {
      return "cut";
    }
    const positions = [...again];
    if (positions.some(({ stage }) => writes((this.#placements[stage] as StagePlacement).fragment))) {
      // What a lost task has written may be there: the write begins anew.
      return "writes";
    }
    if (positions.some((position) => (this.#losses.get(position) ?? 0) > this.#options.retry.taskAttemptsMax)) {
      return "attempts";
    }
    return this.#rounds > roundsMax ? "rounds" : undefined;
  }

  #giveUp(failure: FailureInfo, isLasting = false): void {
    this.#lost.clear();
    this.#options.onGivenUp(failure, isLasting);
  }

  /** The lost tasks, and those that must produce again what a task among them had read. */
  async #lineageOf(lost: readonly Position[]): Promise<ReadonlySet<Position>> {
    const again = new Set(lost);
    let readers: readonly Position[] = lost;
    while (readers.length > 0) {
      // A task has a buffer for each of its readers, and is asked once for all that were lost.
      const buffers = new Map<Position, number[]>();
      for (const { bufferId, source } of readers.flatMap((reader) => this.#sourcesOf(reader))) {
        if (!again.has(source)) {
          buffers.set(source, [...(buffers.get(source) ?? []), bufferId]);
        }
      }
      const held = await Promise.all([...buffers].map(([source, bufferIds]) => source.task.holdsAllOf(bufferIds)));
      readers = [...buffers.keys()].filter((_, index) => held[index] === false);
      await Promise.all(readers.map((source) => this.#endOf(source)));
      for (const source of readers) {
        again.add(source);
        this.#lost.delete(source);
      }
    }
    return again;
  }

  /** Resolves when the current run reads its sources no more, or it has waited long enough. */
  async #endOf(position: Position): Promise<void> {
    const ended = position.task.giveUp();
    if (this.#sourcesOf(position).length > 0) {
      await Promise.race([ended, sleep(this.#options.context.ports.clock, "task-given-up", endWaitMs)]);
    }
  }

  /** The buffers that a task reads. */
  #sourcesOf({ number, stage }: Position): readonly { readonly source: Position; readonly bufferId: number }[] {
    const reader = this.#placements[stage]?.fragment.id;
    return this.#placements.flatMap((placement, index) =>
      consumersOf(placement)
        .filter((consumer) => consumer.fragmentId === reader && consumer.number === number)
        .flatMap(({ bufferId }) => (this.#positions[index] ?? []).map((source) => ({ source, bufferId }))),
    );
  }

  /** Runs the tasks again. Returns the error if one cannot run on any of the workers. */
  #place(again: ReadonlySet<Position>): ErrorName | undefined {
    try {
      this.#begin(again, this.#nodesFor(again));
      return undefined;
    } catch (error) {
      return toFailure(error).errorName;
    }
  }

  /** By stage and number. Throws NO_NODES_AVAILABLE, or TABLE_DATA_LOST if rows of a split are on no worker. */
  #nodesFor(again: ReadonlySet<Position>): readonly ReadonlyMap<number, WorkerNode | undefined>[] {
    const { context, suspects } = this.#options;
    const request = { workers: context.cluster.activeWorkers(), isSuspect: (worker: WorkerNode): boolean => suspects.includes(worker) };
    const loads = this.#loads(again);
    return this.#placements.map(({ fragment, tasks }, stage) => {
      const numbers = [...again].filter((position) => position.stage === stage).map(({ number }) => number);
      const nodes = nodesOf({ fragment, tasks: numbers.map((number) => tasks[number] as TaskPlacement) }, request, loads);
      return new Map(numbers.map((number, index) => [number, nodes[index]]));
    });
  }

  /** Tasks on each node: those that run, and those that run again. */
  #loads(again: ReadonlySet<Position>): Map<string, number> {
    return loadsOf(
      this.#placements.flatMap(({ tasks }, stage) =>
        tasks.filter((_, number) => {
          const position = this.#positions[stage]?.[number];
          return position !== undefined && (again.has(position) || !position.task.hasEnded);
        }),
      ),
    );
  }

  #begin(again: ReadonlySet<Position>, nodes: readonly ReadonlyMap<number, WorkerNode | undefined>[]): void {
    const { context, factoryOf, nextAttempt, queryId } = this.#options;
    const former = this.#placements;
    const attempt = nextAttempt();
    this.#placements = former.map((placement, stage) => ({
      ...placement,
      tasks: placement.tasks.map((task, number) => {
        const node = nodes[stage]?.get(number);
        const id = taskId(queryId, placement.fragment.id, attempt * placement.tasks.length + number);
        return node === undefined ? task : { ...task, node, taskId: id };
      }),
    }));
    context.ports.log.info("tasks-run-again", { queryId, attempt, tasks: again.size });
    const factory = factoryOf(this.#placements, attempt);
    for (const position of again) {
      this.#runAgain(position, factory);
    }
    this.#tellConsumers(former, again);
  }

  #runAgain(position: Position, factory: TaskFactory): void {
    const { number, stage, task } = position;
    const placement = this.#placements[stage] as StagePlacement;
    const next = placement.tasks[number] as TaskPlacement;
    this.#options.context.ports.log.info("task-runs-again", { taskId: next.taskId, former: task.taskId, nodeId: next.node.nodeId });
    const leaves = consumersOf(placement).filter((consumer) => this.#hasEnded(consumer));
    this.#speculations[stage]?.started(position);
    void task
      .runAgain((onChange) => factory.create(placement, { task: next, number, onChange }))
      .then((isStarted) => {
        if (isStarted) {
          task.leaveBuffers(leaves.map(({ bufferId }) => bufferId));
        }
      });
  }

  #hasEnded({ fragmentId, number }: { readonly fragmentId: number; readonly number: number }): boolean {
    const stage = this.#placements.findIndex(({ fragment }) => fragment.id === fragmentId);
    return this.#positions[stage]?.[number]?.task.hasEnded === true;
  }

  /** Tasks that go on read the next runs of their sources. */
  #tellConsumers(former: readonly StagePlacement[], again: ReadonlySet<Position>): void {
    this.#placements.forEach(({ fragment, tasks }, stage) => {
      tasks.forEach((_, number) => {
        const position = this.#positions[stage]?.[number];
        const reader = fragment.id === 0 ? this.#options.root() : position?.task;
        if (reader === undefined || (position !== undefined && again.has(position))) {
          return;
        }
        const replaced = replacedSources(fragment, { former, now: this.#placements, number });
        if (replaced.length > 0) {
          reader.replaceSources(replaced);
        }
      });
    });
  }
}

function replacedSources(
  fragment: PlanFragment,
  { former, now, number }: { readonly former: readonly StagePlacement[]; readonly now: readonly StagePlacement[]; readonly number: number },
): readonly ReplacedSource[] {
  const before = remoteLocations(fragment, former, number);
  return remoteLocations(fragment, now, number).flatMap(({ planNodeId, sources }, node) =>
    sources.flatMap(({ location: to }, index) => {
      const from = before[node]?.sources[index]?.location;
      return from === undefined || from === to ? [] : [{ planNodeId, from, to }];
    }),
  );
}

/** It has sources in other stages. */
function reads(fragment: PlanFragment): boolean {
  let found = false;
  visitPlan(fragment.root, ({ kind }) => {
    found ||= kind === "RemoteSource";
  });
  return found;
}
