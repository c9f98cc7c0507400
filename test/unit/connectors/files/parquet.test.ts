import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Constraint } from "../../../../src/connectors/spi.ts";
import { Domain } from "../../../../src/types/domain/domain.ts";
import { between, type DomainValue, greaterThanOrEqual, lessThanOrEqual, type Range } from "../../../../src/types/domain/range.ts";
import { domainValueOf } from "../../../../src/types/domain/texts.ts";
import { TupleDomain } from "../../../../src/types/domain/tuple-domain.ts";
import { BIGINT, DATE, decimalType, type Type, VARCHAR } from "../../../../src/types/type.ts";
import { readSplit } from "../world.ts";
import { ThriftReader } from "../../../../src/connectors/files/parquet/thrift.ts";
import { Folder, openFolder, read, type ReadTable, texts, visibleTable } from "./folder.ts";
import { openDuckDbFolder } from "./duckdb-folder.ts";

const oracle = openDuckDbFolder("parquet");

/** Of the columns that are asked for below. */
const columnTypes: Readonly<Record<string, Type>> = {
  k: BIGINT,
  d: decimalType(9, 2),
  n: BIGINT,
  day: DATE,
  word: VARCHAR,
  s: VARCHAR,
  nowhere: BIGINT,
};

type Ranges = Readonly<Record<string, Range | readonly DomainValue[]>>;

function constraintOf(ranges: Ranges): Constraint {
  const domains = Object.entries(ranges).map(([name, values]) => {
    const type = columnTypes[name] as Type;
    return [name, Array.isArray(values) ? Domain.of(type, values) : Domain.ofRanges(type, values as Range)] as const;
  });
  return { summary: TupleDomain.of(domains) };
}

let files = 0;

async function written(query: string, options = ""): Promise<Uint8Array> {
  const path = join(oracle.directory, `${files++}.parquet`);
  await oracle.connection.run(`COPY (${query}) TO '${path}' (FORMAT PARQUET${options})`);
  return new Uint8Array(readFileSync(path));
}

/** DuckDB's result for the same rows; `expressions` convert each value to its form in a page. */
async function expected(query: string, expressions: readonly string[]): Promise<unknown[][]> {
  const reader = await oracle.connection.runAndReadAll(`SELECT ${expressions.join(", ")} FROM (${query})`);
  return reader.getRows() as unknown[][];
}

async function readBack(bytes: Uint8Array, only?: readonly string[]): Promise<ReadTable> {
  return read(openFolder(new Folder().put("t.parquet", bytes)), "t", only);
}

const rowCount = 18_000;
/** Every type, occasional NULLs, few and many distinct values, runs. */
const everything = `
  SELECT
    CASE WHEN i % 7 = 0 THEN NULL ELSE i % 3 = 0 END AS bool,
    CASE WHEN i % 5 = 0 THEN NULL ELSE (i % 256 - 128)::TINYINT END AS tiny,
    CASE WHEN i % 5 = 1 THEN NULL ELSE (i % 65536 - 32768)::SMALLINT END AS small,
    (i * 7919 % 2147483647)::INTEGER AS int,
    CASE WHEN i % 11 = 0 THEN NULL ELSE (i - 9000)::BIGINT * 614891469123651 END AS big,
    (i % 256)::UTINYINT AS utiny,
    (i % 65536)::USMALLINT AS usmall,
    (4294967295 - i)::UINTEGER AS uint,
    (18446744073709551615 - i)::UBIGINT AS ubig,
    CASE WHEN i % 100 = 0 THEN 'NaN'::FLOAT ELSE i / 7.0::FLOAT END AS real32,
    CASE WHEN i % 13 = 0 THEN NULL ELSE i / 3.0 END AS double64,
    CASE WHEN i % 3 = 0 THEN NULL ELSE (i - 5000) / 100 END::DECIMAL(4, 1) AS dec4,
    ((i - 9000) * 12.34)::DECIMAL(9, 2) AS dec9,
    ((i - 9000) * 123456789.123)::DECIMAL(18, 3) AS dec18,
    CASE WHEN i % 4 = 0 THEN NULL ELSE ((i - 9000)::DECIMAL(38, 6) * 12345678901234567890::DECIMAL(20, 0))::DECIMAL(38, 6) END AS dec38,
    CASE WHEN i % 9 = 0 THEN NULL ELSE 'word ' || (i % 10) END AS word,
    CASE WHEN i % 10 = 0 THEN '' ELSE 'ünique 😀 ' || i END AS text,
    CASE WHEN i % 6 = 0 THEN NULL ELSE ('bytes' || i)::BLOB END AS bytes,
    CASE WHEN i % 8 = 0 THEN NULL ELSE DATE '1970-01-01' + (i - 9000)::INTEGER END AS day,
    CASE WHEN i % 8 = 1 THEN NULL ELSE TIMESTAMP '1970-01-01' + INTERVAL ((i - 9000) * 86461001001) MICROSECOND END AS us,
    (TIMESTAMP '1960-01-01' + INTERVAL (i * 7) SECOND)::TIMESTAMP_MS AS ms,
    make_timestamp_ns(-315619199876543211 + i * 7000000001) AS ns,
    (TIMESTAMP '1960-01-01' + INTERVAL (i * 7) SECOND)::TIMESTAMPTZ AS tz,
    md5(i::VARCHAR)::UUID AS id,
    NULL::INTEGER AS nothing,
    NULL::VARCHAR AS nothing_text,
    'same' AS constant
  FROM range(${rowCount}) AS r(i)`;

