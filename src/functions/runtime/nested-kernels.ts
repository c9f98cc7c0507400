/** Kernel code that reads encoded arrays, maps and rows (types/nested/nested.ts). */
import { type CodeBuilder, i32 } from "../../codegen/builder.ts";
import type { Expr } from "../../codegen/ir.ts";
import { elementWidth, nestedCountBytes, type NestedType, rowLayout } from "../../types/nested/nested.ts";
import { innerTypes, physicalType, type Type } from "../../types/type.ts";
import { loadParts } from "./memory-values.ts";
import type { Value } from "./value.ts";

const count32 = i32.const(nestedCountBytes);

/** An array inside a kernel: the addresses of its sections. */
export interface NestedArray {
  readonly element: Type;
  readonly base: Expr;
  readonly count: Expr;
}

export function openArray(b: CodeBuilder, element: Type, address: Expr): NestedArray {
  const base = b.temp(address);
  return { element, base, count: b.temp(i32.load(base)) };
}

/** Element `index`, which must be within the array. */
export function emitElement(b: CodeBuilder, array: NestedArray, index: Expr): Value {
  const { element, base, count } = array;
  const isNull = b.temp(i32.load8u(i32.add(i32.add(base, count32), index)));
  const fixed = b.temp(i32.add(i32.add(base, count32), count));
  const at = b.temp(i32.add(fixed, i32.mul(index, i32.const(elementWidth(element)))));
  if (physicalType(element) !== "bytes") {
    return { type: element, parts: loadParts(b, element, at), isNull };
  }
  const start = b.local("i32", i32.const(0));
  b.if_(index, () => b.set(start, i32.load(i32.sub(at, count32))));
  const data = i32.add(fixed, i32.mul(count, count32));
  return { type: element, parts: [b.temp(i32.add(data, start)), b.temp(i32.sub(i32.load(at), start))], isNull };
}

/** Field `index` of the row at `address`. */
export function emitField(b: CodeBuilder, types: readonly Type[], address: Expr, index: number): Value {
  const { offsets, tail } = rowLayout(types);
  const type = types[index] as Type;
  const offset = offsets[index] as number;
  const isNull = b.temp(i32.load8u(address, index));
  if (physicalType(type) !== "bytes") {
    return { type, parts: loadParts(b, type, address, offset), isNull };
  }
  const before = types.findLastIndex((other, position) => position < index && physicalType(other) === "bytes");
  const start = before < 0 ? i32.const(0) : b.temp(i32.load(address, offsets[before] as number));
  const from = b.temp(i32.add(i32.add(address, i32.const(tail)), start));
  return { type, parts: [from, b.temp(i32.sub(i32.load(address, offset), start))], isNull };
}

/** A map inside a kernel: its arrays, and its entries sorted by key. */
export interface NestedMap {
  readonly keys: NestedArray;
  readonly values: NestedArray;
  readonly count: Expr;
  /** Number of the entry at position `index` in key order. */
  entry(index: Expr): Expr;
}

export function openMap(b: CodeBuilder, key: Type, value: Type, address: Expr): NestedMap {
  const base = b.temp(address);
  const count = b.temp(i32.load(base));
  const lengthAt = b.temp(i32.add(i32.add(base, count32), i32.mul(count, count32)));
  const keys = b.temp(i32.add(lengthAt, count32));
  return {
    keys: { element: key, base: keys, count },
    values: { element: value, base: b.temp(i32.add(keys, i32.load(lengthAt))), count },
    count,
    entry: (index) => b.temp(i32.load(i32.add(i32.add(base, count32), i32.mul(index, count32)))),
  };
}

/**
 * Walks both values element by element as long as they are of one length; `visit` may return from the function. `lengths` runs last,
 * with both lengths.
 */
export function walkPairs(
  b: CodeBuilder,
  type: NestedType,
  [left, right]: readonly [Expr, Expr],
  { visit, lengths }: { visit(p: Value, q: Value): void; lengths(p: Expr, q: Expr): void },
): void {
  switch (type.kind) {
    case "row": {
      const types = innerTypes(type);
      types.forEach((_type, index) => visit(emitField(b, types, left, index), emitField(b, types, right, index)));
      return lengths(i32.const(0), i32.const(0));
    }
    case "array": {
      const [p, q] = [openArray(b, type.element, left), openArray(b, type.element, right)];
      const shared = emitMinimum(b, p.count, q.count);
      b.forRange(i32.const(0), shared, (index) => visit(emitElement(b, p, index), emitElement(b, q, index)));
      return lengths(p.count, q.count);
    }
    case "map": {
      const [p, q] = [openMap(b, type.key, type.value, left), openMap(b, type.key, type.value, right)];
      const shared = emitMinimum(b, p.count, q.count);
      b.forRange(i32.const(0), shared, (index) => {
        const [mine, other] = [p.entry(index), q.entry(index)];
        visit({ ...emitElement(b, p.keys, mine), isNull: undefined }, { ...emitElement(b, q.keys, other), isNull: undefined });
        visit(emitElement(b, p.values, mine), emitElement(b, q.values, other));
      });
      return lengths(p.count, q.count);
    }
  }
}

function emitMinimum(b: CodeBuilder, p: Expr, q: Expr): Expr {
  const shared = b.local("i32", p);
  b.if_(i32.ltU(q, p), () => b.set(shared, q));
  return shared;
}
