/**
 * Chaos on a real server (`npm start -- --chaos`): the rules at its door, and what they end. Worker threads are terminated, and start
 * again as after any death; the coordinator restarts within the process and forgets its queries.
 */
import { ChaosDoor } from "../../chaos/door.ts";
import type { ChaosTarget } from "../../chaos/target.ts";
import { chaosHeader } from "../../chaos/header.ts";
import { chaosPath } from "../../chaos/resource.ts";
import type { WorkerThreads } from "../threads/worker-threads.ts";

/** The nodes of this process. */
interface Nodes {
  readonly threads: Pick<WorkerThreads, "names" | "kill">;
  /** Undefined if the coordinator records. */
  readonly restartCoordinator: (() => Promise<void>) | undefined;
}

export class ServerChaos implements ChaosTarget {
  readonly seed: string;
  readonly door: ChaosDoor;
  readonly advance = undefined;
  readonly #startedMs = performance.now();
  #nodes: Nodes | undefined;

  constructor(seed: string) {
    this.seed = seed;
    this.door = new ChaosDoor(this);
  }

  attach(nodes: Nodes): void {
    this.#nodes = nodes;
  }

  get workers(): readonly string[] {
    return this.#nodes?.threads.names ?? [];
  }

  get restartCoordinator(): (() => Promise<void>) | undefined {
    return this.#nodes?.restartCoordinator;
  }

  nowMs(): number {
    return Math.floor(performance.now() - this.#startedMs);
  }

  pause(delayMs: number): Promise<void> {
    return new Promise((resolve) => {
      setTimeout(resolve, delayMs).unref();
    });
  }

  killWorker(name: string): void {
    this.#nodes?.threads.kill(name);
  }
}

export const chaosWarning = `WARNING: started with --chaos: everybody who reaches this server can make requests fail and end its nodes (${chaosPath}, ${chaosHeader})\n`;
