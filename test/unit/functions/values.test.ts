import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { commonSuperType, canCoerce } from "../../../src/functions/registry/coercion.ts";
import { resolveAggregate, resolveScalar, listFunctions, isAggregate } from "../../../src/functions/registry/registry.ts";
import { addMonths, dayOfWeek, differenceInUnits, isoWeekOf } from "../../../src/functions/scalar/datetime/dates.ts";
import { divideRounding, formatDecimal, parseDecimal } from "../../../src/functions/runtime/decimals.ts";
import {
  formatDate,
  formatDouble,
  formatHex,
  formatIntervalDayToSecond,
  formatReal,
  formatTimestamp,
  parseDate,
  parseDouble,
  parseHex,
  parseTimestamp,
} from "../../../src/functions/runtime/formats.ts";
import { compileLike } from "../../../src/functions/scalar/string/like.ts";
import { matchLike } from "../../../src/functions/scalar/string/like-match.ts";
import { civilOf, daysOf } from "../../../src/types/time/calendar.ts";
import {
  BIGINT,
  BOOLEAN,
  charType,
  DATE,
  decimalType,
  displayType,
  DOUBLE,
  INTEGER,
  REAL,
  SMALLINT,
  TIMESTAMP,
  TINYINT,
  type Type,
  UNKNOWN,
  VARBINARY,
  VARCHAR,
  varcharType,
} from "../../../src/types/type.ts";

const days = fc.integer({ min: -3_000_000, max: 3_000_000 });

describe("calendar", () => {
  it("agrees with ECMAScript's", () => {
    fc.assert(
      fc.property(days, (day) => {
        const date = new Date(day * 86_400_000);
        expect(civilOf(day)).toEqual({ year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() });
        expect(daysOf(civilOf(day))).toBe(day);
        expect(dayOfWeek(day) % 7).toBe(date.getUTCDay());
      }),
    );
  });

  it("months are added and counted consistently", () => {
    fc.assert(
      fc.property(days, fc.integer({ min: -5000, max: 5000 }), (day, months) => {
        const moved = addMonths(day, months);
        const micros = (value: number) => BigInt(value) * 86_400_000_000n;
        expect(differenceInUnits(micros(day), micros(moved), "month")).toBe(BigInt(months));
      }),
    );
  });

  it("knows ISO weeks at the turn of the year", () => {
    expect(isoWeekOf(daysOf({ year: 2021, month: 1, day: 3 }))).toEqual({ year: 2020, week: 53 });
    expect(isoWeekOf(daysOf({ year: 2018, month: 12, day: 31 }))).toEqual({ year: 2019, week: 1 });
  });
});

describe("text of values", () => {
  it("reads back what it writes", () => {
    const holds = <T>(values: fc.Arbitrary<T>, back: (value: T) => unknown) =>
      fc.assert(
        fc.property(values, (value) => {
          expect(back(value)).toEqual(value);
        }),
      );
    holds(fc.record({ unscaled: fc.bigInt({ min: -(10n ** 38n), max: 10n ** 38n }), scale: fc.nat(38) }), ({ unscaled, scale }) => {
      const parsed = parseDecimal(formatDecimal(unscaled, scale));
      return { unscaled: parsed?.unscaled, scale: parsed?.scale };
    });
    holds(fc.double(), (value) => parseDouble(formatDouble(value)));
    holds(fc.float(), (value) => Math.fround(parseDouble(formatReal(value)) as number));
    holds(fc.integer({ min: -700_000, max: 2_900_000 }), (day) => parseDate(formatDate(day)));
    holds(fc.bigInt({ min: -(10n ** 16n), max: 10n ** 17n }), (micros) => parseTimestamp(formatTimestamp(micros, 6))?.micros);
    holds(fc.uint8Array(), (bytes) => parseHex(formatHex(bytes)));
  });

  it("follows Java and Presto", () => {
    expect([1, 1e7, 9999999, 0.001, 0.0001, 123456789, -0, 1e-300].map(formatDouble)).toEqual([
      "1.0",
      "1.0E7",
      "9999999.0",
      "0.001",
      "1.0E-4",
      "1.23456789E8",
      "-0.0",
      "1.0E-300",
    ]);
    expect(formatIntervalDayToSecond(183_845_678n)).toBe("2 03:04:05.678");
    expect(formatIntervalDayToSecond(-9223372036854775808n)).toBe("-106751991167 07:12:55.808");
    expect(formatDate(daysOf({ year: 12345, month: 1, day: 2 }))).toBe("+12345-01-02");
    expect(parseDecimal("00123.40")).toEqual({ unscaled: 12340n, precision: 7, scale: 2 });
    expect(parseDecimal("1e")).toBeUndefined();
  });

  it("rounds half away from zero", () => {
    expect([5n, -5n, 4n, -4n, 15n].map((value) => divideRounding(value, 10n))).toEqual([1n, -1n, 0n, 0n, 2n]);
    expect(divideRounding(-5n, -10n)).toBe(1n);
  });
});

