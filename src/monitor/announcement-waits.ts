/**
 * Nodes that wait at the coordinator for as long as it knows them. The connection of such a wait tells a worker at once that the
 * coordinator's process has ended.
 */
import type { Clock } from "../ports/clock.ts";
import type { RequestContext } from "../ports/network.ts";

export class AnnouncementWaits {
  readonly #clock: Clock;
  readonly #ends = new Map<string, Set<() => void>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Resolves when the wait of this node is ended, when `waitMs` have passed, or when nobody waits for the answer any more. */
  wait(nodeId: string, waitMs: number, context: RequestContext): Promise<void> {
    if (waitMs <= 0 || context.isAborted()) {
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      const ends = this.#ends.get(nodeId) ?? new Set();
      this.#ends.set(nodeId, ends);
      const done = (): void => {
        timer.cancel();
        ends.delete(done);
        if (ends.size === 0 && this.#ends.get(nodeId) === ends) {
          this.#ends.delete(nodeId);
        }
        resolve();
      };
      const timer = this.#clock.timer("announcement-wait", waitMs, done);
      ends.add(done);
      context.onAbort(done);
    });
  }

  get size(): number {
    return [...this.#ends.values()].reduce((sum, ends) => sum + ends.size, 0);
  }

  /** Ends the waits of a node that is no longer announced. */
  end(nodeId: string): void {
    for (const done of Array.from(this.#ends.get(nodeId) ?? [])) {
      done();
    }
  }

  endAll(): void {
    for (const nodeId of Array.from(this.#ends.keys())) {
      this.end(nodeId);
    }
  }
}
