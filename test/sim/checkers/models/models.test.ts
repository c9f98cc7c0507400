/**
 * The registry of models: each is listed with its invariant, has a test that plants violations, and receives the events that it asks for.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { invariants } from "../../../../sim/checkers/invariants.ts";
import { modelKinds } from "../../../../sim/checkers/models/models.ts";
import { FabricatedRun, recorder } from "./fabricated.ts";

describe("models", () => {
  it("are invariants of every run, and have names and planted violations of their own", () => {
    const names = modelKinds.map(({ invariant }) => invariant.name);
    expect(new Set(invariants.map(({ name }) => name)).size).toBe(invariants.length);
    for (const { invariant } of modelKinds) {
      expect(invariants).toContain(invariant);
      expect(existsSync(join("sim", invariant.checkedIn)), invariant.checkedIn).toBe(true);
    }
    const hasTest = (name: string): boolean =>
      ["", "node", "query", "statement"].some((folder) => existsSync(join(import.meta.dirname, folder, `${name}.test.ts`)));
    expect(names.filter((name) => !hasTest(name))).toEqual([]);
  });

  it("receive the notes that they name, answers, transitions, looks and the end, and report by their name", () => {
    const log: string[] = [];
    const run = new FabricatedRun(recorder("recorder", log));
    run.note(1, "w1", "crash", "life 1").note(2, "w1", "timer", "x").transition(3, "query", "q", "QUEUED -> RUNNING").look(4);
    run.answer(5, "/good").answer(6, "/bad").end(7);
    expect(log).toEqual(["w1 crash life 1", "query q RUNNING", "look", "end"]);
    expect(run.said).toEqual(["recorder: /bad at 6 ms"]);
    expect(run.held).toBe(1);
  });
});
