/**
 * What is found out of CSV files: dialect, header and types, of a set of small files. DuckDB's own sniffer is asked for each; where it
 * finds something else, the file says why ours is kept.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import type { SourceTableFunction, TableFunctionArguments } from "../../../../src/connectors/table-function.ts";
import { decodeNested, nestedSource } from "../../../../src/types/nested/nested.ts";
import { arrayType, BIGINT, decimalType, displayType, INTEGER, rowType, type Type, VARCHAR } from "../../../../src/types/type.ts";
import type { Page } from "../../../../src/page/page.ts";
import { readRow } from "../../../support/pages.ts";
import { readTable } from "../world.ts";
import { Folder, openFolder, read, texts } from "./folder.ts";
import { openDuckDbFolder } from "./duckdb-folder.ts";

const oracle = openDuckDbFolder("sniffing");

beforeAll(async () => {
  await oracle.connection.run("SET TimeZone = 'UTC'");
});

/** Our names of DuckDB's types. */
const typeNames: Readonly<Record<string, string>> = {
  BIGINT: "bigint",
  BOOLEAN: "boolean",
  DATE: "date",
  DOUBLE: "double",
  TIME: "time",
  TIMESTAMP: "timestamp",
  "TIMESTAMP WITH TIME ZONE": "timestamp with time zone",
  VARCHAR: "varchar",
};

interface Sample {
  readonly text: string;
  readonly types: readonly string[];
  /** Why DuckDB finds something else. */
  readonly differs?: string;
}

const lines = (...rows: readonly string[]): string => rows.map((row) => `${row}\n`).join("");

