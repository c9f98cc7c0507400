import type { ByteBuffer } from "../byte-buffer.ts";

const halfBits = 16;

/** Bits from the lowest of each byte, for decoders that read from the end: after the last value comes a bit that marks it. */
export class BitWriter {
  readonly #out: ByteBuffer;
  #held = 0;
  #heldBits = 0;

  constructor(out: ByteBuffer) {
    this.#out = out;
  }

  /** The lowest `bits` bits of the value, at most 32. */
  add(value: number, bits: number): void {
    if (bits > halfBits) {
      this.add(value & 0xffff, halfBits);
      this.add(value >>> halfBits, bits - halfBits);
      return;
    }
    this.#held |= (value & ((1 << bits) - 1)) << this.#heldBits;
    this.#heldBits += bits;
    while (this.#heldBits >= 8) {
      this.#out.byte(this.#held & 0xff);
      this.#held >>>= 8;
      this.#heldBits -= 8;
    }
  }

  end(): void {
    this.add(1, 1);
    if (this.#heldBits > 0) {
      this.#out.byte(this.#held);
    }
  }
}
