-- Trino's examples of functions with control statements.
WITH FUNCTION times_ninety_nine(a bigint) RETURNS bigint BEGIN DECLARE x bigint DEFAULT CAST(99 AS bigint); RETURN x * a; END SELECT times_ninety_nine(CAST(2 AS bigint));
expect: [[198]]
WITH FUNCTION simple_case(a bigint) RETURNS varchar BEGIN CASE a WHEN 0 THEN RETURN 'zero'; WHEN 1 THEN RETURN 'one'; WHEN 10 THEN RETURN 'ten'; WHEN 20 THEN RETURN 'twenty'; ELSE RETURN 'other'; END CASE; RETURN NULL; END SELECT simple_case(0), simple_case(1), simple_case(-1), simple_case(10), simple_case(11), simple_case(20), simple_case(100), simple_case(null);
expect: [["zero", "one", "other", "ten", "other", "twenty", "other", "other"]]
WITH FUNCTION search_case(a bigint, b bigint) RETURNS varchar BEGIN CASE WHEN a = 0 THEN RETURN 'zero'; WHEN b = 1 THEN RETURN 'one'; WHEN a = DECIMAL '10.0' THEN RETURN 'ten'; WHEN b = 20.0E0 THEN RETURN 'twenty'; ELSE RETURN 'other'; END CASE; RETURN NULL; END SELECT search_case(0,0), search_case(1,1), search_case(0,1), search_case(10,1), search_case(10,2), search_case(10,20), search_case(0,20), search_case(3,20), search_case(3,21), search_case(null,null);
expect: [["zero", "one", "zero", "one", "ten", "ten", "zero", "twenty", "other", "other"]]
WITH FUNCTION fib(n bigint) RETURNS bigint BEGIN DECLARE a, b bigint DEFAULT 1; DECLARE c bigint; IF n <= 2 THEN RETURN 1; END IF; WHILE n > 2 DO SET n = n - 1; SET c = a + b; SET a = b; SET b = c; END WHILE; RETURN c; END SELECT fib(-1), fib(0), fib(1), fib(2), fib(3), fib(4), fib(5), fib(6), fib(7), fib(8);
expect: [[1, 1, 1, 1, 2, 3, 5, 8, 13, 21]]
WITH FUNCTION labels() RETURNS bigint BEGIN DECLARE a, b int DEFAULT 0; top: WHILE a < 10 DO SET a = a + 1; IF a < 3 THEN ITERATE top; END IF; SET b = b + 1; IF a > 6 THEN LEAVE top; END IF; END WHILE; RETURN b; END SELECT labels();
expect: [[5]]
WITH FUNCTION power(n int, p int) RETURNS int BEGIN DECLARE r int DEFAULT n; top: LOOP IF p <= 1 THEN LEAVE top; END IF; SET r = r * n; SET p = p - 1; END LOOP; RETURN r; END SELECT power(2, 2), power(2, 8), power(3, 3), power(3, 0), power(3, -2);
expect: [[4, 256, 27, 3, 3]]
WITH FUNCTION test_repeat_continue() RETURNS bigint BEGIN DECLARE a int DEFAULT 0; DECLARE b int DEFAULT 0; top: REPEAT SET a = a + 1; IF a <= 3 THEN ITERATE top; END IF; SET b = b + 1; UNTIL a >= 10 END REPEAT; RETURN b; END SELECT test_repeat_continue();
expect: [[7]]
WITH FUNCTION test() RETURNS int BEGIN DECLARE r int DEFAULT 0; abc: LOOP SET r = r + 1; LEAVE abc; END LOOP; abc: LOOP SET r = r + 1; LEAVE abc; END LOOP; RETURN r; END SELECT test();
expect: [[2]]
WITH FUNCTION test() RETURNS bigint BEGIN DECLARE r bigint DEFAULT 0; BEGIN DECLARE x varchar DEFAULT 'hello'; SET r = r + length(x); END; BEGIN DECLARE x array(int) DEFAULT array[1, 2, 3]; SET r = r + cardinality(x); END; RETURN r; END SELECT test();
expect: [[8]]
WITH FUNCTION dots(input varchar, length integer) RETURNS varchar BEGIN IF length(input) > length THEN RETURN substring(input, 1, length-3) || '...'; END IF; RETURN input; END, FUNCTION dots(input varchar) RETURNS varchar RETURN dots(input, 15) SELECT dots('A long string that will be shortened', 15), dots('A short string', 15), dots('A long string that will be shortened'), dots('A long string that will be shortened', 20);
expect: [["A long strin...", "A short string", "A long strin...", "A long string tha..."]]
WITH FUNCTION from_date_string(date_string VARCHAR) RETURNS TIMESTAMP WITH TIME ZONE BEGIN IF date_string like '%-%' THEN RETURN from_iso8601_timestamp(date_string); ELSEIF length(date_string) = 8 THEN RETURN date_parse(date_string, '%Y%m%d'); ELSEIF length(date_string) = 10 THEN RETURN date_parse(date_string, '%Y%m%d%H'); END IF; RETURN NULL; END SELECT from_date_string('2023-01-01'), from_date_string('2023-01-01T23'), from_date_string('2023-01-01T23:23:23'), from_date_string('20230101'), from_date_string('2023010123'), from_date_string(NULL), from_date_string('abc');
expect: [["2023-01-01 00:00:00.000 UTC", "2023-01-01 23:00:00.000 UTC", "2023-01-01 23:23:23.000 UTC", "2023-01-01 00:00:00.000 UTC", "2023-01-01 23:00:00.000 UTC", null, null]]
WITH FUNCTION hrd(d integer) RETURNS VARCHAR BEGIN DECLARE answer varchar default 'About '; DECLARE years real; DECLARE months real; SET years = truncate(d/365); IF years > 0 then SET answer = answer || format('%1.0f', years) || ' year'; END IF; IF years > 1 THEN SET answer = answer || 's'; END IF; SET d = d - cast( years AS integer) * 365 ; SET months = truncate(d / 30); IF months > 0 and years > 0 THEN SET answer = answer || ' and '; END IF; IF months > 0 THEN set answer = answer || format('%1.0f', months) || ' month'; END IF; IF months > 1 THEN SET answer = answer || 's'; END IF; IF years < 1 and months < 1 THEN SET answer = 'Less than 1 month'; END IF; RETURN answer; END SELECT hrd(10), hrd(95), hrd(400), hrd(369), hrd(800), hrd(1100), hrd(5000);
expect: [["Less than 1 month", "About 3 months", "About 1 year and 1 month", "About 1 year", "About 2 years and 2 months", "About 3 years", "About 13 years and 8 months"]]
WITH FUNCTION my_pow(n int, p int) RETURNS int BEGIN DECLARE r int DEFAULT n; top: LOOP IF p <= 1 THEN LEAVE top; END IF; SET r = r * n; SET p = p - 1; END LOOP; RETURN r; END SELECT my_pow(CAST(nationkey AS integer), CAST(regionkey AS integer)) FROM nation WHERE nationkey IN (1,2,3,5,8);
expect: [[1], [2], [3], [5], [64]]
WITH FUNCTION fun_with_uppercase_var() RETURNS int BEGIN DECLARE R int DEFAULT 7; RETURN R; END SELECT fun_with_uppercase_var();
expect: [[7]]
-- Distributed, over many rows; a loop against its closed form.
WITH FUNCTION triangle(n bigint) RETURNS bigint BEGIN DECLARE s bigint DEFAULT 0; WHILE n > 0 DO SET s = s + n; SET n = n - 1; END WHILE; RETURN s; END SELECT count(*), sum(triangle(orderkey % 20)), count_if(triangle(orderkey % 20) = (orderkey % 20) * (orderkey % 20 + 1) / 2) FROM orders;
duckdb: SELECT count(*), CAST(sum((orderkey % 20) * (orderkey % 20 + 1) // 2) AS bigint), count(*) FROM orders;
WITH FUNCTION digits(n bigint) RETURNS bigint BEGIN DECLARE s bigint DEFAULT 0; REPEAT SET s = s + n % 10; SET n = n / 10; UNTIL n = 0 END REPEAT; RETURN s; END SELECT digits(orderkey), count(*) FROM orders GROUP BY digits(orderkey) HAVING digits(count(*)) > 2;
duckdb: SELECT * FROM (SELECT orderkey % 10 + orderkey // 10 % 10 + orderkey // 100 % 10 + orderkey // 1000 % 10 + orderkey // 10000 % 10 d, count(*) c FROM orders GROUP BY 1) WHERE c % 10 + c // 10 % 10 + c // 100 % 10 + c // 1000 % 10 > 2;
WITH FUNCTION reversed(s varchar) RETURNS varchar BEGIN DECLARE r varchar DEFAULT ''; DECLARE i bigint DEFAULT 1; WHILE i <= length(s) DO SET r = substr(s, i, 1) || r; SET i = i + 1; END WHILE; RETURN r; END SELECT count(*) FROM customer WHERE reversed(name) = reverse(name) AND reversed(NULL) = '';
expect: [[1500]]
-- Work that takes longer than a slice goes on where it was; errors and TRY as without a break.
WITH FUNCTION count_down(n bigint) RETURNS bigint BEGIN DECLARE i bigint DEFAULT 0; WHILE i < n DO SET i = i + 1; END WHILE; RETURN i; END SELECT count_down(regionkey * 30000) FROM region;
expect: [[0], [30000], [60000], [90000], [120000]]
WITH FUNCTION bad(n bigint) RETURNS bigint BEGIN DECLARE i bigint DEFAULT 0; WHILE i < n DO SET i = i + 1; END WHILE; RETURN 1 / (n - 60000); END SELECT regionkey, TRY(bad(regionkey * 30000)) FROM region;
expect: [[0, 0], [1, 0], [2, null], [3, 0], [4, 0]]
WITH FUNCTION inner_loop(n bigint) RETURNS bigint BEGIN DECLARE i bigint DEFAULT 0; WHILE i < n DO SET i = i + 1; END WHILE; RETURN i; END, FUNCTION outer_loop(n bigint) RETURNS bigint BEGIN DECLARE s, i bigint DEFAULT 0; WHILE i < n DO SET i = i + 1; SET s = s + inner_loop(i * 3000) + inner_loop(i); END WHILE; RETURN s; END SELECT outer_loop(regionkey * 3) FROM region;
expect: [[0], [18006], [63021], [135045], [234078]]
WITH FUNCTION count_down(n bigint) RETURNS bigint BEGIN DECLARE i bigint DEFAULT 0; WHILE i < n DO SET i = i + 1; END WHILE; RETURN i; END SELECT transform(ARRAY[70000, 5, 60000], x -> count_down(x)), count_down(40000);
expect: [[[70000, 5, 60000], 40000]]
WITH FUNCTION count_down(n bigint) RETURNS bigint BEGIN DECLARE i bigint DEFAULT 0; WHILE i < n DO SET i = i + 1; END WHILE; RETURN i; END VALUES count_down(70000), count_down(1);
expect: [[70000], [1]]
WITH FUNCTION count_down(n bigint) RETURNS bigint BEGIN DECLARE i bigint DEFAULT 0; WHILE i < n DO SET i = i + 1; END WHILE; RETURN i; END SELECT name FROM region WHERE count_down(regionkey * 40000) = 80000;
expect: [["ASIA"]]
WITH FUNCTION drawn(n bigint) RETURNS double NOT DETERMINISTIC BEGIN DECLARE s double DEFAULT 0; WHILE n > 0 DO SET s = s + random(); SET n = n - 1; END WHILE; RETURN s; END SELECT drawn(60000) BETWEEN 29000 AND 31000 FROM region;
expect: [[true], [true], [true], [true], [true]]
WITH FUNCTION big(x bigint) RETURNS bigint BEGIN DECLARE i bigint DEFAULT 0; WHILE i < 60000 DO SET i = i + 1; SET x = x + 1; END WHILE; RETURN x; END SELECT sum(big(nationkey)), count(*) FILTER (WHERE big(regionkey) > 60000), max_by(name, big(nationkey)), array_agg(big(regionkey) ORDER BY nationkey) FROM nation WHERE nationkey < 4;
expect: [[240006, 3, "CANADA", [60000, 60001, 60001, 60001]]]
WITH FUNCTION big(x bigint) RETURNS bigint BEGIN DECLARE i bigint DEFAULT 0; WHILE i < 60000 DO SET i = i + 1; SET x = x + 1; END WHILE; RETURN x; END SELECT n.name, r.name FROM nation n JOIN region r ON big(n.regionkey + r.regionkey) = 60003 AND n.nationkey < 3;
expect: [["ARGENTINA", "ASIA"], ["BRAZIL", "ASIA"], ["ALGERIA", "EUROPE"]]
WITH FUNCTION big(x bigint) RETURNS bigint BEGIN DECLARE i bigint DEFAULT 0; WHILE i < 60000 DO SET i = i + 1; SET x = x + 1; END WHILE; RETURN x; END SELECT n.name, r.name FROM nation n FULL JOIN region r ON n.regionkey = r.regionkey AND big(n.nationkey + r.regionkey) = 60003 WHERE n.nationkey < 4 OR n.nationkey IS NULL;
expect: [["ALGERIA", null], ["ARGENTINA", null], ["BRAZIL", "AMERICA"], ["CANADA", null], [null, "AFRICA"], [null, "ASIA"], [null, "EUROPE"], [null, "MIDDLE EAST"]]
WITH FUNCTION bad(x bigint) RETURNS bigint BEGIN DECLARE i bigint DEFAULT 0; WHILE i < 60000 DO SET i = i + 1; END WHILE; RETURN 1 / (x - 3); END SELECT n.name, r.name FROM nation n LEFT JOIN region r ON n.regionkey = r.regionkey AND TRY(bad(n.nationkey + r.regionkey)) IS NULL WHERE n.nationkey < 4;
expect: [["ALGERIA", null], ["ARGENTINA", null], ["BRAZIL", "AMERICA"], ["CANADA", null]]
WITH FUNCTION bad(x bigint) RETURNS bigint BEGIN DECLARE i bigint DEFAULT 0; WHILE i < 60000 DO SET i = i + 1; END WHILE; RETURN 1 / (x - 3); END SELECT n.name, r.name FROM nation n LEFT JOIN region r ON n.regionkey = r.regionkey AND bad(n.nationkey + r.regionkey) IS NULL;
error: DIVISION_BY_ZERO Division by zero
-- What grows without end.
WITH FUNCTION grow(n bigint) RETURNS bigint BEGIN DECLARE s array(bigint) DEFAULT ARRAY[1, 2, 3]; WHILE n > 0 DO SET s = s || s; SET n = n - 1; END WHILE; RETURN cardinality(s); END SELECT grow(nationkey + 40) FROM nation;
error: EXCEEDED_FUNCTION_MEMORY_LIMIT Value is larger than the maximum of 67108864 bytes
SELECT cardinality(repeat(repeat(repeat('abcdefghij', 1000), 1000), 1000));
error: EXCEEDED_FUNCTION_MEMORY_LIMIT Value is larger than the maximum of 67108864 bytes
-- What never ends where it cannot be cut.
WITH FUNCTION forever() RETURNS int BEGIN LOOP SET x = 1; END LOOP; RETURN 1; END SELECT 1;
error: NOT_FOUND line 1:52: Variable cannot be resolved: x
WITH FUNCTION forever() RETURNS int BEGIN DECLARE x int; LOOP SET x = 1; END LOOP; RETURN 1; END SELECT 1 LIMIT forever();
error: GENERIC_USER_ERROR
-- Variables: parameters can be set, a block begins anew each time, defaults see what stands before them.
WITH FUNCTION f(x bigint) RETURNS bigint BEGIN SET x = x + 1; RETURN x; END SELECT f(1), f(NULL);
expect: [[2, null]]
WITH FUNCTION f() RETURNS array(bigint) BEGIN DECLARE r array(bigint) DEFAULT ARRAY[]; DECLARE i bigint DEFAULT 0; WHILE i < 3 DO BEGIN DECLARE x bigint; SET x = coalesce(x, 10) + i; SET r = r || x; END; SET i = i + 1; END WHILE; RETURN r; END SELECT f();
expect: [[[10, 11, 12]]]
WITH FUNCTION f(n bigint) RETURNS bigint BEGIN DECLARE a bigint DEFAULT n + 1; DECLARE b, c bigint DEFAULT a * 2; RETURN a + b + c; END SELECT f(1);
expect: [[10]]
WITH FUNCTION f(n integer) RETURNS double BEGIN DECLARE a double DEFAULT n; SET a = n; RETURN n; END SELECT f(1);
expect: [[1.0]]
WITH FUNCTION f(n integer) RETURNS varchar BEGIN IF n > 1 THEN RETURN 'many'; ELSEIF n = 1 THEN RETURN 'one'; ELSE RETURN 'none'; END IF; RETURN 'never'; END SELECT f(2), f(1), f(0), f(NULL);
expect: [["many", "one", "none", "none"]]
WITH FUNCTION f(n integer) RETURNS varchar RETURNS NULL ON NULL INPUT BEGIN IF n IS NULL THEN RETURN 'null'; END IF; RETURN 'value'; END SELECT f(1), f(NULL);
expect: [["value", null]]
WITH FUNCTION f(n integer) RETURNS varchar BEGIN CASE n WHEN 1.0 THEN RETURN 'one'; WHEN NULL THEN RETURN 'null'; END CASE; RETURN 'other'; END SELECT f(1), f(2), f(NULL);
expect: [["one", "other", "other"]]
WITH FUNCTION f(n integer) RETURNS integer BEGIN DECLARE s integer DEFAULT 0; outermost: LOOP SET n = n - 1; inside: WHILE true DO IF n < 0 THEN LEAVE outermost; END IF; SET s = s + 1; LEAVE inside; END WHILE; END LOOP; RETURN s; END SELECT f(7), f(0);
expect: [[7, 0]]
WITH FUNCTION f(n integer) RETURNS integer BEGIN DECLARE s, i integer DEFAULT 0; a: WHILE i < n DO SET i = i + 1; b: LOOP SET s = s + 1; IF s % 2 = 0 THEN ITERATE a; END IF; IF s > 100 THEN LEAVE a; END IF; END LOOP; END WHILE; RETURN s; END SELECT f(7);
expect: [[14]]
WITH FUNCTION f(loop bigint) RETURNS bigint BEGIN DECLARE return bigint DEFAULT 1; while: WHILE loop > 0 DO SET loop = loop - 1; SET return = return * 2; END WHILE; RETURN return; END SELECT f(10);
expect: [[1024]]
WITH FUNCTION f(r row(a bigint, b varchar)) RETURNS varchar BEGIN DECLARE m map(bigint, varchar); SET m = map(ARRAY[r.a], ARRAY[r.b]); RETURN m[r.a] || CAST(element_at(m, r.a + 1) IS NULL AS varchar); END SELECT f(CAST(ROW(1, 'x') AS row(a bigint, b varchar)));
expect: [["xtrue"]]
WITH FUNCTION f(x varbinary, d decimal(30, 2), t timestamp(9) with time zone, v interval day to second) RETURNS varchar BEGIN DECLARE n bigint DEFAULT 2; WHILE n > 0 DO SET x = x || x; SET d = CAST(d + DECIMAL '0.01' AS decimal(30, 2)); SET t = t + v; SET n = n - 1; END WHILE; RETURN to_hex(x) || ' ' || CAST(d AS varchar) || ' ' || CAST(t AS varchar); END SELECT f(X'01', DECIMAL '1.00', TIMESTAMP '2020-01-01 00:00:00.123456789 Europe/Berlin', INTERVAL '1' DAY);
expect: [["01010101 1.02 2020-01-03 00:00:00.123456789 Europe/Berlin"]]
-- Trino's errors.
WITH FUNCTION test() RETURNS int BEGIN END SELECT 1;
error: MISSING_RETURN line 1:34: Function must end in a RETURN statement
WITH FUNCTION test() RETURNS int BEGIN IF false THEN RETURN 13; END IF; END SELECT 1;
error: MISSING_RETURN line 1:34: Function must end in a RETURN statement
WITH FUNCTION test() RETURNS int BEGIN IF random() THEN RETURN 13; END IF; RETURN 0; END SELECT 1;
error: TYPE_MISMATCH line 1:43: Condition of IF statement must evaluate to boolean (actual: double)
WITH FUNCTION test() RETURNS int BEGIN IF false THEN RETURN 13; ELSEIF random() THEN RETURN 13; END IF; RETURN 0; END SELECT 1;
error: TYPE_MISMATCH line 1:72: Condition of ELSEIF clause must evaluate to boolean (actual: double)
WITH FUNCTION test(x int) RETURNS int BEGIN CASE x WHEN 13 THEN RETURN 13; WHEN 'abc' THEN RETURN 42; END CASE; RETURN 0; END SELECT 1;
error: TYPE_MISMATCH line 1:81: WHEN clause value must evaluate to CASE value type integer (actual: varchar(3))
WITH FUNCTION test() RETURNS int BEGIN CASE WHEN true THEN RETURN 42; WHEN 13 THEN RETURN 13; END CASE; RETURN 0; END SELECT 1;
error: TYPE_MISMATCH line 1:76: Condition of WHEN clause must evaluate to boolean (actual: integer)
WITH FUNCTION test() RETURNS int BEGIN DECLARE x int DEFAULT 'abc'; RETURN 0; END SELECT 1;
error: TYPE_MISMATCH line 1:62: Value of DEFAULT must evaluate to integer (actual: varchar(3))
WITH FUNCTION test() RETURNS int BEGIN DECLARE x int; DECLARE x int; RETURN 0; END SELECT 1;
error: ALREADY_EXISTS line 1:63: Variable already declared in this scope: x
WITH FUNCTION test() RETURNS int BEGIN DECLARE x, y, x int; RETURN 0; END SELECT 1;
error: ALREADY_EXISTS line 1:54: Variable already declared in this scope: x
WITH FUNCTION test(x int) RETURNS int BEGIN DECLARE x int; RETURN 0; END SELECT 1;
error: ALREADY_EXISTS line 1:53: Variable already declared in this scope: x
WITH FUNCTION test() RETURNS int BEGIN DECLARE x int; BEGIN DECLARE x int; END; RETURN 0; END SELECT 1;
error: ALREADY_EXISTS line 1:69: Variable already declared in this scope: x
WITH FUNCTION test() RETURNS int BEGIN BEGIN DECLARE x int; END; BEGIN DECLARE x varchar; END; RETURN 0; END SELECT test();
expect: [[0]]
WITH FUNCTION test() RETURNS int BEGIN SET x = 13; RETURN 0; END SELECT 1;
error: NOT_FOUND line 1:44: Variable cannot be resolved: x
WITH FUNCTION test() RETURNS int BEGIN DECLARE x int; SET x = 'abc'; RETURN 0; END SELECT 1;
error: TYPE_MISMATCH line 1:63: Value of SET 'x' must evaluate to integer (actual: varchar(3))
WITH FUNCTION test() RETURNS int BEGIN WHILE 13 DO RETURN 0; END WHILE; RETURN 0; END SELECT 1;
error: TYPE_MISMATCH line 1:46: Condition of WHILE statement must evaluate to boolean (actual: integer)
WITH FUNCTION test() RETURNS int BEGIN REPEAT RETURN 42; UNTIL 13 END REPEAT; RETURN 0; END SELECT 1;
error: TYPE_MISMATCH line 1:64: Condition of REPEAT statement must evaluate to boolean (actual: integer)
WITH FUNCTION test() RETURNS int BEGIN WHILE true DO ITERATE abc; END WHILE; RETURN 0; END SELECT 1;
error: NOT_FOUND line 1:62: Label not defined: abc
WITH FUNCTION test() RETURNS int BEGIN LEAVE abc; RETURN 0; END SELECT 1;
error: NOT_FOUND line 1:46: Label not defined: abc
WITH FUNCTION test() RETURNS int BEGIN abc: WHILE true DO LEAVE abc; abc: WHILE true DO LEAVE abc; END WHILE; END WHILE; RETURN 0; END SELECT 1;
error: ALREADY_EXISTS line 1:70: Label already declared in this scope: abc
WITH FUNCTION test() RETURNS int BEGIN RETURN 1 END SELECT 1;
error: SYNTAX_ERROR
-- In a catalog.
CREATE FUNCTION memory.default.gcd(a bigint, b bigint) RETURNS bigint BEGIN DECLARE t bigint; WHILE b <> 0 DO SET t = b; SET b = a % b; SET a = t; END WHILE; RETURN abs(a); END;
expect: [[true]]
SELECT sum(memory.default.gcd(orderkey, custkey)) FROM orders;
duckdb: SELECT CAST(sum(gcd(orderkey, custkey)) AS bigint) FROM orders;
SHOW CREATE FUNCTION memory.default.gcd;
expect: [["CREATE FUNCTION memory.default.gcd(a bigint, b bigint)\nRETURNS bigint\nBEGIN\n  DECLARE t bigint;\n  WHILE (b <> 0) DO\n    SET t = b;\n    SET b = (a % b);\n    SET a = t;\n  END WHILE;\n  RETURN abs(a);\nEND"]]
DROP FUNCTION memory.default.gcd(bigint, bigint);
expect: [[true]]
