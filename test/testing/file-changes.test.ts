/** DELETE, UPDATE, MERGE and TRUNCATE of tables in files: they leave what the same statements leave in a table of the memory connector. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Commits } from "../../src/connectors/files/write/commit.ts";
import { readDescription } from "../../src/connectors/files/write/description.ts";
import { Staging } from "../../src/connectors/files/write/staging.ts";
import { createNodeMemory } from "../../src/memory/allocator.ts";
import type { Clock } from "../../src/ports/clock.ts";
import type { Log } from "../../src/ports/ports.ts";
import { assert } from "../../src/protocol/errors.ts";
import type { RandomStream } from "../../src/ports/random.ts";
import { openCatalogFolder } from "../../src/server/ports/storage.ts";
import { type Cluster, withCluster } from "../../src/testing/index.ts";
import { Random } from "../oracle/fuzz/random.ts";

let folder: string;
let cluster: Cluster;
let duckdb: DuckDBConnection;
let instance: DuckDBInstance;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "orrery-changes-"));
  instance = await DuckDBInstance.create(":memory:", { threads: "1" });
  duckdb = await instance.connect();
  const files = { "connector.name": "files", "files.directory": folder, "files.writes-enabled": "true" };
  cluster = await withCluster({
    http: false,
    workers: 1,
    // Another catalog over the same folder stands for another cluster.
    catalogs: { lake: files, other: files, memory: { "connector.name": "memory" } },
  });
});

afterAll(async () => {
  await cluster.close();
  duckdb.closeSync();
  instance.closeSync();
  rmSync(folder, { recursive: true });
});

async function rows(sql: string, catalog = "lake"): Promise<readonly (readonly unknown[])[]> {
  return (await cluster.query(sql, { catalog, schema: "default" })).rows;
}

function filesOf(table: string): readonly string[] {
  return readdirSync(join(folder, table), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith("."))
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + table.length + 2))
    .sort();
}

/** `FILE_CHANGES=200` draws more. */
const statementsMax = Number(process.env["FILE_CHANGES"] ?? 6);
const seedOffset = Number(process.env["FILE_CHANGES_SEED"] ?? 0);

const source = `SELECT n AS id, n % 7 AS k, CASE n % 5 WHEN 0 THEN NULL ELSE 'text ' || CAST(n % 11 AS varchar) END AS s, CAST(n AS double) / 4 AS d
  FROM UNNEST(sequence(1, 60)) AS t(n)`;

function drawCondition(random: Random): string {
  const value = random.below(80);
  return random.pick([
    `id < ${value}`,
    `k = ${value % 8}`,
    "s IS NULL",
    `s = 'text ${value % 12}' OR id % 3 = ${value % 3}`,
    `id IN (SELECT k + ${value} FROM TABLE_NAME)`,
    `d > ${value / 4} AND k <> 2`,
    "false",
  ]);
}

const assignments = ["s = 'new'", "k = k + 1, d = NULL", "s = NULL", "d = d * 2"];

/** With TABLE_NAME in the place of the table's name. */
function drawStatement(random: Random): string {
  switch (random.below(6)) {
    case 0:
      return `DELETE FROM TABLE_NAME WHERE ${drawCondition(random)}`;
    case 1:
    case 2:
      return `UPDATE TABLE_NAME SET ${random.pick(assignments)} WHERE ${drawCondition(random)}`;
    case 3:
      return `INSERT INTO TABLE_NAME SELECT id + ${random.below(1000)}, k, s, d FROM TABLE_NAME WHERE id % 9 = ${random.below(9)}`;
    case 4:
      return random.chance(15) ? "TRUNCATE TABLE TABLE_NAME" : `DELETE FROM TABLE_NAME WHERE id = ${random.below(60)}`;
    default:
      return `MERGE INTO TABLE_NAME t
        USING (SELECT n AS id, n % 4 AS k FROM UNNEST(sequence(${random.below(40)}, 70)) AS u(n)) s ON t.id = s.id
        WHEN MATCHED AND s.k = 0 THEN DELETE WHEN MATCHED THEN UPDATE SET k = s.k, s = 'merged'
        WHEN NOT MATCHED THEN INSERT (id, k) VALUES (s.id, s.k)`;
  }
}

