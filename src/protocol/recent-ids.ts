/**
 * Names of what is gone, such as queries, tasks and addresses, for as long as someone may still ask for it. Bounded: who remembers more than `max` of them forgets
 * the one that was added longest ago.
 */
export class RecentIds {
  readonly #max: number;
  /** In the order in which they were added. */
  readonly #ids = new Set<string>();

  constructor(max: number) {
    this.#max = max;
  }

  has(id: string): boolean {
    return this.#ids.has(id);
  }

  /** One that is there already counts as added just now. */
  add(id: string): void {
    this.#ids.delete(id);
    this.#ids.add(id);
    const [oldest] = this.#ids;
    if (oldest !== undefined && this.#ids.size > this.#max) {
      this.#ids.delete(oldest);
    }
  }

  delete(id: string): void {
    this.#ids.delete(id);
  }
}
