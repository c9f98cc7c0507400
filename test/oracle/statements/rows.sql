-- INTERSECT ALL, EXCEPT ALL and FETCH FIRST WITH TIES.
SELECT regionkey FROM nation INTERSECT ALL SELECT nationkey % 3 FROM nation;
SELECT regionkey FROM nation EXCEPT ALL SELECT nationkey % 3 FROM nation WHERE nationkey < 9;
SELECT regionkey FROM nation EXCEPT ALL SELECT regionkey FROM region EXCEPT ALL SELECT regionkey FROM region;
SELECT regionkey FROM nation INTERSECT ALL SELECT nationkey % 4 FROM nation INTERSECT ALL SELECT suppkey % 5 FROM supplier WHERE suppkey < 20;
SELECT returnflag, linestatus FROM lineitem INTERSECT ALL SELECT returnflag, linestatus FROM lineitem WHERE shipmode = 'AIR';
SELECT count(*), count(DISTINCT orderkey) FROM (SELECT orderkey FROM lineitem EXCEPT ALL SELECT orderkey FROM orders);
SELECT count(*) FROM (SELECT returnflag FROM lineitem INTERSECT ALL SELECT returnflag FROM lineitem);
SELECT x FROM (VALUES 1, 1, NULL, NULL, NULL, 2) AS t (x) INTERSECT ALL SELECT y FROM (VALUES 1, NULL, NULL, 3) AS u (y);
SELECT x FROM (VALUES 1, 1, NULL, NULL, NULL, 2) AS t (x) EXCEPT ALL SELECT y FROM (VALUES 1, NULL, NULL, 3) AS u (y);
SELECT x FROM (VALUES 1, 1, 2) AS t (x) EXCEPT ALL SELECT y FROM (VALUES 1, 1, 1) AS u (y) WHERE y > 5;
SELECT x FROM (VALUES 1, 1, 2) AS t (x) EXCEPT ALL SELECT x FROM (VALUES 1, 1, 2) AS t (x);
SELECT regionkey FROM nation INTERSECT ALL SELECT regionkey + 0.5 FROM region;
(SELECT regionkey FROM nation UNION ALL SELECT regionkey FROM region) EXCEPT ALL SELECT regionkey FROM region ORDER BY 1;
SELECT * FROM (SELECT regionkey AS k FROM nation EXCEPT ALL SELECT regionkey FROM region) WHERE k > 2;
SELECT regionkey, name FROM nation ORDER BY regionkey FETCH FIRST 1 ROW WITH TIES;
duckdb: SELECT regionkey, name FROM nation WHERE regionkey = 0 ORDER BY regionkey, nationkey;
SELECT count(*), max(r) FROM (SELECT regionkey AS r FROM nation ORDER BY regionkey DESC FETCH FIRST 6 ROWS WITH TIES);
expect: [[10, 4]]
SELECT count(*), min(r) FROM (SELECT regionkey AS r FROM nation ORDER BY regionkey DESC OFFSET 4 ROWS FETCH NEXT 1 ROW WITH TIES);
expect: [[1, 4]]
SELECT count(*), min(r) FROM (SELECT regionkey AS r FROM nation ORDER BY regionkey DESC OFFSET 4 ROWS FETCH NEXT 2 ROWS WITH TIES);
expect: [[6, 3]]
SELECT count(*) FROM (SELECT name FROM nation ORDER BY regionkey, nationkey FETCH FIRST 7 ROWS WITH TIES);
expect: [[7]]
SELECT count(*) FROM (SELECT 1 FROM nation ORDER BY 1 FETCH FIRST 3 ROWS WITH TIES);
expect: [[25]]
SELECT count(*) FROM (SELECT name FROM nation ORDER BY regionkey FETCH FIRST 1000 ROWS WITH TIES);
expect: [[25]]
SELECT x FROM (VALUES 1, NULL, NULL, 2) AS t (x) ORDER BY x NULLS FIRST FETCH FIRST ROW WITH TIES;
expect: [[null], [null]]
SELECT count(*) = (SELECT count(*) FROM lineitem WHERE shipmode = 'AIR') FROM (SELECT 1 FROM lineitem ORDER BY shipmode FETCH FIRST ROW WITH TIES);
duckdb: SELECT true;
SELECT shipmode, returnflag FROM lineitem ORDER BY shipmode, returnflag FETCH FIRST ROW WITH TIES;
duckdb: SELECT shipmode, returnflag FROM lineitem WHERE shipmode = 'AIR' AND returnflag = 'A';
SELECT name FROM nation FETCH FIRST 2 ROWS WITH TIES;
error: MISSING_ORDER_BY line 1:25: FETCH FIRST WITH TIES clause requires ORDER BY
SELECT name FROM nation ORDER BY name FETCH FIRST 0 ROWS WITH TIES;
error: NUMERIC_VALUE_OUT_OF_RANGE line 1:39: FETCH FIRST row count must be positive (actual value: 0)
