/**
 * Operands of expressions: literals, names, calls, CASE, CAST, what stands in parentheses.
 */
import { functionCall } from "../ast/ast.ts";
import type { CurrentName, CurrentTime, Expression, Identifier, IntervalField, Location, WhenClause } from "../ast/expression-nodes.ts";
import { parseFunctionCall, parseOver, parsePosition, parseSubstring, parseTrim } from "./functions.ts";
import { parseJsonArray, parseJsonExists, parseJsonObject, parseJsonQuery, parseJsonValue } from "./json/json-functions.ts";
import { parseQueryInParentheses, startsQuery } from "./subqueries.ts";
import { parseType } from "./types.ts";
import type { Token } from "./lexer.ts";
import { isReserved } from "./reserved-words.ts";
import type { TokenStream } from "./token-stream.ts";

const intervalFields: readonly IntervalField[] = ["DAY", "HOUR", "MINUTE", "MONTH", "SECOND", "WEEK", "YEAR"];

type WordParser = (tokens: TokenStream, location: Location) => Expression;

/** Reserved words that begin an operand wherever one is allowed. */
const reservedForms: ReadonlyMap<string, WordParser> = new Map<string, WordParser>([
  ["NULL", (tokens, location) => (tokens.advance(), { kind: "NullLiteral", location })],
  ["TRUE", (tokens, location) => (tokens.advance(), { kind: "BooleanLiteral", value: true, location })],
  ["FALSE", (tokens, location) => (tokens.advance(), { kind: "BooleanLiteral", value: false, location })],
  ["CASE", parseCase],
  ["CAST", (tokens, location) => parseCast(tokens, location, false)],
  ["EXISTS", parseExists],
  ["EXTRACT", parseExtract],
  ["GROUPING", (tokens, location) => parseReservedCall(tokens, "grouping", location)],
  ["NORMALIZE", parseNormalize],
  ...(["CURRENT_DATE", "CURRENT_TIME", "CURRENT_TIMESTAMP", "LOCALTIME", "LOCALTIMESTAMP"] as const).map((word): [string, WordParser] => [
    word,
    (tokens, location) => parseCurrentTime(tokens, word, location),
  ]),
  ...(["CURRENT_USER", "CURRENT_CATALOG", "CURRENT_SCHEMA", "CURRENT_PATH"] as const).map((name): [string, WordParser] => [
    name,
    (tokens, location): CurrentName => (tokens.advance(), { kind: "CurrentName", name, location }),
  ]),
]);

/** Words that begin a special form if `(` follows, and are names otherwise. */
const callForms: ReadonlyMap<string, WordParser> = new Map<string, WordParser>([
  ["TRY_CAST", (tokens, location) => parseCast(tokens, location, true)],
  ["ROW", parseRowConstructor],
  ["POSITION", parsePosition],
  ["SUBSTRING", parseSubstring],
  ["TRIM", parseTrim],
  ["JSON_EXISTS", parseJsonExists],
  ["JSON_VALUE", parseJsonValue],
  ["JSON_QUERY", parseJsonQuery],
  ["JSON_OBJECT", parseJsonObject],
  ["JSON_ARRAY", parseJsonArray],
]);

/** Returns whether the reserved word can begin an operand. */
export function startsOperand(reservedWord: string): boolean {
  return reservedForms.has(reservedWord) || reservedWord === "NOT";
}

export function parsePrimary(tokens: TokenStream): Expression {
  const { current } = tokens;
  switch (current.kind) {
    case "word":
      return parseWord(tokens, current);
    case "operator":
      return parseSymbol(tokens, current);
    case "quoted":
      return parseNameOrCall(tokens);
    case "eof":
    case "unrecognized":
      return noExpression(tokens);
    default:
      return parseLiteral(tokens, current.kind);
  }
}

function noExpression(tokens: TokenStream): never {
  tokens.welcome("<expression>");
  throw tokens.mismatch();
}

function parseLiteral(tokens: TokenStream, kind: "string" | "binary" | "integer" | "decimal" | "double"): Expression {
  const location = tokens.location();
  const { value } = tokens.advance();
  switch (kind) {
    case "string":
      return { kind: "StringLiteral", value, location };
    case "binary":
      return { kind: "BinaryLiteral", value, location };
    case "integer":
      return { kind: "LongLiteral", value, location };
    case "decimal":
      return { kind: "DecimalLiteral", value, location };
    case "double":
      return { kind: "DoubleLiteral", value: Number(value), location };
  }
}

function parseSymbol(tokens: TokenStream, token: Token): Expression {
  if (token.value === "?") {
    const location = tokens.location();
    tokens.advance();
    return { kind: "Parameter", position: tokens.nextParameter(), location };
  }
  return token.value === "(" ? parseParenthesized(tokens) : noExpression(tokens);
}

