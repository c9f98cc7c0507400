/** Planted violations of the model of sessions of tasks. */
import { describe, expect, it } from "vitest";
import { taskSessions } from "../../../../../sim/checkers/models/query/task-sessions.ts";
import type { RunPlan } from "../../../../../sim/plan.ts";
import { FabricatedRun } from "../fabricated.ts";

const id = "20260101_000000_00000_aaaaa";
const headers = {
  "x-trino-user": "ada",
  "x-trino-catalog": "tpch",
  "x-trino-session": "spill_enabled=false,memory.a=1,query_max_run_time=5+s",
};
const session = {
  user: "ada",
  catalog: "tpch",
  timeZone: "UTC",
  startMillis: 7,
  properties: { spill_enabled: "false", query_max_run_time: "5 s", further: "1" },
};

function run(second: object, sql = "SELECT 1", plan: Partial<RunPlan> = {}): readonly string[] {
  const fabricated = new FabricatedRun(taskSessions, plan).answer(1, "/v1/statement", {
    method: "POST",
    sent: sql,
    sentHeaders: headers,
    body: { id, stats: { state: "QUEUED" } },
  });
  for (const [number, one] of [session, { ...session, ...second }].entries()) {
    const sent = JSON.stringify({ session: one });
    fabricated.answer(2, `/v1/task/${id}.1.${number}`, { to: "w1", method: "POST", sent, body: {} });
  }
  return fabricated.said;
}

describe("the model of sessions of tasks", () => {
  it("accepts what the client sent, and properties of the configuration", () => {
    expect(run({})).toEqual([]);
    expect(run({ properties: {} }, "WITH SESSION spill_enabled = false SELECT 1")).toEqual([]);
  });

  it("accepts what an older build leaves out during an upgrade", () => {
    const upgrade = { kind: "rolling-upgrade", nodes: ["w1"], documents: "older", atNanos: 0, untilNanos: 1 } as const;
    expect(run({ catalog: undefined }, "SELECT 1", { faults: [upgrade] })).toEqual([]);
    expect(run({ catalog: undefined })).toHaveLength(1);
  });

  it.each<[string, object]>([
    ["another user", { user: "bob" }],
    ["another catalog", { catalog: "memory" }],
    ["a property that is lost", { properties: { spill_enabled: "false" } }],
    ["another value", { properties: { ...session.properties, spill_enabled: "true" } }],
    ["a later start", { startMillis: 8 }],
    ["another zone", { timeZone: "Asia/Tokyo" }],
  ])("reports %s", (_, second) => {
    expect(run(second)).toHaveLength(1);
  });
});
