/**
 * Removes data that a recording must not contain. Secrets (credentials in headers, passwords and keys of catalogs) are always removed.
 * Literals are removed on request: statements keep their shape, and of bodies with rows or constants only the length remains.
 */
import type { Headers } from "../ports/network.ts";
import { decodeBase64, encodeBase64 } from "../types/base64.ts";
import { QueryError } from "../protocol/errors.ts";
import { type Token, tokenize } from "../sql/parser/lexer.ts";
import { redactedStatement } from "../sql/redaction.ts";
import { decodeUtf8, encodeUtf8 } from "../types/utf8.ts";
import type { Content } from "./entries.ts";
import { hashBytes } from "./hash.ts";

const scrubbed = "scrubbed";
const secretName =
  /^(?:proxy-)?authorization$|^(?:set-)?cookie$|credential|passw|secret|(?<!trace-)token|api[-_.]?key|access[-_.]?key|private[-_.]?key|connection[-_.]?string|json[-_.]?key(?!-file)/i;
const preparedName = /-prepared-statement$|-added-prepare$/i;
const statementPath = /^(?:https?:\/\/[^/]+)?\/v1\/statement(?:\/[^/?]+)?(?:\?|$)/;
/** Definitions of catalogs, by clients and from the coordinator to its workers. */
const catalogPath = /^(?:https?:\/\/[^/]+)?\/v1\/catalog(?:\/[^/?]+)?(?:\?|$)/;
const headerNamesMax = 1000;

type HeaderClass = "plain" | "secret" | "credentials" | "prepared";

export class Scrubber {
  readonly literals: boolean;
  /** Clients choose the names, so the map is bounded. */
  readonly #classes = new Map<string, HeaderClass>();

  constructor(options: { readonly literals: boolean }) {
    this.literals = options.literals;
  }

  headers(headers: Headers): Headers {
    let clean: Record<string, string | readonly string[]> | undefined;
    for (const name in headers) {
      const kind = this.#classOf(name);
      if (kind !== "plain" && (kind !== "prepared" || this.literals)) {
        clean ??= { ...headers };
        const value = headers[name] as string | readonly string[];
        clean[name] = typeof value === "string" ? scrubHeader(kind, value) : value.map((one) => scrubHeader(kind, one));
      }
    }
    return clean ?? headers;
  }

  /** Body of a request from a client or a node. */
  requestBody(method: string, url: string, body: Uint8Array): Content {
    if (body.length > 0 && (method === "POST" || method === "PUT") && catalogPath.test(url)) {
      return contentOf(encodeUtf8(scrubJson(decodeUtf8(body))));
    }
    const submits = (method === "POST" || method === "PUT") && statementPath.test(url);
    if (!this.literals || body.length === 0) {
      return submits && body.length > 0 ? contentOf(scrubCatalog(body)) : contentOf(body);
    }
    return submits ? contentOf(encodeUtf8(scrubSql(decodeUtf8(body)))) : { length: body.length, hash: undefined, bytes: undefined };
  }

  /** Body of a response, or bytes read from a disk. */
  body(body: Uint8Array): Content {
    return this.literals && body.length > 0 ? { length: body.length, hash: undefined, bytes: undefined } : contentOf(body);
  }

  /** Of the node's own output only length and hash are kept. */
  output(body: Uint8Array): Content {
    return { length: body.length, hash: this.literals && body.length > 0 ? undefined : hashBytes(body), bytes: undefined };
  }

  #classOf(name: string): HeaderClass {
    let kind = this.#classes.get(name);
    if (kind === undefined) {
      kind = /credential/i.test(name) ? "credentials" : secretName.test(name) ? "secret" : preparedName.test(name) ? "prepared" : "plain";
      if (this.#classes.size >= headerNamesMax) {
        this.#classes.clear();
      }
      this.#classes.set(name, kind);
    }
    return kind;
  }
}

/** The hash of an input is computed by the reader, which has the bytes. */
function contentOf(bytes: Uint8Array): Content {
  return { length: bytes.length, hash: 0, bytes };
}

function scrubHeader(kind: HeaderClass, value: string): string {
  if (kind === "secret") {
    return scrubAuthorization(value);
  }
  // `name=value, name=value`: names are kept, so that the header still parses.
  return value
    .split(",")
    .map((pair) => {
      const equals = pair.indexOf("=");
      if (equals === -1) {
        return scrubbed;
      }
      return `${pair.slice(0, equals + 1)}${kind === "prepared" ? encodeURIComponent(scrubSql(decodeText(pair.slice(equals + 1)))) : scrubbed}`;
    })
    .join(",");
}

function decodeText(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", "%20"));
  } catch {
    return scrubbed;
  }
}

