/**
 * Runs host functions that may take long, such as the loops of a SQL function, in slices. A kernel processes a whole page and cannot be
 * suspended. A slice therefore ends with an exception through the kernel, and the page is run again from its beginning: completed calls
 * return their recorded results, and the interrupted call resumes from its frame. Slices are counted in steps, never in time, so that a
 * page behaves the same on every run.
 */
import { QueryError } from "../protocol/errors.ts";

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

/** Limit on the steps of a call that cannot be interrupted: join conditions, constants of a statement. */
const uncutStepsMax = 100_000;
/** Bytes of values whose processing costs about as much as a step. */
const bytesPerStep = 256;
/** Limit on frames and values together. They are JavaScript objects, not memory that is charged to queries. */
const heldBytesMax = 512 << 20;

export class HostWork {
  /** Steps of a slice: some tenths of a second in the interpreter. */
  readonly #sliceStepsMax: number;
  #replay: WorkReplay | undefined;
  #depth = 0;
  #stepsLeft = 0;
  #heldBytes = 0;
  readonly #hold = (bytes: number): void => {
    this.#heldBytes += bytes;
    if (this.#heldBytes > heldBytesMax) {
      throw new QueryError("EXCEEDED_FUNCTION_MEMORY_LIMIT", `Values of SQL functions take more than ${heldBytesMax >> 20}MB`);
    }
  };

  readonly #spend = (bytes: number): void => {
    this.#stepsLeft -= Math.floor(bytes / bytesPerStep);
  };

  constructor(sliceStepsMax: number) {
    this.#sliceStepsMax = sliceStepsMax;
  }

  /** `result` is undefined if the slice ended; the caller must then repeat the same attempt with the same replay. */
  slice<T>(replay: WorkReplay, attempt: () => T): { readonly result: T | undefined; readonly steps: number } {
    this.#replay = replay;
    this.#stepsLeft = this.#sliceStepsMax;
    this.#depth = 0;
    this.#heldBytes = replay.bytes;
    replay.level(0).position = 0;
    try {
      return { result: attempt(), steps: this.#sliceStepsMax - this.#stepsLeft };
    } catch (error) {
      if (!(error instanceof SliceEnded)) {
        throw error;
      }
      return { result: undefined, steps: this.#sliceStepsMax };
    } finally {
      this.#replay = undefined;
    }
  }

  /** `run` may throw QueryError, and no other row errors. */
  call<F, V>(given: LongCall<F, V>): V {
    return this.#replay === undefined ? this.#uncut(given) : this.#sliced(this.#replay, given);
  }

  #uncut<F, V>({ begin, bytesOfFrame, run }: LongCall<F, V>): V {
    if (this.#depth === 0) {
      this.#stepsLeft = uncutStepsMax;
      this.#heldBytes = 0;
    }
    const heldBefore = this.#heldBytes;
    this.#depth++;
    const step = (): void => {
      if (this.#stepsLeft-- <= 0) {
        const message = `SQL function did not end within ${uncutStepsMax} steps where it cannot be interrupted`;
        throw new QueryError("GENERIC_USER_ERROR", message);
      }
    };
    try {
      const frame = begin();
      this.#hold(bytesOfFrame(frame));
      return run(frame, { step, hold: this.#hold, spend: this.#spend });
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
      // Recorded calls belong to the interrupted step; later steps make new calls.
      if (!isResumed) {
        this.#forget(inner);
        isOnTheWay = false;
        drawsBefore = draws.get();
      }
      isResumed = false;
      if (this.#stepsLeft-- <= 0) {
        throw new SliceEnded();
      }
    };
    const spend = (bytes: number): void => {
      if (!isOnTheWay) {
        this.#spend(bytes);
      }
    };
    const heldBefore = this.#heldBytes - inner.bytes;
    this.#depth++;
    try {
      this.#hold(bytesOfFrame(frame));
      const value = run(frame, { step, hold: this.#hold, spend });
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
