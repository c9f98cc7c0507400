/** What is asked of the altered servers, by the catalog `far`, and what the real ones had to have for the recording. */
export const postgresqlSetup = `
CREATE SCHEMA s;
CREATE TABLE s.t (id integer PRIMARY KEY, a smallint, b bigint, n numeric(9,2), w numeric(30,5), r real, d double precision, txt text,
  v varchar(12) DEFAULT 'x', c char(5), bin bytea, day date, tm time(3), ts timestamp(6), tz timestamptz, u uuid, j jsonb, ok boolean,
  arr integer[], deep text[][]);
COMMENT ON TABLE s.t IS 'of the fuzzer';
INSERT INTO s.t SELECT i, i, i * 1000000007::bigint, i * 1.25, i * 12345678901234567890.5, i / 3.0, i / 7.0, 'text ' || i, 'v' || i, 'c',
  decode('00ff', 'hex'),
  DATE '2024-01-01' + i, TIME '10:00:00.123', TIMESTAMP '2024-01-01 00:00:00.123456' + i * INTERVAL '1 day', TIMESTAMPTZ '2024-01-01 00:00:00+00',
  '12345678-1234-5678-1234-567812345678', '{"a": [1, "x"]}', i % 2 = 0, ARRAY[i, NULL, 2], ARRAY[['a', 'b'], ['c', NULL]] FROM generate_series(1, 12) i;
INSERT INTO s.t (id) VALUES (100);
CREATE TABLE s.wide AS SELECT i AS k, repeat('y', 400) AS pad FROM generate_series(1, 60) i;
CREATE TABLE s.target (k bigint NOT NULL, name varchar(20) DEFAULT 'none');
CREATE VIEW s.v AS SELECT id, txt FROM s.t;
ANALYZE;
`;

export const mysqlSetup = `
CREATE DATABASE s; USE s;
CREATE TABLE s.t (id int PRIMARY KEY, a tinyint, b bigint, ub bigint unsigned, n decimal(9,2), r float, d double,
  txt text, v varchar(12) DEFAULT 'x',
  c char(5), bin varbinary(20), day date, tm time(3), ts datetime(6), tz timestamp(3) NULL, j json, e enum('x','y'), ok bit(1), y year);
INSERT INTO s.t SELECT seq, seq, seq * 1000000007, seq, seq * 1.25, seq / 3, seq / 7, concat('text ', seq), 'v', 'c', X'00ff', '2024-02-03',
  '10:00:00.123', '2024-01-01 00:00:00.123456', '2024-01-01 00:00:00.5', '{"a": [1, "x"]}', 'x', 1, 2024 FROM seq_1_to_12;
INSERT INTO s.t (id) VALUES (100);
CREATE TABLE s.wide (k int PRIMARY KEY, pad varchar(500)) AS SELECT seq AS k, repeat('y', 400) AS pad FROM seq_1_to_60;
CREATE TABLE s.target (k bigint NOT NULL, name varchar(20) DEFAULT 'none');
CREATE VIEW s.v AS SELECT id, txt FROM s.t;
ANALYZE TABLE s.t, s.wide;
`;

export const databaseStatements: readonly string[] = [
  "SELECT * FROM far.s.t",
  "SELECT * FROM far.s.t",
  "SELECT id, n, txt FROM far.s.t WHERE id > 3 AND txt <> 'x' ORDER BY id DESC LIMIT 4",
  "SELECT count(*), sum(id), min(day), max(n) FROM far.s.t",
  "SELECT ok, count(*) FROM far.s.t GROUP BY ok ORDER BY 1",
  "SELECT k, length(pad) FROM far.s.wide",
  "SELECT k FROM far.s.wide LIMIT 2",
  "SELECT t.id, w.k FROM far.s.t JOIN far.s.wide w ON t.id = w.k WHERE w.k < 5 ORDER BY 1",
  "SELECT * FROM far.s.v ORDER BY id LIMIT 3",
  "SHOW SCHEMAS FROM far",
  "SHOW TABLES FROM far.s",
  "DESCRIBE far.s.t",
  "SHOW STATS FOR far.s.t",
  "SHOW CREATE TABLE far.s.target",
  "SELECT * FROM TABLE(far.system.query(query => 'SELECT id, txt, n FROM s.t ORDER BY id'))",
  "INSERT INTO far.s.target SELECT nationkey, name FROM tpch.tiny.nation WHERE nationkey < 5",
  "DELETE FROM far.s.target WHERE k = 4",
  "CALL far.system.execute(query => 'DELETE FROM s.target')",
];

const clusterColumns = `id integer, a smallint, b bigint, n decimal(9,2), w decimal(30,5), r real, d double, txt varchar,
  v varchar(12), c char(5),
  bin varbinary, day date, tm time(3), ts timestamp(6), tz timestamp(3) with time zone, u uuid, j json, ok boolean, arr array(integer),
  deep array(array(varchar)), m map(varchar, bigint), rw row(x bigint, y varchar)`;

export const clusterSetup: readonly string[] = ["memory", "lake"].flatMap((catalog) => [
  `CREATE SCHEMA ${catalog}.s`,
  `CREATE TABLE ${catalog}.s.t (${clusterColumns})`,
  `INSERT INTO ${catalog}.s.t SELECT i, i, i * BIGINT '1000000007', i * DECIMAL '1.25', i * DECIMAL '12345678901234567890.5',
      i / REAL '3', i / 7e0, 'text ' || t, 'v' || t, 'c', X'00ff', DATE '2024-01-01', TIME '10:00:00.123', TIMESTAMP '2024-01-01 00:00:00.123456',
      TIMESTAMP '2024-01-01 00:00:00.5 Europe/Berlin', UUID '12345678-1234-5678-1234-567812345678', JSON '{"a":[1,"x"]}', i % 2 = 0,
      ARRAY[i, NULL, 2], ARRAY[ARRAY['a', 'b'], ARRAY['c', NULL]], MAP(ARRAY['k'], ARRAY[i]), ROW(i, 'y')
      FROM (SELECT CAST(s AS integer) i, CAST(s AS varchar) FROM UNNEST(sequence(1, 12)) AS x(s)) AS y(i, t)`,
  `INSERT INTO ${catalog}.s.t (id) VALUES (100)`,
  `CREATE TABLE ${catalog}.s.wide AS SELECT s AS k, rpad('y', 400, 'y') AS pad FROM UNNEST(sequence(1, 60)) AS x(s)`,
  `CREATE TABLE ${catalog}.s.target (k bigint NOT NULL, name varchar(20) DEFAULT 'none')`,
  `CREATE VIEW ${catalog}.s.v AS SELECT id, txt FROM ${catalog}.s.t`,
]);

export const clusterStatements: readonly string[] = [
  ...databaseStatements.filter((sql) => !sql.includes("DELETE")),
  "CALL far.system.execute(query => 'INSERT INTO s.target (k) VALUES (9)')",
  "SELECT * FROM old.s.t",
  "SELECT k, length(pad) FROM old.s.wide WHERE k > 3 ORDER BY k LIMIT 5",
  "DESCRIBE old.s.t",
  "SELECT custkey, name FROM spooled.tiny.customer",
  "SELECT regionkey, count(*) FROM spooled.tiny.nation GROUP BY regionkey ORDER BY 1",
  "SELECT id, a, b, txt, ok FROM lake.s.t ORDER BY id",
  "SELECT k, pad FROM lake.s.wide",
  "INSERT INTO lake.s.target VALUES (1, 'x')",
  "SHOW TABLES FROM lake.s",
];
