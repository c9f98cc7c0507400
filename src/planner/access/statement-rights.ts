/**
 * The rights that a statement needs, besides those on what its queries read (reads.ts). Messages are Trino's.
 */
import {
  type AccessControl,
  hasTablePrivilege,
  qualifiedText,
  type QualifiedRelation,
  type QualifiedSchema,
} from "../../security/access-control.ts";
import { accessDenied, type TablePrivilege } from "../../security/privileges.ts";
import type { CatalogRights } from "../../security/sql-standard/catalog-rights.ts";
import { type GrantedPrivilege, grantedPrivileges } from "../../security/sql-standard/catalog-security.ts";
import { visibilityFor } from "../../security/visibility.ts";
import {
  type Grant,
  type GrantRoles,
  lowerName,
  type Identifier,
  type QualifiedName,
  type SetAuthorization,
  type Statement,
} from "../../sql/ast/ast.ts";
import { QueryError } from "../../protocol/errors.ts";
import { notSupported } from "../analyzer/errors.ts";
import { commentedTable, qualifySchema, qualifyTable } from "../analyzer/metadata.ts";
import type { PlanContext, PlanSession } from "../context.ts";
import { describedRelation, seesWhole } from "./described.ts";
import { ownRights, principalOf, principalText, roleCatalogOf } from "./principals.ts";

/** Throws PERMISSION_DENIED. Names that cannot be resolved need no right: planning reports them. */
export function requireStatementRights(statement: Statement, context: PlanContext): void {
  const { access } = context;
  if (access !== undefined) {
    new StatementRights(access, context).require(statement);
  }
}

type Change = Extract<Statement, { kind: "Insert" | "Delete" | "Update" | "Merge" }>;

/** What a table with a row filter, or with column masks, answers to who changes its rows. */
const changeRefused: Readonly<Record<Change["kind"], (isFiltered: boolean) => string>> = {
  Insert: (isFiltered) => `Insert into table with ${isFiltered ? "a row filter" : "column masks"} is not supported`,
  Delete: (isFiltered) => `Delete from table with ${isFiltered ? "row filter" : "column mask"}`,
  Update: (isFiltered) => `Updating a table with ${isFiltered ? "a row filter" : "column masks"} is not supported`,
  Merge: (isFiltered) => `Cannot merge into a table with ${isFiltered ? "row filters" : "column masks"}`,
};

class StatementRights {
  readonly #access: AccessControl;
  readonly #context: PlanContext;
  readonly #session: PlanSession;
  readonly #user: string;

  constructor(access: AccessControl, context: PlanContext) {
    const { session } = context;
    this.#access = access;
    this.#context = context;
    this.#session = session;
    this.#user = session.user;
  }

