/**
 * A cache of objects on the node's disks, with Trino's properties. It keeps pages of one size. Their names are hashes of the place, key,
 * version and number, so that another version of an object is another page: an answer is never older than what a reader asks for. A disk
 * that fails never fails a reader, who gets the bytes from the store. Readers of the same pages share a request, which goes on as long as
 * one of them waits.
 */
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import type { Clock } from "../../../ports/clock.ts";
import { type Lifetime, unending } from "../../../ports/lifetime.ts";
import type { Log } from "../../../ports/ports.ts";
import type { Storage } from "../../../ports/storage.ts";
import { encodeUtf8 } from "../../../types/utf8.ts";
import type { FileCacheMeasures } from "../../spi.ts";
import { SharedWork } from "../lifetime.ts";
import { CacheFolder } from "./cache-folder.ts";
import type { ObjectStore, StoredObject } from "./object-store.ts";

/** Milliseconds between two lines of the log on failures. */
const logIntervalMs = 60_000;
const nameLength = 40;

export interface FileCacheOptions {
  readonly disks: readonly { readonly storage: Storage; readonly bytesMax: number }[];
  readonly pageBytes: number;
  readonly ttlMillis: number;
  readonly nodeId: string;
  readonly catalog: string;
  readonly clock: Clock;
  readonly log: Log;
}

interface Range {
  readonly offset: number;
  readonly length: number;
}

export class FileCache {
  readonly #options: FileCacheOptions;
  readonly #folders: readonly CacheFolder[];
  /** What fetches a page or reads it from the disk, by the name of the page. */
  readonly #coming = new Map<string, SharedWork<Found>>();
  readonly #counts = { hits: 0, misses: 0, hitBytes: 0, missBytes: 0, failures: 0 };
  #loggedMillis = 0;

  constructor(options: FileCacheOptions) {
    const { disks, ttlMillis, nodeId, catalog, clock } = options;
    this.#options = options;
    const onFailure = (error: unknown): void => this.#failed(error);
    this.#folders = disks.map((disk) => new CacheFolder({ ...disk, folder: catalog, nodeId, ttlMillis, clock, onFailure }));
  }

  /** `place` tells stores apart that may have the same keys. */
  over(store: ObjectStore, place: string): ObjectStore {
    return this.#over(store, place, { versions: new WeakMap(), life: unending });
  }

