SELECT;
error: SYNTAX_ERROR /line 1:7: mismatched input '<EOF>'\. Expecting: .*/
SELECT 1 FROM;
error: SYNTAX_ERROR /line 1:14: mismatched input '<EOF>'\. Expecting: .*/
SELECT 1 +;
error: SYNTAX_ERROR /line 1:11: mismatched input '<EOF>'\. Expecting: .*/
SELECT (1;
error: SYNTAX_ERROR /line 1:10: mismatched input '<EOF>'\. Expecting: .*/
SELECT 1);
error: SYNTAX_ERROR /line 1:9: mismatched input '\)'\. Expecting: .*/
SELECT 'abc;
error: SYNTAX_ERROR /line 1:8: mismatched input '''\. Expecting: .*/
SELECT "abc;
error: SYNTAX_ERROR /line 1:8: mismatched input '"'\. Expecting: .*/
SELECT 1 FROM t1 WHERE;
error: SYNTAX_ERROR /line 1:23: mismatched input '<EOF>'\. Expecting: .*/
SELECT * t1;
error: SYNTAX_ERROR /line 1:10: mismatched input 't1'\. Expecting: .*/
SELECT a b c FROM t1;
error: SYNTAX_ERROR /line 1:12: mismatched input 'c'\. Expecting: .*/
SELECT a FROM t1 GROUP a;
error: SYNTAX_ERROR /line 1:24: mismatched input 'a'\. Expecting: .*/
SELECT a FROM t1 ORDER a;
error: SYNTAX_ERROR /line 1:24: mismatched input 'a'\. Expecting: .*/
SELECT a FROM t1 LIMIT -1;
error: SYNTAX_ERROR /line 1:24: mismatched input '-'\. Expecting: .*/
SELECT a FROM t1 LIMIT 1.5;
error: SYNTAX_ERROR /line 1:24: mismatched input '1\.5'\. Expecting: .*/
SELECT a FROM t1 LIMIT ALL 1;
error: SYNTAX_ERROR /line 1:28: mismatched input '1'\. Expecting: .*/
SELECT a FROM t1 LIMIT 1 OFFSET 1;
error: SYNTAX_ERROR /line 1:26: mismatched input 'OFFSET'\. Expecting: .*/
SELECT CASE END;
error: SYNTAX_ERROR /line 1:13: mismatched input 'END'\. Expecting: .*/
SELECT CASE WHEN true END;
error: SYNTAX_ERROR /line 1:23: mismatched input 'END'\. Expecting: .*/
SELECT CAST(1);
error: SYNTAX_ERROR /line 1:14: mismatched input '\)'\. Expecting: .*/
SELECT CAST(1 AS);
error: SYNTAX_ERROR /line 1:17: mismatched input '\)'\. Expecting: .*/
SELECT EXTRACT(nosuch FROM DATE '2020-01-01');
error: SYNTAX_ERROR line 1:8: Invalid EXTRACT field: NOSUCH
SELECT 1 NOT 2;
error: SYNTAX_ERROR /line 1:10: mismatched input 'NOT'\. Expecting: .*/
SELECT 1 IS 2;
error: SYNTAX_ERROR /line 1:13: mismatched input '2'\. Expecting: .*/
SELECT 1 IN 2;
error: SYNTAX_ERROR /line 1:13: mismatched input '2'\. Expecting: .*/
SELECT 1 IN ();
error: SYNTAX_ERROR /line 1:14: mismatched input '\)'\. Expecting: .*/
SELECT 'a' LIKE;
error: SYNTAX_ERROR /line 1:16: mismatched input '<EOF>'\. Expecting: .*/
SELECT a.* b FROM t1 a;
error: SYNTAX_ERROR /line 1:12: mismatched input 'b'\. Expecting: .*/
SELECT * FROM t1 JOIN;
error: SYNTAX_ERROR /line 1:22: mismatched input '<EOF>'\. Expecting: .*/
SELECT * FROM t1 a b;
error: SYNTAX_ERROR /line 1:20: mismatched input 'b'\. Expecting: .*/
SELECT * FROM (t1;
error: SYNTAX_ERROR /line 1:18: mismatched input '<EOF>'\. Expecting: .*/
SELECT DISTINCT;
error: SYNTAX_ERROR /line 1:16: mismatched input '<EOF>'\. Expecting: .*/
SELECT ALL DISTINCT a FROM t1;
error: SYNTAX_ERROR /line 1:12: mismatched input 'DISTINCT'\. Expecting: .*/
SELECT @a;
error: SYNTAX_ERROR /line 1:8: mismatched input '@'\. Expecting: .*/
SELECT #;
error: SYNTAX_ERROR /line 1:8: mismatched input '#'\. Expecting: .*/
SELECT `a`;
error: SYNTAX_ERROR line 1:8: backquoted identifiers are not supported; use double quotes to quote identifiers
SELECT 1a;
error: SYNTAX_ERROR line 1:8: identifiers must not start with a digit; surround the identifier with double quotes
SELECT 0x;
error: SYNTAX_ERROR line 1:8: identifiers must not start with a digit; surround the identifier with double quotes
SELECT 1e;
error: SYNTAX_ERROR line 1:8: identifiers must not start with a digit; surround the identifier with double quotes
SELECT X'0';
error: SYNTAX_ERROR line 1:8: Binary literal must contain an even number of digits
SELECT X'0g';
error: SYNTAX_ERROR line 1:8: Binary literal can only contain hexadecimal digits
SELECT x FROM t1 y WITH;
error: SYNTAX_ERROR /line 1:20: mismatched input 'WITH'\. Expecting: .*/
WITH a SELECT 1;
error: SYNTAX_ERROR /line 1:8: mismatched input 'SELECT'\. Expecting: .*/
WITH a AS SELECT 1 SELECT 2;
error: SYNTAX_ERROR /line 1:11: mismatched input 'SELECT'\. Expecting: .*/
VALUES;
error: SYNTAX_ERROR /line 1:7: mismatched input '<EOF>'\. Expecting: .*/
VALUES ();
error: SYNTAX_ERROR /line 1:9: mismatched input '\)'\. Expecting: .*/
TABLE;
error: SYNTAX_ERROR /line 1:6: mismatched input '<EOF>'\. Expecting: .*/
FOO BAR;
error: SYNTAX_ERROR /line 1:1: mismatched input 'FOO'\. Expecting: .*/
create;
error: SYNTAX_ERROR /line 1:7: mismatched input '<EOF>'\. Expecting: .*/
DROP;
error: SYNTAX_ERROR /line 1:5: mismatched input '<EOF>'\. Expecting: .*/
ALTER TABLE t1;
error: SYNTAX_ERROR /line 1:15: mismatched input '<EOF>'\. Expecting: .*/
SHOW;
error: SYNTAX_ERROR /line 1:5: mismatched input '<EOF>'\. Expecting: .*/
SHOW nosuch;
error: SYNTAX_ERROR /line 1:6: mismatched input 'nosuch'\. Expecting: .*/
EXPLAIN;
error: SYNTAX_ERROR /line 1:8: mismatched input '<EOF>'\. Expecting: .*/
SET;
error: SYNTAX_ERROR /line 1:4: mismatched input '<EOF>'\. Expecting: .*/
SET SESSION x;
error: SYNTAX_ERROR /line 1:14: mismatched input '<EOF>'\. Expecting: .*/
USE;
error: SYNTAX_ERROR /line 1:4: mismatched input '<EOF>'\. Expecting: .*/
GRANT;
error: SYNTAX_ERROR /line 1:6: mismatched input '<EOF>'\. Expecting: .*/
CALL;
error: SYNTAX_ERROR /line 1:5: mismatched input '<EOF>'\. Expecting: .*/
CALL x;
error: SYNTAX_ERROR /line 1:7: mismatched input '<EOF>'\. Expecting: .*/
EXECUTE;
error: SYNTAX_ERROR /line 1:8: mismatched input '<EOF>'\. Expecting: .*/
PREPARE x;
error: SYNTAX_ERROR /line 1:10: mismatched input '<EOF>'\. Expecting: .*/
SELECT 1;;
error: SYNTAX_ERROR /line 1:9: mismatched input ';'\. Expecting: .*/
SELECT sum(a) OVER (ORDER a) FROM t1;
error: SYNTAX_ERROR /line 1:27: mismatched input 'a'\. Expecting: .*/
SELECT ARRAY[1;
error: SYNTAX_ERROR /line 1:15: mismatched input '<EOF>'\. Expecting: .*/
SELECT ROW(;
error: SYNTAX_ERROR /line 1:12: mismatched input '<EOF>'\. Expecting: .*/
SELECT x -> ;
error: SYNTAX_ERROR /line 1:13: mismatched input '<EOF>'\. Expecting: .*/
SELECT INTERVAL '1';
error: SYNTAX_ERROR /line 1:20: mismatched input '<EOF>'\. Expecting: .*/
SELECT INTERVAL '1' CENTURY;
error: SYNTAX_ERROR /line 1:21: mismatched input 'CENTURY'\. Expecting: .*/
SELECT TIMESTAMP 5;
error: SYNTAX_ERROR /line 1:18: mismatched input '5'\. Expecting: .*/
SELECT 1 AS 2;
error: SYNTAX_ERROR /line 1:13: mismatched input '2'\. Expecting: .*/
SELECT 1 AS 'a';
error: SYNTAX_ERROR /line 1:13: mismatched input ''a''\. Expecting: .*/
SELECT select;
error: SYNTAX_ERROR /line 1:8: mismatched input 'select'\. Expecting: .*/
SELECT from FROM t1;
error: SYNTAX_ERROR /line 1:8: mismatched input 'from'\. Expecting: .*/
SELECT "" FROM t1;
error: SYNTAX_ERROR line 1:8: Zero-length delimited identifier not allowed
SELECT a FROM "";
error: SYNTAX_ERROR line 1:15: Zero-length delimited identifier not allowed