  require(statement: Statement): void {
    switch (statement.kind) {
      // What they read is checked with their plans; what they show is filtered.
      case "Query":
      case "ShowCatalogs":
      case "ShowSession":
      case "ShowStats":
      case "ShowRoleGrants":
      case "DescribeInput":
      case "DescribeOutput":
      // Changes of the client's session, and of nothing else.
      case "SetPath":
      case "SetTimeZone":
      case "SetRole":
      case "ResetSession":
      // The right is that on the property, which WITH SESSION sets too.
      case "SetSession":
      case "ResetSessionAuthorization":
      case "Prepare":
      case "Deallocate":
      case "StartTransaction":
      case "Commit":
      case "Rollback":
      // The statement that they run is checked by itself.
      case "Execute":
      case "ExecuteImmediate":
        return;
      case "ShowRoles":
        return this.#requireThat(statement.current || this.#roles(statement.catalog)?.isAdmin !== false, "Cannot show roles");
      case "Explain":
        return this.require(statement.statement);
      case "ShowSchemas":
        return this.#showSchemas(statement.catalog);
      case "ShowTables":
        return this.#schema(statement.schema, (schema) =>
          this.#requireVisible(schema, `Cannot show tables of schema ${qualifiedText(schema)}`),
        );
      case "ShowFunctions":
        return statement.schema === undefined
          ? undefined
          : this.#schema(statement.schema, (schema) =>
              this.#requireVisible(schema, `Cannot show functions of schema ${qualifiedText(schema)}`),
            );
      case "ShowColumns":
        return this.#table(statement.table, (table) => {
          const described = describedRelation(table, this.#context);
          const isShown =
            visibilityFor(this.#access, this.#user).table(described ?? table) &&
            (described === undefined || seesWhole(this.#access, this.#user, described));
          this.#requireThat(isShown, `Cannot show columns of table ${qualifiedText(table)}`);
        });
      case "ShowGrants":
        return statement.table === undefined ? undefined : this.#showGrants(statement.table);
      case "ShowCreate":
        return this.#showCreate(statement.object, statement.name);
      case "Use":
        return this.#use(statement.catalog, statement.schema);
      case "SetSessionAuthorization": {
        const other = typeof statement.user === "string" ? statement.user : statement.user.value;
        return this.#requireThat(
          other === this.#user || this.#access.canImpersonate(this.#user, other),
          `User ${this.#user} cannot impersonate user ${other}`,
        );
      }
      case "Insert":
        return this.#change(statement, "INSERT", (name) => `Cannot insert into table ${name}`);
      case "Delete":
        return this.#change(statement, "DELETE", (name) => `Cannot delete from table ${name}`);
      case "Update": {
        const columns = statement.assignments.map(({ column }) => lowerName(column)).join(", ");
        return this.#change(statement, "UPDATE", (name) => `Cannot update columns [${columns}] in table ${name}`);
      }
      case "Merge":
        return this.#merge(statement);
      case "TruncateTable":
        return this.#privilege(statement.name, "DELETE", (name) => `Cannot truncate table ${name}`);
      case "Analyze":
        this.#privilege(statement.table, "SELECT", (name) => `Cannot select from table ${name}`);
        return this.#privilege(statement.table, "INSERT", (name) => `Cannot insert into table ${name}`);
      case "TableExecute":
        return this.#privilege(statement.table, "OWNERSHIP", (name) => `Cannot execute table procedure on ${name}`);
      case "Call":
        return this.#call(statement.name);
      case "CreateCatalog":
      case "DropCatalog": {
        const name = lowerName(statement.name);
        const what = statement.kind === "CreateCatalog" ? "create" : "drop";
        return this.#requireThat(this.#access.canAccessCatalog(this.#user, name, "own"), `Cannot ${what} catalog ${name}`);
      }
      case "CreateSchema":
        return this.#schema(statement.name, (schema) => {
          const own = this.#access.rightsIn?.(schema.catalog, this.#user);
          this.#requireThat(own?.isAdmin !== false, `Cannot create schema ${qualifiedText(schema)}`);
          this.#requireOwner(schema, `Cannot create schema ${qualifiedText(schema)}`);
        });
      case "DropSchema":
        return this.#schema(statement.name, (schema) => this.#requireOwner(schema, `Cannot drop schema ${qualifiedText(schema)}`));
      case "RenameSchema":
        return this.#schema(statement.name, (schema) => {
          const target = { catalog: schema.catalog, schema: lowerName(statement.target) };
          const text = `Cannot rename schema from ${qualifiedText(schema)} to ${qualifiedText(target)}`;
          this.#requireOwner(schema, text);
          // A name that is free belongs to nobody in a catalog that knows owners.
          if (this.#access.rightsIn?.(schema.catalog, this.#user) === undefined) {
            this.#requireOwner(target, text);
          }
        });
      case "CreateTable":
        for (const element of statement.elements) {
          if (element.kind === "LikeClause") {
            this.#privilege(element.table, "SELECT", (name) => `Cannot select from table ${name}`);
          }
        }
        return this.#create(statement.name, "table", statement.replace);
      case "CreateTableAsSelect":
        return this.#create(statement.name, "table", statement.replace);
      case "DropTable":
        return this.#privilege(statement.name, "OWNERSHIP", (name) => `Cannot drop table ${name}`);
      case "RenameTable":
        return this.#rename("table", statement.name, statement.target);
      case "RenameView":
        return this.#rename("view", statement.name, statement.target);
      case "RenameMaterializedView":
        return this.#rename("materialized view", statement.name, statement.target);
      case "CreateView":
        return this.#create(statement.name, "view", false);
      case "DropView":
        return this.#privilege(statement.name, "OWNERSHIP", (name) => `Cannot drop view ${name}`);
      case "CreateMaterializedView":
        return this.#create(statement.name, "materialized view", false);
      case "DropMaterializedView":
        return this.#privilege(statement.name, "OWNERSHIP", (name) => `Cannot drop materialized view ${name}`);
      case "RefreshMaterializedView":
        return this.#privilege(statement.name, "UPDATE", (name) => `Cannot refresh materialized view ${name}`);
      case "AddColumn":
        return this.#privilege(statement.table, "OWNERSHIP", (name) => `Cannot add a column to table ${name}`);
      case "DropColumn":
        return this.#privilege(statement.table, "OWNERSHIP", (name) => `Cannot drop a column from table ${name}`);
      case "RenameColumn":
        return this.#privilege(statement.table, "OWNERSHIP", (name) => `Cannot rename a column in table ${name}`);
      case "SetColumnType":
      case "SetColumnDefault":
      case "SetColumnNullable":
        return this.#privilege(statement.table, "OWNERSHIP", (name) => `Cannot alter a column for table ${name}`);
      case "SetTableProperties":
        return this.#privilege(statement.table, "OWNERSHIP", (name) => `Cannot set table properties to ${name}`);
      case "Comment": {
        const commented = commentedTable(statement.name, statement.object === "COLUMN");
        const what = statement.object.toLowerCase();
        return commented === undefined ? undefined : this.#privilege(commented, "OWNERSHIP", (name) => `Cannot comment ${what} to ${name}`);
      }
      case "CreateFunction":
        return this.#routine(statement.specification.name, "OWNERSHIP", (name) => `Cannot create function ${name}`);
      case "DropFunction":
        return this.#routine(statement.name, "OWNERSHIP", (name) => `Cannot drop function ${name}`);
      case "Grant":
        return this.#grant(statement);
      case "GrantRoles":
        return this.#grantRoles(statement);
      case "CreateRole":
        return this.#asAdmin(statement.catalog, `Cannot create role ${lowerName(statement.name)}`);
      case "DropRole":
        return this.#asAdmin(statement.catalog, `Cannot drop role ${lowerName(statement.name)}`);
      case "SetAuthorization":
        return this.#setAuthorization(statement);
    }
  }

  #requireThat(holds: boolean, text: string): void {
    if (!holds) {
      throw accessDenied(text);
    }
  }

  #requireCatalog(catalog: string): void {
    this.#requireThat(this.#access.canAccessCatalog(this.#user, catalog, "read"), `Cannot access catalog ${catalog}`);
  }

  #requireOwner(schema: QualifiedSchema, text: string): void {
    this.#requireThat(this.#access.isSchemaOwner(this.#user, schema), text);
  }

  #requireVisible(schema: QualifiedSchema, text: string): void {
    this.#requireThat(visibilityFor(this.#access, this.#user).schema(schema), text);
  }

  #schema(name: QualifiedName | undefined, require: (schema: QualifiedSchema) => void): void {
    const schema = resolved(() => qualifySchema(name, noPlace, this.#session));
    if (schema !== undefined) {
      this.#requireCatalog(schema.catalog);
      require(schema);
    }
  }

  #table(name: QualifiedName, require: (table: QualifiedRelation) => void): void {
    const table = resolved(() => qualifyTable(name, this.#session, noPlace));
    if (table !== undefined) {
      this.#requireCatalog(table.catalog);
      require(table);
    }
  }

  /** `more`: what else must hold of the relation whose rules count. */
  #privilege(
    name: QualifiedName,
    privilege: TablePrivilege,
    text: (name: string) => string,
    more: (ruled: QualifiedRelation) => void = () => undefined,
  ): void {
    this.#table(name, (table) => {
      const ruled = describedRelation(table, this.#context) ?? table;
      this.#requireThat(hasTablePrivilege(this.#access, this.#user, ruled, privilege), text(qualifiedText(table)));
      more(ruled);
    });
  }

  /** A table with a row filter or masks cannot be changed, because the user sees other rows than there are. */
  #change(statement: Change, privilege: TablePrivilege, text: (name: string) => string): void {
    this.#privilege(statement.table, privilege, text, (ruled) => {
      const { filter, masks } = this.#access.tableRights(this.#user, ruled);
      if (filter !== undefined || masks.size > 0) {
        throw notSupported(statement, changeRefused[statement.kind](filter !== undefined));
      }
    });
  }

  #create(name: QualifiedName, what: string, replaces: boolean): void {
    this.#table(name, (table) => {
      this.#requireThat(this.#mayCreate(table), `Cannot create ${what} ${qualifiedText(table)}`);
    });
    if (replaces) {
      this.#privilege(name, "OWNERSHIP", (text) => `Cannot drop ${what} ${text}`);
    }
  }

  /** Rules are about names, whether they are free or not; a catalog with its own rights has owners of schemas. */
  #mayCreate(table: QualifiedRelation): boolean {
    const own = this.#access.rightsIn?.(table.catalog, this.#user);
    const isAllowed = own?.mayCreateIn(table.schema) ?? hasTablePrivilege(this.#access, this.#user, table, "OWNERSHIP");
    return isAllowed && this.#access.canAccessCatalog(this.#user, table.catalog, "write");
  }

  #rename(what: string, name: QualifiedName, target: QualifiedName): void {
    this.#table(name, (from) => {
      const to = resolved(() => qualifyTable(target, { ...this.#session, catalog: from.catalog, schema: from.schema }, noPlace));
      const text = `Cannot rename ${what} from ${qualifiedText(from)} to ${to === undefined ? "" : qualifiedText(to)}`;
      this.#requireThat(hasTablePrivilege(this.#access, this.#user, from, "OWNERSHIP"), text);
      this.#requireThat(to === undefined || this.#mayCreate(to), text);
    });
  }

  /** Where rules alone say who may do what, nobody makes roles. */
  #asAdmin(catalog: Identifier | undefined, text: string): void {
    this.#requireThat(this.#roles(catalog)?.isAdmin ?? this.#isLeftToPlanning, text);
  }

  /** Some catalogs have roles: planning says which have none. */
  get #isLeftToPlanning(): boolean {
    return this.#access.rightsIn !== undefined;
  }

  #roles(catalog: Identifier | undefined): CatalogRights | undefined {
    const asking = { access: this.#access, session: this.#session };
    return ownRights(roleCatalogOf(catalog, asking), asking);
  }

  /** In a catalog with rights of its own, everybody sees the grants that concern them. */
  #showGrants(name: QualifiedName): void {
    this.#table(name, (table) => {
      const isOwn = this.#access.rightsIn?.(table.catalog, this.#user) !== undefined;
      const { privileges } = this.#access.tableRights(this.#user, table);
      this.#requireThat(isOwn ? privileges.size > 0 : privileges.has("OWNERSHIP"), `Cannot show grants on ${qualifiedText(table)}`);
    });
  }

  #grant({ action, name, object, privileges }: Grant): void {
    const verb = action.toLowerCase();
    const [named = "SELECT"] = privileges ?? [];
    const first = typeof named === "string" ? named : named.value;
    if (object === "SCHEMA") {
      return this.#schema(name, (schema) =>
        this.#requireOwner(schema, `Cannot ${verb} privilege ${first} on schema ${qualifiedText(schema)}`),
      );
    }
    return this.#table(name, (table) => {
      const own = this.#access.rightsIn?.(table.catalog, this.#user);
      // With rights of its own, a catalog says who may pass a privilege on; the rules must let the user have it.
      for (const privilege of grantable(privileges)) {
        const isAllowed =
          own === undefined
            ? hasTablePrivilege(this.#access, this.#user, table, "OWNERSHIP")
            : this.#access.canAccessCatalog(this.#user, table.catalog, "write") &&
              this.#access.tableRights(this.#user, table).privileges.has(privilege) &&
              own.mayGrant(table, privilege);
        this.#requireThat(isAllowed, `Cannot ${verb} privilege ${privilege} on table ${qualifiedText(table)}`);
      }
    });
  }

  #grantRoles({ action, catalog, principals, roles }: GrantRoles): void {
    const names = roles.map(lowerName);
    const grantees = principals.map(principalText).join(", ");
    const [verb, word] = action === "GRANT" ? ["grant", "to"] : ["revoke", "from"];
    const isAllowed = this.#roles(catalog)?.mayGrantRoles(names) ?? this.#isLeftToPlanning;
    this.#requireThat(isAllowed, `Cannot ${verb} roles [${names.join(", ")}] ${word} [${grantees}]`);
  }

  /** A view runs with its owner's rights. So only an administrator of the catalog makes somebody the owner of a view. */
  #setAuthorization({ name, object, principal }: SetAuthorization): void {
    const what = object.toLowerCase();
    const to = `to ${principalText(principal)}`;
    const maySet = this.#access.canSetOwner(this.#user, principalOf(principal));
    if (object === "SCHEMA") {
      return this.#schema(name, (schema) =>
        this.#requireThat(
          maySet && this.#access.isSchemaOwner(this.#user, schema),
          `Cannot set authorization for schema ${qualifiedText(schema)} ${to}`,
        ),
      );
    }
    return this.#table(name, (table) => {
      const own = object === "VIEW" ? this.#access.rightsIn?.(table.catalog, this.#user) : undefined;
      const isAllowed = maySet && hasTablePrivilege(this.#access, this.#user, table, "OWNERSHIP") && own?.isAdmin !== false;
      this.#requireThat(isAllowed, `Cannot set authorization for ${what} ${qualifiedText(table)} ${to}`);
    });
  }

  #merge(statement: Statement & { kind: "Merge" }): void {
    for (const { kind } of statement.cases) {
      switch (kind) {
        case "MergeInsert":
          this.#change(statement, "INSERT", (name) => `Cannot insert into table ${name}`);
          break;
        case "MergeDelete":
          this.#change(statement, "DELETE", (name) => `Cannot delete from table ${name}`);
          break;
        case "MergeUpdate":
          this.#change(statement, "UPDATE", (name) => `Cannot update columns in table ${name}`);
          break;
      }
    }
  }

  #showSchemas(given: Identifier | undefined): void {
    const catalog = given === undefined ? this.#session.catalog : lowerName(given);
    if (catalog !== undefined) {
      this.#requireCatalog(catalog);
      this.#requireThat(this.#access.canSeeCatalog(this.#user, catalog), "Cannot show schemas");
    }
  }

  #showCreate(object: string, name: QualifiedName): void {
    switch (object) {
      case "SCHEMA":
        return this.#schema(name, (schema) => this.#requireOwner(schema, `Cannot show create schema for ${qualifiedText(schema)}`));
      case "FUNCTION":
        return this.#routine(name, "OWNERSHIP", (text) => `Cannot show create function for ${text}`);
      default:
        return this.#privilege(name, "OWNERSHIP", (text) => `Cannot show create table for ${text}`);
    }
  }

  #use(given: Identifier | undefined, schema: Identifier): void {
    const catalog = given === undefined ? this.#session.catalog : lowerName(given);
    if (catalog !== undefined) {
      this.#requireCatalog(catalog);
      const used = { catalog, schema: lowerName(schema) };
      this.#requireVisible(used, `Cannot access schema: ${qualifiedText(used)}`);
    }
  }

  #routine(name: QualifiedName, privilege: "EXECUTE" | "OWNERSHIP", text: (name: string) => string): void {
    this.#table(name, ({ catalog, schema, table }) => {
      const holds =
        this.#access.canAccessCatalog(this.#user, catalog, privilege === "OWNERSHIP" ? "write" : "read") &&
        this.#access.routinePrivileges(this.#user, { catalog, schema, name: table }).has(privilege);
      this.#requireThat(holds, text(`${catalog}.${schema}.${table}`));
    });
  }

  #call(name: QualifiedName): void {
    this.#table(name, ({ catalog, schema, table }) => {
      const holds = this.#access.procedurePrivileges(this.#user, { catalog, schema, name: table }).has("EXECUTE");
      this.#requireThat(holds, `Cannot execute procedure ${catalog}.${schema}.${table}`);
    });
  }
}

