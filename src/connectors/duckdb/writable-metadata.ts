/**
 * Changes of a file of DuckDB, by the one node that has opened it for writing. Rows are staged in a database in DuckDB's memory, which
 * spills to its temporary files, and one transaction of the file copies those of finished sinks. A node that dies leaves nothing of them.
 */
import type { DatabaseConnection } from "../../ports/databases.ts";
import { base32, type RandomStream } from "../../ports/random.ts";
import { QueryError } from "../../protocol/errors.ts";
import type { RowChange, StagedChange } from "../pushdown.ts";
import { changeSql } from "../shared/remote/changes.ts";
import { constraintsSql, defaultAction, remoteCapabilities, storedColumn } from "../shared/remote/column-attributes.ts";
import { clusterObjectErrors, withObjectErrors } from "../shared/remote/object-errors.ts";
import { type ConnectionPool, type Connections, remoteError } from "../shared/remote/pool.ts";
import { handleOf, insertedColumns, storedOf } from "../shared/remote/remote-table.ts";
import {
  applyChanges,
  type ChangeForms,
  changesOf,
  columnsChangedBy,
  inTransaction,
  joinedByUsing,
  prepareChanges,
} from "../shared/remote/staged-changes.ts";
import { committedRows, sinkColumn, type WriteHandle, writeOf } from "../shared/remote/staging.ts";
import type {
  ColumnMetadata,
  ConnectorQuery,
  CreateOptions,
  DefaultValue,
  InsertOptions,
  Json,
  PlannedTable,
  SchemaTableName,
  TableMetadata,
  TableVersion,
} from "../spi.ts";
import { quoted } from "./dialect.ts";
import { DuckdbMetadata, type DuckdbMetadataOptions } from "./metadata.ts";
import { storedLiteral, storedTypeOf } from "./stored-types.ts";

const idLength = 12;
const stagingDatabase = "orrery_staging_memory";

/** Runs once when the file is opened. The database ends with the last connection to the file. */
export const stagingPreparation = `ATTACH ':memory:' AS ${stagingDatabase}`;

const changeForms: ChangeForms = { ...joinedByUsing, count: changedRows };

/** Connections that keep the staged rows while a statement writes, and the order of changes. */
export class DuckdbWrites {
  readonly holders: ConnectionPool;
  /** By the name of the staging table. */
  readonly held = new Map<string, DatabaseConnection>();
  #last: Promise<unknown> = Promise.resolve();

  constructor(holders: ConnectionPool) {
    this.holders = holders;
  }

  /** Runs a change when those before it have ended: DuckDB refuses those that meet. */
  inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => undefined);
    return result;
  }
}

export interface WritableOptions extends DuckdbMetadataOptions {
  readonly ids: RandomStream;
  readonly writes: DuckdbWrites;
}

export class WritableDuckdbMetadata extends DuckdbMetadata {
  readonly insertsNamedColumns = true;
  readonly capabilities = remoteCapabilities;
  readonly #ids: RandomStream;
  readonly #writes: DuckdbWrites;

  constructor(pool: Connections, options: WritableOptions) {
    super(pool, options);
    this.#ids = options.ids;
    this.#writes = options.writes;
  }

  /** No other process can open the file, so that its rows are read where they are written. */
  override async getTable(name: SchemaTableName, _version?: TableVersion): Promise<TableMetadata | undefined> {
    const table = await super.getTable(name);
    return table && { ...table, coordinatorOnly: true };
  }

  override async describeQuery(name: SchemaTableName, query: string): Promise<TableMetadata> {
    return { ...(await super.describeQuery(name, query)), coordinatorOnly: true };
  }

  async createSchema(schema: string): Promise<void> {
    await this.#run(`CREATE SCHEMA ${this.#quote(schema)}`);
  }

  async dropSchema(schema: string): Promise<void> {
    if ((await this.listTables(schema)).length > 0) {
      throw new QueryError("SCHEMA_NOT_EMPTY", `Cannot drop non-empty schema '${schema}'`);
    }
    await this.#run(`DROP SCHEMA ${this.#quote(schema)} RESTRICT`);
  }

  async dropSchemaWithContents(schema: string): Promise<void> {
    await this.#run(`DROP SCHEMA ${this.#quote(schema)} CASCADE`);
  }

  planCreate(columns: readonly ColumnMetadata[], _options: CreateOptions): PlannedTable {
    return {
      columns: columns.map((column) => storedColumn(column, storedTypeOf(column.type).type)),
      sortedBy: [],
      coordinatorOnly: true,
    };
  }

