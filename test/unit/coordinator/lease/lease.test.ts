/** The lease of a directory: one owner at a time, whose clocks have nothing in common but about their speed. */
import { describe, expect, it } from "vitest";
import type { MonotonicNanos } from "../../../../src/ports/clock.ts";
import { Lease } from "../../../../src/coordinator/lease/lease.ts";
import { leasedStorage } from "../../../../src/coordinator/lease/leased-storage.ts";
import { StorageError } from "../../../../src/ports/storage.ts";
import { MemoryStorage } from "../../../../src/testing/memory-storage.ts";
import { ManualClock, settle } from "../../../support/manual-clock.ts";

const durationMs = 10_000;

/** A disk whose next changes, of paths with this end, wait until the test lets them go. */
class SlowStorage extends MemoryStorage {
  #gate: Promise<void> = Promise.resolve();
  #end = "";
  fails = false;

  hold(end: string): () => void {
    this.#end = end;
    let open: () => void = () => undefined;
    this.#gate = new Promise((resolve) => {
      open = resolve;
    });
    return open;
  }

  override async write(path: string, bytes: Uint8Array): Promise<void> {
    await this.#pass(path);
    return super.write(path, bytes);
  }

  override async append(path: string, bytes: Uint8Array): Promise<void> {
    await this.#pass(path);
    return super.append(path, bytes);
  }

  async #pass(path: string): Promise<void> {
    await (path.endsWith(this.#end) ? this.#gate : undefined);
    if (this.fails) {
      throw new StorageError("IO", path, "input/output error");
    }
  }
}

/** The clock of a process that can be stopped: time passes without its timers. */
class StoppableClock extends ManualClock {
  #stoppedNanos = 0;

  stop(ms: number): void {
    this.#stoppedNanos += ms * 1e6;
  }

  override monotonicNanos(): MonotonicNanos {
    return (super.monotonicNanos() + this.#stoppedNanos) as MonotonicNanos;
  }
}

class Coordinator {
  readonly clock = new StoppableClock();
  readonly events: string[] = [];
  readonly lease: Lease;

  constructor(
    readonly storage: MemoryStorage,
    incarnation: string,
  ) {
    const note = (event: string): void => void this.events.push(event);
    const log = { info: note, warn: note, error: note };
    const owner = { nodeId: "c", incarnation, uri: `http://${incarnation}`, process: "" };
    this.lease = new Lease({ clock: this.clock, log, storage, durationMs, owner: () => owner });
    void this.lease.acquire({ onAcquired: () => note("began"), onLost: () => note("told") });
  }