const samples: readonly Sample[] = [
  // Header
  { text: lines("a,b", "1,x", "2,y"), types: ["a bigint", "b varchar"] },
  { text: lines("1,x", "2,y"), types: ["column0 bigint", "column1 varchar"] },
  { text: lines("1,2", "3,4"), types: ["column0 bigint", "column1 bigint"] },
  { text: lines("name,city", "Ada,London", "Grace,New York"), types: ["name varchar", "city varchar"] },
  { text: lines("a"), types: ["a varchar"] },
  { text: lines("1,2"), types: ["column0 bigint", "column1 bigint"] },
  { text: lines("a,b"), types: ["a varchar", "b varchar"] },
  { text: lines("2020,2021", "1,2"), types: ["column0 bigint", "column1 bigint"] },
  { text: lines("day,2021", "2024-01-31,2"), types: ["day date", "2021 bigint"] },
  { text: lines("true,false", "true,true"), types: ["column0 boolean", "column1 boolean"] },
  { text: lines("x,x", "1,2"), types: ["x bigint", "x_1 bigint"] },
  { text: lines('"a","b"', '"1","2"'), types: ["a bigint", "b bigint"] },
  // Delimiters
  { text: lines("a;b", "1;x", "2;y"), types: ["a bigint", "b varchar"] },
  { text: lines("a\tb", "1\tx"), types: ["a bigint", "b varchar"] },
  { text: lines("a|b|c", "1|x|2.5"), types: ["a bigint", "b varchar", "c double"] },
  { text: lines("a;b", "1,5;2,5", "3,5;4,5"), types: ["a varchar", "b varchar"], differs: "commas in numbers" },
  { text: lines("a,b;c,d", "1,2;3,4"), types: ["a bigint", "b;c varchar", "d bigint"] },
  { text: lines("a", "1", "2"), types: ["a bigint"] },
  { text: lines("text", "hello there", "x"), types: ["text varchar"] },
  { text: lines("a,b,c", "1,,3", ",,"), types: ["a bigint", "b varchar", "c bigint"] },
  // Quotes and escapes
  { text: lines("a,b", '"x, y",1', '"z",2'), types: ["a varchar", "b bigint"] },
  { text: lines("a,b", "'x, y',1", "'z',2"), types: ["a varchar", "b bigint"] },
  { text: lines("a,b", '"say ""hi""",1'), types: ["a varchar", "b bigint"] },
  { text: lines("a,b", '"say \\"hi\\", you",1', '"x",2'), types: ["a varchar", "b bigint"] },
  { text: lines("a;b", '"x;y";1', '"2;3";2'), types: ["a varchar", "b bigint"] },
  { text: lines("a,b", '"two\nlines",1', '"x",2'), types: ["a varchar", "b bigint"] },
  { text: lines("a,b", "it's,1", "x,2"), types: ["a varchar", "b bigint"] },
  { text: lines("size,n", '5" disk,1', '3" disk,2'), types: ["size varchar", "n bigint"] },
  // Lines before the header
  {
    text: lines("# made by x", "# on Monday, at noon", "id,name", "1,a", "2,b"),
    types: ["id bigint", "name varchar"],
    differs: "a comment with a comma",
  },
  { text: lines("Export of 2024", "", "id;n", "1;2", "3;4"), types: ["id bigint", "n bigint"] },
  { text: lines("Export", '"id","n"', "1,2", "3,4"), types: ["id bigint", "n bigint"] },
  // Numbers
  { text: lines("a", "1", "-2", "0"), types: ["a bigint"] },
  { text: lines("a", "1", "2.5"), types: ["a double"] },
  { text: lines("a", "1e3", "-2.5E-7"), types: ["a double"] },
  { text: lines("a", ".5", "5."), types: ["a double"] },
  { text: lines("a", "9223372036854775807", "-9223372036854775808"), types: ["a bigint"] },
  { text: lines("a", "9223372036854775808"), types: ["a varchar"], differs: "no digit is lost in a double" },
  { text: lines("a", "007", "1"), types: ["a varchar"] },
  { text: lines("a", "+1"), types: ["a varchar"] },
  { text: lines("a", "1_000"), types: ["a varchar"] },
  { text: lines("a", "1,000"), types: ["a bigint", "column1 varchar"], differs: "a row of more fields than the header" },
  { text: lines("a", "NaN", "1.5"), types: ["a double"] },
  { text: lines("a", "Infinity", "-Infinity"), types: ["a double"], differs: "DuckDB has infinite dates" },
  { text: lines("a", "1", "x"), types: ["a varchar"] },
  { text: lines("a", " 1", "2 "), types: ["a bigint"] },
  { text: lines("a", "0x1F"), types: ["a varchar"], differs: "hexadecimal digits stay text" },
  // Booleans
  { text: lines("a", "true", "false"), types: ["a boolean"] },
  { text: lines("a", "TRUE", "False"), types: ["a boolean"] },
  { text: lines("a", "t", "f"), types: ["a varchar"], differs: "single letters stay text" },
  { text: lines("a", "yes", "no"), types: ["a varchar"], differs: "words other than true and false stay text" },
  { text: lines("a", "true", "1"), types: ["a varchar"] },
  // Dates
  { text: lines("a", "2024-01-31"), types: ["a date"] },
  { text: lines("a", "2024-02-30"), types: ["a varchar"] },
  { text: lines("a", "2024-1-5"), types: ["a date"] },
  { text: lines("a", "2024/01/31"), types: ["a date"] },
  { text: lines("a", "2024.01.31"), types: ["a date"] },
  { text: lines("a", "31/01/2024", "01/02/2024"), types: ["a date"] },
  { text: lines("a", "01/31/2024", "01/02/2024"), types: ["a date"] },
  { text: lines("a", "01/02/2024"), types: ["a date"] },
  { text: lines("a", "31.01.2024"), types: ["a date"] },
  { text: lines("a", "31-01-2024"), types: ["a date"] },
  { text: lines("a", "1/2/2024", "31/12/2024"), types: ["a date"] },
  { text: lines("a", "31/01/2024", "01/31/2024"), types: ["a varchar"], differs: "no order fits both" },
  { text: lines("a", "32/01/2024"), types: ["a varchar"] },
  { text: lines("a", "2024-01-31", "x"), types: ["a varchar"] },
  { text: lines("a", "1.2.3"), types: ["a varchar"] },
  { text: lines("a", "1/2/24"), types: ["a varchar"], differs: "the century is not known" },
  { text: lines("a,b", '"x, y" ,1', ' "z",2'), types: ["a varchar", "b bigint"] },
  { text: lines("a;b", " 'x;y';1", "'z' ;2"), types: ["a varchar", "b bigint"] },
  // Timestamps
  { text: lines("a", "2024-01-31 12:00:00"), types: ["a timestamp"] },
  { text: lines("a", "2024-01-31T12:00:00"), types: ["a timestamp"] },
  { text: lines("a", "2024-01-31 12:00"), types: ["a timestamp"] },
  { text: lines("a", "2024-01-31 12:00:00.123"), types: ["a timestamp"] },
  { text: lines("a", "2024-01-31 12:00:00.123456"), types: ["a timestamp"] },
  { text: lines("a", "2024-01-31", "2024-01-31 12:00:00"), types: ["a timestamp"], differs: "a date is the beginning of its day" },
  { text: lines("a", "2024-01-31 25:00:00"), types: ["a varchar"] },
  { text: lines("a", "2024-01-31T12:00:00Z"), types: ["a timestamp with time zone"] },
  { text: lines("a", "2024-01-31 12:00:00+01"), types: ["a timestamp with time zone"] },
  { text: lines("a", "2024-01-31 12:00:00+01:30", "2024-01-31 12:00:00-05:00"), types: ["a timestamp with time zone"] },
  { text: lines("a", "2024-01-31T12:00:00.123+0100"), types: ["a timestamp with time zone"] },
  { text: lines("a", "31/01/2024 12:00:00"), types: ["a timestamp"] },
  { text: lines("a", "01/31/2024 12:00:00"), types: ["a timestamp"], differs: "the month first, with a time" },
  { text: lines("a", "01/31/2024 1:05:00 PM"), types: ["a timestamp"] },
  { text: lines("a", "01/31/2024 01:05:00 PM"), types: ["a timestamp"] },
  { text: lines("a", "2024-01-31 12:00:00", "2024-01-31T12:00:00Z"), types: ["a varchar"], differs: "with a zone and without" },
  // Times
  { text: lines("a", "12:34:56"), types: ["a time"] },
  { text: lines("a", "12:34:56.789"), types: ["a time"] },
  { text: lines("a", "25:00:00"), types: ["a varchar"] },
  { text: lines("a", "12:34"), types: ["a varchar"], differs: "may be minutes and seconds" },
  // Empty values
  { text: lines("a,b", ",1", "2,"), types: ["a bigint", "b bigint"] },
  { text: lines("a,b", '"",1', "2,2"), types: ["a bigint", "b bigint"] },
  { text: lines("a,b", ",", ","), types: ["a varchar", "b varchar"] },
  { text: lines("a,b,c", "1,2,", "3,4,"), types: ["a bigint", "b bigint", "c varchar"] },
  { text: lines("a,NULL", "1,NULL"), types: ["a bigint", "null varchar"] },
  // Line ends and marks
  { text: "a,b\r\n1,x\r\n2,y\r\n", types: ["a bigint", "b varchar"] },
  { text: "a,b\n1,x", types: ["a bigint", "b varchar"] },
  { text: "a,b\r1,x\r2,y\r", types: ["a bigint", "b varchar"] },
  { text: "a,b\r\r1,2\r3,4", types: ["a bigint", "b bigint"] },
  { text: "\ufeffa,b\n1,x\n", types: ["a bigint", "b varchar"] },
  { text: "\n\na,b\n1,x\n", types: ["a bigint", "b varchar"] },
  { text: lines("a,b", "1,x", "", "2,y"), types: ["a bigint", "b varchar"] },
  { text: lines("ä,ö", "1,😀"), types: ["ä bigint", "ö varchar"] },
];

