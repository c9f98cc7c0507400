/**
 * EXPLAIN (TYPE IO): the tables that a plan reads, the table that it writes, and estimates, in Presto's format.
 */
import type { SchemaTableName, TableStatistics } from "../../connectors/spi.ts";
import type { Bound, DomainValue } from "../../types/domain/range.ts";
import { domainValueText } from "../../types/domain/texts.ts";
import { displayType, type Type } from "../../types/type.ts";
import { costOf, type NodeCost } from "../optimizer/stats/costs.ts";
import { domainsOf } from "../domain/domains.ts";
import type { Constant, RowExpression } from "../plan/typed-expression.ts";
import { constant } from "../plan/expression-tree.ts";
import type { FragmentedPlan } from "../fragmenter/fragment.ts";
import type { PlanNode, TableReference, TableScanNode } from "../plan/node.ts";
import { FragmentEstimator } from "./print.ts";
import { visitPlan } from "../plan/plan-tree.ts";

/** A missing estimate is NaN, which JSON represents as text. */
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

interface MarkerDocument {
  readonly value?: string;
  readonly bound: "ABOVE" | "EXACTLY" | "BELOW";
}

interface ConstraintDocument {
  readonly columnName: string;
  readonly type: string;
  readonly domain: {
    readonly nullsAllowed: boolean;
    readonly ranges: readonly { readonly low: MarkerDocument; readonly high: MarkerDocument }[];
  };
}

/** Casts a constant to varchar. */
type TextOf = (value: Constant) => string;

export interface IoDocument {
  readonly inputTableColumnInfos: readonly {
    readonly table: TableDocument;
    readonly columnConstraints: readonly ConstraintDocument[];
    readonly estimate: EstimateDocument;
  }[];
  readonly outputTable?: TableDocument;
  readonly estimate: EstimateDocument;
}

export function ioDocument(
  plan: FragmentedPlan,
  { statisticsOf, textOf }: { readonly statisticsOf: (table: TableReference) => TableStatistics; readonly textOf: TextOf },
): IoDocument {
  const estimator = new FragmentEstimator(plan, statisticsOf);
  const inputs = new Map<string, IoDocument["inputTableColumnInfos"][number]>();
  let outputTable: TableDocument | undefined;
  for (const { root } of plan.fragments) {
    const constraints = new Map<PlanNode, readonly ConstraintDocument[]>();
    visitPlan(root, (node) => {
      if (node.kind === "Filter" && node.source.kind === "TableScan") {
        constraints.set(node.source, constraintDocuments(node.source, node.predicate, textOf));
      }
      // Results of table functions are not tables.
      if (node.kind === "TableScan" && node.table.call === undefined) {
        const { catalog, name, joined = [] } = node.table;
        const estimate = estimateOf(estimator, node);
        // A scan's CPU cost is the size of its output; it needs no memory and no network.
        const costs = { cpuCost: estimate.outputSizeInBytes, maxMemory: 0, networkCost: 0 };
        const columnConstraints = constraints.get(node) ?? [];
        // A table that is read twice with different constraints is listed twice. Tables that the connector joins have one estimate.
        for (const schemaTable of [name, ...joined]) {
          const key = [catalog, schemaTable.schema, schemaTable.table].join(".");
          const place = `${key} ${JSON.stringify(columnConstraints)}`;
          if (!inputs.has(place)) {
            inputs.set(place, { table: { catalog, schemaTable }, columnConstraints, estimate: { ...estimate, ...costs } });
          }
        }
      }
      if (node.kind === "TableFinish") {
        outputTable = { catalog: node.target.catalog, schemaTable: node.target.name };
      }
    });
  }
  const root = plan.fragments[0]?.root;
  return {
    inputTableColumnInfos: [...inputs.values()],
    ...(outputTable !== undefined && { outputTable }),
    estimate: root === undefined ? unknownEstimate : { ...estimateOf(estimator, root), ...totalCosts(plan, estimator) },
  };
}

/** Sums over all nodes. The memory is the sum as well, as if all nodes held their peak at the same time. */
function totalCosts(plan: FragmentedPlan, estimator: FragmentEstimator): Pick<EstimateDocument, "cpuCost" | "maxMemory" | "networkCost"> {
  const costs: NodeCost[] = [];
  for (const { root } of plan.fragments) {
    visitPlan(root, (node) => costs.push(costOf(node, estimator)));
  }
  const total = (part: keyof NodeCost): number | "NaN" => {
    const sum = costs.reduce((so, cost) => so + (cost[part] ?? Number.NaN), 0);
    return Number.isNaN(sum) ? "NaN" : sum;
  };
  return { cpuCost: total("cpu"), maxMemory: total("memory"), networkCost: total("network") };
}

function constraintDocuments(scan: TableScanNode, predicate: RowExpression, textOf: TextOf): readonly ConstraintDocument[] {
  return [...domainsOf(predicate).domains].flatMap(([variable, { type, values, nullAllowed }]) => {
    const column = scan.columns[scan.outputs.findIndex(({ name }) => name === variable)];
    if (column === undefined) {
      return [];
    }
    const valueText = ({ value }: Bound): string => textOf(constantOf(type, value));
    const ranges = values.ranges.map(({ low, high }) => ({ low: marker(low, "ABOVE", valueText), high: marker(high, "BELOW", valueText) }));
    return [{ columnName: column.name, type: displayType(column.type), domain: { nullsAllowed: nullAllowed, ranges } }];
  });
}

function constantOf(type: Type, value: DomainValue): Constant {
  return constant(type, typeof value === "number" && !Object.is(value, -0) ? value : domainValueText(value));
}

function marker(bound: Bound | undefined, open: "ABOVE" | "BELOW", valueText: (bound: Bound) => string): MarkerDocument {
  return bound === undefined ? { bound: open } : { value: valueText(bound), bound: bound.inclusive ? "EXACTLY" : open };
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
  if (!known) {
    return unknownEstimate;
  }
  return { ...unknownEstimate, outputRowCount: rows, outputSizeInBytes: estimator.bytes(node) };
}
