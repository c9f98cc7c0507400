/**
 * Past bugs stay fixed, and each one is documented.
 */
import { describe, expect, it } from "vitest";
import { bugs } from "../../scenarios/bugs/index.ts";
import { findScenario, scenarioNames } from "../../scenarios/index.ts";
import { runPlan } from "../../sim/run.ts";
import { SharedState } from "../../sim/shared.ts";

const shared = new SharedState();

describe("the bug base", () => {
  it("is among the scenarios, by names that are nobody else's", () => {
    const names = scenarioNames();
    expect(new Set(names).size).toBe(names.length);
    for (const { scenario } of bugs) {
      expect(findScenario(scenario.name)).toBe(scenario);
    }
  });

  it("has runs without a violation, and says what each bug was", async () => {
    for (const { scenario, noticed, cause, fixed } of bugs) {
      expect(fixed).toMatch(/^\d{4}-\d\d-\d\d$/);
      expect(noticed.sentence).not.toBe("");
      expect(cause).toMatch(/src\/\S+\.ts/);
      const { violations } = await runPlan(scenario.plan("1"), { shared });
      expect(violations, scenario.name).toEqual([]);
    }
  });
});
