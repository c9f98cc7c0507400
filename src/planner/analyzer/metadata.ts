/**
 * Tables, views and functions that a statement names, as `load-tables.ts` loaded them. Lookup errors are stored with the name and raised
 * only if the analyzer resolves that name, because the name may turn out to be a WITH query.
 */
import { pathSchema } from "../../connectors/spi.ts";
import type { Connector, SchemaTableName, TableMetadata, TableStatistics, ViewDefinition } from "../../connectors/spi.ts";
import type { SourceAnalysis } from "../../connectors/table-function.ts";
import { assert, QueryError } from "../../protocol/errors.ts";
import { lowerParts, type QualifiedName, type Query } from "../../sql/ast/ast.ts";
import type { PlanContext, PlanSession } from "../context.ts";
import type { TableReference } from "../plan/node.ts";
import type { TableFacts } from "../optimizer/stats/stats-calculator.ts";
import { semanticError, type Placed } from "./errors.ts";
import type { Routine } from "./routine/definition.ts";
import { type FunctionLookups, functionKey, functionNames } from "./routine/resolve.ts";

export interface ResolvedTable {
  readonly catalog: string;
  readonly metadata: TableMetadata;
  readonly statistics: TableStatistics;
}

export interface QualifiedTable {
  readonly catalog: string;
  readonly schema: string;
  readonly table: string;
}

/** A view with its parsed query; `query` is undefined if the stored text no longer parses as a query. */
export interface ResolvedView {
  readonly catalog: string;
  readonly name: SchemaTableName;
  readonly view: ViewDefinition;
  readonly query: Query | QueryError;
}

/** The object that a name resolves to. */
export type Lookup =
  | ResolvedTable
  | ResolvedView
  | { readonly missing: "CATALOG" | "SCHEMA" | "TABLE" | "PATHS" }
  | { readonly failure: QueryError };

export const noStatistics: TableStatistics = Object.freeze({ columns: Object.freeze({}) });

/**
 * Resolves a name of one to three parts to catalog, schema and table. Errors have the location of `at`: a relation in a query, or the whole
 * statement.
 */
export function qualifyTable(name: QualifiedName, session: PlanSession, at: Placed = name): QualifiedTable {
  if (name.isPath === true) {
    return qualifyPath(name, session, at);
  }
  const parts = [...lowerParts(name)];
  if (parts.length > 3) {
    throw semanticError("SYNTAX_ERROR", at, `Too many dots in table name: ${parts.join(".")}`);
  }
  const table = parts.pop() ?? "";
  const schema = parts.pop() ?? session.schema;
  const catalog = parts.pop() ?? session.catalog;
  if (catalog === undefined) {
    throw missingCatalog(at);
  }
  if (schema === undefined) {
    throw missingSchema(at);
  }
  return { catalog, schema, table };
}

/** A path keeps its case. It belongs to the catalog of the session. */
function qualifyPath({ parts: [part] }: QualifiedName, { catalog }: PlanSession, at: Placed): QualifiedTable {
  if (catalog === undefined) {
    throw missingCatalog(at);
  }
  return { catalog, schema: pathSchema, table: part?.value ?? "" };
}

/** Resolves a name of one or two parts to catalog and schema; without a name, those of the session. */
export function qualifySchema(name: QualifiedName | undefined, at: Placed, session: PlanSession): { catalog: string; schema: string } {
  const parts = name === undefined ? [] : [...lowerParts(name)];
  if (parts.length > 2) {
    throw semanticError("INVALID_SCHEMA_PROPERTY", at, `Too many parts in schema name: ${parts.join(".")}`);
  }
  const schema = parts.pop() ?? session.schema;
  const catalog = parts.pop() ?? session.catalog;
  if (catalog === undefined) {
    throw missingCatalog(at);
  }
  if (schema === undefined) {
    throw missingSchema(at);
  }
  return { catalog, schema };
}

export function missingCatalog(at: Placed): QueryError {
  return semanticError("MISSING_CATALOG_NAME", at, "Catalog must be specified when session catalog is not set");
}

function missingSchema(at: Placed): QueryError {
  return semanticError("MISSING_SCHEMA_NAME", at, "Schema must be specified when session schema is not set");
}

/** Error for a statement on tables that names a view. */
export function viewIsNoTable(
  error: "GENERIC_USER_ERROR" | "TABLE_NOT_FOUND",
  at: Placed,
  { catalog, name }: ResolvedView,
  meant?: (name: string) => string,
): QueryError {
  const text = `${catalog}.${name.schema}.${name.table}`;
  const hint = meant === undefined ? "" : ` Did you mean ${meant(text)}?`;
  return semanticError(error, at, `Table '${text}' does not exist, but a view with that name exists.${hint}`);
}

/** Error for a statement on views that names a table. */
export function tableIsNoView(
  error: "GENERIC_USER_ERROR" | "TABLE_NOT_FOUND",
  at: Placed,
  { catalog, schema, table }: QualifiedTable,
  meant: (name: string) => string,
): QueryError {
  const text = `${catalog}.${schema}.${table}`;
  return semanticError(error, at, `View '${text}' does not exist, but a table with that name exists. Did you mean ${meant(text)}?`);
}

export function viewNotFound(at: Placed, { catalog, schema, table }: QualifiedTable): QueryError {
  return semanticError("TABLE_NOT_FOUND", at, `View '${catalog}.${schema}.${table}' does not exist`);
}

export function requireConnector(context: PlanContext, catalog: string, at: Placed): Connector {
  const connector = context.catalogs.connector(catalog);
  if (connector === undefined) {
    throw semanticError("CATALOG_NOT_FOUND", at, `Catalog '${catalog}' does not exist`);
  }
  return connector;
}

