import { calmCluster, fromSeed, ms, reads, type Scenario, second, user, wideStatement } from "../scenario.ts";

export const rollingRestart: Scenario = {
  name: "rolling-restart",
  story:
    "One worker after the other is told to shut down, finishes its tasks, goes, and comes back, while users keep asking. A draining worker gets no new task; no query fails because of an orderly restart that had the time it needs.",
  plan: (seed) =>
    calmCluster(seed, {
      users: ["u1", "u2"].map((name) =>
        user(
          name,
          Array.from({ length: 12 }, (_, index) => reads(wideStatement, (500 + fromSeed(`${seed}${name}${index}`, 1_500)) * ms)),
        ),
      ),
      faults: ["w1", "w2", "w3"].map((node, index) => ({
        kind: "shutdown" as const,
        atNanos: (2 + index * 9) * second,
        untilNanos: (8 + index * 9) * second,
        afterWorkNanos: fromSeed(`${seed}${node}`, 100) * ms,
        node,
      })),
      healNanos: 40 * second,
      expect: { atLeast: { "landed shutdown": 2, finished: 20 }, atMost: { failed: 0, unanswered: 0 } },
    }),
};
