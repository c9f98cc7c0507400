/**
 * Rows beside subqueries: several columns of a subquery are one row, and a comparison of rows is one of their fields. Called by subqueries.ts and quantified.ts.
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

/** What a subquery gives for each of its rows: its column; a row where there are several. */
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

/** A value and what a subquery gives to compare it with, of one type. */
export interface Compared {
  readonly value: RowExpression;
  readonly item: RowExpression;
  /** `item` is a row that was made of the subquery's only column. */
  readonly isWrapped: boolean;
}

/** `what` names the comparison in a message. */
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

/** As coerce, field by field where the fields stand in the expression. */
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

/** What is equal exactly where the two are: the fields of rows, down to what is no row. */
export function pairsOf({ value, item }: Pair): readonly Pair[] {
  const [values, items] = [partsOf(value), partsOf(item)];
  return values.map((part, index) => ({ value: part, item: items[index] as RowExpression }));
}

/** Each is true, false or NULL; all of them together are what `=` of the two is. */
export function equalitiesOf(pair: Pair, at: Placed): readonly RowExpression[] {
  return pairsOf(pair).map(({ value, item }) => callOperator("$eq", [item, value], at));
}

/** Whether the value is NULL or has one inside, so that `=` of it may be NULL. */
export function holdsNull(value: RowExpression, at: Placed): RowExpression {
  return or(
    partsOf(value).map((part) => special("IS_NULL", BOOLEAN, [isNested(part.type) ? callOperator("$eq", [part, part], at) : part])),
  );
}
