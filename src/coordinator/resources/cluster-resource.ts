/**
 * Resources about the cluster as a whole, for gateways and load balancers, at the addresses of Presto and of Trino.
 */
import type { HttpResponse } from "../../ports/network.ts";
import type { ClusterStats, ResourceGroup, TrimmedQuery } from "../../protocol/documents/cluster.ts";
import { emptyResponse, HttpError, jsonResponse, type Route, type RoutedRequest, route } from "../../protocol/http/http.ts";
import type { CoordinatorContext } from "../context.ts";
import type { Dispatcher } from "../query/dispatcher.ts";
import type { QueryList } from "../listing/query-list.ts";
import { previewLengthMax, trimmedQuery } from "../listing/row-documents.ts";
import { visibleOwners } from "./request-user.ts";
import { clusterMemoryBytes, groupDocument } from "../groups/group-document.ts";
import type { ResourceGroup as Group } from "../groups/resource-group.ts";
import { addSums } from "../../protocol/counter-sums.ts";
import { type QueryTotals, totalsOfQuery } from "../query/query-statistics.ts";

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
    route("GET", "/v1/resourceGroupState", (request) => this.#answer(request, this.#groups(request, this.#dispatcher.groups.roots))),
    { ...route("GET", "/v1/resourceGroupState/{id}", (request) => this.#resourceGroup(request)), takesRest: true },
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
    return this.#dispatcher.tracker.live().map(totalsOfQuery);
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
      memoryCapacity: clusterMemoryBytes(this.#context),
      ...(delayMs === undefined ? {} : { eventLoopDelayMillis: delayMs() }),
    };
  }

  #queries(request: RoutedRequest): readonly TrimmedQuery[] {
    const state = request.query["state"]?.toUpperCase();
    const isVisible = visibleOwners(request.http.headers, this.#context.access());
    const rows = this.#list.inMemory().filter((row) => (state === undefined || row.state === state) && isVisible(row.user));
    return rows.map((row) => trimmedQuery(row, request.context.baseUri));
  }

  /** Segments of the path are names of groups, from the root on; a client may encode the slashes too. */
  #resourceGroup(request: RoutedRequest): HttpResponse {
    const id = (request.parameters["id"] ?? "").split("/");
    const group = this.#dispatcher.groups.find(id);
    if (group === undefined) {
      throw new HttpError(404, `Resource group not found: ${id.join("/")}`);
    }
    return this.#answer(request, this.#groups(request, [group])[0]);
  }

  #groups(request: RoutedRequest, groups: readonly Group[]): readonly ResourceGroup[] {
    const isVisible = visibleOwners(request.http.headers, this.#context.access());
    const options = {
      memoryBytes: clusterMemoryBytes(this.#context),
      running: this.#dispatcher.tracker.live().filter(({ session, state }) => state !== "QUEUED" && isVisible(session.user)),
      previewLength: previewLengthMax,
    };
    return groups.map((group) => groupDocument(group, options));
  }
}
