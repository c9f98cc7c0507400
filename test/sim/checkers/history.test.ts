/** Planted violations of the query history, and what excuses a loss. */
import { describe, expect, it } from "vitest";
import { HistoryOracle } from "../../../sim/checkers/resources/history.ts";
import type { Properties } from "../../../sim/plan.ts";

const size: Properties = { "query-history.max-size": "30kB" };

/** What is said while the history is looked at with these ids, after these notes of the coordinator `c`. */
function said(
  looks: readonly (readonly string[])[],
  {
    notes = [],
    properties = {},
  }: { readonly notes?: readonly (readonly [kind: string, detail: string])[]; readonly properties?: Properties } = {},
): string {
  const sentences: string[] = [];
  const verdict = { violate: (_: string, __: string, sentence: string) => sentences.push(sentence), held: () => undefined };
  const oracle = new HistoryOracle(verdict, "c", { diskMayFail: false, properties });
  for (const id of ["a", "b", "c", "d"]) {
    oracle.queryEnded(id);
  }
  for (const ids of looks) {
    oracle.look({ historyIds: () => ids });
    for (const [kind, detail] of notes) {
      oracle.note("c", kind, detail);
    }
  }
  return sentences.join("; ");
}

describe("the query history", () => {
  it.each([
    ["nothing of queries that stay", [["a"], ["a", "b"], ["a", "b"]], {}, ""],
    ["a query that is lost", [["a", "b"], ["b"]], {}, "the history has lost a"],
    ["a query that has not ended", [["x"]], {}, "the history has x, which has not ended"],
    ["a query that is there twice", [["a", "a"]], {}, "the history has 2 queries, of which 1 are different ones"],
    [
      "nothing of the oldest beyond a bound",
      [
        ["a", "b", "c"],
        ["c", "d"],
      ],
      { properties: size },
      "",
    ],
    [
      "nothing of the oldest, one of which has ended again",
      [
        ["a", "b", "c"],
        ["d", "b"],
      ],
      { properties: size },
      "",
    ],
    [
      "a younger one that a bound took",
      [
        ["a", "b", "c"],
        ["a", "c"],
      ],
      { properties: size },
      "the history has lost b",
    ],
    ["too many", [["a", "b"]], { properties: { "query-history.max-count": "1" } }, "the history has 2 queries, of 1 allowed"],
    ["nothing after an error of the disk", [["a", "b"], ["b"]], { notes: [["disk-error", "write"]] }, ""],
  ] as const)("says %s", (_, looks, options, sentence) => {
    expect(said(looks, options)).toBe(sentence);
  });

  it("knows that a clock which was set back makes other queries the oldest, and that it takes none without a bound", () => {
    const notes = [["fault", "clock-step c -3172583ms 0.714s..1.830s"]] as const;
    const looks = [
      ["a", "b", "c"],
      ["a", "b"],
    ];
    expect(said(looks, { notes, properties: size })).toBe("");
    expect(said(looks, { notes })).toBe("the history has lost c");
    expect(said(looks, { notes: [["fault", "clock-step w1 -5ms"]], properties: size })).toBe("the history has lost c");
  });
});
