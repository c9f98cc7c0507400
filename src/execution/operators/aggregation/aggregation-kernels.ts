/**
 * The kernels of an aggregation. The states of all aggregates of a group are adjacent in one record. A kernel adds a page to the records of
 * its rows' groups and evaluates the arguments' expressions on the way, or it converts records to output columns.
 */
import { emitStoreValue, type InputLayout, openInput, outputArgumentsBytes } from "../../expressions/columns.ts";
import { isTrue } from "../../expressions/expression-compiler.ts";
import type { Value } from "../../../functions/runtime/value.ts";
import type { AggregateImplementation } from "../../../functions/registry/aggregate.ts";
import { rowPositionOffset, sliceOverOffset } from "../../../functions/runtime/errors.ts";
import { buildKernel, type CodeBuilder, i32, i32s, i64 } from "../../../codegen/builder.ts";
import type { Expr, Kernel } from "../../../codegen/ir.ts";
import type { RowExpression, Variable } from "../../../planner/plan/typed-expression.ts";
import { variablesOf } from "../../../planner/plan/expression-tree.ts";
import { contextParams, type KernelExpressions } from "../kernel-expressions.ts";

/** One aggregate and the place of its state in the record. */
export interface PlacedAggregate {
  readonly implementation: AggregateImplementation;
  readonly offset: number;
  /** Indexes into the prepared expressions: arguments or, if the step merges, intermediates. */
  readonly args: readonly number[];
  readonly mask: number | undefined;
  /** The state is that of an earlier aggregate. */
  readonly isShared: boolean;
}

export interface AggregationShape {
  readonly aggregates: readonly PlacedAggregate[];
  readonly recordBytes: number;
  /** Offset of an i64 in the record: number of rows that are not yet in the aggregates' counts. */
  readonly uncountedOffset: number;
  /** The arguments are intermediates of the same aggregate. */
  readonly merges: boolean;
  /** Its kernels return between two rows or groups when functions in TypeScript say that the slice is over. */
  readonly isLong: boolean;
  readonly hasGroups: boolean;
  readonly inputs: readonly Variable[];
  readonly expressions: KernelExpressions;
  /** Context for strings of states; it has no expressions. */
  readonly states: KernelExpressions;
}

/** Status of a kernel that returns before its last row because the slice is over. */
export const statusSliceOver = 2;

/**
 * The error block of the states holds where a long kernel begins: position of the row or of the group, and after `statusSliceOver` the
 * next one. Host functions of aggregates set the flag in that block.
 */
function firstPosition({ isLong }: AggregationShape, errorBlock: Expr): Expr {
  return isLong ? i32.load(errorBlock, rowPositionOffset) : i32.const(0);
}

/** Returns from a long kernel after a row or a group, if the slice is over. */
function returnIfOver(b: CodeBuilder, { isLong }: AggregationShape, errorBlock: Expr, position: Expr): void {
  if (isLong) {
    b.if_(i32.load(errorBlock, sliceOverOffset), () => {
      b.store("i32.store", errorBlock, i32.add(position, i32.const(1)), rowPositionOffset);
      b.return_(i32.const(statusSliceOver));
    });
  }
}

/**
 * Parameters: page arguments, group id of each position, states; error block, arena, constants of the expressions; the same three of the
 * states. Returns 0, 1 after an error, or `statusSliceOver`.
 */
