import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { accessControlOf, builtInRights } from "../../../src/security/access-configuration.ts";
import { type AccessControl, canSelect, hasTablePrivilege } from "../../../src/security/access-control.ts";
import { RuleAccessControl } from "../../../src/security/rule-access-control.ts";
import { parseAccessRules } from "../../../src/security/rules.ts";
import { visibilityFor } from "../../../src/security/visibility.ts";

function access(document: unknown): RuleAccessControl {
  return new RuleAccessControl(parseAccessRules(document));
}

const table = { catalog: "c", schema: "s", table: "t" };

describe("rules", () => {
  it("of no kind allow everything, except impersonation, system information and functions of catalogs", () => {
    const open = access({});
    expect([...open.tableRights("ann", table).privileges]).toHaveLength(6);
    expect([open.canAccessCatalog("ann", "c", "own"), open.isSchemaOwner("ann", table), open.canSeeCatalog("ann", "c")]).toEqual([
      true,
      true,
      true,
    ]);
    expect([open.canExecuteQuery("ann"), open.canViewQueryOf("ann", "bob"), open.canKillQueryOf("ann", "bob")]).toEqual([true, true, true]);
    expect([open.canImpersonate("ann", "bob"), open.canReadSystemInformation("ann"), open.canWriteSystemInformation("ann")]).toEqual([
      false,
      false,
      false,
    ]);
    expect([...open.routinePrivileges("ann", { catalog: "c", schema: "s", name: "f" })]).toEqual([]);
    expect(open.routinePrivileges("ann", { catalog: "system", schema: "builtin", name: "f" }).has("EXECUTE")).toBe(true);
    expect([...open.procedurePrivileges("ann", { catalog: "system", schema: "runtime", name: "kill_query" })]).toEqual([]);
  });

  it("of a kind that has none allow nothing of the kind", () => {
    const shut = access({
      catalogs: [],
      schemas: [],
      tables: [],
      queries: [],
      system_session_properties: [],
      catalog_session_properties: [],
    });
    expect([...shut.tableRights("ann", table).privileges]).toEqual([]);
    expect([shut.canAccessCatalog("ann", "c", "read"), shut.canAccessCatalog("ann", "system", "read")]).toEqual([false, true]);
    expect([shut.isSchemaOwner("ann", table), shut.canExecuteQuery("ann"), shut.canSeeCatalog("ann", "c")]).toEqual([false, false, false]);
    expect([shut.canSetSystemSessionProperty("ann", "x"), shut.canSetCatalogSessionProperty("ann", "c", "x")]).toEqual([false, false]);
    // A query is its user's, whatever the rules say.
    expect([shut.canViewQueryOf("ann", "ann"), shut.canKillQueryOf("ann", "ann"), shut.canViewQueryOf("ann", "bob")]).toEqual([
      true,
      true,
      false,
    ]);
  });

  it("are read from the top, and the first that matches decides", () => {
    const one = access({
      tables: [
        { user: "banned", privileges: [] },
        { user: ".*", schema: "open", privileges: ["SELECT"] },
        { user: "ann", privileges: ["SELECT", "INSERT"] },
      ],
    });
    const privileges = (user: string, schema: string): readonly string[] => [...one.tableRights(user, { ...table, schema }).privileges];
    expect([privileges("ann", "open"), privileges("ann", "s"), privileges("banned", "open"), privileges("eve", "s")]).toEqual([
      ["SELECT"],
      ["SELECT", "INSERT"],
      [],
      [],
    ]);
  });

  it("match whole names", () => {
    const one = access({ tables: [{ user: "ann|bob", table: "t.*", privileges: ["SELECT"] }] });
    const mayRead = (user: string, name: string): boolean => canSelect(one, user, { ...table, table: name }, []);
    expect([
      mayRead("ann", "t1"),
      mayRead("bob", "t"),
      mayRead("anna", "t"),
      mayRead("xbob", "t"),
      mayRead("ann", "at"),
      mayRead("ann\nx", "t"),
    ]).toEqual([true, true, false, false, false, false]);
    expect(access({ tables: [{ user: "(?i)ANN", privileges: ["SELECT"] }] }).tableRights("ann", table).privileges.size).toBe(1);
  });

  it("that name roles or groups are for nobody, because there are none", () => {
    const one = access({
      tables: [
        { role: ".*", privileges: ["SELECT"] },
        { group: "admin", privileges: ["SELECT"] },
      ],
      schemas: [{ role: "x", owner: true }],
      catalog_session_properties: [],
    });
    expect([one.tableRights("ann", table).privileges.size, one.isSchemaOwner("ann", table), one.canSeeCatalog("ann", "c")]).toEqual([
      0,
      false,
      false,
    ]);
  });

  it("of a read-only catalog bound those of its tables", () => {
    const one = access({
      catalogs: [
        { catalog: "c", allow: "read-only" },
        { catalog: "d", allow: true },
      ],
    });
    expect([hasTablePrivilege(one, "ann", table, "SELECT"), hasTablePrivilege(one, "ann", table, "INSERT")]).toEqual([true, false]);
    expect([
      one.isSchemaOwner("ann", table),
      one.isSchemaOwner("ann", { ...table, catalog: "d" }),
      one.canAccessCatalog("ann", "d", "own"),
    ]).toEqual([false, true, false]);
  });

  it("do not reach information_schema, except by the catalog", () => {
    const one = access({ catalogs: [{ catalog: "c", allow: "all" }], tables: [] });
    expect(canSelect(one, "ann", { ...table, schema: "information_schema" }, ["x"])).toBe(true);
    expect(canSelect(one, "ann", { ...table, catalog: "d", schema: "information_schema" }, ["x"])).toBe(false);
  });

  it("of impersonation may refer to the groups of the user", () => {
    const one = access({
      impersonation: [
        { original_user: "root", new_user: "bob", allow: false },
        { original_user: "root", new_user: ".*" },
        { original_user: "(.*)_backend", new_user: "$1_sandbox" },
        { new_user: "test" },
      ],
    });
    const pairs = [
      ["root", "ann"],
      ["root", "bob"],
      ["team_backend", "team_sandbox"],
      ["team_backend", "x_sandbox"],
      ["ann", "test"],
      ["ann", "root"],
    ] as const;
    expect(pairs.map(([from, to]) => one.canImpersonate(from, to))).toEqual([true, false, true, false, true, false]);
    // What a user's name matched is no pattern.
    expect(one.canImpersonate(".*_backend", "any_sandbox")).toBe(false);
    expect(one.canImpersonate(".*_backend", ".*_sandbox")).toBe(true);
  });

  it("of owners say whom a user may give what it owns to", () => {
    const groups = new Map([
      ["gina", ["authorized"]],
      ["greg", ["authorized", "DENIED"]],
    ]);
    const rules = parseAccessRules({
      authorization: [
        { original_user: ".*DENIED.*", new_user: ".*", new_role: ".*", allow: false },
        { original_group: ".*DENIED.*", new_user: ".*", new_role: ".*", allow: false },
        { original_user: ".*authorized", new_user: ".*" },
        { original_group: ".*authorized", new_user: "n.*", new_role: "new_role" },
        { original_role: ".*authorized", new_role: ".*" },
      ],
    });
    const control = new RuleAccessControl(rules, { groupsOf: (user) => groups.get(user) ?? [] });
    const given = (user: string, name: string): boolean[] =>
      (["USER", "ROLE"] as const).map((type) => control.canSetOwner(user, { type, name }));
    expect(given("is_authorized", "new_user")).toEqual([true, false]);
    expect(given("DENIED_authorized", "new_user")).toEqual([false, false]);
    expect(given("gina", "new_role")).toEqual([true, true]);
    expect(given("gina", "other_role")).toEqual([false, false]);
    expect(given("greg", "new_role")).toEqual([false, false]);
    expect(given("ann", "new_user")).toEqual([false, false]);
    // Without the section nobody may, as in Trino.
    expect(access({}).canSetOwner("ann", { type: "USER", name: "bob" })).toBe(false);
    expect(() => access({ authorization: [{ original_user: "ann" }] })).toThrow("At least one of new_user or new_role is required");
  });

  it("say which columns are seen", () => {
    const one = access({
      tables: [
        {
          privileges: ["SELECT"],
          columns: [
            { name: "SSN", allow: false },
            { name: "pay", mask: "0" },
          ],
        },
      ],
    });
    expect([canSelect(one, "ann", table, ["ssn"]), canSelect(one, "ann", table, ["pay"]), canSelect(one, "ann", table, [])]).toEqual([
      false,
      true,
      true,
    ]);
    const visibility = visibilityFor(one, "ann");
    expect([visibility.column(table, "ssn"), visibility.column(table, "pay"), visibility.table(table)]).toEqual([false, true, true]);
  });

  it("that are misspelled are refused, with their place", () => {
    const refused: readonly (readonly [unknown, string])[] = [
      [{ table: [] }, "Invalid access rules at $"],
      [{ tables: [{ privileges: ["SELECT"], filtre: "x" }] }, "Invalid access rules at $.tables.0"],
      [{ tables: [{ privileges: ["READ"] }] }, "Invalid access rules at $.tables.0.privileges.0"],
      [{ tables: [{ user: "(", privileges: [] }] }, "Invalid access rules at $.tables.0.user: expected a regular expression"],
      [{ queries: [{ queryOwner: "x", allow: ["execute"] }] }, "cannot combine"],
      [{ catalogs: [{ allow: "some" }] }, "Invalid access rules at $.catalogs.0.allow"],
      [[], "Invalid access rules at $"],
      ["__proto__", "Invalid access rules at $"],
    ];
    for (const [document, message] of refused) {
      expect(() => parseAccessRules(document)).toThrow(message);
    }
  });

  it("that are added at the end take nothing from anybody", () => {
    const name = fc.constantFrom("ann", "bob", "__proto__", "constructor", "");
    const rule = fc.record({
      user: fc.constantFrom("ann", "bob|ann", ".*", "__proto__"),
      privileges: fc.subarray(["SELECT", "INSERT", "OWNERSHIP"] as const),
    });
    fc.assert(
      fc.property(fc.array(rule), rule, name, (tables, last, user) => {
        const before = access({ tables }).tableRights(user, table).privileges;
        const after = access({ tables: [...tables, last] }).tableRights(user, table).privileges;
        const matched = tables.some((one) => new RegExp(`^(?:${one.user})$`).test(user));
        expect([...after]).toEqual(matched || !new RegExp(`^(?:${last.user})$`).test(user) ? [...before] : last.privileges);
      }),
    );
  });
});

