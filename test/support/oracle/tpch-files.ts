/**
 * Loads the TPC-H tables that the tpch connector generates into DuckDB through CSV files, with decimal money columns, and writes them as
 * Parquet files with DuckDB, and as a database with SQLite.
 */
import { createWriteStream, mkdtempSync, rmSync } from "node:fs";
import { once } from "node:events";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Database } from "node-sqlite3-wasm";
import { writeCsv } from "../../../bench/tables.ts";
import type { Oracle } from "./duckdb.ts";

export const tpchTableNames: readonly string[] = ["region", "nation", "supplier", "customer", "part", "partsupp", "orders", "lineitem"];

const money = "DECIMAL(12, 2)";

/** `scale` as in the connector's schemas: `1`, `0.01`. */
export async function loadTpchTables(duckdb: Oracle, scale: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "tpch-csv-"));
  for (const table of tpchTableNames) {
    const file = join(folder, `${table}.csv`);
    const stream = createWriteStream(file);
    const columns = await writeCsv({
      scale,
      table,
      properties: { "tpch.column-naming": "STANDARD" },
      write: (chunk) => (stream.write(chunk) ? undefined : once(stream, "drain")),
    });
    stream.end();
    await once(stream, "finish");
    const definitions = columns.map(({ name, type }) => `${name} ${type === "DOUBLE" ? money : type}`);
    await duckdb.run(`CREATE TABLE ${table} (${definitions.join(", ")})`);
    await duckdb.run(`COPY ${table} FROM '${file}' (HEADER false)`);
    rmSync(file);
  }
  rmSync(folder, { recursive: true });
}

/** Returns the directory, which the caller must remove. */
export async function writeTpchParquet(duckdb: Oracle): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "tpch-parquet-"));
  for (const table of tpchTableNames) {
    await duckdb.run(`COPY ${table} TO '${join(folder, table)}.parquet' (FORMAT PARQUET)`);
  }
  return folder;
}

/** The library's module has no names that an import finds. */
const sqlite = createRequire(import.meta.url)("node-sqlite3-wasm") as { readonly Database: new (path: string) => Database };

/** Returns the directory, which the caller must remove; the database is its file `tpch.db`. */
export async function writeTpchSqlite(duckdb: Oracle): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "tpch-sqlite-"));
  const database = new sqlite.Database(join(folder, "tpch.db"));
  database.exec("BEGIN");
  for (const table of tpchTableNames) {
    const columns = (await duckdb.rows(`DESCRIBE ${table}`)) as string[][];
    database.exec(`CREATE TABLE ${table} (${columns.map(([name, type]) => `${name} ${type}`).join(", ")})`);
    const insert = database.prepare(`INSERT INTO ${table} VALUES (${columns.map(() => "?").join(", ")})`);
    for (const row of await duckdb.rows(`SELECT * FROM ${table}`)) {
      insert.run(row as (string | bigint | number)[]);
    }
    insert.finalize();
  }
  database.exec("COMMIT");
  database.close();
  return folder;
}
