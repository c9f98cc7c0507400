/**
 * What a connector is: names and types of its tables for the coordinator, splits for the scheduler, pages for the workers, and, if it can
 * write, sinks for them. Every node makes its own instance from the catalog's properties and its own ports. A connector knows this
 * file, page/, types/, protocol/errors and the ports, nothing else. Handles and splits travel as JSON: plain data only.
 *
 * All names in handles are lower case. Errors are QueryError values (EXTERNAL, NOT_SUPPORTED and the like).
 */
import { TupleDomain } from "../types/domain/tuple-domain.ts";
import type { TypeTextOptions } from "../types/type-text.ts";
import type { Page } from "../page/page.ts";
import type { MemoryContext } from "../memory/memory.ts";
import type { Ports } from "../ports/ports.ts";
import type { Type } from "../types/type.ts";
import type { Split, SplitList } from "./shared/splits.ts";
import type { TableFunction } from "./table-function.ts";
import type { ColumnMetadata, DefaultValue, Json, SchemaTableName, TableMetadata, TableStatistics } from "./table-metadata.ts";

export type { Split } from "./shared/splits.ts";
export type * from "./table-metadata.ts";

/** A query under a name; it is planned anew wherever the name stands. */
export interface ViewDefinition {
  readonly sql: string;
  /** Of the session that made it: what its names are relative to. */
  readonly catalog?: string;
  readonly schema?: string;
  /** What the query gave when the view was made. */
  readonly columns: readonly { readonly name: string; readonly type: Type; readonly comment?: string }[];
  readonly comment?: string;
  readonly owner: string;
  readonly security: "DEFINER" | "INVOKER";
}

export interface LikePattern {
  readonly pattern: string;
  readonly escape?: string;
}

/** Rows that do not meet it are not wanted. A connector may give them all the same: whoever asked filters them too. */
export interface Constraint {
  /** By column. */
  readonly summary: TupleDomain;
  /** By column of text: only texts that match. The summary has a domain without NULL for each of these columns. */
  readonly patterns?: ReadonlyMap<string, LikePattern>;
  /**
   * Columns of which more is known when the split is read (PageSourceRequest.constraint): what tells whether the split is wanted then goes with it. The
   * summary has a domain without NULL for each.
   */
  readonly dynamicColumns?: ReadonlySet<string>;
}

export const alwaysTrue: Constraint = Object.freeze({ summary: TupleDomain.all });

export interface ConnectorMetadata {
  /** Sorted. Without information_schema, which the engine adds. */
  listSchemas(): Promise<readonly string[]>;
  /** Where there are more schemas than are listed: whether one is there. */
  hasSchema?(schema: string): Promise<boolean>;
  /** Sorted, views among them; empty for an unknown schema. */
  listTables(schema: string): Promise<readonly string[]>;
  /** undefined when there is no such table. */
  getTable(name: SchemaTableName): Promise<TableMetadata | undefined>;
  getStatistics?(table: TableMetadata): Promise<TableStatistics>;

  createSchema?(schema: string): Promise<void>;
  dropSchema?(schema: string): Promise<void>;
  /** What the connector keeps of a column beside its name, its type and its comment; Trino's names. */
  readonly capabilities?: readonly ColumnCapability[];
  /** CREATE OR REPLACE TABLE. */
  readonly replacesTables?: true;
  /** Starts a table that becomes visible with finishCreate. TABLE_ALREADY_EXISTS when there is one. The handle goes to createPageSink. */
  beginCreate?(name: SchemaTableName, columns: readonly ColumnMetadata[], options?: CreateOptions): Promise<Json>;
  /** `fragments`: what each sink's finish returned, in task order. All rows become visible at once. */
  finishCreate?(handle: Json, fragments: readonly Json[]): Promise<void>;
  /** `ifUnchanged`: TRANSACTION_CONFLICT at its finish when the table's rows have changed meanwhile. */
  beginInsert?(table: TableMetadata, options?: { readonly ifUnchanged: boolean }): Promise<Json>;
  finishInsert?(handle: Json, fragments: readonly Json[]): Promise<void>;
  /** After a failed or cancelled write; idempotent. */
  abortWrite?(handle: Json): Promise<void>;
  dropTable?(table: TableMetadata): Promise<void>;
  /** Starts the replacement of all rows of a table by what is written (DELETE, UPDATE, MERGE); TRANSACTION_CONFLICT at its finish when the table has changed meanwhile. */
  beginRewrite?(table: TableMetadata): Promise<Json>;
  finishRewrite?(handle: Json, fragments: readonly Json[]): Promise<void>;

