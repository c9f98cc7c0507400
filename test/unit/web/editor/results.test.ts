/** Results in the SQL editor: types, texts, order, geometry of the grid, charts. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { chartData, suggestedChart } from "../../../../src/web/editor/chart/series.ts";
import { parseColumnType } from "../../../../src/web/editor/results/column-types.ts";
import { boundsOf, cellAfter, columnEdges, columnsBetween } from "../../../../src/web/editor/results/grid-cells.ts";
import { timestampPicos } from "../../../../src/web/editor/results/moments.ts";
import { orderedRows } from "../../../../src/web/editor/results/order.ts";
import { distinctNames, oneLine, valueText } from "../../../../src/web/editor/results/values.ts";
import { openDuckDb } from "../../../support/oracle/duckdb.ts";

const typeOf = parseColumnType;

function sorted(type: string, values: readonly unknown[], direction: "ascending" | "descending" = "ascending"): readonly unknown[] {
  const rows = values.map((value) => [value]);
  return Array.from(orderedRows(rows, typeOf(type), { column: 0, direction }), (index) => values[index]);
}

describe("results in the SQL editor", () => {
  it("reads type texts of both generations", () => {
    expect(typeOf("bigint")).toEqual({ base: "bigint", numbers: [], children: [] });
    expect(typeOf("decimal(38, 2)")).toMatchObject({ base: "decimal", numbers: [38, 2] });
    expect(typeOf("decimal(38,2)")).toMatchObject({ numbers: [38, 2] });
    expect(typeOf("timestamp(6) with time zone")).toMatchObject({ base: "timestamp with time zone", numbers: [6] });
    expect(typeOf("INTERVAL DAY TO SECOND").base).toBe("interval day to second");
    const row = typeOf('row(a bigint, "b, ""c)" array(decimal(5, 1)), timestamp with time zone, d map(varchar(3), row(x date)))');
    expect(row.children.map(({ name, type }) => [name, type.base])).toEqual([
      ["a", "bigint"],
      ['b, "c)', "array"],
      [undefined, "timestamp with time zone"],
      ["d", "map"],
    ]);
    expect(row.children[1]?.type.children[0]?.type).toMatchObject({ base: "decimal", numbers: [5, 1] });
    expect(row.children[3]?.type.children[1]?.type.children[0]).toMatchObject({ name: "x", type: { base: "date" } });
  });

  it("any text is a type or another", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom("a", "(", ")", ",", '"', " ", "1", "row(", "map("), maxLength: 30 }), (text) => {
        expect(typeof typeOf(text).base).toBe("string");
      }),
    );
  });

  it("shows exact values on one line", () => {
    expect(valueText(2n ** 63n - 1n, typeOf("bigint"))).toBe("9223372036854775807");
    expect(valueText(1, typeOf("double"))).toBe("1.0");
    expect(valueText(1e21, typeOf("double"))).toBe("1.0E21");
    expect(valueText(-0, typeOf("real"))).toBe("-0.0");
    expect(valueText([1n, { a: 2n ** 63n }], typeOf("array(bigint)"))).toBe('[1,{"a":9223372036854775808}]');
    expect(oneLine("a\r\n\tb\u2028c", 100)).toBe("a   b c");
    expect(oneLine("abcdef", 3)).toBe("abc…");
    expect(distinctNames(["a", "a", "a_2", "a"])).toEqual(["a", "a_3", "a_2", "a_4"]);
  });

  it("orders by the type, NULL last in both directions", () => {
    expect(sorted("bigint", [3, null, 2n ** 63n - 1n, 2n ** 63n - 2n, -1])).toEqual([-1, 3, 2n ** 63n - 2n, 2n ** 63n - 1n, null]);
    expect(sorted("bigint", [1, null, 2], "descending")).toEqual([2, 1, null]);
    expect(sorted("decimal(38, 1)", ["10.0", "9.5", "-0.5", "-10.0"])).toEqual(["-10.0", "-0.5", "9.5", "10.0"]);
    expect(sorted("double", ["NaN", 1, "-Infinity", "Infinity", null])).toEqual(["-Infinity", 1, "Infinity", "NaN", null]);
    expect(sorted("varchar", ["\u{1f600}", "\uffee", "b", "B", "a\u0000"])).toEqual(["B", "a\u0000", "b", "\uffee", "\u{1f600}"]);
    expect(sorted("boolean", [true, false])).toEqual([false, true]);
    expect(sorted("date", ["10000-01-01", "2026-01-01", "-0044-03-15"])).toEqual(["-0044-03-15", "2026-01-01", "10000-01-01"]);
    expect(sorted("interval day to second", ["1 00:00:00.000", "-2 00:00:00.000", "0 23:59:59.999"])).toEqual([
      "-2 00:00:00.000",
      "0 23:59:59.999",
      "1 00:00:00.000",
    ]);
    expect(sorted("interval year to month", ["1-0", "0-11", "-1-1"])).toEqual(["-1-1", "0-11", "1-0"]);
    expect(sorted("array(bigint)", [[2], [1, 5], [1], [1, null]])).toEqual([[1], [1, 5], [1, null], [2]]);
    expect(sorted("varbinary", ["gA==", "Zg==", ""])).toEqual(["", "Zg==", "gA=="]);
    const moments = ["2026-01-01 12:00:00.000 America/New_York", "2026-01-01 12:00:00.000 Europe/Oslo", "2026-01-01 12:30:00.000 +01:00"];
    expect(sorted("timestamp with time zone", moments)).toEqual([moments[1], moments[2], moments[0]]);
  });

  it("orders any rows as DuckDB does", async () => {
    const duckDb = await openDuckDb({ threads: 1 });
    const day = fc
      .date({ min: new Date("1900-01-01"), max: new Date("2100-01-01"), noInvalidDate: true })
      .map((date) => date.toISOString().slice(0, 10));
    const integer = fc.option(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), { nil: null });
    const text = fc.option(fc.string({ unit: fc.constantFrom("a", "B", "é", "\uffee", "\u{1f600}", "1"), maxLength: 4 }), { nil: null });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(integer, text, day), { minLength: 1, maxLength: 12 }), fc.boolean(), async (rows, isAscending) => {
        const literal = (value: bigint | string | null): string => (value === null ? "NULL" : `'${String(value)}'`);
        const values = rows.map(([i, t, d], index) => `(${index}, ${literal(i)}::BIGINT, ${literal(t)}, ${literal(d)}::DATE)`).join(", ");
        for (const [column, type] of ["bigint", "varchar", "date"].entries()) {
          const direction = isAscending ? "ascending" : "descending";
          const sql = `SELECT n FROM (VALUES ${values}) v (n, i, t, d) ORDER BY ${"itd"[column]} ${isAscending ? "ASC" : "DESC"} NULLS LAST, n`;
          const order = Array.from(orderedRows(rows, typeOf(type), { column, direction }));
          expect(order).toEqual((await duckDb.rows(sql)).map(([n]) => n));
        }
      }),
      { numRuns: 40 },
    );
    duckDb.close();
  });

  it("knows instants of zones across changes of the clock", () => {
    const picos = (text: string): number => Number((timestampPicos(text) ?? 0n) / 1_000_000_000n);
    expect(picos("2026-07-01 12:00:00.000 Europe/Oslo")).toBe(Date.UTC(2026, 6, 1, 10));
    expect(picos("2026-03-29 03:30:00.000 Europe/Oslo")).toBe(Date.UTC(2026, 2, 29, 1, 30));
    expect(picos("1969-12-31 23:59:59.999 UTC")).toBe(-1);
    expect(timestampPicos("2026-01-01 00:00:00 No/Where")).toBeUndefined();
    expect(timestampPicos("2026-01-01 00:00:00.123456789012")).toBe(BigInt(Date.UTC(2026, 0, 1)) * 1_000_000_000n + 123_456_789_012n);
  });

  it("moves through cells, and selects ranges in any direction", () => {
    const size = { rows: 100, columns: 5, page: 10 };
    const from = { row: 3, column: 2 };
    const go = (key: string, ctrlKey = false): unknown => cellAfter({ key, ctrlKey }, from, size);
    expect(go("ArrowDown")).toEqual({ row: 4, column: 2 });
    expect(go("ArrowDown", true)).toEqual({ row: 99, column: 2 });
    expect(go("PageUp")).toEqual({ row: 0, column: 2 });
    expect(go("End", true)).toEqual({ row: 99, column: 4 });
    expect(go("Home")).toEqual({ row: 3, column: 0 });
    expect(go("x")).toBeUndefined();
    expect(cellAfter({ key: "ArrowUp", ctrlKey: false }, { row: 0, column: 0 }, size)).toEqual({ row: -1, column: 0 });
    expect(boundsOf({ anchor: { row: 4, column: 1 }, focus: { row: 2, column: 3 } })).toEqual({ top: 2, bottom: 4, left: 1, right: 3 });
  });

  it("renders the columns in view and no others", () => {
    const edges = columnEdges([100, 50, 200, 80], 30);
    expect(edges).toEqual([30, 130, 180, 380, 460]);
    expect(columnsBetween(edges, 0, 130)).toEqual({ first: 0, end: 1 });
    expect(columnsBetween(edges, 135, 385)).toEqual({ first: 1, end: 4 });
    expect(columnsBetween([30], 0, 100)).toEqual({ first: 0, end: 0 });
  });

  it("charts names, times and numbers", () => {
    const types = ["varchar", "bigint", "date", "bigint"].map(typeOf);
    const rows = [
      ["Rome", 2n ** 60n, "2026-01-02", 5],
      [null, null, null, 6],
      ["Oslo", 3, "2026-01-01", 7],
    ];
    expect(suggestedChart(types, ["city", "n", "day", "orderkey"])).toEqual({ kind: "line", x: 2, ys: [1] });
    expect(suggestedChart(types.slice(0, 2), ["city", "n"])).toEqual({ kind: "bar", x: 0, ys: [1] });
    expect(suggestedChart(["bigint", "double"].map(typeOf), ["orderkey", "price"])).toEqual({ kind: "scatter", x: 0, ys: [1] });
    expect(suggestedChart([typeOf("varchar")], ["a"])).toEqual({ kind: "bar", x: 0, ys: [] });
    expect(chartData(types, rows, { kind: "bar", x: 0, ys: [1, 3] })).toMatchObject({
      xs: [0, 1, 2],
      ys: [
        [2 ** 60, null, 3],
        [5, 6, 7],
      ],
      xKind: "name",
      names: ["Rome", "NULL", "Oslo"],
      omitted: 0,
    });
    const byDay = chartData(types, rows, { kind: "line", x: 2, ys: [1] });
    expect(byDay).toMatchObject({
      xs: [Date.UTC(2026, 0, 1) / 1000, Date.UTC(2026, 0, 2) / 1000],
      ys: [[3, 2 ** 60]],
      xKind: "time",
      omitted: 1,
    });
    const many = Array.from({ length: 600 }, (_, index) => ["x", index, null, 0]);
    expect(chartData(types, many, { kind: "bar", x: 0, ys: [1] })).toMatchObject({ omitted: 100 });
  });
});
