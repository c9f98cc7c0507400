import { calmCluster, ms, reads, second, user, wideStatement } from "../scenario.ts";
import type { Bug } from "./bug.ts";

export const spillFilesOfAFormerLife: Bug = {
  scenario: {
    name: "spill-files-of-a-former-life",
    story:
      "A worker dies while its output is on the disk, the machine lives on, and the disk refuses everything when the worker comes back. Later the disk recovers: what the former life spilled must be gone, and nothing of this life with it.",
    plan: (seed) =>
      calmCluster(seed, {
        points: { "buffer-spills-early": 1_000 },
        users: [user("u1", [reads(wideStatement), reads(wideStatement, 9 * second)])],
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
    "src/node.ts cleared the spill folder once, before it served, and forgot it when the disk refused. Each life has a folder of its own, and those of former lives are removed when that is possible.",
  fixed: "2026-11-22",
};
