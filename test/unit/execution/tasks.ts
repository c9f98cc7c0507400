/**
 * Tasks that read each other over an in-memory network with one clock; a task resource without HTTP.
 */
import type { ColumnMetadata, Connector, ConnectorContext, Constraint, PageSource } from "../../../src/connectors/spi.ts";
import type { ExecutionLimits, ExecutionServices, TaskExecution } from "../../../src/execution/task/api.ts";
import { exchangeWait } from "../../../src/execution/exchange/exchange-source.ts";
import { createTaskExecutor, type TaskExecutor } from "../../../src/execution/driver/executor.ts";
import { MemoryRevoker } from "../../../src/execution/spill/memory-revoker.ts";
import { createTask } from "../../../src/execution/task/task.ts";
import { type KernelBackend, KernelRuntime } from "../../../src/codegen/runtime.ts";
import { createNodeMemory, type NodeMemory } from "../../../src/memory/allocator.ts";
import type { MemoryContext } from "../../../src/memory/memory.ts";
import type { Frame } from "../../../src/page/frame.ts";
import type { Page } from "../../../src/page/page.ts";
import { decodePage, sealed } from "../../../src/page/serde.ts";
import { joinFrames } from "../../support/frames.ts";
import type { HttpRequest, HttpResponse } from "../../../src/ports/network.ts";
import { knobsOf, type KnobValues } from "../../../src/ports/knobs.ts";
import { type FaultPoints, noPoints } from "../../../src/ports/points.ts";
import type { PlanFragment } from "../../../src/planner/fragmenter/fragment.ts";
import { pagesMediaType } from "../../../src/protocol/documents/task.ts";
import type { Type } from "../../../src/types/type.ts";
import { MemoryStorage } from "../../../src/testing/memory-storage.ts";
import { session } from "./kernels.ts";
import { testingConnectorFactory } from "./operators/table-function/testing-functions.ts";
import { type Cell, makePage, readRows, type Row, type Shape } from "./rows.ts";
import { respond, ScriptedNetwork, settle, TestClock, testPorts } from "./world.ts";

export interface TestPage {
  readonly rows: readonly Row[];
  readonly shape: Shape;
  /** Makes the page instead of `makePage`. */
  readonly make?: (memory: MemoryContext, columns: readonly ColumnMetadata[]) => Page;
}

/** A split of the test connector: its pages. */
export interface TestSplit {
  readonly pages: readonly TestPage[];
}

const tableFunctions = testingConnectorFactory.create({}, {} as ConnectorContext) as Connector;

export class TestCluster {
  readonly clock = new TestClock();
  readonly storage = new MemoryStorage();
  readonly memory: NodeMemory;
  readonly services: ExecutionServices;
  readonly executor: TaskExecutor;
  readonly network: ScriptedNetwork;
  readonly tasks = new Map<string, TaskExecution>();
  readonly splits: TestSplit[] = [];
  /** Constraint of every page source that was opened. */
  readonly constraints: (Constraint | undefined)[] = [];
  /** How sinks read rows. */
  readWritten: (memory: MemoryContext, page: Page) => readonly string[] = () => [];
  #sequence = 0;

