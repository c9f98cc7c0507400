/**
 * AggregationOperator (no keys) and HashAggregationOperator. Groups are output in order of first appearance. A PARTIAL step flushes its
 * groups when they take too much memory, because its result need not be complete. If they are nearly as many as the rows, the rows that
 * follow pass as groups of their own: the step would cost more than it saves. Groups that do not fit in memory are spilled. A PARTIAL step
 * flushes at the same rows whether they are.
 */
import { type Column, type Page, pageRowsMax } from "../../../page/page.ts";
import type { AggregationNode } from "../../../planner/plan/node.ts";
import { assert } from "../../../protocol/errors.ts";
import { physicalType, physicalWidth, type Type } from "../../../types/type.ts";
import type { Steps } from "../../spill/spill-runs.ts";
import { SpillingOperator } from "../../spill/spilling-operator.ts";
import { selectColumns } from "../pages.ts";
import { type AggregationOptions, type AggregationPlan, planAggregation } from "./aggregation-plan.ts";
import { GroupBound } from "./group-bound.ts";
import { GroupStates, outputValues, StateColumns, type StateColumnsOptions } from "./group-states.ts";
import { PassedKeys } from "./passed-keys.ts";
import { SpilledGroups } from "./spilled-groups.ts";
import { SpilledResults } from "./spilled-results.ts";

const givenRowsMaxEarly = 16;

/** Groups for 100 rows from which rows pass; adaptive-partial-aggregation.unique-rows-ratio-threshold of Trino. */
const passedPercent = 80;

export function createAggregation(options: AggregationOptions): HashAggregationOperator {
  return new HashAggregationOperator(options);
}

export class HashAggregationOperator extends SpillingOperator {
  readonly #node: AggregationNode;
  readonly #plan: AggregationPlan;
  readonly #keyTypes: readonly Type[];
  readonly #keyChannels: readonly number[];
  /** Of a PARTIAL step. */
  readonly #bound: GroupBound | undefined;
  #states: GroupStates;
  #columns: StateColumns | undefined;
  /** Maximum number of groups of an output page. */
  readonly #givenRowsMax: number;
  /** Number of complete groups already output; undefined while the operator takes input or reads spilled groups. */
  #given: number | undefined;
  /** Number of rows that a PARTIAL step must have seen to pass the others. */
  readonly #judgedRows: number;
  /** Rows in the groups. */
  #rows = 0;
  /** Groups that were spilled and output. */
  #spilledGroups = 0;
  /** The groups reduce too little: once they are output, rows pass. */
  #isIdle = false;
  /** Keys of rows that pass; undefined while rows are grouped. */
  #passedKeys: PassedKeys | undefined;
  #spilled: SpilledGroups | undefined;
  /** Results that were spilled before they were output. */
  #results: SpilledResults | undefined;
  /** How often groups or results were spilled. */
  #spills = 0;
  #closed = false;

