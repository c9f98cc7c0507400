/** EXPLAIN (TYPE IO): the tables that a plan reads and the one that it writes, with estimates; the form is Presto's. */
import type { SchemaTableName, TableStatistics } from "../connectors/connector.ts";
import type { FragmentedPlan } from "./fragment.ts";
import type { PlanNode, TableReference } from "./node.ts";
import { FragmentEstimator } from "./print.ts";
import { visitPlan } from "./tree.ts";

/** What is not estimated is NaN, which JSON has as text. */
interface EstimateDocument {
  readonly outputRowCount: number | "NaN";
  readonly outputSizeInBytes: number | "NaN";
  readonly cpuCost: number | "NaN";
  readonly maxMemory: number | "NaN";
  readonly networkCost: number | "NaN";
}

interface TableDocument {
  readonly catalog: string;
  readonly schemaTable: SchemaTableName;
}

export interface IoDocument {
  readonly inputTableColumnInfos: readonly {
    readonly table: TableDocument;
    /** No connector takes predicates over yet. */
    readonly columnConstraints: readonly [];
    readonly estimate: EstimateDocument;
  }[];
  readonly outputTable?: TableDocument;
  readonly estimate: EstimateDocument;
}

export function ioDocument(plan: FragmentedPlan, statisticsOf: (table: TableReference) => TableStatistics): IoDocument {
  const estimator = new FragmentEstimator(plan, statisticsOf);
  const inputs = new Map<string, IoDocument["inputTableColumnInfos"][number]>();
  let outputTable: TableDocument | undefined;
  for (const { root } of plan.fragments) {
    visitPlan(root, (node) => {
      if (node.kind === "TableScan") {
        const { catalog, name } = node.table;
        const key = [catalog, name.schema, name.table].join(".");
        const estimate = estimateOf(estimator, node);
        // Reading costs what is read, and holds and sends nothing.
        const costs = { cpuCost: estimate.outputSizeInBytes, maxMemory: 0, networkCost: 0 };
        if (!inputs.has(key))
          inputs.set(key, { table: { catalog, schemaTable: name }, columnConstraints: [], estimate: { ...estimate, ...costs } });
      }
      if (node.kind === "TableFinish") outputTable = { catalog: node.target.catalog, schemaTable: node.target.name };
    });
  }
  const root = plan.fragments[0]?.root;
  return {
    inputTableColumnInfos: [...inputs.values()],
    ...(outputTable !== undefined && { outputTable }),
    estimate: root === undefined ? unknownEstimate : estimateOf(estimator, root),
  };
}

const unknownEstimate: EstimateDocument = Object.freeze({
  outputRowCount: "NaN",
  outputSizeInBytes: "NaN",
  cpuCost: "NaN",
  maxMemory: "NaN",
  networkCost: "NaN",
});

function estimateOf(estimator: FragmentEstimator, node: PlanNode): EstimateDocument {
  const { known, rows } = estimator.estimate(node);
  if (!known) return unknownEstimate;
  return { ...unknownEstimate, outputRowCount: rows, outputSizeInBytes: estimator.bytes(node) };
}
