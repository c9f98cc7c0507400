/**
 * Drops grouping keys that are functionally dependent on other grouping keys. Their values come from an arbitrary row of the group.
 */
import { resolveAggregate } from "../../../functions/registry/registry.ts";
import { dependenciesOf, type Dependency, determinedBy } from "../stats/dependencies.ts";
import type { Variable } from "../../plan/typed-expression.ts";
import type { AggregateCall, AggregationNode, PlanNode } from "../../plan/node.ts";
import { outputsOf } from "../../plan/node.ts";
import { identity, projectNode, rewritePlan } from "../../plan/plan-tree.ts";
import type { Rule, RuleContext } from "./rule.ts";

export const reduceGroupingKeys: Rule = {
  name: "reduce_grouping_keys",
  apply: (plan, context) =>
    rewritePlan(plan, (node) => (node.kind === "Aggregation" && node.globalSets === undefined ? reduce(node, context) : node)),
};

function reduce(node: AggregationNode, { estimator, ids }: RuleContext): PlanNode {
  if (node.keys.length < 2 || node.step !== "SINGLE") {
    return node;
  }
  const kept = withoutDetermined(node.keys, dependenciesOf(node.source, estimator));
  const carried = new Map(
    node.keys.filter((key) => !kept.has(key.name)).map((key) => [key.name, anyOf(key, ids.variable(key.name, key.type))]),
  );
  if (carried.size === 0) {
    return node;
  }
  const keys = node.keys.filter((key) => kept.has(key.name));
  const grouped: AggregationNode = { ...node, keys, aggregates: [...node.aggregates, ...carried.values()] };
  const assignments = outputsOf(node).map((output) => {
    const call = carried.get(output.name);
    return call === undefined ? identity(output) : { output, expression: call.output };
  });
  return projectNode(ids, grouped, assignments);
}

/**
 * Names of the keys that remain if each key that the remaining others determine is dropped, one after the other. What is determined without
 * a list of keys is so with any of them, so a list is dropped at once, and halved only if some of it remain: a closure for each of ten
 * thousand keys takes seconds.
 */
function withoutDetermined(keys: readonly Variable[], dependencies: readonly Dependency[]): ReadonlySet<string> {
  const determinable = new Set(dependencies.flatMap(({ to }) => to));
  let kept = new Set(keys.map((key) => key.name));
  const drop = (names: readonly string[]): void => {
    const others = new Set(kept);
    for (const name of names) {
      others.delete(name);
    }
    if (names.length > 0 && others.size > 0) {
      const known = determinedBy(others, dependencies);
      if (names.every((name) => known.has(name))) {
        kept = others;
        return;
      }
    }
    if (names.length > 1) {
      const half = Math.ceil(names.length / 2);
      drop(names.slice(0, half));
      drop(names.slice(half));
    }
  };
  drop(candidates(keys.filter((key) => determinable.has(key.name) && canCarry(key))).map((key) => key.name));
  return kept;
}

/** Keys in the order in which they are dropped: text types first, then from last to first. */
function candidates(keys: readonly Variable[]): readonly Variable[] {
  const reversed = keys.toReversed();
  const isText = ({ type }: Variable) => type.kind === "varchar" || type.kind === "char" || type.kind === "varbinary";
  return [...reversed.filter(isText), ...reversed.filter((key) => !isText(key))];
}

function canCarry({ type }: Variable): boolean {
  return !("error" in resolveAggregate("arbitrary", [type]));
}

function anyOf(key: Variable, output: Variable): AggregateCall {
  const resolved = resolveAggregate("arbitrary", [key.type]);
  if ("error" in resolved) {
    throw resolved.error;
  }
  return { output, name: "arbitrary", argumentTypes: resolved.argTypes, args: [key] };
}
