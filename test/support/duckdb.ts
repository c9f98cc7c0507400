/** DuckDB in this process, as the independent oracle. */
import { type DuckDBConnection, DuckDBInstance, type DuckDBValue } from "@duckdb/node-api";

export interface Oracle {
  /** Rows as plain values: bigint, number, string, boolean, null; temporal and decimal values as their text. */
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

function plain(value: DuckDBValue): unknown {
  return typeof value === "object" && value !== null ? String(value) : value;
}
