/**
 * The tables a statement names, fetched before it is analysed, so that analysis itself waits for nothing. What is wrong with a name is an
 * answer like any other: it becomes an error only where the analyser meets the name (a WITH query may carry the same one).
 */
import type { Connector, SchemaTableName, TableMetadata, TableStatistics, ViewDefinition } from "../../connectors/spi.ts";
import type { SourceAnalysis } from "../../connectors/table-function.ts";
import { hasSchema } from "../../connectors/shared/walk.ts";
import { assert, QueryError } from "../../protocol/errors.ts";
import {
  type FunctionSpecification,
  lowerParts,
  type QualifiedName,
  type Query,
  type TableFunctionCall,
  type With,
} from "../../sql/ast/ast.ts";
import { parseStatement } from "../../sql/parser/parser.ts";
import { visitSyntax } from "../../sql/ast/walk.ts";
import type { PlanContext, PlanSession } from "../context.ts";
import { PlanIds } from "../plan/ids.ts";
import type { TableReference } from "../plan/node.ts";
import type { TableFacts } from "../optimizer/stats/stats-calculator.ts";
import type { Analysis } from "./analysis.ts";
import { semanticError, type Placed } from "./errors.ts";
import { withFunctions } from "./routine/call.ts";
import type { Routine } from "./routine/definition.ts";
import { calledFunctions, type FunctionLookups, functionKey, functionNames, lookUpFunctions, routineSession } from "./routine/resolve.ts";
import { loadSource, type SourceLookups } from "./table-function/resolve.ts";

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

/** A view and what it stands for; `query` is undefined when its text is no query any more. */
export interface ResolvedView {
  readonly catalog: string;
  readonly name: SchemaTableName;
  readonly view: ViewDefinition;
  readonly query: Query | QueryError;
}

type Lookup = ResolvedTable | ResolvedView | { readonly missing: "CATALOG" | "SCHEMA" | "TABLE" } | { readonly failure: QueryError };

const noStatistics: TableStatistics = Object.freeze({ columns: Object.freeze({}) });

/** Catalog, schema and table of a name of one to three parts. What is wrong with it is said of `at`: a relation in a query, or the whole statement. */
export function qualifyTable(name: QualifiedName, session: PlanSession, at: Placed = name): QualifiedTable {
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

/** Catalog and schema of a name of one or two parts; without a name those of the session. */
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

/** Where a statement about tables names a view. */
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

/** The other way round. */
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
  private constructor(
    private readonly session: PlanSession,
    private readonly lookups: ReadonlyMap<string, Lookup>,
    private readonly sources: SourceLookups,
    private readonly functions: FunctionLookups,
  ) {}

  /** Fetches every table named below `root`, and what table functions say of their arguments, each once. */
  static async load(root: object, context: PlanContext): Promise<Tables> {
    const lookups = new Map<string, Lookup>();
    const sources = new Map<string, SourceAnalysis | QueryError>();
    const functions: FunctionLookups = new Map();
    const found = { lookups, sources, functions, tables: new Tables(context.session, lookups, sources, functions) };
    await loadNames(root, context.session, context, found);
    return found.tables;
  }

  /** What a table function of splits said of its arguments. */
  source(key: string): SourceAnalysis | QueryError {
    const found = this.sources.get(key);
    assert(found !== undefined, "the arguments of a table function are the same every time");
    return found;
  }

  /** The same tables, their names relative to another catalog and schema. */
  within(session: PlanSession): Tables {
    return new Tables(session, this.lookups, this.sources, this.functions);
  }

  /** Functions of catalogs that a call can mean; an error stands for one that cannot be read. */
  findFunctions(name: QualifiedName): readonly (Routine | QueryError)[] {
    return this.functions.size === 0 ? [] : functionNames(name, this.session).flatMap((one) => this.functions.get(functionKey(one)) ?? []);
  }

  /** A view is no table here. */
  resolve(name: QualifiedName, at: Placed = name): ResolvedTable {
    const relation = this.resolveRelation(name, at);
    if ("metadata" in relation) {
      return relation;
    }
    const { catalog, schema, table } = qualifyTable(name, this.session, at);
    throw semanticError("TABLE_NOT_FOUND", at, `Table '${catalog}.${schema}.${table}' does not exist`);
  }

  findView(name: QualifiedName, at: Placed = name): ResolvedView | undefined {
    const lookup = this.lookups.get(tableKey(qualifyTable(name, this.session, at)));
    return lookup !== undefined && "view" in lookup ? lookup : undefined;
  }

  resolveRelation(name: QualifiedName, at: Placed = name): ResolvedTable | ResolvedView {
    const qualified = qualifyTable(name, this.session, at);
    const lookup = this.lookups.get(tableKey(qualified));
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
      case "SCHEMA":
        throw semanticError("SCHEMA_NOT_FOUND", at, `Schema '${schema}' does not exist`);
      default:
        throw semanticError("TABLE_NOT_FOUND", at, `Table '${catalog}.${schema}.${table}' does not exist`);
    }
  }

  find(name: QualifiedName, at: Placed = name): ResolvedTable | undefined {
    const lookup = this.lookups.get(tableKey(qualifyTable(name, this.session, at)));
    return lookup !== undefined && "metadata" in lookup ? lookup : undefined;
  }

  statisticsOf(table: TableReference): TableFacts {
    if (table.call !== undefined) {
      return this.factsOfCall(table);
    }
    const lookup = this.lookups.get(tableKey({ catalog: table.catalog, ...table.name }));
    if (lookup === undefined || !("metadata" in lookup)) {
      return noStatistics;
    }
    const { uniqueKeys } = lookup.metadata;
    return uniqueKeys === undefined ? lookup.statistics : { ...lookup.statistics, uniqueKeys };
  }

  private factsOfCall({ handle }: TableReference): TableFacts {
    const text = JSON.stringify(handle);
    for (const source of this.sources.values()) {
      if (source instanceof QueryError || JSON.stringify(source.table.handle) !== text) {
        continue;
      }
      const { uniqueKeys } = source.table;
      return { ...(source.statistics ?? noStatistics), ...(uniqueKeys === undefined ? {} : { uniqueKeys }) };
    }
    return noStatistics;
  }
}

