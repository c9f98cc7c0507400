import { describe, expect, it } from "vitest";
import { floatingText } from "../../../src/cli/formats/cells.ts";
import { type OutputFormat, rowPrinter } from "../../../src/cli/formats/formats.ts";
import { MemoryOutput } from "./memory-output.ts";

const columns = [
  { name: "n", type: "bigint" },
  { name: "name", type: "varchar(25)" },
  { name: "price", type: "double" },
];
const rows = [
  [1, 'say "hi"', 1],
  [9223372036854775807n, "a\tb\nc", 1.5e10],
  [null, null, null],
];

async function printed(
  format: OutputFormat,
  of: readonly { name: string; type: string }[] = columns,
  pages: readonly (readonly unknown[])[][] = [rows],
  width = 80,
) {
  const output = new MemoryOutput({ width });
  const printer = rowPrinter(format, { columns: of, output });
  for (const page of pages) {
    await printer.rows(page);
  }
  await printer.finish();
  return output.text;
}

describe("formats", () => {
  it("ALIGNED draws columns as wide as their widest cell, numbers to the right, and goes on over lines", async () => {
    expect(await printed("ALIGNED")).toBe(
      [
        "          n          |   name   | price  ",
        "---------------------+----------+--------",
        '                   1 | say "hi" |    1.0 ',
        " 9223372036854775807 | a    b  +| 1.5E10 ",
        "                     | c        |        ",
        "                NULL | NULL     |   NULL ",
        "",
      ].join("\n"),
    );
  });

  it("ALIGNED counts columns of the screen, not characters", async () => {
    expect(await printed("ALIGNED", [{ name: "x", type: "varchar" }], [[["\u65e5\u672c"], ["e\u0301"], ["abc"]]])).toBe(
      ["  x   ", "------", " \u65e5\u672c ", " e\u0301    ", " abc  ", ""].join("\n"),
    );
  });

  it("ALIGNED draws a header for no rows, and a later batch under the same header", async () => {
    expect(await printed("ALIGNED", [{ name: "x", type: "bigint" }], [])).toBe(" x \n---\n");
    const many = Array.from({ length: 10_001 }, (_, index) => [index]);
    const text = await printed("ALIGNED", [{ name: "x", type: "bigint" }], [many]);
    expect(text.match(/x/g)).toHaveLength(1);
    expect(text.split("\n")).toHaveLength(10_004);
  });

  it("text cannot steer the terminal", async () => {
    expect(await printed("ALIGNED", [{ name: "x", type: "varchar" }], [[["a\u001b[2Jb\u0007"]]])).toContain(" a\u00b7[2Jb\u00b7 ");
  });

  it("VERTICAL draws a column a line", async () => {
    expect(await printed("VERTICAL")).toBe(
      [
        "-[ RECORD 1 ]---",
        "n     | 1",
        'name  | say "hi"',
        "price | 1.0",
        "-[ RECORD 2 ]--------------",
        "n     | 9223372036854775807",
        "name  | a    b",
        "      | c",
        "price | 1.5E10",
        "-[ RECORD 3 ]",
        "n     | NULL",
        "name  | NULL",
        "price | NULL",
        "",
      ].join("\n"),
    );
    expect(await printed("VERTICAL", columns, [])).toBe("(no rows)\n");
    expect(await printed("VERTICAL", [{ name: "a_long_column_name", type: "varchar" }], [[["x"]]])).toBe(
      "-[ RECORD 1 ]------+--\na_long_column_name | x\n",
    );
  });

  it("AUTO is ALIGNED where there is room and VERTICAL elsewhere", async () => {
    expect(await printed("AUTO")).toBe(await printed("ALIGNED"));
    expect(await printed("AUTO", columns, [rows], 30)).toBe(await printed("VERTICAL"));
  });

  it("CSV quotes every field, NULL is empty", async () => {
    expect(await printed("CSV")).toBe('"1","say ""hi""","1.0"\n"9223372036854775807","a\tb\nc","1.5E10"\n"","",""\n');
    expect(await printed("CSV_HEADER", columns, [])).toBe('"n","name","price"\n');
    expect(await printed("CSV_UNQUOTED", columns, [[[1, "x", 2]]])).toBe("1,x,2.0\n");
    expect(await printed("CSV_HEADER_UNQUOTED", columns, [[[1, "x", 2]], [[2, "y", 3]]])).toBe("n,name,price\n1,x,2.0\n2,y,3.0\n");
  });

  it("TSV escapes what would break a line or a field", async () => {
    expect(await printed("TSV")).toBe('1\tsay "hi"\t1.0\n9223372036854775807\ta\\tb\\nc\t1.5E10\n\t\t\n');
    expect(await printed("TSV_HEADER", columns, [])).toBe("n\tname\tprice\n");
  });

  it("JSON is an object a line, exact to the last digit, and loses no column to another's name", async () => {
    expect(await printed("JSON")).toBe(
      '{"n":1,"name":"say \\"hi\\"","price":1}\n{"n":9223372036854775807,"name":"a\\tb\\nc","price":15000000000}\n{"n":null,"name":null,"price":null}\n',
    );
    expect(await printed("JSON", [columns[0], columns[0]] as typeof columns, [[[1, 2]]])).toBe('{"n":1,"n_2":2}\n');
  });

  it("MARKDOWN is a table", async () => {
    expect(
      await printed("MARKDOWN", columns.slice(0, 2), [
        [
          [1, "a|b"],
          [22, null],
        ],
      ]),
    ).toBe(["|  n | name |", "| --:| ---- |", "|  1 | a\\|b |", "| 22 | NULL |", ""].join("\n"));
  });

  it("NULL prints nothing", async () => {
    expect(await printed("NULL")).toBe("");
  });

  it("other types: bytes as hex, arrays and maps in brackets", async () => {
    const wide = [
      { name: "b", type: "varbinary" },
      { name: "a", type: "array(bigint)" },
      { name: "m", type: "map(varchar, bigint)" },
    ];
    expect(await printed("CSV_UNQUOTED", wide, [[["aGVsbG8=", [1, null], { k: 2n }]]])).toBe("68 65 6c 6c 6f,[1, NULL],{k=2}\n");
  });

  it.each([
    [0, "0.0"],
    [-0, "-0.0"],
    [1, "1.0"],
    [0.001, "0.001"],
    [0.0001, "1.0E-4"],
    [9999999, "9999999.0"],
    [1e7, "1.0E7"],
    [-1.25e-7, "-1.25E-7"],
    [123456.789, "123456.789"],
  ])("the double %d is %s", (value, text) => {
    expect(floatingText(value)).toBe(text);
  });
});