const plain = (type: string): string => type.replace(/\(\d\)/, "");

test("there are enough of them", () => {
  expect(samples.length).toBeGreaterThanOrEqual(95);
});

test.each(samples.map((sample, index) => [JSON.stringify(sample.text), index, sample] as const))("%s", async (_, index, sample) => {
  const { text, types, differs } = sample;
  const found = await read(openFolder(new Folder().put("t.csv", text)), "t").then(
    (table) => table.types.map(plain),
    (error: { readonly message: string }) => error.message,
  );
  const path = join(oracle.directory, `${index}.csv`);
  writeFileSync(path, text);
  const theirs = await oracle.connection
    .runAndReadAll(`SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM read_csv('${path}'))`)
    .then((reader) => reader.getRows().map(([name, type]) => `${String(name).toLowerCase()} ${typeNames[String(type)] ?? String(type)}`))
    .catch((error: unknown) => String(error));
  if (differs === "a row of more fields than the header") {
    expect(found).toBe("t.csv line 2: expected 1 field, found 2");
    return;
  }
  expect(found).toEqual(types);
  if (differs === undefined) {
    expect(theirs).toEqual(types);
  } else {
    expect(theirs).not.toEqual(types);
  }
});

async function call(
  open: ReturnType<typeof openFolder>,
  name: string,
  args: Readonly<Record<string, string | boolean | readonly { name: string; type: Type }[]>>,
) {
  const found = open.node.connector.tableFunctions?.find((one) => one.name === name) as SourceTableFunction;
  const given: TableFunctionArguments = new Map(
    found.parameters.map((parameter) => {
      const value = args[parameter.name.toLowerCase()];
      return [
        parameter.name,
        parameter.kind === "SCALAR"
          ? { kind: "SCALAR", value: (value as string | undefined) ?? parameter.default ?? null }
          : { kind: "DESCRIPTOR", fields: (value as readonly { name: string; type: Type }[] | undefined) ?? null },
      ];
    }),
  );
  const { table } = await found.analyze(given);
  const columns = table.columns.filter(({ hidden }) => hidden !== true);
  const warnings: string[] = [];
  const rows = [];
  for (const split of await open.node.connector.getSplits(table, columns)) {
    const memory = open.node.memory.child("scan");
    const source = open.node.connector.createPageSource({
      table: table.handle,
      split: JSON.parse(JSON.stringify(split.payload)) as never,
      columns,
      memory,
      onWarning: (message) => warnings.push(message),
    });
    while (!source.finished) {
      await source.blocked();
      const page = source.nextPage();
      for (let row = 0; row < (page?.positionCount ?? 0); row++) {
        rows.push(readRow(memory.linear, page as Page, row));
      }
    }
    source.close();
    memory.close();
  }
  return { types: columns.map(({ name: column, type }) => `${column} ${displayType(type)}`), rows: texts(rows), warnings };
}

