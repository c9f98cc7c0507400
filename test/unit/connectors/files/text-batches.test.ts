/**
 * Records that kernels read many at a time, on both backends, are those that are read one by one: the same rows, nulls, errors and records
 * that are passed over. Texts are drawn so that the usual form, the edges of it and what is outside of it are mixed.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { KernelRuntime } from "../../../../src/codegen/runtime.ts";
import { CsvCells, JsonCells } from "../../../../src/connectors/files/text/cells.ts";
import { CsvScanner } from "../../../../src/connectors/files/text/csv.ts";
import { JsonLinesScanner } from "../../../../src/connectors/files/text/json-lines.ts";
import { utf8Function } from "../../../../src/connectors/files/text/kernels/bytes.ts";
import { TextKernels } from "../../../../src/connectors/files/text/kernels/kernels.ts";
import { type BadRecords, TextPageSource } from "../../../../src/connectors/files/text/page-source.ts";
import { isUtf8 } from "../../../../src/connectors/files/text/records.ts";
import { createNodeMemory } from "../../../../src/memory/allocator.ts";
import { knobsOf } from "../../../../src/ports/knobs.ts";
import {
  arrayType,
  BIGINT,
  BOOLEAN,
  DATE,
  decimalType,
  DOUBLE,
  INTEGER,
  REAL,
  SMALLINT,
  TINYINT,
  type Type,
  VARCHAR,
} from "../../../../src/types/type.ts";
import { readRow } from "../../../support/pages.ts";
import { backends, kernelOf } from "../../codegen/run.ts";

const pageRows = 40;
const knobs = knobsOf({ "page-rows": pageRows });

const worlds = backends.map((backend) => {
  const { root, linear } = createNodeMemory({ sizeBytes: 16 * 1024 * 1024, knobs });
  const runtime = new KernelRuntime({ linear, backend });
  return { memory: root, runtime, kernels: new TextKernels(runtime) };
});

const types: readonly Type[] = [
  VARCHAR,
  BIGINT,
  INTEGER,
  SMALLINT,
  TINYINT,
  DOUBLE,
  REAL,
  BOOLEAN,
  DATE,
  { kind: "timestamp", precision: 3 },
  { kind: "timestamp", precision: 6 },
  decimalType(12, 2),
  decimalType(18, 0),
  decimalType(30, 4),
  arrayType(BIGINT),
];

interface Asked {
  readonly format: "csv" | "json";
  readonly bytes: Uint8Array;
  readonly fields: readonly string[];
  /** Columns by the index of their field; -1 for one that the file does not have. */
  readonly columns: readonly { readonly field: number; readonly type: Type }[];
  readonly chunkBytes: number;
  readonly nullText: string | undefined;
  /** Undefined: bad records are errors. */
  readonly isThorough: boolean | undefined;
}

interface Found {
  readonly pages: readonly unknown[];
  readonly passedOver: readonly string[];
  readonly failure: string | undefined;
}

