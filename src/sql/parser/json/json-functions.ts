/** JSON_EXISTS, JSON_VALUE, JSON_QUERY, JSON_OBJECT and JSON_ARRAY, and the clauses that JSON_TABLE shares with them. */
import type { Expression, Location } from "../../ast/expression-nodes.ts";
import { parseType } from "../types.ts";
import type { TokenStream } from "../token-stream.ts";
import type {
  JsonArgument,
  JsonArray,
  JsonEncoding,
  JsonExists,
  JsonFormat,
  JsonInput,
  JsonObject,
  JsonObjectMember,
  JsonPathInvocation,
  JsonPathLiteral,
  JsonQuery,
  JsonQueryBehavior,
  JsonQuotes,
  JsonReturning,
  JsonValue,
  JsonValueBehavior,
  JsonWrapper,
} from "../../ast/json.ts";

const encodings: readonly JsonEncoding[] = ["UTF8", "UTF16", "UTF32"];

/** Parses the rest of a form after its name and opening parenthesis. */
function inParentheses<T>(tokens: TokenStream, parse: () => T): T {
  tokens.advance();
  tokens.expect("(");
  const parsed = parse();
  tokens.expect(")");
  return parsed;
}

export function parseJsonExists(tokens: TokenStream, location: Location): JsonExists {
  return inParentheses(tokens, () => {
    const invocation = parsePathInvocation(tokens);
    const errorBehavior = tokens.acceptOneOf(["TRUE", "FALSE", "UNKNOWN", "ERROR"] as const);
    if (errorBehavior !== undefined) {
      tokens.expect("ON");
      tokens.expect("ERROR");
    }
    return { kind: "JsonExists", invocation, errorBehavior: errorBehavior ?? "FALSE", location };
  });
}

export function parseJsonValue(tokens: TokenStream, location: Location): JsonValue {
  return inParentheses(tokens, () => {
    const invocation = parsePathInvocation(tokens);
    const returning = tokens.accept("RETURNING") ? parseType(tokens) : undefined;
    return {
      kind: "JsonValue",
      invocation,
      ...(returning === undefined ? {} : { returning }),
      emptyBehavior: { kind: "JsonValueBehavior", type: "NULL", location },
      errorBehavior: { kind: "JsonValueBehavior", type: "NULL", location },
      ...parseBehaviors(tokens, () => parseValueBehavior(tokens)),
      location,
    };
  });
}

export function parseJsonQuery(tokens: TokenStream, location: Location): JsonQuery {
  return inParentheses(tokens, () => {
    const invocation = parsePathInvocation(tokens);
    const returning = parseReturning(tokens);
    return {
      kind: "JsonQuery",
      invocation,
      ...(returning === undefined ? {} : { returning }),
      wrapper: "WITHOUT",
      emptyBehavior: "NULL",
      errorBehavior: "NULL",
      ...parseQueryClauses(tokens),
      location,
    };
  });
}

export interface QueryClauses {
  readonly wrapper?: JsonWrapper;
  readonly quotes?: JsonQuotes;
  readonly emptyBehavior?: JsonQueryBehavior;
  readonly errorBehavior?: JsonQueryBehavior;
}

/** Parses wrapper, quotes and behaviors. */
export function parseQueryClauses(tokens: TokenStream): QueryClauses {
  const wrapper = parseWrapper(tokens);
  const quotes = parseQuotes(tokens);
  return {
    ...(wrapper === undefined ? {} : { wrapper }),
    ...(quotes === undefined ? {} : { quotes }),
    ...parseBehaviors(tokens, () => parseQueryBehavior(tokens)),
  };
}

export function parsePathInvocation(tokens: TokenStream): JsonPathInvocation {
  const location = tokens.location();
  const given = parseInput(tokens);
  const input: JsonInput = { ...given, format: given.format ?? { kind: "JsonFormat", location } };
  tokens.expect(",");
  const path = parsePathLiteral(tokens);
  const pathName = tokens.accept("AS") ? tokens.expectIdentifier() : undefined;
  const passing = tokens.accept("PASSING") ? tokens.list(() => parseArgument(tokens)) : [];
  return { kind: "JsonPathInvocation", input, path, ...(pathName === undefined ? {} : { pathName }), passing, location };
}

