-- Frame offsets of decimals count rows and groups when they have no fraction; beyond a bigint they reach everywhere
SELECT x, count(*) OVER (ORDER BY x ROWS DECIMAL '2' PRECEDING), count(*) OVER (ORDER BY x GROUPS BETWEEN DECIMAL '1' PRECEDING AND DECIMAL '99999999999999999999' FOLLOWING), count(*) OVER (ORDER BY x ROWS BETWEEN CURRENT ROW AND DECIMAL '99999999999999999999999999999999999999' FOLLOWING) FROM (VALUES 1, 2, 3, 4) t(x);
expect: [[1, 1, 4, 4], [2, 2, 4, 3], [3, 3, 3, 2], [4, 3, 2, 1]]
SELECT x, count(*) OVER (ORDER BY x ROWS y PRECEDING), count(*) OVER (ORDER BY x GROUPS BETWEEN CURRENT ROW AND y FOLLOWING) FROM (VALUES (1, DECIMAL '0'), (2, DECIMAL '9223372036854775808'), (3, DECIMAL '1'), (3, DECIMAL '9223372036854775807')) t(x, y);
expect: [[1, 1, 1], [2, 2, 3], [3, 2, 2], [3, 4, 2]]
SELECT count(*) OVER (ORDER BY x ROWS y PRECEDING) FROM (VALUES (1, DECIMAL '0'), (2, DECIMAL '-9223372036854775809')) t(x, y);
error: INVALID_WINDOW_FRAME
SELECT count(*) OVER (ORDER BY x GROUPS y PRECEDING) FROM (VALUES (1, DECIMAL '0'), (2, CAST(NULL AS decimal(38, 0)))) t(x, y);
error: INVALID_WINDOW_FRAME
SELECT count(*) OVER (ORDER BY x ROWS y PRECEDING) FROM (VALUES (1, DECIMAL '0'), (2, DECIMAL '-1')) t(x, y);
error: INVALID_WINDOW_FRAME
SELECT count(*) OVER (ORDER BY x ROWS 1.0 PRECEDING) FROM (VALUES 1, 2) t(x);
error: TYPE_MISMATCH line 1:39: Window frame ROWS start value type must be exact numeric type with scale 0 (actual decimal(2,1))
SELECT count(*) OVER (ORDER BY x ROWS BETWEEN CURRENT ROW AND 1e0 FOLLOWING) FROM (VALUES 1, 2) t(x);
error: TYPE_MISMATCH
-- A range reaches by any number from any number
SELECT x, count(*) OVER (ORDER BY x RANGE 1.5 PRECEDING), count(*) OVER (ORDER BY x RANGE BETWEEN 0.5 FOLLOWING AND DECIMAL '2' FOLLOWING) FROM (VALUES 1, 2, 3, 5) t(x);
expect: [[1, 1, 2], [2, 2, 1], [3, 2, 1], [5, 1, 0]]
SELECT x, count(*) OVER (ORDER BY x RANGE 1 PRECEDING), count(*) OVER (ORDER BY x DESC RANGE DECIMAL '0.50' PRECEDING) FROM (VALUES 1.0, 1.5, 2.1, 3.2) t(x);
expect: [["1.0", 1, 2], ["1.5", 2, 1], ["2.1", 2, 1], ["3.2", 1, 1]]
SELECT x, count(*) OVER (ORDER BY x RANGE DECIMAL '0.6' PRECEDING), count(*) OVER (ORDER BY x RANGE BETWEEN CURRENT ROW AND 99999999999999999999.5 FOLLOWING) FROM (VALUES 1e0, 1.5e0, 2.5e0, nan(), infinity()) t(x);
expect: [[1.0, 1, 3], [1.5, 2, 2], [2.5, 1, 1], ["NaN", 1, 1], ["Infinity", 1, 1]]
SELECT count(*) OVER (ORDER BY x RANGE DECIMAL '-0.1' PRECEDING) FROM (VALUES 1, 2) t(x);
error: INVALID_WINDOW_FRAME
SELECT count(*) OVER (ORDER BY x RANGE y PRECEDING) FROM (VALUES (1, 1.5), (2, NULL)) t(x, y);
error: INVALID_WINDOW_FRAME
SELECT count(*) OVER (ORDER BY x RANGE 1.5 PRECEDING) FROM (VALUES DATE '2020-01-01') t(x);
error: TYPE_MISMATCH line 1:40: Window frame RANGE value type (decimal(2,1)) not compatible with sort item type (date)
-- Instants with zones are moments like others
SELECT CAST(x AT TIME ZONE 'UTC' AS timestamp(0)), count(*) OVER (ORDER BY x RANGE INTERVAL '1' DAY PRECEDING), count(*) OVER (ORDER BY x DESC RANGE INTERVAL '1' MONTH PRECEDING) FROM (VALUES TIMESTAMP '2020-01-01 00:00:00 UTC', TIMESTAMP '2020-01-01 12:00:00 Asia/Tokyo', TIMESTAMP '2020-01-02 02:00:00 UTC', TIMESTAMP '2020-01-05 02:00:00 UTC') t(x);
expect: [["2020-01-01 00:00:00", 1, 4], ["2020-01-01 03:00:00", 2, 3], ["2020-01-02 02:00:00", 2, 2], ["2020-01-05 02:00:00", 1, 1]]
SELECT count(*) OVER (ORDER BY x RANGE 1 PRECEDING) FROM (VALUES TIMESTAMP '2020-01-01 00:00:00 UTC') t(x);
error: TYPE_MISMATCH
