/**
 * Views of a folder: each is a file of its own beside the tables, in a folder whose name hides it from every reader. Whoever can write
 * there could name any owner, so that a view has no rights but those of the user who reads it.
 */
import { type Lifetime, unending } from "../../../ports/lifetime.ts";
import { type Storage, unlessMissing } from "../../../ports/storage.ts";
import { QueryError } from "../../../protocol/errors.ts";
import { displayType, type Type } from "../../../types/type.ts";
import { decodeUtf8, encodeUtf8 } from "../../../types/utf8.ts";
import { badFile, reading } from "../../shared/file-errors.ts";
import { withGrace } from "../../shared/lifetime.ts";
import { ObjectStorage } from "../../shared/object-store/object-storage.ts";
import type { ObjectWriter } from "../../shared/object-store/object-store.ts";
import { storageUntil } from "../../shared/object-store/pinned.ts";
import type { ViewDefinition } from "../../spi.ts";
import { type QueryEnd, unlessOver } from "./query-end.ts";
import { type Staging, stagingFolders, writing } from "./staging.ts";
import { Turns } from "./turns.ts";

const folder = ".orrery-views";
const extension = ".json";
const version = 1;
const viewBytesMax = 16_777_216;

type StoredView = Omit<ViewDefinition, "security"> & { readonly version: number };

function pathOf(name: string): string {
  return `${folder}/${name}${extension}`;
}

export async function listViews(storage: Storage): Promise<readonly string[]> {
  const entries = (await reading(folder, unlessMissing(storage.list(folder)))) ?? [];
  return entries.flatMap(({ name, directory }) => (directory || !name.endsWith(extension) ? [] : [name.slice(0, -extension.length)]));
}

/** Changes whenever the view may have changed; undefined if there is none. */
export async function viewVersion(storage: Storage, name: string): Promise<string | undefined> {
  return isViewName(name) ? (await reading(pathOf(name), unlessMissing(storage.stat(pathOf(name)))))?.version : undefined;
}

/** Throws FILE_BAD_DATA. */
export async function readView(storage: Storage, name: string): Promise<ViewDefinition | undefined> {
  if (!isViewName(name) || (await reading(pathOf(name), unlessMissing(storage.stat(pathOf(name))))) === undefined) {
    return undefined;
  }
  const found = parsed(await reading(pathOf(name), storage.read(pathOf(name), 0, viewBytesMax)));
  if (!isView(found)) {
    throw badFile(pathOf(name), "", "the definition of the view is damaged");
  }
  const { version: _version, ...view } = found;
  return { ...view, security: "INVOKER" };
}

/** A name of one part of a path. */
function isViewName(name: string): boolean {
  return name !== "" && !name.includes("/") && !name.includes("\0");
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(decodeUtf8(bytes));
  } catch {
    return undefined;
  }
}

function isView(found: unknown): found is StoredView {
  const one = (found ?? {}) as Partial<StoredView>;
  const isText = (value: unknown): boolean => value === undefined || typeof value === "string";
  return (
    one.version === version &&
    typeof one.sql === "string" &&
    typeof one.owner === "string" &&
    [one.catalog, one.schema, one.comment].every(isText) &&
    Array.isArray(one.columns) &&
    one.columns.every(isColumn)
  );
}

function isColumn(column: unknown): boolean {
  const { name, type, comment } = (column ?? {}) as { readonly name?: unknown; readonly type?: Type; readonly comment?: unknown };
  try {
    return typeof name === "string" && (comment === undefined || typeof comment === "string") && displayType(type as Type) !== "";
  } catch {
    return false;
  }
}

interface CheckedChange {
  /** Throws if the view must not be written. */
  readonly check: () => Promise<void>;
  readonly query: QueryEnd;
}

/** Changes of the coordinator, one after the other. None becomes visible once its query has ended. */
export class ViewFiles {
  readonly #storage: Storage;
  readonly #staging: Staging;
  readonly #life: Lifetime;
  readonly #turns: Turns;

  constructor(
    storage: Storage,
    staging: Staging,
    { life, turns }: { readonly life: Lifetime; readonly turns: Turns } = { life: unending, turns: new Turns() },
  ) {
    this.#storage = storage;
    this.#staging = staging;
    this.#life = life;
    this.#turns = turns;
  }

  until(life: Lifetime): ViewFiles {
    return new ViewFiles(this.#storage, this.#staging, { life, turns: this.#turns });
  }

  put(name: string, view: ViewDefinition, { check, query }: CheckedChange): Promise<void> {
    return this.#turns.run(async () => {
      query.requireRunning();
      await check();
      await this.#write(name, view, query);
    });
  }

  change(name: string, change: (view: ViewDefinition) => ViewDefinition, query: QueryEnd): Promise<void> {
    return this.#turns.run(async () => this.#write(name, change(await this.#require(name)), query));
  }

  /** The former name is removed last: a crash between the two leaves both. */
  rename(name: string, target: string, { check, query }: CheckedChange): Promise<void> {
    return this.#turns.run(async () => {
      query.requireRunning();
      await check();
      await this.#write(target, await this.#require(name), query);
      await this.#remove(name);
    });
  }

  drop(name: string, query: QueryEnd): Promise<void> {
    return this.#turns.run(async () => {
      await this.#require(name);
      query.requireRunning();
      await this.#remove(name);
    });
  }

  async #require(name: string): Promise<ViewDefinition> {
    const view = await readView(storageUntil(this.#storage, this.#life), name);
    if (view === undefined) {
      throw new QueryError("TABLE_NOT_FOUND", `View '${name}' does not exist`);
    }
    return view;
  }

  async #write(name: string, { security: _security, ...view }: ViewDefinition, query: QueryEnd): Promise<void> {
    const path = pathOf(name);
    const stored: StoredView = { version, ...view };
    const bytes = encodeUtf8(`${JSON.stringify(stored, undefined, 2)}\n`);
    query.requireRunning();
    if (this.#storage instanceof ObjectStorage) {
      await this.#change(path, this.#storage, (writer) => writer.put(path, bytes));
      return;
    }
    const beside = `${stagingFolders.commits}/${this.#staging.newId()}${extension}`;
    await writing(path, this.#storage.write(beside, bytes));
    await writing(path, this.#storage.sync(beside));
    await unlessOver(query, this.#staging, beside);
    await writing(path, this.#storage.rename(beside, path));
    await this.#sync(path);
  }

  async #remove(name: string): Promise<void> {
    const path = pathOf(name);
    if (this.#storage instanceof ObjectStorage) {
      await this.#change(path, this.#storage, (writer) => writer.remove(path));
      return;
    }
    await writing(path, this.#storage.remove(path));
    await this.#sync(path);
  }

  /** Not begun after the end of the query; one that is under way then is finished. */
  async #change(path: string, storage: ObjectStorage, work: (writer: ObjectWriter) => Promise<unknown>): Promise<void> {
    const changed = withGrace(this.#life, this.#staging.grace, async ({ changes }) => {
      const { writer } = storage.until(changes);
      await (writer && work(writer));
    });
    await writing(path, changed);
  }

  async #sync(path: string): Promise<void> {
    for (const one of [folder, ""]) {
      await writing(path, this.#storage.sync(one));
    }
  }
}
