import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { listParameters } from "../../../../src/coordinator/listing/list-parameters.ts";
import { byCreation, comparisonBy, FirstRows, sortColumns } from "../../../../src/coordinator/listing/query-order.ts";
import type { QueryRow } from "../../../../src/coordinator/listing/query-row.ts";
import { pageOf } from "../../../../src/coordinator/listing/query-list.ts";
import { noSums } from "../../../../src/protocol/counter-sums.ts";
import { queryStates } from "../../../../src/protocol/documents/statement.ts";
import { HttpError } from "../../../../src/protocol/http/http.ts";

const small = fc.integer({ min: 0, max: 3 });

/** Few values for each column, so that there are ties. */
const rowArbitrary = fc.record({
  state: fc.constantFrom(...queryStates),
  user: fc.constantFrom("ann", "Bob", "carl"),
  source: fc.constantFrom(undefined, "cli", "web"),
  errorName: fc.constantFrom(undefined, "SYNTAX_ERROR" as const, "REMOTE_TASK_ERROR" as const),
  text: fc.constantFrom("SELECT 1", "select a.b FROM (x)", "VALUES 'ÄÖ'"),
  createMillis: small,
  endMillis: fc.option(small, { nil: undefined }),
  queuedNanos: small,
  elapsedNanos: small,
  number: small,
});

const rowsArbitrary = fc.array(rowArbitrary, { maxLength: 40 }).map((made) =>
  made.map(
    ({ number, ...row }, index): QueryRow => ({
      ...row,
      id: `q${String((index * 7) % 41).padStart(3, "0")}`,
      ordinal: index,
      resourceGroupId: ["global"],
      updateType: undefined,
      textLength: row.text.length,
      executionStartMillis: undefined,
      lastHeartbeatMillis: row.createMillis,
      analysisNanos: 0,
      scheduled: false,
      sum(name) {
        return this.sums[name];
      },
      sums: { ...noSums, cpuNanos: number, peakMemoryBytes: 3 - number, rawInputPositions: number, rawInputBytes: number },
      wait: undefined,
      session: { user: row.user, startTime: row.createMillis },
    }),
  ),
);

function problemOf(query: Readonly<Record<string, string>>): string {
  try {
    listParameters(query);
  } catch (error) {
    if (error instanceof HttpError && error.status === 400) {
      return error.message;
    }
    throw error;
  }
  throw new Error("the parameters were taken");
}

describe("the first rows of an order", () => {
  test("are those of the sorted list", () => {
    fc.assert(
      fc.property(rowsArbitrary, fc.constantFrom(...sortColumns), fc.boolean(), fc.nat(50), (rows, column, descending, limit) => {
        const compare = comparisonBy({ column, descending });
        const first = new FirstRows(compare, limit);
        for (const row of rows) {
          first.add(row);
        }
        expect(first.sorted()).toEqual(rows.toSorted(compare).slice(0, limit));
      }),
    );
  });
});

describe("a page of the query list", () => {
  test("with those behind it makes up the whole list, whatever the order", () => {
    fc.assert(
      fc.property(
        rowsArbitrary,
        fc.constantFrom(undefined, ...sortColumns),
        fc.boolean(),
        fc.integer({ min: 1, max: 7 }),
        (rows, ...how) => {
          const [column, descending, limit] = how;
          const sort = column === undefined ? {} : { sort: `${descending ? "-" : ""}${column}` };
          const pages: QueryRow[] = [];
          for (let after = ""; ; after = pages.at(-1)?.id ?? "") {
            const page = pageOf(rows, listParameters({ ...sort, limit: String(limit), after }));
            expect(page.matchCount).toBe(rows.length);
            pages.push(...page.rows);
            if (page.rows.length < limit) {
              break;
            }
          }
          expect(pages).toEqual(rows.toSorted(column === undefined ? byCreation : comparisonBy({ column, descending })));
        },
      ),
    );
  });

  test("has what every filter lets through, and counts it", () => {
    fc.assert(
      fc.property(rowsArbitrary, (rows) => {
        const query = { state: "finished,Failed", user: "ann", source: "cli", errorType: "user_error", search: "SELECT" };
        const expected = rows.filter(
          ({ errorName, source, state, text, user }) =>
            (state === "FINISHED" || state === "FAILED") &&
            user === "ann" &&
            source === "cli" &&
            errorName === "SYNTAX_ERROR" &&
            text.toLowerCase().includes("select"),
        );
        expect(pageOf(rows, listParameters(query))).toEqual({ rows: expected, matchCount: expected.length });
        expect(pageOf(rows, listParameters({ ...query, limit: "0" }))).toEqual({ rows: [], matchCount: expected.length });
      }),
    );
  });

  test.each([
    ["a.b", 1],
    ["(X)", 1],
    ["äö", 1],
    ["q0", 3],
    ["BOB", 1],
    ["web", 1],
    ["[", 0],
    ["\\", 0],
    ["a-b/c|^$", 0],
  ])("a search for %s is one for text, in any case", (search, count) => {
    const texts = ["SELECT 1", "select a.b FROM (x)", "VALUES 'ÄÖ'"];
    const rows = texts.map((text, index) => {
      const row = { id: `q0${index}`, ordinal: index, text, user: ["ann", "Bob", "carl"][index], source: ["web", undefined, "cli"][index] };
      return row as QueryRow;
    });
    expect(pageOf(rows, listParameters({ search })).matchCount).toBe(count);
  });

  test.each([
    [{ limit: "x" }, "Parameter limit must be an integer from 0 to 10000: x"],
    [{ limit: "-1" }, "Parameter limit must be an integer from 0 to 10000: -1"],
    [{ limit: "10001" }, "Parameter limit must be an integer from 0 to 10000: 10001"],
    [{ preview: "1.5" }, "Parameter preview must be an integer from 0 to 9007199254740991: 1.5"],
    [{ sort: "size" }, /^Parameter sort must be one of createTime, endTime, .*: size$/],
    [{ sort: "--user" }, /^Parameter sort must be one of .*: --user$/],
    [{ state: "RUNNING,DONE" }, /^Parameter state must be a list of QUEUED, .*: DONE$/],
    [{ errorType: "constructor" }, /^Parameter errorType must be a list of EXTERNAL, .*: constructor$/],
    [{ search: "x".repeat(1001) }, "Parameter search has 1001 characters, more than 1000"],
  ])("refuses %o", (query, message) => {
    expect(problemOf(query as Record<string, string>)).toMatch(message);
  });

  test("refuses to go on behind a query that there is not", () => {
    expect(() => pageOf([], listParameters({ after: "q1" }))).toThrow("Parameter after must be the id of a query: q1");
  });
});
