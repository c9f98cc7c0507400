/**
 * The variables and expressions of a PatternRecognition node.
 */
import type { RowExpression, Variable } from "./typed-expression.ts";
import type { PatternRecognitionNode } from "./node.ts";
import type { PatternExpression } from "./pattern-nodes.ts";

/** Variables that the node reads from its source. */
export function patternInputs(node: PatternRecognitionNode): readonly Variable[] {
  const expressions = [...node.definitions, ...node.measures];
  const accesses = expressions.flatMap((one) => [...one.accesses, ...one.aggregates.flatMap(({ inputs }) => inputs)]);
  const columns = accesses.flatMap(({ value }) => (value.kind === "COLUMN" ? [value.column] : []));
  const offset = node.frame?.offset;
  return [
    ...node.partitionBy,
    ...node.orderBy.map(({ variable }) => variable),
    ...columns,
    ...(offset === undefined || offset.kind === "constant" ? [] : [offset]),
  ];
}

/** Rewrites every expression in the node. */
export function mapPatternExpressions(
  node: PatternRecognitionNode,
  map: (expression: RowExpression) => RowExpression,
): PatternRecognitionNode {
  const mapped = <One extends PatternExpression>(one: One): One => ({
    ...one,
    expression: map(one.expression),
    aggregates: one.aggregates.map(({ mask, ...aggregate }) => ({
      ...aggregate,
      args: aggregate.args.map(map),
      ...(mask !== undefined && { mask: map(mask) }),
    })),
  });
  return { ...node, definitions: node.definitions.map(mapped), measures: node.measures.map(mapped) };
}

export function patternExpressions(node: PatternRecognitionNode): readonly RowExpression[] {
  return [...node.definitions, ...node.measures].flatMap(({ expression, aggregates }) => [
    expression,
    ...aggregates.flatMap(({ args, mask }) => (mask === undefined ? args : [...args, mask])),
  ]);
}
