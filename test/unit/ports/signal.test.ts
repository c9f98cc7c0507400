import { describe, expect, test } from "vitest";
import { defer, Signal } from "../../../src/ports/signal.ts";
import { ManualClock, settle } from "../../support/manual-clock.ts";

describe("a signal", () => {
  test("resumes all that wait, in the order of their calls, once", async () => {
    const [signal, clock] = [new Signal(), new ManualClock()];
    const resumed: string[] = [];
    void signal.wait({ clock, label: "first", waitMs: 100 }).then(() => resumed.push("first"));
    void signal.next().then(() => resumed.push("second"));
    void signal.wait({ clock, label: "third", waitMs: 100 }).then(() => resumed.push("third"));
    await settle();
    expect(resumed).toEqual([]);
    expect(signal.isAwaited).toBe(true);
    signal.fire();
    signal.fire();
    await settle();
    expect(resumed).toEqual(["first", "second", "third"]);
    expect(signal.isAwaited).toBe(false);
    expect(clock.labels).toEqual([]);
  });

  test("shares one promise among all that wait for the same occurrence", async () => {
    const signal = new Signal();
    const first = signal.next();
    expect(signal.next()).toBe(first);
    signal.fire();
    expect(signal.next()).not.toBe(first);
    await first;
  });

  test("lets those go whose time is over, and leaves nothing of them behind", async () => {
    const [signal, clock] = [new Signal(), new ManualClock()];
    let waited = false;
    void signal.wait({ clock, label: "late", waitMs: 50 }).then(() => (waited = true));
    await clock.advance(49);
    expect(waited).toBe(false);
    await clock.advance(1);
    expect(waited).toBe(true);
    expect(signal.isAwaited).toBe(false);
    await signal.wait({ clock, label: "no time", waitMs: 0 });
  });

  test("is waited for until a condition holds, or the time is over", async () => {
    const [signal, clock] = [new Signal(), new ManualClock()];
    let count = 0;
    const outcomes: boolean[] = [];
    const wait = (least: number): void =>
      void signal.waitUntil(() => count >= least, { clock, label: "count", waitMs: 100 }).then((held) => outcomes.push(held));
    wait(0);
    wait(2);
    wait(3);
    for (; count < 2; count++) {
      await clock.advance(30);
      signal.fire();
    }
    signal.fire();
    await settle();
    expect(outcomes).toEqual([true, true]);
    await clock.advance(40);
    expect(outcomes).toEqual([true, true, false]);
    expect(clock.labels).toEqual([]);
  });
});

describe("a deferred promise", () => {
  test("resolves once", async () => {
    const deferred = defer();
    deferred.resolve();
    deferred.resolve();
    await deferred.promise;
  });
});
