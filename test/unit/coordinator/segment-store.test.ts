import { describe, expect, test } from "vitest";
import { SegmentStore, type SegmentName } from "../../../src/coordinator/results/spooling/segment-store.ts";
import { encodingOf, SpooledRows, type SpoolingLimits } from "../../../src/coordinator/results/spooling/spooled-rows.ts";
import { StorageError } from "../../../src/ports/storage.ts";
import { decodeUtf8, encodeUtf8 } from "../../../src/types/utf8.ts";
import { ManualClock, settle } from "../../support/manual-clock.ts";
import { MemoryStorage } from "../../../src/testing/memory-storage.ts";

/** A disk whose behavior the test controls. */
class Disk extends MemoryStorage {
  onWrite: () => Promise<void> = () => Promise.resolve();
  onRead: (bytes: Uint8Array) => Uint8Array = (bytes) => bytes;

  override async write(path: string, bytes: Uint8Array): Promise<void> {
    await this.onWrite();
    await super.write(path, bytes);
  }

  override async read(path: string, offset: number, length: number): Promise<Uint8Array> {
    return this.onRead(await super.read(path, offset, length));
  }
}

class World {
  readonly clock = new ManualClock();
  readonly storage = new Disk();
  readonly warnings: string[] = [];
  readonly store: SegmentStore;

  constructor(bytesMax = 100, ttlMs = 60_000) {
    const log = { info: () => undefined, warn: (event: string) => this.warnings.push(event), error: () => undefined };
    let names = 0;
    const random = { stream: () => ({ nextInt: () => 0, nextText: (length: number) => (names++).toString(16).padStart(length, "0") }) };
    this.store = new SegmentStore({ clock: this.clock, random, log, storage: this.storage, bytesMax, ttlMs });
  }

  async put(text: string, queryId = "q"): Promise<SegmentName> {
    const name = await this.store.put(queryId, encodeUtf8(text));
    if (name === undefined) {
      throw new Error("no room");
    }
    return name;
  }

  async text(id: string): Promise<string | undefined> {
    const bytes = await this.store.read(id);
    return bytes === undefined ? undefined : decodeUtf8(bytes);
  }
}

describe("segments that wait for their clients", () => {
  test("are there until they are acknowledged, under names of their own", async () => {
    const world = new World();
    const [one, two] = [await world.put("one"), await world.put("two")];
    expect([await world.text(one.id), await world.text(two.id), await world.text(one.id)]).toEqual(["one", "two", "one"]);
    expect(one.id).toMatch(/^[0-9a-f]{32}$/);
    world.store.acknowledge(one.id);
    world.store.acknowledge(one.id);
    world.store.acknowledge("nobody");
    await settle();
    expect([await world.text(one.id), await world.text(two.id)]).toEqual([undefined, "two"]);
    expect([...world.storage.files.keys()]).toEqual([two.id]);
    world.store.acknowledge(two.id);
    expect([world.store.byteCount, world.clock.labels]).toEqual([0, []]);
  });

  test("expire one after the other, by one timer", async () => {
    const world = new World();
    const one = await world.put("one");
    expect(one.expiresMillis).toBe(world.clock.wallMillis() + 60_000);
    await world.clock.advance(20_000);
    const two = await world.put("two");
    expect(world.clock.labels).toEqual(["segment-expiry"]);
    await world.clock.advance(40_000);
    expect([await world.text(one.id), await world.text(two.id)]).toEqual([undefined, "two"]);
    await world.clock.advance(20_000);
    expect([await world.text(two.id), world.store.byteCount, world.clock.labels, world.storage.files.size]).toEqual([undefined, 0, [], 0]);
  });

  test("keep within their bound, also while they are written", async () => {
    const world = new World(10);
    let written = (): void => undefined;
    world.storage.onWrite = () => new Promise((resolve) => (written = resolve));
    const first = world.store.put("q", new Uint8Array(6));
    expect(await world.store.put("q", new Uint8Array(5))).toBeUndefined();
    written();
    world.store.acknowledge((await first)?.id ?? "");
    world.storage.onWrite = () => Promise.resolve();
    expect(await world.store.put("q", new Uint8Array(10))).toBeDefined();
    expect(await world.store.put("q", new Uint8Array(1))).toBeUndefined();
  });

  test("are dropped with their query, even if they are being written", async () => {
    const world = new World();
    const [one, other] = [await world.put("one"), await world.put("other", "r")];
    let written = (): void => undefined;
    world.storage.onWrite = () => new Promise((resolve) => (written = resolve));
    const late = world.store.put("q", encodeUtf8("late"));
    world.store.dropQuery("q");
    written();
    await late;
    await settle();
    expect([await world.text(one.id), await world.text(other.id)]).toEqual([undefined, "other"]);
    expect([...world.storage.files.keys()]).toEqual([other.id]);
    world.store.close();
    await settle();
    expect([world.store.byteCount, world.clock.labels, world.storage.files.size]).toEqual([0, [], 0]);
    expect(await world.store.put("q", new Uint8Array(1))).toBeUndefined();
  });

  test("a disk that is full leaves nothing behind", async () => {
    const world = new World();
    world.storage.onWrite = () => Promise.reject(new StorageError("NO_SPACE", "x", "no space"));
    expect(await world.store.put("q", encodeUtf8("one"))).toBeUndefined();
    await settle();
    expect([world.store.byteCount, world.clock.labels, world.warnings]).toEqual([0, [], ["segment-not-written"]]);
  });

  test("what a disk gives wrongly is read again, and never handed on", async () => {
    const world = new World();
    const { id } = await world.put("one");
    let wrong = 2;
    world.storage.onRead = (bytes) => (wrong-- > 0 ? bytes.map((byte) => byte ^ 1) : bytes);
    expect(await world.text(id)).toBe("one");
    world.storage.onRead = (bytes) => bytes.subarray(1);
    await expect(world.store.read(id)).rejects.toThrow("other bytes");
    world.storage.onRead = () => {
      throw new StorageError("IO", id, "broken");
    };
    await expect(world.store.read(id)).rejects.toThrow("broken");
    expect(world.warnings).toEqual(["segment-not-read", "segment-not-read"]);
  });
});

