/**
 * Operators over the page processor: TableScanOperator, ScanFilterAndProjectOperator, FilterAndProjectOperator, ValuesOperator. A filter
 * yields a selection, and a projection of a column yields the column itself. Only computed columns are written.
 */
import type { SplitSpan } from "./scan/split-spans.ts";
import { compilePageProcessor, type PageProcessor } from "../expressions/page-processor.ts";
import type { Page } from "../../page/page.ts";
import type { RowExpression, Variable } from "../../planner/plan/typed-expression.ts";
import type { Assignment, ValuesNode } from "../../planner/plan/node.ts";
import { assert } from "../../protocol/errors.ts";
import type { Type } from "../../types/type.ts";
import { type ConstantRow, isConstantRow, withConstantRows } from "./scan/constant-rows.ts";
import { BaseOperator, type OperatorContext, seedOf, type SourceOperator } from "./operator.ts";
import { slicePage } from "./pages.ts";
import { RowStore } from "../hash-table/row-store.ts";
import type { SplitReader } from "./scan/scan.ts";
import { SmallPages } from "./scan/small-pages.ts";

/** Filter and projections over pages whose column i is layout[i]. */
export interface Processing {
  readonly layout: readonly Variable[];
  readonly filter?: RowExpression;
  readonly assignments: readonly Assignment[];
}

/** True if pages pass through unchanged. */
export function isIdentity({ layout, filter, assignments }: Processing): boolean {
  return (
    filter === undefined &&
    assignments.length === layout.length &&
    assignments.every(({ expression }, index) => expression.kind === "variable" && expression.name === layout[index]?.name)
  );
}

function createProcessor(context: OperatorContext, { layout, filter, assignments }: Processing): PageProcessor {
  const options = {
    inputs: layout,
    projections: assignments.map(({ expression }) => expression),
    ...(filter === undefined ? {} : { filter }),
  };
  return compilePageProcessor(context.services.runtime, options).create(context.memory, () => seedOf(context));
}

export class FilterAndProjectOperator extends BaseOperator {
  readonly #processor: PageProcessor;
  /** A page with unfinished slices. */
  #input: Page | undefined;
  #pending: Page | undefined;

  constructor(context: OperatorContext, processing: Processing) {
    super(context);
    this.#processor = createProcessor(context, processing);
  }

  get needsInput(): boolean {
    return this.#pending === undefined && this.#input === undefined && !this.finishing;
  }

  get isFinished(): boolean {
    return this.#pending === undefined && this.#input === undefined && this.finishing;
  }

  addInput(page: Page): void {
    this.#input = page;
    this.#advance();
  }

  takeWorkUnits(): number {
    return this.#processor.takeWorkSteps();
  }

  #advance(): void {
    const output = this.#input === undefined ? undefined : this.#processor.advance(this.#input);
    if (output !== undefined) {
      this.#input = undefined;
      this.#pending = output.positionCount === 0 ? undefined : output;
    }
  }

  getOutput(): Page | undefined {
    if (this.#input !== undefined) {
      this.#advance();
    }
    const page = this.#pending;
    this.#pending = undefined;
    return page;
  }

  override close(): void {
    this.#processor.close();
  }
}

export interface ScanOptions {
  readonly context: OperatorContext;
  readonly splits: SplitReader;
  readonly processing: Processing;
  /** Pages that are left with few rows are combined, so the operators above get a row later than it was read. */
  readonly combinesPages: boolean;
}

/** Pages that one call may read without giving one out. */
const pagesOfCall = 8;

/** A table scan with a filter and projections over its pages. */
export class ScanOperator extends BaseOperator implements SourceOperator {
  readonly #splits: SplitReader;
  readonly #processor: PageProcessor | undefined;
  readonly #smallPages: SmallPages | undefined;
  /** A page with unfinished slices. */
  #input: Page | undefined;
  /** A processed page that follows the small ones. */
  #next: Page | undefined;
  #pagesRead = 0;
  readonly needsInput: boolean = false;

  constructor({ context, splits, processing, combinesPages }: ScanOptions) {
    super(context);
    this.#splits = splits;
    this.#processor = isIdentity(processing) ? undefined : createProcessor(context, processing);
    const types = processing.assignments.map(({ output }) => output.type);
    this.#smallPages = combinesPages ? new SmallPages(context, types) : undefined;
  }

  get isFinished(): boolean {
    return this.#input === undefined && this.#next === undefined && this.#smallPages?.isEmpty !== false && this.#splits.isFinished;
  }

  get rawInputBytes(): number {
    return this.#splits.bytes;
  }

  get rawInputPositions(): number {
    return this.#splits.positions;
  }

  get dynamicFilteredPositions(): number | undefined {
    return this.#splits.dynamicFilteredPositions;
  }

  get splitsStarted(): number {
    return this.#splits.splitsStarted;
  }

