/**
 * Parquet encodings that DuckDB does not write.
 */
import { expect, test } from "vitest";
import { KernelRuntime } from "../../../../src/codegen/runtime.ts";
import { ByteCursor } from "../../../../src/connectors/files/parquet/encodings.ts";
import { ParquetKernels } from "../../../../src/connectors/files/parquet/kernels/kernels.ts";
import type { ColumnEncoding } from "../../../../src/connectors/files/parquet/schema.ts";
import { physical } from "../../../../src/connectors/files/parquet/schema.ts";
import { decodeValues, encodings } from "../../../../src/connectors/files/parquet/values.ts";
import { createNodeMemory } from "../../../../src/memory/allocator.ts";
import type { PageValue } from "../../../../src/page/reader.ts";
import { readRow } from "../../../support/pages.ts";
import { decimalType, type Type, VARCHAR } from "../../../../src/types/type.ts";

function decode(
  bytes: readonly number[],
  column: Partial<ColumnEncoding> & { readonly type: Type },
  encoding: number,
  count: number,
): readonly PageValue[] {
  const memory = createNodeMemory({ sizeBytes: 1024 * 1024 }).root;
  const start = memory.allocate(bytes.length + 3) + 3;
  memory.linear.u8.set(bytes, start);
  const whole: ColumnEncoding = { physical: physical.bytes, length: 0, conversion: "none", ...column };
  const kernels = new ParquetKernels(new KernelRuntime({ linear: memory.linear, backend: "wasm" }));
  const cursor = new ByteCursor(memory.linear, start, start + bytes.length);
  const { values } = decodeValues(cursor, { column: whole, encoding, count, memory, kernels });
  const page = { positionCount: count, selection: 0, columns: [{ type: column.type, values, nulls: 0, ids: 0, length: count }] };
  return Array.from({ length: count }, (_, row) => readRow(memory.linear, page, row)[0] as PageValue);
}

/** DELTA_BINARY_PACKED with 8-bit deltas in one miniblock of 32. */
function deltas(values: readonly number[]): readonly number[] {
  const zigzag = (value: number): number => (value < 0 ? -value * 2 - 1 : value * 2);
  const differences = values.slice(1).map((value, index) => value - (values[index] as number));
  const least = Math.min(0, ...differences);
  const packed = Array.from({ length: 32 }, (_, index) => (differences[index] === undefined ? 0 : (differences[index] as number) - least));
  return [32, 1, values.length, zigzag(values[0] as number), ...(values.length > 1 ? [zigzag(least), 8, ...packed] : [])];
}

const text = (value: string): readonly number[] => [...new TextEncoder().encode(value)];

test("strings that share beginnings", () => {
  const bytes = [...deltas([0, 5, 5, 0]), ...deltas([6, 2, 0, 1]), ...text("apples"), ...text("ty"), ...text("b")];
  const found = decode(bytes, { type: VARCHAR }, encodings.deltaByteArray, 4);
  expect(found.map((value) => new TextDecoder().decode(value as Uint8Array))).toEqual(["apples", "applety", "apple", "b"]);
  expect(() => decode([...deltas([1]), ...deltas([1]), 0x61], { type: VARCHAR }, encodings.deltaByteArray, 1)).toThrow("a page is damaged");
  expect(() => decode([...deltas([0]), ...deltas([9]), 0x61], { type: VARCHAR }, encodings.deltaByteArray, 1)).toThrow("a page is damaged");
});

test("timestamps of 96 bits: nanoseconds of a Julian day", () => {
  const bytes = new Uint8Array(24);
  const view = new DataView(bytes.buffer);
  view.setBigInt64(0, 3_600_000_001_999n, true);
  view.setInt32(8, 2_440_588, true);
  view.setBigInt64(12, 0n, true);
  view.setInt32(20, 2_440_587, true);
  const column = { type: { kind: "timestamp", precision: 9 } as const, physical: physical.int96, conversion: "int96 to moment" as const };
  expect(decode([...bytes], column, encodings.plain, 2)).toEqual([(3_600_000_001n << 64n) | 999_000n, -86_400_000_000n << 64n]);
});

test("decimals of any length", () => {
  const short = { type: decimalType(5, 2), conversion: "big-endian to i64" as const };
  expect(decode([1, 0, 0, 0, 0xff, 3, 0, 0, 0, 1, 0, 0], short, encodings.plain, 2)).toEqual([-1n, 65536n]);
  const long = { type: decimalType(38, 0), conversion: "big-endian to i128" as const, physical: physical.fixed, length: 16 };
  expect(decode([0x80, ...Array.from({ length: 15 }, () => 0)], long, encodings.plain, 1)).toEqual([-(2n ** 127n)]);
  expect(() => decode([9, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0], short, encodings.plain, 1)).toThrow(
    "a decimal is longer than its precision",
  );
});

test("unsigned and narrow integers, milliseconds", () => {
  const narrow = { type: { kind: "tinyint" } as const, physical: physical.int32, conversion: "i32 to i8" as const };
  expect(decode([0x80, 0xff, 0xff, 0xff, 0x7f, 0, 0, 0], narrow, encodings.plain, 2)).toEqual([-128, 127]);
  expect(() => decode([0x80, 0, 0, 0], narrow, encodings.plain, 1)).toThrow("128 is out of range of the column's type");
  const millis = { type: { kind: "timestamp", precision: 3 } as const, physical: physical.int64, conversion: "millis to micros" as const };
  expect(decode([0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff], millis, encodings.plain, 1)).toEqual([-1000n]);
  expect(() => decode([0, 0, 0, 0, 0, 0, 0, 0x40], millis, encodings.plain, 1)).toThrow("a timestamp is out of range");
  expect(() => decode([0, 0], millis, encodings.plain, 1)).toThrow("a page has fewer values than it promises");
});
