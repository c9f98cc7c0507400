/**
 * A catalog of Iceberg's REST protocol for tests, after "Apache Iceberg REST Catalog API" (open-api/rest-catalog-open-api.yaml of Iceberg):
 * configuration, namespaces, tables, the metadata of a table, and tokens by client credentials. Anything else is a bad request, so that a
 * client that does not follow the document is seen.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { closeServer, listenOnLoopback } from "./listening.ts";

export type CatalogFault = "unavailable" | "reset" | "damaged" | "expired";

export interface RestTable {
  readonly namespace: readonly string[];
  readonly name: string;
  /** Text of the metadata file: its ids have more digits than numbers of JavaScript. */
  readonly metadata: () => string;
  /** "storage-credentials" in the place of the keys of the options. */
  readonly credentials?: () => readonly { readonly prefix: string; readonly config: Readonly<Record<string, string>> }[];
}

export interface RestCatalogOptions {
  readonly warehouse: string;
  readonly prefix: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly namespaces: readonly (readonly string[])[];
  readonly tables: readonly RestTable[];
  /** Given to clients that ask for delegated access. */
  readonly keys: { readonly accessKey: string; readonly secretKey: string };
  readonly pageNames: number;
  readonly fault?: () => CatalogFault | undefined;
}

const unitSeparator = "\u001f";

export class RestCatalogServer {
  readonly #options: RestCatalogOptions;
  readonly #server: Server;
  #tokens = 0;
  requests: string[] = [];
  /** Requests that the document does not allow. */
  refused: string[] = [];

