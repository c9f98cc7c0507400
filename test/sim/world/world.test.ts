/**
 * The simulated world: the queue's order, independent random streams, message fates, disks that lose unsynced data, clocks that drift.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SimulatedClock } from "../../../sim/world/clock.ts";
import { calmDisk, SimulatedDisk } from "../../../sim/world/disk.ts";
import { EventQueue } from "../../../sim/world/event-queue.ts";
import { Fingerprint } from "../../../sim/world/fingerprint.ts";
import { calmLink, type LinkConditions } from "../../../sim/world/fates.ts";
import { SimulatedNetwork } from "../../../sim/world/network.ts";
import { StreamTree } from "../../../sim/world/streams.ts";
import { Incarnation, nanosPerMs, World } from "../../../sim/world/world.ts";
import { type HttpResponse, NetworkError } from "../../../src/ports/network.ts";
import { StorageError } from "../../../src/ports/storage.ts";

const encoder = new TextEncoder();
const forever = { untilNanos: Number.MAX_SAFE_INTEGER, eventsMax: 100_000, done: (): boolean => false };

function newWorld(seed = "kernel"): World {
  return new World({ streams: StreamTree.root(seed) });
}

describe("event queue", () => {
  it("gives events by time, and those of one time in the order they were added; cancelled ones never", () => {
    fc.assert(
      fc.property(fc.array(fc.record({ atNanos: fc.nat(20), cancelled: fc.boolean() }), { maxLength: 200 }), (wanted) => {
        const queue = new EventQueue();
        const added = wanted.map(({ atNanos, cancelled }) => {
          const event = queue.add({ atNanos, label: "", place: "", parent: 0, run: () => undefined });
          event.cancelled = cancelled;
          return event;
        });
        const expected = added.filter((event) => !event.cancelled).sort((a, b) => a.atNanos - b.atNanos || a.sequence - b.sequence);
        const taken = [];
        for (let event = queue.take(); event !== undefined; event = queue.take()) {
          taken.push(event);
        }
        expect(taken).toEqual(expected);
      }),
    );
  });
});

describe("streams", () => {
  it("are the same for the same path, whatever else is drawn meanwhile", () => {
    fc.assert(
      fc.property(fc.string(), fc.array(fc.constantFrom("a", "b/c", "b")), (seed, others) => {
        const alone = StreamTree.root(seed).child("x").stream("site");
        const tree = StreamTree.root(seed);
        const among = tree.child("x").stream("site");
        for (const other of others) {
          tree.stream(other).nextInt(7);
          expect(among.nextInt(1_000_000)).toBe(alone.nextInt(1_000_000));
        }
      }),
    );
  });

  it("stay within their bounds, and a ratio of zero takes a draw like any other", () => {
    fc.assert(
      fc.property(fc.string(), fc.integer({ min: -1e9, max: 1e9 }), fc.nat(1e12), (seed, low, span) => {
        const stream = StreamTree.root(seed).stream("s");
        const drawn = stream.between(low, low + span);
        expect(drawn).toBeGreaterThanOrEqual(low);
        expect(drawn).toBeLessThanOrEqual(low + span);
        const twin = StreamTree.root(seed).stream("s");
        twin.between(low, low + span);
        expect(stream.chance(0, 10)).toBe(false);
        twin.chance(10, 10);
        expect(stream.nextInt(2 ** 32)).toBe(twin.nextInt(2 ** 32));
      }),
    );
  });
});

describe("draws", () => {
  it("are told with site, reason, bounds and value while somebody listens, and are the same when nobody does", () => {
    const draw = (tree: StreamTree): readonly unknown[] => {
      const stream = tree.child("node/w1").stream("ids");
      const dice = tree.named("net").of("c>w1 status #1 request");
      return [
        stream.nextInt(10, "slot"),
        stream.nextText(4, "ab", "name"),
        stream.between(-5, 5, "offset"),
        stream.pick(["x", "y"], "which"),
        stream.pick([{}, {}], "which thing"),
        stream.shuffle([1, 2, 3], "order"),
        dice.chance(1, 2, "lost"),
      ];
    };
    const told: string[] = [];
    const tree = StreamTree.root("draws");
    tree.onDraw = ({ site, reason, of, value }) => told.push(`${site} | ${reason} | ${of} | ${value}`);
    const values = draw(tree);
    expect(draw(StreamTree.root("draws"))).toEqual(values);
    const [slot, name, offset, which, , order, lost] = values;
    expect(told).toEqual([
      `node/w1/ids | slot | 0..9 | ${String(slot)}`,
      `node/w1/ids | name | 4 letters | ${String(name)}`,
      `node/w1/ids | offset | -5..5 | ${String(offset)}`,
      `node/w1/ids | which | 2 things | ${String(which)}`,
      expect.stringMatching(/^node\/w1\/ids \| which thing \| 2 things \| #[01]$/),
      `node/w1/ids | order | 3 things | ${String(order)}`,
      `net c>w1 status #1 request | lost | 1 in 2 | ${lost === true ? "yes" : "no"}`,
    ]);
  });
});

describe("a world", () => {
  it("ends with the first failure, after the event in which it happened is over, also when that was the last one wanted", async () => {
    const world = newWorld();
    const seen: string[] = [];
    world.at(1, "throws", () => {
      void Promise.resolve().then(() => seen.push("its promises ran"));
      throw new Error("first");
    });
    world.at(2, "never", () => seen.push("never"));
    await expect(world.run(forever)).rejects.toThrow("first");
    expect(seen).toEqual(["its promises ran"]);
    const other = newWorld();
    other.at(1, "fails silently", () => {
      other.failure = new Error("told late");
    });
    await expect(other.run({ ...forever, done: () => other.events === 1 })).rejects.toThrow("told late");
  });
});

describe("lives", () => {
  it("wait while they are paused or compute, and nothing happens after their end", async () => {
    const world = newWorld();
    const incarnation = new Incarnation("w1", 1);
    const seen: string[] = [];
    const note = (name: string) => (): void => {
      seen.push(`${name} at ${world.nowNanos}`);
    };
    incarnation.pausedUntilNanos = 50;
    world.on(incarnation, 10, "early", note("early"));
    world.on(incarnation, 60, "later", note("later"));
    world.on(incarnation, 90, "too late", note("too late"));
    world.at(30, "world", note("the world goes on"));
    world.at(70, "end", () => world.endIncarnation(incarnation));
    await world.run(forever);
    expect(seen).toEqual(["the world goes on at 30", "early at 50", "later at 60"]);
  });

  it("have clocks of their own: offset, steps and drift, and time that passes while they work", async () => {
    const world = newWorld();
    const incarnation = new Incarnation("w1", 1);
    let offsetMs = 1_000;
    const clock = new SimulatedClock(world, incarnation, {
      offsetMs: () => offsetMs,
      driftPpm: () => 1_000_000,
      nanosPerWorkUnit: 2_000,
      slowness: () => 3,
    });
    const before: number = clock.wallMillis();
    const fired: number[] = [];
    // The clock runs twice as fast: ten of its milliseconds are five.
    clock.timer("t", 10, () => fired.push(world.nowNanos / nanosPerMs));
    await world.run(forever);
    expect(fired).toEqual([5]);
    offsetMs += 500;
    expect(clock.wallMillis() - before).toBe(10 + 500);
    void clock.turn(1_000);
    await world.run(forever);
    expect(clock.cpuNanos(0)).toBe(6_000_000);
  });
});

describe("disks", () => {
  it("note changes of one path that overlap, and no others", async () => {
    const overlaps = async (act: (storage: ReturnType<SimulatedDisk["open"]>) => void): Promise<readonly string[]> => {
      const world = newWorld();
      const noted: string[] = [];
      world.watcher = (place, kind, detail) => noted.push(`${place} ${kind} ${detail}`);
      act(new SimulatedDisk(world, { stream: world.streams.stream("disk"), conditions: calmDisk }).open(new Incarnation("w1", 1)));
      await world.run(forever);
      return noted.filter((text) => text.includes("disk-overlap"));
    };
    const bytes = Uint8Array.of(1);
    expect(await overlaps((storage) => void storage.append("a", bytes).then(() => storage.sync("a")))).toEqual([]);
    expect(await overlaps((storage) => void [storage.append("a", bytes), storage.append("b", bytes), storage.list("")])).toEqual([]);
    expect(await overlaps((storage) => void [storage.append("a", bytes), storage.append("a", bytes)])).toEqual([
      "w1 disk-overlap append of a during its append",
    ]);
    const removed = await overlaps((storage) => void [storage.write("a", bytes), storage.remove("a")]);
    expect(removed).toEqual(["w1 disk-overlap removal of a during its write"]);
  });

  it("lose in a crash exactly what was not synced", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.constantFrom("write", "append", "sync", "remove"), fc.constantFrom("a", "b/c"), fc.nat(255)), {
          maxLength: 30,
        }),
        async (steps) => {
          const world = newWorld();
          const disk = new SimulatedDisk(world, { stream: world.streams.stream("disk"), conditions: calmDisk });
          const storage = disk.open(new Incarnation("w1", 1));
          const files = new Map<string, number[]>();
          const synced = new Map<string, number[]>();
          for (const [step, path, byte] of steps) {
            const known = files.get(path);
            const bytes = Uint8Array.of(byte);
            switch (step) {
              case "write":
                void storage.write(path, bytes);
                files.set(path, [byte]);
                break;
              case "append":
                void storage.append(path, bytes);
                files.set(path, [...(known ?? []), byte]);
                break;
              case "sync":
                storage.sync(path).catch(() => undefined);
                if (known !== undefined) {
                  synced.set(path, known);
                }
                break;
              default:
                void storage.remove(path);
                files.delete(path);
                synced.delete(path);
            }
            await world.run(forever);
          }
          disk.crash();
          expect(disk.paths()).toEqual([...synced.keys()].sort());
          for (const [path, expected] of synced) {
            const read = disk.open(new Incarnation("w1", 2)).read(path, 0, 100);
            await world.run(forever);
            expect([...(await read)]).toEqual(expected);
          }
        },
      ),
      { numRuns: 50 },
    );
  });

  it("are full when their files, however they came to be, hold as many bytes as the capacity", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.tuple(
            fc.constantFrom("write", "append", "sync", "remove", "rename", "crash"),
            fc.constantFrom("a", "b", "c/d"),
            fc.constantFrom("a", "b", "c/d"),
            fc.nat(60),
          ),
          { maxLength: 30 },
        ),
        async (steps) => {
          const world = newWorld();
          const bytesMax = 100;
          const disk = new SimulatedDisk(world, { stream: world.streams.stream("disk"), conditions: { ...calmDisk, bytesMax } });
          const storage = disk.open(new Incarnation("w1", 1));
          const sizeOf = (path: string): number => disk.current(path)?.bytes.length ?? 0;
          for (const [step, path, to, length] of steps) {
            const others = disk.paths().reduce((sum, name) => sum + (name === path ? 0 : sizeOf(name)), 0);
            const bytes = new Uint8Array(length);
            let outcome: string | undefined;
            const change = {
              write: () => storage.write(path, bytes),
              append: () => storage.append(path, bytes),
              sync: () => storage.sync(path),
              remove: () => storage.remove(path),
              rename: () => storage.rename(path, to),
              crash: () => Promise.resolve(disk.crash()),
            }[step];
            const after = step === "append" ? sizeOf(path) + length : length;
            void change().then(
              () => (outcome = "done"),
              (error: unknown) => (outcome = error instanceof StorageError ? error.kind : String(error)),
            );
            await world.run(forever);
            if (step === "write" || step === "append") {
              expect(outcome).toBe(others + after > bytesMax ? "NO_SPACE" : "done");
            }
          }
        },
      ),
      { numRuns: 200 },
    );
  });
});

/** Sends `count` requests over links with these conditions; returns the outcomes as text, and how often the handler ran. */
async function ask(conditions: Partial<LinkConditions>, options: { readonly count?: number; readonly seed?: string } = {}) {
  const world = newWorld(options.seed);
  const network = new SimulatedNetwork(world, () => ({ ...calmLink, ...conditions }));
  const server = new Incarnation("s", 1);
  let served = 0;
  const answer = (): Promise<HttpResponse> => {
    served++;
    return Promise.resolve({ status: 200, headers: {}, body: encoder.encode("hello") });
  };
  await network.attach(server).serve(answer);
  const client = network.attach(new Incarnation("u", 1));
  const outcomes: string[] = [];
  for (let index = 0; index < (options.count ?? 1); index++) {
    client
      .request({ method: "GET", url: "http://s:8080/x", headers: {}, body: new Uint8Array(0) }, { timeoutMs: 1_000, label: "ask" })
      .then(
        (response) => outcomes.push(new TextDecoder().decode(response.body)),
        (error: unknown) => outcomes.push(error instanceof NetworkError ? error.kind : String(error)),
      );
  }
  return {
    world,
    network,
    server,
    run: async () => {
      await world.run(forever);
      return { outcomes, served, fingerprint: world.fingerprint.digest() };
    },
  };
}