describe("LIKE", () => {
  const letters = fc.string({ unit: fc.constantFrom("a", "b", "é", "%", "_"), maxLength: 8 });
  it("agrees with a regular expression", () => {
    fc.assert(
      fc.property(letters, letters, (text, pattern) => {
        const regular = new RegExp(`^${pattern.replaceAll("%", "[^]*").replaceAll("_", "[^]")}$`, "u");
        expect(matchLike(text, compileLike(pattern))).toBe(regular.test(text));
      }),
      { numRuns: 1000 },
    );
  });
});

describe("coercion", () => {
  const types: readonly Type[] = [
    BOOLEAN,
    TINYINT,
    SMALLINT,
    INTEGER,
    BIGINT,
    REAL,
    DOUBLE,
    decimalType(5, 2),
    decimalType(38, 10),
    VARCHAR,
    varcharType(3),
    charType(5),
    VARBINARY,
    DATE,
    TIMESTAMP,
    UNKNOWN,
  ];
  it("is commutative, and reflexive", () => {
    for (const a of types) {
      expect(canCoerce(a, a)).toBe(true);
      for (const b of types) {
        const [one, other] = [commonSuperType(a, b), commonSuperType(b, a)];
        expect(one === undefined ? undefined : displayType(one)).toBe(other === undefined ? undefined : displayType(other));
      }
    }
  });

  it("has Presto's facts", () => {
    expect(canCoerce(INTEGER, decimalType(10, 0))).toBe(true);
    expect(canCoerce(INTEGER, decimalType(9, 0))).toBe(false);
    expect(commonSuperType(decimalType(5, 2), decimalType(4, 3))).toEqual(decimalType(6, 3));
    expect(commonSuperType(INTEGER, VARCHAR)).toBeUndefined();
    expect(commonSuperType(BIGINT, REAL)).toEqual(REAL);
    expect(canCoerce(DATE, TIMESTAMP)).toBe(true);
  });
});

describe("catalogue", () => {
  it("speaks Presto's words about what does not fit", () => {
    expect(resolveScalar("$add", [INTEGER, varcharType(1)])).toEqual({
      error: "MISMATCH",
      message: "Cannot apply operator: integer + varchar(1)",
    });
    expect(resolveScalar("$eq", [INTEGER, varcharType(1)])).toEqual({
      error: "MISMATCH",
      message: "Cannot apply operator: integer = varchar(1)",
    });
    expect(resolveScalar("nothing", [])).toEqual({ error: "NOT_FOUND" });
    expect(resolveScalar("sqrt", [varcharType(1)])).toEqual({
      error: "MISMATCH",
      message: "Unexpected parameters (varchar(1)) for function sqrt. Expected: sqrt(double) ",
    });
  });

  it("coerces arguments and resolves its own answers again", () => {
    expect(resolveScalar("sqrt", [INTEGER])).toMatchObject({ argTypes: [DOUBLE], returnType: DOUBLE });
    expect(resolveScalar("abs", [decimalType(5, 2)])).toMatchObject({ returnType: decimalType(5, 2) });
    expect(resolveScalar("greatest", [INTEGER, BIGINT])).toMatchObject({ argTypes: [BIGINT, BIGINT], returnType: BIGINT });
    expect(resolveScalar("concat", [varcharType(2), varcharType(3)])).toMatchObject({ returnType: VARCHAR });
    expect(resolveAggregate("sum", [INTEGER])).toMatchObject({ argTypes: [BIGINT], returnType: BIGINT });
    expect(resolveAggregate("avg", [decimalType(15, 2)])).toMatchObject({ returnType: decimalType(15, 2) });
    expect(resolveAggregate("count", [])).toMatchObject({ returnType: BIGINT });
    expect(resolveAggregate("max", [varcharType(7)])).toMatchObject({ returnType: varcharType(7) });
    expect(isAggregate("SUM") && !isAggregate("abs")).toBe(true);
    expect(listFunctions().every(({ name, description }) => !name.startsWith("$") && description.length > 0)).toBe(true);
  });
});
