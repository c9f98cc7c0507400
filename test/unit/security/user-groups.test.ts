/** Groups of users: the file, and rules that name groups. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { canSelect } from "../../../src/security/access-control.ts";
import { RuleAccessControl } from "../../../src/security/rule-access-control.ts";
import { parseAccessRules } from "../../../src/security/rules.ts";
import { groupsByUser, parseUserGroups } from "../../../src/security/user-groups.ts";

const name = fc.stringMatching(/^[a-z_$.]{1,8}$/);

describe("the file", () => {
  test("gives each user the groups that list it, in their order", () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ group: name, users: fc.array(name) })),
        fc.constantFrom("\n", "\r\n"),
        name,
        (groups, end, other) => {
          const text = groups.map(({ group, users }) => ` ${group} :${users.map((user) => ` ${user} `).join(",")}`).join(`${end}${end}`);
          const groupsOf = groupsByUser(parseUserGroups(text));
          for (const user of [other, "__proto__", ...groups.flatMap(({ users }) => users)]) {
            const listing = groups.filter(({ users }) => users.includes(user)).map(({ group }) => group);
            expect(groupsOf(user)).toEqual([...new Set(listing)]);
          }
        },
      ),
    );
  });

  test.each(["staff", ":ann", "a:b\n\nstaff"])("that has no two parts is refused: %j", (text) => {
    expect(() => parseUserGroups(text)).toThrow(
      `Error in group file line ${String(text.split("\n").length)}: Expected two parts for group and users`,
    );
  });
});

describe("rules that name groups", () => {
  const groupsOf = groupsByUser([
    { group: "staff", users: ["ann", "bob"] },
    { group: "guests", users: ["cid"] },
  ]);
  const access = new RuleAccessControl(
    parseAccessRules({
      catalogs: [{ group: "guests", catalog: "secret", allow: "none" }, { allow: "all" }],
      schemas: [{ group: "staff", schema: "of_staff", owner: true }],
      tables: [
        { user: "bob", group: "guests", privileges: ["DELETE"] },
        { group: "guests", table: "t", privileges: ["SELECT"], columns: [{ name: "private", allow: false }] },
        { group: "sta", privileges: [] },
        { group: ".*f", privileges: ["SELECT", "INSERT"] },
      ],
      queries: [{ group: "staff", allow: ["execute", "view"] }],
    }),
    { groupsOf },
  );
  const table = { catalog: "c", schema: "s", table: "t" };

  test("are for the users of a group whose whole name matches", () => {
    expect([...access.tableRights("ann", table).privileges]).toEqual(["SELECT", "INSERT"]);
    expect([...access.tableRights("bob", table).privileges]).toEqual(["SELECT", "INSERT"]);
    expect([canSelect(access, "cid", table, ["open"]), canSelect(access, "cid", table, ["private"])]).toEqual([true, false]);
    expect([...access.tableRights("cid", { ...table, table: "u" }).privileges]).toEqual([]);
    expect([...access.tableRights("dan", table).privileges]).toEqual([]);
  });

  test("hold for catalogs, schemas and queries too", () => {
    const users = ["ann", "cid", "dan"];
    expect(users.map((user) => access.canAccessCatalog(user, "secret", "read"))).toEqual([true, false, true]);
    expect(users.map((user) => access.isSchemaOwner(user, { catalog: "c", schema: "of_staff" }))).toEqual([true, false, false]);
    expect(users.map((user) => access.canExecuteQuery(user))).toEqual([true, false, false]);
    expect(users.map((user) => access.canSeeSchema(user, { catalog: "c", schema: "s" }))).toEqual([true, true, false]);
  });
});
