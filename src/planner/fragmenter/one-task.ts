/**
 * Queries over so few rows that one task runs all of them. Each stage of such a query would have a single task, and all of these would be
 * on the same worker, where an exchange between them only costs: a task to create, to follow and to delete, and pages to pass on.
 */
import type { Estimator } from "../optimizer/stats/stats-calculator.ts";
import type { PlanNode } from "../plan/node.ts";
import { visitPlan } from "../plan/plan-tree.ts";

/** The rows of a query in one task are at most this part of the least rows of a task that shares the work. */
const partOfTask = 6;

/**
 * Whether all scans, and every result between them and the root, have few rows by what the connectors know. Estimates decide about the time
 * only: the rows are the same in any number of tasks.
 */
export function fitsOneTask(root: PlanNode, estimator: Estimator, rowsPerTaskMin: number): boolean {
  const rowsMax = rowsPerTaskMin / partOfTask;
  let [scans, scannedRows, fits] = [0, 0, true];
  visitPlan(root, (node) => {
    if (!fits) {
      return;
    }
    if (node.kind === "TableWriter" || node.kind === "SharedSource" || (node.kind === "TableScan" && node.table.coordinatorOnly)) {
      fits = false;
      return;
    }
    const { known, rows } = estimator.estimate(node);
    scans += node.kind === "TableScan" ? 1 : 0;
    scannedRows += node.kind === "TableScan" ? rows : 0;
    fits = known && rows <= rowsMax && scannedRows <= rowsMax;
  });
  return fits && scans > 0;
}