  constructor(backend: KernelBackend, limits: Partial<ExecutionLimits> = {}, knobs: KnobValues = {}, points: FaultPoints = noPoints) {
    this.memory = createNodeMemory({ sizeBytes: 65536 * 256, knobs: knobsOf(knobs) });
    this.network = new ScriptedNetwork((request) => this.#answer(request));
    this.services = {
      ports: { ...testPorts(this.clock, this.network, this.storage), knobs: knobsOf(knobs), points },
      revoker: new MemoryRevoker(),
      runtime: new KernelRuntime({ linear: this.memory.linear, backend }),
      connector: (catalog) => (catalog === "testing" ? tableFunctions : this.#connector()),
      limits: {
        outputBufferBytesMax: 1 << 20,
        exchangeBufferBytesMax: 1 << 20,
        exchangeResponseBytesMax: 1 << 18,
        exchangeErrorDurationMs: 1000,
        sliceNanosMax: 1e9,
        sliceWorkUnitsMax: 100,
        ...limits,
      },
    };
    this.executor = createTaskExecutor(this.clock, points);
  }

  create(
    taskId: string,
    fragment: PlanFragment,
    bufferCount = 1,
    kind: "PARTITIONED" | "BROADCAST" = "PARTITIONED",
    memoryBytes?: number,
  ): TaskExecution {
    const task = createTask(this.services, this.executor, {
      taskId,
      fragment,
      outputBuffers: { kind, bufferCount },
      session,
      queryMemory: this.memory.root.child("query", memoryBytes),
    });
    this.tasks.set(taskId, task);
    return task;
  }

  location(taskId: string, bufferId: number): string {
    return `http://node:80/v1/task/${taskId}/results/${bufferId}`;
  }

  scan(task: TaskExecution, planNodeId: string, splits: readonly TestSplit[]): void {
    for (const split of splits) {
      task.addSplits(planNodeId, [
        { sequenceId: this.#sequence++, split: { kind: "connector", catalog: "test", split: { payload: this.splits.push(split) - 1 } } },
      ]);
    }
    task.setNoMoreSplits(planNodeId);
  }

  read(
    task: TaskExecution,
    planNodeId: string,
    sources: readonly { readonly taskId: string; readonly bufferId: number; readonly fragmentId: number }[],
  ): void {
    task.addSplits(
      planNodeId,
      sources.map(({ taskId, bufferId, fragmentId }) => ({
        sequenceId: this.#sequence++,
        split: { kind: "remote" as const, location: this.location(taskId, bufferId), fragmentId },
      })),
    );
    task.setNoMoreSplits(planNodeId);
  }

  /** Reads a buffer to its end, as a coordinator does. */
  async rows(task: TaskExecution, types: readonly Type[], bufferId = 0): Promise<Cell[][]> {
    return this.rowsBy(task, types, bufferId, readRows);
  }

  /** As `rows`; `readPage` says how values are read. */
  async rowsBy(
    task: TaskExecution,
    types: readonly Type[],
    bufferId: number,
    readPage: (memory: MemoryContext, page: Page) => Cell[][],
  ): Promise<Cell[][]> {
    const rows: Cell[][] = [];
    const context = this.memory.root.child("reader");
    try {
      await this.frames(task, bufferId, (frame) =>
        rows.push(...readPage(context, decodePage(this.memory.linear, frame, types, context).page)),
      );
    } finally {
      context.close();
    }
    return rows;
  }

  /** Reads a buffer to its end. */
  async frames(task: TaskExecution, bufferId: number, onFrame: (frame: Frame) => void): Promise<void> {
    const read = async (): Promise<void> => {
      for (let token = 0; ; ) {
        const result = await task.readBuffer({ bufferId, token, bytesMax: 1 << 16, waitMs: 100 });
        result.frames.forEach(onFrame);
        token = result.nextToken;
        if (result.complete) {
          task.destroyBuffer(bufferId);
          return;
        }
        if (task.failures.length > 0) {
          throw new Error(task.failures[0]?.message);
        }
      }
    };
    await settle(this.clock, read());
  }

  async #answer(request: HttpRequest): Promise<HttpResponse> {
    const [, , , , , taskId, , bufferId, token] = request.url.split("/");
    const task = this.tasks.get(taskId as string);
    if (task === undefined) {
      return respond(404);
    }
    if (request.method === "DELETE") {
      task.destroyBuffer(Number(bufferId));
      return respond(204);
    }
    const bytesMax = Number.parseInt(request.headers["x-engine-max-size"] as string, 10);
    const result = await task.readBuffer({ bufferId: Number(bufferId), token: Number(token), bytesMax, waitMs: exchangeWait.ms });
    const headers = {
      "x-engine-task-instance-id": taskId as string,
      "x-engine-page-sequence-id": String(result.token),
      "x-engine-page-end-sequence-id": String(result.nextToken),
      "x-engine-buffer-complete": String(result.complete),
      "content-type": pagesMediaType,
    };
    return result.frames.length === 0 ? respond(204, headers) : respond(200, headers, joinFrames(result.frames.map(sealed)));
  }

  /** Reads the test's splits. Its sinks keep the rows as text in their fragments. */
  #connector(): Connector {
    const unknown = (): never => {
      throw new Error("the tests of execution ask no metadata");
    };
    return {
      metadata: { listSchemas: unknown, listTables: unknown, getTable: unknown },
      getSplits: unknown,
      createPageSink: ({ columns, memory }) => {
        const rows: string[] = [];
        let isBusy = false;
        return {
          append: (page) => {
            rows.push(...this.readWritten(memory, { ...page, columns: page.columns.slice(0, columns.length) }));
            isBusy = rows.length % 3 === 1;
          },
          // Once after a page.
          blocked: () => {
            const busy = isBusy ? Promise.resolve() : undefined;
            isBusy = false;
            return busy;
          },
          finish: async () => rows,
          abort: () => undefined,
        };
      },
      createPageSource: ({ split, columns, memory, constraint }): PageSource => {
        this.constraints.push(constraint);
        const { pages } = this.splits[split as number] as TestSplit;
        let next = 0;
        return {
          get finished() {
            return next >= pages.length;
          },
          completedBytes: 0,
          nextPage: () => {
            const page = pages[next++];
            if (page?.make !== undefined) {
              return page.make(memory, columns);
            }
            return page === undefined
              ? undefined
              : makePage(
                  memory,
                  columns.map(({ type }) => type),
                  page.rows,
                  page.shape,
                );
          },
          blocked: () => undefined,
          close: () => undefined,
        };
      },
    };
  }
}
