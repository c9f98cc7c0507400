/**
 * Writes of the coordinator in an object store, which renames nothing. The description of a table says which writes it has: one conditional
 * PUT of it makes all files of a write visible at once. Files are completed before that, in a folder of their write that no reader looks
 * into. A table that is being created or dropped is hidden by a file of its own.
 */
import type { MemoryContext } from "../../../../memory/memory.ts";
import { type StorageEntry, unlessChanged, unlessMissing } from "../../../../ports/storage.ts";
import { assert, QueryError } from "../../../../protocol/errors.ts";
import type { ObjectStorage } from "../../../shared/object-store/object-storage.ts";
import type { ObjectWriter } from "../../../shared/object-store/object-store.ts";
import { sameBytes } from "../../../../types/bytes.ts";
import { encodeUtf8 } from "../../../../types/utf8.ts";
import type { Json } from "../../../spi.ts";
import { listFolder, type WrittenTable } from "../../folder.ts";
import { fileName, type TableCommits, type WriteHandle } from "../commit.ts";
import { reading } from "../../../shared/file-errors.ts";
import { descriptionBytes, descriptionFile, descriptionOf, hidingFile, readDescription, type TableDescription } from "../description.ts";
import { Finishing, type QueryEnd } from "../query-end.ts";
import { emptyFile, type FilesFragment, type WrittenFile } from "../sink.ts";
import { type Staging, writing } from "../staging.ts";
import { Turns } from "../turns.ts";

/** Changes of a description that others overtake. */
const attemptsMax = 20;
const completedAtOnce = 8;
/** Of a table: its description has them all. */
const writesMax = 10_000;
const foldersMax = 100_000;
/** Writes that a description remembers after their rows were written anew: answers are not lost for longer. */
const formerWritesMax = 100;

export interface StoreCommitOptions {
  readonly storage: ObjectStorage;
  readonly staging: Staging;
  readonly catalog: string;
  readonly memory: MemoryContext;
  readonly rowGroupBytes: number;
  /** Throws if the table of a write is not as it was: created meanwhile, dropped, or changed. */
  readonly check: (write: WriteHandle) => Promise<unknown>;
}

export class StoreCommits implements TableCommits {
  readonly #options: StoreCommitOptions;
  readonly #writer: ObjectWriter;
  /** Writes of this object that have not ended. */
  readonly #pending = new Set<string>();
  readonly #finishing = new Finishing();
  /** Commits and drops run one after the other, so that what was checked still holds. */
  readonly #turns = new Turns();

  constructor(options: StoreCommitOptions) {
    this.#options = options;
    const { writer } = options.storage;
    assert(writer !== undefined, "tables are written to stores that can be written to");
    this.#writer = writer;
  }

  async begin(target: Omit<WriteHandle, "write">): Promise<WriteHandle> {
    const { kind, table, description, folder } = target;
    if (kind !== "create" && description.writes === undefined) {
      throw new QueryError("NOT_SUPPORTED", `Table '${table}' was not created in this store: its rows cannot be changed at once`);
    }
    if (kind === "insert" && (description.writes ?? []).length >= writesMax) {
      throw new QueryError("NOT_SUPPORTED", `Table '${table}' has ${writesMax} writes: create it anew from its rows`);
    }
    await this.#sweep(folder);
    const write = this.#options.staging.newId();
    this.#pending.add(write);
    return { write, ...target };
  }

  /** Under another name: files of the former attempt are in a folder that is never part of the table. */
  async restart(handle: WriteHandle): Promise<WriteHandle> {
    const { write, ...target } = this.#end(handle);
    await this.#giveUp(`${handle.folder}/${write}/`);
    return this.begin(target);
  }

  async abort({ write, folder }: WriteHandle): Promise<void> {
    if (this.#pending.delete(write)) {
      await this.#giveUp(`${folder}/${write}/`);
    } else {
      this.#finishing.giveUp(write);
    }
  }

