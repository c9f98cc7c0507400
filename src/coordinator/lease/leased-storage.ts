/** A directory that coordinators share, as its owner sees it: nothing is read before the lease is held, and nothing written without it. */
import { type OwnedStorage, type Storage, StorageError } from "../../ports/storage.ts";
import type { Lease } from "./lease.ts";

/**
 * A change that resolves was made while this coordinator was the owner: the next owner finds it. One that rejects may have been made. What
 * a former owner writes late goes to files of its own epoch, which the next owner does not read any more.
 */
export function leasedStorage(storage: Storage, lease: Lease): OwnedStorage {
  const requireOwner = async (path: string, isOwner: Promise<boolean>): Promise<void> => {
    if (!(await isOwner)) {
      throw new StorageError("IO", path, "another coordinator owns the directory");
    }
  };
  const read = async <T>(path: string, work: () => Promise<T>): Promise<T> => {
    await requireOwner(path, lease.acquired);
    return work();
  };
  const change = async <T>(path: string, work: () => Promise<T>): Promise<T> => {
    await requireOwner(path, lease.acquired);
    await requireOwner(path, lease.held());
    const result = await work();
    await requireOwner(path, lease.held());
    return result;
  };
  return {
    get epoch() {
      return lease.epoch;
    },
    list: (path) => read(path, () => storage.list(path)),
    stat: (path) => read(path, () => storage.stat(path)),
    read: (path, offset, length) => read(path, () => storage.read(path, offset, length)),
    write: (path, bytes) => change(path, () => storage.write(path, bytes)),
    append: (path, bytes) => change(path, () => storage.append(path, bytes)),
    rename: (from, to) => change(from, () => storage.rename(from, to)),
    remove: (path) => change(path, () => storage.remove(path)),
    sync: (path) => change(path, () => storage.sync(path)),
  };
}
