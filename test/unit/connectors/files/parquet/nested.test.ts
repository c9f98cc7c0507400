/**
 * Nested columns of Parquet: what DuckDB writes is read as the same bytes that the engine would make of the values; the encodings of old
 * writers are made by hand.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { NestedValue } from "../../../../../src/types/nested/nested-order.ts";
import { decodeNested, encodeNested, type NestedType, nestedSource } from "../../../../../src/types/nested/nested.ts";
import {
  arrayType,
  BIGINT,
  BOOLEAN,
  DATE,
  decimalType,
  displayType,
  DOUBLE,
  INTEGER,
  isNested,
  mapType,
  REAL,
  rowType,
  SMALLINT,
  type Type,
  UUID,
  VARBINARY,
  VARCHAR,
} from "../../../../../src/types/type.ts";
import { type Element, int32, int64, parquetFile, strings, type WrittenPage } from "./parquet-file.ts";
import { Folder, openFolder, read, type ReadTable, visibleTable } from "../folder.ts";
import { openDuckDbFolder } from "../duckdb-folder.ts";

const oracle = openDuckDbFolder("nested");
let files = 0;

async function written(query: string, options: string): Promise<Uint8Array> {
  const path = join(oracle.directory, `${files++}.parquet`);
  await oracle.connection.run(`COPY (${query}) TO '${path}' (FORMAT PARQUET${options})`);
  return new Uint8Array(readFileSync(path));
}

async function readBack(bytes: Uint8Array, only?: readonly string[], properties?: Readonly<Record<string, string>>): Promise<ReadTable> {
  return read(openFolder(new Folder().put("t.parquet", bytes), properties), "t", only);
}

/** A type with its name in DuckDB, its values and their literals. */
interface Kind {
  readonly type: Type;
  readonly duckdb: string;
  readonly value: fc.Arbitrary<Exclude<NestedValue, null>>;
  readonly literal: (value: Exclude<NestedValue, null>) => string;
}

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;
const micros = fc.bigInt({ min: -(10n ** 15n), max: 10n ** 16n });
const hex = (value: Uint8Array): string => [...value].map((byte) => byte.toString(16).padStart(2, "0")).join("");

const scalars: readonly Kind[] = [
  { type: BIGINT, duckdb: "BIGINT", value: fc.bigInt({ min: -(2n ** 63n) + 1n, max: 2n ** 63n - 1n }), literal: String },
  { type: INTEGER, duckdb: "INTEGER", value: fc.integer(), literal: String },
  { type: SMALLINT, duckdb: "UTINYINT", value: fc.nat(255), literal: String },
  { type: BOOLEAN, duckdb: "BOOLEAN", value: fc.boolean(), literal: String },
  { type: DOUBLE, duckdb: "DOUBLE", value: fc.constantFrom(0, 1.5, -2.25, Number.NaN, 1e300), literal: (value) => `'${value}'::DOUBLE` },
  { type: REAL, duckdb: "FLOAT", value: fc.constantFrom(0, 1.5, -2.25, Number.NaN), literal: (value) => `'${value}'::FLOAT` },
  {
    type: VARCHAR,
    duckdb: "VARCHAR",
    value: fc.constantFrom("", "a", "ünique 😀", "a text of more than twenty-four bytes", "'"),
    literal: (value) => quoted(value as string),
  },
  { type: VARBINARY, duckdb: "BLOB", value: fc.uint8Array({ maxLength: 5 }), literal: (value) => `unhex('${hex(value as Uint8Array)}')` },
  {
    type: UUID,
    duckdb: "UUID",
    value: fc.uint8Array({ minLength: 16, maxLength: 16 }),
    literal: (value) => `'${hex(value as Uint8Array)}'::UUID`,
  },
  { type: DATE, duckdb: "DATE", value: fc.integer({ min: -90_000, max: 90_000 }), literal: (value) => `(DATE '1970-01-01' + ${value})` },
  {
    type: decimalType(7, 2),
    duckdb: "DECIMAL(7, 2)",
    value: fc.bigInt({ min: -9_999_999n, max: 9_999_999n }),
    literal: (value) => `(${value} / 100)::DECIMAL(7, 2)`,
  },
  {
    type: decimalType(30, 0),
    duckdb: "DECIMAL(30, 0)",
    value: fc.bigInt({ min: -(10n ** 29n), max: 10n ** 29n }),
    literal: (value) => `'${value}'::DECIMAL(30, 0)`,
  },
  { type: { kind: "timestamp", precision: 6 }, duckdb: "TIMESTAMP", value: micros, literal: (value) => `make_timestamp(${value})` },
  {
    type: { kind: "timestamp with time zone", precision: 6 },
    duckdb: "TIMESTAMPTZ",
    value: micros.map((value) => value << 64n),
    literal: (value) => `make_timestamptz(${(value as bigint) >> 64n})`,
  },
  {
    type: { kind: "timestamp", precision: 9 },
    duckdb: "TIMESTAMP_NS",
    value: fc.bigInt({ min: -(10n ** 18n), max: 10n ** 18n }).map((nanos) => {
      const rest = ((nanos % 1000n) + 1000n) % 1000n;
      return (((nanos - rest) / 1000n) << 64n) | (rest * 1000n);
    }),
    literal: (value) => `make_timestamp_ns(${((value as bigint) >> 64n) * 1000n + BigInt.asUintN(64, value as bigint) / 1000n})`,
  },
  {
    type: { kind: "time", precision: 6 },
    duckdb: "TIME",
    value: fc.bigInt({ min: 0n, max: 86_399_999_999n }).map((value) => value * 1_000_000n),
    literal: (value) => `(TIME '00:00:00' + INTERVAL (${(value as bigint) / 1_000_000n}) MICROSECOND)`,
  },
];

