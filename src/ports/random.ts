/**
 * Randomness in named streams: a draw in one stream never affects another.
 */

export interface RandomStream {
  /** Uniform in [0, bound); `bound` is an integer in [1, 2^32]. */
  nextInt(bound: number): number;
  /** `length` characters drawn from `alphabet`. */
  nextText(length: number, alphabet: string): string;
}

export interface Random {
  /** Within one incarnation of a node, the same name returns the same stream object. */
  stream(name: string): RandomStream;
}

/**
 * Implementation of nextInt over a source of uniform 32-bit numbers. The process and the simulator share it, each with its own generator.
 */
export function uniformInt(nextUint32: () => number, bound: number): number {
  if (!Number.isInteger(bound) || bound < 1 || bound > 2 ** 32) {
    throw new RangeError(`bound ${bound} is not in [1, 2^32]`);
  }
  // Rejection sampling keeps the distribution uniform: a draw in the incomplete last range is repeated.
  const fair = 2 ** 32 - (2 ** 32 % bound);
  let drawn = nextUint32();
  while (drawn >= fair) {
    drawn = nextUint32();
  }
  return drawn % bound;
}

/** Implementation of nextText. */
export function uniformText(nextUint32: () => number, length: number, alphabet: string): string {
  let text = "";
  for (let index = 0; index < length; index++) {
    text += alphabet.charAt(uniformInt(nextUint32, alphabet.length));
  }
  return text;
}

export const base32: string = "abcdefghijkmnpqrstuvwxyz23456789";
export const hexDigits: string = "0123456789abcdef";