export function accumulateKernel(name: string, layout: InputLayout, shape: AggregationShape): Kernel {
  return buildKernel(name, (kernel) => {
    kernel.entry({ params: [...i32s(3), ...contextParams, ...contextParams], result: "i32" }, (b, params) => {
      const [pageArguments, groups, states, errorBlock, arena, constants, ...ofStates] = params;
      const expressions = shape.expressions.open(b, [errorBlock, arena, constants]);
      const stateContext = shape.states.open(b, ofStates);
      const prepared = shape.expressions.prepared.expressions;
      const channel = (variable: Variable): number => shape.inputs.findIndex(({ name: input }) => input === variable.name);
      const used = new Set(variablesOf(prepared).map(channel));
      const input = openInput(b, pageArguments, layout, used);
      const stateErrors = ofStates[0] as Expr;
      /** Without groups, each state has a base of its own: its fields stay in locals while the page is read, to its end. */
      const globalStates =
        shape.hasGroups || shape.isLong
          ? undefined
          : shape.aggregates.map(({ offset }) => b.local("i32", i32.add(states, i32.const(offset))));
      let countsPage = false;
      expressions.guarded(() => {
        stateContext.guarded(() => {
          const emitRow = (position: Expr): void => {
            const row = input.row(position);
            expressions.newRow();
            // All values are computed first: a value used after a branch must not be computed first inside of it.
            const values = prepared.map((expression: RowExpression) =>
              expressions.emit(expression, (variable) => input.column(channel(variable), row)),
            );
            const record = shape.hasGroups ? b.temp(emitRecord(groups, position, states, shape.recordBytes)) : states;
            // One row count serves all aggregates, if each of them takes every row.
            const isCountedOnce = !shape.merges && shape.aggregates.every((aggregate) => takesEveryRow(aggregate, values));
            if (isCountedOnce && globalStates === undefined) {
              emitCountRows(b, record, shape, i64.const(1n));
            }
            countsPage = isCountedOnce && globalStates !== undefined;
            shape.aggregates.forEach((aggregate, index) => {
              if (aggregate.isShared) {
                return;
              }
              emitUpdate(b, aggregate, values, (args) => {
                const own = aggregate.offset === 0 ? record : b.temp(i32.add(record, i32.const(aggregate.offset)));
                const state = globalStates?.[index] ?? own;
                if (isCountedOnce) {
                  aggregate.implementation.emitAddUncounted?.(stateContext, state, args);
                } else if (shape.merges) {
                  aggregate.implementation.emitMerge(stateContext, state, args);
                } else {
                  aggregate.implementation.emitAdd(stateContext, state, args);
                }
              });
            });
            returnIfOver(b, shape, stateErrors, position);
          };
          const first = firstPosition(shape, stateErrors);
          b.fieldsInLocals(globalStates ?? [], () => b.forRange(first, input.positionCount, emitRow));
          if (countsPage) {
            emitCountRows(b, states, shape, i64.extendI32U(input.positionCount));
          }
          b.return_(i32.const(0));
        });
      });
      b.return_(i32.const(1));
    });
  });
}

function takesEveryRow({ implementation, args, mask }: PlacedAggregate, values: readonly Value[]): boolean {
  return (
    implementation.emitAddUncounted !== undefined &&
    mask === undefined &&
    args.every((index) => (values[index] as Value).isNull === undefined)
  );
}

/** Adds the shared row count to the aggregates' counts. */
function emitCounts(b: CodeBuilder, record: Expr, { aggregates, merges, uncountedOffset }: AggregationShape): void {
  if (merges) {
    return;
  }
  const rows = b.temp(i64.load(record, uncountedOffset));
  for (const { implementation, offset, isShared } of aggregates) {
    if (implementation.countOffset !== undefined && !isShared) {
      const at = offset + implementation.countOffset;
      b.store("i64.store", record, i64.add(i64.load(record, at), rows), at);
    }
  }
  b.store("i64.store", record, i64.const(0n), uncountedOffset);
}

/** Adds to the rows that are not yet in the aggregates' counts. */
function emitCountRows(b: CodeBuilder, record: Expr, { uncountedOffset }: AggregationShape, rows: Expr): void {
  b.store("i64.store", record, i64.add(i64.load(record, uncountedOffset), rows), uncountedOffset);
}

function emitRecord(groups: Expr, position: Expr, states: Expr, recordBytes: number): Expr {
  const group = i32.load(i32.add(groups, i32.shl(position, i32.const(2))));
  return i32.add(states, i32.mul(group, i32.const(recordBytes)));
}

