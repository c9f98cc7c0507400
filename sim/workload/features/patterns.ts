/**
 * Row pattern recognition: exclusions, permutations, empty matches, every place to continue after a match, aggregates over computed
 * arguments, navigation, and patterns of windows.
 */
import type { Stream } from "../../world/streams.ts";
import type { Feature } from "./feature.ts";

function over(stream: Stream, clauses: string): string {
  return `(SELECT orderkey, custkey, totalprice, orderstatus FROM orders WHERE custkey < ${stream.between(20, 60)}) MATCH_RECOGNIZE (PARTITION BY custkey ORDER BY orderkey ${clauses})`;
}

const rising = "UP AS totalprice > PREV(totalprice)";
const falling = "DOWN AS totalprice < PREV(totalprice)";

/** A match may be empty. */
function emptyMatches(stream: Stream): string {
  const rows = stream.pick([
    "ONE ROW PER MATCH",
    "ALL ROWS PER MATCH SHOW EMPTY MATCHES",
    "ALL ROWS PER MATCH OMIT EMPTY MATCHES",
    "ALL ROWS PER MATCH WITH UNMATCHED ROWS",
  ]);
  const pattern = stream.pick(["UP*", "UP*?", "(UP | ()) DOWN?", "UP?? DOWN{0,2}?", "(UP DOWN)* | ()", "()", "(UP*)+"]);
  const defined = [...(pattern.includes("UP") ? [rising] : []), ...(pattern.includes("DOWN") ? [falling] : [])];
  const defines = defined.length === 0 ? "UP AS true" : defined.join(", ");
  return `SELECT * FROM ${over(
    stream,
    `MEASURES MATCH_NUMBER() AS number, CLASSIFIER() AS label, count(*) AS size, last(orderkey) AS ended ${rows} AFTER MATCH SKIP ${stream.pick(["PAST LAST ROW", "TO NEXT ROW"])} PATTERN (${pattern === "()" ? "() | UP" : pattern}) DEFINE ${defines}`,
  )}`;
}

function quantified(stream: Stream): string {
  const pattern = stream.pick([
    "A UP{2,} DOWN",
    "A UP{,3} DOWN{1,2}",
    "A UP{1,3}? DOWN+?",
    "PERMUTE(UP, DOWN)",
    "PERMUTE(A, UP, DOWN)",
    "A {- UP+ -} DOWN+",
    "{- A -} (UP | DOWN)+",
    "A (UP DOWN)+ $",
    "^ A UP",
    "PERMUTE(A)  UP",
  ]);
  const isAllRows = pattern.includes("{-") || stream.chance(1, 2);
  const defined = [...(pattern.includes("UP") ? [rising] : []), ...(pattern.includes("DOWN") ? [falling] : [])].join(", ");
  return `SELECT * FROM ${over(
    stream,
    `MEASURES ${stream.pick(["FINAL", "RUNNING"])} count(*) AS size, FINAL last(orderkey) AS ended, FIRST(totalprice, 1) AS second, PREV(LAST(orderkey, 1), 1) AS before, NEXT(FIRST(orderkey), 2) AS behind ${isAllRows ? "ALL ROWS PER MATCH" : "ONE ROW PER MATCH"} PATTERN (${pattern}) DEFINE ${defined}`,
  )}`;
}

/** Where the search goes on; some of these fail because the row is missing or is the first of the match. */
function continued(stream: Stream): string {
  const place = stream.pick(["TO FIRST UP", "TO LAST UP", "TO UP", "TO FIRST A", "TO LAST DOWN", "TO FIRST DOWN", "TO NEXT ROW"]);
  return `SELECT * FROM ${over(
    stream,
    `MEASURES FIRST(orderkey) AS begun, count(UP.*) AS rises ${stream.pick(["ONE ROW", "ALL ROWS"])} PER MATCH AFTER MATCH SKIP ${place} PATTERN (A UP+ DOWN${stream.pick(["", "*", "?"])}) DEFINE ${rising}, ${falling}`,
  )}`;
}

