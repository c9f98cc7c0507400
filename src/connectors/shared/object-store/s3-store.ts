/**
 * A bucket of S3, or of a server that speaks its protocol: GET with ranges, HEAD and ListObjectsV2 of the "Amazon S3 API Reference".
 */
import type { XmlElement } from "@rgrove/parse-xml";
import type { Clock } from "../../../ports/clock.ts";
import type { Lifetime } from "../../../ports/lifetime.ts";
import { type Headers, type HttpRequest, type HttpResponse, noBody } from "../../../ports/network.ts";
import type { AccessKeys } from "../../../ports/outbound.ts";
import { StorageError } from "../../../ports/storage.ts";
import { type DatedRequestOptions, DatedRequests, type ObjectRequest, type Refusal } from "./dated-requests.ts";
import type { ExpiringValue } from "./expiring.ts";
import { damagedDocument, type ListPage, listedPages } from "./listing.ts";
import type { Listed, ObjectStore, ObjectWriter, StoredObject, WriteCondition } from "./object-store.ts";
import { changedError, cutShort, etagOf, headerOf, objectOf, rangeOf } from "./responses.ts";
import { childrenOf, codeOf, decoded, documentOf, textIn } from "./xml.ts";
import { S3Writer } from "./s3-writer.ts";
import { pathOf, queryText, signedHeaders, uriEncode, type UnsignedRequest } from "./signature.ts";
import type { StoreClient } from "./store-client.ts";
import { parseIsoTime } from "./times.ts";

const listedBytesMax = 16_777_216;
const messageLengthMax = 200;

export interface S3StoreOptions {
  readonly bucket: string;
  /** For messages: where requests of the bucket belong. */
  readonly region: string;
  /** `https://host:port` with the bucket in its host, or without it and in the path. */
  readonly endpoint: string;
  readonly isPathStyle: boolean;
  readonly dialect: S3Dialect;
  readonly client: StoreClient;
  readonly clock: Clock;
}

/** In what servers of the protocol differ: signatures, versions of objects, and conditions. */
export interface S3Dialect {
  /** The headers of the request, and those that authorize it. */
  readonly authorized: (request: UnsignedRequest, wallMillis: number, life: Lifetime) => Promise<Readonly<Record<string, string>>>;
  readonly token?: () => Promise<ExpiringValue<string> | undefined>;
  readonly conditionOf: (condition: WriteCondition) => Readonly<Record<string, string>>;
  /** `like`: a version with which it is compared. */
  readonly versionOf: (headers: Headers, like?: string) => string;
  /** Of an entry of a list. */
  readonly versionIn: (element: XmlElement) => string | undefined;
}

/** `keys`: undefined for requests without a signature. */
export function awsDialect(region: string, keys: (life: Lifetime) => Promise<AccessKeys | undefined>): S3Dialect {
  return {
    authorized: async (request, wallMillis, life) => {
      const found = await keys(life);
      return found === undefined ? request.headers : signedHeaders(request, { keys: found, region, wallMillis });
    },
    conditionOf: (condition): Readonly<Record<string, string>> =>
      condition.kind === "absent" ? { "if-none-match": "*" } : { "if-match": condition.version },
    versionOf: (headers) => etagOf(headers),
    versionIn: (element) => textIn(element, "ETag"),
  };
}

export class S3Store implements ObjectStore {
  readonly writer: ObjectWriter;
  readonly #options: S3StoreOptions;
  readonly #requests: DatedRequests;

  constructor(options: S3StoreOptions, requests?: DatedRequests) {
    const { client, clock } = options;
    this.#options = options;
    const make: DatedRequestOptions["make"] = (...parameters) => this.#signed(...parameters);
    const { token } = options.dialect;
    this.#requests = requests ?? new DatedRequests({ client, clock, make, refusalOf, ...(token !== undefined && { token }) });
    this.writer = new S3Writer({
      send: (request, sent) => this.#requests.send(request, sent),
      head: (key) => this.head(key),
      successful: (response, path) => this.#successful(response, path),
      conditionOf: (condition) => options.dialect.conditionOf(condition),
    });
  }

