/**
 * One stage: its tasks, and the state derived from theirs by Presto's rules. Reports its end through `onEnd`.
 */
import type { FailureInfo, TaskState } from "../../execution/task/api.ts";
import type { PlanFragment } from "../../planner/fragmenter/fragment.ts";
import { addSums, type CounterSums } from "../../protocol/counter-sums.ts";
import type { StateMachine } from "../../protocol/state-machine.ts";
import type { TransitionHook } from "../context.ts";
import type { StageTask } from "./stage-task.ts";
import { type StageState, stageStateMachine } from "../query/states.ts";

export interface StageOptions {
  readonly queryId: string;
  readonly fragment: PlanFragment;
  readonly hook: TransitionHook | undefined;
  /** The stage has ended: FINISHED, CANCELED, FAILED with the cause, or ABORTED. */
  readonly onEnd: (stage: Stage, failure: FailureInfo | undefined) => void;
}

export class Stage {
  readonly stageId: string;
  readonly fragment: PlanFragment;
  readonly #options: StageOptions;
  readonly #machine: StateMachine<StageState>;
  #tasks: readonly StageTask[] = [];
  /** State of each task when it last reported, and the number of tasks by it: a report must not cost more in a larger stage. */
  readonly #states: TaskState[] = [];
  readonly #counts = new Map<TaskState, number>();
  #failure: FailureInfo | undefined;
  /** Defined if it has ended without tasks. */
  #ownCounters: CounterSums | undefined;

  constructor(options: StageOptions) {
    this.#options = options;
    this.fragment = options.fragment;
    this.stageId = `${options.queryId}.${options.fragment.id}`;
    this.#machine = stageStateMachine(this.stageId, options.hook);
  }

  get state(): StageState {
    return this.#machine.state;
  }

  get done(): boolean {
    return this.#machine.ended;
  }

  get tasks(): readonly StageTask[] {
    return this.#tasks;
  }

  get failure(): FailureInfo | undefined {
    return this.#failure;
  }

  /** The sums over its tasks, as far as they have reported. */
  get counters(): CounterSums {
    return this.#ownCounters ?? addSums(this.#tasks.map((task) => task.counters));
  }

  /** Ends the stage of a plan whose rows are known without a task. `counters`: what it has put out. */
  finishWithoutTasks(counters: CounterSums): void {
    this.#ownCounters = counters;
    this.#end("FINISHED", undefined);
  }

  /** All tasks are placed; they report through `taskChanged`. */
  schedule(tasks: readonly StageTask[]): void {
    this.#machine.to("SCHEDULING");
    this.#tasks = tasks;
    for (const { state } of tasks) {
      this.#states.push(state);
      this.#counts.set(state, this.#count(state) + 1);
    }
    this.#machine.to("SCHEDULED");
  }

  /** The task of this number has a new report. */
  taskChanged(number: number): void {
    const task = this.#tasks[number];
    if (this.done || task === undefined) {
      return;
    }
    this.#recount(number, task.state);
    if (task.state === "FAILED") {
      this.#end("FAILED", task.failure ?? { errorName: "GENERIC_INTERNAL_ERROR", message: "Task failed" });
    } else if (task.state === "ABORTED") {
      this.#end("FAILED", { errorName: "GENERIC_INTERNAL_ERROR", message: "A task is in the ABORTED state but stage is live" });
    } else if (this.#count("FINISHED") + this.#count("CANCELED") === this.#tasks.length) {
      this.#end(this.#count("CANCELED") > 0 ? "CANCELED" : "FINISHED", undefined);
    } else if (this.state === "SCHEDULED" && this.#count("PLANNED") < this.#tasks.length) {
      this.#machine.to("RUNNING");
    }
  }

  #recount(number: number, state: TaskState): void {
    const before = this.#states[number];
    if (before !== undefined && before !== state) {
      this.#states[number] = state;
      this.#counts.set(before, this.#count(before) - 1);
      this.#counts.set(state, this.#count(state) + 1);
    }
  }

  #count(state: TaskState): number {
    return this.#counts.get(state) ?? 0;
  }

  /** The query has failed. */
  abort(): void {
    if (!this.done) {
      this.#end("ABORTED", undefined);
    }
  }

  #end(state: "FINISHED" | "CANCELED" | "ABORTED" | "FAILED", failure: FailureInfo | undefined): void {
    this.#failure = failure;
    this.#machine.to(state);
    this.#options.onEnd(this, failure);
  }
}
