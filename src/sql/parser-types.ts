/**
 * Types as written: `varchar(10)`, `array(row(a bigint, b varchar))`, `timestamp(3) with time zone`. Called by the expression and statement parsers.
 */
import type { GenericType, RowTypeField, TypeSyntax } from "./expressions.ts";
import type { TokenStream } from "./token-stream.ts";

export function parseType(tokens: TokenStream): TypeSyntax {
  return tokens.nested(() => {
    let type = parseBaseType(tokens);
    while (tokens.looksAt("ARRAY")) {
      tokens.advance();
      tokens.grow(1);
      type = { kind: "GenericType", name: "array", arguments: [type], location: type.location };
    }
    return type;
  });
}

function parseBaseType(tokens: TokenStream): TypeSyntax {
  const location = tokens.location();
  if (tokens.looksAt("ROW") && tokens.looksAt("(", 1)) {
    tokens.advance();
    tokens.advance();
    const fields = tokens.list(() => parseRowField(tokens));
    tokens.expect(")");
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
  const args = tokens.accept("(") ? parseTypeArguments(tokens) : [];
  const temporal = !written.delimited && (base === "time" || base === "timestamp");
  const name = temporal ? base + parseZoneSuffix(tokens) : base;
  return { kind: "GenericType", name, arguments: args, location };
}

function parseTypeArguments(tokens: TokenStream): readonly (TypeSyntax | number)[] {
  const args = tokens.list(() => {
    if (tokens.current.kind === "integer") {
      return Number(tokens.advance().value);
    }
    tokens.welcome("<integer>");
    return parseType(tokens);
  });
  tokens.expect(")");
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

/** `name type` or a type alone: two words in a row are a name and its type, but for the types of two words. */
function parseRowField(tokens: TokenStream): RowTypeField {
  const location = tokens.location();
  if (tokens.looksAtIdentifier() && startsType(tokens, 1) && !startsTwoWordType(tokens)) {
    const name = tokens.takeIdentifier();
    return { kind: "RowTypeField", name, type: parseType(tokens), location };
  }
  return { kind: "RowTypeField", type: parseType(tokens), location };
}

function startsType(tokens: TokenStream, ahead: number): boolean {
  return tokens.looksAtIdentifier(ahead) && !(tokens.looksAt("ARRAY", ahead) && !tokens.looksAt("(", ahead + 1));
}

function startsTwoWordType(tokens: TokenStream): boolean {
  return (
    (tokens.looksAt("DOUBLE") && tokens.looksAt("PRECISION", 1)) ||
    (tokens.looksAt("INTERVAL") && (tokens.looksAt("DAY", 1) || tokens.looksAt("YEAR", 1)) && tokens.looksAt("TO", 2)) ||
    ((tokens.looksAt("TIME") || tokens.looksAt("TIMESTAMP")) && tokens.looksAt("WITHOUT", 1))
  );
}