/** Skips masked rows. Skips rows with a NULL argument too, unless the aggregate accepts NULLs or merges. */
export function emitUpdate(
  b: CodeBuilder,
  aggregate: PlacedAggregate,
  values: readonly Value[],
  update: (args: readonly Value[]) => void,
): void {
  const args = aggregate.args.map((index) => values[index] as Value);
  const conditions: Expr[] = [];
  let given = args;
  if (aggregate.mask !== undefined) {
    conditions.push(isTrue(values[aggregate.mask] as Value));
  }
  if (!aggregate.implementation.wantsNulls) {
    for (const arg of args) {
      if (arg.isNull !== undefined) {
        conditions.push(i32.eqz(arg.isNull));
      }
    }
    given = args.map((arg) => ({ ...arg, isNull: undefined }));
  }
  if (conditions.length === 0) {
    update(given);
  } else {
    b.if_(
      conditions.reduce((left, right) => i32.and(left, right)),
      () => update(given),
    );
  }
}

/** Parameters: states, first group, end group (exclusive); error block, arena, constants of the states. */
export function initKernel(shape: AggregationShape): Kernel {
  return buildKernel("aggregate-init", (kernel) => {
    kernel.entry({ params: [...i32s(3), ...contextParams], result: "i32" }, (b, [states, first, end, ...ofStates]) => {
      const context = shape.states.open(b, ofStates);
      context.guarded(() => {
        b.forRange(first, end, (group) => {
          const record = b.temp(i32.add(states, i32.mul(group, i32.const(shape.recordBytes))));
          for (const { implementation, offset } of shape.aggregates) {
            implementation.emitInit?.(context, b.temp(i32.add(record, i32.const(offset))));
          }
        });
        b.return_(i32.const(0));
      });
      b.return_(i32.const(1));
    });
  });
}

/**
 * Parameters: states, first group, end group (exclusive), output arguments; error block, arena, constants of the states. Returns 0, 1
 * after an error, or `statusSliceOver`. Row 0 of the output is the first group. `onColumn` reports which output columns can be NULL.
 */
export function resultKernel(shape: AggregationShape, partial: boolean, onColumn: (index: number, nullable: boolean) => void): Kernel {
  return buildKernel("aggregate-result", (kernel) => {
    kernel.entry({ params: [...i32s(4), ...contextParams], result: "i32" }, (b, [states, first, end, outputArguments, ...ofStates]) => {
      const context = shape.states.open(b, ofStates);
      context.guarded(() => {
        const stateErrors = ofStates[0] as Expr;
        b.forRange(shape.isLong ? i32.add(first, firstPosition(shape, stateErrors)) : first, end, (group) => {
          const record = b.temp(i32.add(states, i32.mul(group, i32.const(shape.recordBytes))));
          const row = b.temp(i32.sub(group, first));
          if (shape.isLong) {
            // A result that is left within begins again, with what its functions have kept.
            b.store("i32.store", stateErrors, row, rowPositionOffset);
          }
          emitCounts(b, record, shape);
          let column = 0;
          for (const { implementation, offset } of shape.aggregates) {
            const state = b.temp(i32.add(record, i32.const(offset)));
            const values = partial ? implementation.emitIntermediate(context, state) : [implementation.emitFinal(context, state)];
            for (const value of values) {
              emitResult(b, { outputArguments, column, row, value });
              onColumn(column, value.isNull !== undefined);
              column++;
            }
          }
          returnIfOver(b, shape, stateErrors, row);
        });
        b.return_(i32.const(0));
      });
      b.return_(i32.const(1));
    });
  });
}

function emitResult(
  b: CodeBuilder,
  result: { readonly outputArguments: Expr; readonly column: number; readonly row: Expr; readonly value: Value },
): void {
  const offset = result.column === 0 ? 0 : outputArgumentsBytes(result.column);
  const { value } = result;
  const target = {
    values: b.temp(i32.load(result.outputArguments, offset)),
    nulls: value.isNull === undefined ? undefined : b.temp(i32.load(result.outputArguments, offset + 4)),
  };
  emitStoreValue(b, target, result.row, value);
}
