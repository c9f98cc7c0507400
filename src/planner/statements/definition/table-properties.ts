/**
 * Properties of tables and columns: those that WITH sets, as the connector of the table declares them.
 */
import type { CastText, ConnectorMetadata, PropertyValue, TableProperty } from "../../../connectors/spi.ts";
import { canCoerce } from "../../../functions/registry/coercion.ts";
import type { ColumnDefinition, Expression, Property, Statement } from "../../../sql/ast/ast.ts";
import { parseSingleExpression } from "../../../sql/parser/parser.ts";
import { BIGINT, displayType, DOUBLE, sqlTypeText, type Type, VARCHAR } from "../../../types/type.ts";
import type { Analysis } from "../../analyzer/analysis.ts";
import { analyzeExpression } from "../../analyzer/expression/analyze-expression.ts";
import { coerce } from "../../analyzer/expression/functions.ts";
import { semanticError } from "../../analyzer/errors.ts";
import type { PlanContext } from "../../context.ts";
import { startAnalysis } from "../../plan-query.ts";

export type PropertyValues = Readonly<Record<string, PropertyValue>>;

interface Target {
  readonly catalog: string;
  readonly metadata: ConnectorMetadata;
}

/** Throws INVALID_TABLE_PROPERTY and DUPLICATE_PROPERTY. */
export async function tablePropertyValues(
  statement: Statement & { readonly properties: readonly Property[] },
  target: Target,
  context: PlanContext,
): Promise<PropertyValues> {
  return propertyValues("table", statement.properties, target, { statement, context });
}

/** Throws INVALID_COLUMN_PROPERTY and DUPLICATE_PROPERTY. */
export async function columnPropertyValues(
  column: ColumnDefinition,
  target: Target,
  asked: { readonly statement: Statement; readonly context: PlanContext },
): Promise<PropertyValues> {
  return propertyValues("column", column.properties, target, asked);
}

async function propertyValues(
  of: "table" | "column",
  properties: readonly Property[],
  { catalog, metadata }: Target,
  { statement, context }: { readonly statement: Statement; readonly context: PlanContext },
): Promise<PropertyValues> {
  const declaredProperties = of === "table" ? metadata.tableProperties : metadata.columnProperties;
  const values = new Map<string, PropertyValue>();
  for (const property of properties) {
    const name = property.name.value.toLowerCase();
    const declared = declaredProperties?.find((candidate) => candidate.name === name);
    if (declared === undefined) {
      const message = `Catalog '${catalog}' does not support ${of} property '${property.name.value}'`;
      throw semanticError(errorNames[of], property, message);
    }
    if (values.has(name)) {
      throw semanticError("DUPLICATE_PROPERTY", property, `Duplicate property: ${name}`);
    }
    values.set(name, await valueOf({ of, declared, property, statement, context }));
  }
  return Object.fromEntries(values);
}

const errorNames = { table: "INVALID_TABLE_PROPERTY", column: "INVALID_COLUMN_PROPERTY" } as const;

/** As CAST converts it. */
export function castTextWith(analysis: Analysis): CastText {
  return (text, type) => {
    const cast = parseSingleExpression(`CAST('${text.replaceAll("'", "''")}' AS ${sqlTypeText(type)})`);
    const scope = { fields: [], queryBoundary: true };
    const { evaluateConstant } = analysis.context;
    return evaluateConstant(analyzeExpression(cast, { analysis, scope, queries: { named: new Map() }, clause: "WITH" }));
  };
}

async function valueOf(request: ValueRequest): Promise<PropertyValue> {
  const { declared, property } = request;
  switch (declared.type) {
    case "varchar":
      return textOf(property.value, request, VARCHAR);
    case "double":
      return Number(await textOf(property.value, request, DOUBLE));
    case "bigint":
      return Number(await textOf(property.value, request, BIGINT));
    case "array(varchar)": {
      if (property.value.kind !== "ArrayConstructor") {
        throw invalid(request, "Cannot convert it to array(varchar)");
      }
      const elements: string[] = [];
      for (const element of property.value.items) {
        elements.push(await textOf(element, request, VARCHAR));
      }
      return elements;
    }
  }
}

interface ValueRequest {
  readonly of: "table" | "column";
  readonly declared: TableProperty;
  readonly property: Property;
  readonly statement: Statement;
  readonly context: PlanContext;
}

/** The value of a constant expression. */
async function textOf(syntax: Expression, request: ValueRequest, type: Type): Promise<string> {
  const { statement, context } = request;
  const analysis = await startAnalysis(statement, context);
  const scope = { fields: [], queryBoundary: true };
  const expression = analyzeExpression(syntax, { analysis, scope, queries: { named: new Map() }, clause: "WITH" });
  if (!canCoerce(expression.type, type)) {
    throw invalid(request, `Cannot convert ${displayType(expression.type)} to ${displayType(type)}`);
  }
  const value = context.evaluateConstant(coerce(expression, type));
  if (value === null) {
    throw invalid(request, "the value is null");
  }
  return String(value);
}

function invalid({ of, declared, property }: ValueRequest, why: string): Error {
  return semanticError(errorNames[of], property, `Invalid value for ${of} property '${declared.name}': ${why}`);
}
