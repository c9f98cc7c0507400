/**
 * Pushes an aggregation below a LEFT join if each row of the left side is a group of its own. `SELECT c.id, count(o.id) FROM c LEFT JOIN o
 * ON o.c = c.id GROUP BY c.id` then aggregates o by o.c first. The rule applies if that leaves few rows of o to exchange and to join.
 * Groups of o without a match are computed too.
 *
 * The rule is Presto's PushAggregationThroughOuterJoin, for every left side with a key.
 */
import { hasOneFormEach } from "../../stats/dependencies.ts";
import type { RowExpression, Variable } from "../../../plan/typed-expression.ts";
import { constant, special } from "../../../plan/expression-tree.ts";
import { isUnique } from "../../stats/keys.ts";
import type { AggregateCall, AggregationNode, JoinNode, PlanNode } from "../../../plan/node.ts";
import { distinctVariables, identity, namesOf, outputNames, passesOn, projectNode, rewritePlan } from "../../../plan/plan-tree.ts";
import type { Rule, RuleContext } from "../rule.ts";

/** Maximum fraction of the right side's rows that may remain after the aggregation. */
const leftMax = 0.5;

/** Results of the aggregates for a left row without a match. All of them ignore NULLs, and return the same result for no values at all. */
const ofNothing: ReadonlyMap<string, "0" | null> = new Map([
  ["count", "0"],
  ["sum", null],
  ["min", null],
  ["max", null],
  ["avg", null],
]);

export const aggregateBeforeJoin: Rule = {
  name: "aggregate_before_join",
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

/**
 * Returns whether the aggregation groups by a key of the left side, and the join's criteria compare types whose equal values are identical.
 * A left row then matches at most one group.
 */
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
