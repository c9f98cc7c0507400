/** `cluster.tape()`: the simulator replays what a test has seen. */
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { replayTape } from "../../sim/replay/replay.ts";
import { readTape } from "../../sim/replay/tape.ts";
import { withCluster } from "../../src/testing/index.ts";

let folder = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "orrery-tape-"));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

describe("a tape", () => {
  it.each([true, false])("of a crash, a restart and messages that were hit is replayed output by output, with HTTP: %s", async (http) => {
    await using cluster = await withCluster({
      http,
      record: true,
      chaos: { fate: "reset", path: /\/results\//, percent: 20 },
      properties: { "retry-policy": "NONE" },
    });
    const { rows } = await cluster.query("SELECT count(*) FROM tpch.tiny.orders o JOIN tpch.tiny.lineitem l ON o.orderkey = l.orderkey");
    expect(rows).toEqual([[60_175n]]);
    const slow = cluster.slow("worker-1", { factor: 30 });
    const running = cluster.query("SELECT sum(quantity) FROM tpch.sf1.lineitem").catch((error: unknown) => error);
    await cluster.working("worker-1");
    await cluster.kill("worker-1");
    expect(await running).toMatchObject({ errorName: "REMOTE_HOST_GONE" });
    slow.heal();
    await cluster.restart("worker-1");
    await cluster.shutdown("worker-2");
    await cluster.query("SELECT count(*) FROM tpch.tiny.nation");

    expect(await cluster.tape().save(folder)).toBe(folder);
    expect(readdirSync(folder).sort()).toEqual(
      ["coordinator-1", "worker-1-1", "worker-1-2", "worker-2-1"].map((name) => `${name}.orrery-recording`),
    );
    const result = await replayTape(readTape(folder));
    expect(result.difference).toBeUndefined();
    expect(result).toMatchObject({ nodes: 4, skipped: [] });
    expect(result.failures).toContainEqual(expect.objectContaining({ errorName: "REMOTE_HOST_GONE" }));
    expect(result.matched).toBe(result.outputs);
    expect(result.outputs).toBeGreaterThan(100);
  });

  it("is of no use with fault points, which it does not hold", async () => {
    await using cluster = await withCluster({ http: false, workers: 1, record: true });
    expect(() => cluster.chaos({ point: "slice-ends-early" })).toThrow("fault points are not on a tape");
    await expect(withCluster({ record: true, chaos: { point: "slice-ends-early" } })).rejects.toThrow("fault points are not on a tape");
  });
});
