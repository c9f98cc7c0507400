/**
 * A simulated disk. A crash loses data that was not synced. Reads and writes take simulated time and complete on the node's own queue.
 */
import { type Storage, type StorageEntry, StorageError } from "../../src/ports/storage.ts";
import type { Stream } from "./streams.ts";
import { Afflicted } from "./afflicted.ts";
import { epochMillis } from "./clock.ts";
import { type Incarnation, nanosPerMs, type World } from "./world.ts";

interface File {
  readonly bytes: Uint8Array;
  readonly version: number;
  readonly changedNanos: number;
  /** Where `bytes` lies, if there is room for more behind it. */
  readonly room?: Room | undefined;
}

/** Files by path. Their size is kept, because each write asks for it, and a node that spills writes a page at a time to many files. */
class Files extends Map<string, File> {
  bytes = 0;

  override set(path: string, file: File): this {
    this.bytes += file.bytes.length - this.#bytesOf(path);
    return super.set(path, file);
  }

  override delete(path: string): boolean {
    this.bytes -= this.#bytesOf(path);
    return super.delete(path);
  }

  override clear(): void {
    this.bytes = 0;
    super.clear();
  }

  #bytesOf(path: string): number {
    return this.get(path)?.bytes.length ?? 0;
  }
}

/** Bytes of the versions of a file that were appended to one another; each is the beginning of the next. */
interface Room {
  readonly bytes: Uint8Array;
  /** Length of the longest version. */
  written: number;
}

/** A directory with a new name, which a crash may take back until the new parent directory is synced. */
interface Renamed {
  readonly from: string;
  readonly to: string;
}

export interface DiskConditions {
  readonly delayNanosMin: number;
  readonly delayNanosMax: number;
  /** Factor by which each operation takes longer. */
  readonly slowness: number;
  /** Capacity in bytes; a write beyond it fails with NO_SPACE. */
  readonly bytesMax: number;
  /** Percentage of operations that fail with IO and have no effect. */
  readonly errorPercent: number;
  /** Percentage of reads that return the file with one bit flipped. */
  readonly corruptPercent: number;
}

/** State of the files after a crash of the node. */
export type AfterCrash = "synced" | "kept" | "torn" | "wiped";

export const calmDisk: DiskConditions = {
  delayNanosMin: 20_000,
  delayNanosMax: 200_000,
  slowness: 1,
  bytesMax: 2 ** 32,
  errorPercent: 0,
  corruptPercent: 0,
};

/** The storage medium, which survives crashes. `open` returns the port for one incarnation of a node. */
export class SimulatedDisk {
  readonly #files = new Files();
  readonly #synced = new Map<string, File>();
  #renamed: Renamed[] = [];
  readonly #world: World;
  readonly #stream: Stream;
  readonly conditions: Afflicted<DiskConditions>;
  /** Writes and appends that succeeded. */
  writes = 0;
  #versions = 0;

  constructor(world: World, options: { readonly stream: Stream; readonly conditions: DiskConditions }) {
    this.#world = world;
    this.#stream = options.stream;
    this.conditions = new Afflicted(options.conditions);
  }

