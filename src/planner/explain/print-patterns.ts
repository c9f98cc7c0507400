/**
 * Prints row pattern recognition for EXPLAIN.
 */
import type { RowExpression } from "../plan/typed-expression.ts";
import type { Ordering, PatternRecognitionNode } from "../plan/node.ts";
import type { PatternAccess, PatternAggregate, PatternExpression, PatternNavigation, RowPattern } from "../plan/pattern-nodes.ts";

interface Printers {
  readonly expression: (expression: RowExpression) => string;
  readonly orderings: (orderBy: readonly Ordering[]) => string;
}

export function patternHead(node: PatternRecognitionNode, { orderings }: Printers): string {
  const parts = [
    ...(node.partitionBy.length === 0 ? [] : [`partitionBy = [${node.partitionBy.map(({ name }) => name).join(", ")}]`]),
    ...(node.orderBy.length === 0 ? [] : [`orderBy = [${orderings(node.orderBy)}]`]),
  ];
  return `PatternRecognition[${parts.join(", ")}]`;
}

export function patternDetails(node: PatternRecognitionNode, printers: Printers): readonly string[] {
  const { definitions, frame, labels, measures, pattern, skip } = node;
  const labelsOf = (places: readonly number[]): string => places.map((place) => labels[place]).join(" | ");
  const shown = (one: PatternExpression): string => printInside(one, labelsOf, printers);
  const frameText = frame === undefined ? [] : [frameOf(node, printers)];
  return [
    ...measures.map((measure) => `${measure.output.name} := ${shown(measure)}`),
    ...(node.rows === "WINDOW" ? [] : [rowsTexts[node.rows]]),
    ...frameText,
    `AFTER MATCH SKIP ${skip.to === "PAST_LAST" ? "PAST LAST ROW" : skip.to === "NEXT" ? "TO NEXT ROW" : `TO ${skip.to} ${labelsOf(skip.labels)}`}`,
    `PATTERN (${printPattern(pattern, labels)})`,
    ...definitions.map((definition) => `${labels[definition.label]} := ${shown(definition)}`),
  ];
}

const rowsTexts = Object.freeze({
  ONE: "ONE ROW PER MATCH",
  ALL_SHOW_EMPTY: "ALL ROWS PER MATCH SHOW EMPTY MATCHES",
  ALL_OMIT_EMPTY: "ALL ROWS PER MATCH OMIT EMPTY MATCHES",
  ALL_WITH_UNMATCHED: "ALL ROWS PER MATCH WITH UNMATCHED ROWS",
});

function frameOf({ frame }: PatternRecognitionNode, { expression }: Printers): string {
  const offset = frame?.offset === undefined ? "" : `${expression(frame.offset)} `;
  return `ROWS CURRENT_ROW ${offset}${frame?.end} ${frame?.initial === true ? "INITIAL" : "SEEK"}`;
}

/** Prints an expression, followed by the definitions of its variables. */
function printInside(
  { expression, accesses, aggregates }: PatternExpression,
  labelsOf: (places: readonly number[]) => string,
  printers: Printers,
): string {
  const texts = [
    ...accesses.map((access) => `${access.output.name} = ${printAccess(access, labelsOf)}`),
    ...aggregates.map((aggregate) => `${aggregate.output.name} = ${printAggregate(aggregate, labelsOf, printers)}`),
  ];
  return `${printers.expression(expression)}${texts.length === 0 ? "" : ` [${texts.join(", ")}]`}`;
}

function printAccess({ value, navigation }: PatternAccess, labelsOf: (places: readonly number[]) => string): string {
  if (value.kind === "MATCH_NUMBER" || navigation === undefined) {
    return value.kind === "COLUMN" ? value.column.name : `${value.kind}()`;
  }
  const prefix = navigation.labels.length === 0 ? "" : `(${labelsOf(navigation.labels)}).`;
  return printNavigation(navigation, prefix + (value.kind === "COLUMN" ? value.column.name : "CLASSIFIER()"));
}

function printNavigation({ anchor, logicalOffset, physicalOffset, running }: PatternNavigation, text: string): string {
  const inner = `${running ? "RUNNING" : "FINAL"} ${anchor}(${text}${logicalOffset === 0 ? "" : `, ${logicalOffset}`})`;
  if (physicalOffset === 0) {
    return inner;
  }
  return physicalOffset < 0 ? `PREV(${inner}, ${-physicalOffset})` : `NEXT(${inner}, ${physicalOffset})`;
}

function printAggregate(
  { args, inputs, labels, name, running }: PatternAggregate,
  labelsOf: (places: readonly number[]) => string,
  { expression }: Printers,
): string {
  const of = labels.length === 0 ? "" : ` OF ${labelsOf(labels)}`;
  const read = inputs.map((input) => `${input.output.name} = ${printAccess(input, labelsOf)}`).join(", ");
  return `${running ? "RUNNING" : "FINAL"} ${name}(${args.map(expression).join(", ")})${of}${read === "" ? "" : ` [${read}]`}`;
}

function printPattern(pattern: RowPattern, labels: readonly string[]): string {
  const inside = (one: RowPattern): string => printPattern(one, labels);
  switch (pattern.kind) {
    case "LABEL":
      return labels[pattern.label] ?? "";
    case "CONCATENATION":
      return pattern.terms.length === 0 ? "()" : `(${pattern.terms.map(inside).join(" ")})`;
    case "ALTERNATION":
      return `(${pattern.terms.map(inside).join(" | ")})`;
    case "PERMUTATION":
      return `PERMUTE(${pattern.terms.map(inside).join(", ")})`;
    case "QUANTIFIED":
      return `${inside(pattern.pattern)}{${pattern.min},${pattern.max ?? ""}}${pattern.greedy ? "" : "?"}`;
    case "EXCLUSION":
      return `{- ${inside(pattern.pattern)} -}`;
    case "PARTITION_START":
      return "^";
    case "PARTITION_END":
      return "$";
  }
}
