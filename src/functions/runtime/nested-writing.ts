/**
 * Writes arrays in kernels, in the encoding of types/nested/nested.ts, for aggregates that return many values.
 */
import { i32 } from "../../codegen/builder.ts";
import type { Expr } from "../../codegen/ir.ts";
import { elementWidth, nestedCountBytes } from "../../types/nested/nested.ts";
import { arrayType, physicalType, type Type } from "../../types/type.ts";
import { valueBytesMax } from "../../types/value-size.ts";
import type { EmitContext } from "./emit.ts";
import { storeParts } from "./memory-values.ts";
import { part, type Value } from "./value.ts";

const none = i32.const(0);

/** Checked after each addition, so that the sum cannot wrap around: one long text may occur many times in a value. */
export function emitRequireValueBytes(context: EmitContext, bytes: Expr): void {
  context.b.if_(i32.gtU(bytes, i32.const(valueBytesMax)), () => context.raise("VALUE_TOO_LARGE"));
}

/**
 * Emits an array of `count` (i32) elements. `valueAt` emits each element, twice for variable-width elements. NULLs are zeros, so equal
 * arrays have equal bytes.
 */
export function emitArrayOf(context: EmitContext, element: Type, count: Expr, valueAt: (index: Expr) => Value): Value {
  const { b } = context;
  const isBytes = physicalType(element) === "bytes";
  const width = elementWidth(element);
  const total = b.local("i32", none);
  const lengthOf = (value: Value): Expr => {
    const length = b.local("i32", part(value, 1));
    b.if_(value.isNull ?? none, () => b.set(length, none));
    return length;
  };
  if (isBytes) {
    b.forRange(none, count, (index) => {
      b.set(total, i32.add(total, lengthOf(valueAt(index))));
      emitRequireValueBytes(context, total);
    });
  }
  const dataStart = b.temp(i32.add(i32.const(nestedCountBytes), i32.mul(count, i32.const(width + 1))));
  const length = b.temp(i32.add(dataStart, total));
  const array = b.temp(context.allocate(length));
  b.store("i32.store", array, count);
  const nulls = b.temp(i32.add(array, i32.const(nestedCountBytes)));
  const fixed = b.local("i32", i32.add(nulls, count));
  const end = b.local("i32", none);
  b.forRange(none, count, (index) => {
    const value = valueAt(index);
    const isNull = b.temp(value.isNull ?? none);
    b.store("i32.store8", i32.add(nulls, index), isNull);
    if (isBytes) {
      const bytes = lengthOf(value);
      b.if_(bytes, () => b.copyBytes(i32.add(i32.add(array, dataStart), end), part(value, 0), bytes));
      b.set(end, i32.add(end, bytes));
      b.store("i32.store", fixed, end);
    } else {
      b.if_(
        isNull,
        () => b.fillBytes(fixed, none, i32.const(width)),
        () => storeParts(b, element, fixed, value.parts),
      );
    }
    b.set(fixed, i32.add(fixed, i32.const(width)));
  });
  return { type: arrayType(element), parts: [array, length], isNull: undefined };
}
