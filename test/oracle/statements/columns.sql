-- NOT NULL, DEFAULT, CREATE OR REPLACE TABLE and comments of views (Trino's documentation, sql/create-table.rst, alter-table.rst, comment.rst).
CREATE SCHEMA memory.cols;
duckdb: CREATE SCHEMA memory.cols;
expect: [[true]]
CREATE TABLE memory.cols.t (a bigint NOT NULL, b varchar DEFAULT 'it''s' NOT NULL COMMENT 'text', c integer DEFAULT -3, d decimal(5, 2) NOT NULL DEFAULT 1.5, e date DEFAULT DATE '2020-02-29', f double, g array(integer) DEFAULT NULL);
duckdb: CREATE TABLE memory.cols.t (a bigint NOT NULL, b varchar NOT NULL DEFAULT 'it''s', c integer DEFAULT -3, d decimal(5, 2) NOT NULL DEFAULT 1.5, e date DEFAULT DATE '2020-02-29', f double, g integer[] DEFAULT NULL);
expect: [[true]]
SHOW CREATE TABLE memory.cols.t;
expect: [["CREATE TABLE memory.cols.t (\n   a bigint NOT NULL,\n   b varchar DEFAULT 'it''s' NOT NULL COMMENT 'text',\n   c integer DEFAULT -3,\n   d decimal(5, 2) DEFAULT 1.5 NOT NULL,\n   e date DEFAULT DATE '2020-02-29',\n   f double,\n   g array(integer) DEFAULT null\n)"]]
DESCRIBE memory.cols.t;
expect: [["a","bigint","not null",""],["b","varchar","not null","text"],["c","integer","",""],["d","decimal(5,2)","not null",""],["e","date","",""],["f","double","",""],["g","array(integer)","",""]]
SELECT column_name, column_default, is_nullable FROM memory.information_schema.columns WHERE table_schema = 'cols' AND table_name = 't' ORDER BY ordinal_position;
expect: [["a",null,"NO"],["b","'it''s'","NO"],["c","-3","YES"],["d","1.5","NO"],["e","DATE '2020-02-29'","YES"],["f",null,"YES"],["g","null","YES"]]
SELECT column_name, column_def, nullable, is_nullable FROM system.jdbc.columns WHERE table_cat = 'memory' AND table_schem = 'cols' AND table_name = 't' ORDER BY ordinal_position;
expect: [["a",null,0,"NO"],["b","'it''s'",0,"NO"],["c","-3",1,"YES"],["d","1.5",0,"NO"],["e","DATE '2020-02-29'",1,"YES"],["f",null,1,"YES"],["g","null",1,"YES"]]
-- Columns that INSERT leaves out have their default value.
INSERT INTO memory.cols.t (a) VALUES 1, 2;
duckdb: INSERT INTO memory.cols.t (a) VALUES (1), (2);
INSERT INTO memory.cols.t (f, a, c) VALUES (2.5, 3, NULL);
INSERT INTO memory.cols.t SELECT 4, 'x', 4, 4, NULL, 4e0, ARRAY[4];
duckdb: INSERT INTO memory.cols.t SELECT 4, 'x', 4, 4, NULL, 4e0, [4];
SELECT a, b, c, d, e, f, g FROM memory.cols.t ORDER BY a;
-- NULL is refused by every kind of write, and nothing of it stays.
INSERT INTO memory.cols.t (b) VALUES 'x';
error: CONSTRAINT_VIOLATION NULL value not allowed for NOT NULL column: a
INSERT INTO memory.cols.t (a, b) VALUES (5, 'x'), (6, NULL);
error: CONSTRAINT_VIOLATION NULL value not allowed for NOT NULL column: b
INSERT INTO memory.cols.t (a) SELECT nullif(orderkey, 7) FROM orders;
error: CONSTRAINT_VIOLATION NULL value not allowed for NOT NULL column: a
UPDATE memory.cols.t SET b = NULL WHERE a = 1;
error: CONSTRAINT_VIOLATION NULL value not allowed for NOT NULL column: b
UPDATE memory.cols.t SET b = NULL WHERE a = 100;
MERGE INTO memory.cols.t t USING (VALUES 1) s (x) ON t.a = s.x WHEN MATCHED THEN UPDATE SET d = NULL;
error: CONSTRAINT_VIOLATION NULL value not allowed for NOT NULL column: d
MERGE INTO memory.cols.t t USING (VALUES 9) s (x) ON t.a = s.x WHEN NOT MATCHED THEN INSERT (c) VALUES (s.x);
error: CONSTRAINT_VIOLATION NULL value not allowed for NOT NULL column: a
MERGE INTO memory.cols.t t USING (VALUES 9) s (x) ON t.a = s.x WHEN NOT MATCHED THEN INSERT (a) VALUES (s.x);
duckdb: INSERT INTO memory.cols.t (a) VALUES (9);
SELECT * FROM memory.cols.t ORDER BY a;
-- ALTER TABLE.
ALTER TABLE memory.cols.t ALTER COLUMN c SET NOT NULL;
error: CONSTRAINT_VIOLATION Column 'c' contains NULL values
UPDATE memory.cols.t SET c = 0 WHERE c IS NULL;
ALTER TABLE memory.cols.t ALTER COLUMN c SET NOT NULL;
duckdb: ALTER TABLE memory.cols.t ALTER COLUMN c SET NOT NULL;
expect: [[true]]
INSERT INTO memory.cols.t (a, c) VALUES (10, NULL);
error: CONSTRAINT_VIOLATION NULL value not allowed for NOT NULL column: c
ALTER TABLE memory.cols.t ALTER COLUMN c DROP NOT NULL;
duckdb: ALTER TABLE memory.cols.t ALTER COLUMN c DROP NOT NULL;
expect: [[true]]
ALTER TABLE memory.cols.t ALTER COLUMN c DROP NOT NULL;
error: NOT_SUPPORTED line 1:1: Column is already nullable
INSERT INTO memory.cols.t (a, c) VALUES (10, NULL);
ALTER TABLE memory.cols.t ALTER COLUMN c SET DEFAULT 77;
duckdb: ALTER TABLE memory.cols.t ALTER COLUMN c SET DEFAULT 77;
expect: [[true]]
ALTER TABLE memory.cols.t ALTER COLUMN e DROP DEFAULT;
duckdb: ALTER TABLE memory.cols.t ALTER COLUMN e DROP DEFAULT;
expect: [[true]]
INSERT INTO memory.cols.t (a) VALUES 11;
duckdb: INSERT INTO memory.cols.t (a) VALUES (11);
ALTER TABLE memory.cols.t ADD COLUMN h varchar(10) DEFAULT 'before' NOT NULL COMMENT 'added';
duckdb: ALTER TABLE memory.cols.t ADD COLUMN h varchar DEFAULT 'before';
expect: [[true]]
ALTER TABLE memory.cols.t ADD COLUMN i bigint NOT NULL;
error: NOT_SUPPORTED Unable to add NOT NULL column 'i' for non-empty table: cols.t
ALTER TABLE memory.cols.t ADD COLUMN i timestamp(3) DEFAULT TIMESTAMP '2001-02-03 04:05:06.789';
duckdb: ALTER TABLE memory.cols.t ADD COLUMN i timestamp DEFAULT TIMESTAMP '2001-02-03 04:05:06.789';
expect: [[true]]
ALTER TABLE memory.cols.t RENAME COLUMN h TO j;
duckdb: ALTER TABLE memory.cols.t RENAME COLUMN h TO j;
expect: [[true]]
ALTER TABLE memory.cols.t ALTER COLUMN j SET DEFAULT 'after';
duckdb: ALTER TABLE memory.cols.t ALTER COLUMN j SET DEFAULT 'after';
expect: [[true]]
INSERT INTO memory.cols.t (a, i) VALUES (12, NULL);
SELECT a, c, e, j, i FROM memory.cols.t ORDER BY a;
SELECT count(*), count(j), min(j), max(j), count(i) FROM memory.cols.t WHERE j > 'b';
UPDATE memory.cols.t SET j = 'now' WHERE a < 3;
SELECT a, c, e, j, i FROM memory.cols.t ORDER BY a;
ALTER TABLE memory.cols.t ALTER COLUMN none SET DEFAULT 1;
error: COLUMN_NOT_FOUND line 1:1: Column 'none' does not exist
ALTER TABLE memory.cols.t ALTER COLUMN none DROP NOT NULL;
error: COLUMN_NOT_FOUND line 1:1: Column 'none' does not exist
ALTER TABLE IF EXISTS memory.cols.none ALTER COLUMN a SET NOT NULL;
expect: [[true]]
duckdb: SELECT 1;
ALTER TABLE memory.cols.t ALTER COLUMN a SET DEFAULT 'x';
error: TYPE_MISMATCH line 1:54: Default value of column 'a' must be of type bigint (actual: varchar(1))
CREATE TABLE memory.cols.bad (a tinyint DEFAULT 300);
error: NUMERIC_VALUE_OUT_OF_RANGE Out of range for tinyint: 300
CREATE TABLE memory.cols.bad (a varchar(2) DEFAULT 'abc');
error: INVALID_CAST_ARGUMENT Cannot truncate non-space characters when casting from varchar(3) to varchar(2) on INSERT
CREATE TABLE memory.cols.bad (a bigint DEFAULT 1 + 1);
error: SYNTAX_ERROR line 1:48: Default value of a column must be a literal
CREATE TABLE memory.cols.bad (a bigint DEFAULT random());
error: SYNTAX_ERROR line 1:48: Default value of a column must be a literal
-- LIKE takes the columns as they are.
CREATE TABLE memory.cols.l (LIKE memory.cols.t, z boolean DEFAULT true NOT NULL);
expect: [[true]]
duckdb: CREATE TABLE memory.cols.l (a bigint, z boolean DEFAULT true NOT NULL);
INSERT INTO memory.cols.l (a) VALUES 1;
duckdb: INSERT INTO memory.cols.l (a) VALUES (1);
SELECT a, z FROM memory.cols.l;
INSERT INTO memory.cols.l (z) VALUES false;
error: CONSTRAINT_VIOLATION NULL value not allowed for NOT NULL column: a
-- A connector that cannot keep them refuses.
CREATE TABLE tpch.tiny.x (a bigint NOT NULL);
error: NOT_SUPPORTED line 1:1: This connector does not support creating tables
-- CREATE OR REPLACE TABLE, also from the table itself; comments and columns are the new ones.
CREATE OR REPLACE TABLE memory.cols.t COMMENT 'new' AS SELECT a AS k, c + 1 AS c1 FROM memory.cols.t WHERE a < 5;
duckdb: CREATE OR REPLACE TABLE memory.cols.t AS SELECT a AS k, c + 1 AS c1 FROM memory.cols.t WHERE a < 5;
expect: [[4]]
SELECT * FROM memory.cols.t ORDER BY k;
SHOW CREATE TABLE memory.cols.t;
expect: [["CREATE TABLE memory.cols.t (\n   k bigint,\n   c1 integer\n)\nCOMMENT 'new'"]]
CREATE OR REPLACE TABLE memory.cols.fresh (a varchar);
expect: [[true]]
duckdb: CREATE OR REPLACE TABLE memory.cols.fresh (a varchar);
INSERT INTO memory.cols.fresh VALUES 'x';
duckdb: INSERT INTO memory.cols.fresh VALUES ('x');
CREATE OR REPLACE TABLE memory.cols.fresh (b bigint NOT NULL);
expect: [[true]]
duckdb: CREATE OR REPLACE TABLE memory.cols.fresh (b bigint NOT NULL);
SELECT count(*) FROM memory.cols.fresh;
CREATE OR REPLACE TABLE memory.cols.t AS SELECT 1 / (k - k) AS x FROM memory.cols.t;
error: DIVISION_BY_ZERO Division by zero
SELECT * FROM memory.cols.t ORDER BY k;
CREATE OR REPLACE TABLE IF NOT EXISTS memory.cols.t (a bigint);
error: SYNTAX_ERROR line 1:1: 'OR REPLACE' and 'IF NOT EXISTS' clauses can not be used together
CREATE OR REPLACE TABLE tpch.tiny.nation AS SELECT 1 AS x;
error: NOT_SUPPORTED line 1:1: This connector does not support creating tables
CREATE VIEW memory.cols.v AS SELECT k, c1 FROM memory.cols.t;
expect: [[true]]
duckdb: CREATE VIEW memory.cols.v AS SELECT k, c1 FROM memory.cols.t;
CREATE OR REPLACE TABLE memory.cols.v (a bigint);
error: TABLE_ALREADY_EXISTS line 1:1: View already exists: 'memory.cols.v'
-- COMMENT ON VIEW and its columns.
COMMENT ON VIEW memory.cols.v IS 'a view';
expect: [[true]]
duckdb: SELECT 1;
COMMENT ON COLUMN memory.cols.v.k IS 'the key';
expect: [[true]]
duckdb: SELECT 1;
DESCRIBE memory.cols.v;
expect: [["k","bigint","","the key"],["c1","integer","",""]]
SHOW CREATE VIEW memory.cols.v;
expect: [["CREATE VIEW memory.cols.v COMMENT 'a view' SECURITY DEFINER AS\nSELECT\n  k\n, c1\nFROM\n  memory.cols.t"]]
SELECT table_name, comment FROM system.metadata.table_comments WHERE catalog_name = 'memory' AND schema_name = 'cols' ORDER BY 1;
expect: [["fresh",null],["l",null],["t","new"],["v","a view"]]
SELECT column_name, comment FROM memory.information_schema.columns WHERE table_schema = 'cols' AND table_name = 'v' ORDER BY 1;
expect: [["c1",null],["k","the key"]]
SELECT * FROM memory.cols.v ORDER BY k;
COMMENT ON VIEW memory.cols.v IS NULL;
expect: [[true]]
duckdb: SELECT 1;
SHOW CREATE VIEW memory.cols.v;
expect: [["CREATE VIEW memory.cols.v SECURITY DEFINER AS\nSELECT\n  k\n, c1\nFROM\n  memory.cols.t"]]
COMMENT ON COLUMN memory.cols.v.none IS 'x';
error: COLUMN_NOT_FOUND line 1:1: Column does not exist: none
COMMENT ON VIEW memory.cols.t IS 'x';
error: TABLE_NOT_FOUND line 1:1: View 'memory.cols.t' does not exist, but a table with that name exists. Did you mean COMMENT ON TABLE memory.cols.t IS ...?
COMMENT ON TABLE memory.cols.v IS 'x';
error: TABLE_NOT_FOUND line 1:1: Table 'memory.cols.v' does not exist, but a view with that name exists. Did you mean COMMENT ON VIEW memory.cols.v IS ...?
COMMENT ON VIEW memory.cols.none IS 'x';
error: TABLE_NOT_FOUND line 1:1: View 'memory.cols.none' does not exist
TRUNCATE TABLE memory.cols.l;
duckdb: TRUNCATE TABLE memory.cols.l;
expect: [[true]]
SELECT count(*) FROM memory.cols.l;
TRUNCATE TABLE memory.cols.v;
error: NOT_SUPPORTED line 1:1: Cannot truncate a view
DROP VIEW memory.cols.v;
expect: [[true]]
duckdb: DROP VIEW memory.cols.v;
