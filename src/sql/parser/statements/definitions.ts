/**
 * Parses statements that define or change schemas, tables, views and rows. The statement's first word has been read.
 */
import type { Location } from "../../ast/expression-nodes.ts";
import { parseColumnDefinition } from "./columns.ts";
import { parseExpression } from "../expression-parser.ts";
import { startsQuery } from "../subqueries.ts";
import { parseCreateRole, parseDropRole, parsePrincipal } from "./grants.ts";
import { parseCommentClause, parseProperties } from "./properties.ts";
import { parseIntervalLiteral } from "../primary.ts";
import { parseRootQuery } from "../root.ts";
import { parseCreateFunction, parseDropFunction } from "./routines.ts";
import type { ColumnDefinition, LikeClause } from "../../ast/definition-statements.ts";
import type { Statement, UpdateAssignment } from "../../ast/statements.ts";
import type { TokenStream } from "../token-stream.ts";

export function parseCreate(tokens: TokenStream, location: Location): Statement {
  if (tokens.acceptWords("OR", "REPLACE")) {
    if (tokens.at("FUNCTION")) {
      return parseCreateFunction(tokens, location, true);
    }
    switch (tokens.expectOneOf(["MATERIALIZED", "TABLE", "VIEW"])) {
      case "MATERIALIZED":
        return parseCreateMaterializedView(tokens, location, true);
      case "TABLE":
        return parseCreateTable(tokens, location, true);
      case "VIEW":
        return parseCreateView(tokens, location, true);
    }
  }
  if (tokens.at("FUNCTION")) {
    return parseCreateFunction(tokens, location, false);
  }
  switch (tokens.expectOneOf(["CATALOG", "MATERIALIZED", "ROLE", "SCHEMA", "TABLE", "VIEW"])) {
    case "CATALOG":
      return parseCreateCatalog(tokens, location);
    case "MATERIALIZED":
      return parseCreateMaterializedView(tokens, location, false);
    case "ROLE":
      return parseCreateRole(tokens, location);
    case "SCHEMA":
      return parseCreateSchema(tokens, location);
    case "TABLE":
      return parseCreateTable(tokens, location, false);
    case "VIEW":
      return parseCreateView(tokens, location, false);
  }
}

function parseCreateCatalog(tokens: TokenStream, location: Location): Statement {
  const ifNotExists = acceptIfNotExists(tokens);
  const name = tokens.expectIdentifier();
  tokens.expect("USING");
  const connector = tokens.expectIdentifier();
  const comment = parseCommentClause(tokens);
  const owner = tokens.accept("AUTHORIZATION") ? { owner: parsePrincipal(tokens) } : {};
  return { kind: "CreateCatalog", name, ifNotExists, connector, ...comment, ...owner, properties: parseProperties(tokens), location };
}

function parseCreateSchema(tokens: TokenStream, location: Location): Statement {
  const ifNotExists = acceptIfNotExists(tokens);
  const name = tokens.expectQualifiedName();
  const owner = tokens.accept("AUTHORIZATION") ? { owner: parsePrincipal(tokens) } : {};
  return { kind: "CreateSchema", name, ifNotExists, ...owner, properties: parseProperties(tokens), location };
}

function parseCreateMaterializedView(tokens: TokenStream, location: Location, replace: boolean): Statement {
  tokens.expect("VIEW");
  const ifNotExists = acceptIfNotExists(tokens);
  refuseBoth(tokens, replace, ifNotExists, location);
  const name = tokens.expectQualifiedName();
  const gracePeriod = tokens.acceptWords("GRACE", "PERIOD") ? { gracePeriod: parseIntervalLiteral(tokens) } : {};
  const whenStale = tokens.acceptWords("WHEN", "STALE") ? { whenStale: tokens.expectOneOf(["FAIL", "INLINE"]) } : {};
  const comment = parseCommentClause(tokens);
  const properties = parseProperties(tokens);
  tokens.expect("AS");
  const clauses = { ...gracePeriod, ...whenStale, ...comment };
  return { kind: "CreateMaterializedView", name, replace, ifNotExists, ...clauses, properties, query: parseRootQuery(tokens), location };
}

