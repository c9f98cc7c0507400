/** Tables written to files, in the whole engine: every format and codec, read back by the engine and by DuckDB. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Cluster, withCluster } from "../../src/testing/index.ts";
import { arrowRows } from "../support/oracle/arrow-rows.ts";

let folder: string;
let cluster: Cluster;
let duckdb: DuckDBConnection;
let instance: DuckDBInstance;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "orrery-writes-"));
  instance = await DuckDBInstance.create(":memory:", { threads: "1" });
  duckdb = await instance.connect();
  await duckdb.run("SET TimeZone = 'UTC'");
  const files = { "connector.name": "files", "files.directory": folder };
  cluster = await withCluster({
    http: false,
    workers: 2,
    catalogs: {
      lake: { ...files, "files.writes-enabled": "true", "files.max-partitions-per-writers": "40" },
      small: { ...files, "files.writes-enabled": "true", "files.target-max-file-size": "20kB", "files.row-group-size": "8kB" },
      readonly: files,
      memory: { "connector.name": "memory" },
      tpch: { "connector.name": "tpch" },
    },
  });
});

afterAll(async () => {
  await cluster.close();
  duckdb.closeSync();
  instance.closeSync();
  rmSync(folder, { recursive: true });
});

/** The first value of the first row. */
async function textOf(sql: string, catalog = "lake"): Promise<string> {
  const [row] = await rows(sql, catalog);
  return String(row?.[0] as string);
}

async function rows(sql: string, catalog = "lake"): Promise<readonly (readonly unknown[])[]> {
  return (await cluster.query(sql, { catalog, schema: "default" })).rows;
}

/** Of DuckDB, as text. */
async function duck(sql: string): Promise<readonly (readonly unknown[])[]> {
  return (await duckdb.runAndReadAll(sql)).getRows().map((row) => row.map((value) => (value === null ? null : String(value))));
}

/** Files of a table, by their paths below its folder. */
function filesOf(table: string): readonly string[] {
  return readdirSync(join(folder, table), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith("."))
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + table.length + 2))
    .sort();
}

const scalars = `SELECT
    n AS id, n % 3 = 0 AS yes, CAST(n % 100 AS tinyint) AS i8, CAST(-n AS smallint) AS i16, CAST(n * 7919 AS integer) AS i32,
    n * 1234567890123 AS i64, CAST(n / 3e0 AS real) AS r, CASE n % 50 WHEN 1 THEN infinity() WHEN 2 THEN -0e0 ELSE n / 7e0 END AS d,
    CAST(n - 500 AS decimal(9, 2)) / 100 AS short, CAST(n AS decimal(38, 5)) * DECIMAL '-100000000000000000000' AS long,
    CASE n % 5 WHEN 0 THEN NULL WHEN 1 THEN '' ELSE 'wörd "' || CAST(n % 17 AS varchar) || '",' || chr(10) || ' ' END AS word,
    CAST(n AS varchar) || rpad('', CAST(n % 90 AS bigint), 'é') AS text,
    DATE '1969-12-01' + INTERVAL '1' DAY * n AS day, CAST(TIME '01:02:03.456' AS time(3)) AS t3, TIME '23:59:59.999999' AS t6,
    TIMESTAMP '1969-12-31 23:59:59.999' + INTERVAL '1' SECOND * n AS ts3,
    CAST(TIMESTAMP '2001-01-31 12:00:00.123456' AS timestamp(6)) - INTERVAL '1' DAY * n AS ts6,
    CAST(from_unixtime(n, 'UTC') AS timestamp(3) with time zone) AS z
  FROM UNNEST(sequence(1, 1000)) AS s(n)`;

const documents = `SELECT CAST(id AS bigint) AS id, doc FROM (VALUES (1, JSON '{"b":[{"x":3}],"a":"é \\" \\n, x"}'), (2, JSON '"text, \\"quoted\\""'), (3, JSON 'null'), (4, NULL),
    (5, JSON '[1,2.50,1e400,true]'), (6, JSON '12345678901234567890123'), (7, JSON '{"b":[{"x":50}]}'), (8, JSON '""'), (9, JSON '{}')) AS t(id, doc)`;

