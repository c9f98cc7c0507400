/**
 * The shell as a user has it: a real terminal, a real server. With tmux, whose screen is read; with `script` of util-linux, whose bytes
 * are. Where neither is installed, test/unit/cli/editor/reader.test.ts has the same on an emulated terminal.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { projectRoot, type RunningServer, startServer } from "../support/programs/server-process.ts";
import { TerminalEmulator } from "../support/terminal/emulator.ts";
import { hasProgram, ScriptTerminal, TmuxTerminal } from "../support/terminal/real-terminal.ts";

const size = { columns: 100, rows: 30 };
let server: RunningServer;
let home: string;

beforeAll(async () => {
  server = await startServer();
});

afterAll(async () => {
  server.kill("SIGKILL");
  await server.ended;
});

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "orrery-home-"));
});

afterEach(() => rmSync(home, { recursive: true, force: true }));

function command(...flags: readonly string[]): string {
  return `'${process.execPath}' '${join(projectRoot, "build.mjs")}' cli '${server.uri}/tpch/tiny' ${flags.join(" ")}`;
}

const environment = (): Readonly<Record<string, string>> => ({
  HOME: home,
  TERM: "xterm-256color",
  NODE_OPTIONS: "",
  NODE_V8_COVERAGE: "",
});

describe.runIf(hasProgram("tmux"))("the shell in tmux", () => {
  let terminal: TmuxTerminal;

  beforeEach(() => {
    terminal = new TmuxTerminal(size);
  });

  afterEach(() => terminal.close());

  it("completes, runs, searches history and leaves", async () => {
    terminal.start(command(), environment());
    await terminal.shows("orrery:tpch.tiny>");
    terminal.type("select name from nat");
    terminal.press("Tab");
    await terminal.shows("from nation");
    terminal.press("Enter");
    terminal.type("where n.na");
    expect((await terminal.shows("where n.na")).slice(-1)).toEqual(["--------------->> where n.na"]);
    // Up moves inside of the statement.
    terminal.press("Up", "C-e");
    terminal.type(" n");
    terminal.press("Down", "C-e", "Tab");
    const menu = await terminal.shows("varchar(25)");
    expect(menu.slice(-1)[0]).toMatch(/^nationkey bigint +name varchar\(25\)$/);
    terminal.press("Tab");
    terminal.type(" < 3;");
    terminal.press("Enter");
    expect(await terminal.shows("FINISHED")).toContain("(3 rows)");
    terminal.press("C-r");
    terminal.type("nat");
    expect((await terminal.shows("reverse-i-search: nat")).slice(-3)[0]).toMatch(/^orrery:tpch.tiny> select name from nation n$/);
    terminal.press("C-g");
    terminal.type("quit");
    terminal.press("Enter");
    await terminal.shows("exit code 0");
    // A statement of several lines is one entry.
    expect(readFileSync(join(home, ".orrery_history"), "utf8").split("\n")).toHaveLength(3);
  });

  it("colours what is typed, and shows NULL in grey", async () => {
    terminal.start(command(), environment());
    await terminal.shows("orrery:tpch.tiny>");
    terminal.type("select null as n, 'x' as s, 12 as i;");
    terminal.press("Enter");
    await terminal.shows("(1 row)");
    const colored = terminal.colored();
    expect(colored).toContain("\u001b[34mselect");
    expect(colored).toMatch(/\p{Cc}\[32m'x'/u);
    expect(colored).toMatch(/\p{Cc}\[90m ?NULL/u);
  });

  it("sends long results to less, and lets the user cancel a query", async () => {
    terminal.start(command(), { ...environment(), PAGER: "", ORRERY_PAGER: "less -FRSX" });
    await terminal.shows("orrery:tpch.tiny>");
    terminal.type("select orderkey from orders limit 1000;");
    terminal.press("Enter");
    await terminal.until((lines) => lines.at(-1) === ":");
    terminal.press("G");
    await terminal.shows("(1000 rows)");
    terminal.press("q");
    await terminal.shows("FINISHED");
    terminal.type("select count(*) from tpch.sf100.lineitem l group by l.comment;");
    terminal.press("Enter");
    await terminal.shows("STAGES");
    terminal.press("C-c");
    await terminal.shows("was canceled");
    terminal.type("select 41 + 1;");
    terminal.press("Enter");
    await terminal.shows("42");
  });

  it("opens the editor, takes a paste as text, and reads the rc file", async () => {
    const editor = join(home, "editor.sh");
    writeFileSync(editor, '#!/bin/sh\nprintf "select 40 + 2 as answer;" > "$1"\n', { mode: 0o755 });
    writeFileSync(join(home, ".orreryrc"), "\\timing on\n");
    terminal.start(command(), { ...environment(), EDITOR: editor });
    await terminal.shows("Timing is on");
    terminal.type("\\e");
    terminal.press("Enter");
    await terminal.shows("select 40 + 2 as answer;");
    terminal.press("Enter");
    await terminal.shows("Time: ");
    terminal.paste("select 1;\nselect 2;");
    const lines = await terminal.shows(">> select 2;");
    expect(lines.slice(-2)).toEqual(["orrery:tpch.tiny> select 1;", "--------------->> select 2;"]);
  });

  it("draws what the emulator of our tests draws", async () => {
    terminal.start(command("--no-rc", "--pager", "''"), environment());
    await terminal.shows("orrery:tpch.tiny>");
    terminal.type("select name, comment from nation n where '\u65e5\u672c' <> 'x' and comment like '%a long line that wraps%' or ");
    terminal.press("M-Enter");
    terminal.type("n.na");
    terminal.press("Tab", "Tab", "Up", "C-a", "M-f", "M-d");
    terminal.type(" *");
    terminal.press("Down", "C-e");
    terminal.type(" is null;");
    const lines = await terminal.shows("is null;");
    const emulator = new TerminalEmulator(size.columns, size.rows);
    emulator.write(terminal.output.replaceAll("\r\n", "\n"));
    expect(emulator.lines).toEqual(lines);
  });
});

describe.runIf(hasProgram("script"))("the shell on a terminal", () => {
  it("reads keys in raw mode, answers in colours, and ends with Ctrl-D", async () => {
    const terminal = new ScriptTerminal(command("--no-rc"), size, environment());
    try {
      await terminal.writes("orrery:tpch.tiny> ");
      terminal.type("select 40 +\r2 as answer;\r");
      await terminal.writes("FINISHED");
      expect(terminal.output).toContain("(1 row)");
      expect(terminal.output).toContain("\u001b[0;1;34mselect");
      terminal.type("\u0004");
      expect(await terminal.ended).toBe(0);
    } finally {
      terminal.kill();
    }
  });

  it("uses no colours if NO_COLOR is set", async () => {
    const terminal = new ScriptTerminal(command("--no-rc"), size, { ...environment(), NO_COLOR: "1" });
    try {
      await terminal.writes("orrery:tpch.tiny> ");
      terminal.type("select null;\r");
      await terminal.writes("FINISHED");
      terminal.type("\u0004");
      expect(await terminal.ended).toBe(0);
      expect(terminal.output.match(/\p{Cc}\[[0-9;]*m/gu) ?? []).toEqual([]);
    } finally {
      terminal.kill();
    }
  });
});
