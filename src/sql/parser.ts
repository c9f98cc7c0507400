/**
 * SQL text -> syntax tree, with Presto's grammar and Presto's messages. Called by the coordinator for statements, by tests and tools for expressions.
 * Throws QueryError SYNTAX_ERROR with a location. Knows no catalog, no types, no functions. A trailing `;` is the client's to strip.
 */
import type { Expression } from "./expressions.ts";
import { tokenize } from "./lexer.ts";
import { parseExpression as parseExpressionAt } from "./parser-expressions.ts";
import { parseStatement as parseStatementAt } from "./parser-statements.ts";
import type { Statement } from "./statements.ts";
import { TokenStream } from "./token-stream.ts";

export function parseStatement(text: string): Statement {
  return parseAll(text, parseStatementAt);
}

export function parseExpression(text: string): Expression {
  return parseAll(text, parseExpressionAt);
}

function parseAll<T>(text: string, parse: (tokens: TokenStream) => T): T {
  const tokens = new TokenStream(tokenize(text));
  const tree = parse(tokens);
  if (tokens.current.kind !== "eof") {
    tokens.welcome("<EOF>");
    throw tokens.mismatch();
  }
  return tree;
}
