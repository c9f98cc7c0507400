/**
 * The groups of an aggregation and the records of their states. Rows are added in order, and groups are numbered in order of first
 * appearance. An aggregation without keys has one group. Strings of states lie in the arena of the plan, so only one object of a plan is in
 * use at a time.
 */
import { outputArgumentsBytes, writeOutputArguments, type InputLayout } from "../../expressions/columns.ts";
import type { Kernel } from "../../../codegen/ir.ts";
import type { Address } from "../../../memory/memory.ts";
import { type Column, type Page, pageRowsMax } from "../../../page/page.ts";
import { assert } from "../../../protocol/errors.ts";
import { physicalType, physicalWidth, type Type } from "../../../types/type.ts";
import { GroupTable } from "../../hash-table/group-table.ts";
import { KernelByLayout, PageArguments } from "../kernel-cache.ts";
import type { OperatorContext } from "../operator.ts";
import { selectColumns, slicePage } from "../pages.ts";
import type { Steps } from "../../spill/spill-runs.ts";
import { accumulateKernel, type AggregationShape, initKernel, resultKernel, statusSliceOver } from "./aggregation-kernels.ts";
import type { AggregationPlan } from "./aggregation-plan.ts";
import { type Pace, SlicedRows } from "./sliced-rows.ts";

export interface GroupStatesOptions {
  readonly context: OperatorContext;
  readonly plan: AggregationPlan;
  readonly keyTypes: readonly Type[];
  readonly keyChannels: readonly number[];
}

/** Memory that a page may need beyond keys and records: chunks of arenas, and arrays of a fixed size. */
const slackBytes = 2 * 1_048_576;

export class GroupStates {
  readonly #options: GroupStatesOptions;
  readonly #accumulate: KernelByLayout;
  readonly #arguments: PageArguments;
  readonly #ids: Address;
  readonly #table: GroupTable | undefined;
  /** Of the page that is being added. */
  readonly #rows: SlicedRows;
  #records: Address = 0;
  #capacity = 0;
  /** Number of groups with initialised records. */
  #initialised = 0;
  /** Group number k is that of position k. */
  #isIdentity = false;
  #closed = false;

  constructor(options: GroupStatesOptions) {
    this.#options = options;
    const { context, plan, keyTypes } = options;
    const { memory, services } = context;
    const { shape, key, ensureHosts } = plan;
    this.#rows = new SlicedRows(services.runtime.work, shape.states, plan);
    const accumulate = (name: string, pageLayout: InputLayout): Kernel => accumulateKernel(name, pageLayout, shape);
    this.#accumulate = new KernelByLayout(services.runtime, key, accumulate, ensureHosts);
    this.#arguments = new PageArguments(memory, shape.inputs.length);
    this.#ids = shape.hasGroups ? memory.allocate(4 * pageRowsMax) : 0;
    shape.states.begin();
    this.#table = shape.hasGroups ? new GroupTable(services, memory, keyTypes) : undefined;
    this.#reserve(shape.hasGroups ? 0 : 1);
  }

  get count(): number {
    return this.#table === undefined ? this.#initialised : this.#table.groupCount;
  }

  /** u32 group numbers of the positions of the last page. */
  get ids(): Address {
    return this.#ids;
  }

  keyColumns(): Column[] {
    return this.#table?.keyColumns() ?? [];
  }

