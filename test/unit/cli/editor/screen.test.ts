/**
 * What the screen shows: frames drawn one after another on an emulated terminal must look like the last frame drawn alone.
 */
import fc from "fast-check";
import stringWidth from "string-width";
import { describe, expect, it } from "vitest";
import { LineEditor } from "../../../../src/cli/editor/editor.ts";
import { layout } from "../../../../src/cli/editor/layout.ts";
import { Screen } from "../../../../src/cli/editor/screen.ts";
import { TerminalEmulator } from "../../../support/terminal/emulator.ts";

const history = ["select 1;", "select a_long_name_that_wraps,\n  \u65e5\u672c\u8a9e\nfrom some_table;"];

function terminal(width: number, height: number) {
  const emulator = new TerminalEmulator(width, height);
  const screen = new Screen(true);
  const editor = new LineEditor({ history: () => history, isComplete: () => false });
  const frame = () => layout(editor.view, { prompt: "orrery> ", continuation: "     >> ", width, height, textWidth: stringWidth });
  return {
    emulator,
    editor,
    draw: () => emulator.write(screen.draw(frame(), width)),
    finish: () => emulator.write(screen.finish()),
    frame,
    press: (name: string, text = "") => editor.key({ name, text }),
  };
}

describe("the screen", () => {
  it("shows prompt, statement and continuation", () => {
    const { emulator, press, draw } = terminal(40, 10);
    press("text", "select 'a'");
    press("alt-enter");
    press("text", "from t");
    draw();
    expect(emulator.lines).toEqual(["orrery> select 'a'", "     >> from t"]);
    expect(emulator.cursor).toEqual({ row: 1, column: 14 });
    expect(emulator.cells[0]?.[8]?.rendition).toBe("1;34");
    expect(emulator.cells[0]?.[16]?.rendition).toBe("32");
  });

  it("wraps at the width, also before a wide character", () => {
    const { emulator, press, draw } = terminal(20, 10);
    press("text", "abcdefghijk\u65e5\u672c");
    draw();
    expect(emulator.lines).toEqual(["orrery> abcdefghijk", "\u65e5\u672c"]);
    expect(emulator.cursor).toEqual({ row: 1, column: 4 });
  });

  it("puts the cursor behind a full row at the start of the next one", () => {
    const { emulator, press, draw } = terminal(20, 10);
    press("text", "abcdefghijkl");
    draw();
    expect(emulator.cursor).toEqual({ row: 1, column: 0 });
  });

  it("draws the menu below and takes it away", () => {
    const { emulator, editor, press, draw } = terminal(40, 10);
    press("text", "select n");
    const candidates = Array.from({ length: 30 }, (_, index) => ({ text: `name_${index}`, detail: "bigint" }));
    editor.offer(candidates, { text: "select n", cursor: 8, from: 7 });
    draw();
    expect(emulator.lines[1]).toBe("name_0 bigint   name_8 bigint");
    expect(emulator.lines.at(-1)).toBe("1-16 of 30");
    press("tab");
    draw();
    expect(emulator.cells[1]?.[0]?.rendition).toBe("7");
    press("text", ",");
    draw();
    expect(emulator.lines).toEqual(["orrery> select name_0,"]);
  });

  it("shows the search below the statement that it found", () => {
    const { emulator, press, draw } = terminal(60, 10);
    press("ctrl-r");
    press("text", "some");
    draw();
    expect(emulator.lines.at(-1)).toBe("reverse-i-search: some");
    expect(emulator.cursor).toEqual({ row: 3, column: 22 });
    expect(emulator.cells[2]?.[13]?.rendition).toBe("1;4");
  });

  it("a text higher than the window shows the part with the cursor", () => {
    const { emulator, press, draw, finish } = terminal(20, 4);
    for (let line = 0; line < 10; line++) {
      press("text", `line ${line}`);
      press("alt-enter");
      draw();
    }
    expect(emulator.lines).toEqual(["     >> line 7", "     >> line 8", "     >> line 9", "     >>"]);
    press("ctrl-home");
    draw();
    expect(emulator.lines[0]).toBe("orrery> line 0");
    expect(emulator.cursor).toEqual({ row: 0, column: 8 });
    finish();
    expect(emulator.cursor.column).toBe(0);
  });

  it("looks the same drawn step by step as drawn at once", () => {
    const key = fc.oneof(
      fc.constantFrom("a", "select ", "'x'", "\u65e5\u672c", "123", "-- c", "abcdefghijklmnop").map((text) => ({ name: "text", text })),
      fc
        .constantFrom(
          ..."left right up down home end backspace enter alt-enter ctrl-k ctrl-u ctrl-w ctrl-r ctrl-p ctrl-g ctrl-home ctrl-_".split(" "),
        )
        .map((name) => ({ name, text: "" })),
    );
    fc.assert(
      fc.property(
        fc.array(key, { maxLength: 30 }),
        fc.integer({ min: 12, max: 40 }),
        fc.integer({ min: 3, max: 12 }),
        (keys, width, height) => {
          const stepwise = terminal(width, height);
          stepwise.draw();
          for (const { name, text } of keys) {
            stepwise.press(name, text);
            stepwise.draw();
          }
          const atOnce = new TerminalEmulator(width, height);
          atOnce.write(new Screen(true).draw(stepwise.frame(), width));
          const { lines, cursor } = stepwise.emulator;
          const offset = cursor.row - atOnce.cursor.row;
          // Frames grow downwards and scroll the terminal; what is shown is the frame, wherever it begins.
          expect(lines.slice(offset)).toEqual(atOnce.lines);
          expect(cursor.column).toBe(atOnce.cursor.column);
          expect(lines.slice(0, offset)).toEqual([]);
        },
      ),
      { numRuns: 500 },
    );
  });
});