export function parsePathLiteral(tokens: TokenStream): JsonPathLiteral {
  const location = tokens.location();
  return { kind: "JsonPathLiteral", value: tokens.expectString(), location };
}

function parseArgument(tokens: TokenStream): JsonArgument {
  const input = parseInput(tokens);
  tokens.expect("AS");
  return { kind: "JsonArgument", input, name: tokens.expectIdentifier(), location: input.location };
}

function parseInput(tokens: TokenStream): JsonInput {
  const location = tokens.location();
  const value = tokens.grammar.expression(tokens);
  const format = parseFormat(tokens);
  return { kind: "JsonInput", value, ...(format === undefined ? {} : { format }), location };
}

export function parseFormat(tokens: TokenStream): JsonFormat | undefined {
  const location = tokens.location();
  if (!tokens.accept("FORMAT")) {
    return undefined;
  }
  tokens.expect("JSON");
  const encoding = tokens.accept("ENCODING") ? tokens.expectOneOf(encodings) : undefined;
  return { kind: "JsonFormat", ...(encoding === undefined ? {} : { encoding }), location };
}

function parseReturning(tokens: TokenStream): JsonReturning | undefined {
  const location = tokens.location();
  if (!tokens.accept("RETURNING")) {
    return undefined;
  }
  const type = parseType(tokens);
  const format = parseFormat(tokens);
  return { kind: "JsonReturning", type, ...(format === undefined ? {} : { format }), location };
}

interface Behaviors<T> {
  readonly emptyBehavior?: T;
  readonly errorBehavior?: T;
}

/** `b ON EMPTY b ON ERROR`; both are optional. */
export function parseBehaviors<T>(tokens: TokenStream, parse: () => T | undefined): Behaviors<T> {
  const first = parse();
  if (first === undefined) {
    return {};
  }
  tokens.expect("ON");
  if (tokens.expectOneOf(["EMPTY", "ERROR"]) === "ERROR") {
    return { errorBehavior: first };
  }
  const second = parse();
  if (second === undefined) {
    return { emptyBehavior: first };
  }
  tokens.expect("ON");
  tokens.expect("ERROR");
  return { emptyBehavior: first, errorBehavior: second };
}

export function parseValueBehavior(tokens: TokenStream): JsonValueBehavior | undefined {
  const location = tokens.location();
  const type = tokens.acceptOneOf(["ERROR", "NULL", "DEFAULT"] as const);
  if (type === undefined) {
    return undefined;
  }
  return { kind: "JsonValueBehavior", type, ...(type === "DEFAULT" ? { default: tokens.grammar.expression(tokens) } : {}), location };
}

function parseQueryBehavior(tokens: TokenStream): JsonQueryBehavior | undefined {
  const word = tokens.acceptOneOf(["ERROR", "NULL", "EMPTY"] as const);
  return word === "EMPTY" ? `EMPTY ${tokens.expectOneOf(["ARRAY", "OBJECT"] as const)}` : word;
}

function parseWrapper(tokens: TokenStream): JsonWrapper | undefined {
  const word = tokens.acceptOneOf(["WITHOUT", "WITH"] as const);
  if (word === undefined) {
    return undefined;
  }
  const condition = word === "WITH" ? tokens.acceptOneOf(["CONDITIONAL", "UNCONDITIONAL"] as const) : undefined;
  tokens.accept("ARRAY");
  tokens.expect("WRAPPER");
  return word === "WITHOUT" ? "WITHOUT" : (condition ?? "UNCONDITIONAL");
}

function parseQuotes(tokens: TokenStream): JsonQuotes | undefined {
  const quotes = tokens.acceptOneOf(["KEEP", "OMIT"] as const);
  if (quotes !== undefined) {
    tokens.expect("QUOTES");
    if (tokens.acceptWords("ON", "SCALAR")) {
      tokens.expect("STRING");
    }
  }
  return quotes;
}

