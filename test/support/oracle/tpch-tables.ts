/**
 * Copies the engine's TPC-H tables into the oracle. The connector's own tests compare its rows with the TPC's generator.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type JsonValue, stringifyJson } from "../../../src/protocol/json.ts";
import type { Oracle } from "./duckdb.ts";
import type { Asker } from "../service.ts";

const tables: readonly string[] = ["region", "nation", "supplier", "customer", "part", "partsupp", "orders", "lineitem"];

/** Reads the tables through the protocol, from the catalog and schema of `engine`. */
export async function copyTpchTables(engine: Asker, duckdb: Oracle): Promise<void> {
  await copyTpchRows(duckdb, async (sql) => {
    const responses = await engine.chain(sql);
    const columns = responses.at(-1)?.["columns"] as { name: string; type: string }[];
    return { columns, rows: responses.flatMap((response) => (response["data"] ?? []) as JsonValue[][]) };
  });
}

interface Answer {
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  readonly rows: readonly (readonly JsonValue[])[];
}

/** Through CSV files: DuckDB takes many times as long for rows of literals. */
export async function copyTpchRows(duckdb: Oracle, ask: (sql: string) => Promise<Answer>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "tpch-csv-"));
  for (const table of tables) {
    const { columns, rows } = await ask(`SELECT * FROM ${table}`);
    const definitions = columns.map(({ name, type }) => `${name} ${type.replace(/^(var)?char.*/, "VARCHAR")}`);
    const file = join(folder, `${table}.csv`);
    writeFileSync(file, rows.map((row) => `${row.map(field).join(",")}\n`).join(""));
    await duckdb.run(`CREATE TABLE ${table} (${definitions.join(", ")})`);
    await duckdb.run(`COPY ${table} FROM '${file}' (HEADER false, NULLSTR '', ALLOW_QUOTED_NULLS false)`);
  }
  rmSync(folder, { recursive: true });
}

function field(value: JsonValue): string {
  return value === null ? "" : typeof value === "string" ? `"${value.replaceAll('"', '""')}"` : stringifyJson(value);
}
