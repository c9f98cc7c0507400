import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type EditorEvent, LineEditor } from "../../../../src/cli/editor/editor.ts";
import { graphemesOf } from "../../../../src/cli/formats/graphemes.ts";

function editor(history: readonly string[] = []) {
  const machine = new LineEditor({ history: () => history, isComplete: (text) => text.trimEnd().endsWith(";") });
  const press = (...names: readonly string[]): EditorEvent => {
    let event: EditorEvent = { kind: "none" };
    for (const name of names) {
      event = machine.key(/^[^ ]*$/.test(name) && isKeyName(name) ? { name, text: "" } : { name: "text", text: name });
    }
    return event;
  };
  /** The text with the cursor as a bar. */
  const shown = (): string => {
    const { text, cursor } = machine.view;
    return `${text.slice(0, cursor)}|${text.slice(cursor)}`;
  };
  return { machine, press, shown };
}

const keyNames: ReadonlySet<string> = new Set(
  "enter left right up down home end tab shift-tab backspace delete escape page-up page-down alt-enter ctrl-left ctrl-right ctrl-home ctrl-end".split(
    " ",
  ),
);

function isKeyName(name: string): boolean {
  return keyNames.has(name) || /^(ctrl|alt)-./.test(name);
}

describe("editing", () => {
  it("Enter continues a statement until it is complete, wherever the cursor stands", () => {
    const { press, shown } = editor();
    press("select 1", "enter", "from t");
    expect(shown()).toBe("select 1\nfrom t|");
    press(";", "up", "home");
    expect(press("enter")).toEqual({ kind: "submit", text: "select 1\nfrom t;" });
  });

  it("arrows move inside of the statement and remember the column", () => {
    const { press, shown } = editor();
    press("a long line", "alt-enter", "b", "alt-enter", "another line", "up");
    expect(shown()).toBe("a long line\nb|\nanother line");
    press("up");
    expect(shown()).toBe("a long line|\nb\nanother line");
    press("down", "down");
    expect(shown()).toBe("a long line\nb\nanother line|");
    press("home", "left", "left", "ctrl-k", "x");
    expect(shown()).toBe("a long line\nx|\nanother line");
  });

  it("kills, yanks and swaps as readline does", () => {
    const { press, shown } = editor();
    press("select a.b, c", "ctrl-w");
    expect(shown()).toBe("select a.b, |");
    press("alt-backspace");
    expect(shown()).toBe("select a.|");
    press("ctrl-u", "x ", "ctrl-y");
    expect(shown()).toBe("x select a.b, c|");
    press("ctrl-a", "alt-d", "alt-d", "ctrl-e", "ctrl-y");
    expect(shown()).toBe(" a.b, cx select|");
    press("alt-y");
    expect(shown()).toBe(" a.b, cselect a.b, c|");
    press("ctrl-u", "ab", "ctrl-t");
    expect(shown()).toBe("ba|");
    press("ctrl-a", "alt-u");
    expect(shown()).toBe("BA|");
  });

  it("undoes typed words as one step, and redoes", () => {
    const { press, shown } = editor();
    press("s", "e", "l", " ", "x", "y", "ctrl-_");
    expect(shown()).toBe("sel |");
    press("ctrl-_", "ctrl-_");
    expect(shown()).toBe("|");
    press("alt-_", "alt-_", "alt-_");
    expect(shown()).toBe("sel xy|");
  });

  it("moves by what people see as a character", () => {
    const { press, shown } = editor();
    press("a\u{1f469}\u200d\u{1f4bb}e\u0301", "left");
    expect(shown()).toBe("a\u{1f469}\u200d\u{1f4bb}|e\u0301");
    press("backspace");
    expect(shown()).toBe("a|e\u0301");
  });

  it("a paste keeps its lines and runs nothing", () => {
    const { machine, shown } = editor();
    expect(machine.key({ name: "paste", text: "select 1;\r\nselect\t2;\r\u001b[A" })).toEqual({ kind: "none" });
    expect(shown()).toBe("select 1;\nselect    2;\n[A|");
  });

  it("Ctrl-D ends an empty text only, Ctrl-C clears, Ctrl-Z suspends, Ctrl-X Ctrl-E edits", () => {
    const { press, shown } = editor();
    press("ab", "home");
    expect(press("ctrl-d")).toEqual({ kind: "none" });
    expect(shown()).toBe("|b");
    expect(press("ctrl-x", "ctrl-e")).toEqual({ kind: "edit", text: "b" });
    expect(press("ctrl-c")).toEqual({ kind: "interrupt", text: "b" });
    expect(press("ctrl-d")).toEqual({ kind: "end" });
    expect(press("ctrl-z")).toEqual({ kind: "suspend" });
    expect(press("ctrl-q")).toEqual({ kind: "bell" });
  });
});

