/**
 * A folder of an object store as a storage that can be read; it is written to by `writer`. Folders are what keys have before a slash. Files
 * are read in one version: one that changes while it is read is an error of kind CHANGED, and never a mixture of two.
 */
import { type Lifetime, unending } from "../../../ports/lifetime.ts";
import { type Storage, type StorageEntry, StorageError } from "../../../ports/storage.ts";
import { blockBytes, BlockCache } from "./block-cache.ts";
import type { ObjectStore, ObjectWriter, StoredObject, Upload } from "./object-store.ts";

/** Longer reads are not served from blocks. */
const shortReadBytesMax = 2 * blockBytes;
/** Parts of a long read that are asked for at once. */
const partBytes = 8_388_608;
/** Versions of a file that are replaced while they are read, until the reader gives up. */
const replacedMax = 20;

/** A file as it was listed. */
export interface ListedFile {
  readonly path: string;
  readonly sizeBytes: number;
  readonly version: string;
}

interface ObjectStorageOptions {
  /** Empty, or ends with a slash. */
  readonly prefix: string;
  /** Bound of the bytes that are kept for readers. */
  readonly readAheadBytes: number;
}

export class ObjectStorage implements Storage {
  readonly #store: ObjectStore;
  readonly #options: ObjectStorageOptions;
  readonly #prefix: string;
  readonly #blocks: BlockCache;
  readonly #life: Lifetime;

  constructor(store: ObjectStore, options: ObjectStorageOptions, view?: { readonly blocks: BlockCache; readonly life: Lifetime }) {
    this.#store = store;
    this.#options = options;
    this.#prefix = options.prefix;
    this.#blocks = view?.blocks ?? new BlockCache(store, options.readAheadBytes);
    this.#life = view?.life ?? unending;
  }

