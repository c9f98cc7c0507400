/** Parses GROUP BY of queries, and PIVOT, which has one of its own. */
import type { Expression, Identifier } from "../ast/expression-nodes.ts";
import type { GroupBy, GroupingElement, Pivot, PivotAggregation, PivotValue, Relation } from "../ast/relations.ts";
import { parseExpression, parseValueExpression } from "./expression-parser.ts";
import { startsOperand } from "./primary.ts";
import type { TokenStream } from "./token-stream.ts";

/** ALL may also be a name: it is one if no operand can follow. */
export function quantifies(tokens: TokenStream): boolean {
  const next = tokens.peek(1);
  if (next.kind === "operator") {
    return ["(", "*", "+", "-", "?"].includes(next.value);
  }
  return next.kind !== "eof" && (tokens.looksAtIdentifier(1) || next.kind !== "word" || startsOperand(next.value));
}

const groupingWords: readonly string[] = ["AUTO", "CUBE", "ROLLUP", "GROUPING"];

export function parseGroupBy(tokens: TokenStream): GroupBy | undefined {
  const location = tokens.location();
  if (!tokens.acceptWords("GROUP", "BY")) {
    return undefined;
  }
  const distinct = tokens.accept("DISTINCT");
  if (!distinct && tokens.looksAt("ALL") && (quantifies(tokens) || groupingWords.some((word) => tokens.looksAt(word, 1)))) {
    tokens.advance();
  }
  return { kind: "GroupBy", distinct, elements: tokens.list(() => parseGroupingElement(tokens)), location };
}

function parseGroupingElement(tokens: TokenStream): GroupingElement {
  const location = tokens.location();
  const run = tokens.acceptOneOf(["CUBE", "ROLLUP"]);
  if (run !== undefined) {
    tokens.expect("(");
    const expressions = tokens.at(")") ? [] : tokens.list(() => parseExpression(tokens));
    tokens.expect(")");
    return { kind: run === "CUBE" ? "Cube" : "Rollup", expressions, location };
  }
  if (tokens.at("GROUPING") && tokens.looksAt("SETS", 1)) {
    tokens.acceptWords("GROUPING", "SETS");
    tokens.expect("(");
    const sets = tokens.list(() => parseGroupingSet(tokens));
    tokens.expect(")");
    return { kind: "GroupingSets", sets, location };
  }
  if (tokens.looksAt("AUTO") && !continuesExpression(tokens, 1)) {
    tokens.advance();
    return { kind: "AutoGroupBy", location };
  }
  return { kind: "SimpleGroupBy", expressions: parseGroupingSet(tokens), location };
}

/** Whether a name before this token begins a longer expression. */
function continuesExpression(tokens: TokenStream, ahead: number): boolean {
  const { kind, value } = tokens.peek(ahead);
  return (kind === "operator" && ![",", ")", ";"].includes(value)) || tokens.looksAt("AT", ahead) || tokens.looksAt("OVER", ahead);
}

/** `()`, `(a, b)` or `a`. A parenthesis that contains more than a list belongs to the expression. */
function parseGroupingSet(tokens: TokenStream): readonly Expression[] {
  if (tokens.looksAt("(") && tokens.looksAt(")", 1)) {
    tokens.advance();
    tokens.advance();
    return [];
  }
  const inParentheses = tokens.looksAt("(");
  const expression = parseExpression(tokens);
  return inParentheses && expression.kind === "Row" ? expression.items : [expression];
}

/** PIVOT may also be an alias with a column list, which is names to its end; an aggregation may be a name too. */
export function startsPivot(tokens: TokenStream): boolean {
  if (!tokens.looksAt("PIVOT") || !tokens.looksAt("(", 1)) {
    return false;
  }
  let ahead = 2;
  while (tokens.looksAtIdentifier(ahead) && tokens.looksAt(",", ahead + 1)) {
    ahead += 2;
  }
  return !tokens.looksAtIdentifier(ahead) || !tokens.looksAt(")", ahead + 1);
}

export function parsePivot(tokens: TokenStream, relation: Relation): Pivot {
  tokens.advance();
  tokens.expect("(");
  const aggregations = tokens.list(() => parseAggregation(tokens));
  tokens.expect("FOR");
  const columns = parsePivotColumns(tokens);
  tokens.expect("IN");
  tokens.expect("(");
  const values = tokens.list(() => parsePivotValue(tokens, columns.length > 1));
  tokens.expect(")");
  const groupBy = parseGroupBy(tokens);
  tokens.expect(")");
  const { location } = relation;
  return { kind: "Pivot", relation, aggregations, columns, values, ...(groupBy !== undefined && { groupBy }), location };
}

function parseAggregation(tokens: TokenStream): PivotAggregation {
  const expression = parseExpression(tokens);
  const alias = parsePivotAlias(tokens);
  return { kind: "PivotAggregation", expression, ...(alias !== undefined && { alias }), location: expression.location };
}

function parsePivotColumns(tokens: TokenStream): readonly Expression[] {
  if (!tokens.accept("(")) {
    return [parseValueExpression(tokens)];
  }
  const columns = tokens.list(() => parseValueExpression(tokens));
  tokens.expect(")");
  return columns;
}

/** `isList`: there are several columns, and so a list of values in parentheses. */
function parsePivotValue(tokens: TokenStream, isList: boolean): PivotValue {
  const location = tokens.location();
  let expressions: readonly Expression[];
  if (isList) {
    tokens.expect("(");
    expressions = tokens.list(() => parseExpression(tokens));
    tokens.expect(")");
  } else {
    expressions = [parseExpression(tokens)];
  }
  const alias = parsePivotAlias(tokens);
  return { kind: "PivotValue", expressions, ...(alias !== undefined && { alias }), location };
}

function parsePivotAlias(tokens: TokenStream): Identifier | undefined {
  if (tokens.accept("AS")) {
    return tokens.expectIdentifier();
  }
  return tokens.looksAtIdentifier() ? tokens.takeIdentifier() : undefined;
}
