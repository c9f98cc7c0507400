-- Aggregates of all their values at once: listagg, reduce_agg, maps with OVER (protocol.md 10.4).
SELECT regionkey, listagg(name, ', ') WITHIN GROUP (ORDER BY name DESC) FROM nation GROUP BY regionkey;
duckdb: SELECT regionkey, string_agg(name, ', ' ORDER BY name DESC) FROM nation GROUP BY regionkey;
types: bigint, varchar
SELECT listagg(name) WITHIN GROUP (ORDER BY nationkey) FROM nation;
duckdb: SELECT string_agg(name, '' ORDER BY nationkey) FROM nation;
SELECT listagg(DISTINCT mktsegment, '|') WITHIN GROUP (ORDER BY mktsegment) FROM customer;
duckdb: SELECT string_agg(DISTINCT mktsegment, '|' ORDER BY mktsegment) FROM customer;
SELECT listagg(name, ',') WITHIN GROUP (ORDER BY length(name), name DESC) FILTER (WHERE regionkey = 1), listagg(name, ',') WITHIN GROUP (ORDER BY name) FROM nation;
duckdb: SELECT string_agg(name, ',' ORDER BY length(name), name DESC) FILTER (WHERE regionkey = 1), string_agg(name, ',' ORDER BY name) FROM nation;
SELECT listagg(x, ',') WITHIN GROUP (ORDER BY y) FROM (VALUES ('a', 3), (NULL, 1), ('c', 2)) t (x, y);
duckdb: SELECT string_agg(x, ',' ORDER BY y) FROM (VALUES ('a', 3), (NULL, 1), ('c', 2)) t (x, y);
SELECT listagg(x, ',') WITHIN GROUP (ORDER BY x) FROM (VALUES CAST(NULL AS varchar)) t (x);
expect: [[null]]
SELECT length(listagg(comment ON OVERFLOW TRUNCATE WITHOUT COUNT) WITHIN GROUP (ORDER BY orderkey, linenumber)) <= 1048579 FROM lineitem;
expect: [[true]]
SELECT substr(listagg(lpad('', 1000, 'x'), ',' ON OVERFLOW TRUNCATE '<cut>' WITH COUNT) WITHIN GROUP (ORDER BY orderkey), -20) FROM orders;
expect: [["xxxxxxx,<cut>(13953)"]]
SELECT substr(listagg(lpad('', 1000, 'x'), ',' ON OVERFLOW TRUNCATE WITHOUT COUNT) WITHIN GROUP (ORDER BY orderkey), -6) FROM orders;
expect: [["xx,..."]]
SELECT listagg(lpad('', 1000, 'x'), ',') WITHIN GROUP (ORDER BY orderkey) FROM orders;
error: EXCEEDED_FUNCTION_MEMORY_LIMIT Concatenated string has the length in bytes larger than the maximum output length 1048576
SELECT listagg(lpad('', 1000, 'x'), ',' ON OVERFLOW ERROR) WITHIN GROUP (ORDER BY orderkey) FROM orders;
error: EXCEEDED_FUNCTION_MEMORY_LIMIT
SELECT listagg(name) FROM nation;
error: SYNTAX_ERROR line 1:22: mismatched input 'FROM'. Expecting: 'WITHIN'
SELECT listagg(name, ',') WITHIN GROUP () FROM nation;
error: SYNTAX_ERROR
-- The forms and mistakes of Trino's tests.
SELECT listagg(v, ',', '...') WITHIN GROUP (ORDER BY v) FROM (VALUES 'a') t(v);
error: SYNTAX_ERROR line 1:22: mismatched input ','. Expecting: ')', 'ON'
SELECT listagg(v, ',') WITHIN GROUP (ORDER BY v) OVER (PARTITION BY id) FROM (VALUES (1, 'a')) t(id, v);
error: SYNTAX_ERROR
SELECT listagg(v, ',' ON OVERFLOW COLLAPSE) WITHIN GROUP (ORDER BY v) FROM (VALUES 'a') t(v);
error: SYNTAX_ERROR line 1:35: mismatched input 'COLLAPSE'. Expecting: 'ERROR', 'TRUNCATE'
SELECT LISTAGG(v, 123) WITHIN GROUP (ORDER BY v) FROM (VALUES 'Trino', 'SQL', 'everything') t(v);
error: SYNTAX_ERROR line 1:19: mismatched input '123'. Expecting: <string>
SELECT LISTAGG(v, ',' ON OVERFLOW TRUNCATE 1234567890 WITHOUT COUNT) WITHIN GROUP (ORDER BY v) FROM (VALUES 'Trino') t(v);
error: SYNTAX_ERROR line 1:44: mismatched input '1234567890'. Expecting: 'WITH', 'WITHOUT', <string>
SELECT listagg(value, ',') WITHIN GROUP (ORDER BY value) FROM (VALUES 1, NULL, 2, 3, 4) t(value);
error: TYPE_MISMATCH line 1:8: Expected expression of varchar, but 'value' has integer type
SELECT listagg(value, ',') WITHIN GROUP (ORDER BY value) FROM (VALUES array['abc', 'def'], array['sql']) t(value);
error: TYPE_MISMATCH line 1:8: Expected expression of varchar, but 'value' has array(varchar(3)) type
SELECT listagg(label, ',') WITHIN GROUP (ORDER BY c) FROM (VALUES ('red', rgb(255, 0, 0)), ('green', rgb(0, 128, 0))) color(label, c);
error: TYPE_MISMATCH line 1:8: ORDER BY can only be applied to orderable types (actual: color)
SELECT listagg(ALL value, ',') WITHIN GROUP (ORDER BY value) FROM (VALUES 'a', 'b', 'a') t(value);
expect: [["a,a,b"]]
SELECT listagg(DISTINCT value, ',') WITHIN GROUP (ORDER BY length(value)) FROM (VALUES 'a', 'b', 'a') t(value);
error: EXPRESSION_NOT_IN_DISTINCT
SELECT length(listagg(value, ',' ON OVERFLOW TRUNCATE WITHOUT COUNT) WITHIN GROUP (ORDER BY value)) FROM (VALUES rpad('a', 1048570, 'a'), 'trino', 'rocks') t(value);
expect: [[1048580]]
SELECT substr(listagg(value, ',' ON OVERFLOW TRUNCATE '=====' WITH COUNT) WITHIN GROUP (ORDER BY value), 1048560) FROM (VALUES rpad('a', 1048570, 'a'), 'trino', 'rocks') t(value);
expect: [["aaaaaaaaaaa,rocks,=====(1)"]]
SELECT listagg(value, ',' ON OVERFLOW TRUNCATE '=====' WITH COUNT) WITHIN GROUP (ORDER BY value) FROM (VALUES rpad('a', 1048577, 'a'), 'trino', 'rocks') t(value);
expect: [["=====(3)"]]
SELECT listagg(c, ',') WITHIN GROUP (ORDER BY c) FROM (VALUES CAST('x' AS char(3)), CAST('yy' AS char(3))) t(c);
expect: [["x  ,yy "]]
SELECT listagg FROM (VALUES 1) t(listagg);
expect: [[1]]
SELECT reduce_agg(nationkey, BIGINT '0', (a, b) -> a + b, (a, b) -> a + b), reduce_agg(nationkey, 0, (a, b) -> a + b, (a, b) -> a + b) FROM nation;
duckdb: SELECT sum(nationkey)::BIGINT, sum(nationkey)::BIGINT FROM nation;
types: bigint, bigint
SELECT regionkey, reduce_agg(nationkey, 1, (a, b) -> a * b, (a, b) -> a * b) FROM nation WHERE nationkey > 0 GROUP BY regionkey;
duckdb: SELECT regionkey, product(nationkey)::BIGINT FROM nation WHERE nationkey > 0 GROUP BY regionkey;
SELECT reduce_agg(x, 0, (a, b) -> a + b, (a, b) -> a + b) FROM (VALUES 1, NULL, 5) t (x);
expect: [[6]]
SELECT reduce_agg(x, 0, (a, b) -> a + b, (a, b) -> a + b) FROM (VALUES CAST(NULL AS integer)) t (x);
expect: [[null]]
SELECT reduce_agg(x, 0, (a, b) -> a + b) FROM (VALUES 1) t (x);
error: FUNCTION_NOT_FOUND
SELECT nationkey, reduce_agg(nationkey, BIGINT '0', (a, b) -> a + b, (a, b) -> a + b) OVER (ORDER BY nationkey ROWS 1 PRECEDING) FROM nation WHERE nationkey < 4;
expect: [[0, 0], [1, 1], [2, 3], [3, 5]]
SELECT nationkey, array_agg(nationkey) OVER (ORDER BY nationkey ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING) FROM nation;
SELECT regionkey, nationkey, map_agg(nationkey, name) OVER (PARTITION BY regionkey ORDER BY nationkey) FROM nation WHERE regionkey = 0;
expect: [[0, 0, {"0": "ALGERIA"}], [0, 5, {"0": "ALGERIA", "5": "ETHIOPIA"}], [0, 14, {"0": "ALGERIA", "5": "ETHIOPIA", "14": "KENYA"}], [0, 15, {"0": "ALGERIA", "5": "ETHIOPIA", "14": "KENYA", "15": "MOROCCO"}], [0, 16, {"0": "ALGERIA", "5": "ETHIOPIA", "14": "KENYA", "15": "MOROCCO", "16": "MOZAMBIQUE"}]]
SELECT nationkey, histogram(regionkey) FILTER (WHERE regionkey <> 2) OVER (ORDER BY nationkey ROWS 2 PRECEDING), multimap_agg(regionkey, nationkey) OVER (), map_union(MAP(ARRAY[regionkey], ARRAY[nationkey])) OVER () FROM nation WHERE nationkey IN (0, 1, 2, 8);
expect: [[0, {"0": 1}, {"0": [0], "1": [1, 2], "2": [8]}, {"0": 0, "1": 1, "2": 8}], [1, {"0": 1, "1": 1}, {"0": [0], "1": [1, 2], "2": [8]}, {"0": 0, "1": 1, "2": 8}], [2, {"0": 1, "1": 2}, {"0": [0], "1": [1, 2], "2": [8]}, {"0": 0, "1": 1, "2": 8}], [8, {"1": 2}, {"0": [0], "1": [1, 2], "2": [8]}, {"0": 0, "1": 1, "2": 8}]]
SELECT map_agg(nationkey) OVER () FROM nation;
error: FUNCTION_NOT_FOUND line 1:8: Unexpected parameters (bigint) for function map_agg. Expected: map_agg(K, V) K:comparable, V
SELECT regexp_replace('new york', '(\w)(\w*)', x -> upper(x[1]) || lower(x[2])), regexp_replace('abc', '(x)|(b)', x -> coalesce(x[1], '-') || x[2]), regexp_replace('abc', '[a-c]', x -> CAST(NULL AS varchar)), regexp_replace('', 'x*', x -> 'y');
expect: [["New York", "a-bc", null, "y"]]
