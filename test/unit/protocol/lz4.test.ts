import fc from "fast-check";
import { compressors } from "hyparquet-compressors";
import { describe, expect, it } from "vitest";
import { compressLz4, decompressLz4, Lz4Error, lz4BytesMax } from "../../../src/protocol/lz4.ts";
import { decodeUtf8, encodeUtf8 } from "../../../src/types/utf8.ts";

/** An independent block reader. */
function otherReader(block: Uint8Array, byteCount: number): Uint8Array {
  const read = compressors["LZ4_RAW"] as (input: Uint8Array, outputLength: number) => Uint8Array;
  return read(block, byteCount);
}

/** Texts, runs, JSON rows and noise: data that compresses well and data that does not. */
const contents = fc.oneof(
  fc.uint8Array({ maxLength: 400 }),
  fc.tuple(fc.uint8Array({ minLength: 1, maxLength: 40 }), fc.integer({ min: 1, max: 3_000 })).map(([part, times]) => {
    const whole = new Uint8Array(part.length * times);
    for (let turn = 0; turn < times; turn++) {
      whole.set(part, turn * part.length);
    }
    return whole;
  }),
  fc
    .array(fc.tuple(fc.integer({ min: 0, max: 999 }), fc.constantFrom("MOROCCO", "GERMANY", "even deposits wake")), { maxLength: 3_000 })
    .map((rows) => encodeUtf8(JSON.stringify(rows))),
  fc.uint8Array({ minLength: 66_000, maxLength: 140_000 }),
);

describe("LZ4 blocks", () => {
  it("are read by another project's reader and by our own", () => {
    fc.assert(
      fc.property(contents, (content) => {
        const block = compressLz4(content);
        expect(block.length).toBeLessThanOrEqual(lz4BytesMax(content.length));
        expect(Buffer.from(decompressLz4(block, content.length)).equals(Buffer.from(content))).toBe(true);
        if (content.length > 0) {
          expect(Buffer.from(otherReader(block, content.length)).equals(Buffer.from(content))).toBe(true);
        }
      }),
      { numRuns: 200 },
    );
  });

  it("end in five literals, and begin no match in the last twelve bytes (the format's end of block)", () => {
    for (let count = 0; count < 40; count++) {
      const block = compressLz4(new Uint8Array(count).fill(97));
      const token = block.at(-6) ?? 0;
      expect(count < 13 ? block.length > count : block.subarray(-5).every((byte) => byte === 97)).toBe(true);
      expect(count < 13 || token >>> 4 === 5).toBe(true);
    }
  });

  it("are those that Trino's Go client is tested with", () => {
    const block = Buffer.from("8AFbWzEwMDBdLFsxMDAwMV1d", "base64");
    expect(decodeUtf8(decompressLz4(block, 16))).toBe("[[1000],[10001]]");
    expect(Buffer.from(compressLz4(encodeUtf8("[[1000],[10001]]"))).equals(block)).toBe(true);
  });

  it("are worth it: rows of a table take a third", () => {
    const rows = Array.from({ length: 2_000 }, (_, index) => [index, `Customer#${String(index).padStart(9, "0")}`, index % 25, "BUILDING"]);
    const content = encodeUtf8(JSON.stringify(rows));
    expect(compressLz4(content).length).toBeLessThan(content.length / 3);
  });

  it("that are none are refused, whatever they are", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), fc.integer({ min: 0, max: 300 }), (block, byteCount) => {
        try {
          expect(decompressLz4(block, byteCount).length).toBe(byteCount);
        } catch (error) {
          expect(error).toBeInstanceOf(Lz4Error);
        }
      }),
      { numRuns: 2_000 },
    );
    const block = compressLz4(encodeUtf8("abcdefgh".repeat(20)));
    for (const [changed, byteCount] of [
      [block.subarray(0, -1), 160],
      [block, 159],
      [block, 161],
      [Uint8Array.of(0x00, 1, 0), 4],
      [Uint8Array.of(0x10, 97, 0, 0), 5],
    ] as const) {
      expect(() => decompressLz4(changed, byteCount)).toThrow(Lz4Error);
    }
  });
});