  /** Restores the synced state. `torn` also keeps a random prefix of the data that was not synced, like a disk that loses power. */
  crash(leaves: AfterCrash = "synced"): void {
    if (leaves === "kept") {
      return;
    }
    const renamed = leaves === "torn" && this.#renamed.length > 0 ? this.#stream.between(0, this.#renamed.length) : 0;
    this.#renamed.slice(0, renamed).forEach((one) => this.#moveSynced(one));
    const inRenamed = (path: string): boolean => this.#renamed.some(({ to }) => path.startsWith(`${to}/`));
    const before = [...this.#files].filter(([path]) => !inRenamed(path));
    this.#renamed = [];
    this.#files.clear();
    if (leaves === "wiped") {
      this.#synced.clear();
      return;
    }
    for (const [path, file] of this.#synced) {
      this.#files.set(path, file);
    }
    for (const [path, file] of leaves === "torn" ? before : []) {
      const synced = this.#synced.get(path);
      if (synced !== file && this.#stream.chance(1, 2)) {
        // What was synced and then only appended to stays.
        const safe = synced !== undefined && beginsWith(file.bytes, synced.bytes) ? synced.bytes.length : 0;
        const bytes = file.bytes.slice(0, this.#stream.between(safe, file.bytes.length));
        this.#files.set(path, this.#newFile(bytes));
      }
    }
  }

  #newFile(bytes: Uint8Array, room?: Room): File {
    return { bytes, version: this.#versions++, changedNanos: this.#world.nowNanos, room };
  }

  #moveSynced({ from, to }: Renamed): void {
    for (const [path, file] of this.#synced) {
      if (path.startsWith(`${from}/`)) {
        this.#synced.delete(path);
        this.#synced.set(to + path.slice(from.length), file);
      }
    }
  }

  #isFolder(path: string): boolean {
    return path === "" || [...this.#files.keys()].some((known) => known.startsWith(`${path}/`));
  }

  /** As rename(2) does: into a parent that exists, over nothing but an empty directory. */
  #renameFolder(from: string, to: string): void {
    if (!this.#isFolder(parentOf(to))) {
      throw new StorageError("NOT_FOUND", to, `no such folder: ${parentOf(to)}`);
    }
    if (this.#files.has(to) || this.#isFolder(to)) {
      throw new StorageError("IO", to, `folder not empty: ${to}`);
    }
    for (const [path, file] of this.#files) {
      if (path.startsWith(`${from}/`)) {
        this.#files.delete(path);
        this.#files.set(to + path.slice(from.length), file);
      }
    }
    this.#renamed.push({ from, to });
  }

  /** The names in a directory survive from now on: of files whose content does, and of renamed directories. */
  #syncFolder(folder: string): void {
    const kept = new Set(this.#synced.values());
    for (const [path, file] of this.#files) {
      if (parentOf(path) === folder && kept.has(file)) {
        for (const [former, same] of this.#synced) {
          if (same === file && !this.#files.has(former)) {
            this.#synced.delete(former);
          }
        }
        this.#synced.set(path, file);
      }
    }
    this.#renamed.filter(({ to }) => parentOf(to) === folder).forEach((one) => this.#moveSynced(one));
    this.#renamed = this.#renamed.filter(({ to }) => parentOf(to) !== folder);
  }

  /** Bytes that a crash would leave of a file; undefined if there would be none. */
  synced(path: string): Uint8Array | undefined {
    return this.#synced.get(path)?.bytes.slice();
  }

  /** The content as a process reads it, synced or not. Not a copy. */
  content(path: string): Uint8Array | undefined {
    return this.#files.get(path)?.bytes;
  }

  /** A file as it is now; undefined if there is none. */
  current(path: string): { readonly bytes: Uint8Array; readonly version: number } | undefined {
    return this.#files.get(path);
  }

