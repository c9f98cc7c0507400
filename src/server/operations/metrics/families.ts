/**
 * The metrics of a node: name, type, meaning, labels. Every series also has the label `node`. Label values come from closed sets or from
 * the configuration, never from a statement, a query id or a user. docs/operations.md shows this table.
 */

export type MetricType = "counter" | "gauge" | "histogram";

export interface MetricFamily {
  readonly type: MetricType;
  readonly help: string;
  readonly labels?: readonly string[];
  /** Nodes that have it. `process`: once for each process, by its first node. */
  readonly of: "coordinator" | "node" | "process";
}

export const metricFamilies = {
  orrery_node_info: {
    type: "gauge",
    of: "node",
    labels: ["version", "role", "environment"],
    help: "Version and role of the node; always 1",
  },
  orrery_node_up: { type: "gauge", of: "process", help: "1 if the node of this process answered the scrape, else 0" },

  orrery_queries: { type: "gauge", of: "coordinator", labels: ["state"], help: "Queries that have not ended, by state" },
  orrery_blocked_queries: { type: "gauge", of: "coordinator", help: "Running queries of which every driver waits" },
  orrery_kept_queries: { type: "gauge", of: "coordinator", help: "Ended queries that the coordinator keeps" },
  orrery_queries_submitted_total: { type: "counter", of: "coordinator", help: "Queries submitted" },
  orrery_queries_finished_total: { type: "counter", of: "coordinator", help: "Queries that finished" },
  orrery_queries_failed_total: {
    type: "counter",
    of: "coordinator",
    labels: ["error_type", "error_name"],
    help: "Queries that failed, by type and name of the error",
  },
  orrery_query_duration_seconds: {
    type: "histogram",
    of: "coordinator",
    labels: ["phase"],
    help: "Times of ended queries: queued, planning, execution, first_row (from submission to the first rows), total",
  },
  orrery_query_input_rows_total: { type: "counter", of: "coordinator", help: "Rows that the scans of ended queries read" },
  orrery_query_input_bytes_total: { type: "counter", of: "coordinator", help: "Bytes that the scans of ended queries read" },
  orrery_query_output_rows_total: { type: "counter", of: "coordinator", help: "Rows that ended queries returned" },
  orrery_query_output_bytes_total: { type: "counter", of: "coordinator", help: "Bytes of rows that ended queries returned" },
  orrery_catalog_queries_total: {
    type: "counter",
    of: "coordinator",
    labels: ["catalog"],
    help: "Ended queries that scanned tables of the catalog",
  },
  orrery_active_workers: { type: "gauge", of: "coordinator", help: "Workers that accept tasks" },
  orrery_required_workers: { type: "gauge", of: "coordinator", help: "Workers without which queries wait" },
  orrery_node_monitor_failure_ratio: {
    type: "gauge",
    of: "coordinator",
    labels: ["target"],
    help: "Decaying ratio of failed heartbeats, by address of the node",
  },
  orrery_spooled_bytes: { type: "gauge", of: "coordinator", help: "Bytes of result segments that clients have not fetched" },
  orrery_events_delivered_total: { type: "counter", of: "coordinator", labels: ["consumer"], help: "Query events delivered" },
  orrery_events_dropped_total: {
    type: "counter",
    of: "coordinator",
    labels: ["consumer"],
    help: "Query events dropped because the queue of the consumer was full or it did not take them",
  },

  orrery_tasks: { type: "gauge", of: "node", labels: ["state"], help: "Tasks that have not ended, by state" },
  orrery_tasks_ended_total: { type: "counter", of: "node", labels: ["state"], help: "Tasks that have ended, by state" },
  orrery_splits: {
    type: "gauge",
    of: "node",
    labels: ["state"],
    help: "Splits (drivers) of tasks that have not ended: queued, running, blocked",
  },
  orrery_splits_completed_total: { type: "counter", of: "node", help: "Splits (drivers) completed" },
  orrery_processed_rows_total: { type: "counter", of: "node", help: "Rows that entered the operators of tasks, from scans and exchanges" },
  orrery_processed_bytes_total: { type: "counter", of: "node", help: "Bytes that entered the operators of tasks" },
  orrery_catalog_scanned_rows_total: { type: "counter", of: "node", labels: ["catalog"], help: "Rows that scans read, by catalog" },
  orrery_catalog_scanned_bytes_total: { type: "counter", of: "node", labels: ["catalog"], help: "Bytes that scans read, by catalog" },
  orrery_file_cache_pages_total: {
    type: "counter",
    of: "node",
    labels: ["catalog", "from"],
    help: "Pages of files in object stores that were read: from the cache on the node's disk, or from the store",
  },
  orrery_file_cache_read_bytes_total: {
    type: "counter",
    of: "node",
    labels: ["catalog", "from"],
    help: "Bytes of these pages: from the cache, or from the store",
  },
  orrery_file_cache_held_bytes: {
    type: "gauge",
    of: "node",
    labels: ["catalog"],
    help: "Bytes that the cache of files has on the node's disk",
  },
  orrery_file_cache_evictions_total: {
    type: "counter",
    of: "node",
    labels: ["catalog"],
    help: "Pages removed from the cache of files to make room",
  },
  orrery_file_cache_failures_total: {
    type: "counter",
    of: "node",
    labels: ["catalog"],
    help: "Failures of the disk of the cache of files, and damaged pages",
  },
  orrery_task_cpu_seconds_total: { type: "counter", of: "node", help: "CPU time of tasks" },
  orrery_task_scheduled_seconds_total: { type: "counter", of: "node", help: "Wall time during which drivers of tasks ran" },
  orrery_spilled_bytes_total: { type: "counter", of: "node", help: "Bytes that tasks wrote to disk for lack of memory" },
  orrery_memory_capacity_bytes: { type: "gauge", of: "node", help: "Size of the node's memory" },
  orrery_memory_reserved_bytes: {
    type: "gauge",
    of: "node",
    labels: ["pool"],
    help: "Reserved memory: general (all of it), queries, other (tables in memory, caches)",
  },
  orrery_memory_resident_bytes: { type: "gauge", of: "node", help: "Upper bound of the node's memory that occupies the machine" },
  orrery_frame_memory_bytes: {
    type: "gauge",
    of: "node",
    labels: ["use"],
    help: "Memory of page frames that the nodes of a process share: frames in use, and what occupies the machine",
  },
  orrery_frames_total: {
    type: "counter",
    of: "node",
    labels: ["memory"],
    help: "Page frames of task output: in shared memory, or on the heap because they are small or the shared memory was full",
  },
  orrery_memory_queries: { type: "gauge", of: "node", help: "Queries that have memory on the node" },
  orrery_http_requests_total: {
    type: "counter",
    of: "node",
    labels: ["method", "route", "status"],
    help: "Requests answered, by pattern of the route; clients and nodes together",
  },

  nodejs_eventloop_lag_mean_seconds: { type: "gauge", of: "node", help: "Mean delay of the event loop since the last scrape" },
  nodejs_eventloop_lag_p50_seconds: { type: "gauge", of: "node", help: "Median delay of the event loop since the last scrape" },
  nodejs_eventloop_lag_p99_seconds: {
    type: "gauge",
    of: "node",
    help: "99th percentile of the delay of the event loop since the last scrape",
  },
  nodejs_eventloop_lag_max_seconds: { type: "gauge", of: "node", help: "Longest delay of the event loop since the last scrape" },
  nodejs_gc_duration_seconds: { type: "histogram", of: "node", labels: ["kind"], help: "Pauses of the garbage collector, by kind" },
  nodejs_heap_size_total_bytes: { type: "gauge", of: "node", help: "Size of the JavaScript heap" },
  nodejs_heap_size_used_bytes: { type: "gauge", of: "node", help: "Used part of the JavaScript heap" },
  nodejs_external_memory_bytes: {
    type: "gauge",
    of: "node",
    help: "Memory outside of the JavaScript heap that its objects hold, with the whole linear memory of a node",
  },
  nodejs_array_buffers_bytes: { type: "gauge", of: "node", help: "Memory of array buffers, without linear memory" },
  nodejs_version_info: { type: "gauge", of: "process", labels: ["version"], help: "Version of Node; always 1" },
  process_cpu_user_seconds_total: { type: "counter", of: "process", help: "CPU time of the process in user mode" },
  process_cpu_system_seconds_total: { type: "counter", of: "process", help: "CPU time of the process in system mode" },
  process_start_time_seconds: { type: "gauge", of: "process", help: "Start of the process, in seconds since 1970" },
  process_resident_memory_bytes: { type: "gauge", of: "process", help: "Resident memory of the process" },
  process_open_fds: { type: "gauge", of: "process", help: "Open file descriptors of the process; absent if the system does not tell" },

  trino_execution_name_QueryManager_RunningQueries: { type: "gauge", of: "coordinator", help: "Running queries, under Trino's name" },
  trino_execution_name_QueryManager_QueuedQueries: { type: "gauge", of: "coordinator", help: "Queued queries, under Trino's name" },
  trino_execution_name_ClusterSizeMonitor_RequiredWorkers: {
    type: "gauge",
    of: "coordinator",
    help: "Workers that waiting queries need, 0 if none waits; under Trino's name",
  },
  trino_metadata_name_DiscoveryNodeManager_ActiveNodeCount: { type: "gauge", of: "coordinator", help: "Active nodes, under Trino's name" },
  trino_execution_QueryManager_RunningQueries: { type: "gauge", of: "coordinator", help: "Running queries, as JMX exporters name them" },
  trino_execution_QueryManager_QueuedQueries: { type: "gauge", of: "coordinator", help: "Queued queries, as JMX exporters name them" },
  trino_execution_ClusterSizeMonitor_RequiredWorkers: {
    type: "gauge",
    of: "coordinator",
    help: "Workers that waiting queries need, 0 if none waits; as JMX exporters name them",
  },
} as const satisfies Readonly<Record<string, MetricFamily>>;

export type MetricName = keyof typeof metricFamilies;
