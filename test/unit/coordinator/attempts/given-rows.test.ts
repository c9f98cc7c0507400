import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { GivenRows } from "../../../../src/coordinator/results/given-rows.ts";
import { retryDelayMs } from "../../../../src/coordinator/scheduler/retry-policy.ts";

const rowText = fc.array(fc.oneof(fc.integer({ min: -5, max: 5 }), fc.string({ maxLength: 6 })), { minLength: 1, maxLength: 3 });
const rows = fc.array(
  rowText.map((cells) => JSON.stringify(cells)),
  { minLength: 1, maxLength: 12 },
);

/** The rows in chunks that end at the cuts. */
function given(texts: readonly string[], cuts: readonly number[] = []): GivenRows {
  const sum = new GivenRows();
  const ends = [...new Set([...cuts.map((cut) => cut % texts.length), texts.length])].sort((a, b) => a - b);
  let first = 0;
  for (const end of ends) {
    const chunk = texts.slice(first, end);
    sum.add(new TextEncoder().encode(chunk.join(",")), chunk.length);
    first = end;
  }
  return sum;
}

describe("rows that a client has", () => {
  test("are the same however they are divided among pages", () => {
    fc.assert(
      fc.property(rows, fc.array(fc.nat(12)), fc.array(fc.nat(12)), (texts, some, others) => {
        const [one, other] = [given(texts, some), given(texts, others)];
        expect(one.equals(other)).toBe(true);
        expect(one.rowCount).toBe(texts.length);
      }),
    );
  });

  test("are others if a row differs, is missing, or has another place", () => {
    fc.assert(
      fc.property(rows, fc.nat(11), fc.nat(11), rowText, (texts, at, to, cells) => {
        const [place, target] = [at % texts.length, to % texts.length];
        const changed = texts.with(place, JSON.stringify(cells));
        const swapped = texts.with(place, texts[target] as string).with(target, texts[place] as string);
        const shorter = texts.toSpliced(place, 1);
        for (const other of [changed, swapped]) {
          expect(given(texts).equals(given(other))).toBe(other.join() === texts.join());
        }
        expect(shorter.length > 0 && given(texts).equals(given(shorter))).toBe(false);
      }),
    );
  });
});

test("the delays before a query runs again grow up to their bound", () => {
  const config = {
    policy: "QUERY",
    attemptsMax: 9,
    taskAttemptsMax: 4,
    initialDelayMs: 200,
    delayMsMax: 2_000,
    delayScaleFactor: 2.5,
  } as const;
  expect([1, 2, 3, 4, 5].map((retry) => retryDelayMs(config, retry))).toEqual([200, 500, 1250, 2_000, 2_000]);
});
