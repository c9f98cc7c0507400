/** Planted violations of the model of rows of operators that spill. */
import { describe, expect, it } from "vitest";
import { spilledRows } from "../../../../../sim/checkers/models/node/spilled-rows.ts";
import type { PlannedStatement } from "../../../../../sim/plan.ts";
import { FabricatedRun } from "../fabricated.ts";

const sql = "SELECT a, b FROM t ORDER BY a";

function said(second: readonly unknown[], volatile: PlannedStatement["volatile"] = { equivalent: "SELECT a FROM t", isPaired: true }) {
  const statement: PlannedStatement = { sql, behaviour: { kind: "reads-all" }, thinkNanos: 0, volatile };
  const run = new FabricatedRun(spilledRows);
  const first = [
    ["x", 1],
    ["x", 2],
  ];
  for (const [index, rows] of [first, second].entries()) {
    run.ended(index, `p${index + 1}`, statement, { kind: "outcome", outcome: { kind: "rows", rows } });
  }
  return run.said;
}

describe("the model of rows of operators that spill", () => {
  it("accepts the same rows, and says nothing of statements that draw", () => {
    expect(
      said([
        ["x", 1],
        ["x", 2],
      ]),
    ).toEqual([]);
    expect(
      said(
        [
          ["x", 2],
          ["x", 1],
        ],
        { equivalent: "SELECT a FROM t" },
      ),
    ).toEqual([]);
  });

  it.each<[string, readonly unknown[]]>([
    [
      "ties in another order",
      [
        ["x", 2],
        ["x", 1],
      ],
    ],
    ["a row that is missing", [["x", 1]]],
    [
      "a row too many",
      [
        ["x", 1],
        ["x", 2],
        ["x", 3],
      ],
    ],
  ])("reports %s", (_, rows) => {
    expect(said(rows)).toHaveLength(1);
  });
});