  until(life: Lifetime): ObjectStore {
    return new S3Store(this.#options, this.#requests.until(life));
  }

  list(folder: string): Promise<Listed> {
    return listedPages(folder, (token) => this.#page(folder, token));
  }

  async head(key: string): Promise<StoredObject> {
    const response = await this.#requests.send({ method: "HEAD", key }, { bodyBytesMax: 0, label: "s3-head" });
    return objectOf(key, this.#successful(response, key), this.#options.dialect.versionOf);
  }

  async get(object: StoredObject, range: { readonly offset: number; readonly length: number }): Promise<Uint8Array> {
    const { key, version } = object;
    const { conditionOf, versionOf } = this.#options.dialect;
    const condition = version === "" ? {} : conditionOf({ kind: "version", version });
    const headers = { range: `bytes=${range.offset}-${range.offset + range.length - 1}`, ...condition };
    const response = await this.#requests.send(
      { method: "GET", key, headers },
      { bodyBytesMax: range.length + listedBytesMax, label: "s3-get", flaw: (one) => cutShort(one, range.length) },
    );
    // Without the end of the object's former size there is no range either.
    if (response.status === 412 || response.status === 416) {
      throw changedError(key);
    }
    return rangeOf(this.#successful(response, key), object, range, (found) => versionOf(found, version));
  }

  async #page(folder: string, token: string | undefined): Promise<ListPage> {
    const query = [
      ["delimiter", "%2F"],
      ["encoding-type", "url"],
      ["list-type", "2"],
      ["prefix", uriEncode(folder)],
      ...(token === undefined ? [] : [["continuation-token", uriEncode(token)] as const]),
    ] as const;
    const request = { method: "GET", key: "", query } as const;
    const flaw = damagedDocument("list");
    const response = await this.#requests.send(request, { bodyBytesMax: listedBytesMax, label: "s3-list", flaw });
    const list = documentOf(this.#successful(response, folder));
    if (list?.name !== "ListBucketResult") {
      throw new StorageError("IO", folder, "the server did not answer with a list");
    }
    const isEncoded = textIn(list, "EncodingType") === "url";
    const name = (text: string): string => (isEncoded ? decoded(text) : text);
    return {
      objects: childrenOf(list, "Contents").flatMap((one) => objectIn(one, name, this.#options.dialect.versionIn)),
      folders: childrenOf(list, "CommonPrefixes").map((one) => name(textIn(one, "Prefix") ?? "")),
      next: textIn(list, "IsTruncated") === "true" ? textIn(list, "NextContinuationToken") : undefined,
    };
  }

  async #signed(request: ObjectRequest, wallMillis: number, life: Lifetime): Promise<HttpRequest> {
    const { method, key, query = [], headers = {}, body = noBody } = request;
    const { bucket, endpoint, isPathStyle, dialect } = this.#options;
    const path = `/${isPathStyle ? `${uriEncode(bucket)}${key === "" ? "" : "/"}` : ""}${pathOf(key)}`;
    const host = endpoint.replace(/^https?:\/\//, "");
    const unsigned: UnsignedRequest = { method, host, path, query, headers, body };
    return {
      method,
      url: `${endpoint}${path}${query.length === 0 ? "" : `?${queryText(query)}`}`,
      headers: await dialect.authorized(unsigned, wallMillis, life),
      body,
    };
  }

  #successful(response: HttpResponse, path: string): HttpResponse {
    const { status, headers } = response;
    if (status === 200 || status === 206) {
      return response;
    }
    const code = codeOf(response);
    if (status === 404 && code !== "NoSuchBucket") {
      throw new StorageError("NOT_FOUND", path, "there is no such object");
    }
    const region = headerOf(headers, "x-amz-bucket-region");
    if (region !== undefined && region !== this.#options.region) {
      throw new StorageError("IO", path, `the bucket is in region ${region.slice(0, messageLengthMax)}: set property 's3.region'`);
    }
    throw new StorageError("IO", path, `the server answered with status ${status}${code === undefined ? "" : ` (${code})`}`);
  }
}

function refusalOf(response: HttpResponse): Refusal {
  const code = codeOf(response);
  return code === "RequestTimeTooSkewed" ? "time" : code === undefined ? "unknown" : "other";
}

function objectIn(
  element: XmlElement,
  name: (text: string) => string,
  versionIn: (element: XmlElement) => string | undefined,
): readonly StoredObject[] {
  const key = textIn(element, "Key");
  const size = textIn(element, "Size");
  const version = versionIn(element);
  if (key === undefined || size === undefined || version === undefined || !/^\d{1,15}$/.test(size)) {
    return [];
  }
  const modifiedMillis = parseIsoTime(textIn(element, "LastModified") ?? "");
  return [{ key: name(key), sizeBytes: Number(size), version, ...(modifiedMillis !== undefined && { modifiedMillis }) }];
}
