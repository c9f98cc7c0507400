import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ResultWriter } from "../../../src/coordinator/results/result-writer.ts";
import { createNodeMemory } from "../../../src/memory/allocator.ts";
import { PageBuilder } from "../../../src/page/builder.ts";
import { readValue } from "../../../src/page/reader.ts";
import { type JsonValue, parseJson } from "../../../src/protocol/json.ts";
import { charType, decimalType, type Type, varcharType } from "../../../src/types/type.ts";

const memory = createNodeMemory({ sizeBytes: 16 * 1024 * 1024 });

type Append = (builder: PageBuilder) => void;

function render(type: Type, values: readonly Append[], parametricDatetime = true): JsonValue[] {
  const builder = new PageBuilder([type], memory.root);
  for (const append of values) {
    append(builder);
  }
  const writer = new ResultWriter([type], memory.linear, { parametricDatetime });
  writer.append(builder.build());
  const rows = writer.take();
  builder.close();
  const parsed = parseJson(`[${new TextDecoder("utf-8", { fatal: true }).decode(rows)}]`) as JsonValue[][];
  return parsed.map((row) => row[0] as JsonValue);
}

const int =
  (value: number): Append =>
  (builder) =>
    builder.appendInt(0, value);
const big =
  (value: bigint): Append =>
  (builder) =>
    builder.appendBigint(0, value);
const real =
  (value: number): Append =>
  (builder) =>
    builder.appendDouble(0, value);
const text =
  (value: string): Append =>
  (builder) =>
    builder.appendString(0, value);
const bytes =
  (value: Uint8Array): Append =>
  (builder) =>
    builder.appendBytes(0, value);
const nothing: Append = (builder) => builder.appendNull(0);

/** All code points except lone surrogates. */
const anyText = fc
  .array(fc.oneof(fc.integer({ min: 0, max: 0x7f }), fc.integer({ min: 0, max: 0xd7ff }), fc.integer({ min: 0xe000, max: 0x10ffff })))
  .map((codes) => String.fromCodePoint(...codes));

