/**
 * Removes columns that no node above reads. Table scans request only the remaining columns.
 */
import type { RowExpression, Variable } from "../../plan/typed-expression.ts";
import { collectVariables } from "../../plan/expression-tree.ts";
import { atOnce, RulePace, type Walk, walked } from "../../pieces.ts";
import type { PlanIds } from "../../plan/ids.ts";
import { outputsOf, ownOutputs, type PlanNode, type PatternRecognitionNode } from "../../plan/node.ts";
import type { PatternFrame } from "../../plan/pattern-nodes.ts";
import { identity, outputNames, projectNode, withSources } from "../../plan/plan-tree.ts";
import { expressionsOf } from "../../plan/validate.ts";
import type { Rule } from "./rule.ts";

export const pruneColumns: Rule = {
  name: "prune_columns",
  apply: (plan, { ids }) => pruned(plan, ids),
  inPieces: (plan, { ids }) => walked(prune(plan, outputNames(plan), { ids, pace: new RulePace() })),
};

interface Pruning {
  readonly ids: PlanIds;
  readonly pace: RulePace;
}

type Names = ReadonlySet<string>;

/** The plan without what does not reach its outputs. */
export function pruned(plan: PlanNode, ids: PlanIds): PlanNode {
  return atOnce(walked(prune(plan, outputNames(plan), { ids, pace: new RulePace() })));
}

function* prune(node: PlanNode, required: Names, pruning: Pruning): Walk<PlanNode> {
  return (yield pruneNode(node, required, pruning)) as PlanNode;
}

function* pruneNode(node: PlanNode, required: Names, pruning: Pruning): Walk<PlanNode> {
  const { ids, pace } = pruning;
  if (pace.isDue(ownOutputs(node).own.length + required.size)) {
    yield;
  }
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
      return withSources(kept, [yield* prune(node.source, needed, pruning)]);
    }
    case "Aggregation": {
      const aggregates = node.aggregates.filter((aggregate) => required.has(aggregate.output.name));
      const kept = aggregates.length === node.aggregates.length ? node : { ...node, aggregates };
      const needed = variablesIn(expressionsOf(kept));
      return withSources(kept, [restrict(yield* prune(node.source, needed, pruning), needed, ids)]);
    }
    case "GroupId": {
      const columns = node.columns.filter((column) => required.has(column.output.name));
      const kept = new Set(columns.map((column) => column.output.name));
      const sets = node.sets.map((set) => set.filter((name) => kept.has(name)));
      const needed = new Set([...required, ...columns.map((column) => column.input.name)]);
      return { ...node, columns, sets, source: yield* prune(node.source, needed, pruning) };
    }
    case "MarkDistinct":
      if (!required.has(node.marker.name)) {
        return yield* prune(node.source, required, pruning);
      }
      return yield* pruneSource(node, required, pruning);
    case "Window": {
      const functions = node.functions.filter((call) => required.has(call.output.name));
      if (functions.length === 0) {
        return yield* prune(node.source, required, pruning);
      }
      return yield* pruneSource(functions.length === node.functions.length ? node : { ...node, functions }, required, pruning);
    }
    case "SemiJoin":
      if (!required.has(node.output.name)) {
        return yield* prune(node.source, required, pruning);
      }
      return withSources(node, [
        yield* prune(node.source, new Set([...required, node.sourceKey.name]), pruning),
        restrict(yield* prune(node.filtering, new Set([node.filteringKey.name]), pruning), new Set([node.filteringKey.name]), ids),
      ]);
    case "Join": {
      const needed = new Set([
        ...required,
        ...variablesIn([...node.criteria.flatMap((c) => [c.left, c.right]), ...(node.filter ? [node.filter] : [])]),
      ]);
      const left = restrict(yield* prune(node.left, needed, pruning), needed, ids);
      const right = restrict(yield* prune(node.right, needed, pruning), needed, ids);
      const outputs = node.outputs.filter((output) => required.has(output.name));
      return withSources(outputs.length === node.outputs.length ? node : { ...node, outputs }, [left, right]);
    }
    case "Union": {
      const kept = node.outputs.map((_output, index) => index).filter((index) => required.has(node.outputs[index]?.name ?? ""));
      const sourceVariables = node.sourceVariables.map((variables) => kept.map((index) => variables[index] as Variable));
      const sources: PlanNode[] = [];
      for (const [index, source] of node.sources.entries()) {
        sources.push(yield* prune(source, new Set(sourceVariables[index]?.map((v) => v.name)), pruning));
      }
      return { ...node, outputs: kept.map((index) => node.outputs[index] as Variable), sourceVariables, sources };
    }
    case "PatternRecognition":
      return yield* prunePattern(node, required, pruning);
    case "TableFunction": {
      const inputs = node.inputs.map((input) => ({ ...input, passed: input.passed.filter(({ name }) => required.has(name)) }));
      const kept = { ...node, inputs };
      const needed = variablesIn(expressionsOf(kept));
      const sources: PlanNode[] = [];
      for (const source of node.sources) {
        sources.push(restrict(yield* prune(source, needed, pruning), needed, ids));
      }
      return withSources(kept, sources);
    }
    case "Output":
    case "TableWriter":
      return withSources(node, [yield* prune(node.source, variablesIn(expressionsOf(node)), pruning)]);
    case "TableFinish":
      return withSources(node, [yield* prune(node.source, outputNames(node.source), pruning)]);
    case "Unnest": {
      const { ordinal, ...rest } = node;
      return yield* pruneSource(ordinal === undefined || required.has(ordinal.name) ? node : rest, required, pruning);
    }
    case "AssignUniqueId":
      if (!required.has(node.idVariable.name)) {
        return yield* prune(node.source, required, pruning);
      }
      return yield* pruneSource(node, required, pruning);
    case "EnforceSingleRow":
    case "Filter":
    case "Sort":
    case "TopN":
    case "Limit":
    case "Offset":
    case "Sample":
      return yield* pruneSource(node, required, pruning);
    case "Exchange":
    case "RemoteSource":
      return node;
  }
}

/** Definitions stay, because they decide which rows the node returns. */
function* prunePattern(node: PatternRecognitionNode, required: Names, pruning: Pruning): Walk<PlanNode> {
  const { ids } = pruning;
  const measures = node.measures.filter(({ output }) => required.has(output.name));
  const { start, stop, ...frame } = node.frame ?? {};
  const isBounded = [start, stop].some((variable) => variable !== undefined && required.has(variable.name));
  if (node.rows === "WINDOW" && measures.length === 0 && !isBounded) {
    return yield* prune(node.source, required, pruning);
  }
  const kept: PatternRecognitionNode = {
    ...node,
    measures,
    ...(node.frame !== undefined && { frame: isBounded ? node.frame : (frame as PatternFrame) }),
  };
  const needed = new Set([...required, ...variablesIn(expressionsOf(kept))]);
  return { ...kept, source: restrict(yield* prune(node.source, needed, pruning), needed, ids) };
}

function* pruneSource(node: PlanNode & { readonly source: PlanNode }, required: Names, pruning: Pruning): Walk<PlanNode> {
  return withSources(node, [yield* prune(node.source, new Set([...required, ...variablesIn(expressionsOf(node))]), pruning)]);
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
