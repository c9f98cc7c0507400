/** Long work on files is done in slices, so that a node answers requests meanwhile, and work that yields no rows is not done again. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { afterEach, expect, it, vi } from "vitest";
import { TextKernels } from "../../../../src/connectors/files/text/kernels/kernels.ts";
import { ThriftReader } from "../../../../src/connectors/files/parquet/thrift.ts";
import { storedPages } from "../../../../src/connectors/files/parquet/stored-pages.ts";
import { Folder, openFolder, read, visibleTable } from "./folder.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

async function turnsOf(name: string, content: string | Uint8Array): Promise<number> {
  const open = openFolder(new Folder().put(name, content));
  await visibleTable(open);
  return open.world.turns;
}

it("the footer of a Parquet file of many row groups and columns", async () => {
  const folder = mkdtempSync(join(tmpdir(), "slices-"));
  const duckdb = await (await DuckDBInstance.create(":memory:", { threads: "1" })).connect();
  const written = async (columns: number): Promise<Uint8Array> => {
    const path = join(folder, `${columns}.parquet`);
    const names = Array.from({ length: columns }, (_, index) => `i AS c${index}`);
    await duckdb.run(`COPY (SELECT ${names.join()} FROM range(40960) t(i)) TO '${path}' (FORMAT parquet, ROW_GROUP_SIZE 2048)`);
    return new Uint8Array(readFileSync(path));
  };
  // 20 row groups.
  expect(await turnsOf("t.parquet", await written(2))).toBe(0);
  expect(await turnsOf("t.parquet", await written(160))).toBe(2);
  duckdb.closeSync();
  rmSync(folder, { recursive: true });
});

it.each([
  ["t.csv", "a,b\n1,x\n", "12345,some text\n"],
  ["t.json", '{"a":1}\n', '{"a":12345,"b":[1,2,3]}\n'],
])("the sample of %s", async (name, first, line) => {
  expect(await turnsOf(name, first + line.repeat(10))).toBe(0);
  expect(await turnsOf(name, first + line.repeat(40_000))).toBeGreaterThan(8);
});

it.each([
  ["t.csv", "a,b\n1,2\n", "\n", "csvRecords"],
  ["t.csv", "a,b\r\n1,2\r\n", "\r\n", "csvRecords"],
  ["t.json", '{"a":1}\n', "\n", "jsonRecords"],
  ["t.json", '{"a":1}\n', " \t\r\n", "jsonRecords"],
] as const)("the blank lines of %s are passed once: %j %j", async (name, first, blank, kernel) => {
  const searches = vi.spyOn(TextKernels.prototype, kernel);
  const { rows } = await read(openFolder(new Folder().put(name, first + blank.repeat(20_000) + first.slice(first.indexOf("\n") + 1))), "t");
  expect(rows.length).toBe(name === "t.csv" ? 2 : 1);
  expect(searches.mock.calls.length).toBeLessThan(10);
});

it("keys of JSON beyond those that are compared byte by byte are found by their names, also with escapes", async () => {
  const keys = Array.from({ length: 100 }, (_, index) => `key${index}`);
  const line = (at: number): string =>
    `{${[...keys.slice(at), ...keys.slice(0, at)].map((key, index) => `"${key}":${index + at}`).join()}}`;
  const escaped = line(0).replace("key99", String.raw`\u006bey99`);
  const { columns, rows } = await read(openFolder(new Folder().put("t.json", [line(0), line(50), escaped, line(99)].join("\n"))), "t");
  expect(columns.map(({ name }) => name)).toEqual(keys);
  expect(rows.map((row) => [row[0], row[64], row[99]])).toEqual([
    [0n, 64n, 99n],
    [100n, 64n, 99n],
    [0n, 64n, 99n],
    [100n, 164n, 99n],
  ]);
});

it("structs of a list of Thrift come one by one, and numbers of any length are what they were", async () => {
  // Field 1: i64 -1; field 2: list of two structs, each with field 1: i64; field 3: i64 2^62.
  const varint = (value: bigint): readonly number[] => {
    const bytes: number[] = [];
    for (let rest = (value << 1n) ^ (value >> 63n); ; rest >>= 7n) {
      if (rest < 0x80n) {
        return [...bytes, Number(rest)];
      }
      bytes.push(Number(rest & 0x7fn) | 0x80);
    }
  };
  for (const [first, second] of [
    [0n, -1n],
    [(1n << 27n) - 1n, 1n << 27n],
    [-(1n << 27n), -(1n << 27n) - 1n],
    [1n << 52n, -(1n << 62n)],
  ] as const) {
    const item = (value: bigint): readonly number[] => [0x16, ...varint(value), 0];
    const bytes = Uint8Array.from([0x16, 1, 0x19, 0x2c, ...item(first), ...item(second), 0x16, ...varint(1n << 62n), 0]);
    const items: (number | undefined)[] = [];
    const struct = await new ThriftReader(bytes).structByParts(2, (one) => {
      items.push(one.integer(1));
      return undefined;
    });
    const exact = (value: bigint): number | undefined => (Number.isSafeInteger(Number(value)) ? Number(value) : undefined);
    expect(items).toEqual([exact(first), exact(second)]);
    expect([struct.integer(1), struct.structs(2).length, struct.has(3)]).toEqual([-1, 0, true]);
    expect(
      new ThriftReader(bytes)
        .struct()
        .structs(2)
        .map((one) => one.integer(1)),
    ).toEqual(items);
  }
});

it("pages of Parquet without entries are not opened", () => {
  // Page headers: data, 0 bytes, encoding PLAIN with levels in RLE.
  const page = (values: number): readonly number[] => [0x15, 0, 0x15, 0, 0x15, 0, 0x2c, 0x15, values * 2, 0x15, 0, 0x15, 6, 0x15, 6, 0, 0];
  const bytes = Uint8Array.from([...Array.from({ length: 1000 }, () => page(0)).flat(), ...page(3)]);
  expect(storedPages(bytes, 3).map(({ values }) => values)).toEqual([3]);
});

it("a commit of Delta Lake with a number far beyond the others is an error, whatever its number", async () => {
  const log = (version: number): string => `t/_delta_log/${String(version).padStart(20, "0")}.json`;
  const schemaString = JSON.stringify({ type: "struct", fields: [{ name: "id", type: "long", nullable: true, metadata: {} }] });
  const first = [{ protocol: { minReaderVersion: 1, minWriterVersion: 2 } }, { metaData: { id: "t", schemaString, partitionColumns: [] } }];
  const folder = new Folder().put(log(0), first.map((action) => JSON.stringify(action)).join("\n"));
  expect((await visibleTable(openFolder(folder))).columns.map(({ name }) => name)).toEqual(["id"]);
  folder.put(log(1_000_000_000), "");
  await expect(visibleTable(openFolder(folder))).rejects.toThrow("version 1 of the table is missing");
});
