/**
 * Parses statements by their first word. Statements that define or change data are parsed by statements/definitions.ts.
 */
import { QueryError } from "../../../protocol/errors.ts";
import type { Expression, Identifier, Location, QualifiedName } from "../../ast/expression-nodes.ts";
import { parseAlter } from "./alter.ts";
import { parseCall } from "./call.ts";
import { parseAnalyze, parseComment, parseCreate, parseDelete, parseDrop, parseInsert, parseRefresh, parseUpdate } from "./definitions.ts";
import { parseExpression } from "../expression-parser.ts";
import { parseDeny, parseGrant, parseRevoke } from "./grants.ts";
import { parseMerge } from "./merge.ts";
import { parseQuery } from "../queries.ts";
import { parseQueryStatement } from "../root.ts";
import type { Explain, ShowPattern, StartTransaction, Statement } from "../../ast/statements.ts";
import type { TokenStream } from "../token-stream.ts";

type StatementParser = (tokens: TokenStream, location: Location) => Statement;

const statements: ReadonlyMap<string, StatementParser> = new Map<string, StatementParser>([
  ["ALTER", parseAlter],
  ["ANALYZE", parseAnalyze],
  ["CALL", parseCall],
  ["COMMENT", parseComment],
  ["COMMIT", (tokens, location) => (tokens.accept("WORK"), { kind: "Commit", location })],
  ["CREATE", parseCreate],
  ["DEALLOCATE", parseDeallocate],
  ["DELETE", parseDelete],
  ["DENY", parseDeny],
  ["DESC", parseDescribe],
  ["DESCRIBE", parseDescribe],
  ["DROP", parseDrop],
  ["EXECUTE", parseExecute],
  ["EXPLAIN", parseExplain],
  ["GRANT", parseGrant],
  ["INSERT", parseInsert],
  ["MERGE", parseMerge],
  ["PREPARE", parsePrepare],
  ["REFRESH", parseRefresh],
  ["RESET", parseResetSession],
  ["REVOKE", parseRevoke],
  ["ROLLBACK", (tokens, location) => (tokens.accept("WORK"), { kind: "Rollback", location })],
  ["SET", parseSet],
  ["SHOW", parseShow],
  ["START", parseStartTransaction],
  ["TRUNCATE", parseTruncate],
  ["UPDATE", parseUpdate],
  ["USE", parseUse],
]);

const firstWords: readonly string[] = [...statements.keys()].map((word) => `'${word}'`);

export function parseStatement(tokens: TokenStream): Statement {
  const { current } = tokens;
  const parse = current.kind === "word" ? statements.get(current.value) : undefined;
  if (parse !== undefined) {
    const location = tokens.location();
    tokens.advance();
    return tokens.nested(() => parse(tokens, location));
  }
  tokens.welcome(firstWords);
  return parseQueryStatement(tokens);
}

function parsePrepare(tokens: TokenStream, location: Location): Statement {
  const name = tokens.expectIdentifier();
  tokens.expect("FROM");
  return { kind: "Prepare", name, statement: parseStatement(tokens), location };
}

function parseDeallocate(tokens: TokenStream, location: Location): Statement {
  tokens.expect("PREPARE");
  return { kind: "Deallocate", name: tokens.expectIdentifier(), location };
}

function parseExecute(tokens: TokenStream, location: Location): Statement {
  if (tokens.looksAt("IMMEDIATE") && tokens.peek(1).kind === "string") {
    tokens.advance();
    const textLocation = tokens.location();
    const sql = tokens.expectString();
    const statement = parseImmediate(tokens, sql, textLocation);
    return { kind: "ExecuteImmediate", statement, sql, parameters: parseUsing(tokens), location };
  }
  const name = tokens.expectIdentifier();
  return { kind: "Execute", name, parameters: parseUsing(tokens), location };
}

/**
 * Parses a statement in a string. Its locations are relative to the string. A nested EXECUTE IMMEDIATE is rejected, so the recursion is
 * bounded.
 */
