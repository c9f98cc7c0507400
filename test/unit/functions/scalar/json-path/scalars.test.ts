/**
 * Casts and arithmetic of single values in TypeScript against the kernels for pages.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { constantOfHostValue, hostValueOfConstant } from "../../../../../src/execution/expressions/constants.ts";
import { evaluateConstant } from "../../../../../src/execution/expressions/evaluate.ts";
import { canCast } from "../../../../../src/functions/registry/coercion.ts";
import { arithmetic, comparison } from "../../../../../src/functions/scalar/json/path/arithmetic.ts";
import { PathError } from "../../../../../src/functions/scalar/json/path/errors.ts";
import { SqlItem } from "../../../../../src/functions/scalar/json/path/items.ts";
import { castScalar, type ScalarValue } from "../../../../../src/functions/scalar/json/path/scalar-casts.ts";
import type { ConstantValue, RowExpression } from "../../../../../src/planner/plan/typed-expression.ts";
import { QueryError } from "../../../../../src/protocol/errors.ts";
import {
  BIGINT,
  BOOLEAN,
  charType,
  DATE,
  decimalType,
  DOUBLE,
  INTEGER,
  REAL,
  SMALLINT,
  TIMESTAMP,
  TINYINT,
  type Type,
  VARCHAR,
  varcharType,
} from "../../../../../src/types/type.ts";
import { call, cast, constant, createWorld } from "../../../execution/expressions/world.ts";

const world = createWorld();

/** A value and its type, more often than not at the limits of the type. */
const typed: fc.Arbitrary<readonly [Type, ScalarValue]> = fc.oneof(
  fc.boolean().map((value): readonly [Type, ScalarValue] => [BOOLEAN, value]),
  ...(
    [
      [TINYINT, 8],
      [SMALLINT, 16],
      [INTEGER, 32],
    ] as const
  ).map(([type, bits]) =>
    fc.integer({ min: -(2 ** (bits - 1)), max: 2 ** (bits - 1) - 1 }).map((value): readonly [Type, ScalarValue] => [type, value]),
  ),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map((value): readonly [Type, ScalarValue] => [BIGINT, value]),
  fc
    .oneof(fc.double(), fc.constantFrom(0.5, -0.5, 2.5, 1e18, 2 ** 63, 127.5, -128.5))
    .map((value): readonly [Type, ScalarValue] => [DOUBLE, value]),
  fc.float().map((value): readonly [Type, ScalarValue] => [REAL, value]),
  fc
    .tuple(fc.integer({ min: 1, max: 38 }), fc.nat(38), fc.bigInt({ min: -(10n ** 38n), max: 10n ** 38n }))
    .map(([precision, scale, digits]): readonly [Type, ScalarValue] => [
      decimalType(precision, Math.min(precision, scale)),
      digits % 10n ** BigInt(precision),
    ]),
  fc
    .oneof(
      fc.constantFrom("true", "12", "-1.5", "1e3", "2001-01-31", "2001-01-31 10:11:12.345", "10:11", "nope", "", "ab  ", "日本é"),
      fc.string({ maxLength: 5 }),
    )
    .map((value): readonly [Type, ScalarValue] => [VARCHAR, value]),
  fc.constantFrom("a", "ab", "日").map((value): readonly [Type, ScalarValue] => [charType(4), value]),
  fc.integer({ min: -100_000, max: 100_000 }).map((value): readonly [Type, ScalarValue] => [DATE, value]),
  fc
    .tuple(fc.constantFrom(0, 3, 6), fc.bigInt({ min: -(10n ** 16n), max: 10n ** 16n }))
    .map(([precision, value]): readonly [Type, ScalarValue] => {
      const unit = 10n ** BigInt(6 - precision);
      return [{ kind: "timestamp", precision }, (value / unit) * unit];
    }),
);

const targets: fc.Arbitrary<Type> = fc.oneof(
  fc.constantFrom<Type>(BOOLEAN, TINYINT, SMALLINT, INTEGER, BIGINT, REAL, DOUBLE, VARCHAR, DATE, TIMESTAMP),
  fc.constantFrom<Type>(varcharType(3), charType(3), { kind: "timestamp", precision: 0 }, { kind: "timestamp", precision: 9 }),
  fc.tuple(fc.integer({ min: 1, max: 38 }), fc.nat(38)).map(([precision, scale]) => decimalType(precision, Math.min(precision, scale))),
);

