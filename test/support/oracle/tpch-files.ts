/**
 * Loads the TPC-H tables that the tpch connector generates into DuckDB through CSV files, with decimal money columns, and writes them as
 * Parquet files with DuckDB, and as a database with SQLite.
 */
import { createWriteStream, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeCsv } from "../../../bench/tables.ts";
import { written } from "../programs/sqlite.ts";
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

/** Returns the directory, which the caller must remove; the database is its file `tpch.db`. */
export async function writeTpchSqlite(duckdb: Oracle): Promise<string> {
  const tables: { readonly table: string; readonly columns: string[][]; readonly rows: unknown[][] }[] = [];
  for (const table of tpchTableNames) {
    const columns = (await duckdb.rows(`DESCRIBE ${table}`)) as string[][];
    tables.push({ table, columns, rows: await duckdb.rows(`SELECT * FROM ${table}`) });
  }
  const bytes = written((database) => {
    database.exec("BEGIN");
    for (const { table, columns, rows } of tables) {
      database.exec(`CREATE TABLE ${table} (${columns.map(([name, type]) => `${name} ${type}`).join(", ")})`);
      const insert = database.prepare(`INSERT INTO ${table} VALUES (${columns.map(() => "?").join(", ")})`);
      for (const row of rows) {
        insert.run(row as (string | bigint | number)[]);
      }
      insert.finalize();
    }
    database.exec("COMMIT");
  });
  const folder = mkdtempSync(join(tmpdir(), "tpch-sqlite-"));
  writeFileSync(join(folder, "tpch.db"), bytes);
  return folder;
}
