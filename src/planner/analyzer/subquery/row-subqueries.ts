/**
 * Row values and subqueries. Several columns of a subquery form one row, and rows are compared field by field.
 */
import { commonSuperType } from "../../../functions/registry/coercion.ts";
import { rowFieldsMax, rowName } from "../../../functions/operator/structures.ts";
import { assert } from "../../../protocol/errors.ts";
import { BOOLEAN, displayType, isComparable, isNested, rowType, tupleType, type Type } from "../../../types/type.ts";
import type { RowExpression } from "../../plan/typed-expression.ts";
import { call, or, special } from "../../plan/expression-tree.ts";
import { partsOf } from "../../plan/row-parts.ts";
import { notSupported, type Placed, semanticError } from "../errors.ts";
import { callOperator, coerce } from "../expression/functions.ts";
import type { RelationPlan } from "../scope/scope.ts";

/** Returns the value of a subquery's row: its only column, or a row of all columns. */
export function valueOfRow(relation: RelationPlan, at: Placed): RowExpression {
  const visible = relation.fields.filter((field) => !field.hidden);
  const [field] = visible;
  assert(field !== undefined, "a query has a column");
  if (visible.length === 1) {
    return field.expression;
  }
  if (visible.length > rowFieldsMax) {
    throw notSupported(at, `Rows of more than ${rowFieldsMax} fields are not supported`);
  }
  const type = rowType(visible.map(({ name, expression }) => ({ ...(name === undefined ? {} : { name }), type: expression.type })));
  return call(
    rowName,
    type,
    visible.map(({ expression }) => expression),
  );
}

/** A value and the subquery's value to compare it with, coerced to one type. */
export interface Compared {
  readonly value: RowExpression;
  readonly item: RowExpression;
  /** Whether `item` is a row built from the subquery's only column. */
  readonly isWrapped: boolean;
}

/** `what` names the comparison in error messages. */
export function compareWithRows(
  value: RowExpression,
  relation: RelationPlan,
  at: Placed,
  what: "IN expression" | "quantified comparison",
): Compared {
  const item = valueOfRow(relation, at);
  const direct = commonSuperType(value.type, item.type);
  const incomparable = [value.type, item.type].find((type) => !isComparable(type));
  if (incomparable !== undefined) {
    const type = displayType(incomparable.kind === "row" ? incomparable : tupleType([incomparable]));
    throw semanticError("TYPE_MISMATCH", at, `Type [${type}] must be comparable in order to be used in quantified comparison`);
  }
  if (direct !== undefined) {
    return { value: coerceFields(value, direct), item: coerceFields(item, direct), isWrapped: false };
  }
  const several = relation.fields.filter((field) => !field.hidden).length > 1;
  const wrapped = tupleType([item.type]);
  const common = several ? undefined : commonSuperType(value.type, wrapped);
  if (common !== undefined) {
    return { value: coerceFields(value, common), item: coerceFields(call(rowName, wrapped, [item]), common), isWrapped: true };
  }
  if (!several && value.type.kind !== "row") {
    const types = `${displayType(value.type)} vs ${displayType(item.type)}`;
    throw semanticError("TYPE_MISMATCH", at, `value and result of subquery must be of the same type for ${what}: ${types}`);
  }
  const asRow = (type: Type): Type => (type.kind === "row" ? type : tupleType([type]));
  const types = `${displayType(asRow(value.type))} vs ${displayType(several ? item.type : wrapped)}`;
  throw semanticError("TYPE_MISMATCH", at, `Value expression and result of subquery must be of the same type: ${types}`);
}

/** Like coerce, but coerces the fields of a row constructor separately. */
function coerceFields(expression: RowExpression, type: Type): RowExpression {
  if (type.kind !== "row" || expression.kind !== "call" || expression.name !== rowName) {
    return coerce(expression, type);
  }
  return call(
    rowName,
    type,
    expression.args.map((arg, index) => coerceFields(arg, type.fields[index]?.type ?? arg.type)),
  );
}

export interface Pair {
  readonly value: RowExpression;
  readonly item: RowExpression;
}

/** Splits the comparison of two rows into comparisons of their fields, including fields of nested rows. */
export function pairsOf({ value, item }: Pair): readonly Pair[] {
  const [values, items] = [partsOf(value), partsOf(item)];
  return values.map((part, index) => ({ value: part, item: items[index] as RowExpression }));
}

/** Each equality is true, false or NULL; their conjunction is equivalent to `=` of the pair. */
export function equalitiesOf(pair: Pair, at: Placed): readonly RowExpression[] {
  return pairsOf(pair).map(({ value, item }) => callOperator("$eq", [item, value], at));
}

/** Returns whether the value is NULL or contains one, so that its comparison may be NULL. */
export function holdsNull(value: RowExpression, at: Placed): RowExpression {
  return or(
    partsOf(value).map((part) => special("IS_NULL", BOOLEAN, [isNested(part.type) ? callOperator("$eq", [part, part], at) : part])),
  );
}
