/**
 * Inserts exchanges between the parts of a plan that run as separate stages. Splits aggregation, TopN, limit and sort into the steps on
 * both sides of an exchange. The fragmenter then cuts the plan at the exchanges.
 */
import { resolveAggregate } from "../../functions/registry/registry.ts";
import { assert } from "../../protocol/errors.ts";
import type { Variable } from "../plan/typed-expression.ts";
import type { PlanIds } from "../plan/ids.ts";
import type { RulesOff } from "../optimizer/rule-table.ts";
import {
  outputsOf,
  type AggregateCall,
  type AggregationNode,
  type JoinNode,
  type Ordering,
  type OutputPartitioning,
  type PlanNode,
  type TableFunctionNode,
  type TableScanNode,
} from "../plan/node.ts";
import { identity, projectNode, withSources } from "../plan/plan-tree.ts";
import { holdsThread } from "./long-work.ts";

/**
 * Actual partitioning of a subplan's rows:
 *
 * - ONE: all rows in one task, which runs on the coordinator if `coordinator` is set, and on a worker if `onWorker` is set: it scans
 *   tables, has more groups than the root stage should, or work that would hold the coordinator's thread.
 * - SPREAD: many tasks. With `keys`, rows with equal values in these columns are in the same task. Each key is the set of columns that hold
 *   its value.
 */
type ActualPartitioning =
  | { readonly kind: "ONE"; readonly coordinator: boolean; readonly onWorker?: boolean }
  | { readonly kind: "SPREAD"; readonly keys?: readonly ReadonlySet<string>[] };

interface Placed {
  readonly node: PlanNode;
  readonly partitioning: ActualPartitioning;
}

/** Preferred partitioning of the parent node: a hint that may save an exchange. */
type PreferredPartitioning =
  | { readonly kind: "ONE" }
  | { readonly kind: "KEYS"; readonly keys: readonly Variable[] }
  | { readonly kind: "ANY" };

const anywhere: PreferredPartitioning = { kind: "ANY" };
const inOne: PreferredPartitioning = { kind: "ONE" };
const one: ActualPartitioning = { kind: "ONE", coordinator: false };
const oneOnWorker: ActualPartitioning = { kind: "ONE", coordinator: false, onWorker: true };

/** What is done in one task although it could be spread. */
export interface OneTaskChoices {
  /** Scans that are not distributed, nor is what is computed of them alone. */
  readonly scans: (scan: TableScanNode) => boolean;
  /** Aggregations whose FINAL step is in the task of the operators above it. */
  readonly finalSteps: (aggregation: AggregationNode) => boolean;
  /** Other aggregations whose FINAL step is in one task, on a worker, together with what is computed of its groups. */
  readonly fewGroups: (aggregation: AggregationNode) => boolean;
}

const nothingInOneTask: OneTaskChoices = { scans: () => false, finalSteps: () => false, fewGroups: () => false };

/** `plan` is an Output node. */
export function addExchanges(
  plan: PlanNode,
  ids: PlanIds,
  rulesOff: RulesOff = new Set(),
  inOneTask: OneTaskChoices = nothingInOneTask,
): PlanNode {
  const placer = new Placer(ids, rulesOff, inOneTask);
  const { node, partitioning } = placer.place(plan, inOne);
  assert(partitioning.kind === "ONE", "the root runs in one task");
  return node;
}

class Placer {
  readonly #ids: PlanIds;
  readonly #off: RulesOff;
  readonly #inOneTask: OneTaskChoices;

  constructor(ids: PlanIds, rulesOff: RulesOff, inOneTask: OneTaskChoices) {
    this.#ids = ids;
    this.#off = rulesOff;
    this.#inOneTask = inOneTask;
  }

  place(node: PlanNode, preferred: PreferredPartitioning): Placed {
    const placed = this.#offCoordinator(this.#place(node, preferred));
    return this.#off.has("reuse_partitioning") ? { ...placed, partitioning: withoutKeys(placed.partitioning) } : placed;
  }

