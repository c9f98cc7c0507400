/** Rules that change: from the next statement on, also for statements whose plans are kept. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type AccessRules, parseAccessRules } from "../../src/security/rules.ts";
import { createAccessControl } from "../../src/server/security/access/access-control.ts";
import { Asker } from "../support/service.ts";
import { startSimulatedService } from "../support/simulated-service.ts";

let folder: string;
let path: string;
let errors: unknown[];
const log = { info: () => undefined, warn: () => undefined, error: (event: string, fields: unknown) => void errors.push([event, fields]) };

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "orrery-rules-"));
  path = join(folder, "rules.json");
  errors = [];
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

function rulesOf(table: object): string {
  return JSON.stringify({ tables: [table] });
}

it("apply to plans that were kept", async () => {
  const versions = [
    { privileges: ["SELECT"] },
    { privileges: ["SELECT"], filter: "regionkey = 1" },
    { privileges: ["SELECT"], columns: [{ name: "name", mask: "CAST('x' AS varchar(25))" }] },
    { privileges: [] },
  ].map((table) => parseAccessRules({ tables: [table] }));
  const [first] = versions as [AccessRules];
  const service = await startSimulatedService("refresh", { access: first });
  const ann = new Asker(service, { "x-trino-user": "ann" });
  const answers: unknown[] = [];
  for (const version of [...versions, first]) {
    service.cluster.node("c")?.access.replace(version);
    for (let round = 0; round < 2; round++) {
      const { error, rows } = await ann.answer("SELECT max(name), count(*) FROM tpch.tiny.region");
      answers.push(error?.message ?? rows[0]);
    }
  }
  await service.stop();
  const expected = [
    ["MIDDLE EAST", 5],
    ["AMERICA", 1],
    ["x", 5],
    "Access Denied: Cannot select from columns [name] in table or view tpch.tiny.region",
    ["MIDDLE EAST", 5],
  ];
  expect(answers).toEqual(expected.flatMap((one) => [one, one]));
});

it("apply with the groups of the moment", async () => {
  const access = parseAccessRules({ tables: [{ group: "staff", privileges: ["SELECT"] }] });
  const service = await startSimulatedService("groups", { access, userGroups: [{ group: "staff", users: ["bob"] }] });
  const ann = new Asker(service, { "x-trino-user": "ann" });
  const answers: unknown[] = [];
  for (const users of [["bob", "ann"], ["bob"]]) {
    for (const sql of ["SELECT count(*) FROM tpch.tiny.region", "SELECT cardinality(current_groups())"]) {
      answers.push((await ann.answer(sql)).rows[0]?.[0] ?? "refused");
    }
    service.cluster.node("c")?.access.replaceGroups([{ group: "staff", users }]);
  }
  answers.push((await ann.answer("SELECT count(*) FROM tpch.tiny.region")).rows[0]?.[0] ?? "refused");
  await service.stop();
  expect(answers).toEqual(["refused", 0, 5, 1, "refused"]);
});

it("are read from the file when it has changed, and stay in force when it is broken", async () => {
  writeFileSync(path, rulesOf({ user: "ann", privileges: ["SELECT"] }));
  const access = await createAccessControl({ access: { location: path, pointer: "", refreshMs: 0 }, authentication: undefined }, log);
  const mayRead = (): boolean | undefined =>
    access?.accessControl().tableRights("ann", { catalog: "c", schema: "s", table: "t" }).privileges.has("SELECT");
  expect([mayRead(), access?.accessControl().version]).toEqual([true, 1]);
  writeFileSync(path, rulesOf({ user: "bob", privileges: ["SELECT"] }));
  expect([mayRead(), access?.accessControl().version]).toEqual([false, 2]);
  writeFileSync(path, rulesOf({ usr: "ann", privileges: ["SELECT"] }));
  expect(mayRead()).toBe(false);
  writeFileSync(path, "{");
  expect(mayRead()).toBe(false);
  expect(errors).toHaveLength(2);
  expect(errors[0]).toEqual([
    "access-rules-not-read",
    { reason: expect.stringMatching(/^Invalid access rules at \$\.tables\.0/) as string },
  ]);
  rmSync(path);
  expect([mayRead(), access?.accessControl().version]).toEqual([false, access?.accessControl().version]);
});

it("are told to the node after each change that is taken over", async () => {
  writeFileSync(path, rulesOf({ user: "ann", privileges: ["SELECT"] }));
  const access = await createAccessControl({ access: { location: path, pointer: "", refreshMs: 1 }, authentication: undefined }, log);
  const told: unknown[] = [];
  let next: () => void = () => undefined;
  const change = (text: string): Promise<void> => {
    const taken = new Promise<void>((resolve) => {
      next = resolve;
    });
    writeFileSync(path, text);
    return taken;
  };
  const stop = access?.watch((configuration) => {
    told.push(configuration);
    next();
  });
  await change(rulesOf({ user: "bob", privileges: [] }));
  await change(rulesOf({ user: "carl", privileges: [] }));
  stop?.();
  expect(told).toEqual(["bob", "carl"].map((user) => parseAccessRules({ tables: [{ user, privileges: [] }] })));
  expect(access?.configuration()).toEqual(told[1]);
});

async function started(location: string, pointer = ""): Promise<boolean | undefined> {
  const access = await createAccessControl({ access: { location, pointer, refreshMs: 0 }, authentication: undefined }, log);
  return access?.accessControl().canExecuteQuery("ann");
}

it("may lie within a document", async () => {
  writeFileSync(path, '{"data": {"a/b~": [{"queries": []}]}, "queries": 1}');
  expect(await started(path, "/data/a~1b~0/0")).toBe(false);
  for (const pointer of ["/nothing", "/data/a~1b~0/1", "/data/toString", "/queries/0"]) {
    await expect(started(path, pointer)).rejects.toThrow(`nothing is at ${pointer}`);
  }
  await expect(started(path, "/data")).rejects.toThrow("Invalid access rules at $");
});

it("that cannot be read are no start of a server", async () => {
  await expect(started(path)).rejects.toThrow(`the file of access rules ${path} cannot be used: ENOENT`);
  writeFileSync(path, '{"tables": 1}');
  await expect(started(path)).rejects.toThrow("Invalid access rules at $.tables");
});