const nested = `SELECT n AS id,
    CASE n % 4 WHEN 0 THEN NULL WHEN 1 THEN ARRAY[] ELSE ARRAY[n, NULL, n + 1] END AS list,
    CASE n % 3 WHEN 0 THEN NULL ELSE MAP(ARRAY['a', 'k' || CAST(n AS varchar)], ARRAY[n, NULL]) END AS m,
    CASE n % 5 WHEN 0 THEN NULL ELSE CAST(ROW(n, ARRAY[ROW('x' || CAST(n AS varchar), 1.5e0), NULL])
      AS row(a bigint, b array(row(s varchar, d double)))) END AS r
  FROM UNNEST(sequence(1, 300)) AS s(n)`;

const binary = `SELECT n AS id, CAST('00000000-0000-0000-0000-0000000' || CAST(n AS varchar) AS uuid) AS u,
    to_utf8('b' || CAST(n AS varchar)) AS b, CAST(TIMESTAMP '2001-01-31 12:00:00.123456789' AS timestamp(9)) AS ts9,
    ARRAY[MAP(ARRAY[DATE '2020-01-01'], ARRAY[ARRAY[DECIMAL '1.10']])] AS deep
  FROM UNNEST(sequence(10001, 10200)) AS s(n)`;

async function sameAsSource(table: string, source: string): Promise<void> {
  const written = await rows(`SELECT * FROM ${table} ORDER BY id`);
  expect(written).toEqual(await rows(`SELECT * FROM (${source}) ORDER BY id`));
}

