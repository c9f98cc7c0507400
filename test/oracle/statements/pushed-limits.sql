-- LIMIT and TopN above outer joins, semi-joins and unions: a part of them runs below
SELECT n.name, r.name FROM nation n LEFT JOIN region r ON n.regionkey = r.regionkey AND r.name > 'AS' ORDER BY n.name LIMIT 7;
SELECT n.name, o.orderkey FROM nation n LEFT JOIN orders o ON n.nationkey = o.custkey ORDER BY n.nationkey DESC, o.orderkey LIMIT 12;
SELECT r.name, n.name FROM nation n RIGHT JOIN region r ON n.regionkey = r.regionkey AND n.nationkey > 20 ORDER BY r.name, n.name LIMIT 4;
SELECT k, count(*) FROM (SELECT c.custkey k FROM customer c LEFT JOIN orders o ON c.custkey = o.custkey ORDER BY c.custkey LIMIT 20) GROUP BY k ORDER BY k;
SELECT count(*), count(k), count(o) FROM (SELECT c.custkey k, o.orderkey o FROM customer c LEFT JOIN orders o ON c.custkey = o.custkey AND o.orderkey < 0 LIMIT 20);
expect: [[20, 20, 0]]
SELECT count(*) FROM (SELECT o.orderkey FROM orders o RIGHT JOIN region r ON o.custkey = r.regionkey LIMIT 3);
expect: [[3]]
SELECT count(*) FROM (SELECT n.name FROM nation n LEFT JOIN region r ON n.regionkey < r.regionkey LIMIT 1000);
expect: [[55]]
SELECT n.regionkey, r.name FROM nation n LEFT JOIN region r ON n.regionkey = r.regionkey ORDER BY n.regionkey FETCH FIRST 1 ROW WITH TIES;
expect: [[0, "AFRICA"], [0, "AFRICA"], [0, "AFRICA"], [0, "AFRICA"], [0, "AFRICA"]]
SELECT name, regionkey IN (SELECT regionkey FROM region WHERE name < 'B') FROM nation ORDER BY name LIMIT 5;
SELECT name FROM (SELECT name FROM nation UNION ALL SELECT name FROM region) ORDER BY name DESC LIMIT 6;
SELECT a, b FROM (SELECT name a, nationkey b FROM nation UNION ALL SELECT name, regionkey FROM region UNION ALL SELECT name, custkey FROM customer) ORDER BY b, a OFFSET 3 LIMIT 9;
SELECT a, a AS again FROM (SELECT regionkey a, regionkey b FROM nation UNION ALL SELECT regionkey, 3 FROM region) ORDER BY b DESC, a FETCH FIRST 2 ROWS WITH TIES;
expect: [[4, 4], [4, 4], [4, 4], [4, 4], [4, 4]]