export function parseRefresh(tokens: TokenStream, location: Location): Statement {
  tokens.expect("MATERIALIZED");
  tokens.expect("VIEW");
  return { kind: "RefreshMaterializedView", name: tokens.expectQualifiedName(), location };
}

function parseCreateView(tokens: TokenStream, location: Location, replace: boolean): Statement {
  const name = tokens.expectQualifiedName();
  const columnNames = tokens.at("(") ? tokens.expectIdentifierList() : undefined;
  const comment = parseCommentClause(tokens);
  const security = tokens.accept("SECURITY") ? tokens.expectOneOf(["DEFINER", "INVOKER"]) : undefined;
  tokens.expect("AS");
  return {
    kind: "CreateView",
    name,
    replace,
    ...(columnNames === undefined ? {} : { columnNames }),
    ...comment,
    ...(security === undefined ? {} : { security }),
    query: parseRootQuery(tokens),
    location,
  };
}

function parseCreateTable(tokens: TokenStream, location: Location, replace: boolean): Statement {
  const ifNotExists = acceptIfNotExists(tokens);
  refuseBoth(tokens, replace, ifNotExists, location);
  const name = tokens.expectQualifiedName();
  if (tokens.at("(") && !isColumnAliasList(tokens)) {
    tokens.expect("(");
    const elements = tokens.list(() => parseTableElement(tokens));
    tokens.expect(")");
    const comment = parseCommentClause(tokens);
    return { kind: "CreateTable", name, elements, replace, ifNotExists, ...comment, properties: parseProperties(tokens), location };
  }
  const columnNames = tokens.looksAt("(") ? tokens.expectIdentifierList() : undefined;
  const comment = parseCommentClause(tokens);
  const properties = parseProperties(tokens);
  tokens.expect("AS");
  const query = parseRootQuery(tokens);
  return {
    kind: "CreateTableAsSelect",
    name,
    ...(columnNames === undefined ? {} : { columnNames }),
    replace,
    ifNotExists,
    ...comment,
    properties,
    query,
    withData: parseWithData(tokens),
    location,
  };
}

function refuseBoth(tokens: TokenStream, replace: boolean, ifNotExists: boolean, location: Location): void {
  if (replace && ifNotExists) {
    throw tokens.error("'OR REPLACE' and 'IF NOT EXISTS' clauses can not be used together", location);
  }
}

/** `(a, b)` and `(a)` are column names for a query that follows. `(a bigint` and `(LIKE t` begin column definitions. */
function isColumnAliasList(tokens: TokenStream): boolean {
  return tokens.looksAtIdentifier(1) && (tokens.looksAt(",", 2) || tokens.looksAt(")", 2));
}

function parseWithData(tokens: TokenStream): boolean {
  if (!tokens.accept("WITH")) {
    return true;
  }
  const withoutData = tokens.accept("NO");
  tokens.expect("DATA");
  return !withoutData;
}

function parseTableElement(tokens: TokenStream): ColumnDefinition | LikeClause {
  const location = tokens.location();
  if (!tokens.accept("LIKE")) {
    return parseColumnDefinition(tokens);
  }
  const table = tokens.expectQualifiedName();
  const properties = tokens.acceptOneOf(["EXCLUDING", "INCLUDING"]);
  if (properties === undefined) {
    return { kind: "LikeClause", table, location };
  }
  tokens.expect("PROPERTIES");
  return { kind: "LikeClause", table, properties, location };
}

/** IF may also be a name: `DROP TABLE if`. */
export function acceptIfExists(tokens: TokenStream): boolean {
  if (tokens.at("IF") && tokens.looksAt("EXISTS", 1)) {
    return tokens.acceptWords("IF", "EXISTS");
  }
  return false;
}

