-- Aggregates of section 10.4 of the protocol reference beyond sums and extremes
SELECT corr(totalprice, shippriority + orderkey), covar_pop(totalprice, orderkey), covar_samp(totalprice, orderkey), regr_slope(totalprice, orderkey), regr_intercept(totalprice, orderkey) FROM orders;
duckdb: SELECT corr(totalprice, orderkey), covar_pop(totalprice, orderkey), covar_samp(totalprice, orderkey), regr_slope(totalprice, orderkey), regr_intercept(totalprice, orderkey) FROM orders;
SELECT returnflag, linestatus, corr(extendedprice, quantity), covar_samp(discount, tax), regr_slope(extendedprice, quantity), regr_intercept(extendedprice, quantity) FROM lineitem GROUP BY returnflag, linestatus;
types: varchar(1), varchar(1), double, double, double, double
SELECT corr(x, y), covar_pop(x, y), covar_samp(x, y), regr_slope(x, y), regr_intercept(x, y) FROM (VALUES (1e0, NULL), (NULL, 1e0)) t (x, y);
expect: [[null, null, null, null, null]]
SELECT corr(x, y), covar_pop(x, y), covar_samp(x, y), regr_slope(x, y) FROM (VALUES (1e0, 2e0)) t (x, y);
expect: [[null, 0, null, null]]
SELECT corr(x, x + 1), covar_samp(x, x), typeof(corr(x, x)), regr_slope(x, x), regr_intercept(x, x) FROM (VALUES REAL '1', REAL '2', REAL '4') t (x);
expect: [[1, 2.3333333, "real", 1, 0]]
SELECT geometric_mean(quantity), geometric_mean(linenumber), geometric_mean(extendedprice) FROM lineitem;
duckdb: SELECT exp(avg(ln(quantity))), exp(avg(ln(linenumber))), exp(avg(ln(extendedprice))) FROM lineitem;
SELECT returnflag, geometric_mean(quantity) FROM lineitem GROUP BY returnflag;
duckdb: SELECT returnflag, exp(avg(ln(quantity))) FROM lineitem GROUP BY returnflag;
SELECT geometric_mean(x), geometric_mean(CAST(x AS real)) FROM (VALUES 2e0, 8e0, NULL) t (x);
expect: [[4, 4]]
SELECT geometric_mean(x) FROM (VALUES CAST(NULL AS double)) t (x);
expect: [[null]]
SELECT skewness(x), kurtosis(x) FROM (VALUES 1e0, 2e0, 3e0, 4e0, 50e0) t (x);
duckdb: SELECT skewness(x) * 3 / sqrt(20), kurtosis(x) FROM (VALUES (1e0), (2e0), (3e0), (4e0), (50e0)) t (x);
SELECT skewness(x), kurtosis(x) FROM (VALUES 1e0, 2e0) t (x);
expect: [[null, null]]
SELECT skewness(totalprice), skewness(orderkey) FROM orders;
duckdb: SELECT skewness(totalprice) * (count(*) - 2) / sqrt(count(*) * (count(*) - 1)), skewness(orderkey) * (count(*) - 2) / sqrt(count(*) * (count(*) - 1)) FROM orders;
SELECT kurtosis(totalprice), kurtosis(orderkey) FROM orders;
SELECT orderpriority, kurtosis(totalprice) FROM orders GROUP BY orderpriority;
SELECT bitwise_and_agg(x), bitwise_or_agg(x) FROM (VALUES 12, 14, NULL, 28) t (x);
duckdb: SELECT bit_and(x), bit_or(x) FROM (VALUES (12), (14), (NULL), (28)) t (x);
types: bigint, bigint
SELECT regionkey, bitwise_and_agg(nationkey), bitwise_or_agg(nationkey) FROM nation GROUP BY regionkey;
duckdb: SELECT regionkey, bit_and(nationkey), bit_or(nationkey) FROM nation GROUP BY regionkey;
SELECT bitwise_and_agg(x), bitwise_or_agg(x) FROM (VALUES CAST(NULL AS bigint)) t (x);
expect: [[null, null]]
SELECT (SELECT checksum(name) FROM nation) = (SELECT checksum(name) FROM (SELECT name FROM nation ORDER BY name DESC) t), (SELECT checksum(name) FROM nation) = (SELECT checksum(name) FROM nation WHERE nationkey > 0), length(checksum(NULL)), checksum(1) IS NULL FROM region WHERE regionkey = 1;
expect: [[true, false, 8, false]]
SELECT checksum(name) FROM nation WHERE false;
expect: [[null]]
types: varbinary
SELECT approx_distinct(regionkey), approx_distinct(name), approx_distinct(CASE WHEN nationkey < 3 THEN nationkey END), approx_distinct(NULL) FROM nation WHERE nationkey < 16;
expect: [[5, 16, 3, 0]]
types: bigint, bigint, bigint, bigint
SELECT approx_distinct(name) FROM nation WHERE false;
expect: [[0]]
SELECT regionkey, approx_distinct(nationkey), approx_distinct(name, 0.1e0) FROM nation GROUP BY regionkey;
duckdb: SELECT regionkey, 5, 5 FROM nation GROUP BY regionkey;
SELECT abs(approx_distinct(orderkey) - 15000) < 15000 * 0.07e0, abs(approx_distinct(orderkey, 0.01e0) - 15000) < 15000 * 0.03e0, abs(approx_distinct(comment, 0.0040625e0) - count(DISTINCT comment)) < 15000 * 0.0125e0 FROM orders;
expect: [[true, true, true]]
SELECT approx_distinct(regionkey, 0.5e0) FROM nation;
error: INVALID_FUNCTION_ARGUMENT Max standard error must be in [0.0040625, 0.26000]: 0.5
SELECT count(*) FROM (SELECT custkey, approx_distinct(orderkey) a, count(DISTINCT orderkey) c FROM orders GROUP BY custkey) t WHERE a <> c AND c <= 16;
expect: [[0]]
SELECT approx_percentile(nationkey, 0.5e0), approx_percentile(nationkey, 0e0), approx_percentile(nationkey, 1), approx_percentile(CAST(nationkey AS real), 0.1e0) FROM nation;
expect: [[12, 0, 24, 2]]
types: bigint, bigint, bigint, real
SELECT regionkey, approx_percentile(nationkey, 0.5e0), approx_percentile(-1.5e0 * nationkey, 0.9e0) FROM nation GROUP BY regionkey;
duckdb: SELECT regionkey, quantile_disc(nationkey, 0.5), quantile_disc(-1.5e0 * nationkey, 0.9) FROM nation GROUP BY regionkey;
SELECT approx_percentile(x, 0.5e0) FROM (VALUES CAST(NULL AS bigint)) t (x);
expect: [[null]]
SELECT approx_percentile(1, 1.1e0);
error: INVALID_FUNCTION_ARGUMENT Percentile must be between 0 and 1
SELECT shipmode, abs(approx_percentile(partkey, 0.9e0) - 1800) < 60, abs(approx_percentile(partkey, 0.25e0) - 500) < 60 FROM lineitem GROUP BY shipmode;
duckdb: SELECT shipmode, true, true FROM lineitem GROUP BY shipmode;
SELECT custkey, approx_percentile(totalprice, 0.75e0) FROM orders WHERE custkey < 300 GROUP BY custkey;
duckdb: SELECT custkey, quantile_disc(totalprice::DOUBLE, 0.75) FROM orders WHERE custkey < 300 GROUP BY custkey;
