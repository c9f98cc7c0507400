/**
 * Writes of the coordinator: begin, commit, give up. A commit moves exactly the files that the sinks have reported to a folder of its own,
 * and that folder to the table by one rename. A sink of a lost attempt that still writes therefore never adds to a table.
 */
import type { MemoryContext } from "../../../memory/memory.ts";
import { type Storage, unlessMissing } from "../../../ports/storage.ts";
import { assert, QueryError } from "../../../protocol/errors.ts";
import { crc32 } from "../../../types/crc32.ts";
import { encodeUtf8 } from "../../../types/utf8.ts";
import type { Json } from "../../spi.ts";
import { listFolder, type TableFile, type WrittenTable } from "../folder.ts";
import { descriptionBytes, descriptionFile, extensionOf, type TableDescription } from "./description.ts";
import { emptyFile, type FilesFragment, type WrittenFile } from "./sink.ts";
import { markBytes, markFile, nextRewrite, readReplaced, rewritesIn } from "./rewrites.ts";
import { type Staging, stagingFolders, writing } from "./staging.ts";
import { Finishing, type QueryEnd, unlessOver } from "./query-end.ts";
import { Turns } from "./turns.ts";

/** Plain JSON. */
export interface WriteHandle {
  readonly write: string;
  /** A rewrite replaces all files of the table. */
  readonly kind: "create" | "insert" | "rewrite";
  readonly table: string;
  /** Folder of the table's description or, without one, of its files. */
  readonly folder: string;
  /** Of a table without a description file: what it would say. */
  readonly description: TableDescription;
  readonly isDescribed: boolean;
  /** For a write that depends on the rows of the table: `stateOf` its files. */
  readonly state?: number;
}

/** Changes whenever the files of a table do. */
export function stateOf(files: readonly TableFile[]): number {
  return crc32(encodeUtf8(JSON.stringify(files.map(({ path, version, sizeBytes }) => [path, version, sizeBytes]))));
}

/** Writes of the coordinator, and changes of whole tables, where the tables are. */
export interface TableCommits {
  begin(target: Omit<WriteHandle, "write">): Promise<WriteHandle>;
  restart(handle: WriteHandle): Promise<WriteHandle>;
  abort(handle: WriteHandle): Promise<void>;
  /** All files become visible at once. An `abort` meanwhile ends it with an error, as long as it has not begun to make them visible. */
  finish(handle: WriteHandle, fragments: readonly Json[]): Promise<void>;
  /** `find` throws if there is no such table. Nothing is dropped if the query ends before. */
  drop(find: () => Promise<WrittenTable>, query: QueryEnd): Promise<void>;
  describe(find: () => Promise<WrittenTable>, change: (description: TableDescription) => TableDescription, query: QueryEnd): Promise<void>;
}

export interface CommitOptions {
  readonly storage: Storage;
  readonly staging: Staging;
  readonly catalog: string;
  readonly memory: MemoryContext;
  readonly rowGroupBytes: number;
  /** Throws if the table of a write is not as it was: created meanwhile, dropped, or changed. Returns its files. */
  readonly check: (write: WriteHandle) => Promise<readonly TableFile[]>;
}

export class Commits implements TableCommits {
  readonly #options: CommitOptions;
  /** Writes of this object that have not ended. */
  readonly #pending = new Set<string>();
  readonly #finishing = new Finishing();
  /** Commits and drops run one after the other, so that what was checked still holds. */
  readonly #turns = new Turns();

  constructor(options: CommitOptions) {
    this.#options = options;
  }

  async begin(target: Omit<WriteHandle, "write">): Promise<WriteHandle> {
    const { staging } = this.#options;
    await staging.sweep();
    const write = staging.newId();
    this.#pending.add(write);
    return { write, ...target };
  }

  /** Under another name: sinks of the former attempt stage their files where nobody looks for them. */
  async restart(handle: WriteHandle): Promise<WriteHandle> {
    const { write: _write, ...target } = this.#end(handle);
    await this.#options.staging.remove(`${stagingFolders.writes}/${handle.write}`);
    return this.begin(target);
  }

  async abort({ write }: WriteHandle): Promise<void> {
    if (this.#pending.delete(write)) {
      await this.#removeStaged(write);
    } else {
      this.#finishing.giveUp(write);
    }
  }

