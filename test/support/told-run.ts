/**
 * A handwritten run with a crash, a partition, a pause, and every possible fate of a message, one entry per line.
 */
import type { Entry, RunFacts } from "../../sim/view/page/model/format.ts";

const ms = 1_000_000;

type Line = readonly [atMs: number, event: number, parent: number, place: string, kind: string, detail: string];

export const toldQuery = "20260101_000000_00000_aaaaa";

const lines: readonly Line[] = [
  [0, 0, 0, "c", "start", "life 1"],
  [0, 0, 0, "w1", "start", "life 1"],
  [0, 0, 0, "w2", "start", "life 1"],
  [1, 1, 0, "u1", "submit", "SELECT 1"],
  [1, 1, 0, "u1", "request", "m1 u1>c statement-submit POST /v1/statement"],
  [2, 2, 1, "c", "serve", "m1 u1>c statement-submit POST /v1/statement"],
  [2, 2, 1, "c", "query", `${toldQuery} QUEUED -> PLANNING`],
  [2, 2, 1, "c", "query", `${toldQuery} PLANNING -> RUNNING`],
  [2, 2, 1, "c", "stage", `${toldQuery}.0 PLANNED -> SCHEDULING`],
  [2, 2, 1, "c", "request", `m2 c>w1 task-update POST /v1/task/${toldQuery}.1.0`],
  [2, 2, 1, "c", "request", `m3 c>w2 task-update POST /v1/task/${toldQuery}.1.1`],
  [2, 2, 1, "c", "lost", "m3 c>w2 task-update"],
  [2, 2, 1, "c", "respond", "m1 u1>c statement-submit 200 900 bytes"],
  [3, 3, 2, "w1", "serve", `m2 c>w1 task-update POST /v1/task/${toldQuery}.1.0`],
  [3, 3, 2, "w1", "task", `${toldQuery}.1.0 PLANNED -> RUNNING`],
  [3, 3, 2, "w1", "respond", "m2 c>w1 task-update 200 80 bytes"],
  [3, 4, 2, "u1", "answer", "m1 u1>c statement-submit 200"],
  [4, 5, 3, "c", "answer", "m2 c>w1 task-update 200"],
  [5, 6, 0, "world", "fault", "partition {w2} 0.005s..0.030s"],
  [6, 7, 5, "c", "request", `m4 c>w2 task-status GET /v1/task/${toldQuery}.1.1/status`],
  [7, 8, 7, "w2", "cut", "m4 c>w2 task-status request"],
  [8, 9, 5, "c", "request", `m5 c>w1 task-status GET /v1/task/${toldQuery}.1.0/status`],
  [8, 9, 5, "c", "duplicated", "m5 c>w1 task-status"],
  [9, 10, 9, "w1", "serve", `m5 c>w1 task-status GET /v1/task/${toldQuery}.1.0/status`],
  [9, 10, 9, "w1", "respond", "m5 c>w1 task-status 200 60 bytes"],
  [9, 10, 9, "w1", "answer-lost", "m5 c>w1 task-status"],
  [10, 11, 9, "w1", "serve", `m5 c>w1 task-status GET /v1/task/${toldQuery}.1.0/status`],
  [10, 11, 9, "w1", "respond", "m5 c>w1 task-status 200 60 bytes"],
  [10, 11, 9, "w1", "truncated", "m5 c>w1 task-status"],
  [11, 12, 11, "c", "network-error", "m5 c>w1 task-status CONNECTION_RESET"],
  [12, 13, 0, "c", "timer", "heartbeat"],
  [12, 13, 0, "c", "request", "m6 c>w1 heartbeat HEAD /v1/status"],
  [12, 13, 0, "c", "reset", "m6 c>w1 heartbeat"],
  [13, 14, 13, "c", "network-error", "m6 c>w1 heartbeat CONNECTION_RESET"],
  [14, 15, 0, "world", "fault", "pause w1 0.014s..0.016s"],
  [16, 16, 15, "world", "heal", "pause w1 0.014s..0.016s"],
  [5000, 17, 0, "world", "fault", "crash w1 5.000s..6.000s"],
  [5000, 17, 0, "w1", "crash", "life 1"],
  [5001, 18, 12, "c", "request", `m7 c>w1 task-status GET /v1/task/${toldQuery}.1.0/status`],
  [5002, 19, 18, "w1", "refused", "m7 c>w1 task-status"],
  [5003, 20, 19, "c", "network-error", "m7 c>w1 task-status CONNECTION_REFUSED"],
  [5003, 20, 19, "c", "query", `${toldQuery} RUNNING -> FAILED`],
  [5003, 20, 19, "c", "log-warn", 'query-failed {"error":"NODE_FAILED"}'],
  [6000, 21, 17, "world", "heal", "crash w1 5.000s..6.000s"],
  [6000, 21, 17, "w1", "start", "life 2"],
  [6001, 22, 4, "u1", "end", "NODE_FAILED w1 is gone"],
  [6001, 22, 4, "world", "violation", "safety results u1 got an error and nothing had failed"],
  [6002, 23, 22, "c", "crash", "life 1"],
  [6002, 23, 22, "w1", "crash", "life 2"],
  [6002, 23, 22, "w2", "crash", "life 1"],
];

export function toldRun(name = "told"): { readonly facts: RunFacts; readonly entries: readonly Entry[] } {
  return {
    facts: {
      name,
      planText: "a plan by hand",
      resultText: "",
      fingerprint: "00000000-00000000",
      events: 23,
      users: ["u1"],
      coordinators: ["c"],
      workers: ["w1", "w2"],
    },
    entries: lines.map(([atMs, event, parent, place, kind, detail]) => ({ atNanos: atMs * ms, event, parent, place, kind, detail })),
  };
}
