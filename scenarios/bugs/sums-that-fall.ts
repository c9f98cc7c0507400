import { coordinatorUpgrade } from "../membership/coordinator-upgrade.ts";
import type { Bug } from "./bug.ts";

export const sumsThatFall: Bug = {
  scenario: {
    name: "sums-that-fall",
    story:
      "Workers of an older build report their final statistics only as rounded texts. The processed bytes of a query must not decrease at its end.",
    // Seed 2, in which the sum is rounded down.
    plan: (seed) => ({ ...coordinatorUpgrade.plan("2"), seed }),
  },
  noticed: {
    kind: "safety",
    oracle: "statistics",
    sentence: "processedBytes of 20260101_000020_00008_sf6qc fell from 2217639 to 2217636",
  },
  cause:
    "src/coordinator/scheduler/remote-task.ts replaced the exact numbers of a task's status with the rounded ones of its full document. Now sums never decrease.",
  fixed: "2026-11-22",
};
