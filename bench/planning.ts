/** How long the coordinator parses, analyses and plans TPC-H's queries once it is warm, in this process. */
import { TestPlanner, tpchConnector } from "../test/support/planning.ts";
import { median, say, table } from "./figures.ts";
import { tpchQueries } from "./queries.ts";

const warmUpRuns = 20;
const runs = 30;

export async function measurePlanning(): Promise<void> {
  const planner = new TestPlanner({ tpch: tpchConnector() }, { catalog: "tpch", schema: "sf1" });
  const rows: string[][] = [["planning", "median ms", "worst ms"]];
  for (const [name, sql] of tpchQueries()) {
    const times: number[] = [];
    for (let run = -warmUpRuns; run < runs; run++) {
      const started = performance.now();
      await planner.plan(sql);
      if (run >= 0) times.push(performance.now() - started);
    }
    rows.push([name, median(times).toFixed(2), Math.max(...times).toFixed(2)]);
  }
  say(table(rows));
}
