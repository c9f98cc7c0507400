/**
 * Each past bug is documented, and is a scenario: scenarios.test.ts runs it, so that it stays fixed.
 */
import { describe, expect, it } from "vitest";
import { bugs } from "../../scenarios/bugs/index.ts";
import { findScenario, scenarioNames } from "../../scenarios/index.ts";

describe("the bug base", () => {
  it("is among the scenarios, by names that are nobody else's", () => {
    const names = scenarioNames();
    expect(new Set(names).size).toBe(names.length);
    for (const { scenario } of bugs) {
      expect(findScenario(scenario.name)).toBe(scenario);
    }
  });

  it("says what each bug was", () => {
    for (const { noticed, cause, fixed } of bugs) {
      expect(fixed).toMatch(/^\d{4}-\d\d-\d\d$/);
      expect(noticed.sentence).not.toBe("");
      expect(cause).toMatch(/src\/\S+\.ts/);
    }
  });
});
