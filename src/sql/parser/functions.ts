/**
 * Calls: arguments, FILTER, OVER and windows, and the calls whose arguments have words between them.
 */
import { functionCall, isBareName } from "../ast/ast.ts";
import type {
  Expression,
  FrameBound,
  Identifier,
  Location,
  QualifiedName,
  SortItem,
  Window,
  WindowFrame,
  WindowSpecification,
} from "../ast/expression-nodes.ts";
import { parseOrderBy } from "./sort.ts";
import type { ProcessingMode } from "../ast/patterns.ts";
import { parseMeasures, parseWindowPattern } from "./patterns.ts";
import type { TokenStream } from "./token-stream.ts";

export function parseFunctionCall(tokens: TokenStream, name: QualifiedName, processingMode?: ProcessingMode): Expression {
  tokens.expect("(");
  if (isBareName(name, "listagg") && processingMode === undefined) {
    return parseListagg(tokens, name);
  }
  const { args, star, starLabel, distinct, orderBy } = parseArguments(tokens);
  tokens.expect(")");
  const filter = parseFilter(tokens);
  const nullTreatment = parseNullTreatment(tokens);
  const window = parseOver(tokens);
  return {
    kind: "FunctionCall",
    name: isSpecialForm(name) ? { ...name, parts: name.parts.map((part) => ({ ...part, value: part.value.toLowerCase() })) } : name,
    arguments: args,
    star,
    ...(starLabel === undefined ? {} : { starLabel }),
    ...(processingMode === undefined ? {} : { processingMode }),
    distinct,
    orderBy,
    ...(filter === undefined ? {} : { filter }),
    ...(nullTreatment === undefined ? {} : { nullTreatment }),
    ...(window === undefined ? {} : { window }),
    location: processingMode?.location ?? name.location,
  };
}

/** Forms that Presto's grammar recognizes by name. */
function isSpecialForm(name: QualifiedName): boolean {
  return ["if", "coalesce", "nullif", "try"].some((word) => isBareName(name, word));
}

/**
 * `listagg(x, ',' ON OVERFLOW TRUNCATE '...' WITH COUNT) WITHIN GROUP (ORDER BY y)`. Omitted clauses become explicit defaults. The
 * arguments are always the text, the separator, whether overflow is an error, the filler, and whether a count follows it.
 */
function parseListagg(tokens: TokenStream, name: QualifiedName): Expression {
  const { location } = name;
  const distinct = tokens.acceptOneOf(["DISTINCT", "ALL"] as const) === "DISTINCT";
  const text = tokens.grammar.expression(tokens);
  const string = (value: string, at: Location): Expression => ({ kind: "StringLiteral", value, location: at });
  let separator = string("", location);
  if (tokens.accept(",")) {
    const at = tokens.location();
    separator = string(tokens.expectString(), at);
  }
  let [isError, filler, showsCount] = [true, "...", false];
  if (tokens.acceptWords("ON", "OVERFLOW") && tokens.expectOneOf(["ERROR", "TRUNCATE"]) === "TRUNCATE") {
    isError = false;
    filler = tokens.acceptString() ?? filler;
    showsCount = tokens.expectOneOf(["WITH", "WITHOUT"]) === "WITH";
    tokens.expect("COUNT");
  }
  tokens.expect(")");
  tokens.expect("WITHIN");
  tokens.expect("GROUP");
  tokens.expect("(");
  const orderBy = parseOrderBy(tokens);
  if (orderBy.length === 0) {
    throw tokens.mismatch();
  }
  tokens.expect(")");
  const filter = parseFilter(tokens);
  const boolean = (value: boolean): Expression => ({ kind: "BooleanLiteral", value, location });
  return {
    kind: "FunctionCall",
    name,
    arguments: [text, separator, boolean(isError), string(filler, location), boolean(showsCount)],
    star: false,
    distinct,
    orderBy,
    ...(filter === undefined ? {} : { filter }),
    location,
  };
}

interface Arguments {
  readonly args: readonly Expression[];
  readonly star: boolean;
  readonly starLabel?: Identifier;
  readonly distinct: boolean;
  readonly orderBy: readonly SortItem[];
}

