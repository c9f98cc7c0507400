/** Arrow files that pyarrow wrote (arrow/write.py): their values, what is read of them, and what is written of them. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ArrowWriter } from "../../../../src/connectors/files/write/arrow/arrow-writer.ts";
import { compressorOf } from "../../../../src/connectors/files/write/compress/compressors.ts";
import type { ColumnMetadata } from "../../../../src/connectors/spi.ts";
import { createNodeMemory } from "../../../../src/memory/allocator.ts";
import { Flattener } from "../../../../src/page/gather.ts";
import type { PageValue } from "../../../../src/page/reader.ts";
import { decodeNested, nestedSource, type NestedType } from "../../../../src/types/nested/nested.ts";
import type { NestedValue } from "../../../../src/types/nested/nested-order.ts";
import { displayType, isNested, type Type } from "../../../../src/types/type.ts";
import { zoneId } from "../../../../src/types/time/zones.ts";
import { pagesOf, type Rows } from "../world.ts";
import { Folder, openFolder, type ReadTable, read } from "./folder.ts";

const directory = join(import.meta.dirname, "arrow");
const known = JSON.parse(readFileSync(join(directory, "rows.json"), "utf8")) as Readonly<Record<string, readonly (readonly unknown[])[]>>;
const memory = createNodeMemory({ sizeBytes: 64 * 1024 * 1024 }).root;

function bytesOf(name: string): Uint8Array {
  return new Uint8Array(readFileSync(join(directory, name)));
}

function readFile(name: string, only?: readonly string[]): Promise<ReadTable> {
  return read(openFolder(new Folder().put(name, bytesOf(name))), name.slice(0, name.indexOf(".")), only);
}

function decimalText(value: bigint, scale: number): string {
  const digits = String(value < 0n ? -value : value).padStart(scale + 1, "0");
  const point = digits.length - scale;
  return `${value < 0n ? "-" : ""}${digits.slice(0, point)}${scale > 0 ? `.${digits.slice(point)}` : ""}`;
}

/** Units of a moment since its beginning, as Arrow stores them. */
function unitsOf(value: bigint, precision: number): bigint {
  return precision <= 6
    ? value / 10n ** BigInt(6 - precision) - (value % 10n ** BigInt(6 - precision) < 0n ? 1n : 0n)
    : (value >> 64n) * 1000n + BigInt.asUintN(64, value) / 1000n;
}

/** As write.py shows values. */
function shown(type: Type, value: PageValue | NestedValue): unknown {
  if (value === null) {
    return null;
  }
  if (isNested(type)) {
    const items = value instanceof Uint8Array ? decodeNested(type, nestedSource(value)) : (value as readonly NestedValue[]);
    switch (type.kind) {
      case "array":
        return items.map((item) => shown(type.element, item));
      case "row":
        return items.map((item, index) => shown(type.fields[index]?.type as Type, item));
      case "map":
        return items.map((item) => {
          const [key, one] = item as readonly NestedValue[];
          return [shown(type.key, key as NestedValue), shown(type.value, one as NestedValue)];
        });
    }
  }
  switch (type.kind) {
    case "boolean":
      return value;
    case "real":
    case "double":
      return Number.isFinite(value) ? value : Number.isNaN(value) ? "nan" : Number(value) > 0 ? "inf" : "-inf";
    case "varchar":
      return value instanceof Uint8Array ? new TextDecoder().decode(value) : value;
    case "varbinary":
    case "uuid":
      return Buffer.from(value as Uint8Array).toString("hex");
    case "decimal":
      return decimalText(value as bigint, type.scale);
    case "date":
      return new Date((value as number) * 86_400_000).toISOString().slice(0, 10);
    case "time":
      return String((value as bigint) / 10n ** BigInt(12 - type.precision));
    case "timestamp":
      return String(unitsOf(value as bigint, type.precision));
    case "timestamp with time zone": {
      const instant = value as bigint;
      const picos = BigInt.asUintN(64, instant) >> 32n;
      return String(type.precision <= 6 ? unitsOf(instant >> 64n, type.precision) : (instant >> 64n) * 1000n + picos / 1000n);
    }
    default:
      return String(value as bigint);
  }
}

