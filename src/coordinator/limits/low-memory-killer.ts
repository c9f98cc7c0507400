/**
 * Ends a query when nodes have been without memory for a while (query.low-memory-killer.policy of Trino): while tasks wait for memory, it
 * looks at the latest reports of all tasks. The next query is ended only after the last one has given its memory back, and the nodes have
 * been blocked for the whole delay again.
 */
import type { Clock, MonotonicNanos, Timer } from "../../ports/clock.ts";
import type { Ports } from "../../ports/ports.ts";
import { isEndedTask } from "../../execution/task/state.ts";
import type { Query } from "../query/query.ts";
import type { StageTask } from "../scheduler/stage-task.ts";
import type { LowMemoryKillerConfig } from "./low-memory-policy.ts";

export interface LowMemoryKillerOptions {
  readonly ports: Pick<Ports, "clock" | "log">;
  readonly config: LowMemoryKillerConfig;
  /** Those that have not ended, in the order of their creation. */
  readonly queries: () => readonly Query[];
  /** Whether the node at this address is gone. Its tasks wait for nothing, and their end gives no memory back. */
  readonly isGone: (uri: string) => boolean;
}

/** Times at which a wait is looked at, in milliseconds. */
const lookMsMin = 10;
const lookMsMax = 1000;

export class LowMemoryKiller {
  readonly #options: LowMemoryKillerOptions;
  readonly #clock: Clock;
  #timer: Timer | undefined;
  /** Since then some node has been blocked at each look, and no query was being ended. */
  #blockedSince: MonotonicNanos | undefined;
  #victim: Query | undefined;
  #closed = false;

  constructor(options: LowMemoryKillerOptions) {
    this.#options = options;
    this.#clock = options.ports.clock;
  }

  /** A task waits for memory. */
  noticed(): void {
    if (this.#options.config.policy !== "none" && this.#timer === undefined && !this.#closed) {
      this.#blockedSince = this.#clock.monotonicNanos();
      this.#arm();
    }
  }

  close(): void {
    this.#closed = true;
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  #arm(): void {
    const lookMs = Math.max(lookMsMin, Math.min(lookMsMax, Math.floor(this.#options.config.delayMs / 4)));
    this.#timer = this.#clock.timer("low-memory-killer", lookMs, () => {
      this.#timer = undefined;
      this.#look();
    });
  }

  #look(): void {
    const queries = this.#options.queries();
    const blocked = new Set(
      queries.flatMap((query) => this.#liveTasks(query).flatMap((task) => (task.waitsForMemory ? [task.nodeId] : []))),
    );
    if (blocked.size === 0) {
      this.#blockedSince = undefined;
      return;
    }
    const now = this.#clock.monotonicNanos();
    if (this.#victim !== undefined && !this.#victim.settled) {
      this.#blockedSince = now;
    } else if (now - (this.#blockedSince ?? now) >= this.#options.config.delayMs * 1e6) {
      this.#kill(queries, blocked);
      this.#blockedSince = now;
    }
    this.#arm();
  }

  #kill(queries: readonly Query[], blocked: ReadonlySet<string>): void {
    const { config, ports } = this.#options;
    let largest: Query | undefined;
    let largestBytes = 0;
    for (const query of queries) {
      const tasks = this.#liveTasks(query).filter(({ nodeId }) => config.policy === "total-reservation" || blocked.has(nodeId));
      const bytes = tasks.reduce((sum, { counters }) => sum + (counters?.memoryReservationBytes ?? 0), 0);
      if (bytes > largestBytes) {
        largest = query;
        largestBytes = bytes;
      }
    }
    if (largest !== undefined) {
      this.#victim = largest;
      ports.log.info("query-killed-out-of-memory", { queryId: largest.id, bytes: largestBytes, nodes: [...blocked].join(" ") });
      largest.fail({
        errorName: "CLUSTER_OUT_OF_MEMORY",
        message: "Query killed because the cluster is out of memory. Please try again in a few minutes.",
      });
    }
  }

  #liveTasks({ execution }: Query): readonly StageTask[] {
    return (execution?.tasks ?? []).filter(({ state, nodeUri }) => !isEndedTask(state) && !this.#options.isGone(nodeUri));
  }
}
