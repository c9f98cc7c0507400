-- A row-typed expression is a row of VALUES; rows may hold subqueries.
VALUES ROW(1, 'a'), CAST(ROW(2, 'b') AS ROW(x bigint, y varchar));
expect: [[1, "a"], [2, "b"]]
types: bigint, varchar
VALUES CAST(ROW(2, 'b') AS ROW(x bigint, y varchar)), CAST(NULL AS ROW(x bigint, y varchar)), (3, 'c');
expect: [[2, "b"], [null, null], [3, "c"]]
VALUES ROW(ROW(1, 2));
expect: [[[1, 2]]]
VALUES (CAST(ROW(1, 2) AS ROW(a integer, b integer)));
expect: [[1, 2]]
VALUES CAST(ROW(1) AS ROW(a integer)), 2;
expect: [[1], [2]]
VALUES (SELECT 5), 6, (SELECT max(regionkey) FROM region);
expect: [[5], [6], [4]]
VALUES (SELECT ROW(1, 2)), (3, 4), (SELECT regionkey, nationkey FROM nation WHERE name = 'FRANCE'), (SELECT regionkey, nationkey FROM nation WHERE name = '');
expect: [[1, 2], [3, 4], [3, 6], [null, null]]
SELECT a + b FROM (VALUES (SELECT regionkey, nationkey FROM nation WHERE name = 'FRANCE'), (3, 4)) t(a, b);
expect: [[9], [7]]
SELECT r.name, (SELECT sum(x * y) FROM (VALUES (1, r.regionkey), ((SELECT count(*) FROM nation n WHERE n.regionkey < r.regionkey), 3), (r.regionkey, (SELECT max(n.nationkey) FROM nation n WHERE n.regionkey = r.regionkey))) t(x, y)) FROM region r;
SELECT r.name, (SELECT sum(x * y) FROM (VALUES (1, r.regionkey), ((SELECT count(*) FROM nation n WHERE n.regionkey < r.regionkey), 3), (r.regionkey, (SELECT max(n.nationkey) FROM nation n WHERE n.regionkey = r.regionkey))) t(x, y)) FROM (SELECT * FROM region ORDER BY name LIMIT 3) r;
SELECT name FROM nation n WHERE nationkey IN (VALUES 1, (SELECT max(regionkey) FROM region), n.regionkey * 2);
duckdb: SELECT name FROM nation n WHERE nationkey IN (VALUES (1), ((SELECT max(regionkey) FROM region)), (n.regionkey * 2));
VALUES (1, 2), 3;
error: TYPE_MISMATCH line 1:1: Values rows have mismatched sizes: 2 vs 1
VALUES CAST(ROW(1, 2) AS ROW(a integer, b integer)), (1, 2, 3);
error: TYPE_MISMATCH
VALUES CAST(ROW(1, 2) AS ROW(a integer, b integer)), (1, 'x');
error: TYPE_MISMATCH
