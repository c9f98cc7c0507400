/**
 * The simulator's statements with known answers: the engine's answers, checked against DuckDB over the same tables, equal those in
 * sim/workload/known-answers.ts.
 */
import { afterAll, beforeAll, expect, it } from "vitest";
import { workloadSchema } from "../../sim/workload/tables.ts";
import { knownStatements } from "../../sim/workload/known.ts";
import { type JsonValue, stringifyJson } from "../../src/protocol/json.ts";
import { type Oracle, openDuckDb } from "../support/oracle/duckdb.ts";
import { type LoopbackCluster, startLoopbackCluster } from "../support/loopback-cluster.ts";
import { Asker } from "../support/service.ts";
import { copyTpchTables } from "../support/oracle/tpch-tables.ts";
import { difference } from "./compare.ts";

const catalogs = [{ name: "tpch", properties: { "connector.name": "tpch", "tpch.double-type-mapping": "DECIMAL" } }];

let cluster: LoopbackCluster;
let engine: Asker;
let duckdb: Oracle;

beforeAll(async () => {
  [cluster, duckdb] = await Promise.all([startLoopbackCluster({ catalogs }), openDuckDb({ threads: 1 })]);
  engine = new Asker(cluster, {
    "x-engine-user": "known",
    "x-engine-catalog": "tpch",
    "x-engine-schema": workloadSchema,
    "x-engine-client-capabilities": "PARAMETRIC_DATETIME",
  });
  await copyTpchTables(engine, duckdb);
}, 300_000);

afterAll(async () => {
  await cluster.stop();
  duckdb.close();
});

it("are what DuckDB answers, and what the simulator expects", async () => {
  expect(new Set(knownStatements).size).toBe(knownStatements.length);
  const entries: string[] = [];
  for (const sql of knownStatements) {
    const responses = await engine.chain(sql);
    expect((responses.at(-1)?.["error"] as { message: string } | undefined)?.message, sql).toBeUndefined();
    const columns = responses.at(-1)?.["columns"] as { name: string; type: string }[];
    const rows = responses.flatMap((response) => (response["data"] ?? []) as JsonValue[][]);
    const types = columns.map(({ type }) => type.replace(/,(?=\d)/, ", "));
    const ordered = /\bORDER BY\b(?![^(]*\))/.test(sql);
    expect(difference(rows, await duckdb.rows(sql), { types, ordered }), sql).toBeUndefined();
    const arranged = ordered
      ? rows
      : rows
          .map((row) => [stringifyJson(row), row] as const)
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([, row]) => row);
    const shape = columns.map(({ name, type }) => `${name} ${type}`).join(", ");
    entries.push(`  ${JSON.stringify(sql)}: \`${shape} ${stringifyJson(arranged)}\`,\n`);
  }
  await expect(`${head}${entries.join("")}};\n`).toMatchFileSnapshot("../../sim/workload/known-answers.ts");
}, 300_000);

const head = `/** Written by test/oracle/known-answers.test.ts, which holds every answer against DuckDB: \`npx vitest run -u\` on it after a change of known.ts. */

/** By statement: names and types of the columns, then the rows as JSON. */
export const knownAnswers: Readonly<Record<string, string>> = {
`;
