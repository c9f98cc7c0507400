/**
 * The cache of files of object stores on a simulated disk: whatever the disk does, a reader gets the bytes of the version that it asks for,
 * and the disk never holds more than the cache may.
 */
import fc from "fast-check";
import { expect, it } from "vitest";
import { epochMillis } from "../../../sim/world/clock.ts";
import { type AfterCrash, calmDisk, SimulatedDisk } from "../../../sim/world/disk.ts";
import { StreamTree } from "../../../sim/world/streams.ts";
import { Incarnation, nanosPerMs, World } from "../../../sim/world/world.ts";
import { FileCache } from "../../../src/connectors/shared/object-store/file-cache.ts";
import type { ObjectStore, StoredObject } from "../../../src/connectors/shared/object-store/object-store.ts";
import type { Clock } from "../../../src/ports/clock.ts";
import type { Log } from "../../../src/ports/ports.ts";
import { type Storage, StorageError } from "../../../src/ports/storage.ts";

const forever = { untilNanos: Number.MAX_SAFE_INTEGER, eventsMax: 1_000_000, done: (): boolean => false };
const pageBytes = 16_384;
const sizeBytes = 5 * pageBytes + 100;
const bytesMax = 120_000;

const random = Uint8Array.from({ length: 2 * sizeBytes }, (_, index) => (index * 2_654_435_761) >>> 24);

/** The bytes of a version of an object. */
function content(key: string, version: number): Uint8Array {
  const start = key.charCodeAt(0) * 31 + version;
  return random.subarray(start, start + sizeBytes);
}

class Rig {
  readonly world = new World({ streams: StreamTree.root("cache") });
  readonly disk = new SimulatedDisk(this.world, { stream: this.world.streams.stream("disk"), conditions: calmDisk });
  readonly versions = new Map<string, number>();
  readonly counts = { requests: 0, bytes: 0, heads: 0 };
  readonly failures: unknown[] = [];
  cache: FileCache;
  #store: ObjectStore;
  #lives = 0;

