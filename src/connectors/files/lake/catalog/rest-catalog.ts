/**
 * A catalog that speaks the REST protocol of Iceberg ("Apache Iceberg REST Catalog API"): its namespaces, their tables, and the metadata of
 * a table. Requests that fail in a way that passes are repeated as those to object stores are. Messages have the status and the kind of an
 * error, never its text, which may repeat a token.
 */
import type { Clock } from "../../../../ports/clock.ts";
import { type Lifetime, unending } from "../../../../ports/lifetime.ts";
import { type Headers, type HttpMethod, type HttpResponse, noBody } from "../../../../ports/network.ts";
import { StorageError } from "../../../../ports/storage.ts";
import { QueryError } from "../../../../protocol/errors.ts";
import { decodeUtf8, encodeUtf8 } from "../../../../types/utf8.ts";
import { parseExactJson } from "../../../shared/exact-json.ts";
import { SharedWork } from "../../../shared/lifetime.ts";
import { uriEncode } from "../../../shared/object-store/signature.ts";
import type { StoreClient } from "../../../shared/object-store/store-client.ts";
import { asDocument, type Document, documentAt, listAt, integerAt, textAt } from "../json.ts";
import { uniformAddress } from "./addresses.ts";
import type { RestOptions } from "./rest-options.ts";

const bodyBytesMax = 67_108_864;
const pagesMax = 10_000;
const namesMax = 100_000;
const namespacesMax = 10_000;
const namespaceDepthMax = 20;
/** Of a token whose server does not tell how long it is valid. */
const tokenMillisDefault = 3_600_000;
/** Tokens that are tried for one request. */
const tokensMax = 3;
/** A token is asked for anew this long before it ends. */
const tokenMarginMillis = 30_000;

/** The token is not valid, or not any more. */
const expiredStatuses: readonly number[] = [401, 419];

export type Namespace = readonly string[];

export interface LoadedTable {
  /** Changes with every change of the table. */
  readonly identity: string;
  readonly metadata: Document;
  /** Configuration of the table's files, keys of its bucket among them. */
  readonly config: Document;
}

interface Route {
  readonly prefix: string;
  /** Between the names of a namespace, encoded. */
  readonly separator: string;
}

interface Asked {
  readonly method?: HttpMethod;
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
}

interface Token {
  readonly text: string;
  readonly endsAtMillis: number;
}

/** What all requests need. Who needs it at the same time shares the request for it. */
interface Shared {
  route: SharedWork<Route> | undefined;
  token: { readonly work: SharedWork<string>; readonly end: { millis: number } } | undefined;
}

function newShared(): Shared {
  return { route: undefined, token: undefined };
}

export class RestCatalog {
  readonly #options: RestOptions;
  readonly #client: StoreClient;
  readonly #clock: Clock;
  readonly #shared: Shared;
  readonly #life: Lifetime;

  constructor(
    options: RestOptions,
    { client, clock }: { readonly client: StoreClient; readonly clock: Clock },
    { shared, life }: { readonly shared: Shared; readonly life: Lifetime } = { shared: newShared(), life: unending },
  ) {
    this.#options = options;
    this.#client = client;
    this.#clock = clock;
    this.#shared = shared;
    this.#life = life;
  }

