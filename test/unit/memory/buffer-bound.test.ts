/** How much a buffer may hold. */
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { createNodeMemory } from "../../../src/memory/allocator.ts";
import { bufferBound } from "../../../src/memory/buffer-bound.ts";

it("leaves a query of many buffers, each at its bound, a part of its memory", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1_000, max: 1_000_000 }), fc.integer({ min: 1, max: 24 }), (limit, count) => {
      const query = createNodeMemory({ sizeBytes: 65_536 }).root.child("query", limit);
      const buffers = Array.from({ length: count }, () => query.child("buffer"));
      for (const buffer of buffers) {
        buffer.reserve(bufferBound(buffer, Number.MAX_SAFE_INTEGER));
      }
      expect(query.reservedBytes).toBeLessThan(limit);
      // Those that hold something may hold less now.
      expect(bufferBound(buffers[0] as (typeof buffers)[0], Number.MAX_SAFE_INTEGER)).toBeLessThanOrEqual(Math.ceil(limit / 8));
    }),
  );
});

it("is the usual bound where there is room", () => {
  const memory = createNodeMemory({ sizeBytes: 65_536 }).root.child("query", 8_000);
  expect([bufferBound(memory, 1_000), bufferBound(memory, 2_000)]).toEqual([1_000, 1_000]);
});
