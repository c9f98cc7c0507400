/**
 * Kernel code of the comparison operators and NOT.
 */
import { i32 } from "../../codegen/builder.ts";
import { BOOLEAN } from "../../types/type.ts";
import type { EmitScalar } from "../runtime/emit.ts";
import {
  emitComparison,
  emitEquals,
  emitNotDistinct,
  emitStrictCompare,
  emitThreeValuedEquals,
  nestedUnknown,
} from "../runtime/operations.ts";
import type { ComparisonName } from "./operator-names.ts";
import { part, type Value, valueOf } from "../runtime/value.ts";

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

/** Equality of arrays, maps and rows: NULL if a NULL inside leaves the answer open. */
export function nestedEqualityEmitter(name: "$eq" | "$ne"): EmitScalar {
  return ({ b }, args) => {
    const [left, right] = args as readonly [Value, Value];
    const equal = b.temp(emitThreeValuedEquals(b, left, right));
    const answer = i32.eq(equal, i32.const(name === "$eq" ? 1 : 0));
    return { type: BOOLEAN, parts: [b.temp(answer)], isNull: b.temp(i32.eq(equal, i32.const(nestedUnknown))) };
  };
}

/** Order of arrays and rows: an error if a NULL inside would decide the comparison. */
export function nestedOrderEmitter(name: "$lt" | "$le" | "$gt" | "$ge"): EmitScalar {
  return (context, args) => {
    const { b } = context;
    const [left, right] = args as readonly [Value, Value];
    const order = b.temp(emitStrictCompare(b, left, right));
    b.if_(i32.eq(order, i32.const(nestedUnknown)), () => context.raise(left.type.kind === "row" ? "ROW_NULL_FIELD" : "ARRAY_NULL_ELEMENT"));
    const holds = { $lt: i32.ltS, $le: i32.leS, $gt: i32.gtS, $ge: i32.geS }[name];
    return valueOf(BOOLEAN, holds(order, i32.const(0)));
  };
}

/** IS DISTINCT FROM: accepts NULLs and never returns NULL. */
export const distinctEmitter: EmitScalar = ({ b }, args) =>
  valueOf(BOOLEAN, i32.eqz(emitNotDistinct(b, args[0] as Value, args[1] as Value)));
