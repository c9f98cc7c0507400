-- Functions of text, vectors and distributions beyond protocol.md 10.4: Presto's documentation, functions/string.rst, math.rst, plugin-loaded-functions.rst; Trino's for soundex, base32 and vectors
SELECT nationkey, ends_with(name, 'A'), ends_with(name, ''), ends_with(comment, substr(comment, 5)), ends_with('', 'x'), ends_with(name, CAST(NULL AS varchar)) FROM nation;
duckdb: SELECT nationkey, suffix(name, 'A'), true, true, false, NULL FROM nation;
SELECT nationkey, strrpos(name, 'A'), strrpos(name, 'A', 2), strrpos('größe ß', 'ß'), strrpos('aaa', 'aa', 2), strrpos('abc', ''), strrpos('abc', 'x'), strrpos(name, NULL) FROM nation;
duckdb: SELECT nationkey, CASE WHEN name LIKE '%A%' THEN length(name) + 1 - strpos(reverse(name), 'A') ELSE 0 END, CASE WHEN name LIKE '%A%A%' THEN length(name) + 1 - strpos(reverse(name), 'A') - strpos(substr(reverse(name), strpos(reverse(name), 'A') + 1), 'A') ELSE 0 END, 7, 1, 1, 0, NULL FROM nation;
SELECT strrpos('abc', 'a', 0);
error: INVALID_FUNCTION_ARGUMENT 'instance' must be a positive number.
SELECT strpos('abc', 'a', 0);
error: INVALID_FUNCTION_ARGUMENT 'instance' must be a positive or negative number.
SELECT replace_first('aaa', 'a', 'bb'), replace_first('abc', '', 'x'), replace_first('abc', 'd', 'x'), replace_first('abc', 'b', ''), replace_first('a$1', '$1', '$&'), replace_first('abc', 'b', NULL);
expect: [["bbaa", "xabc", "abc", "ac", "a$&", null]]
SELECT trail('hello', 3), trail('größe', 2), trail('ab', 9), trail('ab', 0), trail('ab', -1), trail(NULL, 2);
expect: [["llo", "ße", "ab", "", "", null]]
SELECT longest_common_prefix('abcd', 'abxy'), longest_common_prefix('größe', 'grün'), longest_common_prefix('a', 'abc'), longest_common_prefix('x', 'y'), longest_common_prefix('a', NULL);
expect: [["ab", "gr", "a", "", null]]
SELECT nationkey, bit_length(name), bit_length(''), bit_length('größe'), bit_length(CAST(NULL AS varchar)) FROM nation;
types: bigint, bigint, bigint, bigint, bigint
-- The census' rules: H and W do not part equal digits, vowels do; the first letter has a digit too
SELECT soundex('Robert'), soundex('Rupert'), soundex('Rubin'), soundex('Ashcraft'), soundex('Tymczak'), soundex('Pfister'), soundex('Honeyman'), soundex('Lee'), soundex(' o''hara '), soundex(''), soundex(CAST(NULL AS varchar));
expect: [["R163", "R163", "R150", "A261", "T522", "P236", "H555", "L000", "O600", "", null]]
SELECT soundex('jalapeño');
error: INVALID_FUNCTION_ARGUMENT The character is not mapped: Ñ (index=144)
SELECT to_base32(X''), to_base32(to_utf8('f')), to_base32(to_utf8('fo')), to_base32(to_utf8('foo')), to_base32(to_utf8('foob')), to_base32(to_utf8('fooba')), to_base32(to_utf8('foobar')), to_base32(NULL);
expect: [["", "MY======", "MZXQ====", "MZXW6===", "MZXW6YQ=", "MZXW6YTB", "MZXW6YTBOI======", null]]
SELECT from_base32(to_base32(to_utf8(name))) = to_utf8(name), from_base32(to_utf8(to_base32(to_utf8(comment)))) = to_utf8(comment), from_base32('') = X'' FROM nation WHERE nationkey < 2;
expect: [[true, true, true], [true, true, true]]
SELECT from_base32('M1======');
error: INVALID_FUNCTION_ARGUMENT Illegal base32 text
SELECT nationkey, dot_product(ARRAY[nationkey, 2], ARRAY[regionkey, 3]), euclidean_distance(ARRAY[nationkey, 2], ARRAY[regionkey, 3.5]), cosine_similarity(ARRAY[nationkey, 2], ARRAY[regionkey, 3]), cosine_distance(ARRAY[nationkey, 2], ARRAY[regionkey, 3]) FROM nation;
duckdb: SELECT nationkey, list_dot_product([nationkey, 2]::DOUBLE[], [regionkey, 3]::DOUBLE[]), list_distance([nationkey, 2]::DOUBLE[], [regionkey, 3.5]::DOUBLE[]), list_cosine_similarity([nationkey, 2]::DOUBLE[], [regionkey, 3]::DOUBLE[]), list_cosine_distance([nationkey, 2]::DOUBLE[], [regionkey, 3]::DOUBLE[]) FROM nation;
SELECT dot_product(ARRAY[], ARRAY[]), dot_product(ARRAY[1, NULL], ARRAY[1, 2]), euclidean_distance(CAST(NULL AS array(double)), ARRAY[1]), cosine_similarity(ARRAY[REAL '1'], ARRAY[REAL '2']);
expect: [[0.0, null, null, 1.0]]
SELECT dot_product(ARRAY[1], ARRAY[1, 2]);
error: INVALID_FUNCTION_ARGUMENT The arguments must have the same length
SELECT cosine_distance(ARRAY[0, 0], ARRAY[1, 2]);
error: INVALID_FUNCTION_ARGUMENT Vector magnitude cannot be zero
-- Distributions: values that follow from their formulas
SELECT binomial_cdf(5, 0.5, 3), binomial_cdf(20, 1.0, 0), binomial_cdf(5, 0.25, 0), binomial_cdf(5, 0.5, 5), binomial_cdf(5, 0.5, -1), binomial_cdf(3, 0.2, 1);
expect: [[0.8125, 0.0, 0.2373046875, 1.0, 0.0, 0.896]]
SELECT inverse_binomial_cdf(20, 0.5, 0.5), inverse_binomial_cdf(20, 0.5, 0.0), inverse_binomial_cdf(20, 0.5, 1.0), inverse_binomial_cdf(5, 0.25, 0.2374);
expect: [[10, 0, 20, 1]]
types: integer, integer, integer, integer
SELECT cauchy_cdf(0, 1, 1), cauchy_cdf(2.5, 1, 2.5), inverse_cauchy_cdf(0, 1, 0.75), inverse_cauchy_cdf(0, 1, 1), inverse_cauchy_cdf(0, 1, 0), cauchy_cdf(0, 1, infinity());
expect: [[0.75, 0.5, 1.0, "Infinity", "-Infinity", 1.0]]
SELECT chi_squared_cdf(2, x) - (1 - exp(-x / 2)), chi_squared_cdf(4, x) - (1 - exp(-x / 2) * (1 + x / 2)), chi_squared_cdf(1, x) - (2 * normal_cdf(0, 1, sqrt(x)) - 1), inverse_chi_squared_cdf(3, chi_squared_cdf(3, x)) - x FROM (VALUES 0e0, 0.1e0, 1e0, 3.5e0, 12e0) t (x);
expect: [[0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]]
SELECT gamma_cdf(1, 2, x) - (1 - exp(-x / 2)), gamma_cdf(3, 1, x) - (1 - exp(-x) * (1 + x + x * x / 2)), gamma_cdf(0.5, 2, x) - chi_squared_cdf(1, x), inverse_gamma_cdf(2.5, 3, gamma_cdf(2.5, 3, x)) - x FROM (VALUES 0e0, 0.1e0, 1e0, 3.5e0, 12e0) t (x);
expect: [[0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]]
SELECT f_cdf(2, 5, x) - (1 - power(1 + 2 * x / 5, -2.5e0)), f_cdf(2, 2, x) - x / (1 + x), f_cdf(7, 3, x) + f_cdf(3, 7, 1 / x), inverse_f_cdf(7, 3, f_cdf(7, 3, x)) - x FROM (VALUES 0.1e0, 1e0, 3.5e0, 12e0) t (x);
expect: [[0, 0, 1, 0], [0, 0, 1, 0], [0, 0, 1, 0], [0, 0, 1, 0]]
SELECT inverse_f_cdf(2, 2, 1), inverse_gamma_cdf(1, 1, 1), inverse_chi_squared_cdf(2, 0), inverse_weibull_cdf(1, 1, 1);
expect: [["Infinity", "Infinity", 0.0, "Infinity"]]
SELECT laplace_cdf(4, 1, 4), laplace_cdf(0, 1, 1) - (1 - exp(-1) / 2), laplace_cdf(0, 2, -1) - exp(-0.5e0) / 2, inverse_laplace_cdf(5, 2, 0.5), inverse_laplace_cdf(0, 1, laplace_cdf(0, 1, 0.3)) - 0.3e0, inverse_laplace_cdf(0, 1, 0), inverse_laplace_cdf(0, 1, 1);
expect: [[0.5, 0.0, 0.0, 5.0, 0.0, "-Infinity", "Infinity"]]
SELECT poisson_cdf(3, 0) - exp(-3), poisson_cdf(3, 5) - exp(-3) * 18.4e0, poisson_cdf(10000, 10000) > 0.5, poisson_cdf(0.5, 30), inverse_poisson_cdf(3, 0), inverse_poisson_cdf(3, 0.95), inverse_poisson_cdf(3, 0.3), inverse_poisson_cdf(1e6, 0.5) BETWEEN 999998 AND 1000000;
expect: [[0.0, 0.0, true, 1.0, 0, 6, 2, true]]
SELECT weibull_cdf(1, 1, 1) - (1 - exp(-1)), weibull_cdf(2, 3, 3) - (1 - exp(-1)), weibull_cdf(2, 3, -1), inverse_weibull_cdf(2, 3, weibull_cdf(2, 3, 1.5)) - 1.5e0;
expect: [[0.0, 0.0, 0.0, 0.0]]
SELECT chi_squared_cdf(0, 1);
error: INVALID_FUNCTION_ARGUMENT chiSquaredCdf Function: df must be greater than 0
SELECT inverse_chi_squared_cdf(1, 1.5);
error: INVALID_FUNCTION_ARGUMENT inverseChiSquaredCdf Function: p must be in the interval [0, 1]
SELECT f_cdf(1, 0, 1);
error: INVALID_FUNCTION_ARGUMENT fCdf Function: denominator df must be greater than 0
SELECT gamma_cdf(1, 1, -1);
error: INVALID_FUNCTION_ARGUMENT gammaCdf Function: value must be greater than, or equal to, 0
SELECT poisson_cdf(3, -1);
error: INVALID_FUNCTION_ARGUMENT poissonCdf Function: value must be a non-negative integer
SELECT inverse_poisson_cdf(3, 1);
error: INVALID_FUNCTION_ARGUMENT inversePoissonCdf Function: p must be in the interval [0, 1)
-- Entropy of counts, and the names of zones
SELECT entropy(c), entropy(c) FILTER (WHERE c > 4), entropy(c) FILTER (WHERE c > 9), entropy(n), entropy(8) FROM (VALUES (4, 0), (4, NULL), (8, 0)) t (c, n);
expect: [[1.5, 0.0, 0.0, 0.0, 1.584962500721156]]
SELECT regionkey, entropy(nationkey) FROM nation GROUP BY regionkey;
duckdb: SELECT regionkey, (SELECT sum(CASE WHEN n.nationkey = 0 THEN 0 ELSE n.nationkey * 1.0::DOUBLE / s * log2(s * 1.0::DOUBLE / n.nationkey) END) FROM nation n, (SELECT sum(nationkey) s FROM nation m WHERE m.regionkey = o.regionkey) WHERE n.regionkey = o.regionkey) FROM nation o GROUP BY regionkey;
SELECT custkey, entropy(orderkey) = entropy(orderkey * 2) OR abs(entropy(orderkey) - entropy(orderkey * 2)) < 1e-9 FROM orders WHERE custkey < 20 GROUP BY custkey;
duckdb: SELECT custkey, true FROM orders WHERE custkey < 20 GROUP BY custkey;
SELECT entropy(nationkey - 1) FROM nation;
error: INVALID_FUNCTION_ARGUMENT Entropy count argument must be non-negative
SELECT timezone(TIMESTAMP '2024-01-01 12:00:00 Asia/Tokyo'), timezone(TIMESTAMP '2024-01-01 12:00:00 +01:00'), timezone(TIMESTAMP '2024-01-01 12:00:00.123456789012 UTC'), timezone(TIME '12:00:00+09:00'), timezone(CAST(NULL AS timestamp with time zone));
expect: [["Asia/Tokyo", "+01:00", "UTC", "+09:00", null]]
types: varchar, varchar, varchar, varchar, varchar
-- All of Presto's languages.
SELECT word_stem('llengües', 'ca'), word_stem('intel·ligència', 'ca'), word_stem('mendiari', 'eu'), word_stem('zaldiak', 'eu'), word_stem(NULL, 'eu');
expect: [["llengu", "intel.lig", "mendi", "zaldi", null]]
