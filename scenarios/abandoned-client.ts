import { calmCluster, fromSeed, longStatement, reads, type Scenario, second, user, wideStatement } from "./scenario.ts";

export const abandonedClient: Scenario = {
  name: "abandoned-client",
  story:
    "Clients submit and never come back. After the client timeout their queries are failed as abandoned and every task, buffer, slot and timer is free again; others are served meanwhile.",
  plan: (seed) =>
    calmCluster(seed, {
      users: [
        ...[0, 1, 2].map((afterPolls) =>
          user(`gone${afterPolls}`, [
            {
              sql: afterPolls === 1 ? wideStatement : longStatement,
              behaviour: { kind: "vanishes" as const, afterPolls },
              thinkNanos: fromSeed(seed, 1_000) * 1_000_000,
            },
          ]),
        ),
        user("stays", [reads(wideStatement, 2 * second), reads("SELECT count(*) FROM nation", 3 * second)]),
      ],
    }),
};