  /** The same catalog. Its requests end with the lifetime: USER_CANCELED. */
  until(life: Lifetime): RestCatalog {
    return new RestCatalog(this.#options, { client: this.#client.until(life), clock: this.#clock }, { shared: this.#shared, life });
  }

  /** All namespaces; without those inside of others, if the catalog is not asked for them. */
  async namespaces(): Promise<readonly Namespace[]> {
    const found: Namespace[] = [];
    const parents: Namespace[] = [[]];
    for (let parent = parents.shift(); parent !== undefined; parent = parents.shift()) {
      const query = parent.length === 0 ? {} : { parent: await this.#pathOf(parent) };
      const inside = (await this.#listed("namespaces", query, "namespaces")).map((one) => (Array.isArray(one) ? one.map(String) : []));
      const below = inside.filter((one) => one.length === (parent as Namespace).length + 1);
      found.push(...below);
      if (found.length > namespacesMax) {
        throw catalogError(`it has more than ${namespacesMax} namespaces`);
      }
      if (this.#options.hasNestedNamespaces && parent.length + 1 < namespaceDepthMax) {
        parents.push(...below);
      }
    }
    return found;
  }

  async hasNamespace(namespace: Namespace): Promise<boolean> {
    return (await this.#answer(`namespaces/${await this.#pathOf(namespace)}`, {})) !== undefined;
  }

  /** Names of the tables; none for an unknown namespace. */
  async tables(namespace: Namespace): Promise<readonly string[]> {
    const found = await this.#listed(`namespaces/${await this.#pathOf(namespace)}/tables`, {}, "identifiers");
    return found.flatMap((one) => textAt(asDocument(one), "name") ?? []);
  }

  /** undefined if there is no such table. */
  async load(namespace: Namespace, table: string): Promise<LoadedTable | undefined> {
    const headers = this.#options.hasVendedCredentials ? { "x-iceberg-access-delegation": "vended-credentials" } : {};
    const answer = await this.#answer(`namespaces/${await this.#pathOf(namespace)}/tables/${encoded(table)}`, { headers });
    if (answer === undefined) {
      return undefined;
    }
    const metadata = documentAt(answer, "metadata");
    if (metadata === undefined) {
      throw catalogError("it sent no metadata of the table");
    }
    const updated = String(integerAt(metadata, "last-updated-ms") ?? "");
    const identity = textAt(answer, "metadata-location") ?? `${textAt(metadata, "table-uuid") ?? ""}/${updated}`;
    return { identity, metadata, config: configOf(answer, textAt(metadata, "location") ?? "") };
  }

  /** All pages of a list. */
  async #listed(path: string, query: Readonly<Record<string, string>>, member: string): Promise<readonly unknown[]> {
    const all: unknown[] = [];
    let token = "";
    for (let page = 0; ; page++) {
      if (page === pagesMax) {
        throw catalogError(`its list has more than ${pagesMax} pages`);
      }
      // An empty token tells the server that the client takes pages.
      const answer = await this.#answer(path, { query: { ...query, pageToken: token } });
      all.push(...listAt(answer, member));
      const next = textAt(answer, "next-page-token") ?? "";
      if (next === "" || all.length > namesMax) {
        break;
      }
      if (next === token) {
        throw catalogError("it repeats a page of its list");
      }
      token = next;
    }
    if (all.length > namesMax) {
      throw catalogError(`it lists more than ${namesMax} names`);
    }
    return all;
  }

  async #pathOf(namespace: Namespace): Promise<string> {
    const { separator } = await this.#routed();
    return namespace.map(encoded).join(separator);
  }

  /** Asked once, and again after a failure. */
  #routed(): Promise<Route> {
    const shared = this.#shared;
    if (shared.route?.isGivenUp !== false) {
      const route = new SharedWork((life) => this.until(life).#newRoute());
      shared.route = route;
      route.onDone((isFailed) => {
        shared.route = isFailed && shared.route === route ? undefined : shared.route;
      });
    }
    return shared.route.wait(this.#life);
  }

  async #newRoute(): Promise<Route> {
    const { warehouse, prefix } = this.#options;
    const response = await this.#send("v1/config", { query: warehouse === undefined ? {} : { warehouse: encoded(warehouse) } });
    const config = documentOf(successful(response));
    const [defaults, overrides] = [documentAt(config, "defaults"), documentAt(config, "overrides")];
    const of = (name: string): string | undefined => textAt(overrides, name) ?? textAt(defaults, name);
    const given = textAt(overrides, "prefix") ?? prefix ?? textAt(defaults, "prefix") ?? "";
    const separator = of("namespace-separator") ?? "%1F";
    if (!/^(?:%[0-9A-Fa-f]{2}|[A-Za-z0-9._~-])+$/.test(separator)) {
      throw catalogError("its separator of namespaces is not valid");
    }
    return { prefix: given === "" ? "" : `${given.split("/").map(encoded).join("/")}/`, separator };
  }

  /** undefined for status 404. */
  async #answer(path: string, asked: Asked): Promise<Document | undefined> {
    const { prefix } = await this.#routed();
    const response = await this.#send(`v1/${prefix}${path}`, asked);
    return response.status === 404 ? undefined : documentOf(successful(response));
  }

  /** With another token if that of the request is refused: it may have been revoked, or the server restarted. */
  async #send(path: string, { method = "GET", headers = {}, query = {} }: Asked): Promise<HttpResponse> {
    const text = Object.entries(query).map(([name, value]) => `${name}=${name === "pageToken" ? encoded(value) : value}`);
    const url = `${this.#options.uri}/${path}${text.length === 0 ? "" : `?${text.join("&")}`}`;
    for (let attempt = 1; ; attempt++) {
      const token = await this.#bearer();
      const sent = { accept: "application/json", ...headers, ...(token !== undefined && { authorization: `Bearer ${token}` }) };
      const response = await this.#exchange({ method, url, headers: sent, body: noBody });
      if (!expiredStatuses.includes(response.status) || this.#options.security.kind !== "credential" || attempt === tokensMax) {
        return response;
      }
      const known = this.#shared.token;
      if (known !== undefined && (await known.work.wait(this.#life)) === token && this.#shared.token === known) {
        this.#shared.token = undefined;
      }
    }
  }

  async #exchange(request: {
    readonly method: HttpMethod;
    readonly url: string;
    readonly headers: Headers;
    readonly body: Uint8Array;
  }): Promise<HttpResponse> {
    try {
      return await this.#client.send({
        make: async () => request,
        path: "",
        label: "iceberg-rest",
        bodyBytesMax,
        flaw: (response) => (response.status === 200 && jsonOf(response) === undefined ? "it sent a damaged document" : undefined),
      });
    } catch (error) {
      throw error instanceof StorageError ? catalogError(error.message) : error;
    }
  }

  async #bearer(): Promise<string | undefined> {
    const { security } = this.#options;
    if (security.kind !== "credential") {
      return security.kind === "token" ? security.token : undefined;
    }
    const shared = this.#shared;
    const known = shared.token;
    if (known === undefined || known.work.isGivenUp || known.end.millis <= this.#clock.wallMillis()) {
      const end = { millis: Number.POSITIVE_INFINITY };
      const work = new SharedWork(async (life) => {
        const { text, endsAtMillis } = await this.until(life).#newToken(security);
        end.millis = endsAtMillis;
        return text;
      });
      const token = { work, end };
      shared.token = token;
      work.onDone((isFailed) => {
        shared.token = isFailed && shared.token === token ? undefined : shared.token;
      });
      return work.wait(this.#life);
    }
    return known.work.wait(this.#life);
  }

  /** The flow of client credentials of OAuth 2.0 (RFC 6749, section 4.4). */
  async #newToken({ id, secret, scope, serverUri }: Extract<RestOptions["security"], { readonly kind: "credential" }>): Promise<Token> {
    const form = { grant_type: "client_credentials", ...(id !== "" && { client_id: id }), client_secret: secret, scope };
    const response = await this.#exchange({
      method: "POST",
      url: serverUri,
      headers: { accept: "application/json", "content-type": "application/x-www-form-urlencoded" },
      body: encodeUtf8(
        Object.entries(form)
          .map(([name, value]) => `${name}=${encoded(value)}`)
          .join("&"),
      ),
    });
    const document = documentOf(successful(response));
    const text = textAt(document, "access_token");
    if (text === undefined || !/^[\x21-\x7e]+$/.test(text)) {
      throw catalogError("it gave no access token");
    }
    const seconds = integerAt(document, "expires_in");
    const millis = seconds === undefined ? tokenMillisDefault : seconds * 1000;
    return { text, endsAtMillis: this.#clock.wallMillis() + Math.max(1000, millis - tokenMarginMillis) };
  }
}

