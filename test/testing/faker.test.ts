/** Generated tables: their rows depend on seed, table, column and row alone, and on nothing of the cluster. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Cluster, withCluster } from "../../src/testing/index.ts";

let cluster: Cluster;
const faker = { "connector.name": "faker", "faker.null-probability": "0.25", "faker.default-limit": "500" };

beforeAll(async () => {
  cluster = await withCluster({
    http: false,
    workers: 2,
    catalogs: { faker, other: { ...faker, "faker.seed": "1" } },
  });
});

afterAll(() => cluster.close());

async function rows(sql: string, catalog = "faker"): Promise<readonly (readonly unknown[])[]> {
  return (await cluster.query(sql, { catalog, schema: "default" })).rows.map((row) => row.map(String));
}

function failure(sql: string): Promise<string> {
  return rows(sql).then(String, (error: unknown) => (error as Error).message.replace(/^line \d+:\d+: /, ""));
}

it("has values of every type, within the bounds of its columns", async () => {
  await rows(`CREATE TABLE all_types (
    b boolean, t tinyint, s smallint, i integer, l bigint, d decimal(20, 3), r real, f double, day date, c char(5), v varchar(7),
    bin varbinary, ts timestamp(6), z timestamp(3) with time zone, tm time(3), u uuid, ip ipaddress,
    span interval day to second, months interval year to month)`);
  const [counts] = await rows(
    `SELECT count(*), count(b), count(i), count(v), max(length(v)), max(length(c)), count(DISTINCT l) FROM all_types`,
  );
  expect(counts?.[0]).toBe("500");
  // A quarter of 500 is NULL, within five standard deviations.
  for (const count of counts?.slice(1, 4) ?? []) {
    expect(Math.abs(Number(count) - 375)).toBeLessThan(50);
  }
  expect(counts?.slice(4, 6)).toEqual(["7", "5"]);
  expect(Number(counts?.[6])).toBeGreaterThan(300);
  expect(await rows("SELECT count(*) FROM (SELECT * FROM all_types)")).toEqual([["500"]]);

  await rows(`CREATE TABLE bounded (
    id bigint NOT NULL WITH (min = '10', step = '5'),
    age integer NOT NULL WITH (min = '18', max = '20'),
    price decimal(8, 2) NOT NULL WITH (min = '-0.02', max = '0.01'),
    ratio double NOT NULL WITH (min = '2', max = '3'),
    day date NOT NULL WITH (min = '2024-02-28', max = '2024-03-01'),
    at timestamp(3) NOT NULL WITH (min = '2024-01-01 00:00:00', max = '2024-01-01 00:00:03', step = '1s'),
    zoned timestamp(0) with time zone NOT NULL WITH (min = '2024-01-01 00:00:00 UTC', max = '2024-01-01 00:00:01 UTC'),
    state varchar NOT NULL WITH (allowed_values = ARRAY['new', 'paid', 'it''s gone']),
    flag varchar WITH (null_probability = 1),
    code varchar NOT NULL WITH (generator = '#{regexify ''(a|b){2,3}[x-z]\\d''}')
  ) WITH (default_limit = 2000)`);
  expect(
    await rows(`SELECT count(*), min(id), max(id), count(DISTINCT id), min(age), max(age), count(DISTINCT age), min(price), max(price),
      count(DISTINCT price), count_if(ratio >= 2 AND ratio < 3), array_join(array_sort(array_agg(DISTINCT day)), ' '), count(flag),
      count_if(regexp_like(code, '^(a|b){2,3}[x-z][0-9]$')), array_join(array_sort(array_agg(DISTINCT state)), '|'), count(DISTINCT zoned)
      FROM bounded`),
  ).toEqual([
    ["2000", "10", "10005", "2000", "18", "20", "3", "-0.02", "0.01", "4", "2000"].concat(
      "2024-02-28 2024-02-29 2024-03-01",
      "0",
      "2000",
      "it's gone|new|paid",
      "2",
    ),
  ]);
  expect(await rows("SELECT id, CAST(at AS varchar) FROM bounded ORDER BY id LIMIT 5")).toEqual(
    ["00", "01", "02", "03", "00"].map((second, index) => [String(10 + index * 5), `2024-01-01 00:00:${second}.000`]),
  );
});

it("gives the same rows every time, more of them with a LIMIT, and others with another seed", async () => {
  const create =
    "CREATE TABLE people (id bigint NOT NULL WITH (step = '1'), name varchar NOT NULL WITH (generator = '#{Name.first_name} #{Name.lastName}'))";
  await rows(create);
  await rows(create, "other");
  const first = await rows("SELECT * FROM people ORDER BY id");
  expect(first.length).toBe(500);
  expect(first.every(([, name]) => /^\p{L}+ \p{L}+$/u.test(String(name)))).toBe(true);
  expect(await rows("SELECT * FROM people ORDER BY id")).toEqual(first);
  // Columns do not depend on each other, nor rows on the number of rows.
  expect((await rows("SELECT name FROM people WHERE id = 123"))[0]?.[0]).toBe(first[123]?.[1]);
  expect(await rows("SELECT count(*), count(DISTINCT id), max(id) FROM (SELECT * FROM people LIMIT 250000)")).toEqual([
    ["250000", "250000", "249999"],
  ]);
  const others = await rows("SELECT * FROM people ORDER BY id", "other");
  expect(others.filter(([, name], index) => name === first[index]?.[1]).length).toBeLessThan(50);
  expect(String((await rows("SHOW CREATE TABLE people"))[0])).toContain(
    "name varchar NOT NULL WITH (generator = '#{Name.first_name} #{Name.lastName}')",
  );
  await rows("CREATE SCHEMA more");
  await rows("CREATE TABLE more.copied (LIKE people)");
  expect((await rows("SHOW TABLES FROM more")).flat()).toEqual(["copied"]);
  await rows("DROP TABLE people");
  expect(await failure("SELECT * FROM people")).toContain("does not exist");
});

it("refuses columns that cannot be generated", async () => {
  const wrong: readonly (readonly [column: string, message: string])[] = [
    ["a array(bigint)", "Column 'a' of type array(bigint) cannot be generated"],
    ["a bigint WITH (generator = 'x')", "Column 'a': generator can only be set for character-based columns"],
    ["a varchar WITH (min = 'x')", "Column 'a': min, max and step cannot be set for a column of type varchar"],
    ["a bigint WITH (min = 'x')", "Column 'a': Cannot cast 'x' to BIGINT"],
    ["a bigint WITH (min = '2', max = '1')", "Column 'a': min is greater than max"],
    ["a bigint WITH (step = '0')", "Column 'a': step must be greater than zero"],
    ["a date WITH (step = '1h')", "Column 'a': step '1h' is no duration of whole days"],
    ["a bigint NOT NULL WITH (null_probability = 0.5)", "Column 'a': null_probability cannot be set for a NOT NULL column"],
    ["a bigint WITH (null_probability = 2)", "Column 'a': null_probability must be between 0 and 1"],
    ["a bigint WITH (allowed_values = ARRAY[])", "Column 'a': allowed_values has no value"],
    ["a bigint WITH (nosuch = 1)", "Catalog 'faker' does not support column property 'nosuch'"],
    [
      "a varchar WITH (generator = '#{Nobody.knows}')",
      "Invalid generator expression '#{Nobody.knows}': generator Nobody.knows does not exist",
    ],
    ["a varchar WITH (generator = '#{regexify ''(a''}')", "the arguments of regexify are not valid"],
    ["a varchar WITH (generator = '#{regexify ''a{5000}''}')", "the arguments of regexify are not valid"],
    ["a varchar WITH (generator = '#{open')", "it has no valid call"],
  ];
  for (const [column, message] of wrong) {
    expect(await failure(`CREATE TABLE bad (${column})`)).toContain(message);
  }
  expect(await failure("CREATE TABLE bad (a bigint) WITH (default_limit = 0)")).toContain(
    "Invalid value for table property 'default_limit'",
  );
  await expect(withCluster({ http: false, workers: 1, catalogs: { de: { ...faker, "faker.locale": "de" } } })).rejects.toThrow(
    "Property 'faker.locale': words are in English only, not in 'de'",
  );
});
