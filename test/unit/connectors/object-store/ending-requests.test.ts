/** Requests to stores end with the query or the reader that they are for; what others wait for too goes on. */
import { describe, expect, it } from "vitest";
import { UploadStage } from "../../../../src/connectors/files/write/store/upload-stage.ts";
import { SharedWork, withGrace } from "../../../../src/connectors/shared/lifetime.ts";
import { BlockCache } from "../../../../src/connectors/shared/object-store/block-cache.ts";
import { ExpiringValue } from "../../../../src/connectors/shared/object-store/expiring.ts";
import { FileCache } from "../../../../src/connectors/shared/object-store/file-cache.ts";
import { openObjectStorage } from "../../../../src/connectors/shared/object-store/locations.ts";
import { type ObjectStore, partBytesMin } from "../../../../src/connectors/shared/object-store/object-store.ts";
import type { MemoryContext } from "../../../../src/memory/memory.ts";
import { type Lifetime, OpenLifetime, unending } from "../../../../src/ports/lifetime.ts";
import { type HttpRequest, type HttpResponse, NetworkError } from "../../../../src/ports/network.ts";
import type { Outbound } from "../../../../src/ports/outbound.ts";
import type { Log, Ports } from "../../../../src/ports/ports.ts";
import { ManualClock } from "../../../support/manual-clock.ts";
import { response } from "../../../support/stores/answered-store.ts";

const ended = { errorName: "USER_CANCELED" };

/** A store that answers when the test says so. */
class SilentStore {
  readonly clock = new ManualClock();
  readonly asked: string[] = [];
  /** Those under way. */
  readonly pending = new Map<string, (answer: HttpResponse) => void>();
  readonly #outbound: Pick<Outbound, "request" | "accessKeys"> = {
    request: ({ method, url }: HttpRequest, { onAbortable }) =>
      new Promise((resolve, reject) => {
        const name = `${method} ${new URL(url).pathname}`;
        this.asked.push(name);
        this.pending.set(name, (answer) => {
          this.pending.delete(name);
          resolve(answer);
        });
        onAbortable?.(() => {
          this.pending.delete(name);
          reject(new NetworkError("ABORTED", "aborted"));
        });
      }),
    accessKeys: () => Promise.resolve({ accessKey: "AK", secretKey: "SK" }),
  };
  readonly storage = openObjectStorage(
    "s3://bucket/",
    { "s3.max-connections": "1", "s3.endpoint": "http://store", "s3.path-style-access": "true" },
    {
      property: "files.directory",
      catalog: "c",
      ports: { clock: this.clock, outbound: this.#outbound, random: { stream: () => ({ nextInt: () => 50 }) } } as unknown as Ports,
    },
  );

  settle(): Promise<void> {
    return this.clock.advance(0);
  }
}

describe("a request ends with its query", () => {
  it("while it is under way, and gives its place to another", async () => {
    const store = new SilentStore();
    const life = new OpenLifetime();
    const first = store.storage.until(life).stat("a");
    const others = ["b", "c"].map((name, index) => store.storage.until(index === 0 ? life : unending).stat(name));
    await store.settle();
    expect(store.asked).toEqual(["HEAD /bucket/a"]);
    life.end();
    await expect(first).rejects.toMatchObject(ended);
    // The second one of the query waited for a place, and sends nothing.
    await expect(others[0]).rejects.toMatchObject(ended);
    await store.settle();
    expect([...store.pending.keys()]).toEqual(["HEAD /bucket/c"]);
    store.pending.get("HEAD /bucket/c")?.(response(200, "", { "content-length": "3", etag: '"1"' }));
    await expect(others[1]).resolves.toMatchObject({ sizeBytes: 3 });
  });

  it("in the pause before it is sent again", async () => {
    const store = new SilentStore();
    const life = new OpenLifetime();
    const found = store.storage.until(life).stat("a");
    await store.settle();
    store.pending.get("HEAD /bucket/a")?.(response(503));
    await store.settle();
    expect(store.clock.labels).toEqual(["object-store-retry"]);
    life.end();
    await expect(found).rejects.toMatchObject(ended);
    expect(store.clock.labels).toEqual([]);
    await store.clock.advance(60_000);
    expect(store.asked).toHaveLength(1);
    await expect(store.storage.until(life).list("")).rejects.toMatchObject(ended);
    expect(store.asked).toHaveLength(1);
  });

  it("unless it changes something: it is finished, not repeated, and has a limit", async () => {
    const store = new SilentStore();
    const life = new OpenLifetime();
    const put = (name: string): Promise<boolean | undefined> =>
      withGrace(life, { clock: store.clock, graceMs: 1000 }, async ({ changes }) =>
        store.storage.until(changes).writer?.put(name, new Uint8Array(1)),
      );
    const done = put("a");
    await store.settle();
    life.end();
    await store.settle();
    store.pending.get("PUT /bucket/a")?.(response(200));
    await expect(done).resolves.toBe(true);
    expect(store.clock.labels).toEqual([]);
    await expect(put("b")).rejects.toMatchObject(ended);
    expect(store.asked).toEqual(["PUT /bucket/a"]);
    const removed = withGrace(life, { clock: store.clock, graceMs: 1000 }, async ({ removal }) =>
      store.storage.until(removal).writer?.remove("a"),
    );
    await store.settle();
    expect([...store.pending.keys()]).toEqual(["DELETE /bucket/a"]);
    const refused = expect(removed).rejects.toMatchObject(ended);
    await store.clock.advance(1000);
    await refused;
    expect(store.pending.size).toBe(0);
  });
});

