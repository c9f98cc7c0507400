import { gzipSync } from "node:zlib";
import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { CsvScanner } from "../../../../src/connectors/files/text/csv.ts";
import { JsonLinesScanner } from "../../../../src/connectors/files/text/json-lines.ts";
import { fitsBigint, parseInteger } from "../../../../src/connectors/files/text/literals.ts";
import { type StorageEntry, StorageError } from "../../../../src/ports/storage.ts";
import { Folder, openFolder, read, texts } from "./folder.ts";

const day = (text: string): number => Date.parse(`${text}T00:00:00Z`) / 86_400_000;
const micros = (text: string): bigint => BigInt(Date.parse(`${text}Z`)) * 1000n;

async function table(
  name: string,
  content: string | Uint8Array,
  properties: Readonly<Record<string, string>> = {},
): Promise<Awaited<ReturnType<typeof read>>> {
  return read(openFolder(new Folder().put(name, content), properties), "t");
}

async function failure(name: string, content: string | Uint8Array, properties: Readonly<Record<string, string>> = {}): Promise<unknown> {
  return table(name, content, properties).then(
    () => "no failure",
    (error: Error) => `${(error as { errorName?: string }).errorName}: ${error.message}`,
  );
}

describe("CSV", () => {
  test("types are found, empty fields are NULL", async () => {
    const found = await table(
      "t.csv",
      [
        "b,i,d,day,at,fine,s,n",
        "true,1,1.5,2020-02-29,2020-01-01 10:00:00,2020-01-01T10:00:00.123456,x,",
        "FALSE,-9223372036854775808,2,0001-01-01,2020-01-01,2020-01-01 10:00,,",
        ",,,,,,0,",
        ' true , 9223372036854775807 ,-1e300,9999-12-31,1969-12-31 23:59:59.999,1583-10-15 00:00:00.000001,"a ""quote"", b",',
      ].join("\r\n"),
    );
    expect(found.types).toEqual([
      "b boolean",
      "i bigint",
      "d double",
      "day date",
      "at timestamp(3)",
      "fine timestamp(6)",
      "s varchar",
      "n varchar",
    ]);
    expect(texts(found.rows)).toEqual([
      [true, 1n, 1.5, day("2020-02-29"), micros("2020-01-01T10:00"), micros("2020-01-01T10:00") + 123456n, "x", null],
      [false, -(2n ** 63n), 2, -719162, micros("2020-01-01T00:00"), micros("2020-01-01T10:00"), null, null],
      [null, null, null, null, null, null, "0", null],
      [true, 2n ** 63n - 1n, -1e300, 2932896, -1000n, micros("1583-10-15T00:00") + 1n, 'a "quote", b', null],
    ]);
  });

  test("pages of many columns have few rows, so that they fit into memory", async () => {
    const names = Array.from({ length: 1000 }, (_, column) => `c${column}`);
    const rows = Array.from({ length: 100 }, (_, row) => names.map((_name, column) => (column === 1 ? `t${row}` : row + column)));
    const csv = [names, ...rows].map((row) => row.join()).join("\n");
    const wanted = rows.map((row) => row.map((value) => (typeof value === "number" ? BigInt(value) : value)));
    // 16,384 rows would take 147 MB, which the node of these tests does not have.
    expect(texts((await table("t.csv", csv)).rows)).toEqual(wanted);
  });

  test("what a narrower type would change stays text", async () => {
    const found = await table("t.csv", "a,b,c,d,e\n007,9223372036854775808,2020-02-30,1_000,yes\n1,1,2020-02-28,2,no\n");
    expect(found.types).toEqual(["a varchar", "b varchar", "c varchar", "d varchar", "e varchar"]);
    expect(texts(found.rows)[0]).toEqual(["007", "9223372036854775808", "2020-02-30", "1_000", "yes"]);
  });

  test("delimiters, marks, blank lines, one column, names", async () => {
    expect(texts((await table("t.tsv", "a\tb\n1\tx,y\n")).rows)).toEqual([[1n, "x,y"]]);
    expect(texts((await table("t.csv", '"a";"b"\n1;"x;y"\n')).rows)).toEqual([[1n, "x;y"]]);
    expect((await table("t.csv", "\ufeffa,A, b ,\n\n1,2,3,4\n\n")).types).toEqual(["a bigint", "a_1 bigint", "b bigint", "column3 bigint"]);
    expect((await table("t.csv", "a\n1\n\n3")).rows).toEqual([[1n], [null], [3n]]);
    expect((await table("t.csv", "a,b\n")).rows).toEqual([]);
    expect(texts((await table("t.csv", 'a,b\n"",""\n"1","x"\n')).rows)).toEqual([
      [null, ""],
      [1n, "x"],
    ]);
  });

  test("a broken record is named by file and line", async () => {
    expect(await failure("t.csv", "a,b,c\n1,2,3\n1,2,3,4\n")).toBe("FILE_BAD_DATA: t.csv line 3: expected 3 fields, found 4");
    expect(await failure("t.csv", 'a,b\n"x\ny",2\n1,"2\n')).toBe("FILE_BAD_DATA: t.csv line 4: a quoted field is not closed");
    expect(await failure("t.csv", 'a,b\n1,2"\n"3",4\n')).toBe(
      "FILE_BAD_DATA: t.csv line 2: a field that does not begin with a quote has one inside",
    );
    expect(await failure("t.csv", 'a,b\n1,"2"x\n')).toBe("FILE_BAD_DATA: t.csv line 2: a quoted field is followed by more text");
    expect(await failure("t.csv", "")).toBe("FILE_BAD_DATA: t.csv: the file has no columns");
    expect(await failure("t.csv", Uint8Array.of(0x61, 0x0a, 0xe4, 0x0a))).toBe("FILE_BAD_DATA: t.csv line 2: the text is not UTF-8");
    // Types are fixed after the sample.
    const long = `a,b\n${"1,x\n".repeat(500_000)}no number,x\n`;
    expect(await failure("t.csv", long, { "files.sample-size": "64kB", "files.split-size": "500kB" })).toBe(
      "FILE_BAD_DATA: t.csv line 500002: column a: 'no number' is no bigint",
    );
  });

  test("doubles are the nearest ones", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.double({ noNaN: true }), { minLength: 1, maxLength: 50 }), async (values) => {
        const lines = values.map((value) => (Object.is(value, -0) ? "-0.0" : String(value).replace("+", "")));
        const found = await table("t.csv", `a\n0.5\n${lines.join("\n")}\n`);
        expect(found.rows.slice(1).map(([value]) => value)).toEqual(values);
      }),
      { numRuns: 50 },
    );
  });

  const field = fc.oneof(
    fc.string({ maxLength: 8 }),
    fc.string({ unit: fc.constantFrom("a", '"', ",", "\n", "\r", "\r\n", "é", "😀", " "), maxLength: 8 }),
    fc.integer().map(String),
  );
  const document = fc.integer({ min: 2, max: 4 }).chain((width) =>
    fc.record({
      width: fc.constant(width),
      rows: fc.array(fc.array(field, { minLength: width, maxLength: width }), { maxLength: 30 }),
      lineEnd: fc.constantFrom("\n", "\r\n"),
      split: fc.integer({ min: 1, max: 60 }),
    }),
  );

  test("any text round-trips as csv-parse reads it, whatever the splits are", async () => {
    await fc.assert(
      fc.asyncProperty(document, async ({ width, rows, lineEnd, split }) => {
        const header = Array.from({ length: width }, (_, index) => `c${index}`);
        // The first record makes every column text.
        const first = header.map(() => "text");
        const quoted = rows.map((row) => row.map((text) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)));
        const content = [header, first, ...quoted].map((row) => row.join(",")).join(lineEnd) + lineEnd;
        const expected = (parse(content, { record_delimiter: ["\n", "\r\n"] }) as string[][])
          .slice(1)
          .map((row) => row.map((text) => (text === "" ? null : text)));
        const whole = await table("t.csv", content);
        expect(texts(whole.rows)).toEqual(expected);
        const cut = await table("t.csv", content, { "files.split-size": `${split}B` });
        expect(texts(cut.rows)).toEqual(expected);
        const packed = await table("t.csv.gz", gzipSync(content));
        expect(texts(packed.rows)).toEqual(expected);
      }),
      { numRuns: 150 },
    );
  });

  test("more rows than a page and more bytes than a chunk", async () => {
    const count = 120_000;
    const content = `k,name\n${Array.from({ length: count }, (_, k) => `${k},"name ""${k % 100}"""\n`).join("")}`;
    for (const [name, bytes] of [
      ["t.csv", new TextEncoder().encode(content)],
      ["t.csv.gz", gzipSync(content)],
    ] as const) {
      const found = await table(name, bytes, { "files.split-size": "1MB" });
      expect(found.rows.length).toBe(count);
      expect(found.rows.every((row, k) => row[0] === BigInt(k))).toBe(true);
      expect(texts(found.rows.slice(-1))).toEqual([[BigInt(count - 1), `name "${(count - 1) % 100}"`]]);
      expect(found.splits).toBe(name === "t.csv" ? 3 : 1);
    }
  });
});

