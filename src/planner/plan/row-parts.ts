/** Rows taken apart: the fields of a row as expressions of their own. Used by the analyser and by rules. */
import { fieldName, rowName } from "../../functions/operator/structures.ts";
import type { RowExpression } from "./typed-expression.ts";
import { call } from "./expression-tree.ts";

/** The fields of a row and of the rows in it, from the first on; the expression itself where it is no row. */
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