  constructor() {
    [this.cache, this.#store] = this.open("n");
  }

  open(nodeId: string): [FileCache, ObjectStore] {
    const storage: Storage = this.disk.open(new Incarnation(nodeId, this.#lives++));
    const clock = { wallMillis: () => epochMillis + Math.floor(this.world.nowNanos / nanosPerMs) } as Clock;
    const log = { warn: (_event: string, fields: unknown) => this.failures.push(fields) } as unknown as Log;
    const disks = [{ storage, bytesMax }];
    const cache = new FileCache({ disks, pageBytes, ttlMillis: 3_600_000, nodeId, catalog: "c", clock, log });
    return [cache, cache.over(this.#inner(), "http://store/bucket")];
  }

  #inner(): ObjectStore {
    const object = (key: string): StoredObject => ({ key, sizeBytes, version: String(this.versions.get(key) ?? 0) });
    return {
      until: () => this.#inner(),
      list: () => Promise.reject(new Error("not asked for")),
      head: async (key) => {
        this.counts.heads++;
        return object(key);
      },
      get: async ({ key, version }, { offset, length }) => {
        this.counts.requests++;
        this.counts.bytes += length;
        if (version !== "" && version !== object(key).version) {
          throw new StorageError("CHANGED", key, "changed");
        }
        return content(key, this.versions.get(key) ?? 0).slice(offset, offset + length);
      },
    };
  }

  restart(after: AfterCrash, nodeId = "n"): void {
    this.cache.close();
    this.disk.crash(after);
    [this.cache, this.#store] = this.open(nodeId);
  }

  async later(millis: number): Promise<void> {
    const at = this.world.nowNanos + millis * nanosPerMs;
    await this.done(new Promise<void>((resolve) => this.world.on(new Incarnation("t", 1), at, "later", resolve)));
  }

  /** Reads a range of the object as it is now, or as a reader without a version finds it. */
  async read(key: string, offset: number, length: number, isVersionKnown = true, store = this.#store): Promise<void> {
    const version = this.versions.get(key) ?? 0;
    const object = { key, sizeBytes, version: isVersionKnown ? String(version) : "" };
    const bytes = await this.done(store.get(object, { offset, length }));
    expect(Buffer.compare(bytes, content(key, version).subarray(offset, offset + length))).toBe(0);
  }

  async settle(): Promise<void> {
    await this.done(this.cache.settled());
    const onDisk = this.disk.paths().reduce((sum, path) => sum + (this.disk.content(path)?.length ?? 0), 0);
    expect(onDisk).toBeLessThanOrEqual(bytesMax);
  }

  async done<T>(work: Promise<T>): Promise<T> {
    let settled = false;
    const watched = work.finally(() => {
      settled = true;
    });
    watched.catch(() => undefined);
    while (!settled) {
      await this.world.run(forever);
      await new Promise((resolve) => setImmediate(resolve));
    }
    return watched;
  }
}

it("asks the store once for what it has, also after a restart, and not for another version", async () => {
  const rig = new Rig();
  await rig.read("a", 10, 2 * pageBytes);
  expect(rig.counts).toEqual({ requests: 1, bytes: 3 * pageBytes, heads: 0 });
  await rig.settle();
  await rig.read("a", 5, 3 * pageBytes - 5);
  rig.restart("kept");
  await rig.read("a", 0, pageBytes);
  // A hole is fetched alone, and the last page is short.
  await rig.read("a", 4 * pageBytes, pageBytes + 100);
  await rig.settle();
  await rig.read("a", 0, sizeBytes);
  expect(rig.counts).toEqual({ requests: 3, bytes: sizeBytes, heads: 0 });
  // A reader that knows no version asks for it, once.
  await rig.read("a", 0, sizeBytes, false);
  expect(rig.counts).toEqual({ requests: 3, bytes: sizeBytes, heads: 1 });
  rig.versions.set("a", 1);
  await rig.read("a", 0, sizeBytes);
  await rig.read("a", 0, 10, false);
  expect(rig.counts).toEqual({ requests: 4, bytes: 2 * sizeBytes, heads: 2 });
  await rig.settle();
  // The pages of the version before were removed, as there is no room for both.
  expect(rig.cache.measures()).toMatchObject({ failures: 0, evictions: 5, heldBytes: 5 * (pageBytes + 16) + 2 * 16_384 });
  expect(rig.disk.paths().join()).not.toContain("store");
});

it("removes what is older than its time, and what a crash has left without its name", async () => {
  const rig = new Rig();
  await rig.read("a", 0, pageBytes);
  await rig.settle();
  const [path = ""] = rig.disk.paths();
  await rig.done(rig.disk.open(new Incarnation("o", 100)).write(`${path}.o`, random.slice(0, 10)));
  await rig.later(3_599_000);
  rig.restart("kept", "m");
  await rig.read("a", 0, pageBytes);
  await rig.settle();
  expect([rig.counts.requests, rig.disk.paths()]).toEqual([1, [path, `${path}.o`]]);
  await rig.later(2000);
  await rig.read("a", 0, pageBytes);
  await rig.settle();
  expect(rig.counts.requests).toBe(2);
  rig.restart("kept");
  await rig.read("a", 0, pageBytes);
  await rig.settle();
  expect([rig.counts.requests, rig.disk.paths()]).toEqual([2, [path]]);
});

it("gives a page to other nodes of the machine", async () => {
  const rig = new Rig();
  await rig.read("a", 0, pageBytes);
  await rig.settle();
  const other = rig.open("m");
  await rig.read("a", 0, pageBytes, true, other[1]);
  await rig.read("b", 0, pageBytes, true, other[1]);
  await rig.done(other[0].settled());
  await rig.read("b", 0, pageBytes);
  expect(rig.counts.requests).toBe(2);
  // One that is gone is fetched again, and is no failure.
  await rig.done(rig.disk.open(new Incarnation("o", 100)).remove("c"));
  await rig.read("a", 0, pageBytes);
  expect([rig.counts.requests, rig.failures]).toEqual([3, []]);
});

it("gives the bytes of the version, whatever the disk does, and stays within its bound", async () => {
  const read = fc.record({
    key: fc.constantFrom("a", "b", "c"),
    offset: fc.nat(sizeBytes - 1),
    length: fc.integer({ min: 1, max: sizeBytes }),
  });
  const step = fc.oneof(
    { weight: 8, arbitrary: read },
    fc.constantFrom<AfterCrash>("kept", "torn", "synced", "wiped"),
    fc.record({
      errorPercent: fc.constantFrom(0, 30, 100),
      corruptPercent: fc.constantFrom(0, 30),
      bytesMax: fc.constantFrom(2 ** 32, 40_000),
    }),
    fc.constantFrom("change", "later"),
  );
  let hits = 0;
  let failures = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
      const rig = new Rig();
      for (const one of steps) {
        if (typeof one === "object" && "key" in one) {
          await rig.read(one.key, one.offset, Math.min(one.length, sizeBytes - one.offset), one.length % 5 !== 0);
        } else if (typeof one === "object") {
          rig.disk.conditions.change(() => ({ ...calmDisk, ...one }));
        } else if (one === "change") {
          rig.versions.set("a", (rig.versions.get("a") ?? 0) + 1);
        } else if (one === "later") {
          await rig.later(1_000_000);
        } else {
          await rig.done(rig.cache.settled());
          rig.restart(one);
        }
        await rig.settle();
      }
      hits += rig.cache.measures().hits;
      failures += rig.cache.measures().failures;
    }),
    { numRuns: 60, seed: 7, endOnFailure: true },
  );
  expect(hits).toBeGreaterThan(100);
  expect(failures).toBeGreaterThan(20);
});
