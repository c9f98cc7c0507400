/**
 * An aggregation that does not fit in memory. Its groups go to disk by partition of their keys, as intermediate values, and all rows after
 * them as they are. Then each partition is aggregated alone: its states are restored, and its rows are added in their order. So every group
 * has added the same values in the same order as in memory, and sums of doubles are the same to the bit. Each group carries the number of
 * its first row; by that number the results of the partitions are merged into the order of first appearance. A partition that does not fit
 * is partitioned again.
 */
import type { Kernel } from "../../../codegen/ir.ts";
import type { AggregateImplementation } from "../../../functions/registry/aggregate.ts";
import type { Address } from "../../../memory/memory.ts";
import { type Column, type Page, pageRowsMax } from "../../../page/page.ts";
import type { Variable } from "../../../planner/plan/typed-expression.ts";
import { BIGINT, type Type } from "../../../types/type.ts";
import { isTight } from "../../spill/memory-revoker.ts";
import { PartitionedRows } from "../../spill/partitioned-rows.ts";
import { mergeRuns, mergeToRun, PageCutter, type RunMergeOptions } from "../../spill/run-merge.ts";
import { RunReader, type SpillRun, RunWriter, SpillSpace, type Steps } from "../../spill/spill-runs.ts";
import { RowNumbers } from "../../spill/row-numbers.ts";
import { KernelByLayout, PageArguments } from "../kernel-cache.ts";
import { KernelExpressions } from "../kernel-expressions.ts";
import type { OperatorContext } from "../operator.ts";
import { selectColumns, slicePage } from "../pages.ts";
import { accumulateKernel, type AggregationShape } from "./aggregation-kernels.ts";
import type { AggregationPlan } from "./aggregation-plan.ts";
import { GroupStates, outputValues, StateColumns } from "./group-states.ts";

/** Groups that are written at once. */
const groupsMax = 1_024;

export interface SpilledGroupsOptions {
  readonly context: OperatorContext;
  readonly plan: AggregationPlan;
  readonly keyTypes: readonly Type[];
  readonly keyChannels: readonly number[];
  /** Maximum number of groups of an output page. */
  readonly pageRows: number;
  /** Results are intermediate values. */
  readonly isPartial: boolean;
  /** Of its files. */
  readonly name: string;
}

export class SpilledGroups {
  readonly #options: SpilledGroupsOptions;
  readonly #space: SpillSpace;
  readonly #restore: StateRestore;
  readonly #stateTypes: readonly Type[];
  readonly #rowTypes: readonly Type[];
  readonly #levelsMax: number;
  readonly #first: Partitions;
  /** Number of the next row; the groups that were spilled first have the numbers before. */
  #rows = 0;
  #closed = false;

  constructor(options: SpilledGroupsOptions) {
    this.#options = options;
    const { context, plan, keyTypes } = options;
    this.#space = new SpillSpace(context, options.name);
    this.#restore = new StateRestore(context, plan);
    this.#stateTypes = [...keyTypes, ...this.#restore.types, BIGINT];
    this.#rowTypes = [...plan.shape.inputs.map(({ type }) => type), BIGINT];
    this.#levelsMax = context.memory.knobs.value("spill-levels");
    this.#first = this.#partitions(1);
  }

