/**
 * DEFINE: whether a row may have a label. Conditions on the row and rows near it are evaluated for many rows at once, and the results are
 * kept. Conditions on the rows matched so far are evaluated on request.
 */
import { compilePageProcessor, type PageProcessor } from "../../expressions/page-processor.ts";
import type { Address } from "../../../memory/memory.ts";
import type { Column, Page } from "../../../page/page.ts";
import type { PatternDefinition } from "../../../planner/plan/pattern-nodes.ts";
import { isDeterministic } from "../../../planner/plan/expression-tree.ts";
import { QueryError } from "../../../protocol/errors.ts";
import { type OperatorContext, seedOf } from "../operator.ts";
import { MatchAggregate } from "./aggregates.ts";
import { runsLong } from "../../expressions/prepare.ts";
import type { Effort } from "./effort.ts";
import type { LabelRows, RowRange } from "./match-path.ts";
import { AccessColumns, type PatternRows } from "./values.ts";

const unknown = 0;
const refused = 1;
const accepted = 2;
/**
 * Unknown, and to be evaluated for this row alone: the condition fails with an error on a row near by, which the search may never reach.
 */
const alone = 3;

/** Whether the condition depends only on the row and on rows at fixed offsets from it. */
function isLocal({ accesses, aggregates, expression, label }: PatternDefinition): boolean {
  const isNear = accesses.every(({ navigation, value }) => {
    if (navigation === undefined) {
      return false;
    }
    const { anchor, labels, logicalOffset, physicalOffset } = navigation;
    const isCurrent = anchor === "LAST" && logicalOffset === 0 && (labels.length === 0 || labels.includes(label));
    return isCurrent && (physicalOffset === 0 || value.kind === "COLUMN");
  });
  return isNear && aggregates.length === 0 && isDeterministic(expression);
}

interface Condition {
  /** The path ends with the row. */
  accepts(position: number): boolean;
  enterPartition(range: RowRange): void;
  /** Sets the rows that conditions may read. */
  enterRange(range: RowRange, matchNumber: number): void;
  close(): void;
}

function createFilter(context: OperatorContext, { accesses, aggregates, expression }: PatternDefinition): PageProcessor {
  const inputs = [...accesses, ...aggregates].map(({ output }) => output);
  const compiled = compilePageProcessor(context.services.runtime, { inputs, filter: expression, projections: [] });
  return compiled.create(context.memory, () => seedOf(context));
}

class LocalCondition implements Condition {
  readonly #context: OperatorContext;
  readonly #label: number;
  readonly #accesses: AccessColumns;
  readonly #filter: PageProcessor;
  /** Offsets of the first and the last row that it reads. */
  readonly #lowest: number;
  readonly #highest: number;
  /** One byte per position: the result if the condition sees the whole partition. */
  readonly #known: Address;
  #partition: RowRange = { first: 0, end: 0 };
  #range: RowRange = { first: 0, end: 0 };
  readonly #rowsAtOnce: number;
  readonly #afterRow: () => void;

  constructor(context: OperatorContext, source: PatternRows, definition: PatternDefinition, effort: Effort) {
    const isLong = runsLong(definition.expression);
    this.#rowsAtOnce = isLong ? 1 : context.memory.knobs.value("pattern-condition-rows");
    this.#afterRow = isLong ? () => effort.ran() : () => undefined;
    const offsets = definition.accesses.map(({ navigation }) => navigation?.physicalOffset ?? 0);
    this.#context = context;
    this.#label = definition.label;
    this.#lowest = Math.min(0, ...offsets);
    this.#highest = Math.max(0, ...offsets);
    this.#accesses = new AccessColumns(context.memory, source, definition.accesses, this.#rowsAtOnce);
    this.#filter = createFilter(context, definition);
    this.#known = context.memory.allocateZeroed(Math.max(1, source.rows.rowCount));
  }

  /** True if it reads no row before its own. */
  get looksAhead(): boolean {
    return this.#lowest === 0;
  }

  enterPartition(range: RowRange): void {
    this.#partition = range;
  }

  enterRange(range: RowRange): void {
    this.#range = range;
  }

