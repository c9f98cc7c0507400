/**
 * The schemas and tables of a generated connector. Each schema is a scale, named by its factor, and all schemas have the same tables.
 */
import { assert } from "../../protocol/errors.ts";
import type { Json, SchemaTableName } from "../spi.ts";

export interface ScaledTablesOptions<Table, Scale> {
  readonly connectorName: string;
  /** Schemas that are listed; any other scale can be named. */
  readonly listedSchemas: readonly string[];
  /** undefined if there is no such schema. */
  readonly scaleOfSchema: (schema: string) => Scale | undefined;
  readonly tableNames: readonly string[];
  readonly findTable: (name: string) => Table | undefined;
}

export interface TableAtScale<Table, Scale> {
  readonly table: Table;
  readonly scale: Scale;
}

export class ScaledTables<Table, Scale> {
  readonly #options: ScaledTablesOptions<Table, Scale>;

  constructor(options: ScaledTablesOptions<Table, Scale>) {
    this.#options = options;
  }

  async listSchemas(): Promise<readonly string[]> {
    return this.#options.listedSchemas;
  }

  async hasSchema(schema: string): Promise<boolean> {
    return this.#options.scaleOfSchema(schema) !== undefined;
  }

  async listTables(schema: string): Promise<readonly string[]> {
    return this.#options.scaleOfSchema(schema) === undefined ? [] : this.#options.tableNames;
  }

  /** undefined if the schema or the table does not exist. */
  find({ schema, table: name }: SchemaTableName): TableAtScale<Table, Scale> | undefined {
    const scale = this.#options.scaleOfSchema(schema);
    const table = this.#options.findTable(name);
    return scale === undefined || table === undefined ? undefined : { table, scale };
  }

  /** Handles are the names of schema and table. */
  ofHandle(handle: Json): TableAtScale<Table, Scale> {
    const found = this.find(handle as unknown as SchemaTableName);
    assert(found !== undefined, `the handle is not one of the ${this.#options.connectorName} connector`);
    return found;
  }
}

/** Expected distinct values among `draws` uniform draws of `values`. */
export function distinctOf(draws: number, values: number): number {
  return Math.max(1, Math.round(values * (1 - Math.exp(-draws / values))));
}

/** Creates the value once, on first use. */
export function lazily<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}
