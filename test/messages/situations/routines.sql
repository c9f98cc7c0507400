-- Functions written in SQL: of a query (WITH FUNCTION) and of a catalog.
WITH FUNCTION f(bigint) RETURNS int RETURN 123 SELECT f(1);
error: INVALID_ARGUMENTS line 1:17: Function parameters must have a name
WITH FUNCTION f(x int, y int, X bigint) RETURNS int RETURN 123 SELECT f(1, 2, 3);
error: INVALID_ARGUMENTS line 1:31: Duplicate function parameter name: X
WITH FUNCTION f() RETURNS int CALLED ON NULL INPUT CALLED ON NULL INPUT RETURN 123 SELECT f();
error: SYNTAX_ERROR line 1:6: Multiple null-call clauses specified
WITH FUNCTION f() RETURNS int RETURNS NULL ON NULL INPUT CALLED ON NULL INPUT RETURN 123 SELECT f();
error: SYNTAX_ERROR line 1:6: Multiple null-call clauses specified
WITH FUNCTION f() RETURNS int COMMENT 'abc' COMMENT 'xyz' RETURN 123 SELECT f();
error: SYNTAX_ERROR line 1:6: Multiple comment clauses specified
WITH FUNCTION f() RETURNS int LANGUAGE abc LANGUAGE xyz RETURN 123 SELECT f();
error: SYNTAX_ERROR line 1:6: Multiple language clauses specified
WITH FUNCTION f() RETURNS int NOT DETERMINISTIC DETERMINISTIC RETURN 123 SELECT f();
error: SYNTAX_ERROR line 1:6: Multiple deterministic clauses specified
CREATE FUNCTION memory.s1.f() RETURNS int SECURITY INVOKER SECURITY DEFINER RETURN 123;
error: SYNTAX_ERROR line 1:8: Multiple security clauses specified
WITH FUNCTION f() RETURNS int SECURITY INVOKER RETURN 123 SELECT f();
error: NOT_SUPPORTED line 1:31: Security mode not supported for inline functions
WITH FUNCTION f() RETURNS int SECURITY DEFINER RETURN 123 SELECT f();
error: NOT_SUPPORTED line 1:31: Security mode not supported for inline functions
WITH FUNCTION f(x abc) RETURNS int RETURN 123 SELECT f(1);
error: TYPE_MISMATCH line 1:17: Unknown type: abc
WITH FUNCTION f() RETURNS abc RETURN 123 SELECT f();
error: TYPE_MISMATCH line 1:19: Unknown type: abc
WITH FUNCTION f() RETURNS varchar(2) RETURN 'test' SELECT f();
error: TYPE_MISMATCH line 1:45: Value of RETURN must evaluate to varchar(2) (actual: varchar(4))
WITH FUNCTION f() RETURNS bigint RETURN random() SELECT f();
error: TYPE_MISMATCH line 1:41: Value of RETURN must evaluate to bigint (actual: double)
WITH FUNCTION f() RETURNS real RETURN 1e0 SELECT f();
error: TYPE_MISMATCH line 1:39: Value of RETURN must evaluate to real (actual: double)
WITH FUNCTION f() RETURNS bigint LANGUAGE JAVASCRIPT RETURN abs(-42) SELECT f();
error: NOT_SUPPORTED line 1:43: Unsupported function language: JAVASCRIPT
WITH FUNCTION f() RETURNS bigint NOT DETERMINISTIC RETURN abs(-42) SELECT f();
error: INVALID_ARGUMENTS line 1:6: Deterministic function declared NOT DETERMINISTIC
WITH FUNCTION f() RETURNS double RETURN 42 * random() SELECT f();
error: INVALID_ARGUMENTS line 1:6: Non-deterministic function declared DETERMINISTIC
WITH FUNCTION f() RETURNS int BEGIN IF random() THEN RETURN 13; END IF; RETURN 0; END SELECT f();
error: TYPE_MISMATCH line 1:40: Condition of IF statement must evaluate to boolean (actual: double)
WITH FUNCTION f() RETURNS int BEGIN IF false THEN RETURN 13; ELSEIF 1.5 THEN RETURN 14; END IF; RETURN 0; END SELECT f();
error: TYPE_MISMATCH line 1:69: Condition of ELSEIF clause must evaluate to boolean (actual: decimal(2,1))
WITH FUNCTION f(x int) RETURNS int BEGIN CASE x WHEN 13 THEN RETURN 13; WHEN 'abc' THEN RETURN 42; END CASE; RETURN 0; END SELECT f(1);
error: TYPE_MISMATCH line 1:78: WHEN clause value must evaluate to CASE value type integer (actual: varchar(3))
WITH FUNCTION f() RETURNS int BEGIN CASE WHEN true THEN RETURN 42; WHEN 13 THEN RETURN 13; END CASE; RETURN 0; END SELECT f();
error: TYPE_MISMATCH line 1:73: Condition of WHEN clause must evaluate to boolean (actual: integer)
WITH FUNCTION f() RETURNS int BEGIN END SELECT f();
error: MISSING_RETURN line 1:31: Function must end in a RETURN statement
WITH FUNCTION f() RETURNS int BEGIN IF false THEN RETURN 13; END IF; END SELECT f();
error: MISSING_RETURN line 1:31: Function must end in a RETURN statement
WITH FUNCTION f() RETURNS int BEGIN DECLARE x int DEFAULT 'abc'; RETURN 0; END SELECT f();
error: TYPE_MISMATCH line 1:59: Value of DEFAULT must evaluate to integer (actual: varchar(3))
WITH FUNCTION f() RETURNS int BEGIN DECLARE x int; DECLARE x int; RETURN 0; END SELECT f();
error: ALREADY_EXISTS line 1:60: Variable already declared in this scope: x
WITH FUNCTION f() RETURNS int BEGIN DECLARE x int; DECLARE y, x int; RETURN 0; END SELECT f();
error: ALREADY_EXISTS line 1:63: Variable already declared in this scope: x
WITH FUNCTION f() RETURNS int BEGIN DECLARE x, y, x int; RETURN 0; END SELECT f();
error: ALREADY_EXISTS line 1:51: Variable already declared in this scope: x
WITH FUNCTION f() RETURNS int BEGIN DECLARE x int; BEGIN DECLARE X int; END; RETURN 0; END SELECT f();
error: ALREADY_EXISTS line 1:66: Variable already declared in this scope: X
WITH FUNCTION f(x int) RETURNS int BEGIN DECLARE x int; RETURN 0; END SELECT f(1);
error: ALREADY_EXISTS line 1:50: Variable already declared in this scope: x
WITH FUNCTION f() RETURNS int BEGIN DECLARE x nosuch; RETURN 0; END SELECT f();
error: TYPE_MISMATCH line 1:37: Unknown type: nosuch
WITH FUNCTION f() RETURNS int BEGIN SET x = 13; RETURN 0; END SELECT f();
error: NOT_FOUND line 1:41: Variable cannot be resolved: x
WITH FUNCTION f() RETURNS int BEGIN DECLARE x int; SET x = 'abc'; RETURN 0; END SELECT f();
error: TYPE_MISMATCH line 1:60: Value of SET 'x' must evaluate to integer (actual: varchar(3))
WITH FUNCTION f() RETURNS int BEGIN WHILE 13 DO RETURN 0; END WHILE; RETURN 0; END SELECT f();
error: TYPE_MISMATCH line 1:43: Condition of WHILE statement must evaluate to boolean (actual: integer)
WITH FUNCTION f() RETURNS int BEGIN REPEAT RETURN 42; UNTIL 13 END REPEAT; RETURN 0; END SELECT f();
error: TYPE_MISMATCH line 1:61: Condition of REPEAT statement must evaluate to boolean (actual: integer)
WITH FUNCTION f() RETURNS int BEGIN WHILE true DO ITERATE abc; END WHILE; RETURN 0; END SELECT f();
error: NOT_FOUND line 1:59: Label not defined: abc
WITH FUNCTION f() RETURNS int BEGIN LEAVE abc; RETURN 0; END SELECT f();
error: NOT_FOUND line 1:43: Label not defined: abc
WITH FUNCTION f() RETURNS int BEGIN abc: WHILE true DO LEAVE abc; abc: WHILE true DO LEAVE abc; END WHILE; END WHILE; RETURN 0; END SELECT f();
error: ALREADY_EXISTS line 1:67: Label already declared in this scope: abc
WITH FUNCTION f() RETURNS int BEGIN abc: REPEAT abc: REPEAT LEAVE abc; UNTIL true END REPEAT; UNTIL true END REPEAT; RETURN 0; END SELECT f();
error: ALREADY_EXISTS line 1:49: Label already declared in this scope: abc
WITH FUNCTION f() RETURNS int BEGIN abc: LOOP abc: LOOP LEAVE abc; END LOOP; END LOOP; RETURN 0; END SELECT f();
error: ALREADY_EXISTS line 1:47: Label already declared in this scope: abc
WITH FUNCTION f() RETURNS int RETURN (SELECT 1) SELECT f();
error: NOT_SUPPORTED line 1:38: Queries are not allowed in functions
WITH FUNCTION f() RETURNS boolean RETURN EXISTS (SELECT 1) SELECT f();
error: NOT_SUPPORTED line 1:42: Queries are not allowed in functions
WITH FUNCTION f() RETURNS boolean RETURN 1 IN (SELECT 1) SELECT f();
error: NOT_SUPPORTED line 1:44: Queries are not allowed in functions
WITH FUNCTION f() RETURNS boolean RETURN 1 = ANY (SELECT 1) SELECT f();
error: NOT_SUPPORTED line 1:44: Queries are not allowed in functions
WITH FUNCTION f(x bigint) RETURNS bigint RETURN sum(x) SELECT f(1);
error: EXPRESSION_NOT_SCALAR line 1:49: Function cannot contain aggregations, window functions or grouping operations: [sum(x)]
WITH FUNCTION f(x bigint) RETURNS bigint RETURN rank() OVER () SELECT f(1);
error: EXPRESSION_NOT_SCALAR line 1:49: Function cannot contain aggregations, window functions or grouping operations: [rank() OVER ()]
WITH FUNCTION f(x bigint) RETURNS bigint RETURN nosuch SELECT f(1);
error: COLUMN_NOT_FOUND line 1:49: Column 'nosuch' cannot be resolved
WITH FUNCTION f(x bigint) RETURNS bigint RETURN nosuch(x) SELECT f(1);
error: FUNCTION_NOT_FOUND line 1:49: Function 'nosuch' not registered
WITH FUNCTION f(x bigint) RETURNS bigint RETURN ? SELECT f(1);
error: INVALID_PARAMETER_USAGE line 1:49: Query takes no parameters
WITH FUNCTION f(x bigint) RETURNS bigint RETURN f(x - 1) SELECT f(1);
error: NOT_SUPPORTED line 1:6: Recursive language functions are not supported: f(bigint):bigint
WITH FUNCTION f(x bigint) RETURNS bigint RETURN x, FUNCTION f(y bigint) RETURNS bigint RETURN y SELECT f(1);
error: ALREADY_EXISTS line 1:52: Function already declared: f(bigint):bigint
WITH FUNCTION f(x bigint) RETURNS bigint RETURN x SELECT f('a');
error: FUNCTION_NOT_FOUND line 1:58: Unexpected parameters (varchar(1)) for function f. Expected: f(bigint) 
WITH FUNCTION f(x bigint) RETURNS bigint RETURN x SELECT f(1, 2);
error: FUNCTION_NOT_FOUND line 1:58: Unexpected parameters (integer, integer) for function f. Expected: f(bigint) 
WITH FUNCTION f(x bigint) RETURNS bigint RETURN x SELECT f();
error: FUNCTION_NOT_FOUND line 1:58: Unexpected parameters () for function f. Expected: f(bigint) 
WITH FUNCTION f(x bigint) RETURNS bigint RETURN x SELECT f(DISTINCT 1);
error: FUNCTION_NOT_AGGREGATE line 1:58: DISTINCT is not supported for non-aggregation functions
WITH FUNCTION f(x bigint) RETURNS bigint RETURN x SELECT f(1) OVER ();
error: FUNCTION_NOT_WINDOW line 1:58: Not a window function: f
WITH FUNCTION f(x bigint) RETURNS bigint RETURN x SELECT f(1) FILTER (WHERE true);
error: FUNCTION_NOT_AGGREGATE line 1:58: Filter is only valid for aggregation functions
WITH FUNCTION f(x bigint) RETURNS bigint RETURN x SELECT f(1 ORDER BY 1);
error: FUNCTION_NOT_AGGREGATE line 1:58: ORDER BY is only valid for aggregation functions
WITH FUNCTION f(x bigint) RETURNS bigint RETURN x SELECT f(*);
error: FUNCTION_NOT_FOUND line 1:58: Unexpected parameters () for function f. Expected: f(bigint) 
WITH FUNCTION f(x bigint) RETURNS bigint RETURN x SELECT f(x -> x);
error: FUNCTION_NOT_FOUND line 1:58: Unexpected parameters (<function>) for function f. Expected: f(bigint) 
WITH FUNCTION memory.s1.f(x bigint) RETURNS bigint RETURN x SELECT f(1);
error: SYNTAX_ERROR line 1:6: Inline function names cannot be qualified: memory.s1.f
WITH FUNCTION "a$b"(x bigint) RETURNS bigint RETURN x SELECT 1;
error: NOT_SUPPORTED line 1:6: Function name cannot contain '@' or '$'
WITH FUNCTION "a@b"(x bigint) RETURNS bigint RETURN x SELECT 1;
error: NOT_SUPPORTED line 1:6: Function name cannot contain '@' or '$'
WITH FUNCTION f(x bigint) RETURNS bigint RETURN x;
error: SYNTAX_ERROR /line 1:50: mismatched input '<EOF>'\. Expecting: .*/
WITH FUNCTION f(x bigint) RETURN x SELECT 1;
error: SYNTAX_ERROR /line 1:27: mismatched input 'RETURN'\. Expecting: .*/
WITH FUNCTION f(x bigint) RETURNS bigint SELECT 1;
error: SYNTAX_ERROR /line 1:42: mismatched input 'SELECT'\. Expecting: .*/
WITH FUNCTION f(x bigint) RETURNS bigint BEGIN RETURN x END SELECT 1;
error: SYNTAX_ERROR /line 1:57: mismatched input 'END'\. Expecting: .*/
WITH FUNCTION f(x bigint) RETURNS bigint RETURN 1 / x SELECT f(0);
error: DIVISION_BY_ZERO Division by zero
CREATE FUNCTION nosuch.s.f(x bigint) RETURNS bigint RETURN x;
error: CATALOG_NOT_FOUND line 1:1: Catalog 'nosuch' does not exist
CREATE FUNCTION memory.nosuch.f(x bigint) RETURNS bigint RETURN x;
error: SCHEMA_NOT_FOUND line 1:1: Schema 'nosuch' does not exist
CREATE FUNCTION a.b.c.d(x bigint) RETURNS bigint RETURN x;
error: SYNTAX_ERROR line 1:1: Too many dots in function name: a.b.c.d
CREATE FUNCTION s1.g(x bigint) RETURNS bigint RETURN x;
error: NOT_SUPPORTED line 1:1: Function name must be unqualified or fully qualified with catalog and schema
CREATE FUNCTION g(x bigint) RETURNS bigint RETURN x;
error: NOT_SUPPORTED line 1:1: Catalog and schema must be specified when function schema is not configured
CREATE FUNCTION tpch.tiny.g(x bigint) RETURNS bigint RETURN x;
error: NOT_SUPPORTED line 1:1: This connector does not support creating functions
CREATE FUNCTION memory.s1.g(x bigint) RETURNS bigint RETURN nosuch;
error: COLUMN_NOT_FOUND line 1:61: Column 'nosuch' cannot be resolved
CREATE FUNCTION memory.s1."g$h"(x bigint) RETURNS bigint RETURN x;
error: NOT_SUPPORTED line 1:8: Function name cannot contain '@' or '$'
CREATE FUNCTION memory.s1.g1(x bigint) RETURNS bigint RETURN x + 1;
error: ALREADY_EXISTS line 1:1: Function already exists
CREATE FUNCTION memory.s1.g1(x bigint) RETURNS varchar RETURN 'a';
error: ALREADY_EXISTS line 1:1: Function already exists
SELECT memory.s1.g1('a');
error: FUNCTION_NOT_FOUND line 1:8: Unexpected parameters (varchar(1)) for function memory.s1.g1. Expected: memory.s1.g1(bigint) 
SELECT memory.s1.g1(1, 2);
error: FUNCTION_NOT_FOUND line 1:8: Unexpected parameters (integer, integer) for function memory.s1.g1. Expected: memory.s1.g1(bigint) 
SELECT memory.s1.g1(1) OVER ();
error: FUNCTION_NOT_WINDOW line 1:8: Not a window function: memory.s1.g1
SELECT memory.s1.nosuch(1);
error: FUNCTION_NOT_FOUND line 1:8: Function 'memory.s1.nosuch' not registered
SELECT memory.nosuch.g(1);
error: FUNCTION_NOT_FOUND line 1:8: Function 'memory.nosuch.g' not registered
SELECT nosuch.s1.g(1);
error: FUNCTION_NOT_FOUND line 1:8: Function 'nosuch.s1.g' not registered
SELECT g(1);
error: FUNCTION_NOT_FOUND line 1:8: Function 'g' not registered
SHOW CREATE FUNCTION memory.s1.nosuch;
error: NOT_FOUND line 1:1: Function not found
SHOW CREATE FUNCTION nosuch.s1.g;
error: CATALOG_NOT_FOUND line 1:1: Catalog 'nosuch' does not exist
SHOW FUNCTIONS FROM nosuch;
error: SCHEMA_NOT_FOUND line 1:1: Schema 'memory.nosuch' does not exist
SHOW FUNCTIONS FROM memory.nosuch;
error: SCHEMA_NOT_FOUND line 1:1: Schema 'memory.nosuch' does not exist
SHOW FUNCTIONS FROM nosuch.s1;
error: CATALOG_NOT_FOUND line 1:1: Catalog 'nosuch' does not exist
DROP FUNCTION memory.s1.nosuch(bigint);
error: NOT_FOUND line 1:1: Function not found
DROP FUNCTION memory.s1.g1(varchar);
error: NOT_FOUND line 1:1: Function not found
DROP FUNCTION memory.s1.g1(nosuch);
error: TYPE_MISMATCH line 1:28: Unknown type: nosuch
DROP FUNCTION nosuch.s1.g1(bigint);
error: CATALOG_NOT_FOUND line 1:1: Catalog 'nosuch' does not exist
DROP FUNCTION memory.nosuch.g1(bigint);
error: NOT_FOUND line 1:1: Function not found
SELECT memory.s1.stale(1);
error: FUNCTION_NOT_FOUND line 1:8: Failed analyzing stored function 'memory.s1.stale': line 3:8: Function 'memory.s1.gone' not registered
SELECT memory.s1.fails(1);
error: DIVISION_BY_ZERO Division by zero
SELECT memory.s1.ping(1);
error: NOT_SUPPORTED Recursive language functions are not supported: ping(bigint):bigint
WITH FUNCTION f(x bigint, y double) RETURNS bigint RETURN 1, FUNCTION f(x double, y bigint) RETURNS bigint RETURN 2 SELECT f(1, 1);
error: AMBIGUOUS_FUNCTION_CALL /line 1:124: Could not choose a best candidate operator\. Explicit type casts must be added\.\nCandidates are:\n.*/
