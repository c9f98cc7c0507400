/**
 * Queries that have ended and whose client has yet to fetch the end. They are bounded in number and in bytes, so that clients which submit
 * and never come back take a bounded share of the coordinator's memory. The oldest give way. All operations take constant time for each
 * query that is added or removed.
 */
import type { Query } from "../query/query.ts";

export const unclaimedMax = 1000;
export const unclaimedBytesMax: number = 256 * 1024 * 1024;

export class Unclaimed {
  /** Bytes by query, in the order in which the queries ended. */
  readonly #queries = new Map<Query, number>();
  #bytes = 0;

  get count(): number {
    return this.#queries.size;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Adds a query that has just ended. Returns those that give way, which stay until they are deleted. */
  add(query: Query, bytes: number): readonly Query[] {
    this.#queries.set(query, bytes);
    this.#bytes += bytes;
    const dropped: Query[] = [];
    let [count, left] = [this.#queries.size, this.#bytes];
    for (const [oldest, size] of this.#queries) {
      if (count <= unclaimedMax && left <= unclaimedBytesMax) {
        break;
      }
      dropped.push(oldest);
      count -= 1;
      left -= size;
    }
    return dropped;
  }

  delete(query: Query): void {
    this.#bytes -= this.#queries.get(query) ?? 0;
    this.#queries.delete(query);
  }
}
