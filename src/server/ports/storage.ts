/**
 * The Storage port over a directory of the file system. Paths never leave the directory.
 */
import { closeSync, constants, fstatSync, openSync, read, type Stats, statSync } from "node:fs";
import { mkdir, open, readdir, realpath, rename, rm, stat, writeFile, appendFile } from "node:fs/promises";
import { dirname, join, resolve, sep } from "node:path";
import type { FolderAccess } from "../../ports/ports.ts";
import { type Storage, type StorageEntry, StorageError, type StorageErrorKind, type StorageFile } from "../../ports/storage.ts";
import { AppendedFiles } from "./appended-files.ts";
import { CachedReads } from "./cached-reads.ts";
import { OpenFiles } from "./open-files.ts";

function kindOf(error: NodeJS.ErrnoException): StorageErrorKind {
  switch (error.code) {
    case "ENOENT":
    case "ENOTDIR":
      return "NOT_FOUND";
    case "ENOSPC":
    case "EDQUOT":
      return "NO_SPACE";
    default:
      return "IO";
  }
}

function broken(name: string, problem: string): StorageEntry {
  return { name, directory: false, sizeBytes: 0, version: "", problem };
}

/** The message without the system call and the local path, which Node appends. */
function problemOf(error: NodeJS.ErrnoException): string {
  return error.message.replace(/, \w+ '.*$/s, "");
}

export interface FolderOptions {
  readonly readOnly: boolean;
  /** Links may lead to files outside of the folder. */
  readonly followsLinks?: boolean;
}

/** Largest number of files that are remembered as lying within the folder. */
const insideMax = 4096;
/**
 * Entries of a folder that are described without the pool of threads, which takes ten times longer. The bound is for folders on a network:
 * the node does nothing else meanwhile.
 */
const shortListMax = 32;
/** Appends up to this size are made at once, in bytes. */
const smallBytesMax = 16 * 1024;

const leadsOut = "it is a link that leads out of the folder of the catalog";

export class FolderStorage implements Storage {
  readonly #root: string;
  readonly #readOnly: boolean;
  readonly #followsLinks: boolean;
  /** The root without links, once it is known. */
  #realRoot: string | undefined;
  /** Files that were found within the folder: device and inode by path. A path that still leads to the same file is not looked up again. */
  readonly #inside = new Map<string, string>();
  readonly #appended = new AppendedFiles();
  readonly #cached = new CachedReads();
  readonly #files = new OpenFiles(this.#cached);

  constructor(root: string, options: FolderOptions) {
    this.#root = resolve(root);
    this.#readOnly = options.readOnly;
    this.#followsLinks = options.followsLinks ?? !options.readOnly;
  }

  list(path: string): Promise<readonly StorageEntry[]> {
    return this.#run(path, async (full) => {
      await this.#requireInside(path, full, { again: true });
      const entries = await readdir(full, { withFileTypes: true });
      const names = entries.map((entry) => entry.name).sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
      const found: StorageEntry[] = [];
      const links = new Set(entries.filter((entry) => entry.isSymbolicLink()).map((entry) => entry.name));
      for (const name of names) {
        const described = async (): Promise<StorageEntry> =>
          links.has(name) && (await this.#isOutside(join(full, name)))
            ? broken(name, leadsOut)
            : entryOf(names.length <= shortListMax ? statSync(join(full, name)) : await stat(join(full, name)), name);
        const entry = await described().catch((error: NodeJS.ErrnoException): StorageEntry | undefined =>
          // A file may vanish between listing and stat; it is then omitted. Any other error concerns this entry only.
          error.code === "ENOENT" ? undefined : broken(name, problemOf(error)),
        );
        if (entry !== undefined) {
          found.push(entry);
        }
      }
      return found;
    });
  }

  stat(path: string): Promise<StorageEntry> {
    return this.#run(path, async (full) => {
      await this.#requireInside(path, full);
      const facts = this.#inside.has(full) ? statSync(full) : await stat(full);
      await this.#requireSame(path, full, facts);
      return entryOf(facts, path.slice(path.lastIndexOf("/") + 1));
    });
  }

  read(path: string, offset: number, length: number, into?: Uint8Array): Promise<Uint8Array> {
    return this.#run(path, async (full) => {
      await this.#requireInside(path, full);
      // To open and describe a file that was found before takes less time than a thread of the pool takes to begin with it. Opening a pipe
      // would block until a writer opens it.
      const file = openSync(full, constants.O_RDONLY | constants.O_NONBLOCK);
      try {
        const facts = fstatSync(file);
        await this.#requireSame(path, full, facts);
        const size = Math.max(0, Math.min(length, facts.size - offset));
        const bytes = into !== undefined && into.length >= size ? into.subarray(0, size) : unfilled(size);
        let filled = this.#cached.fill(file, bytes, offset);
        while (filled < bytes.length) {
          const bytesRead = await readSome(file, bytes.subarray(filled), offset + filled);
          if (bytesRead === 0) {
            break;
          }
          filled += bytesRead;
        }
        return filled === bytes.length ? bytes : bytes.subarray(0, filled);
      } finally {
        closeSync(file);
      }
    });
  }

  write(path: string, bytes: Uint8Array): Promise<void> {
    return this.#change(path, (full) => {
      this.#appended.forget(full);
      return inItsFolder(full, () => writeFile(full, bytes));
    });
  }

  append(path: string, bytes: Uint8Array): Promise<void> {
    // A few kilobytes go to the system's cache in less time than a thread of the pool takes to begin with them.
    const add = async (full: string): Promise<void> =>
      bytes.length > smallBytesMax ? appendFile(full, bytes) : this.#appended.append(full, bytes);
    return this.#change(path, (full) => inItsFolder(full, () => add(full)));
  }

  rename(from: string, to: string): Promise<void> {
    return this.#change(from, async (full) => {
      const target = this.#resolve(to);
      if (!(await stat(full)).isDirectory()) {
        await mkdir(dirname(target), { recursive: true });
      }
      await this.#requireNewInside(to, target);
      this.#appended.forget(full);
      this.#appended.forget(target);
      await rename(full, target);
    });
  }

  remove(path: string): Promise<void> {
    return this.#change(path, (full) => {
      this.#appended.forget(full);
      return rm(full, { recursive: true, force: true });
    });
  }

  sync(path: string): Promise<void> {
    return this.#change(path, async (full) => {
      const isDirectory = (await stat(full)).isDirectory();
      const file = await open(full, isDirectory ? "r" : "r+");
      try {
        await file.sync();
      } finally {
        await file.close();
      }
    });
  }

  openFile(path: string): StorageFile {
    const file = this.#files.open(this.#resolve(path));
    return {
      append: (parts) => this.#change(path, (full) => inItsFolder(full, () => file.append(parts))),
      read: (offset, length) => this.#run(path, () => file.read(offset, unfilled(length))),
      close: () => file.close(),
    };
  }

  #resolve(path: string): string {
    const full = resolve(this.#root, path);
    if (!isWithin(this.#root, full)) {
      throw new StorageError("INVALID_PATH", path, `path ${path} leaves its folder`);
    }
    return full;
  }

  async #isOutside(full: string): Promise<boolean> {
    if (this.#followsLinks) {
      return false;
    }
    this.#realRoot ??= await realpath(this.#root);
    return !isWithin(this.#realRoot, await realpath(full));
  }

  /** A file that was found inside is looked at when it is open: see requireSame. */
  async #requireInside(path: string, full: string, { again } = { again: false }): Promise<void> {
    if ((again || !this.#inside.has(full)) && (await this.#isOutside(full))) {
      throw new StorageError("INVALID_PATH", path, leadsOut);
    }
  }

  /** `facts` are of the file that the path led to. If it is not the one that was found inside, a link may have taken its place. */
  async #requireSame(path: string, full: string, { dev, ino }: Stats): Promise<void> {
    const identity = `${dev}-${ino}`;
    if (this.#followsLinks || this.#inside.get(full) === identity) {
      return;
    }
    await this.#requireInside(path, full, { again: true });
    const found = await stat(await realpath(full));
    if (`${found.dev}-${found.ino}` !== identity) {
      return;
    }
    this.#inside.delete(full);
    for (const first of this.#inside.keys()) {
      if (this.#inside.size < insideMax) {
        break;
      }
      this.#inside.delete(first);
    }
    this.#inside.set(full, identity);
  }

  async #run<T>(path: string, work: (full: string) => Promise<T>): Promise<T> {
    const full = this.#resolve(path);
    try {
      return await work(full);
    } catch (error) {
      if (error instanceof StorageError) {
        throw error;
      }
      const cause = error as NodeJS.ErrnoException;
      throw new StorageError(kindOf(cause), path, problemOf(cause));
    }
  }

  #change(path: string, work: (full: string) => Promise<void>): Promise<void> {
    if (this.#readOnly) {
      return Promise.reject(new StorageError("IO", path, `folder of ${path} is read-only`));
    }
    return this.#run(path, async (full) => {
      await this.#requireNewInside(path, full);
      return work(full);
    });
  }

  /** A path that need not exist: the nearest folder on the way that does must lie inside. */
  async #requireNewInside(path: string, full: string): Promise<void> {
    for (let existing = full; !this.#followsLinks; existing = dirname(existing)) {
      try {
        return await this.#requireInside(path, existing, { again: true });
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "ENOENT" || existing === this.#root) {
          throw error;
        }
      }
    }
  }
}

