-- Versions of tables (Trino's TestAnalyzer: testTemporalTableVersion, testRangeIdTableVersion).
SELECT * FROM t1 FOR TIMESTAMP AS OF DATE '2022-01-01';
error: NOT_SUPPORTED This connector does not support versioned tables
SELECT * FROM t1 FOR TIMESTAMP AS OF TIMESTAMP '2022-01-01';
error: NOT_SUPPORTED This connector does not support versioned tables
SELECT * FROM t1 FOR TIMESTAMP AS OF TIMESTAMP '2022-01-01 01:02:03.123456789012';
error: NOT_SUPPORTED This connector does not support versioned tables
SELECT * FROM t1 FOR TIMESTAMP AS OF TIMESTAMP '2022-01-01 UTC';
error: NOT_SUPPORTED This connector does not support versioned tables
SELECT * FROM t1 FOR TIMESTAMP AS OF TIMESTAMP '2022-01-01 01:02:03.123456789012 Asia/Kathmandu';
error: NOT_SUPPORTED This connector does not support versioned tables
SELECT * FROM t1 FOR TIMESTAMP AS OF CURRENT_TIMESTAMP(12) - INTERVAL '0.001' SECOND;
error: NOT_SUPPORTED This connector does not support versioned tables
SELECT * FROM t1 FOR TIMESTAMP AS OF LOCALTIMESTAMP(12) - INTERVAL '0.001' SECOND;
error: NOT_SUPPORTED This connector does not support versioned tables
SELECT * FROM t1 FOR VERSION AS OF 123;
error: NOT_SUPPORTED This connector does not support versioned tables
SELECT * FROM t1 FOR VERSION AS OF BIGINT '123';
error: NOT_SUPPORTED This connector does not support versioned tables
SELECT * FROM t1 FOR VERSION AS OF ARRAY[1];
error: NOT_SUPPORTED line 1:18: Unsupported type for table version: array(integer)
SELECT * FROM t1 FOR VERSION AS OF X'00';
error: NOT_SUPPORTED line 1:18: Unsupported type for table version: varbinary
SELECT * FROM t1 FOR VERSION AS OF '2022-01-01';
error: NOT_SUPPORTED This connector does not support versioned tables
SELECT * FROM t1 FOR VERSION AS OF DATE '2022-01-01';
error: NOT_SUPPORTED This connector does not support versioned tables
SELECT * FROM t1 FOR TIMESTAMP AS OF '2022-01-01';
error: TYPE_MISMATCH line 1:18: Type varchar(10) invalid. Temporal pointers must be of type Timestamp, Timestamp with Time Zone, or Date.
SELECT * FROM t1 FOR TIMESTAMP AS OF '2022-01-01 01:02:03 UTC';
error: TYPE_MISMATCH line 1:18: Type varchar(23) invalid. Temporal pointers must be of type Timestamp, Timestamp with Time Zone, or Date.
SELECT * FROM t1 FOR TIMESTAMP AS OF 1654594283421;
error: TYPE_MISMATCH line 1:18: Type bigint invalid. Temporal pointers must be of type Timestamp, Timestamp with Time Zone, or Date.
SELECT * FROM t1 FOR TIMESTAMP AS OF CAST(NULL AS bigint);
error: TYPE_MISMATCH line 1:18: Type bigint invalid. Temporal pointers must be of type Timestamp, Timestamp with Time Zone, or Date.
SELECT * FROM t1 FOR TIMESTAMP AS OF CAST(NULL AS date);
error: INVALID_ARGUMENTS line 1:18: Pointer value cannot be NULL
SELECT * FROM t1 FOR TIMESTAMP AS OF CAST(NULL AS timestamp(3));
error: INVALID_ARGUMENTS line 1:18: Pointer value cannot be NULL
SELECT * FROM t1 FOR TIMESTAMP AS OF CAST(NULL AS timestamp(3) with time zone);
error: INVALID_ARGUMENTS line 1:18: Pointer value cannot be NULL
SELECT * FROM t1 FOR TIMESTAMP AS OF NULL;
error: INVALID_ARGUMENTS line 1:18: Pointer value cannot be NULL
SELECT * FROM t1 FOR VERSION AS OF NULL;
error: INVALID_ARGUMENTS line 1:18: Pointer value cannot be NULL
SELECT * FROM t1 FOR VERSION AS OF CAST(NULL AS bigint);
error: INVALID_ARGUMENTS line 1:18: Pointer value cannot be NULL
SELECT * FROM t1 FOR VERSION AS OF CAST(NULL AS varchar);
error: INVALID_ARGUMENTS line 1:18: Pointer value cannot be NULL
SELECT * FROM t1 FOR TIMESTAMP AS OF DATE '2999-01-01';
error: INVALID_ARGUMENTS line 1:18: Pointer value '2999-01-01' is not in the past
SELECT * FROM t1 FOR TIMESTAMP AS OF TIMESTAMP '2999-01-01';
error: INVALID_ARGUMENTS line 1:18: Pointer value '2999-01-01 00:00:00' is not in the past
SELECT * FROM t1 FOR TIMESTAMP AS OF TIMESTAMP '2999-01-01 01:02:03.123456789012';
error: INVALID_ARGUMENTS line 1:18: Pointer value '2999-01-01 01:02:03.123456789012' is not in the past
SELECT * FROM t1 FOR TIMESTAMP AS OF TIMESTAMP '2999-01-01 UTC';
error: INVALID_ARGUMENTS line 1:18: Pointer value '2999-01-01 00:00:00 UTC' is not in the past
SELECT * FROM t1 FOR TIMESTAMP AS OF TIMESTAMP '2999-01-01 01:02:03.123456789012 Asia/Kathmandu';
error: INVALID_ARGUMENTS line 1:18: Pointer value '2999-01-01 01:02:03.123456789012 Asia/Kathmandu' is not in the past
SELECT * FROM t1 FOR VERSION AS OF (SELECT 1);
error: EXPRESSION_NOT_CONSTANT line 1:36: Constant expression cannot contain a subquery
SELECT * FROM t1 FOR VERSION AS OF a;
error: COLUMN_NOT_FOUND line 1:36: Column 'a' cannot be resolved
SELECT * FROM t1 FOR VERSION AS 1;
error: SYNTAX_ERROR line 1:33: mismatched input '1'. Expecting: 'OF'
WITH v AS (SELECT 1) SELECT * FROM v FOR VERSION AS OF 1;
error: NOT_SUPPORTED line 1:38: Versions of views and WITH queries are not supported
