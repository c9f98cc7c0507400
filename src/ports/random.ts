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

export const base32: string = "abcdefghijkmnpqrstuvwxyz23456789";
export const hexDigits: string = "0123456789abcdef";
