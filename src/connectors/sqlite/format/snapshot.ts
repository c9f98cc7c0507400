/**
 * One state of a database: its file, and the commits of its write-ahead log up to one of them. Other programs may change the files at any
 * time, because no lock is taken: what is read is therefore checked before it is used, and a change is an error, never a mixture.
 */
import { type Storage, type StorageEntry, unlessMissing } from "../../../ports/storage.ts";
import type { QueryError } from "../../../protocol/errors.ts";
import { BadData, badFile, reading } from "../../shared/file-errors.ts";
import { pinned, sharedVersion } from "../../shared/object-store/pinned.ts";
import { type DatabaseHeader, databaseHeaderBytes, parseDatabaseHeader } from "./database-header.ts";
import { u32 } from "./numbers.ts";
import { frameHeaderBytes, logHeaderBytes, type LogPosition, readLog, type WriteAheadLog } from "./write-ahead-log.ts";

/** Which state of a database a query reads. Plain JSON. */
export interface SnapshotId {
  readonly path: string;
  readonly sizeBytes: number;
  /** Present if all nodes see the same one. */
  readonly version?: string;
  readonly modifiedMillis?: number;
  readonly changeCounter: number;
  readonly log?: LogPosition;
}

/** A file without pages, which is an empty database. */
const emptyHeader: DatabaseHeader = {
  pageSize: 4096,
  usableSize: 4096,
  changeCounter: 0,
  pageCount: 0,
  schemaCookie: 0,
  encoding: "utf-8",
};

export class Snapshot {
  readonly id: SnapshotId;
  readonly header: DatabaseHeader;
  readonly pageCount: number;
  readonly #storage: Storage;
  readonly #entry: StorageEntry;
  readonly #log: WriteAheadLog | undefined;

  private constructor(
    storage: Storage,
    {
      path,
      entry,
      header,
      log,
    }: {
      readonly path: string;
      readonly entry: StorageEntry;
      readonly header: DatabaseHeader;
      readonly log: WriteAheadLog | undefined;
    },
  ) {
    const { sizeBytes, modifiedMillis } = entry;
    this.id = {
      path,
      sizeBytes,
      ...sharedVersion(storage, entry),
      ...(modifiedMillis !== undefined && { modifiedMillis }),
      changeCounter: header.changeCounter,
      ...(log !== undefined && { log: log.position }),
    };
    this.header = header;
    this.pageCount = log?.pageCount ?? header.pageCount ?? Math.floor(sizeBytes / header.pageSize);
    this.#storage = pinned(storage, this.id);
    this.#entry = entry;
    this.#log = log;
  }

