/**
 * The coordinator's side of the memory connector: schemas, tables, and where the parts of each table lie. It is lost with the coordinator; what the
 * workers still hold then is freed once a new coordinator makes itself known. A write is numbered; its parts become visible when it finishes
 * and are garbage when it does not. Workers hear which writes are alive after every change that ends one. Used by memory.ts.
 */
import { assert, QueryError } from "../../protocol/errors.ts";
import { ownMember } from "../../types/own.ts";
import type {
  ColumnMetadata,
  ConnectorContext,
  ConnectorMetadata,
  Json,
  SchemaTableName,
  Split,
  TableMetadata,
  TableStatistics,
  ViewDefinition,
} from "../connector.ts";
import { chunkRows } from "./column-writer.ts";
import type { LiveWrites, Owner } from "./part-store.ts";
import { Views } from "./views.ts";
import { type ColumnSketch, columnStatistics, emptySketch, mergeSketches } from "./sketch.ts";

/** What a sink leaves behind; the fragment of finishCreate and finishInsert. */
export interface PartFragment {
  readonly nodeId: string;
  readonly incarnation: string;
  readonly part: string;
  readonly rows: number;
  readonly bytes: number;
  readonly sketches: readonly ColumnSketch[];
}

export interface WriteHandle extends SchemaTableName {
  readonly owner: Owner;
  readonly write: number;
  readonly columns: readonly ColumnMetadata[];
  /** Of a new table. */
  readonly comment?: string;
  /** Of the table that takes the rows; absent for a new one. */
  readonly id?: number;
  /** Under which names parts keep the columns whose own names are other ones. */
  readonly stored?: StoredNames;
  /** Of a table that was altered: how often. Rows written for an older form are refused. */
  readonly altered?: number;
  /** Of a rewrite: the changes of rows that it has seen. */
  readonly version?: number;
}

export interface TableHandle extends SchemaTableName {
  readonly id: number;
  readonly stored?: StoredNames;
}

export type StoredNames = Readonly<Record<string, string>>;

export interface PartSplit {
  readonly nodeId: string;
  readonly incarnation: string;
  readonly part: string;
  readonly firstChunk: number;
  readonly chunkCount: number;
}

interface Table {
  /** The number of the write that made it: a table of the same name is another table. */
  readonly id: number;
  name: SchemaTableName;
  columns: readonly ColumnMetadata[];
  comment?: string;
  readonly writes: Set<number>;
  parts: PartFragment[];
  sketches: readonly ColumnSketch[];
  /** Columns whose name in the parts is another one: renamed, or added where one of the name had been before. */
  stored: StoredNames;
  altered: number;
  /** Counts the changes of its rows. */
  version: number;
}

const splitsPerPartMax = 100;

export interface MemoryCatalogOptions {
  readonly context: ConnectorContext;
  readonly owner: Owner;
  /** This node's own store is told like any other's, without the network. */
  readonly keepOnly: (live: LiveWrites) => void;
}

export class MemoryCatalog implements ConnectorMetadata {
  readonly #context: ConnectorContext;
  readonly #owner: Owner;
  readonly #keepOnly: (live: LiveWrites) => void;
  readonly #schemas = new Map<string, Map<string, Table>>([["default", new Map<string, Table>()]]);
  readonly #views = new Views();
  readonly #pendingWrites = new Set<number>();
  #nextWrite = 1;
  /** Counts the changes that end writes. */
  #changes = 0;
  /** The last change each worker has heard of. */
  readonly #heard = new Map<string, number>();

  constructor(options: MemoryCatalogOptions) {
    this.#context = options.context;
    this.#owner = options.owner;
    this.#keepOnly = options.keepOnly;
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
    const { columns, comment, id } = table;
    return { name, columns, handle: { ...table.name, id, ...storedNames(table) }, ...(comment === undefined ? {} : { comment }) };
  }

