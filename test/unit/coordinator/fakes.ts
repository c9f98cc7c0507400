/**
 * Fakes for the coordinator's tests: a network that responds from a script, and tasks with scripted output.
 */
import type { Connector } from "../../../src/connectors/spi.ts";
import { noPoints } from "../../../src/ports/points.ts";
import type { MemoryContext } from "../../../src/memory/memory.ts";
import { createNodeMemory } from "../../../src/memory/allocator.ts";
import { PageBuilder } from "../../../src/page/builder.ts";
import type { Frame } from "../../../src/page/frame.ts";
import { encodePage } from "../../../src/page/serde.ts";
import {
  type HttpRequest,
  type HttpResponse,
  type Network,
  NetworkError,
  noBody,
  type RequestContext,
  type RequestOptions,
} from "../../../src/ports/network.ts";
import type { Ports } from "../../../src/ports/ports.ts";
import type { Storage } from "../../../src/ports/storage.ts";
import type {
  BufferResult,
  FailureInfo,
  TaskExecution,
  TaskOptions,
  TaskState,
  TaskStatsSnapshot,
} from "../../../src/execution/task/api.ts";
import type { PlanFragment } from "../../../src/planner/fragmenter/fragment.ts";
import { FragmentTexts } from "../../../src/planner/fragmenter/fragment-texts.ts";
import type { ClusterView, CoordinatorConfig, CoordinatorContext, WorkerNode } from "../../../src/coordinator/context.ts";
import { defaultCoordinatorConfig } from "../../support/coordinator-config.ts";
import { QueryMemories } from "../../../src/worker/query-memories.ts";
import { createCoordinator, type Coordinator } from "../../../src/coordinator/coordinator.ts";
import type { Planner } from "../../../src/coordinator/query/planner.ts";
import { Transactions } from "../../../src/coordinator/query/transactions.ts";
import type { PlannedStatement } from "../../../src/planner/planned.ts";
import { createRouter } from "../../../src/protocol/http/http.ts";
import { type JsonValue, parseJson } from "../../../src/protocol/json.ts";
import type { Warning } from "../../../src/protocol/documents/warnings.ts";
import { type Type, VARCHAR } from "../../../src/types/type.ts";
import { ManualClock } from "../../support/manual-clock.ts";
import { zeroTaskCounters } from "../../support/counters.ts";

export type Answer = (request: HttpRequest, options: RequestOptions) => Promise<HttpResponse> | HttpResponse;

export class FakeNetwork implements Network {
  readonly selfUri = "http://coordinator:1";
  readonly requests: HttpRequest[] = [];
  answer: Answer = () => {
    throw new NetworkError("CONNECTION_REFUSED", "nobody there");
  };

  async request(request: HttpRequest, options: RequestOptions): Promise<HttpResponse> {
    this.requests.push(request);
    return this.answer(request, options);
  }

