/**
 * A set of values of one type without NULL (Trino's ValueSet): either discrete values or ranges. Immutable. The set keeps its form, because
 * the wire and the connectors distinguish the two: an intersection with discrete values is discrete, and a union is discrete if both sets
 * are.
 */
import { compareNested } from "../nested/nested-order.ts";
import type { Type } from "../type.ts";
import { withoutTrailing } from "../utf8.ts";
import {
  type DomainValue,
  intersectedRanges,
  isUnbounded,
  mergedRanges,
  type Range,
  equalTo,
  rangeIncludes,
  spanOf,
  unboundedRange,
} from "./range.ts";

/** Values by a key that is equal for equal values, in the order of insertion. */
type Values = ReadonlyMap<DomainValue, DomainValue>;

export class ValueSet {
  readonly type: Type;
  readonly #values: Values | undefined;
  /** Sorted, with gaps between them. For discrete values they are computed on first use. */
  #ranges: readonly Range[] | undefined;

  private constructor(type: Type, values: Values | undefined, ranges: readonly Range[] | undefined) {
    this.type = type;
    this.#values = values;
    this.#ranges = ranges;
  }

  static all(type: Type): ValueSet {
    return new ValueSet(type, undefined, [unboundedRange]);
  }

  static none(type: Type): ValueSet {
    return ValueSet.of(type, []);
  }

  /** The first of several equal values stays. */
  static of(type: Type, values: Iterable<DomainValue>): ValueSet {
    const distinct = new Map<DomainValue, DomainValue>();
    for (const value of values) {
      const key = keyOf(type, value);
      if (!distinct.has(key)) {
        distinct.set(key, value);
      }
    }
    return new ValueSet(type, distinct, undefined);
  }

  static ofRanges(type: Type, ranges: readonly Range[]): ValueSet {
    return new ValueSet(type, undefined, mergedRanges(type, ranges));
  }

  /** Discrete values in the order of insertion; undefined for a set of ranges. */
  get discreteValues(): readonly DomainValue[] | undefined {
    return this.#values && [...this.#values.values()];
  }

  /** In order, with gaps between them. */
  get ranges(): readonly Range[] {
    this.#ranges ??= mergedRanges(this.type, (this.discreteValues ?? []).map(equalTo));
    return this.#ranges;
  }

  /** The smallest range that contains all values; undefined for the empty set. */
  get span(): Range | undefined {
    return spanOf(this.ranges);
  }

  get isNone(): boolean {
    return (this.#values?.size ?? this.ranges.length) === 0;
  }

  get isAll(): boolean {
    const [first] = this.#values === undefined ? this.ranges : [];
    return first !== undefined && isUnbounded(first);
  }

  includes(value: DomainValue): boolean {
    return this.#values?.has(keyOf(this.type, value)) ?? this.ranges.some((range) => rangeIncludes(this.type, range, value));
  }

  /** Returns whether this set contains every value of the other one. */
  contains(other: ValueSet): boolean {
    const values = other.discreteValues;
    return values === undefined
      ? sameRanges(this.type, intersectedRanges(this.type, this.ranges, other.ranges), other.ranges)
      : values.every((value) => this.includes(value));
  }

  overlaps(other: ValueSet): boolean {
    return !this.intersect(other).isNone;
  }

  intersect(other: ValueSet): ValueSet {
    const [one, two] = this.#values === undefined && other.#values !== undefined ? [other, this] : [this, other];
    if (one.#values !== undefined) {
      return ValueSet.of(
        this.type,
        [...one.#values.values()].filter((value) => two.includes(value)),
      );
    }
    return new ValueSet(this.type, undefined, intersectedRanges(this.type, one.ranges, two.ranges));
  }

  union(other: ValueSet): ValueSet {
    if (this.#values !== undefined && other.#values !== undefined) {
      return ValueSet.of(this.type, [...this.#values.values(), ...other.#values.values()]);
    }
    return ValueSet.ofRanges(this.type, [...this.ranges, ...other.ranges]);
  }
}

/** Key that is equal for equal values. A Map treats NaN as equal to NaN and -0.0 as equal to 0.0. */
function keyOf(type: Type, value: DomainValue): DomainValue {
  return type.kind === "char" ? withoutTrailing(String(value), " ") : value;
}

function sameRanges(type: Type, a: readonly Range[], b: readonly Range[]): boolean {
  const sameBound = (one: Range["low"], other: Range["low"]): boolean =>
    one === undefined || other === undefined
      ? one === other
      : one.inclusive === other.inclusive && compareNested(type, one.value, other.value) === 0;
  return a.length === b.length && a.every(({ low, high }, index) => sameBound(low, b[index]?.low) && sameBound(high, b[index]?.high));
}
