/**
 * The kernel library against plain JavaScript, on both backends.
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { int128Divide, int128Multiply, multiplyU64 } from "../../../src/codegen/int128.ts";
import { hash64, hashBytes, memCompare, memEquals, utf8Length, utf8Position } from "../../../src/codegen/library.ts";
import type { KernelValue } from "../../../src/codegen/ir.ts";
import { backends, kernelOf, newRuntime } from "./run.ts";

const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 40 }),
  fc.array(fc.constantFrom(0, 1, 255), { maxLength: 20 }).map((values) => Uint8Array.from(values)),
);
const word = fc.oneof(
  fc.bigInt(-(1n << 63n), (1n << 63n) - 1n),
  fc.constantFrom(0n, 1n, -1n, -(1n << 63n), (1n << 63n) - 1n, 1n << 32n, (1n << 32n) - 1n),
);
const wide = fc.oneof(
  fc.tuple(word, word).map(([lo, hi]) => BigInt.asUintN(64, lo) | (hi << 64n)),
  word,
  fc.constantFrom(-(1n << 127n), (1n << 127n) - 1n, 10n ** 38n - 1n, 10n ** 18n),
  fc.tuple(word, fc.nat(127)).map(([value, shift]) => BigInt.asIntN(128, value << BigInt(shift))),
);

function parts(value: bigint): [bigint, bigint] {
  return [BigInt.asIntN(64, value), BigInt.asIntN(64, value >> 64n)];
}

describe.each(backends)("on %s", (backend) => {
  const { runtime, linear, root } = newRuntime(backend);
  const numRuns = backend === "wasm" ? 500 : 150;
  const a = root.allocate(256);
  const b = root.allocate(256);

  /** Bytes after the content are garbage that must not matter. */
  function put(address: number, content: Uint8Array, rubbish: number): void {
    linear.u8.fill(rubbish, address, address + content.length + 16);
    linear.u8.set(content, address);
  }

  function load(name: string, makeFunction: Parameters<typeof kernelOf>[1]): (...args: KernelValue[]) => KernelValue | undefined {
    return runtime.load(name, () => kernelOf(name, makeFunction));
  }

  test("bytes are compared as memcmp does", () => {
    const compare = load("memCompare", memCompare);
    const equals = load("memEquals", memEquals);
    fc.assert(
      fc.property(bytes, bytes, fc.nat(8), (x, y, shift) => {
        const shared = Uint8Array.from([...x, ...y]);
        for (const [p, q] of [
          [x, y],
          [shared, x],
          [shared, shared],
          [shared, Uint8Array.from([...x, ...y.map((byte, i) => (i === y.length - 1 ? byte ^ 1 : byte))])],
        ] as const) {
          put(a + shift, p, 0x55);
          put(b, q, 0xaa);
          const expected = Buffer.compare(p, q);
          expect(compare(a + shift, p.length, b, q.length)).toBe(expected);
          expect(p.length !== q.length ? 0 : equals(a + shift, b, p.length)).toBe(expected === 0 ? 1 : 0);
        }
      }),
      { numRuns },
    );
  });

  test("a hash depends on content and length only", () => {
    const hash = load("hashBytes", hashBytes);
    const mix = load("hash64", hash64);
    fc.assert(
      fc.property(bytes, fc.nat(8), word, word, (x, shift, p, q) => {
        put(a, x, 0x55);
        put(b + shift, x, 0xaa);
        expect(hash(a, x.length)).toBe(hash(b + shift, x.length));
        put(a, Uint8Array.from([...x, 0]), 0x55);
        expect(hash(a, x.length + 1)).not.toBe(hash(b + shift, x.length));
        expect(mix(p) === mix(q)).toBe(p === q);
      }),
      { numRuns },
    );
  });

  test("hashes spread over low and high bits", () => {
    const hash = load("hashBytes", hashBytes);
    const low = new Set<bigint>();
    const high = new Set<bigint>();
    for (let i = 0; i < 4096; i++) {
      put(a, new TextEncoder().encode(`Customer#${String(i).padStart(9, "0")}`), 0);
      const value = BigInt.asUintN(64, hash(a, 18) as bigint);
      low.add(value & 0xfffn);
      high.add(value >> 52n);
    }
    // 4096 hashes into 4096 buckets fill about 63 %.
    expect(low.size).toBeGreaterThan(2450);
    expect(high.size).toBeGreaterThan(2450);
  });

  test("code points are counted and found", () => {
    const length = load("utf8Length", utf8Length);
    const position = load("utf8Position", utf8Position);
    const unit = fc.constantFrom("a", "z", "é", "ß", "€", "語", "😀", "\u{10ffff}");
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 30 }), fc.nat(32), (points, n) => {
        const text = new TextEncoder().encode(points.join(""));
        put(a, text, 0x80);
        expect(length(a, text.length)).toBe(points.length);
        const expected = new TextEncoder().encode(points.slice(0, n).join("")).length;
        expect(position(a, text.length, n)).toBe(expected);
      }),
      { numRuns },
    );
  });

  describe("128-bit arithmetic", () => {
    const readWide = (address: number) => linear.view.getBigUint64(address, true) | (linear.view.getBigInt64(address + 8, true) << 64n);

    test("product", () => {
      const kernel = load("int128Multiply", int128Multiply);
      fc.assert(
        fc.property(wide, wide, (x, y) => {
          const overflow = kernel(a, ...parts(x), ...parts(y));
          const expected = x * y;
          expect(overflow).toBe(BigInt.asIntN(128, expected) === expected ? 0 : 1);
          expect(readWide(a)).toBe(BigInt.asIntN(128, expected));
        }),
        { numRuns: numRuns * 4 },
      );
    });

    test("division with remainder", () => {
      const kernel = load("int128Divide", int128Divide);
      fc.assert(
        fc.property(wide, wide, (x, y) => {
          fc.pre(y !== 0n);
          const overflow = kernel(a, ...parts(x), ...parts(y));
          expect(overflow).toBe(x === -(1n << 127n) && y === -1n ? 1 : 0);
          expect([readWide(a), readWide(a + 16)]).toEqual([BigInt.asIntN(128, x / y), x % y]);
        }),
        { numRuns: numRuns * 4 },
      );
      expect(() => kernel(a, ...parts(1n), 0n, 0n)).toThrow(expect.objectContaining({ kind: "DIVIDE_BY_ZERO" }));
      expect(() => kernel(a, ...parts(1n << 100n), 0n, 0n)).toThrow(expect.objectContaining({ kind: "DIVIDE_BY_ZERO" }));
    });

    test("full product of unsigned words", () => {
      const multiply = load("multiplyU64", multiplyU64);
      fc.assert(
        fc.property(word, word, (p, q) => {
          multiply(a, p, q);
          expect(BigInt.asUintN(128, readWide(a))).toBe(BigInt.asUintN(64, p) * BigInt.asUintN(64, q));
        }),
        { numRuns },
      );
    });
  });
});