const at = (text: string): bigint => BigInt(Date.parse(text)) * 1000n;
const dayOf = (text: string): number => Number(at(text) / 86_400_000_000n);

describe("values", () => {
  test.each<[string, readonly string[], readonly unknown[]]>([
    ["d/m/y", ["31/01/2024", "1/2/2024"], [dayOf("2024-01-31Z"), dayOf("2024-02-01Z")]],
    ["m/d/y", ["01/31/2024", "01/02/2024"], [dayOf("2024-01-31Z"), dayOf("2024-01-02Z")]],
    ["y/m/d", ["2024/1/31"], [dayOf("2024-01-31Z")]],
    ["d.m.y h:m", ["31.01.2024 9:05", "1.2.2024"], [at("2024-01-31T09:05Z"), at("2024-02-01Z")]],
    ["m/d/y AM", ["01/31/2024 12:05:00 AM", "01/31/2024 1:05:00.5 pm"], [at("2024-01-31T00:05Z"), at("2024-01-31T13:05:00.5Z")]],
    [
      "zones",
      ["2024-01-31T12:00:00Z", "2024-01-31 12:00:00.25 +01:30"],
      [at("2024-01-31T12:00Z") << 64n, (at("2024-01-31T10:30:00.25Z") << 64n) | 931n],
    ],
    ["negative zone", ["2024-01-31 12:00-0500"], [(at("2024-01-31T17:00Z") << 64n) | 541n]],
    ["times", ["12:34:56", "00:00:00.25"], [45_296_000_000_000_000n, 250_000_000_000n]],
  ])("%s", async (_, values, expected) => {
    const found = await read(openFolder(new Folder().put("t.csv", lines("a", ...values))), "t");
    expect(found.rows.map(([value]) => value)).toEqual(expected);
  });

  test.each([
    'a,b\n1, "x, y"\n2, "z"\n',
    'a,b\n1, "x"\n2,"y" \n3, z\n4, "q""r"\n5, "two\nlines"\n',
    "1, 'a'\n2, 'b, c'\n",
    'a,b\r1,x\r2,"y\rz"\r3," "',
    'a,b\r"1","x ""y"""\r2,\r',
    'a;b\r\r"1" ;2\r 3; "4"\r',
  ])("of %j are those of DuckDB", async (text) => {
    const path = join(oracle.directory, "values.csv");
    writeFileSync(path, text);
    const theirs = await oracle.connection.runAndReadAll(`SELECT * FROM read_csv('${path}')`);
    const found = await read(openFolder(new Folder().put("t.csv", text)), "t");
    expect(texts(found.rows)).toEqual(theirs.getRows());
  });

  test("a file whose lines end with \\r is one split, and its errors have their lines", async () => {
    const rows = Array.from({ length: 500 }, (_, row) => `${row},"text\r${row}"`);
    const found = await read(openFolder(new Folder().put("t.csv", ["k,w", ...rows].join("\r")), { "files.split-size": "1kB" }), "t");
    expect(found.splits).toBe(1);
    expect(texts(found.rows)).toEqual(rows.map((_, row) => [BigInt(row), `text\r${row}`]));
    const wrong = openFolder(new Folder().put("t.csv", "k,w\r1,2\r3,4\r5\r6,7\r"));
    await expect(call(wrong, "read_csv", { path: "t.csv", quote: "" })).rejects.toMatchObject({
      message: "t.csv line 4: expected 2 fields, found 1",
    });
    const good = await call(wrong, "read_csv", { path: "t.csv", skip: "1", header: false, ignore_errors: true });
    expect(good.rows).toEqual([
      [1n, 2n],
      [3n, 4n],
      [6n, 7n],
    ]);
  });

  test("the order of dates is that of all files of the table", async () => {
    const folder = new Folder().put("t/k=1/a.csv", lines("a", "01/02/2024")).put("t/k=2/b.csv", lines("a", "01/31/2024"));
    const found = await read(openFolder(folder), "t", ["a"]);
    expect(found.rows).toEqual([[dayOf("2024-01-02Z")], [dayOf("2024-01-31Z")]]);
  });

  test("splits of a file with other quotes and delimiters", async () => {
    const rows = Array.from({ length: 500 }, (_, row) => `${row}|'text ${row}\n''quoted'' | "x"'`);
    const open = openFolder(new Folder().put("t.csv", lines("k|w", ...rows)), { "files.split-size": "1kB" });
    const found = await read(open, "t");
    expect(found.splits).toBeGreaterThan(10);
    expect(texts(found.rows)).toEqual(rows.map((_, row) => [BigInt(row), `text ${row}\n'quoted' | "x"`]));
    const escaped = rows.map((_, row) => `${row},"say \\"${row}\\", \\\\"`);
    const other = await read(openFolder(new Folder().put("t.csv", lines("k,w", ...escaped)), { "files.split-size": "1kB" }), "t");
    expect(other.splits).toBe(1);
    expect(texts(other.rows)).toEqual(rows.map((_, row) => [BigInt(row), `say "${row}", \\`]));
  });
});

