import fc from "fast-check";
import { expect, test } from "vitest";
import { estimateDistinct, mergedRegisters, raiseRegister } from "../../../src/types/hyperloglog.ts";

const bits = 8;
const rankMax = 32 - bits + 1;

/** Of hashes of 32 bits. */
function registersOf(hashes: Iterable<number>): Uint8Array {
  const registers = new Uint8Array(2 ** bits);
  for (const hash of hashes) {
    raiseRegister(registers, hash >>> (32 - bits), Math.min(rankMax, Math.clz32((hash << bits) >>> 0) + 1));
  }
  return registers;
}

test("registers are those of a set of hashes, merged or not, in any order and however often", () => {
  const hashes = fc.array(fc.integer({ min: 0, max: 2 ** 32 - 1 }), { maxLength: 600 });
  fc.assert(
    fc.property(hashes, hashes, (some, others) => {
      const both = registersOf([...some, ...others]);
      expect(registersOf(new Set([...others, ...some, ...some]))).toEqual(both);
      expect(mergedRegisters(registersOf(some), registersOf(others))).toEqual(both);
      expect(mergedRegisters(registersOf(others), registersOf(some))).toEqual(both);
      expect(estimateDistinct(both, rankMax)).toBeGreaterThanOrEqual(estimateDistinct(registersOf(some), rankMax));
    }),
  );
});

test("the estimate is within its standard error, from no hash to many", () => {
  expect(estimateDistinct(new Uint8Array(2 ** bits), rankMax)).toBe(0);
  const standardError = 1.04 / Math.sqrt(2 ** bits);
  for (const count of [1, 2, 3, 10, 50, 300, 700, 2000, 10_000]) {
    const errors = Array.from({ length: 40 }, (_, run) => {
      // A Weyl sequence through a finalizer of MurmurHash3.
      const hashes = Array.from({ length: count }, (_unused, index) => {
        let hash = Math.imul(index + 1 + run * 1_000_003, 0x9e3779b1);
        hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
        hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
        return (hash ^ (hash >>> 16)) >>> 0;
      });
      return (estimateDistinct(registersOf(hashes), rankMax) - count) / count;
    });
    expect(Math.sqrt(errors.reduce((sum, error) => sum + error ** 2, 0) / errors.length), `${count}`).toBeLessThan(1.4 * standardError);
    expect(Math.abs(errors.reduce((sum, error) => sum + error, 0) / errors.length), `${count}`).toBeLessThan(0.6 * standardError);
  }
});
