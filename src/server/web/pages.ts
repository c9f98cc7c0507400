/**
 * Serves the files of the web interface (`dist/web`) on a coordinator. Each file is read and compressed once. A
 * name in `/ui/assets/` holds a hash of its file, so a browser keeps it forever.
 */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import type { Headers, HttpRequest, HttpResponse } from "../../ports/network.ts";

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
};

/** Scripts come from the server alone. The SQL editor makes style elements. */
const contentSecurityPolicy = [
  "default-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "worker-src 'self' blob:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** Read when it is first asked for, and compressed when somebody first accepts that: the event loop serves queries meanwhile. */
class WebFile {
  readonly type: string;
  readonly #path: string;
  #bytes: Uint8Array | undefined;
  #gzipped: Uint8Array | undefined;
  #tag: string | undefined;

  constructor(path: string) {
    this.type = types[extname(path)] ?? "application/octet-stream";
    this.#path = path;
  }

  get bytes(): Uint8Array {
    this.#bytes ??= readFileSync(this.#path);
    return this.#bytes;
  }

  get gzipped(): Uint8Array {
    this.#gzipped ??= gzipSync(this.bytes, { level: 9 });
    return this.#gzipped;
  }

  get tag(): string {
    this.#tag ??= `"${createHash("sha256").update(this.bytes).digest("base64url").slice(0, 22)}"`;
    return this.#tag;
  }
}

export class WebPages {
  readonly #folder: string;
  #files: ReadonlyMap<string, WebFile> | undefined;

  constructor(folder: URL) {
    this.#folder = fileURLToPath(folder);
  }

  /** Undefined if the request is not for the web interface. */
  answer({ method, url, headers }: Pick<HttpRequest, "method" | "url" | "headers">): HttpResponse | undefined {
    if (method !== "GET" && method !== "HEAD") {
      return undefined;
    }
    const path = url.split("?", 1)[0] ?? "";
    const query = /^\/v1\/query\/(\w+)$/.exec(path)?.[1];
    if (query !== undefined) {
      return isForBrowser(headers) && this.#load().has("index.html") ? redirect(`../../#/queries/${query}`) : undefined;
    }
    if (path === "/ui" || path === "/ui/") {
      return redirect(path === "/ui" ? "./" : "../");
    }
    const name = path === "/" ? "index.html" : /^\/ui\/assets\/([\w.-]+)$/.exec(path)?.[1];
    const file = name === undefined ? undefined : this.#load().get(name);
    return name === undefined || file === undefined ? undefined : fileResponse(file, { name, method, headers });
  }

  #load(): ReadonlyMap<string, WebFile> {
    this.#files ??= new Map(
      [join(this.#folder, "index.html"), ...assetsOf(join(this.#folder, "assets"))]
        .filter((path) => existsSync(path))
        .map((path) => [path.slice(path.lastIndexOf("/") + 1), new WebFile(path)]),
    );
    return this.#files;
  }
}

function assetsOf(folder: string): readonly string[] {
  return existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => extname(name) in types)
        .map((name) => join(folder, name))
    : [];
}

function text(headers: Headers, name: string): string {
  const value = headers[name] ?? "";
  return typeof value === "string" ? value : value.join(",");
}

/** A browser that follows a link asks for HTML; programs and scripts ask for JSON or for anything. */
function isForBrowser(headers: Headers): boolean {
  return /\btext\/html\b/i.test(text(headers, "accept"));
}

function redirect(location: string): HttpResponse {
  return { status: 303, headers: { location, vary: "accept", "cache-control": "no-store" }, body: new Uint8Array(0) };
}

function fileResponse(
  file: WebFile,
  { name, method, headers }: { readonly name: string; readonly method: string; readonly headers: Headers },
): HttpResponse {
  const isPage = name === "index.html";
  const common: Headers = {
    "content-type": file.type,
    etag: file.tag,
    vary: "accept-encoding",
    "cache-control": isPage ? "no-cache" : "public, max-age=31536000, immutable",
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    ...(isPage ? { "content-security-policy": contentSecurityPolicy } : {}),
  };
  if (text(headers, "if-none-match").includes(file.tag)) {
    return { status: 304, headers: common, body: new Uint8Array(0) };
  }
  const isGzip = /\bgzip\b/.test(text(headers, "accept-encoding"));
  const body = isGzip ? file.gzipped : file.bytes;
  return {
    status: 200,
    headers: isGzip ? { ...common, "content-encoding": "gzip" } : common,
    body: method === "HEAD" ? new Uint8Array(0) : body,
  };
}
