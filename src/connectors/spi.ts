/**
 * The connector SPI. A connector provides names and types of its tables to the coordinator, splits to the scheduler and pages to the
 * workers. If it can write, it also provides sinks. Every node creates its own instance from the catalog's properties and its own ports. A
 * connector depends on this file, page/, codegen/, types/, protocol/errors and the ports, and on nothing else. Handles and splits travel
 * as JSON: plain data only.
 *
 * All names in handles are lower case. Errors are QueryError values (EXTERNAL, NOT_SUPPORTED and the like).
 */
import { TupleDomain } from "../types/domain/tuple-domain.ts";
import type { TypeTextOptions } from "../types/type-text.ts";
import type { KernelRuntime } from "../codegen/runtime.ts";
import type { Frame } from "../page/frame.ts";
import type { Page } from "../page/page.ts";
import type { MemoryContext } from "../memory/memory.ts";
import type { Ports } from "../ports/ports.ts";
import type { OwnedStorage } from "../ports/storage.ts";
import type { Type } from "../types/type.ts";
import type { Split, SplitList } from "./shared/splits.ts";
import type { ConnectorExpression, PushedJoin, PushedOperation, PushedTable, RowChange, StagedChange } from "./pushdown.ts";
import type { CatalogSecurity, Principal } from "../security/sql-standard/catalog-security.ts";
import type { TableFunction } from "./table-function.ts";
import type {
  ColumnMetadata,
  DefaultValue,
  Json,
  PropertyValue,
  SchemaTableName,
  SortedColumn,
  TableMetadata,
  TableProperty,
  TableStatistics,
  TableVersion,
} from "./table-metadata.ts";

export type { Split } from "./shared/splits.ts";
export type * from "./table-metadata.ts";
export type * from "../security/sql-standard/catalog-security.ts";
export { adminRole, builtinRoles } from "../security/sql-standard/catalog-security.ts";

/** A named query. It is planned anew at every reference. */
export interface ViewDefinition {
  readonly sql: string;
  /** Catalog and schema of the session that created it; names in the query are resolved against them. */
  readonly catalog?: string;
  readonly schema?: string;
  /** Columns of the query when the view was created. */
  readonly columns: readonly { readonly name: string; readonly type: Type; readonly comment?: string }[];
  readonly comment?: string;
  readonly owner: string;
  readonly security: "DEFINER" | "INVOKER";
}

export interface LikePattern {
  readonly pattern: string;
  readonly escape?: string;
}

/** A constraint on the rows of a scan. A connector may return rows that do not meet it, because the engine filters them as well. */
export interface Constraint {
  /** By column. */
  readonly summary: TupleDomain;
  /** LIKE patterns of text columns. The summary has a domain without NULL for each of these columns. */
  readonly patterns?: ReadonlyMap<string, LikePattern>;
  /**
   * Columns about which more is known when the split is read (PageSourceRequest.constraint). The split then carries what the connector
   * needs to decide whether to read it. The summary has a domain without NULL for each of these columns.
   */
  readonly dynamicColumns?: ReadonlySet<string>;
}

export const alwaysTrue: Constraint = Object.freeze({ summary: TupleDomain.all });

/** The schema of the tables that are named by a path. */
export const pathSchema = "default";

