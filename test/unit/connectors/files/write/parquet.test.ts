/** Parquet files of random rows: read back, indexed page by page, and never read wrongly when a bit is flipped. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ColumnMetadata } from "../../../../../src/connectors/spi.ts";
import { ThriftReader, type ThriftStruct } from "../../../../../src/connectors/files/parquet/thrift.ts";
import { compressorOf } from "../../../../../src/connectors/files/write/compress/compressors.ts";
import { ParquetWriter } from "../../../../../src/connectors/files/write/parquet/parquet-writer.ts";
import { createNodeMemory } from "../../../../../src/memory/allocator.ts";
import { Flattener } from "../../../../../src/page/gather.ts";
import { encodeNested, type NestedType } from "../../../../../src/types/nested/nested.ts";
import { BIGINT, decimalType, DOUBLE, type Type, VARCHAR } from "../../../../../src/types/type.ts";
import { pagesOf, type Rows } from "../../world.ts";
import { Folder, openFolder, read } from "../folder.ts";

const nested: Type = {
  kind: "array",
  element: {
    kind: "row",
    fields: [
      { name: "a", type: { kind: "array", element: BIGINT } },
      { name: "s", type: VARCHAR },
    ],
  },
};
const columns: readonly ColumnMetadata[] = [
  { name: "id", type: BIGINT },
  { name: "s", type: VARCHAR },
  { name: "d", type: DOUBLE },
  { name: "wide", type: decimalType(38, 3) },
  { name: "few", type: VARCHAR },
  { name: "n", type: nested },
];
const memory = createNodeMemory({ sizeBytes: 256 * 1024 * 1024 }).root;

function written(
  rows: Rows,
  options: {
    readonly pageRows: number;
    readonly indirect: boolean;
    readonly codec: "NONE" | "SNAPPY" | "ZSTD";
    readonly rowGroupBytes?: number;
  },
): Uint8Array {
  const context = memory.child("written");
  const { codec, indirect, pageRows, rowGroupBytes = 1_000_000 } = options;
  const writer = new ParquetWriter({ columns, compressor: compressorOf(codec), sortedBy: [], rowGroupBytes, memory: context });
  for (const page of pagesOf({ columns, rows, memory: context, pageRows, indirect })) {
    writer.append(page, new Flattener(memory.linear, page), 0, page.positionCount);
  }
  writer.finish();
  const bytes = writer.take();
  expect(context.reservedBytes).toBe(0);
  context.close();
  return bytes;
}

const text = (value: string): Uint8Array => new TextEncoder().encode(value);
const orNull = <T>(values: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(values, { freq: 4 });
const row = fc
  .tuple(
    orNull(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })),
    orNull(fc.string({ unit: "grapheme", maxLength: 90 }).map(text)),
    orNull(fc.oneof(fc.double(), fc.constantFrom(0, -0, Number.NaN))),
    orNull(fc.bigInt({ min: -(10n ** 38n) + 1n, max: 10n ** 38n - 1n })),
    orNull(fc.constantFrom("a", "bb", "").map(text)),
    orNull(
      fc.array(
        orNull(fc.tuple(orNull(fc.array(orNull(fc.bigInt({ min: -5n, max: 5n })), { maxLength: 3 })), orNull(fc.string({ maxLength: 5 })))),
        { maxLength: 3 },
      ),
    ),
  )
  .map(([id, s, d, wide, few, list]) => [id, s, d, wide, few, list === null ? null : encodeNested(nested as NestedType, list)]);

describe("files", () => {
  it("give back their rows, however they are cut", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(row, { maxLength: 40 }),
        fc.record({
          pageRows: fc.integer({ min: 1, max: 20 }),
          indirect: fc.boolean(),
          codec: fc.constantFrom("NONE", "SNAPPY", "ZSTD"),
          rowGroupBytes: fc.constantFrom(200, 1_000_000),
        }),
        async (rows, options) => {
          const found = await read(openFolder(new Folder().put("t.parquet", written(rows, options))), "t");
          expect(found.rows).toEqual(rows);
        },
      ),
      { numRuns: 40 },
    );
  });

  it("of many pages, with and without dictionaries", async () => {
    const rows = Array.from({ length: 25_000 }, (_, i) => [
      BigInt(i * 7919),
      text(`text ${i} ${"x".repeat(i % 60)}`),
      i / 3,
      BigInt(i) * 10n ** 20n,
      text(String(i % 3)),
      i % 5 === 0 ? null : encodeNested(nested as NestedType, [[[BigInt(i % 10)], "y"], null]),
    ]);
    const bytes = written(rows, { pageRows: 4096, indirect: false, codec: "ZSTD", rowGroupBytes: 2 ** 30 });
    const found = await read(openFolder(new Folder().put("t.parquet", bytes)), "t");
    const isSame = (a: unknown, b: unknown): boolean =>
      a instanceof Uint8Array && b instanceof Uint8Array ? Buffer.compare(a, b) === 0 : a === b;
    expect(found.rows.length).toBe(rows.length);
    expect(rows.findIndex((one, place) => !one.every((value, column) => isSame(value, found.rows[place]?.[column])))).toBe(-1);
    const { footer, column } = indexesOf(bytes);
    expect(footer.structs(4).length).toBe(1);
    for (const [place, name] of ["id", "s", "d", "wide", "few"].entries()) {
      const { offsets, hasDictionary } = column(place);
      expect(offsets.length, name).toBeGreaterThan(1);
      expect(hasDictionary, name).toBe(name === "few");
      expect(offsets.map((one) => one.integer(3))[0], name).toBe(0);
      for (const location of offsets) {
        const page = new ThriftReader(bytes, location.integer(1) as number).struct();
        expect(page.integer(1), name).toBe(0);
        expect(page.has(4), name).toBe(true);
      }
    }
    const { offsets, lows, highs } = column(0);
    const valueOf = (bound: Uint8Array | undefined): bigint | undefined =>
      bound && new DataView(bound.buffer, bound.byteOffset).getBigInt64(0, true);
    offsets.forEach((location, page) => {
      const first = location.integer(3) as number;
      const next = offsets[page + 1]?.integer(3) ?? rows.length;
      expect([valueOf(lows[page]), valueOf(highs[page])]).toEqual([rows[first]?.[0], rows[next - 1]?.[0]]);
    });
  });

  it("are never read wrongly when a bit is flipped", async () => {
    const rows = Array.from({ length: 300 }, (_, i) => [BigInt(i), text(`t${i % 50}`), i / 2, BigInt(i), text("z"), null]);
    const bytes = written(rows, { pageRows: 100, indirect: false, codec: "SNAPPY" });
    const end = indexesOf(bytes).dataEnd;
    let refused = 0;
    for (let at = 4; at < end; at += 13) {
      const damaged = bytes.slice();
      damaged[at] = (damaged[at] as number) ^ (1 << (at % 8));
      const found = await read(openFolder(new Folder().put("t.parquet", damaged)), "t").catch(() => undefined);
      if (found === undefined) {
        refused++;
      } else {
        expect(found.rows, `byte ${at}`).toEqual(rows);
      }
    }
    expect(refused).toBeGreaterThan((end / 13) * 0.8);
  });
});

interface ColumnPages {
  /** Page locations of the offset index. */
  readonly offsets: readonly ThriftStruct[];
  readonly lows: readonly Uint8Array[];
  readonly highs: readonly Uint8Array[];
  readonly hasDictionary: boolean;
}

