/** EXPLAIN ANALYZE from the documents of tasks: which figure of theirs stands under which name. */
import { describe, expect, test } from "vitest";
import type { OperatorSummary, TaskDocument } from "../../../src/protocol/documents/task.ts";
import { taskInfoExample } from "../../../src/protocol/documents/task.ts";
import { TestPlanner } from "../../support/planning.ts";

const [pipelineExample] = taskInfoExample.stats.pipelines;
const [operatorExample] = pipelineExample?.operatorSummaries ?? [];
if (pipelineExample === undefined || operatorExample === undefined) {
  throw new Error("the example has a pipeline with an operator");
}

/** CPU time of each method is half of its wall time. */
const times = {
  addInputWall: "20.00ms",
  addInputCpu: "10.00ms",
  getOutputWall: "200.00ms",
  getOutputCpu: "100.00ms",
  finishWall: "2.00ms",
  finishCpu: "1.00ms",
  blockedWall: "5.00s",
} as const;

/** A task in which each given node ran as an operator of its own. */
function taskOf(planNodeIds: readonly string[], given: Partial<OperatorSummary>, totals: Partial<TaskDocument["stats"]>): TaskDocument {
  const operators = planNodeIds.map((planNodeId) => ({ ...operatorExample, ...given, planNodeId }) as OperatorSummary);
  const sink = { ...operatorExample, ...given, planNodeId: "sink" } as OperatorSummary;
  const pipelines = [{ ...pipelineExample, operatorSummaries: [...operators, sink] }] as TaskDocument["stats"]["pipelines"];
  return { ...taskInfoExample, stats: { ...taskInfoExample.stats, ...totals, pipelines } };
}

async function analyzed(
  given: Partial<OperatorSummary>,
  totals: Partial<TaskDocument["stats"]>,
  sql = "EXPLAIN ANALYZE VERBOSE SELECT 1",
): Promise<string> {
  const { analyze, plan } = await new TestPlanner({}).plan(sql);
  const root = plan.fragments[0]?.root;
  const ids = root === undefined ? [] : [root.id];
  return analyze?.(() => [taskOf(ids, given, totals)]) ?? "";
}

describe("the times of EXPLAIN ANALYZE", () => {
  test("are CPU time, scheduled time and blocked time, each under its name", async () => {
    const text = await analyzed(times, { totalCpuTime: "222.00ms", totalScheduledTime: "444.00ms", totalBlockedTime: "10.00s" });
    expect(text).toContain("    CPU: 222.00ms, Scheduled: 444.00ms, Blocked: 10.00s, Peak Memory: ");
    expect(text).toContain("CPU: 111.00ms (50.00%), Scheduled: 222.00ms, Blocked: 5.00s, Input: ");
    expect(text).toMatch(/Operator: 1 driver, \d+ calls, CPU: 111\.00ms, Scheduled: 222\.00ms, Blocked: 5\.00s, /);
  });

  test("show no CPU time where none was measured, whatever time has passed", async () => {
    const none = { addInputCpu: "0.00ns", getOutputCpu: "0.00ns", finishCpu: "0.00ns" } as const;
    const text = await analyzed(
      { ...times, ...none },
      { totalCpuTime: "0.00ns", totalScheduledTime: "444.00ms", totalBlockedTime: "0.00ns" },
    );
    expect(text).toContain("    CPU: 0.00ns, Scheduled: 444.00ms, Blocked: 0.00ns, ");
    expect(text).toContain("CPU: 0.00ns (0.00%), Scheduled: 222.00ms, Blocked: 5.00s, Input: ");
  });
});
