-- Scalar functions of section 10.4 of the protocol reference, DuckDB's where it has them
-- Bits
SELECT bit_count(9, 64), bit_count(9, 8), bit_count(-7, 64), bit_count(-7, 8), bit_count(0, 2);
expect: [[2, 2, 62, 6, 0]]
SELECT bit_count(256, 8);
error: INVALID_FUNCTION_ARGUMENT Number must be representable with the bits specified. 256 can not be represented with 8 bits
SELECT bit_count(1, 65);
error: INVALID_FUNCTION_ARGUMENT Bits specified in bit_count must be between 2 and 64, got 65
SELECT bitwise_left_shift(1, 2), bitwise_left_shift(TINYINT '7', 6), bitwise_left_shift(SMALLINT '1', 15), bitwise_left_shift(BIGINT '1', 63), bitwise_left_shift(1, 32), bitwise_left_shift(-5, 2);
expect: [[4, -64, -32768, -9223372036854775808, 0, -20]]
types: integer, tinyint, smallint, bigint, integer, integer
SELECT bitwise_right_shift(8, 3), bitwise_right_shift(TINYINT '-1', 4), bitwise_right_shift(-8, 1), bitwise_right_shift(BIGINT '-1', 1), bitwise_right_shift(BIGINT '-1', 64), bitwise_right_shift(-1, 0);
expect: [[1, 15, 2147483644, 9223372036854775807, 0, -1]]
SELECT bitwise_right_shift_arithmetic(-8, 1), bitwise_right_shift_arithmetic(8, 40), bitwise_right_shift_arithmetic(BIGINT '-8', 64), bitwise_right_shift_arithmetic(SMALLINT '-256', 4);
expect: [[-4, 0, -1, -16]]
SELECT nationkey, bit_count(nationkey, 64), bitwise_left_shift(nationkey, 3), bitwise_right_shift(nationkey, 1) FROM nation;
duckdb: SELECT nationkey, bit_count(nationkey), nationkey << 3, nationkey >> 1 FROM nation;
SELECT to_base(255, 16), to_base(-10, 2), to_base(35, 36), from_base('ff', 16), from_base('-1010', 2), from_base('+7', 8);
expect: [["ff", "-1010", "z", 255, -10, 7]]
SELECT from_base('12', 2);
error: INVALID_FUNCTION_ARGUMENT Not a valid base-2 number: 12
SELECT to_base(1, 37);
error: INVALID_FUNCTION_ARGUMENT Radix must be between 2 and 36
SELECT from_base('9223372036854775808', 10);
error: INVALID_FUNCTION_ARGUMENT Not a valid base-10 number: 9223372036854775808
-- Distributions
SELECT normal_cdf(0, 1, 1.96e0), normal_cdf(10, 9, 10), normal_cdf(-1.5e0, 2.1e0, -7.8e0), normal_cdf(0, 1, -10);
expect: [[0.9750021048517796, 0.5, 0.0013498980316301035, 7.619853024160526e-24]]
SELECT inverse_normal_cdf(0, 1, 0.3e0), inverse_normal_cdf(10, 9, 0.9e0), inverse_normal_cdf(0.5e0, 0.25e0, 0.65e0);
expect: [[-0.524400512708041, 21.533964089901, 0.596330116]]
SELECT normal_cdf(0, 0, 1);
error: INVALID_FUNCTION_ARGUMENT standardDeviation must be > 0
SELECT inverse_normal_cdf(0, 1, 1);
error: INVALID_FUNCTION_ARGUMENT p must be 0 > p > 1
SELECT beta_cdf(3, 3.6e0, 0.0e0), beta_cdf(3, 3.6e0, 1.0e0), beta_cdf(1, 1, 0.25e0), beta_cdf(2, 2, 0.25e0), inverse_beta_cdf(1, 1, 0.25e0), inverse_beta_cdf(2, 2, 0.15625e0);
expect: [[0, 1, 0.25, 0.15625, 0.25, 0.25]]
SELECT beta_cdf(0, 3, 0.5e0);
error: INVALID_FUNCTION_ARGUMENT a must be > 0
SELECT wilson_interval_lower(1250, 1310, 1.96e0), wilson_interval_upper(1250, 1310, 1.96e0);
expect: [[0.9414883725395894, 0.9642524717143908]]
SELECT wilson_interval_lower(3, 2, 1e0);
error: INVALID_FUNCTION_ARGUMENT number of successes must not be larger than number of trials
-- Hashes and encodings
SELECT lower(to_hex(md5(to_utf8(name)))), lower(to_hex(sha1(to_utf8(name)))), lower(to_hex(sha256(to_utf8(name)))) FROM nation;
duckdb: SELECT md5(name), sha1(name), sha256(name) FROM nation;
SELECT crc32(to_utf8('CRC me!')), crc32(to_utf8('')), to_hex(xxhash64(to_utf8('hashme'))), to_hex(murmur3(to_utf8('hashme'))), to_hex(sha512(to_utf8('')));
expect: [[38028046, 0, "F9D96E0E1165E892", "93192FE805BE23041C8318F67EC4F2BC", "CF83E1357EEFB8BDF1542850D66D8007D620E4050B5715DC83F4A921D36CE9CE47D0D13C5D85F2B0FF8318D2877EEC2F63B931BD47417A81A538327AF927DA3E"]]
SELECT to_hex(hmac_md5(to_utf8('hashme'), to_utf8('key'))), to_hex(hmac_sha1(to_utf8(''), to_utf8(''))), to_hex(hmac_sha256(to_utf8('what do ya want for nothing?'), to_utf8('Jefe')));
expect: [["0A26EBEB0E7B65F528D96F7BC631BC8F", "FBDB1D1B18AA6C08324B7D64B71FB76370690E1D", "5BDCC146BF60754E6A042426089575C75A003F089D2739839DEC58B964EC3843"]]
SELECT substr(to_hex(hmac_sha512(to_utf8('hashme'), to_utf8('key'))), 1, 16), md5(NULL), hmac_md5(X'00', NULL);
expect: [["FEFA712B67DED871", null, null]]
SELECT to_base64(to_utf8(name)), from_utf8(from_base64(to_base64(to_utf8(comment)))) FROM nation;
duckdb: SELECT base64(name::BLOB), comment FROM nation;
SELECT to_base64url(X'FBFF'), to_hex(from_base64url('-_8=')), to_hex(from_base64('YQ==')), to_base64(X'');
expect: [["-_8=", "FBFF", "61", ""]]
SELECT from_base64('Y!==');
error: INVALID_FUNCTION_ARGUMENT Illegal base64 text
SELECT to_hex(to_big_endian_32(-2)), to_hex(to_big_endian_64(123456789012)), from_big_endian_32(X'00000102'), from_big_endian_64(X'FFFFFFFFFFFFFFFE');
expect: [["FFFFFFFE", "0000001CBE991A14", 258, -2]]
SELECT from_big_endian_64(X'00');
error: INVALID_FUNCTION_ARGUMENT expected 8-byte input, but got instead: 1
SELECT to_hex(to_ieee754_32(REAL '0.5')), to_hex(to_ieee754_64(0.5e0)), from_ieee754_32(X'3F000000'), from_ieee754_64(X'C000000000000000');
expect: [["3F000000", "3FE0000000000000", 0.5, -2]]
SELECT from_utf8(X'61FF62'), from_utf8(X'61FF62', ''), from_utf8(X'61E28262', '*'), from_utf8(X'F09F9880EDA080', '?'), from_utf8(X'EFBFBD', '?');
expect: [["a�b", "ab", "a*b", "😀???", "�"]]
SELECT from_utf8(X'61', 'ab');
error: INVALID_FUNCTION_ARGUMENT Replacement character string must empty or a single character
SELECT to_hex(substr(X'0102030405', 2)), to_hex(substr(X'0102030405', -2)), to_hex(substr(X'0102030405', 2, 3)), to_hex(substr(X'01', 0)), to_hex(substr(X'01', 5)), to_hex(lpad(X'0102', 5, X'0A0B')), to_hex(rpad(X'0102', 1, X'0A')), to_hex(rpad(X'0102', 5, X'0A0B'));
expect: [["02030405", "0405", "020304", "", "", "0A0B0A0102", "01", "01020A0B0A"]]
SELECT lpad(X'01', 3, X'');
error: INVALID_FUNCTION_ARGUMENT Padding bytes must not be empty
-- Text
SELECT normalize('e' || chr(769)) = 'é', length(normalize('é', NFD)), normalize('ﬁ', NFKC);
expect: [[true, 2, "fi"]]
SELECT luhn_check('4242424242424242'), luhn_check('4242424242424241'), luhn_check(''), luhn_check(NULL);
expect: [[true, false, false, null]]
SELECT luhn_check('12a');
error: INVALID_FUNCTION_ARGUMENT Input string contains a character that is not a digit
SELECT strpos('abcabcabc', 'bc', 2), strpos('abcabcabc', 'bc', -1), strpos('abcabcabc', 'bc', -3), strpos('abcabcabc', 'bc', 4), strpos('aaa', 'aa', 2), strpos('日本日', '日', -1), strpos('abc', '', 2);
expect: [[5, 8, 2, 0, 2, 3, 1]]
SELECT parse_presto_data_size('1B'), parse_presto_data_size('1kB'), parse_presto_data_size('2.3MB'), parse_presto_data_size('1YB');
expect: [["1", "1024", "2411724", "1208925819614629174706176"]]
types: decimal(38, 0), decimal(38, 0), decimal(38, 0), decimal(38, 0)
SELECT parse_presto_data_size('2 MB');
error: INVALID_FUNCTION_ARGUMENT Invalid data size: '2 MB'
SELECT parse_duration('42.8ms'), parse_duration('3.81 d'), parse_duration('5m'), to_milliseconds(parse_duration('1h'));
expect: [["0 00:00:00.043", "3 19:26:24.000", "0 00:05:00.000", 3600000]]
SELECT human_readable_seconds(96), human_readable_seconds(3762), human_readable_seconds(56363463), human_readable_seconds(0), human_readable_seconds(59.6e0);
expect: [["1 minute, 36 seconds", "1 hour, 2 minutes, 42 seconds", "93 weeks, 1 day, 8 hours, 31 minutes, 3 seconds", "0 seconds", "1 minute"]]
SELECT human_readable_seconds(nan());
error: INVALID_FUNCTION_ARGUMENT Invalid argument found: NaN
-- Addresses
SELECT url_extract_protocol(u), url_extract_host(u), url_extract_port(u), url_extract_path(u), url_extract_query(u), url_extract_fragment(u) FROM (VALUES ('http://example.com/path1/p.php?k1=v1#Ref1'), ('https://username@example.com'), ('http://[::1]:9000/'), ('mailto:test@example.com'), ('foo'), ('http://not good.com/'), ('http://example.com/%zz'), (NULL)) t (u);
expect: [["http", "example.com", null, "/path1/p.php", "k1=v1", "Ref1"], ["https", "example.com", null, "", "", ""], ["http", "[::1]", 9000, "/", "", ""], ["mailto", "", null, "", "", ""], ["", "", null, "foo", "", ""], [null, null, null, null, null, null], [null, null, null, null, null, null], [null, null, null, null, null, null]]
SELECT url_extract_parameter('http://e.com/p?k1=v1&k2=v%202&k1=v3', 'k1'), url_extract_parameter('http://e.com/p?k1=v1&k2=v%202', 'k2'), url_extract_parameter('http://e.com/p?k1&k2=', 'k1'), url_extract_parameter('http://e.com/p?k1', 'k3'), url_extract_parameter('foo', 'k1');
expect: [["v1", "v 2", "", null, null]]
SELECT url_encode('http://test'), url_encode('a b+c'), url_encode('テスト'), url_decode('http%3A%2F%2Ftest'), url_decode('a+b%2Bc'), url_decode('%E3%83%86');
expect: [["http%3A%2F%2Ftest", "a+b%2Bc", "%E3%83%86%E3%82%B9%E3%83%88", "http://test", "a b+c", "テ"]]
SELECT url_decode('%zz');
error: INVALID_FUNCTION_ARGUMENT URLDecoder: Illegal hex characters in escape (%) pattern
-- Dates
SELECT from_iso8601_date('2020-02-29'), from_iso8601_date('2020-060'), from_iso8601_date('2020-W09-6'), from_iso8601_date('2020-W01'), from_iso8601_date('2020-02'), from_iso8601_date('2020');
expect: [["2020-02-29", "2020-02-29", "2020-02-29", "2019-12-30", "2020-02-01", "2020-01-01"]]
SELECT from_iso8601_date('2020-02-30');
error: INVALID_FUNCTION_ARGUMENT Cannot parse "2020-02-30": Value 30 for dayOfMonth must be in the range [1,29]
SELECT from_iso8601_timestamp('2020-05-11T11:15:05'), from_iso8601_timestamp('2020-05-11T11:15:05.055+01:00'), from_iso8601_timestamp('2020-05-11'), from_iso8601_timestamp('2020-05-11T11Z'), from_iso8601_timestamp('2020-W20-1T23:30-0100');
expect: [["2020-05-11 11:15:05.000 UTC", "2020-05-11 11:15:05.055 +01:00", "2020-05-11 00:00:00.000 UTC", "2020-05-11 11:00:00.000 UTC", "2020-05-11 23:30:00.000 -01:00"]]
SELECT from_iso8601_timestamp('2020-05-11T25:00');
error: INVALID_FUNCTION_ARGUMENT Cannot parse "2020-05-11T25:00": Value 25 for hourOfDay must be in the range [0,23]
SELECT format_datetime(TIMESTAMP '2001-08-22 03:04:05.321', 'yyyy/MM/dd HH:mm:ss.SSS'), format_datetime(TIMESTAMP '2001-08-22 15:04:05', 'EEEE, MMMM d yy, h a'), format_datetime(TIMESTAMP '2001-08-22 15:04:05', 'xxxx-''W''ww-e DDD ''o''''clock'''), format_datetime(TIMESTAMP '2001-08-22 00:04:05', 'K k H h G');
expect: [["2001/08/22 03:04:05.321", "Wednesday, August 22 01, 3 PM", "2001-W34-3 234 o'clock", "0 24 0 12 AD"]]
SELECT format_datetime(TIMESTAMP '2001-08-22 03:04:05', 'yyyy q');
error: INVALID_FUNCTION_ARGUMENT Illegal pattern component: q
SELECT orderkey, format_datetime(orderdate, 'dd.MM.yyyy E'), date_format(orderdate, '%d.%m.%Y %a') FROM orders WHERE orderkey < 100;
duckdb: SELECT orderkey, strftime(orderdate, '%d.%m.%Y %a'), strftime(orderdate, '%d.%m.%Y %a') FROM orders WHERE orderkey < 100;
SELECT parse_datetime('1960/01/22 03:04', 'yyyy/MM/dd HH:mm'), parse_datetime('22 Aug 01 3PM', 'd MMM yy ha'), parse_datetime('20200229', 'yyyyMMdd'), parse_datetime('2020-02-29T10:00+01:30', 'yyyy-MM-dd''T''HH:mmZ'), parse_datetime('2020 060', 'yyyy DDD');
expect: [["1960-01-22 03:04:00.000 UTC", "2001-08-22 15:00:00.000 UTC", "2020-02-29 00:00:00.000 UTC", "2020-02-29 10:00:00.000 +01:30", "2020-02-29 00:00:00.000 UTC"]]
SELECT parse_datetime('1960/13/22', 'yyyy/MM/dd');
error: INVALID_FUNCTION_ARGUMENT Cannot parse "1960/13/22": Value 13 for monthOfYear must be in the range [1,12]
SELECT parse_datetime('1960/12/22x', 'yyyy/MM/dd');
error: INVALID_FUNCTION_ARGUMENT Invalid format: "1960/12/22x" is malformed at "x"
