/**
 * Parses row pattern recognition in MATCH_RECOGNIZE and in window frames.
 */
import type { Location } from "../ast/expression-nodes.ts";
import { parseOrderBy } from "./sort.ts";
import type { Relation } from "../ast/relations.ts";
import type { TokenStream } from "./token-stream.ts";
import type {
  AfterMatchSkip,
  MeasureDefinition,
  PatternQuantifier,
  PatternRecognition,
  PatternSearchMode,
  RowPattern,
  RowsPerMatch,
  SubsetDefinition,
  VariableDefinition,
  WindowPattern,
} from "../ast/patterns.ts";

const firstClauses: readonly string[] = "PARTITION ORDER MEASURES ONE ALL AFTER INITIAL SEEK PATTERN".split(" ");

/** MATCH_RECOGNIZE may also be an alias with a column list. */
export function startsPatternRecognition(tokens: TokenStream): boolean {
  return (
    tokens.looksAt("MATCH_RECOGNIZE") &&
    tokens.looksAt("(", 1) &&
    firstClauses.some((word) => tokens.looksAt(word, 2)) &&
    !tokens.looksAt(",", 3) &&
    !tokens.looksAt(")", 3)
  );
}

export function parsePatternRecognition(tokens: TokenStream, relation: Relation): PatternRecognition {
  tokens.expect("MATCH_RECOGNIZE");
  tokens.expect("(");
  const partitionBy = tokens.acceptWords("PARTITION", "BY") ? tokens.list(() => tokens.grammar.expression(tokens)) : [];
  const orderBy = parseOrderBy(tokens);
  const measures = parseMeasures(tokens);
  const rowsPerMatch = parseRowsPerMatch(tokens);
  const afterMatch = parseAfterMatch(tokens);
  const searchMode = parseSearchMode(tokens);
  const pattern = parsePatternClause(tokens);
  const subsets = parseSubsets(tokens);
  tokens.expect("DEFINE");
  const definitions = tokens.list(() => parseDefinition(tokens));
  tokens.expect(")");
  return {
    kind: "PatternRecognition",
    relation,
    partitionBy,
    orderBy,
    measures,
    ...(rowsPerMatch === undefined ? {} : { rowsPerMatch }),
    ...(afterMatch === undefined ? {} : { afterMatch }),
    ...(searchMode === undefined ? {} : { searchMode }),
    pattern,
    subsets,
    definitions,
    location: relation.location,
  };
}

/** Parses MEASURES before a frame. */
export function parseMeasures(tokens: TokenStream): readonly MeasureDefinition[] {
  if (!tokens.accept("MEASURES")) {
    return [];
  }
  return tokens.list(() => {
    const location = tokens.location();
    const expression = tokens.grammar.expression(tokens);
    tokens.expect("AS");
    return { kind: "MeasureDefinition", expression, name: tokens.expectIdentifier(), location };
  });
}

/** Parses the pattern clauses after a frame. Returns undefined if there are neither clauses nor measures. */
export function parseWindowPattern(tokens: TokenStream, measures: WindowPattern["measures"]): WindowPattern | undefined {
  const location = tokens.location();
  const afterMatch = parseAfterMatch(tokens);
  const searchMode = parseSearchMode(tokens);
  const pattern = tokens.at("PATTERN") ? parsePatternClause(tokens) : undefined;
  const subsets = parseSubsets(tokens);
  const definitions = tokens.accept("DEFINE") ? tokens.list(() => parseDefinition(tokens)) : [];
  const found = [afterMatch, searchMode, pattern].some((clause) => clause !== undefined);
  if (!found && measures.length === 0 && subsets.length === 0 && definitions.length === 0) {
    return undefined;
  }
  return {
    kind: "WindowPattern",
    measures,
    ...(afterMatch === undefined ? {} : { afterMatch }),
    ...(searchMode === undefined ? {} : { searchMode }),
    ...(pattern === undefined ? {} : { pattern }),
    subsets,
    definitions,
    location,
  };
}

function parseRowsPerMatch(tokens: TokenStream): RowsPerMatch | undefined {
  const which = tokens.acceptOneOf(["ONE", "ALL"] as const);
  if (which === undefined) {
    return undefined;
  }
  for (const word of [which === "ONE" ? "ROW" : "ROWS", "PER", "MATCH"]) {
    tokens.expect(word);
  }
  if (which === "ONE") {
    return "ONE";
  }
  const handling = tokens.acceptOneOf(["SHOW", "OMIT", "WITH"] as const);
  if (handling === undefined) {
    return "ALL";
  }
  if (handling === "WITH") {
    tokens.expect("UNMATCHED");
    tokens.expect("ROWS");
    return "ALL_UNMATCHED";
  }
  tokens.expect("EMPTY");
  tokens.expect("MATCHES");
  return `ALL_${handling}`;
}

function parseAfterMatch(tokens: TokenStream): AfterMatchSkip | undefined {
  if (!tokens.acceptWords("AFTER", "MATCH")) {
    return undefined;
  }
  const location = tokens.location();
  tokens.expect("SKIP");
  if (tokens.acceptWords("PAST", "LAST")) {
    tokens.expect("ROW");
    return { kind: "AfterMatchSkip", to: "PAST LAST ROW", location };
  }
  tokens.expect("TO");
  if (tokens.looksAt("NEXT") && tokens.looksAt("ROW", 1)) {
    tokens.acceptWords("NEXT", "ROW");
    return { kind: "AfterMatchSkip", to: "NEXT ROW", location };
  }
  for (const to of ["FIRST", "LAST"] as const) {
    if (tokens.looksAt(to) && tokens.looksAtIdentifier(1) && !endsSkip(tokens)) {
      tokens.advance();
      return { kind: "AfterMatchSkip", to, variable: tokens.takeIdentifier(), location };
    }
  }
  return { kind: "AfterMatchSkip", to: "VARIABLE", variable: tokens.expectIdentifier(), location };
}

