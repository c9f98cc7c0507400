/** Metrics of a server program: its worker threads are part of the answer, and one that is stuck or gone does not hold it up. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RunningServer, runProgram, startServer } from "../support/programs/server-process.ts";
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
