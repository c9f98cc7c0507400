/**
 * The tables of a folder that may be written to.
 */
import type { Lifetime } from "../../../ports/lifetime.ts";
import type { Storage } from "../../../ports/storage.ts";
import { QueryError } from "../../../protocol/errors.ts";
import type {
  ColumnMetadata,
  ConnectorQuery,
  CreateOptions,
  Json,
  PlannedTable,
  PropertyValue,
  SchemaTableName,
  TableMetadata,
  TableProperty,
  ViewDefinition,
} from "../../spi.ts";
import type { FileSet, TableFile, WrittenTable } from "../folder.ts";
import { filesSchema, FilesMetadata, type FilesMetadataOptions, type FilesReader, type KnownTables } from "../metadata.ts";
import { ObjectStorage } from "../../shared/object-store/object-storage.ts";
import { Commits, stateOf, type TableCommits, type WriteHandle } from "./commit.ts";
import type { TableDescription } from "./description.ts";
import { endOf } from "./query-end.ts";
import type { Staging } from "./staging.ts";
import { StoreCommits } from "./store/store-commits.ts";
import { ViewFiles } from "./views.ts";
import { storedColumns, tableOptions, tableProperties, type TableOptions } from "./table-options.ts";

export interface WritableOptions extends FilesMetadataOptions {
  readonly catalog: string;
  readonly staging: Staging;
  readonly rowGroupBytes: number;
}

interface KnownWrites {
  readonly views: ViewFiles;
  readonly commitsWith: (check: (write: WriteHandle) => Promise<readonly TableFile[]>) => TableCommits;
}

export class WritableFilesMetadata extends FilesMetadata {
  readonly tableProperties: readonly TableProperty[] = tableProperties;
  readonly #storage: Storage;
  readonly #options: WritableOptions;
  readonly #commits: TableCommits;
  readonly #views: ViewFiles;

  constructor(reader: FilesReader, options: WritableOptions, known?: KnownTables & KnownWrites) {
    super(reader, options, known);
    const { storage, memory } = reader;
    this.#storage = storage;
    this.#options = options;
    const { catalog, staging, rowGroupBytes } = options;
    const check = (write: WriteHandle): Promise<readonly TableFile[]> => this.#check(write);
    const commit = { storage, staging, catalog, memory, rowGroupBytes, check };
    this.#views = known?.views ?? new ViewFiles(storage, staging);
    this.#commits =
      known?.commitsWith(check) ?? (storage instanceof ObjectStorage ? new StoreCommits({ ...commit, storage }) : new Commits(commit));
  }

