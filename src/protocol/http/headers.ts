/**
 * The header families `X-Engine-`, `X-Presto-` and `X-Trino-`: detection of the client's family, and parsing of its request headers.
 * Responses use the same family. An invalid header is HttpError 400 with plain text, as in Presto.
 */
import type { Headers } from "../../ports/network.ts";
import { HttpError } from "./http.ts";
import { decodeBase64 } from "../../types/base64.ts";
import { decodeHeaderText } from "./header-text.ts";
import { decodeUtf8 } from "../../types/utf8.ts";
import { parseDataSize, parseDuration } from "../units.ts";
import { traceParentOf } from "./trace-parent.ts";

export type HeaderFamily = "engine" | "presto" | "trino";

const headerFamilies: readonly HeaderFamily[] = ["engine", "presto", "trino"];

export const displayNames: Readonly<Record<HeaderFamily, string>> = { engine: "X-Engine-", presto: "X-Presto-", trino: "X-Trino-" };

/** Suffixes of request headers. */
const requestSuffixes: readonly string[] = [
  "user",
  "source",
  "catalog",
  "schema",
  "path",
  "time-zone",
  "language",
  "trace-token",
  "session",
  "role",
  "extra-credential",
  "prepared-statement",
  "transaction-id",
  "client-info",
  "client-tags",
  "client-capabilities",
  "resource-estimate",
  "original-user",
  "query-data-encoding",
];

/** Suffixes of response headers, for `responseHeader`. */
export type ResponseSuffix =
  | "set-catalog"
  | "set-schema"
  | "set-path"
  | "set-session"
  | "clear-session"
  | "set-role"
  | "added-prepare"
  | "deallocated-prepare"
  | "started-transaction-id"
  | "clear-transaction-id"
  | "set-authorization-user"
  | "reset-authorization-user";

const anonymousUser = "anonymous";

/** Contents of the headers of a statement request. A member is absent if its header is absent or empty. */
export interface SessionRequest {
  readonly family: HeaderFamily;
  /** The User header, else the user of Basic credentials, else `anonymous`; the interface allows the header to be absent. */
  readonly user: string;
  readonly principal?: string;
  /** User of the client before SET SESSION AUTHORIZATION. */
  readonly originalUser?: string;
  readonly source?: string;
  readonly catalog?: string;
  readonly schema?: string;
  readonly path?: string;
  /** Not validated here: an unknown zone fails the query, not the request. */
  readonly timeZone?: string;
  readonly language?: string;
  readonly traceToken?: string;
  /** The traceparent header, if it is well-formed. */
  readonly traceParent?: string;
  /** Keys are `name` or `catalog.name`. */
  readonly properties: Readonly<Record<string, string>>;
  readonly preparedStatements: Readonly<Record<string, string>>;
  readonly roles: Readonly<Record<string, string>>;
  readonly extraCredentials: Readonly<Record<string, string>>;
  readonly resourceEstimates: Readonly<Record<string, string>>;
  /** The header was present with any value, including `NONE`. */
  readonly clientTransactionSupport: boolean;
  readonly transactionId?: string;
  readonly clientInfo?: string;
  readonly clientTags: readonly string[];
  readonly clientCapabilities: readonly string[];
  /** Row encodings of Trino's spooled protocol, in the client's order of preference. */
  readonly queryDataEncodings: readonly string[];
  readonly userAgent?: string;
}

/** `x-presto-set-session` */
export function responseHeader(family: HeaderFamily, suffix: ResponseSuffix): string {
  return `x-${family}-${suffix}`;
}

/** Values of a header over all its lines, in order. Names are lower case. */
export function headerValues(headers: Headers, name: string): readonly string[] {
  const value = headers[name];
  return value === undefined ? [] : typeof value === "string" ? [value] : value;
}

export function firstHeader(headers: Headers, name: string): string | undefined {
  return headerValues(headers, name)[0];
}