describe("A record of many chunks", () => {
  // A scan begins at the start of the record: again for each chunk, its bytes are scanned as often as it has chunks.
  test.each([
    ["t.csv", "csv", (text: string) => `a,b\n${text},1\n2,3\n`],
    ["t.csv.gz", "csv", (text: string) => gzipSync(`a,b\n${text},1\n2,3\n`, { level: 1 })],
    ["t.json", "json", (text: string) => `{"a":"${text}"}\n{"a":"2"}\n`],
  ] as const)("%s is scanned a few times", async (name, format, contentOf) => {
    const scanner = format === "csv" ? CsvScanner : JsonLinesScanner;
    const scan = vi.spyOn(scanner.prototype, "scan");
    const length = 8_000_000;
    const found = await table(name, contentOf("x".repeat(length))).catch((error: unknown) => error);
    const scanned = scan.mock.calls.reduce((sum, [start, end]) => sum + end - start, 0);
    scan.mockRestore();
    expect(found).toHaveProperty("rows.length", 2);
    expect(scanned).toBeGreaterThan(length);
    expect(scanned).toBeLessThan(10 * length);
  });

  test("a number of a million digits is text, and no value of a narrower type", async () => {
    const number = "1".repeat(1_000_000);
    const found = await table("t.csv", `n\n${number}\n-${number}\n`);
    expect(found.types).toEqual(["n varchar"]);
    expect(texts(found.rows)).toEqual([[number], [`-${number}`]]);
    const bytes = new TextEncoder().encode(`-${number}`);
    const parsed = [parseInteger(bytes, 0, bytes.length), parseInteger(bytes, 1, bytes.length)];
    expect(parsed.map((value) => value !== undefined && fitsBigint(value))).toEqual([false, false]);
  });
});