  async finish(handle: WriteHandle, fragments: readonly Json[]): Promise<void> {
    this.#end(handle);
    const { write } = handle;
    const query = this.#finishing.begin(write);
    try {
      await this.#turns.run(async () => {
        query.requireRunning();
        const folder = `${stagingFolders.commits}/${write}`;
        const isEmpty = await this.#gather(folder, handle, fragments as unknown as readonly FilesFragment[]);
        // The name is that of the state which is checked: if another cluster replaces the files after the check, it is taken.
        const next = handle.kind === "rewrite" ? nextRewrite(await listFolder(this.#options.storage, handle.folder)) : "";
        const files = await this.#options.check(handle);
        if (handle.kind === "rewrite") {
          await this.#replace(folder, handle, { files, isEmpty, next, query });
        } else if (handle.kind === "create" || !isEmpty) {
          query.requireRunning();
          await this.#publish(folder, handle);
        }
      });
    } finally {
      this.#finishing.end(write);
      await this.#removeStaged(write);
    }
  }

  /** Of an external table only the description is removed. */
  async drop(find: () => Promise<WrittenTable>, query: QueryEnd): Promise<void> {
    const { storage, staging } = this.#options;
    await this.#turns.run(async () => {
      const { folder } = await find();
      const target = `${stagingFolders.dropped}/${staging.newId()}`;
      // Makes the folder of dropped tables.
      await writing(target, storage.write(`${target}/table`, new Uint8Array(0)));
      query.requireRunning();
      await writing(folder, storage.rename(folder, `${target}/dropped`));
      for (const one of [target, ""]) {
        await writing(one, storage.sync(one));
      }
      await staging.remove(target);
    });
  }

  /** Written beside, then renamed. */
  async describe(
    find: () => Promise<WrittenTable>,
    change: (description: TableDescription) => TableDescription,
    query: QueryEnd,
  ): Promise<void> {
    const { storage, staging } = this.#options;
    await this.#turns.run(async () => {
      query.requireRunning();
      const { folder, description } = await find();
      const path = `${folder}/${descriptionFile}`;
      const beside = `${stagingFolders.commits}/${staging.newId()}.json`;
      await writing(path, storage.write(beside, descriptionBytes(change(description))));
      await writing(path, storage.sync(beside));
      await unlessOver(query, staging, beside);
      await writing(path, storage.rename(beside, path));
      await writing(path, storage.sync(folder));
    });
  }

  #end(handle: WriteHandle): WriteHandle {
    assert(this.#pending.delete(handle.write), `write ${handle.write} of the files connector ends once`);
    return handle;
  }

  async #removeStaged(write: string): Promise<void> {
    const { staging } = this.#options;
    await staging.remove(`${stagingFolders.writes}/${write}`);
    await staging.remove(`${stagingFolders.commits}/${write}`);
  }

  /** Moves the files, and writes the description of a new table. Returns true if there is no file. */
  async #gather(folder: string, handle: WriteHandle, fragments: readonly FilesFragment[]): Promise<boolean> {
    const { storage } = this.#options;
    const { description, kind } = handle;
    const folders = new Set<string>([folder]);
    let files = 0;
    for (const { nodeId, files: written } of fragments) {
      for (const file of written) {
        await this.#requireWhole(file, nodeId);
        const inside = [folder, ...(file.partition === "" ? [] : file.partition.split("/"))];
        inside.forEach((_part, index) => folders.add(inside.slice(0, index + 1).join("/")));
        const target = [...inside, fileName(files++, description)].join("/");
        await writing(target, storage.rename(file.staged, target));
      }
    }
    if (kind === "create") {
      await this.#writeEmpty(folder, description, files === 0);
      await this.#write(`${folder}/${descriptionFile}`, descriptionBytes(description));
    }
    if (files > 0 || kind === "create") {
      for (const path of [...folders].toReversed()) {
        await writing(path, storage.sync(path));
      }
    }
    return files === 0;
  }

  async #writeEmpty(folder: string, description: TableDescription, isEmpty: boolean): Promise<void> {
    const { columns, format, partitionedBy } = description;
    if (isEmpty && partitionedBy.length === 0 && format !== "JSON" && description.location === undefined) {
      // Other engines see the columns of an empty table.
      const { memory, rowGroupBytes } = this.#options;
      await this.#write(`${folder}/${fileName(0, description)}`, emptyFile({ table: description, columns, memory, rowGroupBytes }));
    }
  }

  /** From the rename on the table has the new files alone. */
  async #replace(
    folder: string,
    { table, description, folder: home }: WriteHandle,
    {
      files,
      isEmpty,
      next,
      query,
    }: {
      readonly files: readonly TableFile[];
      readonly isEmpty: boolean;
      readonly next: string;
      readonly query: QueryEnd;
    },
  ): Promise<void> {
    const { storage, catalog } = this.#options;
    await this.#writeEmpty(folder, description, isEmpty);
    const paths = files.map(({ path }) => path);
    await this.#write(`${folder}/${markFile}`, markBytes(home, paths));
    await writing(folder, storage.sync(folder));
    const target = `${home}/${next}`;
    query.requireRunning();
    try {
      await storage.rename(folder, target);
    } catch (error) {
      if (await this.#exists(target)) {
        throw new QueryError("TRANSACTION_CONFLICT", `Table '${catalog}.default.${table}' has changed since its rows were read`);
      }
      await writing(target, Promise.reject<void>(error));
    }
    await writing(home, storage.sync(home));
    await this.#removeReplaced(home);
  }

  /** What marks list, also those of writes that crashed. A mark is emptied when nothing of its list is left. */
  async #removeReplaced(home: string): Promise<void> {
    const { storage, staging } = this.#options;
    try {
      const entries = await listFolder(storage, home);
      for (const { name } of entries.filter((entry) => entry.directory && rewritesIn([entry]) !== "")) {
        const mark = `${home}/${name}/${markFile}`;
        const entry = await unlessMissing(storage.stat(mark));
        if (entry === undefined || entry.sizeBytes === 0) {
          continue;
        }
        for (const path of await readReplaced(storage, home, [mark])) {
          await unlessMissing(storage.remove(path));
        }
        const beside = `${stagingFolders.commits}/${staging.newId()}.mark`;
        await storage.write(beside, new Uint8Array(0));
        await storage.rename(beside, mark);
        await storage.sync(`${home}/${name}`);
      }
      for (const { name } of entries.filter((entry) => entry.directory && staging.isName(entry.name))) {
        if (await this.#isEmpty(`${home}/${name}`)) {
          await storage.remove(`${home}/${name}`);
        }
      }
    } catch (error) {
      // They are not part of the table; the next write that replaces files tries again.
      staging.logLeft(error, home);
    }
  }

  /** Whether there are folders alone below. */
  async #isEmpty(folder: string): Promise<boolean> {
    for (const { name, directory } of await listFolder(this.#options.storage, folder)) {
      if (!directory || !(await this.#isEmpty(`${folder}/${name}`))) {
        return false;
      }
    }
    return true;
  }

  async #write(path: string, bytes: Uint8Array): Promise<void> {
    const { storage } = this.#options;
    await writing(path, storage.write(path, bytes));
    await writing(path, storage.sync(path));
  }

  /** A file that this node does not have as the sink wrote it lies in another folder than that of this node. */
  async #requireWhole({ staged, sizeBytes }: WrittenFile, nodeId: string): Promise<void> {
    const entry = await writing(staged, unlessMissing(this.#options.storage.stat(staged)));
    if (entry?.sizeBytes !== sizeBytes) {
      const found = entry === undefined ? "does not exist" : `has ${entry.sizeBytes} bytes instead of ${sizeBytes}`;
      throw new QueryError("CONNECTOR_ERROR", `File ${staged} of node ${nodeId} ${found}: all nodes need the same folder to write to`);
    }
  }

  async #publish(folder: string, { kind, table, write, description, folder: home }: WriteHandle): Promise<void> {
    const { storage, catalog } = this.#options;
    const location = description.location ?? home;
    const target = kind === "create" ? home : `${location}/${write}`;
    try {
      await storage.rename(folder, target);
    } catch (error) {
      if (kind === "create" && (await this.#exists(home))) {
        throw new QueryError("TABLE_ALREADY_EXISTS", `Destination table '${catalog}.default.${table}' already exists`);
      }
      await writing(target, Promise.reject<void>(error));
    }
    const parent = kind === "create" ? "" : location;
    await writing(parent, storage.sync(parent));
  }

  async #exists(path: string): Promise<boolean> {
    return (await this.#options.storage.stat(path).catch(() => undefined)) !== undefined;
  }
}

export function fileName(number: number, description: TableDescription): string {
  return `${String(number).padStart(6, "0")}${extensionOf(description)}`;
}
