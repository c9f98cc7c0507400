/**
 * Drops grouping keys that are functionally dependent on other grouping keys. Their values come from an arbitrary row of the group.
 */
import { resolveAggregate } from "../../../functions/registry/registry.ts";
import { determinedBy, dependenciesOf } from "../stats/dependencies.ts";
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
  const dependencies = dependenciesOf(node.source, estimator);
  let keys = node.keys;
  for (const key of candidates(node.keys)) {
    const others = keys.filter((other) => other !== key);
    const names = others.map((other) => other.name);
    if (others.length > 0 && canCarry(key) && determinedBy(names, dependencies).has(key.name)) {
      keys = others;
    }
  }
  const carried = node.keys
    .filter((key) => !keys.includes(key))
    .map((key) => ({ key, call: anyOf(key, ids.variable(key.name, key.type)) }));
  if (carried.length === 0) {
    return node;
  }
  const grouped: AggregationNode = { ...node, keys, aggregates: [...node.aggregates, ...carried.map(({ call }) => call)] };
  const assignments = outputsOf(node).map((output) => {
    const found = carried.find(({ key }) => key.name === output.name);
    return found === undefined ? identity(output) : { output, expression: found.call.output };
  });
  return projectNode(ids, grouped, assignments);
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
