/** The secret of a cluster of real processes: found on one machine, required on several, and kept from strangers. */
import { existsSync, mkdtempSync, chmodSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { intrusions } from "../support/intruder.ts";
import { type Program, startProgram, startServer } from "../support/programs/server-process.ts";

let home: string;
const programs: Program[] = [];

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "orrery-home-"));
});

afterEach(async () => {
  for (const program of programs.splice(0)) {
    program.kill("SIGKILL");
    await program.ended;
  }
  rmSync(home, { recursive: true, force: true });
});

function started<T extends Program>(program: T): T {
  programs.push(program);
  return program;
}

const secretVariable = "ORRERY_INTERNAL_COMMUNICATION_SHARED_SECRET";

async function activeWorkers(uri: string): Promise<number> {
  return ((await (await fetch(`${uri}/v1/cluster`)).json()) as { readonly activeWorkers: number }).activeWorkers;
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) {
    await new Promise((resolve) => setImmediate(resolve));
  }
}

it("is made at the first start, and a worker of the same user joins without configuration; strangers are refused", async () => {
  const environment = { HOME: home, ORRERY_NODE_SCHEDULER_INCLUDE_COORDINATOR: "false" };
  const server = started(await startServer(["--workers", "0"], { environment }));
  const path = join(home, ".orrery/internal-secret");
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readFileSync(path, "utf8").trim()).toMatch(/^[\w-]{43}$/);
  const worker = started(startProgram("worker", ["--coordinator", server.uri, "--node-id", "w"], { environment: { HOME: home } }));
  const [, workerUri = ""] = await worker.waitFor(/listens on (\S+)/);
  await until(async () => (await activeWorkers(server.uri)) === 1);
  for (const uri of [server.uri, workerUri]) {
    for (const { method, path: target, body } of intrusions) {
      const response = await fetch(uri + target, { method, ...(body === undefined ? {} : { body }) });
      await response.arrayBuffer();
      expect(`${method} ${target} ${response.status}`).toBe(`${method} ${target} 401`);
    }
  }
  // A worker with another secret is told so and does not join.
  const stranger = started(
    startProgram("worker", ["--coordinator", server.uri, "--node-id", "stranger"], {
      environment: { HOME: home, [secretVariable]: "the secret of another cluster" },
    }),
  );
  await stranger.waitFor(/listens on/);
  await until(() => Promise.resolve(/announcement-failed.*401.*all nodes need the same/.test(stranger.errors())));
  expect(await activeWorkers(server.uri)).toBe(1);
});

it("is required of a worker that other machines reach", async () => {
  for (const [args, secret, reason] of [
    [["--coordinator", "http://127.0.0.1:9", "--host", "0.0.0.0"], "", "set internal-communication.shared-secret to the same value"],
    [["--coordinator", "http://192.0.2.1:9"], "", "set internal-communication.shared-secret to the same value"],
    [["--coordinator", "http://127.0.0.1:9"], "short", "is too short: expected at least 16 characters"],
  ] as const) {
    const worker = started(startProgram("worker", args, { environment: { HOME: home, [secretVariable]: secret } }));
    expect(await worker.ended).toBe(100);
    expect(worker.errors()).toContain(reason);
    expect(worker.errors()).not.toContain("short'");
  }
  expect(existsSync(join(home, ".orrery"))).toBe(false);
});

it("is not taken from a file that others can read", async () => {
  const first = started(await startServer(["--workers", "0"], { environment: { HOME: home } }));
  first.kill("SIGKILL");
  await first.ended;
  chmodSync(join(home, ".orrery/internal-secret"), 0o644);
  const second = started(startProgram("server", ["--port", "0", "--workers", "0"], { environment: { HOME: home } }));
  expect(await second.ended).toBe(100);
  expect(second.errors()).toContain("is not a secret of this user alone");
});
