/**
 * Parses expressions by operator precedence (Pratt). From loose to tight: OR, AND, NOT, predicates, `||`, + -, * / %, signs, AT TIME ZONE,
 * `.` and `[]`. A predicate cannot be the operand of another one: `a = b = c` is an error, as in Presto. Operands are parsed by
 * parser/primary.ts.
 */
import { functionCall } from "../ast/ast.ts";
import type { ArithmeticOperator, ComparisonOperator, Expression, Location, Not } from "../ast/expression-nodes.ts";
import { parsePrimary } from "./primary.ts";
import { parseQueryInParentheses, startsQuery, startsQueryInParentheses } from "./subqueries.ts";
import type { TokenStream } from "./token-stream.ts";

const OR = 1;
const AND = 2;
const NOT = 3;
const PREDICATE = 4;
const CONCAT = 5;
const SUM = 6;
const PRODUCT = 7;
const SIGN = 8;
const ZONE = 9;
const POSTFIX = 10;

const comparisons: ReadonlyMap<string, ComparisonOperator> = new Map([
  ["=", "="],
  ["<>", "<>"],
  ["!=", "<>"],
  ["<", "<"],
  ["<=", "<="],
  [">", ">"],
  [">=", ">="],
]);

const precedences: ReadonlyMap<string, number> = new Map([
  ["OR", OR],
  ["AND", AND],
  ...[...comparisons.keys(), "BETWEEN", "IN", "LIKE", "OVERLAPS", "IS", "NOT"].map((word): [string, number] => [word, PREDICATE]),
  ["||", CONCAT],
  ["+", SUM],
  ["-", SUM],
  ["*", PRODUCT],
  ["/", PRODUCT],
  ["%", PRODUCT],
  ["AT", ZONE],
  [".", POSTFIX],
  ["[", POSTFIX],
]);

const labelsByPrecedence: readonly (readonly [number, readonly string[]])[] = [
  [OR, ["'OR'"]],
  [AND, ["'AND'"]],
  [PREDICATE, ["<predicate>"]],
  [CONCAT, ["'||'"]],
  [SUM, ["'+'", "'-'"]],
  [PRODUCT, ["'%'", "'*'", "'/'"]],
  [ZONE, ["'AT'"]],
  [POSTFIX, ["'.'", "'['"]],
];

/** Labels of the operators that may follow an operand, by [ceiling][floor]. */
const continuations: readonly (readonly (readonly string[])[])[] = Array.from({ length: POSTFIX + 1 }, (_, ceiling) =>
  Array.from({ length: POSTFIX + 1 }, (_ignored, floor) =>
    labelsByPrecedence.filter(([precedence]) => precedence >= floor && precedence <= ceiling).flatMap(([, labels]) => labels),
  ),
);

export function parseExpression(tokens: TokenStream): Expression {
  return parseOperators(tokens, OR);
}

/** Presto's valueExpression: predicates, NOT, AND and OR only in parentheses. */
export function parseValueExpression(tokens: TokenStream): Expression {
  return parseOperators(tokens, CONCAT);
}

/** Parses any operators that follow a valueExpression. */
export function continueExpression(tokens: TokenStream, left: Expression): Expression {
  tokens.enter(1);
  const siblings = tokens.height;
  const whole = parseTail(tokens, left, OR, CONCAT);
  tokens.leave(siblings, 1);
  return whole;
}

function parseOperators(tokens: TokenStream, floor: number): Expression {
  tokens.enter(1);
  const siblings = tokens.height;
  tokens.height = 0;
  const expression = parsePrefixed(tokens, floor);
  tokens.leave(siblings, 1);
  return expression;
}

function parsePrefixed(tokens: TokenStream, floor: number): Expression {
  const { current } = tokens;
  if (current.kind === "word" && current.value === "NOT" && floor <= NOT) {
    const location = tokens.location();
    tokens.advance();
    const value = parseOperators(tokens, NOT);
    return parseTail(tokens, { kind: "Not", value, location }, floor, AND);
  }
  if (current.kind === "operator" && (current.value === "-" || current.value === "+")) {
    const location = tokens.location();
    const sign = current.value;
    tokens.advance();
    const value = parseOperators(tokens, SIGN);
    return parseTail(tokens, { kind: "ArithmeticUnary", sign, value, location }, floor, PRODUCT);
  }
  return parseTail(tokens, parsePrimary(tokens), floor, POSTFIX);
}

