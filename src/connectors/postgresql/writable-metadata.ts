/**
 * Changes of a database of PostgreSQL. Rows are staged in a table beside the target, and one transaction copies those of finished sinks.
 */
import type { RandomStream } from "../../ports/random.ts";
import { base32 } from "../../ports/random.ts";
import type { DatabaseConnection } from "../../ports/databases.ts";
import { QueryError } from "../../protocol/errors.ts";
import type { RowChange, StagedChange } from "../pushdown.ts";
import { changeSql } from "../shared/remote/changes.ts";
import { constraintsSql, defaultAction, remoteCapabilities, storedColumn } from "../shared/remote/column-attributes.ts";
import type { RemoteDialect } from "../shared/remote/dialect.ts";
import { postgresqlObjectErrors, withObjectErrors } from "../shared/remote/object-errors.ts";
import type { Connections } from "../shared/remote/pool.ts";
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
} from "../spi.ts";
import { quoted } from "./dialect.ts";
import { type MetadataOptions, PostgresqlMetadata } from "./metadata.ts";
import { storedLiteral, storedTypeOf } from "./stored-types.ts";

const idLength = 12;

async function changedRows(connection: DatabaseConnection, sql: string): Promise<number> {
  const [row] = await connection.query(`WITH changed AS (${sql} RETURNING 1) SELECT count(*) FROM changed`);
  return Number(row?.[0] ?? 0);
}

const changeForms: ChangeForms = { ...joinedByUsing, count: changedRows };

export class WritablePostgresqlMetadata extends PostgresqlMetadata {
  readonly insertsNamedColumns = true;
  readonly capabilities = remoteCapabilities;
  readonly #ids: RandomStream;
  readonly #quote: (name: string) => string;
  readonly #dialect: RemoteDialect;

