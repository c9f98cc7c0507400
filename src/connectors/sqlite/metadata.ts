/** What the coordinator knows of the databases: schemas, tables, columns, statistics and splits. They are read anew for each statement. */
import type { PushedOperation, PushedTable } from "../pushdown.ts";
import type {
  ColumnMetadata,
  ConnectorMetadata,
  ConnectorSession,
  Constraint,
  Json,
  SchemaTableName,
  Split,
  TableMetadata,
  TableStatistics,
} from "../spi.ts";
import type { OpenDatabase, SqliteDatabases } from "./databases.ts";
import { columnsOf, describedTable, handleOf, rowidRangeOf, type TableHandle } from "./handle.ts";
import { findTable, type StoredTable, tableNames } from "./schema.ts";
import { estimateSize, schemaChanged, splitsOf } from "./splits.ts";
import { analyzed } from "./statistics.ts";

export interface SqliteOptions {
  readonly splitBytes: number;
  readonly isAllVarchar: boolean;
}

export class SqliteMetadata implements ConnectorMetadata {
  readonly #databases: SqliteDatabases;
  readonly #options: SqliteOptions;

  constructor(databases: SqliteDatabases, options: SqliteOptions) {
    this.#databases = databases;
    this.#options = options;
  }

  listSchemas(): Promise<readonly string[]> {
    return this.#databases.schemas();
  }

  async listTables(schema: string): Promise<readonly string[]> {
    const path = await this.#databases.pathOf(schema);
    return path === undefined ? [] : tableNames((await this.#databases.open(path)).entries);
  }

  async getTable(name: SchemaTableName): Promise<TableMetadata | undefined> {
    const path = await this.#databases.pathOf(name.schema);
    if (path === undefined) {
      return undefined;
    }
    const { pager, entries } = await this.#databases.open(path);
    const table = findTable(entries, name.table, path);
    const { schemaCookie } = pager.snapshot.header;
    return table && describedTable(name, table, { path, schemaCookie, isAllVarchar: this.#options.isAllVarchar });
  }

  /** Those of ANALYZE, else the number of rows that the pages make likely. */
  async getStatistics({ handle }: TableMetadata): Promise<TableStatistics> {
    const { path, tree, limit } = handleOf(handle);
    const database = await this.#databases.open(path);
    const table = storedTable(database, handleOf(handle));
    const known = table && (await analyzed(database, table));
    const rows = known?.rows ?? (await estimateSize(database.pager, tree)).rows;
    return limit === undefined ? { rowCount: rows, columns: known?.columns ?? {} } : { rowCount: Math.min(limit, rows), columns: {} };
  }

  /** The first rows of a table, in their order. */
  pushDown(handle: Json, { columns, conditions, aggregation, orderBy = [], limit }: PushedOperation): PushedTable | undefined {
    if (conditions.length > 0 || aggregation !== undefined || orderBy.length > 0 || limit === undefined) {
      return undefined;
    }
    const own = handleOf(handle);
    const limited: TableHandle = { ...own, limit: Math.min(limit, own.limit ?? limit) };
    return { handle: limited as unknown as Json, columns };
  }

  async splits(
    { handle }: TableMetadata,
    columns: readonly ColumnMetadata[],
    { summary }: Constraint,
    session: ConnectorSession,
  ): Promise<readonly Split[]> {
    const own = handleOf(handle);
    columnsOf(own, columns);
    const rowids = own.limit === undefined ? rowidRangeOf(own, summary) : {};
    if (summary.isNone || rowids === undefined) {
      return [];
    }
    const database = await this.#databases.open(own.path, session.query);
    const { pager } = database;
    const table = storedTable(database, own);
    if (pager.snapshot.header.schemaCookie !== own.schemaCookie || table?.tree.root !== own.tree.root) {
      throw schemaChanged(own.path);
    }
    const rows = (await analyzed(database, table))?.rows;
    const splits = await splitsOf(pager, {
      tree: own.tree,
      splitBytes: own.limit === undefined ? this.#options.splitBytes : Number.POSITIVE_INFINITY,
      rowids,
      rows,
    });
    await pager.snapshot.requireUnchanged();
    return splits;
  }
}

function storedTable({ entries }: OpenDatabase, { table, path }: TableHandle): StoredTable | undefined {
  return findTable(entries, table.toLowerCase(), path);
}