function shownRows({ columns, rows }: Pick<ReadTable, "columns" | "rows">): readonly (readonly unknown[])[] {
  return rows.map((row) => row.map((value, index) => shown((columns[index] as ColumnMetadata).type, value)));
}

describe.each(Object.entries(known).filter(([name]) => name !== "long-lz4.arrow"))("%s", (name, rows) => {
  it("has the values that pyarrow wrote, by all columns and by each alone", async () => {
    const found = await readFile(name);
    expect(shownRows(found)).toEqual(rows);
    for (const [index, column] of found.columns.entries()) {
      const one = await readFile(name, [column.name]);
      expect(shownRows(one)).toEqual(rows.map((row) => [row[index]]));
    }
  });

  it.each(["NONE", "ZSTD"] as const)("is the same when it is written again, %s", async (codec) => {
    const found = await readFile(name);
    const bytes = written(found.columns, found.rows, { codec, batchBytes: 512 });
    const again = await read(openFolder(new Folder().put("t.arrow", bytes)), "t");
    expect(shownRows(again)).toEqual(shownRows({ columns: again.columns, rows: found.rows }));
    expect(again.columns.map(({ type }) => displayType(type))).toEqual(found.columns.map(({ type }) => storedAs(displayType(type))));
  });
});

/** Seconds are written as milliseconds. */
function storedAs(type: string): string {
  return type.replace(/^(time|timestamp)\(0\)/, "$1(3)");
}

function written(
  columns: readonly ColumnMetadata[],
  rows: Rows,
  { codec, batchBytes }: { readonly codec: "NONE" | "ZSTD"; readonly batchBytes: number },
): Uint8Array {
  const context = memory.child("written");
  const compressor = codec === "NONE" ? undefined : compressorOf(codec);
  const writer = new ArrowWriter({ columns, compressor, batchBytes, memory: context });
  for (const page of pagesOf({ columns, rows, memory: context, pageRows: 7, indirect: true })) {
    writer.append(page, new Flattener(memory.linear, page), 0, page.positionCount);
  }
  writer.finish();
  const bytes = writer.take();
  expect(context.reservedBytes).toBe(0);
  context.close();
  return bytes;
}

it("has the types of the table of the documentation", async () => {
  const [scalars, moments] = [await readFile("scalars.arrow"), await readFile("moments-lz4.feather")];
  expect(scalars.types.map((type) => type.slice(type.indexOf(" ") + 1))).toEqual([
    "boolean",
    "tinyint",
    "smallint",
    "integer",
    "bigint",
    "smallint",
    "integer",
    "bigint",
    "decimal(20,0)",
    "real",
    "real",
    "double",
    "decimal(7,2)",
    "decimal(15,3)",
    "decimal(10,2)",
    "decimal(38,10)",
    "decimal(38,0)",
    "varchar",
    "varchar",
    "varchar",
    "varbinary",
    "varbinary",
    "varbinary",
    "date",
    "date",
    "uuid",
    "integer",
  ]);
  expect(moments.types.map((type) => type.slice(type.indexOf(" ") + 1))).toEqual([
    "time(0)",
    "time(3)",
    "time(6)",
    "time(9)",
    "timestamp(0)",
    "timestamp(3)",
    "timestamp(6)",
    "timestamp(9)",
    "timestamp(3) with time zone",
    "timestamp(9) with time zone",
    "interval day to second",
    "bigint",
    "row(months integer, days integer, nanoseconds bigint)",
  ]);
  const zones = moments.rows[0]?.slice(8, 10).map((value) => zoneId(Number(BigInt.asUintN(32, value as bigint))));
  expect(zones).toEqual(["Europe/Paris", "+02:00"]);
});

it("reads unions as rows of a tag and the members, by their own names", async () => {
  const { types } = await readFile("unions.arrow");
  expect(types).toEqual([
    "d row(tag tinyint, n integer, field1 varchar, l array(bigint))",
    "s row(tag tinyint, field0 tinyint, field1 varchar, field2 integer)",
    "u array(row(tag tinyint, x double, field1 boolean))",
  ]);
});

