/** DuckDB with its raw values as the oracle of a test file, and a folder for the files that the two exchange. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { afterAll, beforeAll } from "vitest";

export interface DuckDbFolder {
  readonly connection: DuckDBConnection;
  readonly directory: string;
}

/** Its members are there while the tests of the file run. One thread. */
export function openDuckDbFolder(name: string): DuckDbFolder {
  const opened: { connection?: DuckDBConnection; directory?: string } = {};
  let close = (): void => undefined;
  beforeAll(async () => {
    const directory = mkdtempSync(join(tmpdir(), `${name}-`));
    const instance = await DuckDBInstance.create(":memory:", { threads: "1" });
    const connection = await instance.connect();
    Object.assign(opened, { connection, directory });
    close = (): void => {
      connection.closeSync();
      instance.closeSync();
      rmSync(directory, { recursive: true });
    };
  });
  afterAll(() => close());
  return opened as DuckDbFolder;
}