  #place(node: PlanNode, preferred: PreferredPartitioning): Placed {
    switch (node.kind) {
      case "TableScan":
        if (node.table.coordinatorOnly) {
          return { node, partitioning: { kind: "ONE", coordinator: true } };
        }
        return this.#inOneTask.scans(node)
          ? { node: { ...node, inOneTask: true }, partitioning: oneOnWorker }
          : { node, partitioning: { kind: "SPREAD" } };
      case "Values":
      case "SharedSource":
        return { node, partitioning: one };
      case "Filter":
      case "Project":
        return this.#placeThrough(node, preferred);
      case "Aggregation":
        return this.#placeAggregation(node);
      case "GroupId":
      case "Unnest":
      case "AssignUniqueId":
      case "Sample": {
        const source = this.place(node.source, anywhere);
        return { node: { ...node, source: source.node }, partitioning: source.partitioning };
      }
      case "MarkDistinct": {
        const source = this.#byKeys(this.place(node.source, { kind: "KEYS", keys: node.keys }), node.keys);
        return { node: { ...node, source: source.node }, partitioning: source.partitioning };
      }
      case "PatternRecognition":
      case "Window": {
        const preferred = node.partitionBy.length === 0 ? inOne : { kind: "KEYS" as const, keys: node.partitionBy };
        const source = this.#byKeys(this.place(node.source, preferred), node.partitionBy);
        return { node: { ...node, source: source.node }, partitioning: source.partitioning };
      }
      case "Join":
        return this.#placeJoin(node);
      case "SemiJoin":
        return this.#placeSemiJoin(node);
      case "Sort":
        return this.#placeSort(node);
      case "TopN":
        return this.#placeTopN(node, preferred);
      case "Limit":
        return this.#placeLimit(node, preferred);
      case "Offset":
      case "EnforceSingleRow":
      case "Output":
      case "TableFinish": {
        const placed = this.#gather(this.place(node.source, inOne));
        const source = node.kind === "Output" ? this.#offWorkers(placed) : placed;
        return { node: withSources(node, [source.node]), partitioning: source.partitioning };
      }
      case "TableWriter":
        return this.#placeWriter(node);
      case "Union":
        return this.#placeUnion(node, preferred);
      case "TableFunction":
        return this.#placeTableFunction(node);
      case "Exchange":
      case "RemoteSource":
        assert(false, "exchanges are added once");
    }
  }

  #placeThrough(node: PlanNode & { kind: "Filter" | "Project" }, preferred: PreferredPartitioning): Placed {
    const source = this.place(node.source, throughProject(node, preferred));
    const partitioning = node.kind === "Project" ? renameKeys(source.partitioning, node) : source.partitioning;
    return { node: { ...node, source: source.node }, partitioning };
  }

  #placeAggregation(node: AggregationNode): Placed {
    const source = this.place(node.source, node.keys.length > 0 ? { kind: "KEYS", keys: node.keys } : anywhere);
    const { globalSets, ...grouped } = node;
    const complete = node.keys.length > 0 && globalSets === undefined && isSpreadBy(source.partitioning, node.keys);
    if (source.partitioning.kind === "ONE" || complete) {
      return { node: { ...node, source: source.node }, partitioning: source.partitioning };
    }
    if (this.#off.has("partial_aggregation")) {
      const moved = node.keys.length === 0 || globalSets !== undefined ? this.#gather(source) : this.#spreadBy(source, node.keys);
      return { node: { ...node, source: moved.node }, partitioning: moved.partitioning };
    }
    const calls = node.aggregates.map((call) => ({ ...call, intermediates: this.#intermediatesOf(call) }));
    const partial: AggregationNode = { ...node, id: this.#ids.node(), step: "PARTIAL", source: source.node, aggregates: calls };
    const keys = new Set(node.keys.map((key) => key.name));
    const kept =
      source.partitioning.keys?.every((names) => [...names].some((name) => keys.has(name))) === true
        ? source.partitioning
        : { kind: "SPREAD" as const };
    const below: Placed = { node: partial, partitioning: kept };
    const isGathered = node.keys.length === 0 || this.#inOneTask.finalSteps(node);
    const isOnWorker = !isGathered && this.#inOneTask.fewGroups(node);
    const gathered = isGathered || isOnWorker ? this.#gather(below) : this.#spreadBy(below, node.keys);
    const moved = isOnWorker ? { ...gathered, partitioning: oneOnWorker } : gathered;
    const aggregates = calls.map(({ mask: _mask, ...call }): AggregateCall => ({ ...call, args: [] }));
    return { node: { ...grouped, step: "FINAL", source: moved.node, aggregates }, partitioning: moved.partitioning };
  }

  #intermediatesOf(call: AggregateCall): readonly Variable[] {
    const resolved = resolveAggregate(call.name, call.argumentTypes);
    assert(!("error" in resolved), `aggregate ${call.name} is in the catalogue`);
    return resolved.intermediateTypes.map((type) => this.#ids.variable(call.output.name, type));
  }

  #placeJoin(node: JoinNode): Placed {
    if (node.distribution === "REPLICATED" || node.criteria.length === 0) {
      const left = this.place(node.left, anywhere);
      const right = this.#besides(this.place(node.right, left.partitioning.kind === "ONE" ? inOne : anywhere), left.partitioning);
      const [probe, build] = this.#together(left, right);
      return { node: { ...node, left: probe.node, right: build.node }, partitioning: joinPartitioning(node, probe.partitioning) };
    }
    const leftKeys = node.criteria.map((c) => c.left);
    const rightKeys = node.criteria.map((c) => c.right);
    let left = this.place(node.left, { kind: "KEYS", keys: leftKeys });
    let right = this.place(node.right, { kind: "KEYS", keys: rightKeys });
    if (left.partitioning.kind === "ONE" && right.partitioning.kind === "ONE") {
      [left, right] = this.#together(left, right);
      return { node: { ...node, left: left.node, right: right.node }, partitioning: left.partitioning };
    }
    const chosen = chooseKeys(left.partitioning, right.partitioning, node);
    left = this.#byExactKeys(
      left,
      chosen.map((c) => c.left),
    );
    right = this.#byExactKeys(
      right,
      chosen.map((c) => c.right),
    );
    return { node: { ...node, left: left.node, right: right.node }, partitioning: joinPartitioning(node, left.partitioning) };
  }

  #placeSemiJoin(node: PlanNode & { kind: "SemiJoin" }): Placed {
    const keys = [node.sourceKey];
    const partitioned = node.distribution === "PARTITIONED";
    const source = this.place(node.source, partitioned ? { kind: "KEYS", keys } : anywhere);
    if (partitioned && (source.partitioning.kind === "SPREAD" || source.partitioning.onWorker === true)) {
      const filtering = this.place(node.filtering, { kind: "KEYS", keys: [node.filteringKey] });
      if (source.partitioning.kind === "SPREAD" || filtering.partitioning.kind === "SPREAD") {
        const left = this.#byExactKeys(source, keys);
        const right = this.#byExactKeys(filtering, [node.filteringKey]);
        return { node: { ...node, source: left.node, filtering: right.node }, partitioning: left.partitioning };
      }
    }
    const filtering = this.#besides(this.place(node.filtering, source.partitioning.kind === "ONE" ? inOne : anywhere), source.partitioning);
    const [probe, build] = this.#together(source, filtering);
    return { node: { ...node, source: probe.node, filtering: build.node, distribution: "REPLICATED" }, partitioning: probe.partitioning };
  }

  #placeSort(node: PlanNode & { kind: "Sort" }): Placed {
    const placed = this.place(node.source, anywhere);
    const source = this.#off.has("distributed_sort") ? this.#gather(placed) : placed;
    const sorted = { node: { ...node, source: source.node }, partitioning: source.partitioning };
    return source.partitioning.kind === "ONE" ? sorted : this.#gather(sorted, node.orderBy);
  }

  #placeTopN(node: PlanNode & { kind: "TopN" }, preferred: PreferredPartitioning): Placed {
    const isPart = node.step === "PARTIAL";
    const placed = this.place(node.source, isPart ? preferred : anywhere);
    const source = !isPart && this.#off.has("partial_top_n") ? this.#gather(placed) : placed;
    if (source.partitioning.kind === "ONE" || isPart) {
      return { node: { ...node, source: source.node }, partitioning: source.partitioning };
    }
    const partial: PlanNode = { ...node, id: this.#ids.node(), source: source.node, step: "PARTIAL" };
    const gathered = this.#gather({ node: partial, partitioning: source.partitioning });
    return { node: { ...node, source: gathered.node, step: "FINAL" }, partitioning: gathered.partitioning };
  }

  #placeLimit(node: PlanNode & { kind: "Limit" }, preferred: PreferredPartitioning): Placed {
    const placed = this.place(node.source, node.partial ? preferred : anywhere);
    const source = !node.partial && this.#off.has("partial_limit") ? this.#gather(placed) : placed;
    if (source.partitioning.kind === "ONE" || node.partial) {
      return { node: { ...node, source: source.node }, partitioning: source.partitioning };
    }
    const partial: PlanNode = { ...node, id: this.#ids.node(), source: source.node, partial: true };
    const gathered = this.#gather({ node: partial, partitioning: source.partitioning });
    return { node: { ...node, source: gathered.node }, partitioning: gathered.partitioning };
  }

  /**
   * Writers run on workers, unless only the coordinator can write to the table. Rows of tables that only the coordinator can scan are sent
   * to the workers.
   */
  #placeWriter(node: PlanNode & { kind: "TableWriter" }): Placed {
    const source = this.place(node.source, anywhere);
    if (node.target.coordinatorOnly === true) {
      const gathered = this.#gather(source);
      return { node: { ...node, source: this.#inOrder(node, gathered.node) }, partitioning: { kind: "ONE", coordinator: true } };
    }
    const { partitioning } = source;
    const moved =
      partitioning.kind === "ONE" && partitioning.coordinator
        ? this.#exchange([source], outputsOf(source.node), { kind: "ROUND_ROBIN" })
        : source.node;
    return { node: { ...node, source: this.#inOrder(node, moved) }, partitioning: { kind: "SPREAD" } };
  }

  /** Each writer sorts its own rows. */
  #inOrder({ target, inputs }: PlanNode & { kind: "TableWriter" }, source: PlanNode): PlanNode {
    const { columns, sortedBy = [] } = target;
    if (sortedBy.length === 0) {
      return source;
    }
    const orderBy = sortedBy.map(({ column, descending, nullsFirst }): Ordering => {
      const variable = inputs[columns.findIndex(({ name }) => name === column)];
      assert(variable !== undefined, `the rows of a writer have the column ${column}`);
      return { variable, descending, nullsFirst };
    });
    return { kind: "Sort", id: this.#ids.node(), source, orderBy };
  }

  #placeUnion(node: PlanNode & { kind: "Union" }, preferred: PreferredPartitioning): Placed {
    const branches = node.sources.map((source, index): Placed => {
      const placed = this.place(source, anywhere);
      const variables = node.sourceVariables[index] ?? [];
      const outputs = outputsOf(placed.node);
      const aligned = variables.length === outputs.length && variables.every((variable, column) => variable.name === outputs[column]?.name);
      if (aligned) {
        return placed;
      }
      const renamed = variables.map((variable, column) => ({
        ...identity(variable),
        output: this.#ids.variable(node.outputs[column]?.name ?? "expr", variable.type),
      }));
      return {
        node: projectNode(this.#ids, placed.node, renamed),
        partitioning: { ...placed.partitioning, ...(placed.partitioning.kind === "SPREAD" && { keys: [] }) },
      };
    });
    if (branches.every((branch) => branch.partitioning.kind === "ONE")) {
      const { placed, partitioning } = this.#inSameTask(branches);
      const sourceVariables = placed.map((branch) => outputsOf(branch.node));
      return { node: { ...node, sources: placed.map((branch) => branch.node), sourceVariables }, partitioning };
    }
    switch (preferred.kind) {
      case "ONE":
        return { node: this.#exchange(branches, node.outputs, { kind: "SINGLE" }, undefined, node.id), partitioning: one };
      case "KEYS": {
        const exchange = this.#exchange(branches, node.outputs, { kind: "HASH", keys: preferred.keys }, undefined, node.id);
        return { node: exchange, partitioning: spread(preferred.keys) };
      }
      case "ANY":
        return {
          node: this.#exchange(branches, node.outputs, { kind: "ROUND_ROBIN" }, undefined, node.id),
          partitioning: { kind: "SPREAD" },
        };
    }
  }

  /**
   * Places a table function and its table arguments:
   *
   * - A single table with row semantics stays where it is.
   * - Partitions can be distributed over tasks only if an empty table prunes the function. For tables that are kept when empty, no task
   *   would know whether
   *   other tasks have rows.
   * - Every distributed partition meets all rows of the other tables, which are broadcast.
   */
  #placeTableFunction(node: TableFunctionNode): Placed {
    const [only] = node.inputs;
    if (node.inputs.length === 1 && only?.semantics === "ROWS") {
      const source = this.place(node.sources[0] as PlanNode, anywhere);
      return { node: { ...node, sources: [source.node] }, partitioning: withoutKeys(source.partitioning) };
    }
    const spreadable = spreadablePlaces(node);
    if (spreadable.length === 0) {
      const { placed, partitioning } = this.#inSameTask(node.sources.map((source) => this.#gather(this.place(source, inOne))));
      return { node: { ...node, sources: placed.map((source) => source.node) }, partitioning };
    }
    const sources = node.sources.map((source, index) => {
      const keys = node.inputs[index]?.partitionBy ?? [];
      return spreadable.includes(index)
        ? this.#byExactKeys(this.place(source, { kind: "KEYS", keys }), keys)
        : this.#besides(this.place(source, anywhere), { kind: "SPREAD" });
    });
    return { node: { ...node, sources: sources.map((source) => source.node) }, partitioning: { kind: "SPREAD" } };
  }

  #gather(placed: Placed, orderBy?: readonly Ordering[]): Placed {
    if (placed.partitioning.kind === "ONE") {
      return placed;
    }
    return { node: this.#exchange([placed], outputsOf(placed.node), { kind: "SINGLE" }, orderBy), partitioning: one };
  }

  /** What would hold the coordinator's thread is in a task on a worker, with all that is in the same task. */
  #offCoordinator(placed: Placed): Placed {
    const { node, partitioning } = placed;
    const mayMove = partitioning.kind === "ONE" && !partitioning.coordinator && partitioning.onWorker !== true;
    return mayMove && holdsThread(node) ? { node, partitioning: oneOnWorker } : placed;
  }

  /** What runs on a worker reaches the coordinator by an exchange. */
  #offWorkers(placed: Placed): Placed {
    const { node, partitioning } = placed;
    return partitioning.kind === "ONE" && partitioning.onWorker === true
      ? { node: this.#exchange([placed], outputsOf(node), { kind: "SINGLE" }), partitioning: one }
      : placed;
  }

  #spreadBy(placed: Placed, keys: readonly Variable[]): Placed {
    return { node: this.#exchange([placed], outputsOf(placed.node), { kind: "HASH", keys }), partitioning: spread(keys) };
  }

  /** Brings rows with equal `keys` into one task; any partitioning with this property suffices. */
  #byKeys(placed: Placed, keys: readonly Variable[]): Placed {
    if (placed.partitioning.kind === "ONE" || (keys.length > 0 && isSpreadBy(placed.partitioning, keys))) {
      return placed;
    }
    return keys.length === 0 ? this.#gather(placed) : this.#spreadBy(placed, keys);
  }

  /** Hash partitions by exactly these keys in this order, to match the other side of a join. */
  #byExactKeys(placed: Placed, keys: readonly Variable[]): Placed {
    return isExactly(placed.partitioning, keys) ? placed : this.#spreadBy(placed, keys);
  }

  /** Brings the build side of a replicated join to every task of the probe side. */
  #besides(build: Placed, probe: ActualPartitioning): Placed {
    if (probe.kind === "ONE") {
      return this.#gather(build);
    }
    return { node: this.#exchange([build], outputsOf(build.node), { kind: "BROADCAST" }), partitioning: { kind: "SPREAD" } };
  }

  /** Brings two single-task subplans into the same task. */
  #together(left: Placed, right: Placed): readonly [Placed, Placed] {
    if (left.partitioning.kind !== "ONE" || right.partitioning.kind !== "ONE") {
      return [left, right];
    }
    const { placed, partitioning } = this.#inSameTask([left, right]);
    const [first, second] = placed.map(({ node }) => ({ node, partitioning })) as [Placed, Placed];
    return [first, second];
  }

  /** Brings single-task subplans into the same task, on the coordinator if one of them requires it. */
  #inSameTask(placed: readonly Placed[]): { readonly placed: readonly Placed[]; readonly partitioning: ActualPartitioning } {
    const coordinator = placed.some(({ partitioning }) => partitioning.kind === "ONE" && partitioning.coordinator);
    const moved = coordinator ? placed.map((one) => this.#offWorkers(one)) : placed;
    const onWorker = moved.some(({ partitioning }) => partitioning.kind === "ONE" && partitioning.onWorker === true);
    return { placed: moved, partitioning: { kind: "ONE", coordinator, ...(onWorker && { onWorker }) } };
  }

  #exchange(
    sources: readonly Placed[],
    outputs: readonly Variable[],
    partitioning: OutputPartitioning,
    orderBy?: readonly Ordering[],
    id: string = this.#ids.node(),
  ): PlanNode {
    return { kind: "Exchange", id, sources: sources.map((source) => source.node), outputs, partitioning, ...(orderBy && { orderBy }) };
  }
}

