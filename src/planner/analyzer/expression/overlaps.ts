/**
 * `(start, end) OVERLAPS (start, end)` of SQL: two periods that contain their beginning, and not their end. An end may be an interval after
 * the start. Ends in the wrong order are exchanged. If one of them is NULL, the other is where the period begins.
 */
import type { Overlaps } from "../../../sql/ast/ast.ts";
import { BOOLEAN, displayType, type Type } from "../../../types/type.ts";
import { and, not, or, special } from "../../plan/expression-tree.ts";
import type { RowExpression } from "../../plan/typed-expression.ts";
import type { Environment } from "../analysis.ts";
import { semanticError } from "../errors.ts";
import { analyzeExpression } from "./analyze-expression.ts";
import { callOperator, coerceToCommon } from "./functions.ts";
import { fieldAt } from "./structures.ts";

interface Period {
  readonly low: RowExpression;
  readonly high: RowExpression;
}

const datetimes: ReadonlySet<Type["kind"]> = new Set([
  "date",
  "time",
  "time with time zone",
  "timestamp",
  "timestamp with time zone",
  "unknown",
]);

function isInterval({ kind }: Type): boolean {
  return kind === "interval day to second" || kind === "interval year to month";
}

/** Throws TYPE_MISMATCH. */
export function analyzeOverlaps(node: Overlaps, env: Environment): RowExpression {
  const operands = [node.left, node.right].map((side) => analyzeExpression(side, env));
  const pairs = operands.map((operand) => endpointsOf(operand, node));
  const message = `Cannot apply OVERLAPS to ${operands.map(({ type }) => displayType(type)).join(" and ")}`;
  const incomparable = (): Error => semanticError("TYPE_MISMATCH", node, message);
  const hasInterval = pairs.map(([, end]) => isInterval(end.type));
  if (hasInterval[0] !== hasInterval[1]) {
    throw incomparable();
  }
  const endpoints = pairs.flatMap(([start, end]) => [
    start,
    isInterval(end.type) ? callOperator("$add", [start, end], node, message) : end,
  ]);
  const [start1, end1, start2, end2] = coerceToCommon(endpoints, incomparable) as [
    RowExpression,
    RowExpression,
    RowExpression,
    RowExpression,
  ];
  const [first, second] = [periodOf(start1, end1, node), periodOf(start2, end2, node)];
  return or([
    beginsWithin(first, second, node),
    beginsWithin(second, first, node),
    and([
      callOperator("$eq", [first.low, second.low], node),
      or([callOperator("$ne", [first.high, second.high], node), callOperator("$eq", [first.high, second.high], node)]),
    ]),
  ]);
}

function endpointsOf(operand: RowExpression, node: Overlaps): readonly [RowExpression, RowExpression] {
  if (operand.type.kind !== "row" || operand.type.fields.length !== 2) {
    throw semanticError("TYPE_MISMATCH", node, `OVERLAPS operand must be a row of two elements: ${displayType(operand.type)}`);
  }
  const [start, end] = [fieldAt(operand, 0), fieldAt(operand, 1)];
  if (!datetimes.has(start.type.kind)) {
    throw semanticError("TYPE_MISMATCH", node, `OVERLAPS period start must be a datetime: ${displayType(start.type)}`);
  }
  if (!datetimes.has(end.type.kind) && !isInterval(end.type)) {
    throw semanticError("TYPE_MISMATCH", node, `OVERLAPS period end must be a datetime or interval: ${displayType(end.type)}`);
  }
  return [start, end];
}

function periodOf(start: RowExpression, end: RowExpression, node: Overlaps): Period {
  const isReversed = or([special("IS_NULL", BOOLEAN, [start]), callOperator("$gt", [start, end], node)]);
  const either = (one: RowExpression, other: RowExpression): RowExpression => special("SWITCH", one.type, [isReversed, one, other]);
  return { low: either(end, start), high: either(start, end) };
}

/** The period begins after the other has begun, and before the other ends. */
function beginsWithin({ low, high }: Period, other: Period, node: Overlaps): RowExpression {
  const isBehind = and([callOperator("$ge", [low, other.high], node), callOperator("$ge", [high, other.high], node)]);
  return and([callOperator("$gt", [low, other.low], node), not(isBehind)]);
}
