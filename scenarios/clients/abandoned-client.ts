import { calmCluster, fromSeed, ms, reads, type Scenario, second, streamedStatement, user, wideStatement } from "../scenario.ts";

export const abandonedClient: Scenario = {
  name: "abandoned-client",
  story:
    "Clients submit statements and never return. After the client time-out their queries fail as abandoned, and every task, buffer, slot and timer is released. Other users are served meanwhile.",
  plan: (seed) =>
    calmCluster(seed, {
      properties: { "query.client.timeout": "30s", "sink.max-buffer-size": "64kB", "exchange.max-buffer-size": "64kB" },
      users: [
        ...[0, 1, 2].map((afterPolls) => ({
          ...user(`gone${afterPolls}`, [
            {
              sql: afterPolls === 0 ? wideStatement : streamedStatement,
              behaviour: { kind: "vanishes" as const, afterPolls },
              thinkNanos: fromSeed(seed, 1_000) * ms,
            },
          ]),
          targetResultSize: "16kB",
        })),
        user("stays", [reads(wideStatement, 2 * second), reads("SELECT count(*) FROM nation", 3 * second)]),
      ],
      // The wide statement may finish before its client counts as gone.
      expect: { atLeast: { vanished: 3, "query FAILED": 2, finished: 2 }, atMost: { failed: 0 } },
      healNanos: 60 * second,
    }),
};
