-- ANALYZE, TRUNCATE TABLE, SET TIME ZONE, GRANT and REVOKE (protocol.md 10.5; wording of Trino's tasks and of its connectors' defaults).
CREATE SCHEMA memory.upkeep;
expect: [[true]]
duckdb: CREATE SCHEMA memory.upkeep;
CREATE TABLE memory.upkeep.t AS SELECT nationkey AS k, name, CASE WHEN nationkey < 5 THEN NULL ELSE regionkey END AS r FROM nation;
ANALYZE memory.upkeep.t;
duckdb: SELECT count(*) FROM memory.upkeep.t;
types: bigint
SHOW STATS FOR memory.upkeep.t;
expect: [["k", null, 25, 0, null, "0", "24"], ["name", 177, 24, 0, null, null, null], ["r", null, 5, 0.2, null, "0", "4"], [null, null, null, null, 25, null, null]]
ANALYZE memory.upkeep.t WITH (partitions = 1);
error: INVALID_ANALYZE_PROPERTY line 1:31: Catalog 'memory' does not support analyze property 'partitions'
ANALYZE memory.upkeep.nope;
error: TABLE_NOT_FOUND line 1:1: Table 'memory.upkeep.nope' does not exist
ANALYZE tpch.tiny.nation;
error: NOT_SUPPORTED line 1:1: This connector does not support analyze
CREATE VIEW memory.upkeep.v AS SELECT k FROM memory.upkeep.t;
expect: [[true]]
ANALYZE memory.upkeep.v;
error: NOT_SUPPORTED line 1:1: Analyzing views is not supported
TRUNCATE TABLE memory.upkeep.v;
error: NOT_SUPPORTED line 1:1: Cannot truncate a view
TRUNCATE TABLE memory.upkeep.t;
expect: [[true]]
duckdb: TRUNCATE TABLE memory.upkeep.t;
SELECT count(*), max(k) FROM memory.upkeep.t;
SHOW STATS FOR memory.upkeep.t;
expect: [["k", null, 0, 0, null, null, null], ["name", null, 0, 0, null, null, null], ["r", null, 0, 0, null, null, null], [null, null, null, null, 0, null, null]]
INSERT INTO memory.upkeep.t SELECT nationkey, name, regionkey FROM nation WHERE nationkey < 3;
SELECT * FROM memory.upkeep.t ORDER BY k;
TRUNCATE TABLE memory.upkeep.nope;
error: TABLE_NOT_FOUND line 1:1: Table 'memory.upkeep.nope' does not exist
TRUNCATE TABLE tpch.tiny.nation;
error: NOT_SUPPORTED line 1:1: This connector does not support truncating tables
TRUNCATE memory.upkeep.t;
error: SYNTAX_ERROR line 1:10: mismatched input 'memory'. Expecting: 'TABLE'
SET TIME ZONE 'Asia/Tokyo';
expect: [[true]]
SET TIME ZONE INTERVAL '-5:30' HOUR TO MINUTE;
expect: [[true]]
SET TIME ZONE LOCAL;
expect: [[true]]
SET TIME ZONE concat('Europe/', 'Berlin');
expect: [[true]]
SET TIME ZONE INTERVAL '2' SECOND;
error: INVALID_LITERAL line 1:15: Invalid time zone offset interval: interval contains seconds
SET TIME ZONE 'Mars/Base';
error: INVALID_SESSION_PROPERTY line 1:15: Time zone not supported: Mars/Base
SET TIME ZONE INTERVAL '20' HOUR;
error: INVALID_SESSION_PROPERTY line 1:15: Time zone not supported: +20:00
SET TIME ZONE 5;
error: TYPE_MISMATCH line 1:15: Expected expression of varchar or interval day-time type, but '5' has integer type
SET SESSION time_zone_id = 'Nowhere';
error: INVALID_SESSION_PROPERTY line 1:1: Time zone not supported: Nowhere
GRANT SELECT, INSERT ON tpch.tiny.nation TO bob;
error: NOT_SUPPORTED line 1:1: This connector does not support grants on tables
GRANT ALL PRIVILEGES ON TABLE memory.upkeep.nope TO USER bob WITH GRANT OPTION;
error: TABLE_NOT_FOUND line 1:1: Table 'memory.upkeep.nope' does not exist
REVOKE SELECT ON memory.upkeep.t FROM ROLE r;
error: NOT_SUPPORTED line 1:1: This connector does not support revokes on tables
GRANT CREATE ON SCHEMA memory.upkeep TO bob;
error: NOT_SUPPORTED line 1:1: This connector does not support grants on schemas
REVOKE GRANT OPTION FOR SELECT ON SCHEMA tiny FROM ROLE r;
error: NOT_SUPPORTED line 1:1: This connector does not support revokes on schemas
GRANT SELECT ON SCHEMA nope TO bob;
error: SCHEMA_NOT_FOUND line 1:1: Schema 'tpch.nope' does not exist
GRANT admin, auditor TO bob, ROLE others WITH ADMIN OPTION;
error: NOT_SUPPORTED line 1:1: This connector does not support roles
REVOKE ADMIN OPTION FOR admin FROM USER bob;
error: NOT_SUPPORTED line 1:1: This connector does not support roles
GRANT SELECT, NONSENSE ON t TO bob;
error: INVALID_PRIVILEGE line 1:1: Unknown privilege: 'NONSENSE'
DROP VIEW memory.upkeep.v;
expect: [[true]]
DROP TABLE memory.upkeep.t;
expect: [[true]]
DROP SCHEMA memory.upkeep;
expect: [[true]]
