/**
 * Comparing, hashing and ordering of values of all types in kernels, for operators, aggregates and the comparison functions. Both sides
 * always have the same type. What a type means by it alone is in scalar-operations.ts; nested values are taken element by element, as
 * kernel functions by the shape of their type.
 */
import { type CodeBuilder, type FunctionRef, i32, i64, type KernelBuilder, type Local } from "../../codegen/builder.ts";
import type { Expr } from "../../codegen/ir.ts";
import { hashBytes, memEquals } from "../../codegen/library.ts";
import type { NanOrder } from "../../types/nested/nested-order.ts";
import type { NestedType } from "../../types/nested/nested.ts";
import { innerTypes, isLongMoment, isNested, physicalType, type Type } from "../../types/type.ts";
import { emitElement, emitField, openArray, openMap, walkPairs } from "./nested-kernels.ts";
import {
  emitScalarCompare,
  emitScalarComparison,
  emitScalarEquals,
  emitScalarHash,
  emitScalarIdentical,
  emitScalarOrderingKey,
  holdsOrder,
  type OrderOperator,
} from "./scalar-operations.ts";
import type { Value } from "./value.ts";

/**
 * SQL `=` of two values that are not NULL, i32 0 or 1. NaN equals nothing. Nested values whose equality is unknown because of a NULL inside
 * are not equal.
 */
export function emitEquals(b: CodeBuilder, left: Value, right: Value): Expr {
  if (isNested(left.type)) {
    return i32.eq(emitThreeValuedEquals(b, left, right), i32.const(1));
  }
  return emitScalarEquals(b, left, right);
}

/** IS NOT DISTINCT FROM, also the equality of grouping: NULL equals NULL, NaN equals NaN, -0.0 equals 0.0. i32 0 or 1. */
export function emitNotDistinct(b: CodeBuilder, left: Value, right: Value): Expr {
  if (left.isNull === undefined && right.isNull === undefined) {
    return emitIdentical(b, left, right);
  }
  const leftNull = left.isNull ?? i32.const(0);
  const rightNull = right.isNull ?? i32.const(0);
  const result = b.local("i32");
  b.if_(
    i32.or(leftNull, rightNull),
    () => b.set(result, i32.and(leftNull, rightNull)),
    () => b.set(result, emitIdentical(b, left, right)),
  );
  return result;
}

function emitIdentical(b: CodeBuilder, left: Value, right: Value): Expr {
  if (isNested(left.type)) {
    return emitNestedIdentical(b, left, right);
  }
  return emitScalarIdentical(b, left, right);
}

const nullHash = 0x9e3779b97f4a7c15n;

/** i64 hash. NULL has `nullHash`; values of one type that are not distinct have equal hashes. */
export function emitHash(b: CodeBuilder, value: Value): Expr {
  if (value.isNull === undefined) {
    return emitHashNotNull(b, value);
  }
  const hash = b.local("i64", i64.const(nullHash));
  b.if_(i32.eqz(value.isNull), () => b.set(hash, emitHashNotNull(b, value)));
  return hash;
}

function emitHashNotNull(b: CodeBuilder, value: Value): Expr {
  if (isNested(value.type)) {
    return emitNestedHash(b, value);
  }
  return emitScalarHash(b, value);
}

/** Combines the hashes of several keys: fold from the left, in key order. */
export function emitCombineHash(_b: CodeBuilder, first: Expr, second: Expr): Expr {
  return i64.add(i64.mul(first, i64.const(31n)), second);
}

/** -1, 0 or 1 (i32) for two values that are not NULL: SQL order, false before true, -0.0 equal to 0.0, char as if padded with spaces. */
export function emitCompare(b: CodeBuilder, left: Value, right: Value, nanOrder: NanOrder = "NaN last"): Expr {
  if (isNested(left.type)) {
    return emitNestedCompare(b, left, right, nanOrder);
  }
  return emitScalarCompare(b, left, right, nanOrder);
}

/**
 * A u64 (in i64) whose unsigned order agrees with emitCompare for values that are not NULL. `exact`: equal keys mean equal values.
 * Otherwise (strings, long decimals) ties need emitCompare.
 */
export function emitOrderingKey(b: CodeBuilder, value: Value): { readonly key: Expr; readonly exact: boolean } {
  if (isNested(value.type)) {
    return { key: i64.const(0n), exact: false };
  }
  return emitScalarOrderingKey(b, value);
}

/** i32 0 or 1: result of a comparison operator for values that are not NULL. IEEE 754 for doubles: comparisons with NaN are false. */
export function emitComparison(b: CodeBuilder, operator: OrderOperator, left: Value, right: Value): Expr {
  if (isNested(left.type)) {
    return holdsOrder(operator, emitCompare(b, left, right));
  }
  return emitScalarComparison(b, operator, left, right);
}

/** Result of three-valued equality, and of an order comparison that meets a NULL. */
export const nestedUnknown = 2;

/**
 * Name of the kernel function for a type. It contains only what the code depends on, such as the width of a decimal, and no user-defined
 * names.
 */
function shapeOf(type: Type): string {
  const inner = innerTypes(type);
  return inner.length === 0
    ? `${type.kind} ${physicalType(type)}${isLongMoment(type) ? "+" : ""}`
    : `${type.kind}(${inner.map(shapeOf).join()})`;
}

/** Whether values are not distinct exactly if their bytes are equal. */
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

const pairParams = ["i32", "i32", "i32", "i32"] as const;
type PairOf = readonly [Local, Local, Local, Local];

/** Arrays and maps of different lengths are different, whatever their elements. */
function returnWhereLengthsDiffer(b: CodeBuilder, type: NestedType, left: Expr, right: Expr): void {
  if (type.kind !== "row") {
    b.if_(i32.ne(i32.load(left), i32.load(right)), () => b.return_(i32.const(0)));
  }
}

/** (address, bytes, address, bytes) -> i32: SQL equality, 0, 1 or nestedUnknown. */
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

/** `=` of two values that are not NULL: 0, 1, or nestedUnknown if a NULL inside leaves the answer open. */
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

function emitNestedIdentical(b: CodeBuilder, left: Value, right: Value): Expr {
  return b.temp(b.call(nestedIdentical(b.kernel, left.type as NestedType), ...left.parts, ...right.parts));
}

/**
 * (address, bytes, address, bytes) -> i32 -1, 0 or 1: element by element, NULLs last, the shorter value before the longer. `strict`:
 * nestedUnknown at a NULL.
 */
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

function emitNestedCompare(b: CodeBuilder, left: Value, right: Value, nanOrder: NanOrder): Expr {
  return b.temp(b.call(nestedCompare(b.kernel, left.type as NestedType, false, nanOrder), ...left.parts, ...right.parts));
}

/** Order for `<` and similar operators: -1, 0, 1, or nestedUnknown if a NULL inside is met. */
export function emitStrictCompare(b: CodeBuilder, left: Value, right: Value): Expr {
  if (!isNested(left.type)) {
    return emitCompare(b, left, right);
  }
  return b.temp(b.call(nestedCompare(b.kernel, left.type, true, "NaN last"), ...left.parts, ...right.parts));
}

/** (address, bytes) -> i64: values that are not distinct have equal hashes. */
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

function emitNestedHash(b: CodeBuilder, value: Value): Expr {
  return b.call(nestedHash(b.kernel, value.type as NestedType), ...value.parts);
}
