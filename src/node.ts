/**
 * Builds a node from a configuration and ports: memory, kernels, catalogs, tasks, and on a coordinator the cluster monitor and the queries.
 * Production and the simulator use the same function. All input and output goes through the ports.
 */
import type { NodeConfig } from "./config.ts";
import { type Accounts, accountsOf, type Holdings, type Leftovers, leftoversOf } from "./node-accounts.ts";
import { managedBeans } from "./managed-beans.ts";
import { type NodeMeasures, nodeMeasures } from "./measures.ts";
import type { CallAnswer, ConnectorFactory, Json } from "./connectors/spi.ts";
import type { QueryEventHook, TraceHook, TransitionHook } from "./coordinator/context.ts";
import type { Coordinator } from "./coordinator/coordinator.ts";
import type { Planner } from "./coordinator/query/planner.ts";
import type { Spooling } from "./coordinator/results/spooling/spooled-rows.ts";
import type { SqlPlannerOptions } from "./coordinator/query/sql-planner.ts";
import { FragmentTexts } from "./planner/fragmenter/fragment-texts.ts";
import * as parts from "./coordinator/parts.ts";
import type { ExecutionServices, TaskExecution, TaskOptions, TaskState } from "./execution/task/api.ts";
import { createTaskExecutor, type TaskExecutor } from "./execution/driver/executor.ts";
import { removeFormerSpills, spillStorage } from "./execution/spill/spill-folder.ts";
import { createTask } from "./execution/task/task.ts";
import { FramePool } from "./page/frame-pool.ts";
import type { InterpretedWork } from "./codegen/interpreter.ts";
import { type KernelInstances, type KernelModuleCache, KernelRuntime } from "./codegen/runtime.ts";
import { ClusterMonitor } from "./monitor/cluster-monitor.ts";
import { emptyNodeRoutes, nodeRoutes } from "./monitor/node-resource.ts";
import { createNodeMemory, linearMemorySize, type NodeMemory } from "./memory/allocator.ts";
import type { MemoryContext, WasmMemory } from "./memory/memory.ts";
import type { MonotonicNanos } from "./ports/clock.ts";
import { sleep, within } from "./ports/clock.ts";
import type { HttpRequest, HttpResponse, RequestContext, RequestHandler } from "./ports/network.ts";
import type { Ports } from "./ports/ports.ts";
import { hexDigits } from "./ports/random.ts";
import { folderOf } from "./ports/storage.ts";
import { stackOf } from "./protocol/errors.ts";
import { CurrentAccess } from "./security/access-configuration.ts";
import { type AnswerHook, createRouter, type Route, type Router, textResponse } from "./protocol/http/http.ts";
import { tracedNetwork } from "./protocol/http/trace-parent.ts";
import { type Announcement, type NodeState, nodeStateHeader } from "./protocol/documents/info.ts";
import { announcementOf } from "./worker/announcement.ts";
import { Announcer } from "./worker/announcer.ts";
import { Catalogs } from "./worker/catalogs.ts";
import { assignedCatalogRoutes, catalogListRoute } from "./worker/catalog-resource.ts";
import { DynamicCatalogs } from "./worker/dynamic-catalogs.ts";
import { callByDirectory, callCatalog, catalogCallRoutes } from "./worker/catalog-calls.ts";
import { infoRoutes } from "./worker/info-resource.ts";
import { IdleMemory } from "./worker/idle-memory.ts";
import { QueryMemories } from "./worker/query-memories.ts";
import { catalogNodes, ServiceDirectory } from "./worker/service-directory.ts";
import { TaskRegistry } from "./worker/task-registry.ts";
import { TaskTotals } from "./worker/task-totals.ts";
import { taskRoutes } from "./worker/task-resource.ts";

export interface NodeOptions {
  /** Connector factories; the node adds `system` itself. */
  readonly factories: readonly ConnectorFactory[];
  /** Replaces the SQL planner, for tests. */
  readonly planner?: (options: SqlPlannerOptions) => Planner;
  /** A WebAssembly memory of exactly `memoryBytes` to reuse, zeroed by the caller. */
  readonly wasmMemory?: WasmMemory;
  /** Cache of compiled kernels, shared with other nodes of the process. */
  readonly modules?: KernelModuleCache;
  /** Instances of kernels over `wasmMemory`, kept from nodes that used it before. */
  readonly instances?: KernelInstances;
  /** Absent if the platform has no zstd; used for clients that ask for `json+zstd`. */
  readonly compressZstd?: (bytes: Uint8Array) => Uint8Array;
  /** Receives all state transitions, for checkers. */
  readonly onTransition?: TransitionHook;
  /** Observes the creation and the completion of queries, on a coordinator. */
  readonly onQueryEvent?: QueryEventHook;
  /** Begins the trace of a query, on a coordinator. */
  readonly traceQuery?: TraceHook;
  /** Observes the answers to requests, with the patterns of their routes. */
  readonly onAnswered?: AnswerHook;
}

