/**
 * Loads the objects that a statement names before its analysis, so that analysis itself is synchronous: tables, views and the objects of
 * their queries, functions of catalogs, and the analysis of table functions whose rows come from splits.
 */
import type { ConnectorMetadata, SchemaTableName, TableVersion, ViewDefinition } from "../../connectors/spi.ts";
import type { SourceAnalysis } from "../../connectors/table-function.ts";
import { hasSchema } from "../../connectors/shared/walk.ts";
import { QueryError } from "../../protocol/errors.ts";
import type { FunctionCall, FunctionSpecification, QualifiedName, Query, QueryPeriod, TableFunctionCall, With } from "../../sql/ast/ast.ts";
import { lowerParts } from "../../sql/ast/ast.ts";
import { parseSingleExpression, parseStatement } from "../../sql/parser/parser.ts";
import { visitSyntax } from "../../sql/ast/walk.ts";
import type { PlanContext, PlanSession } from "../context.ts";
import { readerOf, securedSession } from "../access/reader.ts";
import { PlanIds } from "../plan/ids.ts";
import type { Analysis, Analyzers } from "./analysis.ts";
import { commentedTable, type Lookup, noStatistics, type QualifiedTable, qualifyTable, tableKey, Tables, viewSession } from "./metadata.ts";
import { type AskedVersion, askedVersion } from "./relation/table-version.ts";
import { withFunctions } from "./routine/call.ts";
import { calledFunctions, type FunctionLookups, functionKey, functionNames, lookUpFunctions, routineSession } from "./routine/resolve.ts";
import { loadSource } from "./table-function/resolve.ts";

/** Loads every table named below `root` and the analysis of every table function call, each once. */
export async function loadTables(root: object, context: PlanContext, analyzers: Analyzers): Promise<Tables> {
  const lookups = new Map<string, Lookup>();
  const sources = new Map<string, SourceAnalysis | QueryError>();
  const functions: FunctionLookups = new Map();
  const tables = new Tables(context.session, lookups, sources, functions);
  await loadNames(root, context.session, context, { lookups, sources, functions, tables, analyzers, secured: new Set() });
  return tables;
}

interface Found {
  readonly lookups: Map<string, Lookup>;
  readonly sources: Map<string, SourceAnalysis | QueryError>;
  readonly functions: FunctionLookups;
  readonly tables: Tables;
  readonly analyzers: Analyzers;
  /** Readers and tables whose row filters and masks have been loaded. */
  readonly secured: Set<string>;
}

/** Loads the functions of catalogs among those that are called, and functions that their bodies call. */
async function loadFunctions(
  called: readonly QualifiedName[],
  session: PlanSession,
  context: PlanContext,
  functions: FunctionLookups,
): Promise<void> {
  for (const name of called.flatMap((one) => functionNames(one, session))) {
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
        await loadFunctions(calledFunctions(routine.specification), routineSession(routine, session), context, functions);
      }
    }
  }
}

/**
 * Declares the functions of WITH FUNCTION below `root`; a statement has at most one such clause. Errors in the functions are reported by
 * the analysis of the query.
 */
function withDeclaredFunctions(root: object, analysis: Analysis): Analysis {
  const functions = nodesOf<FunctionSpecification>(root, "FunctionSpecification");
  const declared = unlessQueryError(() => (functions.length === 0 ? analysis : withFunctions(functions, analysis)));
  return declared instanceof QueryError ? analysis : declared;
}

async function loadNames(root: object, session: PlanSession, context: PlanContext, found: Found): Promise<void> {
  const { lookups, sources } = found;
  const { calls, functions, named } = namesIn(root);
  await context.turn?.();
  await loadFunctions(functions, session, context, found.functions);
  const constantsAnalysis = (): Analysis => {
    const own = { ids: new PlanIds(), outerColumns: [], checkedWith: new Set<With>(), pace: { elements: 0 } };
    const analysis = { analyzers: found.analyzers, context: { ...context, session }, tables: found.tables.within(session), ...own };
    return withDeclaredFunctions(root, analysis);
  };
  if (calls.length > 0) {
    await context.onTables?.(undefined);
  }
  for (const call of calls) {
    await loadSource(call, constantsAnalysis(), sources);
  }
  const asked = new Map<string, Asked>();
  for (const { name, period } of named) {
    const one = unlessQueryError(() => askedOf(name, session, period && askedVersion(period, constantsAnalysis())));
    // Ignored here: the analyzer resolves the same name again and reports the error with its location.
    if (!(one instanceof QueryError) && !lookups.has(one.key)) {
      asked.set(one.key, asked.get(one.key) ?? one);
    }
  }
  if (asked.size > 0) {
    const tables = [...asked.values()].map(({ table: { catalog, ...name }, version }) => ({
      catalog,
      name,
      isVersioned: version !== undefined,
    }));
    await context.onTables?.(tables);
  }
  for (const [key, one] of asked) {
    // A view before it may have asked for the same table.
    if (lookups.has(key)) {
      continue;
    }
    const lookup = await lookUp(one, context);
    lookups.set(key, lookup);
    if ("view" in lookup && !(lookup.query instanceof QueryError)) {
      await loadNames(lookup.query, viewSession(lookup.view, session), context, found);
    }
  }
  for (const { name } of context.access === undefined ? [] : named) {
    await loadSecured(name, session, context, found);
  }
}