function withoutKeys(partitioning: ActualPartitioning): ActualPartitioning {
  return partitioning.kind === "ONE" ? partitioning : { kind: "SPREAD" };
}

/** Returns the inputs of a table function whose partitions can be distributed: a single table, or a group of copartitioned tables. */
function spreadablePlaces({ inputs, copartitioned }: TableFunctionNode): readonly number[] {
  const single = [...inputs.keys()].filter((place) => !copartitioned.some((places) => places.includes(place))).map((place) => [place]);
  const found = [...copartitioned, ...single].find((places) => {
    const group = places.map((place) => inputs[place]);
    return group.every((input) => (input?.partitionBy.length ?? 0) > 0) && group.some((input) => input?.prunesWhenEmpty === true);
  });
  return found ?? [];
}

function spread(keys: readonly Variable[]): ActualPartitioning {
  return { kind: "SPREAD", keys: keys.map((key) => new Set([key.name])) };
}

/** Rows with equal `keys` are in the same task if the partitioning keys are a subset of `keys`. */
function isSpreadBy(partitioning: ActualPartitioning, keys: readonly Variable[]): boolean {
  if (partitioning.kind === "ONE") {
    return true;
  }
  if (partitioning.keys === undefined || partitioning.keys.length === 0) {
    return false;
  }
  return partitioning.keys.every((names) => keys.some((key) => names.has(key.name)));
}

