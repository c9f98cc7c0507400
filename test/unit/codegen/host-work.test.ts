/** Slices of long calls: an interrupted call goes on, and what is written for it again is given to its slice. */
import { expect, it } from "vitest";
import { HeldMemory } from "../../../src/memory/held-memory.ts";
import { createNodeMemory } from "../../../src/memory/allocator.ts";
import { MemoryLimitExceeded } from "../../../src/memory/memory.ts";
import { HostWork, type LongCall, WorkReplay } from "../../../src/codegen/host-work.ts";

const draws = { get: () => 0n, set: () => undefined };

/** Slices of an outer call that writes arguments of `bytes` for an inner call of `steps` steps. */
function slicesOf({ bytes, steps }: { readonly bytes: number; readonly steps: number }): number {
  const work = new HostWork(100);
  const replay = new WorkReplay();
  const inner: LongCall<{ done: number }, number> = {
    begin: () => ({ done: 0 }),
    run: (frame, watch) => {
      while (frame.done < steps) {
        watch.step();
        frame.done++;
      }
      return frame.done;
    },
    draws,
    bytesOfFrame: () => 0,
    bytesOf: () => 0,
  };
  const outer: LongCall<null, number> = {
    begin: () => null,
    run: (_frame, watch) => {
      watch.step();
      work.wrote(bytes);
      return work.call(inner);
    },
    draws,
    bytesOfFrame: () => 0,
    bytesOf: () => 0,
  };
  for (let slices = 1; ; slices++) {
    if (work.slice(replay, () => work.call(outer)).result === steps) {
      return slices;
    }
  }
}

it("a slice is as much longer as was written again for the call that it goes on with", () => {
  expect(slicesOf({ bytes: 0, steps: 10_000 })).toBeGreaterThan(90);
  // 256 bytes count as a step: each slice but the first one has 1,000 steps more.
  expect(slicesOf({ bytes: 256_000, steps: 10_000 })).toBeLessThan(12);
});

it("a cut slice says what its calls hold until they go on, and one that is done holds nothing", () => {
  const work = new HostWork(100);
  const replay = new WorkReplay();
  // Takes 1,000 bytes in each of its 250 steps.
  const call: LongCall<{ done: number; bytes: number }, number> = {
    begin: () => ({ done: 0, bytes: 0 }),
    run: (frame, watch) => {
      while (frame.done < 250) {
        watch.step();
        frame.done++;
        frame.bytes += 1_000;
        watch.hold(1_000);
      }
      return frame.done;
    },
    draws,
    bytesOfFrame: ({ bytes }) => bytes,
    bytesOf: () => 8,
  };
  const slices = Array.from({ length: 3 }, () => work.slice(replay, () => work.call(call)));
  expect(slices.map(({ heldBytes, isCut }) => [isCut, heldBytes])).toEqual([
    [true, 100_000],
    [true, 201_000],
    [false, 0],
  ]);
});

it("what is held is charged to the query, and given back", () => {
  const { root } = createNodeMemory({ sizeBytes: 65_536 });
  const query = root.child("query", 1_000);
  const held = new HeldMemory(query);
  held.set(600);
  held.set(900);
  expect(query.reservedBytes).toBe(900);
  expect(() => held.set(1_001)).toThrow(MemoryLimitExceeded);
  expect(query.reservedBytes).toBe(900);
  held.set(0);
  expect(query.reservedBytes).toBe(0);
  held.set(10);
  query.close();
  expect(root.reservedBytes).toBe(0);
});
