/** What a request is in the statement protocol, read from its method, path and headers alone. */
import type { Headers, HttpRequest, HttpResponse } from "../ports/network.ts";
import { displayNames, firstHeader } from "../protocol/http/headers.ts";
import { parsePath } from "../protocol/http/http.ts";
import { type JsonValue, JsonSyntaxError, parseJson } from "../protocol/json.ts";
import { decodeUtf8 } from "../types/utf8.ts";

/** Kinds of requests: of a statement, of a segment of spooled rows, and all others. */
export const requestKinds = ["submit", "poll", "cancel", "segment", "other"] as const;

export type RequestKind = (typeof requestKinds)[number];

export function requestKind({ method, url }: Pick<HttpRequest, "method" | "url">): RequestKind {
  const { path } = parsePath(url);
  if (path.startsWith("/v1/spooled/")) {
    return "segment";
  }
  const isCancel = method === "DELETE" && /^\/v1\/(statement|query)\/[^/]+/.test(path);
  if (isCancel) {
    return "cancel";
  }
  if (!/^\/v1\/statement(\/|$)/.test(path)) {
    return "other";
  }
  return method === "POST" || method === "PUT" ? "submit" : "poll";
}

/** Query id in the path of a request; undefined for a submission by POST and for requests of no query. */
export function queryIdOf(url: string): string | undefined {
  return /^\/v1\/(?:statement|query)\/(?:queued\/|executing\/)?([^/?]+)/.exec(parsePath(url).path)?.[1];
}

/** Path without the query's secret, which stays with its client. */
export function shownPath(url: string): string {
  return parsePath(url).path;
}

export interface Client {
  readonly user: string | undefined;
  readonly source: string | undefined;
}

export function clientOf(headers: Headers): Client {
  const find = (suffix: string): string | undefined => {
    for (const prefix of Object.values(displayNames)) {
      const value = firstHeader(headers, `${prefix}${suffix}`.toLowerCase());
      if (value !== undefined) {
        return value;
      }
    }
    return undefined;
  };
  return { user: find("User"), source: find("Source") };
}

/** The parts of a statement's answer that rules look at; undefined if the body is none. */
export interface StatementAnswer {
  readonly queryId: string;
  readonly hasRows: boolean;
}

export function readStatementAnswer({ status, body, headers }: HttpResponse): StatementAnswer | undefined {
  if (status !== 200 || body.length === 0 || headers["content-encoding"] !== undefined) {
    return undefined;
  }
  let document: JsonValue;
  try {
    document = parseJson(decodeUtf8(body));
  } catch (error) {
    if (error instanceof JsonSyntaxError) {
      return undefined;
    }
    throw error;
  }
  if (document === null || typeof document !== "object" || Array.isArray(document) || typeof document["id"] !== "string") {
    return undefined;
  }
  const { data } = document;
  const segments = data !== null && typeof data === "object" && !Array.isArray(data) ? data["segments"] : data;
  return { queryId: document["id"], hasRows: Array.isArray(segments) && segments.length > 0 };
}