/** `name` or `catalog.name`. Throws PERMISSION_DENIED. */
export function requirePropertyRight(property: string, user: string, access: AccessControl): void {
  const dot = property.indexOf(".");
  if (dot < 0) {
    if (!access.canSetSystemSessionProperty(user, property)) {
      throw accessDenied(`Cannot set system session property ${property}`);
    }
  } else if (!access.canSetCatalogSessionProperty(user, property.slice(0, dot), property.slice(dot + 1))) {
    throw accessDenied(`Cannot set catalog session property ${property}`);
  }
}

const noPlace = { location: { lineNumber: 1, columnNumber: 1 } } as const;

/** Undefined if the name is not valid. */
function resolved<T>(resolve: () => T): T | undefined {
  try {
    return resolve();
  } catch (error) {
    if (error instanceof QueryError) {
      return undefined;
    }
    throw error;
  }
}

/** Of GRANT, DENY and REVOKE. Unknown privileges are reported by planning. */
function grantable(privileges: Grant["privileges"]): readonly GrantedPrivilege[] {
  return privileges === undefined ? grantedPrivileges : grantedPrivileges.filter((privilege) => privileges.includes(privilege));
}

/** Throws PERMISSION_DENIED. */
export function requireQueryRights(
  { properties, user }: { readonly properties: Readonly<Record<string, string>>; readonly user: string },
  access: AccessControl | undefined,
): void {
  if (access === undefined) {
    return;
  }
  if (!access.canExecuteQuery(user)) {
    throw accessDenied("Cannot execute query");
  }
  for (const property of Object.keys(properties)) {
    requirePropertyRight(property, user, access);
  }
}