const types = [
  "bool boolean",
  "tiny tinyint",
  "small smallint",
  "int integer",
  "big bigint",
  "utiny smallint",
  "usmall integer",
  "uint bigint",
  "ubig decimal(20,0)",
  "real32 real",
  "double64 double",
  "dec4 decimal(4,1)",
  "dec9 decimal(9,2)",
  "dec18 decimal(18,3)",
  "dec38 decimal(38,6)",
  "word varchar",
  "text varchar",
  "bytes varbinary",
  "day date",
  "us timestamp(6)",
  "ms timestamp(3)",
  "ns timestamp(9)",
  "tz timestamp(6) with time zone",
  "id uuid",
  "nothing integer",
  "nothing_text varchar",
  "constant varchar",
];

const unscaled = (name: string, scale: number): string => `(${name}::DECIMAL(38, 6) * 1000000)::HUGEINT // ${10 ** (6 - scale)}`;
const expressions = [
  "bool",
  "tiny",
  "small",
  "int",
  "big",
  "utiny::SMALLINT",
  "usmall::INTEGER",
  "uint::BIGINT",
  "ubig::HUGEINT",
  "real32",
  "double64",
  unscaled("dec4", 1),
  unscaled("dec9", 2),
  unscaled("dec18", 3),
  "replace(dec38::VARCHAR, '.', '')::HUGEINT",
  "word",
  "text",
  "bytes::VARCHAR",
  "(day - DATE '1970-01-01')::INTEGER",
  "epoch_us(us)",
  "epoch_us(ms::TIMESTAMP)",
  "(epoch_ns(ns) // 1000 - CASE WHEN epoch_ns(ns) % 1000 < 0 THEN 1 ELSE 0 END)::HUGEINT * 18446744073709551616::HUGEINT + (epoch_ns(ns) % 1000 + 1000) % 1000 * 1000",
  "epoch_us(tz)::HUGEINT * 18446744073709551616::HUGEINT",
  "replace(id::VARCHAR, '-', '')",
  "nothing",
  "nothing_text",
  "constant",
];