describe.each([
  ["PARQUET", "SNAPPY"],
  ["PARQUET", "ZSTD"],
  ["PARQUET", "GZIP"],
  ["PARQUET", "NONE"],
  ["ARROW", "NONE"],
  ["ARROW", "ZSTD"],
  ["CSV", "NONE"],
  ["CSV", "GZIP"],
  ["CSV", "ZSTD"],
  ["JSON", "NONE"],
  ["JSON", "GZIP"],
  ["JSON", "ZSTD"],
])("%s, %s", (format, codec) => {
  const name = `t_${format}_${codec}`.toLowerCase();
  // Not without an extension; another library reads it below.
  const isReadByDuckdb = format !== "ARROW";
  const reader = { PARQUET: "read_parquet", CSV: "read_csv", JSON: "read_json" }[format] as string;
  const files = (table: string): string =>
    `${reader}('${folder}/${table}/**/*.${format.toLowerCase()}*'${format === "CSV" ? ", header = true, allow_quoted_nulls = false" : ""})`;

  it("keeps scalars of all types", async () => {
    await rows(`CREATE TABLE ${name} WITH (format = '${format}', compression_codec = '${codec}') AS ${scalars}`);
    await sameAsSource(name, scalars);
    expect(await rows(`SELECT count(*) FROM ${name} WHERE i32 = 7919 * 77`)).toEqual([[1n]]);
    if (!isReadByDuckdb) {
      return;
    }
    const columns = "id, yes, i32, i64, short, long, word, text, day, t6, ts6";
    const found = await duck(`SELECT ${columns.replaceAll(/(short|long|t6|ts6|day)/g, "$1::varchar")} FROM ${files(name)} ORDER BY id`);
    const expected = await rows(
      `SELECT ${columns.replaceAll(/(short|long|t6|ts6|day)/g, "CAST($1 AS varchar)")} FROM (${scalars}) ORDER BY id`,
    );
    const number = format !== "PARQUET" ? (value: string): string => String(Number(value)) : (value: string): string => value;
    expect(found.map((row) => row.map((value, column) => (column === 4 || column === 5 ? number(value as string) : value)))).toEqual(
      expected.map((row) =>
        row.map((value, column) =>
          value === null ? null : column === 4 || column === 5 ? number(value as string) : String(value as string | number),
        ),
      ),
    );
  });

  if (format === "CSV") {
    return;
  }

  it("keeps documents of JSON, and reads those that DuckDB adds", async () => {
    const table = `${name}_json`;
    await rows(`CREATE TABLE ${table} WITH (format = '${format}', compression_codec = '${codec}') AS ${documents}`);
    expect(await textOf(`SELECT typeof(doc) FROM ${table} LIMIT 1`)).toBe("json");
    // A null of JSON on a line of JSON is a missing value.
    const text = format === "JSON" ? "NULLIF(json_format(doc), 'null')" : "json_format(doc)";
    expect(await rows(`SELECT id, json_format(doc) FROM ${table} ORDER BY id`)).toEqual(
      await rows(`SELECT id, ${text} FROM (${documents}) ORDER BY id`),
    );
    expect(await textOf(`SELECT sum(CAST(json_extract_scalar(doc, '$.b[0].x') AS bigint)) FROM ${table}`)).toBe("53");
    if (!isReadByDuckdb || codec === "GZIP" || codec === "SNAPPY") {
      return;
    }
    const typed = { PARQUET: "", CSV: ", types = {'doc': 'JSON'}", JSON: ", columns = {'id': 'BIGINT', 'doc': 'JSON'}" }[format] as string;
    const from = files(table);
    const source = format === "PARQUET" ? from : `${from.slice(0, -1)}${typed})`;
    expect(await duck(`SELECT DISTINCT typeof(doc) FROM ${source}`)).toEqual([["JSON"]]);
    expect(await duck(`SELECT id, CAST(doc AS varchar) FROM ${source} WHERE id NOT IN (3, 4) ORDER BY id`)).toEqual(
      (await rows(`SELECT CAST(id AS varchar), json_format(doc) FROM ${table} WHERE id NOT IN (3, 4) ORDER BY id`)) as unknown[][],
    );
    const ending = format.toLowerCase();
    await duckdb.run(
      `COPY (SELECT 100 + i AS id, CASE i WHEN 3 THEN NULL WHEN 2 THEN '"s, ""t"""' ELSE '{"z" : [1, {"a":null}],  "b":' || i || '}' END::JSON AS doc
        FROM range(4) t(i)) TO '${folder}/${table}/other.${ending}' (FORMAT ${format}${format === "CSV" ? ", HEADER" : ""})`.replace(
        `'"s, ""t"""'`,
        String.raw`'"s, \"t\""'`,
      ),
    );
    expect(await rows(`SELECT id, json_format(doc) FROM ${table} WHERE id >= 100 ORDER BY id`)).toEqual([
      [100n, '{"b":0,"z":[1,{"a":null}]}'],
      [101n, '{"b":1,"z":[1,{"a":null}]}'],
      [102n, String.raw`"s, \"t\""`],
      [103n, null],
    ]);
    await rows(`DELETE FROM ${table} WHERE id < 102`);
    expect(await rows(`SELECT id, json_format(doc) FROM ${table} ORDER BY id`)).toEqual([
      [102n, String.raw`"s, \"t\""`],
      [103n, null],
    ]);
  });

  it("keeps nested values", async () => {
    await rows(`CREATE TABLE ${name}_nested WITH (format = '${format}', compression_codec = '${codec}') AS ${nested}`);
    await sameAsSource(`${name}_nested`, nested);
    if (!isReadByDuckdb) {
      return;
    }
    const [found] = await duck(
      `SELECT sum(id), sum(len(list)), sum(list_sum(list)), count(m), count(r), sum(r.a), count(r.b[1].s) FROM ${files(`${name}_nested`)}`,
    );
    const [expected] =
      await rows(`SELECT sum(id), sum(cardinality(list)), sum(reduce(list, BIGINT '0', (s, x) -> s + coalesce(x, 0), s -> s)),
      count(m), count(r), sum(r.a), count(r.b[1].s) FROM (${nested})`);
    expect(found).toEqual(expected?.map(String));
  });
});

/** Bytes as hexadecimal digits, and reals, of which the client has the shortest text, as the doubles that they are. */
function asStored(value: unknown, type: string | undefined): unknown {
  return value instanceof Uint8Array ? Buffer.from(value).toString("hex") : type === "real" ? Math.fround(value as number) : value;
}

