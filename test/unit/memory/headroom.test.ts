/** How much a buffer may hold. */
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { createNodeMemory } from "../../../src/memory/allocator.ts";
import { knobsOf } from "../../../src/ports/knobs.ts";
import { boundOfEach, bufferBound } from "../../../src/memory/headroom.ts";

it("leaves a query of many buffers, each at its bound, the part of its memory that operators need", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1_000, max: 1_000_000 }), fc.integer({ min: 1, max: 24 }), fc.nat(300_000), (limit, count, headroom) => {
      const knobs = knobsOf({ "buffer-headroom-bytes": headroom });
      const query = createNodeMemory({ sizeBytes: 65_536, limitBytes: 2_000_000, knobs }).root.child("query", limit);
      const buffers = Array.from({ length: count }, () => query.child("buffer"));
      for (const buffer of buffers) {
        buffer.reserve(bufferBound(buffer, Number.MAX_SAFE_INTEGER));
      }
      // A byte each at the least.
      expect(query.availableBytes).toBeGreaterThanOrEqual(Math.min(Math.floor(limit / 2), headroom) - count);
      // Those that hold something may hold less now.
      expect(bufferBound(buffers[0] as (typeof buffers)[0], Number.MAX_SAFE_INTEGER)).toBeLessThanOrEqual(Math.ceil(limit / 4));
    }),
  );
});

it("is nearly used up for operators before a limit is, by a tenth or by what their steps need", () => {
  const memory = createNodeMemory({ sizeBytes: 65_536, limitBytes: 40_000, knobs: knobsOf({ "spill-headroom-bytes": 500 }) }).root;
  const query = memory.child("query", 1_000);
  const task = query.child("task");
  expect([task.nearLimit(750), task.nearLimit(751)]).toEqual([undefined, query]);
  expect([memory.nearLimit(36_000), memory.nearLimit(36_001)]).toEqual([undefined, memory]);
});

it("lets an empty buffer take something where nothing is left for buffers", () => {
  const query = createNodeMemory({ sizeBytes: 65_536 }).root.child("query", 8_000);
  query.child("operator").reserve(7_999);
  expect(bufferBound(query.child("buffer"), 1_000)).toBe(1);
});

it("is the usual bound where there is room", () => {
  const memory = createNodeMemory({ sizeBytes: 65_536 }).root.child("query", 8_000);
  expect([bufferBound(memory, 1_000), bufferBound(memory, 2_000)]).toEqual([1_000, 1_000]);
});

it("many output buffers of a query hold together what eight hold, and each something", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 2 ** 31 }), fc.integer({ min: 0, max: 1_000 }), (bytesMax, buffers) => {
      const each = boundOfEach(bytesMax, buffers);
      expect(each).toBeGreaterThanOrEqual(1);
      expect(each).toBeLessThanOrEqual(bytesMax);
      expect(each * buffers).toBeLessThanOrEqual(8 * bytesMax + buffers);
      expect(buffers > 8 || each === bytesMax).toBe(true);
    }),
  );
});
