/**
 * Tests that a whole run cannot afford run in parts that take turns. The turn is the week of the record of mutants
 * (test/mutants/weekly.json), so that a run can be repeated. ORRERY_TEST_ALL=1 runs all parts.
 */
import { projectRoot } from "../../../sim/mutants/bank.ts";
import { readWeekly } from "../../../sim/mutants/generated/weekly.ts";

export const runsAll = process.env["ORRERY_TEST_ALL"] === "1";

const turn = readWeekly(projectRoot()).now.mutationSeed;

/** Whether this case is in the part of the week, one of `parts`. */
export function isInTurn(index: number, parts = 2): boolean {
  return runsAll || (index + turn) % parts === 0;
}
