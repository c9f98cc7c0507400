/**
 * Results do not depend on the number of workers: rows in the same order and sums of doubles of the same bytes, over generated tables and
 * over memory tables that each cluster writes itself.
 */
import { describe, expect, it } from "vitest";
import { calmCluster, reads, user } from "../../scenarios/scenario.ts";
import { outcomesOf } from "../../sim/run.ts";
import { SharedState } from "../../sim/shared.ts";
import { StreamTree } from "../../sim/world/streams.ts";
import { drawStatement } from "../../sim/workload/workload.ts";
import { stringifyJson } from "../../src/protocol/json.ts";
import { isInTurn } from "../support/programs/rotation.ts";

const between = [2, 3, 5];
/** One of the sizes between in turn; all with ORRERY_TEST_ALL=1. */
const sizes = [1, ...between.filter((_, index) => isInTurn(index, between.length)), 16];

/** Sums of doubles that differ in their last bits when they are added in another order. */
const share = "CAST(extendedprice AS double) / (linenumber + 0.7e0)";

const reading = [
  `SELECT sum(${share}), avg(${share}), stddev(${share}), corr(${share}, CAST(quantity AS double)) FROM lineitem`,
  `SELECT shipmode, returnflag, sum(${share}), count(*) FROM lineitem GROUP BY shipmode, returnflag`,
  "SELECT DISTINCT partkey, suppkey FROM lineitem",
  `SELECT o.custkey, sum(${share}), array_agg(l.linenumber) FROM lineitem l JOIN orders o ON l.orderkey = o.orderkey GROUP BY o.custkey`,
  "SELECT c.name, o.orderkey FROM orders o RIGHT JOIN customer c ON c.custkey = o.custkey AND o.totalprice > 150000",
  "SELECT a.clerk, b.orderkey FROM orders a FULL JOIN orders b ON a.custkey = b.custkey AND a.orderkey = b.orderkey + 3",
  "SELECT orderkey FROM orders WHERE custkey NOT IN (SELECT custkey FROM customer WHERE nationkey > 6)",
  `SELECT orderkey, row_number() OVER (PARTITION BY suppkey), sum(${share}) OVER (PARTITION BY suppkey ORDER BY partkey) FROM lineitem`,
  "SELECT custkey FROM orders UNION ALL SELECT suppkey FROM lineitem UNION ALL SELECT nationkey FROM customer",
  "SELECT custkey FROM orders UNION SELECT partkey FROM lineitem",
  "SELECT partkey FROM lineitem EXCEPT SELECT suppkey FROM lineitem",
  "SELECT orderkey, comment FROM orders LIMIT 37",
  "SELECT orderkey, totalprice FROM orders ORDER BY orderpriority LIMIT 50",
  "SELECT n.name, u.i FROM nation n CROSS JOIN UNNEST(sequence(1, n.regionkey)) AS u(i)",
];

const written = [
  `CREATE TABLE memory.default.l AS SELECT *, ${share} AS d FROM lineitem`,
  `INSERT INTO memory.default.l SELECT *, ${share} FROM lineitem WHERE suppkey < 9`,
  "INSERT INTO memory.default.l SELECT * FROM memory.default.l WHERE linenumber = 2",
  `CREATE TABLE memory.default.g AS SELECT shipmode, shipinstruct, sum(d) s, count(*) n FROM memory.default.l GROUP BY 1, 2`,
  ...Array.from({ length: 9 }, (_, index) => `INSERT INTO memory.default.g VALUES ('m${index}', 'i', ${index}.1e0, ${index})`),
  "SELECT * FROM memory.default.g",
  "ALTER TABLE memory.default.g ADD COLUMN extra varchar DEFAULT 'none'",
  "INSERT INTO memory.default.g SELECT shipmode, 'again', sum(d), 1, comment FROM memory.default.l GROUP BY shipmode, comment",
  "SELECT sum(s), count(*) FROM memory.default.g",
  "SELECT extra, shipmode, s FROM memory.default.g",
  "DELETE FROM memory.default.l WHERE partkey % 5 = 0",
  "UPDATE memory.default.g SET s = s / 3 WHERE n > 4",
  "SELECT extra, shipmode, sum(s), count(*) FROM memory.default.g GROUP BY extra, shipmode",
  "SELECT sum(d), avg(d) FROM memory.default.l",
  "SELECT l.orderkey, l.shipmode, g.s FROM memory.default.l l JOIN memory.default.g g ON l.shipmode = g.shipmode AND g.n > 3",
  "SELECT shipmode, orderkey FROM memory.default.l LIMIT 100",
];

/** Rows in their order, or the name of the error: which of several rows fails first is a matter of time. */
async function rowsOf(statements: readonly string[], workers: number, shared: SharedState): Promise<ReadonlyMap<string, string>> {
  const plan = calmCluster("cluster size", {
    workers: Array.from({ length: workers }, (_, index) => ({ name: `w${index + 1}`, clockOffsetMs: 0, clockDriftPpm: 0 })),
    properties: { "optimizer.min-input-rows-per-task": "20", "query.hash-partition-count": "7" },
    // Tables of several chunks and pages.
    knobs: { "memory-chunk-rows": 100, "page-rows": 64, "frame-rows": 64 },
    nanosPerWorkUnit: 40,
    users: [
      user(
        "u1",
        statements.map((sql) => reads(sql)),
      ),
    ],
  });
  const outcomes = await outcomesOf(plan, shared);
  return new Map([...outcomes].map(([sql, outcome]) => [sql, outcome.kind === "rows" ? stringifyJson(outcome.rows) : outcome.errorName]));
}

async function expectSame(statements: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const shared = new SharedState();
  const results: ReadonlyMap<string, string>[] = [];
  for (const workers of sizes) {
    results.push(await rowsOf(statements, workers, shared));
  }
  const [one] = results as [ReadonlyMap<string, string>];
  for (const sql of statements) {
    for (const [index, other] of results.entries()) {
      expect(other.get(sql), `${sizes[index]} workers: ${sql}`).toBe(one.get(sql));
    }
  }
  return one;
}

describe(`clusters of ${sizes.join(", ")} workers`, () => {
  it("return the same rows in the same order", async () => {
    const rows = await expectSame(reading);
    for (const sql of reading) {
      expect(rows.get(sql), sql).toMatch(/^\[\[/);
    }
  });

  it("write and read the same tables", async () => {
    const rows = await expectSame(written);
    for (const sql of written.filter((one) => one.startsWith("SELECT"))) {
      expect(rows.get(sql), sql).toMatch(/^\[\[/);
    }
  });

  it("return the same for drawn statements", async () => {
    const drawn = Array.from({ length: 25 }, (_, index) => drawStatement(StreamTree.root(`cluster size/${index}`).stream("statement")));
    await expectSame(drawn.filter((sql) => !/^(EXPLAIN|SHOW)|system|information_schema/i.test(sql)));
  });
});
