/**
 * Runs host functions in slices. A slice ends between two rows of a page, where the kernel returns (functions/runtime/host.ts), or within a
 * long call, such as the loops of a SQL function: a kernel cannot be suspended within a row. There the slice ends with an exception
 * through the kernel, and the row is run again from its beginning: completed calls return their recorded results, and the interrupted call
 * resumes from its frame. Slices are counted in steps, never in time, so that a page behaves the same on every run.
 */
import { assert, QueryError } from "../protocol/errors.ts";

/** Thrown through kernels at the end of a slice. */
class SliceEnded extends Error {
  override readonly name = "SliceEnded";
}

type Ended = ({ readonly value: unknown; readonly bytes: number } | { readonly error: QueryError }) & { readonly draws: bigint };

/** The calls at one nesting depth, in call order. */
interface Level {
  readonly ended: Ended[];
  /** Bytes of the recorded values. */
  bytes: number;
  /** Ordinal of the next call. */
  position: number;
  /** Frame of the interrupted call, which follows the completed ones. */
  frame: CutFrame | undefined;
}

interface CutFrame {
  readonly of: unknown;
  /** State of the random generator before the interrupted step. */
  readonly draws: bigint;
}

/** State of the random generator of the calling kernel. */
export interface Draws {
  get(): bigint;
  set(state: bigint): void;
}

/** Progress reports of a call. All methods may throw. */
export interface WorkWatch {
  step(): void;
  /** Reports that the frame holds `bytes` more. */
  hold(bytes: number): void;
  /** Reports that `bytes` are processed; they count as steps. */
  spend(bytes: number): void;
  /** Reports that `steps` more are done. */
  work(steps: number): void;
}

export interface LongCall<F, V> {
  begin(): F;
  /** Reports each step to the watch before it runs. If the watch throws, the call ends for now and the frame is kept. */
  run(frame: F, watch: WorkWatch): V;
  readonly draws: Draws;
  /** Approximate memory of a frame, and of a value; both are kept until the page is done. */
  bytesOfFrame(frame: F): number;
  bytesOf(value: V): number;
}

/** Recorded state of an interrupted page. The code that runs the page creates it and keeps it until the page is done. */
export class WorkReplay {
  readonly #levels: Level[] = [];
  /** Row of the page that the recorded calls belong to. */
  row = 0;

  level(depth: number): Level {
    let level = this.#levels[depth];
    if (level === undefined) {
      level = { ended: [], bytes: 0, position: 0, frame: undefined };
      this.#levels[depth] = level;
    }
    return level;
  }

  get bytes(): number {
    return this.#levels.reduce((sum, { bytes }) => sum + bytes, 0);
  }
}

export interface Slice<T> {
  /** Undefined if the attempt is not done. */
  readonly result: T | undefined;
  /** The slice ended within a call: the replay is needed for the next attempt. */
  readonly isCut: boolean;
  readonly steps: number;
  /** What the calls of a cut slice hold until they go on: charge them to the query. */
  readonly heldBytes: number;
}

/** Steps that several attempts may take together. */
export interface WorkBudget {
  stepsLeft: number;
}

/** What is left of a budget that is used up: enough for an expression of few small values. */
const leastBudget = 256;

/** Limit on the steps of a call that cannot be interrupted: conditions of row patterns. */
const uncutStepsMax = 1_000_000;
/** Bytes of values whose processing costs about as much as a step. */
const bytesPerStep = 256;

/**
 * Limit on frames and values together. They are JavaScript objects, not memory of the query's pages; between slices, when another query may
 * run, they are charged to the query.
 */
const heldBytesMax = 512 << 20;

function uncuttable(): QueryError {
  return new QueryError("GENERIC_USER_ERROR", `Function did not end within ${uncutStepsMax} steps where it cannot be interrupted`);
}

function tooLong(): QueryError {
  return new QueryError("GENERIC_USER_ERROR", "Expression takes too long to be computed while the query is planned");
}

