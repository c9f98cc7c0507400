/**
 * Column definitions of CREATE TABLE and ALTER TABLE: types, NOT NULL, DEFAULT, and whether the connector supports these.
 */
import type { ColumnCapability, ColumnMetadata, ConnectorMetadata, DefaultValue } from "../../../connectors/spi.ts";
import { type ColumnDefinition, type Expression, type Identifier, lowerName, type TypeSyntax } from "../../../sql/ast/ast.ts";
import { printExpression } from "../../../sql/printer/printer.ts";
import { printType } from "../../../sql/printer/names.ts";
import { displayType, type Type } from "../../../types/type.ts";
import type { Analysis } from "../../analyzer/analysis.ts";
import { notSupported, semanticError, type Placed } from "../../analyzer/errors.ts";
import { analyzeExpression } from "../../analyzer/expression/analyze-expression.ts";
import { resolveType, UnknownTypeError } from "../../analyzer/scope/types.ts";
import type { RowExpression } from "../../plan/typed-expression.ts";
import { constant } from "../../plan/expression-tree.ts";
import { isStorable, storedValue } from "../write/stored-values.ts";

/** Builds a column from its definition and resolves its type. */
export function newColumn(element: ColumnDefinition, analysis: Analysis): ColumnMetadata {
  const { comment, defaultValue, name, nullable } = element;
  const type = columnType(element, element.type, name);
  return {
    name: lowerName(name),
    type,
    ...(comment !== undefined && { comment }),
    ...(!nullable && { nullable }),
    ...(defaultValue !== undefined && { defaultValue: columnDefault(defaultValue, { name: lowerName(name), type }, analysis) }),
  };
}

/** Resolves a type and checks that a column may have it. `at` is the error location. */
export function columnType(at: Placed, syntax: TypeSyntax, column: Identifier): Type {
  const unknown = `Unknown type '${printType(syntax)}' for column '${printExpression(column)}'`;
  let type: Type;
  try {
    type = resolveType(syntax);
  } catch (error) {
    throw error instanceof UnknownTypeError ? semanticError("TYPE_NOT_FOUND", at, unknown) : error;
  }
  if (type.kind === "unknown") {
    throw semanticError("COLUMN_TYPE_UNKNOWN", at, unknown);
  }
  return type;
}

/** Converts a DEFAULT literal to the column's type, with the checks of INSERT. */
export function columnDefault(
  literal: Expression,
  { name, type }: Pick<ColumnMetadata, "name" | "type">,
  analysis: Analysis,
): DefaultValue {
  const scope = { fields: [], queryBoundary: true };
  const value = analyzeExpression(literal, { analysis, scope, queries: { named: new Map() }, clause: "DEFAULT" });
  if (!isStorable(value.type, type)) {
    const found = `Default value of column '${name}' must be of type ${displayType(type)} (actual: ${displayType(value.type)})`;
    throw semanticError("TYPE_MISMATCH", literal, found);
  }
  return { sql: printExpression(literal), value: analysis.context.evaluateConstant(storedValue(value, type, literal)) };
}

/** Value of a column that a write does not mention: its default, or NULL. */
export function absentValue({ defaultValue, type }: ColumnMetadata): RowExpression {
  return constant(type, defaultValue?.value ?? null);
}

export function keeps({ capabilities = [] }: ConnectorMetadata, capability: ColumnCapability): boolean {
  return capabilities.includes(capability);
}

/**
 * Rejects column attributes that the connector cannot store, so that they are not lost silently. `written` is the column name as written in
 * the statement.
 */
export function requireKept(
  column: ColumnMetadata,
  written: string,
  at: Placed,
  { catalog, metadata }: { readonly catalog: string; readonly metadata: ConnectorMetadata },
): void {
  if (column.nullable === false && !keeps(metadata, "NOT_NULL_COLUMN_CONSTRAINT")) {
    throw notSupported(at, `Catalog '${catalog}' does not support non-null column for column name '${written}'`);
  }
  if (column.defaultValue !== undefined && !keeps(metadata, "DEFAULT_COLUMN_VALUE")) {
    throw notSupported(at, `Catalog '${catalog}' does not support default value for column name '${written}'`);
  }
}
