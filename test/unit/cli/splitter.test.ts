import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { splitScript, StatementSplitter } from "../../../src/cli/splitter.ts";
import { QueryError } from "../../../src/protocol/errors.ts";
import { tokenize } from "../../../src/sql/parser/lexer.ts";

const sqls = (text: string): readonly string[] => splitScript(text).map(({ sql }) => sql);

describe("splitting", () => {
  it.each<[string, readonly string[]]>([
    ["select 1; select 2", ["select 1", "select 2"]],
    ["select 1;", ["select 1"]],
    [";;  ; select 1 ;;", ["select 1"]],
    ["select ';' ; select \"a;b\"", ["select ';'", 'select "a;b"']],
    ["select 'it''s; ok'; x", ["select 'it''s; ok'", "x"]],
    ["-- only; a comment\n", []],
    ["/* a; b */ ; select 1", ["select 1"]],
    ["select 1 -- ; no\n; select 2", ["select 1 -- ; no", "select 2"]],
    ["select 1 /* ; */ + 2;", ["select 1 /* ; */ + 2"]],
    ["select 4 / 2 - 1", ["select 4 / 2 - 1"]],
    ["select '", ["select '"]],
    ["", []],
  ])("%j", (text, statements) => {
    expect(sqls(text)).toEqual(statements);
  });

  it.each([
    ["create function f() returns int begin declare a int; return a; end; select 1;", 2],
    [
      "with function f(x int) returns int begin case x when 1 then return 1; end case; if x > 1 then return 2; end if; return 3; end select f(1); select 2",
      2,
    ],
    [
      "create or replace function f() returns int begin a: loop leave a; end loop; while true do return case 1 when 1 then 2 end; end while; return 1; end;",
      1,
    ],
    ["with function f() returns int return 1, function g() returns int begin return 2; end select f(); select 1", 2],
    [
      "create function f() returns int begin a: for i in 1 to 2 do b: repeat leave b; until true end repeat; end for; return length(substring('ab' from 1 for 2)); end; select 1",
      2,
    ],
    ["select begin from t; select case x when 1 then 2 end; select 1", 3],
    ["create function f() returns int return 1; select begin; select 2", 3],
  ])("keeps the blocks of functions together: %s", (text, count) => {
    expect(splitScript(text)).toHaveLength(count);
    const splitter = new StatementSplitter();
    const pieces = text.split("").flatMap((character) => splitter.feed(character));
    expect([...pieces.map(({ sql }) => sql), splitter.rest()].filter((sql) => sql !== "")).toEqual(sqls(text));
  });

  it("\\G and \\gx ask for one column a line, \\g is a semicolon as in psql, \\watch repeats", () => {
    expect(splitScript("select 1\\G select 2\\g select '\\G'; select 3\\gx\nselect 4 \\watch 0.5\nselect 5\\watch")).toEqual([
      { sql: "select 1", vertical: true },
      { sql: "select 2", vertical: false },
      { sql: "select '\\G'", vertical: false },
      { sql: "select 3", vertical: true },
      { sql: "select 4", vertical: false, watchSeconds: 0.5 },
      { sql: "select 5", vertical: false, watchSeconds: 2 },
    ]);
    // A longer word is not a terminator.
    expect(splitScript("select 1\\watches;")).toEqual([{ sql: "select 1\\watches", vertical: false }]);
  });

  it("gives the same whether text comes at once or in pieces", () => {
    const piece = fc.constantFrom(
      "a",
      " ",
      ";",
      "'",
      '"',
      "--",
      "-",
      "/*",
      "*/",
      "/",
      "\n",
      "\\G",
      "\\g",
      "x",
      "\\watch",
      "3.",
      "\\",
      "select",
      "''",
    );
    fc.assert(
      fc.property(fc.array(piece), fc.array(fc.nat(5)), (pieces, cuts) => {
        const text = `${pieces.join("")}\n`;
        const splitter = new StatementSplitter();
        const statements = [];
        let at = 0;
        for (const cut of [...cuts, text.length]) {
          statements.push(...splitter.feed(text.slice(at, at + cut)));
          at += cut;
        }
        const whole = new StatementSplitter();
        expect(statements).toEqual(whole.feed(text));
        expect(splitter.rest()).toBe(whole.rest());
      }),
      { numRuns: 1000 },
    );
  });

  it("is linear", () => {
    const splitter = new StatementSplitter();
    for (let line = 0; line < 50_000; line++) {
      splitter.feed("'a line in a long string\n");
    }
    expect(splitter.isEmpty).toBe(false);
    expect(sqls("select 1;".repeat(100_000))).toHaveLength(100_000);
  });

  it("goes on with quotes and comments over several lines", () => {
    const splitter = new StatementSplitter();
    for (const line of ["select 'a;\n", "b''; /* c\n", "d' /* e; '\n", "*\n", "/ f */ -- g; '\n"]) {
      expect(splitter.feed(line)).toEqual([]);
      expect(splitter.isEmpty).toBe(false);
    }
    expect(splitter.feed("*/ ; next")).toEqual([{ sql: "select 'a;\nb''; /* c\nd' /* e; '\n*\n/ f */ -- g; '\n*/", vertical: false }]);
    expect(splitter.rest()).toBe("next");
  });

  it("passes over a comment between the words that begin a function", () => {
    const text = "create /* a */ function f() returns int -- b\nbegin return 1; end; select 1";
    expect(splitScript(text)).toHaveLength(2);
  });

  it("takes for a comment what the server does", () => {
    // The server reads `{-` and a minus.
    expect(sqls("select {--; select 2")).toEqual(["select {--", "select 2"]);
  });

  it("cuts where the server's lexer finds a semicolon", () => {
    const lexeme = fc.constantFrom(
      "a",
      " ",
      ";",
      "'b;'",
      '"c;"',
      "--d;\n",
      "-",
      "/*e;*/",
      "/",
      "\n",
      "{",
      "}",
      "x'0A'",
      "U&'f;'",
      "1.5e3",
      "||",
      "''",
      "é",
    );
    const texts = (sql: string): readonly string[] =>
      tokenize(sql).flatMap(({ kind, text }) => (kind === "eof" || text === ";" ? [] : [text]));
    let compared = 0;
    fc.assert(
      fc.property(fc.array(lexeme), (pieces) => {
        const text = pieces.join("");
        let expected: readonly string[];
        try {
          expected = texts(text);
        } catch (error) {
          expect(error).toBeInstanceOf(QueryError);
          return;
        }
        compared++;
        expect(sqls(text).flatMap(texts)).toEqual(expected);
      }),
      { numRuns: 1000 },
    );
    expect(compared).toBeGreaterThan(500);
  });
});
