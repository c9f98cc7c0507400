/** Databases that SQLite itself wrote, opened as a catalog. */
import type { Storage } from "../../../../src/ports/storage.ts";
import { sqliteConnectorFactory } from "../../../../src/connectors/sqlite/sqlite.ts";
import { createNodeMemory } from "../../../../src/memory/allocator.ts";
import { Folder } from "../files/folder.ts";
import { type Instance, readTable, tableOf, World } from "../world.ts";

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
