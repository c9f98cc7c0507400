/**
 * What an aggregate function is: a state of fixed size in linear memory and kernel code over it. The catalogue gives them, the aggregation operators run
 * them inside their own kernels.
 */
import type { Expr } from "../../codegen/ir.ts";
import type { KernelRuntime } from "../../codegen/runtime.ts";
import type { Type } from "../../types/type.ts";
import type { EmitContext } from "../runtime/emit.ts";
import type { Value } from "../runtime/value.ts";

/**
 * All `emit*` take the address of one state (i32, cheap to repeat). A state of zeros is the state of no rows, unless `emitInit` is there.
 * `context.allocate` gives memory that lives as long as the states (strings of min and max).
 */
export interface AggregateImplementation {
  readonly stateBytes: number;
  readonly stateAlignment: 8 | 16;
  /** Types of the columns that a PARTIAL step gives and a FINAL step takes. */
  readonly intermediateTypes: readonly Type[];
  /** False: rows with a NULL argument are left out by the caller. True: emitAdd sees them. */
  readonly wantsNulls: boolean;
  /** Implementations with the same key keep the same state of the same arguments: one does for all of them. */
  readonly stateKey?: string;
  /** Where an i64 lies to which every emitAdd adds one; emitAddUncounted leaves that to the caller, who does it for many rows at once. */
  readonly countOffset?: number;
  emitAddUncounted?(context: EmitContext, state: Expr, args: readonly Value[]): void;
  /** Before a kernel with this code is loaded: makes the functions in TypeScript known that the code calls. Again is fine. */
  registerHosts?(runtime: KernelRuntime): void;
  emitInit?(context: EmitContext, state: Expr): void;
  emitAdd(context: EmitContext, state: Expr, args: readonly Value[]): void;
  /** `intermediates` as emitIntermediate gave them; nulls possible. */
  emitMerge(context: EmitContext, state: Expr, intermediates: readonly Value[]): void;
  emitIntermediate(context: EmitContext, state: Expr): readonly Value[];
  emitFinal(context: EmitContext, state: Expr): Value;
}

export interface ResolvedAggregate {
  readonly name: string;
  /** After coercion; a plan casts its arguments to exactly these. */
  readonly argTypes: readonly Type[];
  readonly returnType: Type;
  readonly intermediateTypes: readonly Type[];
  readonly deterministic: boolean;
  readonly implementation: AggregateImplementation;
}
