/**
 * What the kernel code of a function sees of the kernel it is emitted into. Implemented by the compile room (expression.ts) and by operators that run
 * aggregates.
 */
import type { CodeBuilder } from "../../codegen/builder.ts";
import type { Expr } from "../../codegen/ir.ts";
import type { Type } from "../../types/type.ts";
import type { KernelError } from "./errors.ts";
import type { Value } from "./value.ts";

export interface EmitContext {
  readonly b: CodeBuilder;
  /** Leaves the evaluation with an error; put it under an `if_`. Operands (at most six) are i32, i64, f32 or f64. */
  raise(error: KernelError, ...operands: readonly Expr[]): void;
  /** Leaves the evaluation with the error that a host function wrote into the error block. */
  raiseWritten(): void;
  /** Address of `bytes` fresh bytes that live as long as this kernel's results (aggregates: as long as their state). */
  allocate(bytes: Expr): Expr;
  /** i32: address of the error block, behind which a host call puts its arguments. */
  readonly errorBlock: Expr;
  /** i32: control block of the arena behind `allocate`. */
  readonly arena: Expr;
}

/**
 * Kernel code of a scalar function. Arguments are not null unless the function asked for nulls. `callHost` calls the definition's host meaning, for
 * code that handles the common case only.
 */
export type EmitScalar = (context: EmitContext, args: readonly Value[], returnType: Type, callHost?: () => Value) => Value;
