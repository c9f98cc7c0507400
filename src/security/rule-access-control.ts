/**
 * Rights by rules, as Trino's file-based access control has them: of each kind the first rule that matches decides, and nothing is allowed
 * if none does. Without rules of a kind, what the kind is about is allowed, except impersonation, other owners and system information.
 * With rules of principals and none of impersonation, the former say who may be whom.
 */
import {
  type AccessControl,
  allRoutinePrivileges,
  type CatalogAccess,
  type QualifiedRelation,
  type QualifiedRoutine,
  type QualifiedSchema,
  type RoutinePrivilege,
  type SecuredExpression,
  type TableRights,
} from "./access-control.ts";
import { allTablePrivileges, noPrivileges, type TablePrivilege } from "./privileges.ts";
import { compilePattern } from "../protocol/patterns.ts";
import type { AccessRules, TableRule } from "./rules.ts";
import type { Principal } from "./sql-standard/catalog-security.ts";
import { type GroupsOf, noGroups } from "./user-groups.ts";

const informationSchema = "information_schema";
const noRights: TableRights = Object.freeze({ privileges: noPrivileges, hiddenColumns: new Set<string>(), masks: new Map() });
const allRights: TableRights = Object.freeze({ privileges: allTablePrivileges, hiddenColumns: new Set<string>(), masks: new Map() });

/** Texts by the names of the patterns that they must match. */
type Subject = Readonly<Record<string, string>>;

interface Compiled<R> {
  readonly rule: R;
  readonly patterns: readonly (readonly [name: string, pattern: RegExp])[];
}

const patternNames: readonly string[] = [
  "user",
  "role",
  "group",
  "catalog",
  "schema",
  "table",
  "function",
  "procedure",
  "property",
  "queryOwner",
  "original_user",
  "original_group",
  "original_role",
];

/** The member of the subject whose groups a pattern of groups is about. */
const userOfGroup: ReadonlyMap<string, string> = new Map([
  ["group", "user"],
  ["original_group", "original_user"],
]);

class Rules<R extends object> {
  readonly #rules: readonly Compiled<R>[];
  readonly #groupsOf: GroupsOf;

  constructor(rules: readonly R[], groupsOf: GroupsOf) {
    this.#groupsOf = groupsOf;
    this.#rules = rules.map((rule) => ({
      rule,
      patterns: Object.entries(rule).flatMap(([name, value]) =>
        patternNames.includes(name) && typeof value === "string" ? [[name, compilePattern(value)] as const] : [],
      ),
    }));
  }

  /** A pattern of something that the subject does not have, such as a role, does not match. */
  first(subject: Subject, fits: (rule: R) => boolean = () => true): R | undefined {
    return this.#rules.find(
      ({ patterns, rule }) => patterns.every(([name, pattern]) => this.#matches(subject, name, pattern)) && fits(rule),
    )?.rule;
  }

  /** Whether some rule with the property is for the subject, whatever else it names. */
  any(subject: Subject, holds: (rule: R) => boolean): boolean {
    return this.#rules.some(
      ({ patterns, rule }) =>
        holds(rule) &&
        patterns.every(([name, pattern]) => (isInside(name) && !Object.hasOwn(subject, name)) || this.#matches(subject, name, pattern)),
    );
  }

  /** Of groups of the user one must match. */
  #matches(subject: Subject, name: string, pattern: RegExp): boolean {
    const grouped = userOfGroup.get(name);
    const key = grouped ?? name;
    const text = Object.hasOwn(subject, key) ? subject[key] : undefined;
    const texts = text === undefined ? [] : grouped === undefined ? [text] : this.#groupsOf(text);
    return texts.some((one) => pattern.test(one));
  }
}

/** Names of things inside of a catalog or schema, which may have any name. */
function isInside(name: string): boolean {
  return ["schema", "table", "function", "property"].includes(name);
}

const catalogAccess: Readonly<Record<CatalogAccess, readonly string[]>> = Object.freeze({
  read: ["read-only", "all", "owner"],
  write: ["all", "owner"],
  own: ["owner"],
});

/** Procedures that users may call without rules. */
const builtin = { catalog: "system", schema: "builtin" };

