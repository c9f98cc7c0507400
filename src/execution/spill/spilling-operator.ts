/**
 * An operator that keeps its input in memory and spills it when memory is short: on its own behalf before it grows, or on behalf of another
 * operator. While it spills it takes no input. Its output after a spill is made in steps, too.
 */
import type { MemoryContext } from "../../memory/memory.ts";
import type { Page } from "../../page/page.ts";
import { assert } from "../../protocol/errors.ts";
import { BaseOperator, type OperatorContext } from "../operators/operator.ts";
import type { Revocable } from "./memory-revoker.ts";
import { SteppedWork, type Steps } from "./spill-runs.ts";
import { SpillTrigger } from "./spill-trigger.ts";

export abstract class SpillingOperator extends BaseOperator implements Revocable {
  #trigger: SpillTrigger | undefined;
  #work: SteppedWork | undefined;
  /** The work is run on behalf of another operator. */
  #revocation: Promise<void> | undefined;
  /** A page that was taken before there is room for it. */
  #waiting: Page | undefined;
  /** Another operator makes room. */
  #room: Promise<void> | undefined;
  #ready: Page | undefined;
  /** The work frees its memory and gives no pages: others may wait for it, and go on with it. */
  #isFreeing = false;
  /** The disk has failed: nothing can be revoked any more. */
  #failed = false;
  #closed = false;

  constructor(context: OperatorContext) {
    super(context);
  }

  /** Bytes that the operator may need to keep the page. */
  protected abstract growthBytes(page: Page): number;
  /** Keeps the rows of the page. */
  protected abstract keep(page: Page): void;
  /** Whether there is something in memory that can be spilled now. */
  protected abstract readonly canSpill: boolean;
  /** Whether what it has made of its whole input can be spilled now. */
  protected get canSpillResult(): boolean {
    return false;
  }

  /** Writes what is in memory. */
  protected abstract spill(): Steps<void>;
  /** Writes a page at once; undefined if pages are kept after a spill as before it. */
  protected abstract spillPage(page: Page): Steps<void> | undefined;

  /** The disk has failed while memory was written on behalf of another operator. Its own driver learns it if it waits for that. */
  protected revocationFailed(_error: unknown): void {}

  /** Called once by operators that can spill. */
  protected enableSpill(): void {
    this.#trigger = new SpillTrigger(this.context, this);
  }

  get memory(): MemoryContext {
    return this.context.memory;
  }

  get revocableBytes(): number {
    // While it frees its memory, others wait for it rather than grow, or begin to spill, which takes memory too. Other work frees nothing
    // for who asks, and may wait for a reader that waits for who asks.
    const canBegin = this.#work === undefined && ((!this.finishing && this.canSpill) || this.canSpillResult);
    return this.#trigger !== undefined && !this.#failed && (this.#isFreeing || canBegin) ? this.context.memory.reservedBytes : 0;
  }

  get isSpilling(): boolean {
    return this.#work !== undefined;
  }

  protected get isBusy(): boolean {
    return this.#work !== undefined || this.#revocation !== undefined || this.#waiting !== undefined || this.#ready !== undefined;
  }

  addInput(page: Page): void {
    if (this.isBusy) {
      this.#waiting = page;
    } else {
      this.#take(page);
    }
  }

  override blocked(): Promise<void> | undefined {
    return this.#revocation ?? this.#room ?? this.#work?.blocked();
  }

  /**
   * Goes on with a spill that the operator has begun itself. Its driver may not come to it: it may wait for a reader of its task, or for
   * memory of an operator whose driver waits for this one.
   */
  revoke(): Promise<void> {
    if (this.#revocation === undefined && this.revocableBytes > 0) {
      if (!this.#isFreeing) {
        this.beginSpill(this.spill());
      }
      const work = this.#work as SteppedWork;
      // The first step comes later: a second request within it would find no revocation, and run the same steps in a second loop.
      const revocation = Promise.resolve()
        .then(() => work.run(this.context.services.ports.clock, () => this.#closed))
        .then(() => {
          assert(this.#work === work, "an operator that is revoked begins nothing else");
          this.#revocation = undefined;
          this.#endWork();
        });
      // Its driver fails with the error once it waits for the revocation.
      revocation.catch((error: unknown) => {
        this.#failed = true;
        this.revocationFailed(error);
      });
      this.#revocation = revocation;
    }
    return (this.#revocation ?? Promise.resolve()).catch(ignore);
  }

  override close(): void {
    this.#closed = true;
    this.#trigger?.close();
    this.#work?.close();
  }

  /** Before the operator grows by so many bytes at its end. */
  protected mustSpill(bytes: number): boolean {
    return this.#trigger?.mustSpill(bytes) ?? false;
  }

  protected begin(steps: Steps<void>): void {
    assert(this.#work === undefined, "an operator does one thing at a time");
    this.#work = new SteppedWork(steps);
  }

  /** Begins steps that free its memory and give no pages. */
  protected beginSpill(steps: Steps<void>): void {
    this.begin(steps);
    this.#isFreeing = true;
  }

  /** Outputs a page from within steps. They go on when the page is not in use any more. */
  protected *give(page: Page): Steps<void> {
    this.#ready = page;
    yield undefined;
  }

  protected setReady(page: Page): void {
    this.#ready = page;
  }

  /** Continues what the operator is busy with; returns the next page of it. */
  protected advance(): Page | undefined {
    if (this.#ready === undefined) {
      this.#step();
    }
    const ready = this.#ready;
    this.#ready = undefined;
    return ready;
  }

  #step(): void {
    if (this.#revocation !== undefined || this.#room !== undefined) {
      return;
    }
    if (this.#work !== undefined) {
      if (!this.#work.step()) {
        return;
      }
      this.#endWork();
    }
    const waiting = this.#waiting;
    if (waiting !== undefined) {
      this.#waiting = undefined;
      this.#take(waiting);
    }
  }

  #endWork(): void {
    this.#work = undefined;
    this.#isFreeing = false;
  }

  #take(page: Page): void {
    const written = this.spillPage(page);
    if (written !== undefined) {
      this.begin(written);
      return;
    }
    const next = this.#trigger?.beforeGrowth(this.growthBytes(page)) ?? "grow";
    if (next === "grow") {
      this.keep(page);
      return;
    }
    this.#waiting = page;
    if (next === "spill") {
      this.beginSpill(this.spill());
    } else {
      this.#room = next;
      void next.then(() => {
        this.#room = undefined;
      });
    }
  }
}

function ignore(): void {}
