import { describe, expect, it } from "vitest";
import type { ConstantValue, RowExpression } from "../../../../src/planner/plan/typed-expression.ts";
import {
  BIGINT,
  BOOLEAN,
  DATE,
  decimalType,
  DOUBLE,
  INTEGER,
  INTERVAL_DAY_TO_SECOND,
  INTERVAL_YEAR_TO_MONTH,
  REAL,
  SMALLINT,
  TIMESTAMP,
  TINYINT,
  type Type,
  UNKNOWN,
  VARCHAR,
  charType,
  varcharType,
} from "../../../../src/types/type.ts";
import { call, cast, constant, createWorld, evaluate, makePage, run, special, variable } from "./world.ts";

const world = createWorld();

function both(expression: RowExpression): ConstantValue {
  const value = evaluate(world, expression);
  expect(evaluate(world, expression, world.interpreter)).toEqual(value);
  return value;
}

const int = (value: number | null) => constant(INTEGER, value);
const big = (value: bigint | null) => constant(BIGINT, value === null ? null : value.toString());
const text = (value: string | null) => constant(VARCHAR, value);
const dec = (unscaled: bigint, precision: number, scale: number) => constant(decimalType(precision, scale), unscaled.toString());
const dbl = (value: number | string) => constant(DOUBLE, value);
const bool = (value: boolean | null) => constant(BOOLEAN, value);

describe("integer arithmetic", () => {
  it("keeps the operands' type", () => {
    expect(both(call("$add", int(2), int(3)))).toBe(5);
    expect(both(call("$add", int(2), big(3n)))).toBe("5");
    expect(both(call("$divide", int(-7), int(2)))).toBe(-3);
    expect(both(call("$modulus", int(-7), int(2)))).toBe(-1);
    expect(both(call("$multiply", big(3_000_000_000n), big(-3n)))).toBe("-9000000000");
  });

  it("raises on overflow with Presto's words", () => {
    expect(both(call("$add", int(2147483647), int(1)))).toBe("NUMERIC_VALUE_OUT_OF_RANGE: integer addition overflow: 2147483647 + 1");
    expect(both(call("$subtract", constant(TINYINT, -128), constant(TINYINT, 1)))).toBe(
      "NUMERIC_VALUE_OUT_OF_RANGE: tinyint subtraction overflow: -128 - 1",
    );
    expect(both(call("$multiply", constant(SMALLINT, 300), constant(SMALLINT, 300)))).toBe(
      "NUMERIC_VALUE_OUT_OF_RANGE: smallint multiplication overflow: 300 * 300",
    );
    expect(both(call("$multiply", big(1n << 62n), big(2n)))).toBe(
      "NUMERIC_VALUE_OUT_OF_RANGE: bigint multiplication overflow: 4611686018427387904 * 2",
    );
    expect(both(call("$divide", big(-(1n << 63n)), big(-1n)))).toBe(
      "NUMERIC_VALUE_OUT_OF_RANGE: bigint division overflow: -9223372036854775808 / -1",
    );
    expect(both(call("$negate", big(-(1n << 63n))))).toBe("NUMERIC_VALUE_OUT_OF_RANGE: bigint negation overflow: -9223372036854775808");
    expect(both(call("$divide", int(1), int(0)))).toBe("DIVISION_BY_ZERO: Division by zero");
  });
});

describe("decimals", () => {
  it("have Presto's precision and scale", () => {
    const product = call("$multiply", dec(150n, 15, 2), dec(95n, 16, 2));
    expect(product.type).toEqual(decimalType(31, 4));
    expect(both(product)).toBe("14250");
    const quotient = call("$divide", dec(1000n, 15, 2), dec(300n, 15, 2));
    expect(quotient.type).toEqual(decimalType(17, 2));
    expect(both(quotient)).toBe("333");
    expect(both(call("$add", dec(15n, 2, 1), dec(250n, 5, 2)))).toBe("400");
    expect(both(call("$subtract", dec(1n, 38, 0), dec(2n, 38, 0)))).toBe("-1");
    expect(both(call("$modulus", dec(55n, 2, 1), int(2)))).toBe("15");
    expect(both(call("$divide", dec(10n ** 30n, 38, 10), dec(7n, 20, 0)))).toBe("142857142857142857142857142857");
  });

  it("raise when 38 digits are not enough", () => {
    const big38 = dec(10n ** 38n - 1n, 38, 0);
    expect(both(call("$add", big38, big38))).toBe("NUMERIC_VALUE_OUT_OF_RANGE: Decimal overflow");
    expect(both(call("$multiply", big38, dec(10n, 2, 0)))).toBe("NUMERIC_VALUE_OUT_OF_RANGE: Decimal overflow");
    expect(both(call("$divide", big38, dec(0n, 2, 0)))).toBe("DIVISION_BY_ZERO: Division by zero");
  });
});