describe("JSON lines", () => {
  test("keys become columns in the order they appear", async () => {
    const found = await table(
      "t.json",
      [
        '{"a":1,"B":"x","n":null}',
        "",
        '{"b":"\\u00e9\\ud83d\\ude00\\n\\"","c":{"x":[1, {"y":"}"}]},"d":true,"day":"2020-01-01","at":"2020-01-01T00:00:00.5"}',
        ' { "f" : 1.5 , "a" : -2, "a": 3, "mixed": 12345678901234567890, "c": [] } ',
      ].join("\n"),
    );
    expect(found.types).toEqual([
      "a bigint",
      "b varchar",
      "n varchar",
      "c varchar",
      "d boolean",
      "day date",
      "at timestamp(3)",
      "f double",
      "mixed varchar",
    ]);
    expect(texts(found.rows)).toEqual([
      [1n, "x", null, null, null, null, null, null, null],
      [null, 'é😀\n"', null, '{"x":[1, {"y":"}"}]}', true, day("2020-01-01"), micros("2020-01-01T00:00:00.5"), null, null],
      [3n, null, null, "[]", null, null, null, 1.5, "12345678901234567890"],
    ]);
  });

  test("invalid JSON is reported with file and line", async () => {
    for (const [line, message] of [
      ['{"a":1', "expected ',' or '}' at character 7"],
      ['{"a" 1}', "expected ':' at character 6"],
      ["x", "expected one JSON object a line"],
      ['{"a":01}', "a value is no JSON"],
      ['{"a":1.}', "a number is no JSON"],
      ['{"a":tru}', "a value is no JSON"],
      ['{"a":"x}', "a string is not closed"],
      ['{"a":"\\x"}', "a string holds an unknown escape"],
      ['{"a":"\\u12g4"}', "a \\u escape is not followed by four hexadecimal digits"],
      ['{"a":"\t"}', "a string holds a control character"],
      ['{"a":1} x', "the object is followed by more text"],
      [`{"a":${"[".repeat(600)}`, "a value is nested deeper than 500"],
    ] as const) {
      expect(await failure("t.jsonl", `{"a":0}\n${line}\n`)).toBe(`FILE_BAD_DATA: t.jsonl line 2: ${message}`);
    }
    const rows = `${'{"a":1}\n'.repeat(100_000)}{"a":"x"}\n`;
    expect(await failure("t.jsonl", rows, { "files.sample-size": "64kB", "files.split-size": "100kB" })).toBe(
      "FILE_BAD_DATA: t.jsonl line 100001: column a: 'x' is no bigint",
    );
  });

  test("any object reads as JSON.parse reads it, whatever the splits are", async () => {
    const scalar = fc.oneof(fc.string({ unit: "grapheme", maxLength: 10 }), fc.string({ maxLength: 10 }), fc.constant(null));
    const value = fc.oneof(scalar, fc.array(fc.jsonValue({ maxDepth: 2 }), { maxLength: 3 }));
    const record = fc.record({ a: value, "b c": value, é: value }, { requiredKeys: [] });
    await fc.assert(
      fc.asyncProperty(fc.array(record, { minLength: 1, maxLength: 20 }), fc.integer({ min: 1, max: 50 }), async (records, split) => {
        // The first record makes every column text.
        const all = [{ a: "text", "b c": "text", é: "text" }, ...records];
        const content = all.map((one) => JSON.stringify(one)).join("\n");
        const expected = all.map((one) =>
          (["a", "b c", "é"] as const).map((key) => {
            const found = one[key] ?? null;
            return typeof found === "object" && found !== null ? JSON.stringify(found) : found;
          }),
        );
        expect(texts((await table("t.ndjson", content)).rows)).toEqual(expected);
        expect(texts((await table("t.ndjson", content, { "files.split-size": `${split}B` })).rows)).toEqual(expected);
        expect(texts((await table("t.ndjson.gz", gzipSync(content))).rows)).toEqual(expected);
      }),
      { numRuns: 100 },
    );
  });

  test("any text is read or refused as JSON.parse would", async () => {
    const fragment = fc.constantFrom(
      "{",
      "}",
      "[",
      "]",
      ",",
      ":",
      '"',
      '"a"',
      "1",
      "-",
      ".5",
      "e1",
      "0",
      "true",
      "null",
      " ",
      "\\",
      "\\u0041",
      "x",
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fragment, { maxLength: 8 }), async (parts) => {
        const line = `{"a":${parts.join("")}}`;
        let isJson = true;
        try {
          JSON.parse(line);
        } catch {
          isJson = false;
        }
        const found = await failure("t.jsonl", line);
        expect([line, found === "no failure"]).toEqual([line, isJson]);
      }),
      { numRuns: 500 },
    );
  });
});

