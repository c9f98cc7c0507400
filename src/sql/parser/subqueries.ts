/** Queries inside of expressions and relations: how they begin, and the parentheses around them. */
import type { Query } from "../ast/relations.ts";
import type { TokenStream } from "./token-stream.ts";

/** Does a query begin at the token `ahead`? Not one in parentheses. */
export function startsQuery(tokens: TokenStream, ahead: number): boolean {
  const isTable = tokens.looksAt("TABLE", ahead) && !tokens.looksAt("(", ahead + 1);
  return isTable || tokens.looksAt("SELECT", ahead) || tokens.looksAt("VALUES", ahead) || tokens.looksAt("WITH", ahead);
}

/** Returns whether a query begins after all opening parentheses from `ahead` on. */
export function startsQueryInParentheses(tokens: TokenStream, ahead: number): boolean {
  let inner = ahead;
  while (tokens.looksAt("(", inner)) {
    inner++;
  }
  return startsQuery(tokens, inner);
}

export function parseQueryInParentheses(tokens: TokenStream): Query {
  tokens.expect("(");
  const query = tokens.grammar.query(tokens);
  tokens.expect(")");
  return query;
}
