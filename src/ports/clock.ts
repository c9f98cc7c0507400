/**
 * Time as a node sees it. Monotonic nanoseconds measure durations, wall milliseconds are for display, and the two never mix. In production
 * they come from the process, in the simulator from the event queue.
 */

declare const monotonic: unique symbol;
declare const wall: unique symbol;

/** Nanoseconds since an arbitrary start; never decreases. Only differences are meaningful. */
export type MonotonicNanos = number & { readonly [monotonic]: true };
/** Milliseconds since 1970-01-01T00:00:00Z; may jump. For display and identifiers only. */
export type WallMillis = number & { readonly [wall]: true };

export interface Timer {
  /** Idempotent; a cancelled timer never calls back. */
  cancel(): void;
}

export interface Clock {
  monotonicNanos(): MonotonicNanos;
  wallMillis(): WallMillis;
  /**
   * CPU nanoseconds that this node's thread has used so far. They never grow faster than monotonic time, and not at all where the platform
   * does not tell them: time that passes is never counted as CPU time. `workUnits` is what was done since the last turn: a simulated node,
   * whose time stands still within a slice, counts it at the cost of a unit.
   */
  cpuNanos(workUnits: number): number;
  /** Calls back once, `delayMs` (>= 0) from now. `label` names the timer in traces: `task-status-poll`. */
  timer(label: string, delayMs: number, callback: () => void): Timer;
  /**
   * Ends the current slice of work, so that pending requests and timers are served before the caller continues. `workUnits` is the work
   * since the last turn, about one unit per row; a simulated node advances its clock for it.
   */
  turn(workUnits: number): Promise<void>;
}

/** Resolves after `delayMs`. It cannot be cancelled; a caller that no longer waits ignores the result. */
export function sleep(clock: Clock, label: string, delayMs: number): Promise<void> {
  return new Promise((resolve) => {
    clock.timer(label, delayMs, resolve);
  });
}

/** Resolves when the work has ended, with or without an error, and at the latest after this time in milliseconds. */
export function within(clock: Clock, label: string, work: Promise<unknown>, waitMs: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = clock.timer(label, waitMs, resolve);
    const done = (): void => {
      timer.cancel();
      resolve();
    };
    work.then(done, done);
  });
}
