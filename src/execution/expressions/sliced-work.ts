/**
 * Runs a kernel over a page in slices if it calls functions in TypeScript. At the end of a slice the kernel is left. The next slice runs it
 * again from the row that it has reached, or from the beginning (codegen/host-work.ts).
 */
import { drawStateOffset } from "../../functions/runtime/errors.ts";
import { type HostWork, WorkReplay } from "../../codegen/host-work.ts";
import { HeldMemory } from "../../memory/held-memory.ts";
import type { MemoryContext, Address } from "../../memory/memory.ts";

export interface SlicedWorkOptions {
  readonly work: HostWork;
  readonly memory: MemoryContext;
  /** Holds the state of the random generator, which is restored when a page runs again. */
  readonly errorBlock: Address;
}

export class SlicedWork {
  readonly #options: SlicedWorkOptions;
  /** State of a page with unfinished slices. */
  #cut: { readonly replay: WorkReplay; readonly draws: bigint } | undefined;
  #steps = 0;
  /**
   * What unfinished calls hold between two slices: arguments, states of loops and partly made results, which are JavaScript objects.
   * Without it many queries could each hold as much as one may, and end the process.
   */
  readonly #held: HeldMemory;

  constructor(options: SlicedWorkOptions) {
    this.#options = options;
    this.#held = new HeldMemory(options.memory);
  }

  /**
   * Returns undefined at the end of a slice: the caller repeats the attempt. If it throws, the page is done. `rowOf` is that of
   * HostWork.slice. Throws MemoryLimitExceeded if unfinished calls hold more than the query may.
   */
  run<T>(attempt: () => T, rowOf?: () => number): T | undefined {
    const { errorBlock, memory, work } = this.#options;
    const state = (errorBlock + drawStateOffset) >>> 3;
    const { i64 } = memory.linear;
    this.#cut ??= { replay: new WorkReplay(), draws: i64[state] as bigint };
    i64[state] = this.#cut.draws;
    const { heldBytes, isCut, result, steps } = work.slice(this.#cut.replay, attempt, rowOf);
    this.#steps += steps;
    this.#held.set(heldBytes);
    if (!isCut) {
      this.#cut = undefined;
    }
    return result;
  }

  /** Work steps since the last call. */
  takeSteps(): number {
    const steps = this.#steps;
    this.#steps = 0;
    return steps;
  }
}
