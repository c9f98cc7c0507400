import { calmCluster, fromSeed, ms, type Scenario, second, stepsOn, user } from "../scenario.ts";

const table = "memory.default.lost";

const step = stepsOn(table);

export const lostTable: Scenario = {
  name: "lost-table",
  story:
    "A worker dies for good while a query reads the rows of a table that it alone has. Running again cannot bring them back: the query ends soon with an error, and later reads say that the table has lost data.",
  plan: (seed) =>
    calmCluster(seed, {
      nanosPerWorkUnit: 10_000,
      core: ["w1", "w3"],
      replication: 1,
      users: [
        user(
          "u1",
          [
            step("create", "SELECT orderkey, linenumber, quantity, shipmode FROM tpch.tiny.lineitem l"),
            step("read", `SELECT shipmode, count(*), sum(quantity) FROM ${table} GROUP BY shipmode`, 8 * second),
            step("read", `SELECT count(*) FROM ${table}`, 30 * second),
          ],
          second,
        ),
      ],
      faults: [
        {
          kind: "crash",
          atNanos: 6 * second,
          untilNanos: 12 * second,
          afterWorkNanos: fromSeed(seed, 20) * ms,
          node: "w2",
          permanent: true,
        },
      ],
      healNanos: 14 * second,
      expect: { atLeast: { "landed crash": 1, finished: 1, failed: 2, "failed TABLE_DATA_LOST": 1 }, atMost: { unanswered: 0 } },
    }),
};
