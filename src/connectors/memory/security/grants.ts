/**
 * Roles of a memory catalog, to whom they were granted, and the privileges on its tables and views.
 */
import type { Principal, RoleGrant, SchemaTableName, TableGrant } from "../../spi.ts";

export class Grants {
  readonly roles = new Set<string>();
  readonly schemaOwners = new Map<string, Principal>();
  roleGrants: readonly RoleGrant[] = [];
  /** By schema and table. */
  readonly #tables = new Map<string, ReadonlyMap<string, readonly TableGrant[]>>();
  #version = 0;

  /** Grows with each change. */
  get version(): number {
    return this.#version;
  }

  changed(): void {
    this.#version++;
  }

  dropRole(role: string): void {
    const isOf = ({ type, name }: Principal): boolean => type === "ROLE" && name === role;
    this.roles.delete(role);
    this.roleGrants = this.roleGrants.filter((grant) => grant.role !== role && !isOf(grant.grantee));
    for (const [schema, tables] of this.#tables) {
      for (const [table, grants] of tables) {
        this.setTable(
          { schema, table },
          grants.filter(({ grantee }) => !isOf(grantee)),
        );
      }
    }
  }

  table({ schema, table }: SchemaTableName): readonly TableGrant[] {
    return this.#tables.get(schema)?.get(table) ?? [];
  }

  /** The names of tables in the schema on which something was granted. */
  tables(schema: string): readonly string[] {
    return [...(this.#tables.get(schema)?.keys() ?? [])];
  }

  setTable({ schema, table }: SchemaTableName, grants: readonly TableGrant[]): void {
    const tables = new Map(this.#tables.get(schema));
    if (grants.length === 0) {
      tables.delete(table);
    } else {
      tables.set(table, grants);
    }
    if (tables.size === 0) {
      this.#tables.delete(schema);
    } else {
      this.#tables.set(schema, tables);
    }
  }

  renameTable(name: SchemaTableName, target: SchemaTableName): void {
    const grants = this.table(name);
    this.setTable(name, []);
    this.setTable(target, grants);
  }

  setSchemaOwner(schema: string, owner: Principal | undefined): void {
    if (owner === undefined) {
      this.schemaOwners.delete(schema);
    } else {
      this.schemaOwners.set(schema, owner);
    }
  }

  deleteSchema(schema: string): void {
    this.setSchemaOwner(schema, undefined);
    this.#tables.delete(schema);
  }

  renameSchema(schema: string, target: string): void {
    this.setSchemaOwner(target, this.schemaOwners.get(schema));
    this.setSchemaOwner(schema, undefined);
    const tables = this.#tables.get(schema);
    if (tables !== undefined) {
      this.#tables.delete(schema);
      this.#tables.set(target, tables);
    }
  }
}
