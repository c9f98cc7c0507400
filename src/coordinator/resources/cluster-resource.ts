/**
 * Resources about the cluster as a whole, for gateways and load balancers, at the addresses of Presto and of Trino.
 */
import type { HttpResponse } from "../../ports/network.ts";
import type { ClusterStats, ResourceGroup, TrimmedQuery } from "../../protocol/documents/cluster.ts";
import { emptyResponse, HttpError, jsonResponse, type Route, type RoutedRequest, route } from "../../protocol/http/http.ts";
import { formatTimestamp } from "../../protocol/timestamp.ts";
import { formatDataSize, formatDuration } from "../../protocol/units.ts";
import type { CoordinatorContext } from "../context.ts";
import type { Dispatcher } from "../query/dispatcher.ts";
import type { QueryList } from "../listing/query-list.ts";
import { previewLengthMax, trimmedQuery } from "../listing/row-documents.ts";
import { visibleOwners } from "./request-user.ts";
import { resourceGroupId } from "../query/query-documents.ts";
import { addSums } from "../../protocol/counter-sums.ts";
import { queryTotals, type QueryTotals } from "../query/query-statistics.ts";

export class ClusterResource {
  readonly #context: CoordinatorContext;
  readonly #dispatcher: Dispatcher;
  readonly #list: QueryList;
  readonly routes: readonly Route[] = [
    route("GET", "/v1/cluster", (request) => this.#answer(request, this.#stats())),
    route("GET", "/ui/api/stats", (request) => this.#answer(request, this.#stats())),
    route("GET", "/ui/api/query", (request) => this.#answer(request, this.#queries(request))),
    // Every login succeeds: there is no authentication, and a gateway requires a login before anything else.
    route("POST", "/ui/login", () => emptyResponse(204)),
    route("GET", "/v1/resourceGroupState", (request) => this.#answer(request, [this.#group(request)])),
    route("GET", "/v1/resourceGroupState/{id}", (request) => this.#resourceGroup(request)),
  ];

  constructor(context: CoordinatorContext, dispatcher: Dispatcher, list: QueryList) {
    this.#context = context;
    this.#dispatcher = dispatcher;
    this.#list = list;
  }

  #answer(request: RoutedRequest, document: unknown): HttpResponse {
    return jsonResponse(200, document, { pretty: request.pretty });
  }

  #totals(): readonly QueryTotals[] {
    return this.#dispatcher.tracker.live().map((query) => queryTotals(query.execution));
  }

  #stats(): ClusterStats {
    const totals = this.#totals();
    const all = addSums(totals.map((total) => total.all));
    const input = addSums(totals.map((total) => total.input));
    const workers = this.#context.cluster.activeCount;
    const { queuedCount } = this.#dispatcher;
    const delayMs = this.#context.ports.eventLoopDelayMs;
    return {
      runningQueries: this.#dispatcher.runningCount,
      blockedQueries: this.#list.live().filter((row) => row.wait?.isBlocked === true).length,
      queuedQueries: queuedCount,
      activeWorkers: workers,
      runningDrivers: all.runningDrivers,
      activeCoordinators: 1,
      runningTasks: totals.reduce((sum, { runningTasks }) => sum + runningTasks, 0),
      // Each worker runs on one thread.
      totalAvailableProcessors: workers,
      reservedMemory: all.memoryReservationBytes,
      totalInputRows: input.rawInputPositions,
      totalInputBytes: input.rawInputBytes,
      totalCpuTimeSecs: Math.floor(all.cpuNanos / 1e9),
      adjustedQueueSize: queuedCount,
      queuedDrivers: all.queuedDrivers,
      ...this.#dispatcher.tracker.counts(),
      memoryCapacity: this.#memoryCapacity(),
      ...(delayMs === undefined ? {} : { eventLoopDelayMillis: delayMs() }),
    };
  }

  /** Workers of older builds do not announce their memory; they count as large as this node. */
  #memoryCapacity(): number {
    const { cluster, memories, nodeId } = this.#context;
    const others = cluster.activeWorkers().filter((worker) => worker.nodeId !== nodeId);
    return others.reduce((sum, { memoryBytes }) => sum + (memoryBytes ?? memories.sizeBytes), memories.sizeBytes);
  }

  #queries(request: RoutedRequest): readonly TrimmedQuery[] {
    const state = request.query["state"]?.toUpperCase();
    const isVisible = visibleOwners(request.http.headers, this.#context.access());
    const rows = this.#list.inMemory().filter((row) => (state === undefined || row.state === state) && isVisible(row.user));
    return rows.map((row) => trimmedQuery(row, request.context.baseUri));
  }

  #resourceGroup(request: RoutedRequest): HttpResponse {
    if (request.parameters["id"] !== resourceGroupId.join("/")) {
      throw new HttpError(404, `Resource group not found: ${request.parameters["id"] ?? ""}`);
    }
    return this.#answer(request, this.#group(request));
  }

  #group(request: RoutedRequest): ResourceGroup {
    const isVisible = visibleOwners(request.http.headers, this.#context.access());
    const { config, memories } = this.#context;
    const { queuedCount, runningCount } = this.#dispatcher;
    const canRun = runningCount < config.concurrentQueriesMax;
    const canQueue = queuedCount < config.queuedQueriesMax;
    const all = addSums(this.#totals().map((total) => total.all));
    const running = this.#dispatcher.tracker.live().filter(({ session, state }) => state !== "QUEUED" && isVisible(session.user));
    return {
      id: [...resourceGroupId],
      state: canRun ? "CAN_RUN" : canQueue ? "CAN_QUEUE" : "FULL",
      schedulingPolicy: "FAIR",
      schedulingWeight: 1,
      softMemoryLimit: formatDataSize(memories.sizeBytes),
      softConcurrencyLimit: config.concurrentQueriesMax,
      hardConcurrencyLimit: config.concurrentQueriesMax,
      maxQueuedQueries: config.queuedQueriesMax,
      memoryUsage: formatDataSize(all.memoryReservationBytes),
      cpuUsage: formatDuration(all.cpuNanos),
      numQueuedQueries: queuedCount,
      numRunningQueries: runningCount,
      numEligibleSubGroups: 0,
      subGroups: [],
      runningQueries: running.map((query) => ({
        queryId: query.id,
        state: query.state,
        user: query.session.user,
        query: query.sql.slice(0, previewLengthMax),
        createTime: formatTimestamp(query.createMillis),
      })),
    };
  }
}