function parseImmediate(tokens: TokenStream, sql: string, location: Location): Statement {
  const inner = tokens.within(sql);
  if (inner.looksAt("EXECUTE") || inner.looksAt("PREPARE") || inner.looksAt("DEALLOCATE")) {
    throw tokens.error(`Invalid statement type for EXECUTE IMMEDIATE: ${inner.current.value}`, location);
  }
  const statement = parseStatement(inner);
  if (inner.current.kind !== "eof") {
    inner.welcome("<EOF>");
    throw inner.mismatch();
  }
  return statement;
}

function parseUsing(tokens: TokenStream): readonly Expression[] {
  return tokens.accept("USING") ? tokens.list(() => parseExpression(tokens)) : [];
}

function parseUse(tokens: TokenStream, location: Location): Statement {
  const first = tokens.expectIdentifier();
  return tokens.accept(".")
    ? { kind: "Use", catalog: first, schema: tokens.expectIdentifier(), location }
    : { kind: "Use", schema: first, location };
}

function parseSet(tokens: TokenStream, location: Location): Statement {
  const what = tokens.expectOneOf(["PATH", "ROLE", "SESSION", "TIME"]);
  if (what === "PATH") {
    return { kind: "SetPath", elements: tokens.list(() => parsePathElement(tokens)), location };
  }
  if (what === "TIME") {
    tokens.expect("ZONE");
    return tokens.accept("LOCAL") ? { kind: "SetTimeZone", location } : { kind: "SetTimeZone", zone: parseExpression(tokens), location };
  }
  if (what === "ROLE") {
    const role = tokens.acceptOneOf(["ALL", "NONE"]) ?? tokens.expectIdentifier();
    return { kind: "SetRole", role, ...parseInCatalog(tokens), location };
  }
  if (tokens.looksAt("AUTHORIZATION") && !tokens.looksAt("=", 1) && !tokens.looksAt(".", 1)) {
    tokens.advance();
    const user = tokens.acceptString() ?? tokens.expectIdentifier();
    return { kind: "SetSessionAuthorization", user, location };
  }
  const name = tokens.expectQualifiedName();
  tokens.expect("=");
  return { kind: "SetSession", name, value: parseExpression(tokens), location };
}

/** `schema` or `catalog.schema`. */
export function parsePathElement(tokens: TokenStream): QualifiedName {
  const first = tokens.expectIdentifier();
  const parts = tokens.accept(".") ? [first, tokens.expectIdentifier()] : [first];
  return { kind: "QualifiedName", parts, location: first.location };
}

function parseResetSession(tokens: TokenStream, location: Location): Statement {
  tokens.expect("SESSION");
  if (tokens.looksAt("AUTHORIZATION") && !tokens.looksAt(".", 1)) {
    tokens.advance();
    return { kind: "ResetSessionAuthorization", location };
  }
  return { kind: "ResetSession", name: tokens.expectQualifiedName(), location };
}

function parseTruncate(tokens: TokenStream, location: Location): Statement {
  tokens.expect("TABLE");
  return { kind: "TruncateTable", name: tokens.expectQualifiedName(), location };
}

function parseStartTransaction(tokens: TokenStream, location: Location): Statement {
  tokens.expect("TRANSACTION");
  let isolation: StartTransaction["isolation"];
  let accessMode: StartTransaction["accessMode"];
  if (tokens.at("ISOLATION") || tokens.at("READ")) {
    do {
      if (tokens.accept("ISOLATION")) {
        if (isolation !== undefined) {
          throw new QueryError("SYNTAX_ERROR", "Multiple transaction isolation levels specified", location);
        }
        tokens.expect("LEVEL");
        isolation = parseIsolationLevel(tokens);
      } else {
        tokens.expect("READ");
        if (accessMode !== undefined) {
          throw new QueryError("SYNTAX_ERROR", "Multiple transaction read modes specified", location);
        }
        accessMode = `READ ${tokens.expectOneOf(["ONLY", "WRITE"])}`;
      }
    } while (tokens.accept(","));
  }
  return {
    kind: "StartTransaction",
    ...(isolation === undefined ? {} : { isolation }),
    ...(accessMode === undefined ? {} : { accessMode }),
    location,
  };
}

