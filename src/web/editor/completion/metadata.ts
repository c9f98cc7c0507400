/**
 * Names of catalogs, schemas, tables, columns, functions and session properties, fetched when they are first needed and kept for a while.
 * Never more than `entriesMax` lists and `namesMax` names a list.
 */
import { printPlainName, printString } from "../../../sql/printer/names.ts";

export type MetadataRow = readonly unknown[];

/** Runs a statement of the editor itself; at most `rowsMax` rows. */
export type MetadataQuery = (sql: string, rowsMax: number) => Promise<readonly MetadataRow[]>;

export interface NamedTable {
  readonly name: string;
  /** `BASE TABLE` or `VIEW`. */
  readonly kind: string;
}

export interface NamedColumn {
  readonly name: string;
  readonly type: string;
}

export interface FunctionSignature {
  readonly arguments: string;
  readonly returns: string;
  readonly description: string;
}

export interface NamedFunction {
  readonly name: string;
  readonly kind: string;
  readonly signatures: readonly FunctionSignature[];
}

export interface SessionProperty {
  readonly name: string;
  readonly value: string;
  readonly type: string;
  readonly description: string;
}

const entriesMax = 500;
const namesMax = 10_000;
const ageMsMax = 120_000;

interface Entry {
  readonly sinceMs: number;
  readonly names: Promise<unknown>;
}

export class Metadata {
  readonly #query: MetadataQuery;
  readonly #nowMs: () => number;
  readonly #entries = new Map<string, Entry>();

  constructor(query: MetadataQuery, nowMs: () => number) {
    this.#query = query;
    this.#nowMs = nowMs;
  }

  /** Forgets everything, because a statement may have changed it. */
  clear(): void {
    this.#entries.clear();
  }

  catalogs(): Promise<readonly string[]> {
    return this.#kept("SHOW CATALOGS", (rows) => rows.map(([name]) => String(name)));
  }

  schemas(catalog: string): Promise<readonly string[]> {
    return this.#kept(`SHOW SCHEMAS FROM ${printPlainName(catalog)}`, (rows) => rows.map(([name]) => String(name)));
  }

  tables(catalog: string, schema: string): Promise<readonly NamedTable[]> {
    const from = `${printPlainName(catalog)}.information_schema.tables`;
    return this.#kept(
      `SELECT table_name, table_type FROM ${from} WHERE table_schema = ${printString(schema)} ORDER BY table_name LIMIT ${namesMax}`,
      (rows) => rows.map(([name, kind]) => ({ name: String(name), kind: String(kind) })),
    );
  }

  columns(catalog: string, schema: string, table: string): Promise<readonly NamedColumn[]> {
    const name = [catalog, schema, table].map(printPlainName).join(".");
    return this.#kept(`SHOW COLUMNS FROM ${name}`, (rows) => rows.map(([column, type]) => ({ name: String(column), type: String(type) })));
  }

  functions(): Promise<readonly NamedFunction[]> {
    return this.#kept("SHOW FUNCTIONS", functionsOf);
  }

  sessionProperties(): Promise<readonly SessionProperty[]> {
    return this.#kept("SHOW SESSION", (rows) =>
      rows.map(([name, value, , type, description]) => ({
        name: String(name),
        value: String(value),
        type: String(type),
        description: String(description),
      })),
    );
  }

  /** A failure is not kept: the next request tries again. */
  async #kept<Names>(sql: string, read: (rows: readonly MetadataRow[]) => Names): Promise<Names> {
    const known = this.#entries.get(sql);
    if (known !== undefined && this.#nowMs() - known.sinceMs < ageMsMax) {
      return (await known.names) as Names;
    }
    const names = this.#query(sql, namesMax).then(read);
    const entry: Entry = { sinceMs: this.#nowMs(), names };
    this.#entries.delete(sql);
    this.#entries.set(sql, entry);
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= entriesMax) {
        break;
      }
      this.#entries.delete(oldest);
    }
    try {
      return await names;
    } catch (error) {
      if (this.#entries.get(sql) === entry) {
        this.#entries.delete(sql);
      }
      throw error;
    }
  }
}

function functionsOf(rows: readonly MetadataRow[]): readonly NamedFunction[] {
  const found = new Map<string, { name: string; kind: string; signatures: FunctionSignature[] }>();
  for (const [name, returns, args, kind, , description] of rows) {
    const key = String(name);
    const entry = found.get(key) ?? { name: key, kind: String(kind), signatures: [] };
    found.set(key, entry);
    entry.signatures.push({ arguments: String(args), returns: String(returns), description: String(description) });
  }
  return [...found.values()];
}
