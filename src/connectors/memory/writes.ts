/**
 * The writes of a memory catalog. Every write has a number. Its parts become visible when it finishes, and are garbage if it does not.
 * After every change that ends a write, the workers are told which writes are live. In each incarnation of the coordinator the numbers are
 * greater than in all before, so that what a former one has not finished is garbage too.
 */
import { assert } from "../../protocol/errors.ts";
import type { ConnectorContext, Json } from "../spi.ts";
import type { KeptCatalog } from "./kept-catalog.ts";
import type { LiveWrites, Owner } from "./part-store.ts";
import type { WriteHandle } from "./table.ts";

/** Workers that a write tells its sinks for their copies. */
const copyNodesMax = 16;
/** Writes of one incarnation of the coordinator, at most. */
const writesPerLife = 2 ** 32;

export type WriteTarget = Omit<WriteHandle, "copyNodes" | "owner" | "replication" | "write">;

export interface WritesOptions {
  readonly context: ConnectorContext;
  readonly kept: KeptCatalog;
  /** Value of memory.replication. */
  readonly replication: number;
  /** Updates this node's own store, without the network. */
  readonly keepOnly: (live: LiveWrites) => void;
}

export class Writes {
  readonly #options: WritesOptions;
  readonly #pending = new Set<number>();
  /** Their end is being recorded. */
  readonly #finishing = new Set<number>();
  /** They have failed, but the next incarnation may find their record. */
  readonly #uncertain = new Set<number>();
  #count = 0;
  /** Number of changes that ended writes. */
  #changes = 0;
  /** Per worker: the last change that it has received. */
  readonly #heard = new Map<string, number>();

  constructor(options: WritesOptions) {
    this.#options = options;
  }

  get owner(): Owner {
    return { incarnation: this.#options.kept.identity.owner, nodeId: this.#options.context.nodeId };
  }

  begin(target: WriteTarget): Json {
    const write = this.#next;
    this.#count++;
    this.#pending.add(write);
    void this.tellWorkers();
    const { replication } = this.#options;
    const handle: WriteHandle = { ...target, owner: this.owner, write, replication, copyNodes: this.#copyNodes(write) };
    return handle as unknown as Json;
  }

  /** The write is visible if `record` resolves. Until then its parts are kept, whatever becomes of its query. */
  async finish(handle: Json, record: (write: WriteHandle) => Promise<void>): Promise<void> {
    const write = this.#end(handle);
    this.#finishing.add(write.write);
    try {
      await record(write);
    } catch (error) {
      this.#finishing.delete(write.write);
      this.#uncertain.add(write.write);
      this.forget();
      throw error;
    }
    this.#finishing.delete(write.write);
  }

  abort(handle: Json): void {
    const { owner, write } = handle as unknown as WriteHandle;
    if (owner.incarnation === this.owner.incarnation && this.#pending.delete(write)) {
      this.forget();
    }
  }

  /** Under another number, so that parts of the former attempt are garbage wherever they are. */
  restart(handle: Json): Json {
    const { copyNodes: _nodes, owner: _owner, replication: _replication, write: _write, ...target } = this.#end(handle);
    this.#changes++;
    return this.begin(target);
  }

  /** Rows are gone. The catalog does not wait for the workers: a worker that misses the message gets it with the next write. */
  forget(): void {
    this.#changes++;
    void this.tellWorkers();
  }

  /** As `forget`; resolves when the workers have answered. */
  async forgetNow(): Promise<void> {
    this.#changes++;
    await this.tellWorkers();
  }

  /** Tells the workers that have not heard of the last change. */
  async tellWorkers(): Promise<void> {
    const { context, keepOnly } = this.#options;
    const { callNode, catalog, nodeId: self, ports } = context;
    this.#settle();
    const live: LiveWrites = { owner: this.owner, next: this.#next, live: ranges(this.#live()) };
    const change = this.#changes;
    keepOnly(live);
    const calls = context
      .workerNodes()
      .filter((nodeId) => nodeId !== self && this.#heard.get(nodeId) !== change)
      .map(async (nodeId) => {
        try {
          await callNode(nodeId, live as unknown as Json);
          this.#heard.set(nodeId, Math.max(change, this.#heard.get(nodeId) ?? 0));
        } catch (error) {
          const reason = error instanceof Error ? error.message : "unknown failure";
          ports.log.warn("memory-tables-not-freed", { catalog, nodeId, reason });
        }
      });
    await Promise.all(calls);
  }

  #settle(): void {
    if (this.#uncertain.size > 0 && this.#options.kept.isCertain) {
      this.#uncertain.clear();
      this.#changes++;
    }
  }

  get #next(): number {
    return this.#options.kept.identity.lives * writesPerLife + this.#count + 1;
  }

  /** The workers, of a large cluster other ones for each write. */
  #copyNodes(write: number): readonly string[] {
    const workers = this.#options.replication === 1 ? [] : this.#options.context.workerNodes();
    const first = workers.length <= copyNodesMax ? 0 : write % workers.length;
    return [...workers.slice(first), ...workers.slice(0, first)].slice(0, copyNodesMax);
  }

  #end(handle: Json): WriteHandle {
    const write = handle as unknown as WriteHandle;
    assert(
      write.owner.incarnation === this.owner.incarnation && this.#pending.delete(write.write),
      `write ${write.write} of the memory connector ends once`,
    );
    return write;
  }

  #live(): readonly number[] {
    const written = this.#options.kept.state.tables().flatMap(({ writes }) => writes);
    return [...new Set([...this.#pending, ...this.#finishing, ...this.#uncertain, ...written])].toSorted((a, b) => a - b);
  }
}

/** First and last of each run of consecutive numbers. */
function ranges(sorted: readonly number[]): readonly (readonly [number, number])[] {
  const found: [number, number][] = [];
  for (const number of sorted) {
    const last = found.at(-1);
    if (last !== undefined && last[1] === number - 1) {
      last[1] = number;
    } else {
      found.push([number, number]);
    }
  }
  return found;
}
