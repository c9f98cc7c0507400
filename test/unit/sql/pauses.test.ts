import fc from "fast-check";
import { expect, it } from "vitest";
import { QueryError } from "../../../src/protocol/errors.ts";
import type { Statement } from "../../../src/sql/ast/statements.ts";
import { parseStatement, parseStatementInPieces } from "../../../src/sql/parser/parser.ts";
import { printStatement } from "../../../src/sql/printer/printer.ts";
import { anyStatement } from "./statement-trees.ts";

interface Outcome {
  readonly tree?: Statement;
  readonly error?: string;
  readonly yields: number;
}

function outcomeOf(parse: () => Generator<undefined, Statement, void>): Outcome {
  let yields = 0;
  try {
    const pieces = parse();
    for (let next = pieces.next(); ; next = pieces.next()) {
      if (next.done === true) {
        return { tree: next.value, yields };
      }
      yields++;
    }
  } catch (error) {
    if (!(error instanceof QueryError)) {
      throw error;
    }
    return { error: error.message, yields };
  }
}

function inPieces(text: string): Outcome {
  return outcomeOf(() => parseStatementInPieces(text, 1));
}

function* atOnce(text: string): Generator<undefined, Statement, void> {
  yield;
  return parseStatement(text);
}

it("a parser that pauses behind each element of each list gives the tree, or the error, of one that does not", () => {
  const whole = anyStatement.map(printStatement);
  const cut = fc
    .tuple(whole, fc.nat(), fc.nat(20))
    .map(([text, at, length]) => text.slice(0, at % (text.length + 1)) + text.slice((at % (text.length + 1)) + length));
  fc.assert(
    fc.property(fc.oneof(whole, cut), (text) => {
      const { yields: _some, ...paused } = inPieces(text);
      const { yields: _none, ...unpaused } = outcomeOf(() => atOnce(text));
      expect(paused).toEqual(unpaused);
    }),
    { numRuns: 60 },
  );
});

// One before the parser begins, and one behind each element behind which no list in it has just paused.
it.each([
  ["a, b, c", "SELECT a, b, c FROM t", 5],
  ["terms of a logical expression", "SELECT 1 WHERE a OR b OR c AND d AND e", 5],
  ["branches of CASE", "SELECT CASE a WHEN 1 THEN 2 WHEN < 3 THEN 4 ELSE 5 END", 4],
  ["terms of set operations", "SELECT 1 UNION ALL SELECT 2 UNION SELECT 3 INTERSECT SELECT 4", 5],
  ["lists of a statement within", "EXECUTE IMMEDIATE 'SELECT ? IN (1, 2, 3)' USING 1, 2", 7],
  ["types with a token of two ends", "SELECT CAST(a AS row(x array<array<int>>, y array<array<int>>)), b", 9],
])("pauses in %s", (_what, text, yields) => {
  const paused = inPieces(text);
  expect(paused.tree).toEqual(parseStatement(text));
  expect(paused.yields).toBe(yields);
});
