/**
 * Paths as tables: patterns, what they may not reach, and table functions that read them.
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { matches, parsePattern } from "../../../../src/connectors/files/glob.ts";
import type { SourceTableFunction, TableFunctionArguments } from "../../../../src/connectors/table-function.ts";
import { displayType } from "../../../../src/types/type.ts";
import { readTable, tableOf } from "../world.ts";
import { Folder, openFolder, type OpenFolder, read } from "./folder.ts";

const folder = (): Folder =>
  new Folder()
    .put("a.csv", "x\n1\n")
    .put("data/a.csv", "x\n2\n")
    .put("data/b1.csv", "x\n3\n")
    .put("data/B3.csv", "x\n4\n")
    .put("data/_hidden.csv", "x\n5\n")
    .put("data/deep/er/c.csv", "x\n6\n")
    .put("data/year=2020/d.csv", "x\n7\n")
    .put("data/notes.txt", "x\n8\n");

async function rows(open: OpenFolder, path: string): Promise<readonly unknown[]> {
  return (await read(open, path, ["x"])).rows.map(([value]) => Number(value));
}

describe("patterns", () => {
  test.each<[string, readonly number[]]>([
    ["a.csv", [1]],
    ["./a.csv", [1]],
    ["data/a.csv", [2]],
    ["DATA/A.csv", [2]],
    ["data/*.csv", [4, 2, 3]],
    ["data/b?.csv", [4, 3]],
    ["data/b[12].csv", [3]],
    ["data/b[!12].csv", [4]],
    ["data/b[0-3].csv", [4, 3]],
    ["data/{a,b1}.csv", [2, 3]],
    ["{a.csv,data/{a,b1}.csv,data/a.csv}", [1, 2, 3]],
    ["data/_hidden.csv", [5]],
    ["**/*.csv", [1, 4, 2, 3, 6, 7]],
    ["data/**/c.csv", [6]],
    ["data/**/er/*.csv", [6]],
    ["data/deep/**", [6]],
    ["data/deep", [6]],
    ["data/deep/", [6]],
    ["data/year=2020/*.csv", [7]],
  ])("%s", async (pattern, expected) => {
    expect(await rows(openFolder(folder()), pattern)).toEqual(expected);
  });

  test("folders key=value on the way are columns", async () => {
    const found = await read(openFolder(folder()), "data/*/d.csv");
    expect([found.types, found.rows]).toEqual([["x bigint", "year bigint"], [[7n, 2020n]]]);
  });

  test("a table of the name comes first; a name without a file is no table", async () => {
    const open = openFolder(folder().put("data.csv.csv", "x\n9\n"));
    expect(await rows(open, "data.csv")).toEqual([9]);
    for (const name of ["data/nothing.csv", "data/c*.csv", "nowhere/*.csv", "b.csv"]) {
      expect(await open.node.connector.metadata.getTable({ schema: "default", table: name })).toBeUndefined();
    }
  });

  test.each([
    ["/etc/passwd", "is absolute: paths are relative to the folder of the catalog"],
    ["~/x.csv", "is absolute: paths are relative to the folder of the catalog"],
    ["c:/x.csv", "is absolute: paths are relative to the folder of the catalog"],
    ["../x.csv", "leaves its folder: '..' is not allowed"],
    ["data/../../x.csv", "leaves its folder: '..' is not allowed"],
    ["{a,../b}.csv", "leaves its folder: '..' is not allowed"],
    ["data\\x.csv", "has a backslash or a zero character"],
    ["https://host/x.csv", "is an address: only files below the folder of the catalog can be read"],
    ["data//x.csv", "has an empty name"],
    ["{a,b.csv", "has a brace that is not closed"],
    [`${"{a,b}".repeat(11)}.csv`, "stands for more than 1000 texts"],
  ])("%s is refused", async (path, message) => {
    await expect(tableOf(openFolder(folder()).node.connector, "default", path)).rejects.toMatchObject({
      errorName: "INVALID_PATH",
      message: `Path '${path}' ${message}`,
    });
  });

  test("can be switched off", async () => {
    const { node } = openFolder(folder(), { "files.paths-enabled": "false" });
    expect(await node.connector.metadata.getTable({ schema: "default", table: "data/a.csv" })).toBeUndefined();
    expect(await node.connector.metadata.getTable({ schema: "default", table: "a" })).toBeDefined();
    expect([node.connector.metadata.hasPaths, node.connector.tableFunctions]).toEqual([undefined, []]);
    expect(() => openFolder(folder(), { "files.paths-enabled": "no" })).toThrow("Invalid value 'no' for property 'files.paths-enabled'");
  });

  test("a file of no known format is an error that says what to do; among others it is skipped", async () => {
    const open = openFolder(folder());
    await expect(tableOf(open.node.connector, "default", "data/notes.txt")).rejects.toMatchObject({
      message: "File data/notes.txt is of no known format: name it in read_csv, read_json or read_parquet",
    });
    expect(await rows(open, "data/[an]*")).toEqual([2]);
  });

  test("wildcards match as regular expressions do, in bounded time", () => {
    const part = fc.constantFrom("a", "b", "*", "?", "[ab]", "[!a]", "[a-c]", ".");
    fc.assert(
      fc.property(
        fc.array(part, { maxLength: 8 }),
        fc.string({ unit: fc.constantFrom("a", "b", "c", ".", "A"), maxLength: 8 }),
        (parts, name) => {
          const translated = parts.map((one) => (one === "*" ? ".*" : one === "?" ? "." : one === "." ? "\\." : one.replace("!", "^")));
          expect(matches(parts.join(""), name)).toBe(new RegExp(`^${translated.join("")}$`, "is").test(name));
        },
      ),
      { numRuns: 2000 },
    );
    expect(matches("*a".repeat(200), "b".repeat(5000))).toBe(false);
  });

  test("no text is an error other than a declared one", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom("a", "/", "{", "}", ",", ".", "*", "[", "]", "\\"), maxLength: 30 }), (text) => {
        try {
          for (const segments of parsePattern(text)) {
            expect(segments).not.toContain("..");
            segments.forEach((segment) => matches(segment, "a.b"));
          }
        } catch (error) {
          expect(error).toMatchObject({ errorName: "INVALID_PATH" });
        }
      }),
      { numRuns: 2000 },
    );
  });
});

