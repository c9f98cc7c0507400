/**
 * A join whose build side does not fit in memory. Both sides go to disk by partition of their keys, each row with its number: for a row of
 * the probe side the number of its page and its position, for a row of the build side its place in the order of the build. Then each
 * partition is joined alone, and the results are merged by these numbers. So the rows come out in the order of a join in memory, in the
 * same pages. A partition that does not fit is partitioned again.
 */
import type { MemoryContext } from "../../../memory/memory.ts";
import type { Page } from "../../../page/page.ts";
import { BIGINT, type Type } from "../../../types/type.ts";
import type { BuildKeys } from "../../dynamic-filter/build-keys.ts";
import { JoinBridge, JoinTable, tableRowBytes } from "../../hash-table/join-table.ts";
import { isTight } from "../../spill/memory-revoker.ts";
import { PartitionedRows } from "../../spill/partitioned-rows.ts";
import { byNumbers, mergeByNumbers, NumberedPages } from "../../spill/numbered-rows.ts";
import { mergeToRun } from "../../spill/run-merge.ts";
import {
  runBytes,
  RunReader,
  type SpilledPartitions,
  type SpillRun,
  RunWriter,
  SpillSpace,
  SteppedWork,
  type Steps,
} from "../../spill/spill-runs.ts";
import type { Operator, OperatorContext } from "../operator.ts";
import { selectColumns } from "../pages.ts";

export interface SpilledJoinOptions {
  readonly context: OperatorContext;
  readonly build: SpilledPartitions;
  /** Of the pages of each side, without numbers. */
  readonly probeTypes: readonly Type[];
  readonly buildTypes: readonly Type[];
  readonly keys: readonly { readonly probeChannel: number; readonly buildChannel: number }[];
  readonly outputTypes: readonly Type[];
  readonly keepsProbe: boolean;
  readonly tracksVisited: boolean;
  /** Number of rows of an output page at most. */
  readonly rowsMax: number;
  /** Output pages end with each page of the probe side. */
  readonly isCutByProbe: boolean;
  /** Runs before the partitions are joined. */
  readonly prepare?: () => Steps<void>;
  /** Makes the operator that joins one partition in memory. The pages of both sides have the number of a row as their last column. */
  readonly newProbe: (options: PartitionProbe) => Operator;
  /** Orders the columns of its pages: those of the output, then the numbers of the probe row and of the build row. */
  readonly arrange: (page: Page) => Page;
}

/** What the operator of one partition is made of. */
export interface PartitionProbe {
  readonly context: OperatorContext;
  readonly bridge: JoinBridge;
  readonly probeTypes: readonly Type[];
  readonly buildTypes: readonly Type[];
}

export class SpilledJoin {
  readonly #options: SpilledJoinOptions;
  readonly #space: SpillSpace;
  readonly #buildTypes: readonly Type[];
  readonly #probeTypes: readonly Type[];
  readonly #resultTypes: readonly Type[];
  readonly #levelsMax: number;
  readonly #probe: PartitionedRows;
  readonly #pages: NumberedPages;
  #work: SteppedWork | undefined;
  #ready: Page | undefined;
  #closed = false;

  constructor(options: SpilledJoinOptions) {
    const { context, buildTypes, probeTypes, outputTypes } = options;
    this.#options = options;
    this.#space = new SpillSpace(context);
    this.#buildTypes = [...buildTypes, BIGINT];
    this.#probeTypes = [...probeTypes, BIGINT];
    this.#resultTypes = [...outputTypes, BIGINT, BIGINT];
    this.#levelsMax = context.memory.knobs.value("spill-levels");
    this.#probe = this.#partitions("probe", 1);
    this.#pages = new NumberedPages(context.memory);
  }

  /** It takes no page of the probe side. */
  get isBusy(): boolean {
    return this.#work !== undefined || this.#ready !== undefined;
  }

  /** Writes a page of the probe side. */
  addInput(page: Page): void {
    this.#work = new SteppedWork(this.#pages.withNumbers(page, (numbered) => this.#probe.write(numbered)));
  }

  /** The probe side has ended. */
  finish(): void {
    this.#work = new SteppedWork(this.#results());
  }

  /** Continues what it is busy with; returns the next page of the join. */
  getOutput(): Page | undefined {
    if (this.#work?.step() === true) {
      this.#work = undefined;
    }
    const ready = this.#ready;
    this.#ready = undefined;
    return ready;
  }

  blocked(): Promise<void> | undefined {
    return this.#work?.blocked();
  }

  /** Frees its memory and removes its files. Idempotent. Must be called before the memory context closes. */
  close(): void {
    if (!this.#closed) {
      this.#closed = true;
      this.#work?.close();
      this.#probe.close();
      this.#space.close();
    }
  }

