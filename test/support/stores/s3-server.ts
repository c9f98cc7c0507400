/**
 * A server of S3's protocol after AWS's "Amazon S3 API Reference", for tests: ListObjectsV2 in pages, GET with ranges and If-Match, HEAD,
 * PUT with conditions, DELETE, and multipart uploads. Answers to writes may be lost after the write was carried out.
 * Signatures are checked by aws4, an implementation of Signature Version 4 that shares no code with the engine.
 */
import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createRequire } from "node:module";
import { closeServer, listenOnLoopback } from "./listening.ts";

type Signed = { readonly headers: Readonly<Record<string, string>> };
const aws4 = createRequire(import.meta.url)("aws4") as {
  sign(request: Readonly<Record<string, unknown>>, keys: Readonly<Record<string, string>>): Signed;
};

/** What may happen to a request instead of an answer, or to the answer. */
export type StoreFault = "slow-down" | "reset" | "cut-short" | "error-500" | "half-list";

export interface S3ServerOptions {
  readonly bucket: string;
  readonly accessKey: string;
  readonly secretKey: string;
  readonly sessionToken?: string;
  readonly region: string;
  /** Entries of a page of a list. */
  readonly pageKeys: number;
  /** The bucket is in the host's name. */
  readonly virtualHost?: boolean;
  /** Speaks the XML API of Google Cloud Storage: requests have this token, objects have generations. */
  readonly googleToken?: string;
  /** Asked for each request that could be answered. */
  readonly fault?: () => StoreFault | undefined;
}

interface Stored {
  readonly bytes: Buffer;
  readonly etag: string;
  readonly generation: number;
}

let generations = 1_700_000_000_000_000;

interface Written {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

const partBytesMin = 5_242_880;

export class S3Server {
  readonly objects = new Map<string, Stored>();
  readonly #options: S3ServerOptions;
  readonly #server: Server;
  requests = 0;
  /** Of objects that did not change in January 2024. */
  readonly modified = new Map<string, string>();
  /** Uploads that are neither completed nor abandoned, by their ids. */
  readonly uploads = new Map<string, { readonly key: string; readonly parts: Map<number, Stored> }>();
  /** Numbers of parts of the uploads that were completed. */
  completed: number[] = [];
  #uploadCount = 0;
  /** Called before a write is carried out; a status is the answer in its place. */
  onWrite: (method: string, key: string, query: URLSearchParams) => number | undefined = () => undefined;
  /** Called before a request for a range is answered. */
  onGet: (key: string) => void = () => undefined;

  constructor(options: S3ServerOptions) {
    this.#options = options;
    this.#server = createServer((request, response) => {
      const parts: Buffer[] = [];
      request.on("data", (part: Buffer) => parts.push(part));
      request.on("end", () => this.#answer(request, response, Buffer.concat(parts)));
    });
  }