/**
 * Longest time that a finished node keeps answering before it closes, in milliseconds, so that clients and coordinators learn the outcome.
 */
const lingerMsMax = 1000;
/** Time after a worker announced its shutdown, in milliseconds, in which tasks of queries that are being scheduled still arrive. */
const settleMs = 500;
const queryPollMs = 50;

/** Resolves when the node serves requests; `isReady` says whether it can answer queries. */
export async function createNode(config: NodeConfig, ports: Ports, options: NodeOptions): Promise<OrreryNode> {
  const node = new OrreryNode(config, ports, options);
  try {
    await node.start();
  } catch (error) {
    await node.close();
    throw error;
  }
  return node;
}

export class OrreryNode {
  readonly config: NodeConfig;
  /** Rights of users. */
  readonly access: CurrentAccess;
  /** Incarnation of this node. */
  readonly incarnation: string;
  /** Undefined on a worker. */
  readonly cluster: ClusterMonitor | undefined;
  /** Handles a request as if it came over the network. */
  readonly handle: RequestHandler;
  /** Routes of `handle`. */
  readonly routes: readonly Route[];
  readonly interpretedWork: Readonly<InterpretedWork>;
  /** Resolves after the node has closed, for whatever reason (including PUT /v1/info/state). */
  readonly closed: Promise<void>;
  readonly #ports: Ports;
  readonly #startedNanos: MonotonicNanos;
  readonly #memory: NodeMemory;
  readonly #queryMemory: MemoryContext;
  readonly #memories: QueryMemories;
  readonly #idleMemory: IdleMemory;
  readonly #frames: FramePool;
  /** Memory that other processes of the machine take from the node. */
  #pressure: MemoryContext | undefined;
  readonly #executor: TaskExecutor;
  readonly #catalogs: Catalogs;
  readonly #dynamicCatalogs: DynamicCatalogs;
  /** Undefined on a worker, and with catalog.management=static. */
  readonly #clusterCatalogs: parts.ClusterCatalogs | undefined;
  readonly #registry: TaskRegistry;
  readonly #totals = new TaskTotals();
  readonly #kept: parts.KeptOnDisk;
  readonly #coordinator: Coordinator | undefined;
  readonly #router: Router;
  readonly #directory = new ServiceDirectory();
  readonly #readyCallbacks: (() => void)[] = [];
  #announcer: Announcer | undefined;
  #state: NodeState = "ACTIVE";
  #ready = false;
  #serving = false;
  #shutdown: Promise<void> | undefined;
  #closing: Promise<void> | undefined;
  #resolveClosed: () => void = () => undefined;

