-- Which function is meant, and what functions say of their arguments (Trino's FunctionResolver and operator.scalar; their tests).
SELECT nope(1);
error: FUNCTION_NOT_FOUND line 1:8: Function 'nope' not registered
SELECT memory.s1.abs(1);
error: FUNCTION_NOT_FOUND line 1:8: Function 'memory.s1.abs' not registered
SELECT abs();
error: FUNCTION_NOT_FOUND /line 1:8: Unexpected parameters \(\) for function abs\. Expected: .*/
SELECT abs('x');
error: FUNCTION_NOT_FOUND /line 1:8: Unexpected parameters \(varchar\(1\)\) for function abs\. Expected: .*/
SELECT length(1, 'a');
error: FUNCTION_NOT_FOUND /line 1:8: Unexpected parameters \(integer, varchar\(1\)\) for function length\. Expected: .*/
SELECT concat(1, 2);
error: FUNCTION_NOT_FOUND /line 1:8: Unexpected parameters \(integer, integer\) for function concat\. Expected: .*/
SELECT abs(*);
error: FUNCTION_NOT_FOUND /line 1:8: Unexpected parameters \(\) for function abs\. Expected: .*/
SELECT lower(DISTINCT 'a');
error: FUNCTION_NOT_AGGREGATE line 1:8: DISTINCT is not supported for non-aggregation functions
SELECT abs(a) FILTER (WHERE b = 1) FROM t1;
error: FUNCTION_NOT_AGGREGATE line 1:8: Filter is only valid for aggregation functions
SELECT IF(true);
error: SYNTAX_ERROR line 1:8: Invalid number of arguments for 'if' function
SELECT NULLIF(1);
error: SYNTAX_ERROR line 1:8: Invalid number of arguments for 'nullif' function
SELECT COALESCE(1);
error: SYNTAX_ERROR line 1:8: The 'coalesce' function must have at least two arguments
SELECT TRY(1, 2);
error: SYNTAX_ERROR line 1:8: The 'try' function must have exactly one argument
SELECT grouping() FROM t1 GROUP BY a;
error: INVALID_ARGUMENTS line 1:8: GROUPING requires at least one argument
SELECT lpad('abc', 5, '');
error: INVALID_FUNCTION_ARGUMENT Padding string must not be empty
SELECT rpad('abc', -1, 'x');
error: INVALID_FUNCTION_ARGUMENT Target length must be in the range [0..2147483647]
SELECT split('a.b', '.', 0);
error: INVALID_FUNCTION_ARGUMENT Limit must be positive
SELECT split('a.b', '', 1);
error: INVALID_FUNCTION_ARGUMENT The delimiter may not be the empty string
SELECT split_part('abc', '', 0);
error: INVALID_FUNCTION_ARGUMENT Index must be greater than zero
SELECT split_to_map('', '', '');
error: INVALID_FUNCTION_ARGUMENT entryDelimiter is empty
SELECT split_to_map('', ',', '');
error: INVALID_FUNCTION_ARGUMENT keyValueDelimiter is empty
SELECT split_to_map('', ',', ',');
error: INVALID_FUNCTION_ARGUMENT entryDelimiter and keyValueDelimiter must not be the same
SELECT split_to_map('a=1,a=2', ',', '=');
error: INVALID_FUNCTION_ARGUMENT Duplicate keys (a) are not allowed
SELECT split_to_map('a', ',', '=');
error: INVALID_FUNCTION_ARGUMENT Key-value delimiter must appear exactly once in each entry. Bad input: 'a'
SELECT strpos('a', 'b', 0);
error: INVALID_FUNCTION_ARGUMENT 'instance' must be a positive or negative number.
SELECT hamming_distance('hello', 'hell');
error: INVALID_FUNCTION_ARGUMENT The input strings to hamming_distance function must have the same length
SELECT normalize('a', nope);
error: SYNTAX_ERROR line 1:23: mismatched input 'nope'. Expecting: 'NFC', 'NFD', 'NFKC', 'NFKD'
SELECT luhn_check('abcd424242424242');
error: INVALID_FUNCTION_ARGUMENT
SELECT soundex('jąmes');
error: INVALID_FUNCTION_ARGUMENT The character is not mapped: Ą (index=195)
SELECT word_stem('test', 'xx');
error: INVALID_FUNCTION_ARGUMENT Unknown stemmer language: xx
SELECT concat_ws();
error: FUNCTION_NOT_FOUND /line 1:8: Unexpected parameters \(\) for function concat_ws\. Expected: .*/
SELECT from_base('Z', 35);
error: INVALID_FUNCTION_ARGUMENT Not a valid base-35 number: Z
SELECT from_base('9223372036854775808', 10);
error: INVALID_FUNCTION_ARGUMENT Not a valid base-10 number: 9223372036854775808
SELECT to_base(255, 1);
error: INVALID_FUNCTION_ARGUMENT Radix must be between 2 and 36
SELECT random(5, 5);
error: INVALID_FUNCTION_ARGUMENT start value must be less than stop value
SELECT width_bucket(3.14e0, 0, 4, 0);
error: INVALID_FUNCTION_ARGUMENT bucketCount must be greater than 0
SELECT width_bucket(nan(), 0, 4, 3);
error: INVALID_FUNCTION_ARGUMENT operand must not be NaN
SELECT width_bucket(3.14e0, 0, 0, 3);
error: INVALID_FUNCTION_ARGUMENT bounds cannot equal each other
SELECT width_bucket(3.14e0, infinity(), 0, 3);
error: INVALID_FUNCTION_ARGUMENT first bound must be finite
SELECT width_bucket(3.14e0, CAST(ARRAY[] AS array(double)));
error: INVALID_FUNCTION_ARGUMENT Bins cannot be an empty array
SELECT normal_cdf(0, 0, 0.1985);
error: INVALID_FUNCTION_ARGUMENT standardDeviation must be > 0
SELECT inverse_normal_cdf(4, 48, 0);
error: INVALID_FUNCTION_ARGUMENT p must be 0 > p > 1
SELECT wilson_interval_upper(1, 0, 2.575);
error: INVALID_FUNCTION_ARGUMENT number of trials must be positive
SELECT cosine_similarity(ARRAY[1e0], ARRAY[1e0, 2e0]);
error: INVALID_FUNCTION_ARGUMENT The arguments must have the same length
SELECT bit_count(8, 1);
error: INVALID_FUNCTION_ARGUMENT Bits specified in bit_count must be between 2 and 64, got 1
SELECT bit_count(8, 4);
error: INVALID_FUNCTION_ARGUMENT Number must be representable with the bits specified. 8 can not be represented with 4 bits
SELECT from_hex('f/');
error: INVALID_FUNCTION_ARGUMENT invalid hex character: /
SELECT from_hex('fff');
error: INVALID_FUNCTION_ARGUMENT invalid input length 3
SELECT from_big_endian_64(X'00');
error: INVALID_FUNCTION_ARGUMENT expected 8-byte input, but got instead: 1
SELECT from_ieee754_64(X'00');
error: INVALID_FUNCTION_ARGUMENT Input floating-point value must be exactly 8 bytes long
SELECT from_ieee754_32(X'00');
error: INVALID_FUNCTION_ARGUMENT Input floating-point value must be exactly 4 bytes long
SELECT from_utf8(X'ff', 'foo');
error: INVALID_FUNCTION_ARGUMENT Replacement character string must empty or a single character
SELECT from_utf8(X'ff', 1114112);
error: INVALID_FUNCTION_ARGUMENT Invalid replacement character
SELECT url_decode('http%3A%2F%2test');
error: INVALID_FUNCTION_ARGUMENT /URLDecoder: .*/
SELECT human_readable_seconds(nan());
error: INVALID_FUNCTION_ARGUMENT Invalid argument found: NaN
SELECT parse_duration('abc');
error: INVALID_FUNCTION_ARGUMENT duration is not a valid data duration string: abc
SELECT parse_duration('1x');
error: INVALID_FUNCTION_ARGUMENT Unknown time unit: x
SELECT parse_presto_data_size('B');
error: INVALID_FUNCTION_ARGUMENT Invalid data size: 'B'
SELECT date_trunc('century', DATE '2020-01-01');
error: INVALID_FUNCTION_ARGUMENT 'century' is not a valid DATE field
SELECT date_trunc('century', TIMESTAMP '2020-01-01 00:00:00');
error: INVALID_FUNCTION_ARGUMENT 'century' is not a valid TIMESTAMP field
SELECT date_trunc('day', TIME '01:00:00');
error: INVALID_FUNCTION_ARGUMENT 'day' is not a valid TIME field
SELECT date_add('century', 1, DATE '2020-01-01');
error: INVALID_FUNCTION_ARGUMENT 'century' is not a valid DATE field
SELECT date_diff('century', TIMESTAMP '2020-01-01 00:00:00', TIMESTAMP '2020-01-01 00:00:00');
error: INVALID_FUNCTION_ARGUMENT 'century' is not a valid TIMESTAMP field
SELECT date_parse('%Y', '%Y-%m-%d');
error: INVALID_FUNCTION_ARGUMENT Invalid format: "%Y"
SELECT date_parse('2020-13-01', '%Y-%m-%d');
error: INVALID_FUNCTION_ARGUMENT Cannot parse "2020-13-01": Value 13 for monthOfYear must be in the range [1,12]
SELECT date_parse('2020-01-01x', '%Y-%m-%d');
error: INVALID_FUNCTION_ARGUMENT Invalid format: "2020-01-01x" is malformed at "x"
SELECT date_format(TIMESTAMP '2020-01-01 00:00:00', '%D');
error: INVALID_FUNCTION_ARGUMENT %D not supported in date format string
SELECT date_parse('1', '%w');
error: INVALID_FUNCTION_ARGUMENT %w not supported in date format string
SELECT parse_datetime('2020', 'yyyy-MM');
error: INVALID_FUNCTION_ARGUMENT Invalid format: "2020" is too short
SELECT parse_datetime('x', '');
error: INVALID_FUNCTION_ARGUMENT Invalid pattern specification
SELECT format_datetime(TIMESTAMP '2020-01-01 00:00:00', 'qq');
error: INVALID_FUNCTION_ARGUMENT Illegal pattern component: qq
SELECT from_iso8601_timestamp('x');
error: INVALID_FUNCTION_ARGUMENT Invalid format: "x"
SELECT from_iso8601_date('x');
error: INVALID_FUNCTION_ARGUMENT /(Invalid format: "x"|.*)/
SELECT current_timestamp AT TIME ZONE 'Mars/Phobos';
error: INVALID_FUNCTION_ARGUMENT Time zone not supported: Mars/Phobos
SELECT from_unixtime(1, 15, 0);
error: INVALID_FUNCTION_ARGUMENT /Time zone offset not in valid range -14:00 to 14:00: .*/
SELECT regexp_like('a', '(');
error: INVALID_FUNCTION_ARGUMENT end pattern with unmatched parenthesis
SELECT regexp_like('a', '[');
error: INVALID_FUNCTION_ARGUMENT premature end of char-class
SELECT regexp_extract('a', 'a', 1);
error: INVALID_FUNCTION_ARGUMENT Pattern has 0 groups. Cannot access group 1
SELECT regexp_extract('a', 'a', -1);
error: INVALID_FUNCTION_ARGUMENT Group cannot be negative
SELECT regexp_replace('a', 'a', '$1');
error: INVALID_FUNCTION_ARGUMENT Illegal replacement sequence: unknown group 1
SELECT regexp_replace('a', 'a', '\');
error: INVALID_FUNCTION_ARGUMENT Illegal replacement sequence: \
SELECT regexp_replace('a', '(?<x>a)', '${y}');
error: INVALID_FUNCTION_ARGUMENT Illegal replacement sequence: unknown group { y }
SELECT regexp_position('a', 'b', 0);
error: INVALID_FUNCTION_ARGUMENT start position cannot be smaller than 1
SELECT regexp_position('a', 'b', 1, 0);
error: INVALID_FUNCTION_ARGUMENT occurrence cannot be smaller than 1
SELECT 'a' LIKE 'a' ESCAPE 'xx';
error: INVALID_FUNCTION_ARGUMENT Escape string must be a single character
SELECT 'a' LIKE 'a#b' ESCAPE '#';
error: INVALID_FUNCTION_ARGUMENT Escape character must be followed by '%', '_' or the escape character itself
SELECT 'a' LIKE 'a#' ESCAPE '#';
error: INVALID_FUNCTION_ARGUMENT Escape character must be followed by '%', '_' or the escape character itself
SELECT format('%d', 'x');
error: INVALID_FUNCTION_ARGUMENT Invalid format string: %d (IllegalFormatConversion: d != java.lang.String)
SELECT format('%s %s', 1);
error: INVALID_FUNCTION_ARGUMENT Invalid format string: %s %s (MissingFormatArgument: Format specifier '%s')
SELECT format('%q', 1);
error: INVALID_FUNCTION_ARGUMENT Invalid format string: %q (UnknownFormatConversion: Conversion = 'q')
SELECT color('pink');
error: INVALID_FUNCTION_ARGUMENT Invalid color: 'pink'
SELECT rgb(256, 0, 0);
error: INVALID_FUNCTION_ARGUMENT red must be between 0 and 255
SELECT json_parse('INVALID');
error: INVALID_FUNCTION_ARGUMENT Cannot convert value to JSON: 'INVALID'
SELECT json_parse('"x": 1');
error: INVALID_FUNCTION_ARGUMENT Cannot convert value to JSON: '"x": 1'
SELECT json_extract('{}', '$.');
error: INVALID_FUNCTION_ARGUMENT Invalid JSON path: '$.'
SELECT json_extract_scalar('{}', '');
error: INVALID_FUNCTION_ARGUMENT Invalid JSON path: ''
SELECT value_at_quantile(CAST(X'00' AS qdigest(bigint)), 0.5);
error: INVALID_FUNCTION_ARGUMENT
SELECT uuid(1);
error: FUNCTION_NOT_FOUND /line 1:8: Unexpected parameters \(integer\) for function uuid\. Expected: uuid\(\) ?/
SELECT to_char(TIMESTAMP '2020-01-02 03:04:05', 'yyyyQ');
error: INVALID_FUNCTION_ARGUMENT Failed to tokenize string [Q] at offset [4]
SELECT to_date('2020x01', 'yyyy/mm');
error: INVALID_FUNCTION_ARGUMENT Text '2020x01' could not be parsed at index 4
SELECT to_date('202', 'yyyy');
error: INVALID_FUNCTION_ARGUMENT Text '202' could not be parsed at index 0
SELECT to_date('2020/13/01', 'yyyy/mm/dd');
error: INVALID_FUNCTION_ARGUMENT Text '2020/13/01' could not be parsed: Invalid value for MonthOfYear (valid values 1 - 12): 13
SELECT to_date('2020/01/01 2021', 'yyyy/mm/dd yyyy');
error: INVALID_FUNCTION_ARGUMENT Text '2020/01/01 2021' could not be parsed: Conflict found: Year is 2020 and 2021
SELECT to_date('2020/01/01 ', 'yyyy/mm/dd');
error: INVALID_FUNCTION_ARGUMENT Text '2020/01/01 ' could not be parsed, unparsed text found at index 10
SELECT to_date('2020', 'yyyy');
error: INVALID_FUNCTION_ARGUMENT Text '2020' could not be parsed: year, month and day are needed
SELECT to_timestamp('2020/12/01 10 11', 'yyyy/mm/dd hh24 hh');
error: INVALID_FUNCTION_ARGUMENT Text '2020/12/01 10 11' could not be parsed: Conflict found: HourOfDay is 10 and 11
SELECT current_groups(1);
error: SYNTAX_ERROR line 1:8: Invalid number of arguments for 'current_groups' function
