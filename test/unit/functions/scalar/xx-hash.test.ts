/**
 * xxHash64 in kernels against TypeScript, and against values published by its authors and Trino.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { xxHash64 } from "../../../support/functions/hashes.ts";
import { xxHashBytes, xxHashLong } from "../../../../src/functions/scalar/binary/xx-hash-kernels.ts";
import { buildKernel, type Local } from "../../../../src/codegen/builder.ts";
import { encodeUtf8 } from "../../../../src/types/utf8.ts";
import { createWorld } from "../../execution/expressions/world.ts";

const world = createWorld();

const sides = [world.wasm, world.interpreter].map((runtime) => {
  const ofBytes = runtime.load("xxHash64 of bytes", () =>
    buildKernel("xxHash64 of bytes", (k) =>
      k.entry({ params: ["i32", "i32", "i32"] }, (b, [address, bytes, output]) => {
        b.store("i64.store", output as Local, b.call(xxHashBytes(b.kernel), address as Local, bytes as Local));
      }),
    ),
  );
  const ofLong = runtime.load("xxHash64 of a long", () =>
    buildKernel("xxHash64 of a long", (k) =>
      k.entry({ params: ["i64", "i32"] }, (b, [word, output]) => {
        b.store("i64.store", output as Local, b.call(xxHashLong(b.kernel), word as Local));
      }),
    ),
  );
  return { ofBytes, ofLong };
});

function hashesOf(bytes: Uint8Array): readonly bigint[] {
  const memory = world.memory.child("case");
  const [address, output] = [memory.allocate(bytes.length + 16), memory.allocateZeroed(8)];
  memory.linear.u8.set(bytes, address);
  const hashes = sides.map(({ ofBytes }) => {
    ofBytes(address, bytes.length, output);
    return BigInt.asUintN(64, memory.linear.i64[output >>> 3] as bigint);
  });
  memory.close();
  return hashes;
}

describe("xxHash64", () => {
  it.each([
    ["", 0xef46db3751d8e999n],
    ["a", 0xd24ec4f1a98c6e5bn],
    ["abc", 0x44bc2cf5ad770999n],
    ["Nobody inspects the spammish repetition", 0xfbcea83c8a378bf1n],
  ] as const)("of %j", (text, hash) => {
    const bytes = encodeUtf8(text);
    expect([xxHash64(bytes), ...hashesOf(bytes)].map((each) => BigInt.asUintN(64, each))).toEqual([hash, hash, hash]);
  });

  it("is the same in kernels and in TypeScript, of bytes of every length", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        const hash = BigInt.asUintN(64, xxHash64(bytes));
        expect(hashesOf(bytes)).toEqual([hash, hash]);
      }),
    );
  });

  it("the hash of a bigint is that of its eight bytes", () => {
    const output = world.memory.allocateZeroed(8);
    fc.assert(
      fc.property(fc.bigInt({ min: -(1n << 63n), max: (1n << 63n) - 1n }), (word) => {
        const bytes = new Uint8Array(8);
        new DataView(bytes.buffer).setBigInt64(0, word, true);
        const hashes = sides.map(({ ofLong }) => {
          ofLong(word, output);
          return world.memory.linear.i64[output >>> 3] as bigint;
        });
        const hash = BigInt.asIntN(64, xxHash64(bytes));
        expect(hashes).toEqual([hash, hash]);
      }),
    );
  });
});