/** Without kernels, records are read one by one. */
async function readText(asked: Asked, world: (typeof worlds)[number], isBatched: boolean): Promise<Found> {
  const memory = world.memory.child("test");
  const { linear } = memory;
  const { bytes, fields, columns } = asked;
  const { kernels } = world;
  const slots = columns.map(({ field }) => field);
  const dialect = { delimiter: 0x2c, quote: 0x22, escape: 0x22 };
  const jsonCells = new JsonCells({ kernels, memory, slots });
  const cells = asked.format === "json" ? jsonCells : new CsvCells({ kernels, memory, slots, dialect, fieldCount: fields.length });
  const passedOver: string[] = [];
  const bad: BadRecords = {
    isThorough: asked.isThorough === true,
    isFull: false,
    add: ({ start, end, errors, offsetOf }) =>
      passedOver.push(
        `${offsetOf(start)}-${offsetOf(end)}: ${errors.map(({ error, column, at }) => `${error.message} ${column} ${offsetOf(at)}`).join("; ")}`,
      ),
    end: () => undefined,
  };
  let at = 0;
  const source = new TextPageSource({
    path: "t",
    stream: {
      next: async () => {
        const chunk = bytes.subarray(at, at + asked.chunkBytes);
        at += chunk.length;
        return chunk.length === 0 ? undefined : chunk;
      },
    },
    startOffset: 0,
    lineEnd: 0x0a,
    scanner:
      asked.format === "json"
        ? new JsonLinesScanner(linear, {
            keys: fields,
            collect: false,
            isFree: false,
            onKey: (written, slot) => jsonCells.learn(written, slot),
          })
        : new CsvScanner(linear, { dialect, fieldCount: fields.length }),
    slots,
    columns: columns.map(({ type }, index) => ({ name: `c${index}`, type })),
    nullText: asked.nullText === undefined ? undefined : new TextEncoder().encode(asked.nullText),
    bad: asked.isThorough === undefined ? undefined : bad,
    memory,
    batches: isBatched ? { kernels, cells } : undefined,
    lineOf: (offset) => Promise.resolve(offset),
  });
  const pages: unknown[] = [];
  let failure: string | undefined;
  try {
    while (!source.finished) {
      await source.blocked();
      const page = source.nextPage();
      if (page !== undefined) {
        pages.push(Array.from({ length: page.positionCount }, (_, position) => readRow(linear, page, position)));
      }
    }
  } catch (error) {
    failure = (error as Error).message;
  }
  source.close();
  expect(memory.reservedBytes).toBe(0);
  return { pages, passedOver, failure };
}

const digits = fc.stringMatching(/^[0-9]{1,19}$/);
const whole = fc.oneof(
  fc.integer().map(String),
  fc.bigInt({ min: -(2n ** 64n), max: 2n ** 64n }).map(String),
  fc.constantFrom(
    "0",
    "-0",
    "00",
    "007",
    "-",
    "+1",
    "127",
    "128",
    "-128",
    "-129",
    "32767",
    "32768",
    "2147483647",
    "2147483648",
    "9223372036854775807",
  ),
  digits,
);
const fractional = fc.oneof(
  fc.tuple(whole, digits).map(([a, b]) => `${a}.${b}`),
  fc.double().map(String),
  fc.integer({ min: -99999, max: 99999 }).map((value) => (value / 100).toFixed(2)),
  fc.constantFrom(
    ".5",
    "5.",
    ".",
    "-.5",
    "1..2",
    "1.2.3",
    "1e5",
    "1E-5",
    "NaN",
    "Infinity",
    "-Infinity",
    "0.1",
    "00.1",
    "123456789012345.6",
    "1234567890.12345",
  ),
);
const instant = fc.date({ min: new Date("0001-01-01"), max: new Date("9999-12-31"), noInvalidDate: true });
const day = instant.map((date) => date.toISOString().slice(0, 10));
const time = fc
  .tuple(instant, fc.constantFrom(10, 19, 19, 21, 23), fc.constantFrom("T", " "))
  .map(([date, length, separator]) => date.toISOString().slice(0, length).replace("T", separator));
