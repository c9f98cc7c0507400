/**
 * Results of planning a statement.
 */
import type {
  ColumnMetadata,
  ConnectorMetadata,
  ConnectorQuery,
  CreateOptions,
  Principal,
  SchemaTableName,
  TableMetadata,
} from "../connectors/spi.ts";
import type { TaskDocument } from "../protocol/documents/task.ts";
import type { Type } from "../types/type.ts";
import type { PlanEstimates } from "./explain/plan-estimates.ts";
import type { FragmentedPlan } from "./fragmenter/fragment.ts";
import type { WriteTarget } from "./plan/node.ts";

export interface ResultColumn {
  readonly name: string;
  readonly type: Type;
}

/**
 * A statement that runs as a distributed query. If `write` is set, the coordinator first begins the write and adds the handle with
 * `withWriteHandle`. The plan then returns one row with the number of rows written.
 */
export interface PlannedQuery {
  readonly kind: "query";
  readonly plan: FragmentedPlan;
  readonly columns: readonly ResultColumn[];
  /** The optimizer's estimates; empty for rows that come from no table. */
  readonly estimates?: PlanEstimates;
  readonly updateType?: string;
  readonly write?: PlannedWrite;
  /** WITH SESSION: properties that override those of the session for this query. */
  readonly sessionProperties?: Readonly<Record<string, string>>;
  /**
   * EXPLAIN ANALYZE: the query's rows are discarded. The result is one row with the text that this function builds from the final task
   * documents.
   */
  readonly analyze?: (tasksOf: (fragmentId: number) => readonly TaskDocument[]) => string;
}

export interface PlannedWrite {
  readonly target: WriteTarget;
  /** Target of the INSERT; absent for CREATE TABLE AS. */
  readonly table?: TableMetadata;
  /** Set for an INSERT that implements a MERGE: the commit fails if the table has changed. */
  readonly ifUnchanged?: true;
  /** Options of the new table, for CREATE TABLE AS. */
  readonly options?: CreateOptions;
}

/** Runs immediately, without stages; see runDataDefinition. */
export interface PlannedDataDefinition {
  readonly kind: "dataDefinition";
  readonly updateType: string;
  readonly definition: DataDefinition;
}

/** A catalog as CREATE CATALOG defines it. */
export interface CatalogDefinition {
  readonly name: string;
  /** `connector.name` */
  readonly connector: string;
  readonly properties: Readonly<Record<string, string>>;
}

export type DataDefinition =
  | {
      readonly action: "CREATE_TABLE";
      readonly catalog: string;
      readonly name: SchemaTableName;
      readonly columns: readonly ColumnMetadata[];
      readonly options: CreateOptions;
    }
  | { readonly action: "DROP_TABLE"; readonly catalog: string; readonly table: TableMetadata }
  | { readonly action: "CREATE_SCHEMA"; readonly catalog: string; readonly schema: string; readonly owner: Principal }
  | { readonly action: "DROP_SCHEMA"; readonly catalog: string; readonly schema: string; readonly cascade: boolean }
  | {
      readonly action: "CHANGE";
      readonly catalog: string;
      readonly run: (metadata: ConnectorMetadata, query: ConnectorQuery) => Promise<void>;
    }
  /** A DELETE or UPDATE that the source runs; returns the number of rows. */
  | {
      readonly action: "CHANGE_ROWS";
      readonly catalog: string;
      readonly run: (metadata: ConnectorMetadata, query: ConnectorQuery) => Promise<number>;
      /** For EXPLAIN. */
      readonly description: string;
    }
  | ({ readonly action: "CREATE_CATALOG"; readonly ifNotExists: boolean } & CatalogDefinition)
  | { readonly action: "DROP_CATALOG"; readonly name: string; readonly ifExists: boolean }
  /** Calls a procedure. `catalog`: whose tables it may change. */
  | { readonly action: "CALL"; readonly catalog?: string; readonly run: (query: ConnectorQuery) => Promise<void> }
  /** IF [NOT] EXISTS made the statement a no-op. */
  | { readonly action: "NONE" };

/** Changes the session state that the client sends with its next statements. */
export interface PlannedSessionChange {
  readonly kind: "session";
  readonly updateType: string;
  readonly change: SessionChange;
}

export interface TransactionMode {
  readonly isolation: "SERIALIZABLE" | "REPEATABLE READ" | "READ COMMITTED" | "READ UNCOMMITTED";
  readonly readOnly: boolean;
}

export type SessionChange =
  | { readonly action: "USE"; readonly catalog?: string; readonly schema: string }
  | { readonly action: "SET_SESSION"; readonly name: string; readonly value: string }
  | { readonly action: "SET_ROLE"; readonly catalog: string; readonly role: string }
  | { readonly action: "SET_AUTHORIZATION"; readonly user: string }
  | { readonly action: "RESET_AUTHORIZATION" }
  | { readonly action: "SET_PATH"; readonly path: string }
  | { readonly action: "START_TRANSACTION"; readonly mode: TransactionMode }
  | { readonly action: "COMMIT" }
  | { readonly action: "ROLLBACK" }
  | { readonly action: "RESET_SESSION"; readonly name: string }
  | { readonly action: "PREPARE"; readonly name: string; readonly sql: string }
  | { readonly action: "DEALLOCATE"; readonly name: string };

export type PlannedStatement = PlannedQuery | PlannedDataDefinition | PlannedSessionChange;
