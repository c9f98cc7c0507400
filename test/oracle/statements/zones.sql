-- Times and moments with a zone: protocol reference, sections 1.11, 10.1, 10.2 and 10.4; the rules of clocks are the tz database's
-- Literals and cells (1.11)
SELECT TIMESTAMP '2001-08-22 03:04:05.321 America/Los_Angeles', TIMESTAMP '2001-08-22 03:04:05.321+07:09', TIMESTAMP '2001-08-22 03:04:05 UTC', TIMESTAMP '2001-08-22 Europe/Paris';
expect: [["2001-08-22 03:04:05.321 America/Los_Angeles", "2001-08-22 03:04:05.321 +07:09", "2001-08-22 03:04:05 UTC", "2001-08-22 00:00:00 Europe/Paris"]]
types: timestamp(3) with time zone, timestamp(3) with time zone, timestamp(0) with time zone, timestamp(0) with time zone
SELECT TIME '01:02:03', TIME '01:02:03.456', TIME '23:59', TIME '01:02:03.123456789012', TIME '01:02:03.400 -08:00', TIME '01:02+05:30';
expect: [["01:02:03", "01:02:03.456", "23:59:00", "01:02:03.123456789012", "01:02:03.400-08:00", "01:02:00+05:30"]]
types: time(0), time(3), time(0), time(12), time(3) with time zone, time(0) with time zone
SELECT TIMESTAMP '2020-01-01 00:00:00.123456 Asia/Kolkata', typeof(TIMESTAMP '2020-01-01 00:00:00.1234 +01:00'), CAST(NULL AS timestamp(6) with time zone), CAST(NULL AS time);
expect: [["2020-01-01 00:00:00.123456 Asia/Kolkata", "timestamp(4) with time zone", null, null]]
SELECT TIMESTAMP '2020-01-01 00:00:00 Mars/Base';
error: INVALID_LITERAL line 1:8: '2020-01-01 00:00:00 Mars/Base' is not a valid timestamp literal
SELECT TIMESTAMP '2020-01-01 25:00:00 UTC';
error: INVALID_LITERAL line 1:8: '2020-01-01 25:00:00 UTC' is not a valid timestamp literal
SELECT TIME '24:00:00';
error: INVALID_LITERAL line 1:8: '24:00:00' is not a valid time literal
SELECT CAST('x' AS time(13));
error: NUMERIC_VALUE_OUT_OF_RANGE TIME precision must be in range [0, 12]: 13
SELECT CAST('x' AS timestamp(13) with time zone);
error: NUMERIC_VALUE_OUT_OF_RANGE TIMESTAMP WITH TIME ZONE precision must be in range [0, 12]: 13
-- Gaps and overlaps: a time left out moves by the gap, but no literal and no text of Joda's names it; of two the earlier instant
SELECT TIMESTAMP '2020-03-08 02:30:00 America/New_York';
error: INVALID_LITERAL line 1:8: '2020-03-08 02:30:00 America/New_York' is not a valid timestamp literal
SELECT with_timezone(TIMESTAMP '2020-03-08 02:30:00', 'America/New_York'), TIMESTAMP '2020-11-01 01:30:00 America/New_York', to_unixtime(TIMESTAMP '2020-11-01 01:30:00 America/New_York'), to_unixtime(TIMESTAMP '2020-11-01 02:30:00 America/New_York');
expect: [["2020-03-08 03:30:00 America/New_York", "2020-11-01 01:30:00 America/New_York", 1604208600, 1604215800]]
-- AT TIME ZONE and its functions
SELECT TIMESTAMP '2012-10-31 01:00 UTC' AT TIME ZONE 'America/Los_Angeles', TIMESTAMP '2012-10-31 01:00 UTC' AT TIME ZONE INTERVAL '-2' HOUR, TIMESTAMP '2012-10-31 01:00' AT TIME ZONE '+05:30', TIME '23:30 +01:00' AT TIME ZONE '-02:00';
expect: [["2012-10-30 18:00:00 America/Los_Angeles", "2012-10-30 23:00:00 -02:00", "2012-10-31 06:30:00 +05:30", "20:30:00-02:00"]]
types: timestamp(0) with time zone, timestamp(0) with time zone, timestamp(0) with time zone, time(0) with time zone
SELECT at_timezone(TIMESTAMP '2020-07-01 12:00:00.5 UTC', 'Europe/Paris'), with_timezone(TIMESTAMP '2020-07-01 12:00:00.5', 'Europe/Paris'), with_timezone(TIMESTAMP '2020-03-29 02:15', 'Europe/Paris');
expect: [["2020-07-01 14:00:00.5 Europe/Paris", "2020-07-01 12:00:00.5 Europe/Paris", "2020-03-29 03:15:00 Europe/Paris"]]
SELECT at_timezone(TIMESTAMP '2020-07-01 12:00 UTC', zone) FROM (VALUES 'Asia/Tokyo', 'utc', 'GMT', '+03:00', 'UTC-05:00', 'Etc/GMT+5', 'us/eastern', 'Australia/Lord_Howe', 'Asia/Kathmandu') t(zone);
expect: [["2020-07-01 21:00:00 Asia/Tokyo"], ["2020-07-01 12:00:00 UTC"], ["2020-07-01 12:00:00 UTC"], ["2020-07-01 15:00:00 +03:00"], ["2020-07-01 07:00:00 -05:00"], ["2020-07-01 07:00:00 -05:00"], ["2020-07-01 08:00:00 US/Eastern"], ["2020-07-01 22:30:00 Australia/Lord_Howe"], ["2020-07-01 17:45:00 Asia/Kathmandu"]]
SELECT TIMESTAMP '2020-07-01 12:00 UTC' AT TIME ZONE 'Mars/Base';
error: INVALID_FUNCTION_ARGUMENT Time zone not supported: Mars/Base
SELECT at_timezone(TIMESTAMP '2020-07-01 12:00 UTC', '+14:01');
error: INVALID_FUNCTION_ARGUMENT Time zone not supported: +14:01
SELECT 1 AT TIME ZONE 'UTC';
error: TYPE_MISMATCH line 1:8: Type of value must be a time or timestamp with or without time zone (actual integer)
-- Comparison, grouping and order are those of instants
SELECT TIMESTAMP '2020-01-01 12:00 UTC' = TIMESTAMP '2020-01-01 07:00 America/New_York', TIMESTAMP '2020-01-01 12:00 UTC' < TIMESTAMP '2020-01-01 08:00 America/New_York', TIMESTAMP '2020-01-01 12:00 UTC' IS DISTINCT FROM TIMESTAMP '2020-01-01 13:00 +01:00', TIME '12:00 +01:00' = TIME '11:00 +00:00', TIME '12:00 +01:00' > TIME '11:30 +00:00';
expect: [[true, true, false, true, false]]
SELECT count(*), count(DISTINCT ts), min(ts) = max(ts) FROM (VALUES TIMESTAMP '2020-01-01 12:00 UTC', TIMESTAMP '2020-01-01 07:00 America/New_York', TIMESTAMP '2020-01-01 13:00 +01:00') t(ts);
expect: [[3, 1, true]]
SELECT ts, n FROM (VALUES (TIMESTAMP '2020-01-01 12:00 UTC', 1), (TIMESTAMP '2020-01-01 01:00 America/New_York', 2), (NULL, 3), (TIMESTAMP '2019-12-31 23:00 -12:00', 4)) t(ts, n) ORDER BY ts;
expect: [["2020-01-01 01:00:00 America/New_York", 2], ["2019-12-31 23:00:00 -12:00", 4], ["2020-01-01 12:00:00 UTC", 1], [null, 3]]
SELECT count(*) FROM (VALUES TIMESTAMP '2020-01-01 12:00 UTC') a(x) JOIN (VALUES TIMESTAMP '2020-01-01 13:00 Europe/Paris', TIMESTAMP '2020-01-01 12:00 Europe/Paris') b(y) ON x = y;
expect: [[1]]
SELECT TIMESTAMP '2020-01-01 12:00 UTC' IN (TIMESTAMP '2020-01-01 13:00 Europe/Paris', TIMESTAMP '2020-01-01 14:00 Europe/Paris'), TIMESTAMP '2020-01-01 12:00' = TIMESTAMP '2020-01-01 13:00 Europe/Paris', DATE '2020-01-01' < TIMESTAMP '2020-01-01 00:30 UTC', greatest(TIMESTAMP '2020-01-01 12:00 UTC', TIMESTAMP '2020-01-01 08:00 America/New_York');
expect: [[true, true, true, "2020-01-01 08:00:00 America/New_York"]]
-- Casts (10.2)
SELECT CAST(TIMESTAMP '2020-07-01 12:34:56.789 America/New_York' AS timestamp), CAST(TIMESTAMP '2020-07-01 22:34:56 America/New_York' AS date), CAST(TIMESTAMP '2020-07-01 12:34:56.789 America/New_York' AS time), CAST(TIMESTAMP '2020-07-01 12:34:56.789 America/New_York' AS time with time zone), CAST(TIMESTAMP '2020-07-01 12:34:56.789 America/New_York' AS varchar);
expect: [["2020-07-01 12:34:56.789", "2020-07-01", "12:34:56.789", "12:34:56.789-04:00", "2020-07-01 12:34:56.789 America/New_York"]]
SELECT CAST('2020-07-01 12:34:56.789 America/New_York' AS timestamp(0) with time zone), CAST('2020-07-01 12:34:56.789' AS timestamp with time zone), CAST('2020-07-01' AS timestamp with time zone), CAST(DATE '2020-07-01' AS timestamp with time zone), CAST(TIMESTAMP '2020-07-01 12:34:56.123456' AS timestamp with time zone);
expect: [["2020-07-01 12:34:57 America/New_York", "2020-07-01 12:34:56.789 UTC", "2020-07-01 00:00:00.000 UTC", "2020-07-01 00:00:00.000 UTC", "2020-07-01 12:34:56.123 UTC"]]
SELECT CAST('12:34:56.789' AS time), CAST('12:34:56.789' AS time(0)), CAST('23:59:59.9999' AS time), CAST('12:34' AS time(6)), CAST(TIME '12:34:56.789' AS varchar), CAST('12:34:56.7+01:00' AS time(1) with time zone), CAST(TIME '12:34:56.789' AS time with time zone);
expect: [["12:34:56.789", "12:34:57", "00:00:00.000", "12:34:00.000000", "12:34:56.789", "12:34:56.7+01:00", "12:34:56.789+00:00"]]
SELECT CAST(TIME '12:34:56.789+05:30' AS time), CAST(TIMESTAMP '2020-07-01 12:34:56.789' AS time(1)), try_cast('nonsense' AS time), try_cast('2020-07-01 12:00 Mars/Base' AS timestamp with time zone), try_cast('12:00' AS time with time zone), try_cast('24:00' AS time with time zone);
expect: [["12:34:56.789", "12:34:56.8", null, null, "12:00:00.000+00:00", null]]
SELECT CAST('2020-07-01 12:00 Mars/Base' AS timestamp with time zone);
error: INVALID_CAST_ARGUMENT Value cannot be cast to timestamp: 2020-07-01 12:00 Mars/Base
SELECT CAST('nonsense' AS time);
error: INVALID_CAST_ARGUMENT Value cannot be cast to time: nonsense
SELECT CAST(1 AS time);
error: TYPE_MISMATCH line 1:8: Cannot cast integer to time(3)
SELECT CAST(TIME '12:00' AS timestamp) = date_add('hour', 12, CAST(current_date AS timestamp)), CAST(TIME '12:00+00:00' AS timestamp with time zone) = CAST(TIME '12:00' AS timestamp with time zone);
expect: [[true, true]]
-- Fields and units
SELECT year(t), quarter(t), month(t), week(t), day(t), day_of_week(t), day_of_year(t), yow(t), hour(t), minute(t), second(t), millisecond(t), timezone_hour(t), timezone_minute(t) FROM (VALUES TIMESTAMP '2020-12-31 23:45:06.789 Asia/Kolkata') v(t);
expect: [[2020, 4, 12, 53, 31, 4, 366, 2020, 23, 45, 6, 789, 5, 30]]
SELECT extract(year FROM t), extract(hour FROM t), extract(timezone_hour FROM t), extract(timezone_minute FROM t), extract(dow FROM t), extract(minute FROM TIME '10:20:30'), extract(second FROM TIME '10:20:30+01:00'), extract(timezone_minute FROM TIME '10:20-03:30') FROM (VALUES TIMESTAMP '2020-01-01 00:30 -03:30') v(t);
expect: [[2020, 0, -3, -30, 3, 20, 30, -30]]
SELECT extract(hour FROM 'x');
error: TYPE_MISMATCH line 1:26: Cannot extract HOUR from varchar(1)
SELECT date_trunc(unit, TIMESTAMP '2020-11-01 17:45:56.789 America/New_York') FROM (VALUES 'millisecond', 'second', 'minute', 'hour', 'day', 'week', 'month', 'quarter', 'year') u(unit);
expect: [["2020-11-01 17:45:56.789 America/New_York"], ["2020-11-01 17:45:56.000 America/New_York"], ["2020-11-01 17:45:00.000 America/New_York"], ["2020-11-01 17:00:00.000 America/New_York"], ["2020-11-01 00:00:00.000 America/New_York"], ["2020-10-26 00:00:00.000 America/New_York"], ["2020-11-01 00:00:00.000 America/New_York"], ["2020-10-01 00:00:00.000 America/New_York"], ["2020-01-01 00:00:00.000 America/New_York"]]
SELECT to_unixtime(date_trunc('hour', from_unixtime(1604212200, 'America/New_York'))), date_trunc('day', TIMESTAMP '2020-11-01 17:00 America/New_York') AT TIME ZONE 'UTC';
expect: [[1604210400, "2020-11-01 04:00:00 UTC"]]
SELECT date_add('hour', 24, t), date_add('day', 1, t), date_add('month', 1, t), date_add('year', -1, t), date_add('minute', 90, TIME '23:00'), date_add('second', -1, TIME '00:00:00+02:00') FROM (VALUES TIMESTAMP '2020-03-07 12:00 America/New_York') v(t);
expect: [["2020-03-08 13:00:00 America/New_York", "2020-03-08 12:00:00 America/New_York", "2020-04-07 12:00:00 America/New_York", "2019-03-07 12:00:00 America/New_York", "00:30:00", "23:59:59+02:00"]]
SELECT date_diff('hour', a, b), date_diff('day', a, b), date_diff('day', b, a), date_diff('month', a, b), date_diff('second', TIME '10:00', TIME '09:58:30'), date_diff('minute', TIME '10:00+01:00', TIME '10:00+00:00') FROM (VALUES (TIMESTAMP '2020-03-07 12:00 America/New_York', TIMESTAMP '2020-03-08 12:00 America/New_York')) v(a, b);
expect: [[23, 1, -1, 0, -90, 60]]
SELECT date_trunc('day', TIME '10:00');
error: INVALID_FUNCTION_ARGUMENT 'day' is not a valid TIME field
SELECT date_add('eon', 1, TIMESTAMP '2020-01-01 00:00 UTC');
error: INVALID_FUNCTION_ARGUMENT 'eon' is not a valid TIMESTAMP field
SELECT date_trunc('minute', TIME '10:11:12.345'), date_trunc('hour', TIME '10:11:12+05:30'), last_day_of_month(TIMESTAMP '2020-02-29 23:30 America/New_York'), date(TIMESTAMP '2020-02-29 23:30 America/New_York');
expect: [["10:11:00.000", "10:00:00+05:30", "2020-02-29", "2020-02-29"]]
-- Intervals: hours move the instant, months the clock
SELECT t + INTERVAL '24' HOUR, t + INTERVAL '1' MONTH, INTERVAL '1' DAY + t, t - INTERVAL '1' YEAR, t - TIMESTAMP '2020-03-07 17:00 UTC' FROM (VALUES TIMESTAMP '2020-03-07 12:00 America/New_York') v(t);
expect: [["2020-03-08 13:00:00.000 America/New_York", "2020-04-07 12:00:00 America/New_York", "2020-03-08 13:00:00.000 America/New_York", "2019-03-07 12:00:00 America/New_York", "0 00:00:00.000"]]
SELECT TIME '23:00' + INTERVAL '2' HOUR, TIME '01:00' - INTERVAL '90' MINUTE, TIME '01:00:00.123456' + INTERVAL '1' SECOND, TIME '01:00+03:00' + INTERVAL '-2' HOUR, INTERVAL '1' HOUR + TIME '01:00', TIME '10:00' - TIME '08:30';
expect: [["01:00:00.000", "23:30:00.000", "01:00:01.123456", "23:00:00.000+03:00", "02:00:00.000", "0 01:30:00.000"]]
SELECT TIME '10:00' + INTERVAL '1' MONTH;
error: TYPE_MISMATCH line 1:21: Cannot apply operator: time(0) + interval year to month
-- Seconds of 1970, ISO 8601, patterns
SELECT from_unixtime(0), from_unixtime(1.5e0), from_unixtime(1600000000, 'Europe/Paris'), from_unixtime(1600000000, 5, 30), from_unixtime(-1, -3, 0), to_unixtime(TIMESTAMP '2020-09-13 14:26:40.250 Europe/Paris'), to_unixtime(TIMESTAMP '1970-01-02 00:00');
expect: [["1970-01-01 00:00:00.000 UTC", "1970-01-01 00:00:01.500 UTC", "2020-09-13 14:26:40.000 Europe/Paris", "2020-09-13 17:56:40.000 +05:30", "1969-12-31 20:59:59.000 -03:00", 1600000000.25, 86400]]
types: timestamp(3) with time zone, timestamp(3) with time zone, timestamp(3) with time zone, timestamp(3) with time zone, timestamp(3) with time zone, double, double
SELECT from_unixtime(0, 15, 0);
error: INVALID_FUNCTION_ARGUMENT Time zone offset not in valid range -14:00 to 14:00: 900
SELECT from_unixtime(nan());
error: INVALID_FUNCTION_ARGUMENT Seconds are out of range: NaN
SELECT from_iso8601_timestamp('2020-05-11T11:15:05'), from_iso8601_timestamp('2020-05-11T11:15:05.055+01:00'), from_iso8601_timestamp('2020-05-11T11:15Z'), from_iso8601_timestamp('2020-W20-1'), from_iso8601_timestamp('2020-132T06-0730');
expect: [["2020-05-11 11:15:05.000 UTC", "2020-05-11 11:15:05.055 +01:00", "2020-05-11 11:15:00.000 UTC", "2020-05-11 00:00:00.000 UTC", "2020-05-11 06:00:00.000 -07:30"]]
SELECT from_iso8601_timestamp('2020-05-11 11:15:05');
error: INVALID_FUNCTION_ARGUMENT Invalid format: "2020-05-11 11:15:05"
SELECT to_iso8601(TIMESTAMP '2020-05-11 11:15:05.055 Europe/Paris'), to_iso8601(TIMESTAMP '2020-05-11 11:15:05 UTC'), to_iso8601(TIMESTAMP '2020-05-11 11:15:05'), to_iso8601(DATE '2020-05-11');
expect: [["2020-05-11T11:15:05.055+02:00", "2020-05-11T11:15:05Z", "2020-05-11T11:15:05", "2020-05-11"]]
SELECT format_datetime(t, 'yyyy-MM-dd''T''HH:mm:ss Z'), format_datetime(t, 'ZZ'), format_datetime(t, 'ZZZ'), format_datetime(t, 'EEE h a'), date_format(t, '%Y-%m-%d %H:%i:%s') FROM (VALUES TIMESTAMP '2020-05-11 11:15:05 Asia/Kolkata') v(t);
expect: [["2020-05-11T11:15:05 +0530", "+05:30", "Asia/Kolkata", "Mon 11 AM", "2020-05-11 11:15:05"]]
SELECT format_datetime(TIMESTAMP '2020-05-11 11:15:05', 'HH Z');
error: INVALID_FUNCTION_ARGUMENT format_datetime for TIMESTAMP type, cannot use 'Z' nor 'z' in format, as this type does not contain TZ information
SELECT parse_datetime('2020-05-11 11:15', 'yyyy-MM-dd HH:mm'), parse_datetime('2020-05-11 11:15 -0330', 'yyyy-MM-dd HH:mm Z'), parse_datetime('11:15 Europe/Paris', 'HH:mm ZZZ');
expect: [["2020-05-11 11:15:00.000 UTC", "2020-05-11 11:15:00.000 -03:30", "1970-01-01 11:15:00.000 Europe/Paris"]]
SELECT parse_datetime('x', 'yyyy');
error: INVALID_FUNCTION_ARGUMENT Invalid format: "x"
-- The session's clock
SELECT current_timezone(), typeof(now()), typeof(current_timestamp), typeof(current_timestamp(6)), typeof(localtimestamp), typeof(localtimestamp(0)), typeof(current_time), typeof(localtime), typeof(current_date);
expect: [["UTC", "timestamp(3) with time zone", "timestamp(3) with time zone", "timestamp(6) with time zone", "timestamp(3)", "timestamp(0)", "time(3) with time zone", "time(3)", "date"]]
SELECT now() = current_timestamp, CAST(now() AS date) = current_date, CAST(now() AS timestamp) = localtimestamp, CAST(now() AS time) = localtime, CAST(current_timestamp AS time with time zone) = current_time;
expect: [[true, true, true, true, true]]
SELECT current_timestamp(13);
error: NUMERIC_VALUE_OUT_OF_RANGE TIMESTAMP WITH TIME ZONE precision must be in range [0, 12]: 13
-- Nothing is lost on the way through exchanges, groups, joins and sorts
SELECT z, count(*), min(t), max(t) FROM (SELECT nationkey % 3 AS z, from_unixtime(nationkey * 86400, CASE nationkey % 3 WHEN 0 THEN 'UTC' WHEN 1 THEN 'Asia/Tokyo' ELSE 'America/New_York' END) AS t FROM nation) GROUP BY z;
expect: [[0, 9, "1970-01-01 00:00:00.000 UTC", "1970-01-25 00:00:00.000 UTC"], [1, 8, "1970-01-02 09:00:00.000 Asia/Tokyo", "1970-01-23 09:00:00.000 Asia/Tokyo"], [2, 8, "1970-01-02 19:00:00.000 America/New_York", "1970-01-23 19:00:00.000 America/New_York"]]
SELECT count(*), sum(a.nationkey) FROM (SELECT nationkey, from_unixtime(nationkey, 'Asia/Tokyo') AS t FROM nation) a JOIN (SELECT regionkey, from_unixtime(regionkey, 'America/New_York') AS t FROM region) b ON a.t = b.t;
expect: [[5, 10]]
SELECT t, row_number() OVER (ORDER BY t DESC), lag(t) OVER (ORDER BY t) FROM (VALUES TIME '10:00+02:00', TIME '09:00+00:00', TIME '10:00+00:00') v(t);
expect: [["10:00:00+02:00", 3, null], ["09:00:00+00:00", 2, "10:00:00+02:00"], ["10:00:00+00:00", 1, "09:00:00+00:00"]]
SELECT DISTINCT t FROM (VALUES TIME '10:00:00', TIME '10:00:00.000', TIME '10:00:00.001', NULL, NULL) v(t) ORDER BY 1;
expect: [["10:00:00.000"], ["10:00:00.001"], [null]]
-- Seventy thousand years from 1970 there is an end
SELECT TIMESTAMP '999999-01-01 00:00 UTC';
error: INVALID_LITERAL line 1:8: '999999-01-01 00:00 UTC' is not a valid timestamp literal
SELECT date_add('day', 1000000000000, TIMESTAMP '2020-01-01 00:00 UTC');
error: NUMERIC_VALUE_OUT_OF_RANGE Millis overflow: 86400001577836800000
SELECT try(date_add('year', 100000, TIMESTAMP '2020-01-01 00:00 UTC')), date_add('year', 60000, TIMESTAMP '2020-01-01 00:00 UTC');
expect: [[null, "+62020-01-01 00:00:00 UTC"]]
SELECT max_by(n, ts), min_by(n, tm), max(ts), min(tm) FROM (VALUES (1, TIMESTAMP '2020-01-01 12:00 UTC', TIME '10:00+01:00'), (2, TIMESTAMP '2020-01-01 12:30 +01:00', TIME '09:30+00:00')) t(n, ts, tm);
expect: [[1, 1, "2020-01-01 12:00:00 UTC", "10:00:00+01:00"]]
