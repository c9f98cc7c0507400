/**
 * Expressions inside the kernels of operators (aggregation arguments, join filters): their constants, their error block and the arenas of
 * their strings.
 */
import { ExpressionContext } from "../expressions/expression-compiler.ts";
import { drawsIn, type PreparedExpressions, prepareExpressions, worksLong, writeConstants } from "../expressions/prepare.ts";
import { registerExpressionHosts } from "../expressions/register-hosts.ts";
import { SlicedWork } from "../expressions/sliced-work.ts";
import {
  clearError,
  drawStateOffset,
  errorBlockBytes,
  raiseKernelError,
  rowPositionOffset,
  sliceOverOffset,
} from "../../functions/runtime/errors.ts";
import { type CodeBuilder, i32s } from "../../codegen/builder.ts";
import type { Expr } from "../../codegen/ir.ts";
import type { KernelRuntime } from "../../codegen/runtime.ts";
import { type Arena, arenaCursorOffset } from "../../memory/arena.ts";
import type { MemoryContext, Address } from "../../memory/memory.ts";
import type { RowExpression, Variable } from "../../planner/plan/typed-expression.ts";

const noExpressions: PreparedExpressions = Object.freeze({
  expressions: [],
  constants: [],
  key: "",
  keys: new Map(),
  lists: new Map(),
  lambdas: new Map(),
});

/** Parameters of a kernel that evaluates expressions: error block, arena, constants. */
export const contextParams = i32s(3);

export class KernelExpressions {
  readonly prepared: PreparedExpressions;
  /** Of the operator. */
  readonly memory: MemoryContext;
  readonly #runtime: KernelRuntime;
  readonly #memory: MemoryContext;
  readonly #errorBlock: Address;
  readonly #constants: Address;
  readonly #arena: Arena;
  /** Undefined if no function may run long. */
  readonly #sliced: SlicedWork | undefined;

  constructor(
    runtime: KernelRuntime,
    memory: MemoryContext,
    expressions: readonly RowExpression[],
    inputs: readonly Variable[],
    drawSeed: () => bigint = () => 0n,
  ) {
    this.prepared = expressions.length === 0 ? noExpressions : prepareExpressions(expressions, inputs);
    this.#runtime = runtime;
    this.memory = memory;
    this.#memory = memory.child("expressions");
    this.#errorBlock = this.#memory.allocateZeroed(errorBlockBytes);
    if (drawsIn(this.prepared)) {
      memory.linear.i64[(this.#errorBlock + drawStateOffset) >>> 3] = BigInt.asIntN(64, drawSeed());
    }
    const isLong = worksLong(this.prepared);
    this.#sliced = isLong ? new SlicedWork({ work: runtime.work, memory, errorBlock: this.#errorBlock }) : undefined;
    this.#constants = writeConstants(this.#memory, this.prepared.constants);
    this.#arena = runtime.arenas.create(this.#memory);
  }

  /** Bytes of strings and of what is fixed. */
  get reservedBytes(): number {
    return this.#memory.reservedBytes;
  }

  /** Call it before a kernel with the expressions is loaded. */
  ensureHosts(): void {
    registerExpressionHosts(this.#runtime, this.prepared);
  }

  /** Kernel arguments for `contextParams`. */
  get args(): readonly number[] {
    return [this.#errorBlock, this.#arena.controlBlock, this.#constants];
  }

  /** Call it at the start of a kernel, with the parameters that receive `args`. */
  open(b: CodeBuilder, [errorBlock, arena, constants]: readonly [Expr, Expr, Expr]): ExpressionContext {
    return new ExpressionContext(b, this.prepared, { errorBlock, arena, constants });
  }

  /** Call it before a kernel runs over a page. It releases the strings computed for the last page. */
  begin(): void {
    this.#arena.reset();
    clearError(this.#memory.linear, this.#errorBlock);
  }

  /** Frees the memory of all strings computed before. */
  clear(): void {
    this.#arena.clear();
  }

  /** Place to which `release` goes back. */
  get mark(): Address {
    return this.#memory.linear.u32[(this.#arena.controlBlock + arenaCursorOffset) >>> 2] as number;
  }

  /** Releases the strings computed since `mark`. */
  release(mark: Address): void {
    this.#arena.rewind(mark);
  }

  /** Position of the next row, of a kernel that returns between rows when the slice is over. */
  get position(): number {
    return this.#memory.linear.u32[(this.#errorBlock + rowPositionOffset) >>> 2] as number;
  }

  /** Call it before each slice of such a kernel. */
  beginSlice(position: number): void {
    const { u32 } = this.#memory.linear;
    u32[(this.#errorBlock + rowPositionOffset) >>> 2] = position;
    u32[(this.#errorBlock + sliceOverOffset) >>> 2] = 0;
  }

  /** Throws the error of a kernel that has reported one. */
  raise(): never {
    raiseKernelError(this.#memory.linear, this.#errorBlock);
  }

  /** Throws the error in the error block, if there is one. */
  check(): void {
    if ((this.#memory.linear.u32[this.#errorBlock >>> 2] as number) !== 0) {
      this.raise();
    }
  }

  /** `attempt` runs a kernel that changes nothing before its end. Returns undefined if a function ran long: the caller repeats the call. */
  inSlices<T>(attempt: () => T): T | undefined {
    return this.#sliced === undefined ? attempt() : this.#sliced.run(attempt);
  }

  /** Work steps of functions that may run long, since the last call. */
  takeWorkSteps(): number {
    return this.#sliced?.takeSteps() ?? 0;
  }

  close(): void {
    this.#arena.close();
    this.#memory.close();
  }
}
