/**
 * The memory of each query on a node: one context with the limit of query.max-memory-per-node, however many tasks of the query run here and whatever the coordinator keeps
 * for its client. A context is there as long as somebody holds it.
 */
import type { MemoryContext } from "../memory/memory.ts";
import { assert } from "../protocol/errors.ts";

export interface QueryMemoriesOptions {
  /** Root of the queries' memory on this node. */
  readonly parent: MemoryContext;
  /** query.max-memory-per-node */
  readonly bytesMax: number;
  /** Called when the last query has left. */
  readonly onEmpty: () => void;
}

interface QueryMemory {
  readonly context: MemoryContext;
  holders: number;
}

/** What a query holds on the node. */
export interface QueryMemoryUse {
  readonly queryId: string;
  readonly reservedBytes: number;
  /** Tasks that live, and the coordinator while the query does. */
  readonly holders: number;
}

export class QueryMemories {
  readonly #options: QueryMemoriesOptions;
  readonly #queries = new Map<string, QueryMemory>();

  constructor(options: QueryMemoriesOptions) {
    this.#options = options;
  }

  get count(): number {
    return this.#queries.size;
  }

  /** Of the node, which all queries share. */
  get sizeBytes(): number {
    return this.#options.parent.linear.sizeBytes;
  }

  /** To be left once. */
  enter(queryId: string): MemoryContext {
    let query = this.#queries.get(queryId);
    if (query === undefined) {
      query = { context: this.#options.parent.child("query", this.#options.bytesMax), holders: 0 };
      this.#queries.set(queryId, query);
    }
    query.holders += 1;
    return query.context;
  }

  /** The last to leave closes the context. */
  leave(queryId: string): void {
    const query = this.#queries.get(queryId);
    assert(query !== undefined, `query ${queryId} has memory while somebody holds it`);
    query.holders -= 1;
    if (query.holders === 0) {
      this.#queries.delete(queryId);
      query.context.close();
      if (this.#queries.size === 0) {
        this.#options.onEmpty();
      }
    }
  }

  uses(): readonly QueryMemoryUse[] {
    return [...this.#queries].map(([queryId, { context, holders }]) => ({ queryId, reservedBytes: context.reservedBytes, holders }));
  }
}
