/**
 * Window frames: valid combinations of bounds, and the types of their offsets.
 */
import type { FrameBound, WindowFrame as FrameSyntax, WindowSpecification } from "../../../sql/ast/ast.ts";
import {
  BIGINT,
  displayType,
  isInterval,
  isNumeric,
  shortDecimalPrecisionMax,
  type Type,
  INTERVAL_DAY_TO_SECOND,
} from "../../../types/type.ts";
import type { Constant, RowExpression } from "../../plan/typed-expression.ts";
import { constant } from "../../plan/expression-tree.ts";
import type { WindowBound } from "../../plan/node.ts";
import type { Environment } from "../analysis.ts";
import { semanticError } from "../errors.ts";
import { analyzeExpression } from "../expression/analyze-expression.ts";
import { callFunction, callOperator, coerce } from "../expression/functions.ts";
import type { AnalyzedBound, AnalyzedFrame, AnalyzedWindow, WindowInput } from "./specification.ts";

const impossible: readonly (readonly [start: FrameBound["type"], end: FrameBound["type"]])[] = [
  ["CURRENT ROW", "PRECEDING"],
  ["FOLLOWING", "PRECEDING"],
  ["FOLLOWING", "CURRENT ROW"],
];

export function analyzeFrame(
  frame: FrameSyntax,
  window: WindowSpecification,
  orderBy: AnalyzedWindow["orderBy"],
  env: Environment,
): AnalyzedFrame {
  const start = frame.start.type;
  const end = frame.end?.type ?? "CURRENT ROW";
  if (start === "UNBOUNDED FOLLOWING") {
    throw semanticError("INVALID_WINDOW_FRAME", frame, "Window frame start cannot be UNBOUNDED FOLLOWING");
  }
  if (end === "UNBOUNDED PRECEDING") {
    throw semanticError("INVALID_WINDOW_FRAME", frame, "Window frame end cannot be UNBOUNDED PRECEDING");
  }
  if (impossible.some(([first, last]) => first === start && last === end)) {
    throw semanticError("INVALID_WINDOW_FRAME", frame, `Window frame starting from ${start} cannot end with ${end}`);
  }
  const hasOffset = frame.start.value !== undefined || frame.end?.value !== undefined;
  if (hasOffset && frame.type !== "ROWS" && orderBy.length === 0) {
    throw semanticError("MISSING_ORDER_BY", window, `Window frame of type ${frame.type} PRECEDING or FOLLOWING requires ORDER BY`);
  }
  if (hasOffset && frame.type === "RANGE") {
    checkRangeKey(orderBy);
  }
  const bound = (node: FrameBound | undefined, side: "start" | "end"): AnalyzedBound => {
    if (node === undefined) {
      return { type: "CURRENT_ROW" };
    }
    const type = node.type.replace(" ", "_") as WindowBound["type"];
    if (node.value === undefined) {
      return { type };
    }
    const ungrouped = { at: node.value, subject: `Window frame ${side}` };
    const offset: WindowInput = { expression: analyzeExpression(node.value, env), syntax: node.value, ungrouped };
    return frame.type === "RANGE" ? rangeBound(type, offset, orderBy) : { type, offset: countOffset(offset, frame.type, side) };
  };
  return { type: frame.type, start: bound(frame.start, "start"), end: bound(frame.end, "end") };
}

function countOffset(offset: WindowInput, frame: string, side: "start" | "end"): WindowInput {
  const { type } = offset.expression;
  const isCount = type.kind === "bigint" || type.kind === "integer" || type.kind === "smallint" || type.kind === "tinyint";
  if (!isCount && type.kind !== "unknown" && !(type.kind === "decimal" && type.scale === 0)) {
    throw semanticError(
      "TYPE_MISMATCH",
      offset.syntax,
      `Window frame ${frame} ${side} value type must be exact numeric type with scale 0 (actual ${displayType(type)})`,
    );
  }
  return { ...offset, expression: coerce(clamped(offset), BIGINT) };
}

/** A decimal offset is clamped to the bigint range: a larger one to the largest bigint, a negative one to -1. */
function clamped({ expression, syntax }: WindowInput): RowExpression {
  if (expression.type.kind !== "decimal" || expression.type.precision <= shortDecimalPrecisionMax) {
    return expression;
  }
  const bound = (value: string): RowExpression => coerce(constant(BIGINT, value), expression.type);
  return callFunction("greatest", [bound("-1"), callFunction("least", [bound("9223372036854775807"), expression], syntax)], syntax);
}

function checkRangeKey(orderBy: AnalyzedWindow["orderBy"]): void {
  const [key, second] = orderBy;
  if (key === undefined) {
    return;
  }
  if (second !== undefined) {
    throw semanticError(
      "INVALID_ORDER_BY",
      key.syntax,
      `Window frame of type RANGE PRECEDING or FOLLOWING requires single sort item in ORDER BY (actual: ${orderBy.length})`,
    );
  }
  const { type } = key.expression;
  if (!isNumeric(type) && !isTemporal(type) && !isInterval(type)) {
    throw semanticError(
      "TYPE_MISMATCH",
      key.syntax,
      `Window frame of type RANGE PRECEDING or FOLLOWING requires that sort item type be numeric, datetime or interval (actual: ${displayType(type)})`,
    );
  }
}

/** Compares the sort key of other rows with the current row's key minus or plus the offset. The comparison uses the type of that sum. */
function rangeBound(type: WindowBound["type"], offset: WindowInput, orderBy: AnalyzedWindow["orderBy"]): AnalyzedBound {
  const [key] = orderBy as readonly [AnalyzedWindow["orderBy"][number]];
  const [keyType, offsetType] = [key.expression.type, offset.expression.type];
  const fits =
    offsetType.kind === "unknown" ||
    (isNumeric(keyType) ? isNumeric(offsetType) : isTemporal(keyType) ? isInterval(offsetType) : offsetType.kind === keyType.kind);
  if (!fits) {
    throw semanticError(
      "TYPE_MISMATCH",
      offset.syntax,
      `Window frame RANGE value type (${displayType(offsetType)}) not compatible with sort item type (${displayType(keyType)})`,
    );
  }
  // With an untyped NULL as offset, every row fails, as in Presto.
  const operand =
    offsetType.kind === "unknown" ? coerce(offset.expression, isTemporal(keyType) ? INTERVAL_DAY_TO_SECOND : keyType) : offset.expression;
  const goesBack = (type === "PRECEDING") !== key.descending;
  const limit = callOperator(goesBack ? "$subtract" : "$add", [key.expression, operand], offset.syntax);
  return {
    type,
    offset: { ...offset, expression: operand },
    range: {
      key: { expression: coerce(key.expression, limit.type), syntax: key.syntax },
      limit: { expression: limit, syntax: offset.syntax },
    },
  };
}

function isTemporal(type: Type): boolean {
  return type.kind === "date" || type.kind === "timestamp" || type.kind === "timestamp with time zone";
}

/** Returns a literal row count as a bigint. */
export function offsetConstant(expression: RowExpression): Constant | undefined {
  if (expression.kind === "cast" && expression.type.kind === "bigint" && !expression.safe) {
    return offsetConstant(expression.arg);
  }
  if (expression.kind !== "constant" || expression.value === null) {
    return undefined;
  }
  switch (expression.type.kind) {
    case "tinyint":
    case "smallint":
    case "integer":
    case "bigint":
      return constant(BIGINT, String(expression.value));
    default:
      return undefined;
  }
}