it.each(["NONE", "ZSTD"])("writes Arrow files that another library reads, with codec %s", async (codec) => {
  for (const [name, source] of [
    ["scalars", scalars],
    ["nested", nested],
    ["binary", `SELECT id, replace(CAST(u AS varchar), '-') AS u, b, ts9, deep[1][DATE '2020-01-01'] AS deep FROM (${binary})`],
  ] as const) {
    const table = `library_${name}_${codec}`.toLowerCase();
    await rows(`CREATE TABLE ${table} WITH (format = 'ARROW', compression_codec = '${codec}') AS ${source}`);
    const ours = await cluster.query(`SELECT * FROM ${table} ORDER BY id`, { catalog: "lake", schema: "default" });
    const expected = ours.rows.map((row) => row.map((value, column) => asStored(value, ours.columns[column]?.type)));
    const found = arrowRows(filesOf(table).map((file) => join(folder, table, file)));
    expect(
      found.toSorted((a, b) => Number(a[0]) - Number(b[0])),
      name,
    ).toEqual(expected);
  }
});

it("keeps bytes, identifiers, nanoseconds and intervals in Arrow", async () => {
  const intervals = `SELECT *, INTERVAL '1' DAY * id AS ds, INTERVAL '-3' MONTH AS ym FROM (${binary})`;
  await rows(`CREATE TABLE arrow_binaries WITH (format = 'ARROW') AS ${intervals}`);
  await sameAsSource("arrow_binaries", intervals);
  await rows(`INSERT INTO arrow_binaries SELECT id + 1000, u, b, ts9, deep, ds, ym FROM arrow_binaries`);
  expect(await rows(`SELECT count(*), count(DISTINCT id), max("$row_number") FROM arrow_binaries`)).toEqual([[400n, 400n, 200n]]);
});

it("keeps bytes, identifiers and nanoseconds in Parquet", async () => {
  await rows(`CREATE TABLE binaries AS ${binary}`);
  await sameAsSource("binaries", binary);
  expect(await duck(`SELECT count(DISTINCT u), count(DISTINCT b), min(ts9)::varchar FROM '${folder}/binaries/*.parquet'`)).toEqual([
    ["200", "200", "2001-01-31 12:00:00.123456789"],
  ]);
});

it("stores types that a format does not have in the next wider one, and refuses others", async () => {
  await rows(
    "CREATE TABLE widened AS SELECT TIMESTAMP '2001-01-01 00:00:00' AS s, CAST('ab' AS char(4)) AS c, CAST('x' AS varchar(3)) AS v",
  );
  expect((await rows("SELECT * FROM widened"))[0]).toEqual(["2001-01-01 00:00:00.000", "ab  ", "x"]);
  expect((await rows("SHOW COLUMNS FROM widened")).map((row) => row.slice(0, 2))).toEqual([
    ["s", "timestamp(3)"],
    ["c", "varchar"],
    ["v", "varchar"],
  ]);
  for (const [value, format] of [
    ["INTERVAL '1' DAY", "PARQUET"],
    ["X'00'", "CSV"],
    ["ARRAY[1]", "CSV"],
    ["MAP(ARRAY[1], ARRAY[1])", "JSON"],
    ["ROW(1)", "PARQUET"],
    ["ARRAY[JSON '1']", "PARQUET"],
  ]) {
    await expect(rows(`CREATE TABLE refused WITH (format = '${format}') AS SELECT ${value} AS x`)).rejects.toThrow(
      /Column 'x' of type .* is not supported by/,
    );
  }
  expect(await rows("SHOW TABLES LIKE 'refused'")).toEqual([]);
});

