/**
 * From a plan to a running query: begins a write, lists splits, places the tasks, reserves memory, and joins execution, result rows and the query's end together.
 * Called by the dispatcher.
 */
import type { Constraint, Json, Split } from "../../connectors/spi.ts";
import type { SplitList } from "../../connectors/shared/splits.ts";
import type { TaskSplit } from "../../execution/task/api.ts";
import { toFailure } from "../../execution/driver/failure.ts";
import type { MemoryContext } from "../../memory/memory.ts";
import { constraintsOf } from "../../planner/domain/constraints.ts";
import type { PlanFragment } from "../../planner/fragmenter/fragment.ts";
import { isRewrite, type TableScanNode } from "../../planner/plan/node.ts";
import { assert } from "../../protocol/errors.ts";
import type { PlannedWrite } from "../../planner/planned.ts";
import { hashPartitionCount } from "../../planner/session-properties.ts";
import { withWriteHandle } from "../../planner/statements/write/write.ts";
import { taskDocument } from "../../worker/task-document.ts";
import type { CoordinatorContext, WorkerNode } from "../context.ts";
import { filtersToldBy } from "../scheduler/dynamic-filters.ts";
import { resourceWatch } from "../limits/resource-watch.ts";
import { placeStages, remoteLocations, type ScanSplits, type StagePlacement, type TaskPlacement } from "../scheduler/placement.ts";
import { scansOf } from "../../planner/fragmenter/fragment-walk.ts";
import type { PlannedRows } from "./planner.ts";
import type { Query } from "./query.ts";
import { QueryExecution } from "./query-execution.ts";
import { RemoteTask } from "../scheduler/remote-task.ts";
import { ResultBuffer, targetResultBytes } from "../results/result-buffer.ts";
import { chainRulesOf } from "../results/chain-rules.ts";
import { FixedRow } from "../results/rows.ts";
import { RootTask } from "../scheduler/root-task.ts";
import { parametricDatetime, type QuerySession, sessionFacts, shownTypeTexts } from "./session.ts";
import type { StageTask } from "../scheduler/stage-task.ts";
import {
  filterUpdateBody,
  sourceOf,
  splitBatches,
  splitsUpdateBody,
  type TaskInput,
  taskUpdateBody,
  taskWire,
  withoutStatus,
} from "../scheduler/task-wire.ts";

/** The end of a query waits this long for the last numbers of its tasks. */
const settleWaitMs = 500;
const analyzeWaitMs = 10_000;

export class QueryStarter {
  readonly #context: CoordinatorContext;

  constructor(context: CoordinatorContext) {
    this.#context = context;
  }

  /** The query is PLANNING; afterwards it is RUNNING or has ended. Throws QueryError for what stops it before it runs. */
  async start(query: Query, planned: PlannedRows): Promise<void> {
    const write = planned.write === undefined ? undefined : await this.#beginWrite(query, planned.write);
    const fragments = write === undefined ? planned.fragments : withWriteHandle({ fragments: planned.fragments }, write.handle).fragments;
    const splits = await this.#listSplits(fragments, query);
    if (query.done) {
      return;
    }
    const stages = placeStages({
      queryId: query.id,
      fragments,
      splits,
      workers: this.#context.cluster.activeWorkers(),
      coordinator: this.#self(),
      hashPartitionCount: Math.min(this.#context.config.hashPartitionCount, hashPartitionCount(query.session.properties)),
      offset: query.number,
    });
    query.to("STARTING");
    query.columns = planned.columns;
    query.updateType = planned.updateType;
    this.#run(query, stages, planned.analyze);
  }

  #self(): WorkerNode {
    return { nodeId: this.#context.nodeId, uri: this.#context.ports.network.selfUri, incarnation: this.#context.incarnation };
  }

  async #beginWrite(query: Query, write: PlannedWrite): Promise<{ readonly handle: Json }> {
    const { table, target } = write;
    const { metadata } = this.#context.connector(target.catalog);
    const begun =
      table === undefined
        ? metadata.beginCreate?.(target.name, target.columns, write.options)
        : isRewrite(target.kind)
          ? metadata.beginRewrite?.(table)
          : metadata.beginInsert?.(table, { ifUnchanged: write.ifUnchanged === true });
    assert(begun !== undefined, "the planner let only writable catalogs through");
    const handle = await begun;
    query.onEnd(() => {
      if (query.state === "FAILED") {
        metadata.abortWrite?.(handle).catch((error: unknown) => {
          this.#context.ports.log.warn("write-not-aborted", { queryId: query.id, message: toFailure(error).message });
        });
      }
    });
    return { handle };
  }