  override until(life: Lifetime): WritableFilesMetadata {
    const commits = this.#commits;
    return new WritableFilesMetadata(this.readerUntil(life), this.#options, {
      ...this.knownUntil(life),
      views: this.#views.until(life),
      commitsWith: (check) => (commits instanceof StoreCommits ? commits.until(life, { check }) : commits),
    });
  }

  planCreate(columns: readonly ColumnMetadata[], { properties = {} }: CreateOptions): PlannedTable {
    const { stored, options } = this.#plan(columns, properties);
    return { columns: stored, sortedBy: options.sortedBy };
  }

  /** The name must not be that of any entry, because the folder of the table gets it. */
  async beginCreate(name: SchemaTableName, columns: readonly ColumnMetadata[], create: CreateOptions = {}): Promise<Json> {
    const { stored, options } = this.#plan(columns, create.properties ?? {});
    this.#requireName(name);
    await this.#requireAbsent(name, false);
    if (options.location !== undefined) {
      await this.#requireFolder(options.location);
    }
    const { comment } = create;
    const begun = { kind: "create" as const, table: name.table, folder: name.table, isDescribed: true };
    const description: TableDescription = {
      id: this.#options.staging.newId(),
      ...options,
      columns: stored,
      ...(comment !== undefined && { comment }),
    };
    return (await this.#commits.begin({ ...begun, description })) as unknown as Json;
  }

  finishCreate(handle: Json, fragments: readonly Json[]): Promise<void> {
    const write = handle as unknown as WriteHandle;
    if (write.description.location !== undefined && fragments.length > 0) {
      // The table and its rows would be two renames.
      return this.abortWrite(handle).then(() => {
        throw new QueryError("NOT_SUPPORTED", "External tables cannot be created by CREATE TABLE AS");
      });
    }
    return this.#commits.finish(write, fragments);
  }

  async beginInsert(metadata: TableMetadata, { ifUnchanged } = { ifUnchanged: false }): Promise<Json> {
    const set = await this.filesOf(metadata);
    const target = this.#insertTarget(metadata, set);
    const state = ifUnchanged ? { state: stateOf(set.files) } : {};
    return (await this.#commits.begin({ kind: "insert", table: metadata.name.table, ...target, ...state })) as unknown as Json;
  }

  finishInsert(handle: Json, fragments: readonly Json[]): Promise<void> {
    return this.#commits.finish(handle as unknown as WriteHandle, fragments);
  }

  async beginRewrite(metadata: TableMetadata): Promise<Json> {
    return (await this.#beginRewrite(metadata)) as unknown as Json;
  }

  finishRewrite(handle: Json, fragments: readonly Json[]): Promise<void> {
    return this.#commits.finish(handle as unknown as WriteHandle, fragments);
  }

  async truncateTable(metadata: TableMetadata, query?: ConnectorQuery): Promise<void> {
    const end = endOf(query);
    const handle = await this.#beginRewrite(metadata);
    try {
      end.requireRunning();
    } catch (error) {
      await this.#commits.abort(handle);
      throw error;
    }
    const finished = this.#commits.finish(handle, []);
    query?.onEnd(() => void this.#commits.abort(handle));
    await finished;
  }

  async #beginRewrite(metadata: TableMetadata): Promise<WriteHandle> {
    const set = await this.filesOf(metadata);
    const { table } = metadata.name;
    if (set.written === undefined || set.written.description.location !== undefined) {
      throw new QueryError(
        "NOT_SUPPORTED",
        `Rows of tables of CREATE TABLE in the catalog's folder can be changed, not those of '${table}'`,
      );
    }
    return this.#commits.begin({ kind: "rewrite", table, ...set.written, isDescribed: true, state: stateOf(set.files) });
  }

  abortWrite(handle: Json): Promise<void> {
    return this.#commits.abort(handle as unknown as WriteHandle);
  }

  async restartWrite(handle: Json): Promise<Json> {
    return (await this.#commits.restart(handle as unknown as WriteHandle)) as unknown as Json;
  }

  async dropTable(metadata: TableMetadata, query?: ConnectorQuery): Promise<void> {
    await this.#commits.drop(async () => {
      const { written } = await this.filesOf(metadata);
      if (written === undefined) {
        throw new QueryError("NOT_SUPPORTED", `Table '${metadata.name.table}' was not created by CREATE TABLE: remove its files instead`);
      }
      return written;
    }, endOf(query));
  }

  async createView(name: SchemaTableName, view: ViewDefinition, replace: boolean, query?: ConnectorQuery): Promise<void> {
    if (view.security === "DEFINER" && !this.#options.hasPaths) {
      // Users have different rights, and whoever can write to the folder can name another owner.
      throw new QueryError("NOT_SUPPORTED", "Views of this catalog have no rights of their owners: create them with SECURITY INVOKER");
    }
    this.#requireName(name);
    await this.#views.put(name.table, view, { check: () => this.#requireAbsent(name, replace), query: endOf(query) });
  }

  dropView({ table }: SchemaTableName, query?: ConnectorQuery): Promise<void> {
    return this.#views.drop(table, endOf(query));
  }

  async renameView(name: SchemaTableName, target: SchemaTableName, query?: ConnectorQuery): Promise<void> {
    this.#requireName(target);
    await this.#views.rename(name.table, target.table, { check: () => this.#requireAbsent(target, false), query: endOf(query) });
  }

  setViewComment({ table }: SchemaTableName, comment: string | undefined, query?: ConnectorQuery): Promise<void> {
    return this.#views.change(table, (view) => commented(view, comment), endOf(query));
  }

  setViewColumnComment({ table }: SchemaTableName, column: string, comment: string | undefined, query?: ConnectorQuery): Promise<void> {
    const change = (view: ViewDefinition): ViewDefinition => ({
      ...view,
      columns: view.columns.map((one) => (one.name === column ? commented(one, comment) : one)),
    });
    return this.#views.change(table, change, endOf(query));
  }

  #requireName(name: SchemaTableName): void {
    requireFolderName(name.table);
    if (this.describedTable(name) !== undefined) {
      throw new QueryError("NOT_SUPPORTED", `Name '${name.table}' is that of a metadata table`);
    }
  }

  /** Of tables and views; a view may be replaced. */
  async #requireAbsent(name: SchemaTableName, replace: boolean): Promise<void> {
    const isTable = (await this.findFiles({ name: name.table })) !== undefined;
    if (isTable || (!replace && (await this.getView(name)) !== undefined)) {
      throw this.#exists(name.table);
    }
  }

  async setTableComment(metadata: TableMetadata, comment: string | undefined, query?: ConnectorQuery): Promise<void> {
    await this.#describe(metadata, (description) => commented(description, comment), query);
  }

  async setColumnComment(metadata: TableMetadata, column: string, comment: string | undefined, query?: ConnectorQuery): Promise<void> {
    const change = (description: TableDescription): TableDescription => ({
      ...description,
      columns: description.columns.map((one) => (one.name === column ? commented(one, comment) : one)),
    });
    await this.#describe(metadata, change, query);
  }

  async #describe(
    metadata: TableMetadata,
    change: (description: TableDescription) => TableDescription,
    query: ConnectorQuery | undefined,
  ): Promise<void> {
    const find = async (): Promise<WrittenTable> => {
      const { written } = await this.filesOf(metadata);
      if (written === undefined) {
        throw new QueryError("NOT_SUPPORTED", `Table '${metadata.name.table}' was not created by CREATE TABLE and has no comments`);
      }
      return written;
    };
    await this.#commits.describe(find, change, endOf(query));
  }

  #plan(
    columns: readonly ColumnMetadata[],
    properties: Readonly<Record<string, PropertyValue>>,
  ): { readonly stored: readonly ColumnMetadata[]; readonly options: TableOptions } {
    const options = tableOptions(columns, new Map(Object.entries(properties)));
    if (options.location !== undefined && !this.#options.hasPaths) {
      // Rights belong to names of tables: another name would show the rows of any of them.
      throw new QueryError("NOT_SUPPORTED", "External locations are not allowed where files cannot be read by their paths");
    }
    return { stored: storedColumns(columns, options), options };
  }

  #insertTarget(metadata: TableMetadata, { written, files }: FileSet): Pick<WriteHandle, "folder" | "description" | "isDescribed"> {
    if (written !== undefined) {
      return { ...written, isDescribed: true };
    }
    const { table } = metadata.name;
    const [first] = files;
    const folder = first?.path.split("/")[0] ?? "";
    if (first === undefined || first.format !== "parquet" || folder === first.path || folder.toLowerCase() !== table) {
      throw new QueryError(
        "NOT_SUPPORTED",
        `Rows can be inserted into tables of CREATE TABLE and into folders of Parquet files, not into '${table}'`,
      );
    }
    const keys = new Set(files.flatMap(({ partition }) => [...partition.keys()]));
    const columns = metadata.columns.filter(({ hidden }) => hidden !== true).map(({ name, type }) => ({ name, type }));
    const options: TableOptions = { format: "PARQUET", compression: "SNAPPY", partitionedBy: [...keys], sortedBy: [] };
    const stored = storedColumns(columns, options);
    const other = stored.find(({ type }, index) => JSON.stringify(type) !== JSON.stringify(columns[index]?.type));
    if (other !== undefined) {
      throw new QueryError("NOT_SUPPORTED", `Column '${other.name}' of table '${table}' cannot be written`);
    }
    return { folder, description: { id: "", ...options, columns: stored }, isDescribed: false };
  }

  async #check({ kind, table, description, isDescribed, state }: WriteHandle): Promise<readonly TableFile[]> {
    const set = await this.findFiles({ name: table });
    if (kind === "create") {
      if (set !== undefined) {
        throw this.#exists(table);
      }
      return [];
    }
    if (set === undefined || (isDescribed && set.written?.description.id !== description.id)) {
      throw new QueryError("TABLE_NOT_FOUND", `Table '${this.#options.catalog}.${filesSchema}.${table}' does not exist`);
    }
    if (state !== undefined && stateOf(set.files) !== state) {
      throw new QueryError(
        "TRANSACTION_CONFLICT",
        `Table '${this.#options.catalog}.${filesSchema}.${table}' has changed since its rows were read`,
      );
    }
    return set.files;
  }

  async #requireFolder(location: string): Promise<void> {
    const entry = await this.#storage.stat(location).catch(() => undefined);
    if (entry?.directory !== true) {
      throw new QueryError("INVALID_TABLE_PROPERTY", `External location '${location}' is not a folder`);
    }
  }

  #exists(table: string): QueryError {
    return new QueryError("TABLE_ALREADY_EXISTS", `Destination table '${this.#options.catalog}.${filesSchema}.${table}' already exists`);
  }
}

function commented<T extends { readonly comment?: string }>(
  { comment: _comment, ...one }: T,
  comment: string | undefined,
): Omit<T, "comment"> & { readonly comment?: string } {
  return { ...one, ...(comment !== undefined && { comment }) };
}

/** Of the name of a table. */
const nameLengthMax = 200;

/** Names that would hide the folder, leave it, or mean a path. */
function requireFolderName(table: string): void {
  if (
    /^[._]|[/\\*?[\]{}=]/.test(table) ||
    table.length > nameLengthMax ||
    table.includes("\u0000") ||
    /^\S+\.(csv|tsv|json|jsonl|ndjson|parquet|arrow|arrows|feather)(\.gz|\.zst)?$/.test(table)
  ) {
    throw new QueryError("NOT_SUPPORTED", `A table of this connector cannot have the name '${table}'`);
  }
}
