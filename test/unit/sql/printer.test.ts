import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseStatement } from "../../../src/sql/parser/parser.ts";
import { parseExpression } from "../../support/expressions.ts";
import { printExpression, printStatement } from "../../../src/sql/printer/printer.ts";
import { anyStatement } from "./statement-trees.ts";
import { anyExpression, withoutPlaces } from "./trees.ts";

describe("printing and parsing are inverse", () => {
  it("for expressions", () => {
    fc.assert(
      fc.property(anyExpression, (tree) => {
        expect(withoutPlaces(parseExpression(printExpression(tree)))).toEqual(withoutPlaces(tree));
      }),
      { numRuns: 700 },
    );
  });

  it("for statements, and a second round prints the same text", () => {
    fc.assert(
      fc.property(anyStatement, (tree) => {
        const text = printStatement(tree);
        const parsed = parseStatement(text);
        expect(withoutPlaces(parsed)).toEqual(withoutPlaces(tree));
        expect(printStatement(parsed)).toBe(text);
      }),
      { numRuns: 700 },
    );
  });
});

describe("PIVOT", () => {
  it.each(["a, 0", "a, b AS c", "a, sum(b)", "a, b, c + 1", "a, b"])("takes names for aggregations: %s", (aggregations) => {
    const tree = parseStatement(`SELECT * FROM t PIVOT (${aggregations} FOR c IN (1))`);
    expect(tree).toMatchObject({ body: { from: { kind: "Pivot", relation: { kind: "Table" } } } });
    expect(withoutPlaces(parseStatement(printStatement(tree)))).toEqual(withoutPlaces(tree));
  });

  it.each(["a", "a, b", "a, b, c"])("is an alias before names alone: %s", (names) => {
    const tree = parseStatement(`SELECT * FROM t PIVOT (${names}) WHERE true`);
    expect(tree).toMatchObject({ body: { from: { kind: "AliasedRelation", alias: { value: "PIVOT" } } } });
  });
});

describe("the range of a FOR loop", () => {
  it.each(["INTERVAL '1' DAY", "x + INTERVAL '2' HOUR", "INTERVAL '1' DAY TO SECOND", "1", "day"])(
    "begins with what is no interval's end: %s",
    (lower) => {
      const sql = `WITH FUNCTION f(x bigint, day bigint) RETURNS bigint BEGIN FOR i IN (${lower}) TO x DO SET x = 1; END FOR; RETURN x; END SELECT 1`;
      const tree = parseStatement(sql);
      expect(withoutPlaces(parseStatement(printStatement(tree)))).toEqual(withoutPlaces(tree));
    },
  );
});

describe("the text", () => {
  it.each([
    ["a+b*c", "(a + (b * c))"],
    ["a and b or not c", "((a AND b) OR (NOT c))"],
    ["a and b and c", "(a AND b AND c)"],
    ["x not in (1, 2)", "(NOT (x IN (1, 2)))"],
    ["x not between 1 and 2", "(NOT (x BETWEEN 1 AND 2))"],
    ["x is not null", "(x IS NOT NULL)"],
    ["x is not distinct from y", "(NOT (x IS DISTINCT FROM y))"],
    ["a || 'b'", "concat(a, 'b')"],
    ["- -a", "- -a"],
    ["-a[1]", "-a[1]"],
    ["(-a)[1]", "(-a)[1]"],
    ["position('a' in b)", "strpos(b, 'a')"],
    ["listagg(x) within group (order by y desc)", "listagg(x, '') WITHIN GROUP (ORDER BY y DESC)"],
    [
      "listagg(distinct x, ', ' on overflow truncate '..' with count) within group (order by x, y) filter (where z)",
      "listagg(DISTINCT x, ', ' ON OVERFLOW TRUNCATE '..' WITH COUNT) WITHIN GROUP (ORDER BY x ASC, y ASC) FILTER (WHERE z)",
    ],
    [
      "listagg(x, ',' on overflow truncate without count) within group (order by x)",
      "listagg(x, ',' ON OVERFLOW TRUNCATE '...' WITHOUT COUNT) WITHIN GROUP (ORDER BY x ASC)",
    ],
    ["position('a', b)", "position('a', b)"],
    ["substring(s from 2 for 3)", "substr(s, 2, 3)"],
    ["trim(leading '0' from s)", "ltrim(s, '0')"],
    ["trim(s)", "trim(s)"],
    ["normalize(s, nfd)", "normalize(s, NFD)"],
    ["COUNT(*) filter (where x > 1)", "COUNT(*) FILTER (WHERE (x > 1))"],
    ["interval '90' day (3)", "INTERVAL '90' DAY"],
    ["interval - '1-2' year to month", "INTERVAL -'1-2' YEAR TO MONTH"],
    ["date '1998-12-01'", "DATE '1998-12-01'"],
    ["cast(a as double precision)", "CAST(a AS double)"],
    ["cast(a as timestamp (3) with time zone)", "CAST(a AS timestamp(3) with time zone)"],
    ["case a when 1 then 2 else 3 end", "(CASE a WHEN 1 THEN 2 ELSE 3 END)"],
    ["1.5e3", "1.5E3"],
    ["u&'d\\0061t\\+000061'", "'data'"],
    ["transform(a, x -> x + 1)", "transform(a, (x) -> (x + 1))"],
    [
      "sum(x) over (partition by a order by b rows between 1 preceding and current row)",
      "sum(x) OVER (PARTITION BY a ORDER BY b ASC ROWS BETWEEN 1 PRECEDING AND CURRENT ROW)",
    ],
  ])("of %s is %s", (text, printed) => {
    expect(printExpression(parseExpression(text))).toBe(printed);
  });

  it("of a query is laid out a clause a line", () => {
    const text =
      "select a, b.c x from t join u using (k), v where a > 1 group by a, rollup (x) having count(*) > 1 order by 1 desc limit 10";
    expect(printStatement(parseStatement(text))).toBe(
      [
        "SELECT",
        "  a",
        ", b.c AS x",
        "FROM",
        "  (t",
        "  INNER JOIN u USING (k))",
        "  , v",
        "WHERE (a > 1)",
        "GROUP BY a, ROLLUP (x)",
        "HAVING (count(*) > 1)",
        "ORDER BY 1 DESC",
        "LIMIT 10",
      ].join("\n"),
    );
  });
});