  constructor(options: RestCatalogOptions) {
    this.#options = options;
    this.#server = createServer((request, response) => {
      const parts: Buffer[] = [];
      request.on("data", (part: Buffer) => parts.push(part));
      request.on("end", () => this.#answer(request, response, Buffer.concat(parts).toString()));
    });
  }

  async listen(): Promise<string> {
    return `${await listenOnLoopback(this.#server)}/catalog`;
  }

  close(): Promise<void> {
    return closeServer(this.#server);
  }

  #answer(request: IncomingMessage, response: ServerResponse, body: string): void {
    const url = new URL(request.url ?? "", "http://catalog");
    this.requests.push(`${request.method ?? ""} ${url.pathname}`);
    const fault = this.#options.fault?.();
    if (fault === "reset") {
      request.socket.resetAndDestroy();
      return;
    }
    if (fault === "unavailable") {
      return fail(response, 503, "ServiceUnavailableException");
    }
    const isToken = url.pathname === "/catalog/v1/oauth/tokens";
    if (fault === "expired") {
      this.#tokens++;
    }
    const text = isToken ? this.#token(request, body) : this.#read(request, url);
    if (typeof text !== "string") {
      return fail(response, text.status, text.kind);
    }
    response
      .writeHead(200, { "content-type": "application/json" })
      .end(fault === "damaged" ? text.slice(0, Math.floor(text.length / 2)) : text);
  }

  #token(request: IncomingMessage, body: string): string | Refusal {
    const form = new URLSearchParams(body);
    const { clientId, clientSecret } = this.#options;
    if (request.method !== "POST" || request.headers["content-type"] !== "application/x-www-form-urlencoded") {
      return this.#refuse(request);
    }
    if (
      form.get("grant_type") !== "client_credentials" ||
      form.get("client_id") !== clientId ||
      form.get("client_secret") !== clientSecret
    ) {
      return { status: 401, kind: "invalid_client" };
    }
    return form.get("scope") === "PRINCIPAL_ROLE:ALL"
      ? JSON.stringify({ access_token: `token-${this.#tokens}`, token_type: "bearer", expires_in: 3600 })
      : { status: 400, kind: "invalid_scope" };
  }

  #read(request: IncomingMessage, url: URL): string | Refusal {
    if (request.headers.authorization !== `Bearer token-${this.#tokens}`) {
      return { status: 401, kind: "NotAuthorizedException" };
    }
    const names = [...url.searchParams.keys()];
    const { warehouse, prefix, namespaces, tables } = this.#options;
    if (request.method !== "GET" || names.some((name) => !["warehouse", "parent", "pageToken", "pageSize", "snapshots"].includes(name))) {
      return this.#refuse(request);
    }
    if (url.pathname === "/catalog/v1/config") {
      return url.searchParams.get("warehouse") === warehouse
        ? JSON.stringify({ defaults: { prefix: "wrong" }, overrides: { prefix } })
        : { status: 404, kind: "NotFoundException" };
    }
    const parts = url.pathname.split("/").map(decodeURIComponent);
    const [, base, version, given, resource, namespaceText, collection, table, ...rest] = parts;
    if (base !== "catalog" || version !== "v1" || given !== prefix || resource !== "namespaces" || rest.length > 0) {
      return this.#refuse(request);
    }
    const pathOf = (text: string): string => JSON.stringify(text.split(unitSeparator));
    if (namespaceText === undefined) {
      const parent = url.searchParams.get("parent");
      const above = parent === null ? [] : (JSON.parse(pathOf(parent)) as string[]);
      const inside = namespaces.filter((one) => one.length === above.length + 1 && above.every((name, index) => one[index] === name));
      return this.#page(url, "namespaces", inside);
    }
    const namespace = namespaces.find((one) => JSON.stringify(one) === pathOf(namespaceText));
    if (namespace === undefined) {
      return { status: 404, kind: "NoSuchNamespaceException" };
    }
    if (collection === undefined) {
      return JSON.stringify({ namespace, properties: {} });
    }
    if (collection !== "tables") {
      return this.#refuse(request);
    }
    const below = tables.filter((one) => JSON.stringify(one.namespace) === JSON.stringify(namespace));
    if (table === undefined) {
      const identifiers = below.map(({ name }) => ({ namespace, name }));
      return this.#page(url, "identifiers", identifiers);
    }
    const found = below.find(({ name }) => name === table);
    return found === undefined ? { status: 404, kind: "NoSuchTableException" } : this.#loaded(found, request);
  }

  #loaded({ name, metadata, credentials: own }: RestTable, request: IncomingMessage): string {
    const { accessKey, secretKey } = this.#options.keys;
    const asked = request.headers["x-iceberg-access-delegation"] === "vended-credentials";
    const other = { prefix: "s3://lake/", config: { "s3.access-key-id": "other", "s3.secret-access-key": "other" } };
    const keys = { "s3.access-key-id": accessKey, "s3.secret-access-key": secretKey, "s3.session-token-expires-at-ms": "1" };
    const ofBucket = [other, { prefix: `s3://lake/${name}`, config: keys }, { prefix: "s3://lak", config: {} }];
    const credentials = asked ? (own?.() ?? ofBucket) : [];
    return `{"metadata-location": "s3://lake/${name}/metadata/current.json", "metadata": ${metadata()}, "config": {"a": "b"}, "storage-credentials": ${JSON.stringify(credentials)}}`;
  }

  /** A client that sends no token gets all, as the document says. */
  #page(url: URL, member: string, all: readonly unknown[]): string {
    const token = url.searchParams.get("pageToken");
    if (token === null) {
      return JSON.stringify({ [member]: all });
    }
    const from = token === "" ? 0 : Number(token.slice("page ".length));
    const next = from + this.#options.pageNames;
    return JSON.stringify({ [member]: all.slice(from, next), "next-page-token": next < all.length ? `page ${next}` : null });
  }

  #refuse(request: IncomingMessage): Refusal {
    this.refused.push(`${request.method ?? ""} ${request.url ?? ""}`);
    return { status: 400, kind: "BadRequestException" };
  }
}

interface Refusal {
  readonly status: number;
  readonly kind: string;
}

function fail(response: ServerResponse, status: number, type: string): void {
  const error = { error: { message: "of the server, with Bearer token-0", type, code: status } };
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(error));
}
