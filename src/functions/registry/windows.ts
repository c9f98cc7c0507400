/**
 * The window functions: one record an overload. Their meaning is in the window operator (operators/window/functions.ts); aggregates become window functions
 * without further ado.
 */
import type { Signature } from "./definition.ts";

export interface WindowDefinition extends Signature {
  /** The frame of the row says what it sees; the others see the partition whatever the frame is. */
  readonly usesFrame: boolean;
  /** Gives a value of another row, so IGNORE NULLS has a meaning. */
  readonly isValue: boolean;
  /** `sql` stands in `SELECT ${sql} FROM (VALUES (1, 10), (2, NULL), (2, 30), (4, 40)) t(k, v) ORDER BY k, v`; the column it gives, as text. */
  readonly example?: { readonly sql: string; readonly result: readonly (string | null)[] };
}

function ranking(name: string, args: readonly string[], returns: string, more: Pick<WindowDefinition, "description" | "example">) {
  return { name, args, returns, usesFrame: false, isValue: false, ...more };
}

const rankings: readonly WindowDefinition[] = [
  ranking("row_number", [], "bigint", {
    description: "Number of the row in its partition, from 1",
    example: { sql: "row_number() OVER (ORDER BY k, v)", result: ["1", "2", "3", "4"] },
  }),
  ranking("rank", [], "bigint", {
    description: "One more than the rows before the row's peers",
    example: { sql: "rank() OVER (ORDER BY k)", result: ["1", "2", "2", "4"] },
  }),
  ranking("dense_rank", [], "bigint", {
    description: "One more than the groups of peers before the row",
    example: { sql: "dense_rank() OVER (ORDER BY k)", result: ["1", "2", "2", "3"] },
  }),
  ranking("percent_rank", [], "double", {
    description: "(rank - 1) / (rows - 1); 0 in a partition of one row",
    example: { sql: "percent_rank() OVER (ORDER BY k DESC)", result: ["1.0", "0.3333333333333333", "0.3333333333333333", "0.0"] },
  }),
  ranking("cume_dist", [], "double", {
    description: "The part of the rows that are the row's peers or before them",
    example: { sql: "cume_dist() OVER (ORDER BY k)", result: ["0.25", "0.75", "0.75", "1.0"] },
  }),
  ranking("ntile", ["bigint"], "bigint", {
    description: "Number of the row's bucket when the rows are dealt into so many, the first ones larger by one",
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
    description: "Value of the frame's first row",
    example: { sql: "first_value(v) OVER (ORDER BY k, v)", result: ["10", "10", "10", "10"] },
  },
  {
    name: "last_value",
    args: ["T"],
    returns: "T",
    usesFrame: true,
    isValue: true,
    description: "Value of the frame's last row",
    example: { sql: "last_value(v) IGNORE NULLS OVER (ORDER BY k, v NULLS LAST)", result: ["10", "30", "30", "40"] },
  },
  {
    name: "nth_value",
    args: ["T", "bigint"],
    returns: "T",
    usesFrame: true,
    isValue: true,
    description: "Value of the frame's row of this number, from 1; null when there is none",
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
      description: `Value of the row so many (1) ${where} in the partition; the default (null) when there is none`,
      ...(index === 2 && example !== undefined ? { example } : {}),
    }),
  );

export const windowDefinitions: readonly WindowDefinition[] = Object.freeze([
  ...rankings,
  ...values,
  ...neighbours("lag", "before", { sql: "lag(k, 2, -1) OVER (ORDER BY k, v)", result: ["-1", "-1", "1", "2"] }),
  ...neighbours("lead", "behind", { sql: "lead(k, 1, v) OVER (ORDER BY k, v)", result: ["2", "2", "4", "40"] }),
]);
