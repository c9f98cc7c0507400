/** DELETE, UPDATE and MERGE that a database makes row by row, against the same statements on a table in memory. */
import { expect } from "vitest";
import type { Cluster } from "../../src/testing/index.ts";

interface Keyed {
  readonly cluster: Cluster;
  /** A table of the database, of the columns below and a primary key on `id`. */
  readonly table: string;
  /** A table of the same columns that the engine rewrites. */
  readonly twin: string;
}

const keyedColumns = "id integer, k varchar(10), n decimal(8, 2), d date, f double";

const given = `SELECT x, format('k%s', x % 7), CAST(x * 1.25 AS decimal(8, 2)), DATE '2024-01-01' + x * INTERVAL '1' DAY,
  CASE x % 5 WHEN 0 THEN -1e300 WHEN 1 THEN NULL ELSE x / 3e0 END FROM UNNEST(sequence(1, 60)) AS t (x)`;
const source = "(SELECT x AS id, format('s%s', x) AS k, CAST(-x AS decimal(8, 2)) AS n FROM UNNEST(sequence(40, 80)) AS u (x))";

const statements: readonly string[] = [
  "DELETE FROM T WHERE id % 9 = 4",
  "DELETE FROM T WHERE id IN (SELECT x * x FROM UNNEST(sequence(1, 5)) AS u (x)) OR f * 2 < -1e300 AND id > 50",
  "UPDATE T SET k = k || 'x', n = n * 2 WHERE id % 2 = 0",
  "UPDATE T SET n = (SELECT max(id) FROM T), d = NULL WHERE k = concat('k', '3')",
  "UPDATE T SET f = f WHERE length(k) = 2",
  "UPDATE T SET id = id + 1000 - id % 2 WHERE id % 10 = 7",
  `MERGE INTO T AS t USING ${source} AS s ON t.id = s.id
     WHEN MATCHED AND s.id % 3 = 0 THEN DELETE WHEN MATCHED AND s.id % 3 = 1 THEN UPDATE SET n = t.n + s.n, k = s.k
     WHEN NOT MATCHED AND s.id % 2 = 0 THEN INSERT (id, n) VALUES (s.id, s.n) WHEN NOT MATCHED THEN INSERT (k, id) VALUES (s.k, s.id)`,
  `MERGE INTO T AS t USING ${source} AS s ON t.id = s.id WHEN MATCHED THEN UPDATE SET d = d + INTERVAL '1' MONTH, f = s.n`,
  `MERGE INTO T AS t USING ${source} AS s ON t.id = s.id + 30 WHEN NOT MATCHED THEN INSERT VALUES (s.id + 30, s.k, s.n, current_date - current_date + DATE '2000-01-01', 0)`,
  `MERGE INTO T AS t USING (SELECT id % 3 AS m FROM T WHERE id < 4) AS s ON t.id % 3 = s.m AND t.id < 30 WHEN MATCHED AND t.id > 10 THEN DELETE`,
  // A key that is deleted and inserted again by the same statement.
  `MERGE INTO T AS t USING (SELECT * FROM (VALUES (5, 6), (6, 5)) AS v (a, b)) AS s ON t.id = s.a AND t.id = 5
     WHEN MATCHED THEN DELETE WHEN NOT MATCHED THEN INSERT (id, k) VALUES (s.b, 'again')`,
  `MERGE INTO T AS t USING T AS s ON t.id = s.id AND s.n > 1e9 WHEN MATCHED THEN DELETE`,
];

/** Both tables are created, and dropped at the end. `prepare`: gives the table in the database its primary key. */
export async function checkStagedChanges({ cluster, table, twin }: Keyed, prepare: () => unknown): Promise<void> {
  const rowsOf = async (name: string): Promise<readonly string[]> => {
    const { rows } = await cluster.query(`SELECT * FROM ${name} ORDER BY id`);
    return rows.map((row) => row.map(String).join());
  };
  const fill = async (name: string): Promise<void> => {
    await cluster.query(`DELETE FROM ${name}`);
    expect((await cluster.query(`INSERT INTO ${name} ${given}`)).updateCount).toBe(60);
  };
  await cluster.query(`CREATE TABLE ${table} (${keyedColumns})`);
  await cluster.query(`CREATE TABLE ${twin} (${keyedColumns})`);
  const [modifies] = statements as readonly [string];
  await expect(cluster.query(modifies.replaceAll(/\bT\b/g, table))).rejects.toMatchObject({ errorName: "NOT_SUPPORTED" });
  await prepare();
  await fill(table);
  await fill(twin);
  for (const statement of statements) {
    const counts = [];
    for (const name of [table, twin]) {
      counts.push((await cluster.query(statement.replaceAll(/\bT\b/g, name))).updateCount);
    }
    expect(counts[0], statement).toBe(counts[1]);
    expect(counts[0] ?? 0, statement).toBeGreaterThan(statement.includes("1e9") ? -1 : 0);
    expect(await rowsOf(table), statement).toEqual(await rowsOf(twin));
  }
  const before = await rowsOf(table);
  const twice = `MERGE INTO ${table} AS t USING (SELECT id FROM ${twin} UNION ALL SELECT 80) AS s (x) ON t.id = s.x WHEN MATCHED THEN DELETE`;
  await expect(cluster.query(twice)).rejects.toMatchObject({ errorName: "MERGE_TARGET_ROW_MULTIPLE_MATCHES" });
  // The rows that could be changed are not.
  await expect(cluster.query(`UPDATE ${table} SET id = id % 59 + 1 WHERE id * 1 > 30`)).rejects.toMatchObject({ errorName: "JDBC_ERROR" });
  await expect(cluster.query(`UPDATE ${table} SET id = IF(id < 100, NULL, id) WHERE id * 1 > 0`)).rejects.toMatchObject({
    errorName: "CONSTRAINT_VIOLATION",
    message: "NULL value not allowed for NOT NULL column: id",
  });
  expect(await rowsOf(table)).toEqual(before);
  await cluster.query(`DROP TABLE ${table}`);
  await cluster.query(`DROP TABLE ${twin}`);
}
