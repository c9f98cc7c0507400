/**
 * Simplifies conjuncts of a filter. A filter treats NULL as false, so a conjunct that may return NULL or false implies the conditions under
 * which it is true.
 */
import { isNested } from "../../../types/type.ts";
import type { RowExpression } from "../../plan/typed-expression.ts";
import { conjunctsOf, isConstant } from "../../plan/expression-tree.ts";

const comparisons: ReadonlySet<string> = new Set(["$eq", "$ne", "$lt", "$le", "$gt", "$ge"]);

/**
 * COALESCE(x, false) becomes x; IF(x, y, false) becomes x AND y; v = IF(x, w, NULL) becomes x AND v = w. Conjuncts may be evaluated in any
 * order, so the value of an IF is extracted only if its evaluation cannot fail.
 */
export function truthsOf(conjunct: RowExpression): readonly RowExpression[] {
  if (conjunct.kind === "special" && conjunct.form === "COALESCE" && conjunct.args.length === 2) {
    const [value, otherwise] = conjunct.args as [RowExpression, RowExpression];
    return isConstant(otherwise, false) ? conjunctsOf(value).flatMap(truthsOf) : [conjunct];
  }
  const branch = takenWhere(conjunct, false);
  if (branch !== undefined) {
    return [...conjunctsOf(branch.condition), ...conjunctsOf(branch.value)].flatMap(truthsOf);
  }
  if (conjunct.kind !== "call" || !comparisons.has(conjunct.name)) {
    return [conjunct];
  }
  const branches = conjunct.args.map((arg) => takenWhere(arg, null));
  if (branches.every((taken) => taken === undefined)) {
    return [conjunct];
  }
  const args = conjunct.args.map((arg, index) => branches[index]?.value ?? arg);
  return [
    ...branches.flatMap((taken) => (taken === undefined ? [] : conjunctsOf(taken.condition).flatMap(truthsOf))),
    { ...conjunct, args },
  ];
}

interface Branch {
  readonly condition: RowExpression;
  readonly value: RowExpression;
}

/** Matches an IF whose else branch is `otherwise`; returns its condition and value. */
function takenWhere(expression: RowExpression, otherwise: false | null): Branch | undefined {
  if (expression.kind !== "special" || expression.form !== "IF") {
    return undefined;
  }
  const [condition, value, other] = expression.args as [RowExpression, RowExpression, RowExpression?];
  const isOther = other === undefined ? otherwise === null : isConstant(other, otherwise);
  return isOther && cannotFail(value) ? { condition, value } : undefined;
}

/** Returns true for columns and comparisons of columns. A comparison of rows or arrays may fail at a NULL element. */
function cannotFail(expression: RowExpression): boolean {
  switch (expression.kind) {
    case "variable":
    case "constant":
      return true;
    case "cast":
    case "lambda":
      return false;
    case "call":
      return (comparisons.has(expression.name) || expression.name === "$not") && expression.args.every(isPlain);
    case "special":
      return (expression.form === "AND" || expression.form === "OR" || expression.form === "IS_NULL") && expression.args.every(cannotFail);
  }
}

function isPlain(expression: RowExpression): boolean {
  return cannotFail(expression) && !isNested(expression.type);
}
