import { calmCluster, reads, type Scenario, second, user } from "../scenario.ts";

export const decayOverOneMinute: Scenario = {
  name: "decay-over-one-minute",
  story:
    "A worker is unreachable for a while and returns. The counters of the node resource follow the actual heartbeats, each with a decay by a factor of e per minute. The worker is listed as failed until it has recovered.",
  plan: (seed) =>
    calmCluster(seed, {
      users: [user("u1", [reads("SELECT count(*) FROM nation"), reads("SELECT count(*) FROM nation", 70 * second)])],
      faults: [{ kind: "partition", atNanos: 5 * second, untilNanos: 20 * second, nodes: ["w1"] }],
      healNanos: 80 * second,
      expect: { atLeast: { "listed as failed": 1, "checked decay": 100, finished: 2 } },
    }),
};
