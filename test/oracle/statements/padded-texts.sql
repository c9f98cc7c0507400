-- Trimming: white space as Java knows it, no-break spaces stay; char stays char
SELECT trim(U&' \2003a\3000 '), ltrim(U&'\2028\2029\1680a '), rtrim(U&' a\205F\2000'), trim(U&'\00A0a\202F') = U&'\00A0a\202F', trim(U&'\0009\000A\000B\000C\000D\001C\001D\001E\001Fa\0009'), length(trim(U&'\0085\200B\FEFF')), trim(''), trim('   '), trim(U&'\3000'), trim(NULL);
expect: [["a", "a ", " a", true, "a", 3, "", "", "", null]]
SELECT trim(x), ltrim(x), rtrim(x) FROM (VALUES '  a b ', U&'\2003\2003', 'é', U&'あ\3000', U&'\3000あ', U&'\00E3\0080') t(x);
expect: [["a b", "a b ", "  a b"], ["", "", ""], ["é", "é", "é"], ["あ", "あ　", "あ"], ["あ", "あ", "　あ"], ["ã\u0080", "ã\u0080", "ã\u0080"]]
SELECT trim(CAST('  a ' AS char(5))), ltrim(CAST('  a ' AS char(5))), rtrim(CAST('  a ' AS char(5))), trim(CAST('' AS char(2)));
types: char(5), char(5), char(5), char(2)
expect: [["a    ", "a    ", "  a  ", "  "]]
SELECT trim(CAST('xxaxx' AS char(5)), 'x'), rtrim(CAST('ax' AS char(4)), 'x'), rtrim(CAST('ax' AS char(4)), ' x'), ltrim(CAST('xa' AS char(4)), 'x'), trim(LEADING FROM CAST('  a' AS char(3))), trim(BOTH 'x' FROM CAST('xax' AS char(3))), trim(U&'\3000x' , U&'\3000');
types: char(5), char(4), char(4), char(4), char(3), char(3), varchar(2)
expect: [["a    ", "ax  ", "a   ", "a   ", "a  ", "a  ", "x"]]
SELECT typeof(trim(CAST('a' AS char(3)))), trim('xax', 'x'), length(trim(CAST(' a' AS char(4))));
expect: [["char(3)", "a", 4]]
-- char compares padded: control characters stand before the spaces
SELECT CAST('a' AS char(1)) < CAST(U&'a\0009' AS char(2)), CAST('a' AS char(1)) > CAST(U&'a\0009' AS char(2)), CAST('a' AS char(1)) = CAST('a  ' AS char(3)), CAST('a' AS char(3)) < CAST('a!' AS char(3)), CAST('a' AS char(3)) BETWEEN CAST(U&'a\0001' AS char(3)) AND CAST('b' AS char(3)), CAST(U&'\0001' AS char(2)) < CAST('' AS char(2)), CAST('a' AS char(9)) <> CAST(U&'a\0009' AS char(9));
expect: [[false, true, true, true, true, true, true]]
SELECT max(x), min(x), max_by(length(x), x), array_agg(x ORDER BY x), array_agg(x ORDER BY x DESC) FROM (VALUES CAST('a' AS char(3)), CAST(U&'a\0009' AS char(3)), CAST('b' AS char(3)), CAST(U&'a\0009b' AS char(3)), NULL) t(x);
expect: [["b  ", "a\t ", 3, ["a\t ", "a\tb", "a  ", "b  ", null], ["b  ", "a  ", "a\tb", "a\t ", null]]]
SELECT x FROM (VALUES CAST('aaaaaaaaa' AS char(12)), CAST(U&'aaaaaaaaa\0009' AS char(12)), CAST(U&'aaaaaaaa\0009' AS char(12)), CAST(U&'aaaaaaa\0009' AS char(12)), CAST('aaaaaaa' AS char(12))) t(x) ORDER BY x;
expect: [["aaaaaaa\t    "], ["aaaaaaa     "], ["aaaaaaaa\t   "], ["aaaaaaaaa\t  "], ["aaaaaaaaa   "]]
SELECT array_sort(ARRAY[CAST('a' AS char(3)), CAST(U&'a\0009' AS char(3))]), array_max(ARRAY[CAST('a' AS char(3)), CAST(U&'a\0009' AS char(3))]), array_min(ARRAY[CAST('a' AS char(3)), CAST(U&'a\0009' AS char(3))]), greatest(CAST('a' AS char(3)), CAST(U&'a\0009' AS char(3))), least(CAST('a' AS char(3)), CAST(U&'a\0009' AS char(3)));
expect: [[["a\t ", "a  "], "a  ", "a\t ", "a  ", "a\t "]]
SELECT a < b, ROW(a) < ROW(b), ARRAY[a] > ARRAY[b], a IN (b, CAST('a' AS char(5))), MAP(ARRAY[a], ARRAY[1]) = MAP(ARRAY[CAST('a' AS char(3))], ARRAY[1]) FROM (VALUES (CAST('a' AS char(3)), CAST(U&'a\0009' AS char(3)))) t(a, b);
expect: [[false, false, true, true, true]]
SELECT count(*) FROM (VALUES CAST('a' AS char(3)), CAST(U&'a\0009' AS char(3)), CAST(U&'a\001F' AS char(3))) t(x) WHERE x >= CAST('a' AS char(3)) AND x < CAST('b' AS char(3));
expect: [[1]]
SELECT x, rank() OVER (ORDER BY x), lag(x) OVER (ORDER BY x) FROM (VALUES CAST('a' AS char(2)), CAST(U&'a\0009' AS char(2)), CAST('a ' AS char(2))) t(x) ORDER BY 2, 1;
expect: [["a\t", 1, null], ["a ", 2, "a\t"], ["a ", 2, "a "]]
-- varchar becomes char beside char, inside of rows, arrays and maps too
SELECT ROW('a') = ROW(CAST('a' AS char(3))), ROW(CAST('a' AS char(3))) = ROW('a'), ROW('a', 1) IN (VALUES ROW(CAST('a' AS char(3)), 1)), ARRAY['a'] = ARRAY[CAST('a' AS char(3))], MAP(ARRAY['a'], ARRAY[1]) = MAP(ARRAY[CAST('a' AS char(3))], ARRAY[1]), ROW(ROW('a')) = ROW(ROW(CAST('a' AS char(3)))), ROW('a ') = ROW(CAST('a' AS char(1)));
expect: [[true, true, true, true, true, true, true]]
SELECT ARRAY[ROW('a'), ROW(CAST('ab' AS char(3)))], CASE WHEN true THEN ROW('abc') ELSE ROW(CAST('a' AS char(5))) END, COALESCE(ROW('abcdef'), ROW(CAST('a' AS char(5)))), contains(ARRAY[CAST('a' AS char(3))], 'a'), array_position(ARRAY[ROW(CAST('a' AS char(3)))], ROW('a'));
types: array(row(char(3))), row(char(5)), row(char(6)), boolean, bigint
expect: [[[["a  "], ["ab "]], ["abc  "], ["abcdef"], true, 1]]
SELECT x FROM (SELECT ROW('abc') UNION ALL SELECT ROW(CAST('a' AS char(5)))) t(x);
types: row(char(5))
expect: [[["abc  "]], [["a    "]]]
SELECT ROW(x) = ROW(y), x = y FROM (VALUES ('a', CAST('a' AS char(3))), ('b ', CAST('b' AS char(3))), ('c', CAST('d' AS char(3)))) t(x, y);
expect: [[true, true], [true, true], [false, false]]
