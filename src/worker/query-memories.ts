/**
 * The memory of each query on a node: one context with the limit query.max-memory-per-node, shared by all tasks of the query on this node
 * and by the coordinator's result rows. Contexts are counted by reference.
 */
import type { MemoryContext } from "../memory/memory.ts";
import { MemoryQueue } from "../execution/driver/memory-queue.ts";
import { MemoryRevoker } from "../execution/spill/memory-revoker.ts";
import type { Ports } from "../ports/ports.ts";
import { assert } from "../protocol/errors.ts";

export interface QueryMemoriesOptions {
  readonly ports: Pick<Ports, "clock" | "points">;
  /** Parent of all query contexts on this node. */
  readonly parent: MemoryContext;
  /** query.max-memory-per-node */
  readonly bytesMax: number;
  /** Called when the last query has left the node. */
  readonly onEmpty: () => void;
}

interface QueryMemory {
  readonly context: MemoryContext;
  holders: number;
}

/** Memory use of one query on the node. */
export interface QueryMemoryUse {
  readonly queryId: string;
  readonly reservedBytes: number;
  /** References: one for each task that has not ended, and one for the coordinator while the query runs. */
  readonly holders: number;
}

export class QueryMemories {
  readonly #options: QueryMemoriesOptions;
  readonly #queries = new Map<string, QueryMemory>();
  /** How the queries share the memory. */
  readonly sharing: { readonly revoker: MemoryRevoker; readonly memoryQueue: MemoryQueue };

  constructor(options: QueryMemoriesOptions) {
    this.#options = options;
    const { parent, ports } = options;
    this.sharing = {
      revoker: new MemoryRevoker(),
      memoryQueue: new MemoryQueue({ ...ports, memory: parent, holders: () => this.uses() }),
    };
  }

  get count(): number {
    return this.#queries.size;
  }

  /** Size of the node's memory, which all queries share. */
  get sizeBytes(): number {
    return this.#options.parent.linear.sizeBytes;
  }

  /** Adds a reference. Each call needs one call of `leave`. */
  enter(queryId: string): MemoryContext {
    let query = this.#queries.get(queryId);
    if (query === undefined) {
      query = { context: this.#options.parent.child("query", this.#options.bytesMax), holders: 0 };
      this.#queries.set(queryId, query);
    }
    query.holders += 1;
    return query.context;
  }

  /** Removes a reference. The last one closes the context. */
  leave(queryId: string): void {
    const query = this.#queries.get(queryId);
    assert(query !== undefined, `query ${queryId} has memory while somebody holds it`);
    query.holders -= 1;
    if (query.holders === 0) {
      this.#queries.delete(queryId);
      query.context.close();
      if (this.#queries.size === 0) {
        this.sharing.memoryQueue.reset();
        this.#options.onEmpty();
      }
    }
  }

  /** How often the query was entered and not left: by its tasks, and by the coordinator that runs it. */
  holdersOf(queryId: string): number {
    return this.#queries.get(queryId)?.holders ?? 0;
  }

  uses(): readonly QueryMemoryUse[] {
    return [...this.#queries].map(([queryId, { context, holders }]) => ({ queryId, reservedBytes: context.reservedBytes, holders }));
  }
}