  /** All scans ask in one turn, so that a connector which answers at once shows all of them the same commit. */
  async #listSplits(fragments: readonly PlanFragment[], { session }: Query): Promise<ReadonlyMap<number, readonly ScanSplits[]>> {
    return new Map(
      await Promise.all(
        fragments.map(async (fragment) => {
          const constraints = constraintsOf(fragment.root);
          const scans = scansOf(fragment).map(async (scan) => ({
            scanId: scan.id,
            catalog: scan.table.catalog,
            splits: await this.#splitsOf(scan, constraints.get(scan.id), session),
          }));
          return [fragment.id, await Promise.all(scans)] as const;
        }),
      ),
    );
  }

  #splitsOf(scan: TableScanNode, constraint: Constraint | undefined, session: QuerySession): Promise<SplitList> {
    const { catalog, ...table } = scan.table;
    const typeTexts = shownTypeTexts(session);
    const told = typeTexts === undefined ? undefined : { typeTexts };
    return this.#context.connector(catalog).getSplits({ ...table, columns: scan.columns }, scan.columns, constraint, told);
  }

  #run(query: Query, stages: readonly StagePlacement[], analyze: PlannedRows["analyze"]): void {
    const context = this.#context;
    const memory = context.memories.enter(query.id);
    const resultMemory = memory.child("result rows");
    const leave = (): void => {
      resultMemory.close();
      context.memories.leave(query.id);
    };
    const root = stages[0]?.fragment;
    assert(root !== undefined, "a plan has a root fragment");
    const results = new ResultBuffer({
      types: root.outputTypes,
      memory: resultMemory,
      cells: { parametricDatetime: parametricDatetime(query.session) },
      holdsLastPage: !chainRulesOf(query.session.family).endsEmpty,
      onChange: () => {
        if (analyze !== undefined) {
          while (results.takeRows(targetResultBytes) !== undefined) {}
        }
        query.changed.fire();
        finishWhenDrained();
      },
      onFailure: (error) => query.fail(toFailure(error, "result rows")),
    });
    const watch = resourceWatch(query.limits, (failure) => query.fail(failure));
    let rootEnded = false;
    const finishWhenDrained = (): void => {
      if (rootEnded && results.complete && query.state === "RUNNING") {
        void this.#finish({ query, execution, results, leave, analyze });
      }
    };
    const execution = new QueryExecution({
      queryId: query.id,
      stages,
      ports: context.ports,
      hook: context.onTransition,
      isGone: (uri) => context.cluster.isGone(uri),
      makeTask: (stage, task, number, onChange) => this.#makeTask({ query, stages, stage, task, number, onChange, memory }),
      onRootStarted: (task) => void results.read(task),
      onFinished: () => {
        rootEnded = true;
        finishWhenDrained();
      },
      onFailed: (failure) => query.fail(failure),
      onTaskChanged: (task) => watch?.taskChanged(task),
      onChange: () => {},
    });
    query.execution = execution;
    query.results = analyze === undefined ? results : undefined;
    query.onEnd(() => {
      if (query.state === "FAILED") {
        execution.abort();
        results.close();
        // Whoever told of the failure may still be on its way out of a task's memory.
        void Promise.resolve().then(leave);
      }
    });
    execution.start();
    query.to("RUNNING");
  }

  /** All rows are here: gathers the last numbers, gives everything back, and lets the client know. */
  async #finish(run: {
    readonly query: Query;
    readonly execution: QueryExecution;
    readonly results: ResultBuffer;
    /** Gives the query's memory back. */
    readonly leave: () => void;
    readonly analyze: PlannedRows["analyze"];
  }): Promise<void> {
    const { analyze, execution, leave, query, results } = run;
    try {
      query.to("FINISHING");
      await execution.settle(this.#settleWaitMs(analyze));
      if (!query.done) {
        results.detach();
        leave();
        if (analyze !== undefined) {
          const text = analyze((id) => execution.stage(id)?.tasks.flatMap((task) => task.document ?? []) ?? []);
          query.results = new FixedRow([text]);
        }
        query.to("FINISHED");
      }
    } catch (error) {
      query.fail(toFailure(error));
    }
  }

  /** Who asked for the numbers waits for them longer. */
  #settleWaitMs(analyze: PlannedRows["analyze"]): number {
    if (analyze !== undefined) {
      return analyzeWaitMs;
    }
    return this.#context.ports.points.fires("query-ends-without-last-numbers") ? 0 : settleWaitMs;
  }

  #makeTask(facts: {
    readonly query: Query;
    readonly stages: readonly StagePlacement[];
    readonly stage: StagePlacement;
    readonly task: TaskPlacement;
    readonly number: number;
    readonly onChange: () => void;
    readonly memory: MemoryContext;
  }): StageTask {
    const { query, stages, stage, task, number, onChange } = facts;
    const context = this.#context;
    const session = sessionFacts(query.session);
    const inputs = inputsOf(stages, stage, task, number);
    if (stage.fragment.id === 0) {
      return new RootTask({
        node: task.node,
        task: {
          taskId: task.taskId,
          fragment: stage.fragment,
          outputBuffers: stage.outputBuffers,
          session,
          queryMemory: facts.memory,
          // A stage that others read too goes on when the root wants no more of it.
          endsSources: stages.every(({ readings }) => readings.length <= 1),
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
    const { fragment, outputBuffers } = stage;
    const batches = splitBatches(inputs, context.config.splitBatchSizeMin);
    return new RemoteTask({
      taskId: task.taskId,
      node: task.node,
      coordinatorIncarnation: context.incarnation,
      bufferCount: outputBuffers.bufferCount,
      bodies: {
        create: () => taskUpdateBody({ session, fragment, sources: batches.next().value ?? [], outputBuffers }),
        nextSplits: () => {
          const next = batches.next().value;
          return next === undefined ? undefined : splitsUpdateBody({ session, sources: next, outputBuffers });
        },
        filters: (domains) => filterUpdateBody({ session, outputBuffers }, domains),
      },
      tellsFilters: filtersToldBy(fragment).size > 0,
      wire: taskWire,
      ports: context.ports,
      cluster: context.cluster,
      config: context.config,
      onChange,
    });
  }
}

/** Sequence ids count over all sources of the task. */
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
