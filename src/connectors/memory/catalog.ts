/**
 * The coordinator's side of the memory connector: schemas, tables, and where the parts of each table lie. It is lost with the coordinator; what the
 * workers still hold then is freed once a new coordinator makes itself known. A write is numbered; its parts become visible when it finishes
 * and are garbage when it does not. Workers hear which writes are alive after every change that ends one. Used by memory.ts.
 */
import { assert, QueryError } from "../../protocol/errors.ts";
import type {
  ColumnMetadata,
  ConnectorContext,
  ConnectorMetadata,
  Json,
  SchemaTableName,
  Split,
  TableMetadata,
  TableStatistics,
} from "../connector.ts";
import { chunkRows } from "./column-writer.ts";
import type { LiveWrites, Owner } from "./part-store.ts";
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
  /** Of the table that takes the rows; absent for a new one. */
  readonly id?: number;
}

export interface TableHandle extends SchemaTableName {
  readonly id: number;
}

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
  readonly name: SchemaTableName;
  readonly columns: readonly ColumnMetadata[];
  readonly writes: Set<number>;
  readonly parts: PartFragment[];
  sketches: readonly ColumnSketch[];
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
    return [...(this.#schemas.get(schema)?.keys() ?? [])].toSorted();
  }

  async getTable(name: SchemaTableName): Promise<TableMetadata | undefined> {
    const table = this.#find(name);
    return table === undefined ? undefined : { name, columns: table.columns, handle: { ...table.name, id: table.id } };
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
    if (this.#tables(schema).size > 0) {
      throw new QueryError("SCHEMA_NOT_EMPTY", `Schema not empty: ${schema}`);
    }
    this.#schemas.delete(schema);
  }

  async beginCreate(name: SchemaTableName, columns: readonly ColumnMetadata[]): Promise<Json> {
    this.#requireAbsent(name);
    return this.#begin({ ...name, columns });
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
    };
    this.#tables(write.schema).set(write.table, table);
    addRows(table, write.write, fragments);
  }

  async beginInsert(metadata: TableMetadata): Promise<Json> {
    const { id, name, columns } = this.#tableOf(metadata.handle);
    return this.#begin({ ...name, columns, id });
  }

  async finishInsert(handle: Json, fragments: readonly Json[]): Promise<void> {
    const write = this.#end(handle);
    const table = this.#find(write);
    if (table === undefined || table.id !== write.id) {
      this.#forgetWrites();
      throw this.#notFound(write);
    }
    addRows(table, write.write, fragments);
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

  #begin(target: SchemaTableName & { readonly columns: readonly ColumnMetadata[]; readonly id?: number }): Json {
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
    if (this.#tables(schema).has(table)) {
      throw new QueryError("TABLE_ALREADY_EXISTS", `Destination table '${this.#context.catalog}.${schema}.${table}' already exists`);
    }
  }
}

function addRows(table: Table, write: number, fragments: readonly Json[]): void {
  table.writes.add(write);
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