function parseWord(tokens: TokenStream, token: Token): Expression {
  const word = token.value;
  const location = tokens.location();
  const reserved = reservedForms.get(word);
  if (reserved !== undefined) {
    return reserved(tokens, location);
  }
  if (isReserved(word)) {
    return noExpression(tokens);
  }
  const next = tokens.peek(1);
  if (next.kind === "operator" && next.value === "(") {
    const form = callForms.get(word);
    return form === undefined ? parseNameOrCall(tokens) : form(tokens, location);
  }
  if ((word === "RUNNING" || word === "FINAL") && startsCall(tokens, 1) && !tokens.looksAt("OVER", 1)) {
    return parseInMode(tokens);
  }
  if (word === "INTERVAL" && (next.kind === "string" || (isSign(next) && tokens.peek(2).kind === "string"))) {
    return parseInterval(tokens, location);
  }
  if (next.kind === "string") {
    tokens.advance();
    return { kind: "GenericLiteral", type: token.text.toLowerCase(), value: tokens.expectString(), location };
  }
  if (word === "DOUBLE" && tokens.looksAt("PRECISION", 1) && tokens.peek(2).kind === "string") {
    tokens.advance();
    tokens.advance();
    return { kind: "GenericLiteral", type: "double", value: tokens.expectString(), location };
  }
  if (word === "ARRAY" && tokens.looksAt("[", 1)) {
    return parseArray(tokens, location);
  }
  return parseNameOrCall(tokens);
}

function isSign(token: Token): boolean {
  return token.kind === "operator" && (token.value === "+" || token.value === "-");
}

/** Parses a name, `x -> body`, `f(..)` or `catalog.schema.f(..)`. Dereferences of a name that is not called are parsed as operators. */
function parseNameOrCall(tokens: TokenStream): Expression {
  const first = tokens.peek(1);
  if (first.kind === "string" && tokens.current.kind === "quoted") {
    const location = tokens.location();
    return { kind: "GenericLiteral", type: tokens.advance().value.toLowerCase(), value: tokens.expectString(), location };
  }
  if (tokens.looksAt("->", 1)) {
    const location = tokens.location();
    const parameter = tokens.takeIdentifier();
    return parseLambdaBody(tokens, [parameter], location);
  }
  if (startsCall(tokens, 0)) {
    return parseFunctionCall(tokens, tokens.expectQualifiedName());
  }
  const name = tokens.takeIdentifier();
  const window = parseOver(tokens);
  return window === undefined ? name : { kind: "WindowMeasure", name, window, location: name.location };
}

/** Returns whether a name followed by arguments begins at this token. */
function startsCall(tokens: TokenStream, ahead: number): boolean {
  let end = ahead + 1;
  while (tokens.looksAt(".", end) && tokens.looksAtIdentifier(end + 1)) {
    end += 2;
  }
  return tokens.looksAtIdentifier(ahead) && tokens.looksAt("(", end);
}

/** `RUNNING f(..)`, `FINAL f(..)` */
function parseInMode(tokens: TokenStream): Expression {
  const location = tokens.location();
  const mode = tokens.expectOneOf(["RUNNING", "FINAL"] as const);
  return parseFunctionCall(tokens, tokens.expectQualifiedName(), { kind: "ProcessingMode", mode, location });
}

function parseLambdaBody(tokens: TokenStream, parameters: readonly Identifier[], location: Location): Expression {
  tokens.expect("->");
  return { kind: "Lambda", parameters, body: tokens.grammar.expression(tokens), location };
}

function parseParenthesized(tokens: TokenStream): Expression {
  const location = tokens.location();
  if (startsQuery(tokens, 1)) {
    return { kind: "SubqueryExpression", query: parseQueryInParentheses(tokens), location };
  }
  if (tokens.once(() => startsLambda(tokens))) {
    tokens.advance();
    const parameters = tokens.looksAt(")") ? [] : tokens.list(() => tokens.expectIdentifier());
    tokens.expect(")");
    return parseLambdaBody(tokens, parameters, location);
  }
  tokens.advance();
  tokens.welcome("<query>");
  const first = tokens.grammar.expression(tokens);
  if (first.kind === "SubqueryExpression" && !tokens.looksAt(")") && !tokens.looksAt(",")) {
    const query = tokens.grammar.query(tokens, first);
    tokens.expect(")");
    return { kind: "SubqueryExpression", query, location };
  }
  if (!tokens.accept(",")) {
    tokens.expect(")");
    return first;
  }
  const items = [first, ...tokens.list(() => tokens.grammar.expression(tokens))];
  tokens.expect(")");
  return { kind: "Row", items, location };
}

/** `() ->`, `(x) ->`, `(x, y) ->` */
function startsLambda(tokens: TokenStream): boolean {
  let ahead = 1;
  while (tokens.looksAtIdentifier(ahead)) {
    ahead++;
    if (!tokens.looksAt(",", ahead)) {
      break;
    }
    ahead++;
  }
  return tokens.looksAt(")", ahead) && tokens.looksAt("->", ahead + 1);
}

