SET SESSION nosuch = 1;
error: INVALID_SESSION_PROPERTY line 1:1: Session property 'nosuch' does not exist
SET SESSION nosuch.x = 1;
error: CATALOG_NOT_FOUND line 1:1: Catalog 'nosuch' does not exist
SET SESSION memory.nosuch = 1;
error: INVALID_SESSION_PROPERTY line 1:1: Session property 'memory.nosuch' does not exist
SET SESSION a.b.c = 1;
error: INVALID_SESSION_PROPERTY line 1:1: Invalid session property 'a.b.c'
SET SESSION query_max_execution_time = 'x';
error: INVALID_SESSION_PROPERTY line 1:1: query_max_execution_time is invalid: duration is not a valid data duration string: x
SET SESSION query_max_execution_time = 5;
error: INVALID_SESSION_PROPERTY Unable to set session property 'query_max_execution_time' to '5': Cannot cast type integer to varchar
SET SESSION query_max_execution_time = NULL;
error: INVALID_SESSION_PROPERTY Unable to set session property 'query_max_execution_time' to 'null': Session property value must not be null
SET SESSION query_max_execution_time = '-5s';
error: INVALID_SESSION_PROPERTY line 1:1: query_max_execution_time is invalid: duration is not a valid data duration string: -5s
SET SESSION join_distribution_type = 'nosuch';
error: INVALID_SESSION_PROPERTY line 1:1: Invalid value [nosuch]. Valid values: [BROADCAST, PARTITIONED, AUTOMATIC]
SET SESSION join_distribution_type = 1;
error: INVALID_SESSION_PROPERTY Unable to set session property 'join_distribution_type' to '1': Cannot cast type integer to varchar
SET SESSION max_recursion_depth = 'x';
error: INVALID_SESSION_PROPERTY Unable to set session property 'max_recursion_depth' to ''x'': Cannot cast type varchar(1) to integer
SET SESSION max_recursion_depth = 0;
error: INVALID_SESSION_PROPERTY line 1:1: max_recursion_depth must be an integer greater than or equal to 1: 0
SET SESSION max_recursion_depth = -1;
error: INVALID_SESSION_PROPERTY line 1:1: max_recursion_depth must be an integer greater than or equal to 1: -1
SET SESSION max_recursion_depth = 1.5;
error: INVALID_SESSION_PROPERTY Unable to set session property 'max_recursion_depth' to '1.5': Cannot cast type decimal(2,1) to integer
RESET SESSION nosuch;
error: INVALID_SESSION_PROPERTY line 1:1: Session property 'nosuch' does not exist
RESET SESSION nosuch.x;
error: CATALOG_NOT_FOUND line 1:1: Catalog 'nosuch' does not exist
SET TIME ZONE 'nosuch';
error: INVALID_SESSION_PROPERTY line 1:15: Time zone not supported: nosuch
SET TIME ZONE 5;
error: TYPE_MISMATCH line 1:15: Expected expression of varchar or interval day-time type, but '5' has integer type
SET TIME ZONE INTERVAL '1' MONTH;
error: TYPE_MISMATCH line 1:15: Expected expression of varchar or interval day-time type, but 'INTERVAL '1' MONTH' has interval year to month type
SET TIME ZONE INTERVAL '10:30:30' HOUR TO SECOND;
error: INVALID_LITERAL line 1:15: Invalid time zone offset interval: interval contains seconds
SET TIME ZONE NULL;
error: TYPE_MISMATCH line 1:15: Expected expression of varchar or interval day-time type, but 'null' has unknown type
SET TIME ZONE nosuch;
error: COLUMN_NOT_FOUND line 1:15: Column 'nosuch' cannot be resolved
USE nosuch.s1;
error: NOT_FOUND Catalog does not exist: nosuch
USE memory.nosuch;
error: NOT_FOUND Schema does not exist: memory.nosuch
USE nosuch;
error: NOT_FOUND Schema does not exist: memory.nosuch
USE a.b.c;
error: SYNTAX_ERROR /line 1:8: mismatched input '\.'\. Expecting: .*/
SET ROLE nosuch;
error: ROLE_NOT_FOUND line 1:1: Role 'nosuch' does not exist
SET PATH nosuch;
error: NOT_SUPPORTED SET PATH not supported by client
SHOW SESSION LIKE 'a' ESCAPE 'bc';
error: INVALID_FUNCTION_ARGUMENT Escape string must be a single character
SHOW FUNCTIONS LIKE 'a' ESCAPE '';
error: INVALID_FUNCTION_ARGUMENT Escape string must be a single character
SELECT 1;
headers: {"x-engine-session": "query_max_execution_time=x"}
error: INVALID_SESSION_PROPERTY query_max_execution_time is invalid: duration is not a valid data duration string: x
SELECT 1;
headers: {"x-engine-session": "join_distribution_type=nosuch"}
error: INVALID_SESSION_PROPERTY Invalid value [nosuch]. Valid values: [BROADCAST, PARTITIONED, AUTOMATIC]
SELECT * FROM s1.t1;
headers: {"x-engine-catalog": "", "x-engine-schema": ""}
error: MISSING_CATALOG_NAME line 1:15: Catalog must be specified when session catalog is not set
SELECT * FROM t1;
headers: {"x-engine-catalog": "nosuch"}
error: CATALOG_NOT_FOUND line 1:15: Catalog 'nosuch' does not exist
SELECT * FROM t1;
headers: {"x-engine-schema": "nosuch"}
error: SCHEMA_NOT_FOUND line 1:15: Schema 'nosuch' does not exist
CREATE SCHEMA x;
headers: {"x-engine-catalog": "", "x-engine-schema": ""}
error: MISSING_CATALOG_NAME line 1:1: Catalog must be specified when session catalog is not set
CREATE TABLE x (a bigint);
headers: {"x-engine-catalog": "", "x-engine-schema": ""}
error: MISSING_CATALOG_NAME line 1:1: Catalog must be specified when session catalog is not set
COMMIT;
error: NOT_IN_TRANSACTION No transaction in progress
ROLLBACK;
error: NOT_IN_TRANSACTION No transaction in progress
START TRANSACTION ISOLATION LEVEL SERIALIZABLE, ISOLATION LEVEL READ COMMITTED;
error: SYNTAX_ERROR line 1:1: Multiple transaction isolation levels specified
START TRANSACTION READ ONLY, READ WRITE;
error: SYNTAX_ERROR line 1:1: Multiple transaction read modes specified
START TRANSACTION ISOLATION LEVEL nosuch;
error: SYNTAX_ERROR /line 1:35: mismatched input 'nosuch'\. Expecting: .*/
START TRANSACTION;
headers: {"x-engine-transaction-id": "00000000-0000-0000-0000-000000000000"}
error: UNKNOWN_TRANSACTION Unknown transaction ID: 00000000-0000-0000-0000-000000000000. Possibly expired? Commands ignored until end of transaction block
SELECT 1;
headers: {"x-engine-transaction-id": "00000000-0000-0000-0000-000000000000"}
error: UNKNOWN_TRANSACTION Unknown transaction ID: 00000000-0000-0000-0000-000000000000. Possibly expired? Commands ignored until end of transaction block
EXECUTE nosuch;
error: NOT_FOUND Prepared statement not found: nosuch
EXECUTE nosuch USING 1;
error: NOT_FOUND Prepared statement not found: nosuch
DEALLOCATE PREPARE nosuch;
error: NOT_FOUND Prepared statement not found: nosuch
DESCRIBE INPUT nosuch;
error: NOT_FOUND Prepared statement not found: nosuch
DESCRIBE OUTPUT nosuch;
error: NOT_FOUND Prepared statement not found: nosuch
PREPARE p FROM nosuch;
error: SYNTAX_ERROR /line 1:16: mismatched input 'nosuch'\. Expecting: .*/
PREPARE p FROM EXECUTE x;
error: NOT_SUPPORTED Invalid statement type for prepared statement: EXECUTE
PREPARE p FROM PREPARE q FROM SELECT 1;
error: NOT_SUPPORTED Invalid statement type for prepared statement: PREPARE
PREPARE p FROM DEALLOCATE PREPARE q;
error: NOT_SUPPORTED Invalid statement type for prepared statement: DEALLOCATE
EXECUTE p;
headers: {"x-engine-prepared-statement": "p=SELECT+%3F"}
error: INVALID_PARAMETER_USAGE line 1:1: Incorrect number of parameters: expected 1 but found 0
EXECUTE p USING 1, 2;
headers: {"x-engine-prepared-statement": "p=SELECT+%3F"}
error: INVALID_PARAMETER_USAGE line 1:1: Incorrect number of parameters: expected 1 but found 2
EXECUTE p USING 1;
headers: {"x-engine-prepared-statement": "p=SELECT+1"}
error: INVALID_PARAMETER_USAGE line 1:1: Incorrect number of parameters: expected 0 but found 1
EXECUTE p USING 0;
headers: {"x-engine-prepared-statement": "p=SELECT+1+%2F+%3F"}
error: DIVISION_BY_ZERO Division by zero
EXECUTE p USING 0;
headers: {"x-engine-prepared-statement": "p=SELECT+1+FETCH+FIRST+%3F+ROWS+ONLY"}
error: NUMERIC_VALUE_OUT_OF_RANGE line 1:10: FETCH FIRST row count must be positive (actual value: 0)
DESCRIBE OUTPUT p;
headers: {"x-engine-prepared-statement": "p=SELECT+nosuch"}
error: COLUMN_NOT_FOUND line 1:8: Column 'nosuch' cannot be resolved
EXECUTE IMMEDIATE 'SELEC';
error: SYNTAX_ERROR /line 1:1: mismatched input 'SELEC'\. Expecting: .*/
EXECUTE IMMEDIATE 'SELECT ?';
error: INVALID_PARAMETER_USAGE line 1:1: Incorrect number of parameters: expected 1 but found 0
EXECUTE IMMEDIATE 'SELECT 1' USING 1;
error: INVALID_PARAMETER_USAGE line 1:1: Incorrect number of parameters: expected 0 but found 1
EXECUTE IMMEDIATE 'EXECUTE p';
error: SYNTAX_ERROR line 1:19: Invalid statement type for EXECUTE IMMEDIATE: EXECUTE
EXECUTE IMMEDIATE 'PREPARE p FROM SELECT 1';
error: SYNTAX_ERROR line 1:19: Invalid statement type for EXECUTE IMMEDIATE: PREPARE
EXECUTE IMMEDIATE '';
error: SYNTAX_ERROR /line 1:1: mismatched input '<EOF>'\. Expecting: .*/
EXECUTE IMMEDIATE 1;
error: SYNTAX_ERROR /line 1:19: mismatched input '1'\. Expecting: .*/
SELECT ?;
error: INVALID_PARAMETER_USAGE line 1:8: Query takes no parameters
SELECT 1 LIMIT ?;
error: INVALID_PARAMETER_USAGE line 1:16: Query takes no parameters
