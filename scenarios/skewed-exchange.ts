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
          // Nothing can be added up before the exchange: every row crosses it, nearly all to one consumer.
          reads(
            "SELECT k, count(DISTINCT orderkey), count(DISTINCT comment) FROM (SELECT CASE WHEN orderkey % 97 = 0 THEN orderkey ELSE 1 END AS k, orderkey, comment FROM tpch.tiny.orders) GROUP BY k",
          ),
          reads(
            "SELECT a.k, count(*) FROM (SELECT CASE WHEN orderkey % 997 = 0 THEN orderkey ELSE 1 END AS k, custkey FROM tpch.tiny.orders WHERE orderkey < 4000) a JOIN (SELECT CASE WHEN orderkey % 991 = 0 THEN orderkey ELSE 1 END AS k FROM tpch.tiny.orders WHERE orderkey < 400) b ON a.k = b.k GROUP BY a.k",
          ),
        ]),
        user("u2", [reads("SELECT count(DISTINCT comment), count(DISTINCT custkey) FROM tpch.tiny.orders")]),
        user("u3", [
          reads(
            "SELECT a.orderkey, b.comment FROM tpch.tiny.orders a FULL JOIN tpch.tiny.orders b ON a.orderkey = CASE WHEN b.orderkey % 97 = 0 THEN b.orderkey ELSE 1 END WHERE a.orderkey < 500 OR a.orderkey IS NULL",
          ),
        ]),
      ],
      expect: { atLeast: { spills: 1, finished: 4 }, atMost: { failed: 0 } },
    }),
};
