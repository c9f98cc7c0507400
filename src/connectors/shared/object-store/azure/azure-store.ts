/**
 * A container of Azure Blob Storage: List Blobs, Get Blob with ranges and Get Blob Properties of the "Blob Service REST API".
 */
import type { Clock } from "../../../../ports/clock.ts";
import type { Lifetime } from "../../../../ports/lifetime.ts";
import { type HttpRequest, type HttpResponse, noBody } from "../../../../ports/network.ts";
import type { RandomStream } from "../../../../ports/random.ts";
import { StorageError } from "../../../../ports/storage.ts";
import { type DatedRequestOptions, DatedRequests, type ObjectRequest, type Refusal } from "../dated-requests.ts";
import type { ExpiringValue } from "../expiring.ts";
import { damagedDocument, type ListPage, listedPages } from "../listing.ts";
import type { Listed, ObjectStore, ObjectWriter, StoredObject } from "../object-store.ts";
import { changedError, cutShort, headerOf, objectOf, rangeOf } from "../responses.ts";
import { pathOf, uriEncode } from "../signature.ts";
import type { StoreClient } from "../store-client.ts";
import { httpTime, parseHttpTime } from "../times.ts";
import { textIn } from "../xml.ts";
import type { AzureAccount, AzureCredential } from "./account.ts";
import { AzureWriter } from "./azure-writer.ts";
import { azureCodeOf, listOf, successful } from "./blobs.ts";
import { sharedKey } from "./shared-key.ts";

const listedBytesMax = 16_777_216;
/** Of the service. Names in lists that XML cannot hold are marked as encoded from 2021-02-12 on. */
const serviceVersion = "2021-12-02";
/** Marks an empty blob that stands for a folder, in the metadata. */
const folderMark = "hdi_isfolder";

export interface AzureStoreOptions {
  readonly container: string;
  readonly account: () => Promise<AzureAccount>;
  readonly client: StoreClient;
  readonly clock: Clock;
  /** Of names of uploads. */
  readonly random: RandomStream;
}

export class AzureStore implements ObjectStore {
  readonly writer: ObjectWriter;
  readonly #options: AzureStoreOptions;
  readonly #requests: DatedRequests;

  constructor(options: AzureStoreOptions, requests?: DatedRequests) {
    const { client, clock, random } = options;
    this.#options = options;
    const make: DatedRequestOptions["make"] = (...parameters) => this.#signed(...parameters);
    const token = async (): Promise<ExpiringValue<string> | undefined> => {
      const { credential } = await options.account();
      return credential.kind === "token" ? credential.token : undefined;
    };
    this.#requests = requests ?? new DatedRequests({ client, clock, make, refusalOf, token });
    this.writer = new AzureWriter({
      send: (request, sent) => this.#requests.send(request, sent),
      head: (key) => this.head(key),
      random,
    });
  }

  until(life: Lifetime): ObjectStore {
    return new AzureStore(this.#options, this.#requests.until(life));
  }

  list(folder: string): Promise<Listed> {
    return listedPages(folder, (token) => this.#page(folder, token));
  }

  async head(key: string): Promise<StoredObject> {
    const response = successful(await this.#requests.send({ method: "HEAD", key }, { bodyBytesMax: 0, label: "azure-head" }), key);
    if (headerOf(response.headers, `x-ms-meta-${folderMark}`) === "true") {
      throw new StorageError("NOT_FOUND", key, "it is a folder");
    }
    return objectOf(key, response);
  }

  async get(object: StoredObject, range: { readonly offset: number; readonly length: number }): Promise<Uint8Array> {
    const { key, version } = object;
    const bytes = `bytes=${range.offset}-${range.offset + range.length - 1}`;
    const headers = { "x-ms-range": bytes, ...(version !== "" && { "if-match": version }) };
    const response = await this.#requests.send(
      { method: "GET", key, headers },
      { bodyBytesMax: range.length + listedBytesMax, label: "azure-get", flaw: (one) => cutShort(one, range.length) },
    );
    // Without the end of the blob's former size there is no range either.
    if (response.status === 412 || response.status === 416) {
      throw changedError(key);
    }
    return rangeOf(successful(response, key), object, range);
  }

  async #page(folder: string, marker: string | undefined): Promise<ListPage> {
    const query = [
      ["comp", "list"],
      ["delimiter", "/"],
      ["include", "metadata"],
      ["prefix", folder],
      ["restype", "container"],
      ...(marker === undefined ? [] : [["marker", marker] as const]),
    ] as const;
    const response = await this.#requests.send(
      { method: "GET", key: "", query },
      { bodyBytesMax: listedBytesMax, label: "azure-list", flaw: damagedDocument("list") },
    );
    const { blobs, prefixes, next } = listOf(successful(response, folder), folder);
    return {
      objects: blobs.flatMap(({ name, properties, metadata }) => {
        const size = textIn(properties, "Content-Length") ?? "";
        const etag = textIn(properties, "Etag") ?? "";
        const isFolder = textIn(properties, "ResourceType") === "directory" || (metadata && textIn(metadata, folderMark)) === "true";
        const modifiedMillis = parseHttpTime(textIn(properties, "Last-Modified") ?? "");
        const version = `"${etag.replaceAll('"', "")}"`;
        return isFolder || etag === "" || !/^\d{1,15}$/.test(size)
          ? []
          : [{ key: name, sizeBytes: Number(size), version, ...(modifiedMillis !== undefined && { modifiedMillis }) }];
      }),
      folders: prefixes,
      next,
    };
  }

  async #signed(request: ObjectRequest, wallMillis: number, life: Lifetime): Promise<HttpRequest> {
    const { method, key, query = [], headers = {}, body = noBody } = request;
    const { endpoint, name, credential } = await this.#options.account();
    const path = `/${uriEncode(this.#options.container)}${key === "" ? "" : `/${pathOf(key)}`}`;
    const sent = { ...headers, "x-ms-date": httpTime(wallMillis), "x-ms-version": serviceVersion };
    const base = endpoint.replace(/^https?:\/\/[^/]*/, "");
    const unsigned = { method, path: base + path, query, headers: sent, bodyBytes: body.length };
    const text = [
      ...query.map(([parameter, value]) => `${uriEncode(parameter)}=${uriEncode(value)}`),
      ...(credential.kind === "sas" ? [credential.token] : credential.kind === "given-sas" ? [await credential.token.get(life)] : []),
    ].join("&");
    return {
      method,
      url: `${endpoint}${path}${text === "" ? "" : `?${text}`}`,
      headers: {
        ...sent,
        ...(await authorizationOf(credential, { sign: (account) => sharedKey(unsigned, account), account: name, life })),
      },
      body,
    };
  }
}

async function authorizationOf(
  credential: AzureCredential,
  {
    sign,
    account,
    life,
  }: {
    readonly sign: (account: { readonly account: string; readonly key: Uint8Array }) => string;
    readonly account: string;
    readonly life: Lifetime;
  },
): Promise<Readonly<Record<string, string>>> {
  switch (credential.kind) {
    case "key":
      return { authorization: sign({ account, key: credential.key }) };
    case "token":
      return { authorization: `Bearer ${await credential.token.get(life)}` };
    default:
      return {};
  }
}

/** A wrong signature and a wrong time have the same code. */
function refusalOf(response: HttpResponse): Refusal {
  const code = azureCodeOf(response);
  return code === undefined || code === "AuthenticationFailed" ? "unknown" : "other";
}
