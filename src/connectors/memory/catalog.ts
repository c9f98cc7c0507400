/**
 * The coordinator's side of the memory connector: schemas, tables, and the location of each table's parts. What lasts of it is in
 * kept-catalog.ts; writes that have not ended are in writes.ts. Without a folder for it, the catalog is lost with the coordinator, and
 * workers free the parts they still hold when a new coordinator announces itself.
 */
import { knobOf } from "../../ports/knobs.ts";
import { QueryError } from "../../protocol/errors.ts";
import type {
  CatalogSecurity,
  ColumnMetadata,
  ConnectorContext,
  ConnectorMetadata,
  CreateOptions,
  DefaultValue,
  Json,
  NamedFunction,
  Principal,
  RecordedStatement,
  RecordedStatements,
  SchemaFunctionName,
  SchemaTableName,
  Split,
  StoredFunction,
  TableMetadata,
  TableStatistics,
  ViewDefinition,
} from "../spi.ts";
import type { CatalogChange } from "./catalog-state.ts";
import type { LeaveCall } from "./copies.ts";
import { KeptCatalog } from "./kept-catalog.ts";
import type { LiveWrites } from "./part-store.ts";
import { Rejoining } from "./rejoining.ts";
import { Replication } from "./replication.ts";
import { MemorySecurity } from "./security/security.ts";
import { type ColumnSketch, columnStatistics } from "./sketch.ts";
import {
  addColumn,
  addRows,
  changeColumn,
  clearRows,
  draftOf,
  dropColumn,
  newTable,
  type PartCopy,
  type PartFragment,
  renameColumn,
  requireValues,
  rowCount,
  splitsOf,
  type StoredPart,
  storedNames,
  type Table,
  type TableHandle,
  tableHandle,
  tableNotFound,
  type WriteHandle,
} from "./table.ts";
import { Writes, type WriteTarget } from "./writes.ts";

export interface MemoryCatalogOptions {
  readonly context: ConnectorContext;
  /** Of this instance. */
  readonly incarnation: string;
  /** Value of memory.replication. */
  readonly replication: number;
  /** Users with the role `admin`; absent if the catalog keeps no rights. */
  readonly adminUsers: readonly string[] | undefined;
  /** Updates this node's own store, without the network. */
  readonly keepOnly: (live: LiveWrites) => void;
}

/** What the catalog consists of. */
interface CatalogParts {
  readonly adminUsers: readonly string[] | undefined;
  readonly context: ConnectorContext;
  readonly kept: KeptCatalog;
  readonly rejoining: Rejoining;
  readonly replication: Replication;
  readonly writes: Writes;
}

export function createMemoryCatalog({
  adminUsers,
  context,
  incarnation,
  keepOnly,
  replication: copies,
}: MemoryCatalogOptions): MemoryCatalog {
  const rejoining = new Rejoining(context);
  const kept = new KeptCatalog({
    context,
    incarnation,
    onRestart: () => {
      rejoining.begin({ onChange: () => void writes.tellWorkers(), onEnd: () => replication.wake() });
      void writes.tellWorkers();
    },
  });
  const writes = new Writes({ context, kept, replication: copies, keepOnly });
  const replication = new Replication({
    context,
    replication: copies,
    parts: () => kept.state.parts(),
    place: (part, places) => kept.change(() => ({ kind: "copies", part, copies: places })),
    mayReturn: (copy) => rejoining.isOpen(copy),
  });
  kept.load().catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : "unknown failure";
    context.ports.log.warn("memory-catalog-not-read", { catalog: context.catalog, reason });
  });
  return new MemoryCatalog({ adminUsers, context, kept, rejoining, replication, writes });
}

export class MemoryCatalog implements ConnectorMetadata {
  readonly capabilities = ["DEFAULT_COLUMN_VALUE", "NOT_NULL_COLUMN_CONSTRAINT"] as const;
  readonly replacesTables = true;
  readonly changesOnlyHere = true;
  readonly recordedStatements: RecordedStatements | undefined;
  readonly security: CatalogSecurity | undefined;
  readonly #parts: CatalogParts;
  /** The statement whose changes are made. */
  readonly #statement: RecordedStatement | undefined;

