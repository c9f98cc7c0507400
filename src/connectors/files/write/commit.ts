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
import type { TableFile, WrittenTable } from "../folder.ts";
import { descriptionBytes, descriptionFile, extensionOf, type TableDescription } from "./description.ts";
import { emptyFile, type FilesFragment, type WrittenFile } from "./sink.ts";
import { type Staging, stagingFolders, writing } from "./staging.ts";
import { Turns } from "./turns.ts";

/** Plain JSON. */
export interface WriteHandle {
  readonly write: string;
  readonly kind: "create" | "insert";
  readonly table: string;
  /** Folder of the table's description or, without one, of its files. */
  readonly folder: string;
  /** Of a table without a description file: what it would say. */
  readonly description: TableDescription;
  readonly isDescribed: boolean;
  /** For an insert that depends on the rows of the table: `stateOf` its files. */
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
  /** All files become visible at once. */
  finish(handle: WriteHandle, fragments: readonly Json[]): Promise<void>;
  /** `find` throws if there is no such table. */
  drop(find: () => Promise<WrittenTable>): Promise<void>;
  describe(find: () => Promise<WrittenTable>, change: (description: TableDescription) => TableDescription): Promise<void>;
}

export interface CommitOptions {
  readonly storage: Storage;
  readonly staging: Staging;
  readonly catalog: string;
  readonly memory: MemoryContext;
  readonly rowGroupBytes: number;
  /** Throws if the table of a write is not as it was: created meanwhile, dropped, or changed. */
  readonly check: (write: WriteHandle) => Promise<void>;
}

export class Commits implements TableCommits {
  readonly #options: CommitOptions;
  /** Writes of this object that have not ended. */
  readonly #pending = new Set<string>();
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
    }
  }

  async finish(handle: WriteHandle, fragments: readonly Json[]): Promise<void> {
    this.#end(handle);
    const { write } = handle;
    try {
      await this.#turns.run(async () => {
        const folder = `${stagingFolders.commits}/${write}`;
        const isEmpty = await this.#gather(folder, handle, fragments as unknown as readonly FilesFragment[]);
        await this.#options.check(handle);
        if (handle.kind === "create" || !isEmpty) {
          await this.#publish(folder, handle);
        }
      });
    } finally {
      await this.#removeStaged(write);
    }
  }

  /** Of an external table only the description is removed. */
  async drop(find: () => Promise<WrittenTable>): Promise<void> {
    const { storage, staging } = this.#options;
    await this.#turns.run(async () => {
      const { folder } = await find();
      const target = `${stagingFolders.dropped}/${staging.newId()}`;
      // Makes the folder of dropped tables.
      await writing(target, storage.write(`${target}/table`, new Uint8Array(0)));
      await writing(folder, storage.rename(folder, `${target}/dropped`));
      for (const one of [target, ""]) {
        await writing(one, storage.sync(one));
      }
      await staging.remove(target);
    });
  }

  /** Written beside, then renamed. */
  async describe(find: () => Promise<WrittenTable>, change: (description: TableDescription) => TableDescription): Promise<void> {
    const { storage, staging } = this.#options;
    await this.#turns.run(async () => {
      const { folder, description } = await find();
      const path = `${folder}/${descriptionFile}`;
      const beside = `${stagingFolders.commits}/${staging.newId()}.json`;
      await writing(path, storage.write(beside, descriptionBytes(change(description))));
      await writing(path, storage.sync(beside));
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
      await this.#describe(folder, description, files === 0);
    }
    if (files > 0 || kind === "create") {
      for (const path of [...folders].toReversed()) {
        await writing(path, storage.sync(path));
      }
    }
    return files === 0;
  }

  async #describe(folder: string, description: TableDescription, isEmpty: boolean): Promise<void> {
    const { columns, format, partitionedBy } = description;
    if (isEmpty && partitionedBy.length === 0 && format !== "JSON" && description.location === undefined) {
      // Other engines see the columns of an empty table.
      const { memory, rowGroupBytes } = this.#options;
      await this.#write(`${folder}/${fileName(0, description)}`, emptyFile({ table: description, columns, memory, rowGroupBytes }));
    }
    await this.#write(`${folder}/${descriptionFile}`, descriptionBytes(description));
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
