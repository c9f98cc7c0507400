/**
 * Parses CALL and the arguments of procedures.
 */
import type { Location } from "../../ast/expression-nodes.ts";
import { parseExpression } from "../expression-parser.ts";
import type { CallArgument, Statement } from "../../ast/statements.ts";
import type { TokenStream } from "../token-stream.ts";

export function parseCall(tokens: TokenStream, location: Location): Statement {
  return { kind: "Call", name: tokens.expectQualifiedName(), arguments: parseCallArguments(tokens), location };
}

/** `(1, 'a')`, `(a => 1)`, `()` */
export function parseCallArguments(tokens: TokenStream): readonly CallArgument[] {
  tokens.expect("(");
  const args = tokens.at(")") ? [] : tokens.list(() => parseCallArgument(tokens));
  tokens.expect(")");
  return args;
}

function parseCallArgument(tokens: TokenStream): CallArgument {
  const location = tokens.location();
  if (tokens.looksAtIdentifier() && tokens.looksAt("=>", 1)) {
    const name = tokens.takeIdentifier();
    tokens.advance();
    return { kind: "CallArgument", name, value: parseExpression(tokens), location };
  }
  return { kind: "CallArgument", value: parseExpression(tokens), location };
}
