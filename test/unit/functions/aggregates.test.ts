/**
 * Aggregates over random rows: one state for all rows, and partial states merged through their intermediate columns, must agree with a
 * reference implementation.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openInput, layoutOf, pageArgumentsBytes, writePageArguments, emitStoreValue } from "../../../src/execution/expressions/columns.ts";
import { readColumnValue } from "../../../src/execution/expressions/evaluate.ts";
import { ExpressionContext } from "../../../src/execution/expressions/expression-compiler.ts";
import { prepareExpressions } from "../../../src/execution/expressions/prepare.ts";
import type { ResolvedAggregate } from "../../../src/functions/registry/aggregate.ts";
import { resolveAggregate } from "../../../src/functions/registry/registry.ts";
import { clearError, errorBlockBytes, kernelError } from "../../../src/functions/runtime/errors.ts";
import { buildKernel, type CodeBuilder, i32, type Local } from "../../../src/codegen/builder.ts";
import type { KernelRuntime } from "../../../src/codegen/runtime.ts";
import type { Page } from "../../../src/page/page.ts";
import type { ConstantValue } from "../../../src/planner/plan/typed-expression.ts";
import { addToQDigest, newQDigest, writeQDigest } from "../../../src/functions/sketch/qdigest.ts";
import { addHashes, newHyperLogLog, writeHyperLogLog } from "../../../src/functions/sketch/hyperloglog.ts";
import { murmur3 } from "../../support/functions/hashes.ts";
import { formatHex, parseHex } from "../../../src/functions/runtime/formats.ts";
import { decodeNested, encodeNested, nestedSource } from "../../../src/types/nested/nested.ts";
import { estimateDistinct } from "../../../src/types/hyperloglog.ts";
import { arrayType, BIGINT, BOOLEAN, decimalType, DOUBLE, mapType, type Type, VARCHAR } from "../../../src/types/type.ts";
import { createWorld, makePage } from "../execution/expressions/world.ts";

const world = createWorld();
const errorBlock = world.memory.allocateZeroed(errorBlockBytes);
let kernels = 0;

function resolve(name: string, types: readonly Type[]): ResolvedAggregate {
  const found = resolveAggregate(name, types);
  if ("error" in found) {
    throw new Error(`${name} does not exist`);
  }
  return found;
}

type Step = (context: ExpressionContext, b: CodeBuilder, page: Local, state: Local, output: Local) => void;

/** Runs one kernel over one state; returns the error if it failed. */
function runStep(runtime: KernelRuntime, page: Page, state: number, output: number, step: Step): string | undefined {
  const { memory } = world;
  const kernel = runtime.load(`test aggregate ${kernels++}`, () =>
    buildKernel("aggregate", (k) =>
      k.entry({ params: ["i32", "i32", "i32", "i32", "i32"], result: "i32" }, (b, params) => {
        const [args, errorBlock, arena, stateAddress, target] = params as readonly [Local, Local, Local, Local, Local];
        const context = new ExpressionContext(b, prepareExpressions([], []), { errorBlock, arena, constants: i32.const(0) });
        context.guarded(() => {
          step(context, b, args, stateAddress, target);
          b.return_(i32.const(0));
        });
        b.return_(i32.const(1));
      }),
    ),
  );
  clearError(memory.linear, errorBlock);
  const address = memory.allocate(pageArgumentsBytes(layoutOf(page)));
  writePageArguments(memory.linear, address, page);
  const arena = arenas.get(runtime) ?? runtime.arenas.create(memory);
  arenas.set(runtime, arena);
  const failed = kernel(address, errorBlock, arena.controlBlock, state, output) !== 0;
  return failed ? kernelError(memory.linear, errorBlock).message : undefined;
}
const arenas = new Map<KernelRuntime, ReturnType<KernelRuntime["arenas"]["create"]>>();

function add(aggregate: ResolvedAggregate, page: Page): Step {
  return (context, b, args, state) => {
    const input = openInput(b, args, layoutOf(page));
    b.forRange(i32.const(0), input.positionCount, (position) => {
      const row = input.row(position);
      const values = page.columns.map((_, index) => input.column(index, row));
      const nulls = values.flatMap((value) => (value.isNull === undefined ? [] : [value.isNull]));
      const emitAdd = () => aggregate.implementation.emitAdd(context, state, values);
      if (aggregate.implementation.wantsNulls || nulls.length === 0) {
        emitAdd();
      } else {
        b.if_(i32.eqz(nulls.reduce((x, y) => i32.or(x, y))), emitAdd);
      }
    });
  };
}