  async beginCreate(name: SchemaTableName, columns: readonly ColumnMetadata[], options: CreateOptions = {}): Promise<Json> {
    if ((await this.getTable(name)) !== undefined) {
      throw new QueryError("TABLE_ALREADY_EXISTS", `Destination table '${name.schema}.${name.table}' already exists`);
    }
    const target = this.#nameOf(name.schema, name.table);
    const names = columns.map((column) => this.#quote(column.name));
    const created = columns.map(
      (column, index) => `${names[index]} ${storedTypeOf(column.type).sql}${constraintsSql(column, storedLiteral)}`,
    );
    const comments = [
      ...(options.comment === undefined ? [] : [commentOn("TABLE", target, options.comment)]),
      ...columns.flatMap(({ comment }, index) =>
        comment === undefined ? [] : [commentOn("COLUMN", `${target}.${names[index]}`, comment)],
      ),
    ];
    return this.#stage({ target, columns: names, created, comments }, created);
  }

  finishCreate(handle: Json, fragments: readonly Json[]): Promise<void> {
    return this.#commit(handle, fragments);
  }

  async beginInsert(table: TableMetadata, options?: InsertOptions): Promise<Json> {
    const columns = insertedColumns(table, options);
    const { schema, table: name } = storedOf(table);
    const rows = await this.query(
      `SELECT lower(column_name), data_type FROM duckdb_columns() WHERE database_name = current_database()
       AND lower(schema_name) = ${quoted(schema)} AND lower(table_name) = ${quoted(name)}`,
    );
    const types = new Map(rows.map(([column, type]) => [column, type]));
    const names = columns.map(({ remoteName }) => this.#quote(remoteName));
    const definitions = columns.map((column, index) => `${names[index]} ${types.get(column.name) ?? "varchar"}`);
    return this.#stage({ target: this.#nameOf(schema, name), columns: names }, definitions);
  }

  finishInsert(handle: Json, fragments: readonly Json[]): Promise<void> {
    return this.#commit(handle, fragments);
  }

  async abortWrite(handle: Json): Promise<void> {
    await this.#release(writeOf(handle).staging);
  }

  /** Rows of the sinks of the former attempt are in no fragment of the next. */
  async restartWrite(handle: Json): Promise<Json> {
    return handle;
  }

  planChange(table: TableMetadata, change: RowChange): Json | undefined {
    return changeSql(this.options.dialect, table, change);
  }

  async runChange(change: Json, query: ConnectorQuery): Promise<number> {
    const work = this.#writes.inTurn(() => this.pool.useFor(query, (connection) => changedRows(connection, change as string)));
    return withObjectErrors(clusterObjectErrors, work);
  }

  describeChange(change: Json): string {
    return change as string;
  }

  changedBy(table: TableMetadata): readonly string[] | undefined {
    return columnsChangedBy(this.options.dialect, table);
  }

  async beginChanges(table: TableMetadata, changes: readonly StagedChange[]): Promise<Json> {
    const { handle, list } = prepareChanges(this.options.dialect, table, { changes, staging: this.#stagingName() });
    const columns = [`''::varchar AS ${sinkColumn}`, ...list].join(", ");
    return this.#hold(handle, `AS SELECT ${columns} FROM ${handle.target} AS t WITH NO DATA`);
  }

  async finishChanges(json: Json, fragments: readonly Json[]): Promise<void> {
    const handle = changesOf(json);
    const work = this.#writes.inTurn(() =>
      this.pool.use((connection) => inTransaction(connection, () => applyChanges(connection, changeForms, { handle, fragments }))),
    );
    await withObjectErrors(clusterObjectErrors, work);
    await this.#release(handle.staging);
  }

  async dropTable(table: TableMetadata): Promise<void> {
    await this.#run(`DROP TABLE ${this.#target(table)}`);
  }

  async truncateTable(table: TableMetadata): Promise<void> {
    await this.#run(`TRUNCATE ${this.#target(table)}`);
  }

  async renameTable(table: TableMetadata, target: SchemaTableName): Promise<void> {
    if (target.schema !== storedOf(table).schema) {
      throw new QueryError("NOT_SUPPORTED", "This connector does not support renaming tables across schemas");
    }
    await this.#run(`ALTER TABLE ${this.#target(table)} RENAME TO ${this.#quote(target.table)}`);
  }

  /** DuckDB adds no column with a constraint. */
  async addColumn(table: TableMetadata, column: ColumnMetadata): Promise<void> {
    const target = this.#target(table);
    const { name, comment, nullable, ...added } = storedColumn(column, storedTypeOf(column.type).type);
    const definition = `${storedTypeOf(added.type).sql}${constraintsSql({ name, ...added }, storedLiteral)}`;
    await this.#run(
      `ALTER TABLE ${target} ADD COLUMN ${this.#quote(name)} ${definition}`,
      ...(nullable === false ? [`ALTER TABLE ${target} ALTER COLUMN ${this.#quote(name)} SET NOT NULL`] : []),
      ...(comment === undefined ? [] : [commentOn("COLUMN", `${target}.${this.#quote(name)}`, comment)]),
    );
  }

  async dropColumn(table: TableMetadata, column: string): Promise<void> {
    await this.#run(`ALTER TABLE ${this.#target(table)} DROP COLUMN ${this.#column(table, column)}`);
  }

  async renameColumn(table: TableMetadata, column: string, target: string): Promise<void> {
    await this.#run(`ALTER TABLE ${this.#target(table)} RENAME COLUMN ${this.#column(table, column)} TO ${this.#quote(target)}`);
  }

  async setTableComment(table: TableMetadata, comment: string | undefined): Promise<void> {
    await this.#run(commentOn("TABLE", this.#target(table), comment));
  }

  async setColumnComment(table: TableMetadata, column: string, comment: string | undefined): Promise<void> {
    await this.#run(commentOn("COLUMN", `${this.#target(table)}.${this.#column(table, column)}`, comment));
  }

  async setColumnNullable(table: TableMetadata, column: string, nullable: boolean): Promise<void> {
    await this.#alterColumn(table, column, nullable ? "DROP NOT NULL" : "SET NOT NULL");
  }

  async setColumnDefault(table: TableMetadata, column: string, defaultValue: DefaultValue | undefined): Promise<void> {
    const { columns } = handleOf(table.handle);
    await this.#alterColumn(table, column, defaultAction(columns, column, { defaultValue, literal: storedLiteral }));
  }

  async #alterColumn(table: TableMetadata, column: string, action: string): Promise<void> {
    await this.#run(`ALTER TABLE ${this.#target(table)} ALTER COLUMN ${this.#column(table, column)} ${action}`);
  }

  async #stage(write: Omit<WriteHandle, "staging">, definitions: readonly string[]): Promise<Json> {
    return this.#hold({ ...write, staging: this.#stagingName() }, `(${[`${sinkColumn} varchar`, ...definitions].join(", ")})`);
  }