function literalOf(kind: Kind, value: NestedValue): string {
  return value === null ? "NULL" : kind.literal(value);
}

const orNull = (kind: Kind): fc.Arbitrary<NestedValue> => fc.option(kind.value as fc.Arbitrary<NestedValue>, { nil: null, freq: 4 });

function arrayKind(element: Kind): Kind {
  return {
    type: arrayType(element.type),
    duckdb: `${element.duckdb}[]`,
    value: fc.array(orNull(element), { maxLength: 4 }),
    literal: (value) => `[${(value as readonly NestedValue[]).map((one) => literalOf(element, one)).join(", ")}]`,
  };
}

function rowKind(fields: readonly Kind[]): Kind {
  return {
    type: rowType(fields.map(({ type }, index) => ({ name: `F${index}`, type }))),
    duckdb: `STRUCT(${fields.map((field, index) => `F${index} ${field.duckdb}`).join(", ")})`,
    value: fc.tuple(...fields.map(orNull)),
    literal: (value) =>
      `{${fields.map((field, index) => `F${index}: ${literalOf(field, (value as readonly NestedValue[])[index] ?? null)}`).join(", ")}}`,
  };
}

function mapKind(key: Kind, value: Kind): Kind {
  return {
    type: mapType(key.type, value.type),
    duckdb: `MAP(${key.duckdb}, ${value.duckdb})`,
    value: fc.uniqueArray(fc.tuple(key.value as fc.Arbitrary<NestedValue>, orNull(value)), {
      maxLength: 4,
      selector: ([one]) => key.literal(one as Exclude<NestedValue, null>),
    }),
    literal: (entries) =>
      `MAP {${(entries as readonly (readonly NestedValue[])[]).map(([one, other]) => `${literalOf(key, one ?? null)}: ${literalOf(value, other ?? null)}`).join(", ")}}`,
  };
}

const keyKinds = scalars.filter(({ duckdb: name }) => ["BIGINT", "VARCHAR", "DATE", "INTEGER", "DECIMAL(30, 0)"].includes(name));

function kindOf(depth: number): fc.Arbitrary<Kind> {
  const scalar = fc.constantFrom(...scalars);
  return depth === 0
    ? scalar
    : fc.oneof(
        { weight: 1, arbitrary: scalar },
        { weight: 2, arbitrary: kindOf(depth - 1).map(arrayKind) },
        { weight: 2, arbitrary: fc.array(kindOf(depth - 1), { minLength: 1, maxLength: 3 }).map(rowKind) },
        { weight: 1, arbitrary: fc.tuple(fc.constantFrom(...keyKinds), kindOf(depth - 1)).map(([key, value]) => mapKind(key, value)) },
      );
}

const nestedKind = kindOf(3).filter(({ type }) => isNested(type));

