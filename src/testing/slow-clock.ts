/** The clock of a node that can be made slower than its machine. */
import { RealClock } from "../server/ports/clock.ts";

/** A driver's slice is bounded by `task.max-slice-time`, so a longer pause between two turns was no work. In milliseconds. */
const sliceMsMax = 100;

export class SlowClock extends RealClock {
  /** The node works this many times slower: after each slice it rests. */
  factor = 1;
  #resumedMs = performance.now();

  override async turn(workUnits: number): Promise<void> {
    const workedMs = Math.min(sliceMsMax, performance.now() - this.#resumedMs);
    await super.turn(workUnits);
    if (this.factor > 1) {
      await new Promise<void>((resolve) => {
        this.timer("slow-node", workedMs * (this.factor - 1), resolve);
      });
    }
    this.#resumedMs = performance.now();
  }
}
