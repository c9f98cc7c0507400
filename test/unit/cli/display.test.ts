/**
 * How results and progress look on a terminal.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { rowPrinter } from "../../../src/cli/formats/formats.ts";
import { hasColors, painter, unpainted } from "../../../src/cli/formats/style.ts";
import { fitColumns, tableWidth } from "../../../src/cli/formats/window.ts";
import { ProgressDisplay } from "../../../src/cli/progress/progress-display.ts";
import { progressLines } from "../../../src/cli/progress/stage-tree.ts";
import type { StageStatsDocument } from "../../../src/protocol/documents/statement.ts";
import { TerminalEmulator } from "../../support/terminal/emulator.ts";
import { results } from "../client/scripted.ts";
import { MemoryOutput } from "./memory-output.ts";

const columns = [
  { name: "n", type: "bigint" },
  { name: "name", type: "varchar" },
];

describe("colours", () => {
  it("NULL is grey, names are bold, numbers stand to the right", async () => {
    const output = new MemoryOutput();
    const printer = rowPrinter("ALIGNED", { columns, output, style: { paint: painter(true), nullText: "(null)", wide: "fit" } });
    await printer.rows([
      [1, null],
      [null, "(null)"],
    ]);
    await printer.finish();
    const bar = "\u001b[90m|\u001b[0m";
    expect(output.text).toBe(
      [
        `   \u001b[1mn\u001b[0m    ${bar}  \u001b[1mname\u001b[0m  `,
        "\u001b[90m--------+--------\u001b[0m",
        `      1 ${bar} \u001b[90m(null)\u001b[0m `,
        ` \u001b[90m(null)\u001b[0m ${bar} (null) `,
        "",
      ].join("\n"),
    );
  });

  it("follow NO_COLOR, a pipe and a dumb terminal", () => {
    expect(hasColors(true, {})).toBe(true);
    expect(hasColors(false, {})).toBe(false);
    expect(hasColors(true, { NO_COLOR: "1" })).toBe(false);
    expect(hasColors(true, { NO_COLOR: "" })).toBe(true);
    expect(hasColors(true, { TERM: "dumb" })).toBe(false);
    expect(painter(false)("null", "x")).toBe("x");
    expect(painter(false)("selected", "x")).toBe("\u001b[7mx\u001b[0m");
  });
});

describe("rows wider than the window", () => {
  it("never leave it, show the first column, and lose none uncounted", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 80 }), { minLength: 1, maxLength: 30 }),
        fc.integer({ min: 12, max: 200 }),
        (widths, window) => {
          fc.pre(tableWidth(widths) > window);
          const { shown, hiddenColumns, gapAt } = fitColumns({ widths, mayCut: (index) => index % 3 > 0 }, window);
          expect(shown.length + hiddenColumns).toBe(widths.length);
          expect(shown[0]?.index).toBe(0);
          // A number is shown with all of its digits, unless the window is narrower than the first column.
          expect(shown.slice(1).every(({ index, width }) => index % 3 > 0 || width === widths[index])).toBe(true);
          expect(shown.map(({ index }) => index)).toEqual(shown.map(({ index }) => index).toSorted((one, other) => one - other));
          const width = tableWidth(shown.map((column) => column.width)) + (hiddenColumns > 0 ? 4 : 0);
          expect(width <= window || shown.length === 1).toBe(true);
          if (hiddenColumns > 0) {
            expect(gapAt).toBeLessThanOrEqual(shown.length);
          }
        },
      ),
    );
  });

  it("few of them are drawn one column a line", async () => {
    const output = new MemoryOutput({ width: 20, height: 24 });
    const printer = rowPrinter("AUTO", { columns, output, style: { paint: unpainted, nullText: "NULL", wide: "fit" } });
    await printer.rows([[1, "a name that is longer than the window"]]);
    await printer.finish();
    expect(output.text).toContain("-[ RECORD 1 ]");
  });

  it("values are cut with an ellipsis before columns are hidden", async () => {
    const output = new MemoryOutput({ width: 45, height: 5 });
    const printer = rowPrinter("AUTO", { columns, output, style: { paint: unpainted, nullText: "NULL", wide: "fit" } });
    await printer.rows([[1, "a".repeat(60)]]);
    await printer.finish();
    expect(output.text.split("\n")[2]).toBe(` 1 | ${"a".repeat(38)}\u2026 `);
    expect(printer.hiddenColumns).toBe(0);
  });
});

function stage(stageId: string, parts: Partial<StageStatsDocument> = {}): StageStatsDocument {
  const { state: _state, scheduled: _scheduled, ...counters } = results().stats;
  return { ...counters, stageId, state: "RUNNING", done: false, totalSplits: 8, completedSplits: 0, subStages: [], ...parts };
}

describe("progress", () => {
  const tree = stage("q.0", {
    totalSplits: 1,
    runningSplits: 1,
    subStages: [
      stage("q.1", { completedSplits: 4, runningSplits: 2, queuedSplits: 2, processedRows: 1_200_000, processedBytes: 3 * 1024 * 1024 }),
      stage("q.2", { state: "FINISHED", done: true, completedSplits: 8 }),
    ],
  });

  it("is Trino's tree of stages with a bar for each", () => {
    const stats = { ...results().stats, state: "RUNNING" as const, rootStage: tree };
    const lines = progressLines(results({ stats }), { elapsedMs: 2000, width: 100, height: 30, paint: unpainted });
    expect(lines.slice(2)).toEqual([
      "              STAGES  ROWS ROWS/s  BYTES BYTES/s QUEUED   RUN  DONE",
      "0..................R     0      0     0B      0B      0     1     0  [>>>>>>>>>>>>>>>>]",
      "  1................R  1.2M   600K    3MB   1.5MB      2     2     4  [========>>>>    ]",
      "  2................F     0      0     0B      0B      0     0     8  [================]",
    ]);
  });

  it("stays inside of the window, and leaves nothing behind", async () => {
    const deep = (depth: number): StageStatsDocument =>
      stage(`q.${depth}`, depth === 0 ? {} : { subStages: [deep(depth - 1), stage(`q.${100 + depth}`)] });
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 20, max: 140 }),
        fc.integer({ min: 6, max: 40 }),
        fc.array(fc.nat(20), { minLength: 1, maxLength: 5 }),
        async (width, height, depths) => {
          const emulator = new TerminalEmulator(width, height);
          emulator.write("orrery> select\n");
          const display = new ProgressDisplay({
            isTerminal: true,
            width,
            height,
            write: (text) => Promise.resolve(emulator.write(text)),
          });
          for (const depth of depths) {
            const stats = { ...results().stats, state: "RUNNING" as const, rootStage: deep(depth) };
            const lines = progressLines(results({ stats }), { elapsedMs: 2000, width, height, paint: unpainted });
            expect(lines.length).toBeLessThan(height);
            expect(lines.every((line) => line.length < width)).toBe(true);
            await display.show(lines);
            expect(emulator.lines.slice(-lines.length).map((line) => line.trimEnd())).toEqual(lines.map((line) => line.trimEnd()));
          }
          await display.hide();
          expect([...emulator.scrolledOut, ...emulator.lines]).toEqual(["orrery> select"]);
        },
      ),
    );
  });
});
