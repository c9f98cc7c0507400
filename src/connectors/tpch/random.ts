/**
 * The random numbers of the TPC's dbgen: one Lehmer stream (multiplier 16807, modulus 2^31 - 1) per column with a fixed number of draws per
 * row. Any row can be reached by modular exponentiation.
 *
 * Every seed is an integer in [1, 2^31 - 2]. Division before multiplication in `draw` is dbgen's own order and part of its output.
 */

import { jumpFactor, modulus, multiplySeeds } from "../shared/lehmer.ts";

export { jumpFactor, multiplySeeds, nextSeed } from "../shared/lehmer.ts";

/** The seed before the draws of row `row` (0-based) of a stream with `drawsPerRow` draws per row. */
export function seedOfRow(seed: number, drawsPerRow: number, row: number): number {
  // Reduced first, so that the product stays below 2^53 at every scale.
  return multiplySeeds(seed, jumpFactor((row % (modulus - 1)) * drawsPerRow));
}

/** Uniform in [0, range). */
export function draw(seed: number, range: number): number {
  return ((seed / modulus) * range) | 0;
}

/** Like draw, for ranges beyond 2^31. */
export function drawWide(seed: number, range: number): number {
  return Math.floor((seed / modulus) * range);
}

const multiplier64 = 6364136223846793005n;

/** From this scale on dbgen draws part and customer keys with a 64-bit congruential generator, because they exceed 2^31. */
export const scaleOf64BitKeys = 30000;

export function nextSeed64(seed: bigint): bigint {
  return BigInt.asIntN(64, seed * multiplier64 + 1n);
}

/** Uniform in [1, range]. */
export function drawKey64(seed: bigint, range: number): number {
  return Number((seed < 0n ? -seed : seed) % BigInt(range)) + 1;
}
