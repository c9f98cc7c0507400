import { describe, expect, test } from "vitest";
import { historyBytesMax } from "../../../../src/coordinator/lifetime/history.ts";
import { heapBytes } from "../../../../src/coordinator/lifetime/retained-bytes.ts";
import { defaultCoordinatorConfig } from "../../../support/coordinator-config.ts";
import { unclaimedBytesMax, unclaimedMax } from "../../../../src/coordinator/lifetime/unclaimed.ts";
import type { Query } from "../../../../src/coordinator/query/query.ts";
import { QueryTracker } from "../../../../src/coordinator/query/query-tracker.ts";
import { ManualClock, settle } from "../../../support/manual-clock.ts";
import { QueryError } from "../../../../src/protocol/errors.ts";
import { VARCHAR } from "../../../../src/types/type.ts";
import { FakeCoordinator, nextUri, rootFragment, stateOf } from "../fakes.ts";

/** The part of a query that the tracker reads; counts the reads. */
class FakeQuery {
  looks = 0;
  done = false;
  released = false;
  resultsExpired = false;
  readonly executions = [];
  readonly limits = { runMs: 1e9, executionMs: 1e9, texts: { executionMs: "given" } };
  executionStartNanos: number | undefined;
  failure: unknown;
  readonly servedBytes = 100;
  readonly sql = "SELECT 1";
  readonly #clock: ManualClock;
  readonly #heartbeatNanos: number;
  #callbacks: (() => void)[] = [];
  #executing: () => void = () => undefined;

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

  onExecution(callback: () => void): void {
    this.#executing = callback;
  }

  startExecution(): void {
    this.executionStartNanos = this.#clock.monotonicNanos();
    this.#executing();
  }

  fail(failure: unknown): void {
    this.failure = failure;
    this.end();
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

  test("does not look at a query that waits for its turn, however short it may execute", async () => {
    const clock = new ManualClock();
    const tracker = new QueryTracker(clock, { ...defaultCoordinatorConfig, clientTimeoutMs: 60_000 });
    const query = new FakeQuery("q", clock);
    query.limits.executionMs = 50;
    tracker.add(query as unknown as Query);
    const { looks } = query;
    await clock.advance(50_000);
    expect(query.looks).toBe(looks);
    query.startExecution();
    await clock.advance(49);
    expect(query.failure).toBeUndefined();
    await clock.advance(1);
    expect(query.failure).toEqual({
      errorName: "EXCEEDED_TIME_LIMIT",
      message: "Query exceeded the maximum execution time limit of given",
    });
    tracker.close();
  });

  test("looks only at the queries that a sweep removes", async () => {
    const clock = new ManualClock();
    const tracker = new QueryTracker(clock, { ...defaultCoordinatorConfig, clientTimeoutMs: 60_000, historyMax: 1000 });
    const post = (id: string): FakeQuery => {
      const query = new FakeQuery(id, clock);
      tracker.add(query as unknown as Query);
      query.end();
      return query;
    };
    const early = Array.from({ length: 10 }, (_, index) => post(`early${index}`));
    await clock.advance(30_000);
    const late = Array.from({ length: 900 }, (_, index) => post(`late${index}`));
    const looksBefore = late.map(({ looks }) => looks);
    await clock.advance(29_999);
    expect(tracker.kept).toMatchObject({ unclaimed: 910, history: 0 });
    await clock.advance(1);
    expect(tracker.kept).toMatchObject({ unclaimed: 900, history: 10 });
    expect(early.every(({ resultsExpired }) => resultsExpired)).toBe(true);
    expect(late.map(({ looks }) => looks)).toEqual(looksBefore);
    await clock.advance(60_000);
    expect(tracker.kept).toMatchObject({ unclaimed: 0, unclaimedBytes: 0, history: 910 });
    expect(clock.labels).toEqual([]);
  });
});

