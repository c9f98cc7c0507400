/** The schema of a database: what sqlite_schema says of its tables, views and indexes. */
import { QueryError } from "../../protocol/errors.ts";
import { BadData, badFile } from "../shared/file-errors.ts";
import type { Tree } from "./format/b-tree.ts";
import { type DefinedColumn, type DefinedTable, isSameName, parseCreateTable } from "./create-table.ts";
import type { Pager } from "./format/pager.ts";
import type { StoredValue } from "./format/record.ts";
import { storedRows } from "./format/rows.ts";

const entriesMax = 100_000;
const schemaTree: Tree = { root: 1, isTable: true };

export interface SchemaEntry {
  readonly type: "table" | "index" | "view" | "trigger";
  readonly name: string;
  /** The table of an index. */
  readonly tableName: string;
  /** 0 for a view and for a virtual table. */
  readonly root: number;
  /** Empty for an index that a constraint made. */
  readonly sql: string;
}

/** Where the values of a column are. */
export interface StoredColumn extends DefinedColumn {
  /** Index in the record; undefined if it has no value there: another name of the row id, and computed columns. */
  readonly field: number | undefined;
}

export interface StoredTable {
  readonly name: string;
  readonly tree: Tree;
  readonly columns: readonly StoredColumn[];
  readonly definition: DefinedTable;
}

/** In the order of their creation. Throws QueryError. */
export async function readSchema(pager: Pager): Promise<readonly SchemaEntry[]> {
  if (pager.snapshot.pageCount === 0) {
    return [];
  }
  const entries: SchemaEntry[] = [];
  for await (const row of storedRows(pager, schemaTree, 5)) {
    if (entries.length === entriesMax) {
      throw new QueryError("NOT_SUPPORTED", `The database ${pager.snapshot.id.path} has more than ${entriesMax} tables and indexes`);
    }
    entries.push(entryOf(row) ?? damaged(pager));
  }
  return entries;
}

function entryOf([type, name, tableName, root, sql]: readonly StoredValue[]): SchemaEntry | undefined {
  const isKnown = type === "table" || type === "index" || type === "view" || type === "trigger";
  if (!isKnown || typeof name !== "string" || typeof tableName !== "string") {
    return undefined;
  }
  return { type, name, tableName, root: typeof root === "number" ? root : 0, sql: typeof sql === "string" ? sql : "" };
}

function damaged(pager: Pager): never {
  throw pager.error(schemaTree.root, "an entry of the schema is damaged");
}

/** Names by which SQL can refer to tables, sorted. Views and virtual tables have no rows of their own. */
export function tableNames(entries: readonly SchemaEntry[]): readonly string[] {
  const names = entries.filter((entry) => isListed(entry)).map(({ name }) => name.toLowerCase());
  return [...new Set(names)].toSorted((a, b) => (a < b ? -1 : 1));
}

function isListed({ type, name, root }: SchemaEntry): boolean {
  return type === "table" && root > 0 && !/^sqlite_/i.test(name);
}

/** `name` is in lower case. undefined if there is no such table. Throws NOT_SUPPORTED for a view. */
export function findTable(entries: readonly SchemaEntry[], name: string, path: string): StoredTable | undefined {
  const found = entries.filter((entry) => (entry.type === "table" || entry.type === "view") && entry.name.toLowerCase() === name);
  const [entry] = found;
  if (entry === undefined || name.startsWith("sqlite_")) {
    return undefined;
  }
  if (found.length > 1) {
    throw new QueryError("NOT_SUPPORTED", `Tables of the same name without regard to case are not supported: '${name}'`);
  }
  if (entry.type === "view" || entry.root === 0) {
    const kind = entry.type === "view" ? "a view" : "a virtual table";
    throw new QueryError("NOT_SUPPORTED", `'${name}' is ${kind} of SQLite, which only SQLite can compute`);
  }
  return storedTable(entry, path);
}

function storedTable({ name, root, sql }: SchemaEntry, path: string): StoredTable {
  try {
    const definition = parseCreateTable(sql);
    return { name, tree: { root, isTable: definition.hasRowid }, columns: placed(definition), definition };
  } catch (error) {
    throw error instanceof BadData ? badFile(path, `table ${name}`, error.message) : error;
  }
}

/** Records have the stored columns in order; those of a table WITHOUT ROWID have the primary key first. */
function placed({ columns, primaryKey, rowidColumn, hasRowid }: DefinedTable): readonly StoredColumn[] {
  const stored = columns.filter(({ isVirtual }) => isVirtual !== true);
  const keys = hasRowid ? [] : primaryKey.flatMap((key) => stored.find(({ name }) => isSameName(name, key)) ?? []);
  const order = [...keys, ...stored.filter((column) => !keys.includes(column))];
  return columns.map((column) => {
    const field = order.indexOf(column);
    return { ...column, field: field < 0 || column.name === rowidColumn ? undefined : field };
  });
}