function kernelValue(expression: RowExpression): ConstantValue {
  try {
    return evaluateConstant(world.wasm, world.memory, expression);
  } catch (error) {
    if (error instanceof QueryError) {
      return "error";
    }
    throw error;
  }
}

function valueOr<T>(compute: () => T): T | "error" {
  try {
    return compute();
  } catch (error) {
    if (error instanceof QueryError || error instanceof PathError) {
      return "error";
    }
    throw error;
  }
}

function literal([type, value]: readonly [Type, ScalarValue]) {
  return constant(type, constantOfHostValue(type, value));
}

describe("values one by one", () => {
  it("are cast as CAST does", () => {
    fc.assert(
      fc.property(typed, targets, (given, to) => {
        const [from, value] = given;
        fc.pre(canCast(from, to));
        const found = valueOr(() => constantOfHostValue(to, castScalar(value, from, to)));
        expect(found).toEqual(kernelValue(cast(literal(given), to)));
      }),
      { numRuns: 3000 },
    );
  });

  it("are added, subtracted, multiplied and divided as the operators do", () => {
    const signs = { "+": "$add", "-": "$subtract", "*": "$multiply", "/": "$divide", "%": "$modulus" } as const;
    const isNumber = ([type]: readonly [Type, ScalarValue]): boolean =>
      !["boolean", "varchar", "char", "date", "timestamp"].includes(type.kind);
    const number = typed.filter(isNumber);
    fc.assert(
      fc.property(number, number, fc.constantFrom("+", "-", "*", "/", "%"), (left, right, sign) => {
        const expected = valueOr(() => {
          const expression = call(signs[sign], literal(left), literal(right));
          const value = kernelValue(expression);
          return value === "error" ? "error" : { type: expression.type, value };
        });
        const found = valueOr(() => {
          const { type, value } = arithmetic(sign, new SqlItem(...left), new SqlItem(...right));
          return { type, value: constantOfHostValue(type, value) };
        });
        expect(found).toEqual(expected);
      }),
      {
        numRuns: 3000,
        // The difference has 38 digits, and an operand with the scale of the other one more than 128 bits.
        examples: [[[decimalType(38, 29), 70_141_183_500_000_000_000_000_000_000_000_000_001n], [INTEGER, 1_701_411_835], "-"]],
      },
    );
  });

  it("are compared as the operators do", () => {
    const signs = { "==": "$eq", "<>": "$ne", "<": "$lt", "<=": "$le", ">": "$gt", ">=": "$ge" } as const;
    fc.assert(
      fc.property(typed, typed, fc.constantFrom("==", "<>", "<", "<=", ">", ">="), (left, right, sign) => {
        const isFloat = [left, right].some(([, value]) => typeof value === "number" && !Number.isFinite(value));
        fc.pre(!isFloat);
        const expected = valueOr(() => {
          try {
            return kernelValue(call(signs[sign], literal(left), literal(right)));
          } catch (error) {
            if (error instanceof QueryError || !(error instanceof Error)) {
              throw error;
            }
            // The function registry has no such comparison.
            return undefined;
          }
        });
        const found = comparison(sign, new SqlItem(...left), new SqlItem(...right));
        expect(found).toBe(expected === "error" ? found : expected);
      }),
      { numRuns: 3000 },
    );
  });

  it("that are not numbers are neither less nor more than others, nor equal", () => {
    const [nan, one] = [new SqlItem(DOUBLE, Number.NaN), new SqlItem(DOUBLE, 1)];
    expect((["==", "<>", "<", "<=", ">", ">="] as const).map((sign) => comparison(sign, nan, one))).toEqual([
      false,
      true,
      false,
      false,
      false,
      false,
    ]);
  });

  it("are constants and back", () => {
    fc.assert(
      fc.property(typed, (given) => {
        expect(hostValueOfConstant(literal(given))).toEqual(given[1]);
      }),
    );
  });
});
