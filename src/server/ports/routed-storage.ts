/**
 * A storage of which one directory is somewhere else on the disk: what is written there survives the node, and the rest does not.
 */
import { accessSync, constants, mkdirSync } from "node:fs";
import type { Storage, StorageFile } from "../../ports/storage.ts";

/** True if the directory exists, or can be made, and files can be written in it. */
export function canWriteIn(folder: string): boolean {
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Paths in `folder` belong to `inner`, all others to `outer`. */
export function routedStorage(outer: Storage, folder: string, inner: Storage): Storage {
  const route = (path: string): readonly [Storage, string] =>
    path === folder ? [inner, ""] : path.startsWith(`${folder}/`) ? [inner, path.slice(folder.length + 1)] : [outer, path];
  const at = <T>(path: string, work: (storage: Storage, path: string) => Promise<T>): Promise<T> => work(...route(path));
  return {
    list: (path) => at(path, (storage, own) => storage.list(own)),
    stat: (path) => at(path, (storage, own) => storage.stat(own)),
    read: (path, offset, length) => at(path, (storage, own) => storage.read(own, offset, length)),
    write: (path, bytes) => at(path, (storage, own) => storage.write(own, bytes)),
    append: (path, bytes) => at(path, (storage, own) => storage.append(own, bytes)),
    // Nothing is moved between the two.
    rename: (from, to) => at(from, (storage, own) => storage.rename(own, route(to)[1])),
    remove: (path) => at(path, (storage, own) => storage.remove(own)),
    sync: (path) => at(path, (storage, own) => storage.sync(own)),
    ...(outer.openFile !== undefined &&
      inner.openFile !== undefined && {
        openFile: (path: string) => {
          const [storage, own] = route(path);
          return storage.openFile?.(own) as StorageFile;
        },
      }),
  };
}
