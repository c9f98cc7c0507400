/**
 * TableFunctionOperator runs a connector's function over partitions of its tables. Each tuple of partitions has its own processor, and the
 * operator keeps the tables until all their rows have arrived. RowsTableFunctionOperator runs one processor over the pages of its only
 * table as they arrive.
 */
import type { ProcessorStep, TableFunctionProcessor } from "../../../connectors/table-function.ts";
import type { Column, Page } from "../../../page/page.ts";
import type { Variable } from "../../../planner/plan/typed-expression.ts";
import type { TableFunctionInput, TableFunctionNode } from "../../../planner/plan/node.ts";
import { assert, QueryError } from "../../../protocol/errors.ts";
import { BIGINT, type Type } from "../../../types/type.ts";
import { channelsOf } from "../../task/columns.ts";
import { BaseOperator, type OperatorContext, type SourceOperator } from "../operator.ts";
import { SortedRows } from "../sort/sorted-rows.ts";
import { RowStore } from "../../hash-table/row-store.ts";
import type { LocalExchange } from "../union-operators.ts";
import { type PartitionRange, partitionTuples, type SortedInput } from "./partition-tuples.ts";
import { PassedRows, withColumns } from "./passed-columns.ts";

export interface TableFunctionOptions {
  readonly context: OperatorContext;
  readonly node: TableFunctionNode;
  /** Layout of each source. */
  readonly layouts: readonly (readonly Variable[])[];
}

function createProcessor({ context, node }: TableFunctionOptions): TableFunctionProcessor {
  const { catalog, schema, name, handle } = node.function;
  const { tableFunctions = [] } = context.services.connector(catalog);
  const found = tableFunctions.find((one) => one.schema === schema && one.name === name);
  if (found?.kind !== "PROCESSING") {
    throw new QueryError("FUNCTION_IMPLEMENTATION_MISSING", `Table function ${catalog}.${schema}.${name} is not on this node`);
  }
  const indices = node.inputs.filter(({ passesThrough }) => passesThrough).map((): Type => BIGINT);
  return found.createProcessor({ handle, types: [...node.outputs.map(({ type }) => type), ...indices], memory: context.memory });
}

/** Channels of the function's pages with the row numbers of each input that passes through. */
function indexChannels({ inputs, outputs }: TableFunctionNode): readonly number[] {
  let next = outputs.length;
  return inputs.map(({ passesThrough }) => (passesThrough ? next++ : -1));
}

/** One table argument of an invocation. */
class PartitionedInput implements SortedInput {
  readonly input: TableFunctionInput;
  readonly rows: SortedRows;
  readonly keyChannels: readonly number[];
  readonly requiredChannels: readonly number[];
  readonly passedChannels: readonly number[];
  readonly passedRows: PassedRows;
  readonly #pageRows: number;

  constructor(context: OperatorContext, input: TableFunctionInput, layout: readonly Variable[]) {
    const { memory, services } = context;
    const { orderBy, partitionBy, passed, required } = input;
    this.input = input;
    this.keyChannels = channelsOf(layout, partitionBy);
    this.requiredChannels = channelsOf(layout, required);
    this.passedChannels = channelsOf(layout, passed);
    this.passedRows = new PassedRows(memory);
    this.#pageRows = memory.knobs.value("page-rows");
    const orderChannels = channelsOf(
      layout,
      orderBy.map(({ variable }) => variable),
    );
    const types = layout.map(({ type }) => type);
    this.rows = new SortedRows({
      runtime: services.runtime,
      memory,
      types,
      partitionChannels: this.keyChannels,
      orderChannels,
      order: orderBy,
    });
  }

