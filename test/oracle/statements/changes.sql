-- Views, DELETE, UPDATE, ALTER, COMMENT and roles (protocol.md 10.5, 1.12; wording of Trino's tasks). Each statement sees what those above it did, in DuckDB too: its tables change alike.
CREATE SCHEMA memory.changes;
duckdb: CREATE SCHEMA memory.changes;
expect: [[true]]
CREATE TABLE memory.changes.t AS SELECT nationkey AS k, name, regionkey AS r FROM nation;
CREATE VIEW memory.changes.v AS SELECT r, count(*) AS c FROM memory.changes.t GROUP BY r;
duckdb: CREATE VIEW memory.changes.v AS SELECT r, count(*) AS c FROM memory.changes.t GROUP BY r;
expect: [[true]]
SELECT * FROM memory.changes.v ORDER BY 1;
SHOW CREATE VIEW memory.changes.v;
expect: [["CREATE VIEW memory.changes.v SECURITY DEFINER AS\nSELECT\n  r\n, count(*) AS c\nFROM\n  memory.changes.t\nGROUP BY r"]]
CREATE VIEW memory.changes.v AS SELECT 1 AS x;
error: TABLE_ALREADY_EXISTS line 1:1: View already exists: 'memory.changes.v'
CREATE OR REPLACE VIEW memory.changes.w (a, b) COMMENT 'x' SECURITY INVOKER AS SELECT k, name FROM memory.changes.t WHERE k < 3;
duckdb: CREATE OR REPLACE VIEW memory.changes.w (a, b) AS SELECT k, name FROM memory.changes.t WHERE k < 3;
expect: [[true]]
SELECT * FROM memory.changes.w w JOIN memory.changes.v v ON w.a = v.r ORDER BY 1;
DESCRIBE memory.changes.w;
expect: [["a","bigint","",""],["b","varchar(25)","",""]]
SHOW TABLES FROM memory.changes;
expect: [["t"],["v"],["w"]]
SELECT table_name, table_type FROM memory.information_schema.tables WHERE table_schema = 'changes';
expect: [["t","BASE TABLE"],["v","VIEW"],["w","VIEW"]]
SELECT table_name, view_definition FROM memory.information_schema.views WHERE table_schema = 'changes';
expect: [["v","SELECT\n  r\n, count(*) AS c\nFROM\n  memory.changes.t\nGROUP BY r"],["w","SELECT *\nFROM\n  (\n    SELECT\n      k\n    , name\n    FROM\n      memory.changes.t\n    WHERE (k < 3)\n  ) AS w (a, b)"]]
SELECT table_name, column_name, data_type FROM memory.information_schema.columns WHERE table_schema = 'changes';
expect: [["t","k","bigint"],["t","name","varchar(25)"],["t","r","bigint"],["v","r","bigint"],["v","c","bigint"],["w","a","bigint"],["w","b","varchar(25)"]]
DELETE FROM memory.changes.t WHERE k > 20;
SELECT count(*), max(k) FROM memory.changes.t;
UPDATE memory.changes.t SET name = lower(name), r = r + 10 WHERE k IN (SELECT nationkey FROM nation WHERE name LIKE 'A%');
SELECT * FROM memory.changes.t WHERE r >= 10 ORDER BY k;
UPDATE memory.changes.t SET nope = 1;
error: COLUMN_NOT_FOUND line 1:29: The UPDATE SET target column nope doesn't exist
UPDATE memory.changes.t SET k = 'x';
error: TYPE_MISMATCH line 1:1: UPDATE table column types don't match SET expressions: Table: [bigint], Expressions: [varchar(1)]
UPDATE memory.changes.t SET k = 1, k = 2;
error: DUPLICATE_COLUMN_NAME line 1:36: The UPDATE SET target column k is specified more than once
DELETE FROM memory.changes.v;
error: NOT_SUPPORTED line 1:1: Deleting from views is not supported
DELETE FROM nation;
error: NOT_SUPPORTED line 1:1: This connector does not support deletes
UPDATE nation SET name = 'x';
error: NOT_SUPPORTED line 1:1: This connector does not support updates
INSERT INTO memory.changes.v VALUES (1, 2);
error: NOT_SUPPORTED line 1:1: Inserting into views is not supported
ALTER TABLE memory.changes.t ADD COLUMN k bigint;
error: COLUMN_ALREADY_EXISTS line 1:1: Column 'k' already exists
ALTER TABLE memory.changes.t ADD COLUMN IF NOT EXISTS k bigint;
duckdb: ALTER TABLE memory.changes.t ADD COLUMN IF NOT EXISTS k bigint;
expect: [[true]]
ALTER TABLE memory.changes.t DROP COLUMN nope;
error: COLUMN_NOT_FOUND line 1:1: Column 'nope' does not exist
ALTER TABLE memory.changes.t DROP COLUMN IF EXISTS nope;
duckdb: ALTER TABLE memory.changes.t DROP COLUMN IF EXISTS nope;
expect: [[true]]
ALTER TABLE memory.changes.t RENAME COLUMN nope TO x;
error: COLUMN_NOT_FOUND line 1:1: Column 'nope' does not exist
ALTER TABLE IF EXISTS memory.changes.nope RENAME TO memory.changes.x;
duckdb: ALTER TABLE IF EXISTS memory.changes.nope RENAME TO x;
expect: [[true]]
ALTER TABLE memory.changes.t RENAME TO memory.changes.v;
error: TABLE_ALREADY_EXISTS line 1:1: Target table 'memory.changes.v' already exists
UPDATE memory.changes.t SET r = (SELECT max(regionkey) FROM region) WHERE k = 5;
SELECT k, r FROM memory.changes.t WHERE k = 5;
DELETE FROM memory.changes.t WHERE name = (SELECT r.name FROM region r WHERE r.regionkey = r);
duckdb: DELETE FROM memory.changes.t WHERE name = (SELECT g.name FROM region g WHERE g.regionkey = t.r);
DELETE FROM memory.changes.t WHERE k = 7 OR k IS NULL;
UPDATE memory.changes.t SET r = k / (k - k) WHERE k = 6;
error: DIVISION_BY_ZERO Division by zero
SELECT count(*) FROM memory.changes.t;
CREATE VIEW memory.changes.twice AS SELECT 1 AS a, 2 AS a;
error: DUPLICATE_COLUMN_NAME line 1:1: Column name 'a' specified more than once
CREATE VIEW memory.changes.unnamed AS SELECT 1;
error: MISSING_COLUMN_NAME line 1:1: Column name not specified at position 1
CREATE VIEW memory.changes.untyped AS SELECT NULL AS a;
error: COLUMN_TYPE_UNKNOWN line 1:1: Column type is unknown: a
CREATE VIEW memory.changes.star AS SELECT * FROM memory.changes.t;
duckdb: CREATE VIEW memory.changes.star AS SELECT * FROM memory.changes.t;
expect: [[true]]
SELECT count(*) FROM memory.changes.star;
ALTER TABLE memory.changes.t ADD COLUMN more bigint;
duckdb: ALTER TABLE memory.changes.t ADD COLUMN more bigint;
expect: [[true]]
SELECT count(*) FROM memory.changes.star;
error: VIEW_IS_STALE line 1:22: View 'memory.changes.star' is stale or in invalid state: stored view column count (3) does not match column count derived from the view query analysis (4)
ALTER TABLE memory.changes.t DROP COLUMN more;
duckdb: ALTER TABLE memory.changes.t DROP COLUMN more;
expect: [[true]]
DROP VIEW memory.changes.star;
duckdb: DROP VIEW memory.changes.star;
expect: [[true]]
ALTER TABLE memory.changes.t ADD COLUMN d double COMMENT 'dd';
duckdb: ALTER TABLE memory.changes.t ADD COLUMN d double;
expect: [[true]]
SELECT * FROM memory.changes.t WHERE k < 3 ORDER BY k;
INSERT INTO memory.changes.t VALUES (100, 'new', 1, 2.5e0);
ALTER TABLE memory.changes.t RENAME COLUMN d TO e;
duckdb: ALTER TABLE memory.changes.t RENAME COLUMN d TO e;
expect: [[true]]
SELECT k, e FROM memory.changes.t WHERE e IS NOT NULL;
UPDATE memory.changes.t SET e = k WHERE k < 2;
SELECT k, e FROM memory.changes.t WHERE e IS NOT NULL ORDER BY 1;
ALTER TABLE memory.changes.t DROP COLUMN r;
duckdb: ALTER TABLE memory.changes.t DROP COLUMN r;
expect: [[true]]
SELECT * FROM memory.changes.v;
error: INVALID_VIEW line 1:15: Failed analyzing stored view 'memory.changes.v': line 2:3: Column 'r' cannot be resolved
SHOW CREATE TABLE memory.changes.t;
expect: [["CREATE TABLE memory.changes.t (\n   k bigint,\n   name varchar(25),\n   e double COMMENT 'dd'\n)"]]
SELECT * FROM memory.changes.t WHERE k = 100;
COMMENT ON TABLE memory.changes.t IS 'hello';
duckdb: COMMENT ON TABLE memory.changes.t IS 'hello';
expect: [[true]]
COMMENT ON COLUMN memory.changes.t.k IS 'key';
duckdb: COMMENT ON COLUMN memory.changes.t.k IS 'key';
expect: [[true]]
SHOW CREATE TABLE memory.changes.t;
expect: [["CREATE TABLE memory.changes.t (\n   k bigint COMMENT 'key',\n   name varchar(25),\n   e double COMMENT 'dd'\n)\nCOMMENT 'hello'"]]
ALTER TABLE memory.changes.t RENAME TO memory.changes.u;
duckdb: ALTER TABLE memory.changes.t RENAME TO u;
expect: [[true]]
SELECT count(*) FROM memory.changes.u;
CREATE SCHEMA memory.changes2;
duckdb: CREATE SCHEMA memory.changes2;
expect: [[true]]
ALTER TABLE memory.changes.u RENAME TO memory.changes2.u;
duckdb: CREATE TABLE memory.changes2.u AS SELECT * FROM memory.changes.u;
expect: [[true]]
ALTER SCHEMA memory.changes2 RENAME TO changes3;
duckdb: CREATE SCHEMA memory.changes3; CREATE TABLE memory.changes3.u AS SELECT * FROM memory.changes2.u;
expect: [[true]]
SELECT count(*), count(e) FROM memory.changes3.u;
DROP SCHEMA memory.changes3;
error: SCHEMA_NOT_EMPTY Schema not empty: changes3
CREATE OR REPLACE VIEW memory.changes.w AS SELECT * FROM memory.changes.w;
error: VIEW_IS_RECURSIVE line 1:58: Statement would create a recursive view
CREATE OR REPLACE VIEW memory.changes.w AS SELECT 1 AS a;
duckdb: CREATE OR REPLACE VIEW memory.changes.w AS SELECT 1 AS a;
expect: [[true]]
ALTER VIEW memory.changes.w RENAME TO memory.changes.x;
duckdb: ALTER VIEW memory.changes.w RENAME TO x;
expect: [[true]]
SELECT * FROM memory.changes.x;
DROP VIEW memory.changes.nope;
error: TABLE_NOT_FOUND line 1:1: View 'memory.changes.nope' does not exist
DROP VIEW IF EXISTS memory.changes.nope;
duckdb: DROP VIEW IF EXISTS memory.changes.nope;
expect: [[true]]
DROP VIEW memory.changes.x;
duckdb: DROP VIEW memory.changes.x;
expect: [[true]]
DROP TABLE memory.changes.v;
error: GENERIC_USER_ERROR line 1:1: Table 'memory.changes.v' does not exist, but a view with that name exists. Did you mean DROP VIEW memory.changes.v?
CREATE VIEW tpch.tiny.x AS SELECT 1 AS a;
error: NOT_SUPPORTED line 1:1: This connector does not support creating views
ANALYZE nation;
error: NOT_SUPPORTED line 1:1: This connector does not support analyze
SHOW ROLES;
expect: []
SHOW CURRENT ROLES;
expect: []
SHOW GRANTS ON nation;
expect: []
SET ROLE ALL;
expect: [[true]]
SET ROLE bob;
error: ROLE_NOT_FOUND line 1:1: Role 'bob' does not exist
ALTER SCHEMA tiny RENAME TO x;
error: NOT_SUPPORTED line 1:1: This connector does not support renaming schemas
ALTER TABLE nation RENAME TO x;
error: NOT_SUPPORTED line 1:1: This connector does not support renaming tables
COMMENT ON TABLE nation IS NULL;
error: NOT_SUPPORTED line 1:1: This connector does not support setting table comments
SHOW CREATE SCHEMA tpch.tiny;
expect: [["CREATE SCHEMA tpch.tiny"]]
DELETE FROM memory.changes3.u;
SELECT count(*) FROM memory.changes3.u;
SHOW STATS FOR memory.changes3.u;
expect: [["k",null,0,0,null,null,null],["name",null,0,0,null,null,null],["e",null,0,0,null,null,null],[null,null,null,null,0,null,null]]
DROP TABLE memory.changes3.u;
duckdb: DROP TABLE memory.changes3.u;
expect: [[true]]
DROP SCHEMA memory.changes3;
duckdb: DROP SCHEMA memory.changes3;
expect: [[true]]
DROP VIEW memory.changes.v;
duckdb: DROP VIEW memory.changes.v;
expect: [[true]]
DROP SCHEMA memory.changes;
duckdb: DROP SCHEMA memory.changes CASCADE;
expect: [[true]]
-- A value of a type that has one in common with the column's becomes one of it; text loses nothing but spaces (testInsertWithCoercion)
CREATE TABLE memory.default.stored (i integer, v varchar(3), c char(3), d decimal(4, 1), t timestamp(3), a array(varchar(2)), b array(integer));
expect: [[true]]
INSERT INTO memory.default.stored (v) VALUES ('abc'), ('ab    '), ('a' || 'b'), (CAST('ab' AS char(9))), (NULL);
expect: [[5]]
INSERT INTO memory.default.stored (c) VALUES ('abc  ');
expect: [[1]]
INSERT INTO memory.default.stored (i) VALUES 3e0, BIGINT '7', 2.6;
expect: [[3]]
INSERT INTO memory.default.stored (d, t, b) VALUES (1.25, TIMESTAMP '2020-01-01 10:00:00.123456', ARRAY[BIGINT '5']);
expect: [[1]]
INSERT INTO memory.default.stored (v) VALUES ('abcd');
error: INVALID_CAST_ARGUMENT Cannot truncate non-space characters when casting from varchar(4) to varchar(3) on INSERT
INSERT INTO memory.default.stored (c) VALUES ('abcd');
error: INVALID_CAST_ARGUMENT Cannot truncate non-space characters when casting from varchar(4) to char(3) on INSERT
INSERT INTO memory.default.stored (i) VALUES (3e9);
error: NUMERIC_VALUE_OUT_OF_RANGE Out of range for integer: 3.0E9
INSERT INTO memory.default.stored (a) VALUES (ARRAY['abc']);
error: TYPE_MISMATCH line 1:1: Insert query has mismatched column types: Table: [array(varchar(2))], Query: [array(varchar(3))]
INSERT INTO memory.default.stored (v) VALUES (1);
error: TYPE_MISMATCH line 1:1: Insert query has mismatched column types: Table: [varchar(3)], Query: [integer]
UPDATE memory.default.stored SET v = 'x' || 'y  ', i = 8.4 WHERE i = 7;
expect: [[1]]
UPDATE memory.default.stored SET v = 'xyzw' WHERE i = 8;
error: INVALID_CAST_ARGUMENT Cannot truncate non-space characters when casting from varchar(4) to varchar(3) on INSERT
SELECT i, v, c, d, t, b FROM memory.default.stored;
expect: [[null, "abc", null, null, null, null], [null, "ab ", null, null, null, null], [null, "ab ", null, null, null, null], [null, "ab ", null, null, null, null], [null, null, null, null, null, null], [null, null, "abc", null, null, null], [3, null, null, null, null, null], [8, "xy ", null, null, null, null], [3, null, null, null, null, null], [null, null, null, "1.3", "2020-01-01 10:00:00.123", [5]]]
DROP TABLE memory.default.stored;
expect: [[true]]
CREATE SCHEMA memory.changes4;
duckdb: CREATE SCHEMA memory.changes4;
expect: [[true]]
CREATE TABLE memory.changes4.t AS SELECT 1 AS a;
duckdb: CREATE TABLE memory.changes4.t AS SELECT 1 AS a;
expect: [[1]]
CREATE VIEW memory.changes4.v AS SELECT a FROM memory.changes4.t;
duckdb: CREATE VIEW memory.changes4.v AS SELECT a FROM memory.changes4.t;
expect: [[true]]
DROP SCHEMA memory.changes4 CASCADE;
duckdb: DROP SCHEMA memory.changes4 CASCADE;
expect: [[true]]
SELECT * FROM memory.changes4.t;
error: SCHEMA_NOT_FOUND line 1:15: Schema 'changes4' does not exist