export class RuleAccessControl implements AccessControl {
  readonly version: number;
  readonly restrictsData = true;
  readonly #catalogs;
  readonly #schemas;
  readonly #tables;
  readonly #functions;
  readonly #procedures;
  readonly #queries;
  readonly #principals;
  readonly #impersonation;
  readonly #authorization;
  readonly #systemInformation;
  readonly #systemProperties;
  readonly #catalogProperties;

  constructor(rules: AccessRules, { groupsOf = noGroups, version = 0 }: { readonly version?: number; readonly groupsOf?: GroupsOf } = {}) {
    const optional = <R extends object>(list: readonly R[] | undefined): Rules<R> | undefined =>
      list === undefined ? undefined : new Rules(list, groupsOf);
    this.version = version;
    // As in Trino, the catalog `system` is open unless a rule says otherwise.
    this.#catalogs = optional(rules.catalogs && [...rules.catalogs, { catalog: "system", allow: "all" as const }]);
    this.#schemas = optional(rules.schemas);
    this.#tables = optional(rules.tables);
    this.#functions = optional(rules.functions);
    this.#procedures = optional(rules.procedures);
    this.#queries = optional(rules.queries);
    this.#principals = rules.principals?.map((rule) => ({ rule, pattern: compilePattern(rule.principal) }));
    this.#impersonation = optional(rules.impersonation);
    this.#authorization = new Rules(rules.authorization ?? [], groupsOf);
    this.#systemInformation = new Rules(rules.system_information ?? [], groupsOf);
    this.#systemProperties = optional(rules.system_session_properties);
    this.#catalogProperties = optional(rules.catalog_session_properties);
  }

