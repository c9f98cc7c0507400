/** Cuts a plan at its exchanges into fragments, numbered from the root down. Called by planStatement; the scheduler runs what it makes. */
import { assert, QueryError } from "../protocol/errors.ts";
import type { FragmentedPlan, FragmentPartitioning, PlanFragment } from "./fragment.ts";
import { outputsOf, type OutputPartitioning, type PlanNode } from "./node.ts";
import { sourcesOf, visitPlan, withSources } from "./tree.ts";

/** query.max-stage-count. */
const stagesMax = 100;

interface Cut {
  readonly id: number;
  readonly root: PlanNode;
  readonly outputPartitioning: OutputPartitioning;
}

export function fragmentPlan(plan: PlanNode): FragmentedPlan {
  const fragments: PlanFragment[] = [];
  const waiting: Cut[] = [{ id: 0, root: plan, outputPartitioning: { kind: "SINGLE" } }];
  let nextId = 1;
  const partitionings = new Map<number, OutputPartitioning>();
  // Breadth first: a fragment's sources come after it.
  for (let cut = waiting.shift(); cut !== undefined; cut = waiting.shift()) {
    const root = replaceExchanges(cut.root, (node) => {
      const fragmentIds = node.sources.map((source) => {
        const id = nextId;
        nextId += 1;
        const outputPartitioning = renamePartitioning(node, source);
        partitionings.set(id, outputPartitioning);
        waiting.push({ id, root: source, outputPartitioning });
        return id;
      });
      return { kind: "RemoteSource", id: node.id, fragmentIds, outputs: node.outputs, ...(node.orderBy && { orderBy: node.orderBy }) };
    });
    fragments.push(makeFragment(cut, root, partitionings));
  }
  return { fragments };
}

export function hasFewStages({ fragments }: FragmentedPlan): boolean {
  return fragments.length <= stagesMax;
}

export function requireFewStages(plan: FragmentedPlan): void {
  const { fragments } = plan;
  if (!hasFewStages(plan)) {
    throw new QueryError(
      "QUERY_HAS_TOO_MANY_STAGES",
      `Number of stages in the query (${fragments.length}) exceeds the allowed maximum (${stagesMax}). If the query contains multiple CTEs that are referenced more than once, please create temporary table(s) for one or more of the CTEs.`,
    );
  }
}

function replaceExchanges(node: PlanNode, replace: (exchange: PlanNode & { kind: "Exchange" }) => PlanNode): PlanNode {
  if (node.kind === "Exchange") return replace(node);
  return withSources(
    node,
    sourcesOf(node).map((source) => replaceExchanges(source, replace)),
  );
}

/** The exchange names its own outputs; each source hashes the columns in the same places. */
function renamePartitioning(exchange: PlanNode & { kind: "Exchange" }, source: PlanNode): OutputPartitioning {
  const { partitioning } = exchange;
  if (partitioning.kind !== "HASH") return partitioning;
  const outputs = outputsOf(source);
  const keys = partitioning.keys.map((key) => {
    const variable = outputs[exchange.outputs.findIndex((output) => output.name === key.name)];
    assert(variable !== undefined, `partitioning key ${key.name} is an output of the exchange`);
    return variable;
  });
  return { kind: "HASH", keys };
}

function makeFragment(cut: Cut, root: PlanNode, partitionings: ReadonlyMap<number, OutputPartitioning>): PlanFragment {
  const scanIds: string[] = [];
  let coordinatorOnly = false;
  let spread = false;
  visitPlan(root, (node) => {
    if (node.kind === "TableScan") {
      scanIds.push(node.id);
      coordinatorOnly ||= node.table.coordinatorOnly;
    }
    if (node.kind === "RemoteSource") {
      const [first] = node.fragmentIds;
      const kind = first === undefined ? undefined : partitionings.get(first)?.kind;
      spread ||= kind === "HASH" || kind === "ROUND_ROBIN";
    }
  });
  const partitioning = choosePartitioning(cut.id, coordinatorOnly, scanIds.length > 0, spread);
  assert(!(spread && (scanIds.length > 0 || partitioning === "COORDINATOR")), `fragment ${cut.id} reads splits and partitions at once`);
  return {
    id: cut.id,
    root,
    partitioning,
    scanIds,
    outputTypes: outputsOf(root).map((output) => output.type),
    outputPartitioning: cut.outputPartitioning,
  };
}

function choosePartitioning(id: number, coordinatorOnly: boolean, scans: boolean, spread: boolean): FragmentPartitioning {
  if (id === 0 || coordinatorOnly) return "COORDINATOR";
  if (scans) return "SOURCE";
  return spread ? "HASH" : "SINGLE";
}

/** The same plan with node ids 0, 1, ... from the root down, so that equal statements have equal plans whatever the rules drew. */
export function renumberNodes(plan: PlanNode): PlanNode {
  let next = 0;
  const renumber = (node: PlanNode): PlanNode => {
    const id = String(next);
    next += 1;
    const sources = sourcesOf(node).map(renumber);
    const renamed = { ...node, id };
    return sources.length === 0 ? renamed : withSources(renamed, sources);
  };
  return renumber(plan);
}
