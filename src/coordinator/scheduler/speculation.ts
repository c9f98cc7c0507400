/**
 * Speculative execution (speculative_execution_enabled): a task that runs for much longer than those of its stage that have their output
 * gets a second run on another worker. The run that first has all its output is kept, and the other one is ended. Says when; what a second
 * run is, and what its end means for readers, is decided by task-recovery.ts.
 */
import type { TaskState } from "../../execution/task/api.ts";
import type { Clock, MonotonicNanos, Timer } from "../../ports/clock.ts";
import { type Knobs, knobOf } from "../../ports/knobs.ts";
import type { RetriedTask } from "./retried-task.ts";

/** A task that may get a second run: it reads no other task, and writes nothing. */
export interface Candidate {
  readonly task: RetriedTask;
}

export interface SpeculationOptions<C extends Candidate> {
  readonly ports: { readonly clock: Clock; readonly knobs?: Knobs | undefined };
  /** The candidates of one stage. */
  readonly candidates: readonly C[];
  /** Whether a second run may begin or be kept now. */
  readonly isAllowed: () => boolean;
  /** Begins a second run, if there is a place for it. Called once for a candidate. */
  readonly begin: (candidate: C) => void;
  /** The second run has all its output, and takes the place of the first one. */
  readonly keep: (candidate: C) => void;
}

/** Of one stage in one attempt. */
export class Speculation<C extends Candidate> {
  readonly #options: SpeculationOptions<C>;
  readonly #begunNanos = new Map<C, MonotonicNanos>();
  /** Time until the output was complete, by candidate, in milliseconds. */
  readonly #tookMs = new Map<C, number>();
  readonly #begun = new Set<C>();
  #timer: Timer | undefined;
  #isClosed = false;

  constructor(options: SpeculationOptions<C>) {
    this.#options = options;
  }

  /** A run of the candidate begins: the first one, or one after a loss. */
  started(candidate: C): void {
    this.#begunNanos.set(candidate, this.#options.ports.clock.monotonicNanos());
    this.#tookMs.delete(candidate);
  }

  /** Called after every change of a run of the candidate. */
  changed(candidate: C): void {
    const { isAllowed, keep, ports } = this.#options;
    const { secondState, state } = candidate.task;
    if (this.#isClosed) {
      return;
    }
    if (!hasOutput(state)) {
      if ((secondState === "FLUSHING" || secondState === "FINISHED") && isAllowed()) {
        keep(candidate);
      }
      return;
    }
    candidate.task.endSecond();
    const begun = this.#begunNanos.get(candidate);
    if (begun !== undefined && !this.#tookMs.has(candidate)) {
      this.#tookMs.set(candidate, (ports.clock.monotonicNanos() - begun) / 1e6);
      if (this.#timer === undefined) {
        this.#look();
      }
    }
  }

  /** No second run begins or is kept from now on. */
  close(): void {
    this.#isClosed = true;
    this.#timer?.cancel();
    this.#timer = undefined;
    for (const { task } of this.#begun) {
      task.endSecond();
    }
  }

  /** Begins second runs of the tasks that are late, and looks again when the next one will be. */
  #look(): void {
    const { begin, candidates, isAllowed, ports } = this.#options;
    const limitMs = this.#limitMs;
    if (limitMs === undefined) {
      return;
    }
    const leastMs = knobOf(ports, "speculation-min-ms");
    let nextMs = Number.POSITIVE_INFINITY;
    for (const candidate of candidates) {
      const begunNanos = this.#begunNanos.get(candidate);
      if (this.#begun.has(candidate) || this.#tookMs.has(candidate) || begunNanos === undefined || candidate.task.isEnding) {
        continue;
      }
      const leftMs = limitMs - (ports.clock.monotonicNanos() - begunNanos) / 1e6;
      if (leftMs > 0) {
        nextMs = Math.min(nextMs, leftMs);
      } else if (isAllowed() && !candidate.task.waitsForMemory) {
        this.#begun.add(candidate);
        begin(candidate);
      } else {
        nextMs = Math.min(nextMs, leastMs);
      }
    }
    if (Number.isFinite(nextMs) && !this.#isClosed) {
      this.#timer = ports.clock.timer("task-speculation", Math.max(1, Math.ceil(nextMs)), () => {
        this.#timer = undefined;
        this.#look();
      });
    }
  }

  /** How long a task may run; undefined as long as less than half of the stage has its output. */
  get #limitMs(): number | undefined {
    const { candidates, ports } = this.#options;
    const took = [...this.#tookMs.values()].sort((a, b) => a - b);
    if (took.length * 2 < candidates.length || took.length === candidates.length) {
      return undefined;
    }
    const median = took[Math.floor(took.length / 2)] as number;
    return Math.max(knobOf(ports, "speculation-min-ms"), (median * knobOf(ports, "speculation-percent")) / 100);
  }
}

/** Nothing that is left to do depends on the worker's speed, or nobody needs it. */
function hasOutput(state: TaskState): boolean {
  return state !== "PLANNED" && state !== "RUNNING";
}
