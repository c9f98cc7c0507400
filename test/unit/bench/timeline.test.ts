/**
 * `npm run bench -- timeline`: the notes fit the sources, and a run is told by what its threads did.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { instrumented, instrumentedFiles } from "../../../bench/timeline/instruments.ts";
import { type Note, parseNotes, sharesOf } from "../../../bench/timeline/spans.ts";
import { projectRoot } from "../../support/programs/server-process.ts";

test("the notes fit the sources of this commit, and no others", () => {
  for (const file of instrumentedFiles) {
    const source = readFileSync(join(projectRoot, file), "utf8");
    expect(instrumented(file, source)).toContain("timelineNote(");
    expect(() => instrumented(file, "export {};")).toThrow(`${file} does not contain once`);
  }
});

test("a run is told by what its workers did", () => {
  const note = (thread: number, start: number, end: number, kind = "slice", label = `of ${thread}`): Note => {
    return { thread, start, end, kind, label };
  };
  const shares = sharesOf(
    [
      note(0, 0, 20),
      // It finds that it must wait.
      note(1, 1, 1.04),
      note(1, 2, 10, "slice", "scan"),
      note(2, 4, 6),
      note(2, 10, 11, "serve"),
      note(2, 12, 15, "slice", "join"),
      // Of the next query.
      note(1, 25, 30),
    ],
    20,
  );
  const rounded = Object.entries(shares).map(([name, value]) => [name, typeof value === "number" ? Math.round(value) : value]);
  expect(Object.fromEntries(rounded)).toMatchObject({ startMs: 2, togetherMs: 2, aloneMs: 9, messagesMs: 1, idleMs: 1, endMs: 5 });
  expect(shares.alone.map(([label, ms]) => [label, Math.round(ms)])).toEqual([
    ["scan", 6],
    ["join", 3],
  ]);
});

test("notes are lines of microseconds", () => {
  const expected: Note = { thread: 2, start: 1.5, end: 2, kind: "serve", label: "GET /v1/task" };
  expect(parseNotes(2, "101500\t102000\tserve\tGET /v1/task\n", 100_000)).toEqual([expected]);
});
