import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { splitScript, StatementSplitter } from "../../../src/cli/splitter.ts";

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

  it("\\G asks for one column a line", () => {
    expect(splitScript("select 1\\G select 2\\g select '\\G';")).toEqual([
      { sql: "select 1", vertical: true },
      { sql: "select 2", vertical: true },
      { sql: "select '\\G'", vertical: false },
    ]);
  });

  it("gives the same whether text comes at once or in pieces", () => {
    const piece = fc.constantFrom("a", " ", ";", "'", '"', "--", "-", "/*", "*/", "/", "\n", "\\G", "\\", "select", "''");
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
});
