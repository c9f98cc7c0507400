/**
 * Tables of many files: folders with values in their names, files of different columns, hidden columns, compression. DuckDB writes the
 * files and says what is in them.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Constraint, TableMetadata } from "../../../../src/connectors/spi.ts";
import { StorageError } from "../../../../src/ports/storage.ts";
import { Domain } from "../../../../src/types/domain/domain.ts";
import { between, type DomainValue } from "../../../../src/types/domain/range.ts";
import { TupleDomain } from "../../../../src/types/domain/tuple-domain.ts";
import { type Type, displayType } from "../../../../src/types/type.ts";
import { readSplit, tableOf } from "../world.ts";
import { Folder, openFolder, type OpenFolder, read, texts } from "./folder.ts";
import { openDuckDbFolder } from "./duckdb-folder.ts";

const oracle = openDuckDbFolder("folders");
let count = 0;

/** Writes with COPY; returns the files by their path below the target. */
async function written(query: string, options: string): Promise<ReadonlyMap<string, Uint8Array>> {
  const path = join(oracle.directory, String(count++));
  await oracle.connection.run(`COPY (${query}) TO '${path}' (${options})`);
  const below = (folder: string): readonly string[] =>
    readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
      entry.isDirectory() ? below(join(folder, entry.name)) : [join(folder, entry.name)],
    );
  try {
    return new Map(below(path).map((file) => [relative(path, file), new Uint8Array(readFileSync(file))]));
  } catch {
    return new Map([["", new Uint8Array(readFileSync(path))]]);
  }
}

async function one(query: string, options = "FORMAT PARQUET"): Promise<Uint8Array> {
  const [bytes] = (await written(query, options)).values();
  return bytes as Uint8Array;
}

/** Rows and warnings of the splits under a constraint. */
async function scan(open: OpenFolder, name: string, only: readonly string[], domains: Readonly<Record<string, Domain>> = {}) {
  const table = await tableOf(open.node.connector, "default", name);
  const columns = only.map((one) => table.columns.find((column) => column.name === one) as TableMetadata["columns"][number]);
  const constraint: Constraint = { summary: TupleDomain.of(Object.entries(domains)) };
  const splits = await open.node.connector.getSplits(table, columns, constraint);
  const rows = [];
  for (const split of splits) {
    rows.push(...texts(await readSplit(open.node, table, split, columns)));
  }
  return { rows, splits: splits.length, types: columns.map(({ type }) => displayType(type)), table, columns };
}