/** Parses operators of precedence `floor` to `ceiling` that follow `left`. */
function parseTail(tokens: TokenStream, first: Expression, floor: number, firstCeiling: number): Expression {
  let left = first;
  let ceiling = firstCeiling;
  for (;;) {
    const { current } = tokens;
    const known = current.kind === "operator" || current.kind === "word" ? precedences.get(current.value) : undefined;
    const precedence = known === undefined || !continues(tokens) ? 0 : known;
    if (precedence < Math.max(floor, 1) || precedence > ceiling) {
      tokens.welcome(continuations[ceiling]?.[floor] ?? []);
      return left;
    }
    left = parseOperator(tokens, left, precedence);
    tokens.grow(1);
    ceiling = precedence <= PREDICATE ? Math.min(precedence - 1, AND) : precedence;
  }
}

/** AT is a name unless TIME ZONE follows, and OVERLAPS unless a row does. NOT belongs to a predicate that follows, `t.*` to SELECT. */
function continues(tokens: TokenStream): boolean {
  if (tokens.looksAt("AT")) {
    return tokens.looksAt("TIME", 1);
  }
  if (tokens.looksAt("OVERLAPS")) {
    return ["(", "ROW", "CAST"].some((text) => tokens.looksAt(text, 1));
  }
  if (tokens.looksAt(".")) {
    return !tokens.looksAt("*", 1);
  }
  if (tokens.looksAt("NOT")) {
    return tokens.looksAt("BETWEEN", 1) || tokens.looksAt("IN", 1) || tokens.looksAt("LIKE", 1);
  }
  return true;
}

function parseOperator(tokens: TokenStream, left: Expression, precedence: number): Expression {
  switch (precedence) {
    case OR:
      return parseLogical(tokens, left, "OR");
    case AND:
      return parseLogical(tokens, left, "AND");
    case PREDICATE:
      return parsePredicate(tokens, left);
    case ZONE:
      return parseAtTimeZone(tokens, left);
    case POSTFIX:
      return parsePostfix(tokens, left);
    default:
      return parseArithmetic(tokens, left, precedence);
  }
}

function parseLogical(tokens: TokenStream, first: Expression, operator: "AND" | "OR"): Expression {
  const others = tokens.repeat(
    () => tokens.accept(operator),
    () => parseOperators(tokens, operator === "OR" ? AND : NOT),
  );
  return { kind: "Logical", operator, terms: [first, ...others], location: first.location };
}

function parseArithmetic(tokens: TokenStream, left: Expression, precedence: number): Expression {
  const location = tokens.location();
  const operator = tokens.advance().value;
  const right = parseOperators(tokens, precedence + 1);
  if (operator === "||") {
    return functionCall("concat", [left, right], location);
  }
  return { kind: "ArithmeticBinary", operator: operator as ArithmeticOperator, left, right, location };
}

function parseAtTimeZone(tokens: TokenStream, value: Expression): Expression {
  const location = tokens.location();
  tokens.acceptWords("AT", "TIME", "ZONE");
  if (tokens.current.kind !== "string" && !tokens.looksAt("INTERVAL")) {
    tokens.welcome(["'INTERVAL'", "<string>"]);
    throw tokens.mismatch();
  }
  return { kind: "AtTimeZone", value, timeZone: parsePrimary(tokens), location };
}

function parsePostfix(tokens: TokenStream, base: Expression): Expression {
  const { location } = base;
  if (tokens.accept(".")) {
    return { kind: "Dereference", base, field: tokens.expectIdentifier(), location };
  }
  tokens.expect("[");
  const index = parseValueExpression(tokens);
  tokens.expect("]");
  return { kind: "Subscript", base, index, location };
}

/** Of CASE, whose clauses may leave out the left operand of a predicate. */
export function parsePredicateAt(tokens: TokenStream, value: Expression): Expression | undefined {
  const isComparison = tokens.current.kind === "operator" && comparisons.has(tokens.current.value);
  const at = tokens.looksAt("NOT") ? 1 : 0;
  const isNamed = tokens.looksAt("BETWEEN", at) || tokens.looksAt("IN", at) || tokens.looksAt("LIKE", at);
  return isComparison || isNamed || tokens.looksAt("IS") ? parsePredicate(tokens, value) : undefined;
}

