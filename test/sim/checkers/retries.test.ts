/** Queries that run again: the checker is silent about what a loss explains, and reports everything else. */
import { describe, expect, it } from "vitest";
import { Facts } from "../../../sim/checkers/facts.ts";
import { RetryOracle } from "../../../sim/checkers/liveness/retries.ts";
import { StreamTree } from "../../../sim/world/streams.ts";
import { nanosPerSecond, World } from "../../../sim/world/world.ts";
import type { OrreryNode } from "../../../src/node.ts";

const queryId = "20260101_000000_00000_aaaaa";
const properties = {
  "query-retry-attempts": "2",
  "retry-initial-delay": "200ms",
  "retry-max-delay": "1m",
  "retry-delay-scale-factor": "2.0",
};
const lost = (attempt: number, delayMs: number, errorName = "REMOTE_HOST_GONE"): string =>
  `query-attempt-lost ${JSON.stringify({ queryId, attempt, errorName, delayMs })}`;

class Run {
  readonly said: string[] = [];
  readonly world = new World({ streams: StreamTree.root("test") });
  /** Tasks of the worker. */
  tasks: readonly string[] = [];
  gone = false;
  readonly oracle: RetryOracle;
  readonly #facts = new Facts();

  constructor({ hasStandby = false, hasRemote = false } = {}) {
    const facts = this.#facts;
    for (const place of ["c", "w1"]) {
      facts.note(place, "start", "life 1", 1);
    }
    this.oracle = new RetryOracle({
      verdict: { violate: (_, oracle, sentence) => this.said.push(`${oracle}: ${sentence}`), held: () => undefined },
      world: this.world,
      facts,
      properties,
      coordinator: "c",
      workers: ["w1"],
      sessionOf: () => ({}),
      node: () => ({ accounts: () => ({ tasks: this.tasks.map((taskId) => ({ taskId })) }) }) as unknown as OrreryNode,
      isGone: () => this.gone,
      count: () => undefined,
      hasRemote,
      hasStandby,
    });
  }

  /** Another life of the coordinator begins: of its machine, or of one on stand-by. */
  restarts(): this {
    this.#facts.note("c", "start", "life 2", 2);
    this.oracle.note("c", "start", "life 2");
    return this;
  }

  logs(detail: string): this {
    this.oracle.note("c", "log-info", detail);
    return this;
  }

  fails(errorName: string, message = "gone", sql = "SELECT 1"): this {
    this.oracle.observeFailure({ queryId, user: "u1", sql, errorName, message });
    return this;
  }

  async passes(seconds: number): Promise<this> {
    const end = this.world.nowNanos + seconds * nanosPerSecond;
    let passed = false;
    this.world.at(end, "later", () => {
      passed = true;
    });
    await this.world.run({ untilNanos: end, eventsMax: 100, done: () => passed });
    return this;
  }
}

describe("attempts", () => {
  it("may be lost as often as the properties allow, after their delays", () => {
    expect(new Run().logs(lost(0, 200)).logs(lost(1, 400)).said).toEqual([]);
    expect(new Run().logs(lost(0, 400)).said.join()).toContain("runs again after 400 ms, not 200 ms");
    expect(new Run().logs(lost(0, 200)).logs(lost(1, 400)).logs(lost(2, 800)).said.join()).toContain("runs again 3 times, of at most 2");
    // Another cluster may have forgotten a query of the coordinator's former life, and nothing else begins again after a restart.
    const forgotten = lost(100, 200, "SERVER_STARTING_UP");
    expect(new Run({ hasRemote: true }).restarts().logs(forgotten).said).toEqual([]);
    expect(
      new Run({ hasRemote: true })
        .restarts()
        .logs(forgotten)
        .logs(lost(101, 400, "SERVER_STARTING_UP"))
        .said.join(),
    ).toContain("no node");
    expect(new Run().restarts().logs(forgotten).said.join()).toContain("SERVER_STARTING_UP, which no node has caused");
    expect(new Run().logs(lost(0, 200, "DIVISION_BY_ZERO")).said.join()).toContain("which no node has caused");
  });

  it("are counted on by a former owner of the directory that does not know of the next one", () => {
    const goesOn = (hasStandby: boolean): Run => new Run({ hasStandby }).logs(lost(0, 200)).restarts().logs(lost(1, 400));
    expect(goesOn(true).said).toEqual([]);
    expect(goesOn(true).logs(lost(3, 800)).said.join()).toContain("lost attempt 3");
    expect(goesOn(false).said.join()).toContain("lost attempt 1 after 0 lost ones");
  });

  it("are those of a life of the coordinator, whose answers may come late", () => {
    const run = new Run().logs(lost(0, 200)).restarts();
    expect([run.oracle.hasRunAgain(queryId, 1), run.oracle.hasRunAgain(queryId, 2), run.oracle.hasRunAgain(queryId)]).toEqual([
      true,
      false,
      false,
    ]);
  });

  it("explain a loss that fails the query", () => {
    const last = `query-not-run-again ${JSON.stringify({ queryId, attempt: 2, errorName: "REMOTE_TASK_ERROR", reason: "attempts" })}`;
    const spent = (): Run => new Run().logs(lost(0, 200)).logs(lost(1, 400)).logs(last);
    expect(spent().fails("REMOTE_HOST_GONE").said).toEqual([]);
    expect(spent().fails("REMOTE_TASK_ERROR").said.join()).toContain("its first loss was REMOTE_HOST_GONE");
    expect(new Run().fails("REMOTE_HOST_GONE").said.join()).toContain("after 0 lost attempts (no reason)");
  });

  it("begin a stage again only after a loss", () => {
    const run = new Run();
    run.oracle.observeStage(`${queryId}.0`, "PLANNED");
    expect(run.said).toEqual([]);
    run.oracle.observeStage(`${queryId}.0`, "PLANNED");
    expect(run.said.join()).toContain("began 2 times, and lost 0 attempts");
  });
});

describe("another cluster", () => {
  it("runs queries again after a loss, and those of its coordinator's former life", () => {
    const hasRunAgain = (detail: string): boolean => {
      const run = new Run();
      run.oracle.noteElsewhere(detail);
      return run.oracle.hasRunAgain(queryId);
    };
    expect([lost(0, 200), 'query-journal-loaded {"queries":2}', 'query-journal-loaded {"queries":0}'].map(hasRunAgain)).toEqual([
      true,
      true,
      false,
    ]);
  });
});

describe("the tasks of a lost attempt", () => {
  const task = `${queryId}.1.0`;

  it("are gone ten seconds later", async () => {
    const ended = new Run();
    ended.tasks = [task];
    ended.logs(lost(0, 200));
    ended.tasks = [];
    expect((await ended.passes(11)).said).toEqual([]);
    const left = new Run();
    left.tasks = [task];
    expect((await left.logs(lost(0, 200)).passes(11)).said).toEqual([`retries: w1 still has ${task}, whose attempt was given up 10 s ago`]);
  });

  it("stay on a worker that was gone, also when the next attempt is lost", async () => {
    const run = new Run();
    run.tasks = [task];
    run.gone = true;
    run.logs(lost(0, 200));
    run.gone = false;
    await run.passes(1);
    expect((await run.logs(lost(1, 400)).passes(11)).said).toEqual([]);
  });
});
