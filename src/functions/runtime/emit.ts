/**
 * Interface between a function's kernel code and the kernel that it is emitted into. The expression compiler and the operators that run
 * aggregates implement it.
 */
import type { CodeBuilder } from "../../codegen/builder.ts";
import type { Expr } from "../../codegen/ir.ts";
import type { Type } from "../../types/type.ts";
import type { KernelError } from "./errors.ts";
import type { Value } from "./value.ts";

export interface EmitContext {
  readonly b: CodeBuilder;
  /** Leaves the evaluation with an error; emit it under an `if_`. Operands (at most six) are i32, i64, f32 or f64. */
  raise(error: KernelError, ...operands: readonly Expr[]): void;
  /** Leaves the evaluation with the error that a host function wrote into the error block. */
  raiseWritten(): void;
  /** Address of `bytes` newly allocated bytes with the lifetime of the kernel's results (for aggregates: of their state). */
  allocate(bytes: Expr): Expr;
  /** i32 address of the error block; a host call puts its arguments behind it. */
  readonly errorBlock: Expr;
  /** i32 address of the control block of the arena behind `allocate`. */
  readonly arena: Expr;
}

/**
 * Kernel code of a scalar function. Arguments are not NULL unless the definition declares that NULLs are seen. `callHost` calls the
 * definition's host implementation, for code that handles only the common case.
 */
export type EmitScalar = (context: EmitContext, args: readonly Value[], returnType: Type, callHost?: () => Value) => Value;
