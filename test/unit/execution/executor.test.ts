import { describe, expect, it } from "vitest";
import { createTaskExecutor, type SliceWork } from "../../../src/execution/driver/executor.ts";
import { MemoryQueue } from "../../../src/execution/driver/memory-queue.ts";
import { bufferTransitions, taskTransitions } from "../../../src/execution/task/state.ts";
import { StateMachine } from "../../../src/protocol/state-machine.ts";
import { createNodeMemory } from "../../../src/memory/allocator.ts";
import { noPoints } from "../../../src/ports/points.ts";
import { drain, TestClock } from "./world.ts";

function work(queryId: string, name: string, slices: number, log: string[]): SliceWork {
  let left = slices;
  return {
    queryId,
    runSlice: () => {
      log.push(name);
      left--;
      return { workUnits: 1, runnable: left > 0 };
    },
  };
}

describe("a node's executor", () => {
  it("goes round the queries, and round the drivers of each", async () => {
    const log: string[] = [];
    const executor = createTaskExecutor(new TestClock(), noPoints);
    for (const [queryId, name] of [
      ["a", "a1"],
      ["a", "a2"],
      ["a", "a3"],
      ["b", "b1"],
    ] as const) {
      executor.schedule(work(queryId, name, 3, log));
    }
    await drain();
    // Query b has one driver against three of query a, but gets every second slice while it runs.
    expect(log.slice(0, 6)).toEqual(["a1", "b1", "a2", "b1", "a3", "b1"]);
    expect(log.length).toBe(12);
  });

  it("sleeps when nothing is runnable and wakes for new work", async () => {
    const clock = new TestClock();
    const log: string[] = [];
    const executor = createTaskExecutor(clock, noPoints);
    executor.schedule(work("a", "first", 1, log));
    expect(log).toEqual([]);
    await drain();
    const idleNanos = clock.nanos;
    await drain(1000);
    expect([clock.nanos, clock.timers.size]).toEqual([idleNanos, 0]);
    executor.schedule(work("a", "second", 1, log));
    await drain();
    expect(log).toEqual(["first", "second"]);
  });

  it("drops removed tasks, and all tasks when it closes", async () => {
    const log: string[] = [];
    const executor = createTaskExecutor(new TestClock(), noPoints);
    const removed = work("a", "removed", 1, log);
    executor.schedule(removed);
    executor.schedule(work("b", "kept", 5, log));
    executor.remove(removed);
    await drain(10);
    executor.close();
    const runs = log.length;
    await drain();
    expect(log).not.toContain("removed");
    expect(log.length).toBe(runs);
  });
});

describe("the state tables", () => {
  it("let ended states go nowhere and every live one fail", () => {
    for (const table of [taskTransitions, bufferTransitions] as Readonly<Record<string, readonly string[]>>[]) {
      for (const [state, next] of Object.entries(table)) {
        expect(next.length === 0 || next.includes("FAILED"), state).toBe(true);
        expect(next.every((target) => target in table)).toBe(true);
      }
    }
  });

  it("take anything else for a bug", () => {
    const machine = new StateMachine({ name: "task t", table: taskTransitions, initial: "PLANNED" });
    machine.to("RUNNING");
    machine.to("FINISHED");
    expect(machine.ended).toBe(true);
    expect(() => machine.to("RUNNING")).toThrow("task t: no transition from FINISHED to RUNNING");
  });
});

describe("a full node", () => {
  const mebi = 1024 ** 2;
  function fullNode() {
    const clock = new TestClock();
    const memory = createNodeMemory({ sizeBytes: 16 * mebi }).root;
    const queries = ["a", "b", "c"].map((queryId) => ({ queryId, context: memory.child(queryId) }));
    const holders = () => queries.map(({ queryId, context }) => ({ queryId, reservedBytes: context.reservedBytes }));
    const [a, b] = queries.map(({ context }) => context);
    if (a === undefined || b === undefined) {
      throw new Error("no query");
    }
    return {
      clock,
      a,
      b,
      others: memory.child("others"),
      queue: new MemoryQueue({ clock, points: noPoints, memory, holders }),
    };
  }

  it("lets the oldest query go on, and the others once it has freed memory", async () => {
    const { clock, a, b, queue } = fullNode();
    a.reserve(8 * mebi);
    b.reserve(3 * mebi);
    // 11 of 16 MiB is not full: no query waits.
    expect(["a", "b", "c"].map((queryId) => queue.turn(queryId))).toEqual([undefined, undefined, undefined]);
    b.reserve(2 * mebi);
    expect(queue.turn("a")).toBeUndefined();
    const woken: string[] = [];
    for (const queryId of ["b", "c"]) {
      const wait = queue.turn(queryId);
      expect(wait).toBeDefined();
      void wait?.then(() => woken.push(queryId));
    }
    expect(clock.timers.size).toBe(1);
    a.release(8 * mebi);
    expect(clock.fireNext()).toBe(true);
    await drain();
    expect(woken).toEqual(["b", "c"]);
    expect(queue.turn("c")).toBeUndefined();
    expect(clock.timers.size).toBe(0);
  });

  it("lets all go on if older queries hold too little to help, and keeps no timer without queries", () => {
    const { clock, a, b, others, queue } = fullNode();
    others.reserve(14 * mebi);
    a.reserve(mebi / 2);
    expect(queue.turn("b")).toBeUndefined();
    b.reserve(mebi / 2);
    expect(queue.turn("c")).toBeDefined();
    queue.reset();
    expect(clock.timers.size).toBe(0);
  });
});