describe("nested columns of DuckDB", () => {
  test("every value has the bytes that the engine gives it", async () => {
    const options = fc.constantFrom(
      "",
      ", PARQUET_VERSION V2",
      ", COMPRESSION ZSTD, ROW_GROUP_SIZE 2048",
      ", COMPRESSION UNCOMPRESSED, DICTIONARY_SIZE_LIMIT 1",
    );
    const table = nestedKind.chain((kind) => fc.tuple(fc.constant(kind), fc.array(orNull(kind), { minLength: 1, maxLength: 12 }), options));
    await fc.assert(
      fc.asyncProperty(table, fc.constantFrom(1, 1, 400), async ([kind, values, option], times) => {
        const rows = values.map((value, index) => `(${index}, ${literalOf(kind, value)})`).join(", ");
        const query = `SELECT r * ${values.length} + i AS i, v::${kind.duckdb} AS v FROM range(${times}) AS x(r), (VALUES ${rows}) AS t(i, v) ORDER BY 1`;
        const found = await readBack(await written(query, option));
        expect(found.types).toEqual(["i bigint", `v ${displayType(kind.type)}`]);
        expect(found.rows.length).toBe(values.length * times);
        const encoded = values.map((value) =>
          value === null ? null : encodeNested(kind.type as NestedType, value as readonly NestedValue[]),
        );
        found.rows.forEach(([i, value], row) => {
          expect(i).toBe(BigInt(row));
          const wanted = encoded[row % values.length] ?? null;
          if (wanted === null || value === null || Buffer.compare(wanted, value as Uint8Array) !== 0) {
            expect(decoded(kind.type, value)).toEqual(decoded(kind.type, wanted));
            expect(value).toEqual(wanted);
          }
        });
      }),
      { numRuns: 150 },
    );
  });

  test("pages of fewer rows where values are large", async () => {
    const query = "SELECT range(i, i + 1000) AS v FROM range(5000) AS t(i)";
    const folder = new Folder().put("t.parquet", await written(query, ""));
    const found = await read(openFolder(folder), "t");
    expect(found.rows.length).toBe(5000);
    const last = decodeNested(arrayType(BIGINT), nestedSource(found.rows[4999]?.[0] as Uint8Array));
    expect([last[0], last[999], last.length]).toEqual([4999n, 5998n, 1000]);
  });
});

function decoded(type: Type, value: unknown): unknown {
  return value instanceof Uint8Array && isNested(type) ? decodeNested(type, nestedSource(value)) : value;
}

interface Made {
  readonly columns: readonly Element[];
  readonly rows: number;
  readonly pages: readonly (readonly WrittenPage[])[];
}

async function readMade({ columns, rows, pages }: Made): Promise<{ readonly types: readonly string[]; readonly rows: unknown }> {
  const found = await readBack(parquetFile(columns, [{ rows, leaves: pages.map((one) => ({ pages: one })) }]));
  return {
    types: found.types,
    rows: found.rows.map((row) => row.map((value, index) => decoded(found.columns[index]?.type as Type, value))),
  };
}

const list = { converted: 3 } as const;
const map = { converted: 1 } as const;
const text = { physical: 6, converted: 0 } as const;

