/** The values that a column may have (Trino's Domain): a set of values, and whether NULL is one of them. Immutable. */
import type { Type } from "../type.ts";
import type { DomainValue, Range } from "./range.ts";
import { ValueSet } from "./value-set.ts";

export class Domain {
  readonly values: ValueSet;
  readonly nullAllowed: boolean;

  constructor(values: ValueSet, nullAllowed: boolean) {
    this.values = values;
    this.nullAllowed = nullAllowed;
  }

  static all(type: Type): Domain {
    return new Domain(ValueSet.all(type), true);
  }

  static none(type: Type): Domain {
    return new Domain(ValueSet.none(type), false);
  }

  static onlyNull(type: Type): Domain {
    return new Domain(ValueSet.none(type), true);
  }

  static notNull(type: Type): Domain {
    return new Domain(ValueSet.all(type), false);
  }

  /** A domain of discrete values, without NULL. */
  static of(type: Type, values: Iterable<DomainValue>): Domain {
    return new Domain(ValueSet.of(type, values), false);
  }

  /** A domain of ranges, without NULL. */
  static ofRanges(type: Type, ...ranges: readonly Range[]): Domain {
    return new Domain(ValueSet.ofRanges(type, ranges), false);
  }

  get type(): Type {
    return this.values.type;
  }

  get isAll(): boolean {
    return this.nullAllowed && this.values.isAll;
  }

  get isNone(): boolean {
    return !this.nullAllowed && this.values.isNone;
  }

  get isOnlyNull(): boolean {
    return this.nullAllowed && this.values.isNone;
  }

  includes(value: DomainValue | null): boolean {
    return value === null ? this.nullAllowed : this.values.includes(value);
  }

  /** Returns whether this domain contains every value of the other one. */
  contains(other: Domain): boolean {
    return (this.nullAllowed || !other.nullAllowed) && this.values.contains(other.values);
  }

  overlaps(other: Domain): boolean {
    return (this.nullAllowed && other.nullAllowed) || this.values.overlaps(other.values);
  }

  intersect(other: Domain): Domain {
    return new Domain(this.values.intersect(other.values), this.nullAllowed && other.nullAllowed);
  }

  /** Replaces more values or ranges than the limit by the smallest range that contains them all (Trino's simplify). */
  simplify(countMax: number): Domain {
    const { discreteValues, ranges, span, type } = this.values;
    return (discreteValues ?? ranges).length <= countMax || span === undefined
      ? this
      : new Domain(ValueSet.ofRanges(type, [span]), this.nullAllowed);
  }

  union(other: Domain): Domain {
    return new Domain(this.values.union(other.values), this.nullAllowed || other.nullAllowed);
  }
}
