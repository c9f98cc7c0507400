/** A cluster's rules of access, and what they say of each user; the same in both worlds. */
import { type AccessRules, parseAccessRules } from "../../src/security/rules.ts";
import type { UserGroupsDocument } from "../../src/security/user-groups.ts";

const hiddenSsn = { name: "ssn", allow: false } as const;

/**
 * `root` may do everything; `ann` reads her region of `memory.hr.people`, with masked numbers; `bob` may not read `ssn`; `eve` may read the
 * view alone; `mallory` has no rights on the schema; `auditor` sees and ends the queries of others; `gina` has the rights of her groups.
 */
export const rules: AccessRules = parseAccessRules({
  catalogs: [
    { user: "root", allow: "owner" },
    { catalog: "memory|system", allow: "all" },
    { catalog: "tpch", user: "ann|bob", allow: "read-only" },
  ],
  schemas: [
    { user: "root", owner: true },
    { user: "bob", catalog: "memory", schema: "bobs", owner: true },
  ],
  tables: [
    { user: "root", privileges: ["SELECT", "INSERT", "DELETE", "UPDATE", "OWNERSHIP", "GRANT_SELECT"] },
    {
      user: "ann",
      catalog: "memory",
      schema: "hr",
      table: "people",
      privileges: ["SELECT"],
      columns: [{ name: "ssn", mask: "CAST('XXX-' || substr(ssn, 5) AS varchar(8))" }],
      filter: "region = 'north' OR name = current_user",
    },
    {
      user: "bob",
      catalog: "memory",
      schema: "hr",
      table: "people",
      privileges: ["SELECT", "INSERT", "DELETE", "UPDATE"],
      columns: [{ name: "ssn", allow: false }],
    },
    { user: "bob", catalog: "memory", schema: "bobs", privileges: ["SELECT", "INSERT", "DELETE", "UPDATE", "OWNERSHIP"] },
    { user: "ann|bob|eve", catalog: "memory", schema: "hr", table: "names|secrets|own_names|all_people", privileges: ["SELECT"] },
    {
      user: "carl",
      catalog: "memory",
      schema: "hr",
      table: "people",
      privileges: ["SELECT"],
      filter: "region IN (SELECT region FROM regions WHERE boss = current_user)",
      filter_environment: { user: "root" },
    },
    { group: "guest", catalog: "memory", schema: "hr", table: "people", privileges: ["SELECT", "DELETE"] },
    {
      group: "guests?",
      catalog: "memory",
      schema: "hr",
      table: "people",
      privileges: ["SELECT"],
      columns: [hiddenSsn, { name: "name", mask: "CAST(array_join(current_groups(), '+') AS varchar(3))" }],
    },
    // Rules that nobody can use: each says why.
    ...(
      [
        ["invalid", { filter: "nothing = 1" }],
        ["circular", { filter: "region IN (SELECT region FROM people)" }],
        ["mistyped", { columns: [{ name: "ssn", mask: "1" }] }],
        ["masked", { columns: [{ name: "ssn", mask: "CAST('' AS varchar(8))" }] }],
        ["counting", { filter: "count(*) > 0" }],
        ["unsorted", { filter: "pay" }],
        // What a filter or a mask reads needs the rights of its user.
        ["peeker", { columns: [{ name: "name", mask: "CAST(substr(ssn, 1, 1) AS varchar(3))" }, hiddenSsn] }],
        ["sifter", { filter: "ssn LIKE '1%'", columns: [hiddenSsn] }],
        ["seeker", { filter: "EXISTS (SELECT 1 FROM (VALUES '123-4567') t (s) WHERE s = ssn)", columns: [hiddenSsn] }],
        ["lender", { filter: "ssn LIKE '2%'", filter_environment: { user: "root" }, columns: [hiddenSsn] }],
        // The rows that another one may read, who has a filter of his own.
        ["heir", { filter: "name IN (SELECT name FROM people)", filter_environment: { user: "ann" } }],
      ] as const
    ).map(([user, rule]) => ({
      user,
      catalog: "memory",
      schema: "hr",
      table: "people",
      privileges: ["SELECT", "DELETE"] as const,
      ...rule,
    })),
    { user: "ann|bob", catalog: "tpch", privileges: ["SELECT"] },
    { user: "auditor|ann|bob", catalog: "system", privileges: ["SELECT"] },
  ],
  functions: [
    { user: "root", privileges: ["EXECUTE", "GRANT_EXECUTE", "OWNERSHIP"] },
    { user: "ann", catalog: "memory", schema: "hr", function: "twice", privileges: ["EXECUTE"] },
  ],
  procedures: [{ user: "root|auditor|ann", catalog: "system", schema: "runtime", procedure: "kill_query", privileges: ["EXECUTE"] }],
  queries: [
    { user: "root|auditor", allow: ["execute", "view", "kill"] },
    { user: "banned", allow: [] },
    { user: "bob", queryOwner: "ann", allow: ["view"] },
    { queryOwner: ".*", allow: [] },
    { allow: ["execute"] },
  ],
  impersonation: [{ original_user: "root", new_user: "ann|bob" }],
  system_information: [{ user: "root|auditor", allow: ["read"] }],
  system_session_properties: [
    { user: "root", allow: true },
    { property: "join_distribution_type", allow: true },
  ],
});

