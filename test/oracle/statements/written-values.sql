-- INSERT and UPDATE take any value of a compatible type; text is cut only where spaces are lost
CREATE TABLE memory.default.written (a bigint, b varchar(3), c char(3), d decimal(5, 2), e date, f array(varchar(2)), g real, i integer);
expect: [[true]]
INSERT INTO memory.default.written (a) VALUES 1.5;
expect: [[1]]
INSERT INTO memory.default.written (d, g) VALUES (1e0, 2e0), (12.345, 1);
expect: [[2]]
INSERT INTO memory.default.written (b, c) VALUES ('ab   ', 'ab     '), (NULL, NULL), ('abc', 'ab');
expect: [[3]]
INSERT INTO memory.default.written (b) SELECT 'x' || substr(name, 1, 1) FROM nation WHERE nationkey = 1;
expect: [[1]]
INSERT INTO memory.default.written (e) VALUES TIMESTAMP '2019-11-18 22:13:40';
expect: [[1]]
INSERT INTO memory.default.written (f) VALUES ARRAY['ab'];
expect: [[1]]
SELECT * FROM memory.default.written ORDER BY a, b, c, d, e, g;
expect: [[2, null, null, null, null, null, null, null], [null, "ab ", "ab ", null, null, null, null, null], [null, "abc", "ab ", null, null, null, null, null], [null, "xA", null, null, null, null, null, null], [null, null, null, "1.00", null, null, 2, null], [null, null, null, "12.35", null, null, 1, null], [null, null, null, null, "2019-11-18", null, null, null], [null, null, null, null, null, null, null, null], [null, null, null, null, null, ["ab"], null, null]]
INSERT INTO memory.default.written (b) VALUES 'abcd';
error: INVALID_CAST_ARGUMENT Cannot truncate non-space characters when casting from varchar(4) to varchar(3) on INSERT
INSERT INTO memory.default.written (c) VALUES 'abcd';
error: INVALID_CAST_ARGUMENT Cannot truncate non-space characters when casting from varchar(4) to char(3) on INSERT
INSERT INTO memory.default.written (b) SELECT name FROM nation;
error: INVALID_CAST_ARGUMENT Cannot truncate non-space characters when casting from varchar(25) to varchar(3) on INSERT
INSERT INTO memory.default.written (i) VALUES 3e9;
error: NUMERIC_VALUE_OUT_OF_RANGE Out of range for integer: 3.0E9
INSERT INTO memory.default.written (a) VALUES 'x';
error: TYPE_MISMATCH line 1:1: Insert query has mismatched column types: Table: [bigint], Query: [varchar(1)]
INSERT INTO memory.default.written (f) VALUES ARRAY['abc'];
error: TYPE_MISMATCH line 1:1: Insert query has mismatched column types: Table: [array(varchar(2))], Query: [array(varchar(3))]
UPDATE memory.default.written SET b = 'xy  ', a = 2.5 WHERE a = 2;
expect: [[1]]
UPDATE memory.default.written SET b = 'xyzz' WHERE a = 77;
expect: [[0]]
UPDATE memory.default.written SET b = 'xyzz' WHERE a = 3;
error: INVALID_CAST_ARGUMENT Cannot truncate non-space characters when casting from varchar(4) to varchar(3) on INSERT
SELECT a, b FROM memory.default.written WHERE a IS NOT NULL;
expect: [[3, "xy "]]
DROP TABLE memory.default.written;
expect: [[true]]
