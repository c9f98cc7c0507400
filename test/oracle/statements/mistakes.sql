-- Mistakes in statements other than queries: what is wrong with the name of a table is said of the whole statement, as Presto's tasks do
DROP TABLE nope;
error: TABLE_NOT_FOUND line 1:1: Table 'tpch.tiny.nope' does not exist
DESCRIBE nope.nope;
error: SCHEMA_NOT_FOUND line 1:1: Schema 'nope' does not exist
SHOW COLUMNS FROM nope.nope.nope;
error: CATALOG_NOT_FOUND line 1:1: Catalog 'nope' does not exist
SHOW CREATE TABLE nope;
error: TABLE_NOT_FOUND line 1:1: Table 'tpch.tiny.nope' does not exist
SHOW CREATE VIEW nope;
error: TABLE_NOT_FOUND line 1:1: View 'tpch.tiny.nope' does not exist
SHOW GRANTS ON TABLE nope;
error: TABLE_NOT_FOUND line 1:1: Table 'tpch.tiny.nope' does not exist
SHOW STATS FOR nope;
error: TABLE_NOT_FOUND line 1:16: Table 'tpch.tiny.nope' does not exist
INSERT INTO nope VALUES 1;
error: TABLE_NOT_FOUND line 1:1: Table 'tpch.tiny.nope' does not exist
DELETE FROM nope;
error: TABLE_NOT_FOUND line 1:1: Table 'tpch.tiny.nope' does not exist
UPDATE nope SET a = 1;
error: TABLE_NOT_FOUND line 1:1: Table 'tpch.tiny.nope' does not exist
TRUNCATE TABLE nope;
error: TABLE_NOT_FOUND line 1:1: Table 'tpch.tiny.nope' does not exist
ANALYZE nope;
error: TABLE_NOT_FOUND line 1:1: Table 'tpch.tiny.nope' does not exist
ALTER TABLE nope ADD COLUMN a bigint;
error: TABLE_NOT_FOUND line 1:1: Table 'tpch.tiny.nope' does not exist
COMMENT ON TABLE nope IS 'x';
error: TABLE_NOT_FOUND line 1:1: Table 'tpch.tiny.nope' does not exist
CREATE TABLE memory.nope.t (a bigint);
error: SCHEMA_NOT_FOUND line 1:1: Schema 'nope' does not exist
-- What a column of a new table is
CREATE TABLE memory.default.mistakes (a bigint, A varchar);
error: DUPLICATE_COLUMN_NAME line 1:49: Column name 'A' specified more than once
CREATE TABLE memory.default.mistakes (a array(nope));
error: TYPE_NOT_FOUND line 1:39: Unknown type 'array(nope)' for column 'a'
CREATE TABLE memory.default.mistakes (a unknown);
error: COLUMN_TYPE_UNKNOWN line 1:39: Unknown type 'unknown' for column 'a'
CREATE TABLE memory.default.mistakes (LIKE nope);
error: TABLE_NOT_FOUND line 1:1: LIKE table 'tpch.tiny.nope' does not exist
CREATE TABLE memory.default.mistakes (LIKE nope.nope.nope);
error: CATALOG_NOT_FOUND line 1:1: LIKE table catalog 'nope' does not exist
CREATE TABLE memory.default.mistakes (LIKE nation INCLUDING PROPERTIES);
error: NOT_SUPPORTED line 1:1: CREATE TABLE LIKE table INCLUDING PROPERTIES across catalogs is not supported
CREATE TABLE memory.default.mistakes (nationkey bigint, LIKE nation);
error: DUPLICATE_COLUMN_NAME line 1:57: Column name 'nationkey' specified more than once
-- A view where a table is meant, and the other way round
CREATE VIEW memory.default.mistaken_view AS SELECT 1 a;
expect: [[true]]
DROP TABLE memory.default.mistaken_view;
error: GENERIC_USER_ERROR line 1:1: Table 'memory.default.mistaken_view' does not exist, but a view with that name exists. Did you mean DROP VIEW memory.default.mistaken_view?
ALTER TABLE memory.default.mistaken_view RENAME TO memory.default.x;
error: TABLE_NOT_FOUND line 1:1: Table 'memory.default.mistaken_view' does not exist, but a view with that name exists. Did you mean ALTER VIEW memory.default.mistaken_view RENAME ...?
COMMENT ON TABLE memory.default.mistaken_view IS 'x';
error: TABLE_NOT_FOUND line 1:1: Table 'memory.default.mistaken_view' does not exist, but a view with that name exists. Did you mean COMMENT ON VIEW memory.default.mistaken_view IS ...?
DROP VIEW memory.default.mistaken_view;
expect: [[true]]
DROP VIEW nation;
error: GENERIC_USER_ERROR line 1:1: View 'tpch.tiny.nation' does not exist, but a table with that name exists. Did you mean DROP TABLE tpch.tiny.nation?
ALTER VIEW nation RENAME TO x;
error: TABLE_NOT_FOUND line 1:1: View 'tpch.tiny.nation' does not exist, but a table with that name exists. Did you mean ALTER TABLE tpch.tiny.nation RENAME TO ...?
-- Values of session properties
SET SESSION a.b.c = 1;
error: INVALID_SESSION_PROPERTY line 1:1: Invalid session property 'a.b.c'
SET SESSION nope.x = 1;
error: CATALOG_NOT_FOUND line 1:1: Catalog 'nope' does not exist
SET SESSION memory.x = 1;
error: INVALID_SESSION_PROPERTY line 1:1: Session property 'memory.x' does not exist
RESET SESSION nope.x;
error: CATALOG_NOT_FOUND line 1:1: Catalog 'nope' does not exist
SET SESSION join_distribution_type = 1;
error: INVALID_SESSION_PROPERTY Unable to set session property 'join_distribution_type' to '1': Cannot cast type integer to varchar
SET SESSION hash_partition_count = '3';
error: INVALID_SESSION_PROPERTY Unable to set session property 'hash_partition_count' to ''3'': Cannot cast type varchar(1) to integer
SET SESSION enable_dynamic_filtering = 'false';
error: INVALID_SESSION_PROPERTY Unable to set session property 'enable_dynamic_filtering' to ''false'': Cannot cast type varchar(5) to boolean
SET SESSION join_distribution_type = NULL;
error: INVALID_SESSION_PROPERTY Unable to set session property 'join_distribution_type' to 'null': Session property value must not be null
SET SESSION hash_partition_count = 0;
error: INVALID_SESSION_PROPERTY line 1:1: hash_partition_count must be an integer greater than or equal to 1: 0
START TRANSACTION READ ONLY, READ WRITE;
error: SYNTAX_ERROR line 1:1: Multiple transaction read modes specified
START TRANSACTION ISOLATION LEVEL SERIALIZABLE, ISOLATION LEVEL READ COMMITTED;
error: SYNTAX_ERROR line 1:1: Multiple transaction isolation levels specified
DENY SELECT, INSERT ON nation TO USER bob;
error: NOT_SUPPORTED line 1:1: This connector does not support denies on tables
DENY ALL PRIVILEGES ON SCHEMA tiny TO ROLE bob;
error: NOT_SUPPORTED line 1:1: This connector does not support denies on schemas
-- Types without an order or without equality where one is needed
SELECT * FROM (SELECT MAP(ARRAY[nationkey], ARRAY[1]) m FROM nation) ORDER BY m;
error: TYPE_MISMATCH line 1:1: Type map(bigint, integer) is not orderable, and therefore cannot be used in ORDER BY: m
SELECT json_parse('1') ORDER BY 1;
error: TYPE_MISMATCH line 1:1: Type json is not orderable, and therefore cannot be used in ORDER BY: :input(0)
SELECT row_number() OVER (ORDER BY MAP(ARRAY[nationkey], ARRAY[1])) FROM nation;
error: TYPE_MISMATCH line 1:36: map(bigint, integer) is not orderable, and therefore cannot be used in window function ORDER BY
SELECT row_number() OVER (PARTITION BY approx_set(1)) FROM nation GROUP BY name;
error: TYPE_MISMATCH line 1:40: HyperLogLog is not comparable, and therefore cannot be used in window function PARTITION BY
SELECT array_agg(name ORDER BY json_parse('1')) FROM nation;
error: TYPE_MISMATCH line 1:8: ORDER BY can only be applied to orderable types (actual: json)
SELECT DISTINCT approx_set(nationkey) FROM nation;
error: TYPE_MISMATCH line 1:1: DISTINCT can only be applied to comparable types (actual: HyperLogLog): approx_set(nationkey)
SELECT a FROM (SELECT approx_set(nationkey) a FROM nation) GROUP BY a;
error: TYPE_MISMATCH line 1:1: HyperLogLog is not comparable, and therefore cannot be used in GROUP BY
SELECT count(DISTINCT a) FROM (SELECT approx_set(nationkey) a FROM nation);
error: TYPE_MISMATCH line 1:8: DISTINCT can only be applied to comparable types (actual: HyperLogLog)
SELECT approx_set(1) UNION SELECT approx_set(2);
error: TYPE_MISMATCH line 1:22: Type HyperLogLog is not comparable and therefore cannot be used in UNION DISTINCT
SELECT approx_set(1) INTERSECT SELECT approx_set(2);
error: TYPE_MISMATCH line 1:22: Type HyperLogLog is not comparable and therefore cannot be used in INTERSECT
-- What SHOW CREATE shows can be run: words that are reserved are quoted
CREATE TABLE memory.default."select" ("end" bigint, "From" varchar COMMENT 'it''s', user varchar);
expect: [[true]]
SHOW CREATE TABLE memory.default."select";
expect: [["CREATE TABLE memory.default.\"select\" (\n   \"end\" bigint,\n   \"from\" varchar COMMENT 'it''s',\n   user varchar\n)"]]
DROP TABLE memory.default."select";
expect: [[true]]
