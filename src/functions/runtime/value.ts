/**
 * A SQL value inside a kernel: the expressions that hold its parts.
 */
import type { Expr, ValueType } from "../../codegen/ir.ts";
import { type PhysicalType, physicalType, type Type } from "../../types/type.ts";

/**
 * Parts by physical type: bytes [address, length] (i32); i128 [lo, hi] (i64); i64 one i64; boolean and i8 to i32 one i32; f32; f64. Parts
 * are cheap to use more than once (locals or constants). Under a NULL they are unspecified but readable (bytes: length 0, address within
 * the memory).
 */
export interface Value {
  readonly type: Type;
  readonly parts: readonly Expr[];
  /** i32 0 or 1; undefined if the value is never NULL. */
  readonly isNull: Expr | undefined;
  /** Bits of two's complement that hold an integer or the unscaled value of a decimal, also under a NULL. Absent if not known. */
  readonly bits?: number | undefined;
}

/** A value that is not NULL. */
export function valueOf(type: Type, ...parts: readonly Expr[]): Value {
  return { type, parts, isNull: undefined };
}

/** A value that is not NULL and fits in `bits` bits. */
export function boundedValueOf(type: Type, bits: number, ...parts: readonly Expr[]): Value {
  return { type, parts, isNull: undefined, bits };
}

const partTypesOf: Readonly<Record<PhysicalType, readonly ValueType[]>> = Object.freeze({
  i8: ["i32"],
  i16: ["i32"],
  i32: ["i32"],
  i64: ["i64"],
  i128: ["i64", "i64"],
  f32: ["f32"],
  f64: ["f64"],
  bytes: ["i32", "i32"],
});

export function partTypes(type: Type): readonly ValueType[] {
  return partTypesOf[physicalType(type)];
}

export function part(value: Value, index: number): Expr {
  const expr = value.parts[index];
  if (expr === undefined) {
    throw new Error(`a ${value.type.kind} has no part ${index}`);
  }
  return expr;
}
