/**
 * Parses COMMENT and WITH (...) of statements that create objects.
 */
import { parseExpression } from "../expression-parser.ts";
import type { Property } from "../../ast/definition-statements.ts";
import type { TokenStream } from "../token-stream.ts";

export function parseCommentClause(tokens: TokenStream): { readonly comment?: string } {
  return tokens.accept("COMMENT") ? { comment: tokens.expectString() } : {};
}

export function parseProperties(tokens: TokenStream): readonly Property[] {
  if (!tokens.at("WITH") || !tokens.looksAt("(", 1)) {
    return [];
  }
  tokens.expect("WITH");
  tokens.expect("(");
  const properties = tokens.list(() => parseProperty(tokens));
  tokens.expect(")");
  return properties;
}

function parseProperty(tokens: TokenStream): Property {
  const name = tokens.expectIdentifier();
  tokens.expect("=");
  return { kind: "Property", name, value: parseExpression(tokens), location: name.location };
}
