-- CALL (protocol.md 9.3; wording of Trino's CallTask, of its registry and of its kill_query). What a killed query hears is in test/conformance.
CALL system.runtime.kill_query('20200101_000000_00000_aaaaa', 'm');
error: NOT_FOUND Target query not found: 20200101_000000_00000_aaaaa
CALL system.runtime.kill_query(query_id => '20200101_000000_00000_aaaaa', message => 'm');
error: NOT_FOUND Target query not found: 20200101_000000_00000_aaaaa
CALL system.runtime.kill_query(message => 'm', QUERY_ID => concat('20200101_000000_00000_', 'aaaaa'));
error: NOT_FOUND Target query not found: 20200101_000000_00000_aaaaa
CALL SYSTEM."RUNTIME".kill_query('nobody');
error: NOT_FOUND Target query not found: nobody
CALL system.runtime.kill_query('nobody', NULL);
error: NOT_FOUND Target query not found: nobody
CALL system.runtime.kill_query('no body');
error: INVALID_PROCEDURE_ARGUMENT Invalid id no body
CALL system.runtime.kill_query('');
error: INVALID_PROCEDURE_ARGUMENT id is empty
CALL system.runtime.kill_query(NULL, 'm');
error: INVALID_PROCEDURE_ARGUMENT Procedure argument cannot be null: query_id
CALL system.runtime.kill_query();
error: INVALID_ARGUMENTS line 1:1: Required procedure argument 'query_id' is missing
CALL system.runtime.kill_query(message => 'm');
error: INVALID_ARGUMENTS line 1:1: Required procedure argument 'query_id' is missing
CALL system.runtime.kill_query('a', 'b', 'c');
error: INVALID_ARGUMENTS line 1:1: Too many arguments for procedure
CALL system.runtime.kill_query('a', message => 'b');
error: INVALID_ARGUMENTS line 1:1: Named and positional arguments cannot be mixed
CALL system.runtime.kill_query(query_id => 'a', query_id => 'b');
error: INVALID_ARGUMENTS line 1:49: Duplicate procedure argument: query_id
CALL system.runtime.kill_query(query_id => 'a', reason => 'b');
error: INVALID_ARGUMENTS line 1:49: Unknown argument name: reason
CALL system.runtime.kill_query(1);
error: TYPE_MISMATCH line 1:32: Procedure argument 'query_id' must evaluate to a varchar (actual: integer)
CALL system.runtime.kill_query(nobody);
error: COLUMN_NOT_FOUND line 1:32: Column 'nobody' cannot be resolved
CALL system.runtime.kill_query((SELECT 'a'));
error: NOT_SUPPORTED line 1:32: CALL cannot contain subqueries
CALL system.runtime.nope();
error: PROCEDURE_NOT_FOUND line 1:1: Procedure not registered: runtime.nope
CALL kill_query('a');
error: PROCEDURE_NOT_FOUND line 1:1: Procedure not registered: tiny.kill_query
CALL nope.runtime.kill_query('a');
error: CATALOG_NOT_FOUND line 1:1: Catalog 'nope' does not exist
CALL system.runtime.kill_query;
error: SYNTAX_ERROR line 1:31: mismatched input '<EOF>'. Expecting: '(', '.'
EXPLAIN (TYPE VALIDATE) CALL system.runtime.nope();
expect: [[true]]
EXECUTE IMMEDIATE 'CALL system.runtime.kill_query(?)' USING 'nobody';
error: NOT_FOUND Target query not found: nobody
