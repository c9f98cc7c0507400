/**
 * A digest of the first pages of a task's output, by which a reader and a task that was run again know that their pages are the same. Made
 * of the checksums in the frames' headers (serde.ts), which cover their bytes; it detects other rows, and is not a signature.
 */
import type { Frame } from "./frame.ts";
import { frameChecksum } from "./serde.ts";

const [primeLow, primeHigh] = [0x01000193, 0x85ebca77];

export class PagesDigest {
  #low = 0x811c9dc5;
  #high = 0x9e3779b1;
  #isKnown = true;

  /** A frame without a checksum, which another node of the process has lent, makes the digest unknown. */
  add(frame: Frame): void {
    this.#isKnown &&= frame.isSealed;
    if (this.#isKnown) {
      const { high, low } = frameChecksum(frame);
      this.#low = Math.imul(this.#low ^ low, primeLow);
      this.#high = Math.imul(this.#high ^ high, primeHigh) ^ this.#low;
    }
  }

  /** 16 hexadecimal digits; undefined if a page had no checksum. */
  get text(): string | undefined {
    return this.#isKnown ? hex(this.#high) + hex(this.#low) : undefined;
  }
}

function hex(word: number): string {
  return (word >>> 0).toString(16).padStart(8, "0");
}
