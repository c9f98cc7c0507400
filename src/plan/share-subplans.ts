/**
 * Sub-plans that a statement holds several times are evaluated once: fragments that are equal but for the names in them become one, whose output is read by every
 * remote source that read one of them. Called when a plan has been cut; the scheduler gives each reader buffers of its own.
 */
import type { Variable } from "./expression.ts";
import { isDeterministic } from "./expressions.ts";
import type { FragmentedPlan, PlanFragment } from "./fragment.ts";
import { FragmentEstimator } from "./print.ts";
import type { TableFacts } from "./statistics.ts";
import type { PlanNode, TableReference } from "./node.ts";
import { sourcesOf, visitPlan, withSources } from "./tree.ts";
import { expressionsOf } from "./validate.ts";

export type StatisticsOf = (table: TableReference) => TableFacts;

/** The plan itself when nothing in it is worth sharing. */
export function shareSubplans(plan: FragmentedPlan, statisticsOf: StatisticsOf): FragmentedPlan {
  if (!scansSomethingTwice(plan)) return plan;
  const classes = classesOf(plan);
  const estimator = new FragmentEstimator(plan, statisticsOf);
  // A fragment's sources have larger ids: of equal fragments the last one comes after the readers of all of them.
  const last = new Map(plan.fragments.map(({ id }) => [classes[id], id]));
  const chosen = plan.fragments.map(({ id }) => {
    const other = last.get(classes[id]) as number;
    return other !== id && isWorthIt(plan, id, estimator) ? other : id;
  });
  if (chosen.every((other, id) => other === id)) return plan;
  return withoutUnread({ fragments: plan.fragments.map((fragment) => readingFrom(fragment, (id) => chosen[id] as number)) });
}

function scansSomethingTwice({ fragments }: FragmentedPlan): boolean {
  const seen = new Set<string>();
  let twice = false;
  for (const { root } of fragments) {
    visitPlan(root, (node) => {
      if (node.kind !== "TableScan") return;
      const { catalog, name } = node.table;
      const table = JSON.stringify([catalog, name.schema, name.table]);
      twice ||= seen.has(table);
      seen.add(table);
    });
  }
  return twice;
}

/** By id of a fragment, a number that equal fragments have in common. What must be done each time it is mentioned is equal to nothing. */
function classesOf({ fragments }: FragmentedPlan): readonly number[] {
  const classes: number[] = [];
  const known = new Map<string, number>();
  for (const fragment of fragments.toReversed()) {
    const text = isRepeatable(fragment) ? textOf(fragment, (id) => classes[id] as number) : `only ${fragment.id}`;
    const number = known.get(text) ?? known.size;
    known.set(text, number);
    classes[fragment.id] = number;
  }
  return classes;
}

function isRepeatable({ id, root }: PlanFragment): boolean {
  let repeatable = id !== 0;
  visitPlan(root, (node) => {
    // Each mention of a sample draws its own.
    const isOnce = node.kind === "Sample" || node.kind === "TableWriter" || node.kind === "TableFinish";
    repeatable &&= !isOnce && expressionsOf(node).every(isDeterministic);
  });
  return repeatable;
}

/** Equal exactly when two fragments are but for ids and names: these are numbered as they come. */
function textOf({ root, outputPartitioning }: PlanFragment, classOf: (id: number) => number): string {
  const numbers = new Map<string, number>();
  const numberOf = (name: string): number => {
    const number = numbers.get(name) ?? numbers.size;
    numbers.set(name, number);
    return number;
  };
  const plain = (_key: string, value: unknown): unknown => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
    if (isVariable(value)) return { variable: numberOf(value.name), type: value.type };
    if (!isNode(value)) return value;
    const { id: _id, ...node } = value;
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
  return JSON.stringify([root, outputPartitioning], plain);
}

function isVariable(value: object): value is Variable {
  return "kind" in value && value.kind === "variable" && "name" in value;
}

/** Of all that a plan is made of only its nodes have an id and a kind. */
function isNode(value: object): value is PlanNode {
  return "kind" in value && "id" in value;
}

/** There is work in it, and its rows are no more to keep and to send than what is read to make them. */
function isWorthIt(plan: FragmentedPlan, id: number, estimator: FragmentEstimator): boolean {
  let works = false;
  let readBytes = 0;
  const look = (fragment: PlanFragment): void =>
    visitPlan(fragment.root, (node) => {
      works ||= ["Aggregation", "Join", "SemiJoin", "Window", "MarkDistinct"].includes(node.kind);
      if (node.kind === "TableScan") readBytes += estimator.bytes(node);
      if (node.kind === "RemoteSource") for (const source of node.fragmentIds) look(plan.fragments[source] as PlanFragment);
    });
  const fragment = plan.fragments[id] as PlanFragment;
  look(fragment);
  return works && readBytes > 0 && estimator.bytes(fragment.root) <= readBytes;
}

function readingFrom(fragment: PlanFragment, sourceOf: (id: number) => number): PlanFragment {
  const replaced = (node: PlanNode): PlanNode => {
    if (node.kind !== "RemoteSource") return withSources(node, sourcesOf(node).map(replaced));
    return { ...node, fragmentIds: node.fragmentIds.map(sourceOf) };
  };
  return { ...fragment, root: replaced(fragment.root) };
}

/** Numbered anew in the same order. */
function withoutUnread({ fragments }: FragmentedPlan): FragmentedPlan {
  const read = new Set([0]);
  for (const { id, root } of fragments) {
    if (!read.has(id)) continue;
    visitPlan(root, (node) => {
      if (node.kind === "RemoteSource") for (const source of node.fragmentIds) read.add(source);
    });
  }
  const left = fragments.filter(({ id }) => read.has(id));
  const ids = new Map(left.map(({ id }, index) => [id, index]));
  return { fragments: left.map((fragment, id) => ({ ...readingFrom(fragment, (source) => ids.get(source) as number), id })) };
}
