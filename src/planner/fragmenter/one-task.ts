/**
 * Scans of tables with so few rows that a stage of them has one task. What is computed of such scans alone is one task, too: exchanges
 * between stages of one task each only cost tasks to create, to follow and to delete, and pages to pass on.
 */
import type { Estimator } from "../optimizer/stats/stats-calculator.ts";
import type { PlanNode, TableScanNode } from "../plan/node.ts";
import { visitPlan } from "../plan/plan-tree.ts";

/** Rows at which a stage has a second task, in the least rows of a task (scheduler/task-counts.ts). */
const secondTask = 2;
/** All scans together have at most this many times the rows of one; else only those of the smallest tables are in one task. */
const togetherFactor = 2;
/** Rows of a table that is always in one task: this part of the least rows of a task. */
const partOfTask = 6;

/**
 * The scans that are not distributed, by what the connectors know. Undefined if there is none. Estimates decide about the time only: the
 * rows are the same in any number of tasks. Writes keep their stages.
 */
export function scansInOneTask(
  root: PlanNode,
  estimator: Estimator,
  rowsPerTaskMin: number,
): ((scan: TableScanNode) => boolean) | undefined {
  const rows = new Map<TableScanNode, number>();
  let writes = false;
  visitPlan(root, (node) => {
    writes ||= node.kind === "TableWriter";
    const estimate = node.kind === "TableScan" && !node.table.coordinatorOnly ? estimator.estimate(node) : undefined;
    if (node.kind === "TableScan" && estimate?.known === true && estimate.rows < secondTask * rowsPerTaskMin) {
      rows.set(node, estimate.rows);
    }
  });
  const sum = [...rows.values()].reduce((total, one) => total + one, 0);
  const rowsMax = sum <= togetherFactor * secondTask * rowsPerTaskMin ? Number.POSITIVE_INFINITY : rowsPerTaskMin / partOfTask;
  const chosen = new Set([...rows].filter(([, count]) => count <= rowsMax).map(([scan]) => scan));
  return writes || chosen.size === 0 ? undefined : (scan) => chosen.has(scan);
}