describe("Parquet files of DuckDB", () => {
  test("brotli", async () => {
    const query = "SELECT i AS k, 'word ' || (i % 10) AS word, md5(i::VARCHAR) AS s FROM range(500) AS r(i)";
    const found = await readBack(await written(query, ", COMPRESSION BROTLI"));
    expect(texts(found.rows)).toEqual(await expected(query, ["k", "word", "s"]));
  });

  test.each([
    ["snappy, several row groups", ", ROW_GROUP_SIZE 6000"],
    ["zstd", ", COMPRESSION ZSTD"],
    ["lz4", ", COMPRESSION LZ4_RAW"],
    ["gzip", ", COMPRESSION GZIP, ROW_GROUP_SIZE 10000"],
    ["uncompressed, plain pages", ", COMPRESSION UNCOMPRESSED, DICTIONARY_SIZE_LIMIT 1"],
    ["pages of version 2", ", PARQUET_VERSION V2"],
    ["version 2 without dictionaries", ", PARQUET_VERSION V2, DICTIONARY_SIZE_LIMIT 1, COMPRESSION ZSTD"],
  ])("every value of every type: %s", async (_, options) => {
    const found = await readBack(await written(everything, options));
    expect(found.types).toEqual(types);
    const rows = await expected(everything, expressions);
    expect(found.rows.length).toBe(rowCount);
    const id = found.types.indexOf("id uuid");
    const actual = texts(found.rows.map((row) => row.with(id, Buffer.from(row[id] as Uint8Array).toString("hex") as never)));
    const differing = actual.findIndex((row, k) => row.some((value, column) => !Object.is(value, rows[k]?.[column])));
    expect(differing < 0 ? undefined : [differing, actual[differing], rows[differing]]).toBeUndefined();
  });

  test("strings of few values are dictionaries, with an entry for NULL", async () => {
    const folder = new Folder().put("t.parquet", await written(everything));
    const { node } = openFolder(folder);
    const table = await node.connector.metadata.getTable({ schema: "default", table: "t" });
    const columns = (table?.columns ?? []).filter(({ name }) => name === "word" || name === "text");
    const [split] = await node.connector.getSplits(table as never, columns);
    const memory = node.memory.child("scan");
    const source = node.connector.createPageSource({ table: null, split: split?.payload as never, columns, memory });
    await source.blocked();
    const page = source.nextPage();
    expect(page?.columns.map(({ ids, length }) => [ids !== 0, length])).toEqual([
      [true, 11],
      [false, 16384],
    ]);
    source.close();
    memory.close();
  });

  test("a source that is closed while the storage reads keeps its buffer until the storage has answered", async () => {
    const folder = new Folder().put("t.parquet", await written("SELECT range * 7 AS n FROM range(9000)"));
    const { node } = openFolder(folder);
    const table = await node.connector.metadata.getTable({ schema: "default", table: "t" });
    const columns = (table?.columns ?? []).filter(({ name }) => name === "n");
    const [split] = await node.connector.getSplits(table as never, columns);
    const given: (Uint8Array | undefined)[] = [];
    const held: (() => void)[] = [];
    const read = folder.read.bind(folder);
    folder.read = async (path, offset, length, into) => {
      given.push(into);
      await new Promise<void>((resolve) => held.push(resolve));
      return read(path, offset, length, into);
    };
    const open = () => {
      const memory = node.memory.child("scan");
      const source = node.connector.createPageSource({ table: null, split: split?.payload as never, columns, memory });
      return { source, memory };
    };
    const reads = async (count: number) => {
      while (held.length < count) {
        await Promise.resolve();
      }
    };
    const first = open();
    await reads(1);
    first.source.close();
    first.memory.close();
    const second = open();
    await reads(2);
    expect(given[1]).not.toBe(given[0]);
    held.map((answer) => answer());
    await second.source.blocked();
    expect(second.source.nextPage()?.positionCount).toBe(9000);
    second.source.close();
    second.memory.close();
    // Both are there again, and stay with their sources until these are closed.
    const [third, fourth] = [open(), open()];
    await reads(4);
    expect(new Set(given).size).toBe(2);
    held.map((answer) => answer());
    await Promise.all([third.source.blocked(), fourth.source.blocked()]);
    const fifth = open();
    await reads(5);
    expect(new Set(given).size).toBe(3);
    held.map((answer) => answer());
    for (const { source, memory } of [third, fourth, fifth]) {
      await source.blocked();
      source.close();
      memory.close();
    }
  });

  test("only requested columns are read", async () => {
    const folder = new Folder().put("t.parquet", await written(everything, ", ROW_GROUP_SIZE 6000"));
    const open = openFolder(folder);
    await read(open, "t", ["int"]);
    const footers = folder.reads.filter(({ offset, length }) => length > 60_000 && offset > 100_000).length;
    const ranges = folder.reads.slice(footers);
    expect(footers).toBe(1);
    expect(ranges.length).toBe(3);
    expect(ranges.reduce((sum, { length }) => sum + length, 0)).toBeLessThan(rowCount * 4 + 10_000);
    // count(*) reads no column.
    folder.reads.length = 0;
    expect((await read(open, "t", [])).rows.length).toBe(rowCount);
    expect(folder.reads).toEqual([]);
  });

  test("statistics come from the footer", async () => {
    const { node } = openFolder(new Folder().put("t.parquet", await written(everything, ", ROW_GROUP_SIZE 6000")));
    const table = await node.connector.metadata.getTable({ schema: "default", table: "t" });
    const statistics = await node.connector.metadata.getStatistics?.(table as never);
    expect(statistics?.rowCount).toBe(rowCount);
    expect(statistics?.columns["tiny"]).toEqual({ low: -128, high: 127, nullsFraction: 0.2 });
    expect(statistics?.columns["dec9"]).toMatchObject({ low: -111060, high: 111047.66 });
    expect(statistics?.columns["day"]).toMatchObject({ low: -8999, high: 8999 });
    expect(statistics?.columns["uint"]).toMatchObject({ low: 4294967295 - rowCount + 1, high: 4294967295 });
    expect(statistics?.columns["nothing"]).toEqual({ nullsFraction: 1 });
    expect(statistics?.columns["word"]?.low).toBeUndefined();
  });

  test("a folder of files is one table; columns that a file has not are NULL there", async () => {
    const folder = new Folder()
      .put("t/a.parquet", await written("SELECT 1::BIGINT AS a, 'x' AS b"))
      .put("t/b.parquet", await written("SELECT 'y' AS b, 2.5::DOUBLE AS c, 2::BIGINT AS a"));
    const found = await read(openFolder(folder), "t");
    expect(found.types).toEqual(["a bigint", "b varchar", "c double"]);
    expect(texts(found.rows)).toEqual([
      [1n, "x", null],
      [2n, "y", 2.5],
    ]);
    folder.put("t/c.parquet", await written("SELECT 'z' AS a"));
    await expect(read(openFolder(folder), "t")).rejects.toMatchObject({
      message: "t/c.parquet: column a is varchar, but bigint in other files of its table",
    });
  });

  test("an empty table", async () => {
    const found = await readBack(await written("SELECT 1 AS a WHERE false"));
    expect(found.types).toEqual(["a integer"]);
    expect(found.rows).toEqual([]);
  });
});

