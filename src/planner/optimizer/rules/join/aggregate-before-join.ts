/**
 * An aggregation over a LEFT join that keeps each row of its left side a group of its own goes below the join: `SELECT c.id, count(o.id) FROM c LEFT JOIN o ON
 * o.c = c.id GROUP BY c.id` counts o by its column first, where that leaves few rows of o to send and to join (Presto's PushAggregationThroughOuterJoin, for
 * every left side with a key). Groups of o that no row of the left meets are computed too.
 */
import { hasOneFormEach } from "../../stats/dependencies.ts";
import type { RowExpression, Variable } from "../../../plan/typed-expression.ts";
import { constant, special } from "../../../plan/expression-tree.ts";
import { isUnique } from "../../stats/keys.ts";
import type { AggregateCall, AggregationNode, JoinNode, PlanNode } from "../../../plan/node.ts";
import { distinctVariables, identity, namesOf, outputNames, passesOn, projectNode, rewritePlan } from "../../../plan/plan-tree.ts";
import type { Rule, RuleContext } from "../rule.ts";

/** So many of the right side's rows must be left at most. */
const leftMax = 0.5;

/** What these give for a row of the left that meets none; all leave NULLs out, and give it for no value at all. */
const ofNothing: ReadonlyMap<string, "0" | null> = new Map([
  ["count", "0"],
  ["sum", null],
  ["min", null],
  ["max", null],
  ["avg", null],
]);

export const aggregateBeforeJoin: Rule = {
  name: "aggregate before join",
  apply: (plan, context) => rewritePlan(plan, (node) => (node.kind === "Aggregation" ? push(node, context) : node)),
};

function push(node: AggregationNode, context: RuleContext): PlanNode {
  const join = joinBelow(node.source);
  if (join === undefined || !isOneRowAGroup(node, join, context) || !node.aggregates.every((call) => readsOnly(call, join.right))) {
    return node;
  }
  const { ids, estimator } = context;
  const renamed = node.aggregates.map((call): AggregateCall => ({ ...call, output: ids.variable(call.output.name, call.output.type) }));
  const right: AggregationNode = {
    kind: "Aggregation",
    id: node.id,
    source: join.right,
    step: "SINGLE",
    keys: distinctVariables(join.criteria.map((criterion) => criterion.right)),
    aggregates: renamed,
  };
  const before = estimator.estimate(join.right);
  if (!before.known || isUnique(before.keys, namesOf(right.keys)) || estimator.estimate(right).rows > leftMax * before.rows) {
    return node;
  }
  const outputs = [...node.keys, ...renamed.map((call) => call.output)];
  const values = node.aggregates.map((call, index) => ({
    output: call.output,
    expression: valueOf(call, outputs[node.keys.length + index]),
  }));
  return projectNode(ids, { ...join, right, outputs }, [...node.keys.map(identity), ...values]);
}

function joinBelow(node: PlanNode): JoinNode | undefined {
  if (passesOn(node)) {
    return joinBelow(node.source);
  }
  const fits = node.kind === "Join" && node.type === "LEFT" && node.filter === undefined && node.criteria.length > 0;
  return fits ? node : undefined;
}

/** Grouped by a key of the left side, which meets the right by values that are equal only where they are the same: no row of it can meet two groups. */
function isOneRowAGroup({ step, keys, aggregates, globalSets }: AggregationNode, join: JoinNode, { estimator }: RuleContext): boolean {
  if (step !== "SINGLE" || globalSets !== undefined || aggregates.length === 0) {
    return false;
  }
  const left = outputNames(join.left);
  return (
    keys.every((key) => left.has(key.name)) &&
    isUnique(estimator.estimate(join.left).keys, namesOf(keys)) &&
    join.criteria.every(({ right }) => hasOneFormEach(right.type))
  );
}

function readsOnly({ name, args, mask }: AggregateCall, side: PlanNode): boolean {
  const names = outputNames(side);
  const [arg] = args;
  return ofNothing.has(name) && mask === undefined && args.length === 1 && arg?.kind === "variable" && names.has(arg.name);
}

function valueOf(call: AggregateCall, below: Variable | undefined): RowExpression {
  const nothing = ofNothing.get(call.name) ?? null;
  const value = below ?? call.output;
  return nothing === null ? value : special("COALESCE", value.type, [value, constant(value.type, nothing)]);
}
