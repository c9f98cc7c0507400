/**
 * Collects the output rows of a row pattern into pages: columns of the source through row numbers, and the measures, computed a page at a
 * time.
 */
import { compilePageProcessor, type PageProcessor } from "../../expressions/page-processor.ts";
import type { Address } from "../../../memory/memory.ts";
import { type Column, type Page, pageRowsMax } from "../../../page/page.ts";
import type { Constant, RowExpression, Variable } from "../../../planner/plan/typed-expression.ts";
import { BIGINT, BOOLEAN } from "../../../types/type.ts";
import { type OperatorContext, seedOf } from "../operator.ts";
import { MatchAggregate } from "./aggregates.ts";
import type { RowRange } from "./match-path.ts";
import { AccessColumns, type PatternRows } from "./values.ts";

const matchedVariable: Variable = Object.freeze({ kind: "variable", name: "$matched", type: BOOLEAN });

/** NULL for rows that are in no match. */
function whereMatched(expression: RowExpression): RowExpression {
  const nothing: Constant = { kind: "constant", type: expression.type, value: null };
  return { kind: "special", form: "IF", type: expression.type, args: [matchedVariable, expression, nothing] };
}

/** The current page of the output, of which searches over the partitions before may have output rows. */
export class OutputPage {
  /** Number of rows that were output. */
  rows = 0;
  /** Per aggregate: rows that were in its list. */
  listed: readonly number[] = [];

  get isEmpty(): boolean {
    return this.rows === 0;
  }
}

export interface MatchOutputOptions {
  /** Channels of the source's columns, which precede the measures. */
  readonly channels: readonly number[];
  readonly outputPage: OutputPage;
}

export class MatchOutput {
  readonly #context: OperatorContext;
  readonly #source: PatternRows;
  readonly #channels: readonly number[];
  readonly #outputPage: OutputPage;
  readonly #pageRows: number;
  /** With more rows in the lists of aggregates, a page ends with the match. */
  readonly #listedRowsMax: number;
  readonly #accesses: AccessColumns;
  readonly #aggregates: readonly MatchAggregate[];
  readonly #processor: PageProcessor;
  readonly #rowIds: Address;
  readonly #matched: Address;
  /** For windows: start and end of the match, relative to the row. */
  readonly #bounds: readonly Address[];
  /** Per aggregate: where the rows of the current match begin in its list. */
  readonly #segments: number[];
  #count = 0;