const moment = fc.oneof(
  day,
  time,
  fc
    .tuple(fc.integer({ min: 0, max: 9999 }), fc.integer({ min: 0, max: 13 }), fc.integer({ min: 0, max: 32 }))
    .map(([y, m, d]) => `${String(y).padStart(4, "0")}-${String(m).padStart(2, "0")}-${String(d).padStart(2, "0")}`),
  fc
    .tuple(fc.integer({ min: 1, max: 99 }), fc.constantFrom("02-28", "02-29", "03-01", "12-31"))
    .map(([century, rest]) => `${String(century).padStart(2, "0")}00-${rest}`),
  fc
    .tuple(fc.integer({ min: 0, max: 24 }), fc.integer({ min: 0, max: 60 }), fc.integer({ min: 0, max: 60 }))
    .map((parts) => `2024-02-29 ${parts.map((part) => String(part).padStart(2, "0")).join(":")}`),
  fc.constantFrom(
    "2024/01/01",
    "2024-1-1",
    "2024-01-01 23:00",
    "2024-01-01 10:00:00.123456",
    "2024-01-01 10:00:00.1234567",
    "2024-01-01 10:00:00.",
    "2024-01-01 10.00:00",
    "2024-01-01x10:00:00",
    "12345-01-01",
  ),
);
const other = fc.constantFrom(
  "true",
  "FALSE",
  "True",
  "truth",
  "falsy",
  "null",
  "",
  "NULL",
  "\\N",
  "x",
  "a longer text that does not fit into one block of bytes",
  "é",
  "日本",
  "\u{1f600}",
  " 1 ",
  "  ",
  "a b",
);
const scalar = fc.oneof(
  { weight: 3, arbitrary: whole },
  { weight: 3, arbitrary: fractional },
  { weight: 3, arbitrary: moment },
  { weight: 3, arbitrary: other },
);

function usualOf(type: Type): fc.Arbitrary<string> {
  switch (type.kind) {
    case "double":
    case "real":
    case "decimal":
      return fc.integer({ min: -9999, max: 9999 }).map((value) => String(value / 100));
    case "boolean":
      return fc.constantFrom("true", "false");
    case "date":
      return day;
    case "timestamp":
      return time;
    default:
      return fc.integer({ min: -100, max: 100 }).map(String);
  }
}

const column = fc.constantFrom(...types);

/** Bytes that are cut out or written over, so that separators, quotes and UTF-8 break. */
const change = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  byte: fc.constantFrom(0x22, 0x2c, 0x0a, 0x0d, 0x5c, 0x00, 0x1f, 0x20, 0x7b, 0x5d, 0x80, 0xc3, 0xff, 0x31),
  isCut: fc.boolean(),
});

function changed(text: string, changes: readonly { readonly at: number; readonly byte: number; readonly isCut: boolean }[]): Uint8Array {
  let bytes: Uint8Array = new TextEncoder().encode(text);
  for (const { at, byte, isCut } of changes) {
    const place = Math.floor(at * Math.max(0, bytes.length - 1));
    bytes = Uint8Array.from([...bytes.subarray(0, place), ...(isCut ? [] : [byte]), ...bytes.subarray(place + 1)]);
  }
  return bytes;
}

interface Text {
  readonly types: readonly Type[];
  readonly text: string;
}

/** Records of the usual form, a few with an odd cell in place of a usual one, and a few odd lines. */
function textOf(format: {
  readonly usual: (type: Type) => fc.Arbitrary<string>;
  readonly odd: (type: Type) => fc.Arbitrary<string>;
  readonly record: (cells: readonly string[]) => string;
  readonly oddLine: fc.Arbitrary<string>;
}): fc.Arbitrary<Text> {
  return fc.array(column, { minLength: 1, maxLength: 5 }).chain((drawn) => {
    const oddCell = fc
      .nat(drawn.length - 1)
      .chain((field) => fc.record({ row: fc.nat(59), field: fc.constant(field), text: format.odd(drawn[field] as Type) }));
    return fc
      .record({
        rows: fc.array(fc.tuple(...drawn.map(format.usual)), { minLength: 1, maxLength: 60 }),
        oddCells: fc.array(oddCell, { maxLength: 5 }),
        oddLines: fc.oneof(
          { weight: 2, arbitrary: fc.constant([]) },
          { weight: 1, arbitrary: fc.array(fc.tuple(fc.nat(59), format.oddLine), { maxLength: 2 }) },
        ),
        end: fc.constantFrom("\n", "\n", "\r\n"),
        isEnded: fc.boolean(),
      })
      .map(({ rows, oddCells, oddLines, end, isEnded }) => {
        const cells: string[][] = rows.map((row) => [...row]);
        for (const { row, field, text } of oddCells) {
          (cells[row % cells.length] as string[])[field] = text;
        }
        const lines = cells.map(format.record);
        for (const [row, line] of oddLines) {
          lines[row % lines.length] = line;
        }
        return { types: drawn, text: lines.join(end) + (isEnded ? end : "") };
      });
  });
}