function parseIsolationLevel(tokens: TokenStream): NonNullable<StartTransaction["isolation"]> {
  if (tokens.accept("SERIALIZABLE")) {
    return "SERIALIZABLE";
  }
  if (tokens.acceptWords("REPEATABLE", "READ")) {
    return "REPEATABLE READ";
  }
  tokens.expect("READ");
  return `READ ${tokens.expectOneOf(["COMMITTED", "UNCOMMITTED"])}`;
}

function parseInCatalog(tokens: TokenStream): { readonly catalog?: Identifier } {
  return tokens.acceptOneOf(["FROM", "IN"]) === undefined ? {} : { catalog: tokens.expectIdentifier() };
}

const explainTypes = ["DISTRIBUTED", "IO", "LOGICAL", "VALIDATE"] as const;
const explainFormats = ["GRAPHVIZ", "JSON", "TEXT"] as const;

function parseExplain(tokens: TokenStream, location: Location): Statement {
  const analyze = tokens.at("ANALYZE") && !analyzesTable(tokens) && tokens.accept("ANALYZE");
  const verbose = analyze && tokens.accept("VERBOSE");
  let options: Pick<Explain, "type" | "format"> = {};
  if (!analyze && tokens.looksAt("(") && (tokens.looksAt("TYPE", 1) || tokens.looksAt("FORMAT", 1))) {
    tokens.advance();
    do {
      options =
        tokens.expectOneOf(["FORMAT", "TYPE"]) === "TYPE"
          ? { ...options, type: tokens.expectOneOf(explainTypes) }
          : { ...options, format: tokens.expectOneOf(explainFormats) };
    } while (tokens.accept(","));
    tokens.expect(")");
  }
  const parse = (): Statement => parseStatement(tokens);
  const statement = tokens.looksAt("EXPLAIN") ? tokens.nested(parse) : parse();
  if (explainDepth(statement) >= explainDepthMax) {
    throw tokens.error(`EXPLAIN is too deeply nested: more than ${explainDepthMax} levels`, location);
  }
  return { kind: "Explain", analyze, verbose, ...options, statement, location };
}

/** Each EXPLAIN quotes the plan of the one inside, so the text may double with each level. */
const explainDepthMax = 8;

function explainDepth(statement: Statement): number {
  let depth = 0;
  for (let inner = statement; inner.kind === "Explain"; inner = inner.statement) {
    depth++;
  }
  return depth;
}

/** `EXPLAIN ANALYZE t` explains the statement `ANALYZE t`. */
function analyzesTable(tokens: TokenStream): boolean {
  const next = tokens.peek(1);
  return tokens.looksAtIdentifier(1) && next.value !== "VERBOSE" && (next.kind === "quoted" || !statements.has(next.value));
}

function parseDescribe(tokens: TokenStream, location: Location): Statement {
  if (tokens.looksAt("INPUT") && tokens.looksAtIdentifier(1)) {
    tokens.advance();
    return { kind: "DescribeInput", name: tokens.expectIdentifier(), location };
  }
  if (tokens.looksAt("OUTPUT") && tokens.looksAtIdentifier(1)) {
    tokens.advance();
    return { kind: "DescribeOutput", name: tokens.expectIdentifier(), location };
  }
  return { kind: "ShowColumns", table: tokens.expectQualifiedName(), location };
}

