/** Rights on tables of files: creating, writing and dropping need what the rules say, and no name leads around them. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { parseAccessRules } from "../../src/security/rules.ts";
import { type LoopbackCluster, startLoopbackCluster } from "../support/loopback-cluster.ts";
import { Asker } from "../support/service.ts";

const rules = parseAccessRules({
  catalogs: [{ catalog: "lake|system", allow: "all" }],
  schemas: [{ user: "root", owner: true }],
  tables: [
    { user: "root", privileges: ["SELECT", "INSERT", "DELETE", "UPDATE", "OWNERSHIP"] },
    { user: "writer", table: "log", privileges: ["INSERT"] },
    { user: "maker", table: "mine|log2", privileges: ["SELECT", "OWNERSHIP"] },
    { user: "reader|passer", table: "delta", privileges: ["SELECT"] },
    { user: "some", table: "delta", privileges: ["SELECT"], filter: "id > 1" },
    { user: "masked", table: "delta", privileges: ["SELECT"], columns: [{ name: "id", mask: "0" }] },
    { user: "partial", table: "delta", privileges: ["SELECT"], columns: [{ name: "secret", allow: false }] },
    { user: "denied|some|masked|partial", table: "delta", privileges: [] },
    { user: "denied|some|masked|partial", privileges: ["SELECT", "INSERT", "OWNERSHIP"] },
  ],
});

let folder: string;
let cluster: LoopbackCluster;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "orrery-rights-"));
  const properties = {
    "connector.name": "files",
    "files.directory": folder,
    "files.writes-enabled": "true",
    "files.paths-enabled": "false",
  };
  cluster = await startLoopbackCluster({
    workers: 1,
    catalogs: [{ name: "lake", properties }],
    access: rules,
  });
});

afterAll(async () => {
  await cluster.stop();
  rmSync(folder, { recursive: true });
});

async function answer(user: string, sql: string): Promise<string> {
  const { error, rows } = await new Asker(cluster, { "x-trino-user": user }).answer(sql);
  return error === undefined ? JSON.stringify(rows) : `${error.errorName}: ${error.message.replace(/line \d+:\d+: /, "")}`;
}

it("on a table decide who may read the tables about it, whatever the rules say of their names", async () => {
  const fields = ["id", "secret"].map((name) => ({ name, type: "long", nullable: true, metadata: {} }));
  const metaData = { schemaString: JSON.stringify({ type: "struct", fields }), partitionColumns: ["secret"], configuration: {} };
  mkdirSync(join(folder, "delta/_delta_log"), { recursive: true });
  const actions = [{ protocol: { minReaderVersion: 1, minWriterVersion: 2 } }, { metaData }, { commitInfo: { operation: "WRITE" } }];
  writeFileSync(join(folder, "delta/_delta_log/00000000000000000000.json"), actions.map((one) => `${JSON.stringify(one)}\n`).join(""));
  const history = 'SELECT operation FROM lake.default."delta$history"';
  expect(await answer("reader", history)).toBe('[["WRITE"]]');
  expect(await answer("root", 'SELECT count(*) FROM lake.default."delta$partitions"')).toBe("[[0]]");
  const denied = "PERMISSION_DENIED: Access Denied: Cannot";
  for (const user of ["denied", "some", "masked", "partial", "writer"]) {
    const refused = `${denied} select from table lake.default.delta$`;
    expect(await answer(user, 'TABLE lake.default."delta$partitions"'), user).toBe(`${refused}partitions`);
    expect(await answer(user, history), user).toBe(`${refused}history`);
    expect(await answer(user, `WITH unused AS (${history}) SELECT 1`)).toBe(`${refused}history`);
    expect(await answer(user, 'SHOW COLUMNS FROM lake.default."delta$history"')).toBe(
      `${denied} show columns of table lake.default.delta$history`,
    );
  }
  expect(await answer("partial", 'SHOW STATS FOR lake.default."delta$history"')).toBe(
    `${denied} select from table lake.default.delta$history`,
  );
  expect(await answer("partial", `EXPLAIN ${history}`)).toBe(`${denied} select from table lake.default.delta$history`);
  expect(await answer("denied", 'SHOW CREATE TABLE lake.default."delta$history"')).toBe(
    `${denied} show create table for lake.default.delta$history`,
  );
  expect(await answer("denied", 'CREATE TABLE lake.default.copy (LIKE lake.default."delta$partitions")')).toBe(
    `${denied} select from table lake.default.delta$partitions`,
  );
  expect(JSON.parse(await answer("reader", 'SHOW COLUMNS FROM lake.default."delta$properties"'))).toEqual([
    ["key", "varchar", "", ""],
    ["value", "varchar", "", ""],
  ]);
  // They can neither be changed nor created.
  for (const sql of ["INSERT INTO lake.default.\"delta$properties\" VALUES ('a', 'b')", 'DROP TABLE lake.default."delta$history"']) {
    expect(await answer("root", sql)).toMatch(/^NOT_SUPPORTED: Metadata table 'delta\$\w+' cannot be changed$/);
  }
  expect(await answer("root", 'CREATE TABLE lake.default."log$history" (a bigint)')).toBe(
    "NOT_SUPPORTED: Name 'log$history' is that of a metadata table",
  );
  rmSync(join(folder, "delta"), { recursive: true });
});

it("on a table decide who may read its bad records", async () => {
  writeFileSync(join(folder, "delta.csv"), "id,secret\n1,2\n3\n");
  const rejects = 'SELECT csv_line FROM lake.default."delta$rejects"';
  expect(await answer("reader", rejects)).toBe('[["3"]]');
  for (const user of ["denied", "some", "masked", "partial", "writer"]) {
    expect(await answer(user, rejects), user).toBe("PERMISSION_DENIED: Access Denied: Cannot select from table lake.default.delta$rejects");
  }
  expect(await answer("root", 'DROP TABLE lake.default."delta$rejects"')).toBe(
    "NOT_SUPPORTED: Metadata table 'delta$rejects' cannot be changed",
  );
  rmSync(join(folder, "delta.csv"));
});

it("are checked for every statement that writes", async () => {
  const denied = (what: string): string => `PERMISSION_DENIED: Access Denied: Cannot ${what}`;
  for (const [user, sql, expected] of [
    ["root", "CREATE TABLE lake.default.log AS SELECT BIGINT '1' AS id, 'secret' AS text", "[[1]]"],
    ["writer", "INSERT INTO lake.default.log VALUES (2, 'more')", "[[1]]"],
    [
      "writer",
      "INSERT INTO lake.default.log SELECT * FROM lake.default.log",
      denied("select from columns [id, text] in table or view lake.default.log"),
    ],
    ["writer", "CREATE TABLE lake.default.other (a bigint)", denied("create table lake.default.other")],
    ["writer", "DROP TABLE lake.default.log", denied("drop table lake.default.log")],
    ["writer", "COMMENT ON TABLE lake.default.log IS 'x'", denied("comment table to lake.default.log")],
    ["maker", "INSERT INTO lake.default.log VALUES (3, 'x')", denied("insert into table lake.default.log")],
    [
      "maker",
      "CREATE TABLE lake.default.mine (id bigint, text varchar) WITH (external_location = 'log')",
      "NOT_SUPPORTED: External locations are not allowed where files cannot be read by their paths",
    ],
    ["root", "SELECT count(*) FROM lake.default.log", "[[2]]"],
    [
      "root",
      "CREATE VIEW lake.default.owned AS SELECT id FROM lake.default.log",
      "NOT_SUPPORTED: Views of this catalog have no rights of their owners: create them with SECURITY INVOKER",
    ],
    ["root", "CREATE VIEW lake.default.log2 SECURITY INVOKER AS SELECT id FROM lake.default.log", "[[true]]"],
    ["maker", "SELECT count(*) FROM lake.default.log2", denied("select from table lake.default.log")],
    ["root", "DROP VIEW lake.default.log2", "[[true]]"],
  ] as const) {
    expect(await answer(user, sql), sql).toBe(expected);
  }
  expect(readdirSync(folder).filter((name) => !name.startsWith("."))).toEqual(["log"]);
});
