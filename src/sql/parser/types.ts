/**
 * Parses types: `varchar(10)`, `array(row(a bigint, b varchar))`, `timestamp(3) with time zone`, and the standard's arrays, maps and rows
 * in angle brackets.
 */
import type { GenericType, Identifier, RowTypeField, TypeSyntax } from "../ast/expression-nodes.ts";
import type { TokenStream } from "./token-stream.ts";

export function parseType(tokens: TokenStream): TypeSyntax {
  return tokens.nested(() => {
    let type = parseBaseType(tokens);
    while (tokens.looksAt("ARRAY")) {
      tokens.advance();
      parseArrayLength(tokens);
      tokens.grow(1);
      type = { kind: "GenericType", name: "array", arguments: [type], location: type.location };
    }
    return type;
  });
}

/** `bigint ARRAY[5]`: the standard's maximum cardinality, which is ignored. */
function parseArrayLength(tokens: TokenStream): void {
  if (tokens.looksAt("[") && tokens.peek(1).kind === "integer") {
    tokens.advance();
    tokens.advance();
    tokens.expect("]");
  }
}

type Bracket = "(" | "<";

function closeBracket(tokens: TokenStream, opened: Bracket): void {
  if (opened === "(") {
    tokens.expect(")");
  } else {
    tokens.expectClosingAngle();
  }
}

function parseBaseType(tokens: TokenStream): TypeSyntax {
  const location = tokens.location();
  if (tokens.looksAt("ROW") && (tokens.looksAt("(", 1) || tokens.looksAt("<", 1))) {
    tokens.advance();
    const opened: Bracket = tokens.advance().value === "(" ? "(" : "<";
    const fields = tokens.list(() => parseRowField(tokens));
    closeBracket(tokens, opened);
    return { kind: "RowType", fields, location };
  }
  if (tokens.looksAt("INTERVAL")) {
    return parseIntervalType(tokens);
  }
  if (!tokens.looksAtIdentifier()) {
    tokens.welcome("<type>");
    throw tokens.mismatch();
  }
  const written = tokens.takeIdentifier();
  const base = written.value.toLowerCase();
  if (base === "double" && tokens.looksAt("PRECISION")) {
    tokens.advance();
    return { kind: "GenericType", name: "double", arguments: [], location };
  }
  const takesAngles = !written.delimited && (base === "array" || base === "map");
  const opened = tokens.acceptOneOf<Bracket>(takesAngles ? ["(", "<"] : ["("]);
  const args = opened === undefined ? [] : parseTypeArguments(tokens, opened);
  const temporal = !written.delimited && (base === "time" || base === "timestamp");
  const name = temporal ? base + parseZoneSuffix(tokens) : base;
  return { kind: "GenericType", name, arguments: args, location };
}

function parseTypeArguments(tokens: TokenStream, opened: Bracket): readonly (TypeSyntax | number)[] {
  const args = tokens.list(() => {
    if (tokens.current.kind === "integer") {
      return tokens.takeParameter();
    }
    tokens.welcome("<integer>");
    return parseType(tokens);
  });
  closeBracket(tokens, opened);
  return args;
}

function parseZoneSuffix(tokens: TokenStream): string {
  if (tokens.looksAt("WITH") && tokens.looksAt("TIME", 1)) {
    tokens.acceptWords("WITH", "TIME", "ZONE");
    return " with time zone";
  }
  if (tokens.looksAt("WITHOUT") && tokens.looksAt("TIME", 1)) {
    tokens.acceptWords("WITHOUT", "TIME", "ZONE");
  }
  return "";
}

function parseIntervalType(tokens: TokenStream): GenericType {
  const location = tokens.location();
  tokens.expect("INTERVAL");
  const from = tokens.expectOneOf(["DAY", "YEAR"]);
  tokens.expect("TO");
  const to = tokens.expectOneOf([from === "DAY" ? "SECOND" : "MONTH"]);
  return { kind: "GenericType", name: `interval ${from} to ${to}`.toLowerCase(), arguments: [], location };
}

function parseRowField(tokens: TokenStream): RowTypeField {
  const location = tokens.location();
  return { kind: "RowTypeField", ...parseNamedType(tokens), location };
}

/** Parses `name type` or a type alone. Two words are a name and its type, unless they are a type of two words. */
function parseNamedType(tokens: TokenStream): { readonly name?: Identifier; readonly type: TypeSyntax } {
  if (tokens.looksAtIdentifier() && startsType(tokens, 1) && !startsTwoWordType(tokens)) {
    const name = tokens.takeIdentifier();
    return { name, type: parseType(tokens) };
  }
  return { type: parseType(tokens) };
}

function startsType(tokens: TokenStream, ahead: number): boolean {
  const isBracket = tokens.looksAt("(", ahead + 1) || tokens.looksAt("<", ahead + 1);
  return tokens.looksAtIdentifier(ahead) && !(tokens.looksAt("ARRAY", ahead) && !isBracket);
}

function startsTwoWordType(tokens: TokenStream): boolean {
  return (
    (tokens.looksAt("DOUBLE") && tokens.looksAt("PRECISION", 1)) ||
    (tokens.looksAt("INTERVAL") && (tokens.looksAt("DAY", 1) || tokens.looksAt("YEAR", 1)) && tokens.looksAt("TO", 2)) ||
    ((tokens.looksAt("TIME") || tokens.looksAt("TIMESTAMP")) && tokens.looksAt("WITHOUT", 1))
  );
}