  #stagingName(): string {
    return `${stagingDatabase}.main.${this.#quote(`t${this.#ids.nextText(idLength, base32)}`)}`;
  }

  /** Creates the staging table, and keeps a connection as long as its rows are needed. */
  async #hold(handle: WriteHandle, definition: string): Promise<Json> {
    const connection = await this.#writes.holders.acquire();
    try {
      await connection.query(`CREATE TABLE ${handle.staging} ${definition}`);
    } catch (error) {
      this.#writes.holders.release(connection);
      throw remoteError(error);
    }
    this.#writes.held.set(handle.staging, connection);
    return handle as unknown as Json;
  }

  /** All or nothing. */
  async #commit(json: Json, fragments: readonly Json[]): Promise<void> {
    const write = writeOf(json);
    const { target, columns, created, comments = [] } = write;
    await this.#run(
      ...(created === undefined ? [] : [`CREATE TABLE ${target} (${created.join(", ")})`]),
      ...comments,
      `INSERT INTO ${target} (${columns.join(", ")}) ${committedRows(write, fragments)}`,
    );
    await this.#release(write.staging);
  }

  /** The rows go with the table, and with the last connection all of them. */
  async #release(staging: string): Promise<void> {
    const connection = this.#writes.held.get(staging);
    this.#writes.held.delete(staging);
    if (connection !== undefined) {
      try {
        await connection.query(`DROP TABLE IF EXISTS ${staging}`);
      } catch {
        connection.close();
      } finally {
        this.#writes.holders.release(connection);
      }
    }
  }

  /** One transaction. */
  async #run(...statements: readonly string[]): Promise<void> {
    await withObjectErrors(
      clusterObjectErrors,
      this.#writes.inTurn(() => this.pool.use((connection) => transaction(connection, statements))),
    );
  }

  #quote(name: string): string {
    return this.options.dialect.quote(name);
  }

  #target(table: TableMetadata): string {
    const { schema, table: name } = storedOf(table);
    return this.#nameOf(schema, name);
  }

  #column(table: TableMetadata, column: string): string {
    return this.#quote(handleOf(table.handle).columns.find(({ name }) => name === column)?.remoteName ?? column);
  }

  #nameOf(schema: string, table: string): string {
    return `${this.#quote(schema)}.${this.#quote(table)}`;
  }
}

function commentOn(kind: "TABLE" | "COLUMN", name: string, comment: string | undefined): string {
  return `COMMENT ON ${kind} ${name} IS ${comment === undefined ? "NULL" : quoted(comment)}`;
}

async function transaction(connection: DatabaseConnection, statements: readonly string[]): Promise<void> {
  await inTransaction(connection, async () => {
    for (const statement of statements) {
      await connection.query(statement);
    }
  });
}

/** DuckDB returns the number of rows of a change. */
async function changedRows(connection: DatabaseConnection, sql: string): Promise<number> {
  const [row] = await connection.query(sql);
  return Number(row?.[0] ?? 0);
}