it("writes folders of partitions, which DuckDB reads too", async () => {
  const source = `SELECT n AS id, CASE n % 4 WHEN 0 THEN NULL WHEN 1 THEN 'a/b c=ü%.' WHEN 2 THEN '' ELSE '7' END AS k,
    DATE '2024-01-30' + INTERVAL '1' DAY * (n % 3) AS day, CAST(n % 2 AS integer) AS i FROM UNNEST(sequence(1, 200)) AS s(n)`;
  await rows(`CREATE TABLE parts WITH (partitioned_by = ARRAY['k', 'day', 'i']) AS ${source}`);
  await sameAsSource("parts", source);
  await rows(`INSERT INTO parts SELECT id + 1000, k, day, i FROM (${source})`);
  expect(await rows("SELECT count(*), count(k), min(id) FROM parts WHERE k IS NULL OR k = '7'")).toEqual([[200n, 100n, 3n]]);
  expect(await rows("SELECT count(DISTINCT \"$path\") FROM parts WHERE k = '7' AND day = DATE '2024-01-30' AND i = 1")).toEqual([[2n]]);
  const read = `read_parquet('${folder}/parts/**/*.parquet', hive_partitioning = true, hive_types_autocast = false)`;
  expect(await duck(`SELECT count(*), count(k), count(DISTINCT k), count(DISTINCT day) FROM ${read}`)).toEqual([["400", "300", "3", "3"]]);
  expect(await duck(`SELECT count(*) FROM ${read} WHERE k = 'a/b c=ü%.'`)).toEqual([["100"]]);
  const many = "CREATE TABLE many WITH (partitioned_by = ARRAY['k']) AS SELECT 1 AS x, n AS k FROM UNNEST(sequence(1, 500)) AS s(n)";
  await expect(rows(many)).rejects.toThrow("Exceeded limit of 40 open writers for partitions");
  expect(readdirSync(folder)).not.toContain("many");
});