  /** Takes all rows away. */
  truncateTable?(table: TableMetadata): Promise<void>;
  /** Makes the statistics what the rows say; gives how many rows they are of. */
  analyzeTable?(table: TableMetadata): Promise<number>;

  renameSchema?(schema: string, target: string): Promise<void>;
  renameTable?(table: TableMetadata, target: SchemaTableName): Promise<void>;
  /** Rows that are there have the column's default value in it, or NULL. */
  addColumn?(table: TableMetadata, column: ColumnMetadata): Promise<void>;
  dropColumn?(table: TableMetadata, column: string): Promise<void>;
  renameColumn?(table: TableMetadata, column: string, target: string): Promise<void>;
  setTableComment?(table: TableMetadata, comment: string | undefined): Promise<void>;
  setColumnComment?(table: TableMetadata, column: string, comment: string | undefined): Promise<void>;
  /** With NOT_NULL_COLUMN_CONSTRAINT. CONSTRAINT_VIOLATION when the column holds NULLs. */
  setColumnNullable?(table: TableMetadata, column: string, nullable: boolean): Promise<void>;
  /** With DEFAULT_COLUMN_VALUE. Rows that are there stay as they are. */
  setColumnDefault?(table: TableMetadata, column: string, defaultValue: DefaultValue | undefined): Promise<void>;

  /** undefined when there is no such view; a table of the name is none. */
  getView?(name: SchemaTableName): Promise<ViewDefinition | undefined>;
  /** TABLE_ALREADY_EXISTS where a table has the name, or a view that is not to be replaced. */
  createView?(name: SchemaTableName, view: ViewDefinition, replace: boolean): Promise<void>;
  dropView?(name: SchemaTableName): Promise<void>;
  renameView?(name: SchemaTableName, target: SchemaTableName): Promise<void>;
  setViewComment?(name: SchemaTableName, comment: string | undefined): Promise<void>;
  /** The functions of one name, in the order in which they were made; none for an unknown schema. */
  getFunctions?(name: SchemaFunctionName): Promise<readonly StoredFunction[]>;
  /** All functions of a schema, sorted by name. */
  listFunctions?(schema: string): Promise<readonly NamedFunction[]>;
  /** ALREADY_EXISTS where a function has the name and the parameter types and is not to be replaced. */
  createFunction?(name: SchemaFunctionName, definition: StoredFunction, replace: boolean): Promise<void>;
  /** `signature` as in StoredFunction. */
  dropFunction?(name: SchemaFunctionName, signature: string): Promise<void>;
  setViewColumnComment?(name: SchemaTableName, column: string, comment: string | undefined): Promise<void>;
}

export interface SchemaFunctionName {
  readonly schema: string;
  readonly name: string;
}

/** A function written in SQL, as text. */
export interface StoredFunction {
  /** Types of the parameters, `(bigint,varchar)`: no two functions of one name agree in it. */
  readonly signature: string;
  /** `FUNCTION f(x bigint) RETURNS bigint RETURN x` */
  readonly sql: string;
  /** Catalogs and schemas in which the body looks for functions, as SET PATH writes them; absent for none. */
  readonly path?: string;
  /** Absent with SECURITY INVOKER. */
  readonly owner?: string;
}

export interface NamedFunction {
  readonly name: string;
  readonly definition: StoredFunction;
}

export type ColumnCapability = "DEFAULT_COLUMN_VALUE" | "NOT_NULL_COLUMN_CONSTRAINT";

export interface CreateOptions {
  /** Only to a connector that has setTableComment. */
  readonly comment?: string;
  /** The new table takes the place of one of its name when it becomes visible. Only to a connector whose `replacesTables` is true. */
  readonly replace?: true;
}

