-- Catalogs, schemas, tables, columns, fields (Trino's TestAnalyzer; ShowQueriesRewrite).
SELECT * FROM foo.bar.t;
error: CATALOG_NOT_FOUND line 1:15: Catalog 'foo' does not exist
SELECT * FROM foo.t;
error: SCHEMA_NOT_FOUND line 1:15: Schema 'foo' does not exist
SELECT * FROM foo;
error: TABLE_NOT_FOUND line 1:15: Table 'memory.s1.foo' does not exist
SELECT * FROM a.b.c.d;
error: SYNTAX_ERROR line 1:15: Too many dots in table name: a.b.c.d
SELECT f FROM t1;
error: COLUMN_NOT_FOUND line 1:8: Column 'f' cannot be resolved
SELECT dummy;
error: COLUMN_NOT_FOUND line 1:8: Column 'dummy' cannot be resolved
SELECT t.y FROM (VALUES 1) t (x);
error: COLUMN_NOT_FOUND line 1:8: Column 't.y' cannot be resolved
SELECT "Foo" FROM t1;
error: COLUMN_NOT_FOUND line 1:8: Column 'foo' cannot be resolved
SELECT * FROM t1 ORDER BY f;
error: COLUMN_NOT_FOUND line 1:27: Column 'f' cannot be resolved
SELECT count(*) FROM t1 GROUP BY f;
error: COLUMN_NOT_FOUND line 1:34: Column 'f' cannot be resolved
SELECT a FROM t1, t2;
error: AMBIGUOUS_NAME line 1:8: Column 'a' is ambiguous
SELECT * FROM t1 JOIN t2 ON a = a;
error: AMBIGUOUS_NAME line 1:29: Column 'a' is ambiguous
SELECT a x, b x FROM t1 ORDER BY x;
error: AMBIGUOUS_NAME line 1:34: Column 'x' is ambiguous
SELECT * FROM t1 JOIN t2 USING (c);
error: COLUMN_NOT_FOUND line 1:33: Column 'c' is missing from right side of join
SELECT * FROM t2 JOIN t1 USING (c);
error: COLUMN_NOT_FOUND line 1:33: Column 'c' is missing from left side of join
SELECT * FROM (VALUES 1) a (x) JOIN (VALUES 'x') b (x) USING (x);
error: TYPE_MISMATCH line 1:63: Cannot apply operator: integer = varchar(1)
SELECT t.x.f1 FROM (VALUES 1) t (x);
error: TYPE_MISMATCH line 1:8: Expression t.x is not of type ROW
SELECT x.f1 FROM (VALUES 1) t (x);
error: TYPE_MISMATCH line 1:8: Expression x is not of type ROW
SELECT x.f2 FROM (VALUES ROW(CAST(ROW(1) AS row(f1 integer)))) t (x);
error: COLUMN_NOT_FOUND line 1:8: Column 'x.f2' cannot be resolved
SELECT CAST(ROW(1) AS row(f1 integer)).f2;
error: COLUMN_NOT_FOUND /line 1:8: Column '(.*\.)?f2' cannot be resolved/
SELECT CAST(ROW(1, 2) AS row(f integer, f integer)).f;
error: AMBIGUOUS_NAME line 1:53: Ambiguous row field reference: f
TABLE t2 UNION ALL SELECT c, d FROM t1 ORDER BY c;
error: COLUMN_NOT_FOUND line 1:49: Column 'c' cannot be resolved
SHOW TABLES FROM nonexistent_schema;
error: SCHEMA_NOT_FOUND line 1:1: Schema 'nonexistent_schema' does not exist
SHOW TABLES FROM nope.s1;
error: CATALOG_NOT_FOUND line 1:1: Catalog 'nope' does not exist
SHOW TABLES FROM a.b.c;
error: INVALID_SCHEMA_PROPERTY line 1:1: Too many parts in schema name: a.b.c
SHOW SCHEMAS FROM nope;
error: CATALOG_NOT_FOUND line 1:1: Catalog 'nope' does not exist
SHOW COLUMNS FROM nope;
error: TABLE_NOT_FOUND line 1:1: Table 'memory.s1.nope' does not exist
SHOW CREATE VIEW t1;
error: NOT_SUPPORTED line 1:1: Relation 'memory.s1.t1' is a table, not a view
SHOW CREATE TABLE v1;
error: NOT_SUPPORTED line 1:1: Relation 'memory.s1.v1' is a view, not a table
SHOW CREATE VIEW nope;
error: TABLE_NOT_FOUND line 1:1: View 'memory.s1.nope' does not exist
SHOW CREATE TABLE nope;
error: TABLE_NOT_FOUND line 1:1: Table 'memory.s1.nope' does not exist
SHOW CREATE SCHEMA nope;
error: SCHEMA_NOT_FOUND line 1:1: Schema 'memory.nope' does not exist
SHOW TABLES LIKE 't$_1' ESCAPE '';
error: INVALID_FUNCTION_ARGUMENT Escape string must be a single character
SHOW TABLES LIKE 't$_1' ESCAPE 'ab';
error: INVALID_FUNCTION_ARGUMENT Escape string must be a single character
SHOW TABLES;
headers: {"x-engine-catalog": "", "x-engine-schema": ""}
error: MISSING_CATALOG_NAME line 1:1: Catalog must be specified when session catalog is not set
SHOW TABLES FROM a;
headers: {"x-engine-catalog": "", "x-engine-schema": ""}
error: MISSING_CATALOG_NAME line 1:1: Catalog must be specified when session catalog is not set
SHOW TABLES;
headers: {"x-engine-schema": ""}
error: MISSING_SCHEMA_NAME line 1:1: Schema must be specified when session schema is not set
SELECT * FROM t1;
headers: {"x-engine-schema": ""}
error: MISSING_SCHEMA_NAME line 1:15: Schema must be specified when session schema is not set
SELECT * FROM t1;
headers: {"x-engine-catalog": "", "x-engine-schema": ""}
error: MISSING_CATALOG_NAME line 1:15: Catalog must be specified when session catalog is not set
SELECT * FROM 'data/*.csv';
headers: {"x-engine-catalog": "", "x-engine-schema": ""}
error: MISSING_CATALOG_NAME line 1:15: Catalog must be specified when session catalog is not set
SELECT * FROM 'data/*.csv';
error: NOT_SUPPORTED line 1:15: Catalog 'memory' has no files: a path cannot be a table
SHOW SCHEMAS;
headers: {"x-engine-catalog": "", "x-engine-schema": ""}
error: MISSING_CATALOG_NAME line 1:1: Catalog must be specified when session catalog is not set
USE nope.s1;
error: NOT_FOUND Catalog does not exist: nope
USE memory.nope;
error: NOT_FOUND Schema does not exist: memory.nope
USE s1;
headers: {"x-engine-catalog": "", "x-engine-schema": ""}
error: MISSING_CATALOG_NAME line 1:1: Catalog must be specified when session catalog is not set