const slotBytes = 32;

function aggregateRows(
  runtime: KernelRuntime,
  name: string,
  types: readonly Type[],
  rows: readonly (readonly ConstantValue[])[],
  parts: number,
  onState: (state: number) => void = () => {},
): ConstantValue {
  const { memory } = world;
  const aggregate = resolve(name, types);
  aggregate.implementation.registerHosts?.(runtime);
  const pageOf = (given: readonly (readonly ConstantValue[])[]) =>
    makePage(
      memory,
      aggregate.argTypes.map((type, index) => ({ type, values: given.map((row) => row[index] as ConstantValue) })),
      given.length,
    );
  const newState = () => memory.allocateZeroed(aggregate.implementation.stateBytes);
  const output = memory.allocateZeroed(slotBytes * 4);
  const none = makePage(memory, [], 0);
  const final = newState();
  for (let part = 0; part < parts; part++) {
    const page = pageOf(rows.filter((_, index) => index % parts === part));
    const state = parts === 1 ? final : newState();
    const error = runStep(runtime, page, state, output, add(aggregate, page));
    if (error !== undefined) {
      return error;
    }
    if (parts > 1) {
      runStep(runtime, none, state, output, (context, b, _args, from, target) =>
        aggregate.implementation
          .emitIntermediate(context, from)
          .forEach((value, index) =>
            emitStoreValue(
              b,
              { values: i32.add(target, i32.const(index * slotBytes)), nulls: i32.add(target, i32.const(index * slotBytes + 16)) },
              i32.const(0),
              value,
            ),
          ),
      );
      const columns = aggregate.intermediateTypes.map((type, index) => ({
        type,
        values: output + index * slotBytes,
        nulls: output + index * slotBytes + 16,
        ids: 0,
        length: 1,
      }));
      const intermediate: Page = { positionCount: 1, selection: 0, columns };
      runStep(runtime, intermediate, final, output, (context, b, args, into) => {
        const input = openInput(b, args, layoutOf(intermediate));
        aggregate.implementation.emitMerge(
          context,
          into,
          columns.map((_, index) => input.column(index, i32.const(0))),
        );
      });
    }
  }
  onState(final);
  const error = runStep(runtime, none, final, output, (context, b, _args, from, target) =>
    emitStoreValue(
      b,
      { values: target, nulls: i32.add(target, i32.const(16)) },
      i32.const(0),
      aggregate.implementation.emitFinal(context, from),
    ),
  );
  return error ?? readColumnValue(memory, { type: aggregate.returnType, values: output, nulls: output + 16, ids: 0, length: 1 }, 0);
}

function check(
  name: string,
  types: readonly Type[],
  rows: fc.Arbitrary<readonly (readonly ConstantValue[])[]>,
  naive: (rows: readonly (readonly ConstantValue[])[]) => ConstantValue,
): void {
  fc.assert(
    fc.property(rows, fc.constantFrom(1, 3), (given, parts) => {
      const expected = naive(given);
      for (const runtime of [world.wasm, world.interpreter]) {
        const actual = aggregateRows(runtime, name, types, given, parts);
        if (typeof expected === "number" && typeof actual === "number") {
          expect(actual).toBeCloseTo(expected, 6);
        } else {
          expect(actual).toEqual(expected);
        }
      }
    }),
    { numRuns: 15 },
  );
}

const column = <T extends ConstantValue>(values: fc.Arbitrary<T>) => fc.array(fc.tuple(fc.option(values)), { maxLength: 20 });
const bigints = column(fc.bigInt({ min: -1000n, max: 1000n }).map(String));
const doubles = column(fc.integer({ min: -1000, max: 1000 }).map((value) => value / 8));
const decimals = column(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }).map(String));
const texts = column(fc.string({ maxLength: 40 }));
const booleans = column(fc.boolean());
const present = (rows: readonly (readonly ConstantValue[])[]) =>
  rows.map((row) => row[0] as ConstantValue).filter((value) => value !== null);
