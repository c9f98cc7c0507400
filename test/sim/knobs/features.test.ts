/** The statements for rarely reached parts of the engine: each of them has rows, and the same rows on a cluster. */
import { expect, it } from "vitest";
import { calmCluster, reads, second, user } from "../../../scenarios/scenario.ts";
import { runPlan } from "../../../sim/run.ts";
import { drawFeature } from "../../../sim/workload/features.ts";
import { StreamTree } from "../../../sim/world/streams.ts";

it("finish with the rows of one worker", async () => {
  const stream = StreamTree.root("features").stream("statements");
  const statements = [...new Set(Array.from({ length: 130 }, () => drawFeature(stream)))];
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
  expect(work.failed).toEqual({});
  expect(work.finished).toBeGreaterThan(statements.length);
}, 60_000);
