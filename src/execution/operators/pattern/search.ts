/**
 * Looks for matches of a row pattern in sorted rows, in each partition from row to row. The search yields between steps, so that a long
 * search can be cancelled with its query.
 */
import type { Column, Page } from "../../../page/page.ts";
import type { Variable } from "../../../planner/plan/typed-expression.ts";
import type { PatternRecognitionNode } from "../../../planner/plan/node.ts";
import { QueryError } from "../../../protocol/errors.ts";
import { channelsOf } from "../../task/columns.ts";
import type { OperatorContext } from "../operator.ts";
import type { EvaluatedRows, PartitionsEvaluation } from "../sort/partitions-operator.ts";
import { checkedOffset } from "../window/frames.ts";
import { RowCounts } from "../window/rows.ts";
import { Conditions } from "./conditions.ts";
import { Effort } from "./effort.ts";
import { MatchPath, type RowRange } from "./match-path.ts";
import { Matcher } from "./matcher.ts";
import { MatchOutput, type OutputPage } from "./measures.ts";
import { compilePattern } from "./program.ts";
import { LabelNames, type PatternRows } from "./values.ts";

export interface PatternRecognitionOptions {
  readonly context: OperatorContext;
  readonly node: PatternRecognitionNode;
  /** Columns of the incoming pages. */
  readonly layout: readonly Variable[];
}

/** State of a run. */
interface Search {
  readonly source: PatternRows;
  readonly conditions: Conditions;
  readonly matcher: Matcher;
  readonly output: MatchOutput;
  /** A failure from one start row holds for every current row. */
  readonly sharesFailures: boolean;
  /** For windows: end (exclusive) of the rows that a row's match may contain. */
  readonly frameEnd: (position: number, partitionEnd: number) => number;
}

export interface PatternSearchOptions extends PatternRecognitionOptions, EvaluatedRows {
  /** What former searches have output of the current page. */
  readonly outputPage: OutputPage;
}

export class PatternSearch implements PartitionsEvaluation {
  readonly #options: PatternSearchOptions;
  /** With the memory of the search. */
  readonly #context: OperatorContext;
  #opened: { close(): void }[] = [];
  #isDone = false;

  constructor(options: PatternSearchOptions) {
    this.#options = options;
    this.#context = { ...options.context, memory: options.memory };
  }

  get isDone(): boolean {
    return this.#isDone;
  }

  get endsPage(): boolean {
    return this.#options.outputPage.isEmpty;
  }

  *pages(): Generator<Page | undefined, void> {
    const { rows } = this.#options;
    const nullRow = rows.store.rowCount;
    rows.store.appendNulls();
    const search = this.#open(nullRow);
    const { output } = search;
    for (let first = 0; first < rows.rowCount; ) {
      const end = rows.partitionEnd(first);
      yield* this.#searchPartition(search, { first, end });
      first = end;
    }
    if (!output.isEmpty) {
      yield yield* output.rest();
    }
    this.#isDone = true;
  }

  close(): void {
    for (const one of this.#opened) {
      one.close();
    }
    this.#opened = [];
  }

  #open(nullRow: number): Search {
    const { layout, node, outputPage, rows } = this.#options;
    const context = this.#context;
    const { memory } = context;
    const path = new MatchPath(memory, node);
    const names = new LabelNames(memory, node.labels);
    this.#opened.push(names);
    const channel = (variable: Variable): number => channelsOf(layout, [variable])[0] as number;
    const source: PatternRows = { node, rows, nullRow, names, path, channel };
    const effort = new Effort(memory.knobs.value("pattern-slice-steps"));
    const conditions = new Conditions(context, source, effort);
    this.#opened.push(conditions);
    const channels = node.rows === "ONE" ? channelsOf(layout, node.partitionBy) : layout.map((_, index) => index);
    const output = new MatchOutput(context, source, { channels, outputPage });
    this.#opened.push(output);
    const matcher = new Matcher({
      memory,
      path,
      effort,
      program: compilePattern(node.pattern),
      accepts: (label, position) => conditions.accepts(label, position),
      remembers: conditions.areLocal,
    });
    const { end: frameEnd = "UNBOUNDED_FOLLOWING" } = node.frame ?? {};
    const sharesFailures = node.rows !== "WINDOW" || (conditions.lookAhead && frameEnd === "UNBOUNDED_FOLLOWING");
    return { source, conditions, matcher, output, sharesFailures, frameEnd: this.#frameEnd(channel) };
  }

