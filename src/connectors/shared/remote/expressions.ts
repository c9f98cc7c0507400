/** Conditions in SQL of a database that select the same rows as in the engine. */
import type { DomainValue } from "../../../types/domain/range.ts";
import { physicalType, type Type } from "../../../types/type.ts";
import type { ConnectorExpression } from "../../pushdown.ts";
import type { RemoteDialect } from "./dialect.ts";
import type { RemoteColumn } from "./remote-table.ts";

type Call = Extract<ConnectorExpression, { readonly kind: "call" }>;

const comparisons: ReadonlyMap<string, string> = new Map([
  ["$eq", "="],
  ["$ne", "<>"],
  ["$lt", "<"],
  ["$le", "<="],
  ["$gt", ">"],
  ["$ge", ">="],
]);
/** The comparison with its sides exchanged. */
const mirrored: ReadonlyMap<string, string> = new Map([
  ["$eq", "$eq"],
  ["$ne", "$ne"],
  ["$lt", "$gt"],
  ["$le", "$ge"],
  ["$gt", "$lt"],
  ["$ge", "$le"],
]);

export class Conditions {
  readonly #dialect: RemoteDialect;
  readonly #columns: ReadonlyMap<string, RemoteColumn>;

  constructor(dialect: RemoteDialect, columns: readonly RemoteColumn[]) {
    this.#dialect = dialect;
    this.#columns = new Map(columns.map((column) => [column.name, column]));
  }

  /** undefined if the database cannot evaluate the condition, or might evaluate it in another way. */
  sql(condition: ConnectorExpression): string | undefined {
    if (condition.kind === "column") {
      const column = this.#column(condition);
      const operand = column?.type.kind === "boolean" ? this.#operand(column, "equality") : undefined;
      return operand && `(${operand})`;
    }
    if (condition.kind === "constant") {
      return undefined;
    }
    switch (condition.name) {
      case "$and":
        return this.#joined(condition.args, " AND ");
      case "$or":
        return this.#joined(condition.args, " OR ");
      case "$not": {
        const inner = condition.args[0] && this.sql(condition.args[0]);
        return inner && `(NOT ${inner})`;
      }
      case "$is_null": {
        const column = this.#column(condition.args[0]);
        return column && `(${this.#dialect.quote(column.remoteName)} IS NULL)`;
      }
      case "$in":
        return this.#list(condition);
      case "like":
        return this.#like(condition);
      default:
        return this.#comparison(condition);
    }
  }

  #column(expression: ConnectorExpression | undefined): RemoteColumn | undefined {
    return expression?.kind === "column" ? this.#columns.get(expression.name) : undefined;
  }

  #joined(args: readonly ConnectorExpression[], operator: string): string | undefined {
    const parts = args.map((arg) => this.sql(arg));
    return parts.every((part) => part !== undefined) ? `(${parts.join(operator)})` : undefined;
  }

  #comparison({ name, args: [left, right] }: Call): string | undefined {
    const sign = comparisons.get(name);
    if (sign === undefined || left === undefined || right === undefined) {
      return undefined;
    }
    if (left.kind === "constant" && right.kind === "column") {
      return this.#comparison({ kind: "call", name: mirrored.get(name) ?? name, type: left.type, args: [right, left] });
    }
    const column = this.#column(left);
    const isOrder = name !== "$eq" && name !== "$ne";
    const operand = column && this.#operand(column, isOrder ? "order" : "equality");
    const literal = right.kind === "constant" && column !== undefined ? this.#literal(column, right) : undefined;
    if (column === undefined || operand === undefined || literal === undefined) {
      return undefined;
    }
    const compared = `${operand} ${sign} ${literal}`;
    // NaN is greater than all numbers in databases, and not comparable in the engine.
    const nan =
      column.type.kind === "double" && (name === "$gt" || name === "$ge") ? this.#dialect.literal(column.type, Number.NaN) : undefined;
    return nan === undefined ? `(${compared})` : `(${compared} AND ${operand} <> ${nan})`;
  }

  #list({ args: [value, ...items] }: Call): string | undefined {
    const column = this.#column(value);
    const operand = column && this.#operand(column, "equality");
    if (column === undefined || operand === undefined) {
      return undefined;
    }
    const literals = items.map((item) => (item.kind === "constant" ? this.#literal(column, item) : undefined));
    return literals.length > 0 && literals.every((literal) => literal !== undefined)
      ? `(${operand} IN (${literals.join(", ")}))`
      : undefined;
  }

  #like({ args: [value, pattern, escape] }: Call): string | undefined {
    const column = this.#column(value);
    const operand = column && this.#operand(column, "equality");
    if (column?.type.kind !== "varchar" || operand === undefined || pattern?.kind !== "constant" || escape !== undefined) {
      return undefined;
    }
    const literal = this.#literal(column, pattern);
    const suffix = this.#dialect.likeSuffix;
    return literal === undefined || suffix === undefined ? undefined : `(${operand} LIKE ${literal}${suffix})`;
  }

  #operand(column: RemoteColumn, comparison: "equality" | "order"): string | undefined {
    return column.isLoose === true ? this.#dialect.exact?.(column) : this.#dialect.operand(column, comparison);
  }

  /** undefined for NULL, for NaN, and for a constant of another type than the column. */
  #literal(column: RemoteColumn, { type, value }: Extract<ConnectorExpression, { readonly kind: "constant" }>): string | undefined {
    if (value === null || !isComparable(column.type, type)) {
      return undefined;
    }
    const plain = valueOf(type, value);
    return Number.isNaN(plain) ? undefined : this.#dialect.literal(type, plain);
  }
}

/** Whether the values of both types have one form. */
function isComparable(column: Type, constant: Type): boolean {
  if (column.kind !== constant.kind) {
    return false;
  }
  return column.kind === "decimal" && constant.kind === "decimal" ? column.scale === constant.scale : true;
}

function valueOf(type: Type, value: boolean | number | string): DomainValue {
  const physical = physicalType(type);
  if (typeof value !== "string" || physical === "bytes") {
    return value;
  }
  return physical === "f64" || physical === "f32" ? Number(value) : BigInt(value);
}
