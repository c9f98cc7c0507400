/** Randomness in named streams: a draw in one stream never moves another. */

export interface RandomStream {
  /** Uniform in [0, bound), bound an integer in [1, 2^32]. */
  nextInt(bound: number): number;
  /** `length` characters drawn from `alphabet`. */
  nextText(length: number, alphabet: string): string;
}

export interface Random {
  /** The same name gives the same stream object within one life of a node. */
  stream(name: string): RandomStream;
}

/** A stream's nextInt from a source of uniform 32-bit numbers. Both worlds draw through it, each from a generator of its own. */
export function uniformInt(nextUint32: () => number, bound: number): number {
  if (!Number.isInteger(bound) || bound < 1 || bound > 2 ** 32) {
    throw new RangeError(`bound ${bound} is not in [1, 2^32]`);
  }
  // Rejection keeps the draw uniform: the tail that does not fill a whole round is drawn again.
  const fair = 2 ** 32 - (2 ** 32 % bound);
  let drawn = nextUint32();
  while (drawn >= fair) {
    drawn = nextUint32();
  }
  return drawn % bound;
}

/** A stream's nextText. */
export function uniformText(nextUint32: () => number, length: number, alphabet: string): string {
  let text = "";
  for (let index = 0; index < length; index++) {
    text += alphabet.charAt(uniformInt(nextUint32, alphabet.length));
  }
  return text;
}

export const base32: string = "abcdefghijkmnpqrstuvwxyz23456789";
export const hexDigits: string = "0123456789abcdef";
