/** What planning a statement gives to the coordinator. */
import type { ColumnMetadata, ConnectorMetadata, CreateOptions, SchemaTableName, TableMetadata } from "../connectors/spi.ts";
import type { TaskDocument } from "../protocol/documents/task.ts";
import type { Type } from "../types/type.ts";
import type { FragmentedPlan } from "./fragmenter/fragment.ts";
import type { WriteTarget } from "./plan/node.ts";

export interface ResultColumn {
  readonly name: string;
  readonly type: Type;
}

/** Rows to run for. With `write`, begin it first and put the handle in with `withWriteHandle`; the plan's one row is the count of rows written. */
export interface PlannedQuery {
  readonly kind: "query";
  readonly plan: FragmentedPlan;
  readonly columns: readonly ResultColumn[];
  readonly updateType?: string;
  readonly write?: PlannedWrite;
  /** WITH SESSION: properties that go before those of the session while the query runs. */
  readonly sessionProperties?: Readonly<Record<string, string>>;
  /** EXPLAIN ANALYZE: the rows are dropped, and what this makes of the tasks' last documents is the one row of the result. */
  readonly analyze?: (tasksOf: (fragmentId: number) => readonly TaskDocument[]) => string;
}

export interface PlannedWrite {
  readonly target: WriteTarget;
  /** The table that rows are inserted into; absent for CREATE TABLE AS. */
  readonly table?: TableMetadata;
  /** Of an INSERT that a MERGE is: only into the table as it is now. */
  readonly ifUnchanged?: true;
  /** Of a new table. */
  readonly options?: CreateOptions;
}

/** Done at once, without stages: see runDataDefinition. */
export interface PlannedDataDefinition {
  readonly kind: "dataDefinition";
  readonly updateType: string;
  readonly definition: DataDefinition;
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
  | { readonly action: "CREATE_SCHEMA"; readonly catalog: string; readonly schema: string }
  | { readonly action: "DROP_SCHEMA"; readonly catalog: string; readonly schema: string }
  | { readonly action: "CHANGE"; readonly catalog: string; readonly run: (metadata: ConnectorMetadata) => Promise<void> }
  /** A procedure; no table changes. */
  | { readonly action: "CALL"; readonly run: () => Promise<void> }
  /** IF [NOT] EXISTS found nothing to do. */
  | { readonly action: "NONE" };

/** Changes what the client sends with its next statements. */
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
  | { readonly action: "SET_ROLE"; readonly catalog: string; readonly role: "ALL" | "NONE" }
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
