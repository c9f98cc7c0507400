/**
 * One folder of the file cache: pages of objects in files of their own. All nodes of a machine read the pages of each other; each removes
 * those that it knows, up to its number of bytes, and the one that was not used for longest first. Each file has a checksum, so nothing is
 * synced: what a crash leaves half is found when it is read. A disk that fails makes pages missing and is left alone for a while.
 */
import type { Clock } from "../../../ports/clock.ts";
import { type Storage, StorageError } from "../../../ports/storage.ts";
import { crc32 } from "../../../types/crc32.ts";

/** Before the page: a word of its own, checksum and length of the page, beginning of its name. */
const headerBytes = 16;
/** Changes of the folder at once. */
const lanes = 8;
const magic = 0x6f726663;
/** What a page takes of the bound at least, with the entry of its file. */
const pageBytesMin = 16_384;
/** How long nothing is written after a failure. */
const pauseMs = 60_000;
/** Bytes that wait to be written. */
const waitingBytesMax = 33_554_432;
/** Time of pages that are not used any more, and whose files are still to be removed. */
const forgotten = 0;
const namePattern = /^[0-9a-f]{40}$/;
/** A file before it has its name. */
const unnamedPattern = /^[0-9a-f]{40}\./;
/** When files are removed that a crash has left without their name. */
const unnamedMillis = 3_600_000;

export interface CacheFolderOptions {
  readonly storage: Storage;
  /** Folder of the catalog. */
  readonly folder: string;
  readonly nodeId: string;
  readonly bytesMax: number;
  readonly ttlMillis: number;
  readonly clock: Clock;
  readonly onFailure: (error: unknown) => void;
}

interface FoundFile {
  readonly name: string;
  readonly path: string;
  readonly sizeBytes: number;
  readonly storedMillis: number;
}

interface Entry {
  readonly heldBytes: number;
  readonly storedMillis: number;
}

export class CacheFolder {
  readonly #options: CacheFolderOptions;
  /** By name; the one that was used last is the last. */
  readonly #pages = new Map<string, Entry>();
  /** Pages that are to be written. */
  readonly #waiting = new Map<string, Uint8Array>();
  #waitingBytes = 0;
  #heldBytes = 0;
  #pausedUntilMillis = 0;
  /** Changes of the folder: several at once, those of a page one after the other. */
  readonly #lanes: Promise<void>[];
  #isClosed = false;
  /** Before, nobody knows what the folder holds, and nothing is written. */
  #isLoaded = false;
  evictions = 0;
  readonly ready: Promise<void>;

  constructor(options: CacheFolderOptions) {
    this.#options = options;
    this.ready = this.#guarded(() => this.#load());
    this.#lanes = Array.from({ length: lanes }, () => this.ready);
  }

  get heldBytes(): number {
    return this.#heldBytes;
  }

  /** Resolves when what was to be written is written. */
  async settled(): Promise<void> {
    await Promise.all(this.#lanes);
  }

  /** undefined if the page is not there, or is not what was written. */
  async read(name: string, length: number): Promise<Uint8Array | undefined> {
    const waiting = this.#waiting.get(name);
    const entry = this.#pages.get(name);
    if (waiting !== undefined || entry?.storedMillis === forgotten) {
      return waiting;
    }
    if (entry !== undefined) {
      if (this.#isExpired(entry.storedMillis)) {
        this.#forget(name, entry);
        return undefined;
      }
      this.#pages.delete(name);
      this.#pages.set(name, entry);
    }
    try {
      const file = await this.#options.storage.read(this.#pathOf(name), 0, headerBytes + length + 1);
      const page = pageOf(file, name);
      if (page?.length === length) {
        return page;
      }
      this.#options.onFailure(new Error("a page has another checksum"));
    } catch (error) {
      if (isMissing(error)) {
        this.#drop(name);
        return undefined;
      }
      this.#options.onFailure(error);
    }
    this.#forget(name, entry ?? { heldBytes: 0, storedMillis: forgotten });
    return undefined;
  }

  /** Later, and only if there is room. The bytes must not change. */
  store(name: string, page: Uint8Array): void {
    const { bytesMax, clock } = this.#options;
    if (
      this.#isClosed ||
      this.#waiting.has(name) ||
      (this.#pages.get(name)?.storedMillis ?? forgotten) !== forgotten ||
      heldBytesOf(page.length) > bytesMax ||
      this.#waitingBytes + page.length > waitingBytesMax ||
      clock.wallMillis() < this.#pausedUntilMillis
    ) {
      return;
    }
    if (!this.#isLoaded) {
      this.#change("", () => this.#load());
      return;
    }
    this.#waiting.set(name, page);
    this.#waitingBytes += page.length;
    this.#change(name, async () => {
      try {
        await this.#write(name, page);
      } finally {
        this.#waiting.delete(name);
        this.#waitingBytes -= page.length;
      }
    });
  }

  close(): void {
    this.#isClosed = true;
  }

