/**
 * Copies the engine's TPC-H tables into the oracle. The connector's own tests compare its rows with the TPC's generator.
 */
import { type JsonValue, stringifyJson } from "../../../src/protocol/json.ts";
import type { Oracle } from "./duckdb.ts";
import type { Asker } from "../service.ts";

const tables: readonly string[] = ["region", "nation", "supplier", "customer", "part", "partsupp", "orders", "lineitem"];
const rowsPerInsert = 2_000;

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

export async function copyTpchRows(duckdb: Oracle, ask: (sql: string) => Promise<Answer>): Promise<void> {
  for (const table of tables) {
    const { columns, rows } = await ask(`SELECT * FROM ${table}`);
    const definitions = columns.map(({ name, type }) => `${name} ${type.replace(/^(var)?char.*/, "VARCHAR")}`);
    await duckdb.run(`CREATE TABLE ${table} (${definitions.join(", ")})`);
    for (let start = 0; start < rows.length; start += rowsPerInsert) {
      const values = rows.slice(start, start + rowsPerInsert).map((row) => `(${row.map(literal).join(",")})`);
      await duckdb.run(`INSERT INTO ${table} VALUES ${values.join(",")}`);
    }
  }
}

function literal(value: JsonValue): string {
  return typeof value === "string" ? `'${value.replaceAll("'", "''")}'` : stringifyJson(value);
}