async function call(open: OpenFolder, name: string, args: Readonly<Record<string, string>>) {
  const found = open.node.connector.tableFunctions?.find((one) => one.name === name) as SourceTableFunction;
  const given: TableFunctionArguments = new Map(
    found.parameters.map((parameter) => [
      parameter.name,
      parameter.kind === "SCALAR"
        ? { kind: "SCALAR", value: args[parameter.name.toLowerCase()] ?? parameter.default ?? null }
        : { kind: "DESCRIPTOR", fields: null },
    ]),
  );
  const { table, statistics } = await found.analyze(given);
  const columns = table.columns.filter(({ hidden }) => hidden !== true);
  return {
    types: columns.map(({ name: column, type }) => `${column} ${displayType(type)}`),
    rows: await readTable(open.world, open.node, table, columns),
    rowCount: statistics?.rowCount,
  };
}

describe("table functions", () => {
  test("read files of any name", async () => {
    const open = openFolder(folder().put("data/lines.log", '{"a":1}\n'));
    expect(await call(open, "read_csv", { path: "data/notes.txt" })).toEqual({ types: ["x bigint"], rows: [[8n]], rowCount: 1 });
    expect(await call(open, "read_json", { path: "data/*.log" })).toEqual({ types: ["a bigint"], rows: [[1n]], rowCount: 1 });
    await expect(call(open, "read_parquet", { path: "a.csv" })).rejects.toMatchObject({ message: "a.csv: this is not a Parquet file" });
    await expect(call(open, "read_csv", { path: "nothing.csv" })).rejects.toMatchObject({
      errorName: "FILE_NOT_FOUND",
      message: "File nothing.csv does not exist",
    });
    await expect(call(open, "read_csv", { path: "../a.csv" })).rejects.toMatchObject({ errorName: "INVALID_PATH" });
    await expect(call(open, "read_csv", {})).rejects.toMatchObject({ message: "Path is null or empty" });
  });
});
