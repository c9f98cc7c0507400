-- Table functions: the engine's own, and those that Trino tests with (the catalog testing).
SELECT * FROM TABLE(nosuch());
error: FUNCTION_NOT_FOUND line 1:21: Table function nosuch not registered
SELECT * FROM TABLE(nosuch.system.sequence(1));
error: FUNCTION_NOT_FOUND line 1:21: Table function nosuch.system.sequence not registered
SELECT * FROM TABLE(tpch.nosuch.scaled());
error: FUNCTION_NOT_FOUND line 1:21: Table function tpch.nosuch.scaled not registered
SELECT * FROM TABLE(sequence(1, 2, 3, 4));
error: INVALID_ARGUMENTS line 1:30: Too many arguments. Expected at most 3 arguments, got 4 arguments
SELECT * FROM TABLE(sequence(start => 1, 2));
error: INVALID_ARGUMENTS line 1:30: All arguments must be passed by name or all must be passed positionally
SELECT * FROM TABLE(sequence(start => 1, START => 2));
error: INVALID_FUNCTION_ARGUMENT line 1:42: Duplicate argument name: START
SELECT * FROM TABLE(sequence(start => 1, bar => 2));
error: INVALID_FUNCTION_ARGUMENT line 1:42: Unexpected argument name: BAR
SELECT * FROM TABLE(sequence(start => 1));
error: MISSING_ARGUMENT line 1:30: Missing argument: STOP
SELECT * FROM TABLE(sequence());
error: MISSING_ARGUMENT line 1:21: Missing argument: STOP
SELECT * FROM TABLE(sequence('a', 2));
error: TYPE_MISMATCH line 1:30: Cannot cast type varchar(1) to bigint
SELECT * FROM TABLE(sequence(1, (SELECT 2)));
error: EXPRESSION_NOT_CONSTANT line 1:33: Constant expression cannot contain a subquery
SELECT * FROM TABLE(sequence(1, DESCRIPTOR(x integer)));
error: INVALID_FUNCTION_ARGUMENT line 1:33: Invalid argument STOP. Expected expression, got descriptor
SELECT * FROM TABLE(sequence(1, DESCRIPTOR(1 + 2)));
error: INVALID_FUNCTION_ARGUMENT line 1:33: 'descriptor' function is not allowed as a table function argument
SELECT * FROM TABLE(sequence(1, TABLE(t1)));
error: INVALID_FUNCTION_ARGUMENT line 1:33: Invalid argument STOP. Expected expression, got table
SELECT * FROM TABLE(sequence(1, a)) , t1;
error: COLUMN_NOT_FOUND line 1:33: Column 'a' cannot be resolved
SELECT * FROM t1, TABLE(sequence(1, a));
error: COLUMN_NOT_FOUND line 1:37: Column 'a' cannot be resolved
SELECT * FROM TABLE(sequence(1, sum(1)));
error: EXPRESSION_NOT_SCALAR line 1:33: Table function argument cannot contain aggregations, window functions or grouping operations: [sum(1)]
SELECT * FROM TABLE(sequence(1, rank() OVER ()));
error: EXPRESSION_NOT_SCALAR line 1:33: Table function argument cannot contain aggregations, window functions or grouping operations: [rank() OVER ()]
SELECT * FROM TABLE(sequence(1, 1 / 0));
error: DIVISION_BY_ZERO Division by zero
SELECT * FROM TABLE(sequence(1, ?));
error: INVALID_PARAMETER_USAGE line 1:33: Query takes no parameters
SELECT * FROM TABLE(sequence(NULL, 1));
error: INVALID_FUNCTION_ARGUMENT Start is null
SELECT * FROM TABLE(sequence(1, NULL));
error: INVALID_FUNCTION_ARGUMENT Stop is null
SELECT * FROM TABLE(sequence(1, 2, NULL));
error: INVALID_FUNCTION_ARGUMENT Step is null
SELECT * FROM TABLE(sequence(1, 2, -1));
error: INVALID_FUNCTION_ARGUMENT Step must be positive for sequence [1, 2]
SELECT * FROM TABLE(sequence(2, 1, 1));
error: INVALID_FUNCTION_ARGUMENT Step must be negative for sequence [2, 1]
SELECT * FROM TABLE(sequence(1, 2, 0));
error: INVALID_FUNCTION_ARGUMENT Step must be positive for sequence [1, 2]
SELECT * FROM TABLE(sequence(2, 1, 0));
error: INVALID_FUNCTION_ARGUMENT Step must be negative for sequence [2, 1]
SELECT * FROM TABLE(exclude_columns(t1, DESCRIPTOR(a)));
error: INVALID_FUNCTION_ARGUMENT line 1:37: Invalid argument INPUT. Expected table, got expression
SELECT * FROM TABLE(exclude_columns(input => nosuch(1), columns => DESCRIPTOR(a)));
error: NOT_SUPPORTED line 1:37: Invalid table argument INPUT. Table functions are not allowed as table function arguments
SELECT * FROM TABLE(exclude_columns(TABLE(nosuch), DESCRIPTOR(a)));
error: TABLE_NOT_FOUND line 1:43: Table 'memory.s1.nosuch' does not exist
SELECT * FROM TABLE(exclude_columns(TABLE(t1), DESCRIPTOR(nosuch)));
error: INVALID_FUNCTION_ARGUMENT Excluded columns: [nosuch] not present in the table
SELECT * FROM TABLE(exclude_columns(TABLE(t1), DESCRIPTOR(nosuch, a, other)));
error: INVALID_FUNCTION_ARGUMENT Excluded columns: [nosuch, other] not present in the table
SELECT * FROM TABLE(exclude_columns(TABLE(t1), DESCRIPTOR(a, b, c, d)));
error: INVALID_FUNCTION_ARGUMENT All columns are excluded
SELECT * FROM TABLE(exclude_columns(TABLE(t1), DESCRIPTOR(a bigint)));
error: INVALID_FUNCTION_ARGUMENT COLUMNS descriptor contains types
SELECT * FROM TABLE(exclude_columns(TABLE(t1), CAST(NULL AS DESCRIPTOR)));
error: INVALID_FUNCTION_ARGUMENT COLUMNS descriptor is null
SELECT * FROM TABLE(exclude_columns(TABLE(t1), NULL));
error: INVALID_FUNCTION_ARGUMENT line 1:48: Invalid argument COLUMNS. Expected descriptor, got expression
SELECT * FROM TABLE(exclude_columns(TABLE(t1), 1));
error: INVALID_FUNCTION_ARGUMENT line 1:48: Invalid argument COLUMNS. Expected descriptor, got expression
SELECT * FROM TABLE(exclude_columns(TABLE(t1), TABLE(t2)));
error: INVALID_FUNCTION_ARGUMENT line 1:48: Invalid argument COLUMNS. Expected descriptor, got table
SELECT * FROM TABLE(exclude_columns(TABLE(t1), DESCRIPTOR(1 + 2)));
error: INVALID_FUNCTION_ARGUMENT line 1:48: Invalid descriptor argument COLUMNS. Descriptors should be formatted as 'DESCRIPTOR(name [type], ...)'
SELECT * FROM TABLE(exclude_columns(TABLE(t1), DESCRIPTOR(a verybigint)));
error: TYPE_MISMATCH line 1:61: Unknown type: verybigint
SELECT * FROM TABLE(exclude_columns(TABLE(t1), DESCRIPTOR()));
error: INVALID_FUNCTION_ARGUMENT line 1:48: Invalid descriptor argument COLUMNS. Descriptors should be formatted as 'DESCRIPTOR(name [type], ...)'
SELECT * FROM TABLE(exclude_columns(TABLE(t1) PARTITION BY a, DESCRIPTOR(a)));
error: INVALID_FUNCTION_ARGUMENT line 1:37: Invalid argument INPUT. Partitioning specified for table argument with row semantics
SELECT * FROM TABLE(exclude_columns(TABLE(t1) ORDER BY a, DESCRIPTOR(a)));
error: INVALID_FUNCTION_ARGUMENT line 1:37: Invalid argument INPUT. Ordering specified for table argument with row semantics
SELECT * FROM TABLE(exclude_columns(TABLE(t1) PRUNE WHEN EMPTY, DESCRIPTOR(a)));
error: INVALID_FUNCTION_ARGUMENT line 1:47: Invalid argument INPUT. Empty behavior specified for table argument with row semantics
SELECT * FROM TABLE(exclude_columns(TABLE(t1) KEEP WHEN EMPTY, DESCRIPTOR(a)));
error: INVALID_FUNCTION_ARGUMENT line 1:47: Invalid argument INPUT. Empty behavior specified for table argument with row semantics
SELECT * FROM TABLE(exclude_columns(TABLE(t1) COPARTITION (t1, t2), DESCRIPTOR(a)));
error: SYNTAX_ERROR /line 1:69: mismatched input 'DESCRIPTOR'\. Expecting: .*/
SELECT * FROM TABLE(exclude_columns(TABLE(TABLE(sequence(1, 2))), DESCRIPTOR(a)));
error: SYNTAX_ERROR /line 1:43: mismatched input 'TABLE'\. Expecting: .*/
SELECT * FROM TABLE(exclude_columns(input => SELECT * FROM t1, columns => DESCRIPTOR(a)));
error: SYNTAX_ERROR /line 1:46: mismatched input 'SELECT'\. Expecting: .*/
SELECT * FROM TABLE(exclude_columns(TABLE(t1), DESCRIPTOR(a))) t1;
error: DUPLICATE_RANGE_VARIABLE line 1:64: Relation alias: t1 is a duplicate of input table name: memory.s1.t1
SELECT * FROM TABLE(exclude_columns(TABLE(t1), DESCRIPTOR(a))) f (x, y, z) TABLESAMPLE BERNOULLI (10);
error: INVALID_TABLE_FUNCTION_INVOCATION line 1:15: Cannot apply sample to polymorphic table function invocation
SELECT * FROM TABLE(sequence(1, 2)) TABLESAMPLE BERNOULLI (10);
error: INVALID_TABLE_FUNCTION_INVOCATION line 1:21: Cannot apply sample to polymorphic table function invocation
SELECT * FROM TABLE(exclude_columns(TABLE(t1), DESCRIPTOR(a))) MATCH_RECOGNIZE (PATTERN (A*) DEFINE A AS true);
error: INVALID_TABLE_FUNCTION_INVOCATION line 1:21: Cannot apply row pattern matching to polymorphic table function invocation
SELECT * FROM TABLE(exclude_columns(TABLE(t1), DESCRIPTOR(a))) f MATCH_RECOGNIZE (PATTERN (A*) DEFINE A AS true) t (y);
error: INVALID_TABLE_FUNCTION_INVOCATION line 1:15: Cannot apply row pattern matching to polymorphic table function invocation
SELECT * FROM TABLE(sequence(1, 2)) f (x, y, z);
error: MISMATCHED_COLUMN_ALIASES line 1:15: Column alias list has 3 entries but table function has 1 proper columns
SELECT x FROM TABLE(sequence(1, 2)) f (y);
error: COLUMN_NOT_FOUND line 1:8: Column 'x' cannot be resolved
SELECT * FROM TABLE(exclude_columns(TABLE(t1), DESCRIPTOR(a))) f (x, X, y);
error: DUPLICATE_COLUMN_NAME line 1:21: Duplicate name of table function proper column: x
SELECT nosuch FROM TABLE(sequence(1, 2));
error: COLUMN_NOT_FOUND line 1:8: Column 'nosuch' cannot be resolved
SELECT * FROM TABLE(tpch.tiny.nosuch(1));
error: FUNCTION_NOT_FOUND line 1:21: Table function tpch.tiny.nosuch not registered
SELECT * FROM TABLE(testing.system.two_table_arguments_function(input1 => TABLE(t1) PARTITION BY (a, b), input2 => TABLE(t2) PARTITION BY (a, b) COPARTITION (t1, s1.foo)));
error: INVALID_COPARTITIONING line 1:163: No table argument found for name: s1.foo
SELECT * FROM TABLE(testing.system.two_table_arguments_function(input1 => TABLE(t1) PARTITION BY (a, b), input2 => TABLE(t1) PARTITION BY (a, b) COPARTITION (t1, t2)));
error: INVALID_COPARTITIONING line 1:159: Ambiguous reference: multiple table arguments found for name: t1
SELECT * FROM TABLE(testing.system.two_table_arguments_function(input1 => TABLE(SELECT 1, 2) t1(a, b) PARTITION BY (a, b), input2 => TABLE(SELECT 3, 4) t1(c, d) PARTITION BY (c, d) COPARTITION (t1, t2)));
error: INVALID_COPARTITIONING line 1:195: Ambiguous reference: multiple table arguments found for name: t1
SELECT * FROM TABLE(testing.system.two_table_arguments_function(input1 => TABLE(t1) PARTITION BY (a, b), input2 => TABLE(t2) PARTITION BY (a, b) COPARTITION (t1, t1)));
error: INVALID_COPARTITIONING line 1:163: Multiple references to table argument: t1 in COPARTITION clause
SELECT * FROM TABLE(testing.system.two_table_arguments_function(input1 => TABLE(t1), input2 => TABLE(t2) PARTITION BY (a, b) COPARTITION (t1, t2)));
error: INVALID_COPARTITIONING line 1:139: Table memory.s1.t1 referenced in COPARTITION clause is not partitioned
SELECT * FROM TABLE(testing.system.two_table_arguments_function(input1 => TABLE(t1) PARTITION BY (), input2 => TABLE(t2) PARTITION BY () COPARTITION (t1, t2)));
error: INVALID_COPARTITIONING line 1:151: No partitioning columns specified for table memory.s1.t1 referenced in COPARTITION clause
SELECT * FROM TABLE(testing.system.two_table_arguments_function(input1 => TABLE(t1) PARTITION BY (a, b), input2 => TABLE(t2) PARTITION BY (a) COPARTITION (t1, t2)));
error: INVALID_COPARTITIONING line 1:156: Numbers of partitioning columns in copartitioned tables do not match
SELECT * FROM TABLE(testing.system.two_table_arguments_function(input1 => TABLE(SELECT 1) t1(a) PARTITION BY (a), input2 => TABLE(SELECT 'x') t2(b) PARTITION BY (b) COPARTITION (t1, t2)));
error: TYPE_MISMATCH line 1:179: Partitioning columns in copartitioned tables have incompatible types
SELECT * FROM TABLE(testing.system.table_argument_function(input => TABLE(SELECT 1 a) PARTITION BY b));
error: COLUMN_NOT_FOUND line 1:100: Column b is not present in the input relation
SELECT * FROM TABLE(testing.system.table_argument_function(input => TABLE(SELECT 1 a) ORDER BY 1));
error: INVALID_COLUMN_REFERENCE line 1:96: Expected column reference. Actual: 1
SELECT * FROM TABLE(testing.system.table_argument_function(input => TABLE(SELECT approx_set(1) a) PARTITION BY a));
error: TYPE_MISMATCH line 1:112: HyperLogLog is not comparable, and therefore cannot be used in PARTITION BY
SELECT * FROM TABLE(testing.system.table_argument_function(input => TABLE(SELECT approx_set(1) a) ORDER BY a));
error: TYPE_MISMATCH line 1:108: HyperLogLog is not orderable, and therefore cannot be used in ORDER BY
SELECT * FROM TABLE(testing.system.table_argument_function(input => null));
error: INVALID_FUNCTION_ARGUMENT line 1:60: Invalid argument INPUT. Expected table, got expression
SELECT * FROM TABLE(testing.system.table_argument_function(input => DESCRIPTOR(x int)));
error: INVALID_FUNCTION_ARGUMENT line 1:60: Invalid argument INPUT. Expected table, got descriptor
SELECT * FROM TABLE(testing.system.table_argument_function());
error: MISSING_ARGUMENT line 1:21: Missing argument: INPUT
SELECT * FROM TABLE(testing.system.pass_through(TABLE(t1), TABLE(t2))) f (x);
error: MISMATCHED_COLUMN_ALIASES line 1:15: Column alias list has 1 entries but table function has 2 proper columns
SELECT * FROM TABLE(testing.system.identity_pass_through_function(TABLE(t1))) f (x);
error: INVALID_TABLE_FUNCTION_INVOCATION line 1:21: Alias specified for table function with ONLY PASS THROUGH return type
SELECT * FROM TABLE(testing.system.repeat(TABLE(t1))) TABLESAMPLE BERNOULLI (10);
error: INVALID_TABLE_FUNCTION_INVOCATION line 1:21: Cannot apply sample to polymorphic table function invocation
SELECT * FROM TABLE(testing.system.repeat(TABLE(t1))) MATCH_RECOGNIZE (PATTERN (A*) DEFINE A AS true);
error: INVALID_TABLE_FUNCTION_INVOCATION line 1:21: Cannot apply row pattern matching to polymorphic table function invocation
SELECT * FROM TABLE(testing.system.two_columns_function(TABLE(t1))) f (col, COL);
error: DUPLICATE_COLUMN_NAME line 1:21: Duplicate name of table function proper column: col
SELECT * FROM TABLE(testing.system.required_columns_function(TABLE(t2), 5));
error: FUNCTION_IMPLEMENTATION_ERROR Invalid index: 5 of required column from table argument INPUT
SELECT * FROM TABLE(testing.system.no_columns_function(TABLE(t2)));
error: FUNCTION_IMPLEMENTATION_ERROR Cannot determine returned relation type for table function no_columns_function
SELECT * FROM TABLE(testing.system.no_required_function(TABLE(t2)));
error: FUNCTION_IMPLEMENTATION_ERROR Table function does not specify required columns from table argument INPUT
SELECT * FROM TABLE(testing.system.descriptor_argument_function(null));
error: INVALID_FUNCTION_ARGUMENT line 1:65: Invalid argument SCHEMA. Expected descriptor, got expression
SELECT * FROM TABLE(testing.system.table_argument_row_semantics_function(TABLE(t1) PARTITION BY a));
error: INVALID_FUNCTION_ARGUMENT line 1:74: Invalid argument INPUT. Partitioning specified for table argument with row semantics
SELECT * FROM TABLE(tpch.system.scaled('nosuch'));
error: INVALID_FUNCTION_ARGUMENT Unknown table: nosuch
SELECT * FROM TABLE(tpch.system.scaled(NULL));
error: INVALID_FUNCTION_ARGUMENT Table name is null
SELECT * FROM TABLE(tpch.system.scaled('orders', NULL));
error: INVALID_FUNCTION_ARGUMENT Scale is null
SELECT * FROM TABLE(tpch.system.scaled('orders', -1));
error: INVALID_FUNCTION_ARGUMENT Scale is out of range
SELECT * FROM TABLE(tpch.system.scaled('orders', nan()));
error: INVALID_FUNCTION_ARGUMENT Scale is out of range
SELECT * FROM TABLE(tpch.system.scaled('orders', 1e300));
error: INVALID_FUNCTION_ARGUMENT Scale is out of range
SELECT * FROM TABLE(exclude_columns(TABLE(t1), DESCRIPTOR(a))) MATCH_RECOGNIZE (PATTERN (A*) DEFINE A AS true) TABLESAMPLE BERNOULLI (10);
error: INVALID_TABLE_FUNCTION_INVOCATION line 1:21: Cannot apply row pattern matching to polymorphic table function invocation
