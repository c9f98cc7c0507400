/**
 * Grants against a model that was written from the documents of SQL standard authorization: random users grant, revoke, create, drop and
 * read, with random roles set, and the model says of each statement whether it is allowed.
 */
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Asker } from "../support/service.ts";
import { type SimulatedService, startSimulatedService } from "../support/simulated-service.ts";

const users = ["root", "ann", "bob", "eve"] as const;
const roles = ["clerk", "chief"] as const;
const tables = ["default.t", "own.t"] as const;
const privileges = ["SELECT", "DELETE", "INSERT", "UPDATE"] as const;

/** `u:ann`, `r:clerk`. */
type Party = string;
type Privilege = (typeof privileges)[number];

interface Step {
  readonly user: (typeof users)[number];
  readonly set: "" | "NONE" | "admin" | (typeof roles)[number];
  readonly action: "create" | "drop" | "use" | "grant" | "revoke" | "give" | "create-role" | "drop-role" | "grant-role" | "revoke-role";
  readonly table: (typeof tables)[number];
  readonly privilege: Privilege;
  readonly party: Party;
  readonly role: (typeof roles)[number];
  readonly option: boolean;
}

type Speaker = Pick<Step, "user" | "set">;

const speaker: fc.Arbitrary<Speaker> = fc.oneof(
  { weight: 2, arbitrary: fc.constant<Speaker>({ user: "root", set: "admin" }) },
  { weight: 6, arbitrary: fc.record({ user: fc.constantFrom(...users), set: fc.constant("" as const) }) },
  {
    weight: 3,
    arbitrary: fc.record({ user: fc.constantFrom(...users), set: fc.constantFrom("NONE" as const, "admin" as const, ...roles) }),
  },
);

const deed = fc.record({
  action: fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom("use" as const) },
    { weight: 5, arbitrary: fc.constantFrom("grant" as const, "grant-role" as const, "create" as const, "create-role" as const) },
    {
      weight: 3,
      arbitrary: fc.constantFrom("revoke" as const, "give" as const, "drop" as const, "drop-role" as const, "revoke-role" as const),
    },
  ),
  table: fc.constantFrom(...tables),
  privilege: fc.constantFrom(...privileges),
  party: fc.constantFrom(...users.map((user) => `u:${user}`), ...roles.map((role) => `r:${role}`), "r:public"),
  role: fc.constantFrom(...roles),
  option: fc.boolean(),
});

const step: fc.Arbitrary<Step> = fc.tuple(speaker, deed).map(([who, what]) => ({ ...who, ...what }));

/** Everything that was said, as sets of texts. `owned`: table to owner. */
class Model {
  readonly roles = new Set<string>();
  readonly owned = new Map<string, Party>();
  /** `party table privilege` to whether it may be passed on. */
  readonly granted = new Map<string, boolean>();
  /** `party role` to whether it may be passed on. */
  readonly members = new Map<string, boolean>([["u:root admin", true]]);

  /** Roles that the party has, itself or through roles. */
  reach(party: Party): readonly { readonly role: string; readonly option: boolean }[] {
    const own = [...this.members].flatMap(([key, option]) => {
      const [who, role = ""] = key.split(" ");
      return who === party ? [{ role, option }] : [];
    });
    return own.flatMap((member) => [member, ...this.reach(`r:${member.role}`)]);
  }

  /** For whom the user speaks; undefined if the role may not be set. */
  parties({ set, user }: Step): ReadonlySet<Party> | undefined {
    const mine = `u:${user}`;
    const all = this.reach(mine).map(({ role }) => role);
    if (set === "NONE") {
      return new Set([mine, "r:public"]);
    }
    if (set !== "") {
      return all.includes(set)
        ? new Set([mine, "r:public", `r:${set}`, ...this.reach(`r:${set}`).map(({ role }) => `r:${role}`)])
        : undefined;
    }
    return new Set([mine, "r:public", ...all.filter((role) => role !== "admin").map((role) => `r:${role}`)]);
  }

