/**
 * The order in which the conditions of a filter are evaluated. A filter is split only if no condition can fail, because then the order
 * cannot be observed.
 */
import { likeProgramName } from "../../functions/scalar/string/like.ts";
import { variablesOf } from "../../planner/plan/expression-tree.ts";
import type { RowExpression, Variable } from "../../planner/plan/typed-expression.ts";
import { assert } from "../../protocol/errors.ts";
import { BOOLEAN, isBytes, isNested, physicalType, physicalWidth } from "../../types/type.ts";
import { isTotal } from "./expression-compiler.ts";
import { lowerExpression } from "./lower.ts";
import { implementationOfCall } from "./prepare.ts";

export interface FilterCondition {
  readonly expression: RowExpression;
  /** The only column that the condition reads, if it cannot fail; such a condition may be evaluated once per entry of a dictionary. */
  readonly column: Variable | undefined;
}

/**
 * Conditions on one column come first: they read little and leave fewer rows to the others. Conditions on strings are steps of their own,
 * by column. Without a dictionary they cost more than all the others.
 */
export function filterSteps(filter: RowExpression): readonly FilterCondition[] {
  const expression = lowerExpression(filter);
  if (!cannotFail(expression)) {
    return [{ expression, column: undefined }];
  }
  if (expression.kind !== "special" || expression.form !== "AND") {
    return [stepOf([expression])];
  }
  const byColumn = new Map<string, RowExpression[]>();
  for (const condition of expression.args) {
    const column = onlyColumn(condition);
    if (column !== undefined) {
      byColumn.set(column.name, [...(byColumn.get(column.name) ?? []), condition]);
    }
  }
  const [first, ...others] = [...byColumn.values()].sort((left, right) => costOf(left) - costOf(right));
  if (first === undefined) {
    return [stepOf(expression.args)];
  }
  const strings = others.filter((conditions) => isBytes((onlyColumn(conditions[0] as RowExpression) as Variable).type));
  const alone = new Set([first, ...strings].flat());
  const rest = expression.args.filter((condition) => !alone.has(condition));
  return [first, ...strings, ...(rest.length === 0 ? [] : [rest])].map(stepOf);
}

/** Bytes that each condition that may drop a row reads for that row. */
function costOf(conditions: readonly RowExpression[]): number {
  const column = onlyColumn(conditions[0] as RowExpression) as Variable;
  return physicalWidth(physicalType(column.type)) / conditions.length;
}

function onlyColumn(condition: RowExpression): Variable | undefined {
  const [column, ...others] = variablesOf([condition]);
  return others.length === 0 ? column : undefined;
}

function stepOf(conditions: readonly RowExpression[]): FilterCondition {
  const [only] = conditions;
  assert(only !== undefined, "a step has a condition");
  const expression: RowExpression = conditions.length === 1 ? only : { kind: "special", form: "AND", type: BOOLEAN, args: conditions };
  return { expression, column: onlyColumn(expression) };
}

const comparisons: ReadonlySet<string> = new Set(["$eq", "$ne", "$lt", "$le", "$gt", "$ge", "$distinct"]);

/** Expressions that are not cheap, and so not total, but cannot fail either. */
function cannotFail(expression: RowExpression): boolean {
  if (isTotal(expression)) {
    return true;
  }
  switch (expression.kind) {
    case "call": {
      const isSafe =
        expression.name === likeProgramName ||
        comparisons.has(expression.name) ||
        implementationOfCall(expression).implementation.total === true;
      return isSafe && expression.args.every((arg) => !isNested(arg.type) && cannotFail(arg));
    }
    case "special":
      switch (expression.form) {
        case "AND":
        case "OR":
        case "IN":
        case "IS_NULL":
          return expression.args.every((arg) => !isNested(arg.type) && cannotFail(arg));
        default:
          return false;
      }
    default:
      return false;
  }
}