it("sorts the rows of each file, and bounds the files", async () => {
  const source = "SELECT orderkey AS id, totalprice, orderdate, clerk FROM tpch.tiny.orders WHERE orderkey < 12000";
  await rows(`CREATE TABLE sorted WITH (sorted_by = ARRAY['orderdate DESC', 'id']) AS ${source}`, "small");
  await sameAsSource("sorted", source);
  const files = filesOf("sorted");
  expect(files.length).toBeGreaterThan(2);
  for (const file of files) {
    expect(statSync(join(folder, "sorted", file)).size).toBeLessThan(60_000);
    const [found] = await duck(`SELECT list((orderdate, id) ORDER BY file_row_number) = list((orderdate, id) ORDER BY orderdate DESC, id)
      FROM read_parquet('${folder}/sorted/${file}', file_row_number = true)`);
    expect(found).toEqual(["true"]);
  }
  await rows("INSERT INTO sorted SELECT * FROM sorted WHERE id < 500", "small");
  expect(await textOf("EXPLAIN INSERT INTO sorted SELECT * FROM sorted", "small")).toMatch(/TableWriter[^]*Sort\[/);
});

it("writes statistics, page indexes and row groups that DuckDB understands", async () => {
  await rows("CREATE TABLE stats AS SELECT orderkey, orderstatus, comment, CAST(NULL AS double) AS nothing FROM tpch.tiny.orders", "small");
  const meta = await duck(`SELECT path_in_schema, sum(num_values), min(stats_min_value), max(stats_max_value), sum(stats_null_count)
    FROM parquet_metadata('${folder}/stats/*.parquet') GROUP BY 1 ORDER BY 1`);
  expect(meta.find(([name]) => name === "orderstatus")).toEqual(["orderstatus", "15000", "F", "P", "0"]);
  expect(meta.find(([name]) => name === "nothing")?.slice(1)).toEqual(["15000", null, null, "15000"]);
  const [groups] = await duck(`SELECT count(DISTINCT (file_name, row_group_id)) FROM parquet_metadata('${folder}/stats/*.parquet')`);
  expect(Number(groups?.[0])).toBeGreaterThan(10);
  expect(await rows("SELECT count(*) FROM stats WHERE orderkey = 1 AND orderstatus = 'O'", "small")).toEqual([[1n]]);
});

describe("tables", () => {
  it("are created empty, filled, described and dropped", async () => {
    await rows(`CREATE TABLE notes (id bigint COMMENT 'a number', text varchar, k varchar) COMMENT 'of tests'
      WITH (format = 'CSV', compression_codec = 'GZIP', partitioned_by = ARRAY['k'], sorted_by = ARRAY['id DESC NULLS FIRST'])`);
    expect(await rows("SELECT * FROM notes")).toEqual([]);
    expect(await rows("INSERT INTO notes VALUES (1, 'a', 'x'), (NULL, '', 'x'), (3, NULL, '1')")).toEqual([[3n]]);
    await rows("INSERT INTO notes (id) SELECT 4");
    await rows("INSERT INTO notes SELECT * FROM notes WHERE false");
    expect(await rows("SELECT * FROM notes ORDER BY id")).toEqual([
      [1n, "a", "x"],
      [3n, null, "1"],
      [4n, null, null],
      [null, "", "x"],
    ]);
    await rows("COMMENT ON TABLE notes IS 'changed'");
    await rows("COMMENT ON COLUMN notes.text IS NULL");
    expect(await textOf("SHOW CREATE TABLE notes")).toBe(`CREATE TABLE lake.default.notes (
   id bigint COMMENT 'a number',
   text varchar,
   k varchar
)
COMMENT 'changed'
WITH (
   format = 'CSV',
   compression_codec = 'GZIP',
   partitioned_by = ARRAY['k'],
   sorted_by = ARRAY['id DESC NULLS FIRST']
)`);
    await rows("CREATE TABLE copied (LIKE notes INCLUDING PROPERTIES)");
    expect(await textOf("SHOW CREATE TABLE copied")).toContain("partitioned_by = ARRAY['k']");
    await rows("DROP TABLE notes");
    await rows("DROP TABLE copied");
    expect(readdirSync(folder).filter((name) => name === "notes" || name === "copied")).toEqual([]);
    await expect(rows("SELECT * FROM notes")).rejects.toThrow("Table 'lake.default.notes' does not exist");
  });

  it.each(["PARQUET", "CSV", "JSON"])("without rows have their columns: %s", async (format) => {
    await rows(`CREATE TABLE empty_${format} WITH (format = '${format}') AS SELECT 1 AS a, varchar 'x' AS b WHERE false`);
    expect(await rows(`SELECT count(*), sum(a) FROM empty_${format}`)).toEqual([[0n, null]]);
    expect((await rows(`DESCRIBE empty_${format}`)).map((row) => row.slice(0, 2))).toEqual([
      ["a", "integer"],
      ["b", "varchar"],
    ]);
    if (format === "PARQUET") {
      expect((await duck(`DESCRIBE FROM '${folder}/empty_${format.toLowerCase()}/*.parquet'`)).map((row) => row.slice(0, 2))).toEqual([
        ["a", "INTEGER"],
        ["b", "VARCHAR"],
      ]);
    }
  });

  it("keep the types of CREATE TABLE, whatever the files look like", async () => {
    await rows(
      "CREATE TABLE typed WITH (format = 'CSV', partitioned_by = ARRAY['p']) AS SELECT '007' AS a, CAST(NULL AS date) AS b, '1' AS p",
    );
    expect(await rows("SELECT a, b, p FROM typed")).toEqual([["007", null, "1"]]);
  });

  it("may lie in another folder below that of the catalog", async () => {
    mkdirSync(join(folder, "far", "away"), { recursive: true });
    await duckdb.run(`COPY (SELECT 1::BIGINT AS id, 'x' AS s) TO '${folder}/far/away/a.parquet' (FORMAT PARQUET)`);
    await rows("CREATE TABLE outside (id bigint, s varchar) WITH (external_location = 'far/away')");
    await rows("INSERT INTO outside VALUES (2, 'y')");
    expect(await rows("SELECT * FROM outside ORDER BY 1")).toEqual([
      [1n, "x"],
      [2n, "y"],
    ]);
    await rows("DROP TABLE outside");
    expect(filesOf("far").length).toBe(2);
    for (const location of ["/etc", "../x", "s3://bucket/x", "far/../..", ".orrery/x", "missing", "", "far//away"]) {
      await expect(rows(`CREATE TABLE outside (id bigint) WITH (external_location = '${location}')`)).rejects.toThrow(/xternal.location/);
    }
    await expect(rows("CREATE TABLE outside WITH (external_location = 'far/away') AS SELECT 1 AS id")).rejects.toThrow("External tables");
    expect(filesOf("far").length).toBe(2);
  });

  it("of folders that others wrote take rows if they are Parquet, and are not dropped", async () => {
    await duckdb.run(
      `COPY (SELECT i::BIGINT AS id, 'p' || i % 2 AS p FROM range(10) t(i)) TO '${folder}/theirs' (FORMAT PARQUET, PARTITION_BY p)`,
    );
    await rows("INSERT INTO theirs VALUES (100, 'new')");
    expect(await rows("SELECT p, count(*) FROM theirs GROUP BY 1 ORDER BY 1")).toEqual([
      ["new", 1n],
      ["p0", 5n],
      ["p1", 5n],
    ]);
    await expect(rows("DROP TABLE theirs")).rejects.toThrow("Table 'theirs' was not created by CREATE TABLE");
    writeFileSync(join(folder, "single.csv"), "a\n1\n");
    await expect(rows("INSERT INTO single VALUES 2")).rejects.toThrow("Rows can be inserted into tables of CREATE TABLE");
    await expect(rows('INSERT INTO lake.default."*.csv" VALUES 2')).rejects.toThrow("Rows can be inserted into tables of CREATE TABLE");
  });
});

it("keeps views beside the files, with the rights of who reads them", async () => {
  await rows("CREATE TABLE counted AS SELECT n FROM UNNEST(sequence(1, 9)) AS t(n)");
  await rows("CREATE VIEW odd COMMENT 'of odd' AS SELECT n, 'x' AS word FROM counted WHERE n % 2 = 1");
  expect(await rows("SELECT count(*), sum(n) FROM odd", "readonly")).toEqual([[5n, 25n]]);
  expect(await rows("SHOW TABLES LIKE 'odd'", "readonly")).toEqual([["odd"]]);
  expect(await textOf("SHOW CREATE VIEW odd")).toContain("SECURITY INVOKER");
  await rows("CREATE OR REPLACE VIEW odd AS SELECT n FROM counted WHERE n > 7");
  expect(await rows("SELECT sum(n) FROM odd", "readonly")).toEqual([[17n]]);
  await rows("COMMENT ON VIEW odd IS 'large'");
  await rows("COMMENT ON COLUMN odd.n IS 'number'");
  await rows("ALTER VIEW odd RENAME TO large");
  expect(await rows("DESCRIBE large", "readonly")).toEqual([["n", "bigint", "", "number"]]);
  // Another program may change the file: a plan of the view is not used again.
  const path = join(folder, ".orrery-views/large.json");
  const stored = JSON.parse(readFileSync(path, "utf8")) as { readonly sql: string; readonly comment: string };
  expect(stored.comment).toBe("large");
  writeFileSync(path, JSON.stringify({ ...stored, sql: stored.sql.replace("7", "8") }));
  expect(await rows("SELECT sum(n) FROM large")).toEqual([[9n]]);
  for (const [sql, message] of [
    ["CREATE VIEW large AS SELECT 1 AS a", "View already exists: 'lake.default.large'"],
    ["CREATE VIEW counted AS SELECT 1 AS a", "Table already exists: 'lake.default.counted'"],
    ["CREATE TABLE large AS SELECT 1 AS a", "already exists"],
    ['CREATE VIEW "a/b" AS SELECT 1 AS a', "cannot have the name 'a/b'"],
    ['CREATE VIEW "counted$history" AS SELECT 1 AS a', "is that of a metadata table"],
  ] as const) {
    await expect(rows(sql)).rejects.toThrow(message);
  }
  writeFileSync(path, "{}");
  await expect(rows("SELECT * FROM large")).rejects.toThrow(".orrery-views/large.json: the definition of the view is damaged");
  writeFileSync(path, JSON.stringify(stored));
  await rows("DROP VIEW large");
  await rows("DROP TABLE counted");
  expect(readdirSync(join(folder, ".orrery-views"))).toEqual([]);
});

it("refuses what cannot be", async () => {
  for (const [sql, message] of [
    [
      "CREATE TABLE x (a bigint) WITH (format = 'ORC')",
      "Invalid value for table property 'format': 'ORC' is none of PARQUET, ARROW, CSV, JSON",
    ],
    ["CREATE TABLE x (a bigint) WITH (format = 'CSV', compression_codec = 'SNAPPY')", "'SNAPPY' is none of NONE, GZIP, ZSTD"],
    ["CREATE TABLE x (a bigint) WITH (format = 1)", "Cannot convert integer to varchar"],
    ["CREATE TABLE x (a bigint) WITH (format = NULL)", "the value is null"],
    ["CREATE TABLE x (a bigint) WITH (partitioned_by = 'a')", "Cannot convert it to array(varchar)"],
    ["CREATE TABLE x (a bigint) WITH (partitioned_by = ARRAY['b'])", "column 'b' not present in schema"],
    ["CREATE TABLE x (a bigint) WITH (partitioned_by = ARRAY['a'])", "a table needs a column besides its partition columns"],
    [
      "CREATE TABLE x (a bigint, b double) WITH (partitioned_by = ARRAY['b'])",
      "Column 'b' of type double is not supported by partition columns",
    ],
    ["CREATE TABLE x (a bigint) WITH (sorted_by = ARRAY['a b c'])", "Unable to parse sort field: [a b c]"],
    ["CREATE TABLE x (a bigint) WITH (bucket_count = '4')", "Catalog 'lake' does not support table property 'bucket_count'"],
    ["CREATE TABLE x (a bigint) WITH (format = 'CSV', format = 'CSV')", "Duplicate property: format"],
    ['CREATE TABLE "a/b" (a bigint)', "A table of this connector cannot have the name 'a/b'"],
    ['CREATE TABLE ".x" (a bigint)', "A table of this connector cannot have the name '.x'"],
    ["CREATE TABLE t_csv_none (a bigint)", "Table 'lake.default.t_csv_none' already exists"],
    ["CREATE TABLE nowhere.x (a bigint)", "Schema 'nowhere' does not exist"],
  ]) {
    await expect(rows(sql as string)).rejects.toThrow(message);
  }
  for (const sql of [
    "CREATE TABLE x (a bigint)",
    "CREATE TABLE x AS SELECT 1 AS a",
    "INSERT INTO t_csv_none SELECT * FROM t_csv_none",
    "DROP TABLE t_csv_none",
    "CREATE VIEW x AS SELECT 1 AS a",
  ]) {
    await expect(rows(sql, "readonly")).rejects.toThrow(/This connector does not support/);
  }
});

it("lists the properties of tables", async () => {
  expect(
    await rows("SELECT property_name, default_value, type FROM system.metadata.table_properties WHERE catalog_name = 'lake' ORDER BY 1"),
  ).toEqual([
    ["compression_codec", "", "varchar"],
    ["external_location", "", "varchar"],
    ["format", "PARQUET", "varchar"],
    ["partitioned_by", "", "array(varchar)"],
    ["sorted_by", "", "array(varchar)"],
  ]);
  expect(await rows("SELECT count(*) FROM system.metadata.table_properties WHERE catalog_name IN ('readonly', 'memory')")).toEqual([[0n]]);
});

it("leaves nothing of a query that fails", async () => {
  const failing = "SELECT 1 / (orderkey - 60000) AS x, comment FROM tpch.tiny.orders";
  await expect(rows(`CREATE TABLE failing AS ${failing}`)).rejects.toThrow("Division by zero");
  await expect(rows(`INSERT INTO t_parquet_none (id) SELECT 1 / (orderkey - 60000) FROM tpch.tiny.orders`)).rejects.toThrow(
    "Division by zero",
  );
  expect(readdirSync(folder)).not.toContain("failing");
  expect(await rows("SELECT count(*) FROM t_parquet_none")).toEqual([[1000n]]);
});
