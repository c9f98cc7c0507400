/**
 * A small router over the Network port: path patterns, query parameters, and JSON and plain text responses in the form that Presto's
 * clients require (`application/json` without a charset). Independent of the resources.
 */
import type { Headers, HttpMethod, HttpRequest, HttpResponse, RequestContext, RequestHandler } from "../../ports/network.ts";
import { noBody } from "../../ports/network.ts";
import { decodeUtf8, encodeUtf8 } from "../../types/utf8.ts";
import { JsonSyntaxError, type JsonValue, parseJson, stringifyJson } from "../json.ts";
import { internalErrorText, QueryError } from "../errors.ts";

/** Sent as a response with its status, and its message as plain text. */
export class HttpError extends Error {
  override readonly name = "HttpError";
  constructor(
    readonly status: number,
    message: string,
    readonly headers: Headers = {},
  ) {
    super(message);
  }
}

/** A request that matched a route. */
export interface RoutedRequest {
  readonly http: HttpRequest;
  readonly context: RequestContext;
  /** Values of the pattern's `{names}`, percent-decoded. */
  readonly parameters: Readonly<Record<string, string>>;
  /** First value of each query parameter, form-decoded. */
  readonly query: Readonly<Record<string, string>>;
  /** Whether the request has `?pretty`. */
  readonly pretty: boolean;
}

export type RouteHandler = (request: RoutedRequest) => Promise<HttpResponse> | HttpResponse;

export interface Route {
  readonly method: HttpMethod;
  readonly pattern: string;
  readonly handler: RouteHandler;
  /** The last name of the pattern takes all segments that are left, with their slashes. */
  readonly takesRest?: true;
}

/** `pattern` is a path whose segments may be `{name}`: `/v1/task/{taskId}/results/{bufferId}/{token}`. */
export function route(method: HttpMethod, pattern: string, handler: RouteHandler): Route {
  return { method, pattern, handler };
}

export interface RouterOptions {
  /** Receives unexpected errors of handlers; the peer gets a 500. */
  readonly onUnexpected: (error: unknown, request: HttpRequest) => void;
  /** Observes every answer. */
  readonly onAnswered?: AnswerHook | undefined;
}

/** `pattern` is the route's, or undefined if no route fits. */
export type AnswerHook = (answered: { readonly method: HttpMethod; readonly pattern: string | undefined; readonly status: number }) => void;

export interface Router {
  readonly handle: RequestHandler;
  /** Whether any route has this path, for any method. */
  knows(request: HttpRequest): boolean;
}

interface CompiledRoute extends Route {
  readonly parts: readonly string[];
}

export function createRouter(routes: readonly Route[], options: RouterOptions): Router {
  const compiled: readonly CompiledRoute[] = routes.map((one) => ({ ...one, parts: one.pattern.split("/").slice(1) }));
  const byLength = new Map<number, CompiledRoute[]>();
  const open = compiled.filter(({ takesRest }) => takesRest === true);
  for (const one of compiled) {
    const known = byLength.get(one.parts.length) ?? [];
    byLength.set(one.parts.length, known);
    known.push(one);
  }
  const matching = (parts: readonly string[]): readonly CompiledRoute[] => {
    const found = byLength.get(parts.length)?.filter((one) => matchesPattern(one.parts, parts)) ?? [];
    return found.length > 0 ? found : open.filter((one) => matchesPattern(one.parts, gathered(parts, one.parts.length)));
  };

  const dispatch = (
    request: HttpRequest,
    context: RequestContext,
    onFound: (pattern: string) => void,
  ): Promise<HttpResponse> | HttpResponse => {
    const target = parseTarget(request.url);
    const found = matching(target.parts);
    if (found.length === 0) {
      throw new HttpError(404, `No resource at ${target.path}`);
    }
    const chosen =
      found.find((one) => one.method === request.method) ??
      (request.method === "HEAD" ? found.find((one) => one.method === "GET") : undefined);
    if (chosen === undefined) {
      const allowed = [...new Set(found.map((one) => one.method))].join(", ");
      throw new HttpError(405, `${request.method} is not allowed on ${target.path}, only ${allowed}`, { allow: allowed });
    }
    onFound(chosen.pattern);
    const parameters = bindParameters(chosen.parts, gathered(target.parts, chosen.parts.length));
    return chosen.handler({ http: request, context, parameters, query: target.query, pretty: Object.hasOwn(target.query, "pretty") });
  };

  const handle: RequestHandler = async (request, context) => {
    let response: HttpResponse;
    let pattern: string | undefined;
    try {
      response = await dispatch(request, context, (found) => {
        pattern = found;
      });
    } catch (error) {
      response = errorResponse(error, () => options.onUnexpected(error, request));
    }
    options.onAnswered?.({ method: request.method, pattern, status: response.status });
    return request.method === "HEAD" ? { ...response, body: noBody } : response;
  };

  return { handle, knows: (request) => matching(parsePath(request.url).parts).length > 0 };
}