describe("folders key=value", () => {
  const query = `SELECT i, CASE i % 3 WHEN 0 THEN 'DE' WHEN 1 THEN 'Île / 1' ELSE NULL END AS country, 2020 + i % 2 AS year,
    DATE '2024-01-01' + (i % 2)::INTEGER AS day FROM range(60) AS t(i)`;

  async function partitioned(options: string): Promise<OpenFolder> {
    const folder = new Folder();
    for (const [path, bytes] of await written(query, `${options}, PARTITION_BY (country, year, day)`)) {
      folder.put(`T/${path}`, bytes);
    }
    return openFolder(folder);
  }

  test.each([["FORMAT PARQUET"], ["FORMAT CSV, HEADER"]])("are columns of their own types: %s", async (format) => {
    const open = await partitioned(format);
    const found = await read(open, "t");
    expect(found.types).toEqual(["i bigint", "country varchar", "year bigint", "day date"]);
    const rows = (
      await oracle.connection.runAndReadAll(`SELECT i, country, year, (day - DATE '1970-01-01')::INTEGER FROM (${query})`)
    ).getRows();
    const sorted = (list: readonly (readonly unknown[])[]) => list.map((row) => row.map(String).join("|")).toSorted();
    expect(sorted(texts(found.rows))).toEqual(sorted(rows as unknown[][]));
  });

  test("are not read where a predicate excludes them", async () => {
    const open = await partitioned("FORMAT PARQUET");
    const { table } = await scan(open, "t", ["i"]);
    const typeOf = (name: string): Type => table.columns.find((column) => column.name === name)?.type as Type;
    const of = (name: string, ...values: readonly DomainValue[]) => ({ [name]: Domain.of(typeOf(name), values) });
    expect((await scan(open, "t", ["i"])).splits).toBe(6);
    expect((await scan(open, "t", ["i"], of("country", "DE"))).splits).toBe(2);
    expect((await scan(open, "t", ["i"], of("country", "Île / 1"))).rows.length).toBe(20);
    expect((await scan(open, "t", ["i"], of("year", 2021n))).splits).toBe(3);
    expect((await scan(open, "t", ["i"], { ...of("year", 2021n), ...of("country", "DE") })).rows.length).toBe(10);
    expect((await scan(open, "t", ["i"], { year: Domain.ofRanges(typeOf("year"), between(2022n, 2030n)) })).splits).toBe(0);
    expect((await scan(open, "t", ["i"], { country: Domain.onlyNull(typeOf("country")) })).rows.length).toBe(20);
    // Statistics of row groups exclude by the stored columns still.
    expect((await scan(open, "t", ["i"], of("i", 1000n))).splits).toBe(0);
  });

  test("are excluded by what becomes known when a split is read", async () => {
    const open = await partitioned("FORMAT PARQUET");
    const { table, columns } = await scan(open, "t", ["i", "country"]);
    const country = columns[1]?.type as Type;
    const summary = TupleDomain.of([["country", Domain.notNull(country)]]);
    const splits = await open.node.connector.getSplits(table, columns, { summary, dynamicColumns: new Set(["country"]) });
    const later: Constraint = { summary: TupleDomain.of([["country", Domain.of(country, ["DE"])]]) };
    const rows = [];
    for (const split of splits) {
      rows.push(...texts(await readSplit(open.node, table, split, columns, later)));
    }
    expect(rows.length).toBe(20);
    expect(new Set(rows.map((row) => row[1]))).toEqual(new Set(["DE"]));
  });

  test("have statistics", async () => {
    const { node } = await partitioned("FORMAT PARQUET");
    const statistics = await node.connector.metadata.getStatistics?.(await tableOf(node.connector, "default", "t"));
    expect(statistics?.columns["year"]).toEqual({ distinctValues: 2, nullsFraction: 0 });
    expect(statistics?.columns["country"]?.distinctValues).toBe(2);
    expect(statistics?.columns["country"]?.nullsFraction).toBeCloseTo(1 / 3);
  });

  test("win over a column of the file, and are NULL where a file has none", async () => {
    const folder = new Folder()
      .put("t/year=2020/a.csv", "x,year\n1,7\n")
      .put("t/b.csv", "x\n2\n")
      .put("t/year=__HIVE_DEFAULT_PARTITION__/c.csv", "x\n3\n")
      .put("t/%79ear=%32021/d.csv", "x\n4\n")
      .put("t/year=%zz/ignored.txt", "");
    const found = await scan(openFolder(folder), "t", ["x", "year"]);
    expect(found.types).toEqual(["bigint", "bigint"]);
    expect(found.rows.toSorted((a, b) => Number(a[0]) - Number(b[0]))).toEqual([
      [1n, 2020n],
      [2n, null],
      [3n, null],
      [4n, 2021n],
    ]);
  });

  test.each([
    [["1", "2"], "bigint"],
    [["1", "02"], "varchar"],
    [["2024-01-31", "__HIVE_DEFAULT_PARTITION__"], "date"],
    [["2024-01-31", "2024-02-31"], "varchar"],
    [["1", "9223372036854775808"], "varchar"],
    [["__HIVE_DEFAULT_PARTITION__"], "varchar"],
    [[""], "varchar"],
  ])("values %s have type %s", async (values, type) => {
    const folder = new Folder();
    values.forEach((value) => folder.put(`t/k=${value}/f.csv`, "x\n1\n"));
    expect((await scan(openFolder(folder), "t", ["k"])).types).toEqual([type]);
  });
});

describe("folders", () => {
  test("below folders; names that begin with a dot or an underscore are not read, other formats are a warning", async () => {
    const folder = new Folder()
      .put("t/a/b/1.csv", "x\n1\n")
      .put("t/2.csv", "x\n2\n")
      .put("t/_temporary/3.csv", "x\n3\n")
      .put("t/_SUCCESS", "")
      .put("t/notes.txt", "x")
      .put("t/a/more.doc", "x");
    const open = openFolder(folder);
    expect(await open.node.connector.metadata.listTables("default")).toEqual(["t"]);
    expect((await scan(open, "t", ["x"])).rows).toEqual([[2n], [1n]]);
    const table = await tableOf(open.node.connector, "default", "t");
    const splits = await open.node.connector.getSplits(table, table.columns.slice(0, 1));
    const warnings: string[] = [];
    for (const split of splits) {
      const memory = open.node.memory.child("scan");
      const request = { table: table.handle, split: split.payload, columns: [], memory };
      open.node.connector.createPageSource({ ...request, onWarning: (message) => warnings.push(message) }).close();
      memory.close();
    }
    expect(warnings).toEqual(["Files of no known format were skipped: t/a/more.doc, t/notes.txt"]);
  });

  test("a folder in a circle is an error, not an endless search", async () => {
    const path = Array.from({ length: 40 }, () => "d").join("/");
    const open = openFolder(new Folder().put(`t/${path}/x.csv`, "x\n1\n").put("t/a.csv", "x\n1\n"));
    await expect(tableOf(open.node.connector, "default", "t")).rejects.toMatchObject({
      message: expect.stringContaining("is more than 32 folders below the folder of its table"),
    });
  });
});

