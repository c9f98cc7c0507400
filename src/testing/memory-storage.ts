/**
 * Storage in memory: the disk of a node under test. It outlives the incarnations of the node.
 */
import { joinBytes } from "../types/bytes.ts";
import { type Storage, type StorageEntry, StorageError } from "../ports/storage.ts";

export class MemoryStorage implements Storage {
  readonly files = new Map<string, Uint8Array>();

  list(path: string): Promise<readonly StorageEntry[]> {
    const prefix = path === "" ? "" : `${path}/`;
    const names = new Set(
      [...this.files.keys()].filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length).split("/")[0] as string),
    );
    return Promise.resolve(
      [...names].toSorted().map((name) => {
        const file = this.files.get(prefix + name);
        return { name, directory: file === undefined, sizeBytes: file?.length ?? 0, version: "1" };
      }),
    );
  }

  stat(path: string): Promise<StorageEntry> {
    const file = this.#file(path);
    return Promise.resolve({ name: path.split("/").at(-1) ?? "", directory: false, sizeBytes: file.length, version: "1" });
  }

  read(path: string, offset: number, length: number): Promise<Uint8Array> {
    return Promise.resolve(this.#file(path).slice(offset, offset + length));
  }

  write(path: string, bytes: Uint8Array): Promise<void> {
    this.files.set(path, bytes.slice());
    return Promise.resolve();
  }

  append(path: string, bytes: Uint8Array): Promise<void> {
    this.files.set(path, joinBytes([this.files.get(path) ?? new Uint8Array(0), bytes]));
    return Promise.resolve();
  }

  rename(from: string, to: string): Promise<void> {
    const inside = this.#pathsIn(from);
    if (inside.length > 0 && (this.files.has(to) || this.#pathsIn(to).length > 0)) {
      return Promise.reject(new StorageError("IO", to, `folder not empty: ${to}`));
    }
    for (const path of inside) {
      this.files.set(to + path.slice(from.length), this.#file(path));
      this.files.delete(path);
    }
    if (inside.length > 0) {
      return Promise.resolve();
    }
    this.files.set(to, this.#file(from));
    this.files.delete(from);
    return Promise.resolve();
  }

  remove(path: string): Promise<void> {
    for (const name of [path, ...this.#pathsIn(path)]) {
      this.files.delete(name);
    }
    return Promise.resolve();
  }

  sync(_path: string): Promise<void> {
    return Promise.resolve();
  }

  #pathsIn(folder: string): readonly string[] {
    return [...this.files.keys()].filter((path) => path.startsWith(`${folder}/`));
  }

  #file(path: string): Uint8Array {
    const file = this.files.get(path);
    if (file === undefined) {
      throw new StorageError("NOT_FOUND", path, `no file ${path}`);
    }
    return file;
  }
}