describe("history", () => {
  const entries = ["select 1;", "select a,\n  b\nfrom t;", "show tables;"];

  it("goes through whole statements, and back to what was being typed", () => {
    const { press, shown } = editor(entries);
    press("dra", "up", "up");
    // On the way up the cursor stands at the end of the first line, so that the next key goes on.
    expect(shown()).toBe("select a,|\n  b\nfrom t;");
    press("up");
    expect(shown()).toBe("select 1;|");
    expect(press("up").kind).toBe("bell");
    press("down");
    expect(shown()).toBe("select a,\n  b\nfrom t;|");
    press("ctrl-p", "ctrl-n", "ctrl-n", "ctrl-n");
    expect(shown()).toBe("dra|");
  });

  it("suggests the rest of the newest statement that begins alike", () => {
    const { machine, press, shown } = editor(entries);
    press("sel");
    expect(machine.view.suggestion).toBe("ect a,\n  b\nfrom t;");
    press("ctrl-right");
    expect(shown()).toBe("select|");
    press("right");
    expect(shown()).toBe("select a,\n  b\nfrom t;|");
    press("left");
    expect(machine.view.suggestion).toBe("");
  });

  it("Ctrl-R finds older statements, again and again, and Ctrl-S newer ones", () => {
    const { machine, press, shown } = editor(entries);
    press("dra", "ctrl-r", "S", "backspace", "s", "el");
    expect(machine.view.search).toEqual({ query: "sel", direction: "older", isFailing: false, match: { from: 0, length: 3 } });
    expect(machine.view.text).toBe("select a,\n  b\nfrom t;");
    press("ctrl-r");
    expect(machine.view.text).toBe("select 1;");
    expect(press("ctrl-r").kind).toBe("bell");
    expect(machine.view.search?.isFailing).toBe(true);
    press("ctrl-s");
    expect(machine.view.text).toBe("select a,\n  b\nfrom t;");
    press("ctrl-g");
    expect(shown()).toBe("dra|");
  });

  it("Enter runs what was found, other keys edit it", () => {
    const { press } = editor(entries);
    press("ctrl-r", "a, b from");
    expect(press("enter")).toEqual({ kind: "submit", text: entries[1] });
    const other = editor(entries);
    other.press("ctrl-r", "1", "end", "left", "0");
    expect(other.shown()).toBe("select 10|;");
  });
});

describe("completion", () => {
  it("inserts the common prefix, then goes through the candidates", () => {
    const { machine, press, shown } = editor();
    const event = press("select na", "tab");
    expect(event).toEqual({ kind: "complete", text: "select na", cursor: 9 });
    machine.offer([{ text: "nation" }, { text: "nationkey" }], { text: "select na", cursor: 9, from: 7 });
    expect(shown()).toBe("select nation|");
    expect(machine.view.menu?.selected).toBe(-1);
    press("tab", "tab");
    expect(shown()).toBe("select nationkey|");
    press("tab");
    expect(shown()).toBe("select nation|");
    press("shift-tab");
    expect(press("enter").kind).toBe("none");
    expect(shown()).toBe("select nationkey|");
    expect(machine.view.menu).toBeUndefined();
  });

  it("a single candidate is inserted, none rings, Escape restores, typing goes on", () => {
    const { machine, press, shown } = editor();
    press("sho");
    machine.offer([{ text: "SHOW" }], { text: "sho", cursor: 3, from: 0 });
    expect(shown()).toBe("SHOW|");
    expect(machine.offer([], { text: "SHOW", cursor: 4, from: 0 }).kind).toBe("bell");
    press(" ");
    machine.offer([{ text: "TABLES" }, { text: "SCHEMAS" }], { text: "SHOW ", cursor: 5, from: 5 });
    press("tab", "escape");
    expect(shown()).toBe("SHOW |");
    machine.offer([{ text: "TABLES" }, { text: "SCHEMAS" }], { text: "SHOW ", cursor: 5, from: 5 });
    press("tab", ";");
    expect(shown()).toBe("SHOW TABLES;|");
  });

  it("an answer that comes too late is ignored", () => {
    const { machine, press, shown } = editor();
    press("sel", "tab", "x");
    expect(machine.offer([{ text: "select" }], { text: "sel", cursor: 3, from: 0 }).kind).toBe("none");
    expect(shown()).toBe("selx|");
  });
});

describe("whatever is typed", () => {
  const keys = fc.oneof(
    {
      weight: 3,
      arbitrary: fc.constantFrom("a", "select ", ";", "\u65e5", "\u{1f469}\u200d\u{1f4bb}", "e\u0301", "'", "(", "\n", "\u200d", "\u0301"),
    },
    {
      weight: 4,
      arbitrary: fc.constantFrom(
        ..."left right up down home end backspace delete enter alt-enter ctrl-a ctrl-e ctrl-k ctrl-u ctrl-w alt-d alt-b alt-f ctrl-y alt-y".split(
          " ",
        ),
        ..."ctrl-t ctrl-_ alt-_ alt-u alt-l alt-c tab ctrl-r ctrl-s ctrl-g escape ctrl-p ctrl-n alt-< alt-> ctrl-x ctrl-left ctrl-right".split(
          " ",
        ),
      ),
    },
    { weight: 1, arbitrary: fc.constant("offer") },
  );

  it("the cursor stands between two characters of the text, and undo leads back to an empty text", () => {
    fc.assert(
      fc.property(fc.array(keys, { maxLength: 40 }), (pressed) => {
        const { machine, press } = editor(["select 1;", "a\n\u65e5b;", "\u{1f469}\u200d\u{1f4bb}\n;"]);
        for (const key of pressed) {
          const { text, cursor } = machine.view;
          if (key === "offer") {
            machine.offer([{ text: "abc" }, { text: "abd" }], { text, cursor, from: Math.max(0, text.lastIndexOf(" ", cursor - 1) + 1) });
          } else if (press(key).kind === "submit") {
            machine.clear();
          }
          const { view } = machine;
          const boundaries = new Set([0]);
          let at = 0;
          for (const grapheme of view.text.split(/(\n)/).flatMap((line) => graphemesOf(line))) {
            at += grapheme.length;
            boundaries.add(at);
          }
          // What a search found may begin inside of a character; the editor takes it over at a boundary.
          expect(view.search !== undefined || boundaries.has(view.cursor)).toBe(true);
          expect(/[^\P{Cc}\n]/u.test(view.text)).toBe(false);
        }
        press("ctrl-g", "escape");
        for (let step = 0; step < 200; step++) {
          press("ctrl-_");
        }
        expect(machine.text).toBe("");
      }),
      { numRuns: 1000 },
    );
  });
});
