/**
 * Changes of a database of MySQL or MariaDB. Rows are staged in a table beside the target. DDL ends a transaction there, so a new table is
 * filled under another name, and renamed at the end.
 */
import type { DatabaseConnection } from "../../ports/databases.ts";
import { base32, type RandomStream } from "../../ports/random.ts";
import { QueryError } from "../../protocol/errors.ts";
import type { RowChange, StagedChange } from "../pushdown.ts";
import { changeSql } from "../shared/remote/changes.ts";
import { constraintsSql, defaultAction, remoteCapabilities, storedColumn } from "../shared/remote/column-attributes.ts";
import type { RemoteDialect } from "../shared/remote/dialect.ts";
import { mysqlObjectErrors, withObjectErrors } from "../shared/remote/object-errors.ts";
import type { Connections } from "../shared/remote/pool.ts";
import { handleOf, insertedColumns, storedOf } from "../shared/remote/remote-table.ts";
import {
  applyChanges,
  type ChangeForms,
  changesOf,
  columnsChangedBy,
  inTransaction,
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
} from "../spi.ts";
import { quoted } from "./dialect.ts";
import { MysqlMetadata, type MysqlMetadataOptions } from "./metadata.ts";
import { storedLiteral, storedTypeOf } from "./stored-types.ts";

const idLength = 12;

/** The connection counts the rows that the condition finds, also those that have the new values already. */
async function changedRows(connection: DatabaseConnection, sql: string): Promise<number> {
  await connection.query(sql);
  const [row] = await connection.query("SELECT row_count()");
  return Number(row?.[0] ?? 0);
}

const changeForms: ChangeForms = {
  same: (one, other) => `${one} <=> ${other}`,
  // Without a database of the session, no alias may be deleted from.
  qualifier: (target) => target,
  deleteRows: ({ staging, target }, where) => `DELETE FROM ${target} USING ${target} JOIN ${staging} AS s ON ${where}`,
  updateRows: ({ staging, target }, where, set) => {
    const values = set.map(([column, value]) => `${target}.${column} = ${value}`).join(", ");
    return `UPDATE ${target} JOIN ${staging} AS s ON ${where} SET ${values}`;
  },
  count: changedRows,
};

export class WritableMysqlMetadata extends MysqlMetadata {
  readonly insertsNamedColumns = true;
  readonly capabilities = remoteCapabilities;
  readonly #ids: RandomStream;
  readonly #dialect: RemoteDialect;

  constructor(pool: Connections, options: MysqlMetadataOptions & { readonly ids: RandomStream }) {
    super(pool, options);
    this.#dialect = options.dialect;
    this.#ids = options.ids;
  }

  async createSchema(schema: string): Promise<void> {
    await this.run(`CREATE DATABASE ${this.quote(schema)} CHARACTER SET utf8mb4`);
  }

  async dropSchema(schema: string): Promise<void> {
    if ((await this.listTables(schema)).length > 0) {
      throw new QueryError("SCHEMA_NOT_EMPTY", `Cannot drop non-empty schema '${schema}'`);
    }
    await this.run(`DROP DATABASE ${this.quote(schema)}`);
  }

  planCreate(columns: readonly ColumnMetadata[], _options: CreateOptions): PlannedTable {
    return { columns: columns.map((column) => storedColumn(column, storedTypeOf(column.type).type)), sortedBy: [] };
  }

  async beginCreate(name: SchemaTableName, columns: readonly ColumnMetadata[], options: CreateOptions = {}): Promise<Json> {
    if ((await this.getTable(name)) !== undefined) {
      throw new QueryError("TABLE_ALREADY_EXISTS", `Destination table '${name.schema}.${name.table}' already exists`);
    }
    const names = columns.map((column) => this.quote(column.name));
    const created = columns.map((column, index) => `${names[index]} ${definitionOf(column)}`);
    const comments = options.comment === undefined ? [] : [`COMMENT = ${quoted(options.comment)}`];
    return this.#stage({ schema: name.schema, target: this.#nameOf(name.schema, name.table), columns: names, created, comments }, created);
  }