export const userGroups: UserGroupsDocument = [
  { group: "a", users: ["root", "gina"] },
  { group: "guests", users: ["gina", "greg"] },
];

export const setup: readonly string[] = [
  "CREATE SCHEMA memory.hr",
  "CREATE SCHEMA memory.bobs",
  "CREATE TABLE memory.hr.people AS SELECT * FROM (VALUES ('ann', '123-4567', 'south', 10), ('bob', '223-4567', 'north', 20), " +
    "('dan', '323-4567', 'north', 5), ('eve', '423-4567', 'west', 0)) AS t (name, ssn, region, pay)",
  "CREATE TABLE memory.hr.regions AS SELECT * FROM (VALUES ('north', 'carl'), ('west', 'carl'), ('south', 'zoe')) AS t (region, boss)",
  "CREATE VIEW memory.hr.names AS SELECT name, region FROM memory.hr.people",
  "CREATE VIEW memory.hr.secrets AS SELECT name, ssn FROM memory.hr.people WHERE pay >= 10",
  "CREATE VIEW memory.hr.own_names SECURITY INVOKER AS SELECT name FROM memory.hr.people",
  "CREATE VIEW memory.hr.all_people AS SELECT name, current_user AS reader FROM memory.hr.people",
  "CREATE FUNCTION memory.hr.twice(x bigint) RETURNS bigint RETURN x * 2",
];

interface Case {
  readonly user: string;
  readonly sql: string;
  /** Rows, or the message of PERMISSION_DENIED, or `error: message` of another error. */
  readonly answer: readonly (readonly unknown[])[] | string;
}

function of(user: string, ...pairs: readonly (readonly [string, Case["answer"]])[]): readonly Case[] {
  return pairs.map(([sql, answer]) => ({ user, sql, answer }));
}

const noSsn = "Access Denied: Cannot select from columns [ssn] in table or view memory.hr.people";