function isExactly(partitioning: ActualPartitioning, keys: readonly Variable[]): boolean {
  if (partitioning.kind === "ONE" || partitioning.keys === undefined || partitioning.keys.length === 0) {
    return false;
  }
  return partitioning.keys.length === keys.length && partitioning.keys.every((names, index) => names.has(keys[index]?.name ?? ""));
}

/**
 * Chooses the join criteria by which both sides are partitioned. Reuses the partitioning of a side if its keys are all join keys; otherwise
 * uses all criteria.
 */
function chooseKeys(left: ActualPartitioning, right: ActualPartitioning, join: JoinNode): JoinNode["criteria"] {
  for (const [partitioning, side] of [
    [left, "left"],
    [right, "right"],
  ] as const) {
    if (partitioning.kind === "ONE" || partitioning.keys === undefined || partitioning.keys.length === 0) {
      continue;
    }
    const found = partitioning.keys.map((names) => join.criteria.find((criterion) => names.has(criterion[side].name)));
    if (found.every((criterion) => criterion !== undefined)) {
      return found;
    }
  }
  return join.criteria;
}

/**
 * Returns the partitioning of a join's result, given that of its probe side. Columns that the join may fill with NULLs are no longer
 * partitioning keys.
 */
function joinPartitioning(join: JoinNode, probe: ActualPartitioning): ActualPartitioning {
  if (probe.kind === "ONE" || probe.keys === undefined) {
    return probe;
  }
  if (join.type === "FULL" || join.type === "RIGHT") {
    if (join.type === "FULL") {
      return { kind: "SPREAD" };
    }
    return {
      kind: "SPREAD",
      keys: probe.keys.map((names) => new Set(join.criteria.filter((c) => names.has(c.left.name)).map((c) => c.right.name))),
    };
  }
  if (join.type === "LEFT") {
    return probe;
  }
  return {
    kind: "SPREAD",
    keys: probe.keys.map((names) => new Set([...names, ...join.criteria.filter((c) => names.has(c.left.name)).map((c) => c.right.name)])),
  };
}

