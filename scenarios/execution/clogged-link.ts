import { calmCluster, fromSeed, ms, reads, type Scenario, second, user, wideStatement } from "../scenario.ts";

export const cloggedLink: Scenario = {
  name: "clogged-link",
  story:
    "All messages from one worker to another, and to the coordinator, are held back for seconds and arrive in one burst, including responses to requests that timed out and were retried. Each is distinguished, and every row counts once.",
  plan: (seed) => {
    const times = { atNanos: 0, untilNanos: 12 * second, afterWorkNanos: fromSeed(seed, 120) * ms };
    return calmCluster(seed, {
      users: [user("u1", [reads(wideStatement), reads(wideStatement, second)]), user("u2", [reads(wideStatement, 5 * ms)])],
      faults: [
        { kind: "clogged-link", ...times, from: "w1", to: "w2" },
        { kind: "clogged-link", ...times, from: "w1", to: "c" },
      ],
      healNanos: 20 * second,
      expect: { atLeast: { "landed clogged-link": 1, late: 2, finished: 1 } },
    });
  },
};
