/**
 * What ends a kernel's run from inside: the same error from both backends.
 */

export type KernelTrapKind = "MEMORY_OUT_OF_BOUNDS" | "DIVIDE_BY_ZERO" | "INTEGER_OVERFLOW" | "UNREACHABLE" | "STACK_OVERFLOW" | "OTHER";

/** A bug of whoever wrote the kernel: operators guard divisions and bounds and never let a trap stand for an SQL error. */
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