  async finish(handle: WriteHandle, fragments: readonly Json[]): Promise<void> {
    this.#end(handle);
    const files = (fragments as unknown as readonly FilesFragment[]).flatMap((one) => one.files);
    const query = this.#finishing.begin(handle.write);
    try {
      await this.#turns.run(() => this.#finish(handle, files, query));
    } finally {
      this.#finishing.end(handle.write);
    }
  }

  async #finish(handle: WriteHandle, files: readonly WrittenFile[], query: QueryEnd): Promise<void> {
    let isHidden = false;
    // Once the request that makes the write visible was sent, the table may have it, even if the answer is lost: nothing is removed.
    let mayBeVisible = false;
    const onShow = (): void => {
      query.requireRunning();
      mayBeVisible = true;
    };
    try {
      query.requireRunning();
      await this.#options.check(handle);
      if (handle.kind === "create") {
        await this.#hide(handle);
        isHidden = true;
      }
      query.requireRunning();
      await this.#complete(handle, files);
      if (handle.kind === "create") {
        await this.#publish(handle, onShow);
      } else if (handle.kind === "rewrite") {
        await this.#change(handle.folder, { change: (found) => this.#rewritten(handle, found), write: handle.write, onShow });
      } else if (files.length > 0) {
        const change = (found: TableDescription): TableDescription => {
          this.#requireSame(handle, found);
          return { ...found, writes: [...(found.writes ?? []), handle.write] };
        };
        await this.#change(handle.folder, { change, write: handle.write, onShow });
      }
    } catch (error) {
      if (!mayBeVisible) {
        await this.#giveUp(`${handle.folder}/${handle.write}/`);
        if (isHidden) {
          await this.#quietly(() => this.#writer.remove(`${handle.folder}/${hidingFile}`));
        }
      }
      throw error;
    }
    for (const write of handle.kind === "rewrite" ? (handle.description.writes ?? []) : []) {
      await this.#giveUp(`${handle.folder}/${write}/`);
    }
  }

  /** The table is gone with its description; what is left is hidden. */
  async drop(find: () => Promise<WrittenTable>, query: QueryEnd): Promise<void> {
    await this.#turns.run(async () => {
      query.requireRunning();
      const { folder } = await find();
      const hiding = `${folder}/${hidingFile}`;
      query.requireRunning();
      // Beside a description the mark means nothing.
      await writing(folder, this.#writer.put(hiding, this.#mark()));
      query.requireRunning();
      await writing(folder, this.#writer.remove(`${folder}/${descriptionFile}`));
      await this.#removeTable(folder);
    });
  }

  async describe(
    find: () => Promise<WrittenTable>,
    change: (description: TableDescription) => TableDescription,
    query: QueryEnd,
  ): Promise<void> {
    await this.#turns.run(async () => {
      query.requireRunning();
      const { folder } = await find();
      await this.#change(folder, { change, onShow: () => query.requireRunning() });
    });
  }

  #end(handle: WriteHandle): WriteHandle {
    assert(this.#pending.delete(handle.write), `write ${handle.write} of the files connector ends once`);
    return handle;
  }

  #mark(): Uint8Array {
    return encodeUtf8(`${this.#options.staging.newId()}\n`);
  }

  /** The name belongs to this write from here on. */
  async #hide(handle: WriteHandle): Promise<void> {
    const { folder } = handle;
    const path = `${folder}/${hidingFile}`;
    const mark = this.#mark();
    for (let attempt = 0; attempt < 2; attempt++) {
      if (await writing(path, this.#writer.put(path, mark, { kind: "absent" }))) {
        return;
      }
      const entry = await this.#entry(path);
      if (entry !== undefined && (await this.#has(path, mark))) {
        // The answer to the first of two requests was lost.
        return;
      }
      if (entry === undefined || !this.#options.staging.isLeftover(entry.modifiedMillis)) {
        break;
      }
      await this.#removeTable(folder, `${folder}/${handle.write}/`);
    }
    throw new QueryError("TABLE_ALREADY_EXISTS", `Table '${this.#nameOf(handle)}' is being created or dropped`);
  }

  async #complete({ folder, write, kind, description }: WriteHandle, files: readonly WrittenFile[]): Promise<void> {
    for (let from = 0; from < files.length; from += completedAtOnce) {
      await Promise.all(
        files.slice(from, from + completedAtOnce).map(async ({ staged, upload, sizeBytes }) => {
          assert(upload !== undefined && staged.startsWith(`${folder}/${write}/`), "a sink stages its files as uploads of its write");
          await writing(staged, this.#writer.complete({ key: staged, id: upload.id }, upload.tags, sizeBytes));
        }),
      );
    }
    const { columns, format, partitionedBy } = description;
    if (kind !== "insert" && files.length === 0 && partitionedBy.length === 0 && format !== "JSON") {
      // Other engines see the columns of an empty table.
      const { memory, rowGroupBytes } = this.#options;
      const path = `${folder}/${write}/${fileName(0, description)}`;
      const bytes = emptyFile({ table: description, columns, memory, rowGroupBytes });
      await writing(path, this.#writer.put(path, bytes));
    }
  }

  async #publish(handle: WriteHandle, onShow: () => void): Promise<void> {
    const { folder, description, write } = handle;
    const path = `${folder}/${descriptionFile}`;
    const bytes = descriptionBytes({ ...description, writes: [write] });
    onShow();
    if (!(await writing(path, this.#writer.put(path, bytes, { kind: "absent" })))) {
      // The answer to the first of two requests may have been lost, and others may have changed the new table since.
      const found = await readDescription(this.#options.storage, folder);
      if (found?.id !== description.id) {
        throw new QueryError("TABLE_ALREADY_EXISTS", `Destination table '${this.#nameOf(handle)}' already exists`);
      }
    }
    // A description makes the mark mean nothing.
    await this.#quietly(() => this.#writer.remove(`${folder}/${hidingFile}`));
  }

  /**
   * In the version that was read; again if another cluster was faster. The answer to a PUT may be lost: the description then has `write`,
   * or without one what was put. `onShow` is called before each PUT.
   */
  async #change(
    folder: string,
    options: {
      readonly change: (description: TableDescription) => TableDescription;
      readonly write?: string;
      readonly onShow?: () => void;
    },
  ): Promise<void> {
    const { storage } = this.#options;
    const { change, write, onShow } = options;
    const path = `${folder}/${descriptionFile}`;
    let put: Uint8Array | undefined;
    for (let attempt = 0; attempt < attemptsMax; attempt++) {
      const entry = await this.#entry(path);
      if (entry === undefined) {
        throw new QueryError("TABLE_NOT_FOUND", `Table of folder '${folder}' does not exist any more`);
      }
      const pinned = storage.pinned({ path, sizeBytes: entry.sizeBytes, version: entry.version });
      const bytes = await reading(path, unlessChanged(pinned.read(path, 0, entry.sizeBytes)));
      if (bytes === undefined) {
        continue;
      }
      const found = descriptionOf(bytes, path);
      if (put !== undefined && (write === undefined ? sameBytes(bytes, put) : hasHad(found, write))) {
        return;
      }
      put = descriptionBytes(change(found));
      onShow?.();
      if (await writing(path, this.#writer.put(path, put, { kind: "version", version: entry.version }))) {
        return;
      }
    }
    throw new QueryError("TRANSACTION_CONFLICT", `The description of table '${folder}' changes all the time`);
  }

  /** The files of the writes before are not part of the table from here on. */
  #rewritten(handle: WriteHandle, found: TableDescription): TableDescription {
    this.#requireSame(handle, found);
    if (JSON.stringify(found.writes) !== JSON.stringify(handle.description.writes)) {
      throw new QueryError("TRANSACTION_CONFLICT", `Table '${this.#nameOf(handle)}' has changed since its rows were read`);
    }
    const formerWrites = [...(found.formerWrites ?? []), ...(found.writes ?? [])].slice(-formerWritesMax);
    return { ...found, writes: [handle.write], formerWrites };
  }

  #requireSame(handle: WriteHandle, found: TableDescription): void {
    if (found.id !== handle.description.id) {
      throw new QueryError("TABLE_NOT_FOUND", `Table '${this.#nameOf(handle)}' does not exist`);
    }
  }

  #nameOf({ table }: WriteHandle): string {
    return `${this.#options.catalog}.default.${table}`;
  }

  #entry(path: string): Promise<StorageEntry | undefined> {
    return writing(path, unlessMissing(this.#options.storage.stat(path)));
  }

  async #has(path: string, bytes: Uint8Array): Promise<boolean> {
    const found = await writing(path, unlessMissing(this.#options.storage.read(path, 0, bytes.length + 1)));
    return found !== undefined && sameBytes(found, bytes);
  }

  /** The mark goes last: a table that is half removed stays hidden. `kept`: the folder of a write that is not part of it. */
  async #removeTable(folder: string, kept?: string): Promise<void> {
    const isRemoved = (path: string): boolean => path !== `${folder}/${hidingFile}` && (kept === undefined || !path.startsWith(kept));
    await this.#giveUp(`${folder}/`, isRemoved);
    await this.#quietly(() => this.#writer.remove(`${folder}/${hidingFile}`));
  }

  /** Removes files and uploads below a prefix that ends with a slash. What is left is swept later. */
  async #giveUp(prefix: string, isRemoved: (path: string) => boolean = () => true): Promise<void> {
    await this.#quietly(async () => {
      for (const upload of await this.#writer.unfinished(prefix)) {
        if (isRemoved(upload.key)) {
          await this.#writer.abandon(upload);
        }
      }
      for (const path of await this.#filesBelow(prefix.slice(0, -1))) {
        if (isRemoved(path)) {
          await this.#writer.remove(path);
        }
      }
    });
  }

  async #filesBelow(folder: string): Promise<readonly string[]> {
    const files: string[] = [];
    const folders = [folder];
    for (let count = 0; folders.length > 0 && count < foldersMax; count++) {
      const one = folders.pop() as string;
      for (const { name, directory } of await listFolder(this.#options.storage, one)) {
        (directory ? folders : files).push(`${one}/${name}`);
      }
    }
    return files;
  }

  /** Uploads and files of writes that crashed, below the folder of a table. */
  async #sweep(folder: string): Promise<void> {
    const { staging, storage } = this.#options;
    await this.#quietly(async () => {
      for (const upload of this.#writer.forgetsUploads === true ? [] : await this.#writer.unfinished("")) {
        if (staging.isName(upload.key.split("/")[1] ?? "") && staging.isLeftover(upload.begunMillis)) {
          await this.#writer.abandon(upload);
        }
      }
      const entries = await listFolder(storage, folder);
      if (!entries.some(({ name }) => name === descriptionFile)) {
        return;
      }
      const writes = (await readDescription(storage, folder))?.writes;
      for (const { name, directory } of entries) {
        if (writes !== undefined && directory && staging.isName(name) && !writes.includes(name) && !this.#pending.has(name)) {
          await this.#sweepWrite(`${folder}/${name}`);
        }
      }
    });
  }

  async #sweepWrite(folder: string): Promise<void> {
    const files = await this.#filesBelow(folder);
    const ages = await Promise.all(files.map((path) => this.#entry(path)));
    if (ages.every((entry) => this.#options.staging.isLeftover(entry?.modifiedMillis))) {
      for (const path of files) {
        await this.#writer.remove(path);
      }
    }
  }

  /** Failures are logged: what is left is swept later. */
  async #quietly(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#options.staging.logLeft(error);
    }
  }
}

function hasHad({ writes = [], formerWrites = [] }: TableDescription, write: string): boolean {
  return writes.includes(write) || formerWrites.includes(write);
}