/** Bytes that the caller fills: zeros would cost a fifth of what reading them from the system's cache costs. */
function unfilled(length: number): Uint8Array {
  return new Uint8Array(Buffer.allocUnsafeSlow(length).buffer, 0, length);
}

function readSome(file: number, target: Uint8Array, position: number): Promise<number> {
  return new Promise((resolve, reject) => {
    read(file, target, 0, target.length, position, (error, bytesRead) => (error === null ? resolve(bytesRead) : reject(error)));
  });
}

/** Makes the folder of the file if it is missing. */
async function inItsFolder(full: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") {
      throw error;
    }
    await mkdir(dirname(full), { recursive: true });
    await work();
  }
}

function entryOf(facts: Stats, name: string): StorageEntry {
  if (!facts.isFile() && !facts.isDirectory()) {
    return broken(name, "it is neither a file nor a directory");
  }
  return {
    name,
    directory: facts.isDirectory(),
    sizeBytes: facts.isDirectory() ? 0 : facts.size,
    version: `${facts.mtimeMs}-${facts.size}-${facts.ino}`,
    modifiedMillis: Math.floor(facts.mtimeMs),
  };
}

function isWithin(root: string, full: string): boolean {
  return full === root || full.startsWith(root.endsWith(sep) ? root : root + sep);
}

/** The directory of a catalog, as `Ports.openFolder` gives it. */
export function openCatalogFolder(path: string, { writable = false, followsLinks = false }: FolderAccess = {}): Storage {
  return new FolderStorage(path, { readOnly: !writable, followsLinks });
}
