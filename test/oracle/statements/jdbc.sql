-- What drivers of JDBC ask (protocol.md 9.4), and the other tables about tables (9.2, 9.3).
SELECT table_cat FROM system.jdbc.catalogs WHERE table_cat IN ('tpch', 'system', 'nope') ORDER BY 1;
expect: [["system"], ["tpch"]]
SELECT table_schem, table_catalog FROM system.jdbc.schemas WHERE table_catalog = 'tpch' AND table_schem LIKE 't%' ORDER BY 1;
expect: [["tiny", "tpch"]]
SELECT * FROM system.jdbc.table_types ORDER BY 1;
expect: [["TABLE"], ["VIEW"]]
SELECT table_cat, table_schem, table_name, table_type, remarks, type_cat, type_schem, type_name, self_referencing_col_name, ref_generation FROM system.jdbc.tables WHERE table_cat = 'tpch' AND table_schem LIKE 'tiny' ESCAPE '\' AND table_name LIKE '%tion' ESCAPE '\' AND table_type IN ('TABLE', 'VIEW') ORDER BY table_type, table_cat, table_schem, table_name;
expect: [["tpch", "tiny", "nation", "TABLE", null, null, null, null, null, null]]
SELECT TABLE_CAT, TABLE_SCHEM, TABLE_NAME, COLUMN_NAME, DATA_TYPE, TYPE_NAME, COLUMN_SIZE, BUFFER_LENGTH, DECIMAL_DIGITS, NUM_PREC_RADIX, NULLABLE, REMARKS, COLUMN_DEF, SQL_DATA_TYPE, SQL_DATETIME_SUB, CHAR_OCTET_LENGTH, ORDINAL_POSITION, IS_NULLABLE, SCOPE_CATALOG, SCOPE_SCHEMA, SCOPE_TABLE, SOURCE_DATA_TYPE, IS_AUTOINCREMENT, IS_GENERATEDCOLUMN FROM system.jdbc.columns WHERE TABLE_CAT = 'tpch' AND TABLE_SCHEM = 'tiny' AND TABLE_NAME LIKE 'region' ESCAPE '\' ORDER BY TABLE_CAT, TABLE_SCHEM, TABLE_NAME, ORDINAL_POSITION;
expect: [["tpch", "tiny", "region", "regionkey", -5, "bigint", 19, 0, null, 10, 1, null, null, null, null, null, 1, "YES", null, null, null, null, null, null], ["tpch", "tiny", "region", "name", 12, "varchar(25)", 25, 0, null, null, 1, null, null, null, null, 25, 2, "YES", null, null, null, null, null, null], ["tpch", "tiny", "region", "comment", 12, "varchar(152)", 152, 0, null, null, 1, null, null, null, null, 152, 3, "YES", null, null, null, null, null, null]]
SELECT column_name, type_name, data_type, column_size, decimal_digits FROM system.jdbc.columns WHERE table_cat = 'tpch' AND table_schem = 'tiny' AND table_name = 'orders' AND column_name LIKE '%date';
expect: [["orderdate", "date", 91, 14, null]]
SELECT count(*) FROM system.jdbc.columns WHERE table_cat = 'tpch' AND table_schem = 'sf1' AND table_name IN ('nation', 'region');
expect: [[7]]
SELECT count(*) = 4 * count(DISTINCT table_schem), count(DISTINCT table_schem) > 5 FROM system.jdbc.columns WHERE table_cat = 'tpch' AND table_name = 'nation';
expect: [[true, true]]
SELECT table_name FROM system.jdbc.columns WHERE table_cat = 'system' AND table_schem = 'jdbc' AND column_name = 'table_cat' ORDER BY 1;
expect: [["catalogs"], ["columns"], ["pseudo_columns"], ["super_tables"], ["tables"]]
SELECT count(*) FROM system.jdbc.columns WHERE table_cat IS NULL;
expect: [[0]]
SELECT count(*) FROM system.jdbc.tables WHERE table_cat = 'nope' OR table_schem = 'nope';
expect: [[0]]
SELECT table_name FROM system.jdbc.tables WHERE table_cat = 'tpch' AND table_schem = 'tiny' AND table_name LIKE 'part\_upp' ESCAPE '\';
expect: []
SELECT table_name FROM system.jdbc.tables WHERE table_cat = 'tpch' AND table_schem = 'tiny' AND table_name LIKE 'part_upp' ESCAPE '\';
expect: [["partsupp"]]
SELECT table_name FROM system.jdbc.tables WHERE table_cat = 'tpch' AND table_schem = 'tiny' AND table_name LIKE 'n\ation' ESCAPE '\';
error: INVALID_FUNCTION_ARGUMENT
SELECT n.name, t.table_name FROM (VALUES 'nation', 'region') AS n (name) JOIN system.jdbc.tables t ON t.table_name = n.name WHERE t.table_cat = 'tpch' AND t.table_schem = 'tiny' ORDER BY 1;
expect: [["nation", "nation"], ["region", "region"]]
SELECT type_name, data_type, precision, nullable, case_sensitive, searchable, minimum_scale, maximum_scale, num_prec_radix FROM system.jdbc.types WHERE type_name IN ('bigint', 'varchar', 'decimal', 'array', 'json') ORDER BY data_type;
expect: [["bigint", -5, 19, 1, false, 3, 0, 0, 10], ["decimal", 3, 38, 1, false, 3, 0, 38, 10], ["varchar", 12, 2147483647, 1, false, 3, 0, 0, null], ["json", 2000, null, 1, false, 3, 0, 0, null], ["array", 2003, null, 1, false, 0, 0, 0, null]]
SELECT * FROM system.jdbc.procedures;
expect: []
SELECT * FROM system.jdbc.procedure_columns;
expect: []
SELECT * FROM system.jdbc.udts;
expect: []
SELECT * FROM system.jdbc.super_types;
expect: []
SELECT * FROM system.jdbc.super_tables;
expect: []
SELECT * FROM system.jdbc.attributes;
expect: []
SELECT * FROM system.jdbc.pseudo_columns;
expect: []
SHOW TABLES FROM system.jdbc;
expect: [["attributes"], ["catalogs"], ["columns"], ["procedure_columns"], ["procedures"], ["pseudo_columns"], ["schemas"], ["super_tables"], ["super_types"], ["table_types"], ["tables"], ["types"], ["udts"]]
DESCRIBE system.jdbc.pseudo_columns;
expect: [["table_cat", "varchar", "", ""], ["table_schem", "varchar", "", ""], ["table_name", "varchar", "", ""], ["column_name", "varchar", "", ""], ["data_type", "bigint", "", ""], ["column_size", "bigint", "", ""], ["decimal_digits", "bigint", "", ""], ["num_prec_radix", "bigint", "", ""], ["column_usage", "varchar", "", ""], ["remarks", "varchar", "", ""], ["char_octet_length", "bigint", "", ""], ["is_nullable", "bigint", "", ""]]
SELECT column_name FROM system.information_schema.columns WHERE table_schema = 'runtime' AND table_name = 'queries' ORDER BY ordinal_position;
expect: [["query_id"], ["state"], ["user"], ["source"], ["query"], ["resource_group_id"], ["queued_time_ms"], ["analysis_time_ms"], ["planning_time_ms"], ["created"], ["started"], ["last_heartbeat"], ["end"], ["error_type"], ["error_code"]]
SELECT resource_group_id, user FROM system.runtime.queries WHERE query = 'SELECT resource_group_id, user FROM system.runtime.queries WHERE query = ''nope''';
expect: []
SELECT DISTINCT resource_group_id FROM system.runtime.queries;
expect: [[["global"]]]
SELECT table_name FROM information_schema.tables WHERE table_schema = 'information_schema' ORDER BY 1;
expect: [["applicable_roles"], ["columns"], ["enabled_roles"], ["role_authorization_descriptors"], ["roles"], ["schemata"], ["table_privileges"], ["tables"], ["views"]]
SELECT table_schema, table_name FROM information_schema.tables WHERE table_name LIKE 'lineite_' AND table_schema IN ('tiny', 'sf1') ORDER BY 1;
expect: [["sf1", "lineitem"], ["tiny", "lineitem"]]
SELECT * FROM information_schema.roles;
expect: []
SELECT * FROM information_schema.role_authorization_descriptors;
expect: []
SELECT * FROM information_schema.applicable_roles;
expect: []
SELECT * FROM information_schema.enabled_roles;
expect: []
SHOW TABLES FROM system.metadata;
expect: [["analyze_properties"], ["catalogs"], ["column_properties"], ["materialized_view_properties"], ["materialized_views"], ["schema_properties"], ["table_comments"], ["table_properties"]]
SELECT catalog_name, property_name, default_value, type, description FROM system.metadata.table_properties;
expect: []
SELECT catalog_name, schema_name, table_name, comment FROM system.metadata.table_comments WHERE catalog_name = 'tpch' AND schema_name = 'tiny' AND table_name = 'nation';
expect: [["tpch", "tiny", "nation", null]]
CREATE SCHEMA memory.drivers;
expect: [[true]]
CREATE TABLE memory.drivers.my_table (a decimal(12, 3) COMMENT 'sum', b array(bigint), c timestamp(6), d time(3), e char(4), f boolean) COMMENT 'mine';
expect: [[true]]
SHOW CREATE TABLE memory.drivers.my_table;
expect: [["CREATE TABLE memory.drivers.my_table (\n   a decimal(12, 3) COMMENT 'sum',\n   b array(bigint),\n   c timestamp(6),\n   d time(3),\n   e char(4),\n   f boolean\n)\nCOMMENT 'mine'"]]
CREATE TABLE memory.drivers.mystable (a bigint);
expect: [[true]]
CREATE VIEW memory.drivers.my_view AS SELECT a, 1.5E0 AS g FROM memory.drivers.my_table;
expect: [[true]]
SELECT table_name, table_type, remarks FROM system.jdbc.tables WHERE table_cat = 'memory' AND table_schem = 'drivers' AND table_name LIKE 'my\_%' ESCAPE '\' ORDER BY 1;
expect: [["my_table", "TABLE", "mine"], ["my_view", "VIEW", null]]
SELECT table_name FROM system.jdbc.tables WHERE table_cat = 'memory' AND table_schem = 'drivers' AND table_type = 'VIEW';
expect: [["my_view"]]
SELECT column_name, data_type, type_name, column_size, decimal_digits, num_prec_radix, char_octet_length, remarks FROM system.jdbc.columns WHERE table_cat = 'memory' AND table_schem = 'drivers' AND table_name LIKE 'my\_table' ESCAPE '\' ORDER BY ordinal_position;
expect: [["a", 3, "decimal(12,3)", 12, 3, 10, null, "sum"], ["b", 2003, "array(bigint)", null, null, null, null, null], ["c", 93, "timestamp(6)", 28, 6, null, null, null], ["d", 92, "time(3)", 12, 3, null, null, null], ["e", 1, "char(4)", 4, null, null, 4, null], ["f", 16, "boolean", null, null, null, null, null]]
SELECT column_name, data_type FROM system.jdbc.columns WHERE table_cat = 'memory' AND table_name = 'my_view' ORDER BY ordinal_position;
expect: [["a", 3], ["g", 8]]
SELECT table_name, table_type FROM memory.information_schema.tables WHERE table_schema = 'drivers' AND table_name LIKE '%view';
expect: [["my_view", "VIEW"]]
CREATE TABLE memory.drivers.of_query COMMENT 'made of a query' AS SELECT 1 AS a;
expect: [[1]]
SHOW CREATE TABLE memory.drivers.of_query;
expect: [["CREATE TABLE memory.drivers.of_query (\n   a integer\n)\nCOMMENT 'made of a query'"]]
DROP TABLE memory.drivers.of_query;
expect: [[true]]
DROP VIEW memory.drivers.my_view;
expect: [[true]]
DROP TABLE memory.drivers.my_table;
expect: [[true]]
DROP TABLE memory.drivers.mystable;
expect: [[true]]
DROP SCHEMA memory.drivers;
expect: [[true]]
-- Moments are in UTC; what tools that list relations join is there
SELECT typeof(created) = typeof("end") AND typeof(created) = 'timestamp(3) with time zone', created < current_timestamp + INTERVAL '1' MINUTE FROM system.runtime.queries LIMIT 1;
expect: [[true, true]]
SELECT count(*) FROM system.runtime.transactions;
expect: [[0]]
SELECT t.table_name, CASE WHEN mv.name IS NOT NULL THEN 'materialized_view' WHEN t.table_type = 'BASE TABLE' THEN 'table' ELSE 'view' END FROM tpch.information_schema.tables t LEFT JOIN system.metadata.materialized_views mv ON mv.catalog_name = t.table_catalog AND mv.schema_name = t.table_schema AND mv.name = t.table_name WHERE t.table_schema = 'tiny' AND t.table_name < 'n';
expect: [["customer", "table"], ["lineitem", "table"]]
