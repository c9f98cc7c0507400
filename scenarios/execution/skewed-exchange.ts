import { calmCluster, eachFallsBehind, fromSeed, ms, reads, type Scenario, user } from "../scenario.ts";

export const skewedExchange: Scenario = {
  name: "skewed-exchange",
  story:
    "Most rows go to one partition while every buffer holds little more than a page, and one stage feeds both sides of a join. Reading bounded buffers in turn would deadlock here; the progress rule must prevent it.",
  plan: (seed) =>
    calmCluster(seed, {
      properties: {
        "sink.max-buffer-size": "16kB",
        "exchange.max-buffer-size": "256kB",
        "exchange.max-response-size": "64kB",
        "query.hash-partition-count": "3",
        "task.max-slice-rows": "1024",
      },
      nanosPerWorkUnit: 500,
      users: [
        // Every row crosses an exchange by its clerk. There are only three clerks, so some consumer gets nothing for long.
        user(
          "u1",
          [1_000, 5_000, 20_000, 50_000, 80_000].map((price) =>
            reads(
              `SELECT count(DISTINCT custkey), count(DISTINCT clerk) FILTER (WHERE totalprice > ${price}) FROM orders`,
              fromSeed(seed, 900) * ms,
            ),
          ),
        ),
        user("u2", [
          reads(
            "SELECT count(DISTINCT custkey), count(DISTINCT CASE WHEN orderkey % 97 = 0 THEN orderkey ELSE 1 END) FROM tpch.tiny.orders",
          ),
        ]),
        user("u3", [
          reads(
            "SELECT a.k, count(*) FROM (SELECT CASE WHEN orderkey % 997 = 0 THEN orderkey ELSE 1 END AS k, custkey FROM tpch.tiny.orders WHERE orderkey < 4000) a JOIN (SELECT CASE WHEN orderkey % 991 = 0 THEN orderkey ELSE 1 END AS k FROM tpch.tiny.orders WHERE orderkey < 400) b ON a.k = b.k GROUP BY a.k",
          ),
        ]),
      ],
      faults: eachFallsBehind(seed),
      expect: { atLeast: { spills: 1, finished: 3 }, atMost: { failed: 0 } },
    }),
};
