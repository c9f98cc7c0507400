import { calmCluster, fromSeed, ms, reads, type Scenario, second, user, wideStatement } from "../scenario.ts";

export const signedRequests: Scenario = {
  name: "signed-requests",
  story:
    "The nodes share a secret and sign what they send, with wall clocks minutes apart. A worker crashes and comes back, and a link is cut: signed requests are lost, sent again and answered by another incarnation, and every statement still has its rows.",
  plan: (seed) =>
    calmCluster(seed, {
      workers: [-120_000, 0, 120_000].map((clockOffsetMs, index) => ({ name: `w${index + 1}`, clockOffsetMs, clockDriftPpm: 0 })),
      properties: { "internal-communication.shared-secret": "the secret of a simulated cluster" },
      users: [user("u1", [reads(wideStatement), reads(wideStatement, 8 * second)]), user("u2", [reads(wideStatement, 4 * second)])],
      faults: [
        { kind: "crash", atNanos: second, untilNanos: 2 * second, afterWorkEvents: 20 + fromSeed(seed, 60), node: "w1", disk: "kept" },
        { kind: "partition", atNanos: 4 * second, untilNanos: 5 * second + fromSeed(seed, 900) * ms, nodes: ["w2"] },
      ],
      expect: { atLeast: { "landed crash": 1, finished: 1 } },
    }),
};