/** Whether the segments of a path fit those of a pattern. */
export function matchesPattern(pattern: readonly string[], parts: readonly string[]): boolean {
  if (pattern.length !== parts.length) {
    return false;
  }
  for (let index = 0; index < pattern.length; index++) {
    const part = pattern[index] as string;
    if (part !== parts[index] && !(part.startsWith("{") && parts[index] !== "")) {
      return false;
    }
  }
  return true;
}

/** The segments as so many; the last one has the rest. */
function gathered(parts: readonly string[], count: number): readonly string[] {
  return parts.length <= count ? parts : [...parts.slice(0, count - 1), parts.slice(count - 1).join("/")];
}

function bindParameters(pattern: readonly string[], parts: readonly string[]): Readonly<Record<string, string>> {
  const parameters: Record<string, string> = {};
  pattern.forEach((part, index) => {
    if (part.startsWith("{")) {
      parameters[part.slice(1, -1)] = percentDecode(parts[index] as string);
    }
  });
  return parameters;
}

export interface RequestTarget {
  readonly path: string;
  /** Path segments, still percent-encoded. */
  readonly parts: readonly string[];
  readonly query: Readonly<Record<string, string>>;
}

/** The path alone, which no address makes impossible: for decisions before a request is handled. */
export function parsePath(url: string): Pick<RequestTarget, "path" | "parts"> {
  return splitTarget(url);
}

/**
 * Accepts `/path?query` and the absolute form `http://host:port/path?query`, which some clients send in the request line. Throws HttpError
 * 400 if an escape of the query is malformed.
 */
function parseTarget(url: string): RequestTarget {
  const { path, parts, queryText } = splitTarget(url);
  return { path, parts, query: parseQuery(queryText) };
}

function splitTarget(url: string): Pick<RequestTarget, "path" | "parts"> & { readonly queryText: string } {
  const absolute = url.startsWith("/") ? url : url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, "");
  const local = absolute.includes("#") ? absolute.replace(/#.*$/, "") : absolute;
  const mark = local.indexOf("?");
  const rawPath = mark < 0 ? local : local.slice(0, mark);
  const path = rawPath.startsWith("/") ? rawPath : `/${rawPath}`;
  const parts = path.slice(1).split("/");
  if (parts.length > 1 && parts.at(-1) === "") {
    parts.pop();
  }
  return { path, parts, queryText: mark < 0 ? "" : local.slice(mark + 1) };
}

function parseQuery(text: string): Readonly<Record<string, string>> {
  const query = new Map<string, string>();
  for (const entry of text.split("&")) {
    const equals = entry.indexOf("=");
    const name = percentDecode((equals < 0 ? entry : entry.slice(0, equals)).replaceAll("+", " "));
    if (name !== "" && !query.has(name)) {
      query.set(name, equals < 0 ? "" : percentDecode(entry.slice(equals + 1).replaceAll("+", " ")));
    }
  }
  return Object.fromEntries(query);
}

function percentDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new HttpError(400, `Malformed escape in the address: ${text}`);
  }
}

