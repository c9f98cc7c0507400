/**
 * Files as a node sees them. Paths are relative, separated by `/`, and never contain `..`. A crash may lose data that was not synced.
 */

/** CHANGED: the file is not the one that was listed. */
export type StorageErrorKind = "NOT_FOUND" | "NO_SPACE" | "IO" | "INVALID_PATH" | "CHANGED";

export class StorageError extends Error {
  override readonly name = "StorageError";
  constructor(
    readonly kind: StorageErrorKind,
    readonly path: string,
    message: string,
  ) {
    super(message);
  }
}

/** Undefined if the file or folder does not exist. */
export function unlessMissing<T>(work: Promise<T>): Promise<T | undefined> {
  return unless(["NOT_FOUND"], work);
}

/** Undefined if the file does not exist any more in the version that was asked for. */
export function unlessChanged<T>(work: Promise<T>): Promise<T | undefined> {
  return unless(["CHANGED", "NOT_FOUND"], work);
}

async function unless<T>(kinds: readonly StorageErrorKind[], work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof StorageError && kinds.includes(error.kind)) {
      return undefined;
    }
    throw error;
  }
}

export interface StorageEntry {
  /** Last part of the path. */
  readonly name: string;
  readonly directory: boolean;
  readonly sizeBytes: number;
  /** Changes whenever the content may have changed. */
  readonly version: string;
  /** Time of the last change, in milliseconds since 1970; absent if the storage does not keep it. */
  readonly modifiedMillis?: number;
  /** Reason why the entry cannot be read or described, such as a link that refers to itself. */
  readonly problem?: string;
}

/** A file that one owner makes, appends to and reads back until it closes it. Operations may overlap; appends take effect in order. */
export interface StorageFile {
  /** The parts, one after the other. A failed append may have written a part of them. */
  append(parts: readonly Uint8Array[]): Promise<void>;
  /** As Storage.read. */
  read(offset: number, length: number): Promise<Uint8Array>;
  /** No operation may follow. Those in progress go on. The file stays. Idempotent. */
  close(): void;
}

export interface Storage {
  /** Entries sorted by name in code unit order. NOT_FOUND for a missing directory. */
  list(path: string): Promise<readonly StorageEntry[]>;
  stat(path: string): Promise<StorageEntry>;
  /** Bytes [offset, offset + length); fewer only at the end of the file. They may be written to `into`, if it has room. */
  read(path: string, offset: number, length: number, into?: Uint8Array): Promise<Uint8Array>;
  /** Creates or replaces the file, and creates missing directories. */
  write(path: string, bytes: Uint8Array): Promise<void>;
  append(path: string, bytes: Uint8Array): Promise<void>;
  /**
   * At once, and creates missing directories for a file. A directory takes the place of an empty one only, and its new parent must exist:
   * NOT_FOUND.
   */
  rename(from: string, to: string): Promise<void>;
  /** Removes a file, or a directory with its contents. A missing path is not an error. */
  remove(path: string): Promise<void>;
  /** After it resolves, the content of the file survives a crash; of a directory, the names of its entries do. */
  sync(path: string): Promise<void>;
  /** A new file, which may stay open between its operations. Absent if the storage knows files by their paths only. */
  openFile?(path: string): StorageFile;
}

/** A storage with several owners, one after the other. */
export interface OwnedStorage extends Storage {
  /** Number of the present owner: greater than those of all before. Files of an owner carry it. 0 if there is only ever one. */
  readonly epoch: number;
}

/** A directory of a storage as a storage of its own. */
export function folderOf(storage: Storage | OwnedStorage, folder: string): OwnedStorage {
  const inside = (path: string): string => (path === "" ? folder : `${folder}/${path}`);
  return {
    get epoch() {
      return "epoch" in storage ? storage.epoch : 0;
    },
    list: (path) => storage.list(inside(path)),
    stat: (path) => storage.stat(inside(path)),
    read: (path, offset, length) => storage.read(inside(path), offset, length),
    write: (path, bytes) => storage.write(inside(path), bytes),
    append: (path, bytes) => storage.append(inside(path), bytes),
    rename: (from, to) => storage.rename(inside(from), inside(to)),
    remove: (path) => storage.remove(inside(path)),
    sync: (path) => storage.sync(inside(path)),
    ...(storage.openFile !== undefined && { openFile: (path: string) => storage.openFile?.(inside(path)) as StorageFile }),
  };
}