/** The same statement fails in both, or has the same number of rows. */
async function outcome(sql: string, catalog: string): Promise<unknown> {
  try {
    return await rows(sql, catalog);
  } catch (error) {
    return (error as { readonly errorName?: string }).errorName;
  }
}

describe.each([
  ["PARQUET", "", 1],
  ["ARROW", ", partitioned_by = ARRAY['k']", 2],
  ["CSV", "", 3],
  ["JSON", ", sorted_by = ARRAY['id']", 4],
])("%s%s", (format, options, seed) => {
  it("has the rows of a table in memory after the same statements", async () => {
    const name = `changed_${format.toLowerCase()}`;
    const columns = options.includes("partitioned") ? "id, s, d, k" : "id, k, s, d";
    await rows(`CREATE TABLE ${name} WITH (format = '${format}'${options}) AS SELECT ${columns} FROM (${source})`);
    await rows(`CREATE TABLE ${name} AS SELECT ${columns} FROM (${source})`, "memory");
    const random = new Random(seed + seedOffset);
    for (let statement = 0; statement < statementsMax; statement++) {
      const sql = drawStatement(random).replaceAll("TABLE_NAME", name).replace("INSERT INTO", `INSERT INTO`);
      const insert = sql.replace(/^INSERT INTO \S+/, `INSERT INTO ${name} (id, k, s, d)`);
      const expected = await outcome(insert, "memory");
      expect(await outcome(insert, "lake"), sql).toEqual(expected);
      const read = `SELECT id, k, s, d FROM ${name} ORDER BY 1, 2, 3, 4`;
      expect(await rows(read), sql).toEqual(await rows(read, "memory"));
    }
    // Nothing of what was replaced is left for other readers of the folder.
    if (format === "PARQUET") {
      const found = await duckdb.runAndReadAll(`SELECT count(*), sum(id) FROM '${folder}/${name}/**/*.parquet'`);
      const [row] = await rows(`SELECT count(*), sum(id) FROM ${name}`);
      expect(found.getRows()[0]?.map(String)).toEqual(row?.map((value) => (value === null ? "null" : String(value as bigint))));
    }
  });
});

it("replaces by one rename what the statement has read, and leaves no old file", async () => {
  await rows(`CREATE TABLE plain AS ${source}`);
  await rows(`INSERT INTO plain ${source}`);
  await rows("UPDATE plain SET k = 0 WHERE id = 1");
  expect(filesOf("plain").every((file) => file.startsWith("rewritten_00000001/"))).toBe(true);
  await rows("DELETE FROM plain WHERE id > 1");
  expect(filesOf("plain").every((file) => file.startsWith("rewritten_00000002/"))).toBe(true);
  expect(await rows("SELECT id, k FROM plain")).toEqual([
    [1n, 0n],
    [1n, 0n],
  ]);
  expect(readFileSync(join(folder, "plain/rewritten_00000001/.orrery-replaced"))).toHaveLength(0);
  await rows("DELETE FROM plain");
  expect(await rows("SELECT count(*) FROM plain", "other")).toEqual([[0n]]);
  const [described] = await rows("SHOW CREATE TABLE plain");
  expect(described?.[0]).toContain("k bigint");
});

it("does not count replaced files that a crash has left, and removes them with the next change", async () => {
  await rows(`CREATE TABLE crashed AS ${source}`);
  const [old = ""] = filesOf("crashed");
  const bytes = readFileSync(join(folder, "crashed", old));
  await rows("DELETE FROM crashed WHERE id > 10");
  writeFileSync(join(folder, "crashed", old), bytes);
  writeFileSync(join(folder, "crashed/rewritten_00000001/.orrery-replaced"), JSON.stringify({ version: 1, replaced: [old] }));
  expect(await rows("SELECT count(*) FROM crashed")).toEqual([[10n]]);
  await rows("DELETE FROM crashed WHERE id > 5");
  expect(await rows("SELECT count(*) FROM crashed")).toEqual([[5n]]);
  expect(existsSync(join(folder, "crashed", old))).toBe(false);
});

