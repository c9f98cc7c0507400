/**
 * An in-memory folder that records reads, opened as a catalog.
 */
import { type Storage, StorageError, type StorageEntry } from "../../../../src/ports/storage.ts";
import { filesConnectorFactory } from "../../../../src/connectors/files/files.ts";
import type { ColumnMetadata, TableMetadata } from "../../../../src/connectors/spi.ts";
import { createNodeMemory } from "../../../../src/memory/allocator.ts";
import { displayType } from "../../../../src/types/type.ts";
import { type Instance, readTable, type Rows, tableOf, World } from "../world.ts";

export class Folder implements Pick<Storage, "list" | "stat" | "read"> {
  readonly #files = new Map<string, { readonly bytes: Uint8Array; readonly version: string }>();
  #version = 0;
  /** Folders in the order in which they were listed. */
  readonly listed: string[] = [];
  readonly reads: { readonly path: string; readonly offset: number; readonly length: number }[] = [];

  put(path: string, content: string | Uint8Array): this {
    const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
    this.#files.set(path, { bytes, version: String(this.#version++) });
    return this;
  }

  remove(path: string): Promise<void> {
    this.#files.delete(path);
    return Promise.resolve();
  }

  async list(path: string): Promise<readonly StorageEntry[]> {
    this.listed.push(path);
    const prefix = path === "" ? "" : `${path}/`;
    const entries = new Map<string, StorageEntry>();
    for (const [name, { bytes, version }] of this.#files) {
      if (name.startsWith(prefix)) {
        const [first, ...rest] = name.slice(prefix.length).split("/") as [string, ...string[]];
        const directory = rest.length > 0;
        entries.set(first, { name: first, directory, sizeBytes: directory ? 0 : bytes.length, version, modifiedMillis: 1_700_000_000_000 });
      }
    }
    return [...entries.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
  }

  async stat(path: string): Promise<StorageEntry> {
    const { bytes, version } = this.#file(path);
    return { name: path, directory: false, sizeBytes: bytes.length, version };
  }

  async read(path: string, offset: number, length: number, into?: Uint8Array): Promise<Uint8Array> {
    this.reads.push({ path, offset, length });
    const bytes = this.#file(path).bytes.slice(offset, offset + length);
    if (into === undefined || into.length < bytes.length) {
      return bytes;
    }
    into.fill(0x22);
    into.set(bytes);
    return into.subarray(0, bytes.length);
  }

  #file(path: string): { readonly bytes: Uint8Array; readonly version: string } {
    const file = this.#files.get(path);
    if (file === undefined) {
      throw new StorageError("NOT_FOUND", path, "no such file");
    }
    return file;
  }
}

export interface OpenFolder {
  readonly world: World;
  readonly node: Instance;
}

/** Shared, because one memory per folder would cost more than the tests. */
const memory = createNodeMemory({ sizeBytes: 128 * 1024 * 1024 }).root;

export function openFolder(folder: Folder, properties: Readonly<Record<string, string>> = {}): OpenFolder {
  const world = new World({
    factory: filesConnectorFactory,
    properties: { "files.directory": "/data", ...properties },
    memory,
    folder: () => folder as unknown as Storage,
  });
  return { world, node: world.start("n") };
}

/** The table without its hidden columns. */
export async function visibleTable({ node }: Pick<OpenFolder, "node">, name = "t"): Promise<TableMetadata> {
  const table = await tableOf(node.connector, "default", name);
  return { ...table, columns: table.columns.filter(({ hidden }) => hidden !== true) };
}

export interface ReadTable {
  readonly columns: readonly ColumnMetadata[];
  /** `name type` of each column. */
  readonly types: readonly string[];
  readonly rows: Rows;
  readonly splits: number;
}

export async function read(open: OpenFolder, table: string, only?: readonly string[]): Promise<ReadTable> {
  const found = await tableOf(open.node.connector, "default", table);
  const visible = found.columns.filter(({ hidden }) => hidden !== true);
  const columns = only === undefined ? visible : only.map((name) => found.columns.find((column) => column.name === name) as ColumnMetadata);
  const rows = await readTable(open.world, open.node, found, columns);
  const splits = await open.node.connector.getSplits(found, columns);
  return { columns, types: columns.map(({ name, type }) => `${name} ${displayType(type)}`), rows, splits: splits.length };
}

const decoder = new TextDecoder();

/** Converts byte strings to strings. */
export function texts(rows: Rows): readonly (readonly unknown[])[] {
  return rows.map((row) => row.map((value) => (value instanceof Uint8Array ? decoder.decode(value) : value)));
}