/** Arguments of aggregates that are computed for each row of a match, and depend on its number and on labels. */
function computed(stream: Stream): string {
  const measures = stream
    .shuffle([
      "sum(UP.totalprice * MATCH_NUMBER()) AS m1",
      "array_agg(CLASSIFIER(UP)) AS m2",
      "max_by(UP.orderkey, UP.totalprice + MATCH_NUMBER()) AS m3",
      "array_agg(lower(CLASSIFIER())) AS m4",
      "sum(UP.custkey + 1) AS m5",
      "count(UP.totalprice / 2) AS m6",
      "array_agg(substr(orderstatus, 1, 1) || '-') AS m7",
      "min(UP.orderkey % 5) AS m8",
    ])
    .slice(0, stream.between(2, 4));
  const condition = stream.pick([
    "sum(UP.totalprice + 1) < 900000",
    "count(*) < 4",
    "max(UP.orderkey * 2) > FIRST(A.orderkey)",
    "sum(totalprice * 2) < 800000 AND CLASSIFIER(A) = 'A'",
    "array_agg(CLASSIFIER())[1] = 'A' AND MATCH_NUMBER() > 0",
  ]);
  return `SELECT * FROM ${over(
    stream,
    `MEASURES ${measures.join(", ")} ${stream.pick(["ONE ROW", "ALL ROWS"])} PER MATCH ${stream.pick(["", "AFTER MATCH SKIP TO NEXT ROW"])} PATTERN (A UP+) DEFINE UP AS ${condition}`,
  )}`;
}

const half =
  "WITH FUNCTION half(x bigint) RETURNS bigint BEGIN DECLARE i bigint DEFAULT 0; WHILE i + i < x DO SET i = i + 1; END WHILE; RETURN i; END ";

/** Conditions that fail at a row, or call a function of the statement. */
function conditional(stream: Stream): string {
  const [functions, condition] = stream.pick([
    ["", "1000 / (orderkey % 3) > 0"],
    ["", "1000 / (PREV(orderkey) % 3) > 0"],
    ["", "CAST(orderstatus AS bigint) > 0"],
    [half, "half(custkey) < half(orderkey)"],
    [half, "half(A.custkey) < half(LAST(UP.custkey) + 5)"],
    ["", "LAST(UP.totalprice, 1) IS NULL OR LAST(UP.totalprice) > FIRST(UP.totalprice)"],
    ["", "orderstatus IN ('O', 'F') AND PREV(orderstatus, 2) = orderstatus"],
  ]);
  return `${functions}SELECT * FROM ${over(
    stream,
    `MEASURES count(*) AS size, LAST(UP.orderkey) AS ended ONE ROW PER MATCH PATTERN (A UP+) DEFINE UP AS ${condition}`,
  )}`;
}

function windowed(stream: Stream): string {
  const end = stream.pick(["UNBOUNDED FOLLOWING", "4 FOLLOWING", "custkey % 5 FOLLOWING"]);
  const where = stream.pick(["", "INITIAL ", "SEEK "]);
  const skip = stream.pick(["", "AFTER MATCH SKIP PAST LAST ROW ", "AFTER MATCH SKIP TO NEXT ROW "]);
  const pattern = stream.pick(["A UP+", "A UP*", "A UP DOWN"]);
  const falls = `, DOWN AS totalprice < ${stream.pick(["PREV(totalprice)", "NEXT(totalprice)"])}`;
  return (
    `SELECT orderkey, size OVER w, label OVER w, count(*) OVER w, first_value(orderkey) OVER w, sum(custkey) OVER w FROM orders WHERE custkey < ${stream.between(20, 50)} ` +
    `WINDOW w AS (PARTITION BY custkey ORDER BY orderkey MEASURES count(*) AS size, CLASSIFIER() AS label ROWS BETWEEN CURRENT ROW AND ${end} ${skip}${where}PATTERN (${pattern}) DEFINE UP AS totalprice > PREV(totalprice)${pattern.includes("DOWN") ? falls : ""})`
  );
}

export const patternFeatures: readonly Feature[] = [
  emptyMatches,
  emptyMatches,
  emptyMatches,
  quantified,
  quantified,
  quantified,
  continued,
  continued,
  continued,
  computed,
  computed,
  computed,
  conditional,
  conditional,
  windowed,
  windowed,
];
