import { calmCluster, fromSeed, ms, reads, type Scenario, second, user, wideStatement } from "../scenario.ts";

export const onlyWorkerRestarts: Scenario = {
  name: "only-worker-restarts",
  story:
    "The only worker dies while it runs queries, and is started again two seconds later. The queries wait for it and run again; their clients notice nothing but the time.",
  plan: (seed) =>
    calmCluster(seed, {
      properties: { "retry-policy": "QUERY" },
      workers: [{ name: "w1", clockOffsetMs: 0, clockDriftPpm: 0 }],
      users: [user("u1", [reads(wideStatement), reads(wideStatement)]), user("u2", [reads(wideStatement, 5 * ms)])],
      faults: [{ kind: "crash", atNanos: 0, untilNanos: 2 * second, afterWorkNanos: fromSeed(seed, 40) * ms, node: "w1" }],
      expect: { atLeast: { "landed crash": 1, "attempts lost": 1, finished: 3 }, atMost: { failed: 0, unanswered: 0 } },
    }),
};
