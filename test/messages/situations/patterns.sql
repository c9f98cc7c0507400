-- MATCH_RECOGNIZE and windows with row patterns. Wording and places are those of Trino.
SELECT * FROM t1 MATCH_RECOGNIZE (PARTITION BY a ORDER BY b MEASURES last(b) OVER () AS m PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS true);
error: NESTED_WINDOW line 1:70: Cannot nest window functions or row pattern measures inside pattern recognition expressions
SELECT * FROM t1 MATCH_RECOGNIZE (PARTITION BY a ORDER BY b MEASURES last(b) FILTER (WHERE true) AS m PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS true);
error: INVALID_PATTERN_RECOGNITION_FUNCTION line 1:70: Cannot use FILTER with last pattern recognition function
SELECT * FROM t1 MATCH_RECOGNIZE (PARTITION BY a ORDER BY b MEASURES last(b ORDER BY b) AS m PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS true);
error: INVALID_PATTERN_RECOGNITION_FUNCTION line 1:70: Cannot use ORDER BY with last pattern recognition function
SELECT * FROM t1 MATCH_RECOGNIZE (PARTITION BY a ORDER BY b MEASURES last(DISTINCT b) AS m PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS true);
error: INVALID_PATTERN_RECOGNITION_FUNCTION line 1:70: Cannot use DISTINCT with last pattern recognition function
SELECT * FROM t1 MATCH_RECOGNIZE (PARTITION BY a ORDER BY b MEASURES classifier(b) OVER () AS m PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS true);
error: NESTED_WINDOW line 1:70: Cannot nest window functions or row pattern measures inside pattern recognition expressions
SELECT * FROM t1 MATCH_RECOGNIZE (PARTITION BY a ORDER BY b MEASURES "NEXT"(b) AS m PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS true);
error: FUNCTION_NOT_FOUND line 1:70: Function 'next' not registered
SELECT * FROM t1 MATCH_RECOGNIZE (PARTITION BY a ORDER BY b MEASURES "MATCH_NUMBER"() AS m PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS true);
error: FUNCTION_NOT_FOUND line 1:70: Function 'match_number' not registered
SELECT * FROM t1 MATCH_RECOGNIZE (PARTITION BY a ORDER BY b MEASURES "classifier"() AS m PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS true);
error: FUNCTION_NOT_FOUND line 1:70: Function 'classifier' not registered
SELECT * FROM t1 MATCH_RECOGNIZE (PARTITION BY a ORDER BY b MEASURES FINAL prev(b) AS m PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS true);
error: INVALID_PROCESSING_MODE line 1:70: FINAL semantics is not supported with prev pattern recognition function
SELECT * FROM t1 MATCH_RECOGNIZE (PARTITION BY a ORDER BY b MEASURES RUNNING next(b) AS m PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS true);
error: INVALID_PROCESSING_MODE line 1:70: RUNNING semantics is not supported with next pattern recognition function
SELECT * FROM t1 MATCH_RECOGNIZE (PARTITION BY a ORDER BY b MEASURES FINAL classifier(A) AS m PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS true);
error: INVALID_PROCESSING_MODE line 1:70: FINAL semantics is not supported with classifier pattern recognition function
SELECT * FROM t1 MATCH_RECOGNIZE (PARTITION BY a ORDER BY b MEASURES FINAL match_number() AS m PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS true);
error: INVALID_PROCESSING_MODE line 1:70: FINAL semantics is not supported with match_number pattern recognition function
SELECT * FROM t1 MATCH_RECOGNIZE (PARTITION BY a ORDER BY b MEASURES FINAL lower('x') AS m PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS true);
error: INVALID_PROCESSING_MODE line 1:70: FINAL semantics is supported only for FIRST(), LAST() and aggregation functions. Actual: lower
SELECT * FROM t1 MATCH_RECOGNIZE (PARTITION BY a ORDER BY b MEASURES RUNNING abs(b) AS m PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS true);
error: INVALID_PROCESSING_MODE line 1:70: RUNNING semantics is supported only for FIRST(), LAST() and aggregation functions. Actual: abs
SELECT * FROM t1 MATCH_RECOGNIZE (PARTITION BY a ORDER BY b MEASURES prev() AS m PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS true);
error: INVALID_FUNCTION_ARGUMENT line 1:70: prev pattern recognition function requires 1 or 2 arguments
SELECT * FROM t1 MATCH_RECOGNIZE (PARTITION BY a ORDER BY b MEASURES prev(b, 1, 2) AS m PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS true);
error: INVALID_FUNCTION_ARGUMENT line 1:70: prev pattern recognition function requires 1 or 2 arguments
SELECT * FROM t1 MATCH_RECOGNIZE (PARTITION BY a ORDER BY b MEASURES next(b, 'text') AS m PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS true);
error: INVALID_FUNCTION_ARGUMENT line 1:70: next pattern recognition navigation function requires a number as the second argument
SELECT * FROM t1 MATCH_RECOGNIZE (PARTITION BY a ORDER BY b MEASURES prev(b, -5) AS m PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS true);
error: NUMERIC_VALUE_OUT_OF_RANGE line 1:70: prev pattern recognition navigation function requires a non-negative number as the second argument (actual: -5)
SELECT * FROM t1 MATCH_RECOGNIZE (PARTITION BY a ORDER BY b MEASURES last(b, 3000000000) AS m PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS true);
error: NUMERIC_VALUE_OUT_OF_RANGE line 1:70: The second argument of last pattern recognition navigation function must not exceed 2147483647 (actual: 3000000000)
SELECT * FROM t1 MATCH_RECOGNIZE (PARTITION BY a ORDER BY b MEASURES first(b, a) AS m PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS true);
error: INVALID_FUNCTION_ARGUMENT line 1:70: first pattern recognition navigation function requires a number as the second argument
SELECT * FROM t1 MATCH_RECOGNIZE (PARTITION BY a ORDER BY b MEASURES prev(*) AS m PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS true);
error: INVALID_FUNCTION_ARGUMENT line 1:70: prev pattern recognition function requires 1 or 2 arguments
SELECT * FROM t1 MATCH_RECOGNIZE (PARTITION BY a ORDER BY b MEASURES last(next(b, 2)) AS m PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS true);
error: INVALID_NAVIGATION_NESTING line 1:75: Cannot nest next pattern navigation function inside last pattern navigation function
SELECT * FROM t1 MATCH_RECOGNIZE (PARTITION BY a ORDER BY b MEASURES prev(next(b)) AS m PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS true);
error: INVALID_NAVIGATION_NESTING line 1:75: Cannot nest next pattern navigation function inside prev pattern navigation function
SELECT * FROM t1 MATCH_RECOGNIZE (PARTITION BY a ORDER BY b MEASURES prev(last(b, 2) + last(b, 3)) AS m PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS true);
error: INVALID_NAVIGATION_NESTING line 1:88: Cannot nest multiple pattern navigation functions inside prev pattern navigation function
SELECT * FROM t1 MATCH_RECOGNIZE (PARTITION BY a ORDER BY b MEASURES prev(last(b, 2) + 5) AS m PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS true);
error: INVALID_NAVIGATION_NESTING line 1:75: Immediate nesting is required for pattern navigation functions
SELECT * FROM t1 MATCH_RECOGNIZE (PARTITION BY a ORDER BY b MEASURES next(avg(b) + 5) AS m PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS true);
error: NESTED_AGGREGATION line 1:75: Cannot nest avg aggregate function inside next function
SELECT * FROM t1 MATCH_RECOGNIZE (PARTITION BY a ORDER BY b MEASURES prev(last('none')) AS m PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS true);
error: INVALID_ARGUMENTS line 1:75: Pattern navigation function last must contain at least one column reference or CLASSIFIER()
SELECT * FROM t1 MATCH_RECOGNIZE (PARTITION BY a ORDER BY b MEASURES first(1) AS m PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS true);
error: INVALID_ARGUMENTS line 1:70: Pattern navigation function first must contain at least one column reference or CLASSIFIER()
SELECT * FROM t1 MATCH_RECOGNIZE (PARTITION BY a ORDER BY b MEASURES prev(last(A.b + c)) AS m PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS true);
error: INVALID_ARGUMENTS line 1:80: Column references inside argument of function last must all either be prefixed with the same label or be not prefixed
SELECT * FROM t1 MATCH_RECOGNIZE (PARTITION BY a ORDER BY b MEASURES prev(last(A.b + B.c)) AS m PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS true);
error: INVALID_ARGUMENTS line 1:80: Column references inside argument of function last must all either be prefixed with the same label or be not prefixed
SELECT * FROM t1 MATCH_RECOGNIZE (PARTITION BY a ORDER BY b MEASURES last(concat(classifier(A), classifier())) AS m PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS true);
error: INVALID_ARGUMENTS line 1:70: CLASSIFIER() calls inside argument of function last must all either have the same label as the argument or have no arguments
SELECT * FROM t1 MATCH_RECOGNIZE (PARTITION BY a ORDER BY b MEASURES last(concat(classifier(A), classifier(B))) AS m PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS true);
error: INVALID_ARGUMENTS line 1:70: CLASSIFIER() calls inside argument of function last must all either have the same label as the argument or have no arguments
SELECT * FROM t1 MATCH_RECOGNIZE (PARTITION BY a ORDER BY b MEASURES last(b + length(classifier(B))) AS m PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS true);
error: INVALID_ARGUMENTS line 1:70: Column references inside argument of function last must all be prefixed with the same label that all CLASSIFIER() calls have as the argument
SELECT * FROM t1 MATCH_RECOGNIZE (PARTITION BY a ORDER BY b MEASURES first(A.b + length(classifier())) AS m PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS true);
error: INVALID_ARGUMENTS line 1:70: Column references inside argument of function first must all be prefixed with the same label that all CLASSIFIER() calls have as the argument
SELECT * FROM t1 MATCH_RECOGNIZE (PARTITION BY a ORDER BY b MEASURES classifier(A, B) AS m PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS true);
error: INVALID_FUNCTION_ARGUMENT line 1:70: CLASSIFIER pattern recognition function takes no arguments or 1 argument
SELECT * FROM t1 MATCH_RECOGNIZE (PARTITION BY a ORDER BY b MEASURES classifier(A.b) AS m PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS true);
error: TYPE_MISMATCH line 1:81: CLASSIFIER function argument should be primary pattern variable or subset name. Actual: DereferenceExpression
SELECT * FROM t1 MATCH_RECOGNIZE (PARTITION BY a ORDER BY b MEASURES classifier("$") AS m PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS true);
error: INVALID_FUNCTION_ARGUMENT line 1:81: $ is not a primary pattern variable or subset name
SELECT * FROM t1 MATCH_RECOGNIZE (PARTITION BY a ORDER BY b MEASURES classifier(C) AS m PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS true);
error: INVALID_FUNCTION_ARGUMENT line 1:81: C is not a primary pattern variable or subset name
SELECT * FROM t1 MATCH_RECOGNIZE (PARTITION BY a ORDER BY b MEASURES classifier(1) AS m PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS true);
error: TYPE_MISMATCH line 1:81: CLASSIFIER function argument should be primary pattern variable or subset name. Actual: LongLiteral
SELECT * FROM t1 MATCH_RECOGNIZE (PARTITION BY a ORDER BY b MEASURES classifier(*) AS m PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS true);
error: INVALID_FUNCTION_ARGUMENT line 1:70: CLASSIFIER pattern recognition function takes no arguments or 1 argument
SELECT * FROM t1 MATCH_RECOGNIZE (PARTITION BY a ORDER BY b MEASURES match_number(A) AS m PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS true);
error: INVALID_FUNCTION_ARGUMENT line 1:70: MATCH_NUMBER pattern recognition function takes no arguments
SELECT * FROM t1 MATCH_RECOGNIZE (PARTITION BY a ORDER BY b MEASURES match_number(*) AS m PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS true);
error: INVALID_FUNCTION_ARGUMENT line 1:70: MATCH_NUMBER pattern recognition function takes no arguments
SELECT * FROM t1 MATCH_RECOGNIZE (PARTITION BY a ORDER BY b MEASURES max(b) OVER () AS m PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS true);
error: NESTED_WINDOW line 1:70: Cannot nest window functions or row pattern measures inside pattern recognition expressions
SELECT * FROM t1 MATCH_RECOGNIZE (PARTITION BY a ORDER BY b MEASURES max(b) FILTER (WHERE true) AS m PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS true);
error: NOT_SUPPORTED line 1:70: Cannot use FILTER with max aggregate function in pattern recognition context
SELECT * FROM t1 MATCH_RECOGNIZE (PARTITION BY a ORDER BY b MEASURES max(b ORDER BY c) AS m PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS true);
error: NOT_SUPPORTED line 1:70: Cannot use ORDER BY with max aggregate function in pattern recognition context
SELECT * FROM t1 MATCH_RECOGNIZE (PARTITION BY a ORDER BY b MEASURES listagg(CAST(b AS varchar), ',') WITHIN GROUP (ORDER BY c) AS m PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS true);
error: NOT_SUPPORTED line 1:70: Cannot use ORDER BY with listagg aggregate function in pattern recognition context
SELECT * FROM t1 MATCH_RECOGNIZE (PARTITION BY a ORDER BY b MEASURES max(DISTINCT b) AS m PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS true);
error: NOT_SUPPORTED line 1:70: Cannot use DISTINCT with max aggregate function in pattern recognition context
SELECT * FROM t1 MATCH_RECOGNIZE (PARTITION BY a ORDER BY b MEASURES sum(*) AS m PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS true);
error: FUNCTION_NOT_FOUND line 1:70: Function 'sum' not registered
SELECT * FROM t1 MATCH_RECOGNIZE (PARTITION BY a ORDER BY b MEASURES max(1 + min(b)) AS m PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS true);
error: NESTED_AGGREGATION line 1:78: Cannot nest min aggregate function inside max function
SELECT * FROM t1 MATCH_RECOGNIZE (PARTITION BY a ORDER BY b MEASURES max(1 + last(b)) AS m PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS true);
error: INVALID_NAVIGATION_NESTING line 1:78: Cannot nest last pattern navigation function inside max function
SELECT * FROM t1 MATCH_RECOGNIZE (PARTITION BY a ORDER BY b MEASURES count(B.b < 5 OR c > 5) AS m PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS true);
error: INVALID_ARGUMENTS line 1:76: Column references inside argument of function count must all either be prefixed with the same label or be not prefixed
SELECT * FROM t1 MATCH_RECOGNIZE (PARTITION BY a ORDER BY b MEASURES count(B.b < 5 OR A.c > 5) AS m PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS true);
error: INVALID_ARGUMENTS line 1:76: Column references inside argument of function count must all either be prefixed with the same label or be not prefixed
SELECT * FROM t1 MATCH_RECOGNIZE (PARTITION BY a ORDER BY b MEASURES count(classifier(A) < 'X' OR classifier(B) > 'Y') AS m PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS true);
error: INVALID_ARGUMENTS line 1:70: CLASSIFIER() calls inside argument of function count must all either have the same label as the argument or have no arguments
SELECT * FROM t1 MATCH_RECOGNIZE (PARTITION BY a ORDER BY b MEASURES count(b < 5 OR classifier(B) > 'Y') AS m PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS true);
error: INVALID_ARGUMENTS line 1:70: Column references inside argument of function count must all be prefixed with the same label that all CLASSIFIER() calls have as the argument
SELECT * FROM t1 MATCH_RECOGNIZE (PARTITION BY a ORDER BY b MEASURES max_by(U.b, A.b) AS m PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS true);
error: INVALID_ARGUMENTS line 1:70: All aggregate function arguments must apply to rows matched with the same label
SELECT * FROM t1 MATCH_RECOGNIZE (PARTITION BY a ORDER BY b MEASURES max_by(A.b, A.c + B.d) AS m PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS true);
error: INVALID_ARGUMENTS line 1:82: Column references inside argument of function max_by must all either be prefixed with the same label or be not prefixed
SELECT * FROM t1 MATCH_RECOGNIZE (PARTITION BY a ORDER BY b MEASURES lower(A.*) AS m PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS true);
error: INVALID_FUNCTION_ARGUMENT line 1:76: label.* syntax is only supported as the only argument of row pattern count function
SELECT * FROM t1 MATCH_RECOGNIZE (PARTITION BY a ORDER BY b MEASURES count(X.*) AS m PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS true);
error: INVALID_FUNCTION_ARGUMENT line 1:76: X is not a primary pattern variable or subset name
SELECT * FROM t1 MATCH_RECOGNIZE (PARTITION BY a ORDER BY b MEASURES last(b) IGNORE NULLS AS m PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS true);
error: NULL_TREATMENT_NOT_ALLOWED line 1:70: Cannot specify null treatment clause for last pattern recognition function
SELECT * FROM t1 MATCH_RECOGNIZE (PARTITION BY a ORDER BY b MEASURES A.nosuch AS m PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS true);
error: COLUMN_NOT_FOUND line 1:70: Column nosuch prefixed with label A cannot be resolved
SELECT * FROM t1 MATCH_RECOGNIZE (PARTITION BY a ORDER BY b MEASURES A.b.c AS m PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS true);
error: TYPE_MISMATCH line 1:74: Expression b is not of type ROW
SELECT * FROM t1 MATCH_RECOGNIZE (PARTITION BY a ORDER BY b MEASURES nosuch(b) AS m PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS true);
error: FUNCTION_NOT_FOUND line 1:70: Function 'nosuch' not registered
SELECT * FROM t1 MATCH_RECOGNIZE (PARTITION BY a ORDER BY b MEASURES t1.b AS m PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS true);
error: COLUMN_NOT_FOUND line 1:70: Column 't1.b' cannot be resolved
SELECT * FROM t1 MATCH_RECOGNIZE (PARTITION BY a ORDER BY b MEASURES array_agg(b) FILTER (WHERE b > 1) AS m PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS true);
error: NOT_SUPPORTED line 1:70: Cannot use FILTER with array_agg aggregate function in pattern recognition context
SELECT * FROM t1 MATCH_RECOGNIZE (PARTITION BY a ORDER BY b MEASURES B.b IN (SELECT 1) AS m PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS true);
error: NOT_SUPPORTED line 1:70: IN-PREDICATE with labeled column reference is not yet supported
SELECT * FROM t1 MATCH_RECOGNIZE (PARTITION BY a ORDER BY b MEASURES last(b) = ANY (SELECT 1) AS m PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS true);
error: NOT_SUPPORTED line 1:70: IN-PREDICATE with last function is not yet supported
SELECT * FROM t1 MATCH_RECOGNIZE (PARTITION BY a ORDER BY b MEASURES classifier() IN (SELECT 'A') AS m PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS true);
error: NOT_SUPPORTED line 1:70: IN-PREDICATE with classifier function is not yet supported
SELECT * FROM t1 MATCH_RECOGNIZE (PARTITION BY a ORDER BY b MEASURES match_number() IN (SELECT 1) AS m PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS true);
error: NOT_SUPPORTED line 1:70: IN-PREDICATE with match_number function is not yet supported
SELECT * FROM t1 MATCH_RECOGNIZE (PARTITION BY a ORDER BY b MEASURES EXISTS (SELECT 1 FROM t2 MATCH_RECOGNIZE (MEASURES 1 AS x PATTERN (X*) DEFINE X AS true)) AS m PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS true);
error: NESTED_ROW_PATTERN_RECOGNITION line 1:92: nested row pattern recognition in row pattern recognition
SELECT * FROM t1 MATCH_RECOGNIZE (PARTITION BY a ORDER BY b MEASURES A.b AS m PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS b);
error: TYPE_MISMATCH line 1:124: Expression defining a label must be boolean (actual type: bigint)
SELECT * FROM t1 MATCH_RECOGNIZE (PARTITION BY a ORDER BY b MEASURES A.b AS m PATTERN (A B+) SUBSET U = (A, B) DEFINE C AS true);
error: INVALID_LABEL line 1:119: defined variable: C is not a primary pattern variable
SELECT * FROM t1 MATCH_RECOGNIZE (PARTITION BY a ORDER BY b MEASURES A.b AS m PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS true, B AS false);
error: INVALID_LABEL line 1:130: pattern variable with name: B is defined twice
SELECT * FROM t1 MATCH_RECOGNIZE (PARTITION BY a ORDER BY b MEASURES A.b AS m PATTERN (A B+) SUBSET U = (A, B) DEFINE A AS FINAL last(A.b) > 0);
error: INVALID_PROCESSING_MODE line 1:124: FINAL semantics is not supported in DEFINE clause
SELECT * FROM t1 MATCH_RECOGNIZE (PARTITION BY a ORDER BY b MEASURES A.b AS m PATTERN (A B+) SUBSET U = (A, B) DEFINE A AS FINAL avg(A.b) > 5);
error: INVALID_PROCESSING_MODE line 1:124: FINAL semantics is not supported in DEFINE clause
SELECT * FROM t1 MATCH_RECOGNIZE (PARTITION BY a ORDER BY b MEASURES A.b AS m PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS nosuch > 1);
error: COLUMN_NOT_FOUND line 1:124: Column 'nosuch' cannot be resolved
SELECT * FROM t1 MATCH_RECOGNIZE (PARTITION BY a ORDER BY b MEASURES A.b AS m PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS 'x');
error: TYPE_MISMATCH line 1:124: Expression defining a label must be boolean (actual type: varchar(1))
SELECT * FROM t1 MATCH_RECOGNIZE (PARTITION BY a ORDER BY b MEASURES A.b AS m PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS classifier(b) FILTER (WHERE true) > 'A');
error: INVALID_PATTERN_RECOGNITION_FUNCTION line 1:124: Cannot use FILTER with classifier pattern recognition function
SELECT * FROM t1 MATCH_RECOGNIZE (PARTITION BY a ORDER BY b MEASURES A.b AS m PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS EXISTS (SELECT 1 FROM t2 MATCH_RECOGNIZE (MEASURES 1 AS x PATTERN (X*) DEFINE X AS true)));
error: NESTED_ROW_PATTERN_RECOGNITION line 1:146: nested row pattern recognition in row pattern recognition
SELECT * FROM t1 MATCH_RECOGNIZE (PARTITION BY a ORDER BY b MEASURES A.b AS m PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS m OVER (MEASURES 1 AS m ROWS BETWEEN CURRENT ROW AND 5 FOLLOWING PATTERN (X+) DEFINE X AS true) > 1);
error: NESTED_ROW_PATTERN_RECOGNITION line 1:198: nested row pattern recognition in row pattern recognition
SELECT * FROM t1 MATCH_RECOGNIZE (PARTITION BY a ORDER BY b MEASURES 1 AS m PATTERN (A{0}) DEFINE A AS true);
error: NUMERIC_VALUE_OUT_OF_RANGE line 1:87: Pattern quantifier upper bound must be greater than or equal to 1
SELECT * FROM t1 MATCH_RECOGNIZE (PARTITION BY a ORDER BY b MEASURES 1 AS m PATTERN (A{3000000000}) DEFINE A AS true);
error: NUMERIC_VALUE_OUT_OF_RANGE line 1:87: Pattern quantifier lower bound must not exceed 2147483647
SELECT * FROM t1 MATCH_RECOGNIZE (PARTITION BY a ORDER BY b MEASURES 1 AS m PATTERN (A{3000000000,}) DEFINE A AS true);
error: NUMERIC_VALUE_OUT_OF_RANGE line 1:87: Pattern quantifier lower bound must not exceed 2147483647
SELECT * FROM t1 MATCH_RECOGNIZE (PARTITION BY a ORDER BY b MEASURES 1 AS m PATTERN (A{0,0}) DEFINE A AS true);
error: NUMERIC_VALUE_OUT_OF_RANGE line 1:87: Pattern quantifier upper bound must be greater than or equal to 1
SELECT * FROM t1 MATCH_RECOGNIZE (PARTITION BY a ORDER BY b MEASURES 1 AS m PATTERN (A{5, 3000000000}) DEFINE A AS true);
error: NUMERIC_VALUE_OUT_OF_RANGE line 1:87: Pattern quantifier upper bound must not exceed 2147483647
SELECT * FROM t1 MATCH_RECOGNIZE (PARTITION BY a ORDER BY b MEASURES 1 AS m PATTERN (A{5,1}) DEFINE A AS true);
error: INVALID_RANGE line 1:87: Pattern quantifier lower bound must not exceed upper bound
SELECT * FROM t1 MATCH_RECOGNIZE (PARTITION BY a ORDER BY b MEASURES 1 AS m PATTERN (A{,0}) DEFINE A AS true);
error: NUMERIC_VALUE_OUT_OF_RANGE line 1:87: Pattern quantifier upper bound must be greater than or equal to 1
SELECT * FROM t1 MATCH_RECOGNIZE (PARTITION BY a ORDER BY b MEASURES 1 AS m PATTERN (A{,3000000000}) DEFINE A AS true);
error: NUMERIC_VALUE_OUT_OF_RANGE line 1:87: Pattern quantifier upper bound must not exceed 2147483647
SELECT * FROM t1 MATCH_RECOGNIZE (PARTITION BY a ORDER BY b MEASURES A.b AS m ALL ROWS PER MATCH WITH UNMATCHED ROWS PATTERN ({- A -} B+) SUBSET U = (A, B) DEFINE B AS true);
error: INVALID_ROW_PATTERN line 1:127: Pattern exclusion syntax is not allowed when ALL ROWS PER MATCH WITH UNMATCHED ROWS is specified
SELECT * FROM t1 MATCH_RECOGNIZE (PARTITION BY a ORDER BY b MEASURES A.b AS m AFTER MATCH SKIP TO LAST X PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS true);
error: INVALID_LABEL line 1:104: X is not a primary or union pattern variable
SELECT * FROM t1 MATCH_RECOGNIZE (PARTITION BY a ORDER BY b MEASURES A.b AS m AFTER MATCH SKIP TO FIRST "^" PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS true);
error: INVALID_LABEL line 1:105: "^" is not a primary or union pattern variable
SELECT * FROM t1 MATCH_RECOGNIZE (PARTITION BY a ORDER BY b MEASURES A.b AS m SEEK PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS true);
error: NOT_SUPPORTED line 1:79: Pattern search modifier: SEEK is not allowed in MATCH_RECOGNIZE clause
SELECT * FROM t1 MATCH_RECOGNIZE (PARTITION BY a ORDER BY b MEASURES A.b AS m INITIAL PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS true);
error: NOT_SUPPORTED line 1:79: Pattern search modifier: INITIAL is not allowed in MATCH_RECOGNIZE clause
SELECT * FROM t1 MATCH_RECOGNIZE (PARTITION BY a ORDER BY b MEASURES A.b AS m PATTERN (A B+) SUBSET A = (B) DEFINE B AS true);
error: INVALID_LABEL line 1:101: union pattern variable name: A is a duplicate of primary pattern variable name
SELECT * FROM t1 MATCH_RECOGNIZE (PARTITION BY a ORDER BY b MEASURES A.b AS m PATTERN (A B+) SUBSET U = (A), U = (B) DEFINE B AS true);
error: INVALID_LABEL line 1:110: union pattern variable name: U is declared twice
SELECT * FROM t1 MATCH_RECOGNIZE (PARTITION BY a ORDER BY b MEASURES A.b AS m PATTERN (A B+) SUBSET U = (A, C) DEFINE B AS true);
error: INVALID_LABEL line 1:109: subset element: C is not a primary pattern variable
SELECT * FROM t1 MATCH_RECOGNIZE (PARTITION BY a ORDER BY b MEASURES 1 AS m PATTERN (PERMUTE(A, B, C, D, E, F, G, H, I, J, K)) DEFINE K AS true);
error: NOT_SUPPORTED line 1:86: Row pattern is too large: more than 100000 steps with its repetitions and permutations written out
SELECT * FROM t1 MATCH_RECOGNIZE (PARTITION BY a ORDER BY b MEASURES 1 AS m PATTERN (A{2000000}) DEFINE A AS true);
error: NOT_SUPPORTED line 1:86: Row pattern is too large: more than 100000 steps with its repetitions and permutations written out
SELECT * FROM t1 MATCH_RECOGNIZE (PARTITION BY a ORDER BY b MEASURES A.b AS m AFTER MATCH SKIP TO FIRST A PATTERN (A? B+) SUBSET U = (A, B) DEFINE A AS b < 0);
error: GENERIC_USER_ERROR AFTER MATCH SKIP failed: pattern variable is not present in match
SELECT * FROM t1 MATCH_RECOGNIZE (PARTITION BY a ORDER BY b MEASURES A.b AS m AFTER MATCH SKIP TO FIRST A PATTERN (A B*) SUBSET U = (A, B) DEFINE B AS true);
error: GENERIC_USER_ERROR AFTER MATCH SKIP failed: cannot skip to first row of match
SELECT * FROM t1 MATCH_RECOGNIZE (PARTITION BY a ORDER BY b MEASURES sum(a), 1 AS m PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS true);
error: SYNTAX_ERROR /line 1:76: mismatched input ','\. Expecting: .*/
SELECT * FROM t1 MATCH_RECOGNIZE (PATTERN (A) DEFINE A AS true);
error: TABLE_HAS_NO_COLUMNS line 1:15: pattern recognition output table has no columns
SELECT 1 FROM (VALUES 2) MATCH_RECOGNIZE (PATTERN (A B+) DEFINE B AS true);
error: TABLE_HAS_NO_COLUMNS line 1:15: pattern recognition output table has no columns
SELECT * FROM (VALUES (1, 2)) t (x, x) MATCH_RECOGNIZE (MEASURES 1 AS m PATTERN (A) DEFINE A AS true);
error: AMBIGUOUS_NAME line 1:15: ambiguous column: x in row pattern input relation
SELECT * FROM t1 MATCH_RECOGNIZE (PARTITION BY nosuch PATTERN (A) DEFINE A AS true);
error: COLUMN_NOT_FOUND line 1:48: Column nosuch is not present in the input relation
SELECT * FROM t1 MATCH_RECOGNIZE (PARTITION BY a + 1 PATTERN (A) DEFINE A AS true);
error: INVALID_COLUMN_REFERENCE line 1:50: Expected column reference. Actual: (a + 1)
SELECT * FROM t1 MATCH_RECOGNIZE (ORDER BY nosuch PATTERN (A) DEFINE A AS true);
error: COLUMN_NOT_FOUND line 1:44: Column nosuch is not present in the input relation
SELECT * FROM t1 MATCH_RECOGNIZE (ORDER BY 1 PATTERN (A) DEFINE A AS true);
error: INVALID_COLUMN_REFERENCE line 1:44: Expected column reference. Actual: 1
SELECT * FROM (SELECT approx_set(1) h) MATCH_RECOGNIZE (PARTITION BY h PATTERN (A) DEFINE A AS true);
error: TYPE_MISMATCH line 1:70: HyperLogLog is not comparable, and therefore cannot be used in PARTITION BY
SELECT * FROM (SELECT approx_set(1) h) MATCH_RECOGNIZE (ORDER BY h PATTERN (A) DEFINE A AS true);
error: TYPE_MISMATCH line 1:66: HyperLogLog is not orderable, and therefore cannot be used in ORDER BY
SELECT * FROM t1 MATCH_RECOGNIZE (DEFINE A AS true);
error: SYNTAX_ERROR /line 1:42: mismatched input 'A'\. Expecting: .*/
SELECT * FROM t1 MATCH_RECOGNIZE (PATTERN (A));
error: SYNTAX_ERROR /line 1:46: mismatched input '\)'\. Expecting: .*/
SELECT * FROM t1 MATCH_RECOGNIZE (PATTERN () DEFINE A AS true);
error: SYNTAX_ERROR /line 1:44: mismatched input '\)'\. Expecting: .*/
SELECT * FROM t1 MATCH_RECOGNIZE (MEASURES 1 PATTERN (A) DEFINE A AS true);
error: SYNTAX_ERROR /line 1:46: mismatched input 'PATTERN'\. Expecting: .*/
SELECT * FROM t1 MATCH_RECOGNIZE (PATTERN (A ||) DEFINE A AS true);
error: SYNTAX_ERROR /line 1:46: mismatched input '\|\|'\. Expecting: .*/
WITH RECURSIVE t (n) AS (SELECT 1 UNION ALL SELECT n + 2 FROM t MATCH_RECOGNIZE (MEASURES classifier() AS c PATTERN (X*) DEFINE X AS true) WHERE n < 6) SELECT * FROM t;
error: NESTED_ROW_PATTERN_RECOGNITION line 1:63: nested row pattern recognition in recursive query
WITH RECURSIVE t (n) AS (SELECT 1 UNION ALL SELECT n + m OVER w FROM t WHERE n < 6 WINDOW w AS (MEASURES X.n AS m ROWS BETWEEN CURRENT ROW AND 5 FOLLOWING PATTERN (X*) DEFINE X AS true)) SELECT * FROM t;
error: NESTED_ROW_PATTERN_RECOGNITION line 1:165: nested row pattern recognition in recursive query
SELECT FINAL avg(a) FROM t1;
error: INVALID_PROCESSING_MODE line 1:8: FINAL semantics is not supported out of pattern recognition context
SELECT count(A.*) FROM t1;
error: INVALID_FUNCTION_ARGUMENT line 1:14: label.* syntax is only supported as the only argument of row pattern count function
SELECT RUNNING abs(1);
error: INVALID_PROCESSING_MODE line 1:8: RUNNING semantics is not supported out of pattern recognition context
SELECT classifier();
error: FUNCTION_NOT_FOUND line 1:8: Function 'classifier' not registered
SELECT match_number() FROM t1;
error: FUNCTION_NOT_FOUND line 1:8: Function 'match_number' not registered
SELECT prev(a) FROM t1;
error: FUNCTION_NOT_FOUND line 1:8: Function 'prev' not registered
SELECT first(a) FROM t1;
error: FUNCTION_NOT_FOUND line 1:8: Function 'first' not registered
SELECT rank() OVER (PARTITION BY a ORDER BY b MEASURES A.c AS m ROWS BETWEEN CURRENT ROW AND 5 FOLLOWING AFTER MATCH SKIP TO NEXT ROW SEEK PATTERN (A B C) SUBSET U = (A, B)) FROM t1;
error: MISSING_VARIABLE_DEFINITIONS line 1:47: Pattern recognition requires DEFINE clause
SELECT rank() OVER (ORDER BY b MEASURES A.c AS m RANGE BETWEEN CURRENT ROW AND 5 FOLLOWING PATTERN (A) DEFINE A AS true) FROM t1;
error: INVALID_WINDOW_FRAME line 1:32: Pattern recognition requires ROWS frame type
SELECT rank() OVER (ORDER BY b MEASURES A.c AS m ROWS BETWEEN 5 PRECEDING AND 5 FOLLOWING PATTERN (A) DEFINE A AS true) FROM t1;
error: INVALID_WINDOW_FRAME line 1:32: Pattern recognition requires frame specified as BETWEEN CURRENT ROW AND ...
SELECT rank() OVER (ORDER BY b ROWS CURRENT ROW PATTERN (A) DEFINE A AS true) FROM t1;
error: INVALID_WINDOW_FRAME line 1:32: Pattern recognition requires frame specified as BETWEEN CURRENT ROW AND ...
SELECT rank() OVER (MEASURES A.c AS m ROWS BETWEEN CURRENT ROW AND 5 FOLLOWING ) FROM t1;
error: MISSING_ROW_PATTERN line 1:21: Row pattern measures require PATTERN clause
SELECT rank() OVER (ROWS BETWEEN CURRENT ROW AND 5 FOLLOWING AFTER MATCH SKIP TO NEXT ROW) FROM t1;
error: MISSING_ROW_PATTERN line 1:74: AFTER MATCH SKIP clause requires PATTERN clause
SELECT rank() OVER (ROWS BETWEEN CURRENT ROW AND 5 FOLLOWING SEEK) FROM t1;
error: MISSING_ROW_PATTERN line 1:62: SEEK modifier requires PATTERN clause
SELECT rank() OVER (ROWS BETWEEN CURRENT ROW AND 5 FOLLOWING SUBSET U = (A, B)) FROM t1;
error: MISSING_ROW_PATTERN line 1:69: Union variable definitions require PATTERN clause
SELECT rank() OVER (ROWS BETWEEN CURRENT ROW AND 5 FOLLOWING DEFINE B AS false) FROM t1;
error: MISSING_ROW_PATTERN line 1:69: Primary pattern variable definitions require PATTERN clause
SELECT rank() OVER (ROWS BETWEEN CURRENT ROW AND 5 FOLLOWING PATTERN (A B) SUBSET A = (C) DEFINE B AS false) FROM t1;
error: INVALID_LABEL line 1:83: union pattern variable name: A is a duplicate of primary pattern variable name
SELECT rank() OVER (ROWS BETWEEN CURRENT ROW AND 5 FOLLOWING PATTERN (A B) SUBSET U = (A), U = (B) DEFINE B AS false) FROM t1;
error: INVALID_LABEL line 1:92: union pattern variable name: U is declared twice
SELECT rank() OVER (ROWS BETWEEN CURRENT ROW AND 5 FOLLOWING PATTERN (A B) DEFINE C AS false) FROM t1;
error: INVALID_LABEL line 1:83: defined variable: C is not a primary pattern variable
SELECT rank() OVER (ROWS BETWEEN CURRENT ROW AND 5 FOLLOWING PATTERN (A B) DEFINE A AS true, A AS false) FROM t1;
error: INVALID_LABEL line 1:94: pattern variable with name: A is defined twice
SELECT rank() OVER (ROWS BETWEEN CURRENT ROW AND 5 FOLLOWING PATTERN (A B) DEFINE A AS FINAL last(A.b) > 0) FROM t1;
error: INVALID_PROCESSING_MODE line 1:88: FINAL semantics is not supported in DEFINE clause
SELECT rank() OVER (ROWS BETWEEN CURRENT ROW AND 5 FOLLOWING PATTERN (A{,0}) DEFINE A AS false) FROM t1;
error: NUMERIC_VALUE_OUT_OF_RANGE line 1:72: Pattern quantifier upper bound must be greater than or equal to 1
SELECT rank() OVER (ROWS BETWEEN CURRENT ROW AND 5 FOLLOWING AFTER MATCH SKIP TO FIRST C PATTERN (A B) DEFINE A AS false) FROM t1;
error: INVALID_LABEL line 1:88: C is not a primary or union pattern variable
SELECT rank() OVER (ROWS BETWEEN CURRENT ROW AND 5 FOLLOWING PATTERN (^ A B) DEFINE B AS false) FROM t1;
error: INVALID_ROW_PATTERN line 1:71: Anchor pattern syntax is not allowed in window
SELECT rank() OVER (ROWS BETWEEN CURRENT ROW AND 5 FOLLOWING PATTERN (A B $) DEFINE B AS false) FROM t1;
error: INVALID_ROW_PATTERN line 1:75: Anchor pattern syntax is not allowed in window
SELECT rank() OVER (MEASURES 1 + match_number() AS m ROWS BETWEEN CURRENT ROW AND 5 FOLLOWING PATTERN (A B) DEFINE B AS false) FROM t1;
error: INVALID_PATTERN_RECOGNITION_FUNCTION line 1:34: MATCH_NUMBER function is not supported in window
SELECT rank() OVER (ROWS BETWEEN CURRENT ROW AND 5 FOLLOWING PATTERN (A B) DEFINE B AS match_number() > 2) FROM t1;
error: INVALID_PATTERN_RECOGNITION_FUNCTION line 1:88: MATCH_NUMBER function is not supported in window
SELECT last_z OVER () FROM t1;
error: INVALID_WINDOW_MEASURE line 1:8: Measure last_z is not defined in the corresponding window
SELECT last_z OVER (MEASURES classifier() AS classy ROWS BETWEEN CURRENT ROW AND 5 FOLLOWING PATTERN (A B) DEFINE B AS true) FROM t1;
error: INVALID_WINDOW_MEASURE line 1:8: Measure last_z is not defined in the corresponding window
SELECT last_z OVER (MEASURES last(A.b) AS last_z, last(B.b) AS last_z ROWS BETWEEN CURRENT ROW AND 5 FOLLOWING PATTERN (A B) DEFINE B AS true) FROM t1;
error: AMBIGUOUS_NAME line 1:8: Measure last_z is defined more than once
SELECT "last_z" OVER (MEASURES last(A.b) AS "LAST_Z", last(B.b) AS last_z ROWS BETWEEN CURRENT ROW AND 5 FOLLOWING PATTERN (A B) DEFINE B AS true) FROM t1;
error: INVALID_WINDOW_MEASURE line 1:8: Measure last_z is not defined in the corresponding window
SELECT last_z OVER w FROM t1 WINDOW w AS ();
error: INVALID_WINDOW_MEASURE line 1:8: Measure last_z is not defined in the corresponding window
SELECT m OVER (MEASURES classifier() AS m ROWS BETWEEN CURRENT ROW AND 5 FOLLOWING PATTERN (A+) DEFINE A AS EXISTS (SELECT 1 FROM t2 MATCH_RECOGNIZE (MEASURES 1 AS x PATTERN (X*) DEFINE X AS true))) FROM t1;
error: NESTED_ROW_PATTERN_RECOGNITION line 1:131: nested row pattern recognition in row pattern recognition
SELECT m OVER (MEASURES x OVER (MEASURES 1 AS x ROWS BETWEEN CURRENT ROW AND 5 FOLLOWING PATTERN (X+) DEFINE X AS true) AS m ROWS BETWEEN CURRENT ROW AND 5 FOLLOWING PATTERN (A+) DEFINE A AS true) FROM t1;
error: NESTED_WINDOW line 1:25: Cannot nest window functions or row pattern measures inside window specification
SELECT m OVER (MEASURES 1 AS m ROWS BETWEEN CURRENT ROW AND 5 FOLLOWING PATTERN (A+) DEFINE A AS x OVER (MEASURES 1 AS x ROWS BETWEEN CURRENT ROW AND 5 FOLLOWING PATTERN (X+) DEFINE X AS true) > 1) FROM t1;
error: NESTED_WINDOW line 1:98: Cannot nest window functions or row pattern measures inside window specification
SELECT m OVER (MEASURES rank() OVER () AS m ROWS BETWEEN CURRENT ROW AND 5 FOLLOWING PATTERN (A+) DEFINE A AS true) FROM t1;
error: NESTED_WINDOW line 1:25: Cannot nest window functions or row pattern measures inside window specification
SELECT a FROM t1 WHERE m OVER (MEASURES 1 AS m ROWS BETWEEN CURRENT ROW AND 5 FOLLOWING PATTERN (A+) DEFINE A AS true) > 1;
error: EXPRESSION_NOT_SCALAR line 1:120: WHERE clause cannot contain aggregations, window functions or grouping operations: [m OVER (MEASURES 1 AS m ROWS BETWEEN CURRENT ROW AND 5 FOLLOWING PATTERN (A+) DEFINE A AS true)]
SELECT sum(m OVER (MEASURES 1 AS m ROWS BETWEEN CURRENT ROW AND 5 FOLLOWING PATTERN (A+) DEFINE A AS true)) FROM t1;
error: NESTED_WINDOW line 1:8: Cannot nest window functions or row pattern measures inside aggregation 'sum': [m OVER (MEASURES 1 AS m ROWS BETWEEN CURRENT ROW AND 5 FOLLOWING PATTERN (A+) DEFINE A AS true)]
SELECT max(m OVER (MEASURES 1 AS m ROWS BETWEEN CURRENT ROW AND 5 FOLLOWING PATTERN (A+) DEFINE A AS true)) OVER () FROM t1;
error: NESTED_WINDOW line 1:12: Cannot nest window functions or row pattern measures inside window function arguments
SELECT a FROM t1 GROUP BY m OVER (MEASURES 1 AS m ROWS BETWEEN CURRENT ROW AND 5 FOLLOWING PATTERN (A+) DEFINE A AS true);
error: EXPRESSION_NOT_SCALAR line 1:27: GROUP BY clause cannot contain aggregations, window functions or grouping operations: [m OVER (MEASURES 1 AS m ROWS BETWEEN CURRENT ROW AND 5 FOLLOWING PATTERN (A+) DEFINE A AS true)]
SELECT m OVER (MEASURES A.b AS m ROWS BETWEEN CURRENT ROW AND 5 FOLLOWING PATTERN (A+) DEFINE A AS true) FROM t1 GROUP BY a;
error: EXPRESSION_NOT_AGGREGATE line 1:25: 'A.b' must be an aggregate expression or appear in GROUP BY clause
SELECT a FROM t1 JOIN t2 ON m OVER (MEASURES 1 AS m ROWS BETWEEN CURRENT ROW AND 5 FOLLOWING PATTERN (A+) DEFINE A AS true) > 1;
error: EXPRESSION_NOT_SCALAR line 1:125: JOIN clause cannot contain aggregations, window functions or grouping operations: [m OVER (MEASURES 1 AS m ROWS BETWEEN CURRENT ROW AND 5 FOLLOWING PATTERN (A+) DEFINE A AS true)]
SELECT * FROM t1 MATCH_RECOGNIZE (PARTITION BY a ORDER BY b MEASURES min(A.*) AS m PATTERN (A B+) SUBSET U = (A, B) DEFINE B AS true);
error: INVALID_FUNCTION_ARGUMENT line 1:74: label.* syntax is only supported as the only argument of row pattern count function
SELECT rank() OVER (ROWS BETWEEN CURRENT ROW AND 5 FOLLOWING PATTERN (A X) DEFINE X AS "x".b > 0) FROM t1;
error: COLUMN_NOT_FOUND line 1:88: Column 'x.b' cannot be resolved
