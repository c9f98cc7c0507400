/** Drivers whose operators spill while others wait for their memory. None may wait for ever. */
import { describe, expect, it } from "vitest";
import { Driver } from "../../../src/execution/driver/driver.ts";
import { createTaskExecutor } from "../../../src/execution/driver/executor.ts";
import { BaseOperator, type Operator, type OperatorContext } from "../../../src/execution/operators/operator.ts";
import { MemoryRevoker } from "../../../src/execution/spill/memory-revoker.ts";
import type { Steps } from "../../../src/execution/spill/spill-runs.ts";
import { SpillingOperator } from "../../../src/execution/spill/spilling-operator.ts";
import type { MemoryContext } from "../../../src/memory/memory.ts";
import type { Page } from "../../../src/page/page.ts";
import { knobsOf } from "../../../src/ports/knobs.ts";
import { defer } from "../../../src/ports/signal.ts";
import { makeBench, operatorContext } from "./kernels.ts";
import { drain } from "./world.ts";

const mebi = 1_048_576;
const knobs = { "revocable-bytes": 4.75 * mebi };
const row: Page = { positionCount: 1, selection: 0, columns: [] };

/** Gives so many pages of one row. */
class Rows extends BaseOperator {
  #left: number;
  readonly needsInput = false;

  constructor(context: OperatorContext, count: number) {
    super(context);
    this.#left = count;
  }

  get isFinished(): boolean {
    return this.#left === 0;
  }

  addInput(): void {
    throw new Error("it has no input");
  }

  getOutput(): Page {
    this.#left--;
    return row;
  }
}

interface KeeperOptions {
  readonly bytesOfPage: number;
  /** What it has beside the pages in each of ten steps of a spill. */
  readonly whileSpilling: readonly number[];
}

/** Keeps pages, and gives them out at its end. */
class Keeper extends SpillingOperator {
  readonly #options: KeeperOptions;
  #kept = 0;
  #taken = 0;
  #given = 0;

  constructor(context: OperatorContext, options: KeeperOptions) {
    super(context);
    this.#options = options;
    this.enableSpill();
  }

  protected get canSpill(): boolean {
    return this.#kept > 0;
  }

  get needsInput(): boolean {
    return !this.finishing && !this.isBusy;
  }

  get isFinished(): boolean {
    return this.finishing && !this.isBusy && this.#given === this.#taken;
  }

  getOutput(): Page | undefined {
    if (this.isBusy) {
      return this.advance();
    }
    if (!this.finishing || this.isFinished) {
      return undefined;
    }
    this.#given++;
    return row;
  }

  protected growthBytes(): number {
    return mebi;
  }

  protected keep(): void {
    this.memory.reserve(this.#options.bytesOfPage);
    this.#kept += this.#options.bytesOfPage;
    this.#taken++;
  }

  protected *spill(): Steps<void> {
    for (let step = 0; step < 10; step++) {
      const bytes = this.#options.whileSpilling[step] ?? 0;
      this.memory.reserve(bytes);
      yield undefined;
      this.memory.release(bytes);
    }
    this.memory.release(this.#kept);
    this.#kept = 0;
  }

  protected spillPage(): undefined {
    return undefined;
  }
}

class Counter extends BaseOperator {
  rows = 0;

  get needsInput(): boolean {
    return !this.finishing && this.blocked() === undefined;
  }

  get isFinished(): boolean {
    return this.finishing;
  }

  addInput(page: Page): void {
    this.rows += page.positionCount;
  }

  getOutput(): undefined {
    return undefined;
  }
}

/** Runs one step a slice, so that the drivers take turns after each. */
class World {
  readonly #bench = makeBench("wasm", knobs);
  readonly revoker = new MemoryRevoker();
  readonly query: MemoryContext;
  readonly #executor;

  constructor(limitBytes: number) {
    this.query = this.#bench.root.child("query", limitBytes);
    const points = { fires: (name: string) => name === "slice-ends-early" };
    this.#executor = createTaskExecutor(this.#bench.services.ports.clock, points);
  }

  context(name: string): OperatorContext {
    const ports = { ...this.#bench.services.ports, knobs: knobsOf(knobs) };
    const services = { ...this.#bench.services, ports, revoker: this.revoker };
    return operatorContext({ ...this.#bench, services }, this.query.child(name), name);
  }

  drive(operators: readonly Operator[]): Driver {
    const { clock } = this.#bench.services.ports;
    const driver = new Driver({
      queryId: "q",
      operators,
      clock,
      points: { fires: (name) => name === "slice-ends-early" },
      limits: this.#bench.services.limits,
      executor: this.#executor,
      revoker: this.revoker,
      memoryQueue: undefined,
      inputPipeline: true,
      outputPipeline: true,
      onStart: () => undefined,
      onFinished: () => undefined,
      onFailed: (_, error) => {
        throw error;
      },
    });
    driver.start();
    return driver;
  }
}

describe("drivers of operators that spill", () => {
  it("do not wait for each other's spills", async () => {
    // Both operators spill on their own behalf before they take their second page. At first the second one has more, so that the first
    // driver waits for it. Then it has less, and its driver waits for the first one.
    const world = new World(11.5 * mebi);
    const options: KeeperOptions[] = [
      { bytesOfPage: 4.5 * mebi, whileSpilling: [] },
      { bytesOfPage: 4 * mebi, whileSpilling: [2 * mebi, 2 * mebi, ...Array.from({ length: 8 }, () => 0.5 * mebi)] },
    ];
    const counters = options.map((of, index) => {
      const counter = new Counter(world.context(`sink ${index}`));
      const keeper = new Keeper(world.context(`keeper ${index}`), of);
      return { counter, driver: world.drive([new Rows(world.context(`rows ${index}`), 2), keeper, counter]) };
    });
    await drain(2_000);
    expect(counters.map(({ counter, driver }) => [driver.state, counter.rows])).toEqual([
      ["finished", 2],
      ["finished", 2],
    ]);
  });

  it("free the memory that others need while the reader of their own task rests", async () => {
    // The reader rests once the operator has begun to spill: the output buffer is full with the pages of another driver.
    const read = defer();
    let isFull = false;
    class Sink extends Counter {
      override blocked(): Promise<void> | undefined {
        return isFull ? read.promise : undefined;
      }
    }
    const world = new World(64 * mebi);
    const sink = new Sink(world.context("sink"));
    const keeper = new Keeper(world.context("keeper"), { bytesOfPage: 4.5 * mebi, whileSpilling: [] });
    const driver = world.drive([new Rows(world.context("rows"), 2), keeper, sink]);
    for (let turn = 0; !keeper.isSpilling; turn++) {
      expect(turn).toBeLessThan(100);
      await Promise.resolve();
    }
    isFull = true;
    await drain();
    expect([driver.state, keeper.isSpilling]).toEqual(["blocked", true]);
    // The task that the reader reads first needs the memory, and reads on once it has it.
    let isFree = false;
    void world.revoker
      .largest(world.query)
      ?.revoke()
      .then(() => {
        isFree = true;
      });
    await drain();
    expect([isFree, keeper.memory.reservedBytes]).toEqual([true, 0]);
    isFull = false;
    read.resolve();
    await drain(2_000);
    expect([driver.state, sink.rows]).toEqual(["finished", 2]);
  });
});
