import { calmCluster, fromSeed, ms, reads, type Scenario, second, user, wideStatement } from "../scenario.ts";

export const overload503: Scenario = {
  name: "overload-503",
  story:
    "A worker, and then the coordinator, reject requests with 503 and Retry-After while they still answer heartbeats. Rejected requests are retried; no query fails, and no submission is executed twice.",
  plan: (seed) =>
    calmCluster(seed, {
      users: [
        user("u1", [reads(wideStatement), reads(wideStatement, second)]),
        user("u2", [{ sql: wideStatement, behaviour: { kind: "retries" }, thinkNanos: 5 * ms }, reads(wideStatement, 4 * second)]),
      ],
      faults: [
        { kind: "overload-503", atNanos: 0, untilNanos: 4 * second, afterWorkNanos: fromSeed(seed, 60) * ms, node: "w1", percent: 100 },
        { kind: "overload-503", atNanos: 4 * second, untilNanos: 9 * second, node: "c", percent: 60 },
      ],
      healNanos: 15 * second,
      expect: { atLeast: { "landed overload-503": 1, turnedAway: 8, finished: 4 }, atMost: { failed: 0, unanswered: 0 } },
    }),
};
