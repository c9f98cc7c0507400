/** Statements of a script, places of errors, colors of words. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { splitScript } from "../../../../src/cli/splitter.ts";
import { reservedWords } from "../../../../src/sql/parser/reserved-words.ts";
import { tokenize } from "../../../../src/sql/parser/lexer.ts";
import { keywords, statementWords } from "../../../../src/web/editor/sql/keywords.ts";
import { statementRanges } from "../../../../src/sql/statement-ranges.ts";
import { markedRange, offsetOf, statementAt } from "../../../../src/web/editor/sql/statements.ts";
import { errorDiagnostic } from "../../../../src/web/editor/text/error-place.ts";

const textsOf = (text: string): readonly string[] => statementRanges(text).map(({ from, to }) => text.slice(from, to));

describe("statements of the SQL editor", () => {
  it("ends statements as the shell does: not in quotes, comments and routine bodies", () => {
    const body = "CREATE FUNCTION f(x bigint) RETURNS bigint BEGIN DECLARE y bigint; SET y = x; RETURN y; END";
    expect(textsOf(`-- one; two\nSELECT ';'; /* ; */ ${body};;\n SELECT "a;b"`)).toEqual(["SELECT ';'", body, 'SELECT "a;b"']);
  });

  const piece = fc.constantFrom(
    "SELECT",
    "1",
    ";",
    "'a;b'",
    "'it''s'",
    '"x;"',
    "-- c;\n",
    "/* ; */",
    "\n",
    " ",
    "BEGIN",
    "END",
    "CASE",
    "U&'\\00e9'",
    "x'41'",
  );
  it("any script splits as in the shell", () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 25 }), (pieces) => {
        const text = pieces.join(" ");
        // The shell keeps comments in front of a statement and behind it; the editor's ranges begin and end with content.
        const words = (sql: string): readonly string[] => tokenize(sql).map((token) => token.text);
        expect(textsOf(text).map(words)).toEqual(splitScript(text).map(({ sql }) => words(sql)));
      }),
      { numRuns: 500 },
    );
  });

  it("regions cover the text up to the last statement, in order", () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 25 }), (pieces) => {
        const text = pieces.join(" ");
        const ranges = statementRanges(text);
        for (const [index, { from, to, regionFrom, regionTo }] of ranges.entries()) {
          expect(regionFrom).toBe(index === 0 ? 0 : ranges[index - 1]?.regionTo);
          expect([regionFrom <= from, from < to, to <= regionTo]).toEqual([true, true, true]);
        }
      }),
    );
  });

  it("finds the statement at the cursor", () => {
    const text = "SELECT 1;\n\nSELECT 2; SELECT 3\n";
    const found = (offset: number): string => {
      const range = statementAt(text, offset);
      return range === undefined ? "" : text.slice(range.from, range.to);
    };
    expect([0, 5, 8, 9].map(found)).toEqual(["SELECT 1", "SELECT 1", "SELECT 1", "SELECT 1"]);
    expect([10, 11, 19].map(found)).toEqual(["SELECT 2", "SELECT 2", "SELECT 2"]);
    expect([20, 21, 29, 30].map(found)).toEqual(["SELECT 3", "SELECT 3", "SELECT 3", "SELECT 3"]);
    expect(statementAt(" -- nothing\n", 3)).toBeUndefined();
    expect(statementAt("SELECT 1; ", 10)).toMatchObject({ from: 0 });
  });

  it("turns lines and columns to offsets, as the lexer counts them", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom("a", "é", "\u{1f600}", " ", "\n", "\r\n", "bc"), { maxLength: 20 }), (pieces) => {
        const text = pieces.join("");
        let offset = 0;
        for (const token of tokenize(text)) {
          offset = text.indexOf(token.kind === "eof" ? "" : token.text, token.kind === "eof" ? text.length : offset);
          expect(offsetOf(text, token)).toBe(offset);
          offset += token.kind === "eof" ? 0 : token.text.length;
        }
      }),
    );
    expect(offsetOf("a", { lineNumber: 9, columnNumber: 9 })).toBe(1);
  });

  it("marks the whole lexeme, and something at the end of the text", () => {
    expect(markedRange("SELECT foo", 7)).toEqual({ from: 7, to: 10 });
    expect(markedRange("SELECT 'a\nb'", 7)).toEqual({ from: 7, to: 9 });
    expect(markedRange("SELECT", 6)).toEqual({ from: 5, to: 6 });
    expect(markedRange("", 0)).toEqual({ from: 0, to: 0 });
  });

  it("marks an error in the text of the tab, also after it was moved or explained", () => {
    const statement = { sql: "SELECT\n  foo", offset: 10 };
    const error = { message: "Column 'foo' cannot be resolved", errorLocation: { lineNumber: 2, columnNumber: 3 } };
    const failed = { statement, error, sql: statement.sql, prefixLength: 0 };
    const shown = (text: string, other: object = {}): string | undefined => {
      const place = errorDiagnostic({ ...failed, ...other }, text);
      return place === undefined ? undefined : `${place.from} ${text.slice(place.from, place.to)}`;
    };
    expect(shown("SELECT 1;\nSELECT\n  foo")).toBe("19 foo");
    expect(shown("SELECT\n  foo")).toBe("9 foo");
    expect(shown("SELECT\n  foo; SELECT\n  foo")).toBeUndefined();
    expect(shown("SELECT bar")).toBeUndefined();
    const explained = { sql: "EXPLAIN SELECT foo", prefixLength: 8, statement: { sql: "SELECT foo", offset: 0 } };
    const place = { message: "", errorLocation: { lineNumber: 1, columnNumber: 16 } };
    expect(shown("SELECT foo", { ...explained, error: place })).toBe("7 foo");
    expect(shown("SELECT foo", { error: { message: "" } })).toBeUndefined();
  });

  it("knows all words of the dialect", () => {
    expect([...reservedWords].filter((word) => !keywords.has(word))).toEqual([]);
    expect(statementWords.filter((word) => !keywords.has(word))).toEqual([]);
  });
});
