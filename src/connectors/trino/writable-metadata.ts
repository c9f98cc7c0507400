/** Changes of a catalog of a cluster. Each statement is a transaction of its own; that which copies the staged rows is the commit. */
import { base32, type RandomStream } from "../../ports/random.ts";
import { QueryError } from "../../protocol/errors.ts";
import { sqlTypeText } from "../../types/type.ts";
import { clusterObjectErrors, withObjectErrors } from "../shared/remote/object-errors.ts";
import type { Connections } from "../shared/remote/pool.ts";
import { insertedColumns, storedOf } from "../shared/remote/remote-table.ts";
import { committedRows, sinkColumn, type WriteHandle, writeOf } from "../shared/remote/staging.ts";
import { quotedText } from "../shared/remote/statement/literals.ts";
import type { ColumnMetadata, CreateOptions, InsertOptions, Json, PlannedTable, SchemaTableName, TableMetadata } from "../spi.ts";
import { ClusterMetadata, type ClusterMetadataOptions } from "./metadata.ts";

const idLength = 12;

export class WritableClusterMetadata extends ClusterMetadata {
  readonly insertsNamedColumns = true;
  readonly #ids: RandomStream;

  constructor(pool: Connections, options: ClusterMetadataOptions & { readonly ids: RandomStream }) {
    super(pool, options);
    this.#ids = options.ids;
  }

  async createSchema(schema: string): Promise<void> {
    await this.#run(`CREATE SCHEMA ${this.quote(schema)}`);
  }

  async dropSchema(schema: string): Promise<void> {
    await this.#run(`DROP SCHEMA ${this.quote(schema)}`);
  }

  async dropSchemaWithContents(schema: string): Promise<void> {
    await this.#run(`DROP SCHEMA ${this.quote(schema)} CASCADE`);
  }

  async renameSchema(schema: string, target: string): Promise<void> {
    await this.#run(`ALTER SCHEMA ${this.quote(schema)} RENAME TO ${this.quote(target)}`);
  }

  planCreate(columns: readonly ColumnMetadata[], _options: CreateOptions): PlannedTable {
    return { columns, sortedBy: [] };
  }

  async beginCreate(name: SchemaTableName, columns: readonly ColumnMetadata[], options: CreateOptions = {}): Promise<Json> {
    if ((await this.getTable(name)) !== undefined) {
      throw new QueryError("TABLE_ALREADY_EXISTS", `Destination table '${name.schema}.${name.table}' already exists`);
    }
    const target = this.#nameOf(name.schema, name.table);
    const names = columns.map((column) => this.quote(column.name));
    const created = columns.map(({ type }, index) => `${names[index]} ${sqlTypeText(type)}`);
    const comments = [
      ...(options.comment === undefined ? [] : [`COMMENT ON TABLE ${target} IS ${quotedText(options.comment)}`]),
      ...columns.flatMap(({ comment }, index) =>
        comment === undefined ? [] : [`COMMENT ON COLUMN ${target}.${names[index]} IS ${quotedText(comment)}`],
      ),
    ];
    return this.#stage({ schema: name.schema, target, columns: names, created, comments }, created);
  }

  async finishCreate(json: Json, fragments: readonly Json[]): Promise<void> {
    const write = writeOf(json);
    const { target, created = [], comments = [] } = write;
    await this.#run(
      fragments.length === 0
        ? `CREATE TABLE ${target} (${created.join(", ")})`
        : `CREATE TABLE ${target} AS ${committedRows(write, fragments)}`,
    );
    for (const comment of comments) {
      await this.#run(comment);
    }
    await this.abortWrite(json);
  }

  async beginInsert(table: TableMetadata, options?: InsertOptions): Promise<Json> {
    const columns = insertedColumns(table, options);
    const { schema, table: name } = storedOf(table);
    const names = columns.map(({ remoteName }) => this.quote(remoteName));
    const definitions = columns.map(({ type }, index) => `${names[index]} ${sqlTypeText(type)}`);
    return this.#stage({ schema, target: this.#nameOf(schema, name), columns: names }, definitions);
  }

  async finishInsert(json: Json, fragments: readonly Json[]): Promise<void> {
    const write = writeOf(json);
    await this.#run(`INSERT INTO ${write.target} (${write.columns.join(", ")}) ${committedRows(write, fragments)}`);
    await this.abortWrite(json);
  }

  async abortWrite(handle: Json): Promise<void> {
    await this.pool.cleanUp((connection) => connection.query(`DROP TABLE IF EXISTS ${writeOf(handle).staging}`));
  }

  /** Rows of the sinks of the former attempt are in no fragment of the next. */
  async restartWrite(handle: Json): Promise<Json> {
    return handle;
  }

  async dropTable(table: TableMetadata): Promise<void> {
    await this.#run(`DROP TABLE ${this.#target(table)}`);
  }

  async truncateTable(table: TableMetadata): Promise<void> {
    await this.#run(`TRUNCATE TABLE ${this.#target(table)}`);
  }

  async renameTable(table: TableMetadata, target: SchemaTableName): Promise<void> {
    await this.#run(`ALTER TABLE ${this.#target(table)} RENAME TO ${this.#nameOf(target.schema, target.table)}`);
  }

  async addColumn(table: TableMetadata, { name, type, comment }: ColumnMetadata): Promise<void> {
    const note = comment === undefined ? "" : ` COMMENT ${quotedText(comment)}`;
    await this.#run(`ALTER TABLE ${this.#target(table)} ADD COLUMN ${this.quote(name)} ${sqlTypeText(type)}${note}`);
  }

  async dropColumn(table: TableMetadata, column: string): Promise<void> {
    await this.#run(`ALTER TABLE ${this.#target(table)} DROP COLUMN ${this.quote(column)}`);
  }

  async renameColumn(table: TableMetadata, column: string, target: string): Promise<void> {
    await this.#run(`ALTER TABLE ${this.#target(table)} RENAME COLUMN ${this.quote(column)} TO ${this.quote(target)}`);
  }

  async setTableComment(table: TableMetadata, comment: string | undefined): Promise<void> {
    await this.#run(`COMMENT ON TABLE ${this.#target(table)} IS ${comment === undefined ? "NULL" : quotedText(comment)}`);
  }

  async setColumnComment(table: TableMetadata, column: string, comment: string | undefined): Promise<void> {
    const text = comment === undefined ? "NULL" : quotedText(comment);
    await this.#run(`COMMENT ON COLUMN ${this.#target(table)}.${this.quote(column)} IS ${text}`);
  }

  async #stage(
    { schema, ...write }: Omit<WriteHandle, "staging"> & { readonly schema: string },
    definitions: readonly string[],
  ): Promise<Json> {
    const staging = this.#nameOf(schema, `orrery_tmp_${this.#ids.nextText(idLength, base32).toLowerCase()}`);
    await this.#run(`CREATE TABLE ${staging} (${[`${sinkColumn} varchar`, ...definitions].join(", ")})`);
    const handle: WriteHandle = { ...write, staging };
    return handle as unknown as Json;
  }

  /** A copy of rows may take hours. */
  async #run(sql: string): Promise<void> {
    const work = this.pool.use((connection) => connection.query(sql));
    await withObjectErrors(clusterObjectErrors, work);
  }

  #target(table: TableMetadata): string {
    const { schema, table: name } = storedOf(table);
    return this.#nameOf(schema, name);
  }

  #nameOf(schema: string, table: string): string {
    return `${this.quote(schema)}.${this.quote(table)}`;
  }
}
