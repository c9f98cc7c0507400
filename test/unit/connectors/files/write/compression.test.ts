/** Compressors against the decompressors of others, and levels against their definition. */
import { decompressZstd } from "hyparquet-compressors";
import { decompress as fzstd } from "fzstd";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ByteBuffer } from "../../../../../src/connectors/files/write/byte-buffer.ts";
import { compressSnappy } from "../../../../../src/connectors/files/write/compress/snappy.ts";
import { compressZstd } from "../../../../../src/connectors/files/write/compress/zstd.ts";
import { bitsOf, writeHybrid } from "../../../../../src/connectors/files/write/parquet/levels.ts";

/** Texts with repetitions near and far, bytes, and runs of every length. */
const pieces = fc.oneof(
  fc.string({ maxLength: 300 }).map((text) => new TextEncoder().encode(text)),
  fc.uint8Array({ maxLength: 300 }),
  fc.tuple(fc.nat(255), fc.oneof(fc.nat(300), fc.nat(200_000))).map(([byte, count]) => new Uint8Array(count).fill(byte)),
  fc
    .tuple(fc.constantFrom("AIR", "RAIL ", "carefully final deposits "), fc.nat(2000))
    .map(([word, count]) => new TextEncoder().encode(word.repeat(count))),
);
const contents = fc
  .tuple(fc.array(pieces, { maxLength: 6 }), fc.array(fc.nat(5), { maxLength: 6 }))
  .map(([parts, again]) => Uint8Array.from([...parts, ...again.flatMap((index) => parts[index] ?? [])].flatMap((part) => [...part])));

function snappyOf(input: Uint8Array): Uint8Array {
  let at = 0;
  let size = 0;
  for (let shift = 0; ; shift += 7) {
    const byte = input[at++] as number;
    size += (byte & 0x7f) * 2 ** shift;
    if (byte < 0x80) {
      break;
    }
  }
  const output: number[] = [];
  while (at < input.length) {
    const tag = input[at++] as number;
    if ((tag & 3) === 0) {
      let length = tag >>> 2;
      if (length >= 60) {
        const bytes = length - 59;
        length = 0;
        for (let index = 0; index < bytes; index++) {
          length += (input[at++] as number) * 256 ** index;
        }
      }
      output.push(...input.subarray(at, at + length + 1));
      at += length + 1;
    } else {
      expect(tag & 3).toBe(2);
      const distance = (input[at] as number) + 256 * (input[at + 1] as number);
      at += 2;
      for (let index = 0; index <= tag >>> 2; index++) {
        output.push(output[output.length - distance] as number);
      }
    }
  }
  expect(output.length).toBe(size);
  return Uint8Array.from(output);
}

function isSame(found: Uint8Array, expected: Uint8Array): void {
  expect(Buffer.compare(found, expected)).toBe(0);
}

describe("compression", () => {
  it("of Zstandard is read by two libraries", () => {
    fc.assert(
      fc.property(contents, (bytes) => {
        const compressed = compressZstd(bytes);
        isSame(fzstd(compressed), bytes);
        isSame(decompressZstd(compressed), bytes);
      }),
      { numRuns: 150 },
    );
  });

  it("of Snappy is what its format says", () => {
    fc.assert(
      fc.property(
        contents.filter(({ length }) => length < 100_000),
        (bytes) => isSame(snappyOf(compressSnappy(bytes)), bytes),
      ),
      { numRuns: 100 },
    );
  });

  it("makes text smaller, and hardly ever makes noise larger", () => {
    const words = ["furiously", "express", "pending", "accounts", "sleep", "quickly", "the"];
    const text = new TextEncoder().encode(Array.from({ length: 50_000 }, (_, index) => words[((index * 7919) % 13) % 7]).join(" "));
    expect(compressZstd(text).length).toBeLessThan(text.length / 4);
    expect(compressSnappy(text).length).toBeLessThan(text.length / 2);
    const noise = Uint8Array.from({ length: 300_000 }, (_, index) => Math.imul(index ^ 0x5bd1e995, 0x9e3779b1) >>> 24);
    expect(compressZstd(noise).length).toBeLessThan(noise.length + 64);
    expect(compressSnappy(noise).length).toBeLessThan(noise.length + 64);
  });
});

/** Values of the hybrid of run lengths and bit packing. */
function hybridOf(bytes: Uint8Array, bits: number, count: number): readonly number[] {
  const values: number[] = [];
  let at = 0;
  while (values.length < count) {
    let header = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++] as number;
      header += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) {
        break;
      }
    }
    if (header % 2 === 0) {
      let value = 0;
      for (let shift = 0; shift < bits; shift += 8) {
        value += (bytes[at++] as number) * 2 ** shift;
      }
      values.push(...Array.from({ length: header / 2 }, () => value));
      continue;
    }
    const groupBytes = ((header - 1) / 2) * bits;
    for (let index = 0; index < ((header - 1) / 2) * 8; index++) {
      let value = 0;
      for (let bit = 0; bit < bits; bit++) {
        const place = index * bits + bit;
        value += (((bytes[at + (place >>> 3)] as number) >>> (place & 7)) & 1) * 2 ** bit;
      }
      values.push(value);
    }
    at += groupBytes;
  }
  expect(at).toBe(bytes.length);
  return values.slice(0, count);
}

it("levels and indexes are runs and packed groups", () => {
  const runs = fc.array(fc.tuple(fc.nat(20), fc.integer({ min: 1, max: 40 })), { maxLength: 40 });
  fc.assert(
    fc.property(runs, fc.nat(5), (drawn, from) => {
      const values = drawn.flatMap(([value, count]) => Array.from({ length: count }, () => value));
      const start = Math.min(from, values.length);
      const bits = Math.max(1, bitsOf(Math.max(0, ...values)));
      const out = new ByteBuffer();
      writeHybrid(out, values, { from: start, to: values.length, bits });
      expect(hybridOf(out.take(), bits, values.length - start)).toEqual(values.slice(start));
    }),
    { numRuns: 300 },
  );
});
