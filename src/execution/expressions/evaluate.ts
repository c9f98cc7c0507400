/**
 * The value of an expression without variables. It is computed by the same generated code that computes the expression for rows.
 */
import type { HostValue } from "../../functions/registry/definition.ts";
import { arrayName } from "../../functions/operator/structures.ts";
import { readHostValue } from "../../functions/runtime/host.ts";
import type { WorkBudget } from "../../codegen/host-work.ts";
import type { KernelRuntime } from "../../codegen/runtime.ts";
import type { MemoryContext } from "../../memory/memory.ts";
import type { Column } from "../../page/page.ts";
import { readNarrow } from "../../page/reader.ts";
import type { ConstantValue, RowExpression } from "../../planner/plan/typed-expression.ts";
import { physicalType, physicalWidth, sameType } from "../../types/type.ts";
import { constantOfHostValue, hostValueOfConstant } from "./constants.ts";
import { compilePageProcessor } from "./page-processor.ts";

/** Steps of functions for the constants of a statement: nothing else happens on the coordinator meanwhile. */
const constantStepsMax = 40_000;

/** For the constants of one statement. */
export function constantBudget(): WorkBudget {
  return { stepsLeft: constantStepsMax };
}

/** Throws QueryError, also if the work of functions exceeds the budget. */
export function evaluateConstant(
  runtime: KernelRuntime,
  memory: MemoryContext,
  expression: RowExpression,
  budget: WorkBudget = constantBudget(),
): ConstantValue {
  if (expression.kind === "constant") {
    return expression.value;
  }
  const elements = elementsOf(expression);
  if (elements !== undefined) {
    return constantOfHostValue(expression.type, elements);
  }
  const processor = compilePageProcessor(runtime, { inputs: [], projections: [expression] }).create(memory);
  try {
    const page = runtime.work.limited(budget, () => processor.process({ positionCount: 1, selection: 0, columns: [] }));
    return readColumnValue(memory, page.columns[0] as Column, 0);
  } finally {
    processor.close();
  }
}

/** Elements of an array constructor of constants. Its kernel would have as many stores as it has elements. */
function elementsOf(expression: RowExpression): readonly HostValue[] | undefined {
  if (expression.kind !== "call" || expression.type.kind !== "array") {
    return undefined;
  }
  if (expression.name === arrayName) {
    const items = expression.args.map((arg) => (arg.kind === "constant" ? hostValueOfConstant(arg) : undefined));
    return items.every((item) => item !== undefined) ? items : undefined;
  }
  // The analyzer makes a long constructor of several.
  if (expression.name !== "concat" || !expression.args.every((arg) => sameType(arg.type, expression.type))) {
    return undefined;
  }
  const parts = expression.args.map((arg) =>
    arg.kind === "constant" ? (hostValueOfConstant(arg) as readonly HostValue[] | null) : elementsOf(arg),
  );
  return parts.every((part) => part !== undefined && part !== null) ? parts.flat() : undefined;
}

/** The value at a row of a column, in the form of plan constants. */
export function readColumnValue(memory: Pick<MemoryContext, "linear">, column: Column, row: number): ConstantValue {
  const { linear } = memory;
  const index = column.ids === 0 ? row : (linear.u32[(column.ids >>> 2) + row] as number);
  if (column.nulls !== 0 && linear.u8[column.nulls + index] === 1) {
    return null;
  }
  if (column.narrow !== undefined) {
    return constantOfHostValue(column.type, readNarrow(linear, column, column.narrow, index));
  }
  const address = column.values + index * physicalWidth(physicalType(column.type));
  return constantOfHostValue(column.type, readHostValue(linear, address, column.type));
}