it("fails if another cluster replaces the files first", async () => {
  await rows(`CREATE TABLE raced AS ${source}`);
  const outcomes = await Promise.all([
    outcome("UPDATE raced SET k = k + 100", "lake"),
    outcome("UPDATE raced SET k = k + 100", "other"),
    outcome("UPDATE raced SET k = k + 100", "lake"),
  ]);
  const won = outcomes.filter((one) => Array.isArray(one)).length;
  expect(won).toBeGreaterThan(0);
  for (const lost of outcomes.filter((one) => !Array.isArray(one))) {
    // Its files may also have gone while it read them.
    expect(["TRANSACTION_CONFLICT", "FILE_NOT_FOUND"]).toContain(lost);
  }
  expect(await rows("SELECT count(*), min(k) >= 100, max(k) FROM raced")).toEqual([[60n, true, BigInt(6 + 100 * won)]]);
});

it("numbers go on from those that are there", async () => {
  await rows(`CREATE TABLE taken AS ${source}`);
  await rows(`CREATE TABLE donor AS ${source}`);
  await rows("DELETE FROM donor WHERE id > 1");
  renameSync(join(folder, "donor/rewritten_00000001"), join(folder, "taken/rewritten_00000001"));
  await rows("DELETE FROM taken WHERE id = 2");
  expect(filesOf("taken").every((file) => file.startsWith("rewritten_00000002/"))).toBe(true);
  expect(await rows("SELECT count(*) FROM taken")).toEqual([[60n]]);
});

it.each([
  [{ version: 2, replaced: [] }],
  [{ version: 1, replaced: ["../other/file.parquet"] }],
  [{ version: 1, replaced: ["/etc/passwd"] }],
])("refuses a list of replaced files like %j", async (list) => {
  const name = `marked_${JSON.stringify(list).length}`;
  await rows(`CREATE TABLE ${name} AS ${source}`);
  await rows(`DELETE FROM ${name} WHERE id = 1`);
  writeFileSync(join(folder, name, "rewritten_00000001/.orrery-replaced"), JSON.stringify(list));
  await expect(rows(`SELECT * FROM ${name}`)).rejects.toMatchObject({ errorName: "FILE_BAD_DATA" });
});

it("does not change external tables and files of others", async () => {
  await duckdb.run(`COPY (SELECT 1 AS a) TO '${folder}/alone.parquet'`);
  await expect(rows("DELETE FROM alone")).rejects.toMatchObject({ errorName: "NOT_SUPPORTED" });
  expect(await rows("SELECT a FROM alone")).toEqual([[1]]);
});

it("finds its name taken if another cluster replaces the files after they were checked", async () => {
  await rows(`CREATE TABLE late AS ${source}`);
  const storage = openCatalogFolder(folder, { writable: true });
  const memory = createNodeMemory({ sizeBytes: 16 * 1024 * 1024 }).root;
  const log = { warn: () => {} } as unknown as Log;
  const staging = new Staging({
    storage,
    clock: { wallMillis: () => 0 } as Clock,
    random: { nextText: () => "abcdefgh" } as unknown as RandomStream,
    log,
    catalog: "late",
    retentionMillis: 1,
    graceMs: 1,
  });
  const description = await readDescription(storage, "late");
  assert(description !== undefined, "the table has a description");
  // A table that is dropped while its folder is read is no table, and no error.
  expect(await readDescription(storage, "dropped")).toBeUndefined();
  const commits = new Commits({
    storage,
    staging,
    catalog: "late",
    memory,
    rowGroupBytes: 1000,
    check: async () => {
      await rows("UPDATE late SET s = 'first'", "other");
      return [];
    },
  });
  const write = await commits.begin({ kind: "rewrite", table: "late", folder: "late", description, isDescribed: true, state: 0 });
  await expect(commits.finish(write, [])).rejects.toMatchObject({ errorName: "TRANSACTION_CONFLICT" });
  expect(await rows("SELECT count(*), count_if(s = 'first') FROM late")).toEqual([[60n, 60n]]);
});
