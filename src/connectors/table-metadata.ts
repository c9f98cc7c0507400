/** What a connector says of a table: its columns, its handle and its statistics. */
import type { Type } from "../types/type.ts";

/** JSON data. Handles of a connector are opaque to the engine. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

export interface SchemaTableName {
  readonly schema: string;
  readonly table: string;
}

export interface ColumnMetadata {
  readonly name: string;
  readonly type: Type;
  /** Selectable, but absent from `SELECT *` and DESCRIBE. */
  readonly hidden?: boolean;
  readonly comment?: string;
  /** NOT NULL: a write of NULL to the column fails. Only for connectors with the capability. */
  readonly nullable?: false;
  readonly defaultValue?: DefaultValue;
  /** Properties of its definition. Only for connectors with `columnProperties`. */
  readonly properties?: Readonly<Record<string, PropertyValue>>;
  /** What planCreate has made of the properties, for beginCreate; opaque to the engine. */
  readonly planned?: Json;
}

/** DEFAULT of a column: the value of a row that is written without one. */
export interface DefaultValue {
  /** The literal in SQL. */
  readonly sql: string;
  /** The value in the column's type, in the JSON form of plans (ConstantValue). */
  readonly value: null | boolean | number | string;
}

export interface TableMetadata {
  readonly name: SchemaTableName;
  readonly columns: readonly ColumnMetadata[];
  /** Opaque; passed to getSplits and createPageSource. */
  readonly handle: Json;
  /** Its splits can only be read, and its rows written, on the coordinator (system tables). */
  readonly coordinatorOnly?: boolean;
  readonly comment?: string;
  /** Order in which a sink must get the rows of an INSERT. */
  readonly sortedBy?: readonly SortedColumn[];
  /** Properties of its CREATE TABLE. */
  readonly properties?: Readonly<Record<string, PropertyValue>>;
  /** Unique keys: sets of columns without NULLs whose values never repeat. The planner relies on them, so a key must hold always. */
  readonly uniqueKeys?: readonly (readonly string[])[];
}

/** Which version of a table a statement asks for. */
export type TableVersion = {
  /** BEFORE: the last version before the one that AS OF gives, or before the instant. */
  readonly state: "AS OF" | "BEFORE";
} & (
  | {
      readonly pointer: "VERSION";
      readonly type: Type;
      /** Text, or the digits of a number. */
      readonly value: string;
    }
  | {
      readonly pointer: "TIMESTAMP";
      readonly epochMicros: bigint;
      /** As the statement has it, for messages. */
      readonly text: string;
    }
);

export interface SortedColumn {
  readonly column: string;
  readonly descending: boolean;
  readonly nullsFirst: boolean;
}

/** Value of a property of a table or a column. */
export type PropertyValue = number | string | readonly string[];

/** A property that WITH of CREATE TABLE may set, of the table or of a column; names are Trino's. */
export interface TableProperty {
  readonly name: string;
  readonly type: "varchar" | "array(varchar)" | "double" | "bigint";
  readonly description: string;
  readonly defaultValue?: string;
}

/** Estimates for the planner; an absent value is unknown. */
export interface TableStatistics {
  readonly rowCount?: number;
  readonly columns: Readonly<Record<string, ColumnStatistics>>;
}

export interface ColumnStatistics {
  readonly distinctValues?: number;
  /** 0 to 1. */
  readonly nullsFraction?: number;
  /** For numbers and dates, in the column's own unit. */
  readonly low?: number;
  readonly high?: number;
  /** Mean bytes of a value. */
  readonly averageBytes?: number;
}
