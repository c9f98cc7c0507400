/**
 * Where the tables of a benchmark are: in the memory of both sides, or in files that both sides read.
 */
import { join } from "node:path";
import type { Oracle } from "../test/support/oracle/duckdb.ts";

export type TableStore =
  | { readonly kind: "memory" }
  | { readonly kind: "parquet"; readonly compression: ParquetCompression }
  | { readonly kind: "csv" }
  | { readonly kind: "jsonl" };

export const parquetCompressions = ["snappy", "zstd", "gzip", "uncompressed"] as const;
export type ParquetCompression = (typeof parquetCompressions)[number];

export function describeStore(store: TableStore): string {
  switch (store.kind) {
    case "memory":
      return "memory";
    case "parquet":
      return `Parquet files (${store.compression})`;
    case "csv":
      return "CSV files";
    case "jsonl":
      return "files of JSON lines";
  }
}

export interface StoreRequest {
  /** Has the tables. Afterwards it has views of the files by the same names. */
  readonly duckdb: Oracle;
  readonly folder: string;
  readonly tables: readonly string[];
}

/** Writes each table to a file named after it. Names are the benchmark's own. */
export async function writeStore(store: TableStore, { duckdb, folder, tables }: StoreRequest): Promise<void> {
  const format = formatOf(store);
  if (format === undefined) {
    return;
  }
  for (const name of tables) {
    const file = join(folder, `${name}.${store.kind}`);
    await duckdb.run(`COPY ${name} TO '${file}' (${format.options})`);
    await duckdb.run(`DROP TABLE ${name}`);
    await duckdb.run(`CREATE VIEW ${name} AS SELECT * FROM ${format.reader}('${file}')`);
  }
}

function formatOf(store: TableStore): { readonly options: string; readonly reader: string } | undefined {
  switch (store.kind) {
    case "memory":
      return undefined;
    case "parquet":
      return { options: `FORMAT parquet, COMPRESSION ${store.compression}`, reader: "read_parquet" };
    case "csv":
      return { options: "FORMAT csv, HEADER true", reader: "read_csv" };
    case "jsonl":
      return { options: "FORMAT json", reader: "read_json" };
  }
}
