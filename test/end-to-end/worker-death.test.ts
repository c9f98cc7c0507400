/**
 * Worker threads that die: they are restarted, and a cluster without workers reports it. A preloaded script throws in a thread when a
 * certain file exists.
 */
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type RunningServer, runProgram, startServer, stopServer } from "../support/programs/server-process.ts";

let folder: string;
let server: RunningServer;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "orrery-death-"));
  const script = join(folder, "die.mjs");
  writeFileSync(
    script,
    `import { existsSync } from "node:fs";
import { isMainThread, workerData } from "node:worker_threads";
if (!isMainThread) {
  setInterval(() => {
    if (existsSync(${JSON.stringify(folder)} + "/kill-" + workerData.nodeId)) throw new Error("planted");
  }, 20);
}`,
  );
  server = await startServer(["--workers", "2"], {
    environment: {
      NODE_OPTIONS: `--import ${pathToFileURL(script)}`,
      ORRERY_NODE_SCHEDULER_ALLOWED_NO_MATCHING_NODE_PERIOD: "2s",
      ORRERY_NODE_SPILL_DIR: join(folder, "spill"),
    },
  });
});

afterAll(async () => {
  server.kill("SIGKILL");
  await server.ended;
  rmSync(folder, { recursive: true, force: true });
});

async function ask(sql: string): Promise<string> {
  const { output, errors } = await runProgram("cli", ["--server", server.uri, "--execute", sql]);
  return (output + errors).trim();
}

/** Bounded by the test's own timeout. */
async function until(question: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await question())) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const kill = (nodeId: string): void => writeFileSync(join(folder, `kill-${nodeId}`), "");
const spare = (nodeId: string): void => rmSync(join(folder, `kill-${nodeId}`));
const deaths = (nodeId: string): number => server.errors().split(`Worker ${nodeId} died: planted; it is started again`).length - 1;

async function ready(): Promise<{ readonly status: number; readonly text: string; readonly starting: boolean }> {
  const [readyz, info] = await Promise.all([fetch(`${server.uri}/readyz`), fetch(`${server.uri}/v1/info`)]);
  return { status: readyz.status, text: await readyz.text(), starting: ((await info.json()) as { starting: boolean }).starting };
}

const active = "SELECT node_id, http_uri FROM system.runtime.nodes WHERE NOT coordinator AND state = 'active' ORDER BY node_id";
const join3 = "SELECT count(*) FROM tpch.tiny.lineitem l JOIN tpch.tiny.orders o ON l.orderkey = o.orderkey";

it("starts a thread again that died, and uses it", async () => {
  const before = await ask(active);
  expect(before.split("\n")).toHaveLength(2);
  kill("worker-2");
  await until(() => deaths("worker-2") > 0);
  spare("worker-2");
  // The dead worker stays active until its failure is detected; the replacement has an address of its own.
  await until(async () => {
    const now = await ask(active);
    return now !== before && now.split("\n").length === 2;
  });
  expect(await ask(join3)).toBe('"60175"');
  expect(await ready()).toEqual({ status: 200, text: "ready", starting: false });
  // The dead worker's directory is gone: one directory for the coordinator and one for each worker remain.
  expect(existsSync(join(folder, "spill"))).toBe(true);
  await until(() => readdirSync(join(folder, "spill")).length === 3);
});

it("says that it has no workers, to probes and to a query, and goes on when they are back", async () => {
  kill("worker-1");
  kill("worker-2");
  await until(async () => (await ready()).status === 503);
  expect(await ready()).toEqual({ status: 503, text: "too few workers", starting: true });
  expect(await ask(join3)).toMatch(/failed: No nodes available to run query$/);
  spare("worker-1");
  spare("worker-2");
  await until(async () => (await ready()).status === 200);
  expect(await ask(join3)).toBe('"60175"');
});

it("ends in order however often a thread has died", async () => {
  expect(await stopServer(server)).toBe(0);
  expect(readdirSync(join(folder, "spill"))).toEqual([]);
});
