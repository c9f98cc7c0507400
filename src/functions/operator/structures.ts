/**
 * Constructors and accessors of arrays and rows: ARRAY[...], ROW(...), subscripts, field access. Their names start with `$`, because only
 * syntax resolves to them. Signatures are computed for each call, since no pattern covers a row type of any width.
 */
import { i32, i64 } from "../../codegen/builder.ts";
import type { Expr } from "../../codegen/ir.ts";
import { elementWidth, rowLayout } from "../../types/nested/nested.ts";
import { arrayType, physicalType, tupleType, type Type, UNKNOWN } from "../../types/type.ts";
import { commonSuperType } from "../registry/coercion.ts";
import type { ScalarDefinition } from "../registry/definition.ts";
import type { EmitScalar } from "../runtime/emit.ts";
import { identityName, resolveIdentity, restoreName } from "./identity.ts";
import { storeParts } from "../runtime/memory-values.ts";
import { castRowDefinition, castRowName } from "../cast/nested-casts.ts";
import { emitElement, emitField, openArray } from "../runtime/nested-kernels.ts";
import { emitRequireValueBytes } from "../runtime/nested-writing.ts";
import type { ResolvedStructure } from "../registry/resolution.ts";
import { part, type Value } from "../runtime/value.ts";

export const arrayName = "$array";
export const rowName = "$row";
export const subscriptName = "$subscript";
/** Maximum number of arguments of one `$array` call; longer arrays are concatenated from several calls. */
export const arrayArgumentsMax = 100;
export const rowFieldsMax = 1000;

export function fieldName(index: number): string {
  return `$field${index}`;
}

/** Resolves the functions whose types no pattern can express; undefined for other names and for unsupported argument types. */
export function resolveStructure(name: string, types: readonly Type[]): ResolvedStructure | undefined {
  if (name === arrayName) {
    const element = types.reduce<Type | undefined>(
      (common, type) => (common === undefined ? undefined : commonSuperType(common, type)),
      UNKNOWN,
    );
    return element === undefined
      ? undefined
      : { argTypes: types.map(() => element), returnType: arrayType(element), definition: { nulls: "seen", host: (args) => args } };
  }
  if (name === rowName) {
    return { argTypes: types, returnType: tupleType(types), definition: { nulls: "seen", emit: emitRow } };
  }
  const [row] = types;
  if (row?.kind !== "row" || name === identityName || name === restoreName) {
    return resolveIdentity(name, types);
  }
  if (name === castRowName) {
    return { argTypes: types, returnType: row, definition: castRowDefinition };
  }
  const index = Number(/^\$field(\d+)$/.exec(name)?.[1] ?? -1);
  const field = row.fields[index];
  return field === undefined ? undefined : { argTypes: types, returnType: field.type, definition: fieldDefinition(row.fields, index) };
}

/** Encodes the fields in the layout of types/nested/nested.ts. */
const emitRow: EmitScalar = (context, args, type) => {
  const { b } = context;
  const { offsets, tail } = rowLayout(args.map((arg) => arg.type));
  const isBytes = (arg: Value): boolean => physicalType(arg.type) === "bytes";
  const lengths = args.map((arg) => {
    if (!isBytes(arg)) {
      return i32.const(0);
    }
    const length = b.local("i32", part(arg, 1));
    if (arg.isNull !== undefined) {
      b.if_(arg.isNull, () => b.set(length, i32.const(0)));
    }
    return length;
  });
  const bytes = b.local("i32", i32.const(tail));
  lengths.forEach((length, index) => {
    if (!isBytes(args[index] as Value)) {
      return;
    }
    b.set(bytes, i32.add(bytes, length));
    emitRequireValueBytes(context, bytes);
  });
  const address = b.temp(context.allocate(bytes));
  const end = b.local("i32", i32.const(0));
  for (const [index, arg] of args.entries()) {
    const offset = offsets[index] as number;
    b.store("i32.store8", address, arg.isNull ?? i32.const(0), index);
    if (isBytes(arg)) {
      const length = lengths[index] as Expr;
      b.if_(length, () => b.copyBytes(i32.add(i32.add(address, i32.const(tail)), end), part(arg, 0), length));
      b.set(end, i32.add(end, length));
      b.store("i32.store", address, end, offset);
    } else if (arg.isNull === undefined) {
      storeParts(b, arg.type, address, arg.parts, offset);
    } else {
      const zero = (): void => b.fillBytes(i32.add(address, i32.const(offset)), i32.const(0), i32.const(elementWidth(arg.type)));
      b.if_(arg.isNull, zero, () => storeParts(b, arg.type, address, arg.parts, offset));
    }
  }
  return { type, parts: [address, bytes], isNull: undefined };
};

function fieldDefinition(fields: readonly { readonly type: Type }[], index: number): ResolvedStructure["definition"] {
  const types = fields.map(({ type }) => type);
  return { givesNull: true, emit: ({ b }, [row]) => emitField(b, types, part(row as Value, 0), index) };
}

export const structureDefinitions: readonly ScalarDefinition[] = [
  {
    name: subscriptName,
    args: ["array(T)", "bigint"],
    returns: "T",
    givesNull: true,
    description: "Element of the array at the index, from 1",
    emit: (context, [given, at]) => {
      const { b } = context;
      const { type } = given as Value;
      const array = openArray(b, type.kind === "array" ? type.element : UNKNOWN, part(given as Value, 0));
      const index = b.temp(part(at as Value, 0));
      b.if_(i64.eqz(index), () => context.raise("SUBSCRIPT_ZERO"));
      b.if_(i64.ltS(index, i64.const(0n)), () => context.raise("SUBSCRIPT_NEGATIVE", index));
      const count = b.temp(i64.extendI32U(array.count));
      b.if_(i64.gtS(index, count), () => context.raise("SUBSCRIPT_BEYOND", index, count));
      return emitElement(b, array, b.temp(i32.sub(i32.wrapI64(index), i32.const(1))));
    },
  },
];
