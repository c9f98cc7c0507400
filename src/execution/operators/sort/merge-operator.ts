/**
 * MergeOperator: merges sorted sources into one sorted stream. Ties are ordered by source, then as in the source. It implements a
 * RemoteSource with an order.
 */
import type { Address } from "../../../memory/memory.ts";
import type { Page } from "../../../page/page.ts";
import type { Type } from "../../../types/type.ts";
import { type ExchangeEnding, ExchangeSourceOperator } from "../output/exchange-operators.ts";
import type { OperatorContext } from "../operator.ts";
import { PageMerger } from "./page-merger.ts";
import type { SortColumn } from "./sort-rows.ts";

export interface MergeOptions {
  readonly context: OperatorContext;
  readonly types: readonly Type[];
  readonly ending: ExchangeEnding;
  readonly sortChannels: readonly number[];
  readonly order: readonly SortColumn[];
}

export class MergeOperator extends ExchangeSourceOperator {
  readonly #options: MergeOptions;
  #merger: PageMerger | undefined;
  /** Blocks of the current pages by source, which hold their strings; 0 for none. */
  readonly #blocks: Address[] = [];
  /** Pages whose strings the last output page may refer to. */
  #retired: Address[] = [];
  #waits = false;
  #finished = false;

  constructor(options: MergeOptions) {
    super(options.context, options.types, options.ending);
    this.#options = options;
  }

  get isFinished(): boolean {
    return this.#finished;
  }

  override getOutput(): Page | undefined {
    this.#waits = false;
    for (const block of this.#retired.splice(0)) {
      this.context.memory.free(block);
    }
    if (!this.client.ready) {
      this.#waits = true;
      return undefined;
    }
    this.#merger ??= new PageMerger({ ...this.#options, sourceCount: this.client.sourceCount });
    if (!this.#fillAll(this.#merger)) {
      this.#waits = true;
      return undefined;
    }
    if (this.#merger.isDone) {
      this.#finished = true;
      return undefined;
    }
    return this.#merger.merge();
  }

  override blocked(): Promise<void> | undefined {
    return this.#waits ? this.client.blocked() : undefined;
  }

  override close(): void {
    super.close();
    this.#merger?.close();
    this.#merger = undefined;
  }

  /** Returns true if every source has a row or has ended. It polls all of them, so that they fetch in parallel. */
  #fillAll(merger: PageMerger): boolean {
    let complete = true;
    for (let index = 0; index < this.client.sourceCount; index++) {
      if (merger.wants(index) && !this.#fill(merger, index)) {
        complete = false;
      }
    }
    return complete;
  }

  #fill(merger: PageMerger, index: number): boolean {
    for (;;) {
      const polled = this.client.poll(index);
      if (polled.kind === "wait") {
        return false;
      }
      const block = this.#blocks[index] ?? 0;
      if (block !== 0) {
        this.#retired.push(block);
        this.#blocks[index] = 0;
      }
      if (polled.kind === "end") {
        merger.end(index);
        return true;
      }
      const owned = this.decode(polled.frame);
      this.#blocks[index] = owned.blockAddress;
      if (owned.page.positionCount > 0) {
        merger.give(index, owned.page);
        return true;
      }
    }
  }
}
