/** Every inquiry has the answer that the interface promises, on a cluster that works, and disturbs nothing. */
import { expect, it } from "vitest";
import { calmCluster, reads, second, user } from "../../scenarios/scenario.ts";
import { inquiryNames, inquiryOf } from "../../sim/inquiries/bank.ts";
import { scriptNames, scriptOf } from "../../sim/inquiries/scripts.ts";
import type { PlannedUser } from "../../sim/plan.ts";
import { runPlan } from "../../sim/run.ts";

const statements = ["SELECT count(*) FROM lineitem", "SELECT nosuchcolumn FROM nation", "SELECT name FROM nation ORDER BY name"];

function planOf(asks: readonly string[], management: "static" | "dynamic") {
  const curious: PlannedUser = {
    ...user("i1", [reads("SELECT 1")], second / 2),
    inquires: { asks, pauseNanos: 20_000_000 },
  };
  const others = ["u1", "u2"].map((name) =>
    user(
      name,
      statements.map((sql) => reads(sql, second / 4)),
      second / 2,
    ),
  );
  return calmCluster("1", { users: [...others, curious], properties: { "catalog.management": management }, healNanos: second });
}

it.each(["static", "dynamic"] as const)("are answered as the interface says, with %s catalogs", async (management) => {
  const { checks, violations } = await runPlan(planOf(inquiryNames, management), {});
  expect(violations.map(({ sentence }) => sentence)).toEqual([]);
  expect(checks["probes"]).toBeGreaterThanOrEqual(inquiryNames.length);
});

it.each(scriptNames)("script: %s", async (script) => {
  const plan = planOf([], "dynamic");
  const users = plan.users.map(
    (one): PlannedUser => (one.inquires === undefined ? one : { ...one, inquires: { ...one.inquires, script } }),
  );
  const { checks, violations } = await runPlan({ ...plan, users }, {});
  expect(violations.map(({ sentence }) => sentence)).toEqual([]);
  expect(checks["probes"]).toBeGreaterThanOrEqual(scriptOf(script).steps.length);
});

it("have names of their own", () => {
  expect(new Set(inquiryNames).size).toBe(inquiryNames.length);
});

it("are refused by name if they are not known", () => {
  expect(() => inquiryOf("nothing of the kind")).toThrow("no inquiry is called 'nothing of the kind'");
});
