/**
 * The plans of TPC-H's queries at scale 1, as EXPLAIN shows them, one file a query, with a comment on why the plan is the right one above
 * it. There are two sets: `tpch` plans over the tpch connector, which declares the keys of its tables; `tpch-memory` plans over memory
 * tables, which have no keys, as `npm run bench` loads them. UPDATE_GOLDEN=1 writes both anew and keeps the comments; the difference is
 * then to be read. Without it nothing is written, and a plan that is not on file fails.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import { createTableStatements } from "../../bench/tables.ts";
import type { Connector } from "../../src/connectors/spi.ts";
import { memoryConnectorFactory } from "../../src/connectors/memory/memory.ts";
import { tpchConnectorFactory } from "../../src/connectors/tpch/tpch.ts";
import { TestPlanner, tpchConnector } from "../support/planning.ts";
import { tpchMemoryConnector } from "../support/oracle/tpch-memory.ts";
import { DirectCluster } from "../unit/coordinator/direct-cluster.ts";

const here = dirname(fileURLToPath(import.meta.url));
const statements = join(here, "..", "oracle", "tpch");
const names = readdirSync(statements)
  .filter((file) => file.endsWith(".sql"))
  .map((file) => file.replace(/\.sql$/, ""))
  .toSorted();

interface PlanSet {
  readonly folder: string;
  readonly tables: string;
  readonly planner: () => Promise<TestPlanner>;
}

const sets: readonly PlanSet[] = [
  {
    folder: "tpch",
    tables: "the tpch connector",
    planner: async () => new TestPlanner({ tpch: tpchConnector() }, { catalog: "tpch", schema: "sf1" }),
  },
  {
    folder: "tpch-memory",
    tables: "the benchmark's memory tables",
    planner: async () => new TestPlanner({ memory: await tpchMemoryConnector("1") }, { catalog: "memory", schema: "default" }),
  },
];

function commentOf(text: string): string {
  return text
    .split("\n")
    .filter((line) => line.startsWith("--"))
    .join("\n");
}

describe.each(sets)("TPC-H plans at scale 1 over $tables", ({ folder, planner: makePlanner }) => {
  let planner: TestPlanner;

  beforeAll(async () => {
    planner = await makePlanner();
  });

  test.each(names)("%s is planned as on file, which says why", async (name) => {
    const file = join(here, folder, `${name}.txt`);
    const update = process.env["UPDATE_GOLDEN"] === "1";
    const onFile = !existsSync(file) && update ? "" : readFileSync(file, "utf8");
    const comment = commentOf(onFile);
    const text = `${comment}\n\n${await planner.explain(readFileSync(join(statements, `${name}.sql`), "utf8"))}`;
    if (update) {
      writeFileSync(file, text);
    }
    expect(comment.length, `${file} begins with the reason for the plan`).toBeGreaterThan(0);
    if (!update) {
      expect(text).toBe(onFile);
    }
    expect(text).not.toContain("CrossJoin");
  });

  test("every query has its plan on file, and nothing else is there", () => {
    expect(readdirSync(join(here, folder)).toSorted()).toEqual(names.map((name) => `${name}.txt`));
  });

  test("the same statement has the same plan, whatever was planned before it", async () => {
    const sql = readFileSync(join(statements, "q09.sql"), "utf8");
    const { catalogs, session } = planner.context;
    const connectors = Object.fromEntries(catalogs.names().map((name) => [name, catalogs.connector(name) as Connector]));
    expect(await new TestPlanner(connectors, session).explain(sql)).toBe(await planner.explain(sql));
  });
});

test("memory tables that statements create have the statistics that these plans are made with", async () => {
  const scale = "0.01";
  const cluster = await DirectCluster.start({
    workerCount: 2,
    factories: [tpchConnectorFactory, memoryConnectorFactory],
    catalogs: [
      { name: "tpch", properties: { "connector.name": "tpch" } },
      { name: "memory", properties: { "connector.name": "memory" } },
    ],
  });
  try {
    const headers = { "x-engine-catalog": "memory", "x-engine-schema": "default" };
    for (const sql of createTableStatements(scale)) {
      await cluster.rows(sql, headers);
    }
    const planner = new TestPlanner({ memory: await tpchMemoryConnector(scale) }, { catalog: "memory", schema: "default" });
    for (const name of names) {
      const sql = readFileSync(join(statements, `${name}.sql`), "utf8");
      expect(await cluster.rows(`EXPLAIN ${sql}`, headers), name).toEqual([[await planner.explain(sql)]]);
    }
  } finally {
    await cluster.close();
  }
});
