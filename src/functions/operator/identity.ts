/**
 * Encodes values as plain keys that are equal only if the values are indistinguishable. SQL equality is coarser: -0.0 equals 0.0, and
 * timestamps of different zones are equal if their instants are. It also treats NaN as unequal to NaN. A correlated subquery can observe
 * these differences, so its domain of outer values (analyzer/subquery/outer-domain.ts) is keyed by the bits.
 */
import { f32, f64, i32, i64, select } from "../../codegen/builder.ts";
import { assert } from "../../protocol/errors.ts";
import { BIGINT, decimalPrecisionMax, decimalType, INTEGER, physicalType, type Type, VARBINARY } from "../../types/type.ts";
import type { EmitScalar } from "../runtime/emit.ts";
import type { ResolvedStructure } from "../registry/resolution.ts";
import { part, type Value, valueOf } from "../runtime/value.ts";

/** $identity(value): the key of the value, of type identityType. */
export const identityName = "$identity";
/** $restore(key, NULL of the value's type): the value. */
export const restoreName = "$restore";

const canonicalNan = 0x7ff8000000000000n;
const canonicalRealNan = 0x7fc00000;
const allBits: Type = Object.freeze(decimalType(decimalPrecisionMax, 0));

/** Returns the type itself if equal values are identical and cheap to compare. */
export function identityType(type: Type): Type {
  switch (type.kind) {
    case "boolean":
    case "tinyint":
    case "smallint":
    case "integer":
    case "bigint":
    case "decimal":
    case "date":
    case "timestamp":
    case "varchar":
    case "char":
    case "varbinary":
      return type;
    default:
      return keyTypes[physicalType(type)];
  }
}

const keyTypes: Readonly<Record<ReturnType<typeof physicalType>, Type>> = Object.freeze({
  i8: INTEGER,
  i16: INTEGER,
  i32: INTEGER,
  i64: BIGINT,
  f32: INTEGER,
  f64: BIGINT,
  i128: allBits,
  bytes: VARBINARY,
});

const emitIdentity: EmitScalar = ({ b }, args, type) => {
  const [value] = args as readonly [Value];
  const bits = part(value, 0);
  switch (physicalType(value.type)) {
    case "f32":
      return valueOf(type, b.temp(select(f32.eq(bits, bits), i32.reinterpretF32(bits), i32.const(canonicalRealNan))));
    case "f64":
      return valueOf(type, b.temp(select(f64.eq(bits, bits), i64.reinterpretF64(bits), i64.const(canonicalNan))));
    default:
      return { ...value, type };
  }
};

const emitRestore: EmitScalar = ({ b }, args, type) => {
  const [key] = args as readonly [Value, Value];
  switch (physicalType(type)) {
    case "f32":
      return { ...key, type, parts: [b.temp(f32.reinterpretI32(part(key, 0)))] };
    case "f64":
      return { ...key, type, parts: [b.temp(f64.reinterpretI64(part(key, 0)))] };
    default:
      return { ...key, type };
  }
};

export function resolveIdentity(name: string, types: readonly Type[]): ResolvedStructure | undefined {
  const [first, second] = types;
  if (name === identityName && first !== undefined) {
    return { argTypes: types, returnType: identityType(first), definition: { emit: emitIdentity, total: true } };
  }
  if (name !== restoreName) {
    return undefined;
  }
  assert(second !== undefined, "a key is restored to a type");
  return { argTypes: types, returnType: second, definition: { nulls: "seen", emit: emitRestore } };
}
