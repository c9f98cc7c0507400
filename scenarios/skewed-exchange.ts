import { calmCluster, reads, type Scenario, user } from "./scenario.ts";

export const skewedExchange: Scenario = {
  name: "skewed-exchange",
  story:
    "Nearly all rows go to one partition while every buffer holds less than a page, and one stage feeds both sides of a join. A rotation over bounded buffers would deadlock here; the rule of progress must not let it.",
  plan: (seed) =>
    calmCluster(seed, {
      properties: {
        "sink.max-buffer-size": "8kB",
        "exchange.max-buffer-size": "8kB",
        "exchange.max-response-size": "4kB",
        "query.hash-partition-count": "3",
      },
      users: [
        user("u1", [
          reads(
            "SELECT k, count(*), sum(orderkey) FROM (SELECT CASE WHEN orderkey % 997 = 0 THEN orderkey ELSE 1 END AS k, orderkey FROM tpch.tiny.orders) GROUP BY k",
          ),
          reads(
            "SELECT a.k, count(*) FROM (SELECT CASE WHEN orderkey % 997 = 0 THEN orderkey ELSE 1 END AS k, custkey FROM tpch.tiny.orders WHERE orderkey < 4000) a JOIN (SELECT CASE WHEN orderkey % 991 = 0 THEN orderkey ELSE 1 END AS k FROM tpch.tiny.orders WHERE orderkey < 400) b ON a.k = b.k GROUP BY a.k",
          ),
        ]),
        user("u2", [reads("SELECT count(DISTINCT comment) FROM tpch.tiny.orders")]),
      ],
    }),
};
