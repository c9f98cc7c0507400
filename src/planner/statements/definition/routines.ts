/**
 * CREATE FUNCTION, DROP FUNCTION, SHOW CREATE FUNCTION, and catalog functions in SHOW FUNCTIONS. Connectors store functions as text.
 */
import type { SchemaFunctionName, StoredFunction } from "../../../connectors/spi.ts";
import { hasSchema } from "../../../connectors/shared/walk.ts";
import type { FunctionListing } from "../../../functions/registry/registry.ts";
import { assert, QueryError } from "../../../protocol/errors.ts";
import {
  type CreateFunction,
  type DropFunction,
  lowerParts,
  type QualifiedName,
  type ShowCreate,
  type ShowFunctions,
} from "../../../sql/ast/ast.ts";
import { parseFunctionSpecification } from "../../../sql/parser/parser.ts";
import { visibilityFor } from "../../../security/visibility.ts";
import { printFunction } from "../../../sql/printer/printer.ts";
import { printName, printPlainName } from "../../../sql/printer/names.ts";
import { displayType } from "../../../types/type.ts";
import { notSupported, semanticError, type Placed } from "../../analyzer/errors.ts";
import { qualifySchema, requireConnector } from "../../analyzer/metadata.ts";
import { requireSoundBody } from "../../analyzer/routine/call.ts";
import { defineRoutine, noInlineFunctions, type Routine, securityOf, signatureToken, typeOf } from "../../analyzer/routine/definition.ts";
import { type FunctionName, pathOf, readFunction } from "../../analyzer/routine/resolve.ts";
import type { PlanContext, PlanSession } from "../../context.ts";
import { startAnalysis } from "../../plan-query.ts";
import type { PlannedDataDefinition, PlannedQuery } from "../../planned.ts";
import { change, nothing, requireSchema, unsupported } from "./data-definition.ts";
import { planRows, varcharColumn } from "../values.ts";

/** An unqualified name belongs to the schema from the configuration, if there is one. */
function qualifyFunction(name: QualifiedName, at: Placed, { functionSchema }: PlanContext): FunctionName {
  const [catalog, schema, function_, ...more] = lowerParts(name);
  if (more.length > 0) {
    throw semanticError("SYNTAX_ERROR", at, `Too many dots in function name: ${printName(name)}`);
  }
  if (schema === undefined || catalog === undefined) {
    if (functionSchema !== undefined && catalog !== undefined) {
      return { ...functionSchema, name: catalog };
    }
    throw notSupported(at, "Catalog and schema must be specified when function schema is not configured");
  }
  if (function_ === undefined) {
    throw notSupported(at, "Function name must be unqualified or fully qualified with catalog and schema");
  }
  return { catalog, schema, name: function_ };
}

async function storedFunctions({ catalog, ...name }: FunctionName, at: Placed, context: PlanContext): Promise<readonly StoredFunction[]> {
  return (await requireConnector(context, catalog, at).metadata.getFunctions?.(name)) ?? [];
}

export async function planCreateFunction(statement: CreateFunction, context: PlanContext): Promise<PlannedDataDefinition> {
  const { replace, specification } = statement;
  const name = qualifyFunction(specification.name, statement, context);
  const { metadata } = requireConnector(context, name.catalog, statement);
  await requireSchema(metadata, name.schema, statement);
  const routine = defineRoutine(specification, { visible: noInlineFunctions() });
  requireSoundBody(routine, await startAnalysis(statement, context));
  if (metadata.createFunction === undefined) {
    throw unsupported(statement, "creating functions");
  }
  const definition = definitionOf(routine, context.session);
  const exists = (await storedFunctions(name, statement, context)).some(({ signature }) => signature === definition.signature);
  if (exists && !replace) {
    throw semanticError("ALREADY_EXISTS", statement, "Function already exists");
  }
  const target: SchemaFunctionName = { schema: name.schema, name: name.name };
  return change("CREATE FUNCTION", name.catalog, (connector) => {
    assert(connector.createFunction !== undefined, "checked in planning");
    return connector.createFunction(target, definition, replace);
  });
}