const quoted = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

const csvText = textOf({
  usual: (type) =>
    fc.oneof(
      { weight: 9, arbitrary: usualOf(type).map(quoted) },
      { weight: 1, arbitrary: fc.constant("") },
      ...(type.kind === "varchar"
        ? [{ weight: 3, arbitrary: fc.constantFrom('"a ""quote"", b"', '"two\nlines"', "plain", '"x\r\n"', "é") }]
        : []),
    ),
  odd: () =>
    fc.oneof(
      { weight: 6, arbitrary: scalar.map(quoted) },
      { weight: 1, arbitrary: fc.constantFrom('"a ""quote"", b"', '""', '""""', '"open', 'x"y', '"a"b', '"1"', '"true"') },
    ),
  record: (cells) => cells.join(","),
  oddLine: fc.constantFrom("", "", ",", "a,b,c,d,e,f,g", '"open', '"a"b'),
});

const isLiteral = /^(-?(0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?|true|false|null)$/;
const hasNoQuotes = (type: Type) => type.kind !== "varchar" && type.kind !== "date" && type.kind !== "timestamp";
const asJson = (type: Type) => (text: string) => (hasNoQuotes(type) && isLiteral.test(text) ? text : JSON.stringify(text));

const jsonText = textOf({
  usual: (type) =>
    type.kind === "array"
      ? fc.array(fc.integer()).map((values) => JSON.stringify(values))
      : fc.oneof(
          { weight: 9, arbitrary: usualOf(type).map(asJson(type)) },
          { weight: 1, arbitrary: fc.constant("null") },
          ...(type.kind === "varchar"
            ? [
                {
                  weight: 3,
                  arbitrary: fc.constantFrom(
                    '"\\u00e9\\n"',
                    '"\\ud83d\\ude00"',
                    '"a \\"b\\""',
                    '{"a":[1,"\\u00e9",{"b":null}]}',
                    "12.5",
                    "true",
                    '"é"',
                  ),
                },
              ]
            : []),
        ),
  odd: (type) =>
    fc.oneof(
      { weight: 3, arbitrary: scalar.map(asJson(type)) },
      { weight: 1, arbitrary: scalar },
      {
        weight: 2,
        arbitrary: fc.constantFrom(
          "null",
          "[1, 2]",
          '[1,"x",{"a":[]}]',
          '{"a":{"b":"}"}}',
          "[]",
          "{}",
          '"\\u00e9"',
          '"\\u00GG"',
          '"\\uH000"',
          '"\\u00G9"',
          "01",
          "1.",
          "-01",
          "tru",
          "falsy",
          '"\\x"',
          '"\\u12"',
          "-",
          "1e",
          "1e+",
          "[1,]",
          "[01]",
          "[1 2]",
          '{"a" 1}',
          "{a:1}",
          "[tru]",
          '"\t"',
          '"open',
          "1 ",
          " 1",
          '"\\u0031"',
          '1,"k0":2',
        ),
      },
    ),
  record: (cells) => `{${cells.map((text, index) => `${keyOf(index)}:${text}`).join(",")}}`,
  oddLine: fc.constantFrom(
    "",
    "  ",
    "[]",
    "{}",
    "{",
    '{"k0":1}}',
    '{"k0":1,}',
    '{"k0":1} ',
    "null",
    '{"k0" 1}',
    '{ "k1" : 1 , "k0" : 2 }',
    '\t{"k0":1}\t',
    '{"k0":1}{"k0":2}',
    '{"K0":1}',
    '{"\\u006b0":1}',
    '{"k0":1,"other":[{"é":1}],"k1":3}',
    '{"k1":1}',
    '{"a long key of more than sixteen bytez":1}',
  ),
});

/** Some keys are longer than a block of bytes. */
function keyOf(index: number): string {
  return index === 2 ? '"a long key of more than sixteen bytes"' : `"k${index}"`;
}

const asked: fc.Arbitrary<Asked> = fc
  .record({
    format: fc.constantFrom("csv" as const, "json" as const),
    csv: csvText,
    json: jsonText,
    changes: fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: fc.array(change, { maxLength: 3 }) }),
    without: fc.array(fc.boolean(), { minLength: 6, maxLength: 6 }),
    isReversed: fc.boolean(),
    chunkBytes: fc.constantFrom(7, 60, 1000, 100_000, 100_000),
    nullText: fc.constantFrom(undefined, undefined, "NULL", "\\N"),
    isThorough: fc.constantFrom(undefined, false, true),
  })
  .map(({ format, csv, json, changes, without, isReversed, ...rest }) => {
    const { types: drawn, text } = format === "csv" ? csv : json;
    const all = drawn.map((type, field) => ({ field, type }));
    const columns = [...all.filter((_, index) => without[index] === false), ...(without[5] === true ? [{ field: -1, type: BIGINT }] : [])];
    return {
      ...rest,
      format,
      bytes: changed(text, changes),
      fields: all.map(({ field }) => JSON.parse(keyOf(field)) as string),
      columns: isReversed ? columns.toReversed() : columns,
    };
  });

