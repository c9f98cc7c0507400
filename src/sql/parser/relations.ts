/**
 * What stands in FROM: tables, subqueries, joins, samples.
 */
import type { Identifier, QualifiedName } from "../ast/expression-nodes.ts";
import { parseExpression, parseValueExpression } from "./expression-parser.ts";
import { parseQueryInParentheses, startsQuery } from "./subqueries.ts";
import { parsePivot, startsPivot } from "./grouping.ts";
import { parseJsonTable } from "./json/json-table.ts";
import { parseTableFunctionCall } from "./table-functions.ts";
import { parsePatternRecognition, startsPatternRecognition } from "./patterns.ts";
import { startsOperand } from "./primary.ts";
import type { Join, JoinCriteria, QueryPeriod, Relation } from "../ast/relations.ts";
import type { TokenStream } from "./token-stream.ts";

export function parseFrom(tokens: TokenStream): Relation {
  let left = parseRelation(tokens);
  while (tokens.accept(",")) {
    const right = parseRelation(tokens);
    left = { kind: "Join", type: "IMPLICIT", left, right, location: left.location };
    tokens.grow(1);
  }
  return left;
}

/** Parses a chain of joins. */
export function parseRelation(tokens: TokenStream): Relation {
  return tokens.nested(() => {
    let left = parseSampled(tokens);
    for (;;) {
      const join = parseJoin(tokens, left);
      if (join === undefined) {
        return left;
      }
      left = join;
      tokens.grow(1);
    }
  });
}

function parseJoin(tokens: TokenStream, left: Relation): Join | undefined {
  const { location } = left;
  if (tokens.acceptWords("CROSS", "JOIN")) {
    return { kind: "Join", type: "CROSS", left, right: parseSampled(tokens), location };
  }
  const naturalLocation = tokens.location();
  const natural = tokens.accept("NATURAL");
  const type = parseJoinType(tokens);
  if (type === undefined) {
    if (natural) {
      throw tokens.mismatch();
    }
    return undefined;
  }
  if (natural) {
    return {
      kind: "Join",
      type,
      left,
      right: parseSampled(tokens),
      criteria: { kind: "NaturalJoin", location: naturalLocation },
      location,
    };
  }
  // `a JOIN b JOIN c ON .. ON ..`: the right side may contain joins before its own criteria.
  const right = parseRelation(tokens);
  return { kind: "Join", type, left, right, criteria: parseJoinCriteria(tokens), location };
}

function parseJoinType(tokens: TokenStream): "INNER" | "LEFT" | "RIGHT" | "FULL" | undefined {
  if (tokens.accept("JOIN")) {
    return "INNER";
  }
  const type = tokens.acceptOneOf(["INNER", "LEFT", "RIGHT", "FULL"]);
  if (type === undefined) {
    return undefined;
  }
  if (type !== "INNER") {
    tokens.accept("OUTER");
  }
  tokens.expect("JOIN");
  return type;
}

function parseJoinCriteria(tokens: TokenStream): JoinCriteria {
  const location = tokens.location();
  if (tokens.accept("ON")) {
    return { kind: "JoinOn", expression: parseExpression(tokens), location };
  }
  tokens.expect("USING");
  return { kind: "JoinUsing", columns: tokens.expectIdentifierList(), location };
}

function parseSampled(tokens: TokenStream): Relation {
  const relation = parseRecognized(tokens);
  if (!tokens.accept("TABLESAMPLE")) {
    return relation;
  }
  const method = tokens.expectOneOf(["BERNOULLI", "SYSTEM"]);
  tokens.expect("(");
  const percentage = parseExpression(tokens);
  tokens.expect(")");
  return { kind: "SampledRelation", relation, method, percentage, location: relation.location };
}

function parseRecognized(tokens: TokenStream): Relation {
  const relation = parseAliased(tokens, parseRelationPrimary(tokens));
  if (startsPivot(tokens)) {
    return parseAliased(tokens, parsePivot(tokens, relation));
  }
  return startsPatternRecognition(tokens) ? parseAliased(tokens, parsePatternRecognition(tokens, relation)) : relation;
}

function parseAliased(tokens: TokenStream, relation: Relation): Relation {
  const { location } = relation;
  const alias = parseRelationAlias(tokens);
  if (alias === undefined) {
    return relation;
  }
  if (!tokens.at("(")) {
    return { kind: "AliasedRelation", relation, alias, location };
  }
  return { kind: "AliasedRelation", relation, alias, columnNames: tokens.expectIdentifierList(), location };
}

export function parseRelationAlias(tokens: TokenStream): Identifier | undefined {
  if (tokens.accept("AS")) {
    return tokens.expectIdentifier();
  }
  if (tokens.looksAtIdentifier() && !endsAlias(tokens)) {
    return tokens.takeIdentifier();
  }
  tokens.welcome("<identifier>");
  return undefined;
}

/** Returns whether this word begins the next clause, although it could be an alias without AS. */
export function endsAlias(tokens: TokenStream): boolean {
  const countFollows = startsRowCount(tokens, 1) && !isColumnList(tokens, 1);
  return (
    (tokens.looksAt("LIMIT") && (countFollows || tokens.looksAt("ALL", 1))) ||
    (tokens.looksAt("OFFSET") && countFollows) ||
    (tokens.looksAt("FETCH") && (tokens.looksAt("FIRST", 1) || tokens.looksAt("NEXT", 1))) ||
    (tokens.looksAt("TABLESAMPLE") && (tokens.looksAt("BERNOULLI", 1) || tokens.looksAt("SYSTEM", 1))) ||
    startsPatternRecognition(tokens) ||
    startsPivot(tokens) ||
    (tokens.looksAt("WINDOW") && tokens.looksAtIdentifier(1) && tokens.looksAt("AS", 2)) ||
    (tokens.looksAt("QUALIFY") && startsCondition(tokens, 1))
  );
}

