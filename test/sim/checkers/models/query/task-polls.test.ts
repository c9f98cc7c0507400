/** Planted violations of the model of polls for tasks. */
import { describe, expect, it } from "vitest";
import { taskPolls } from "../../../../../sim/checkers/models/query/task-polls.ts";
import { FabricatedRun } from "../fabricated.ts";

const properties = { "task.info-update-interval": "1s", "task.max-slice-rows": "1000" };

/** Notes of the coordinator at these milliseconds; `status` and `info` are polls that are answered two milliseconds later. */
function run(...steps: readonly (readonly [number, string])[]): FabricatedRun {
  const fabricated = new FabricatedRun(taskPolls, { properties });
  steps.forEach(([at, what], index) => {
    if (what === "status" || what === "info") {
      const path = what === "info" ? "/v1/task/q.1.0" : "/v1/task/q.1.0/status";
      fabricated.note(at, "c", "request", `m${index} c>w1 task-${what} GET ${path}`);
      fabricated.note(at + 2, "c", "answer", `m${index} c>w1 task-${what} 200`);
    } else {
      const [kind = "", ...detail] = what.split(" ");
      fabricated.note(at, "c", kind, detail.join(" "));
    }
  });
  return fabricated;
}

describe("the model of polls for tasks", () => {
  it("accepts a whole document for each interval, and statuses between", () => {
    const calm = run([0, "status"], [300, "info"], [400, "status"], [1_200, "status"], [1_310, "info"], [2_000, "status"]);
    expect(calm.said).toEqual([]);
    expect(calm.held).toBe(4);
  });

  it("reports a whole document too soon, and one too late", () => {
    expect(run([300, "info"], [500, "info"]).said.join()).toContain("q.1.0 is polled for its whole document 198 ms after");
    expect(run([300, "info"], [2_500, "status"]).said.join()).toContain("q.1.0 is polled for its status alone 2198 ms after");
  });

  it("allows for repetitions, for fault points, and for tasks that are lost", () => {
    const refused = run(
      [300, "info"],
      [1_200, "request m90 c>w1 task-status GET /v1/task/q.1.0/status"],
      [1_201, "network-error m90 c>w1 task-status CONNECTION_REFUSED"],
      [2_500, "status"],
    );
    expect(refused.said).toEqual([]);
    expect(run([300, "info"], [400, "point task-info-instead-of-status"], [400, "info"]).said).toEqual([]);
    expect(run([300, "info"], [400, 'log-info task-lost {"taskId":"q.2.0","queryId":"q"}'], [400, "info"]).said).toEqual([]);
    expect(run([300, "info"], [400, "start life 2"], [500, "info"]).said).toEqual([]);
  });
});
