/**
 * Kernel code over encoded arrays, maps and rows (types/nested/nested.ts): elements, equality, order and hashes, as kernel functions by the shape of the type. Called by
 * operations.ts, which knows them for what bytes they are, and by functions that look into them.
 */
import { type CodeBuilder, type FunctionRef, i32, i64, type KernelBuilder, type Local } from "../../codegen/builder.ts";
import type { Expr } from "../../codegen/ir.ts";
import { hashBytes, memEquals } from "../../codegen/library.ts";
import type { NanOrder } from "../../types/nested/nested-order.ts";
import { elementWidth, nestedCountBytes, type NestedType, rowLayout } from "../../types/nested/nested.ts";
import { innerTypes, isLongMoment, isNested, physicalType, type Type } from "../../types/type.ts";
import { loadParts } from "./memory-values.ts";
import { emitCombineHash, emitCompare, emitEquals, emitHash, emitNotDistinct } from "./operations.ts";
import type { Value } from "./value.ts";

/** Results of three-valued equality, and of an order that meets a NULL. */
export const nestedUnknown = 2;

/** Names no user has written: of types only what their kernel code depends on counts, such as the width of a decimal. */
function shapeOf(type: Type): string {
  const inner = innerTypes(type);
  return inner.length === 0
    ? `${type.kind} ${physicalType(type)}${isLongMoment(type) ? "+" : ""}`
    : `${type.kind}(${inner.map(shapeOf).join()})`;
}

/** Whether values are not distinct exactly when their bytes are the same. */
function bytesDecide(type: Type): boolean {
  switch (type.kind) {
    case "real":
    case "double":
    case "map":
    case "time with time zone":
    case "timestamp with time zone":
      return false;
    default:
      return innerTypes(type).every(bytesDecide);
  }
}

const count32 = i32.const(nestedCountBytes);

/** An array inside a kernel: where its parts start. */
export interface NestedArray {
  readonly element: Type;
  readonly base: Expr;
  readonly count: Expr;
}

export function openArray(b: CodeBuilder, element: Type, address: Expr): NestedArray {
  const base = b.temp(address);
  return { element, base, count: b.temp(i32.load(base)) };
}

/** Element `index`, which is within the array. */
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

