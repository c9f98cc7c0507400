/**
 * Scans of tables with so few rows that a stage of them has one task. What is computed of such scans alone is one task, too: exchanges
 * between stages of one task each only cost tasks to create, to follow and to delete, and pages to pass on. The same holds for the last
 * step of a query that aggregates many rows to a few groups: the root stage finishes them.
 */
import type { Estimator } from "../optimizer/stats/stats-calculator.ts";
import type { AggregationNode, PlanNode, TableScanNode } from "../plan/node.ts";
import { ScanSearch, visitFiltering } from "../optimizer/rules/dynamic-filters.ts";
import { visitPlan } from "../plan/plan-tree.ts";
import type { Variable } from "../plan/typed-expression.ts";
import { canBeRemote } from "./remote-dynamic-filters.ts";

/** Rows at which a stage has a second task, in the least rows of a task (scheduler/task-counts.ts). */
const secondTask = 2;
/** All scans together have at most this many times the rows of one; else only those of the smallest tables are in one task. */
const togetherFactor = 2;
/** Rows of a table that is always in one task: this part of the least rows of a task. */
const partOfTask = 6;
/** Groups that the root stage finishes: this part of the least rows of a task. */
const groupsPartOfTask = 600;
/** Groups that one task of a worker finishes: this part of the least rows of a task. A hash stage of so few rows has one task, too. */
const groupsPartOfWorker = 12;

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

/**
 * The last aggregation of a query if its groups are few by what the connectors know. Only sorts, projections and the like are above it: a
 * join in its task would bring all rows of its other side there.
 */
export function aggregationOfRoot(root: PlanNode, estimator: Estimator, rowsPerTaskMin: number): AggregationNode | undefined {
  switch (root.kind) {
    case "Output":
    case "Project":
    case "Filter":
    case "Sort":
    case "TopN":
    case "Limit":
    case "Offset":
      return aggregationOfRoot(root.source, estimator, rowsPerTaskMin);
    case "Aggregation": {
      const { known, rows } = estimator.estimate(root);
      return known && rows * groupsPartOfTask <= rowsPerTaskMin ? root : undefined;
    }
    default:
      return undefined;
  }
}

export interface FewGroupsOptions {
  readonly rowsPerTaskMin: number;
  /** Keys of joins reach the scans of other stages. */
  readonly filtersScans: boolean;
}

/**
 * The aggregations whose groups are few by what the connectors know, or because a join above keeps few of them: its keys are a dynamic
 * filter of the scan below. A stage that is partitioned by so few groups has one task anyway (scheduler/task-counts.ts). In a task that is
 * one by the plan, what is computed of the groups needs no further stage.
 */
export function aggregationsOfFewGroups(
  root: PlanNode,
  estimator: Estimator,
  { filtersScans, rowsPerTaskMin }: FewGroupsOptions,
): ReadonlySet<AggregationNode> {
  const found = new Set<AggregationNode>();
  const isAtMost = (node: PlanNode, partOf: number): boolean => {
    const { known, rows } = estimator.estimate(node);
    return known && rows * partOf <= rowsPerTaskMin;
  };
  visitPlan(root, (node) => {
    if (node.kind === "Aggregation" && isAtMost(node, groupsPartOfWorker)) {
      found.add(node);
    }
  });
  if (filtersScans) {
    visitFiltering(root, ({ build, pairs, probe }) => {
      const cut = pairs.map(({ key }) => (canBeRemote(key.type) ? aggregationBy(probe, key) : undefined)).find((one) => one !== undefined);
      if (cut !== undefined && isAtMost(build, groupsPartOfTask)) {
        found.add(cut);
      }
    });
  }
  return found;
}

/** The aggregation by a single key that a filter on `variable` passes on its way to a scan. */
function aggregationBy(node: PlanNode, variable: Variable): AggregationNode | undefined {
  switch (node.kind) {
    case "Filter":
      return aggregationBy(node.source, variable);
    case "Project": {
      const value = node.assignments.find(({ output }) => output.name === variable.name)?.expression;
      return value?.kind === "variable" ? aggregationBy(node.source, value) : undefined;
    }
    case "Aggregation":
      return node.keys.length === 1 && new ScanSearch().scanOf(node, variable) !== undefined ? node : undefined;
    default:
      return undefined;
  }
}
