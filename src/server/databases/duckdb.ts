/**
 * Connections to files of DuckDB by the library `@duckdb/node-api`, which users install beside the package. Files are opened once a thread,
 * for reading unless the address says otherwise, and closed with the last connection, so that others can write to them.
 */
import { basename } from "node:path";
import type * as DuckDb from "@duckdb/node-api";
import {
  type DatabaseAddress,
  type DatabaseConnection,
  type DatabaseCursor,
  DatabaseError,
  type DatabaseRow,
  type DescribedColumn,
} from "../../ports/databases.ts";

/** Time between interrupts of a statement that is to end. */
const interruptMs = 20;
const packageName = "@duckdb/node-api";

/** No statement reads another file, loads code, or changes these settings. */
const closedSettings = {
  enable_external_access: "false",
  autoload_known_extensions: "false",
  autoinstall_known_extensions: "false",
  lock_configuration: "true",
};

interface OpenFile {
  readonly instance: Promise<DuckDb.DuckDBInstance>;
  connections: number;
}

/** By path and settings. */
const openFiles = new Map<string, OpenFile>();

export async function connectDuckdb(address: DatabaseAddress): Promise<DatabaseConnection> {
  const key = JSON.stringify([address.database, address.isWritable, address.settings, address.preparation]);
  const known = openFiles.get(key) ?? { instance: openFile(address), connections: 0 };
  openFiles.set(key, known);
  known.connections++;
  const release = (): void => {
    known.connections--;
    if (known.connections === 0 && openFiles.get(key) === known) {
      openFiles.delete(key);
      known.instance.then(
        (instance) => instance.closeSync(),
        () => undefined,
      );
    }
  };
  try {
    const instance = await known.instance;
    return new DuckdbConnection(await instance.connect(), address.database, release);
  } catch (error) {
    release();
    throw error instanceof DatabaseError ? error : new DatabaseError("CONNECT", messageOf(error, address.database));
  }
}

async function openFile({ database, isWritable, preparation, settings = {} }: DatabaseAddress): Promise<DuckDb.DuckDBInstance> {
  const library = await loadLibrary();
  const mode = isWritable === true ? "READ_WRITE" : "READ_ONLY";
  const instance = await library.DuckDBInstance.create(database, { ...settings, access_mode: mode, ...closedSettings });
  if (preparation !== undefined) {
    try {
      const connection = await instance.connect();
      await connection.run(preparation);
      connection.closeSync();
    } catch (error) {
      instance.closeSync();
      throw error;
    }
  }
  return instance;
}

async function loadLibrary(): Promise<typeof DuckDb> {
  try {
    return await import("@duckdb/node-api");
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const isMissing = /^(?:ERR_)?MODULE_NOT_FOUND$/.test(code ?? "") && message.includes(`'${packageName}'`);
    const reason = isMissing ? `it is not installed: npm install ${packageName}` : message;
    throw new DatabaseError("CONNECT", `The connector of DuckDB needs the package ${packageName}: ${reason}`);
  }
}

/** Errors about objects that exist already or are missing, by their engine's names. DuckDB gives them no codes. */
const objectErrors: readonly (readonly [RegExp, string])[] = [
  [/^Catalog Error: (?:Table|View) with name .* already exists/, "TABLE_ALREADY_EXISTS"],
  [/^Catalog Error: (?:Table|View) with name .* does not exist/, "TABLE_NOT_FOUND"],
  [/^Catalog Error: Schema with name .* already exists/, "SCHEMA_ALREADY_EXISTS"],
  [/^Catalog Error: Schema with name .* does not exist/, "SCHEMA_NOT_FOUND"],
  [/^Catalog Error: Column with name .* already exists/, "COLUMN_ALREADY_EXISTS"],
  [/^Binder Error: Table .* does not have a column with name/, "COLUMN_NOT_FOUND"],
  [/^Constraint Error: NOT NULL constraint failed/, "CONSTRAINT_VIOLATION"],
];

function stateOf(message: string): string | undefined {
  return objectErrors.find(([pattern]) => pattern.test(message))?.[1];
}

/** Folders of the machine are not told. */
function messageOf(error: unknown, path: string): string {
  return (error instanceof Error ? error.message : String(error)).replaceAll(path, basename(path)).trimEnd();
}

class DuckdbConnection implements DatabaseConnection {
  readonly #connection: DuckDb.DuckDBConnection;
  readonly #path: string;
  readonly #release: () => void;
  /** Statements that run. A connection is disconnected when none does. */
  #running = 0;
  #interrupting: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(connection: DuckDb.DuckDBConnection, path: string, release: () => void) {
    this.#connection = connection;
    this.#path = path;
    this.#release = release;
  }

  get isUsable(): boolean {
    return !this.#isClosed;
  }

  async query(sql: string): Promise<readonly DatabaseRow[]> {
    const rows = await this.#run(async () => (await this.#connection.runAndReadAll(sql)).getRowsJson());
    return rows.map((row) => row.map((value) => (value === null ? null : typeof value === "string" ? value : JSON.stringify(value))));
  }

  async describe(sql: string): Promise<readonly DescribedColumn[]> {
    const rows = await this.query(`DESCRIBE ${sql}`);
    return rows.map(([name, type]) => ({ name: name ?? "", type: { text: type ?? "" } }));
  }

  /** All columns are texts. */
  open(sql: string): DatabaseCursor {
    const result: Promise<DuckDb.DuckDBResult> = this.#run(() => this.#connection.stream(sql));
    result.catch(() => undefined);
    let rows: readonly DatabaseRow[] = [];
    let hasEnded = false;
    return {
      read: async (rowsMax) => {
        const stream = await result;
        while (rows.length === 0 && !hasEnded) {
          const chunk = await this.#run(() => stream.fetchChunk());
          rows = (chunk?.getRows() ?? []) as readonly DatabaseRow[];
          hasEnded = rows.length === 0;
        }
        const batch = rows.slice(0, rowsMax);
        rows = rows.slice(rowsMax);
        return batch;
      },
      // The next statement of a connection ends the one before.
      close: () => Promise.resolve(),
    };
  }

  /** DuckDB forgets an interrupt that comes before the statement has begun, so it is repeated until nothing runs. */
  cancel(): void {
    if (this.#running === 0 || this.#interrupting !== undefined) {
      return;
    }
    this.#connection.interrupt();
    this.#interrupting = setInterval(() => {
      if (this.#running > 0) {
        this.#connection.interrupt();
      }
    }, interruptMs);
  }

  close(): void {
    if (!this.#isClosed) {
      this.#isClosed = true;
      this.cancel();
      this.#endIfIdle();
    }
  }

  #endIfIdle(): void {
    if (this.#running === 0) {
      clearInterval(this.#interrupting);
      this.#interrupting = undefined;
    }
    if (this.#isClosed && this.#running === 0) {
      this.#connection.disconnectSync();
      this.#release();
    }
  }

  async #run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#isClosed) {
      throw new DatabaseError("LOST", "The connection was closed");
    }
    this.#running++;
    try {
      return await work();
    } catch (error) {
      const message = messageOf(error, this.#path);
      throw new DatabaseError("SERVER", message, stateOf(message));
    } finally {
      this.#running--;
      this.#endIfIdle();
    }
  }
}
