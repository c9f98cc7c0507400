/** What queries of a group have used of something whose use is limited in a period, and that comes back evenly. */

export interface QuotaLimit {
  /** With so much used, no query starts. It comes back once in a period. */
  readonly hard: number;
  /** With more than that used, fewer queries run. */
  readonly soft: number;
  readonly periodNanos: number;
}

export class QuotaAccount {
  #used = 0;

  /** What has not come back yet. */
  get used(): number {
    return this.#used;
  }

  /** What has no limit has no account. */
  charge(amount: number, limit: QuotaLimit | undefined): void {
    if (limit !== undefined) {
      this.#used += amount;
    }
  }

  /** Gives back for the time that has passed. */
  replenish(nanos: number, limit: QuotaLimit | undefined): void {
    const given = limit === undefined ? Number.POSITIVE_INFINITY : (nanos / limit.periodNanos) * limit.hard;
    this.#used = Math.max(0, this.#used - given);
  }

  isExhausted(limit: QuotaLimit | undefined): boolean {
    return limit !== undefined && this.#used >= limit.hard;
  }

  /** How far it is on the way from the soft to the hard limit, from 0 to 1 and above. Undefined below the soft one, or if there is none. */
  excess(limit: QuotaLimit | undefined): number | undefined {
    return limit === undefined || this.#used < limit.soft || limit.soft === limit.hard
      ? undefined
      : (this.#used - limit.soft) / (limit.hard - limit.soft);
  }
}