describe("links", () => {
  it("carry everything when they are calm", async () => {
    const { run } = await ask({}, { count: 20 });
    expect(await run()).toMatchObject({ outcomes: Array.from({ length: 20 }, () => "hello"), served: 20 });
  });

  it("lose without a word: the sender waits until its time is over", async () => {
    const { run, world } = await ask({ lossPer10k: 10_000 });
    expect(await run()).toMatchObject({ outcomes: ["TIMEOUT"], served: 0 });
    // The message that informs the server is still in flight then.
    expect(Math.floor(world.nowNanos / nanosPerMs)).toBe(1_000);
  });

  it("reset with an error, whether the message came through or not", async () => {
    const { run } = await ask({ resetPer10k: 10_000 }, { count: 40 });
    const { outcomes, served } = await run();
    expect(new Set(outcomes)).toEqual(new Set(["CONNECTION_RESET"]));
    expect(served).toBeGreaterThan(0);
    expect(served).toBeLessThan(40);
  });

  it("duplicate messages; the sender sees one answer", async () => {
    const { run } = await ask({ duplicatePer10k: 10_000 });
    expect(await run()).toMatchObject({ outcomes: ["hello"], served: 2 });
  });

  it("are cut one way: a request arrives though its answer cannot come back", async () => {
    const { run, network } = await ask({});
    network.cut("s", "u");
    expect(await run()).toMatchObject({ outcomes: ["TIMEOUT"], served: 1 });
  });

  it("are refused if nothing listens and reset if the node dies while it answers", async () => {
    const refused = await ask({});
    refused.network.crash("s");
    expect((await refused.run()).outcomes).toEqual(["CONNECTION_REFUSED"]);
    const paused = await ask({});
    paused.server.pausedUntilNanos = 500 * nanosPerMs;
    paused.world.at(100 * nanosPerMs, "crash", () => {
      paused.world.endIncarnation(paused.server);
      paused.network.crash("s");
    });
    expect((await paused.run()).outcomes).toEqual(["CONNECTION_RESET"]);
  });

  it("have the same fates for the same seed and others for another", async () => {
    const conditions = { lossPer10k: 2_000, resetPer10k: 2_000, duplicatePer10k: 2_000, tailPer10k: 2_000, tailNanosMax: 1e9 };
    const run = async (seed: string) => (await ask(conditions, { count: 30, seed })).run();
    const first = await run("1");
    expect(await run("1")).toEqual(first);
    expect((await run("2")).fingerprint).not.toBe(first.fingerprint);
  });
});

describe("fingerprint", () => {
  it("tells texts, numbers and their order apart", () => {
    const digest = (feed: (fingerprint: Fingerprint) => void): string => {
      const fingerprint = new Fingerprint();
      feed(fingerprint);
      return fingerprint.digest();
    };
    fc.assert(
      fc.property(fc.array(fc.string(), { minLength: 1 }), fc.array(fc.string(), { minLength: 1 }), (one, other) => {
        const all = (texts: readonly string[]): string => digest((fingerprint) => texts.forEach((text) => fingerprint.text(text)));
        expect(all(one) === all(other)).toBe(JSON.stringify(one) === JSON.stringify(other));
      }),
    );
    expect(digest((fingerprint) => fingerprint.number(2 ** 40))).not.toBe(digest((fingerprint) => fingerprint.number(0)));
  });
});
