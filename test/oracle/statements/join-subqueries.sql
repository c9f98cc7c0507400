-- Subqueries in the condition of an outer join: over one of its sides, or over none.
SELECT r.name, n.name FROM region r LEFT JOIN nation n ON n.regionkey = r.regionkey AND n.nationkey > (SELECT avg(m.nationkey) FROM nation m);
SELECT r.name, n.name FROM region r LEFT JOIN nation n ON n.regionkey = r.regionkey AND r.regionkey > (SELECT min(m.regionkey) + 1 FROM nation m);
duckdb: SELECT r.name, n.name FROM region r LEFT JOIN nation n ON n.regionkey = r.regionkey AND r.regionkey > 1;
SELECT r.name, n.name FROM region r LEFT JOIN nation n ON n.regionkey = r.regionkey AND n.nationkey IN (SELECT m.regionkey * 5 FROM nation m);
SELECT r.name, n.name FROM region r LEFT JOIN nation n ON n.regionkey = r.regionkey AND r.regionkey IN (SELECT m.nationkey FROM nation m WHERE m.name < 'C');
duckdb: SELECT r.name, n.name FROM region r LEFT JOIN nation n ON n.regionkey = r.regionkey AND r.regionkey IN (0, 1, 2);
SELECT r.name, n.name FROM region r LEFT JOIN nation n ON n.regionkey = r.regionkey AND r.regionkey NOT IN (SELECT nullif(m.regionkey, 1) FROM nation m WHERE m.regionkey < 2) AND n.nationkey > r.regionkey;
duckdb: SELECT r.name, NULL FROM region r;
SELECT r.name, n.name FROM region r LEFT JOIN nation n ON n.regionkey = r.regionkey AND EXISTS (SELECT 1 FROM nation m WHERE m.regionkey = n.regionkey AND m.nationkey < n.nationkey - 12);
SELECT r.name, n.name FROM region r LEFT JOIN nation n ON n.regionkey = r.regionkey AND n.nationkey > (SELECT avg(m.nationkey) FROM nation m WHERE m.regionkey = r.regionkey);
SELECT r.name, n.name FROM nation n RIGHT JOIN region r ON n.regionkey = r.regionkey AND n.nationkey > (SELECT avg(m.nationkey) FROM nation m WHERE m.regionkey = r.regionkey);
SELECT r.name, n.name FROM region r LEFT JOIN nation n ON n.regionkey = r.regionkey AND (EXISTS (SELECT 1 FROM nation m WHERE m.nationkey > 99) OR r.name < (SELECT max(m.name) FROM nation m WHERE m.nationkey < r.regionkey));
duckdb: SELECT r.name, n.name FROM (SELECT *, (SELECT max(m.name) FROM nation m WHERE m.nationkey < r.regionkey) AS most FROM region r) r LEFT JOIN nation n ON n.regionkey = r.regionkey AND r.name < r.most;
SELECT r.name, n.name FROM region r LEFT JOIN nation n ON n.regionkey = r.regionkey AND n.nationkey < ALL (SELECT m.nationkey FROM nation m WHERE m.name > 'P');
SELECT n.name, m.name FROM nation n FULL JOIN nation m ON n.nationkey = m.regionkey AND m.nationkey > (SELECT avg(k.nationkey) FROM nation k);
duckdb: SELECT n.name, m.name FROM nation n FULL JOIN nation m ON n.nationkey = m.regionkey AND m.nationkey > 12;
SELECT n.name, m.name FROM nation n FULL JOIN nation m ON n.nationkey = m.regionkey AND n.name IN (SELECT k.name FROM nation k WHERE k.regionkey = 1);
duckdb: SELECT n.name, m.name FROM (SELECT *, regionkey = 1 AS kept FROM nation) n FULL JOIN nation m ON n.nationkey = m.regionkey AND n.kept;
SELECT count(*) FROM nation n LEFT JOIN region r ON (SELECT count(*) FROM region) = 5;
duckdb: SELECT 125;
SELECT count(*), count(r.name) FROM nation n LEFT JOIN region r ON (SELECT count(*) FROM region) = 6;
duckdb: SELECT 25, 0;
SELECT r.name FROM region r LEFT JOIN nation n ON n.regionkey = r.regionkey AND n.name = (SELECT m.name FROM nation m);
error: SUBQUERY_MULTIPLE_ROWS Scalar sub-query has returned multiple rows
SELECT r.name FROM region r LEFT JOIN nation n ON n.regionkey = r.regionkey AND EXISTS (SELECT 1 FROM nation m WHERE m.regionkey = n.regionkey AND m.nationkey > r.regionkey);
error: NOT_SUPPORTED line 1:63: Subqueries over both sides in the condition of an outer join are not supported