function parsePredicate(tokens: TokenStream, value: Expression): Expression {
  const location = tokens.location();
  const operator = comparisons.get(tokens.current.value);
  if (operator !== undefined && tokens.current.kind === "operator") {
    tokens.advance();
    return parseComparison(tokens, value, operator, location);
  }
  if (tokens.accept("IS")) {
    return parseIs(tokens, value, location);
  }
  if (tokens.accept("OVERLAPS")) {
    return { kind: "Overlaps", left: value, right: parseValueExpression(tokens), location };
  }
  const negated = tokens.accept("NOT");
  const predicate = parseNamedPredicate(tokens, value, location);
  return negated ? not(predicate, location) : predicate;
}

function parseComparison(tokens: TokenStream, left: Expression, operator: ComparisonOperator, location: Location): Expression {
  for (const word of ["ALL", "ANY", "SOME"] as const) {
    if (tokens.looksAt(word) && tokens.looksAt("(", 1) && startsQueryInParentheses(tokens, 1)) {
      tokens.advance();
      const query = parseQueryInParentheses(tokens);
      return { kind: "QuantifiedComparison", operator, quantifier: word === "ALL" ? "ALL" : "ANY", value: left, query, location };
    }
  }
  return { kind: "Comparison", operator, left, right: parseValueExpression(tokens), location };
}

function parseIs(tokens: TokenStream, value: Expression, location: Location): Expression {
  const negated = tokens.accept("NOT");
  if (tokens.accept("NULL")) {
    return negated ? { kind: "IsNotNull", value, location } : { kind: "IsNull", value, location };
  }
  const truth = tokens.acceptOneOf(["TRUE", "FALSE", "UNKNOWN"] as const);
  if (truth !== undefined) {
    const comparison = distinctFrom(value, truthValue(truth, location), location);
    return negated ? comparison : not(comparison, location);
  }
  tokens.expect("DISTINCT");
  tokens.expect("FROM");
  const comparison = distinctFrom(value, parseValueExpression(tokens), location);
  return negated ? not(comparison, location) : comparison;
}

function distinctFrom(left: Expression, right: Expression, location: Location): Expression {
  return { kind: "Comparison", operator: "IS DISTINCT FROM", left, right, location };
}

/** `x IS TRUE` is `x IS NOT DISTINCT FROM true`; UNKNOWN is the NULL of type boolean. */
function truthValue(truth: "TRUE" | "FALSE" | "UNKNOWN", location: Location): Expression {
  if (truth !== "UNKNOWN") {
    return { kind: "BooleanLiteral", value: truth === "TRUE", location };
  }
  const value: Expression = { kind: "NullLiteral", location };
  return { kind: "Cast", value, type: { kind: "GenericType", name: "boolean", arguments: [], location }, safe: false, location };
}

function parseNamedPredicate(tokens: TokenStream, value: Expression, location: Location): Expression {
  if (tokens.accept("BETWEEN")) {
    const min = parseValueExpression(tokens);
    tokens.expect("AND");
    return { kind: "Between", value, min, max: parseValueExpression(tokens), location };
  }
  if (tokens.accept("LIKE")) {
    const pattern = parseValueExpression(tokens);
    return tokens.accept("ESCAPE")
      ? { kind: "Like", value, pattern, escape: parseValueExpression(tokens), location }
      : { kind: "Like", value, pattern, location };
  }
  tokens.expect("IN");
  if (tokens.looksAt("(") && startsQuery(tokens, 1)) {
    return { kind: "InSubquery", value, query: parseQueryInParentheses(tokens), location };
  }
  tokens.expect("(");
  const list = tokens.list(() => parseExpression(tokens));
  const only = list[0];
  if (list.length === 1 && only?.kind === "SubqueryExpression" && !tokens.looksAt(")")) {
    const query = tokens.grammar.query(tokens, only);
    tokens.expect(")");
    return { kind: "InSubquery", value, query, location };
  }
  tokens.expect(")");
  return { kind: "InList", value, list, location };
}

function not(value: Expression, location: Location): Not {
  return { kind: "Not", value, location };
}