  listen(): Promise<string> {
    return listenOnLoopback(this.#server);
  }

  close(): Promise<void> {
    return closeServer(this.#server);
  }

  put(key: string, content: Uint8Array | string): void {
    this.objects.set(key, storedOf(Buffer.from(content)));
  }

  #answer(request: IncomingMessage, response: ServerResponse, body: Buffer): void {
    this.requests++;
    const { bucket } = this.#options;
    const [rawPath = "", rawQuery = ""] = (request.url ?? "").split("?");
    const path = decodeURIComponent(rawPath);
    const denied = this.#denied(request, body);
    if (denied !== undefined) {
      return fail(response, 403, denied);
    }
    const fault = this.#options.fault?.();
    const query = new URLSearchParams(rawQuery);
    if (fault === "slow-down") {
      return fail(response, 503, "SlowDown");
    }
    if (fault === "error-500") {
      return fail(response, 500, "InternalError");
    }
    if (fault === "reset") {
      request.socket.resetAndDestroy();
      return;
    }
    const isVirtual = this.#options.virtualHost === true;
    if (isVirtual ? request.headers.host?.startsWith(`${bucket}.`) !== true : path !== `/${bucket}` && !path.startsWith(`/${bucket}/`)) {
      return fail(response, 404, "NoSuchBucket");
    }
    const key = isVirtual ? path.slice(1) : path.slice(bucket.length + 2);
    if (key === "" && query.has("uploads")) {
      return answer(request, response, this.#unfinished(query.get("prefix") ?? ""), fault);
    }
    if (key === "") {
      return this.#list(response, query, fault);
    }
    if (request.method !== "GET" && request.method !== "HEAD") {
      const status = this.onWrite(request.method ?? "", key, query);
      return status === undefined
        ? answer(request, response, this.#write(request, { key, query, body }), fault)
        : fail(response, status, "Refused");
    }
    this.#object(request, response, { key, fault });
  }

  /** Code of the error; undefined if the signature is right. */
  #denied(request: IncomingMessage, body: Buffer): string | undefined {
    const { accessKey, secretKey, sessionToken, region, googleToken } = this.#options;
    if (googleToken !== undefined) {
      return request.headers.authorization === `Bearer ${googleToken}` ? undefined : "AccessDenied";
    }
    const given = request.headers.authorization ?? "";
    const match = /^AWS4-HMAC-SHA256 Credential=([^/]+)\/\d{8}\/([^/]+)\/s3\/aws4_request, SignedHeaders=([^,]+), Signature=/.exec(given);
    if (match === null) {
      return "AccessDenied";
    }
    if (match[1] !== accessKey) {
      return "InvalidAccessKeyId";
    }
    if (request.headers["x-amz-content-sha256"] !== createHash("sha256").update(body).digest("hex")) {
      return "XAmzContentSHA256Mismatch";
    }
    if (request.headers["x-amz-security-token"] !== sessionToken) {
      return "InvalidToken";
    }
    const names = (match[3] as string).split(";").filter((name) => name !== "x-amz-security-token");
    const headers = Object.fromEntries(names.map((name) => [name, String(request.headers[name])]));
    const again = {
      service: "s3",
      region,
      method: request.method,
      host: request.headers.host,
      path: request.url,
      headers,
      ...(body.length > 0 && { body }),
    };
    // aws4 leaves these out by itself, though a client may sign them.
    // It adds these to a request with a body, and signs them.
    const added = ["content-type", "content-length"].filter((name) => !names.includes(name));
    const extra = {
      extraHeadersToInclude: Object.fromEntries(names.map((name) => [name, true])),
      extraHeadersToIgnore: Object.fromEntries(added.map((name) => [name, true])),
    };
    const credentials = { accessKeyId: accessKey, secretAccessKey: secretKey, ...(sessionToken !== undefined && { sessionToken }) };
    return aws4.sign({ ...again, ...extra }, credentials).headers["Authorization"] === given ? undefined : "SignatureDoesNotMatch";
  }

  #list(response: ServerResponse, query: URLSearchParams, fault: StoreFault | undefined): void {
    const prefix = query.get("prefix") ?? "";
    const after = query.get("continuation-token") ?? "";
    const entries = new Map<string, Stored | undefined>();
    for (const key of [...this.objects.keys()].toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))) {
      const slash = key.indexOf("/", prefix.length);
      if (key.startsWith(prefix)) {
        entries.set(slash < 0 ? key : key.slice(0, slash + 1), slash < 0 ? this.objects.get(key) : undefined);
      }
    }
    const all = [...entries];
    const from = after === "" ? 0 : all.findIndex(([name]) => name === after);
    const page = all.slice(from, from + this.#options.pageKeys);
    const next = all[from + this.#options.pageKeys]?.[0];
    const text = (name: string): string => encodeURIComponent(name).replaceAll("%2F", "/");
    const rows = page.map(([name, stored]) =>
      stored === undefined
        ? `<CommonPrefixes><Prefix>${text(name)}</Prefix></CommonPrefixes>`
        : `<Contents><Key>${text(name)}</Key><LastModified>2024-01-31T12:00:00.000Z</LastModified><ETag>&quot;${stored.etag.slice(1, -1)}&quot;</ETag><Size>${stored.bytes.length}</Size>${this.#options.googleToken === undefined ? "" : `<Generation>${stored.generation}</Generation>`}</Contents>`,
    );
    const token = next === undefined ? "" : `<NextContinuationToken>${next.replaceAll("&", "&amp;")}</NextContinuationToken>`;
    const document = `<?xml version="1.0" encoding="UTF-8"?>\n<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><EncodingType>url</EncodingType><IsTruncated>${next !== undefined}</IsTruncated>${rows.join("")}${token}</ListBucketResult>`;
    response
      .writeHead(200, { "content-type": "application/xml" })
      .end(fault === "half-list" ? document.slice(0, document.length / 2) : document);
  }

  #write(request: IncomingMessage, { key, query, body }: { key: string; query: URLSearchParams; body: Buffer }): Written {
    const id = query.get("uploadId");
    const upload = id === null ? undefined : this.uploads.get(id);
    const isOver = id !== null && upload?.key !== key;
    switch (
      `${request.method ?? ""} ${query.has("uploads") ? "uploads" : query.has("partNumber") ? "part" : id === null ? "" : "upload"}`
    ) {
      case "PUT ":
        return this.#put(request, key, body);
      case "DELETE ":
        this.objects.delete(key);
        return { status: 204 };
      case "POST uploads": {
        const begun = `upload ${this.#uploadCount++}/&`;
        this.uploads.set(begun, { key, parts: new Map() });
        return {
          status: 200,
          body: `<InitiateMultipartUploadResult><UploadId>${begun.replace("&", "&amp;")}</UploadId></InitiateMultipartUploadResult>`,
        };
      }
      case "PUT part": {
        if (isOver || upload === undefined) {
          return errorOf(404, "NoSuchUpload");
        }
        const part = storedOf(body);
        upload.parts.set(Number(query.get("partNumber")), part);
        return { status: 200, headers: { etag: part.etag } };
      }
      case "POST upload":
        return isOver || upload === undefined ? errorOf(404, "NoSuchUpload") : this.#complete(id ?? "", key, body.toString());
      case "DELETE upload":
        return !isOver && this.uploads.delete(id ?? "") ? { status: 204 } : errorOf(404, "NoSuchUpload");
      default:
        return errorOf(405, "MethodNotAllowed");
    }
  }