  constructor(config: NodeConfig, ports: Ports, options: NodeOptions) {
    this.config = config;
    this.#ports = ports;
    this.access = new CurrentAccess(config.access, config.userGroups);
    this.#startedNanos = ports.clock.monotonicNanos();
    this.incarnation = ports.random.stream("node-life").nextText(16, hexDigits);
    this.closed = new Promise((resolve) => {
      this.#resolveClosed = resolve;
    });
    const reused = options.wasmMemory === undefined ? {} : { wasm: options.wasmMemory };
    this.#memory = createNodeMemory({ sizeBytes: linearMemorySize(config.memoryBytes), knobs: ports.knobs, ...reused });
    this.#queryMemory = this.#memory.root.child("queries");
    this.#memories = new QueryMemories({
      ports,
      parent: this.#queryMemory,
      bytesMax: config.queryMemoryPerNodeBytesMax,
      onEmpty: () => this.#idleMemory.workEnded(),
    });
    this.#executor = createTaskExecutor(ports.clock, ports.points);
    const runtime = new KernelRuntime({
      linear: this.#memory.linear,
      backend: config.kernelBackend,
      knobs: ports.knobs,
      instances: options.instances,
      ...(options.modules === undefined ? {} : { modules: options.modules }),
    });
    this.interpretedWork = runtime.interpreted;
    this.#frames = new FramePool({ memory: this.#memory.root.child("frames"), lends: () => ports.network.lends === true });
    this.#idleMemory = new IdleMemory({
      clock: ports.clock,
      delayMs: config.memoryReturnDelayMs,
      wasteBytesMin: this.#memory.root.knobs.value("idle-memory-bytes"),
      memory: this.#memory,
      isIdle: () =>
        this.#memories.count === 0 && this.#queryMemory.reservedBytes === 0 && (this.#coordinator?.activeQueryCount() ?? 0) === 0,
      onRenewed: () => runtime.memoryRenewed(),
      garbageBytes: () => this.#frames.unusedBytes + (ports.garbageBytes?.() ?? 0),
      collect: () => {
        this.#frames.trim();
        ports.collectGarbage?.();
      },
    });
    this.cluster = config.role === "worker" ? undefined : this.#createMonitor();
    this.#kept = this.cluster === undefined ? {} : parts.keptOnDisk(config, ports, this.incarnation);
    this.#catalogs = this.#createCatalogs(options, runtime);
    const services: ExecutionServices = {
      ports: { ...ports, storage: spillStorage(ports.storage, this.incarnation) },
      runtime,
      connector: (catalog) => this.#catalogs.connector(catalog),
      frames: this.#frames,
      limits: config.execution,
      ...this.#memories.sharing,
    };
    const newTask = (options: TaskOptions): TaskExecution => {
      const network = tracedNetwork(ports.network, options.session.traceParent);
      const task = createTask({ ...services, ports: { ...services.ports, network } }, this.#executor, options);
      this.#totals.add(task, options.fragment);
      return task;
    };
    this.#registry = new TaskRegistry({ ports, config: config.tasks, memories: this.#memories, createTask: newTask });
    this.#dynamicCatalogs = new DynamicCatalogs({
      catalogs: this.#catalogs,
      afterTasks: (callback) => this.#registry.afterTasks(callback),
    });
    this.#clusterCatalogs =
      this.cluster === undefined || !config.dynamicCatalogs ? undefined : this.#createClusterCatalogs(this.cluster, this.#dynamicCatalogs);
    this.#coordinator = this.cluster === undefined ? undefined : this.#createCoordinator(this.cluster, services, newTask, options);
    this.routes = this.#routes();
    this.#router = createRouter(this.routes, {
      onUnexpected: (error, request) =>
        ports.log.error("request-failed", { method: request.method, url: request.url, error: stackOf(error) }),
      onAnswered: options.onAnswered,
    });
    this.handle = (request, context) => this.#answer(request, context);
  }

  get selfUri(): string {
    return this.#ports.network.selfUri;
  }

  get nodeId(): string {
    return this.config.nodeId;
  }

  get state(): NodeState {
    return this.#state;
  }

  /**
   * True once the node has been able to answer queries: a coordinator had the required workers, or a worker was accepted by its
   * coordinator.
   */
  get isReady(): boolean {
    return this.#ready;
  }

  /** On a coordinator: true if the required number of workers is active now. Always true on a worker. */
  get isComplete(): boolean {
    return this.cluster === undefined || this.#hasWorkers(this.cluster);
  }

  ready(): Promise<void> {
    return this.#ready ? Promise.resolve() : new Promise((resolve) => this.#readyCallbacks.push(resolve));
  }

  async start(): Promise<void> {
    void removeFormerSpills(this.#ports.storage, this.#ports.clock, this.incarnation);
    await this.#ports.network.serve(this.handle);
    const { lease } = this.#kept;
    if (lease === undefined) {
      this.#begin();
    } else {
      void lease.acquire({ onAcquired: () => this.#begin(), onLost: () => void this.close() });
    }
    if (this.cluster === undefined && this.config.discoveryUri !== undefined) {
      this.join(this.config.discoveryUri);
    }
  }

  /** Of the directory that the coordinator shares with others; undefined if it has it alone. */
  get lease(): parts.Lease | undefined {
    return this.#kept.lease;
  }

  #begin(): void {
    this.#kept.history?.loadLater();
    this.#serving = true;
    this.cluster?.onChange(() => this.#checkCluster());
    this.#checkCluster();
  }

  /** What can be configured while the node runs. Undefined on a worker. */
  get configuration(): Pick<Coordinator, "replaceQueryRouting" | "replaceResourceGroups"> | undefined {
    return this.#coordinator;
  }

  /** Announces this worker to a coordinator. */
  join(coordinatorUri: string): void {
    if (this.cluster !== undefined || this.#closing !== undefined) {
      return;
    }
    this.#announcer?.close();
    this.#announcer = new Announcer({
      ports: this.#ports,
      config: this.config.announcer,
      coordinatorUri: coordinatorUri.replace(/\/+$/, ""),
      announcement: () => this.#announcement(),
      onAccepted: (services) => {
        if (services === undefined) {
          this.#directory.forget();
        } else {
          this.#directory.update(services);
        }
        this.#becomeReady();
      },
    });
    this.#announcer.start();
  }

  /** Accepts no new work, finishes running work within `graceMs`, leaves the cluster and closes. */
  shutdown(options: { readonly graceMs: number }): Promise<void> {
    this.#shutdown ??= this.#drain(options.graceMs).then(() => this.close());
    return this.#shutdown;
  }

  /** Ends all work immediately. Idempotent. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  /** Use of the linear memory since the node was made. */
  get memoryUse(): Pick<NodeMemory, "highWaterBytes" | "residentBytes" | "allocations"> {
    return this.#memory;
  }

  /** Reserves this many bytes of the node's memory; queries share the rest. Queries that need more fail or are not admitted. */
  setMemoryPressure(bytes: number): void {
    const { root, linear } = this.#memory;
    this.#pressure?.close();
    this.#pressure = root.child("others");
    this.#pressure.reserve(Math.min(bytes, linear.sizeBytes - root.reservedBytes));
  }

  leftovers(): Leftovers {
    return leftoversOf(this.#holdings());
  }

  /** Undefined if the node does not know the task. */
  taskState(taskId: string): TaskState | undefined {
    return this.#registry.find(taskId)?.execution.state;
  }

  measures(): NodeMeasures {
    return nodeMeasures({ ...this.#holdings(), queries: this.#memories.count, tasks: this.#totals });
  }

  /** For checks: the queries of the history on the disk. Undefined while they are being read, or if there is no history. */
  historyIds(): readonly string[] | undefined {
    return this.#kept.history?.ids();
  }

  /** For checks that everything is accounted once and within its limit. */
  accounts(): Accounts {
    return accountsOf(this.#holdings());
  }

  #holdings(): Holdings {
    return {
      config: this.config,
      memory: this.#memory,
      queryMemory: this.#queryMemory,
      memories: this.#memories,
      frames: this.#frames,
      registry: this.#registry,
      catalogs: this.#catalogs,
      coordinator: this.#coordinator,
    };
  }

  #createMonitor(): ClusterMonitor {
    const { config } = this;
    return new ClusterMonitor({
      ports: this.#ports,
      nodeId: config.nodeId,
      incarnation: this.incarnation,
      nodeVersion: config.nodeVersion,
      environment: config.environment,
      selfUri: () => this.selfUri,
      includeSelf: config.role === "both",
      selfState: () => this.#state,
      selfAnnouncement: () => this.#announcement(),
      discovery: config.discovery,
      failureDetector: config.failureDetector,
    });
  }

  #times(): { readonly uptimeNanos: () => number; readonly wallMillis: () => number } {
    const { clock } = this.#ports;
    return { uptimeNanos: () => clock.monotonicNanos() - this.#startedNanos, wallMillis: () => clock.wallMillis() };
  }

  #createCatalogs(options: NodeOptions, runtime: KernelRuntime): Catalogs {
    return new Catalogs({
      catalogs: this.config.catalogs,
      factories: options.factories,
      nodeId: this.config.nodeId,
      ports: this.#ports,
      memory: this.#memory.root,
      runtime,
      callNode: (catalog, nodeId, request) => this.#callNode(catalog, nodeId, request),
      beans: managedBeans({ ...this.#times(), config: this.config, measures: () => this.measures() }),
      systemRuntime: () => this.#coordinator?.systemRuntime,
      access: this.access.now,
      nodes: catalogNodes(this.incarnation, this.cluster, this.#directory),
      catalogStorage: this.#kept.catalogStorage,
    });
  }

  #createCoordinator(
    cluster: ClusterMonitor,
    services: ExecutionServices,
    newTask: (task: TaskOptions) => TaskExecution,
    options: NodeOptions,
  ): Coordinator {
    const { config } = this;
    const context = {
      ports: this.#ports,
      config: config.coordinator,
      fragmentTexts: new FragmentTexts(),
      nodeId: config.nodeId,
      incarnation: this.incarnation,
      nodeVersion: config.nodeVersion,
      environment: config.environment,
      catalogs: () => this.#catalogs.names,
      catalogStore: this.#clusterCatalogs,
      connector: (catalog: string) => this.#catalogs.connector(catalog),
      cluster,
      hasBeenReady: () => this.#ready,
      memories: this.#memories,
      transactions: new parts.Transactions(this.#ports, config.coordinator.transactionIdleMsMax, this.#kept.journal),
      createTask: newTask,
      spooling: this.#createSpooling(options),
      access: this.access.now,
      groupsOf: this.access.groupsOf,
      securities: () => this.#catalogs.securities,
      resourceGroups: config.resourceGroups,
      queryRouting: config.queryRouting,
      ...(options.onTransition === undefined ? {} : { onTransition: options.onTransition }),
      ...(options.onQueryEvent === undefined ? {} : { onQueryEvent: options.onQueryEvent }),
      ...(options.traceQuery === undefined ? {} : { traceQuery: options.traceQuery }),
    };
    const planner = (options.planner ?? parts.createSqlPlanner)({
      catalogs: this.#catalogs,
      services,
      transactions: context.transactions,
      access: context.access,
      groupsOf: context.groupsOf,
      nodeVersion: config.nodeVersion,
      config: config.coordinator,
    });
    return parts.createCoordinator(context, planner, this.#kept);
  }

  #createClusterCatalogs(cluster: ClusterMonitor, catalogs: DynamicCatalogs): parts.ClusterCatalogs {
    const { nodeId, requestTimeoutMs } = this.config;
    const has = (name: string): boolean => this.#catalogs.has(name);
    const own = { ports: this.#ports, incarnation: this.incarnation, nodeId };
    return new parts.ClusterCatalogs({ ...own, cluster, catalogs, has, requestTimeoutMs });
  }

  #createSpooling({ compressZstd }: NodeOptions): Spooling | undefined {
    const limits = this.config.spooling;
    if (limits === undefined) {
      return undefined;
    }
    const { clock, knobs, log, random, storage } = this.#ports;
    const folder = folderOf(spillStorage(storage, this.incarnation), "segments");
    const bounds = { bytesMax: limits.storageBytesMax, ttlMs: limits.segmentTtlMs };
    const store = new parts.SegmentStore({ clock, log, random, storage: folder, ...bounds });
    return { store, limits, knobs, ...(compressZstd === undefined ? {} : { compressZstd }) };
  }

  #routes(): readonly Route[] {
    const { config } = this;
    return [
      ...infoRoutes({
        nodeId: config.nodeId,
        nodeVersion: config.nodeVersion,
        environment: config.environment,
        coordinator: this.cluster !== undefined,
        incarnation: this.incarnation,
        uptimeNanos: this.#times().uptimeNanos,
        selfUri: () => this.selfUri,
        state: () => this.#state,
        started: () => this.#ready,
        complete: () => this.isComplete,
        memory: this.#memory.root,
        memoryBytesMax: this.#memory.linear.sizeBytes,
        onShutdown: () => void this.shutdown({ graceMs: config.shutdownGraceMs }),
      }),
      ...taskRoutes({
        clock: this.#ports.clock,
        points: this.#ports.points,
        nodeId: config.nodeId,
        incarnation: this.incarnation,
        selfUri: () => this.selfUri,
        registry: this.#registry,
        responseBytesMax: config.execution.exchangeResponseBytesMax,
      }),
      catalogListRoute(this.#dynamicCatalogs),
      ...(this.cluster === undefined ? this.#assignedCatalogRoutes() : parts.catalogRoutes(this.#clusterCatalogs, this.access.now)),
      ...catalogCallRoutes((catalog) => this.#callHandler(catalog)),
      ...(this.cluster === undefined ? emptyNodeRoutes() : nodeRoutes(this.cluster, () => this.#coordinator?.nodeWork() ?? new Map())),
      ...(this.#coordinator?.routes ?? []),
    ];
  }

  #answer(request: HttpRequest, context: RequestContext): Promise<HttpResponse> {
    if (this.#closing !== undefined) {
      return Promise.resolve(textResponse(503, "Server is shutting down", { "retry-after": "1", [nodeStateHeader]: "SHUTTING_DOWN" }));
    }
    const submits =
      this.#state === "SHUTTING_DOWN" && /^(?:https?:\/\/[^/]+)?\/v1\/statement(?:\/[^/]*)?$/.test(request.url.split("?", 1)[0] ?? "");
    if (submits && (request.method === "POST" || request.method === "PUT")) {
      return Promise.resolve(textResponse(503, "Server is shutting down", { "retry-after": "1" }));
    }
    const answer = (): Promise<HttpResponse> => this.#router.handle(request, context);
    const { lease } = this.#kept;
    return lease === undefined ? answer() : parts.answerAsOwner(lease, request, answer);
  }

  #announcement(): Announcement {
    return announcementOf({
      config: this.config,
      incarnation: this.incarnation,
      uri: this.selfUri,
      state: this.#state,
      memoryBytes: this.#memory.linear.sizeBytes,
      catalogs: { connectorIds: this.#catalogs.names.join(","), ...this.#dynamicCatalogs.announced },
    });
  }

  #assignedCatalogRoutes(): readonly Route[] {
    return assignedCatalogRoutes({
      catalogs: this.#dynamicCatalogs,
      isDynamic: this.config.dynamicCatalogs,
      announce: () => this.#announcer?.announceNow() ?? Promise.resolve(true),
    });
  }

  /** The call may have dropped a table. */
  #callHandler(catalog: string): ReturnType<Catalogs["callHandler"]> {
    const handler = this.#catalogs.callHandler(catalog);
    return handler === undefined ? undefined : (request) => handler(request).finally(() => this.#idleMemory.workEnded());
  }

  async #callNode(catalog: string, nodeId: string, request: Json): Promise<CallAnswer> {
    const here = this.#callHandler(catalog);
    if (nodeId === this.config.nodeId && here !== undefined) {
      return here(request);
    }
    const call = { network: this.#ports.network, catalog, nodeId, request, timeoutMs: this.config.requestTimeoutMs };
    if (this.cluster !== undefined) {
      return callCatalog({ ...call, uri: this.cluster.address(nodeId) });
    }
    return callByDirectory(call, this.#directory, async () => this.#announcer?.services());
  }

  #checkCluster(): void {
    if (this.cluster !== undefined && this.#serving && this.#hasWorkers(this.cluster)) {
      this.#becomeReady();
    }
  }

  #hasWorkers(cluster: ClusterMonitor): boolean {
    return cluster.activeCount >= this.config.coordinator.requiredWorkers;
  }

  #becomeReady(): void {
    if (this.#ready) {
      return;
    }
    this.#ready = true;
    this.#ports.log.info("node-ready", { nodeId: this.config.nodeId, role: this.config.role, uri: this.selfUri });
    for (const callback of this.#readyCallbacks.splice(0)) {
      callback();
    }
  }

  async #drain(graceMs: number): Promise<void> {
    const { clock, log } = this.#ports;
    if (this.#closing !== undefined) {
      return;
    }
    this.#state = "SHUTTING_DOWN";
    log.info("shutdown-started", { nodeId: this.config.nodeId, graceMs });
    this.cluster?.selfChanged();
    const deadlineNanos = clock.monotonicNanos() + graceMs * 1e6;
    const wait = (work: Promise<unknown>, waitMs: number): Promise<void> => within(clock, "shutdown-wait", work, waitMs);
    const leftMs = (): number => Math.max(0, Math.ceil((deadlineNanos - clock.monotonicNanos()) / 1e6));
    if (this.#announcer !== undefined) {
      await wait(this.#announcer.announceNow(), Math.min(lingerMsMax, leftMs()));
      await sleep(clock, "shutdown-settle", Math.min(settleMs, leftMs()));
    }
    while ((this.#coordinator?.activeQueryCount() ?? 0) > 0 && leftMs() > 0) {
      await sleep(clock, "shutdown-queries", Math.min(queryPollMs, leftMs()));
    }
    this.#registry.refuseNew();
    await wait(new Promise<void>((resolve) => this.#registry.whenIdle("live", resolve)), leftMs());
    await this.#catalogs.handOver(leftMs);
    this.#registry.failAll("SERVER_SHUTTING_DOWN", "Server is shutting down");
    // Coordinators fetch the final documents of their tasks and delete them.
    await wait(new Promise<void>((resolve) => this.#registry.whenIdle("known", resolve)), lingerMsMax);
    await this.#announcer?.withdraw();
  }

  async #close(): Promise<void> {
    this.#announcer?.close();
    this.#clusterCatalogs?.close();
    this.#kept.lease?.stopWaiting();
    await this.#coordinator?.close();
    await this.#kept.lease?.close();
    this.cluster?.close();
    this.#registry.close();
    this.#idleMemory.close();
    this.#executor.close();
    this.#catalogs.close();
    await this.#ports.network.close();
    this.#memory.root.close();
    this.#ports.log.info("node-closed", { nodeId: this.config.nodeId });
    this.#resolveClosed();
  }
}