/** The user of a Basic authorization is the query's user and is kept; the password is removed. */
function scrubAuthorization(value: string): string {
  const basic = /^Basic\s+(\S+)\s*$/i.exec(value)?.[1];
  const bytes = basic === undefined ? undefined : decodeBase64(basic);
  if (bytes === undefined) {
    return scrubbed;
  }
  const [user, ...password] = decodeUtf8(bytes).split(":");
  // Whether a password is present matters to the node and is not secret.
  return `Basic ${encodeBase64(encodeUtf8(`${user}:${password.join(":") === "" ? "" : scrubbed}`))}`;
}

/** Removes the values of all properties with secret-like names from a configuration, at any depth. */
export function scrubConfig(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(scrubConfig);
  }
  if (typeof value !== "object" || value === null) {
    return typeof value === "string" ? scrubAddress(value) : value;
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      typeof inner === "string" && secretName.test(name) ? scrubbed : scrubConfig(inner),
    ]),
  );
}

/** The members of rules of access control that hold expressions. */
interface SecuredTables {
  readonly tables?:
    | readonly { readonly filter?: string | undefined; readonly columns: readonly { readonly mask?: string | undefined }[] }[]
    | undefined;
}

/** Without the literals of row filters and column masks. Whom rules are for is kept, as the users of statements are. */
export function scrubAccess<C extends SecuredTables | "default">(configuration: C): C {
  if (configuration === "default") {
    return configuration;
  }
  const { tables, ...others } = configuration as SecuredTables;
  const clean = tables?.map(({ columns, filter, ...rule }) => ({
    ...rule,
    ...(filter === undefined ? {} : { filter: scrubSql(filter) }),
    columns: columns.map(({ mask, ...column }) => ({ ...column, ...(mask === undefined ? {} : { mask: scrubSql(mask) }) })),
  }));
  return { ...others, ...(clean === undefined ? {} : { tables: clean }) } as unknown as C;
}

/** The body is only changed if it holds a secret. */
function scrubCatalog(body: Uint8Array): Uint8Array {
  const sql = decodeUtf8(body);
  const clean = redactedStatement(sql, (property, value) => secretName.test(property) || scrubAddress(value) !== value);
  return clean === sql ? body : encodeUtf8(clean);
}

function scrubJson(text: string): string {
  try {
    return JSON.stringify(scrubConfig(JSON.parse(text)));
  } catch {
    return scrubbed;
  }
}

/** `jdbc:postgresql://user:a@host/db?password=b` becomes `jdbc:postgresql://user:scrubbed@host/db?password=scrubbed`. */
function scrubAddress(text: string): string {
  return text
    .replace(/^((?:[a-z][a-z0-9+.-]*:)+\/\/[^/@:]*):[^/@]*@/i, `$1:${scrubbed}@`)
    .replace(/([?&;](?:sig|[\w.%-]*(?:passw|secret|token|credential|accountkey|sharedaccess)[\w.%-]*)=)[^&;]*/gi, `$1${scrubbed}`);
}

/**
 * Replaces literals by others of the same type and length: digits become 1 and letters x, so dates, times, patterns and numbers stay valid.
 * Comments become blanks. A text that cannot be tokenized keeps only its length.
 */
export function scrubSql(sql: string): string {
  let tokens: readonly Token[];
  try {
    tokens = tokenize(sql);
  } catch (error) {
    if (error instanceof QueryError) {
      return coarse(sql);
    }
    throw error;
  }
  if (tokens.some(({ kind }) => kind === "unrecognized")) {
    // Not a statement: an apparent name may be part of an unterminated string.
    return coarse(sql);
  }
  const starts = lineStarts(sql);
  let clean = "";
  let at = 0;
  for (const token of tokens) {
    const start = token.kind === "eof" ? sql.length : (starts[token.lineNumber - 1] ?? 0) + token.columnNumber - 1;
    clean += blank(sql.slice(at, start));
    at = token.kind === "eof" ? start : start + token.text.length;
    clean += scrubToken(token, sql.slice(start, at));
  }
  return clean;
}

function scrubToken(token: Token, text: string): string {
  switch (token.kind) {
    case "string":
    case "integer":
    case "decimal":
      return coarse(text);
    case "double":
      // The letter of an exponent stays, and the exponent stays small.
      return text.replace(/^[\d.]+/, (digits) => coarse(digits)).replace(/\d+$/, (digits) => "1".padStart(digits.length, "0"));
    case "binary":
      return `${text.slice(0, 2)}${text.slice(2, -1).replaceAll(/[0-9A-Fa-f]/g, "1")}'`;
    default:
      return text;
  }
}

/** Keywords such as DATE are outside of the string, so letters inside do not matter to the parser. */
function coarse(text: string): string {
  return text.replaceAll(/\p{Nd}/gu, "1").replaceAll(/\p{L}/gu, (letter) => "x".repeat(letter.length));
}

function blank(text: string): string {
  return text.replaceAll(/[^\s]/gu, (character) => " ".repeat(character.length));
}

function lineStarts(text: string): readonly number[] {
  const starts = [0];
  for (const found of text.matchAll(/\r\n|\r|\n/g)) {
    starts.push(found.index + found[0].length);
  }
  return starts;
}