  /** All rows of the join. */
  *#results(): Steps<void> {
    const { build, isCutByProbe, outputTypes, prepare, rowsMax } = this.#options;
    yield* prepare?.() ?? [];
    yield* mergeByNumbers({
      space: this.#space,
      runs: yield* this.#resultsOf(1, build, { space: this.#space, runs: this.#probe.finish() }),
      types: outputTypes,
      rowsMax,
      isCutByPages: isCutByProbe,
      onPage: (page) => this.#give(page),
    });
  }

  /** Outputs a page. The steps go on when it is not in use any more. */
  *#give(page: Page): Steps<void> {
    this.#ready = page;
    yield undefined;
  }

  #partitions(side: "probe" | "build", level: number): PartitionedRows {
    const { keys } = this.#options;
    return new PartitionedRows({
      space: this.#space,
      types: side === "probe" ? this.#probeTypes : this.#buildTypes,
      keyChannels: keys.map(({ probeChannel, buildChannel }) => (side === "probe" ? probeChannel : buildChannel)),
      level,
    });
  }

  /** Joins each partition. */
  *#resultsOf(level: number, build: SpilledPartitions, probe: SpilledPartitions): Steps<SpillRun[]> {
    const { keepsProbe, tracksVisited } = this.#options;
    const runs: SpillRun[] = [];
    for (const [index, buildRun] of build.runs.entries()) {
      const probeRun = probe.runs[index] as SpillRun;
      if ((probeRun.rowCount > 0 || tracksVisited) && (buildRun.rowCount > 0 || keepsProbe)) {
        const result = yield* this.#resultOf(level, { space: build.space, runs: [buildRun] }, { space: probe.space, runs: [probeRun] });
        if (result !== undefined && result.rowCount > 0) {
          runs.push(result);
        }
      }
    }
    return runs;
  }

  /** `build` and `probe` have one run each. */
  *#resultOf(level: number, build: SpilledPartitions, probe: SpilledPartitions): Steps<SpillRun | undefined> {
    const [buildRun] = build.runs as [SpillRun];
    const bytes = runBytes(buildRun) * 2 + buildRun.rowCount * tableRowBytes;
    if (level < this.#levelsMax && buildRun.rowCount > 1 && isTight(this.#options.context.memory, bytes)) {
      const parts = yield* this.#split("build", level + 1, build);
      // Rows of one key cannot be separated.
      if (parts.runs.every(({ rowCount }) => rowCount < buildRun.rowCount)) {
        const runs = yield* this.#resultsOf(level + 1, parts, yield* this.#split("probe", level + 1, probe));
        return runs.length === 0 ? undefined : yield* mergeToRun(byNumbers(this.#space, runs));
      }
    }
    return yield* this.#join(build, probe);
  }

  *#split(side: "probe" | "build", level: number, from: SpilledPartitions): Steps<SpilledPartitions> {
    const reader = new RunReader(from.space, from.runs[0] as SpillRun, { keeps: true, memory: this.#options.context.memory });
    const parts = this.#partitions(side, level);
    try {
      for (let page = yield* reader.next(); page !== undefined; page = yield* reader.next()) {
        yield* parts.write(page);
      }
      return { space: this.#space, runs: parts.finish() };
    } finally {
      reader.close();
      parts.close();
    }
  }

  *#join(build: SpilledPartitions, probe: SpilledPartitions): Steps<SpillRun> {
    const { context, keys, keepsProbe, tracksVisited, newProbe } = this.#options;
    const memory = context.memory.child("partition");
    const { runtime } = context.services;
    const keyChannels = keys.map(({ buildChannel }) => buildChannel);
    const table = new JoinTable({ runtime, memory, types: this.#buildTypes, keyChannels });
    const bridge = new JoinBridge();
    const operator = newProbe({
      context: { ...context, memory },
      bridge,
      probeTypes: this.#probeTypes,
      buildTypes: this.#buildTypes,
    });
    const reading = { memory: context.memory };
    const readers = [
      new RunReader(build.space, build.runs[0] as SpillRun, reading),
      new RunReader(probe.space, probe.runs[0] as SpillRun, reading),
    ] as const;
    const writer = new RunWriter(this.#space, this.#resultTypes);
    try {
      const [buildReader, probeReader] = readers;
      for (let page = yield* buildReader.next(); page !== undefined; page = yield* buildReader.next()) {
        table.rows.append(page);
      }
      table.beginBuild({ nullRow: keepsProbe, tracksVisited });
      while (!table.buildStep()) {
        yield undefined;
      }
      bridge.setTable(table);
      for (let page = yield* probeReader.next(); page !== undefined; page = yield* probeReader.next()) {
        operator.addInput(page);
        yield* this.#take(operator, writer);
      }
      operator.finish();
      yield* this.#take(operator, writer);
      return writer.finish();
    } finally {
      writer.close();
      readers.forEach((reader) => reader.close());
      operator.close();
      table.close();
      memory.close();
    }
  }

  *#take(operator: Operator, writer: RunWriter): Steps<void> {
    while (!operator.needsInput && !operator.isFinished) {
      const page = operator.getOutput();
      if (page !== undefined) {
        writer.write(this.#options.arrange(page));
        yield* this.#space.writes();
      }
      yield undefined;
    }
  }
}

/** The values of one column of spilled rows; they stay on disk. `memory`: of the operator that reads them, if another one wrote them. */
export function spilledKeys({ space, runs }: SpilledPartitions, channel: number, memory: MemoryContext = space.context.memory): BuildKeys {
  return {
    type: (runs[0] as SpillRun).types[channel] as Type,
    rowCount: runs.reduce((sum, { rowCount }) => sum + rowCount, 0),
    *forEach(callback) {
      for (const run of runs) {
        const reader = new RunReader(space, run, { keeps: true, memory });
        try {
          for (let page = yield* reader.next(); page !== undefined; page = yield* reader.next()) {
            callback(selectColumns(page, [channel]));
          }
        } finally {
          reader.close();
        }
      }
    },
  };
}
