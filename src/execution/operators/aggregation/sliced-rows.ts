/**
 * Rows or groups that a kernel of an aggregation takes in slices. Two things end a slice: functions in TypeScript, after whose call the
 * kernel returns or is left (aggregation-kernels.ts), and, for thousands of aggregates, a number of rows (expressions/pace.ts).
 */
import type { HostWork } from "../../../codegen/host-work.ts";
import { WorkReplay } from "../../../codegen/host-work.ts";
import { HeldMemory } from "../../../memory/held-memory.ts";
import type { KernelExpressions } from "../kernel-expressions.ts";
import { statusSliceOver } from "./aggregation-kernels.ts";

export interface Pace {
  /** Functions in TypeScript end a slice. */
  readonly isLong: boolean;
  /** Rows of a slice; undefined if there is no such bound. */
  readonly rowsMax: number | undefined;
}

/** Steps that a slice of a number of rows counts as. */
const stepsOfRows = 20_000;

export class SlicedRows {
  readonly #work: HostWork;
  readonly #states: KernelExpressions;
  readonly #pace: Pace;
  readonly #held: HeldMemory;
  #rows = 0;
  /** Rows of the parts before. */
  #done = 0;
  /** Row of the part at which the kernel goes on. */
  #next = 0;
  #steps = 0;
  /** Of a group whose result has been left within. */
  #replay = new WorkReplay();

  /** `states` is the context whose error block the kernel reads. */
  constructor(work: HostWork, states: KernelExpressions, pace: Pace) {
    this.#work = work;
    this.#states = states;
    this.#pace = pace;
    this.#held = new HeldMemory(states.memory);
  }

  begin(rows: number): void {
    [this.#rows, this.#done, this.#next] = [rows, 0, 0];
  }

  /** `run` calls the kernel for `count` rows from `first` on, and returns its status. Returns true when all rows are done. */
  advance(run: (first: number, count: number) => number): boolean {
    const { isLong, rowsMax } = this.#pace;
    const count = Math.min(rowsMax ?? this.#rows, this.#rows - this.#done);
    if (isLong) {
      this.#states.beginSlice(this.#next);
      const rowOf = (): number => this.#done + this.#states.position;
      const { heldBytes, isCut, result, steps } = this.#work.slice(this.#replay, () => run(this.#done, count), rowOf);
      this.#steps += steps;
      this.#held.set(heldBytes);
      if (!isCut) {
        this.#replay = new WorkReplay();
      }
      if (isCut || (result === statusSliceOver && this.#states.position < count)) {
        this.#next = this.#states.position;
        return false;
      }
      this.#next = 0;
    } else {
      run(this.#done, count);
    }
    this.#done += count;
    this.#steps += this.#done < this.#rows ? stepsOfRows : 0;
    return this.#done >= this.#rows;
  }

  /** Work steps since the last call. */
  takeSteps(): number {
    const steps = this.#steps;
    this.#steps = 0;
    return steps;
  }
}
