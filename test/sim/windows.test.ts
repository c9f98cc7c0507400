/**
 * Statements with window functions in the simulated world: the same rows from one worker and from several, the same bytes from the same
 * seed.
 */
import { describe, expect, it } from "vitest";
import type { JsonValue } from "../../src/protocol/json.ts";
import { stringifyJson } from "../../src/protocol/json.ts";
import { Asker } from "../support/service.ts";
import { startSimulatedService } from "../support/simulated-service.ts";

/**
 * Each statement has an order or no ties, because rows that tie in a window come in arrival order, which depends on the number of tasks.
 */
const statements = [
  "SELECT orderkey, row_number() OVER (ORDER BY orderkey) FROM orders WHERE orderkey < 4000",
  "SELECT orderkey, rank() OVER (PARTITION BY custkey ORDER BY totalprice DESC, orderkey) FROM orders",
  "SELECT orderkey, lag(totalprice, 1, totalprice) OVER (PARTITION BY custkey ORDER BY orderdate, orderkey) FROM orders",
  "SELECT orderkey, sum(totalprice) OVER (PARTITION BY orderpriority ORDER BY orderkey ROWS BETWEEN 60 PRECEDING AND 20 FOLLOWING) FROM orders",
  "SELECT orderkey, max(clerk) OVER (PARTITION BY orderstatus ORDER BY orderdate RANGE BETWEEN INTERVAL '30' DAY PRECEDING AND CURRENT ROW) FROM orders",
  "SELECT orderkey, count(*) OVER (ORDER BY orderdate GROUPS BETWEEN 3 PRECEDING AND 3 FOLLOWING) FROM orders WHERE orderkey < 8000",
  "SELECT custkey, sum(totalprice), rank() OVER (ORDER BY sum(totalprice) DESC, custkey), sum(sum(totalprice)) OVER (PARTITION BY custkey % 10) FROM orders GROUP BY custkey",
  "SELECT * FROM (SELECT custkey, orderkey, row_number() OVER (PARTITION BY custkey ORDER BY orderkey) n FROM orders) t WHERE n <= 2 AND custkey < 500",
  "SELECT n.name, r.name, first_value(n.name) OVER (PARTITION BY r.name ORDER BY n.name), ntile(3) OVER (ORDER BY n.name) FROM nation n JOIN region r ON n.regionkey = r.regionkey",
];

async function answers(workerNames: readonly string[], seed: string): Promise<readonly (readonly string[])[]> {
  // Sums of doubles depend on the order of rows; sums of decimals do not.
  const service = await startSimulatedService(seed, { workerNames, doubles: "DECIMAL" });
  try {
    const engine = new Asker(service, { "x-engine-user": "windows", "x-engine-catalog": "tpch", "x-engine-schema": "tiny" });
    const found: string[][] = [];
    for (const sql of statements) {
      const responses = await engine.chain(sql);
      expect((responses.at(-1)?.["error"] as { message: string } | undefined)?.message, sql).toBeUndefined();
      found.push(responses.flatMap((response) => ((response["data"] ?? []) as JsonValue[]).map((row) => stringifyJson(row))));
    }
    return found;
  } finally {
    await service.stop();
  }
}

describe("windows in the simulated world", () => {
  it("give the same rows under one worker and several, and the same bytes again", async () => {
    const alone = await answers(["w1"], "windows");
    const together = await answers(["w1", "w2", "w3"], "windows");
    const again = await answers(["w1", "w2", "w3"], "windows");
    expect(again).toEqual(together);
    statements.forEach((sql, index) => {
      expect(together[index]?.length, sql).toBeGreaterThan(0);
      expect(together[index]?.toSorted(), sql).toEqual(alone[index]?.toSorted());
    });
  }, 600_000);
});