function parseArguments(tokens: TokenStream): Arguments {
  if (tokens.looksAt("*") && tokens.looksAt(")", 1)) {
    tokens.advance();
    return { args: [], star: true, distinct: false, orderBy: [] };
  }
  if (tokens.looksAtIdentifier() && tokens.looksAt(".", 1) && tokens.looksAt("*", 2) && tokens.looksAt(")", 3)) {
    const starLabel = tokens.takeIdentifier();
    tokens.advance();
    tokens.advance();
    return { args: [], star: true, starLabel, distinct: false, orderBy: [] };
  }
  if (tokens.at(")")) {
    return { args: [], star: false, distinct: false, orderBy: [] };
  }
  const distinct = tokens.accept("DISTINCT");
  if (!distinct && tokens.looksAt("ALL") && !tokens.looksAt(")", 1) && !tokens.looksAt(",", 1) && !tokens.looksAt(".", 1)) {
    tokens.advance();
  }
  const args = tokens.list(() => tokens.grammar.expression(tokens));
  return { args, star: false, distinct, orderBy: parseOrderBy(tokens) };
}

function parseFilter(tokens: TokenStream): Expression | undefined {
  if (!tokens.looksAt("FILTER") || !tokens.looksAt("(", 1)) {
    return undefined;
  }
  tokens.advance();
  tokens.advance();
  tokens.expect("WHERE");
  const filter = tokens.grammar.expression(tokens);
  tokens.expect(")");
  return filter;
}

function parseNullTreatment(tokens: TokenStream): "IGNORE" | "RESPECT" | undefined {
  for (const word of ["IGNORE", "RESPECT"] as const) {
    if (tokens.looksAt(word) && tokens.looksAt("NULLS", 1)) {
      tokens.advance();
      tokens.advance();
      return word;
    }
  }
  return undefined;
}

export function parseOver(tokens: TokenStream): Window | undefined {
  if (!tokens.looksAt("OVER") || !(tokens.looksAt("(", 1) || tokens.looksAtIdentifier(1))) {
    return undefined;
  }
  tokens.advance();
  if (tokens.looksAt("(")) {
    return parseWindowSpecification(tokens);
  }
  const name = tokens.expectIdentifier();
  return { kind: "WindowReference", name, location: name.location };
}

export function parseWindowSpecification(tokens: TokenStream): WindowSpecification {
  const location = tokens.location();
  tokens.expect("(");
  const existingWindow = tokens.looksAtIdentifier() && !startsWindowClause(tokens) ? tokens.takeIdentifier() : undefined;
  const partitionBy = tokens.acceptWords("PARTITION", "BY") ? tokens.list(() => tokens.grammar.expression(tokens)) : [];
  const orderBy = parseOrderBy(tokens);
  const frame = parseFrame(tokens);
  tokens.expect(")");
  return {
    kind: "WindowSpecification",
    ...(existingWindow === undefined ? {} : { existingWindow }),
    partitionBy,
    orderBy,
    ...(frame === undefined ? {} : { frame }),
    location,
  };
}

/** PARTITION, RANGE, ROWS, GROUPS and MEASURES may also be window names; a window name is followed by the end or by another clause. */
function startsWindowClause(tokens: TokenStream): boolean {
  if (tokens.looksAt("PARTITION")) {
    return tokens.looksAt("BY", 1);
  }
  if (tokens.looksAt("MEASURES") && startsFrame(tokens, 1)) {
    return false;
  }
  const frame = tokens.looksAt("RANGE") || tokens.looksAt("ROWS") || tokens.looksAt("GROUPS") || tokens.looksAt("MEASURES");
  return frame && !tokens.looksAt(")", 1) && !tokens.looksAt("ORDER", 1) && !tokens.looksAt("PARTITION", 1);
}

/** `ROWS BETWEEN` or `ROWS 1 PRECEDING`: no measure begins like this. */
function startsFrame(tokens: TokenStream, ahead: number): boolean {
  const isType = ["RANGE", "ROWS", "GROUPS"].some((word) => tokens.looksAt(word, ahead));
  const isBound = ["BETWEEN", "UNBOUNDED", "CURRENT"].some((word) => tokens.looksAt(word, ahead + 1));
  return isType && (isBound || tokens.peek(ahead + 1).kind === "integer");
}