describe("three-valued logic", () => {
  const values = [true, false, null] as const;
  it("follows SQL's tables", () => {
    for (const a of values) {
      for (const b of values) {
        const and = a === false || b === false ? false : a === null || b === null ? null : true;
        const or = a === true || b === true ? true : a === null || b === null ? null : false;
        expect(both(special("AND", BOOLEAN, bool(a), bool(b)))).toBe(and);
        expect(both(special("OR", BOOLEAN, bool(a), bool(b)))).toBe(or);
        expect(both(call("$distinct", bool(a), bool(b)))).toBe(a !== b);
      }
    }
    expect(both(call("$not", bool(null)))).toBe(null);
    expect(both(special("IN", BOOLEAN, int(1), int(2), int(null)))).toBe(null);
    expect(both(special("IN", BOOLEAN, int(1), int(1), int(null)))).toBe(true);
    expect(both(special("IN", BOOLEAN, int(1), int(2)))).toBe(false);
  });
});

describe("laziness", () => {
  const failing = call("$eq", call("$divide", int(1), int(0)), int(1));
  const division = call("$divide", int(1), int(0));
  it("does not evaluate branches that are not reached", () => {
    expect(both(special("AND", BOOLEAN, bool(false), failing))).toBe(false);
    expect(both(special("AND", BOOLEAN, bool(true), failing))).toBe("DIVISION_BY_ZERO: Division by zero");
    expect(both(special("OR", BOOLEAN, bool(true), failing))).toBe(true);
    expect(both(special("IF", INTEGER, bool(null), division, int(7)))).toBe(7);
    expect(both(special("COALESCE", INTEGER, int(null), int(3), division))).toBe(3);
    expect(both(special("SWITCH", INTEGER, bool(false), division, bool(true), int(2), division))).toBe(2);
    expect(both(special("SWITCH", INTEGER, bool(false), division, constant(UNKNOWN, null)))).toBe(null);
  });

  it("TRY gives NULL for a row's error and lets the rest live", () => {
    expect(both(special("TRY", INTEGER, division))).toBe(null);
    expect(both(special("COALESCE", INTEGER, special("TRY", INTEGER, division), int(5)))).toBe(5);
    expect(both(cast(text("x"), BIGINT, true))).toBe(null);
    expect(both(cast(text("12"), BIGINT, true))).toBe("12");
  });

  it("NULLIF and IS NULL", () => {
    expect(both(special("NULL_IF", INTEGER, int(1), int(1)))).toBe(null);
    expect(both(special("NULL_IF", INTEGER, int(1), int(2)))).toBe(1);
    expect(both(special("IS_NULL", BOOLEAN, int(null)))).toBe(true);
  });
});

