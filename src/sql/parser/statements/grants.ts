/**
 * Parses GRANT, DENY, REVOKE, CREATE ROLE and DROP ROLE.
 */
import type { Grant, Grantor, Principal } from "../../ast/access-statements.ts";
import type { Identifier, Location } from "../../ast/expression-nodes.ts";
import type { Statement } from "../../ast/statements.ts";
import type { TokenStream } from "../token-stream.ts";

const privileges = ["CREATE", "DELETE", "INSERT", "SELECT", "UPDATE"] as const;

export function parseGrant(tokens: TokenStream, location: Location): Statement {
  const roles = parseRoles(tokens);
  if (roles !== undefined) {
    tokens.expect("TO");
    const principals = tokens.list(() => parsePrincipal(tokens));
    const adminOption = parseOption(tokens, "ADMIN");
    return { kind: "GrantRoles", action: "GRANT", roles, principals, adminOption, ...parseGrantedBy(tokens), location };
  }
  const granted = parseGranted(tokens);
  tokens.expect("TO");
  const principal = parsePrincipal(tokens);
  return { kind: "Grant", action: "GRANT", ...granted, principal, grantOption: parseOption(tokens, "GRANT"), location };
}

export function parseDeny(tokens: TokenStream, location: Location): Statement {
  const denied = parseGranted(tokens);
  tokens.expect("TO");
  return { kind: "Grant", action: "DENY", ...denied, principal: parsePrincipal(tokens), grantOption: false, location };
}

export function parseRevoke(tokens: TokenStream, location: Location): Statement {
  const adminOption = parseOptionFor(tokens, "ADMIN");
  const grantOption = !adminOption && parseOptionFor(tokens, "GRANT");
  const roles = grantOption ? undefined : parseRoles(tokens);
  if (adminOption || roles !== undefined) {
    const revoked = roles ?? tokens.list(() => tokens.expectIdentifier());
    tokens.expect("FROM");
    const principals = tokens.list(() => parsePrincipal(tokens));
    return { kind: "GrantRoles", action: "REVOKE", roles: revoked, principals, adminOption, ...parseGrantedBy(tokens), location };
  }
  const granted = parseGranted(tokens);
  tokens.expect("FROM");
  return { kind: "Grant", action: "REVOKE", ...granted, principal: parsePrincipal(tokens), grantOption, location };
}

/** Returns undefined if privileges follow. Privileges are plain words that may also be role names, so the next tokens decide. */
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
  const named = all ? undefined : tokens.list(() => tokens.acceptOneOf<string>(privileges) ?? tokens.expectIdentifier());
  tokens.expect("ON");
  const object = tokens.acceptOneOf(["SCHEMA", "TABLE"]) ?? "TABLE";
  return { ...(named !== undefined && { privileges: named }), object, name: tokens.expectQualifiedName() };
}

/** Parses GRANTED BY and the catalog after the principals. */
function parseGrantedBy(tokens: TokenStream): { readonly grantor?: Grantor; readonly catalog?: Identifier } {
  const grantor = tokens.acceptWords("GRANTED", "BY") ? { grantor: parseGrantor(tokens) } : {};
  return { ...grantor, ...parseInCatalog(tokens) };
}

function parseInCatalog(tokens: TokenStream): { readonly catalog?: Identifier } {
  return tokens.accept("IN") ? { catalog: tokens.expectIdentifier() } : {};
}

function parseGrantor(tokens: TokenStream): Grantor {
  return tokens.acceptOneOf<"CURRENT_ROLE" | "CURRENT_USER">(["CURRENT_ROLE", "CURRENT_USER"]) ?? parsePrincipal(tokens);
}

export function parseCreateRole(tokens: TokenStream, location: Location): Statement {
  const name = tokens.expectIdentifier();
  const grantor = tokens.acceptWords("WITH", "ADMIN") ? { grantor: parseGrantor(tokens) } : {};
  return { kind: "CreateRole", name, ...grantor, ...parseInCatalog(tokens), location };
}

export function parseDropRole(tokens: TokenStream, location: Location): Statement {
  const ifExists = tokens.looksAt("EXISTS", 1) && tokens.acceptWords("IF", "EXISTS");
  return { kind: "DropRole", name: tokens.expectIdentifier(), ifExists, ...parseInCatalog(tokens), location };
}

export function parsePrincipal(tokens: TokenStream): Principal {
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