  #frameEnd(channel: (variable: Variable) => number): Search["frameEnd"] {
    const { memory, node, rows } = this.#options;
    const { end = "UNBOUNDED_FOLLOWING", offset } = node.frame ?? {};
    if (end === "UNBOUNDED_FOLLOWING") {
      return (_position, partitionEnd) => partitionEnd;
    }
    if (offset === undefined) {
      return (position) => position + 1;
    }
    const { order, rowCount, store } = rows;
    const column = (variable: Variable): Column => store.column(channel(variable));
    const counts = new RowCounts({ memory, rowCount, order, column }, offset);
    return (position, partitionEnd) => Math.min(partitionEnd, position + 1 + checkedOffset(counts, rows.rowAt(position), "end"));
  }

  *#searchPartition(search: Search, partition: RowRange): Generator<Page | undefined, void> {
    const { conditions, matcher, output, source } = search;
    const { node } = this.#options;
    const isWindow = node.rows === "WINDOW";
    matcher.enterRange(partition);
    conditions.enterPartition(partition);
    let matchNumber = 0;
    /** The last row of a match so far, and the row at which the search continues. */
    let lastMatched = -1;
    let next = partition.first;
    for (let current = partition.first; current < partition.end; ) {
      const isSkipped = current < next;
      const range = isWindow ? { first: current, end: search.frameEnd(current, partition.end) } : partition;
      const isFound = !isSkipped && (yield* this.#find(search, current, range, matchNumber + 1));
      if (!isFound) {
        if (isWindow || (node.rows === "ALL_WITH_UNMATCHED" && current > lastMatched)) {
          yield* this.#makeRoom(output, false);
          output.addUnmatched(current);
        }
        current++;
        continue;
      }
      matchNumber++;
      yield* this.#addMatch(search, current, range, matchNumber);
      const { path } = source;
      if (path.length > 0) {
        lastMatched = Math.max(lastMatched, path.start + path.length - 1);
      }
      next = path.length === 0 ? current + 1 : this.#nextAfter(source, current);
      current = isWindow ? current + 1 : next;
    }
  }

  /** Searches from the current row or, with SEEK, also from later ones. */
  *#find(
    { conditions, matcher, sharesFailures }: Search,
    current: number,
    range: RowRange,
    matchNumber: number,
  ): Generator<undefined, boolean> {
    const { frame } = this.#options.node;
    conditions.enterRange(range, matchNumber);
    if (!sharesFailures) {
      matcher.enterRange(range);
    }
    const last = frame?.initial === false ? range.end - 1 : current;
    for (let start = current; start <= last; start++) {
      if (yield* matcher.find(start, range)) {
        return true;
      }
    }
    return false;
  }

  *#addMatch({ output, source }: Search, current: number, range: RowRange, matchNumber: number): Generator<Page | undefined, void> {
    const { rows } = this.#options.node;
    const { path } = source;
    if (path.length === 0 && rows === "ALL_OMIT_EMPTY") {
      return;
    }
    yield* this.#makeRoom(output, false);
    output.beginMatch(matchNumber);
    if (path.length === 0 || rows === "ONE" || rows === "WINDOW") {
      output.add(current, path.length - 1, range, matchNumber);
      return;
    }
    for (let place = 0; place < path.length; place++) {
      if (!path.isExcluded(place)) {
        yield* this.#makeRoom(output, true);
        output.add(path.start + place, place, range, matchNumber);
      }
    }
  }

  *#makeRoom(output: MatchOutput, goesOn: boolean): Generator<Page | undefined, void> {
    if (output.isFull || (!goesOn && output.isHeavy)) {
      yield yield* output.page(goesOn);
    }
  }

  /** The row at which the search continues after a match of at least one row. */
  #nextAfter({ node, path }: PatternRows, current: number): number {
    const { labels, to } = node.skip;
    if (to === "NEXT") {
      return current + 1;
    }
    if (to === "PAST_LAST") {
      return path.start + path.length;
    }
    const { places } = path.rowsWith(labels);
    if (places.length === 0) {
      throw new QueryError("GENERIC_USER_ERROR", "AFTER MATCH SKIP failed: pattern variable is not present in match");
    }
    const place = places.at(to === "FIRST" ? 0 : places.length - 1);
    if (place === 0) {
      throw new QueryError("GENERIC_USER_ERROR", "AFTER MATCH SKIP failed: cannot skip to first row of match");
    }
    return path.start + place;
  }
}
