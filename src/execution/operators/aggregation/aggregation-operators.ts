/**
 * AggregationOperator (no keys) and HashAggregationOperator. Each row gets a group id; then one kernel adds the rows to the records of
 * their groups. Groups are output in order of first appearance. A PARTIAL step flushes its groups when they take too much memory, because
 * its result need not be complete. If they are nearly as many as the rows, the rows that follow pass as groups of their own: the step would
 * cost more than it saves.
 */
import { type InputLayout, outputArgumentsBytes, writeOutputArguments } from "../../expressions/columns.ts";
import { type ResolvedAggregate } from "../../../functions/registry/aggregate.ts";
import { resolveAggregate } from "../../../functions/registry/registry.ts";
import type { Kernel } from "../../../codegen/ir.ts";
import type { Address } from "../../../memory/memory.ts";
import { type Column, type Page, pageRowsMax } from "../../../page/page.ts";
import type { RowExpression, Variable } from "../../../planner/plan/typed-expression.ts";
import { substitute } from "../../../planner/plan/expression-tree.ts";
import type { AggregateCall, AggregationNode } from "../../../planner/plan/node.ts";
import { assert } from "../../../protocol/errors.ts";
import { displayType, physicalType, physicalWidth, type Type } from "../../../types/type.ts";
import { accumulateKernel, type AggregationShape, initKernel, type PlacedAggregate, resultKernel } from "./aggregation-kernels.ts";
import { PassedKeys } from "./passed-keys.ts";
import { GroupTable } from "../../hash-table/group-table.ts";
import { KernelByLayout, PageArguments } from "../kernel-cache.ts";
import { KernelExpressions } from "../kernel-expressions.ts";
import { BaseOperator, type OperatorContext, seedOf } from "../operator.ts";
import { selectColumns, slicePage } from "../pages.ts";

const givenRowsMaxEarly = 16;

/** Groups for 100 rows from which rows pass; adaptive-partial-aggregation.unique-rows-ratio-threshold of Trino. */
const passedPercent = 80;

export interface AggregationOptions {
  readonly context: OperatorContext;
  readonly node: AggregationNode;
  /** Columns of the incoming pages. */
  readonly layout: readonly Variable[];
  /** Projections that the aggregation evaluates in its own kernel. */
  readonly inlined: ReadonlyMap<string, RowExpression>;
}

export function createAggregation(options: AggregationOptions): HashAggregationOperator {
  return new HashAggregationOperator(options);
}

function resolve(call: AggregateCall): ResolvedAggregate {
  const resolved = resolveAggregate(call.name, call.argumentTypes);
  assert(
    !("error" in resolved),
    `plan has an aggregate ${call.name}(${call.argumentTypes.map(displayType).join()}) that the catalogue does not have`,
  );
  return resolved;
}

interface AggregationPlan {
  readonly shape: AggregationShape;
  readonly key: string;
  readonly outputTypes: readonly Type[];
  readonly hasInit: boolean;
  /** The state of a row is about as small as the row. A sketch is not. */
  readonly canPass: boolean;
  /** Called before one of its kernels is loaded. */
  readonly ensureHosts: () => void;
}

