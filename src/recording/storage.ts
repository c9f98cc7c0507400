/**
 * Recording disks: of each operation length and hash are recorded, each result in full.
 */
import type { Ports } from "../ports/ports.ts";
import { type Storage, type StorageEntry, StorageError } from "../ports/storage.ts";
import type { RecordingContext } from "./context.ts";
import type { Content, StorageOperation } from "./entries.ts";

const nothing: Content = { length: 0, hash: 0, bytes: undefined };

interface Operation {
  readonly operation: StorageOperation;
  readonly path: string;
  readonly to?: string;
  readonly offset?: number;
  readonly length?: number;
  readonly body?: Uint8Array;
}

interface Result {
  readonly entries?: readonly StorageEntry[];
  readonly bytes?: Uint8Array;
}

export function recordedStorage(
  base: Ports,
  context: RecordingContext,
): { readonly own: Storage; readonly openFolder: Ports["openFolder"] } {
  const { writer } = context;
  let operations = 0;
  let folders = 0;
  const storageOf = (inner: Storage, folder: number): Storage => {
    const run = <T>(what: Operation, work: () => Promise<T>, resultOf: (value: T) => Result): Promise<T> => {
      const id = operations++;
      writer.storage(id, {
        folder,
        operation: what.operation,
        path: what.path,
        to: what.to ?? "",
        offset: what.offset ?? 0,
        length: what.length ?? 0,
        body: what.body === undefined ? nothing : context.scrubber.output(what.body),
      });
      return new Promise((resolve, reject) => {
        work().then(
          (value) =>
            context.input(
              (atNanos) => {
                const { entries, bytes } = resultOf(value);
                writer.stored(atNanos, id, entries, bytes === undefined ? nothing : context.scrubber.body(bytes));
              },
              () => resolve(value),
            ),
          (error: unknown) =>
            context.input(
              (atNanos) => {
                const { kind, path, message } =
                  error instanceof StorageError ? error : { kind: "IO" as const, path: what.path, message: String(error) };
                writer.storageFailed(atNanos, id, { error: kind, path, message });
              },
              () => reject(error as Error),
            ),
        );
      });
    };
    const change = (what: Operation, work: () => Promise<void>): Promise<void> => run(what, work, () => ({}));
    return {
      list: (path) =>
        run(
          { operation: "list", path },
          () => inner.list(path),
          (entries) => ({ entries }),
        ),
      stat: (path) =>
        run(
          { operation: "stat", path },
          () => inner.stat(path),
          (entry) => ({ entries: [entry] }),
        ),
      read: (path, offset, length) =>
        run(
          { operation: "read", path, offset, length },
          () => inner.read(path, offset, length),
          (bytes) => ({ bytes }),
        ),
      write: (path, body) => change({ operation: "write", path, body }, () => inner.write(path, body)),
      append: (path, body) => change({ operation: "append", path, body }, () => inner.append(path, body)),
      rename: (path, to) => change({ operation: "rename", path, to }, () => inner.rename(path, to)),
      remove: (path) => change({ operation: "remove", path }, () => inner.remove(path)),
      sync: (path) => change({ operation: "sync", path }, () => inner.sync(path)),
    };
  };
  return {
    own: storageOf(base.storage, 0),
    openFolder: (path, options) => {
      const folder = ++folders;
      writer.folder(folder, path);
      return storageOf(base.openFolder(path, options), folder);
    },
  };
}