/** The stored text contains only the last part of the name, because the schema may be renamed. */
function definitionOf({ parameters, specification }: Routine, session: PlanSession): StoredFunction {
  const { name } = specification;
  const path = pathOf(session).map(({ catalog, schema }) => `${printPlainName(catalog)}.${printPlainName(schema)}`);
  return {
    signature: signatureToken(parameters.map(({ type }) => type)),
    sql: printFunction({ ...specification, name: { ...name, parts: name.parts.slice(-1) } }),
    ...(path.length === 0 ? {} : { path: path.join(", ") }),
    ...(securityOf(specification)?.security === "INVOKER" ? {} : { owner: session.user }),
  };
}

export async function planDropFunction(statement: DropFunction, context: PlanContext): Promise<PlannedDataDefinition> {
  const { catalog, ...name } = qualifyFunction(statement.name, statement, context);
  const signature = signatureToken(statement.parameters.map((parameter) => typeOf(parameter.type, parameter)));
  const found = (await storedFunctions({ catalog, ...name }, statement, context)).some((one) => one.signature === signature);
  if (!found) {
    if (statement.ifExists) {
      return nothing("DROP FUNCTION");
    }
    throw semanticError("NOT_FOUND", statement, "Function not found");
  }
  return change("DROP FUNCTION", catalog, (connector) => {
    assert(connector.dropFunction !== undefined, "who has functions drops them");
    return connector.dropFunction(name, signature);
  });
}

export async function planShowCreateFunction(statement: ShowCreate, context: PlanContext): Promise<PlannedQuery> {
  const name = qualifyFunction(statement.name, statement, context);
  const definitions = await storedFunctions(name, statement, context);
  if (definitions.length === 0) {
    throw semanticError("NOT_FOUND", statement, "Function not found");
  }
  const parts = [name.catalog, name.schema, name.name].map(
    (value) => ({ kind: "Identifier", value, delimited: printPlainName(value) !== value, location: statement.location }) as const,
  );
  const texts = definitions.map(({ sql }) => {
    const specification = parseFunctionSpecification(sql);
    return `CREATE ${printFunction({ ...specification, name: { ...specification.name, parts } })}`;
  });
  return planRows(
    [varcharColumn("Create Function")],
    texts.map((text) => [text]),
  );
}

/** Functions of the schema in SHOW FUNCTIONS FROM, or of the schemas in the session's path. */
export async function listedFunctions(statement: ShowFunctions, context: PlanContext): Promise<readonly FunctionListing[]> {
  const places = statement.schema === undefined ? pathOf(context.session) : [await shownSchema(statement.schema, statement, context)];
  const listings: FunctionListing[] = [];
  for (const { catalog, schema } of places) {
    const metadata = context.catalogs.connector(catalog)?.metadata;
    for (const { definition, name } of (await metadata?.listFunctions?.(schema)) ?? []) {
      if (context.access !== undefined && !visibilityFor(context.access, context.session.user).routine({ catalog, schema, name })) {
        continue;
      }
      const routine = readFunction({ catalog, schema, name }, definition);
      if (!(routine instanceof QueryError)) {
        listings.push(listing(routine));
      }
    }
  }
  return listings;
}

async function shownSchema(name: QualifiedName, at: Placed, context: PlanContext): Promise<Omit<FunctionName, "name">> {
  const place = qualifySchema(name, at, context.session);
  const { metadata } = requireConnector(context, place.catalog, at);
  if (!(await hasSchema(metadata, place.schema))) {
    throw semanticError("SCHEMA_NOT_FOUND", at, `Schema '${place.catalog}.${place.schema}' does not exist`);
  }
  return place;
}

function listing({ comment = "", deterministic, name, parameters, returnType }: Routine): FunctionListing {
  return {
    name,
    returnType: displayType(returnType),
    argumentTypes: parameters.map(({ type }) => displayType(type)).join(", "),
    kind: "scalar",
    deterministic,
    description: comment,
  };
}