export function parseJsonObject(tokens: TokenStream, location: Location): JsonObject {
  return inParentheses(tokens, () => {
    const isEmpty = tokens.at(")") || tokens.looksAt("RETURNING");
    const members = isEmpty ? [] : tokens.list(() => parseMember(tokens));
    const nulls = isEmpty ? undefined : parseNulls(tokens);
    const uniqueness = isEmpty ? undefined : tokens.acceptOneOf(["WITH", "WITHOUT"] as const);
    if (uniqueness !== undefined) {
      tokens.expect("UNIQUE");
      tokens.accept("KEYS");
    }
    const returning = parseReturning(tokens);
    return {
      kind: "JsonObject",
      members,
      nulls: nulls ?? "NULL",
      uniqueKeys: uniqueness === "WITH",
      ...(returning === undefined ? {} : { returning }),
      location,
    };
  });
}

export function parseJsonArray(tokens: TokenStream, location: Location): JsonArray {
  return inParentheses(tokens, () => {
    const isEmpty = tokens.at(")") || tokens.looksAt("RETURNING");
    const elements = isEmpty ? [] : tokens.list(() => parseInput(tokens));
    const nulls = isEmpty ? undefined : parseNulls(tokens);
    const returning = parseReturning(tokens);
    return {
      kind: "JsonArray",
      elements,
      nulls: nulls ?? "ABSENT",
      ...(returning === undefined ? {} : { returning }),
      location,
    };
  });
}

function parseNulls(tokens: TokenStream): "NULL" | "ABSENT" | undefined {
  const word = tokens.acceptOneOf(["NULL", "ABSENT"] as const);
  if (word !== undefined) {
    tokens.expect("ON");
    tokens.expect("NULL");
  }
  return word;
}

/** `[KEY] key VALUE value` or `key : value`. */
function parseMember(tokens: TokenStream): JsonObjectMember {
  const location = tokens.location();
  if (tokens.looksAt("KEY") && opensKey(tokens)) {
    tokens.advance();
    const key = tokens.grammar.expression(tokens);
    tokens.expect("VALUE");
    return member(key, parseInput(tokens), location);
  }
  const key = tokens.grammar.expression(tokens);
  tokens.expectOneOf(["VALUE", ":"]);
  return member(key, parseInput(tokens), location);
}

function member(key: Expression, value: JsonInput, location: Location): JsonObjectMember {
  return { kind: "JsonObjectMember", key, value, location };
}

/** KEY and VALUE may also be names: `key VALUE 1`, `KEY value VALUE 1`. */
function opensKey(tokens: TokenStream): boolean {
  if (!tokens.looksAt("VALUE", 1)) {
    return startsExpression(tokens, 1, wordsBehindOperands);
  }
  return (tokens.looksAt("VALUE", 2) && startsExpression(tokens, 3)) || tokens.looksAt(".", 2) || tokens.looksAt("[", 2);
}

const wordsBehindOperands: readonly string[] = "AND OR BETWEEN IN LIKE IS".split(" ");
const wordsBehindValues: readonly string[] = [...wordsBehindOperands, ..."VALUE FORMAT ABSENT WITH WITHOUT RETURNING".split(" ")];

/** `behind` are keywords that continue the preceding expression and do not begin a new one. */
function startsExpression(tokens: TokenStream, ahead: number, behind = wordsBehindValues): boolean {
  const { kind, value } = tokens.peek(ahead);
  if (kind === "operator") {
    return ["(", "+", "-", "?"].includes(value);
  }
  const goesOn =
    (tokens.looksAt("AT", ahead) && tokens.looksAt("TIME", ahead + 1)) || (value === "NULL" && tokens.looksAt("ON", ahead + 1));
  const isClause = kind === "word" && (goesOn || behind.includes(value));
  return kind !== "eof" && !isClause;
}
