/**
 * The arithmetic of dbgen's random streams against big integers.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { modulus } from "../../../../src/connectors/shared/lehmer.ts";
import { jumpFactor, multiplySeeds, nextSeed, seedOfRow } from "../../../../src/connectors/tpch/random.ts";

const seeds = fc.integer({ min: 1, max: modulus - 1 });
const big = BigInt(modulus);

function power(exponent: bigint): bigint {
  let result = 1n;
  let square = 16807n;
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    result = rest % 2n === 1n ? (result * square) % big : result;
    square = (square * square) % big;
  }
  return result;
}

describe("tpch random streams", () => {
  it("step by 16807 modulo 2^31 - 1", () => {
    fc.assert(fc.property(seeds, (seed) => nextSeed(seed) === Number((BigInt(seed) * 16807n) % big)));
  });

  it("multiply without losing a bit", () => {
    fc.assert(fc.property(seeds, seeds, (a, b) => multiplySeeds(a, b) === Number((BigInt(a) * BigInt(b)) % big)));
    expect(multiplySeeds(modulus - 1, modulus - 1)).toBe(1);
  });

  it("jump to any row, at any scale", () => {
    const draws = fc.integer({ min: 1, max: 92 });
    const rows = fc.integer({ min: 0, max: 1_500_000_000_000 });
    fc.assert(
      fc.property(seeds, draws, rows, (seed, drawsPerRow, row) => {
        const expected = Number((BigInt(seed) * power(BigInt(drawsPerRow) * BigInt(row))) % big);
        return seedOfRow(seed, drawsPerRow, row) === expected;
      }),
    );
  });

  it("jump as far as they step", () => {
    let seed = 1;
    for (let draws = 0; draws < 50; draws++) {
      expect(multiplySeeds(1, jumpFactor(draws))).toBe(seed);
      seed = nextSeed(seed);
    }
  });
});
