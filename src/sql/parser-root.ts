/** A query that is a statement, with what only such a query may begin with: session properties of its own. Called by the parsers of statements. */
import { parseExpression } from "./parser-expressions.ts";
import { parseQuery } from "./parser-queries.ts";
import type { Query, SessionAssignment } from "./statements.ts";
import type { TokenStream } from "./token-stream.ts";

/** `[WITH SESSION name = value, ...] query`. */
export function parseQueryStatement(tokens: TokenStream): Query {
  const session = startsWith(tokens, "SESSION") ? parseSession(tokens) : undefined;
  const query = parseQuery(tokens);
  return session === undefined ? query : { ...query, session };
}

/** Behind WITH the word may also name a query: `WITH session AS (...)`, `WITH session (a) AS (...)`. */
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
