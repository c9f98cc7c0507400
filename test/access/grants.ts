/**
 * Rights that a memory catalog keeps itself: owners, roles and grants, statement by statement. Expected errors are in Trino's words.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Asker, type Service, textOf } from "../support/service.ts";

/**
 * `as`: the user, and after `/` the role that is set, in the form of the header. `answer`: rows, `done`, a message after `error: `, or what
 * is denied.
 */
type Step = readonly [as: string, sql: string, answer: string | readonly (readonly unknown[])[]];

const admin = "root/ROLE{admin}";

const steps: readonly Step[] = [
  // The role `admin` must be enabled.
  ["root", "CREATE SCHEMA vault.sales", "Cannot create schema vault.sales"],
  ["eve/ROLE{admin}", "SELECT 1", "Cannot set role admin"],
  ["eve/ROLE{nobody}", "SELECT 1", "Cannot set role nobody"],
  ["eve", "SET ROLE admin IN vault", "Cannot set role admin"],
  ["eve", "SET ROLE nobody IN vault", "error: Role 'nobody' does not exist"],
  [admin, "CREATE SCHEMA vault.sales AUTHORIZATION USER ann", "done"],
  // Owners of schemas create, owners of tables do everything with them.
  ["bob", "CREATE TABLE vault.sales.orders AS SELECT 1 AS id, 'x' AS item", "Cannot create table vault.sales.orders"],
  ["ann", "CREATE TABLE vault.sales.orders AS SELECT 1 AS id, 'x' AS item", "done"],
  ["bob", "SELECT id FROM vault.sales.orders", "Cannot select from columns [id] in table or view vault.sales.orders"],
  ["bob", "SELECT count(*) FROM vault.sales.orders", "Cannot select from table vault.sales.orders"],
  ["bob", "INSERT INTO vault.sales.orders VALUES (2, 'y')", "Cannot insert into table vault.sales.orders"],
  ["bob", "DELETE FROM vault.sales.orders", "Cannot delete from table vault.sales.orders"],
  ["bob", "UPDATE vault.sales.orders SET id = 3", "Cannot update columns [id] in table vault.sales.orders"],
  ["bob", "TRUNCATE TABLE vault.sales.orders", "Cannot truncate table vault.sales.orders"],
  ["bob", "DROP TABLE vault.sales.orders", "Cannot drop table vault.sales.orders"],
  ["bob", "ALTER TABLE vault.sales.orders ADD COLUMN n bigint", "Cannot add a column to table vault.sales.orders"],
  [
    "bob",
    'ALTER TABLE vault.sales.orders RENAME TO vault."default".mine',
    "Cannot rename table from vault.sales.orders to vault.default.mine",
  ],
  ["bob", "GRANT SELECT ON vault.sales.orders TO bob", "Cannot grant privilege SELECT on table vault.sales.orders"],
  ["bob", "ALTER TABLE vault.sales.orders SET AUTHORIZATION bob", "Cannot set authorization for table vault.sales.orders to USER bob"],
  ["bob", "CREATE OR REPLACE TABLE vault.sales.orders (x bigint)", "Cannot create table vault.sales.orders"],
  ["bob", "SHOW TABLES FROM vault.sales", []],
  ["bob", "DROP SCHEMA vault.sales", "Cannot drop schema vault.sales"],
  // Privileges on tables.
  ["ann", "GRANT SELECT, INSERT ON TABLE vault.sales.orders TO USER bob", "done"],
  ["bob", "SELECT id, item FROM vault.sales.orders", [[1, "x"]]],
  ["bob", "INSERT INTO vault.sales.orders VALUES (2, 'y')", "done"],
  ["bob", "DELETE FROM vault.sales.orders", "Cannot delete from table vault.sales.orders"],
  ["bob", "SHOW TABLES FROM vault.sales", [["orders"]]],
  ["bob", "GRANT SELECT ON vault.sales.orders TO eve", "Cannot grant privilege SELECT on table vault.sales.orders"],
  ["ann", "GRANT SELECT ON vault.sales.orders TO bob WITH GRANT OPTION", "done"],
  ["bob", "GRANT SELECT ON vault.sales.orders TO eve", "done"],
  ["bob", "GRANT INSERT ON vault.sales.orders TO eve", "Cannot grant privilege INSERT on table vault.sales.orders"],
  ["eve", "SELECT count(*) FROM vault.sales.orders", [[2]]],
  ["eve", "SHOW GRANTS ON TABLE vault.sales.orders", [["bob", "USER", "eve", "USER", "vault", "sales", "orders", "SELECT", "NO", null]]],
  [
    "ann",
    "SELECT grantor, grantee, privilege_type, is_grantable FROM vault.information_schema.table_privileges WHERE table_schema = 'sales'",
    [
      ["ann", "ann", "SELECT", "YES"],
      ["ann", "ann", "DELETE", "YES"],
      ["ann", "ann", "INSERT", "YES"],
      ["ann", "ann", "UPDATE", "YES"],
      ["ann", "bob", "INSERT", "NO"],
      ["ann", "bob", "SELECT", "YES"],
      ["bob", "eve", "SELECT", "NO"],
    ],
  ],
  ["ann", "REVOKE GRANT OPTION FOR SELECT ON vault.sales.orders FROM bob", "done"],
  ["bob", "GRANT SELECT ON vault.sales.orders TO carl", "Cannot grant privilege SELECT on table vault.sales.orders"],
  ["bob", "SELECT count(*) FROM vault.sales.orders", [[2]]],
  ["ann", "REVOKE SELECT ON vault.sales.orders FROM eve", "done"],
  ["eve", "SELECT count(*) FROM vault.sales.orders", "Cannot select from table vault.sales.orders"],
  ["ann", "REVOKE ALL PRIVILEGES ON vault.sales.orders FROM bob", "done"],
  ["bob", "SELECT count(*) FROM vault.sales.orders", "Cannot select from table vault.sales.orders"],
  ["ann", "GRANT CREATE ON vault.sales.orders TO bob", "error: This connector does not support privilege CREATE on tables"],
  ["ann", "DENY SELECT ON vault.sales.orders TO bob", "error: This connector does not support denies on tables"],
  ["ann", "GRANT SELECT ON vault.sales.orders TO ROLE nobody", "error: Role 'nobody' does not exist"],
  ["ann", "GRANT SELECT ON vault.sales.nothing TO bob", "error: Table 'vault.sales.nothing' does not exist"],
  // Roles.
  ["ann", "CREATE ROLE clerk IN vault", "Cannot create role clerk"],
  [admin, "CREATE ROLE clerk IN vault", "done"],
  [admin, "CREATE ROLE Clerk IN vault", "error: Role 'clerk' already exists"],
  [admin, "CREATE ROLE chief IN vault", "done"],
  [admin, 'CREATE ROLE "none" IN vault', "error: Role name cannot be one of the reserved roles: [all, default, none, null, current_role]"],
  [admin, "CREATE ROLE r WITH ADMIN ann IN vault", "error: This connector does not support WITH ADMIN of CREATE ROLE"],
  [admin, "GRANT chief TO ann GRANTED BY bob IN vault", "error: This connector does not support GRANTED BY"],
  [admin, "GRANT nobody TO ann IN vault", "error: Role 'nobody' does not exist"],
  [admin, "GRANT public TO ann IN vault", "Cannot grant role public, which everybody has"],
  ["eve", "SHOW ROLES IN vault", "Cannot show roles"],
  [admin, "SHOW ROLES IN vault", [["admin"], ["chief"], ["clerk"], ["public"]]],
  ["eve", "GRANT clerk TO eve IN vault", "Cannot grant roles [clerk] to [USER eve]"],
  [admin, "GRANT clerk TO ROLE chief IN vault", "done"],
  [admin, "GRANT chief TO ROLE clerk IN vault", "error: Role 'chief' would be granted to itself"],
  [admin, "GRANT chief TO USER carl WITH ADMIN OPTION IN vault", "done"],
  ["carl", "GRANT chief TO dora IN vault", "done"],
  ["carl", "GRANT clerk TO dora IN vault", "Cannot grant roles [clerk] to [USER dora]"],
  ["ann", "GRANT SELECT ON vault.sales.orders TO ROLE clerk", "done"],
  ["dora", "SELECT count(*) FROM vault.sales.orders", [[2]]],
  ["dora/NONE", "SELECT count(*) FROM vault.sales.orders", "Cannot select from table vault.sales.orders"],
  ["dora/ROLE{clerk}", "SELECT count(*) FROM vault.sales.orders", [[2]]],
  ["dora", "SHOW CURRENT ROLES IN vault", [["chief"], ["clerk"], ["public"]]],
  ["dora/ROLE{clerk}", "SHOW CURRENT ROLES IN vault", [["clerk"], ["public"]]],
  ["dora/NONE", "SELECT role_name FROM vault.information_schema.enabled_roles", [["public"]]],
  ["dora", "SHOW ROLE GRANTS IN vault", [["chief"], ["public"]]],
  [
    "dora",
    "SELECT grantee, grantee_type, role_name, is_grantable FROM vault.information_schema.applicable_roles ORDER BY role_name",
    [
      ["dora", "USER", "chief", "NO"],
      ["chief", "ROLE", "clerk", "NO"],
      ["dora", "USER", "public", "NO"],
    ],
  ],
  ["eve", "SELECT * FROM vault.information_schema.roles", []],
  // A grant to everybody.
  ["ann", "GRANT UPDATE ON vault.sales.orders TO ROLE public", "done"],
  ["eve", "SHOW TABLES FROM vault.sales", [["orders"]]],
  // Views run with their owner's rights, or with the reader's.
  ["ann", "CREATE VIEW vault.sales.of_ann AS SELECT count(*) AS n FROM vault.sales.orders", "done"],
  ["ann", "CREATE VIEW vault.sales.of_reader SECURITY INVOKER AS SELECT count(*) AS n FROM vault.sales.orders", "done"],
  ["eve", "SELECT n FROM vault.sales.of_ann", "Cannot select from columns [n] in table or view vault.sales.of_ann"],
  ["ann", "GRANT SELECT ON vault.sales.of_ann TO ROLE public", "done"],
  ["ann", "GRANT SELECT ON vault.sales.of_reader TO ROLE public", "done"],
  ["eve", "SELECT n FROM vault.sales.of_ann", [[2]]],
  ["eve", "SELECT n FROM vault.sales.of_reader", "Cannot select from table vault.sales.orders"],
  ["dora", "SELECT n FROM vault.sales.of_reader", [[2]]],
  ["dora", 'CREATE VIEW vault."default".of_dora AS SELECT id FROM vault.sales.orders', "done"],
  ["dora", 'GRANT SELECT ON vault."default".of_dora TO eve', "done"],
  [
    "eve",
    'SELECT id FROM vault."default".of_dora',
    "View owner does not have sufficient privileges: View owner 'dora' cannot create view that selects from vault.sales.orders",
  ],
  // Whoever gives a view away would give away the new owner's rights.
  [
    "dora",
    'ALTER VIEW vault."default".of_dora SET AUTHORIZATION ann',
    "Cannot set authorization for view vault.default.of_dora to USER ann",
  ],
  [
    admin,
    'ALTER VIEW vault."default".of_dora SET AUTHORIZATION ROLE clerk',
    "error: This connector does not support a role as the owner of a view",
  ],
  [admin, 'ALTER VIEW vault."default".of_dora SET AUTHORIZATION ann', "done"],
  ["eve", 'SELECT count(*) FROM vault."default".of_dora', [[2]]],
  // What is dropped takes its grants with it; what is renamed keeps them.
  ["ann", "ALTER TABLE vault.sales.orders RENAME TO vault.sales.renamed", "done"],
  ["dora", "SELECT count(*) FROM vault.sales.renamed", [[2]]],
  ["ann", "DROP TABLE vault.sales.renamed", "done"],
  ["ann", "CREATE TABLE vault.sales.renamed (id bigint)", "done"],
  ["dora", "SELECT count(*) FROM vault.sales.renamed", "Cannot select from table vault.sales.renamed"],
  // In the schema `default` everybody may create.
  ["eve", 'CREATE TABLE vault."default".of_eve (id bigint)', "done"],
  ["eve", 'ALTER TABLE vault."default".of_eve RENAME TO vault."default".hers', "done"],
  ["bob", 'DROP TABLE vault."default".hers', "Cannot drop table vault.default.hers"],
  ["bob", 'DROP SCHEMA vault."default"', "Cannot drop schema vault.default"],
  ["eve", 'ALTER TABLE vault."default".hers SET AUTHORIZATION ROLE clerk', "done"],
  ["dora", 'DROP TABLE vault."default".hers', "done"],
  // A role that is dropped is nobody's.
  [admin, "REVOKE ADMIN OPTION FOR chief FROM USER carl IN vault", "done"],
  ["carl", "GRANT chief TO eve IN vault", "Cannot grant roles [chief] to [USER eve]"],
  [admin, "DROP ROLE chief IN vault", "done"],
  ["dora/ROLE{chief}", "SELECT 1", "Cannot set role chief"],
  ["dora", "SHOW CURRENT ROLES IN vault", [["public"]]],
  [admin, "DROP ROLE admin IN vault", "Cannot drop role admin"],
  [admin, "GRANT admin TO eve IN vault", "done"],
  ["eve/ROLE{admin}", "CREATE SCHEMA vault.of_eve", "done"],
  ["eve", "DROP SCHEMA vault.of_eve", "done"],
  // Other catalogs are as before.
  ["eve", "CREATE ROLE r IN memory", "error: This connector does not support roles"],
  ["eve", "SELECT count(*) FROM tpch.tiny.region", [[5]]],
];

