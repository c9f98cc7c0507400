import fc from "fast-check";
import { expect, it } from "vitest";
import type { JournaledQuery } from "../../../../src/coordinator/recovery/journal-records.ts";
import { resumptionOf } from "../../../../src/coordinator/recovery/resumption.ts";
import { parseSessionRequest } from "../../../../src/protocol/http/headers.ts";
import type { Position } from "../../../../src/protocol/documents/query-journal.ts";

const session = { ...parseSessionRequest({}), remoteUserAddress: "", startMillis: 0 };
const query = (positions: readonly Position[], changes: Partial<JournaledQuery> = {}): JournaledQuery => ({
  id: "q",
  slug: "s",
  sql: "SELECT 1",
  session,
  lives: 2,
  isAbridged: false,
  positions: [...positions],
  ...changes,
});
const at = (token: number, rowCount: number, isKnown = true): Position => ({ token, rowCount, checksum: rowCount, isKnown });

it("gives a client the rows that follow those it has acknowledged, whichever token it asks for", () => {
  const documents = fc.array(fc.nat(9), { maxLength: 6 });
  fc.assert(
    fc.property(documents, fc.integer({ min: 0, max: 9 }), (made, token) => {
      const positions = made.map((_, index) =>
        at(
          index + 1,
          made.slice(0, index + 1).reduce((sum, rows) => sum + rows, 0),
        ),
      );
      const resumption = resumptionOf(query(positions.slice(-2)), token, false);
      if (token < made.length) {
        expect(resumption).toBeUndefined();
      } else if (token > made.length + 1) {
        expect(resumption?.failure?.message).toContain("the disk has lost what its client has");
      } else {
        // The rows of all documents before the token.
        const rows = made.slice(0, Math.max(0, token - 1)).reduce((sum, count) => sum + count, 0);
        expect(resumption?.given?.rowCount ?? 0).toBe(rows);
        expect(resumption).toMatchObject({ token, attempt: 200, failure: undefined });
      }
    }),
  );
});

it("says why a query cannot go on", () => {
  const reason = (...asked: Parameters<typeof resumptionOf>): string | undefined => resumptionOf(...asked)?.failure?.message;
  const because = (text: string): string => `The coordinator was restarted, and the query cannot go on: ${text}`;
  expect(reason(query([at(1, 5)]), 2, false)).toBeUndefined();
  expect(reason(query([], { isAbridged: true }), 1, false)).toBe(because("its text is not kept"));
  expect(reason(query([at(1, 5)]), 2, true)).toBe(because("segments that its client has not fetched are gone"));
  expect(reason(query([]), 1, true)).toBeUndefined();
  expect(reason(query([at(1, 0)]), 2, true)).toBeUndefined();
  expect(reason(query([at(1, 0, false)]), 2, true)).toBe(because("segments that its client has not fetched are gone"));
});

it("tells a client the failure that a former incarnation has had", () => {
  const failure = { errorName: "USER_CANCELED", message: "Query was canceled" } as const;
  for (const usesSegments of [false, true]) {
    expect(resumptionOf(query([at(1, 5)], { failure, isAbridged: true }), 2, usesSegments)?.failure).toEqual(failure);
  }
  expect(resumptionOf(query([at(2, 5)], { failure }), 1, false)).toBeUndefined();
});

it("knows when the client has the only row of a statement without tasks", () => {
  const hasAll = (...asked: Parameters<typeof resumptionOf>): boolean | undefined => resumptionOf(...asked)?.hasAll;
  expect(hasAll(query([at(1, 0, false)]), 1, false)).toBe(false);
  expect(hasAll(query([at(1, 0, false)]), 2, false)).toBe(true);
  expect(hasAll(query([at(1, 0)]), 2, false)).toBe(false);
});
