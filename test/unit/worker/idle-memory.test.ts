import { describe, expect, it } from "vitest";
import { knobs } from "../../../src/ports/knobs.ts";
import { IdleMemory } from "../../../src/worker/idle-memory.ts";
import { ManualClock } from "../../support/manual-clock.ts";

const wasteBytesMin = knobs["idle-memory-bytes"].default;
const delayMs = 10_000;

class World {
  readonly clock = new ManualClock();
  isIdle = true;
  residentBytes = 0;
  usedBytes = 0;
  renewals = 0;
  told = 0;
  garbageBytes = 0;
  collections = 0;
  readonly memory = new IdleMemory({
    clock: this.clock,
    delayMs,
    wasteBytesMin,
    memory: this as unknown as ConstructorParameters<typeof IdleMemory>[0]["memory"],
    isIdle: () => this.isIdle,
    onRenewed: () => this.told++,
    garbageBytes: () => this.garbageBytes,
    collect: () => {
      this.collections++;
      this.garbageBytes = 0;
    },
  });

  renew(): void {
    this.renewals++;
    this.residentBytes = this.usedBytes;
  }
}

describe("memory of an idle node", () => {
  it("goes back once nothing has ended for a while", async () => {
    const world = new World();
    world.residentBytes = wasteBytesMin;
    world.memory.workEnded();
    await world.clock.advance(delayMs - 1);
    expect(world.renewals).toBe(0);
    await world.clock.advance(1);
    expect([world.renewals, world.told, world.collections, world.clock.labels]).toEqual([1, 1, 1, []]);
  });

  it("is not all: garbage beside it is collected once, by a node that computes nothing itself too", async () => {
    const world = new World();
    world.garbageBytes = wasteBytesMin / 4 - 1;
    world.memory.workEnded();
    expect(world.clock.labels).toEqual([]);
    world.garbageBytes = wasteBytesMin / 4;
    world.memory.workEnded();
    // A query that runs meanwhile would wait for the collector.
    world.isIdle = false;
    await world.clock.advance(delayMs);
    expect(world.collections).toBe(0);
    world.isIdle = true;
    world.memory.workEnded();
    await world.clock.advance(delayMs);
    world.memory.workEnded();
    await world.clock.advance(delayMs);
    expect([world.renewals, world.told, world.collections]).toEqual([0, 0, 1]);
  });

  it("goes back on time if work ended after the timer was set", async () => {
    const world = new World();
    world.residentBytes = wasteBytesMin;
    world.memory.workEnded();
    await world.clock.advance(delayMs / 10);
    world.memory.workEnded();
    await world.clock.advance(delayMs - 1);
    expect(world.renewals).toBe(0);
    await world.clock.advance(1);
    expect(world.renewals).toBe(1);
  });

  it("is used by what comes next, as long as something comes", async () => {
    const world = new World();
    world.residentBytes = wasteBytesMin;
    for (let round = 0; round < 20; round++) {
      world.memory.workEnded();
      await world.clock.advance(delayMs / 2);
    }
    expect(world.renewals).toBe(0);
    await world.clock.advance(2 * delayMs);
    expect(world.renewals).toBe(1);
  });

  it("stays while a query has some of it", async () => {
    const world = new World();
    world.residentBytes = wasteBytesMin;
    world.memory.workEnded();
    world.isIdle = false;
    await world.clock.advance(10 * delayMs);
    expect([world.renewals, world.clock.labels]).toEqual([0, []]);
    world.isIdle = true;
    world.memory.workEnded();
    await world.clock.advance(delayMs);
    expect(world.renewals).toBe(1);
  });

  it("stays where little would be won, or as much would be copied", async () => {
    for (const [residentBytes, usedBytes, renewals] of [
      [wasteBytesMin - 1, 0, 0],
      [wasteBytesMin + 100, 101, 0],
      [3 * wasteBytesMin, 1.6 * wasteBytesMin, 0],
      [3 * wasteBytesMin, 1.5 * wasteBytesMin, 1],
    ] as const) {
      const world = new World();
      Object.assign(world, { residentBytes, usedBytes });
      world.memory.workEnded();
      expect(world.clock.labels).toEqual(renewals === 0 ? [] : ["memory-return"]);
      await world.clock.advance(delayMs);
      expect(world.renewals).toBe(renewals);
    }
  });

  it("leaves no timer behind when the node closes", async () => {
    const world = new World();
    world.residentBytes = wasteBytesMin;
    world.memory.workEnded();
    world.memory.close();
    world.memory.workEnded();
    expect(world.clock.labels).toEqual([]);
    await world.clock.advance(delayMs);
    expect(world.renewals).toBe(0);
  });
});
