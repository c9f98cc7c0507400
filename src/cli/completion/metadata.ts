/**
 * Names that the server knows, fetched by SQL and kept for a minute. Bounded in names and in entries; a server that does not answer gives
 * no names.
 */
import { ClientError } from "../../client/requester.ts";
import type { ClientSession } from "../../client/session.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Connection } from "../connection.ts";

export interface NamedItem {
  readonly name: string;
  /** Type of a column or property, kind of a function. */
  readonly detail: string;
}

/** A table by its full name. */
export interface TableName {
  readonly catalog: string;
  readonly schema: string;
  readonly table: string;
}

const itemsMax = 10_000;
const entriesMax = 200;
const keptNanos = 60e9;

interface Entry {
  readonly items: Promise<readonly NamedItem[]>;
  readonly sinceNanos: number;
}

export class Metadata {
  readonly #connection: Connection;
  readonly #clock: Clock;
  /** Oldest first. */
  readonly #entries = new Map<string, Entry>();

  constructor(connection: Connection, clock: Clock) {
    this.#connection = connection;
    this.#clock = clock;
  }

  /** After a statement that may have changed names. */
  forget(): void {
    this.#entries.clear();
  }

  catalogs(): Promise<readonly NamedItem[]> {
    return this.#items("SHOW CATALOGS", ([name]) => ({ name, detail: "catalog" }));
  }

  schemas(catalog: string): Promise<readonly NamedItem[]> {
    return this.#items(`SHOW SCHEMAS FROM ${quoted(catalog)}`, ([name]) => ({ name, detail: "schema" }));
  }

  tables(catalog: string, schema: string): Promise<readonly NamedItem[]> {
    const sql =
      `SELECT table_name, table_type FROM ${quoted(catalog)}.information_schema.tables ` +
      `WHERE table_schema = ${literal(schema)} ORDER BY table_name`;
    return this.#items(sql, ([name, type]) => ({ name, detail: type === "VIEW" ? "view" : "table" }));
  }

  columns({ catalog, schema, table }: TableName): Promise<readonly NamedItem[]> {
    const sql =
      `SELECT column_name, data_type FROM ${quoted(catalog)}.information_schema.columns ` +
      `WHERE table_schema = ${literal(schema)} AND table_name = ${literal(table)} ORDER BY ordinal_position`;
    return this.#items(sql, ([name, type]) => ({ name, detail: type }));
  }

  /** One item for each name; overloads count once. */
  functions(): Promise<readonly NamedItem[]> {
    return this.#items("SHOW FUNCTIONS", ([name, result, , kind]) => ({ name, detail: kind === "scalar" ? result : kind }));
  }

  /** Session properties. */
  properties(): Promise<readonly NamedItem[]> {
    return this.#items("SHOW SESSION", ([name, value]) => ({ name, detail: value }));
  }

  async #items(sql: string, item: (row: readonly [string, string, string, string]) => NamedItem): Promise<readonly NamedItem[]> {
    const key = `${this.#connection.server} ${sql}`;
    const known = this.#entries.get(key);
    const now = this.#clock.monotonicNanos();
    if (known !== undefined && now - known.sinceNanos < keptNanos) {
      return await known.items;
    }
    const items = this.#fetch(sql).then((rows) => rows.map((row) => item([text(row[0]), text(row[1]), text(row[2]), text(row[3])])));
    this.#entries.delete(key);
    this.#entries.set(key, { items, sinceNanos: now });
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= entriesMax) {
        break;
      }
      this.#entries.delete(oldest);
    }
    const found = distinct(await items);
    if (found.length === 0) {
      this.#entries.delete(key);
    }
    return found;
  }

  async #fetch(sql: string): Promise<readonly (readonly unknown[])[]> {
    const run = this.#connection.asking(outsideTransaction(this.#connection.session)).submit(sql);
    const rows: (readonly unknown[])[] = [];
    try {
      while (rows.length < itemsMax && (await run.advance())) {
        for (const row of run.rows) {
          rows.push(row);
        }
      }
      await run.cancel();
      return rows.slice(0, itemsMax);
    } catch (error) {
      if (error instanceof ClientError) {
        return [];
      }
      throw error;
    }
  }
}

/** Questions of the shell must not end in, or end, the user's transaction. */
function outsideTransaction(session: ClientSession): ClientSession {
  const { transactionId: _transactionId, ...others } = session;
  return others;
}

function distinct(items: readonly NamedItem[]): readonly NamedItem[] {
  return [...new Map(items.map((item) => [item.name, item])).values()];
}

function text(value: unknown): string {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? String(value) : "";
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

function literal(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}