  async finishCreate(json: Json, fragments: readonly Json[]): Promise<void> {
    const write = writeOf(json);
    const { staging, target, columns, created = [], comments = [] } = write;
    const filled = staging.replace(/`$/, "_n`");
    try {
      await this.run(
        `CREATE TABLE ${filled} (${created.join(", ")}) ${comments.join(" ")}`,
        `INSERT INTO ${filled} (${columns.join(", ")}) ${committedRows(write, fragments)}`,
        `RENAME TABLE ${filled} TO ${target}`,
        `DROP TABLE ${staging}`,
      );
    } catch (error) {
      // The first error is the one to report.
      await this.#dropLeft(filled).catch(() => undefined);
      throw error;
    }
  }

  async #dropLeft(table: string): Promise<void> {
    await this.pool.cleanUp((connection) => connection.query(`DROP TABLE IF EXISTS ${table}`));
  }

  async beginInsert(table: TableMetadata, options?: InsertOptions): Promise<Json> {
    const columns = insertedColumns(table, options);
    const { schema, table: name } = storedOf(table);
    const names = columns.map(({ remoteName }) => this.quote(remoteName));
    const handle: WriteHandle = { target: this.#nameOf(schema, name), columns: names, staging: this.#stagingName(schema) };
    await this.#stageRows(
      handle,
      names.map((column) => `t.${column}`),
    );
    return handle as unknown as Json;
  }