  constructor(parts: CatalogParts, statement?: RecordedStatement) {
    const { adminUsers, context, kept } = parts;
    this.#parts = parts;
    this.#statement = statement;
    this.security = adminUsers && new MemorySecurity({ catalog: context.catalog, kept, adminUsers, statement });
    this.recordedStatements = kept.isKept
      ? {
          of: (changing) => new MemoryCatalog(parts, changing),
          find: (queryId) => kept.statement(queryId),
          forget: (queryIds) => kept.forget(queryIds),
        }
      : undefined;
  }

  /** Which catalog owns the parts: another one after a restart of the coordinator, unless this one survives it. */
  async owner(): Promise<string> {
    await this.#parts.kept.load();
    return this.#parts.kept.identity.owner;
  }

  /** A node leaves. Returns the number of its parts that have yet to be copied to others. */
  async leave({ life, nodeId }: LeaveCall): Promise<number> {
    await this.#parts.kept.load();
    return this.#parts.replication.leave(nodeId, life);
  }

  partsToCopy(): number {
    return this.#parts.replication.missing();
  }

  close(): void {
    this.#parts.replication.close();
    this.#parts.rejoining.close();
  }

  async listSchemas(): Promise<readonly string[]> {
    await this.#parts.kept.load();
    return [...this.#state.schemas.keys()].toSorted();
  }

  async listTables(schema: string): Promise<readonly string[]> {
    await this.#parts.kept.load();
    const { schemas, views } = this.#state;
    return [...(schemas.get(schema)?.keys() ?? []), ...views.names(schema)].toSorted();
  }

  async getTable(name: SchemaTableName): Promise<TableMetadata | undefined> {
    await this.#parts.kept.load();
    const table = this.#state.find(name);
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

  createSchema(schema: string, owner?: Principal): Promise<void> {
    return this.#change(() => {
      this.#requireNoSchema(schema);
      return { kind: "schema", schema, ...(owner !== undefined && { owner }) };
    });
  }

