import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { GroupTable } from "../../../src/execution/hash-table/group-table.ts";
import { KernelRuntime } from "../../../src/codegen/runtime.ts";
import { createNodeMemory } from "../../../src/memory/allocator.ts";
import { knobsOf } from "../../../src/ports/knobs.ts";
import { BIGINT, DATE, type Type } from "../../../src/types/type.ts";
import { backends, type Bench, makeBench, withMemory } from "./kernels.ts";
import { arbitraryShape, type Cell, makePage, readRows, type Shape } from "./rows.ts";

interface DrawnPage {
  readonly keys: readonly (bigint | null)[];
  readonly shape: Shape;
}

/** Keys near a moving centre: the range grows up, down and by leaps; sometimes over all of 64 bits, or with NULLs. */
const arbitraryPages: fc.Arbitrary<readonly DrawnPage[]> = fc.array(
  fc
    .record({
      centre: fc.oneof(
        { weight: 4, arbitrary: fc.integer({ min: -60, max: 60 }).map(BigInt) },
        { weight: 1, arbitrary: fc.constantFrom(-(1n << 63n), (1n << 63n) - 1n, -(1n << 31n), (1n << 31n) - 1n, 5_000n) },
      ),
      offsets: fc.array(fc.option(fc.integer({ min: -9, max: 9 }), { freq: 40 }), { minLength: 1, maxLength: 20 }),
      shape: arbitraryShape,
    })
    .map(({ centre, offsets, shape }) => ({ keys: offsets.map((offset) => (offset === null ? null : centre + BigInt(offset))), shape })),
  { minLength: 1, maxLength: 6 },
);

function benchWith(backend: (typeof backends)[number], range: number): Bench {
  const { linear, root } = createNodeMemory({ sizeBytes: 65_536 * 512, knobs: knobsOf({ "group-range": range, "group-slots": 2 }) });
  return { root, services: { ...makeBench(backend).services, runtime: new KernelRuntime({ linear, backend }) } };
}

function inRange(key: bigint | null, type: Type): Cell {
  if (key === null) {
    return null;
  }
  return type === DATE ? Number(BigInt.asIntN(32, key)) : BigInt.asIntN(64, key);
}

describe.each(backends)("groups of an integer key on %s", (backend) => {
  it.each([0, 16, 1_000])("are numbered by first appearance, with a range of %d", (range) => {
    const bench = benchWith(backend, range);
    fc.assert(
      fc.property(arbitraryPages, fc.constantFrom(BIGINT, DATE), (pages, type) => {
        withMemory(bench, (memory) => {
          const table = new GroupTable(bench.services, memory, [type]);
          const ids = memory.allocate(4 * 64);
          const known = new Map<Cell, number>();
          for (const { keys, shape } of pages) {
            const cells = keys.map((key) => inRange(key, type));
            table.assign(
              makePage(
                memory,
                [type],
                cells.map((cell) => [cell]),
                shape,
              ),
              ids,
            );
            for (const cell of cells) {
              known.set(cell, known.get(cell) ?? known.size);
            }
            const given = cells.map((_, position) => memory.linear.u32[(ids >>> 2) + position]);
            expect(given).toEqual(cells.map((cell) => known.get(cell)));
          }
          expect(table.groupCount).toBe(known.size);
          const kept = readRows(memory, { positionCount: known.size, selection: 0, columns: table.keyColumns() });
          expect(kept).toEqual([...known.keys()].map((cell) => [cell]));
          table.close();
        });
      }),
      { numRuns: 150 },
    );
  });

  it("go back to an array when there are enough groups for the range", () => {
    const bench = benchWith(backend, 0);
    withMemory(bench, (memory) => {
      const [distance, groups] = [20_000, 640];
      const table = new GroupTable(bench.services, memory, [BIGINT]);
      const ids = memory.allocate(4 * 64);
      const ends = (index: number): bigint => BigInt(index % 2 === 0 ? index : distance - index);
      const arrayBytes = 4 * (distance - groups);
      const held: boolean[] = [];
      for (let first = 0; first < groups; first += 32) {
        const cells = Array.from({ length: 32 }, (_, index) => ends(first + index));
        const rows = cells.map((cell) => [cell]);
        table.assign(makePage(memory, [BIGINT], rows, "flat"), ids);
        expect(cells.map((_, index) => memory.linear.u32[(ids >>> 2) + index])).toEqual(cells.map((_, index) => first + index));
        held.push(memory.reservedBytes > arrayBytes);
      }
      // Two ends of a wide range: few keys are too sparse for an array, later keys are not.
      expect([held[0], held.at(-1)]).toEqual([false, true]);
      table.close();
    });
  });
});