  /** Writes the groups and closes them. */
  *writeGroups(states: GroupStates): Steps<void> {
    const { count } = states;
    const numbers = new RowNumbers(this.#options.context.memory);
    try {
      yield* this.#writeStates(this.#first, states, (first, rows) => numbers.from(first, rows));
      this.#first.states.flush();
      this.#rows = count;
    } finally {
      numbers.close();
    }
  }

  /** Writes rows that come after the groups. */
  *writeRows(page: Page): Steps<void> {
    const numbers = new RowNumbers(this.#options.context.memory);
    try {
      const column = numbers.ofPage(this.#rows, page);
      this.#rows += page.positionCount;
      yield* this.#first.rows.write({ ...page, columns: [...page.columns, column] });
    } finally {
      numbers.close();
    }
  }

  /** All groups in order of first appearance, and their number. A page is valid until the next step. */
  *results(onPage: (page: Page) => Steps<void>): Steps<number> {
    const { pageRows } = this.#options;
    const runs = yield* this.#resultsOf(this.#first);
    const [run] = runs;
    if (run === undefined) {
      return 0;
    }
    const channels = run.types.slice(1).map((_, index) => index);
    const cutter = new PageCutter(this.#space, {
      types: run.types,
      rowsMax: pageRows,
      onPage: (page) => onPage(selectColumns(page, channels)),
    });
    try {
      yield* mergeRuns({ ...this.#merging(runs), onPage: (page) => cutter.add(page) });
      yield* cutter.finish();
    } finally {
      cutter.close();
    }
    return runs.reduce((sum, { rowCount }) => sum + rowCount, 0);
  }

  /** Frees its memory and removes its files. Idempotent. Must be called before the memory context closes. */
  close(): void {
    if (this.#closed) {
      return;
    }
    this.#closed = true;
    this.#first.states.close();
    this.#first.rows.close();
    this.#restore.close();
    this.#space.close();
  }

  #partitions(level: number): Partitions {
    const space = this.#space;
    const { keyTypes, keyChannels } = this.#options;
    const stateChannels = keyTypes.map((_, index) => index);
    return {
      level,
      states: new PartitionedRows({ space, types: this.#stateTypes, keyChannels: stateChannels, level }),
      rows: new PartitionedRows({ space, types: this.#rowTypes, keyChannels, level }),
    };
  }

  /** Writes the groups with their numbers to partitions, and closes them. */
  *#writeStates(target: Partitions, states: GroupStates, numbersOf: (first: number, count: number) => Column): Steps<void> {
    const { context, plan } = this.#options;
    const columns = new StateColumns({
      context,
      shape: this.#restore.source,
      name: `state ${plan.key}`,
      types: this.#restore.types,
      isPartial: true,
      rowsMax: groupsMax,
      pace: plan.results,
    });
    try {
      for (let first = 0; first < states.count; first += groupsMax) {
        const count = Math.min(groupsMax, states.count - first);
        const page = yield* columns.page(states, first, count);
        yield* target.states.write({ ...page, columns: [...page.columns, numbersOf(first, count)] });
      }
    } finally {
      columns.close();
      states.close();
    }
  }

  /** Aggregates each partition. Returns the results by partition: keys, values and the group's number, in order of the number. */
  *#resultsOf(partitions: Partitions): Steps<SpillRun[]> {
    const states = partitions.states.finish();
    const rows = partitions.rows.finish();
    const runs: SpillRun[] = [];
    for (const [index, run] of states.entries()) {
      const rowRun = rows[index] as SpillRun;
      if (run.rowCount + rowRun.rowCount > 0) {
        runs.push(yield* this.#resultOf(partitions.level, run, rowRun));
      }
    }
    return runs;
  }

  *#resultOf(level: number, stateRun: SpillRun, rowRun: SpillRun): Steps<SpillRun> {
    const numbered = new NumberedGroups(this.#options);
    const readers = [new RunReader(this.#space, stateRun), new RunReader(this.#space, rowRun)] as const;
    let deeper: Partitions | undefined;
    try {
      for (const [index, reader] of readers.entries()) {
        for (let page = yield* reader.next(); page !== undefined; page = yield* reader.next()) {
          const isState = index === 0;
          if (deeper === undefined && level < this.#levelsMax && numbered.states.count > 1) {
            if (isTight(this.#options.context.memory, numbered.growthBytes(page))) {
              deeper = this.#partitions(level + 1);
              yield* this.#writeStates(deeper, numbered.states, (first, count) => numbered.numbers(first, count));
              numbered.close();
            }
          }
          if (deeper !== undefined) {
            yield* (isState ? deeper.states : deeper.rows).write(page);
          } else if (isState) {
            yield* numbered.restore(page, this.#restore);
          } else {
            yield* numbered.add(page);
          }
          yield undefined;
        }
      }
      if (deeper === undefined) {
        return yield* this.#writeResults(numbered);
      }
      return yield* mergeToRun(this.#merging(yield* this.#resultsOf(deeper)));
    } finally {
      numbered.close();
      readers.forEach((reader) => reader.close());
      deeper?.states.close();
      deeper?.rows.close();
    }
  }

  *#writeResults(numbered: NumberedGroups): Steps<SpillRun> {
    const { context, plan, keyTypes, isPartial } = this.#options;
    const columns = new StateColumns({ ...outputValues(context, plan, isPartial), rowsMax: groupsMax });
    const writer = new RunWriter(this.#space, [...keyTypes, ...plan.outputTypes, BIGINT]);
    try {
      for (let first = 0; first < numbered.states.count; first += groupsMax) {
        const count = Math.min(groupsMax, numbered.states.count - first);
        const page = yield* columns.page(numbered.states, first, count);
        writer.write({ ...page, columns: [...page.columns, numbered.numbers(first, count)] });
        yield* this.#space.writes();
      }
      return writer.finish();
    } finally {
      columns.close();
      writer.close();
    }
  }

  /** How runs of results are merged. */
  #merging(runs: readonly SpillRun[]): Omit<RunMergeOptions, "onPage"> {
    const numberChannel = (runs[0] as SpillRun).types.length - 1;
    return { space: this.#space, runs, sortChannels: [numberChannel], order: [{ descending: false, nullsFirst: false }] };
  }
}

interface Partitions {
  readonly level: number;
  /** Keys, intermediate values and the number of a group. */
  readonly states: PartitionedRows;
  /** Columns and the number of a row. */
  readonly rows: PartitionedRows;
}

/** The aggregate whose intermediate values are those of a spilled state. */
function writtenForm(implementation: AggregateImplementation): AggregateImplementation {
  const { spilled } = implementation;
  return spilled === undefined
    ? implementation
    : { ...implementation, intermediateTypes: spilled.types, emitIntermediate: spilled.emitWrite, emitMerge: spilled.emitRead };
}

/** Adds intermediate values of the same step to states. */
class StateRestore {
  readonly types: readonly Type[];
  /** The aggregates whose intermediate values hold all states. */
  readonly source: AggregationShape;
  readonly #shape: AggregationShape;
  readonly #kernels: KernelByLayout;
  readonly #arguments: PageArguments;
  readonly #memory: OperatorContext["memory"];
  /** Rows of a slice. */
  readonly #rowsMax: number;

  constructor(context: OperatorContext, plan: AggregationPlan) {
    this.#rowsMax = plan.rowsMax ?? pageRowsMax;
    const { memory, services } = context;
    this.#memory = memory;
    const variables: Variable[] = [];
    const written = plan.stateAggregates.map((aggregate) => ({ ...aggregate, implementation: writtenForm(aggregate.implementation) }));
    const aggregates = written.map((aggregate) => {
      const args = aggregate.implementation.intermediateTypes.map(
        (type) => variables.push({ kind: "variable", name: `state${variables.length}`, type }) - 1,
      );
      const { emitInit: _, ...implementation } = aggregate.implementation;
      return { ...aggregate, implementation: { ...implementation, wantsNulls: true }, args, mask: undefined, isShared: false };
    });
    this.types = variables.map(({ type }) => type);
    this.source = { ...plan.shape, aggregates: written.map((aggregate) => ({ ...aggregate, isShared: false })) };
    this.#shape = {
      ...plan.shape,
      aggregates,
      merges: true,
      // What is written calls no function in TypeScript.
      isLong: false,
      inputs: variables,
      expressions: new KernelExpressions(services.runtime, memory, variables, variables),
    };
    const build = (name: string, layout: Parameters<typeof accumulateKernel>[1]): Kernel => accumulateKernel(name, layout, this.#shape);
    this.#kernels = new KernelByLayout(services.runtime, `restore ${plan.key}`, build, plan.ensureHosts);
    this.#arguments = new PageArguments(memory, variables.length);
  }

  /** Row k of the page, of the intermediate values alone, belongs to the group that the k-th of `ids` says. */
  *add(page: Page, states: GroupStates): Steps<void> {
    const { aggregates, expressions, states: strings } = this.#shape;
    for (let first = 0; first < page.positionCount && aggregates.length > 0; first += this.#rowsMax) {
      const part = slicePage(page, first, Math.min(this.#rowsMax, page.positionCount - first));
      expressions.begin();
      const kernel = this.#kernels.for(part);
      if (kernel(this.#arguments.write(part), states.ids + 4 * first, states.records, ...expressions.args, ...strings.args) !== 0) {
        expressions.check();
        strings.raise();
      }
      if (this.#rowsMax < page.positionCount) {
        yield undefined;
      }
    }
  }

  close(): void {
    this.#shape.expressions.close();
    this.#memory.free(this.#arguments.address);
  }
}

/** Groups of a partition, each with the number of its first row. */
class NumberedGroups {
  readonly states: GroupStates;
  readonly #options: SpilledGroupsOptions;
  #numbers: Address = 0;
  #capacity = 0;
  #count = 0;

  constructor(options: SpilledGroupsOptions) {
    this.#options = options;
    this.states = new GroupStates(options);
  }

  /** A page of states or rows: bytes that it may need. */
  growthBytes(page: Page): number {
    const groups = this.#count + page.positionCount;
    return this.states.growthBytes(page) + (groups > this.#capacity ? 16 * groups : 0);
  }

  /** Keys, intermediate values, number. */
  *restore(page: Page, restore: StateRestore): Steps<void> {
    const keyCount = this.#options.keyTypes.length;
    const channels = page.columns.map((_, index) => index);
    this.states.assignKeys(selectColumns(page, channels.slice(0, keyCount)));
    yield* restore.add(selectColumns(page, channels.slice(keyCount, -1)), this.states);
    this.#number(page);
  }

  /** Columns of a row, number. */
  *add(page: Page): Steps<void> {
    yield* this.states.addInSteps({ ...page, columns: page.columns.slice(0, -1) });
    this.#number(page);
  }

  numbers(first: number, count: number): Column {
    return slicePage({ positionCount: this.#count, selection: 0, columns: [this.#column()] }, first, count).columns[0] as Column;
  }

  close(): void {
    this.states.close();
    if (this.#numbers !== 0) {
      this.#options.context.memory.free(this.#numbers);
      this.#numbers = 0;
    }
  }

  #column(): Column {
    return { type: BIGINT, values: this.#numbers, nulls: 0, ids: 0, length: this.#count };
  }

  /** New groups have the numbers of the rows that made them. Their ids ascend in the order of those rows. */
  #number(page: Page): void {
    const { memory } = this.#options.context;
    const { count, ids } = this.states;
    if (count > this.#capacity) {
      this.#capacity = Math.max(count, 2 * this.#capacity);
      const bytes = 8 * this.#capacity;
      this.#numbers = this.#numbers === 0 ? memory.allocate(bytes) : memory.reallocate(this.#numbers, bytes);
    }
    const { u32 } = memory.linear;
    const source = (page.columns.at(-1) as Column).values >>> 2;
    const target = this.#numbers >>> 2;
    for (let position = 0; position < page.positionCount && this.#count < count; position++) {
      if (u32[(ids >>> 2) + position] === this.#count) {
        u32[target + 2 * this.#count] = u32[source + 2 * position] as number;
        u32[target + 2 * this.#count + 1] = u32[source + 2 * position + 1] as number;
        this.#count++;
      }
    }
  }
}