  #over(store: ObjectStore, place: string, { versions, life }: View): ObjectStore {
    const current = (object: StoredObject): Promise<StoredObject> => {
      const known = versions.get(object) ?? store.head(object.key);
      versions.set(object, known);
      known.catch(() => versions.delete(object));
      return known;
    };
    return {
      until: (shorter) => this.#over(store.until(shorter), place, { versions, life: shorter }),
      ...(store.writer !== undefined && { writer: store.writer }),
      list: (folder) => store.list(folder),
      head: (key) => store.head(key),
      get: async (asked, range) => {
        const object = asked.version === "" ? await current(asked) : asked;
        const isCached = object.version !== "" && object.sizeBytes === asked.sizeBytes;
        return isCached ? this.#get(store, place, { object, range, life }) : store.get(asked, range);
      },
    };
  }

  measures(): FileCacheMeasures {
    const sum = (of: (folder: CacheFolder) => number): number => this.#folders.reduce((total, folder) => total + of(folder), 0);
    return { ...this.#counts, evictions: sum(({ evictions }) => evictions), heldBytes: sum(({ heldBytes }) => heldBytes) };
  }

  /** Resolves when what was to be written is written. */
  async settled(): Promise<void> {
    await Promise.all(this.#folders.map((folder) => folder.settled()));
  }

  close(): void {
    for (const folder of this.#folders) {
      folder.close();
    }
  }

  async #get(store: ObjectStore, place: string, { object, range, life }: Asked): Promise<Uint8Array> {
    const { pageBytes } = this.#options;
    await Promise.all(this.#folders.map(({ ready }) => ready));
    const first = Math.floor(range.offset / pageBytes);
    const last = Math.floor((range.offset + range.length - 1) / pageBytes);
    const pages = await this.#pages(store, { object, life, named: this.#named(place, object, first, last) });
    const start = range.offset - first * pageBytes;
    if (pages.length === 1) {
      return (pages[0] as Uint8Array).slice(start, start + range.length);
    }
    const bytes = new Uint8Array(range.length);
    pages.forEach((page, index) => {
      const at = index * pageBytes - start;
      const part = page.subarray(Math.max(0, -at), range.length - at);
      bytes.set(part, Math.max(0, at));
    });
    return bytes;
  }

  #named(place: string, { key, version, sizeBytes }: StoredObject, first: number, last: number): readonly NamedPage[] {
    const { pageBytes } = this.#options;
    return Array.from({ length: last - first + 1 }, (_, index) => {
      const number = first + index;
      const text = JSON.stringify([place, key, version, sizeBytes, pageBytes, number]);
      const name = bytesToHex(sha256(encodeUtf8(text))).slice(0, nameLength);
      const offset = number * pageBytes;
      return { name, offset, length: Math.min(pageBytes, sizeBytes - offset) };
    });
  }

  /** Each page in the order that is asked for. Those that another reader waits for are not asked for again. */
  async #pages(
    store: ObjectStore,
    { object, named, life }: { readonly object: StoredObject; readonly named: readonly NamedPage[]; readonly life: Lifetime },
  ): Promise<readonly Uint8Array[]> {
    const sought = named.filter(({ name }) => this.#coming.get(name)?.isGivenUp !== false);
    if (sought.length > 0) {
      const found = new SharedWork((wanted) => this.#find(store.until(wanted), object, sought));
      for (const { name } of sought) {
        this.#coming.set(name, found);
      }
      found.onDone(() => {
        for (const { name } of sought) {
          if (this.#coming.get(name) === found) {
            this.#coming.delete(name);
          }
        }
      });
    }
    return Promise.all(
      named.map(async ({ name }) => {
        const found = await (this.#coming.get(name) as SharedWork<Found>).wait(life);
        return found.get(name) as Uint8Array;
      }),
    );
  }

  /** Neighbouring pages that are not on a disk are one request. */
  async #find(store: ObjectStore, object: StoredObject, named: readonly NamedPage[]): Promise<Found> {
    const kept = await Promise.all(named.map(({ name, length }) => this.#folderOf(name).read(name, length)));
    const runs: NamedPage[][] = [];
    named.forEach((page, index) => {
      const run = runs.at(-1);
      const last = run?.at(-1);
      if (kept[index] !== undefined) {
        this.#counts.hits++;
        this.#counts.hitBytes += page.length;
      } else if (run !== undefined && last !== undefined && last.offset + last.length === page.offset) {
        run.push(page);
      } else {
        runs.push([page]);
      }
    });
    const fetched = new Map((await Promise.all(runs.map((run) => this.#fetch(store, object, run)))).flat());
    return new Map(named.map(({ name }, index) => [name, kept[index] ?? (fetched.get(name) as Uint8Array)]));
  }

  async #fetch(store: ObjectStore, object: StoredObject, run: readonly NamedPage[]): Promise<readonly (readonly [string, Uint8Array])[]> {
    const start = (run[0] as NamedPage).offset;
    const length = run.reduce((sum, page) => sum + page.length, 0);
    this.#counts.misses += run.length;
    this.#counts.missBytes += length;
    const bytes = await store.get(object, { offset: start, length });
    return run.map((page) => {
      const part = run.length === 1 ? bytes : bytes.slice(page.offset - start, page.offset - start + page.length);
      this.#folderOf(page.name).store(page.name, part);
      return [page.name, part] as const;
    });
  }

  /** Disks get pages in proportion to their sizes. */
  #folderOf(name: string): CacheFolder {
    const { disks } = this.#options;
    let rest = (Number.parseInt(name.slice(-8), 16) / 2 ** 32) * disks.reduce((sum, { bytesMax }) => sum + bytesMax, 0);
    let index = 0;
    while (index < disks.length - 1 && rest >= (disks[index]?.bytesMax ?? 0)) {
      rest -= disks[index]?.bytesMax ?? 0;
      index++;
    }
    return this.#folders[index] as CacheFolder;
  }

  #failed(error: unknown): void {
    this.#counts.failures++;
    const { catalog, clock, log } = this.#options;
    const now = clock.wallMillis();
    if (now >= this.#loggedMillis + logIntervalMs) {
      this.#loggedMillis = now;
      log.warn("file-cache-failed", {
        catalog,
        failures: this.#counts.failures,
        reason: error instanceof Error ? error.message : "unknown",
      });
    }
  }
}

/** Pages by their names. */
type Found = ReadonlyMap<string, Uint8Array>;

interface View {
  /** By the object of a reader, which asks for it more than once. */
  readonly versions: WeakMap<StoredObject, Promise<StoredObject>>;
  readonly life: Lifetime;
}

interface Asked {
  readonly object: StoredObject;
  readonly range: Range;
  readonly life: Lifetime;
}

interface NamedPage {
  readonly name: string;
  readonly offset: number;
  readonly length: number;
}