  constructor(pool: Connections, options: MetadataOptions & { readonly ids: RandomStream }) {
    super(pool, options);
    this.#ids = options.ids;
    this.#dialect = options.dialect;
    this.#quote = (name) => options.dialect.quote(name);
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

  async renameSchema(schema: string, target: string): Promise<void> {
    await this.#run(`ALTER SCHEMA ${this.#quote(schema)} RENAME TO ${this.#quote(target)}`);
  }

  planCreate(columns: readonly ColumnMetadata[], _options: CreateOptions): PlannedTable {
    return { columns: columns.map((column) => storedColumn(column, storedTypeOf(column.type).type)), sortedBy: [] };
  }

  async beginCreate(name: SchemaTableName, columns: readonly ColumnMetadata[], options: CreateOptions = {}): Promise<Json> {
    const target = this.#nameOf(name.schema, name.table);
    const names = columns.map((column) => this.#quote(column.name));
    const created = columns.map((column, index) => `${names[index]} ${definitionOf(column)}`);
    const comments = [
      ...(options.comment === undefined ? [] : [`COMMENT ON TABLE ${target} IS ${quoted(options.comment)}`]),
      ...columns.flatMap(({ comment }, index) =>
        comment === undefined ? [] : [`COMMENT ON COLUMN ${target}.${names[index]} IS ${quoted(comment)}`],
      ),
    ];
    if ((await this.getTable(name)) !== undefined) {
      throw new QueryError("TABLE_ALREADY_EXISTS", `Destination table '${name.schema}.${name.table}' already exists`);
    }
    return this.#stage({ schema: name.schema, target, columns: names, created, comments }, created.join(", "));
  }

  finishCreate(handle: Json, fragments: readonly Json[]): Promise<void> {
    return this.#commit(handle, fragments);
  }

  async beginInsert(table: TableMetadata, options?: InsertOptions): Promise<Json> {
    const columns = insertedColumns(table, options);
    const { schema, table: name } = storedOf(table);
    const target = this.#nameOf(schema, name);
    const names = columns.map(({ remoteName }) => this.#quote(remoteName));
    const [types = []] = await this.#query(
      `SELECT ${columns
        .map(
          ({ remoteName }) =>
            `(SELECT format_type(a.atttypid, a.atttypmod) FROM pg_attribute a WHERE a.attrelid = ${quoted(target)}::regclass AND a.attname = ${quoted(remoteName)})`,
        )
        .join(", ")}`,
    );
    return this.#stage({ schema, target, columns: names }, names.map((name, index) => `${name} ${types[index]}`).join(", "));
  }

  finishInsert(handle: Json, fragments: readonly Json[]): Promise<void> {
    return this.#commit(handle, fragments);
  }

  async abortWrite(handle: Json): Promise<void> {
    await this.pool.cleanUp((connection) => connection.query(`DROP TABLE IF EXISTS ${writeOf(handle).staging}`));
  }

  /** Rows of the sinks of the former attempt are in no fragment of the next. */
  async restartWrite(handle: Json): Promise<Json> {
    return handle;
  }

  planChange(table: TableMetadata, change: RowChange): Json | undefined {
    return changeSql(this.#dialect, table, change);
  }

  /** One statement, which counts the rows that it changes. */
  async runChange(change: Json, query: ConnectorQuery): Promise<number> {
    const work = this.pool.useFor(query, (connection) => changedRows(connection, change as string));
    return withObjectErrors(postgresqlObjectErrors, work);
  }

  describeChange(change: Json): string {
    return change as string;
  }

  changedBy(table: TableMetadata): readonly string[] | undefined {
    return columnsChangedBy(this.#dialect, table);
  }

  /** Types and collations of the target, without its keys and constraints. */
  async beginChanges(table: TableMetadata, changes: readonly StagedChange[]): Promise<Json> {
    const staging = this.#stagingName(storedOf(table).schema);
    const { handle, list } = prepareChanges(this.#dialect, table, { changes, staging });
    const columns = [`''::text AS ${sinkColumn}`, ...list].join(", ");
    await this.#run(`CREATE UNLOGGED TABLE ${staging} AS SELECT ${columns} FROM ${handle.target} AS t WITH NO DATA`);
    return handle as unknown as Json;
  }

  async finishChanges(json: Json, fragments: readonly Json[]): Promise<void> {
    const handle = changesOf(json);
    const work = this.pool.use((connection) =>
      inTransaction(connection, async () => {
        await applyChanges(connection, changeForms, { handle, fragments });
        await connection.query(`DROP TABLE ${handle.staging}`);
      }),
    );
    await withObjectErrors(postgresqlObjectErrors, work);
  }

  async dropTable(table: TableMetadata): Promise<void> {
    await this.#run(`DROP TABLE ${this.#target(table)}`);
  }

  async truncateTable(table: TableMetadata): Promise<void> {
    await this.#run(`TRUNCATE TABLE ${this.#target(table)}`);
  }

  async renameTable(table: TableMetadata, target: SchemaTableName): Promise<void> {
    const { schema } = storedOf(table);
    if (target.schema !== schema) {
      throw new QueryError("NOT_SUPPORTED", "This connector does not support renaming tables across schemas");
    }
    await this.#run(`ALTER TABLE ${this.#target(table)} RENAME TO ${this.#quote(target.table)}`);
  }

  async addColumn(table: TableMetadata, column: ColumnMetadata): Promise<void> {
    const target = this.#target(table);
    const { name, type, comment } = column;
    await this.#run(
      `ALTER TABLE ${target} ADD COLUMN ${this.#quote(name)} ${definitionOf(storedColumn(column, storedTypeOf(type).type))}`,
      ...(comment === undefined ? [] : [`COMMENT ON COLUMN ${target}.${this.#quote(name)} IS ${quoted(comment)}`]),
    );
  }

  async dropColumn(table: TableMetadata, column: string): Promise<void> {
    await this.#run(`ALTER TABLE ${this.#target(table)} DROP COLUMN ${this.#column(table, column)}`);
  }

  async renameColumn(table: TableMetadata, column: string, target: string): Promise<void> {
    await this.#run(`ALTER TABLE ${this.#target(table)} RENAME COLUMN ${this.#column(table, column)} TO ${this.#quote(target)}`);
  }

  async setTableComment(table: TableMetadata, comment: string | undefined): Promise<void> {
    await this.#run(`COMMENT ON TABLE ${this.#target(table)} IS ${comment === undefined ? "NULL" : quoted(comment)}`);
  }

  async setColumnComment(table: TableMetadata, column: string, comment: string | undefined): Promise<void> {
    const name = `${this.#target(table)}.${this.#column(table, column)}`;
    await this.#run(`COMMENT ON COLUMN ${name} IS ${comment === undefined ? "NULL" : quoted(comment)}`);
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

  async #stage({ schema, ...write }: Omit<WriteHandle, "staging"> & { readonly schema: string }, definitions: string): Promise<Json> {
    const staging = this.#stagingName(schema);
    await this.#run(`CREATE UNLOGGED TABLE ${staging} (${sinkColumn} text, ${definitions})`);
    const handle: WriteHandle = { ...write, staging };
    return handle as unknown as Json;
  }

  /** All or nothing. */
  async #commit(json: Json, fragments: readonly Json[]): Promise<void> {
    const write = writeOf(json);
    const { staging, target, columns, created, comments = [] } = write;
    await this.#run(
      ...(created === undefined ? [] : [`CREATE TABLE ${target} (${created.join(", ")})`]),
      ...comments,
      `INSERT INTO ${target} (${columns.join(", ")}) ${committedRows(write, fragments)}`,
      `DROP TABLE ${staging}`,
    );
  }

  /** Several statements are one transaction. */
  async #run(...statements: readonly string[]): Promise<void> {
    await withObjectErrors(postgresqlObjectErrors, this.#query(statements.join("; ")));
  }

  #query(sql: string): ReturnType<DatabaseConnection["query"]> {
    return this.pool.use((connection) => connection.query(sql));
  }

  #stagingName(schema: string): string {
    return this.#nameOf(schema, `orrery_tmp_${this.#ids.nextText(idLength, base32)}`);
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

function definitionOf(column: ColumnMetadata): string {
  return `${storedTypeOf(column.type).sql}${constraintsSql(column, storedLiteral)}`;
}
