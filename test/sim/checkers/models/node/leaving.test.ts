/** Planted violations of the model of nodes that leave. */
import { describe, expect, it } from "vitest";
import { leaving } from "../../../../../sim/checkers/models/node/leaving.ts";
import { FabricatedRun } from "../fabricated.ts";

const update = "/v1/task/20260101_000000_00000_aaaaa.1.0";
const other = "/v1/task/20260101_000000_00000_aaaaa.1.1";
const post = { from: "c", to: "w1", method: "POST" as const, body: {} };
const refusal = { ...post, status: 503, headers: { "x-engine-node-state": "SHUTTING_DOWN" }, body: "" };

describe("the model of nodes that leave", () => {
  it("allows updates of known tasks, and everything to the next life", () => {
    const run = new FabricatedRun(leaving);
    run.answer(1, update, post).answer(2, other, refusal).answer(3, update, post);
    run.note(4, "w1", "request", "m1 w1>c withdrawal DELETE /v1/announcement/w1").note(5, "w1", "start", "life 2");
    run.note(6, "w1", "request", "m2 w1>c announcement PUT /v1/announcement/w1").answer(7, other, post);
    expect(run.said).toEqual([]);
    expect(run.held).toBeGreaterThan(2);
  });

  it("speaks of a task that is created after a refusal", () => {
    const run = new FabricatedRun(leaving).answer(1, update, refusal).answer(2, other, post);
    expect(run.said.join()).toContain("because it is shutting down");
  });

  it("speaks of a task that is created again", () => {
    const run = new FabricatedRun(leaving).answer(1, update, post).answer(2, update, { ...post, method: "DELETE" });
    expect(run.answer(3, other, refusal).answer(4, update, post).said.join()).toContain("w1 creates");
  });

  it("speaks of an announcement after the withdrawal", () => {
    const run = new FabricatedRun(leaving).note(1, "w1", "request", "m1 w1>c withdrawal DELETE /v1/announcement/w1");
    run.note(2, "w1", "request", "m2 w1>c announcement PUT /v1/announcement/w1");
    expect(run.said.join()).toContain("had withdrawn");
  });

  it("speaks of lines of the history without details", () => {
    const files = (): readonly string[] => ["history/1.index", "history/1.detail", "history/2.index"];
    expect(new FabricatedRun(leaving, {}, { files }).look(1).said.join()).toContain("history/2.index");
  });

  it("speaks of what a disk notes", () => {
    expect(new FabricatedRun(leaving).note(1, "w1", "disk-overlap", "append of f during its append").said.join()).toContain(
      "begins append",
    );
  });
});