  async #write(name: string, page: Uint8Array): Promise<void> {
    const { storage, bytesMax, clock } = this.#options;
    const heldBytes = heldBytesOf(page.length);
    await this.#remove(name);
    while (this.#heldBytes + heldBytes > bytesMax) {
      const [oldest] = this.#pages.keys();
      if (oldest === undefined) {
        break;
      }
      // Another page may have made room meanwhile.
      const isRemoved = await this.#remove(oldest);
      this.evictions += isRemoved ? 1 : 0;
    }
    if (this.#isClosed || this.#heldBytes + heldBytes > bytesMax) {
      return;
    }
    const unnamed = `${this.#pathOf(name)}.${this.#options.nodeId}`;
    // What a failed write leaves is counted until it is removed.
    this.#heldBytes += heldBytes;
    try {
      await storage.write(unnamed, fileOf(name, page));
      await storage.rename(unnamed, this.#pathOf(name));
    } catch (error) {
      this.#pages.set(name, { heldBytes, storedMillis: forgotten });
      throw error;
    }
    this.#pages.set(name, { heldBytes, storedMillis: clock.wallMillis() });
  }

  /** The entry is kept until the file has gone, so that the bound holds on the disk too. */
  async #remove(name: string): Promise<boolean> {
    const entry = this.#pages.get(name);
    if (entry !== undefined) {
      const path = this.#pathOf(name);
      await this.#options.storage.remove(path);
      await this.#options.storage.remove(`${path}.${this.#options.nodeId}`);
    }
    const isMine = entry !== undefined && this.#pages.get(name) === entry;
    if (isMine) {
      this.#pages.delete(name);
      this.#heldBytes -= entry.heldBytes;
    }
    return isMine;
  }

  /** Another node has removed the file, or the page was never there. */
  #drop(name: string): void {
    const entry = this.#pages.get(name);
    if (entry !== undefined && entry.storedMillis !== forgotten) {
      this.#pages.delete(name);
      this.#heldBytes -= entry.heldBytes;
    }
  }

  /** The page is not used any more from now on. */
  #forget(name: string, entry: Entry): void {
    // Its removal may have begun meanwhile.
    if (this.#pages.get(name)?.storedMillis !== forgotten) {
      this.#pages.set(name, { ...entry, storedMillis: forgotten });
      this.#change(name, async () => {
        await this.#remove(name);
      });
    }
  }

  #change(name: string, work: () => Promise<void>): void {
    const lane = name === "" ? 0 : Number.parseInt(name.slice(0, 2), 16) % lanes;
    this.#lanes[lane] = (this.#lanes[lane] as Promise<void>).then(() => this.#guarded(work));
  }

  async #guarded(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#pausedUntilMillis = this.#options.clock.wallMillis() + pauseMs;
      this.#options.onFailure(error);
    }
  }

  /** What former incarnations and other nodes have written. */
  async #load(): Promise<void> {
    if (this.#isLoaded) {
      return;
    }
    const { clock, folder, storage } = this.#options;
    const found: FoundFile[] = [];
    for (const file of await this.#files(folder)) {
      const isOld = file.storedMillis + unnamedMillis < clock.wallMillis();
      if (this.#isExpired(file.storedMillis) || (isOld && unnamedPattern.test(file.name))) {
        await storage.remove(file.path);
      } else if (namePattern.test(file.name)) {
        found.push(file);
      }
    }
    for (const { name, sizeBytes, storedMillis } of found.toSorted((a, b) => a.storedMillis - b.storedMillis)) {
      const heldBytes = heldBytesOf(sizeBytes - headerBytes);
      this.#pages.set(name, { heldBytes, storedMillis });
      this.#heldBytes += heldBytes;
    }
    this.#isLoaded = true;
  }

  async #names(path: string): Promise<readonly string[]> {
    return (await this.#list(path)).filter(({ directory }) => directory).map(({ name }) => name);
  }

  async #files(path: string): Promise<readonly FoundFile[]> {
    const found: FoundFile[] = [];
    for (const part of await this.#names(path)) {
      for (const { name, sizeBytes, modifiedMillis = 0, directory } of await this.#list(`${path}/${part}`)) {
        if (!directory && (namePattern.test(name) || unnamedPattern.test(name)) && name.startsWith(part)) {
          found.push({ name, path: `${path}/${part}/${name}`, sizeBytes, storedMillis: modifiedMillis });
        }
      }
    }
    return found;
  }

  async #list(path: string): ReturnType<Storage["list"]> {
    try {
      return await this.#options.storage.list(path);
    } catch (error) {
      if (isMissing(error)) {
        return [];
      }
      throw error;
    }
  }

  #isExpired(storedMillis: number): boolean {
    return storedMillis + this.#options.ttlMillis <= this.#options.clock.wallMillis();
  }

  #pathOf(name: string): string {
    return `${this.#options.folder}/${name.slice(0, 2)}/${name}`;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof StorageError && error.kind === "NOT_FOUND";
}

function heldBytesOf(pageBytes: number): number {
  return Math.max(pageBytesMin, pageBytes + headerBytes);
}

function fileOf(name: string, page: Uint8Array): Uint8Array {
  const file = new Uint8Array(headerBytes + page.length);
  const view = new DataView(file.buffer);
  [magic, crc32(page), page.length, Number.parseInt(name.slice(0, 8), 16)].forEach((word, index) => view.setUint32(index * 4, word, true));
  file.set(page, headerBytes);
  return file;
}

/** undefined if the file is not that of the page, or damaged. */
function pageOf(file: Uint8Array, name: string): Uint8Array | undefined {
  if (file.length < headerBytes) {
    return undefined;
  }
  const view = new DataView(file.buffer, file.byteOffset);
  const page = file.subarray(headerBytes);
  const [word, checksum, length, start] = [0, 4, 8, 12].map((at) => view.getUint32(at, true));
  const isWhole = word === magic && length === page.length && start === Number.parseInt(name.slice(0, 8), 16);
  return isWhole && checksum === crc32(page) ? page : undefined;
}