test("bytes are UTF-8 or not, as they are for a record that is read alone", () => {
  const bytes = fc.array(
    fc.constantFrom(0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc1, 0xc2, 0xe0, 0xe1, 0xed, 0xf0, 0xf1, 0xf4, 0xf5),
    {
      maxLength: 24,
    },
  );
  const checks = worlds.map(({ memory, runtime }) => ({ memory, check: runtime.load("utf8", () => kernelOf("utf8", utf8Function)) }));
  fc.assert(
    fc.property(fc.nat(18), bytes, (before, drawn) => {
      const text = Uint8Array.from([...Array.from({ length: before }, () => 0x41), ...drawn]);
      for (const { memory, check } of checks) {
        const at = memory.allocate(64);
        memory.linear.u8.fill(0x80, at, at + 64);
        memory.linear.u8.set(text, at);
        expect(check(at, at + text.length)).toBe(isUtf8(text, 0, text.length) ? 1 : 0);
        memory.free(at);
      }
    }),
    { numRuns: 1500 },
  );
});

test("records read many at a time are those read one by one", async () => {
  let rows = 0;
  let failures = 0;
  await fc.assert(
    fc.asyncProperty(asked, async (one) => {
      const expected = await readText(one, worlds[0] as (typeof worlds)[number], false);
      for (const world of worlds) {
        expect(await readText(one, world, true)).toEqual(expected);
      }
      rows += expected.pages.length;
      failures += expected.failure !== undefined || expected.passedOver.length > 0 ? 1 : 0;
    }),
    { numRuns: 500 },
  );
  expect(rows).toBeGreaterThan(100);
  expect(failures).toBeGreaterThan(20);
});

test.each(worlds)("an odd number of quotes is seen, wherever the text lies: %#", ({ memory, kernels }) => {
  const block = memory.allocate(1024);
  const bytes = fc.array(fc.constantFrom(0x22, 0x22, 0x27, 0x0a, 0xa2), { maxLength: 300 });
  fc.assert(
    fc.property(bytes, fc.nat(20), (text, offset) => {
      memory.linear.u8.fill(0x22, block, block + 1024);
      memory.linear.u8.set(text, block + offset);
      const start = block + offset;
      expect(kernels.hasOddQuotes({ start, end: start + text.length }, 0x22)).toBe(text.filter((byte) => byte === 0x22).length % 2 === 1);
    }),
    { numRuns: 300 },
  );
  memory.free(block);
});
