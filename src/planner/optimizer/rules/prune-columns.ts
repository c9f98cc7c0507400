/**
 * Removes columns that no node above reads. Table scans request only the remaining columns.
 */
import { assert } from "../../../protocol/errors.ts";
import type { RowExpression, Variable } from "../../plan/typed-expression.ts";
import { collectVariables } from "../../plan/expression-tree.ts";
import type { PlanIds } from "../../plan/ids.ts";
import { outputsOf, type PlanNode, type PatternRecognitionNode } from "../../plan/node.ts";
import type { PatternFrame } from "../../plan/pattern-nodes.ts";
import { identity, outputNames, projectNode, withSources } from "../../plan/plan-tree.ts";
import { expressionsOf } from "../../plan/validate.ts";
import type { Rule } from "./rule.ts";

export const pruneColumns: Rule = {
  name: "prune_columns",
  apply: (plan, { ids }) => pruned(plan, ids),
};

type Names = ReadonlySet<string>;

/** The plan without what does not reach its outputs. */
export function pruned(plan: PlanNode, ids: PlanIds): PlanNode {
  return prune(plan, outputNames(plan), ids);
}

function prune(node: PlanNode, required: Names, ids: PlanIds): PlanNode {
  switch (node.kind) {
    case "TableScan": {
      const kept = node.outputs
        .map((output, index) => ({ output, column: node.columns[index] }))
        .filter(({ output }) => required.has(output.name));
      if (kept.length === node.outputs.length) {
        return node;
      }
      return {
        ...node,
        outputs: kept.map(({ output }) => output),
        columns: kept.flatMap(({ column }) => (column === undefined ? [] : [column])),
      };
    }
    case "SharedSource": {
      const kept = node.outputs.flatMap((output, index) => (required.has(output.name) ? [index] : []));
      if (kept.length === node.outputs.length) {
        return node;
      }
      const [columns, outputs] = [node.columns, node.outputs].map((all) => kept.map((index) => all[index] as Variable));
      return { ...node, columns: columns as readonly Variable[], outputs: outputs as readonly Variable[] };
    }
    case "Values": {
      const kept = node.outputs.map((_output, index) => index).filter((index) => required.has(node.outputs[index]?.name ?? ""));
      if (kept.length === node.outputs.length) {
        return node;
      }
      return {
        ...node,
        outputs: kept.map((index) => node.outputs[index] as Variable),
        rows: node.rows.map((row) => kept.map((index) => row[index] as RowExpression)),
      };
    }
    case "Project": {
      const assignments = node.assignments.filter((assignment) => required.has(assignment.output.name));
      const kept = assignments.length === node.assignments.length ? node : { ...node, assignments };
      const needed = variablesIn(assignments.map((assignment) => assignment.expression));
      return withSources(kept, [prune(node.source, needed, ids)]);
    }
    case "Aggregation": {
      const aggregates = node.aggregates.filter((aggregate) => required.has(aggregate.output.name));
      const kept = aggregates.length === node.aggregates.length ? node : { ...node, aggregates };
      const needed = variablesIn(expressionsOf(kept));
      return withSources(kept, [restrict(prune(node.source, needed, ids), needed, ids)]);
    }
    case "GroupId": {
      const columns = node.columns.filter((column) => required.has(column.output.name));
      const kept = new Set(columns.map((column) => column.output.name));
      const sets = node.sets.map((set) => set.filter((name) => kept.has(name)));
      const needed = new Set([...required, ...columns.map((column) => column.input.name)]);
      return { ...node, columns, sets, source: prune(node.source, needed, ids) };
    }
    case "MarkDistinct":
      if (!required.has(node.marker.name)) {
        return prune(node.source, required, ids);
      }
      return pruneSource(node, required, ids);
    case "Window": {
      const functions = node.functions.filter((call) => required.has(call.output.name));
      if (functions.length === 0) {
        return prune(node.source, required, ids);
      }
      return pruneSource(functions.length === node.functions.length ? node : { ...node, functions }, required, ids);
    }
    case "SemiJoin":
      if (!required.has(node.output.name)) {
        return prune(node.source, required, ids);
      }
      return withSources(node, [
        prune(node.source, new Set([...required, node.sourceKey.name]), ids),
        restrict(prune(node.filtering, new Set([node.filteringKey.name]), ids), new Set([node.filteringKey.name]), ids),
      ]);
    case "Join": {
      const needed = new Set([
        ...required,
        ...variablesIn([...node.criteria.flatMap((c) => [c.left, c.right]), ...(node.filter ? [node.filter] : [])]),
      ]);
      const [left, right] = [node.left, node.right].map((side) => restrict(prune(side, needed, ids), needed, ids));
      assert(left !== undefined && right !== undefined, "a join has two sides");
      const outputs = node.outputs.filter((output) => required.has(output.name));
      return withSources(outputs.length === node.outputs.length ? node : { ...node, outputs }, [left, right]);
    }
    case "Union": {
      const kept = node.outputs.map((_output, index) => index).filter((index) => required.has(node.outputs[index]?.name ?? ""));
      const sourceVariables = node.sourceVariables.map((variables) => kept.map((index) => variables[index] as Variable));
      return {
        ...node,
        outputs: kept.map((index) => node.outputs[index] as Variable),
        sourceVariables,
        sources: node.sources.map((source, index) => prune(source, new Set(sourceVariables[index]?.map((v) => v.name)), ids)),
      };
    }
    case "PatternRecognition":
      return prunePattern(node, required, ids);
    case "TableFunction": {
      const inputs = node.inputs.map((input) => ({ ...input, passed: input.passed.filter(({ name }) => required.has(name)) }));
      const kept = { ...node, inputs };
      const needed = variablesIn(expressionsOf(kept));
      return withSources(
        kept,
        node.sources.map((source) => restrict(prune(source, needed, ids), needed, ids)),
      );
    }
    case "Output":
    case "TableWriter":
      return withSources(node, [prune(node.source, variablesIn(expressionsOf(node)), ids)]);
    case "TableFinish":
      return withSources(node, [prune(node.source, outputNames(node.source), ids)]);
    case "Unnest": {
      const { ordinal, ...rest } = node;
      return pruneSource(ordinal === undefined || required.has(ordinal.name) ? node : rest, required, ids);
    }
    case "AssignUniqueId":
      if (!required.has(node.idVariable.name)) {
        return prune(node.source, required, ids);
      }
      return pruneSource(node, required, ids);
    case "EnforceSingleRow":
    case "Filter":
    case "Sort":
    case "TopN":
    case "Limit":
    case "Offset":
    case "Sample":
      return pruneSource(node, required, ids);
    case "Exchange":
    case "RemoteSource":
      return node;
  }
}

