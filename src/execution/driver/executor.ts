/**
 * The single processor of a node. It runs one driver at a time in bounded slices, round-robin over queries and, within a query, over its
 * drivers. It sleeps when nothing is runnable: no timer, no loop.
 */
import type { Clock } from "../../ports/clock.ts";
import type { FaultPoints } from "../../ports/points.ts";
import { assert } from "../../protocol/errors.ts";

export interface SliceOutcome {
  /** Work of the slice; about one unit a row. A simulated node converts it to time. */
  readonly workUnits: number;
  /** True if the work needs another slice in its turn. False if it is blocked and will be scheduled again, or has ended. */
  readonly runnable: boolean;
}

/** Work that runs in slices. `runSlice` never throws. */
export interface SliceWork {
  readonly queryId: string;
  runSlice(): SliceOutcome;
}

export interface TaskExecutor {
  /** Appends the work to its query's queue. Scheduling work that is already in a queue fails an assertion. */
  schedule(work: SliceWork): void;
  /** Removes the work from its queue, if it is in one. */
  remove(work: SliceWork): void;
  /** Stops: no further slice runs. */
  close(): void;
}

interface QueryQueue {
  readonly queryId: string;
  readonly waiting: SliceWork[];
}

export function createTaskExecutor(clock: Clock, points: FaultPoints): TaskExecutor {
  return new RoundRobinExecutor(clock, points);
}

class RoundRobinExecutor implements TaskExecutor {
  readonly #clock: Clock;
  readonly #points: FaultPoints;
  /** Queues in order of their next turn; none is empty. */
  readonly #ring: QueryQueue[] = [];
  #queued = new Set<SliceWork>();
  #awake = false;
  #closed = false;

  constructor(clock: Clock, points: FaultPoints) {
    this.#clock = clock;
    this.#points = points;
  }

  schedule(work: SliceWork): void {
    if (this.#closed) {
      return;
    }
    assert(!this.#queued.has(work), "a driver is queued at most once");
    this.#queued.add(work);
    const queue = this.#ring.find((candidate) => candidate.queryId === work.queryId);
    if (queue === undefined) {
      this.#ring.push({ queryId: work.queryId, waiting: [work] });
    } else {
      queue.waiting.push(work);
    }
    if (!this.#awake) {
      this.#awake = true;
      void this.#run();
    }
  }

  remove(work: SliceWork): void {
    if (!this.#queued.delete(work)) {
      return;
    }
    const index = this.#ring.findIndex((candidate) => candidate.queryId === work.queryId);
    const queue = this.#ring[index] as QueryQueue;
    queue.waiting.splice(queue.waiting.indexOf(work), 1);
    if (queue.waiting.length === 0) {
      this.#ring.splice(index, 1);
    }
  }

  close(): void {
    this.#closed = true;
    this.#ring.length = 0;
    this.#queued.clear();
  }

  async #run(): Promise<void> {
    // The caller of `schedule` has not finished its own step: the first slice waits for the next turn.
    await this.#clock.turn(0);
    for (let work = this.#take(); work !== undefined; work = this.#take()) {
      const outcome = work.runSlice();
      if (outcome.runnable && !this.#closed) {
        this.schedule(work);
      }
      await this.#clock.turn(outcome.workUnits);
    }
    this.#awake = false;
    // A set that is used on keeps its former members until a full collection (docs/performance.md, "Warm-up").
    this.#queued = new Set();
  }

  #take(): SliceWork | undefined {
    const queue = this.#points.fires("slice-out-of-turn") ? this.#ring.pop() : this.#ring.shift();
    const work = queue?.waiting.shift();
    if (queue === undefined || work === undefined) {
      return undefined;
    }
    if (queue.waiting.length > 0) {
      this.#ring.push(queue);
    }
    this.#queued.delete(work);
    return work;
  }
}