/** The first family with a User header, else the first with any known header, else `X-Engine-`. */
export function detectFamily(headers: Headers): HeaderFamily {
  const withUser = headerFamilies.filter((family) => userOf(headers, family) !== undefined);
  const first = withUser[0];
  const other = withUser.find((family) => first !== undefined && userOf(headers, family) !== userOf(headers, first));
  if (first !== undefined && other !== undefined) {
    throw new HttpError(400, `${displayNames[first]}User and ${displayNames[other]}User name different users`);
  }
  const withAny = headerFamilies.find((family) => requestSuffixes.some((suffix) => headers[`x-${family}-${suffix}`] !== undefined));
  return first ?? withAny ?? "engine";
}

/** The user that a User header names. Throws HttpError 400 if two headers name different ones. */
export function namedUser(headers: Headers): string | undefined {
  return userOf(headers, detectFamily(headers));
}

export function parseSessionRequest(headers: Headers): SessionRequest {
  const family = detectFamily(headers);
  const read = new FamilyReader(headers, family);
  const catalog = read.trimmed("catalog");
  const schema = read.trimmed("schema");
  if (schema !== undefined && catalog === undefined) {
    throw new HttpError(400, "Schema is set but catalog is not");
  }
  const principal = basicUser(headers);
  const transaction = read.transaction();
  const optional = {
    principal,
    originalUser: read.trimmed("original-user"),
    source: read.raw("source"),
    catalog,
    schema,
    path: read.trimmed("path"),
    timeZone: read.trimmed("time-zone"),
    language: read.trimmed("language"),
    traceToken: read.trimmed("trace-token"),
    traceParent: traceParentOf(headers),
    transactionId: transaction.id,
    clientInfo: read.raw("client-info"),
    userAgent: firstHeader(headers, "user-agent"),
  };
  return {
    family,
    user: userOf(headers, family) ?? principal ?? anonymousUser,
    ...present(optional),
    properties: read.properties(),
    preparedStatements: read.pairs("prepared-statement", "Prepared-Statement", { decodeNames: true }),
    roles: read.roles(),
    extraCredentials: read.pairs("extra-credential", "Extra-Credential", { decodeNames: false }),
    resourceEstimates: read.resourceEstimates(),
    clientTransactionSupport: transaction.supported,
    clientTags: read.tags("client-tags"),
    clientCapabilities: read.tags("client-capabilities"),
    queryDataEncodings: family === "trino" ? read.tags("query-data-encoding") : [],
  };
}

type Present<T> = { readonly [K in keyof T]?: Exclude<T[K], undefined> };

/** Removes members without a value. */
function present<T extends Readonly<Record<string, string | undefined>>>(members: T): Present<T> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined && value !== "")) as Present<T>;
}

class FamilyReader {
  readonly #headers: Headers;
  readonly #family: HeaderFamily;

  constructor(headers: Headers, family: HeaderFamily) {
    this.#headers = headers;
    this.#family = family;
  }

