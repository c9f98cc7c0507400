/**
 * The programs as a new user runs them: start, query, join a worker, kill it, stop. Real processes, real HTTP.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RunningServer, runProgram, startProgram, startServer, stopServer } from "../support/programs/server-process.ts";

function cli(server: string, ...args: string[]): ReturnType<typeof runProgram> {
  return runProgram("cli", ["--server", server, ...args]);
}

/** Bounded by the test's own timeout. */
async function until(question: () => Promise<boolean>): Promise<void> {
  while (!(await question())) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** On a busy machine nodes and clients are slow; these tests do not cover timeouts. */
const patience = {
  environment: { ORRERY_FAILURE_DETECTOR_HEARTBEAT_TIMEOUT: "5m", ORRERY_SHUTDOWN_GRACE_PERIOD: "5m" },
};

async function activeWorkers(uri: string): Promise<number> {
  const { output } = await cli(uri, "--execute", "SELECT count(*) FROM system.runtime.nodes WHERE NOT coordinator AND state = 'active'");
  return Number(output.replaceAll(/\D/g, ""));
}

describe("npm start", () => {
  let folder: string;
  let server: RunningServer;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "orrery-e2e-"));
    mkdirSync(join(folder, "data"));
    writeFileSync(
      join(folder, "data", "people.csv"),
      'name,age,born\nAda,36,1815-12-10\nAlan,41,1912-06-23\n"Grace, Rear Admiral",85,1906-12-09\n',
    );
    writeFileSync(
      join(folder, "data", "events.jsonl.gz"),
      gzipSync('{"id": 1, "what": "start"}\n{"id": 9007199254740993, "what": "stop"}\n'),
    );
    server = await startServer(["--workers", "2", "--data", join(folder, "data")], patience);
  });

  afterAll(async () => {
    server.kill("SIGKILL");
    await server.ended;
    rmSync(folder, { recursive: true, force: true });
  });

  it("says in its first line where it listens and what to ask", () => {
    expect(server.output().split("\n")[0]).toBe(
      `Orrery listens on ${server.uri}; open it in a browser, or try: npm run cli -- --server ${server.uri} --execute "SELECT * FROM tpch.tiny.nation"`,
    );
  });

  it("answers a list of as many values as a statement has room for: more than a call of a function takes arguments", async () => {
    const file = join(folder, "long.sql");
    writeFileSync(file, `SELECT count(*) FROM tpch.tiny.nation WHERE nationkey IN (${Array.from({ length: 480_000 }, () => 7).join(",")})`);
    expect((await cli(server.uri, "--file", file)).output.trim()).toBe('"1"');
  });

  it("answers the pasted query", async () => {
    const { code, output } = await cli(server.uri, "--execute", "SELECT * FROM tpch.tiny.nation");
    expect(code).toBe(0);
    expect(output.split("\n").filter((line) => line !== "").length).toBe(25);
    expect(output).toContain('"UNITED STATES"');
  });

  it("answers over the user's own files", async () => {
    const people = await cli(
      server.uri,
      "--catalog",
      "files",
      "--schema",
      "default",
      "--execute",
      "SELECT name, age + 1 FROM people WHERE born > DATE '1900-01-01' ORDER BY age",
    );
    expect(people.output).toBe('"Alan","42"\n"Grace, Rear Admiral","86"\n');
    const events = await cli(server.uri, "--execute", "SELECT max(id), count(*) FROM files.default.events");
    expect(events.output).toBe('"9007199254740993","2"\n');
  });

  it("writes errors to standard error and ends with a code", async () => {
    const { code, output, errors } = await cli(server.uri, "--execute", "SELECT nosuch FROM tpch.tiny.nation");
    expect(code).not.toBe(0);
    expect(output).toBe("");
    expect(errors).toMatch(/^Query \S+ failed: line 1:8: Column 'nosuch' cannot be resolved/);
  });

  it("takes a further worker process, uses it, and notices when it is killed", async () => {
    const worker = startProgram("worker", ["--coordinator", server.uri, "--node-id", "late", "--data", join(folder, "data")]);
    const [, uri] = await worker.waitFor(/listens on (http:[^\s;,]+)/);
    await until(async () => (await activeWorkers(server.uri)) === 3);
    const spread = await cli(server.uri, "--execute", "SELECT custkey, count(*) FROM tpch.tiny.orders GROUP BY custkey");
    expect(spread.code).toBe(0);
    worker.kill("SIGKILL");
    await worker.ended;
    await until(async () => (await activeWorkers(server.uri)) === 2);
    const failed = (await (await fetch(`${server.uri}/v1/node/failed`)).json()) as {
      uri: string;
      recentFailures: number;
      lastFailureInfo: { type: string };
    }[];
    expect(failed.map((node) => node.uri.replace(/\/$/, ""))).toEqual([uri]);
    expect(failed[0]?.recentFailures).toBeGreaterThan(0);
    const after = await cli(server.uri, "--execute", "SELECT count(*) FROM tpch.tiny.lineitem");
    expect(after.output).toBe('"60175"\n');
  });

  it("finishes what runs on SIGTERM, then exits 0", async () => {
    const own = await startServer(["--workers", "2"], patience);
    const query = cli(
      own.uri,
      "--execute",
      "SELECT count(*), sum(l.quantity) FROM tpch.tiny.lineitem l JOIN tpch.tiny.orders o ON l.orderkey = o.orderkey",
    );
    await until(async () => ((await (await fetch(`${own.uri}/v1/query`)).json()) as unknown[]).length > 0);
    expect(await stopServer(own)).toBe(0);
    const { code, output } = await query;
    expect(code, output).toBe(0);
    expect(output).toContain("60175");
  });
});

describe("a mistake at the start", () => {
  const start = (...args: string[]): ReturnType<typeof runProgram> => runProgram("server", args);

  it("is one clear line and a non-zero exit", async () => {
    const folder = mkdtempSync(join(tmpdir(), "orrery-etc-"));
    mkdirSync(join(folder, "catalog"));
    writeFileSync(join(folder, "config.properties"), "query.max-memory-per-nod=1GB\n");
    const unknown = await start("--port", "0", "--etc", folder);
    expect(unknown.code).toBe(100);
    expect(unknown.errors).toBe(
      `Configuration error: ${join(folder, "config.properties")}: property 'query.max-memory-per-nod' is not known; did you mean 'query.max-memory-per-node'?\n`,
    );
    writeFileSync(join(folder, "config.properties"), "query.max-memory-per-node=lots\n");
    const bad = await start("--port", "0", "--etc", folder);
    expect(bad.code).toBe(100);
    expect(bad.errors).toMatch(/^Configuration error: Invalid value 'lots' for property 'query.max-memory-per-node'[^\n]*\n$/);
    rmSync(folder, { recursive: true });
    const port = await start("--port", "nine");
    expect(port.code).toBe(100);
    expect(port.errors.trim().split("\n").length).toBe(1);
  });

  it("names a port that is taken", async () => {
    const first = await startServer(["--workers", "0"]);
    const second = await start("--port", new URL(first.uri).port);
    expect(second.code, second.errors).toBe(100);
    expect(second.errors).toMatch(/^Port \d+ on 127\.0\.0\.1 is taken by another program/);
    expect(await stopServer(first), first.errors()).toBe(0);
  });

  it("helps", async () => {
    for (const program of ["server", "worker", "cli", "sim"]) {
      const { code, output } = await runProgram(program, ["--help"]);
      expect(code, program).toBe(0);
      expect(output, program).toMatch(/usage/i);
    }
  });
});
