/**
 * EXPLAIN with FORMAT JSON and FORMAT GRAPHVIZ. Node descriptions come from print.ts.
 */
import type { TableStatistics } from "../../connectors/spi.ts";
import { displayType } from "../../types/type.ts";
import type { FragmentedPlan, PlanFragment } from "../fragmenter/fragment.ts";
import { outputsOf, type PlanNode, type TableReference } from "../plan/node.ts";
import { describeNode, FragmentEstimator, partitioningText } from "./print.ts";
import type { Estimator } from "../optimizer/stats/stats-calculator.ts";
import { sourcesOf } from "../plan/plan-tree.ts";

interface NodeDocument {
  readonly id: string;
  readonly name: string;
  readonly identifier: string;
  readonly outputs: readonly { readonly symbol: string; readonly type: string }[];
  readonly details: readonly string[];
  /** Empty without statistics. */
  readonly estimates: readonly { readonly outputRowCount: number; readonly outputSizeInBytes: number }[];
  readonly children: readonly NodeDocument[];
  /** Ids of the source fragments of the node. */
  readonly remoteSources: readonly string[];
}

export function planDocument(node: PlanNode, estimator: Estimator): NodeDocument {
  const { head, details = [] } = describeNode(node);
  const { rows, known } = estimator.estimate(node);
  const bracket = head.indexOf("[");
  return {
    id: node.id,
    name: bracket < 0 ? head : head.slice(0, bracket),
    identifier: bracket < 0 ? "" : head.slice(bracket),
    outputs: outputsOf(node).map(({ name, type }) => ({ symbol: name, type: displayType(type) })),
    details,
    estimates: known ? [{ outputRowCount: rows, outputSizeInBytes: estimator.bytes(node) }] : [],
    children: sourcesOf(node).map((source) => planDocument(source, estimator)),
    remoteSources: node.kind === "RemoteSource" ? node.fragmentIds.map(String) : [],
  };
}

/** By fragment number. */
export function fragmentDocuments(
  plan: FragmentedPlan,
  statisticsOf: (table: TableReference) => TableStatistics,
): Readonly<Record<string, { readonly plan: NodeDocument }>> {
  const estimator = new FragmentEstimator(plan, statisticsOf);
  return Object.fromEntries(plan.fragments.map((fragment) => [String(fragment.id), { plan: planDocument(fragment.root, estimator) }]));
}

export function graphOfPlan(node: PlanNode): string {
  return `digraph logical_plan {\n${cluster("graphviz_plan", "SINGLE", node)}${edges(node).join("")}}\n`;
}

export function graphOfFragments(plan: FragmentedPlan): string {
  const clusters = plan.fragments.map((fragment) => cluster(String(fragment.id), partitioningText(fragment), fragment.root));
  const inner = plan.fragments.flatMap((fragment) => edges(fragment.root));
  const outer = plan.fragments.flatMap((fragment) => remoteEdges(fragment.root, plan.fragments));
  return `digraph distributed_plan {\n${clusters.join("")}${[...inner, ...outer].join("")}}\n`;
}

function cluster(id: string, label: string, root: PlanNode): string {
  return `subgraph cluster_${id} {\nlabel = "${label}"\n${boxes(root).join("")}}\n`;
}

function boxes(node: PlanNode): readonly string[] {
  const { head, details = [] } = describeNode(node);
  const bracket = head.indexOf("[");
  const name = bracket < 0 ? head : head.slice(0, bracket);
  const text = [bracket < 0 ? "" : head.slice(bracket), ...details]
    .filter((line) => line !== "")
    .map(recordText)
    .join("\\n");
  const label = text === "" ? `{${recordText(name)}}` : `{${recordText(name)}|${text}}`;
  return [
    `plannode_${node.id}[label="${label}", style="rounded, filled", shape=record, fillcolor=white];\n`,
    ...sourcesOf(node).flatMap(boxes),
  ];
}

function edges(node: PlanNode): readonly string[] {
  return sourcesOf(node).flatMap((source) => [`plannode_${node.id} -> plannode_${source.id};\n`, ...edges(source)]);
}

function remoteEdges(node: PlanNode, fragments: readonly PlanFragment[]): readonly string[] {
  if (node.kind !== "RemoteSource") {
    return sourcesOf(node).flatMap((source) => remoteEdges(source, fragments));
  }
  return node.fragmentIds.flatMap((id) => {
    const root = fragments[id]?.root;
    return root === undefined ? [] : [`plannode_${node.id} -> plannode_${root.id};\n`];
  });
}

/** Escapes characters that have a meaning in GraphViz record labels. */
function recordText(text: string): string {
  return text.replaceAll(/[\\"{}|<>]/g, (character) => `\\${character}`).replaceAll("\n", "\\n");
}
