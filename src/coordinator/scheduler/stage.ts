/**
 * One stage: its tasks, and the state derived from theirs by Presto's rules. Reports its end through `onEnd`.
 */
import type { FailureInfo } from "../../execution/task/api.ts";
import type { PlanFragment } from "../../planner/fragmenter/fragment.ts";
import type { StateMachine } from "../../protocol/state-machine.ts";
import type { TransitionHook } from "../context.ts";
import { isEndedTask } from "../../execution/task/state.ts";
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
  #failure: FailureInfo | undefined;

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

  /** All tasks are placed; they report through `taskChanged`. */
  schedule(tasks: readonly StageTask[]): void {
    this.#machine.to("SCHEDULING");
    this.#tasks = tasks;
    this.#machine.to("SCHEDULED");
  }

  taskChanged(): void {
    if (this.done) {
      return;
    }
    const states = this.#tasks.map((task) => task.state);
    const failed = this.#tasks.find((task) => task.state === "FAILED");
    if (failed !== undefined) {
      this.#end("FAILED", failed.failure ?? { errorName: "GENERIC_INTERNAL_ERROR", message: "Task failed" });
    } else if (states.includes("ABORTED")) {
      this.#end("FAILED", { errorName: "GENERIC_INTERNAL_ERROR", message: "A task is in the ABORTED state but stage is live" });
    } else if (states.every((state) => isEndedTask(state))) {
      this.#end(states.includes("CANCELED") ? "CANCELED" : "FINISHED", undefined);
    } else if (this.state === "SCHEDULED" && states.some((state) => state !== "PLANNED")) {
      this.#machine.to("RUNNING");
    }
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