describe("hidden columns", () => {
  test("describe the file and number its rows", async () => {
    const parquet = await one("SELECT i FROM range(5000) AS t(i)", "FORMAT PARQUET, ROW_GROUP_SIZE 2048");
    const lines = Array.from({ length: 3000 }, (_, row) => `${row}\n`).join("");
    for (const [path, bytes, splits] of [
      ["t/a.parquet", parquet, 3],
      ["t/a.csv", new TextEncoder().encode(`i\n${lines}`), 1],
    ] as const) {
      const open = openFolder(new Folder().put(path, bytes), { "files.split-size": "1kB" });
      const found = await scan(open, "t", ["$row_number", "i", "$path", "$file_size", "$file_modified_time"]);
      expect(found.types).toEqual(["bigint", "bigint", "varchar", "bigint", "timestamp(3) with time zone"]);
      expect(found.splits).toBe(splits);
      found.rows.forEach((row, index) => {
        expect(row).toEqual([BigInt(index) + 1n, BigInt(index), path, BigInt(bytes.length), 1_700_000_000_000_000n << 64n]);
      });
      expect((await read(open, "t")).types).toEqual(["i bigint"]);
      expect((await scan(open, "t", ["$row_number"])).rows.length).toBe(found.rows.length);
    }
  });

  test("exclude files", async () => {
    const open = openFolder(new Folder().put("t/a.csv", "x\n1\n").put("t/b.csv", "x\n22\n"));
    const { table } = await scan(open, "t", ["x"]);
    const type = (name: string): Type => table.columns.find((column) => column.name === name)?.type as Type;
    expect((await scan(open, "t", ["x"], { $path: Domain.of(type("$path"), ["t/b.csv"]) })).rows).toEqual([[22n]]);
    expect((await scan(open, "t", ["x"], { $file_size: Domain.of(type("$file_size"), [4n]) })).rows).toEqual([[1n]]);
  });
});

