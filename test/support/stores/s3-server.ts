/**
 * A server of S3's protocol after AWS's "Amazon S3 API Reference", for tests: ListObjectsV2 in pages, GET with ranges and If-Match, HEAD.
 * Signatures are checked by aws4, an implementation of Signature Version 4 that shares no code with the engine.
 */
import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";

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
  /** Asked for each request that could be answered. */
  readonly fault?: () => StoreFault | undefined;
}

interface Stored {
  readonly bytes: Buffer;
  readonly etag: string;
}

export class S3Server {
  readonly objects = new Map<string, Stored>();
  readonly #options: S3ServerOptions;
  readonly #server: Server;
  requests = 0;
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

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }

  put(key: string, content: Uint8Array | string): void {
    const bytes = Buffer.from(content);
    this.objects.set(key, { bytes, etag: `"${createHash("md5").update(bytes).digest("hex")}"` });
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
    if (key === "") {
      return this.#list(response, new URLSearchParams(rawQuery), fault);
    }
    this.#object(request, response, { key, fault });
  }

  /** Code of the error; undefined if the signature is right. */
  #denied(request: IncomingMessage, body: Buffer): string | undefined {
    const { accessKey, secretKey, sessionToken, region } = this.#options;
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
    const extra = { extraHeadersToInclude: Object.fromEntries(names.map((name) => [name, true])) };
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
        : `<Contents><Key>${text(name)}</Key><LastModified>2024-01-31T12:00:00.000Z</LastModified><ETag>&quot;${stored.etag.slice(1, -1)}&quot;</ETag><Size>${stored.bytes.length}</Size></Contents>`,
    );
    const token = next === undefined ? "" : `<NextContinuationToken>${next.replaceAll("&", "&amp;")}</NextContinuationToken>`;
    const document = `<?xml version="1.0" encoding="UTF-8"?>\n<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><EncodingType>url</EncodingType><IsTruncated>${next !== undefined}</IsTruncated>${rows.join("")}${token}</ListBucketResult>`;
    response
      .writeHead(200, { "content-type": "application/xml" })
      .end(fault === "half-list" ? document.slice(0, document.length / 2) : document);
  }

  #object(request: IncomingMessage, response: ServerResponse, { key, fault }: { key: string; fault: StoreFault | undefined }): void {
    if (request.method === "GET") {
      this.onGet(key);
    }
    const stored = this.objects.get(key);
    if (stored === undefined) {
      return fail(response, 404, "NoSuchKey");
    }
    const { bytes, etag } = stored;
    const common = { etag, "last-modified": "Wed, 31 Jan 2024 12:00:00 GMT" };
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

function fail(response: ServerResponse, status: number, code: string): void {
  response
    .writeHead(status, { "content-type": "application/xml" })
    .end(
      `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>the message</Message><AWSAccessKeyId>of it</AWSAccessKeyId></Error>`,
    );
}