  get says(): readonly string[] {
    return this.events.filter((event) => event !== "coordinator-stands-by");
  }
}

/** Time passes for all of them. */
async function pass(ms: number, ...coordinators: readonly Coordinator[]): Promise<void> {
  for (let passed = 0; passed < ms; passed += 500) {
    for (const { clock } of coordinators) {
      await clock.advance(500);
    }
  }
}

describe("the lease", () => {
  it("goes to the first, and to the second once the first has not renewed it for a whole lease", async () => {
    const disk = new MemoryStorage();
    const first = new Coordinator(disk, "a");
    await settle();
    expect([first.lease.isHeld, first.lease.epoch]).toEqual([true, 1]);
    const second = new Coordinator(disk, "b");
    await pass(60_000, first, second);
    expect([first.lease.isHeld, second.lease.isHeld]).toEqual([true, false]);
    // The first process is stopped.
    await pass(9_000, second);
    expect(second.lease.isHeld).toBe(false);
    await pass(4_000, second);
    expect([second.lease.isHeld, second.lease.epoch]).toEqual([true, 2]);
    // It goes on, and finds out before it does anything.
    first.clock.stop(13_000);
    expect(first.lease.isHeld).toBe(false);
    expect(await first.lease.held()).toBe(false);
    expect(first.says).toEqual(["lease-acquired", "began", "lease-lost", "told"]);
    expect([...disk.files.keys()].filter((path) => path.startsWith("0000000001"))).toEqual([]);
  });

  it("is lost with the next renewal if the machine was suspended, and its clock with it", async () => {
    const disk = new MemoryStorage();
    const first = new Coordinator(disk, "a");
    await settle();
    const second = new Coordinator(disk, "b");
    await pass(15_000, second);
    expect(second.lease.isHeld).toBe(true);
    await first.clock.advance(2_500);
    expect(first.says.at(-1)).toBe("told");
  });

  it("stays with an owner that was stopped for long if nobody wanted it, and those who wait begin to count anew", async () => {
    const disk = new MemoryStorage();
    const first = new Coordinator(disk, "a");
    await settle();
    first.clock.stop(3_600_000);
    expect(await first.lease.held()).toBe(true);
    expect(first.lease.epoch).toBe(1);
    const second = new Coordinator(disk, "b");
    await pass(9_000, second);
    first.clock.stop(20_000);
    expect(await first.lease.held()).toBe(true);
    await pass(9_000, second);
    expect(second.lease.isHeld).toBe(false);
  });

  it("is trusted for less than a lease from the moment at which its renewal began", async () => {
    const disk = new SlowStorage();
    const first = new Coordinator(disk, "a");
    await settle();
    const go = disk.hold("renewals");
    await first.clock.advance(5_900);
    expect(first.lease.isHeld).toBe(true);
    await first.clock.advance(200);
    expect(first.lease.isHeld).toBe(false);
    // The renewal that began in time is written too late: only a new epoch is certain.
    go();
    expect(await first.lease.held()).toBe(true);
    expect([...disk.files.keys()].filter((path) => path.endsWith("owner"))).toEqual(["0000000002/owner"]);
  });

  it("is not lost by a disk that fails, but nothing is certain meanwhile", async () => {
    const disk = new SlowStorage();
    const first = new Coordinator(disk, "a");
    await settle();
    disk.fails = true;
    await first.clock.advance(30_000);
    expect(await first.lease.held()).toBe(false);
    disk.fails = false;
    expect(await first.lease.held()).toBe(true);
    expect(first.says).not.toContain("lease-lost");
  });

  it("is given back at an orderly end, and goes to one of those who wait", async () => {
    const disk = new MemoryStorage();
    const first = new Coordinator(disk, "a");
    await settle();
    const others = [new Coordinator(disk, "b"), new Coordinator(disk, "c")];
    await pass(2_000, first, ...others);
    await first.lease.close();
    await pass(2_000, ...others);
    expect(others.filter(({ lease }) => lease.isHeld)).toHaveLength(1);
    const gaveUp = new Coordinator(disk, "d");
    await gaveUp.lease.close();
    expect(await gaveUp.lease.acquired).toBe(false);
  });
});

describe("the directory", () => {
  it("is neither read nor written before the lease is held", async () => {
    const disk = new MemoryStorage();
    const first = new Coordinator(disk, "a");
    await settle();
    const second = new Coordinator(disk, "b");
    const storage = leasedStorage(disk, second.lease);
    const done: string[] = [];
    void storage.list("").then(() => done.push("list"));
    void storage.append("x", new Uint8Array(1)).then(() => done.push("append"));
    await pass(9_000, first, second);
    expect([done, disk.files.has("x")]).toEqual([[], false]);
    await first.lease.close();
    await pass(2_000, second);
    expect([done, disk.files.has("x")]).toEqual([["list", "append"], true]);
    expect(storage.epoch).toBe(2);
  });

  it("does not confirm what an owner has written that was stopped meanwhile and replaced", async () => {
    const disk = new SlowStorage();
    const first = new Coordinator(disk, "a");
    await settle();
    const second = new Coordinator(disk, "b");
    await pass(1_000, first, second);
    const storage = leasedStorage(disk, first.lease);
    const go = disk.hold("x");
    const late = storage.append("x", new Uint8Array(1));
    await settle();
    await pass(15_000, second);
    expect(second.lease.isHeld).toBe(true);
    first.clock.stop(15_000);
    go();
    await expect(late).rejects.toThrow("another coordinator owns the directory");
    await expect(storage.append("y", new Uint8Array(1))).rejects.toThrow(StorageError);
    expect(disk.files.has("y")).toBe(false);
  });
});
