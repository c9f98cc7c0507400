/**
 * Files in the version in which they were listed, where versions are the same on all nodes. Elsewhere a reader compares the sizes of files.
 */
import type { Lifetime } from "../../../ports/lifetime.ts";
import type { Storage } from "../../../ports/storage.ts";
import { ObjectStorage } from "./object-storage.ts";

/** Of files that never change, and whose version is not known. Their size is compared. */
export const anyVersion = "";

/** A file, as a split has it. */
export interface PinnedFile {
  readonly path: string;
  readonly sizeBytes: number;
  /** Present if all nodes see the same one. */
  readonly version?: string;
}

/** The same storage. What waits for an object store ends with the lifetime; a disk answers by itself. */
export function storageUntil<S extends Storage>(storage: S, life: Lifetime): S {
  return storage instanceof ObjectStorage ? (storage.until(life) as Storage as S) : storage;
}

/** The storage for a reader of this one file. */
export function pinned(storage: Storage, { path, sizeBytes, version }: PinnedFile): Storage {
  return storage instanceof ObjectStorage && version !== undefined ? storage.pinned({ path, sizeBytes, version }) : storage;
}

/** What a split says of the version of its file. */
export function sharedVersion(storage: Storage, { version }: { readonly version: string }): Pick<PinnedFile, "version"> {
  return storage instanceof ObjectStorage ? { version } : {};
}
