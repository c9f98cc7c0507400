/** A few of the statements with known answers under random bounds; `npm run fuzz -- known` asks all. */
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Random } from "../random.ts";
import { drawKnobs, type KnownFile, knownFiles, quickPart } from "./known.ts";
import { KnownAnswers, type WrongAnswer } from "./known-answers.ts";

const root = join(dirname(fileURLToPath(import.meta.url)), "../../../..");
const files = knownFiles(root);
let known: KnownAnswers;

beforeAll(() => {
  known = new KnownAnswers(root);
});

afterAll(() => known.close());

async function wrongsOf(file: KnownFile, seed: number): Promise<readonly WrongAnswer[]> {
  const wrongs: WrongAnswer[] = [];
  await known.check(file, {
    knobs: drawKnobs(new Random(seed)),
    isOver: () => false,
    onWrong: (wrong) => {
      wrongs.push(wrong);
      return true;
    },
  });
  return wrongs;
}

it("errors and rows are the known ones under random bounds", async () => {
  const windows = files.find(({ kind, name }) => kind === "errors" && name === "windows.sql") as KnownFile;
  const [rows] = quickPart(files, "rows", { part: 1, parts: 60 }) as [KnownFile];
  expect(rows.kind === "rows" && rows.statements.length).toBeGreaterThan(30);
  expect(await wrongsOf(windows, 3)).toEqual([]);
  expect(await wrongsOf(rows, 4)).toEqual([]);
});

it("an answer that is not the known one is told", async () => {
  const errors: KnownFile = {
    kind: "errors",
    name: "planted",
    situations: [
      { place: "planted:1", sql: "SELECT nosuch FROM t1", headers: {}, error: { name: "TYPE_MISMATCH" } },
      { place: "planted:2", sql: "SELECT a FROM t1", headers: {}, error: { name: "COLUMN_NOT_FOUND" } },
      { place: "planted:3", sql: "SELECT nosuch FROM t1", headers: {}, error: { name: "COLUMN_NOT_FOUND" } },
    ],
  };
  const rows: KnownFile = {
    kind: "rows",
    name: "planted",
    statements: [
      { place: "planted:4", sql: "SELECT 1", expect: [[2]] },
      { place: "planted:5", sql: "SELECT 1", expect: [[1]] },
      { place: "planted:6", sql: "VALUES 1, 2", expect: [[2]] },
      { place: "planted:7", sql: "SELECT 1", duckdb: "SELECT 3" },
      { place: "planted:8", sql: "SELECT 1", expect: [[1]], types: "bigint" },
    ],
  };
  const told = async (file: KnownFile): Promise<readonly string[]> => (await wrongsOf(file, 5)).map(({ place }) => place);
  expect(await told(errors)).toEqual(["planted:1", "planted:2"]);
  expect(await told(rows)).toEqual(["planted:4", "planted:6", "planted:7", "planted:8"]);
});

it("parts of the quick statements are all of them, each once", () => {
  const parts = Array.from({ length: 7 }, (_, part) => quickPart(files, "rows", { part, parts: 7 })).flat();
  const places = parts.flatMap((file) => (file.kind === "rows" ? file.statements.map(({ place }) => place) : []));
  expect(new Set(places).size).toBe(places.length);
  expect(places.length).toBeGreaterThan(3000);
});
