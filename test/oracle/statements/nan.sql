-- NaN is neither the greatest nor the smallest value while there are others; rows are sorted with it behind the numbers
SELECT max(x), min(x), max(x, 2), max(x, 4), min(x, 4), max_by(y, x), min_by(y, x), max_by(y, x, 4), min_by(y, x, 2), array_agg(x ORDER BY x), array_agg(x ORDER BY x DESC) FROM (VALUES (1e0, 'a'), (nan(), 'b'), (2e0, 'c'), (NULL, 'd')) t(x, y);
expect: [[2, 1, [2, 1], [2, 1, "NaN"], [1, 2, "NaN"], "c", "a", ["c", "a", "b"], ["a", "c"], [1, 2, "NaN", null], ["NaN", 2, 1, null]]]
SELECT max(x), min(x), max(x, 2), max_by(y, x) FROM (VALUES (REAL 'NaN', 'b'), (REAL '-Infinity', 'a')) t(x, y);
types: real, real, array(real), varchar(1)
expect: [["-Infinity", "-Infinity", ["-Infinity", "NaN"], "a"]]
SELECT max(x), min(x), max(x, 3), max_by(1, x), min_by(1, x) FROM (VALUES nan(), nan(), NULL) t(x);
expect: [["NaN", "NaN", ["NaN", "NaN"], 1, 1]]
SELECT x, max(x) OVER (ORDER BY n), min(x) OVER (ORDER BY n), max(x) OVER (ORDER BY n ROWS 1 PRECEDING) FROM (VALUES (1, nan()), (2, 5e0), (3, nan()), (4, -1e0)) t(n, x) ORDER BY n;
expect: [["NaN", "NaN", "NaN", "NaN"], [5, 5, 5, 5], ["NaN", 5, 5, 5], [-1, 5, -1, -1]]
SELECT k, max(x), min(x) FROM (VALUES (1, nan()), (1, 3e0), (2, nan()), (3, infinity()), (3, nan())) t(k, x) GROUP BY k;
expect: [[1, 3, 3], [2, "NaN", "NaN"], [3, "Infinity", "Infinity"]]
SELECT max(r), min(r), max(a), min(a), max_by(1, a), max(r, 2) FROM (VALUES (ROW(1e0, 1), ARRAY[1e0]), (ROW(nan(), 2), ARRAY[nan()]), (ROW(1e0, 0), ARRAY[1e0, nan()])) t(r, a);
expect: [[[1, 1], [1, 0], [1, "NaN"], [1], 1, [[1, 1], [1, 0]]]]
SELECT array_max(ARRAY[nan(), 2, 3]), array_max(ARRAY[2, nan(), 3]), array_max(ARRAY[2, 3, nan()]), array_max(ARRAY[nan(), nan()]), array_max(ARRAY[NULL, nan(), 1]), array_max(ARRAY[REAL '2', REAL 'NaN']), array_min(ARRAY[nan(), 2, 3]), array_min(ARRAY[nan()]), array_sort(ARRAY[nan(), 1e0, infinity(), NULL]);
expect: [[3, 3, 3, "NaN", null, 2, 2, "NaN", [1, "Infinity", "NaN", null]]]
SELECT array_max(ARRAY[ROW(nan()), ROW(2), ROW(3)]), array_max(ARRAY[ROW(2), ROW(nan())]), array_max(ARRAY[ARRAY[nan()], ARRAY[2], ARRAY[3]]), array_min(ARRAY[ARRAY[2], ARRAY[nan()], ARRAY[3]]), array_max(ARRAY[]);
expect: [[[3], [2], [3], [2], null]]
SELECT greatest(1e0, nan()), greatest(nan(), 5, 3), greatest(nan(), nan()), least(1e0, nan()), least(nan(), 5, 3), greatest(REAL 'NaN', 1e0), greatest(ROW(1e0), ROW(nan())), least(ARRAY[nan()], ARRAY[1e0]), greatest(nan(), NULL);
expect: [[1, 5, "NaN", 1, 3, 1, [1], [1], null]]
SELECT greatest(x, y), least(x, y) FROM (VALUES (1e0, nan()), (nan(), 2e0), (nan(), nan()), (NULL, nan())) t(x, y);
expect: [[1, 1], [2, 2], ["NaN", "NaN"], [null, null]]
SELECT 5e0 <= ALL (SELECT x FROM (VALUES 6e0, nan()) t(x)), 5e0 < ANY (SELECT x FROM (VALUES 6e0, nan()) t(x)), 5e0 > ALL (SELECT x FROM (VALUES 1e0, nan()) t(x)), 5e0 = ALL (SELECT x FROM (VALUES 5e0, nan()) t(x)), 5e0 <> ANY (SELECT x FROM (VALUES 5e0, nan()) t(x));
expect: [[false, true, false, false, true]]
-- It is found nowhere and taken away by nothing
SELECT array_position(ARRAY[nan(), 1e0], nan()), array_position(ARRAY[nan(), 1e0], 1e0), array_remove(ARRAY[nan(), 1e0], nan()), array_remove(ARRAY[nan(), 1e0, -0e0], 0e0), contains(ARRAY[nan()], nan()), array_position(ARRAY[REAL 'NaN'], REAL 'NaN'), cardinality(array_remove(ARRAY[ARRAY[nan()], ARRAY[1e0]], ARRAY[nan()])), array_position(ARRAY[ROW(1, nan())], ROW(1, nan()));
expect: [[0, 2, ["NaN", 1], ["NaN", 1], false, 0, 2, 0]]
