/** GRANT and REVOKE. Called by parser-statements.ts. */
import type { Identifier, Location } from "./expressions.ts";
import type { Grant, Principal, Statement } from "./statements.ts";
import type { TokenStream } from "./token-stream.ts";

const privileges = ["CREATE", "DELETE", "INSERT", "SELECT", "UPDATE"] as const;

export function parseGrant(tokens: TokenStream, location: Location): Statement {
  const roles = parseRoles(tokens);
  if (roles !== undefined) {
    tokens.expect("TO");
    const principals = tokens.list(() => parsePrincipal(tokens));
    return { kind: "GrantRoles", action: "GRANT", roles, principals, adminOption: parseOption(tokens, "ADMIN"), location };
  }
  const granted = parseGranted(tokens);
  tokens.expect("TO");
  const principal = parsePrincipal(tokens);
  return { kind: "Grant", action: "GRANT", ...granted, principal, grantOption: parseOption(tokens, "GRANT"), location };
}

export function parseRevoke(tokens: TokenStream, location: Location): Statement {
  const adminOption = parseOptionFor(tokens, "ADMIN");
  const grantOption = !adminOption && parseOptionFor(tokens, "GRANT");
  const roles = grantOption ? undefined : parseRoles(tokens);
  if (adminOption || roles !== undefined) {
    const revoked = roles ?? tokens.list(() => tokens.expectIdentifier());
    tokens.expect("FROM");
    const principals = tokens.list(() => parsePrincipal(tokens));
    return { kind: "GrantRoles", action: "REVOKE", roles: revoked, principals, adminOption, location };
  }
  const granted = parseGranted(tokens);
  tokens.expect("FROM");
  return { kind: "Grant", action: "REVOKE", ...granted, principal: parsePrincipal(tokens), grantOption, location };
}

/** Undefined where privileges follow: they are words, and so may roles be called; then what comes behind tells. */
function parseRoles(tokens: TokenStream): readonly Identifier[] | undefined {
  if (tokens.looksAt("ALL") && tokens.looksAt("PRIVILEGES", 1)) {
    return undefined;
  }
  for (let ahead = 0; ; ahead += 2) {
    if (!tokens.looksAtIdentifier(ahead) || tokens.looksAt("ON", ahead + 1)) {
      return undefined;
    }
    if (!tokens.looksAt(",", ahead + 1)) {
      return tokens.list(() => tokens.expectIdentifier());
    }
  }
}

function parseGranted(tokens: TokenStream): Pick<Grant, "privileges" | "object" | "name"> {
  const all = tokens.acceptWords("ALL", "PRIVILEGES");
  const named = all ? undefined : tokens.list(() => tokens.expectOneOf(privileges));
  tokens.expect("ON");
  const object = tokens.acceptOneOf(["SCHEMA", "TABLE"]) ?? "TABLE";
  return { ...(named !== undefined && { privileges: named }), object, name: tokens.expectQualifiedName() };
}

function parsePrincipal(tokens: TokenStream): Principal {
  const location = tokens.location();
  const type = tokens.looksAtIdentifier(1) ? tokens.acceptOneOf(["USER", "ROLE"]) : undefined;
  return { kind: "Principal", ...(type !== undefined && { type }), name: tokens.expectIdentifier(), location };
}

function parseOption(tokens: TokenStream, word: "GRANT" | "ADMIN"): boolean {
  return tokens.acceptWords("WITH", word, "OPTION");
}

function parseOptionFor(tokens: TokenStream, word: "GRANT" | "ADMIN"): boolean {
  return tokens.looksAt(word) && tokens.looksAt("OPTION", 1) && tokens.looksAt("FOR", 2) && tokens.acceptWords(word, "OPTION", "FOR");
}