describe("damaged Parquet files", () => {
  test("no Parquet at all", async () => {
    for (const bytes of [new Uint8Array(3), new Uint8Array(100), new TextEncoder().encode("xxxxxxxxxxxxxxPAR1")]) {
      await expect(readBack(bytes)).rejects.toMatchObject({ errorName: "FILE_BAD_DATA" });
    }
    const whole = await written("SELECT 1 AS a");
    await expect(readBack(whole.slice(0, -1))).rejects.toMatchObject({ message: "t.parquet: this is not a Parquet file" });
  });

  test("any damage is an error that names the place, or changes values only; it never breaks the node", async () => {
    const whole = await written(everything.replace(String(rowCount), "400"), ", ROW_GROUP_SIZE 200");
    let seed = 1;
    const random = (bound: number): number => {
      seed = (seed * 1103515245 + 12345) % 2147483648;
      return seed % bound;
    };
    let refused = 0;
    for (let run = 0; run < 400; run++) {
      const bytes = whole.slice();
      for (let change = 0; change < 3; change++) {
        bytes[random(bytes.length)] = random(256);
      }
      try {
        await readBack(bytes);
      } catch (error) {
        const { errorName, message } = error as { errorName?: string; message: string };
        expect([errorName, message]).toEqual([
          expect.stringMatching(/^(FILE_BAD_DATA|NOT_SUPPORTED)$/),
          expect.stringContaining("t.parquet"),
        ]);
        refused++;
      }
    }
    expect(refused).toBeGreaterThan(100);
  });
});