describe("files whose nested columns differ are one table", () => {
  async function readBoth(first: Uint8Array, second: Uint8Array): Promise<{ readonly types: readonly string[]; readonly rows: unknown }> {
    const found = await read(openFolder(new Folder().put("t/a.parquet", first).put("t/b.parquet", second)), "t");
    return {
      types: found.types,
      rows: found.rows.map((row) => row.map((value, index) => decoded(found.columns[index]?.type as Type, value))),
    };
  }

  test("fields that a file does not have are NULL, and values inside of others widen", async () => {
    const first = await written("SELECT * FROM (VALUES ({'a': 1::TINYINT, 'l': [{'x': 1}]}, MAP {1: 1}), (NULL, MAP {})) AS t(s, m)", "");
    const second = await written(
      "SELECT {'B': 'b', 'l': [{'y': 2.5::DOUBLE, 'x': 5::BIGINT}, NULL], 'A': 300} AS s, MAP {5000000000: 1.5::DOUBLE, 1: NULL} AS m",
      "",
    );
    expect(await readBoth(first, second)).toEqual({
      types: ["s row(a integer, l array(row(x bigint, y double)), B varchar)", "m map(bigint, double)"],
      rows: [
        [[1, [[1n, null]], null], [[1n, 1]]],
        [null, []],
        [
          [300, [[5n, 2.5], null], "b"],
          [
            [5_000_000_000n, 1.5],
            [1n, null],
          ],
        ],
      ],
    });
  });

  test("a file may have no field of a row any more", async () => {
    const first = await written("SELECT * FROM (VALUES ({'a': [1]}), (NULL), ({'a': [2, 3]})) AS t(s)", "");
    const second = await written("SELECT {'b': {'c': 1}} AS s", "");
    const folder = new Folder().put("t/a.parquet", first).put("t/b.parquet", second);
    const open = openFolder(folder);
    const { columns, rows } = await read(open, "t");
    expect(rows.map(([value]) => decoded(columns[0]?.type as Type, value ?? null))).toEqual([
      [[1], null],
      null,
      [[2, 3], null],
      [null, [1]],
    ]);
  });

  test("columns without any value have the type of the other files, or integer", async () => {
    // LogicalType UNKNOWN, as pandas writes columns of None.
    const none = { physical: 1, repetition: "optional", logical: [0xbc, 0, 0] } as const;
    const columns: readonly Element[] = [
      { name: "v", ...none },
      {
        name: "l",
        repetition: "optional",
        ...list,
        children: [{ name: "list", repetition: "repeated", children: [{ name: "element", ...none }] }],
      },
    ];
    const without = parquetFile(columns, [
      {
        rows: 3,
        leaves: [
          { pages: [{ entries: 3, definitions: [0, 0, 0], values: [] }] },
          { pages: [{ entries: 4, repetitions: [0, 1, 0, 0], definitions: [2, 2, 0, 1], values: [] }] },
        ],
      },
    ]);
    const nulls = [
      [null, [null, null]],
      [null, null],
      [null, []],
    ];
    expect(await readBoth(without, await written("SELECT DATE '1970-01-02' AS v, ['x'] AS l", ""))).toEqual({
      types: ["v date", "l array(varchar)"],
      rows: [...nulls, [1, ["x"]]],
    });
    expect(await readBoth(without, without)).toEqual({ types: ["v integer", "l array(integer)"], rows: [...nulls, ...nulls] });
  });
});

