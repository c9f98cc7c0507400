/** Which schemas a catalog has: one for each database file of a folder, or `main` for a single file. */
import type { Lifetime } from "../../ports/lifetime.ts";
import type { Storage } from "../../ports/storage.ts";
import { QueryError } from "../../protocol/errors.ts";
import { reading } from "../shared/file-errors.ts";
import { storageUntil } from "../shared/object-store/pinned.ts";
import type { ConnectorQuery } from "../spi.ts";
import { Pager } from "./format/pager.ts";
import { readSchema, type SchemaEntry } from "./schema.ts";
import { Snapshot, type SnapshotId } from "./format/snapshot.ts";

/** SQLite's own name of a database that was opened first. */
const mainSchema = "main";
const extension = /\.(?:db|db3|sqlite|sqlite3)$/i;
/** Schemas that are kept until they change. */
const schemasKept = 16;

export interface OpenDatabase {
  readonly pager: Pager;
  readonly entries: readonly SchemaEntry[];
}

interface Known {
  /** By the state of the database; the oldest first. */
  readonly schemas: Map<string, readonly SchemaEntry[]>;
  /** The states that queries read, by query and path. */
  readonly queries: Map<string, Map<string, Promise<SnapshotId>>>;
}

export class SqliteDatabases {
  readonly #storage: Storage;
  readonly #file: string | undefined;
  readonly #schemas: Known["schemas"];
  readonly #queries: Known["queries"];

  /** Without `file`, all databases of the folder. */
  constructor(storage: Storage, file: string | undefined, { schemas, queries }: Known = { schemas: new Map(), queries: new Map() }) {
    this.#storage = storage;
    this.#file = file;
    this.#schemas = schemas;
    this.#queries = queries;
  }

  /** The same databases. What waits for an object store ends with the lifetime: USER_CANCELED. */
  until(life: Lifetime): SqliteDatabases {
    return new SqliteDatabases(storageUntil(this.#storage, life), this.#file, { schemas: this.#schemas, queries: this.#queries });
  }

  async schemas(): Promise<readonly string[]> {
    return this.#file === undefined ? [...new Set((await this.#files()).map(schemaOf))].toSorted((a, b) => (a < b ? -1 : 1)) : [mainSchema];
  }

  /** The file of a schema; undefined if there is none. */
  async pathOf(schema: string): Promise<string | undefined> {
    if (this.#file !== undefined) {
      return schema === mainSchema ? this.#file : undefined;
    }
    const [first, second] = (await this.#files()).filter((name) => schemaOf(name) === schema);
    if (first !== undefined && second !== undefined) {
      throw new QueryError("NOT_SUPPORTED", `Schema '${schema}' is more than one file: ${first}, ${second}`);
    }
    return first;
  }

  /** The database in its state of now, or in that of the query. */
  async open(path: string, query?: ConnectorQuery): Promise<OpenDatabase> {
    const snapshot = query === undefined ? await Snapshot.open(this.#storage, path) : await this.#snapshotOf(path, query);
    const pager = new Pager(snapshot);
    const key = JSON.stringify(snapshot.id);
    const known = this.#schemas.get(key);
    if (known !== undefined) {
      return { pager, entries: known };
    }
    const entries = await readSchema(pager);
    await snapshot.requireUnchanged();
    for (const oldest of this.#schemas.keys()) {
      if (this.#schemas.size < schemasKept) {
        break;
      }
      this.#schemas.delete(oldest);
    }
    this.#schemas.set(key, entries);
    return { pager, entries };
  }

  /** All tables of one database that a query reads are of one state. */
  async #snapshotOf(path: string, query: ConnectorQuery): Promise<Snapshot> {
    let paths = this.#queries.get(query.id);
    if (paths === undefined) {
      paths = new Map();
      this.#queries.set(query.id, paths);
      query.onEnd(() => this.#queries.delete(query.id));
    }
    const known = paths.get(path);
    if (known !== undefined) {
      return Snapshot.open(this.#storage, path, await known);
    }
    const opened = Snapshot.open(this.#storage, path);
    const id = opened.then((snapshot) => snapshot.id);
    // Its failure is that of `opened`, and the next table of the query tries again.
    id.catch(() => paths.delete(path));
    paths.set(path, id);
    return opened;
  }

  async #files(): Promise<readonly string[]> {
    const entries = await reading("", this.#storage.list(""));
    return entries.filter(({ name, directory }) => !directory && extension.test(name) && !/^[._]/.test(name)).map(({ name }) => name);
  }
}

function schemaOf(file: string): string {
  return file.replace(extension, "").toLowerCase();
}
