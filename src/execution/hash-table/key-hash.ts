/**
 * The hash of a row's keys, the same in all tables and filters of a task.
 */
import { emitCombineHash, emitHash } from "../../functions/runtime/operations.ts";
import type { Value } from "../../functions/runtime/value.ts";
import { type CodeBuilder, i64 } from "../../codegen/builder.ts";
import type { Expr } from "../../codegen/ir.ts";

/** Hash of one or more keys, in order. */
export function emitKeyHash(b: CodeBuilder, values: readonly Value[]): Expr {
  let hash: Expr | undefined;
  for (const value of values) {
    const own = b.temp(emitHash(b, value));
    hash = hash === undefined ? own : b.temp(emitCombineHash(b, hash, own));
  }
  return hash ?? i64.const(0n);
}