describe("cells", () => {
  test("integers keep every digit", () => {
    fc.assert(
      fc.property(fc.array(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), { minLength: 1 }), (values) => {
        expect(render({ kind: "bigint" }, values.map(big)).map((value) => BigInt(value as number))).toEqual(values);
      }),
    );
    expect(render({ kind: "tinyint" }, [int(-128), nothing, int(127)])).toEqual([-128, null, 127]);
    expect(render({ kind: "smallint" }, [int(-32768), int(10)])).toEqual([-32768, 10]);
    expect(render({ kind: "integer" }, [int(-2147483648), int(2147483647), int(0)])).toEqual([-2147483648, 2147483647, 0]);
    expect(render({ kind: "boolean" }, [int(1), int(0), nothing])).toEqual([true, false, null]);
    expect(render({ kind: "unknown" }, [nothing])).toEqual([null]);
  });

  test("strings come back as they went in, whatever they hold", () => {
    fc.assert(
      fc.property(fc.array(anyText, { minLength: 1 }), (values) => {
        expect(render({ kind: "varchar" }, values.map(text))).toEqual(values);
      }),
    );
    // Long runs without an escape, with a rare character of any kind between them.
    const rare = fc.constantFrom("\u0000", "\u001f", "\n", '"', "\\", "!", "#", "[", "]", "\u007f", "é", "😀");
    const longText = fc.array(fc.tuple(fc.string({ unit: fc.constantFrom("a", " ", "Z", "~"), maxLength: 20 }), rare), { maxLength: 8 });
    fc.assert(
      fc.property(fc.array(longText, { minLength: 1 }), (values) => {
        const strings = values.map((parts) => parts.flat().join(""));
        expect(render({ kind: "varchar" }, strings.map(text))).toEqual(strings);
      }),
    );
    expect(render(varcharType(9), [text('\u0000"\\\n\r\t\b\f\u001f/é😀')])).toEqual(['\u0000"\\\n\r\t\b\f\u001f/é😀']);
  });

  test("char is padded to its length in code points", () => {
    expect(render(charType(4), [text("a"), text("é😀"), text("abcd"), nothing])).toEqual(["a   ", "é😀  ", "abcd", null]);
  });

  test("varbinary is base64", () => {
    fc.assert(
      fc.property(fc.uint8Array(), (value) => {
        expect(render({ kind: "varbinary" }, [bytes(value)])).toEqual([Buffer.from(value).toString("base64")]);
      }),
    );
  });

  test("doubles and reals come back equal; what JSON has no number for is text", () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(render({ kind: "double" }, [real(value)])).toEqual([value]);
      }),
    );
    fc.assert(
      fc.property(fc.float({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(render({ kind: "real" }, [real(value)]).map((cell) => Math.fround(cell as number))).toEqual([value]);
      }),
    );
    expect(render({ kind: "double" }, [real(Number.NaN), real(Number.POSITIVE_INFINITY), real(Number.NEGATIVE_INFINITY)])).toEqual([
      "NaN",
      "Infinity",
      "-Infinity",
    ]);
    expect(render({ kind: "real" }, [real(Math.fround(0.1))])).toEqual([0.1]);
  });

  test("decimals are text with all their fraction digits", () => {
    expect(render(decimalType(10, 2), [int(5), int(-12345), int(0), nothing])).toEqual(["0.05", "-123.45", "0.00", null]);
    expect(render(decimalType(5, 0), [int(-7)])).toEqual(["-7"]);
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 38n) + 1n, max: 10n ** 38n - 1n }), fc.integer({ min: 0, max: 38 }), (value, scale) => {
        const [cell] = render(decimalType(38, scale), [big(value)]) as string[];
        expect(BigInt((cell as string).replace(".", ""))).toBe(value);
        expect((cell as string).split(".")[1]?.length ?? 0).toBe(scale);
      }),
    );
    // Values around the limit of exact numbers, and scales around that of exact powers of ten.
    const near = fc
      .constantFrom(0n, 10n ** 15n, 2n ** 53n, 2n ** 63n, 2n ** 64n, 10n ** 18n)
      .chain((middle) =>
        fc
          .tuple(fc.bigInt({ min: middle - 1100n, max: middle + 1100n }), fc.boolean())
          .map(([value, negative]) => (negative ? -value : value)),
      );
    fc.assert(
      fc.property(near, fc.integer({ min: 1, max: 20 }), (value, scale) => {
        const digits = (value < 0n ? -value : value).toString().padStart(scale + 1, "0");
        const expected = `${value < 0n ? "-" : ""}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
        expect(render(decimalType(38, scale), [big(value)])).toEqual([expected]);
        if (value > -(10n ** 18n) && value < 10n ** 18n && scale <= 18) {
          expect(render(decimalType(18, scale), [big(value)])).toEqual([expected]);
        }
      }),
    );
  });

  test("dates and timestamps agree with the platform's calendar", () => {
    fc.assert(
      fc.property(fc.integer({ min: -719528, max: 2932896 }), (days) => {
        expect(render({ kind: "date" }, [int(days)])).toEqual([new Date(days * 86_400_000).toISOString().slice(0, 10)]);
      }),
    );
    fc.assert(
      fc.property(fc.integer({ min: -62167219200000, max: 253402300799999 }), (millis) => {
        const expected = new Date(millis).toISOString().replace("T", " ").replace("Z", "");
        expect(render({ kind: "timestamp", precision: 3 }, [big(BigInt(millis) * 1000n)])).toEqual([expected]);
        expect(render({ kind: "timestamp", precision: 6 }, [big(BigInt(millis) * 1000n + 7n)])).toEqual([`${expected}007`]);
      }),
    );
    expect(render({ kind: "date" }, [int(2932897), nothing])).toEqual(["+10000-01-01", null]);
    expect(render({ kind: "timestamp", precision: 0 }, [int(1_000_000)])).toEqual(["1970-01-01 00:00:01"]);
  });

  test("timestamps are rounded to milliseconds for clients that did not ask for more", () => {
    const value = int(86_400_000_000 - 400);
    expect(render({ kind: "timestamp", precision: 6 }, [value], false)).toEqual(["1970-01-02 00:00:00.000"]);
    expect(render({ kind: "timestamp", precision: 6 }, [value], true)).toEqual(["1970-01-01 23:59:59.999600"]);
  });

  test("intervals", () => {
    expect(render({ kind: "interval day to second" }, [int(183845678), int(-1), big(-(2n ** 63n))])).toEqual([
      "2 03:04:05.678",
      "-0 00:00:00.001",
      "-106751991167 07:12:55.808",
    ]);
    expect(render({ kind: "interval year to month" }, [int(-15), int(3)])).toEqual(["-1-3", "0-3"]);
  });
});

describe("rows", () => {
  test("selections, dictionaries and nulls are followed as page/reader.ts follows them", () => {
    fc.assert(
      fc.property(
        fc.array(fc.option(fc.integer({ min: -1000, max: 1000 })), { minLength: 1, maxLength: 40 }),
        fc.infiniteStream(fc.nat(1000)),
        (values, randoms) => {
          const { linear, root } = memory;
          const builder = new PageBuilder([{ kind: "integer" }], root);
          for (const value of values) {
            (value === null ? nothing : int(value))(builder);
          }
          const flat = builder.build();
          const pick = (count: number): readonly number[] =>
            Array.from({ length: count }, () => (randoms.next().value as number) % values.length);
          const ids = root.allocate(values.length * 4);
          linear.u32.set(pick(values.length), ids >>> 2);
          const chosen = [...new Set(pick(values.length))].toSorted((a, b) => a - b);
          const selection = root.allocate(values.length * 4);
          linear.u32.set(chosen, selection >>> 2);
          const column = { ...(flat.columns[0] as (typeof flat.columns)[0]), ids };
          const page = { positionCount: chosen.length, selection, columns: [column, column] };
          const writer = new ResultWriter([{ kind: "integer" }, { kind: "integer" }], linear, { parametricDatetime: true });
          writer.append(page);
          const rows = parseJson(`[${new TextDecoder().decode(writer.take())}]`);
          expect(rows).toEqual(
            chosen
              .map((_, position) => [0, 1].map((index) => readValue(linear, page, index, position)?.valueOf() ?? null))
              .map((row) => row.map((cell) => (cell === null ? null : Number(cell)))),
          );
          root.free(ids);
          root.free(selection);
          builder.close();
        },
      ),
    );
  });

  test("rows without columns are empty arrays", () => {
    const writer = new ResultWriter([], memory.linear, { parametricDatetime: true });
    writer.append({ positionCount: 2, selection: 0, columns: [] });
    expect(new TextDecoder().decode(writer.take())).toBe("[],[]");
    expect(writer.take()).toBeUndefined();
  });
});