export interface ConnectorMetadata {
  /** True if the name of a table in `pathSchema` may be a path, which is then written in its own case: `FROM 'data/*.csv'`. */
  readonly hasPaths?: true;
  /** True if the answers change only by operations of this object, if it has any. Plans made of them are used again until then. */
  readonly changesOnlyHere?: boolean;
  /** Grows with each operation that may change an answer; undefined while one is running. The engine counts them. */
  readonly changeCount?: number | undefined;
  /**
   * For each table a text that differs if getTable or getStatistics may answer differently; undefined if it cannot be told. Absent if it
   * costs as much as those answers. With it, a plan of tables without a version is used again while their texts are the same, and all other
   * answers to the planner change only by operations of this object. Throws nothing.
   */
  tableStates?(tables: readonly SchemaTableName[]): Promise<readonly (string | undefined)[]>;
  /** Sorted. Without information_schema, which the engine adds. */
  listSchemas(): Promise<readonly string[]>;
  /** For connectors with more schemas than they list: whether the schema exists. */
  hasSchema?(schema: string): Promise<boolean>;
  /** Sorted, including views; empty for an unknown schema. */
  listTables(schema: string): Promise<readonly string[]>;
  /**
   * The table that a table of this name is about, such as `orders` for `orders$history`; it need not exist. Rights on that table decide who
   * may read this one, and no other table has such a name.
   */
  describedTable?(name: SchemaTableName): SchemaTableName | undefined;
  /** True if getTable takes a version; all further steps of the query then see that one. */
  readonly hasVersions?: true;
  /** undefined if there is no such table. INVALID_ARGUMENTS if it never had the version. */
  getTable(name: SchemaTableName, version?: TableVersion): Promise<TableMetadata | undefined>;
  getStatistics?(table: TableMetadata): Promise<TableStatistics>;
  /** A table with the rows of the operation over those of `handle`; undefined if the connector leaves the operation to the engine. */
  pushDown?(handle: Json, operation: PushedOperation): PushedTable | undefined;
  /** A table with the rows of the join, whose columns are those of the left side, then those of the right. */
  pushJoin?(join: PushedJoin): PushedTable | undefined;
  /**
   * The same table without rows that do not meet the conditions, as far as the connector can check them; undefined if it can check none.
   * The conditions are those that are no part of a Constraint.
   */
  narrow?(handle: Json, conditions: readonly ConnectorExpression[]): Json | undefined;
  /** What a scan asks the source for, for EXPLAIN. */
  describeScan?(handle: Json, columns: readonly ColumnMetadata[], constraint: Constraint): string | undefined;

