/**
 * Finds the preferred match from a row on by backtracking. If no condition reads the rows matched so far, the outcome of a step at a row
 * does not depend on the path to it. Then a failed step is not tried again, and the work is bounded by rows times steps. Otherwise it may
 * be exponential. The search yields.
 */
import type { MemoryContext, Address } from "../../../memory/memory.ts";
import type { Effort } from "./effort.ts";
import type { MatchPath, RowRange } from "./match-path.ts";
import type { Program, Step } from "./program.ts";
import { Words } from "./words.ts";

/** Special results of a step, and the lowest word on the stack that is not a step. */
const failed = 0x7fff_ffff;
const done = 0x7fff_fffe;
const restores = 0x4000_0000;

export interface MatcherOptions {
  readonly memory: MemoryContext;
  readonly program: Program;
  readonly path: MatchPath;
  readonly effort: Effort;
  /** Whether the row at a position may have a label. The path ends with that row. */
  readonly accepts: (label: number, position: number) => boolean;
  /** Conditions depend only on their row and the rows around it, not on the rows matched so far, so failures are remembered. */
  readonly remembers: boolean;
}

export class Matcher {
  readonly #options: MatcherOptions;
  readonly #steps: readonly Step[];
  /**
   * Untried alternatives, two words each: step and position. Before each of them lie the loop states to restore: `restores` plus the loop,
   * and the loop's previous start plus one.
   */
  readonly #stack: Words;
  /** Per loop: the row at which it last began, plus one. */
  readonly #loopRows: number[];
  readonly #known: FailedSteps | undefined;
  /** Failed steps at the rows of the range; undefined if nothing is remembered. */
  #failed: FailedSteps | undefined;
  #pc = 0;
  #position = 0;

  constructor(options: MatcherOptions) {
    this.#options = options;
    this.#steps = options.program.steps;
    this.#stack = new Words(options.memory);
    this.#loopRows = Array.from({ length: options.program.loops }, () => 0);
    this.#known = options.remembers ? new FailedSteps(options.memory, this.#steps.length) : undefined;
  }

  /** Forgets the failures of another range. */
  enterRange(range: RowRange): void {
    this.#failed = this.#known?.reset(range) === true ? this.#known : undefined;
  }

  /** Returns true if the path is a match. */
  *find(start: number, range: RowRange): Generator<undefined, boolean> {
    const { path } = this.#options;
    path.begin(start);
    this.#stack.truncate(0);
    this.#loopRows.fill(0);
    const found = yield* this.#search(start, range);
    if (found) {
      this.#failed?.forgetRows(start, start + path.length);
    } else {
      path.truncate(0);
    }
    return found;
  }

  *#search(start: number, range: RowRange): Generator<undefined, boolean> {
    const { effort } = this.#options;
    this.#pc = 0;
    this.#position = start;
    for (;;) {
      if (effort.step()) {
        yield undefined;
      }
      const isTaken = this.#failed?.testAndSet(this.#pc, this.#position) === true;
      const next = isTaken ? this.#stepTaken(this.#pc) : this.#step(this.#pc, this.#position, range);
      if (next === done) {
        return true;
      }
      if (next !== failed) {
        this.#position += next < 0 ? 1 : 0;
        this.#pc = next < 0 ? ~next : next;
      } else if (this.#goBack()) {
        this.#options.path.truncate(this.#position - start);
      } else {
        return false;
      }
    }
  }

  /** Takes the latest untried alternative. Returns false if there is none. */
  #goBack(): boolean {
    const stack = this.#stack;
    while (stack.length > 0) {
      const length = stack.length - 2;
      const [first, second] = [stack.at(length), stack.at(length + 1)];
      stack.truncate(length);
      if (first < restores) {
        this.#pc = first;
        this.#position = second;
        return true;
      }
      this.#loopRows[first - restores] = second;
    }
    return false;
  }

  /** A step already taken at this row: it has failed, or the path has come back to a loop. */
  #stepTaken(pc: number): number {
    const step = this.#steps[pc] as Step;
    return step.kind === "LOOP" ? step.exit : failed;
  }

  /** Returns the next step at the same row; with inverted bits, the next step at the next row; or `failed` or `done`. */
  #step(pc: number, position: number, range: RowRange): number {
    const step = this.#steps[pc] as Step;
    switch (step.kind) {
      case "MATCH":
        return this.#match(step, position, range) ? ~(pc + 1) : failed;
      case "SPLIT":
        this.#leave(step.other, position);
        return step.preferred;
      case "JUMP":
        return step.to;
      case "LOOP": {
        if (this.#failed !== undefined) {
          return pc + 1;
        }
        const before = this.#loopRows[step.loop] as number;
        if (before === position + 1) {
          return step.exit;
        }
        this.#leave(restores + step.loop, before);
        this.#loopRows[step.loop] = position + 1;
        return pc + 1;
      }
      case "PARTITION_START":
        return position === range.first ? pc + 1 : failed;
      case "PARTITION_END":
        return position === range.end ? pc + 1 : failed;
      case "DONE":
        return done;
    }
  }

  #match({ label, excluded }: Step & { readonly kind: "MATCH" }, position: number, range: RowRange): boolean {
    const { accepts, path } = this.#options;
    if (position >= range.end) {
      return false;
    }
    path.push(label, excluded);
    if (accepts(label, position)) {
      return true;
    }
    path.truncate(path.length - 1);
    return false;
  }

  #leave(first: number, second: number): void {
    this.#stack.push(first);
    this.#stack.push(second);
  }
}

/** One bit per step and position: the step has been taken there. Unless it is on the current path, it has failed. */
class FailedSteps {
  readonly #memory: MemoryContext;
  readonly #bytesPerRow: number;
  #bits: Address = 0;
  #capacity = 0;
  #first = 0;
  /** End of the positions with bits (exclusive). */
  #end = 0;

  constructor(memory: MemoryContext, steps: number) {
    this.#memory = memory;
    this.#bytesPerRow = (steps + 7) >>> 3;
  }

  /** Returns false if the bits would take too much memory. */
  reset({ first, end }: RowRange): boolean {
    this.#clear(this.#first, this.#end);
    this.#first = first;
    this.#end = first;
    // A pattern may end after the last row.
    const bytes = (end - first + 1) * this.#bytesPerRow;
    // Long patterns over large partitions remember nothing.
    if (bytes > this.#memory.knobs.value("pattern-remembered-bytes")) {
      return false;
    }
    if (bytes > this.#capacity) {
      if (this.#bits !== 0) {
        this.#memory.free(this.#bits);
      }
      this.#capacity = Math.max(bytes, 2 * this.#capacity);
      this.#bits = this.#memory.allocateZeroed(this.#capacity);
    }
    return true;
  }

  testAndSet(pc: number, position: number): boolean {
    const { u8 } = this.#memory.linear;
    const at = this.#bits + (position - this.#first) * this.#bytesPerRow + (pc >>> 3);
    const bit = 1 << (pc & 7);
    const byte = u8[at] as number;
    u8[at] = byte | bit;
    if (position >= this.#end) {
      this.#end = position + 1;
    }
    return (byte & bit) !== 0;
  }

  /** The steps of a match have not failed. */
  forgetRows(from: number, last: number): void {
    this.#clear(from, last + 1);
  }

  #clear(from: number, end: number): void {
    const start = this.#bits + (from - this.#first) * this.#bytesPerRow;
    this.#memory.linear.u8.fill(0, start, start + (end - from) * this.#bytesPerRow);
  }
}