describe("rules of principals", () => {
  const group = { principal: "group@example\\.net", user: "alice|bob", allow: true };
  const own = { principal: "([^/]+)(?:/.*)?@example\\.net", principal_to_user: "$1", allow: true };

  it("say as which users an authenticated principal sends requests: the first that fits the principal and the user decides", () => {
    const rules = access({ principals: [{ principal: "mallory@.*", user: ".*", allow: false }, group, own] });
    const may = (principal: string | undefined, user: string): boolean => rules.canSetUser(principal, user);
    expect([may("group@example.net", "alice"), may("group@example.net", "group"), may("group@example.net", "carl")]).toEqual([
      true,
      true,
      false,
    ]);
    expect([may("ann/host@example.net", "ann"), may("ann@example.net", "bob"), may("ann@example.org", "ann")]).toEqual([
      true,
      false,
      false,
    ]);
    expect([may("mallory@example.net", "mallory"), may("xgroup@example.net", "alice")]).toEqual([false, false]);
    expect([may(undefined, "alice"), may("", "alice")]).toEqual([false, false]);
  });

  it("take both, a pattern of the user and a replacement, and either is enough", () => {
    const both = access({ principals: [{ principal: "(a)(b)?(c)?", principal_to_user: "$1-$2-$3-$4-$0", user: "z", allow: true }] });
    expect([both.canSetUser("ab", "a-b--$4-ab"), both.canSetUser("ab", "z"), both.canSetUser("ab", "ab")]).toEqual([true, true, false]);
  });

  it("are asked only if there are some, and then say also who may be whom, unless rules of impersonation do", () => {
    const open = access({});
    const named = access({ principals: [own] });
    const guarded = access({ principals: [own], impersonation: [{ original_user: "ann", new_user: "bob" }] });
    expect([open.canSetUser("x", "y"), open.canSetUser(undefined, "y"), access({ principals: [] }).canSetUser("y", "y")]).toEqual([
      true,
      true,
      false,
    ]);
    expect([named, guarded].map((one) => one.canImpersonate("ann", "bob"))).toEqual([true, true]);
    expect([named, guarded].map((one) => one.canImpersonate("ann", "carl"))).toEqual([true, false]);
  });

  it("name the user in one of two ways", () => {
    expect(() => access({ principals: [{ principal: ".*", allow: true }] })).toThrow(
      "At least one of principal_to_user or user is required",
    );
    expect(() => access({ principals: [{ user: ".*", allow: true }] })).toThrow("$.principals.0.principal");
    expect(() => access({ principals: [{ principal: "(", user: ".*", allow: true }] })).toThrow("expected a regular expression");
  });
});

