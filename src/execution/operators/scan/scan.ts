/**
 * Reads the splits of a table scan one after the other, in the order they were added.
 */
import type { PageSource, Split } from "../../../connectors/spi.ts";
import type { MemoryContext } from "../../../memory/memory.ts";
import type { Page } from "../../../page/page.ts";
import type { TableScanNode } from "../../../planner/plan/node.ts";
import { assert } from "../../../protocol/errors.ts";
import type { ExecutionServices, TaskSplit } from "../../task/api.ts";
import { SplitSpans } from "./split-spans.ts";
import { Signal } from "../../../ports/signal.ts";
import type { ScanFilters } from "../../dynamic-filter/dynamic-filter.ts";

export interface SplitReaderOptions {
  readonly services: ExecutionServices;
  readonly node: TableScanNode;
  readonly memory: MemoryContext;
  readonly filters: ScanFilters | undefined;
  readonly onWarning: (message: string) => void;
}

export class SplitReader {
  readonly #services: ExecutionServices;
  readonly #node: TableScanNode;
  readonly #memory: MemoryContext;
  readonly #filters: ScanFilters | undefined;
  readonly #onWarning: (message: string) => void;
  readonly #waiting: Split[] = [];
  readonly #splitsArrived = new Signal();
  #noMoreSplits = false;
  #source: PageSource | undefined;
  #sourceMemory: MemoryContext | undefined;
  #endedBytes = 0;
  #closed = false;
  splitsAdded = 0;
  splitsStarted = 0;
  splitsCompleted = 0;
  positions = 0;
  /** Positions before the current split. */
  #endedPositions = 0;
  readonly spans: SplitSpans;

  constructor(options: SplitReaderOptions) {
    this.#filters = options.filters;
    this.#services = options.services;
    this.#node = options.node;
    this.#memory = options.memory;
    this.spans = new SplitSpans(options.memory.knobs.value("kept-split-times"));
    this.#onWarning = options.onWarning;
  }

  get bytes(): number {
    return this.#endedBytes + (this.#source?.completedBytes ?? 0);
  }

  get isFinished(): boolean {
    return (
      this.#closed || this.#filters?.isEmpty === true || (this.#noMoreSplits && this.#source === undefined && this.#waiting.length === 0)
    );
  }

  /** Number of rows read that a dynamic filter dropped; undefined if there is none. */
  get dynamicFilteredPositions(): number | undefined {
    return this.#filters?.droppedPositions;
  }

  addSplits(splits: readonly TaskSplit[]): void {
    for (const split of splits) {
      assert(split.kind === "connector", "a table scan reads splits of its connector");
      this.#waiting.push(split.split);
      this.splitsAdded++;
    }
    this.#splitsArrived.fire();
  }

  setNoMoreSplits(): void {
    this.#noMoreSplits = true;
    this.#splitsArrived.fire();
  }

  /** The next page; undefined if there is none now (see blocked and isFinished). */
  nextPage(): Page | undefined {
    if (this.#filters?.blocked() !== undefined) {
      return undefined;
    }
    for (;;) {
      if (this.#source === undefined && !this.#openNext()) {
        return undefined;
      }
      const source = this.#source as PageSource;
      const page = source.nextPage();
      if (page !== undefined && page.positionCount > 0) {
        this.positions += page.positionCount;
        return this.#filters?.apply(page) ?? page;
      }
      if (!source.finished) {
        return undefined;
      }
      this.#closeSource();
      this.splitsCompleted++;
      this.spans.ended(this.#services.ports.clock.monotonicNanos(), this.positions - this.#endedPositions);
      this.#endedPositions = this.positions;
    }
  }

  blocked(): Promise<void> | undefined {
    const unknown = this.#filters?.blocked();
    if (unknown !== undefined) {
      return unknown;
    }
    if (this.#source !== undefined) {
      return this.#source.blocked();
    }
    return this.isFinished || this.#waiting.length > 0 ? undefined : this.#splitsArrived.next();
  }

  close(): void {
    this.#closed = true;
    this.#waiting.length = 0;
    this.#closeSource();
  }

  #openNext(): boolean {
    const split = this.#waiting.shift();
    if (split === undefined) {
      return false;
    }
    const { table, columns } = this.#node;
    this.#sourceMemory = this.#memory.child("page source");
    this.splitsStarted++;
    this.spans.started(this.#services.ports.clock.monotonicNanos());
    this.#source = this.#services.connector(table.catalog).createPageSource({
      table: table.handle,
      split: split.payload,
      columns,
      memory: this.#sourceMemory,
      ...(this.#filters === undefined ? {} : { constraint: this.#filters.constraint() }),
      onWarning: this.#onWarning,
    });
    return true;
  }

  #closeSource(): void {
    this.#endedBytes += this.#source?.completedBytes ?? 0;
    this.#source?.close();
    this.#sourceMemory?.close();
    this.#source = undefined;
    this.#sourceMemory = undefined;
  }
}
