/**
 * Random expressions over random pages: both backends and the reference produce the same rows or the same error.
 */
import fc from "fast-check";
import { expect, it } from "vitest";
import type { ConstantValue, RowExpression, Variable } from "../../../../src/planner/plan/typed-expression.ts";
import { constantOfHostValue, hostValueOfConstant } from "../../../../src/execution/expressions/constants.ts";
import { BIGINT, BOOLEAN, decimalType, DOUBLE, INTEGER, type Type, VARCHAR } from "../../../../src/types/type.ts";
import { evaluateNaively, RowError } from "./naive.ts";
import { call, cast, constant, createWorld, makePage, type Processing, run, special, variable } from "./world.ts";

const world = createWorld();
const DECIMAL = decimalType(30, 2);
const types: readonly Type[] = [BOOLEAN, INTEGER, BIGINT, DOUBLE, DECIMAL, VARCHAR];
const edgeIntegers = [0, 1, -1, 2, 7, 2147483647, -2147483648];
const edgeBigints = ["0", "1", "-1", "3", "9223372036854775807", "-9223372036854775808", "4294967296", "-3037000500"];
const edgeDecimals = ["0", "1", "-1", "150", "999999999999999999999999999999", "-123456789012345678901"];

function values(type: Type): fc.Arbitrary<Exclude<ConstantValue, null>> {
  switch (type.kind) {
    case "boolean":
      return fc.boolean();
    case "integer":
      return fc.oneof(fc.constantFrom(...edgeIntegers), fc.integer());
    case "bigint":
      return fc.oneof(fc.constantFrom(...edgeBigints), fc.bigInt({ min: -(1n << 40n), max: 1n << 40n }).map(String));
    case "double":
      return fc.oneof(fc.constantFrom(0, "-0", "NaN", "Infinity", 1.5, -2), fc.integer({ min: -99, max: 99 }));
    case "decimal":
      return fc.constantFrom(...edgeDecimals);
    default:
      return fc.string({ unit: fc.constantFrom("a", "b", "é", " ", "𝄞"), maxLength: 12 });
  }
}

const inputs: readonly Variable[] = types.flatMap((type, index) => [variable(`a${index}`, type), variable(`b${index}`, type)]);

const { tree } = fc.letrec<Record<string, RowExpression>>((tie) => {
  const leaf = (type: Type) =>
    fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(...inputs.filter((input) => input.type === type)) as fc.Arbitrary<RowExpression> },
      { weight: 2, arbitrary: values(type).map((value) => constant(type, value) as RowExpression) },
      { weight: 1, arbitrary: fc.constant(constant(type, null) as RowExpression) },
    );
  const of = (type: Type) => tie(type.kind) as fc.Arbitrary<RowExpression>;
  const binary = (names: readonly string[], type: Type) =>
    fc.tuple(fc.constantFrom(...names), of(type), of(type)).map(([name, a, b]) => call(name, a, b) as RowExpression);
  const anyType = fc.constantFrom(...types);
  const branches = (type: Type): fc.Arbitrary<RowExpression> =>
    fc.oneof(
      fc.tuple(of(BOOLEAN), of(type), of(type)).map(([c, a, b]) => special("IF", type, c, a, b)),
      fc.tuple(of(BOOLEAN), of(type), of(BOOLEAN), of(type), of(type)).map((args) => special("SWITCH", type, ...args)),
      fc.tuple(of(type), of(type)).map((args) => special("COALESCE", type, ...args)),
      of(type).map((arg) => special("TRY", type, arg)),
    );
  const arithmetic = ["$add", "$subtract", "$multiply", "$divide", "$modulus"];
  const comparisons = ["$eq", "$ne", "$lt", "$le", "$gt", "$ge", "$distinct"];
  const compound: Record<string, fc.Arbitrary<RowExpression>> = {
    boolean: fc.oneof(
      anyType.chain((type) => binary(comparisons, type)),
      fc
        .tuple(fc.constantFrom("AND" as const, "OR" as const), fc.array(of(BOOLEAN), { minLength: 2, maxLength: 4 }))
        .map(([form, args]) => special(form, BOOLEAN, ...args)),
      of(BOOLEAN).map((arg) => call("$not", arg)),
      anyType.chain((type) => of(type)).map((arg) => special("IS_NULL", BOOLEAN, arg)),
    ),
    integer: fc.oneof(
      binary(arithmetic, INTEGER),
      of(BIGINT).map((arg) => cast(arg, INTEGER)),
    ),
    bigint: fc.oneof(
      binary(arithmetic, BIGINT),
      of(INTEGER).map((arg) => cast(arg, BIGINT)),
    ),
    double: fc.oneof(
      binary(arithmetic, DOUBLE),
      of(INTEGER).map((arg) => cast(arg, DOUBLE)),
    ),
    decimal: branches(DECIMAL),
    varchar: branches(VARCHAR),
  };
  const entries = types.map(
    (type) =>
      [
        type.kind,
        fc.oneof({ maxDepth: 4, depthSize: "small" }, leaf(type), compound[type.kind] as fc.Arbitrary<RowExpression>, branches(type)),
      ] as const,
  );
  const sums = fc
    .tuple(fc.constantFrom("$add", "$subtract", "$multiply"), of(DECIMAL), of(DECIMAL))
    .map(([name, a, b]) => call(name, a, b) as RowExpression);
  return { ...Object.fromEntries(entries), tree: fc.oneof(...types.map(of), sums) };
});

