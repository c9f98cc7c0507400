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
    return (this.#bySchema.get(schema) ?? []).toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  }

  set({ schema, name }: SchemaFunctionName, definition: StoredFunction, replace: boolean): void {
    const functions = this.#bySchema.get(schema) ?? [];
    const index = functions.findIndex((one) => one.name === name && one.definition.signature === definition.signature);
    if (index >= 0 && !replace) {
      throw new QueryError("ALREADY_EXISTS", "Function already exists");
    }
    const made = { name, definition };
    this.#bySchema.set(schema, index < 0 ? [...functions, made] : functions.with(index, made));
  }

  delete({ schema, name }: SchemaFunctionName, signature: string): void {
    const functions = this.#bySchema.get(schema) ?? [];
    this.#bySchema.set(
      schema,
      functions.filter((one) => one.name !== name || one.definition.signature !== signature),
    );
  }

  renameSchema(schema: string, target: string): void {
    const functions = this.#bySchema.get(schema);
    if (functions !== undefined) {
      this.#bySchema.delete(schema);
      this.#bySchema.set(target, functions);
    }
  }
}
