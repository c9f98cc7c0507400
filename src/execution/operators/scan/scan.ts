/**
 * Reads the splits of a table scan one after the other, in the order they were added. With a connector that reads ahead the next split is
 * opened with the first page of the one before it, so that its bytes are there when that one ends.
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

/** A split is read ahead if the memory has room for this many like the one before it. */
const roomOfSplit = 8;

interface OpenSplit {
  readonly source: PageSource;
  readonly memory: MemoryContext;
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
  #current: OpenSplit | undefined;
  /** The split after the current one. */
  #ahead: OpenSplit | undefined;
  readonly #readsAhead: boolean;
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
    this.#readsAhead = options.services.connector(options.node.table.catalog).readsAhead === true;
  }

  get bytes(): number {
    return this.#endedBytes + (this.#current?.source.completedBytes ?? 0);
  }

  get isFinished(): boolean {
    return (
      this.#closed ||
      this.#filters?.isEmpty === true ||
      (this.#noMoreSplits && this.#current === undefined && this.#ahead === undefined && this.#waiting.length === 0)
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
      if (this.#current === undefined && !this.#startNext()) {
        return undefined;
      }
      const { source } = this.#current as OpenSplit;
      const page = source.nextPage();
      if (page !== undefined && page.positionCount > 0) {
        this.#openAhead();
        this.positions += page.positionCount;
        return this.#filters?.apply(page) ?? page;
      }
      if (!source.finished) {
        return undefined;
      }
      this.#closeCurrent();
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
    if (this.#current !== undefined) {
      return this.#current.source.blocked();
    }
    return this.isFinished || this.#ahead !== undefined || this.#waiting.length > 0 ? undefined : this.#splitsArrived.next();
  }

  close(): void {
    this.#closed = true;
    this.#waiting.length = 0;
    this.#closeCurrent();
    closeSplit(this.#ahead);
    this.#ahead = undefined;
  }

  #startNext(): boolean {
    this.#current = this.#ahead ?? this.#openNext();
    this.#ahead = undefined;
    if (this.#current === undefined) {
      return false;
    }
    this.splitsStarted++;
    this.spans.started(this.#services.ports.clock.monotonicNanos());
    return true;
  }

  /** What is read ahead must not be what a query near its limit fails for. */
  #openAhead(): void {
    const needed = this.#current?.memory.peakBytes ?? 0;
    if (this.#readsAhead && this.#ahead === undefined && needed * roomOfSplit <= this.#memory.availableBytes) {
      this.#ahead = this.#openNext();
    }
  }

  #openNext(): OpenSplit | undefined {
    const split = this.#waiting.shift();
    if (split === undefined) {
      return undefined;
    }
    const { table, columns } = this.#node;
    const memory = this.#memory.child("page source");
    const source = this.#services.connector(table.catalog).createPageSource({
      table: table.handle,
      split: split.payload,
      columns,
      memory,
      ...(this.#filters === undefined ? {} : { constraint: this.#filters.constraint() }),
      onWarning: this.#onWarning,
    });
    return { source, memory };
  }

  #closeCurrent(): void {
    this.#endedBytes += this.#current?.source.completedBytes ?? 0;
    closeSplit(this.#current);
    this.#current = undefined;
  }
}

function closeSplit(split: OpenSplit | undefined): void {
  split?.source.close();
  split?.memory.close();
}