describe("row groups that no wanted row is in", () => {
  const grouped =
    "SELECT i AS k, (i / 100)::DECIMAL(9, 2) AS d, DATE '2020-01-01' + (i // 1000)::INTEGER AS day, CASE WHEN i < 6144 THEN NULL ELSE i END AS n, 'x' || i AS s FROM range(18000) t(i)";
  const day = 18_262;

  test.each<[Ranges, number]>([
    [{}, 3],
    [{ k: between(6_144n, 6_144n) }, 1],
    [{ k: lessThanOrEqual(6_143n) }, 1],
    [{ k: between(6_143n, 6_144n) }, 2],
    [{ k: greaterThanOrEqual(18_000n) }, 0],
    [{ d: greaterThanOrEqual(12_288n) }, 1],
    [{ day: between(day + 7, day + 7) }, 1],
    [{ n: {} }, 2],
    [{ k: lessThanOrEqual(7_000n), d: greaterThanOrEqual(11_900n) }, 1],
    [{ nowhere: greaterThanOrEqual(1n) }, 0],
    [{ s: greaterThanOrEqual("1") }, 3],
    [{ k: [] }, 0],
    [{ k: [5n, 17_000n] }, 2],
    [{ k: [5n], n: [5n, 17_000n] }, 0],
  ])("%s leaves %i of 3", async (ranges, count) => {
    const constraint = constraintOf(ranges);
    const { node } = openFolder(new Folder().put("t.parquet", await written(grouped, ", ROW_GROUP_SIZE 6144")));
    const table = await visibleTable({ node });
    expect(await node.connector.getSplits(table, table.columns, constraint)).toHaveLength(count);
  });

  test("are not read", async () => {
    const folder = new Folder().put("t.parquet", await written(grouped, ", ROW_GROUP_SIZE 6144"));
    const { node } = openFolder(folder);
    const table = await visibleTable({ node });
    const bytesOf = async (constraint?: Constraint) => {
      folder.reads.length = 0;
      for (const split of await node.connector.getSplits(table, table.columns, constraint)) {
        await readSplit(node, table, split);
      }
      return folder.reads.reduce((sum, { length }) => sum + length, 0);
    };
    const all = await bytesOf();
    expect(await bytesOf(constraintOf({ k: greaterThanOrEqual(13_000n) }))).toBeLessThan(all / 2);
  });
});

describe("column properties known only after its row groups are read", () => {
  const grouped =
    "SELECT i AS k, (i / 100)::DECIMAL(9, 2) AS d, CASE WHEN i < 6144 THEN NULL ELSE i % 7 END AS n, 'w' || (i // 6144) AS word FROM range(18000) t(i)";

  async function readLater(constraint: Constraint) {
    const { domains } = constraint.summary;
    const folder = new Folder().put("t.parquet", await written(grouped, ", ROW_GROUP_SIZE 6144"));
    const { node } = openFolder(folder);
    const table = await visibleTable({ node });
    const summary = TupleDomain.of([...domains].map(([name, { type }]) => [name, Domain.notNull(type)]));
    const splits = await node.connector.getSplits(table, table.columns, { summary, dynamicColumns: new Set(domains.keys()) });
    folder.reads.length = 0;
    const rows: (readonly unknown[])[] = [];
    for (const split of splits) {
      rows.push(...texts(await readSplit(node, table, split, table.columns, constraint)));
    }
    return { rows: rows.length, splits: splits.length, reads: folder.reads.length };
  }

  test.each<[Ranges, number, number]>([
    [{ k: {} }, 18_000, 3],
    [{ k: between(6_144n, 7_000n) }, 6_144, 1],
    [{ k: greaterThanOrEqual(18_000n) }, 0, 0],
    [{ d: greaterThanOrEqual(12_288n) }, 18_000 - 2 * 6_144, 1],
    [{ k: lessThanOrEqual(6_143n), d: greaterThanOrEqual(11_900n) }, 0, 0],
    // The dictionary of a text column is read to find that it contains none of the values.
    [{ word: ["w1"] }, 6_144, 3 + 1],
    [{ word: ["w1"], k: greaterThanOrEqual(12_288n) }, 0, 1],
    [{ nowhere: greaterThanOrEqual(1n) }, 0, 0],
  ])("%s leaves %i rows and %i reads", async (ranges, rows, reads) => {
    const found = await readLater(constraintOf(ranges));
    expect([found.rows, found.reads]).toEqual([rows, reads]);
  });

  test("a group of which only NULL is known is left out when the splits are listed", async () => {
    expect(await readLater(constraintOf({ n: between(0n, 6n) }))).toMatchObject({ splits: 2, rows: 18_000 - 6_144 });
  });

  test("splits say nothing more where nothing is asked for later", async () => {
    const { node } = openFolder(new Folder().put("t.parquet", await written(grouped, ", ROW_GROUP_SIZE 6144")));
    const table = await visibleTable({ node });
    const [split] = await node.connector.getSplits(table, table.columns, constraintOf({ k: greaterThanOrEqual(1n) }));
    expect(Object.keys(split?.payload as object)).not.toContain("bounds");
  });
});

