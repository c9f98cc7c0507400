/** Tables of users: what a statement may have left behind that ended before it was known whether it has written. */
import { describe, expect, it } from "vitest";
import type { Circumstances } from "../../../sim/checkers/results/results.ts";
import { TableOracle } from "../../../sim/checkers/results/tables.ts";
import type { Ending } from "../../../sim/user.ts";
import type { TableStep } from "../../../sim/workload/user-tables.ts";

const done: Ending = { kind: "outcome", outcome: { kind: "rows", rows: [[true]] } };
const missing: Ending = { kind: "outcome", outcome: { kind: "error", errorName: "TABLE_NOT_FOUND", message: "" } };
const taken: Ending = { kind: "outcome", outcome: { kind: "error", errorName: "TABLE_ALREADY_EXISTS", message: "" } };
const canceled = { kind: "canceled" } as Ending;

/** Alarms about a user who defines and drops one table. */
function alarms(table: string, ...steps: readonly (readonly ["define" | "drop", Ending])[]): readonly string[] {
  const said: string[] = [];
  const verdict = { violate: (_: string, __: string, sentence: string) => said.push(sentence), held: () => undefined };
  const causes = { facts: { copiesOf: () => 0, hasEnded: () => false } };
  const oracle = new TableOracle(verdict, { causes } as unknown as Circumstances);
  for (const [operation, ending] of steps) {
    const step: TableStep = { operation, table, query: "" };
    oracle.observe({ user: "u1", step, ending, crashes: 0 });
  }
  oracle.check(new Map());
  return said;
}

describe("tables of users", () => {
  it("knows what successful statements leave", () => {
    expect(alarms("memory.default.t", ["define", done], ["define", taken], ["drop", done], ["drop", missing])).toEqual([]);
    expect(alarms("bucket.default.t", ["define", done], ["drop", missing])).toHaveLength(1);
    expect(alarms("bucket.default.t", ["drop", done])).toHaveLength(1);
  });

  it("lets a canceled statement have written or not, but not later", () => {
    const table = "memory.default.t";
    expect(alarms(table, ["define", canceled], ["drop", missing])).toEqual([]);
    expect(alarms(table, ["define", canceled], ["drop", done])).toEqual([]);
    expect(alarms(table, ["define", canceled], ["drop", missing], ["drop", done])).toHaveLength(1);
  });

  it("lets the commit of a canceled statement arrive late at an object store, and once", () => {
    const table = "bucket.default.t";
    expect(alarms(table, ["define", canceled], ["drop", missing], ["drop", done])).toEqual([]);
    expect(alarms(table, ["define", canceled], ["drop", done], ["drop", missing], ["drop", done])).toHaveLength(1);
    expect(alarms(table, ["define", done], ["drop", canceled], ["define", taken], ["drop", missing], ["define", done])).toEqual([]);
  });
});
