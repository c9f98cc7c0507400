/** DELETE and UPDATE that a database runs, on random rows and conditions, against what the engine computes of the same rows. */
import { expect } from "vitest";
import type { Cluster } from "../../src/testing/index.ts";
import { randomConditions } from "./random-rows.ts";

interface Changed {
  readonly cluster: Cluster;
  /** The table in the engine; it has randomColumns. */
  readonly table: string;
  /** Gives the table its first rows again. */
  readonly reset: () => unknown;
}

const refusal = "line 1:1: This connector does not support modifying table rows";
const written = "it''s \\ é";

/** Returns how many of the statements the database took over. */
export async function checkChanges({ cluster, table, reset }: Changed, count: number, seed: number): Promise<number> {
  let taken = 0;
  // A condition of an aggregate is not one of the scan.
  const ids = (filter: string): string => `array_sort(array_agg(id) FILTER (WHERE ${filter}))`;
  for (const [index, condition] of randomConditions(count, seed).entries()) {
    await reset();
    const isDelete = index % 2 === 0;
    const asked = `SELECT ${ids(`coalesce(${condition}, false)`)}, ${ids(`NOT coalesce(${condition}, false)`)} FROM ${table}`;
    const [wanted] = (await cluster.query(asked)).rows;
    const [hit, rest] = (wanted ?? []) as readonly (readonly number[] | null)[];
    const statement = isDelete
      ? `DELETE FROM ${table}`
      : `UPDATE ${table} SET t = '${written}', n = -1.25, d = DATE '2001-02-03', f = NULL, id = 5000`;
    const outcome = await cluster.query(`${statement} WHERE ${condition}`).then(
      ({ updateCount }) => Number(updateCount),
      (error: Error & { readonly errorName?: string }) => `${error.errorName}: ${error.message}`,
    );
    const [left] = (await cluster.query(`SELECT ${ids("id < 5000")} FROM ${table}`)).rows;
    if (typeof outcome === "string") {
      expect(outcome, condition).toContain(`NOT_SUPPORTED: ${refusal}`);
      expect(left, condition).toEqual([[...(hit ?? []), ...(rest ?? [])].sort((a, b) => a - b)]);
      continue;
    }
    taken++;
    expect([outcome, left], condition).toEqual([hit?.length ?? 0, [rest]]);
    if (!isDelete) {
      const same = `t = '${written}' AND n = -1.25 AND d = DATE '2001-02-03' AND f IS NULL`;
      expect((await cluster.query(`SELECT count_if(id = 5000 AND ${same}) FROM ${table}`)).rows, condition).toEqual([[BigInt(outcome)]]);
    }
  }
  return taken;
}

/** What is no single statement of a database is refused, and changes nothing. */
export async function checkRefusals(cluster: Cluster, table: string): Promise<void> {
  for (const statement of [
    `DELETE FROM ${table} WHERE id IN (SELECT 1)`,
    `DELETE FROM ${table} WHERE id + 1 = 3`,
    `DELETE FROM ${table} WHERE random() < 2`,
    `UPDATE ${table} SET n = n * n`,
    `UPDATE ${table} SET n = n + 0.001`,
    `UPDATE ${table} SET n = id + 1`,
    `UPDATE ${table} SET id = id + 1 - 1`,
    `UPDATE ${table} SET id = id / 2`,
    `UPDATE ${table} SET f = f + 1`,
    `UPDATE ${table} SET t = t || 'x'`,
    `UPDATE ${table} SET v = CAST(t AS varchar(10))`,
    `UPDATE ${table} SET t = (SELECT 'x')`,
    `MERGE INTO ${table} AS a USING (VALUES 1) AS s (x) ON a.id = s.x WHEN MATCHED THEN DELETE`,
  ]) {
    await expect(cluster.query(statement), statement).rejects.toMatchObject({
      errorName: "NOT_SUPPORTED",
      message: expect.stringContaining(refusal),
    });
  }
  expect((await cluster.query(`UPDATE ${table} SET t = 'never' WHERE id > 0 AND id < 0`)).updateCount).toBe(0);
  expect((await cluster.query(`SELECT count(*) FROM ${table} WHERE t = 'never'`)).rows).toEqual([[0n]]);
}

