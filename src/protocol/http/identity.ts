/**
 * The authenticated identity of a request, as the server's edge hands it to the node: two headers that no client can set, so that
 * recordings and simulated networks carry it like everything else of the request. Credentials end at the edge.
 */
import type { Headers } from "../../ports/network.ts";
import { firstHeader } from "./headers.ts";

export interface Identity {
  /** The user that the principal is mapped to. */
  readonly user: string;
  /** The name in the credentials: of the password, the token or the certificate. */
  readonly principal: string;
}

export const identityUserHeader = "x-engine-authenticated-user";
const identityPrincipalHeader = "x-engine-authenticated-principal";

/** Undefined if the node takes the client's word for its user. */
export function identityOf(headers: Headers): Identity | undefined {
  const user = firstHeader(headers, identityUserHeader);
  const principal = firstHeader(headers, identityPrincipalHeader);
  return user === undefined ? undefined : { user: decodeURIComponent(user), principal: decodeURIComponent(principal ?? user) };
}

/** The headers without any identity that the client claims. */
export function withoutIdentity(headers: Headers): Headers {
  return Object.hasOwn(headers, identityUserHeader) || Object.hasOwn(headers, identityPrincipalHeader)
    ? without(headers, [identityUserHeader, identityPrincipalHeader])
    : headers;
}

/** The headers with this identity alone, and without the credentials that proved it. */
export function withIdentity(headers: Headers, { user, principal }: Identity): Headers {
  return Object.assign(without(headers, ["authorization", "cookie"]), {
    [identityUserHeader]: encodeURIComponent(user),
    [identityPrincipalHeader]: encodeURIComponent(principal),
  });
}

function without(headers: Headers, names: readonly string[]): Headers {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)));
}