  async getStatistics(metadata: TableMetadata): Promise<TableStatistics> {
    const table = this.#tableOf(metadata.handle);
    const rowCount = table.parts.reduce((sum, { rows }) => sum + rows, 0);
    return {
      rowCount,
      columns: Object.fromEntries(
        table.columns.map(({ name, type }, i) => [name, columnStatistics(table.sketches[i] as ColumnSketch, type, rowCount)]),
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
    if (this.#tables(schema).size > 0 || this.#views.names(schema).length > 0) {
      throw new QueryError("SCHEMA_NOT_EMPTY", `Schema not empty: ${schema}`);
    }
    this.#schemas.delete(schema);
  }

  async beginCreate(name: SchemaTableName, columns: readonly ColumnMetadata[], comment?: string): Promise<Json> {
    this.#requireAbsent(name);
    return this.#begin({ ...name, columns, ...(comment !== undefined && { comment }) });
  }

  async finishCreate(handle: Json, fragments: readonly Json[]): Promise<void> {
    const write = this.#end(handle);
    try {
      this.#requireAbsent(write);
    } catch (error) {
      this.#forgetWrites();
      throw error;
    }
    const name = { schema: write.schema, table: write.table };
    const table: Table = {
      id: write.write,
      name,
      columns: write.columns,
      writes: new Set(),
      parts: [],
      sketches: write.columns.map(() => emptySketch),
      stored: {},
      altered: 0,
      version: 0,
      ...(write.comment !== undefined && { comment: write.comment }),
    };
    this.#tables(write.schema).set(write.table, table);
    addRows(table, write.write, fragments);
  }

  async beginInsert(metadata: TableMetadata): Promise<Json> {
    const table = this.#tableOf(metadata.handle);
    const { id, name, columns } = table;
    return this.#begin({ ...name, columns, id, ...storedNames(table) });
  }

  async finishInsert(handle: Json, fragments: readonly Json[]): Promise<void> {
    const write = this.#end(handle);
    addRows(this.#written(write), write.write, fragments);
  }

  async beginRewrite(metadata: TableMetadata): Promise<Json> {
    const table = this.#tableOf(metadata.handle);
    const { id, name, columns, version } = table;
    return this.#begin({ ...name, columns, id, ...storedNames(table), version });
  }

  /** The rows that were there are garbage from now on; who is about to read them hears that they are gone. */
  async finishRewrite(handle: Json, fragments: readonly Json[]): Promise<void> {
    const write = this.#end(handle);
    const table = this.#written(write);
    if (table.version !== write.version) {
      this.#forgetWrites();
      throw this.#conflict(write, "has changed since its rows were read");
    }
    this.#clear(table);
    addRows(table, write.write, fragments);
    this.#forgetWrites();
  }

  async truncateTable(metadata: TableMetadata): Promise<void> {
    const table = this.#tableOf(metadata.handle);
    this.#clear(table);
    table.version++;
    this.#forgetWrites();
  }

  /** Every write brings the statistics of its rows: they are never out of date. */
  async analyzeTable(metadata: TableMetadata): Promise<number> {
    return this.#tableOf(metadata.handle).parts.reduce((sum, { rows }) => sum + rows, 0);
  }

  #clear(table: Table): void {
    table.writes.clear();
    table.parts = [];
    table.sketches = table.columns.map(() => emptySketch);
  }

  /** The table that a write was for; the write's rows are forgotten where it is no more, or of another form. */
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
    const rows = table.parts.reduce((sum, part) => sum + part.rows, 0);
    table.columns = [...table.columns, column];
    table.sketches = [...table.sketches, { ...emptySketch, nulls: rows }];
    table.altered++;
    table.stored = { ...table.stored, [column.name]: `${column.name}#${table.altered}` };
  }

  async dropColumn(metadata: TableMetadata, column: string): Promise<void> {
    const table = this.#tableOf(metadata.handle);
    const index = table.columns.findIndex(({ name }) => name === column);
    table.columns = table.columns.toSpliced(index, 1);
    table.sketches = table.sketches.toSpliced(index, 1);
    table.stored = Object.fromEntries(Object.entries(table.stored).filter(([name]) => name !== column));
    table.altered++;
  }

  async renameColumn(metadata: TableMetadata, column: string, target: string): Promise<void> {
    const table = this.#tableOf(metadata.handle);
    const others = Object.entries(table.stored).filter(([name]) => name !== column);
    table.stored = Object.fromEntries([...others, [target, ownMember(table.stored, column) ?? column]]);
    table.columns = table.columns.map((one) => (one.name === column ? { ...one, name: target } : one));
    table.altered++;
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
    const table = this.#tableOf(metadata.handle);
    table.columns = table.columns.map((one) => {
      const { comment: _comment, ...rest } = one;
      return one.name !== column ? one : { ...rest, ...(comment === undefined ? {} : { comment }) };
    });
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

  async abortWrite(handle: Json): Promise<void> {
    const { write, owner } = handle as unknown as WriteHandle;
    if (owner.incarnation === this.#owner.incarnation && this.#pendingWrites.delete(write)) {
      this.#forgetWrites();
    }
  }

  async dropTable(metadata: TableMetadata): Promise<void> {
    const { name } = this.#tableOf(metadata.handle);
    this.#tables(name.schema).delete(name.table);
    this.#changes++;
    await this.#tellWorkers();
  }

  /** Chunks of each part in order, parts in the order of their tasks and writes. */
  splits(metadata: TableMetadata): readonly Split[] {
    const table = this.#tableOf(metadata.handle);
    const nodes = new Set([...this.#context.workerNodes(), this.#context.nodeId]);
    return table.parts.flatMap((part) => {
      if (!nodes.has(part.nodeId)) {
        const { catalog } = this.#context;
        throw new QueryError(
          "TABLE_DATA_LOST",
          `Table '${catalog}.${table.name.schema}.${table.name.table}' lost data: worker ${part.nodeId} is gone`,
        );
      }
      return splitsOf(part);
    });
  }

  #begin(target: Omit<WriteHandle, "owner" | "write">): Json {
    const write = this.#nextWrite++;
    this.#pendingWrites.add(write);
    void this.#tellWorkers();
    const handle: WriteHandle = { ...target, owner: this.#owner, write };
    return handle as unknown as Json;
  }

  #end(handle: Json): WriteHandle {
    const write = handle as unknown as WriteHandle;
    assert(
      write.owner.incarnation === this.#owner.incarnation && this.#pendingWrites.delete(write.write),
      `write ${write.write} of the memory connector ends once`,
    );
    return write;
  }

  /** Nobody waits for the workers: who does not hear it now hears it at the next write. */
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

  #requireAbsent({ schema, table }: SchemaTableName): void {
    if (this.#tables(schema).has(table) || this.#views.get({ schema, table }) !== undefined) {
      throw new QueryError("TABLE_ALREADY_EXISTS", `Destination table '${this.#context.catalog}.${schema}.${table}' already exists`);
    }
  }
}

/** What handles say of a table that was altered; handles of others stay as short as they are. */
function storedNames({ altered, stored }: Table): Pick<WriteHandle, "altered" | "stored"> {
  return altered === 0 ? {} : { stored, altered };
}

function addRows(table: Table, write: number, fragments: readonly Json[]): void {
  table.writes.add(write);
  table.version++;
  for (const fragment of fragments as unknown as readonly PartFragment[]) {
    if (fragment.rows > 0) {
      table.parts.push(fragment);
      table.sketches = table.sketches.map((sketch, i) => mergeSketches(sketch, fragment.sketches[i] as ColumnSketch));
    }
  }
}

function splitsOf({ nodeId, incarnation, part, rows }: PartFragment): readonly Split[] {
  const chunks = Math.ceil(rows / chunkRows);
  const chunksPerSplit = Math.ceil(chunks / splitsPerPartMax);
  const splits: Split[] = [];
  for (let firstChunk = 0; firstChunk < chunks; firstChunk += chunksPerSplit) {
    const chunkCount = Math.min(chunksPerSplit, chunks - firstChunk);
    const payload: PartSplit = { nodeId, incarnation, part, firstChunk, chunkCount };
    splits.push({
      payload: payload as unknown as Json,
      nodes: [nodeId],
      rows: Math.min(chunkCount * chunkRows, rows - firstChunk * chunkRows),
    });
  }
  return splits;
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
