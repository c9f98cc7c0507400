-- GROUP BY by what a subquery gives for the row: by its position, in the same words, or in GROUP BY alone.
SELECT (SELECT max(n.name) FROM nation n WHERE n.regionkey = r.regionkey AND n.nationkey < 9) AS x, count(*) FROM region r GROUP BY 1;
SELECT (SELECT max(n.name) FROM nation n WHERE n.regionkey = r.regionkey AND n.nationkey < 9), count(*) FROM region r GROUP BY (SELECT max(n.name) FROM nation n WHERE n.regionkey = r.regionkey AND n.nationkey < 9);
SELECT count(*), min(r.name) FROM region r GROUP BY (SELECT count(*) FROM nation n WHERE n.regionkey = r.regionkey AND n.nationkey < 10);
SELECT (SELECT count(*) FROM nation n WHERE n.regionkey = r.regionkey AND n.nationkey < 10) + 1 AS x, max(r.regionkey) FROM region r GROUP BY 1 HAVING count(*) > 1 ORDER BY x DESC;
SELECT EXISTS (SELECT 1 FROM nation n WHERE n.regionkey = r.regionkey AND n.nationkey < 3) AS e, count(*), sum(r.regionkey) FROM region r GROUP BY 1 ORDER BY 1;
SELECT n.regionkey IN (SELECT r.regionkey FROM region r WHERE r.regionkey > 2), count(*) FROM nation n GROUP BY 1;
SELECT (SELECT max(regionkey) FROM region) AS m, (SELECT count(*) FROM region r WHERE r.regionkey < n.regionkey) AS c, count(DISTINCT n.name), (SELECT min(regionkey) FROM region) FROM nation n GROUP BY 1, 2;
SELECT (SELECT r.name FROM region r WHERE r.regionkey = n.regionkey) AS x, n.nationkey % 2 AS y, count(*) FROM nation n GROUP BY 1, ROLLUP (regionkey);
error: EXPRESSION_NOT_AGGREGATE
SELECT (SELECT r.name FROM region r WHERE r.regionkey = n.regionkey) AS x, n.regionkey, count(*) FROM nation n GROUP BY 1, ROLLUP (regionkey);
SELECT o.regionkey, max((SELECT count(*) FROM region r WHERE r.regionkey <= o.regionkey)) FROM nation o GROUP BY o.regionkey, (SELECT avg(i.regionkey) FROM region i WHERE o.regionkey < i.regionkey);
SELECT (SELECT r.name FROM region r WHERE r.regionkey = n.regionkey) AS x FROM nation n GROUP BY n.nationkey % 3;
error: EXPRESSION_NOT_AGGREGATE