describe("read_csv", () => {
  const open = (text: string) => openFolder(new Folder().put("t.txt", text));
  const base = { path: "t.txt" };

  test("takes what is said, and finds the rest", async () => {
    const found = await call(open(lines("# a comment", "1~x~-", "2~$y~z$~3")), "read_csv", {
      ...base,
      delimiter: "~",
      quote: "$",
      header: false,
      skip: "1",
      null_string: "-",
    });
    expect(found).toEqual({
      types: ["column0 bigint", "column1 varchar", "column2 bigint"],
      rows: [
        [1n, "x", null],
        [2n, "y~z", 3n],
      ],
      warnings: [],
    });
    expect((await call(open(lines("1,2", "3,4")), "read_csv", { ...base, header: true })).types).toEqual(["1 bigint", "2 bigint"]);
    expect((await call(open(lines('a"b,c')), "read_csv", { ...base, quote: "", header: false })).rows).toEqual([['a"b', "c"]]);
  });

  test("takes types of columns", async () => {
    const types = [
      { name: "A", type: VARCHAR },
      { name: "B", type: decimalType(7, 2) },
      { name: "C", type: INTEGER },
    ];
    const found = await call(open(lines("a,b,c", "1,2.5,7")), "read_csv", { ...base, types });
    expect([found.types, found.rows]).toEqual([["a varchar", "b decimal(7,2)", "c integer"], [["1", 250n, 7]]]);
    const wrong = (name: string, type: Type) => call(open(lines("a,b", "1,2")), "read_csv", { ...base, types: [{ name, type }] });
    await expect(wrong("z", BIGINT)).rejects.toMatchObject({ message: "Column 'z' of types is not in the files, which have: a, b" });
    await expect(wrong("a", { kind: "json" })).rejects.toMatchObject({
      message: "Column 'a' of types has type json, which text files do not have",
    });
    await expect(call(open(lines("a", "x")), "read_csv", { ...base, types: [{ name: "a", type: BIGINT }] })).rejects.toMatchObject({
      message: "t.txt line 2: column a: 'x' is no bigint",
    });
  });

  test("passes over bad records on request, with a warning", async () => {
    const text = lines("a,b", "1,x", "2", '3,"y"z', "4,w", "five,v", "6,u");
    const found = await call(open(text), "read_csv", { ...base, quote: '"', ignore_errors: true, types: [{ name: "a", type: BIGINT }] });
    expect(found).toEqual({
      types: ["a bigint", "b varchar"],
      rows: [
        [1n, "x"],
        [4n, "w"],
        [6n, "u"],
      ],
      warnings: ["t.txt: 3 bad records were skipped, the first on line 3: expected 2 fields, found 1"],
    });
  });

  test.each([
    [{ delimiter: "ab" }, "delimiter must be one ASCII character"],
    [{ delimiter: "" }, "delimiter must be one ASCII character"],
    [{ quote: "é" }, "quote must be one ASCII character"],
    [{ delimiter: ",", quote: "," }, "delimiter and quote must differ"],
    [{ skip: "-1" }, "skip must be from 0 to 1000000"],
  ])("%s is refused", async (args, message) => {
    await expect(call(open(lines("a")), "read_csv", { ...base, ...args })).rejects.toMatchObject({
      errorName: "INVALID_FUNCTION_ARGUMENT",
      message,
    });
  });
});

