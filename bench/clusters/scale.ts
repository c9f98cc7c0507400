/**
 * What a statement costs as a cluster grows: clusters of 4 to 64 workers in this process, whose requests are calls and not HTTP. The rows
 * are few and the same, so that tasks, requests and documents are what is measured. CPU time of the process, because all nodes share it.
 */
import { type Cluster, withCluster } from "../../src/testing/index.ts";
import { ownCpuMs } from "../cpu.ts";
import { median, say, table } from "../figures.ts";

const workerCounts = [4, 8, 16, 32, 64];

interface Statement {
  readonly name: string;
  readonly sql: string;
}

/** Each task of the aggregation reads one exchange of all tasks of the scan; each task of the join reads two. */
const statements: readonly Statement[] = [
  { name: "scan", sql: "SELECT count(*) FROM tpch.tiny.orders" },
  { name: "aggregation", sql: "SELECT count(*) FROM (SELECT custkey, count(*) FROM tpch.tiny.orders GROUP BY custkey)" },
  { name: "join", sql: "SELECT count(*) FROM tpch.tiny.orders AS o JOIN tpch.tiny.lineitem AS l ON o.orderkey = l.orderkey" },
];

/** Heartbeats of 64 nodes in one process would be part of the figures. */
const properties = { "failure-detector.heartbeat-interval": "10s", "discovery.announce-interval": "10s" };

export async function measureScale(runs: number): Promise<void> {
  say(`CPU ms of a statement on growing clusters in one process, median of ${runs} runs`);
  const rows = [["workers", ...statements.flatMap(({ name }) => [`${name} tasks`, "CPU ms", "ms a task"])]];
  for (const workers of workerCounts) {
    const catalogs = { tpch: { "connector.name": "tpch", "tpch.splits-per-node": String(workers) } };
    await using cluster = await withCluster({ workers, http: false, properties, catalogs });
    const figures: string[] = [];
    for (const { sql } of statements) {
      const { tasks, cpuMs } = await cost(cluster, sql, { workers, runs });
      figures.push(String(tasks), cpuMs.toFixed(1), (cpuMs / tasks).toFixed(2));
    }
    rows.push([String(workers), ...figures]);
  }
  say(table(rows));
}

/** As many splits and partitions as workers. The first run makes the kernels and is not counted. */
async function cost(
  cluster: Cluster,
  sql: string,
  { workers, runs }: { readonly workers: number; readonly runs: number },
): Promise<{ readonly tasks: number; readonly cpuMs: number }> {
  const session = { hash_partition_count: workers, min_input_rows_per_task: 1, join_distribution_type: "PARTITIONED" };
  const { queryId } = await cluster.query(sql, { session });
  const cpu: number[] = [];
  for (let run = 0; run < runs; run++) {
    const before = ownCpuMs();
    await cluster.query(sql, { session });
    cpu.push(ownCpuMs() - before);
  }
  const { queryStats } = (await (await cluster.fetch(`/v1/query/${queryId}`)).json()) as { queryStats: { totalTasks: number } };
  return { tasks: queryStats.totalTasks, cpuMs: median(cpu) };
}
