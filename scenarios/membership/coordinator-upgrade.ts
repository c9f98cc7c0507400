import { calmCluster, fromSeed, ms, reads, type Scenario, second, user, wideStatement } from "../scenario.ts";

export const coordinatorUpgrade: Scenario = {
  name: "coordinator-upgrade",
  story:
    "A worker, then the coordinator, then the other workers change to another version, and go back in the same order. A coordinator uses only workers of its own version. Its statements end within its grace period, or with an error that reports the shutdown. Clients that submit while it is down retry, and in the end all statements are answered.",
  plan: (seed) =>
    calmCluster(seed, {
      users: ["u1", "u2"].map((name) =>
        user(
          name,
          Array.from({ length: 12 }, (_, index) => reads(wideStatement, (500 + fromSeed(`${seed}${name}${index}`, 2_500)) * ms)),
        ),
      ),
      faults: [
        {
          kind: "rolling-upgrade",
          atNanos: second,
          untilNanos: 33 * second,
          afterWorkNanos: fromSeed(seed, 100) * ms,
          nodes: ["w1", "c", "w2", "w3"],
          nodeVersion: "99.1",
          documents: seed === "1" ? "newer" : "older",
        },
      ],
      healNanos: 40 * second,
      expect: { atLeast: { "landed rolling-upgrade": 1, finished: 20 }, atMost: { unanswered: 4 } },
    }),
};
