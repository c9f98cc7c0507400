/** What the planner estimates of the rows and columns of a plan node. */
import type { UniqueKey } from "./keys.ts";

export interface ColumnEstimate {
  readonly distinct?: number;
  /** Where nobody has counted `distinct`: it is no more than this. */
  readonly distinctMax?: number;
  /** Its range holds no more values than the table has rows: then each of them is likely there, as in keys and what refers to them. */
  readonly fillsRange?: true;
  readonly nullsFraction?: number;
  readonly low?: number;
  readonly high?: number;
  readonly averageBytes?: number;
  /** Of a boolean: the part of rows where it is true. */
  readonly trueFraction?: number;
  /** The result of an aggregate: a condition on it seldom holds for many groups. */
  readonly aggregate?: true;
}

export interface Estimate {
  readonly rows: number;
  /** False when it rests on a table without statistics. */
  readonly known: boolean;
  readonly columns: ReadonlyMap<string, ColumnEstimate>;
  /** Columns of which no two rows agree. Not an estimate: rules rely on them. */
  readonly keys: readonly UniqueKey[];
}
