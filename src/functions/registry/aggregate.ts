/**
 * Contract of an aggregate function: a fixed-size state in linear memory and kernel code over it. The function registry supplies
 * implementations; the aggregation operators emit their code inside their own kernels.
 */
import type { Expr } from "../../codegen/ir.ts";
import type { KernelRuntime } from "../../codegen/runtime.ts";
import type { Type } from "../../types/type.ts";
import type { EmitContext } from "../runtime/emit.ts";
import type { Value } from "../runtime/value.ts";

/**
 * All `emit*` take the address of one state (i32, cheap to repeat). A zeroed state is the state of an empty group unless `emitInit` is
 * given. `context.allocate` returns memory with the lifetime of the states (for example the strings of min and max).
 */
export interface AggregateImplementation {
  readonly stateBytes: number;
  readonly stateAlignment: 8 | 16;
  /** Types of the columns that a PARTIAL step produces and a FINAL step consumes. */
  readonly intermediateTypes: readonly Type[];
  /** False: the operator skips rows with a NULL argument. True: emitAdd sees them. */
  readonly wantsNulls: boolean;
  /** Implementations with the same key and the same arguments keep the same state, so the operator keeps one state for all of them. */
  readonly stateKey?: string;
  /**
   * Offset of an i64 that every emitAdd increments. emitAddUncounted leaves the increment to the operator, which adds once for many rows.
   */
  readonly countOffset?: number;
  emitAddUncounted?(context: EmitContext, state: Expr, args: readonly Value[]): void;
  /** Registers the host functions that the code calls. Must run before a kernel with this code is loaded; idempotent. */
  registerHosts?(runtime: KernelRuntime): void;
  emitInit?(context: EmitContext, state: Expr): void;
  emitAdd(context: EmitContext, state: Expr, args: readonly Value[]): void;
  /** `intermediates` as produced by emitIntermediate; they may be NULL. */
  emitMerge(context: EmitContext, state: Expr, intermediates: readonly Value[]): void;
  emitIntermediate(context: EmitContext, state: Expr): readonly Value[];
  emitFinal(context: EmitContext, state: Expr): Value;
  /** Absent if the intermediate values give the same state again. */
  readonly spilled?: SpilledState;
}

/** A state as values from which the very same state can be made again: what is added to it later has the same effect. */
export interface SpilledState {
  readonly types: readonly Type[];
  emitWrite(context: EmitContext, state: Expr): readonly Value[];
  /** `state` is that of an empty group. The values are not NULL. */
  emitRead(context: EmitContext, state: Expr, values: readonly Value[]): void;
}

export interface ResolvedAggregate {
  readonly name: string;
  /** Types after coercion; a plan casts the arguments to exactly these. */
  readonly argTypes: readonly Type[];
  readonly returnType: Type;
  readonly intermediateTypes: readonly Type[];
  readonly deterministic: boolean;
  readonly implementation: AggregateImplementation;
}