describe("files of different types", () => {
  const types: readonly string[] = [
    "TINYINT",
    "SMALLINT",
    "INTEGER",
    "BIGINT",
    "FLOAT",
    "DOUBLE",
    "DECIMAL(5, 2)",
    "DECIMAL(12, 0)",
    "DECIMAL(30, 10)",
  ];
  const integers = types.slice(0, 4);
  const digits: Readonly<Record<string, readonly [number, number]>> = {
    TINYINT: [3, 0],
    SMALLINT: [5, 0],
    INTEGER: [10, 0],
    BIGINT: [19, 0],
    "DECIMAL(5, 2)": [3, 2],
    "DECIMAL(12, 0)": [12, 0],
    "DECIMAL(30, 10)": [20, 10],
  };

  function wider(a: string, b: string): string {
    if (a === b) {
      return a;
    }
    if (integers.includes(a) && integers.includes(b)) {
      return integers.indexOf(a) > integers.indexOf(b) ? a : b;
    }
    const [x, y] = [digits[a], digits[b]];
    if (x === undefined || y === undefined) {
      return "DOUBLE";
    }
    const scale = Math.max(x[1], y[1]);
    return `DECIMAL(${Math.max(x[0], y[0]) + scale}, ${scale})`;
  }

  test("widen as DuckDB casts", async () => {
    const value = "CASE WHEN i % 5 = 0 THEN NULL ELSE (i % 7) * 11 END";
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...types),
        fc.constantFrom(...types),
        fc.constantFrom("", ", DICTIONARY_SIZE_LIMIT 1"),
        async (a, b, options) => {
          const query = (type: string) => `SELECT (${value})::${type} AS v FROM range(3000) AS t(i)`;
          const folder = new Folder()
            .put("t/a.parquet", await one(query(a), `FORMAT PARQUET${options}`))
            .put("t/b.parquet", await one(query(b), `FORMAT PARQUET${options}`));
          const type = wider(a, b);
          const found = await read(openFolder(folder), "t");
          expect(found.types).toEqual([`v ${type.toLowerCase().replace(", ", ",").replace("float", "real")}`]);
          const isDecimal = type.startsWith("DECIMAL");
          const unscaled = isDecimal ? `replace((v::${type})::VARCHAR, '.', '')::HUGEINT` : `v::${type}`;
          const expected = (
            await oracle.connection.runAndReadAll(`SELECT ${unscaled} FROM (${query(a)}) UNION ALL SELECT ${unscaled} FROM (${query(b)})`)
          ).getRows();
          expect(found.rows).toEqual(expected);
        },
      ),
      { numRuns: 60 },
    );
  });

  test("timestamps widen, other types are an error that names both", async () => {
    const folder = new Folder()
      .put("t/a.parquet", await one("SELECT TIMESTAMP_MS '2020-01-01 00:00:00.001' AS v"))
      .put("t/b.parquet", await one("SELECT TIMESTAMP '2020-01-01 00:00:00.000002' AS v"))
      .put("t/c.parquet", await one("SELECT TIMESTAMP_NS '2020-01-01 00:00:00.000000003' AS v"));
    const found = await read(openFolder(folder), "t");
    const start = 1_577_836_800_000_000n;
    expect(found.types).toEqual(["v timestamp(9)"]);
    expect(found.rows).toEqual([[(start + 1000n) << 64n], [(start + 2n) << 64n], [(start << 64n) | 3000n]]);
    folder.put("t/d.parquet", await one("SELECT 'x' AS v"));
    await expect(read(openFolder(folder), "t")).rejects.toMatchObject({
      errorName: "FILE_BAD_DATA",
      message: "t/d.parquet: column v is varchar, but timestamp(9) in other files of its table",
    });
    folder.put("u/a.parquet", await one("SELECT 1::DECIMAL(38, 0) AS v")).put("u/b.parquet", await one("SELECT 1::DECIMAL(38, 2) AS v"));
    await expect(read(openFolder(folder), "u")).rejects.toMatchObject({
      message: "u/b.parquet: column v is decimal(38,2), but decimal(38,0) in other files of its table",
    });
  });

  test("constraints hold for the type of the table", async () => {
    const folder = new Folder()
      .put("t/a.parquet", await one("SELECT i::INTEGER AS v FROM range(10) AS t(i)"))
      .put("t/b.parquet", await one("SELECT (i + 0.5)::DECIMAL(5, 1) AS v FROM range(10) AS t(i)"));
    const open = openFolder(folder);
    const { table } = await scan(open, "t", ["v"]);
    const type = table.columns[0]?.type as Type;
    expect(displayType(type)).toBe("decimal(11,1)");
    const found = await scan(open, "t", ["v"], { v: Domain.of(type, [50n]) });
    expect(found.rows.filter(([value]) => value === 50n)).toEqual([[50n]]);
  });
});

describe("compressed text", () => {
  const query = "SELECT i AS k, 'word ' || (i % 100) AS w FROM range(20000) AS t(i)";

  test.each([
    ["csv.zst", "FORMAT CSV, HEADER, COMPRESSION ZSTD"],
    ["csv.gz", "FORMAT CSV, HEADER, COMPRESSION GZIP"],
    ["json.zst", "FORMAT JSON, COMPRESSION ZSTD"],
    ["jsonl.gz", "FORMAT JSON, COMPRESSION GZIP"],
  ])("%s", async (extension, options) => {
    const bytes = await one(query, options);
    const found = await read(openFolder(new Folder().put(`t.${extension}`, bytes)), "t");
    expect(found.types).toEqual(["k bigint", "w varchar"]);
    expect(found.splits).toBe(1);
    const rows = texts(found.rows);
    expect(rows.length).toBe(20_000);
    rows.forEach((row, index) => expect(row).toEqual([BigInt(index), `word ${index % 100}`]));
  });

  test("a damaged Zstandard file is an error that names it, or other text", async () => {
    const whole = await one("SELECT i AS k, md5(i::VARCHAR) AS w FROM range(300) AS t(i)", "FORMAT CSV, HEADER, COMPRESSION ZSTD");
    let refused = 0;
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length - 1), fc.nat(255), fc.boolean(), async (place, byte, isCut) => {
        const bytes = isCut ? whole.slice(0, place) : whole.with(place, byte);
        await read(openFolder(new Folder().put("t.csv.zst", bytes)), "t").catch((error: unknown) => {
          expect(error).toMatchObject({ errorName: "FILE_BAD_DATA", message: expect.stringContaining("t.csv.zst") });
          refused++;
        });
      }),
      { numRuns: 300 },
    );
    expect(refused).toBeGreaterThan(50);
  });

  test("several frames, skippable ones, empty ones", async () => {
    const part = async (rows: string): Promise<readonly number[]> => [...(await one(rows, "FORMAT CSV, HEADER false, COMPRESSION ZSTD"))];
    const skippable = [0x53, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 9, 9, 9];
    const empty = [0x28, 0xb5, 0x2f, 0xfd, 0x20, 0x00, 0x01, 0x00, 0x00];
    const bytes = [
      ...(await part("SELECT 'x'")),
      ...skippable,
      ...empty,
      ...(await part("SELECT 1")),
      ...empty,
      ...skippable,
      ...(await part("SELECT 2")),
    ];
    expect((await read(openFolder(new Folder().put("t.csv.zst", new Uint8Array(bytes))), "t")).rows).toEqual([[1n], [2n]]);
    const wide = [0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x98, 0x01, 0x00, 0x00, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    await expect(read(openFolder(new Folder().put("t.csv.zst", new Uint8Array(wide))), "t")).rejects.toMatchObject({
      message: "t.csv.zst: zstd: the window of 536870912 bytes is larger than the maximum of 134217728",
    });
  });
});