interface Found {
  readonly lookups: Map<string, Lookup>;
  readonly sources: Map<string, SourceAnalysis | QueryError>;
  readonly functions: FunctionLookups;
  readonly tables: Tables;
}

/** The functions of catalogs that are called below `root`, and those that their bodies call. */
async function loadFunctions(root: object, session: PlanSession, context: PlanContext, functions: FunctionLookups): Promise<void> {
  for (const name of calledFunctions(root).flatMap((called) => functionNames(called, session))) {
    const key = functionKey(name);
    if (functions.has(key)) {
      continue;
    }
    const routines = await lookUpFunctions(name, context);
    if (routines.length === 0) {
      continue;
    }
    functions.set(key, routines);
    for (const routine of routines) {
      if (!(routine instanceof QueryError)) {
        await loadFunctions(routine.specification, routineSession(routine, session), context, functions);
      }
    }
  }
}

/** The functions that WITH FUNCTION declares below `root`: a statement has one such clause. What is wrong with them the analysis of the query says. */
function withDeclaredFunctions(root: object, analysis: Analysis): Analysis {
  const functions: FunctionSpecification[] = [];
  visitSyntax(root, (node) => {
    if (node["kind"] === "FunctionSpecification") {
      functions.push(node as unknown as FunctionSpecification);
    }
  });
  try {
    return functions.length === 0 ? analysis : withFunctions(functions, analysis);
  } catch (error) {
    if (error instanceof QueryError) {
      return analysis;
    }
    throw error;
  }
}

async function loadNames(root: object, session: PlanSession, context: PlanContext, found: Found): Promise<void> {
  const { lookups, sources } = found;
  await loadFunctions(root, session, context, found.functions);
  for (const call of tableFunctionCalls(root)) {
    const own = { outerColumns: [], checkedWith: new Set<With>() };
    const analysis = { ids: new PlanIds(), context: { ...context, session }, tables: found.tables.within(session), ...own };
    await loadSource(call, withDeclaredFunctions(root, analysis), sources);
  }
  for (const name of tableNames(root)) {
    let qualified: QualifiedTable;
    try {
      qualified = qualifyTable(name, session);
    } catch (error) {
      if (!(error instanceof QueryError)) {
        throw error;
      }
      // The analyser meets the same name again and says where it stands.
      continue;
    }
    const key = tableKey(qualified);
    if (lookups.has(key)) {
      continue;
    }
    const lookup = await lookUp(qualified, context);
    lookups.set(key, lookup);
    if ("view" in lookup && !(lookup.query instanceof QueryError)) {
      await loadNames(lookup.query, viewSession(lookup.view, session), context, found);
    }
  }
}

