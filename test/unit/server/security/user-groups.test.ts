/** The configured file of groups. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { groupsByUser } from "../../../../src/security/user-groups.ts";
import { createUserGroups, userGroupsFile } from "../../../../src/server/security/user-groups.ts";

let folder: string;
let path: string;
const log = { info: () => undefined, warn: () => undefined, error: (event: string) => void errors.push(event) };
let errors: string[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "orrery-groups-"));
  path = join(folder, "groups.txt");
  errors = [];
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

function fileOf(values: Readonly<Record<string, string>>): ReturnType<typeof userGroupsFile> {
  return userGroupsFile((name) => values[name] ?? (name === "file.refresh-period" ? "5s" : ""));
}

it("is read when it has changed, and stays in force when it is broken", () => {
  writeFileSync(path, "staff:ann");
  const groups = createUserGroups({ path, refreshMs: 0 }, log);
  const ofAnn = (): readonly string[] | undefined => groups && groupsByUser(groups.document())("ann");
  expect(ofAnn()).toEqual(["staff"]);
  writeFileSync(path, "staff:bob\nguests:ann,bob");
  expect(ofAnn()).toEqual(["guests"]);
  writeFileSync(path, "nobody knows what this is");
  expect([ofAnn(), errors]).toEqual([["guests"], ["user-groups-not-read"]]);
});

it("must be there at the start, and is named with its provider", () => {
  expect([fileOf({}), createUserGroups(undefined, log)]).toEqual([undefined, undefined]);
  expect(fileOf({ "group-provider.name": "file", "file.group-file": "/g", "file.refresh-period": "1m" })).toEqual({
    path: "/g",
    refreshMs: 60_000,
  });
  expect(() => fileOf({ "group-provider.name": "ldap" })).toThrow("invalid value 'ldap' for property 'group-provider.name': expected file");
  expect(() => fileOf({ "group-provider.name": "file" })).toThrow("group-provider.name=file and file.group-file need each other");
  expect(() => createUserGroups({ path, refreshMs: 0 }, log)).toThrow(`the file of groups of users ${path} cannot be used: ENOENT`);
});
