/** Planted violations of the model of changes that come late: requests that no running query explains. */
import { describe, expect, it } from "vitest";
import { lateChanges } from "../../../../../sim/checkers/models/tables/late-changes.ts";
import { stepsOn } from "../../../../../scenarios/scenario.ts";
import { FabricatedRun } from "../fabricated.ts";

const create = stepsOn("bucket.default.t_b1")("create", "SELECT 1 AS a");

class Run extends FabricatedRun {
  constructor() {
    super(lateChanges, { users: [{ name: "b1", startNanos: 0, statements: [create] }] });
  }

  submits(ms: number, id: string, user = "b1"): this {
    return this.answer(ms, "http://c:8080/v1/statement", { from: user, method: "POST", body: { id } });
  }

  puts(ms: number, content: number): this {
    return this.note(ms, "c", "store-change", `PUT t_b1/.orrery-table ${content}`);
  }
}

describe("the model of late changes", () => {
  it("says nothing about requests of running queries, and about repeated ones", () => {
    const run = new Run().transition(0, "query", "q1", "PLANNING -> RUNNING");
    // The client does not know its query yet.
    run.puts(1, 11).submits(2, "q1").puts(3, 12);
    run.transition(4, "query", "q1", "RUNNING -> FAILED").puts(5, 12);
    // A table of nobody in particular.
    run.note(6, "c", "store-change", "DELETE shared/.orrery-table 0");
    expect(run.said).toEqual([]);
    expect(run.held).toBe(3);
  });

  it("notices a change after the end of its query, also while another one runs", () => {
    const run = new Run().submits(0, "q1").submits(0, "q2", "u2").submits(0, "q3");
    run.transition(1, "query", "q1", "PLANNING -> RUNNING").transition(2, "query", "q1", "RUNNING -> FAILED");
    run.transition(3, "query", "q3", "QUEUED -> PLANNING").puts(4, 11);
    run.transition(5, "query", "q2", "PLANNING -> RUNNING").puts(6, 12);
    expect(run.said).toEqual([
      "late-changes: c changes table t_b1 by PUT, and no query of b1, who alone writes it, runs",
      "late-changes: c changes table t_b1 by PUT, and no query of b1, who alone writes it, runs",
    ]);
  });

  it("notices a change of a query that ran in a former life of the coordinator", () => {
    const run = new Run().submits(0, "q1").transition(1, "query", "q1", "PLANNING -> RUNNING");
    run.note(2, "c", "start", "life 2").puts(3, 11);
    expect(run.said).toHaveLength(1);
  });
});
