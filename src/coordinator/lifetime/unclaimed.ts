/**
 * Queries that have ended and whose client has not come for the end. They are bounded in number and in what they hold, so that clients which submit and never come back
 * cost a bounded share of the coordinator's memory. The oldest give way.
 */
import type { Query } from "../query/query.ts";

export const unclaimedMax = 1000;
export const unclaimedBytesMax: number = 256 * 1024 * 1024;

/** Documents, stages and tasks of a query that has ended, roughly. */
const queryBytes = 32 * 1024;

export class Unclaimed {
  /** Each with its bytes, in the order of their ends. */
  readonly #queries = new Map<Query, number>();
  #bytes = 0;

  get bytes(): number {
    return this.#bytes;
  }

  /** Adds a query that has just ended; gives those that are to be dropped for it, which it still knows. */
  add(query: Query): readonly Query[] {
    const bytes = queryBytes + query.textBytes + (query.state === "FAILED" ? 0 : (query.results?.availableBytes ?? 0));
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
