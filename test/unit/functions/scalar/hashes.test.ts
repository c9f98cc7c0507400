/**
 * The engine's hashes against the platform's, and the two that the platform lacks against published values.
 */
import { createHash, createHmac } from "node:crypto";
import { crc32 as platformCrc32 } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { crc32, hmac, md5, sha1, sha256, sha512 } from "../../../../src/functions/scalar/binary/hashes.ts";
import { murmur3, xxHash64 } from "../../../support/functions/hashes.ts";
import { formatHex } from "../../../../src/functions/runtime/formats.ts";
import { encodeUtf8 } from "../../../../src/types/utf8.ts";

const hashes = { md5, sha1, sha256, sha512 };
const bytes = fc.oneof(fc.uint8Array({ maxLength: 40 }), fc.uint8Array({ minLength: 40, maxLength: 300 }));

describe("hashes", () => {
  it.each(Object.keys(hashes) as (keyof typeof hashes)[])("%s is the platform's", (name) => {
    fc.assert(
      fc.property(bytes, bytes, (message, key) => {
        expect(formatHex(hashes[name](message))).toBe(createHash(name).update(message).digest("hex"));
        const keyed = hmac(hashes[name], key, message);
        expect(formatHex(keyed)).toBe(createHmac(name, key).update(message).digest("hex"));
      }),
      { numRuns: 200 },
    );
  });

  it("take bytes that begin anywhere in a buffer, as values in linear memory do", () => {
    const memory = new Uint8Array(1024).map((_, index) => index * 7);
    for (let start = 0; start < 9; start++) {
      const message = memory.subarray(start, start + 200);
      for (const name of Object.keys(hashes) as (keyof typeof hashes)[]) {
        expect(formatHex(hashes[name](message))).toBe(createHash(name).update(message).digest("hex"));
      }
      expect(crc32(message)).toBe(platformCrc32(message));
    }
  });

  it("crc32 is the platform's", () => {
    fc.assert(
      fc.property(bytes, (message) => {
        expect(crc32(message)).toBe(platformCrc32(message));
      }),
    );
  });

  it("xxHash64 and MurmurHash3 give what their authors publish", () => {
    expect(xxHash64(encodeUtf8("")).toString(16)).toBe("ef46db3751d8e999");
    expect(xxHash64(encodeUtf8("abc")).toString(16)).toBe("44bc2cf5ad770999");
    expect(xxHash64(encodeUtf8("Nobody inspects the spammish repetition")).toString(16)).toBe("fbcea83c8a378bf1");
    expect(formatHex(murmur3(encodeUtf8("")))).toBe("00000000000000000000000000000000");
    expect(formatHex(murmur3(encodeUtf8("The quick brown fox jumps over the lazy dog")))).toBe("6c1b07bc7bbc4be347939ac4a93c437a");
  });
});