describe("bad records", () => {
  const types = [
    { name: "a", type: BIGINT },
    { name: "b", type: VARCHAR },
    { name: "c", type: BIGINT },
  ];
  const given = { path: "t.csv", quote: '"', escape: '"', delimiter: ",", header: true, types };

  /** DuckDB's rows and errors: only the first of a record with other fields, and lines of the file where it counts records. */
  async function ofDuckDb(text: string): Promise<{ readonly good: readonly unknown[]; readonly errors: readonly unknown[] }> {
    const { connection, directory } = oracle;
    writeFileSync(join(directory, "rejects.csv"), text);
    const options = `store_rejects=true, header=true, delim=',', quote='"', escape='"', auto_detect=false`;
    const columns = "columns={'a': 'BIGINT', 'b': 'VARCHAR', 'c': 'BIGINT'}";
    const good = await connection.runAndReadAll(`SELECT * FROM read_csv('${join(directory, "rejects.csv")}', ${options}, ${columns})`);
    const errors = await connection.runAndReadAll(
      `SELECT line, line_byte_position::BIGINT, byte_position::BIGINT,
        (CASE error_type WHEN 'MISSING COLUMNS' THEN column_idx + 1 ELSE column_idx END)::BIGINT, column_name, error_type::VARCHAR, csv_line
      FROM reject_errors one
      WHERE CASE error_type
        WHEN 'CAST' THEN NOT EXISTS (FROM reject_errors other WHERE other.line = one.line AND other.error_type <> 'CAST')
        ELSE NOT EXISTS (FROM reject_errors other
          WHERE other.line = one.line AND other.error_type <> 'CAST'
            AND (other.byte_position, other.column_idx) < (one.byte_position, one.column_idx))
      END
      ORDER BY 2, 4`,
    );
    await connection.run("DROP TABLE reject_errors; DROP TABLE reject_scans");
    const lineOf = (offset: number): bigint => BigInt(text.slice(0, offset - 1).split("\n").length);
    return { good: good.getRows(), errors: errors.getRows().map(([, start, ...error]) => [lineOf(Number(start)), start, ...error]) };
  }

  async function ours(text: string): Promise<{ readonly good: readonly unknown[]; readonly errors: readonly unknown[] }> {
    const open = openFolder(new Folder().put("t.csv", text), { "files.split-size": "1kB" });
    const good = await call(open, "read_csv", { ...given, ignore_errors: true });
    const bad = await call(open, "read_csv_rejects", given);
    return { good: good.rows, errors: bad.rows.map((row) => row.slice(1, 8)) };
  }

  test("are those of DuckDB", async () => {
    const text = lines(
      "a,b,c",
      "1,x,2",
      "y,x,z",
      "3",
      "4,x,5,6,7",
      '7,"x"y,8',
      'q,"two\nlines",9',
      'q,"two ""quoted""\nlines",r',
      '1,"two\nlines",3,4',
      "9223372036854775808,x,1.x",
      "10,x,11",
    );
    const found = await ours(text);
    expect(found).toEqual(await ofDuckDb(text));
    expect(found.errors).toContainEqual([3n, 13n, 13n, 1n, "a", "CAST", "y,x,z"]);
    expect(found.errors).toContainEqual([4n, 19n, 20n, 2n, "b", "MISSING COLUMNS", "3"]);
    expect(found.errors).toContainEqual([9n, 56n, 81n, 3n, "c", "CAST", 'q,"two ""quoted""\nlines",r']);
  });

  test("are those of DuckDB in random files of many splits", async () => {
    const value = fc.constantFrom("1", "22", "x", '"y"', '"a,b"', '"two\nlines"', '"say ""so"""', "");
    const record = fc.array(value, { minLength: 3, maxLength: 3 }).map((fields) => fields.join(","));
    const notEmpty = value.filter((text) => text !== "");
    const other = fc.oneof(
      fc.array(notEmpty, { minLength: 1, maxLength: 5 }).map((fields) => [...fields, "1"].join(",")),
      fc.constant('1,"x"y,2'),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof({ weight: 4, arbitrary: record }, other), { minLength: 150, maxLength: 300 }), async (records) => {
        const text = lines("a,b,c", "1,x,2", ...records);
        expect(await ours(text)).toEqual(await ofDuckDb(text));
      }),
      { numRuns: 15, seed: 1, endOnFailure: true },
    );
  });

  test("are a table beside that of a name, of compressed files and of paths too", async () => {
    const folder = new Folder()
      .put("t/k=1/a.csv", lines("a,b", "1,x", ...Array.from({ length: 20_000 }, () => "2,y"), "3,z,4"))
      .put("t/k=2/b.csv.gz", gzipSync(lines("a,b", "1", "2,y")))
      .put("plain.parquet", "");
    const open = openFolder(folder);
    await expect(read(open, "t")).rejects.toMatchObject({ message: "t/k=1/a.csv line 20003: expected 2 fields, found 3" });
    const found = await read(open, "t$rejects", ["path", "line", "column_name", "error_message"]);
    const expected = [
      ["t/k=1/a.csv", 20_003n, null, "expected 2 fields, found 3"],
      ["t/k=2/b.csv.gz", 2n, "b", "expected 2 fields, found 1"],
    ];
    expect(texts(found.rows)).toEqual(expected);
    expect(texts((await read(open, "t/**/*.csv$rejects", ["path", "line", "column_name", "error_message"])).rows)).toEqual(
      expected.slice(0, 1),
    );
    const { metadata } = open.node.connector;
    expect(metadata.describedTable?.({ schema: "default", table: "t$rejects" })).toEqual({ schema: "default", table: "t" });
    expect(await metadata.getTable({ schema: "default", table: "plain$rejects" })).toBeUndefined();
    expect(await metadata.listTables("default")).not.toContain("t$rejects");
  });

  test("of JSON have the keys of values that do not fit", async () => {
    const text = lines('{"a": 1, "b": "x"}', '{"a": "y", "b": "x"}', '{"a": 2', "[]", '{"a": 3, "b": "\\u0041", "c": 1}');
    const open = openFolder(new Folder().put("t.json", text));
    const found = await call(open, "read_json_rejects", { path: "t.json", types: [{ name: "a", type: BIGINT }] });
    expect(found.rows).toEqual([
      ["t.json", 2n, 20n, 26n, 1n, "a", "CAST", '{"a": "y", "b": "x"}', "column a: 'y' is no bigint"],
      ["t.json", 3n, 41n, 41n, null, null, "INVALID JSON", '{"a": 2', "expected ',' or '}' at character 8"],
      ["t.json", 4n, 49n, 49n, null, null, "INVALID JSON", "[]", "expected one JSON object a line"],
    ]);
  });
});

