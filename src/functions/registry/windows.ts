/**
 * The window functions: one record per overload. Implementations are in the window operator (operators/window/functions.ts). Every
 * aggregate is also a window function.
 */
import type { Signature } from "./definition.ts";

export interface WindowDefinition extends Signature {
  /** True: the function sees the rows of the frame. False: it sees the whole partition. */
  readonly usesFrame: boolean;
  /** Returns a value of another row, so IGNORE NULLS applies. */
  readonly isValue: boolean;
  /**
   * `sql` is the expression in `SELECT ${sql} FROM (VALUES (1, 10), (2, NULL), (2, 30), (4, 40)) t(k, v) ORDER BY k, v`; `result` is the
   * resulting column as text.
   */
  readonly example?: { readonly sql: string; readonly result: readonly (string | null)[] };
}

function ranking(name: string, args: readonly string[], returns: string, more: Pick<WindowDefinition, "description" | "example">) {
  return { name, args, returns, usesFrame: false, isValue: false, ...more };
}

const rankings: readonly WindowDefinition[] = [
  ranking("row_number", [], "bigint", {
    description: "Row number within the partition, from 1",
    example: { sql: "row_number() OVER (ORDER BY k, v)", result: ["1", "2", "3", "4"] },
  }),
  ranking("rank", [], "bigint", {
    description: "Rank of the row within the partition, with gaps after peers",
    example: { sql: "rank() OVER (ORDER BY k)", result: ["1", "2", "2", "4"] },
  }),
  ranking("dense_rank", [], "bigint", {
    description: "Rank of the row within the partition, without gaps",
    example: { sql: "dense_rank() OVER (ORDER BY k)", result: ["1", "2", "2", "3"] },
  }),
  ranking("percent_rank", [], "double", {
    description: "Relative rank of the row: (rank - 1) / (rows - 1), or 0 for a single row",
    example: { sql: "percent_rank() OVER (ORDER BY k DESC)", result: ["1.0", "0.3333333333333333", "0.3333333333333333", "0.0"] },
  }),
  ranking("cume_dist", [], "double", {
    description: "Fraction of the partition's rows that precede or equal the row",
    example: { sql: "cume_dist() OVER (ORDER BY k)", result: ["0.25", "0.75", "0.75", "1.0"] },
  }),
  ranking("ntile", ["bigint"], "bigint", {
    description: "Bucket of the row, from 1, when the partition is divided into n buckets",
    example: { sql: "ntile(3) OVER (ORDER BY k, v)", result: ["1", "1", "2", "3"] },
  }),
];

const values: readonly WindowDefinition[] = [
  {
    name: "first_value",
    args: ["T"],
    returns: "T",
    usesFrame: true,
    isValue: true,
    description: "Value of the first row of the frame",
    example: { sql: "first_value(v) OVER (ORDER BY k, v)", result: ["10", "10", "10", "10"] },
  },
  {
    name: "last_value",
    args: ["T"],
    returns: "T",
    usesFrame: true,
    isValue: true,
    description: "Value of the last row of the frame",
    example: { sql: "last_value(v) IGNORE NULLS OVER (ORDER BY k, v NULLS LAST)", result: ["10", "30", "30", "40"] },
  },
  {
    name: "nth_value",
    args: ["T", "bigint"],
    returns: "T",
    usesFrame: true,
    isValue: true,
    description: "Value of the nth row of the frame, from 1, or NULL",
    example: { sql: "nth_value(k, 2) OVER (ORDER BY k, v)", result: [null, "2", "2", "2"] },
  },
];

const neighbours = (name: "lag" | "lead", where: string, example: WindowDefinition["example"]): readonly WindowDefinition[] =>
  [["T"], ["T", "bigint"], ["T", "bigint", "T"]].map(
    (args, index): WindowDefinition => ({
      name,
      args,
      returns: "T",
      usesFrame: false,
      isValue: true,
      description: `Value at the offset (default 1) ${where} the row in the partition, or the default value`,
      ...(index === 2 && example !== undefined ? { example } : {}),
    }),
  );

export const windowDefinitions: readonly WindowDefinition[] = Object.freeze([
  ...rankings,
  ...values,
  ...neighbours("lag", "before", { sql: "lag(k, 2, -1) OVER (ORDER BY k, v)", result: ["-1", "-1", "1", "2"] }),
  ...neighbours("lead", "after", { sql: "lead(k, 1, v) OVER (ORDER BY k, v)", result: ["2", "2", "4", "40"] }),
]);
