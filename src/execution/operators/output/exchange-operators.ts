/**
 * ExchangeOperator: reads pages of other tasks in fixed rotation: page k of each source in turn. Finished sources drop out. The order never
 * depends on which answer arrives first. (MergeOperator, for sorted sources, is in merge-operator.ts.)
 */
import { decodePage } from "../../../page/serde.ts";
import type { Frame } from "../../../page/frame.ts";
import type { OwnedPage, Page } from "../../../page/page.ts";
import { assert } from "../../../protocol/errors.ts";
import type { Type } from "../../../types/type.ts";
import type { ExchangeInfoSnapshot, TaskSplit } from "../../task/api.ts";
import { ExchangeClient, type ExchangeOptions } from "../../exchange/exchange.ts";
import { BaseOperator, type OperatorContext, type SourceOperator } from "../operator.ts";

/** Receives the splits of a task's addSplits. */
export interface SplitTarget {
  addSplits(splits: readonly TaskSplit[]): void;
  setNoMoreSplits(): void;
  /** Of exchanges: another address of a source. */
  replaceSource?(from: string, to: string): void;
}

/** What the task does when an exchange has all that its sources produce (exchange.ts). */
export type ExchangeEnding = Pick<ExchangeOptions, "awaitsSources" | "leavesBuffers" | "leavesTakenBuffers" | "onReceived" | "reader">;

/** Common part of both operators over an exchange. */
export abstract class ExchangeSourceOperator extends BaseOperator implements SourceOperator, SplitTarget {
  protected readonly client: ExchangeClient;
  protected readonly types: readonly Type[];
  rawInputPositions = 0;

  constructor(context: OperatorContext, types: readonly Type[], ending: ExchangeEnding) {
    super(context);
    const { ports, limits } = context.services;
    this.types = types;
    this.client = new ExchangeClient({
      clock: ports.clock,
      network: ports.network,
      points: ports.points,
      limits,
      ...ending,
      memory: context.memory.child("exchange client"),
    });
  }

  readonly needsInput: boolean = false;

  get rawInputBytes(): number {
    return this.client.receivedBytes;
  }

  addSplits(splits: readonly TaskSplit[]): void {
    for (const split of splits) {
      assert(split.kind === "remote", "an exchange reads the output of tasks");
      this.client.addSource(split.location, split.fragmentId);
    }
  }

  setNoMoreSplits(): void {
    this.client.setNoMoreSources();
  }

  replaceSource(from: string, to: string): void {
    this.client.replaceSource(from, to);
  }

  addInput(): void {
    assert(false, "an exchange has no input");
  }

  exchangeInfo(): ExchangeInfoSnapshot {
    return this.client.info();
  }

  override close(): void {
    this.client.close();
  }

  /** Releases the frame. */
  protected decode(frame: Frame): OwnedPage {
    try {
      const owned = decodePage(this.context.memory.linear, frame, this.types, this.context.memory);
      this.rawInputPositions += owned.page.positionCount;
      return owned;
    } finally {
      frame.release();
    }
  }

  abstract override readonly isFinished: boolean;
  abstract override getOutput(): Page | undefined;
}

export class ExchangeOperator extends ExchangeSourceOperator {
  /** Sources that have not ended, in rotation order; filled when all are known. */
  #rotation: number[] | undefined;
  #turn = 0;
  #current: OwnedPage | undefined;
  #waits = false;

  get isFinished(): boolean {
    return this.#rotation !== undefined && this.#rotation.length === 0;
  }

  override getOutput(): Page | undefined {
    this.#freeCurrent();
    this.#waits = false;
    if (!this.client.ready) {
      this.#waits = true;
      return undefined;
    }
    this.#rotation ??= Array.from({ length: this.client.sourceCount }, (_, index) => index);
    while (this.#rotation.length > 0) {
      const polled = this.client.poll(this.#rotation[this.#turn] as number);
      if (polled.kind === "wait") {
        this.#waits = true;
        return undefined;
      }
      if (polled.kind === "frame") {
        this.#turn = (this.#turn + 1) % this.#rotation.length;
        this.#current = this.decode(polled.frame);
        return this.#current.page;
      }
      this.#rotation.splice(this.#turn, 1);
      this.#turn = this.#turn >= this.#rotation.length ? 0 : this.#turn;
    }
    return undefined;
  }

  override blocked(): Promise<void> | undefined {
    return this.#waits ? this.client.blocked() : undefined;
  }

  #freeCurrent(): void {
    if (this.#current !== undefined) {
      this.context.memory.free(this.#current.blockAddress);
      this.#current = undefined;
    }
  }
}
