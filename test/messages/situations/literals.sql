-- Typed literals are INVALID_LITERAL, casts of the same text INVALID_CAST_ARGUMENT (casts.sql).
SELECT BOOLEAN '2';
error: INVALID_LITERAL line 1:8: '2' is not a valid boolean literal
SELECT TINYINT '128';
error: INVALID_LITERAL line 1:8: '128' is not a valid tinyint literal
SELECT SMALLINT 'a';
error: INVALID_LITERAL line 1:8: 'a' is not a valid smallint literal
SELECT INTEGER '2147483648';
error: INVALID_LITERAL line 1:8: '2147483648' is not a valid integer literal
SELECT INT '';
error: INVALID_LITERAL line 1:8: '' is not a valid integer literal
SELECT BIGINT '12.1';
error: INVALID_LITERAL line 1:8: '12.1' is not a valid bigint literal
SELECT BIGINT '-9223372036854775809';
error: INVALID_LITERAL line 1:8: '-9223372036854775809' is not a valid bigint literal
SELECT REAL '1.2.3';
error: INVALID_LITERAL line 1:8: '1.2.3' is not a valid real literal
SELECT DOUBLE 'a';
error: INVALID_LITERAL line 1:8: 'a' is not a valid double literal
SELECT DOUBLE '';
error: INVALID_LITERAL line 1:8: '' is not a valid double literal
SELECT DECIMAL '';
error: INVALID_LITERAL line 1:8: '' is not a valid decimal literal
SELECT DECIMAL 'a';
error: INVALID_LITERAL line 1:8: 'a' is not a valid decimal literal
SELECT DECIMAL '123456789012345678901234567890123456789';
error: INVALID_LITERAL line 1:8: '123456789012345678901234567890123456789' is not a valid decimal literal
SELECT 1234567890123456789012.34567890123456789;
error: INVALID_LITERAL line 1:8: '1234567890123456789012.34567890123456789' is not a valid decimal literal
SELECT 0.123456789012345678901234567890123456789;
error: INVALID_LITERAL line 1:8: '0.123456789012345678901234567890123456789' is not a valid decimal literal
SELECT DATE '20220101';
error: INVALID_LITERAL line 1:8: '20220101' is not a valid date literal
SELECT DATE 'today';
error: INVALID_LITERAL line 1:8: 'today' is not a valid date literal
SELECT DATE '2022-02-30';
error: INVALID_LITERAL line 1:8: '2022-02-30' is not a valid date literal
SELECT DATE '2022-01-01 UTC';
error: INVALID_LITERAL line 1:8: '2022-01-01 UTC' is not a valid date literal
SELECT TIME '';
error: INVALID_LITERAL line 1:8: '' is not a valid time literal
SELECT TIME '25:00:00';
error: INVALID_LITERAL line 1:8: '25:00:00' is not a valid time literal
SELECT TIME '12';
error: INVALID_LITERAL line 1:8: '12' is not a valid time literal
SELECT TIMESTAMP '';
error: INVALID_LITERAL line 1:8: '' is not a valid timestamp literal
SELECT TIMESTAMP '2012-10-31 01:00:00 PT';
error: INVALID_LITERAL line 1:8: '2012-10-31 01:00:00 PT' is not a valid timestamp literal
SELECT TIMESTAMP 'now';
error: INVALID_LITERAL line 1:8: 'now' is not a valid timestamp literal
SELECT TIMESTAMP '2020-01-01 24:00:00';
error: INVALID_LITERAL line 1:8: '2020-01-01 24:00:00' is not a valid timestamp literal
SELECT INTERVAL 'a' DAY TO SECOND;
error: INVALID_LITERAL line 1:8: 'a' is not a valid interval literal
SELECT INTERVAL '12.1' DAY TO SECOND;
error: INVALID_LITERAL line 1:8: '12.1' is not a valid interval literal
SELECT INTERVAL '12' YEAR TO DAY;
error: INVALID_LITERAL line 1:8: '12' is not a valid interval literal
SELECT INTERVAL '12' SECOND TO MINUTE;
error: INVALID_LITERAL line 1:8: '12' is not a valid interval literal
SELECT INTERVAL '124X' YEAR;
error: INVALID_LITERAL line 1:8: '124X' is not a valid interval literal
SELECT INTERVAL '124-30' YEAR;
error: INVALID_LITERAL line 1:8: '124-30' is not a valid interval literal
SELECT INTERVAL '124--30' YEAR TO MONTH;
error: INVALID_LITERAL line 1:8: '124--30' is not a valid interval literal
SELECT INTERVAL '99999999999' YEAR;
error: INVALID_LITERAL line 1:8: '99999999999' is not a valid interval literal
SELECT JSON '';
error: INVALID_LITERAL line 1:8: '' is not a valid json literal
SELECT JSON '{}{';
error: INVALID_LITERAL line 1:8: '{}{' is not a valid json literal
SELECT UUID 'x';
error: INVALID_LITERAL line 1:8: 'x' is not a valid uuid literal
SELECT IPADDRESS '1.2.3';
error: INVALID_LITERAL line 1:8: '1.2.3' is not a valid ipaddress literal
SELECT HyperLogLog 'x';
error: INVALID_LITERAL line 1:8: No literal form for type HyperLogLog
SELECT X'1';
error: SYNTAX_ERROR line 1:8: Binary literal must contain an even number of digits
SELECT X'zz';
error: SYNTAX_ERROR line 1:8: Binary literal can only contain hexadecimal digits
SELECT U&'\xxxx';
error: SYNTAX_ERROR line 1:8: Invalid hexadecimal digit: x
SELECT U&'\+110000';
error: SYNTAX_ERROR line 1:8: Invalid escaped character: 110000
SELECT U&'\d800';
error: SYNTAX_ERROR line 1:8: Invalid escaped character: d800. Escaped character is a surrogate. Use '\+123456' instead.
SELECT U&'\00';
error: SYNTAX_ERROR line 1:8: Incomplete escape sequence: 00
SELECT U&'a' UESCAPE '+';
error: SYNTAX_ERROR line 1:8: Invalid Unicode escape character
SELECT 9223372036854775808;
error: SYNTAX_ERROR line 1:8: Invalid numeric literal: 9223372036854775808
SELECT 1__0;
error: SYNTAX_ERROR line 1:8: identifiers must not start with a digit; surround the identifier with double quotes
SELECT 1x FROM t1;
error: SYNTAX_ERROR line 1:8: identifiers must not start with a digit; surround the identifier with double quotes
SELECT `a` FROM t1;
error: SYNTAX_ERROR line 1:8: backquoted identifiers are not supported; use double quotes to quote identifiers
SELECT a@b FROM t1;
error: SYNTAX_ERROR line 1:8: identifiers must not contain '@'
SELECT 'x;
error: SYNTAX_ERROR
SELECT "";
error: SYNTAX_ERROR line 1:8: Zero-length delimited identifier not allowed