function throughProject(node: PlanNode & { kind: "Filter" | "Project" }, preferred: PreferredPartitioning): PreferredPartitioning {
  if (node.kind === "Filter" || preferred.kind !== "KEYS") {
    return preferred;
  }
  const values = new Map(node.assignments.map(({ output, expression }) => [output.name, expression]));
  const keys = preferred.keys.flatMap((key) => {
    const value = values.get(key.name);
    return value?.kind === "variable" ? [value] : [];
  });
  return keys.length === preferred.keys.length ? { kind: "KEYS", keys } : anywhere;
}

function renameKeys(partitioning: ActualPartitioning, node: PlanNode & { kind: "Project" }): ActualPartitioning {
  if (partitioning.kind === "ONE" || partitioning.keys === undefined) {
    return partitioning;
  }
  const renamed = new Map<string, string[]>();
  for (const { output, expression } of node.assignments) {
    if (expression.kind === "variable") {
      const outputs = renamed.get(expression.name);
      if (outputs === undefined) {
        renamed.set(expression.name, [output.name]);
      } else {
        outputs.push(output.name);
      }
    }
  }
  const keys = partitioning.keys.map((names) => new Set([...names].flatMap((name) => renamed.get(name) ?? [])));
  return keys.every((names) => names.size > 0) ? { kind: "SPREAD", keys } : { kind: "SPREAD" };
}