  /** The state of now, or that of `expected`. Throws QueryError. */
  static async open(storage: Storage, path: string, expected?: SnapshotId): Promise<Snapshot> {
    await refuseJournal(storage, path);
    const entry = await reading(path, storage.stat(path));
    if (entry.directory || entry.problem !== undefined) {
      throw badFile(path, "", entry.problem ?? "this is a folder");
    }
    try {
      const log = entry.sizeBytes === 0 ? undefined : await logOf(storage, path, expected && (expected.log?.frames ?? 0));
      const header = await headerOf(storage, { path, entry, log });
      const snapshot = new Snapshot(storage, { path, entry, header, log });
      if (expected !== undefined && !(await snapshot.#isThatOf(expected))) {
        throw changed(path);
      }
      await snapshot.requireUnchanged();
      return snapshot;
    } catch (error) {
      throw error instanceof BadData ? badFile(path, "", error.message) : error;
    }
  }

  /** The frame of the log that has the page; undefined if the file has it. */
  frameOf(page: number): number | undefined {
    return this.#log?.frameOf.get(page);
  }

  /** Bytes of the database file; fewer only at its end. */
  readFile(offset: number, length: number): Promise<Uint8Array> {
    const { path } = this.id;
    return reading(path, this.#storage.read(path, offset, length));
  }

  /** The page in a frame of the log. */
  async readFrame(frame: number, page: number): Promise<Uint8Array> {
    const { path, log } = this.id;
    const { pageSize } = this.header;
    const at = logHeaderBytes + frame * (frameHeaderBytes + pageSize);
    const bytes = await reading(path, this.#storage.read(logPath(path), at, frameHeaderBytes + pageSize));
    const isSame = bytes.length === frameHeaderBytes + pageSize && u32(bytes, 0) === page;
    if (!isSame || u32(bytes, 8) !== log?.salt1 || u32(bytes, 12) !== log.salt2) {
      throw changed(path);
    }
    return bytes.subarray(frameHeaderBytes);
  }

  /** Throws an error if something that was read may be of another state. */
  async requireUnchanged(): Promise<void> {
    const { path, version, log } = this.id;
    if (version !== undefined && log === undefined) {
      return;
    }
    await refuseJournal(this.#storage, path);
    const entry = await reading(path, this.#storage.stat(path));
    const isSameLog = log === undefined || (await this.#hasLog(log, { isLast: entry.version !== this.#entry.version }));
    const isSameFile = log !== undefined || (entry.version === this.#entry.version && (await this.#hasCounter()));
    if (!isSameLog || !isSameFile) {
      throw changed(path);
    }
  }

  async #hasCounter(): Promise<boolean> {
    const bytes = await this.readFile(0, databaseHeaderBytes);
    return bytes.length < databaseHeaderBytes ? this.pageCount === 0 : u32(bytes, 24) === this.id.changeCounter;
  }

  /**
   * Commits behind those of the snapshot may be appended. A checkpoint writes pages of them to the file, which is then another one: it has
   * to be sure that there are none.
   */
  async #hasLog({ salt1, salt2, frames }: LogPosition, { isLast }: { readonly isLast: boolean }): Promise<boolean> {
    const { path } = this.id;
    const header = await reading(path, unlessMissing(this.#storage.read(logPath(path), 0, logHeaderBytes)));
    if (header === undefined || header.length < logHeaderBytes || u32(header, 16) !== salt1 || u32(header, 20) !== salt2) {
      return false;
    }
    if (!isLast) {
      return true;
    }
    const at = logHeaderBytes + frames * (frameHeaderBytes + this.header.pageSize);
    const next = await reading(path, unlessMissing(this.#storage.read(logPath(path), at, frameHeaderBytes)));
    return next === undefined || next.length < frameHeaderBytes || u32(next, 8) !== salt1 || u32(next, 12) !== salt2;
  }

  async #isThatOf({ sizeBytes, version, modifiedMillis, changeCounter, log }: SnapshotId): Promise<boolean> {
    const own = this.id;
    const isSameFile = own.version === version && own.modifiedMillis === modifiedMillis && own.sizeBytes === sizeBytes;
    if (log === undefined || own.log === undefined) {
      return log === own.log && isSameFile && own.changeCounter === changeCounter;
    }
    const isSameLog = log.salt1 === own.log.salt1 && log.salt2 === own.log.salt2 && log.frames === own.log.frames;
    return isSameLog && (await this.#hasLog(log, { isLast: !isSameFile }));
  }
}

function changed(path: string): QueryError {
  return badFile(path, "", "the database was changed while the query ran, or the nodes have different copies of it");
}

function logPath(path: string): string {
  return `${path}-wal`;
}

async function headerOf(
  storage: Storage,
  { path, entry, log }: { readonly path: string; readonly entry: StorageEntry; readonly log: WriteAheadLog | undefined },
): Promise<DatabaseHeader> {
  if (entry.sizeBytes === 0) {
    return emptyHeader;
  }
  const inFile = parseDatabaseHeader(await reading(path, storage.read(path, 0, databaseHeaderBytes)));
  const frame = log?.frameOf.get(1);
  if (log !== undefined && log.pageSize !== inFile.pageSize) {
    throw new BadData(`pages have ${inFile.pageSize} bytes, and ${log.pageSize} in the write-ahead log`);
  }
  if (log === undefined || frame === undefined) {
    return inFile;
  }
  const at = logHeaderBytes + frame * (frameHeaderBytes + log.pageSize) + frameHeaderBytes;
  return parseDatabaseHeader(await reading(path, storage.read(logPath(path), at, databaseHeaderBytes)));
}

async function logOf(storage: Storage, path: string, framesWanted: number | undefined): Promise<WriteAheadLog | undefined> {
  const entry = await reading(path, unlessMissing(storage.stat(logPath(path))));
  return entry === undefined
    ? undefined
    : readLog((offset, length) => reading(path, storage.read(logPath(path), offset, length)), entry.sizeBytes, framesWanted);
}

/** A transaction is being written, or was interrupted: the file may have pages of it, and its old pages are in the journal. */
async function refuseJournal(storage: Storage, path: string): Promise<void> {
  const first = await reading(path, unlessMissing(storage.read(`${path}-journal`, 0, 1)));
  if (first?.[0] !== undefined && first[0] !== 0) {
    throw badFile(path, "", "a transaction is being written, or was interrupted: a rollback journal is beside the database");
  }
}
