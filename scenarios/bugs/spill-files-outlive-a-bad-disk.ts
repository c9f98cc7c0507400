import { calmCluster, ms, reads, second, user, wideStatement } from "../scenario.ts";
import type { Bug } from "./bug.ts";

export const spillFilesOutliveABadDisk: Bug = {
  scenario: {
    name: "spill-files-outlive-a-bad-disk",
    story:
      "Output buffers spill, the query is cancelled, and at that moment the disks fail all operations for some seconds. After they have recovered, no file of the query may be left on them.",
    plan: (seed) =>
      calmCluster(seed, {
        points: { "buffer-spills-early": 1_000 },
        users: [
          user("u1", [{ sql: wideStatement, behaviour: { kind: "cancels", afterPolls: 2 }, thinkNanos: 0 }, reads("SELECT 1", 9 * second)]),
        ],
        faults: ["w1", "w2", "w3"].map((node) => ({
          kind: "disk-errors" as const,
          atNanos: 0,
          untilNanos: 6 * second,
          afterWorkNanos: 12 * ms,
          node,
          percent: 100,
        })),
        expect: { atLeast: { "landed disk-errors": 1, spills: 1 } },
      }),
  },
  noticed: {
    kind: "leak",
    oracle: "quiescence",
    sentence: "1500 s after the last statement these are left: w3 keeps file spill/20251231_235959_00019_9u5dj.2.2/0",
  },
  cause: "src/execution/spill/spill-file.ts removed a file once and did not retry when the disk failed; now a failed removal is retried.",
  fixed: "2026-11-22",
};
