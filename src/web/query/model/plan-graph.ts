/**
 * The plan of a query as a graph: stages that hold plan nodes, edges from each node to the node that reads it. What is collapsed hides all
 * that only it can reach. Pure.
 */
import {
  childrenOf,
  type EstimateDocument,
  hasEnded,
  isOutdated,
  type PlanNodeDocument,
  planOf,
  type QueryDetail,
  remoteStages,
  type StageDetail,
  stageNumber,
  stagesOf,
} from "./documents.ts";
import { checkEstimate, type EstimateCheck } from "./estimates.ts";
import { type Fusion, fusionsOf, type Measure, measuresOf, type NodeMeasures, rowSkewOf, timeSkewOf } from "./measures.ts";
import { type NodeText, nodeText } from "./node-text.ts";

export interface GraphNode {
  readonly id: string;
  readonly stage: number;
  readonly document: PlanNodeDocument;
  readonly text: NodeText;
  /** Ids of the nodes it reads, in this stage or, for an exchange, the roots of other stages. */
  readonly children: readonly string[];
  /** Undefined if the node has no operator of its own, or none has started. */
  readonly measures: NodeMeasures | undefined;
  /** Rows that the node put out; undefined if they cannot be known. */
  readonly rowsOut: number | undefined;
  readonly rowSkew: number | undefined;
  readonly timeSkew: number | undefined;
  readonly estimate: EstimateCheck | undefined;
  /** Why it has no numbers of its own: `runs in table scan 4`; empty if it has, or if the stage has not started. */
  readonly fusedText: string;
  /** Why a node with an operator has no numbers: `not started`. */
  readonly missingText: string;
}

export interface GraphStage {
  readonly number: number;
  readonly document: StageDetail;
  /** Id of the root node; undefined if the coordinator sent no plan. */
  readonly root: string | undefined;
  /** Nodes from the root down. */
  readonly nodes: readonly GraphNode[];
  /** Stages that it reads, in the order of the plan. */
  readonly reads: readonly number[];
  /** Rows that the tasks handed to the reading stages. */
  readonly output: Measure | undefined;
  readonly cpuNanos: number;
  /** Some tasks have ended, and the coordinator has no document of their end yet. */
  readonly isPartial: boolean;
  readonly partitioning: string;
}

export interface PlanGraph {
  readonly stages: readonly GraphStage[];
  readonly nodes: ReadonlyMap<string, GraphNode>;
  /** Largest time of a node, for bars that compare nodes; at least 1. */
  readonly wallNanosMax: number;
}

export function planGraph(query: QueryDetail): PlanGraph {
  const documents = stagesOf(query);
  const roots = new Map(documents.map((stage) => [stageNumber(stage.stageId), planOf(stage).root?.id]));
  const given = new Map(documents.map((stage) => [stageNumber(stage.stageId), outputRowsOf(stage)]));
  const stages = documents.map((document) => graphStage(document, { roots, given }));
  const nodes = new Map(stages.flatMap((stage) => stage.nodes.map((node) => [node.id, node] as const)));
  const wallNanosMax = [...nodes.values()].reduce((max, { measures }) => Math.max(max, measures?.total.wallNanos ?? 0), 1);
  return { stages, nodes, wallNanosMax };
}

/** Rows that the stage gives to each of its readers; undefined if it has not reported them all. */
function outputRowsOf(stage: StageDetail): number | undefined {
  return stage.tasks.some((task) => isOutdated(task, stage)) ? undefined : measuresOf(stage).get("")?.total.rowsOut;
}

interface Surroundings {
  /** Root node of each stage. */
  readonly roots: ReadonlyMap<number, string | undefined>;
  readonly given: ReadonlyMap<number, number | undefined>;
}

