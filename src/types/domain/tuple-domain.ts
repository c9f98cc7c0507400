/**
 * The set of rows that a conjunction of domains allows (Trino's TupleDomain): the value of each column is in the column's domain. A column
 * without a domain may have any value. Immutable; columns keep the order in which they were first named.
 */
import type { Domain } from "./domain.ts";

export class TupleDomain {
  static readonly all: TupleDomain = new TupleDomain(new Map());

  /** By column. */
  readonly domains: ReadonlyMap<string, Domain>;

  private constructor(domains: ReadonlyMap<string, Domain>) {
    this.domains = domains;
  }

  /** Intersects several domains of the same column. */
  static of(domains: Iterable<readonly [column: string, domain: Domain]>): TupleDomain {
    const found = new Map<string, Domain>();
    for (const [column, domain] of domains) {
      found.set(column, found.get(column)?.intersect(domain) ?? domain);
    }
    return new TupleDomain(found);
  }

  /** Allows every row. */
  get isAll(): boolean {
    return [...this.domains.values()].every(({ isAll }) => isAll);
  }

  /** Allows no row. */
  get isNone(): boolean {
    return [...this.domains.values()].some(({ isNone }) => isNone);
  }

  /** undefined: any value. */
  domainOf(column: string): Domain | undefined {
    return this.domains.get(column);
  }

  intersect(other: TupleDomain): TupleDomain {
    return TupleDomain.of([...this.domains, ...other.domains]);
  }

  /** Returns the smallest tuple domain that allows every row of either operand. It may allow other rows (Trino's columnWiseUnion). */
  union(other: TupleDomain): TupleDomain {
    if (this.isNone || other.isNone) {
      return this.isNone ? other : this;
    }
    return TupleDomain.of(
      [...this.domains].flatMap(([column, domain]) => {
        const second = other.domainOf(column);
        return second === undefined ? [] : [[column, domain.union(second)] as const];
      }),
    );
  }
}
