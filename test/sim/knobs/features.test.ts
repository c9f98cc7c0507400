/** The statements for rarely reached parts of the engine: each has the outcome that it has on one worker. */
import { expect, it } from "vitest";
import { calmCluster, reads, second, user } from "../../../scenarios/scenario.ts";
import { runPlan } from "../../../sim/run.ts";
import { drawFeature, featureCount } from "../../../sim/workload/features.ts";
import { StreamTree } from "../../../sim/world/streams.ts";

it("finish with the rows of one worker", async () => {
  const stream = StreamTree.root("features").stream("statements");
  const statements = [...new Set(Array.from({ length: featureCount }, (_, number) => drawFeature(stream, number)))];
  const plan = calmCluster("1", {
    splitsPerNode: 4,
    workers: ["w1", "w2"].map((name) => ({ name, clockOffsetMs: 0, clockDriftPpm: 0 })),
    users: [
      user(
        "u1",
        statements.map((sql) => reads(sql)),
        second / 2,
      ),
    ],
    healNanos: second,
  });
  const { violations, work } = await runPlan(plan, {});
  expect(violations.map(({ sentence }) => sentence)).toEqual([]);
  // Some features are statements that fail: the reference fails in the same way.
  const failed = Object.values(work.failed).reduce((sum, count) => sum + count, 0);
  expect(failed).toBeLessThan(statements.length / 6);
  expect(work.finished + failed).toBeGreaterThan(statements.length);
}, 300_000);
