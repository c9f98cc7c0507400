import { describe, expect, it } from "vitest";
import { Connection } from "../../../src/cli/connection.ts";
import { unpainted } from "../../../src/cli/formats/style.ts";
import type { ClosableOutput } from "../../../src/cli/output/file-output.ts";
import { Runner } from "../../../src/cli/runner.ts";
import { Shell, shellSettings } from "../../../src/cli/shell.ts";
import { clientSession } from "../../../src/client/session.ts";
import { decodeUtf8 } from "../../../src/types/utf8.ts";
import { columnN, failure, HastyClock, json, nextUri, results, ScriptedNetwork } from "../client/scripted.ts";
import { MemoryOutput } from "./memory-output.ts";

class MemoryFile extends MemoryOutput implements ClosableOutput {
  isClosed = false;

  close(): Promise<void> {
    this.isClosed = true;
    return Promise.resolve();
  }
}

const wide = Array.from({ length: 12 }, (_, index) => ({ name: `column_${index}`, type: "bigint" }));

function setUp(options: { readonly isTerminal?: boolean; readonly width?: number } = {}) {
  const network = new ScriptedNetwork((request) => {
    const sql = decodeUtf8(request.body);
    const use = /^use (?:(\w+)\.)?"?([\w.]+)"?$/i.exec(sql);
    const headers =
      use === null ? {} : { "x-engine-set-schema": use[2] as string, ...(use[1] === undefined ? {} : { "x-engine-set-catalog": use[1] }) };
    if (sql === "SHOW TABLES") {
      return json(results({ columns: [{ name: "Table", type: "varchar" }], data: [["nation"], ["Odd Name"]] }));
    }
    if (sql.startsWith("SHOW CREATE TABLE")) {
      return json(
        results({ columns: [{ name: "Create Table", type: "varchar" }], data: [[`CREATE TABLE ${sql.slice(18)} (\n   n bigint\n)`]] }),
      );
    }
    if (sql === "select broken") {
      return json(results({ columns: [columnN], data: Array.from({ length: 40 }, (_, row) => [row]), nextUri: nextUri(1) }));
    }
    if (request.method === "GET") {
      return json(results({ columns: [columnN], error: failure, stats: { ...results().stats, state: "FAILED" } }));
    }
    if (sql === "select wide") {
      return json(results({ columns: wide, data: Array.from({ length: 12 }, (_, row) => wide.map((_column, index) => row * index)) }));
    }
    return json(results({ columns: [columnN], data: [[3]] }), headers);
  });
  const clock = new HastyClock();
  const stdout = new MemoryOutput(options);
  const session = clientSession("alice");
  const connection = new Connection({ server: "http://server", network }, session, { clock, submitRetryMsMax: 0 });
  const runner = new Runner({ connection, clock, stdout, stderr: stdout, interactive: true, progress: "off", debug: false });
  const entries: string[] = [];
  const files = new Map<string, MemoryFile>();
  const scripts = new Map<string, string>();
  const pages: string[] = [];
  let edited: string | undefined;
  const shell = new Shell({
    connection,
    runner,
    clock,
    stdout,
    paint: unpainted,
    settings: shellSettings(undefined, true),
    history: { entries, add: (entry) => void entries.push(entry) },
    host: {
      readFile: (path) => {
        const text = scripts.get(path);
        return text === undefined ? Promise.reject(new Error(`ENOENT: no such file or directory, open '${path}'`)) : Promise.resolve(text);
      },
      openOutput: (path) => {
        const file = new MemoryFile();
        files.set(path, file);
        return Promise.resolve(file);
      },
      startPager: () => ({
        write: (text) => Promise.resolve(void pages.push(text)),
        end: () => {
          stdout.text += "[pager ended]";
          return Promise.resolve(0);
        },
      }),
      edit: (text) => Promise.resolve(edited ?? text),
      open: (target) => {
        if (!target.startsWith("http://")) {
          return Promise.reject(new Error("expected http://host:port/catalog/schema"));
        }
        connection.open({ server: target, network }, { ...session, catalog: "c", schema: "s" });
        return Promise.resolve();
      },
    },
    onNamesChanged: () => undefined,
  });
  const asked = (): readonly string[] => network.requests.map((request) => decodeUtf8(request.body));
  return {
    shell,
    stdout,
    entries,
    asked,
    files,
    scripts,
    pages,
    network,
    editAs: (text: string) => {
      edited = text;
    },
  };
}

