/** Databases that SQLite itself wrote (compiled to WebAssembly), opened as a catalog. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Database } from "node-sqlite3-wasm";
import type { Storage } from "../../../../src/ports/storage.ts";
import { sqliteConnectorFactory } from "../../../../src/connectors/sqlite/sqlite.ts";
import { createNodeMemory } from "../../../../src/memory/allocator.ts";
import { Folder } from "../files/folder.ts";
import { type Instance, readTable, tableOf, World } from "../world.ts";

/** The library's module has no names that an import finds. */
const sqlite = createRequire(import.meta.url)("node-sqlite3-wasm") as { readonly Database: new (path: string) => Database };

/** The file of a database that `write` has filled. */
export function written(write: (database: Database) => void): Uint8Array {
  const folder = mkdtempSync(join(tmpdir(), "orrery-sqlite-"));
  try {
    const path = join(folder, "a.db");
    const database = new sqlite.Database(path);
    try {
      write(database);
    } finally {
      database.close();
    }
    return new Uint8Array(readFileSync(path));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export interface OpenDatabase {
  readonly folder: Folder;
  readonly world: World;
  readonly node: Instance;
}

/** Shared, because one memory per database would cost more than the tests. */
const memory = createNodeMemory({ sizeBytes: 128 * 1024 * 1024 }).root;

/** Files by name; the catalog is of `a.db` unless the properties say otherwise. */
export function openDatabase(
  files: Readonly<Record<string, Uint8Array>>,
  properties: Readonly<Record<string, string>> = { "sqlite.file": "/data/a.db" },
): OpenDatabase {
  const folder = new Folder();
  for (const [name, bytes] of Object.entries(files)) {
    folder.put(name, bytes);
  }
  const world = new World({ factory: sqliteConnectorFactory, properties, memory, folder: () => folder as unknown as Storage });
  return { folder, world, node: world.start("n") };
}

const decoder = new TextDecoder();

/** Texts as strings; BLOBs as bytes. */
export async function rowsOf(
  { world, node }: OpenDatabase,
  table: string,
  { schema = "main", only }: { readonly schema?: string; readonly only?: readonly string[] } = {},
): Promise<readonly (readonly unknown[])[]> {
  const found = await tableOf(node.connector, schema, table);
  const columns = found.columns.filter(({ name, hidden }) => (only === undefined ? hidden !== true : only.includes(name)));
  const rows = await readTable(world, node, found, columns);
  return rows.map((row) =>
    row.map((value, index) => (value instanceof Uint8Array && columns[index]?.type.kind !== "varbinary" ? decoder.decode(value) : value)),
  );
}