export function defineGrants(world: string, start: () => Promise<Service>): void {
  describe(`grants over ${world}`, () => {
    let service: Service;
    beforeAll(async () => {
      service = await start();
      const properties = `"memory.security" = 'sql-standard', "memory.admin-users" = 'root'`;
      await new Asker(service, { "x-trino-user": "root" }).rows(`CREATE CATALOG vault USING memory WITH (${properties})`);
    });
    afterAll(() => service.stop());

    const as = (who: string): Asker => {
      const [user = "", role] = who.split("/");
      return new Asker(service, {
        "x-trino-user": user,
        ...(role !== undefined && { "x-trino-role": `vault=${encodeURIComponent(role)}` }),
      });
    };

    it("are those of the catalog, statement by statement", async () => {
      const wrong: unknown[] = [];
      for (const [who, sql, answer] of steps) {
        const { error, rows } = await as(who).answer(sql);
        const text = error?.message.replace(/^line \d+:\d+: /, "");
        const denied = error?.errorName === "PERMISSION_DENIED" ? text?.replace("Access Denied: ", "") : `error: ${text}`;
        const got = error === undefined ? (answer === "done" ? "done" : rows) : denied;
        if (JSON.stringify(got) !== JSON.stringify(answer)) {
          wrong.push({ who, sql, expected: answer, got });
        }
      }
      expect(wrong).toEqual([]);
    });

    it("tell the client the role that was set", async () => {
      const first = await as("root").ask("POST", "/v1/statement", "SET ROLE admin IN vault");
      let answer = first;
      for (let uri: unknown; ; ) {
        uri = (JSON.parse(answer.text) as { nextUri?: unknown }).nextUri;
        if (answer.headers["x-trino-set-role"] !== undefined || uri === undefined) {
          break;
        }
        answer = await as("root").ask("GET", textOf(uri as string));
      }
      expect(decodeURIComponent(String(answer.headers["x-trino-set-role"]))).toBe("vault=ROLE{admin}");
    });
  });
}