/** Tables in subqueries of row filters and masks. */
async function loadSecured(name: QualifiedName, session: PlanSession, context: PlanContext, found: Found): Promise<void> {
  if (context.access === undefined || name.parts.length > 3) {
    return;
  }
  const [table, schema = session.schema, catalog = session.catalog] = lowerParts(name).toReversed();
  if (table === undefined || schema === undefined || catalog === undefined) {
    return;
  }
  const key = JSON.stringify([readerOf(session), catalog, schema, table]);
  if (found.secured.has(key)) {
    return;
  }
  found.secured.add(key);
  const rights = context.access.tableRights(readerOf(session), { catalog, schema, table });
  for (const expression of [...(rights.filter === undefined ? [] : [rights.filter]), ...rights.masks.values()]) {
    try {
      await loadNames(parseSingleExpression(expression.sql), securedSession(expression, { catalog, schema }, session), context, found);
    } catch (error) {
      // The analyzer parses it again and reports the error.
      if (!(error instanceof QueryError)) {
        throw error;
      }
    }
  }
}

function parseView(view: ViewDefinition): Query | QueryError {
  return unlessQueryError(() => {
    const statement = parseStatement(view.sql);
    return statement.kind === "Query" ? statement : new QueryError("INVALID_VIEW", "it is no query");
  });
}

interface Asked {
  readonly key: string;
  readonly table: QualifiedTable;
  readonly isPath: boolean;
  readonly version: TableVersion | undefined;
}

function askedOf(name: QualifiedName, session: PlanSession, version: AskedVersion | undefined): Asked {
  const table = qualifyTable(name, session);
  return { key: tableKey(table, version?.text), table, isPath: name.isPath === true, version: version?.version };
}

async function lookUp({ table, isPath, version }: Asked, context: PlanContext): Promise<Lookup> {
  const connector = context.catalogs.connector(table.catalog);
  if (connector === undefined) {
    return { missing: "CATALOG" };
  }
  if (isPath && connector.metadata.hasPaths !== true) {
    return { missing: "PATHS" };
  }
  try {
    const name: SchemaTableName = { schema: table.schema, table: table.table };
    const metadata =
      version === undefined || connector.metadata.hasVersions === true
        ? await connector.metadata.getTable(name, version)
        : await unversioned(connector.metadata, name);
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

/** Throws if the table is there: its connector knows no versions. */
async function unversioned(metadata: ConnectorMetadata, name: SchemaTableName): Promise<undefined> {
  if ((await metadata.getTable(name)) !== undefined) {
    throw new QueryError("NOT_SUPPORTED", "This connector does not support versioned tables");
  }
  return undefined;
}

function unlessQueryError<T>(work: () => T): T | QueryError {
  try {
    return work();
  } catch (error) {
    if (error instanceof QueryError) {
      return error;
    }
    throw error;
  }
}

function nodesOf<T>(root: object, kind: string): readonly T[] {
  const nodes: T[] = [];
  visitSyntax(root, (node) => {
    if (node["kind"] === kind) {
      nodes.push(node as T);
    }
  });
  return nodes;
}

interface NamedTable {
  readonly name: QualifiedName;
  readonly period?: QueryPeriod | undefined;
}

interface Names {
  /** Tables named in a syntax tree: relations, TABLE t, and targets of writes. */
  readonly named: readonly NamedTable[];
  readonly functions: readonly QualifiedName[];
  readonly calls: readonly TableFunctionCall[];
}

/** In one walk: the syntax tree of a long statement has a million nodes. */
function namesIn(root: object): Names {
  const named: NamedTable[] = [];
  const functions: QualifiedName[] = [];
  const calls: TableFunctionCall[] = [];
  visitSyntax(root, (node) => {
    if (node["kind"] === "FunctionCall") {
      functions.push((node as unknown as FunctionCall).name);
    } else if (node["kind"] === "TableFunctionCall") {
      calls.push(node as unknown as TableFunctionCall);
    }
    const name = namedTable(node);
    if (name !== undefined) {
      named.push({ name, period: node["kind"] === "Table" ? (node["period"] as QueryPeriod | undefined) : undefined });
    }
  });
  return { named, functions, calls };
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
