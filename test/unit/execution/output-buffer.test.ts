import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { OutputBuffer } from "../../../src/execution/exchange/output-buffer.ts";
import { createNodeMemory } from "../../../src/memory/allocator.ts";
import { Frame, releaseAll } from "../../../src/page/frame.ts";
import { PagesDigest } from "../../../src/page/pages-digest.ts";
import { FramePool } from "../../../src/page/frame-pool.ts";
import { knobsOf } from "../../../src/ports/knobs.ts";
import { noPoints } from "../../../src/ports/points.ts";
import { MemoryStorage } from "../../../src/testing/memory-storage.ts";
import { drain, settle, TestClock } from "./world.ts";

const memory = createNodeMemory({ sizeBytes: 65536 * 64, knobs: knobsOf({ "pooled-frame-bytes": 8 }) });

function open(options: {
  kind: "PARTITIONED" | "BROADCAST" | "SHARED";
  bufferCount: number;
  bytesMax: number;
  readerCount?: number;
  isRerun?: boolean;
}) {
  const clock = new TestClock();
  const storage = new MemoryStorage();
  const context = memory.root.child("buffer");
  let finished = 0;
  const failures: unknown[] = [];
  const buffer = new OutputBuffer({
    taskId: "q.0.0",
    isRerun: options.isRerun === true,
    descriptor: { kind: options.kind, bufferCount: options.bufferCount, readerCount: options.readerCount },
    bytesMax: () => options.bytesMax,
    memory: context,
    clock,
    points: noPoints,
    storage,
    seal,
    onFinished: () => finished++,
    onFailed: (error) => failures.push(error),
  });
  return { clock, storage, context, buffer, failures, finished: () => finished };
}

/** Writes into the frame when it first leaves, as the checksum of a page frame is written. The first byte is its value. */
function seal(frame: Frame): Uint8Array {
  if (!frame.isSealed && frame.length > 1) {
    frame.isSealed = true;
    frame.bytes[frame.length - 1] = 0xee;
  }
  return frame.bytes;
}

/** A pool whose every frame must be freed in the end. */
const pool = new FramePool({ memory: memory.root.child("frames"), lends: () => true });

function frame(value: number, bytes = 8): Frame {
  const { frame: made } = pool.allocate(Math.max(8, bytes));
  const own = bytes < 8 ? new Frame(made.bytes.subarray(0, bytes), { onFreed: () => made.release() }) : made;
  own.bytes.fill(value);
  return own;
}

/** The first byte of each frame; the reader releases them. */
function valuesOf(frames: readonly Frame[]): readonly (number | undefined)[] {
  const values = frames.map(({ bytes }) => bytes[0]);
  releaseAll(frames);
  return values;
}

afterEach(() => expect(pool.measures().usedBytes).toBe(0));

