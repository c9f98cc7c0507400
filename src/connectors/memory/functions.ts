/**
 * The functions of the memory connector, by schema, name and parameter types. They are text and exist on the coordinator only.
 */
import { QueryError } from "../../protocol/errors.ts";
import type { NamedFunction, SchemaFunctionName, StoredFunction } from "../spi.ts";

export class StoredFunctions {
  /** By schema, in order of creation. */
  readonly #bySchema = new Map<string, readonly NamedFunction[]>();

  /** Sorted by name. */
  list(schema: string): readonly NamedFunction[] {
    return this.all(schema).toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  }

  /** In order of creation. */
  all(schema: string): readonly NamedFunction[] {
    return this.#bySchema.get(schema) ?? [];
  }

  /** Throws ALREADY_EXISTS. */
  requireAbsent(name: SchemaFunctionName, definition: StoredFunction): void {
    if (this.#indexOf(name, definition) >= 0) {
      throw new QueryError("ALREADY_EXISTS", "Function already exists");
    }
  }

  set(of: SchemaFunctionName, definition: StoredFunction): void {
    const { schema, name } = of;
    const functions = this.all(schema);
    const index = this.#indexOf(of, definition);
    const made = { name, definition };
    this.#bySchema.set(schema, index < 0 ? [...functions, made] : functions.with(index, made));
  }

  #indexOf({ schema, name }: SchemaFunctionName, { signature }: StoredFunction): number {
    return this.all(schema).findIndex((one) => one.name === name && one.definition.signature === signature);
  }

  delete({ schema, name }: SchemaFunctionName, signature: string): void {
    this.#bySchema.set(
      schema,
      this.all(schema).filter((one) => one.name !== name || one.definition.signature !== signature),
    );
  }

  deleteSchema(schema: string): void {
    this.#bySchema.delete(schema);
  }

  renameSchema(schema: string, target: string): void {
    const functions = this.#bySchema.get(schema);
    if (functions !== undefined) {
      this.#bySchema.delete(schema);
      this.#bySchema.set(target, functions);
    }
  }
}
