import { describe, expect, it } from "vitest";
import { Completion } from "../../../src/cli/completion.ts";
import { Runner } from "../../../src/cli/runner.ts";
import { Shell } from "../../../src/cli/shell.ts";
import { clientSession } from "../../../src/client/session.ts";
import { StatementClient } from "../../../src/client/statement-client.ts";
import { decodeUtf8 } from "../../../src/types/utf8.ts";
import { columnN, HastyClock, json, results, ScriptedNetwork } from "../client/scripted.ts";
import { MemoryOutput } from "./memory-output.ts";

function setUp() {
  const network = new ScriptedNetwork((request) => {
    const sql = decodeUtf8(request.body);
    if (sql === "SHOW TABLES") {
      return json(results({ columns: [{ name: "Table", type: "varchar" }], data: [["nation"], ["nation_copy"], ["orders"]] }));
    }
    const use = /^use (\w+)\.(\w+)$/.exec(sql);
    const headers = use === null ? {} : { "x-engine-set-catalog": use[1] as string, "x-engine-set-schema": use[2] as string };
    return json(results({ columns: [columnN], data: [[3]] }), headers);
  });
  const clock = new HastyClock();
  const stdout = new MemoryOutput();
  const client = new StatementClient({ network, clock, server: "http://server", session: clientSession("alice") });
  const runner = new Runner({
    client,
    clock,
    server: "http://server",
    stdout,
    stderr: new MemoryOutput(),
    interactive: true,
    progress: false,
    debug: false,
  });
  const entries: string[] = [];
  const shell = new Shell({ client, runner, stdout, format: "ALIGNED", history: { entries, add: (entry) => void entries.push(entry) } });
  const asked = (): readonly string[] => network.requests.map((request) => decodeUtf8(request.body));
  return { shell, stdout, entries, asked, completion: new Completion(client) };
}

describe("the shell", () => {
  it("runs a statement when it is complete, over as many lines as it takes", async () => {
    const { shell, asked, entries } = setUp();
    expect(shell.prompt).toBe("orrery> ");
    await shell.line("select n");
    expect(asked()).toEqual([]);
    expect(shell.isInsideStatement).toBe(true);
    expect(shell.prompt).not.toBe("orrery> ");
    expect(shell.prompt).toHaveLength("orrery> ".length);
    await shell.line("  from t; select 2; select");
    expect(asked()).toEqual(["select n\n  from t", "select 2"]);
    await shell.line("3;");
    expect(asked()[2]).toBe("select\n3");
    expect(entries).toEqual(["select n from t;", "select 2;", "select 3;"]);
    expect(shell.prompt).toBe("orrery> ");
  });

  it("shows the schema in use", async () => {
    const { shell } = setUp();
    await shell.line("use tpch.tiny;");
    expect(shell.prompt).toBe("orrery:tpch.tiny> ");
    await shell.line("select");
    expect(shell.prompt).toHaveLength("orrery:tpch.tiny> ".length);
  });

  it("\\G shows one column a line", async () => {
    const { shell, stdout } = setUp();
    await shell.line("select n\\G");
    expect(stdout.text).toContain("-[ RECORD 1 ]");
  });

  it.each([
    ["\\l", "SHOW CATALOGS"],
    ["\\dt", "SHOW TABLES"],
    ["\\dt tpch.tiny", "SHOW TABLES FROM tpch.tiny"],
    ["\\d nation", "DESCRIBE nation"],
    ["\\d nation;", "DESCRIBE nation"],
    ["\\d", "SHOW TABLES"],
  ])("%s asks %s", async (command, sql) => {
    const { shell, asked } = setUp();
    await shell.line(command);
    expect(asked()).toEqual([sql]);
  });

  it.each(["quit", "exit;", "\\q", "QUIT"])("%s leaves", async (command) => {
    const { shell } = setUp();
    await shell.line(command);
    expect(shell.isOver).toBe(true);
  });

  it("commands are commands only where a statement would begin", async () => {
    const { shell, asked } = setUp();
    await shell.line("select 1 as");
    await shell.line("quit");
    expect(shell.isOver).toBe(false);
    await shell.line(";");
    expect(asked()).toEqual(["select 1 as\nquit"]);
  });

  it("help, history, clear and the unknown", async () => {
    const { shell, stdout } = setUp();
    await shell.line("help");
    expect(stdout.take()).toContain("Ctrl-C cancels");
    await shell.line("select 1;");
    stdout.take();
    await shell.line("history");
    expect(stdout.take()).toBe("    1  select 1;\n");
    await shell.line("clear");
    expect(stdout.take()).toBe("\u001b[H\u001b[2J");
    await shell.line("\\x");
    expect(stdout.take()).toBe("Unknown command \\x; type help for the list\n");
  });

  it("forgets what has been begun when told to", async () => {
    const { shell, asked } = setUp();
    await shell.line("select '");
    shell.abandonStatement();
    await shell.line("select 1;");
    expect(asked()).toEqual(["select 1"]);
  });
});

describe("completion", () => {
  it("knows keywords in the case they are typed, commands at the start, tables of the schema", async () => {
    const { completion, shell, asked } = setUp();
    expect(await completion.complete("sel")).toEqual([["select"], "sel"]);
    expect(await completion.complete("SEL")).toEqual([["SELECT"], "SEL"]);
    expect(await completion.complete("qu")).toEqual([["quit"], "qu"]);
    expect(await completion.complete("select * from na")).toEqual([["natural"].slice(1), "na"]);
    await shell.line("use tpch.tiny;");
    expect(await completion.complete("select * from na")).toEqual([["nation", "nation_copy"], "na"]);
    expect(await completion.complete("select * from tiny.ord")).toEqual([["orders"], "ord"]);
    expect(asked().filter((sql) => sql === "SHOW TABLES")).toHaveLength(1);
    expect(await completion.complete("select ")).toEqual([[], ""]);
  });
});