function parseFrame(tokens: TokenStream): WindowFrame | undefined {
  const location = tokens.location();
  const measures = parseMeasures(tokens);
  const types = ["RANGE", "ROWS", "GROUPS"] as const;
  const type = measures.length > 0 ? tokens.expectOneOf(types) : tokens.acceptOneOf(types);
  if (type === undefined) {
    return undefined;
  }
  const isBetween = tokens.accept("BETWEEN");
  const start = parseFrameBound(tokens);
  if (isBetween) {
    tokens.expect("AND");
  }
  const end = isBetween ? parseFrameBound(tokens) : undefined;
  const recognition = parseWindowPattern(tokens, measures);
  return {
    kind: "WindowFrame",
    type,
    start,
    ...(end === undefined ? {} : { end }),
    ...(recognition === undefined ? {} : { recognition }),
    location,
  };
}

function parseFrameBound(tokens: TokenStream): FrameBound {
  const location = tokens.location();
  if (tokens.at("CURRENT") && tokens.looksAt("ROW", 1)) {
    tokens.acceptWords("CURRENT", "ROW");
    return { kind: "FrameBound", type: "CURRENT ROW", location };
  }
  if (tokens.at("UNBOUNDED") && (tokens.looksAt("PRECEDING", 1) || tokens.looksAt("FOLLOWING", 1))) {
    tokens.advance();
    const side = tokens.expectOneOf(["PRECEDING", "FOLLOWING"]);
    return { kind: "FrameBound", type: `UNBOUNDED ${side}`, location };
  }
  const value = tokens.grammar.expression(tokens);
  return { kind: "FrameBound", type: tokens.expectOneOf(["PRECEDING", "FOLLOWING"]), value, location };
}

/** `POSITION(needle IN text)` is strpos(text, needle). With commas, it is an ordinary function call. */
export function parsePosition(tokens: TokenStream, location: Location): Expression {
  const name = tokens.takeIdentifier();
  tokens.expect("(");
  if (tokens.at(")")) {
    tokens.advance();
    return functionCall(name.value, [], location);
  }
  const first = tokens.grammar.valueExpression(tokens);
  if (tokens.accept("IN")) {
    const text = tokens.grammar.valueExpression(tokens);
    tokens.expect(")");
    return functionCall("strpos", [text, first], location);
  }
  return finishCall(tokens, name.value, tokens.grammar.continueExpression(tokens, first), location);
}

/** `SUBSTRING(text FROM start FOR length)` is substr(text, start, length). */
export function parseSubstring(tokens: TokenStream, location: Location): Expression {
  const name = tokens.takeIdentifier();
  tokens.expect("(");
  const first = tokens.grammar.expression(tokens);
  if (!tokens.accept("FROM")) {
    return finishCall(tokens, name.value, first, location);
  }
  const args = [first, tokens.grammar.valueExpression(tokens)];
  if (tokens.accept("FOR")) {
    args.push(tokens.grammar.valueExpression(tokens));
  }
  tokens.expect(")");
  return functionCall("substr", args, location);
}

/** `TRIM([LEADING | TRAILING | BOTH] [characters] FROM text)` is trim, ltrim or rtrim of (text, characters). */
export function parseTrim(tokens: TokenStream, location: Location): Expression {
  const name = tokens.takeIdentifier();
  tokens.expect("(");
  const side = parseTrimSide(tokens);
  if (side !== undefined && tokens.accept("FROM")) {
    const text = tokens.grammar.valueExpression(tokens);
    tokens.expect(")");
    return functionCall(side, [text], location);
  }
  const first = tokens.grammar.expression(tokens);
  if (tokens.accept("FROM")) {
    const text = tokens.grammar.valueExpression(tokens);
    tokens.expect(")");
    return functionCall(side ?? "trim", [text, first], location);
  }
  if (side !== undefined) {
    throw tokens.mismatch();
  }
  return finishCall(tokens, name.value, first, location);
}

/** The keywords may also be names: `trim(both)`. */
function parseTrimSide(tokens: TokenStream): "trim" | "ltrim" | "rtrim" | undefined {
  const next = tokens.peek(1);
  if (next.kind === "operator" && next.value !== "(") {
    return undefined;
  }
  const word = tokens.acceptOneOf(["LEADING", "TRAILING", "BOTH"]);
  return word === undefined ? undefined : word === "LEADING" ? "ltrim" : word === "TRAILING" ? "rtrim" : "trim";
}

/** Parses the rest of a call after its first argument. */
function finishCall(tokens: TokenStream, name: string, first: Expression, location: Location): Expression {
  const others = tokens.repeat(
    () => tokens.accept(","),
    () => tokens.grammar.expression(tokens),
  );
  tokens.expect(")");
  return functionCall(name, [first, ...others], location);
}