describe("the shell", () => {
  it("runs a statement when it is complete, and keeps it in the history as it was typed", async () => {
    const { shell, asked, entries } = setUp();
    expect(shell.isComplete("select n")).toBe(false);
    expect(shell.isComplete("select n\n  from t; -- done")).toBe(true);
    expect(shell.isComplete("select ';")).toBe(false);
    expect(shell.isComplete("select 1; select")).toBe(false);
    await shell.submit("select n\n  from t; select 2;");
    expect(asked()).toEqual(["select n\n  from t", "select 2"]);
    expect(entries).toEqual(["select n\n  from t; select 2;"]);
    await shell.submit("  ");
    expect(entries).toHaveLength(1);
  });

  it("shows the schema in use, and a continuation of the same width", async () => {
    const { shell } = setUp();
    expect(shell.prompt).toBe("orrery> ");
    await shell.submit("use tpch.tiny;");
    expect(shell.prompt).toBe("orrery:tpch.tiny> ");
    expect(shell.continuation).toHaveLength(shell.prompt.length);
  });

  it("\\G shows one column a line", async () => {
    const { shell, stdout } = setUp();
    await shell.submit("select n\\G");
    expect(stdout.text).toContain("-[ RECORD 1 ]");
  });

  it.each([
    ["\\l", "SHOW CATALOGS"],
    ["\\dn", "SHOW SCHEMAS"],
    ["\\dn tpch", "SHOW SCHEMAS FROM tpch"],
    ["\\dt", "SHOW TABLES"],
    ["\\dt tpch.tiny", "SHOW TABLES FROM tpch.tiny"],
    ["\\dt+", "SHOW TABLES"],
    ["\\d nation", "DESCRIBE nation"],
    ["\\d nation;", "DESCRIBE nation"],
    ["\\d", "SHOW TABLES"],
    ["\\df", "SHOW FUNCTIONS"],
    ["\\df array%", "SHOW FUNCTIONS LIKE 'array%'"],
    ["\\df it's", "SHOW FUNCTIONS LIKE 'it''s'"],
    [".tables", "SHOW TABLES"],
    [".tables '%na%'", "SHOW TABLES LIKE '%na%'"],
    ["\\c tpch.tiny", "USE tpch.tiny"],
    ["\\c tpch.sf0.1", 'USE tpch."sf0.1"'],
    ["\\c sf0.1", 'USE "sf0.1"'],
    ["\\c TPCH.TINY", "USE tpch.tiny"],
    ['\\c "A b".c', 'USE "A b".c'],
  ])("%s asks %s", async (command, sql) => {
    const { shell, asked } = setUp();
    expect(shell.isComplete(command)).toBe(true);
    await shell.submit(command);
    expect(asked()).toEqual([sql]);
  });

  it.each(["quit", "exit;", "\\q", "QUIT", ".quit", ".exit"])("%s leaves", async (command) => {
    const { shell } = setUp();
    await shell.submit(command);
    expect(shell.isOver).toBe(true);
  });

  it("commands are commands only where a statement would begin", async () => {
    const { shell, asked } = setUp();
    await shell.submit("select 1 as\nquit\n;");
    expect(shell.isOver).toBe(false);
    expect(asked()).toEqual(["select 1 as\nquit"]);
  });

  it("help, history, clear and the unknown", async () => {
    const { shell, stdout } = setUp();
    await shell.submit("help");
    expect(stdout.take()).toContain("Ctrl-R");
    await shell.submit("\\?");
    expect(stdout.take()).toMatch(/\\watch \[SECONDS\]\s+run it again/);
    await shell.submit("history");
    expect(stdout.take()).toContain("    1  help\n    2  \\?\n");
    await shell.submit("clear");
    expect(stdout.take()).toBe("\u001b[H\u001b[2J");
    await shell.submit("\\timin");
    expect(stdout.take()).toBe("Unknown command \\timin; did you mean \\timing?; type help for the list\n");
  });

  it(".schema shows the statements that create the tables, and quotes names", async () => {
    const { shell, stdout } = setUp();
    await shell.submit(".schema");
    expect(stdout.text).toBe('CREATE TABLE nation (\n   n bigint\n);\nCREATE TABLE "Odd Name" (\n   n bigint\n);\n');
  });

  it("\\x, .mode, \\pset null and \\timing change what is shown", async () => {
    const { shell, stdout } = setUp();
    await shell.submit("\\x");
    await shell.submit("select n;");
    expect(stdout.take()).toContain("Expanded display is on\n-[ RECORD 1 ]");
    await shell.submit("\\x off");
    await shell.submit(".mode markdown");
    stdout.take();
    await shell.submit("select n;");
    expect(stdout.take()).toContain("| n |\n| -:|\n| 3 |\n");
    await shell.submit(".mode nosuch");
    expect(stdout.take()).toContain("unknown format nosuch; one of aligned,");
    await shell.submit(".timer on");
    await shell.submit("select n;");
    expect(stdout.take()).toMatch(/Timing is on\n[^]*Time: \d+\.\d{3} ms\n$/);
    await shell.submit("\\pset pager off");
    expect(stdout.take()).toBe("Pager is off\n");
    await shell.submit("\\x perhaps");
    expect(stdout.take()).toBe("\\x: expected on or off, not perhaps\n");
  });

  it("\\g repeats the last statement, \\e edits it for the next prompt", async () => {
    const { shell, asked, stdout, editAs } = setUp();
    await shell.submit("\\g");
    expect(stdout.take()).toBe("No statement was run yet\n");
    await shell.submit("select n\nfrom t;");
    await shell.submit("\\gx");
    expect(asked()).toEqual(["select n\nfrom t", "select n\nfrom t"]);
    expect(stdout.take()).toContain("-[ RECORD 1 ]");
    await shell.submit("\\e");
    expect(shell.takeNextText()).toBe("select n\nfrom t;");
    editAs("select 5;");
    await shell.submit("\\e");
    expect(shell.takeNextText()).toBe("select 5;");
    expect(shell.takeNextText()).toBe("");
  });

  it("\\watch repeats until it is interrupted", async () => {
    const { shell, asked, network } = setUp();
    const running = shell.submit("select n \\watch 5");
    while (network.requests.length < 3) {
      await Promise.resolve();
    }
    shell.interrupt();
    await running;
    const count = asked().length;
    expect(asked().every((sql) => sql === "select n")).toBe(true);
    await shell.submit("select 2;");
    expect(asked()).toHaveLength(count + 1);
  });

  it("\\i runs statements and commands of a file, which stays out of the history", async () => {
    const { shell, asked, entries, scripts, stdout } = setUp();
    scripts.set("a.sql", "\\timing off\nselect 1;\nselect\n 2;\n\\i b.sql\nselect 4");
    scripts.set("b.sql", "select 3;");
    await shell.submit("\\i a.sql");
    expect(asked()).toEqual(["select 1", "select\n 2", "select 3", "select 4"]);
    expect(entries).toEqual(["\\i a.sql"]);
    stdout.take();
    await shell.submit(".read nosuch.sql");
    expect(stdout.take()).toBe("nosuch.sql: no such file or directory, open 'nosuch.sql'\n");
    scripts.set("self.sql", "\\i self.sql");
    await shell.submit("\\i self.sql");
    expect(stdout.take()).toContain("more than 16 files");
  });

  it("\\o sends rows to a file, and back to the terminal", async () => {
    const { shell, files, stdout } = setUp();
    await shell.submit("\\o out.txt");
    await shell.submit("select n;");
    expect(files.get("out.txt")?.text).toBe(" n \n---\n 3 \n(1 row)\n");
    expect(stdout.take()).not.toContain("---");
    await shell.submit("\\o");
    expect(files.get("out.txt")?.isClosed).toBe(true);
    await shell.submit("select n;");
    expect(stdout.take()).toContain(" n \n---\n 3 \n(1 row)\n");
  });

  it(".open switches the server, \\c tells which one it is", async () => {
    const { shell, network, stdout } = setUp();
    await shell.submit(".open http://other");
    expect(stdout.take()).toBe("Connected to http://other as alice, schema c.s\n");
    await shell.submit("select 1;");
    expect(network.requests.at(-1)?.url).toBe("http://other/v1/statement");
    stdout.take();
    await shell.submit(".open nowhere");
    expect(stdout.take()).toBe("nowhere: expected http://host:port/catalog/schema\n");
    await shell.submit("\\c");
    expect(stdout.take()).toBe("Connected to http://other as alice, schema c.s\n");
  });

  it("long results go to the pager, and only on a terminal", async () => {
    const piped = setUp({ isTerminal: false });
    await piped.shell.submit("select wide;");
    expect(piped.pages).toEqual([]);
    const { shell, pages, stdout } = setUp({ isTerminal: true, width: 60 });
    await shell.submit("select n;");
    expect(pages).toEqual([]);
    stdout.take();
    await shell.submit("select wide;");
    expect(pages).toEqual([]);
    expect(stdout.take()).toContain("(12 rows, 5 of 12 columns; 7 hidden, \\x shows all)\n");
    await shell.submit("\\x");
    await shell.submit("select wide;");
    expect(pages.join("")).toContain("-[ RECORD 12 ]");
    expect(stdout.take()).not.toContain("RECORD");
    await shell.submit(".mode aligned");
    pages.length = 0;
    await shell.submit("select wide;");
    // Wider than the window: the pager scrolls sideways.
    expect(pages.join("")).toContain("column_11");
  });

  it("a failure after the first rows ends the pager before it is told", async () => {
    const { shell, pages, stdout } = setUp({ isTerminal: true });
    await shell.submit(".mode csv");
    await shell.submit("select broken;");
    expect(pages.join("")).toContain('"39"\n');
    expect(stdout.text).toMatch(/^\[pager ended\]Query q1 failed: line 1:8: Column 'x' cannot be resolved\n/);
  });
});
