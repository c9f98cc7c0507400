/** Rooms that a reader takes in at a glance: few files in a folder, short lines. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { longest } from "../support/programs/longest-first.ts";
import { filesBelow, root } from "./sources.ts";

const rooms: readonly string[] = ["src", "sim", "scenarios", "test", "bench", "tools"];

const filesMax = 20;
const columnsMax = 140;
const prefixFilesMin = 7;

/** Folders that are lists of data or of cases, not rooms: a reader looks one entry up. */
const lists: Readonly<Record<string, string>> = {
  "test/oracle/statements": "files of SQL statements, one a feature",
  "test/oracle/tpch": "the 22 queries of TPC-H",
  "test/golden/tpch": "the plans of the 22 queries of TPC-H",
  "test/golden/tpch-memory": "the plans of the 22 queries of TPC-H over memory tables",
  "test/messages/situations": "situations in which a message is shown, one file a feature",
};

interface Folder {
  readonly path: string;
  readonly files: number;
}

/** With all folders below. */
function foldersBelow(path: string): readonly Folder[] {
  const entries = readdirSync(join(root, path), { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  const folders = entries.filter((entry) => entry.isDirectory());
  return [{ path, files: entries.length - folders.length }, ...folders.flatMap(({ name }) => foldersBelow(`${path}/${name}`))];
}

const comment = /^\s*(\/\/|\/\*|\*)/;
/** Tables of data, a row a line. */
const tables = /\/zone-table\.ts$/;
/** From the first to the last sign that a literal begins or ends with. */
const literals = /["'`/].*["'`/]/;

/** The formatter leaves literals whole: a statement or a message that is cut in pieces is harder to read and cannot be searched for. */
function isTooLong(line: string): boolean {
  return line.length > columnsMax && (comment.test(line) || line.replace(literals, "").length > columnsMax);
}

describe("tidy", () => {
  const folders = rooms.flatMap(foldersBelow);

  it(`keeps at most ${filesMax} files in a folder`, () => {
    const full = folders.filter(({ path, files }) => files > filesMax && !(path in lists));
    expect(full.map(({ path, files }) => `${path} has ${files} files`)).toEqual([]);
  });

  it(`makes a folder of ${prefixFilesMin} files that share a prefix`, () => {
    const shared = folders
      .filter(({ path }) => !(path in lists))
      .flatMap(({ path }) => {
        const counts = new Map<string, number>();
        for (const entry of readdirSync(join(root, path), { withFileTypes: true })) {
          const prefix = /^([^.-]+)-/.exec(entry.name)?.[1];
          if (entry.isFile() && prefix !== undefined) {
            counts.set(prefix, (counts.get(prefix) ?? 0) + 1);
          }
        }
        return [...counts].flatMap(([prefix, count]) => (count >= prefixFilesMin ? [`${path}: ${count} files begin with ${prefix}-`] : []));
      });
    expect(shared).toEqual([]);
  });

  it("knows no list that is none", () => {
    const long = new Set(folders.filter(({ files }) => files > filesMax).map(({ path }) => path));
    expect(Object.keys(lists).filter((path) => !long.has(path))).toEqual([]);
  });

  it("has the test files that are started first", () => {
    expect(longest.filter((name) => !existsSync(join(root, `test/${name}.test.ts`)))).toEqual([]);
  });

  it(`keeps comments and code within ${columnsMax} columns`, () => {
    const long = rooms
      .flatMap((room) => filesBelow(join(root, room), /\.tsx?$/))
      .filter((file) => !tables.test(file))
      .flatMap((file) =>
        readFileSync(file, "utf8")
          .split("\n")
          .flatMap((line, index) => (isTooLong(line) ? [`${relative(root, file)}:${index + 1} has ${line.length} columns`] : [])),
      );
    expect(long).toEqual([]);
  });
});
