/**
 * Estimates of the rows and columns of a plan node.
 */
import type { UniqueKey } from "./keys.ts";

export interface ColumnEstimate {
  readonly distinct?: number;
  /** Upper bound of the distinct values, if `distinct` is unknown. */
  readonly distinctMax?: number;
  /** Rows of the column's table, if nothing is known of its values; after a join on the column, those of the smaller table. */
  readonly tableRows?: number;
  /**
   * Set if the column's range holds no more values than the table has rows. Each value of the range is then likely to occur, as in keys and
   * foreign keys.
   */
  readonly fillsRange?: true;
  readonly nullsFraction?: number;
  readonly low?: number;
  readonly high?: number;
  readonly averageBytes?: number;
  /** For a boolean: fraction of the rows where it is true. */
  readonly trueFraction?: number;
  /** Set for the result of an aggregate: a condition on it usually selects few groups. */
  readonly aggregate?: true;
}

export interface Estimate {
  readonly rows: number;
  /** False if the estimate depends on a table without statistics. */
  readonly known: boolean;
  readonly columns: ReadonlyMap<string, ColumnEstimate>;
  /** Sets of columns that are unique. Rules rely on them, so they are certain. */
  readonly keys: readonly UniqueKey[];
}
