/**
 * Start-up time, idle memory and latency of the real programs.
 */
import { readFileSync } from "node:fs";
import { type RunningServer, startServer, stopServer } from "../test/support/programs/server-process.ts";
import { median, quantile, say } from "./figures.ts";
import { BenchClient } from "./statement.ts";

const starts = 7;
const idleMs = 3000;
const selectRuns = 1000;
const warmUpRuns = 200;
const throughputMs = 3000;

function residentBytes(server: RunningServer): number {
  const status = readFileSync(`/proc/${server.process.pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1024;
}

export async function measureStart(): Promise<void> {
  const toFirstRow: number[] = [];
  const memory: number[] = [];
  for (let run = 0; run < starts; run++) {
    const started = performance.now();
    const server = await startServer(["--workers", "2"]);
    const client = new BenchClient(server.uri, { catalog: "tpch", schema: "tiny" });
    const rows = await client.rows("SELECT * FROM nation");
    toFirstRow.push(performance.now() - started);
    if (rows.length !== 25) {
      throw new Error(`nation has ${rows.length} rows`);
    }
    if (run === 0) {
      await new Promise((resolve) => setTimeout(resolve, idleMs));
    }
    memory.push(residentBytes(server));
    await client.close();
    await stopServer(server);
  }
  say(
    `process start to first row from tpch.tiny.nation: ${median(toFirstRow).toFixed(0)} ms (median of ${starts}, ${Math.min(...toFirstRow).toFixed(0)} to ${Math.max(...toFirstRow).toFixed(0)})`,
  );
  say(
    `resident memory, coordinator and two workers, after it: ${((memory[0] as number) / 2 ** 20).toFixed(0)} MB idle for ${idleMs / 1000} s, ${(median(memory) / 2 ** 20).toFixed(0)} MB at once`,
  );
}

export async function measureLatency(): Promise<void> {
  const server = await startServer(["--workers", "2"]);
  const client = new BenchClient(server.uri, { catalog: "tpch", schema: "tiny" });
  const statements = {
    "SELECT 1": "SELECT 1",
    "a nation by key": "SELECT name FROM nation WHERE nationkey = 7",
    "nations with their regions": "SELECT n.name, r.name FROM nation n JOIN region r ON n.regionkey = r.regionkey",
  };
  for (const [name, sql] of Object.entries(statements)) {
    const times: number[] = [];
    for (let run = -warmUpRuns; run < selectRuns; run++) {
      const started = performance.now();
      await client.rows(sql);
      if (run >= 0) {
        times.push(performance.now() - started);
      }
    }
    say(
      `${name}: p50 ${quantile(times, 0.5).toFixed(2)} ms, p99 ${quantile(times, 0.99).toFixed(2)} ms through the statement protocol (${selectRuns} runs, one client)`,
    );
  }
  await client.close();
  for (const clients of [1, 8, 64]) {
    say(`SELECT 1 from ${clients} clients at once: ${(await statementsPerSecond(server.uri, clients)).toFixed(0)} statements a second`);
  }
  await stopServer(server);
}

/** Each client sends the next statement as soon as it has the result. */
async function statementsPerSecond(uri: string, clients: number): Promise<number> {
  const started = performance.now();
  const end = started + throughputMs;
  const counts = await Promise.all(
    Array.from({ length: clients }, async () => {
      const client = new BenchClient(uri, { catalog: "tpch", schema: "tiny" });
      let count = 0;
      while (performance.now() < end) {
        await client.rows("SELECT 1");
        count++;
      }
      await client.close();
      return count;
    }),
  );
  return (counts.reduce((sum, count) => sum + count, 0) * 1000) / (performance.now() - started);
}
