/**
 * The random numbers of the TPC's generators: a Lehmer stream (multiplier 16807, modulus 2^31 - 1). Any draw can be reached by modular
 * exponentiation. Every seed is an integer in [1, 2^31 - 2].
 */

export const modulus = 2147483647;
const multiplier = 16807;
/** 2^31 = 1 (mod 2^31 - 1): a product is reduced by adding its upper bits to its lower 31. */
const twoTo31 = 2147483648;

/** The next seed, seed * 16807 mod (2^31 - 1), in 32-bit halves and without a division. */
export function nextSeed(seed: number): number {
  const high = Math.imul(multiplier, seed >>> 16);
  const sum = (Math.imul(multiplier, seed & 0xffff) + ((high & 0x7fff) << 16) + (high >>> 15)) | 0;
  return ((sum & modulus) + (sum >>> 31)) | 0;
}

/** a * b mod (2^31 - 1); all intermediate values are exact in a double. */
export function multiplySeeds(a: number, b: number): number {
  const upper = a * (b >>> 16);
  const carry = Math.floor(upper / twoTo31);
  const product = (upper - carry * twoTo31 + carry) * 65536 + a * (b & 0xffff);
  const fold = Math.floor(product / twoTo31);
  const folded = product - fold * twoTo31 + fold;
  return (folded >= modulus ? folded - modulus : folded) | 0;
}

/** The factor that advances a seed by `draws` draws. */
export function jumpFactor(draws: number): number {
  let factor = 1;
  let square = multiplier;
  // By Fermat's little theorem the powers of the multiplier repeat after modulus - 1.
  for (let rest = draws % (modulus - 1); rest > 0; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) {
      factor = multiplySeeds(factor, square);
    }
    square = multiplySeeds(square, square);
  }
  return factor;
}