/** Definitions stay, because they decide which rows the node returns. */
function prunePattern(node: PatternRecognitionNode, required: Names, ids: PlanIds): PlanNode {
  const measures = node.measures.filter(({ output }) => required.has(output.name));
  const { start, stop, ...frame } = node.frame ?? {};
  const isBounded = [start, stop].some((variable) => variable !== undefined && required.has(variable.name));
  if (node.rows === "WINDOW" && measures.length === 0 && !isBounded) {
    return prune(node.source, required, ids);
  }
  const kept: PatternRecognitionNode = {
    ...node,
    measures,
    ...(node.frame !== undefined && { frame: isBounded ? node.frame : (frame as PatternFrame) }),
  };
  const needed = new Set([...required, ...variablesIn(expressionsOf(kept))]);
  return { ...kept, source: restrict(prune(node.source, needed, ids), needed, ids) };
}

function pruneSource(node: PlanNode & { readonly source: PlanNode }, required: Names, ids: PlanIds): PlanNode {
  return withSources(node, [prune(node.source, new Set([...required, ...variablesIn(expressionsOf(node))]), ids)]);
}

/** Adds a projection if a node outputs columns that only the node itself needed. */
function restrict(node: PlanNode, required: Names, ids: PlanIds): PlanNode {
  const outputs = outputsOf(node);
  const kept = outputs.filter((output) => required.has(output.name));
  return kept.length === outputs.length ? node : projectNode(ids, node, kept.map(identity));
}

function variablesIn(expressions: readonly RowExpression[]): Set<string> {
  const found = new Map<string, Variable>();
  for (const expression of expressions) {
    collectVariables(expression, found);
  }
  return new Set(found.keys());
}
