/**
 * The metrics of one node: observes its queries and requests, and collects all series for a scrape.
 */
import type { QueryEvent } from "../../../coordinator/context.ts";
import type { CoordinatorMeasures, NodeMeasures } from "../../../measures.ts";
import type { OrreryNode } from "../../../node.ts";
import { type ClusterStats, clusterStatsSchema } from "../../../protocol/documents/cluster.ts";
import { errorCatalogue } from "../../../protocol/errors.ts";
import type { AnswerHook } from "../../../protocol/http/http.ts";
import { bareRequest, responseDocument } from "../../../protocol/http/http.ts";
import type { RequestContext } from "../../../ports/network.ts";
import type { ObservedNode } from "../observed-node.ts";
import { RuntimeMetrics } from "./runtime-metrics.ts";
import { Collection, type CollectedMetric, LabelledCounter, LabelledHistogram } from "./series.ts";

/** Deliveries of query events by one consumer since the start. */
export interface DeliveryCounts {
  readonly consumer: string;
  readonly delivered: number;
  readonly dropped: number;
}

interface ClusterMeasures {
  readonly node: OrreryNode;
  readonly measures: CoordinatorMeasures;
  readonly stats: ClusterStats;
}

const secondsBounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1800, 3600];

const liveStates = ["QUEUED", "WAITING_FOR_RESOURCES", "PLANNING", "STARTING", "RUNNING", "FINISHING"] as const;
const liveTaskStates = ["PLANNED", "RUNNING", "FLUSHING"] as const;
const endedTaskStates = ["FINISHED", "CANCELED", "ABORTED", "FAILED"] as const;

/** The scrape asks the node itself. */
const ownContext: RequestContext = { remoteAddress: "", baseUri: "", isAborted: () => false, onAbort: () => undefined };

export class NodeMetrics {
  readonly #runtime = new RuntimeMetrics();
  readonly #requests = new LabelledCounter();
  readonly #failed = new LabelledCounter();
  readonly #ofCatalogs = new LabelledCounter();
  readonly #durations = new LabelledHistogram("phase", secondsBounds);
  readonly #totals = { submitted: 0, finished: 0, inputRows: 0, inputBytes: 0, outputRows: 0, outputBytes: 0 };

  readonly onAnswered: AnswerHook = ({ method, pattern = "unmatched", status }) => {
    this.#requests.add(`${method} ${pattern} ${status}`, () => ({ method, route: pattern, status }));
  };

  onQueryEvent(event: QueryEvent): void {
    const totals = this.#totals;
    if (event.kind === "created") {
      totals.submitted += 1;
      return;
    }
    const { measures } = event;
    const { errorName, firstRowNanos, tables } = measures;
    if (errorName === undefined) {
      totals.finished += 1;
    } else {
      this.#failed.add(errorName, () => ({ error_type: errorCatalogue[errorName].type, error_name: errorName }));
    }
    this.#durations.observe("queued", measures.queuedNanos / 1e9);
    this.#durations.observe("planning", measures.planningNanos / 1e9);
    this.#durations.observe("execution", measures.executionNanos / 1e9);
    this.#durations.observe("total", measures.elapsedNanos / 1e9);
    if (firstRowNanos !== undefined) {
      this.#durations.observe("first_row", firstRowNanos / 1e9);
    }
    totals.inputRows += measures.inputRows;
    totals.inputBytes += measures.inputBytes;
    totals.outputRows += measures.outputRows;
    totals.outputBytes += measures.outputBytes;
    for (const catalog of new Set(tables.map((table) => table.catalog))) {
      this.#ofCatalogs.add(catalog, () => ({ catalog }));
    }
  }

