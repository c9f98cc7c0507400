/**
 * LocalExchangeSinkOperator and LocalExchangeSourceOperator. The sources of a union are separate pipelines that pass their pages on one at
 * a time, without a copy: all of source 0, then all of source 1, ...
 */
import type { Page } from "../../page/page.ts";
import { assert } from "../../protocol/errors.ts";
import { Signal } from "../../ports/signal.ts";
import { BaseOperator, type OperatorContext, type SourceOperator } from "./operator.ts";
import { selectColumns } from "./pages.ts";

/** Holds at most one page. The page belongs to the sink's pipeline until the reader takes the next one. */
export class LocalExchange {
  readonly #sourceCount: number;
  readonly #readable = new Signal();
  /** One signal per source: a change wakes only the source that it concerns, so that n sources cost n wakes and not n * n. */
  readonly #writable: readonly Signal[];
  #turn = 0;
  #page: Page | undefined;
  #pageSource = 0;
  #isOut = false;
  #closed = false;

  constructor(sourceCount: number) {
    this.#sourceCount = sourceCount;
    this.#writable = Array.from({ length: sourceCount }, () => new Signal());
  }

  get isClosed(): boolean {
    return this.#closed;
  }

  /** All sources have ended and the last page is taken. */
  get isExhausted(): boolean {
    return this.#turn >= this.#sourceCount && this.#page === undefined;
  }

  /** Source of the page taken last. */
  get source(): number {
    return this.#pageSource;
  }

  mayPut(source: number): boolean {
    return this.#turn === source && this.#page === undefined && !this.#isOut;
  }

  put(page: Page): void {
    assert(this.#page === undefined && !this.#isOut, "one page at a time");
    this.#page = page;
    this.#pageSource = this.#turn;
    this.#readable.fire();
  }

  sourceFinished(): void {
    this.#turn++;
    this.#readable.fire();
    this.#writable[this.#turn]?.fire();
  }

  /** The caller has released the page taken before. */
  take(): Page | undefined {
    const page = this.#page;
    this.#page = undefined;
    if (this.#isOut || page !== undefined) {
      this.#isOut = page !== undefined;
      if (!this.#isOut) {
        this.#writable[this.#turn]?.fire();
      }
    }
    return page;
  }

  waitToRead(): Promise<void> {
    return this.#readable.next();
  }

  /** Resolves on `mayPut(source)`, or at the end. */
  waitToPut(source: number): Promise<void> {
    const signal = this.#writable[source];
    assert(signal !== undefined, `source ${source} of ${this.#sourceCount}`);
    return signal.next();
  }

  close(): void {
    this.#closed = true;
    this.#page = undefined;
    this.#readable.fire();
    for (const signal of this.#writable) {
      signal.fire();
    }
  }
}

export class LocalExchangeSinkOperator extends BaseOperator {
  readonly #exchange: LocalExchange;
  readonly #source: number;
  readonly #channels: readonly number[];

  constructor(context: OperatorContext, exchange: LocalExchange, source: number, channels: readonly number[]) {
    super(context);
    this.#exchange = exchange;
    this.#source = source;
    this.#channels = channels;
  }

  get needsInput(): boolean {
    return !this.finishing && this.#exchange.mayPut(this.#source);
  }

  get isFinished(): boolean {
    return this.finishing || this.#exchange.isClosed;
  }

  /** The driver calls `finish` only if the operator needs input, so its last page has been released. */
  override finish(): void {
    super.finish();
    this.#exchange.sourceFinished();
  }

  addInput(page: Page): void {
    this.#exchange.put(selectColumns(page, this.#channels));
  }

  getOutput(): undefined {
    return undefined;
  }

  override blocked(): Promise<void> | undefined {
    return this.isFinished || this.needsInput ? undefined : this.#exchange.waitToPut(this.#source);
  }
}

export class LocalExchangeSourceOperator extends BaseOperator implements SourceOperator {
  readonly #exchange: LocalExchange;
  readonly needsInput: boolean = false;
  readonly rawInputBytes: number = 0;
  readonly rawInputPositions: number = 0;

  constructor(context: OperatorContext, exchange: LocalExchange) {
    super(context);
    this.#exchange = exchange;
  }

  get isFinished(): boolean {
    return this.#exchange.isExhausted;
  }

  addInput(): void {
    assert(false, "a source has no input");
  }

  getOutput(): Page | undefined {
    return this.#exchange.take();
  }

  override blocked(): Promise<void> | undefined {
    return this.#exchange.isExhausted ? undefined : this.#exchange.waitToRead();
  }

  override close(): void {
    this.#exchange.close();
  }
}