it("a sink that is aborted gives its upload up, and the part that is being sent", async () => {
  const store = new SilentStore();
  const memory = { reserve: () => undefined, release: () => undefined } as unknown as MemoryContext;
  const { storage, clock } = store;
  const stage = new UploadStage({ storage, grace: { clock, graceMs: 1000 }, folder: "t/w", token: "s", partBytes: 1, memory });
  const appended = stage.append("t/w/f", new Uint8Array(partBytesMin));
  await store.settle();
  const xml = "<InitiateMultipartUploadResult><UploadId>u</UploadId></InitiateMultipartUploadResult>";
  store.pending.get("POST /bucket/t/w/f")?.(response(200, xml));
  await store.settle();
  expect([...store.pending.keys()]).toEqual(["PUT /bucket/t/w/f"]);
  stage.stop();
  await expect(appended).rejects.toMatchObject(ended);
  const aborted = stage.abort();
  await store.settle();
  expect([...store.pending.keys()]).toEqual(["DELETE /bucket/t/w/f"]);
  store.pending.get("DELETE /bucket/t/w/f")?.(response(204));
  await aborted;
  expect(clock.labels).toEqual([]);
  await expect(stage.append("t/w/g", new Uint8Array(1))).rejects.toMatchObject(ended);
  expect(store.asked).toHaveLength(3);
});

/** A store whose reads end when the test resolves them, and that counts those under way. */
function countedStore(): { readonly store: ObjectStore; readonly reads: ((bytes: Uint8Array) => void)[]; running: number } {
  const counted = { store: undefined as unknown as ObjectStore, reads: [] as ((bytes: Uint8Array) => void)[], running: 0 };
  const of = (life: Lifetime): ObjectStore => ({
    until: of,
    list: () => Promise.reject(new Error("not asked for")),
    head: () => Promise.reject(new Error("not asked for")),
    get: () => {
      counted.running++;
      return new Promise<Uint8Array>((resolve, reject) => {
        counted.reads.push(resolve);
        life.onEnd(() => reject(new Error("given up")));
      }).finally(() => {
        counted.running--;
      });
    },
  });
  return Object.assign(counted, { store: of(unending) });
}

const object = { key: "f", sizeBytes: 100, version: "1" };
const range = { offset: 0, length: 100 };

describe("what several wait for", () => {
  const kinds = {
    "blocks of the memory": (store: ObjectStore) => {
      const cache = new BlockCache(store, 1_048_576);
      return (life: Lifetime) => cache.block(object, 0, life);
    },
    "pages of the disk cache": (store: ObjectStore) => {
      const clock = new ManualClock();
      const log = { warn: () => undefined } as unknown as Log;
      const options = { disks: [], pageBytes: 65_536, ttlMillis: 1, nodeId: "n", catalog: "c", clock, log };
      const cached = new (class extends FileCache {
        override over(inner: ObjectStore): ObjectStore {
          return super.over(inner, "place");
        }
      })({ ...options, disks: [{ storage: emptyDisk, bytesMax: 1_000_000 }] }).over(store);
      return (life: Lifetime) => cached.until(life).get(object, range);
    },
  };
  for (const [name, open] of Object.entries(kinds)) {
    it(`goes on until nobody is left: ${name}`, async () => {
      const counted = countedStore();
      const read = open(counted.store);
      const lives = [new OpenLifetime(), new OpenLifetime(), new OpenLifetime()] as const;
      const first = read(lives[0]);
      const second = read(lives[1]);
      await settled();
      expect(counted.reads).toHaveLength(1);
      lives[0].end();
      await expect(first).rejects.toMatchObject(ended);
      expect(counted.running).toBe(1);
      lives[1].end();
      await expect(second).rejects.toMatchObject(ended);
      await settled();
      expect(counted.running).toBe(0);
      // One that comes later begins anew.
      const third = read(lives[2]);
      await settled();
      counted.reads[1]?.(new Uint8Array(100).fill(7));
      expect(await third).toEqual(new Uint8Array(100).fill(7));
      expect(counted.reads).toHaveLength(2);
    });
  }

  it("goes on until nobody is left: tokens", async () => {
    const given: { readonly life: Lifetime; readonly give: (value: string) => void }[] = [];
    const ask = (life: Lifetime) =>
      new Promise<{ readonly value: string; readonly endsAtMillis: number }>((resolve, reject) => {
        life.onEnd(() => reject(new Error("given up")));
        given.push({ life, give: (value) => resolve({ value, endsAtMillis: Number.POSITIVE_INFINITY }) });
      });
    const token = new ExpiringValue(new ManualClock(), ask);
    const [first, second] = [new OpenLifetime(), new OpenLifetime()];
    const [left, stays] = [token.get(first), token.get(second)];
    first.end();
    await expect(left).rejects.toMatchObject(ended);
    expect(given[0]?.life.isOver).toBe(false);
    given[0]?.give("t");
    expect(await stays).toBe("t");
    expect(await token.get(unending)).toBe("t");
    expect(given).toHaveLength(1);
  });

  it("fails for all of them", async () => {
    const work = new SharedWork(() => Promise.reject(new Error("broken")));
    const lives = [unending, new OpenLifetime()];
    await Promise.all(lives.map((life) => expect(work.wait(life)).rejects.toThrow("broken")));
    expect(await new Promise((resolve) => work.onDone(resolve))).toBe(true);
    expect(work.isGivenUp).toBe(false);
  });
});

const emptyDisk = {
  list: () => Promise.resolve([]),
  stat: () => Promise.reject(new Error("empty")),
  read: () => Promise.reject(new Error("empty")),
  write: () => Promise.resolve(),
  append: () => Promise.resolve(),
  rename: () => Promise.resolve(),
  remove: () => Promise.resolve(),
  sync: () => Promise.resolve(),
};

async function settled(): Promise<void> {
  for (let turn = 0; turn < 50; turn++) {
    await Promise.resolve();
  }
}
