/**
 * The coordinator's side of the memory connector: schemas, tables, and the location of each table's parts. It is lost with the coordinator.
 * Workers free the parts they still hold when a new coordinator announces itself.
 *
 * Every write has a number. Its parts become visible when it finishes, and are garbage if it does not. After every change that ends a
 * write, the catalog sends the live writes to the workers.
 */
import { knobOf } from "../../ports/knobs.ts";
import { assert, QueryError } from "../../protocol/errors.ts";
import type {
  ColumnMetadata,
  ConnectorContext,
  ConnectorMetadata,
  CreateOptions,
  DefaultValue,
  Json,
  NamedFunction,
  SchemaFunctionName,
  SchemaTableName,
  Split,
  StoredFunction,
  TableMetadata,
  TableStatistics,
  ViewDefinition,
} from "../spi.ts";
import type { LeaveCall } from "./copies.ts";
import type { LiveWrites, Owner } from "./part-store.ts";
import { type LocatedPart, Replication } from "./replication.ts";
import { type ColumnSketch, columnStatistics } from "./sketch.ts";
import {
  addColumn,
  addRows,
  changeColumn,
  clearRows,
  dropColumn,
  newTable,
  renameColumn,
  requireValues,
  rowCount,
  type PartCopy,
  splitsOf,
  type StoredPart,
  storedNames,
  type Table,
  type TableHandle,
  tableHandle,
  type WriteHandle,
} from "./table.ts";
import { StoredFunctions } from "./functions.ts";
import { Views } from "./views.ts";

/** Workers that a write tells its sinks for their copies. */
const copyNodesMax = 16;

type WriteTarget = Omit<WriteHandle, "copyNodes" | "owner" | "replication" | "write">;

export interface MemoryCatalogOptions {
  readonly context: ConnectorContext;
  readonly owner: Owner;
  /** Value of memory.replication. */
  readonly replication: number;
  /** Updates this node's own store, without the network. */
  readonly keepOnly: (live: LiveWrites) => void;
}

export class MemoryCatalog implements ConnectorMetadata {
  readonly capabilities = ["DEFAULT_COLUMN_VALUE", "NOT_NULL_COLUMN_CONSTRAINT"] as const;
  readonly replacesTables = true;
  readonly changesOnlyHere = true;
  readonly #context: ConnectorContext;
  readonly #owner: Owner;
  readonly #copies: number;
  readonly #replication: Replication;
  readonly #keepOnly: (live: LiveWrites) => void;
  readonly #schemas = new Map<string, Map<string, Table>>([["default", new Map<string, Table>()]]);
  readonly #views = new Views();
  readonly #functions = new StoredFunctions();
  readonly #pendingWrites = new Set<number>();
  #nextWrite = 1;
  /** Number of changes that ended writes. */
  #changes = 0;
  /** Per worker: the last change that it has received. */
  readonly #heard = new Map<string, number>();

  constructor(options: MemoryCatalogOptions) {
    this.#context = options.context;
    this.#owner = options.owner;
    this.#keepOnly = options.keepOnly;
    this.#copies = options.replication;
    const { context, replication } = options;
    this.#replication = new Replication({ context, replication, parts: () => this.#parts() });
  }

  /** A node leaves. Returns the number of its parts that have yet to be copied to others. */
  leave({ life, nodeId }: LeaveCall): number {
    return this.#replication.leave(nodeId, life);
  }

  partsToCopy(): number {
    return this.#replication.missing();
  }

  close(): void {
    this.#replication.close();
  }

