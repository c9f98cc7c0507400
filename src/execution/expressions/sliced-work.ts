/** Kernels over a page whose functions may run for long, in slices: where one ends the kernel is left, and runs again from its beginning (codegen/host-work.ts). */
import { drawStateOffset } from "../../functions/runtime/errors.ts";
import { type HostWork, WorkReplay } from "../../codegen/host-work.ts";
import type { MemoryContext, Address } from "../../memory/memory.ts";

export interface SlicedWorkOptions {
  readonly work: HostWork;
  readonly memory: MemoryContext;
  /** It has the state of random draws, which a page that runs again begins with. */
  readonly errorBlock: Address;
}

export class SlicedWork {
  readonly #options: SlicedWorkOptions;
  /** Of a page whose slices are not through. */
  #cut: { readonly replay: WorkReplay; readonly draws: bigint } | undefined;
  #steps = 0;

  constructor(options: SlicedWorkOptions) {
    this.#options = options;
  }

  /** Undefined where a slice ended: the same attempt is to be made again. It may throw, and then the page is through. */
  run<T>(attempt: () => T): T | undefined {
    const { errorBlock, memory, work } = this.#options;
    const state = (errorBlock + drawStateOffset) >>> 3;
    const { i64 } = memory.linear;
    this.#cut ??= { replay: new WorkReplay(), draws: i64[state] as bigint };
    i64[state] = this.#cut.draws;
    const { result, steps } = work.slice(this.#cut.replay, attempt);
    this.#steps += steps;
    if (result !== undefined) {
      this.#cut = undefined;
    }
    return result;
  }

  /** Steps since the last call. */
  takeSteps(): number {
    const steps = this.#steps;
    this.#steps = 0;
    return steps;
  }
}
