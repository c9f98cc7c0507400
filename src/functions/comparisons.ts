/**
 * Kernel code of comparison operators and NOT.
 */
import { i32 } from "../kernel/builder.ts";
import { BOOLEAN } from "../types/type.ts";
import type { EmitScalar } from "./emit.ts";
import { emitComparison, emitEquals, emitNotDistinct } from "./operations.ts";
import type { ComparisonName } from "./operators.ts";
import { part, type Value, valueOf } from "./value.ts";

export const notEmitter: EmitScalar = (_context, args) => valueOf(BOOLEAN, i32.eqz(part(args[0] as Value, 0)));

export function comparisonEmitter(name: ComparisonName): EmitScalar {
  return ({ b }, args) => {
    const [left, right] = args as readonly [Value, Value];
    switch (name) {
      case "$eq":
        return valueOf(BOOLEAN, emitEquals(b, left, right));
      case "$ne":
        return valueOf(BOOLEAN, i32.eqz(emitEquals(b, left, right)));
      case "$lt":
        return valueOf(BOOLEAN, emitComparison(b, "lt", left, right));
      case "$le":
        return valueOf(BOOLEAN, emitComparison(b, "le", left, right));
      case "$gt":
        return valueOf(BOOLEAN, emitComparison(b, "gt", left, right));
      case "$ge":
        return valueOf(BOOLEAN, emitComparison(b, "ge", left, right));
    }
  };
}

/** IS DISTINCT FROM; sees nulls and is never null. */
export const distinctEmitter: EmitScalar = ({ b }, args) =>
  valueOf(BOOLEAN, i32.eqz(emitNotDistinct(b, args[0] as Value, args[1] as Value)));
