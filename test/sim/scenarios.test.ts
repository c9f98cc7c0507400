/**
 * Every scenario holds, and is not vacuous, for one of two seeds in turn; for both with ORRERY_TEST_ALL=1.
 */
import { describe, expect, it } from "vitest";
import { findScenario, scenarioNames } from "../../scenarios/index.ts";
import { runPlan } from "../../sim/run.ts";
import { SharedState } from "../../sim/shared.ts";
import { isInTurn } from "../support/programs/rotation.ts";

const shared = new SharedState();

describe.each(scenarioNames().map((name, index) => [name, index] as const))("%s", (name, index) => {
  it.each(["1", "2"].filter((seed) => isInTurn(index + Number(seed))))("seed %s", async (seed) => {
    const plan = findScenario(name)?.plan(seed);
    expect(plan?.expect).toBeDefined();
    if (plan !== undefined) {
      expect((await runPlan(plan, { shared })).violations).toEqual([]);
    }
  });
});