export class Tables {
  readonly #session: PlanSession;
  readonly #lookups: ReadonlyMap<string, Lookup>;
  readonly #sources: ReadonlyMap<string, SourceAnalysis | QueryError>;
  readonly #functions: FunctionLookups;

  constructor(
    session: PlanSession,
    lookups: ReadonlyMap<string, Lookup>,
    sources: ReadonlyMap<string, SourceAnalysis | QueryError>,
    functions: FunctionLookups,
  ) {
    this.#session = session;
    this.#lookups = lookups;
    this.#sources = sources;
    this.#functions = functions;
  }

  /** Returns the analysis of a connector's table function call. */
  source(key: string): SourceAnalysis | QueryError {
    const found = this.#sources.get(key);
    assert(found !== undefined, "the arguments of a table function are the same every time");
    return found;
  }

  /** Returns the same tables with names relative to another catalog and schema. */
  within(session: PlanSession): Tables {
    return new Tables(session, this.#lookups, this.#sources, this.#functions);
  }

  /** Catalog functions that a call may resolve to. An error represents a stored function that cannot be read. */
  findFunctions(name: QualifiedName): readonly (Routine | QueryError)[] {
    return this.#functions.size === 0
      ? []
      : functionNames(name, this.#session).flatMap((one) => this.#functions.get(functionKey(one)) ?? []);
  }

  /** Resolves a table; a view is an error. */
  resolve(name: QualifiedName, at: Placed = name): ResolvedTable {
    const relation = this.resolveRelation(name, at);
    if ("metadata" in relation) {
      return relation;
    }
    const { catalog, schema, table } = qualifyTable(name, this.#session, at);
    throw semanticError("TABLE_NOT_FOUND", at, `Table '${catalog}.${schema}.${table}' does not exist`);
  }

  findView(name: QualifiedName, at: Placed = name): ResolvedView | undefined {
    const lookup = this.#lookups.get(tableKey(qualifyTable(name, this.#session, at)));
    return lookup !== undefined && "view" in lookup ? lookup : undefined;
  }

  /** `version`: text of AskedVersion. */
  resolveRelation(name: QualifiedName, at: Placed = name, version?: string): ResolvedTable | ResolvedView {
    const qualified = qualifyTable(name, this.#session, at);
    const lookup = this.#lookups.get(tableKey(qualified, version));
    const { catalog, schema, table } = qualified;
    if (lookup !== undefined && "failure" in lookup) {
      throw lookup.failure;
    }
    if (lookup !== undefined && !("missing" in lookup)) {
      return lookup;
    }
    switch (lookup?.missing) {
      case "CATALOG":
        throw semanticError("CATALOG_NOT_FOUND", at, `Catalog '${catalog}' does not exist`);
      case "PATHS":
        throw semanticError("NOT_SUPPORTED", at, `Catalog '${catalog}' has no files: a path cannot be a table`);
      case "SCHEMA":
        throw semanticError("SCHEMA_NOT_FOUND", at, `Schema '${schema}' does not exist`);
      default:
        throw semanticError(
          "TABLE_NOT_FOUND",
          at,
          name.isPath === true ? `Catalog '${catalog}' has no file '${table}'` : `Table '${catalog}.${schema}.${table}' does not exist`,
        );
    }
  }

  find(name: QualifiedName, at: Placed = name): ResolvedTable | undefined {
    const lookup = this.#lookups.get(tableKey(qualifyTable(name, this.#session, at)));
    return lookup !== undefined && "metadata" in lookup ? lookup : undefined;
  }

  statisticsOf(table: TableReference): TableFacts {
    if (table.call !== undefined) {
      return this.#factsOfCall(table);
    }
    const lookup = this.#lookups.get(tableKey({ catalog: table.catalog, ...table.name }, table.version));
    if (lookup === undefined || !("metadata" in lookup)) {
      return noStatistics;
    }
    const { uniqueKeys } = lookup.metadata;
    return uniqueKeys === undefined ? lookup.statistics : { ...lookup.statistics, uniqueKeys };
  }

  #factsOfCall({ handle }: TableReference): TableFacts {
    const text = JSON.stringify(handle);
    for (const source of this.#sources.values()) {
      if (source instanceof QueryError || JSON.stringify(source.table.handle) !== text) {
        continue;
      }
      const { uniqueKeys } = source.table;
      return { ...(source.statistics ?? noStatistics), ...(uniqueKeys === undefined ? {} : { uniqueKeys }) };
    }
    return noStatistics;
  }
}

/** Session in which a view's query is planned. With SECURITY DEFINER the rights are the owner's; current_user stays, as in Trino. */
export function viewSession(view: ViewDefinition, session: PlanSession): PlanSession {
  const { catalog: _catalog, schema: _schema, ...rest } = session;
  return {
    ...rest,
    ...(view.security === "DEFINER" && { owner: view.owner, ownerOf: "view" }),
    ...(view.catalog !== undefined && { catalog: view.catalog }),
    ...(view.schema !== undefined && { schema: view.schema }),
  };
}

/** In COMMENT ON COLUMN, the last part of the name is the column. */
export function commentedTable(name: QualifiedName, isColumn: boolean): QualifiedName | undefined {
  if (!isColumn) {
    return name;
  }
  return name.parts.length < 2 ? undefined : { ...name, parts: name.parts.slice(0, -1) };
}

/** `version`: text of AskedVersion. */
export function tableKey(table: QualifiedTable, version?: string): string {
  return JSON.stringify([table.catalog, table.schema, table.table, version]);
}
