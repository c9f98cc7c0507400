/**
 * CREATE CATALOG and DROP CATALOG, with the wording of Trino's CreateCatalogTask and DropCatalogTask.
 */
import { QueryError } from "../../../protocol/errors.ts";
import { type CreateCatalog, type DropCatalog, lowerName, type Property } from "../../../sql/ast/ast.ts";
import { canCoerce } from "../../../functions/registry/coercion.ts";
import { displayType, VARCHAR } from "../../../types/type.ts";
import { analyzeExpression } from "../../analyzer/expression/analyze-expression.ts";
import { coerce } from "../../analyzer/expression/functions.ts";
import { notSupported, semanticError } from "../../analyzer/errors.ts";
import type { PlanContext } from "../../context.ts";
import { startAnalysis } from "../../plan-query.ts";
import type { CatalogDefinition, PlannedDataDefinition } from "../../planned.ts";

export async function planCreateCatalog(statement: CreateCatalog, context: PlanContext): Promise<PlannedDataDefinition> {
  if (statement.comment !== undefined) {
    throw notSupported(statement, "CREATE CATALOG with COMMENT is not yet supported");
  }
  if (statement.owner !== undefined) {
    throw notSupported(statement, "CREATE CATALOG with AUTHORIZATION is not yet supported");
  }
  const properties: Record<string, string> = {};
  for (const property of statement.properties) {
    // A property keeps its case: `"files.directory"` is the name in a catalog's file too.
    const name = property.name.value;
    if (name in properties) {
      throw semanticError("DUPLICATE_PROPERTY", property, `Duplicate property: ${name}`);
    }
    properties[name] = await propertyValue(property, statement, context);
  }
  const [name, connector] = [lowerName(statement.name), statement.connector.value];
  const definition = { action: "CREATE_CATALOG", name, connector, properties, ifNotExists: statement.ifNotExists } as const;
  return { kind: "dataDefinition", updateType: "CREATE CATALOG", definition };
}

/** The value of a constant expression as text. Errors name the property, never its value, which may be a secret. */
async function propertyValue(property: Property, statement: CreateCatalog, context: PlanContext): Promise<string> {
  const refused = (why: string): Error =>
    semanticError("INVALID_CATALOG_PROPERTY", property, `Invalid value for catalog property '${property.name.value}': ${why}`);
  const analysis = await startAnalysis(statement, context);
  const scope = { fields: [], queryBoundary: true };
  const expression = analyzeExpression(property.value, { analysis, scope, queries: { named: new Map() }, clause: "CREATE CATALOG" });
  if (!canCoerce(expression.type, VARCHAR)) {
    throw refused(`Cannot convert ${displayType(expression.type)} to varchar`);
  }
  const value = context.evaluateConstant(coerce(expression, VARCHAR));
  if (value === null) {
    throw refused("the value is null");
  }
  return String(value);
}

export function planDropCatalog(statement: DropCatalog): PlannedDataDefinition {
  if (statement.cascade) {
    throw notSupported(statement, "CASCADE is not yet supported for DROP CATALOG");
  }
  const definition = { action: "DROP_CATALOG", name: lowerName(statement.name), ifExists: statement.ifExists } as const;
  return { kind: "dataDefinition", updateType: "DROP CATALOG", definition };
}

/** Creates and drops catalogs of the cluster. */
export interface CatalogStore {
  has(name: string): boolean;
  /** Throws ALREADY_EXISTS or CONFIGURATION_INVALID. */
  create(catalog: CatalogDefinition): Promise<void>;
  /** Throws CATALOG_NOT_FOUND, or NOT_SUPPORTED for a catalog of the configuration. */
  drop(name: string): Promise<void>;
}

/** `store` is undefined if the catalogs are those of the configuration only. */
export async function createCatalog(
  { name, connector, properties, ifNotExists }: CatalogDefinition & { readonly ifNotExists: boolean },
  store: CatalogStore | undefined,
): Promise<void> {
  const catalogs = requireStore(store, "CREATE CATALOG");
  if (!(ifNotExists && catalogs.has(name))) {
    await catalogs.create({ name, connector, properties });
  }
}

export async function dropCatalog(
  { name, ifExists }: { readonly name: string; readonly ifExists: boolean },
  store: CatalogStore | undefined,
): Promise<void> {
  const catalogs = requireStore(store, "DROP CATALOG");
  if (!ifExists || catalogs.has(name)) {
    await catalogs.drop(name);
  }
}

function requireStore(store: CatalogStore | undefined, statement: string): CatalogStore {
  if (store === undefined) {
    throw new QueryError("NOT_SUPPORTED", `${statement} is not supported by the static catalog store; set catalog.management=dynamic`);
  }
  return store;
}
