/**
 * Decompressed pages that are kept: whatever is read in whatever order, a page has the content that its compressed bytes stand for, and no
 * more is kept than allowed.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type CompressedPage, DecompressedPages } from "../../../../../src/connectors/files/parquet/decompressed-pages.ts";

/** Stands for a codec: the content is the compressed bytes twice, plus the codec. */
function contentOf({ bytes, codec }: CompressedPage): Uint8Array {
  return Uint8Array.from([...bytes, ...bytes], (byte) => byte + codec);
}

function pageOf(bytes: Uint8Array, codec = 1): CompressedPage {
  return { codec, bytes, uncompressedBytes: 2 * bytes.length };
}

/** A page of bytes that no page with another number has, at an odd address. */
function numbered(number: number, length = 40): CompressedPage {
  const buffer = new Uint8Array(length + 3).subarray(3);
  return pageOf(buffer.map((_, index) => number * 31 + index));
}

class Reader {
  readonly pages: DecompressedPages;
  decompressed = 0;

  constructor(bytesMax?: number) {
    this.pages = new DecompressedPages(bytesMax);
  }

  read(page: CompressedPage): Uint8Array {
    const target = new Uint8Array(page.uncompressedBytes);
    this.pages.read(page, target, () => {
      this.decompressed++;
      target.set(contentOf(page));
    });
    return target;
  }

  /** How many of the pages were decompressed. */
  readAll(pages: readonly CompressedPage[]): number {
    const before = this.decompressed;
    for (const page of pages) {
      expect(this.read(page)).toEqual(contentOf(page));
    }
    return this.decompressed - before;
  }
}

const range = (count: number, first = 0): readonly CompressedPage[] => Array.from({ length: count }, (_, index) => numbered(first + index));

describe("decompressed pages", () => {
  it("are their pages' own, and bounded, in any order of reads and for pages that differ in a byte or in the codec", () => {
    const bytes = fc.uint8Array({ minLength: 0, maxLength: 70 });
    const similar = fc.tuple(bytes, fc.nat(69), fc.nat(255)).map(([whole, at, byte]) => {
      const other = whole.slice();
      other[at % Math.max(1, whole.length)] = byte;
      return [whole, other];
    });
    const reads = fc.array(fc.record({ pair: fc.nat(3), which: fc.nat(1), codec: fc.integer({ min: 1, max: 2 }) }), { maxLength: 120 });
    fc.assert(
      fc.property(fc.array(similar, { minLength: 4, maxLength: 4 }), reads, fc.integer({ min: 0, max: 3000 }), (pairs, order, bytesMax) => {
        const reader = new Reader(bytesMax);
        for (const { codec, pair, which } of order) {
          const page = pageOf(pairs[pair]?.[which] as Uint8Array, codec);
          expect(reader.read(page)).toEqual(contentOf(page));
          expect(reader.pages.keptBytes).toBeLessThanOrEqual(bytesMax);
        }
      }),
      { numRuns: 200 },
    );
  });

  it("are kept from the second read on", () => {
    const reader = new Reader();
    expect([1, 2, 3, 4].map(() => reader.readAll(range(20)))).toEqual([20, 20, 0, 0]);
    expect(reader.pages.keptBytes).toBe(20 * 120);
  });

  it("are not kept where they are hardly longer than their compressed form, nor where one takes too much of the bound", () => {
    const reader = new Reader(960);
    const page = numbered(1);
    for (const one of [{ ...page, uncompressedBytes: 49 }, numbered(1, 41)]) {
      for (let count = 0; count < 4; count++) {
        reader.pages.read(one, new Uint8Array(one.uncompressedBytes), () => void reader.decompressed++);
      }
    }
    expect([reader.decompressed, reader.pages.keptBytes]).toEqual([8, 0]);
  });

  it("keep their place when more than fit are read in turns", () => {
    const reader = new Reader(1200);
    const rounds = Array.from({ length: 12 }, () => reader.readAll(range(40)));
    expect(rounds).toEqual([40, 40, ...rounds.slice(2).map(() => 30)]);
  });

  it("give way to pages that are read while they are not", () => {
    const reader = new Reader(1200);
    reader.readAll([...range(10), ...range(10)]);
    const rounds = Array.from({ length: 30 }, () => reader.readAll(range(10, 100)));
    expect(rounds[0]).toBe(10);
    expect(rounds.at(-1)).toBe(0);
    expect(reader.readAll(range(10))).toBe(10);
  });

  it("are not kept of a page that is damaged", () => {
    const { pages } = new Reader();
    const page = numbered(1);
    for (let count = 0; count < 3; count++) {
      expect(() =>
        pages.read(page, new Uint8Array(page.uncompressedBytes), () => {
          throw new Error("damaged");
        }),
      ).toThrow("damaged");
    }
    expect(pages.keptBytes).toBe(0);
  });
});
