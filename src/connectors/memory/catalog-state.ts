/**
 * What the coordinator knows of a memory catalog: schemas, tables with the places of their parts, views and functions. It changes by
 * records, which are plain JSON: the same records make the same state.
 */
import type { Principal, RoleGrant, SchemaFunctionName, SchemaTableName, StoredFunction, TableGrant, ViewDefinition } from "../spi.ts";
import { StoredFunctions } from "./functions.ts";
import type { LocatedPart } from "./replication.ts";
import { Grants } from "./security/grants.ts";
import { addRows, type PartCopy, type PartFragment, type Table } from "./table.ts";
import { Views } from "./views.ts";

/** Changes of what exists: their checks come before. */
export type CatalogChange =
  /** Also of a schema that is there, whose owner changes. */
  | { readonly kind: "schema"; readonly schema: string; readonly owner?: Principal }
  /** With all that is in it. */
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
  | { readonly kind: "function-dropped"; readonly name: SchemaFunctionName; readonly signature: string }
  | { readonly kind: "role"; readonly role: string }
  | { readonly kind: "role-dropped"; readonly role: string }
  /** All of the catalog, and all of a table. */
  | { readonly kind: "role-grants"; readonly grants: readonly RoleGrant[] }
  | { readonly kind: "table-grants"; readonly name: SchemaTableName; readonly grants: readonly TableGrant[] };

/** They change neither what exists nor whose it is. */
const withoutRights: ReadonlySet<CatalogChange["kind"]> = new Set<CatalogChange["kind"]>([
  "rows",
  "copies",
  "function",
  "function-dropped",
]);

export class CatalogState {
  readonly schemas = new Map<string, Map<string, Table>>([["default", new Map<string, Table>()]]);
  readonly views = new Views();
  readonly functions = new StoredFunctions();
  readonly grants = new Grants();

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
    if (!withoutRights.has(change.kind)) {
      this.grants.changed();
    }
    switch (change.kind) {
      case "schema":
        this.schemas.set(change.schema, this.schemas.get(change.schema) ?? new Map());
        this.grants.setSchemaOwner(change.schema, change.owner);
        return;
      case "schema-dropped":
        this.schemas.delete(change.schema);
        this.views.deleteSchema(change.schema);
        this.functions.deleteSchema(change.schema);
        this.grants.deleteSchema(change.schema);
        return;
      case "schema-renamed":
        this.#renameSchema(change.schema, change.target);
        return;
      case "table":
        if (change.former !== undefined) {
          this.schemas.get(change.former.schema)?.delete(change.former.table);
          this.grants.renameTable(change.former, change.table.name);
        }
        this.schemas.get(change.table.name.schema)?.set(change.table.name.table, change.table);
        return;
      case "table-dropped":
        this.schemas.get(change.name.schema)?.delete(change.name.table);
        this.grants.setTable(change.name, []);
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
          this.grants.renameTable(change.former, change.name);
        }
        this.views.set(change.name, change.view);
        return;
      case "view-dropped":
        this.views.delete(change.name);
        this.grants.setTable(change.name, []);
        return;
      case "function":
        this.functions.set(change.name, change.definition);
        return;
      case "function-dropped":
        this.functions.delete(change.name, change.signature);
        return;
      case "role":
        this.grants.roles.add(change.role);
        return;
      case "role-dropped":
        this.grants.dropRole(change.role);
        return;
      case "role-grants":
        this.grants.roleGrants = change.grants;
        return;
      case "table-grants":
        this.grants.setTable(change.name, change.grants);
    }
  }

  /** Changes that make this state of an empty one. */
  changes(): readonly CatalogChange[] {
    const schemas = [...this.schemas.keys()];
    const { grants } = this;
    return [
      ...(schemas.includes("default") ? [] : [{ kind: "schema-dropped", schema: "default" } as const]),
      ...[...grants.roles].map((role) => ({ kind: "role", role }) as const),
      ...(grants.roleGrants.length === 0 ? [] : [{ kind: "role-grants", grants: grants.roleGrants } as const]),
      ...schemas.map((schema) => {
        const owner = grants.schemaOwners.get(schema);
        return { kind: "schema", schema, ...(owner !== undefined && { owner }) } as const;
      }),
      ...this.tables().map((table) => ({ kind: "table", table }) as const),
      ...schemas.flatMap((schema) => [
        ...this.views.names(schema).flatMap((table) => {
          const view = this.views.get({ schema, table });
          return view === undefined ? [] : [{ kind: "view", name: { schema, table }, view } as const];
        }),
        ...this.functions.all(schema).map(({ name, definition }) => ({ kind: "function", name: { schema, name }, definition }) as const),
        ...grants.tables(schema).map((table) => {
          const name = { schema, table };
          return { kind: "table-grants", name, grants: grants.table(name) } as const;
        }),
      ]),
    ];
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
    this.grants.renameSchema(schema, target);
  }
}
