import { describe, expect, it } from "vitest";
import { choose, programs, usage } from "../../../src/bin/choice.ts";

describe("a command line of orrery", () => {
  it.each([
    [[], "server", []],
    [["--port", "9000"], "server", ["--port", "9000"]],
    [["server", "--port", "9000"], "server", ["--port", "9000"]],
    [["cli", "--catalog", "tpch"], "cli", ["--catalog", "tpch"]],
    [["http://127.0.0.1:8080"], "cli", ["--server", "http://127.0.0.1:8080"]],
    [["SELECT 1"], "query", ["SELECT 1"]],
    [["SELECT 1", "--format", "CSV"], "query", ["SELECT 1", "--format", "CSV"]],
    [["values(1)"], "query", ["values(1)"]],
    [["-- comment\nSELECT 1"], "query", ["-- comment\nSELECT 1"]],
    [["-c", "SELECT 1"], "query", ["-c", "SELECT 1"]],
    [["--format=JSON", "SELECT 1"], "query", ["--format=JSON", "SELECT 1"]],
    [["--local"], "query", ["--local"]],
    [["--help"], "help", []],
    [["help", "server"], "help", ["server"]],
    [["-V"], "version", []],
  ] as const)("%j means %s", (argv, program, args) => {
    expect(choose(argv)).toEqual({ program, args });
  });

  it("with an unknown word names the nearest program", () => {
    expect(choose(["serve"])).toEqual({ problem: "Program 'serve' is not known; did you mean 'server'?" });
    expect(choose(["constructor"])).toEqual({ problem: "Program 'constructor' is not known" });
    expect(choose([""])).toEqual({ problem: "The statement is empty" });
  });

  it("has every program in its help", () => {
    for (const name of Object.keys(programs)) {
      expect(usage()).toMatch(new RegExp(`^ {2}${name} `, "m"));
    }
  });
});
