import { describe, expect, it } from "vitest";
import { createTaskExecutor, type SliceWork } from "../../../src/execution/driver/executor.ts";
import { bufferTransitions, taskTransitions } from "../../../src/execution/task/state.ts";
import { StateMachine } from "../../../src/protocol/state-machine.ts";
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
