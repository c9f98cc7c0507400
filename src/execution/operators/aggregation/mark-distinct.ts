/**
 * MarkDistinctOperator adds a boolean column: true on the first row of each combination of keys. When the combinations do not fit in
 * memory, they go to disk by partition, and all later rows after them. Each partition is then marked alone, and its rows come back in their
 * order, in pages that end with those of the input.
 */
import { type InputLayout, openInput } from "../../expressions/columns.ts";
import { buildKernel, i32 } from "../../../codegen/builder.ts";
import type { Kernel } from "../../../codegen/ir.ts";
import type { Address, MemoryContext } from "../../../memory/memory.ts";
import { type Page, pageRowsMax } from "../../../page/page.ts";
import { BIGINT, BOOLEAN, type Type } from "../../../types/type.ts";
import { pageBytes } from "../../driver/stats.ts";
import { GroupTable } from "../../hash-table/group-table.ts";
import { isTight } from "../../spill/memory-revoker.ts";
import { PartitionedRows } from "../../spill/partitioned-rows.ts";
import { mergeToRun } from "../../spill/run-merge.ts";
import { RunReader, type SpillRun, RunWriter, SpillSpace, type Steps } from "../../spill/spill-runs.ts";
import { SpillingOperator } from "../../spill/spilling-operator.ts";
import { KernelByLayout, PageArguments } from "../kernel-cache.ts";
import { MarkerColumn } from "../marker-column.ts";
import { arrangeMarked, byNumbers, mergeByNumbers, NumberedPages } from "../../spill/numbered-rows.ts";
import type { OperatorContext } from "../operator.ts";
import { selectColumns, slicePage } from "../pages.ts";

export interface MarkDistinctOptions {
  readonly context: OperatorContext;
  /** Columns of the incoming pages. */
  readonly types: readonly Type[];
  readonly keyChannels: readonly number[];
}

/** Memory that a page may need beyond the keys: chunks of arenas. */
const slackBytes = 1_048_576;
/** Combinations that are written at once. */
const keysMax = 1_024;

export class MarkDistinctOperator extends SpillingOperator {
  readonly #options: MarkDistinctOptions;
  readonly #marks: DistinctMarks;
  #spilled: SpilledMarks | undefined;

  constructor(options: MarkDistinctOptions) {
    super(options.context);
    this.#options = options;
    this.#marks = new DistinctMarks(options, options.context.memory);
    this.enableSpill();
  }

  protected get canSpill(): boolean {
    return this.#spilled === undefined && this.#marks.count > 0;
  }

  get needsInput(): boolean {
    return !this.finishing && !this.isBusy;
  }

  get isFinished(): boolean {
    return this.finishing && !this.isBusy;
  }