describe("casts", () => {
  const cases: readonly (readonly [RowExpression, Type, ConstantValue])[] = [
    [dbl(2.5), INTEGER, 3],
    [dbl(-2.5), BIGINT, "-3"],
    [dbl(0.49999999999999994), BIGINT, "0"],
    [dbl("NaN"), INTEGER, "INVALID_CAST_ARGUMENT: Cannot cast double NaN to integer"],
    [dbl("NaN"), BIGINT, "INVALID_CAST_ARGUMENT: Unable to cast NaN to bigint"],
    [dbl(1e10), INTEGER, "NUMERIC_VALUE_OUT_OF_RANGE: Out of range for integer: 1.0E10"],
    [big(1n << 40n), INTEGER, "NUMERIC_VALUE_OUT_OF_RANGE: Out of range for integer: 1099511627776"],
    [text("abc"), BIGINT, "INVALID_CAST_ARGUMENT: Cannot cast 'abc' to BIGINT"],
    [text("1.5"), INTEGER, "INVALID_CAST_ARGUMENT: Cannot cast '1.5' to INT"],
    [text("TRUE"), BOOLEAN, true],
    [text("1.25"), decimalType(3, 1), "13"],
    [text("x"), decimalType(3, 1), "INVALID_CAST_ARGUMENT: Cannot cast VARCHAR 'x' to DECIMAL(3, 1). Value is not a number."],
    [text("2020-02-30"), DATE, "INVALID_CAST_ARGUMENT: Value cannot be cast to date: 2020-02-30"],
    [text("2020-02-29"), DATE, 18321],
    [text("2020-02-29 01:02:03.4567"), TIMESTAMP, "1582938123457000"],
    [constant(DATE, 18321), VARCHAR, "2020-02-29"],
    [constant(DATE, 18321), TIMESTAMP, "1582934400000000"],
    [constant(TIMESTAMP, "1582938123456000"), VARCHAR, "2020-02-29 01:02:03.456"],
    [constant(TIMESTAMP, "-1"), DATE, -1],
    [dec(12345n, 5, 2), VARCHAR, "123.45"],
    [dec(12350n, 5, 2), decimalType(4, 1), "1235"],
    [dec(99999n, 5, 2), decimalType(3, 1), "INVALID_CAST_ARGUMENT: Cannot cast DECIMAL '999.99' to DECIMAL(3, 1)"],
    [dec(12345n, 5, 2), DOUBLE, 123.45],
    [dec(12355n, 5, 2), INTEGER, 124],
    [int(1234), decimalType(4, 2), "INVALID_CAST_ARGUMENT: Cannot cast INTEGER '1234' to DECIMAL(4, 2)"],
    [dbl(1.005), decimalType(10, 2), "100"],
    [dbl(1e20), VARCHAR, "1.0E20"],
    [constant(REAL, Math.fround(0.1)), VARCHAR, "0.1"],
    [text("héllo"), varcharType(2), "hé"],
    [text("ab   "), charType(4), "ab"],
    [cast(text("ab"), charType(4)), VARCHAR, "ab  "],
    [bool(true), VARCHAR, "true"],
    [bool(true), DOUBLE, 1],
    [int(12345), varcharType(3), "INVALID_CAST_ARGUMENT: Value 12345 cannot be represented as varchar(3)"],
  ];
  it.each(cases.map(([arg, type, expected]) => [`${JSON.stringify(arg)} to ${JSON.stringify(type)}`, arg, type, expected] as const))(
    "%s",
    (_name, arg, type, expected) => {
      expect(both(cast(arg, type))).toBe(expected);
    },
  );
});

describe("dates and intervals", () => {
  const date = constant(DATE, 18292);
  it("move by calendar and by time", () => {
    expect(both(cast(call("$add", date, constant(INTERVAL_YEAR_TO_MONTH, 1)), VARCHAR))).toBe("2020-02-29");
    expect(both(cast(call("$subtract", date, constant(INTERVAL_DAY_TO_SECOND, String(90 * 86_400_000))), VARCHAR))).toBe("2019-11-02");
    expect(both(call("$add", date, constant(INTERVAL_DAY_TO_SECOND, "1000")))).toBe(
      "INVALID_FUNCTION_ARGUMENT: Cannot add hour, minutes or seconds to a date",
    );
  });
});

describe("pages", () => {
  const x = variable("x", BIGINT);
  const s = variable("s", VARCHAR);
  const columns = [
    { type: BIGINT, values: ["1", "2", null, "4", "5"] },
    { type: VARCHAR, values: ["a", "bb", "ccc"], ids: [0, 1, 2, 1, 0] },
  ];
  const options = {
    inputs: [x, s],
    filter: call("$ge", x, big(2n)),
    projections: [s, call("$add", x, big(10n)), call("concat", s, text("!"))],
  };
  it("filter, pass columns through and compute others", () => {
    const page = makePage(world.memory, columns, 5);
    const expected = [
      ["bb", "12", "bb!"],
      ["bb", "14", "bb!"],
      ["a", "15", "a!"],
    ];
    expect(run(world.wasm, world.memory, options, page)).toEqual(expected);
    expect(run(world.interpreter, world.memory, options, page)).toEqual(expected);
  });

  it("respect a selection", () => {
    const page = makePage(world.memory, columns, 5, [0, 3]);
    expect(run(world.wasm, world.memory, options, page)).toEqual([["bb", "14", "bb!"]]);
  });
});
