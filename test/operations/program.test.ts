/** Operations of a server program: metrics of its worker threads; query events to the end of its shutdown. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RunningServer, runProgram, startServer } from "../support/programs/server-process.ts";
import { Receiver } from "./receiver.ts";
import { Scrape } from "./scrape.ts";

describe("/metrics of npm start", () => {
  let server: RunningServer;

  beforeAll(async () => {
    server = await startServer(["--workers", "2"], { environment: { ORRERY_FAILURE_DETECTOR_HEARTBEAT_TIMEOUT: "5m" } });
  });

  afterAll(async () => {
    server.kill("SIGKILL");
    await server.ended;
  });

  it("has the series of each worker thread, and one set of the process", async () => {
    const { code } = await runProgram("cli", ["--server", server.uri, "--execute", "SELECT count(*) FROM tpch.tiny.lineitem"]);
    expect(code).toBe(0);
    const scrape = new Scrape(await (await fetch(`${server.uri}/metrics`)).text());
    const nodes = (name: string): readonly (string | undefined)[] =>
      (scrape.families.get(name)?.series ?? []).map(({ labels }) => labels["node"]).toSorted();
    expect(nodes("orrery_node_up")).toEqual(["coordinator", "worker-1", "worker-2"]);
    expect(nodes("orrery_memory_capacity_bytes")).toEqual(["coordinator", "worker-1", "worker-2"]);
    expect(nodes("process_resident_memory_bytes")).toEqual(["coordinator"]);
    expect(scrape.value("orrery_node_up")).toBe(3);
    expect(scrape.value("orrery_catalog_scanned_rows_total", { catalog: "tpch" })).toBe(60175);
    expect(scrape.value("orrery_active_workers")).toBe(2);
    expect(scrape.value("process_cpu_user_seconds_total")).toBeGreaterThan(0);
  });
});

describe("query events of npm start", () => {
  it("are logged, written and delivered before the program ends", async () => {
    const folder = mkdtempSync(join(tmpdir(), "orrery-events-"));
    const receiver = await Receiver.start();
    // Nothing is taken until the program is told to end.
    receiver.status = () => 503;
    const server = await startServer(["--workers", "1"], {
      environment: {
        ORRERY_FAILURE_DETECTOR_HEARTBEAT_TIMEOUT: "5m",
        ORRERY_LOG_LEVEL: "info",
        ORRERY_QUERY_LOG_PATH: join(folder, "queries.jsonl"),
        ORRERY_EVENT_LISTENER_NAME: "http",
        ORRERY_HTTP_EVENT_LISTENER_CONNECT_INGEST_URI: receiver.uri,
        ORRERY_HTTP_EVENT_LISTENER_LOG_COMPLETED: "true",
        ORRERY_HTTP_EVENT_LISTENER_CONNECT_RETRY_COUNT: "1000",
        ORRERY_HTTP_EVENT_LISTENER_CONNECT_RETRY_DELAY: "20ms",
        ORRERY_HTTP_EVENT_LISTENER_CONNECT_MAX_DELAY: "20ms",
      },
    });
    try {
      const { errors } = await runProgram("cli", ["--server", server.uri, "--execute", "SELECT nosuch FROM tpch.tiny.nation"]);
      const queryId = /Query (\S+) failed/.exec(errors)?.[1];
      await receiver.until(() => receiver.requests.length > 2);
      server.kill("SIGTERM");
      receiver.status = () => 200;
      expect(await server.ended).toBe(0);
      const bodies = receiver.requests.map(({ body }) => JSON.parse(body.toString("utf8")) as { metadata: { queryId: string } });
      expect(new Set(bodies.map(({ metadata }) => metadata.queryId))).toEqual(new Set([queryId]));
      const lines = readFileSync(join(folder, "queries.jsonl"), "utf8").trimEnd().split("\n");
      expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([{ queryId, state: "FAILED", errorName: "COLUMN_NOT_FOUND" }]);
      expect(server.errors()).toContain(queryId);
      expect(
        server
          .errors()
          .split("\n")
          .filter((line) => line.includes('"query-failed"')),
      ).toHaveLength(1);
    } finally {
      server.kill("SIGKILL");
      await server.ended;
      await receiver.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
