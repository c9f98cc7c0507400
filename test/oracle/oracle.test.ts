/**
 * Every statement of statements/*.sql on a cluster of two workers against DuckDB over the same tables.
 */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { JsonValue } from "../../src/protocol/json.ts";
import { type Oracle, openDuckDb } from "../support/oracle/duckdb.ts";
import { type LoopbackCluster, startLoopbackCluster } from "../support/loopback-cluster.ts";
import { Asker } from "../support/service.ts";
import { copyTpchTables } from "../support/oracle/tpch-tables.ts";
import { forDuckDb, rowsDifference } from "./rows.ts";
import { type OracleStatement, parseStatements } from "./statements.ts";

const folder = join(dirname(fileURLToPath(import.meta.url)), "statements");
const files = readdirSync(folder)
  .filter((name) => name.endsWith(".sql"))
  .sort();

let cluster: LoopbackCluster;
let engine: Asker;
let duckdb: Oracle;

beforeAll(async () => {
  [cluster, duckdb] = await Promise.all([startLoopbackCluster(), openDuckDb({ threads: 1 })]);
  engine = new Asker(cluster, {
    "x-engine-user": "oracle",
    "x-engine-catalog": "tpch",
    "x-engine-schema": "tiny",
    "x-engine-client-capabilities": "PARAMETRIC_DATETIME",
  });
  await copyTpchTables(engine, duckdb);
}, 300_000);

afterAll(async () => {
  await cluster.stop();
  duckdb.close();
});

async function check(statement: OracleStatement): Promise<void> {
  const last = await engine.chain(statement.sql);
  const error = last.at(-1)?.["error"] as { errorName: string; message: string } | undefined;
  if (statement.error !== undefined) {
    expect(error?.errorName, `${statement.sql}: ${error?.message ?? "no error"}`).toBe(statement.error.name);
    if (statement.error.message !== undefined) {
      expect(error?.message, statement.sql).toBe(statement.error.message);
    }
    return;
  }
  expect(error?.message, statement.sql).toBeUndefined();
  const columns = last.at(-1)?.["columns"] as { type: string }[];
  if (statement.types !== undefined) {
    expect(columns.map((column) => column.type).join(", ")).toBe(statement.types);
  }
  const found = last.flatMap((response) => (response["data"] ?? []) as JsonValue[][]);
  // If both are set, DuckDB behaves the same but reports it in another form.
  if (statement.expect !== undefined && statement.duckdb !== undefined) {
    await duckdb.rows(statement.duckdb);
  }
  const expected = statement.expect ?? (await duckdb.rows(statement.duckdb ?? forDuckDb(statement.sql)));
  const types = columns.map((column) => column.type);
  expect(rowsDifference(statement.sql, found, expected, types), statement.sql).toBeUndefined();
}

for (const file of files) {
  describe(file, () => {
    for (const statement of parseStatements(file, readFileSync(join(folder, file), "utf8"))) {
      it(`${statement.place} ${statement.sql.slice(0, 100)}`, () => check(statement));
    }
  });
}
