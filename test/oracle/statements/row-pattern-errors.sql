-- Row patterns: what Trino's tests of its analyzer refuse, in its words.
-- Names of columns and of the input relation.
SELECT * FROM (VALUES (1, 2, 3)) t(q, r, s) MATCH_RECOGNIZE (PARTITION BY q PATTERN (X Y+) DEFINE Y AS Y.a > 5);
error: COLUMN_NOT_FOUND line 1:104: Column a prefixed with label Y cannot be resolved
SELECT * FROM (VALUES (1, 2, 3)) ticker(x, X, y) MATCH_RECOGNIZE (PARTITION BY y PATTERN (A B+) DEFINE B AS true);
error: AMBIGUOUS_NAME line 1:15: ambiguous column: X in row pattern input relation
SELECT * FROM (VALUES (1, 2, 3)) ticker("x", "X", y) MATCH_RECOGNIZE (PARTITION BY y PATTERN (A B+) DEFINE B AS true);
error: AMBIGUOUS_NAME line 1:15: ambiguous column: X in row pattern input relation
SELECT * FROM (VALUES (1, 2, 3)) ticker(x, "X", y) MATCH_RECOGNIZE (PARTITION BY y PATTERN (A B+) DEFINE B AS true);
error: AMBIGUOUS_NAME line 1:15: ambiguous column: X in row pattern input relation
SELECT ticker.measure FROM (VALUES (1, 2, 3)) ticker(x, y, z) MATCH_RECOGNIZE (PARTITION BY y MEASURES CLASSIFIER() AS measure PATTERN (A B+) DEFINE B AS true) ;
error: COLUMN_NOT_FOUND
SELECT ticker.* FROM (VALUES (1, 2, 3)) ticker(x, y, z) MATCH_RECOGNIZE (PARTITION BY y MEASURES CLASSIFIER() AS measure PATTERN (A B+) DEFINE B AS true) ;
error: TABLE_NOT_FOUND
SELECT ticker.y FROM (VALUES (1, 2, 3)) ticker(x, y, z) MATCH_RECOGNIZE (PARTITION BY y MEASURES CLASSIFIER() AS measure PATTERN (A B+) DEFINE B AS true) ;
error: COLUMN_NOT_FOUND
SELECT ticker.measure FROM (VALUES (1, 2, 3)) ticker(x, y, z) MATCH_RECOGNIZE (PARTITION BY y MEASURES CLASSIFIER() AS measure PATTERN (A B+) DEFINE B AS true) AS m;
error: COLUMN_NOT_FOUND
SELECT * FROM (VALUES (1, 2, 3), (1, 3, 4)) ticker(x, y, z) MATCH_RECOGNIZE (PARTITION BY ticker.x ORDER BY ticker.y MEASURES CLASSIFIER() AS measure PATTERN (A B+) DEFINE B AS true);
expect: [[1, "B"]]
SELECT * FROM (VALUES (1, 2, 3)) ticker(x, y, z) MATCH_RECOGNIZE (PARTITION BY ticker.x MEASURES A.ticker.x AS measure PATTERN (A B+) DEFINE B AS true);
error: COLUMN_NOT_FOUND line 1:98: Column ticker.x prefixed with label A cannot be resolved
SELECT * FROM (VALUES (1, 2, 3)) ticker(x, y, z) MATCH_RECOGNIZE (PARTITION BY ticker.x MEASURES ticker.A.x AS measure PATTERN (A B+) DEFINE B AS true);
error: COLUMN_NOT_FOUND line 1:98: Column 'ticker.a.x' cannot be resolved
SELECT * FROM (VALUES (1, 2, 3)) ticker(x, y, z) MATCH_RECOGNIZE (PARTITION BY ticker.x MEASURES 1 AS measure PATTERN (A B+) DEFINE B AS ticker.x > 0);
error: COLUMN_NOT_FOUND line 1:138: Column 'ticker.x' cannot be resolved
SELECT m.renamed FROM (VALUES (1, 2, 3)) ticker(x, y, z) MATCH_RECOGNIZE (PARTITION BY y MEASURES CLASSIFIER() AS measure PATTERN (A B+) DEFINE B AS true) AS m (renamed);
error: MISMATCHED_COLUMN_ALIASES line 1:23: Column alias list has 1 entries but 'm' has 2 columns available
SELECT * FROM (SELECT approx_set(1)) ticker(x) MATCH_RECOGNIZE (PARTITION BY x PATTERN (A B+) DEFINE B AS true);
error: TYPE_MISMATCH line 1:78: HyperLogLog is not comparable, and therefore cannot be used in PARTITION BY
SELECT * FROM (SELECT approx_set(1)) ticker(x) MATCH_RECOGNIZE (ORDER BY x PATTERN (A B+) DEFINE B AS true);
error: TYPE_MISMATCH line 1:74: HyperLogLog is not orderable, and therefore cannot be used in ORDER BY
SELECT 1 FROM (VALUES 2) MATCH_RECOGNIZE (PATTERN (A B+) DEFINE B AS true);
error: TABLE_HAS_NO_COLUMNS line 1:15: pattern recognition output table has no columns
-- Labels follow the rules of identifiers.
SELECT * FROM (VALUES 1) ticker(x) MATCH_RECOGNIZE (PARTITION BY x PATTERN (a) DEFINE "a" AS true);
error: INVALID_LABEL line 1:87: defined variable: "a" is not a primary pattern variable
SELECT * FROM (VALUES 1) ticker(x) MATCH_RECOGNIZE (PARTITION BY x PATTERN (A "a") DEFINE A AS true, a AS false);
error: INVALID_LABEL line 1:102: pattern variable with name: a is defined twice
SELECT * FROM (VALUES 1) ticker(x) MATCH_RECOGNIZE (PARTITION BY x PATTERN (A "a") DEFINE "a" AS true, "a" AS false);
error: INVALID_LABEL line 1:104: pattern variable with name: "a" is defined twice
SELECT * FROM (VALUES 1) ticker(x) MATCH_RECOGNIZE (PARTITION BY x PATTERN (A "a"?) DEFINE a AS true, "a" AS false);
expect: [[1]]
SELECT * FROM (VALUES 1) ticker(x) MATCH_RECOGNIZE (PARTITION BY x AFTER MATCH SKIP TO LAST "^" PATTERN (B A "$") SUBSET "^" = (A, "$") DEFINE "$" AS true);
expect: []
SELECT * FROM (VALUES 1) ticker(x) MATCH_RECOGNIZE (PARTITION BY x PATTERN (A B+) SUBSET U = (b, "a") DEFINE A AS true);
error: INVALID_LABEL line 1:98: subset element: "a" is not a primary pattern variable
SELECT * FROM (VALUES 1) ticker(x) MATCH_RECOGNIZE (MEASURES LAST(A.x) AS upper, LAST(a.x) AS lower, LAST("A".x) AS delimited PATTERN (A+) DEFINE A AS true);
expect: [[1, 1, 1]]
SELECT * FROM (VALUES 1) ticker(x) MATCH_RECOGNIZE (PARTITION BY x PATTERN (A B+) DEFINE B AS A.x);
error: TYPE_MISMATCH line 1:95: Expression defining a label must be boolean (actual type: integer)
SELECT * FROM (VALUES 1) ticker(x) MATCH_RECOGNIZE (PARTITION BY x PATTERN (A B+) DEFINE B AS NULL);
error: TYPE_MISMATCH line 1:95: Expression defining a label must be boolean (actual type: unknown)
SELECT * FROM (VALUES 1) ticker(x) MATCH_RECOGNIZE (PARTITION BY x SEEK PATTERN (A B+) DEFINE B AS true);
error: NOT_SUPPORTED line 1:68: Pattern search modifier: SEEK is not allowed in MATCH_RECOGNIZE clause
SELECT * FROM (VALUES 1) ticker(x) MATCH_RECOGNIZE (PARTITION BY x PATTERN (A {0}) DEFINE A AS true);
error: NUMERIC_VALUE_OUT_OF_RANGE line 1:79: Pattern quantifier upper bound must be greater than or equal to 1
SELECT * FROM (VALUES 1) ticker(x) MATCH_RECOGNIZE (PARTITION BY x PATTERN (A {3000000000}) DEFINE A AS true);
error: NUMERIC_VALUE_OUT_OF_RANGE line 1:79: Pattern quantifier lower bound must not exceed 2147483647
SELECT * FROM (VALUES 1) ticker(x) MATCH_RECOGNIZE (PARTITION BY x PATTERN (A {5, 3000000000}) DEFINE A AS true);
error: NUMERIC_VALUE_OUT_OF_RANGE line 1:79: Pattern quantifier upper bound must not exceed 2147483647
SELECT * FROM (VALUES 1) ticker(x) MATCH_RECOGNIZE (PARTITION BY x PATTERN (A {,0}) DEFINE A AS true);
error: NUMERIC_VALUE_OUT_OF_RANGE line 1:79: Pattern quantifier upper bound must be greater than or equal to 1
SELECT * FROM (VALUES 1) ticker(x) MATCH_RECOGNIZE (PARTITION BY x AFTER MATCH SKIP TO LAST "^" PATTERN (A B+) DEFINE B AS true);
error: INVALID_LABEL line 1:93: "^" is not a primary or union pattern variable
-- One recognition inside another.
SELECT * FROM (VALUES 1) MATCH_RECOGNIZE (MEASURES CLASSIFIER() AS c PATTERN (A B+) DEFINE B AS EXISTS (SELECT c FROM (VALUES 2) t(a) MATCH_RECOGNIZE (MEASURES CLASSIFIER() AS c PATTERN (X*) DEFINE X AS true) t2));
error: NESTED_ROW_PATTERN_RECOGNITION line 1:119: nested row pattern recognition in row pattern recognition
SELECT m OVER (MEASURES CLASSIFIER() AS m ROWS BETWEEN CURRENT ROW AND 5 FOLLOWING PATTERN (A+) DEFINE A AS EXISTS (SELECT c FROM (VALUES 2) t(a) MATCH_RECOGNIZE (MEASURES CLASSIFIER() AS c PATTERN (X*) DEFINE X AS true) t2)) FROM nation;
error: NESTED_ROW_PATTERN_RECOGNITION line 1:131: nested row pattern recognition in row pattern recognition
WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 2 FROM t MATCH_RECOGNIZE (MEASURES CLASSIFIER() AS c PATTERN (X*) DEFINE X AS true) WHERE n < 6) SELECT * FROM t;
error: NESTED_ROW_PATTERN_RECOGNITION line 1:62: nested row pattern recognition in recursive query
WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + m OVER w FROM t WHERE n < 6 WINDOW w AS (MEASURES X.n AS m ROWS BETWEEN CURRENT ROW AND 5 FOLLOWING PATTERN (X*) DEFINE X AS true)) SELECT * FROM t;
error: NESTED_ROW_PATTERN_RECOGNITION line 1:164: nested row pattern recognition in recursive query
SELECT * FROM (VALUES 1) MATCH_RECOGNIZE (MEASURES CLASSIFIER() AS c PATTERN (A B+) DEFINE B AS classy OVER (MEASURES CLASSIFIER() AS classy ROWS BETWEEN CURRENT ROW AND 5 FOLLOWING PATTERN (X+) DEFINE X AS true) > 'Z');
error: NESTED_ROW_PATTERN_RECOGNITION line 1:192: nested row pattern recognition in row pattern recognition
SELECT m OVER (MEASURES classy OVER (MEASURES CLASSIFIER() AS classy ROWS BETWEEN CURRENT ROW AND 5 FOLLOWING PATTERN (X+) DEFINE X AS true) > 'Z' AS m ROWS BETWEEN CURRENT ROW AND 5 FOLLOWING PATTERN (A+) DEFINE A AS true) FROM nation;
error: NESTED_WINDOW line 1:25: Cannot nest window functions or row pattern measures inside window specification
SELECT m OVER (MEASURES CLASSIFIER() AS m ROWS BETWEEN CURRENT ROW AND 5 FOLLOWING PATTERN (A+) DEFINE A AS classy OVER (MEASURES CLASSIFIER() AS classy ROWS BETWEEN CURRENT ROW AND 5 FOLLOWING PATTERN (X+) DEFINE X AS true) > 'Z') FROM nation;
error: NESTED_WINDOW line 1:109: Cannot nest window functions or row pattern measures inside window specification
-- Subqueries see neither labels nor the rows of the match.
SELECT * FROM (VALUES 1) t(x) MATCH_RECOGNIZE (MEASURES (SELECT 1) AS c PATTERN (A B*) DEFINE B AS (SELECT true));
expect: [[1]]
SELECT * FROM (VALUES 1) t(x) MATCH_RECOGNIZE (MEASURES (SELECT A.x) AS c PATTERN (A B+) DEFINE B AS true);
error: COLUMN_NOT_FOUND line 1:65: Column 'a.x' cannot be resolved
SELECT * FROM (VALUES 1) t(x) MATCH_RECOGNIZE (MEASURES 1 AS c PATTERN (A B+) DEFINE B AS (SELECT A.x > 5));
error: COLUMN_NOT_FOUND line 1:99: Column 'a.x' cannot be resolved
SELECT * FROM (VALUES 1) t(x) MATCH_RECOGNIZE (MEASURES 1 AS c PATTERN (A B+) DEFINE B AS A.x IN (SELECT 1));
error: NOT_SUPPORTED line 1:91: IN-PREDICATE with labeled column reference is not yet supported
SELECT * FROM (VALUES 1) t(x) MATCH_RECOGNIZE (MEASURES 1 AS c PATTERN (A B+) DEFINE B AS LAST(x) IN (SELECT 1));
error: NOT_SUPPORTED line 1:91: IN-PREDICATE with last function is not yet supported
SELECT * FROM (VALUES 1) t(x) MATCH_RECOGNIZE (MEASURES 1 AS c PATTERN (A B+) DEFINE B AS CLASSIFIER() IN (SELECT 1));
error: NOT_SUPPORTED line 1:91: IN-PREDICATE with classifier function is not yet supported
SELECT * FROM (VALUES 1) t(x) MATCH_RECOGNIZE (MEASURES 1 AS c PATTERN (A B+) DEFINE B AS MATCH_NUMBER() IN (SELECT 1));
error: NOT_SUPPORTED line 1:91: IN-PREDICATE with match_number function is not yet supported
-- Calls.
SELECT m.measure FROM (VALUES (1, 1, 9), (1, 2, 8)) ticker(symbol, tradeday, price) MATCH_RECOGNIZE (ORDER BY tradeday MEASURES LAST(tradeday) OVER () AS measure PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS true) AS m;
error: NESTED_WINDOW line 1:129: Cannot nest window functions or row pattern measures inside pattern recognition expressions
SELECT m.measure FROM (VALUES (1, 1, 9), (1, 2, 8)) ticker(symbol, tradeday, price) MATCH_RECOGNIZE (ORDER BY tradeday MEASURES true AS measure PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS CLASSIFIER(tradeday) OVER () > 0) AS m;
error: NESTED_WINDOW line 1:190: Cannot nest window functions or row pattern measures inside pattern recognition expressions
SELECT m.measure FROM (VALUES (1, 1, 9), (1, 2, 8)) ticker(symbol, tradeday, price) MATCH_RECOGNIZE (ORDER BY tradeday MEASURES LAST(tradeday ORDER BY tradeday) AS measure PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS true) AS m;
error: INVALID_PATTERN_RECOGNITION_FUNCTION line 1:129: Cannot use ORDER BY with last pattern recognition function
SELECT m.measure FROM (VALUES (1, 1, 9), (1, 2, 8)) ticker(symbol, tradeday, price) MATCH_RECOGNIZE (ORDER BY tradeday MEASURES true AS measure PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS CLASSIFIER(tradeday) FILTER (WHERE true) > 0) AS m;
error: INVALID_PATTERN_RECOGNITION_FUNCTION line 1:190: Cannot use FILTER with classifier pattern recognition function
SELECT m.measure FROM (VALUES (1, 1, 9), (1, 2, 8)) ticker(symbol, tradeday, price) MATCH_RECOGNIZE (ORDER BY tradeday MEASURES true AS measure PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS CLASSIFIER(DISTINCT tradeday) > 0) AS m;
error: INVALID_PATTERN_RECOGNITION_FUNCTION line 1:190: Cannot use DISTINCT with classifier pattern recognition function
SELECT m.measure FROM (VALUES (1, 1, 9), (1, 2, 8)) ticker(symbol, tradeday, price) MATCH_RECOGNIZE (ORDER BY tradeday MEASURES true AS measure PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS "PREV"(price) > 0) AS m;
error: FUNCTION_NOT_FOUND line 1:190: Function 'prev' not registered
SELECT m.measure FROM (VALUES (1, 1, 9), (1, 2, 8)) ticker(symbol, tradeday, price) MATCH_RECOGNIZE (ORDER BY tradeday MEASURES true AS measure PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS "FIRST"(price) > 0) AS m;
error: FUNCTION_NOT_FOUND line 1:190: Function 'first' not registered
SELECT m.measure FROM (VALUES (1, 1, 9), (1, 2, 8)) ticker(symbol, tradeday, price) MATCH_RECOGNIZE (ORDER BY tradeday MEASURES true AS measure PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS "CLASSIFIER"() > 0) AS m;
error: FUNCTION_NOT_FOUND line 1:190: Function 'classifier' not registered
SELECT m.measure FROM (VALUES (1, 1, 9), (1, 2, 8)) ticker(symbol, tradeday, price) MATCH_RECOGNIZE (ORDER BY tradeday MEASURES true AS measure PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS "MATCH_NUMBER"() > 0) AS m;
error: FUNCTION_NOT_FOUND line 1:190: Function 'match_number' not registered
SELECT m.measure FROM (VALUES (1, 1, 9), (1, 2, 8)) ticker(symbol, tradeday, price) MATCH_RECOGNIZE (ORDER BY tradeday MEASURES FINAL PREV(tradeday) AS measure PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS true) AS m;
error: INVALID_PROCESSING_MODE line 1:129: FINAL semantics is not supported with prev pattern recognition function
SELECT m.measure FROM (VALUES (1, 1, 9), (1, 2, 8)) ticker(symbol, tradeday, price) MATCH_RECOGNIZE (ORDER BY tradeday MEASURES FINAL NEXT(tradeday) AS measure PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS true) AS m;
error: INVALID_PROCESSING_MODE line 1:129: FINAL semantics is not supported with next pattern recognition function
SELECT m.measure FROM (VALUES (1, 1, 9), (1, 2, 8)) ticker(symbol, tradeday, price) MATCH_RECOGNIZE (ORDER BY tradeday MEASURES FINAL CLASSIFIER(tradeday) AS measure PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS true) AS m;
error: INVALID_PROCESSING_MODE line 1:129: FINAL semantics is not supported with classifier pattern recognition function
SELECT m.measure FROM (VALUES (1, 1, 9), (1, 2, 8)) ticker(symbol, tradeday, price) MATCH_RECOGNIZE (ORDER BY tradeday MEASURES FINAL MATCH_NUMBER(tradeday) AS measure PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS true) AS m;
error: INVALID_PROCESSING_MODE line 1:129: FINAL semantics is not supported with match_number pattern recognition function
SELECT m.measure FROM (VALUES (1, 1, 9), (1, 2, 8)) ticker(symbol, tradeday, price) MATCH_RECOGNIZE (ORDER BY tradeday MEASURES FINAL lower(tradeday) AS measure PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS true) AS m;
error: INVALID_PROCESSING_MODE line 1:129: FINAL semantics is supported only for FIRST(), LAST() and aggregation functions. Actual: lower
SELECT FINAL avg(x) FROM (VALUES 1) t(x);
error: INVALID_PROCESSING_MODE line 1:8: FINAL semantics is not supported out of pattern recognition context
SELECT m.measure FROM (VALUES (1, 1, 9), (1, 2, 8)) ticker(symbol, tradeday, price) MATCH_RECOGNIZE (ORDER BY tradeday MEASURES true AS measure PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS FINAL avg(A.price) > 5) AS m;
error: INVALID_PROCESSING_MODE line 1:190: FINAL semantics is not supported in DEFINE clause
SELECT m.measure FROM (VALUES (1, 1, 9), (1, 2, 8)) ticker(symbol, tradeday, price) MATCH_RECOGNIZE (ORDER BY tradeday MEASURES PREV(tradeday, 1, 'another') AS measure PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS true) AS m;
error: INVALID_FUNCTION_ARGUMENT line 1:129: prev pattern recognition function requires 1 or 2 arguments
SELECT m.measure FROM (VALUES (1, 1, 9), (1, 2, 8)) ticker(symbol, tradeday, price) MATCH_RECOGNIZE (ORDER BY tradeday MEASURES PREV(tradeday, 'text') AS measure PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS true) AS m;
error: INVALID_FUNCTION_ARGUMENT line 1:129: prev pattern recognition navigation function requires a number as the second argument
SELECT m.measure FROM (VALUES (1, 1, 9), (1, 2, 8)) ticker(symbol, tradeday, price) MATCH_RECOGNIZE (ORDER BY tradeday MEASURES PREV(tradeday, -5) AS measure PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS true) AS m;
error: NUMERIC_VALUE_OUT_OF_RANGE line 1:129: prev pattern recognition navigation function requires a non-negative number as the second argument (actual: -5)
SELECT m.measure FROM (VALUES (1, 1, 9), (1, 2, 8)) ticker(symbol, tradeday, price) MATCH_RECOGNIZE (ORDER BY tradeday MEASURES PREV(tradeday, 3000000000) AS measure PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS true) AS m;
error: NUMERIC_VALUE_OUT_OF_RANGE line 1:129: The second argument of prev pattern recognition navigation function must not exceed 2147483647 (actual: 3000000000)
SELECT m.measure FROM (VALUES (1, 1, 9), (1, 2, 8)) ticker(symbol, tradeday, price) MATCH_RECOGNIZE (ORDER BY tradeday MEASURES LAST(NEXT(tradeday, 2)) AS measure PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS true) AS m;
error: INVALID_NAVIGATION_NESTING line 1:134: Cannot nest next pattern navigation function inside last pattern navigation function
SELECT m.measure FROM (VALUES (1, 1, 9), (1, 2, 8)) ticker(symbol, tradeday, price) MATCH_RECOGNIZE (ORDER BY tradeday MEASURES PREV(NEXT(tradeday, 2)) AS measure PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS true) AS m;
error: INVALID_NAVIGATION_NESTING line 1:134: Cannot nest next pattern navigation function inside prev pattern navigation function
SELECT m.measure FROM (VALUES (1, 1, 9), (1, 2, 8)) ticker(symbol, tradeday, price) MATCH_RECOGNIZE (ORDER BY tradeday MEASURES PREV(LAST(tradeday, 2) + LAST(tradeday, 3)) AS measure PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS true) AS m;
error: INVALID_NAVIGATION_NESTING line 1:154: Cannot nest multiple pattern navigation functions inside prev pattern navigation function
SELECT m.measure FROM (VALUES (1, 1, 9), (1, 2, 8)) ticker(symbol, tradeday, price) MATCH_RECOGNIZE (ORDER BY tradeday MEASURES PREV(LAST(tradeday, 2) + 5) AS measure PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS true) AS m;
error: INVALID_NAVIGATION_NESTING line 1:134: Immediate nesting is required for pattern navigation functions
SELECT m.measure FROM (VALUES (1, 1, 9), (1, 2, 8)) ticker(symbol, tradeday, price) MATCH_RECOGNIZE (ORDER BY tradeday MEASURES PREV(avg(price) + 5) AS measure PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS true) AS m;
error: NESTED_AGGREGATION line 1:134: Cannot nest avg aggregate function inside prev function
SELECT m.measure FROM (VALUES (1, 1, 9), (1, 2, 8)) ticker(symbol, tradeday, price) MATCH_RECOGNIZE (ORDER BY tradeday MEASURES PREV(LAST('no_column')) AS measure PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS true) AS m;
error: INVALID_ARGUMENTS line 1:134: Pattern navigation function last must contain at least one column reference or CLASSIFIER()
SELECT m.measure FROM (VALUES (1, 1, 9), (1, 2, 8)) ticker(symbol, tradeday, price) MATCH_RECOGNIZE (ORDER BY tradeday MEASURES PREV(LAST(A.tradeday + price)) AS measure PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS true) AS m;
error: INVALID_ARGUMENTS line 1:139: Column references inside argument of function last must all either be prefixed with the same label or be not prefixed
SELECT m.measure FROM (VALUES (1, 1, 9), (1, 2, 8)) ticker(symbol, tradeday, price) MATCH_RECOGNIZE (ORDER BY tradeday MEASURES PREV(LAST(A.tradeday + B.price)) AS measure PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS true) AS m;
error: INVALID_ARGUMENTS line 1:139: Column references inside argument of function last must all either be prefixed with the same label or be not prefixed
SELECT m.measure FROM (VALUES (1, 1, 9), (1, 2, 8)) ticker(symbol, tradeday, price) MATCH_RECOGNIZE (ORDER BY tradeday MEASURES PREV(LAST(concat(CLASSIFIER(A), CLASSIFIER()))) AS measure PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS true) AS m;
error: INVALID_ARGUMENTS line 1:134: CLASSIFIER() calls inside argument of function last must all either have the same label as the argument or have no arguments
SELECT m.measure FROM (VALUES (1, 1, 9), (1, 2, 8)) ticker(symbol, tradeday, price) MATCH_RECOGNIZE (ORDER BY tradeday MEASURES PREV(LAST(concat(CLASSIFIER(A), CLASSIFIER(B)))) AS measure PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS true) AS m;
error: INVALID_ARGUMENTS line 1:134: CLASSIFIER() calls inside argument of function last must all either have the same label as the argument or have no arguments
SELECT m.measure FROM (VALUES (1, 1, 9), (1, 2, 8)) ticker(symbol, tradeday, price) MATCH_RECOGNIZE (ORDER BY tradeday MEASURES PREV(LAST(tradeday + length(CLASSIFIER(B)))) AS measure PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS true) AS m;
error: INVALID_ARGUMENTS line 1:134: Column references inside argument of function last must all be prefixed with the same label that all CLASSIFIER() calls have as the argument
SELECT m.measure FROM (VALUES (1, 1, 9), (1, 2, 8)) ticker(symbol, tradeday, price) MATCH_RECOGNIZE (ORDER BY tradeday MEASURES PREV(LAST(A.tradeday + length(CLASSIFIER(B)))) AS measure PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS true) AS m;
error: INVALID_ARGUMENTS line 1:134: Column references inside argument of function last must all be prefixed with the same label that all CLASSIFIER() calls have as the argument
SELECT m.measure FROM (VALUES (1, 1, 9), (1, 2, 8)) ticker(symbol, tradeday, price) MATCH_RECOGNIZE (ORDER BY tradeday MEASURES PREV(LAST(A.tradeday + length(CLASSIFIER()))) AS measure PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS true) AS m;
error: INVALID_ARGUMENTS line 1:134: Column references inside argument of function last must all be prefixed with the same label that all CLASSIFIER() calls have as the argument
SELECT m.measure FROM (VALUES (1, 1, 9), (1, 2, 8)) ticker(symbol, tradeday, price) MATCH_RECOGNIZE (ORDER BY tradeday MEASURES PREV(LAST(length(CLASSIFIER(A)) + A.tradeday + 1)) + length(CLASSIFIER(B)) + price + U.price AS measure PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS true) AS m;
expect: [[null]]
SELECT m.measure FROM (VALUES (1, 1, 9), (1, 2, 8)) ticker(symbol, tradeday, price) MATCH_RECOGNIZE (ORDER BY tradeday MEASURES CLASSIFIER(A.x) AS measure PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS true) AS m;
error: TYPE_MISMATCH line 1:140: CLASSIFIER function argument should be primary pattern variable or subset name. Actual: DereferenceExpression
SELECT m.measure FROM (VALUES (1, 1, 9), (1, 2, 8)) ticker(symbol, tradeday, price) MATCH_RECOGNIZE (ORDER BY tradeday MEASURES CLASSIFIER("$") AS measure PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS true) AS m;
error: INVALID_FUNCTION_ARGUMENT line 1:140: $ is not a primary pattern variable or subset name
-- Aggregates.
SELECT m.measure FROM (VALUES (1, 1, 9), (1, 2, 8)) ticker(symbol, tradeday, price) MATCH_RECOGNIZE (ORDER BY tradeday MEASURES max(price) OVER () AS measure PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS true) AS m;
error: NESTED_WINDOW line 1:129: Cannot nest window functions or row pattern measures inside pattern recognition expressions
SELECT m.measure FROM (VALUES (1, 1, 9), (1, 2, 8)) ticker(symbol, tradeday, price) MATCH_RECOGNIZE (ORDER BY tradeday MEASURES max(price) FILTER (WHERE true) AS measure PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS true) AS m;
error: NOT_SUPPORTED line 1:129: Cannot use FILTER with max aggregate function in pattern recognition context
SELECT m.measure FROM (VALUES (1, 1, 9), (1, 2, 8)) ticker(symbol, tradeday, price) MATCH_RECOGNIZE (ORDER BY tradeday MEASURES LISTAGG(price) WITHIN GROUP (ORDER BY tradeday) AS measure PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS true) AS m;
error: NOT_SUPPORTED line 1:129: Cannot use ORDER BY with listagg aggregate function in pattern recognition context
SELECT m.measure FROM (VALUES (1, 1, 9), (1, 2, 8)) ticker(symbol, tradeday, price) MATCH_RECOGNIZE (ORDER BY tradeday MEASURES true AS measure PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS LISTAGG(price) WITHIN GROUP (ORDER BY tradeday) IS NOT NULL) AS m;
error: NOT_SUPPORTED line 1:190: Cannot use ORDER BY with listagg aggregate function in pattern recognition context
SELECT m.measure FROM (VALUES (1, 1, 9), (1, 2, 8)) ticker(symbol, tradeday, price) MATCH_RECOGNIZE (ORDER BY tradeday MEASURES max(1 + min(price)) AS measure PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS true) AS m;
error: NESTED_AGGREGATION line 1:137: Cannot nest min aggregate function inside max function
SELECT m.measure FROM (VALUES (1, 1, 9), (1, 2, 8)) ticker(symbol, tradeday, price) MATCH_RECOGNIZE (ORDER BY tradeday MEASURES max(1 + LAST(price)) AS measure PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS true) AS m;
error: INVALID_NAVIGATION_NESTING line 1:137: Cannot nest last pattern navigation function inside max function
SELECT m.measure FROM (VALUES (1, 1, 9), (1, 2, 8)) ticker(symbol, tradeday, price) MATCH_RECOGNIZE (ORDER BY tradeday MEASURES count(B.price < 5 OR price > 5) AS measure PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS true) AS m;
error: INVALID_ARGUMENTS line 1:135: Column references inside argument of function count must all either be prefixed with the same label or be not prefixed
SELECT m.measure FROM (VALUES (1, 1, 9), (1, 2, 8)) ticker(symbol, tradeday, price) MATCH_RECOGNIZE (ORDER BY tradeday MEASURES count(B.price < 5 OR A.price > 5) AS measure PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS true) AS m;
error: INVALID_ARGUMENTS line 1:135: Column references inside argument of function count must all either be prefixed with the same label or be not prefixed
SELECT m.measure FROM (VALUES (1, 1, 9), (1, 2, 8)) ticker(symbol, tradeday, price) MATCH_RECOGNIZE (ORDER BY tradeday MEASURES count(CLASSIFIER(A) < 'X' OR CLASSIFIER(B) > 'Y') AS measure PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS true) AS m;
error: INVALID_ARGUMENTS line 1:129: CLASSIFIER() calls inside argument of function count must all either have the same label as the argument or have no arguments
SELECT m.measure FROM (VALUES (1, 1, 9), (1, 2, 8)) ticker(symbol, tradeday, price) MATCH_RECOGNIZE (ORDER BY tradeday MEASURES count(price < 5 OR CLASSIFIER(B) > 'Y') AS measure PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS true) AS m;
error: INVALID_ARGUMENTS line 1:129: Column references inside argument of function count must all be prefixed with the same label that all CLASSIFIER() calls have as the argument
SELECT m.measure FROM (VALUES (1, 1, 9), (1, 2, 8)) ticker(symbol, tradeday, price) MATCH_RECOGNIZE (ORDER BY tradeday MEASURES count(A.price < 5 OR CLASSIFIER(B) > 'Y') AS measure PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS true) AS m;
error: INVALID_ARGUMENTS line 1:129: Column references inside argument of function count must all be prefixed with the same label that all CLASSIFIER() calls have as the argument
SELECT m.measure FROM (VALUES (1, 1, 9), (1, 2, 8)) ticker(symbol, tradeday, price) MATCH_RECOGNIZE (ORDER BY tradeday MEASURES max_by(U.price, A.price) AS measure PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS true) AS m;
error: INVALID_ARGUMENTS line 1:129: All aggregate function arguments must apply to rows matched with the same label
SELECT m.measure FROM (VALUES (1, 1, 9), (1, 2, 8)) ticker(symbol, tradeday, price) MATCH_RECOGNIZE (ORDER BY tradeday MEASURES max_by(A.symbol, A.price + B.price) AS measure PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS true) AS m;
error: INVALID_ARGUMENTS line 1:146: Column references inside argument of function max_by must all either be prefixed with the same label or be not prefixed
SELECT m.measure FROM (VALUES (1, 1, 9), (1, 2, 8)) ticker(symbol, tradeday, price) MATCH_RECOGNIZE (ORDER BY tradeday MEASURES count() AS measure PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS true) AS m;
expect: [[2]]
SELECT m.measure FROM (VALUES (1, 1, 9), (1, 2, 8)) ticker(symbol, tradeday, price) MATCH_RECOGNIZE (ORDER BY tradeday MEASURES count(symbol) AS measure PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS true) AS m;
expect: [[2]]
SELECT m.measure FROM (VALUES (1, 1, 9), (1, 2, 8)) ticker(symbol, tradeday, price) MATCH_RECOGNIZE (ORDER BY tradeday MEASURES count(A.symbol) AS measure PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS true) AS m;
expect: [[1]]
SELECT m.measure FROM (VALUES (1, 1, 9), (1, 2, 8)) ticker(symbol, tradeday, price) MATCH_RECOGNIZE (ORDER BY tradeday MEASURES count(U.symbol) AS measure PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS true) AS m;
expect: [[2]]
SELECT m.measure FROM (VALUES (1, 1, 9), (1, 2, 8)) ticker(symbol, tradeday, price) MATCH_RECOGNIZE (ORDER BY tradeday MEASURES count(CLASSIFIER()) AS measure PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS true) AS m;
expect: [[2]]
SELECT m.measure FROM (VALUES (1, 1, 9), (1, 2, 8)) ticker(symbol, tradeday, price) MATCH_RECOGNIZE (ORDER BY tradeday MEASURES count(CLASSIFIER(A)) AS measure PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS true) AS m;
expect: [[1]]
SELECT m.measure FROM (VALUES (1, 1, 9), (1, 2, 8)) ticker(symbol, tradeday, price) MATCH_RECOGNIZE (ORDER BY tradeday MEASURES count(price < 5 OR CLASSIFIER() > 'X') AS measure PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS true) AS m;
expect: [[2]]
SELECT m.measure FROM (VALUES (1, 1, 9), (1, 2, 8)) ticker(symbol, tradeday, price) MATCH_RECOGNIZE (ORDER BY tradeday MEASURES count(B.price < 5 OR CLASSIFIER(B) > 'X') AS measure PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS true) AS m;
expect: [[1]]
SELECT m.measure FROM (VALUES (1, 1, 9), (1, 2, 8)) ticker(symbol, tradeday, price) MATCH_RECOGNIZE (ORDER BY tradeday MEASURES max_by(A.price, A.symbol) AS measure PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS true) AS m;
expect: [[9]]
SELECT m.measure FROM (VALUES (1, 1, 9), (1, 2, 8)) ticker(symbol, tradeday, price) MATCH_RECOGNIZE (ORDER BY tradeday MEASURES max_by(1, 1) AS measure PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS true) AS m;
expect: [[1]]
SELECT m.measure FROM (VALUES (1, 1, 9), (1, 2, 8)) ticker(symbol, tradeday, price) MATCH_RECOGNIZE (ORDER BY tradeday MEASURES max_by(1, A.price) AS measure PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS true) AS m;
expect: [[1]]
SELECT m.measure FROM (VALUES (1, 1, 9), (1, 2, 8)) ticker(symbol, tradeday, price) MATCH_RECOGNIZE (ORDER BY tradeday MEASURES RUNNING count(A.*) AS measure PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS true) AS m;
expect: [[1]]
SELECT m.measure FROM (VALUES (1, 1, 9), (1, 2, 8)) ticker(symbol, tradeday, price) MATCH_RECOGNIZE (ORDER BY tradeday MEASURES FINAL count(U.*) AS measure PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS true) AS m;
expect: [[2]]
SELECT m.measure FROM (VALUES (1, 1, 9), (1, 2, 8)) ticker(symbol, tradeday, price) MATCH_RECOGNIZE (ORDER BY tradeday MEASURES RUNNING avg(A.price) AS measure PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS true) AS m;
expect: [[9.0]]
SELECT m.measure FROM (VALUES (1, 1, 9), (1, 2, 8)) ticker(symbol, tradeday, price) MATCH_RECOGNIZE (ORDER BY tradeday MEASURES 1 AS measure PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS count() >= 0 AND count(B.*) >= 0 AND RUNNING avg(A.price) > 5) AS m;
expect: [[1]]
SELECT count(A.*) FROM (VALUES 1) t(a);
error: INVALID_FUNCTION_ARGUMENT line 1:14: label.* syntax is only supported as the only argument of row pattern count function