export function acceptIfNotExists(tokens: TokenStream): boolean {
  if (tokens.at("IF") && tokens.looksAt("NOT", 1)) {
    return tokens.acceptWords("IF", "NOT", "EXISTS");
  }
  return false;
}

export function parseDrop(tokens: TokenStream, location: Location): Statement {
  const object = tokens.expectOneOf(["CATALOG", "FUNCTION", "MATERIALIZED", "ROLE", "SCHEMA", "TABLE", "VIEW"]);
  if (object === "CATALOG") {
    const ifExists = acceptIfExists(tokens);
    const name = tokens.expectIdentifier();
    return { kind: "DropCatalog", name, ifExists, cascade: acceptCascade(tokens), location };
  }
  if (object === "ROLE") {
    return parseDropRole(tokens, location);
  }
  if (object === "FUNCTION") {
    return parseDropFunction(tokens, location, acceptIfExists(tokens));
  }
  if (object === "MATERIALIZED") {
    tokens.expect("VIEW");
  }
  const ifExists = acceptIfExists(tokens);
  const name = tokens.expectQualifiedName();
  switch (object) {
    case "MATERIALIZED":
      return { kind: "DropMaterializedView", name, ifExists, location };
    case "TABLE":
      return { kind: "DropTable", name, ifExists, location };
    case "VIEW":
      return { kind: "DropView", name, ifExists, location };
    case "SCHEMA":
      return { kind: "DropSchema", name, ifExists, cascade: acceptCascade(tokens), location };
  }
}

function acceptCascade(tokens: TokenStream): boolean {
  return tokens.acceptOneOf(["CASCADE", "RESTRICT"]) === "CASCADE";
}

export function parseInsert(tokens: TokenStream, location: Location): Statement {
  tokens.expect("INTO");
  const table = tokens.expectQualifiedName();
  if (tokens.looksAt("(") && !tokens.looksAt("(", 1) && !startsQuery(tokens, 1)) {
    const columns = tokens.expectIdentifierList();
    return { kind: "Insert", table, columns, query: parseRootQuery(tokens), location };
  }
  tokens.welcome(["'('", "'.'"]);
  return { kind: "Insert", table, query: parseRootQuery(tokens), location };
}

export function parseDelete(tokens: TokenStream, location: Location): Statement {
  tokens.expect("FROM");
  const table = tokens.expectQualifiedName();
  return tokens.accept("WHERE") ? { kind: "Delete", table, where: parseExpression(tokens), location } : { kind: "Delete", table, location };
}

export function parseUpdate(tokens: TokenStream, location: Location): Statement {
  const table = tokens.expectQualifiedName();
  tokens.expect("SET");
  const assignments = tokens.list(() => parseUpdateAssignment(tokens));
  return tokens.accept("WHERE")
    ? { kind: "Update", table, assignments, where: parseExpression(tokens), location }
    : { kind: "Update", table, assignments, location };
}

export function parseUpdateAssignment(tokens: TokenStream): UpdateAssignment {
  const column = tokens.expectIdentifier();
  tokens.expect("=");
  return { kind: "UpdateAssignment", column, value: parseExpression(tokens), location: column.location };
}

export function parseComment(tokens: TokenStream, location: Location): Statement {
  tokens.expect("ON");
  const object = tokens.expectOneOf(["COLUMN", "TABLE", "VIEW"]);
  const name = tokens.expectQualifiedName();
  tokens.expect("IS");
  return tokens.accept("NULL")
    ? { kind: "Comment", object, name, location }
    : { kind: "Comment", object, name, comment: tokens.expectString(), location };
}

export function parseAnalyze(tokens: TokenStream, location: Location): Statement {
  return { kind: "Analyze", table: tokens.expectQualifiedName(), properties: parseProperties(tokens), location };
}
