/**
 * The task of stage 0, in this process: the root of the plan, from which the coordinator reads the client's rows.
 */
import type {
  FailureInfo,
  ReplacedSource,
  TaskExecution,
  TaskOptions,
  TaskSplit,
  TaskState,
  TaskStatsSnapshot,
} from "../../execution/task/api.ts";
import { toFailure } from "../../execution/driver/failure.ts";
import type { TaskDocument } from "../../protocol/documents/task.ts";
import type { Warning } from "../../protocol/documents/warnings.ts";
import type { WorkerNode } from "../context.ts";
import { isEndedTask } from "../../execution/task/state.ts";
import type { StageTask, TaskCounters } from "./stage-task.ts";
import { countersOf } from "../query/task-counters.ts";

/** All splits of one plan node. */
export interface TaskSource {
  readonly planNodeId: string;
  readonly splits: readonly { readonly sequenceId: number; readonly split: TaskSplit }[];
}

export interface RootTaskOptions {
  readonly node: WorkerNode;
  readonly task: TaskOptions;
  readonly sources: readonly TaskSource[];
  readonly createTask: (options: TaskOptions) => TaskExecution;
  /** Renders the task document of an in-process task. */
  readonly render: (execution: TaskExecution) => TaskDocument;
  readonly onChange: () => void;
}

export class RootTask implements StageTask {
  readonly taskId: string;
  readonly nodeId: string;
  readonly nodeUri: string;
  readonly #options: RootTaskOptions;
  #execution: TaskExecution | undefined;
  #counted: { readonly stats: TaskStatsSnapshot; readonly counters: TaskCounters } | undefined;
  #failure: FailureInfo | undefined;
  #ended: TaskState | undefined;
  #isStarted = false;
  /** Sources that were run again before the start. */
  readonly #replaced: ReplacedSource[] = [];

  constructor(options: RootTaskOptions) {
    this.#options = options;
    this.taskId = options.task.taskId;
    this.nodeId = options.node.nodeId;
    this.nodeUri = options.node.uri;
  }

  get execution(): TaskExecution | undefined {
    return this.#execution;
  }

  get state(): TaskState {
    return this.#ended ?? this.#execution?.state ?? "PLANNED";
  }

  get failure(): FailureInfo | undefined {
    return this.#failure ?? this.#execution?.failures[0];
  }

  get counters(): TaskCounters | undefined {
    const stats = this.#execution?.stats();
    if (stats !== undefined && stats !== this.#counted?.stats) {
      // The statistics of an ended task do not change.
      this.#counted = { stats, counters: countersOf(stats) };
    }
    return this.#counted?.counters;
  }

  get hasCounters(): boolean {
    return this.#execution !== undefined;
  }

  get document(): TaskDocument | undefined {
    return this.#execution === undefined ? undefined : this.#options.render(this.#execution);
  }

  get waitsForMemory(): boolean {
    return this.#execution?.waitsForMemory === true;
  }

  get warnings(): readonly Warning[] {
    return this.#execution?.warnings ?? [];
  }

  start(): Promise<boolean> {
    return Promise.resolve(this.#start());
  }

  /** Plans the task in advance, so that no planning is left when its sources exist. */
  prepare(): void {
    if (this.#ended !== undefined || this.#execution !== undefined) {
      return;
    }
    try {
      const execution = this.#options.createTask(this.#options.task);
      this.#execution = execution;
      execution.onChange(() => this.#options.onChange());
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Its sources were run again. */
  replaceSources(sources: readonly ReplacedSource[]): void {
    this.#replaced.push(...sources);
    if (this.#isStarted) {
      this.#tellReplaced();
    }
  }

  #tellReplaced(): void {
    for (const source of this.#replaced.splice(0)) {
      this.#execution?.replaceSource(source);
    }
  }

  finishEarly(): void {
    this.#execution?.cancel();
  }

  end(kind: "cancel" | "abort"): Promise<void> {
    const execution = this.#execution;
    if (execution === undefined) {
      this.#ended ??= kind === "cancel" ? "CANCELED" : "ABORTED";
      this.#options.onChange();
    } else if (!isEndedTask(execution.state)) {
      if (kind === "cancel") {
        execution.cancel();
      } else {
        execution.abort();
      }
    }
    return Promise.resolve();
  }

  #start(): boolean {
    this.prepare();
    const execution = this.#execution;
    if (this.#ended !== undefined || execution === undefined) {
      return false;
    }
    try {
      for (const source of this.#options.sources) {
        execution.addSplits(source.planNodeId, source.splits);
        execution.setNoMoreSplits(source.planNodeId);
      }
      this.#isStarted = true;
      this.#tellReplaced();
      this.#options.onChange();
      return true;
    } catch (error) {
      this.#fail(error);
      return false;
    }
  }

  #fail(error: unknown): void {
    this.#failure = toFailure(error);
    this.#execution?.fail(this.#failure);
    this.#ended = "FAILED";
    this.#options.onChange();
  }
}
