/**
 * The decoding kernels, in both backends, against decoders that follow the specifications value by value: well-formed input, damaged input
 * and random bytes. The bytes after the output must stay as they were.
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { snappyTableBytes } from "../../../../../src/connectors/files/parquet/kernels/blocks.ts";
import { ParquetKernels } from "../../../../../src/connectors/files/parquet/kernels/kernels.ts";
import { backends, newRuntime } from "../../../codegen/run.ts";
import { naiveDeltas, naiveLz4, naiveRuns, naiveSnappy } from "./naive.ts";

const guard = 0xa5;
const guardBytes = 64;

const worlds = backends.map((backend) => {
  const { root, runtime } = newRuntime(backend);
  return { backend, memory: root, kernels: new ParquetKernels(runtime), scratch: root.allocate(snappyTableBytes) };
});

type World = (typeof worlds)[number];

/** Runs with the input and room for `outBytes` in memory; undefined if the work returns 0. */
function decode(
  { memory }: World,
  input: Uint8Array,
  outBytes: number,
  work: (range: { readonly at: number; readonly end: number }, output: number) => boolean,
): Uint8Array | undefined {
  const { u8 } = memory.linear;
  const at = memory.allocate(input.length + 1);
  const output = memory.allocate(outBytes + guardBytes);
  u8.set(input, at);
  u8.fill(guard, output, output + outBytes + guardBytes);
  try {
    const isWhole = work({ at, end: at + input.length }, output);
    expect(u8.subarray(output + outBytes, output + outBytes + guardBytes).every((byte) => byte === guard)).toBe(true);
    return isWhole ? u8.slice(output, output + outBytes) : undefined;
  } finally {
    memory.free(at);
    memory.free(output);
  }
}

/** Well-formed input, the same with some bytes changed or cut, and bytes of any kind. */
function damagedOrNot(whole: fc.Arbitrary<Uint8Array>): fc.Arbitrary<Uint8Array> {
  const changed = fc
    .tuple(whole, fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { maxLength: 3 }), fc.nat(4))
    .map(([bytes, changes, cut]) => {
      const copy = bytes.slice(0, Math.max(0, bytes.length - cut));
      for (const [place, byte] of changes) {
        copy[place % Math.max(1, copy.length)] = byte;
      }
      return copy;
    });
  return fc.oneof(whole, changed, fc.uint8Array({ maxLength: 40 }));
}

function littleEndian(value: number, bytes: number): readonly number[] {
  return Array.from({ length: bytes }, (_, index) => Math.floor(value / 256 ** index) % 256);
}

function varint(value: bigint): readonly number[] {
  return value < 0x80n ? [Number(value)] : [Number(value & 0x7fn) | 0x80, ...varint(value >> 7n)];
}

/** Packs values of `width` bits. */
function packed(values: readonly bigint[], width: number): readonly number[] {
  const bits = values.reduce((sum, value, index) => sum | (BigInt.asUintN(width, value) << BigInt(index * width)), 0n);
  return Array.from({ length: Math.ceil((values.length * width) / 8) }, (_, index) => Number((bits >> BigInt(8 * index)) & 0xffn));
}

const blockOperation = fc.oneof(
  fc.record({ literal: fc.uint8Array({ minLength: 1, maxLength: 90 }) }),
  fc.record({
    offset: fc.oneof(fc.integer({ min: 1, max: 16 }), fc.integer({ min: 1, max: 90 }), fc.integer({ min: 1, max: 3000 })),
    length: fc.integer({ min: 4, max: 64 }),
  }),
);

type Operation = { readonly literal: Uint8Array } | { readonly offset: number; readonly length: number };

function snappyBlock(operations: readonly Operation[]): Uint8Array {
  const size = operations.reduce((sum, one) => sum + ("literal" in one ? one.literal.length : one.length), 0);
  const body = operations.flatMap((one) => {
    if ("literal" in one) {
      const last = one.literal.length - 1;
      return [...(last < 60 ? [last << 2] : [60 << 2, last]), ...one.literal];
    }
    const { offset, length } = one;
    return offset < 2048 && length < 12
      ? [((offset >> 8) << 5) | ((length - 4) << 2) | 1, offset & 255]
      : [((length - 1) << 2) | 2, ...littleEndian(offset, 2)];
  });
  return Uint8Array.from([...varint(BigInt(size)), ...body]);
}

