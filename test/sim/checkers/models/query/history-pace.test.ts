/** Planted violations of the model of the history's pace. */
import { describe, expect, it } from "vitest";
import { historyPace } from "../../../../../sim/checkers/models/query/history-pace.ts";
import { FabricatedRun } from "../fabricated.ts";

/** Writes that begin and are refused at these milliseconds, with delays of 200 ms and 10 s. */
function run(...steps: readonly (readonly ["begun" | "refused" | "start", number])[]): FabricatedRun {
  const fabricated = new FabricatedRun(historyPace);
  for (const [what, at] of steps) {
    if (what === "begun") {
      fabricated.note(at, "c", "timer", "query-history");
    } else if (what === "refused") {
      fabricated.note(at, "c", "log-warn", "query-history-not-written queries=1");
    } else {
      fabricated.note(at, "c", "start", "");
    }
  }
  return fabricated;
}

describe("the model of the history's pace", () => {
  it("accepts batches a delay apart, and a longer one after a refusal", () => {
    for (const accepted of [
      run(["begun", 1_000], ["begun", 1_200], ["begun", 9_000]),
      run(["begun", 1_000], ["refused", 1_100], ["begun", 11_100], ["begun", 11_300]),
      run(["begun", 1_000], ["refused", 1_100], ["start", 1_200], ["begun", 1_300]),
    ]) {
      expect(accepted.said).toEqual([]);
    }
    expect(run(["begun", 1_000], ["begun", 1_200]).held).toBe(1);
  });

  it("reports batches that come too soon", () => {
    expect(run(["begun", 1_000], ["begun", 1_010]).said.join()).toContain("c writes its history 10 ms after it did, not 200");
    const hammering = run(["begun", 1_000], ["refused", 1_100], ["begun", 1_300]);
    expect(hammering.said.join()).toContain("c writes its history 200 ms after the disk refused it, not 10000");
  });

  it("reports a batch that is not tried again", () => {
    const late = "c has not tried to write its history again for 30000 ms";
    expect(run(["begun", 1_000], ["refused", 1_100], ["begun", 31_100]).said.join()).toContain(late);
    expect(run(["begun", 1_000], ["refused", 1_100]).look(31_100).said.join()).toContain(late);
  });
});
