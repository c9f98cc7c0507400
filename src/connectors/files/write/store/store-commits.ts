/**
 * Writes of the coordinator in an object store, which renames nothing. The description of a table says which writes it has: one conditional
 * PUT of it makes all files of a write visible at once. Files are completed before that, in a folder of their write that no reader looks
 * into. A table that is being created or dropped is hidden by a file of its own.
 */
import type { MemoryContext } from "../../../../memory/memory.ts";
import { type Lifetime, unending } from "../../../../ports/lifetime.ts";
import { type StorageEntry, unlessChanged, unlessMissing } from "../../../../ports/storage.ts";
import { assert, QueryError } from "../../../../protocol/errors.ts";
import type { ObjectStorage } from "../../../shared/object-store/object-storage.ts";
import type { ObjectWriter } from "../../../shared/object-store/object-store.ts";
import { requireWanted, withGrace } from "../../../shared/lifetime.ts";
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

/** Of all views of one object, but the lifetime. */
interface CommitsView {
  /** Writes that have not ended. */
  readonly pending: Set<string>;
  readonly finishing: Finishing;
  /** Commits and drops run one after the other, so that what was checked still holds. */
  readonly turns: Turns;
  readonly life: Lifetime;
}

function newView(): CommitsView {
  return { pending: new Set(), finishing: new Finishing(), turns: new Turns(), life: unending };
}

export class StoreCommits implements TableCommits {
  readonly #options: StoreCommitOptions;
  readonly #view: CommitsView;
  /** Reads end with the lifetime. */
  readonly #storage: ObjectStorage;

  constructor(options: StoreCommitOptions, view: CommitsView = newView()) {
    this.#options = options;
    this.#view = view;
    this.#storage = options.storage.until(view.life);
  }