  /** Bytes that a page may need; an upper bound but for large values in states. */
  growthBytes(page: Page): number {
    const groups = this.count + page.positionCount;
    const records = groups > this.#capacity ? this.#capacityFor(groups) * this.#options.plan.shape.recordBytes : 0;
    return records + (this.#table?.growthBytes(page.positionCount) ?? 0) + slackBytes;
  }

  /** Adds the rows to the groups of their keys. Returns false if the slice is over before: `advance` goes on with the same page. */
  add(page: Page): boolean {
    this.assign(page);
    this.#rows.begin(page.positionCount);
    return this.advance(page);
  }

  /** Goes on with the page of `add` or `addAsGroups`. Returns true when all of its rows are added. */
  advance(page: Page): boolean {
    return this.#rows.advance((first, count) => this.#accumulatePage(slicePage(page, first, count), this.#ids + 4 * first));
  }

  /** As `add`, with a step for each slice. */
  *addInSteps(page: Page): Steps<void> {
    for (let isDone = this.add(page); !isDone; isDone = this.advance(page)) {
      yield undefined;
    }
  }

  /** Work steps since the last call. */
  takeWorkSteps(): number {
    return this.#rows.takeSteps();
  }

  /** Finds the groups of the rows, or makes them. */
  assign(page: Page): void {
    this.assignKeys(selectColumns(page, this.#options.keyChannels));
  }

  /** `keys` has the key columns alone. */
  assignKeys(keys: Page): void {
    if (this.#table !== undefined) {
      this.#table.assign(keys, this.#ids);
      this.#reserve(this.#table.groupCount);
    }
  }

  /** Each row is a group of its own, in place of the groups so far. Returns as `add` does. */
  addAsGroups(page: Page): boolean {
    this.#options.plan.shape.states.begin();
    this.#initialised = 0;
    this.#reserve(page.positionCount);
    if (!this.#isIdentity) {
      this.#isIdentity = true;
      const word = this.#ids >>> 2;
      const { u32 } = this.#options.context.memory.linear;
      u32.subarray(word, word + pageRowsMax).forEach((_, position, ids) => (ids[position] = position));
    }
    this.#rows.begin(page.positionCount);
    return this.advance(page);
  }

  /** Runs a kernel over the records: records, first, end, `target`. Returns 0 or `statusSliceOver`. */
  run(name: string, build: () => Kernel, first: number, count: number, target: Address): number {
    const { context, plan } = this.#options;
    const { shape, ensureHosts } = plan;
    const kernel = context.services.runtime.load(name, build, ensureHosts);
    const status = Number(kernel(this.#records, first, first + count, target, ...shape.states.args));
    if (status !== 0 && status !== statusSliceOver) {
      shape.states.raise();
    }
    return status;
  }

  /** Records of the groups, for a kernel that adds to them. */
  get records(): Address {
    return this.#records;
  }

  /** Frees the states, and what finds the groups of rows. The key columns stay. */
  keepKeys(): void {
    if (!this.#closed) {
      this.#table?.keepKeys();
      this.#freeRecords();
    }
  }

  /** Frees all memory. Idempotent. Must be called before the memory context closes. */
  close(): void {
    if (this.#closed) {
      return;
    }
    this.#closed = true;
    const { memory } = this.#options.context;
    this.#table?.close();
    for (const address of [this.#arguments.address, this.#ids]) {
      if (address !== 0) {
        memory.free(address);
      }
    }
    this.#freeRecords();
  }

  #freeRecords(): void {
    if (this.#records !== 0) {
      this.#options.context.memory.free(this.#records);
      this.#records = 0;
    }
  }

  #accumulatePage(page: Page, ids: Address): number {
    const { shape } = this.#options.plan;
    if (shape.aggregates.length === 0) {
      return 0;
    }
    const kernel = this.#accumulate.for(page);
    shape.expressions.begin();
    const args = [...shape.expressions.args, ...shape.states.args];
    const status = Number(kernel(this.#arguments.write(page), ids, this.#records, ...args));
    if (status !== 0 && status !== statusSliceOver) {
      shape.expressions.check();
      shape.states.raise();
    }
    return status;
  }

  #capacityFor(groups: number): number {
    return Math.max(this.#options.context.memory.knobs.value("aggregation-groups"), groups, this.#capacity * 2);
  }

  #reserve(groups: number): void {
    const { context, plan } = this.#options;
    const { shape, hasInit, key, ensureHosts } = plan;
    const { memory, services } = context;
    if (groups > this.#capacity || this.#records === 0) {
      this.#capacity = this.#capacityFor(groups);
      const bytes = this.#capacity * shape.recordBytes;
      this.#records = this.#records === 0 ? memory.allocate(bytes) : memory.reallocate(this.#records, bytes);
    }
    if (groups > this.#initialised) {
      const { u8 } = memory.linear;
      u8.fill(0, this.#records + this.#initialised * shape.recordBytes, this.#records + groups * shape.recordBytes);
      if (hasInit) {
        const failed = services.runtime.load(`init ${key}`, () => initKernel(shape), ensureHosts)(
          this.#records,
          this.#initialised,
          groups,
          ...shape.states.args,
        );
        assert(failed === 0, "the state of no rows can always be made");
      }
      this.#initialised = groups;
    }
  }
}

export interface StateColumnsOptions {
  readonly context: OperatorContext;
  readonly shape: AggregationShape;
  /** Identifies the shape, the aggregates and the kind of values. */
  readonly name: string;
  readonly types: readonly Type[];
  /** Intermediate values, not final ones. */
  readonly isPartial: boolean;
  /** Groups for which there is room. */
  readonly rowsMax: number;
  /** Of the aggregates. */
  readonly pace: Pace;
}

/** Columns of values made of the states of groups. */
/** Of the columns that the aggregation gives out. */
export function outputValues(
  context: OperatorContext,
  { key, outputTypes, results, shape }: AggregationPlan,
  isPartial: boolean,
): Omit<StateColumnsOptions, "rowsMax"> {
  return { context, shape, name: key, types: outputTypes, isPartial, pace: results };
}

export class StateColumns {
  readonly #options: StateColumnsOptions;
  readonly #nullable: readonly boolean[];
  /** Strings of values lie in the arena of the states, above this mark. */
  readonly #mark: Address;
  readonly #rows: SlicedRows;
  #outputArguments: Address = 0;
  #columns: readonly Column[] | undefined;

  constructor(options: StateColumnsOptions) {
    this.#options = options;
    const { context, isPartial, name, shape } = options;
    this.#mark = shape.states.mark;
    this.#rows = new SlicedRows(context.services.runtime.work, shape.states, options.pace);
    // The build reports which columns can be NULL.
    this.#nullable = context.services.runtime.nullableOf(`result ${name}`, () => {
      const found: boolean[] = [];
      resultKernel(shape, isPartial, (index, nullable) => {
        found[index] = nullable;
      });
      return found;
    });
  }

  /** The values of some groups, at most rowsMax, with a step for each slice. Valid until the next call. */
  *of(states: GroupStates, first: number, count: number): Steps<readonly Column[]> {
    const { shape, name, isPartial } = this.#options;
    const columns = this.#open();
    if (shape.aggregates.length > 0 && count > 0) {
      this.#rows.begin(count);
      const build = (): Kernel => resultKernel(shape, isPartial, () => undefined);
      const run = (done: number, groups: number): number => {
        const { memory } = this.#options.context;
        writeOutputArguments(
          memory.linear,
          this.#outputArguments,
          columns.map((column) => columnFrom(column, done)),
        );
        return states.run(`result ${name}`, build, first + done, groups, this.#outputArguments);
      };
      while (!this.#rows.advance(run)) {
        yield undefined;
      }
    }
    return columns.map((column) => ({ ...column, length: count }));
  }

  /** Keys and values of some groups, as `of`. Nothing may be added to the groups any more. Valid until the next call. */
  *page(states: GroupStates, first: number, count: number): Steps<Page> {
    this.#options.shape.states.release(this.#mark);
    const values = yield* this.of(states, first, count);
    const keys: Page = { positionCount: states.count, selection: 0, columns: states.keyColumns() };
    return { positionCount: count, selection: 0, columns: [...slicePage(keys, first, count).columns, ...values] };
  }

  /** Work steps since the last call. */
  takeWorkSteps(): number {
    return this.#rows.takeSteps();
  }

  /** Frees its memory. Must be called before the memory context closes, at most once. */
  close(): void {
    const { memory } = this.#options.context;
    for (const { values, nulls } of this.#columns ?? []) {
      memory.free(values);
      if (nulls !== 0) {
        memory.free(nulls);
      }
    }
    if (this.#outputArguments !== 0) {
      memory.free(this.#outputArguments);
    }
  }

  #open(): readonly Column[] {
    const { rowsMax, types, context } = this.#options;
    const { memory } = context;
    if (this.#columns === undefined) {
      this.#columns = types.map((type, index) => ({
        type,
        values: memory.allocate(rowsMax * physicalWidth(physicalType(type))),
        nulls: this.#nullable[index] === true ? memory.allocate(rowsMax) : 0,
        ids: 0,
        length: rowsMax,
      }));
      this.#outputArguments = memory.allocate(outputArgumentsBytes(types.length));
    }
    return this.#columns;
  }
}

/** The column without its first rows. */
function columnFrom(column: Column, first: number): Column {
  const values = column.values + first * physicalWidth(physicalType(column.type));
  return { ...column, values, nulls: column.nulls === 0 ? 0 : column.nulls + first };
}
