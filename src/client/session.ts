/**
 * The client session as request headers, and its changes by response headers (the interface, section 4.1; headers beyond the four named
 * there are Presto's). All functions take the client's header family. Stateless: the statement client holds the current session.
 */
import type { Headers, HttpResponse } from "../ports/network.ts";
import { decodeHeaderText, encodeHeaderText } from "../protocol/http/header-text.ts";
import { encodeHeaderValue, type HeaderFamily, headerValues, responseHeader, type ResponseSuffix } from "../protocol/http/headers.ts";

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
  readonly path?: string;
  readonly language?: string;
  /** What the reader of the rows understands; PARAMETRIC_DATETIME if absent. */
  readonly clientCapabilities?: readonly string[];
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
  put("client-capabilities", (session.clientCapabilities ?? ["PARAMETRIC_DATETIME"]).join(","));
  put("path", session.path);
  put("language", session.language);
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

/** What a response changes in the client's session. Several responses may carry the same headers, so every change is idempotent. */
export interface SessionChanges {
  readonly catalog?: string;
  readonly schema?: string;
  readonly path?: string;
  readonly properties: Readonly<Record<string, string>>;
  readonly clearedProperties: readonly string[];
  readonly preparedStatements: Readonly<Record<string, string>>;
  readonly deallocatedStatements: readonly string[];
  readonly roles: Readonly<Record<string, string>>;
  readonly startedTransactionId?: string;
  readonly clearsTransaction: boolean;
}

export function sessionChanges({ headers }: HttpResponse, family: HeaderFamily): SessionChanges {
  const values = (suffix: ResponseSuffix): readonly string[] => headerValues(headers, responseHeader(family, suffix));
  const entries = (suffix: ResponseSuffix): readonly string[] =>
    values(suffix)
      .flatMap((line) => line.split(","))
      .map((entry) => entry.trim())
      .filter((entry) => entry !== "");
  const text = (suffix: ResponseSuffix): string | undefined => values(suffix).map(decodeHeaderText)[0];
  const [catalog, schema, path, startedTransactionId] = [
    text("set-catalog"),
    text("set-schema"),
    text("set-path"),
    text("started-transaction-id"),
  ];
  return {
    ...(catalog !== undefined && { catalog }),
    ...(schema !== undefined && { schema }),
    ...(path !== undefined && { path }),
    properties: pairsOf(entries("set-session")),
    clearedProperties: entries("clear-session").map(formDecode),
    preparedStatements: pairsOf(entries("added-prepare")),
    deallocatedStatements: entries("deallocated-prepare").map(formDecode),
    roles: pairsOf(entries("set-role")),
    ...(startedTransactionId !== undefined && { startedTransactionId }),
    clearsTransaction: values("clear-transaction-id").length > 0,
  };
}

/** The session after a response. */
export function sessionAfter(session: ClientSession, response: HttpResponse, family: HeaderFamily): ClientSession {
  const changes = sessionChanges(response, family);
  const { catalog, schema, startedTransactionId, clearsTransaction, roles } = changes;
  const { transactionId, ...others } = session;
  const transaction = clearsTransaction ? undefined : (startedTransactionId ?? transactionId);
  return {
    ...others,
    ...(catalog !== undefined && { catalog }),
    ...(schema !== undefined && { schema }),
    properties: changed(session.properties, changes.properties, changes.clearedProperties),
    preparedStatements: changed(session.preparedStatements, changes.preparedStatements, changes.deallocatedStatements),
    ...(transaction !== undefined && { transactionId: transaction }),
    ...(Object.keys(roles).length > 0 && { roles: changed(session.roles ?? {}, roles, []) }),
  };
}

function changed(
  values: Readonly<Record<string, string>>,
  added: Readonly<Record<string, string>>,
  removed: readonly string[],
): Readonly<Record<string, string>> {
  const result = new Map([...Object.entries(values), ...Object.entries(added)]);
  for (const name of removed) {
    result.delete(name);
  }
  return Object.fromEntries(result);
}

/** `name=value` entries, form-encoded; others are ignored. */
function pairsOf(entries: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    entries.flatMap((entry) => {
      const equals = entry.indexOf("=");
      return equals > 0 ? [[formDecode(entry.slice(0, equals)), formDecode(entry.slice(equals + 1))]] : [];
    }),
  );
}

/** Malformed encodings are taken literally, because old servers send raw values. */
function formDecode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text;
  }
}
