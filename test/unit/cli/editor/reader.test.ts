/**
 * The editor on an emulated terminal: bytes of keys in, cells of the screen out.
 */
import stringWidth from "string-width";
import { describe, expect, it } from "vitest";
import { type Completions, type Entry, TerminalReader } from "../../../../src/cli/editor/reader.ts";
import { TerminalEmulator } from "../../../support/terminal/emulator.ts";
import { HastyClock } from "../../client/scripted.ts";

function setUp(options: { readonly width?: number; readonly completions?: Promise<Completions> } = {}) {
  let type: (text: string) => void = () => undefined;
  let end: () => void = () => undefined;
  let resized: () => void = () => undefined;
  const modes: string[] = [];
  const busyKeys: string[] = [];
  const size = { columns: options.width ?? 60, rows: 12 };
  let emulator = new TerminalEmulator(size.columns, size.rows);
  const entries = ["select 1;", "select 2;"];
  const reader = new TerminalReader({
    input: {
      setRawMode: (isRaw) => modes.push(isRaw ? "raw" : "cooked"),
      setEncoding: () => undefined,
      on: (event: "data" | "end", listener: (text: string) => void) => {
        if (event === "data") {
          type = listener;
        } else {
          end = () => listener("");
        }
      },
      resume: () => modes.push("resume"),
      pause: () => modes.push("pause"),
    },
    output: {
      get columns() {
        return size.columns;
      },
      get rows() {
        return size.rows;
      },
      write: (text) => emulator.write(text),
      on: (_event, listener) => {
        resized = listener;
      },
    },
    clock: new HastyClock(),
    hasColors: true,
    textWidth: stringWidth,
    history: () => entries,
    isComplete: (text) => text.endsWith(";"),
    complete: () => options.completions ?? Promise.resolve({ from: 0, candidates: [] }),
    edit: (text) => Promise.resolve(`${text} -- edited`),
    suspend: () => Promise.resolve(),
    onBusyKey: (key) => busyKeys.push(key),
  });
  reader.take();
  return {
    reader,
    modes,
    busyKeys,
    size,
    type: (text: string) => type(text),
    end: () => end(),
    resize: (columns: number) => {
      size.columns = columns;
      emulator = new TerminalEmulator(columns, size.rows);
      resized();
    },
    read: (text = "") => reader.read({ prompt: "> ", continuation: ">> ", text }),
    lines: () => emulator.lines,
    cursor: () => emulator.cursor,
  };
}

/** Lets what was promised happen. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) {
    await Promise.resolve();
  }
}

describe("the reader", () => {
  it("returns a statement of several lines and leaves it on the screen without suggestion", async () => {
    const { read, type, lines, cursor } = setUp();
    const reading = read();
    type("sel");
    expect(lines()).toEqual(["> select 2;"]);
    expect(cursor()).toEqual({ row: 0, column: 5 });
    type("ect 'x'\r");
    type(";\u001b[A\r");
    expect(await reading).toEqual<Entry>({ kind: "text", text: "select 'x'\n;" });
    expect(lines()).toEqual(["> select 'x'", ">> ;"]);
    expect(cursor()).toEqual({ row: 2, column: 0 });
  });

  it("what is typed while a statement runs waits for the next prompt, but for Ctrl-C and Ctrl-P", async () => {
    const { read, type, busyKeys } = setUp();
    const first = read();
    type("a;\rb;\r");
    expect(await first).toEqual<Entry>({ kind: "text", text: "a;" });
    type("c\u0010");
    expect(busyKeys).toEqual(["cancel-partially"]);
    expect(await read()).toEqual<Entry>({ kind: "text", text: "b;" });
    type("d\u0003e;\r");
    expect(busyKeys).toEqual(["cancel-partially", "cancel"]);
    expect(await read()).toEqual<Entry>({ kind: "text", text: "e;" });
  });

  it("shows candidates when they arrive, and does not wait for them", async () => {
    let answer: (completions: Completions) => void = () => undefined;
    const completions = new Promise<Completions>((resolve) => {
      answer = resolve;
    });
    const { read, type, lines } = setUp({ completions });
    void read();
    type("x\t");
    type("y");
    expect(lines()).toEqual(["> xy"]);
    type("\u007f");
    answer({ from: 0, candidates: [{ text: "xa" }, { text: "xb", detail: "bigint" }] });
    await settle();
    expect(lines()).toEqual(["> x", "xa         xb bigint"]);
    type("\t\r");
    expect(lines()).toEqual(["> xa"]);
  });

  it("lends the terminal to an editor and draws again afterwards", async () => {
    const { read, type, lines, modes } = setUp();
    void read();
    type("select 1");
    modes.length = 0;
    type("\u0018\u0005");
    await settle();
    expect(modes).toEqual(["cooked", "pause", "raw", "resume"]);
    expect(lines().at(-1)).toBe("> select 1 -- edited");
  });

  it("Ctrl-C discards, Ctrl-D and the end of the terminal end", async () => {
    const { read, type, end, busyKeys } = setUp();
    const first = read();
    type("abc\u0003");
    expect(await first).toEqual<Entry>({ kind: "interrupt", wasEmpty: false });
    const second = read();
    type("\u0003");
    expect(await second).toEqual<Entry>({ kind: "interrupt", wasEmpty: true });
    const third = read();
    type("\u0004");
    expect(await third).toEqual<Entry>({ kind: "end" });
    end();
    expect(busyKeys).toEqual(["cancel"]);
    expect(await read()).toEqual<Entry>({ kind: "end" });
  });

  it("Escape alone is a key once nothing follows it", async () => {
    const { read, type, lines } = setUp();
    void read();
    type("\u0012sel\u001b");
    expect(lines().at(-1)).toBe("reverse-i-search: sel");
    await settle();
    expect(lines()).toEqual(["> select 2;"]);
  });

  it("draws again in the width of a resized terminal", () => {
    const { read, type, resize, lines } = setUp({ width: 30 });
    void read();
    type("a long text that needs two rows");
    expect(lines()).toHaveLength(2);
    resize(60);
    expect(lines()).toEqual(["> a long text that needs two rows"]);
  });

  it("begins with a text that was edited elsewhere", async () => {
    const { read, type, lines } = setUp();
    const reading = read("select 5");
    expect(lines()).toEqual(["> select 5"]);
    type(";\r");
    expect(await reading).toEqual<Entry>({ kind: "text", text: "select 5;" });
  });
});
