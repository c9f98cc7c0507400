/**
 * Evaluates common sub-plans of a query once. Fragments that are equal up to names, or that differ only in their outputs over the same
 * rows, become one fragment. All remote sources that read one of them read the shared fragment. The scheduler gives each reader its own
 * output buffers.
 */
import type { Steps } from "../pieces.ts";
import { knobOf, type Knobs } from "../../ports/knobs.ts";
import { coverOf, readCovered, type ReadBoth } from "./cover-subplans.ts";
import type { RowExpression, Variable } from "../plan/typed-expression.ts";
import { isDeterministic } from "../plan/expression-tree.ts";
import type { FragmentedPlan, PlanFragment } from "./fragment.ts";
import { remoteSourcesOf, scansOf, sourceFragmentsOf } from "./fragment-walk.ts";
import { renumberFragment } from "./fragmenter.ts";
import { FragmentEstimator } from "../explain/print.ts";
import type { TableFacts } from "../optimizer/stats/stats-calculator.ts";
import { outputsOf, ownOutputs, type PlanNode, type RemoteSourceNode, type TableReference } from "../plan/node.ts";
import { patternExpressions } from "../plan/pattern-tree.ts";
import { isPlanNode, rewritePlan, visitPlan } from "../plan/plan-tree.ts";
import { expressionsOf } from "../plan/validate.ts";
import { displayType } from "../../types/type.ts";

export type StatisticsOf = (table: TableReference) => TableFacts;

/** A fragment that may cover others. It is the last of them, so that it follows the readers of all of them. */
interface Shared {
  readonly id: number;
  root: PlanNode;
  /** Set if a remote source reads this fragment together with others or merges it by order. Its columns must then stay as they are. */
  isRigid: boolean;
}

/** The fragment that now provides a fragment's rows, and the columns that hold them. */
interface Place {
  readonly shared: Shared;
  readonly columns: readonly Variable[];
}

/** Returns the plan itself if sharing does not pay anywhere. Yields between fragments. */
export function* shareInSteps(
  plan: FragmentedPlan,
  statisticsOf: StatisticsOf,
  bounds: { readonly knobs?: Knobs | undefined } = {},
): Steps<FragmentedPlan> {
  if (!scansSomethingTwice(plan)) {
    return plan;
  }
  const classes = yield* classesOf(plan);
  const places = yield* new Sharing(plan, { classes, statisticsOf, candidatesMax: knobOf(bounds, "sharing-candidates") }).places();
  if (places.every(({ shared }, id) => shared.id === id)) {
    return plan;
  }
  const fragments = plan.fragments.map((fragment, id) => {
    const { shared } = places[id] as Place;
    return readingFrom(shared.id === id ? withRoot(fragment, shared.root) : fragment, places);
  });
  return withoutUnread({ fragments });
}

/**
 * Largest output of a fragment that only scans and filters, to be shared. More bytes are read faster again than they are buffered for the
 * slowest reader.
 */
const smallBytesMax = 65_536;

/** A set of changes that is applied only if all of them are possible. */
class Attempt {
  readonly #changes: (() => void)[] = [];
  readonly #covering = new Set<Shared>();

  add(change: () => void): void {
    this.#changes.push(change);
  }

  /** Returns false if this attempt already changes the fragment: a second change would start from the state before the first one. */
  begin(shared: Shared): boolean {
    const isFirst = !this.#covering.has(shared);
    this.#covering.add(shared);
    return isFirst;
  }

  succeed(): void {
    for (const change of this.#changes) {
      change();
    }
  }
}

interface SharingOptions {
  readonly statisticsOf: StatisticsOf;
  readonly candidatesMax: number;
  readonly classes: Classes;
}

/** Nodes and columns of fragments between two yields. */
const elementsAtOnce = 1_024;

class Sharing {
  readonly #plan: FragmentedPlan;
  /** Number of fragments of one class that a later one is compared with. */
  readonly #candidatesMax: number;
  readonly #estimator: FragmentEstimator;
  readonly #classes: Classes;
  readonly #rigid: ReadonlySet<number>;
  readonly #texts = new Map<PlanNode, string>();
  /** By fragment id. Filled from the last fragment down, so that the sources of a fragment come first. */
  readonly #places: Place[] = [];