  async collect({ node, observe }: ObservedNode, deliveries: readonly DeliveryCounts[]): Promise<readonly CollectedMetric[]> {
    const { config } = node;
    const into = new Collection(config.nodeId);
    const measures = observe(() => node.measures());
    const failureRatios = observe(() => node.cluster?.nodeDocuments("all") ?? []);
    into.set("orrery_node_info", 1, { version: config.nodeVersion, role: config.role, environment: config.environment });
    into.set("orrery_node_up", 1);
    if (measures.coordinator !== undefined) {
      this.#collectQueries(into, measures.coordinator, deliveries);
      // The handler of this resource reads everything before it first waits.
      const answer = await observe(() => node.handle(bareRequest("GET", "/v1/cluster"), ownContext));
      collectCluster(into, { node, measures: measures.coordinator, stats: responseDocument(answer, clusterStatsSchema) });
      for (const { recentFailureRatio, uri } of failureRatios) {
        into.set("orrery_node_monitor_failure_ratio", recentFailureRatio, { target: uri });
      }
    }
    collectTasks(into, measures);
    collectMemory(into, measures);
    collectFileCaches(into, measures);
    into.addAll("orrery_http_requests_total", this.#requests.values);
    this.#runtime.collect(into);
    return into.metrics;
  }

  close(): void {
    this.#runtime.close();
  }

  #collectQueries(
    into: Collection,
    { keptQueries, queryStates, spooledBytes }: CoordinatorMeasures,
    deliveries: readonly DeliveryCounts[],
  ): void {
    const totals = this.#totals;
    for (const state of liveStates) {
      into.set("orrery_queries", queryStates.get(state) ?? 0, { state: state.toLowerCase() });
    }
    into.set("orrery_kept_queries", keptQueries.history + keptQueries.unclaimed);
    into.set("orrery_queries_submitted_total", totals.submitted);
    into.set("orrery_queries_finished_total", totals.finished);
    into.addAll("orrery_queries_failed_total", this.#failed.values);
    into.addAll("orrery_query_duration_seconds", this.#durations.valuesOf("orrery_query_duration_seconds"));
    into.set("orrery_query_input_rows_total", totals.inputRows);
    into.set("orrery_query_input_bytes_total", totals.inputBytes);
    into.set("orrery_query_output_rows_total", totals.outputRows);
    into.set("orrery_query_output_bytes_total", totals.outputBytes);
    into.addAll("orrery_catalog_queries_total", this.#ofCatalogs.values);
    into.set("orrery_spooled_bytes", spooledBytes);
    for (const { consumer, delivered, dropped } of deliveries) {
      into.set("orrery_events_delivered_total", delivered, { consumer });
      into.set("orrery_events_dropped_total", dropped, { consumer });
    }
  }
}

function collectCluster(into: Collection, { measures, node, stats }: ClusterMeasures): void {
  const { queryStates, requiredWorkers } = measures;
  const workers = node.cluster?.activeCount ?? 0;
  const waitsForWorkers = (queryStates.get("WAITING_FOR_RESOURCES") ?? 0) > 0;
  into.set("orrery_blocked_queries", stats.blockedQueries);
  into.set("orrery_active_workers", workers);
  into.set("orrery_required_workers", requiredWorkers);
  into.set("trino_execution_name_QueryManager_RunningQueries", stats.runningQueries);
  into.set("trino_execution_QueryManager_RunningQueries", stats.runningQueries);
  into.set("trino_execution_name_QueryManager_QueuedQueries", stats.queuedQueries);
  into.set("trino_execution_QueryManager_QueuedQueries", stats.queuedQueries);
  into.set("trino_execution_name_ClusterSizeMonitor_RequiredWorkers", waitsForWorkers ? requiredWorkers : 0);
  into.set("trino_execution_ClusterSizeMonitor_RequiredWorkers", waitsForWorkers ? requiredWorkers : 0);
  into.set("trino_metadata_name_DiscoveryNodeManager_ActiveNodeCount", workers + (node.config.role === "coordinator" ? 1 : 0));
}

function collectFileCaches(into: Collection, { fileCaches }: NodeMeasures): void {
  for (const { catalog, evictions, failures, heldBytes, hitBytes, hits, missBytes, misses } of fileCaches) {
    into.set("orrery_file_cache_pages_total", hits, { catalog, from: "cache" });
    into.set("orrery_file_cache_pages_total", misses, { catalog, from: "store" });
    into.set("orrery_file_cache_read_bytes_total", hitBytes, { catalog, from: "cache" });
    into.set("orrery_file_cache_read_bytes_total", missBytes, { catalog, from: "store" });
    into.set("orrery_file_cache_held_bytes", heldBytes, { catalog });
    into.set("orrery_file_cache_evictions_total", evictions, { catalog });
    into.set("orrery_file_cache_failures_total", failures, { catalog });
  }
}

function collectTasks(into: Collection, { tasks: { blockedDrivers, catalogs, ended, live, sums } }: NodeMeasures): void {
  for (const state of liveTaskStates) {
    into.set("orrery_tasks", live.get(state) ?? 0, { state: state.toLowerCase() });
  }
  for (const state of endedTaskStates) {
    into.set("orrery_tasks_ended_total", ended.get(state) ?? 0, { state: state.toLowerCase() });
  }
  into.set("orrery_splits", sums.queuedDrivers, { state: "queued" });
  into.set("orrery_splits", sums.runningDrivers - blockedDrivers, { state: "running" });
  into.set("orrery_splits", blockedDrivers, { state: "blocked" });
  into.set("orrery_splits_completed_total", sums.completedDrivers);
  into.set("orrery_processed_rows_total", sums.processedInputPositions);
  into.set("orrery_processed_bytes_total", sums.processedInputBytes);
  for (const { bytes, catalog, rows } of catalogs) {
    into.set("orrery_catalog_scanned_rows_total", rows, { catalog });
    into.set("orrery_catalog_scanned_bytes_total", bytes, { catalog });
  }
  into.set("orrery_task_cpu_seconds_total", sums.cpuNanos / 1e9);
  into.set("orrery_task_scheduled_seconds_total", sums.scheduledNanos / 1e9);
  into.set("orrery_spilled_bytes_total", sums.spilledBytes);
}

function collectMemory(into: Collection, { frames, memory, queries }: NodeMeasures): void {
  into.set("orrery_memory_capacity_bytes", memory.capacityBytes);
  into.set("orrery_memory_reserved_bytes", memory.reservedBytes, { pool: "general" });
  into.set("orrery_memory_reserved_bytes", memory.queryBytes, { pool: "queries" });
  into.set("orrery_memory_reserved_bytes", memory.reservedBytes - memory.queryBytes, { pool: "other" });
  into.set("orrery_memory_resident_bytes", memory.residentBytes);
  into.set("orrery_frame_memory_bytes", frames.usedBytes, { use: "frames" });
  into.set("orrery_frame_memory_bytes", frames.residentBytes, { use: "resident" });
  into.set("orrery_frames_total", frames.pooledFrames, { memory: "shared" });
  into.set("orrery_frames_total", frames.heapFrames, { memory: "heap" });
  into.set("orrery_memory_queries", queries);
}
