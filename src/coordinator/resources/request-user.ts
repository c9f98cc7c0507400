/**
 * Who sends a request, and the rights on queries that it needs.
 */
import type { Headers } from "../../ports/network.ts";
import { namedUser, parseSessionRequest } from "../../protocol/http/headers.ts";
import { HttpError } from "../../protocol/http/http.ts";
import { identityOf } from "../../protocol/http/identity.ts";
import type { AccessControl } from "../../security/access-control.ts";

export interface RequestUser {
  readonly user: string;
  /** Absent if the client is taken at its word. */
  readonly principal?: string;
}

/**
 * The user of an authenticated client is its own, unless it may be the one that a User header names. Before SET SESSION AUTHORIZATION the
 * client was `originalUser`. Throws HttpError 403.
 */
export function requestUser(
  headers: Headers,
  access: AccessControl | undefined,
  stated: { readonly user: string; readonly originalUser?: string } = parseSessionRequest(headers),
): RequestUser {
  const identity = identityOf(headers);
  const user = identity === undefined ? stated.user : (namedUser(headers) ?? identity.user);
  const original = stated.originalUser ?? user;
  if (access?.canSetUser(identity?.principal, original) === false) {
    throw new HttpError(403, `Access Denied: Principal ${identity?.principal ?? "null"} cannot become user ${original}`);
  }
  if (identity !== undefined) {
    requireImpersonation(identity.user, original, access);
  }
  if (identity !== undefined || access !== undefined) {
    requireImpersonation(original, user, access);
  }
  return { user, ...(identity !== undefined && { principal: identity.principal }) };
}

function requireImpersonation(user: string, other: string, access: AccessControl | undefined): void {
  if (user !== other && access?.canImpersonate(user, other) !== true) {
    throw new HttpError(403, `Access Denied: User ${user} cannot impersonate user ${other}`);
  }
}

/** Throws HttpError 403. */
export function requireQueryRight(headers: Headers, owner: string, right: "view" | "kill", access: AccessControl | undefined): void {
  if (access === undefined) {
    return;
  }
  const { user } = requestUser(headers, access);
  const holds = right === "view" ? access.canViewQueryOf(user, owner) : access.canKillQueryOf(user, owner);
  if (!holds) {
    throw new HttpError(403, `Access Denied: Cannot ${right} query`);
  }
}

/** Whether the sender may see queries of a user in lists. */
export function visibleOwners(headers: Headers, access: AccessControl | undefined): (owner: string) => boolean {
  if (access === undefined) {
    return () => true;
  }
  const { user } = requestUser(headers, access);
  return (owner) => access.canViewQueryOf(user, owner);
}
