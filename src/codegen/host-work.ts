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

type Ended = ({ readonly value: unknown; readonly bytes: number } | { readonly error: QueryError }) & { readonly draws: bigint };

/** The calls at one depth, in the order they are made. */
interface Level {
  readonly ended: Ended[];
  /** Of the values among them. */
  bytes: number;
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

/** What work tells of itself. All may throw. */
export interface WorkWatch {
  step(): void;
  /** So many bytes more are kept by the frame. */
  hold(bytes: number): void;
  /** So many bytes are handled: they count as steps. */
  spend(bytes: number): void;
}

export interface LongCall<F, V> {
  begin(): F;
  /** Tells the watch each step before it does it; what that throws ends the call for now, and the frame is kept. */
  run(frame: F, watch: WorkWatch): V;
  readonly draws: Draws;
  /** About the memory of a frame, and of a value, which is kept until the page is through. */
  bytesOfFrame(frame: F): number;
  bytesOf(value: V): number;
}

/** What is known of a page that was cut. Made by who runs the page, kept until it is through. */
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

/** Of a slice: some tenths of a second in the interpreter. */
const sliceStepsMax = 50_000;
/** Of a call where nothing can be cut: conditions of joins, constants of the statement. */
const uncutStepsMax = 100_000;
/** Bytes of values that are about as much work as a step. */
const bytesPerStep = 256;
/** Of frames and values together. They are objects, not memory that queries are charged for. */
const heldBytesMax = 512 << 20;

export class HostWork {
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

  /** Undefined where the slice ended: the same attempt is to be made again with the same replay. */
  slice<T>(replay: WorkReplay, attempt: () => T): { readonly result: T | undefined; readonly steps: number } {
    this.#replay = replay;
    this.#stepsLeft = sliceStepsMax;
    this.#depth = 0;
    this.#heldBytes = replay.bytes;
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
    // The calls within are through with it.
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
    // The step goes on within a call that was cut: what it handles before that was counted already, and the call must get on.
    let isOnTheWay = isResumed && inner.frame !== undefined;
    const step = (): void => {
      // Calls of the step that was cut are known; those of the steps behind it are others.
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
