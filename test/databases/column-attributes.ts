/** NOT NULL and DEFAULT of columns in databases, by statements of the engine. */
import { expect } from "vitest";
import type { Cluster } from "../../src/testing/index.ts";

interface Attributes {
  readonly cluster: Cluster;
  /** Of the database; it has no table `attributes`. */
  readonly schema: string;
  /** Whether the connector can change NOT NULL of columns that exist. */
  readonly changesNullability: boolean;
}

export async function checkColumnAttributes({ cluster, schema, changesNullability }: Attributes): Promise<void> {
  const table = `${schema}.attributes`;
  const rowsOf = async (sql: string): Promise<readonly (readonly unknown[])[]> => (await cluster.query(sql)).rows;
  const failureOf = (sql: string): Promise<string> =>
    rowsOf(sql).then(
      () => "no error",
      (error: Error & { readonly errorName?: string }) => `${error.errorName}: ${error.message}`,
    );
  const written = [
    "id bigint NOT NULL",
    "name varchar(20) DEFAULT 'it''s \\ \"x\"' NOT NULL",
    "small smallint DEFAULT -7",
    "price decimal(7, 2) DEFAULT DECIMAL '-12.50' COMMENT 'in euros'",
    "born date DEFAULT DATE '2024-02-29'",
    "ratio double DEFAULT DOUBLE '1.5'",
    "plain integer",
  ];
  await rowsOf(`CREATE TABLE ${table} (${written.join(", ")})`);
  const [[created = ""] = []] = await rowsOf(`SHOW CREATE TABLE ${table}`);
  for (const column of written) {
    // Connectors without lengths of texts have another type.
    expect(String(created).replace(/\bvarchar DEFAULT/, "varchar(20) DEFAULT")).toContain(column);
  }
  const [catalog, name] = schema.split(".");
  const columns = `${catalog}.information_schema.columns WHERE table_schema = '${name}' AND table_name = 'attributes'`;
  expect(await rowsOf(`SELECT column_name, is_nullable FROM ${columns} ORDER BY ordinal_position`)).toEqual([
    ["id", "NO"],
    ["name", "NO"],
    ["small", "YES"],
    ["price", "YES"],
    ["born", "YES"],
    ["ratio", "YES"],
    ["plain", "YES"],
  ]);
  expect(await rowsOf(`DESCRIBE ${table}`)).toContainEqual(["id", "bigint", "not null", ""]);
  // The database fills the columns that are not named.
  await rowsOf(`INSERT INTO ${table} (id) VALUES 1`);
  const first = [1n, `it's \\ "x"`, -7, "-12.50", "2024-02-29", 1.5, null];
  expect(await rowsOf(`SELECT * FROM ${table}`)).toEqual([first]);
  expect(await failureOf(`INSERT INTO ${table} (id, name) VALUES (2, NULL)`)).toBe(
    "CONSTRAINT_VIOLATION: NULL value not allowed for NOT NULL column: name",
  );
  expect(await failureOf(`INSERT INTO ${table} (id, name) SELECT nullif(x, 3), 'x' FROM UNNEST(sequence(1, 5)) AS t (x)`)).toBe(
    "CONSTRAINT_VIOLATION: NULL value not allowed for NOT NULL column: id",
  );
  expect(await failureOf(`INSERT INTO ${table} (name) VALUES 'x'`)).toMatch(/^CONSTRAINT_VIOLATION: .*\bid\b/s);
  expect(await failureOf(`UPDATE ${table} SET name = NULL WHERE id = 1`)).toMatch(/^CONSTRAINT_VIOLATION: .*\bname\b/s);
  expect(await rowsOf(`SELECT * FROM ${table}`)).toEqual([first]);
  expect(await failureOf(`ALTER TABLE ${table} ADD COLUMN none integer NOT NULL`)).toMatch(/^(?:CONSTRAINT_VIOLATION|NOT_SUPPORTED): /);
  await rowsOf(`ALTER TABLE ${table} ADD COLUMN added integer DEFAULT 5 NOT NULL`);
  await rowsOf(`ALTER TABLE ${table} ALTER COLUMN small SET DEFAULT 8`);
  await rowsOf(`ALTER TABLE ${table} ALTER COLUMN name DROP DEFAULT`);
  await rowsOf(`INSERT INTO ${table} (id, name) VALUES (2, 'y')`);
  expect(await rowsOf(`SELECT id, small, added FROM ${table} ORDER BY id`)).toEqual([
    [1n, -7, 5],
    [2n, 8, 5],
  ]);
  expect(await failureOf(`INSERT INTO ${table} (id) VALUES 3`)).toMatch(/^CONSTRAINT_VIOLATION: .*\bname\b/s);
  if (changesNullability) {
    expect(await failureOf(`ALTER TABLE ${table} ALTER COLUMN plain SET NOT NULL`)).toMatch(/^CONSTRAINT_VIOLATION: .*\bplain\b/s);
    await rowsOf(`ALTER TABLE ${table} ALTER COLUMN name DROP NOT NULL`);
    await rowsOf(`INSERT INTO ${table} (id, plain) VALUES (3, 1)`);
    await rowsOf(`DELETE FROM ${table} WHERE plain IS NULL`);
    await rowsOf(`ALTER TABLE ${table} ALTER COLUMN plain SET NOT NULL`);
    expect(await failureOf(`INSERT INTO ${table} (id, plain) VALUES (4, NULL)`)).toContain("NOT NULL column: plain");
  } else {
    const refused = "NOT_SUPPORTED: line 1:1: This connector does not support dropping a not null constraint";
    expect(await failureOf(`ALTER TABLE ${table} ALTER COLUMN name DROP NOT NULL`)).toBe(refused);
  }
  await rowsOf(`DROP TABLE ${table}`);
}