  constructor(options: AggregationOptions) {
    super(options.context);
    const { context, node, layout } = options;
    const { memory, services } = context;
    this.#node = node;
    const flushesEarly = services.ports.points.fires("partial-aggregation-flushes-early");
    this.#judgedRows = memory.knobs.value("partial-aggregation-judged-rows");
    this.#givenRowsMax = flushesEarly ? givenRowsMaxEarly : memory.knobs.value("page-rows");
    this.#plan = planAggregation(options);
    this.#keyTypes = node.keys.map(({ type }) => type);
    this.#keyChannels = node.keys.map((variable) => {
      const channel = layout.findIndex(({ name }) => name === variable.name);
      assert(channel >= 0, `aggregation key ${variable.name} is no column`);
      return channel;
    });
    this.#states = this.#newStates();
    const { shape, isSpillable, isOfFixedSize } = this.#plan;
    const hasBound = node.step === "PARTIAL" && node.keys.length > 0;
    this.#bound = hasBound
      ? new GroupBound({
          runtime: services.runtime,
          memory,
          keyTypes: this.#keyTypes,
          recordBytes: shape.recordBytes,
          bytesMax: flushesEarly ? 0 : memory.knobs.value("partial-aggregation-bytes"),
        })
      : undefined;
    // Where a PARTIAL step gives out states with strings depends on what they have kept, which is not known of states on disk.
    if (node.keys.length > 0 && isSpillable && (!hasBound || isOfFixedSize)) {
      this.enableSpill();
    }
  }

  protected get canSpill(): boolean {
    return this.#spilled === undefined && this.#given === undefined && this.#passedKeys === undefined && this.#states.count > 0;
  }

  protected override get canSpillResult(): boolean {
    return this.#given !== undefined && this.#given < this.#groupCount && this.#results === undefined;
  }

  get needsInput(): boolean {
    return !this.finishing && this.#given === undefined && !this.isBusy;
  }

  get isFinished(): boolean {
    return this.finishing && !this.isBusy && this.#given !== undefined && this.#given >= this.#groupCount;
  }

  get #groupCount(): number {
    return this.#passedKeys === undefined && this.#spilled === undefined ? this.#states.count : 0;
  }

  override addInput(page: Page): void {
    if (this.#passedKeys === undefined) {
      super.addInput(page);
    } else {
      this.begin(this.#pass(page, this.#passedKeys));
    }
  }

  override finish(): void {
    super.finish();
    if (this.#spilled !== undefined) {
      this.begin(this.#giveSpilled(this.#spilled));
      return;
    }
    if (this.#given === undefined && this.#node.step !== "FINAL" && this.#states.count === 0) {
      this.#addGlobalGroups();
    }
    if (this.#given === undefined) {
      this.#beginOutput();
    }
  }

  getOutput(): Page | undefined {
    if (this.isBusy) {
      return this.advance();
    }
    if (this.#results?.isWritten === true) {
      this.begin(this.#giveResults(this.#results));
      return this.advance();
    }
    if (this.#given === undefined) {
      return undefined;
    }
    const count = Math.min(this.#givenRowsMax, this.#groupCount - this.#given);
    if (count === 0) {
      if (!this.finishing) {
        this.#start();
      }
      return undefined;
    }
    const columns = this.#openColumns(this.#groupCount);
    this.begin(this.#giveGroups(columns, this.#given, count));
    return this.advance();
  }

  *#giveGroups(columns: StateColumns, given: number, count: number): Steps<void> {
    const page = yield* columns.page(this.#states, given, count);
    this.#given = given + count;
    this.setReady(page);
  }

  takeWorkUnits(): number {
    return this.#states.takeWorkSteps() + (this.#columns?.takeWorkSteps() ?? 0);
  }

  override close(): void {
    super.close();
    this.#spilled?.close();
    this.#results?.close();
    this.#states.close();
    if (!this.#closed) {
      this.#closed = true;
      this.#bound?.close();
    }
    this.#plan.shape.expressions.close();
    this.#plan.shape.states.close();
  }

  protected growthBytes(page: Page): number {
    return this.#states.growthBytes(page);
  }

  protected keep(page: Page): void {
    if (!this.#states.add(page)) {
      this.begin(this.#addRest(page));
      return;
    }
    this.#rows += page.positionCount;
    if (this.#isFull) {
      this.#judge(this.#states.count);
      this.#beginOutput();
    }
  }

  /** The page is more than a slice of work. */
  *#addRest(page: Page): Steps<void> {
    while (!this.#states.advance(page)) {
      yield undefined;
    }
    this.#rows += page.positionCount;
    if (this.#isFull) {
      this.#judge(this.#states.count);
      this.#given = 0;
      if (this.mustSpill(0)) {
        yield* this.#spillResults(0);
      }
    }
  }

  protected *spill(): Steps<void> {
    if (this.#given !== undefined) {
      yield* this.#spillResults(this.#given);
      return;
    }
    const spilled = new SpilledGroups({
      context: this.context,
      plan: this.#plan,
      keyTypes: this.#keyTypes,
      keyChannels: this.#keyChannels,
      pageRows: this.#givenRowsMax,
      isPartial: this.#node.step === "PARTIAL",
      name: this.#nextName(),
    });
    this.#spilled = spilled;
    this.#bound?.markGroups(this.#keysOf(this.#states));
    yield* spilled.writeGroups(this.#states);
  }

  protected spillPage(page: Page): Steps<void> | undefined {
    return this.#spilled === undefined ? undefined : this.#writeRows(page, this.#spilled);
  }

  *#writeRows(page: Page, spilled: SpilledGroups): Steps<void> {
    this.#bound?.markRows(selectColumns(page, this.#keyChannels));
    this.#rows += page.positionCount;
    yield* spilled.writeRows(page);
    if (this.#bound?.isReached === true) {
      yield* this.#giveSpilled(spilled);
      this.#judge(this.#spilledGroups);
      this.#start();
    }
  }

  *#giveSpilled(spilled: SpilledGroups): Steps<void> {
    this.#spilledGroups = yield* spilled.results((page) => this.give(page));
    this.#given = 0;
  }

  /** All groups are complete. */
  #beginOutput(): void {
    this.#given = 0;
    if (this.#states.count > 0 && this.mustSpill(0)) {
      this.beginSpill(this.#spillResults(0));
    }
  }

  *#spillResults(given: number): Steps<void> {
    const results = new SpilledResults({
      context: this.context,
      name: this.#nextName(),
      types: [...this.#keyTypes, ...this.#plan.outputTypes],
      pageRows: this.#givenRowsMax,
    });
    this.#results = results;
    yield* results.write(this.#states, given, this.#outputValues());
  }

  /** The last page is not in use any more. */
  *#giveResults(results: SpilledResults): Steps<void> {
    this.#closeColumns();
    this.#states.close();
    yield* results.read((page) => this.give(page));
    this.#given = this.#groupCount;
    results.close();
    this.#results = undefined;
  }

  /** Files of an operator are removed while it writes the next ones. */
  #nextName(): string {
    return `-${this.#spills++}`;
  }

  /** Whether a PARTIAL step gives its groups out. */
  get #isFull(): boolean {
    const { isOfFixedSize, shape } = this.#plan;
    return this.#bound?.isReachedBy(this.#keysOf(this.#states), isOfFixedSize ? 0 : shape.states.reservedBytes) === true;
  }

  #judge(groups: number): void {
    this.#isIdle = this.#rows >= this.#judgedRows && groups * 100 >= this.#rows * passedPercent && this.#plan.canPass;
  }

  #keysOf(states: GroupStates): Page {
    return { positionCount: states.count, selection: 0, columns: states.keyColumns() };
  }

  /** Each row is a group. */
  *#pass(page: Page, keys: PassedKeys): Steps<void> {
    const { positionCount } = page;
    for (let isDone = this.#states.addAsGroups(page); !isDone; isDone = this.#states.advance(page)) {
      yield undefined;
    }
    const values = yield* this.#openColumns(pageRowsMax).of(this.#states, 0, positionCount);
    this.setReady({ positionCount, selection: 0, columns: [...keys.of(page), ...values] });
  }

  /**
   * Without input rows, grouping sets without columns still have their group. With input rows, GroupIdOperator has repeated them for every
   * set.
   */
  #addGlobalGroups(): void {
    const { globalSets, keys } = this.#node;
    if (globalSets === undefined) {
      return;
    }
    const { memory } = this.context;
    const { numbers, groupId } = globalSets;
    const columns = keys.map(({ name, type }): Column => {
      const width = physicalWidth(physicalType(type));
      const values = memory.allocateZeroed(width * numbers.length);
      const nulls = name === groupId.name ? 0 : memory.allocate(numbers.length);
      if (nulls === 0) {
        numbers.forEach((number, row) => (memory.linear.u32[(values + 8 * row) >>> 2] = number));
      } else {
        memory.linear.u8.fill(1, nulls, nulls + numbers.length);
      }
      return { type, values, nulls, ids: 0, length: numbers.length };
    });
    this.#states.assignKeys({ positionCount: numbers.length, selection: 0, columns });
    for (const { values, nulls } of columns) {
      memory.free(values);
      if (nulls !== 0) {
        memory.free(nulls);
      }
    }
  }

  /** Starts again without groups, or lets rows pass. */
  #start(): void {
    this.#closeColumns();
    this.#states.close();
    this.#spilled?.close();
    this.#spilled = undefined;
    this.#bound?.reset();
    this.#given = undefined;
    this.#rows = 0;
    this.#states = this.#newStates();
    if (this.#isIdle) {
      this.#passedKeys = new PassedKeys(this.context, this.#keyChannels);
    }
  }

  #closeColumns(): void {
    this.#columns?.close();
    this.#columns = undefined;
  }

  #newStates(): GroupStates {
    return new GroupStates({ context: this.context, plan: this.#plan, keyTypes: this.#keyTypes, keyChannels: this.#keyChannels });
  }

  #outputValues(): Omit<StateColumnsOptions, "rowsMax"> {
    return outputValues(this.context, this.#plan, this.#node.step === "PARTIAL");
  }

  #openColumns(rows: number): StateColumns {
    this.#columns ??= new StateColumns({ ...this.#outputValues(), rowsMax: Math.min(pageRowsMax, Math.max(16, rows)) });
    return this.#columns;
  }
}
