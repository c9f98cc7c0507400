import { calmCluster, ms, reads, second, user, wideStatement } from "../scenario.ts";
import type { Bug } from "./bug.ts";

export const spillFilesOfAFormerLife: Bug = {
  scenario: {
    name: "spill-files-of-a-former-life",
    story:
      "A worker process dies while its output is spilled, the machine keeps running, and the disk fails all operations when the worker restarts. Later the disk recovers. The spill files of the former incarnation must then be removed, and no file of the current one.",
    plan: (seed) =>
      calmCluster(seed, {
        points: { "buffer-spills-early": 1_000 },
        users: [user("u1", [reads(wideStatement, 100 * ms), reads(wideStatement, 9 * second)])],
        faults: [
          { kind: "crash" as const, atNanos: 0, untilNanos: 1 * second, afterWorkNanos: 10 * ms, node: "w3", disk: "kept" },
          { kind: "disk-errors" as const, atNanos: 500 * ms, untilNanos: 6 * second, node: "w3", percent: 100 },
        ],
        expect: { atLeast: { "landed crash": 1, spills: 1, finished: 1 } },
      }),
  },
  noticed: {
    kind: "leak",
    oracle: "quiescence",
    sentence: "1500 s after the last statement these are left: w1 keeps file spill/20260101_000000_00001_bajvd.2.0/0",
  },
  cause:
    "src/node.ts cleared the spill folder once, before it served, and did not retry when the disk failed. Each incarnation now has a folder of its own, and those of former incarnations are removed when that is possible.",
  fixed: "2026-11-22",
};