  /** "denied", "error" for what is allowed but not possible, or "done", after which the model is changed. */
  run(step: Step): "denied" | "error" | "done" {
    const parties = this.parties(step);
    if (parties === undefined) {
      return "denied";
    }
    const { action, option, party, privilege, role, table, user } = step;
    const isAdmin = parties.has("r:admin");
    const owner = this.owned.get(table);
    const ownsSchema = isAdmin || (table === "own.t" && parties.has("u:ann"));
    const owns = isAdmin || (owner === undefined ? ownsSchema : parties.has(owner));
    const key = `${party} ${table} ${privilege}`;
    const isParty = !party.startsWith("r:") || party === "r:public" || this.roles.has(party.slice(2));
    const result = (allowed: boolean, possible: boolean, change: () => void): "denied" | "error" | "done" => {
      if (allowed && possible) {
        change();
      }
      return !allowed ? "denied" : possible ? "done" : "error";
    };
    switch (action) {
      case "create":
        return result(table === "default.t" || ownsSchema, owner === undefined, () => this.owned.set(table, `u:${user}`));
      case "drop":
        return result(owns, owner !== undefined, () => {
          this.owned.delete(table);
          this.forget(({ table: other }) => other === table);
        });
      case "use":
        // What a statement reads is checked once the table is found.
        return result(
          owner === undefined && privilege === "SELECT"
            ? true
            : owns || [...parties].some((one) => this.granted.has(`${one} ${table} ${privilege}`)),
          owner !== undefined,
          () => undefined,
        );
      case "grant":
      case "revoke": {
        const mayPass = owns || [...parties].some((one) => this.granted.get(`${one} ${table} ${privilege}`) === true);
        return result(mayPass, owner !== undefined && isParty, () => {
          const former = this.granted.get(key);
          if (action === "grant") {
            this.granted.set(key, option || former === true);
          } else if (former !== undefined) {
            if (option) {
              this.granted.set(key, false);
            } else {
              this.granted.delete(key);
            }
          }
        });
      }
      case "give":
        return result(owns, owner !== undefined && isParty, () => this.owned.set(table, party));
      case "create-role":
        return result(isAdmin, !this.roles.has(role), () => this.roles.add(role));
      case "drop-role":
        return result(isAdmin, this.roles.has(role), () => {
          this.roles.delete(role);
          this.forget(({ party: other }) => other === `r:${role}`);
          [...this.members.keys()]
            .filter((one) => one.startsWith(`r:${role} `) || one.endsWith(` ${role}`))
            .forEach((one) => this.members.delete(one));
        });
      case "grant-role":
      case "revoke-role": {
        const mayPass = isAdmin || this.reach(`u:${user}`).some((one) => one.role === role && one.option);
        const isCircle =
          action === "grant-role" && (party === `r:${role}` || this.reach(`r:${role}`).some((one) => `r:${one.role}` === party));
        return result(mayPass, this.roles.has(role) && isParty && !isCircle, () => {
          const member = `${party} ${role}`;
          const former = this.members.get(member);
          if (action === "grant-role") {
            this.members.set(member, option || former === true);
          } else if (former !== undefined && option) {
            this.members.set(member, false);
          } else {
            this.members.delete(member);
          }
        });
      }
    }
  }

  forget(isGone: (grant: { readonly party: string; readonly table: string }) => boolean): void {
    for (const key of this.granted.keys()) {
      const [party = "", table = ""] = key.split(" ");
      if (isGone({ party, table })) {
        this.granted.delete(key);
      }
    }
  }
}

