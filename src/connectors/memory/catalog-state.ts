/**
 * What the coordinator knows of a memory catalog: schemas, tables with the places of their parts, views and functions. It changes by
 * records, which are plain JSON: the same records make the same state.
 */
import type { SchemaFunctionName, SchemaTableName, StoredFunction, ViewDefinition } from "../spi.ts";
import { StoredFunctions } from "./functions.ts";
import type { LocatedPart } from "./replication.ts";
import { addRows, type PartCopy, type PartFragment, type Table } from "./table.ts";
import { Views } from "./views.ts";

/** Changes of what exists: their checks come before. */
export type CatalogChange =
  | { readonly kind: "schema"; readonly schema: string }
  | { readonly kind: "schema-dropped"; readonly schema: string }
  | { readonly kind: "schema-renamed"; readonly schema: string; readonly target: string }
  /** The whole table, in the place of the one of its name. `former`: its name until now. */
  | { readonly kind: "table"; readonly table: Table; readonly former?: SchemaTableName }
  | { readonly kind: "table-dropped"; readonly name: SchemaTableName }
  /** Rows that were added to a table. */
  | { readonly kind: "rows"; readonly name: SchemaTableName; readonly write: number; readonly fragments: readonly PartFragment[] }
  /** Where a part is. */
  | { readonly kind: "copies"; readonly part: string; readonly copies: readonly PartCopy[] }
  | { readonly kind: "view"; readonly name: SchemaTableName; readonly view: ViewDefinition; readonly former?: SchemaTableName }
  | { readonly kind: "view-dropped"; readonly name: SchemaTableName }
  | { readonly kind: "function"; readonly name: SchemaFunctionName; readonly definition: StoredFunction }
  | { readonly kind: "function-dropped"; readonly name: SchemaFunctionName; readonly signature: string };

export class CatalogState {
  readonly schemas = new Map<string, Map<string, Table>>([["default", new Map<string, Table>()]]);
  readonly views = new Views();
  readonly functions = new StoredFunctions();

  find({ schema, table }: SchemaTableName): Table | undefined {
    return this.schemas.get(schema)?.get(table);
  }

  tables(): readonly Table[] {
    return [...this.schemas.values()].flatMap((schema) => [...schema.values()]);
  }

  parts(): readonly LocatedPart[] {
    return this.tables().flatMap(({ name, parts }) => parts.map((part) => ({ part, table: `${name.schema}.${name.table}` })));
  }

  apply(change: CatalogChange): void {
    switch (change.kind) {
      case "schema":
        this.schemas.set(change.schema, this.schemas.get(change.schema) ?? new Map());
        return;
      case "schema-dropped":
        this.schemas.delete(change.schema);
        return;
      case "schema-renamed":
        this.#renameSchema(change.schema, change.target);
        return;
      case "table":
        this.#drop(change.former);
        this.schemas.get(change.table.name.schema)?.set(change.table.name.table, change.table);
        return;
      case "table-dropped":
        this.#drop(change.name);
        return;
      case "rows": {
        const table = this.find(change.name);
        if (table !== undefined) {
          addRows(table, change.write, change.fragments);
        }
        return;
      }
      case "copies":
        for (const { part } of this.parts()) {
          if (part.part === change.part) {
            part.copies = change.copies;
          }
        }
        return;
      case "view":
        if (change.former !== undefined) {
          this.views.delete(change.former);
        }
        this.views.set(change.name, change.view);
        return;
      case "view-dropped":
        this.views.delete(change.name);
        return;
      case "function":
        this.functions.set(change.name, change.definition);
        return;
      case "function-dropped":
        this.functions.delete(change.name, change.signature);
    }
  }

  /** Changes that make this state of an empty one. */
  changes(): readonly CatalogChange[] {
    const schemas = [...this.schemas.keys()];
    return [
      ...(schemas.includes("default") ? [] : [{ kind: "schema-dropped", schema: "default" } as const]),
      ...schemas.map((schema) => ({ kind: "schema", schema }) as const),
      ...this.tables().map((table) => ({ kind: "table", table }) as const),
      ...schemas.flatMap((schema) => [
        ...this.views.names(schema).flatMap((table) => {
          const view = this.views.get({ schema, table });
          return view === undefined ? [] : [{ kind: "view", name: { schema, table }, view } as const];
        }),
        ...this.functions.all(schema).map(({ name, definition }) => ({ kind: "function", name: { schema, name }, definition }) as const),
      ]),
    ];
  }

  #drop(name: SchemaTableName | undefined): void {
    if (name !== undefined) {
      this.schemas.get(name.schema)?.delete(name.table);
    }
  }

  #renameSchema(schema: string, target: string): void {
    const tables = this.schemas.get(schema);
    if (tables !== undefined) {
      this.schemas.delete(schema);
      this.schemas.set(target, tables);
      for (const table of tables.values()) {
        table.name = { schema: target, table: table.name.table };
      }
    }
    this.views.renameSchema(schema, target);
    this.functions.renameSchema(schema, target);
  }
}