  until(life: Lifetime, { check }: Pick<StoreCommitOptions, "check">): StoreCommits {
    return new StoreCommits({ ...this.#options, check }, { ...this.#view, life });
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
    requireWanted(this.#view.life);
    const write = this.#options.staging.newId();
    this.#view.pending.add(write);
    return { write, ...target };
  }

  /** Under another name: files of the former attempt are in a folder that is never part of the table. */
  async restart(handle: WriteHandle): Promise<WriteHandle> {
    const { write, ...target } = this.#end(handle);
    await this.#giveUp(`${handle.folder}/${write}/`);
    return this.begin(target);
  }

  async abort({ write, folder }: WriteHandle): Promise<void> {
    if (this.#view.pending.delete(write)) {
      await this.#giveUp(`${folder}/${write}/`);
    } else {
      this.#view.finishing.giveUp(write);
    }
  }

  async finish(handle: WriteHandle, fragments: readonly Json[]): Promise<void> {
    this.#end(handle);
    const files = (fragments as unknown as readonly FilesFragment[]).flatMap((one) => one.files);
    const query = this.#view.finishing.begin(handle.write);
    try {
      await this.#view.turns.run(() => this.#finish(handle, files, query));
    } finally {
      this.#view.finishing.end(handle.write);
    }
  }

  async #finish(handle: WriteHandle, files: readonly WrittenFile[], query: QueryEnd): Promise<void> {
    const mark = this.#mark();
    let isHidden: boolean | "unknown" = false;
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
        isHidden = "unknown";
        await this.#hide(handle, mark);
        isHidden = true;
      }
      query.requireRunning();
      await this.#complete(handle, files);
      if (handle.kind === "create") {
        await this.#publish(handle, onShow);
      } else if (handle.kind === "rewrite") {
        await this.#describe(handle.folder, { change: (found) => this.#rewritten(handle, found), write: handle.write, onShow });
      } else if (files.length > 0) {
        const change = (found: TableDescription): TableDescription => {
          this.#requireSame(handle, found);
          return { ...found, writes: [...(found.writes ?? []), handle.write] };
        };
        await this.#describe(handle.folder, { change, write: handle.write, onShow });
      }
    } catch (error) {
      if (!mayBeVisible) {
        await this.#giveUp(`${handle.folder}/${handle.write}/`);
        if (isHidden !== false) {
          await this.#unhide(handle.folder, isHidden === true ? undefined : mark);
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
    await this.#view.turns.run(async () => {
      query.requireRunning();
      const { folder } = await find();
      const hiding = `${folder}/${hidingFile}`;
      query.requireRunning();
      // Beside a description the mark means nothing.
      await this.#change(hiding, (writer) => writer.put(hiding, this.#mark()));
      query.requireRunning();
      await this.#change(folder, (writer) => writer.remove(`${folder}/${descriptionFile}`));
      await this.#removeTable(folder);
    });
  }

  async describe(
    find: () => Promise<WrittenTable>,
    change: (description: TableDescription) => TableDescription,
    query: QueryEnd,
  ): Promise<void> {
    await this.#view.turns.run(async () => {
      query.requireRunning();
      const { folder } = await find();
      await this.#describe(folder, { change, onShow: () => query.requireRunning() });
    });
  }

  #end(handle: WriteHandle): WriteHandle {
    assert(this.#view.pending.delete(handle.write), `write ${handle.write} of the files connector ends once`);
    return handle;
  }

  #mark(): Uint8Array {
    return encodeUtf8(`${this.#options.staging.newId()}\n`);
  }

  /** The name belongs to this write from here on. */
  async #hide(handle: WriteHandle, mark: Uint8Array): Promise<void> {
    const { folder } = handle;
    const path = `${folder}/${hidingFile}`;
    for (let attempt = 0; attempt < 2; attempt++) {
      if (await this.#change(path, (writer) => writer.put(path, mark, { kind: "absent" }))) {
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

  /** With `mark` only if it is this one: its PUT has failed, but may have been carried out. */
  async #unhide(folder: string, mark: Uint8Array | undefined): Promise<void> {
    const path = `${folder}/${hidingFile}`;
    await this.#cleanUp(async ({ storage, writer }) => {
      if (mark === undefined || (await this.#has(path, mark, storage))) {
        await writer.remove(path);
      }
    });
  }

  async #complete({ folder, write, kind, description }: WriteHandle, files: readonly WrittenFile[]): Promise<void> {
    for (let from = 0; from < files.length; from += completedAtOnce) {
      requireWanted(this.#view.life);
      await Promise.all(
        files.slice(from, from + completedAtOnce).map(async ({ staged, upload, sizeBytes }) => {
          assert(upload !== undefined && staged.startsWith(`${folder}/${write}/`), "a sink stages its files as uploads of its write");
          await this.#change(staged, (writer) => writer.complete({ key: staged, id: upload.id }, upload.tags, sizeBytes));
        }),
      );
    }
    const { columns, format, partitionedBy } = description;
    if (kind !== "insert" && files.length === 0 && partitionedBy.length === 0 && format !== "JSON") {
      // Other engines see the columns of an empty table.
      const { memory, rowGroupBytes } = this.#options;
      const path = `${folder}/${write}/${fileName(0, description)}`;
      const bytes = emptyFile({ table: description, columns, memory, rowGroupBytes });
      await this.#change(path, (writer) => writer.put(path, bytes));
    }
  }

  async #publish(handle: WriteHandle, onShow: () => void): Promise<void> {
    const { folder, description, write } = handle;
    const path = `${folder}/${descriptionFile}`;
    const bytes = descriptionBytes({ ...description, writes: [write] });
    onShow();
    if (!(await this.#change(path, (writer) => writer.put(path, bytes, { kind: "absent" })))) {
      // The answer to the first of two requests may have been lost, and others may have changed the new table since.
      const found = await readDescription(this.#storage, folder);
      if (found?.id !== description.id) {
        throw new QueryError("TABLE_ALREADY_EXISTS", `Destination table '${this.#nameOf(handle)}' already exists`);
      }
    }
    // A description makes the mark mean nothing.
    await this.#cleanUp(({ writer }) => writer.remove(`${folder}/${hidingFile}`));
  }

  /**
   * In the version that was read; again if another cluster was faster. The answer to a PUT may be lost: the description then has `write`,
   * or without one what was put. `onShow` is called before each PUT.
   */
  async #describe(
    folder: string,
    options: {
      readonly change: (description: TableDescription) => TableDescription;
      readonly write?: string;
      readonly onShow?: () => void;
    },
  ): Promise<void> {
    const { change, write, onShow } = options;
    const path = `${folder}/${descriptionFile}`;
    let put: Uint8Array | undefined;
    for (let attempt = 0; attempt < attemptsMax; attempt++) {
      const entry = await this.#entry(path);
      if (entry === undefined) {
        throw new QueryError("TABLE_NOT_FOUND", `Table of folder '${folder}' does not exist any more`);
      }
      const pinned = this.#storage.pinned({ path, sizeBytes: entry.sizeBytes, version: entry.version });
      const bytes = await reading(path, unlessChanged(pinned.read(path, 0, entry.sizeBytes)));
      if (bytes === undefined) {
        continue;
      }
      const found = descriptionOf(bytes, path);
      if (put !== undefined && (write === undefined ? sameBytes(bytes, put) : hasHad(found, write))) {
        return;
      }
      const bytesPut = descriptionBytes(change(found));
      put = bytesPut;
      onShow?.();
      if (await this.#change(path, (writer) => writer.put(path, bytesPut, { kind: "version", version: entry.version }))) {
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
    return writing(path, unlessMissing(this.#storage.stat(path)));
  }

  async #has(path: string, bytes: Uint8Array, storage = this.#storage): Promise<boolean> {
    const found = await writing(path, unlessMissing(storage.read(path, 0, bytes.length + 1)));
    return found !== undefined && sameBytes(found, bytes);
  }

  /** The mark goes last: a table that is half removed stays hidden. `kept`: the folder of a write that is not part of it. */
  async #removeTable(folder: string, kept?: string): Promise<void> {
    const isRemoved = (path: string): boolean => path !== `${folder}/${hidingFile}` && (kept === undefined || !path.startsWith(kept));
    await this.#giveUp(`${folder}/`, isRemoved);
    await this.#cleanUp(({ writer }) => writer.remove(`${folder}/${hidingFile}`));
  }

  /** Removes files and uploads below a prefix that ends with a slash. What is left is swept later. */
  async #giveUp(prefix: string, isRemoved: (path: string) => boolean = () => true): Promise<void> {
    await this.#cleanUp(async ({ storage, writer }) => {
      for (const upload of await writer.unfinished(prefix)) {
        if (isRemoved(upload.key)) {
          await writer.abandon(upload);
        }
      }
      for (const path of await filesBelow(storage, prefix.slice(0, -1))) {
        if (isRemoved(path)) {
          await writer.remove(path);
        }
      }
    });
  }

  /** Uploads and files of writes that crashed, below the folder of a table. */
  async #sweep(folder: string): Promise<void> {
    const { staging } = this.#options;
    const storage = this.#storage;
    await this.#quietly(async () => {
      const writer = writerOf(storage);
      for (const upload of writer.forgetsUploads === true ? [] : await writer.unfinished("")) {
        if (staging.isName(upload.key.split("/")[1] ?? "") && staging.isLeftover(upload.begunMillis)) {
          await writer.abandon(upload);
        }
      }
      const entries = await listFolder(storage, folder);
      if (!entries.some(({ name }) => name === descriptionFile)) {
        return;
      }
      const writes = (await readDescription(storage, folder))?.writes;
      for (const { name, directory } of entries) {
        if (writes !== undefined && directory && staging.isName(name) && !writes.includes(name) && !this.#view.pending.has(name)) {
          await this.#sweepWrite(`${folder}/${name}`);
        }
      }
    });
  }

  async #sweepWrite(folder: string): Promise<void> {
    const files = await filesBelow(this.#storage, folder);
    const ages = await Promise.all(files.map((path) => this.#entry(path)));
    if (ages.every((entry) => this.#options.staging.isLeftover(entry?.modifiedMillis))) {
      for (const path of files) {
        await writerOf(this.#storage).remove(path);
      }
    }
  }

  /** A change that is not begun after the end of the query; one that is under way then is finished. */
  #change<T>(path: string, work: (writer: ObjectWriter) => Promise<T>): Promise<T> {
    const { storage, staging } = this.#options;
    const changed = withGrace(this.#view.life, staging.grace, ({ changes }) => work(writerOf(storage.until(changes))));
    return writing(path, changed);
  }

  /** Removes what is left, also after the end of the query. */
  #cleanUp(work: (store: { readonly storage: ObjectStorage; readonly writer: ObjectWriter }) => Promise<void>): Promise<void> {
    const { storage, staging } = this.#options;
    return this.#quietly(() =>
      withGrace(this.#view.life, staging.grace, ({ removal }) => {
        const longer = storage.until(removal);
        return work({ storage: longer, writer: writerOf(longer) });
      }),
    );
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

function writerOf({ writer }: ObjectStorage): ObjectWriter {
  assert(writer !== undefined, "tables are written to stores that can be written to");
  return writer;
}

async function filesBelow(storage: ObjectStorage, folder: string): Promise<readonly string[]> {
  const files: string[] = [];
  const folders = [folder];
  for (let count = 0; folders.length > 0 && count < foldersMax; count++) {
    const one = folders.pop() as string;
    for (const { name, directory } of await listFolder(storage, one)) {
      (directory ? folders : files).push(`${one}/${name}`);
    }
  }
  return files;
}
