import { calmCluster, fromSeed, reads, type Scenario, second, user, wideStatement } from "../scenario.ts";

export const neverAnswered: Scenario = {
  name: "never-answered",
  story:
    "A worker's port accepts every connection and never responds, which looks alive to clients that only connect. Time-outs detect it; its queries end with an error that names it, and new queries are scheduled on other workers.",
  plan: (seed) =>
    calmCluster(seed, {
      users: [
        user("u1", [reads(wideStatement), reads(wideStatement, second), reads(wideStatement, 15 * second)]),
        user("u2", [reads(wideStatement, 2 * second)]),
      ],
      faults: [{ kind: "never-answers", atNanos: 0, untilNanos: 25 * second, afterWorkEvents: 1 + fromSeed(seed, 60), node: "w3" }],
      healNanos: 30 * second,
      expect: { atLeast: { "landed never-answers": 1, neverAnswered: 5, timedOut: 3, finished: 1 } },
    }),
};
