/** How long clusters of `orrery/testing` take to become ready, from the call to the end of their first query, and to close. */
import { type ClusterOptions, withCluster } from "../../src/testing/index.ts";
import { median, quantile, say, table } from "../figures.ts";

const kinds: readonly { readonly name: string; readonly options: ClusterOptions }[] = [
  { name: "no HTTP, no workers", options: { http: false, workers: 0 } },
  { name: "no HTTP, 2 workers", options: { http: false } },
  { name: "HTTP, 2 workers", options: {} },
  { name: "HTTP, 2 workers, recording", options: { record: true } },
  { name: "HTTP, 8 workers", options: { workers: 8 } },
];

const columns = ["first", "median", "90 %", "query", "close"];

export async function measureTesting(runs: number): Promise<void> {
  say(`A cluster of orrery/testing, ${runs} times: milliseconds until it is ready, of a query, and to close`);
  const rows = [["", ...columns]];
  for (const { name, options } of kinds) {
    const ready: number[] = [];
    const query: number[] = [];
    const close: number[] = [];
    for (let round = 0; round < runs; round++) {
      const startMs = performance.now();
      const cluster = await withCluster(options);
      const readyMs = performance.now();
      await cluster.query("SELECT count(*) FROM tpch.tiny.nation");
      const queriedMs = performance.now();
      await cluster.close();
      ready.push(readyMs - startMs);
      query.push(queriedMs - readyMs);
      close.push(performance.now() - queriedMs);
    }
    const figures = [ready[0] ?? 0, median(ready), quantile(ready, 0.9), median(query), median(close)];
    rows.push([name, ...figures.map((value) => value.toFixed(1))]);
  }
  say(table(rows));
}
