/**
 * Counted work of TPC-H's queries over memory tables in a simulated cluster of two workers, one line a query: requests between nodes and
 * their bytes, rows that were read from exchanges, allocations in linear memory, and steps of interpreted kernels. The same engine counts
 * the same on every machine. A query that costs more than is on file fails; one that costs much less asks for a new file.
 * UPDATE_GOLDEN=1 writes it anew; the difference is then to be read.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { tpchQueries } from "../../bench/queries.ts";
import { createTableStatements } from "../../bench/tables.ts";
import { table } from "../../bench/figures.ts";
import { type SimulatedService, startSimulatedService } from "../support/simulated-service.ts";
import { Asker } from "../support/service.ts";
import { type Counted, type CountedName, countedNames, readCounts, workOf } from "../support/counted-work.ts";

const scale = "0.01";
const file = join(import.meta.dirname, "work", "tpch.txt");
/** A query may cost this much more than on file, in percent: a document that is a little longer is no regression. */
const morePercentMax = 2;
const lessPercentMax = 10;
const session = { "x-engine-user": "test", "x-engine-catalog": "memory", "x-engine-schema": "default" };

describe(`the counted work of TPC-H's queries at scale ${scale}`, () => {
  let service: SimulatedService;
  let asker: Asker;
  const counts = new Map<string, Counted>();

  beforeAll(async () => {
    service = await startSimulatedService("counted work", {
      properties: { "node.kernel-backend": "interpreter", "query.hash-partition-count": "2" },
      doubles: "DECIMAL",
    });
    asker = new Asker(service, session);
    for (const sql of createTableStatements(scale)) {
      await asker.rows(sql);
    }
  });

  afterAll(async () => {
    if (process.env["UPDATE_GOLDEN"] === "1") {
      const rows = [...counts].map(([name, counted]) => [name, ...countedNames.map((one) => String(counted[one]))]);
      writeFileSync(file, `${table([["query", ...countedNames], ...rows])}\n`);
    }
    await service.stop();
  });

  test.each([...tpchQueries()])("%s costs what is on file", async (name, sql) => {
    counts.set(name, await workOf(service, asker, sql));
    if (process.env["UPDATE_GOLDEN"] === "1") {
      return;
    }
    const expected = readCounts(readFileSync(file, "utf8")).get(name);
    expect(expected, `${name} is not on file; UPDATE_GOLDEN=1 writes it`).toBeDefined();
    for (const one of countedNames) {
      const [now, before] = [counts.get(name)?.[one] as number, expected?.[one] as number];
      expect(now, message(name, one, before)).toBeLessThanOrEqual(Math.ceil(before * (1 + morePercentMax / 100)));
      expect(now, `${message(name, one, before)}; UPDATE_GOLDEN=1 keeps the gain`).toBeGreaterThanOrEqual(
        Math.floor(before * (1 - lessPercentMax / 100)),
      );
    }
  });
});

function message(query: string, counted: CountedName, before: number): string {
  return `${query}: ${counted}, on file ${before}`;
}
