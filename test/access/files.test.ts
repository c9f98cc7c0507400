/** Rights on tables of files: creating, writing and dropping need what the rules say, and no name leads around them. */
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
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
  ] as const) {
    expect(await answer(user, sql), sql).toBe(expected);
  }
  expect(readdirSync(folder).filter((name) => !name.startsWith("."))).toEqual(["log"]);
});
