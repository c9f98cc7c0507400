/**
 * Decomposes row values into one expression for each field.
 */
import { fieldName, rowName } from "../../functions/operator/structures.ts";
import type { RowExpression } from "./typed-expression.ts";
import { call } from "./expression-tree.ts";

/**
 * Returns the leaf fields of a row, including fields of nested rows, from left to right. Returns the expression itself if it is not a row.
 */
export function partsOf(expression: RowExpression): readonly RowExpression[] {
  const { type } = expression;
  if (type.kind !== "row") {
    return [expression];
  }
  if (expression.kind === "call" && expression.name === rowName) {
    return expression.args.flatMap(partsOf);
  }
  return type.fields.flatMap((field, index) => partsOf(call(fieldName(index), field.type, [expression])));
}
