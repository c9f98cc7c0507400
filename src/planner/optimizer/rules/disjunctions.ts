/**
 * Derives from a disjunction a condition on the columns of one side only: `(a = 1 AND b = 2) OR (a = 2 AND b = 1)` implies `a IN (1, 2)`.
 * The derived condition can be pushed below a join; the disjunction itself must still be evaluated.
 */
import { sameType } from "../../../types/type.ts";
import type { Constant, RowExpression } from "../../plan/typed-expression.ts";
import { and, conjunctsOf, disjunctsOf, isDeterministic, or, sameExpression, special, usesOnly } from "../../plan/expression-tree.ts";

/** Returns undefined if the condition implies nothing about `names` alone, or reads no other column. */
export function impliedBy(condition: RowExpression, names: ReadonlySet<string>): RowExpression | undefined {
  if (condition.kind !== "special" || condition.form !== "OR" || usesOnly(condition, names)) {
    return undefined;
  }
  const parts = disjunctsOf(condition).map((alternative) =>
    conjunctsOf(alternative).filter((term) => usesOnly(term, names) && isDeterministic(term)),
  );
  return parts.some((terms) => terms.length === 0) ? undefined : asList(or(parts.map(and)));
}

/** `x = 1 OR x = 2` becomes `x IN (1, 2)`. */
function asList(condition: RowExpression): RowExpression {
  const alternatives = disjunctsOf(condition);
  const [first] = alternatives;
  const value = first?.kind === "call" ? first.args[0] : undefined;
  if (value === undefined || alternatives.length < 2) {
    return condition;
  }
  const items = alternatives.flatMap((alternative) => {
    if (alternative.kind !== "call" || alternative.name !== "$eq") {
      return [];
    }
    const [left, right] = alternative.args;
    if (left === undefined || !sameExpression(left, value) || right?.kind !== "constant" || right.value === null) {
      return [];
    }
    return inTypeOf(left, right) ?? [];
  });
  return items.length === alternatives.length ? special("IN", condition.type, [value, ...items]) : condition;
}

/**
 * Widens a varchar constant to the length of the value's type. Other constants must already have the same type, because = and IN may
 * otherwise compare differently.
 */
function inTypeOf({ type }: RowExpression, item: Constant): Constant | undefined {
  if (sameType(type, item.type)) {
    return item;
  }
  const fits = type.kind === "varchar" && item.type.kind === "varchar" && (type.length ?? Infinity) >= (item.type.length ?? Infinity);
  return fits ? { ...item, type } : undefined;
}
