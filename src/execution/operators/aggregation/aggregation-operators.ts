/**
 * AggregationOperator (no keys) and HashAggregationOperator. Groups are output in order of first appearance. A PARTIAL step flushes its
 * groups when they take too much memory, because its result need not be complete. If they are nearly as many as the rows, the rows that
 * follow pass as groups of their own: the step would cost more than it saves. The other steps spill groups that do not fit in memory.
 */
import { type Column, type Page, pageRowsMax } from "../../../page/page.ts";
import type { AggregationNode } from "../../../planner/plan/node.ts";
import { assert } from "../../../protocol/errors.ts";
import { physicalType, physicalWidth, type Type } from "../../../types/type.ts";
import type { Steps } from "../../spill/spill-runs.ts";
import { SpillingOperator } from "../../spill/spilling-operator.ts";
import { type AggregationOptions, type AggregationPlan, planAggregation } from "./aggregation-plan.ts";
import { GroupStates, StateColumns } from "./group-states.ts";
import { PassedKeys } from "./passed-keys.ts";
import { SpilledGroups } from "./spilled-groups.ts";

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
  readonly #partialBytesMax: number;
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
  /** The groups reduce too little: once they are output, rows pass. */
  #isIdle = false;
  /** Keys of rows that pass; undefined while rows are grouped. */
  #passedKeys: PassedKeys | undefined;
  #spilled: SpilledGroups | undefined;

  constructor(options: AggregationOptions) {
    super(options.context);
    const { context, node, layout } = options;
    const { memory, services } = context;
    this.#node = node;
    const flushesEarly = services.ports.points.fires("partial-aggregation-flushes-early");
    this.#judgedRows = memory.knobs.value("partial-aggregation-judged-rows");
    this.#partialBytesMax = flushesEarly ? 0 : memory.knobs.value("partial-aggregation-bytes");
    this.#givenRowsMax = flushesEarly ? givenRowsMaxEarly : memory.knobs.value("page-rows");
    this.#plan = planAggregation(options);
    this.#keyTypes = node.keys.map(({ type }) => type);
    this.#keyChannels = node.keys.map((variable) => {
      const channel = layout.findIndex(({ name }) => name === variable.name);
      assert(channel >= 0, `aggregation key ${variable.name} is no column`);
      return channel;
    });
    this.#states = this.#newStates();
    if (node.step !== "PARTIAL" && node.keys.length > 0 && this.#plan.isSpillable) {
      this.enableSpill();
    }
  }

  protected get canSpill(): boolean {
    return this.#spilled === undefined && this.#states.count > 0;
  }

  get needsInput(): boolean {
    return !this.finishing && this.#given === undefined && !this.isBusy;
  }

  get isFinished(): boolean {
    return this.finishing && !this.isBusy && this.#given !== undefined && this.#given >= this.#groupCount;
  }

  /** Memory without what depends on the layout of the pages: where groups are output must depend on the rows alone. */
  get #valueBytes(): number {
    return this.context.memory.reservedBytes - this.#states.layoutBytes;
  }

  get #groupCount(): number {
    return this.#passedKeys === undefined && this.#spilled === undefined ? this.#states.count : 0;
  }

  override addInput(page: Page): void {
    if (this.#passedKeys === undefined) {
      super.addInput(page);
    } else {
      this.setReady(this.#pass(page, this.#passedKeys));
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
    this.#given ??= 0;
  }

  getOutput(): Page | undefined {
    if (this.isBusy) {
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
    const page = this.#openColumns(this.#groupCount).page(this.#states, this.#given, count);
    this.#given += count;
    return page;
  }

  override close(): void {
    super.close();
    this.#spilled?.close();
    this.#states.close();
    this.#plan.shape.expressions.close();
    this.#plan.shape.states.close();
  }

  protected growthBytes(page: Page): number {
    return this.#states.growthBytes(page);
  }

  protected keep(page: Page): void {
    this.#states.add(page);
    this.#rows += page.positionCount;
    if (this.#node.step === "PARTIAL" && this.#node.keys.length > 0 && this.#valueBytes > this.#partialBytesMax) {
      this.#given = 0;
      this.#isIdle = this.#rows >= this.#judgedRows && this.#states.count * 100 >= this.#rows * passedPercent && this.#plan.canPass;
    }
  }

  protected *spill(): Steps<void> {
    const spilled = new SpilledGroups({
      context: this.context,
      plan: this.#plan,
      keyTypes: this.#keyTypes,
      keyChannels: this.#keyChannels,
      pageRows: this.#givenRowsMax,
    });
    this.#spilled = spilled;
    yield* spilled.writeGroups(this.#states);
  }

  protected spillPage(page: Page): Steps<void> | undefined {
    return this.#spilled?.writeRows(page);
  }

  *#giveSpilled(spilled: SpilledGroups): Steps<void> {
    yield* spilled.results((page) => this.give(page));
    this.#given = 0;
  }

  /** Each row is a group. */
  #pass(page: Page, keys: PassedKeys): Page {
    const { positionCount } = page;
    this.#states.addAsGroups(page);
    return {
      positionCount,
      selection: 0,
      columns: [...keys.of(page), ...this.#openColumns(pageRowsMax).of(this.#states, 0, positionCount)],
    };
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
    this.#columns?.close();
    this.#columns = undefined;
    this.#states.close();
    this.#given = undefined;
    this.#rows = 0;
    this.#states = this.#newStates();
    if (this.#isIdle) {
      this.#passedKeys = new PassedKeys(this.context, this.#keyChannels);
    }
  }

  #newStates(): GroupStates {
    return new GroupStates({ context: this.context, plan: this.#plan, keyTypes: this.#keyTypes, keyChannels: this.#keyChannels });
  }

  #openColumns(rows: number): StateColumns {
    const { shape, key, outputTypes } = this.#plan;
    this.#columns ??= new StateColumns({
      context: this.context,
      shape,
      name: key,
      types: outputTypes,
      isPartial: this.#node.step === "PARTIAL",
      rowsMax: Math.min(pageRowsMax, Math.max(16, rows)),
    });
    return this.#columns;
  }
}
