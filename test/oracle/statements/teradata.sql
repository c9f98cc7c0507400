-- Functions compatible with Teradata: Trino's documentation, functions/teradata.md; units of numbers: functions/conversion.md
SELECT to_char(TIMESTAMP '1988-04-08 14:03:04.999', 'yyyy/mm/dd;hh24:mi:ss'), to_char(TIMESTAMP '1988-04-08 14:03:04', 'yy-mm.dd, hh'), to_char(DATE '2020-12-18', 'yyyymmdd'), to_char(TIMESTAMP '2020-12-18 15:20:05', ''), to_char(CAST(NULL AS timestamp), 'yyyy');
expect: [["1988/04/08;14:03:04", "88-04.08, 02", "20201218", "", null]]
SELECT to_char(TIMESTAMP '2020-12-18 15:20:05 America/New_York', 'yyyy/mmdd hh24:mi:ss');
expect: [["2020/1218 15:20:05"]]
SELECT to_timestamp('1988/4/8;2:3:4', 'yyyy/mm/dd;hh24:mi:ss'), to_timestamp('19880408', 'yyyymmdd'), to_timestamp('08-04-88 11', 'dd-mm-yy hh'), to_timestamp('2020-12-18 15:20:05', 'yyyy-mm-dd hh24:mi:ss'), to_timestamp('x', NULL);
expect: [["1988-04-08 02:03:04.000", "1988-04-08 00:00:00.000", "2088-04-08 11:00:00.000", "2020-12-18 15:20:05.000", null]]
SELECT to_date('2020/12/04', 'yyyy/mm/dd'), to_date('4.12.2020', 'dd.mm.yyyy'), to_date('2021-02-31', 'yyyy-mm-dd'), to_date('2020-02-31', 'yyyy-mm-dd'), to_date('4/12020', 'dd/mmyyyy'), to_date('0000-01-01', 'yyyy-mm-dd');
expect: [["2020-12-04", "2020-12-04", "2021-02-28", "2020-02-29", "2020-01-04", "0000-01-01"]]
SELECT nationkey, to_date(to_char(d, 'mm:yyyy/dd'), 'mm:yyyy/dd') = d, to_timestamp(to_char(t, 'yyyymmddhh24miss'), 'yyyymmddhh24miss') = t FROM (SELECT nationkey, DATE '1997-02-25' + INTERVAL '101' DAY * nationkey AS d, TIMESTAMP '2001-01-01 00:00:01' + INTERVAL '100003' SECOND * nationkey AS t FROM nation);
duckdb: SELECT nationkey, true, true FROM nation;
SELECT to_char(TIMESTAMP '2020-12-18 15:20:05', 'YYYY');
error: INVALID_FUNCTION_ARGUMENT Failed to tokenize string [Y] at offset [0]
SELECT to_date('2020-12-18', 'yyyy/mm/dd');
error: INVALID_FUNCTION_ARGUMENT Text '2020-12-18' could not be parsed at index 4
SELECT to_date('2020/12/18x', 'yyyy/mm/dd');
error: INVALID_FUNCTION_ARGUMENT Text '2020/12/18x' could not be parsed, unparsed text found at index 10
SELECT to_date('2020/13/18', 'yyyy/mm/dd');
error: INVALID_FUNCTION_ARGUMENT Text '2020/13/18' could not be parsed: Invalid value for MonthOfYear (valid values 1 - 12): 13
SELECT to_date('2020/12', 'yyyy/mm');
error: INVALID_FUNCTION_ARGUMENT Text '2020/12' could not be parsed: year, month and day are needed
SELECT to_timestamp('2020/12/01 10 11', 'yyyy/mm/dd hh24 hh');
error: INVALID_FUNCTION_ARGUMENT Text '2020/12/01 10 11' could not be parsed: Conflict found: HourOfDay is 10 and 11
SELECT char2hexint('123'), char2hexint(''), char2hexint('ü€😀'), char2hexint(NULL), index('abcabc', 'ca'), index('größe', 'e'), index('a', 'b'), index('a', '');
expect: [["003100320033", "", "00FC20ACD83DDE00", null, "3", "5", "0", "1"]]
SELECT nationkey, index(name, 'A') FROM nation;
duckdb: SELECT nationkey, strpos(name, 'A') FROM nation;
SELECT format_number(123456), format_number(1000000), format_number(0), format_number(999), format_number(1234), format_number(1235), format_number(12345), format_number(99950), format_number(-1234567), format_number(9223372036854775807), format_number(NULL);
expect: [["123K", "1M", "0", "999", "1.23K", "1.24K", "12.3K", "100K", "-1.23M", "9223Q", null]]
SELECT format_number(1234.9e0), format_number(nan()), format_number(infinity()), format_number(-0.9e0), format_number(1e12), parse_data_size('1B'), parse_data_size('2.3MB');
expect: [["1.23K", "0", "9223Q", "0", "1T", "1", "2411724"]]
