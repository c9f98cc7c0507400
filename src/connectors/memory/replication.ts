/**
 * Keeps as many copies of each part as memory.replication says: after a worker has died, and while one leaves, the coordinator has the
 * parts that it had copied to other workers, one after the other.
 */
import type { Timer } from "../../ports/clock.ts";
import { QueryError } from "../../protocol/errors.ts";
import type { ConnectorContext } from "../spi.ts";
import { copyPart } from "./copies.ts";
import type { PartCopy, StoredPart } from "./table.ts";

/** A node that could not make a copy is asked again after this time. */
const againMs = 10_000;

export interface LocatedPart {
  readonly part: StoredPart;
  /** Name of its table, for errors. */
  readonly table: string;
}

export interface ReplicationOptions {
  readonly context: ConnectorContext;
  /** Value of memory.replication. */
  readonly replication: number;
  /** All parts of all tables. */
  readonly parts: () => readonly LocatedPart[];
  /** Records where a part is. */
  readonly place: (part: string, copies: readonly PartCopy[]) => Promise<void>;
  /** True if it is not known yet whether the node of the copy runs. Counts as a copy. */
  readonly mayReturn: (copy: PartCopy) => boolean;
}

export class Replication {
  readonly #options: ReplicationOptions;
  readonly #unsubscribe: () => void;
  /** Incarnations of nodes that leave. */
  readonly #leaving = new Map<string, string>();
  #isRunning = false;
  #isAsked = false;
  #isClosed = false;
  #timer: Timer | undefined;
  /** Parts that were copied; turns the list of workers. */
  #copied = 0;

  constructor(options: ReplicationOptions) {
    this.#options = options;
    this.#unsubscribe = options.replication > 1 ? options.context.onNodesChange(() => this.wake()) : () => undefined;
  }

  /** True if the node with the copy runs, and has not restarted since. */
  isAlive({ life, nodeId }: PartCopy): boolean {
    const now = this.#options.context.incarnationOf(nodeId);
    return now !== undefined && (now === life || now === "" || life === "");
  }

  /** Makes missing copies. */
  wake(): void {
    if (this.#isClosed) {
      return;
    }
    this.#isAsked = true;
    if (!this.#isRunning) {
      this.#isRunning = true;
      this.#timer?.cancel();
      this.#timer = undefined;
      void this.#run();
    }
  }

  /** A node leaves. Returns the number of its parts that have yet to be copied to others. */
  leave(nodeId: string, life: string): number {
    for (const [former, its] of this.#leaving) {
      if (this.#options.context.incarnationOf(former) !== its) {
        this.#leaving.delete(former);
      }
    }
    this.#leaving.set(nodeId, life);
    const isOnIt = ({ part }: LocatedPart): boolean => part.copies.some((copy) => copy.nodeId === nodeId && this.isAlive(copy));
    const missing = this.#options.parts().filter((located) => isOnIt(located) && this.#targetsOf(located.part).length > 0).length;
    if (missing > 0) {
      this.wake();
    }
    return missing;
  }

  /** True if the part has as many copies as there can be. */
  isComplete(part: StoredPart): boolean {
    return this.#targetsOf(part).length === 0;
  }

  /** Number of parts that have a copy, and could have more. */
  missing(): number {
    const { parts, replication } = this.#options;
    return replication === 1 && this.#leaving.size === 0
      ? 0
      : parts().filter(({ part }) => part.copies.some((copy) => this.isAlive(copy)) && !this.isComplete(part)).length;
  }

  close(): void {
    this.#isClosed = true;
    this.#timer?.cancel();
    this.#unsubscribe();
  }

  async #run(): Promise<void> {
    const { context, parts } = this.#options;
    const refused = new Set<string>();
    while (this.#isAsked && !this.#isClosed) {
      this.#isAsked = false;
      for (const { part, table } of parts()) {
        for (let target = this.#nextTarget(part, refused); target !== undefined; target = this.#nextTarget(part, refused)) {
          await this.#copy(part, table, target).catch((error: unknown) => {
            const reason = error instanceof Error ? error.message : "unknown failure";
            context.ports.log.warn("memory-part-not-copied", { catalog: context.catalog, nodeId: String(target), reason });
            refused.add(String(target));
          });
        }
      }
    }
    this.#isRunning = false;
    if (refused.size > 0 && !this.#isClosed) {
      this.#timer = context.ports.clock.timer("memory-copies-again", againMs, () => this.wake());
    }
  }

  #nextTarget(part: StoredPart, refused: ReadonlySet<string>): string | undefined {
    const targets = this.#isClosed || !part.copies.some((copy) => this.isAlive(copy)) ? [] : this.#targetsOf(part);
    const first = targets.length === 0 ? 0 : this.#copied % targets.length;
    return [...targets.slice(first), ...targets.slice(0, first)].find((nodeId) => !refused.has(nodeId));
  }

  /** Workers that could have one more copy of the part; none if it has enough. */
  #targetsOf({ copies }: StoredPart): readonly string[] {
    const { context, mayReturn, replication } = this.#options;
    const workers = context.workerNodes().filter((nodeId) => !this.#isLeaving(nodeId));
    const isThere = (copy: PartCopy): boolean => workers.includes(copy.nodeId) && this.isAlive(copy);
    const places = copies.filter((copy) => isThere(copy) || mayReturn(copy)).map(({ nodeId }) => nodeId);
    return places.length >= replication ? [] : workers.filter((nodeId) => !places.includes(nodeId));
  }

  #isLeaving(nodeId: string): boolean {
    const life = this.#leaving.get(nodeId);
    return life !== undefined && life === this.#options.context.incarnationOf(nodeId);
  }

  async #copy(part: StoredPart, table: string, target: string): Promise<void> {
    const { context, mayReturn, parts, place } = this.#options;
    const from = part.copies.filter((copy) => this.isAlive(copy));
    const isOver = (): boolean => this.#isClosed || !parts().some((one) => one.part === part);
    const copy = await copyPart(context, { part: part.part, table, from, target, isOver });
    this.#copied++;
    if (copy !== undefined && !this.isAlive(copy)) {
      throw new QueryError("REMOTE_HOST_GONE", `Node ${target} has restarted`);
    }
    if (copy === undefined) {
      // The table was dropped, or the catalog.
      part.copies = [];
      return;
    }
    const others = part.copies.filter((one) => one.nodeId !== target && (this.isAlive(one) || mayReturn(one)));
    await place(part.part, [...others, copy]);
  }
}
