SELECT (SELECT a FROM t1);
error: SUBQUERY_MULTIPLE_ROWS Scalar sub-query has returned multiple rows
SELECT (SELECT a, b FROM t1) = 1;
error: TYPE_MISMATCH line 1:30: Cannot apply operator: row(a bigint, b bigint) = integer
SELECT a FROM t1 WHERE a = (SELECT a FROM t1);
error: SUBQUERY_MULTIPLE_ROWS Scalar sub-query has returned multiple rows
SELECT a FROM t1 WHERE a = (SELECT a FROM t2 WHERE t2.b > t1.b - 100 UNION ALL SELECT 1);
error: SUBQUERY_MULTIPLE_ROWS Scalar sub-query has returned multiple rows
SELECT a FROM t1 WHERE a IN (SELECT a, b FROM t2);
error: TYPE_MISMATCH line 1:26: Value expression and result of subquery must be of the same type: row(bigint) vs row(a bigint, b bigint)
SELECT a FROM t1 WHERE (a, b) IN (SELECT a FROM t2);
error: TYPE_MISMATCH line 1:31: Value expression and result of subquery must be of the same type: row(bigint, bigint) vs row(bigint)
SELECT a FROM t1 WHERE (a, b) IN (SELECT a, b, 1 FROM t2);
error: TYPE_MISMATCH line 1:31: Value expression and result of subquery must be of the same type: row(bigint, bigint) vs row(a bigint, b bigint, integer)
SELECT a FROM t1 WHERE a IN (SELECT 'x');
error: TYPE_MISMATCH /line 1:26: .*same type.*: .*bigint.* vs .*varchar\(1\).*/
SELECT a FROM t1 WHERE a = ANY (SELECT 'x');
error: TYPE_MISMATCH /line 1:26: .*same type.*: .*bigint.* vs .*varchar\(1\).*/
SELECT a FROM t1 WHERE a < ALL (SELECT a, b FROM t2);
error: TYPE_MISMATCH line 1:26: Value expression and result of subquery must be of the same type: row(bigint) vs row(a bigint, b bigint)
SELECT a FROM t1 WHERE a > SOME (SELECT true);
error: TYPE_MISMATCH /line 1:26: .*same type.*: .*bigint.* vs .*boolean.*/
SELECT JSON '1' < ALL (SELECT JSON '1');
error: TYPE_MISMATCH /line 1:17: Type \[(row\()?json\)?\] must be orderable in order to be used in quantified comparison/
SELECT MAP(ARRAY[1], ARRAY[2]) < ALL (SELECT MAP(ARRAY[1], ARRAY[2]));
error: TYPE_MISMATCH /line 1:32: Type \[(row\()?map\(integer, integer\)\)?\] must be orderable in order to be used in quantified comparison/
SELECT CAST(NULL AS HyperLogLog) = ANY (SELECT CAST(NULL AS HyperLogLog));
error: TYPE_MISMATCH line 1:34: Type [row(HyperLogLog)] must be comparable in order to be used in quantified comparison
SELECT CAST(NULL AS HyperLogLog) IN (SELECT CAST(NULL AS HyperLogLog));
error: TYPE_MISMATCH
SELECT a FROM t1 WHERE EXISTS (SELECT nosuch FROM t2);
error: COLUMN_NOT_FOUND line 1:39: Column 'nosuch' cannot be resolved
SELECT a FROM t1 WHERE EXISTS (SELECT t1.nosuch FROM t2);
error: COLUMN_NOT_FOUND line 1:39: Column 't1.nosuch' cannot be resolved
SELECT a FROM t1 WHERE a IN (SELECT nosuch FROM t2);
error: COLUMN_NOT_FOUND line 1:37: Column 'nosuch' cannot be resolved
SELECT a FROM t1 WHERE (SELECT a) > 'x';
error: TYPE_MISMATCH line 1:35: Cannot apply operator: bigint > varchar(1)
SELECT a FROM t1 WHERE (SELECT 1);
error: TYPE_MISMATCH line 1:24: WHERE clause must evaluate to a boolean: actual type integer
SELECT a FROM t1 WHERE (SELECT 'x');
error: TYPE_MISMATCH line 1:24: WHERE clause must evaluate to a boolean: actual type varchar(1)
SELECT (SELECT a FROM t1 ORDER BY nosuch);
error: COLUMN_NOT_FOUND line 1:35: Column 'nosuch' cannot be resolved
SELECT (SELECT 1 UNION SELECT 'a');
error: TYPE_MISMATCH line 1:18: column 1 in UNION query has incompatible types: integer, varchar(1)
SELECT * FROM (SELECT 1, 2) t (a);
error: MISMATCHED_COLUMN_ALIASES line 1:15: Column alias list has 1 entries but 't' has 2 columns available
SELECT * FROM (SELECT 1, 2) t (a, b, c);
error: MISMATCHED_COLUMN_ALIASES line 1:15: Column alias list has 3 entries but 't' has 2 columns available
SELECT * FROM (SELECT 1 a) t, (SELECT t.a);
error: COLUMN_NOT_FOUND line 1:39: Column 't.a' cannot be resolved
SELECT * FROM t1 JOIN (SELECT * FROM t2 WHERE t2.a = t1.a) x ON true;
error: COLUMN_NOT_FOUND line 1:54: Column 't1.a' cannot be resolved
SELECT * FROM t1 JOIN LATERAL (SELECT t1.a) x USING (a);
error: NOT_SUPPORTED line 1:15: Correlated join with criteria other than ON is not supported
SELECT * FROM t1 RIGHT JOIN LATERAL (SELECT t1.a) x ON true;
error: INVALID_COLUMN_REFERENCE line 1:45: LATERAL reference not allowed in RIGHT JOIN
SELECT * FROM t1 FULL JOIN LATERAL (SELECT t1.a) x ON true;
error: INVALID_COLUMN_REFERENCE line 1:44: LATERAL reference not allowed in FULL JOIN
SELECT * FROM LATERAL (SELECT nosuch);
error: COLUMN_NOT_FOUND line 1:31: Column 'nosuch' cannot be resolved
SELECT * FROM t1 CROSS JOIN LATERAL (SELECT t1.nosuch);
error: COLUMN_NOT_FOUND line 1:45: Column 't1.nosuch' cannot be resolved
SELECT * FROM UNNEST(1);
error: INVALID_FUNCTION_ARGUMENT line 1:22: Cannot unnest type: integer
SELECT * FROM UNNEST('a');
error: INVALID_FUNCTION_ARGUMENT line 1:22: Cannot unnest type: varchar(1)
SELECT * FROM t1 CROSS JOIN UNNEST(t1.a);
error: INVALID_FUNCTION_ARGUMENT line 1:36: Cannot unnest type: bigint
SELECT * FROM t1 LEFT JOIN UNNEST(ARRAY[1]) x (y) ON t1.a = y;
error: NOT_SUPPORTED line 1:15: LEFT JOIN involving UNNEST is only supported with condition ON TRUE
SELECT * FROM UNNEST(ARRAY[1, 2]) t (a, b);
error: MISMATCHED_COLUMN_ALIASES line 1:15: Column alias list has 2 entries but 't' has 1 columns available
SELECT * FROM UNNEST(MAP(ARRAY[1], ARRAY[2])) t (a);
error: MISMATCHED_COLUMN_ALIASES line 1:15: Column alias list has 1 entries but 't' has 2 columns available
SELECT * FROM UNNEST(ARRAY[1]) WITH ORDINALITY t (a);
error: MISMATCHED_COLUMN_ALIASES line 1:15: Column alias list has 1 entries but 't' has 2 columns available
SELECT * FROM UNNEST();
error: SYNTAX_ERROR
SELECT * FROM UNNEST(nosuch);
error: COLUMN_NOT_FOUND line 1:22: Column 'nosuch' cannot be resolved
SELECT * FROM UNNEST(sum(1));
error: EXPRESSION_NOT_SCALAR
SELECT UNNEST(ARRAY[1]);
error: SYNTAX_ERROR
WITH a AS (SELECT nosuch) SELECT 1;
error: COLUMN_NOT_FOUND line 1:19: Column 'nosuch' cannot be resolved
WITH a AS (SELECT * FROM a) SELECT * FROM a;
error: TABLE_NOT_FOUND line 1:26: Table 'memory.s1.a' does not exist
WITH a AS (SELECT * FROM b), b AS (SELECT 1) SELECT * FROM a;
error: TABLE_NOT_FOUND line 1:26: Table 'memory.s1.b' does not exist
WITH a AS (SELECT 1), a AS (SELECT 2) SELECT * FROM a;
error: DUPLICATE_NAMED_QUERY line 1:23: WITH query name 'a' specified more than once
WITH a AS (SELECT 1) SELECT * FROM s1.a;
error: TABLE_NOT_FOUND line 1:36: Table 'memory.s1.a' does not exist
WITH a (x) AS (SELECT 1) SELECT y FROM a;
error: COLUMN_NOT_FOUND line 1:33: Column 'y' cannot be resolved
SELECT CASE WHEN (SELECT 1) THEN 2 END;
error: TYPE_MISMATCH line 1:18: CASE WHEN clause must evaluate to a boolean (actual: integer)
SELECT ARRAY[1][(SELECT 'a')];
error: TYPE_MISMATCH line 1:8: Cannot use varchar(1) for subscript of array(integer)
SELECT transform(ARRAY[1], x -> (SELECT x));
error: NOT_SUPPORTED
SELECT transform(ARRAY[1], x -> x IN (SELECT 1));
error: NOT_SUPPORTED
SELECT a FROM t1 GROUP BY a HAVING a IN (SELECT 'x');
error: TYPE_MISMATCH
SELECT a FROM t1 ORDER BY (SELECT nosuch);
error: COLUMN_NOT_FOUND line 1:35: Column 'nosuch' cannot be resolved
SELECT a FROM t1 JOIN t2 ON t1.a IN (SELECT t2.nosuch);
error: COLUMN_NOT_FOUND line 1:45: Column 't2.nosuch' cannot be resolved
SELECT a FROM t1 JOIN t2 USING (nosuch);
error: COLUMN_NOT_FOUND line 1:33: Column 'nosuch' is missing from left side of join
SELECT a FROM t1 JOIN t2 USING (c);
error: COLUMN_NOT_FOUND line 1:33: Column 'c' is missing from right side of join
SELECT t1.a FROM t1 JOIN t2 USING (a);
error: COLUMN_NOT_FOUND line 1:8: Column 't1.a' cannot be resolved
SELECT * FROM t1 JOIN t2 ON t1.a;
error: TYPE_MISMATCH line 1:29: JOIN ON clause must evaluate to a boolean: actual type bigint
SELECT * FROM t1 JOIN t2 ON t1.a = t2.nosuch;
error: COLUMN_NOT_FOUND line 1:36: Column 't2.nosuch' cannot be resolved
SELECT * FROM t1 JOIN t2 ON a = 1;
error: AMBIGUOUS_NAME line 1:29: Column 'a' is ambiguous
SELECT * FROM t1 JOIN t2 ON sum(t1.a) = 1;
error: EXPRESSION_NOT_SCALAR line 1:39: JOIN clause cannot contain aggregations, window functions or grouping operations: [sum(t1.a)]
SELECT * FROM t1 LEFT JOIN t2;
error: SYNTAX_ERROR /line 1:30: mismatched input '<EOF>'\. Expecting: .*/
SELECT * FROM t1 CROSS JOIN t2 ON true;
error: SYNTAX_ERROR /line 1:32: mismatched input 'ON'\. Expecting: .*/
SELECT * FROM t1 NATURAL JOIN t2 ON true;
error: SYNTAX_ERROR /line 1:34: mismatched input 'ON'\. Expecting: .*/
SELECT * FROM t1 JOIN t1 ON true WHERE t1.a = 1;
error: AMBIGUOUS_NAME line 1:40: Column 't1.a' is ambiguous
SELECT (SELECT (SELECT nosuch));
error: COLUMN_NOT_FOUND line 1:24: Column 'nosuch' cannot be resolved
SELECT (SELECT (SELECT x.a FROM t2) FROM t1 x) FROM t2 y;
error: SUBQUERY_MULTIPLE_ROWS Scalar sub-query has returned multiple rows
SELECT EXISTS (SELECT 1) + 1;
error: TYPE_MISMATCH line 1:26: Cannot apply operator: boolean + integer
SELECT NOT (SELECT 1);
error: TYPE_MISMATCH line 1:12: Value of logical NOT expression must evaluate to a boolean (actual: integer)
SELECT (SELECT 1) AND true;
error: TYPE_MISMATCH line 1:8: Logical expression term must evaluate to a boolean (actual: integer)
SELECT (a, b) = ANY (SELECT a FROM t2) FROM t1;
error: TYPE_MISMATCH line 1:15: Value expression and result of subquery must be of the same type: row(bigint, bigint) vs row(bigint)
WITH a AS (SELECT 1), b AS (SELECT nosuch FROM a) SELECT * FROM a;
error: COLUMN_NOT_FOUND line 1:36: Column 'nosuch' cannot be resolved
WITH a AS (SELECT 1), b (x, y) AS (SELECT 1) SELECT 1;
error: MISMATCHED_COLUMN_ALIASES line 1:26: Column alias list has 2 entries but relation has 1 columns
SELECT * FROM t1 FULL JOIN UNNEST(ARRAY[1]) x (y) ON t1.a = y;
error: NOT_SUPPORTED line 1:15: FULL JOIN involving UNNEST is only supported with condition ON TRUE
SELECT (SELECT approx_set(1)) IN (SELECT approx_set(1));
error: TYPE_MISMATCH