test("sniff says how files would be read", async () => {
  const folder = new Folder().put("x/a.csv", lines("a;b", "1;'x'")).put("x/b.csv", lines("# numbers", "1,2", "3,4"));
  const found = await call(openFolder(folder), "sniff", { path: "x/*.csv" });
  expect(found.types).toEqual([
    "path varchar",
    "delimiter varchar",
    "quote varchar",
    "escape varchar",
    "skip bigint",
    "header boolean",
    "columns array(row(name varchar, type varchar))",
  ]);
  const type = arrayType(
    rowType([
      { name: "name", type: VARCHAR },
      { name: "type", type: VARCHAR },
    ]),
  );
  expect(found.rows.map((row) => row.slice(0, 6))).toEqual([
    ["x/a.csv", ";", "'", "'", 0n, true],
    ["x/b.csv", ",", '"', '"', 1n, false],
  ]);
  folder.put("j.json", '{"a": 1}').put("e/a.csv", "").put("e/b.csv", lines("a", "1"));
  const open = openFolder(folder);
  // A file is described in one format or another, whichever comes first; an empty one has no rows.
  expect((await read(open, "j")).types).toEqual(["a bigint"]);
  await expect(call(open, "read_csv", { path: "j.json" })).rejects.toThrow("a field that does not begin with a quote has one inside");
  expect((await call(open, "sniff", { path: "j.json" })).rows.map((row) => row.slice(0, 6))).toEqual([
    ["j.json", null, null, null, null, null],
  ]);
  expect((await read(open, "e")).rows).toEqual([[1n]]);
  folder.put("title.csv", lines("Export of 2024", "id;n", "1;2", "3;4"));
  expect((await call(open, "read_csv", { path: "title.csv" })).warnings).toEqual(["title.csv: a line before the header was skipped"]);
  const sniff = open.node.connector.tableFunctions?.find(({ name }) => name === "sniff") as SourceTableFunction;
  const given = new Map(sniff.parameters.map(({ name }) => [name, { kind: "SCALAR", value: name === "PATH" ? "x/a.csv" : null } as const]));
  const { table } = await sniff.analyze(given);
  const [row] = await readTable(open.world, open.node, table, table.columns);
  expect(decodeNested(type, nestedSource(row?.[6] as Uint8Array))).toEqual([
    ["a", "bigint"],
    ["b", "varchar"],
  ]);
});