const total = (values: readonly ConstantValue[]) => values.reduce<bigint>((sum, value) => sum + BigInt(value as string), 0n);

describe("aggregates", () => {
  it("count, count_if", () => {
    check("count", [], fc.array(fc.constant([]), { maxLength: 9 }), (rows) => String(rows.length));
    check("count", [BIGINT], bigints, (rows) => String(present(rows).length));
    check("count_if", [BOOLEAN], booleans, (rows) => String(present(rows).filter(Boolean).length));
  });

  it("sum", () => {
    check("sum", [BIGINT], bigints, (rows) => (present(rows).length === 0 ? null : total(present(rows)).toString()));
    check("sum", [decimalType(31, 2)], decimals, (rows) => (present(rows).length === 0 ? null : total(present(rows)).toString()));
    check("sum", [DOUBLE], doubles, (rows) =>
      present(rows).length === 0 ? null : (present(rows) as number[]).reduce((sum, value) => sum + value, 0),
    );
    expect(aggregateRows(world.wasm, "sum", [BIGINT], [["9223372036854775807"], ["1"]], 1)).toBe(
      "bigint addition overflow: 9223372036854775807 + 1",
    );
  });

  it("avg", () => {
    check("avg", [DOUBLE], doubles, (rows) =>
      present(rows).length === 0 ? null : (present(rows) as number[]).reduce((sum, value) => sum + value, 0) / present(rows).length,
    );
    check("avg", [decimalType(31, 2)], decimals, (rows) => {
      const [sum, count] = [total(present(rows)), BigInt(present(rows).length)];
      if (count === 0n) {
        return null;
      }
      const magnitude = ((sum < 0n ? -sum : sum) * 2n + count) / (2n * count);
      return (sum < 0n ? -magnitude : magnitude).toString();
    });
  });

  it("min, max, min_by, arbitrary", () => {
    const encode = (text: ConstantValue) => Buffer.from(text as string);
    const smallest = (values: readonly ConstantValue[]) => [...values].sort((a, b) => Buffer.compare(encode(a), encode(b)));
    check("min", [VARCHAR], texts, (rows) => smallest(present(rows))[0] ?? null);
    check("max", [VARCHAR], texts, (rows) => smallest(present(rows)).at(-1) ?? null);
    check("max", [DOUBLE], doubles, (rows) => (present(rows).length === 0 ? null : Math.max(...(present(rows) as number[]))));
    const pairs = fc.uniqueArray(fc.tuple(fc.option(fc.string()), fc.option(fc.integer({ min: -50, max: 50 }))), {
      selector: (row) => row[1],
      maxLength: 9,
    });
    check(
      "min_by",
      [VARCHAR, BIGINT],
      pairs.map((rows) => rows.map(([text, key]) => [text, key === null ? null : String(key)])),
      (rows) => {
        const ordered = rows.filter((row) => row[1] !== null).sort((a, b) => Number(a[1]) - Number(b[1]));
        return ordered[0]?.[0] ?? null;
      },
    );
  });

  it("bool_and, bool_or, variance", () => {
    check("bool_and", [BOOLEAN], booleans, (rows) => (present(rows).length === 0 ? null : present(rows).every(Boolean)));
    check("bool_or", [BOOLEAN], booleans, (rows) => (present(rows).length === 0 ? null : present(rows).some(Boolean)));
    check("var_samp", [DOUBLE], doubles, (rows) => {
      const values = present(rows) as number[];
      const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
      return values.length < 2 ? null : values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1);
    });
  });

  it("geometric_mean, skewness, kurtosis", () => {
    const positive = column(fc.integer({ min: 1, max: 8000 }).map((value) => value / 8));
    check("geometric_mean", [DOUBLE], positive, (rows) => {
      const values = present(rows) as number[];
      return values.length === 0 ? null : Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);
    });
    for (const extreme of [5e-324, 2.5e-310, 1e300, 1.7976931348623157e308]) {
      expect(Number(aggregateRows(world.wasm, "geometric_mean", [DOUBLE], [[extreme]], 1)) / extreme).toBeCloseTo(1, 12);
    }
    expect(aggregateRows(world.wasm, "geometric_mean", [DOUBLE], [[3], [0]], 1)).toBe(0);
    expect(aggregateRows(world.wasm, "geometric_mean", [DOUBLE], [[3], [-1]], 1)).toBe("NaN");
    const moment = (values: readonly number[], power: number) => {
      const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
      return values.reduce((sum, value) => sum + (value - mean) ** power, 0);
    };
    const varied = doubles.filter((rows) => new Set(present(rows)).size !== 1);
    check("skewness", [DOUBLE], varied, (rows) => {
      const values = present(rows) as number[];
      return values.length < 3 ? null : (Math.sqrt(values.length) * moment(values, 3)) / moment(values, 2) ** 1.5;
    });
    check("kurtosis", [DOUBLE], varied, (rows) => {
      const values = present(rows) as number[];
      const n = values.length;
      return n < 4
        ? null
        : ((n - 1) * n * (n + 1) * moment(values, 4)) / moment(values, 2) ** 2 / ((n - 2) * (n - 3)) -
            (3 * (n - 1) ** 2) / ((n - 2) * (n - 3));
    });
  });

  it("covariance, correlation, regression", () => {
    const eighths = fc.option(fc.integer({ min: -1000, max: 1000 }).map((value) => value / 8));
    const pairs = fc.array(fc.tuple(eighths, eighths), { maxLength: 20 });
    const whole = (rows: readonly (readonly ConstantValue[])[]) => rows.filter((row) => !row.includes(null)) as [number, number][];
    const sums = (rows: readonly [number, number][]) => {
      const mean = (index: 0 | 1) => rows.reduce((sum, row) => sum + row[index], 0) / rows.length;
      const [y, x] = [mean(0), mean(1)];
      const products = (a: 0 | 1, b: 0 | 1) =>
        rows.reduce((sum, row) => sum + (row[a] - (a === 0 ? y : x)) * (row[b] - (b === 0 ? y : x)), 0);
      return { y, x, yy: products(0, 0), xx: products(1, 1), xy: products(0, 1) };
    };
    const over =
      (least: number, statistic: (rows: readonly [number, number][]) => number) => (rows: readonly (readonly ConstantValue[])[]) =>
        whole(rows).length < least ? null : statistic(whole(rows));
    check(
      "covar_pop",
      [DOUBLE, DOUBLE],
      pairs,
      over(1, (rows) => sums(rows).xy / rows.length),
    );
    check(
      "covar_samp",
      [DOUBLE, DOUBLE],
      pairs,
      over(2, (rows) => sums(rows).xy / (rows.length - 1)),
    );
    const varied = pairs.filter((rows) => [0, 1].every((index) => new Set(whole(rows).map((row) => row[index])).size !== 1));
    check(
      "corr",
      [DOUBLE, DOUBLE],
      varied,
      over(2, (rows) => sums(rows).xy / Math.sqrt(sums(rows).xx * sums(rows).yy)),
    );
    check(
      "regr_slope",
      [DOUBLE, DOUBLE],
      varied,
      over(2, (rows) => sums(rows).xy / sums(rows).xx),
    );
    check(
      "regr_intercept",
      [DOUBLE, DOUBLE],
      varied,
      over(2, (rows) => sums(rows).y - (sums(rows).xy / sums(rows).xx) * sums(rows).x),
    );
    expect(
      aggregateRows(
        world.wasm,
        "corr",
        [DOUBLE, DOUBLE],
        [
          [1, 2],
          [2, 2],
        ],
        1,
      ),
    ).toBe(null);
  });

  it("bitwise_and_agg, bitwise_or_agg, checksum", () => {
    const fold = (operation: (a: bigint, b: bigint) => bigint) => (rows: readonly (readonly ConstantValue[])[]) => {
      const values = present(rows).map((value) => BigInt(value as string));
      return values.length === 0 ? null : values.reduce(operation).toString();
    };
    check(
      "bitwise_and_agg",
      [BIGINT],
      bigints,
      fold((a, b) => a & b),
    );
    check(
      "bitwise_or_agg",
      [BIGINT],
      bigints,
      fold((a, b) => a | b),
    );
    fc.assert(
      fc.property(texts, fc.constantFrom(1, 3), (rows, parts) => {
        const sum = aggregateRows(world.wasm, "checksum", [VARCHAR], rows, parts);
        expect(sum).toBe(aggregateRows(world.wasm, "checksum", [VARCHAR], [...rows].reverse(), 1));
        expect(sum === null).toBe(rows.length === 0);
        expect(aggregateRows(world.wasm, "checksum", [VARCHAR], [...rows, [null]], 1)).not.toBe(sum);
      }),
      { numRuns: 15 },
    );
  });

  it("approx_distinct is exact for few values and within its standard error for many", () => {
    const few = bigints.filter((rows) => new Set(present(rows)).size <= 16);
    check("approx_distinct", [BIGINT], few, (rows) => String(new Set(present(rows)).size));
    const relativeErrors = (standardError: number | undefined) =>
      [100, 1000, 4000, 5000, 6000, 20_000, 50_000].flatMap((count) =>
        [1, 3].map((parts) => {
          const rows = Array.from({ length: count }, (_, index) => [
            String(index * 7),
            ...(standardError === undefined ? [] : [standardError]),
          ]);
          const types = standardError === undefined ? [BIGINT] : [BIGINT, DOUBLE];
          const estimate = Number(aggregateRows(world.wasm, "approx_distinct", types, rows, parts));
          return (estimate - count) / count;
        }),
      );
    for (const [standardError, bound] of [
      [undefined, 0.023],
      [0.01, 0.01],
      [0.1, 0.1],
    ] as const) {
      const errors = relativeErrors(standardError);
      expect(Math.max(...errors.map(Math.abs))).toBeLessThan(3 * bound);
      expect(Math.sqrt(errors.reduce((sum, error) => sum + error ** 2, 0) / errors.length)).toBeLessThan(1.3 * bound);
    }
    expect(aggregateRows(world.wasm, "approx_distinct", [BIGINT, DOUBLE], [["1", 0.5]], 1)).toBe(
      "Max standard error must be in [0.0040625, 0.26000]: 0.5",
    );
  });

  it("approx_distinct reads its registers as estimateDistinct does", () => {
    const { u8, u32 } = world.memory.linear;
    for (const [runtime, count] of [100, 1000, 30_000].flatMap((rows) => [
      [world.wasm, rows] as const,
      [world.interpreter, rows / 10] as const,
    ])) {
      for (const standardError of [0.2, 0.023, 0.0041]) {
        const rows = Array.from({ length: count }, (_, index) => [String(index * 13), standardError]);
        let expected = Number.NaN;
        const found = aggregateRows(runtime, "approx_distinct", [BIGINT, DOUBLE], rows, 3, (state) => {
          const [kept, registers, bits] = [0, 1, 2].map((word) => u32[(state >>> 2) + word] as number) as [number, number, number];
          expected = registers === 0 ? kept : estimateDistinct(u8.subarray(registers, registers + 2 ** bits), 65 - bits);
        });
        expect(found).toBe(String(expected));
      }
    }
  });

  it("approx_distinct gives the same however the rows are spread", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 400 }), fc.constantFrom(2, 3, 7), (count, parts) => {
        const rows = Array.from({ length: count }, (_, index) => [String(index % 90)]);
        const one = aggregateRows(world.wasm, "approx_distinct", [BIGINT], rows, 1);
        expect(aggregateRows(world.wasm, "approx_distinct", [BIGINT], rows, parts)).toBe(one);
        expect(aggregateRows(world.interpreter, "approx_distinct", [BIGINT], rows, 1)).toBe(one);
      }),
      { numRuns: 20 },
    );
  });

  it("approx_percentile is exact for few values", () => {
    const share = fc.constantFrom(0, 0.1, 0.5, 0.75, 0.99, 1);
    const rows = (values: fc.Arbitrary<ConstantValue>) =>
      fc.tuple(fc.array(fc.option(values), { maxLength: 60 }), share).map(([given, p]) => given.map((value) => [value, p]));
    const pick = (compare: (a: ConstantValue, b: ConstantValue) => number) => (given: readonly (readonly ConstantValue[])[]) => {
      const values = [...present(given)].sort(compare);
      return values.length === 0 ? null : (values[Math.max(1, Math.ceil(Number(given[0]?.[1]) * values.length)) - 1] as ConstantValue);
    };
    check("approx_percentile", [BIGINT, DOUBLE], rows(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String)), (given) =>
      pick((a, b) => (BigInt(a as string) < BigInt(b as string) ? -1 : 1))(given),
    );
    check("approx_percentile", [DOUBLE, DOUBLE], rows(fc.integer({ min: -1000, max: 1000 }).map((value) => value / 8)), (given) =>
      pick((a, b) => Number(a) - Number(b))(given),
    );
    expect(aggregateRows(world.wasm, "approx_percentile", [DOUBLE, DOUBLE], [[1, 1.5]], 1)).toBe("Percentile must be between 0 and 1");
  });

  it("approx_percentile is off by no more of the rows than its bound, whatever their order", () => {
    const count = 20_000;
    const orders: Readonly<Record<string, (index: number) => number>> = {
      rising: (index) => index,
      falling: (index) => count - 1 - index,
      mixed: (index) => (index * 7919) % count,
      outward: (index) => (index % 2 === 0 ? count / 2 + index / 2 : count / 2 - (index + 1) / 2),
    };
    // Error bound: the number of levels in use, divided by the values per level.
    const bound = Math.ceil(Math.log2(count / 1024) + 1) / 1024;
    for (const order of Object.values(orders)) {
      for (const parts of [1, 3]) {
        for (const p of [0.01, 0.5, 0.9]) {
          const rows = Array.from({ length: count }, (_, index) => [String(order(index)), p]);
          const found = Number(aggregateRows(world.wasm, "approx_percentile", [BIGINT, DOUBLE], rows, parts));
          expect(Math.abs((found + 1) / count - p)).toBeLessThan(bound);
        }
      }
    }
  });

  it("max and min of several, and max_by and min_by", () => {
    const listOf = (values: readonly ConstantValue[]) =>
      values.length === 0
        ? null
        : formatHex(
            encodeNested(
              arrayType(BIGINT),
              values.map((value) => (value === null ? null : BigInt(String(value)))),
            ),
          );
    const small = fc.bigInt({ min: -9n, max: 9n }).map(String);
    for (const [kind, sign] of [
      ["max", -1],
      ["min", 1],
    ] as const) {
      const order = (a: ConstantValue, b: ConstantValue) => sign * (Number(a) - Number(b));
      // Compares values only, because it cannot be seen which of several equal values was taken.
      const rows = fc
        .tuple(fc.array(fc.option(small), { maxLength: 40 }), fc.constantFrom("1", "3", "12", "100"))
        .map(([values, n]) => values.map((value) => [value, n]));
      check(kind, [BIGINT, BIGINT], rows, (given) => listOf([...present(given)].sort(order).slice(0, Number(given[0]?.[1] ?? 0))));
      // Each row has its own key, so that the order is total, however rows are partitioned.
      const keyed = fc.tuple(fc.array(fc.option(small), { maxLength: 40 }), fc.constantFrom("1", "3", "100"));
      const rowsWithKeys = keyed.map(([values, n]) =>
        values.map((value, index) => [value, index % 5 === 4 ? null : String((index * 17) % 41), n] as const),
      );
      check(`${kind}_by`, [BIGINT, BIGINT, BIGINT], rowsWithKeys, (given) =>
        listOf(
          given
            .filter((row) => row[1] !== null)
            .sort((a, b) => order(a[1] as ConstantValue, b[1] as ConstantValue))
            .slice(0, Number(given[0]?.[2] ?? 0))
            .map((row) => row[0] as ConstantValue),
        ),
      );
      const text = aggregateRows(
        world.wasm,
        kind,
        [VARCHAR, BIGINT],
        [
          ["b", "2"],
          ["", "2"],
          ["abc", "2"],
        ],
        3,
      );
      const texts = decodeNested(arrayType(VARCHAR), nestedSource(parseHex(String(text)) as Uint8Array));
      expect(texts).toEqual(kind === "max" ? ["b", "abc"] : ["", "abc"]);
    }
    expect(aggregateRows(world.wasm, "max", [BIGINT, BIGINT], [["1", "10001"]], 1)).toBe(
      "second argument of max_n/min_n must be less than or equal to 10000; found 10001",
    );
  });

  it("approx_percentile with weights is that of as many rows, and of an array that of each share", () => {
    const rows = fc
      .tuple(
        fc.array(fc.tuple(fc.integer({ min: -99, max: 99 }), fc.integer({ min: 1, max: 20 })), { maxLength: 30 }),
        fc.constantFrom(0, 0.25, 0.5, 1),
      )
      .map(([given, share]) => given.map(([value, weight]) => [value / 4, weight, share]));
    check("approx_percentile", [DOUBLE, DOUBLE, DOUBLE], rows, (given) => {
      const values = given.flatMap(([value, weight]) => Array.from({ length: Number(weight) }, () => Number(value))).sort((a, b) => a - b);
      return values[Math.max(1, Math.ceil(Number(given[0]?.[2]) * values.length)) - 1] ?? null;
    });
    const shares = [0.01, 0.5, 0.9, 0];
    const count = 20_000;
    const wanted = formatHex(encodeNested(arrayType(DOUBLE), shares));
    for (const [types, weight] of [
      [[BIGINT, arrayType(DOUBLE)], []],
      [[BIGINT, DOUBLE, arrayType(DOUBLE)], [2.5]],
    ] as const) {
      const many = Array.from({ length: count }, (_, index) => [String((index * 7919) % count), ...weight, wanted]);
      for (const parts of [1, 3]) {
        const text = String(aggregateRows(world.wasm, "approx_percentile", types, many, parts));
        const found = decodeNested(arrayType(BIGINT), nestedSource(parseHex(text) as Uint8Array)) as readonly bigint[];
        // Error bound: the number of levels in use, divided by the values per level. A weight of 2.5 has two bits, three levels apart.
        const bound = Math.ceil(Math.log2(count / 1024) + 1 + 2 * weight.length) / 1024;
        found.forEach((value, index) => expect(Math.abs((Number(value) + 1) / count - (shares[index] as number))).toBeLessThan(bound));
      }
    }
  });

  it("sketches: approx_set, numeric_histogram, approx_most_frequent, qdigest_agg", () => {
    const hashOf = (bytes: Uint8Array) => new DataView(murmur3(bytes).buffer).getBigInt64(0, true);
    const logOf = (values: readonly Uint8Array[]) =>
      values.length === 0 ? null : formatHex(writeHyperLogLog(addHashes(newHyperLogLog(12), values.map(hashOf))));
    check("approx_set", [VARCHAR], texts, (rows) => logOf(present(rows).map((text) => Buffer.from(text as string))));
    check("approx_set", [BIGINT], bigints, (rows) =>
      logOf(present(rows).map((value) => new Uint8Array(BigInt64Array.of(BigInt(value as string)).buffer))),
    );
    const quantile = (rows: readonly (readonly ConstantValue[])[]) => {
      const digest = newQDigest(0.01);
      present(rows).forEach((value) => addToQDigest(digest, BigInt(value as string), 1));
      return digest.total === 0 ? null : formatHex(writeQDigest(digest));
    };
    check("qdigest_agg", [BIGINT], bigints, quantile);
    // More rows than a buffer holds, and more values than buckets and counters.
    const many = Array.from({ length: 3000 }, (_, index) => ["3", (index * 7919) % 50, "50"]);
    for (const parts of [1, 3]) {
      const histogram = String(
        aggregateRows(
          world.wasm,
          "numeric_histogram",
          [BIGINT, DOUBLE],
          many.map((row) => row.slice(0, 2)),
          parts,
        ),
      );
      const type = mapType(DOUBLE, DOUBLE);
      const buckets = decodeNested(type, nestedSource(parseHex(histogram) as Uint8Array)) as readonly (readonly [number, number])[];
      expect(buckets.length).toBe(3);
      expect(buckets.reduce((sum, [, weight]) => sum + weight, 0)).toBeCloseTo(3000, 6);
      expect(buckets.reduce((sum, [value, weight]) => sum + value * weight, 0) / 3000).toBeCloseTo(24.5, 6);
      const rows = many.map((row) => [row[0] as string, String(row[1]), row[2] as string]);
      const frequent = String(aggregateRows(world.wasm, "approx_most_frequent", [BIGINT, BIGINT, BIGINT], rows, parts));
      const counts = decodeNested(
        mapType(BIGINT, BIGINT),
        nestedSource(parseHex(frequent) as Uint8Array),
      ) as readonly (readonly bigint[])[];
      expect(counts.map(([, count]) => count)).toEqual([60n, 60n, 60n]);
    }
  });
});
