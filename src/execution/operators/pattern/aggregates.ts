/**
 * Aggregates over the rows of a match. The arguments are columns, or are computed once per aggregated row. The rows are collected in a
 * list, and each result is computed over a frame of that list. While frames only grow, each row is added once.
 */
import { compilePageProcessor, type PageProcessor } from "../../expressions/page-processor.ts";
import type { Address } from "../../../memory/memory.ts";
import { type Column, pageRowsMax } from "../../../page/page.ts";
import type { RowExpression, Variable } from "../../../planner/plan/typed-expression.ts";
import type { WindowCall } from "../../../planner/plan/node.ts";
import type { PatternAggregate } from "../../../planner/plan/pattern-nodes.ts";
import { BOOLEAN } from "../../../types/type.ts";
import { type OperatorContext, seedOf } from "../operator.ts";
import { RowStore } from "../../hash-table/row-store.ts";
import { FrameAggregates } from "../window/aggregates.ts";
import type { RowRange } from "./match-path.ts";
import { AccessColumns, type PatternRows } from "./values.ts";
import { Words } from "./words.ts";

const wholeRun: WindowCall["frame"] = { type: "ROWS", start: { type: "UNBOUNDED_PRECEDING" }, end: { type: "CURRENT_ROW" } };

/** The rows that an aggregate's arguments are read from. */
interface ArgumentRows {
  readonly args: readonly Variable[];
  readonly mask?: Variable;
  column(variable: Variable): Column;
  /** Row of the argument columns for a row of the match. Equal parameters give the same row. */
  rowOf(position: number, label: number, matchNumber: number): number;
  /** Appends the rows of many positions to `list`. */
  append(list: Words, positions: Iterable<readonly [position: number, label: number]>, matchNumber: number): void;
  enterPartition(range: RowRange): void;
  /** Discards the rows appended so far. */
  clear(): void;
  close(): void;
}

/** Arguments that are columns: the rows are those of the store. */
class ColumnArguments implements ArgumentRows {
  readonly args: readonly Variable[];
  readonly #source: PatternRows;
  readonly #channels: ReadonlyMap<string, number>;

  constructor(source: PatternRows, { args, inputs }: PatternAggregate) {
    this.args = args as readonly Variable[];
    this.#source = source;
    this.#channels = new Map(
      inputs.flatMap(({ output, value }) => (value.kind === "COLUMN" ? [[output.name, source.channel(value.column)]] : [])),
    );
  }

  column({ name }: Variable): Column {
    return this.#source.rows.store.column(this.#channels.get(name) as number);
  }

  rowOf(position: number): number {
    return this.#source.rows.rowAt(position);
  }

  append(list: Words, positions: Iterable<readonly [number, number]>): void {
    for (const [position] of positions) {
      list.push(this.#source.rows.rowAt(position));
    }
  }

  enterPartition(): void {}

  clear(): void {}

  close(): void {}
}

class ComputedArguments implements ArgumentRows {
  readonly args: readonly Variable[];
  readonly mask?: Variable;
  readonly #context: OperatorContext;
  readonly #accesses: AccessColumns;
  readonly #processor: PageProcessor;
  readonly #store: RowStore;
  readonly #names: readonly string[];
  readonly #labels: number;
  readonly #hasMatchNumber: boolean;
  /** By position and label: the row that holds its arguments, plus one. */
  #known: Address = 0;
  #capacity = 0;
  #range: RowRange = { first: 0, end: 0 };
  #matchNumber = -1;
  /** Maximum number of rows whose arguments are computed at once. */
  readonly #computedRows: number;

  constructor(context: OperatorContext, source: PatternRows, aggregate: PatternAggregate) {
    const { args, inputs, mask } = aggregate;
    const { memory, services } = context;
    const expressions: readonly RowExpression[] = mask === undefined ? args : [...args, mask];
    const variables = expressions.map(
      (expression, index): Variable => ({
        kind: "variable",
        name: `${aggregate.output.name} ${index}`,
        type: index < args.length ? expression.type : BOOLEAN,
      }),
    );
    this.args = variables.slice(0, args.length);
    if (mask !== undefined) {
      this.mask = variables[args.length] as Variable;
    }
    this.#names = variables.map(({ name }) => name);
    this.#context = context;
    this.#computedRows = memory.knobs.value("pattern-computed-rows");
    this.#accesses = new AccessColumns(memory, source, inputs, this.#computedRows);
    const compiled = compilePageProcessor(services.runtime, { inputs: inputs.map(({ output }) => output), projections: expressions });
    this.#processor = compiled.create(memory, () => seedOf(context));
    this.#store = new RowStore({ runtime: services.runtime, memory, types: variables.map(({ type }) => type) });
    this.#labels = inputs.some(({ value }) => value.kind === "CLASSIFIER") ? source.node.labels.length : 0;
    this.#hasMatchNumber = inputs.some(({ value }) => value.kind === "MATCH_NUMBER");
  }

  column({ name }: Variable): Column {
    return this.#store.column(this.#names.indexOf(name));
  }

