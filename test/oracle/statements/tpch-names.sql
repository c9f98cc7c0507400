-- Every scale is a schema, listed or not, however it is asked for
SHOW TABLES FROM tpch."sf1.0" LIKE '%s';
expect: [["orders"]]
SHOW TABLES FROM tpch."sf2.50" LIKE 'part%';
expect: [["part"], ["partsupp"]]
SHOW TABLES FROM tpch."sf0.0";
error: SCHEMA_NOT_FOUND line 1:1: Schema 'sf0.0' does not exist
SHOW SCHEMAS FROM tpch LIKE 'sf1.0';
expect: []
SHOW CREATE SCHEMA tpch."sf2.50";
expect: [["CREATE SCHEMA tpch.\"sf2.50\""]]
SHOW COLUMNS FROM tpch."sf1.0".region LIKE 'n%';
expect: [["name", "varchar(25)", "", ""]]
SELECT count(*) FROM tpch."sf1.0".region;
expect: [[5]]
SELECT * FROM tpch."sf1.0".regions;
error: TABLE_NOT_FOUND line 1:15: Table 'tpch.sf1.0.regions' does not exist
SELECT * FROM tpch."sf.x".region;
error: SCHEMA_NOT_FOUND line 1:15: Schema 'sf.x' does not exist
SELECT table_schema, count(*) FROM tpch.information_schema.tables WHERE table_schema IN ('sf1.0', 'sf7', 'sf-1', 'tiny') GROUP BY 1;
expect: [["sf1.0", 8], ["sf7", 8], ["tiny", 8]]
SELECT column_name FROM tpch.information_schema.columns WHERE table_schema = 'sf1.0' AND table_name = 'region';
expect: [["regionkey"], ["name"], ["comment"]]
SELECT table_schem, table_name FROM system.jdbc.tables WHERE table_cat = 'tpch' AND table_schem LIKE 'sf1.0' ESCAPE '\' AND table_name LIKE 'part%';
expect: [["sf1.0", "part"], ["sf1.0", "partsupp"]]
SELECT column_name FROM system.jdbc.columns WHERE table_cat = 'tpch' AND table_schem = 'sf1.0' AND table_name = 'region';
expect: [["regionkey"], ["name"], ["comment"]]
SELECT table_name FROM system.metadata.table_comments WHERE catalog_name = 'tpch' AND schema_name = 'sf1.0' AND table_name = 'part';
expect: [["part"]]
-- The hidden row_number: what the generator counts, from 0 for regions and nations, else from 1; line items have their order's, suppliers of parts their part's
SELECT row_number, name FROM region;
expect: [[0, "AFRICA"], [1, "AMERICA"], [2, "ASIA"], [3, "EUROPE"], [4, "MIDDLE EAST"]]
types: bigint, varchar(25)
SELECT count_if(row_number = nationkey), count(*) FROM nation;
expect: [[25, 25]]
SELECT count_if(row_number = custkey), count(*) FROM customer;
expect: [[1500, 1500]]
SELECT count_if(row_number = suppkey), count(*) FROM supplier;
expect: [[100, 100]]
SELECT count_if(row_number = partkey), count(*) FROM part;
expect: [[2000, 2000]]
SELECT count_if(row_number = partkey), count(*) FROM partsupp;
expect: [[8000, 8000]]
SELECT min(row_number), max(row_number), count(DISTINCT row_number), count_if(orderkey = (row_number / 8) * 32 + row_number % 8) FROM orders;
expect: [[1, 15000, 15000, 15000]]
SELECT count(*), count(DISTINCT l.row_number) FROM lineitem l JOIN orders o ON l.row_number = o.row_number AND l.orderkey = o.orderkey;
expect: [[60175, 15000]]
-- Only who names it sees it
SELECT * FROM region WHERE row_number = 1;
duckdb: SELECT * FROM region WHERE regionkey = 1
SELECT r.* FROM region r ORDER BY r.row_number DESC LIMIT 1;
duckdb: SELECT * FROM region WHERE regionkey = 4
TABLE region;
SELECT count(*) FROM orders NATURAL JOIN orders o;
SELECT count(*) FROM nation JOIN region USING (row_number);
expect: [[5]]
SELECT row_number FROM (SELECT * FROM region) t;
error: COLUMN_NOT_FOUND line 1:8: Column 'row_number' cannot be resolved
SELECT row_number FROM region r (a, b, c);
error: COLUMN_NOT_FOUND line 1:8: Column 'row_number' cannot be resolved
SELECT a FROM region r (a, b, c, d);
error: MISMATCHED_COLUMN_ALIASES
SELECT row_number FROM nation, region;
error: AMBIGUOUS_NAME line 1:8: Column 'row_number' is ambiguous
SELECT row_number() OVER (ORDER BY nationkey DESC) AS row_number, name FROM nation ORDER BY row_number LIMIT 1;
expect: [[1, "UNITED STATES"]]
