/**
 * A set of values of one type without NULL (Trino's ValueSet), immutable: either values one by one, or ranges. What a set was made of stays
 * visible, because the wire and the connectors tell the two apart: an intersection with values one by one is values one by one, and a union
 * is when both sets are.
 */
import { compareNested } from "../nested/nested-order.ts";
import type { Type } from "../type.ts";
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

/** By the value that stands for all that are equal to it, in the order in which they were given. */
type Values = ReadonlyMap<DomainValue, DomainValue>;

export class ValueSet {
  readonly type: Type;
  readonly #values: Values | undefined;
  /** Sorted with gaps between; of values one by one made when they are first asked for. */
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

  /** Of equal values the first one counts. */
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

  /** Values one by one, in the order in which they were given; undefined for a set of ranges. */
  get discreteValues(): readonly DomainValue[] | undefined {
    return this.#values && [...this.#values.values()];
  }

  /** In order, with gaps between them. */
  get ranges(): readonly Range[] {
    this.#ranges ??= mergedRanges(this.type, (this.discreteValues ?? []).map(equalTo));
    return this.#ranges;
  }

  /** The smallest range that holds all values; undefined when there is none. */
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

  /** Whether each value of the other is one of this. */
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

/** Equal for equal values. Map takes NaN for NaN and -0.0 for 0.0 by itself. */
function keyOf(type: Type, value: DomainValue): DomainValue {
  return type.kind === "char" ? String(value).replace(/ +$/, "") : value;
}

function sameRanges(type: Type, a: readonly Range[], b: readonly Range[]): boolean {
  const sameBound = (one: Range["low"], other: Range["low"]): boolean =>
    one === undefined || other === undefined
      ? one === other
      : one.inclusive === other.inclusive && compareNested(type, one.value, other.value) === 0;
  return a.length === b.length && a.every(({ low, high }, index) => sameBound(low, b[index]?.low) && sameBound(high, b[index]?.high));
}
