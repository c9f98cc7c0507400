/** Users with rights of their own: their statements give what the rules say, and a node that does not have the rules is noticed. */
import { describe, expect, it } from "vitest";
import { drawRun } from "../../../sim/draw/draw.ts";
import type { RunPlan } from "../../../sim/plan.ts";
import { runPlan } from "../../../sim/run.ts";
import { SharedState } from "../../../sim/shared.ts";
import { withoutDraws } from "../../../sim/workload/volatile.ts";
import { calmCluster, reads } from "../../../scenarios/scenario.ts";

const shared = new SharedState();

/** Plans of the first seeds that have rules, with their restricted users alone, who read all. */
const plans = Array.from({ length: 60 }, (_, seed) => drawRun(String(seed + 1)))
  .filter(({ access }) => access !== undefined)
  .slice(0, 4)
  .map(({ access, seed, userGroups, users }): RunPlan => {
    const restricted = users
      .filter(({ peeks }) => peeks === true)
      .map((user) => ({ ...user, statements: user.statements.map((statement) => ({ ...statement, ...reads(statement.sql) })) }));
    const rights = { ...(access !== undefined && { access }), ...(userGroups !== undefined && { userGroups }) };
    return calmCluster(seed, { users: restricted, ...rights });
  });

describe("restricted users", () => {
  it("are drawn, with statements that are refused and statements that have rows", () => {
    const statements = plans.flatMap(({ users }) => users.flatMap((user) => user.statements));
    expect(plans.length).toBeGreaterThan(1);
    expect(statements.filter(({ restricted }) => restricted !== undefined && "denied" in restricted).length).toBeGreaterThan(2);
    expect(statements.filter(({ restricted }) => restricted !== undefined && "equivalent" in restricted).length).toBeGreaterThan(2);
  });

  it.each(plans.map((plan) => [plan.seed, plan] as const))(
    "of seed %s get what the rules say, and are noticed without them",
    async (_, plan) => {
      expect((await runPlan(plan, { shared })).violations).toEqual([]);
      const { access: _rules, ...free } = plan;
      const { violations } = await runPlan(free, { shared, stopAt: ({ oracle }) => oracle === "results" });
      expect(violations.map(({ oracle }) => oracle)).toContain("results");
    },
  );
});

describe("statements with a random column", () => {
  it("are drawn, and compared without that column", () => {
    const volatile = Array.from({ length: 40 }, (_, seed) => drawRun(String(seed + 1)))
      .flatMap(({ users }) => users.flatMap(({ statements }) => statements))
      .filter((statement) => statement.volatile !== undefined);
    expect(volatile.length).toBeGreaterThan(2);
    expect(
      withoutDraws([
        [1, "a", 0.5],
        [2, null, 0.7],
      ]),
    ).toEqual([
      [1, "a"],
      [2, null],
    ]);
  });
});
