import { calmCluster, fromSeed, ms, reads, type Scenario, second, user, wideStatement } from "../scenario.ts";

export const killedBeforeRows: Scenario = {
  name: "killed-before-rows",
  story:
    "A worker crashes for good while it aggregates and joins, before any row has reached a client. The queries run again on the two workers that are left, with as many tasks as before, and have all their rows.",
  plan: (seed) =>
    calmCluster(seed, {
      properties: { "retry-policy": "QUERY" },
      users: [user("u1", [reads(wideStatement), reads(wideStatement)], second), user("u2", [reads(wideStatement, 5 * ms)], second)],
      core: ["w1", "w3"],
      faults: [{ kind: "crash", atNanos: 0, untilNanos: 9 * second, afterWorkNanos: fromSeed(seed, 40) * ms, node: "w2", permanent: true }],
      expect: { atLeast: { "landed crash": 1, "attempts lost": 1, finished: 3 }, atMost: { failed: 0, unanswered: 0 } },
    }),
};
