/**
 * Files of a web server that answers requests for ranges. What lies in a folder is said by its page: the links of it that lead to names
 * directly below, as Apache, nginx and others write them; or by a list of the catalog.
 */
import { type HttpMethod, type HttpRequest, type HttpResponse, noBody } from "../../../ports/network.ts";
import type { Lifetime } from "../../../ports/lifetime.ts";
import { StorageError } from "../../../ports/storage.ts";
import { decodeUtf8 } from "../../../types/utf8.ts";
import type { Listed, ObjectStore, StoredObject } from "./object-store.ts";
import { changedError, cutShort, objectOf, rangeOf } from "./responses.ts";
import { encodePath, pathOf } from "./signature.ts";
import type { StoreClient } from "./store-client.ts";

const pageBytesMax = 16_777_216;
const linksMax = 100_000;

export interface WebStoreOptions {
  /** Ends with a slash. */
  readonly root: string;
  /** Keys of all files; undefined if the pages of folders list them. */
  readonly keys: readonly string[] | undefined;
  readonly client: StoreClient;
}

export class WebStore implements ObjectStore {
  readonly #options: WebStoreOptions;

  constructor(options: WebStoreOptions) {
    this.#options = options;
  }

  until(life: Lifetime): ObjectStore {
    return new WebStore({ ...this.#options, client: this.#options.client.until(life) });
  }

  async list(folder: string): Promise<Listed> {
    const names = this.#options.keys === undefined ? await this.#linksOf(folder) : namesBelow(this.#options.keys, folder);
    const files = names.filter((name) => !name.endsWith("/"));
    // Links to what is not a file are no error of a page.
    const found = await Promise.all(files.map((name) => this.#headOrNothing(folder + name)));
    const folders = names.filter((name) => name.endsWith("/")).map((name) => folder + name);
    return { objects: found.filter((object) => object !== undefined), folders };
  }

  async head(key: string): Promise<StoredObject> {
    return objectOf(key, this.#successful(await this.#send("HEAD", key, { label: "http-head", bodyBytesMax: 0 }), key));
  }

  async get(object: StoredObject, range: { readonly offset: number; readonly length: number }): Promise<Uint8Array> {
    const { key, sizeBytes } = object;
    const response = await this.#send("GET", key, {
      label: "http-get",
      bodyBytesMax: Math.max(pageBytesMax, Math.min(sizeBytes, range.length * 2)),
      headers: { range: `bytes=${range.offset}-${range.offset + range.length - 1}` },
      flaw: (one) => cutShort(one, range.length),
    });
    if (response.status === 412 || response.status === 416) {
      throw changedError(key);
    }
    return rangeOf(this.#successful(response, key), object, range);
  }

  async #headOrNothing(key: string): Promise<StoredObject | undefined> {
    try {
      return await this.head(key);
    } catch (error) {
      if (error instanceof StorageError && error.kind === "NOT_FOUND" && this.#options.keys === undefined) {
        return undefined;
      }
      throw error;
    }
  }

  async #linksOf(folder: string): Promise<readonly string[]> {
    const response = await this.#send("GET", folder, { label: "http-list", bodyBytesMax: pageBytesMax });
    const page = decodeUtf8(this.#successful(response, folder).body);
    const names = new Set<string>();
    // A page of tags without their ends would take quadratic time.
    for (const [, quoted, bare] of page.matchAll(/<a\s[^<>]{0,4000}?href\s*=\s*(?:["']([^"'<>]*)["']|([^\s"'<>]+))/gi)) {
      const name = nameOf(quoted ?? bare ?? "", this.#options.root + encodePath(folder));
      if (name !== undefined) {
        names.add(name);
      }
      if (names.size > linksMax) {
        throw new StorageError("IO", folder, `a folder has more than ${linksMax} files`);
      }
    }
    return [...names];
  }

  #send(
    method: HttpMethod,
    key: string,
    {
      headers = {},
      ...options
    }: {
      readonly label: string;
      readonly bodyBytesMax: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly flaw?: (response: HttpResponse) => string | undefined;
    },
  ): Promise<HttpResponse> {
    const url = `${this.#options.root}${pathOf(key)}`;
    const make = (): Promise<HttpRequest> =>
      Promise.resolve({ method, url, headers: { ...headers, "accept-encoding": "identity" }, body: noBody });
    return this.#options.client.send({ make, path: key, ...options });
  }

  #successful(response: HttpResponse, path: string): HttpResponse {
    const { status } = response;
    if (status === 200 || status === 206) {
      return response;
    }
    throw new StorageError(status === 404 || status === 410 ? "NOT_FOUND" : "IO", path, `the server answered with status ${status}`);
  }
}

/** The name that a link of the page of `folder` leads to, with a slash if it is that of a folder; undefined if it leads elsewhere. */
function nameOf(link: string, folder: string): string | undefined {
  const target = link.replaceAll("&amp;", "&").replace(/^\.\//, "");
  const path = folder.replace(/^https?:\/\/[^/]*/, "");
  const relative = [folder, path].find((start) => target.startsWith(start));
  const encoded = relative === undefined ? target : target.slice(relative.length);
  if (!/^[^/?#:]+\/?$/.test(encoded)) {
    return undefined;
  }
  try {
    const name = decodeURIComponent(encoded);
    return /^\.{1,2}\/?$/.test(name) || name.replace(/\/$/, "").includes("/") ? undefined : name;
  } catch {
    return undefined;
  }
}

/** Names directly below the folder; those of folders end with a slash. */
function namesBelow(keys: readonly string[], folder: string): readonly string[] {
  const names = keys.filter((key) => key.startsWith(folder)).map((key) => key.slice(folder.length));
  return [...new Set(names.map((name) => (name.includes("/") ? name.slice(0, name.indexOf("/") + 1) : name)))];
}
