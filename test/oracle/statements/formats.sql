-- format, word_stem, version and SpookyHash (protocol.md 10.4, String and Binary): numbers against DuckDB's printf, which agrees with Java's Formatter
SELECT format('%d %5d|%-5d|%05d', orderkey, orderkey, orderkey, orderkey) FROM orders WHERE orderkey < 40;
duckdb: SELECT printf('%d %5d|%-5d|%05d', orderkey, orderkey, orderkey, orderkey) FROM orders WHERE orderkey < 40;
SELECT format('%.2f %.0f %10.3f', CAST(totalprice AS double), CAST(totalprice AS double), CAST(totalprice AS double)) FROM orders WHERE orderkey < 40;
duckdb: SELECT printf('%.2f %.0f %10.3f', CAST(totalprice AS double), CAST(totalprice AS double), CAST(totalprice AS double)) FROM orders WHERE orderkey < 40;
SELECT format('%x %X %o', orderkey, orderkey, orderkey) FROM orders WHERE orderkey < 40;
duckdb: SELECT printf('%x %X %o', orderkey, orderkey, orderkey) FROM orders WHERE orderkey < 40;
SELECT format('%s|%10s|%-20s|%.3s', name, nationkey, name, name) FROM nation;
duckdb: SELECT printf('%s|%10d|%-20s|%.3s', name, nationkey, name, name) FROM nation;
SELECT format('%e', x), format('%.3E', x) FROM (VALUES 1e0, 123.456e0, 1.5e-7, -2e10) t (x);
duckdb: SELECT printf('%e', x), printf('%.3E', x) FROM (VALUES (1e0), (123.456e0), (1.5e-7), (-2e10)) t (x);
SELECT format('%,d', 1234567890), format('%,.2f', DECIMAL '-1234567.885'), format('%(d % d %+d', -5, 5, 5);
expect: [["1,234,567,890", "-1,234,567.89", "(5)  5 +5"]]
SELECT format('%s %s %s', 1, NULL, true), format('%b %b', NULL, 1), format('%2$s-%1$s-%<S', 'a', 'b');
expect: [["1 null true", "false true", "b-a-A"]]
SELECT format('%s', CAST(ARRAY[1, NULL] AS JSON)), format('%s', CAST(MAP(ARRAY['a'], ARRAY[1]) AS JSON)), format('%s', DATE '2020-02-29');
expect: [["[1,null]", "{\"a\":1}", "2020-02-29"]]
SELECT format('%tY-%<tm-%<td %<tH:%<tM:%<tS', TIMESTAMP '2020-05-10 12:34:56'), format('%tA, %<tB %<te', DATE '2021-03-04');
expect: [["2020-05-10 12:34:56", "Thursday, March 4"]]
types: varchar, varchar
SELECT format('%.4d', 8);
error: INVALID_FUNCTION_ARGUMENT Invalid format string: %.4d (IllegalFormatPrecision: 4)
SELECT format('%s %d', 8);
error: INVALID_FUNCTION_ARGUMENT Invalid format string: %s %d (MissingFormatArgument: Format specifier '%d')
SELECT format('%d', name) FROM nation;
error: INVALID_FUNCTION_ARGUMENT Invalid format string: %d (IllegalFormatConversion: d != java.lang.String)
SELECT format('%a', 1e0);
error: NOT_SUPPORTED Conversion %a is not supported
SELECT format('x');
error: SYNTAX_ERROR line 1:8: The 'format' function must have at least two arguments
SELECT word, word_stem(word), word_stem(word, 'en') FROM (VALUES 'running', 'nationally', 'flies', '', NULL) t (word);
expect: [["running", "run", "run"], ["nationally", "nation", "nation"], ["flies", "fli", "fli"], ["", "", ""], [null, null, null]]
SELECT word_stem('kærligheden', 'da'), word_stem('важнейшие', 'ru'), word_stem('utiliser', 'fr'), word_stem('straße', 'de'), word_stem('seçenekleri', 'tr');
expect: [["kær", "важн", "utilis", "strass", "seçenek"]]
SELECT length(word_stem(rpad('', 10000, 'iiu'), 'fr')), length(word_stem(rpad('', 100000, 'a') || 'ing'));
expect: [[10000, 100000]]
SELECT word_stem(rpad('', 10001, 'iiu'), 'fr');
error: INVALID_FUNCTION_ARGUMENT A word of 10001 characters is too long to be stemmed; the most is 10000
SELECT word_stem('word', 'tlh');
error: INVALID_FUNCTION_ARGUMENT Unknown stemmer language: tlh
SELECT length(version()) > 0, version() = version(), typeof(version());
expect: [[true, true, "varchar"]]
SELECT to_hex(spooky_hash_v2_32(X'')), to_hex(spooky_hash_v2_64(X'')), to_hex(spooky_hash_v2_64(to_utf8('hello')));
expect: [["6BF50919", "232706FC6BF50919", "3768826AD382E6CA"]]
SELECT format('%s %s', TIME '10:11:12+05:30', TIME '01:02:03.123456 -08:00'), format('%s|%s', UUID '12151fd2-7586-11e9-8f9e-2a86e4085a59', IPADDRESS '10.0.0.1');
expect: [["10:11:12+05:30 01:02:03.123456-08:00", "12151fd2-7586-11e9-8f9e-2a86e4085a59|10.0.0.1"]]
