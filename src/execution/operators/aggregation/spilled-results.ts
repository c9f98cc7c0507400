/** Results of an aggregation that were spilled before they were output. They come back in pages of the same size. */
import type { Page } from "../../../page/page.ts";
import type { Type } from "../../../types/type.ts";
import { PageCutter } from "../../spill/run-merge.ts";
import { RunReader, type SpillRun, RunWriter, SpillSpace, type Steps } from "../../spill/spill-runs.ts";
import type { OperatorContext } from "../operator.ts";
import { type GroupStates, StateColumns, type StateColumnsOptions } from "./group-states.ts";

/** Groups that are written at once. */
const groupsMax = 1_024;

export interface SpilledResultsOptions {
  readonly context: OperatorContext;
  /** Of its files. */
  readonly name: string;
  /** Keys and values. */
  readonly types: readonly Type[];
  /** Maximum number of groups of an output page. */
  readonly pageRows: number;
}

export class SpilledResults {
  readonly #options: SpilledResultsOptions;
  readonly #space: SpillSpace;
  #run: SpillRun | undefined;

  constructor(options: SpilledResultsOptions) {
    this.#options = options;
    this.#space = new SpillSpace(options.context, options.name);
  }

  get isWritten(): boolean {
    return this.#run !== undefined;
  }

  /** Writes the groups from `first` on, and frees the states. The keys stay, because an output page may be in use. */
  *write(states: GroupStates, first: number, values: Omit<StateColumnsOptions, "rowsMax">): Steps<void> {
    const columns = new StateColumns({ ...values, rowsMax: groupsMax });
    const writer = new RunWriter(this.#space, this.#options.types);
    try {
      for (let from = first; from < states.count; from += groupsMax) {
        writer.write(yield* columns.page(states, from, Math.min(groupsMax, states.count - from)));
        yield* this.#space.writes();
      }
      this.#run = writer.finish();
      states.keepKeys();
    } finally {
      columns.close();
      writer.close();
    }
  }

  /** A page is valid until the next step. */
  *read(onPage: (page: Page) => Steps<void>): Steps<void> {
    const run = this.#run as SpillRun;
    const reader = new RunReader(this.#space, run);
    const cutter = new PageCutter(this.#space, { types: run.types, rowsMax: this.#options.pageRows, onPage });
    try {
      for (let page = yield* reader.next(); page !== undefined; page = yield* reader.next()) {
        yield* cutter.add(page);
      }
      yield* cutter.finish();
    } finally {
      cutter.close();
      reader.close();
    }
  }

  /** Removes the files. Idempotent. */
  close(): void {
    this.#space.close();
  }
}
