/**
 * Start-up time, idle memory and latency of the real programs.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { type RunningServer, startServer, stopServer } from "../test/support/programs/server-process.ts";
import { cpuMsOf } from "./cpu.ts";
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
    "three small tables joined":
      "SELECT s.name, n.name, r.name FROM supplier s JOIN nation n ON s.nationkey = n.nationkey JOIN region r ON n.regionkey = r.regionkey",
  };
  say(`${await measureFloor()} (${selectRuns} runs, one client)`);
  for (const [name, sql] of Object.entries(statements)) {
    say(`${name}: ${await latencyOf(server.process.pid as number, () => client.rows(sql))}`);
  }
  await client.close();
  for (const clients of [1, 8, 64]) {
    const cpuBefore = cpuMsOf(server.process.pid as number);
    const { count, perSecond } = await statementsPerSecond(server.uri, clients);
    const cpu = (cpuMsOf(server.process.pid as number) - cpuBefore) / count;
    say(`SELECT 1 from ${clients} clients at once: ${perSecond.toFixed(0)} statements a second, CPU ${cpu.toFixed(2)} ms each`);
  }
  await stopServer(server);
}

/** Latency of repeated work, and the CPU time that the process took for it, which says more on a busy machine. */
async function latencyOf(processId: number, work: () => Promise<unknown>): Promise<string> {
  const times: number[] = [];
  for (let run = 0; run < warmUpRuns; run++) {
    await work();
  }
  const cpuBefore = cpuMsOf(processId);
  for (let run = 0; run < selectRuns; run++) {
    const started = performance.now();
    await work();
    times.push(performance.now() - started);
  }
  const cpu = (cpuMsOf(processId) - cpuBefore) / selectRuns;
  return `p50 ${quantile(times, 0.5).toFixed(2)} ms, p99 ${quantile(times, 0.99).toFixed(2)} ms, CPU ${cpu.toFixed(2)} ms`;
}

/** What a statement of one page costs at least: two requests to a server that answers at once, from the same client. */
async function measureFloor(): Promise<string> {
  const program = `require("node:http").createServer((request, response) => {
    request.resume().on("end", () => response.end('{"data":[[1]]}'));
  }).listen(0, "127.0.0.1", function () { console.log(this.address().port); });`;
  const child = spawn(process.execPath, ["-e", program], { stdio: ["ignore", "pipe", "inherit"] });
  const [port] = await once(child.stdout, "data");
  const client = new BenchClient(`http://127.0.0.1:${String(port).trim()}`, { catalog: "tpch", schema: "tiny" });
  const twoRequests = async (): Promise<void> => {
    await client.rows("");
    await client.rows("");
  };
  try {
    return `two bare requests: ${await latencyOf(child.pid as number, twoRequests)}`;
  } finally {
    await client.close();
    child.kill();
  }
}

/** Each client sends the next statement as soon as it has the result. */
async function statementsPerSecond(uri: string, clients: number): Promise<{ readonly count: number; readonly perSecond: number }> {
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
  const count = counts.reduce((sum, one) => sum + one, 0);
  return { count, perSecond: (count * 1000) / (performance.now() - started) };
}