  /** Paths in a folder; used to check for leaks. */
  paths(): readonly string[] {
    return [...this.#files.keys()].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  }

  open(incarnation: Incarnation): Storage {
    /** Changes in progress by path. */
    const changing = new Map<string, string>();
    const later = <T>(work: () => T, onEnd?: () => void): Promise<T> =>
      new Promise((resolve, reject) => {
        const { delayNanosMin, delayNanosMax, slowness } = this.conditions.value;
        const delay = this.#stream.between(delayNanosMin, delayNanosMax) * slowness;
        this.#world.on(incarnation, this.#world.nowNanos + delay, "disk", () => {
          onEnd?.();
          try {
            this.#failNow(incarnation);
            resolve(work());
          } catch (error) {
            reject(error as Error);
          }
        });
      });
    /** Two changes of one path at a time would leave it to the disk which of them is first. */
    const change = <T>(what: string, path: string, work: () => T): Promise<T> => {
      const other = changing.get(path);
      if (other !== undefined) {
        this.#world.note(incarnation.place, "disk-overlap", `${what} of ${path} during its ${other}`);
      }
      changing.set(path, what);
      return later(work, () => changing.delete(path));
    };
    return {
      list: (path) => later(() => this.#list(path)),
      stat: (path) => later(() => this.#stat(path)),
      read: (path, offset, length) => later(() => this.#damage(incarnation, path, this.#file(path).bytes.slice(offset, offset + length))),
      write: (path, bytes) => change("write", path, () => this.#put(path, bytes.slice())),
      append: (path, bytes) =>
        change("append", path, () => {
          const { bytes: joined, room } = appended(this.#files.get(path), bytes);
          this.#put(path, joined, room);
        }),
      rename: (from, to) =>
        change("rename", to, () => {
          if (!this.#files.has(from) && from !== "" && this.#isFolder(from)) {
            return this.#renameFolder(from, to);
          }
          const file = this.#file(from);
          this.#files.delete(from);
          this.#files.set(to, file);
        }),
      remove: (path) =>
        change("removal", path, () => {
          for (const name of this.#files.keys()) {
            if (name === path || name.startsWith(`${path}/`)) {
              this.#files.delete(name);
              this.#synced.delete(name);
            }
          }
        }),
      sync: (path) =>
        change("sync", path, () => {
          if (!this.#files.has(path) && this.#isFolder(path)) {
            return this.#syncFolder(path);
          }
          this.#synced.set(path, this.#file(path));
        }),
    };
  }

  #failNow(incarnation: Incarnation): void {
    const { errorPercent } = this.conditions.value;
    if (errorPercent > 0 && this.#stream.chance(errorPercent, 100)) {
      this.#world.note(incarnation.place, "disk-error", "");
      throw new StorageError("IO", "", "input/output error");
    }
  }

  /** Flips a bit in the copy that was read, with the configured probability. */
  #damage(incarnation: Incarnation, path: string, bytes: Uint8Array): Uint8Array {
    const { corruptPercent } = this.conditions.value;
    if (corruptPercent > 0 && bytes.length > 0 && this.#stream.chance(corruptPercent, 100)) {
      const at = this.#stream.nextInt(bytes.length);
      bytes[at] = (bytes[at] as number) ^ (1 << this.#stream.nextInt(8));
      this.#world.note(incarnation.place, "corrupt-read", `${path} byte ${at}`);
    }
    return bytes;
  }

  #put(path: string, bytes: Uint8Array, room?: Room): void {
    const before = this.#files.get(path)?.bytes.length ?? 0;
    if (this.#files.bytes - before + bytes.length > this.conditions.value.bytesMax) {
      throw new StorageError("NO_SPACE", path, `no space left for ${path}`);
    }
    this.writes++;
    this.#files.set(path, this.#newFile(bytes, room));
  }

  #file(path: string): File {
    const file = this.#files.get(path);
    if (file === undefined) {
      throw new StorageError("NOT_FOUND", path, `no such file: ${path}`);
    }
    return file;
  }

  #stat(path: string): StorageEntry {
    const name = path.slice(path.lastIndexOf("/") + 1);
    const file = this.#files.get(path);
    if (file !== undefined) {
      const modifiedMillis = epochMillis + Math.floor(file.changedNanos / nanosPerMs);
      return { name, directory: false, sizeBytes: file.bytes.length, version: String(file.version), modifiedMillis };
    }
    if ([...this.#files.keys()].some((known) => path === "" || known.startsWith(`${path}/`))) {
      return { name, directory: true, sizeBytes: 0, version: "0" };
    }
    throw new StorageError("NOT_FOUND", path, `no such file: ${path}`);
  }

  #list(path: string): readonly StorageEntry[] {
    const prefix = path === "" ? "" : `${path}/`;
    const names = new Set<string>();
    for (const known of this.#files.keys()) {
      if (known.startsWith(prefix)) {
        names.add(known.slice(prefix.length).split("/")[0] as string);
      }
    }
    if (names.size === 0 && path !== "") {
      throw new StorageError("NOT_FOUND", path, `no such folder: ${path}`);
    }
    return [...names].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0)).map((name) => this.#stat(prefix + name));
  }
}

function parentOf(path: string): string {
  return path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : "";
}

/** A file and more behind it. No version of a file changes, so the next one may share its bytes if none is longer already. */
function appended(file: File | undefined, more: Uint8Array): { readonly bytes: Uint8Array; readonly room: Room } {
  const old = file?.bytes.length ?? 0;
  const length = old + more.length;
  let room = file?.room;
  if (room === undefined || room.written !== old || length > room.bytes.length) {
    room = { bytes: new Uint8Array(2 * length), written: 0 };
    room.bytes.set(file?.bytes ?? []);
  }
  room.bytes.set(more, old);
  room.written = length;
  return { bytes: room.bytes.subarray(0, length), room };
}

function beginsWith(bytes: Uint8Array, start: Uint8Array): boolean {
  return bytes.length >= start.length && start.every((byte, index) => bytes[index] === byte);
}
