/**
 * A recording server, started by hand: its recording can be imported and replayed, contains no secrets, and survives the process.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { importTape } from "../../sim/replay/import.ts";
import { describeSurvey } from "../../sim/replay/report.ts";
import { checkRest, describeRest, type Rest } from "../../sim/replay/rest.ts";
import { entriesOf } from "../../sim/replay/survey.ts";
import { replayableRun } from "../../sim/replay/fixture.ts";
import { readTape } from "../../sim/replay/tape.ts";
import { recordingEnding } from "../../src/recording/entries.ts";
import { type RunningServer, startServer, stopServer } from "../support/programs/server-process.ts";

const scratch = mkdtempSync(join(tmpdir(), "orrery-recording-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

async function ask(server: RunningServer, sql: string, headers: Readonly<Record<string, string>> = {}): Promise<unknown[]> {
  const send = { "x-presto-user": "alice", "x-presto-catalog": "tpch", "x-presto-schema": "tiny", ...headers };
  let answer = await fetch(`${server.uri}/v1/statement`, { method: "POST", body: sql, headers: send });
  const rows: unknown[] = [];
  for (;;) {
    const document = (await answer.json()) as { readonly nextUri?: string; readonly data?: unknown[] };
    rows.push(...(document.data ?? []));
    if (document.nextUri === undefined) {
      return rows;
    }
    answer = await fetch(document.nextUri);
  }
}

function everyByte(folder: string): string {
  return readdirSync(folder)
    .filter((name) => name.endsWith(recordingEnding))
    .map((name) => readFileSync(join(folder, name)).toString("latin1"))
    .join("");
}

describe("a server that records", () => {
  it("records its rules of access control, also when they change", async () => {
    const folder = join(scratch, "rules");
    const path = join(scratch, "rules.json");
    const filtered = (regionkey: number): string =>
      JSON.stringify({ tables: [{ user: "alice", table: "nation", privileges: ["SELECT"], filter: `regionkey = ${regionkey}` }] });
    writeFileSync(path, filtered(1));
    const environment = {
      ORRERY_ACCESS_CONTROL_NAME: "file",
      ORRERY_SECURITY_CONFIG_FILE: path,
      ORRERY_SECURITY_REFRESH_PERIOD: "20ms",
    };
    const server = await startServer(["--workers", "1", "--record", folder], { environment });
    expect(await ask(server, "SELECT DISTINCT regionkey FROM nation")).toEqual([[1]]);
    writeFileSync(path, filtered(2));
    let rows: unknown[] = [];
    do {
      rows = await ask(server, "SELECT DISTINCT regionkey FROM nation");
    } while (JSON.stringify(rows) === "[[1]]");
    expect(rows).toEqual([[2]]);
    expect(await ask(server, "SELECT count(*) FROM region")).toEqual([]);
    expect(await stopServer(server)).toBe(0);
    const { replayed } = await importTape(readTape(folder), { name: "rules", story: "" });
    expect(replayed.difference).toBeUndefined();
    expect(replayed.matched).toBe(replayed.outputs);
    expect(replayed.failures.map(({ errorName }) => errorName)).toEqual(["PERMISSION_DENIED"]);
  });

  it("writes recordings that replay with every output the same, threads included", async () => {
    const folder = join(scratch, "whole");
    // What observes the node leaves no trace in the recording: here a listener of events that nobody takes, and scrapes.
    const observers = {
      ORRERY_EVENT_LISTENER_NAME: "http",
      ORRERY_HTTP_EVENT_LISTENER_CONNECT_INGEST_URI: "http://127.0.0.1:9/",
      ORRERY_HTTP_EVENT_LISTENER_LOG_CREATED: "true",
      ORRERY_HTTP_EVENT_LISTENER_LOG_COMPLETED: "true",
      OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9/",
      // Nodes have much to say to each other.
      ORRERY_OPTIMIZER_MIN_INPUT_ROWS_PER_TASK: "1",
    };
    const server = await startServer(["--workers", "2", "--record", folder], { environment: observers });
    for (let times = 0; times < 2; times++) {
      expect(await ask(server, "SELECT orderpriority, count(*) FROM orders GROUP BY 1")).toHaveLength(5);
    }
    expect(await ask(server, "SELECT 1 / (nationkey - nationkey) FROM nation")).toEqual([]);
    expect((await fetch(`${server.uri}/metrics`)).status).toBe(200);
    const traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    expect(await ask(server, "SELECT custkey, count(*) FROM orders GROUP BY 1", { traceparent })).toHaveLength(1000);
    const secret = Buffer.from("alice:open sesame").toString("base64");
    expect(await ask(server, "SELECT 'Smith'")).toEqual([["Smith"]]);
    const refused = await fetch(`${server.uri}/v1/statement`, {
      method: "POST",
      body: "SELECT 1",
      headers: { authorization: `Basic ${secret}` },
    });
    expect(await refused.text()).toContain("Password");
    expect(await stopServer(server)).toBe(0);

    const files = readdirSync(folder);
    expect(files).toHaveLength(3);
    // They contain other users' queries.
    expect(files.map((name) => statSync(join(folder, name)).mode & 0o777)).toEqual([0o600, 0o600, 0o600]);
    expect(everyByte(folder)).toContain("Smith");
    expect(everyByte(folder)).not.toContain(secret);
    const tape = readTape(folder);
    const { surveyed, replayed } = await importTape(tape, { name: "whole", story: "" });
    expect(replayed.difference).toBeUndefined();
    expect(replayed).toMatchObject({ nodes: 3, inputs: surveyed.order.length, matched: replayed.outputs });
    expect(replayed.failures.map(({ errorName }) => errorName)).toEqual(["DIVISION_BY_ZERO"]);
    expect(surveyed.failed.map(({ errorName }) => errorName)).toEqual(["DIVISION_BY_ZERO"]);
    expect(surveyed.messagesUnmatched).toBe(0);
    expect(describeSurvey(tape, surveyed).join("\n")).toContain("6 statements of 2 users");
    // Nothing between threads goes over HTTP, whose requests have a Host header. During the first query a node may not know the others'
    // addresses yet.
    const tasks = tape.nodes
      .flatMap((node) => [...entriesOf(replayableRun(node)?.read())])
      .filter((entry) => entry.kind === "arrived")
      .filter(({ url }) => url.startsWith("/v1/task/") && !url.includes("_00000_"));
    expect(tasks.length).toBeGreaterThan(10);
    expect(tasks.filter(({ headers }) => "host" in headers)).toEqual([]);
    // The trace of a client reaches every node that works for its query, from the coordinator and from other workers.
    const traced = tasks.filter(({ url }) => url.includes("_00003_"));
    expect(traced.filter(({ url }) => url.includes("/results/")).length).toBeGreaterThan(2);
    expect(new Set(traced.map(({ headers }) => headers["traceparent"]))).toEqual(new Set([traceparent]));
    expect(tasks.filter(({ headers, url }) => "traceparent" in headers && !url.includes("_00003_"))).toEqual([]);
  });

  it("leaves out literals and rows on request, and is then replayed up to the first of them", async () => {
    const folder = join(scratch, "scrubbed");
    const server = await startServer(["--workers", "1", "--record", folder, "--record-scrub"]);
    const rows = await ask(server, "SELECT name FROM nation WHERE name = 'GERMANY'");
    expect(rows).toEqual([["GERMANY"]]);
    expect(await stopServer(server)).toBe(0);
    expect(everyByte(folder)).not.toContain("GERMANY");
    const tape = readTape(folder);
    const { surveyed, replayed } = await importTape(tape, { name: "scrubbed", story: "" });
    expect(surveyed.clientRequests.map(({ sql }) => sql).filter((sql) => sql !== undefined)).toEqual([
      "SELECT name FROM nation WHERE name = 'xxxxxxx'",
    ]);
    expect(replayed.difference).toBeUndefined();
    expect([...replayed.scrubbedAt.keys()].sort()).toEqual(["coordinator", "worker-1"]);
    expect(replayed.matched).toBe(replayed.outputs);
    expect(replayed.outputs).toBeGreaterThan(5);
  });

  it("that is killed has written all but its last entries, and keeps a copy on request", async () => {
    const folder = join(scratch, "killed");
    const server = await startServer(["--workers", "0", "--record", folder]);
    expect(await ask(server, "SELECT count(*) FROM nation")).toEqual([[25]]);
    server.kill("SIGUSR2");
    let kept: string | undefined;
    while (kept === undefined) {
      kept = /recording kept in (\S+)\n/.exec(server.errors())?.[1];
      await fetch(`${server.uri}/v1/info`);
    }
    server.kill("SIGKILL");
    expect(await server.ended).toBe("SIGKILL");
    for (const one of [kept, folder]) {
      const tape = readTape(one);
      const { surveyed, replayed } = await importTape(tape, { name: "killed", story: "" });
      expect(surveyed.nodes[0]?.ended).toBe(false);
      expect(surveyed.clientRequests.some(({ sql }) => sql === "SELECT count(*) FROM nation")).toBe(true);
      expect(replayed.difference).toBeUndefined();
      expect(replayed.matched).toBe(replayed.outputs);
    }
  });

  it("wraps around in its ring: the start is replayed, and gaps are reported", async () => {
    const folder = join(scratch, "ring");
    const server = await startServer(["--workers", "0", "--record", folder, "--record-size", "1MB"]);
    for (let round = 0; round < 4; round++) {
      // The long text fills the ring.
      await ask(server, `SELECT count(*) FROM nation WHERE name <> '${"x".repeat(400_000)}'`);
    }
    expect(await stopServer(server)).toBe(0);
    const [file] = readdirSync(folder);
    expect(statSync(join(folder, file as string)).size).toBeLessThan(1.1 * 1024 * 1024);
    const tape = readTape(folder);
    const { surveyed, replayed } = await importTape(tape, { name: "ring", story: "" });
    expect(tape.nodes[0]?.runs.length).toBeGreaterThan(1);
    expect(replayed.difference).toBeUndefined();
    expect(replayed.inputs).toBeGreaterThan(2);
    expect(describeSurvey(tape, surveyed).join("\n")).toMatch(
      /the ring overwrote the entries between its start and entry [\d,]+; the replay ends there/,
    );
    // Entries after the gap are still checked.
    const [rest] = checkRest(tape);
    expect(rest).toMatchObject({ nodeId: "coordinator", wrong: [] });
    expect(rest?.lost).toBeGreaterThan(0);
    expect(rest?.entries).toBeGreaterThan(0);
    expect(rest?.pages).toBeGreaterThan(0);
    expect(describeRest([rest as Rest])[0]).toMatch(/^coordinator: the ring overwrote [\d,]+ entries; .* no violation$/);
  });
});
