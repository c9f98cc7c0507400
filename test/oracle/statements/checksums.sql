-- checksum as Trino defines it: xxHash64 of each value times a prime, the prime for a NULL; zeros and false count. The values were computed apart from the engine
SELECT to_hex(checksum(0)), to_hex(checksum(BIGINT '0')), to_hex(checksum(false)), to_hex(checksum(true)), to_hex(checksum(TINYINT '-1')), to_hex(checksum(SMALLINT '-32768')), to_hex(checksum(-9223372036854775808)), to_hex(checksum(DATE '1969-12-31')), to_hex(checksum(INTERVAL '-1' MONTH)), to_hex(checksum(INTERVAL '1' DAY));
expect: [["9D2D16796C5091EA", "9D2D16796C5091EA", "9D2D16796C5091EA", "938FC30AB52DE5D4", "FF6D6B00E4E76F6B", "13EC895E8C58C21F", "201230FDD1519294", "FF6D6B00E4E76F6B", "FF6D6B00E4E76F6B", "B2E14BFCDD521BB0"]]
SELECT to_hex(checksum(1.5e0)), to_hex(checksum(-0e0)), to_hex(checksum(nan())), to_hex(checksum(infinity())), to_hex(checksum(REAL '1.5')), to_hex(checksum(REAL '-0')), to_hex(checksum(REAL 'NaN')), to_hex(checksum(REAL '-Infinity'));
expect: [["4F83AA852755EBDE", "9D2D16796C5091EA", "B4382469F51D2405", "A3F58A0B4DABA810", "A7CF78CF4EA91988", "9D2D16796C5091EA", "0456DBEEFCD4BC2C", "6CB7B3EB29196727"]]
SELECT to_hex(checksum('a')), to_hex(checksum('')), to_hex(checksum(CAST('a' AS char(3)))), to_hex(checksum(X'61')), to_hex(checksum(JSON '{"a":1}')), to_hex(checksum('Nobody inspects the spammish repetition')), to_hex(checksum('é'));
expect: [["FDFFAACC6274ABDF", "AFE9283E05E8E6CB", "FDFFAACC6274ABDF", "FDFFAACC6274ABDF", "F8422C6CC46ADFA7", "17F6F1624FE46F5E", "487843723CF47263"]]
SELECT to_hex(checksum(1.50)), to_hex(checksum(DECIMAL '-123456789012345678901234567890.5')), to_hex(checksum(CAST(1.5 AS decimal(30, 2)))), to_hex(checksum(CAST(-0.5 AS decimal(38, 38))));
expect: [["F70F21BFE168224D", "988CA461F6FF7D6D", "A6DDDDB8B64CE8F8", "7028DE3BE8B4FD12"]]
SELECT to_hex(checksum(TIMESTAMP '2020-01-01 00:00:00.123456')), to_hex(checksum(TIMESTAMP '2020-01-01 00:00:00')), to_hex(checksum(TIMESTAMP '2020-01-01 00:00:00.123456789')), to_hex(checksum(TIME '00:00:01')), to_hex(checksum(TIME '23:59:59.999999999999'));
expect: [["C6CB4DC07F3ED8A3", "041BE70863EEAF9F", "1F2638AA1BE9617F", "17A6001B50BBA853", "09A6078EFA78FF3C"]]
SELECT to_hex(checksum(TIMESTAMP '2020-01-01 01:00:00.123 +01:00')), to_hex(checksum(TIMESTAMP '2020-01-01 00:00:00.1234 UTC')), to_hex(checksum(TIMESTAMP '2020-01-01 00:00:00.123456789 UTC')), to_hex(checksum(TIMESTAMP '1969-12-31 23:59:59.9999 UTC')), to_hex(checksum(TIME '10:00:00.123456789+01:00')), to_hex(checksum(TIME '00:30:00.1234567890+01:00'));
expect: [["E2B8C6594A612051", "59C7EE8B98C5BFC0", "8F365511FE474EE2", "9F54FFC68ACE4289", "AF04A261783878C4", "D859B158F1B811B5"]]
SELECT to_hex(checksum(UUID '12151fd2-7586-11e9-8f9e-2a86e4085a59')), to_hex(checksum(IPADDRESS '10.0.0.1'));
expect: [["1DBF488526CBBA62", "8EFA6269F2F485E2"]]
SELECT to_hex(checksum(ARRAY[1, 2, NULL])), to_hex(checksum(ARRAY[])), to_hex(checksum(ARRAY[ARRAY['a'], NULL, ARRAY[]])), to_hex(checksum(ROW(1, 'a', NULL))), to_hex(checksum(ROW(ROW(0)))), to_hex(checksum(MAP(ARRAY[1, 2], ARRAY['a', NULL]))), to_hex(checksum(MAP(ARRAY[2, 1], ARRAY[NULL, 'a']))), to_hex(checksum(MAP())), to_hex(checksum(ARRAY[1e0, nan()])), to_hex(checksum(ARRAY[CAST(1 AS decimal(30)), NULL]));
expect: [["03F9AFDE089DEA0B", "0000000000000000", "BDF4EA4DE2E69FA2", "8F4A18BB2346CE1F", "4F3A31E86AC9003C", "72314AA1B7537F17", "72314AA1B7537F17", "0000000000000000", "81150734B9F2FE3D", "FE55CEA7A5E74C21"]]
SELECT to_hex(checksum(x)) FROM (VALUES NULL, 1, 2, 100, NULL, 9223372036854775807, -9223372036854775808) t(x);
expect: [["3B42B0A948368D0B"]]
SELECT to_hex(checksum(x)) FROM (VALUES NULL, NULL, true, false, false) t(x);
expect: [["DB7FC708F1C176E6"]]
SELECT to_hex(checksum(x)) FROM (VALUES 11.11, 22.22, NULL, 33.33, 44.44) t(x);
expect: [["5C9202DACB451FAF"]]
SELECT checksum(x), to_hex(checksum(x) FILTER (WHERE x > 5)) FROM (VALUES 1) t(x) WHERE x > 1;
expect: [[null, null]]
SELECT to_hex(checksum(NULL));
expect: [["87CAEB85B179379E"]]
SELECT to_hex(checksum(nationkey)), to_hex(checksum(DISTINCT regionkey)) FROM nation;
expect: [["E980EEEC98FF4539", "94CEF9CF5B4ACA0F"]]
SELECT to_hex(checksum(r)) FROM (SELECT ROW(nationkey, regionkey) r FROM (VALUES (BIGINT '0', BIGINT '0'), (1, 1), (NULL, 2)) t(nationkey, regionkey));
expect: [["256CAE9439707B1B"]]
SELECT (SELECT checksum(ROW(orderkey, totalprice, comment)) FROM orders) = (SELECT checksum(ROW(orderkey, totalprice, comment)) FROM (SELECT * FROM orders ORDER BY comment LIMIT 100000)), (SELECT checksum(comment) FROM orders) = (SELECT checksum(comment) FROM orders WHERE orderkey <> 1);
expect: [[true, false]]
SELECT checksum(h) FROM (SELECT approx_set(1) h);
error: FUNCTION_NOT_FOUND
SELECT checksum(r) FROM (SELECT ROW(approx_set(1)) r);
error: FUNCTION_NOT_FOUND
-- Trino's own test has this value: the comments of the orders of scale 0.1 that are urgent
SELECT to_hex(checksum(DISTINCT l.comment)) FROM tpch."sf0.1".lineitem l JOIN tpch."sf0.1".orders USING (orderkey) WHERE orderpriority = '1-URGENT';
expect: [["2D0814DA01053A47"]]
