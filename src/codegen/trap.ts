/**
 * The error that ends a kernel's run from inside, the same in both backends.
 */

export type KernelTrapKind = "MEMORY_OUT_OF_BOUNDS" | "DIVIDE_BY_ZERO" | "INTEGER_OVERFLOW" | "UNREACHABLE" | "STACK_OVERFLOW" | "OTHER";

/** A bug in kernel code: operators guard divisions and bounds, and never use a trap to raise a SQL error. */
export class KernelTrap extends Error {
  override readonly name = "KernelTrap";
  constructor(
    readonly kernel: string,
    readonly kind: KernelTrapKind,
    detail: string = kind,
  ) {
    super(`kernel ${kernel} trapped: ${detail}`);
  }
}
