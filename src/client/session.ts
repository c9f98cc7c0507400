/**
 * The client session as request headers, and its changes by response headers (the interface, section 4.1; headers beyond the four named
 * there are Presto's). All functions take the client's header family. Stateless: the statement client holds the current session.
 */
import type { Headers, HttpResponse } from "../ports/network.ts";
import { decodeHeaderText, encodeHeaderText } from "../protocol/http/header-text.ts";
import { encodeHeaderValue, type HeaderFamily, headerValues, responseHeader } from "../protocol/http/headers.ts";

export interface ClientSession {
  readonly user: string;
  readonly source?: string;
  readonly catalog?: string;
  readonly schema?: string;
  readonly timeZone?: string;
  readonly clientInfo?: string;
  readonly clientTags: readonly string[];
  readonly traceToken?: string;
  readonly resourceEstimates?: Readonly<Record<string, string>>;
  readonly extraCredentials?: Readonly<Record<string, string>>;
  /** `name` or `catalog.name`, in the order in which they were set. */
  readonly properties: Readonly<Record<string, string>>;
  readonly preparedStatements: Readonly<Record<string, string>>;
  readonly transactionId?: string;
  /** Roles by catalog, as a server has set them: `ROLE{admin}`. */
  readonly roles?: Readonly<Record<string, string>>;
}

export function clientSession(user: string, others: Partial<Omit<ClientSession, "user">> = {}): ClientSession {
  return { user, clientTags: [], properties: {}, preparedStatements: {}, ...others };
}

/** Headers of a statement submission. */
export function submitHeaders(session: ClientSession, family: HeaderFamily): Headers {
  const headers: Record<string, string> = statementHeaders(session, family);
  const put = (suffix: string, value: string | undefined): void => {
    if (value !== undefined && value !== "") {
      headers[`x-${family}-${suffix}`] = encodeHeaderText(value);
    }
  };
  put("time-zone", session.timeZone);
  put("client-info", session.clientInfo);
  put("client-tags", session.clientTags.join(","));
  put("client-capabilities", "PARAMETRIC_DATETIME");
  put("trace-token", session.traceToken);
  put("resource-estimate", pairs(session.resourceEstimates ?? {}, encodeHeaderValue));
  put("extra-credential", pairs(session.extraCredentials ?? {}, encodeHeaderValue));
  put(
    "session",
    pairs(session.properties, (name) => name),
  );
  put("prepared-statement", pairs(session.preparedStatements, encodeHeaderValue));
  put("role", pairs(session.roles ?? {}, encodeHeaderValue));
  // The header's presence says that the client supports transactions.
  put("transaction-id", session.transactionId ?? "NONE");
  return headers;
}

/** The user header, for requests without a session. */
export function userHeader(user: string, family: HeaderFamily): Record<string, string> {
  return { [`x-${family}-user`]: encodeHeaderText(user) };
}

/** The four headers of the interface that every operation accepts. */
export function statementHeaders(session: ClientSession, family: HeaderFamily): Record<string, string> {
  const { user, source, catalog, schema } = session;
  return {
    ...userHeader(user, family),
    ...(source === undefined ? {} : { [`x-${family}-source`]: encodeHeaderText(source) }),
    ...(catalog === undefined ? {} : { [`x-${family}-catalog`]: encodeHeaderText(catalog) }),
    ...(schema === undefined ? {} : { [`x-${family}-schema`]: encodeHeaderText(schema) }),
  };
}

function pairs(values: Readonly<Record<string, string>>, spellName: (name: string) => string): string {
  return Object.entries(values)
    .map(([name, value]) => `${spellName(name)}=${encodeHeaderValue(value)}`)
    .join(",");
}

/** The session after a response. Several responses may carry the same headers, so every change is idempotent. */
export function sessionAfter(session: ClientSession, response: HttpResponse, family: HeaderFamily): ClientSession {
  const values = (suffix: Parameters<typeof responseHeader>[1]): readonly string[] =>
    headerValues(response.headers, responseHeader(family, suffix));
  const entries = (suffix: Parameters<typeof responseHeader>[1]): readonly string[] =>
    values(suffix)
      .flatMap((line) => line.split(","))
      .map((entry) => entry.trim())
      .filter((entry) => entry !== "");
  const [catalog] = values("set-catalog");
  const [schema] = values("set-schema");
  const [started] = values("started-transaction-id");
  const roles = entries("set-role");
  const { transactionId, ...others } = session;
  const transaction = values("clear-transaction-id").length > 0 ? undefined : (started ?? transactionId);
  return {
    ...others,
    ...(catalog === undefined ? {} : { catalog: decodeHeaderText(catalog) }),
    ...(schema === undefined ? {} : { schema: decodeHeaderText(schema) }),
    properties: changed(session.properties, entries("set-session"), entries("clear-session")),
    preparedStatements: changed(session.preparedStatements, entries("added-prepare"), entries("deallocated-prepare")),
    ...(transaction === undefined ? {} : { transactionId: transaction }),
    ...(roles.length === 0 ? {} : { roles: changed(session.roles ?? {}, roles, []) }),
  };
}

function changed(
  values: Readonly<Record<string, string>>,
  added: readonly string[],
  removed: readonly string[],
): Readonly<Record<string, string>> {
  const result = new Map(Object.entries(values));
  for (const entry of added) {
    const equals = entry.indexOf("=");
    if (equals > 0) {
      result.set(formDecode(entry.slice(0, equals)), formDecode(entry.slice(equals + 1)));
    }
  }
  for (const name of removed) {
    result.delete(formDecode(name));
  }
  return Object.fromEntries(result);
}

/** Malformed encodings are taken literally, because old servers send raw values. */
function formDecode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text;
  }
}
