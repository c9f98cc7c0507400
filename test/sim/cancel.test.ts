/**
 * A cancelled statement stops within a slice: after the deletion of its tasks has reached a node, no driver of it runs more than one slice
 * there.
 */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { SharedState } from "../../sim/shared.ts";
import { World } from "../../sim/world/world.ts";
import { Driver } from "../../src/execution/driver/driver.ts";
import type { SliceOutcome } from "../../src/execution/driver/executor.ts";
import { Asker } from "../support/service.ts";
import { type SimulatedService, startSimulatedService } from "../support/simulated-service.ts";

interface Slice {
  readonly place: string;
  readonly driver: Driver;
}

/** Slices so far, and the slice at which each node last received a cancellation for the query. */
interface Told {
  readonly slices: Slice[];
  readonly endedAt: Map<string, number>;
}

const headers = { "x-engine-user": "cancels", "x-engine-catalog": "tpch", "x-engine-schema": "tiny" };
const shared = new SharedState();
/** Small slices, so that one slice too many is visible. */
const properties = { "task.max-slice-rows": "256" };

let told: Told;

beforeEach(() => {
  told = { slices: [], endedAt: new Map() };
  const { slices, endedAt } = told;
  let ran: Driver | undefined;
  const { runSlice } = Driver.prototype;
  const runs = (driver: Driver): SliceOutcome => {
    ran = driver;
    return runSlice.call(driver);
  };
  vi.spyOn(Driver.prototype, "runSlice").mockImplementation(function (this: Driver) {
    return runs(this);
  });
  const { note, on } = World.prototype;
  // The executor ends each slice with a turn of its node's clock, whose event has the node's name.
  vi.spyOn(World.prototype, "on").mockImplementation(function (this: World, incarnation, atNanos, label, run) {
    if (label === "turn" && ran !== undefined) {
      slices.push({ place: incarnation.place, driver: ran });
      ran = undefined;
    }
    return on.call(this, incarnation, atNanos, label, run);
  });
  vi.spyOn(World.prototype, "note").mockImplementation(function (this: World, place, kind, detail) {
    if (kind === "serve" && / DELETE \S*\/v1\/(task|statement)\//.test(detail)) {
      endedAt.set(place, slices.length);
    }
    note.call(this, place, kind, detail);
  });
});

afterEach(() => {
  vi.restoreAllMocks();
});

async function inCluster(act: (asker: Asker, service: SimulatedService) => Promise<void>): Promise<void> {
  const service = await startSimulatedService("cancel", { properties, shared });
  try {
    await act(new Asker(service, headers), service);
  } finally {
    await service.stop();
  }
}

/** Slices of a whole run. */
async function slicesOf(sql: string): Promise<number> {
  await inCluster(async (asker) => {
    expect((await asker.chain(sql)).at(-1)?.["error"]).toBeUndefined();
  });
  return told.slices.splice(0).length;
}

describe("a cancelled statement", () => {
  it.each([
    ["scan", `SELECT count(*) FROM tpch."sf0.1".lineitem WHERE comment NOT LIKE '%z%q%z%'`],
    ["join", "SELECT count(*) FROM lineitem a JOIN lineitem b ON a.partkey = b.partkey AND a.comment < b.comment"],
    [
      "aggregation",
      `SELECT count(*), max(n) FROM (SELECT partkey, suppkey, count(*) n FROM tpch."sf0.1".lineitem GROUP BY partkey, suppkey) t`,
    ],
    ["sort", `SELECT totalprice, orderkey FROM tpch."sf0.1".orders ORDER BY totalprice, orderkey`],
    ["window", "SELECT max(n) FROM (SELECT rank() OVER (PARTITION BY suppkey ORDER BY comment) n FROM lineitem) t"],
  ])("stops within a slice: %s", async (_name, sql) => {
    const whole = await slicesOf(sql);
    expect(whole).toBeGreaterThan(30);
    await inCluster(async (asker, service) => {
      const { nextUri } = await asker.object("POST", "/v1/statement", sql);
      for (let waited = 0; told.slices.length < whole / 3 && waited < 100_000; waited++) {
        await service.wait(0.1);
      }
      const cancelledAt = told.slices.length;
      expect((await asker.ask("DELETE", nextUri as string)).status).toBe(204);
      await service.wait(10_000);
      // The query was running on the workers, and each of them received the cancellation.
      const before = new Set(told.slices.slice(0, cancelledAt).map(({ place }) => place));
      for (const place of before) {
        expect([...told.endedAt.keys()]).toContain(place);
      }
      expect([...before].some((place) => service.workerNames.includes(place))).toBe(true);
      const later = new Map<Driver, number>();
      for (const [index, { place, driver }] of told.slices.entries()) {
        if (index >= (told.endedAt.get(place) ?? 0)) {
          later.set(driver, (later.get(driver) ?? 0) + 1);
        }
      }
      expect(Math.max(0, ...later.values())).toBeLessThanOrEqual(1);
      expect(told.slices.length).toBeLessThan(whole * 0.8);
      expect(service.workerNames.map((name) => service.cluster.node(name)?.leftovers().tasks)).toEqual(service.workerNames.map(() => 0));
    });
  });
});