/** What a view's query is planned in. */
export function viewSession(view: ViewDefinition, session: PlanSession): PlanSession {
  const { catalog: _catalog, schema: _schema, ...rest } = session;
  return {
    ...rest,
    user: view.security === "DEFINER" ? view.owner : session.user,
    ...(view.catalog !== undefined && { catalog: view.catalog }),
    ...(view.schema !== undefined && { schema: view.schema }),
  };
}

function parseView(view: ViewDefinition): Query | QueryError {
  try {
    const statement = parseStatement(view.sql);
    return statement.kind === "Query" ? statement : new QueryError("INVALID_VIEW", "it is no query");
  } catch (error) {
    if (error instanceof QueryError) {
      return error;
    }
    throw error;
  }
}

async function lookUp(table: QualifiedTable, context: PlanContext): Promise<Lookup> {
  const connector = context.catalogs.connector(table.catalog);
  if (connector === undefined) {
    return { missing: "CATALOG" };
  }
  try {
    const name: SchemaTableName = { schema: table.schema, table: table.table };
    const metadata = await connector.metadata.getTable(name);
    if (metadata === undefined) {
      const view = await connector.metadata.getView?.(name);
      if (view !== undefined) {
        return { catalog: table.catalog, name, view, query: parseView(view) };
      }
      return { missing: (await hasSchema(connector.metadata, table.schema)) ? "TABLE" : "SCHEMA" };
    }
    const statistics = (await connector.metadata.getStatistics?.(metadata)) ?? noStatistics;
    return { catalog: table.catalog, metadata, statistics };
  } catch (error) {
    if (error instanceof QueryError) {
      return { failure: error };
    }
    throw error;
  }
}

function tableFunctionCalls(root: object): readonly TableFunctionCall[] {
  const calls: TableFunctionCall[] = [];
  visitSyntax(root, (node) => {
    if (node["kind"] === "TableFunctionCall") {
      calls.push(node as unknown as TableFunctionCall);
    }
  });
  return calls;
}

/** Names of tables anywhere in a syntax tree: relations, TABLE t, and targets of writes. */
function tableNames(root: object): readonly QualifiedName[] {
  const names: QualifiedName[] = [];
  visitSyntax(root, (node) => {
    const name = namedTable(node);
    if (name !== undefined) {
      names.push(name);
    }
  });
  return names;
}

const kindsWithName: ReadonlySet<unknown> = new Set([
  "Table",
  "TableQuery",
  "CreateTable",
  "CreateTableAsSelect",
  "DropTable",
  "ShowCreate",
  "CreateView",
  "DropView",
  "DropMaterializedView",
  "RenameTable",
  "RenameView",
  "RenameMaterializedView",
  "TruncateTable",
]);
const kindsWithTable: ReadonlySet<unknown> = new Set([
  "Insert",
  "ShowColumns",
  "ShowStats",
  "LikeClause",
  "Analyze",
  "Delete",
  "Update",
  "ShowGrants",
  "RenameColumn",
  "AddColumn",
  "DropColumn",
  "SetColumnType",
  "SetColumnDefault",
  "SetColumnNullable",
  "SetTableProperties",
  "TableExecute",
  "Merge",
]);

function namedTable(node: Readonly<Record<string, unknown>>): QualifiedName | undefined {
  if (node["kind"] === "Comment") {
    return commentedTable(node["name"] as QualifiedName, node["object"] === "COLUMN");
  }
  if (node["kind"] === "Grant" || node["kind"] === "SetAuthorization") {
    return node["object"] === "SCHEMA" ? undefined : (node["name"] as QualifiedName);
  }
  if (kindsWithName.has(node["kind"])) {
    return node["name"] as QualifiedName;
  }
  if (kindsWithTable.has(node["kind"])) {
    return node["table"] as QualifiedName | undefined;
  }
  return undefined;
}

/** COMMENT ON COLUMN names the column behind its table. */
export function commentedTable(name: QualifiedName, isColumn: boolean): QualifiedName | undefined {
  if (!isColumn) {
    return name;
  }
  return name.parts.length < 2 ? undefined : { ...name, parts: name.parts.slice(0, -1) };
}

function tableKey(table: QualifiedTable): string {
  return JSON.stringify([table.catalog, table.schema, table.table]);
}