  serve(): Promise<void> {
    return Promise.resolve();
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

export class FakeCluster implements ClusterView {
  workers: WorkerNode[] = [];
  gone = new Set<string>();
  unresponsive = new Set<string>();
  #callbacks = new Set<() => void>();

  activeWorkers(): readonly WorkerNode[] {
    return this.workers;
  }

  get activeCount(): number {
    return this.workers.length;
  }

  knownNodes(): [] {
    return [];
  }

  isGone(uri: string): boolean {
    return this.gone.has(uri);
  }

  isUnresponsive(uri: string): boolean {
    return this.unresponsive.has(uri);
  }

  requestFailed(): void {}

  onChange(callback: () => void): () => void {
    this.#callbacks.add(callback);
    return () => this.#callbacks.delete(callback);
  }

  get listenerCount(): number {
    return this.#callbacks.size;
  }

  changed(): void {
    for (const callback of Array.from(this.#callbacks)) {
      callback();
    }
  }
}

const zeroStats: TaskStatsSnapshot = {
  ...zeroTaskCounters,
  createMillis: 0,
  elapsedNanos: 0,
  queuedNanos: 0,
  totalDrivers: 1,
  completedDrivers: 1,
  pipelines: [],
};

/** A task that outputs the frames that the test pushes. */
export class FakeTask implements TaskExecution {
  readonly taskId: string;
  state: TaskState = "RUNNING";
  version = 1;
  waitsForMemory = false;
  readonly failures: FailureInfo[] = [];
  readonly noMoreSplits: string[] = [];
  warnings: readonly Warning[] = [];
  /** What the task reports, beyond zeros. */
  counters: Partial<TaskStatsSnapshot> = {};
  readonly outputBuffer = { state: "OPEN" as const, pagesAdded: 0, bufferedBytes: 0, buffers: [] };
  #frames: Frame[] = [];
  #complete = false;
  #wake: () => void = () => {};
  readonly #callbacks = new Set<() => void>();

  constructor(readonly options: TaskOptions) {
    this.taskId = options.taskId;
  }

  push(frame: Frame): void {
    this.#frames.push(frame);
    this.#wake();
  }

  finishOutput(): void {
    this.#complete = true;
    this.#wake();
  }

  readonly dynamicFilters = undefined;

  addSplits(): void {}

  setDynamicFilters(): void {}

  replaceSource(): void {}

  setNoMoreSplits(planNodeId: string): void {
    this.noMoreSplits.push(planNodeId);
  }

  onChange(callback: () => void): () => void {
    this.#callbacks.add(callback);
    return () => this.#callbacks.delete(callback);
  }

  driverTimes(): [] {
    return [];
  }

  stats(): TaskStatsSnapshot {
    return { ...zeroStats, ...this.counters };
  }

  async readBuffer(request: { readonly token: number }): Promise<BufferResult> {
    if (this.#frames.length === 0 && !this.#complete) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    const frames = this.#frames;
    this.#frames = [];
    return {
      token: request.token,
      nextToken: request.token + frames.length,
      complete: frames.length === 0 && this.#complete,
      frames,
    };
  }

  acknowledgeBuffer(): void {}

  destroyBuffer(): boolean {
    this.#end("FINISHED");
    return true;
  }

  cancel(): void {
    this.#complete = true;
    this.#wake();
    this.#end("CANCELED");
  }

  abort(): void {
    this.#end("ABORTED");
  }

  fail(failure: FailureInfo): void {
    this.failures.push(failure);
    this.#end("FAILED");
  }

  #end(state: TaskState): void {
    if (this.state === "RUNNING") {
      this.state = state;
      this.version += 1;
      for (const callback of this.#callbacks) {
        callback();
      }
    }
  }
}

const noStorage = {} as Storage;

export function fakePorts(clock: ManualClock, network: Network): Ports {
  return {
    clock,
    network,
    random: {
      stream: () => ({ nextInt: () => 0, nextText: (length: number, alphabet: string) => alphabet.charAt(0).repeat(length) }),
    },
    storage: noStorage,
    openFolder: () => noStorage,
    log: { info: () => {}, warn: () => {}, error: () => {} },
    points: noPoints,
  };
}

/** Only stage 0, with one varchar column. */
export function rootFragment(types: readonly Type[] = [VARCHAR]): PlanFragment {
  const outputs = types.map((type, index) => ({ kind: "variable" as const, name: `c${index}`, type }));
  return {
    id: 0,
    root: { kind: "Values", id: "0", outputs, rows: [] },
    partitioning: "COORDINATOR",
    scanIds: [],
    outputTypes: types,
    outputPartitioning: { kind: "SINGLE" },
  };
}

function frameOf(memory: MemoryContext, texts: readonly string[]): Frame {
  const builder = new PageBuilder([VARCHAR], memory);
  for (const text of texts) {
    builder.appendString(0, text);
  }
  const frame = encodePage(memory.linear, builder.build());
  builder.close();
  return frame;
}

export interface Reply {
  readonly status: number;
  readonly headers: HttpResponse["headers"];
  readonly body: Uint8Array;
  readonly text: string;
  readonly json: Readonly<Record<string, JsonValue>>;
}

/** A coordinator without real workers; the test sets the plans. */
export class FakeCoordinator {
  readonly clock = new ManualClock();
  readonly network = new FakeNetwork();
  readonly cluster = new FakeCluster();
  readonly memory = createNodeMemory({ sizeBytes: 64 * 1024 * 1024 });
  readonly queryMemory = this.memory.root.child("queries");
  readonly tasks: FakeTask[] = [];
  readonly transitions: string[] = [];
  readonly coordinator: Coordinator;
  hasBeenReady = false;
  /** Statements of more than 65,536 characters wait for it. */
  parsing: Promise<void> = Promise.resolve();
  plan: (sql: string) => Promise<PlannedStatement> = () =>
    Promise.resolve({ kind: "query", plan: { fragments: [rootFragment()] }, columns: [{ name: "c", type: VARCHAR }] });
  readonly #handle: (request: HttpRequest, context: RequestContext) => Promise<HttpResponse>;

  constructor(config: Partial<CoordinatorConfig> = {}, more: Pick<CoordinatorContext, "resourceGroups"> = {}) {
    this.cluster.workers = [{ nodeId: "worker-1", uri: "http://worker-1:1", incarnation: "life-1" }];
    const ports = fakePorts(this.clock, this.network);
    const context: CoordinatorContext = {
      ports,
      transactions: new Transactions(ports, config.transactionIdleMsMax ?? defaultCoordinatorConfig.transactionIdleMsMax),
      config: { ...defaultCoordinatorConfig, taskFollowDelayMs: 0, ...config },
      fragmentTexts: new FragmentTexts(),
      nodeId: "coordinator",
      incarnation: "life-c",
      nodeVersion: "test",
      environment: "test",
      catalogs: () => [],
      securities: () => new Map(),
      catalogStore: undefined,
      // Every table has two splits.
      connector: () => ({ getSplits: () => Promise.resolve([{ payload: 0 }, { payload: 1 }]) }) as unknown as Connector,
      cluster: this.cluster,
      hasBeenReady: () => this.hasBeenReady,
      memories: new QueryMemories({ ports, parent: this.queryMemory, bytesMax: 512 * 1024 * 1024, onEmpty: () => {} }),
      createTask: (options) => {
        const task = new FakeTask(options);
        this.tasks.push(task);
        return task;
      },
      spooling: undefined,
      access: () => undefined,
      groupsOf: () => [],
      ...more,
      onTransition: (kind, id, from, to) => this.transitions.push(`${kind} ${id}: ${from} -> ${to}`),
    };
    const prepare: Planner["prepare"] = (sql) => ({ plan: () => this.plan(sql) });
    const planner: Planner = {
      prepare,
      prepareInTurns: async (sql, turn) => {
        await turn();
        await this.parsing;
        return prepare(sql);
      },
    };
    this.coordinator = createCoordinator(context, planner);
    const router = createRouter(this.coordinator.routes, {
      onUnexpected: (error) => {
        throw error;
      },
    });
    this.#handle = router.handle;
  }

  async ask(method: HttpRequest["method"], url: string, body = "", headers: HttpRequest["headers"] = {}): Promise<Reply> {
    const context: RequestContext = {
      remoteAddress: "client",
      baseUri: "http://here:8080",
      isAborted: () => false,
      onAbort: () => {},
    };
    const request = {
      method,
      url: url.replace("http://here:8080", ""),
      headers,
      body: body === "" ? noBody : new TextEncoder().encode(body),
    };
    const response = await this.#handle(request, context);
    const text = new TextDecoder().decode(response.body);
    const json = text.startsWith("{") ? (parseJson(text) as Record<string, JsonValue>) : {};
    return { ...response, text, json };
  }

  async submit(sql = "SELECT 1", headers: HttpRequest["headers"] = {}): Promise<Reply> {
    return this.ask("POST", "/v1/statement", sql, headers);
  }

  frame(texts: readonly string[]): Frame {
    return frameOf(this.memory.root, texts);
  }

  get root(): FakeTask {
    const task = this.tasks.at(-1);
    if (task === undefined) {
      throw new Error("no task was created");
    }
    return task;
  }
}

export function nextUri(reply: Reply): string {
  const uri = reply.json["nextUri"];
  if (typeof uri !== "string") {
    throw new Error(`no nextUri in ${reply.text}`);
  }
  return uri;
}

export function stateOf(reply: Reply): string {
  return (reply.json["stats"] as { state: string }).state;
}
