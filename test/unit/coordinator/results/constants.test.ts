/** Statements whose rows are constants are answered without a task, and as a task would have answered them. */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { tpchConnectorFactory } from "../../../../src/connectors/tpch/tpch.ts";
import { createSqlPlanner } from "../../../../src/coordinator/query/sql-planner.ts";
import { constantResult } from "../../../../src/coordinator/results/constant-result.ts";
import { GivenRows } from "../../../../src/coordinator/results/given-rows.ts";
import { FixedRows } from "../../../../src/coordinator/results/rows.ts";
import { createNodeMemory } from "../../../../src/memory/allocator.ts";
import { constant } from "../../../../src/planner/plan/expression-tree.ts";
import { parseJson } from "../../../../src/protocol/json.ts";
import { VARCHAR } from "../../../../src/types/type.ts";
import { decodeUtf8 } from "../../../../src/types/utf8.ts";
import { DirectCluster, type StatementOutcome } from "../direct-cluster.ts";

let direct: DirectCluster;
let byTasks: DirectCluster;

function start(constantCells?: number): Promise<DirectCluster> {
  return DirectCluster.start({
    workerCount: 1,
    catalogs: [{ name: "tpch", properties: { "connector.name": "tpch" } }],
    factories: [tpchConnectorFactory],
    planner: createSqlPlanner,
    ...(constantCells === undefined ? {} : { knobs: { "constant-cells": constantCells } }),
  });
}

beforeAll(async () => {
  direct = await start();
  byTasks = await start(0);
});

afterAll(async () => {
  await direct?.close();
  await byTasks?.close();
});

const tasksOf = async (cluster: DirectCluster, { documents }: StatementOutcome): Promise<number> => {
  const { text } = await cluster.ask("GET", documents[0]?.["infoUri"] as string);
  return (parseJson(text) as { queryStats: { totalTasks: number } }).queryStats.totalTasks;
};

/** What the client sees that does not depend on time or on the way to the rows. */
function seen({ columns, documents, error, rows, state }: StatementOutcome): unknown {
  const warnings = documents.at(-1)?.["warnings"];
  return { columns, error, rows, state, warnings, stages: documents.map((document) => stageOf(document)) };
}

function stageOf(document: StatementOutcome["documents"][number]): unknown {
  const { rootStage } = document["stats"] as {
    rootStage?: { stageId: string; done: boolean; subStages: unknown[]; processedRows: number };
  };
  return rootStage && { ...rootStage, totalSplits: 0, completedSplits: 0, nodes: 0, cpuTimeMillis: 0, wallTimeMillis: 0 };
}

