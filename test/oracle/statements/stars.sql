-- Stars: of a relation, of a row, with names of their own.
SELECT n.* AS (a, b, c, d) FROM nation n WHERE n.nationkey = 3;
expect: [[3, "CANADA", 1, "eas hang ironic, silent packages. slyly regular packages are furiously over the tithes. fluffily bold"]]
SELECT a FROM (SELECT r.* AS (a, b, c) FROM region r) WHERE b = 'ASIA';
expect: [[2]]
SELECT r.* AS (a, b) FROM region r;
error: MISMATCHED_COLUMN_ALIASES line 1:16: Column alias list has 2 entries but relation has 3 columns
SELECT CAST(ROW(1, 'x') AS row(a integer, b varchar)).*;
expect: [[1, "x"]]
SELECT t.p.* FROM (SELECT CAST(ROW(nationkey, name) AS row(k bigint, n varchar)) AS p FROM nation WHERE nationkey < 2) t;
expect: [[0, "ALGERIA"], [1, "ARGENTINA"]]
SELECT p.*, k + 1 FROM (SELECT CAST(ROW(7, 'x') AS row(k integer, n varchar)) AS p, 5 AS k);
expect: [[7, "x", 6]]
SELECT x FROM (SELECT p.* AS (x, y) FROM (SELECT ROW(nationkey, name) AS p FROM nation) t) WHERE y = 'CHINA';
expect: [[18]]
SELECT p.*, count(*) FROM (SELECT ROW(regionkey, regionkey + 1) AS p FROM nation) t GROUP BY 1, 2 ORDER BY 1;
expect: [[0, 1, 5], [1, 2, 5], [2, 3, 5], [3, 4, 5], [4, 5, 5]]
SELECT (SELECT ROW(min(regionkey), max(name)) FROM region).*;
expect: [[0, "MIDDLE EAST"]]
SELECT ROW(NULL, 2).*;
expect: [[null, 2]]
SELECT name.* FROM nation;
error: TABLE_NOT_FOUND line 1:8: Unable to resolve reference name
SELECT nothing.* FROM nation;
error: TABLE_NOT_FOUND line 1:8: Unable to resolve reference nothing
SELECT a.b.c.d.* FROM nation;
error: TABLE_NOT_FOUND line 1:8: Unable to resolve reference a.b.c.d
SELECT (1 + 2).* FROM nation;
error: TYPE_MISMATCH line 1:8: expected expression of type Row
-- Of a relation of the enclosing query
SELECT x, (SELECT o.* FROM (VALUES 1)) FROM (VALUES 2, 3) o(x) ORDER BY 1;
expect: [[2, 2], [3, 3]]
SELECT x FROM (VALUES 1, 2, 3) o(x) WHERE EXISTS (SELECT o.*, y FROM (VALUES 2, 3) i(y) WHERE y = x) ORDER BY 1;
expect: [[2], [3]]
SELECT r.name, t.n FROM region r CROSS JOIN LATERAL (SELECT r.* AS (k, n, c)) t WHERE t.k > 3;
expect: [["MIDDLE EAST", "MIDDLE EAST"]]
SELECT (SELECT o.* FROM (VALUES 1) i) FROM (VALUES 2) o;
error: NOT_SUPPORTED line 1:9: SELECT * from outer scope table not supported with anonymous columns