  /** Rights that the catalog keeps itself; absent if it leaves them to the rules of the node. */
  readonly security?: CatalogSecurity | undefined;
  /** `owner`: for a catalog that knows owners. */
  createSchema?(schema: string, owner?: Principal): Promise<void>;
  /** Throws SCHEMA_NOT_EMPTY if anything is in it. */
  dropSchema?(schema: string): Promise<void>;
  /** DROP SCHEMA CASCADE: with all that is in it, at one moment. */
  dropSchemaWithContents?(schema: string): Promise<void>;
  /** Column properties that the connector stores besides name, type and comment; Trino's names. */
  readonly capabilities?: readonly ColumnCapability[];
  /** Properties that WITH of CREATE TABLE may set; none if absent. */
  readonly tableProperties?: readonly TableProperty[];
  /** Properties that WITH of a column of CREATE TABLE may set; none if absent. */
  readonly columnProperties?: readonly TableProperty[];
  /**
   * Checks the columns and properties of a new table. Returns the columns in the types that will be stored, which the values of CREATE
   * TABLE AS are converted to, and the order in which a sink must get the rows. Throws INVALID_TABLE_PROPERTY and NOT_SUPPORTED.
   */
  planCreate?(columns: readonly ColumnMetadata[], options: CreateOptions): PlannedTable;
  /** True if it supports CREATE OR REPLACE TABLE. */
  readonly replacesTables?: true;
  /**
   * Starts a table that becomes visible with finishCreate. TABLE_ALREADY_EXISTS if there is one. The handle is passed to createPageSink.
   */
  beginCreate?(name: SchemaTableName, columns: readonly ColumnMetadata[], options?: CreateOptions): Promise<Json>;
  /** `fragments` are the results of each sink's finish, in task order. All rows become visible at once. */
  finishCreate?(handle: Json, fragments: readonly Json[]): Promise<void>;
  beginInsert?(table: TableMetadata, options?: InsertOptions): Promise<Json>;
  /** True if an insert writes only the columns that the statement names, and the source fills the others. */
  readonly insertsNamedColumns?: true;
  finishInsert?(handle: Json, fragments: readonly Json[]): Promise<void>;
  /** After a failed or cancelled write; idempotent. A finish that runs then makes nothing visible from here on, if it can. */
  abortWrite?(handle: Json): Promise<void>;
  /**
   * Begins a write again that has not finished: the rows that were written are given up, and the returned handle is for the same target,
   * under the same conditions. A write without it never runs again.
   */
  restartWrite?(handle: Json): Promise<Json>;
  /** If the query ends before the source was told to drop the table, nothing is dropped; a source that cannot tell may ignore it. */
  dropTable?(table: TableMetadata, query?: ConnectorQuery): Promise<void>;
  /**
   * Starts a write that replaces all rows of a table (DELETE, UPDATE, MERGE). Its finish fails with TRANSACTION_CONFLICT if the table has
   * changed meanwhile.
   */
  beginRewrite?(table: TableMetadata): Promise<Json>;
  finishRewrite?(handle: Json, fragments: readonly Json[]): Promise<void>;
  /**
   * For a connector without `beginRewrite`: what changes exactly these rows at its source; undefined if it cannot be sure of that. The
   * result is passed to runChange.
   */
  planChange?(table: TableMetadata, change: RowChange): Json | undefined;
  /** Changes all rows or none. Returns their number. When the query ends before, the source is told to stop. */
  runChange?(change: Json, query: ConnectorQuery): Promise<number>;
  /** The statement of the source, for EXPLAIN. */
  describeChange?(change: Json): string;
  /**
   * For a connector without `beginRewrite`: columns by whose values it finds a row of the table again, and tells that the row has not
   * changed; undefined if it cannot.
   */
  changedBy?(table: TableMetadata): readonly string[] | undefined;
  /**
   * Starts a write of the rows that a statement changes. Columns of its sinks: the index of the change (integer); the values before the
   * change of the columns of `changedBy`, NULL for INSERT and absent if all changes are; then, in the order of the table, the new values of
   * the columns that some change writes.
   */
  beginChanges?(table: TableMetadata, changes: readonly StagedChange[]): Promise<Json>;
  /**
   * Changes all rows or none: deletes, then updates, then inserts. Fails with TRANSACTION_CONFLICT if a row to delete or to update is not
   * there any more as it was read.
   */
  finishChanges?(handle: Json, fragments: readonly Json[]): Promise<void>;

  /** Removes all rows. `query` as of dropTable, here and below. */
  truncateTable?(table: TableMetadata, query?: ConnectorQuery): Promise<void>;
  /** Recomputes the statistics from the rows; returns the number of rows. */
  analyzeTable?(table: TableMetadata): Promise<number>;

  renameSchema?(schema: string, target: string): Promise<void>;
  renameTable?(table: TableMetadata, target: SchemaTableName): Promise<void>;
  /** Existing rows get the column's default value, or NULL. */
  addColumn?(table: TableMetadata, column: ColumnMetadata): Promise<void>;
  dropColumn?(table: TableMetadata, column: string): Promise<void>;
  renameColumn?(table: TableMetadata, column: string, target: string): Promise<void>;
  setTableComment?(table: TableMetadata, comment: string | undefined, query?: ConnectorQuery): Promise<void>;
  setColumnComment?(table: TableMetadata, column: string, comment: string | undefined, query?: ConnectorQuery): Promise<void>;
  /** Requires NOT_NULL_COLUMN_CONSTRAINT. CONSTRAINT_VIOLATION if the column contains NULLs. */
  setColumnNullable?(table: TableMetadata, column: string, nullable: boolean): Promise<void>;
  /** Requires DEFAULT_COLUMN_VALUE. Existing rows do not change. */
  setColumnDefault?(table: TableMetadata, column: string, defaultValue: DefaultValue | undefined): Promise<void>;

