-- FULL JOIN with any condition: equalities with more beside them, none at all, and conditions that planning finds to be constant.
SELECT a.x, b.y FROM (VALUES 1, 2, 2, NULL) a(x) FULL JOIN (VALUES 2, 3, NULL) b(y) ON a.x = b.y;
SELECT a.x, b.y FROM (VALUES 1, 2, 2, NULL) a(x) FULL JOIN (VALUES 2, 3, NULL) b(y) ON a.x < b.y;
SELECT a.x, b.y FROM (VALUES 1, 2, 2, NULL) a(x) FULL JOIN (VALUES 2, 3, NULL) b(y) ON a.x = b.y AND a.x > 1 AND b.y < 9;
SELECT a.x, b.y FROM (VALUES 1, 2, 2, NULL) a(x) FULL JOIN (VALUES 2, 3, NULL) b(y) ON a.x = b.y AND a.x > 2;
SELECT a.x, b.y FROM (VALUES 1, 2, 2, NULL) a(x) FULL JOIN (VALUES 2, 3, NULL) b(y) ON a.x = b.y OR a.x + 2 = b.y;
SELECT a.x, b.y FROM (VALUES 1, 2, 2, NULL) a(x) FULL JOIN (VALUES 2, 3, NULL) b(y) ON a.x IS NOT DISTINCT FROM b.y;
SELECT a.x, b.y FROM (VALUES 1, 2, 2, NULL) a(x) FULL JOIN (VALUES 2, 3, NULL) b(y) ON true;
SELECT a.x, b.y FROM (VALUES 1, 2, 2, NULL) a(x) FULL JOIN (VALUES 2, 3, NULL) b(y) ON false;
SELECT a.x, b.y FROM (VALUES 1, 2, 2, NULL) a(x) FULL JOIN (VALUES 2, 3, NULL) b(y) ON CAST(NULL AS boolean);
SELECT a.x, b.y FROM (VALUES 1, 2, 2, NULL) a(x) FULL JOIN (VALUES 2, 3, NULL) b(y) ON a.x > 1;
SELECT a.x, b.y FROM (VALUES 1, 2, 2, NULL) a(x) FULL JOIN (VALUES 2, 3, NULL) b(y) ON b.y > 2;
SELECT a.x, b.y FROM (VALUES 1, 2, 2, NULL) a(x) FULL JOIN (VALUES 2, 3, NULL) b(y) ON a.x = b.y AND 1 = 2;
SELECT a.x, b.y FROM (VALUES 1, 2, 2, NULL) a(x) FULL JOIN (SELECT 1 AS y WHERE false) b ON a.x < b.y;
SELECT a.x, b.y FROM (SELECT 1 AS x WHERE false) a FULL JOIN (VALUES 2, 3, NULL) b(y) ON a.x < b.y;
SELECT n.name, m.name FROM nation n FULL JOIN nation m ON n.nationkey < m.regionkey AND n.regionkey = m.regionkey;
SELECT n.name, r.name FROM nation n FULL JOIN region r ON n.nationkey * 3 < r.regionkey;
SELECT count(*), count(n.name), count(r.name) FROM nation n FULL JOIN region r ON n.nationkey <> r.regionkey AND n.name < r.name;
-- A condition above it that no missing row satisfies.
SELECT a.x, b.y FROM (VALUES 1, 2, 2, NULL) a(x) FULL JOIN (VALUES 2, 3, NULL) b(y) ON a.x = b.y WHERE a.x > 0;
SELECT a.x, b.y FROM (VALUES 1, 2, 2, NULL) a(x) FULL JOIN (VALUES 2, 3, NULL) b(y) ON a.x = b.y WHERE b.y > 0;
SELECT a.x, b.y FROM (VALUES 1, 2, 2, NULL) a(x) FULL JOIN (VALUES 2, 3, NULL) b(y) ON a.x < b.y WHERE b.y > 0 AND a.x > 0;
SELECT a.x, b.y FROM (VALUES 1, 2, 2, NULL) a(x) FULL JOIN (VALUES 2, 3, NULL) b(y) ON a.x < b.y WHERE b.y > 0;
SELECT a.x, b.y FROM (VALUES 1, 2, 2, NULL) a(x) FULL JOIN (VALUES 2, 3, NULL) b(y) ON a.x = b.y WHERE coalesce(a.x, b.y) > 1;
SELECT x FROM (VALUES 1, 2, 2, NULL) a(x) FULL JOIN (VALUES 2, 3, NULL) b(x) USING (x) WHERE x > 1;