const rowsMax = 6;
const pages = fc.tuple(
  ...inputs.map((input) => fc.array(fc.option(values(input.type), { freq: 4 }), { minLength: rowsMax, maxLength: rowsMax })),
);
const shapes = fc.record({
  selection: fc.option(fc.subarray([0, 1, 2, 3, 4, 5], { minLength: 1 })),
  indirect: fc.array(fc.nat(rowsMax - 1), { minLength: rowsMax, maxLength: rowsMax }),
  isIndirect: fc.boolean(),
});

function naively({ filter, projections }: Processing, rows: readonly (readonly ConstantValue[])[]): ConstantValue[][] | string {
  const environments = rows.map((row) =>
    Object.fromEntries(inputs.map((input, index) => [input.name, hostValueOfConstant(constant(input.type, row[index] as ConstantValue))])),
  );
  try {
    const kept = environments.filter((row) => filter === undefined || evaluateNaively(filter, row) === true);
    return kept.map((row) => projections.map((projection) => constantOfHostValue(projection.type, evaluateNaively(projection, row))));
  } catch (error) {
    if (error instanceof RowError) {
      return error.message;
    }
    throw error;
  }
}

it("compiled expressions mean what they say", () => {
  fc.assert(
    fc.property(
      tree as fc.Arbitrary<RowExpression>,
      tree as fc.Arbitrary<RowExpression>,
      pages,
      shapes,
      (projection, other, columns, shape) => {
        const memory = world.memory.child("case");
        const filter = other.type.kind === "boolean" ? other : undefined;
        const options: Processing = { inputs, projections: [projection], ...(filter === undefined ? {} : { filter }) };
        const ids = shape.isIndirect ? shape.indirect : undefined;
        const page = makePage(
          memory,
          columns.map((given, index) => ({ type: (inputs[index] as Variable).type, values: given, ...(ids === undefined ? {} : { ids }) })),
          rowsMax,
          shape.selection ?? undefined,
        );
        const numbers = shape.selection ?? [0, 1, 2, 3, 4, 5];
        const rows = numbers.map((row) => columns.map((given) => given[ids === undefined ? row : (ids[row] as number)] as ConstantValue));
        const expected = naively(options, rows);
        expect(run(world.wasm, memory, options, page)).toEqual(expected);
        expect(run(world.interpreter, memory, options, page)).toEqual(expected);
        memory.close();
      },
    ),
    { numRuns: 600 },
  );
});