  /** undefined if there is no such view; a table of the name does not count. */
  getView?(name: SchemaTableName): Promise<ViewDefinition | undefined>;
  /** TABLE_ALREADY_EXISTS if a table has the name, or a view and `replace` is false. */
  createView?(name: SchemaTableName, view: ViewDefinition, replace: boolean, query?: ConnectorQuery): Promise<void>;
  dropView?(name: SchemaTableName, query?: ConnectorQuery): Promise<void>;
  renameView?(name: SchemaTableName, target: SchemaTableName, query?: ConnectorQuery): Promise<void>;
  setViewComment?(name: SchemaTableName, comment: string | undefined, query?: ConnectorQuery): Promise<void>;
  /** The functions of one name, in order of creation; none for an unknown schema. */
  getFunctions?(name: SchemaFunctionName): Promise<readonly StoredFunction[]>;
  /** All functions of a schema, sorted by name. */
  listFunctions?(schema: string): Promise<readonly NamedFunction[]>;
  /** ALREADY_EXISTS if a function has the name and the parameter types and `replace` is false. */
  createFunction?(name: SchemaFunctionName, definition: StoredFunction, replace: boolean): Promise<void>;
  /** `signature` as in StoredFunction. */
  dropFunction?(name: SchemaFunctionName, signature: string): Promise<void>;
  setViewColumnComment?(name: SchemaTableName, column: string, comment: string | undefined, query?: ConnectorQuery): Promise<void>;
  /** Absent if no change survives the coordinator, or if it cannot be told whether a statement has made its change. */
  readonly recordedStatements?: RecordedStatements | undefined;
}

/** A statement that changes a catalog, and what it answers. */
export interface RecordedStatement {
  readonly queryId: string;
  readonly updateType: string;
  /** Rows that it has written; absent for data definition. */
  readonly rows?: number;
}

/**
 * Statements that change a catalog once, even if the coordinator restarts while they run: a change and its statement are recorded together.
 */
export interface RecordedStatements {
  /** The same metadata. A change that is made with it is recorded as that of the statement. */
  of(statement: RecordedStatement): ConnectorMetadata;
  /** The statement if it has made its change, "unknown" if that is no longer known, undefined if it has not. */
  find(queryId: string): Promise<RecordedStatement | "unknown" | undefined>;
  /** Nobody asks for these queries any more. */
  forget(queryIds: readonly string[]): void;
}

export interface SchemaFunctionName {
  readonly schema: string;
  readonly name: string;
}

/** A function written in SQL, as text. */
export interface StoredFunction {
  /** Types of the parameters, `(bigint,varchar)`. It is unique among functions of one name. */
  readonly signature: string;
  /** `FUNCTION f(x bigint) RETURNS bigint RETURN x` */
  readonly sql: string;
  /** Catalogs and schemas in which the body looks up functions, in the form of SET PATH; absent for none. */
  readonly path?: string;
  /** Absent with SECURITY INVOKER. */
  readonly owner?: string;
}

export interface NamedFunction {
  readonly name: string;
  readonly definition: StoredFunction;
}

export type ColumnCapability = "DEFAULT_COLUMN_VALUE" | "NOT_NULL_COLUMN_CONSTRAINT";

/** The value of a text in a type, as CAST converts it, in the JSON form of plans. Throws QueryError. */
export type CastText = (text: string, type: Type) => null | boolean | number | string;

export interface InsertOptions {
  /** The finish fails with TRANSACTION_CONFLICT if the table's rows have changed meanwhile. */
  readonly ifUnchanged: boolean;
  /** Columns of the sinks, in the order of the table; absent for all. */
  readonly columns?: readonly ColumnMetadata[];
}

export interface CreateOptions {
  /** Only for a connector with setTableComment. */
  readonly comment?: string;
  /** The user, for a catalog that knows owners. */
  readonly createdBy?: string;
  /** By name, in the types of `tableProperties`. */
  readonly properties?: Readonly<Record<string, PropertyValue>>;
  /** Given to planCreate. */
  readonly castText?: CastText;
  /** The new table replaces one of the same name when it becomes visible. Only for a connector whose `replacesTables` is true. */
  readonly replace?: true;
}