  constructor(plan: FragmentedPlan, { candidatesMax, classes, statisticsOf }: SharingOptions) {
    this.#plan = plan;
    this.#candidatesMax = candidatesMax;
    this.#estimator = new FragmentEstimator(plan, statisticsOf);
    this.#classes = classes;
    this.#rigid = readTogether(plan);
  }

  *places(): Steps<readonly Place[]> {
    const known = new Map<string, Shared[]>();
    let elements = 0;
    for (const fragment of this.#plan.fragments.toReversed()) {
      const { id, root } = fragment;
      const canBeShared = this.#classes[id] !== undefined && (hasWork(root) || this.#isSmall(root));
      const key = canBeShared ? this.#keyOf(fragment) : `only ${id}`;
      const candidates = known.get(key) ?? [];
      let found: Place | undefined;
      for (const candidate of candidates) {
        found ??= this.#joined(candidate, fragment);
      }
      const shared: Shared = { id, root, isRigid: this.#rigid.has(id) };
      this.#places[id] = found ?? { shared, columns: outputsOf(root) };
      if (found === undefined) {
        known.set(key, [shared, ...candidates].slice(0, this.#candidatesMax));
      }
      elements += elementsIn(fragment);
      if (elements >= elementsAtOnce) {
        elements = 0;
        yield;
      }
    }
    return this.#places;
  }

  /** Fragments with different keys are never similar; fragments with equal keys may be. */
  #keyOf(fragment: PlanFragment): string {
    const tables = scansOf(fragment).map(({ table }) => JSON.stringify(table));
    return JSON.stringify([fragment.partitioning, fragment.outputPartitioning.kind, tables]);
  }

  /** Extends `shared` to provide the rows of `fragment` too. Returns undefined if that is impossible or costs more than it saves. */
  #joined(shared: Shared, fragment: PlanFragment): Place | undefined {
    const attempt = new Attempt();
    const found = this.#covered(shared, { id: fragment.id, root: fragment.root, columns: outputsOf(fragment.root) }, attempt);
    if (found === undefined || !this.#isWorthIt(found.root)) {
      return undefined;
    }
    attempt.succeed();
    return { shared, columns: found.columns };
  }

  /** `columns` are the columns that are needed of the other fragment. */
  #covered(
    shared: Shared,
    other: { readonly id: number; readonly root: PlanNode; readonly columns: readonly Variable[] },
    attempt: Attempt,
  ): { readonly root: PlanNode; readonly columns: readonly Variable[] } | undefined {
    if (!attempt.begin(shared)) {
      return undefined;
    }
    const cover = coverOf(shared.root, other.root, {
      areEqual: (a, b) => this.#textOf(a) === this.#textOf(b),
      readBoth: (a, b) => this.#readBoth(a, b, attempt),
    });
    if (cover === undefined) {
      return undefined;
    }
    const root = cover.node;
    const columns = other.columns.map((column) => cover.places.get(column.name) ?? column);
    const [own, keys] = [shared.id, other.id].map((id) => keysOf((this.#plan.fragments[id] as PlanFragment).outputPartitioning));
    if (own?.map(({ name }) => name).join() !== keys?.map(({ name }) => cover.places.get(name)?.name).join()) {
      return undefined;
    }
    const isRigid = shared.isRigid || this.#rigid.has(other.id);
    if (isRigid && !(isLaidOutAs(root, columns) && isLaidOutAs(root, outputsOf(shared.root)))) {
      return undefined;
    }
    attempt.add(() => {
      shared.root = root;
      shared.isRigid = isRigid;
    });
    return { root, columns };
  }

  /**
   * Extends the fragment that `a` reads by the columns that `b` needs, if one fragment can cover both. The cost is checked for the readers,
   * not for this fragment alone.
   */
  #readBoth(a: RemoteSourceNode, b: RemoteSourceNode, attempt: Attempt): ReadBoth | undefined {
    const [id, otherId] = [a.fragmentIds[0], b.fragmentIds[0]];
    if (id === undefined || otherId === undefined || this.#rigid.has(id) || this.#rigid.has(otherId)) {
      return undefined;
    }
    const [place, other] = [this.#places[id], this.#places[otherId]];
    const classesKnown = this.#classes[id] !== undefined && this.#classes[otherId] !== undefined;
    if (place === undefined || other === undefined || !classesKnown || !this.#areAlike(id, otherId)) {
      return undefined;
    }
    const wanted =
      place.shared === other.shared
        ? other.columns
        : this.#covered(place.shared, { id: other.shared.id, root: other.shared.root, columns: other.columns }, attempt)?.columns;
    if (wanted === undefined) {
      return undefined;
    }
    const columns = [...place.columns];
    const positions = wanted.map((column) => {
      const known = columns.findIndex(({ name }) => name === column.name);
      return known >= 0 ? known : columns.push(column) - 1;
    });
    attempt.add(() => {
      this.#places[id] = { shared: place.shared, columns };
    });
    return { positions };
  }

  #areAlike(a: number, b: number): boolean {
    return this.#keyOf(this.#plan.fragments[a] as PlanFragment) === this.#keyOf(this.#plan.fragments[b] as PlanFragment);
  }

  /** Returns whether the fragment costs less than its stage, as the filtered rows of a small table do. */
  #isSmall(root: PlanNode): boolean {
    return this.#estimator.bytes(root) <= smallBytesMax;
  }

  #textOf(node: PlanNode): string {
    const text = this.#texts.get(node) ?? textOf(node, (id) => this.#classes[id] ?? -1 - id);
    this.#texts.set(node, text);
    return text;
  }

