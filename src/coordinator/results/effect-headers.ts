/**
 * Session changes of a statement as headers of the client's header family.
 */
import type { Headers } from "../../ports/network.ts";
import { encodeHeaderText } from "../../protocol/http/header-text.ts";
import { encodeHeaderValue, responseHeader } from "../../protocol/http/headers.ts";
import type { Query } from "../query/query.ts";

/** Every answer repeats the headers once the effects are known. Clients apply them idempotently. */
export function effectHeaders(query: Query): Headers {
  const { effects } = query;
  const { family } = query.session;
  const headers: Record<string, string | readonly string[]> = {};
  const pairs = (values: Readonly<Record<string, string>>, encodeName: boolean): readonly string[] =>
    Object.entries(values).map(([name, value]) => `${encodeName ? encodeHeaderValue(name) : name}=${encodeHeaderValue(value)}`);
  if (effects.setCatalog !== undefined) {
    headers[responseHeader(family, "set-catalog")] = encodeHeaderText(effects.setCatalog);
  }
  if (effects.setSchema !== undefined) {
    headers[responseHeader(family, "set-schema")] = encodeHeaderText(effects.setSchema);
  }
  if (effects.setPath !== undefined) {
    headers[responseHeader(family, "set-path")] = encodeHeaderText(effects.setPath);
  }
  if (effects.setSession !== undefined) {
    headers[responseHeader(family, "set-session")] = pairs(effects.setSession, false);
  }
  if (effects.startedTransactionId !== undefined) {
    headers[responseHeader(family, "started-transaction-id")] = effects.startedTransactionId;
  }
  if (effects.clearTransactionId !== undefined) {
    headers[responseHeader(family, "clear-transaction-id")] = "true";
  }
  if (effects.setRole !== undefined) {
    headers[responseHeader(family, "set-role")] = pairs(effects.setRole, false);
  }
  if (effects.setAuthorizationUser !== undefined) {
    headers[responseHeader(family, "set-authorization-user")] = encodeHeaderText(effects.setAuthorizationUser);
  }
  if (effects.resetAuthorizationUser !== undefined) {
    headers[responseHeader(family, "reset-authorization-user")] = "true";
  }
  if (effects.clearSession !== undefined) {
    headers[responseHeader(family, "clear-session")] = effects.clearSession.map((name) => encodeHeaderText(name));
  }
  if (effects.addedPrepare !== undefined) {
    headers[responseHeader(family, "added-prepare")] = pairs(effects.addedPrepare, true);
  }
  if (effects.deallocatedPrepare !== undefined) {
    headers[responseHeader(family, "deallocated-prepare")] = effects.deallocatedPrepare.map((name) => encodeHeaderValue(name));
  }
  return headers;
}