  raw(suffix: string): string | undefined {
    const value = firstHeader(this.#headers, `x-${this.#family}-${suffix}`);
    return value === undefined ? undefined : decodeHeaderText(value);
  }

  trimmed(suffix: string): string | undefined {
    return this.raw(suffix)?.trim() || undefined;
  }

  /** Comma-separated entries over all lines, trimmed, without empty ones. */
  entries(suffix: string): readonly string[] {
    return headerValues(this.#headers, `x-${this.#family}-${suffix}`)
      .flatMap((line) => decodeHeaderText(line).split(","))
      .map((entry) => entry.trim())
      .filter((entry) => entry !== "");
  }

  tags(suffix: string): readonly string[] {
    return [...new Set(this.entries(suffix))];
  }

  /** `name=value` entries; values are form-decoded (`%xx`, and `+` is a space). */
  pairs(suffix: string, displaySuffix: string, options: { readonly decodeNames: boolean }): Readonly<Record<string, string>> {
    const display = `${displayNames[this.#family]}${displaySuffix}`;
    const pairs: [string, string][] = [];
    for (const entry of this.entries(suffix)) {
      const equals = entry.indexOf("=");
      const name = equals < 0 ? "" : entry.slice(0, equals).trim();
      if (name === "") {
        throw new HttpError(400, `Invalid ${display} header`);
      }
      const decode = (text: string): string => formDecode(text, display);
      pairs.push([options.decodeNames ? decode(name) : name, decode(entry.slice(equals + 1).trim())]);
    }
    return Object.fromEntries(pairs);
  }

  properties(): Readonly<Record<string, string>> {
    const pairs = this.pairs("session", "Session", { decodeNames: false });
    for (const name of Object.keys(pairs)) {
      if (!/^[^.\s]+(?:\.[^.\s]+)?$/.test(name)) {
        throw new HttpError(400, `Invalid ${displayNames[this.#family]}Session header`);
      }
    }
    return pairs;
  }

  roles(): Readonly<Record<string, string>> {
    const pairs = this.pairs("role", "Role", { decodeNames: false });
    for (const role of Object.values(pairs)) {
      if (!/^(?:ALL|NONE|ROLE\{.+\})$/.test(role)) {
        throw new HttpError(400, `Invalid ${displayNames[this.#family]}Role header`);
      }
    }
    return pairs;
  }

  resourceEstimates(): Readonly<Record<string, string>> {
    const pairs = this.pairs("resource-estimate", "Resource-Estimate", { decodeNames: false });
    for (const [name, value] of Object.entries(pairs)) {
      const upper = name.toUpperCase();
      const isTime = upper === "EXECUTION_TIME" || upper === "CPU_TIME";
      const isSize = upper === "PEAK_MEMORY" || upper === "PEAK_TASK_MEMORY";
      const parsed = isTime ? parseDuration(value) : isSize ? parseDataSize(value) : undefined;
      if (parsed === undefined) {
        throw new HttpError(
          400,
          isTime || isSize ? `Unsupported value for resource estimate '${name}': ${value}` : `Unsupported resource name ${name}`,
        );
      }
    }
    return pairs;
  }

  transaction(): { readonly supported: boolean; readonly id: string | undefined } {
    const text = this.raw("transaction-id")?.trim();
    if (text === undefined || text === "" || text.toUpperCase() === "NONE") {
      return { supported: text !== undefined, id: undefined };
    }
    if (!/^[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/.test(text)) {
      throw new HttpError(400, `Invalid ${displayNames[this.#family]}Transaction-Id header`);
    }
    return { supported: true, id: text.toLowerCase() };
  }
}

/** Decodes `%xx` and `+`; a malformed escape is HttpError 400. */
function formDecode(text: string, display: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    throw new HttpError(400, `Invalid ${display} header: malformed escape`);
  }
}

/** For header values whose receivers split at commas and decode `%xx`; some of them do not decode `+`. */
export function encodeHeaderValue(text: string): string {
  return encodeURIComponent(text);
}

function userOf(headers: Headers, family: HeaderFamily): string | undefined {
  return decodeHeaderText(firstHeader(headers, `x-${family}-user`) ?? "").trim() || undefined;
}

/** As in Presto, a password is refused if there is no authentication, so that nobody assumes that it is checked. */
function basicUser(headers: Headers): string | undefined {
  const match = /^Basic\s+(\S+)\s*$/i.exec(firstHeader(headers, "authorization") ?? "");
  if (match === null) {
    return undefined;
  }
  const bytes = decodeBase64(match[1] as string);
  const text = bytes === undefined ? undefined : decodeUtf8(bytes);
  const colon = text?.indexOf(":") ?? -1;
  if (text === undefined || colon < 0) {
    throw new HttpError(401, "Malformed credentials: token", { "www-authenticate": 'Basic realm="Orrery"' });
  }
  if (colon + 1 < text.length) {
    throw new HttpError(401, "Password not allowed for insecure authentication", { "www-authenticate": 'Basic realm="Orrery"' });
  }
  return text.slice(0, colon) || undefined;
}