  #put(request: IncomingMessage, key: string, body: Buffer): Written {
    const found = this.objects.get(key);
    if (this.#options.googleToken !== undefined) {
      return this.#putGeneration(request.headers["x-goog-if-generation-match"], key, body);
    }
    const wanted = request.headers["if-match"];
    if (wanted !== undefined && found === undefined) {
      return errorOf(404, "NoSuchKey");
    }
    if ((wanted !== undefined && wanted !== found?.etag) || (request.headers["if-none-match"] === "*" && found !== undefined)) {
      return errorOf(412, "PreconditionFailed");
    }
    this.put(key, body);
    return { status: 200, headers: { etag: storedOf(body).etag } };
  }

  /** Google's conditions of writes know generations alone; 0 is that of no object. */
  #putGeneration(wanted: string | string[] | undefined, key: string, body: Buffer): Written {
    if (wanted !== undefined && Number(wanted) !== (this.objects.get(key)?.generation ?? 0)) {
      return errorOf(412, "PreconditionFailed");
    }
    this.put(key, body);
    return { status: 200, headers: { "x-goog-generation": String(this.objects.get(key)?.generation) } };
  }

  #complete(id: string, key: string, document: string): Written {
    const { parts } = this.uploads.get(id) ?? { parts: new Map<number, Stored>() };
    const named = [...document.matchAll(/<PartNumber>(\d+)<\/PartNumber><ETag>&quot;(\w+)&quot;<\/ETag>/g)];
    const chosen = named.map(([, number, tag]) => {
      const part = parts.get(Number(number));
      return part?.etag === `"${tag ?? ""}"` ? part : undefined;
    });
    const whole = chosen.filter((part) => part !== undefined);
    if (named.length === 0 || whole.length < named.length) {
      return errorOf(400, "InvalidPart");
    }
    if (whole.slice(0, -1).some(({ bytes }) => bytes.length < partBytesMin)) {
      return errorOf(400, "EntityTooSmall");
    }
    this.put(key, Buffer.concat(whole.map(({ bytes }) => bytes)));
    this.uploads.delete(id);
    this.completed.push(whole.length);
    return { status: 200, body: "<CompleteMultipartUploadResult><Key>x</Key></CompleteMultipartUploadResult>" };
  }

  #unfinished(prefix: string): Written {
    const rows = [...this.uploads]
      .filter(([, { key }]) => key.startsWith(prefix))
      .map(
        ([id, { key }]) =>
          `<Upload><Key>${encodeURIComponent(key)}</Key><UploadId>${id.replace("&", "&amp;")}</UploadId><Initiated>2024-01-31T12:00:00.000Z</Initiated></Upload>`,
      );
    return {
      status: 200,
      body: `<ListMultipartUploadsResult><IsTruncated>false</IsTruncated>${rows.join("")}</ListMultipartUploadsResult>`,
    };
  }

  #object(request: IncomingMessage, response: ServerResponse, { key, fault }: { key: string; fault: StoreFault | undefined }): void {
    if (request.method === "GET") {
      this.onGet(key);
    }
    const stored = this.objects.get(key);
    if (stored === undefined) {
      return fail(response, 404, "NoSuchKey");
    }
    const { bytes, etag, generation } = stored;
    const isGoogle = this.#options.googleToken !== undefined;
    const wanted = request.headers["x-goog-if-generation-match"];
    if (isGoogle && wanted !== undefined && wanted !== String(generation)) {
      return fail(response, 412, "PreconditionFailed");
    }
    const common = {
      etag,
      ...(isGoogle && { "x-goog-generation": String(generation) }),
      "last-modified": this.modified.get(key) ?? "Wed, 31 Jan 2024 12:00:00 GMT",
    };
    if (request.method === "HEAD") {
      response.writeHead(200, { ...common, "content-length": bytes.length }).end();
      return;
    }
    if (request.headers["if-match"] !== undefined && request.headers["if-match"] !== etag) {
      return fail(response, 412, "PreconditionFailed");
    }
    const [, first = "0", last = "0"] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? "") ?? [];
    const end = Math.min(bytes.length, Number(last) + 1);
    if (Number(first) >= bytes.length) {
      return fail(response, 416, "InvalidRange");
    }
    const part = bytes.subarray(Number(first), end);
    response.writeHead(206, { ...common, "content-range": `bytes ${first}-${end - 1}/${bytes.length}`, "content-length": part.length });
    if (fault === "cut-short") {
      response.write(part.subarray(0, part.length / 2), () => request.socket.destroy());
    } else {
      response.end(part);
    }
  }
}

function storedOf(bytes: Buffer): Stored {
  return { bytes, generation: ++generations, etag: `"${createHash("md5").update(bytes).digest("hex")}"` };
}

function errorOf(status: number, code: string): Written {
  return { status, body: `<Error><Code>${code}</Code></Error>` };
}

/** An answer that is cut short is lost as a whole. */
function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { status, headers, body = "" }: Written,
  fault: StoreFault | undefined,
): void {
  if (fault === "cut-short") {
    request.socket.destroy();
  } else {
    response
      .writeHead(status, { "content-type": "application/xml", ...headers })
      .end(fault === "half-list" ? body.slice(0, body.length / 2) : body);
  }
}

function fail(response: ServerResponse, status: number, code: string): void {
  response
    .writeHead(status, { "content-type": "application/xml" })
    .end(
      `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>the message</Message><AWSAccessKeyId>of it</AWSAccessKeyId></Error>`,
    );
}