  constructor(context: OperatorContext, source: PatternRows, { channels, outputPage }: MatchOutputOptions) {
    const { memory, services } = context;
    const { frame, measures, rows } = source.node;
    this.#context = context;
    this.#source = source;
    this.#channels = channels;
    this.#outputPage = outputPage;
    this.#pageRows = memory.knobs.value("page-rows");
    this.#listedRowsMax = memory.knobs.value("pattern-listed-rows");
    const accesses = measures.flatMap((measure) => measure.accesses);
    this.#accesses = new AccessColumns(memory, source, accesses, pageRowsMax);
    this.#aggregates = measures.flatMap((measure) => measure.aggregates.map((one) => new MatchAggregate(context, source, one)));
    this.#segments = this.#aggregates.map(() => 0);
    const hasUnmatched = rows === "WINDOW" || rows === "ALL_WITH_UNMATCHED";
    const compiled = compilePageProcessor(services.runtime, {
      inputs: [...accesses.map(({ output }) => output), ...this.#aggregates.map(({ aggregate }) => aggregate.output), matchedVariable],
      projections: measures.map(({ expression }) => (hasUnmatched ? whereMatched(expression) : expression)),
    });
    this.#processor = compiled.create(memory, () => seedOf(context));
    this.#rowIds = memory.allocate(4 * pageRowsMax);
    this.#matched = memory.allocate(pageRowsMax);
    this.#bounds = frame?.start === undefined ? [] : [memory.allocate(8 * pageRowsMax), memory.allocate(8 * pageRowsMax)];
  }

  get isEmpty(): boolean {
    return this.#count === 0;
  }

  get isFull(): boolean {
    return this.#outputPage.rows + this.#count === this.#pageRows;
  }

  /** Matches may be long and overlap, and the lists of the aggregates hold the rows of each of them. */
  get isHeavy(): boolean {
    const { listed } = this.#outputPage;
    return this.#aggregates.some(({ list }, index) => (listed[index] ?? 0) + list.length > this.#listedRowsMax);
  }

  /** The path is a match: its rows are appended to the lists of the aggregates. */
  beginMatch(matchNumber: number): void {
    const { path } = this.#source;
    for (const [index, aggregate] of this.#aggregates.entries()) {
      this.#segments[index] = aggregate.list.length;
      aggregate.append(rowsOf(path, aggregate.aggregate.labels), matchNumber);
    }
  }

  /** Adds a row of the source with the measures at the row of the match at `place`. `place` is negative for an empty match. */
  add(position: number, place: number, range: RowRange, matchNumber: number): void {
    const { path } = this.#source;
    this.#accesses.writeFrom(this.#count, place, range, matchNumber);
    for (const [index, { aggregate, list }] of this.#aggregates.entries()) {
      const last = aggregate.running ? place : path.length - 1;
      const rows = aggregate.labels.length === 0 ? last + 1 : path.rowsWith(aggregate.labels).countBefore(last + 1);
      const start = this.#segments[index] as number;
      (this.#aggregates[index] as MatchAggregate).setFrame(this.#count, start, Math.min(list.length, start + rows));
    }
    const isEmpty = path.length === 0;
    this.#finishRow(position, true, isEmpty ? 1 : path.start - position, isEmpty ? 0 : path.start + path.length - 1 - position);
  }

  addUnmatched(position: number): void {
    const { path } = this.#source;
    path.truncate(0);
    this.#accesses.writeFrom(this.#count, -1, { first: 0, end: 0 }, 0);
    for (const aggregate of this.#aggregates) {
      aggregate.setFrame(this.#count, aggregate.list.length, aggregate.list.length);
    }
    this.#finishRow(position, false, 1, 0);
  }

  /** The rows added so far, at the end of a page. `goesOn`: more rows of the same match follow. Valid until the next row is added. */
  *page(goesOn: boolean): Generator<undefined, Page> {
    this.#outputPage.rows = 0;
    if (!goesOn) {
      this.#outputPage.listed = [];
    }
    return yield* this.#take(goesOn);
  }

  /** The rows added so far, at the end of the partitions. The page goes on with those of other searches. */
  *rest(): Generator<undefined, Page> {
    if (this.isFull || this.isHeavy) {
      return yield* this.page(false);
    }
    const { listed, rows } = this.#outputPage;
    this.#outputPage.rows = rows + this.#count;
    this.#outputPage.listed = this.#aggregates.map(({ list }, index) => (listed[index] ?? 0) + list.length);
    return yield* this.#take(false);
  }

  *#take(goesOn: boolean): Generator<undefined, Page> {
    const count = this.#count;
    const aggregated: Column[] = [];
    for (const aggregate of this.#aggregates) {
      aggregated.push(yield* aggregate.column(count));
    }
    const matched: Column = { type: BOOLEAN, values: this.#matched, nulls: 0, ids: 0, length: pageRowsMax };
    const columns = [...this.#accesses.columns(), ...aggregated, matched];
    let measured: Page | undefined;
    while (measured === undefined) {
      measured = this.#processor.advance({ positionCount: count, selection: 0, columns });
      if (measured === undefined) {
        yield undefined;
      }
    }
    this.#count = 0;
    if (!goesOn) {
      for (const aggregate of this.#aggregates) {
        aggregate.clear();
      }
    }
    const { store } = this.#source.rows;
    const passed = this.#channels.map((channel): Column => ({ ...store.column(channel), ids: this.#rowIds }));
    const bounds = this.#bounds.map((values): Column => ({ type: BIGINT, values, nulls: 0, ids: 0, length: pageRowsMax }));
    return { positionCount: count, selection: 0, columns: [...passed, ...measured.columns, ...bounds] };
  }

  close(): void {
    this.#processor.close();
    for (const aggregate of this.#aggregates) {
      aggregate.close();
    }
  }

  #finishRow(position: number, isMatched: boolean, start: number, stop: number): void {
    const { i32, u32, u8 } = this.#context.memory.linear;
    u32[(this.#rowIds >>> 2) + this.#count] = this.#source.rows.rowAt(position);
    u8[this.#matched + this.#count] = isMatched ? 1 : 0;
    for (const [index, values] of this.#bounds.entries()) {
      const word = (values >>> 2) + 2 * this.#count;
      const value = index === 0 ? start : stop;
      i32[word] = value;
      i32[word + 1] = value < 0 ? -1 : 0;
    }
    this.#count++;
  }
}

/** Positions and labels of the rows of a match that have one of `labels` (none: any). */
function* rowsOf(path: PatternRows["path"], labels: readonly number[]): Generator<readonly [position: number, label: number], void> {
  if (labels.length === 0) {
    for (let place = 0; place < path.length; place++) {
      yield [path.start + place, path.labelAt(place)];
    }
    return;
  }
  const { places } = path.rowsWith(labels);
  for (let index = 0; index < places.length; index++) {
    const place = places.at(index);
    yield [path.start + place, path.labelAt(place)];
  }
}
