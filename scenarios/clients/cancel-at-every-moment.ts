import { calmCluster, fromSeed, ms, reads, type Scenario, streamedStatement, user, wideStatement } from "../scenario.ts";

export const cancelAtEveryMoment: Scenario = {
  name: "cancel-at-every-moment",
  story:
    "Users cancel before the first poll, after each later poll, and after the end. Every cancel is answered with 204, every query ends, and no resources are left.",
  plan: (seed) =>
    calmCluster(seed, {
      users: [
        ...Array.from({ length: 8 }, (_, afterPolls) => ({
          ...user(`u${afterPolls}`, [
            {
              sql: afterPolls % 3 === 2 ? wideStatement : streamedStatement,
              behaviour: { kind: "cancels" as const, afterPolls },
              thinkNanos: fromSeed(`${seed}/${afterPolls}`, 300) * ms,
            },
            {
              sql: "SELECT count(*) FROM nation",
              behaviour: { kind: "cancels" as const, afterPolls },
              thinkNanos: fromSeed(`${seed}+${afterPolls}`, 50) * ms,
            },
          ]),
          targetResultSize: "16kB",
        })),
        user("stays", [reads(wideStatement)]),
      ],
      expect: { atLeast: { canceled: 5, finished: 2 }, atMost: { failed: 0 } },
    }),
};
