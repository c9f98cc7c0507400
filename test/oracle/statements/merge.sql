-- MERGE on tables in memory (Trino's documentation, sql/merge.rst; AbstractTestMerge). Each statement sees what those above it did, in DuckDB too.
CREATE SCHEMA memory.merged;
duckdb: CREATE SCHEMA memory.merged;
expect: [[true]]
-- Trino's documented example: accounts.
CREATE TABLE memory.merged.accounts AS SELECT * FROM (VALUES ('Aaron', 5, CAST('Antioch' AS varchar)), ('Bill', 7, 'Buena'), ('Carol', 3, 'Cambridge'), ('Dave', 11, 'Devon')) t (customer, purchases, address);
CREATE TABLE memory.merged.updates AS SELECT * FROM (VALUES ('Aaron', 6, 'Arches'), ('Ed', 7, 'Etherville'), ('Carol', 9, 'Centreville'), ('Dave', 11, 'Darbyshire')) t (customer, purchases, address);
MERGE INTO memory.merged.accounts t USING memory.merged.updates s ON (t.customer = s.customer) WHEN MATCHED AND s.address = 'Centreville' THEN DELETE WHEN MATCHED THEN UPDATE SET purchases = s.purchases + t.purchases, address = s.address WHEN NOT MATCHED THEN INSERT (customer, purchases, address) VALUES (s.customer, s.purchases, s.address);
SELECT * FROM memory.merged.accounts ORDER BY customer;
-- Delete all that match.
MERGE INTO memory.merged.accounts t USING (SELECT * FROM memory.merged.updates WHERE purchases < 7) s ON t.customer = s.customer WHEN MATCHED THEN DELETE;
SELECT * FROM memory.merged.accounts ORDER BY customer;
-- The target without an alias; conditions of both kinds; the first WHEN that holds is taken.
CREATE TABLE memory.merged.t AS SELECT nationkey AS k, name AS v, regionkey AS r FROM nation WHERE nationkey < 12;
MERGE INTO memory.merged.t USING nation ON t.k = nation.nationkey WHEN MATCHED AND t.r = 0 THEN DELETE WHEN MATCHED AND t.k % 2 = 0 THEN UPDATE SET v = lower(nation.name), r = t.r + 10 WHEN MATCHED AND t.k = 3 THEN UPDATE SET r = NULL WHEN NOT MATCHED AND nation.nationkey > 22 THEN INSERT VALUES (nation.nationkey, 'new ' || substr(nation.name, 1, 3), 7) WHEN NOT MATCHED AND nation.regionkey = 4 THEN INSERT (r, k) VALUES (nation.regionkey, nation.nationkey);
SELECT * FROM memory.merged.t ORDER BY k;
-- No WHEN MATCHED: rows that are there stay.
MERGE INTO memory.merged.t USING nation n ON t.k = n.nationkey WHEN NOT MATCHED AND n.nationkey < 21 THEN INSERT (k, v) VALUES (n.nationkey, n.name);
SELECT * FROM memory.merged.t ORDER BY k;
-- Nothing to do.
MERGE INTO memory.merged.t USING nation n ON t.k = n.nationkey WHEN NOT MATCHED AND n.nationkey > 100 THEN INSERT (k) VALUES (1);
MERGE INTO memory.merged.t USING (SELECT * FROM nation WHERE false) n ON t.k = n.nationkey WHEN MATCHED THEN DELETE WHEN NOT MATCHED THEN INSERT (k) VALUES (1);
SELECT count(*), sum(k), count(v) FROM memory.merged.t;
-- Conditions that no hash join finds: a range, an inequality, one without columns.
CREATE TABLE memory.merged.ranges AS SELECT * FROM (VALUES (0, 5, 'low'), (6, 11, 'mid'), (1000, 1001, 'none')) r (a, b, label);
MERGE INTO memory.merged.t USING memory.merged.ranges r ON t.k BETWEEN r.a AND r.b WHEN MATCHED THEN UPDATE SET v = r.label WHEN NOT MATCHED THEN INSERT VALUES (r.a, r.label, -1);
SELECT * FROM memory.merged.t ORDER BY k;
MERGE INTO memory.merged.t USING (VALUES 1) s (x) ON true WHEN MATCHED AND t.k = 1000 THEN DELETE;
SELECT count(*) FROM memory.merged.t;
MERGE INTO memory.merged.t USING (VALUES 55) s (x) ON false WHEN MATCHED THEN DELETE WHEN NOT MATCHED THEN INSERT (k, v) VALUES (s.x, 'fifty');
SELECT k, v, r FROM memory.merged.t WHERE k = 55;
-- Source rows that match and take no WHEN change nothing, however many they are.
MERGE INTO memory.merged.t USING lineitem l ON t.k = l.linenumber WHEN MATCHED AND l.orderkey = 7 AND l.linenumber = 1 THEN UPDATE SET r = 70;
SELECT * FROM memory.merged.t WHERE k < 8 ORDER BY k;
-- Keys that are NULL match nothing.
MERGE INTO memory.merged.t USING (SELECT CAST(NULL AS bigint) AS x) s ON t.k = s.x WHEN MATCHED THEN DELETE WHEN NOT MATCHED THEN INSERT (v) VALUES ('null key');
SELECT count(*) FROM memory.merged.t WHERE k IS NULL;
MERGE INTO memory.merged.t USING (SELECT CAST(NULL AS bigint) AS x) s ON t.k IS NOT DISTINCT FROM s.x WHEN MATCHED THEN DELETE WHEN NOT MATCHED THEN INSERT (v) VALUES ('null key');
SELECT count(*) FROM memory.merged.t WHERE k IS NULL;
-- The target as its own source, subqueries in source, conditions and values.
MERGE INTO memory.merged.t USING (SELECT max(k) AS m FROM memory.merged.t) s ON t.k = s.m WHEN MATCHED THEN UPDATE SET v = 'most';
SELECT v FROM memory.merged.t WHERE k = 55;
MERGE INTO memory.merged.t USING nation s ON t.k = s.nationkey WHEN MATCHED AND s.regionkey IN (SELECT regionkey FROM region WHERE name = 'EUROPE') THEN UPDATE SET v = (SELECT max(name) FROM region), r = (SELECT count(*) FROM nation n WHERE n.regionkey = s.regionkey) WHEN MATCHED AND NOT EXISTS (SELECT 1 FROM customer c WHERE c.nationkey = t.k AND c.acctbal > 0) THEN DELETE;
duckdb: MERGE INTO memory.merged.t USING nation s ON t.k = s.nationkey WHEN MATCHED AND s.regionkey = 3 THEN UPDATE SET v = 'MIDDLE EAST', r = 5;
SELECT * FROM memory.merged.t ORDER BY k;
-- Many rows: orders into a copy of a third of them.
CREATE TABLE memory.merged.o AS SELECT orderkey, custkey, totalprice, orderstatus FROM orders WHERE orderkey % 3 = 0;
MERGE INTO memory.merged.o t USING (SELECT * FROM orders WHERE orderkey % 2 = 0) s ON t.orderkey = s.orderkey WHEN MATCHED AND s.orderstatus = 'F' THEN DELETE WHEN MATCHED THEN UPDATE SET custkey = -s.custkey WHEN NOT MATCHED AND s.orderstatus = 'O' THEN INSERT (orderkey, custkey, orderstatus) VALUES (s.orderkey, s.custkey, 'N');
SELECT count(*), sum(orderkey), sum(custkey), count(totalprice), count_if(orderstatus = 'N') FROM memory.merged.o;
duckdb: SELECT count(*), sum(orderkey), sum(custkey), count(totalprice), count(*) FILTER (WHERE orderstatus = 'N') FROM memory.merged.o;
SELECT * FROM memory.merged.o ORDER BY orderkey LIMIT 200;
MERGE INTO memory.merged.o t USING orders s ON t.orderkey = s.orderkey WHEN NOT MATCHED THEN INSERT VALUES (s.orderkey, s.custkey, s.totalprice, s.orderstatus);
SELECT count(*), count(DISTINCT orderkey), sum(totalprice) FROM memory.merged.o;
-- One row of the target, two of the source.
MERGE INTO memory.merged.t USING nation s ON t.k = s.regionkey WHEN MATCHED THEN UPDATE SET v = s.name;
error: MERGE_TARGET_ROW_MULTIPLE_MATCHES One MERGE target table row matched more than one source row
MERGE INTO memory.merged.t USING nation s ON t.k = s.regionkey WHEN MATCHED AND s.nationkey > 3 THEN DELETE;
error: MERGE_TARGET_ROW_MULTIPLE_MATCHES One MERGE target table row matched more than one source row
MERGE INTO memory.merged.t USING nation s ON t.k = s.regionkey WHEN MATCHED AND s.nationkey > 20 THEN DELETE WHEN MATCHED AND s.nationkey < 3 THEN UPDATE SET v = 'x';
error: MERGE_TARGET_ROW_MULTIPLE_MATCHES One MERGE target table row matched more than one source row
SELECT count(*) FROM memory.merged.t;
-- What is wrong with the statement.
MERGE INTO nation USING region r ON nation.regionkey = r.regionkey WHEN MATCHED THEN DELETE;
error: NOT_SUPPORTED line 1:1: This connector does not support modifying table rows
MERGE INTO memory.merged.none USING region r ON true WHEN MATCHED THEN DELETE;
error: TABLE_NOT_FOUND line 1:1: Table 'memory.merged.none' does not exist
MERGE INTO memory.merged.t USING none r ON true WHEN MATCHED THEN DELETE;
error: TABLE_NOT_FOUND line 1:34: Table 'tpch.tiny.none' does not exist
CREATE VIEW memory.merged.v AS SELECT * FROM memory.merged.t;
expect: [[true]]
duckdb: CREATE VIEW memory.merged.v AS SELECT * FROM memory.merged.t;
MERGE INTO memory.merged.v USING region r ON true WHEN MATCHED THEN DELETE;
error: NOT_SUPPORTED line 1:1: Merging into views is not supported
MERGE INTO memory.merged.t USING region r ON t.k = r.regionkey WHEN MATCHED THEN UPDATE SET nope = 1;
error: COLUMN_NOT_FOUND line 1:1: Merge column name does not exist in target table: nope
MERGE INTO memory.merged.t USING region r ON t.k = r.regionkey WHEN MATCHED THEN UPDATE SET v = '1', V = '2';
error: DUPLICATE_COLUMN_NAME line 1:1: Merge column name is specified more than once: v
MERGE INTO memory.merged.t USING region r ON t.k = r.regionkey WHEN NOT MATCHED THEN INSERT (k, v) VALUES (1);
error: INVALID_ARGUMENTS line 1:64: Number of merge columns (2) isn't equal to number of expressions (1)
MERGE INTO memory.merged.t USING region r ON t.k = r.regionkey WHEN MATCHED THEN DELETE WHEN NOT MATCHED THEN INSERT (k) VALUES ('a');
error: TYPE_MISMATCH line 1:1: MERGE table column types don't match for MERGE case 1, SET expressions: Table: [bigint], Expressions: [varchar(1)]
MERGE INTO memory.merged.t USING region r ON t.k WHEN MATCHED THEN DELETE;
error: TYPE_MISMATCH line 1:46: JOIN ON clause must evaluate to a boolean: actual type bigint
MERGE INTO memory.merged.t USING region r ON t.k = r.regionkey WHEN MATCHED AND 1 THEN DELETE;
error: TYPE_MISMATCH line 1:81: MERGE WHEN clause must evaluate to a boolean: actual type integer
MERGE INTO memory.merged.t USING region r ON t.k = r.regionkey WHEN MATCHED AND max(r.regionkey) > 1 THEN DELETE;
error: EXPRESSION_NOT_SCALAR line 1:81: MERGE WHEN clause cannot contain aggregations, window functions or grouping operations: [max(r.regionkey)]
MERGE INTO memory.merged.t USING memory.merged.t AS s ON k = s.k WHEN MATCHED THEN DELETE;
error: AMBIGUOUS_NAME line 1:58: Column 'k' is ambiguous
MERGE INTO memory.merged.t USING region r ON t.k = r.regionkey WHEN MATCHED THEN INSERT VALUES (1);
error: SYNTAX_ERROR line 1:82: mismatched input 'INSERT'. Expecting: 'DELETE', 'UPDATE'
MERGE INTO memory.merged.t USING region r ON t.k = r.regionkey WHEN NOT MATCHED THEN DELETE;
error: SYNTAX_ERROR line 1:86: mismatched input 'DELETE'. Expecting: 'INSERT'
MERGE INTO memory.merged.t USING region r ON t.k = r.regionkey;
error: SYNTAX_ERROR
MERGE INTO memory.merged.t USING region r ON t.k = r.regionkey WHEN MATCHED THEN UPDATE SET k = 1 / (t.k - t.k);
error: DIVISION_BY_ZERO Division by zero
SELECT count(*) FROM memory.merged.t;
DROP VIEW memory.merged.v;
expect: [[true]]
duckdb: DROP VIEW memory.merged.v;
