/** TPC-H as Parquet files in a folder for each table, which a server of its own writes. */
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startServer, stopServer } from "../../test/support/programs/server-process.ts";
import { say } from "../figures.ts";
import { BenchClient } from "../statement.ts";
import type { ParquetCompression } from "../table-store.ts";
import { benchTables, createTableStatements } from "../tables.ts";
import { temporaryFolder } from "../temporary-folder.ts";

export interface TableFilesRequest {
  readonly folder: string;
  readonly scale: string;
  readonly compression: ParquetCompression;
}

/** Writes the tables that are not there. A table is there as a whole or not at all. */
export async function writeTableFiles({ folder, scale, compression }: TableFilesRequest): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const missing = Object.keys(benchTables).filter((name) => !existsSync(join(folder, name)));
  if (missing.length === 0) {
    return;
  }
  const etc = temporaryFolder();
  mkdirSync(join(etc, "catalog"));
  const catalog = ["connector.name=files", `files.directory=${folder}`, "files.writes-enabled=true"];
  writeFileSync(join(etc, "catalog", "lake.properties"), `${catalog.join("\n")}\n`);
  writeFileSync(join(etc, "catalog", "tpch.properties"), "connector.name=tpch\n");
  const codec = compression === "uncompressed" ? "NONE" : compression.toUpperCase();
  const server = await startServer(["--etc", etc]);
  const client = new BenchClient(server.uri, { catalog: "lake", schema: "default" });
  try {
    for (const [index, sql] of createTableStatements(scale, missing, `WITH (compression_codec = '${codec}')`).entries()) {
      say(`writing ${missing[index]} ...`);
      await client.rows(sql);
    }
  } finally {
    await client.close();
    await stopServer(server);
  }
}

/** Statements that give DuckDB the same tables. */
export function viewsOfFiles(folder: string): readonly string[] {
  return Object.keys(benchTables).map((name) => `CREATE VIEW ${name} AS SELECT * FROM read_parquet('${join(folder, name)}/**/*.parquet')`);
}
