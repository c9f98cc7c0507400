/** Domains against plain sets: a type is a list of values of which everything is known, a domain the set of those that it includes. */
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { Domain } from "../../../src/types/domain/domain.ts";
import { doubleRangeOf, mayLieWithin, toDouble } from "../../../src/types/domain/double-range.ts";
import {
  between,
  type DomainValue,
  equalTo,
  greaterThan,
  greaterThanOrEqual,
  lessThan,
  lessThanOrEqual,
  type Range,
  rangeIncludes,
  unboundedRange,
} from "../../../src/types/domain/range.ts";
import { domainValueOf, domainValueText } from "../../../src/types/domain/texts.ts";
import { TupleDomain } from "../../../src/types/domain/tuple-domain.ts";
import { ValueSet } from "../../../src/types/domain/value-set.ts";
import { BIGINT, charType, DATE, decimalType, DOUBLE, INTEGER, type Type, VARCHAR } from "../../../src/types/type.ts";

interface World {
  readonly type: Type;
  /** Ascending. Those at odd places are equal to each other, and listed and bounding; the others lie between them and are never named. */
  readonly ranks: readonly (readonly DomainValue[])[];
}

const worlds: readonly World[] = [
  {
    type: BIGINT,
    ranks: [-(1n << 63n), -7n, -3n, 0n, 1n, 2n ** 53n, 2n ** 53n + 1n, 2n ** 53n + 2n, (1n << 63n) - 1n].map((value) => [value]),
  },
  { type: INTEGER, ranks: [-5, -4, -3, 0, 1, 2, 3].map((value) => [value]) },
  { type: decimalType(30, 2), ranks: [-(10n ** 29n), -1n, 0n, 1n, 2n, 10n ** 29n, 10n ** 29n + 1n].map((value) => [value]) },
  { type: DOUBLE, ranks: [[-Infinity], [-1.5], [-1], [-0, 0], [5e-324], [3.5], [Infinity, Number.NaN]] },
  // By code points: a pair of surrogates stands behind every other code unit.
  { type: VARCHAR, ranks: [[""], ["a"], ["a "], ["b"], ["\u00e9"], ["\uff5e"], ["\u{1f600}"]] },
  { type: charType(3), ranks: [["", "   "], ["a", "a  "], ["ab"], ["b", "b "], ["\u{1f600}"]] },
];

interface Known {
  readonly domain: Domain;
  /** What it includes, NULL too. */
  readonly set: ReadonlySet<DomainValue | null>;
}

function valuesOf({ ranks }: World): readonly DomainValue[] {
  return ranks.flat();
}

/** A plain set has -0.0 and 0.0 as one value too. */
function known({ ranks }: World, domain: Domain, isIncluded: (rank: number) => boolean, nullAllowed: boolean): Known {
  const set = new Set<DomainValue | null>(ranks.filter((_, rank) => isIncluded(rank)).flat());
  return { domain, set: nullAllowed ? set.add(null) : set };
}

function rangeDomains(world: World): fc.Arbitrary<Known> {
  const { type, ranks } = world;
  const bound = fc
    .integer({ min: 0, max: Math.floor(ranks.length / 2) - 1 })
    .chain((half) => fc.record({ rank: fc.constant(2 * half + 1), value: fc.constantFrom(...(ranks[2 * half + 1] as DomainValue[])) }));
  type Made = readonly [range: Range, includes: (rank: number) => boolean];
  const range: fc.Arbitrary<Made> = fc.oneof(
    fc.constant<Made>([unboundedRange, () => true]),
    bound.map(({ rank, value }): Made => [equalTo(value), (one) => one === rank]),
    bound.map(({ rank, value }): Made => [lessThan(value), (one) => one < rank]),
    bound.map(({ rank, value }): Made => [lessThanOrEqual(value), (one) => one <= rank]),
    bound.map(({ rank, value }): Made => [greaterThan(value), (one) => one > rank]),
    bound.map(({ rank, value }): Made => [greaterThanOrEqual(value), (one) => one >= rank]),
    fc.tuple(bound, bound).map(([a, b]): Made => {
      const [low, high] = a.rank <= b.rank ? [a, b] : [b, a];
      return [between(low.value, high.value), (one) => one >= low.rank && one <= high.rank];
    }),
  );
  return fc.tuple(fc.array(range, { maxLength: 4 }), fc.boolean()).map(([made, nullAllowed]) => {
    const domain = new Domain(
      ValueSet.ofRanges(
        type,
        made.map(([one]) => one),
      ),
      nullAllowed,
    );
    return known(world, domain, (rank) => made.some(([, includes]) => includes(rank)), nullAllowed);
  });
}

