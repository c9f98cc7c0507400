/**
 * Fixture: a node's memory with both kernel backends over it, and pages from plain values. Shared with the tests of functions.
 */
import { expect } from "vitest";
import { writeHostValue } from "../../../../src/functions/runtime/host.ts";
import { compilePageProcessor } from "../../../../src/execution/expressions/page-processor.ts";
import { hostValueOfConstant } from "../../../../src/execution/expressions/constants.ts";
import { readColumnValue } from "../../../../src/execution/expressions/evaluate.ts";
import { KernelRuntime } from "../../../../src/codegen/runtime.ts";
import { createNodeMemory } from "../../../../src/memory/allocator.ts";
import type { MemoryContext } from "../../../../src/memory/memory.ts";
import type { Column, Page } from "../../../../src/page/page.ts";
import type {
  Call,
  Cast,
  Constant,
  ConstantValue,
  RowExpression,
  SpecialForm,
  Variable,
} from "../../../../src/planner/plan/typed-expression.ts";
import { QueryError } from "../../../../src/protocol/errors.ts";
import { resolveScalar } from "../../../../src/functions/registry/registry.ts";
import { physicalType, physicalWidth, sameType, type Type } from "../../../../src/types/type.ts";

export interface World {
  readonly memory: MemoryContext;
  readonly wasm: KernelRuntime;
  readonly interpreter: KernelRuntime;
}

export function createWorld(sizeBytes = 64 * 1024 * 1024): World {
  const { linear, root } = createNodeMemory({ sizeBytes });
  return {
    memory: root,
    wasm: new KernelRuntime({ linear, backend: "wasm" }),
    interpreter: new KernelRuntime({ linear, backend: "interpreter" }),
  };
}

export function variable(name: string, type: Type): Variable {
  return { kind: "variable", name, type };
}

export function constant(type: Type, value: ConstantValue): Constant {
  return { kind: "constant", type, value };
}

export function special(form: SpecialForm["form"], type: Type, ...args: RowExpression[]): SpecialForm {
  return { kind: "special", form, type, args };
}

export function cast(arg: RowExpression, type: Type, safe = false): Cast {
  return { kind: "cast", type, arg, safe };
}

/** A resolved call with the coercions that the planner would add to its arguments. */
export function call(name: string, ...args: RowExpression[]): Call {
  const resolved = resolveScalar(
    name,
    args.map((arg) => arg.type),
  );
  if ("error" in resolved) {
    throw new Error(resolved.error === "MISMATCH" ? resolved.message : `Function '${name}' not registered`);
  }
  const coerced = args.map((arg, index) => {
    const wanted = resolved.argTypes[index] as Type;
    return sameType(arg.type, wanted) ? arg : cast(arg, wanted);
  });
  return { kind: "call", name: resolved.name, type: resolved.returnType, args: coerced };
}

export interface ColumnOptions {
  readonly type: Type;
  readonly values: readonly ConstantValue[];
  /** Row r of the column is values[ids[r]]. */
  readonly ids?: readonly number[];
}

function makeColumn(memory: MemoryContext, { type, values, ids }: ColumnOptions): Column {
  const width = physicalWidth(physicalType(type));
  const address = memory.allocateZeroed(Math.max(1, width * values.length));
  const hasNulls = values.includes(null);
  const nulls = hasNulls ? memory.allocateZeroed(values.length) : 0;
  values.forEach((value, index) => {
    if (value === null) {
      memory.linear.u8[nulls + index] = 1;
      return;
    }
    const hostValue = hostValueOfConstant({ kind: "constant", type, value });
    if (hostValue !== null) {
      writeHostValue(memory.linear, address + index * width, type, hostValue, (bytes) => memory.allocate(bytes));
    }
  });
  const idsAddress = ids === undefined ? 0 : memory.allocate(Math.max(4, 4 * ids.length));
  ids?.forEach((id, index) => {
    memory.linear.u32[(idsAddress >>> 2) + index] = id;
  });
  return { type, values: address, nulls, ids: idsAddress, length: values.length };
}

export function makePage(
  memory: MemoryContext,
  columns: readonly ColumnOptions[],
  positionCount: number,
  selection?: readonly number[],
): Page {
  const address = selection === undefined ? 0 : memory.allocate(Math.max(4, 4 * selection.length));
  selection?.forEach((row, index) => {
    memory.linear.u32[(address >>> 2) + index] = row;
  });
  return {
    positionCount: selection?.length ?? positionCount,
    selection: address,
    columns: columns.map((column) => makeColumn(memory, column)),
  };
}

export function readPage(memory: MemoryContext, page: Page): ConstantValue[][] {
  return Array.from({ length: page.positionCount }, (_, position) => {
    const row = page.selection === 0 ? position : (memory.linear.u32[(page.selection >>> 2) + position] as number);
    return page.columns.map((column) => readColumnValue(memory, column, row));
  });
}

export interface Processing {
  readonly inputs: readonly Variable[];
  readonly filter?: RowExpression;
  readonly projections: readonly RowExpression[];
}

/** Returns rows, or `NAME: message` of the error. */
export function run(runtime: KernelRuntime, memory: MemoryContext, options: Processing, page: Page): ConstantValue[][] | string {
  const processor = compilePageProcessor(runtime, options).create(memory);
  try {
    return readPage(memory, processor.process(page));
  } catch (error) {
    if (error instanceof QueryError) {
      return `${error.errorName}: ${error.message}`;
    }
    throw error;
  } finally {
    processor.close();
  }
}

/** The result for a column named x; checks that both backends agree. */
export function runBoth(world: World, { type, values }: ColumnOptions, projections: readonly RowExpression[]): ConstantValue[][] | string {
  const memory = world.memory.child("case");
  const page = makePage(memory, [{ type, values }], values.length);
  const options = { inputs: [variable("x", type)], projections };
  const rows = run(world.wasm, memory, options, page);
  expect(run(world.interpreter, memory, options, page)).toEqual(rows);
  memory.close();
  return rows;
}

/** The value of an expression without variables. */
export function evaluate(world: World, expression: RowExpression, runtime: KernelRuntime = world.wasm): ConstantValue {
  const rows = run(runtime, world.memory, { inputs: [], projections: [expression] }, { positionCount: 1, selection: 0, columns: [] });
  return typeof rows === "string" ? rows : ((rows[0] as ConstantValue[])[0] as ConstantValue);
}
