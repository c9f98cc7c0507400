import { coordinatorUpgrade } from "../membership/coordinator-upgrade.ts";
import type { Bug } from "./bug.ts";

export const sumsThatFall: Bug = {
  scenario: {
    name: "sums-that-fall",
    story:
      "Workers of an older build tell their last numbers as texts only, which are rounded. What a query has processed must not become less at its end.",
    // The numbers of this run are such that the rounding goes down.
    plan: (seed) => ({ ...coordinatorUpgrade.plan("2"), seed }),
  },
  noticed: {
    kind: "safety",
    oracle: "statistics",
    sentence: "processedBytes of 20260101_000020_00008_sf6qc fell from 2217639 to 2217636",
  },
  cause:
    "src/coordinator/scheduler/remote-task.ts put the rounded numbers of a task's full document in place of the exact ones of its status. Sums only grow.",
  fixed: "2026-11-22",
};
