import { calmCluster, fromSeed, ms, reads, type Scenario, second, user, wideStatement } from "../scenario.ts";

export const rollingRestart: Scenario = {
  name: "rolling-restart",
  story:
    "One worker after the other is told to shut down, finishes its tasks, stops and restarts, while users keep sending statements. A draining worker gets no new task, and no query fails because of a graceful restart with a sufficient grace period.",
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
