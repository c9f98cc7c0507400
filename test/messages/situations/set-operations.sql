SELECT 1 UNION SELECT 'a';
error: TYPE_MISMATCH line 1:10: column 1 in UNION query has incompatible types: integer, varchar(1)
SELECT 1, 2 UNION SELECT 1;
error: TYPE_MISMATCH line 1:13: UNION query has different number of fields: 2, 1
SELECT 1 UNION ALL SELECT 'a';
error: TYPE_MISMATCH line 1:10: column 1 in UNION query has incompatible types: integer, varchar(1)
SELECT 1 INTERSECT SELECT 'a';
error: TYPE_MISMATCH line 1:10: column 1 in INTERSECT query has incompatible types: integer, varchar(1)
SELECT 1 EXCEPT SELECT 'a';
error: TYPE_MISMATCH line 1:10: column 1 in EXCEPT query has incompatible types: integer, varchar(1)
SELECT 1 INTERSECT SELECT 1, 2;
error: TYPE_MISMATCH line 1:10: INTERSECT query has different number of fields: 1, 2
SELECT 1 EXCEPT SELECT 1, 2;
error: TYPE_MISMATCH line 1:10: EXCEPT query has different number of fields: 1, 2
SELECT 1 UNION SELECT 2 UNION SELECT 'a';
error: TYPE_MISMATCH line 1:25: column 1 in UNION query has incompatible types: integer, varchar(1)
SELECT 1, 2 UNION SELECT 2, 'a';
error: TYPE_MISMATCH line 1:13: column 2 in UNION query has incompatible types: integer, varchar(1)
(SELECT 1) UNION (SELECT 'a');
error: TYPE_MISMATCH line 1:12: column 1 in UNION query has incompatible types: integer, varchar(1)
SELECT 1 EXCEPT (SELECT 2 UNION SELECT 'a');
error: TYPE_MISMATCH line 1:27: column 1 in UNION query has incompatible types: integer, varchar(1)
SELECT CAST(NULL AS HyperLogLog) UNION SELECT CAST(NULL AS HyperLogLog);
error: TYPE_MISMATCH line 1:34: Type HyperLogLog is not comparable and therefore cannot be used in UNION DISTINCT
SELECT CAST(NULL AS HyperLogLog) INTERSECT SELECT CAST(NULL AS HyperLogLog);
error: TYPE_MISMATCH line 1:34: Type HyperLogLog is not comparable and therefore cannot be used in INTERSECT
SELECT 1 UNION SELECT 2 ORDER BY x;
error: COLUMN_NOT_FOUND line 1:34: Column 'x' cannot be resolved
SELECT 1 AS x UNION SELECT 2 ORDER BY 2;
error: INVALID_COLUMN_REFERENCE line 1:39: ORDER BY position 2 is not in select list
SELECT 1 AS x UNION SELECT 2 AS y ORDER BY y;
error: COLUMN_NOT_FOUND line 1:44: Column 'y' cannot be resolved
SELECT 1 AS x UNION SELECT 2 ORDER BY sum(x);
error: EXPRESSION_NOT_SCALAR line 1:39: ORDER BY clause cannot contain aggregations, window functions or grouping operations: [sum(x)]
SELECT a FROM t1 UNION SELECT a FROM nosuch;
error: TABLE_NOT_FOUND line 1:38: Table 'memory.s1.nosuch' does not exist
SELECT a FROM t1 UNION SELECT nosuch FROM t1;
error: COLUMN_NOT_FOUND line 1:31: Column 'nosuch' cannot be resolved
TABLE nosuch UNION SELECT 1;
error: TABLE_NOT_FOUND line 1:7: Table 'memory.s1.nosuch' does not exist
VALUES 1 UNION VALUES (1, 2);
error: TYPE_MISMATCH line 1:10: UNION query has different number of fields: 1, 2
SELECT 1 UNION ORDER BY 1;
error: SYNTAX_ERROR /line 1:16: mismatched input 'ORDER'\. Expecting: .*/
SELECT 1 UNION DISTINCT ALL SELECT 1;
error: SYNTAX_ERROR /line 1:25: mismatched input 'ALL'\. Expecting: .*/
SELECT * FROM (SELECT 1 UNION SELECT 'a');
error: TYPE_MISMATCH line 1:25: column 1 in UNION query has incompatible types: integer, varchar(1)
WITH t AS (SELECT 1 UNION SELECT 'a') SELECT * FROM t;
error: TYPE_MISMATCH line 1:21: column 1 in UNION query has incompatible types: integer, varchar(1)
SELECT 1 UNION SELECT DATE '2020-01-01';
error: TYPE_MISMATCH line 1:10: column 1 in UNION query has incompatible types: integer, date
SELECT TIMESTAMP '2020-01-01 00:00:00' EXCEPT SELECT TIME '00:00:00';
error: TYPE_MISMATCH line 1:40: column 1 in EXCEPT query has incompatible types: timestamp(0), time(0)
SELECT ARRAY[1] UNION SELECT ARRAY['a'];
error: TYPE_MISMATCH line 1:17: column 1 in UNION query has incompatible types: array(integer), array(varchar(1))
SELECT ROW(1) UNION SELECT ROW(1, 2);
error: TYPE_MISMATCH line 1:15: column 1 in UNION query has incompatible types: row(integer), row(integer, integer)
