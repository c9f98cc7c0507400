/** Expressions without a statement around them, for tests of the parser, the printer and the functions. */
import type { Expression } from "../../src/sql/ast/expression-nodes.ts";
import { tokenize } from "../../src/sql/parser/lexer.ts";
import {
  continueExpression,
  parseExpression as expression,
  parsePredicateAt as predicate,
  parseValueExpression,
} from "../../src/sql/parser/expression-parser.ts";
import { parseQuery } from "../../src/sql/parser/queries.ts";
import { TokenStream } from "../../src/sql/parser/token-stream.ts";

/** Throws QueryError SYNTAX_ERROR, as parseStatement does. */
export function parseExpression(text: string): Expression {
  const grammar = { expression, valueExpression: parseValueExpression, continueExpression, predicate, query: parseQuery };
  const tokens = new TokenStream(tokenize(text), grammar);
  const tree = expression(tokens);
  if (tokens.current.kind !== "eof") {
    tokens.welcome("<EOF>");
    throw tokens.mismatch();
  }
  return tree;
}