  override finish(): void {
    super.finish();
    if (this.#spilled !== undefined) {
      this.begin(this.#spilled.results((page) => this.give(page)));
    }
  }

  getOutput(): Page | undefined {
    return this.isBusy ? this.advance() : undefined;
  }

  override close(): void {
    super.close();
    this.#spilled?.close();
    this.#marks.close();
  }

  protected growthBytes(page: Page): number {
    return this.#marks.growthBytes(page);
  }

  protected keep(page: Page): void {
    this.setReady(this.#marks.mark(page));
  }

  protected *spill(): Steps<void> {
    const spilled = new SpilledMarks(this.#options);
    this.#spilled = spilled;
    yield* spilled.writeKeys(this.#marks);
  }

  protected spillPage(page: Page): Steps<void> | undefined {
    return this.#spilled?.writeRows(page);
  }
}

/** The combinations so far. */
class DistinctMarks {
  readonly #memory: MemoryContext;
  readonly #keyChannels: readonly number[];
  readonly #groups: GroupTable;
  readonly #marker: MarkerColumn;
  readonly #ids: Address;
  readonly #arguments: PageArguments;
  readonly #kernels: KernelByLayout;

  constructor({ context, keyChannels, types }: MarkDistinctOptions, memory: MemoryContext) {
    const { services } = context;
    this.#memory = memory;
    this.#keyChannels = keyChannels;
    this.#groups = new GroupTable(services, memory, keyTypesOf(types, keyChannels));
    this.#marker = new MarkerColumn(memory);
    this.#ids = memory.allocate(4 * pageRowsMax);
    this.#arguments = new PageArguments(memory, 0);
    this.#kernels = new KernelByLayout(services.runtime, "mark-distinct", markKernel);
  }

  get count(): number {
    return this.#groups.groupCount;
  }

  growthBytes(page: Page): number {
    return this.#groups.growthBytes(page.positionCount) + pageBytes(this.#memory.linear, page) + slackBytes;
  }

  /** The page with a column of marks, which is valid until the next call. */
  mark(page: Page): Page {
    this.#marker.reserve(page);
    const before = this.count;
    this.#groups.assign(selectColumns(page, this.#keyChannels), this.#ids);
    const rows = selectColumns(page, []);
    this.#kernels.for(rows)(this.#arguments.write(rows), this.#ids, before, this.#marker.values);
    return this.#marker.addTo(page, false);
  }

  /** Adds combinations. */
  addKeys(keys: Page): void {
    this.#groups.assign(keys, this.#ids);
  }

  keys(): Page {
    return { positionCount: this.count, selection: 0, columns: this.#groups.keyColumns() };
  }

  /** Frees the combinations. Idempotent. */
  close(): void {
    this.#groups.close();
  }
}

interface Partitions {
  readonly level: number;
  readonly keys: PartitionedRows;
  /** Columns and the number of a row. */
  readonly rows: PartitionedRows;
}

class SpilledMarks {
  readonly #options: MarkDistinctOptions;
  readonly #space: SpillSpace;
  readonly #pages: NumberedPages;
  readonly #first: Partitions;
  #closed = false;

  constructor(options: MarkDistinctOptions) {
    this.#options = options;
    this.#space = new SpillSpace(options.context);
    this.#pages = new NumberedPages(options.context.memory);
    this.#first = this.#partitions(1);
  }

  /** Writes the combinations and closes them. */
  *writeKeys(marks: DistinctMarks): Steps<void> {
    yield* this.#writeKeys(this.#first, marks);
    this.#first.keys.flush();
  }

  /** Writes rows that come after the combinations. */
  *writeRows(page: Page): Steps<void> {
    yield* this.#pages.withNumbers(page, (numbered) => this.#first.rows.write(numbered));
  }

  /** The rows in their order, with marks. A page is valid until the next step. */
  *results(onPage: (page: Page) => Steps<void>): Steps<void> {
    const { types } = this.#options;
    yield* mergeByNumbers({
      space: this.#space,
      runs: yield* this.#resultsOf(this.#first),
      types: [...types, BOOLEAN],
      rowsMax: pageRowsMax,
      isCutByPages: true,
      onPage,
    });
  }

  /** Frees its memory and removes its files. Idempotent. Must be called before the memory context closes. */
  close(): void {
    if (!this.#closed) {
      this.#closed = true;
      closePartitions(this.#first);
      this.#space.close();
    }
  }

  #partitions(level: number): Partitions {
    const { keyChannels, types } = this.#options;
    const space = this.#space;
    const keyTypes = keyTypesOf(types, keyChannels);
    return {
      level,
      keys: new PartitionedRows({ space, types: keyTypes, keyChannels: keyTypes.map((_, index) => index), level }),
      rows: new PartitionedRows({ space, types: [...types, BIGINT], keyChannels, level }),
    };
  }

  *#writeKeys(target: Partitions, marks: DistinctMarks): Steps<void> {
    const keys = marks.keys();
    for (let first = 0; first < keys.positionCount; first += keysMax) {
      yield* target.keys.write(slicePage(keys, first, Math.min(keysMax, keys.positionCount - first)));
    }
    marks.close();
  }

  /** Marks the rows of each partition. */
  *#resultsOf(partitions: Partitions): Steps<SpillRun[]> {
    const keys = partitions.keys.finish();
    const rows = partitions.rows.finish();
    const runs: SpillRun[] = [];
    for (const [index, rowRun] of rows.entries()) {
      if (rowRun.rowCount > 0) {
        runs.push(yield* this.#resultOf(partitions.level, keys[index] as SpillRun, rowRun));
      }
    }
    return runs;
  }

  *#resultOf(level: number, keyRun: SpillRun, rowRun: SpillRun): Steps<SpillRun> {
    const { context, types } = this.#options;
    const levelsMax = context.memory.knobs.value("spill-levels");
    const memory = context.memory.child("partition");
    const marks = new DistinctMarks(this.#options, memory);
    const readers = [new RunReader(this.#space, keyRun), new RunReader(this.#space, rowRun)] as const;
    const writer = new RunWriter(this.#space, [...types, BOOLEAN, BIGINT, BIGINT]);
    let deeper: Partitions | undefined;
    try {
      for (const [index, reader] of readers.entries()) {
        for (let page = yield* reader.next(); page !== undefined; page = yield* reader.next()) {
          const isKeys = index === 0;
          if (deeper === undefined && level < levelsMax && marks.count > 1 && isTight(context.memory, marks.growthBytes(page))) {
            deeper = this.#partitions(level + 1);
            yield* this.#writeKeys(deeper, marks);
          }
          if (deeper !== undefined) {
            yield* (isKeys ? deeper.keys : deeper.rows).write(page);
          } else if (isKeys) {
            marks.addKeys(page);
          } else {
            writer.write(arrangeMarked(marks.mark(page)));
            yield* this.#space.writes();
          }
          yield undefined;
        }
      }
      const run = writer.finish();
      const others = deeper === undefined ? [] : yield* this.#resultsOf(deeper);
      return others.length === 0 ? run : yield* mergeToRun(byNumbers(this.#space, [run, ...others]));
    } finally {
      marks.close();
      memory.close();
      writer.close();
      readers.forEach((reader) => reader.close());
      if (deeper !== undefined) {
        closePartitions(deeper);
      }
    }
  }
}

function closePartitions({ keys, rows }: Partitions): void {
  keys.close();
  rows.close();
}

function keyTypesOf(types: readonly Type[], channels: readonly number[]): readonly Type[] {
  return channels.map((channel) => types[channel] as Type);
}

/**
 * Parameters: page arguments, group id of each position, number of groups before the page, marker. Group ids ascend in order of appearance,
 * so the first row of a new group has the next id.
 */
function markKernel(name: string, layout: InputLayout): Kernel {
  return buildKernel(name, (kernel) => {
    kernel.entry({ params: ["i32", "i32", "i32", "i32"] }, (b, params) => {
      const [pageArguments, ids, groupsBefore, marker] = params;
      const input = openInput(b, pageArguments, layout);
      const next = b.local("i32", groupsBefore);
      b.forRange(i32.const(0), input.positionCount, (position) => {
        const isFirst = b.temp(i32.eq(i32.load(i32.add(ids, i32.shl(position, i32.const(2)))), next));
        b.store("i32.store8", i32.add(marker, input.row(position)), isFirst);
        b.set(next, i32.add(next, isFirst));
      });
    });
  });
}