/** Reads one split; pull model, never blocks the node: between pages it returns to the driver. */
export interface PageSource {
  /**
   * The next page, or undefined when nothing is ready: then `blocked()` says when to ask again, or `finished` is true.
   * At most pageRowsMax rows; valid until the next call (see page.ts). Column i of the page is column i of the request.
   */
  nextPage(): Page | undefined;
  readonly finished: boolean;
  /** Resolves when nextPage may have something; undefined when it may have now. */
  blocked(): Promise<void> | undefined;
  /** Bytes read so far at the source, before filtering. */
  readonly completedBytes: number;
  /** Frees what it holds. Idempotent, callable at any moment. */
  close(): void;
}

export interface PageSourceRequest {
  readonly table: TableMetadata["handle"];
  readonly split: Split["payload"];
  /** Only these are read, in this order; may be empty (count(*)): then pages carry positionCount alone. */
  readonly columns: readonly ColumnMetadata[];
  /** Everything the source allocates is charged here. */
  readonly memory: MemoryContext;
  /** What is known since the splits were listed. */
  readonly constraint?: Constraint;
  /** The rows leave out something that could not be read: the user is told, and the query goes on. */
  readonly onWarning?: (message: string) => void;
}

/** Takes the rows of one task. */
export interface PageSink {
  /** Copies what it keeps before it returns. */
  append(page: Page): void;
  /** Resolves when it can take the next page; undefined when it can now. */
  blocked(): Promise<void> | undefined;
  /** Makes the rows ready to become visible and says so to finishCreate or finishInsert. */
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
  /** It may be left out: then its value is null. */
  readonly optional?: true;
}

/** What CALL calls, on the coordinator. */
export interface Procedure {
  readonly schema: string;
  readonly name: string;
  readonly arguments: readonly ProcedureArgument[];
  /** The values in the order of the arguments, NULL as null, a bigint in digits. Throws QueryError. */
  call(values: readonly (null | boolean | number | string)[]): Promise<void>;
}

/** What tables of metadata need to know of the client that reads them. */
export interface ConnectorSession {
  readonly typeTexts: TypeTextOptions;
}

export interface Connector {
  readonly metadata: ConnectorMetadata;
  readonly procedures?: readonly Procedure[];
  /** The same on every node. */
  readonly tableFunctions?: readonly TableFunction[];
  /** In an order that is part of the result: the same table gives the same splits. `columns` are those that will be read. */
  getSplits(
    table: TableMetadata,
    columns: readonly ColumnMetadata[],
    constraint?: Constraint,
    session?: ConnectorSession,
  ): Promise<SplitList>;
  createPageSource(request: PageSourceRequest): PageSource;
  createPageSink?(request: PageSinkRequest): PageSink;
  /** Frees all that the instance holds. */
  close?(): void;
}

export interface ConnectorContext {
  readonly catalog: string;
  readonly nodeId: string;
  readonly ports: Ports;
  /** For what outlives queries (tables in memory). */
  readonly memory: MemoryContext;
  /** Sends a JSON request to the same catalog's instance on another node and gives its answer; see `ConnectorFactory`. */
  readonly callNode: (nodeId: string, request: Json) => Promise<Json>;
  /** Ids of the active worker nodes, sorted. */
  readonly workerNodes: () => readonly string[];
}

export interface ConnectorFactory {
  /** `connector.name` in the catalog's properties. */
  readonly name: string;
  /** Property names it knows besides connector.name. */
  readonly properties: readonly string[];
  /** Throws QueryError CONFIGURATION_INVALID with the property named. */
  create(
    properties: Readonly<Record<string, string>>,
    context: ConnectorContext,
  ): Connector & {
    /** Answers `callNode` of another node's instance. Throws MalformedCall for a request that no instance sends. */
    handleCall?(request: Json): Promise<Json>;
  };
}

/** The caller gets it as a bad request; errors of a call that was understood are QueryErrors. */
export class MalformedCall extends Error {
  override readonly name = "MalformedCall";
}