/** A map inside a kernel: its arrays, and its entries in the order of their keys. */
export interface NestedMap {
  readonly keys: NestedArray;
  readonly values: NestedArray;
  readonly count: Expr;
  /** The number of the entry that is at place `index` by key. */
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

const pairParams = ["i32", "i32", "i32", "i32"] as const;
type PairOf = readonly [Local, Local, Local, Local];

/** Walks both values element by element as long as they are of one length; `visit` may return from the function. `differ` runs where lengths are not. */
function walkPairs(
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

/** Arrays and maps of different lengths are different, whatever is in them. */
function returnWhereLengthsDiffer(b: CodeBuilder, type: NestedType, left: Expr, right: Expr): void {
  if (type.kind !== "row") {
    b.if_(i32.ne(i32.load(left), i32.load(right)), () => b.return_(i32.const(0)));
  }
}

/** (address, bytes, address, bytes) -> i32: SQL's equality, 0, 1 or nestedUnknown. */
function nestedEquals(k: KernelBuilder, type: NestedType): FunctionRef {
  return k.function_(`nested equals ${shapeOf(type)}`, { params: pairParams, result: "i32" }, (b, params) => {
    const [left, , right] = params as PairOf;
    returnWhereLengthsDiffer(b, type, left, right);
    const result = b.local("i32", i32.const(1));
    walkPairs(b, type, [left, right], {
      lengths: () => {},
      visit: (p, q) => {
        const equal = b.local("i32", i32.const(nestedUnknown));
        b.if_(i32.eqz(eitherNull(p, q)), () => b.set(equal, emitThreeValuedEquals(b, p, q)));
        b.if_(i32.eqz(equal), () => b.return_(i32.const(0)));
        b.if_(i32.eq(equal, i32.const(nestedUnknown)), () => b.set(result, i32.const(nestedUnknown)));
      },
    });
    b.return_(result);
  });
}

function eitherNull(p: Value, q: Value): Expr {
  return i32.or(p.isNull ?? i32.const(0), q.isNull ?? i32.const(0));
}

/** `=` of two values that are not null: 0, 1 or, when a NULL inside hides the answer, nestedUnknown. */
export function emitThreeValuedEquals(b: CodeBuilder, left: Value, right: Value): Expr {
  const { type } = left;
  if (!isNested(type)) {
    return emitEquals(b, left, right);
  }
  return b.temp(b.call(nestedEquals(b.kernel, type), ...left.parts, ...right.parts));
}

/** (address, bytes, address, bytes) -> i32 0 or 1: IS NOT DISTINCT FROM. */
function nestedIdentical(k: KernelBuilder, type: NestedType): FunctionRef {
  return k.function_(`nested identical ${shapeOf(type)}`, { params: pairParams, result: "i32" }, (b, params) => {
    const [left, leftBytes, right, rightBytes] = params as PairOf;
    if (bytesDecide(type)) {
      b.if_(i32.ne(leftBytes, rightBytes), () => b.return_(i32.const(0)));
      b.return_(b.call(memEquals(b.kernel), left, right, leftBytes));
      return;
    }
    returnWhereLengthsDiffer(b, type, left, right);
    walkPairs(b, type, [left, right], {
      lengths: () => {},
      visit: (p, q) => b.if_(i32.eqz(emitNotDistinct(b, p, q)), () => b.return_(i32.const(0))),
    });
    b.return_(i32.const(1));
  });
}

export function emitNestedIdentical(b: CodeBuilder, left: Value, right: Value): Expr {
  return b.temp(b.call(nestedIdentical(b.kernel, left.type as NestedType), ...left.parts, ...right.parts));
}

/** (address, bytes, address, bytes) -> i32 -1, 0 or 1: element by element, NULL last; the shorter before the longer. `strict`: nestedUnknown at a NULL. */
function nestedCompare(k: KernelBuilder, type: NestedType, strict: boolean, nanOrder: NanOrder): FunctionRef {
  const name = `nested compare ${strict ? "strictly " : ""}${nanOrder} ${shapeOf(type)}`;
  return k.function_(name, { params: pairParams, result: "i32" }, (b, params) => {
    const [left, , right] = params as PairOf;
    walkPairs(b, type, [left, right], {
      visit: (p, q) => {
        const order = b.local("i32", i32.const(0));
        const [pNull, qNull] = [p.isNull ?? i32.const(0), q.isNull ?? i32.const(0)];
        b.if_(
          i32.or(pNull, qNull),
          () => (strict ? b.return_(i32.const(nestedUnknown)) : b.set(order, i32.sub(pNull, qNull))),
          () => b.set(order, strict ? emitStrictCompare(b, p, q) : emitCompare(b, p, q, nanOrder)),
        );
        b.if_(order, () => b.return_(order));
      },
      lengths: (p, q) => b.return_(i32.sub(i32.gtU(p, q), i32.ltU(p, q))),
    });
    b.return_(i32.const(0));
  });
}

export function emitNestedCompare(b: CodeBuilder, left: Value, right: Value, nanOrder: NanOrder): Expr {
  return b.temp(b.call(nestedCompare(b.kernel, left.type as NestedType, false, nanOrder), ...left.parts, ...right.parts));
}

/** The order of `<` and its like: -1, 0, 1, or nestedUnknown where a NULL inside is met. */
export function emitStrictCompare(b: CodeBuilder, left: Value, right: Value): Expr {
  if (!isNested(left.type)) {
    return emitCompare(b, left, right);
  }
  return b.temp(b.call(nestedCompare(b.kernel, left.type, true, "NaN last"), ...left.parts, ...right.parts));
}

/** (address, bytes) -> i64: equal for values that are not distinct. */
function nestedHash(k: KernelBuilder, type: NestedType): FunctionRef {
  return k.function_(`nested hash ${shapeOf(type)}`, { params: ["i32", "i32"], result: "i64" }, (b, params) => {
    const [address, bytes] = params as readonly [Local, Local];
    if (bytesDecide(type)) {
      b.return_(b.call(hashBytes(b.kernel), address, bytes));
      return;
    }
    const hash = b.local("i64", i64.const(0n));
    const add = (value: Value) => b.set(hash, emitCombineHash(b, hash, emitHash(b, value)));
    switch (type.kind) {
      case "row": {
        const types = innerTypes(type);
        types.forEach((_type, index) => add(emitField(b, types, address, index)));
        break;
      }
      case "array": {
        const array = openArray(b, type.element, address);
        b.forRange(i32.const(0), array.count, (index) => add(emitElement(b, array, index)));
        break;
      }
      case "map": {
        const map = openMap(b, type.key, type.value, address);
        b.forRange(i32.const(0), map.count, (index) => {
          const entry = map.entry(index);
          add({ ...emitElement(b, map.keys, entry), isNull: undefined });
          add(emitElement(b, map.values, entry));
        });
      }
    }
    b.return_(hash);
  });
}

export function emitNestedHash(b: CodeBuilder, value: Value): Expr {
  return b.call(nestedHash(b.kernel, value.type as NestedType), ...value.parts);
}