  get splitsCompleted(): number {
    return this.#splits.splitsCompleted;
  }

  get splitSpans(): readonly SplitSpan[] {
    return this.#splits.spans.all;
  }

  addInput(): void {
    assert(false, "a scan has no input");
  }

  getOutput(): Page | undefined {
    return this.#smallPages === undefined ? this.#processed() : this.#combined(this.#smallPages);
  }

  #combined(small: SmallPages): Page | undefined {
    const waiting = this.#next;
    if (waiting !== undefined) {
      this.#next = undefined;
      return waiting;
    }
    for (let pages = 0; pages < pagesOfCall; pages++) {
      const page = this.#processed();
      if (page === undefined) {
        return this.#input === undefined && this.#splits.isFinished ? small.take() : undefined;
      }
      this.#pagesRead++;
      if (page.positionCount === 0) {
        continue;
      }
      if (!small.isSmall(page)) {
        const before = small.take();
        this.#next = before === undefined ? undefined : page;
        return before ?? page;
      }
      small.add(page);
      if (small.isFull) {
        return small.take();
      }
    }
    return undefined;
  }

  #processed(): Page | undefined {
    const page = this.#input ?? this.#splits.nextPage();
    if (page === undefined || page.positionCount === 0 || this.#processor === undefined) {
      return page;
    }
    const output = this.#processor.advance(page);
    this.#input = output === undefined ? page : undefined;
    return output;
  }

  takeWorkUnits(): number {
    const pagesRead = this.#pagesRead;
    this.#pagesRead = 0;
    return pagesRead + (this.#processor?.takeWorkSteps() ?? 0);
  }

  override blocked(): Promise<void> | undefined {
    return this.#input === undefined && this.#next === undefined ? this.#splits.blocked() : undefined;
  }

  override close(): void {
    this.#splits.close();
    this.#processor?.close();
    this.#smallPages?.close();
  }
}

export class ValuesOperator extends BaseOperator implements SourceOperator {
  readonly #node: ValuesNode;
  readonly #types: readonly Type[];
  readonly #rows: RowStore;
  #evaluated = 0;
  #given = 0;
  /** Processor of a row with unfinished slices. */
  #processor: PageProcessor | undefined;
  #workSteps = 0;
  readonly needsInput: boolean = false;
  readonly rawInputBytes: number = 0;

  constructor(context: OperatorContext, node: ValuesNode) {
    super(context);
    this.#node = node;
    this.#types = node.outputs.map(({ type }) => type);
    this.#rows = new RowStore({ runtime: context.services.runtime, memory: context.memory, types: this.#types });
  }

  get rawInputPositions(): number {
    return this.#given;
  }

  get isFinished(): boolean {
    return this.#given >= this.#node.rows.length;
  }

  addInput(): void {
    assert(false, "values have no input");
  }

  getOutput(): Page | undefined {
    const { rows } = this.#node;
    while (this.#evaluated < rows.length) {
      const constants = this.#constantsFrom(this.#evaluated);
      if (constants.length > 0) {
        withConstantRows(this.context.memory, this.#types, constants, (page) => this.#rows.append(page));
        this.#evaluated += constants.length;
      } else {
        if (!this.#evaluate(rows[this.#evaluated] as readonly RowExpression[])) {
          return undefined;
        }
        this.#evaluated++;
      }
    }
    const count = Math.min(this.context.memory.knobs.value("page-rows"), rows.length - this.#given);
    const page = count === 0 ? undefined : slicePage(this.#rows.page(), this.#given, count);
    this.#given += count;
    return page;
  }

  takeWorkUnits(): number {
    const steps = this.#workSteps;
    this.#workSteps = 0;
    return steps;
  }

  override close(): void {
    this.#processor?.close();
    this.#rows.close();
  }

  #constantsFrom(start: number): readonly ConstantRow[] {
    const found: ConstantRow[] = [];
    const rowsMax = this.context.memory.knobs.value("constant-rows");
    while (found.length < rowsMax) {
      const row = this.#node.rows[start + found.length];
      if (row === undefined || !isConstantRow(row)) {
        break;
      }
      found.push(row);
    }
    return found;
  }

  /** Returns false if the row has unfinished slices. Rows of one shape share a kernel, because constants are its parameters. */
  #evaluate(row: readonly RowExpression[]): boolean {
    this.#processor ??= compilePageProcessor(this.context.services.runtime, { inputs: [], projections: row }).create(
      this.context.memory,
      () => seedOf(this.context),
    );
    const processor = this.#processor;
    let isThrough = true;
    try {
      const page = processor.advance({ positionCount: 1, selection: 0, columns: [] });
      this.#workSteps += processor.takeWorkSteps();
      if (page === undefined) {
        isThrough = false;
      } else {
        this.#rows.append(page);
      }
    } finally {
      if (isThrough) {
        processor.close();
        this.#processor = undefined;
      }
    }
    return isThrough;
  }
}
