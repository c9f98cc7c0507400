import { describe, expect, test } from "vitest";
import { defaultCoordinatorConfig } from "../../../../src/coordinator/context.ts";
import { unclaimedBytesMax, unclaimedMax } from "../../../../src/coordinator/lifetime/unclaimed.ts";
import type { Query } from "../../../../src/coordinator/query/query.ts";
import { QueryTracker } from "../../../../src/coordinator/query/query-tracker.ts";
import { ManualClock, settle } from "../../../support/manual-clock.ts";
import { FakeCoordinator, nextUri, stateOf } from "../fakes.ts";

/** As much of a query as the tracker looks at, which counts how often it does. */
class FakeQuery {
  looks = 0;
  done = false;
  released = false;
  resultsExpired = false;
  readonly limits = { runMs: 1e9, executionMs: 1e9 };
  readonly textBytes = 100;
  readonly #clock: ManualClock;
  readonly #heartbeatNanos: number;
  #callbacks: (() => void)[] = [];

  constructor(
    readonly id: string,
    clock: ManualClock,
  ) {
    this.#clock = clock;
    this.#heartbeatNanos = clock.monotonicNanos();
  }

  get lastHeartbeatNanos(): number {
    this.looks++;
    return this.#heartbeatNanos;
  }

  get createNanos(): number {
    return this.#heartbeatNanos;
  }

  get endNanos(): number {
    return this.#clock.monotonicNanos();
  }

  onEnd(callback: () => void): void {
    this.#callbacks.push(callback);
  }

  end(): void {
    this.done = true;
    for (const callback of this.#callbacks.splice(0)) {
      callback();
    }
  }
}

describe("the tracker of queries", () => {
  test("looks at a query a few times, however many others wait for their clients", () => {
    const clock = new ManualClock();
    const tracker = new QueryTracker(clock, defaultCoordinatorConfig);
    const queries = Array.from({ length: 5000 }, (_, index) => new FakeQuery(`q${index}`, clock));
    for (const query of queries) {
      tracker.add(query as unknown as Query);
      query.end();
    }
    expect(Math.max(...queries.map(({ looks }) => looks))).toBeLessThan(5);
    expect(tracker.liveCount).toBe(0);
    tracker.close();
  });
});

describe("queries that are posted and never polled", () => {
  test("are bounded in number: the oldest lose their rows, and are history", async () => {
    const world = new FakeCoordinator({ historyMax: 10, clientTimeoutMs: 300_000 });
    const firsts: string[] = [];
    for (let count = 0; count < unclaimedMax + 100; count++) {
      const first = await world.submit();
      firsts.push(nextUri(first));
      world.root.finishOutput();
      await settle();
    }
    const list = JSON.parse((await world.ask("GET", "/v1/query")).text) as unknown[];
    // Three times the history, since all are young.
    expect(list.length).toBeLessThanOrEqual(unclaimedMax + 30);
    expect((await world.ask("GET", firsts[0] as string)).status).toBe(404);
    expect((await world.ask("GET", firsts[99] as string)).status).toBe(410);
    expect(stateOf(await world.ask("GET", firsts[100] as string))).toBe("FINISHED");
    await world.clock.advance(300_000);
    // All clients are late by now.
    expect((await world.ask("GET", firsts.at(-1) as string)).status).toBe(410);
    expect((JSON.parse((await world.ask("GET", "/v1/query")).text) as unknown[]).length).toBeLessThanOrEqual(30);
  });

  test("are bounded in bytes: long texts and rows that wait", async () => {
    const world = new FakeCoordinator({ historyMax: 1, queryLengthMax: 1e9 });
    const sql = `SELECT '${"x".repeat(unclaimedBytesMax / 2 / 10)}'`;
    const firsts: string[] = [];
    for (let count = 0; count < 20; count++) {
      firsts.push(nextUri(await world.submit(sql)));
      world.root.finishOutput();
      await settle();
    }
    const states = await Promise.all(firsts.map(async (uri) => (await world.ask("GET", uri)).status));
    expect(states.filter((status) => status === 200)).toHaveLength(9);
    expect(states.slice(0, 11).every((status) => status === 410 || status === 404)).toBe(true);
  });
});
