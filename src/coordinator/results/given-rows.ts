/**
 * The rows that a client has been given, as a count and a checksum of their text. A query that runs again must begin with the same rows:
 * they are skipped, and everything else would be a mixture.
 */

/** Base of the polynomial modulo 2^32, and its powers. Odd, so that no byte loses its weight. */
const base = 0x01000193;
const base2 = Math.imul(base, base);
const base3 = Math.imul(base2, base);
const base4 = Math.imul(base3, base);
const comma = 0x2c;

export class GivenRows {
  #rowCount: number;
  #checksum: number;

  constructor(given: { readonly rowCount: number; readonly checksum: number } = { rowCount: 0, checksum: 0 }) {
    this.#rowCount = given.rowCount;
    this.#checksum = given.checksum;
  }

  get rowCount(): number {
    return this.#rowCount;
  }

  get checksum(): number {
    return this.#checksum;
  }

  /** Rows as JSON arrays, separated by commas. The checksum does not depend on how the rows are divided among the calls. */
  add(rows: Uint8Array, rowCount: number): void {
    if (rowCount > 0) {
      this.#rowCount += rowCount;
      this.#checksum = (Math.imul(checksumOf(rows, this.#checksum), base) + comma) | 0;
    }
  }

  equals(other: GivenRows): boolean {
    return this.#rowCount === other.#rowCount && this.#checksum === other.#checksum;
  }
}

/** Horner's rule, four bytes a step: one multiplication depends on the step before. */
function checksumOf(bytes: Uint8Array, seed: number): number {
  const { length } = bytes;
  const whole = length - (length % 4);
  let sum = seed;
  let at = 0;
  for (; at < whole; at += 4) {
    const high = Math.imul(bytes[at] as number, base3) + Math.imul(bytes[at + 1] as number, base2);
    const low = Math.imul(bytes[at + 2] as number, base) + (bytes[at + 3] as number);
    sum = (Math.imul(sum, base4) + high + low) | 0;
  }
  for (; at < length; at++) {
    sum = (Math.imul(sum, base) + (bytes[at] as number)) | 0;
  }
  return sum;
}