export interface PlannedTable {
  readonly columns: readonly ColumnMetadata[];
  readonly sortedBy: readonly SortedColumn[];
  /** Its rows can only be written on the coordinator. */
  readonly coordinatorOnly?: true;
}

/** Reads one split. Pull model: it never blocks the node, and returns to the driver between pages. */
export interface PageSource {
  /**
   * The next page, or undefined if none is ready: then `blocked()` resolves when to ask again, or `finished` is true. A page has at most
   * pageRowsMax rows and is valid until the next call (see page.ts). Column i of the page is column i of the request.
   */
  nextPage(): Page | undefined;
  readonly finished: boolean;
  /** Resolves when nextPage may have a page; undefined if it may have one now. */
  blocked(): Promise<void> | undefined;
  /** Bytes read so far at the source, before filtering. */
  readonly completedBytes: number;
  /** Frees all resources. Idempotent; may be called at any moment. */
  close(): void;
}

export interface PageSourceRequest {
  readonly table: TableMetadata["handle"];
  readonly split: Split["payload"];
  /** The columns to read, in this order. May be empty (count(*)): then pages carry positionCount alone. */
  readonly columns: readonly ColumnMetadata[];
  /** All memory of the source is charged here. */
  readonly memory: MemoryContext;
  /** Constraint that became known after the splits were listed. */
  readonly constraint?: Constraint;
  /** Reports that something could not be read and was skipped. The user gets a warning, and the query continues. */
  readonly onWarning?: (message: string) => void;
}

/** Takes the rows of one task. */
export interface PageSink {
  /** Copies what it keeps before it returns. */
  append(page: Page): void;
  /** Resolves when it can take the next page; undefined if it can now. */
  blocked(): Promise<void> | undefined;
  /** Prepares the rows to become visible. The result is a fragment for finishCreate or finishInsert. */
  finish(): Promise<Json>;
  abort(): void;
}

export interface PageSinkRequest {
  readonly handle: Json;
  readonly columns: readonly ColumnMetadata[];
  /** Unique over all tasks of the statement. */
  readonly taskId: string;
  readonly memory: MemoryContext;
}

export interface ProcedureArgument {
  readonly name: string;
  readonly type: Type;
  /** The argument may be omitted; its value is then null. */
  readonly optional?: true;
}

/** A procedure for CALL; it runs on the coordinator. */
export interface Procedure {
  readonly schema: string;
  readonly name: string;
  readonly arguments: readonly ProcedureArgument[];
  /** It may change what the catalog has: a READ ONLY transaction cannot call it. */
  readonly writes?: true;
  /** The values in the order of the arguments: NULL as null, a bigint as digits. Throws QueryError. */
  call(
    values: readonly (null | boolean | number | string)[],
    session: { readonly user: string; readonly query: ConnectorQuery },
  ): Promise<void>;
}

/** Properties of the client session that metadata tables depend on. */
export interface ConnectorSession {
  readonly typeTexts?: TypeTextOptions;
  /** Whose view of catalogs and queries is shown; absent if all see everything. */
  readonly user?: string;
  /** Roles that the client has set, by catalog; absent if none. */
  readonly roles?: Readonly<Record<string, string>>;
  readonly query?: ConnectorQuery;
}

export interface EndingQuery {
  /** Calls `callback` once, when the query ends, or immediately if it has ended. */
  onEnd(callback: () => void): void;
}

/** The query for which splits are listed. It may run several times with the same splits. */
export interface ConnectorQuery extends EndingQuery {
  readonly id: string;
}

/** The parts of a connector that ask the source while a query is planned, and make its changes. */
export type QueryConnector = Pick<Connector, "metadata" | "tableFunctions">;