/** A variable may be named FIRST or LAST; then the next clause follows. */
function endsSkip(tokens: TokenStream): boolean {
  const opensPattern = tokens.looksAt("PATTERN", 1) && tokens.looksAt("(", 2);
  return opensPattern || ((tokens.looksAt("INITIAL", 1) || tokens.looksAt("SEEK", 1)) && tokens.looksAt("PATTERN", 2));
}

function parseSearchMode(tokens: TokenStream): PatternSearchMode | undefined {
  const location = tokens.location();
  const mode = tokens.acceptOneOf(["INITIAL", "SEEK"] as const);
  return mode === undefined ? undefined : { kind: "PatternSearchMode", mode, location };
}

function parsePatternClause(tokens: TokenStream): RowPattern {
  tokens.expect("PATTERN");
  tokens.expect("(");
  const pattern = parseRowPattern(tokens);
  tokens.expect(")");
  return pattern;
}

function parseSubsets(tokens: TokenStream): readonly SubsetDefinition[] {
  if (!tokens.accept("SUBSET")) {
    return [];
  }
  return tokens.list(() => {
    const name = tokens.expectIdentifier();
    tokens.expect("=");
    return { kind: "SubsetDefinition", name, variables: tokens.expectIdentifierList(), location: name.location };
  });
}

function parseDefinition(tokens: TokenStream): VariableDefinition {
  const name = tokens.expectIdentifier();
  tokens.expect("AS");
  return { kind: "VariableDefinition", name, condition: tokens.grammar.expression(tokens), location: name.location };
}

function parseRowPattern(tokens: TokenStream): RowPattern {
  return tokens.nested(() => {
    const location = tokens.location();
    const terms = tokens.repeat(
      (count) => count === 0 || tokens.accept("|"),
      () => parseConcatenation(tokens),
    );
    return listOf("PatternAlternation", terms, location);
  });
}

function parseConcatenation(tokens: TokenStream): RowPattern {
  const location = tokens.location();
  const terms = tokens.repeat(
    (count) => count === 0 || startsPrimary(tokens),
    () => parseQuantified(tokens),
  );
  return listOf("PatternConcatenation", terms, location);
}

function listOf(kind: "PatternAlternation" | "PatternConcatenation", terms: readonly RowPattern[], location: Location): RowPattern {
  const [first, second] = terms;
  return first !== undefined && second === undefined ? first : { kind, terms, location };
}

function startsPrimary(tokens: TokenStream): boolean {
  return tokens.looksAtIdentifier() || ["(", "^", "$", "{-"].some((text) => tokens.looksAt(text));
}

function parseQuantified(tokens: TokenStream): RowPattern {
  const pattern = parsePrimary(tokens);
  const quantifier = parseQuantifier(tokens);
  return quantifier === undefined ? pattern : { kind: "QuantifiedPattern", pattern, quantifier, location: pattern.location };
}

function parsePrimary(tokens: TokenStream): RowPattern {
  const location = tokens.location();
  if (tokens.accept("^")) {
    return { kind: "PatternStart", location };
  }
  if (tokens.accept("$")) {
    return { kind: "PatternEnd", location };
  }
  if (tokens.accept("{-")) {
    const pattern = parseRowPattern(tokens);
    tokens.expect("-}");
    return { kind: "ExcludedPattern", pattern, location };
  }
  if (tokens.accept("(")) {
    if (tokens.accept(")")) {
      return { kind: "EmptyPattern", location };
    }
    const pattern = parseRowPattern(tokens);
    tokens.expect(")");
    return pattern;
  }
  if (tokens.looksAt("PERMUTE") && tokens.looksAt("(", 1)) {
    tokens.advance();
    tokens.expect("(");
    const terms = tokens.list(() => parseRowPattern(tokens));
    tokens.expect(")");
    return { kind: "PatternPermutation", terms, location };
  }
  return { kind: "PatternVariable", name: tokens.expectIdentifier(), location };
}

function parseQuantifier(tokens: TokenStream): PatternQuantifier | undefined {
  const location = tokens.location();
  const symbol = tokens.acceptOneOf(["*", "+", "?"] as const);
  if (symbol !== undefined) {
    return { kind: "PatternQuantifier", symbol, greedy: !tokens.accept("?"), location };
  }
  if (!tokens.accept("{")) {
    return undefined;
  }
  const atLeast = tokens.current.kind === "integer" ? tokens.advance().value : undefined;
  const hasBoth = atLeast === undefined ? tokens.expect(",").value === "," : tokens.accept(",");
  const atMost = hasBoth ? (tokens.current.kind === "integer" ? tokens.advance().value : undefined) : atLeast;
  tokens.expect("}");
  return {
    kind: "PatternQuantifier",
    symbol: "{}",
    ...(atLeast === undefined ? {} : { atLeast }),
    ...(atMost === undefined ? {} : { atMost }),
    greedy: !tokens.accept("?"),
    location,
  };
}
