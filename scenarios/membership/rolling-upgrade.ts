import { calmCluster, fromSeed, ms, reads, type Scenario, second, user, wideStatement } from "../scenario.ts";

export const rollingUpgrade: Scenario = {
  name: "rolling-upgrade",
  story:
    "Workers are drained one after the other and return as a neighbouring release, whose documents have unknown members or lack optional ones; then they go back. Users send statements all the time, and no query fails.",
  plan: (seed) =>
    calmCluster(seed, {
      users: ["u1", "u2"].map((name) =>
        user(
          name,
          Array.from({ length: 14 }, (_, index) => reads(wideStatement, (1_000 + fromSeed(`${seed}${name}${index}`, 2_500)) * ms)),
        ),
      ),
      faults: [
        {
          kind: "rolling-upgrade",
          atNanos: second,
          untilNanos: 49 * second,
          afterWorkNanos: fromSeed(seed, 100) * ms,
          nodes: ["w1", "w2", "w3"],
          documents: seed === "1" ? "newer" : "older",
        },
      ],
      healNanos: 55 * second,
      expect: { atLeast: { "landed rolling-upgrade": 1, finished: 25 }, atMost: { failed: 0, unanswered: 0 } },
    }),
};