  /** The next rows of a partition; undefined at its end. */
  page({ end }: PartitionRange, position: number): Page | undefined {
    if (position >= end) {
      return undefined;
    }
    const ids = this.rows.order + 4 * position;
    const columns = this.requiredChannels.map((channel): Column => ({ ...this.rows.store.column(channel), ids }));
    return { positionCount: Math.min(this.#pageRows, end - position), selection: 0, columns };
  }

  /** Columns that pass through beside a page of the function. The row of NULLs is the last of the store. */
  passedColumns(page: Page, { first, end }: PartitionRange, indexChannel: number): readonly Column[] {
    if (this.passedChannels.length === 0 && !this.input.passesThrough) {
      return [];
    }
    const nullRow = this.rows.rowCount;
    const rowAt = (index: number | undefined): number => (index === undefined ? nullRow : this.rows.rowAt(first + index));
    const ids = this.input.passesThrough
      ? this.passedRows.ofIndices(page, indexChannel, end - first, rowAt)
      : this.passedRows.ofOne(page.positionCount, first === end ? nullRow : this.rows.rowAt(first));
    return this.passedChannels.map((channel): Column => ({ ...this.rows.store.column(channel), ids }));
  }
}

export class TableFunctionOperator extends BaseOperator implements SourceOperator {
  readonly needsInput: boolean = false;
  readonly rawInputBytes: number = 0;
  readonly rawInputPositions: number = 0;
  readonly #options: TableFunctionOptions;
  readonly #exchange: LocalExchange;
  readonly #inputs: readonly PartitionedInput[];
  #steps: Generator<Page | undefined, void> | undefined;
  #processor: TableFunctionProcessor | undefined;
  #waiting: Promise<void> | undefined;
  #isDone = false;

  /** Source i of `exchange` is source i of the node. */
  constructor(options: TableFunctionOptions, exchange: LocalExchange) {
    super(options.context);
    this.#options = options;
    this.#exchange = exchange;
    this.#inputs = options.node.inputs.map(
      (input, index) => new PartitionedInput(options.context, input, options.layouts[index] as readonly Variable[]),
    );
  }

  get isFinished(): boolean {
    return this.#isDone;
  }

  addInput(): void {
    assert(false, "a source has no input");
  }

  getOutput(): Page | undefined {
    for (let page = this.#exchange.take(); page !== undefined; page = this.#exchange.take()) {
      (this.#inputs[this.#exchange.source] as PartitionedInput).rows.append(page);
    }
    if (!this.#exchange.isExhausted || this.#isDone) {
      return undefined;
    }
    this.#waiting = undefined;
    this.#steps ??= this.#run();
    const { done, value } = this.#steps.next();
    this.#isDone = done === true;
    return value ?? undefined;
  }

  override blocked(): Promise<void> | undefined {
    if (this.#isDone) {
      return undefined;
    }
    return this.#exchange.isExhausted ? this.#waiting : this.#exchange.waitToRead();
  }

  override close(): void {
    this.#exchange.close();
    this.#processor?.close();
    this.#processor = undefined;
    for (const { rows } of this.#inputs) {
      rows.close();
    }
  }

  *#run(): Generator<Page | undefined, void> {
    const { context, node } = this.#options;
    for (const { rows } of this.#inputs) {
      yield* rows.sort();
      rows.store.appendNulls();
    }
    const { memory, services } = context;
    const { copartitioned } = node;
    for (const tuple of partitionTuples({ runtime: services.runtime, memory, inputs: this.#inputs, copartitioned })) {
      if (tuple === undefined) {
        yield undefined;
      } else {
        yield* this.#process(tuple);
      }
    }
  }

  *#process(tuple: readonly PartitionRange[]): Generator<Page | undefined, void> {
    const processor = createProcessor(this.#options);
    this.#processor = processor;
    const positions = tuple.map(({ first }) => first);
    const channels = indexChannels(this.#options.node);
    for (;;) {
      const pages = this.#inputs.map((input, index) => input.page(tuple[index] as PartitionRange, positions[index] as number));
      const step: ProcessorStep = processor.process(pages.every((page) => page === undefined) ? undefined : pages);
      if (step.kind === "FINISHED") {
        break;
      }
      if (step.kind === "BLOCKED") {
        this.#waiting = step.until;
        yield undefined;
        continue;
      }
      if (step.usedInput) {
        for (const [index, page] of pages.entries()) {
          positions[index] = (positions[index] as number) + (page?.positionCount ?? 0);
        }
      }
      yield step.page === undefined ? undefined : this.#withPassed(step.page, tuple, channels);
    }
    processor.close();
    this.#processor = undefined;
  }

  #withPassed(page: Page, tuple: readonly PartitionRange[], channels: readonly number[]): Page {
    const passed = this.#inputs.map((input, index) => input.passedColumns(page, tuple[index] as PartitionRange, channels[index] as number));
    return withColumns(page, this.#options.node.outputs.length, passed);
  }
}

export class RowsTableFunctionOperator extends BaseOperator {
  readonly #options: TableFunctionOptions;
  readonly #requiredChannels: readonly number[];
  readonly #passedChannels: readonly number[];
  readonly #passedRows: PassedRows;
  /** The current page of the function, and a row of NULLs. */
  readonly #store: RowStore;
  #rowCount = 0;
  /** True if the function has not consumed the page yet. */
  #hasInput = false;
  #processor: TableFunctionProcessor | undefined;
  #waiting: Promise<void> | undefined;
  #isDone = false;

  constructor(options: TableFunctionOptions) {
    super(options.context);
    const { context, node, layouts } = options;
    const { memory, services } = context;
    const [input] = node.inputs as readonly [TableFunctionInput];
    const [layout] = layouts as readonly [readonly Variable[]];
    this.#options = options;
    this.#requiredChannels = channelsOf(layout, input.required);
    this.#passedChannels = channelsOf(layout, input.passed);
    this.#passedRows = new PassedRows(memory);
    this.#store = new RowStore({ runtime: services.runtime, memory, types: layout.map(({ type }) => type) });
  }

  get needsInput(): boolean {
    return !this.finishing && !this.#hasInput && this.#waiting === undefined && !this.#isDone;
  }

  get isFinished(): boolean {
    return this.#isDone || (this.finishing && this.#processor === undefined && !this.#hasInput);
  }

  addInput(page: Page): void {
    this.#hasInput = true;
    this.#store.reset();
    this.#store.append(page);
    this.#rowCount = page.positionCount;
    this.#store.appendNulls();
  }

  getOutput(): Page | undefined {
    this.#waiting = undefined;
    if (this.isFinished || (!this.#hasInput && !this.finishing)) {
      return undefined;
    }
    this.#processor ??= createProcessor(this.#options);
    const step = this.#processor.process(this.#hasInput ? [this.#input()] : undefined);
    switch (step.kind) {
      case "FINISHED":
        this.#isDone = true;
        return undefined;
      case "BLOCKED":
        this.#waiting = step.until;
        return undefined;
      case "PROCESSED":
        this.#hasInput &&= !step.usedInput;
        return step.page === undefined ? undefined : this.#withPassed(step.page);
    }
  }

  override blocked(): Promise<void> | undefined {
    return this.#waiting;
  }

  override close(): void {
    this.#processor?.close();
    this.#processor = undefined;
    this.#store.close();
  }

  #input(): Page {
    const columns = this.#requiredChannels.map((channel) => this.#store.column(channel));
    return { positionCount: this.#rowCount, selection: 0, columns };
  }

  #withPassed(page: Page): Page {
    const { node } = this.#options;
    const [channel] = indexChannels(node) as [number];
    if (channel < 0) {
      return withColumns(page, node.outputs.length, []);
    }
    const ids = this.#passedRows.ofIndices(page, channel, this.#rowCount, (index) => index ?? this.#rowCount);
    const passed = this.#passedChannels.map((at): Column => ({ ...this.#store.column(at), ids }));
    return withColumns(page, node.outputs.length, [passed]);
  }
}
