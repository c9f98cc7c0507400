/**
 * Kernel implementations of functions against TypeScript, over pages of random values.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openInput, layoutOf, pageArgumentsBytes, writePageArguments } from "../../../src/execution/expressions/columns.ts";
import { emitCompare, emitHash, emitNotDistinct, emitOrderingKey } from "../../../src/functions/runtime/operations.ts";
import { castImplementation } from "../../../src/functions/cast/casts.ts";
import { canCast } from "../../../src/functions/registry/coercion.ts";
import { addMonths, addUnits, dayOfWeek, dayOfYear, isoWeekOf } from "../../../src/functions/scalar/datetime/dates.ts";
import { compileLike } from "../../../src/functions/scalar/string/like.ts";
import { matchLike } from "../../../src/functions/scalar/string/like-match.ts";
import { buildKernel, i32, type Local } from "../../../src/codegen/builder.ts";
import type { ConstantValue, RowExpression } from "../../../src/planner/plan/typed-expression.ts";
import { civilOf } from "../../../src/types/time/calendar.ts";
import {
  BIGINT,
  BOOLEAN,
  charType,
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
  VARBINARY,
  VARCHAR,
  varcharType,
} from "../../../src/types/type.ts";
import { call, cast, constant, createWorld, makePage, run, runBoth, variable } from "../execution/expressions/world.ts";

const world = createWorld();
const text = fc.string({ unit: fc.constantFrom("a", "B", "é", " ", "%", "_", "𝄞", "ß"), maxLength: 20 });

function column(type: Type, values: readonly ConstantValue[], projections: readonly RowExpression[]): ConstantValue[][] {
  const rows = runBoth(world, { type, values }, projections);
  if (typeof rows === "string") {
    throw new Error(rows);
  }
  return rows;
}

describe("text", () => {
  const x = variable("x", VARCHAR);
  it("LIKE agrees with its reference", () => {
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 8 }), text, (texts, pattern) => {
        const rows = column(VARCHAR, texts, [call("like", x, constant(VARCHAR, pattern))]);
        expect(rows.flat()).toEqual(texts.map((value) => matchLike(value, compileLike(pattern))));
      }),
      { numRuns: 400 },
    );
  });

  it("length, case, trimming, substrings and searches", () => {
    const naiveSubstring = (value: string, start: number, count: number) => {
      const points = Array.from(value);
      const from = start > 0 ? start - 1 : points.length + start;
      return start === 0 || from < 0 || count <= 0 ? "" : points.slice(from, from + count).join("");
    };
    fc.assert(
      fc.property(
        fc.array(text, { minLength: 1, maxLength: 6 }),
        fc.integer({ min: -25, max: 25 }),
        fc.integer({ min: -2, max: 25 }),
        text,
        (texts, start, count, other) => {
          const big = (value: number) => constant(BIGINT, String(value));
          const needle = constant(VARCHAR, other);
          const rows = column(VARCHAR, texts, [
            call("length", x),
            call("upper", x),
            call("lower", x),
            call("trim", x),
            call("substr", x, big(start), big(count)),
            call("strpos", x, needle),
            call("concat", x, needle, x),
            call("starts_with", x, needle),
          ]);
          expect(rows).toEqual(
            texts.map((value) => [
              String(Array.from(value).length),
              value.replaceAll(/[^ß]/gu, (point) => point.toUpperCase()),
              value.toLowerCase(),
              value.replace(/^ +| +$/g, ""),
              naiveSubstring(value, start, count),
              String(value.includes(other) ? Array.from(value.slice(0, value.indexOf(other))).length + 1 : 0),
              value + other + value,
              value.startsWith(other),
            ]),
          );
        },
      ),
      { numRuns: 150 },
    );
  });
});

describe("dates", () => {
  const x = variable("x", DATE);
  it("fields and months agree with the calendar", () => {
    // The 32-bit range, reduced by the months that the test adds.
    const reach = 2 ** 31 - 100_000;
    const days = fc.oneof(fc.integer({ min: -1_000_000, max: 3_000_000 }), fc.integer({ min: -reach, max: reach }));
    fc.assert(
      fc.property(fc.array(days, { minLength: 1, maxLength: 8 }), fc.integer({ min: -3000, max: 3000 }), (values, months) => {
        const names = ["year", "month", "day", "dow", "doy", "week", "yow"];
        const moved = call("$add", x, constant(INTERVAL_YEAR_TO_MONTH, months));
        const rows = column(DATE, values, [...names.map((name) => call(name, x)), moved]);
        expect(rows).toEqual(
          values.map((day) => {
            const { year, month, day: dayOfMonth } = civilOf(day);
            const week = isoWeekOf(day);
            return [...[year, month, dayOfMonth, dayOfWeek(day), dayOfYear(day), week.week, week.year].map(String), addMonths(day, months)];
          }),
        );
      }),
    );
  });

  it("fields of the first and the last days that 32 bits count", () => {
    const names = ["year", "month", "day", "dow", "doy", "yow"];
    for (const day of [-(2 ** 31), -(2 ** 31) + 1, 2 ** 31 - 1, 2 ** 31 - 2]) {
      const { year, month, day: dayOfMonth } = civilOf(day);
      const fields = [year, month, dayOfMonth, dayOfWeek(day), dayOfYear(day), isoWeekOf(day).year];
      expect(
        column(
          DATE,
          [day],
          names.map((name) => call(name, x)),
        ),
      ).toEqual([fields.map(String)]);
    }
  });

  it("differences of timestamps round to milliseconds, half up", () => {
    const t = variable("x", TIMESTAMP);
    const near = fc.bigInt({ min: -3000n, max: 3000n });
    const far = fc.bigInt({ min: -(1n << 63n), max: (1n << 63n) - 1n });
    fc.assert(
      fc.property(fc.oneof(near, far), fc.oneof(near, far), (left, right) => {
        const shifted = left - right + 500n;
        const rest = ((shifted % 1000n) + 1000n) % 1000n;
        const rows = column(TIMESTAMP, [String(left)], [call("$subtract", t, constant(TIMESTAMP, String(right)))]);
        expect(rows).toEqual([[String((shifted - rest) / 1000n)]]);
      }),
    );
  });

  it("timestamps move by months and keep the time of day", () => {
    const t = variable("x", TIMESTAMP);
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 15n), max: 10n ** 16n }), fc.integer({ min: -500, max: 500 }), (micros, months) => {
        const rows = column(TIMESTAMP, [String(micros)], [call("$subtract", t, constant(INTERVAL_YEAR_TO_MONTH, -months))]);
        expect(rows).toEqual([[String(addUnits(micros, "month", BigInt(months)))]]);
      }),
    );
  });
});

describe("order and hash", () => {
  const cases: readonly (readonly [Type, fc.Arbitrary<ConstantValue>])[] = [
    [DOUBLE, fc.oneof(fc.constantFrom("NaN", "-0", 0, "Infinity", "-Infinity"), fc.integer())],
    [BIGINT, fc.bigInt({ min: -(1n << 63n), max: (1n << 63n) - 1n }).map(String)],
    [decimalType(38, 0), fc.bigInt({ min: -(10n ** 37n), max: 10n ** 37n }).map(String)],
    [VARCHAR, fc.string({ unit: fc.constantFrom("a", "b", "é", "𝄞"), maxLength: 12 })],
    [DATE, fc.integer({ min: -99999, max: 99999 })],
  ];
  it.each(cases)("of %j", (type, values) => {
    const pair = makeOrderKernel(type);
    fc.assert(
      fc.property(values, values, (a, b) => {
        const [order, equal, hashes, prefix] = pair(a, b);
        const [reverse] = pair(b, a);
        expect(order).toBe(-(reverse as number) + 0);
        expect(equal === 1).toBe(order === 0);
        expect(equal === 0 || hashes === 1).toBe(true);
        // A prefix may tie where values differ, but must never contradict their order.
        expect(prefix === 0 || prefix === order).toBe(true);
      }),
      { numRuns: 200 },
    );
  });

  function makeOrderKernel(type: Type): (a: ConstantValue, b: ConstantValue) => readonly number[] {
    const memory = world.memory.child("order");
    const layout = { columns: [{ type, nullable: false, indirect: false }], selected: false };
    const kernel = world.wasm.load(`order ${JSON.stringify(type)}`, () =>
      buildKernel("order", (k) =>
        k.entry({ params: ["i32", "i32"] }, (b, [args, output]) => {
          const input = openInput(b, args as Local, layout);
          const [left, right] = [input.column(0, i32.const(0)), input.column(0, i32.const(1))];
          const [p, q] = [b.temp(emitOrderingKey(b, left).key), b.temp(emitOrderingKey(b, right).key)];
          const compare = (op: "i64.gt_u" | "i64.lt_u" | "i64.eq", x: typeof p, y: typeof p) =>
            ({ kind: "binary", type: "i32", op, left: x, right: y }) as const;
          const results = [
            emitCompare(b, left, right),
            emitNotDistinct(b, left, right),
            compare("i64.eq", emitHash(b, left), emitHash(b, right)),
            i32.sub(compare("i64.gt_u", p, q), compare("i64.lt_u", p, q)),
          ];
          results.forEach((result, index) => b.store("i32.store", output as Local, result, 4 * index));
        }),
      ),
    );
    return (a, b) => {
      const page = makePage(memory, [{ type, values: [a, b] }], 2);
      const args = memory.allocate(pageArgumentsBytes(layoutOf(page)));
      const output = memory.allocateZeroed(16);
      writePageArguments(memory.linear, args, page);
      kernel(args, output);
      return [0, 1, 2, 3].map((index) => memory.linear.i32[(output >>> 2) + index] as number);
    };
  }
});

describe("casts", () => {
  const types: readonly Type[] = [
    BOOLEAN,
    TINYINT,
    SMALLINT,
    INTEGER,
    BIGINT,
    REAL,
    DOUBLE,
    decimalType(5, 2),
    decimalType(18, 0),
    decimalType(38, 10),
    VARCHAR,
    varcharType(3),
    charType(5),
    VARBINARY,
    DATE,
    TIMESTAMP,
    { kind: "timestamp", precision: 0 },
    INTERVAL_DAY_TO_SECOND,
    INTERVAL_YEAR_TO_MONTH,
    UNKNOWN,
  ];
  const samples: Readonly<Record<string, readonly ConstantValue[]>> = {
    boolean: [true, false],
    tinyint: [0, -128, 127],
    smallint: [-32768, 5],
    integer: [0, 2147483647, -1],
    bigint: ["0", "-9223372036854775808", "77"],
    real: [0.5, "NaN", "-Infinity", 3],
    double: [0.5, "NaN", 1e300, -7.5],
    decimal: ["0", "12345", "-150"],
    varchar: ["", "12", "1.5", "true", "2020-01-31", "x y"],
    char: ["ab", ""],
    varbinary: ["00ff"],
    date: [0, -1, 20000],
    timestamp: ["0", "-1", "1582938123456789"],
    "interval day to second": ["0", "-90061001"],
    "interval year to month": [14, -1],
    unknown: [null],
  };
  it("exist exactly where canCast says, and both backends agree on every value", () => {
    for (const from of types) {
      for (const to of types) {
        expect(castImplementation(from, to) !== undefined).toBe(canCast(from, to));
        if (to.kind === "unknown" || !canCast(from, to)) {
          continue;
        }
        for (const value of samples[from.kind] ?? []) {
          const options = { inputs: [], projections: [cast(constant(from, value), to), cast(constant(from, value), to, true)] };
          const page = { positionCount: 1, selection: 0, columns: [] };
          const result = run(world.wasm, world.memory, options, page);
          expect(run(world.interpreter, world.memory, options, page)).toEqual(result);
          const safe = run(world.wasm, world.memory, { ...options, projections: options.projections.slice(1) }, page);
          expect(typeof result === "string" ? safe : [[(result[0] as ConstantValue[])[0]]]).toEqual(
            typeof result === "string" ? [[null]] : safe,
          );
        }
      }
    }
  });
});
