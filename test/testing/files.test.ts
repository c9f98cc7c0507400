/**
 * SQL over files: paths in FROM, nested columns, folders as columns, hidden columns, table functions, databases of SQLite, in the whole
 * engine.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Cluster, withCluster } from "../../src/testing/index.ts";
import { written } from "../support/programs/sqlite.ts";

let folder: string;
let cluster: Cluster;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "orrery-files-"));
  mkdirSync(join(folder, "Data"));
  writeFileSync(join(folder, "Data", "A.csv"), "id,name\n1,Ada\n2,Grace\n");
  writeFileSync(join(folder, "Data", "b.csv"), "id,name\n3,Edsger\n");
  writeFileSync(join(folder, "Data", "notes.txt"), "id\n4\n");
  const instance = await DuckDBInstance.create(":memory:");
  const duckdb = await instance.connect();
  await duckdb.run(`COPY (SELECT i AS id, {'a': i, 'b': [i, NULL]} AS r, MAP {'k' || i: i} AS m, [{'x': 'y' || i}] AS l, TIME '01:02:03' AS t,
    TIMESTAMPTZ '2024-01-31 12:00:00+01' AS at FROM range(5) AS t(i)) TO '${join(folder, "nested.parquet")}' (FORMAT PARQUET)`);
  await duckdb.run(`COPY (SELECT i, CASE i % 2 WHEN 0 THEN 'DE' ELSE 'FR' END AS country FROM range(10) AS t(i))
    TO '${join(folder, "sales")}' (FORMAT PARQUET, PARTITION_BY country)`);
  duckdb.closeSync();
  instance.closeSync();
  const database = written((one) =>
    one.exec(`CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT, born DATE, pay DECIMAL(8,2));
      INSERT INTO people WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 5000)
        SELECT i, 'person ' || i, date('1950-01-01', i || ' days'), i * 0.25 FROM c`),
  );
  writeFileSync(join(folder, "app.db"), database);
  cluster = await withCluster({
    http: false,
    catalogs: {
      lite: { "connector.name": "sqlite", "sqlite.file": join(folder, "app.db"), "sqlite.split-size": "16kB" },
      files: { "connector.name": "files", "files.directory": folder },
      tpch: { "connector.name": "tpch" },
    },
  });
});

afterAll(async () => {
  await cluster.close();
  rmSync(folder, { recursive: true });
});

async function rows(sql: string, catalog = "files"): Promise<readonly (readonly unknown[])[]> {
  return (await cluster.query(sql, { catalog })).rows;
}

it("reads a path in FROM, in a session of the catalog", async () => {
  expect(await rows("SELECT * FROM 'Data/*.csv' ORDER BY id")).toEqual([
    [1n, "Ada"],
    [2n, "Grace"],
    [3n, "Edsger"],
  ]);
  expect(await rows("SELECT a.name, b.name FROM 'Data/A.csv' a JOIN 'Data/b.csv' AS b ON a.id = b.id - 2")).toEqual([["Ada", "Edsger"]]);
  expect(await rows(`SELECT count(*) FROM files.default."data/{a,b}.csv" WHERE id > 1`, "tpch")).toEqual([[2n]]);
  expect(await rows("WITH x AS (TABLE files.default.\"data/b.csv\") SELECT (SELECT max(id) FROM 'Data/A.csv'), id FROM x")).toEqual([
    [2n, 3n],
  ]);
});

it("says what is wrong with a path", async () => {
  await expect(rows("SELECT * FROM 'nation.csv'", "tpch")).rejects.toMatchObject({
    message: expect.stringContaining("line 1:15: Catalog 'tpch' has no files: a path cannot be a table"),
  });
  await expect(cluster.query("SELECT * FROM 'x.csv'")).rejects.toMatchObject({
    message: expect.stringContaining("Catalog must be specified"),
  });
  await expect(rows("SELECT * FROM 'nothing.csv'")).rejects.toMatchObject({
    message: expect.stringContaining("line 1:15: Catalog 'files' has no file 'nothing.csv'"),
  });
  await expect(rows("SELECT * FROM '../x.csv'")).rejects.toMatchObject({ message: expect.stringContaining("'..' is not allowed") });
  await expect(rows("SELECT * FROM 'Data/notes.txt'")).rejects.toMatchObject({ message: expect.stringContaining("no known format") });
});

it("reads nested columns", async () => {
  expect(
    await rows(`SELECT id, r.a, r.b[1], cardinality(r.b), m['k' || CAST(id AS varchar)], l[1].x, t, at FROM 'nested.parquet' WHERE id = 3`),
  ).toEqual([[3n, 3n, 3n, 2n, 3n, "y3", "01:02:03.000000", "2024-01-31 11:00:00.000000 UTC"]]);
  expect(
    await rows("SELECT element, count(*) FROM files.default.nested, UNNEST(r.b) AS u(element) GROUP BY 1 ORDER BY 1", "files"),
  ).toHaveLength(6);
});

it("has folders as columns, and hidden columns", async () => {
  expect(await rows("SELECT country, sum(i), count(*) FROM 'sales' GROUP BY country ORDER BY 1")).toEqual([
    ["DE", 20n, 5n],
    ["FR", 25n, 5n],
  ]);
  expect(await rows("SELECT i FROM files.default.sales WHERE country = 'FR' AND i > 5 ORDER BY i")).toEqual([[7n], [9n]]);
  expect(await rows("SELECT DISTINCT \"$path\" FROM files.default.sales WHERE country IN (SELECT 'DE')")).toEqual([
    ["sales/country=DE/data_0.parquet"],
  ]);
  expect(await rows("SELECT \"$row_number\", id FROM 'Data/A.csv'")).toEqual([
    [1n, 1n],
    [2n, 2n],
  ]);
  expect(await rows("SELECT * FROM 'Data/A.csv' WHERE \"$file_size\" > 1000000")).toEqual([]);
  expect((await rows("SHOW COLUMNS FROM files.default.sales")).map(([name]) => name)).toEqual(["i", "country"]);
  expect(await rows("SELECT count(*) FROM files.information_schema.columns WHERE table_name = 'sales'")).toEqual([[2n]]);
});

it("has table functions", async () => {
  expect(await rows("SELECT * FROM TABLE(files.system.read_csv(path => 'Data/notes.txt'))", "tpch")).toEqual([[4n]]);
  expect(await rows("SELECT count(*) FROM TABLE(files.system.read_parquet('sales/**'))")).toEqual([[10n]]);
});

it("joins tables of SQLite with files, and does not write to them", async () => {
  expect(await rows("SELECT count(*), sum(pay), min(born), max(name) FROM lite.main.people")).toEqual([
    [5000n, "3125625.00", "1950-01-02", "person 999"],
  ]);
  expect(
    await rows(
      `SELECT p.id, f.name, p.name, p.pay FROM 'Data/*.csv' AS f JOIN lite.main.people AS p ON f.id = p.id WHERE p.id > 1 ORDER BY 1`,
    ),
  ).toEqual([
    [2n, "Grace", "person 2", "0.50"],
    [3n, "Edsger", "person 3", "0.75"],
  ]);
  expect(await rows('SELECT name, "$rowid" FROM lite.main.people LIMIT 2')).toEqual([
    ["person 1", 1n],
    ["person 2", 2n],
  ]);
  for (const [statement, message] of [
    ["INSERT INTO lite.main.people VALUES (1, 'x', NULL, NULL)", "This connector does not support inserts"],
    ["DELETE FROM lite.main.people", "This connector does not support deletes"],
    ["CREATE TABLE lite.main.t AS SELECT 1 AS x", "This connector does not support creating tables"],
  ] as const) {
    await expect(rows(statement)).rejects.toMatchObject({ errorName: "NOT_SUPPORTED", message: expect.stringContaining(message) });
  }
});