function valueDomains(world: World): fc.Arbitrary<Known> {
  const named = world.ranks.filter((_, rank) => rank % 2 === 1).flat();
  const values = fc.array(fc.constantFrom(...named), { maxLength: 6 });
  return fc.tuple(values, fc.boolean()).map(([chosen, nullAllowed]) => {
    const isChosen = (rank: number) => (world.ranks[rank] ?? []).some((value) => new Set(chosen).has(value));
    return known(world, new Domain(ValueSet.of(world.type, chosen), nullAllowed), isChosen, nullAllowed);
  });
}

function combined([a, b]: readonly [Known, Known], isUnion: boolean): Known {
  return isUnion
    ? { domain: a.domain.union(b.domain), set: new Set([...a.set, ...b.set]) }
    : { domain: a.domain.intersect(b.domain), set: new Set([...a.set].filter((value) => b.set.has(value))) };
}

function domains(world: World, depth = 2): fc.Arbitrary<Known> {
  const leaf = fc.oneof(rangeDomains(world), valueDomains(world));
  if (depth === 0) {
    return leaf;
  }
  const inner = domains(world, depth - 1);
  return fc.oneof(
    leaf,
    fc.tuple(fc.tuple(inner, inner), fc.boolean()).map(([pair, isUnion]) => combined(pair, isUnion)),
  );
}

function includedBy(world: World, domain: Domain): ReadonlySet<DomainValue | null> {
  return new Set([...valuesOf(world), null].filter((value) => domain.includes(value)));
}

describe.each(worlds)("domains of $type.kind", (world) => {
  const { type } = world;
  const one = domains(world);

  it("include what the sets have, through unions and intersections", () => {
    fc.assert(
      fc.property(one, ({ domain, set }) => {
        expect(includedBy(world, domain)).toEqual(set);
      }),
      { numRuns: 300 },
    );
  });

  it("contain, overlap, and are all, none or only NULL as the sets are", () => {
    const everything = new Set([...valuesOf(world), null]);
    fc.assert(
      fc.property(one, one, (a, b) => {
        expect(a.domain.contains(b.domain)).toBe([...b.set].every((value) => a.set.has(value)));
        expect(a.domain.overlaps(b.domain)).toBe([...b.set].some((value) => a.set.has(value)));
        expect(a.domain.isNone).toBe(a.set.size === 0);
        expect(a.domain.isOnlyNull).toBe(a.set.size === 1 && a.set.has(null));
        if (a.domain.isAll) {
          expect(a.set).toEqual(everything);
        }
      }),
      { numRuns: 300 },
    );
  });

  it("are the same in whatever order they are combined", () => {
    const isSame = (a: Domain, b: Domain): boolean => a.contains(b) && b.contains(a);
    fc.assert(
      fc.property(one, one, one, ({ domain: a }, { domain: b }, { domain: c }) => {
        expect(isSame(a.union(b).union(c), c.union(a).union(b))).toBe(true);
        expect(isSame(a.intersect(b).intersect(c), c.intersect(a).intersect(b))).toBe(true);
        expect(isSame(a.intersect(b.union(c)), a.intersect(b).union(a.intersect(c)))).toBe(true);
        expect(isSame(a.union(a), a) && isSame(a.intersect(a), a)).toBe(true);
      }),
    );
  });

  it("have ranges that ascend, with something between each and the next", () => {
    fc.assert(
      fc.property(one, ({ domain }) => {
        const { ranges, span } = domain.values;
        const rankOf = (range: Range): readonly number[] =>
          world.ranks.flatMap((values, rank) => (values.some((value) => rangeIncludes(type, range, value)) ? [rank] : []));
        const ranks = ranges.map(rankOf);
        ranks.slice(1).forEach((later, index) => expect(later[0] as number).toBeGreaterThan(ranks[index]?.at(-1) as number));
        expect(span === undefined).toBe(ranges.length === 0);
        expect(span === undefined || ranks.flat().every((rank) => rankOf(span).includes(rank))).toBe(true);
      }),
    );
  });

  it("are simplified to a range that holds them all", () => {
    fc.assert(
      fc.property(one, fc.integer({ min: 1, max: 4 }), ({ domain }, countMax) => {
        const simple = domain.simplify(countMax);
        expect(simple.contains(domain)).toBe(true);
        expect(simple.nullAllowed).toBe(domain.nullAllowed);
        expect((simple.values.discreteValues ?? simple.values.ranges).length).toBeLessThanOrEqual(countMax);
      }),
    );
  });

  it("lose nothing as texts", () => {
    for (const value of valuesOf(world)) {
      expect(Object.is(domainValueOf(type, domainValueText(value)), value), domainValueText(value)).toBe(true);
    }
  });
});