describe("the state of a table", () => {
  const states = async ({ node }: OpenFolder, tables: readonly string[]) =>
    node.connector.metadata.tableStates?.(tables.map((table) => ({ schema: "default", table })));
  const answers = async ({ node }: OpenFolder, name: string): Promise<string> => {
    const { metadata } = node.connector;
    try {
      const table = await metadata.getTable({ schema: "default", table: name });
      return JSON.stringify([table, table && (await metadata.getStatistics?.(table))]);
    } catch (error) {
      return (error as Error).message;
    }
  };

  test("differs whenever its columns or statistics do, whatever happens to the files", async () => {
    const paths = ["t.csv", "t.json", "u.csv", "t/a.csv", "t/b.csv", "t/b.json", "t/k=1/c.csv", "t/notes.txt", "u/k=2/d.csv"];
    const contents = ["a\n1\n", "a\n2\n", "a\nx\n", "a,b\n1,2\n3,4\n"];
    const step = fc.record({ path: fc.constantFrom(...paths), content: fc.constantFrom(undefined, ...contents) });
    let kept = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), fc.array(step, { maxLength: 2 }), async (before, after) => {
        const folder = new Folder();
        const open = openFolder(folder);
        const apply = (steps: typeof before): void =>
          steps.forEach(({ path, content }) => (content === undefined ? void folder.remove(path) : folder.put(path, content)));
        apply(before);
        const names = ["t", "u"];
        const first = [await states(open, names), await answers(open, "t"), await answers(open, "u")] as const;
        apply(after);
        const second = [await states(open, names), await answers(open, "t"), await answers(open, "u")] as const;
        for (const [index] of names.entries()) {
          const state = first[0]?.[index];
          if (state !== undefined && state === second[0]?.[index]) {
            kept++;
            expect(second[index + 1]).toBe(first[index + 1]);
          }
        }
      }),
      { numRuns: 60 },
    );
    expect(kept).toBeGreaterThan(30);
  });

  test("is not told of paths, tables about tables, ambiguous tables and tables of a table format", async () => {
    const folder = new Folder().put("t.csv", "a\n1\n").put("T/a.csv", "a\n1\n").put("l/_delta_log/00000000000000000000.json", "{}");
    const told = await states(openFolder(folder), ["t", "t.csv", "t$rejects", "l", "missing"]);
    expect(told).toEqual([undefined, undefined, undefined, undefined, ""]);
    const gone = openFolder(Object.assign(new Folder(), { list: () => Promise.reject(new StorageError("NOT_FOUND", "", "no folder")) }));
    expect(await states(gone, ["t"])).toEqual([undefined]);
  });

  test("and the splits of several scans are told after one listing of the folder", async () => {
    const folder = new Folder().put("t.csv", "a\n1\n").put("u.csv", "a\n1\n");
    const open = openFolder(folder);
    const tables = [await tableOf(open.node.connector, "default", "t"), await tableOf(open.node.connector, "default", "u")];
    folder.listed.length = 0;
    await states(open, ["t", "u", "missing"]);
    expect(folder.listed).toEqual([""]);
    const split = () => Promise.all(tables.map((table) => open.node.connector.getSplits(table, table.columns)));
    await split();
    expect(folder.listed).toEqual(["", ""]);
    // What is asked later sees what has changed before.
    const early = states(open, ["t"]);
    const late = Promise.resolve().then(() => {
      folder.put("t.csv", "a\n1\n2\n");
      return states(open, ["t"]);
    });
    expect(await early).not.toEqual(await late);
    expect(folder.listed).toHaveLength(4);
  });
});
