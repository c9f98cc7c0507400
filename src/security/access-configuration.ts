/**
 * Rights and groups of users as a node's configuration has them. Plain data, so that a recording of the node holds them and a plan of the
 * simulator can draw them.
 */
import type { AccessControl } from "./access-control.ts";
import { defaultAccessControl } from "./default-access-control.ts";
import { RuleAccessControl } from "./rule-access-control.ts";
import type { AccessRules } from "./rules.ts";
import { type GroupsOf, groupsByUser, noGroups, type UserGroupsDocument } from "./user-groups.ts";

/** Rules; or `default`, the rights of authenticated users without rules. */
export type AccessConfiguration = "default" | AccessRules;

/**
 * The built-in sets of rights of Trino's `access-control.name`. With `read-only` users read, run statements, set session properties and
 * see queries; they end only their own, and write nothing.
 */
export const builtInRights = Object.freeze<Readonly<Record<string, AccessConfiguration>>>({
  default: "default",
  "read-only": {
    catalogs: [{ allow: "read-only" }],
    queries: [{ allow: ["execute", "view"] }],
    functions: [{ privileges: ["EXECUTE", "GRANT_EXECUTE"] }],
    procedures: [],
  },
  "allow-all": {
    functions: [{ privileges: ["EXECUTE", "GRANT_EXECUTE", "OWNERSHIP"] }],
    procedures: [{ privileges: ["EXECUTE", "GRANT_EXECUTE"] }],
    impersonation: [{ new_user: ".*", allow: true }],
    authorization: [{ new_user: ".*", new_role: ".*", allow: true }],
    system_information: [{ allow: ["read", "write"] }],
  },
});

/** The rights and the groups of users of a node, from its configuration at its start, and from later ones. */
export class CurrentAccess {
  #version = 0;
  #configuration: AccessConfiguration | undefined;
  #groupsOf: GroupsOf;
  #accessControl: AccessControl | undefined;

  constructor(configuration: AccessConfiguration | undefined, groups: UserGroupsDocument = []) {
    this.#configuration = configuration;
    this.#groupsOf = groupsByUser(groups);
    this.#accessControl = accessControlOf(configuration, { version: 0, groupsOf: this.groupsOf });
  }

  /** Undefined if all users may do everything, and be anybody. */
  readonly now = (): AccessControl | undefined => this.#accessControl;

  readonly groupsOf: GroupsOf = (user) => this.#groupsOf(user);

  /** Holds from the next request on. Plans that were kept are made anew. */
  replace(configuration: AccessConfiguration): void {
    this.#configuration = configuration;
    this.#renew();
  }

  /** As `replace`. */
  replaceGroups(groups: UserGroupsDocument): void {
    this.#groupsOf = groupsByUser(groups);
    this.#renew();
  }

  #renew(): void {
    this.#version += 1;
    this.#accessControl = accessControlOf(this.#configuration, { version: this.#version, groupsOf: this.groupsOf });
  }
}

/** `version` differs after each change of the configuration. Undefined if all users may do everything, and be anybody. */
export function accessControlOf(
  configuration: AccessConfiguration | undefined,
  { groupsOf = noGroups, version }: { readonly version: number; readonly groupsOf?: GroupsOf },
): AccessControl | undefined {
  if (configuration === undefined) {
    return undefined;
  }
  return configuration === "default" ? defaultAccessControl : new RuleAccessControl(configuration, { version, groupsOf });
}
