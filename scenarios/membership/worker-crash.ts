import { calmCluster, fromSeed, ms, reads, type Scenario, second, user, wideStatement } from "../scenario.ts";

/** Similar public incidents: a query that keeps running although its tasks are gone, and errors that appear only after five minutes. */
export const workerCrash: Scenario = {
  name: "worker-crash",
  story:
    "A worker crashes while its tasks produce pages, and restarts empty. The query ends in bounded time with an error that names the loss, or with all its rows, never with fewer.",
  plan: (seed) =>
    calmCluster(seed, {
      users: [user("u1", [reads(wideStatement), reads(wideStatement, 20 * second)]), user("u2", [reads(wideStatement, 5 * ms)])],
      faults: [{ kind: "crash", atNanos: 0, untilNanos: 3 * second, afterWorkNanos: fromSeed(seed, 150) * ms, node: "w2" }],
      expect: { atLeast: { "landed crash": 1, finished: 2 } },
    }),
};
