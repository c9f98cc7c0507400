/** Values: every digit and every character. */
import { rowsOf, type Situation } from "../situation.ts";

function value(name: string, rest: Omit<Situation, "name" | "group" | "must"> & { readonly must?: boolean }): Situation {
  return { must: true, ...rest, name, group: "values" };
}

export const valueSituations: readonly Situation[] = [
  value("bigint", {
    story: "64-bit integers at both ends, and beyond 2^53.",
    sql: "SELECT * FROM (VALUES 9223372036854775807, -9223372036854775808, 9007199254740993) t(x)",
    expect: rowsOf(9_223_372_036_854_775_807n, -9_223_372_036_854_775_808n, 9_007_199_254_740_993n),
  }),
  value("bigint-nested", {
    story: "A 64-bit integer within an array.",
    sql: "SELECT ARRAY[9007199254740993, -9007199254740995]",
    expect: { kind: "rows", rows: [[[9_007_199_254_740_993n, -9_007_199_254_740_995n]]] },
  }),
  value("decimal", {
    story: "Decimals of 38 digits.",
    sql: "SELECT DECIMAL '12345678901234567890.123456789012345678', DECIMAL '-0.10', DECIMAL '99999999999999999999999999999999999999'",
    expect: {
      kind: "rows",
      rows: [
        [
          { decimal: "12345678901234567890.123456789012345678" },
          { decimal: "-0.10" },
          { decimal: "99999999999999999999999999999999999999" },
        ],
      ],
    },
  }),
  value("double", {
    story: "The largest and the smallest doubles.",
    sql: "SELECT 1.7976931348623157E308, 4.9E-324, 0.1E0, -1.5E0",
    expect: { kind: "rows", rows: [[1.797_693_134_862_315_7e308, 5e-324, 0.1, -1.5]] },
  }),
  value("not-a-number", {
    story: "NaN and the infinities, for which JSON has no number.",
    sql: "SELECT nan(), infinity(), -infinity()",
    expect: { kind: "rows", rows: [[Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]] },
  }),
  value("null", {
    story: "NULL in every type, and among values.",
    sql: "SELECT CAST(NULL AS bigint), CAST(NULL AS varchar), CAST(NULL AS timestamp), CAST(NULL AS array(bigint)), 1",
    expect: { kind: "rows", rows: [[null, null, null, null, 1n]] },
  }),
  value("unicode", {
    story: "Characters of one to four bytes, combined and from right to left.",
    sql: "SELECT 'Zoë 中文 🦦 e\u0301 שלום \u{10FFFF}'",
    expect: rowsOf("Zoë 中文 🦦 e\u0301 שלום \u{10FFFF}"),
  }),
  value("control-characters", {
    story: "Quotes, backslashes, line ends and control characters.",
    sql: `SELECT '"' || '\\' || chr(10) || chr(13) || chr(9) || chr(1) || '''' || chr(8232)`,
    expect: rowsOf("\"\\\n\r\t\u0001'\u2028"),
  }),
  value("empty-text", {
    story: "An empty text is not NULL, and blanks stay.",
    sql: "SELECT '', '  a  ', 'null', 'NaN'",
    expect: { kind: "rows", rows: [["", "  a  ", "null", "NaN"]] },
  }),
  value("times", {
    story: "Dates and timestamps, to the millisecond.",
    sql: "SELECT DATE '0099-12-31', TIMESTAMP '2001-08-22 03:04:05.123', TIME '23:59:59.999'",
    expect: {
      kind: "rows",
      rows: [[{ time: "0099-12-31" }, { time: "2001-08-22 03:04:05.123" }, { time: "23:59:59.999" }]],
    },
  }),
  value("bytes", {
    story: "Bytes that are no text.",
    sql: "SELECT X'00FF80C3287F'",
    expect: { kind: "rows", rows: [[{ bytes: Buffer.from("00FF80C3287F", "hex").toString("base64") }]] },
  }),
  value("nested", {
    story: "Arrays, maps and rows within each other.",
    sql: "SELECT ARRAY[ARRAY[1, NULL], ARRAY[]], MAP(ARRAY['a', 'b'], ARRAY[1, 2]), CAST(ROW(1, 'x') AS ROW(n bigint, t varchar))",
    expect: {
      kind: "rows",
      rows: [
        [
          [[1n, null], []],
          {
            pairs: [
              ["a", 1n],
              ["b", 2n],
            ],
          },
          [1n, "x"],
        ],
      ],
    },
  }),
];