  accepts(position: number): boolean {
    const { linear } = this.#context.memory;
    if (this.#isCut(position)) {
      return this.#process(position, 1, this.#range).positionCount === 1;
    }
    const known = linear.u8[this.#known + position];
    if (known === unknown) {
      this.#evaluateBlock(position);
    }
    if (linear.u8[this.#known + position] === alone) {
      this.#evaluateRows(position, 1);
    }
    return linear.u8[this.#known + position] === accepted;
  }

  close(): void {
    this.#filter.close();
  }

  /** True if the frame of a window ends between the row and one that the condition reads. */
  #isCut(position: number): boolean {
    const { first, end } = this.#range;
    const isCutBefore = first !== this.#partition.first && position + this.#lowest < first;
    return isCutBefore || (end !== this.#partition.end && position + this.#highest >= end);
  }

  /** Blocks begin at fixed rows, whichever row is requested first: a search goes forwards and backwards. */
  #evaluateBlock(position: number): void {
    const { first, end } = this.#partition;
    const start = position - ((position - first) % this.#rowsAtOnce);
    const count = Math.min(this.#rowsAtOnce, end - start);
    try {
      this.#evaluateRows(start, count);
    } catch (error) {
      if (!(error instanceof QueryError)) {
        throw error;
      }
      this.#context.memory.linear.u8.fill(alone, this.#known + start, this.#known + start + count);
    }
  }

  #evaluateRows(position: number, count: number): void {
    const { positionCount, selection } = this.#process(position, count, this.#partition);
    const { u8, u32 } = this.#context.memory.linear;
    const first = this.#known + position;
    u8.fill(positionCount === count ? accepted : refused, first, first + count);
    if (positionCount === count) {
      return;
    }
    for (let index = 0; index < positionCount; index++) {
      u8[first + (u32[(selection >>> 2) + index] as number)] = accepted;
    }
  }

  #process(position: number, count: number, range: RowRange): Page {
    for (let index = 0; index < count; index++) {
      this.#accesses.writeNear(index, position + index, this.#label, range);
    }
    this.#afterRow();
    return this.#filter.process({ positionCount: count, selection: 0, columns: this.#accesses.columns() });
  }
}

/** An aggregate over the path up to its end. */
class PathAggregate {
  readonly #source: PatternRows;
  readonly #effort: Effort;
  readonly #aggregate: MatchAggregate;
  readonly #rows: LabelRows | undefined;
  readonly #watcher: number;
  /** Length of the prefix of the list that the aggregate holds. */
  #held = 0;

  constructor(source: PatternRows, aggregate: MatchAggregate, effort: Effort) {
    this.#source = source;
    this.#aggregate = aggregate;
    this.#effort = effort;
    const { labels } = aggregate.aggregate;
    this.#rows = labels.length === 0 ? undefined : source.path.rowsWith(labels);
    this.#watcher = (this.#rows ?? source.path).marks.watch();
  }

  enterPartition(range: RowRange): void {
    this.#aggregate.enterPartition(range);
    this.#held = 0;
    this.#aggregate.list.truncate(0);
  }

  column(matchNumber: number): Column {
    const { path } = this.#source;
    const { list } = this.#aggregate;
    const count = this.#rows?.places.length ?? path.length;
    const known = list.length;
    let isHeld = count >= this.#held;
    for (let index = Math.min(known, (this.#rows ?? path).marks.look(this.#watcher)); index < count; index++) {
      const place = this.#rows?.places.at(index) ?? index;
      const row = this.#aggregate.rowOf(path.start + place, path.labelAt(place), matchNumber);
      if (index < known && list.at(index) === row) {
        continue;
      }
      isHeld &&= index >= this.#held;
      if (index < known) {
        list.set(index, row);
      } else {
        list.push(row);
      }
    }
    list.truncate(count);
    if (!isHeld) {
      this.#aggregate.forget();
      this.#effort.aggregated(count);
    }
    this.#held = count;
    this.#aggregate.setFrame(0, 0, count);
    const steps = this.#aggregate.column(1);
    for (;;) {
      const step = steps.next();
      if (step.done === true) {
        return step.value;
      }
    }
  }

  close(): void {
    this.#aggregate.close();
  }
}

class PathCondition implements Condition {
  readonly #source: PatternRows;
  readonly #accesses: AccessColumns;
  readonly #aggregates: readonly PathAggregate[];
  readonly #filter: PageProcessor;
  readonly #afterRow: () => void;
  #range: RowRange = { first: 0, end: 0 };
  #matchNumber = 0;

  constructor(context: OperatorContext, source: PatternRows, definition: PatternDefinition, effort: Effort) {
    this.#source = source;
    this.#accesses = new AccessColumns(context.memory, source, definition.accesses, 1);
    this.#aggregates = definition.aggregates.map(
      (aggregate) => new PathAggregate(source, new MatchAggregate(context, source, aggregate), effort),
    );
    this.#filter = createFilter(context, definition);
    this.#afterRow = runsLong(definition.expression) ? () => effort.ran() : () => undefined;
  }

  enterPartition(range: RowRange): void {
    for (const aggregate of this.#aggregates) {
      aggregate.enterPartition(range);
    }
  }

  enterRange(range: RowRange, matchNumber: number): void {
    this.#range = range;
    this.#matchNumber = matchNumber;
  }

  accepts(): boolean {
    this.#accesses.writeFrom(0, this.#source.path.length - 1, this.#range, this.#matchNumber);
    const columns = [...this.#accesses.columns(), ...this.#aggregates.map((aggregate) => aggregate.column(this.#matchNumber))];
    this.#afterRow();
    return this.#filter.process({ positionCount: 1, selection: 0, columns }).positionCount === 1;
  }

  close(): void {
    this.#filter.close();
    for (const aggregate of this.#aggregates) {
      aggregate.close();
    }
  }
}

export class Conditions {
  /** True if no condition reads the rows matched so far. */
  readonly areLocal: boolean;
  /** True if also no condition reads rows before its own: the results do not depend on where a frame begins. */
  readonly lookAhead: boolean;
  readonly #byLabel: readonly (Condition | undefined)[];

  constructor(context: OperatorContext, source: PatternRows, effort: Effort) {
    const { definitions, labels } = source.node;
    const byLabel: (Condition | undefined)[] = labels.map(() => undefined);
    for (const definition of definitions) {
      byLabel[definition.label] = isLocal(definition)
        ? new LocalCondition(context, source, definition, effort)
        : new PathCondition(context, source, definition, effort);
    }
    this.#byLabel = byLabel;
    this.areLocal = byLabel.every((condition) => condition === undefined || condition instanceof LocalCondition);
    this.lookAhead = byLabel.every((condition) => condition === undefined || (condition instanceof LocalCondition && condition.looksAhead));
  }

  enterPartition(range: RowRange): void {
    for (const condition of this.#byLabel) {
      condition?.enterPartition(range);
    }
  }

  enterRange(range: RowRange, matchNumber: number): void {
    for (const condition of this.#byLabel) {
      condition?.enterRange(range, matchNumber);
    }
  }

  accepts(label: number, position: number): boolean {
    return this.#byLabel[label]?.accepts(position) ?? true;
  }

  close(): void {
    for (const condition of this.#byLabel) {
      condition?.close();
    }
  }
}
