/**
 * A bucket of S3, or of a server that speaks its protocol: GET with ranges, HEAD and ListObjectsV2 of the "Amazon S3 API Reference".
 */
import type { XmlElement } from "@rgrove/parse-xml";
import type { Clock } from "../../../ports/clock.ts";
import { type HttpRequest, type HttpResponse, noBody } from "../../../ports/network.ts";
import type { AccessKeys } from "../../../ports/outbound.ts";
import { StorageError } from "../../../ports/storage.ts";
import { DatedRequests, type ObjectRequest, type Refusal } from "./dated-requests.ts";
import { damagedDocument, type ListPage, listedPages } from "./listing.ts";
import type { Listed, ObjectStore, ObjectWriter, StoredObject } from "./object-store.ts";
import { changedError, cutShort, headerOf, objectOf, rangeOf } from "./responses.ts";
import { childrenOf, codeOf, decoded, documentOf, textIn } from "./xml.ts";
import { S3Writer } from "./s3-writer.ts";
import { pathOf, queryText, signedHeaders, uriEncode, type UnsignedRequest } from "./signature.ts";
import type { StoreClient } from "./store-client.ts";
import { parseIsoTime } from "./times.ts";

const listedBytesMax = 16_777_216;
const messageLengthMax = 200;

export interface S3StoreOptions {
  readonly bucket: string;
  readonly region: string;
  /** `https://host:port` with the bucket in its host, or without it and in the path. */
  readonly endpoint: string;
  readonly isPathStyle: boolean;
  /** undefined for requests without a signature. */
  readonly keys: () => Promise<AccessKeys | undefined>;
  readonly client: StoreClient;
  readonly clock: Clock;
}

export class S3Store implements ObjectStore {
  readonly writer: ObjectWriter;
  readonly #options: S3StoreOptions;
  readonly #requests: DatedRequests;

  constructor(options: S3StoreOptions) {
    const { client, clock } = options;
    this.#options = options;
    const make = (request: ObjectRequest, wallMillis: number): Promise<HttpRequest> => this.#signed(request, wallMillis);
    this.#requests = new DatedRequests({ client, clock, make, refusalOf });
    this.writer = new S3Writer({
      send: (request, sent) => this.#requests.send(request, sent),
      head: (key) => this.head(key),
      successful: (response, path) => this.#successful(response, path),
    });
  }

  list(folder: string): Promise<Listed> {
    return listedPages(folder, (token) => this.#page(folder, token));
  }

  async head(key: string): Promise<StoredObject> {
    const response = await this.#requests.send({ method: "HEAD", key }, { bodyBytesMax: 0, label: "s3-head" });
    return objectOf(key, this.#successful(response, key));
  }

  async get(object: StoredObject, range: { readonly offset: number; readonly length: number }): Promise<Uint8Array> {
    const { key, version } = object;
    const headers = { range: `bytes=${range.offset}-${range.offset + range.length - 1}`, ...(version !== "" && { "if-match": version }) };
    const response = await this.#requests.send(
      { method: "GET", key, headers },
      { bodyBytesMax: range.length + listedBytesMax, label: "s3-get", flaw: (one) => cutShort(one, range.length) },
    );
    // Without the end of the object's former size there is no range either.
    if (response.status === 412 || response.status === 416) {
      throw changedError(key);
    }
    return rangeOf(this.#successful(response, key), object, range);
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
      objects: childrenOf(list, "Contents").flatMap((one) => objectIn(one, name)),
      folders: childrenOf(list, "CommonPrefixes").map((one) => name(textIn(one, "Prefix") ?? "")),
      next: textIn(list, "IsTruncated") === "true" ? textIn(list, "NextContinuationToken") : undefined,
    };
  }

  async #signed({ method, key, query = [], headers = {}, body = noBody }: ObjectRequest, wallMillis: number): Promise<HttpRequest> {
    const { bucket, endpoint, isPathStyle, region } = this.#options;
    const keys = await this.#options.keys();
    const path = `/${isPathStyle ? `${uriEncode(bucket)}${key === "" ? "" : "/"}` : ""}${pathOf(key)}`;
    const host = endpoint.replace(/^https?:\/\//, "");
    const unsigned: UnsignedRequest = { method, host, path, query, headers, body };
    return {
      method,
      url: `${endpoint}${path}${query.length === 0 ? "" : `?${queryText(query)}`}`,
      headers: keys === undefined ? headers : signedHeaders(unsigned, { keys, region, wallMillis }),
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

function objectIn(element: XmlElement, name: (text: string) => string): readonly StoredObject[] {
  const key = textIn(element, "Key");
  const size = textIn(element, "Size");
  const version = textIn(element, "ETag");
  if (key === undefined || size === undefined || version === undefined || !/^\d{1,15}$/.test(size)) {
    return [];
  }
  const modifiedMillis = parseIsoTime(textIn(element, "LastModified") ?? "");
  return [{ key: name(key), sizeBytes: Number(size), version, ...(modifiedMillis !== undefined && { modifiedMillis }) }];
}