/** New values that the database computes of the old ones, against what the engine computes. `schema` is of the database. */
export async function checkComputed(cluster: Cluster, schema: string): Promise<void> {
  const table = `${schema}.computed`;
  const rowsOf = async (columns: string): Promise<unknown> =>
    (await cluster.query(`SELECT ${columns} FROM ${table} ORDER BY 1, 2, 3`)).rows;
  await cluster.query(`CREATE TABLE ${table} (id integer, k integer, n decimal(6, 2))`);
  const all = "SELECT x, nullif(x, 3) - 5, nullif(x - 7, 2) * DECIMAL '1.25' FROM UNNEST(sequence(0, 20)) AS t (x)";
  expect((await cluster.query(`INSERT INTO ${table} ${all}`)).updateCount).toBe(21);
  for (const [set, values] of [
    ["k = k + 1000, n = n - 0.25", "k + 1000, n - 0.25"],
    ["k = 7 - k", "7 - k, n"],
    ["k = k * -3", "k * -3, n"],
    ["n = n + 1", "k, n + 1"],
    ["n = DECIMAL '-9.5' - n", "k, DECIMAL '-9.5' - n"],
    ["n = n + n", "k, n + n"],
    ["k = id", "id, n"],
    ["k = k - id, n = NULL", "k - id, NULL"],
  ]) {
    const computed = `SELECT id, ${values} FROM ${table} WHERE id < 15 UNION ALL SELECT * FROM ${table} WHERE id >= 15`;
    const wanted = await cluster.query(`SELECT id, k, CAST(n AS decimal(6, 2)) FROM (${computed}) AS t (id, k, n) ORDER BY 1`);
    const { updateCount } = await cluster.query(`UPDATE ${table} SET ${set} WHERE id < 15`);
    expect([updateCount, await rowsOf("*")], set).toEqual([15, wanted.rows]);
  }
  await cluster.query(`UPDATE ${table} SET k = 2147483647, n = 9999.99 WHERE id = 7`);
  const before = await rowsOf("*");
  for (const set of ["k = k + 1", "k = k * 2", "n = n + 0.01"]) {
    await expect(cluster.query(`UPDATE ${table} SET ${set}`), set).rejects.toMatchObject({ errorName: "JDBC_ERROR" });
  }
  expect(await rowsOf("*")).toEqual(before);
  await cluster.query(`DROP TABLE ${table}`);
}

/** Of statements with IF [NOT] EXISTS that are sent at once, none fails because another was faster. `schema` is of the database. */
export async function checkRaces(cluster: Cluster, schema: string): Promise<void> {
  for (const statement of [
    `CREATE TABLE IF NOT EXISTS ${schema}.raced (a bigint)`,
    `ALTER TABLE IF EXISTS ${schema}.raced ADD COLUMN IF NOT EXISTS b bigint`,
    `ALTER TABLE IF EXISTS ${schema}.raced DROP COLUMN IF EXISTS b`,
    `CREATE TABLE IF NOT EXISTS ${schema}.filled AS SELECT x FROM UNNEST(sequence(1, 25)) AS t (x)`,
    `DROP TABLE IF EXISTS ${schema}.raced`,
  ]) {
    const all = await Promise.allSettled(["a", "b", "c"].map(() => cluster.query(statement)));
    const reasons = all.flatMap((one) => (one.status === "rejected" ? [(one.reason as Error).message] : []));
    expect(reasons, statement).toEqual([]);
  }
  expect((await cluster.query(`SELECT count(*), count(DISTINCT x) FROM ${schema}.filled`)).rows).toEqual([[25n, 25n]]);
  await cluster.query(`DROP TABLE ${schema}.filled`);
  expect((await cluster.query(`SHOW TABLES FROM ${schema} LIKE '%raced%'`)).rows).toEqual([]);
}
