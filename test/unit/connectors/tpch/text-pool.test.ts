/**
 * Comments are substrings of one long text; reading can start anywhere.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { PoolPosition } from "../../../../src/connectors/tpch/text-pool.ts";
import {
  checkpoint,
  copyBytesMax,
  indexBytesPerChunk,
  poolBytes,
  TextPool,
  TextPoolIndex,
} from "../../../../src/connectors/tpch/text-pool.ts";
import { checkpointBytes, checkpoints } from "../../../../src/connectors/tpch/text-pool-checkpoints.ts";

/** dbgen's seed of the whole text. */
const poolSeed = 933588178;

function piece(pool: TextPool, offset: number, length: number): string {
  const bytes = Buffer.alloc(length + 16);
  pool.copy(offset, length, new DataView(bytes.buffer, bytes.byteOffset, bytes.length), 0);
  return bytes.toString("latin1", 0, length);
}

describe("the text pool", () => {
  it("has the checkpoints that a walk from its start meets", () => {
    const pool = new TextPool(() => undefined);
    let position: PoolPosition = { seed: poolSeed, offset: 0 };
    const wrong: number[] = [];
    for (let chunk = 0; chunk * checkpointBytes < poolBytes; chunk++) {
      position = pool.sentenceAt(chunk * checkpointBytes, position);
      const known = checkpoint(chunk);
      if (known.seed !== position.seed || known.offset !== position.offset) {
        wrong.push(chunk);
      }
    }
    expect(wrong).toEqual([]);
    expect(checkpoints.length).toBe((poolBytes / checkpointBytes) * 8);
  });

  it("reads the same in pieces", () => {
    const offsets = fc.integer({ min: 0, max: poolBytes - copyBytesMax });
    const lengths = fc.integer({ min: 1, max: copyBytesMax });
    fc.assert(
      fc.property(offsets, lengths, lengths, (offset, a, b) => {
        const [length, cut] = [Math.max(a, b), Math.min(a, b) - 1];
        // A new pool has generated nothing yet; earlier reads must not matter.
        const pool = new TextPool(() => undefined);
        const tail = piece(pool, offset + cut, length - cut);
        const whole = piece(pool, offset, length);
        expect(whole.slice(cut)).toBe(tail);
        expect(piece(new TextPool(() => undefined), offset, length)).toBe(whole);
      }),
      { numRuns: 50 },
    );
  });

  it("reads across chunks and up to its end", () => {
    const pool = new TextPool(() => undefined);
    const border = 7 * checkpointBytes;
    const around = piece(pool, border - 200, 400);
    expect(piece(pool, border - 200, 200) + piece(pool, border, 200)).toBe(around);
    expect(around).toMatch(/^[A-Za-z ,.;:?!-]+$/);
    expect(piece(pool, poolBytes - 100, 100)).toHaveLength(100);
  });

  it("keeps no more than it says", () => {
    let reserved = 0;
    const pool = new TextPool((bytes) => {
      reserved += bytes;
    });
    expect(reserved).toBe(0);
    piece(pool, 1000, 10);
    piece(pool, 5000, 10);
    piece(pool, checkpointBytes * 3, 10);
    expect(reserved).toBe(2 * indexBytesPerChunk);
  });

  it("returns the same bytes and counts the same steps with a shared index", () => {
    const offsets = fc.array(fc.integer({ min: 0, max: 4 * checkpointBytes }), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(offsets, offsets, (first, second) => {
        const index = new TextPoolIndex();
        const read = (places: readonly number[], own: TextPoolIndex): readonly unknown[] => {
          let reserved = 0;
          const pool = new TextPool((bytes) => {
            reserved += bytes;
          }, own);
          return places.map((offset) => [pool.walkTo(offset), piece(pool, offset, 40), reserved]);
        };
        expect(read(first, index)).toEqual(read(first, new TextPoolIndex()));
        expect(read(second, index)).toEqual(read(second, new TextPoolIndex()));
      }),
      { numRuns: 50 },
    );
  });
});
