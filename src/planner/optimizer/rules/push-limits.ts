/**
 * Pushes down LIMIT:
 *
 * - LIMIT over ORDER BY becomes TopN.
 * - LIMIT moves below projections and OFFSET.
 * - A partial LIMIT or TopN goes into each branch of a union.
 * - A partial LIMIT or TopN goes to the side of an outer or semi-join whose rows are all preserved.
 * - A limit of 0 becomes an empty Values node.
 */
import { knobOf } from "../../../ports/knobs.ts";
import { substitute } from "../../plan/expression-tree.ts";
import type { PlanIds } from "../../plan/ids.ts";
import { outputsOf, type PlanNode } from "../../plan/node.ts";
import { outputNames, sourcesOf, withSources } from "../../plan/plan-tree.ts";
import type { Rule, RuleContext } from "./rule.ts";

export const pushLimits: Rule = {
  name: "push_limits",
  apply: (plan, context) => pushAll(plan, context),
};

function pushAll(node: PlanNode, context: RuleContext): PlanNode {
  const current = node.kind === "Limit" ? pushLimit(node, context) : node.kind === "TopN" ? pushTopN(node, context.ids) : node;
  return withSources(
    current,
    sourcesOf(current).map((source) => pushAll(source, context)),
  );
}

function pushLimit(node: PlanNode & { kind: "Limit" }, context: RuleContext): PlanNode {
  const { ids, rulesOff } = context;
  const { source, count } = node;
  if (count === 0) {
    return { kind: "Values", id: ids.node(), outputs: outputsOf(node), rows: [] };
  }
  switch (source.kind) {
    case "Limit":
      return pushLimit({ ...source, count: Math.min(count, source.count), partial: node.partial && source.partial }, context);
    case "Values":
      return source.rows.length <= count ? source : { ...source, rows: source.rows.slice(0, count) };
    case "Project":
      return { ...source, source: pushLimit({ ...node, source: source.source }, context) };
    case "Offset":
      return { ...source, source: pushLimit({ ...node, source: source.source, count: count + source.count }, context) };
    case "Sort":
      // TopN holds its rows in memory.
      if (count > knobOf(context, "top-n-rows") || rulesOff.has("use_top_n")) {
        return node;
      }
      return pushTopN({ kind: "TopN", id: node.id, source: source.source, count, orderBy: source.orderBy, step: "SINGLE" }, ids);
    case "Union":
      if (source.sources.every((branch) => branch.kind === "Limit" && branch.count <= count)) {
        return node;
      }
      return {
        ...node,
        source: {
          ...source,
          sources: source.sources.map((branch): PlanNode => ({ kind: "Limit", id: ids.node(), source: branch, count, partial: true })),
        },
      };
    default: {
      const side = keptSide(source);
      if (side === undefined || (side.kind === "Limit" && side.count <= count)) {
        return node;
      }
      return { ...node, source: withKeptSide(source, side, { kind: "Limit", id: ids.node(), source: side, count, partial: true }) };
    }
  }
}

/** Returns the source of which each row comes out at least once. */
function keptSide(node: PlanNode): PlanNode | undefined {
  if (node.kind === "SemiJoin") {
    return node.source;
  }
  if (node.kind !== "Join") {
    return undefined;
  }
  return node.type === "LEFT" ? node.left : node.type === "RIGHT" ? node.right : undefined;
}

function withKeptSide(node: PlanNode, side: PlanNode, replaced: PlanNode): PlanNode {
  return withSources(
    node,
    sourcesOf(node).map((source) => (source === side ? replaced : source)),
  );
}

/** Moves a TopN below a projection that only passes its sort columns through, so that fewer rows are projected. */
function pushTopN(node: PlanNode & { kind: "TopN" }, ids: PlanIds): PlanNode {
  const { source } = node;
  if (source.kind === "Union") {
    return pushTopNIntoBranches(node, source, ids);
  }
  if (source.kind !== "Project") {
    return pushTopNToKeptSide(node, ids);
  }
  const values = new Map(source.assignments.map((assignment) => [assignment.output.name, assignment.expression]));
  const orderBy = node.orderBy.flatMap((ordering) => {
    const value = substitute(ordering.variable, values);
    return value.kind === "variable" ? [{ ...ordering, variable: value }] : [];
  });
  if (orderBy.length < node.orderBy.length) {
    return node;
  }
  return { ...source, source: pushTopN({ ...node, source: source.source, orderBy }, ids) };
}

function pushTopNIntoBranches(node: PlanNode & { kind: "TopN" }, union: PlanNode & { kind: "Union" }, ids: PlanIds): PlanNode {
  if (union.sources.every((branch) => branch.kind === "TopN" && branch.count <= node.count)) {
    return node;
  }
  const positions = node.orderBy.map(({ variable }) => union.outputs.findIndex(({ name }) => name === variable.name));
  const sources = union.sources.map((branch, index): PlanNode => {
    const variables = union.sourceVariables[index] ?? [];
    const orderBy = node.orderBy.flatMap((ordering, i) => {
      const variable = variables[positions[i] ?? -1];
      return variable === undefined ? [] : [{ ...ordering, variable }];
    });
    return orderBy.length < node.orderBy.length ? branch : { ...node, id: ids.node(), source: branch, orderBy, step: "PARTIAL" };
  });
  return { ...node, source: { ...union, sources } };
}

function pushTopNToKeptSide(node: PlanNode & { kind: "TopN" }, ids: PlanIds): PlanNode {
  const side = keptSide(node.source);
  if (side === undefined || (side.kind === "TopN" && side.count <= node.count)) {
    return node;
  }
  const known = outputNames(side);
  if (!node.orderBy.every(({ variable }) => known.has(variable.name))) {
    return node;
  }
  return { ...node, source: withKeptSide(node.source, side, { ...node, id: ids.node(), source: side, step: "PARTIAL" }) };
}