export class HostWork {
  /** Steps of a slice: some tenths of a second in the interpreter. */
  readonly #sliceStepsMax: number;
  #replay: WorkReplay | undefined;
  #rowOf: () => number = () => 0;
  #depth = 0;
  #stepsLeft = 0;
  #heldBytes = 0;
  /** The slice repeats work that was counted before, up to the interrupted call. */
  #isRepeating = false;
  /** Within `limited`. */
  #isLimited = false;
  readonly #hold = (bytes: number): void => {
    this.#heldBytes += bytes;
    if (this.#heldBytes > heldBytesMax) {
      throw new QueryError("EXCEEDED_FUNCTION_MEMORY_LIMIT", `Values of functions take more than ${heldBytesMax >> 20}MB`);
    }
  };

  readonly #spend = (bytes: number): void => {
    this.#stepsLeft -= Math.floor(bytes / bytesPerStep);
  };
  readonly #work = (steps: number): void => {
    this.#stepsLeft -= steps;
  };

  constructor(sliceStepsMax: number) {
    this.#sliceStepsMax = sliceStepsMax;
  }

  /** Whether the steps of the current slice are used up, so that the kernel returns after this row. */
  get isOver(): boolean {
    return this.#replay !== undefined && this.#stepsLeft <= 0;
  }

  /** Within `slice`, so that a long call can be left. */
  get isSliced(): boolean {
    return this.#replay !== undefined;
  }

  /**
   * Counts the work of a call that is not a long one. Throws QueryError if it exceeds the limit of `limited`: call it before work whose
   * amount is known.
   */
  count(steps: number): void {
    if (this.#isRepeating) {
      return;
    }
    this.#stepsLeft -= steps;
    if (this.#isLimited && this.#stepsLeft < 0) {
      throw tooLong();
    }
  }

  /**
   * Reports that `bytes` of arguments were written for a call. On the way to an interrupted call they were written before: the slice gets
   * as much more, so that large arguments are not written many times for each part of the work on them.
   */
  wrote(bytes: number): void {
    if (this.#isRepeating) {
      this.#stepsLeft += Math.floor(bytes / bytesPerStep);
    }
  }

  /** Runs an attempt that cannot be interrupted, on a budget that it takes its steps from. Fails with a QueryError if they are too many. */
  limited<T>(budget: WorkBudget, attempt: () => T): T {
    assert(this.#replay === undefined && !this.#isLimited, "work is limited outside of slices");
    this.#isLimited = true;
    this.#stepsLeft = budget.stepsLeft;
    this.#heldBytes = 0;
    try {
      return attempt();
    } finally {
      this.#isLimited = false;
      budget.stepsLeft = Math.max(leastBudget, this.#stepsLeft);
    }
  }

  /**
   * Without a result the caller repeats the attempt: with the same replay if the slice was cut, otherwise, because the attempt returned
   * undefined after some of its rows, with a new one. `rowOf` tells the row whose calls run, if the attempt begins again at the row that
   * it had reached, and not at its first one.
   */
  slice<T>(replay: WorkReplay, attempt: () => T, rowOf: () => number = () => 0): Slice<T> {
    this.#replay = replay;
    this.#rowOf = rowOf;
    this.#stepsLeft = this.#sliceStepsMax;
    this.#depth = 0;
    this.#heldBytes = replay.bytes;
    this.#isRepeating = replay.level(0).frame !== undefined;
    replay.level(0).position = 0;
    try {
      return { result: attempt(), isCut: false, steps: this.#sliceStepsMax - this.#stepsLeft, heldBytes: 0 };
    } catch (error) {
      if (!(error instanceof SliceEnded)) {
        throw error;
      }
      return { result: undefined, isCut: true, steps: this.#sliceStepsMax - this.#stepsLeft, heldBytes: this.#heldBytes };
    } finally {
      this.#replay = undefined;
      this.#isRepeating = false;
    }
  }

  /** `run` may throw QueryError, and no other row errors. */
  call<F, V>(given: LongCall<F, V>): V {
    return this.#replay === undefined ? this.#uncut(given) : this.#sliced(this.#replay, given);
  }

  #uncut<F, V>({ begin, bytesOfFrame, run }: LongCall<F, V>): V {
    if (this.#depth === 0 && !this.#isLimited) {
      this.#stepsLeft = uncutStepsMax;
      this.#heldBytes = 0;
    }
    const heldBefore = this.#heldBytes;
    this.#depth++;
    const step = (): void => {
      if (this.#stepsLeft-- <= 0) {
        throw this.#isLimited ? tooLong() : uncuttable();
      }
    };
    try {
      const frame = begin();
      this.#hold(bytesOfFrame(frame));
      return run(frame, { step, hold: this.#hold, spend: this.#spend, work: this.#work });
    } finally {
      this.#depth--;
      this.#heldBytes = heldBefore;
    }
  }

  #forget(level: Level): void {
    this.#heldBytes -= level.bytes;
    level.ended.length = 0;
    level.bytes = 0;
    level.position = 0;
    level.frame = undefined;
  }

  #end(replay: WorkReplay, ended: Ended, heldBefore: number): void {
    const level = replay.level(this.#depth - 1);
    // The recorded calls inside this call are no longer needed.
    this.#forget(replay.level(this.#depth));
    const bytes = "bytes" in ended ? ended.bytes : 0;
    this.#heldBytes = heldBefore + bytes;
    level.ended.push(ended);
    level.bytes += bytes;
    level.position++;
  }

  #sliced<F, V>(replay: WorkReplay, { begin, bytesOf, bytesOfFrame, draws, run }: LongCall<F, V>): V {
    const level = replay.level(this.#depth);
    if (this.#depth === 0) {
      const row = this.#rowOf();
      if (row !== replay.row) {
        replay.row = row;
        this.#forget(level);
      }
    }
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
      this.#forget(inner);
    } else {
      inner.position = 0;
      draws.set(cut.draws);
    }
    let drawsBefore = draws.get();
    const frame = cut === undefined ? begin() : (cut.of as F);
    let isResumed = cut !== undefined;
    // The resumed step contains an interrupted call. The work before that call was counted already, and must not end the slice again before
    // the call makes progress.
    let isOnTheWay = isResumed && inner.frame !== undefined;
    const step = (): void => {
      // Recorded calls belong to the interrupted step; later steps make new calls. That step was counted before, so that every slice gets
      // beyond it.
      if (isResumed) {
        isResumed = false;
        return;
      }
      this.#forget(inner);
      isOnTheWay = false;
      drawsBefore = draws.get();
      if (this.#stepsLeft-- <= 0) {
        throw new SliceEnded();
      }
    };
    const spend = (bytes: number): void => {
      if (!isOnTheWay) {
        this.#spend(bytes);
      }
    };
    const work = (steps: number): void => {
      if (!isOnTheWay) {
        this.#work(steps);
      }
    };
    this.#isRepeating = isOnTheWay;
    const heldBefore = this.#heldBytes - inner.bytes;
    this.#depth++;
    try {
      this.#hold(bytesOfFrame(frame));
      const value = run(frame, { step, hold: this.#hold, spend, work });
      this.#end(replay, { value, bytes: bytesOf(value), draws: draws.get() }, heldBefore);
      return value;
    } catch (error) {
      if (error instanceof SliceEnded) {
        level.frame = { of: frame, draws: drawsBefore };
      } else if (error instanceof QueryError) {
        this.#end(replay, { error, draws: draws.get() }, heldBefore);
      }
      throw error;
    } finally {
      this.#depth--;
    }
  }
}
