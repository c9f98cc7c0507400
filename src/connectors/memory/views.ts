/**
 * The views of the memory connector, by schema and name. They have no rows and exist on the coordinator only.
 */
import { QueryError } from "../../protocol/errors.ts";
import type { SchemaTableName, ViewDefinition } from "../spi.ts";

export class Views {
  readonly #bySchema = new Map<string, Map<string, ViewDefinition>>();

  names(schema: string): readonly string[] {
    return [...(this.#bySchema.get(schema)?.keys() ?? [])];
  }

  get({ schema, table }: SchemaTableName): ViewDefinition | undefined {
    return this.#bySchema.get(schema)?.get(table);
  }

  set({ schema, table }: SchemaTableName, view: ViewDefinition): void {
    const views = this.#bySchema.get(schema) ?? new Map<string, ViewDefinition>();
    views.set(table, view);
    this.#bySchema.set(schema, views);
  }

  /** Throws TABLE_NOT_FOUND. */
  require(name: SchemaTableName): ViewDefinition {
    const view = this.get(name);
    if (view === undefined) {
      throw new QueryError("TABLE_NOT_FOUND", `View '${name.schema}.${name.table}' does not exist`);
    }
    return view;
  }

  delete({ schema, table }: SchemaTableName): void {
    this.#bySchema.get(schema)?.delete(table);
  }

  deleteSchema(schema: string): void {
    this.#bySchema.delete(schema);
  }

  renameSchema(schema: string, target: string): void {
    const views = this.#bySchema.get(schema);
    if (views !== undefined) {
      this.#bySchema.delete(schema);
      this.#bySchema.set(target, views);
    }
  }
}