describe("dictionaries", () => {
  /** Row group g has the words `w<g>-0` to `w<g>-9`, so the minimum and maximum of one group do not predict those of another. */
  const words =
    "SELECT i AS k, CASE WHEN i % 17 = 0 THEN NULL ELSE 'w' || (i // 6144) || '-' || (i % 10) END AS word, (i % 10) * 10 + i // 6144 AS n, ((i % 10) * 10 + i // 6144)::DECIMAL(9, 2) AS d, 'long text ' || i AS s FROM range(18000) t(i)";

  async function readWith(bytes: Uint8Array, constraint: Constraint) {
    const folder = new Folder().put("t.parquet", bytes);
    const { node } = openFolder(folder);
    const table = await visibleTable({ node });
    const splits = await node.connector.getSplits(table, table.columns, constraint);
    folder.reads.length = 0;
    const rows: (readonly unknown[])[] = [];
    for (const split of splits) {
      rows.push(...texts(await readSplit(node, table, split)));
    }
    return { rows, reads: folder.reads.length, columns: table.columns.map(({ name }) => name) };
  }

  test.each<[Ranges, number]>([
    [{ word: ["w1-3"] }, 1],
    [{ word: ["w0-3", "w2-9"] }, 2],
    [{ word: ["w3-0"] }, 0],
    [{ word: [] }, 0],
    [{ n: [42n] }, 1],
    [{ n: [43n] }, 0],
    [{ d: [4200n] }, 1],
    [{ d: [42n] }, 0],
    [{ word: ["w1-3"], n: [42n] }, 0],
    [{ word: ["w1-3"], n: [31n] }, 1],
    [{ s: ["nowhere"] }, 3],
  ])("%s reads %i of 3 row groups", async (ranges, groups) => {
    const constraint = constraintOf(ranges);
    const { rows, reads } = await readWith(await written(words, ", ROW_GROUP_SIZE 6144"), constraint);
    expect(rows.length).toBeGreaterThan(5_700 * groups - 1);
    expect(rows.length).toBeLessThanOrEqual(6_144 * groups);
    // Columns that may exclude a row group are read one by one, and the others at once, unless one has excluded it.
    const { size } = constraint.summary.domains;
    expect(reads).toBeGreaterThanOrEqual((size + 1) * groups);
    expect(reads).toBeLessThanOrEqual((size + 1) * groups + (3 - groups) * size);
  });

  test("no row that is wanted is ever passed over, however the file was written", async () => {
    const options = fc.record({
      distinct: fc.constantFrom(1, 3, 40, 3000),
      rows: fc.constantFrom(0, 1, 2500, 7000),
      nulls: fc.constantFrom(1, 2, 5, 1_000_000),
      limit: fc.constantFrom("", ", DICTIONARY_SIZE_LIMIT 1", ", DICTIONARY_SIZE_LIMIT 50", ", DICTIONARY_SIZE_LIMIT 100000"),
      version: fc.constantFrom("", ", PARQUET_VERSION V2"),
      wanted: fc.array(fc.integer({ min: 0, max: 4000 }), { maxLength: 4 }),
      column: fc.constantFrom("word", "n", "d", "day"),
    });
    let passedOver = 0;
    await fc.assert(
      fc.asyncProperty(options, async ({ distinct, rows, nulls, limit, version, wanted, column }) => {
        const number = `(i * 7919 % ${distinct})`;
        const value = `CASE WHEN i % ${nulls} = 0 THEN NULL ELSE ${number} END`;
        const query = `SELECT 'ü' || ${value} AS word, ${value} AS n, (${value})::DECIMAL(12, 2) AS d, DATE '1970-01-01' + (${value})::INTEGER AS day FROM range(${rows}) t(i)`;
        const bytes = await written(query, `, ROW_GROUP_SIZE 2048${limit}${version}`);
        const all = (await readBack(bytes)).rows.length;
        const texted = wanted.map((one) => (column === "word" ? `ü${one}` : column === "d" ? `${one * 100}` : String(one)));
        const { rows: found, columns } = await readWith(
          bytes,
          constraintOf({ [column]: texted.map((text) => domainValueOf(columnTypes[column] as Type, text)) }),
        );
        const place = columns.indexOf(column);
        const right = texts((await readBack(bytes)).rows).filter((row) => texted.includes(String(row[place])));
        expect(found.filter((row) => texted.includes(String(row[place])))).toEqual(right);
        passedOver += all - found.length;
      }),
      { numRuns: 60 },
    );
    expect(passedOver).toBeGreaterThan(0);
  });
});

test.each([
  ["lists", 0x19],
  ["structs", 0x1c],
])("metadata of %s in each other have an end", (_name, head) => {
  expect(() => new ThriftReader(new Uint8Array(100_000).fill(head)).struct()).toThrow("its metadata is damaged");
});
