import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { sleep } from "../../../src/ports/clock.ts";
import { threadCpuTime } from "../../../src/server/ports/cpu-time.ts";
import { RealClock } from "../../../src/server/ports/clock.ts";

const dayMs = 24 * 60 * 60 * 1000;

describe("the process's clock", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });

  afterEach(() => {
    vi.useRealTimers();
  });

  it("calls back once, when it is time", async () => {
    const clock = new RealClock();
    const calls: string[] = [];
    clock.timer("later", 20, () => calls.push("later"));
    clock.timer("soon", 10, () => calls.push("soon"));
    clock.timer("now", 0, () => calls.push("now"));
    await vi.advanceTimersByTimeAsync(9);
    expect(calls).toEqual(["now"]);
    await vi.advanceTimersByTimeAsync(1000);
    expect(calls).toEqual(["now", "soon", "later"]);
  });

  it("holds timers that are longer than the platform's", async () => {
    const clock = new RealClock();
    let calls = 0;
    clock.timer("query-max-run-time", 100 * dayMs, () => calls++);
    const cancelled = clock.timer("cancelled in its third piece", 100 * dayMs, () => calls++);
    await vi.advanceTimersByTimeAsync(60 * dayMs);
    cancelled.cancel();
    await vi.advanceTimersByTimeAsync(40 * dayMs - 1);
    expect(calls).toBe(0);
    await vi.advanceTimersByTimeAsync(1);
    expect(calls).toBe(1);
    await vi.advanceTimersByTimeAsync(500 * dayMs);
    expect(calls).toBe(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("cancels idempotently, also from within the callback and when the node closes", async () => {
    const clock = new RealClock();
    const calls: string[] = [];
    const own = clock.timer("own", 1, () => {
      calls.push("own");
      own.cancel();
    });
    const other = clock.timer("other", 5, () => calls.push("other"));
    other.cancel();
    other.cancel();
    clock.timer("open", 7, () => calls.push("open"));
    void sleep(clock, "sleeper", 8).then(() => calls.push("slept"));
    await vi.advanceTimersByTimeAsync(2);
    clock.close();
    await vi.advanceTimersByTimeAsync(100);
    expect(calls).toEqual(["own"]);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("time itself", () => {
  it("is whole nanoseconds that never go back, and whole milliseconds", () => {
    const clock = new RealClock();
    let before = clock.monotonicNanos();
    for (let index = 0; index < 1000; index++) {
      const now = clock.monotonicNanos();
      expect(Number.isSafeInteger(now)).toBe(true);
      expect(now).toBeGreaterThanOrEqual(before);
      before = now;
    }
    expect(Number.isSafeInteger(clock.wallMillis())).toBe(true);
    expect(Number.isSafeInteger(clock.cpuNanos(0))).toBe(true);
  });

  it("CPU time is what the system tells, no faster than time passes, and none of it is lost", () => {
    let told = 5_000_000;
    const clock = new RealClock({ read: () => told, close: () => undefined });
    const begun = clock.monotonicNanos();
    expect(clock.cpuNanos(0)).toBe(0);
    // One tick at most is counted at once: more cannot have been used since the last call.
    told += 3_600_000_000_000;
    const counted = clock.cpuNanos(0);
    expect(counted).toBeGreaterThan(0);
    expect(counted).toBeLessThanOrEqual(clock.monotonicNanos() - begun);
    told = 5_000_000 + counted + 1;
    while (clock.cpuNanos(0) < counted + 1) {}
    expect(clock.cpuNanos(0)).toBe(counted + 1);
    // CPU time never decreases.
    told = 0;
    expect(clock.cpuNanos(0)).toBe(counted + 1);
  });

  it("time that passes is not CPU time where the system does not tell, or not always", () => {
    let told: number | undefined;
    const clock = new RealClock({ read: () => told, close: () => undefined });
    const pass = (): void => {
      const begun = clock.monotonicNanos();
      while (clock.monotonicNanos() - begun < 1_000_000) {}
    };
    pass();
    expect(clock.cpuNanos(0)).toBe(0);
    told = 300_000;
    expect(clock.cpuNanos(0)).toBe(300_000);
    told = undefined;
    pass();
    expect(clock.cpuNanos(0)).toBe(300_000);
    told = 900_000;
    expect(clock.cpuNanos(0)).toBe(900_000);
  });

  it("CPU time of a thread grows while it computes, not while it sleeps", () => {
    const cpuTime = threadCpuTime();
    const begun = cpuTime.read();
    if (begun === undefined) {
      // The system does not report CPU time.
      return;
    }
    const rounds = new Int32Array(new SharedArrayBuffer(4));
    let computed = begun;
    while (computed - begun < 20_000_000) {
      computed = cpuTime.read() as number;
    }
    for (let round = 0; round < 10; round++) {
      Atomics.wait(rounds, 0, 0, 20);
    }
    expect((cpuTime.read() as number) - computed).toBeLessThan(200_000_000);
    cpuTime.close();
    expect(threadCpuTime("/nowhere").read() === undefined || "threadCpuUsage" in process).toBe(true);
  });

  it("a turn after long work lasts for several rounds of the event loop", async () => {
    const clock = new RealClock();
    const rounds = async (work: () => void): Promise<number> => {
      await clock.turn(0);
      work();
      let count = 0;
      let isOver = false;
      const next = (): void => {
        count += 1;
        if (!isOver) {
          setImmediate(next);
        }
      };
      setImmediate(next);
      await clock.turn(1);
      isOver = true;
      return count;
    };
    // A short statement goes through all of its steps meanwhile.
    const afterLongWork = await rounds(() => {
      const ends = performance.now() + 5;
      while (performance.now() < ends) {
        // Work without a turn.
      }
    });
    expect(afterLongWork).toBeGreaterThanOrEqual(10);
    clock.close();
  });

  it("a turn lets what is ready go first", async () => {
    const clock = new RealClock();
    const order: string[] = [];
    setImmediate(() => order.push("a request"));
    await clock.turn(100);
    order.push("the driver");
    expect(order).toEqual(["a request", "the driver"]);
  });
});
