/**
 * Allocation from an arena (memory/arena.ts) in kernel code: bumps the cursor inline and calls the host only for a new chunk.
 */
import { arenaAlignmentBytes, arenaCursorOffset, arenaLimitOffset } from "../memory/arena.ts";
import { type CodeBuilder, i32, type Local, type Signature } from "./builder.ts";
import type { Expr } from "./ir.ts";

export const arenaGrowName = "arena.grow";
/** (control block, bytes) -> address. */
export const arenaGrowSignature: Signature = Object.freeze({ params: ["i32", "i32"] as const, result: "i32" });

/** Address of `bytes` bytes (below 2^31), 8-byte aligned. `controlBlock` is `Arena.controlBlock`, a parameter of the kernel. */
export function emitArenaAllocate(b: CodeBuilder, controlBlock: Expr, bytes: Expr): Local {
  const control = b.temp(controlBlock);
  const size = b.temp(i32.and(i32.add(bytes, i32.const(arenaAlignmentBytes - 1)), i32.const(-arenaAlignmentBytes)));
  const address = b.local("i32", i32.load(control, arenaCursorOffset));
  b.if_(
    i32.ltU(i32.sub(i32.load(control, arenaLimitOffset), address), size),
    () => b.set(address, b.call(b.kernel.host(arenaGrowName, arenaGrowSignature), control, size)),
    () => b.store("i32.store", control, i32.add(address, size), arenaCursorOffset),
  );
  return address;
}