  /** The same storage, with the same blocks. What waits for the store ends with the lifetime: USER_CANCELED. */
  until(life: Lifetime): ObjectStorage {
    return new ObjectStorage(this.#store.until(life), this.#options, { blocks: this.#blocks, life });
  }

  async list(path: string): Promise<readonly StorageEntry[]> {
    const folder = this.#prefix + (path === "" ? "" : `${path}/`);
    const { objects, folders } = await this.#store.list(folder);
    const entries = new Map<string, StorageEntry>();
    for (const key of folders) {
      const name = nameBelow(folder, key.replace(/\/$/, ""));
      if (name !== undefined) {
        entries.set(name, { name, directory: true, sizeBytes: 0, version: "" });
      }
    }
    for (const { key, sizeBytes, version, modifiedMillis } of objects) {
      const name = nameBelow(folder, key);
      // An object and a folder of the same name are two things in the store, but not in a storage: the folder hides the object.
      if (name !== undefined && !entries.has(name)) {
        entries.set(name, { name, directory: false, sizeBytes, version, ...(modifiedMillis !== undefined && { modifiedMillis }) });
      }
    }
    if (path !== "" && objects.length === 0 && folders.length === 0) {
      throw new StorageError("NOT_FOUND", path, "there is no such folder");
    }
    return [...entries.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
  }

  async stat(path: string): Promise<StorageEntry> {
    const { sizeBytes, version, modifiedMillis } = await this.#store.head(this.#prefix + path);
    const name = path.slice(path.lastIndexOf("/") + 1);
    return { name, directory: false, sizeBytes, version, ...(modifiedMillis !== undefined && { modifiedMillis }) };
  }

  /** In a version of now: readers of more than one range use `pinned`. A version that is replaced between the two requests is no error. */
  async read(path: string, offset: number, length: number): Promise<Uint8Array> {
    for (let replaced = 0; ; replaced++) {
      const { sizeBytes, version } = await this.#store.head(this.#prefix + path);
      try {
        return await this.pinned({ path, sizeBytes, version }).read(path, offset, length);
      } catch (error) {
        if (replaced >= replacedMax || !(error instanceof StorageError) || error.kind !== "CHANGED") {
          throw error;
        }
      }
    }
  }

  /** The storage in which this file has this version and is known, and that reads ahead of a sequential reader. */
  pinned({ path, sizeBytes, version }: ListedFile): Storage {
    const object: StoredObject = { key: this.#prefix + path, sizeBytes, version };
    const name = path.slice(path.lastIndexOf("/") + 1);
    const entry: StorageEntry = { name, directory: false, sizeBytes, version };
    let lastBlock = -1;
    return {
      ...readOnly,
      list: (other) => this.list(other),
      stat: (other) => (other === path ? Promise.resolve(entry) : this.stat(other)),
      read: (other, offset, length) => {
        if (other !== path) {
          return this.read(other, offset, length);
        }
        const wanted = Math.min(length, sizeBytes - offset);
        if (wanted <= 0) {
          return Promise.resolve(new Uint8Array(0));
        }
        if (wanted > shortReadBytesMax) {
          return this.#readLong(object, offset, wanted);
        }
        const first = Math.floor(offset / blockBytes);
        const isSequential = first === lastBlock || first === lastBlock + 1;
        lastBlock = Math.floor((offset + wanted - 1) / blockBytes);
        const bytes = this.#readShort(object, offset, wanted);
        if (isSequential && first > 0) {
          this.#blocks.readAhead(object, lastBlock, this.#life);
        }
        return bytes;
      },
    };
  }

  /** Writes of files by their paths; undefined if the store cannot be written to. */
  get writer(): ObjectWriter | undefined {
    const { writer } = this.#store;
    const keyOf = (path: string): string => this.#prefix + path;
    const stored = ({ key, id }: Upload): Upload => ({ key: keyOf(key), id });
    return (
      writer && {
        ...(writer.forgetsUploads === true && { forgetsUploads: true }),
        put: (path, bytes, condition) => writer.put(keyOf(path), bytes, condition),
        remove: (path) => writer.remove(keyOf(path)),
        begin: async (path) => ({ key: path, id: (await writer.begin(keyOf(path))).id }),
        part: (upload, number, bytes) => writer.part(stored(upload), number, bytes),
        complete: (upload, tags, sizeBytes) => writer.complete(stored(upload), tags, sizeBytes),
        abandon: (upload) => writer.abandon(stored(upload)),
        unfinished: async (path) =>
          (await writer.unfinished(keyOf(path))).map((one) => ({ ...one, key: one.key.slice(this.#prefix.length) })),
      }
    );
  }

  readonly write: Storage["write"] = readOnly.write;
  readonly append: Storage["append"] = readOnly.append;
  readonly rename: Storage["rename"] = readOnly.rename;
  readonly remove: Storage["remove"] = readOnly.remove;
  readonly sync: Storage["sync"] = readOnly.sync;

  async #readShort(object: StoredObject, offset: number, length: number): Promise<Uint8Array> {
    const first = Math.floor(offset / blockBytes);
    const last = Math.floor((offset + length - 1) / blockBytes);
    const indexes = Array.from({ length: last - first + 1 }, (_, index) => first + index);
    const blocks = await Promise.all(indexes.map((index) => this.#blocks.block(object, index, this.#life)));
    const start = offset - first * blockBytes;
    if (blocks.length === 1) {
      return (blocks[0] as Uint8Array).slice(start, start + length);
    }
    return joined(blocks, length, start);
  }

  async #readLong(object: StoredObject, offset: number, length: number): Promise<Uint8Array> {
    const starts = Array.from({ length: Math.ceil(length / partBytes) }, (_, index) => index * partBytes);
    const parts = await Promise.all(
      starts.map((start) => this.#store.get(object, { offset: offset + start, length: Math.min(partBytes, length - start) })),
    );
    return parts.length === 1 ? (parts[0] as Uint8Array) : joined(parts, length, 0);
  }
}

/** `length` bytes of the parts, without the first `skipped`. */
function joined(parts: readonly Uint8Array[], length: number, skipped: number): Uint8Array {
  const bytes = new Uint8Array(length);
  let at = -skipped;
  for (const part of parts) {
    const from = Math.max(0, -at);
    const piece = part.subarray(from, Math.min(part.length, length - at));
    bytes.set(piece, at + from);
    at += part.length;
  }
  return bytes;
}

/** Keys may have empty names and `..` between slashes, which are no paths. */
function nameBelow(folder: string, key: string): string | undefined {
  const name = key.slice(folder.length);
  return key.startsWith(folder) && name !== "" && name !== "." && name !== ".." && !name.includes("/") ? name : undefined;
}

function refuse(path: string): Promise<void> {
  return Promise.reject(new StorageError("IO", path, "object stores cannot be written to"));
}

const readOnly = Object.freeze({ write: refuse, append: refuse, rename: refuse, remove: refuse, sync: refuse });