it.each([
  ["type ids", [5, 9, 127, 5, 5, 127], 1, 8, "a value of a union has a type that the union does not have"],
  ["offsets", [0, 1, 0, 0, 1, 1].flatMap((offset) => [offset, 0, 0, 0]), 4, 9, "a value lies outside of its buffer"],
  ["offsets that are negative", [0, 1, 0, 0, 1, 1].flatMap((offset) => [offset, 0, 0, 0]), 7, 0x80, "a value lies outside of its buffer"],
])("refuses unions with damaged %s", async (_, part, at, value, message) => {
  const bytes = bytesOf("unions.arrow");
  const place = Buffer.from(bytes).indexOf(Buffer.from(part));
  expect(place).toBeGreaterThan(0);
  bytes[place + at] = value;
  await expect(read(openFolder(new Folder().put("t.arrow", bytes)), "t", ["d"])).rejects.toMatchObject({
    errorName: "FILE_BAD_DATA",
    message: expect.stringContaining(message),
  });
});

it("repeats bytes of blocks before, in frames of several blocks of LZ4", async () => {
  const { rows } = await readFile("long-lz4.arrow");
  expect(rows.map(([text, n]) => [new TextDecoder().decode(text as Uint8Array), n])).toEqual(
    Array.from({ length: 600 }, (_, n) => [`row ${n % 10} `.repeat(40), BigInt(n)]),
  );
});

it("reads the buffers of the columns that are asked for alone", async () => {
  const folder = new Folder().put("t.arrow", bytesOf("long-lz4.arrow"));
  const open = openFolder(folder);
  const all = await read(open, "t");
  const before = folder.reads.length;
  const numbers = await read(open, "t", ["n"]);
  const bytes = folder.reads.slice(before).reduce((sum, { length }) => sum + length, 0);
  expect(numbers.rows).toEqual(all.rows.map(([, n]) => [n]));
  expect(bytes).toBeLessThan(6000);
  const rows = await read(open, "t", []);
  expect(rows.rows).toHaveLength(600);
});

it("unites the columns of several files by name, in the wider type", async () => {
  const columns = (type: Type): readonly ColumnMetadata[] => [{ name: "a", type }];
  const row: NestedType = { kind: "row", fields: [{ name: "x", type: { kind: "integer" } }] };
  const wider: NestedType = {
    kind: "row",
    fields: [
      { name: "x", type: { kind: "bigint" } },
      { name: "y", type: { kind: "varchar" } },
    ],
  };
  const options = { codec: "NONE", batchBytes: 1000 } as const;
  const { encodeNested } = await import("../../../../src/types/nested/nested.ts");
  const folder = new Folder()
    .put("t/1.arrow", written(columns(row), [[encodeNested(row, [7])]], options))
    .put("t/2.arrow", written(columns(wider), [[encodeNested(wider, [2n ** 40n, "b"])]], options))
    .put("t/3.arrow", written([{ name: "b", type: { kind: "date" } }], [[3]], options));
  const found = await read(openFolder(folder), "t");
  expect(found.types).toEqual(["a row(x bigint, y varchar)", "b date"]);
  expect(shownRows(found)).toEqual([
    [["7", null], null],
    [[String(2n ** 40n), "b"], null],
    [null, "1970-01-04"],
  ]);
});

it.each([
  ["t.arrow", "ARROW1", /^t\.arrow: its end is missing$/],
  ["t.feather", "FEA1....", /^t\.feather: this is Feather version 1, which is not supported$/],
  ["t.arrows", "no arrow at all", /^t\.arrows: this is not an Arrow file$/],
  ["t.arrows", "", /^t\.arrows: this is not an Arrow file$/],
])("refuses %s of %j", async (name, content, message) => {
  await expect(read(openFolder(new Folder().put(name, content)), "t")).rejects.toMatchObject({
    errorName: "FILE_BAD_DATA",
    message: expect.stringMatching(message),
  });
});
