/**
 * A node's one processor: runs one driver at a time in bounded slices, in turn between queries and, within a query, between its drivers. Sleeps when
 * nothing is runnable: no timer, no loop. Made once by node.ts; tasks put their drivers in.
 */
import type { Clock } from "../../ports/clock.ts";
import type { FaultPoints } from "../../ports/points.ts";
import { assert } from "../../protocol/errors.ts";

export interface SliceOutcome {
  /** About one a row; a simulated node takes time for it. */
  readonly workUnits: number;
  /** True: wants another slice in its turn. False: someone will schedule it again, or it has ended. */
  readonly runnable: boolean;
}

/** Something that runs in slices. Its runSlice never throws. */
export interface SliceWork {
  readonly queryId: string;
  runSlice(): SliceOutcome;
}

export interface TaskExecutor {
  /** Puts it at the end of its query's queue. Scheduling what is already in a queue is an assertion. */
  schedule(work: SliceWork): void;
  /** Takes it out of its queue, if it is in one. */
  remove(work: SliceWork): void;
  /** Runs no more slices. */
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
  /** In order of their next turn; none is empty. */
  readonly #ring: QueryQueue[] = [];
  readonly #queued = new Set<SliceWork>();
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
    // Whoever schedules is in the middle of something: the first slice waits for the next turn.
    await this.#clock.turn(0);
    for (let work = this.#take(); work !== undefined; work = this.#take()) {
      const outcome = work.runSlice();
      if (outcome.runnable && !this.#closed) {
        this.schedule(work);
      }
      await this.#clock.turn(outcome.workUnits);
    }
    this.#awake = false;
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