  /** `list`: of a SELECT from the target, which is `t`. Its types and collations, without keys and constraints. */
  async #stageRows({ staging, target }: WriteHandle, list: readonly string[]): Promise<void> {
    const columns = [`CAST('' AS CHAR(250)) AS ${sinkColumn}`, ...list].join(", ");
    await this.run(
      `CREATE TABLE ${staging} AS SELECT ${columns} FROM (SELECT 1 AS one) AS nothing LEFT JOIN ${target} AS t ON 1 = 0 LIMIT 0`,
    );
  }

  async finishInsert(json: Json, fragments: readonly Json[]): Promise<void> {
    const write = writeOf(json);
    await this.run(
      `INSERT INTO ${write.target} (${write.columns.join(", ")}) ${committedRows(write, fragments)}`,
      `DROP TABLE ${write.staging}`,
    );
  }

  async abortWrite(handle: Json): Promise<void> {
    await this.#dropLeft(writeOf(handle).staging);
  }

  /** Rows of the sinks of the former attempt are in no fragment of the next. */
  async restartWrite(handle: Json): Promise<Json> {
    return handle;
  }

  planChange(table: TableMetadata, change: RowChange): Json | undefined {
    return changeSql(this.#dialect, table, change);
  }

  async runChange(change: Json, query: ConnectorQuery): Promise<number> {
    const work = this.pool.useFor(query, (connection) => changedRows(connection, change as string));
    return withObjectErrors(mysqlObjectErrors, work);
  }

  changedBy(table: TableMetadata): readonly string[] | undefined {
    return columnsChangedBy(this.#dialect, table);
  }

  async beginChanges(table: TableMetadata, changes: readonly StagedChange[]): Promise<Json> {
    const staging = this.#stagingName(storedOf(table).schema);
    const { handle, list } = prepareChanges(this.#dialect, table, { changes, staging });
    await this.#stageRows(handle, list);
    return handle as unknown as Json;
  }

  async finishChanges(json: Json, fragments: readonly Json[]): Promise<void> {
    const handle = changesOf(json);
    const work = this.pool.use((connection) =>
      inTransaction(connection, () => applyChanges(connection, changeForms, { handle, fragments })),
    );
    await withObjectErrors(mysqlObjectErrors, work);
    await this.run(`DROP TABLE ${handle.staging}`);
  }

  describeChange(change: Json): string {
    return change as string;
  }

  async dropTable(table: TableMetadata): Promise<void> {
    await this.run(`DROP TABLE ${this.#target(table)}`);
  }

  async truncateTable(table: TableMetadata): Promise<void> {
    await this.run(`TRUNCATE TABLE ${this.#target(table)}`);
  }

  async renameTable(table: TableMetadata, target: SchemaTableName): Promise<void> {
    await this.run(`RENAME TABLE ${this.#target(table)} TO ${this.#nameOf(target.schema, target.table)}`);
  }

  /** MySQL would give existing rows a value of its own, such as 0, where none is allowed to be NULL. */
  async addColumn(table: TableMetadata, column: ColumnMetadata): Promise<void> {
    const target = this.#target(table);
    if (column.nullable === false && (column.defaultValue?.value ?? null) === null) {
      const rows = await this.pool.ask((connection) => connection.query(`SELECT 1 FROM ${target} LIMIT 1`));
      if (rows.length > 0) {
        const { schema, table: name } = table.name;
        throw new QueryError("NOT_SUPPORTED", `Unable to add NOT NULL column '${column.name}' for non-empty table: ${schema}.${name}`);
      }
    }
    const definition = definitionOf(storedColumn(column, storedTypeOf(column.type).type));
    await this.run(`ALTER TABLE ${target} ADD COLUMN ${this.quote(column.name)} ${definition}`);
  }

  async dropColumn(table: TableMetadata, column: string): Promise<void> {
    await this.run(`ALTER TABLE ${this.#target(table)} DROP COLUMN ${this.#column(table, column)}`);
  }

  async renameColumn(table: TableMetadata, column: string, target: string): Promise<void> {
    await this.run(`ALTER TABLE ${this.#target(table)} RENAME COLUMN ${this.#column(table, column)} TO ${this.quote(target)}`);
  }

  async setTableComment(table: TableMetadata, comment: string | undefined): Promise<void> {
    await this.run(`ALTER TABLE ${this.#target(table)} COMMENT = ${quoted(comment ?? "")}`);
  }

  async setColumnDefault(table: TableMetadata, column: string, defaultValue: DefaultValue | undefined): Promise<void> {
    const action = defaultAction(handleOf(table.handle).columns, column, { defaultValue, literal: storedLiteral });
    await this.run(`ALTER TABLE ${this.#target(table)} ALTER COLUMN ${this.#column(table, column)} ${action}`);
  }

  async #stage(
    { schema, ...write }: Omit<WriteHandle, "staging"> & { readonly schema: string },
    definitions: readonly string[],
  ): Promise<Json> {
    const staging = this.#stagingName(schema);
    await this.run(`CREATE TABLE ${staging} (${[`${sinkColumn} varchar(250)`, ...definitions].join(", ")})`);
    const handle: WriteHandle = { ...write, staging };
    return handle as unknown as Json;
  }

  #stagingName(schema: string): string {
    return this.#nameOf(schema, `orrery_tmp_${this.#ids.nextText(idLength, base32).toLowerCase()}`);
  }

  #target(table: TableMetadata): string {
    const { schema, table: name } = storedOf(table);
    return this.#nameOf(schema, name);
  }

  #column(table: TableMetadata, column: string): string {
    return this.quote(handleOf(table.handle).columns.find(({ name }) => name === column)?.remoteName ?? column);
  }

  #nameOf(schema: string, table: string): string {
    return `${this.quote(schema)}.${this.quote(table)}`;
  }
}

function definitionOf(column: ColumnMetadata): string {
  const { sql } = storedTypeOf(column.type);
  const type = column.nullable === false ? sql.replace(/ NULL$/, "") : sql;
  const comment = column.comment === undefined ? "" : ` COMMENT ${quoted(column.comment)}`;
  return `${type}${constraintsSql(column, storedLiteral)}${comment}`;
}