function lz4Block(operations: readonly Operation[]): Uint8Array {
  const extension = (length: number): readonly number[] =>
    length < 15 ? [] : [...Array.from({ length: Math.floor((length - 15) / 255) }, () => 255), (length - 15) % 255];
  const nothing = new Uint8Array(0);
  const bytes: number[] = [];
  let literal: Uint8Array = nothing;
  for (const one of operations) {
    if ("literal" in one) {
      literal = Uint8Array.from([...literal, ...one.literal]);
      continue;
    }
    const match = one.length - 4;
    bytes.push((Math.min(15, literal.length) << 4) | Math.min(15, match), ...extension(literal.length), ...literal);
    bytes.push(...littleEndian(one.offset, 2), ...extension(match));
    literal = nothing;
  }
  bytes.push(Math.min(15, literal.length) << 4, ...extension(literal.length), ...literal);
  return Uint8Array.from(bytes);
}

const blocks = fc
  .tuple(fc.uint8Array({ minLength: 1, maxLength: 90 }), fc.array(blockOperation, { maxLength: 12 }))
  .map(([first, rest]): readonly Operation[] => [{ literal: first }, ...rest]);

/** As columns of numbers are: a few bytes that are new, and a copy of earlier ones, mostly at a distance of whole numbers. */
const numbers = fc
  .array(
    fc.record({
      literal: fc.oneof(fc.uint8Array({ minLength: 1, maxLength: 5 }), fc.constant(new Uint8Array(0))),
      back: fc.oneof(fc.constant(0), fc.nat(40)),
      length: fc.oneof(fc.integer({ min: 4, max: 8 }), fc.integer({ min: 4, max: 64 })),
      isUneven: fc.nat(9).map((draw) => draw === 0),
    }),
    { minLength: 40, maxLength: 60 },
  )
  .map((rows): readonly Operation[] => {
    const operations: Operation[] = [{ literal: Uint8Array.from({ length: 16 }, (_, index) => index) }];
    let size = 16;
    for (const { literal, back, length, isUneven } of rows) {
      size += literal.length;
      const offset = isUneven ? 1 + (back % size) : 8 + 8 * (back % Math.floor(size / 8));
      operations.push(...(literal.length === 0 ? [] : [{ literal }]), { offset: Math.min(offset, size), length });
      size += length;
    }
    return operations;
  });

/** As columns of ascending keys are: runs of numbers that differ from the one before in their lowest byte, and others in between. */
const keys = fc
  .array(
    fc.record({ run: fc.uint8Array({ minLength: 1, maxLength: 12 }), between: fc.option(fc.uint8Array({ minLength: 1, maxLength: 3 })) }),
    { minLength: 6, maxLength: 16 },
  )
  .map((parts): readonly Operation[] => [
    { literal: Uint8Array.from({ length: 8 }, (_, index) => index + 1) },
    ...parts.flatMap(({ run, between }): readonly Operation[] => [
      ...[...run].flatMap((byte) => [{ literal: Uint8Array.of(byte) }, { offset: 8, length: 7 }]),
      ...(between === null ? [] : [{ literal: between }, { offset: 8, length: 8 - between.length }]),
    ]),
  ]);

function sizeOf(operations: readonly Operation[]): number {
  return operations.reduce((sum, one) => sum + ("literal" in one ? one.literal.length : one.length), 0);
}