describe("built-in rights", () => {
  const rightsOf = (name: string): AccessControl | undefined => accessControlOf(builtInRights[name], { version: 0 });
  const may = (one: AccessControl | undefined): unknown => ({
    read: one?.canAccessCatalog("ann", "c", "read"),
    write: one?.canAccessCatalog("ann", "c", "write"),
    view: one?.canViewQueryOf("ann", "bob"),
    kill: one?.canKillQueryOf("ann", "bob"),
    killOwn: one?.canKillQueryOf("ann", "ann"),
    impersonate: one?.canImpersonate("ann", "bob"),
    setOwner: one?.canSetOwner("ann", { type: "ROLE", name: "clerk" }),
    shutDown: one?.canWriteSystemInformation("ann"),
    call: one?.routinePrivileges("ann", { catalog: "c", schema: "s", name: "f" }).has("EXECUTE"),
  });

  it("read-only lets users read, and end what is theirs", () => {
    expect(may(rightsOf("read-only"))).toEqual({
      read: true,
      write: false,
      view: true,
      kill: false,
      killOwn: true,
      impersonate: false,
      setOwner: false,
      shutDown: false,
      call: true,
    });
  });

  it("allow-all forbids nothing", () => {
    expect(new Set(Object.values(may(rightsOf("allow-all")) as object))).toEqual(new Set([true]));
  });
});
