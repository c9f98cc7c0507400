/**
 * Table properties: those that WITH sets, as the connector of the table declares them.
 */
import type { ConnectorMetadata, PropertyValue, TableProperty } from "../../../connectors/spi.ts";
import { canCoerce } from "../../../functions/registry/coercion.ts";
import type { Expression, Property, Statement } from "../../../sql/ast/ast.ts";
import { displayType, VARCHAR } from "../../../types/type.ts";
import { analyzeExpression } from "../../analyzer/expression/analyze-expression.ts";
import { coerce } from "../../analyzer/expression/functions.ts";
import { type Placed, semanticError } from "../../analyzer/errors.ts";
import type { PlanContext } from "../../context.ts";
import { startAnalysis } from "../../plan-query.ts";

export type PropertyValues = Readonly<Record<string, PropertyValue>>;

/** Throws INVALID_TABLE_PROPERTY and DUPLICATE_PROPERTY. */
export async function tablePropertyValues(
  statement: Statement & { readonly properties: readonly Property[] },
  { catalog, metadata }: { readonly catalog: string; readonly metadata: ConnectorMetadata },
  context: PlanContext,
): Promise<PropertyValues> {
  const values = new Map<string, PropertyValue>();
  for (const property of statement.properties) {
    const name = property.name.value.toLowerCase();
    const declared = metadata.tableProperties?.find((candidate) => candidate.name === name);
    if (declared === undefined) {
      const message = `Catalog '${catalog}' does not support table property '${property.name.value}'`;
      throw semanticError("INVALID_TABLE_PROPERTY", property, message);
    }
    if (values.has(name)) {
      throw semanticError("DUPLICATE_PROPERTY", property, `Duplicate property: ${name}`);
    }
    values.set(name, await valueOf(declared, property, statement, context));
  }
  return Object.fromEntries(values);
}

async function valueOf(declared: TableProperty, property: Property, statement: Statement, context: PlanContext): Promise<PropertyValue> {
  const text = (expression: Expression): Promise<string> => textOf(expression, { declared, property, statement, context });
  if (declared.type === "varchar") {
    return text(property.value);
  }
  if (property.value.kind !== "ArrayConstructor") {
    throw invalid(declared, property, "Cannot convert it to array(varchar)");
  }
  const elements: string[] = [];
  for (const element of property.value.items) {
    elements.push(await text(element));
  }
  return elements;
}

interface TextRequest {
  readonly declared: TableProperty;
  readonly property: Property;
  readonly statement: Statement;
  readonly context: PlanContext;
}

/** The value of a constant expression. */
async function textOf(syntax: Expression, { declared, property, statement, context }: TextRequest): Promise<string> {
  const analysis = await startAnalysis(statement, context);
  const scope = { fields: [], queryBoundary: true };
  const expression = analyzeExpression(syntax, { analysis, scope, queries: { named: new Map() }, clause: "WITH" });
  if (!canCoerce(expression.type, VARCHAR)) {
    throw invalid(declared, property, `Cannot convert ${displayType(expression.type)} to varchar`);
  }
  const value = context.evaluateConstant(coerce(expression, VARCHAR));
  if (value === null) {
    throw invalid(declared, property, "the value is null");
  }
  return String(value);
}

function invalid({ name }: TableProperty, at: Placed, why: string): Error {
  return semanticError("INVALID_TABLE_PROPERTY", at, `Invalid value for table property '${name}': ${why}`);
}