const showParsers: ReadonlyMap<string, StatementParser> = new Map<string, StatementParser>([
  ["CATALOGS", (tokens, location) => ({ kind: "ShowCatalogs", ...parsePattern(tokens), location })],
  ["COLUMNS", parseShowColumns],
  ["CREATE", parseShowCreate],
  ["CURRENT", parseShowCurrentRoles],
  ["FUNCTIONS", parseShowFunctions],
  ["GRANTS", parseShowGrants],
  ["ROLE", parseShowRoleGrants],
  ["ROLES", (tokens, location) => ({ kind: "ShowRoles", current: false, ...parseInCatalog(tokens), location })],
  ["SCHEMAS", parseShowSchemas],
  ["SESSION", (tokens, location) => ({ kind: "ShowSession", ...parsePattern(tokens), location })],
  ["STATS", parseShowStats],
  ["TABLES", parseShowTables],
]);

function parseShow(tokens: TokenStream, location: Location): Statement {
  for (const [word, parse] of showParsers) {
    if (tokens.accept(word)) {
      return parse(tokens, location);
    }
  }
  throw tokens.mismatch();
}

function parseShowCurrentRoles(tokens: TokenStream, location: Location): Statement {
  tokens.expect("ROLES");
  return { kind: "ShowRoles", current: true, ...parseInCatalog(tokens), location };
}

function parseShowRoleGrants(tokens: TokenStream, location: Location): Statement {
  tokens.expect("GRANTS");
  return { kind: "ShowRoleGrants", ...parseInCatalog(tokens), location };
}

function parseShowGrants(tokens: TokenStream, location: Location): Statement {
  if (!tokens.accept("ON")) {
    return { kind: "ShowGrants", location };
  }
  tokens.accept("TABLE");
  return { kind: "ShowGrants", table: tokens.expectQualifiedName(), location };
}

function parseShowColumns(tokens: TokenStream, location: Location): Statement {
  tokens.expectOneOf(["FROM", "IN"]);
  return { kind: "ShowColumns", table: tokens.expectQualifiedName(), ...parsePattern(tokens), location };
}

function parseShowFunctions(tokens: TokenStream, location: Location): Statement {
  const schema = tokens.acceptOneOf(["FROM", "IN"]) === undefined ? {} : { schema: tokens.expectQualifiedName() };
  return { kind: "ShowFunctions", ...schema, ...parsePattern(tokens), location };
}

function parseShowSchemas(tokens: TokenStream, location: Location): Statement {
  if (tokens.acceptOneOf(["FROM", "IN"]) === undefined) {
    return { kind: "ShowSchemas", ...parsePattern(tokens), location };
  }
  return { kind: "ShowSchemas", catalog: tokens.expectIdentifier(), ...parsePattern(tokens), location };
}

function parseShowTables(tokens: TokenStream, location: Location): Statement {
  if (tokens.acceptOneOf(["FROM", "IN"]) === undefined) {
    return { kind: "ShowTables", ...parsePattern(tokens), location };
  }
  return { kind: "ShowTables", schema: tokens.expectQualifiedName(), ...parsePattern(tokens), location };
}

function parseShowCreate(tokens: TokenStream, location: Location): Statement {
  const object = tokens.expectOneOf(["FUNCTION", "MATERIALIZED", "SCHEMA", "TABLE", "VIEW"]);
  if (object !== "MATERIALIZED") {
    return { kind: "ShowCreate", object, name: tokens.expectQualifiedName(), location };
  }
  tokens.expect("VIEW");
  return { kind: "ShowCreate", object: "MATERIALIZED VIEW", name: tokens.expectQualifiedName(), location };
}

function parseShowStats(tokens: TokenStream, location: Location): Statement {
  tokens.expect("FOR");
  if (!tokens.accept("(")) {
    return { kind: "ShowStats", table: tokens.expectQualifiedName(), location };
  }
  const query = parseQuery(tokens);
  tokens.expect(")");
  return { kind: "ShowStats", query, location };
}

function parsePattern(tokens: TokenStream): { readonly pattern?: ShowPattern } {
  const location = tokens.location();
  if (!tokens.accept("LIKE")) {
    return {};
  }
  const like = tokens.expectString();
  const escape = tokens.accept("ESCAPE") ? tokens.expectString() : undefined;
  return { pattern: { kind: "ShowPattern", like, ...(escape === undefined ? {} : { escape }), location } };
}
