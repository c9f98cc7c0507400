-- OVERLAPS: periods with their beginning, without their end.
SELECT (DATE '2020-01-01', DATE '2020-06-01') OVERLAPS (DATE '2020-05-01', DATE '2020-12-31'), (DATE '2020-01-01', DATE '2020-03-01') OVERLAPS (DATE '2020-05-01', DATE '2020-07-01'), (DATE '2020-01-01', DATE '2020-05-01') OVERLAPS (DATE '2020-05-01', DATE '2020-07-01');
expect: [[true,false,false]]
-- Two that begin together overlap; ends in the wrong order are exchanged.
SELECT (DATE '2020-05-01', DATE '2020-05-01') OVERLAPS (DATE '2020-05-01', DATE '2020-05-01'), (DATE '2020-05-01', DATE '2020-05-01') OVERLAPS (DATE '2020-05-01', DATE '2020-12-31'), (DATE '2020-06-01', DATE '2020-01-01') OVERLAPS (DATE '2020-05-01', DATE '2020-12-31');
expect: [[true,true,true]]
SELECT (DATE '2020-01-01', INTERVAL '5' MONTH) OVERLAPS (DATE '2020-05-01', INTERVAL '7' MONTH), (TIMESTAMP '2020-05-01 12:00:00', TIMESTAMP '2020-05-01 13:00:00') OVERLAPS (TIMESTAMP '2020-05-01 12:30:00.123', TIMESTAMP '2020-05-01 14:00:00.456'), (TIME '10:00:00', INTERVAL '2' HOUR) OVERLAPS (TIME '12:00:00', INTERVAL '1' HOUR);
expect: [[true,true,false]]
-- A NULL end is later than the other one, nobody knows by how much.
SELECT (CAST(NULL AS DATE), DATE '2020-06-01') OVERLAPS (DATE '2020-05-01', DATE '2020-12-31'), (DATE '2020-06-01', NULL) OVERLAPS (DATE '2020-05-01', DATE '2020-12-31'), (DATE '2020-06-01', DATE '2020-07-01') OVERLAPS (CAST(NULL AS DATE), DATE '2020-06-15'), (DATE '2020-06-01', CAST(NULL AS INTERVAL YEAR TO MONTH)) OVERLAPS (DATE '2020-05-01', INTERVAL '7' MONTH);
expect: [[true,true,true,true]]
SELECT (DATE '2021-01-01', CAST(NULL AS DATE)) OVERLAPS (DATE '2020-05-01', DATE '2020-12-31'), CAST(NULL AS ROW(DATE, DATE)) OVERLAPS (DATE '2020-05-01', DATE '2020-12-31');
expect: [[null,null]]
SELECT count(*) FROM lineitem WHERE orderkey < 5000 AND (shipdate, receiptdate) OVERLAPS (commitdate, commitdate + INTERVAL '10' DAY);
duckdb: SELECT count(*) FROM lineitem WHERE orderkey < 5000 AND (shipdate = commitdate OR (shipdate > commitdate AND shipdate < commitdate + INTERVAL 10 DAY) OR (commitdate > shipdate AND commitdate < receiptdate));
SELECT NOT (r.a, r.b) OVERLAPS (DATE '2020-01-01', DATE '2020-01-03') AND true FROM (VALUES (DATE '2020-01-03', DATE '2020-01-05')) r (a, b);
expect: [[true]]
-- The word is still a name.
SELECT overlaps.regionkey + 0 overlaps FROM nation overlaps WHERE overlaps.nationkey = 3;
duckdb: SELECT regionkey FROM nation WHERE nationkey = 3;
SELECT (DATE '2020-01-01', DATE '2020-06-01', DATE '2020-12-31') OVERLAPS (DATE '2020-05-01', DATE '2020-07-01');
error: TYPE_MISMATCH line 1:66: OVERLAPS operand must be a row of two elements: row(date, date, date)
SELECT (1, 2) OVERLAPS (3, 4);
error: TYPE_MISMATCH line 1:15: OVERLAPS period start must be a datetime: integer
SELECT (DATE '2020-01-01', VARCHAR 'not a date') OVERLAPS (DATE '2020-05-01', DATE '2020-07-01');
error: TYPE_MISMATCH line 1:50: OVERLAPS period end must be a datetime or interval: varchar
SELECT (DATE '2020-01-01', DATE '2020-06-01') OVERLAPS (DATE '2020-05-01', INTERVAL '7' MONTH);
error: TYPE_MISMATCH line 1:47: Cannot apply OVERLAPS to row(date, date) and row(date, interval year to month)
SELECT (DATE '2020-01-01', TIME '12:00:00') OVERLAPS (DATE '2020-05-01', TIME '13:00:00');
error: TYPE_MISMATCH line 1:45: Cannot apply OVERLAPS to row(date, time(0)) and row(date, time(0))