describe("the rows of constants", () => {
  const cells = [
    "1",
    "NULL",
    "'it''s \u00e9 \ud83d\ude00'",
    "1.5e0 / 0",
    "DECIMAL '12345678901234567890.123'",
    "ARRAY[1, NULL, 3]",
    "MAP(ARRAY['a'], ARRAY[row(1, 'x')])",
    "DATE '2024-02-29'",
    "TIMESTAMP '2024-02-29 12:34:56.789 Europe/Paris'",
    "X'00ff'",
    "lower('ABC') || reverse('xyz')",
    "9223372036854775807",
    "transform(sequence(1, 5), x -> x * x)",
    "1 / 0",
    "CAST('x' AS integer)",
    "random() < 2",
  ];
  const statement = fc.oneof(
    fc.array(fc.constantFrom(...cells), { minLength: 1, maxLength: 4 }).map((list) => `SELECT ${list.join(", ")}`),
    fc.array(fc.integer(), { minLength: 1, maxLength: 5 }).map((list) => `VALUES ${list.join(", ")}`),
    fc
      .array(fc.constantFrom("1", "NULL", "7"), { minLength: 2, maxLength: 4 })
      .map((list) => list.map((one) => `SELECT ${one}`).join(" UNION ALL ")),
    fc
      .tuple(fc.nat(4), fc.nat(4))
      .map(([offset, limit]) => `SELECT y, x, y FROM (VALUES (1, 'a'), (2, 'b'), (3, NULL)) t (x, y) OFFSET ${offset} LIMIT ${limit}`),
    fc.constantFrom("SHOW SESSION LIKE 'join%'", "SHOW CATALOGS", "SELECT 1 WHERE false", "SHOW SCHEMAS FROM tpch"),
  );

  it("are those that a task makes: rows, columns, errors, stage 0", async () => {
    await fc.assert(
      fc.asyncProperty(statement, async (sql) => {
        expect(seen(await direct.run(sql))).toEqual(seen(await byTasks.run(sql)));
      }),
      { numRuns: 30 },
    );
  });

  it.each([
    ["SELECT 1", 0],
    ["SELECT upper('a'), ARRAY[1], now()", 0],
    ["VALUES 1, 2", 0],
    ["SELECT 1 UNION ALL SELECT 2", 0],
    ["SHOW SESSION", 0],
    ["SHOW CATALOGS", 0],
    ["SELECT * FROM tpch.tiny.nation WHERE false", 0],
    // Draws bits, works on rows, has more cells or work than the bounds: a task's work.
    ["SELECT random() < 2", 1],
    ["SELECT x + 1 FROM (VALUES 1, 2) t (x) WHERE x > 1", 1],
    ["SELECT sequence(1, 20000)", 1],
    [`VALUES ${Array.from({ length: 4097 }, (_, row) => row).join(", ")}`, 1],
    ["SELECT reduce(sequence(1, 9000), 0, (s, x) -> s + x, s -> s)", 1],
    ["SELECT 1 / (SELECT 0)", 1],
  ])("need tasks only where rows are computed: %s", async (sql, tasks) => {
    const outcome = await direct.run(sql);
    expect(await tasksOf(direct, outcome)).toBe(tasks);
    expect(outcome.documents[0]).toMatchObject({
      stats: { state: "RUNNING", rootStage: { stageId: "0", state: "SCHEDULED", done: false } },
    });
    if (outcome.error === undefined) {
      expect(outcome.documents.at(-1)).toMatchObject({ stats: { state: "FINISHED", rootStage: { done: true } } });
    }
  });

  it("are counted in the query's statistics", async () => {
    const { documents } = await direct.run("VALUES 1, 2, 3");
    const { text } = await direct.ask("GET", documents[0]?.["infoUri"] as string);
    expect(parseJson(text)).toMatchObject({
      state: "FINISHED",
      completeInfo: true,
      queryStats: { outputPositions: 3, outputDataSize: "12B", totalDrivers: 0 },
      outputStage: { state: "FINISHED", tasks: [], subStages: [], stageStats: { outputPositions: 3 } },
    });
  });

  it("are at the end of the chain for clients that want an empty last answer", async () => {
    const { text } = await direct.ask("POST", `${direct.coordinator.selfUri}/v1/statement`, "SELECT 1", { "x-trino-user": "test" });
    const first = parseJson(text) as { nextUri: string; stats: object };
    expect(first).toMatchObject({ stats: { state: "QUEUED" } });
    const { documents } = await direct.follow(first.nextUri);
    expect(documents.map(({ data }) => data)).toEqual([[[1]], undefined]);
  });
});

describe("a client that has a part of the rows", () => {
  const memory = createNodeMemory({ sizeBytes: 16 * 1024 * 1024 });
  const rowsOf = (values: readonly (string | null)[], given: GivenRows) =>
    constantResult({
      types: [VARCHAR],
      rows: values.map((value) => [constant(VARCHAR, value)]),
      memory: memory.root,
      cells: { parametricDatetime: true },
      given,
    });

  it("gets the others, or none if its rows are not the first ones", () => {
    fc.assert(
      fc.property(fc.array(fc.option(fc.string({ maxLength: 4 }))), fc.nat(9), fc.boolean(), (values, some, isOther) => {
        const count = Math.min(some, values.length);
        const given = new GivenRows();
        new FixedRows(rowsOf(values.slice(0, count), new GivenRows()) ?? { json: new Uint8Array(), rowCount: 0 }, given).takeRows();
        if (isOther) {
          given.add(new Uint8Array([1]), 1);
          expect(rowsOf(values, given)).toBeUndefined();
        } else {
          const rest = rowsOf(values, given);
          expect(rest?.rowCount).toBe(values.length - count);
          expect(JSON.parse(decodeUtf8(rest?.json ?? new Uint8Array()))).toEqual(values.slice(count).map((value) => [value]));
        }
        expect(memory.root.reservedBytes).toBe(0);
      }),
    );
  });
});