describe("encodings of lists and maps (parquet-format, LogicalTypes.md)", () => {
  const leaf: Element = { name: "element", physical: 1, repetition: "optional" };
  /** [1, NULL], NULL, [], [2]; cut within the first row. */
  const threeLevels: readonly WrittenPage[] = [
    { entries: 1, repetitions: [0], definitions: [3], values: int32(1) },
    { entries: 4, repetitions: [1, 0, 0, 0], definitions: [2, 0, 1, 3], values: int32(2) },
  ];
  const oneTwo = [[[1, null]], [null], [[]], [[2]]];

  test.each<[string, Element]>([
    [
      "converted type",
      { name: "l", repetition: "optional", ...list, children: [{ name: "list", repetition: "repeated", children: [leaf] }] },
    ],
    [
      "logical type",
      { name: "l", repetition: "optional", logical: [0x3c, 0, 0], children: [{ name: "bag", repetition: "repeated", children: [leaf] }] },
    ],
  ])("three levels, %s", async (_, column) => {
    expect(await readMade({ columns: [column], rows: 4, pages: [threeLevels] })).toEqual({ types: ["l array(integer)"], rows: oneTwo });
  });

  test("two levels: the repeated field is the element", async () => {
    const column: Element = {
      name: "l",
      repetition: "optional",
      ...list,
      children: [{ name: "element", repetition: "repeated", physical: 1 }],
    };
    const pages = [[{ entries: 5, repetitions: [0, 1, 0, 0, 0], definitions: [2, 2, 0, 1, 2], values: int32(1, 2, 3) }]];
    expect(await readMade({ columns: [column], rows: 4, pages })).toEqual({
      types: ["l array(integer)"],
      rows: [[[1, 2]], [null], [[]], [[3]]],
    });
  });

  test.each<[string, Element, string]>([
    [
      "a group of several fields",
      {
        name: "element",
        repetition: "repeated",
        children: [
          { name: "a", physical: 1 },
          { name: "b", ...text },
        ],
      },
      "l array(row(a integer, b varchar))",
    ],
  ])("two levels: %s", async (_, inner, type) => {
    const column: Element = { name: "l", repetition: "optional", ...list, children: [inner] };
    const levels = { entries: 3, repetitions: [0, 1, 0], definitions: [2, 2, 1] };
    const pages = [[{ ...levels, values: int32(1, 2) }], [{ ...levels, values: strings("x", "y") }]];
    expect(await readMade({ columns: [column], rows: 2, pages })).toEqual({
      types: [type],
      rows: [
        [
          [
            [1, "x"],
            [2, "y"],
          ],
        ],
        [[]],
      ],
    });
  });

  test.each([["array"], ["l_tuple"]])("two levels: a group with one field named %s is the element", async (name) => {
    const column: Element = {
      name: "l",
      repetition: "optional",
      ...list,
      children: [{ name, repetition: "repeated", children: [{ name: "a", physical: 1 }] }],
    };
    const pages = [[{ entries: 2, repetitions: [0, 1], definitions: [2, 2], values: int32(1, 2) }]];
    expect(await readMade({ columns: [column], rows: 1, pages })).toEqual({ types: ["l array(row(a integer))"], rows: [[[[1], [2]]]] });
  });

  test("lists of lists of two levels", async () => {
    const inner: Element = {
      name: "element",
      repetition: "repeated",
      ...list,
      children: [{ name: "element", repetition: "repeated", physical: 1 }],
    };
    const column: Element = { name: "l", repetition: "optional", ...list, children: [inner] };
    const pages = [[{ entries: 5, repetitions: [0, 2, 1, 0, 1], definitions: [3, 3, 3, 2, 3], values: int32(1, 2, 3, 4) }]];
    expect(await readMade({ columns: [column], rows: 2, pages })).toEqual({
      types: ["l array(array(integer))"],
      rows: [[[[1, 2], [3]]], [[[], [4]]]],
    });
  });

  test("repeated fields without an annotation are arrays without NULL", async () => {
    const columns: readonly Element[] = [
      { name: "n", repetition: "repeated", physical: 1 },
      { name: "g", repetition: "repeated", children: [{ name: "x", repetition: "optional", physical: 2 }] },
    ];
    const pages = [
      [{ entries: 3, repetitions: [0, 1, 0], definitions: [1, 1, 0], values: int32(7, 8) }],
      [{ entries: 3, repetitions: [0, 0, 1], definitions: [0, 2, 1], values: int64(9n) }],
    ];
    expect(await readMade({ columns, rows: 2, pages })).toEqual({
      types: ["n array(integer)", "g array(row(x bigint))"],
      rows: [
        [[7, 8], []],
        [[], [[9n], [null]]],
      ],
    });
  });

  test("maps: the last value of a key counts, the key may be optional but not NULL", async () => {
    const entry: Element = {
      name: "map",
      repetition: "repeated",
      converted: 2,
      children: [
        { name: "k", repetition: "optional", ...text },
        { name: "v", repetition: "optional", physical: 1 },
      ],
    };
    const column: Element = { name: "m", repetition: "optional", ...map, children: [entry] };
    const repetitions = [0, 1, 1, 0, 0];
    const keys = { entries: 5, repetitions, definitions: [3, 3, 3, 0, 1], values: strings("b", "a", "b") };
    const values = { entries: 5, repetitions, definitions: [3, 2, 3, 0, 1], values: int32(1, 2) };
    const found = {
      types: ["m map(varchar, integer)"],
      rows: [
        [
          [
            ["a", null],
            ["b", 2],
          ],
        ],
        [null],
        [[]],
      ],
    };
    expect(await readMade({ columns: [column], rows: 3, pages: [[keys], [values]] })).toEqual(found);
    const nullKey = { ...keys, definitions: [3, 2, 3, 0, 1], values: strings("b", "b") };
    await expect(readMade({ columns: [column], rows: 3, pages: [[nullKey], [values]] })).rejects.toMatchObject({
      errorName: "FILE_BAD_DATA",
      message: "t.parquet row group 0 column m: a key of a map is NULL",
    });
  });

  test("maps of any size are ordered by their keys, repeated or not", async () => {
    const keys = { bigint: { physical: 2, make: int64 }, integer: { physical: 1, make: (...all: bigint[]) => int32(...all.map(Number)) } };
    const maps = fc.array(fc.array(fc.bigInt({ min: -40n, max: 40n }), { maxLength: 60 }), { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(maps, fc.constantFrom("bigint" as const, "integer" as const, "varchar" as const), async (all, kind) => {
        const key: Element = kind === "varchar" ? { name: "k", ...text } : { name: "k", physical: keys[kind].physical };
        const entry: Element = { name: "key_value", repetition: "repeated", children: [key, { name: "v", physical: 2 }] };
        const levels = {
          entries: all.reduce((sum, one) => sum + Math.max(1, one.length), 0),
          repetitions: all.flatMap((one) => (one.length === 0 ? [0] : one.map((_, index) => Math.min(1, index)))),
          definitions: all.flatMap((one) => (one.length === 0 ? [0] : one.map(() => 1))),
        };
        const flat = all.flat();
        const stored = kind === "varchar" ? strings(...flat.map((value) => `ü${value}`)) : keys[kind].make(...flat);
        const numbers = int64(...flat.map((_, index) => BigInt(index)));
        const column: Element = { name: "m", ...map, children: [entry] };
        const bytes = parquetFile(
          [column],
          [{ rows: all.length, leaves: [{ pages: [{ ...levels, values: stored }] }, { pages: [{ ...levels, values: numbers }] }] }],
        );
        const found = await readBack(bytes);
        let number = 0n;
        const expected = all.map((one) => {
          const entries = one.map((value): readonly [NestedValue, NestedValue] => [
            kind === "varchar" ? `ü${value}` : kind === "bigint" ? value : Number(value),
            number++,
          ]);
          const last = entries.filter(([value], index) => !entries.slice(index + 1).some(([other]) => other === value));
          return encodeNested(found.columns[0]?.type as NestedType, last);
        });
        expect(found.rows.map(([value]) => value)).toEqual(expected);
      }),
      { numRuns: 60 },
    );
  });

  test("rows keep the NULL of the row and that of its fields apart", async () => {
    const column: Element = {
      name: "r",
      repetition: "optional",
      children: [
        { name: "A", physical: 1 },
        { name: "b", repetition: "optional", ...text },
      ],
    };
    const pages = [
      [{ entries: 3, definitions: [1, 0, 1], values: int32(5, 6) }],
      [{ entries: 3, definitions: [2, 0, 1], values: strings("x") }],
    ];
    expect(await readMade({ columns: [column], rows: 3, pages })).toEqual({
      types: ["r row(A integer, b varchar)"],
      rows: [[[5, "x"]], [null], [[6, null]]],
    });
  });

  test.each<[string, WrittenPage, number, string]>([
    ["a row less", { entries: 1, repetitions: [0], definitions: [3], values: int32(1) }, 2, "it has fewer rows than the row group"],
    ["a row more", { entries: 2, repetitions: [0, 0], definitions: [3, 3], values: int32(1, 2) }, 1, "it has more rows than the row group"],
    ["no beginning", { entries: 2, repetitions: [1, 0], definitions: [3, 3], values: int32(1, 2) }, 1, "its first row has no beginning"],
    ["a level too high", { entries: 1, repetitions: [0], definitions: [4], values: int32(1) }, 1, "a page is damaged"],
  ])("%s", async (_, page, rows, message) => {
    const column: Element = {
      name: "l",
      repetition: "optional",
      ...list,
      children: [{ name: "list", repetition: "repeated", children: [leaf] }],
    };
    await expect(readMade({ columns: [column], rows, pages: [[page]] })).rejects.toMatchObject({
      message: `t.parquet row group 0 column l: ${message}`,
    });
  });

  test("leaves of one group that do not agree", async () => {
    const inner: Element = {
      name: "element",
      repetition: "repeated",
      children: [
        { name: "a", physical: 1 },
        { name: "b", physical: 1 },
      ],
    };
    const column: Element = { name: "l", repetition: "optional", ...list, children: [inner] };
    const one = { entries: 2, repetitions: [0, 1], definitions: [2, 2], values: int32(1, 2) };
    const other = { entries: 1, repetitions: [0], definitions: [2], values: int32(1) };
    await expect(readMade({ columns: [column], rows: 1, pages: [[one], [other]] })).rejects.toMatchObject({
      message: "t.parquet row group 0 column l: its levels are damaged",
    });
  });
});

describe("types that DuckDB does not write", () => {
  const half = [0x00, 0x3c, 0x00, 0xc0, 0x01, 0x00, 0x00, 0x7c];
  const interval = [1, 0, 0, 0, 2, 0, 0, 0, 0xff, 0xff, 0xff, 0xff];
  const fixed = (length: number): { readonly physical: number; readonly length: number } => ({ physical: 7, length });

  test.each<[string, Omit<Element, "name">, readonly number[], string, readonly unknown[]]>([
    ["TIME in milliseconds", { physical: 1, converted: 7 }, int32(1, 86_399_999), "time(3)", [1_000_000_000n, 86_399_999_000_000_000n]],
    ["TIME in nanoseconds", { physical: 2, logical: [0x7c, 0x11, 0x1c, 0x3c, 0, 0, 0, 0] }, int64(1n), "time(9)", [1000n]],
    [
      "TIMESTAMP in milliseconds with zone",
      { physical: 2, logical: [0x8c, 0x11, 0x1c, 0x1c, 0, 0, 0, 0] },
      int64(-1n),
      "timestamp(3) with time zone",
      [-1000n << 64n],
    ],
    [
      "TIMESTAMP in nanoseconds with zone",
      { physical: 2, logical: [0x8c, 0x11, 0x1c, 0x3c, 0, 0, 0, 0] },
      int64(-1n),
      "timestamp(9) with time zone",
      [(-1n << 64n) | (999_000n << 32n)],
    ],
    ["INT96", { physical: 3 }, [...int64(1001n), ...int32(2_440_588)], "timestamp(9)", [(1n << 64n) | 1000n]],
    ["FLOAT16", { ...fixed(2), logical: [0xfc, 0, 0] }, half, "real", [1, -2, 2 ** -24, Number.POSITIVE_INFINITY]],
    ["DECIMAL of 64 bits and more digits", { physical: 2, converted: 5, precision: 20, scale: 1 }, int64(-5n), "decimal(20,1)", [-5n]],
    ["DECIMAL of 32 bits and more digits", { physical: 1, converted: 5, precision: 19, scale: 0 }, int32(-5), "decimal(19,0)", [-5n]],
    [
      "DECIMAL of many bytes",
      { ...fixed(20), converted: 5, precision: 38, scale: 0 },
      Array.from({ length: 20 }, () => 0xff),
      "decimal(38,0)",
      [-1n],
    ],
    ["UTF8 of fixed length", { ...fixed(2), converted: 0 }, [0x61, 0x62], "varchar", [new Uint8Array([0x61, 0x62])]],
    ["an annotation that does not belong to the physical type", { physical: 1, converted: 0 }, int32(3), "integer", [3]],
    ["an unknown annotation", { physical: 1, logical: [0x0c, 0x40, 0, 0] }, int32(3), "integer", [3]],
  ])("%s", async (_, element, values, type, expected) => {
    const page = { entries: expected.length, values };
    const found = await readBack(parquetFile([{ name: "v", ...element }], [{ rows: expected.length, leaves: [{ pages: [page] }] }]));
    expect(found.types).toEqual([`v ${type}`]);
    expect(found.rows).toEqual(expected.map((value) => [value]));
  });

  test("INTERVAL is a row of its three numbers", async () => {
    const columns: readonly Element[] = [{ name: "v", ...fixed(12), converted: 21 }];
    expect(await readMade({ columns, rows: 1, pages: [[{ entries: 1, values: interval }]] })).toEqual({
      types: ["v row(months bigint, days bigint, milliseconds bigint)"],
      rows: [[[1n, 2n, 4_294_967_295n]]],
    });
  });

  test("a time of day or a timestamp out of range is an error that names the place", async () => {
    const file = (element: Omit<Element, "name">, values: readonly number[]) =>
      parquetFile([{ name: "v", ...element }], [{ rows: 1, leaves: [{ pages: [{ entries: 1, values }] }] }]);
    await expect(readBack(file({ physical: 2, converted: 8 }, int64(86_400_000_000n)))).rejects.toMatchObject({
      message: "t.parquet row group 0 column v: a time of day is out of range",
    });
    await expect(readBack(file({ physical: 2, converted: 9 }, int64(2n ** 62n)))).rejects.toMatchObject({
      message: "t.parquet row group 0 column v: a timestamp is out of range",
    });
  });
});

describe("columns that cannot be read", () => {
  const decimal: Element = { name: "big", physical: 7, length: 30, converted: 5, precision: 60, scale: 4 };
  const page = (bytes: number): WrittenPage => ({ entries: 1, values: Array.from({ length: bytes }, () => 0) });

  test("are columns with their type and the reason, and an error where they are selected", async () => {
    const columns: readonly Element[] = [{ name: "a", physical: 1 }, decimal, { name: "empty", children: [] }];
    const bytes = parquetFile(columns, [{ rows: 1, leaves: [{ pages: [page(4)] }, { pages: [page(30)] }] }]);
    const table = await visibleTable(openFolder(new Folder().put("t.parquet", bytes)));
    expect(table.columns.map(({ name, type, comment }) => [name, displayType(type), comment])).toEqual([
      ["a", "integer", undefined],
      ["big", "decimal(38,4)", "Cannot be read: decimal(60,4) is not supported, the maximum is decimal(38,s)"],
      ["empty", "row()", "Cannot be read: a group without fields is not supported"],
    ]);
    expect((await readBack(bytes, ["a"])).rows).toEqual([[0]]);
    await expect(readBack(bytes, ["big"])).rejects.toMatchObject({
      errorName: "NOT_SUPPORTED",
      message: "t.parquet column big: decimal(60,4) is not supported, the maximum is decimal(38,s)",
    });
  });

  test("an encrypted column, and one of an unknown compression", async () => {
    const columns: readonly Element[] = ["a", "secret", "lzo"].map((name) => ({ name, physical: 1 }));
    const bytes = parquetFile(columns, [
      { rows: 1, leaves: [{ pages: [page(4)] }, { pages: [page(4)], isEncrypted: true }, { pages: [page(4)], codec: 3 }] },
    ]);
    expect((await readBack(bytes, ["a"])).rows).toEqual([[0]]);
    await expect(readBack(bytes, ["secret"])).rejects.toMatchObject({ message: "t.parquet row group 0 column secret: it is encrypted" });
    await expect(readBack(bytes, ["lzo"])).rejects.toMatchObject({
      message: "t.parquet row group 0 column lzo: compression LZO is not supported",
    });
  });

  test("an encrypted footer", async () => {
    const bytes = parquetFile([{ name: "a", physical: 1 }], [{ rows: 1, leaves: [{ pages: [page(4)] }] }]);
    bytes.set(new TextEncoder().encode("PARE"), bytes.length - 4);
    await expect(readBack(bytes)).rejects.toMatchObject({ message: "t.parquet: its footer is encrypted, which is not supported" });
  });

  test("a schema that is nested too deep, or no tree", async () => {
    let element: Element = { name: "leaf", physical: 1 };
    for (let depth = 0; depth < 120; depth++) {
      element = { name: "g", children: [element] };
    }
    await expect(readBack(parquetFile([element], []))).rejects.toMatchObject({
      message: "t.parquet: its schema is nested deeper than 100",
    });
  });
});

describe("damaged files of nested columns", () => {
  test("are an error that names the place, or other values; they never break the node", async () => {
    const query = `SELECT i AS a, [i, NULL, i + 1] AS l, {'x': i, 'y': ['a' || i, 'b']} AS s, MAP {'k' || i: i, 'z': NULL} AS m,
      CASE WHEN i % 3 = 0 THEN NULL ELSE [[{'d': DATE '2020-01-01' + i::INTEGER}], []] END AS deep FROM range(300) AS t(i)`;
    const sources = [await written(query, ", ROW_GROUP_SIZE 2048"), await written(query, ", PARQUET_VERSION V2, COMPRESSION UNCOMPRESSED")];
    const change = fc.record({
      kind: fc.constantFrom("flip", "set", "cut", "splice"),
      at: fc.double({ min: 0, max: 1, noNaN: true }),
      byte: fc.nat(255),
      length: fc.nat(40),
    });
    let refused = 0;
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...sources), fc.array(change, { minLength: 1, maxLength: 3 }), async (source, changes) => {
        let bytes = [...source];
        for (const { kind, at, byte, length } of changes) {
          const place = Math.floor(at * (bytes.length - 1));
          bytes =
            kind === "flip"
              ? bytes.with(place, (bytes[place] as number) ^ (1 << (byte & 7)))
              : kind === "set"
                ? bytes.with(place, byte)
                : kind === "cut"
                  ? [...bytes.slice(0, place), ...bytes.slice(place + length)]
                  : [...bytes.slice(0, place), ...bytes.slice(place - length, place), ...bytes.slice(place)];
        }
        try {
          await readBack(new Uint8Array(bytes));
        } catch (error) {
          const { errorName, message, name } = error as { errorName?: string; message: string; name: string };
          expect(name === "MemoryLimitExceeded" || /^(FILE_BAD_DATA|NOT_SUPPORTED)$/.test(errorName ?? message)).toBe(true);
          expect(name === "MemoryLimitExceeded" || message.includes("t.parquet")).toBe(true);
          refused++;
        }
      }),
      { numRuns: 500 },
    );
    expect(refused).toBeGreaterThan(100);
  });
});
