import { type OwnedStorage, StorageError } from "../../../../src/ports/storage.ts";
import { MemoryStorage } from "../../../../src/testing/memory-storage.ts";

/** A disk that loses what was not synced: after a crash each file has its synced bytes and a part of the rest. */
export class LosingStorage extends MemoryStorage implements OwnedStorage {
  epoch = 0;
  readonly synced = new Map<string, Uint8Array>();
  /** Operations that still work. */
  budget: number = Number.POSITIVE_INFINITY;

  override append(path: string, bytes: Uint8Array): Promise<void> {
    return this.#worked() ? super.append(path, bytes) : Promise.reject(new StorageError("IO", path, "input/output error"));
  }

  override sync(path: string): Promise<void> {
    if (!this.#worked()) {
      return Promise.reject(new StorageError("IO", path, "input/output error"));
    }
    this.synced.set(path, this.files.get(path) as Uint8Array);
    return Promise.resolve();
  }

  crash(partOf: (length: number) => number): LosingStorage {
    const after = new LosingStorage();
    for (const [path, bytes] of this.files) {
      const safe = this.synced.get(path)?.length ?? 0;
      const kept = safe + partOf(bytes.length - safe);
      if (kept > 0) {
        after.files.set(path, bytes.slice(0, kept));
        after.synced.set(path, bytes.slice(0, kept));
      }
    }
    return after;
  }

  #worked(): boolean {
    this.budget -= 1;
    return this.budget >= 0;
  }
}
