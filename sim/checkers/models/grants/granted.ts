/**
 * The rights of users in a catalog that keeps them itself, written from docs/security.md ("Roles and grants") and the documents of SQL
 * standard authorization. Everything that was granted is a set of texts. Values are immutable.
 */
import type { GrantStep } from "../../../workload/grants.ts";

export interface GrantingStep extends GrantStep {
  readonly user: string;
}

interface Said {
  readonly roles: ReadonlySet<string>;
  /** Table to owner. */
  readonly owned: ReadonlyMap<string, string>;
  /** `party table privilege` to whether it may be passed on. */
  readonly granted: ReadonlyMap<string, boolean>;
  /** `party role` to whether it may be passed on. */
  readonly members: ReadonlyMap<string, boolean>;
}

export interface VaultBeginning {
  /** User who has the role `admin` by the configuration. */
  readonly admin: string;
  /** Party who owns the schema; nobody owns `default`. */
  readonly schemaOwners?: Readonly<Record<string, string>>;
}

export class Granted {
  readonly #said: Said;
  readonly #schemaOwners: Readonly<Record<string, string>>;
  #key: string | undefined;

  private constructor(said: Said, schemaOwners: Readonly<Record<string, string>>) {
    this.#said = said;
    this.#schemaOwners = schemaOwners;
  }

  static begin({ admin, schemaOwners = {} }: VaultBeginning): Granted {
    return new Granted(
      { roles: new Set(), owned: new Map(), granted: new Map(), members: new Map([[`u:${admin} admin`, true]]) },
      schemaOwners,
    );
  }

  /** Equal for equal rights. */
  get key(): string {
    const { granted, members, owned, roles } = this.#said;
    this.#key ??= JSON.stringify([roles, owned, granted, members].map((part) => [...part].map(String).sort()));
    return this.#key;
  }

  /** Whether the user may do that now. */
  allows(step: GrantingStep): boolean {
    const parties = this.#partiesOf(step);
    if (parties === undefined) {
      return false;
    }
    const { action, privilege, role, table, user } = step;
    const { granted, owned } = this.#said;
    const isAdmin = parties.has("r:admin");
    const owner = owned.get(table);
    const [schema = ""] = table.split(".");
    const ownsSchema = isAdmin || parties.has(this.#schemaOwners[schema] ?? "");
    const owns = isAdmin || (owner === undefined ? ownsSchema : parties.has(owner));
    const has = (isToPassOn: boolean): boolean =>
      [...parties].some((one) => {
        const found = granted.get(`${one} ${table} ${privilege}`);
        return found !== undefined && (found || !isToPassOn);
      });
    switch (action) {
      case "create":
        return schema === "default" || ownsSchema;
      case "drop":
      case "give":
        return owns;
      case "use":
        // What a statement reads is checked once the table is found.
        return (owner === undefined && privilege === "SELECT") || owns || has(false);
      case "grant":
      case "revoke":
        return owns || has(true);
      case "create-role":
      case "drop-role":
        return isAdmin;
      case "grant-role":
      case "revoke-role":
        return isAdmin || this.#reach(`u:${user}`).some((one) => one.role === role && one.option);
    }
  }

  /** Whether what the statement names is there, or is not there yet. */
  isPossible({ action, party, role, table }: GrantingStep): boolean {
    const { owned, roles } = this.#said;
    const isParty = !party.startsWith("r:") || party === "r:public" || roles.has(party.slice(2));
    switch (action) {
      case "create":
        return !owned.has(table);
      case "drop":
      case "use":
        return owned.has(table);
      case "grant":
      case "revoke":
      case "give":
        return owned.has(table) && isParty;
      case "create-role":
        return !roles.has(role);
      case "drop-role":
        return roles.has(role);
      case "grant-role":
      case "revoke-role":
        return roles.has(role) && isParty && !(action === "grant-role" && this.#isBelow(party, role));
    }
  }

  /** The rights after a statement that was possible. */
  after({ action, option, party, privilege, role, table, user }: GrantingStep): Granted {
    const { granted, members, owned, roles } = this.#said;
    switch (action) {
      case "use":
        return this;
      case "create":
        return this.#with({ owned: withEntry(owned, table, `u:${user}`) });
      case "give":
        return this.#with({ owned: withEntry(owned, table, party) });
      case "drop":
        return this.#with({
          owned: without(owned, (one) => one === table),
          granted: without(granted, (key) => key.split(" ")[1] === table),
        });
      case "grant":
        return this.#with({ granted: added(granted, `${party} ${table} ${privilege}`, option) });
      case "revoke":
        return this.#with({ granted: removed(granted, `${party} ${table} ${privilege}`, option) });
      case "create-role":
        return this.#with({ roles: new Set([...roles, role]) });
      case "drop-role":
        return this.#with({
          roles: new Set([...roles].filter((one) => one !== role)),
          granted: without(granted, (key) => key.startsWith(`r:${role} `)),
          members: without(members, (key) => key.startsWith(`r:${role} `) || key.endsWith(` ${role}`)),
        });
      case "grant-role":
        return this.#with({ members: added(members, `${party} ${role}`, option) });
      case "revoke-role":
        return this.#with({ members: removed(members, `${party} ${role}`, option) });
    }
  }

  #with(changes: Partial<Said>): Granted {
    return new Granted({ ...this.#said, ...changes }, this.#schemaOwners);
  }

  #isBelow(party: string, role: string): boolean {
    return party === `r:${role}` || this.#reach(`r:${role}`).some((one) => `r:${one.role}` === party);
  }

  /** Roles that the party has, itself or through roles. */
  #reach(party: string): readonly { readonly role: string; readonly option: boolean }[] {
    const own = [...this.#said.members].flatMap(([key, option]) => {
      const [who, role = ""] = key.split(" ");
      return who === party ? [{ role, option }] : [];
    });
    return own.flatMap((member) => [member, ...this.#reach(`r:${member.role}`)]);
  }

  /** For whom the user speaks; undefined if the role may not be set. */
  #partiesOf({ set, user }: GrantingStep): ReadonlySet<string> | undefined {
    const mine = `u:${user}`;
    const all = this.#reach(mine).map(({ role }) => role);
    if (set === "NONE") {
      return new Set([mine, "r:public"]);
    }
    if (set !== "") {
      return all.includes(set)
        ? new Set([mine, "r:public", `r:${set}`, ...this.#reach(`r:${set}`).map(({ role }) => `r:${role}`)])
        : undefined;
    }
    return new Set([mine, "r:public", ...all.filter((role) => role !== "admin").map((role) => `r:${role}`)]);
  }
}

function withEntry<V>(map: ReadonlyMap<string, V>, key: string, value: V): ReadonlyMap<string, V> {
  return new Map([...map, [key, value]]);
}

function without<V>(map: ReadonlyMap<string, V>, isGone: (key: string) => boolean): ReadonlyMap<string, V> {
  return new Map([...map].filter(([key]) => !isGone(key)));
}

/** A grant that is there may gain the option to pass it on. */
function added(grants: ReadonlyMap<string, boolean>, key: string, option: boolean): ReadonlyMap<string, boolean> {
  return withEntry(grants, key, option || grants.get(key) === true);
}

/** `onlyOption`: the grant stays, and cannot be passed on. */
function removed(grants: ReadonlyMap<string, boolean>, key: string, onlyOption: boolean): ReadonlyMap<string, boolean> {
  return onlyOption && grants.has(key) ? withEntry(grants, key, false) : without(grants, (one) => one === key);
}