function graphStage(document: StageDetail, { roots, given }: Surroundings): GraphStage {
  const number = stageNumber(document.stageId);
  const { root, estimates = {}, partitioning } = planOf(document);
  const tasks = document.tasks.filter((task) => !isOutdated(task, document));
  const isPartial = tasks.length < document.tasks.length;
  const measures = measuresOf({ tasks });
  const fusions = fusionsOf(document, measures);
  const nodes: GraphNode[] = [];
  const reads: number[] = [];
  const visit = (node: PlanNodeDocument, isFiltered: boolean): void => {
    const remote = remoteStages(node);
    reads.push(...remote);
    const below = childrenOf(node);
    nodes.push(
      graphNode(node, {
        stage: number,
        children: [...below.map(({ id }) => id), ...remote.flatMap((stage) => roots.get(stage) ?? [])],
        measures,
        fusions,
        isFiltered,
        isPartial,
        output: measures.get("")?.total,
        given: remote.length === 0 ? undefined : sumOf(remote.map((stage) => given.get(stage))),
        estimate: Object.hasOwn(estimates, node.id) ? estimates[node.id] : undefined,
        isFinal: hasEnded(document) && tasks.length > 0 && !isPartial,
      }),
    );
    const isBelow = fusions.get(node.id)?.isBelow === true;
    for (const child of below) {
      visit(child, isBelow && (isFiltered || node.kind === "Filter"));
    }
  };
  if (root !== undefined) {
    visit(root, false);
  }
  const cpuNanos = [...measures.values()].reduce((sum, { total }) => sum + total.cpuNanos, 0);
  return {
    number,
    document,
    root: root?.id,
    nodes,
    reads: [...new Set(reads)],
    output: measures.get("")?.total,
    cpuNanos,
    isPartial,
    partitioning: partitioning?.connectorHandle?.partitioning ?? "",
  };
}

function sumOf(values: readonly (number | undefined)[]): number | undefined {
  return values.reduce((sum, value) => (sum === undefined || value === undefined ? undefined : sum + value), 0);
}

interface NodeContext {
  readonly stage: number;
  readonly children: readonly string[];
  readonly measures: ReadonlyMap<string, NodeMeasures>;
  readonly fusions: ReadonlyMap<string, Fusion>;
  /** Whether the operator that runs this node also runs a filter above it. */
  readonly isFiltered: boolean;
  readonly output: Measure | undefined;
  readonly isPartial: boolean;
  /** For an exchange: rows of the stages that it reads. Its own count has them once for each task if they are broadcast. */
  readonly given: number | undefined;
  readonly estimate: EstimateDocument | undefined;
  readonly isFinal: boolean;
}

function graphNode(document: PlanNodeDocument, context: NodeContext): GraphNode {
  const { stage, children, measures, fusions, estimate, isFinal } = context;
  const own = measures.get(document.id);
  const rowsOut = rowsOutOf(document, context);
  return {
    id: document.id,
    stage,
    document,
    text: nodeText(document),
    children,
    measures: own,
    rowsOut,
    rowSkew: own === undefined ? undefined : rowSkewOf(own),
    timeSkew: own === undefined ? undefined : timeSkewOf(own),
    estimate: checkEstimate(estimate, context.given ?? rowsOut, isFinal),
    fusedText: fusedText(document, fusions.get(document.id)),
    missingText: own !== undefined ? "" : context.isPartial ? "numbers follow at the end" : "not started",
  };
}

/**
 * An operator that runs filters and projections beside a scan puts out the rows behind the highest filter; what comes out below that is not
 * counted. The Output node puts out what the stage hands over.
 */
function rowsOutOf(document: PlanNodeDocument, { measures, fusions, isFiltered, output }: NodeContext): number | undefined {
  if (isFiltered) {
    return undefined;
  }
  const own = measures.get(document.id);
  if (own !== undefined) {
    return own.total.rowsOut;
  }
  if (document.kind === "Output") {
    return output?.rowsOut;
  }
  const fusion = fusions.get(document.id);
  return fusion?.isBelow === true ? measures.get(fusion.host?.id ?? "")?.total.rowsOut : undefined;
}

function fusedText(node: PlanNodeDocument, fusion: Fusion | undefined): string {
  if (fusion === undefined) {
    return "";
  }
  if (fusion.host === undefined) {
    return node.kind === "Project" ? "renames columns, no operator" : "no operator of its own";
  }
  return `runs in ${nodeText(fusion.host).title.toLowerCase()} ${fusion.host.id}`;
}

/** What is hidden. Keys: `n17` for the nodes below node 17, `s2` for the inside of stage 2. */
export type Collapsed = ReadonlySet<string>;