test("values that were given one by one stay so, in the order in which they were given, each once", () => {
  const given = ValueSet.of(BIGINT, [7n, 3n, 7n, 5n]);
  expect(given.discreteValues).toEqual([7n, 3n, 5n]);
  expect(given.ranges).toEqual([equalTo(3n), equalTo(5n), equalTo(7n)]);
  expect(given.intersect(ValueSet.ofRanges(BIGINT, [greaterThan(3n)])).discreteValues).toEqual([7n, 5n]);
  expect(ValueSet.ofRanges(BIGINT, [greaterThan(3n)]).intersect(given).discreteValues).toEqual([7n, 5n]);
  expect(given.union(ValueSet.of(BIGINT, [1n, 3n])).discreteValues).toEqual([7n, 3n, 5n, 1n]);
  expect(given.union(ValueSet.ofRanges(BIGINT, [equalTo(9n)])).discreteValues).toBeUndefined();
  expect(Domain.ofRanges(BIGINT, equalTo(9n)).values.discreteValues).toBeUndefined();
  expect(ValueSet.of(charType(3), ["a ", "a"]).discreteValues).toEqual(["a "]);
  const doubles = ValueSet.of(DOUBLE, [-0, 0, Number.NaN, Number.NaN]);
  expect(doubles.discreteValues).toEqual([-0, Number.NaN]);
  expect([0, -0, Number.NaN, 1].map((value) => doubles.includes(value))).toEqual([true, true, true, false]);
  expect(doubles.ranges).toEqual([equalTo(-0), equalTo(Number.NaN)]);
});