function errorResponse(error: unknown, unexpected: () => void): HttpResponse {
  if (error instanceof HttpError) {
    return textResponse(error.status, error.message, error.headers);
  }
  if (error instanceof QueryError && error.errorType === "USER_ERROR") {
    return textResponse(error.errorName === "NOT_FOUND" ? 404 : 400, error.message);
  }
  unexpected();
  return textResponse(500, internalErrorText(error));
}

/** JSON with exactly the content type that clients compare with. */
export function jsonResponse(
  status: number,
  document: unknown,
  options: { readonly pretty?: boolean; readonly headers?: Headers } = {},
): HttpResponse {
  return jsonTextResponse(status, encodeUtf8(stringifyJson(document, options.pretty === true ? 2 : 0)), options.headers);
}

/** As jsonResponse, for a document that is already serialized. */
export function jsonTextResponse(status: number, body: Uint8Array, headers: Headers = {}): HttpResponse {
  return { status, headers: { ...headers, "content-type": "application/json", "x-content-type-options": "nosniff" }, body };
}

export function textResponse(status: number, text: string, headers: Headers = {}): HttpResponse {
  return { status, headers: { ...headers, "content-type": "text/plain" }, body: encodeUtf8(text) };
}

export function emptyResponse(status: number, headers: Headers = {}): HttpResponse {
  return { status, headers, body: noBody };
}

/** Parses the body as JSON; HttpError 400 if it is invalid. */
export function requestJson(request: HttpRequest): JsonValue {
  try {
    return parseJson(decodeUtf8(request.body));
  } catch (error) {
    if (error instanceof JsonSyntaxError) {
      throw new HttpError(400, `The request is not JSON: ${error.message}`);
    }
    throw error;
  }
}

/** The part of a zod schema that the engine uses, without a dependency on the library. */
export interface Schema<T> {
  safeParse(
    value: unknown,
  ):
    | { readonly success: true; readonly data: T }
    | { readonly success: false; readonly error: { readonly issues: readonly SchemaIssue[] } };
}

interface SchemaIssue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** Parses the body as a document; HttpError 400 that names the first invalid member. */
export function requestDocument<T>(request: HttpRequest, schema: Schema<T>): T {
  const parsed = schema.safeParse(requestJson(request));
  if (!parsed.success) {
    throw new HttpError(400, `The request is not valid: ${describeIssue(parsed.error.issues[0])}`);
  }
  return parsed.data;
}

/** Parses the body of a response as a document; throws JsonSyntaxError if it is invalid. */
export function responseDocument<T>(response: HttpResponse, schema: Schema<T>): T {
  const parsed = schema.safeParse(parseJson(decodeUtf8(response.body)));
  if (!parsed.success) {
    throw new JsonSyntaxError(`the answer is not valid: ${describeIssue(parsed.error.issues[0])}`);
  }
  return parsed.data;
}

/** The first thing that is wrong with a document: the member, and what is expected there. */
export function describeIssue(issue: SchemaIssue | undefined): string {
  if (issue === undefined) {
    return "unknown";
  }
  // The library prints JavaScript's `undefined` for a missing member.
  const message = issue.message.replace(/^Invalid input: expected (.*), received undefined$/, "missing, expected $1");
  return `${issue.path.map(String).join(".") || "document"}: ${message}`;
}

/** Headers and body of a JSON request. */
export function jsonRequest(method: HttpMethod, url: string, document: unknown, headers: Headers = {}): HttpRequest {
  return { method, url, headers: { ...headers, "content-type": "application/json" }, body: encodeUtf8(stringifyJson(document)) };
}

export function bareRequest(method: HttpMethod, url: string, headers: Headers = {}): HttpRequest {
  return { method, url, headers, body: noBody };
}

/** First line of a header. */
export function responseHeaderText(response: HttpResponse, name: string): string | undefined {
  const value = response.headers[name];
  return typeof value === "string" ? value : value?.[0];
}

export function responseText(response: HttpResponse): string {
  return decodeUtf8(response.body);
}
