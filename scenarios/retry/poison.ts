import { calmCluster, fromSeed, ms, reads, type Scenario, second, user, wideStatement } from "../scenario.ts";

/** Every worker dies soon after it gets work, again and again, until the heal. */
const deathsOfEach = 5;

export const poison: Scenario = {
  name: "poison",
  story:
    "A query kills each worker that takes it. It runs again as often as it may, and then fails with the first loss. Once the workers live, the same statement has its rows.",
  plan: (seed) =>
    calmCluster(seed, {
      properties: { "retry-policy": "QUERY", "query-retry-attempts": "2", "retry-initial-delay": "500ms" },
      users: [user("u1", [reads(wideStatement), reads(wideStatement, 40 * second)])],
      faults: ["w1", "w2", "w3"].flatMap((node) =>
        Array.from({ length: deathsOfEach }, (_, index) => ({
          kind: "crash" as const,
          atNanos: index * 1_500 * ms,
          untilNanos: index * 1_500 * ms + 400 * ms,
          afterWorkEvents: 5 + fromSeed(`${seed}${node}${index}`, 20),
          node,
        })),
      ),
      healNanos: 20 * second,
      expect: { atLeast: { "landed crash": 3, "attempts lost": 2, failed: 1, finished: 1 }, atMost: { "attempts lost": 2, unanswered: 0 } },
    }),
};