describe("ranges in the unit of statistics", () => {
  test.each([
    { type: BIGINT, values: fc.bigInt({ min: -(1n << 63n), max: (1n << 63n) - 1n }) },
    { type: decimalType(38, 5), values: fc.bigInt({ min: -(10n ** 38n), max: 10n ** 38n }) },
    { type: DATE, values: fc.integer({ min: -800_000, max: 800_000 }) },
    { type: DOUBLE, values: fc.double({ noNaN: true }) },
  ] as readonly { readonly type: Type; readonly values: fc.Arbitrary<number | bigint> }[])(
    "hold each value of a domain of type $type.kind, and meet those that they overlap",
    ({ type, values }) => {
      fc.assert(
        fc.property(fc.array(values, { minLength: 1 }), fc.array(values, { minLength: 1 }), (some, others) => {
          const [a, b] = [ValueSet.of(type, some), ValueSet.of(type, others)];
          const [one, other] = [doubleRangeOf(a), doubleRangeOf(b)];
          const numbers = others.map((value) => toDouble(type, value));
          for (const value of some) {
            expect(toDouble(type, value)).toBeGreaterThanOrEqual(one?.low as number);
            expect(toDouble(type, value)).toBeLessThanOrEqual(one?.high as number);
          }
          expect(mayLieWithin(b, one ?? {})).toBe(
            numbers.some((number) => number >= (one?.low as number) && number <= (one?.high as number)),
          );
          expect(mayLieWithin(a, other ?? {}) || !a.overlaps(b)).toBe(true);
          expect(mayLieWithin(b, { low: Math.max(...numbers) })).toBe(true);
          expect(mayLieWithin(b, { high: Math.min(...numbers) })).toBe(true);
        }),
      );
    },
  );

  test("are open where the values are, empty for texts, and none where there is no value", () => {
    expect(doubleRangeOf(ValueSet.ofRanges(decimalType(9, 2), [greaterThan(150n)]))).toEqual({ low: 1.5 });
    expect(doubleRangeOf(ValueSet.ofRanges(BIGINT, [lessThan(7n)]))).toEqual({ high: 7 });
    expect(doubleRangeOf(ValueSet.all(BIGINT))).toEqual({});
    expect(doubleRangeOf(ValueSet.of(VARCHAR, ["a"]))).toEqual({});
    expect(doubleRangeOf(ValueSet.none(BIGINT))).toBeUndefined();
    expect([ValueSet.none(BIGINT), ValueSet.of(VARCHAR, ["a"])].map((values) => mayLieWithin(values, { low: 1 }))).toEqual([false, true]);
  });
});

describe("tuple domains", () => {
  const world = worlds[1] as World;
  const columns = ["a", "b", "c"];
  const tuple = fc.dictionary(
    fc.constantFrom(...columns),
    domains(world, 1).map(({ domain }) => domain),
    { maxKeys: 3 },
  );
  const rows = fc.array(fc.tuple(...columns.map(() => fc.constantFrom(...valuesOf(world), null))), { minLength: 1, maxLength: 30 });
  const of = (named: Readonly<Record<string, Domain>>): TupleDomain => TupleDomain.of(Object.entries(named));
  const allows = (domain: TupleDomain, row: readonly (DomainValue | null)[]): boolean =>
    columns.every((column, index) => domain.domainOf(column)?.includes(row[index] ?? null) ?? true);

  it("allow the rows that both allow, or those that one of them allows", () => {
    fc.assert(
      fc.property(tuple, tuple, rows, (one, other, tested) => {
        const [a, b] = [of(one), of(other)];
        for (const row of tested) {
          expect(allows(a.intersect(b), row)).toBe(allows(a, row) && allows(b, row));
          expect(allows(a.union(b), row) || !(allows(a, row) || allows(b, row))).toBe(true);
          expect(a.isNone && allows(a, row)).toBe(false);
          expect(a.isAll && !allows(a, row)).toBe(false);
        }
        expect([...a.intersect(b).domains.keys()]).toEqual([...new Set([...Object.keys(one), ...Object.keys(other)])]);
      }),
    );
  });

  it("have one domain a column: the intersection of those that were given", () => {
    const given = TupleDomain.of([
      ["a", Domain.ofRanges(INTEGER, greaterThan(1))],
      ["b", Domain.all(INTEGER)],
      ["a", Domain.of(INTEGER, [1, 2])],
    ]);
    expect([...given.domains.keys()]).toEqual(["a", "b"]);
    expect(given.domainOf("a")?.values.discreteValues).toEqual([2]);
    expect([TupleDomain.all.isAll, given.isAll, given.isNone]).toEqual([true, false, false]);
    expect(given.union(TupleDomain.of([["a", Domain.none(INTEGER)]]))).toBe(given);
  });
});