describe("the size of plain data", () => {
  test("counts texts, bytes and what contains them, and what is reached twice once", () => {
    const text = "x".repeat(1000);
    const shared = { text };
    const one = heapBytes(shared);
    expect(one).toBeGreaterThan(2000);
    expect(one).toBeLessThan(2100);
    expect(heapBytes([shared, shared]) - one).toBeLessThan(100);
    expect(heapBytes([shared, { text }])).toBeGreaterThan(2 * one);
    expect(heapBytes([new Map([["key", text]]), new Set([text]), new Uint8Array(1000), () => text, 1n, null, undefined])).toBeGreaterThan(
      5000,
    );
    const ring: { self?: unknown } = {};
    ring.self = ring;
    expect(heapBytes(ring)).toBeLessThan(100);
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
    // Three times query.max-history, because all queries are young.
    expect(list.length).toBeLessThanOrEqual(unclaimedMax + 30);
    expect((await world.ask("GET", firsts[0] as string)).status).toBe(404);
    expect((await world.ask("GET", firsts[99] as string)).status).toBe(410);
    expect(stateOf(await world.ask("GET", firsts[100] as string))).toBe("FINISHED");
    await world.clock.advance(300_000);
    // All clients have exceeded their timeout.
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

  test("are bounded in bytes of their plans as well", async () => {
    const world = new FakeCoordinator({ historyMax: 1 });
    const [fragment, text] = [rootFragment(), "x".repeat(unclaimedBytesMax / 2 / 10)];
    const large = { ...fragment, root: { ...fragment.root, id: text } };
    world.plan = () => Promise.resolve({ kind: "query", plan: { fragments: [large] }, columns: [{ name: "c", type: VARCHAR }] });
    const firsts: string[] = [];
    for (let count = 0; count < 20; count++) {
      firsts.push(nextUri(await world.submit()));
      world.root.finishOutput();
      await settle();
    }
    const { unclaimed, unclaimedBytes } = world.coordinator.keptQueries();
    expect(unclaimed).toBe(9);
    expect(unclaimedBytes).toBeLessThanOrEqual(unclaimedBytesMax);
    expect((await world.ask("GET", firsts[0] as string)).status).toBe(404);
    expect(stateOf(await world.ask("GET", firsts.at(-1) as string))).toBe("FINISHED");
  });

  test("lose the response that waited to be asked for again with their rows", async () => {
    const world = new FakeCoordinator({ clientTimeoutMs: 10_000 });
    const first = await world.submit();
    world.root.push(world.frame(["x".repeat(100_000)]));
    world.root.push(world.frame(["last"]));
    const [next] = await Promise.all([world.ask("GET", nextUri(first)), world.clock.advance(1000)]);
    expect(next.text.length).toBeGreaterThan(100_000);
    world.root.finishOutput();
    await settle();
    expect(world.coordinator.keptQueries().unclaimedBytes).toBeGreaterThan(100_000);
    await world.clock.advance(10_000);
    expect((await world.ask("GET", nextUri(first))).status).toBe(410);
    const { unclaimed, historyBytes } = world.coordinator.keptQueries();
    expect(unclaimed).toBe(0);
    expect(historyBytes).toBeLessThan(100_000);
  });
});

describe("queries that nobody waits for", () => {
  test("are bounded in bytes, however few and young they are", async () => {
    const world = new FakeCoordinator({ historyMax: 100, queryLengthMax: 1e9 });
    world.plan = () => Promise.reject(new QueryError("SYNTAX_ERROR", "line 1:1: mismatched input"));
    const sql = "x".repeat(historyBytesMax / 2 / 10);
    for (let count = 0; count < 20; count++) {
      expect(stateOf(await world.submit(sql))).toBe("FAILED");
    }
    expect(world.coordinator.keptQueries()).toMatchObject({ unclaimed: 0, unclaimedBytes: 0, history: 9 });
    expect(world.coordinator.keptQueries().historyBytes).toBeLessThanOrEqual(historyBytesMax);
    expect(JSON.parse((await world.ask("GET", "/v1/query")).text)).toHaveLength(9);
  });
});
