import { calmCluster, eachFallsBehind, fromSeed, ms, reads, type Scenario, user } from "../scenario.ts";

const perCustomer =
  "WITH a (k, v, n) AS (SELECT custkey, sum(totalprice), count(*) FROM tpch.tiny.orders WHERE orderkey % 3 <> 1 GROUP BY custkey)";

export const sharedSubplan: Scenario = {
  name: "shared-subplan",
  story:
    "One stage has several consumers: both sides of a join, whose probe side is not read before the build side has ended, a branch that soon has enough rows, and a slow third one. Its buffers hold little more than a page, so it must spill to serve a starving consumer, and must end when the last consumer has ended, not the first.",
  plan: (seed) =>
    calmCluster(seed, {
      properties: {
        "sink.max-buffer-size": "1kB",
        "exchange.max-buffer-size": "4kB",
        "exchange.max-response-size": "1kB",
        "query.hash-partition-count": "3",
        "task.max-slice-rows": "256",
      },
      nanosPerWorkUnit: 500,
      users: [
        user("u1", [
          reads(`${perCustomer} SELECT k, v FROM a WHERE v = (SELECT max(v) FROM a)`, fromSeed(seed, 300) * ms),
          reads(
            `${perCustomer} SELECT count(*), sum(x.v), min(y.n) FROM a x JOIN a y ON x.k = y.n + 7 AND x.v <> y.v AND x.n > y.k - 5000`,
          ),
        ]),
        user("u2", [
          reads(
            `${perCustomer} SELECT sum(v), count(*), sum(n) FROM (SELECT * FROM a UNION ALL SELECT * FROM a UNION ALL SELECT * FROM a)`,
          ),
        ]),
        user("u3", [
          // The first branch needs one page only, and the root may stop before it reads the others.
          reads(`${perCustomer} SELECT count(*), min(n) > 0 FROM (SELECT v, n FROM a LIMIT 2) UNION ALL SELECT sum(n), max(n) > 0 FROM a`),
          reads(`${perCustomer} SELECT v > 0 FROM a x WHERE EXISTS (SELECT 1 FROM a y WHERE y.v > x.v) LIMIT 3`),
        ]),
      ],
      faults: eachFallsBehind(seed),
      expect: { atLeast: { spills: 1, finished: 5 }, atMost: { failed: 0 } },
    }),
};