export const nodeKey = (id: string): string => `n${id}`;
export const stageKey = (stage: number): string => `s${stage}`;

export interface ShownStage {
  readonly stage: GraphStage;
  readonly isCollapsed: boolean;
  /** Empty if the stage is collapsed. */
  readonly nodes: readonly GraphNode[];
}

export interface ShownGraph {
  readonly stages: readonly ShownStage[];
  /** From the node or stage that gives rows to the one that takes them. Keys as in `Collapsed`. */
  readonly edges: readonly ShownEdge[];
}

export interface ShownEdge {
  readonly from: string;
  readonly to: string;
  readonly fromStage: number;
  readonly toStage: number;
  readonly rows: number | undefined;
  /** True for the build side of a join. */
  readonly isBuild: boolean;
}

/** The part of the graph that can be reached from the root without passing what is collapsed. */
export function shownGraph(graph: PlanGraph, collapsed: Collapsed): ShownGraph {
  const byNumber = new Map(graph.stages.map((stage) => [stage.number, stage]));
  const stages: ShownStage[] = [];
  const edges: ShownEdge[] = [];
  const seen = new Set<number>();
  const show = (stage: GraphStage): void => {
    if (seen.has(stage.number)) {
      return;
    }
    seen.add(stage.number);
    const isCollapsed = collapsed.has(stageKey(stage.number)) || stage.root === undefined;
    const nodes = isCollapsed ? [] : reachable(graph, stage, collapsed);
    stages.push({ stage, isCollapsed, nodes });
    for (const node of nodes) {
      if (!collapsed.has(nodeKey(node.id))) {
        edges.push(...edgesInto(graph, node, collapsed));
      }
    }
    const reads = isCollapsed ? stage.reads : nodes.flatMap((node) => (collapsed.has(nodeKey(node.id)) ? [] : remoteStages(node.document)));
    for (const number of reads) {
      const source = byNumber.get(number);
      if (source !== undefined) {
        if (isCollapsed) {
          edges.push(stageEdge(source, { to: stageKey(stage.number), toStage: stage.number }, collapsed, false));
        }
        show(source);
      }
    }
  };
  const [root] = graph.stages;
  if (root !== undefined) {
    show(root);
  }
  return { stages, edges };
}

function reachable(graph: PlanGraph, stage: GraphStage, collapsed: Collapsed): readonly GraphNode[] {
  const nodes: GraphNode[] = [];
  const visit = (id: string): void => {
    const node = graph.nodes.get(id);
    if (node !== undefined && node.stage === stage.number) {
      nodes.push(node);
      if (!collapsed.has(nodeKey(id))) {
        for (const child of node.children) {
          visit(child);
        }
      }
    }
  };
  if (stage.root !== undefined) {
    visit(stage.root);
  }
  return nodes;
}

function edgesInto(graph: PlanGraph, node: GraphNode, collapsed: Collapsed): readonly ShownEdge[] {
  const to = { to: nodeKey(node.id), toStage: node.stage };
  const hasBuild = node.document.kind === "Join" || node.document.kind === "SemiJoin";
  const build = node.document["build"] === "SOURCE" ? 0 : 1;
  const inner = childrenOf(node.document).flatMap((child, index): ShownEdge[] => {
    const source = graph.nodes.get(child.id);
    return source === undefined
      ? []
      : [{ ...to, from: nodeKey(child.id), fromStage: node.stage, rows: source.rowsOut, isBuild: hasBuild && index === build }];
  });
  const outer = remoteStages(node.document).flatMap((number) => {
    const source = graph.stages.find((stage) => stage.number === number);
    return source === undefined ? [] : [stageEdge(source, to, collapsed, false)];
  });
  return [...inner, ...outer];
}

function stageEdge(
  source: GraphStage,
  to: { readonly to: string; readonly toStage: number },
  collapsed: Collapsed,
  isBuild: boolean,
): ShownEdge {
  const isCollapsed = collapsed.has(stageKey(source.number)) || source.root === undefined;
  const from = isCollapsed ? stageKey(source.number) : nodeKey(source.root ?? "");
  return { ...to, from, fromStage: source.number, rows: source.output?.rowsOut, isBuild };
}