export interface Connector {
  readonly metadata: ConnectorMetadata;
  /**
   * For one query: what waits for the source then ends with the query, and leaves nothing that waits. `abortWrite` does its work all the
   * same. Absent if the source always answers, or if no query has to wait for it.
   */
  forQuery?(query: EndingQuery): QueryConnector;
  readonly procedures?: readonly Procedure[];
  /** The same on every node. */
  readonly tableFunctions?: readonly TableFunction[];
  /** The order is part of the result, and the same table gives the same splits. `columns` are those that will be read. */
  getSplits(
    table: TableMetadata,
    columns: readonly ColumnMetadata[],
    constraint?: Constraint,
    session?: ConnectorSession,
  ): Promise<SplitList>;
  createPageSource(request: PageSourceRequest): PageSource;
  /** True if a page source reads before it is asked for a page: the engine then opens a split while it works on the pages of the last. */
  readonly readsAhead?: true;
  createPageSink?(request: PageSinkRequest): PageSink;
  /** Called on a node that leaves the cluster, until it resolves to true: what this node alone has is on other nodes. */
  handOver?(): Promise<boolean>;
  /** On the coordinator: parts of tables that are on fewer nodes than they should be, and could be on more. */
  partsToCopy?(): number;
  /** Absent if the catalog keeps no files of object stores on the node's disks. */
  readonly fileCache?: { measures(): FileCacheMeasures } | undefined;
  /** Frees all resources of the instance. */
  close?(): void;
}

/** Pages of files: since the start of the catalog, and on the disks now. */
export interface FileCacheMeasures {
  readonly hits: number;
  readonly misses: number;
  readonly hitBytes: number;
  readonly missBytes: number;
  readonly evictions: number;
  /** Of the disks. */
  readonly failures: number;
  readonly heldBytes: number;
}

export interface ConnectorContext {
  readonly catalog: string;
  readonly nodeId: string;
  readonly ports: Ports;
  /** Memory for data that outlives queries (tables in memory). */
  readonly memory: MemoryContext;
  /** Runs kernels over the node's memory, and with it over that of page sources and sinks. */
  readonly runtime: KernelRuntime;
  /** Sends a JSON request to the same catalog's instance on another node and returns its answer; see `ConnectorFactory`. */
  readonly callNode: (nodeId: string, request: Json) => Promise<Json>;
  /** As callNode, for a request that the other instance answers with a page. The caller releases the frame. */
  readonly readNode: (nodeId: string, request: Json) => Promise<Frame>;
  /** Ids of the active worker nodes, sorted. */
  readonly workerNodes: () => readonly string[];
  /** Incarnation of this node; another one after a restart. */
  readonly incarnation: string;
  /** On the coordinator: incarnation of a node that runs, also of one that leaves; undefined if it is gone. Empty if it announced none. */
  readonly incarnationOf: (nodeId: string) => string | undefined;
  /** On the coordinator: calls back after every change of the nodes. Returns a function that unsubscribes. */
  readonly onNodesChange: (callback: () => void) => () => void;
  /** On the coordinator: a folder for what the catalog must know after a restart. Undefined if nothing of it has to survive. */
  readonly catalogStorage?: OwnedStorage | undefined;
}

export interface ConnectorFactory {
  /** `connector.name` in the catalog's properties. */
  readonly name: string;
  /** Supported property names besides connector.name. */
  readonly properties: readonly string[];
  /** Throws QueryError CONFIGURATION_INVALID that names the property. */
  create(
    properties: Readonly<Record<string, string>>,
    context: ConnectorContext,
  ): Connector & {
    /** Answers `callNode` and `readNode` of another node's instance. Throws MalformedCall for an invalid request. */
    handleCall?(request: Json): Promise<CallAnswer>;
  };
}

/** The page of an answer belongs to the receiver. */
export type CallAnswer = Json | Frame;

/** Reported to the caller as a bad request. Errors of well-formed calls are QueryErrors. */
export class MalformedCall extends Error {
  override readonly name = "MalformedCall";
}

/** Metadata of the connector whose waiting ends with the query. */
export function metadataFor(connector: Pick<Connector, "forQuery" | "metadata">, query: EndingQuery): ConnectorMetadata {
  return (connector.forQuery?.(query) ?? connector).metadata;
}
