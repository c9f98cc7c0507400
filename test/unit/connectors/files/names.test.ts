/**
 * File columns with the names of members of Object.prototype are ordinary columns.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { expect, test } from "vitest";
import { Folder, openFolder, read, texts } from "./folder.ts";

const names = ["__proto__", "constructor", "hasownproperty"];

async function table(folder: Folder): Promise<readonly unknown[]> {
  const { types, rows } = await read(openFolder(folder), "t");
  return [types, texts(rows)];
}

test("CSV", async () => {
  const text = `${names.join()}\n1,x,\n,,2.5\n`;
  expect(await table(new Folder().put("t.csv", text))).toEqual([
    ["__proto__ bigint", "constructor varchar", "hasownproperty double"],
    [
      [1n, "x", null],
      [null, null, 2.5],
    ],
  ]);
});

test("JSON lines, where a line lacks them", async () => {
  const text = '{"a": 1}\n{"__proto__": 7, "constructor": "x", "a": 2}\n{"__proto__": null, "hasownproperty": true}\n';
  expect(await table(new Folder().put("t.jsonl", text))).toEqual([
    ["a bigint", "__proto__ bigint", "constructor varchar", "hasownproperty boolean"],
    [
      [1n, null, null, null],
      [2n, 7n, "x", null],
      [null, null, null, true],
    ],
  ]);
});

test("Parquet, where a file lacks them", async () => {
  const directory = mkdtempSync(join(tmpdir(), "names-"));
  const duckdb = await (await DuckDBInstance.create()).connect();
  const written = async (query: string, file: string): Promise<Uint8Array> => {
    await duckdb.run(`COPY (${query}) TO '${join(directory, file)}' (FORMAT PARQUET)`);
    return readFileSync(join(directory, file));
  };
  try {
    const folder = new Folder()
      .put("t/a.parquet", await written(`SELECT 1 AS a, 'x' AS "__proto__", 5 AS "constructor", true AS "hasownproperty"`, "a"))
      .put("t/b.parquet", await written("SELECT 2 AS a", "b"));
    expect(await table(folder)).toEqual([
      ["a integer", "__proto__ varchar", "constructor integer", "hasownproperty boolean"],
      [
        [1, "x", 5, true],
        [2, null, null, null],
      ],
    ]);
  } finally {
    duckdb.closeSync();
    rmSync(directory, { recursive: true });
  }
});
