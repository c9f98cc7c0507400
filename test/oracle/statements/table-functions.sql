-- TABLE(sequence(...)): the numbers of DuckDB's range, whose end is not part of it.
SELECT * FROM TABLE(sequence(start => 0, stop => 5));
duckdb: SELECT * FROM range(0, 6);
types: bigint
SELECT sequential_number FROM TABLE(sequence(start => 1000000, stop => -2000000, step => -3)) WHERE sequential_number BETWEEN -20 AND 20;
duckdb: SELECT range FROM range(1000000, -2000001, -3) WHERE range BETWEEN -20 AND 20;
SELECT count(*), sum(n), min(n), max(n), count(DISTINCT n % 7) FROM TABLE(sequence(1, 3000000)) t(n);
duckdb: SELECT count(*), CAST(sum(range) AS bigint), min(range), max(range), count(DISTINCT range % 7) FROM range(1, 3000001);
SELECT * FROM TABLE(sequence(stop => 4));
duckdb: SELECT * FROM range(0, 5);
SELECT * FROM TABLE(system.builtin.sequence(7, 7, 0));
duckdb: SELECT 7::bigint;
SELECT * FROM TABLE(sequence(7, 7, -10));
duckdb: SELECT 7::bigint;
SELECT * FROM TABLE(sequence(9223372036854775800, 9223372036854775807, 3));
duckdb: SELECT * FROM (VALUES (9223372036854775800), (9223372036854775803), (9223372036854775806)) t(x);
SELECT * FROM TABLE(sequence(-9223372036854775808, 9223372036854775807, 9223372036854775807));
duckdb: SELECT * FROM (VALUES (-9223372036854775808), (-1), (9223372036854775806)) t(x);
SELECT * FROM TABLE(sequence(9223372036854775807, -9223372036854775808, -9223372036854775808));
duckdb: SELECT * FROM (VALUES (9223372036854775807), (-1)) t(x);
SELECT * FROM TABLE(sequence(-9223372036854775808, 9223372036854775807)) WHERE sequential_number IN (4611686018427387905, -4611686018427387907);
duckdb: SELECT * FROM (VALUES (4611686018427387905), (-4611686018427387907)) t(x);
SELECT * FROM TABLE(sequence(9223372036854775807, -9223372036854775808, -1)) WHERE sequential_number < -9223372036854775800 AND sequential_number % 2 = 0 ORDER BY 1;
duckdb: SELECT * FROM (VALUES (-9223372036854775808), (-9223372036854775806), (-9223372036854775804), (-9223372036854775802)) t(x) ORDER BY 1;
SELECT * FROM TABLE(sequence(0, 1000000000000, 7)) WHERE sequential_number > 6999999 AND sequential_number < 7000010;
duckdb: SELECT * FROM (VALUES (7000000), (7000007)) t(x);
SELECT count(*) FROM TABLE(sequence(0, 10, 3)) WHERE sequential_number > 10;
duckdb: SELECT 0::bigint;
SELECT * FROM TABLE(sequence(0, 9223372036854775807)) LIMIT 0;
duckdb: SELECT 1::bigint LIMIT 0;
SELECT 1 FROM TABLE(sequence(0, 9223372036854775807)) LIMIT 3;
duckdb: SELECT 1 FROM range(3);
SELECT n.name, s.sequential_number FROM nation n JOIN TABLE(sequence(3, 11, 4)) s ON n.nationkey = s.sequential_number;
duckdb: SELECT name, nationkey FROM nation WHERE nationkey IN (3, 7, 11);
SELECT a.x, b.x FROM TABLE(sequence(1, 3)) a(x), TABLE(sequence(2, 1, -1)) b(x);
duckdb: SELECT a.range, b.range FROM range(1, 4) a, range(1, 3) b;
SELECT (SELECT max(x) FROM TABLE(sequence(stop => 10 * 10, step => 3)) t(x)), regionkey FROM region WHERE regionkey IN (SELECT * FROM TABLE(sequence(1, 2)));
duckdb: SELECT 99::bigint, regionkey FROM region WHERE regionkey IN (1, 2);
WITH t AS (SELECT * FROM TABLE(sequence(stop => 2))) SELECT * FROM t UNION ALL TABLE t;
duckdb: SELECT * FROM range(3) UNION ALL SELECT * FROM range(3);
SELECT x.* FROM (SELECT * FROM TABLE(sequence(stop => 1)) s) x(n);
duckdb: SELECT * FROM range(2);
SELECT sequential_number FROM TABLE(sequence(stop => 1)) AS t;
duckdb: SELECT * FROM range(2);
SELECT t.sequential_number FROM TABLE(sequence(stop => CAST('1' AS integer))) t;
duckdb: SELECT * FROM range(2);
SELECT * FROM TABLE(sequence(start => DECIMAL '1', stop => 2));
error: TYPE_MISMATCH line 1:39: Cannot cast type decimal(1,0) to bigint
SELECT * FROM TABLE(sequence());
error: MISSING_ARGUMENT line 1:21: Missing argument: STOP
SELECT * FROM TABLE(sequence(10, null));
error: INVALID_FUNCTION_ARGUMENT Stop is null
SELECT * FROM TABLE(sequence(null, 1));
error: INVALID_FUNCTION_ARGUMENT Start is null
SELECT * FROM TABLE(sequence(1, 1, null));
error: INVALID_FUNCTION_ARGUMENT Step is null
SELECT * FROM TABLE(sequence(1, 10, 0));
error: INVALID_FUNCTION_ARGUMENT Step must be positive for sequence [1, 10]
SELECT * FROM TABLE(sequence(10, 1));
error: INVALID_FUNCTION_ARGUMENT Step must be negative for sequence [10, 1]
SELECT * FROM TABLE(sequence(1, 2, 3, 4));
error: INVALID_ARGUMENTS line 1:30: Too many arguments. Expected at most 3 arguments, got 4 arguments
SELECT * FROM TABLE(sequence(begin => 1));
error: INVALID_FUNCTION_ARGUMENT line 1:30: Unexpected argument name: BEGIN
SELECT * FROM TABLE(sequence(1, stop => 2));
error: INVALID_ARGUMENTS line 1:30: All arguments must be passed by name or all must be passed positionally
SELECT * FROM TABLE(sequence(1, (SELECT 2)));
error: EXPRESSION_NOT_CONSTANT line 1:33: Constant expression cannot contain a subquery
SELECT * FROM TABLE(sequence(1, n)) t(n);
error: COLUMN_NOT_FOUND line 1:33: Column 'n' cannot be resolved
SELECT * FROM TABLE(sequence(1, 'x'));
error: TYPE_MISMATCH line 1:33: Cannot cast type varchar(1) to bigint
SELECT * FROM TABLE(tiny.sequence(1, 2));
error: FUNCTION_NOT_FOUND line 1:21: Table function tiny.sequence not registered
SELECT * FROM TABLE(sequence(1, 2)) t(a, b);
error: MISMATCHED_COLUMN_ALIASES line 1:15: Column alias list has 2 entries but table function has 1 proper columns
SELECT * FROM TABLE(sequence(1, 2)) TABLESAMPLE BERNOULLI (10);
error: INVALID_TABLE_FUNCTION_INVOCATION line 1:21: Cannot apply sample to polymorphic table function invocation
SELECT * FROM TABLE(sequence(1, 2) COPARTITION (a));
error: SYNTAX_ERROR line 1:36: mismatched input 'COPARTITION'. Expecting: ')'
-- TABLE(exclude_columns(...)).
SELECT * FROM TABLE(exclude_columns(TABLE(nation), DESCRIPTOR(comment, REGIONKEY)));
duckdb: SELECT nationkey, name FROM nation;
types: bigint, varchar(25)
SELECT * FROM TABLE(exclude_columns(input => TABLE(tpch.tiny.region), columns => DESCRIPTOR("Comment"))) r(k, n) WHERE r.k > 2;
duckdb: SELECT regionkey, name FROM region WHERE regionkey > 2;
SELECT * FROM TABLE(exclude_columns(input => TABLE(SELECT nationkey k, name n, 1, count(*) OVER () FROM nation) t(a, b, c, d), columns => DESCRIPTOR(b, c)));
duckdb: SELECT nationkey, 25 FROM nation;
SELECT * FROM TABLE(exclude_columns(TABLE(SELECT nationkey k, name, 1 FROM nation), DESCRIPTOR(name)));
duckdb: SELECT nationkey, 1 FROM nation;
SELECT * FROM TABLE(exclude_columns(TABLE(VALUES (1, 2, 3)) t(a, a, b), DESCRIPTOR(b)));
duckdb: SELECT 1, 2;
SELECT n FROM TABLE(exclude_columns(TABLE((SELECT 1 AS n, 2 AS m)), DESCRIPTOR(m)));
duckdb: SELECT 1;
WITH w AS (SELECT 1 AS n, 2 AS m) SELECT o.* FROM TABLE(exclude_columns(TABLE(w) AS v, DESCRIPTOR(m))) AS o;
duckdb: SELECT 1;
SELECT * FROM TABLE(exclude_columns(TABLE(nation), DESCRIPTOR(nosuch, name, other)));
error: INVALID_FUNCTION_ARGUMENT Excluded columns: [nosuch, other] not present in the table
SELECT * FROM TABLE(exclude_columns(TABLE(region), DESCRIPTOR(regionkey, name, comment)));
error: INVALID_FUNCTION_ARGUMENT All columns are excluded
SELECT * FROM TABLE(exclude_columns(TABLE(region), DESCRIPTOR(regionkey bigint)));
error: INVALID_FUNCTION_ARGUMENT COLUMNS descriptor contains types
SELECT * FROM TABLE(exclude_columns(TABLE(region), CAST(NULL AS DESCRIPTOR)));
error: INVALID_FUNCTION_ARGUMENT COLUMNS descriptor is null
SELECT * FROM TABLE(exclude_columns(TABLE(region)));
error: MISSING_ARGUMENT line 1:37: Missing argument: COLUMNS
SELECT * FROM TABLE(exclude_columns(TABLE(region), 1));
error: INVALID_FUNCTION_ARGUMENT line 1:52: Invalid argument COLUMNS. Expected descriptor, got expression
SELECT * FROM TABLE(exclude_columns(region, DESCRIPTOR(name)));
error: INVALID_FUNCTION_ARGUMENT line 1:37: Invalid argument INPUT. Expected table, got expression
SELECT * FROM TABLE(exclude_columns(TABLE(region) PARTITION BY name, DESCRIPTOR(name)));
error: INVALID_FUNCTION_ARGUMENT line 1:37: Invalid argument INPUT. Partitioning specified for table argument with row semantics
SELECT * FROM TABLE(exclude_columns(TABLE(region), DESCRIPTOR(name) COPARTITION (region, region)));
error: INVALID_COPARTITIONING line 1:90: Multiple references to table argument: region in COPARTITION clause
SELECT * FROM TABLE(exclude_columns(TABLE(region), DESCRIPTOR(name))) region;
error: DUPLICATE_RANGE_VARIABLE line 1:71: Relation alias: region is a duplicate of input table name: tpch.tiny.region
-- A function of a connector.
SELECT count(*), sum(custkey) FROM TABLE(tpch.system.scaled('orders', 0.01));
duckdb: SELECT count(*), CAST(sum(custkey) AS bigint) FROM orders;
SELECT n.name, s.name FROM TABLE(system.scaled(table_name => 'region')) s JOIN nation n ON n.regionkey = s.regionkey;
duckdb: SELECT n.name, r.name FROM region r JOIN nation n USING (regionkey);
SELECT * FROM TABLE(system.scaled('nosuch', 1));
error: INVALID_FUNCTION_ARGUMENT Unknown table: nosuch
SELECT * FROM TABLE(system.scaled('orders', -1e0));
error: INVALID_FUNCTION_ARGUMENT Scale is out of range
SELECT * FROM TABLE(system.scaled('orders', null));
error: INVALID_FUNCTION_ARGUMENT Scale is null
