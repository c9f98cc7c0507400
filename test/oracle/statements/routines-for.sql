-- FOR: the counter goes from the lower to the upper bound, both included.
WITH FUNCTION f(a bigint, b bigint, s bigint) RETURNS varchar BEGIN DECLARE t varchar DEFAULT ''; FOR i IN a TO b BY s DO SET t = t || CAST(i AS varchar) || ','; END FOR; RETURN t; END SELECT f(1, 5, 2), f(5, 1, -2), f(1, 5, 0), f(1, 5, -1), f(5, 1, 1), f(3, 3, 1), f(3, 3, -1), f(-2, 2, 2);
expect: [["1,3,5,", "5,3,1,", "", "", "", "3,", "3,", "-2,0,2,"]]
-- A bound or step that is NULL: no statement runs.
WITH FUNCTION f(a bigint, b bigint, s bigint) RETURNS bigint BEGIN DECLARE t bigint DEFAULT 0; FOR i IN a TO b BY s DO SET t = t + 1; END FOR; RETURN t; END SELECT f(NULL, 1, 1), f(1, NULL, 1), f(1, 1, NULL), f(1, 1, 1);
expect: [[0, 0, 0, 1]]
WITH FUNCTION f() RETURNS bigint BEGIN FOR i IN NULL TO 1 DO RETURN i; END FOR; RETURN -1; END SELECT f();
expect: [[-1]]
-- The counter has the type that the bounds and the step have together; a decimal has one digit more, to pass its end.
WITH FUNCTION f() RETURNS varchar BEGIN DECLARE t varchar DEFAULT ''; FOR i IN 9.8 TO 9.9 BY 0.1 DO SET t = t || CAST(i AS varchar) || ' ' || typeof(i) || ','; END FOR; RETURN t; END SELECT f();
expect: [["9.8 decimal(3,1),9.9 decimal(3,1),"]]
WITH FUNCTION f() RETURNS varchar BEGIN DECLARE t varchar DEFAULT ''; FOR i IN tinyint '1' TO smallint '3' DO SET t = t || CAST(i AS varchar) || ' ' || typeof(i) || ','; END FOR; RETURN t; END SELECT f();
expect: [["1 smallint,2 smallint,3 smallint,"]]
WITH FUNCTION f() RETURNS varchar BEGIN DECLARE t varchar DEFAULT ''; FOR i IN 1 TO 2e0 BY 0.5 DO SET t = t || CAST(i AS varchar) || ' ' || typeof(i) || ','; END FOR; RETURN t; END SELECT f();
expect: [["1.0 double,1.5 double,2.0 double,"]]
WITH FUNCTION f() RETURNS bigint BEGIN DECLARE t bigint DEFAULT 0; FOR i IN nan() TO 3e0 DO SET t = t + 1; END FOR; FOR i IN 3e0 TO -infinity() BY nan() DO SET t = t + 1; END FOR; RETURN t; END SELECT f();
expect: [[0]]
WITH FUNCTION f() RETURNS bigint BEGIN DECLARE t bigint DEFAULT 0; FOR i IN 1 TO 2147483647 BY 2147483646 DO SET t = t + 1; END FOR; RETURN t; END SELECT f();
error: NUMERIC_VALUE_OUT_OF_RANGE integer addition overflow: 2147483647 + 2147483646
-- Bounds and step are computed once, when the loop begins; the body may change the counter.
WITH FUNCTION f(n bigint) RETURNS bigint BEGIN DECLARE s bigint DEFAULT 0; FOR i IN 1 TO n DO SET n = n - 1; SET s = s + 1; END FOR; RETURN s * 100 + n; END SELECT f(10);
expect: [[1000]]
WITH FUNCTION f(n bigint) RETURNS bigint BEGIN DECLARE s bigint DEFAULT 0; FOR i IN 1 TO n DO SET i = i + 1; SET s = s + 1; END FOR; RETURN s; END SELECT f(10);
expect: [[5]]
-- ITERATE goes on with the next value, LEAVE behind the loop, also out of inner loops.
WITH FUNCTION f() RETURNS bigint BEGIN DECLARE s bigint DEFAULT 0; a: FOR i IN 1 TO 3 DO b: FOR j IN i TO 3 DO IF j = 2 THEN ITERATE a; END IF; IF i = 3 THEN LEAVE a; END IF; SET s = s + 10 * i + j; END FOR; END FOR; RETURN s; END SELECT f();
expect: [[11]]
WITH FUNCTION f(n bigint) RETURNS bigint BEGIN DECLARE s bigint DEFAULT 0; a: FOR i IN 1 TO n DO b: WHILE true DO SET s = s + 1; IF s % 2 = 0 THEN ITERATE a; END IF; IF s > 6 THEN LEAVE a; END IF; IF s % 3 = 0 THEN LEAVE b; END IF; END WHILE; SET s = s + 100; END FOR; RETURN s; END SELECT f(1), f(2), f(3), f(9);
expect: [[2, 103, 104, 105]]
WITH FUNCTION f(n bigint) RETURNS bigint BEGIN top: REPEAT FOR i IN 1 TO n DO IF i = 3 THEN LEAVE top; END IF; SET n = n + 1; END FOR; UNTIL n > 5 END REPEAT; RETURN n; END SELECT f(1), f(2), f(4), f(5);
expect: [[6, 6, 6, 7]]
-- The counter belongs to the loop: loops one after the other, and one in another.
WITH FUNCTION f(n bigint) RETURNS bigint BEGIN DECLARE s bigint DEFAULT 0; FOR i IN 1 TO n DO SET s = s + i; END FOR; FOR i IN n TO 1 BY -1 DO FOR j IN 1 TO i DO SET s = s + j; END FOR; END FOR; RETURN s; END SELECT f(3);
expect: [[16]]
-- Distributed, against the closed form, with loops longer than a slice.
WITH FUNCTION squares(n bigint) RETURNS bigint BEGIN DECLARE s bigint DEFAULT 0; FOR i IN 1 TO n DO SET s = s + i * i; END FOR; RETURN s; END SELECT sum(squares(orderkey % 20)), max(squares(custkey % 7)) FROM orders;
duckdb: SELECT CAST(sum((orderkey % 20) * (orderkey % 20 + 1) * (2 * (orderkey % 20) + 1) // 6) AS bigint), max((custkey % 7) * (custkey % 7 + 1) * (2 * (custkey % 7) + 1) // 6) FROM orders;
WITH FUNCTION total(n bigint) RETURNS bigint BEGIN DECLARE s bigint DEFAULT 0; FOR i IN 1 TO n DO SET s = s + i; END FOR; RETURN s; END SELECT total(regionkey * 30000) FROM region;
expect: [[0], [450015000], [1800030000], [4050045000], [7200060000]]
-- Mistakes.
WITH FUNCTION f() RETURNS bigint BEGIN DECLARE i bigint; FOR i IN 1 TO 2 DO SET i = 1; END FOR; RETURN 1; END SELECT f();
error: ALREADY_EXISTS line 1:62: Variable already declared in this scope: i
WITH FUNCTION f(n bigint) RETURNS bigint BEGIN FOR n IN 1 TO 2 DO SET n = 1; END FOR; RETURN 1; END SELECT f(1);
error: ALREADY_EXISTS line 1:52: Variable already declared in this scope: n
WITH FUNCTION f() RETURNS bigint BEGIN FOR i IN i TO 2 DO SET i = 1; END FOR; RETURN 1; END SELECT f();
error: COLUMN_NOT_FOUND line 1:49: Column 'i' cannot be resolved
WITH FUNCTION f() RETURNS bigint BEGIN FOR i IN 1 TO 2 DO SET i = 1; END FOR; RETURN i; END SELECT f();
error: COLUMN_NOT_FOUND line 1:86: Column 'i' cannot be resolved
WITH FUNCTION f() RETURNS bigint BEGIN a: FOR i IN 1 TO 2 DO a: LOOP LEAVE a; END LOOP; END FOR; RETURN 1; END SELECT f();
error: ALREADY_EXISTS line 1:62: Label already declared in this scope: a
WITH FUNCTION f() RETURNS bigint BEGIN FOR i IN 1 TO 2 DO ITERATE i; END FOR; RETURN 1; END SELECT f();
error: NOT_FOUND line 1:67: Label not defined: i
WITH FUNCTION f() RETURNS bigint BEGIN FOR i IN 'a' TO 2 DO RETURN 0; END FOR; RETURN 1; END SELECT f();
error: TYPE_MISMATCH line 1:49: Lower bound of FOR statement must evaluate to a numeric type (actual: varchar(1))
WITH FUNCTION f() RETURNS bigint BEGIN FOR i IN 1 TO DATE '2020-01-01' DO RETURN 0; END FOR; RETURN 1; END SELECT f();
error: TYPE_MISMATCH line 1:54: Upper bound of FOR statement must evaluate to a numeric type (actual: date)
WITH FUNCTION f() RETURNS bigint BEGIN FOR i IN 1 TO 2 BY INTERVAL '1' DAY DO RETURN 0; END FOR; RETURN 1; END SELECT f();
error: TYPE_MISMATCH line 1:59: Step of FOR statement must evaluate to a numeric type (actual: interval day to second)
WITH FUNCTION f() RETURNS bigint BEGIN FOR i IN NULL TO NULL DO RETURN 0; END FOR; RETURN 1; END SELECT f();
error: TYPE_MISMATCH line 1:49: Lower bound of FOR statement must evaluate to a numeric type (actual: unknown)
WITH FUNCTION f() RETURNS bigint BEGIN FOR i IN 1 TO 2 DO END FOR; RETURN 1; END SELECT f();
error: SYNTAX_ERROR
WITH FUNCTION f() RETURNS bigint BEGIN FOR i IN 1 DO RETURN 0; END FOR; RETURN 1; END SELECT f();
error: SYNTAX_ERROR
WITH FUNCTION f() RETURNS bigint FOR i IN 1 TO 2 DO RETURN 0; END FOR SELECT f();
error: MISSING_RETURN line 1:34: Function must end in a RETURN statement
-- The word is a name elsewhere.
SELECT substring('abcdef' FROM 2 FOR 3);
expect: [["bcd"]]
-- In a catalog.
CREATE FUNCTION memory.default.triangles(n bigint) RETURNS bigint BEGIN DECLARE s bigint DEFAULT 0; top: FOR i IN n TO 1 BY -2 DO SET s = s + i; END FOR; FOR j IN 1 TO 2 DO SET s = s + j; END FOR; RETURN s; END;
expect: [[true]]
SHOW CREATE FUNCTION memory.default.triangles;
expect: [["CREATE FUNCTION memory.default.triangles(n bigint)\nRETURNS bigint\nBEGIN\n  DECLARE s bigint DEFAULT 0;\n  top: FOR i IN n TO 1 BY -2 DO\n    SET s = (s + i);\n  END FOR;\n  FOR j IN 1 TO 2 DO\n    SET s = (s + j);\n  END FOR;\n  RETURN s;\nEND"]]
SELECT memory.default.triangles(7);
expect: [[19]]
DROP FUNCTION memory.default.triangles(bigint);
expect: [[true]]
