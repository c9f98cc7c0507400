import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { gunzipInto, Inflater } from "../../../../src/connectors/files/inflate.ts";

/** Runs, noise and repetitions, so that every kind of block appears. */
const content = fc
  .array(
    fc.oneof(
      fc.uint8Array({ maxLength: 300 }),
      fc.tuple(fc.uint8Array({ minLength: 1, maxLength: 20 }), fc.integer({ min: 1, max: 3000 })).map(([bytes, times]) => {
        const repeated = new Uint8Array(bytes.length * times);
        return repeated.map((_, index) => bytes[index % bytes.length] as number);
      }),
    ),
    { maxLength: 6 },
  )
  .map((parts) => Buffer.concat(parts));

function inPieces(packed: Uint8Array, pieceBytes: number, outBytes: number): Buffer {
  const inflater = new Inflater(outBytes);
  const parts: Buffer[] = [];
  let at = 0;
  while (!inflater.finished) {
    const piece = inflater.pull();
    if (piece.length > 0) {
      parts.push(Buffer.from(piece));
    } else if (!inflater.finished) {
      const end = Math.min(at + pieceBytes, packed.length);
      inflater.push(packed.subarray(at, end), end === packed.length);
      at = end;
    }
  }
  return Buffer.concat(parts);
}

describe("gzip", () => {
  test("what zlib packed comes out, in whatever pieces it goes in; members follow each other", () => {
    fc.assert(
      fc.property(
        content,
        fc.integer({ min: 0, max: 9 }),
        fc.integer({ min: 1, max: 5000 }),
        fc.integer({ min: 300, max: 70_000 }),
        (bytes, level, pieceBytes, outBytes) => {
          const packed = new Uint8Array(Buffer.concat([gzipSync(bytes, { level }), gzipSync("tail")]));
          expect(inPieces(packed, pieceBytes, outBytes).equals(Buffer.concat([bytes, Buffer.from("tail")]))).toBe(true);
        },
      ),
      { numRuns: 200 },
    );
  });

  test("damage never passes", () => {
    fc.assert(
      fc.property(content, fc.nat(), fc.integer({ min: 0, max: 7 }), (bytes, place, bit) => {
        const packed = new Uint8Array(gzipSync(bytes));
        const target = new Uint8Array(bytes.length);
        const whole = packed.slice();
        // Behind the header, whose time and flags mean nothing here.
        const at = 10 + (place % (packed.length - 10));
        packed[at] = (packed[at] as number) ^ (1 << bit);
        try {
          gunzipInto(packed, target);
        } catch (error) {
          expect((error as Error).name).toBe("BadData");
          return;
        }
        // Bits that say nothing: padding in front of a stored block, behind the last symbol.
        expect(Buffer.from(target).equals(bytes)).toBe(true);
        const cut = whole.subarray(0, 10 + (place % (whole.length - 10)));
        expect(() => gunzipInto(cut, target)).toThrow("gzip:");
      }),
      { numRuns: 300 },
    );
  });
});
