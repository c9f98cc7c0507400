/**
 * Grants against a model that was written from the documents of SQL standard authorization: random users grant, revoke, create, drop and
 * read, with random roles set, and the model says of each statement whether it is allowed.
 */
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Granted, type GrantingStep } from "../../sim/checkers/models/grants/granted.ts";
import { grantedPrivileges, grantStatement, setRoleText } from "../../sim/workload/grants.ts";
import { Asker } from "../support/service.ts";
import { type SimulatedService, startSimulatedService } from "../support/simulated-service.ts";

const users = ["root", "ann", "bob", "eve"] as const;
const roles = ["clerk", "chief"] as const;
const tables = ["default.t", "own.t"] as const;

type Speaker = Pick<GrantingStep, "user" | "set">;

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
  privilege: fc.constantFrom(...grantedPrivileges),
  party: fc.constantFrom(...users.map((user) => `u:${user}`), ...roles.map((role) => `r:${role}`), "r:public"),
  role: fc.constantFrom(...roles),
  option: fc.boolean(),
});

const step: fc.Arbitrary<GrantingStep> = fc.tuple(speaker, deed).map(([who, what]) => ({ ...who, ...what }));

let service: SimulatedService;
beforeAll(async () => {
  service = await startSimulatedService("grants-model", { properties: { "catalog.management": "dynamic" } });
});
afterAll(() => service.stop());

let catalogs = 0;

/** Runs the steps in a catalog of their own. Returns what they were, each with its outcome. */
async function check(steps: readonly GrantingStep[]): Promise<readonly string[]> {
  const catalog = `vault${catalogs++}`;
  const root = new Asker(service, { "x-trino-user": "root" });
  await root.rows(`CREATE CATALOG ${catalog} USING memory WITH ("memory.security" = 'sql-standard', "memory.admin-users" = 'root')`);
  await root.rows(`CREATE SCHEMA ${catalog}.own AUTHORIZATION ann`, { "x-trino-role": `${catalog}=${encodeURIComponent("ROLE{admin}")}` });
  let model = Granted.begin({ admin: "root", schemaOwners: { own: "u:ann" } });
  const seen: string[] = [];
  for (const one of steps) {
    const text = setRoleText(one);
    const role = text === undefined ? {} : { "x-trino-role": `${catalog}=${encodeURIComponent(text)}` };
    const sql = grantStatement(one, catalog);
    const { error } = await new Asker(service, { "x-trino-user": one.user, ...role }).answer(sql);
    const got = error === undefined ? "done" : error.errorName === "PERMISSION_DENIED" ? "denied" : "error";
    const expected = !model.allows(one) ? "denied" : model.isPossible(one) ? "done" : "error";
    model = expected === "done" ? model.after(one) : model;
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
