/** Scenarios that were found: a broken file is left out with a sentence, and breaks nothing else. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { calmCluster } from "../../../scenarios/scenario.ts";
import { scenarios } from "../../../scenarios/index.ts";
import { withFound } from "../../../sim/found.ts";

const folder = mkdtempSync(join(tmpdir(), "orrery-found-"));

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("found scenarios", () => {
  const plan = calmCluster("1", {});
  writeFileSync(join(folder, "good.json"), JSON.stringify({ name: "good", story: "It fails.", shrunkFrom: "seed 1", plan }));
  writeFileSync(join(folder, "half.json"), '{"name": "half", "story"');
  writeFileSync(join(folder, "empty.json"), "null");
  writeFileSync(join(folder, "planless.json"), '{"name": "planless", "story": "", "plan": {"seed": "1"}}');
  const warnings: string[] = [];
  const registry = withFound(scenarios, folder, (sentence) => warnings.push(sentence));

  it("are found by name beside broken files, which are reported", () => {
    expect(registry.find("good")?.plan("9")).toEqual(plan);
    expect(registry.find("half")).toBeUndefined();
    const unread = warnings.splice(0).map((sentence) => sentence.replace(folder, ""));
    expect(unread.slice(0, 3)).toEqual([
      "Left out /empty.json: it has no name and story",
      expect.stringMatching(/^Left out \/half\.json: .*JSON/),
      "Left out /planless.json: it contains no plan: it needs seed, coordinator, workers, link, users and faults",
    ]);
  });

  it("are not read for a scenario that is known, or without a folder", () => {
    expect(registry.find("worker-crash")?.name).toBe("worker-crash");
    expect(registry.names()).toEqual(scenarios.names());
    expect(warnings).toEqual([]);
    expect(withFound(scenarios, join(folder, "nowhere"), (sentence) => warnings.push(sentence)).find("good")).toBeUndefined();
    expect(warnings).toEqual([]);
  });
});