function catalogError(message: string): QueryError {
  return new QueryError("CONNECTOR_ERROR", `Iceberg REST catalog: ${message}`);
}

function encoded(text: string): string {
  try {
    return uriEncode(text);
  } catch {
    throw catalogError("the name is not well-formed");
  }
}

function jsonOf({ body }: HttpResponse): Document | undefined {
  try {
    return asDocument(parseExactJson(decodeUtf8(body)));
  } catch {
    return undefined;
  }
}

function documentOf(response: HttpResponse): Document {
  const document = jsonOf(response);
  if (document === undefined) {
    throw catalogError("it sent a damaged document");
  }
  return document;
}

function successful(response: HttpResponse): HttpResponse {
  if (response.status === 200) {
    return response;
  }
  const document = jsonOf(response);
  const kind = textAt(documentAt(document, "error"), "type") ?? textAt(document, "error");
  const shown = kind !== undefined && /^[A-Za-z0-9_.]{1,64}$/.test(kind) ? ` (${kind})` : "";
  throw catalogError(`the server answered with status ${response.status}${shown}`);
}

/** The configuration for files below the location: that of the longest prefix, over that of the table. */
function configOf(answer: Document, location: string): Document {
  const prefixOf = (one: Document | undefined): string => uniformAddress(textAt(one, "prefix") ?? "");
  const credentials = listAt(answer, "storage-credentials")
    .map(asDocument)
    .filter((one) => uniformAddress(location).startsWith(prefixOf(one)))
    .toSorted((a, b) => prefixOf(b).length - prefixOf(a).length);
  return { ...documentAt(answer, "config"), ...documentAt(credentials[0], "config") };
}