describe("rows as segments", () => {
  const limits: SpoolingLimits = { segmentBytesMax: 8, inlineBytesMax: 12, inlineRowsMax: 2 };
  const rowsOf = (...texts: readonly string[]) => {
    const left = [...texts];
    return () => {
      const text = left.shift();
      return text === undefined ? undefined : { json: encodeUtf8(text), rowCount: (JSON.parse(text) as unknown[]).length };
    };
  };

  test("go into the answer when they are few, elsewhere when they are many, and into the answer where there is no room", async () => {
    const { store } = new World(30);
    const rows = new SpooledRows({ store, limits }, { id: "q", encoding: "json" });
    const at = { baseUri: "http://c" };
    expect((await rows.data(rowsOf("[[1],[2]]"), at))?.segments).toEqual([
      { type: "inline", data: btoa("[[1],[2]]"), metadata: { rowOffset: 0, rowsCount: 2, segmentSize: 9 } },
    ]);
    const many = await rows.data(rowsOf("[[1],[2],[3]]", '[["long enough"]]', "[[5],[6],[7]]", "[[8]]"), at);
    expect(many?.segments.map(({ type, metadata }) => [type, metadata.rowOffset, metadata.rowsCount])).toEqual([
      ["spooled", 2, 3],
      ["spooled", 5, 1],
      ["inline", 6, 3],
    ]);
    expect(await rows.data(rowsOf(), at)).toBeUndefined();
  });

  test("take the client's first encoding that the coordinator has", () => {
    const { store } = new World();
    expect(encodingOf(["json+zstd", "json+lz4", "json"], { store, limits })).toBe("json+lz4");
    expect(encodingOf(["json+zstd", "json+lz4"], { store, limits, compressZstd: (bytes) => bytes })).toBe("json+zstd");
    expect(encodingOf(["arrow", "json+zstd"], { store, limits })).toBeUndefined();
    expect(encodingOf([], { store, limits })).toBeUndefined();
  });

  test("are compressed where that makes them smaller", async () => {
    const { store } = new World();
    const wide = { segmentBytesMax: 1e6, inlineBytesMax: 1e6, inlineRowsMax: 1e6 };
    const repeated = JSON.stringify(Array.from({ length: 300 }, () => ["the same again"]));
    const asked: number[] = [];
    const compressZstd = (bytes: Uint8Array): Uint8Array => {
      asked.push(bytes.length);
      return bytes.slice(0, 10);
    };
    const rows = new SpooledRows({ store, limits: wide, compressZstd }, { id: "q", encoding: "json+zstd" });
    const [segment] = (await rows.data(rowsOf(repeated), { baseUri: "" }))?.segments ?? [];
    expect(segment?.metadata).toEqual({ rowOffset: 0, rowsCount: 300, segmentSize: 10, uncompressedSize: repeated.length });
    const larger = new SpooledRows({ store, limits: wide, compressZstd: (bytes) => bytes }, { id: "q", encoding: "json+zstd" });
    expect((await larger.data(rowsOf(repeated), { baseUri: "" }))?.segments[0]?.metadata.uncompressedSize).toBeUndefined();
    expect(asked).toEqual([repeated.length]);
  });
});