function sqlOf({ action, option, party, privilege, role, table: name }: Step, catalog: string): string {
  const table = `${catalog}."${name.replace(".", '".')}`;
  const who = `${party.startsWith("u:") ? "USER" : "ROLE"} ${party.slice(2)}`;
  switch (action) {
    case "create":
      return `CREATE TABLE ${table} (id bigint)`;
    case "drop":
      return `DROP TABLE ${table}`;
    case "use":
      return {
        SELECT: `SELECT id FROM ${table}`,
        DELETE: `DELETE FROM ${table}`,
        INSERT: `INSERT INTO ${table} VALUES 1`,
        UPDATE: `UPDATE ${table} SET id = 2`,
      }[privilege];
    case "grant":
      return `GRANT ${privilege} ON ${table} TO ${who}${option ? " WITH GRANT OPTION" : ""}`;
    case "revoke":
      return `REVOKE ${option ? "GRANT OPTION FOR " : ""}${privilege} ON ${table} FROM ${who}`;
    case "give":
      return `ALTER TABLE ${table} SET AUTHORIZATION ${who}`;
    case "create-role":
      return `CREATE ROLE ${role} IN ${catalog}`;
    case "drop-role":
      return `DROP ROLE ${role} IN ${catalog}`;
    case "grant-role":
      return `GRANT ${role} TO ${who}${option ? " WITH ADMIN OPTION" : ""} IN ${catalog}`;
    case "revoke-role":
      return `REVOKE ${option ? "ADMIN OPTION FOR " : ""}${role} FROM ${who} IN ${catalog}`;
  }
}

let service: SimulatedService;
beforeAll(async () => {
  service = await startSimulatedService("grants-model", { properties: { "catalog.management": "dynamic" } });
});
afterAll(() => service.stop());

let catalogs = 0;

/** Runs the steps in a catalog of their own. Returns what they were, each with its outcome. */
async function check(steps: readonly Step[]): Promise<readonly string[]> {
  const catalog = `vault${catalogs++}`;
  const root = new Asker(service, { "x-trino-user": "root" });
  await root.rows(`CREATE CATALOG ${catalog} USING memory WITH ("memory.security" = 'sql-standard', "memory.admin-users" = 'root')`);
  await root.rows(`CREATE SCHEMA ${catalog}.own AUTHORIZATION ann`, { "x-trino-role": `${catalog}=${encodeURIComponent("ROLE{admin}")}` });
  const model = new Model();
  const seen: string[] = [];
  for (const one of steps) {
    const text = one.set === "" ? "" : one.set === "NONE" ? "NONE" : `ROLE{${one.set}}`;
    const role = text === "" ? {} : { "x-trino-role": `${catalog}=${encodeURIComponent(text)}` };
    const sql = sqlOf(one, catalog);
    const { error } = await new Asker(service, { "x-trino-user": one.user, ...role }).answer(sql);
    const got = error === undefined ? "done" : error.errorName === "PERMISSION_DENIED" ? "denied" : "error";
    const expected = model.run(one);
    seen.push(`${one.action} ${expected}`);
    expect({ user: one.user, set: one.set, sql, outcome: got, message: error?.message }).toMatchObject({ outcome: expected });
  }
  await root.rows(`DROP CATALOG ${catalog}`);
  return seen;
}

it("allow what the model allows, statement by statement", async () => {
  const steps = fc.array(step, { minLength: 8, maxLength: 40, size: "max" });
  await fc.assert(
    fc.asyncProperty(steps, async (all) => void (await check(all))),
    { numRuns: Number(process.env["GRANTS_RUNS"] ?? 8) },
  );
});

it("allow and deny each action in a long history, always the same", async () => {
  const steps = fc.sample(fc.array(step, { minLength: 250, maxLength: 250, size: "max" }), { seed: 1, numRuns: 1 })[0] ?? [];
  const seen = new Set(await check(steps));
  const actions = ["create", "drop", "use", "grant", "revoke", "give", "create-role", "grant-role"];
  expect(actions.flatMap((action) => ["done", "denied"].map((end) => `${action} ${end}`).filter((one) => !seen.has(one)))).toEqual([]);
});