/** Whether an expression can begin here. Behind an alias comes a comma, a parenthesis, an operator or the next clause. */
function startsCondition(tokens: TokenStream, ahead: number): boolean {
  const { kind, value } = tokens.peek(ahead);
  if (kind === "word") {
    return tokens.looksAtIdentifier(ahead) ? !startsNextClause(tokens, ahead) : startsOperand(value);
  }
  return kind === "operator" ? ["(", "+", "-", "?"].includes(value) : kind !== "eof" && kind !== "unrecognized";
}

function startsNextClause(tokens: TokenStream, ahead: number): boolean {
  const next = ["FETCH", "LIMIT", "OFFSET", "TABLESAMPLE", "WINDOW"].some((word) => tokens.looksAt(word, ahead));
  return next && (startsRowCount(tokens, ahead + 1) || tokens.looksAtIdentifier(ahead + 1));
}

/** Returns whether a count of LIMIT, OFFSET or FETCH begins here: an integer, a parameter, a parenthesis, a cast or a call. */
export function startsRowCount(tokens: TokenStream, ahead: number): boolean {
  const isCall = (tokens.looksAtIdentifier(ahead) || tokens.looksAt("CAST", ahead)) && tokens.looksAt("(", ahead + 1);
  return tokens.peek(ahead).kind === "integer" || tokens.looksAt("?", ahead) || tokens.looksAt("(", ahead) || isCall;
}

/** `(a, b)` or `(a)`: a column list; LIMIT or OFFSET before it is then an alias. */
function isColumnList(tokens: TokenStream, ahead: number): boolean {
  return (
    tokens.looksAt("(", ahead) && tokens.looksAtIdentifier(ahead + 1) && (tokens.looksAt(",", ahead + 2) || tokens.looksAt(")", ahead + 2))
  );
}

function parseRelationPrimary(tokens: TokenStream): Relation {
  const location = tokens.location();
  if (tokens.at("(")) {
    return parseParenthesized(tokens);
  }
  if (tokens.accept("UNNEST")) {
    tokens.expect("(");
    const expressions = tokens.list(() => parseExpression(tokens));
    tokens.expect(")");
    return { kind: "Unnest", expressions, withOrdinality: tokens.acceptWords("WITH", "ORDINALITY"), location };
  }
  if (tokens.at("LATERAL") && tokens.looksAt("(", 1)) {
    tokens.advance();
    return { kind: "Lateral", query: parseQueryInParentheses(tokens), location };
  }
  if (tokens.looksAt("JSON_TABLE") && tokens.looksAt("(", 1)) {
    return parseJsonTable(tokens);
  }
  if (tokens.looksAt("TABLE") && tokens.looksAt("(", 1)) {
    return parseTableFunctionCall(tokens);
  }
  const name = acceptPath(tokens) ?? tokens.expectQualifiedName();
  const period = acceptPeriod(tokens);
  return { kind: "Table", name, ...(period !== undefined && { period }), location };
}

/** Words of Trino and Presto. They are not among those that an error message expects: most tables have no versions. */
const pointers: ReadonlyMap<string, QueryPeriod["pointer"]> = new Map([
  ["TIMESTAMP", "TIMESTAMP"],
  ["SYSTEM_TIME", "TIMESTAMP"],
  ["VERSION", "VERSION"],
  ["SYSTEM_VERSION", "VERSION"],
]);

function acceptPeriod(tokens: TokenStream): QueryPeriod | undefined {
  const found = tokens.looksAt("FOR") ? [...pointers].find(([word]) => tokens.looksAt(word, 1)) : undefined;
  if (found === undefined) {
    return undefined;
  }
  const location = tokens.location();
  tokens.advance();
  tokens.advance();
  const state = tokens.accept("BEFORE") ? "BEFORE" : "AS OF";
  if (state === "AS OF") {
    tokens.expect("AS");
    tokens.expect("OF");
  }
  return { kind: "QueryPeriod", pointer: found[1], state, value: parseValueExpression(tokens), location };
}

/** A path in a string, as in DuckDB. It is not among the words that an error message expects: most catalogs have no paths. */
function acceptPath(tokens: TokenStream): QualifiedName | undefined {
  const token = tokens.peek(0);
  if (token.kind !== "string") {
    return undefined;
  }
  const location = tokens.location();
  tokens.advance();
  const part: Identifier = { kind: "Identifier", value: token.value, delimited: true, location };
  return { kind: "QualifiedName", parts: [part], isPath: true, location };
}

/** Parses a query or a relation. With nested parentheses, only the tokens after the inner ones decide which. */
function parseParenthesized(tokens: TokenStream): Relation {
  const location = tokens.location();
  if (startsQuery(tokens, 1)) {
    return { kind: "TableSubquery", query: parseQueryInParentheses(tokens), location };
  }
  tokens.expect("(");
  tokens.welcome("<query>");
  const inner = parseRelation(tokens);
  if (inner.kind !== "TableSubquery" || tokens.looksAt(")")) {
    tokens.expect(")");
    return inner;
  }
  const query = tokens.grammar.query(tokens, inner);
  tokens.expect(")");
  return { kind: "TableSubquery", query, location };
}
