/**
 * DuckDB in this process, as an independent oracle.
 */
import {
  DuckDBArrayValue,
  type DuckDBConnection,
  DuckDBInstance,
  DuckDBListValue,
  DuckDBMapValue,
  DuckDBStructValue,
  type DuckDBValue,
} from "@duckdb/node-api";

export interface Oracle {
  /** Rows as plain values: bigint, number, string, boolean, null; temporal and decimal values as text. */
  rows(sql: string): Promise<unknown[][]>;
  run(sql: string): Promise<void>;
  close(): void;
}

export async function openDuckDb(options: { readonly threads?: number } = {}): Promise<Oracle> {
  const instance = await DuckDBInstance.create(":memory:", options.threads === undefined ? {} : { threads: String(options.threads) });
  const connection: DuckDBConnection = await instance.connect();
  return {
    async rows(sql) {
      const reader = await connection.runAndReadAll(sql);
      return reader.getRows().map((row) => row.map(plain));
    },
    async run(sql) {
      await connection.run(sql);
    },
    close() {
      connection.closeSync();
      instance.closeSync();
    },
  };
}

/** Converts lists and structs to arrays, maps to objects. */
function plain(value: DuckDBValue): unknown {
  if (value instanceof DuckDBListValue || value instanceof DuckDBArrayValue) {
    return value.items.map(plain);
  }
  if (value instanceof DuckDBStructValue) {
    return Object.values(value.entries).map(plain);
  }
  if (value instanceof DuckDBMapValue) {
    return Object.fromEntries(value.entries.map((entry) => [String(entry.key), plain(entry.value)]));
  }
  return typeof value === "object" && value !== null ? String(value) : value;
}
