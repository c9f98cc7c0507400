/**
 * Operations over the rows of a table that its connector may take over. It does so only if the rows are exactly those that the engine would
 * compute.
 */
import type { Type } from "../types/type.ts";
import type { ColumnMetadata, Json, SortedColumn } from "./table-metadata.ts";

/**
 * A condition over the columns of a table. Names of calls are those of the engine's functions and operators: `$eq $ne $lt $le $gt $ge $not
 * like`, and `$and $or $in $is_null`; in new values `$add $subtract $multiply $divide $modulus $negate` and others.
 */
export type ConnectorExpression =
  | { readonly kind: "column"; readonly name: string; readonly type: Type }
  /** The value in the JSON form of plans (ConstantValue). */
  | { readonly kind: "constant"; readonly type: Type; readonly value: null | boolean | number | string }
  | { readonly kind: "call"; readonly name: string; readonly type: Type; readonly args: readonly ConnectorExpression[] };

export interface PushedAggregate {
  readonly name: string;
  /** A column; absent for count(*). */
  readonly argument?: string;
  readonly type: Type;
}

/** The parts act in this order. */
export interface PushedOperation {
  /** Columns of the table that are read. */
  readonly columns: readonly ColumnMetadata[];
  /** All hold. */
  readonly conditions: readonly ConnectorExpression[];
  /** The rows have the keys, then the aggregates, instead of `columns`. Without keys there is one row. */
  readonly aggregation?: { readonly keys: readonly string[]; readonly aggregates: readonly PushedAggregate[] };
  readonly orderBy?: readonly SortedColumn[];
  readonly limit?: number;
}

/** A DELETE or UPDATE of the rows for which all conditions hold. */
export interface RowChange {
  readonly kind: "DELETE" | "UPDATE";
  readonly conditions: readonly ConnectorExpression[];
  /**
   * New values, of the columns before the change; none for DELETE. Constants and columns have the type of the column that they are assigned
   * to. A decimal that is computed may have more digits, and is converted as CAST does.
   */
  readonly assignments: readonly { readonly column: string; readonly value: ConnectorExpression }[];
}

/** One kind of change that rows of a statement take: DELETE and UPDATE have one, MERGE has one for each WHEN clause. */
export interface StagedChange {
  readonly kind: "DELETE" | "UPDATE" | "INSERT";
  /** Columns that get values, in the order of the table; none for DELETE. */
  readonly columns: readonly string[];
}

export interface JoinSide {
  readonly handle: Json;
  readonly columns: readonly ColumnMetadata[];
  /** All hold. */
  readonly conditions: readonly ConnectorExpression[];
}

/** An inner join of two tables of one catalog. */
export interface PushedJoin {
  readonly left: JoinSide;
  readonly right: JoinSide;
  /** Names of columns that are equal, at least one pair. */
  readonly criteria: readonly { readonly left: string; readonly right: string }[];
}

export interface PushedTable {
  readonly handle: Json;
  /** In the order of the operation. */
  readonly columns: readonly ColumnMetadata[];
}
