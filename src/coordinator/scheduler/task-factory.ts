/**
 * Makes the tasks of a query, each with its splits and sources: the root task in this process, the others on their workers. Nothing is sent
 * before a task's start.
 */
import { knobOf } from "../../ports/knobs.ts";
import type { Split } from "../../connectors/spi.ts";
import type { SplitList } from "../../connectors/shared/splits.ts";
import type { TaskSplit } from "../../execution/task/api.ts";
import type { MemoryContext } from "../../memory/memory.ts";
import { assert } from "../../protocol/errors.ts";
import { tracedNetwork } from "../../protocol/http/trace-parent.ts";
import { taskDocument } from "../../worker/task-document.ts";
import type { CoordinatorContext } from "../context.ts";
import { remoteFiltersOf } from "./dynamic-filters.ts";
import { remoteLocations, type StagePlacement, type TaskPlacement } from "./placement.ts";
import type { Query } from "../query/query.ts";
import { canLoseTasks } from "./reassignment.ts";
import { RemoteTask } from "./remote-task.ts";
import { withoutStatus } from "./reported-document.ts";
import { RootTask } from "./root-task.ts";
import { sessionFacts } from "../query/session.ts";
import {
  filterUpdateBody,
  replacedSourcesBody,
  sourceOf,
  splitBatches,
  splitsUpdateBody,
  type TaskInput,
  taskUpdateBody,
  taskWire,
} from "./task-wire.ts";

export interface TaskFactoryOptions {
  readonly context: CoordinatorContext;
  readonly query: Query;
  readonly placements: readonly StagePlacement[];
  /** Of the query on this node. */
  readonly memory: MemoryContext;
  /** 0 for the first attempt of the query. */
  readonly attempt: number;
  /** Lost tasks are run again one by one. */
  readonly retriesTasks: boolean;
  /** Called when the rows of a write begin to become visible. */
  readonly onCommit: () => void;
  /** Called when the root task has all that the other stages produce for it. */
  readonly onInputReceived: () => void;
}

export interface NewTask {
  readonly task: TaskPlacement;
  /** Among the tasks of the stage. */
  readonly number: number;
  /** Called after every change of state or counters. */
  readonly onChange: () => void;
}

interface PlacedTask {
  readonly stage: StagePlacement;
  readonly task: TaskPlacement;
  readonly inputs: readonly TaskInput[];
  /** Undefined if it is the number in the task id. */
  readonly partition: number | undefined;
  readonly onChange: () => void;
}

export class TaskFactory {
  readonly #options: TaskFactoryOptions;

  constructor(options: TaskFactoryOptions) {
    this.#options = options;
  }

  /** Of stage 0. */
  createRoot(stage: StagePlacement, task: NewTask): RootTask {
    return this.#rootTask(this.#placed(stage, task));
  }

  create(stage: StagePlacement, task: NewTask): RemoteTask {
    return this.#remoteTask(this.#placed(stage, task));
  }

  #placed(stage: StagePlacement, { number, onChange, task }: NewTask): PlacedTask {
    const inputs = inputsOf(this.#options.placements, stage, task, number);
    return { stage, task, inputs, partition: this.#options.attempt === 0 ? undefined : number, onChange };
  }

  #rootTask({ stage, task, inputs, partition, onChange }: PlacedTask): RootTask {
    const { context, memory, onCommit, onInputReceived, placements, query, retriesTasks } = this.#options;
    return new RootTask({
      node: task.node,
      task: {
        taskId: task.taskId,
        fragment: stage.fragment,
        outputBuffers: stage.outputBuffers,
        session: sessionFacts(query.session),
        queryMemory: memory,
        onCommit,
        onInputReceived,
        isRetried: retriesTasks,
        ...(partition === undefined ? {} : { partition }),
        // A stage with several consumers continues when the root needs no more of its rows.
        endsSources: placements.every(({ readings }) => readings.length <= 1),
      },
      sources: inputs.map((input) => sourceOf(input)),
      createTask: context.createTask,
      render: (execution) =>
        withoutStatus(
          taskDocument(execution, {
            nodeId: context.nodeId,
            taskInstanceId: context.nodeId,
            self: `${context.ports.network.selfUri}/v1/task/${execution.taskId}`,
            lastHeartbeatMillis: context.ports.clock.wallMillis(),
          }),
        ),
      onChange,
    });
  }

  #remoteTask({ stage, task, inputs, partition, onChange }: PlacedTask): RemoteTask {
    const { context, placements, query, retriesTasks } = this.#options;
    const retryPolicy = retriesTasks ? "TASK" : undefined;
    const { fragment, outputBuffers } = stage;
    const session = sessionFacts(query.session);
    const batches = splitBatches(inputs, context.config.splitBatchSizeMin, knobOf(context.ports, "split-batch-growth"));
    return new RemoteTask({
      taskId: task.taskId,
      node: task.node,
      coordinatorIncarnation: context.incarnation,
      bufferCount: outputBuffers.bufferCount,
      bodies: {
        create: () => {
          const sources = batches.next().value ?? [];
          return taskUpdateBody({ session, fragment, sources, outputBuffers, partition, retryPolicy }, context.fragmentTexts);
        },
        nextSplits: () => {
          const next = batches.next().value;
          return next === undefined ? undefined : splitsUpdateBody({ session, sources: next, outputBuffers });
        },
        filters: (domains) => filterUpdateBody({ session, outputBuffers }, domains),
        replacedSources: (sources) => replacedSourcesBody({ session, outputBuffers }, sources),
      },
      remoteFilterIds: [...remoteFiltersOf(fragment).keys()],
      wire: taskWire,
      ports: { ...context.ports, network: tracedNetwork(context.ports.network, session.traceParent) },
      cluster: context.cluster,
      config: context.config,
      mayLeaveNode: () => retriesTasks && canLoseTasks(placements, context.cluster.activeWorkers()),
      onChange,
    });
  }
}

/** Sequence ids run across all sources of the task. */
function inputsOf(stages: readonly StagePlacement[], stage: StagePlacement, task: TaskPlacement, number: number): readonly TaskInput[] {
  let sequenceIds = 0;
  const input = (source: Omit<TaskInput, "split">, split: (index: number) => TaskSplit): TaskInput => {
    const first = sequenceIds;
    sequenceIds += source.count;
    return { ...source, split: (index) => ({ sequenceId: first + index, split: split(index) }) };
  };
  const scans = task.splits.map(({ catalog, scanId, splits }) =>
    input({ planNodeId: scanId, count: splits.length, isExchange: false }, (index) => ({
      kind: "connector",
      catalog,
      split: splitAt(splits, index),
    })),
  );
  const remotes = remoteLocations(stage.fragment, stages, number).map(({ planNodeId, sources }) =>
    input({ planNodeId, count: sources.length, isExchange: true }, (index) => ({
      kind: "remote",
      ...(sources[index] as (typeof sources)[number]),
    })),
  );
  return [...scans, ...remotes];
}

function splitAt(splits: SplitList, index: number): Split {
  const split = splits.at(index);
  assert(split !== undefined, "a list of splits has as many as it says");
  return split;
}
