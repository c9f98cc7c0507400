-- Windows with a row pattern, with the values of the tests of Trino.
SELECT id, val OVER w, label OVER w FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 80), (5, 90), (6, 50), (7, 40), (8, 60)) t(id, value) WINDOW w AS (ORDER BY id MEASURES RUNNING LAST(value) AS val, CLASSIFIER() AS label ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING AFTER MATCH SKIP PAST LAST ROW PATTERN (A B+ C+) DEFINE B AS B.value < PREV(B.value), C AS C.value > PREV(C.value));
expect: [[1, 90, "C"], [2, null, null], [3, null, null], [4, null, null], [5, null, null], [6, 60, "C"], [7, null, null], [8, null, null]]
types: integer, integer, varchar
-- The rows in front of the current row are outside of the frame, and are not seen.
SELECT id, val OVER w, label OVER w FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 70)) t(id, value) WINDOW w AS (ORDER BY id MEASURES RUNNING LAST(value) AS val, CLASSIFIER() AS label ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING AFTER MATCH SKIP PAST LAST ROW PATTERN (() | A) DEFINE A AS true);
expect: [[1, null, null], [2, null, null], [3, null, null], [4, null, null]]
SELECT id, val OVER w, label OVER w FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 70)) t(id, value) WINDOW w AS (ORDER BY id MEASURES RUNNING LAST(value) AS val, CLASSIFIER() AS label ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING AFTER MATCH SKIP PAST LAST ROW PATTERN (A B C) DEFINE B AS B.value < PREV(B.value), C AS C.value = PREV(C.value));
expect: [[1, null, null], [2, 70, "C"], [3, null, null], [4, null, null]]
SELECT id, val OVER w, label OVER w FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 70)) t(id, value) WINDOW w AS (ORDER BY id MEASURES RUNNING LAST(value) AS val, CLASSIFIER() AS label ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING AFTER MATCH SKIP PAST LAST ROW PATTERN (B | C | A) DEFINE B AS B.value < PREV(B.value), C AS C.value <= PREV(C.value));
expect: [[1, 90, "A"], [2, 80, "A"], [3, 70, "A"], [4, 70, "A"]]
SELECT id, val OVER w, label OVER w FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 70)) t(id, value) WINDOW w AS (ORDER BY id MEASURES RUNNING LAST(value) AS val, CLASSIFIER() AS label ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING AFTER MATCH SKIP PAST LAST ROW PATTERN (PERMUTE(B, C, A)) DEFINE B AS B.value < PREV(B.value), C AS C.value < PREV(C.value));
expect: [[1, 70, "C"], [2, null, null], [3, null, null], [4, null, null]]
SELECT id, val OVER w, label OVER w FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 70)) t(id, value) WINDOW w AS (ORDER BY id MEASURES RUNNING LAST(value) AS val, CLASSIFIER() AS label ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING AFTER MATCH SKIP PAST LAST ROW PATTERN (((A) (B (C)))) DEFINE B AS B.value < PREV(B.value), C AS C.value = PREV(C.value));
expect: [[1, null, null], [2, 70, "C"], [3, null, null], [4, null, null]]
-- Quantifiers, greedy and reluctant.
SELECT id, val OVER w, label OVER w FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 70)) t(id, value) WINDOW w AS (ORDER BY id MEASURES RUNNING LAST(value) AS val, CLASSIFIER() AS label ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING AFTER MATCH SKIP PAST LAST ROW PATTERN (A B*) DEFINE B AS B.value <= PREV(B.value));
expect: [[1, 70, "B"], [2, null, null], [3, null, null], [4, null, null]]
SELECT id, val OVER w, label OVER w FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 70)) t(id, value) WINDOW w AS (ORDER BY id MEASURES RUNNING LAST(value) AS val, CLASSIFIER() AS label ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING AFTER MATCH SKIP PAST LAST ROW PATTERN (B*?) DEFINE B AS B.value <= PREV(B.value));
expect: [[1, null, null], [2, null, null], [3, null, null], [4, null, null]]
SELECT id, val OVER w, label OVER w FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 70)) t(id, value) WINDOW w AS (ORDER BY id MEASURES RUNNING LAST(value) AS val, CLASSIFIER() AS label ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING AFTER MATCH SKIP PAST LAST ROW PATTERN (A B+) DEFINE B AS B.value <= PREV(B.value));
expect: [[1, 70, "B"], [2, null, null], [3, null, null], [4, null, null]]
SELECT id, val OVER w, label OVER w FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 70)) t(id, value) WINDOW w AS (ORDER BY id MEASURES RUNNING LAST(value) AS val, CLASSIFIER() AS label ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING AFTER MATCH SKIP PAST LAST ROW PATTERN (A B+?) DEFINE B AS B.value <= PREV(B.value));
expect: [[1, 80, "B"], [2, null, null], [3, 70, "B"], [4, null, null]]
SELECT id, val OVER w, label OVER w FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 70)) t(id, value) WINDOW w AS (ORDER BY id MEASURES RUNNING LAST(value) AS val, CLASSIFIER() AS label ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING AFTER MATCH SKIP PAST LAST ROW PATTERN (A B?) DEFINE B AS B.value <= PREV(B.value));
expect: [[1, 80, "B"], [2, null, null], [3, 70, "B"], [4, null, null]]
SELECT id, val OVER w, label OVER w FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 70)) t(id, value) WINDOW w AS (ORDER BY id MEASURES RUNNING LAST(value) AS val, CLASSIFIER() AS label ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING AFTER MATCH SKIP PAST LAST ROW PATTERN (A B??) DEFINE B AS B.value <= PREV(B.value));
expect: [[1, 90, "A"], [2, 80, "A"], [3, 70, "A"], [4, 70, "A"]]
SELECT id, val OVER w, label OVER w FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 70)) t(id, value) WINDOW w AS (ORDER BY id MEASURES RUNNING LAST(value) AS val, CLASSIFIER() AS label ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING AFTER MATCH SKIP PAST LAST ROW PATTERN (A B{,}) DEFINE B AS B.value <= PREV(B.value));
expect: [[1, 70, "B"], [2, null, null], [3, null, null], [4, null, null]]
SELECT id, val OVER w, label OVER w FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 70)) t(id, value) WINDOW w AS (ORDER BY id MEASURES RUNNING LAST(value) AS val, CLASSIFIER() AS label ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING AFTER MATCH SKIP PAST LAST ROW PATTERN (A B{,}?) DEFINE B AS B.value <= PREV(B.value));
expect: [[1, 90, "A"], [2, 80, "A"], [3, 70, "A"], [4, 70, "A"]]
SELECT id, val OVER w, label OVER w FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 70)) t(id, value) WINDOW w AS (ORDER BY id MEASURES RUNNING LAST(value) AS val, CLASSIFIER() AS label ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING AFTER MATCH SKIP PAST LAST ROW PATTERN (A B{1,}) DEFINE B AS B.value <= PREV(B.value));
expect: [[1, 70, "B"], [2, null, null], [3, null, null], [4, null, null]]
SELECT id, val OVER w, label OVER w FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 70)) t(id, value) WINDOW w AS (ORDER BY id MEASURES RUNNING LAST(value) AS val, CLASSIFIER() AS label ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING AFTER MATCH SKIP PAST LAST ROW PATTERN (A B{1,}?) DEFINE B AS B.value <= PREV(B.value));
expect: [[1, 80, "B"], [2, null, null], [3, 70, "B"], [4, null, null]]
SELECT id, val OVER w, label OVER w FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 70)) t(id, value) WINDOW w AS (ORDER BY id MEASURES RUNNING LAST(value) AS val, CLASSIFIER() AS label ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING AFTER MATCH SKIP PAST LAST ROW PATTERN (A B{2,}) DEFINE B AS B.value <= PREV(B.value));
expect: [[1, 70, "B"], [2, null, null], [3, null, null], [4, null, null]]
SELECT id, val OVER w, label OVER w FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 70)) t(id, value) WINDOW w AS (ORDER BY id MEASURES RUNNING LAST(value) AS val, CLASSIFIER() AS label ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING AFTER MATCH SKIP PAST LAST ROW PATTERN (A B{2,}? | C) DEFINE B AS B.value <= PREV(B.value));
expect: [[1, 70, "B"], [2, null, null], [3, null, null], [4, 70, "C"]]
SELECT id, val OVER w, label OVER w FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 70)) t(id, value) WINDOW w AS (ORDER BY id MEASURES RUNNING LAST(value) AS val, CLASSIFIER() AS label ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING AFTER MATCH SKIP PAST LAST ROW PATTERN (B{5,}) DEFINE B AS B.value <= PREV(B.value));
expect: [[1, null, null], [2, null, null], [3, null, null], [4, null, null]]
SELECT id, val OVER w, label OVER w FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 70)) t(id, value) WINDOW w AS (ORDER BY id MEASURES RUNNING LAST(value) AS val, CLASSIFIER() AS label ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING AFTER MATCH SKIP PAST LAST ROW PATTERN (A B{,1}) DEFINE B AS B.value <= PREV(B.value));
expect: [[1, 80, "B"], [2, null, null], [3, 70, "B"], [4, null, null]]
SELECT id, val OVER w, label OVER w FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 70)) t(id, value) WINDOW w AS (ORDER BY id MEASURES RUNNING LAST(value) AS val, CLASSIFIER() AS label ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING AFTER MATCH SKIP PAST LAST ROW PATTERN (A B{,1}?) DEFINE B AS B.value <= PREV(B.value));
expect: [[1, 90, "A"], [2, 80, "A"], [3, 70, "A"], [4, 70, "A"]]
SELECT id, val OVER w, label OVER w FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 70)) t(id, value) WINDOW w AS (ORDER BY id MEASURES RUNNING LAST(value) AS val, CLASSIFIER() AS label ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING AFTER MATCH SKIP PAST LAST ROW PATTERN (A B{,2}) DEFINE B AS B.value <= PREV(B.value));
expect: [[1, 70, "B"], [2, null, null], [3, null, null], [4, 70, "A"]]
SELECT id, val OVER w, label OVER w FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 70)) t(id, value) WINDOW w AS (ORDER BY id MEASURES RUNNING LAST(value) AS val, CLASSIFIER() AS label ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING AFTER MATCH SKIP PAST LAST ROW PATTERN (A B{,5}) DEFINE B AS B.value <= PREV(B.value));
expect: [[1, 70, "B"], [2, null, null], [3, null, null], [4, null, null]]
SELECT id, val OVER w, label OVER w FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 70)) t(id, value) WINDOW w AS (ORDER BY id MEASURES RUNNING LAST(value) AS val, CLASSIFIER() AS label ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING AFTER MATCH SKIP PAST LAST ROW PATTERN (A B{1,1}) DEFINE B AS B.value <= PREV(B.value));
expect: [[1, 80, "B"], [2, null, null], [3, 70, "B"], [4, null, null]]
SELECT id, val OVER w, label OVER w FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 70)) t(id, value) WINDOW w AS (ORDER BY id MEASURES RUNNING LAST(value) AS val, CLASSIFIER() AS label ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING AFTER MATCH SKIP PAST LAST ROW PATTERN (A B{1,5}) DEFINE B AS B.value <= PREV(B.value));
expect: [[1, 70, "B"], [2, null, null], [3, null, null], [4, null, null]]
SELECT id, val OVER w, label OVER w FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 70)) t(id, value) WINDOW w AS (ORDER BY id MEASURES RUNNING LAST(value) AS val, CLASSIFIER() AS label ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING AFTER MATCH SKIP PAST LAST ROW PATTERN (A B{1,5}?) DEFINE B AS B.value <= PREV(B.value));
expect: [[1, 80, "B"], [2, null, null], [3, 70, "B"], [4, null, null]]
SELECT id, val OVER w, label OVER w FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 70)) t(id, value) WINDOW w AS (ORDER BY id MEASURES RUNNING LAST(value) AS val, CLASSIFIER() AS label ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING AFTER MATCH SKIP PAST LAST ROW PATTERN (A B{5,7}) DEFINE B AS B.value <= PREV(B.value));
expect: [[1, null, null], [2, null, null], [3, null, null], [4, null, null]]
SELECT id, val OVER w, label OVER w FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 70)) t(id, value) WINDOW w AS (ORDER BY id MEASURES RUNNING LAST(value) AS val, CLASSIFIER() AS label ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING AFTER MATCH SKIP PAST LAST ROW PATTERN (A B{1}) DEFINE B AS B.value <= PREV(B.value));
expect: [[1, 80, "B"], [2, null, null], [3, 70, "B"], [4, null, null]]
SELECT id, val OVER w, label OVER w FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 70)) t(id, value) WINDOW w AS (ORDER BY id MEASURES RUNNING LAST(value) AS val, CLASSIFIER() AS label ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING AFTER MATCH SKIP PAST LAST ROW PATTERN (A B{2}) DEFINE B AS B.value <= PREV(B.value));
expect: [[1, 70, "B"], [2, null, null], [3, null, null], [4, null, null]]
SELECT id, val OVER w, label OVER w FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 70)) t(id, value) WINDOW w AS (ORDER BY id MEASURES RUNNING LAST(value) AS val, CLASSIFIER() AS label ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING AFTER MATCH SKIP PAST LAST ROW PATTERN (A B{2}?) DEFINE B AS B.value <= PREV(B.value));
expect: [[1, 70, "B"], [2, null, null], [3, null, null], [4, null, null]]
SELECT id, val OVER w, label OVER w FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 70)) t(id, value) WINDOW w AS (ORDER BY id MEASURES RUNNING LAST(value) AS val, CLASSIFIER() AS label ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING AFTER MATCH SKIP PAST LAST ROW PATTERN (A B{5}) DEFINE B AS B.value <= PREV(B.value));
expect: [[1, null, null], [2, null, null], [3, null, null], [4, null, null]]
-- An exclusion changes nothing: a window has each of its rows once.
SELECT id, val OVER w, label OVER w FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 80), (5, 90), (6, 50), (7, 40), (8, 60)) t(id, value) WINDOW w AS (ORDER BY id MEASURES RUNNING LAST(value) AS val, CLASSIFIER() AS label ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING AFTER MATCH SKIP PAST LAST ROW PATTERN ({- A B+ C+ -}) DEFINE B AS B.value < PREV(B.value), C AS C.value > PREV(C.value));
expect: [[1, 90, "C"], [2, null, null], [3, null, null], [4, null, null], [5, null, null], [6, 60, "C"], [7, null, null], [8, null, null]]
-- Repetitions of nothing.
SELECT id, val OVER w, label OVER w FROM (VALUES (1, 70), (2, 80), (3, 80), (4, 70)) t(id, value) WINDOW w AS (ORDER BY id MEASURES RUNNING LAST(value) AS val, CLASSIFIER() AS label ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING AFTER MATCH SKIP PAST LAST ROW PATTERN (()* | B) DEFINE B AS B.value >= NEXT(B.value));
expect: [[1, null, null], [2, null, null], [3, null, null], [4, null, null]]
SELECT id, val OVER w, label OVER w FROM (VALUES (1, 70), (2, 80), (3, 80), (4, 70)) t(id, value) WINDOW w AS (ORDER BY id MEASURES RUNNING LAST(value) AS val, CLASSIFIER() AS label ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING AFTER MATCH SKIP PAST LAST ROW PATTERN (()+ | B) DEFINE B AS B.value >= NEXT(B.value));
expect: [[1, null, null], [2, null, null], [3, null, null], [4, null, null]]
SELECT id, val OVER w, label OVER w FROM (VALUES (1, 70), (2, 80), (3, 80), (4, 70)) t(id, value) WINDOW w AS (ORDER BY id MEASURES RUNNING LAST(value) AS val, CLASSIFIER() AS label ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING AFTER MATCH SKIP PAST LAST ROW PATTERN ((){5,} | B) DEFINE B AS B.value >= NEXT(B.value));
expect: [[1, null, null], [2, null, null], [3, null, null], [4, null, null]]
SELECT id, val OVER w, label OVER w FROM (VALUES (1, 70), (2, 80), (3, 80), (4, 70)) t(id, value) WINDOW w AS (ORDER BY id MEASURES RUNNING LAST(value) AS val, CLASSIFIER() AS label ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING AFTER MATCH SKIP PAST LAST ROW PATTERN (B | ()*) DEFINE B AS B.value >= NEXT(B.value));
expect: [[1, null, null], [2, 80, "B"], [3, 80, "B"], [4, null, null]]
SELECT id, val OVER w, label OVER w FROM (VALUES (1, 70), (2, 80), (3, 80), (4, 70)) t(id, value) WINDOW w AS (ORDER BY id MEASURES RUNNING LAST(value) AS val, CLASSIFIER() AS label ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING AFTER MATCH SKIP PAST LAST ROW PATTERN ((B ()*)*) DEFINE B AS B.value >= NEXT(B.value));
expect: [[1, null, null], [2, 80, "B"], [3, null, null], [4, null, null]]
SELECT id, val OVER w, label OVER w FROM (VALUES (1, 70), (2, 80), (3, 80), (4, 70)) t(id, value) WINDOW w AS (ORDER BY id MEASURES RUNNING LAST(value) AS val, CLASSIFIER() AS label ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING AFTER MATCH SKIP PAST LAST ROW PATTERN ((B ()*)*?) DEFINE B AS B.value >= NEXT(B.value));
expect: [[1, null, null], [2, null, null], [3, null, null], [4, null, null]]
-- Where the search goes on.
SELECT id, val OVER w, label OVER w FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 80), (5, 70), (6, 100)) t(id, value) WINDOW w AS (ORDER BY id MEASURES RUNNING LAST(value) AS val, CLASSIFIER() AS label ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING AFTER MATCH SKIP PAST LAST ROW PATTERN (A B+ C+ | E) DEFINE B AS B.value < PREV(B.value), C AS C.value > PREV(C.value));
expect: [[1, 80, "C"], [2, null, null], [3, null, null], [4, null, null], [5, 70, "E"], [6, 100, "E"]]
SELECT id, val OVER w, label OVER w FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 80), (5, 70), (6, 100)) t(id, value) WINDOW w AS (ORDER BY id MEASURES RUNNING LAST(value) AS val, CLASSIFIER() AS label ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING PATTERN (A B+ C+ | E) DEFINE B AS B.value < PREV(B.value), C AS C.value > PREV(C.value));
expect: [[1, 80, "C"], [2, null, null], [3, null, null], [4, null, null], [5, 70, "E"], [6, 100, "E"]]
SELECT id, val OVER w, label OVER w FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 80), (5, 70), (6, 100)) t(id, value) WINDOW w AS (ORDER BY id MEASURES RUNNING LAST(value) AS val, CLASSIFIER() AS label ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING AFTER MATCH SKIP TO NEXT ROW PATTERN (A B+ C+ | E) DEFINE B AS B.value < PREV(B.value), C AS C.value > PREV(C.value));
expect: [[1, 80, "C"], [2, 80, "C"], [3, 70, "E"], [4, 100, "C"], [5, 70, "E"], [6, 100, "E"]]
SELECT id, val OVER w, label OVER w FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 80), (5, 70), (6, 100)) t(id, value) WINDOW w AS (ORDER BY id MEASURES RUNNING LAST(value) AS val, CLASSIFIER() AS label ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING AFTER MATCH SKIP TO FIRST C PATTERN (A B+ C+ D?) SUBSET U = (C, D) DEFINE B AS B.value < PREV(B.value), C AS C.value > PREV(C.value), D AS false);
expect: [[1, 80, "C"], [2, null, null], [3, null, null], [4, 100, "C"], [5, null, null], [6, null, null]]
SELECT id, val OVER w, label OVER w FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 80), (5, 70), (6, 100)) t(id, value) WINDOW w AS (ORDER BY id MEASURES RUNNING LAST(value) AS val, CLASSIFIER() AS label ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING AFTER MATCH SKIP TO LAST B PATTERN (A B+ C+ D?) SUBSET U = (C, D) DEFINE B AS B.value < PREV(B.value), C AS C.value > PREV(C.value), D AS false);
expect: [[1, 80, "C"], [2, null, null], [3, null, null], [4, 100, "C"], [5, null, null], [6, null, null]]
SELECT id, val OVER w, label OVER w FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 80), (5, 70), (6, 100)) t(id, value) WINDOW w AS (ORDER BY id MEASURES RUNNING LAST(value) AS val, CLASSIFIER() AS label ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING AFTER MATCH SKIP TO B PATTERN (A B+ C+ D?) SUBSET U = (C, D) DEFINE B AS B.value < PREV(B.value), C AS C.value > PREV(C.value), D AS false);
expect: [[1, 80, "C"], [2, null, null], [3, null, null], [4, 100, "C"], [5, null, null], [6, null, null]]
SELECT id, val OVER w, label OVER w FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 80), (5, 70), (6, 100)) t(id, value) WINDOW w AS (ORDER BY id MEASURES RUNNING LAST(value) AS val, CLASSIFIER() AS label ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING AFTER MATCH SKIP TO U PATTERN (A B+ C+ D?) SUBSET U = (C, D) DEFINE B AS B.value < PREV(B.value), C AS C.value > PREV(C.value), D AS false);
expect: [[1, 80, "C"], [2, null, null], [3, null, null], [4, 100, "C"], [5, null, null], [6, null, null]]
SELECT id, val OVER w, label OVER w FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 80), (5, 70), (6, 100)) t(id, value) WINDOW w AS (ORDER BY id MEASURES RUNNING LAST(value) AS val, CLASSIFIER() AS label ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING AFTER MATCH SKIP TO A PATTERN (A B+ C+ D?) SUBSET U = (C, D) DEFINE B AS B.value < PREV(B.value), C AS C.value > PREV(C.value), D AS false);
error: GENERIC_USER_ERROR AFTER MATCH SKIP failed: cannot skip to first row of match
SELECT id, val OVER w, label OVER w FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 80), (5, 70), (6, 100)) t(id, value) WINDOW w AS (ORDER BY id MEASURES RUNNING LAST(value) AS val, CLASSIFIER() AS label ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING AFTER MATCH SKIP TO D PATTERN (A B+ C+ D?) SUBSET U = (C, D) DEFINE B AS B.value < PREV(B.value), C AS C.value > PREV(C.value), D AS false);
error: GENERIC_USER_ERROR AFTER MATCH SKIP failed: pattern variable is not present in match
-- Union variables.
SELECT id, val OVER w, which OVER w, label OVER w FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 80)) t(id, value) WINDOW w AS (ORDER BY id MEASURES RUNNING LAST(U.value) AS val, CLASSIFIER(U) AS which, CLASSIFIER(W) AS label ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING PATTERN ((L | H) A) SUBSET U = (L, H), W = (A, L, H) DEFINE A AS A.value = 80, L AS L.value < 80, H AS H.value > 80);
expect: [[1, 90, "H", "A"], [2, null, null, null], [3, 70, "L", "A"], [4, null, null, null]]
-- Navigation, from the last row of the match.
SELECT id, measure OVER w FROM (VALUES (1, 10), (2, 20), (3, 30)) t(id, value) WINDOW w AS (ORDER BY id MEASURES value AS measure ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING PATTERN (A+) DEFINE A AS true);
expect: [[1, 30], [2, null], [3, null]]
SELECT id, measure OVER w FROM (VALUES (1, 10), (2, 20), (3, 30)) t(id, value) WINDOW w AS (ORDER BY id MEASURES LAST(value) AS measure ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING PATTERN (A+) DEFINE A AS true);
expect: [[1, 30], [2, null], [3, null]]
SELECT id, measure OVER w FROM (VALUES (1, 10), (2, 20), (3, 30)) t(id, value) WINDOW w AS (ORDER BY id MEASURES RUNNING LAST(value) AS measure ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING PATTERN (A+) DEFINE A AS true);
expect: [[1, 30], [2, null], [3, null]]
SELECT id, measure OVER w FROM (VALUES (1, 10), (2, 20), (3, 30)) t(id, value) WINDOW w AS (ORDER BY id MEASURES FINAL LAST(value) AS measure ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING PATTERN (A+) DEFINE A AS true);
expect: [[1, 30], [2, null], [3, null]]
SELECT id, measure OVER w FROM (VALUES (1, 10), (2, 20), (3, 30)) t(id, value) WINDOW w AS (ORDER BY id MEASURES FIRST(value) AS measure ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING PATTERN (A+) DEFINE A AS true);
expect: [[1, 10], [2, null], [3, null]]
SELECT id, measure OVER w FROM (VALUES (1, 10), (2, 20), (3, 30)) t(id, value) WINDOW w AS (ORDER BY id MEASURES FINAL FIRST(value) AS measure ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING PATTERN (A+) DEFINE A AS true);
expect: [[1, 10], [2, null], [3, null]]
SELECT id, measure OVER w FROM (VALUES (1, 10), (2, 20), (3, 30)) t(id, value) WINDOW w AS (ORDER BY id MEASURES FINAL LAST(value, 2) AS measure ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING PATTERN (A+) DEFINE A AS true);
expect: [[1, 10], [2, null], [3, null]]
SELECT id, measure OVER w FROM (VALUES (1, 10), (2, 20), (3, 30)) t(id, value) WINDOW w AS (ORDER BY id MEASURES FIRST(value, 2) AS measure ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING PATTERN (A+) DEFINE A AS true);
expect: [[1, 30], [2, null], [3, null]]
SELECT id, measure OVER w FROM (VALUES (1, 10), (2, 20), (3, 30)) t(id, value) WINDOW w AS (ORDER BY id MEASURES LAST(value, 10) AS measure ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING PATTERN (A+) DEFINE A AS true);
expect: [[1, null], [2, null], [3, null]]
SELECT id, measure OVER w FROM (VALUES (1, 10), (2, 20), (3, 30)) t(id, value) WINDOW w AS (ORDER BY id MEASURES FIRST(value, 10) AS measure ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING PATTERN (A+) DEFINE A AS true);
expect: [[1, null], [2, null], [3, null]]
SELECT id, measure OVER w FROM (VALUES (1, 10), (2, 20), (3, 30)) t(id, value) WINDOW w AS (ORDER BY id MEASURES PREV(value) AS measure ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING PATTERN (A+) DEFINE A AS true);
expect: [[1, 20], [2, null], [3, null]]
SELECT id, measure OVER w FROM (VALUES (1, 10), (2, 20), (3, 30)) t(id, value) WINDOW w AS (ORDER BY id MEASURES NEXT(value) AS measure ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING PATTERN (A+) DEFINE A AS true);
expect: [[1, null], [2, null], [3, null]]
SELECT id, measure OVER w FROM (VALUES (1, 10), (2, 20), (3, 30)) t(id, value) WINDOW w AS (ORDER BY id MEASURES NEXT(FIRST(value), 2) AS measure ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING PATTERN (A+) DEFINE A AS true);
expect: [[1, 30], [2, null], [3, null]]
SELECT id, measure OVER w FROM (VALUES (1, 10), (2, 20), (3, 30)) t(id, value) WINDOW w AS (ORDER BY id MEASURES NEXT(FIRST(value), 10) AS measure ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING PATTERN (A+) DEFINE A AS true);
expect: [[1, null], [2, null], [3, null]]
SELECT id, measure OVER w FROM (VALUES (1, 10), (2, 20), (3, 30)) t(id, value) WINDOW w AS (ORDER BY id MEASURES PREV(FIRST(value), 10) AS measure ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING PATTERN (A+) DEFINE A AS true);
expect: [[1, null], [2, null], [3, null]]
SELECT id, measure OVER w FROM (VALUES (1, 10), (2, 20), (3, 30)) t(id, value) WINDOW w AS (ORDER BY id MEASURES PREV(LAST(value, 10), 2) AS measure ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING PATTERN (A+) DEFINE A AS true);
expect: [[1, null], [2, null], [3, null]]
-- Navigation ends at the frame.
SELECT id, measure OVER w FROM (VALUES (1, 10), (2, 20), (3, 30), (4, 30), (5, 40)) t(id, value) WINDOW w AS (ORDER BY id MEASURES PREV(B.value, 4) AS measure ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING PATTERN (A B) DEFINE A AS A.value = NEXT(A.value));
expect: [[1, null], [2, null], [3, null], [4, null], [5, null]]
SELECT id, measure OVER w FROM (VALUES (1, 10), (2, 20), (3, 30), (4, 30), (5, 40)) t(id, value) WINDOW w AS (ORDER BY id MEASURES PREV(B.value, 3) AS measure ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING PATTERN (A B) DEFINE A AS A.value = NEXT(A.value));
expect: [[1, null], [2, null], [3, null], [4, null], [5, null]]
SELECT id, measure OVER w FROM (VALUES (1, 10), (2, 20), (3, 30), (4, 30), (5, 40)) t(id, value) WINDOW w AS (ORDER BY id MEASURES PREV(B.value, 2) AS measure ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING PATTERN (A B) DEFINE A AS A.value = NEXT(A.value));
expect: [[1, null], [2, null], [3, null], [4, null], [5, null]]
SELECT id, measure OVER w FROM (VALUES (1, 10), (2, 20), (3, 30), (4, 30), (5, 40)) t(id, value) WINDOW w AS (ORDER BY id MEASURES NEXT(B.value, 1) AS measure ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING PATTERN (A B) DEFINE A AS A.value = NEXT(A.value));
expect: [[1, null], [2, null], [3, 40], [4, null], [5, null]]
SELECT id, measure OVER w FROM (VALUES (1, 10), (2, 20), (3, 30), (4, 30), (5, 40)) t(id, value) WINDOW w AS (ORDER BY id MEASURES NEXT(B.value, 2) AS measure ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING PATTERN (A B) DEFINE A AS A.value = NEXT(A.value));
expect: [[1, null], [2, null], [3, null], [4, null], [5, null]]
SELECT id, measure OVER w FROM (VALUES (1, 10), (2, 20), (3, 30), (4, 30), (5, 40)) t(id, value) WINDOW w AS (ORDER BY id MEASURES NEXT(B.value, 1) AS measure ROWS BETWEEN CURRENT ROW AND 1 FOLLOWING PATTERN (A B) DEFINE A AS A.value = NEXT(A.value));
expect: [[1, null], [2, null], [3, null], [4, null], [5, null]]
SELECT id, matched OVER w FROM (VALUES (1, 1), (2, 2), (3, 6), (4, 0), (5, 2)) t(id, rows) WINDOW w AS (ORDER BY id MEASURES LAST(id) AS matched ROWS BETWEEN CURRENT ROW AND rows FOLLOWING AFTER MATCH SKIP TO NEXT ROW PATTERN (A+) DEFINE A AS true);
expect: [[1, 2], [2, 4], [3, 5], [4, 4], [5, 5]]
SELECT id, r0 OVER w, r1 OVER w, r2 OVER w, r3 OVER w, r4 OVER w, r5 OVER w, r6 OVER w, r7 OVER w FROM (VALUES (1, 10), (2, 20), (3, 30), (4, 30), (5, 40), (6, 50)) t(id, value) WINDOW w AS (ORDER BY id MEASURES PREV(B.id, 4) AS r0, PREV(B.id, 3) AS r1, PREV(B.id, 2) AS r2, PREV(B.id, 1) AS r3, PREV(B.id, 0) AS r4, NEXT(B.id, 1) AS r5, NEXT(B.id, 2) AS r6, NEXT(B.id, 3) AS r7 ROWS BETWEEN CURRENT ROW AND 4 FOLLOWING AFTER MATCH SKIP PAST LAST ROW SEEK PATTERN (A B) DEFINE A AS A.value = NEXT(A.value));
expect: [[1, null, 1, 2, 3, 4, 5, null, null], [2, null, null, null, null, null, null, null, null], [3, null, null, null, null, null, null, null, null], [4, null, null, null, null, null, null, null, null], [5, null, null, null, null, null, null, null, null], [6, null, null, null, null, null, null, null, null]]
SELECT id, r0 OVER w, r1 OVER w, r2 OVER w, r3 OVER w, r4 OVER w, r5 OVER w, r6 OVER w, r7 OVER w FROM (VALUES (1, 10), (2, 20), (3, 30), (4, 30), (5, 40), (6, 50)) t(id, value) WINDOW w AS (ORDER BY id MEASURES PREV(B.id, 4) AS r0, PREV(B.id, 3) AS r1, PREV(B.id, 2) AS r2, PREV(B.id, 1) AS r3, PREV(B.id, 0) AS r4, NEXT(B.id, 1) AS r5, NEXT(B.id, 2) AS r6, NEXT(B.id, 3) AS r7 ROWS BETWEEN CURRENT ROW AND 2 FOLLOWING AFTER MATCH SKIP PAST LAST ROW SEEK PATTERN (A B) DEFINE A AS A.value = NEXT(A.value));
expect: [[1, null, null, null, null, null, null, null, null], [2, null, null, 2, 3, 4, null, null, null], [3, null, null, null, null, null, null, null, null], [4, null, null, null, null, null, null, null, null], [5, null, null, null, null, null, null, null, null], [6, null, null, null, null, null, null, null, null]]
SELECT id, r0 OVER w, r1 OVER w, r2 OVER w, r3 OVER w, r4 OVER w, r5 OVER w, r6 OVER w, r7 OVER w FROM (VALUES (1, 10), (2, 20), (3, 30), (4, 30), (5, 40), (6, 50)) t(id, value) WINDOW w AS (ORDER BY id MEASURES PREV(B.id, 4) AS r0, PREV(B.id, 3) AS r1, PREV(B.id, 2) AS r2, PREV(B.id, 1) AS r3, PREV(B.id, 0) AS r4, NEXT(B.id, 1) AS r5, NEXT(B.id, 2) AS r6, NEXT(B.id, 3) AS r7 ROWS BETWEEN CURRENT ROW AND 2 FOLLOWING AFTER MATCH SKIP TO NEXT ROW SEEK PATTERN (A B) DEFINE A AS A.value = NEXT(A.value));
expect: [[1, null, null, null, null, null, null, null, null], [2, null, null, 2, 3, 4, null, null, null], [3, null, null, null, 3, 4, 5, null, null], [4, null, null, null, null, null, null, null, null], [5, null, null, null, null, null, null, null, null], [6, null, null, null, null, null, null, null, null]]
SELECT id, r0 OVER w, r1 OVER w, r2 OVER w, r3 OVER w, r4 OVER w, r5 OVER w, r6 OVER w, r7 OVER w FROM (VALUES (1, 10), (2, 20), (3, 30), (4, 30), (5, 40), (6, 50)) t(id, value) WINDOW w AS (ORDER BY id MEASURES PREV(B.id, 4) AS r0, PREV(B.id, 3) AS r1, PREV(B.id, 2) AS r2, PREV(B.id, 1) AS r3, PREV(B.id, 0) AS r4, NEXT(B.id, 1) AS r5, NEXT(B.id, 2) AS r6, NEXT(B.id, 3) AS r7 ROWS BETWEEN CURRENT ROW AND 2 FOLLOWING AFTER MATCH SKIP PAST LAST ROW INITIAL PATTERN (A B) DEFINE A AS A.value = NEXT(A.value));
expect: [[1, null, null, null, null, null, null, null, null], [2, null, null, null, null, null, null, null, null], [3, null, null, null, 3, 4, 5, null, null], [4, null, null, null, null, null, null, null, null], [5, null, null, null, null, null, null, null, null], [6, null, null, null, null, null, null, null, null]]
SELECT id, r0 OVER w, r1 OVER w, r2 OVER w, r3 OVER w, r4 OVER w, r5 OVER w, r6 OVER w, r7 OVER w FROM (VALUES (1, 10), (2, 20), (3, 30), (4, 30), (5, 40), (6, 50)) t(id, value) WINDOW w AS (ORDER BY id MEASURES PREV(B.id, 4) AS r0, PREV(B.id, 3) AS r1, PREV(B.id, 2) AS r2, PREV(B.id, 1) AS r3, PREV(B.id, 0) AS r4, NEXT(B.id, 1) AS r5, NEXT(B.id, 2) AS r6, NEXT(B.id, 3) AS r7 ROWS BETWEEN CURRENT ROW AND CURRENT ROW AFTER MATCH SKIP PAST LAST ROW SEEK PATTERN (A B) DEFINE A AS A.value = NEXT(A.value));
expect: [[1, null, null, null, null, null, null, null, null], [2, null, null, null, null, null, null, null, null], [3, null, null, null, null, null, null, null, null], [4, null, null, null, null, null, null, null, null], [5, null, null, null, null, null, null, null, null], [6, null, null, null, null, null, null, null, null]]
SELECT x OVER w FROM (VALUES (1, 10), (2, 20), (3, 30), (4, 30), (5, 40), (6, 50)) t(id, value) WINDOW w AS (ORDER BY id MEASURES id AS x ROWS BETWEEN CURRENT ROW AND value - 30 FOLLOWING PATTERN (A B) DEFINE A AS true);
error: INVALID_WINDOW_FRAME Window frame -20 offset must not be negative
SELECT x OVER w FROM (VALUES (1, 10), (2, 20), (3, 30), (4, 30), (5, 40), (6, 50)) t(id, value) WINDOW w AS (ORDER BY id MEASURES id AS x ROWS BETWEEN CURRENT ROW AND nullif(value, 30) FOLLOWING PATTERN (A B) DEFINE A AS true);
error: INVALID_WINDOW_FRAME Window frame ending offset must not be null
-- Names of labels follow the standard.
SELECT id, label OVER w FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 80)) t(id, value) WINDOW w AS (ORDER BY id MEASURES CLASSIFIER() AS label ROWS BETWEEN CURRENT ROW AND 10 FOLLOWING AFTER MATCH SKIP TO NEXT ROW PATTERN (a b* C*) DEFINE "B" AS B.value < PREV(b.value), "C" AS C.value > PREV(c.value));
expect: [[1, "C"], [2, "C"], [3, "C"], [4, "A"]]
SELECT id, label OVER w FROM (VALUES (1, 90), (2, 80), (3, 60)) t(id, value) WINDOW w AS (ORDER BY id MEASURES CAST(lower(LAST(CLASSIFIER())) || '_label' AS varchar(7)) AS label ROWS BETWEEN CURRENT ROW AND 10 FOLLOWING PATTERN (A B+) DEFINE B AS B.value + 10 < abs(PREV(B.value)));
expect: [[1, null], [2, "b_label"], [3, null]]
types: integer, varchar(7)
-- Partitions, and functions over the rows of the match.
SELECT part, id, val OVER w, label OVER w, row_number() OVER w, array_agg(value) OVER w FROM (VALUES (1, 'p1', 90), (2, 'p1', 80), (6, 'p1', 80), (2, 'p2', 20), (2, 'p3', 60), (1, 'p3', 50), (3, 'p1', 70), (4, 'p1', 80), (5, 'p1', 90), (1, 'p2', 20), (3, 'p3', 70), (3, 'p2', 10)) t(id, part, value) WINDOW w AS (PARTITION BY part ORDER BY id MEASURES RUNNING LAST(value) AS val, CLASSIFIER() AS label ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING AFTER MATCH SKIP PAST LAST ROW PATTERN (B+) DEFINE B AS B.value > NEXT(B.value));
expect: [["p1", 1, 80, "B", 1, [90, 80]], ["p1", 2, null, null, 2, null], ["p1", 3, null, null, 3, null], ["p1", 4, null, null, 4, null], ["p1", 5, 90, "B", 5, [90]], ["p1", 6, null, null, 6, null], ["p2", 1, null, null, 1, null], ["p2", 2, 20, "B", 2, [20]], ["p2", 3, null, null, 3, null], ["p3", 1, null, null, 1, null], ["p3", 2, null, null, 2, null], ["p3", 3, null, null, 3, null]]
SELECT part, id, val OVER w FROM (SELECT * FROM (VALUES (1, 'p1', 90), (2, 'p1', 80), (6, 'p1', 80), (2, 'p2', 20), (2, 'p3', 60), (1, 'p3', 50), (3, 'p1', 70), (4, 'p1', 80), (5, 'p1', 90), (1, 'p2', 20), (3, 'p3', 70), (3, 'p2', 10)) t(id, part, value) WHERE false) WINDOW w AS (PARTITION BY part ORDER BY id MEASURES RUNNING LAST(value) AS val, CLASSIFIER() AS label ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING PATTERN (B+) DEFINE B AS B.value > NEXT(B.value));
expect: []
SELECT id, part FROM (VALUES (1, 'p1', 90), (2, 'p1', 80), (6, 'p1', 80), (2, 'p2', 20), (2, 'p3', 60), (1, 'p3', 50), (3, 'p1', 70), (4, 'p1', 80), (5, 'p1', 90), (1, 'p2', 20), (3, 'p3', 70), (3, 'p2', 10)) t(id, part, value) WINDOW w AS (PARTITION BY part ORDER BY id ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING PATTERN (B+) DEFINE B AS B.value > NEXT(B.value));
expect: [[1, "p1"], [2, "p1"], [6, "p1"], [2, "p2"], [2, "p3"], [1, "p3"], [3, "p1"], [4, "p1"], [5, "p1"], [1, "p2"], [3, "p3"], [3, "p2"]]
SELECT part, id, array_agg(value) OVER w FROM (VALUES (1, 'p1', 50), (2, 'p1', 80), (3, 'p1', 70), (4, 'p1', 60), (5, 'p1', 50), (1, 'p2', 10), (2, 'p2', 20), (3, 'p2', 30), (4, 'p2', 40), (5, 'p2', 10), (1, 'p3', 100), (2, 'p3', 100)) t(id, part, value) WINDOW w AS (PARTITION BY part ORDER BY id ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING AFTER MATCH SKIP TO NEXT ROW SEEK PATTERN (B+) DEFINE B AS B.value > NEXT(B.value));
expect: [["p1", 1, [80, 70, 60]], ["p1", 2, [80, 70, 60]], ["p1", 3, [70, 60]], ["p1", 4, [60]], ["p1", 5, null], ["p2", 1, [40]], ["p2", 2, [40]], ["p2", 3, [40]], ["p2", 4, [40]], ["p2", 5, null], ["p3", 1, null], ["p3", 2, null]]
SELECT part, id, array_agg(value) OVER w FROM (VALUES (1, 'p1', 50), (2, 'p1', 80), (3, 'p1', 70), (4, 'p1', 60), (5, 'p1', 50), (1, 'p2', 10), (2, 'p2', 20), (3, 'p2', 30), (4, 'p2', 40), (5, 'p2', 10), (1, 'p3', 100), (2, 'p3', 100)) t(id, part, value) WINDOW w AS (PARTITION BY part ORDER BY id ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING AFTER MATCH SKIP PAST LAST ROW SEEK PATTERN (B+) DEFINE B AS B.value > NEXT(B.value));
expect: [["p1", 1, [80, 70, 60]], ["p1", 2, null], ["p1", 3, null], ["p1", 4, null], ["p1", 5, null], ["p2", 1, [40]], ["p2", 2, null], ["p2", 3, null], ["p2", 4, null], ["p2", 5, null], ["p3", 1, null], ["p3", 2, null]]
SELECT id, count(*) OVER w, sum(value) OVER w, first_value(value) OVER w, last_value(value) OVER w, nth_value(value, 2) OVER w, rank() OVER w, ntile(2) OVER w FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 70)) t(id, value) WINDOW w AS (ORDER BY id ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING PATTERN (A B+?) DEFINE B AS B.value <= PREV(B.value));
expect: [[1, 2, 170, 90, 80, 80, 1, 1], [2, 0, null, null, null, null, 2, 1], [3, 2, 140, 70, 70, 70, 3, 2], [4, 0, null, null, null, null, 4, 2]]
SELECT id, count(*) FILTER (WHERE value < 90) OVER w, max_by(id, value) OVER w, count(*) OVER (w2 ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 70)) t(id, value) WINDOW w AS (ORDER BY id ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING PATTERN (A B+?) DEFINE B AS B.value <= PREV(B.value)), w2 AS (ORDER BY id);
expect: [[1, 1, 1, 1], [2, 0, null, 2], [3, 2, 3, 2], [4, 0, null, 2]]
-- Aggregates in MEASURES and DEFINE.
SELECT id, total OVER w, n OVER w, cardinality(labels OVER w), a OVER w FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 80), (5, 90), (6, 50), (7, 40), (8, 60)) t(id, value) WINDOW w AS (ORDER BY id MEASURES sum(value) AS total, count(*) AS n, array_agg(CLASSIFIER()) AS labels, avg(A.value) AS a ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING AFTER MATCH SKIP TO NEXT ROW PATTERN (A+) DEFINE A AS sum(A.value) <= 240);
expect: [[1, 240, 3, 3, 80.0], [2, 230, 3, 3, 76.66666666666667], [3, 240, 3, 3, 80.0], [4, 220, 3, 3, 73.33333333333333], [5, 240, 4, 4, 60.0], [6, 150, 3, 3, 50.0], [7, 100, 2, 2, 50.0], [8, 60, 1, 1, 60.0]]
SELECT id, a OVER w, b OVER w, m OVER w FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 80), (5, 90), (6, 50), (7, 40), (8, 60)) t(id, value) WINDOW w AS (ORDER BY id MEASURES count(A.*) AS a, count(B.*) AS b, max(B.value) AS m ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING AFTER MATCH SKIP TO NEXT ROW PATTERN ((A | B)+) DEFINE A AS count(B.*) > 1, B AS value < 85);
expect: [[1, null, null, null], [2, 5, 2, 80], [3, 4, 2, 80], [4, 0, 1, 80], [5, null, null, null], [6, 1, 2, 50], [7, 0, 2, 60], [8, 0, 1, 60]]
-- In ORDER BY, over groups, and in subqueries.
SELECT id FROM (VALUES 1, 2, 3, 4, 5, 6) t(id) WINDOW w AS (ORDER BY id MEASURES CLASSIFIER() AS label ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING PATTERN (X Y A B C) DEFINE X AS true) ORDER BY label OVER w ASC NULLS FIRST;
expect: [[2], [3], [4], [5], [6], [1]]
SELECT id FROM (VALUES 1, 2, 3, 4, 5, 6) t(id) ORDER BY label OVER (ORDER BY id MEASURES CLASSIFIER() AS label ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING PATTERN (X Y A B C) DEFINE X AS true) DESC NULLS LAST, id;
expect: [[1], [2], [3], [4], [5], [6]]
SELECT id FROM (VALUES 1, 2, 3, 4, 5, 6) t(id) WINDOW w AS (ORDER BY id) ORDER BY label OVER (w MEASURES CLASSIFIER() AS label ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING PATTERN (X Y A B C) DEFINE X AS true) ASC NULLS FIRST, id DESC;
expect: [[6], [5], [4], [3], [2], [1]]
SELECT regionkey, n, c OVER w, total OVER w FROM (SELECT regionkey, count(*) AS n FROM nation GROUP BY regionkey) WINDOW w AS (ORDER BY regionkey MEASURES count(*) AS c, sum(n) AS total ROWS BETWEEN CURRENT ROW AND 2 FOLLOWING AFTER MATCH SKIP TO NEXT ROW PATTERN (A+) DEFINE A AS true);
expect: [[0, 5, 3, 15], [1, 5, 3, 15], [2, 5, 3, 15], [3, 5, 2, 10], [4, 5, 1, 5]]
SELECT id, val OVER w FROM (VALUES (1, 100), (2, 200), (3, 300), (4, 400)) t(id, value) WINDOW w AS (ORDER BY id MEASURES (SELECT 'x') AS val ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING AFTER MATCH SKIP TO NEXT ROW PATTERN (A+) DEFINE A AS (SELECT true));
expect: [[1, "x"], [2, "x"], [3, "x"], [4, "x"]]
SELECT id, val OVER w FROM (VALUES (1, 100), (2, 200), (3, 300), (4, 400)) t(id, value) WINDOW w AS (ORDER BY id MEASURES LAST(A.value + (SELECT 1000)) AS val ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING AFTER MATCH SKIP TO NEXT ROW PATTERN (A+) DEFINE A AS FIRST(A.value < 0 OR (SELECT true)));
expect: [[1, 1400], [2, 1400], [3, 1400], [4, 1400]]
SELECT id, val OVER w FROM (VALUES (1, 100), (2, 200), (3, 300), (4, 400)) t(id, value) WINDOW w AS (ORDER BY id MEASURES LAST(A.id < 0 OR 1 IN (SELECT 1)) AS val ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING AFTER MATCH SKIP TO NEXT ROW PATTERN (A+) DEFINE A AS FIRST(A.id > 0 AND 1 IN (SELECT 1)));
expect: [[1, true], [2, true], [3, true], [4, true]]
SELECT id, val OVER w FROM (VALUES (1, 100), (2, 200), (3, 300), (4, 400)) t(id, value) WINDOW w AS (ORDER BY id MEASURES LAST(id + 50 IN (SELECT 100)) AS val ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING AFTER MATCH SKIP TO NEXT ROW PATTERN (A+) DEFINE A AS LAST(id NOT IN (SELECT 100)));
expect: [[1, false], [2, false], [3, false], [4, false]]
SELECT id, val OVER w FROM (VALUES (1, 100), (2, 200), (3, 300), (4, 400)) t(id, value) WINDOW w AS (ORDER BY id MEASURES LAST(A.value < 0 OR EXISTS(SELECT 1)) AS val ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING AFTER MATCH SKIP TO NEXT ROW PATTERN (A+) DEFINE A AS FIRST(A.value < 0 OR EXISTS(SELECT 1)));
expect: [[1, true], [2, true], [3, true], [4, true]]
SELECT id, val OVER w FROM (VALUES (1, 100), (2, 200), (3, 300), (4, 400)) t(id, value) WINDOW w AS (ORDER BY id MEASURES FIRST(A.value) IN (300, LAST(A.value)) AS val ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING AFTER MATCH SKIP TO NEXT ROW PATTERN (A+) DEFINE A AS true);
expect: [[1, false], [2, false], [3, true], [4, true]]
SELECT id, val OVER w FROM (VALUES (1, 100), (2, 200), (3, 300), (4, 400)) t(id, value) WINDOW w AS (ORDER BY id MEASURES CLASSIFIER() IN ('X', lower(CLASSIFIER())) AS val ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING AFTER MATCH SKIP TO NEXT ROW PATTERN (A+) DEFINE A AS true);
expect: [[1, false], [2, false], [3, false], [4, false]]
SELECT id, max(value) OVER w FROM (VALUES (1, 100), (2, 200), (3, 300), (4, 400)) t(id, value) WINDOW w AS (ORDER BY id ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING AFTER MATCH SKIP TO NEXT ROW PATTERN (A+) DEFINE A AS (SELECT true));
expect: [[1, 400], [2, 400], [3, 400], [4, 400]]
SELECT v.id, (SELECT max(s) FROM (SELECT m OVER w AS s FROM (VALUES 1, 2, 3) t(x) WHERE x <= v.id WINDOW w AS (ORDER BY x MEASURES sum(x) AS m ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING PATTERN (A+) DEFINE A AS true))) FROM (VALUES 1, 2, 3) v(id);
expect: [[1, 1], [2, 3], [3, 6]]
-- Over tables: held against other windows.
SELECT orderkey, linenumber, n OVER w, first_value(partkey) OVER w, count(*) OVER w FROM lineitem WHERE orderkey < 3000 WINDOW w AS (PARTITION BY orderkey ORDER BY linenumber MEASURES count(*) AS n ROWS BETWEEN CURRENT ROW AND 2 FOLLOWING AFTER MATCH SKIP TO NEXT ROW PATTERN (A+) DEFINE A AS true);
duckdb: SELECT orderkey, linenumber, count(*) OVER w, first_value(partkey) OVER w, count(*) OVER w FROM lineitem WHERE orderkey < 3000 WINDOW w AS (PARTITION BY orderkey ORDER BY linenumber ROWS BETWEEN CURRENT ROW AND 2 FOLLOWING);
SELECT custkey, orderkey, up OVER w FROM orders WINDOW w AS (PARTITION BY custkey ORDER BY orderdate, orderkey MEASURES count(B.*) AS up ROWS BETWEEN CURRENT ROW AND 1 FOLLOWING AFTER MATCH SKIP TO NEXT ROW PATTERN (A B?) DEFINE B AS totalprice > PREV(totalprice));
duckdb: SELECT custkey, orderkey, CASE WHEN lead(totalprice) OVER w > totalprice THEN 1 ELSE 0 END FROM orders WINDOW w AS (PARTITION BY custkey ORDER BY orderdate, orderkey);
-- Mistakes.
SELECT count(*) OVER w FROM (VALUES (1, 90)) t(id, value) WINDOW w AS (MEASURES id AS x ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING);
error: MISSING_ROW_PATTERN line 1:72: Row pattern measures require PATTERN clause
SELECT count(*) OVER w FROM (VALUES (1, 90)) t(id, value) WINDOW w AS (ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING AFTER MATCH SKIP TO NEXT ROW);
error: MISSING_ROW_PATTERN line 1:133: AFTER MATCH SKIP clause requires PATTERN clause
SELECT count(*) OVER w FROM (VALUES (1, 90)) t(id, value) WINDOW w AS (ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING SEEK);
error: MISSING_ROW_PATTERN line 1:121: SEEK modifier requires PATTERN clause
SELECT count(*) OVER w FROM (VALUES (1, 90)) t(id, value) WINDOW w AS (ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING INITIAL);
error: MISSING_ROW_PATTERN line 1:121: INITIAL modifier requires PATTERN clause
SELECT count(*) OVER w FROM (VALUES (1, 90)) t(id, value) WINDOW w AS (ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING SUBSET U = (A));
error: MISSING_ROW_PATTERN line 1:128: Union variable definitions require PATTERN clause
SELECT count(*) OVER w FROM (VALUES (1, 90)) t(id, value) WINDOW w AS (ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING DEFINE A AS true);
error: MISSING_ROW_PATTERN line 1:128: Primary pattern variable definitions require PATTERN clause
SELECT count(*) OVER w FROM (VALUES (1, 90)) t(id, value) WINDOW w AS (ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING PATTERN (A));
error: MISSING_VARIABLE_DEFINITIONS line 1:72: Pattern recognition requires DEFINE clause
SELECT count(*) OVER w FROM (VALUES (1, 90)) t(id, value) WINDOW w AS (ORDER BY id RANGE BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING PATTERN (A) DEFINE A AS true);
error: INVALID_WINDOW_FRAME line 1:84: Pattern recognition requires ROWS frame type
SELECT count(*) OVER w FROM (VALUES (1, 90)) t(id, value) WINDOW w AS (GROUPS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING PATTERN (A) DEFINE A AS true);
error: INVALID_WINDOW_FRAME line 1:72: Pattern recognition requires ROWS frame type
SELECT count(*) OVER w FROM (VALUES (1, 90)) t(id, value) WINDOW w AS (ROWS CURRENT ROW PATTERN (A) DEFINE A AS true);
error: INVALID_WINDOW_FRAME line 1:72: Pattern recognition requires frame specified as BETWEEN CURRENT ROW AND ...
SELECT count(*) OVER w FROM (VALUES (1, 90)) t(id, value) WINDOW w AS (ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW PATTERN (A) DEFINE A AS true);
error: INVALID_WINDOW_FRAME line 1:72: Pattern recognition requires frame specified as BETWEEN CURRENT ROW AND ...
SELECT count(*) OVER w FROM (VALUES (1, 90)) t(id, value) WINDOW w AS (ROWS BETWEEN CURRENT ROW AND 1 PRECEDING PATTERN (A) DEFINE A AS true);
error: INVALID_WINDOW_FRAME line 1:72: Window frame starting from CURRENT ROW cannot end with PRECEDING
SELECT count(*) OVER w FROM (VALUES (1, 90)) t(id, value) WINDOW w AS (ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING PATTERN (^ A) DEFINE A AS true);
error: INVALID_ROW_PATTERN line 1:130: Anchor pattern syntax is not allowed in window
SELECT count(*) OVER w FROM (VALUES (1, 90)) t(id, value) WINDOW w AS (ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING PATTERN (A $) DEFINE A AS true);
error: INVALID_ROW_PATTERN line 1:132: Anchor pattern syntax is not allowed in window
SELECT count(*) OVER w FROM (VALUES (1, 90)) t(id, value) WINDOW w AS (MEASURES MATCH_NUMBER() AS x ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING PATTERN (A) DEFINE A AS true);
error: INVALID_PATTERN_RECOGNITION_FUNCTION line 1:81: MATCH_NUMBER function is not supported in window
SELECT count(*) OVER w FROM (VALUES (1, 90)) t(id, value) WINDOW w AS (ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING PATTERN (A) DEFINE A AS MATCH_NUMBER() > 1);
error: INVALID_PATTERN_RECOGNITION_FUNCTION line 1:145: MATCH_NUMBER function is not supported in window
SELECT count(*) OVER w FROM (VALUES (1, 90)) t(id, value) WINDOW w AS (ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING PATTERN (A) DEFINE B AS true);
error: INVALID_LABEL line 1:140: defined variable: B is not a primary pattern variable
SELECT count(*) OVER w FROM (VALUES (1, 90)) t(id, value) WINDOW w AS (ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING AFTER MATCH SKIP TO X PATTERN (A) DEFINE A AS true);
error: INVALID_LABEL line 1:141: X is not a primary or union pattern variable
SELECT last_value OVER w FROM (VALUES (1, 90)) t(id, value) WINDOW w AS (ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING PATTERN (A) DEFINE A AS true);
error: INVALID_WINDOW_MEASURE line 1:8: Measure last_value is not defined in the corresponding window
SELECT x OVER w FROM (VALUES (1, 90)) t(id, value) WINDOW w AS (MEASURES id AS x, value AS X ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING PATTERN (A) DEFINE A AS true);
error: AMBIGUOUS_NAME line 1:8: Measure x is defined more than once
SELECT x OVER w FROM (VALUES (1, 90)) t(id, value) WINDOW w AS (ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING);
error: INVALID_WINDOW_MEASURE line 1:8: Measure x is not defined in the corresponding window
SELECT count(x OVER w) FROM (VALUES (1, 90)) t(id, value) WINDOW w AS (MEASURES id AS x ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING PATTERN (A) DEFINE A AS true);
error: NESTED_WINDOW line 1:8: Cannot nest window functions or row pattern measures inside aggregation 'count': [x OVER w]