  rowOf(position: number, label: number, matchNumber: number): number {
    if (this.#hasMatchNumber && matchNumber !== this.#matchNumber) {
      this.#matchNumber = matchNumber;
      this.#forget();
    }
    const { u32 } = this.#context.memory.linear;
    const place = position - this.#range.first;
    const word = (this.#known >>> 2) + (this.#labels === 0 ? place : place * this.#labels + label);
    const known = u32[word] as number;
    if (known !== 0) {
      return known - 1;
    }
    this.#accesses.writeRow(0, position, label, matchNumber);
    this.#compute(1);
    u32[word] = this.#store.rowCount;
    return this.#store.rowCount - 1;
  }

  append(list: Words, positions: Iterable<readonly [number, number]>, matchNumber: number): void {
    let count = 0;
    const flush = (): void => {
      const first = this.#store.rowCount;
      this.#compute(count);
      for (let row = first; row < this.#store.rowCount; row++) {
        list.push(row);
      }
      count = 0;
    };
    for (const [position, label] of positions) {
      this.#accesses.writeRow(count++, position, label, matchNumber);
      if (count === this.#computedRows) {
        flush();
      }
    }
    if (count > 0) {
      flush();
    }
  }

  /** Rows by position belong to one partition; rows computed before are discarded. */
  enterPartition(range: RowRange): void {
    const bytes = 4 * (range.end - range.first) * Math.max(1, this.#labels);
    if (bytes > this.#capacity) {
      const { memory } = this.#context;
      if (this.#known !== 0) {
        memory.free(this.#known);
      }
      this.#known = memory.allocate(bytes);
      this.#capacity = bytes;
    }
    this.#range = range;
    this.#forget();
  }

  clear(): void {
    this.#store.reset();
  }

  close(): void {
    this.#processor.close();
    this.#store.close();
  }

  #forget(): void {
    const { first, end } = this.#range;
    const bytes = 4 * (end - first) * Math.max(1, this.#labels);
    this.#context.memory.linear.u8.fill(0, this.#known, this.#known + bytes);
    this.#store.reset();
  }

  #compute(count: number): void {
    this.#store.append(this.#processor.process({ positionCount: count, selection: 0, columns: this.#accesses.columns() }));
  }
}

function argumentsOf(context: OperatorContext, source: PatternRows, aggregate: PatternAggregate): ArgumentRows {
  const isPlain = aggregate.mask === undefined && aggregate.args.every((arg) => arg.kind === "variable" && isColumn(aggregate, arg));
  return isPlain ? new ColumnArguments(source, aggregate) : new ComputedArguments(context, source, aggregate);
}

function isColumn({ inputs }: PatternAggregate, { name }: Variable): boolean {
  return inputs.some(({ output, value }) => output.name === name && value.kind === "COLUMN");
}

/** One aggregate: the list of its rows, and frames of that list. */
export class MatchAggregate {
  readonly aggregate: PatternAggregate;
  /** u32 rows of the arguments. */
  readonly list: Words;
  readonly starts: Address;
  readonly ends: Address;
  readonly #context: OperatorContext;
  readonly #arguments: ArgumentRows;
  readonly #frames: FrameAggregates;
  readonly #bounds: { readonly partitionStarts: Address; readonly partitionEnds: Address };

  constructor(context: OperatorContext, source: PatternRows, aggregate: PatternAggregate) {
    const { memory } = context;
    this.aggregate = aggregate;
    this.#context = context;
    this.#arguments = argumentsOf(context, source, aggregate);
    this.list = new Words(memory);
    this.list.reserve(1);
    const words = (): Address => memory.allocate(4 * pageRowsMax);
    [this.starts, this.ends] = [words(), words()];
    this.#bounds = { partitionStarts: words(), partitionEnds: words() };
    const { args, mask } = this.#arguments;
    const call: WindowCall = {
      output: aggregate.output,
      name: aggregate.name,
      argumentTypes: aggregate.argumentTypes,
      args,
      ignoreNulls: false,
      ...(mask === undefined ? {} : { mask }),
      frame: wholeRun,
    };
    const { list } = this;
    this.#frames = new FrameAggregates({
      calls: [call],
      layout: mask === undefined ? args : [...args, mask],
      frames: this,
      context: {
        context,
        bounds: this.#bounds,
        rows: {
          memory,
          rowCount: source.rows.store.rowCount,
          get order() {
            return list.address;
          },
          column: (variable) => this.#arguments.column(variable),
        },
      },
    });
  }

  enterPartition(range: RowRange): void {
    this.#arguments.enterPartition(range);
    this.#frames.forget();
  }

  /** Appends rows of one match to the list. */
  append(positions: Iterable<readonly [position: number, label: number]>, matchNumber: number): void {
    this.#arguments.append(this.list, positions, matchNumber);
  }

  rowOf(position: number, label: number, matchNumber: number): number {
    return this.#arguments.rowOf(position, label, matchNumber);
  }

  /** Called when the content of the list has changed. */
  forget(): void {
    this.#frames.forget();
  }

  /** Empties the list. */
  clear(): void {
    this.list.truncate(0);
    this.#arguments.clear();
    this.#frames.forget();
  }

  /** Sets the frame of row `index` of the page to the list's entries from `start` to `end`. */
  setFrame(index: number, start: number, end: number): void {
    const { u32 } = this.#context.memory.linear;
    u32[(this.starts >>> 2) + index] = start;
    u32[(this.ends >>> 2) + index] = end;
  }

  /** Results of the first `count` frames; valid until the next call. */
  *column(count: number): Generator<undefined, Column> {
    const { u32 } = this.#context.memory.linear;
    const [from, to] = [this.#bounds.partitionStarts >>> 2, this.#bounds.partitionEnds >>> 2];
    u32.fill(0, from, from + count);
    u32.fill(count, to, to + count);
    const [column] = yield* this.#frames.columns({ first: 0, count });
    return column as Column;
  }

  close(): void {
    this.#frames.close();
    this.#arguments.close();
  }
}