  canSetUser(principal: string | undefined, user: string): boolean {
    if (this.#principals === undefined) {
      return true;
    }
    const decisive = this.#principals.find(({ pattern, rule }) => {
      const groups = principal === undefined ? null : pattern.exec(principal);
      return groups !== null && isUserOf(rule, groups, user);
    });
    return decisive?.rule.allow === true;
  }

  canImpersonate(user: string, other: string): boolean {
    const rules = this.#impersonation;
    if (rules === undefined) {
      return this.#principals !== undefined;
    }
    return rules.first({ original_user: user }, (rule) => isNewUser(rule, user, other))?.allow === true;
  }

  canExecuteQuery(user: string): boolean {
    return this.#mayQuery({ user }, "execute");
  }

  canViewQueryOf(user: string, owner: string): boolean {
    return user === owner || this.#mayQuery({ user, queryOwner: owner }, "view");
  }

  canKillQueryOf(user: string, owner: string): boolean {
    return user === owner || this.#mayQuery({ user, queryOwner: owner }, "kill");
  }

  canReadSystemInformation(user: string): boolean {
    return this.#systemInformation.first({ user })?.allow.includes("read") === true;
  }

  canWriteSystemInformation(user: string): boolean {
    return this.#systemInformation.first({ user })?.allow.includes("write") === true;
  }

  canSetSystemSessionProperty(user: string, property: string): boolean {
    return this.#systemProperties === undefined || this.#systemProperties.first({ user, property })?.allow === true;
  }

  canSetCatalogSessionProperty(user: string, catalog: string, property: string): boolean {
    const rules = this.#catalogProperties;
    return (
      this.canAccessCatalog(user, catalog, "read") && (rules === undefined || rules.first({ user, catalog, property })?.allow === true)
    );
  }

  canAccessCatalog(user: string, catalog: string, access: CatalogAccess): boolean {
    if (this.#catalogs === undefined) {
      return true;
    }
    const { allow } = this.#catalogs.first({ user, catalog }) ?? { allow: "none" };
    return catalogAccess[access].includes(allow === true ? "all" : allow === false ? "none" : allow);
  }

  canSeeCatalog(user: string, catalog: string): boolean {
    const inside = { user, catalog };
    return (
      this.canAccessCatalog(user, catalog, "read") &&
      (this.#ownsOrReads(inside) || this.#catalogProperties === undefined || this.#catalogProperties.any(inside, ({ allow }) => allow))
    );
  }

  canSeeSchema(user: string, { catalog, schema }: QualifiedSchema): boolean {
    return this.canAccessCatalog(user, catalog, "read") && this.#ownsOrReads({ user, catalog, schema });
  }

  isSchemaOwner(user: string, { catalog, schema }: QualifiedSchema): boolean {
    return (
      this.canAccessCatalog(user, catalog, "write") &&
      (this.#schemas === undefined || this.#schemas.first({ user, catalog, schema })?.owner === true)
    );
  }

  canSetOwner(user: string, owner: Principal): boolean {
    return this.#authorization.first({ original_user: user }, (rule) => isNewOwner(rule, owner))?.allow === true;
  }

  tableRights(user: string, { catalog, schema, table }: QualifiedRelation): TableRights {
    if (schema === informationSchema || this.#tables === undefined) {
      return allRights;
    }
    const rule = this.#tables.first({ user, catalog, schema, table });
    return rule === undefined ? noRights : rightsOf(rule);
  }

  routinePrivileges(user: string, { catalog, schema, name }: QualifiedRoutine): ReadonlySet<RoutinePrivilege> {
    if (catalog === builtin.catalog && schema === builtin.schema) {
      return allRoutinePrivileges;
    }
    return new Set(this.#functions?.first({ user, catalog, schema, function: name })?.privileges);
  }

  procedurePrivileges(user: string, { catalog, schema, name }: QualifiedRoutine): ReadonlySet<RoutinePrivilege> {
    if (this.#procedures === undefined) {
      return catalog === builtin.catalog && schema === builtin.schema ? allRoutinePrivileges : noPrivileges;
    }
    return new Set(this.#procedures.first({ user, catalog, schema, procedure: name })?.privileges);
  }

  #mayQuery(subject: Subject, access: "execute" | "view" | "kill"): boolean {
    return this.#queries === undefined || this.#queries.first(subject)?.allow.includes(access) === true;
  }

  #ownsOrReads(inside: Subject): boolean {
    return (
      this.#schemas === undefined ||
      this.#tables === undefined ||
      this.#schemas.any(inside, ({ owner }) => owner) ||
      this.#tables.any(inside, ({ privileges }) => privileges.length > 0) ||
      this.#functions?.any(inside, ({ privileges }) => privileges.length > 0) === true
    );
  }
}

function rightsOf({ columns, filter, filter_environment: environment, privileges }: TableRule): TableRights {
  return {
    privileges: new Set<TablePrivilege>(privileges),
    hiddenColumns: new Set(columns.filter(({ allow }) => !allow).map(({ name }) => name.toLowerCase())),
    ...(filter === undefined ? {} : { filter: secured(filter, environment) }),
    masks: new Map(
      columns.flatMap(({ mask, mask_environment, name }) =>
        mask === undefined ? [] : [[name.toLowerCase(), secured(mask, mask_environment)] as const],
      ),
    ),
  };
}

function secured(sql: string, environment: { readonly user?: string | undefined } | undefined): SecuredExpression {
  return { sql, ...(environment?.user === undefined ? {} : { user: environment.user }) };
}

type PrincipalRule = NonNullable<AccessRules["principals"]>[number];

function isUserOf({ principal_to_user: replacement, user: pattern }: PrincipalRule, groups: RegExpExecArray, user: string): boolean {
  return (
    (replacement !== undefined && withGroups(replacement, groups) === user) || (pattern !== undefined && compilePattern(pattern).test(user))
  );
}

/** Puts the texts of groups in the places of `$1` to `$9`; `$0` is the whole. A group that took no part is empty, as in Java. */
function withGroups(replacement: string, groups: RegExpExecArray): string {
  return replacement.replaceAll(/\$(\d)/g, (whole, index: string) =>
    Number(index) < groups.length ? (groups[Number(index)] ?? "") : whole,
  );
}

type ImpersonationRule = NonNullable<AccessRules["impersonation"]>[number];

/** `$1` in `new_user` is the text of the first group of `original_user`. */
function isNewUser({ new_user, original_user }: ImpersonationRule, user: string, other: string): boolean {
  const groups = original_user === undefined ? [user] : compilePattern(original_user).exec(user);
  const text = new_user.replaceAll(/\$(\d)/g, (whole, index: string) => {
    const group = groups?.[Number(index)];
    return group === undefined ? whole : group.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
  });
  return compilePattern(text).test(other);
}

type AuthorizationRule = NonNullable<AccessRules["authorization"]>[number];

/** A rule that names no user is for no user, and one that names no role for no role. */
function isNewOwner({ new_role: role, new_user: user }: AuthorizationRule, { name, type }: Principal): boolean {
  const pattern = type === "USER" ? user : role;
  return pattern !== undefined && compilePattern(pattern).test(name);
}
