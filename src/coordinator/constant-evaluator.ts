/**
 * Values of expressions without variables, for the planner: the very operator that runs VALUES computes them, so that a constant folded while planning and one
 * computed by a worker cannot differ.
 */
import type { ExecutionServices, SessionFacts } from "../exec/api.ts";
import { ValuesOperator } from "../exec/filter-project.ts";
import type { OperatorContext } from "../exec/operator.ts";
import type { MemoryContext } from "../page/memory.ts";
import { type PageValue, readValue } from "../page/reader.ts";
import { utf8Decode } from "../page/utf8.ts";
import type { ConstantValue, RowExpression } from "../plan/expression.ts";
import { assert } from "../protocol/errors.ts";
import type { Type } from "../types/type.ts";

export interface ConstantEvaluatorOptions {
  readonly services: ExecutionServices;
  readonly session: SessionFacts;
  readonly memory: MemoryContext;
}

/** Throws the QueryError that the evaluation ends with. */
export function constantEvaluator(options: ConstantEvaluatorOptions): (expression: RowExpression) => ConstantValue {
  return (expression) => evaluate(options, expression);
}

function evaluate(options: ConstantEvaluatorOptions, expression: RowExpression): ConstantValue {
  const { services, session } = options;
  const memory = options.memory.child("constant");
  const context: OperatorContext = {
    services,
    session,
    taskId: "",
    operatorId: 0,
    planNodeId: "",
    operatorType: "ValuesOperator",
    memory,
  };
  const outputs = [{ kind: "variable" as const, name: "value", type: expression.type }];
  let operator: ValuesOperator | undefined;
  try {
    operator = new ValuesOperator(context, { kind: "Values", id: "", outputs, rows: [[expression]] });
    const page = operator.getOutput();
    assert(page?.positionCount === 1, "an expression has one value");
    return constantValue(expression.type, readValue(memory.linear, page, 0, 0));
  } finally {
    operator?.close();
    memory.close();
  }
}

/** The JSON form that plan/expression.ts describes. */
function constantValue(type: Type, value: PageValue): ConstantValue {
  if (value === null || typeof value === "boolean") {
    return value;
  }
  if (typeof value === "bigint") {
    return value.toString();
  }
  if (typeof value === "number") {
    return Object.is(value, -0) ? "-0" : Number.isFinite(value) ? value : String(value);
  }
  return type.kind === "varbinary" ? hexOf(value) : utf8Decode(value);
}

function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
