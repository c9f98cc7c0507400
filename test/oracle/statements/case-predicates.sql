-- Extended CASE of SQL:2023 (F262): clauses with predicates on the operand, which has one value.
SELECT orderkey, CASE totalprice WHEN > 200000 THEN 'high' WHEN BETWEEN 100000 AND 200000 THEN 'middle' ELSE 'low' END FROM orders WHERE orderkey < 200;
duckdb: SELECT orderkey, CASE WHEN totalprice > 200000 THEN 'high' WHEN totalprice BETWEEN 100000 AND 200000 THEN 'middle' ELSE 'low' END FROM orders WHERE orderkey < 200;
SELECT name, CASE regionkey WHEN 0 THEN 'a' WHEN IN (1, NULL) THEN 'b' WHEN NOT IN (2, 3) THEN 'c' WHEN IS NOT NULL THEN 'd' END FROM nation;
duckdb: SELECT name, CASE WHEN regionkey = 0 THEN 'a' WHEN regionkey IN (1, NULL) THEN 'b' WHEN regionkey NOT IN (2, 3) THEN 'c' WHEN regionkey IS NOT NULL THEN 'd' END FROM nation;
SELECT name, CASE name WHEN LIKE 'A%' THEN 1 WHEN NOT LIKE '%A' THEN 2 WHEN LIKE '%!_%' ESCAPE '!' THEN 3 WHEN <= 'K' THEN 4 END FROM nation;
duckdb: SELECT name, CASE WHEN name LIKE 'A%' THEN 1 WHEN name NOT LIKE '%A' THEN 2 WHEN name LIKE '%!_%' ESCAPE '!' THEN 3 WHEN name <= 'K' THEN 4 END FROM nation;
SELECT nationkey, CASE regionkey WHEN > ALL (SELECT regionkey FROM region WHERE regionkey < 3) THEN 1 WHEN = ANY (SELECT 1) THEN 2 WHEN IN (SELECT n.regionkey FROM nation n WHERE n.nationkey = o.nationkey - 1) THEN 3 ELSE 4 END FROM nation o;
duckdb: SELECT nationkey, CASE WHEN regionkey > 2 THEN 1 WHEN regionkey = 1 THEN 2 WHEN regionkey IN (SELECT n.regionkey FROM nation n WHERE n.nationkey = o.nationkey - 1) THEN 3 ELSE 4 END FROM nation o;
SELECT regionkey, CASE sum(nationkey) WHEN > 60 THEN 'many' WHEN NOT BETWEEN 40 AND 50 THEN 'some' ELSE 'few' END FROM nation GROUP BY regionkey;
duckdb: SELECT regionkey, CASE WHEN sum(nationkey) > 60 THEN 'many' WHEN sum(nationkey) NOT BETWEEN 40 AND 50 THEN 'some' ELSE 'few' END FROM nation GROUP BY regionkey;
SELECT name, CASE regionkey WHEN > 1 THEN CASE nationkey WHEN < 10 THEN 'l' WHEN IS NOT DISTINCT FROM 12 THEN 'm' END ELSE 'n' END FROM nation WHERE CASE nationkey WHEN <> 3 THEN true END;
duckdb: SELECT name, CASE WHEN regionkey > 1 THEN CASE WHEN nationkey < 10 THEN 'l' WHEN nationkey IS NOT DISTINCT FROM 12 THEN 'm' END ELSE 'n' END FROM nation WHERE nationkey <> 3;
SELECT n.name, r.name FROM nation n JOIN region r ON r.regionkey = CASE n.regionkey WHEN IN (SELECT 1) THEN 0 ELSE n.regionkey END;
duckdb: SELECT n.name, r.name FROM nation n JOIN region r ON r.regionkey = CASE WHEN n.regionkey = 1 THEN 0 ELSE n.regionkey END;
SELECT CASE random() WHEN > 0.5e0 THEN 1 WHEN <= 0.5e0 THEN 1 ELSE 2 END, count(*) FROM lineitem GROUP BY 1;
duckdb: SELECT 1, count(*) FROM lineitem;
SELECT CASE random() WHEN > ALL (SELECT 0.5e0) THEN 1 END;
error: NOT_SUPPORTED line 1:22: Subquery in a WHEN clause of a CASE whose operand is not deterministic is not supported
SELECT CASE nationkey WHEN > 'a' THEN 1 END FROM nation;
error: TYPE_MISMATCH line 1:28: Cannot apply operator: bigint > varchar(1)
SELECT CASE WHEN > 1 THEN 1 END;
error: SYNTAX_ERROR line 1:18: mismatched input '>'. Expecting: <expression>
-- Tests of booleans.
SELECT x IS TRUE, x IS NOT TRUE, x IS FALSE, x IS NOT FALSE, x IS NULL FROM (VALUES (true), (false), (CAST(NULL AS boolean))) t (x);
SELECT x IS UNKNOWN, x IS NOT UNKNOWN, CASE x WHEN IS UNKNOWN THEN 'u' WHEN IS NOT FALSE THEN 't' END FROM (VALUES (true), (false), (CAST(NULL AS boolean))) t (x);
duckdb: SELECT x IS NULL, x IS NOT NULL, CASE WHEN x IS NULL THEN 'u' WHEN x THEN 't' END FROM (VALUES (true), (false), (CAST(NULL AS boolean))) t (x);
SELECT name FROM nation WHERE (regionkey > 2) IS NOT TRUE AND NOT (nationkey < 10) IS FALSE;
SELECT 1 IS TRUE;
error: TYPE_MISMATCH line 1:10: Cannot check if integer is distinct from boolean
SELECT true IS x;
error: SYNTAX_ERROR line 1:16: mismatched input 'x'. Expecting: 'DISTINCT', 'FALSE', 'NOT', 'NULL', 'TRUE', 'UNKNOWN'
