/**
 * Cuts a plan at its exchanges into fragments, numbered from the root down.
 */
import { assert, QueryError } from "../../protocol/errors.ts";
import type { FragmentedPlan, FragmentPartitioning, PlanFragment } from "./fragment.ts";
import { sourceFragmentsOf } from "./fragment-walk.ts";
import { PlanIds } from "../plan/ids.ts";
import { type ExchangeNode, outputsOf, type OutputPartitioning, type PlanNode, type SharedSourceNode } from "../plan/node.ts";
import { layOut, rewritePlan, sourcesOf, visitPlan, withSources } from "../plan/plan-tree.ts";

/** Default of query.max-stage-count. */
const stagesMax = 100;

interface Cut {
  readonly id: number;
  readonly root: PlanNode;
  readonly outputPartitioning: OutputPartitioning;
}

export interface FragmentOptions {
  /** Roots of the fragments of shared plans, by their numbers. */
  readonly shared?: ReadonlyMap<number, PlanNode>;
}

export function fragmentPlan(plan: PlanNode, ids = new PlanIds(), options: FragmentOptions = {}): FragmentedPlan {
  const { shared = new Map<number, PlanNode>() } = options;
  const fragments: PlanFragment[] = [];
  const waiting: Cut[] = [{ id: 0, root: plan, outputPartitioning: { kind: "SINGLE" } }];
  let nextId = 1;
  const partitionings = new Map<number, OutputPartitioning>();
  const add = (root: PlanNode, outputPartitioning: OutputPartitioning): number => {
    const id = nextId;
    nextId += 1;
    partitionings.set(id, outputPartitioning);
    waiting.push({ id, root, outputPartitioning });
    return id;
  };
  const known = new Map<number, number>();
  const readShared = ({ id: node, plan: { number }, columns, outputs }: SharedSourceNode): PlanNode => {
    const root = shared.get(number);
    assert(root !== undefined, `shared plan ${number} has no fragment`);
    const id = known.get(number) ?? add(root, { kind: "SINGLE" });
    known.set(number, id);
    const given = outputsOf(root);
    // The remote source also receives columns that only other readers need. They keep their own names, and the projection above drops them.
    // It also restores the column order of this reader.
    const read = given.map((column) => outputs[columns.findIndex(({ name }) => name === column.name)] ?? column);
    return layOut(ids, { kind: "RemoteSource", id: node, fragmentIds: [id], outputs: read }, outputs);
  };
  // Breadth first, so that source fragments follow their readers.
  for (let cut = waiting.shift(); cut !== undefined; cut = waiting.shift()) {
    const root = replaceLeaves(cut.root, (node) => {
      if (node.kind === "SharedSource") {
        return readShared(node);
      }
      const fragmentIds = node.sources.map((source) => add(source, renamePartitioning(node, source)));
      return { kind: "RemoteSource", id: node.id, fragmentIds, outputs: node.outputs, ...(node.orderBy && { orderBy: node.orderBy }) };
    });
    fragments.push(makeFragment(cut, root, partitionings));
  }
  return known.size === 0 ? { fragments } : inOrder({ fragments });
}

/** Orders fragments topologically: a fragment with several readers follows all of them. */
function inOrder({ fragments }: FragmentedPlan): FragmentedPlan {
  const readers = new Map<number, number>();
  for (const source of fragments.flatMap(sourceFragmentsOf)) {
    readers.set(source, (readers.get(source) ?? 0) + 1);
  }
  const ordered: PlanFragment[] = [];
  const ready = fragments.filter(({ id }) => !readers.has(id));
  for (let next = ready.shift(); next !== undefined; next = ready.shift()) {
    ordered.push(next);
    for (const source of sourceFragmentsOf(next)) {
      const left = (readers.get(source) ?? 1) - 1;
      readers.set(source, left);
      if (left === 0) {
        ready.push(fragments[source] as PlanFragment);
      }
    }
  }
  assert(ordered.length === fragments.length, "fragments do not read each other in a circle");
  const ids = new Map(ordered.map(({ id }, index) => [id, index]));
  return { fragments: ordered.map((fragment) => renumberFragment(fragment, (id) => ids.get(id) as number)) };
}

