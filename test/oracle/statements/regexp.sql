-- Regular expressions: section 10.4 of the protocol reference; DuckDB's are RE2's
SELECT regexp_like('1a 2b 14m', '\d+b'), regexp_like('abc', '^b'), regexp_like('abc', 'b'), regexp_like('', ''), regexp_like('', 'a');
duckdb: SELECT regexp_matches('1a 2b 14m', '\d+b'), regexp_matches('abc', '^b'), regexp_matches('abc', 'b'), true, false;
types: boolean, boolean, boolean, boolean, boolean
SELECT regexp_like(NULL, 'a'), regexp_like('a', NULL), regexp_extract('a', NULL), regexp_replace(NULL, 'a', 'b'), regexp_replace('a', 'a', NULL);
expect: [[null, null, null, null, null]]
SELECT regexp_extract('1a 2b 14m', '\d+'), regexp_extract('1a 2b 14m', '(\d+)([a-z]+)', 2), regexp_extract('1a 2b 14m', '(\d+)([a-z]+)', 0);
duckdb: SELECT regexp_extract('1a 2b 14m', '\d+'), regexp_extract('1a 2b 14m', '(\d+)([a-z]+)', 2), '1a';
types: varchar(9), varchar(9), varchar(9)
SELECT regexp_extract('abc', 'x'), regexp_extract('abc', '(x)?b', 1), regexp_extract('abc', 'x*');
expect: [[null, null, ""]]
SELECT regexp_extract('abc', 'b', 1);
error: INVALID_FUNCTION_ARGUMENT Pattern has 0 groups. Cannot access group 1
SELECT regexp_extract('abc', 'b', -1);
error: INVALID_FUNCTION_ARGUMENT Group cannot be negative
SELECT regexp_replace('1a 2b 14m', '\d+[ab] '), regexp_replace('1a 2b 14m', '(\d+)([ab]) ', '3c$2 '), regexp_replace('hello', 'l', 'L'), regexp_replace('abc', '', '-');
duckdb: SELECT regexp_replace('1a 2b 14m', '\d+[ab] ', '', 'g'), regexp_replace('1a 2b 14m', '(\d+)([ab]) ', '3c\2 ', 'g'), 'heLLo', '-a-b-c-';
SELECT regexp_replace('2020-02-29', '(?<y>\d+)-(?<m>\d+)-(?<d>\d+)', '${d}.${m}.${y}'), regexp_replace('a', 'a', '\$1'), regexp_replace('ab', '(a)(b)', '$2$1$0'), regexp_replace('ab', '(a)', '$12');
expect: [["29.02.2020", "$1", "baab", "a2b"]]
SELECT regexp_replace('a', 'a', '$1');
error: INVALID_FUNCTION_ARGUMENT Illegal replacement sequence: unknown group 1
SELECT regexp_replace('a', 'a', 'x$');
error: INVALID_FUNCTION_ARGUMENT Illegal replacement sequence: x$
SELECT regexp_replace('a', 'a', '${x}');
error: INVALID_FUNCTION_ARGUMENT Illegal replacement sequence: unknown group { x }
SELECT regexp_count('1a 2b 14m', '\s*[a-z]+\s*'), regexp_count('aaa', 'aa'), regexp_count('abc', ''), regexp_count('日本', '.');
expect: [[3, 1, 4, 2]]
types: bigint, bigint, bigint, bigint
SELECT regexp_position('I have 23 apples, 5 pears and 13 oranges', '\b\d+\b'), regexp_position('I have 23 apples, 5 pears and 13 oranges', '\b\d+\b', 5), regexp_position('I have 23 apples, 5 pears and 13 oranges', '\b\d+\b', 12), regexp_position('I have 23 apples, 5 pears and 13 oranges', '\b\d+\b', 12, 2), regexp_position('I have 23', '\d+', 100), regexp_position('日本語x', 'x'), regexp_position('abc', 'b', 1, 2);
expect: [[8, 8, 19, 31, -1, 4, -1]]
types: integer, integer, integer, integer, integer, integer, integer
SELECT regexp_position('a', 'a', 0);
error: INVALID_FUNCTION_ARGUMENT start position cannot be smaller than 1
SELECT regexp_position('a', 'a', 1, 0);
error: INVALID_FUNCTION_ARGUMENT occurrence cannot be smaller than 1
SELECT regexp_like('a', '(');
error: INVALID_FUNCTION_ARGUMENT end pattern with unmatched parenthesis
SELECT regexp_like('a', '(?=a)');
error: INVALID_FUNCTION_ARGUMENT lookaround is not supported in regular expressions
SELECT regexp_like('aa', '(a)\1');
error: INVALID_FUNCTION_ARGUMENT backreferences are not supported in regular expressions
SELECT TRY(regexp_like('a', '(')), regexp_like('ABC', '(?i)b'), regexp_like('a' || chr(10) || 'b', '(?m)^b$'), regexp_like('a' || chr(10) || 'b', '(?s)a.b'), regexp_like('a' || chr(10) || 'b', 'a.b');
expect: [[null, true, true, true, false]]
SELECT regexp_like('Ärger', '^\p{Lu}\p{Ll}+$'), regexp_like('αβ', '\p{Greek}{2}'), regexp_like('x-y', '^[\w&&[^y]]-');
expect: [[true, true, true]]
SELECT name FROM nation WHERE regexp_like(name, '^(A|[I-K].*A)') ORDER BY name;
duckdb: SELECT name FROM nation WHERE regexp_matches(name, '^(A|[I-K].*A)') ORDER BY name;
SELECT name, regexp_extract(comment, '\w+ly'), regexp_replace(comment, '[aeiou]+', '_'), regexp_count(comment, '\b[a-z]{4}\b') FROM nation;
duckdb: SELECT name, nullif(regexp_extract(comment, '\w+ly'), ''), regexp_replace(comment, '[aeiou]+', '_', 'g'), len(regexp_extract_all(comment, '\b[a-z]{4}\b')) FROM nation;
SELECT count(*), sum(regexp_count(comment, '(?:s|st)\w*?\b')) FROM orders WHERE regexp_like(comment, '(special|pending).*(requests|deposits)');
duckdb: SELECT count(*), sum(len(regexp_extract_all(comment, '(?:s|st)\w*?\b'))) FROM orders WHERE regexp_matches(comment, '(special|pending).*(requests|deposits)');
SELECT p, regexp_like('Forest 12', p) FROM (VALUES ('^F'), ('\d\d$'), ('(s|t){2}'), ('^f')) t (p);
duckdb: SELECT p, regexp_matches('Forest 12', p) FROM (VALUES ('^F'), ('\d\d$'), ('(s|t){2}'), ('^f')) t (p);
SELECT regexp_like(rpad('', 20000, 'a'), '(a+)+b'), regexp_count(rpad('', 20000, 'a'), 'a*b|a');
expect: [[false, 20000]]