describe.each(worlds)("$backend", (world) => {
  const { kernels } = world;

  test.each([
    ["snappy", snappyBlock, naiveSnappy],
    ["lz4", lz4Block, naiveLz4],
  ] as const)("%s", (codec, encode, naive) => {
    const cases = fc
      .oneof(blocks, numbers, keys)
      .chain((operations) =>
        fc.tuple(damagedOrNot(fc.constant(encode(operations))), fc.oneof(fc.constant(sizeOf(operations)), fc.nat(200))),
      );
    fc.assert(
      fc.property(cases, ([input, size]) => {
        const found = decode(world, input, size, (range, at) => {
          const output = { at, end: at + size };
          return codec === "snappy"
            ? kernels.decompressSnappy(range, output, { linear: world.memory.linear, scratch: world.scratch })
            : kernels.decompressLz4(range, output, at) === output.end;
        });
        expect(found).toEqual(naive(input, size));
      }),
      { numRuns: 600 },
    );
  });

  test("runs and packed bits", () => {
    const run = (width: number) =>
      fc.oneof(
        fc
          .tuple(fc.integer({ min: 1, max: 40 }), fc.bigInt(0n, 2n ** BigInt(width) - 1n))
          .map(([times, value]) => [...varint(BigInt(times * 2)), ...littleEndian(Number(value), Math.ceil(width / 8))]),
        fc.array(fc.bigInt(0n, 2n ** BigInt(width) - 1n), { minLength: 1, maxLength: 20 }).map((values) => {
          const groups = Math.ceil(values.length / 8);
          return [...varint(BigInt(groups * 2 + 1)), ...packed([...values, ...Array<bigint>(groups * 8 - values.length).fill(0n)], width)];
        }),
      );
    const cases = fc.integer({ min: 1, max: 32 }).chain((bitWidth) =>
      fc.record({
        bitWidth: fc.constant(bitWidth),
        input: damagedOrNot(fc.array(run(bitWidth), { maxLength: 5 }).map((runs) => Uint8Array.from(runs.flat()))),
        count: fc.integer({ min: 1, max: 60 }),
        limit: fc.oneof(fc.constant(0x7fff_ffff), fc.integer({ min: 1, max: 2 ** Math.min(31, bitWidth) - 1 })),
        kind: fc.constantFrom("u8" as const, "u32" as const),
      }),
    );
    fc.assert(
      fc.property(cases, ({ bitWidth, input, count, limit, kind }) => {
        const width = kind === "u8" ? 1 : 4;
        const found = decode(
          world,
          input,
          count * width,
          (range, target) => kernels.readRuns(range, { bitWidth, count, target, kind, limit }) !== 0,
        );
        const expected = naiveRuns(input, bitWidth, count, limit);
        expect(found).toEqual(expected && Uint8Array.from(expected.flatMap((value) => littleEndian(value, width))));
      }),
      { numRuns: 800 },
    );
  });

  test("differences", () => {
    const zigzag = (value: bigint): readonly number[] => varint(BigInt.asUintN(64, (value << 1n) ^ (value >> 63n)));
    const whole = fc
      .record({
        first: fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n),
        blocks: fc.array(
          fc.record({
            minimum: fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n),
            widths: fc.tuple(fc.nat(64), fc.nat(64)),
            seed: fc.bigInt(0n, 2n ** 64n - 1n),
          }),
          { minLength: 1, maxLength: 3 },
        ),
      })
      .chain(({ first, blocks: drawn }) =>
        fc.nat(16 * drawn.length).map((rest) => ({
          count: rest + 1,
          input: Uint8Array.from([
            16,
            2,
            rest + 1,
            ...zigzag(first),
            ...drawn.flatMap(({ minimum, widths, seed }) => [
              ...zigzag(minimum),
              ...widths,
              ...widths.flatMap((width) =>
                packed(
                  Array.from({ length: 8 }, (_, index) => BigInt.asUintN(width, seed * BigInt(index * 7 + 1))),
                  width,
                ),
              ),
            ]),
          ]),
        })),
      );
    const cases = whole.chain(({ count, input }) => fc.record({ count: fc.constant(count), input: damagedOrNot(fc.constant(input)) }));
    fc.assert(
      fc.property(cases, fc.constantFrom(4 as const, 8 as const), ({ count, input }, width) => {
        const found = decode(world, input, count * width, (range, target) => kernels.readDeltas(range, width, { count, target }) !== 0);
        const expected = naiveDeltas(input, count);
        const bytes = expected?.flatMap((value) => packed([value], width * 8));
        expect(found).toEqual(bytes && Uint8Array.from(bytes));
      }),
      { numRuns: 600 },
    );
  });

  test("strings by their lengths", () => {
    const whole = fc
      .array(fc.uint8Array({ maxLength: 12 }), { maxLength: 8 })
      .map((strings) => Uint8Array.from(strings.flatMap((bytes) => [...littleEndian(bytes.length, 4), ...bytes])));
    fc.assert(
      fc.property(damagedOrNot(whole), fc.integer({ min: 1, max: 8 }), (input, count) => {
        let start = 0;
        const found = decode(world, input, count * 8, ({ at, end }, target) => {
          start = at;
          return kernels.readStrings({ at, end }, count, target) !== 0;
        });
        const view = new DataView(input.buffer, input.byteOffset, input.length);
        const expected: number[] = [];
        let at = 0;
        while (expected.length < count * 2 && at + 4 <= input.length) {
          const length = view.getUint32(at, true);
          at += 4;
          if (at + length > input.length) {
            break;
          }
          expected.push(start + at, length);
          at += length;
        }
        const isWhole = expected.length === count * 2;
        expect(found).toEqual(isWhole ? Uint8Array.from(expected.flatMap((word) => littleEndian(word, 4))) : undefined);
      }),
      { numRuns: 300 },
    );
  });

  test("NULLs among values and ids, and values of ids", () => {
    const levels = fc.array(fc.integer({ min: 0, max: 2 }), { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(levels, fc.constantFrom(1 as const, 2 as const, 4 as const, 8 as const, 16 as const), (drawn, width) => {
        const rows = drawn.length;
        const { memory } = world;
        const { u8, u32 } = memory.linear;
        const address = memory.allocate(rows);
        u8.set(drawn, address);
        const ids = memory.allocate(rows * 4);
        const from = memory.allocate(rows * width);
        for (let row = 0; row < rows; row++) {
          u32[ids / 4 + row] = (row * 7) % rows;
          u8.fill(row + 1, from + row * width, from + (row + 1) * width);
        }
        const to = memory.allocate(rows * width);
        const nulls = memory.allocate(rows);
        const outIds = memory.allocate(rows * 4);
        const present = { address, present: 2, rows };
        const used = drawn.filter((level) => level === 2).length;
        expect(kernels.countPresent(present)).toBe(used);
        expect(kernels.spread(present, width, { from, to, nulls })).toBe(used);
        expect(kernels.spreadIds(present, { from: ids, to: outIds, nullEntry: 99 })).toBe(used);
        let next = 0;
        for (const [row, level] of drawn.entries()) {
          const value = level === 2 ? next + 1 : 0;
          expect(u8[nulls + row]).toBe(level === 2 ? 0 : 1);
          expect([...u8.subarray(to + row * width, to + (row + 1) * width)].every((byte) => byte === value)).toBe(true);
          expect(u32[outIds / 4 + row]).toBe(level === 2 ? (next * 7) % rows : 99);
          next += level === 2 ? 1 : 0;
        }
        kernels.gather(width, { ids, count: rows, dictionary: from }, to);
        for (let row = 0; row < rows; row++) {
          expect(u8[to + row * width]).toBe(((row * 7) % rows) + 1);
        }
        for (const block of [address, ids, from, to, nulls, outIds]) {
          memory.free(block);
        }
      }),
      { numRuns: 100 },
    );
  });

  test("bits, wider integers, and bytes of values that lie apart", () => {
    fc.assert(
      fc.property(fc.array(fc.integer(), { minLength: 1, maxLength: 30 }), (values) => {
        const count = values.length;
        const input = Uint8Array.from(values.flatMap((value) => littleEndian(value >>> 0, 4)));
        const wide = (isSigned: boolean) =>
          decode(world, input, count * 8, ({ at }, target) => {
            kernels.widen(isSigned, at, { count, target });
            return true;
          });
        expect(wide(true)).toEqual(Uint8Array.from(values.flatMap((value) => packed([BigInt(value)], 64))));
        expect(wide(false)).toEqual(Uint8Array.from(values.flatMap((value) => packed([BigInt(value >>> 0)], 64))));
        const bits = decode(world, input, count * 8, ({ at }, target) => {
          kernels.readBits(at, { count: count * 8, target });
          return true;
        });
        expect(bits).toEqual(Uint8Array.from({ length: count * 8 }, (_, index) => ((input[index >>> 3] as number) >>> (index & 7)) & 1));
        const joined = decode(world, input, count * 4, ({ at }, target) => {
          kernels.joinBytes(4, at, { count, target });
          return true;
        });
        expect(joined).toEqual(Uint8Array.from({ length: count * 4 }, (_, index) => input[(index & 3) * count + (index >>> 2)] as number));
      }),
      { numRuns: 100 },
    );
  });
});
