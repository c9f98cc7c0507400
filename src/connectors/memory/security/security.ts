/**
 * The rights that a memory catalog keeps (`memory.security=sql-standard`). Its state lasts as its tables do.
 */
import { QueryError } from "../../../protocol/errors.ts";
import {
  adminRole,
  builtinRoles,
  type CatalogSecurity,
  type Principal,
  type RecordedStatement,
  type RoleGrant,
  type SchemaTableName,
  type TableGrant,
} from "../../spi.ts";
import type { CatalogChange, CatalogState } from "../catalog-state.ts";
import type { KeptCatalog } from "../kept-catalog.ts";
import { draftOf, tableNotFound } from "../table.ts";

const configuration: Principal = Object.freeze({ type: "USER", name: adminRole });

export interface MemorySecurityOptions {
  readonly catalog: string;
  readonly kept: KeptCatalog;
  /** Users who have the role `admin` by the catalog's configuration. */
  readonly adminUsers: readonly string[];
  /** The statement whose changes are made. */
  readonly statement: RecordedStatement | undefined;
}

export class MemorySecurity implements CatalogSecurity {
  readonly #options: MemorySecurityOptions;
  readonly #adminGrants: readonly RoleGrant[];

  constructor(options: MemorySecurityOptions) {
    this.#options = options;
    this.#adminGrants = options.adminUsers.map((name) => ({
      role: adminRole,
      grantor: configuration,
      grantee: { type: "USER", name },
      isGrantable: true,
    }));
  }

  get version(): number {
    return this.#state.grants.version;
  }

  load(): Promise<void> {
    return this.#options.kept.load();
  }

  roles(): readonly string[] {
    return [...builtinRoles, ...this.#state.grants.roles].toSorted();
  }

  roleGrants(): readonly RoleGrant[] {
    return [...this.#adminGrants, ...this.#state.grants.roleGrants];
  }

  schemaOwner(schema: string): Principal | undefined {
    return this.#state.grants.schemaOwners.get(schema);
  }

  owner(name: SchemaTableName): Principal | undefined {
    const view = this.#state.views.get(name);
    return view === undefined ? this.#state.find(name)?.owner : { type: "USER", name: view.owner };
  }

  tableGrants(name: SchemaTableName): readonly TableGrant[] {
    return this.#state.grants.table(name);
  }

  createRole(role: string): Promise<void> {
    return this.#change(() => {
      if (this.roles().includes(role)) {
        throw new QueryError("ROLE_ALREADY_EXISTS", `Role '${role}' already exists`);
      }
      return { kind: "role", role };
    });
  }

  dropRole(role: string): Promise<void> {
    return this.#change(() => ({ kind: "role-dropped", role }));
  }

  changeRoleGrants(change: (grants: readonly RoleGrant[]) => readonly RoleGrant[]): Promise<void> {
    return this.#change(() => {
      const grants = change(this.#state.grants.roleGrants);
      const roles = grants.flatMap(({ grantee, role }) => (grantee.type === "ROLE" ? [role, grantee.name] : [role]));
      const missing = roles.find((role) => !this.roles().includes(role));
      if (missing !== undefined) {
        throw new QueryError("ROLE_NOT_FOUND", `Role '${missing}' does not exist`);
      }
      return { kind: "role-grants", grants };
    });
  }

  changeTableGrants(name: SchemaTableName, change: (grants: readonly TableGrant[]) => readonly TableGrant[]): Promise<void> {
    return this.#change(() => {
      if (this.#state.find(name) === undefined && this.#state.views.get(name) === undefined) {
        throw tableNotFound(this.#options.catalog, name);
      }
      return { kind: "table-grants", name, grants: change(this.#state.grants.table(name)) };
    });
  }

  setSchemaOwner(schema: string, owner: Principal): Promise<void> {
    return this.#change(() => {
      if (!this.#state.schemas.has(schema)) {
        throw new QueryError("SCHEMA_NOT_FOUND", `Schema '${this.#options.catalog}.${schema}' does not exist`);
      }
      return { kind: "schema", schema, owner };
    });
  }

  setOwner(name: SchemaTableName, owner: Principal): Promise<void> {
    return this.#change(() => {
      const view = this.#state.views.get(name);
      if (view !== undefined) {
        return { kind: "view", name, view: { ...view, owner: owner.name } };
      }
      const table = this.#state.find(name);
      if (table === undefined) {
        throw tableNotFound(this.#options.catalog, name);
      }
      return { kind: "table", table: { ...draftOf(table), owner } };
    });
  }

  get #state(): CatalogState {
    return this.#options.kept.state;
  }

  #change(prepare: () => CatalogChange): Promise<void> {
    return this.#options.kept.change(prepare, this.#options.statement);
  }
}
