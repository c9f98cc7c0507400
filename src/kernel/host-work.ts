/**
 * Work of host functions that may take long, such as the loops of a function written in SQL, in slices. A kernel runs a page at once and cannot be left in its
 * midst. So a slice ends by an exception through the kernel, and the page is run again from its beginning: calls that had ended give what they gave, and the
 * call that was cut goes on from its frame. Slices are counted in steps, never in time, so that a page does the same on every run.
 */
import { QueryError } from "../protocol/errors.ts";

/** Thrown through kernels where a slice ends. */
class SliceEnded extends Error {
  override readonly name = "SliceEnded";
}

type Ended = ({ readonly value: unknown } | { readonly error: QueryError }) & { readonly draws: bigint };

/** The calls at one depth, in the order they are made. */
interface Level {
  readonly ended: Ended[];
  /** Number of the next call among them. */
  position: number;
  /** Of the call that was cut, which is the one behind those that ended. */
  frame: CutFrame | undefined;
}

interface CutFrame {
  readonly of: unknown;
  /** The state of random draws before the step that was cut. */
  readonly draws: bigint;
}

/** The state of random draws of the kernel that calls. */
export interface Draws {
  get(): bigint;
  set(state: bigint): void;
}

export interface LongCall<F, V> {
  begin(): F;
  /** Tells each step before it does it; what `step` throws then ends the call for now, and the frame is kept. */
  run(frame: F, step: () => void): V;
  readonly draws: Draws;
}

/** What is known of a page that was cut. Made by who runs the page, kept until it is through. */
export class WorkReplay {
  readonly #levels: Level[] = [];

  level(depth: number): Level {
    let level = this.#levels[depth];
    if (level === undefined) {
      level = { ended: [], position: 0, frame: undefined };
      this.#levels[depth] = level;
    }
    return level;
  }
}

function forget(level: Level): void {
  level.ended.length = 0;
  level.position = 0;
  level.frame = undefined;
}

/** Of a slice: some tenths of a second in the interpreter. */
const sliceStepsMax = 50_000;
/** Of a call where nothing can be cut: conditions of joins, constants of the statement. */
const uncutStepsMax = 100_000;

export class HostWork {
  #replay: WorkReplay | undefined;
  #depth = 0;
  #stepsLeft = 0;

  /** Undefined where the slice ended: the same attempt is to be made again with the same replay. */
  slice<T>(replay: WorkReplay, attempt: () => T): { readonly result: T | undefined; readonly steps: number } {
    this.#replay = replay;
    this.#stepsLeft = sliceStepsMax;
    this.#depth = 0;
    replay.level(0).position = 0;
    try {
      return { result: attempt(), steps: sliceStepsMax - this.#stepsLeft };
    } catch (error) {
      if (!(error instanceof SliceEnded)) {
        throw error;
      }
      return { result: undefined, steps: sliceStepsMax };
    } finally {
      this.#replay = undefined;
    }
  }

  /** `run` may throw QueryErrors and no other errors of rows. */
  call<F, V>(given: LongCall<F, V>): V {
    return this.#replay === undefined ? this.#uncut(given) : this.#sliced(this.#replay, given);
  }

  #uncut<F, V>({ begin, run }: LongCall<F, V>): V {
    if (this.#depth === 0) {
      this.#stepsLeft = uncutStepsMax;
    }
    this.#depth++;
    try {
      return run(begin(), () => {
        if (this.#stepsLeft-- <= 0) {
          throw new QueryError(
            "GENERIC_USER_ERROR",
            `SQL function did not end within ${uncutStepsMax} steps where it cannot be interrupted`,
          );
        }
      });
    } finally {
      this.#depth--;
    }
  }

  #sliced<F, V>(replay: WorkReplay, { begin, draws, run }: LongCall<F, V>): V {
    const level = replay.level(this.#depth);
    const known = level.ended[level.position];
    if (known !== undefined) {
      level.position++;
      draws.set(known.draws);
      if ("error" in known) {
        throw known.error;
      }
      return known.value as V;
    }
    const inner = replay.level(this.#depth + 1);
    const cut = level.frame;
    level.frame = undefined;
    if (cut === undefined) {
      forget(inner);
    } else {
      inner.position = 0;
      draws.set(cut.draws);
    }
    let drawsBefore = draws.get();
    const frame = cut === undefined ? begin() : (cut.of as F);
    let isResumed = cut !== undefined;
    this.#depth++;
    try {
      const value = run(frame, () => {
        // Calls of the step that was cut are known; those of the steps behind it are others.
        if (!isResumed) {
          forget(inner);
          drawsBefore = draws.get();
        }
        isResumed = false;
        if (this.#stepsLeft-- <= 0) {
          throw new SliceEnded();
        }
      });
      level.ended.push({ value, draws: draws.get() });
      level.position++;
      return value;
    } catch (error) {
      if (error instanceof SliceEnded) {
        level.frame = { of: frame, draws: drawsBefore };
      } else if (error instanceof QueryError) {
        level.ended.push({ error, draws: draws.get() });
        level.position++;
      }
      throw error;
    } finally {
      this.#depth--;
    }
  }
}