  async listSchemas(): Promise<readonly string[]> {
    return [...this.#schemas.keys()].toSorted();
  }

  async listTables(schema: string): Promise<readonly string[]> {
    return [...(this.#schemas.get(schema)?.keys() ?? []), ...this.#views.names(schema)].toSorted();
  }

  async getTable(name: SchemaTableName): Promise<TableMetadata | undefined> {
    const table = this.#find(name);
    if (table === undefined) {
      return undefined;
    }
    const { columns, comment } = table;
    return { name, columns, handle: tableHandle(table), ...(comment === undefined ? {} : { comment }) };
  }

  async getStatistics(metadata: TableMetadata): Promise<TableStatistics> {
    const table = this.#tableOf(metadata.handle);
    const rows = rowCount(table);
    return {
      rowCount: rows,
      columns: Object.fromEntries(
        table.columns.map(({ name, type }, i) => [name, columnStatistics(table.sketches[i] as ColumnSketch, type, rows)]),
      ),
    };
  }

  async createSchema(schema: string): Promise<void> {
    if (this.#schemas.has(schema) || schema === "information_schema") {
      throw new QueryError("SCHEMA_ALREADY_EXISTS", `Schema '${this.#context.catalog}.${schema}' already exists`);
    }
    this.#schemas.set(schema, new Map());
  }

  async dropSchema(schema: string): Promise<void> {
    if (this.#tables(schema).size > 0 || this.#views.names(schema).length > 0 || this.#functions.list(schema).length > 0) {
      throw new QueryError("SCHEMA_NOT_EMPTY", `Schema not empty: ${schema}`);
    }
    this.#schemas.delete(schema);
  }

  async beginCreate(name: SchemaTableName, columns: readonly ColumnMetadata[], options: CreateOptions = {}): Promise<Json> {
    this.#requireAbsent(name, options.replace);
    return this.#begin({ ...name, columns, ...options });
  }

  /** With OR REPLACE the former table disappears at the same moment. A query that has yet to read it fails. */
  async finishCreate(handle: Json, fragments: readonly Json[]): Promise<void> {
    const write = this.#end(handle);
    try {
      this.#requireAbsent(write, write.replace);
    } catch (error) {
      this.#forgetWrites();
      throw error;
    }
    const replaced = this.#find(write);
    const table = newTable(write);
    this.#tables(write.schema).set(write.table, table);
    this.#addRows(table, write.write, fragments);
    if (replaced !== undefined) {
      this.#forgetWrites();
    }
  }

  async beginInsert(metadata: TableMetadata, { ifUnchanged } = { ifUnchanged: false }): Promise<Json> {
    const table = this.#tableOf(metadata.handle);
    // Without this, a table that cannot be read would go on growing.
    this.#requireRows(table);
    const { id, name, columns, version } = table;
    return this.#begin({ ...name, columns, id, ...storedNames(table), ...(ifUnchanged && { version }) });
  }

  async finishInsert(handle: Json, fragments: readonly Json[]): Promise<void> {
    const write = this.#end(handle);
    const table = this.#written(write);
    this.#requireUnchanged(table, write);
    this.#addRows(table, write.write, fragments);
  }

  async beginRewrite(metadata: TableMetadata): Promise<Json> {
    const table = this.#tableOf(metadata.handle);
    const { id, name, columns, version } = table;
    return this.#begin({ ...name, columns, id, ...storedNames(table), version });
  }

  /** The old rows are garbage from now on. A query that has yet to read them gets an error that says so. */
  async finishRewrite(handle: Json, fragments: readonly Json[]): Promise<void> {
    const write = this.#end(handle);
    const table = this.#written(write);
    this.#requireUnchanged(table, write);
    clearRows(table);
    this.#addRows(table, write.write, fragments);
    this.#forgetWrites();
  }

  async truncateTable(metadata: TableMetadata): Promise<void> {
    const table = this.#tableOf(metadata.handle);
    clearRows(table);
    table.version++;
    this.#forgetWrites();
  }

  /** Every write contributes the statistics of its rows, so they are always current. */
  async analyzeTable(metadata: TableMetadata): Promise<number> {
    return rowCount(this.#tableOf(metadata.handle));
  }

  /** The table of a write. If it was dropped or altered, the write's rows are discarded. */
  #written(write: WriteHandle): Table {
    const table = this.#find(write);
    if (table === undefined || table.id !== write.id) {
      this.#forgetWrites();
      throw this.#notFound(write);
    }
    if (table.altered !== (write.altered ?? 0)) {
      this.#forgetWrites();
      throw this.#conflict(write, "was altered while rows were written");
    }
    return table;
  }

  #requireUnchanged(table: Table, write: WriteHandle): void {
    if (write.version !== undefined && table.version !== write.version) {
      this.#forgetWrites();
      throw this.#conflict(write, "has changed since its rows were read");
    }
  }

  #conflict({ schema, table }: SchemaTableName, what: string): QueryError {
    return new QueryError("TRANSACTION_CONFLICT", `Table '${this.#context.catalog}.${schema}.${table}' ${what}`);
  }

  async renameSchema(schema: string, target: string): Promise<void> {
    const tables = this.#tables(schema);
    if (this.#schemas.has(target) || target === "information_schema") {
      throw new QueryError("SCHEMA_ALREADY_EXISTS", `Schema '${this.#context.catalog}.${target}' already exists`);
    }
    this.#schemas.delete(schema);
    this.#schemas.set(target, tables);
    for (const table of tables.values()) {
      table.name = { schema: target, table: table.name.table };
    }
    this.#views.renameSchema(schema, target);
    this.#functions.renameSchema(schema, target);
  }

  async renameTable(metadata: TableMetadata, target: SchemaTableName): Promise<void> {
    const table = this.#tableOf(metadata.handle);
    this.#requireAbsent(target);
    this.#tables(table.name.schema).delete(table.name.table);
    this.#tables(target.schema).set(target.table, table);
    table.name = { ...target };
  }

  async addColumn(metadata: TableMetadata, column: ColumnMetadata): Promise<void> {
    const table = this.#tableOf(metadata.handle);
    const isEmpty = column.nullable !== false || (column.defaultValue?.value ?? null) !== null || rowCount(table) === 0;
    if (!isEmpty) {
      const { schema, table: name } = table.name;
      throw new QueryError("NOT_SUPPORTED", `Unable to add NOT NULL column '${column.name}' for non-empty table: ${schema}.${name}`);
    }
    addColumn(table, column);
  }

  async dropColumn(metadata: TableMetadata, column: string): Promise<void> {
    dropColumn(this.#tableOf(metadata.handle), column);
  }

  async renameColumn(metadata: TableMetadata, column: string, target: string): Promise<void> {
    renameColumn(this.#tableOf(metadata.handle), column, target);
  }

  async setTableComment(metadata: TableMetadata, comment: string | undefined): Promise<void> {
    const table = this.#tableOf(metadata.handle);
    if (comment === undefined) {
      delete table.comment;
    } else {
      table.comment = comment;
    }
  }

  async setColumnComment(metadata: TableMetadata, column: string, comment: string | undefined): Promise<void> {
    changeColumn(this.#tableOf(metadata.handle), column, { comment });
  }

  async setColumnNullable(metadata: TableMetadata, column: string, nullable: boolean): Promise<void> {
    const table = this.#tableOf(metadata.handle);
    if (nullable) {
      changeColumn(table, column, { nullable: undefined });
    } else {
      requireValues(table, column);
    }
  }

  async setColumnDefault(metadata: TableMetadata, column: string, defaultValue: DefaultValue | undefined): Promise<void> {
    changeColumn(this.#tableOf(metadata.handle), column, { defaultValue });
  }

  async getView(name: SchemaTableName): Promise<ViewDefinition | undefined> {
    return this.#views.get(name);
  }

  async createView(name: SchemaTableName, view: ViewDefinition, replace: boolean): Promise<void> {
    if (!replace || this.#tables(name.schema).has(name.table)) {
      this.#requireAbsent(name);
    }
    this.#views.set(name, view);
  }

  async dropView(name: SchemaTableName): Promise<void> {
    this.#views.delete(name);
  }

  async renameView(name: SchemaTableName, target: SchemaTableName): Promise<void> {
    const view = this.#views.get(name);
    this.#requireAbsent(target);
    if (view !== undefined) {
      this.#views.delete(name);
      this.#views.set(target, view);
    }
  }

  async getFunctions({ schema, name }: SchemaFunctionName): Promise<readonly StoredFunction[]> {
    return this.#functions.list(schema).flatMap((one) => (one.name === name ? [one.definition] : []));
  }

  async listFunctions(schema: string): Promise<readonly NamedFunction[]> {
    return this.#functions.list(schema);
  }

  async createFunction(name: SchemaFunctionName, definition: StoredFunction, replace: boolean): Promise<void> {
    // The schema may have been dropped since the statement was planned.
    this.#tables(name.schema);
    this.#functions.set(name, definition, replace);
  }

  async dropFunction(name: SchemaFunctionName, signature: string): Promise<void> {
    this.#functions.delete(name, signature);
  }

  async setViewComment(name: SchemaTableName, comment: string | undefined): Promise<void> {
    this.#views.change(name, ({ comment: _comment, ...view }) => ({ ...view, ...(comment !== undefined && { comment }) }));
  }

  async setViewColumnComment(name: SchemaTableName, column: string, comment: string | undefined): Promise<void> {
    this.#views.change(name, (view) => ({
      ...view,
      columns: view.columns.map((one) => {
        const { comment: _comment, ...rest } = one;
        return one.name === column ? { ...rest, ...(comment !== undefined && { comment }) } : one;
      }),
    }));
  }

  async abortWrite(handle: Json): Promise<void> {
    const { write, owner } = handle as unknown as WriteHandle;
    if (owner.incarnation === this.#owner.incarnation && this.#pendingWrites.delete(write)) {
      this.#forgetWrites();
    }
  }

  /** Under another number, so that parts of the former attempt are garbage wherever they are. */
  async restartWrite(handle: Json): Promise<Json> {
    const { copyNodes: _nodes, owner: _owner, replication: _replication, write: _write, ...target } = this.#end(handle);
    this.#changes++;
    return this.#begin(target);
  }

  async dropTable(metadata: TableMetadata): Promise<void> {
    const { name } = this.#tableOf(metadata.handle);
    this.#tables(name.schema).delete(name.table);
    this.#changes++;
    await this.#tellWorkers();
  }

  /** Parts in the order of their writes and tasks; the chunks of each part in order. */
  splits(metadata: TableMetadata): readonly Split[] {
    const table = this.#tableOf(metadata.handle);
    this.#requireRows(table);
    const { ports } = this.#context;
    const bounds = { chunkRows: knobOf(ports, "memory-chunk-rows"), splitsMax: knobOf(ports, "memory-part-splits") };
    return table.parts.flatMap((part) => splitsOf(table, part, { ...bounds, copies: this.#livingCopies(part) }));
  }

  #livingCopies({ copies }: StoredPart): readonly PartCopy[] {
    return copies.filter((copy) => this.#replication.isAlive(copy));
  }

  /** Throws TABLE_DATA_LOST if no copy of some rows of the table is left. */
  #requireRows({ name, parts }: Table): void {
    const lost = parts.find((part) => this.#livingCopies(part).length === 0);
    if (lost !== undefined) {
      const { catalog, incarnationOf } = this.#context;
      const reasons = lost.copies.map(({ nodeId }) => `worker ${nodeId} ${incarnationOf(nodeId) === undefined ? "is gone" : "restarted"}`);
      throw new QueryError("TABLE_DATA_LOST", `Table '${catalog}.${name.schema}.${name.table}' lost data: ${reasons.join(", ")}`);
    }
  }

  #addRows(table: Table, write: number, fragments: readonly Json[]): void {
    const before = table.parts.length;
    addRows(table, write, fragments);
    // A worker was lost while the rows were written, or has joined meanwhile.
    if (table.parts.slice(before).some((part) => !this.#replication.isComplete(part))) {
      this.#replication.wake();
    }
  }

  #parts(): readonly LocatedPart[] {
    const tables = [...this.#schemas.values()].flatMap((schema) => [...schema.values()]);
    return tables.flatMap(({ name, parts }) => parts.map((part) => ({ part, table: `${name.schema}.${name.table}` })));
  }

  #begin(target: WriteTarget): Json {
    const write = this.#nextWrite++;
    this.#pendingWrites.add(write);
    void this.#tellWorkers();
    const handle: WriteHandle = { ...target, owner: this.#owner, write, replication: this.#copies, copyNodes: this.#copyNodes(write) };
    return handle as unknown as Json;
  }

  /** The workers, of a large cluster other ones for each write. */
  #copyNodes(write: number): readonly string[] {
    const workers = this.#copies === 1 ? [] : this.#context.workerNodes();
    const first = workers.length <= copyNodesMax ? 0 : write % workers.length;
    return [...workers.slice(first), ...workers.slice(0, first)].slice(0, copyNodesMax);
  }

  #end(handle: Json): WriteHandle {
    const write = handle as unknown as WriteHandle;
    assert(
      write.owner.incarnation === this.#owner.incarnation && this.#pendingWrites.delete(write.write),
      `write ${write.write} of the memory connector ends once`,
    );
    return write;
  }

  /** The catalog does not wait for the workers: a worker that misses the message gets it with the next write. */
  #forgetWrites(): void {
    this.#changes++;
    void this.#tellWorkers();
  }

  async #tellWorkers(): Promise<void> {
    const live: LiveWrites = { owner: this.#owner, next: this.#nextWrite, live: ranges(this.#liveWrites()) };
    const change = this.#changes;
    this.#keepOnly(live);
    const calls = this.#context
      .workerNodes()
      .filter((nodeId) => nodeId !== this.#context.nodeId && this.#heard.get(nodeId) !== change)
      .map(async (nodeId) => {
        try {
          await this.#context.callNode(nodeId, live as unknown as Json);
          this.#heard.set(nodeId, Math.max(change, this.#heard.get(nodeId) ?? 0));
        } catch (error) {
          const reason = error instanceof Error ? error.message : "unknown failure";
          this.#context.ports.log.warn("memory-tables-not-freed", { catalog: this.#context.catalog, nodeId, reason });
        }
      });
    await Promise.all(calls);
  }

  #liveWrites(): readonly number[] {
    const live = [...this.#pendingWrites];
    for (const tables of this.#schemas.values()) {
      for (const table of tables.values()) {
        live.push(...table.writes);
      }
    }
    return live.toSorted((a, b) => a - b);
  }

  #find(name: SchemaTableName): Table | undefined {
    return this.#schemas.get(name.schema)?.get(name.table);
  }

  #tables(schema: string): Map<string, Table> {
    const tables = this.#schemas.get(schema);
    if (tables === undefined) {
      throw new QueryError("SCHEMA_NOT_FOUND", `Schema '${schema}' does not exist`);
    }
    return tables;
  }

  #tableOf(handle: Json): Table {
    const { schema, table: name, id } = handle as unknown as TableHandle;
    const table = this.#find({ schema, table: name });
    if (table === undefined || table.id !== id) {
      throw this.#notFound({ schema, table: name });
    }
    return table;
  }

  #notFound({ schema, table }: SchemaTableName): QueryError {
    return new QueryError("TABLE_NOT_FOUND", `Table '${this.#context.catalog}.${schema}.${table}' does not exist`);
  }

  #requireAbsent({ schema, table }: SchemaTableName, replace?: true): void {
    if ((replace !== true && this.#tables(schema).has(table)) || this.#views.get({ schema, table }) !== undefined) {
      throw new QueryError("TABLE_ALREADY_EXISTS", `Destination table '${this.#context.catalog}.${schema}.${table}' already exists`);
    }
  }
}

/** First and last of each run of consecutive numbers. */
function ranges(sorted: readonly number[]): readonly (readonly [number, number])[] {
  const found: [number, number][] = [];
  for (const number of sorted) {
    const last = found.at(-1);
    if (last !== undefined && last[1] === number - 1) {
      last[1] = number;
    } else {
      found.push([number, number]);
    }
  }
  return found;
}