function planAggregation({ context, node, layout, inlined }: AggregationOptions): AggregationPlan {
  const expressions: RowExpression[] = [];
  const numberOf = (expression: RowExpression): number => {
    const own = substitute(expression, inlined);
    const known = expressions.findIndex(
      (other) => other === own || (own.kind === "variable" && other.kind === "variable" && other.name === own.name),
    );
    return known >= 0 ? known : expressions.push(own) - 1;
  };
  const merges = node.step === "FINAL";
  const names: string[] = [];
  const outputTypes: Type[] = [];
  let recordBytes = 0;
  let alignment = 8;
  const offsets = new Map<string, number>();
  const aggregates = node.aggregates.map((call): PlacedAggregate => {
    const { implementation, returnType } = resolve(call);
    const args = (merges ? (call.intermediates ?? []) : call.args).map(numberOf);
    const mask = call.mask === undefined ? undefined : numberOf(call.mask);
    const stateKey = merges || implementation.stateKey === undefined ? undefined : `${implementation.stateKey} ${args.join()} ${mask}`;
    const shared = stateKey === undefined ? undefined : offsets.get(stateKey);
    const offset = shared ?? roundUp(recordBytes, implementation.stateAlignment);
    if (shared === undefined) {
      alignment = Math.max(alignment, implementation.stateAlignment);
      recordBytes = offset + implementation.stateBytes;
      if (stateKey !== undefined) {
        offsets.set(stateKey, offset);
      }
    }
    outputTypes.push(...(node.step === "PARTIAL" ? implementation.intermediateTypes : [returnType]));
    names.push(`${call.name}(${call.argumentTypes.map(displayType).join()};${args.join()}${mask === undefined ? "" : ` if ${mask}`})`);
    return {
      implementation: merges ? { ...implementation, wantsNulls: true } : implementation,
      offset,
      args,
      mask,
      isShared: shared !== undefined,
    };
  });
  const uncountedOffset = roundUp(recordBytes, 8);
  recordBytes = uncountedOffset + 8;
  const { runtime } = context.services;
  const shape: AggregationShape = {
    aggregates,
    recordBytes: roundUp(recordBytes, alignment),
    uncountedOffset,
    merges,
    hasGroups: node.keys.length > 0,
    inputs: layout,
    expressions: new KernelExpressions(runtime, context.memory, expressions, layout, () => seedOf(context)),
    states: new KernelExpressions(runtime, context.memory, [], []),
  };
  const key = `aggregate ${node.step} ${shape.hasGroups ? "groups" : ""} ${names.join(" ")} ${shape.expressions.prepared.key}`;
  return {
    shape,
    key,
    outputTypes,
    canPass: aggregates.every(({ implementation }) => implementation.registerHosts === undefined),
    hasInit: aggregates.some(({ implementation }) => implementation.emitInit !== undefined),
    ensureHosts: () => {
      shape.expressions.ensureHosts();
      aggregates.forEach(({ implementation }) => implementation.registerHosts?.(runtime));
    },
  };
}

function roundUp(value: number, multiple: number): number {
  return Math.ceil(value / multiple) * multiple;
}

