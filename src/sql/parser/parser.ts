/**
 * SQL text -> syntax tree, with Presto's grammar and Presto's messages. Throws QueryError SYNTAX_ERROR with a location.
 * Knows no catalog, no types, no functions. A trailing `;` is the client's to strip.
 */
import type { Expression, QualifiedName, TypeSyntax } from "../ast/expression-nodes.ts";
import { tokenize, tokenizeInPieces } from "./lexer.ts";
import { continueExpression, parseExpression as parseExpressionAt, parseValueExpression, parsePredicateAt } from "./expression-parser.ts";
import { Pause, Pauses } from "./pauses.ts";
import { parseQuery } from "./queries.ts";
import { parsePathElement, parseStatement as parseStatementAt } from "./statements/statements.ts";
import type { FunctionSpecification } from "../ast/routines.ts";
import { parseFunctionSpecification as parseFunctionAt } from "./statements/routines.ts";
import type { Statement } from "../ast/statements.ts";
import { type Grammar, type ParserPlace, TokenStream } from "./token-stream.ts";
import { parseType } from "./types.ts";

const grammar: Grammar = Object.freeze({
  expression: parseExpressionAt,
  valueExpression: parseValueExpression,
  continueExpression,
  predicate: parsePredicateAt,
  query: parseQuery,
});

export function parseStatement(text: string): Statement {
  return parseAll(text, parseStatementAt);
}

/**
 * As `parseStatement`; yields where a long text may be left for a turn: between pieces of its tokens, and of its lists, which have
 * `tokensMin` tokens or more.
 */
export function* parseStatementInPieces(text: string, tokensMin?: number): Generator<undefined, Statement, void> {
  const pauses = new Pauses<ParserPlace>(tokensMin);
  const tokens = new TokenStream(yield* tokenizeInPieces(text), grammar, pauses);
  for (;;) {
    yield;
    try {
      return parseStream(tokens, parseStatementAt);
    } catch (error) {
      if (!(error instanceof Pause)) {
        throw error;
      }
      pauses.restart();
      tokens.rewind();
    }
  }
}

/** Parses a single expression, as rules of access have them. */
export function parseSingleExpression(text: string): Expression {
  return parseAll(text, parseExpressionAt);
}

/** Parses a function as catalogs store it: `FUNCTION f(x bigint) RETURNS bigint RETURN x`. */
export function parseFunctionSpecification(text: string): FunctionSpecification {
  return parseAll(text, parseFunctionAt);
}

/** Parses the elements of SET PATH: `schema` or `catalog.schema`, separated by commas. */
export function parsePath(text: string): readonly QualifiedName[] {
  return parseAll(text, (tokens) => tokens.list(() => parsePathElement(tokens)));
}

/** Parses a type: `array(row(a bigint, b varchar(3)))`. */
export function parseTypeText(text: string): TypeSyntax {
  return parseAll(text, parseType);
}

function parseAll<T>(text: string, parse: (tokens: TokenStream) => T): T {
  return parseStream(new TokenStream(tokenize(text), grammar), parse);
}

function parseStream<T>(tokens: TokenStream, parse: (tokens: TokenStream) => T): T {
  const tree = parse(tokens);
  if (tokens.current.kind !== "eof") {
    tokens.welcome("<EOF>");
    throw tokens.mismatch();
  }
  return tree;
}
