import { calmCluster, fromSeed, ms, reads, type Scenario, second, user } from "../scenario.ts";

export const noWorkersLeft: Scenario = {
  name: "no-workers-left",
  story:
    "All workers crash at once and restart half a minute later. Statements in between fail within seconds because there are no nodes, not after the minutes for which a query waits in a starting cluster. Later statements succeed.",
  plan: (seed) =>
    calmCluster(seed, {
      properties: { "node-scheduler.allowed-no-matching-node-period": "3s" },
      users: ["u1", "u2"].map((name) =>
        user(
          name,
          Array.from({ length: 10 }, (_, index) =>
            reads(`SELECT count(*) + ${index} FROM tpch.tiny.nation`, (3_000 + fromSeed(`${seed}${name}${index}`, 2_000)) * ms),
          ),
        ),
      ),
      faults: ["w1", "w2", "w3"].map((node) => ({
        kind: "crash" as const,
        atNanos: 2 * second,
        untilNanos: 32 * second,
        node,
      })),
      healNanos: 40 * second,
      expect: { atLeast: { "failed NO_NODES_AVAILABLE": 4, finished: 4 }, atMost: { unanswered: 0 } },
    }),
};
