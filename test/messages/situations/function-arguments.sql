-- Arguments that functions refuse.
SELECT array_sum(ARRAY[9223372036854775807, 1]);
error: NUMERIC_VALUE_OUT_OF_RANGE bigint addition overflow: 9223372036854775807 + 1
SELECT array_split_into_chunks(ARRAY[1], 0);
error: GENERIC_USER_ERROR Invalid slice size: 0. Size must be greater than zero.
SELECT array_split_into_chunks(sequence(1, 10002), 1);
error: INVALID_FUNCTION_ARGUMENT result of sequence function must not have more than 10000 entries
SELECT array_position(ARRAY[1], 1, 0);
error: INVALID_FUNCTION_ARGUMENT array_position cannot take a 0-valued instance argument.
SELECT from_base('_', 10);
error: INVALID_FUNCTION_ARGUMENT Not a valid base-10 number: _
SELECT from_base('', 10);
error: INVALID_FUNCTION_ARGUMENT Not a valid base-10 number: 
SELECT from_base('12', 2);
error: INVALID_FUNCTION_ARGUMENT Not a valid base-2 number: 12
SELECT render(1, -5);
error: FUNCTION_NOT_FOUND line 1:8: Unexpected parameters (integer, integer) for function render. Expected: render(varchar(x), color) , render(bigint, color) , render(double, color) , render(boolean) 
SELECT color(1.0, 0, 1, color('red'), color(-5));
error: FUNCTION_NOT_FOUND line 1:39: Unexpected parameters (integer) for function color. Expected: color(varchar) , color(double, color, color) , color(double, double, double, color, color) 
SELECT bar(0.5, 1001, color('red'), color('blue'));
error: INVALID_FUNCTION_ARGUMENT color is not a valid rgb value
SELECT rgb(300, 0, 0);
error: INVALID_FUNCTION_ARGUMENT red must be between 0 and 255
SELECT date_parse('2020', '');
error: INVALID_FUNCTION_ARGUMENT Both printing and parsing not supported
SELECT date_format(now(), '%V');
error: INVALID_FUNCTION_ARGUMENT %V not supported in date format string
SELECT date_parse('x', '%D');
error: INVALID_FUNCTION_ARGUMENT %D not supported in date format string
SELECT date_add('year', 300000000, DATE '2020-01-01');
error: NUMERIC_VALUE_OUT_OF_RANGE date addition overflow
SELECT date_add('year', 9223372036854775807, TIMESTAMP '2020-01-01 00:00:00');
error: NUMERIC_VALUE_OUT_OF_RANGE timestamp addition overflow
SELECT date_add('day', 9223372036854775807, DATE '2020-01-01');
error: NUMERIC_VALUE_OUT_OF_RANGE date addition overflow
SELECT date('abc');
error: INVALID_CAST_ARGUMENT Value cannot be cast to date: abc
SELECT date('2020-02-30');
error: INVALID_CAST_ARGUMENT Value cannot be cast to date: 2020-02-30
SELECT values_at_quantiles(qdigest_agg(x), ARRAY[0.5, NULL]) FROM (VALUES 1) t (x);
error: INVALID_FUNCTION_ARGUMENT All quantiles should be non-null
SELECT values_at_quantiles(qdigest_agg(x), ARRAY[0.5, 0.2]) FROM (VALUES 1) t (x);
error: INVALID_FUNCTION_ARGUMENT percentiles must be sorted in increasing order
SELECT values_at_quantiles(tdigest_agg(x), ARRAY[0.5e0, 0.2e0]) FROM (VALUES 1e0) t (x);
error: INVALID_FUNCTION_ARGUMENT percentiles must be sorted in increasing order
SELECT value_at_quantile(tdigest_agg(x), 1.5e0) FROM (VALUES 1e0) t (x);
error: INVALID_FUNCTION_ARGUMENT Quantile should be within bounds [0, 1], was: 1.5
SELECT value_at_quantile(qdigest_agg(x), -0.1e0) FROM (VALUES 1) t (x);
error: INVALID_FUNCTION_ARGUMENT Quantile should be within bounds [0, 1], was: -0.1
SELECT tdigest_agg(nan());
error: INVALID_FUNCTION_ARGUMENT Value must be finite, was: NaN
SELECT tdigest_agg(1e0, -1);
error: INVALID_FUNCTION_ARGUMENT Weight must be positive and finite, was: -1.0
SELECT approx_percentile(x, ARRAY[0.5, 2]) FROM (VALUES 1) t (x);
error: INVALID_FUNCTION_ARGUMENT Percentile must be between 0 and 1
SELECT from_base64('*');
error: INVALID_FUNCTION_ARGUMENT Illegal base64 text
SELECT from_base64url('+');
error: INVALID_FUNCTION_ARGUMENT Illegal base64 text
SELECT from_base64url('*');
error: INVALID_FUNCTION_ARGUMENT Illegal base64 text
SELECT from_base32('1');
error: INVALID_FUNCTION_ARGUMENT Illegal base32 text
SELECT from_hex('a');
error: INVALID_FUNCTION_ARGUMENT invalid input length 1
SELECT from_hex('zz');
error: INVALID_FUNCTION_ARGUMENT invalid hex character: z
SELECT lpad(X'00', -1, X'00');
error: INVALID_FUNCTION_ARGUMENT Target length must be in the range [0..2147483647]
SELECT lpad(X'00', 5, X'');
error: INVALID_FUNCTION_ARGUMENT Padding bytes must not be empty
SELECT rpad(X'00', 2147483647, X'00');
error: INVALID_FUNCTION_ARGUMENT Padded bytes are too large
SELECT lpad('a', -1, 'b');
error: INVALID_FUNCTION_ARGUMENT Target length must be in the range [0..2147483647]
SELECT lpad('a', 5, '');
error: INVALID_FUNCTION_ARGUMENT Padding string must not be empty
SELECT rpad('a', 2147483647, 'bbbb');
error: INVALID_FUNCTION_ARGUMENT Padded string is too large
SELECT format('%', 1);
error: INVALID_FUNCTION_ARGUMENT Invalid format string: % (UnknownFormatConversion: Conversion = '%')
SELECT format('%--5d', 1);
error: INVALID_FUNCTION_ARGUMENT Invalid format string: %--5d (DuplicateFormatFlags: Flags = '-')
SELECT format('%-d', 1);
error: INVALID_FUNCTION_ARGUMENT Invalid format string: %-d (MissingFormatWidth: %-d)
SELECT format('%-s', 1);
error: INVALID_FUNCTION_ARGUMENT Invalid format string: %-s (MissingFormatWidth: %-s)
SELECT format('%#d', 1);
error: INVALID_FUNCTION_ARGUMENT Invalid format string: %#d (FormatFlagsConversionMismatch: Conversion = d, Flags = #)
SELECT format('%.2d', 1);
error: INVALID_FUNCTION_ARGUMENT Invalid format string: %.2d (IllegalFormatPrecision: 2)
SELECT format('%05', 1);
error: INVALID_FUNCTION_ARGUMENT Invalid format string: %05 (UnknownFormatConversion: Conversion = '0')
SELECT format('%5n', 1);
error: INVALID_FUNCTION_ARGUMENT Invalid format string: %5n (IllegalFormatWidth: 5)
SELECT format('%.1%', 1);
error: INVALID_FUNCTION_ARGUMENT Invalid format string: %.1% (IllegalFormatPrecision: 1)
SELECT format('%-%', 1);
error: INVALID_FUNCTION_ARGUMENT Invalid format string: %-% (MissingFormatWidth: %-%)
SELECT format('%+-05d', 1);
error: INVALID_FUNCTION_ARGUMENT Invalid format string: %+-05d (IllegalFormatFlags: Flags = '-+0')
SELECT format('%-05d', 1);
error: INVALID_FUNCTION_ARGUMENT Invalid format string: %-05d (IllegalFormatFlags: Flags = '-0')
SELECT format('% +d', 1);
error: INVALID_FUNCTION_ARGUMENT Invalid format string: % +d (IllegalFormatFlags: Flags = '+ ')
SELECT format('%h', DATE '2020-01-01');
error: NOT_SUPPORTED Conversion %h of date is not supported
SELECT format('%h', ARRAY[1]);
error: NOT_SUPPORTED line 1:21: Type not supported for formatting: array(integer)
SELECT format('%f', 1);
error: INVALID_FUNCTION_ARGUMENT Invalid format string: %f (IllegalFormatConversion: f != java.lang.Long)
SELECT format('%f', 'a');
error: INVALID_FUNCTION_ARGUMENT Invalid format string: %f (IllegalFormatConversion: f != java.lang.String)
SELECT format('%a', 1e0);
error: NOT_SUPPORTED Conversion %a is not supported
SELECT format('%d', 'a');
error: INVALID_FUNCTION_ARGUMENT Invalid format string: %d (IllegalFormatConversion: d != java.lang.String)
SELECT format('%d', 1.5);
error: INVALID_FUNCTION_ARGUMENT Invalid format string: %d (IllegalFormatConversion: d != java.math.BigDecimal)
SELECT format('%c', -1);
error: INVALID_FUNCTION_ARGUMENT Invalid format string: %c (IllegalFormatConversion: c != java.lang.Long)
SELECT format('%3$s', 1);
error: INVALID_FUNCTION_ARGUMENT Invalid format string: %3$s (MissingFormatArgument: Format specifier '%3$s')
SELECT format('%s', approx_set(1));
error: NOT_SUPPORTED line 1:21: Type not supported for formatting: HyperLogLog
SELECT format('%b');
error: SYNTAX_ERROR line 1:8: The 'format' function must have at least two arguments
SELECT format(1, 2);
error: FUNCTION_NOT_FOUND line 1:8: Unexpected parameters (integer, integer) for function format. Expected: format(varchar, any...) 
SELECT format('%.-2f', 1e0);
error: INVALID_FUNCTION_ARGUMENT Invalid format string: %.-2f (UnknownFormatConversion: Conversion = '.')
SELECT format('%.f', 1e0);
error: INVALID_FUNCTION_ARGUMENT Invalid format string: %.f (UnknownFormatConversion: Conversion = '.')
SELECT format('%99999999999d', 1);
error: INVALID_FUNCTION_ARGUMENT Invalid format string: %99999999999d (IllegalFormatWidth: 99999999999)
SELECT format('%.99999999999f', 1e0);
error: INVALID_FUNCTION_ARGUMENT Invalid format string: %.99999999999f (IllegalFormatPrecision: 99999999999)
SELECT regexp_replace(rpad('', 100000, 'a'), 'a', rpad('', 100000, 'b'));
error: INVALID_FUNCTION_ARGUMENT The result of regexp_replace is too large
SELECT regexp_replace(rpad('', 100000, 'a'), 'a', x -> rpad('', 100000, 'b'));
error: INVALID_FUNCTION_ARGUMENT The result of regexp_replace is too large
SELECT regexp_replace('a', 'a', '$x');
error: INVALID_FUNCTION_ARGUMENT Illegal replacement sequence: $x
SELECT regexp_replace('a', 'a', '$9');
error: INVALID_FUNCTION_ARGUMENT Illegal replacement sequence: unknown group 9
SELECT regexp_replace('a', 'a', '${x}');
error: INVALID_FUNCTION_ARGUMENT Illegal replacement sequence: unknown group { x }
SELECT regexp_replace('a', 'a', '${x');
error: INVALID_FUNCTION_ARGUMENT Illegal replacement sequence: unknown group { x }
SELECT regexp_extract('a', 'a', 2);
error: INVALID_FUNCTION_ARGUMENT Pattern has 0 groups. Cannot access group 2
SELECT regexp_extract_all('a', '(a)', 2);
error: INVALID_FUNCTION_ARGUMENT Pattern has 1 groups. Cannot access group 2
SELECT regexp_like('a', '((((a{1000}){1000}){1000}){1000})');
error: INVALID_FUNCTION_ARGUMENT regular expression is too large
SELECT regexp_like('a', rpad('', 300000, 'a'));
error: INVALID_FUNCTION_ARGUMENT regular expression is too large
SELECT regexp_like('a', rpad('', 100000, 'ab'));
error: INVALID_FUNCTION_ARGUMENT regular expression is too large
SELECT CAST(json_parse('{' || array_join(transform(sequence(1, 5000), x -> '"' || CAST(x AS varchar) || '":1'), ',') || ',"01":1}') AS map(bigint, bigint));
error: INVALID_CAST_ARGUMENT /Cannot cast to map\(bigint, bigint\)\. Duplicate keys are not allowed\n\{.*/
SELECT cardinality(zip(repeat(rpad('', 50000, 'x'), 1000), repeat(rpad('', 50000, 'y'), 1000)));
error: EXCEEDED_FUNCTION_MEMORY_LIMIT Value is larger than the maximum of 67108864 bytes
SELECT cardinality(multimap_from_entries(transform(sequence(1, 1150), x -> row(x % 2, rpad('', 60000, 'x')))));
error: EXCEEDED_FUNCTION_MEMORY_LIMIT Value is larger than the maximum of 67108864 bytes
SELECT regexp_like('a', 'a)');
error: INVALID_FUNCTION_ARGUMENT unmatched close parenthesis
SELECT regexp_like('a', '(a');
error: INVALID_FUNCTION_ARGUMENT end pattern with unmatched parenthesis
SELECT regexp_like('a', '*a');
error: INVALID_FUNCTION_ARGUMENT target of repeat operator is not specified
SELECT regexp_like('a', 'a\');
error: INVALID_FUNCTION_ARGUMENT end pattern at escape
SELECT regexp_like('a', '(a)\1');
error: INVALID_FUNCTION_ARGUMENT backreferences are not supported in regular expressions
SELECT regexp_like('a', '\p{nosuch}');
error: INVALID_FUNCTION_ARGUMENT invalid character property name {nosuch}
SELECT regexp_like('a', '\p{');
error: INVALID_FUNCTION_ARGUMENT end pattern at left brace
SELECT regexp_like('a', '\y');
error: INVALID_FUNCTION_ARGUMENT invalid escape \y in regular expression
SELECT regexp_like('a', '\x{110000}');
error: INVALID_FUNCTION_ARGUMENT invalid code point value
SELECT regexp_like('a', '\x{}');
error: INVALID_FUNCTION_ARGUMENT invalid code point value
SELECT regexp_like('a', '[]');
error: INVALID_FUNCTION_ARGUMENT premature end of char-class
SELECT regexp_like('a', '[a');
error: INVALID_FUNCTION_ARGUMENT premature end of char-class
SELECT regexp_like('a', '[\');
error: INVALID_FUNCTION_ARGUMENT premature end of char-class
SELECT regexp_like('a', '[z-a]');
error: INVALID_FUNCTION_ARGUMENT empty range in char class
SELECT regexp_like('a', '(?=a)');
error: INVALID_FUNCTION_ARGUMENT lookaround is not supported in regular expressions
SELECT regexp_like('a', '(?>a)');
error: INVALID_FUNCTION_ARGUMENT atomic groups are not supported in regular expressions
SELECT regexp_like('a', '(?<=a)');
error: INVALID_FUNCTION_ARGUMENT lookaround is not supported in regular expressions
SELECT regexp_like('a', '(?<>a)');
error: INVALID_FUNCTION_ARGUMENT group name is empty
SELECT regexp_like('a', '(?<1>a)');
error: INVALID_FUNCTION_ARGUMENT invalid group name <1>
SELECT regexp_like('a', '(?<n>a)(?<n>b)');
error: INVALID_FUNCTION_ARGUMENT multiplex definition name <n>
SELECT regexp_like('a', '(?z)');
error: INVALID_FUNCTION_ARGUMENT undefined group option
SELECT regexp_like('a', 'a++');
error: INVALID_FUNCTION_ARGUMENT possessive quantifiers are not supported in regular expressions
SELECT regexp_like('a', 'a{2,1}');
error: INVALID_FUNCTION_ARGUMENT invalid repeat range {lower,upper}
SELECT regexp_like('a', 'a{x}');
error: INVALID_FUNCTION_ARGUMENT invalid repeat range {lower,upper}
SELECT regexp_like('a', 'a{999999999}');
error: INVALID_FUNCTION_ARGUMENT too big number
SELECT regexp_like('a', 'a{1');
error: INVALID_FUNCTION_ARGUMENT end pattern at left brace
SELECT regexp_like('a', concat(rpad('', 3000, '('), rpad('', 3000, ')')));
error: INVALID_FUNCTION_ARGUMENT too deep nest level over
SELECT regexp_like('a', concat(rpad('', 3000, '['), rpad('', 3000, ']')));
error: INVALID_FUNCTION_ARGUMENT too deep nest level over
SELECT round(DECIMAL '99999999999999999999999999999999999999', -37);
error: NUMERIC_VALUE_OUT_OF_RANGE Decimal overflow
SELECT round(9223372036854775807, -1);
error: NUMERIC_VALUE_OUT_OF_RANGE numerical overflow: 9223372036854775807
SELECT round(TINYINT '127', -1);
error: NUMERIC_VALUE_OUT_OF_RANGE Out of range for tinyint: 130
SELECT sequence(1, 10000000);
error: INVALID_FUNCTION_ARGUMENT result of sequence function must not have more than 10000 entries
SELECT sequence(DATE '2020-01-01', DATE '2120-01-01', INTERVAL '1' DAY);
error: INVALID_FUNCTION_ARGUMENT result of sequence function must not have more than 10000 entries
SELECT split('a,b', ',', 2147483648);
error: INVALID_FUNCTION_ARGUMENT Limit is too large
SELECT split('a,b', ',', 0);
error: INVALID_FUNCTION_ARGUMENT Limit must be positive
SELECT split('a,b', '');
error: INVALID_FUNCTION_ARGUMENT The delimiter may not be the empty string
SELECT split_part('a', ',', 0);
error: INVALID_FUNCTION_ARGUMENT Index must be greater than zero
SELECT split_to_map('a', ',', ',');
error: INVALID_FUNCTION_ARGUMENT entryDelimiter and keyValueDelimiter must not be the same
SELECT word_stem('run', 'xx');
error: INVALID_FUNCTION_ARGUMENT Unknown stemmer language: xx
SELECT concat(CAST('a' AS char(65536)), CAST('a' AS char(2)));
error: INVALID_FUNCTION_ARGUMENT CHAR length must be in range [0, 65536], got 65538
SELECT normalize('a', NFX);
error: SYNTAX_ERROR /line 1:23: mismatched input 'NFX'\. Expecting: .*/
SELECT parse_presto_data_size('5');
error: INVALID_FUNCTION_ARGUMENT Invalid data size: '5'
SELECT parse_presto_data_size('1.2.3B');
error: INVALID_FUNCTION_ARGUMENT Invalid data size: '1.2.3B'
SELECT parse_presto_data_size('5XB');
error: INVALID_FUNCTION_ARGUMENT Invalid data size: '5XB'
SELECT parse_presto_data_size('99999999999999999999999999YB');
error: NUMERIC_VALUE_OUT_OF_RANGE Value out of range: '99999999999999999999999999YB' ('120892581961462917470617598791074180385370825293824B')
SELECT parse_duration('99999999999999999d');
error: INVALID_FUNCTION_ARGUMENT duration is too large: 99999999999999999d
SELECT parse_duration('5');
error: INVALID_FUNCTION_ARGUMENT duration is not a valid data duration string: 5
SELECT parse_duration('5x');
error: INVALID_FUNCTION_ARGUMENT Unknown time unit: x
SELECT replace(rpad('', 100000, 'a'), 'a', rpad('', 100000, 'b'));
error: INVALID_FUNCTION_ARGUMENT Inputs to replace function are too large
SELECT levenshtein_distance(rpad('', 100000, 'a'), rpad('', 100000, 'b'));
error: INVALID_FUNCTION_ARGUMENT The combined inputs for Levenshtein distance are too large
SELECT hamming_distance('a', 'bc');
error: INVALID_FUNCTION_ARGUMENT The input strings to hamming_distance function must have the same length
SELECT strpos('a', 'a', 0);
error: INVALID_FUNCTION_ARGUMENT 'instance' must be a positive or negative number.
SELECT strrpos('a', 'a', -1);
error: INVALID_FUNCTION_ARGUMENT 'instance' must be a positive number.
SELECT cosine_similarity(ARRAY[0e0], ARRAY[1e0]);
error: INVALID_FUNCTION_ARGUMENT Vector magnitude cannot be zero
SELECT from_unixtime(1e300);
error: INVALID_FUNCTION_ARGUMENT Seconds are out of range: 1.0E300
SELECT from_unixtime(nan());
error: INVALID_FUNCTION_ARGUMENT Seconds are out of range: NaN
SELECT from_unixtime(1, 99, 0);
error: INVALID_FUNCTION_ARGUMENT Time zone offset not in valid range -14:00 to 14:00: 5940
SELECT from_unixtime(1, 'Mars/Phobos');
error: INVALID_FUNCTION_ARGUMENT Time zone not supported: Mars/Phobos
SELECT now() AT TIME ZONE INTERVAL '1.5' SECOND;
error: INVALID_FUNCTION_ARGUMENT Invalid time zone offset interval: interval contains seconds
SELECT now() AT TIME ZONE INTERVAL '25' HOUR;
error: INVALID_FUNCTION_ARGUMENT Time zone offset not in valid range -14:00 to 14:00: 1500
SELECT at_timezone(now(), 'nosuch');
error: INVALID_FUNCTION_ARGUMENT Time zone not supported: nosuch
SELECT from_iso8601_timestamp('2020-01-01T25:00:00Z');
error: INVALID_FUNCTION_ARGUMENT Cannot parse "2020-01-01T25:00:00Z": Value 25 for hourOfDay must be in the range [0,23]
SELECT from_iso8601_date('2020-02-30');
error: INVALID_FUNCTION_ARGUMENT Cannot parse "2020-02-30": Value 30 for dayOfMonth must be in the range [1,29]
SELECT parse_datetime('x', 'yyyy');
error: INVALID_FUNCTION_ARGUMENT Invalid format: "x"
SELECT parse_datetime('2020 x', 'yyyy');
error: INVALID_FUNCTION_ARGUMENT Invalid format: "2020 x" is malformed at " x"
SELECT parse_datetime('2020', 'q');
error: INVALID_FUNCTION_ARGUMENT Illegal pattern component: q
SELECT parse_datetime('2020-03-29 02:30 Europe/Paris', 'yyyy-MM-dd HH:mm ZZZ');
error: INVALID_FUNCTION_ARGUMENT Cannot parse "2020-03-29 02:30 Europe/Paris": Illegal instant due to time zone offset transition (Europe/Paris)
SELECT parse_datetime('400000000', 'y');
error: INVALID_FUNCTION_ARGUMENT Cannot parse "400000000": Value 400000000 for year must be in the range [-292275054,292278993]
SELECT parse_datetime('2020', '''');
error: INVALID_FUNCTION_ARGUMENT Invalid format: "2020"
SELECT format_datetime(TIMESTAMP '2020-01-01 00:00:00', 'Z');
error: INVALID_FUNCTION_ARGUMENT format_datetime for TIMESTAMP type, cannot use 'Z' nor 'z' in format, as this type does not contain TZ information
SELECT format_datetime(TIMESTAMP '2020-01-01 00:00:00', 'z');
error: INVALID_FUNCTION_ARGUMENT format_datetime for TIMESTAMP type, cannot use 'Z' nor 'z' in format, as this type does not contain TZ information
SELECT format_datetime(now(), 'q');
error: INVALID_FUNCTION_ARGUMENT Illegal pattern component: q
SELECT width_bucket(1, ARRAY[1e0, infinity()]);
error: INVALID_FUNCTION_ARGUMENT Bin value must be finite, got Infinity
SELECT width_bucket(1, ARRAY[nan()]);
error: INVALID_FUNCTION_ARGUMENT Bin value must be finite, got NaN
SELECT width_bucket(1, ARRAY[]);
error: INVALID_FUNCTION_ARGUMENT Bins cannot be an empty array
SELECT width_bucket(1, ARRAY[2, 1]);
error: INVALID_FUNCTION_ARGUMENT Bin values are not sorted in ascending order
SELECT width_bucket(1, 2, 2, 3);
error: INVALID_FUNCTION_ARGUMENT bounds cannot equal each other
SELECT width_bucket(1, 1, 2, 0);
error: INVALID_FUNCTION_ARGUMENT bucketCount must be greater than 0
SELECT width_bucket(nan(), 1, 2, 3);
error: INVALID_FUNCTION_ARGUMENT operand must not be NaN
SELECT numeric_histogram(2000000, 1e0);
error: INVALID_FUNCTION_ARGUMENT numeric_histogram bucket count must be at most 1000000
SELECT numeric_histogram(1, 1e0);
error: INVALID_FUNCTION_ARGUMENT numeric_histogram bucket count must be greater than one
SELECT cardinality(CAST(X'00' AS HyperLogLog));
error: INVALID_FUNCTION_ARGUMENT Invalid HyperLogLog
SELECT cardinality(CAST(X'0209' AS HyperLogLog));
error: INVALID_FUNCTION_ARGUMENT Invalid HyperLogLog
SELECT cardinality(CAST(X'020900FF' AS HyperLogLog));
error: INVALID_FUNCTION_ARGUMENT Invalid HyperLogLog
SELECT cardinality(CAST(X'030c' AS HyperLogLog));
error: INVALID_FUNCTION_ARGUMENT Invalid HyperLogLog
SELECT merge(h) FROM (VALUES approx_set(1, 0.1), approx_set(1, 0.02)) t (h);
error: EXPRESSION_NOT_SCALAR line 1:30: VALUES cannot contain aggregations, window functions or grouping operations: [approx_set(1, 0.1)]
SELECT merge(h) FROM (SELECT approx_set(1, 0.1) UNION ALL SELECT approx_set(1, 0.02)) t (h);
error: FUNCTION_NOT_FOUND line 1:30: Unexpected parameters (integer, decimal(1,1)) for function approx_set. Expected: approx_set(bigint) , approx_set(double) , approx_set(varchar) 
SELECT approx_set(1, 5e0);
error: FUNCTION_NOT_FOUND line 1:8: Unexpected parameters (integer, double) for function approx_set. Expected: approx_set(bigint) , approx_set(double) , approx_set(varchar) 
SELECT approx_distinct(1, 0.0001);
error: INVALID_FUNCTION_ARGUMENT Max standard error must be in [0.0040625, 0.26000]: 1.0E-4
SELECT cardinality(CAST(X'' AS setdigest));
error: INVALID_FUNCTION_ARGUMENT Invalid setdigest
SELECT cardinality(CAST(X'02' AS setdigest));
error: INVALID_FUNCTION_ARGUMENT Invalid setdigest
SELECT cardinality(CAST(X'01FFFFFFFF' AS setdigest));
error: INVALID_FUNCTION_ARGUMENT Invalid setdigest
SELECT cardinality(CAST(X'0100000000' AS setdigest));
error: INVALID_FUNCTION_ARGUMENT Invalid setdigest
SELECT value_at_quantile(CAST(X'' AS tdigest), 0.5);
error: INVALID_FUNCTION_ARGUMENT Invalid tdigest
SELECT value_at_quantile(CAST(X'0000' AS qdigest(bigint)), 0.5);
error: INVALID_FUNCTION_ARGUMENT Invalid qdigest
SELECT random(5, 1);
error: INVALID_FUNCTION_ARGUMENT start value must be less than stop value
SELECT random(-1);
error: INVALID_FUNCTION_ARGUMENT bound must be positive
SELECT rand(1, 1);
error: INVALID_FUNCTION_ARGUMENT start value must be less than stop value
SELECT bit_count(7, 1);
error: INVALID_FUNCTION_ARGUMENT Bits specified in bit_count must be between 2 and 64, got 1
SELECT bit_count(7, 65);
error: INVALID_FUNCTION_ARGUMENT Bits specified in bit_count must be between 2 and 64, got 65
SELECT bit_count(256, 8);
error: INVALID_FUNCTION_ARGUMENT Number must be representable with the bits specified. 256 can not be represented with 8 bits
SELECT ngrams(ARRAY['a'], 0);
error: INVALID_FUNCTION_ARGUMENT N must be positive
SELECT combinations(ARRAY[1, 2], 6);
error: INVALID_FUNCTION_ARGUMENT combination size must not exceed 5: 6
SELECT combinations(ARRAY[1, 2], -1);
error: INVALID_FUNCTION_ARGUMENT combination size must not be negative: -1
SELECT combinations(sequence(1, 100), 5);
error: INVALID_FUNCTION_ARGUMENT combinations exceed max size of 100000
SELECT repeat(1, -1);
error: INVALID_FUNCTION_ARGUMENT count argument of repeat function must be greater than or equal to 0
SELECT repeat(1, 20000);
error: INVALID_FUNCTION_ARGUMENT count argument of repeat function must be less than or equal to 10000
SELECT MAP(ARRAY[1], ARRAY[2, 3]);
error: INVALID_FUNCTION_ARGUMENT Key and value arrays must be the same length
SELECT MAP(ARRAY[NULL], ARRAY[2]);
error: INVALID_FUNCTION_ARGUMENT map key cannot be null
SELECT map_from_entries(ARRAY[NULL]);
error: INVALID_FUNCTION_ARGUMENT map entry cannot be null
SELECT map_from_entries(ARRAY[ROW(1, 2), ROW(1, 3)]);
error: INVALID_FUNCTION_ARGUMENT Duplicate map keys (1) are not allowed
SELECT map_from_entries(ARRAY[ROW(NULL, 2)]);
error: INVALID_FUNCTION_ARGUMENT map key cannot be null
SELECT multimap_from_entries(ARRAY[ROW(NULL, 2)]);
error: INVALID_FUNCTION_ARGUMENT map key cannot be null
SELECT transform_keys(MAP(ARRAY[1], ARRAY[2]), (k, v) -> CAST(NULL AS bigint));
error: INVALID_FUNCTION_ARGUMENT map key cannot be null
SELECT transform_keys(MAP(ARRAY[1, 2], ARRAY[2, 3]), (k, v) -> 5);
error: INVALID_FUNCTION_ARGUMENT Duplicate map keys (5) are not allowed
SELECT array_normalize(ARRAY[1e0], -1);
error: INVALID_FUNCTION_ARGUMENT array_normalize only supports non-negative p: -1.0
SELECT array_sort(ARRAY[1, 2], (a, b) -> 5);
error: INVALID_FUNCTION_ARGUMENT Lambda comparator must return either -1, 0, or 1
SELECT array_sort(ARRAY[1, 2], (a, b) -> CAST(NULL AS integer));
error: INVALID_FUNCTION_ARGUMENT Lambda comparator must return either -1, 0, or 1
SELECT zip_with(ARRAY[1], ARRAY[2], (a, b) -> a / 0);
error: DIVISION_BY_ZERO Division by zero
SELECT reduce(ARRAY[1], 0, (s, x) -> s / 0, s -> s);
error: DIVISION_BY_ZERO Division by zero
SELECT inverse_normal_cdf(0, -1, 0.5);
error: INVALID_FUNCTION_ARGUMENT sd must be > 0
SELECT normal_cdf(0, 0, 1);
error: INVALID_FUNCTION_ARGUMENT standardDeviation must be > 0
SELECT beta_cdf(0, 1, 0.5);
error: INVALID_FUNCTION_ARGUMENT a must be > 0
SELECT inverse_beta_cdf(1, 1, 2);
error: INVALID_FUNCTION_ARGUMENT p must be 0 >= p >= 1
SELECT binomial_cdf(-1, 0.5, 1);
error: INVALID_FUNCTION_ARGUMENT binomialCdf Function: numberOfTrials must be greater than 0
SELECT cauchy_cdf(0, -1, 1);
error: INVALID_FUNCTION_ARGUMENT cauchyCdf Function: scale must be greater than 0
SELECT chi_squared_cdf(-1, 1);
error: INVALID_FUNCTION_ARGUMENT chiSquaredCdf Function: df must be greater than 0
SELECT poisson_cdf(-1, 1);
error: INVALID_FUNCTION_ARGUMENT poissonCdf Function: lambda must be greater than 0
SELECT weibull_cdf(-1, 1, 1);
error: INVALID_FUNCTION_ARGUMENT weibullCdf Function: a must be greater than 0
SELECT wilson_interval_lower(-1, 1, 1);
error: INVALID_FUNCTION_ARGUMENT number of successes must not be negative
SELECT wilson_interval_lower(2, 1, 1);
error: INVALID_FUNCTION_ARGUMENT number of successes must not be larger than number of trials
SELECT wilson_interval_lower(0, 1, -1);
error: INVALID_FUNCTION_ARGUMENT z-score must not be negative
SELECT max(x, 0) FROM (VALUES 1) t (x);
error: INVALID_FUNCTION_ARGUMENT second argument of max_n/min_n must be positive
SELECT max(x, 10001) FROM (VALUES 1) t (x);
error: INVALID_FUNCTION_ARGUMENT second argument of max_n/min_n must be less than or equal to 10000; found 10001
SELECT max_by(x, x, -1) FROM (VALUES 1) t (x);
error: INVALID_FUNCTION_ARGUMENT third argument of max_by/min_by must be a positive integer
SELECT min_by(x, x, 10001) FROM (VALUES 1) t (x);
error: INVALID_FUNCTION_ARGUMENT third argument of max_by/min_by must be less than or equal to 10000; found 10001
SELECT ntile(0) OVER () FROM (VALUES 1) t (x);
error: INVALID_FUNCTION_ARGUMENT Buckets must be greater than 0
SELECT nth_value(x, 0) OVER () FROM (VALUES 1) t (x);
error: INVALID_FUNCTION_ARGUMENT Offset must be at least 1
SELECT lag(x, -1) OVER (ORDER BY x) FROM (VALUES 1) t (x);
error: INVALID_FUNCTION_ARGUMENT Offset must be at least 0
SELECT lead(x, -1) OVER (ORDER BY x) FROM (VALUES 1) t (x);
error: INVALID_FUNCTION_ARGUMENT Offset must be at least 0
SELECT approx_most_frequent(0, x, 10) FROM (VALUES 1) t (x);
error: INVALID_FUNCTION_ARGUMENT approx_most_frequent bucket count must be greater than one, input bucket count: 0
SELECT approx_percentile(x, 2) FROM (VALUES 1) t (x);
error: INVALID_FUNCTION_ARGUMENT Percentile must be between 0 and 1
SELECT approx_percentile(x, 0, 0.5) FROM (VALUES 1) t (x);
error: INVALID_FUNCTION_ARGUMENT weight must be >= 1, was 0.0
SELECT qdigest_agg(x, 0) FROM (VALUES 1) t (x);
error: INVALID_FUNCTION_ARGUMENT Percentile weight must be > 0
SELECT qdigest_agg(x, 1, 5) FROM (VALUES 1) t (x);
error: INVALID_FUNCTION_ARGUMENT Percentile accuracy must be exclusively between 0 and 1, was 5.0
SELECT listagg(x, ',') WITHIN GROUP (ORDER BY x) FROM (SELECT rpad('', 100000, 'a') x FROM UNNEST(sequence(1, 30)));
error: EXCEEDED_FUNCTION_MEMORY_LIMIT Concatenated string has the length in bytes larger than the maximum output length 1048576
SELECT listagg(x, ',' ON OVERFLOW ERROR) WITHIN GROUP (ORDER BY x) FROM (SELECT rpad('', 100000, 'a') x FROM UNNEST(sequence(1, 30)));
error: EXCEEDED_FUNCTION_MEMORY_LIMIT Concatenated string has the length in bytes larger than the maximum output length 1048576
SELECT listagg(x, x) WITHIN GROUP (ORDER BY x) FROM (VALUES 'a') t (x);
error: SYNTAX_ERROR /line 1:19: mismatched input 'x'\. Expecting: .*/
SELECT listagg(x) FROM (VALUES 'a') t (x);
error: SYNTAX_ERROR /line 1:19: mismatched input 'FROM'\. Expecting: .*/
SELECT listagg(x, ',') FROM (VALUES 'a') t (x);
error: SYNTAX_ERROR /line 1:24: mismatched input 'FROM'\. Expecting: .*/
SELECT listagg(1, ',') WITHIN GROUP (ORDER BY 1);
error: TYPE_MISMATCH line 1:8: Expected expression of varchar, but '1' has integer type
SELECT listagg(x, ',' ON OVERFLOW TRUNCATE 5 WITH COUNT) WITHIN GROUP (ORDER BY x) FROM (VALUES 'a') t (x);
error: SYNTAX_ERROR /line 1:44: mismatched input '5'\. Expecting: .*/
SELECT listagg(x, ',' ON OVERFLOW TRUNCATE) WITHIN GROUP (ORDER BY x) FROM (VALUES 'a') t (x);
error: SYNTAX_ERROR /line 1:43: mismatched input '\)'\. Expecting: .*/
SELECT ST_GeometryFromText('xyz');
error: INVALID_FUNCTION_ARGUMENT Invalid WKT: xyz
SELECT ST_GeometryFromText('');
error: INVALID_FUNCTION_ARGUMENT Invalid WKT: 
SELECT ST_GeometryFromText('POINT');
error: INVALID_FUNCTION_ARGUMENT Invalid WKT: POINT
SELECT ST_GeometryFromText('POINT (1)');
error: INVALID_FUNCTION_ARGUMENT Invalid WKT: POINT (1)
SELECT ST_GeometryFromText('POINT (1 x)');
error: INVALID_FUNCTION_ARGUMENT Invalid WKT: POINT (1 x)
SELECT ST_GeometryFromText('POINT (1 2) 3');
error: INVALID_FUNCTION_ARGUMENT Invalid WKT: POINT (1 2) 3
SELECT ST_GeometryFromText('LINESTRING (1 1, 2 2');
error: INVALID_FUNCTION_ARGUMENT Invalid WKT: LINESTRING (1 1, 2 2
SELECT ST_GeometryFromText('POLYGON (1 1, 2 2, 3 3)');
error: INVALID_FUNCTION_ARGUMENT Invalid WKT: POLYGON (1 1, 2 2, 3 3)
SELECT ST_GeometryFromText('CIRCLE (1 1)');
error: INVALID_FUNCTION_ARGUMENT Invalid WKT: CIRCLE (1 1)
SELECT ST_GeometryFromText('POINT (1 1e999)');
error: INVALID_FUNCTION_ARGUMENT Invalid WKT: POINT (1 1e999)
SELECT ST_GeomFromBinary(X'');
error: INVALID_FUNCTION_ARGUMENT Invalid WKB
SELECT ST_GeomFromBinary(X'00');
error: INVALID_FUNCTION_ARGUMENT Invalid WKB
SELECT ST_GeomFromBinary(X'0500000001');
error: INVALID_FUNCTION_ARGUMENT Invalid WKB
SELECT ST_GeomFromBinary(X'000000000100');
error: INVALID_FUNCTION_ARGUMENT Invalid WKB
SELECT ST_GeomFromBinary(X'0000000063');
error: INVALID_FUNCTION_ARGUMENT Invalid WKB
SELECT ST_GeomFromBinary(X'00000000013FF00000000000003FF000000000000000');
error: INVALID_FUNCTION_ARGUMENT Invalid WKB
SELECT ST_GeomFromBinary(X'000000000400000001000000000200000000');
error: INVALID_FUNCTION_ARGUMENT Invalid WKB
SELECT ST_GeomFromBinary(X'0000000002FFFFFFFF');
error: INVALID_FUNCTION_ARGUMENT Invalid WKB
SELECT ST_LineFromText('POINT (1 1)');
error: INVALID_FUNCTION_ARGUMENT ST_LineFromText only applies to LINE_STRING. Input type is: POINT
SELECT ST_Polygon('LINESTRING (1 1, 2 2)');
error: INVALID_FUNCTION_ARGUMENT ST_Polygon only applies to POLYGON. Input type is: LINE_STRING
SELECT ST_LineString(ARRAY[ST_Point(1, 1), ST_GeometryFromText('LINESTRING (1 1, 2 2)')]);
error: INVALID_FUNCTION_ARGUMENT ST_LineString takes only an array of valid points, LineString was passed
SELECT ST_LineString(ARRAY[ST_Point(1, 1), NULL]);
error: INVALID_FUNCTION_ARGUMENT Invalid input to ST_LineString: null point at index 2
SELECT ST_LineString(ARRAY[ST_Point(1, 1), ST_Point(1, 1)]);
error: INVALID_FUNCTION_ARGUMENT Invalid input to ST_LineString: consecutive duplicate points at index 2
SELECT ST_LineString(ARRAY[ST_GeometryFromText('POINT EMPTY')]);
error: INVALID_FUNCTION_ARGUMENT Invalid input to ST_LineString: empty point at index 1
SELECT ST_MultiPoint(ARRAY[ST_Point(1, 1), NULL]);
error: INVALID_FUNCTION_ARGUMENT Invalid input to ST_MultiPoint: null at index 2
SELECT ST_MultiPoint(ARRAY[ST_GeometryFromText('POINT EMPTY')]);
error: INVALID_FUNCTION_ARGUMENT Invalid input to ST_MultiPoint: empty point at index 1
SELECT ST_MultiPoint(ARRAY[ST_GeometryFromText('LINESTRING (1 1, 2 2)')]);
error: INVALID_FUNCTION_ARGUMENT Invalid input to ST_MultiPoint: geometry is not a point: LineString at index 1
SELECT ST_Area(to_spherical_geography(ST_GeometryFromText('LINESTRING (0 0, 1 1)')));
error: INVALID_FUNCTION_ARGUMENT When applied to SphericalGeography inputs, ST_Area only supports POLYGON or MULTI_POLYGON. Input type is: LINE_STRING
SELECT ST_Area(to_spherical_geography(ST_GeometryFromText('POLYGON ((0 0, 0 0))')));
error: INVALID_FUNCTION_ARGUMENT Polygon is not valid: a loop contains less then 3 vertices.
SELECT ST_Area(to_spherical_geography(ST_GeometryFromText('POLYGON ((0 0, 1 1, 0 0))')));
error: INVALID_FUNCTION_ARGUMENT Polygon is not valid: a loop contains less then 3 vertices.
SELECT ST_Area(to_spherical_geography(ST_GeometryFromText('POLYGON ((0 0, 0 0, 1 1, 1 0, 0 0))')));
error: INVALID_FUNCTION_ARGUMENT Polygon is not valid: it has two identical consecutive vertices
SELECT to_spherical_geography(ST_Point(0, 91));
error: INVALID_FUNCTION_ARGUMENT Latitude must be between -90 and 90
SELECT to_spherical_geography(ST_Point(181, 0));
error: INVALID_FUNCTION_ARGUMENT Longitude must be between -180 and 180
SELECT ST_Distance(to_spherical_geography(ST_GeometryFromText('LINESTRING (0 0, 1 1)')), to_spherical_geography(ST_Point(0, 0)));
error: INVALID_FUNCTION_ARGUMENT When applied to SphericalGeography inputs, ST_Distance only supports POINT. Input type is: LINE_STRING
SELECT ST_Length(to_spherical_geography(ST_Point(0, 0)));
error: INVALID_FUNCTION_ARGUMENT When applied to SphericalGeography inputs, ST_Length only supports LINE_STRING or MULTI_LINE_STRING. Input type is: POINT
SELECT ST_Length(ST_Point(0, 0));
error: INVALID_FUNCTION_ARGUMENT ST_Length only applies to LINE_STRING or MULTI_LINE_STRING. Input type is: POINT
SELECT ST_IsClosed(ST_Point(0, 0));
error: INVALID_FUNCTION_ARGUMENT ST_IsClosed only applies to LINE_STRING or MULTI_LINE_STRING. Input type is: POINT
SELECT ST_IsRing(ST_Point(0, 0));
error: INVALID_FUNCTION_ARGUMENT ST_IsRing only applies to LINE_STRING. Input type is: POINT
SELECT ST_X(ST_GeometryFromText('LINESTRING (0 0, 1 1)'));
error: INVALID_FUNCTION_ARGUMENT ST_X only applies to POINT. Input type is: LINE_STRING
SELECT ST_Y(ST_GeometryFromText('POLYGON ((0 0, 0 1, 1 1, 0 0))'));
error: INVALID_FUNCTION_ARGUMENT ST_Y only applies to POINT. Input type is: POLYGON
SELECT ST_StartPoint(ST_Point(0, 0));
error: INVALID_FUNCTION_ARGUMENT ST_StartPoint only applies to LINE_STRING. Input type is: POINT
SELECT ST_EndPoint(ST_GeometryFromText('POLYGON ((0 0, 0 1, 1 1, 0 0))'));
error: INVALID_FUNCTION_ARGUMENT ST_EndPoint only applies to LINE_STRING. Input type is: POLYGON
SELECT ST_PointN(ST_Point(0, 0), 1);
error: INVALID_FUNCTION_ARGUMENT ST_PointN only applies to LINE_STRING. Input type is: POINT
SELECT ST_InteriorRings(ST_Point(0, 0));
error: INVALID_FUNCTION_ARGUMENT ST_InteriorRings only applies to POLYGON. Input type is: POINT
SELECT ST_NumInteriorRing(ST_Point(0, 0));
error: INVALID_FUNCTION_ARGUMENT ST_NumInteriorRing only applies to POLYGON. Input type is: POINT
SELECT ST_InteriorRingN(ST_Point(0, 0), 1);
error: INVALID_FUNCTION_ARGUMENT ST_InteriorRingN only applies to POLYGON. Input type is: POINT
SELECT ST_ExteriorRing(ST_Point(0, 0));
error: INVALID_FUNCTION_ARGUMENT ST_ExteriorRing only applies to POLYGON. Input type is: POINT
SELECT ST_Centroid(ST_GeometryFromText('GEOMETRYCOLLECTION (POINT (1 1))'));
error: INVALID_FUNCTION_ARGUMENT ST_Centroid only applies to POINT or MULTI_POINT or LINE_STRING or MULTI_LINE_STRING or POLYGON or MULTI_POLYGON. Input type is: GEOMETRY_COLLECTION
SELECT ST_Boundary(ST_GeometryFromText('GEOMETRYCOLLECTION (POINT (1 1))'));
error: INVALID_FUNCTION_ARGUMENT ST_Boundary does not support GEOMETRY_COLLECTION
SELECT ST_Buffer(ST_Point(0, 0), nan());
error: INVALID_FUNCTION_ARGUMENT distance is NaN
SELECT ST_Buffer(ST_Point(0, 0), -1.2);
error: INVALID_FUNCTION_ARGUMENT distance is negative
SELECT expand_envelope(ST_Point(0, 0), nan());
error: INVALID_FUNCTION_ARGUMENT expand_envelope: distance is NaN
SELECT expand_envelope(ST_Point(0, 0), -1);
error: INVALID_FUNCTION_ARGUMENT expand_envelope: distance -1.0 is negative
SELECT simplify_geometry(ST_Point(0, 0), nan());
error: INVALID_FUNCTION_ARGUMENT distanceTolerance is NaN
SELECT simplify_geometry(ST_Point(0, 0), -1);
error: INVALID_FUNCTION_ARGUMENT distanceTolerance is negative
SELECT line_locate_point(ST_Point(0, 0), ST_Point(0, 0));
error: INVALID_FUNCTION_ARGUMENT First argument to line_locate_point must be a LineString or a MultiLineString. Got: Point
SELECT line_locate_point(ST_GeometryFromText('LINESTRING (0 0, 1 1)'), ST_GeometryFromText('LINESTRING (0 0, 1 1)'));
error: INVALID_FUNCTION_ARGUMENT Second argument to line_locate_point must be a Point. Got: LineString
SELECT line_interpolate_point(ST_GeometryFromText('LINESTRING (0 0, 1 1)'), 2);
error: INVALID_FUNCTION_ARGUMENT fraction must be between 0 and 1
SELECT line_interpolate_point(ST_GeometryFromText('LINESTRING (0 0, 1 1)'), -0.1);
error: INVALID_FUNCTION_ARGUMENT fraction must be between 0 and 1
SELECT line_interpolate_point(ST_Point(0, 0), 0.5);
error: INVALID_FUNCTION_ARGUMENT line_interpolate_point only applies to LINE_STRING. Input type is: POINT
SELECT line_interpolate_points(ST_GeometryFromText('LINESTRING (0 0, 1 1)'), 0.000000001);
error: INVALID_FUNCTION_ARGUMENT result of line_interpolate_points must not have more than 1000000 entries
SELECT ST_Relate(ST_Point(0, 0), ST_Point(0, 0), 'x');
error: INVALID_FUNCTION_ARGUMENT Invalid intersection pattern: x
SELECT ST_Relate(ST_Point(0, 0), ST_Point(0, 0), '*********x');
error: INVALID_FUNCTION_ARGUMENT Invalid intersection pattern: *********x
SELECT from_encoded_polyline('A');
error: INVALID_FUNCTION_ARGUMENT Input is not an encoded polyline
SELECT from_encoded_polyline('~~~~~~~~~~~~~~~~');
error: INVALID_FUNCTION_ARGUMENT Input is not an encoded polyline
SELECT to_encoded_polyline(ST_GeometryFromText('POLYGON ((0 0, 0 1, 1 1, 0 0))'));
error: INVALID_FUNCTION_ARGUMENT to_encoded_polyline only applies to LINE_STRING or MULTI_POINT. Input type is: POLYGON
SELECT from_geojson_geometry('x');
error: INVALID_FUNCTION_ARGUMENT Invalid GeoJSON: Could not parse JSON.
SELECT from_geojson_geometry('[]');
error: INVALID_FUNCTION_ARGUMENT Invalid GeoJSON: Could not parse Geometry from GeoJson string.
SELECT from_geojson_geometry('{}');
error: INVALID_FUNCTION_ARGUMENT Invalid GeoJSON: Could not parse Geometry from Json string.  No 'type' property found.
SELECT from_geojson_geometry('{"type": 5}');
error: INVALID_FUNCTION_ARGUMENT Invalid GeoJSON: Could not parse Geometry from GeoJson string.
SELECT from_geojson_geometry('{"type": "Nosuch"}');
error: INVALID_FUNCTION_ARGUMENT Invalid GeoJSON: Unknown type: Nosuch
SELECT from_geojson_geometry('{"type": "Point", "coordinates": [1]}');
error: INVALID_FUNCTION_ARGUMENT Invalid GeoJSON: Could not parse Geometry from GeoJson string.
SELECT from_geojson_geometry('{"type": "Point", "coordinates": ["x", 1]}');
error: INVALID_FUNCTION_ARGUMENT Invalid GeoJSON: Could not parse Geometry from GeoJson string.
SELECT from_geojson_geometry('{"type": "LineString", "coordinates": 5}');
error: INVALID_FUNCTION_ARGUMENT Invalid GeoJSON: Could not parse Geometry from GeoJson string.
SELECT from_geojson_geometry('{"type": "LineString", "coordinates": [5]}');
error: INVALID_FUNCTION_ARGUMENT Invalid GeoJSON: Could not parse Geometry from GeoJson string.
SELECT from_geojson_geometry('{"type": "GeometryCollection", "geometries": 5}');
error: INVALID_FUNCTION_ARGUMENT Invalid GeoJSON: Could not parse Geometry from GeoJson string.
SELECT great_circle_distance(100, 0, 0, 0);
error: INVALID_FUNCTION_ARGUMENT Latitude must be between -90 and 90
SELECT great_circle_distance(0, 200, 0, 0);
error: INVALID_FUNCTION_ARGUMENT Longitude must be between -180 and 180
SELECT bing_tile(5, 5, 1);
error: INVALID_FUNCTION_ARGUMENT XY coordinates for a Bing tile at zoom level 1 must be within [0, 2) range
SELECT bing_tile(0, 0, 24);
error: INVALID_FUNCTION_ARGUMENT Zoom level must be <= 23
SELECT bing_tile(0, 0, -1);
error: INVALID_FUNCTION_ARGUMENT Zoom level must be >= 0
SELECT bing_tile('9');
error: INVALID_FUNCTION_ARGUMENT Invalid QuadKey digit sequence: 9
SELECT bing_tile('0123012301230123012301230123');
error: INVALID_FUNCTION_ARGUMENT QuadKey must be 23 characters or less
SELECT bing_tile_at(90, 0, 1);
error: INVALID_FUNCTION_ARGUMENT Latitude must be between -85.05112878 and 85.05112878
SELECT bing_tile_at(0, 190, 1);
error: INVALID_FUNCTION_ARGUMENT Longitude must be between -180.0 and 180.0
SELECT bing_tile_at(0, 0, 30);
error: INVALID_FUNCTION_ARGUMENT Zoom level must be <= 23
SELECT bing_tiles_around(0, 0, 15, 2000);
error: INVALID_FUNCTION_ARGUMENT Radius must be <= 1,000 km
SELECT bing_tiles_around(0, 0, 15, -1);
error: INVALID_FUNCTION_ARGUMENT Radius must be >= 0
SELECT bing_tiles_around(0, 0, 23, 500);
error: INVALID_FUNCTION_ARGUMENT The number of tiles covering input rectangle exceeds the limit of 1M. Number of tiles: 43959819892. Radius: 500.0 km. Zoom level: 23.
SELECT bing_tile_polygon(CAST(99999 AS bingtile));
error: TYPE_MISMATCH line 1:26: Cannot cast integer to BingTile
SELECT CAST(-1 AS bingtile);
error: TYPE_MISMATCH line 1:8: Cannot cast integer to BingTile
SELECT CAST(4611686018427387904 AS bingtile);
error: INVALID_CAST_ARGUMENT Invalid bigint tile encoding: 4611686018427387904
SELECT bing_tile_children(bing_tile('0'), 24);
error: INVALID_FUNCTION_ARGUMENT newZoom must be less than or equal to 23: 24
SELECT bing_tile_children(bing_tile('01'), 1);
error: INVALID_FUNCTION_ARGUMENT newZoom must be greater than or equal to current zoom 2: 1
SELECT bing_tile_children(bing_tile('0'), 20);
error: INVALID_FUNCTION_ARGUMENT result of bing_tile_children must not have more than 1048576 entries
SELECT bing_tile_children(bing_tile(0, 0, 23));
error: INVALID_FUNCTION_ARGUMENT Cannot call bing_tile_children on tile with max zoom level
SELECT bing_tile_parent(bing_tile(''));
error: INVALID_FUNCTION_ARGUMENT Cannot call bing_tile_parent on root tile
SELECT bing_tile_parent(bing_tile('0'), -1);
error: INVALID_FUNCTION_ARGUMENT newZoom must be greater than or equal to 0: -1
SELECT bing_tile_parent(bing_tile('0'), 2);
error: INVALID_FUNCTION_ARGUMENT newZoom must be less than or equal to current zoom 1: 2
SELECT geometry_to_bing_tiles(ST_Point(200, 0), 5);
error: INVALID_FUNCTION_ARGUMENT Longitude span for the geometry must be in [-180.00, 180.00] range
SELECT geometry_to_bing_tiles(ST_Point(0, 90), 5);
error: INVALID_FUNCTION_ARGUMENT Latitude span for the geometry must be in [-85.05, 85.05] range
SELECT geometry_to_bing_tiles(ST_Point(0, 0), 24);
error: INVALID_FUNCTION_ARGUMENT Zoom level must be <= 23
SELECT geometry_to_bing_tiles(ST_GeometryFromText('POLYGON ((-180 -85, -180 85, 180 85, 180 -85, -180 -85))'), 20);
error: INVALID_FUNCTION_ARGUMENT The number of tiles covering input rectangle exceeds the limit of 1M. Number of tiles: 1095910817792. Rectangle: xMin=-180.00, yMin=-85.00, xMax=180.00, yMax=85.00. Zoom level: 20.
SELECT geometry_to_bing_tiles(ST_GeometryFromText('LINESTRING (0 0, 100 80)'), 20);
error: INVALID_FUNCTION_ARGUMENT The zoom level is too high to compute a set of covering Bing tiles.
SELECT ST_Union(ST_Point(1e300, 0), ST_Point(0, 0));
error: INVALID_FUNCTION_ARGUMENT Coordinates or distances of a geometry are too large
SELECT ST_Intersection(ST_GeometryFromText('POLYGON ((0 0, 1e200 1, 0 1e200, 0 0))'), ST_Point(0, 0));
error: INVALID_FUNCTION_ARGUMENT Coordinates or distances of a geometry are too large
SELECT ST_Buffer(ST_Point(0, 0), 1e300);
error: INVALID_FUNCTION_ARGUMENT Coordinates or distances of a geometry are too large
SELECT ST_Distance(ST_Point(0, 0), to_spherical_geography(ST_Point(0, 0)));
error: FUNCTION_NOT_FOUND line 1:8: Unexpected parameters (Geometry, SphericalGeography) for function st_distance. Expected: st_distance(Geometry, Geometry) , st_distance(SphericalGeography, SphericalGeography) 
SELECT ST_Point('x', 1);
error: FUNCTION_NOT_FOUND line 1:8: Unexpected parameters (varchar(1), integer) for function st_point. Expected: st_point(double, double) 
SELECT geometry_union(ARRAY[1]);
error: FUNCTION_NOT_FOUND line 1:8: Unexpected parameters (array(integer)) for function geometry_union. Expected: geometry_union(array(Geometry)) 
SELECT ST_Point(1, 1) = 'x';
error: TYPE_MISMATCH line 1:23: Cannot apply operator: Geometry = varchar(1)
SELECT ST_Point(1, 1) < ST_Point(1, 2);
error: TYPE_MISMATCH line 1:23: Cannot apply operator: Geometry < Geometry
SELECT CAST('POINT (1 1)' AS Geometry);
error: TYPE_MISMATCH line 1:8: Cannot cast varchar(11) to Geometry
SELECT CAST(ST_Point(1, 1) AS varchar);
error: TYPE_MISMATCH line 1:8: Cannot cast Geometry to varchar
SELECT Geometry 'POINT (1 1)';
error: INVALID_LITERAL line 1:8: No literal form for type Geometry
SELECT spatial_partitioning(ST_Point(1, 1));
error: FUNCTION_NOT_FOUND line 1:8: Function 'spatial_partitioning' not registered
SELECT ip_prefix('x', 5);
error: INVALID_CAST_ARGUMENT Cannot cast value to IPADDRESS: x
SELECT ip_prefix(IPADDRESS '1.2.3.4', 33);
error: INVALID_FUNCTION_ARGUMENT IPv4 subnet size must be in range [0, 32]
SELECT ip_prefix(IPADDRESS '::1', 129);
error: INVALID_FUNCTION_ARGUMENT IPv6 subnet size must be in range [0, 128]
SELECT ip_prefix(IPADDRESS '1.2.3.4', -1);
error: INVALID_FUNCTION_ARGUMENT IPv4 subnet size must be in range [0, 32]
SELECT ip_subnet_min(1);
error: FUNCTION_NOT_FOUND line 1:8: Unexpected parameters (integer) for function ip_subnet_min. Expected: ip_subnet_min(ipprefix) 
SELECT ip_prefix_collapse(ARRAY[IPPREFIX '1.2.3.4/8', NULL]);
error: INVALID_FUNCTION_ARGUMENT ip_prefix_collapse does not support null elements
SELECT ip_prefix_collapse(ARRAY[IPPREFIX '1.2.3.4/8', IPPREFIX '::/8']);
error: INVALID_FUNCTION_ARGUMENT All IPPREFIX elements must be the same IP version.
SELECT ip_prefix_subnets(IPPREFIX '1.2.3.4/8', 33);
error: INVALID_FUNCTION_ARGUMENT Invalid prefix length for IPv4: 33
SELECT ip_prefix_subnets(IPPREFIX '::/8', 200);
error: INVALID_FUNCTION_ARGUMENT Invalid prefix length for IPv6: 200
SELECT ip_prefix_subnets(IPPREFIX '0.0.0.0/0', 32);
error: INVALID_FUNCTION_ARGUMENT result of ip_prefix_subnets must not have more than 1000000 entries
SELECT contains('1.2.3.4', IPADDRESS '1.2.3.4');
error: INVALID_FUNCTION_ARGUMENT Invalid CIDR
SELECT contains('x/8', IPADDRESS '1.2.3.4');
error: INVALID_FUNCTION_ARGUMENT Invalid network IP address
SELECT contains('1.2.3.4/x', IPADDRESS '1.2.3.4');
error: INVALID_FUNCTION_ARGUMENT Invalid prefix length
SELECT contains('1.2.3.4/40', IPADDRESS '1.2.3.4');
error: INVALID_FUNCTION_ARGUMENT Prefix length exceeds address length
SELECT contains('1.2.3.4/8', IPADDRESS '1.2.3.4');
error: INVALID_FUNCTION_ARGUMENT Invalid CIDR
SELECT CAST('x' AS ipprefix);
error: INVALID_CAST_ARGUMENT Cannot cast value to IPPREFIX: x
SELECT CAST('1.2.3.4/33' AS ipprefix);
error: INVALID_CAST_ARGUMENT Cannot cast value to IPPREFIX: 1.2.3.4/33
SELECT CAST('1.2.3.4/-1' AS ipprefix);
error: INVALID_CAST_ARGUMENT Cannot cast value to IPPREFIX: 1.2.3.4/-1
SELECT CAST('1.2.3.4' AS ipprefix);
error: INVALID_CAST_ARGUMENT Cannot cast value to IPPREFIX: 1.2.3.4
SELECT IPPREFIX '1.2.3.4/33';
error: INVALID_LITERAL line 1:8: '1.2.3.4/33' is not a valid ipprefix literal
SELECT learn_regressor(x, features(y)) FROM (VALUES (nan(), 1)) t (x, y);
error: INVALID_FUNCTION_ARGUMENT Labels must be finite numbers
SELECT learn_regressor(x, features(y)) FROM (VALUES (1e0, nan())) t (x, y);
error: INVALID_FUNCTION_ARGUMENT Features must be finite numbers
SELECT learn_libsvm_classifier(x, features(y), 'x') FROM (VALUES (1, 1)) t (x, y);
error: INVALID_FUNCTION_ARGUMENT Invalid hyperparameters string for libsvm
SELECT learn_libsvm_classifier(x, features(y), 'kernel=nosuch') FROM (VALUES (1, 1)) t (x, y);
error: INVALID_FUNCTION_ARGUMENT Unknown kernel type nosuch
SELECT learn_libsvm_classifier(x, features(y), 'nosuch=1') FROM (VALUES (1, 1)) t (x, y);
error: INVALID_FUNCTION_ARGUMENT Unknown parameter nosuch
SELECT learn_libsvm_classifier(x, features(y), 'C=x') FROM (VALUES (1, 1)) t (x, y);
error: INVALID_FUNCTION_ARGUMENT Invalid value of parameter C: x
SELECT learn_libsvm_classifier(x, features(y), 'C=-1') FROM (VALUES (1, 1)) t (x, y);
error: INVALID_FUNCTION_ARGUMENT Invalid hyperparameters for libsvm: C <= 0
SELECT learn_libsvm_regressor(x, features(y), 'gamma=-1') FROM (VALUES (1, 1)) t (x, y);
error: INVALID_FUNCTION_ARGUMENT Invalid hyperparameters for libsvm: gamma < 0
SELECT evaluate_classifier_predictions(x, y) FROM (VALUES (5, 1)) t (x, y);
error: INVALID_FUNCTION_ARGUMENT evaluate_predictions only supports binary classifiers
SELECT evaluate_classifier_predictions(x, y) FROM (VALUES (0, 7)) t (x, y);
error: INVALID_FUNCTION_ARGUMENT evaluate_predictions only supports binary classifiers
SELECT classify(features(1), 5);
error: FUNCTION_NOT_FOUND line 1:8: Unexpected parameters (map(bigint, double), integer) for function classify. Expected: classify(map(bigint,double), Classifier(bigint)) , classify(map(bigint,double), Classifier(varchar)) 
SELECT regress(features('a'), (SELECT learn_regressor(x, features(x)) FROM (VALUES 1, 2) t (x)));
error: FUNCTION_NOT_FOUND line 1:16: Unexpected parameters (varchar(1)) for function features. Expected: features(double...) 
SELECT learn_classifier(1, 2);
error: FUNCTION_NOT_FOUND line 1:8: Unexpected parameters (integer, integer) for function learn_classifier. Expected: learn_classifier(bigint, map(bigint,double)) , learn_classifier(double, map(bigint,double)) , learn_classifier(varchar, map(bigint,double)) 
SELECT features();
error: FUNCTION_NOT_FOUND line 1:8: Unexpected parameters () for function features. Expected: features(double...) 
SELECT make_set_digest();
error: FUNCTION_NOT_FOUND line 1:8: Unexpected parameters () for function make_set_digest. Expected: make_set_digest(bigint) , make_set_digest(varchar) , make_set_digest(varbinary) , make_set_digest(uuid) , make_set_digest(ipaddress) 
SELECT jaccard_index(1, 2);
error: FUNCTION_NOT_FOUND line 1:8: Unexpected parameters (integer, integer) for function jaccard_index. Expected: jaccard_index(setdigest, setdigest) 
SELECT CAST(1 AS setdigest);
error: TYPE_MISMATCH line 1:8: Cannot cast integer to setdigest
SELECT hash_counts(CAST(X'ff' AS setdigest));
error: INVALID_FUNCTION_ARGUMENT Invalid setdigest
SELECT date '2020-01-01' AT TIME;
error: SYNTAX_ERROR /line 1:33: mismatched input '<EOF>'\. Expecting: .*/
SELECT EXTRACT(YEAR '2020');
error: SYNTAX_ERROR /line 1:21: mismatched input ''2020''\. Expecting: .*/
SELECT CURRENT_;
error: COLUMN_NOT_FOUND line 1:8: Column 'current_' cannot be resolved
SELECT NORMALIZE('a', 5);
error: SYNTAX_ERROR /line 1:23: mismatched input '5'\. Expecting: .*/
SELECT * FROM t1 FETCH FIRST;
error: SYNTAX_ERROR /line 1:29: mismatched input '<EOF>'\. Expecting: .*/
SELECT * FROM t1 TABLESAMPLE NOSUCH (5);
error: SYNTAX_ERROR /line 1:30: mismatched input 'NOSUCH'\. Expecting: .*/
SELECT a FROM t1 ORDER BY a NULLS;
error: SYNTAX_ERROR /line 1:34: mismatched input '<EOF>'\. Expecting: .*/
SELECT CAST(1 / 0 AS varchar);
error: DIVISION_BY_ZERO Division by zero
SELECT DECIMAL '1.0' / DECIMAL '0.0';
error: DIVISION_BY_ZERO Division by zero
SELECT DECIMAL '1.0' % DECIMAL '0.0';
error: DIVISION_BY_ZERO Division by zero
SELECT CAST('12345678901234567890123456789012345678' AS decimal(38,0)) / DECIMAL '0';
error: DIVISION_BY_ZERO Division by zero
SELECT map_top_n_values(MAP(ARRAY[1], ARRAY[2]), -1);
error: GENERIC_USER_ERROR n must be greater than or equal to 0
SELECT array_split_into_chunks(concat(sequence(1, 10000), ARRAY[1]), 1);
error: GENERIC_USER_ERROR Cannot split array of size: 10001 into more than 10000 parts.
SELECT from_base('99999999999999999999999', 36);
error: INVALID_FUNCTION_ARGUMENT Not a valid base-36 number: 99999999999999999999999
SELECT from_base('zzzzzzzzzzzzzzzzzzzz', 36);
error: INVALID_FUNCTION_ARGUMENT Not a valid base-36 number: zzzzzzzzzzzzzzzzzzzz
SELECT map_union_sum(MAP(ARRAY[1], ARRAY[9223372036854775807])) FROM (VALUES 1, 2) t (x);
error: NUMERIC_VALUE_OUT_OF_RANGE bigint addition overflow: 9223372036854775807 + 9223372036854775807
SELECT reduce_agg(x, 0, (s, x) -> s / 0, (s, x) -> s) FROM (VALUES 1) t (x);
error: DIVISION_BY_ZERO Division by zero
SELECT color(0.5, color('bold'), color('red'));
error: INVALID_FUNCTION_ARGUMENT Invalid color: 'bold'
SELECT color(5.0, 0, 10, color('system'), color('red'));
error: INVALID_FUNCTION_ARGUMENT Invalid color: 'system'
SELECT color('bold');
error: INVALID_FUNCTION_ARGUMENT Invalid color: 'bold'
SELECT bar(0.5, 2000000000);
error: INVALID_FUNCTION_ARGUMENT width must be at most 100000
SELECT format('%tx', now());
error: INVALID_FUNCTION_ARGUMENT Invalid format string: %tx (UnknownFormatConversion: Conversion = 'tx')
SELECT format('%-,5n', 1);
error: INVALID_FUNCTION_ARGUMENT Invalid format string: %-,5n (IllegalFormatWidth: 5)
SELECT format('%,n', 1);
error: INVALID_FUNCTION_ARGUMENT Invalid format string: %,n (IllegalFormatFlags: Flags = ',')
SELECT format('%tZ', TIMESTAMP '2020-01-01 00:00:00 Europe/Paris');
error: NOT_SUPPORTED Names of time zones are not supported in formats: %tZ
SELECT format('%tY', 'x');
error: INVALID_FUNCTION_ARGUMENT Invalid format string: %tY (IllegalFormatConversion: Y != java.lang.String)
SELECT format('%tY', true);
error: INVALID_FUNCTION_ARGUMENT Invalid format string: %tY (IllegalFormatConversion: Y != java.lang.Boolean)
SELECT format('%tH', DATE '2020-01-01');
error: INVALID_FUNCTION_ARGUMENT Invalid format string: %tH (IllegalFormatConversion: H != java.time.LocalDate)
SELECT geometry_from_geojson('x');
error: INVALID_FUNCTION_ARGUMENT Invalid GeoJSON: Could not parse JSON.
SELECT from_geojson_geometry('null');
error: INVALID_FUNCTION_ARGUMENT Invalid GeoJSON: Could not parse Geometry from GeoJson string.
SELECT geometry_to_bing_tiles(ST_GeometryFromText('POLYGON ((0 0, 0 1, 1 1, 1 0, 0 0))'), 23);
error: INVALID_FUNCTION_ARGUMENT The number of tiles covering input rectangle exceeds the limit of 1M. Number of tiles: 543006506. Rectangle: xMin=0.00, yMin=0.00, xMax=1.00, yMax=1.00. Zoom level: 23.
SELECT ST_GeomFromBinary(X'000000000700000001');
error: INVALID_FUNCTION_ARGUMENT Invalid WKB
SELECT ST_GeomFromBinary(X'0000000004000000010000000001');
error: INVALID_FUNCTION_ARGUMENT Invalid WKB
SELECT ST_GeometryFromText('5');
error: INVALID_FUNCTION_ARGUMENT Invalid WKT: 5
SELECT ST_GeometryFromText('(1 1)');
error: INVALID_FUNCTION_ARGUMENT Invalid WKT: (1 1)
SELECT ST_GeometryFromText('MULTIPOINT ((1 1) 2 2)');
error: INVALID_FUNCTION_ARGUMENT Invalid WKT: MULTIPOINT ((1 1) 2 2)
SELECT ST_GeometryFromText('MULTIPOINT (1 1, )');
error: INVALID_FUNCTION_ARGUMENT Invalid WKT: MULTIPOINT (1 1, )
SELECT ST_GeometryFromText('GEOMETRYCOLLECTION (5)');
error: INVALID_FUNCTION_ARGUMENT Invalid WKT: GEOMETRYCOLLECTION (5)
SELECT ST_GeometryFromText('GEOMETRYCOLLECTION (POINT (1 1),)');
error: INVALID_FUNCTION_ARGUMENT Invalid WKT: GEOMETRYCOLLECTION (POINT (1 1),)
SELECT cardinality(CAST(X'020C00000000' AS HyperLogLog));
error: INVALID_FUNCTION_ARGUMENT Invalid HyperLogLog
SELECT cardinality(CAST(X'020C01000000' AS HyperLogLog));
error: INVALID_FUNCTION_ARGUMENT Invalid HyperLogLog
SELECT cardinality(CAST(X'030400' AS HyperLogLog));
error: INVALID_FUNCTION_ARGUMENT Invalid HyperLogLog
SELECT merge(h) FROM (SELECT CAST(approx_set(x, 0.1e0) AS varbinary) b FROM (VALUES 1) t (x)) u, LATERAL (SELECT CAST(b AS HyperLogLog) h);
error: FUNCTION_NOT_FOUND line 1:35: Unexpected parameters (integer, double) for function approx_set. Expected: approx_set(bigint) , approx_set(double) , approx_set(varchar) 
SELECT merge(CAST(b AS HyperLogLog)) FROM (VALUES X'020C0000', X'020B0000') t (b);
error: INVALID_FUNCTION_ARGUMENT Cannot merge HLLs with different number of buckets: 4096 vs 2048
SELECT format_datetime(TIMESTAMP '2020-01-01 00:00:00 Europe/Paris', 'zzzz');
error: NOT_SUPPORTED Names of time zones are not supported in patterns: use Z, ZZ or ZZZ
SELECT format_datetime(TIMESTAMP '2020-01-01 00:00:00 Europe/Paris', 'z');
error: NOT_SUPPORTED Names of time zones are not supported in patterns: use Z, ZZ or ZZZ
SELECT parse_datetime('2020', 'yyyy e');
error: INVALID_FUNCTION_ARGUMENT Invalid format: "2020" is too short
SELECT parse_datetime('x', 'a');
error: INVALID_FUNCTION_ARGUMENT Invalid format: "x"
SELECT parse_datetime('x', 'ZZZZ');
error: INVALID_FUNCTION_ARGUMENT Invalid format: "x"
SELECT parse_datetime('x', 'G');
error: INVALID_FUNCTION_ARGUMENT Parsing not supported: G
SELECT from_iso8601_timestamp('');
error: INVALID_FUNCTION_ARGUMENT Invalid format: ""
SELECT from_iso8601_timestamp('2020-01-01Tx');
error: INVALID_FUNCTION_ARGUMENT Invalid format: "2020-01-01Tx"
SELECT from_iso8601_timestamp('2020-01-01T10:00:00+99:00');
error: INVALID_FUNCTION_ARGUMENT Invalid format: "2020-01-01T10:00:00+99:00"
SELECT from_iso8601_timestamp_nanos('x');
error: INVALID_FUNCTION_ARGUMENT Invalid format: "x"
SELECT from_iso8601_timestamp_nanos('2020-01-01T10:00:00.1234567891Z');
error: INVALID_FUNCTION_ARGUMENT Invalid format: "2020-01-01T10:00:00.1234567891Z"
SELECT CAST(JSON 'true' AS decimal(2, 2));
error: INVALID_CAST_ARGUMENT Cannot cast 'true' to DECIMAL(2,2)
SELECT CAST(JSON '[1, 2, 3]' AS row(a integer, b integer));
error: INVALID_CAST_ARGUMENT /Cannot cast to row\(a integer, b integer\)\. Expected json array ending, but got 3\n\[1,2,3\]/
SELECT CAST(JSON '[1]' AS row(a integer, b integer));
error: INVALID_CAST_ARGUMENT /Cannot cast to row\(a integer, b integer\)\. Unexpected token when cast to integer: \]\n\[1\]/
SELECT CAST(JSON '{"a": 1}' AS row(integer));
error: INVALID_CAST_ARGUMENT /Cannot cast to row\(integer\)\. Cannot cast a JSON object to anonymous row type\. Input must be a JSON array\.\n\{"a":1\}/
SELECT CAST(JSON '{"a": 1}' AS array(integer));
error: INVALID_CAST_ARGUMENT /Cannot cast to array\(integer\)\. Expected a json array, but got \{\n\{"a":1\}/
SELECT CAST(JSON '5' AS map(varchar, integer));
error: INVALID_CAST_ARGUMENT /Cannot cast to map\(varchar, integer\)\. Expected a json object, but got 5\n5/
SELECT CAST(JSON '{"a": 1}' AS map(integer, integer));
error: INVALID_CAST_ARGUMENT /Cannot cast to map\(integer, integer\)\. Cannot cast 'a' to INT\n\{"a":1\}/
SELECT CAST(JSON '{"1": 1, "1.0": 2}' AS map(double, integer));
error: INVALID_CAST_ARGUMENT /Cannot cast to map\(double, integer\)\. Duplicate keys are not allowed\n\{"1":1,"1\.0":2\}/
SELECT CAST(JSON '"x"' AS integer);
error: INVALID_CAST_ARGUMENT Cannot cast '"x"' to integer
SELECT CAST(JSON '"x"' AS date);
error: TYPE_MISMATCH line 1:8: Cannot cast json to date
SELECT CAST(MAP(ARRAY[ROW(1)], ARRAY[2]) AS json);
error: TYPE_MISMATCH line 1:8: Cannot cast map(row(integer), integer) to json
SELECT CAST(MAP(ARRAY[1], ARRAY[2]) AS map(varchar, varchar(0)));
error: INVALID_CAST_ARGUMENT Value 2 cannot be represented as varchar(0)
SELECT CAST(MAP(ARRAY[1.4, 1.3], ARRAY[2, 3]) AS map(integer, integer));
error: INVALID_CAST_ARGUMENT duplicate keys
SELECT CAST(ARRAY['x'] AS array(integer));
error: INVALID_CAST_ARGUMENT Cannot cast 'x' to INT
SELECT CAST(ROW('x') AS row(integer));
error: INVALID_CAST_ARGUMENT Cannot cast 'x' to INT
SELECT CAST(ROW(1, 2) AS row(integer));
error: TYPE_MISMATCH line 1:8: Cannot cast row(integer, integer) to row(integer)
SELECT CAST(ARRAY[1] AS map(integer, integer));
error: TYPE_MISMATCH line 1:8: Cannot cast array(integer) to map(integer, integer)
SELECT CAST(MAP(ARRAY['x'], ARRAY[1]) AS map(integer, integer));
error: INVALID_CAST_ARGUMENT Cannot cast 'x' to INT
SELECT CAST(MAP(ARRAY[approx_set(1)], ARRAY[1]) AS json);
error: FUNCTION_NOT_FOUND line 1:13: Unexpected parameters (array(HyperLogLog), array(integer)) for function map. Expected: map() , map(array(K), array(V)) K:comparable, V
SELECT learn_classifier(nan(), features(1));
error: INVALID_FUNCTION_ARGUMENT Labels must be finite numbers
SELECT learn_classifier(x, features(1)) FROM (VALUES nan()) t (x);
error: INVALID_FUNCTION_ARGUMENT Labels must be finite numbers
SELECT learn_regressor(x, features(1)) FROM (VALUES infinity()) t (x);
error: INVALID_FUNCTION_ARGUMENT Labels must be finite numbers
SELECT regexp_extract_all('a', 'a', -1);
error: INVALID_FUNCTION_ARGUMENT Group cannot be negative
SELECT regexp_replace('a', '(?<a', 'x');
error: INVALID_FUNCTION_ARGUMENT end pattern in group
SELECT regexp_like('a', '\x{');
error: INVALID_FUNCTION_ARGUMENT end pattern at left brace
SELECT regexp_like('a', '\x{zz}');
error: INVALID_FUNCTION_ARGUMENT invalid code point value
SELECT regexp_like('a', '\p{}');
error: INVALID_FUNCTION_ARGUMENT invalid character property name {}
SELECT regexp_like('a', '[^]');
error: INVALID_FUNCTION_ARGUMENT premature end of char-class
SELECT word_stem('kuca', 'hr');
error: INVALID_FUNCTION_ARGUMENT Unknown stemmer language: hr
SELECT word_stem('x', 'zz');
error: INVALID_FUNCTION_ARGUMENT Unknown stemmer language: zz
SELECT sequence(TIMESTAMP '2020-01-01 00:00:00', TIMESTAMP '2020-01-02 00:00:00', INTERVAL '1' SECOND);
error: INVALID_FUNCTION_ARGUMENT result of sequence function must not have more than 10000 entries
SELECT sequence(DATE '2020-01-01', DATE '2020-02-01', INTERVAL '0' MONTH);
error: INVALID_FUNCTION_ARGUMENT step must not be zero
SELECT sequence(DATE '0001-01-01', DATE '9999-01-01', INTERVAL '1' MONTH);
error: INVALID_FUNCTION_ARGUMENT result of sequence function must not have more than 10000 entries
SELECT normalize('a', 'NFX');
error: SYNTAX_ERROR /line 1:23: mismatched input ''NFX''\. Expecting: .*/
SELECT CAST('x' AS HyperLogLog);
error: TYPE_MISMATCH line 1:8: Cannot cast varchar(1) to HyperLogLog
SELECT CAST('99999-12-31 00:00:00.000 UTC' AS timestamp with time zone);
error: NUMERIC_VALUE_OUT_OF_RANGE Millis overflow: 3093527894400000
SELECT CAST(TIMESTAMP '9999999-01-01 00:00:00' AS timestamp with time zone);
error: INVALID_LITERAL line 1:13: '9999999-01-01 00:00:00' is not a valid timestamp literal
SELECT CAST(DATE '5000000-01-01' AS timestamp);
error: NUMERIC_VALUE_OUT_OF_RANGE Out of range for timestamp: +5000000-01-01
SELECT CAST(DATE '5000000-01-01' AS timestamp with time zone);
error: NUMERIC_VALUE_OUT_OF_RANGE Millis overflow: 157722592780800000
SELECT from_unixtime_nanos(DECIMAL '99999999999999999999999999999999');
error: NUMERIC_VALUE_OUT_OF_RANGE Millis overflow: 99999999999999999999999999
SELECT timezone_hour(1);
error: FUNCTION_NOT_FOUND line 1:8: Unexpected parameters (integer) for function timezone_hour. Expected: timezone_hour(timestamp(p) with time zone) , timezone_hour(time(p) with time zone) 
SELECT at_timezone(now(), '+15:00');
error: INVALID_FUNCTION_ARGUMENT Time zone not supported: +15:00
SELECT TIME '10:00:00' AT TIME ZONE INTERVAL '15' HOUR;
error: INVALID_FUNCTION_ARGUMENT Time zone offset not in valid range -14:00 to 14:00: 900
SELECT with_timezone(TIMESTAMP '2020-01-01 00:00:00', '+99:00');
error: INVALID_FUNCTION_ARGUMENT Time zone not supported: +99:00
SELECT last_day_of_month('x');
error: FUNCTION_NOT_FOUND line 1:8: Unexpected parameters (varchar(1)) for function last_day_of_month. Expected: last_day_of_month(date) , last_day_of_month(timestamp(p)) , last_day_of_month(timestamp(p) with time zone) 
SELECT to_milliseconds(1);
error: FUNCTION_NOT_FOUND line 1:8: Unexpected parameters (integer) for function to_milliseconds. Expected: to_milliseconds(interval day to second) 
SELECT date_diff('nosuch', now(), now());
error: INVALID_FUNCTION_ARGUMENT 'nosuch' is not a valid TIMESTAMP field
SELECT date_trunc('nosuch', now());
error: INVALID_FUNCTION_ARGUMENT 'nosuch' is not a valid TIMESTAMP field
SELECT date_trunc('hour', DATE '2020-01-01');
error: INVALID_FUNCTION_ARGUMENT 'hour' is not a valid DATE field
SELECT date_add('hour', 1, DATE '2020-01-01');
error: INVALID_FUNCTION_ARGUMENT 'hour' is not a valid DATE field
SELECT date_add('day', 1, TIME '10:00:00');
error: INVALID_FUNCTION_ARGUMENT 'day' is not a valid TIME field
SELECT date_add('day', 9223372036854775807, TIMESTAMP '2020-01-01 00:00:00 UTC');
error: NUMERIC_VALUE_OUT_OF_RANGE /Millis overflow: \d+/
SELECT checksum(x) FROM (SELECT x -> x) t (x);
error: TYPE_MISMATCH line 1:33: Lambda expression should always be used inside a function
SELECT checksum(approx_set(1));
error: NESTED_AGGREGATION line 1:8: Cannot nest aggregations inside aggregation 'checksum': [approx_set(1)]
SELECT GROUPING(a, b, c, d) FROM t1;
error: MISSING_GROUP_BY line 1:1: A GROUPING() operation can only be used with a corresponding GROUPING SET/CUBE/ROLLUP/GROUP BY clause
SELECT value_at_quantile(CAST(X'00000000000000000000000000000000' AS qdigest(bigint)), 0.5);
error: INVALID_FUNCTION_ARGUMENT Invalid qdigest
SELECT quantile_at_value(qdigest_agg(1), 'x');
error: FUNCTION_NOT_FOUND line 1:8: Unexpected parameters (qdigest(bigint), varchar(1)) for function quantile_at_value. Expected: quantile_at_value(tdigest, double) , quantile_at_value(qdigest(bigint), bigint) , quantile_at_value(qdigest(double), double) , quantile_at_value(qdigest(real), real) 
SELECT merge(x) FROM (VALUES qdigest_agg(1)) t (x);
error: EXPRESSION_NOT_SCALAR line 1:30: VALUES cannot contain aggregations, window functions or grouping operations: [qdigest_agg(1)]
SELECT approx_most_frequent(-1, x, 2) FROM (VALUES 1) t (x);
error: INVALID_FUNCTION_ARGUMENT approx_most_frequent bucket count must be greater than one, input bucket count: -1
SELECT array_agg(x) FILTER (WHERE 5) FROM (VALUES 1) t (x);
error: TYPE_MISMATCH line 1:35: FILTER clause must evaluate to a boolean: actual type integer
SELECT from_base32('A!======');
error: INVALID_FUNCTION_ARGUMENT
SELECT format_datetime(TIMESTAMP '2020-01-01 00:00:00', rpad('', 65537, 'y'));
error: INVALID_FUNCTION_ARGUMENT
SELECT length(normalize('a' || rpad('', 4097, U&'\0301')));
error: INVALID_FUNCTION_ARGUMENT