describe("folders", () => {
  test("tables are files and sub-folders, seen as they are now", async () => {
    const folder = new Folder()
      .put("Orders.CSV", "a\n1\n")
      .put("part.v1.jsonl.gz", gzipSync('{"x":1}'))
      .put("notes.txt", "hello")
      .put(".hidden.csv", "a\n1\n")
      .put("logs/b.csv", "b,a\nx,2\n")
      .put("logs/a.csv", "a\n1\n")
      .put("logs/c.csv.gz", gzipSync("a,c\n2.5,y\n"))
      .put("logs/deep/x.csv", "z\n1\n")
      .put("empty/readme", "nothing");
    const open = openFolder(folder);
    expect(await open.node.connector.metadata.listTables("default")).toEqual(["logs", "orders", "part.v1"]);
    const logs = await read(open, "logs");
    expect(logs.types).toEqual(["a double", "b varchar", "c varchar", "z bigint"]);
    expect(texts(logs.rows)).toEqual([
      [1, null, null, null],
      [2, "x", null, null],
      [2.5, null, "y", null],
      [null, null, null, 1n],
    ]);
    folder.put("orders2.csv", "a\n1\n").put("Orders.CSV", "a,b\n1,2\n");
    expect(await open.node.connector.metadata.listTables("default")).toContain("orders2");
    expect((await read(open, "orders")).rows).toEqual([[1n, 2n]]);
  });

  test("an unreadable folder or file does not hide others, and reports its own error", async () => {
    class Locked extends Folder {
      override async list(path: string): Promise<readonly StorageEntry[]> {
        if (path === "locked") {
          throw new StorageError("IO", path, "permission denied");
        }
        const entries = await super.list(path);
        const loop = { name: "loop.csv", directory: false, sizeBytes: 0, version: "", problem: "it leads to itself" };
        return path === "" ? [...entries, loop].toSorted((a, b) => (a.name < b.name ? -1 : 1)) : entries;
      }
    }
    const open = openFolder(new Locked().put("locked/a.csv", "a\n1\n").put("orders.csv", "a\n1\n"));
    const { metadata } = open.node.connector;
    expect(await metadata.listTables("default")).toEqual(["loop", "orders"]);
    expect((await read(open, "orders")).rows).toEqual([[1n]]);
    const wrong = (table: string): Promise<unknown> =>
      metadata.getTable({ schema: "default", table }).catch((error: unknown) => (error as Error).message);
    expect(await wrong("locked")).toBe("File locked cannot be read: permission denied");
    expect(await wrong("loop")).toBe("File loop.csv cannot be read: it leads to itself");
  });

  test("what does not fit together is an error", async () => {
    const failing = async (folder: Folder, name: string): Promise<string> =>
      openFolder(folder)
        .node.connector.metadata.getTable({ schema: "default", table: name })
        .then(
          () => "no failure",
          (error: Error) => `${(error as { errorName?: string }).errorName}: ${error.message}`,
        );
    expect(await failing(new Folder().put("a.csv", "a\n").put("a.json", "{}"), "a")).toBe(
      "AMBIGUOUS_NAME: Table 'a' is ambiguous: a.csv, a.json",
    );
    expect(await failing(new Folder().put("d/a.csv", "a\n").put("d/a.json", "{}"), "d")).toBe(
      "FILE_BAD_DATA: d: files of different formats are no table: d/a.csv, d/a.json",
    );
    expect(await failing(new Folder().put("a.json", "\n"), "a")).toBe("FILE_BAD_DATA: a.json: the file has no columns");
    expect(await failing(new Folder().put("a.csv.gz", "a\n1\n"), "a")).toBe("FILE_BAD_DATA: a.csv.gz: gzip: this is not a gzip file");
    expect(() => openFolder(new Folder(), { "files.directory": "" })).toThrow("Property 'files.directory' is required");
    expect(() => openFolder(new Folder(), { "files.split-size": "0B" })).toThrow("Invalid value '0B' for property 'files.split-size'");
  });

  test("a file that vanishes or changes fails the query", async () => {
    const folder = new Folder().put("t.csv", "a\n1\n2\n");
    const { node, world } = openFolder(folder);
    const found = await node.connector.metadata.getTable({ schema: "default", table: "t" });
    const [split] = (await node.connector.getSplits(found as never, [])) as [never];
    const scan = async (): Promise<unknown> => (await import("../world.ts")).readSplit(node, found as never, split);
    folder.put("t.csv", "a\n1\n");
    await expect(scan()).rejects.toMatchObject({ errorName: "FILE_BAD_DATA", message: "t.csv: the file changed while it was read" });
    await folder.remove("t.csv");
    await expect(scan()).rejects.toMatchObject({ errorName: "FILE_NOT_FOUND", message: "File t.csv does not exist" });
    await expect(node.connector.getSplits(found as never, [])).rejects.toMatchObject({ errorName: "TABLE_NOT_FOUND" });
    expect(world.node("n").memory.reservedBytes).toBe(0);
  });

  test("files of a version are looked at once", async () => {
    const folder = new Folder().put("t.csv", `a,b\n${"1,2\n".repeat(1000)}`);
    const open = openFolder(folder, { "files.split-size": "500B" });
    await read(open, "t");
    const before = folder.reads.length;
    const found = await open.node.connector.metadata.getTable({ schema: "default", table: "t" });
    await open.node.connector.getSplits(found as never, []);
    expect(folder.reads.length).toBe(before);
    expect((await open.node.connector.metadata.getStatistics?.(found as never))?.rowCount).toBe(1000);
  });
});