describe("an output buffer", () => {
  it("gives pages in order, acknowledges by token and finishes when all is read", async () => {
    const { buffer, clock, finished, context } = open({ kind: "PARTITIONED", bufferCount: 1, bytesMax: 1000 });
    buffer.add(0, frame(1));
    buffer.add(0, frame(2));
    const first = await buffer.read({ bufferId: 0, token: 0, bytesMax: 8, waitMs: 10 });
    expect([first.token, first.nextToken, first.complete, valuesOf(first.frames)]).toEqual([0, 1, false, [1]]);
    // The same token again: nothing was acknowledged yet.
    const again = await buffer.read({ bufferId: 0, token: 0, bytesMax: 100, waitMs: 10 });
    expect(valuesOf(again.frames)).toEqual([1, 2]);
    buffer.setNoMorePages();
    const last = await buffer.read({ bufferId: 0, token: 1, bytesMax: 100, waitMs: 10 });
    expect([last.nextToken, last.complete, valuesOf(last.frames)]).toEqual([2, true, [2]]);
    // A token older than the acknowledged one returns nothing.
    const old = await buffer.read({ bufferId: 0, token: 0, bytesMax: 100, waitMs: 10 });
    expect([old.frames.length, old.complete]).toEqual([0, false]);
    const end = await buffer.read({ bufferId: 0, token: 2, bytesMax: 100, waitMs: 10 });
    expect([end.complete, finished(), buffer.state]).toEqual([true, 1, "FINISHED"]);
    // The answer may have been lost, so the end is reported again.
    expect((await buffer.read({ bufferId: 0, token: 2, bytesMax: 100, waitMs: 10 })).complete).toBe(true);
    expect(clock.timers.size).toBe(0);
    context.close();
  });

  it("answers an empty read when its wait ends, and a second read ends the first", async () => {
    const { buffer, clock, context } = open({ kind: "PARTITIONED", bufferCount: 1, bytesMax: 1000 });
    const first = buffer.read({ bufferId: 0, token: 0, bytesMax: 8, waitMs: 10 });
    const second = buffer.read({ bufferId: 0, token: 0, bytesMax: 8, waitMs: 10 });
    expect((await first).frames).toEqual([]);
    const result = await settle(clock, second);
    expect([result.frames.length, result.complete]).toEqual([0, false]);
    context.close();
  });

  it("gives its pages to the last run of a reader, and a former one that wakes up acknowledges none", async () => {
    const { buffer, context } = open({ kind: "PARTITIONED", bufferCount: 1, bytesMax: 1000 });
    buffer.add(0, frame(1));
    buffer.add(0, frame(2));
    const read = (token: number, reader?: number) =>
      buffer.read({ bufferId: 0, token, bytesMax: 1, waitMs: 0, ...(reader === undefined ? {} : { reader }) });
    expect(valuesOf((await read(0, 3)).frames)).toEqual([1]);
    // Its worker stops before it asks for the second page; the next run of the reader begins with the first.
    expect(valuesOf((await read(0, 9)).frames)).toEqual([1]);
    // It goes on.
    buffer.acknowledge(0, 2, 3);
    expect(await read(1, 3)).toEqual({ token: 1, nextToken: 1, complete: false, frames: [], hasFollower: true });
    expect(buffer.snapshot().buffers[0]).toMatchObject({ bufferedPages: 2, pagesSent: 0 });
    expect(valuesOf((await read(0, 9)).frames)).toEqual([1]);
    // An older build, or a task that is not run again, has no number.
    expect(valuesOf((await read(1)).frames)).toEqual([2]);
    buffer.destroy(0);
    context.close();
  });

  it("is not closed by a former run of its reader", async () => {
    const { buffer, context } = open({ kind: "PARTITIONED", bufferCount: 1, bytesMax: 1000 });
    buffer.add(0, frame(1));
    buffer.add(0, frame(2));
    const read = (token: number, reader: number) => buffer.read({ bufferId: 0, token, bytesMax: 1, waitMs: 0, reader });
    expect(valuesOf((await read(0, 4)).frames)).toEqual([1]);
    expect(buffer.destroy(0, 0)).toBe(false);
    expect(valuesOf((await read(1, 4)).frames)).toEqual([2]);
    expect(buffer.destroy(0, 4)).toBe(true);
    context.close();
  });

  it("tells no later run of its reader that what a former one left is all", async () => {
    const { buffer, context } = open({ kind: "PARTITIONED", bufferCount: 2, bytesMax: 1000 });
    const read = (bufferId: number, token: number, reader: number) => buffer.read({ bufferId, token, bytesMax: 99, waitMs: 0, reader });
    buffer.add(0, frame(1));
    // It wants no more pages, before it has acknowledged one.
    expect(valuesOf((await read(0, 0, 0)).frames)).toEqual([1]);
    expect(buffer.destroy(0, 0)).toBe(true);
    expect(await read(0, 0, 4)).toMatchObject({ complete: false, gone: true });
    expect(await read(0, 0, 3)).toMatchObject({ complete: false, hasFollower: true });
    // The coordinator ends the output for all runs.
    const ended = open({ kind: "PARTITIONED", bufferCount: 1, bytesMax: 1000 });
    ended.buffer.add(0, frame(1));
    expect(ended.buffer.destroy(0)).toBe(true);
    expect(await ended.buffer.read({ bufferId: 0, token: 0, bytesMax: 9, waitMs: 0, reader: 1 })).toMatchObject({ complete: true });
    ended.context.close();
    // A former run that was told the end of no pages has left none.
    buffer.setNoMorePages();
    expect(await read(1, 0, 0)).toMatchObject({ complete: true, frames: [] });
    expect(buffer.destroy(1, 0)).toBe(true);
    expect(await read(1, 0, 4)).toMatchObject({ complete: true, frames: [] });
    context.close();
  });

  it("never shows an end after a failure, and shows it after a cancel", async () => {
    const failed = open({ kind: "PARTITIONED", bufferCount: 1, bytesMax: 1000 });
    failed.buffer.add(0, frame(1));
    const before = failed.buffer.read({ bufferId: 0, token: 1, bytesMax: 8, waitMs: 10 });
    failed.buffer.fail();
    expect((await settle(failed.clock, before)).complete).toBe(false);
    const after = await settle(failed.clock, failed.buffer.read({ bufferId: 0, token: 0, bytesMax: 8, waitMs: 10 }));
    expect([after.complete, after.frames.length]).toEqual([false, 0]);
    failed.context.close();
    const canceled = open({ kind: "PARTITIONED", bufferCount: 1, bytesMax: 1000 });
    const waiting = canceled.buffer.read({ bufferId: 0, token: 0, bytesMax: 8, waitMs: 10 });
    canceled.buffer.finish();
    expect((await waiting).complete).toBe(true);
    canceled.context.close();
  });

  it("rejects a buffer that does not exist", async () => {
    const { buffer, context } = open({ kind: "BROADCAST", bufferCount: 2, bytesMax: 1000 });
    await expect(buffer.read({ bufferId: 2, token: 0, bytesMax: 8, waitMs: 10 })).rejects.toMatchObject({ errorName: "NOT_FOUND" });
    context.close();
  });

  it("counts a broadcast page once, until its last consumer has it", async () => {
    const { buffer, context } = open({ kind: "BROADCAST", bufferCount: 2, bytesMax: 10 });
    buffer.add(0, frame(1, 16));
    expect([context.reservedBytes, buffer.blocked() === undefined]).toEqual([16, false]);
    buffer.acknowledge(0, 1);
    expect(context.reservedBytes).toBe(16);
    buffer.acknowledge(1, 1);
    expect([context.reservedBytes, buffer.blocked()]).toEqual([0, undefined]);
    context.close();
  });

  it("goes on for the reader that starves while another has not begun, to the disk beyond its bound, and forgets what a reader leaves behind", async () => {
    const { buffer, clock, context, storage } = open({ kind: "SHARED", bufferCount: 4, readerCount: 2, bytesMax: 10 });
    expect(buffer.partitionCount).toBe(2);
    const received: number[] = [];
    // The build side is read to its end before the probe side is requested.
    for (let page = 0; page < 5; page++) {
      const read = buffer.read({ bufferId: 1, token: page, bytesMax: 100, waitMs: 10 });
      for (let event = buffer.blocked(); event !== undefined; event = buffer.blocked()) {
        await event;
      }
      buffer.add(1, frame(page));
      const { frames } = await settle(clock, read);
      received.push(...(valuesOf(frames) as number[]));
    }
    expect(received).toEqual([0, 1, 2, 3, 4]);
    await drain();
    expect(buffer.spilledBytes).toBeGreaterThan(0);
    expect(context.reservedBytes).toBeLessThanOrEqual(16);
    expect(buffer.snapshot().buffers.map(({ bufferedPages }) => bufferedPages)).toEqual([0, 1, 0, 5]);
    // One consumer needs no more: the other one still gets all its pages.
    buffer.destroy(0);
    buffer.destroy(1);
    buffer.setNoMorePages();
    const all = await settle(clock, buffer.read({ bufferId: 3, token: 0, bytesMax: 100, waitMs: 10 }));
    expect([valuesOf(all.frames), all.complete]).toEqual([[0, 1, 2, 3, 4], true]);
    buffer.destroy(3);
    expect(buffer.state).toBe("FLUSHING");
    buffer.destroy(2);
    await drain();
    expect([buffer.state, storage.files.size]).toEqual(["FINISHED", 0]);
    context.close();
  });

  it("lets its producer go on when the last of the frames that it spills at once is on the disk", async () => {
    const { buffer, clock, context, storage } = open({ kind: "PARTITIONED", bufferCount: 4, bytesMax: 10 });
    const appends: (() => void)[] = [];
    const append = storage.append.bind(storage);
    storage.append = (path, data) => new Promise<void>((resolve) => appends.push(resolve)).then(() => append(path, data));
    buffer.add(0, frame(0, 16));
    const read = buffer.read({ bufferId: 3, token: 0, bytesMax: 100, waitMs: 10 });
    // The partitions of one page. While the first is written the others wait, and are written together.
    for (let partition = 0; partition < 3; partition++) {
      buffer.add(partition, frame(partition));
    }
    for (let written = 0; written < 2; written++) {
      expect(buffer.blocked()).toBeDefined();
      await drain();
      expect(appends).toHaveLength(written + 1);
      appends[written]?.();
      await drain();
    }
    expect([buffer.blocked(), buffer.snapshot().spillingBytes]).toEqual([undefined, 0]);
    await settle(clock, read);
    buffer.fail();
    context.close();
  });

  it("reads back what it wrote, though a reader took the frame to another process meanwhile", async () => {
    const { buffer, clock, context, storage, failures } = open({ kind: "PARTITIONED", bufferCount: 2, bytesMax: 10 });
    let write = (): void => undefined;
    const append = storage.append.bind(storage);
    storage.append = (path, data) =>
      new Promise<void>((resolve) => {
        write = resolve;
      }).then(() => append(path, data));
    buffer.add(0, frame(0, 16));
    const starved = buffer.read({ bufferId: 1, token: 0, bytesMax: 100, waitMs: 10 });
    buffer.add(0, frame(1, 16));
    const early = await settle(clock, buffer.read({ bufferId: 0, token: 1, bytesMax: 100, waitMs: 10 }));
    early.frames.forEach(seal);
    expect(valuesOf(early.frames)).toEqual([1]);
    await drain();
    write();
    await drain();
    expect(buffer.snapshot().spillingBytes).toBe(0);
    const late = await settle(clock, buffer.read({ bufferId: 0, token: 1, bytesMax: 100, waitMs: 10 }));
    expect([valuesOf(late.frames), failures]).toEqual([[1], []]);
    await settle(clock, starved);
    buffer.fail();
    context.close();
  });

  it("does not fail when a reader leaves while its spilled frame is read, and the file goes", async () => {
    const { buffer, clock, context, storage, failures } = open({ kind: "PARTITIONED", bufferCount: 2, bytesMax: 10 });
    let answer = (): void => undefined;
    const read = storage.read.bind(storage);
    storage.read = (path, offset, length) =>
      new Promise<void>((resolve) => {
        answer = resolve;
      }).then(() => read(path, offset, length));
    buffer.add(0, frame(0, 16));
    const starved = buffer.read({ bufferId: 1, token: 0, bytesMax: 100, waitMs: 10 });
    buffer.add(0, frame(1, 16));
    await drain();
    const reading = buffer.read({ bufferId: 0, token: 1, bytesMax: 100, waitMs: 10 });
    await drain();
    buffer.destroy(0);
    // The first frame is within the bound; the second goes to a new file, and the one before is removed.
    buffer.add(1, frame(2, 16));
    buffer.add(1, frame(3, 16));
    await drain();
    expect([...storage.files.keys()]).toEqual(["q.0.0/1"]);
    answer();
    const late = await settle(clock, reading);
    expect([valuesOf(late.frames), failures]).toEqual([[], []]);
    releaseAll((await settle(clock, starved)).frames);
    buffer.fail();
    context.close();
  });

  it("makes the pages of a former run again, and gives out only those that its reader lacks", async () => {
    const value = fc.integer({ min: 1, max: 100 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(value, { minLength: 1, maxLength: 12 }),
        fc.nat(12),
        fc.nat(12),
        fc.nat(12),
        async (values, has, early, odd) => {
          const taken = Math.min(has, values.length);
          const digest = new PagesDigest();
          for (const made of values.slice(0, taken).map((one) => frame(one, 32))) {
            seal(made);
            digest.add(made);
            made.release();
          }
          const { buffer, clock, failures } = open({ kind: "PARTITIONED", bufferCount: 1, bytesMax: 100, isRerun: true });
          const again = values.map((one, index) => (index === odd ? one + 100 : one));
          const given: number[] = [];
          const read = async (): Promise<void> => {
            for (let token = taken; failures.length === 0; ) {
              const request = { bufferId: 0, token, bytesMax: 1000, waitMs: 1000, digest: digest.text };
              const result = await buffer.read(request);
              given.push(...result.frames.map(({ bytes }) => bytes[0] as number));
              releaseAll(result.frames);
              token = result.nextToken;
              if (result.complete) {
                return;
              }
            }
          };
          const add = async (from: number, end: number): Promise<void> => {
            for (const one of again.slice(from, end)) {
              try {
                buffer.add(0, frame(one, 32));
              } catch (error) {
                failures.push(error);
                buffer.fail();
                return;
              }
              await drain(20);
            }
          };
          await add(0, early);
          const reading = failures.length === 0 ? read() : Promise.resolve();
          await add(early, again.length);
          if (failures.length === 0) {
            buffer.setNoMorePages();
          }
          await settle(clock, Promise.race([reading, drain(200)]));
          if (odd < taken) {
            expect(failures.map(String).join()).toContain("was run again, and its pages are others");
            expect(given).toEqual([]);
          } else {
            expect(failures).toEqual([]);
            expect(given).toEqual(again.slice(taken));
          }
          buffer.fail();
        },
      ),
      { numRuns: 200 },
    );
  });

  it("survives skewed consumers: no deadlock, order kept, nothing left", async () => {
    const plans = fc.record({
      kind: fc.constantFrom("PARTITIONED" as const, "BROADCAST" as const, "SHARED" as const),
      partitionCount: fc.integer({ min: 1, max: 4 }),
      readerCount: fc.integer({ min: 2, max: 3 }),
      bytesMax: fc.integer({ min: 1, max: 64 }),
      pages: fc.array(fc.record({ partition: fc.nat(3), bytes: fc.integer({ min: 1, max: 40 }) }), { maxLength: 40 }),
      // The order in which consumers read. A consumer that waits for its source lets the pages of the others pile up.
      turns: fc.array(fc.nat(3), { minLength: 1, maxLength: 12 }),
      readBytes: fc.integer({ min: 1, max: 100 }),
    });
    await fc.assert(
      fc.asyncProperty(plans, async (plan) => {
        const readerCount = plan.kind === "SHARED" ? plan.readerCount : 1;
        const bufferCount = plan.partitionCount * readerCount;
        const world = open({ ...plan, bufferCount, readerCount });
        const { buffer, clock, storage } = world;
        const expected: number[][] = Array.from({ length: bufferCount }, () => []);
        const produce = async (): Promise<void> => {
          for (const [index, page] of plan.pages.entries()) {
            for (let event = buffer.blocked(); event !== undefined; event = buffer.blocked()) {
              await event;
            }
            const partition = page.partition % plan.partitionCount;
            const readers = Array.from({ length: readerCount }, (_, reader) => reader * plan.partitionCount + partition);
            for (const target of plan.kind === "BROADCAST" ? expected.keys() : readers) {
              expected[target]?.push(index);
            }
            buffer.add(partition, frame(index, page.bytes));
          }
          buffer.setNoMorePages();
        };
        const received: number[][] = expected.map(() => []);
        const tokens = expected.map(() => 0);
        const open_ = new Set(expected.keys());
        const consume = async (): Promise<void> => {
          for (let turn = 0; open_.size > 0; turn++) {
            const id = (plan.turns[turn % plan.turns.length] as number) % bufferCount;
            const target = open_.has(id) ? id : ([...open_][turn % open_.size] as number);
            // Like an exchange in its rotation: waits for this source until it has a page or has ended.
            for (;;) {
              const result = await buffer.read({ bufferId: target, token: tokens[target] as number, bytesMax: plan.readBytes, waitMs: 5 });
              received[target]?.push(...(valuesOf(result.frames) as number[]));
              tokens[target] = result.nextToken;
              if (result.complete) {
                buffer.destroy(target);
                open_.delete(target);
              }
              if (result.complete || result.frames.length > 0) {
                break;
              }
            }
          }
        };
        await settle(clock, Promise.all([produce(), consume()]));
        await drain();
        expect(received).toEqual(expected);
        expect(buffer.state).toBe("FINISHED");
        expect([world.finished(), world.failures.length, storage.files.size, clock.timers.size]).toEqual([1, 0, 0, 0]);
        world.context.close();
      }),
      { numRuns: 60 },
    );
  });
});