  /**
   * Sharing pays if the buffered output is smaller than the input that need not be read again. The output includes columns that only some
   * readers need.
   */
  #isWorthIt(root: PlanNode): boolean {
    let readBytes = 0;
    const look = (above: PlanNode): void =>
      visitPlan(above, (node) => {
        if (node.kind === "TableScan") {
          readBytes += this.#estimator.bytes(node);
        }
        if (node.kind === "RemoteSource") {
          for (const id of node.fragmentIds) {
            look((this.#plan.fragments[id] as PlanFragment).root);
          }
        }
      });
    look(root);
    return readBytes > 0 && this.#estimator.bytes(root) <= readBytes;
  }
}

/** Returns whether the fragment does more than scan and filter a table. */
function hasWork(root: PlanNode): boolean {
  let found = false;
  visitPlan(root, ({ kind }) => {
    found ||=
      kind === "Aggregation" ||
      kind === "Join" ||
      kind === "SemiJoin" ||
      kind === "Window" ||
      kind === "PatternRecognition" ||
      kind === "MarkDistinct";
  });
  return found;
}

function keysOf(partitioning: PlanFragment["outputPartitioning"]): readonly Variable[] {
  return partitioning.kind === "HASH" ? partitioning.keys : [];
}

function isLaidOutAs(node: PlanNode, columns: readonly Variable[]): boolean {
  const outputs = outputsOf(node);
  return outputs.length === columns.length && outputs.every(({ name }, index) => name === columns[index]?.name);
}

/** Fragments that a remote source reads together with others or merges by order. */
function readTogether({ fragments }: FragmentedPlan): ReadonlySet<number> {
  const together = fragments
    .flatMap(remoteSourcesOf)
    .filter(({ fragmentIds, orderBy }) => fragmentIds.length !== 1 || orderBy !== undefined);
  return new Set(together.flatMap(({ fragmentIds }) => fragmentIds));
}

function scansSomethingTwice({ fragments }: FragmentedPlan): boolean {
  const tables = fragments.flatMap(scansOf).map(({ table: { catalog, name } }) => JSON.stringify([catalog, name.schema, name.table]));
  return new Set(tables).size < tables.length;
}

/** By fragment id: a class number that equal fragments share. Undefined for a fragment that must run separately for each reference. */
type Classes = readonly (number | undefined)[];

function elementsIn({ root, outputTypes }: PlanFragment): number {
  let elements = outputTypes.length;
  visitPlan(root, (node) => {
    elements += 1 + ownOutputs(node).own.length;
  });
  return elements;
}

function* classesOf({ fragments }: FragmentedPlan): Steps<Classes> {
  const classes: (number | undefined)[] = [];
  const known = new Map<string, number>();
  let elements = 0;
  for (const fragment of fragments.toReversed()) {
    elements += elementsIn(fragment);
    if (elements >= elementsAtOnce) {
      elements = 0;
      yield;
    }
    if (!isRepeatable(fragment)) {
      continue;
    }
    const text = textOf([fragment.root, fragment.outputPartitioning], (id) => classes[id] ?? -1 - id);
    const number = known.get(text) ?? known.size;
    known.set(text, number);
    classes[fragment.id] = number;
  }
  return classes;
}

function isRepeatable({ id, root }: PlanFragment): boolean {
  let repeatable = id !== 0;
  visitPlan(root, (node) => {
    // Each reference to a sample draws its own rows. Connector functions may be non-deterministic.
    const isOnce = node.kind === "Sample" || node.kind === "TableFunction" || node.kind === "TableWriter" || node.kind === "TableFinish";
    const inside = node.kind === "PatternRecognition" ? patternExpressions(node) : expressionsOf(node);
    repeatable &&= !isOnce && inside.every(isDeterministic);
  });
  return repeatable;
}

/** Returns a text that is equal for two plans exactly if they are equal up to ids and names. Names are numbered by first occurrence. */
function textOf(value: object, classOf: (id: number) => number): string {
  const numbers = new Map<string, number>();
  const numberOf = (name: string): number => {
    const number = numbers.get(name) ?? numbers.size;
    numbers.set(name, number);
    return number;
  };
  const plain = (_key: string, member: unknown): unknown => {
    if (typeof member !== "object" || member === null || Array.isArray(member)) {
      return member;
    }
    if (isVariable(member)) {
      // A plan may have hundreds of thousands of them.
      return `${numberOf(member.name)} ${displayType(member.type)}`;
    }
    if (isListOfConstants(member)) {
      const [value, ...items] = member.args;
      return { ...member, args: [value, ...items.map((item) => JSON.stringify(item, plain)).toSorted()] };
    }
    if (!isPlanNode(member)) {
      return member;
    }
    const { id: _id, ...node } = member;
    switch (node.kind) {
      case "RemoteSource":
        return { ...node, fragmentIds: node.fragmentIds.map(classOf) };
      case "GroupId":
        return { ...node, sets: node.sets.map((set) => set.map(numberOf)) };
      case "TableScan":
        return {
          ...node,
          table: JSON.stringify(node.table),
          columns: JSON.stringify(node.columns),
          dynamicFilters: node.dynamicFilters?.map((use) => ({ ...use, id: numberOf(`#${use.id}`) })),
        };
      case "Join":
      case "SemiJoin":
        return {
          ...node,
          dynamicFilters: Object.entries(node.dynamicFilters ?? {}).map(([filter, key]) => ({ filter: numberOf(`#${filter}`), key })),
        };
      default:
        return node;
    }
  };
  return JSON.stringify(value, plain);
}

function isVariable(value: object): value is Variable {
  return "kind" in value && value.kind === "variable" && "name" in value;
}

/** IN over constants, whose order does not matter. */
function isListOfConstants(value: object): value is Extract<RowExpression, { kind: "special" }> {
  return (
    "kind" in value &&
    value.kind === "special" &&
    "form" in value &&
    value.form === "IN" &&
    "args" in value &&
    Array.isArray(value.args) &&
    value.args.slice(1).every((item: RowExpression) => item.kind === "constant")
  );
}

function withRoot(fragment: PlanFragment, root: PlanNode): PlanFragment {
  return root === fragment.root ? fragment : { ...fragment, root, outputTypes: outputsOf(root).map(({ type }) => type) };
}

function readingFrom(fragment: PlanFragment, places: readonly Place[]): PlanFragment {
  const root = rewritePlan(fragment.root, (node) => {
    if (node.kind !== "RemoteSource") {
      return node;
    }
    const sources = node.fragmentIds.map((id) => places[id] as Place);
    const source = { ...node, fragmentIds: sources.map(({ shared }) => shared.id) };
    const [only] = sources;
    return only === undefined || sources.length > 1 ? source : readCovered(source, only.columns, only.shared.root);
  });
  return { ...fragment, root };
}

/** Drops fragments without readers and renumbers the rest in the same order. */
function withoutUnread({ fragments }: FragmentedPlan): FragmentedPlan {
  const read = new Set([0]);
  for (const fragment of fragments) {
    if (!read.has(fragment.id)) {
      continue;
    }
    for (const source of sourceFragmentsOf(fragment)) {
      read.add(source);
    }
  }
  const left = fragments.filter(({ id }) => read.has(id));
  const ids = new Map(left.map(({ id }, index) => [id, index]));
  return { fragments: left.map((fragment) => renumberFragment(fragment, (id) => ids.get(id) as number)) };
}
