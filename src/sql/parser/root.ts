/**
 * Parses top-level queries with the clauses that only these may begin with: session properties and inline functions.
 */
import { parseExpression } from "./expression-parser.ts";
import { parseQuery } from "./queries.ts";
import { parseFunctions, startsFunctions } from "./statements/routines.ts";
import type { Query, SessionAssignment } from "../ast/relations.ts";
import type { TokenStream } from "./token-stream.ts";

/** `[WITH SESSION name = value, ...] [WITH FUNCTION f(...) ...] query`. */
export function parseQueryStatement(tokens: TokenStream): Query {
  const session = startsWith(tokens, "SESSION") ? parseSession(tokens) : undefined;
  const query = parseRootQuery(tokens);
  return session === undefined ? query : { ...query, session };
}

/** `[WITH FUNCTION f(...) ...] query`: also the query of a view, of a new table and of an INSERT. */
export function parseRootQuery(tokens: TokenStream): Query {
  const location = tokens.location();
  const functions = startsFunctions(tokens) ? parseFunctions(tokens) : undefined;
  const query = parseQuery(tokens);
  return functions === undefined ? query : { ...query, functions, location };
}

/** The word after WITH may also be the name of a query: `WITH session AS (...)`, `WITH session (a) AS (...)`. */
function startsWith(tokens: TokenStream, word: string): boolean {
  return tokens.looksAt("WITH") && tokens.looksAt(word, 1) && tokens.looksAtIdentifier(2);
}

function parseSession(tokens: TokenStream): readonly SessionAssignment[] {
  tokens.advance();
  tokens.advance();
  return tokens.list(() => {
    const location = tokens.location();
    const name = tokens.expectQualifiedName();
    tokens.expect("=");
    return { kind: "SessionAssignment", name, value: parseExpression(tokens), location };
  });
}
