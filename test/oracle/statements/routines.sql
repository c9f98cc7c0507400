-- Trino's examples of functions that are one expression.
WITH FUNCTION answer() RETURNS BIGINT RETURN 42 SELECT 'The answer is ' || CAST(answer() AS varchar);
expect: [["The answer is 42"]]
WITH FUNCTION answer() RETURNS BIGINT LANGUAGE SQL DETERMINISTIC COMMENT 'Provide the answer' RETURN 42 SELECT answer();
expect: [[42]]
types: bigint
WITH FUNCTION hello(fullname VARCHAR) RETURNS VARCHAR RETURN 'Hello, ' || fullname || '!' SELECT hello('Jane Doe');
expect: [["Hello, Jane Doe!"]]
types: varchar
WITH FUNCTION strtrunc(input VARCHAR) RETURNS VARCHAR RETURN CASE WHEN length(input) > 60 THEN substr(input, 1, 30) || ' ... ' || substr(input, length(input) - 25) ELSE input END SELECT max(length(strtrunc(comment))), count_if(strtrunc(comment) LIKE '% ... %') FROM supplier;
duckdb: SELECT max(length(s)), count_if(s LIKE '% ... %') FROM (SELECT CASE WHEN length(comment) > 60 THEN substr(comment, 1, 30) || ' ... ' || substr(comment, length(comment) - 25) ELSE comment END s FROM supplier);
WITH FUNCTION my_func(x bigint) RETURNS bigint RETURN x * 2 SELECT my_func(nationkey) FROM nation WHERE nationkey >= 1;
duckdb: SELECT nationkey * 2 FROM nation WHERE nationkey >= 1;
WITH FUNCTION abc(x integer) RETURNS integer RETURN abs(x) SELECT abc(-21);
expect: [[21]]
WITH FUNCTION abc(x integer) RETURNS integer RETURN x * 2, FUNCTION xyz(x integer) RETURNS integer RETURN abc(x) + 1 SELECT xyz(21);
expect: [[43]]
WITH FUNCTION get(input row(varchar)) RETURNS varchar RETURN input[1] SELECT get(ROW('abc'));
expect: [["abc"]]
-- A function takes the place of one of the engine, for the arguments that it takes.
WITH FUNCTION abs(x integer) RETURNS integer RETURN x * 2 SELECT abs(-10);
expect: [[-20]]
WITH FUNCTION abs(x integer) RETURNS integer RETURN x * 2, FUNCTION wrap_abs(x integer) RETURNS integer RETURN abs(x) SELECT wrap_abs(-10);
expect: [[-20]]
WITH FUNCTION abs(x varchar) RETURNS varchar RETURN reverse(x) SELECT abs('abc'), abs(-10), abs(-1.5e0);
expect: [["cba", 10, 1.5]]
-- Overloads: the parameters that fit best, then the first.
WITH FUNCTION f(x bigint) RETURNS varchar RETURN 'bigint', FUNCTION f(x double) RETURNS varchar RETURN 'double', FUNCTION f(x varchar) RETURNS varchar RETURN 'varchar' SELECT f(1), f(BIGINT '1'), f(REAL '1'), f(1.5), f('a'), f(tinyint '1');
expect: [["bigint", "bigint", "double", "double", "varchar", "bigint"]]
WITH FUNCTION f(x bigint) RETURNS bigint RETURN x, FUNCTION f(x bigint, y bigint) RETURNS bigint RETURN x + y SELECT f(1), f(1, 2);
expect: [[1, 3]]
WITH FUNCTION f(x bigint, y double) RETURNS bigint BEGIN RETURN 1; END, FUNCTION f(x double, y bigint) RETURNS bigint BEGIN RETURN 2; END SELECT f(BIGINT '1', NULL), f(NULL, BIGINT '1'), f(1e0, 1), f(1, 1e0);
expect: [[1, 2, 2, 1]]
WITH FUNCTION f(x bigint, y double) RETURNS bigint BEGIN RETURN 1; END, FUNCTION f(x double, y bigint) RETURNS bigint BEGIN RETURN 2; END SELECT f(1, 1);
error: AMBIGUOUS_FUNCTION_CALL
WITH FUNCTION f(x varchar) RETURNS bigint BEGIN RETURN 1; END, FUNCTION f(x bigint) RETURNS bigint BEGIN RETURN 2; END SELECT f(NULL);
error: AMBIGUOUS_FUNCTION_CALL
WITH FUNCTION f(x varchar) RETURNS bigint BEGIN RETURN 1; END, FUNCTION f(x varchar(5)) RETURNS bigint BEGIN RETURN 2; END SELECT f('abc'), f('abcdef'), f(CAST('a' AS varchar(5))), f(CAST('a' AS varchar));
expect: [[2, 1, 2, 1]]
-- What other kinds of functions have.
WITH FUNCTION f(x bigint) RETURNS bigint RETURN x SELECT f(1) OVER ();
error: FUNCTION_NOT_WINDOW line 1:58: Not a window function: f
WITH FUNCTION f(x bigint) RETURNS bigint RETURN x SELECT f(DISTINCT 1);
error: FUNCTION_NOT_AGGREGATE line 1:58: DISTINCT is not supported for non-aggregation functions
WITH FUNCTION f(x bigint) RETURNS bigint RETURN x SELECT f(1) FILTER (WHERE true);
error: FUNCTION_NOT_AGGREGATE line 1:58: Filter is only valid for aggregation functions
WITH FUNCTION f(x bigint) RETURNS bigint RETURN x SELECT f(1 ORDER BY 1);
error: FUNCTION_NOT_AGGREGATE line 1:58: ORDER BY is only valid for aggregation functions
WITH FUNCTION f(x bigint) RETURNS bigint RETURN x SELECT f(1) RESPECT NULLS;
error: NULL_TREATMENT_NOT_ALLOWED line 1:58: Cannot specify null treatment clause for f function
WITH FUNCTION f(x bigint, y bigint) RETURNS bigint RETURN x SELECT f('a', y -> y);
error: FUNCTION_NOT_FOUND
WITH FUNCTION f(x bigint) RETURNS bigint RETURN x SELECT f(*);
error: FUNCTION_NOT_FOUND
-- Arguments of table functions.
WITH FUNCTION f(x bigint) RETURNS bigint BEGIN RETURN x + 1; END SELECT * FROM TABLE(sequence(start => f(1), stop => f(3)));
expect: [[2], [3], [4]]
WITH FUNCTION f(x bigint) RETURNS bigint BEGIN RETURN x + nosuch; END SELECT * FROM TABLE(sequence(start => f(1), stop => f(3)));
error: COLUMN_NOT_FOUND line 1:59: Column 'nosuch' cannot be resolved
-- Arguments and results become what they are declared to be.
WITH FUNCTION f(x row(a bigint, b varchar)) RETURNS bigint BEGIN RETURN x.a; END SELECT f(ROW(1, 'a')), f((2, 'a')), f(CAST(ROW(3, 'x') AS row(c bigint, d varchar)));
expect: [[1, 2, 3]]
WITH FUNCTION f(x array(row(a bigint, b varchar))) RETURNS row(c bigint, d varchar) BEGIN DECLARE r row(p integer, q varchar(3)) DEFAULT ROW(7, 'abc'); SET x = x || ARRAY[r]; RETURN x[2]; END SELECT f(ARRAY[ROW(1, 'a')]).d;
expect: [["abc"]]
WITH FUNCTION f(m map(varchar, row(a bigint, b varchar))) RETURNS row(c bigint, d varchar) RETURN m['k'] SELECT f(MAP(ARRAY['k'], ARRAY[ROW(1, 'a')])).c;
expect: [[1]]
WITH FUNCTION f(x row(a bigint, b varchar)) RETURNS bigint RETURN x.a SELECT f(ROW(1, 2));
error: FUNCTION_NOT_FOUND
WITH FUNCTION f(x row(a bigint, b varchar)) RETURNS bigint RETURN x.a SELECT f(ROW(1, 'a', 2));
error: FUNCTION_NOT_FOUND
WITH FUNCTION f(x double) RETURNS double RETURN x / 2 SELECT f(1), f(REAL '3'), f(1.5);
expect: [[0.5, 1.5, 0.75]]
types: double, double, double
WITH FUNCTION f(x smallint) RETURNS bigint RETURN x SELECT f(TINYINT '1');
expect: [[1]]
types: bigint
WITH FUNCTION f(x varchar(2)) RETURNS varchar(2) RETURN x SELECT f('ab');
expect: [["ab"]]
types: varchar(2)
WITH FUNCTION f() RETURNS varchar(10) RETURN 'test' SELECT f();
expect: [["test"]]
types: varchar(10)
WITH FUNCTION f(d date) RETURNS timestamp RETURN d SELECT f(DATE '2020-02-03');
expect: [["2020-02-03 00:00:00.000"]]
WITH FUNCTION f(x array(bigint)) RETURNS bigint RETURN reduce(x, BIGINT '0', (s, e) -> s + e, s -> s) SELECT f(ARRAY[1, 2, 3]), f(ARRAY[]), f(NULL);
expect: [[6, 0, null]]
WITH FUNCTION f(m map(varchar, integer)) RETURNS integer RETURN m['a'] + 1 SELECT f(MAP(ARRAY['a'], ARRAY[5]));
expect: [[6]]
-- NULL: the body is asked, unless the function says otherwise.
WITH FUNCTION f(x bigint) RETURNS bigint RETURN coalesce(x, 7) SELECT f(NULL), f(1);
expect: [[7, 1]]
WITH FUNCTION f(x bigint) RETURNS bigint CALLED ON NULL INPUT RETURN coalesce(x, 7) SELECT f(NULL), f(1);
expect: [[7, 1]]
WITH FUNCTION f(x bigint, y bigint) RETURNS bigint RETURNS NULL ON NULL INPUT RETURN coalesce(x, 7) SELECT f(NULL, 1), f(1, NULL), f(1, 2);
expect: [[null, null, 1]]
WITH FUNCTION f(x bigint) RETURNS bigint RETURNS NULL ON NULL INPUT RETURN coalesce(x, 7) SELECT f(nullif(regionkey * 2, 4)) FROM region;
expect: [[0], [2], [null], [6], [8]]
WITH FUNCTION f() RETURNS varchar RETURN NULL SELECT f();
expect: [[null]]
-- An argument is computed once, whatever the body does with it, and its error is an error.
WITH FUNCTION same(x double) RETURNS boolean RETURN x = x AND x <= x SELECT count_if(same(random())) FROM region;
expect: [[5]]
WITH FUNCTION five(x bigint) RETURNS bigint RETURN 5 SELECT five(1 / (regionkey - 2)) FROM region;
error: DIVISION_BY_ZERO Division by zero
WITH FUNCTION five(x bigint) RETURNS bigint RETURN 5 SELECT TRY(five(1 / (regionkey - 2))) FROM region;
expect: [[5], [5], [null], [5], [5]]
WITH FUNCTION pick(c boolean, a bigint, b bigint) RETURNS bigint RETURN IF(c, a, b) SELECT pick(regionkey > 2, regionkey, 10 / regionkey) FROM region WHERE regionkey > 0;
expect: [[10], [5], [3], [4]]
WITH FUNCTION inverse(x bigint) RETURNS bigint RETURN 12 / x SELECT inverse(regionkey) FROM region;
error: DIVISION_BY_ZERO Division by zero
WITH FUNCTION inverse(x bigint) RETURNS bigint RETURN TRY(12 / x) SELECT inverse(regionkey), inverse(regionkey * 2) FROM region;
expect: [[null, null], [12, 6], [6, 3], [4, 2], [3, 1]]
-- Everywhere an expression may stand, distributed.
WITH FUNCTION bucket(x bigint) RETURNS bigint RETURN x % 3 SELECT bucket(custkey), count(*), sum(bucket(custkey + 1)) FROM orders GROUP BY bucket(custkey) HAVING bucket(count(*)) >= 0 ORDER BY bucket(custkey);
duckdb: SELECT custkey % 3, count(*), CAST(sum((custkey + 1) % 3) AS bigint) FROM orders GROUP BY 1 ORDER BY 1;
WITH FUNCTION twice(x bigint) RETURNS bigint RETURN 2 * x SELECT count(*) FROM customer c JOIN orders o ON twice(c.custkey) = o.custkey WHERE twice(o.orderkey) > 100;
duckdb: SELECT count(*) FROM customer c JOIN orders o ON 2 * c.custkey = o.custkey WHERE 2 * o.orderkey > 100;
WITH FUNCTION price(p double, d double) RETURNS double RETURN p * (1 - d) SELECT round(sum(price(extendedprice + 1, discount * 2)), 2) FROM lineitem;
duckdb: SELECT round(sum((extendedprice + 1) * (1 - discount * 2)), 2) FROM lineitem;
WITH FUNCTION price(p double, d double) RETURNS double RETURN p * (1 - d) SELECT shipmode, max(price(extendedprice, discount)) FROM lineitem GROUP BY shipmode;
duckdb: SELECT shipmode, max(extendedprice * (1 - discount)) FROM lineitem GROUP BY shipmode;
WITH FUNCTION f(x bigint) RETURNS bigint RETURN x + 1 SELECT (SELECT f(max(regionkey)) FROM region r WHERE r.regionkey = f(n.regionkey)) FROM nation n WHERE f(nationkey) < 4;
duckdb: SELECT (SELECT max(regionkey) + 1 FROM region r WHERE r.regionkey = n.regionkey + 1) FROM nation n WHERE nationkey < 3;
WITH FUNCTION f(x bigint) RETURNS bigint RETURN x + 1 SELECT transform(ARRAY[1, 2, 3], x -> f(x * 2));
expect: [[[3, 5, 7]]]
WITH FUNCTION f(x bigint) RETURNS bigint RETURN x * x SELECT sum(f(nationkey)) OVER (PARTITION BY regionkey ORDER BY nationkey) FROM nation;
duckdb: SELECT CAST(sum(nationkey * nationkey) OVER (PARTITION BY regionkey ORDER BY nationkey * nationkey) AS bigint) FROM nation;
WITH FUNCTION f(x bigint) RETURNS bigint RETURN x + 1 WITH t AS (SELECT f(regionkey) AS a FROM region) SELECT sum(f(a)) FROM t;
expect: [[20]]
WITH FUNCTION f(x bigint) RETURNS bigint RETURN x + 1 VALUES f(1), f(2);
expect: [[2], [3]]
WITH FUNCTION f() RETURNS integer RETURN 3 SELECT regionkey FROM region ORDER BY regionkey LIMIT f();
expect: [[0], [1], [2]]
WITH SESSION query_max_stage_count = 50 WITH FUNCTION f() RETURNS integer RETURN 3 SELECT f();
expect: [[3]]
EXECUTE IMMEDIATE 'WITH FUNCTION f(x bigint) RETURNS bigint RETURN x + ? SELECT f(?)' USING 5, 7;
expect: [[12]]
WITH FUNCTION f() RETURNS date RETURN current_date SELECT f() = current_date;
expect: [[true]]
WITH FUNCTION f() RETURNS double NOT DETERMINISTIC RETURN 42 * random() SELECT f() < 42, f() = f();
expect: [[true, false]]
-- The words of routines are names.
SELECT function, returns, begin, declare, loop, while, do, repeat, until, leave, iterate, elseif, return, language, deterministic, called FROM (VALUES (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)) AS t (function, returns, begin, declare, loop, while, do, repeat, until, leave, iterate, elseif, return, language, deterministic, called);
expect: [[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]]
WITH function AS (SELECT 1 AS return) SELECT return FROM function;
expect: [[1]]
WITH function (input) AS (SELECT 1) SELECT input FROM function;
expect: [[1]]
WITH FUNCTION function(function bigint) RETURNS bigint RETURN function SELECT function(1);
expect: [[1]]
-- What is wrong with a function is said where it is declared, used or not.
WITH FUNCTION a.b() RETURNS int RETURN 42 SELECT a.b();
error: SYNTAX_ERROR line 1:6: Inline function names cannot be qualified: a.b
WITH FUNCTION x() RETURNS int SECURITY INVOKER RETURN 42 SELECT x();
error: NOT_SUPPORTED line 1:31: Security mode not supported for inline functions
WITH FUNCTION x() RETURNS bigint SECURITY DEFINER RETURN 42 SELECT x();
error: NOT_SUPPORTED line 1:34: Security mode not supported for inline functions
WITH function x() RETURNS bigint DETERMINISTIC DETERMINISTIC RETURN 42 SELECT x();
error: SYNTAX_ERROR line 1:6: Multiple deterministic clauses specified
WITH FUNCTION a(x integer) RETURNS integer RETURN b(x), FUNCTION b(x integer) RETURNS integer RETURN x * 2 SELECT a(10);
error: FUNCTION_NOT_FOUND line 1:51: Function 'b' not registered
WITH FUNCTION a(x integer) RETURNS integer RETURN a(x) SELECT a(10);
error: NOT_SUPPORTED line 1:6: Recursive language functions are not supported: a(integer):integer
WITH FUNCTION test(x) RETURNS int RETURN 123 SELECT 1;
error: INVALID_ARGUMENTS line 1:20: Function parameters must have a name
WITH FUNCTION test(x int, y int, x bigint) RETURNS int RETURN 123 SELECT 1;
error: INVALID_ARGUMENTS line 1:34: Duplicate function parameter name: x
WITH FUNCTION test() RETURNS int CALLED ON NULL INPUT CALLED ON NULL INPUT RETURN 123 SELECT 1;
error: SYNTAX_ERROR line 1:6: Multiple null-call clauses specified
WITH FUNCTION test() RETURNS int RETURNS NULL ON NULL INPUT CALLED ON NULL INPUT RETURN 123 SELECT 1;
error: SYNTAX_ERROR line 1:6: Multiple null-call clauses specified
WITH FUNCTION test() RETURNS int COMMENT 'abc' COMMENT 'xyz' RETURN 123 SELECT 1;
error: SYNTAX_ERROR line 1:6: Multiple comment clauses specified
WITH FUNCTION test() RETURNS int LANGUAGE abc LANGUAGE xyz RETURN 123 SELECT 1;
error: SYNTAX_ERROR line 1:6: Multiple language clauses specified
WITH FUNCTION test() RETURNS bigint LANGUAGE JAVASCRIPT RETURN abs(-42) SELECT 1;
error: NOT_SUPPORTED line 1:46: Unsupported function language: JAVASCRIPT
WITH FUNCTION test(x abc) RETURNS int RETURN 123 SELECT 1;
error: TYPE_MISMATCH line 1:20: Unknown type: abc
WITH FUNCTION test() RETURNS abc RETURN 123 SELECT 1;
error: TYPE_MISMATCH line 1:22: Unknown type: abc
WITH FUNCTION test() RETURNS varchar(2) RETURN 'test' SELECT 1;
error: TYPE_MISMATCH line 1:48: Value of RETURN must evaluate to varchar(2) (actual: varchar(4))
WITH FUNCTION test() RETURNS bigint RETURN random() SELECT 1;
error: TYPE_MISMATCH line 1:44: Value of RETURN must evaluate to bigint (actual: double)
WITH FUNCTION test() RETURNS bigint NOT DETERMINISTIC RETURN abs(-42) SELECT 1;
error: INVALID_ARGUMENTS line 1:6: Deterministic function declared NOT DETERMINISTIC
WITH FUNCTION test() RETURNS double RETURN 42 * random() SELECT 1;
error: INVALID_ARGUMENTS line 1:6: Non-deterministic function declared DETERMINISTIC
WITH FUNCTION test() RETURNS bigint RETURN (SELECT 1) SELECT 1;
error: NOT_SUPPORTED line 1:44: Queries are not allowed in functions
WITH FUNCTION test(x bigint) RETURNS boolean RETURN x IN (SELECT 1) SELECT 1;
error: NOT_SUPPORTED line 1:55: Queries are not allowed in functions
WITH FUNCTION test(x bigint) RETURNS bigint RETURN sum(x) SELECT 1;
error: EXPRESSION_NOT_SCALAR line 1:52: Function cannot contain aggregations, window functions or grouping operations: [sum(x)]
WITH FUNCTION test(x bigint) RETURNS bigint RETURN y SELECT 1 AS y;
error: COLUMN_NOT_FOUND line 1:52: Column 'y' cannot be resolved
WITH FUNCTION f(x bigint) RETURNS bigint RETURN regionkey SELECT f(1) FROM region;
error: COLUMN_NOT_FOUND line 1:49: Column 'regionkey' cannot be resolved
WITH FUNCTION f(x bigint) RETURNS bigint RETURN x SELECT f('a');
error: FUNCTION_NOT_FOUND
WITH FUNCTION f(x bigint) RETURNS bigint RETURN x SELECT f(1, 2);
error: FUNCTION_NOT_FOUND
WITH FUNCTION f(x bigint) RETURNS bigint RETURN x, FUNCTION f(y bigint) RETURNS bigint RETURN y SELECT f(1);
error: ALREADY_EXISTS line 1:52: Function already declared: f(bigint):bigint
WITH FUNCTION "a$b"() RETURNS bigint RETURN 1 SELECT 1;
error: NOT_SUPPORTED line 1:6: Function name cannot contain '@' or '$'
SELECT * FROM (WITH FUNCTION f() RETURNS bigint RETURN 1 SELECT f());
error: SYNTAX_ERROR line 1:30: mismatched input 'f'. Expecting: '(', 'AS'
-- Functions of a catalog.
CREATE SCHEMA memory.routines;
expect: [[true]]
CREATE FUNCTION memory.routines.answer() RETURNS BIGINT RETURN 42;
expect: [[true]]
SELECT memory.routines.answer() + 1, 'The answer is ' || CAST(memory.routines.answer() AS varchar);
expect: [[43, "The answer is 42"]]
CREATE FUNCTION memory.routines.answer() RETURNS BIGINT RETURN 43;
error: ALREADY_EXISTS line 1:1: Function already exists
CREATE OR REPLACE FUNCTION memory.routines.answer() RETURNS BIGINT COMMENT 'More than before' RETURN 43;
expect: [[true]]
CREATE FUNCTION memory.routines.answer(x integer) RETURNS BIGINT SECURITY INVOKER RETURN x + memory.routines.answer();
expect: [[true]]
SELECT memory.routines.answer(), Memory.Routines."ANSWER"(7);
expect: [[43, 50]]
CREATE FUNCTION memory.routines.chance() RETURNS double NOT DETERMINISTIC RETURN random();
expect: [[true]]
SHOW FUNCTIONS FROM memory.routines;
expect: [["answer", "bigint", "", "scalar", true, "More than before"], ["answer", "bigint", "integer", "scalar", true, ""], ["chance", "double", "", "scalar", false, ""]]
SHOW FUNCTIONS IN memory.routines LIKE 'ch%';
expect: [["chance", "double", "", "scalar", false, ""]]
SHOW FUNCTIONS FROM memory.nosuch;
error: SCHEMA_NOT_FOUND line 1:1: Schema 'memory.nosuch' does not exist
SHOW CREATE FUNCTION memory.routines.answer;
expect: [["CREATE FUNCTION memory.routines.answer()\nRETURNS bigint\nCOMMENT 'More than before'\nRETURN 43"], ["CREATE FUNCTION memory.routines.answer(x integer)\nRETURNS bigint\nSECURITY INVOKER\nRETURN (x + memory.routines.answer())"]]
SHOW CREATE FUNCTION memory.routines.nosuch;
error: NOT_FOUND line 1:1: Function not found
CREATE VIEW memory.routines.answers AS SELECT regionkey, memory.routines.answer(CAST(regionkey AS integer)) AS answer FROM tpch.tiny.region;
expect: [[true]]
SELECT sum(answer) FROM memory.routines.answers;
expect: [[225]]
CREATE VIEW memory.routines.own AS WITH FUNCTION f(x bigint) RETURNS bigint RETURN x * 10 SELECT f(regionkey) AS r FROM tpch.tiny.region;
expect: [[true]]
WITH FUNCTION f(x bigint) RETURNS bigint RETURN x SELECT sum(r), f(1) FROM memory.routines.own;
expect: [[100, 1]]
CREATE TABLE memory.routines.made AS WITH FUNCTION f(x bigint) RETURNS bigint RETURN x * 10 SELECT f(regionkey) AS r FROM tpch.tiny.region;
expect: [[5]]
INSERT INTO memory.routines.made WITH FUNCTION f(x bigint) RETURNS bigint RETURN x + 1 SELECT f(1);
expect: [[1]]
UPDATE memory.routines.made SET r = memory.routines.answer() WHERE r = memory.routines.answer() - 41;
expect: [[1]]
SELECT sum(r) FROM memory.routines.made;
expect: [[143]]
DROP SCHEMA memory.routines;
error: SCHEMA_NOT_EMPTY Schema not empty: routines
-- Changed under its callers.
CREATE OR REPLACE FUNCTION memory.routines.answer() RETURNS BIGINT RETURN memory.routines.answer(1);
expect: [[true]]
SELECT memory.routines.answer(1);
error: NOT_SUPPORTED Recursive language functions are not supported: answer(integer):bigint
DROP FUNCTION memory.routines.answer();
expect: [[true]]
SELECT memory.routines.answer(1);
error: FUNCTION_NOT_FOUND
DROP FUNCTION memory.routines.answer(bigint);
error: NOT_FOUND line 1:1: Function not found
DROP FUNCTION IF EXISTS memory.routines.answer(bigint);
expect: [[true]]
DROP FUNCTION IF EXISTS memory.routines.answer(int);
expect: [[true]]
DROP FUNCTION memory.routines.chance();
expect: [[true]]
SELECT memory.routines.answer(1);
error: FUNCTION_NOT_FOUND line 1:8: Function 'memory.routines.answer' not registered
DROP VIEW memory.routines.answers;
expect: [[true]]
DROP VIEW memory.routines.own;
expect: [[true]]
DROP TABLE memory.routines.made;
expect: [[true]]
DROP SCHEMA memory.routines;
expect: [[true]]
-- Where they cannot be kept.
CREATE FUNCTION f() RETURNS bigint RETURN 1;
error: NOT_SUPPORTED line 1:1: Catalog and schema must be specified when function schema is not configured
CREATE FUNCTION tiny.f() RETURNS bigint RETURN 1;
error: NOT_SUPPORTED line 1:1: Function name must be unqualified or fully qualified with catalog and schema
CREATE FUNCTION a.b.c.d() RETURNS bigint RETURN 1;
error: SYNTAX_ERROR line 1:1: Too many dots in function name: a.b.c.d
CREATE FUNCTION nosuch.tiny.f() RETURNS bigint RETURN 1;
error: CATALOG_NOT_FOUND line 1:1: Catalog 'nosuch' does not exist
CREATE FUNCTION memory.nosuch.f() RETURNS bigint RETURN 1;
error: SCHEMA_NOT_FOUND line 1:1: Schema 'nosuch' does not exist
CREATE FUNCTION tpch.tiny.f() RETURNS bigint RETURN 1;
error: NOT_SUPPORTED line 1:1: This connector does not support creating functions
CREATE FUNCTION memory.default.f(x bigint) RETURNS bigint RETURN memory.default.f(x);
error: FUNCTION_NOT_FOUND line 1:66: Function 'memory.default.f' not registered
CREATE FUNCTION memory.default.f(x bigint) RETURNS varchar RETURN x;
error: TYPE_MISMATCH line 1:67: Value of RETURN must evaluate to varchar (actual: bigint)
DROP FUNCTION tpch.tiny.f(bigint);
error: NOT_FOUND line 1:1: Function not found
DROP FUNCTION memory.default.f(abc);
error: TYPE_MISMATCH line 1:32: Unknown type: abc
DROP FUNCTION f();
error: NOT_SUPPORTED line 1:1: Catalog and schema must be specified when function schema is not configured
