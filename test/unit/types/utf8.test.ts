import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeUtf8, encodeUtf8, utf8Length } from "../../../src/types/utf8.ts";

describe("UTF-8", () => {
  it("encodes as the platform does, lone surrogates included", () => {
    const units = fc
      .array(fc.oneof(fc.integer({ min: 0, max: 0xffff }), fc.integer({ min: 0xd7f0, max: 0xe010 })))
      .map((codes) => String.fromCharCode(...codes));
    fc.assert(
      fc.property(fc.oneof(units, fc.string({ unit: "binary" })), (text) => {
        const bytes = encodeUtf8(text);
        expect(bytes).toEqual(new TextEncoder().encode(text));
        expect(utf8Length(text)).toBe(bytes.length);
      }),
    );
  });

  it("decodes as the platform does, whatever the bytes", () => {
    const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
    const bad = fc.constantFrom(0x80, 0xbf, 0xc0, 0xc2, 0xe0, 0xa0, 0xed, 0x9f, 0xf0, 0x90, 0xf4, 0x8f, 0xf5, 0x41);
    const bytes = fc.oneof(
      fc.uint8Array(),
      fc.array(bad, { maxLength: 12 }).map((codes) => Uint8Array.from(codes)),
    );
    fc.assert(
      fc.property(bytes, (sequence) => {
        expect(decodeUtf8(sequence)).toBe(decoder.decode(sequence));
      }),
      { numRuns: 2000 },
    );
  });

  it("survives texts longer than a chunk and reads a part of the bytes", () => {
    const text = "aé😀".repeat(20_000);
    expect(decodeUtf8(encodeUtf8(text))).toBe(text);
    expect(decodeUtf8(encodeUtf8("abc"), 1, 2)).toBe("b");
  });
});