/** Least and greatest values of a column index, whose first three fields are lists: of booleans, and two of bytes. */
function boundsAt(bytes: Uint8Array, start: number): readonly (readonly Uint8Array[])[] {
  let at = start;
  const varint = (): number => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++] as number;
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) {
        return value;
      }
    }
  };
  const count = (type: number): number => {
    expect(bytes[at++]).toBe(0x19);
    const head = bytes[at++] as number;
    expect(head & 15).toBe(type);
    return head >>> 4 === 15 ? varint() : head >>> 4;
  };
  const nullPages = count(1);
  at += nullPages;
  return [0, 1].map(() =>
    Array.from({ length: count(8) }, () => {
      const length = varint();
      at += length;
      return bytes.slice(at - length, at);
    }),
  );
}

/** Of the first row group. */
function indexesOf(bytes: Uint8Array): {
  readonly footer: ThriftStruct;
  readonly dataEnd: number;
  readonly column: (place: number) => ColumnPages;
} {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const length = view.getUint32(bytes.length - 8, true);
  const footer = new ThriftReader(bytes, bytes.length - 8 - length).struct();
  const chunks = footer.structs(4)[0]?.structs(1) ?? [];
  return {
    footer,
    dataEnd: Math.min(...chunks.map((chunk) => chunk.integer(6) ?? chunk.integer(4) ?? 0)),
    column: (place) => {
      const chunk = chunks[place] as ThriftStruct;
      const [lows = [], highs = []] = boundsAt(bytes, chunk.integer(6) as number);
      const offsets = new ThriftReader(bytes, chunk.integer(4) as number).struct().structs(1);
      return { offsets, lows, highs, hasDictionary: chunk.struct(3)?.has(11) === true };
    },
  };
}
