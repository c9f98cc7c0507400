/**
 * Every scenario holds, and is not vacuous, for two seeds.
 */
import { describe, expect, it } from "vitest";
import { findScenario, scenarioNames } from "../../scenarios/index.ts";
import { runPlan } from "../../sim/run.ts";
import { SharedState } from "../../sim/shared.ts";

const shared = new SharedState();

describe.each(scenarioNames())("%s", (name) => {
  it.each(["1", "2"])("seed %s", async (seed) => {
    const plan = findScenario(name)?.plan(seed);
    expect(plan?.expect).toBeDefined();
    if (plan !== undefined) {
      expect((await runPlan(plan, { shared })).violations).toEqual([]);
    }
  });
});
