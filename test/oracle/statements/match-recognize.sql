-- MATCH_RECOGNIZE, with the values of the tests and the documentation of Trino.
SELECT m.id AS row_id, m.match, m.val, m.label FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 80), (5, 90), (6, 50), (7, 40), (8, 60)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES match_number() AS match, RUNNING LAST(value) AS val, classifier() AS label ALL ROWS PER MATCH AFTER MATCH SKIP PAST LAST ROW PATTERN (A B+ C+) DEFINE B AS B.value < PREV (B.value), C AS C.value > PREV (C.value)) AS m;
expect: [[1, 1, 90, "A"], [2, 1, 80, "B"], [3, 1, 70, "B"], [4, 1, 80, "C"], [5, 1, 90, "C"], [6, 2, 50, "A"], [7, 2, 40, "B"], [8, 2, 60, "C"]]
types: integer, bigint, integer, varchar
-- Patterns.
SELECT m.id, m.match, m.val, m.label FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 70)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES match_number() AS match, RUNNING LAST(value) AS val, classifier() AS label ALL ROWS PER MATCH AFTER MATCH SKIP PAST LAST ROW PATTERN (() | A) DEFINE A AS true) AS m;
expect: [[1, 1, null, null], [2, 2, null, null], [3, 3, null, null], [4, 4, null, null]]
SELECT m.id, m.match, m.val, m.label FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 70)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES match_number() AS match, RUNNING LAST(value) AS val, classifier() AS label ALL ROWS PER MATCH AFTER MATCH SKIP PAST LAST ROW PATTERN (A B C) DEFINE B AS B.value < PREV (B.value), C AS C.value = PREV (C.value)) AS m;
expect: [[2, 1, 80, "A"], [3, 1, 70, "B"], [4, 1, 70, "C"]]
SELECT m.id, m.match, m.val, m.label FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 70)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES match_number() AS match, RUNNING LAST(value) AS val, classifier() AS label ALL ROWS PER MATCH AFTER MATCH SKIP PAST LAST ROW PATTERN (B | C | A) DEFINE B AS B.value < PREV (B.value), C AS C.value <= PREV (C.value)) AS m;
expect: [[1, 1, 90, "A"], [2, 2, 80, "B"], [3, 3, 70, "B"], [4, 4, 70, "C"]]
SELECT m.id, m.match, m.val, m.label FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 70)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES match_number() AS match, RUNNING LAST(value) AS val, classifier() AS label ALL ROWS PER MATCH AFTER MATCH SKIP PAST LAST ROW PATTERN (PERMUTE(B, C)) DEFINE B AS B.value < PREV (B.value), C AS C.value < PREV (C.value)) AS m;
expect: [[2, 1, 80, "B"], [3, 1, 70, "C"]]
SELECT m.id, m.match, m.val, m.label FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 70)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES match_number() AS match, RUNNING LAST(value) AS val, classifier() AS label ALL ROWS PER MATCH AFTER MATCH SKIP PAST LAST ROW PATTERN (((A) (B (C)))) DEFINE B AS B.value < PREV (B.value), C AS C.value = PREV (C.value)) AS m;
expect: [[2, 1, 80, "A"], [3, 1, 70, "B"], [4, 1, 70, "C"]]
SELECT m.id, m.match, m.val, m.label FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 70)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES match_number() AS match, RUNNING LAST(value) AS val, classifier() AS label ALL ROWS PER MATCH AFTER MATCH SKIP PAST LAST ROW PATTERN (^A) DEFINE A AS true) AS m;
expect: [[1, 1, 90, "A"]]
SELECT m.id, m.match, m.val, m.label FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 70)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES match_number() AS match, RUNNING LAST(value) AS val, classifier() AS label ALL ROWS PER MATCH AFTER MATCH SKIP PAST LAST ROW PATTERN (A^) DEFINE A AS true) AS m;
expect: []
SELECT m.id, m.match, m.val, m.label FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 70)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES match_number() AS match, RUNNING LAST(value) AS val, classifier() AS label ALL ROWS PER MATCH AFTER MATCH SKIP PAST LAST ROW PATTERN (A$) DEFINE A AS true) AS m;
expect: [[4, 1, 70, "A"]]
SELECT m.id, m.match, m.val, m.label FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 70)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES match_number() AS match, RUNNING LAST(value) AS val, classifier() AS label ALL ROWS PER MATCH AFTER MATCH SKIP PAST LAST ROW PATTERN ($A) DEFINE A AS true) AS m;
expect: []
SELECT m.id, m.match, m.val, m.label FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 70)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES match_number() AS match, RUNNING LAST(value) AS val, classifier() AS label ALL ROWS PER MATCH AFTER MATCH SKIP PAST LAST ROW PATTERN (^A+$) DEFINE A AS true) AS m;
expect: [[1, 1, 90, "A"], [2, 1, 80, "A"], [3, 1, 70, "A"], [4, 1, 70, "A"]]
-- Quantifiers, greedy and reluctant.
SELECT m.id, m.match, m.val, m.label FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 70)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES match_number() AS match, RUNNING LAST(value) AS val, classifier() AS label ALL ROWS PER MATCH AFTER MATCH SKIP PAST LAST ROW PATTERN (B*) DEFINE B AS B.value <= PREV (B.value)) AS m;
expect: [[1, 1, null, null], [2, 2, 80, "B"], [3, 2, 70, "B"], [4, 2, 70, "B"]]
SELECT m.id, m.match, m.val, m.label FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 70)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES match_number() AS match, RUNNING LAST(value) AS val, classifier() AS label ALL ROWS PER MATCH AFTER MATCH SKIP PAST LAST ROW PATTERN (B*?) DEFINE B AS B.value <= PREV (B.value)) AS m;
expect: [[1, 1, null, null], [2, 2, null, null], [3, 3, null, null], [4, 4, null, null]]
SELECT m.id, m.match, m.val, m.label FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 70)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES match_number() AS match, RUNNING LAST(value) AS val, classifier() AS label ALL ROWS PER MATCH AFTER MATCH SKIP PAST LAST ROW PATTERN (B+) DEFINE B AS B.value <= PREV (B.value)) AS m;
expect: [[2, 1, 80, "B"], [3, 1, 70, "B"], [4, 1, 70, "B"]]
SELECT m.id, m.match, m.val, m.label FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 70)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES match_number() AS match, RUNNING LAST(value) AS val, classifier() AS label ALL ROWS PER MATCH AFTER MATCH SKIP PAST LAST ROW PATTERN (B+?) DEFINE B AS B.value <= PREV (B.value)) AS m;
expect: [[2, 1, 80, "B"], [3, 2, 70, "B"], [4, 3, 70, "B"]]
SELECT m.id, m.match, m.val, m.label FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 70)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES match_number() AS match, RUNNING LAST(value) AS val, classifier() AS label ALL ROWS PER MATCH AFTER MATCH SKIP PAST LAST ROW PATTERN (B?) DEFINE B AS B.value <= PREV (B.value)) AS m;
expect: [[1, 1, null, null], [2, 2, 80, "B"], [3, 3, 70, "B"], [4, 4, 70, "B"]]
SELECT m.id, m.match, m.val, m.label FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 70)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES match_number() AS match, RUNNING LAST(value) AS val, classifier() AS label ALL ROWS PER MATCH AFTER MATCH SKIP PAST LAST ROW PATTERN (B??) DEFINE B AS B.value <= PREV (B.value)) AS m;
expect: [[1, 1, null, null], [2, 2, null, null], [3, 3, null, null], [4, 4, null, null]]
SELECT m.id, m.match, m.val, m.label FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 70)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES match_number() AS match, RUNNING LAST(value) AS val, classifier() AS label ALL ROWS PER MATCH AFTER MATCH SKIP PAST LAST ROW PATTERN (B{,}) DEFINE B AS B.value <= PREV (B.value)) AS m;
expect: [[1, 1, null, null], [2, 2, 80, "B"], [3, 2, 70, "B"], [4, 2, 70, "B"]]
SELECT m.id, m.match, m.val, m.label FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 70)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES match_number() AS match, RUNNING LAST(value) AS val, classifier() AS label ALL ROWS PER MATCH AFTER MATCH SKIP PAST LAST ROW PATTERN (B{,}?) DEFINE B AS B.value <= PREV (B.value)) AS m;
expect: [[1, 1, null, null], [2, 2, null, null], [3, 3, null, null], [4, 4, null, null]]
SELECT m.id, m.match, m.val, m.label FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 70)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES match_number() AS match, RUNNING LAST(value) AS val, classifier() AS label ALL ROWS PER MATCH AFTER MATCH SKIP PAST LAST ROW PATTERN (B{1,}) DEFINE B AS B.value <= PREV (B.value)) AS m;
expect: [[2, 1, 80, "B"], [3, 1, 70, "B"], [4, 1, 70, "B"]]
SELECT m.id, m.match, m.val, m.label FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 70)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES match_number() AS match, RUNNING LAST(value) AS val, classifier() AS label ALL ROWS PER MATCH AFTER MATCH SKIP PAST LAST ROW PATTERN (B{1,}?) DEFINE B AS B.value <= PREV (B.value)) AS m;
expect: [[2, 1, 80, "B"], [3, 2, 70, "B"], [4, 3, 70, "B"]]
SELECT m.id, m.match, m.val, m.label FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 70)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES match_number() AS match, RUNNING LAST(value) AS val, classifier() AS label ALL ROWS PER MATCH AFTER MATCH SKIP PAST LAST ROW PATTERN (B{2,}) DEFINE B AS B.value <= PREV (B.value)) AS m;
expect: [[2, 1, 80, "B"], [3, 1, 70, "B"], [4, 1, 70, "B"]]
SELECT m.id, m.match, m.val, m.label FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 70)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES match_number() AS match, RUNNING LAST(value) AS val, classifier() AS label ALL ROWS PER MATCH AFTER MATCH SKIP PAST LAST ROW PATTERN (B{2,}?) DEFINE B AS B.value <= PREV (B.value)) AS m;
expect: [[2, 1, 80, "B"], [3, 1, 70, "B"]]
SELECT m.id, m.match, m.val, m.label FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 70)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES match_number() AS match, RUNNING LAST(value) AS val, classifier() AS label ALL ROWS PER MATCH AFTER MATCH SKIP PAST LAST ROW PATTERN (B{5,}) DEFINE B AS B.value <= PREV (B.value)) AS m;
expect: []
SELECT m.id, m.match, m.val, m.label FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 70)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES match_number() AS match, RUNNING LAST(value) AS val, classifier() AS label ALL ROWS PER MATCH AFTER MATCH SKIP PAST LAST ROW PATTERN (B{5,}?) DEFINE B AS B.value <= PREV (B.value)) AS m;
expect: []
SELECT m.id, m.match, m.val, m.label FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 70)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES match_number() AS match, RUNNING LAST(value) AS val, classifier() AS label ALL ROWS PER MATCH AFTER MATCH SKIP PAST LAST ROW PATTERN (B{,1}) DEFINE B AS B.value <= PREV (B.value)) AS m;
expect: [[1, 1, null, null], [2, 2, 80, "B"], [3, 3, 70, "B"], [4, 4, 70, "B"]]
SELECT m.id, m.match, m.val, m.label FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 70)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES match_number() AS match, RUNNING LAST(value) AS val, classifier() AS label ALL ROWS PER MATCH AFTER MATCH SKIP PAST LAST ROW PATTERN (B{,1}?) DEFINE B AS B.value <= PREV (B.value)) AS m;
expect: [[1, 1, null, null], [2, 2, null, null], [3, 3, null, null], [4, 4, null, null]]
SELECT m.id, m.match, m.val, m.label FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 70)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES match_number() AS match, RUNNING LAST(value) AS val, classifier() AS label ALL ROWS PER MATCH AFTER MATCH SKIP PAST LAST ROW PATTERN (B{,2}) DEFINE B AS B.value <= PREV (B.value)) AS m;
expect: [[1, 1, null, null], [2, 2, 80, "B"], [3, 2, 70, "B"], [4, 3, 70, "B"]]
SELECT m.id, m.match, m.val, m.label FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 70)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES match_number() AS match, RUNNING LAST(value) AS val, classifier() AS label ALL ROWS PER MATCH AFTER MATCH SKIP PAST LAST ROW PATTERN (B{,2}?) DEFINE B AS B.value <= PREV (B.value)) AS m;
expect: [[1, 1, null, null], [2, 2, null, null], [3, 3, null, null], [4, 4, null, null]]
SELECT m.id, m.match, m.val, m.label FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 70)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES match_number() AS match, RUNNING LAST(value) AS val, classifier() AS label ALL ROWS PER MATCH AFTER MATCH SKIP PAST LAST ROW PATTERN (B{,5}) DEFINE B AS B.value <= PREV (B.value)) AS m;
expect: [[1, 1, null, null], [2, 2, 80, "B"], [3, 2, 70, "B"], [4, 2, 70, "B"]]
SELECT m.id, m.match, m.val, m.label FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 70)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES match_number() AS match, RUNNING LAST(value) AS val, classifier() AS label ALL ROWS PER MATCH AFTER MATCH SKIP PAST LAST ROW PATTERN (B{,5}?) DEFINE B AS B.value <= PREV (B.value)) AS m;
expect: [[1, 1, null, null], [2, 2, null, null], [3, 3, null, null], [4, 4, null, null]]
SELECT m.id, m.match, m.val, m.label FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 70)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES match_number() AS match, RUNNING LAST(value) AS val, classifier() AS label ALL ROWS PER MATCH AFTER MATCH SKIP PAST LAST ROW PATTERN (B{1,1}) DEFINE B AS B.value <= PREV (B.value)) AS m;
expect: [[2, 1, 80, "B"], [3, 2, 70, "B"], [4, 3, 70, "B"]]
SELECT m.id, m.match, m.val, m.label FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 70)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES match_number() AS match, RUNNING LAST(value) AS val, classifier() AS label ALL ROWS PER MATCH AFTER MATCH SKIP PAST LAST ROW PATTERN (B{1,1}?) DEFINE B AS B.value <= PREV (B.value)) AS m;
expect: [[2, 1, 80, "B"], [3, 2, 70, "B"], [4, 3, 70, "B"]]
SELECT m.id, m.match, m.val, m.label FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 70)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES match_number() AS match, RUNNING LAST(value) AS val, classifier() AS label ALL ROWS PER MATCH AFTER MATCH SKIP PAST LAST ROW PATTERN (B{1,5}) DEFINE B AS B.value <= PREV (B.value)) AS m;
expect: [[2, 1, 80, "B"], [3, 1, 70, "B"], [4, 1, 70, "B"]]
SELECT m.id, m.match, m.val, m.label FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 70)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES match_number() AS match, RUNNING LAST(value) AS val, classifier() AS label ALL ROWS PER MATCH AFTER MATCH SKIP PAST LAST ROW PATTERN (B{1,5}?) DEFINE B AS B.value <= PREV (B.value)) AS m;
expect: [[2, 1, 80, "B"], [3, 2, 70, "B"], [4, 3, 70, "B"]]
SELECT m.id, m.match, m.val, m.label FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 70)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES match_number() AS match, RUNNING LAST(value) AS val, classifier() AS label ALL ROWS PER MATCH AFTER MATCH SKIP PAST LAST ROW PATTERN (B{5,7}) DEFINE B AS B.value <= PREV (B.value)) AS m;
expect: []
SELECT m.id, m.match, m.val, m.label FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 70)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES match_number() AS match, RUNNING LAST(value) AS val, classifier() AS label ALL ROWS PER MATCH AFTER MATCH SKIP PAST LAST ROW PATTERN (B{5,7}?) DEFINE B AS B.value <= PREV (B.value)) AS m;
expect: []
SELECT m.id, m.match, m.val, m.label FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 70)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES match_number() AS match, RUNNING LAST(value) AS val, classifier() AS label ALL ROWS PER MATCH AFTER MATCH SKIP PAST LAST ROW PATTERN (B{1}) DEFINE B AS B.value <= PREV (B.value)) AS m;
expect: [[2, 1, 80, "B"], [3, 2, 70, "B"], [4, 3, 70, "B"]]
SELECT m.id, m.match, m.val, m.label FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 70)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES match_number() AS match, RUNNING LAST(value) AS val, classifier() AS label ALL ROWS PER MATCH AFTER MATCH SKIP PAST LAST ROW PATTERN (B{1}?) DEFINE B AS B.value <= PREV (B.value)) AS m;
expect: [[2, 1, 80, "B"], [3, 2, 70, "B"], [4, 3, 70, "B"]]
SELECT m.id, m.match, m.val, m.label FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 70)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES match_number() AS match, RUNNING LAST(value) AS val, classifier() AS label ALL ROWS PER MATCH AFTER MATCH SKIP PAST LAST ROW PATTERN (B{2}) DEFINE B AS B.value <= PREV (B.value)) AS m;
expect: [[2, 1, 80, "B"], [3, 1, 70, "B"]]
SELECT m.id, m.match, m.val, m.label FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 70)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES match_number() AS match, RUNNING LAST(value) AS val, classifier() AS label ALL ROWS PER MATCH AFTER MATCH SKIP PAST LAST ROW PATTERN (B{2}?) DEFINE B AS B.value <= PREV (B.value)) AS m;
expect: [[2, 1, 80, "B"], [3, 1, 70, "B"]]
SELECT m.id, m.match, m.val, m.label FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 70)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES match_number() AS match, RUNNING LAST(value) AS val, classifier() AS label ALL ROWS PER MATCH AFTER MATCH SKIP PAST LAST ROW PATTERN (B{5}) DEFINE B AS B.value <= PREV (B.value)) AS m;
expect: []
SELECT m.id, m.match, m.val, m.label FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 70)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES match_number() AS match, RUNNING LAST(value) AS val, classifier() AS label ALL ROWS PER MATCH AFTER MATCH SKIP PAST LAST ROW PATTERN (B{5}?) DEFINE B AS B.value <= PREV (B.value)) AS m;
expect: []
-- Exclusions.
SELECT m.id, m.match, m.val, m.label FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 80), (5, 90), (6, 50), (7, 40), (8, 60)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES match_number() AS match, RUNNING LAST(value) AS val, classifier() AS label ALL ROWS PER MATCH AFTER MATCH SKIP PAST LAST ROW PATTERN (A {- B+ -} C+) DEFINE B AS B.value < PREV (B.value), C AS C.value > PREV (C.value)) AS m;
expect: [[1, 1, 90, "A"], [4, 1, 80, "C"], [5, 1, 90, "C"], [6, 2, 50, "A"], [8, 2, 60, "C"]]
SELECT m.id, m.match, m.val, m.label FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 80), (5, 90), (6, 50), (7, 40), (8, 60)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES match_number() AS match, RUNNING LAST(value) AS val, classifier() AS label ALL ROWS PER MATCH AFTER MATCH SKIP PAST LAST ROW PATTERN ({- A -} {- B+ -} C+) DEFINE B AS B.value < PREV (B.value), C AS C.value > PREV (C.value)) AS m;
expect: [[4, 1, 80, "C"], [5, 1, 90, "C"], [8, 2, 60, "C"]]
SELECT m.id, m.match, m.val, m.label FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 80), (5, 90), (6, 50), (7, 40), (8, 60)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES match_number() AS match, RUNNING LAST(value) AS val, classifier() AS label ALL ROWS PER MATCH AFTER MATCH SKIP PAST LAST ROW PATTERN (A {- {- B+ -} C+ -}) DEFINE B AS B.value < PREV (B.value), C AS C.value > PREV (C.value)) AS m;
expect: [[1, 1, 90, "A"], [6, 2, 50, "A"]]
SELECT m.id, m.match, m.val, m.label FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 80), (5, 90), (6, 50), (7, 40), (8, 60)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES match_number() AS match, RUNNING LAST(value) AS val, classifier() AS label ALL ROWS PER MATCH AFTER MATCH SKIP PAST LAST ROW PATTERN ({- A B+ C+ -}) DEFINE B AS B.value < PREV (B.value), C AS C.value > PREV (C.value)) AS m;
expect: []
SELECT m.id, m.match, m.val, m.label FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 80), (5, 90), (6, 50), (7, 40), (8, 60)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES match_number() AS match, RUNNING LAST(value) AS val, classifier() AS label ALL ROWS PER MATCH AFTER MATCH SKIP PAST LAST ROW PATTERN (A B+ {- ()* -} C+) DEFINE B AS B.value < PREV (B.value), C AS C.value > PREV (C.value)) AS m;
expect: [[1, 1, 90, "A"], [2, 1, 80, "B"], [3, 1, 70, "B"], [4, 1, 80, "C"], [5, 1, 90, "C"], [6, 2, 50, "A"], [7, 2, 40, "B"], [8, 2, 60, "C"]]
SELECT m.id, m.match, m.val, m.label FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 80), (5, 90), (6, 50), (7, 40), (8, 60)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES match_number() AS match, RUNNING LAST(value) AS val, classifier() AS label ALL ROWS PER MATCH AFTER MATCH SKIP PAST LAST ROW PATTERN (A {- B -}+ {- C -}+) DEFINE B AS B.value < PREV (B.value), C AS C.value > PREV (C.value)) AS m;
expect: [[1, 1, 90, "A"], [6, 2, 50, "A"]]
SELECT m.id, m.match, m.val, m.label FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 80), (5, 90), (6, 50), (7, 40), (8, 60)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES match_number() AS match, RUNNING LAST(value) AS val, classifier() AS label ALL ROWS PER MATCH AFTER MATCH SKIP PAST LAST ROW PATTERN (A {- B -}* {- C -}*) DEFINE B AS B.value < PREV (B.value), C AS C.value > PREV (C.value)) AS m;
expect: [[1, 1, 90, "A"], [6, 2, 50, "A"]]
SELECT m.id, m.match, m.val, m.label FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 80), (5, 90), (6, 50), (7, 40), (8, 60)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES match_number() AS match, RUNNING LAST(value) AS val, classifier() AS label ALL ROWS PER MATCH AFTER MATCH SKIP PAST LAST ROW PATTERN (A {- B -}{1,2} {- C -}{1,2}) DEFINE B AS B.value < PREV (B.value), C AS C.value > PREV (C.value)) AS m;
expect: [[1, 1, 90, "A"], [6, 2, 50, "A"]]
SELECT m.id, m.match, m.val, m.label FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 80), (5, 90), (6, 50), (7, 40), (8, 60)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES match_number() AS match, RUNNING LAST(value) AS val, classifier() AS label ALL ROWS PER MATCH AFTER MATCH SKIP PAST LAST ROW PATTERN (A {- C -}{2,3} {- B -}{2,3}) DEFINE B AS B.value < PREV (B.value), C AS C.value > PREV (C.value)) AS m;
expect: [[3, 1, 70, "A"]]
-- Conditions on the rows matched before.
SELECT value, classy FROM (VALUES 1, 1) t(value) MATCH_RECOGNIZE (MEASURES CLASSIFIER() AS classy ALL ROWS PER MATCH PATTERN ((A | B)* X) DEFINE X AS value = A.value);
expect: [[1, "A"], [1, "X"]]
SELECT value, classy FROM (VALUES 1, 1) t(value) MATCH_RECOGNIZE (MEASURES CLASSIFIER() AS classy ALL ROWS PER MATCH PATTERN ((A | B)* X) DEFINE X AS value = B.value);
expect: [[1, "B"], [1, "X"]]
SELECT value, classy, c FROM (VALUES 1, 2, 3, 4, 5, 6) t(value) MATCH_RECOGNIZE (ORDER BY value MEASURES CLASSIFIER() AS classy, PREV(LAST(A.value), 3) + FIRST(A.value) + PREV(LAST(B.value), 2) AS c ALL ROWS PER MATCH PATTERN ((A | B)* X) DEFINE X AS value = PREV(LAST(A.value), 3) + FIRST(A.value) + PREV(LAST(B.value), 2));
expect: [[1, "B", null], [2, "A", null], [3, "A", null], [4, "A", null], [5, "B", 6], [6, "X", 6]]
SELECT value, classy, c FROM (VALUES 1, 2, 3, 4, 5) t(value) MATCH_RECOGNIZE (ORDER BY value MEASURES CLASSIFIER() AS classy, PREV(CLASSIFIER(U), 1) = 'A' AND LAST(CLASSIFIER(), 3) = 'B' AND FIRST(CLASSIFIER(U)) = 'B' AS c ALL ROWS PER MATCH PATTERN ((A | B)* X $) SUBSET U = (A, B) DEFINE X AS PREV(CLASSIFIER(U), 1) = 'A' AND LAST(CLASSIFIER(), 3) = 'B' AND FIRST(CLASSIFIER(U)) = 'B');
expect: [[1, "B", null], [2, "B", false], [3, "A", false], [4, "A", true], [5, "X", true]]
-- Repetitions of nothing.
SELECT m.id, m.match, m.val, m.label FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 70)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES match_number() AS match, RUNNING LAST(value) AS val, classifier() AS label ALL ROWS PER MATCH AFTER MATCH SKIP PAST LAST ROW PATTERN (()* | B) DEFINE B AS B.value < PREV (B.value)) AS m;
expect: [[1, 1, null, null], [2, 2, null, null], [3, 3, null, null], [4, 4, null, null]]
SELECT m.id, m.match, m.val, m.label FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 70)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES match_number() AS match, RUNNING LAST(value) AS val, classifier() AS label ALL ROWS PER MATCH AFTER MATCH SKIP PAST LAST ROW PATTERN (()+ | B) DEFINE B AS B.value < PREV (B.value)) AS m;
expect: [[1, 1, null, null], [2, 2, null, null], [3, 3, null, null], [4, 4, null, null]]
SELECT m.id, m.match, m.val, m.label FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 70)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES match_number() AS match, RUNNING LAST(value) AS val, classifier() AS label ALL ROWS PER MATCH AFTER MATCH SKIP PAST LAST ROW PATTERN ((){5,} | B) DEFINE B AS B.value < PREV (B.value)) AS m;
expect: [[1, 1, null, null], [2, 2, null, null], [3, 3, null, null], [4, 4, null, null]]
SELECT m.id, m.match, m.val, m.label FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 70)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES match_number() AS match, RUNNING LAST(value) AS val, classifier() AS label ALL ROWS PER MATCH AFTER MATCH SKIP PAST LAST ROW PATTERN (B | ()*) DEFINE B AS B.value < PREV (B.value)) AS m;
expect: [[1, 1, null, null], [2, 2, 80, "B"], [3, 3, 70, "B"], [4, 4, null, null]]
SELECT m.id, m.match, m.val, m.label FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 70)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES match_number() AS match, RUNNING LAST(value) AS val, classifier() AS label ALL ROWS PER MATCH AFTER MATCH SKIP PAST LAST ROW PATTERN ((B ()*)*) DEFINE B AS B.value < PREV (B.value)) AS m;
expect: [[1, 1, null, null], [2, 2, 80, "B"], [3, 2, 70, "B"], [4, 3, null, null]]
SELECT m.id, m.match, m.val, m.label FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 70)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES match_number() AS match, RUNNING LAST(value) AS val, classifier() AS label ALL ROWS PER MATCH AFTER MATCH SKIP PAST LAST ROW PATTERN ((B ()*)*?) DEFINE B AS B.value < PREV (B.value)) AS m;
expect: [[1, 1, null, null], [2, 2, null, null], [3, 3, null, null], [4, 4, null, null]]
SELECT m.id, m.match, m.val, m.label FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 70)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES match_number() AS match, RUNNING LAST(value) AS val, classifier() AS label ALL ROWS PER MATCH AFTER MATCH SKIP PAST LAST ROW PATTERN (^* | B) DEFINE B AS B.value < PREV (B.value)) AS m;
expect: [[1, 1, null, null], [2, 2, null, null], [3, 3, null, null], [4, 4, null, null]]
SELECT m.id, m.match, m.val, m.label FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 70)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES match_number() AS match, RUNNING LAST(value) AS val, classifier() AS label ALL ROWS PER MATCH AFTER MATCH SKIP PAST LAST ROW PATTERN (^+ | B) DEFINE B AS B.value < PREV (B.value)) AS m;
expect: [[1, 1, null, null], [2, 2, 80, "B"], [3, 3, 70, "B"]]
SELECT m.id, m.match, m.val, m.label FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 70)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES match_number() AS match, RUNNING LAST(value) AS val, classifier() AS label ALL ROWS PER MATCH AFTER MATCH SKIP PAST LAST ROW PATTERN (^* A B) DEFINE B AS B.value < PREV (B.value)) AS m;
expect: [[1, 1, 90, "A"], [2, 1, 80, "B"]]
SELECT m.id, m.match, m.val, m.label FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 70)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES match_number() AS match, RUNNING LAST(value) AS val, classifier() AS label ALL ROWS PER MATCH AFTER MATCH SKIP PAST LAST ROW PATTERN ($* | B) DEFINE B AS B.value < PREV (B.value)) AS m;
expect: [[1, 1, null, null], [2, 2, null, null], [3, 3, null, null], [4, 4, null, null]]
SELECT m.id, m.match, m.val, m.label FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 70)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES match_number() AS match, RUNNING LAST(value) AS val, classifier() AS label ALL ROWS PER MATCH AFTER MATCH SKIP PAST LAST ROW PATTERN ($+ | B) DEFINE B AS B.value < PREV (B.value)) AS m;
expect: [[2, 1, 80, "B"], [3, 2, 70, "B"]]
SELECT m.id, m.match, m.val, m.label FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 70)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES match_number() AS match, RUNNING LAST(value) AS val, classifier() AS label ALL ROWS PER MATCH AFTER MATCH SKIP PAST LAST ROW PATTERN (B A $+) DEFINE B AS B.value < PREV (B.value)) AS m;
expect: [[3, 1, 70, "B"], [4, 1, 70, "A"]]
-- Which rows come out.
SELECT m.match, m.val, m.label FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 70)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES match_number() AS match, RUNNING LAST(value) AS val, classifier() AS label ONE ROW PER MATCH AFTER MATCH SKIP PAST LAST ROW PATTERN (B*) DEFINE B AS B.value < PREV (B.value)) AS m;
expect: [[1, null, null], [2, 70, "B"], [3, null, null]]
SELECT m.match, m.val, m.label FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 70)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES match_number() AS match, RUNNING LAST(value) AS val, classifier() AS label  AFTER MATCH SKIP PAST LAST ROW PATTERN (B*) DEFINE B AS B.value < PREV (B.value)) AS m;
expect: [[1, null, null], [2, 70, "B"], [3, null, null]]
SELECT m.match, m.val, m.label FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 70)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES match_number() AS match, RUNNING LAST(value) AS val, classifier() AS label ONE ROW PER MATCH AFTER MATCH SKIP PAST LAST ROW PATTERN (B+) DEFINE B AS B.value < PREV (B.value)) AS m;
expect: [[1, 70, "B"]]
SELECT m.match, m.val, m.label FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 70)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES match_number() AS match, RUNNING LAST(value) AS val, classifier() AS label ALL ROWS PER MATCH AFTER MATCH SKIP PAST LAST ROW PATTERN (B*) DEFINE B AS B.value < PREV (B.value)) AS m;
expect: [[1, null, null], [2, 80, "B"], [2, 70, "B"], [3, null, null]]
SELECT m.match, m.val, m.label FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 70)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES match_number() AS match, RUNNING LAST(value) AS val, classifier() AS label ALL ROWS PER MATCH AFTER MATCH SKIP PAST LAST ROW PATTERN (B+) DEFINE B AS B.value < PREV (B.value)) AS m;
expect: [[1, 80, "B"], [1, 70, "B"]]
SELECT m.match, m.val, m.label FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 70)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES match_number() AS match, RUNNING LAST(value) AS val, classifier() AS label ALL ROWS PER MATCH SHOW EMPTY MATCHES AFTER MATCH SKIP PAST LAST ROW PATTERN (B*) DEFINE B AS B.value < PREV (B.value)) AS m;
expect: [[1, null, null], [2, 80, "B"], [2, 70, "B"], [3, null, null]]
SELECT m.match, m.val, m.label FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 70)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES match_number() AS match, RUNNING LAST(value) AS val, classifier() AS label ALL ROWS PER MATCH OMIT EMPTY MATCHES AFTER MATCH SKIP PAST LAST ROW PATTERN (B*) DEFINE B AS B.value < PREV (B.value)) AS m;
expect: [[2, 80, "B"], [2, 70, "B"]]
SELECT m.match, m.val, m.label FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 70)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES match_number() AS match, RUNNING LAST(value) AS val, classifier() AS label ALL ROWS PER MATCH OMIT EMPTY MATCHES AFTER MATCH SKIP PAST LAST ROW PATTERN (B+) DEFINE B AS B.value < PREV (B.value)) AS m;
expect: [[1, 80, "B"], [1, 70, "B"]]
SELECT m.match, m.val, m.label FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 70)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES match_number() AS match, RUNNING LAST(value) AS val, classifier() AS label ALL ROWS PER MATCH WITH UNMATCHED ROWS AFTER MATCH SKIP PAST LAST ROW PATTERN (B+) DEFINE B AS B.value < PREV (B.value)) AS m;
expect: [[null, null, null], [1, 80, "B"], [1, 70, "B"], [null, null, null]]
SELECT m.id, m.match, m.value, m.label FROM (VALUES (1, 100), (2, 100), (3, 90), (4, 80), (5, 70), (6, 100)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES match_number() AS match, classifier() AS label ALL ROWS PER MATCH WITH UNMATCHED ROWS AFTER MATCH SKIP TO NEXT ROW PATTERN (A B{2}) DEFINE B AS B.value < PREV (B.value)) AS m;
expect: [[1, null, 100, null], [2, 1, 100, "A"], [3, 1, 90, "B"], [4, 1, 80, "B"], [3, 2, 90, "A"], [4, 2, 80, "B"], [5, 2, 70, "B"], [6, null, 100, null]]
-- Where the search goes on.
SELECT m.id, m.match, m.val, m.label FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 80), (5, 70), (6, 80)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES match_number() AS match, RUNNING LAST(value) AS val, classifier() AS label ALL ROWS PER MATCH AFTER MATCH SKIP PAST LAST ROW PATTERN (A B+ C+ D?) SUBSET U = (C, D) DEFINE B AS B.value < PREV (B.value), C AS C.value > PREV (C.value), D AS false) AS m;
expect: [[1, 1, 90, "A"], [2, 1, 80, "B"], [3, 1, 70, "B"], [4, 1, 80, "C"]]
SELECT m.id, m.match, m.val, m.label FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 80), (5, 70), (6, 80)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES match_number() AS match, RUNNING LAST(value) AS val, classifier() AS label ALL ROWS PER MATCH  PATTERN (A B+ C+ D?) SUBSET U = (C, D) DEFINE B AS B.value < PREV (B.value), C AS C.value > PREV (C.value), D AS false) AS m;
expect: [[1, 1, 90, "A"], [2, 1, 80, "B"], [3, 1, 70, "B"], [4, 1, 80, "C"]]
SELECT m.id, m.match, m.val, m.label FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 80), (5, 70), (6, 80)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES match_number() AS match, RUNNING LAST(value) AS val, classifier() AS label ALL ROWS PER MATCH AFTER MATCH SKIP TO NEXT ROW PATTERN (A B+ C+ D?) SUBSET U = (C, D) DEFINE B AS B.value < PREV (B.value), C AS C.value > PREV (C.value), D AS false) AS m;
expect: [[1, 1, 90, "A"], [2, 1, 80, "B"], [3, 1, 70, "B"], [4, 1, 80, "C"], [2, 2, 80, "A"], [3, 2, 70, "B"], [4, 2, 80, "C"], [4, 3, 80, "A"], [5, 3, 70, "B"], [6, 3, 80, "C"]]
SELECT m.id, m.match, m.val, m.label FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 80), (5, 70), (6, 80)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES match_number() AS match, RUNNING LAST(value) AS val, classifier() AS label ALL ROWS PER MATCH AFTER MATCH SKIP TO FIRST C PATTERN (A B+ C+ D?) SUBSET U = (C, D) DEFINE B AS B.value < PREV (B.value), C AS C.value > PREV (C.value), D AS false) AS m;
expect: [[1, 1, 90, "A"], [2, 1, 80, "B"], [3, 1, 70, "B"], [4, 1, 80, "C"], [4, 2, 80, "A"], [5, 2, 70, "B"], [6, 2, 80, "C"]]
SELECT m.id, m.match, m.val, m.label FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 80), (5, 70), (6, 80)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES match_number() AS match, RUNNING LAST(value) AS val, classifier() AS label ALL ROWS PER MATCH AFTER MATCH SKIP TO LAST B PATTERN (A B+ C+ D?) SUBSET U = (C, D) DEFINE B AS B.value < PREV (B.value), C AS C.value > PREV (C.value), D AS false) AS m;
expect: [[1, 1, 90, "A"], [2, 1, 80, "B"], [3, 1, 70, "B"], [4, 1, 80, "C"], [4, 2, 80, "A"], [5, 2, 70, "B"], [6, 2, 80, "C"]]
SELECT m.id, m.match, m.val, m.label FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 80), (5, 70), (6, 80)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES match_number() AS match, RUNNING LAST(value) AS val, classifier() AS label ALL ROWS PER MATCH AFTER MATCH SKIP TO B PATTERN (A B+ C+ D?) SUBSET U = (C, D) DEFINE B AS B.value < PREV (B.value), C AS C.value > PREV (C.value), D AS false) AS m;
expect: [[1, 1, 90, "A"], [2, 1, 80, "B"], [3, 1, 70, "B"], [4, 1, 80, "C"], [4, 2, 80, "A"], [5, 2, 70, "B"], [6, 2, 80, "C"]]
SELECT m.id, m.match, m.val, m.label FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 80), (5, 70), (6, 80)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES match_number() AS match, RUNNING LAST(value) AS val, classifier() AS label ALL ROWS PER MATCH AFTER MATCH SKIP TO U PATTERN (A B+ C+ D?) SUBSET U = (C, D) DEFINE B AS B.value < PREV (B.value), C AS C.value > PREV (C.value), D AS false) AS m;
expect: [[1, 1, 90, "A"], [2, 1, 80, "B"], [3, 1, 70, "B"], [4, 1, 80, "C"], [4, 2, 80, "A"], [5, 2, 70, "B"], [6, 2, 80, "C"]]
SELECT m.id, m.match, m.val, m.label FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 80), (5, 70), (6, 80)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES match_number() AS match, RUNNING LAST(value) AS val, classifier() AS label ALL ROWS PER MATCH AFTER MATCH SKIP TO LAST U PATTERN (A B+ C+ D?) SUBSET U = (C, D) DEFINE B AS B.value < PREV (B.value), C AS C.value > PREV (C.value), D AS false) AS m;
expect: [[1, 1, 90, "A"], [2, 1, 80, "B"], [3, 1, 70, "B"], [4, 1, 80, "C"], [4, 2, 80, "A"], [5, 2, 70, "B"], [6, 2, 80, "C"]]
SELECT m.id, m.match, m.val, m.label FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 80), (5, 70), (6, 80)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES match_number() AS match, RUNNING LAST(value) AS val, classifier() AS label ALL ROWS PER MATCH AFTER MATCH SKIP TO A PATTERN (A B+ C+ D?) SUBSET U = (C, D) DEFINE B AS B.value < PREV (B.value), C AS C.value > PREV (C.value), D AS false) AS m;
error: GENERIC_USER_ERROR AFTER MATCH SKIP failed: cannot skip to first row of match
SELECT m.id, m.match, m.val, m.label FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 80), (5, 70), (6, 80)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES match_number() AS match, RUNNING LAST(value) AS val, classifier() AS label ALL ROWS PER MATCH AFTER MATCH SKIP TO D PATTERN (A B+ C+ D?) SUBSET U = (C, D) DEFINE B AS B.value < PREV (B.value), C AS C.value > PREV (C.value), D AS false) AS m;
error: GENERIC_USER_ERROR AFTER MATCH SKIP failed: pattern variable is not present in match
-- Union variables.
SELECT m.id, m.match, m.val, m.lower_or_higher, m.label FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 80)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES match_number() AS match, RUNNING LAST(value) AS val, classifier(U) AS lower_or_higher, classifier(W) AS label ALL ROWS PER MATCH PATTERN ((L | H) A) SUBSET U = (L, H), W = (A, L, H) DEFINE A AS A.value = 80, L AS L.value < 80, H AS H.value > 80) AS m;
expect: [[1, 1, 90, "H", "H"], [2, 1, 80, "H", "A"], [3, 2, 70, "L", "L"], [4, 2, 80, "L", "A"]]
-- Navigation.
SELECT m.id, m.measure FROM (VALUES (1, 10), (2, 20), (3, 30)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES value AS measure ALL ROWS PER MATCH PATTERN (A+) DEFINE A AS true) AS m;
expect: [[1, 10], [2, 20], [3, 30]]
SELECT m.id, m.measure FROM (VALUES (1, 10), (2, 20), (3, 30)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES LAST(value) AS measure ALL ROWS PER MATCH PATTERN (A+) DEFINE A AS true) AS m;
expect: [[1, 10], [2, 20], [3, 30]]
SELECT m.id, m.measure FROM (VALUES (1, 10), (2, 20), (3, 30)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES RUNNING LAST(value) AS measure ALL ROWS PER MATCH PATTERN (A+) DEFINE A AS true) AS m;
expect: [[1, 10], [2, 20], [3, 30]]
SELECT m.id, m.measure FROM (VALUES (1, 10), (2, 20), (3, 30)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES FINAL LAST(value) AS measure ALL ROWS PER MATCH PATTERN (A+) DEFINE A AS true) AS m;
expect: [[1, 30], [2, 30], [3, 30]]
SELECT m.id, m.measure FROM (VALUES (1, 10), (2, 20), (3, 30)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES FIRST(value) AS measure ALL ROWS PER MATCH PATTERN (A+) DEFINE A AS true) AS m;
expect: [[1, 10], [2, 10], [3, 10]]
SELECT m.id, m.measure FROM (VALUES (1, 10), (2, 20), (3, 30)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES RUNNING FIRST(value) AS measure ALL ROWS PER MATCH PATTERN (A+) DEFINE A AS true) AS m;
expect: [[1, 10], [2, 10], [3, 10]]
SELECT m.id, m.measure FROM (VALUES (1, 10), (2, 20), (3, 30)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES FINAL FIRST(value) AS measure ALL ROWS PER MATCH PATTERN (A+) DEFINE A AS true) AS m;
expect: [[1, 10], [2, 10], [3, 10]]
SELECT m.id, m.measure FROM (VALUES (1, 10), (2, 20), (3, 30)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES FINAL LAST(value, 2) AS measure ALL ROWS PER MATCH PATTERN (A+) DEFINE A AS true) AS m;
expect: [[1, 10], [2, 10], [3, 10]]
SELECT m.id, m.measure FROM (VALUES (1, 10), (2, 20), (3, 30)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES FINAL FIRST(value, 2) AS measure ALL ROWS PER MATCH PATTERN (A+) DEFINE A AS true) AS m;
expect: [[1, 30], [2, 30], [3, 30]]
SELECT m.id, m.measure FROM (VALUES (1, 10), (2, 20), (3, 30)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES RUNNING FIRST(value, 2) AS measure ALL ROWS PER MATCH PATTERN (A+) DEFINE A AS true) AS m;
expect: [[1, null], [2, null], [3, 30]]
SELECT m.id, m.measure FROM (VALUES (1, 10), (2, 20), (3, 30)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES LAST(value, 10) AS measure ALL ROWS PER MATCH PATTERN (A+) DEFINE A AS true) AS m;
expect: [[1, null], [2, null], [3, null]]
SELECT m.id, m.measure FROM (VALUES (1, 10), (2, 20), (3, 30)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES FIRST(value, 10) AS measure ALL ROWS PER MATCH PATTERN (A+) DEFINE A AS true) AS m;
expect: [[1, null], [2, null], [3, null]]
SELECT m.id, m.measure FROM (VALUES (1, 10), (2, 20), (3, 30)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES PREV(value) AS measure ALL ROWS PER MATCH PATTERN (A+) DEFINE A AS true) AS m;
expect: [[1, null], [2, 10], [3, 20]]
SELECT m.id, m.measure FROM (VALUES (1, 10), (2, 20), (3, 30)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES NEXT(value) AS measure ALL ROWS PER MATCH PATTERN (A+) DEFINE A AS true) AS m;
expect: [[1, 20], [2, 30], [3, null]]
SELECT m.id, m.measure FROM (VALUES (1, 10), (2, 20), (3, 30)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES NEXT(FIRST(value), 2) AS measure ALL ROWS PER MATCH PATTERN (A+) DEFINE A AS true) AS m;
expect: [[1, 30], [2, 30], [3, 30]]
SELECT m.id, m.measure FROM (VALUES (1, 10), (2, 20), (3, 30)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES NEXT(FIRST(value), 10) AS measure ALL ROWS PER MATCH PATTERN (A+) DEFINE A AS true) AS m;
expect: [[1, null], [2, null], [3, null]]
SELECT m.id, m.measure FROM (VALUES (1, 10), (2, 20), (3, 30)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES PREV(FIRST(value), 10) AS measure ALL ROWS PER MATCH PATTERN (A+) DEFINE A AS true) AS m;
expect: [[1, null], [2, null], [3, null]]
SELECT m.id, m.measure FROM (VALUES (1, 10), (2, 20), (3, 30)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES PREV(FIRST(value, 10), 2) AS measure ALL ROWS PER MATCH PATTERN (A+) DEFINE A AS true) AS m;
expect: [[1, null], [2, null], [3, null]]
SELECT m.id, m.measure FROM (VALUES (1, 10), (2, 20), (3, 30)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES PREV(LAST(value, 10), 2) AS measure ALL ROWS PER MATCH PATTERN (A+) DEFINE A AS true) AS m;
expect: [[1, null], [2, null], [3, null]]
SELECT m.id, m.measure FROM (VALUES (1, 10), (2, 20), (3, 30)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES PREV(FINAL LAST(A.value, 1), 0) AS measure ALL ROWS PER MATCH PATTERN (A+) DEFINE A AS true) AS m;
expect: [[1, 20], [2, 20], [3, 20]]
SELECT m.id, m.measure FROM (VALUES (1, 10), (2, 20), (3, 30)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES NEXT(coalesce(value, -1)) AS measure ALL ROWS PER MATCH PATTERN (A+) DEFINE A AS true) AS m;
expect: [[1, 20], [2, 30], [3, -1]]
SELECT m.measure FROM (VALUES (1, 10), (2, 20), (3, 30), (4, 30), (5, 40)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES PREV(B.value, 4) AS measure ONE ROW PER MATCH PATTERN (A B) DEFINE B AS B.value = PREV(B.value)) AS m;
expect: [[null]]
SELECT m.measure FROM (VALUES (1, 10), (2, 20), (3, 30), (4, 30), (5, 40)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES PREV(B.value, 3) AS measure ONE ROW PER MATCH PATTERN (A B) DEFINE B AS B.value = PREV(B.value)) AS m;
expect: [[10]]
SELECT m.measure FROM (VALUES (1, 10), (2, 20), (3, 30), (4, 30), (5, 40)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES PREV(B.value, 2) AS measure ONE ROW PER MATCH PATTERN (A B) DEFINE B AS B.value = PREV(B.value)) AS m;
expect: [[20]]
SELECT m.measure FROM (VALUES (1, 10), (2, 20), (3, 30), (4, 30), (5, 40)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES NEXT(B.value, 1) AS measure ONE ROW PER MATCH PATTERN (A B) DEFINE B AS B.value = PREV(B.value)) AS m;
expect: [[40]]
SELECT m.measure FROM (VALUES (1, 10), (2, 20), (3, 30), (4, 30), (5, 40)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES NEXT(B.value, 2) AS measure ONE ROW PER MATCH PATTERN (A B) DEFINE B AS B.value = PREV(B.value)) AS m;
expect: [[null]]
SELECT m.id, m.value, m.label, m.next_label FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 80)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES CLASSIFIER() AS label, NEXT(CLASSIFIER()) AS next_label ALL ROWS PER MATCH PATTERN (A B+ C+) DEFINE B AS B.value < PREV (B.value), C AS C.value > PREV (C.value)) AS m;
expect: [[1, 90, "A", "B"], [2, 80, "B", "B"], [3, 70, "B", "C"], [4, 80, "C", null]]
SELECT m.id, m.val FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 80)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES value AS val ALL ROWS PER MATCH PATTERN (A+) DEFINE A AS NEXT(CLASSIFIER()) = 'A') AS m;
expect: []
SELECT m.id, m.label FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 80)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES CLASSIFIER() AS label ALL ROWS PER MATCH PATTERN (a "b"+ C+) DEFINE "b" AS "b".value < PREV("b".value), C AS C.value > PREV(C.value)) AS m;
expect: [[1, "A"], [2, "b"], [3, "b"], [4, "C"]]
SELECT m.id, m.label FROM (VALUES (1, 90), (2, 80), (3, 60)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES CAST(lower(LAST(CLASSIFIER())) || '_label' AS varchar(7)) AS label ALL ROWS PER MATCH PATTERN (A B+) DEFINE B AS B.value + 10 < abs(PREV (B.value))) AS m;
expect: [[2, "a_label"], [3, "b_label"]]
SELECT id, label, final_label, rv, fv, ar, af, br, bf, cr, cf FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 100), (5, 200)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES CLASSIFIER() AS label, FINAL LAST(CLASSIFIER()) AS final_label, RUNNING LAST(value) AS rv, FINAL LAST(value) AS fv, RUNNING LAST(A.value) AS ar, FINAL LAST(A.value) AS af, RUNNING LAST(B.value) AS br, FINAL LAST(B.value) AS bf, RUNNING LAST(C.value) AS cr, FINAL LAST(C.value) AS cf ALL ROWS PER MATCH PATTERN (A B+ C+) DEFINE B AS B.value < PREV (B.value), C AS C.value > PREV (C.value));
expect: [[1, "A", "C", 90, 200, 90, 90, null, 70, null, 200], [2, "B", "C", 80, 200, 90, 90, 80, 70, null, 200], [3, "B", "C", 70, 200, 90, 90, 70, 70, null, 200], [4, "C", "C", 100, 200, 90, 90, 70, 70, 100, 200], [5, "C", "C", 200, 200, 90, 90, 70, 70, 200, 200]]
-- Partitions and orders.
SELECT m.part as partition, m.id AS row_id, m.match, m.val, m.label FROM (VALUES (1, 'p1', 90), (2, 'p1', 80), (6, 'p1', 80), (2, 'p2', 20), (2, 'p3', 60), (1, 'p3', 50), (3, 'p1', 70), (4, 'p1', 80), (5, 'p1', 90), (1, 'p2', 20), (3, 'p3', 70), (3, 'p2', 10)) t(id, part, value) MATCH_RECOGNIZE (PARTITION BY part ORDER BY id MEASURES match_number() AS match, PREV(RUNNING LAST(value)) AS val, classifier() AS label ALL ROWS PER MATCH AFTER MATCH SKIP PAST LAST ROW PATTERN (B+) DEFINE B AS B.value < PREV (B.value)) AS m;
expect: [["p1", 2, 1, 90, "B"], ["p1", 3, 1, 80, "B"], ["p1", 6, 2, 90, "B"], ["p2", 3, 1, 20, "B"]]
SELECT m.part as partition, m.id AS row_id, m.match, m.val, m.label FROM (SELECT * FROM (VALUES (1, 'p1', 90)) WHERE false) t(id, part, value) MATCH_RECOGNIZE (PARTITION BY part ORDER BY id MEASURES match_number() AS match, PREV(RUNNING LAST(value)) AS val, classifier() AS label ALL ROWS PER MATCH AFTER MATCH SKIP PAST LAST ROW PATTERN (B+) DEFINE B AS B.value < PREV (B.value)) AS m;
expect: []
SELECT m.id AS row_id, m.match, m.val, m.label FROM (VALUES (5, 10), (2, 90), (1, 80), (4, 20), (3, 30)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES match_number() AS match, RUNNING LAST(value) AS val, classifier() AS label ALL ROWS PER MATCH PATTERN (B+) DEFINE B AS B.value < PREV (B.value)) AS m;
expect: [[3, 1, 30, "B"], [4, 1, 20, "B"], [5, 1, 10, "B"]]
SELECT m.id AS row_id, m.part as partition FROM (VALUES (5, 'p2', 10), (2, 'p1', 90), (1, 'p1', 80), (4, 'p2', 20), (3, 'p1', 30)) t(id, part, value) MATCH_RECOGNIZE (PARTITION BY part ORDER BY id ALL ROWS PER MATCH PATTERN (B+) DEFINE B AS B.value < PREV (B.value)) AS m;
expect: [[3, "p1"], [5, "p2"]]
SELECT * FROM (VALUES ('ordering', 'partitioning', 90)) t(id, part, value) MATCH_RECOGNIZE (PARTITION BY part ORDER BY id MEASURES CLASSIFIER() AS classy ALL ROWS PER MATCH PATTERN (A) DEFINE A AS true) AS m;
expect: [["partitioning", "ordering", "A", 90]]
types: varchar(12), varchar(8), varchar, integer
SELECT * FROM (VALUES ('ordering', 'partitioning', 90)) t(id, part, value) MATCH_RECOGNIZE (PARTITION BY part ORDER BY id MEASURES CLASSIFIER() AS classy ONE ROW PER MATCH PATTERN (A) DEFINE A AS true) AS m;
expect: [["partitioning", "A"]]
SELECT * FROM (VALUES ('ordering', 'partitioning', 90)) t(id, part, value) MATCH_RECOGNIZE (PARTITION BY part ORDER BY id ASC, id DESC MEASURES CLASSIFIER() AS classy ALL ROWS PER MATCH PATTERN (A) DEFINE A AS true) AS m;
expect: [["partitioning", "ordering", "ordering", "A", 90]]
SELECT first.classy, second.classy, third.classy FROM (VALUES (1), (2), (3)) t(id) MATCH_RECOGNIZE (ORDER BY id MEASURES CLASSIFIER() AS classy ALL ROWS PER MATCH PATTERN (A) DEFINE A AS true) AS first, (VALUES (10), (20)) t(id) MATCH_RECOGNIZE (ORDER BY id MEASURES CLASSIFIER() AS classy ALL ROWS PER MATCH PATTERN (B) DEFINE B AS true) AS second, (VALUES 100) t(id) MATCH_RECOGNIZE (ORDER BY id MEASURES CLASSIFIER() AS classy ALL ROWS PER MATCH PATTERN (C) DEFINE C AS true) AS third;
expect: [["A", "B", "C"], ["A", "B", "C"], ["A", "B", "C"], ["A", "B", "C"], ["A", "B", "C"], ["A", "B", "C"]]
-- Subqueries and lists inside.
SELECT m.val FROM (VALUES (1, 100), (2, 200), (3, 300), (4, 400)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES (SELECT 'x') AS val ONE ROW PER MATCH AFTER MATCH SKIP TO NEXT ROW PATTERN (A+) DEFINE A AS (SELECT true)) AS m;
expect: [["x"], ["x"], ["x"], ["x"]]
SELECT m.val FROM (VALUES (1, 100), (2, 200), (3, 300), (4, 400)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES FINAL LAST(A.value + (SELECT 1000)) AS val ONE ROW PER MATCH AFTER MATCH SKIP TO NEXT ROW PATTERN (A+) DEFINE A AS FIRST(A.value < 0 OR (SELECT true))) AS m;
expect: [[1400], [1400], [1400], [1400]]
SELECT m.val FROM (VALUES (1, 100), (2, 200), (3, 300), (4, 400)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES LAST(A.id < 0 OR 1 IN (SELECT 1)) AS val ONE ROW PER MATCH AFTER MATCH SKIP TO NEXT ROW PATTERN (A+) DEFINE A AS FIRST(A.id > 0 AND 1 IN (SELECT 1))) AS m;
expect: [[true], [true], [true], [true]]
SELECT m.val FROM (VALUES (1, 100), (2, 200), (3, 300), (4, 400)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES FIRST(id % 2 IN (SELECT 0)) AS val ONE ROW PER MATCH AFTER MATCH SKIP TO NEXT ROW PATTERN (A+) DEFINE A AS FIRST(value * 0 IN (SELECT 0))) AS m;
expect: [[false], [true], [false], [true]]
SELECT m.val FROM (VALUES (1, 100), (2, 200), (3, 300), (4, 400)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES LAST(A.value < 0 OR EXISTS(SELECT 1)) AS val ONE ROW PER MATCH AFTER MATCH SKIP TO NEXT ROW PATTERN (A+) DEFINE A AS FIRST(A.value < 0 OR EXISTS(SELECT 1))) AS m;
expect: [[true], [true], [true], [true]]
SELECT m.val FROM (VALUES (1, 100), (2, 200), (3, 300), (4, 400)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES FIRST(A.value) IN (300, LAST(A.value)) AS val ONE ROW PER MATCH AFTER MATCH SKIP TO NEXT ROW PATTERN (A+) DEFINE A AS true) AS m;
expect: [[false], [false], [true], [true]]
SELECT m.val FROM (VALUES (1, 100), (2, 200), (3, 300), (4, 400)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES CLASSIFIER() IN ('X', lower(CLASSIFIER())) AS val ONE ROW PER MATCH AFTER MATCH SKIP TO NEXT ROW PATTERN (A+) DEFINE A AS true) AS m;
expect: [[false], [false], [false], [false]]
SELECT m.val FROM (VALUES (1, 100), (2, 200), (3, 300), (4, 400)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES MATCH_NUMBER() IN (0, MATCH_NUMBER()) AS val ONE ROW PER MATCH AFTER MATCH SKIP TO NEXT ROW PATTERN (A+) DEFINE A AS true) AS m;
expect: [[true], [true], [true], [true]]
SELECT m.val FROM (VALUES (1, 100), (2, 200), (3, 300), (4, 400)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES A.value IN (SELECT 100) AS val ONE ROW PER MATCH AFTER MATCH SKIP TO NEXT ROW PATTERN (A+) DEFINE A AS true) AS m;
error: NOT_SUPPORTED line 1:118: IN-PREDICATE with labeled column reference is not yet supported
-- Patterns that could be tried in very many ways.
SELECT m.classy FROM (VALUES (1), (1), (1), (1), (1), (1), (1), (1), (1), (1), (1), (1), (1), (1), (1), (1), (1), (1), (1), (1)) t(value) MATCH_RECOGNIZE (MEASURES CLASSIFIER() AS classy PATTERN ((A+)+ B) DEFINE A AS value = 1, B AS value = 2) AS m;
expect: []
SELECT m.classy FROM (VALUES (1), (2), (3), (4), (5), (6), (7), (8), (9)) t(value) MATCH_RECOGNIZE (ORDER BY value MEASURES CLASSIFIER() AS classy ALL ROWS PER MATCH PATTERN ((A | B)+ LAST) DEFINE LAST AS FIRST(CLASSIFIER()) = 'B' AND FIRST(CLASSIFIER(), 1) = 'B' AND FIRST(CLASSIFIER(), 2) = 'B' AND FIRST(CLASSIFIER(), 3) = 'B' AND FIRST(CLASSIFIER(), 4) = 'B' AND FIRST(CLASSIFIER(), 5) = 'B' AND FIRST(CLASSIFIER(), 6) = 'B' AND FIRST(CLASSIFIER(), 7) = 'B') AS m;
expect: [["B"], ["B"], ["B"], ["B"], ["B"], ["B"], ["B"], ["B"], ["LAST"]]
SELECT count(*) FROM (SELECT * FROM TABLE(sequence(1, 200000)) t(n)) MATCH_RECOGNIZE (ORDER BY n ALL ROWS PER MATCH PATTERN ((A+)+ B) DEFINE A AS n < 150000, B AS n = 150001);
expect: [[0]]
-- Aggregates.
SELECT m.id, m.running_sum FROM (VALUES 1, 2, 3, 4, 5, 6, 7, 8) t(id) MATCH_RECOGNIZE (ORDER BY id MEASURES RUNNING sum(id) AS running_sum ALL ROWS PER MATCH AFTER MATCH SKIP PAST LAST ROW PATTERN (A*) DEFINE A AS true) AS m;
expect: [[1, 1], [2, 3], [3, 6], [4, 10], [5, 15], [6, 21], [7, 28], [8, 36]]
types: integer, bigint
SELECT m.id, m.running_labels FROM (VALUES 1, 2, 3, 4, 5, 6, 7, 8) t(id) MATCH_RECOGNIZE (ORDER BY id MEASURES RUNNING array_agg(CLASSIFIER(A)) AS running_labels ALL ROWS PER MATCH PATTERN (A*) DEFINE A AS true) AS m;
expect: [[1, ["A"]], [2, ["A", "A"]], [3, ["A", "A", "A"]], [4, ["A", "A", "A", "A"]], [5, ["A", "A", "A", "A", "A"]], [6, ["A", "A", "A", "A", "A", "A"]], [7, ["A", "A", "A", "A", "A", "A", "A"]], [8, ["A", "A", "A", "A", "A", "A", "A", "A"]]]
types: integer, array(varchar)
SELECT m.id, m.running_labels FROM (VALUES 1, 2, 3, 4, 5, 6, 7, 8) t(id) MATCH_RECOGNIZE (ORDER BY id MEASURES concat_ws('', RUNNING array_agg(lower(CLASSIFIER(U)))) AS running_labels ALL ROWS PER MATCH PATTERN (M A X X T C H "!") SUBSET U = (M, A, T, C, H, "!") DEFINE M AS true) AS m;
expect: [[1, "m"], [2, "ma"], [3, "ma"], [4, "ma"], [5, "mat"], [6, "matc"], [7, "match"], [8, "match!"]]
SELECT m.part as partition, m.id AS row_id, m.running_sum FROM (VALUES (1, 'p1', 1), (2, 'p1', 1), (6, 'p1', 1), (2, 'p2', 10), (2, 'p3', 100), (1, 'p3', 100), (3, 'p1', 1), (4, 'p1', 1), (5, 'p1', 1), (1, 'p2', 10), (3, 'p3', 100), (3, 'p2', 10)) t(id, part, value) MATCH_RECOGNIZE (PARTITION BY part ORDER BY id MEASURES RUNNING sum(value) AS running_sum ALL ROWS PER MATCH PATTERN (B+) DEFINE B AS true) AS m;
expect: [["p1", 1, 1], ["p1", 2, 2], ["p1", 3, 3], ["p1", 4, 4], ["p1", 5, 5], ["p1", 6, 6], ["p2", 1, 10], ["p2", 2, 20], ["p2", 3, 30], ["p3", 1, 100], ["p3", 2, 200], ["p3", 3, 300]]
SELECT m.part as partition, m.match_no, m.id AS row_id, m.running_sum FROM (VALUES (1, 'p1', 1), (2, 'p1', 1), (6, 'p1', 1), (2, 'p2', 10), (2, 'p3', 100), (1, 'p3', 100), (3, 'p1', 1), (4, 'p1', 1), (5, 'p1', 1), (1, 'p2', 10), (3, 'p3', 100), (3, 'p2', 10)) t(id, part, value) MATCH_RECOGNIZE (PARTITION BY part ORDER BY id MEASURES RUNNING sum(value) AS running_sum, MATCH_NUMBER() AS match_no ALL ROWS PER MATCH AFTER MATCH SKIP TO NEXT ROW PATTERN (B+) DEFINE B AS true) AS m;
expect: [["p1", 1, 1, 1], ["p1", 1, 2, 2], ["p1", 1, 3, 3], ["p1", 1, 4, 4], ["p1", 1, 5, 5], ["p1", 1, 6, 6], ["p1", 2, 2, 1], ["p1", 2, 3, 2], ["p1", 2, 4, 3], ["p1", 2, 5, 4], ["p1", 2, 6, 5], ["p1", 3, 3, 1], ["p1", 3, 4, 2], ["p1", 3, 5, 3], ["p1", 3, 6, 4], ["p1", 4, 4, 1], ["p1", 4, 5, 2], ["p1", 4, 6, 3], ["p1", 5, 5, 1], ["p1", 5, 6, 2], ["p1", 6, 6, 1], ["p2", 1, 1, 10], ["p2", 1, 2, 20], ["p2", 1, 3, 30], ["p2", 2, 2, 10], ["p2", 2, 3, 20], ["p2", 3, 3, 10], ["p3", 1, 1, 100], ["p3", 1, 2, 200], ["p3", 1, 3, 300], ["p3", 2, 2, 100], ["p3", 2, 3, 200], ["p3", 3, 3, 100]]
SELECT m.id, m.classy, m.a FROM (VALUES (1, 4), (2, 6), (3, 0)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES RUNNING avg(B.value) AS a, CLASSIFIER() AS classy ALL ROWS PER MATCH PATTERN ((A | B)*) DEFINE A AS avg(B.value) = 5) AS m;
expect: [[1, "B", 4.0], [2, "B", 5.0], [3, "A", 5.0]]
SELECT m.id, m.classy, m.a FROM (VALUES (1, 4), (2, 6), (3, 0), (4, 5)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES RUNNING avg(A.value) AS a, CLASSIFIER() AS classy ALL ROWS PER MATCH PATTERN ((A | B)*) DEFINE A AS avg(A.value) = 5) AS m;
expect: [[1, "B", null], [2, "B", null], [3, "B", null], [4, "A", 5.0]]
SELECT m.part as partition, m.id AS row_id, m.running_sum FROM (VALUES (1, 'p1', 1), (2, 'p1', 1), (6, 'p1', 1), (2, 'p2', 10), (2, 'p3', 100), (1, 'p3', 100), (3, 'p1', 1), (4, 'p1', 1), (5, 'p1', 1), (1, 'p2', 10), (3, 'p3', 100), (3, 'p2', 10)) t(id, part, value) MATCH_RECOGNIZE (PARTITION BY part ORDER BY id MEASURES RUNNING sum(value) AS running_sum ALL ROWS PER MATCH PATTERN (B (A | B) B) DEFINE A AS sum(value) > 1000) AS m;
expect: [["p1", 1, 1], ["p1", 2, 2], ["p1", 3, 3], ["p1", 4, 1], ["p1", 5, 2], ["p1", 6, 3], ["p2", 1, 10], ["p2", 2, 20], ["p2", 3, 30], ["p3", 1, 100], ["p3", 2, 200], ["p3", 3, 300]]
SELECT m.part as partition, m.id AS row_id, m.classy, m.running_sum FROM (VALUES (1, 'p1', 1), (2, 'p1', 1), (3, 'p1', 1), (4, 'p1', 1), (5, 'p1', 1), (1, 'p2', 2), (2, 'p2', 2), (3, 'p2', 2), (4, 'p2', 2), (5, 'p2', 2)) t(id, part, value) MATCH_RECOGNIZE (PARTITION BY part ORDER BY id MEASURES RUNNING sum(value) AS running_sum, CLASSIFIER() AS classy ALL ROWS PER MATCH PATTERN ((A | B)*) DEFINE A AS sum(value) > 4) AS m;
expect: [["p1", 1, "B", 1], ["p1", 2, "B", 2], ["p1", 3, "B", 3], ["p1", 4, "B", 4], ["p1", 5, "A", 5], ["p2", 1, "B", 2], ["p2", 2, "B", 4], ["p2", 3, "A", 6], ["p2", 4, "A", 8], ["p2", 5, "A", 10]]
SELECT m.id, m.a FROM (VALUES (1, 10), (2, 20), (3, 30), (4, 40)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES count(*) AS a ALL ROWS PER MATCH PATTERN ((A B)+) DEFINE A AS true) AS m;
expect: [[1, 1], [2, 2], [3, 3], [4, 4]]
SELECT m.id, m.a FROM (VALUES (1, 10), (2, 20), (3, 30), (4, 40)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES FINAL count(*) AS a ALL ROWS PER MATCH PATTERN ((A B)+) DEFINE A AS true) AS m;
expect: [[1, 4], [2, 4], [3, 4], [4, 4]]
SELECT m.id, m.a FROM (VALUES (1, 10), (2, 20), (3, 30), (4, 40)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES count(A.*) AS a ALL ROWS PER MATCH PATTERN ((A B)+) DEFINE A AS true) AS m;
expect: [[1, 1], [2, 1], [3, 2], [4, 2]]
SELECT m.id, m.a FROM (VALUES (1, 10), (2, 20), (3, 30), (4, 40)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES RUNNING count(B.*) AS a ALL ROWS PER MATCH PATTERN ((A B)+) DEFINE A AS true) AS m;
expect: [[1, 0], [2, 1], [3, 1], [4, 2]]
SELECT m.id, m.a FROM (VALUES (1, 10), (2, 20), (3, 30), (4, 40)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES FINAL count(B.value) AS a ALL ROWS PER MATCH PATTERN ((A B)+) DEFINE A AS true) AS m;
expect: [[1, 2], [2, 2], [3, 2], [4, 2]]
SELECT m.id, m.a FROM (VALUES (1, 10), (2, 20), (3, 30), (4, 40)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES sum(A.value + 1) AS a ALL ROWS PER MATCH PATTERN ((A B)+) DEFINE A AS true) AS m;
expect: [[1, 11], [2, 11], [3, 42], [4, 42]]
SELECT m.id, m.a FROM (VALUES (1, 10), (2, 20), (3, 30), (4, 40)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES FINAL sum(B.value * MATCH_NUMBER()) AS a ALL ROWS PER MATCH PATTERN ((A B)+) DEFINE A AS true) AS m;
expect: [[1, 60], [2, 60], [3, 60], [4, 60]]
SELECT m.id, m.a FROM (VALUES (1, 10), (2, 20), (3, 30), (4, 40)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES max_by(A.id, A.value) AS a ALL ROWS PER MATCH PATTERN ((A B)+) DEFINE A AS true) AS m;
expect: [[1, 1], [2, 1], [3, 3], [4, 3]]
SELECT m.id, m.a FROM (VALUES (1, 10), (2, 20), (3, 30), (4, 40)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES count(*) * 100 + count(B.*) AS a ALL ROWS PER MATCH PATTERN ((A B)+) DEFINE A AS true) AS m;
expect: [[1, 100], [2, 201], [3, 301], [4, 402]]
SELECT m.id, m.a FROM (VALUES (1, 10), (2, 20), (3, 30), (4, 40)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES sum(1) AS a ALL ROWS PER MATCH PATTERN ((A B)+) DEFINE A AS true) AS m;
expect: [[1, 1], [2, 2], [3, 3], [4, 4]]
SELECT m.id, m.a FROM (VALUES (1, 10), (2, 20), (3, 30), (4, 40)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES array_agg(value) AS a ALL ROWS PER MATCH PATTERN ((A B)+) DEFINE A AS true) AS m;
expect: [[1, [10]], [2, [10, 20]], [3, [10, 20, 30]], [4, [10, 20, 30, 40]]]
SELECT m.id, m.a FROM (VALUES (1, 10), (2, 20), (3, 30), (4, 40)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES approx_distinct(value % 20) AS a ALL ROWS PER MATCH PATTERN ((A B)+) DEFINE A AS true) AS m;
expect: [[1, 1], [2, 2], [3, 2], [4, 2]]
SELECT m.id, m.a FROM (VALUES (1, 10), (2, 20), (3, 30), (4, 40)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES max(CASE WHEN CLASSIFIER() = 'B' THEN value END) AS a ALL ROWS PER MATCH PATTERN ((A B)+) DEFINE A AS true) AS m;
expect: [[1, null], [2, 20], [3, 20], [4, 40]]
SELECT m.id, m.a FROM (VALUES (1, 10), (2, 20), (3, 30), (4, 40)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES set_agg(CLASSIFIER()) AS a ALL ROWS PER MATCH PATTERN ((A B)+) DEFINE A AS true) AS m;
expect: [[1, ["A"]], [2, ["A", "B"]], [3, ["A", "B"]], [4, ["A", "B"]]]
SELECT m.id, m.a FROM (VALUES (1, 10), (2, 20), (3, 30), (4, 40)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES min(value) + max(A.value) AS a ALL ROWS PER MATCH PATTERN ((A B)+) DEFINE A AS true) AS m;
expect: [[1, 20], [2, 20], [3, 40], [4, 40]]
SELECT m.id, m.a FROM (VALUES (1, 10), (2, 20), (3, 30), (4, 40)) t(id, value) MATCH_RECOGNIZE (ORDER BY id MEASURES map_agg(A.id, A.value) AS a ALL ROWS PER MATCH PATTERN ((A B)+) DEFINE A AS true) AS m;
expect: [[1, {"1": 10}], [2, {"1": 10}], [3, {"1": 10, "3": 30}], [4, {"1": 10, "3": 30}]]
SELECT m.a, m.b FROM (VALUES 1) t(id) MATCH_RECOGNIZE (MEASURES count(*) AS a, sum(id) AS b PATTERN (A{,3}?) DEFINE A AS true) AS m;
expect: [[0, null]]
-- Over tables: held against windows, and spread over workers.
SELECT custkey, orderkey, n FROM orders MATCH_RECOGNIZE (PARTITION BY custkey ORDER BY orderkey MEASURES count(*) AS n ALL ROWS PER MATCH PATTERN (A+) DEFINE A AS true) WHERE custkey < 500;
duckdb: SELECT custkey, orderkey, row_number() OVER (PARTITION BY custkey ORDER BY orderkey) FROM orders WHERE custkey < 500;
SELECT custkey, count(*), sum(n), max(total) FROM orders MATCH_RECOGNIZE (PARTITION BY custkey ORDER BY orderdate, orderkey MEASURES count(*) AS n, sum(totalprice) AS total PATTERN (A B*) DEFINE B AS totalprice > PREV(totalprice)) GROUP BY custkey;
duckdb: WITH s AS (SELECT *, CASE WHEN totalprice > lag(totalprice) OVER w THEN 0 ELSE 1 END AS starts FROM orders WINDOW w AS (PARTITION BY custkey ORDER BY orderdate, orderkey)), r AS (SELECT *, sum(starts) OVER (PARTITION BY custkey ORDER BY orderdate, orderkey) AS run FROM s), g AS (SELECT custkey, run, count(*) AS n, sum(totalprice) AS total FROM r GROUP BY custkey, run) SELECT custkey, count(*), CAST(sum(n) AS bigint), max(total) FROM g GROUP BY custkey;
SELECT orderkey, linenumber, label, prior, following FROM lineitem MATCH_RECOGNIZE (PARTITION BY orderkey ORDER BY linenumber MEASURES CLASSIFIER() AS label, PREV(partkey) AS prior, NEXT(partkey, 2) AS following ALL ROWS PER MATCH PATTERN ((UP | DOWN)+) DEFINE UP AS quantity >= 25);
duckdb: SELECT orderkey, linenumber, CASE WHEN quantity >= 25 THEN 'UP' ELSE 'DOWN' END, lag(partkey) OVER w, lead(partkey, 2) OVER w FROM lineitem WINDOW w AS (PARTITION BY orderkey ORDER BY linenumber);
SELECT count(*), sum(firstline), sum(n) FROM lineitem MATCH_RECOGNIZE (PARTITION BY orderkey ORDER BY linenumber MEASURES FIRST(linenumber) AS firstline, count(*) AS n AFTER MATCH SKIP TO NEXT ROW PATTERN (A+ $) DEFINE A AS true);
duckdb: SELECT count(*), CAST(sum(linenumber) AS bigint), CAST(sum(c - linenumber + 1) AS bigint) FROM (SELECT linenumber, count(*) OVER (PARTITION BY orderkey) AS c FROM lineitem);
SELECT n.name, m.c FROM nation n JOIN (SELECT * FROM customer MATCH_RECOGNIZE (PARTITION BY nationkey ORDER BY custkey MEASURES count(*) AS c PATTERN (A+) DEFINE A AS acctbal > 0 OR acctbal <= 0)) m ON m.nationkey = n.nationkey;
duckdb: SELECT n.name, count(*) FROM nation n JOIN customer c USING (nationkey) GROUP BY n.name;
SELECT r.name, (SELECT max(c) FROM nation n MATCH_RECOGNIZE (PARTITION BY regionkey ORDER BY nationkey MEASURES count(*) AS c PATTERN (A+) DEFINE A AS true) m WHERE m.regionkey = r.regionkey) FROM region r;
duckdb: SELECT name, 5 FROM region;
-- Mistakes.
SELECT * FROM (VALUES (1, 90)) t(id, value) MATCH_RECOGNIZE (PATTERN (A B) SUBSET A = (B) DEFINE A AS true) AS m;
error: INVALID_LABEL line 1:83: union pattern variable name: A is a duplicate of primary pattern variable name
SELECT * FROM (VALUES (1, 90)) t(id, value) MATCH_RECOGNIZE (PATTERN (A B) SUBSET U = (A), U = (B) DEFINE A AS true) AS m;
error: INVALID_LABEL line 1:92: union pattern variable name: U is declared twice
SELECT * FROM (VALUES (1, 90)) t(id, value) MATCH_RECOGNIZE (PATTERN (A B) SUBSET U = (A, C) DEFINE A AS true) AS m;
error: INVALID_LABEL line 1:91: subset element: C is not a primary pattern variable
SELECT * FROM (VALUES (1, 90)) t(id, value) MATCH_RECOGNIZE (PATTERN (A B) DEFINE C AS true) AS m;
error: INVALID_LABEL line 1:83: defined variable: C is not a primary pattern variable
SELECT * FROM (VALUES (1, 90)) t(id, value) MATCH_RECOGNIZE (PATTERN (A B) DEFINE A AS true, A AS false) AS m;
error: INVALID_LABEL line 1:94: pattern variable with name: A is defined twice
SELECT * FROM (VALUES (1, 90)) t(id, value) MATCH_RECOGNIZE (AFTER MATCH SKIP TO X PATTERN (A B) DEFINE A AS true) AS m;
error: INVALID_LABEL line 1:82: X is not a primary or union pattern variable
SELECT * FROM (VALUES (1, 90)) t(id, value) MATCH_RECOGNIZE (PATTERN (A) DEFINE A AS FINAL LAST(A.value) > 1) AS m;
error: INVALID_PROCESSING_MODE line 1:86: FINAL semantics is not supported in DEFINE clause
SELECT * FROM (VALUES (1, 90)) t(id, value) MATCH_RECOGNIZE (PATTERN (A{0,0}) DEFINE A AS true) AS m;
error: NUMERIC_VALUE_OUT_OF_RANGE line 1:72: Pattern quantifier upper bound must be greater than or equal to 1
SELECT * FROM (VALUES (1, 90)) t(id, value) MATCH_RECOGNIZE (PATTERN (A{2147483648,}) DEFINE A AS true) AS m;
error: NUMERIC_VALUE_OUT_OF_RANGE line 1:72: Pattern quantifier lower bound must not exceed 2147483647
SELECT * FROM (VALUES (1, 90)) t(id, value) MATCH_RECOGNIZE (PATTERN (A{,2147483648}) DEFINE A AS true) AS m;
error: NUMERIC_VALUE_OUT_OF_RANGE line 1:72: Pattern quantifier upper bound must not exceed 2147483647
SELECT * FROM (VALUES (1, 90)) t(id, value) MATCH_RECOGNIZE (PATTERN (A{3,2}) DEFINE A AS true) AS m;
error: INVALID_RANGE line 1:72: Pattern quantifier lower bound must not exceed upper bound
SELECT * FROM (VALUES (1, 90)) t(id, value) MATCH_RECOGNIZE (PATTERN (A{2147483647}) DEFINE A AS true) AS m;
error: NOT_SUPPORTED line 1:71: Row pattern is too large: more than 100000 steps with its repetitions and permutations written out
SELECT * FROM (VALUES (1, 90)) t(id, value) MATCH_RECOGNIZE (INITIAL PATTERN (A) DEFINE A AS true) AS m;
error: NOT_SUPPORTED line 1:62: Pattern search modifier: INITIAL is not allowed in MATCH_RECOGNIZE clause
SELECT * FROM (VALUES (1, 90)) t(id, value) MATCH_RECOGNIZE (ALL ROWS PER MATCH WITH UNMATCHED ROWS PATTERN ({- A -}) DEFINE A AS true) AS m;
error: INVALID_ROW_PATTERN line 1:110: Pattern exclusion syntax is not allowed when ALL ROWS PER MATCH WITH UNMATCHED ROWS is specified
SELECT * FROM (VALUES (1, 90)) t(id, value) MATCH_RECOGNIZE (MEASURES (SELECT 1 FROM (VALUES 1) u(x) MATCH_RECOGNIZE (PATTERN (B) DEFINE B AS true)) AS x PATTERN (A) DEFINE A AS true) AS m;
error: NESTED_ROW_PATTERN_RECOGNITION line 1:86: nested row pattern recognition in row pattern recognition
SELECT * FROM (VALUES (1, 90)) t(id, value) MATCH_RECOGNIZE (PARTITION BY x PATTERN (A) DEFINE A AS true) AS m;
error: COLUMN_NOT_FOUND line 1:75: Column x is not present in the input relation
SELECT * FROM (VALUES (1, 90)) t(id, value) MATCH_RECOGNIZE (PARTITION BY id + 1 PATTERN (A) DEFINE A AS true) AS m;
error: INVALID_COLUMN_REFERENCE line 1:78: Expected column reference. Actual: (id + 1)
SELECT * FROM (VALUES (1, 90)) t(id, value) MATCH_RECOGNIZE (ORDER BY x PATTERN (A) DEFINE A AS true) AS m;
error: COLUMN_NOT_FOUND line 1:71: Column x is not present in the input relation
SELECT * FROM (VALUES (1, 90)) t(id, value) MATCH_RECOGNIZE (PATTERN (A) DEFINE A AS 1) AS m;
error: TYPE_MISMATCH line 1:86: Expression defining a label must be boolean (actual type: integer)
SELECT * FROM (VALUES (1, 90)) t(id, value) MATCH_RECOGNIZE (MEASURES FIRST(LAST(value)) AS x PATTERN (A) DEFINE A AS true) AS m;
error: INVALID_NAVIGATION_NESTING line 1:77: Cannot nest last pattern navigation function inside first pattern navigation function
SELECT * FROM (VALUES (1, 90)) t(id, value) MATCH_RECOGNIZE (MEASURES PREV(NEXT(value)) AS x PATTERN (A) DEFINE A AS true) AS m;
error: INVALID_NAVIGATION_NESTING line 1:76: Cannot nest next pattern navigation function inside prev pattern navigation function
SELECT * FROM (VALUES (1, 90)) t(id, value) MATCH_RECOGNIZE (MEASURES PREV(LAST(value) + FIRST(value)) AS x PATTERN (A) DEFINE A AS true) AS m;
error: INVALID_NAVIGATION_NESTING line 1:90: Cannot nest multiple pattern navigation functions inside prev pattern navigation function
SELECT * FROM (VALUES (1, 90)) t(id, value) MATCH_RECOGNIZE (MEASURES PREV(LAST(value) + 1) AS x PATTERN (A) DEFINE A AS true) AS m;
error: INVALID_NAVIGATION_NESTING line 1:76: Immediate nesting is required for pattern navigation functions
SELECT * FROM (VALUES (1, 90)) t(id, value) MATCH_RECOGNIZE (MEASURES PREV() AS x PATTERN (A) DEFINE A AS true) AS m;
error: INVALID_FUNCTION_ARGUMENT line 1:71: prev pattern recognition function requires 1 or 2 arguments
SELECT * FROM (VALUES (1, 90)) t(id, value) MATCH_RECOGNIZE (MEASURES PREV(value, id) AS x PATTERN (A) DEFINE A AS true) AS m;
error: INVALID_FUNCTION_ARGUMENT line 1:71: prev pattern recognition navigation function requires a number as the second argument
SELECT * FROM (VALUES (1, 90)) t(id, value) MATCH_RECOGNIZE (MEASURES LAST(value, 2147483648) AS x PATTERN (A) DEFINE A AS true) AS m;
error: NUMERIC_VALUE_OUT_OF_RANGE line 1:71: The second argument of last pattern recognition navigation function must not exceed 2147483647 (actual: 2147483648)
SELECT * FROM (VALUES (1, 90)) t(id, value) MATCH_RECOGNIZE (MEASURES LAST(1) AS x PATTERN (A) DEFINE A AS true) AS m;
error: INVALID_ARGUMENTS line 1:71: Pattern navigation function last must contain at least one column reference or CLASSIFIER()
SELECT * FROM (VALUES (1, 90)) t(id, value) MATCH_RECOGNIZE (MEASURES LAST(A.value + B.value) AS x PATTERN (A B) DEFINE A AS true) AS m;
error: INVALID_ARGUMENTS line 1:76: Column references inside argument of function last must all either be prefixed with the same label or be not prefixed
SELECT * FROM (VALUES (1, 90)) t(id, value) MATCH_RECOGNIZE (MEASURES LAST(A.value + value) AS x PATTERN (A B) DEFINE A AS true) AS m;
error: INVALID_ARGUMENTS line 1:76: Column references inside argument of function last must all either be prefixed with the same label or be not prefixed
SELECT * FROM (VALUES (1, 90)) t(id, value) MATCH_RECOGNIZE (MEASURES LAST(CLASSIFIER() || CLASSIFIER(A)) AS x PATTERN (A B) DEFINE A AS true) AS m;
error: INVALID_ARGUMENTS line 1:71: CLASSIFIER() calls inside argument of function last must all either have the same label as the argument or have no arguments
SELECT * FROM (VALUES (1, 90)) t(id, value) MATCH_RECOGNIZE (MEASURES LAST(CAST(A.value AS varchar) || CLASSIFIER()) AS x PATTERN (A B) DEFINE A AS true) AS m;
error: INVALID_ARGUMENTS line 1:71: Column references inside argument of function last must all be prefixed with the same label that all CLASSIFIER() calls have as the argument
SELECT * FROM (VALUES (1, 90)) t(id, value) MATCH_RECOGNIZE (MEASURES max_by(A.value, B.value) AS x PATTERN (A B) DEFINE A AS true) AS m;
error: INVALID_ARGUMENTS line 1:71: All aggregate function arguments must apply to rows matched with the same label
SELECT * FROM (VALUES (1, 90)) t(id, value) MATCH_RECOGNIZE (MEASURES CLASSIFIER(A, B) AS x PATTERN (A B) DEFINE A AS true) AS m;
error: INVALID_FUNCTION_ARGUMENT line 1:71: CLASSIFIER pattern recognition function takes no arguments or 1 argument
SELECT * FROM (VALUES (1, 90)) t(id, value) MATCH_RECOGNIZE (MEASURES CLASSIFIER(X) AS x PATTERN (A B) DEFINE A AS true) AS m;
error: INVALID_FUNCTION_ARGUMENT line 1:82: X is not a primary pattern variable or subset name
SELECT * FROM (VALUES (1, 90)) t(id, value) MATCH_RECOGNIZE (MEASURES MATCH_NUMBER(1) AS x PATTERN (A B) DEFINE A AS true) AS m;
error: INVALID_FUNCTION_ARGUMENT line 1:71: MATCH_NUMBER pattern recognition function takes no arguments
SELECT * FROM (VALUES (1, 90)) t(id, value) MATCH_RECOGNIZE (MEASURES LAST(value) OVER () AS x PATTERN (A) DEFINE A AS true) AS m;
error: NESTED_WINDOW line 1:71: Cannot nest window functions or row pattern measures inside pattern recognition expressions
SELECT * FROM (VALUES (1, 90)) t(id, value) MATCH_RECOGNIZE (MEASURES LAST(DISTINCT value) AS x PATTERN (A) DEFINE A AS true) AS m;
error: INVALID_PATTERN_RECOGNITION_FUNCTION line 1:71: Cannot use DISTINCT with last pattern recognition function
SELECT * FROM (VALUES (1, 90)) t(id, value) MATCH_RECOGNIZE (MEASURES LAST(value) FILTER (WHERE true) AS x PATTERN (A) DEFINE A AS true) AS m;
error: INVALID_PATTERN_RECOGNITION_FUNCTION line 1:71: Cannot use FILTER with last pattern recognition function
SELECT * FROM (VALUES (1, 90)) t(id, value) MATCH_RECOGNIZE (MEASURES RUNNING PREV(value) AS x PATTERN (A) DEFINE A AS true) AS m;
error: INVALID_PROCESSING_MODE line 1:71: RUNNING semantics is not supported with prev pattern recognition function
SELECT * FROM (VALUES (1, 90)) t(id, value) MATCH_RECOGNIZE (MEASURES RUNNING lower(CLASSIFIER()) AS x PATTERN (A) DEFINE A AS true) AS m;
error: INVALID_PROCESSING_MODE line 1:71: RUNNING semantics is supported only for FIRST(), LAST() and aggregation functions. Actual: lower
SELECT * FROM (VALUES (1, 90)) t(id, value) MATCH_RECOGNIZE (MEASURES sum(LAST(value)) AS x PATTERN (A) DEFINE A AS true) AS m;
error: INVALID_NAVIGATION_NESTING line 1:75: Cannot nest last pattern navigation function inside sum function
SELECT * FROM (VALUES (1, 90)) t(id, value) MATCH_RECOGNIZE (MEASURES LAST(sum(value)) AS x PATTERN (A) DEFINE A AS true) AS m;
error: NESTED_AGGREGATION line 1:76: Cannot nest sum aggregate function inside last function
SELECT * FROM (VALUES (1, 90)) t(id, value) MATCH_RECOGNIZE (MEASURES sum(avg(value)) AS x PATTERN (A) DEFINE A AS true) AS m;
error: NESTED_AGGREGATION line 1:75: Cannot nest avg aggregate function inside sum function
SELECT * FROM (VALUES (1, 90)) t(id, value) MATCH_RECOGNIZE (MEASURES sum(DISTINCT value) AS x PATTERN (A) DEFINE A AS true) AS m;
error: NOT_SUPPORTED line 1:71: Cannot use DISTINCT with sum aggregate function in pattern recognition context
SELECT * FROM (VALUES (1, 90)) t(id, value) MATCH_RECOGNIZE (MEASURES sum(value) FILTER (WHERE true) AS x PATTERN (A) DEFINE A AS true) AS m;
error: NOT_SUPPORTED line 1:71: Cannot use FILTER with sum aggregate function in pattern recognition context
SELECT * FROM (VALUES (1, 90)) t(id, value) MATCH_RECOGNIZE (MEASURES array_agg(value ORDER BY value) AS x PATTERN (A) DEFINE A AS true) AS m;
error: NOT_SUPPORTED line 1:71: Cannot use ORDER BY with array_agg aggregate function in pattern recognition context
SELECT * FROM (VALUES (1, 90)) t(id, value) MATCH_RECOGNIZE (MEASURES sum(value) OVER () AS x PATTERN (A) DEFINE A AS true) AS m;
error: NESTED_WINDOW line 1:71: Cannot nest window functions or row pattern measures inside pattern recognition expressions
SELECT * FROM (VALUES (1, 90)) t(id, value) MATCH_RECOGNIZE (MEASURES count(X.*) AS x PATTERN (A) DEFINE A AS true) AS m;
error: INVALID_FUNCTION_ARGUMENT line 1:77: X is not a primary pattern variable or subset name
SELECT * FROM (VALUES (1, 90)) t(id, value) MATCH_RECOGNIZE (MEASURES sum(A.*) AS x PATTERN (A) DEFINE A AS true) AS m;
error: INVALID_FUNCTION_ARGUMENT line 1:75: label.* syntax is only supported as the only argument of row pattern count function
SELECT * FROM (VALUES (1, 90)) t(id, value) MATCH_RECOGNIZE (MEASURES A.x AS x PATTERN (A) DEFINE A AS true) AS m;
error: COLUMN_NOT_FOUND line 1:71: Column x prefixed with label A cannot be resolved
SELECT * FROM (VALUES (1, 90)) t(id, value) MATCH_RECOGNIZE (PATTERN () DEFINE A AS true) AS m;
error: SYNTAX_ERROR line 1:71: mismatched input ')'. Expecting: '$', '(', '^', '{-', <identifier>
SELECT * FROM (VALUES (1, 90)) t(id, value) MATCH_RECOGNIZE (PATTERN (A)) AS m;
error: SYNTAX_ERROR line 1:73: mismatched input ')'. Expecting: 'DEFINE', 'SUBSET'
SELECT RUNNING sum(nationkey) FROM nation;
error: INVALID_PROCESSING_MODE line 1:8: RUNNING semantics is not supported out of pattern recognition context
SELECT count(nation.*) FROM nation;
error: INVALID_FUNCTION_ARGUMENT line 1:14: label.* syntax is only supported as the only argument of row pattern count function
SELECT * FROM TABLE(sequence(1, 2)) MATCH_RECOGNIZE (PATTERN (A) DEFINE A AS true);
error: INVALID_TABLE_FUNCTION_INVOCATION line 1:21: Cannot apply row pattern matching to polymorphic table function invocation
SELECT * FROM (VALUES (1, 90)) t(id, value) MATCH_RECOGNIZE (MEASURES 10 / (value - 90) AS x PATTERN (A) DEFINE A AS true) AS m;
error: DIVISION_BY_ZERO Division by zero
SELECT count(*) FROM (VALUES (1, 90)) t(id, value) MATCH_RECOGNIZE (MEASURES id AS x PATTERN (A) DEFINE A AS 10 / (value - 90) = 1) AS m;
error: DIVISION_BY_ZERO Division by zero
SELECT id FROM (VALUES (1, 90), (2, 91), (3, 90)) t(id, value) MATCH_RECOGNIZE (ORDER BY id ALL ROWS PER MATCH AFTER MATCH SKIP PAST LAST ROW PATTERN (^ A B?) DEFINE B AS id > 1 AND 10 / (value - 90) = 10);
expect: [[1], [2]]