export function renumberFragment(fragment: PlanFragment, idOf: (id: number) => number): PlanFragment {
  const root = rewritePlan(fragment.root, (node) =>
    node.kind === "RemoteSource" ? { ...node, fragmentIds: node.fragmentIds.map(idOf) } : node,
  );
  return { ...fragment, id: idOf(fragment.id), root };
}

export function requireFewStages({ fragments }: FragmentedPlan): void {
  if (fragments.length > stagesMax) {
    throw new QueryError(
      "QUERY_HAS_TOO_MANY_STAGES",
      `Number of stages in the query (${fragments.length}) exceeds the allowed maximum (${stagesMax}). If the query contains multiple CTEs that are referenced more than once, please create temporary table(s) for one or more of the CTEs.`,
    );
  }
}

function replaceLeaves(node: PlanNode, replace: (node: ExchangeNode | SharedSourceNode) => PlanNode): PlanNode {
  if (node.kind === "Exchange" || node.kind === "SharedSource") {
    return replace(node);
  }
  return withSources(
    node,
    sourcesOf(node).map((source) => replaceLeaves(source, replace)),
  );
}

/** Translates the partitioning keys from the exchange's outputs to the source's columns at the same positions. */
function renamePartitioning(exchange: PlanNode & { kind: "Exchange" }, source: PlanNode): OutputPartitioning {
  const { partitioning } = exchange;
  if (partitioning.kind !== "HASH") {
    return partitioning;
  }
  const outputs = outputsOf(source);
  const positions = new Map(exchange.outputs.map(({ name }, index) => [name, index]));
  const keys = partitioning.keys.map((key) => {
    const variable = outputs[positions.get(key.name) ?? -1];
    assert(variable !== undefined, `partitioning key ${key.name} is an output of the exchange`);
    return variable;
  });
  return { kind: "HASH", keys };
}

function makeFragment(cut: Cut, root: PlanNode, partitionings: ReadonlyMap<number, OutputPartitioning>): PlanFragment {
  const scanIds: string[] = [];
  let coordinatorOnly = false;
  let spread = false;
  let scansInOneTask = 0;
  visitPlan(root, (node) => {
    if (node.kind === "TableScan") {
      scanIds.push(node.id);
      scansInOneTask += node.inOneTask === true ? 1 : 0;
      coordinatorOnly ||= node.table.coordinatorOnly;
    }
    if (node.kind === "RemoteSource") {
      const [first] = node.fragmentIds;
      const kind = first === undefined ? undefined : partitionings.get(first)?.kind;
      spread ||= kind === "HASH" || kind === "ROUND_ROBIN";
    }
  });
  const partitioning = choosePartitioning(cut.id, coordinatorOnly, scanIds.length > scansInOneTask, spread);
  assert(
    scansInOneTask === 0 || (scansInOneTask === scanIds.length && partitioning === "SINGLE"),
    `fragment ${cut.id} distributes splits that one task reads`,
  );
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
  if (id === 0 || coordinatorOnly) {
    return "COORDINATOR";
  }
  if (scans) {
    return "SOURCE";
  }
  return spread ? "HASH" : "SINGLE";
}

/**
 * Renumbers the nodes from the root down as `first`, `first` + 1, and so on. Equal statements then have equal plans, whatever ids the
 * optimizer drew.
 */
export function renumberNodes(plan: PlanNode, first = 0): PlanNode {
  let next = first;
  const renumber = (node: PlanNode): PlanNode => {
    const id = String(next);
    next += 1;
    const sources = sourcesOf(node).map(renumber);
    const renamed = { ...node, id };
    return sources.length === 0 ? renamed : withSources(renamed, sources);
  };
  return renumber(plan);
}
