-- PIVOT as Trino has it: no grouping that is not said. DuckDB groups by the other columns, and has no GROUP BY in the standard form.

SELECT * FROM (SELECT regionkey, nationkey FROM nation) PIVOT (count(*) FOR regionkey IN (0, 1 AS one, 7)) ORDER BY 1;
duckdb: SELECT count(*) FILTER (regionkey = 0), count(*) FILTER (regionkey = 1), count(*) FILTER (regionkey = 7) FROM nation ORDER BY 1;

SELECT * FROM (SELECT orderpriority, orderstatus, totalprice FROM orders) PIVOT (sum(totalprice) FOR orderstatus IN ('F', 'O', 'P') GROUP BY orderpriority) AS p (priority, f, o, p) ORDER BY priority;
duckdb: SELECT * FROM (SELECT orderpriority, orderstatus, totalprice FROM orders) PIVOT (sum(totalprice) FOR orderstatus IN ('F', 'O', 'P')) ORDER BY orderpriority;

SELECT * FROM (SELECT shipmode, returnflag, quantity, discount FROM lineitem) PIVOT (count(*) AS n, max(quantity) - min(quantity) AS spread FOR returnflag IN ('A' AS a, 'N' AS n) GROUP BY shipmode) ORDER BY shipmode;
duckdb: SELECT shipmode, a_n, CAST(a_hi - a_lo AS DOUBLE), n_n, CAST(n_hi - n_lo AS DOUBLE) FROM (SELECT shipmode, returnflag, quantity FROM lineitem) PIVOT (count(*) AS n, max(quantity) AS hi, min(quantity) AS lo FOR returnflag IN ('A' AS a, 'N' AS n) GROUP BY shipmode) ORDER BY shipmode;

SELECT * FROM lineitem PIVOT (count(*) FOR (returnflag, linestatus) IN (('A', 'F') AS af, ('N', 'O'), ('N', 'F') AS nf) GROUP BY linenumber) ORDER BY linenumber;
duckdb: SELECT linenumber, count(*) FILTER (returnflag = 'A' AND linestatus = 'F'), count(*) FILTER (returnflag = 'N' AND linestatus = 'O'), count(*) FILTER (returnflag = 'N' AND linestatus = 'F') FROM lineitem GROUP BY linenumber ORDER BY linenumber;

-- As Trino's own tests have it (TestPivot).
SELECT * FROM (VALUES ('NA', 1, BIGINT '100'), ('NA', 1, BIGINT '50'), ('NA', 2, BIGINT '70'), ('EU', 1, BIGINT '40'), ('EU', 3, BIGINT '20')) AS sales (region, month, amount) PIVOT (sum(amount) AS total, sum(amount) FILTER (WHERE amount > 50) AS big FOR month IN (1 AS jan) GROUP BY region) ORDER BY region;
expect: [["EU", 40, null], ["NA", 150, 100]]

SELECT cnt_null_cnt, "1_cnt" FROM (VALUES ('NA', 1, BIGINT '100'), ('EU', 3, BIGINT '20')) AS sales (region, month, amount) PIVOT (count(amount) AS cnt FOR month IN (NULL AS cnt_null, 1));
expect: [[0, 1]]

SELECT * FROM (VALUES ('NA', 1, BIGINT '100'), ('EU', 1, BIGINT '40'), ('EU', 3, BIGINT '20')) AS sales (region, month, amount) PIVOT (sum(amount) AS total FOR month IN (1 AS jan) GROUP BY GROUPING SETS ((region), ())) ORDER BY region NULLS FIRST;
expect: [[null, 140], ["EU", 40], ["NA", 100]]

SELECT * FROM (VALUES ('NA', 1, BIGINT '100'), ('EU', 3, BIGINT '20'), ('EU', 1, BIGINT '40')) AS sales (region, month, amount) PIVOT (array_agg(amount ORDER BY month) AS amounts FOR region IN ('EU' AS eu));
expect: [[[40, 20]]]

SELECT * FROM (SELECT * FROM (VALUES ('NA', 1, BIGINT '100'), ('EU', 1, BIGINT '40')) AS sales (region, month, amount) PIVOT (sum(amount) FOR month IN (1 AS jan) GROUP BY region)) PIVOT (sum(jan) FOR region IN ('NA' AS na_total));
expect: [[100]]

SELECT "jan", "2" FROM (VALUES (1, 10), (2, 20)) AS t (month, amount) PIVOT (max(amount) FOR month IN (1 AS jan, 1 + 1 AS "2"));
expect: [[10, 20]]

-- Without PIVOT and its parenthesis it is a name.
SELECT pivot.nationkey FROM nation pivot WHERE pivot.nationkey = 3;
expect: [[3]]

SELECT x FROM (VALUES 1) pivot (x);
expect: [[1]]

SELECT * FROM nation PIVOT (sum(nationkey), count(*) FOR regionkey IN (1));
error: MISSING_COLUMN_ALIASES line 1:29: PIVOT with multiple aggregations requires an alias for each

SELECT * FROM nation PIVOT (count(*) FOR regionkey IN (1 AS a, 2 AS a));
error: DUPLICATE_COLUMN_NAME line 1:64: PIVOT produces duplicate output column name 'a'

SELECT * FROM nation PIVOT (count(*) FOR (regionkey, name) IN ((1, 'x'), (2)));
error: INVALID_ARGUMENTS line 1:74: Number of pivot values (1) does not match the number of pivot columns (2)

SELECT * FROM nation PIVOT (count(*) FOR regionkey IN (max(regionkey)));
error: EXPRESSION_NOT_SCALAR line 1:56: PIVOT IN clause cannot contain aggregations, window functions or grouping operations: [max(regionkey)]

SELECT * FROM nation PIVOT (count(*) FOR regionkey IN (1) GROUP BY AUTO);
error: NOT_SUPPORTED line 1:68: GROUP BY AUTO requires a SELECT list
