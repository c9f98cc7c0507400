/** A file of a storage that knows files by their paths only. */
import type { Storage, StorageFile } from "../../ports/storage.ts";
import { joinBytes } from "../../types/bytes.ts";

export function openFileOf(storage: Storage, path: string): StorageFile {
  return storage.openFile?.(path) ?? new FileByPath(storage, path);
}

class FileByPath implements StorageFile {
  readonly #storage: Storage;
  readonly #path: string;
  #last: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(storage: Storage, path: string) {
    this.#storage = storage;
    this.#path = path;
  }

  append(parts: readonly Uint8Array[]): Promise<void> {
    this.#requireOpen();
    const [first] = parts;
    const appended = this.#last.then(() =>
      this.#storage.append(this.#path, first !== undefined && parts.length === 1 ? first : joinBytes(parts)),
    );
    this.#last = appended.catch(ignore);
    return appended;
  }

  read(offset: number, length: number): Promise<Uint8Array> {
    this.#requireOpen();
    return this.#storage.read(this.#path, offset, length);
  }

  close(): void {
    this.#closed = true;
  }

  #requireOpen(): void {
    if (this.#closed) {
      throw new RangeError(`${this.#path} is closed`);
    }
  }
}

function ignore(): void {}