export class HashAggregationOperator extends BaseOperator {
  readonly #node: AggregationNode;
  readonly #plan: AggregationPlan;
  readonly #keyTypes: readonly Type[];
  readonly #keyChannels: readonly number[];
  readonly #accumulate: KernelByLayout;
  readonly #arguments: PageArguments;
  readonly #ids: Address;
  readonly #nullable: boolean[];
  readonly #partialBytesMax: number;
  #groups: GroupTable | undefined;
  #states: Address = 0;
  #capacity = 0;
  /** Number of groups with initialised records. */
  #initialised = 0;
  #outputArguments: Address = 0;
  #outputs: readonly { readonly type: Type; readonly values: Address; readonly nulls: Address }[] | undefined;
  /** Maximum number of groups of an output page. */
  readonly #givenRowsMax: number;
  /** Number of complete groups already output; undefined while the operator takes input. */
  #given: number | undefined;
  /** Number of rows that a PARTIAL step must have seen to pass the others. */
  readonly #judgedRows: number;
  /** Rows in the groups. */
  #rows = 0;
  /** The groups reduce too little: once they are output, rows pass. */
  #isIdle = false;
  /** Keys of rows that pass; undefined while rows are grouped. */
  #passedKeys: PassedKeys | undefined;
  /** A page of rows that passed. */
  #passed: Page | undefined;

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
    const { shape, key, ensureHosts } = this.#plan;
    this.#keyTypes = node.keys.map(({ type }) => type);
    this.#keyChannels = node.keys.map((variable) => {
      const channel = layout.findIndex(({ name }) => name === variable.name);
      assert(channel >= 0, `aggregation key ${variable.name} is no column`);
      return channel;
    });
    const accumulate = (name: string, pageLayout: InputLayout): Kernel => accumulateKernel(name, pageLayout, shape);
    this.#accumulate = new KernelByLayout(services.runtime, key, accumulate, ensureHosts);
    this.#arguments = new PageArguments(memory, layout.length);
    this.#ids = shape.hasGroups ? memory.allocate(4 * pageRowsMax) : 0;
    this.#nullable = [];
    // Built once more beside the cached kernel, because the build reports which columns can be NULL.
    resultKernel(shape, node.step === "PARTIAL", (index, nullable) => {
      this.#nullable[index] = nullable;
    });
    this.#start();
  }

  get needsInput(): boolean {
    return !this.finishing && this.#given === undefined && this.#passed === undefined;
  }

  get isFinished(): boolean {
    return this.finishing && this.#passed === undefined && this.#given !== undefined && this.#given >= this.#groupCount;
  }

  get #groupCount(): number {
    if (this.#passedKeys !== undefined) {
      return 0;
    }
    return this.#groups === undefined ? 1 : this.#groups.groupCount;
  }

  addInput(page: Page): void {
    if (this.#passedKeys !== undefined) {
      this.#passed = this.#pass(page, this.#passedKeys);
      return;
    }
    if (this.#groups !== undefined) {
      this.#groups.assign(selectColumns(page, this.#keyChannels), this.#ids);
      this.#reserve(this.#groups.groupCount);
      this.#rows += page.positionCount;
    }
    this.#accumulatePage(page);
    if (this.#node.step === "PARTIAL" && this.#groups !== undefined && this.context.memory.reservedBytes > this.#partialBytesMax) {
      this.#given = 0;
      this.#isIdle = this.#rows >= this.#judgedRows && this.#groups.groupCount * 100 >= this.#rows * passedPercent && this.#plan.canPass;
    }
  }

  #accumulatePage(page: Page): void {
    const { shape } = this.#plan;
    if (shape.aggregates.length > 0) {
      const kernel = this.#accumulate.for(page);
      shape.expressions.begin();
      const failed = kernel(this.#arguments.write(page), this.#ids, this.#states, ...shape.expressions.args, ...shape.states.args);
      if (failed !== 0) {
        shape.expressions.check();
        shape.states.raise();
      }
    }
  }

  /** Each row is a group. */
  #pass(page: Page, keys: PassedKeys): Page {
    const { positionCount } = page;
    this.#plan.shape.states.begin();
    this.#initialised = 0;
    this.#reserve(positionCount);
    this.#accumulatePage(page);
    return { positionCount, selection: 0, columns: [...keys.of(page), ...this.#results(0, positionCount)] };
  }

  override finish(): void {
    super.finish();
    if (this.#given === undefined && this.#node.step !== "FINAL" && this.#groups?.groupCount === 0) {
      this.#addGlobalGroups(this.#groups);
    }
    this.#given ??= 0;
  }

  getOutput(): Page | undefined {
    const passed = this.#passed;
    this.#passed = undefined;
    if (this.#given === undefined || passed !== undefined) {
      return passed;
    }
    const count = Math.min(this.#givenRowsMax, this.#groupCount - this.#given);
    if (count === 0) {
      if (!this.finishing) {
        this.#start();
      }
      return undefined;
    }
    const page = this.#resultPage(this.#given, count);
    this.#given += count;
    return page;
  }

  override close(): void {
    this.#groups?.close();
    this.#plan.shape.expressions.close();
    this.#plan.shape.states.close();
  }

  /**
   * Without input rows, grouping sets without columns still have their group. With input rows, GroupIdOperator has repeated them for every
   * set.
   */
  #addGlobalGroups(groups: GroupTable): void {
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
    groups.assign({ positionCount: numbers.length, selection: 0, columns }, this.#ids);
    this.#reserve(groups.groupCount);
    for (const { values, nulls } of columns) {
      memory.free(values);
      if (nulls !== 0) {
        memory.free(nulls);
      }
    }
  }

  /** Starts without groups; a global aggregation starts with its one record. */
  #start(): void {
    const { shape } = this.#plan;
    const { memory, services } = this.context;
    this.#groups?.close();
    if (this.#states !== 0) {
      memory.free(this.#states);
    }
    shape.states.begin();
    this.#states = 0;
    this.#capacity = 0;
    this.#initialised = 0;
    this.#given = undefined;
    this.#rows = 0;
    if (this.#isIdle) {
      this.#groups = undefined;
      this.#passedKeys = new PassedKeys(this.context, this.#keyChannels);
      const word = this.#ids >>> 2;
      memory.linear.u32.subarray(word, word + pageRowsMax).forEach((_, position, ids) => (ids[position] = position));
      return;
    }
    this.#groups = shape.hasGroups ? new GroupTable(services, memory, this.#keyTypes) : undefined;
    this.#reserve(shape.hasGroups ? 0 : 1);
  }

  #reserve(groups: number): void {
    const { shape, hasInit, key, ensureHosts } = this.#plan;
    const { memory, services } = this.context;
    if (groups > this.#capacity || this.#states === 0) {
      this.#capacity = Math.max(memory.knobs.value("aggregation-groups"), groups, this.#capacity * 2);
      const bytes = this.#capacity * shape.recordBytes;
      this.#states = this.#states === 0 ? memory.allocate(bytes) : memory.reallocate(this.#states, bytes);
    }
    if (groups > this.#initialised) {
      const { u8 } = memory.linear;
      u8.fill(0, this.#states + this.#initialised * shape.recordBytes, this.#states + groups * shape.recordBytes);
      if (hasInit) {
        const failed = services.runtime.load(`init ${key}`, () => initKernel(shape), ensureHosts)(
          this.#states,
          this.#initialised,
          groups,
          ...shape.states.args,
        );
        assert(failed === 0, "the state of no rows can always be made");
      }
      this.#initialised = groups;
    }
  }

  #resultPage(first: number, count: number): Page {
    const results = this.#results(first, count);
    const keys: Page = { positionCount: this.#groupCount, selection: 0, columns: this.#groups?.keyColumns() ?? [] };
    return { positionCount: count, selection: 0, columns: [...slicePage(keys, first, count).columns, ...results] };
  }

  #results(first: number, count: number): readonly Column[] {
    const { shape, key, ensureHosts } = this.#plan;
    const outputs = this.#openOutputs();
    if (shape.aggregates.length > 0) {
      const kernel = this.context.services.runtime.load(
        `result ${key}`,
        () => resultKernel(shape, this.#node.step === "PARTIAL", () => undefined),
        ensureHosts,
      );
      const failed = kernel(this.#states, first, first + count, this.#outputArguments, ...shape.states.args);
      if (failed !== 0) {
        shape.states.raise();
      }
    }
    return outputs.map(({ type, values, nulls }): Column => ({ type, values, nulls, ids: 0, length: count }));
  }

  #openOutputs(): readonly { readonly type: Type; readonly values: Address; readonly nulls: Address }[] {
    const { memory } = this.context;
    if (this.#outputs === undefined) {
      const rows = Math.min(pageRowsMax, Math.max(16, this.#groupCount));
      const size = this.#node.step === "PARTIAL" ? pageRowsMax : rows;
      this.#outputs = this.#plan.outputTypes.map((type, index) => ({
        type,
        values: memory.allocate(size * physicalWidth(physicalType(type))),
        nulls: this.#nullable[index] === true ? memory.allocate(size) : 0,
      }));
      this.#outputArguments = memory.allocate(outputArgumentsBytes(this.#outputs.length));
      writeOutputArguments(memory.linear, this.#outputArguments, this.#outputs);
    }
    return this.#outputs;
  }
}
