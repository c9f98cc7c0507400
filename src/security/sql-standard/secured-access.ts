/**
 * The rules of the node together with the rights that catalogs keep themselves: what is done in such a catalog must be allowed by both.
 */
import type { CatalogSecurity, Reader } from "./catalog-security.ts";
import { type AccessControl, type QualifiedRelation, type QualifiedRoutine, type QualifiedSchema } from "../access-control.ts";
import { defaultAccessControl } from "../default-access-control.ts";
import { CatalogRights } from "./catalog-rights.ts";

/** Without rules of the node, everybody may do everything, and be anybody. */
const everything: AccessControl = Object.freeze({
  ...defaultAccessControl,
  canImpersonate: () => true,
  canViewQueryOf: () => true,
  canKillQueryOf: () => true,
  canWriteSystemInformation: () => true,
});

/** Undefined if all users may read and change all data. Throws PERMISSION_DENIED for a role that the reader does not have. */
export function accessOf(
  rules: AccessControl | undefined,
  securities: ReadonlyMap<string, CatalogSecurity>,
  reader: Reader,
): AccessControl | undefined {
  return securities.size === 0 ? rules : new SecuredAccess(rules ?? everything, securities, reader);
}

const informationSchema = "information_schema";

class SecuredAccess implements AccessControl {
  readonly version: number;
  readonly restrictsData = true;
  readonly canSetUser;
  readonly canImpersonate;
  readonly canExecuteQuery;
  readonly canViewQueryOf;
  readonly canKillQueryOf;
  readonly canReadSystemInformation;
  readonly canWriteSystemInformation;
  readonly canSetSystemSessionProperty;
  readonly canSetCatalogSessionProperty;
  readonly canAccessCatalog;
  readonly canSeeCatalog;
  readonly canSetOwner;
  readonly procedurePrivileges;
  readonly #rules: AccessControl;
  readonly #securities: ReadonlyMap<string, CatalogSecurity>;
  readonly #reader: Reader;
  readonly #rights = new Map<string, CatalogRights>();

  constructor(rules: AccessControl, securities: ReadonlyMap<string, CatalogSecurity>, reader: Reader) {
    this.#rules = rules;
    this.#securities = securities;
    this.#reader = reader;
    this.version = rules.version;
    this.canSetUser = rules.canSetUser.bind(rules);
    this.canImpersonate = rules.canImpersonate.bind(rules);
    this.canExecuteQuery = rules.canExecuteQuery.bind(rules);
    this.canViewQueryOf = rules.canViewQueryOf.bind(rules);
    this.canKillQueryOf = rules.canKillQueryOf.bind(rules);
    this.canReadSystemInformation = rules.canReadSystemInformation.bind(rules);
    this.canWriteSystemInformation = rules.canWriteSystemInformation.bind(rules);
    this.canSetSystemSessionProperty = rules.canSetSystemSessionProperty.bind(rules);
    this.canSetCatalogSessionProperty = rules.canSetCatalogSessionProperty.bind(rules);
    this.canAccessCatalog = rules.canAccessCatalog.bind(rules);
    this.canSeeCatalog = rules.canSeeCatalog.bind(rules);
    this.canSetOwner = rules.canSetOwner.bind(rules);
    this.procedurePrivileges = rules.procedurePrivileges.bind(rules);
    for (const catalog of securities.keys()) {
      this.rightsIn(catalog, reader.user)?.requireSetRole();
    }
  }

  /** The roles that a session has set are those of its user. An owner of a view has all roles but `admin`. */
  rightsIn(catalog: string, user: string): CatalogRights | undefined {
    const security = this.#securities.get(catalog);
    if (security === undefined) {
      return undefined;
    }
    const key = JSON.stringify([catalog, user]);
    const { roles } = this.#reader;
    const set = user === this.#reader.user && Object.hasOwn(roles, catalog) ? roles[catalog] : undefined;
    const rights = this.#rights.get(key) ?? new CatalogRights(security, user, set);
    this.#rights.set(key, rights);
    return rights;
  }

  canSeeSchema(user: string, schema: QualifiedSchema): boolean {
    return this.#rules.canSeeSchema(user, schema);
  }

  isSchemaOwner(user: string, schema: QualifiedSchema): boolean {
    return this.#rules.isSchemaOwner(user, schema) && this.rightsIn(schema.catalog, user)?.isSchemaOwner(schema.schema) !== false;
  }

  tableRights(user: string, table: QualifiedRelation): ReturnType<AccessControl["tableRights"]> {
    const ruled = this.#rules.tableRights(user, table);
    const own = table.schema === informationSchema ? undefined : this.rightsIn(table.catalog, user)?.privileges(table);
    return own === undefined ? ruled : { ...ruled, privileges: new Set([...ruled.privileges].filter((privilege) => own.has(privilege))) };
  }

  routinePrivileges(user: string, routine: QualifiedRoutine): ReturnType<AccessControl["routinePrivileges"]> {
    const rights = this.rightsIn(routine.catalog, user);
    const ruled = this.#rules.routinePrivileges(user, routine);
    if (rights === undefined || rights.mayCreateIn(routine.schema)) {
      return ruled;
    }
    return new Set([...ruled].filter((privilege) => privilege !== "OWNERSHIP"));
  }
}
