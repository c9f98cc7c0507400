/**
 * What rows may hold, column by column (Trino's TupleDomain): a row is allowed when each of its columns has a value of the column's domain.
 * A column without a domain may hold anything. Immutable; columns keep the order in which they were first named.
 */
import type { Domain } from "./domain.ts";

export class TupleDomain {
  static readonly all: TupleDomain = new TupleDomain(new Map());

  /** By column. */
  readonly domains: ReadonlyMap<string, Domain>;

  private constructor(domains: ReadonlyMap<string, Domain>) {
    this.domains = domains;
  }

  /** Several domains of one column are their intersection. */
  static of(domains: Iterable<readonly [column: string, domain: Domain]>): TupleDomain {
    const found = new Map<string, Domain>();
    for (const [column, domain] of domains) {
      found.set(column, found.get(column)?.intersect(domain) ?? domain);
    }
    return new TupleDomain(found);
  }

  /** Every row is allowed. */
  get isAll(): boolean {
    return [...this.domains.values()].every(({ isAll }) => isAll);
  }

  /** No row is allowed. */
  get isNone(): boolean {
    return [...this.domains.values()].some(({ isNone }) => isNone);
  }

  /** undefined: anything. */
  domainOf(column: string): Domain | undefined {
    return this.domains.get(column);
  }

  intersect(other: TupleDomain): TupleDomain {
    return TupleDomain.of([...this.domains, ...other.domains]);
  }

  /** The smallest of these that allows each row that one of the two allows; it may allow others (Trino's columnWiseUnion). */
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