export function parseIntervalLiteral(tokens: TokenStream): Expression {
  if (!tokens.at("INTERVAL")) {
    throw tokens.mismatch();
  }
  return parseInterval(tokens, tokens.location());
}

function parseInterval(tokens: TokenStream, location: Location): Expression {
  tokens.advance();
  const sign = tokens.acceptOneOf(["+", "-"]) ?? "+";
  const value = tokens.expectString();
  const startField = parseIntervalField(tokens);
  if (!tokens.looksAt("TO")) {
    return { kind: "IntervalLiteral", value, sign, startField, location };
  }
  tokens.advance();
  return { kind: "IntervalLiteral", value, sign, startField, endField: parseIntervalField(tokens), location };
}

/** The standard's precision after a field, as in `day (3)`, is accepted and ignored, because TPC-H uses it. */
function parseIntervalField(tokens: TokenStream): IntervalField {
  const field = tokens.expectOneOf(intervalFields);
  if (tokens.looksAt("(") && tokens.peek(1).kind === "integer") {
    tokens.advance();
    tokens.expectInteger();
    tokens.expect(")");
  }
  return field;
}

function parseCurrentTime(tokens: TokenStream, name: CurrentTime["function"], location: Location): CurrentTime {
  tokens.advance();
  if (name === "CURRENT_DATE" || !tokens.looksAt("(")) {
    return { kind: "CurrentTime", function: name, location };
  }
  tokens.advance();
  const precision = tokens.takeParameter();
  tokens.expect(")");
  return { kind: "CurrentTime", function: name, precision, location };
}

function parseCase(tokens: TokenStream, location: Location): Expression {
  tokens.advance();
  const operand = tokens.at("WHEN") ? undefined : tokens.grammar.expression(tokens);
  const whenClauses = tokens.repeat(
    (count) => count === 0 || tokens.at("WHEN"),
    (): WhenClause => {
      const whenLocation = tokens.location();
      tokens.expect("WHEN");
      const predicate = operand === undefined ? undefined : tokens.grammar.predicate(tokens, operand);
      const condition = predicate ?? tokens.grammar.expression(tokens);
      tokens.expect("THEN");
      const result = tokens.grammar.expression(tokens);
      const clause: WhenClause = { kind: "WhenClause", operand: condition, result, location: whenLocation };
      return predicate === undefined ? clause : { ...clause, isPredicate: true };
    },
  );
  const defaultValue = tokens.accept("ELSE") ? tokens.grammar.expression(tokens) : undefined;
  tokens.expect("END");
  return {
    kind: "Case",
    ...(operand === undefined ? {} : { operand }),
    whenClauses,
    ...(defaultValue === undefined ? {} : { defaultValue }),
    location,
  };
}

function parseCast(tokens: TokenStream, location: Location, safe: boolean): Expression {
  tokens.advance();
  tokens.expect("(");
  const value = tokens.grammar.expression(tokens);
  tokens.expect("AS");
  const type = parseType(tokens);
  tokens.expect(")");
  return { kind: "Cast", value, type, safe, location };
}

function parseExists(tokens: TokenStream, location: Location): Expression {
  tokens.advance();
  return { kind: "Exists", query: parseQueryInParentheses(tokens), location };
}

function parseExtract(tokens: TokenStream, location: Location): Expression {
  tokens.advance();
  tokens.expect("(");
  const field = tokens.expectIdentifier().value.toUpperCase();
  tokens.expect("FROM");
  const value = tokens.grammar.valueExpression(tokens);
  tokens.expect(")");
  return { kind: "Extract", field, value, location };
}

function parseRowConstructor(tokens: TokenStream, location: Location): Expression {
  tokens.advance();
  tokens.expect("(");
  const items = tokens.list(() => tokens.grammar.expression(tokens));
  tokens.expect(")");
  return { kind: "Row", items, location };
}

function parseArray(tokens: TokenStream, location: Location): Expression {
  tokens.advance();
  tokens.expect("[");
  const items = tokens.at("]") ? [] : tokens.list(() => tokens.grammar.expression(tokens));
  tokens.expect("]");
  return { kind: "ArrayConstructor", items, location };
}

/** A function whose name is a reserved word. */
function parseReservedCall(tokens: TokenStream, name: string, location: Location): Expression {
  tokens.advance();
  tokens.expect("(");
  const args = tokens.at(")") ? [] : tokens.list(() => tokens.grammar.expression(tokens));
  tokens.expect(")");
  return functionCall(name, args, location);
}

/** `NORMALIZE(s, NFD)`: the form is a keyword, passed to the function as a string. */
function parseNormalize(tokens: TokenStream, location: Location): Expression {
  tokens.advance();
  tokens.expect("(");
  const value = tokens.grammar.valueExpression(tokens);
  const formLocation = tokens.location();
  const form = tokens.accept(",") ? tokens.expectOneOf(["NFD", "NFC", "NFKD", "NFKC"]) : "NFC";
  tokens.expect(")");
  return functionCall("normalize", [value, { kind: "StringLiteral", value: form, location: formLocation }], location);
}
