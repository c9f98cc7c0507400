/**
 * Ids of removed objects, such as queries, tasks and addresses, kept as long as requests for them may still arrive. Holds at most `max`
 * ids; the oldest is evicted first.
 */
export class RecentIds {
  readonly #max: number;
  /** In order of insertion. */
  readonly #ids = new Set<string>();

  constructor(max: number) {
    this.#max = max;
  }

  get size(): number {
    return this.#ids.size;
  }

  /** The oldest first. */
  [Symbol.iterator](): Iterator<string> {
    return this.#ids.values();
  }

  has(id: string): boolean {
    return this.#ids.has(id);
  }

  /** An id that is already present becomes the newest. */
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