  dropSchema(schema: string): Promise<void> {
    return this.#change(() => {
      const { functions, views } = this.#state;
      if (this.#tables(schema).size > 0 || views.names(schema).length > 0 || functions.list(schema).length > 0) {
        throw new QueryError("SCHEMA_NOT_EMPTY", `Schema not empty: ${schema}`);
      }
      return { kind: "schema-dropped", schema };
    });
  }

  async dropSchemaWithContents(schema: string): Promise<void> {
    await this.#change(() => {
      this.#tables(schema);
      return { kind: "schema-dropped", schema };
    });
    await this.#parts.writes.forgetNow();
  }

  async beginCreate(name: SchemaTableName, columns: readonly ColumnMetadata[], options: CreateOptions = {}): Promise<Json> {
    this.#requireAbsent(name, options.replace);
    return this.#begin({ ...name, columns, ...options });
  }

  /** With OR REPLACE the former table disappears at the same moment. A query that has yet to read it fails. */
  async finishCreate(handle: Json, fragments: readonly Json[]): Promise<void> {
    let isReplaced = false;
    await this.#finish(handle, (write) => {
      this.#requireAbsent(write, write.replace);
      isReplaced = this.#state.find(write) !== undefined;
      const table = newTable(write);
      addRows(table, write.write, partsOf(fragments));
      return { kind: "table", table };
    });
    if (isReplaced) {
      this.#parts.writes.forget();
    }
  }

  async beginInsert(metadata: TableMetadata, { ifUnchanged } = { ifUnchanged: false }): Promise<Json> {
    // Without this, a table that cannot be read would go on growing.
    const table = await this.#readable(metadata);
    const { id, name, columns, version } = table;
    return this.#begin({ ...name, columns, id, ...storedNames(table), ...(ifUnchanged && { version }) });
  }

  finishInsert(handle: Json, fragments: readonly Json[]): Promise<void> {
    return this.#finish(handle, (write) => {
      const table = this.#written(write);
      this.#requireUnchanged(table, write);
      return { kind: "rows", name: table.name, write: write.write, fragments: partsOf(fragments) };
    });
  }

  async beginRewrite(metadata: TableMetadata): Promise<Json> {
    const table = this.#tableOf(metadata.handle);
    const { id, name, columns, version } = table;
    return this.#begin({ ...name, columns, id, ...storedNames(table), version });
  }

  /** The old rows are garbage from now on. A query that has yet to read them gets an error that says so. */
  async finishRewrite(handle: Json, fragments: readonly Json[]): Promise<void> {
    await this.#finish(handle, (write) => {
      const table = this.#written(write);
      this.#requireUnchanged(table, write);
      return altered(table, (draft) => {
        clearRows(draft);
        addRows(draft, write.write, partsOf(fragments));
      });
    });
    this.#parts.writes.forget();
  }

  async truncateTable(metadata: TableMetadata): Promise<void> {
    await this.#alter(metadata, (draft) => {
      clearRows(draft);
      draft.version++;
    });
    this.#parts.writes.forget();
  }

  /** Every write contributes the statistics of its rows, so they are always current. */
  async analyzeTable(metadata: TableMetadata): Promise<number> {
    return rowCount(this.#tableOf(metadata.handle));
  }

  /** The table of a write. If it was dropped or altered, the write's rows are discarded. */
  #written(write: WriteHandle): Table {
    const table = this.#state.find(write);
    if (table === undefined || table.id !== write.id) {
      throw tableNotFound(this.#parts.context.catalog, write);
    }
    if (table.altered !== (write.altered ?? 0)) {
      throw this.#conflict(write, "was altered while rows were written");
    }
    return table;
  }

  #requireUnchanged(table: Table, write: WriteHandle): void {
    if (write.version !== undefined && table.version !== write.version) {
      throw this.#conflict(write, "has changed since its rows were read");
    }
  }

  #conflict({ schema, table }: SchemaTableName, what: string): QueryError {
    return new QueryError("TRANSACTION_CONFLICT", `Table '${this.#parts.context.catalog}.${schema}.${table}' ${what}`);
  }

  renameSchema(schema: string, target: string): Promise<void> {
    return this.#change(() => {
      this.#tables(schema);
      this.#requireNoSchema(target);
      return { kind: "schema-renamed", schema, target };
    });
  }

  renameTable(metadata: TableMetadata, target: SchemaTableName): Promise<void> {
    return this.#change(() => {
      const table = this.#tableOf(metadata.handle);
      this.#requireAbsent(target);
      return { kind: "table", table: { ...draftOf(table), name: { ...target } }, former: table.name };
    });
  }

  addColumn(metadata: TableMetadata, column: ColumnMetadata): Promise<void> {
    return this.#alter(metadata, (draft) => {
      const isEmpty = column.nullable !== false || (column.defaultValue?.value ?? null) !== null || rowCount(draft) === 0;
      if (!isEmpty) {
        const { schema, table: name } = draft.name;
        throw new QueryError("NOT_SUPPORTED", `Unable to add NOT NULL column '${column.name}' for non-empty table: ${schema}.${name}`);
      }
      addColumn(draft, column);
    });
  }

  dropColumn(metadata: TableMetadata, column: string): Promise<void> {
    return this.#alter(metadata, (draft) => dropColumn(draft, column));
  }

  renameColumn(metadata: TableMetadata, column: string, target: string): Promise<void> {
    return this.#alter(metadata, (draft) => renameColumn(draft, column, target));
  }

  setTableComment(metadata: TableMetadata, comment: string | undefined): Promise<void> {
    return this.#alter(metadata, (draft) => {
      if (comment === undefined) {
        delete draft.comment;
      } else {
        draft.comment = comment;
      }
    });
  }

  setColumnComment(metadata: TableMetadata, column: string, comment: string | undefined): Promise<void> {
    return this.#alter(metadata, (draft) => changeColumn(draft, column, { comment }));
  }

  setColumnNullable(metadata: TableMetadata, column: string, nullable: boolean): Promise<void> {
    return this.#alter(metadata, (draft) => {
      if (nullable) {
        changeColumn(draft, column, { nullable: undefined });
      } else {
        requireValues(draft, column);
      }
    });
  }

  setColumnDefault(metadata: TableMetadata, column: string, defaultValue: DefaultValue | undefined): Promise<void> {
    return this.#alter(metadata, (draft) => changeColumn(draft, column, { defaultValue }));
  }

  async getView(name: SchemaTableName): Promise<ViewDefinition | undefined> {
    await this.#parts.kept.load();
    return this.#state.views.get(name);
  }

  createView(name: SchemaTableName, view: ViewDefinition, replace: boolean): Promise<void> {
    return this.#change(() => {
      if (!replace || this.#tables(name.schema).has(name.table)) {
        this.#requireAbsent(name);
      }
      return { kind: "view", name, view };
    });
  }

  dropView(name: SchemaTableName): Promise<void> {
    return this.#change(() => ({ kind: "view-dropped", name }));
  }

  renameView(name: SchemaTableName, target: SchemaTableName): Promise<void> {
    return this.#change(() => {
      this.#requireAbsent(target);
      return { kind: "view", name: target, view: this.#state.views.require(name), former: name };
    });
  }

  async getFunctions({ schema, name }: SchemaFunctionName): Promise<readonly StoredFunction[]> {
    await this.#parts.kept.load();
    return this.#state.functions.list(schema).flatMap((one) => (one.name === name ? [one.definition] : []));
  }

  async listFunctions(schema: string): Promise<readonly NamedFunction[]> {
    await this.#parts.kept.load();
    return this.#state.functions.list(schema);
  }

  createFunction(name: SchemaFunctionName, definition: StoredFunction, replace: boolean): Promise<void> {
    return this.#change(() => {
      // The schema may have been dropped since the statement was planned.
      this.#tables(name.schema);
      if (!replace) {
        this.#state.functions.requireAbsent(name, definition);
      }
      return { kind: "function", name, definition };
    });
  }

  dropFunction(name: SchemaFunctionName, signature: string): Promise<void> {
    return this.#change(() => ({ kind: "function-dropped", name, signature }));
  }

  setViewComment(name: SchemaTableName, comment: string | undefined): Promise<void> {
    return this.#changeView(name, ({ comment: _comment, ...view }) => ({ ...view, ...(comment !== undefined && { comment }) }));
  }

  setViewColumnComment(name: SchemaTableName, column: string, comment: string | undefined): Promise<void> {
    return this.#changeView(name, (view) => ({
      ...view,
      columns: view.columns.map((one) => {
        const { comment: _comment, ...rest } = one;
        return one.name === column ? { ...rest, ...(comment !== undefined && { comment }) } : one;
      }),
    }));
  }

  async abortWrite(handle: Json): Promise<void> {
    this.#parts.writes.abort(handle);
  }

  async restartWrite(handle: Json): Promise<Json> {
    return this.#parts.writes.restart(handle);
  }

  async dropTable(metadata: TableMetadata): Promise<void> {
    await this.#change(() => ({ kind: "table-dropped", name: this.#tableOf(metadata.handle).name }));
    await this.#parts.writes.forgetNow();
  }

  /** Parts in the order of their writes and tasks; the chunks of each part in order. */
  async splits(metadata: TableMetadata): Promise<readonly Split[]> {
    const table = await this.#readable(metadata);
    const { ports } = this.#parts.context;
    const bounds = { chunkRows: knobOf(ports, "memory-chunk-rows"), splitsMax: knobOf(ports, "memory-part-splits") };
    return table.parts.flatMap((part) => splitsOf(table, part, { ...bounds, copies: this.#livingCopies(part) }));
  }

  #livingCopies({ copies }: StoredPart): readonly PartCopy[] {
    return copies.filter((copy) => this.#parts.replication.isAlive(copy));
  }

  /** Waits for workers that may come back with rows. Throws TABLE_DATA_LOST if no copy of some rows of the table is left. */
  async #readable({ handle }: TableMetadata): Promise<Table> {
    const { context, rejoining } = this.#parts;
    const isMissing = (part: StoredPart): boolean => this.#livingCopies(part).length === 0;
    await rejoining.until(() => {
      const parts = this.#state.find(handle as unknown as TableHandle)?.parts ?? [];
      return !parts.some((part) => isMissing(part) && part.copies.some((copy) => rejoining.isOpen(copy)));
    });
    const table = this.#tableOf(handle);
    const lost = table.parts.find(isMissing);
    if (lost !== undefined) {
      const { catalog, incarnationOf } = context;
      const { schema, table: name } = table.name;
      const reasons = lost.copies.map(({ nodeId }) => `worker ${nodeId} ${incarnationOf(nodeId) === undefined ? "is gone" : "restarted"}`);
      throw new QueryError("TABLE_DATA_LOST", `Table '${catalog}.${schema}.${name}' lost data: ${reasons.join(", ")}`);
    }
    return table;
  }

  get #state(): KeptCatalog["state"] {
    return this.#parts.kept.state;
  }

  #change(prepare: () => CatalogChange): Promise<void> {
    return this.#parts.kept.change(prepare, this.#statement);
  }

  #alter({ handle }: TableMetadata, change: (draft: Table) => void): Promise<void> {
    return this.#change(() => altered(this.#tableOf(handle), change));
  }

  #changeView(name: SchemaTableName, change: (view: ViewDefinition) => ViewDefinition): Promise<void> {
    return this.#change(() => ({ kind: "view", name, view: change(this.#state.views.require(name)) }));
  }

  #begin(target: WriteTarget): Json {
    return this.#parts.writes.begin(target);
  }

  async #finish(handle: Json, prepare: (write: WriteHandle) => CatalogChange): Promise<void> {
    const { replication, writes } = this.#parts;
    await writes.finish(handle, async (write) => {
      const before = new Set(this.#state.find(write)?.parts);
      await this.#change(() => prepare(write));
      // A worker was lost while the rows were written, or has joined meanwhile.
      const parts = this.#state.find(write)?.parts ?? [];
      if (parts.some((part) => !before.has(part) && !replication.isComplete(part))) {
        replication.wake();
      }
    });
  }

  #tables(schema: string): ReadonlyMap<string, Table> {
    const tables = this.#state.schemas.get(schema);
    if (tables === undefined) {
      throw new QueryError("SCHEMA_NOT_FOUND", `Schema '${schema}' does not exist`);
    }
    return tables;
  }

  #tableOf(handle: Json): Table {
    const { schema, table: name, id } = handle as unknown as TableHandle;
    const table = this.#state.find({ schema, table: name });
    if (table === undefined || table.id !== id) {
      throw tableNotFound(this.#parts.context.catalog, { schema, table: name });
    }
    return table;
  }

  #requireNoSchema(schema: string): void {
    if (this.#state.schemas.has(schema) || schema === "information_schema") {
      throw new QueryError("SCHEMA_ALREADY_EXISTS", `Schema '${this.#parts.context.catalog}.${schema}' already exists`);
    }
  }

  #requireAbsent({ schema, table }: SchemaTableName, replace?: true): void {
    if ((replace !== true && this.#tables(schema).has(table)) || this.#state.views.get({ schema, table }) !== undefined) {
      throw new QueryError("TABLE_ALREADY_EXISTS", `Destination table '${this.#parts.context.catalog}.${schema}.${table}' already exists`);
    }
  }
}

function partsOf(fragments: readonly Json[]): readonly PartFragment[] {
  return fragments as unknown as readonly PartFragment[];
}

function altered(table: Table, change: (draft: Table) => void): CatalogChange {
  const draft = draftOf(table);
  change(draft);
  return { kind: "table", table: draft };
}
