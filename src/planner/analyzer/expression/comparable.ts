/**
 * Checks that types are comparable or orderable, in clauses where Presto requires it.
 */
import type { QuerySpecification, SetOperation, SortItem } from "../../../sql/ast/ast.ts";
import { printExpression } from "../../../sql/printer/printer.ts";
import { displayType, isComparable, isOrderable, type Type } from "../../../types/type.ts";
import type { RowExpression } from "../../plan/typed-expression.ts";
import { type Placed, semanticError } from "../errors.ts";

function refuse(at: Placed, message: string): never {
  throw semanticError("TYPE_MISMATCH", at, message);
}

export function requireGroupable(types: readonly Type[], at: QuerySpecification): void {
  const odd = types.find((type) => !isComparable(type));
  if (odd !== undefined) {
    refuse(at, `${displayType(odd)} is not comparable, and therefore cannot be used in GROUP BY`);
  }
}

/** `shown` is the text of the SELECT expression for the message; empty for columns of a star. */
export function requireDistinguishable(type: Type, at: Placed, shown = ""): void {
  if (!isComparable(type)) {
    refuse(at, `DISTINCT can only be applied to comparable types (actual: ${displayType(type)})${shown}`);
  }
}

export function requireOperands(types: readonly Type[], operation: SetOperation): void {
  const odd = operation.operator !== "UNION" || operation.distinct ? types.find((type) => !isComparable(type)) : undefined;
  if (odd === undefined) {
    return;
  }
  const suffix = operation.operator === "UNION" ? " DISTINCT" : "";
  refuse(
    operation.keywords[0] ?? operation,
    `Type ${displayType(odd)} is not comparable and therefore cannot be used in ${operation.operator}${suffix}`,
  );
}

/** `at` is the query with the ORDER BY. Sort keys given by position have no text in the message. */
export function requireSortable(orderBy: readonly SortItem[], keys: readonly RowExpression[], at: Placed): void {
  for (const [index, { type }] of keys.entries()) {
    if (isOrderable(type)) {
      continue;
    }
    const { key } = orderBy[index] as SortItem;
    const shown = key.kind === "LongLiteral" ? `:input(${BigInt(key.value) - 1n})` : printExpression(key);
    refuse(at, `Type ${displayType(type)} is not orderable, and therefore cannot be used in ORDER BY: ${shown}`);
  }
}

export function requireAggregateOrder(type: Type, at: Placed): void {
  if (!isOrderable(type)) {
    refuse(at, `ORDER BY can only be applied to orderable types (actual: ${displayType(type)})`);
  }
}

export function requireWindowPartition(type: Type, at: Placed): void {
  if (!isComparable(type)) {
    refuse(at, `${displayType(type)} is not comparable, and therefore cannot be used in window function PARTITION BY`);
  }
}

export function requireWindowOrder(type: Type, at: Placed): void {
  if (!isOrderable(type)) {
    refuse(at, `${displayType(type)} is not orderable, and therefore cannot be used in window function ORDER BY`);
  }
}
