-- JSON, UUIDs and addresses: protocol reference, sections 1.11, 10.1, 10.2 and 10.4
-- Reading and showing: canonical text, members in order, whole numbers digit by digit
SELECT JSON '{"b": 1, "a": [true, null, "x"]}', json_parse(' [1 ,2.50, 1e3, -0, 123456789012345678901234567890] '), json_format(JSON '"a\u0041\n\/"'), JSON 'null', JSON '{"a":1,"a":2}';
expect: [["{\"a\":[true,null,\"x\"],\"b\":1}", "[1,2.5,1000.0,0,123456789012345678901234567890]", "\"aA\\n/\"", "null", "{\"a\":2}"]]
types: json, json, varchar, json, json
SELECT json_parse('{"a": 1');
error: INVALID_FUNCTION_ARGUMENT Cannot convert value to JSON: '{"a": 1'
SELECT json_parse(bad) FROM (VALUES '[01]') t(bad);
error: INVALID_FUNCTION_ARGUMENT Cannot convert value to JSON: '[01]'
SELECT try(json_parse(bad)) FROM (VALUES '', '[1,]', '{a:1}', '''x''', '[1] 2', 'NaN', '"\x"', '{"a"}', 'tru', '1.', '.5', '+1', '[') t(bad);
expect: [[null], [null], [null], [null], [null], [null], [null], [null], [null], [null], [null], [null], [null]]
SELECT JSON '{';
error: INVALID_LITERAL line 1:8: '{' is not a valid json literal
SELECT length(json_format(json_parse(lpad('', 900, '[') || rpad('', 900, ']')))), try(json_parse(lpad('', 100000, '['))), try(json_parse(rpad('', 50000, '{"a":')));
expect: [[1800, null, null]]
-- Paths
SELECT json_extract(j, '$.a'), json_extract(j, '$.a.b'), json_extract(j, '$["a"]["b"][1]'), json_extract(j, '$.a.b[7]'), json_extract(j, '$.x'), json_extract(j, '$') FROM (VALUES '{"a": {"b": [1, {"c": null}]}}') t(j);
expect: [["{\"b\":[1,{\"c\":null}]}", "[1,{\"c\":null}]", "{\"c\":null}", null, null, "{\"a\":{\"b\":[1,{\"c\":null}]}}"]]
SELECT json_extract_scalar(j, '$.s'), json_extract_scalar(j, '$.n'), json_extract_scalar(j, '$.t'), json_extract_scalar(j, '$.z'), json_extract_scalar(j, '$.o'), json_extract_scalar(j, '$["a b"]'), json_extract_scalar(j, '$["q\"x"]'), json_extract_scalar('not json', '$.a'), json_extract_scalar(j, NULL) FROM (VALUES JSON '{"s": "text", "n": 1.50, "t": true, "z": null, "o": {}, "a b": 7, "q\"x": 8}') t(j);
expect: [["text", "1.5", "true", null, null, "7", "8", null, null]]
SELECT json_extract_scalar('[10, [20, 30]]', '$[0]'), json_extract_scalar('[10, [20, 30]]', '$[1][1]'), json_extract_scalar('[10]', '$[-1]'), json_extract_scalar('"x"', '$'), json_extract_scalar('{"0": "zero"}', '$[0]');
expect: [["10", "30", null, "x", "zero"]]
SELECT json_extract('{}', 'a.b');
error: INVALID_FUNCTION_ARGUMENT Invalid JSON path: 'a.b'
SELECT json_extract('{}', '$.a[*]');
error: INVALID_FUNCTION_ARGUMENT Invalid JSON path: '$.a[*]'
SELECT json_extract('{}', '$.');
error: INVALID_FUNCTION_ARGUMENT Invalid JSON path: '$.'
SELECT json_size('{"x": {"a": 1, "b": 2}}', '$.x'), json_size('{"x": [1, 2, 3]}', '$.x'), json_size('{"x": {"a": 1}}', '$.x.a'), json_size('{}', '$.y'), json_size(JSON '[]', '$');
expect: [[2, 3, 0, null, 0]]
SELECT is_json_scalar('1'), is_json_scalar('[1]'), is_json_scalar(JSON '"x"'), is_json_scalar(JSON '{}'), is_json_scalar('null');
expect: [[true, false, true, false, true]]
SELECT is_json_scalar('nope');
error: INVALID_FUNCTION_ARGUMENT Invalid JSON value: nope
-- Arrays
SELECT json_array_length('[1, 2, [3, 4]]'), json_array_length('{}'), json_array_length('nope'), json_array_length(JSON '[]');
expect: [[3, null, null, 0]]
SELECT json_array_contains('[1, 2, 3]', 2), json_array_contains('[1, 2, 3]', 9), json_array_contains('["a", "b"]', 'b'), json_array_contains('[true]', true), json_array_contains('[1.5]', 1.5e0), json_array_contains('{}', 1), json_array_contains('nope', 1), json_array_contains(JSON '[[1]]', 1);
expect: [[true, false, true, true, true, null, null, false]]
SELECT json_array_get('["a", [3, 9], "c"]', 0), json_array_get('["a", [3, 9], "c"]', 1), json_array_get('["c", "b"]', -1), json_array_get('[1]', 5), json_array_get('[1]', -2), json_array_get('{}', 0), json_array_get('[null]', 0);
expect: [["a", "[3,9]", "b", null, null, null, null]]
-- Casts to JSON: text becomes a string, json_parse reads it
SELECT CAST('a"b' AS json), CAST(1 AS json), CAST(true AS json), CAST(1.5e0 AS json), CAST(DECIMAL '10.50' AS json), CAST(nan() AS json), CAST(DATE '2020-02-29' AS json), CAST(TIMESTAMP '2020-02-29 10:11:12.345' AS json), CAST(NULL AS json), CAST(REAL '1.25' AS json), CAST(BIGINT '9223372036854775807' AS json);
expect: [["\"a\\\"b\"", "1", "true", "1.5", "10.50", "\"NaN\"", "\"2020-02-29\"", "\"2020-02-29 10:11:12.345\"", null, "1.25", "9223372036854775807"]]
-- Casts from JSON
SELECT CAST(JSON '1' AS integer), CAST(JSON '"12"' AS bigint), CAST(JSON '1.5' AS bigint), CAST(JSON 'true' AS integer), CAST(JSON 'null' AS integer), CAST(JSON '1e2' AS double), CAST(JSON '"1.5"' AS double), CAST(JSON '12.345' AS decimal(5,2)), CAST(JSON '"x y"' AS varchar), CAST(JSON '12' AS varchar), CAST(JSON 'false' AS varchar), CAST(JSON '0' AS boolean), CAST(JSON '"true"' AS boolean), CAST(JSON 'null' AS varchar);
expect: [[1, 12, 2, 1, null, 100, 1.5, "12.35", "x y", "12", "false", false, true, null]]
SELECT CAST(JSON '{"a":1}' AS varchar);
error: INVALID_CAST_ARGUMENT Cannot cast '{"a":1}' to varchar
SELECT CAST(JSON '"x"' AS integer);
error: INVALID_CAST_ARGUMENT Cannot cast '"x"' to integer
SELECT CAST(JSON '300' AS tinyint);
error: INVALID_CAST_ARGUMENT Cannot cast '300' to tinyint
SELECT try_cast(JSON '[1]' AS bigint), try_cast(JSON '1e300' AS integer), try_cast(JSON '123456' AS decimal(3,1));
expect: [[null, null, null]]
SELECT CAST(JSON '"2020-01-01"' AS date);
error: TYPE_MISMATCH line 1:8: Cannot cast json to date
-- Equality, not order
SELECT JSON '{"a": 1, "b": 2}' = JSON '{"b":2,"a":1}', JSON '1' <> JSON '2', JSON 'null' IS NULL, count(DISTINCT j) FROM (VALUES JSON '[1, 2]', json_parse('[1,2]'), JSON '[2,1]') t(j);
expect: [[true, true, false, 2]]
SELECT JSON '1' < JSON '2';
error: TYPE_MISMATCH line 1:17: Cannot apply operator: json < json
SELECT j, count(*) FROM (VALUES JSON '{"a": 1}', json_parse('{"a":1}'), JSON '{}', NULL) t(j) GROUP BY j;
expect: [["{\"a\":1}", 2], ["{}", 1], [null, 1]]
SELECT sum(json_array_length(j)), count(DISTINCT json_extract_scalar(j, '$[1]')) FROM (SELECT '[' || CAST(nationkey AS varchar) || ',"' || name || '"]' AS j FROM nation);
expect: [[50, 25]]
-- UUIDs
SELECT CAST('12151fd2-7586-11e9-8f9e-2a86e4085a59' AS uuid), UUID '12151FD2-7586-11E9-8F9E-2A86E4085A59', CAST(UUID '12151fd2-7586-11e9-8f9e-2a86e4085a59' AS varchar), to_hex(CAST(UUID '12151fd2-7586-11e9-8f9e-2a86e4085a59' AS varbinary)), CAST(X'00000000000000000000000000000001' AS uuid);
expect: [["12151fd2-7586-11e9-8f9e-2a86e4085a59", "12151fd2-7586-11e9-8f9e-2a86e4085a59", "12151fd2-7586-11e9-8f9e-2a86e4085a59", "12151FD2758611E98F9E2A86E4085A59", "00000000-0000-0000-0000-000000000001"]]
types: uuid, uuid, varchar, varchar, uuid
SELECT CAST('12151fd2' AS uuid);
error: INVALID_CAST_ARGUMENT Cannot cast value to UUID: 12151fd2
SELECT CAST(X'00' AS uuid);
error: INVALID_CAST_ARGUMENT Invalid UUID binary length: 1
SELECT count(DISTINCT u), min(u) < max(u) FROM (VALUES UUID '12151fd2-7586-11e9-8f9e-2a86e4085a59', UUID '12151FD2-7586-11E9-8F9E-2A86E4085A59', UUID '22151fd2-7586-11e9-8f9e-2a86e4085a59') t(u);
expect: [[2, true]]
-- Addresses: IPv4 stands inside of IPv6 and is shown as IPv4
SELECT IPADDRESS '10.0.0.1', IPADDRESS '2001:0db8:0000:0000:0000:ff00:0042:8329', CAST('::1' AS ipaddress), CAST('::ffff:1.2.3.4' AS ipaddress), CAST('::' AS ipaddress), CAST('1:0:0:2:0:0:0:3' AS ipaddress), CAST(IPADDRESS '10.0.0.1' AS varchar), to_hex(CAST(IPADDRESS '1.2.3.4' AS varbinary)), CAST(X'01020304' AS ipaddress);
expect: [["10.0.0.1", "2001:db8::ff00:42:8329", "::1", "1.2.3.4", "::", "1:0:0:2::3", "10.0.0.1", "00000000000000000000FFFF01020304", "1.2.3.4"]]
SELECT try_cast(a AS ipaddress) FROM (VALUES '1.2.3', '1.2.3.256', '1::2::3', ':1', '1:2:3:4:5:6:7:8:9', 'x', '1:2:3:4:5:6:7:10000') t(a);
expect: [[null], [null], [null], [null], [null], [null], [null]]
SELECT CAST('1.2.3' AS ipaddress);
error: INVALID_CAST_ARGUMENT Cannot cast value to IPADDRESS: 1.2.3
SELECT a FROM (VALUES IPADDRESS '10.0.0.2', IPADDRESS '9.255.0.0', IPADDRESS '::1', IPADDRESS 'ff::') t(a) ORDER BY a;
expect: [["::1"], ["9.255.0.0"], ["10.0.0.2"], ["ff::"]]
SELECT IPADDRESS '10.0.0.1' = CAST('::ffff:a00:1' AS ipaddress), IPADDRESS '10.0.0.1' BETWEEN IPADDRESS '10.0.0.0' AND IPADDRESS '10.0.0.255';
expect: [[true, true]]