export const cases: readonly Case[] = [
  ...of(
    "gina",
    ["SELECT name, region FROM memory.hr.people WHERE pay = 5", [["a+g", "north"]]],
    ["SELECT ssn FROM memory.hr.people", noSsn],
    ["DELETE FROM memory.hr.people", "Access Denied: Cannot delete from table memory.hr.people"],
    ["SELECT current_groups()", [[["a", "guests"]]]],
    ["SELECT current_groups(1)", "error: Invalid number of arguments for 'current_groups' function"],
  ),
  ...of("greg", ["SELECT name FROM memory.hr.people WHERE pay = 5", [["gue"]]], ["SELECT current_groups()", [[["guests"]]]]),
  ...of("mallory", ["SELECT current_groups(), typeof(current_groups())", [[[], "array(varchar)"]]]),
  ...of(
    "ann",
    [
      "SELECT name, ssn FROM memory.hr.people ORDER BY 1",
      [
        ["ann", "XXX-4567"],
        ["bob", "XXX-4567"],
        ["dan", "XXX-4567"],
      ],
    ],
    ["SELECT count(*) FROM memory.hr.people", [[3]]],
    ["SELECT count(*) FROM memory.hr.people WHERE ssn = '123-4567'", [[0]]],
    ["SELECT count(*) FROM memory.hr.people p JOIN memory.hr.people q ON p.ssn = q.ssn", [[9]]],
    ["SELECT max(pay) FROM memory.hr.people WHERE region = 'west'", [[null]]],
    // A condition of the user is not evaluated for rows that she does not see: pay is 0 in one of them.
    ["SELECT name FROM memory.hr.people WHERE 100 / pay > 10 ORDER BY 1", [["dan"]]],
    ["SELECT name FROM memory.hr.people WHERE if(pay = 0, CAST(name AS bigint) = 1, true) ORDER BY 1", [["ann"], ["bob"], ["dan"]]],
    ["SELECT name FROM (SELECT name, 100 / pay AS r FROM memory.hr.people) WHERE r > 10", [["dan"]]],
    [
      "SELECT count(*) FROM (SELECT r FROM (SELECT 100 / pay AS r, name FROM (SELECT pay, name FROM memory.hr.people)) WHERE r + 1 > 10) WHERE r < 21",
      [[2]],
    ],
    ["SELECT sum(100 / pay) FROM memory.hr.people", [[35]]],
    [
      "SELECT region, sum(100 / pay) FROM memory.hr.people GROUP BY region ORDER BY 1",
      [
        ["north", 25],
        ["south", 10],
      ],
    ],
    ["SELECT p.name FROM memory.hr.people p JOIN (VALUES 10) AS t (x) ON 100 / p.pay > x", [["dan"]]],
    ["SELECT p.name FROM memory.hr.people p JOIN memory.hr.names n ON p.name = n.name AND 100 / p.pay > 10", [["dan"]]],
    ["SELECT x FROM (VALUES 20, 21) AS t (x) WHERE EXISTS (SELECT 1 FROM memory.hr.people WHERE 100 / pay = x)", [[20]]],
    ["SELECT x FROM (VALUES 20, 21) AS t (x) WHERE x IN (SELECT 100 / pay FROM memory.hr.people)", [[20]]],
    ["SELECT name FROM (SELECT name, pay FROM memory.hr.people ORDER BY pay LIMIT 1) WHERE 100 / pay > 10", [["dan"]]],
    ["SELECT name FROM (SELECT * FROM memory.hr.people UNION ALL SELECT * FROM memory.hr.people) WHERE 100 / pay > 10", [["dan"], ["dan"]]],
    ["SELECT count(*) FROM memory.hr.people WHERE pay = 0", [[0]]],
    ["SELECT name FROM memory.hr.people WHERE pay > 5 AND region = 'north' AND name IN ('ann', 'bob')", [["bob"]]],
    ["WITH p AS (SELECT * FROM memory.hr.people) SELECT count(*) FROM p a, p b", [[9]]],
    [
      "SELECT name, reader FROM memory.hr.all_people ORDER BY 1 LIMIT 2",
      [
        ["ann", "ann"],
        ["bob", "ann"],
      ],
    ],
    ["SELECT name FROM memory.hr.own_names ORDER BY 1", [["ann"], ["bob"], ["dan"]]],
    ["SELECT name FROM memory.hr.names ORDER BY 1", [["ann"], ["bob"], ["dan"], ["eve"]]],
    [
      "SELECT (SELECT max(ssn) FROM memory.hr.people p WHERE p.name = n.name) FROM memory.hr.names n ORDER BY n.name",
      [["XXX-4567"], ["XXX-4567"], ["XXX-4567"], [null]],
    ],
    ["INSERT INTO memory.hr.people SELECT * FROM memory.hr.people", "Access Denied: Cannot insert into table memory.hr.people"],
    ["DELETE FROM memory.hr.people", "Access Denied: Cannot delete from table memory.hr.people"],
    ["DROP TABLE memory.hr.people", "Access Denied: Cannot drop table memory.hr.people"],
    ["TRUNCATE TABLE memory.hr.people", "Access Denied: Cannot truncate table memory.hr.people"],
    ["CREATE TABLE memory.hr.mine (x bigint)", "Access Denied: Cannot create table memory.hr.mine"],
    ["CREATE VIEW memory.hr.mine AS SELECT 1 AS x", "Access Denied: Cannot create view memory.hr.mine"],
    [
      "ALTER TABLE memory.hr.people RENAME TO memory.bobs.people",
      "Access Denied: Cannot rename table from memory.hr.people to memory.bobs.people",
    ],
    ["ALTER TABLE memory.hr.people ADD COLUMN x bigint", "Access Denied: Cannot add a column to table memory.hr.people"],
    ["COMMENT ON TABLE memory.hr.people IS 'x'", "Access Denied: Cannot comment table to memory.hr.people"],
    ["CREATE SCHEMA memory.anns", "Access Denied: Cannot create schema memory.anns"],
    ["DROP SCHEMA memory.hr", "Access Denied: Cannot drop schema memory.hr"],
    ["SHOW CREATE TABLE memory.hr.people", "Access Denied: Cannot show create table for memory.hr.people"],
    ["SHOW STATS FOR memory.hr.people", "error: SHOW STATS is not supported for a table with a row filter or column masks"],
    ["SELECT memory.hr.twice(21)", [[42]]],
    ["CREATE FUNCTION memory.hr.f(x bigint) RETURNS bigint RETURN x", "Access Denied: Cannot create function memory.hr.f"],
    ["SHOW CATALOGS", [["memory"], ["system"], ["tpch"]]],
    ["SHOW SCHEMAS FROM memory", [["hr"], ["information_schema"]]],
    ["SHOW TABLES FROM memory.hr", [["all_people"], ["names"], ["own_names"], ["people"], ["secrets"]]],
    [
      "SELECT table_name FROM memory.information_schema.tables WHERE table_schema = 'hr' ORDER BY 1",
      [["all_people"], ["names"], ["own_names"], ["people"], ["secrets"]],
    ],
    ["SELECT count(*) FROM system.jdbc.tables WHERE table_schem = 'bobs'", [[0]]],
    ["SET SESSION query_max_run_time = '1h'", "Access Denied: Cannot set system session property query_max_run_time"],
    ["WITH SESSION query_max_run_time = '1h' SELECT 1", "Access Denied: Cannot set system session property query_max_run_time"],
    ["WITH SESSION join_distribution_type = 'BROADCAST' SELECT 1", [[1]]],
    ["SELECT count(*) FROM tpch.tiny.region", [[5]]],
    ["CREATE TABLE memory.hr.r AS SELECT * FROM tpch.tiny.region", "Access Denied: Cannot create table memory.hr.r"],
    ["CALL system.runtime.kill_query(query_id => 'x', message => 'y')", "error: Target query not found: x"],
    ["CREATE ROLE r", "Access Denied: Cannot create role r"],
    ["GRANT SELECT ON memory.hr.people TO eve", "Access Denied: Cannot grant privilege SELECT on table memory.hr.people"],
  ),
  ...of(
    "bob",
    ["SELECT name FROM memory.hr.people WHERE pay > 5 ORDER BY 1", [["ann"], ["bob"]]],
    ["SELECT count(*) FROM memory.hr.people", [[4]]],
    ["SELECT ssn FROM memory.hr.people", noSsn],
    ["SELECT * FROM memory.hr.people", noSsn],
    ["TABLE memory.hr.people", noSsn],
    ["SELECT name FROM memory.hr.people WHERE ssn = '123-4567'", noSsn],
    ["SELECT name FROM memory.hr.people ORDER BY ssn", noSsn],
    ["SELECT count(DISTINCT ssn) FROM memory.hr.people", noSsn],
    ["SELECT name, count(*) FROM memory.hr.people GROUP BY name, ssn", noSsn],
    ["SELECT name, rank() OVER (ORDER BY ssn) FROM memory.hr.people", noSsn],
    ["SELECT p.name FROM memory.hr.people p JOIN memory.hr.people q USING (ssn)", noSsn],
    ["SELECT p.name FROM memory.hr.people p NATURAL JOIN (VALUES '1') AS t (ssn)", noSsn],
    ["SELECT name FROM memory.hr.people p WHERE EXISTS (SELECT 1 FROM (VALUES '123-4567') AS t (x) WHERE x = p.ssn)", noSsn],
    ["SELECT name FROM memory.hr.people p WHERE '123-4567' IN (SELECT ssn FROM memory.hr.people)", noSsn],
    ["SELECT (SELECT count(*) FROM (VALUES 1) AS t (x) WHERE p.ssn > '2') FROM memory.hr.people p", noSsn],
    ["SELECT name FROM memory.hr.people UNION ALL SELECT ssn FROM memory.hr.people", noSsn],
    ["SELECT name FROM memory.hr.people EXCEPT SELECT ssn FROM memory.hr.people", noSsn],
    ["SELECT x FROM memory.hr.people CROSS JOIN UNNEST(ARRAY[ssn]) AS t (x)", noSsn],
    ["SELECT t.x FROM memory.hr.people p CROSS JOIN LATERAL (SELECT p.ssn AS x) t", noSsn],
    ["SELECT count(*) FROM memory.hr.people p WHERE EXISTS (SELECT 1 FROM memory.hr.people q WHERE q.name = p.name)", [[4]]],
    ["SELECT count(*) FROM memory.hr.people p WHERE pay > (SELECT avg(pay) FROM memory.hr.people q WHERE q.region = p.region)", [[1]]],
    ["SELECT count(*) FROM memory.hr.people p WHERE EXISTS (SELECT 1 FROM memory.hr.people q WHERE q.ssn = p.name)", noSsn],
    ["SELECT count(*) FROM (SELECT DISTINCT name, ssn FROM memory.hr.people)", noSsn],
    ["SELECT (SELECT q.ssn FROM memory.hr.people q WHERE q.name = p.name) FROM memory.hr.people p", noSsn],
    ["SELECT max_by(name, ssn) FROM memory.hr.people", noSsn],
    ["SELECT name FROM memory.hr.people ORDER BY length(ssn) LIMIT 1", noSsn],
    ["SELECT * FROM memory.hr.people MATCH_RECOGNIZE (ORDER BY pay MEASURES A.ssn AS s PATTERN (A) DEFINE A AS true)", noSsn],
    ["SELECT * FROM TABLE(exclude_columns(input => TABLE(memory.hr.people), columns => DESCRIPTOR(name, region, pay)))", noSsn],
    ["EXPLAIN SELECT ssn FROM memory.hr.people", noSsn],
    ["EXPLAIN ANALYZE SELECT ssn FROM memory.hr.people", noSsn],
    ["SHOW STATS FOR memory.hr.people", noSsn],
    ["SHOW STATS FOR (SELECT ssn FROM memory.hr.people)", noSsn],
    ["CREATE TABLE memory.bobs.copied AS SELECT ssn FROM memory.hr.people", noSsn],
    ["CREATE VIEW memory.bobs.seen AS SELECT ssn FROM memory.hr.people", noSsn],
    ["PREPARE p FROM SELECT 1", "error: none"],
    ["DELETE FROM memory.hr.people WHERE ssn = 'x'", noSsn],
    ["UPDATE memory.hr.people SET name = ssn WHERE pay = 20", noSsn],
    ["UPDATE memory.hr.people SET pay = 20 WHERE name = 'bob'", [[1]]],
    ["DELETE FROM memory.hr.people WHERE name = 'nobody'", [[0]]],
    ["SELECT name FROM memory.hr.names WHERE region = 'west'", [["eve"]]],
    [
      "SELECT name, ssn FROM memory.hr.secrets ORDER BY 1",
      [
        ["ann", "123-4567"],
        ["bob", "223-4567"],
      ],
    ],
    ["SHOW COLUMNS FROM memory.hr.people LIKE 'ssn'", [["ssn", "varchar(8)", "", ""]]],
    ["CREATE TABLE memory.bobs.t AS SELECT name FROM memory.hr.people", [[4]]],
    ["INSERT INTO memory.bobs.t SELECT ssn FROM memory.hr.people", noSsn],
    ["MERGE INTO memory.bobs.t USING memory.hr.people p ON p.ssn = t.name WHEN NOT MATCHED THEN INSERT VALUES (p.name)", noSsn],
    // Bob owns the view, but may not pass on what he reads.
    ["CREATE VIEW memory.bobs.passed AS SELECT name FROM memory.hr.people", "error: none"],
    ["SELECT memory.hr.twice(21)", "Access Denied: Cannot execute function memory.hr.twice"],
    [
      "CALL system.runtime.kill_query(query_id => 'x', message => 'y')",
      "Access Denied: Cannot execute procedure system.runtime.kill_query",
    ],
    // The right is asked for before the procedure is.
    ["CALL memory.system.execute(query => 'x')", "Access Denied: Cannot execute procedure memory.system.execute"],
    ["DROP TABLE memory.bobs.t", "error: none"],
    ["ALTER SCHEMA memory.bobs RENAME TO hers", "Access Denied: Cannot rename schema from memory.bobs to memory.hers"],
    ["CREATE TABLE tpch.tiny.t (x bigint)", "Access Denied: Cannot create table tpch.tiny.t"],
  ),
  ...of(
    "eve",
    ["SELECT name FROM memory.hr.names ORDER BY 1", [["ann"], ["bob"], ["dan"], ["eve"]]],
    ["SELECT name FROM memory.hr.people", "Access Denied: Cannot select from columns [name] in table or view memory.hr.people"],
    ["SELECT count(*) FROM memory.hr.people", "Access Denied: Cannot select from table memory.hr.people"],
    ["SELECT name FROM memory.hr.own_names", "Access Denied: Cannot select from columns [name] in table or view memory.hr.people"],
    ["SELECT count(*) FROM tpch.tiny.region", "Access Denied: Cannot select from table tpch.tiny.region"],
    ["SHOW SCHEMAS FROM tpch", "Access Denied: Cannot access catalog tpch"],
    ["USE tpch.tiny", "Access Denied: Cannot access catalog tpch"],
    ["SHOW CATALOGS", [["memory"], ["system"]]],
    ["SHOW TABLES FROM memory.bobs", "Access Denied: Cannot show tables of schema memory.bobs"],
    ["SHOW COLUMNS FROM memory.hr.people", "Access Denied: Cannot show columns of table memory.hr.people"],
    ["SELECT 1 FROM system.runtime.nodes", "Access Denied: Cannot select from table system.runtime.nodes"],
    ["SELECT count(*) FROM memory.information_schema.columns WHERE table_name = 'people'", [[0]]],
    [
      "SELECT DISTINCT table_name FROM memory.information_schema.columns WHERE table_schema = 'hr' ORDER BY 1",
      [["all_people"], ["names"], ["own_names"], ["secrets"]],
    ],
    [
      "WITH unused AS (SELECT name FROM memory.hr.people) SELECT 1",
      "Access Denied: Cannot select from columns [name, ssn, region, pay] in table or view memory.hr.people",
    ],
    ["CREATE CATALOG c USING memory", "Access Denied: Cannot create catalog c"],
  ),
  ...of(
    "carl",
    ["SELECT name FROM memory.hr.people ORDER BY 1", [["bob"], ["dan"], ["eve"]]],
    ["SELECT boss FROM memory.hr.regions", "Access Denied: Cannot select from columns [boss] in table or view memory.hr.regions"],
  ),
  ...of(
    "invalid",
    ["SELECT name FROM memory.hr.people", "error: Invalid row filter for 'memory.hr.people': Column 'nothing' cannot be resolved"],
    ["DELETE FROM memory.hr.people", "error: Delete from table with row filter"],
  ),
  ...of("circular", [
    "SELECT name FROM memory.hr.people",
    "error: Invalid row filter for 'memory.hr.people': Row filter for 'memory.hr.people' is recursive",
  ]),
  ...of("counting", [
    "SELECT name FROM memory.hr.people",
    "error: Row filter for 'memory.hr.people' cannot contain aggregations, window functions or grouping operations: [count(*)]",
  ]),
  ...of("unsorted", [
    "SELECT name FROM memory.hr.people",
    "error: Expected row filter for 'memory.hr.people' to be of type BOOLEAN, but was integer",
  ]),
  ...of(
    "peeker",
    ["SELECT count(*), min(region) FROM memory.hr.people", [[4, "north"]]],
    ["SELECT name FROM memory.hr.people", noSsn],
    ["SELECT 1 FROM memory.hr.people WHERE name = 'x'", noSsn],
  ),
  ...of("sifter", ["SELECT name FROM memory.hr.people", noSsn]),
  ...of("seeker", ["SELECT name FROM memory.hr.people", noSsn]),
  ...of("lender", ["SELECT name FROM memory.hr.people ORDER BY 1", [["bob"]]]),
  ...of("heir", ["SELECT name FROM memory.hr.people ORDER BY 1", [["bob"], ["dan"]]]),
  ...of("mistyped", [
    "SELECT name FROM memory.hr.people",
    "error: Expected column mask for 'memory.hr.people.ssn' to be of type varchar(8), but was integer",
  ]),
  ...of("masked", ["DELETE FROM memory.hr.people", "error: Delete from table with column mask"]),
  ...of("banned", ["SELECT 1", "Access Denied: Cannot execute query"]),
  ...of("__proto__", [
    "SELECT name FROM memory.hr.people",
    "Access Denied: Cannot select from columns [name] in table or view memory.hr.people",
  ]),
  ...of("constructor", ["SELECT count(*) FROM memory.hr.people", "Access Denied: Cannot select from table memory.hr.people"]),
  ...of("Root", ["SELECT count(*) FROM memory.hr.people", "Access Denied: Cannot select from table memory.hr.people"]),
  ...of("root2", ["SELECT count(*) FROM memory.hr.people", "Access Denied: Cannot select from table memory.hr.people"]),
  ...of("root", ["SELECT count(*), max(ssn) FROM memory.hr.people", [[4, "423-4567"]]]),
];
